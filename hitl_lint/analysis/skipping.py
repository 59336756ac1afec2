"""Calls of a helper that may come back without having paused: `name = ask_if_missing(state, "name")`.

Seen from its caller such a call is a conditional pause, whatever stands around it. What decides is worked out for this very call: the
arguments take the place of the parameters, and a condition that they settle (`required=True`) is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping

from hitl_lint import facts as F
from hitl_lint.analysis import paths
from hitl_lint.analysis.cfg import Guard, Point
from hitl_lint.analysis.names import FnInfo, argument
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

MAX_DEPTH = 4  # helpers within helpers
# A condition as it reads in the caller, and the branch that leads to the pause.
Atom = tuple[str, object, bool]
Given = Mapping[str, Any]


@record
class Skip:
    """What decides inside a helper whether it pauses: the first guard, the function that holds it, and all conditions."""

    guard: Guard
    info: FnInfo
    atoms: frozenset[Atom]


class Skips:
    def __init__(self, project: "Project") -> None:
        self.project = project

    def of(self, p: "Pausing", pause: Point, given: Given | None = None, depth: int = 0) -> Skip | None:
        """How the helper that pauses at `pause` can come back without a pause; None when it always pauses, when what decides is an answer or
        can change (that is told at its guard), and when it is not one function of the project."""
        j = p.judged[pause.id]
        if len(j.targets) != 1 or j.off or j.nested or depth >= MAX_DEPTH or self.project.is_task(j.targets[0]):
            return None
        info = j.targets[0]
        inner = self.project.pausing_of(info)
        if inner is None or info is p.info:
            return None
        passed = self._passed(pause.node, info, given or {})
        skips = {x.id: self.of(inner, x, passed, depth + 1) for x in inner.pauses}
        reached, ends = self._walk(inner, passed, skips)
        if not ends:
            return None
        first: Skip | None = None
        atoms: set[Atom] = set()
        for x in inner.pauses:
            if x.id not in reached or inner.zone.loops(x) is not None or self._by_answer(inner, x):
                continue
            if self.project.unstable_guard(inner, x) is not None:
                return None
            guards = [g for g in self.project.order.guards(inner, x) if g.kind in ("test", "case") and not self.project.order.idle.test(g, inner.cfg, inner.scope)
                      and self.project.chosen.settled(substitute(g.node, passed), inner.scope) is None]
            nested = skips[x.id]
            found = Skip(guards[0], info, frozenset()) if guards else nested
            if found is None:
                continue
            first = first or found
            atoms |= {_atom(g, passed) for g in guards}
            if nested is not None:
                atoms |= nested.atoms
        return Skip(first.guard, first.info, frozenset(atoms)) if first is not None else None

    def atoms(self, p: "Pausing", pause: Point) -> frozenset[Atom]:
        """Everything that decides about a pause, in the function itself and in the helper that it calls."""
        own = {_atom(g, {}) for g in self.project.order.guards(p, pause) if g.kind in ("test", "case")}
        skip = self.of(p, pause)
        return frozenset(own) | (skip.atoms if skip is not None else frozenset())

    def _by_answer(self, p: "Pausing", pause: Point) -> bool:
        flow = self.project.flow(p.info)
        return any(s.kind == "answer" for g in self.project.order.guards(p, pause) for s in self.project.test_taint(flow, g))

    def _passed(self, call: F.Call, info: FnInfo, given: Given) -> dict[str, Any]:
        """By parameter what a call gives for it, in the words of the outermost caller."""
        bound = info.cls is not None and "staticmethod" not in {F.dotted(d) for d in info.fn.decorators}
        out: dict[str, Any] = {}
        for n, param in enumerate(info.fn.params):
            if n == 0 and bound:
                if type(call.func) is F.Attr:
                    out[param.name] = substitute(call.func.value, given)
                continue
            arg = argument(call, info.fn, param, bound)
            if arg is not None:
                out[param.name] = substitute(arg, given)
            elif param.default is not None and not any(a.star for a in call.args):
                out[param.name] = param.default
        return out

    def _walk(self, p: "Pausing", passed: Given, skips: Mapping[int, Skip | None]) -> tuple[set[int], bool]:
        """The pauses (point ids) that this call can reach first, and whether it can come to its end without any. A call on the way that raises
        is no way past a pause."""
        graph = p.cfg.paths()
        rebound = {b[0] for point in p.cfg.points if point.kind == "bind" for b in paths.bound(point)}
        known = {name: value for name, value in passed.items() if name not in rebound}
        stops = {x.id for x in p.zone.pauses if skips.get(x.id) is None}
        pauses = {x.id for x in p.zone.pauses}
        reached: set[int] = set()
        seen, stack = {0}, [0]
        ends = False
        while stack:
            n = stack.pop()
            point = graph.points[n]
            if point.id in pauses:
                reached.add(point.id)
                if point.id in stops:
                    continue
            if point is p.cfg.exit:
                ends = True
                continue
            truth = self.project.chosen.settled(substitute(point.node, known), p.scope) if point.kind == "test" else None
            for to, edge in graph.succ[n]:
                if to in seen or (edge.kind == "exc" and point.kind not in ("raise", "dispatch")):
                    continue
                if truth is not None and edge.kind in ("true", "false") and (edge.kind == "true") is not truth:
                    continue
                seen.add(to)
                stack.append(to)
        return reached, ends


def substitute(e: Any, given: Given) -> Any:
    """The expression with names replaced."""
    if type(e) is F.Name:
        return given.get(e.id, e)
    if type(e) is list:
        return [substitute(x, given) for x in e]
    if not given or not hasattr(e, "__slots__") or type(e) in (F.Lambda, F.Function, F.Comp) or e is None:
        return e
    return type(e)(*(substitute(getattr(e, name), given) for name in e.__slots__))


def settled(e: Any, holds: Callable[[Any, Any], bool | None] | None = None) -> bool | None:
    """The truth of a condition made of constants alone; None where it depends on something. `holds(item, container)`: what is known of `item in container`."""
    if type(e) is F.Un and e.op == "not":
        inner = settled(e.value, holds)
        return None if inner is None else not inner
    if type(e) is F.BoolOp:
        known = [settled(v, holds) for v in e.values]
        stops = e.op == "or"
        return stops if stops in known else None if None in known else not stops
    if type(e) is F.Cmp and len(e.ops) == 1 and e.ops[0] in ("==", "!=", "is", "is not"):
        left, right = paths.literal(e.left), paths.literal(e.rights[0])
        if left is not None and right is not None and left[0] == right[0] == "lit":
            return (left[1] == right[1]) is (e.ops[0] in ("==", "is"))
        if left is not None and right is not None and left[0] == right[0] == "sym" and _class_of(left[1]) == _class_of(right[1]) != "":
            return (left[1] == right[1]) is (e.ops[0] in ("==", "is"))  # members of one Enum
        if right == ("lit", None) and type(e.left) in (F.FStr, F.Dict, F.Seq, F.Lambda):
            return e.ops[0] == "is not"
        return None
    if type(e) is F.Cmp and len(e.ops) == 1 and e.ops[0] in ("in", "not in") and holds is not None:
        found = holds(e.left, e.rights[0])
        return None if found is None else found is (e.ops[0] == "in")
    if type(e) is F.Const:
        return bool(e.value) if e.kind in ("str", "int", "float", "bool", "none") else None
    if type(e) in (F.Dict, F.Seq):
        return bool(getattr(e, "values", None) or getattr(e, "elts", None))
    return None


def _class_of(name: str) -> str:
    """`Mode` of `modes.Mode.SEND`; "" where a name is no member of a class."""
    parts = name.split(".")
    return parts[-2] if len(parts) > 1 and parts[-2][:1].isupper() and not parts[-2].isupper() else ""


def _atom(g: Guard, given: Given) -> Atom:
    if g.kind == "test":
        expr = substitute(g.node, given)
        claim = paths.claim(expr)
        if claim is not None:
            return claim.subject, claim.values, (g.branch == "true") is not claim.negated
        return F.text(expr, 400), None, g.branch == "true"
    return f"case {F.text(g.node.pattern, 400)} of {F.text(substitute(getattr(g.point.stmt, 'subject', None), given), 400)}", None, g.branch == "true"


__all__ = ["Skip", "Skips", "settled", "substitute"]
