"""What a call does when that depends on its arguments: the named conditions of catalogue entries.

`decide(entry.condition, call, value)` gives the final kind ("effect", "read", "safe", "unstable", "model") or None: as the entry says.
A condition is a name, or a name with parameters after colons (`keyed:2:id`: the key is argument 2 or the keyword `id`); of several with
`|` between them the first that has an answer decides.

`value(expr)` is a callback of the caller: it gives the constant Python value of an expression, UNSTABLE if an unstable source makes it,
`Made(path)` for the result of library calls, else UNKNOWN.
"""

from __future__ import annotations

import re
from typing import Any, Callable, Iterator, NamedTuple

from hitl_lint.catalogue.effects_files import TARGET_NAMES
from hitl_lint.facts import Attr, Bin, Call, Const, Dict, Expr, FStr, Name, Seq, Star, Sub, dotted, walk


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"

    def __bool__(self) -> bool:
        raise TypeError("UNKNOWN is neither true nor false")


UNKNOWN = _Unknown()
UNSTABLE = "<unstable>"


class Made(NamedTuple):
    """The result of library calls, as a path: `sqlalchemy.insert().values()`."""

    path: str


Value = Callable[[Any], object]


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# --------------------------------------------------------------------------- arguments
def argument(call: Call, position: int | None, *names: str) -> Expr | None:
    """The expression given for a parameter by keyword or position, or None."""
    for arg in call.args:
        if arg.star == 0 and arg.name is not None and arg.name in names:
            return arg.value
    if position is None or position < 0:
        return None
    n = 0
    for arg in call.args:
        if arg.star == 1:
            return None
        if arg.star == 0 and arg.name is None:
            if n == position:
                return arg.value
            n += 1
    return None


def has_star(call: Call) -> bool:
    """Does the call pass `*args` or `**kwargs` (so that an argument may be there unseen)?"""
    return any(arg.star for arg in call.args)


def _constant(expr: Expr | None, value: Value) -> object:
    if expr is None:
        return UNKNOWN
    if type(expr) is Const:
        return expr.value
    return value(expr)


def _unstable(expr: Expr | None, value: Value) -> bool:
    """Is the expression, or a part of it, made by an unstable source?"""
    if expr is None:
        return False
    for part in walk(expr):
        if type(part) in (Name, Attr, Call, Sub):
            got = value(part)
            if type(got) is str and got == UNSTABLE:
                return True
    return False


# --------------------------------------------------------------------------- the conditions
def decide(condition: str, call: Call, value: Value) -> str | None:
    """The kind of this very call ("effect", "read", "safe", "unstable", "model"), or None: as the catalogue entry says."""
    for one in condition.split("|"):
        name, *parameters = one.split(":")
        test = _TESTS.get(name)
        if test is None:
            raise ValueError(f"unknown condition {condition!r}")
        kind = test(call, value, parameters)
        if kind is not None:
            return kind
    return None


def names(condition: str) -> list[str]:
    """The names of the tests in a condition (for the tests of the catalogue)."""
    return [one.split(":")[0] for one in condition.split("|")]


def known(condition: str) -> bool:
    """Is there a test for this condition? (For the tests of the catalogue.)"""
    return all(name in _TESTS for name in names(condition))


def _mode(call: Call, value: Value, parameters: list[str]) -> str | None:
    """`open(path, mode)`: a mode that is not constant is taken for reading, as most are."""
    position = int(parameters[0]) if parameters else 1
    expr = argument(call, position, "mode")
    if expr is None:
        return None if has_star(call) else "read"
    mode = _constant(expr, value)
    if not isinstance(mode, str) or mode == UNSTABLE:
        return None
    return "effect" if any(ch in mode for ch in "wax+") else "read"


