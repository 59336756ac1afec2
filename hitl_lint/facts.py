"""What is known of one module, as plain serialisable data.

Facts are the only thing that crosses from reading (`frontend`) to understanding (`analysis`): a small syntax of our own
that keeps what matters for control flow, calls and values and drops the rest (white space, comments, parentheses).
They hold no libcst node, no open file and no absolute path, so they can be cached, sent to another process and compared.

Positions: `at` is `(line, column, end_line, end_column)`, 1-based, columns count code points, the end is exclusive.
In a notebook all code cells form one module; `Module.cells` maps its lines back to cells.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Iterable, Iterator, Union

At = tuple[int, int, int, int]
NOWHERE: At = (0, 0, 0, 0)


# --------------------------------------------------------------------------- expressions
@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Name:
    at: At
    id: str


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Attr:
    at: At
    value: "Expr"
    attr: str


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Arg:
    """One argument of a call. `star` is 0, 1 (`*x`) or 2 (`**x`); `name` is the keyword or None."""

    at: At
    name: str | None
    star: int
    value: "Expr"


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Call:
    at: At
    func: "Expr"
    args: list[Arg]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Const:
    """A literal str, int, float, bool or None; `kind` is "str", "bytes", "int", "float", "complex", "bool", "none", "ellipsis".

    Bytes and complex keep their source text as `value`, so that facts stay JSON.
    """

    at: At
    kind: str
    value: Any


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class FStr:
    """An f-string or t-string: literal text as Const, replacement fields as their expressions, in order."""

    at: At
    parts: list["Expr"]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Dict:
    """A dict display; a key of None stands for `**value`."""

    at: At
    keys: list[Union["Expr", None]]
    values: list["Expr"]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Seq:
    """A list, tuple or set display; `kind` is "list", "tuple" or "set"."""

    at: At
    kind: str
    elts: list["Expr"]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Star:
    at: At
    value: "Expr"


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Sub:
    """`value[index]`; several indices become a Seq of kind "tuple"."""

    at: At
    value: "Expr"
    index: "Expr"


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Slice:
    at: At
    lower: Union["Expr", None]
    upper: Union["Expr", None]
    step: Union["Expr", None]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class BoolOp:
    """`a and b and c`, flattened; `op` is "and" or "or"."""

    at: At
    op: str
    values: list["Expr"]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Cmp:
    """`left ops[0] rights[0] ops[1] rights[1] …`; operators as written: "==", "!=", "<", "in", "not in", "is", "is not"…"""

    at: At
    left: "Expr"
    ops: list[str]
    rights: list["Expr"]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Bin:
    at: At
    op: str
    left: "Expr"
    right: "Expr"


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Un:
    """`op` is "not", "-", "+" or "~"."""

    at: At
    op: str
    value: "Expr"


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class IfExp:
    at: At
    test: "Expr"
    body: "Expr"
    orelse: "Expr"


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Lambda:
    """A lambda; its `fn.body` is one Return of the expression."""

    at: At
    fn: "Function"


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Generator:
    """One `for target in iter if …` of a comprehension."""

    target: "Expr"
    iter: "Expr"
    ifs: list["Expr"]
    is_async: bool


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Comp:
    """A comprehension; `kind` is "list", "set", "dict" or "gen"; `key` only for "dict"."""

    at: At
    kind: str
    elt: "Expr"
    key: Union["Expr", None]
    generators: list[Generator]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Await:
    at: At
    value: "Expr"


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Yield:
    """`yield value` or, with `is_from`, `yield from value`."""

    at: At
    value: Union["Expr", None]
    is_from: bool


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Walrus:
    at: At
    target: Name
    value: "Expr"


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Opaque:
    """An expression that this version does not know; its parts are still walked."""

    at: At
    parts: list["Expr"]


Expr = Union[Name, Attr, Call, Const, FStr, Dict, Seq, Star, Sub, Slice, BoolOp, Cmp, Bin, Un, IfExp, Lambda, Comp,
             Await, Yield, Walrus, Opaque]


# --------------------------------------------------------------------------- definitions
@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Param:
    """`kind` is "pos" (positional only), "any", "star" (`*args`), "kw" (keyword only) or "star2" (`**kwargs`)."""

    at: At
    name: str
    kind: str
    annotation: Union[Expr, None]
    default: Union[Expr, None]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Function:
    """A def, an async def or a lambda (name "<lambda>").

    `at` is the span of the name (of the whole lambda); `whole` the span from the first decorator or `def` to the end of the body.
    `qualname` is dotted without "<locals>": "make.node", "Agent.run". `globals` and `nonlocals` are the names declared so in its own body.
    """

    at: At
    whole: At
    name: str
    qualname: str
    params: list[Param]
    returns: Union[Expr, None]
    decorators: list[Expr]
    body: list["Stmt"]
    is_async: bool
    is_generator: bool
    globals: list[str]
    nonlocals: list[str]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Class:
    at: At
    whole: At
    name: str
    qualname: str
    bases: list[Arg]
    decorators: list[Expr]
    body: list["Stmt"]


# --------------------------------------------------------------------------- statements
@dataclass(slots=True, eq=False, repr=False, match_args=False)
class ExprStmt:
    at: At
    value: Expr


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Assign:
    """`a = b = value` (several targets), `a: T = value` and `a: T` (annotation given, value may be None)."""

    at: At
    targets: list[Expr]
    value: Union[Expr, None]
    annotation: Union[Expr, None]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class AugAssign:
    """`target op= value`; `op` without the equals sign: "+", "|" …"""

    at: At
    target: Expr
    op: str
    value: Expr


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Return:
    at: At
    value: Union[Expr, None]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Raise:
    at: At
    exc: Union[Expr, None]
    cause: Union[Expr, None]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class If:
    """`orelse` holds the else branch; an elif is a single If in it. `at` is the span of the test's line head: keyword to end of test."""

    at: At
    test: Expr
    body: list["Stmt"]
    orelse: list["Stmt"]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class While:
    at: At
    test: Expr
    body: list["Stmt"]
    orelse: list["Stmt"]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class For:
    at: At
    target: Expr
    iter: Expr
    body: list["Stmt"]
    orelse: list["Stmt"]
    is_async: bool


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Handler:
    """One except clause; `type` is None for a bare one, a Seq of kind "tuple" for several."""

    at: At
    type: Union[Expr, None]
    name: str | None
    body: list["Stmt"]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Try:
    """`star` is True for `except*`. `at` is the span of the `try` keyword."""

    at: At
    body: list["Stmt"]
    handlers: list[Handler]
    orelse: list["Stmt"]
    final: list["Stmt"]
    star: bool


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class WithItem:
    at: At
    value: Expr
    target: Union[Expr, None]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class With:
    at: At
    items: list[WithItem]
    body: list["Stmt"]
    is_async: bool


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Case:
    """One case of a match. `pattern` is the pattern as an expression where it has one (values, `a | b` as Bin, classes as Call, captures
    as Name with `captures` listing what is bound, `_` as Name("_")); `irrefutable` is True for `case _:` and bare captures without a guard."""

    at: At
    pattern: Expr
    captures: list[str]
    guard: Union[Expr, None]
    irrefutable: bool
    body: list["Stmt"]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Match:
    at: At
    subject: Expr
    cases: list[Case]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Def:
    at: At
    fn: Function


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class ClassStmt:
    at: At
    cls: Class


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class ImportName:
    """One imported thing. `import a.b as c` is (module "a.b", name None, asname "c"); `from .a import b as c` is (module "a", level 1,
    name "b", asname "c"); a star import has name "*"."""

    at: At
    module: str
    level: int
    name: str | None
    asname: str | None


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Import:
    at: At
    names: list[ImportName]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Delete:
    at: At
    targets: list[Expr]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Assert:
    at: At
    test: Expr
    msg: Union[Expr, None]


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Break:
    at: At


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Continue:
    at: At


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Pass:
    """pass, global, nonlocal, type aliases: nothing that runs."""

    at: At


