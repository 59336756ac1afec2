"""Runs of graphs from outside: which graph a call runs, what it is given (a new input, an answer, nothing) and with which config.

A graph is the one that the receiver resolves to. A receiver that is only called like one (`graph`, `self.app`) is the one graph that the module
makes, and, in a module that speaks of pauses or answers itself, else the one of the project. Where it cannot be told, the graph is None.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.graphs import GRAPH_WORDS
from hitl_lint.analysis.names import Ext, Fn, Lit, Scope, Value, is_graph_path, is_test
from hitl_lint.analysis.wiring import Graph
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import Attr, Await, BoolOp, Call, Comp, Const, Dict, Expr, IfExp, Name, dotted, walk
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

COMMAND_OBJECTS = frozenset(f"{p}()" for p in lg.COMMAND | lg.SDK_COMMAND)
SPEAKS = frozenset({"interrupt", "Command", "Interrupt", "GraphInterrupt"})
RUNS = lg.RUN_METHODS - {"batch", "abatch", "batch_as_completed", "abatch_as_completed", "transform", "atransform"}


@record
class Turn:
    """One call that runs a graph. `given` is its input as written; `kinds` what that can be: "resume", "none", "plain", "unknown"; `commands` the
    `Command(resume=…)` calls it can be, each with its scope; `config` as written, None where there is none, `bare`: no config is given."""

    call: Call
    scope: Scope
    given: Expr | None
    kinds: frozenset[str]
    commands: tuple[tuple[Call, Scope], ...]
    config: Expr | None
    bare: bool

    @property
    def receiver(self) -> Expr:
        assert type(self.call.func) is Attr
        return self.call.func.value

    @property
    def resumes(self) -> bool:
        """Whether it can only be an answer."""
        return self.kinds == {"resume"}

    @property
    def goes_on(self) -> bool:
        """Whether it goes on with a run that waits, and starts none: an answer, or None where there is no answer to give."""
        return bool(self.commands) and "plain" not in self.kinds


class Turns:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.reset()

    def reset(self) -> None:
        self._all: list[Turn] | None = None
        self._graphs: dict[int, Graph | None] = {}
        self._unasked: bool | None = None
        self._never: bool | None = None

    def all(self) -> list[Turn]:
        """Every run of what is a graph or is given a resume, in the candidate modules, in program order."""
        if self._all is None:
            self._all = sorted(self._find(), key=lambda t: (t.scope.module.path, t.call.at))
        return self._all

    def _find(self) -> Iterator[Turn]:
        candidates = {id(m) for m in self.project.candidates}
        for method in sorted(RUNS):
            for call, scope in list(self.project.names.calls_by_name.get(method, ())):
                if type(call.func) is not Attr or id(scope.module) not in candidates:
                    continue
                turn = self._turn(call, scope)
                if turn.commands or self.graph(turn) is not None:
                    yield turn

    # ---- how the application goes on
    def goes_on_unasked(self) -> bool:
        """Whether the application sends no answers at all, but changes the state and runs the graph with None: `interrupt()` never gives it anything."""
        if self._unasked is None:
            calls = self.project.names.calls_by_name
            self._unasked = (
                not any(c.resume is not None and not is_test(c.scope.module.path) for c in self.project.resumes.commands())
                and any(not is_test(s.module.path) for m in ("update_state", "aupdate_state") for _, s in calls.get(m, ()))
                and any("none" in t.kinds for t in self._alike()))
        return self._unasked

    def never_continued(self) -> bool:
        """Whether the application runs its graphs, but never sends an answer nor runs one with anything but a new input: nothing goes on at a breakpoint."""
        if self._never is None:
            runs = [] if any(c.resume is not None for c in self.project.resumes.commands()) else list(self._alike())
            self._never = all(t.kinds == {"plain"} for t in runs) and any(self.outside(t) for t in runs)
        return self._never

    def _alike(self) -> Iterator[Turn]:
        """Every run outside tests of what is a graph, or is only called like one, in all modules that were read."""
        for method in sorted(RUNS):
            for call, scope in list(self.project.names.calls_by_name.get(method, ())):
                if type(call.func) is not Attr or is_test(scope.module.path):
                    continue
                words = set((dotted(call.func.value) or "").lower().replace("_", ".").split("."))
                turn = self._turn(call, scope)
                if words & GRAPH_WORDS or turn.commands or self.graph(turn) is not None:
                    yield turn

    def _turn(self, call: Call, scope: Scope) -> Turn:
        plain = [a.value for a in call.args if a.name is None and not a.star]
        given = plain[0] if plain else next((a.value for a in call.args if a.name == "input"), None)
        config = next((a.value for a in call.args if a.name == "config"), plain[1] if len(plain) > 1 else None)
        commands: list[tuple[Call, Scope]] = []
        kinds = set(self._kinds(given, scope, commands, 0)) if given is not None else {"unknown"}
        bare = config is None and not any(a.star for a in call.args)
        return Turn(call, scope, given, frozenset(kinds), tuple(commands), config, bare)

    def kinds(self, e: Any, scope: Scope) -> frozenset[str]:
        """What an expression can be as the input of a run: "resume", "none", "plain", "unknown"."""
        return frozenset(self._kinds(e, scope, [], 0))

    def _kinds(self, e: Any, scope: Scope, commands: list[tuple[Call, Scope]], depth: int) -> Iterator[str]:
        t = type(e)
        if t is Const:
            yield "none" if e.kind == "none" else "plain"
        elif t in (Dict, Comp):
            yield "plain"
        elif t is IfExp and depth < 4:
            yield from self._kinds(e.body, scope, commands, depth + 1)
            yield from self._kinds(e.orelse, scope, commands, depth + 1)
        elif t is BoolOp and depth < 4:
            for part in e.values:
                yield from self._kinds(part, scope, commands, depth + 1)
        else:
            values = self.project.names.resolve(e, scope)
            for v in values:
                if isinstance(v, Ext) and v.path in COMMAND_OBJECTS and v.origin is not None and v.scope is not None:
                    if any(a.name == "resume" or a.star for a in v.origin.args):
                        commands.append((v.origin, v.scope))
                        yield "resume"
                    else:
                        yield "unknown"
                elif isinstance(v, Lit) and type(v.expr) in (Dict, Const):
                    yield "none" if type(v.expr) is Const and v.expr.kind == "none" else "plain"
                else:
                    yield "unknown"
            if not values:
                yield "unknown"
            elif t is Name and (found := self.project.names.lookup(e.id, scope)) is not None and any(
                    b.how not in ("value", "import") or type(b.node) in (IfExp, BoolOp) for b in found[0]):
                yield "unknown"  # one of several ways in which it is made cannot be followed

    # ---- graphs
    def graph(self, turn: Turn) -> Graph | None:
        key = id(turn.call)
        if key not in self._graphs:
            self._graphs[key] = self._meant(turn)
        return self._graphs[key]

    def _meant(self, turn: Turn) -> Graph | None:
        graphs, names = self.project.graphs, self.project.names
        injected = self._injected(turn.receiver, turn.scope)
        if injected is not None:
            made = {id(g): g for v in injected if isinstance(v, Ext) and is_graph_path(v.path) and (g := graphs.of(v.origin)) is not None}
            return next(iter(made.values())) if len(made) == 1 else None
        found = graphs.meant(turn.receiver, turn.scope)
        if found is None or turn.commands:
            return found
        if any(isinstance(v, Ext) for v in (*names.resolve(turn.receiver, turn.scope), *graphs.set_for_all(turn.receiver, turn.scope))) or any(c.scope.module is turn.scope.module for c in found.compiles):
            return found
        return found if SPEAKS & turn.scope.module.scope.bindings.keys() else None

    def _injected(self, receiver: Expr, scope: Scope) -> list[Value] | None:
        """What FastAPI puts into a parameter: `graph=Depends(get_graph)`, `graph: Annotated[Any, Depends(get_graph)]`; None where it does not."""
        found = self.project.names.lookup(receiver.id, scope) if type(receiver) is Name else None
        if found is None or len(found[0]) != 1 or found[0][0].how != "param":
            return None
        param = found[0][0].node
        parts = [e for e in (param.default, param.annotation) if e is not None]
        for call in (n for e in parts for n in walk(e) if type(n) is Call and (dotted(n.func) or "").rsplit(".", 1)[-1] == "Depends" and n.args):
            where = found[1].parent or found[1]
            return [r for v in self.project.names.resolve(call.args[0].value, where) if isinstance(v, Fn) for r in self.project.names.returns(v.info)]
        return None

    def outside(self, turn: Turn) -> bool:
        """Whether the run is no part of another graph's run, as far as can be seen."""
        return not self.project.savers.inside(turn.scope)

    def pauses(self, turn: Turn) -> Any | None:
        """The pause that the run can reach, where the graph is known and the pause certain."""
        graph = self.graph(turn)
        return self.project.graphs.pause_in(graph) if graph is not None else None

    def stops(self, graph: Graph | None) -> bool:
        """Whether the graph has static breakpoints, where it is made or where it is run, or may have them for all that can be seen."""
        if graph is None:
            return True
        if any(c.before is None or c.after is None or c.before or c.after for c in graph.compiles):
            return True
        return any(a.name in ("interrupt_before", "interrupt_after") or a.star == 2 for t in self.all() if self.graph(t) is graph for a in t.call.args) or (
            graph.origin is not None and any(a.name in ("interrupt_before", "interrupt_after") for a in graph.origin.args))


def body_of(scope: Scope) -> list[Any]:
    """The statements of a function, module or class body."""
    if scope.kind == "function":
        return scope.owner.fn.body
    return scope.owner.facts.body if scope.kind == "module" else scope.owner.cls.body


def nodes_in(scope: Scope) -> Iterator[Any]:
    """Everything in the body of a scope, nested functions not."""
    for stmt in body_of(scope):
        yield from walk(stmt)


def unawaited(e: Any) -> Any:
    return e.value if type(e) is Await else e


__all__ = ["Turn", "Turns", "body_of", "nodes_in", "unawaited"]
