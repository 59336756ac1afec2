"""Whole statements that become the body of a function: what they read comes in, what they bind and others read goes out.

For a call that must not move alone: it stands in a `with`, a loop or a choice, or its result cannot be kept and what is read from it can. The statement
as a whole runs once and on every way, whatever happens inside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable

from hitl_lint.analysis.values import ordered
from hitl_lint.facts import (
    Assign,
    Attr,
    Call,
    ClassStmt,
    Comp,
    Const,
    Def,
    Delete,
    Dict,
    FStr,
    Import,
    Lambda,
    Name,
    Return,
    Seq,
    Yield,
    statements,
    walk,
)
from hitl_lint.fixes import blocks
from hitl_lint.fixes.desk import Refused, Sheet

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

MOST = 12  # statements; what is longer deserves a name that somebody has thought about
CHANGES = frozenset({"model", "unstable", "memory", "effect", "read"})
NEW = frozenset({"list", "dict", "set", "defaultdict", "Counter", "deque"})


@dataclass(frozen=True, slots=True)
class Block:
    """`stmts`: consecutive statements of the function's own body; `params` and `outs` in the order of their first mention; `lines` first and last, whole."""

    stmts: list[Any]
    params: list[str]
    outs: list[str]
    lines: tuple[int, int]


def around(project: "Project", p: "Pausing", sheet: Sheet, node: Any, unkept: Callable[[str, list[Any]], str | None]) -> Block:
    """The statements that would have to move with a call. `unkept(name, later statements)`: what a variable holds if it cannot be kept. Raises Refused."""
    body = p.info.fn.body
    first = next((k for k, s in enumerate(body) if blocks.holds([s], node)), None)
    if first is None:
        raise Refused("")
    last = first
    for _ in range(MOST):
        stmts = body[first: last + 1]
        bound = list(blocks.uses(stmts).binds)
        further = max((k for name in bound if name in blocks.uses(body[last + 1:]).reads and unkept(name, body[first:]) for k in range(last + 1, len(body))
                       if name in blocks.uses([body[k]]).reads), default=last)
        if further == last:
            break
        last = further
    if last - first >= MOST:
        raise Refused("")
    stmts, later = body[first: last + 1], body[last + 1:]
    _refuse(p, stmts)
    _refuse_guards(project, p, node, stmts)
    before = {a.name for a in p.info.fn.params} | blocks.uses(body[:first]).binds.keys()
    bound = list(blocks.uses(stmts).binds)
    changed = _changed(body[:first], stmts, before)
    outs = [n for n in dict.fromkeys([*bound, *changed]) if n in blocks.uses(later).reads]
    sure = blocks.set_after(stmts) | before
    if any(n not in sure for n in outs) or set(outs) & {*p.info.fn.globals, *p.info.fn.nonlocals} or set(bound) & {*p.info.fn.globals, *p.info.fn.nonlocals}:
        raise Refused("")
    if any(unkept(n, body[first:]) for n in outs):
        raise Refused("")
    params = []
    outside = blocks.exposed(stmts)
    for n in dict.fromkeys(x.id for s in stmts for x in walk(s, into_functions=True) if type(x) is Name and x.id in outside):
        found = project.names.lookup(n, p.scope)
        if n in before or found is not None and found[1] is not p.scope and found[1].kind == "function":
            params.append(n)
    return Block(stmts, list(dict.fromkeys(params)), outs, _lines(sheet, stmts))


def _refuse(p: "Pausing", stmts: list[Any]) -> None:
    pauses = {id(pause.node) for pause in p.pauses}
    for stmt in stmts:
        for n in walk(stmt):
            if id(n) in pauses or type(n) in (Return, Yield, Def, ClassStmt, Delete, Import) or type(n) is Name and n.id in ("super", "locals", "vars", "eval", "exec", "__class__"):
                raise Refused("")
            if type(n) is Attr and n.attr.startswith("__") and not n.attr.endswith("__"):
                raise Refused("")
    names = blocks.uses(stmts).binds.keys()
    for s in p.info.fn.body:
        for n in walk(s):
            # A function inside that reads the variable sees what is bound here, not what comes back.
            if type(n) in (Def, Lambda) and any(type(x) is Name and x.id in names for b in n.fn.body for x in walk(b, into_functions=True)):
                raise Refused("")


def _refuse_guards(project: "Project", p: "Pausing", node: Any, stmts: list[Any]) -> None:
    inside = {id(n) for s in stmts for n in walk(s)}
    flow = project.flow(p.info)
    point = next((x for x in p.cfg.at(node) if x.kind == "call"), None)
    if point is None:
        raise Refused("")
    for g in project.order.guards(p, point):
        if id(g.node) in inside or g.point.stmt is not None and id(g.point.stmt) in inside:
            continue
        if g.kind in ("handler", "try") or any(s.kind in CHANGES for s in ordered(project.test_taint(flow, g))):
            raise Refused("")


def _changed(earlier: list[Any], stmts: list[Any], before: set[str]) -> list[str]:
    """The variables from before that the statements change in place; refused for what others hold too (the state, self)."""
    fresh = {t.id for s in statements(earlier) if type(s) is Assign and (type(s.value) in (Seq, Dict, Comp) or type(s.value) is Call and _word(s.value.func) in NEW)
             for t in s.targets if type(t) is Name}
    roots = [blocks.root(e) for s in stmts for e in (*blocks.told_to_change(s), *blocks.set_into(s))]
    if any(root in before and root not in fresh for root in roots):
        raise Refused("")
    return [root for root in roots if root in fresh]


def _word(e: Any) -> str:
    return e.attr if type(e) is Attr else e.id if type(e) is Name else ""


def _lines(sheet: Sheet, stmts: list[Any]) -> tuple[int, int]:
    """The whole lines of the statements, if nothing else stands on them."""
    first, col = min(n.at[:2] for n in walk(stmts[0]) if getattr(n, "at", None) and n.at[0])
    last, end = max(n.at[2:] for n in walk(stmts[-1]) if getattr(n, "at", None))
    tail = sheet.line(last)[end - 1:].strip()
    if sheet.line(first)[: col - 1].strip() or tail and not tail.startswith("#"):
        raise Refused("")
    return first, last


def dedented(sheet: Sheet, block: Block, unit: str) -> str:
    """The text of the statements as the body of a function at the left margin; the lines of strings that go over several stay as they are."""
    first, last = block.lines
    pad = sheet.indent(first)
    inside = {k for s in block.stmts for n in walk(s, into_functions=True) if type(n) in (Const, FStr) and n.at[2] > n.at[0] for k in range(n.at[0] + 1, n.at[2] + 1)}
    out = []
    for k in range(first, last + 1):
        line = sheet.line(k)
        out.append(unit + line[len(pad):] if k not in inside and line.startswith(pad) else line)
    return "\n".join(out)


__all__ = ["Block", "around", "dedented"]
