"""What is sent to an agent server: runs of langgraph_sdk that carry an answer, and the private key that asks for a strict one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.names import Ext, Lit, Scope
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import Arg, Attr, Call, Const, Dict, Sub, walk
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

RUNS = frozenset({"wait", "stream", "create"})
COMMANDS = frozenset(f"{p}()" for p in lg.COMMAND | lg.SDK_COMMAND)


@record
class ServerRun:
    """One `client.runs.wait(…)` with an answer in it; `command` is its argument."""

    call: Call
    scope: Scope
    command: Arg


class Servers:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names

    def resumes(self) -> Iterator[ServerRun]:
        """Every run on a server that is given an answer."""
        candidates = {id(m) for m in self.project.candidates}
        for method in sorted(RUNS):
            for call, scope in list(self.names.calls_by_name.get(method, ())):
                command = next((a for a in call.args if a.name == "command"), None)
                if command is None or id(scope.module) not in candidates or not self._on_server(call, scope):
                    continue
                if self._carries_answer(command.value, scope):
                    yield ServerRun(call, scope, command)

    def _on_server(self, call: Call, scope: Scope) -> bool:
        """`client.runs.wait`, where the client is the SDK's, or cannot be told in a module that imports the SDK."""
        if type(call.func) is not Attr or type(call.func.value) is not Attr or call.func.value.attr != "runs":
            return False
        values = self.names.resolve(call.func.value.value, scope)
        if values:
            return any(isinstance(v, Ext) and v.path.startswith("langgraph_sdk.") for v in values)
        return any(b.how == "import" and b.node.module.split(".")[0] == "langgraph_sdk" for bs in scope.module.scope.bindings.values() for b in bs)

    def _carries_answer(self, e: Any, scope: Scope) -> bool:
        if type(e) is Dict:
            return any(type(k) is Const and k.value == "resume" for k in e.keys)
        for v in self.names.resolve(e, scope):
            if isinstance(v, Lit) and type(v.expr) is Dict and any(type(k) is Const and k.value == "resume" for k in v.expr.keys):
                return True
            if isinstance(v, Ext) and v.origin is not None and (v.path in COMMANDS or v.path == "dict()") and any(a.name == "resume" for a in v.origin.args):
                return True
        return False

    def private_keys(self) -> Iterator[tuple[Any, Scope]]:
        """Every place where the private key for a strict resume is written."""
        paths = self.project.holding(lg.STRICT_RESUME_KEY.encode(), [m.path for m in self.project.candidates])
        for module in self.project.candidates:
            if module.path not in paths:
                continue
            scopes = [module.scope, *(self.names.scope(f) for f in list(module.functions))]
            inner = {id(n): s for s in scopes for stmt in _body(s) for n in walk(stmt) if type(n) is Const}
            seen: set[int] = set()
            for stmt in module.facts.body:
                for node in walk(stmt, into_functions=True):
                    keys = node.keys if type(node) is Dict else [node.index] if type(node) is Sub else [a.value for a in node.args] if type(node) is Call else []
                    for key in keys:
                        if type(key) is Const and key.value == lg.STRICT_RESUME_KEY and id(key) not in seen:
                            seen.add(id(key))
                            yield key, inner.get(id(key), module.scope)


def _body(scope: Scope) -> list[Any]:
    return scope.owner.fn.body if scope.kind == "function" else scope.owner.facts.body


__all__ = ["ServerRun", "Servers"]
