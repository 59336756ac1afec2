"""Random ids that decide something. Whether an id is there, and which whole id it is, comes out the same in every activation; a part of it
(`uuid4().int % 2`, `.hex[0] == "a"`) is a die."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hitl_lint.analysis.effects import Witness
from hitl_lint.analysis.names import FnInfo, Scope
from hitl_lint.facts import Attr, Await, Bin, BoolOp, Call, Case, Cmp, Const, FStr, IfExp, Name, Return, Slice, Sub, Un, Walrus, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

WORDS = ("uuid", "token", "ulid", "nanoid")
NO, WHOLE, PART = 0, 1, 2
SHORTEST = 3  # characters of an id that still name one thing
KEEPING = frozenset({"hex", "lower", "upper", "strip", "encode", "decode", "replace", "format", "removeprefix", "removesuffix"})
WRAPPING = frozenset({"str", "repr", "format"})
COUNTED = frozenset({"hash", "int", "ord", "sum", "float", "range", "abs", "round"})
WHOLE_TESTS = frozenset({"==", "!=", "in", "not in", "is", "is not"})
MAX_DEPTH = 5


def is_id(w: Witness | None) -> bool:
    """Whether what makes a value makes a random id."""
    return w is not None and any(word in w.callee.lower() for word in WORDS)


def decides(project: "Project", test: Any, scope: Scope) -> bool:
    """Whether a tested expression hangs on a part of a random id."""
    if type(test) is Case:
        return test.guard is not None and _grade(project, test.guard, scope, 0) == PART
    return _grade(project, test, scope, 0) == PART


def _grade(project: "Project", e: Any, scope: Scope, depth: int) -> int:
    """NO: no id is in the expression as such; WHOLE: it is one; PART: it is made of a part of one."""
    if depth > MAX_DEPTH or e is None:
        return NO

    def of(x: Any) -> int:
        return _grade(project, x, scope, depth + 1)

    t = type(e)
    if t is Call:
        return _call(project, e, scope, depth)
    if t is Attr:
        return of(e.value)
    if t in (Await, Walrus):
        return of(e.value)
    if t is Sub:
        inner = of(e.value)
        if inner == WHOLE and type(e.index) is Slice:
            end = e.index.upper
            return PART if type(end) is Const and isinstance(end.value, int) and 0 < end.value < SHORTEST else WHOLE
        return PART if inner else NO
    if t is Bin:
        inner = max(of(e.left), of(e.right))
        joined = e.op == "+" or (e.op == "%" and type(e.left) in (Const, FStr) and getattr(e.left, "kind", "str") == "str")
        return inner if joined or inner == NO else PART
    if t is FStr:
        return max((of(x) for x in e.parts), default=NO)
    if t is Cmp:
        inner = max(of(x) for x in (e.left, *e.rights))
        if inner == WHOLE and _is_piece(e.left) and e.ops[0] in ("in", "not in"):
            return PART
        return PART if inner == PART or (inner == WHOLE and not set(e.ops) <= WHOLE_TESTS) else NO
    if t is Un:
        return PART if of(e.value) == PART else NO
    if t is BoolOp:
        return max(of(x) for x in e.values)
    if t is IfExp:
        return max(of(e.body), of(e.orelse))
    if t is Name:
        found = project.names.lookup(e.id, scope)
        if found is None or found[1].kind != "function":
            return NO
        return max((_grade(project, b.node, found[1], depth + 1) for b in found[0] if b.how == "value" and b.node is not e), default=NO)
    return NO


def _call(project: "Project", e: Call, scope: Scope, depth: int) -> int:
    j = project.effects.judge(e, scope)
    if j.targets:
        grades = [_returned(project, info, depth) for info in j.targets]
        return max(grades, default=NO)
    if j.unstable is not None and is_id(j.unstable) and type(e.func) in (Name, Attr):
        return WHOLE
    if type(e.func) is Attr:
        inner = _grade(project, e.func.value, scope, depth + 1)
        if inner == WHOLE and e.func.attr in ("startswith", "endswith"):
            return PART if e.args and (type(e.args[0].value) is not Const or _is_piece(e.args[0].value)) else NO
        return inner if e.func.attr in KEEPING else PART if inner else NO
    name = e.func.id if type(e.func) is Name else ""
    inner = _grade(project, e.args[0].value, scope, depth + 1) if e.args and name in WRAPPING | COUNTED else NO
    return PART if inner and name in COUNTED else inner


def _is_piece(e: Any) -> bool:
    """A text that is in some random ids and not in others: one or two hexadecimal digits."""
    return type(e) is Const and e.kind == "str" and 0 < len(e.value) < SHORTEST and all(c in "0123456789abcdefABCDEF" for c in e.value)


def _returned(project: "Project", info: FnInfo, depth: int) -> int:
    inner = project.names.scope(info)
    return max((_grade(project, node.value, inner, depth + 1) for stmt in info.fn.body for node in walk(stmt) if type(node) is Return), default=NO)


__all__ = ["decides", "is_id"]
