"""Checkpoints that live in the memory of one process, in applications whose questions should outlive it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.names import Ext, FnInfo, Lit, ModuleInfo, Scope
from hitl_lint.analysis.requests import Requests
from hitl_lint.analysis.savers import TRIALS, parts_of
from hitl_lint.analysis.turns import Turn, body_of
from hitl_lint.analysis.wiring import Compile, Graph
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import Assign, Attr, BoolOp, Call, Const, If, IfExp, Name, Return, Try, Yield, dotted, text, walk
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

MEMORY = frozenset(f"{p}()" for p in lg.MEMORY_SAVERS)
# They keep what a workflow has done themselves.
DURABLE = frozenset({"temporalio", "dbos", "restate", "hatchet_sdk", "inngest", "dapr"})


@record
class InMemory:
    """A saver in memory, made by `call`, under a graph that waits for people; `run` shows that it serves them."""

    call: Call
    scope: Scope
    compile: Compile
    run: Turn


class Memory:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names
        self.requests = Requests(project)

    def savers(self) -> Iterator[InMemory]:
        """Every such saver once, in program order."""
        found: dict[int, InMemory] = {}
        for graph in self.project.graphs.all():
            for c in graph.compiles:
                if self._aside(c.scope.module) or not any(True for _ in self.made_by(graph.kind, c)) or not self._waits(graph):
                    continue  # whether a graph waits may take reading more files, so that comes last
                if any(o.scope is c.scope and o.saver not in ("absent", "none") and not list(self.made_by(graph.kind, o)) for o in graph.compiles):
                    continue  # with a database on another way through the same function
                for origin, scope in self.made_by(graph.kind, c):
                    run = self._serves(graph, id(c.call) in self.project.savers.served())
                    if run is not None and not self._aside(scope.module) and not self._chosen(origin, scope):
                        found.setdefault(id(origin), InMemory(origin, scope, c, run))
        yield from sorted(found.values(), key=lambda m: (m.scope.module.path, m.call.at))

    def _waits(self, graph: Graph) -> bool:
        return any(c.before or c.after for c in graph.compiles) or self.project.graphs.pause_in(graph) is not None

    def _aside(self, module: ModuleInfo) -> bool:
        return self.project.is_test(module.path) or self.project.is_aside(module.path) or bool(parts_of(module.path) & TRIALS) or bool(
            self.requests.imports(module) & DURABLE)

    def made_by(self, kind: str, c: Compile) -> Iterator[tuple[Call, Scope]]:
        """The constructors of the saver, where it can be nothing else."""
        first = kind == "entrypoint" or type(c.call.func) is Attr and c.call.func.attr == "compile"
        given = next((a.value for n, a in enumerate(c.call.args) if a.name == "checkpointer" or first and n == 0 and a.name is None and not a.star), None)
        values = [v for v in self.names.resolve(given, c.scope) if not (isinstance(v, Lit) and type(v.expr) is Const and v.expr.kind == "none")] if (
            given is not None and type(given) not in (IfExp, BoolOp)) else []
        if values and all(isinstance(v, Ext) and v.path in MEMORY and v.origin is not None and v.scope is not None for v in values):
            yield from ((v.origin, self._home(v.origin, v.scope)) for v in values)  # type: ignore[union-attr]

    def _home(self, call: Call, scope: Scope) -> Scope:
        """The scope in which a call stands: a global is looked up in its module, but may be set in a function."""
        last = (dotted(call.func) or "").rsplit(".", 1)[-1]
        return next((s for c, s in self.names.calls_by_name.get(last, ()) if c is call), scope)

    def _serves(self, graph: Graph, manifest: bool) -> Turn | None:
        """A run of the graph for a request; where the way from the request to the run cannot be followed, one in a module that a server's imports and that is
        no program of one person at a terminal, whose questions need not outlive it."""
        turns = self.project.turns
        runs = [t for t in turns.all() if turns.graph(t) is graph and not self._aside(t.scope.module) and turns.outside(t)]
        for turn in runs:
            if self.requests.served(turn.scope):
                return turn
        if manifest:
            return None  # a server saves for the graphs that a langgraph.json names, unless the application runs them itself
        return next((t for t in runs if not self.requests.program(t.scope) and self.requests.near_server(t.scope.module)), None)

    def _chosen(self, made: Call, scope: Scope) -> bool:
        """Whether the saver is what is left when there is no database: one of several ways, by a setting or because an import failed."""
        if self._among(made, body_of(scope)):
            return True
        if isinstance(scope.owner, FnInfo):
            # A factory that gives something else on another way.
            given = [self.names.resolve(n.value, scope) for s in scope.owner.fn.body for n in walk(s) if type(n) in (Return, Yield) and n.value is not None]
            ours = [any(isinstance(v, Ext) and v.origin is made for v in values) for values in given]
            return any(ours) and not all(ours)
        return False

    def _among(self, made: Call, body: list[Any]) -> bool:
        for stmt in body:
            for node in walk(stmt):
                if type(node) in (If, Try, IfExp, BoolOp) and any(x is made for x in walk(node)) and not (type(node) is If and _first_time(node, made)):
                    return True
        return False


def _first_time(node: If, made: Call) -> bool:
    """`if self.agent is None: … self.agent = make(InMemorySaver())`: what is made when it is first needed is no choice."""
    tested = {text(n, 60) for n in walk(node.test) if type(n) in (Name, Attr)}
    return not node.orelse and any(type(n) is Assign and any(text(t, 60) in tested for t in n.targets) for s in node.body for n in walk(s))


__all__ = ["InMemory", "Memory"]