def _http(call: Call, value: Value, parameters: list[str]) -> str | None:
    """`request(method, url)`: PUT, DELETE are safe, POST and PATCH effects unless they carry a stable idempotency key."""
    position = int(parameters[0]) if parameters else 0
    method = _constant(argument(call, position, "method"), value)
    if not isinstance(method, str) or method == UNSTABLE:
        return None
    method = method.upper()
    if method in ("POST", "PATCH"):
        return _idempotency(call, value, []) or "effect"
    if method in ("PUT", "DELETE"):
        return "safe"
    return "read"


def _urlopen(call: Call, value: Value, parameters: list[str]) -> str | None:
    """`urlopen(url, data)` and `urlopen(Request(url, data, method=…))`: a body makes it a POST."""
    data = argument(call, 1, "data")
    if data is not None and _constant(data, value) is not None:
        return "effect"
    first = argument(call, 0, "url")
    if type(first) is Call and (dotted(first.func) or "").split(".")[-1] == "Request":
        method = _constant(argument(first, 5, "method"), value)
        if isinstance(method, str):
            return {"POST": "effect", "PATCH": "effect", "PUT": "safe", "DELETE": "safe"}.get(method.upper(), "read")
        body = argument(first, 1, "data")
        if body is not None and _constant(body, value) is not None:
            return "effect"
    return None


_IDEMPOTENCY_NAMES = _set("""
    idempotencykey xidempotencykey clienttoken clientrequesttoken messagededuplicationid idempotencytoken requestidempotencykey
    deduplicationid clientrequestid dedupkey dedupekey transactionidempotencykey stripeidempotencykey idempotentkey xidempotency
    paypalrequestid clientmsgid
    """)


def _plain(name: object) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower()) if isinstance(name, str) else ""


def _idempotency_key(call: Call, value: Value) -> Iterator[object]:
    """Every expression (or constant) that is given as an idempotency key: keyword, header or field of the body."""
    for arg in call.args:
        if arg.star:
            continue
        if _plain(arg.name) in _IDEMPOTENCY_NAMES:
            yield arg.value
        elif type(arg.value) is Dict and (
            arg.name in ("headers", "json", "data", "request_options", "options", "extra_headers", "params", "body") or arg.name is None
        ):
            for key, item in zip(arg.value.keys, arg.value.values):
                if type(key) is Const and _plain(key.value) in _IDEMPOTENCY_NAMES:
                    yield item
        elif arg.name in ("headers", "extra_headers", "request_options", "options") or (arg.name is None and type(arg.value) is Name):
            got = value(arg.value)
            if isinstance(got, dict):
                for key, item in got.items():
                    if _plain(key) in _IDEMPOTENCY_NAMES:
                        yield Const(call.at, "str", item)


def _idempotency(call: Call, value: Value, parameters: list[str]) -> str | None:
    """A stable idempotency key makes the call safe to repeat; one that is made anew every time, or None, does not."""
    for key in _idempotency_key(call, value):
        if type(key) is Const:
            return "effect" if key.value is None or key.value == UNSTABLE else "safe"
        if _unstable(key, value):  # type: ignore[arg-type]
            return "effect"
        return "effect" if value(key) is None else "safe"
    return None


def _flag(call: Call, value: Value, parameters: list[str]) -> str | None:
    """`mkdir(exist_ok=True)`: the keyword (or position) makes it safe. Parameters: position, keyword."""
    position, name = int(parameters[0]), parameters[1]
    expr = argument(call, position, name)
    if expr is None:
        return None
    got = _constant(expr, value)
    if got is UNKNOWN:
        return None
    return "safe" if got else "effect"


def _keyed(call: Call, value: Value, parameters: list[str]) -> str | None:
    """Safe to repeat if it writes under a key of its own: absent or unstable key -> effect. Parameters: position, keyword…"""
    expr = argument(call, int(parameters[0]), *parameters[1:])
    if expr is None:
        return None if has_star(call) else "effect"
    if _unstable(expr, value):
        return "effect"
    if _constant(expr, value) is None:
        return "effect"
    return "safe"


