"""Functions written as nodes that nobody registers: beside them, in the same module, stand the nodes of a graph, and nothing speaks of them. They never run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hitl_lint.analysis.names import FnInfo
from hitl_lint.facts import Assign, Attr, Const, Name, dotted, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

BY_NAME = frozenset({"getmembers", "globals", "vars", "__dict__", "dir", "eval", "exec"})  # who uses these can mean anything


class LeftOut:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._nodes: dict[int, FnInfo] | None = None
        self._spoken: set[str] | None = None

    def reset(self) -> None:
        self._nodes = self._spoken = None

    def holds(self, info: FnInfo) -> bool:
        """Whether a function is such a one. What another project may import is none: it does not stand among the nodes of a graph here."""
        if info.cls is not None or info.fn.decorators or info.parent is not info.module.scope:
            return False
        if self._nodes is None:
            graphs = self.project.graphs
            self._nodes = {id(f.fn): f for entries in graphs.nodes().values() for v, _, _ in entries for f in graphs.functions_of(v)}
        if id(info.fn) in self._nodes or not any(f.module is info.module for f in self._nodes.values()):
            return False
        return info.name not in self._names() and not self._names() & BY_NAME

    def _names(self) -> set[str]:
        """All that the modules that were read speak of, by its last name; imports and `__all__` aside."""
        if self._spoken is None:
            self._spoken = set()
            for module in list(self.project.names.modules.values()):
                for stmt in module.facts.body:
                    if type(stmt) is Assign and any(dotted(t) == "__all__" for t in stmt.targets):
                        continue
                    for n in walk(stmt, into_functions=True):
                        if type(n) is Name:
                            self._spoken.add(n.id)
                        elif type(n) is Attr:
                            self._spoken.add(n.attr)
                        elif type(n) is Const and n.kind == "str":
                            self._spoken.add(n.value)
        return self._spoken


__all__ = ["LeftOut"]
