"""What follows a node: the edges and routers of each StateGraph, as far as they are written with constants."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.names import Ext, FnInfo, Scope, UNKNOWN, Value
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue import surface
from hitl_lint.facts import Attr, Call, Seq, dotted

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

END = "__end__"


@dataclass(slots=True)
class Router:
    """A conditional edge: the functions that choose (`fns`), and the table from their results to nodes (None: they name the node)."""

    fns: list[FnInfo]
    table: Any | None
    scope: Scope
    known: bool


@dataclass(slots=True)
class Builder:
    """One graph: what its nodes are, and what follows each. `known`: every edge could be read."""

    nodes: dict[str, list[Value]] = field(default_factory=dict)
    edges: dict[str, list[str]] = field(default_factory=dict)
    routers: dict[str, list[Router]] = field(default_factory=dict)
    calls: list[tuple[Call, Scope]] = field(default_factory=list)


class Wiring:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._builders: dict[Any, Builder] | None = None
        self._places: dict[int, list[tuple[Builder, str]]] | None = None

    def reset(self) -> None:
        self._builders = self._places = None

    def builders(self) -> dict[Any, Builder]:
        if self._builders is None:
            self._builders = out = {}
            names = self.project.names
            for method in ("add_node", "add_edge", "add_conditional_edges", "add_sequence"):
                for call, scope in list(names.calls_by_name.get(method, ())):
                    if type(call.func) is not Attr:
                        continue
                    for key in self._keys(call.func.value, scope):
                        builder = out.setdefault(key, Builder())
                        builder.calls.append((call, scope))
                        getattr(self, "_" + method)(builder, call, scope)
        return self._builders

    def _keys(self, expr: Any, scope: Scope) -> list[Any]:
        found = [id(v.origin) for v in self.project.names.resolve(expr, scope)
                 if isinstance(v, Ext) and v.origin is not None and v.path.split("(")[0] in surface.BUILDERS]
        return found or [(scope.module.path, dotted(expr))]

    def name(self, expr: Any, scope: Scope) -> str | None:
        """The node that an expression names."""
        const = self.project.names.constant(expr, scope)
        if isinstance(const, str) and const is not UNKNOWN:
            return const
        values = self.project.names.resolve(expr, scope)
        if any(isinstance(v, Ext) and v.path in lg.END for v in values):
            return END
        if any(isinstance(v, Ext) and v.path in lg.START for v in values):
            return "__start__"
        fns = [f for v in values for f in self.project.graphs.functions_of(v)]
        return fns[0].name if fns else None

    def _args(self, call: Call) -> tuple[list[Any], dict[str, Any]]:
        return [a.value for a in call.args if a.name is None and not a.star], {a.name: a.value for a in call.args if a.name}

    def _add_node(self, b: Builder, call: Call, scope: Scope) -> None:
        plain, named = self._args(call)
        first = plain[0] if plain else named.get("node")
        action = plain[1] if len(plain) > 1 else named.get("action")
        if first is None:
            return
        name = self.name(first, scope)
        if name is not None:
            b.nodes.setdefault(name, []).extend(self.project.names.resolve(action if action is not None else first, scope))

    def _add_sequence(self, b: Builder, call: Call, scope: Scope) -> None:
        plain, _ = self._args(call)
        before = None
        for e in plain[0].elts if plain and type(plain[0]) is Seq else ():
            first, action = (e.elts[0], e.elts[1]) if type(e) is Seq and len(e.elts) == 2 else (e, e)
            name = self.name(first, scope)
            if name is None:
                return
            b.nodes.setdefault(name, []).extend(self.project.names.resolve(action, scope))
            if before is not None:
                b.edges.setdefault(before, []).append(name)
            before = name

    def _add_edge(self, b: Builder, call: Call, scope: Scope) -> None:
        plain, named = self._args(call)
        start = plain[0] if plain else named.get("start_key")
        end = plain[1] if len(plain) > 1 else named.get("end_key")
        if start is None or end is None:
            return
        to = self.name(end, scope)
        for e in start.elts if type(start) is Seq else [start]:
            name = self.name(e, scope)
            if name is not None and to is not None:
                b.edges.setdefault(name, []).append(to)

    def _add_conditional_edges(self, b: Builder, call: Call, scope: Scope) -> None:
        plain, named = self._args(call)
        source = plain[0] if plain else named.get("source")
        path = plain[1] if len(plain) > 1 else named.get("path")
        table = plain[2] if len(plain) > 2 else named.get("path_map")
        name = self.name(source, scope) if source is not None else None
        if name is None or path is None:
            return
        fns = [f for v in self.project.names.resolve(path, scope) for f in self.project.graphs.functions_of(v)]
        b.routers.setdefault(name, []).append(Router(fns, table, scope, bool(fns)))

    def places(self, info: FnInfo) -> list[tuple[Builder, str]]:
        """Where a function is a node: (graph, node name)."""
        if self._places is None:
            self._places = {}
            for builder in self.builders().values():
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


__all__ = ["Builder", "END", "Router", "Wiring"]