def _temporary(call: Call, value: Value, parameters: list[str]) -> str | None:
    """Cleaning up a temporary file or directory that was made here: nobody misses it. Parameters: position, keyword…"""
    expr = argument(call, int(parameters[0]), *parameters[1:])
    got = value(expr) if expr is not None else UNKNOWN
    return "safe" if isinstance(got, Made) and got.path.startswith("tempfile.") else None


def _no_target(call: Call, value: Value, parameters: list[str]) -> str | None:
    """`df.to_csv()`, `pdfkit.from_string(html, False)`: without a file to write to it gives its result back. Parameter: position."""
    expr = argument(call, int(parameters[0]), *TARGET_NAMES)
    if expr is None:
        return None if has_star(call) else "safe"
    return "safe" if _constant(expr, value) in (None, False) else None


def _stable(call: Call, value: Value, parameters: list[str]) -> str | None:
    """Put by key: safe unless the key is made anew every time. Parameters: position, keyword…"""
    expr = argument(call, int(parameters[0]), *parameters[1:])
    if expr is None:
        return None
    return "effect" if _unstable(expr, value) else "safe"


# --------------------------------------------------------------------------- SQL
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.S)
_STRING = re.compile(r"'(?:[^']|'')*'")
_PLACEHOLDER = re.compile(r"%\(\w+\)s|[:@$]\w+")
_UPDATE_SET = re.compile(r"\bset\b(.*?)(?:\bwhere\b|\breturning\b|\bfrom\b|$)", re.S)
_SAFE_WORDS = _set("""
    delete truncate begin start commit rollback savepoint release end set reset use attach detach lock unlock vacuum analyze analyse
    reindex grant revoke comment merge upsert replace refresh checkpoint discard listen unlisten optimize deallocate close declare
    prepare
    """)
_READ_WORDS = _set("""
    select show explain describe desc pragma values table fetch with list
    """)


def sql_kind(text: str) -> str | None:
    """What a piece of SQL does when it runs again: "effect", "safe", "read", or None when its first word says nothing."""
    text = _COMMENT.sub(" ", text)
    kinds = [_statement_kind(s) for s in _STRING.sub("''", text).split(";") if s.strip()]
    for kind in ("effect", "safe", "read"):
        if kind in kinds:
            return kind
    return None


def _statement_kind(statement: str) -> str | None:
    s = re.sub(r"\s+", " ", statement).strip().lstrip("( ").lower()
    word = re.match(r"[a-z]+", s)
    first = word.group() if word else ""
    if first == "with":
        inner = re.search(r"\b(insert into|update|delete from|merge into)\b", s)
        return _statement_kind(s[inner.start() :]) if inner else "read"
    if first == "explain":
        return "read"
    if first == "insert":
        if re.match(r"insert (or (ignore|replace)|ignore|overwrite)\b", s):
            return "safe"
        if re.search(r"\bon conflict\b|\bon duplicate key\b|\bwhere not exists\b", s):
            return "effect" if _conflict_counts(s) else "safe"
        return "effect"
    if first == "update":
        return "effect" if _set_counts(s) else "safe"
    if first == "create":
        if re.match(r"create or replace\b", s) or re.search(r"\bif not exists\b", s):
            return "safe"
        return "safe" if re.match(r"create (temp|temporary|local temp|global temp)", s) else "effect"
    if first == "drop":
        return "safe" if re.search(r"\bif exists\b", s) else "effect"
    if first == "alter":
        return "safe" if re.search(r"\bif (not )?exists\b", s) else "effect"
    if first == "notify":
        return "effect"
    if first == "copy":
        return "effect" if re.search(r"\bfrom\b", s) else "read"
    if first == "load":
        return "effect" if s.startswith("load data") else None
    if first in ("call", "exec", "execute", "do"):
        # A stored procedure may do anything; nothing is known, nothing is said.
        return None
    if first in _SAFE_WORDS:
        return "safe"
    if first in _READ_WORDS:
        return "effect" if re.search(r"\b(nextval|pg_notify|pg_advisory_lock|lo_create)\s*\(", s) else "read"
    return None


