"""Runs in which something is paid before a pause and the checkpoint that says so is written in the background (TRUTH.md 11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.effects import Witness
from hitl_lint.analysis.names import FnInfo
from hitl_lint.analysis.turns import Turn
from hitl_lint.analysis.wiring import END, START, Graph, Node
from hitl_lint.catalogue import verbs
from hitl_lint.catalogue.at_home import ADDS, BOOKS, SQL, counts
from hitl_lint.facts import Const, walk
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

RUNS = frozenset({"invoke", "ainvoke", "stream", "astream"})  # the methods that have the parameter
SAVED = frozenset({"given", "true", "parameter", "unknown"})
SAYS = frozenset({"durability", "checkpoint_during"})  # the second is what it was called before


@record
class Unsettled:
    """A run with the default durability. `paid`: the node with the effect (`witness`), `asks`: the node behind it that pauses."""

    turn: Turn
    paid: Node
    witness: Witness
    asks: Node


class Durability:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._paid: dict[int, tuple[tuple[Node, Witness, Node], ...]] = {}

    def unsettled(self) -> Iterator[Unsettled]:
        for turn in self.project.turns.all():
            graph = self.project.turns.graph(turn)
            call = turn.call
            if graph is None or graph.kind != "state" or call.func.attr not in RUNS or any(a.name in SAYS or a.star == 2 for a in call.args):  # type: ignore[attr-defined]
                continue
            # A run without a config has no thread: with a checkpointer it raises, without one there is nothing to save.
            if turn.bare or not any(c.saver in SAVED for c in graph.compiles) or not self.project.turns.outside(turn):
                continue
            found = next((x for x in self._pairs(graph) if not turn.goes_on or self._asked_before(graph, x[0])), None)
            if found is not None:
                yield Unsettled(turn, *found)

    def _pairs(self, graph: Graph) -> tuple[tuple[Node, Witness, Node], ...]:
        """(a node with an effect, what it does, a node behind it that pauses) of a graph."""
        key = id(graph)
        if key not in self._paid:
            after = self._after(graph)
            out = []
            for node in graph.nodes:
                w = next((w for f in node.functions if (w := self._cost(f)) is not None), None)
                asks = next((n for n in graph.nodes if n.name in after.get(node.name, ()) and n.name != node.name and self.project.graphs.node_pause(n) is not None), None)
                if w is not None and asks is not None:
                    out.append((node, w, asks))
            self._paid[key] = tuple(out)
        return self._paid[key]

    def _cost(self, info: FnInfo) -> Witness | None:
        """What a node does that somebody outside would notice twice: the first such effect, else one among its own calls."""
        w = self.project.summaries.of(info).effect
        if w is None or self._counts(w):
            return w
        scope = self.project.names.scope(info)
        return next((j.effect for call in scope.calls if (j := self.project.effects.judge(call, scope)).effect is not None and self._counts(j.effect)), None)

    def _counts(self, w: Witness) -> bool:
        if any(BOOKS & set(verbs.words(link.text)) for link in w.links[:-1]):
            return False  # a second line in the books says what happened: that there was a second start
        if w.what != SQL:
            return counts(w.what, w.proved)
        last = w.links[-1]  # a table that is made or altered is made once
        module = self.project.names.modules.get(last.path)
        calls = [c for c, scope in self.project.names.calls_by_name.get(w.callee.rpartition(".")[2], ()) if scope.module is module and c.at == last.at]
        return any(ADDS.search(n.value) for c in calls for n in walk(c) if type(n) is Const and n.kind == "str")

    def _asked_before(self, graph: Graph, node: Node) -> bool:
        """Whether some pause lies before a node: only then an answer can lead to it."""
        after = self._after(graph)
        return any(self.project.graphs.node_pause(n) is not None and node.name in after.get(n.name, ()) for n in graph.nodes)

    def _after(self, graph: Graph) -> dict[str | None, set[str | None]]:
        """By node all that can come after it in a run."""
        nexts = self.project.graphs.nexts(graph)
        out: dict[str | None, set[str | None]] = {}
        for source in [n.name for n in graph.nodes][:200]:
            seen: set[str | None] = set()
            work = [source]
            while work:
                for name in nexts.get(work.pop(), ()):
                    if name not in seen and name not in (None, END, START):
                        seen.add(name)
                        work.append(name)
            out[source] = seen
        return out


__all__ = ["Durability", "Unsettled"]