Stmt = Union[ExprStmt, Assign, AugAssign, Return, Raise, If, While, For, Try, With, Match, Def, ClassStmt, Import, Delete,
             Assert, Break, Continue, Pass]


# --------------------------------------------------------------------------- module
@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Comment:
    """A comment that may steer the linter (it holds "noqa", "hitl-lint", "expect" or similar); `alone` when nothing else stands on its line."""

    line: int
    column: int
    text: str
    alone: bool


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Cell:
    """A code cell of a notebook: `index` in the notebook's list of cells; its first line in the module; how many lines it has."""

    index: int
    first: int
    lines: int


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Problem:
    """A place that could not be read (one line of text for a human)."""

    line: int
    column: int
    message: str
    cell: int | None


@dataclass(slots=True, eq=False, repr=False, match_args=False)
class Module:
    """`path` is relative to the working directory with forward slashes. `body` is empty when the file could not be parsed at all;
    `problems` then says why. `lines` is the number of lines. `statements` holds the (first, last) line of every simple statement
    and compound-statement header that spans several lines, so that a suppression on its last line counts for its first."""

    path: str
    body: list[Stmt]
    comments: list[Comment] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    lines: int = 0
    statements: list[tuple[int, int]] = field(default_factory=list)


# --------------------------------------------------------------------------- plain data
_CLASSES: list[type] = [Name, Attr, Arg, Call, Const, FStr, Dict, Seq, Star, Sub, Slice, BoolOp, Cmp, Bin, Un, IfExp, Lambda, Generator,
                        Comp, Await, Yield, Walrus, Opaque, Param, Function, Class, ExprStmt, Assign, AugAssign, Return, Raise, If,
                        While, For, Handler, Try, WithItem, With, Case, Match, Def, ClassStmt, ImportName, Import, Delete, Assert,
                        Break, Continue, Pass, Comment, Cell, Problem, Module]