def _set_counts(s: str) -> bool:
    """Is a column of `UPDATE t SET …` computed from its own old value?"""
    found = _UPDATE_SET.search(s)
    return found is not None and _assignments_count(found.group(1))


def _conflict_counts(s: str) -> bool:
    found = re.search(r"\b(?:do update set|on duplicate key update)\b(.*)$", s, re.S)
    return found is not None and _assignments_count(re.split(r"\bwhere\b|\breturning\b", found.group(1))[0])


def _assignments_count(assignments: str) -> bool:
    depth = start = 0
    parts: list[str] = []
    for i, ch in enumerate(assignments):
        if ch == "(":
            depth += 1
        elif ch == ")":
            depth -= 1
        elif ch == "," and depth <= 0:
            parts.append(assignments[start:i])
            start = i + 1
    parts.append(assignments[start:])
    for part in parts:
        column, equals, expression = part.partition("=")
        name = column.strip().strip('"`[]').split(".")[-1].strip('"`[]')
        if not equals or not re.fullmatch(r"\w+", name):
            continue
        # `excluded.n` and `VALUES(n)` are the new value, `coalesce(n, …)` of itself keeps what is there.
        new = rf"\bexcluded\.\W?{name}\b|\bvalues\s*\(\W?{name}\W?\)|\bnew\.{name}\b|\bcoalesce\s*\(\s*(\w+\.)?{name}\s*,"
        if re.search(rf"(?<!\w){name}\b", re.sub(new, " ", _PLACEHOLDER.sub(" ? ", expression))):
            return True
    return False


_TEXT_WRAPPERS = _set("""
    text SQL Composed dedent cleandoc RawSQL sql literal_column
    """)
_TEXT_METHODS = _set("""
    format strip join replace bindparams execution_options columns lstrip rstrip
    """)
_BUILDERS = {
    "insert": "effect",
    "select": "read",
    "delete": "safe",
    "update": "safe",
    "exists": "read",
    "union": "read",
    "union_all": "read",
    "Insert": "effect",
    "Select": "read",
    "Update": "safe",
    "Delete": "safe",
    "CreateTable": "effect",
    "DropTable": "effect",
    "CreateIndex": "effect",
    "Sequence": "effect",
    "CreateSchema": "effect",
}
# `from sqlalchemy.dialects.postgresql import insert as pg_insert`
_DIALECT = re.compile(r"^(pg|postgres|postgresql|sqlite|mysql|mariadb|sa|sql|sqla|sqlalchemy)_(?=(insert|update|delete|select|text)$)")
_CONFLICT_METHODS = frozenset({"on_conflict_do_nothing", "on_conflict_do_update", "on_duplicate_key_update", "prefix_with"})


def _sql(call: Call, value: Value, parameters: list[str]) -> str | None:
    """`execute(statement)`: judged by the text, as far as it is literal, or by the constructor of the statement."""
    expr = argument(call, int(parameters[0]) if parameters else 0, "statement", "query", "sql", "operation", "stmt", "sql_script", "clause")
    return statement(expr, value) if expr is not None else None


def statement(expr: Any, value: Value, depth: int = 0) -> str | None:
    """What executing this SQL text or statement object does."""
    if depth > 12 or expr is None:
        return None
    kind = type(expr)
    if kind is Const:
        return (
            sql_kind(expr.value)
            if expr.kind == "str"
            else (sql_kind(expr.value.lstrip("bBrR").strip("'\"")) if expr.kind == "bytes" else None)
        )
    if kind is FStr:
        return sql_kind("".join(p.value if type(p) is Const and isinstance(p.value, str) else " x " for p in expr.parts))
    if kind is Bin and expr.op in ("+", "%"):
        left = _literal(expr.left)
        right = _literal(expr.right) if expr.op == "+" else ""
        if left is not None:
            return sql_kind(left + (right or " x "))
        return statement(expr.left, value, depth + 1)
    if kind is Call:
        return _statement_call(expr, value, depth)
    if kind in (Name, Attr, Sub):
        got = value(expr)
        if isinstance(got, Made):
            return _made_statement(got.path)
        if isinstance(got, str) and got != UNSTABLE:
            return sql_kind(got)
    return None


