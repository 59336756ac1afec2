"""Static breakpoints that stand for a question: somebody is meant to look before a node runs, but nothing asks and nothing takes the answer."""

from __future__ import annotations

import re

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.effects import Witness
from hitl_lint.analysis.names import Scope
from hitl_lint.analysis.turns import Turn, nodes_in
from hitl_lint.analysis.wiring import END, EVERY, Graph, Node
from hitl_lint.facts import Attr, Call, Const, text
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

DEBUGS = re.compile(r"debug|trace|step_by_step|single_step", re.IGNORECASE)
ASKS_PENDING = frozenset({"interrupts", "tasks"})
MARK = "__interrupt__"


@record
class Stop:
    """Breakpoints at `nodes`, set where the graph is compiled or run (`call`). `answer`: a run that sends an answer there, `taken`: the pause
    that takes it for its own; `edited`: the application writes decisions into the state itself."""

    call: Call
    scope: Scope
    keyword: str
    nodes: tuple[str, ...]
    answer: Turn | None
    taken: Witness | None
    edited: bool


class Breakpoints:
    def __init__(self, project: "Project") -> None:
        self.project = project

    def stops(self) -> Iterator[Stop]:
        """Every list of breakpoints in the application, in program order."""
        graphs = self.project.graphs
        for graph in graphs.all():
            for c in graph.compiles:
                yield from self._lists(graph, c.call, c.scope)
        for run in graphs.runs():
            yield from self._lists(run.graph, run.call, run.scope)

    def _lists(self, graph: Graph, call: Call, scope: Scope) -> Iterator[Stop]:
        path = scope.module.path
        given = [a for a in call.args if a.name in ("interrupt_before", "interrupt_after")]
        if not given or self.project.is_test(path) or self.project.is_aside(path) or DEBUGS.search(path.rsplit("/", 1)[-1]) or self._debugs(scope):
            return
        wiring, nodes, keywords = self.project.graphs.wiring, [], []
        for a in given:
            names = wiring.names_in(a.value, scope) or ()
            if DEBUGS.search(text(a.value, 200)) or EVERY in names:
                continue  # whoever stops everywhere, or when he debugs, is looking at the program
            # A node that asks by itself is another matter (HIL509), unless the application goes on behind it, so that it never asks.
            here = [n for n in names if n is not None and not any(self._asks(x) for x in graph.named(n))
                    and not (a.name == "interrupt_after" and (self._last(graph, n) or self._knows(graph)))]
            if here:
                nodes += here
                keywords.append(a.name or "")
        if nodes and not self.project.turns.never_continued() and not self._looked_at(graph, scope):
            answer = self._answer(graph)
            edited = any(not self.project.is_test(s.module.path) for m in ("update_state", "aupdate_state") for _, s in self.project.names.calls_by_name.get(m, ()))
            yield Stop(call, scope, " and ".join(keywords), tuple(dict.fromkeys(nodes)), answer, self.project.graphs.pause_in(graph) if answer is not None else None, edited)

    def _asks(self, node: Node) -> bool:
        return self.project.graphs.node_pause(node) is not None and not (node.functions and all(self.project.graphs.passed_over(f) for f in node.functions))

    def _knows(self, graph: Graph) -> bool:
        """Whether the application asks in this graph, too, and runs it on with None: it knows breakpoints from questions."""
        turns = self.project.turns
        return self.project.graphs.pause_in(graph) is not None and any(
            "none" in t.kinds and turns.graph(t) is graph and not self.project.is_test(t.scope.module.path) for t in turns.all())

    def _last(self, graph: Graph, name: str) -> bool:
        """Whether a node is seen to be followed by nothing: what stops behind it holds nothing back."""
        targets = [e.target for e in graph.edges if name in e.sources]
        return bool(targets) and all(t == END for t in targets) and not any(b.source == name for b in graph.branches) and not any(
            self.project.graphs.gotos(f) for n in graph.named(name) for f in n.functions)

    def _looked_at(self, graph: Graph, scope: Scope) -> bool:
        """A script that makes the graph and steps through it from top to bottom: whoever reads its output looks at the program."""
        runs = [t for t in self.project.turns.all() if self.project.turns.graph(t) is graph]
        return scope.kind == "module" and bool(runs) and all(t.scope is scope and not t.commands for t in runs)

    def _debugs(self, scope: Scope) -> bool:
        at: Scope | None = scope
        while at is not None:
            if at.kind == "function" and DEBUGS.search(at.owner.fn.name):
                return True
            at = at.parent
        return False

    def _answer(self, graph: Graph) -> Turn | None:
        """A run of the graph with an answer that says something, in a function that does not look whether a question waits."""
        turns = self.project.turns
        runs = [t for t in turns.all() if turns.graph(t) is graph and not self.project.is_test(t.scope.module.path)]
        asks = self.project.graphs.pause_in(graph) is not None
        for turn in runs if not self._knows(graph) else ():
            resume = next((a.value for c, _ in turn.commands for a in c.args if a.name == "resume"), None)
            if turn.commands and not _looks(turn.scope) and (asks or type(resume) is not Const):
                return turn
        return None


def _looks(scope: Scope) -> bool:
    """Whether a function tells a question from a breakpoint."""
    return any(type(n) is Attr and n.attr in ASKS_PENDING or type(n) is Const and n.value == MARK for n in nodes_in(scope))


__all__ = ["Breakpoints", "Stop"]