_INDEX = {cls: n for n, cls in enumerate(_CLASSES)}
_FIELDS: dict[type, tuple[str, ...]] = {cls: tuple(f.name for f in fields(cls)) for cls in _CLASSES}
_PLAIN = frozenset({"At", "str", "int", "bool", "str | None", "int | None", "list[str]", "list[tuple[int, int]]", "Any"})
_SCALARS = frozenset({str, int, float, bool})
# Where a dumped node has its positions, which are tuples.
_PLACES: dict[type, tuple[int, ...]] = {cls: tuple(n + 2 for n, f in enumerate(fields(cls)) if f.name in ("at", "whole")) for cls in _CLASSES}
# The fields that can hold nodes, and those of a statement that hold statements (or the handlers and cases around them); last ones first, as a
# stack wants them. Half of all nodes, names and constants, have none.
_BELOW: dict[type, tuple[str, ...]] = {cls: tuple(f.name for f in reversed(fields(cls)) if f.type not in _PLAIN) for cls in _CLASSES}
_BLOCKS: dict[type, tuple[str, ...]] = {cls: tuple(name for name in _BELOW[cls] if name in ("body", "orelse", "final", "handlers", "cases"))
                                        for cls in (If, While, For, Handler, Try, With, Case, Match)}


def dump(node: Any) -> Any:
    """Facts as nested lists, strings and numbers (JSON, marshal): a node is `["#", class number, field, …]`."""
    if node is None or isinstance(node, (str, int, float, bool)):
        return node
    if isinstance(node, (list, tuple)):
        return [dump(x) for x in node]
    cls = type(node)
    return ["#", _INDEX[cls], *(dump(getattr(node, name)) for name in _FIELDS[cls])]


def load(data: Any) -> Any:
    """The inverse of `dump`. Raises ValueError on anything that `dump` does not write."""
    if type(data) is not list:
        if data is None or type(data) in _SCALARS:
            return data
        raise ValueError("not facts")
    # Three values in four are scalars: looking at them here spares a call each, half of the time.
    if len(data) > 1 and data[0] == "#" and type(data[1]) is int:
        if not 0 <= data[1] < len(_CLASSES):
            raise ValueError("not facts")
        cls = _CLASSES[data[1]]
        if len(data) != len(_FIELDS[cls]) + 2:
            raise ValueError("not facts")
        values = [x if x is None or type(x) in _SCALARS else load(x) for x in data]
        for n in _PLACES[cls]:
            if type(values[n]) is list:
                values[n] = tuple(values[n])
        return cls(*values[2:])
    return [x if x is None or type(x) in _SCALARS else load(x) for x in data]


def children(node: Any) -> Iterator[Any]:
    """The nodes directly below an expression, statement, handler, case or argument, in evaluation order as far as field order gives it."""
    for name in _FIELDS[type(node)]:
        value = getattr(node, name)
        if type(value) in _INDEX:
            yield value
        elif type(value) is list:
            for item in value:
                if type(item) in _INDEX:
                    yield item


def walk(node: Any, *, into_functions: bool = False) -> Iterator[Any]:
    """`node` and everything below it, parents first; bodies of nested functions, lambdas and classes only if asked for."""
    stack = [node]
    pop, push, extend, below = stack.pop, stack.append, stack.extend, _BELOW
    while stack:
        top = pop()
        if top is None:  # the key of `**value`
            continue
        yield top
        kind = type(top)
        if (kind is Function or kind is Class) and not into_functions and top is not node:
            continue
        for name in below[kind]:
            value = getattr(top, name)
            if type(value) is list:
                if value:
                    extend(value[::-1])
            elif value is not None:
                push(value)


def statements(body: Iterable[Any]) -> Iterator[Any]:
    """The statements of a body in the order of `walk`, those in blocks included, bodies of nested functions and classes not."""
    stack = list(body)
    stack.reverse()
    while stack:
        top = stack.pop()
        kind = type(top)
        if kind is not Handler and kind is not Case:
            yield top
        for name in _BLOCKS.get(kind, ()):
            stack.extend(reversed(getattr(top, name)))