def only_tables(condition: str, call: Call, value: Value) -> bool:
    """Whether what this SQL changes is tables alone, not the rows in them: CREATE, ALTER and DROP."""
    position = condition.split("|")[0].split(":")[1:]
    expr = argument(call, int(position[0]) if position else 0, "statement", "query", "sql", "operation", "stmt", "sql_script", "clause")
    if type(expr) is Call and len(expr.args) == 1:  # `text("…")`
        expr = expr.args[0].value
    shown = _literal(expr) if expr is not None else None
    if shown is None and type(expr) in (Name, Attr):
        got = value(expr)
        shown = got if isinstance(got, str) and got != UNSTABLE else None
    said = [s.strip().lower() for s in _STRING.sub("''", _COMMENT.sub(" ", shown)).split(";")] if shown is not None else []
    changes = [s for s in said if s and _statement_kind(s) == "effect"]
    return bool(changes) and all(s.startswith(("create", "alter", "drop")) for s in changes)


def _literal(expr: Any) -> str | None:
    """The literal text of a string expression with its holes filled by ` x `, or None if it does not begin with literal text."""
    if type(expr) is Const and expr.kind == "str":
        return str(expr.value)
    if type(expr) is FStr:
        return "".join(p.value if type(p) is Const and isinstance(p.value, str) else " x " for p in expr.parts)
    if type(expr) is Bin and expr.op == "+":
        left = _literal(expr.left)
        return None if left is None else left + (_literal(expr.right) or " x ")
    return None


def _statement_call(expr: Call, value: Value, depth: int) -> str | None:
    methods: set[str] = set()
    sets: list[Call] = []
    node: Any = expr
    while type(node) is Call:
        func = node.func
        name = func.attr if type(func) is Attr else (_DIALECT.sub("", func.id) if type(func) is Name else "")
        if name in _TEXT_WRAPPERS and node.args:
            return statement(node.args[0].value, value, depth + 1)
        if name in _BUILDERS and not (type(func) is Attr and type(func.value) is Call and name in ("exists", "union", "union_all")):
            return _builder_kind(name, methods, sets, node)
        methods.add(name)
        if name in ("values", "ordered_values"):
            sets.append(node)
        if type(func) is not Attr:
            break
        node = func.value
    if type(node) in (Const, FStr, Bin) and methods <= _TEXT_METHODS:
        return statement(node, value, depth + 1)
    if type(node) in (Name, Attr):
        got = value(node)
        if isinstance(got, Made):
            inner = _made_statement(got.path)
            return "safe" if inner == "effect" and methods & _CONFLICT_METHODS else inner
        if isinstance(got, str) and got != UNSTABLE and methods <= _TEXT_METHODS:
            return sql_kind(got)
    return None


def _builder_kind(name: str, methods: set[str], sets: list[Call], builder: Call) -> str | None:
    kind = _BUILDERS[name]
    if name in ("insert", "Insert") and methods & _CONFLICT_METHODS:
        return "safe"
    if name in ("update", "Update"):
        table = dotted(builder.args[0].value) if builder.args else (dotted(builder.func.value) if type(builder.func) is Attr else None)
        return "effect" if any(_values_count(s, table) for s in sets) else "safe"
    return kind


