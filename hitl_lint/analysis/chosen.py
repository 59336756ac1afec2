"""Calls whose constant arguments choose what a function does: `notify(order, dry_run=True)`, `render(text, mode="preview")`.

One level deep: what the function itself tests of its parameters is settled, what it passes on is not followed. The calls inside it have constants
of their own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hitl_lint.analysis import paths
from hitl_lint.analysis.cfg import Edge, Point
from hitl_lint.analysis.names import FnInfo, argument
from hitl_lint.analysis.skipping import settled, substitute
from hitl_lint.facts import Call, Name, dotted, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.effects import Witness
    from hitl_lint.analysis.project import Project
    from hitl_lint.analysis.summaries import Summary

KINDS = ("effect", "model")


class Chosen:
    def __init__(self, project: "Project") -> None:
        self.project = project

    def narrowed(self, info: FnInfo, s: "Summary", call: Call) -> "Summary":
        """The summary of a function without the effects and model calls that this call cannot reach."""
        known = self._constants(info, call)
        if not known or self.project.decorator_functions(info):
            return s
        tests: dict[int, bool] = {}
        cfg = self.project.cfg(info)
        for p in cfg.points:
            if p.kind == "test" and any(type(n) is Name and n.id in known for n in walk(p.node)):
                truth = settled(substitute(p.node, known))
                if truth is not None:
                    tests[p.id] = truth
        if not tests:
            return s

        def dead(point: Point, edge: Edge) -> bool:
            return point.id in tests and edge.kind in ("true", "false") and (edge.kind == "true") is not tests[point.id]

        reached = cfg.reachable([cfg.entry], skip=dead)
        inner = self.project.names.scope(info)
        found: dict[str, Any] = {}
        for kind in KINDS:
            best: Witness | None = None
            for one in self.project.implicit.calls(inner):
                w: Witness | None = getattr(self.project.effects.judge(one, inner), kind)
                points = cfg.at(one)
                if w is None or (points and reached.isdisjoint(points)) or (kind == "effect" and self.project.replay.once(info, one, w)):
                    continue
                if w.beats(best):
                    best = w
            found[kind] = best if getattr(s, kind) is not None else None
        # Where nothing is left, the name of the function says no more than its body.
        named = s.effect is None or found["effect"] is not None
        return replace(s, **found, placeholder=s.placeholder and named, unknown=s.unknown and named)

    def _constants(self, info: FnInfo, call: Call) -> dict[str, Any]:
        """By parameter the constant that a call gives for it, or leaves to its default; without those that the function sets itself."""
        if any(a.star for a in call.args):
            return {}
        bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
        bindings = self.project.names.scope(info).bindings
        out: dict[str, Any] = {}
        for n, param in enumerate(info.fn.params):
            if param.kind in ("star", "star2") or (n == 0 and bound) or len(bindings.get(param.name, ())) != 1:
                continue
            given = argument(call, info.fn, param, bound)
            given = given if given is not None else param.default
            if given is None:
                continue
            if paths.literal(given) is not None and type(given) is not Name:
                out[param.name] = given
        return out


__all__ = ["Chosen"]
