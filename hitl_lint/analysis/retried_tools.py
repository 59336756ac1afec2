"""Pauses that langchain's own retry middleware keeps, in the versions that do.

Before langchain 1.3.12 ToolRetryMiddleware, and before 1.3.15 ModelRetryMiddleware and ModelFallbackMiddleware, took the pause for a failure: it was
tried again and then handed to the model as an error text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.names import Ext, Fn, FnInfo, Inst, Scope
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import Call, Seq
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

FIXED = {"ToolRetryMiddleware": (1, 3, 12), "ModelRetryMiddleware": (1, 3, 15), "ModelFallbackMiddleware": (1, 3, 15)}
MODEL_HOOKS = ("wrap_model_call", "awrap_model_call")


@record
class RetriedByAgent:
    """A function that pauses inside a retry middleware: a tool of its agent, or a hook of a middleware listed behind it."""

    info: FnInfo
    name: str
    made: Call
    scope: Scope


class RetriedTools:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names

    def found(self) -> Iterator[RetriedByAgent]:
        seen: set[int] = set()
        for path in sorted(lg.CREATE_AGENT | lg.DEEP_AGENT):
            for call, scope in list(self.names.calls_by_name.get(path.rsplit(".", 1)[-1], ())):
                if not any(isinstance(v, Ext) and v.path == path for v in self.names.resolve(call.func, scope)):
                    continue
                for name, made, where, behind in self._retries(call, scope):
                    if self.project.reaches(where.module.path, "langchain", FIXED[name]):
                        continue
                    functions = list(self.project.graphs.tools_of(call, scope)) if name == "ToolRetryMiddleware" else list(self._hooks(behind, scope))
                    for info in functions:
                        if id(info.fn) not in seen and self.project.pausing_of(info) is not None:
                            seen.add(id(info.fn))
                            yield RetriedByAgent(info, name, made, where)

    def _retries(self, call: Call, scope: Scope) -> Iterator[tuple[str, Call, Scope, list[Any]]]:
        """(name, constructor, its scope, what is listed behind it) of each retry middleware that retries everything."""
        for a in call.args:
            if a.name != "middleware":
                continue
            parts = a.value.elts if type(a.value) is Seq else [a.value]
            for n, part in enumerate(parts):
                values = self.names.resolve(part, scope) if type(a.value) is Seq else self.names.elements(part, scope)
                for v in values:
                    path = v.path.removesuffix("()") if isinstance(v, Ext) else ""
                    if isinstance(v, Ext) and path in lg.RETRY_MIDDLEWARE and v.origin is not None and v.scope is not None and not any(
                            x.name == "retry_on" or x.star for x in v.origin.args):
                        yield path.rsplit(".", 1)[-1], v.origin, v.scope, parts[n + 1:] if type(a.value) is Seq else []

    def _hooks(self, behind: list[Any], scope: Scope) -> Iterator[FnInfo]:
        for part in behind:
            for v in self.names.resolve(part, scope):
                if isinstance(v, Inst):
                    for name in MODEL_HOOKS:
                        m = self.names.method(v.info, name)
                        if m is not None:
                            yield m
                elif isinstance(v, Fn) and any(p.rsplit(".", 1)[-1] in MODEL_HOOKS for p, _ in self.project.decorator_paths(v.info)):
                    yield v.info


__all__ = ["RetriedByAgent", "RetriedTools"]