def _values_count(call: Call, table: str | None) -> bool:
    """`.values(n=T.n + 1)` or `.values({T.n: T.n + 1})`: a column computed from itself."""
    pairs: list[tuple[str, Any]] = [(a.name, a.value) for a in call.args if a.star == 0 and a.name]
    for arg in call.args:
        if type(arg.value) is Dict:
            for key, item in zip(arg.value.keys, arg.value.values):
                if type(key) is Const and isinstance(key.value, str):
                    pairs.append((key.value, item))
                elif type(key) is Attr:
                    pairs.append((key.attr, item))
    for column, item in pairs:
        for part in walk(item):
            if (
                type(part) is Attr
                and part.attr == column
                and (table is None or (dotted(part.value) or "").split(".")[0] == table.split(".")[0])
            ):
                return True
    return False


def _made_statement(path: str) -> str | None:
    for segment in path.split("."):
        name = segment.rstrip("()")
        if segment.endswith("()") and name in _BUILDERS:
            if name in ("insert", "Insert") and any(f"{m}()" in path for m in _CONFLICT_METHODS):
                return "safe"
            return _BUILDERS[name]
    return None


_GRAPH_WRITE = re.compile(r"\b(create|merge|set|delete|remove|foreach|call)\b")


def _cypher(call: Call, value: Value, parameters: list[str]) -> str | None:
    """Cypher: CREATE of a node or edge is an effect, MERGE is not, `SET n.x = n.x + 1` is; the rest reads or is safe."""
    expr = argument(call, 0, "query", "query_", "cypher")
    text = _literal(expr) if expr is not None else None
    if text is None and type(expr) in (Name, Attr):
        got = value(expr)
        text = got if isinstance(got, str) and got != UNSTABLE else None
    if text is None:
        return None
    s = _STRING.sub("''", re.sub(r"//[^\n]*", " ", text)).lower()
    s = re.sub(
        r"\b(create (unique )?(index|constraint)|on create set)\b[^;]*?(if not exists)?",
        lambda m: " set " if "on create" in m.group() else " ",
        s,
    )
    if re.search(r"\bcreate\s*\(", s) or re.search(r"\bcreate\b[^;]*\)\s*-\s*\[", s):
        return "effect"
    for left, right in re.findall(r"([\w.]+)\s*\+?=\s*([^,\n]+)", s[s.find(" set ") :] if " set " in s else ""):
        if "." in left and re.search(rf"\b{re.escape(left)}\s*[+\-*]", right):
            return "effect"
    return "safe" if _GRAPH_WRITE.search(s) else "read"


# --------------------------------------------------------------------------- documents
_MONGO_GROWS = frozenset({"$inc", "$push", "$pushAll", "$mul", "$pop", "$bit"})


def _mongo_update(call: Call, value: Value, parameters: list[str]) -> str | None:
    """`update_one(filter, update)`: $set and its like are safe to repeat; $inc, $push, $mul, $pop are not."""
    update = argument(call, 1, "update")
    keys = _dict_keys(update, value)
    if keys is None:
        return None
    return "effect" if any(k in _MONGO_GROWS for k in keys) else "safe"


def _dict_keys(expr: Any, value: Value) -> list[str] | None:
    if type(expr) is Dict:
        if any(k is None or type(k) is not Const for k in expr.keys):
            known_keys = [k.value for k in expr.keys if type(k) is Const]
            return known_keys if any(k in _MONGO_GROWS for k in known_keys) else None
        return [k.value for k in expr.keys if k is not None and type(k) is Const]
    if expr is not None:
        got = value(expr)
        if isinstance(got, dict):
            return [k for k in got if isinstance(k, str)]
    return None


_DYNAMO_GROWS = re.compile(r"\badd\b|list_append|\w+\s*[+-]\s*:", re.I)


