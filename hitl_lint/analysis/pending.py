"""How many questions of a graph can wait at once, and which functions ask several one after the other.

Several wait at once where a fan-out (static edges from one node, a router or `goto` that names several, `Send` in a loop) leads to several pauses in
the same step. What a model does with tools is not known, so agents count as asking one at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.cfg import Point
from hitl_lint.analysis.names import Ext, FnInfo, Scope
from hitl_lint.analysis.wiring import END, Graph, argument_of
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import Assign, Attr, Call, Comp, Const, For, Name, Return, Seq, Sub, While, dotted, walk
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

STEPS = 8  # how far two branches of a fan-out are followed side by side
MAX_TARGETS = 40


@record
class Several:
    """Why several questions can wait at once: `names` of the nodes that ask; `workers`: one node, run by several `Send`; `call` the wiring that does it."""

    names: tuple[str, ...]
    workers: bool
    call: Any
    scope: Scope

    @property
    def shown(self) -> str:
        if self.workers:
            return f"several `{self.names[0]}` run at once by Send"
        return f"`{self.names[0]}` and `{self.names[1]}` run at the same time"


class Pending:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.reset()

    def reset(self) -> None:
        self._several: dict[int, Several | None] = {}

    def several(self, graph: Graph) -> Several | None:
        key = id(graph)
        if key not in self._several:
            self._several[key] = self._workers(graph) or self._branches(graph) or self._nested(graph)
        return self._several[key]

    # ---- at once
    def _nested(self, graph: Graph) -> Several | None:
        for node in graph.nodes:
            inner = self.project.graphs.of(node.nested)
            if inner is not None and inner is not graph and id(inner) not in self._several:
                found = self.several(inner)
                if found is not None:
                    return found
        return None

    def _asks(self, graph: Graph, name: str) -> bool:
        graphs = self.project.graphs
        return any(graphs.node_pause(n) is not None and (n.nested is not None or n.tools is not None or any(
            graphs.certain(f) and self._own(graph, n, f) for f in n.functions)) for n in graph.named(name))

    def _own(self, graph: Graph, node: Any, info: FnInfo) -> bool:
        """Whether a function pauses by itself, or is the function of this node alone: a wrapper around every node pauses where the node in it does."""
        if not any(n is not node and n.name != node.name and any(f is info for f in n.functions) for n in graph.nodes):
            return True
        p = self.project.pausing_of(info)
        return len(node.functions) == 1 and p is not None and any(not p.judged[x.id].targets for x in p.pauses)

    def _workers(self, graph: Graph) -> Several | None:
        for info in self._movers(graph):
            scope = self.project.names.scope(info)
            for stmt in info.fn.body:
                for node in walk(stmt):
                    inner = node.elt if type(node) is Comp else None
                    found = [inner] if inner is not None else [n for s in node.body for n in walk(s)] if type(node) in (For, While) else []
                    for call in found:
                        if type(call) is not Call or not self._is_send(call, scope):
                            continue
                        for way in self.project.graphs.ways(argument_of(call, 0, "node"), scope) or ():
                            for name in way:
                                if self._asks(graph, name):
                                    return Several((name,), True, call, scope)
        return None

    def _movers(self, graph: Graph) -> Iterator[FnInfo]:
        for b in graph.branches:
            yield from b.routers
        for n in graph.nodes:
            yield from n.functions

    def _is_send(self, call: Call, scope: Scope) -> bool:
        return any(isinstance(v, Ext) and v.path in lg.SEND for v in self.project.names.resolve(call.func, scope))

    def _branches(self, graph: Graph) -> Several | None:
        after: dict[str, list[tuple[str, Any, Scope]]] = {}
        for edge in graph.edges:
            if len(edge.sources) == 1 and edge.sources[0] is not None and edge.target not in (None, END):
                after.setdefault(edge.sources[0], []).append((edge.target, edge.call, edge.scope))
        fans: list[tuple[set[str], Any, Scope]] = [({t for t, _, _ in targets}, targets[-1][1], targets[-1][2]) for targets in after.values()]
        fans += self._chosen(graph)
        nexts = {name: {t for t, _, _ in targets} for name, targets in after.items()}
        for targets, call, scope in fans:
            if not 1 < len(targets) <= MAX_TARGETS:
                continue
            levels = [{t} for t in sorted(targets)]
            for _ in range(STEPS):
                asking = [sorted(n for n in level if self._asks(graph, n)) for level in levels]
                found = list(dict.fromkeys(n for names in asking for n in names))
                if len(found) > 1:
                    return Several(tuple(found[:2]), False, call, scope)
                levels = [{t for n in level for t in nexts.get(n, ())} for level in levels]
                if sum(map(bool, levels)) < 2:
                    break
        return None

    def _chosen(self, graph: Graph) -> Iterator[tuple[set[str], Any, Scope]]:
        """Several targets at once from a router's list or a node's `goto`."""
        for b in graph.branches:
            for info in b.routers:
                for stmt in info.fn.body:
                    for node in walk(stmt):
                        if type(node) is Return and type(node.value) is Seq and all(type(e) is Const for e in node.value.elts):
                            yield {str(e.value) for e in node.value.elts}, b.call, b.scope
        for n in graph.nodes:
            for info in n.functions:
                for goto in self.project.graphs.gotos(info):
                    for way in goto.ways or ():
                        yield set(way), goto.call, goto.scope

    # ---- one after the other
    def sequences(self, graph: Graph) -> Iterator[tuple["Pausing", Point, Point]]:
        """(function, a pause, one that can follow it in the same activation) of what a graph runs."""
        seen: set[int] = set()
        for info in self._asking(graph):
            yield from self._sequences(info, seen, 0)

    def _asking(self, graph: Graph) -> Iterator[FnInfo]:
        for n in graph.nodes:
            yield from n.functions
            inner = self.project.graphs.of(n.nested)
            if inner is not None and inner is not graph:
                for m in inner.nodes:
                    yield from m.functions

    def _sequences(self, info: FnInfo, seen: set[int], depth: int) -> Iterator[tuple["Pausing", Point, Point]]:
        if id(info.fn) in seen or depth > 4:
            return
        seen.add(id(info.fn))
        p = self.project.pausing_of(info)
        for pause in p.pauses if p is not None else ():
            reached = p.cfg.reachable([pause])
            later = next((q for q in p.pauses if q in reached), None)
            if later is not None:
                yield p, pause, later
            for target in p.judged[pause.id].targets:
                yield from self._sequences(target, seen, depth + 1)

    def asking(self, graph: Graph) -> Iterator["Pausing"]:
        """Every function that a graph runs which pauses."""
        seen: set[int] = set()
        work = list(self._asking(graph))
        while work and len(seen) < 200:
            info = work.pop()
            if id(info.fn) in seen:
                continue
            seen.add(id(info.fn))
            p = self.project.pausing_of(info)
            if p is not None:
                yield p
                work += [t for x in p.pauses for t in p.judged[x.id].targets]

    def only_once(self, graph: Graph) -> bool:
        """Whether a run of the graph can ask one question only: one pause, in no loop and in no circle of nodes."""
        if graph.open or graph.kind not in ("state", "entrypoint") or self.several(graph) is not None:
            return False
        asking = [p for p in self.asking(graph)]
        if len(asking) != 1 or len(asking[0].pauses) != 1 or any(True for _ in self.sequences(graph)):
            return False
        node = next((n for n in graph.nodes if any(f is asking[0].info for f in n.functions)), None)
        return graph.kind == "entrypoint" or node is not None and node.name is not None and not self._comes_back(graph, node.name)

    def _comes_back(self, graph: Graph, name: str) -> bool:
        nexts = self.project.graphs.nexts(graph)
        work, seen = [name], set()
        while work:
            for after in nexts.get(work.pop(), ()):
                if after is None or after == name:
                    return True
                if after not in seen:
                    seen.add(after)
                    work.append(after)
        return False

    # ---- what an answer is taken for
    def wants_list(self, p: "Pausing") -> bool:
        """Whether a function takes an answer for a list: indexes it by a number, unpacks it, goes over it or counts it."""
        # What a helper that asks gives back is made of answers, but is none itself.
        calls = {id(x.node) for x in p.pauses if not p.judged[x.id].targets}
        held: set[str] = set()
        nodes = [n for stmt in p.info.fn.body for n in walk(stmt)]
        for n in nodes:
            if type(n) is Assign and n.value is not None and id(_bare(n.value)) in calls:
                held |= {t.id for t in n.targets if type(t) is Name}
                if any(type(t) is Seq for t in n.targets):
                    return True

        def answer(e: Any) -> bool:
            e = _bare(e)
            return id(e) in calls or type(e) is Name and e.id in held

        for n in nodes:
            t = type(n)
            if t is Sub and type(n.index) is Const and n.index.kind == "int" and answer(n.value):
                return True
            if t is For and answer(n.iter) or t is Comp and any(answer(g.iter) for g in n.generators):
                return True
            if t is Call and dotted(n.func) in ("len", "list", "set", "tuple", "sorted", "enumerate", "zip", "sum", "extend", "isinstance") and any(answer(a.value) for a in n.args):
                return True
            if t is Call and type(n.func) is Attr and n.func.attr in ("extend", "join") and any(answer(a.value) for a in n.args):
                return True
        return False


def _bare(e: Any) -> Any:
    return e.value if type(e).__name__ == "Await" else e


__all__ = ["Pending", "Several"]
