"""What follows a node, for following an answer through the graph: a view of `analysis.wiring` by node name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.names import Ext, FnInfo, Scope, Value
from hitl_lint.analysis.wiring import END, Graph, argument_of
from hitl_lint.catalogue import surface

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project


@dataclass(slots=True)
class Router:
    """A conditional edge: the functions that choose (`fns`), and the table from their results to nodes (None: they name the node)."""

    fns: list[FnInfo]
    table: Any | None
    scope: Scope
    known: bool


@dataclass(slots=True)
class Builder:
    """One graph: what its nodes are, and what follows each, by name. What cannot be read is left out."""

    graph: Graph
    nodes: dict[str, list[Value]] = field(default_factory=dict)
    edges: dict[str, list[str]] = field(default_factory=dict)
    routers: dict[str, list[Router]] = field(default_factory=dict)


class Onward:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._places: dict[int, list[tuple[Builder, str]]] | None = None

    def reset(self) -> None:
        self._places = None

    def _builder(self, graph: Graph) -> Builder:
        out = Builder(graph)
        for node in graph.nodes:
            if node.name is not None:
                out.nodes.setdefault(node.name, []).extend(node.values)
        for edge in graph.edges:
            for source in edge.sources:
                if source is not None and edge.target is not None:
                    out.edges.setdefault(source, []).append(edge.target)
        for branch in graph.branches:
            if branch.source is not None:
                table = argument_of(branch.call, 2 if getattr(branch.call.func, "attr", "") == "add_conditional_edges" else 1, "path_map")
                out.routers.setdefault(branch.source, []).append(Router(list(branch.routers), table, branch.scope, branch.known))
        return out

    def places(self, info: FnInfo) -> list[tuple[Builder, str]]:
        """Where a function is a node: (graph, node name)."""
        if self._places is None:
            self._places = {}
            for graph in self.project.graphs.all():
                builder = self._builder(graph)
                for name, values in builder.nodes.items():
                    for v in values:
                        if isinstance(v, Ext):
                            continue  # a ToolNode or a nested graph: what it runs is no node of this one
                        for f in self.project.graphs.functions_of(v):
                            self._places.setdefault(id(f.fn), []).append((builder, name))
        return self._places.get(id(info.fn), [])

    def functions(self, builder: Builder, name: str) -> Iterator[FnInfo]:
        for v in builder.nodes.get(name, ()):
            yield from self.project.graphs.functions_of(v)

    def runs_tools(self, builder: Builder, name: str) -> bool:
        """The node is a ToolNode."""
        return any(isinstance(v, Ext) and v.path in surface.TOOL_NODES for v in builder.nodes.get(name, ()))


__all__ = ["Builder", "END", "Onward", "Router"]