def _dynamo_update(call: Call, value: Value, parameters: list[str]) -> str | None:
    """`update_item(UpdateExpression=…)`: `SET a = :x` is safe; `ADD`, `SET n = n + :x` and `list_append` are not."""
    text = _constant(argument(call, None, "UpdateExpression"), value)
    if not isinstance(text, str) or text == UNSTABLE:
        return None
    return "effect" if _DYNAMO_GROWS.search(text) else "safe"


def _django_update(call: Call, value: Value, parameters: list[str]) -> str | None:
    """`.update(n=F("n") + 1)` counts; `.update(status="x")` is safe."""
    for arg in call.args:
        for part in walk(arg.value):
            if type(part) is Call and (dotted(part.func) or "").split(".")[-1] == "F":
                return "effect"
    return "safe"


def _peewee_update(call: Call, value: Value, parameters: list[str]) -> str | None:
    """`Model.update(n=Model.n + 1)` counts; constants are safe."""
    for arg in call.args:
        if arg.star == 0 and any(type(p) is Bin for p in walk(arg.value)):
            if any(type(p) is Attr and p.attr == arg.name for p in walk(arg.value)) or type(arg.value) is Dict:
                return "effect"
    return "safe"


_LOADED = re.compile(
    r"\.(get|get_one|scalar|scalars|scalar_one|scalar_one_or_none|one|one_or_none|first|all|refresh|get_or_404|first_or_404|merge)\(\)"
)


def _orm_add(call: Call, value: Value, parameters: list[str]) -> str | None:
    """`session.add(x)`: a new object is a new row; one that was loaded from the database is only saved again."""
    expr = argument(call, 0, "instance", "instances")
    if expr is None:
        return None
    got = value(expr) if type(expr) in (Name, Attr) else UNKNOWN
    if isinstance(got, Made) and _LOADED.search(got.path):
        return "safe"
    return None


def _document_set(call: Call, value: Value, parameters: list[str]) -> str | None:
    """Firestore `….document(key).set(…)`: without a key the document gets a random one."""
    node: Any = call.func
    while type(node) in (Attr, Call):
        if type(node) is Call:
            func = node.func
            if type(func) is Attr and func.attr in ("document", "child"):
                if not node.args:
                    return "effect"
                return "effect" if _unstable(node.args[0].value, value) else "safe"
            node = func
        else:
            node = node.value
    return None


def _vector_ids(call: Call, value: Value, parameters: list[str]) -> str | None:
    """`add_documents(docs, ids=[…])`: with stable ids it overwrites, without it adds the same text again."""
    expr = argument(call, None, "ids", "custom_ids", "keys", "document_ids")
    if expr is None:
        return None
    if type(expr) is Const and expr.value is None:
        return "effect"
    return "effect" if _unstable(expr, value) else "safe"


_READ_COMMANDS = _set("""
    ls cat head tail grep rg find which where whoami hostname uname pwd echo date df du ps env printenv wc stat file id uptime
    nvidia-smi free lscpu dir type ping nslookup dig diff cmp md5sum sha256sum tree sleep true false test ffprobe jq
    """)
_READ_GIT = _set("""
    status log diff show rev-parse branch ls-files ls-tree blame describe remote config cat-file rev-list grep --version ls-remote
    merge-base symbolic-ref
    """)
_READ_SUB = {
    "git": _READ_GIT,
    "docker": _set("""
    ps images inspect logs version info stats
    """),
    "kubectl": _set("""
    get describe logs version top cluster-info
    """),
    "pip": _set("""
    list show freeze --version check
    """),
    "npm": _set("""
    ls list --version view
    """),
    "gh": _set("""
    auth
    """),
    "ruff": _set("""
    check --version
    """),
    "terraform": _set("""
    plan show validate version
    """),
}


