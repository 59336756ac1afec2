"""Decisions that are sent to a review middleware: lists that are as long as they are written, whatever waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.names import Ext, Lit, ModuleInfo, Scope
from hitl_lint.analysis.servers import Servers
from hitl_lint.analysis.toolboxes import says_one_tool
from hitl_lint.analysis.turns import nodes_in, unawaited
from hitl_lint.facts import Arg, Assign, Call, Comp, Const, Dict, Seq, Star, dotted, text
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project
    from hitl_lint.analysis.wiring import Graph

MAX_DEPTH = 5
WAITING = ("action", "request", "interrupt", "pending", "tool_call", "waiting", "review")
DECISION_TYPES = frozenset({"ApproveDecision", "EditDecision", "RejectDecision", "RespondDecision"})


@record
class Fixed:
    """A list of decisions as it is written, with the scope in which it stands."""

    list: Seq
    scope: Scope


class Decided:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names
        self._one_tool: dict[int, bool] = {}

    def fixed(self) -> Iterator[Fixed]:
        """Every list of decisions in an answer that has as many as the text has, sent where any number of calls can wait."""
        if self._other_reviews():
            return
        seen: set[int] = set()
        for answer, scope, graph in self._answers():
            if self._one_call(graph, scope) or self._counted(scope):
                continue
            for found, where in self._lists(answer, scope, 0):
                if id(found) not in seen and not self._counted(where):
                    seen.add(id(found))
                    yield Fixed(found, where)

    def _answers(self) -> Iterator[tuple[Any, Scope, "Graph | None"]]:
        turns = self.project.turns
        sent: set[int] = set()
        for turn in turns.all():
            for command, scope in turn.commands:
                sent.add(id(command))
                for a in command.args:
                    if a.name == "resume":
                        yield a.value, scope, turns.graph(turn)
        for command in self.project.resumes.commands():
            if id(command.call) not in sent and command.resume is not None:
                yield command.resume, command.scope, None
        for run in Servers(self.project).resumes():
            yield from ((e, scope, None) for e, scope in self._resume_of(run.command, run.scope))

    def _resume_of(self, command: Arg, scope: Scope) -> Iterator[tuple[Any, Scope]]:
        for v in self.names.resolve(command.value, scope):
            if isinstance(v, Lit) and type(v.expr) is Dict:
                for k, value in zip(v.expr.keys, v.expr.values):
                    if type(k) is Const and k.value == "resume":
                        yield value, v.scope

    # ---- the lists
    def _lists(self, e: Any, scope: Scope, depth: int) -> Iterator[tuple[Seq, Scope]]:
        e = unawaited(e)
        if depth > MAX_DEPTH:
            return
        t = type(e)
        if t is Dict:
            named = [v for k, v in zip(e.keys, e.values) if type(k) is Const and k.value == "decisions"]
            if named:
                yield from self._display(named[-1], scope)
                return
            for v in e.values:  # a map of interrupt ids
                if type(v) in (Dict, Call) or depth == 0:
                    yield from self._lists(v, scope, depth + 1)
        elif t is Comp and e.kind == "dict":
            yield from self._lists(e.elt, scope, depth + 1)
        elif t is Call and (dotted(e.func) or "").rsplit(".", 1)[-1] == "HITLResponse":
            for a in e.args:
                if a.name == "decisions":
                    yield from self._display(a.value, scope)
        else:
            for v in self.names.resolve(e, scope):
                if isinstance(v, Lit) and v.expr is not e:
                    yield from self._lists(v.expr, v.scope, depth + 1)
                elif isinstance(v, Ext) and v.origin is not None and v.scope is not None and v.origin is not e and v.path.endswith("HITLResponse()"):
                    yield from self._lists(v.origin, v.scope, depth + 1)
            for _, value, where in self.names.stores(e, scope):
                if type(value) in (Dict, Call):
                    yield from self._lists(value, where, depth + 1)

    def _display(self, e: Any, scope: Scope) -> Iterator[tuple[Seq, Scope]]:
        if self.project.gates.grown(e, scope) and type(e) is not Seq:
            return
        for v in self.names.resolve(e, scope):
            if isinstance(v, Lit) and type(v.expr) is Seq and v.expr.elts and all(self._decision(x, v.scope) for x in v.expr.elts):
                yield v.expr, v.scope

    def _decision(self, e: Any, scope: Scope) -> bool:
        if type(e) is Star:
            return False
        return any(isinstance(v, Lit) and type(v.expr) is Dict and any(type(k) is Const and k.value == "type" for k in v.expr.keys)
                   or isinstance(v, Ext) and v.path.removesuffix("()").rsplit(".", 1)[-1] in DECISION_TYPES for v in self.names.resolve(e, scope))

    # ---- where a fixed number is right
    def _counted(self, scope: Scope) -> bool:
        """Whether the code around has looked how many calls wait."""
        for n in nodes_in(scope):
            if type(n) is Call and dotted(n.func) == "len" and n.args and any(word in text(n.args[0].value, 200).lower() for word in WAITING):
                return True
            # `[request] = question["action_requests"]` takes one, or raises.
            if type(n) is Assign and any(type(t) is Seq and t.elts and not any(type(x) is Star for x in t.elts) for t in n.targets) and "action_requests" in text(n.value, 200):
                return True
        return False

    def _one_call(self, graph: "Graph | None", scope: Scope) -> bool:
        """Whether the model is told to ask for one tool at a time, or the review asks at each call (and takes one decision, no list)."""
        modules = {id(scope.module): scope.module}
        if graph is not None:
            modules.update((id(c.scope.module), c.scope.module) for c in graph.compiles)
            for info in self.project.graphs.members(graph.origin) if graph.origin is not None else ():
                modules[id(info.module)] = info.module
        gates = self.project.gates.all()
        gates = [g for g in gates if id(g.scope.module) in modules] or gates
        modules.update((id(gate.scope.module), gate.scope.module) for gate in gates)
        return bool(gates) and all(gate.mode == "per_call" for gate in gates) or any(self._says_one_tool(m) for m in modules.values())

    def _says_one_tool(self, module: ModuleInfo) -> bool:
        found = self._one_tool.get(id(module))
        if found is None:
            found = self._one_tool[id(module)] = says_one_tool(module)
        return found

    def _other_reviews(self) -> bool:
        """Whether the pauses of the project are its own, and no review middleware is seen: what an answer to them holds is theirs to say."""
        return not self.project.gates.all() and any(not self.project.is_test(p.path) for p in self.project.pausing())


__all__ = ["Decided", "Fixed"]