def dotted(expr: Any) -> str | None:
    """`a.b.c` as text for a chain of names and attributes, else None."""
    parts: list[str] = []
    while type(expr) is Attr:
        parts.append(expr.attr)
        expr = expr.value
    if type(expr) is not Name:
        return None
    parts.append(expr.id)
    return ".".join(reversed(parts))


def text(expr: Any, limit: int = 60) -> str:
    """The expression roughly as it was written, for messages and for comparing guards; shortened to `limit` characters."""
    out = _text(expr).replace("\n", "\\n")
    return out if len(out) <= limit else out[: limit - 1] + "…"


_TIGHT = (Name, Attr, Call, Const, FStr, Dict, Seq, Sub, Comp, Opaque)


def elided(expr: Any, call: Any, limit: int = 140) -> str:
    """The expression as it was written, with `…` for what calls are given, except where `call` stands in it: `str(model.invoke(…).content)`.
    "" for what is longer than `limit`, has several lines or nests deeper than a sketch can show; never for `call` itself."""
    if expr is call:
        return text(call.func, 60) + "(…)" if call.args else text(call, 62)
    if sum(1 for _ in walk(expr)) > 300:
        return ""
    out = _text(_elide(expr, call))
    return out if len(out) <= limit and "\n" not in out and text(call.func, limit) in out else ""


def _elide(e: Any, call: Any) -> Any:
    """A copy without arguments that do not hold `call`, and with the parentheses that facts leave out."""
    t = type(e)
    if t is list:
        return [_elide(x, call) for x in e]
    if t is Call and e is not call and any(n is call for a in e.args for n in walk(a)):
        return Call(e.at, _tight(_elide(e.func, call)), _elide(e.args, call))
    if t is Call:
        return Call(e.at, _tight(_elide(e.func, call)), [Arg(e.at, None, 0, Opaque(e.at, []))] if e.args else [])
    if t not in _INDEX or t in (Function, Lambda):
        return e
    made = t(*(_elide(getattr(e, name), call) for name in _FIELDS[t]))
    if t in (Attr, Sub, Await):
        made.value = _tight(made.value)
    elif t is Bin:
        made.left, made.right = (x if type(x) is Bin and x.op == made.op else _tight(x, Await) for x in (made.left, made.right))
    return made


def _tight(e: Any, *also: type) -> Any:
    return e if type(e) in _TIGHT or type(e) in also else Name(e.at, f"({_text(e)})")


def _text(e: Any) -> str:
    t = type(e)
    if e is None:
        return ""
    if t is Name:
        return e.id
    if t is Attr:
        return f"{_text(e.value)}.{e.attr}"
    if t is Call:
        return f"{_text(e.func)}({', '.join(_text(a) for a in e.args)})"
    if t is Arg:
        return ("*" * e.star) + (f"{e.name}=" if e.name else "") + _text(e.value)
    if t is Const:
        return repr(e.value) if e.kind not in ("bytes", "complex", "ellipsis") else ("..." if e.kind == "ellipsis" else str(e.value))
    if t is FStr:
        return "f\"" + "".join(str(p.value) if type(p) is Const else "{" + _text(p) + "}" for p in e.parts) + "\""
    if t is Dict:
        return "{" + ", ".join(f"**{_text(v)}" if k is None else f"{_text(k)}: {_text(v)}" for k, v in zip(e.keys, e.values)) + "}"
    if t is Seq:
        a, b = {"list": "[]", "tuple": "()", "set": "{}"}[e.kind]
        return a + ", ".join(_text(x) for x in e.elts) + b
    if t is Star:
        return "*" + _text(e.value)
    if t is Sub:
        return f"{_text(e.value)}[{_text(e.index)}]"
    if t is Slice:
        return f"{_text(e.lower)}:{_text(e.upper)}" + (f":{_text(e.step)}" if e.step is not None else "")
    if t is BoolOp:
        return f" {e.op} ".join(_text(v) for v in e.values)
    if t is Cmp:
        return _text(e.left) + "".join(f" {op} {_text(r)}" for op, r in zip(e.ops, e.rights))
    if t is Bin:
        return f"{_text(e.left)} {e.op} {_text(e.right)}"
    if t is Un:
        return f"{e.op} {_text(e.value)}" if e.op == "not" else e.op + _text(e.value)
    if t is IfExp:
        return f"{_text(e.body)} if {_text(e.test)} else {_text(e.orelse)}"
    if t is Lambda:
        return "lambda …"
    if t is Comp:
        return f"[{_text(e.elt)} for …]"
    if t is Await:
        return f"await {_text(e.value)}"
    if t is Yield:
        return "yield " + ("from " if e.is_from else "") + _text(e.value)
    if t is Walrus:
        return f"{e.target.id} := {_text(e.value)}"
    return "…"