def _command(call: Call, value: Value, parameters: list[str]) -> str | None:
    """A process is an effect unless its command line is one that only looks (`ls`, `git status`)."""
    expr = argument(call, 0, "args", "cmd", "command", "program")
    words: list[str] = []
    if type(expr) is Seq:
        for item in expr.elts:
            if type(item) is Star:
                break
            got = _constant(item, value)
            if not isinstance(got, str) or got == UNSTABLE:
                break
            words.append(got)
    elif expr is not None:
        literal = _literal(expr)
        got = literal if literal is not None else _constant(expr, value)
        if isinstance(got, str) and got != UNSTABLE:
            words = got.split()
            if any(op in got for op in (">", "&&", "||", ";", "|", "`", "$(")):
                return None
            if len(words) == 1 and parameters and parameters[0] == "exec":
                # create_subprocess_exec("git", "status"): one word an argument
                for arg in call.args[1:]:
                    following = _constant(arg.value, value) if arg.star == 0 and arg.name is None else UNKNOWN
                    if not isinstance(following, str):
                        break
                    words.append(following)
    if not words:
        return None
    program = words[0].rsplit("/", 1)[-1]
    if program in _READ_SUB:
        following = [w for w in words[1:] if not w.startswith("-") or w == "--version"]
        return "read" if following and following[0] in _READ_SUB[program] else None
    if len(words) > 1 and words[1] in ("--version", "-V", "--help"):
        return "read"
    return "read" if program in _READ_COMMANDS else None


def _graphql(call: Call, value: Value, parameters: list[str]) -> str | None:
    """A GraphQL text is an effect if it is a mutation."""
    expr = argument(call, 0, "document", "query", "request")
    while type(expr) is Call and expr.args and (dotted(expr.func) or "").split(".")[-1] in ("gql", "dedent"):
        expr = expr.args[0].value
    text = _literal(expr)
    if text is None:
        got = _constant(expr, value)
        text = got if isinstance(got, str) and got != UNSTABLE else None
    if text is None:
        return "read"
    return "effect" if text.lstrip().startswith("mutation") else "read"


_KEY_NAME = re.compile(r"(^|_|(?<=[a-z]))(id|pk|sk|key|uuid|guid)$", re.I)


def _put_item(call: Call, value: Value, parameters: list[str]) -> str | None:
    """`put_item(Item={…})`: the field that looks like the key decides; a clock in another field is no second item."""
    item = argument(call, None, "Item")
    if type(item) is not Dict:
        return "effect" if _unstable(item, value) else None
    for key, field in zip(item.keys, item.values):
        if type(key) is Const and isinstance(key.value, str) and _KEY_NAME.search(key.value) and _unstable(field, value):
            return "effect"
    return "safe"


def _firestore_update(call: Call, value: Value, parameters: list[str]) -> str | None:
    """`.update({"n": Increment(1)})` counts."""
    for arg in call.args:
        for part in walk(arg.value):
            if type(part) is Call and (dotted(part.func) or "").split(".")[-1] == "Increment":
                return "effect"
    return "safe"


def _seeded(call: Call, value: Value, parameters: list[str]) -> str | None:
    """`Random(seed)`: the call that makes a generator decides about the numbers that are drawn from it."""
    seed = argument(call, 0, "seed", "x")
    return None if seed is None or value(seed) is None or _unstable(seed, value) else "safe"


_TESTS: dict[str, Callable[[Call, Value, list[str]], str | None]] = {
    "mode": _mode,
    "http": _http,
    "urlopen": _urlopen,
    "idempotency": _idempotency,
    "flag": _flag,
    "keyed": _keyed,
    "temporary": _temporary,
    "no-target": _no_target,
    "stable": _stable,
    "seeded": _seeded,
    "sql": _sql,
    "cypher": _cypher,
    "mongo-update": _mongo_update,
    "dynamo-update": _dynamo_update,
    "django-update": _django_update,
    "peewee-update": _peewee_update,
    "orm-add": _orm_add,
    "document-set": _document_set,
    "vector-ids": _vector_ids,
    "command": _command,
    "graphql": _graphql,
    "put-item": _put_item,
    "firestore-update": _firestore_update,
}
