"""Calls whose constant arguments choose what a function does: `notify(order, dry_run=True)`, `render(text, mode="preview")`,
`ask_approval(tool="create_draft")` of a helper that returns at once for the names in a constant set.

One level deep: what the function itself tests of its parameters is settled, what it passes on is not followed. The calls inside it have constants
of their own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hitl_lint.analysis import paths
from hitl_lint.analysis.cfg import Edge, Point
from hitl_lint.analysis.names import Ext, FnInfo, Lit, Scope, argument
from hitl_lint.analysis.order import WRITERS
from hitl_lint.analysis.skipping import settled, substitute
from hitl_lint.facts import Attr, Call, Dict, Name, Seq, dotted, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.effects import Witness
    from hitl_lint.analysis.project import Project
    from hitl_lint.analysis.summaries import Summary

KINDS = ("effect", "model")
MADE_OF = frozenset({"frozenset()", "set()", "tuple()", "list()"})


class Chosen:
    def __init__(self, project: "Project") -> None:
        self.project = project

    def narrowed(self, info: FnInfo, s: "Summary", call: Call) -> "Summary":
        """The summary of a function without the effects, model calls and pauses that this call cannot reach."""
        known = self._constants(info, call)
        if not known or self.project.decorator_functions(info):
            return s
        tests: dict[int, bool] = {}
        cfg = self.project.cfg(info)
        inner = self.project.names.scope(info)
        for p in cfg.points:
            if p.kind == "test" and any(type(n) is Name and n.id in known for n in walk(p.node)):
                truth = self.settled(substitute(p.node, known), inner)
                if truth is not None:
                    tests[p.id] = truth
        if not tests:
            return s

        def dead(point: Point, edge: Edge) -> bool:
            return point.id in tests and edge.kind in ("true", "false") and (edge.kind == "true") is not tests[point.id]

        reached = cfg.reachable([cfg.entry], skip=dead)
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
        if s.pause is not None and not self._asks(info, inner, reached):
            found["pause"] = found["own_pause"] = None
        # Where nothing is left, the name of the function says no more than its body.
        named = s.effect is None or found["effect"] is not None
        return replace(s, **found, placeholder=s.placeholder and named, unknown=s.unknown and named)

    def _asks(self, info: FnInfo, inner: Scope, reached: set[Point]) -> bool:
        """Whether some pause of a function stands at one of these points."""
        cfg = self.project.cfg(info)
        for one in self.project.implicit.calls(inner):
            if self.project.effects.judge(one, inner).pause is not None:
                points = cfg.at(one)
                if not points or not reached.isdisjoint(points):
                    return True
        return False

    def settled(self, test: Any, scope: Scope) -> bool | None:
        """The truth of a test made of constants and of containers that stay as they are written; None where it depends on something."""
        return settled(test, lambda e, container: self._holds(e, container, scope))

    def _holds(self, e: Any, container: Any, scope: Scope) -> bool | None:
        """Whether a constant is among the items of a container that nothing changes: `"create_draft" in AUTO_APPROVED`."""
        wanted = paths.literal(e)
        values = self.project.names.resolve(container, scope) if wanted is not None and wanted[0] == "lit" else ()
        if len(values) != 1:
            return None
        v, fixed = values[0], False
        shown, where = (v.expr, v.scope) if isinstance(v, Lit) else (None, scope)
        if isinstance(v, Ext) and v.path in MADE_OF and v.origin is not None and v.scope is not None:
            if not v.origin.args:
                shown = Seq(v.origin.at, "tuple", [])
            elif len(v.origin.args) == 1 and not v.origin.args[0].star:
                made = self.project.names.resolve(v.origin.args[0].value, v.scope)
                shown = made[0].expr if len(made) == 1 and isinstance(made[0], Lit) else None
            fixed = v.path == "frozenset()"
        items = shown.elts if type(shown) is Seq else shown.keys if type(shown) is Dict else None
        if items is None:
            return None
        fixed = fixed or container is shown or type(shown) is Seq and shown.kind == "tuple" and isinstance(v, Lit)
        known = [paths.literal(x) for x in items]
        if any(k is None or k[0] != "lit" for k in known) or not fixed and not self._stays(container, scope):
            return None
        return wanted in known

    def _stays(self, container: Any, scope: Scope) -> bool:
        """Whether nothing is seen that changes a list, set or dict of a module: no call that writes it, no item that is set."""
        name = (dotted(container) or "").rpartition(".")[2]
        found = self.project.names.lookup(container.id, scope) if type(container) is Name else None
        if not name or found is None or found[1].kind == "function" or len(found[0]) != 1:
            return False
        changed = self.project.order.written_names()
        return name not in changed and not any(
            type(call.func) is Attr and (dotted(call.func.value) or "").rpartition(".")[2] == name
            for writer in WRITERS for call, _ in self.project.names.calls_by_name.get(writer, ()))

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
