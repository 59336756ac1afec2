"""Graphs that other graphs run, as a node or inside one, and what pauses in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.cfg import Point
from hitl_lint.analysis.effects import Witness
from hitl_lint.analysis.names import FnInfo, Scope, is_test
from hitl_lint.analysis.wiring import Graph
from hitl_lint.facts import Call
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project


@record
class Use:
    """Where a graph becomes part of another one's run: `call` adds it as a node, or runs it inside a node or tool."""

    graph: Graph
    call: Call
    scope: Scope
    node: bool


@record
class Below:
    """A pause in a graph that another graph runs: in a function, or (`p` None) by a review middleware, at `witness`."""

    use: Use
    p: "Pausing | None"
    pause: Point | None
    witness: Witness


class Nested:
    def __init__(self, project: "Project") -> None:
        self.project = project

    def uses(self) -> Iterator[Use]:
        """Every use of a graph by another one, tests aside, in program order. A run on a thread of its own is none: its pauses stay there."""
        graphs = self.project.graphs
        found = [Use(child, n.call, n.scope, True) for g in graphs.all() for n in g.nodes if n.nested is not None and (child := graphs.of(n.nested)) not in (None, g)]
        found += [Use(r.graph, r.call, r.scope, False) for r in graphs.runs() if self.project.in_graph(r.scope) and not graphs.own_thread(r.call, r.scope)]
        yield from sorted((u for u in found if u.graph is not None and not is_test(u.scope.module.path)), key=lambda u: (u.scope.module.path, u.call.at))

    def pauses(self) -> Iterator[Below]:
        """Every pause that such a graph reaches, once. What an inner graph asks is told in the inner graph, not at the call that runs it."""
        told: set[object] = set()
        for use in self.uses():
            for info in self._functions(use.graph):
                p = self.project.pausing_of(info)
                for pause in p.pauses if p is not None else ():
                    assert p is not None
                    w = p.witness(pause)
                    if not w.nested and id(pause.node) not in told:
                        told.add(id(pause.node))
                        yield Below(use, p, pause, w)
            w = self.project.graphs.reviewed(use.graph.origin) if use.graph.origin is not None else None
            if w is not None and (place := (w.links[-1].path, w.links[-1].at)) not in told:
                told.add(place)
                yield Below(use, None, None, w)

    def _functions(self, graph: Graph) -> Iterator[FnInfo]:
        # What a factory makes at another of its calls is another graph: only what all of them hold is in this one for sure.
        sites = {id(n.site) for n in graph.nodes if n.site is not None}
        given: dict[int, set[int]] = {}
        for n in graph.nodes:
            for f in n.functions if n.site is not None else ():
                given.setdefault(id(f.fn), set()).add(id(n.site))
        seen: set[int] = {fn for fn, where in given.items() if where != sites}
        for info in (*(self.project.graphs.members(graph.origin) if graph.origin is not None else ()), *(f for n in graph.nodes for f in n.functions)):
            if id(info.fn) not in seen:
                seen.add(id(info.fn))
                yield info


__all__ = ["Below", "Nested", "Use"]
