"""Whether writing a file again only overwrites it with what it held: the same place, the same content.

Nothing is there twice then, and nothing is spoilt but what others have made of the file meanwhile. What is appended, what stands at a place with the
time or an id in its name, and a content that comes out otherwise (a model, a clock, a file that is read and written back) is another matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis import conditions
from hitl_lint.analysis.names import Scope
from hitl_lint.catalogue.effects_files import MOVES, PATH_METHODS, RAISING, TARGETS, TARGET_NAMES, WRITTEN
from hitl_lint.facts import Arg, Assign, Attr, AugAssign, Await, Bin, Call, Const, For, If, Name, Sub, Un, While, dotted, text, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.effects import Effects

SETTINGS = "reads the environment"  # set when the process starts, as constants are
FILLS = frozenset({"append", "extend", "insert", "add", "update", "setdefault", "appendleft", "pop", "popleft", "clear", "remove"})
MAX_NAMES = 4  # local names between what is written and what made it


def overwrites(effects: "Effects", path: str, call: Call, scope: Scope, what: str, condition: str) -> bool:
    """Whether a library call that writes a file (`path`, whose entry says `what` under `condition`) puts the same content at the same place each time."""
    if what == MOVES:
        return _replaces(effects, path, call, scope)
    if what not in WRITTEN or path.startswith(RAISING) or any(a.star for a in call.args):
        return False
    of_path = path.startswith(("pathlib.", "anyio.Path")) and type(call.func) is Attr
    receiver = call.func.value if type(call.func) is Attr else None
    if condition.startswith("mode"):
        position = int(condition.partition(":")[2] or 1)
        mode = effects.value(conditions.argument(call, position, "mode"), scope)
        target = receiver if of_path else conditions.argument(call, 0, "file", "path", "name", "filename", "archive_name", "f")
        if not isinstance(mode, str) or "w" not in mode:
            return False
        through = list(_through(call, scope))
        content = [e for c in through for e in _given(c, effects, scope, call)] if through else None
    else:
        mode = next((a.value for a in call.args if a.name == "mode"), None)
        if mode is not None and not (type(mode) is Const and mode.value in ("w", "wb", "wt")):
            return False
        last = path.rsplit(".", 1)[-1]
        target = receiver if of_path and (last in PATH_METHODS or last.startswith("write_")) else conditions.argument(call, TARGETS.get(path, 0), *TARGET_NAMES)
        content = [a.value for a in call.args if a.value is not target]
        if receiver is not None and receiver is not target:
            content.append(receiver)
            content += _done_to(receiver, call, scope)
    if content is None:
        return False
    return not varies(effects, target, scope, place=True) and not any(varies(effects, e, scope) for e in content)


def _replaces(effects: "Effects", path: str, call: Call, scope: Scope) -> bool:
    """`tmp.write_text(x); tmp.replace(path)`, `os.replace(tmp, path)`: what is moved has just been written, so that the second run finds it again."""
    of_path = path.startswith(("pathlib.", "anyio.Path")) and type(call.func) is Attr
    moved = call.func.value if of_path else conditions.argument(call, 0, "src")
    target = conditions.argument(call, 0 if of_path else 1, "target", "dst")
    if moved is None or target is None or varies(effects, target, scope, place=True):
        return False
    name = text(moved, 200)
    for c in scope.calls:
        if c.at < call.at and name in [text(a.value, 200) for a in c.args[:1]] + ([text(c.func.value, 200)] if type(c.func) is Attr else []):
            w = effects.judge(c, scope).effect
            if w is not None and w.overwrites:
                return True
    return False


def varies(effects: "Effects", e: Any, scope: Scope, depth: int = 0, *, place: bool = False) -> bool:
    """Whether an expression may be another one in the next activation: a clock, an id, a model, what an effect gives back or what is read outside makes it,
    seen through local names. Of a `place` it does not count that somebody looks at files to find it, but for one that is not there yet."""
    if e is None or depth > MAX_NAMES:
        return False
    for node in walk(e):
        if place and _counts(node) and any(_looks(effects, n, scope) for n in _seen(node, scope)):
            return True
        if type(node) is Call:
            j = effects.judge(node, scope)
            if any(x.startswith("tempfile.") and x != "tempfile.gettempdir" for x in j.paths):
                return True  # another name each time
            if j.unstable is not None or j.model is not None or j.effect is not None and not j.effect.overwrites:
                return True
            if j.read is not None and j.read.what != SETTINGS and not (place and j.read.what == "reads a file"):
                return True
        elif type(node) in (Name, Attr):
            found = effects.names.lookup(node.id, scope) if type(node) is Name else None
            if found is None or found[1].kind != "function":
                if dotted(node) in _filled(effects, scope):
                    return True  # a list or table that the process fills while it runs
                continue
            if place and _passes_over(effects, node.id, found[1]):
                return True
            made = [b.node for b in found[0] if b.how not in ("import", "def", "class", "param", "except")]
            if any(x is not e and varies(effects, x, found[1], depth + 1, place=place) for x in [*made, *_put_into(node.id, found[1])]):
                return True
    return False


def _counts(e: Any) -> bool:
    """`len(files)`, `last + 1`: a number that has not been used."""
    if type(e) is Bin:
        return e.op == "+" and any(type(x) is Const and x.kind == "int" for x in (e.left, e.right))
    return type(e) is Call and type(e.func) is Name and e.func.id in ("len", "sum")


def _seen(e: Any, scope: Scope) -> Iterator[Any]:
    """What is in an expression, and in the local names in it."""
    for n in walk(e):
        yield n
        if type(n) is Name:
            for b in scope.bindings.get(n.id, ()) if scope.kind == "function" else ():
                if b.how == "value" and b.node is not e:
                    yield from walk(b.node)


def _looks(effects: "Effects", node: Any, scope: Scope) -> bool:
    read = effects.judge(node, scope).read if type(node) is Call else None
    return read is not None and read.what == "reads a file"


def _passes_over(effects: "Effects", name: str, scope: Scope) -> bool:
    """`while path(i).exists(): i += 1`, `for i in count(): if not path(i).exists(): break`: what is there is passed over, and the next one is new."""
    for loop in (n for s in scope.owner.fn.body for n in walk(s) if type(n) in (While, For)):
        inside = list(walk(loop))
        if not any(type(n) in (Assign, AugAssign) and name in [x.id for x in (n.targets if type(n) is Assign else [n.target]) if type(x) is Name] for n in inside) and not (
                type(loop) is For and any(type(n) is Name and n.id == name for n in walk(loop.target))):
            continue
        tests = [loop.test] if type(loop) is While and not _denies(loop.test) else []
        tests += [n.test for n in inside if type(n) is If and _denies(n.test) and any(type(x).__name__ == "Break" for x in n.body)]
        if any(_looks(effects, n, scope) for t in tests for n in walk(t)):
            return True
    return False


def _denies(test: Any) -> bool:
    return type(test) is Un and test.op == "not"


def given_varies(effects: "Effects", call: Call, scope: Scope) -> bool:
    """Whether anything that a call hands to the function that writes may be another thing next time."""
    receiver = call.func.value if type(call.func) is Attr and type(call.func.value) is not Name else None
    return any(varies(effects, a.value, scope) for a in call.args) or receiver is not None and varies(effects, receiver, scope)


def _through(opened: Call, scope: Scope) -> Iterator[Call]:
    """The calls that write to a file that is opened: `f.write(x)`, `json.dump(x, f)`, `open(…).write(x)`."""
    handles = {name for name, bindings in scope.bindings.items() for b in bindings if _plain(b.node) is opened}
    for c in scope.calls:
        if c is opened:
            continue
        if type(c.func) is Attr and (_plain(c.func.value) is opened or _base(c.func) in handles) and c.func.attr not in ("close", "flush", "__enter__", "__exit__"):
            yield c
        elif any(_plain(a.value) is opened or type(a.value) is Name and a.value.id in handles for a in c.args):
            yield c
            # What has been put into what is written, and what goes through a writer for the file: `csv.writer(f)`.
            around = {name for name, bindings in scope.bindings.items() for b in bindings if _plain(b.node) is c}
            if type(c.func) is Attr and _base(c.func) in scope.bindings:
                around.add(_base(c.func))
            for name in sorted(around):
                yield from _calls_on(name, c, scope)


def _given(c: Call, effects: "Effects", scope: Scope, opened: Call) -> list[Any]:
    out = [a.value for a in c.args if _plain(a.value) is not opened]
    if type(c.func) is Attr and _plain(c.func.value) is not opened:
        out.append(c.func.value)
    j = effects.judge(c, scope)
    if j.unstable is not None or j.model is not None:
        out.append(c)  # a helper that is given the file, and puts in what it makes itself
    return out


def _done_to(receiver: Any, call: Call, scope: Scope) -> list[Any]:
    """What has been put into the thing that is saved: `page.drawString(0, 0, text)`, `plt.title(f"…")`."""
    return [a.value for c in _calls_on(_base(receiver), call, scope) for a in c.args]


def _calls_on(base: str, call: Call, scope: Scope) -> Iterator[Call]:
    for c in scope.calls:
        if base and c is not call and type(c.func) is Attr and _base(c.func) == base:
            yield c


def _put_into(name: str, scope: Scope) -> list[Any]:
    """What is added to a local list or table: `lines.append(x)`, `row["at"] = x`."""
    out: list[Any] = []
    for stmt in scope.owner.fn.body:
        for n in walk(stmt):
            if type(n) is Call and type(n.func) is Attr and n.func.attr in FILLS and _base(n.func) == name:
                out += [a.value for a in n.args]
            elif type(n) is Assign and n.value is not None and any(type(t) in (Sub, Attr) and _base(t) == name for t in n.targets):
                out.append(n.value)
    return out


def _filled(effects: "Effects", scope: Scope) -> frozenset[str]:
    """What functions of a module fill and other runs find filled, as written: `HISTORY`, `self.items`."""
    found = effects.filled.get(id(scope.module))
    if found is None:
        out = set()
        for stmt in scope.module.facts.body:
            for n in walk(stmt, into_functions=True):
                t = type(n)
                target = n.func.value if t is Call and type(n.func) is Attr and n.func.attr in FILLS else n.target if t is AugAssign else None
                targets = [target] if target is not None else [x.value for x in n.targets if type(x) is Sub] if t is Assign else []
                out |= {d for x in targets if (d := dotted(x)) is not None}
        found = effects.filled[id(scope.module)] = frozenset(out)
    return found


def _base(e: Any) -> str:
    while type(e) in (Attr, Sub, Await) or type(e) is Call:
        e = e.func if type(e) is Call else e.value
    return e.id if type(e) is Name else ""


def _plain(e: Any) -> Any:
    while type(e) in (Await, Arg):
        e = e.value
    return e


__all__ = ["given_varies", "overwrites", "varies"]
