"""Flags that say whether a `try` failed: `failed = True` in a handler, `ok = True` at the end of the body, `errors.append(e)`.

A test of such a flag asks whether the calls in the body raised, which can come out differently when they are made again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis import paths
from hitl_lint.analysis.cfg import Guard, Point
from hitl_lint.facts import Attr, Const, Handler, Name, Try, Walrus, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing

GROW = frozenset({"append", "add", "extend", "insert", "update"})


def failed_tries(p: "Pausing", guard: Guard) -> Iterator[Try]:
    """The tries whose failure a test asks about, by a local variable. A try in which a pause stands is none: there an answer decides."""
    asked = {n.id for n in walk(guard.node) if type(n) is Name and n.id in p.scope.bindings} if guard.kind == "test" else set()
    tries = {id(h): x.node for x in p.cfg.points if type(x.node) is Try for h in x.node.handlers}
    told: set[int] = set()
    for name in sorted(asked):
        binds = [x for x in p.cfg.points if x.kind == "bind" and any(path == (name,) for path in paths.bound(x))]
        for x in [*binds, *_grown(p, name)]:
            for owner in _decides(x, tries):
                if id(owner) in told or any(r.node is owner and r.kind == "try" for q in p.zone.pauses for r in q.regions):
                    continue
                if any(r.node is owner or r.node in owner.handlers for r in guard.point.regions):
                    continue  # asked inside of the try itself
                others = [b for b in binds if b is not x and b.node is not x.node]
                if _reaches(p, x, others, guard.point) and any(_constant(b) != _constant(x) or _constant(x) is None for b in others
                                                               if _reaches(p, b, [c for c in binds if c is not b and c.node is not b.node], guard.point)):
                    told.add(id(owner))
                    yield owner


def _decides(x: Point, tries: dict[int, Try]) -> Iterator[Try]:
    """The tries that must fail (or must not) for a point to run: it stands in a handler, in the else, or says a constant in the body."""
    for r in x.regions:
        if r.kind == "handler" and type(r.node) is Handler and id(r.node) in tries:
            yield tries[id(r.node)]
        elif type(r.node) is Try and r.node.handlers and (r.kind == "else" or (r.kind == "try" and _constant(x) is not None)):
            yield r.node


def _grown(p: "Pausing", name: str) -> list[Point]:
    return [x for x in p.cfg.points if x.kind == "call" and type(x.node.func) is Attr and x.node.func.attr in GROW
            and type(x.node.func.value) is Name and x.node.func.value.id == name]


def _constant(x: Point) -> object:
    """The constant that a point gives to its target, wrapped so that True and 1 are two; None when it is none."""
    value = getattr(x.node, "value", None)
    if x.kind != "bind" or type(x.node) is Walrus or type(value) is not Const:
        return None
    return value.kind, value.value


def _reaches(p: "Pausing", x: Point, others: list[Point], to: Point) -> bool:
    """What is bound at `x` is still there at `to`. A binding that itself raises binds nothing."""
    stops = {b.id for b in others}
    seen = {x.id}
    stack = [x]
    while stack:
        point = stack.pop()
        if point is to:
            return True
        for e in point.succ:
            if e.to.id in seen or (point is x and e.kind == "exc"):
                continue
            if point.id in stops and e.kind != "exc":
                continue
            seen.add(e.to.id)
            stack.append(e.to)
    return False


__all__ = ["failed_tries"]
