"""The files to which something that pauses is handed: a function that builds a graph from the nodes that it is given need not name a pause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hitl_lint.analysis.names import Fn, Inst, Scope, Wrapped
from hitl_lint.facts import Attr, Call, Dict, Name, Seq

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project


class Handed:
    def __init__(self, project: "Project") -> None:
        self.project = project

    def files(self) -> set[str]:
        """The files of functions and classes of other modules that are called with something that pauses."""
        names = self.project.names
        out: set[str] = set()
        for module in self.project.candidates:
            for scope in (module.scope, *(names.scope(f) for f in list(module.functions))):
                for call in scope.calls:
                    if type(call.func) in (Name, Attr) and call.args and (files := names.files_of(call.func, scope) - set(names.modules) - out):
                        if any(self._pauses(a.value, scope) for a in call.args):
                            out |= files
        return out

    def _pauses(self, e: Any, scope: Scope) -> bool:
        inner = e.values if type(e) is Dict else e.elts if type(e) is Seq else [e]
        for x in inner[:40]:
            for v in self.project.names.resolve(x, scope) if type(x) in (Name, Attr, Call) else ():
                if isinstance(v, (Fn, Inst, Wrapped)) and any(self.project.summaries.of(f).pause is not None for f in self.project.graphs.functions_of(v)):
                    return True
        return False


__all__ = ["Handed"]
