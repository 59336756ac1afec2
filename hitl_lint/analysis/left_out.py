"""Functions written as nodes that nobody registers: another module makes a graph of the functions beside them, and nothing speaks of these. They never run."""

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
        self._nodes: set[int] | None = None
        self._modules: set[int] = set()  # those whose functions another module makes nodes of
        self._spoken: set[str] | None = None

    def reset(self) -> None:
        self._nodes = self._spoken = None
        self._modules = set()

    def holds(self, info: FnInfo) -> bool:
        """Whether a function is such a one. What another project may import is none: it does not stand among the nodes of a graph here."""
        if info.cls is not None or info.fn.decorators or info.parent is not info.module.scope:
            return False
        if self._nodes is None:
            self._nodes = set()
            for f, scope in self.project.graphs.node_functions():
                self._nodes.add(id(f.fn))
                if f.module is not scope.module:
                    self._modules.add(id(f.module))
        if id(info.fn) in self._nodes or id(info.module) not in self._modules:
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
