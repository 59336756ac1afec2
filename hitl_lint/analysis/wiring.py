"""Graphs as data: what the builder calls of a project (`add_node`, `add_edge`, `compile`, `create_agent(…)`, `@entrypoint(…)`) wire up.

A `Graph` is what one constructor call makes, however its parts are written: chained calls, loops over tables of nodes, helpers that take the builder
as a parameter, attributes of self, subclasses of StateGraph. Names that cannot be read are None, and a graph that may have parts which cannot be seen is
`open`: a rule that needs to know that something is *not* there looks at that first.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.names import Binding, Cls, Ext, Fn, FnInfo, Inst, Lit, ParamOf, Scope, Value, Wrapped, is_graph_path
from hitl_lint.analysis.tables import END, SITE, START, Env, Item, Tables
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue import surface
from hitl_lint.facts import Arg, Attr, Call, Const, Dict, Expr, FStr, IfExp, Name, Seq, Star, Sub, dotted, text, walk
from hitl_lint.record import thing

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

EVERY = "*"
# The order matters to nobody but the reader of `nodes()`: nodes before what refers to them.
METHODS = ("add_node", "add_sequence", "add_conditional_edges", "set_conditional_entry_point", "add_edge", "set_entry_point", "set_finish_point",
           "set_node_defaults")


@thing
class Tools:
    """What a ToolNode (or an agent) can run: `each` holds the functions of one tool (`_run` and `_arun` are one tool). `seen`: every tool in the list
    could be read."""

    call: Call
    scope: Scope
    each: tuple[tuple[FnInfo, ...], ...]
    seen: bool

    @property
    def functions(self) -> tuple[FnInfo, ...]:
        return tuple({id(f.fn): f for tool in self.each for f in tool}.values())


@thing
class Node:
    """One `add_node`. `name` None: cannot be read. `values` is what stands for the action, `functions` what runs, `nested` the constructor call of
    a graph or agent that is the node, `tools` those of a ToolNode. `keywords` holds retry_policy, cache_policy, error_handler and the like. `site`: the
    call of the factory that makes this graph with this node, where it makes one graph for each of its calls."""

    name: str | None
    call: Call
    scope: Scope
    values: tuple[Value, ...] = ()
    functions: tuple[FnInfo, ...] = ()
    nested: Call | None = None
    tools: Tools | None = None
    keywords: dict[str, Expr] = field(default_factory=dict)
    handlers: tuple[Value, ...] = ()
    site: Call | None = None


@thing
class Edge:
    """A static edge. Several `sources`: it waits for all of them. None for a name that cannot be read."""

    sources: tuple[str | None, ...]
    target: str | None
    call: Call
    scope: Scope


@thing
class Branch:
    """A conditional edge. `targets` is the path map (or what the router's annotation promises), None where there is none; `known`: it is known what the
    path function is (one of the project, or a library's such as tools_condition)."""

    source: str | None
    values: tuple[Value, ...]
    routers: tuple[FnInfo, ...]
    targets: tuple[str | None, ...] | None
    call: Call
    scope: Scope
    known: bool = True


@thing
class Compile:
    """One call that makes a graph runnable. `saver`: "absent", "none", "false", "true", "given", "parameter" or "unknown" (a `**` too);
    `before`/`after`: the names of interrupt_before and interrupt_after (`EVERY` for all), None where they cannot be read."""

    call: Call
    scope: Scope
    saver: str
    before: tuple[str | None, ...] | None = ()
    after: tuple[str | None, ...] | None = ()


@thing
class Graph:
    """`kind`: "state", "agent", "react", "supervisor", "entrypoint", or "unseen" for a builder whose constructor is not seen (`origin` None)."""

    kind: str
    origin: Call | None
    scope: Scope
    version: str = ""
    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)
    compiles: list[Compile] = field(default_factory=list)
    open: bool = False
    readers: set[int] = field(default_factory=set)  # ids of the scopes in which parts of it were read

    def named(self, name: str | None) -> list[Node]:
        return [n for n in self.nodes if name is not None and n.name == name]


class Wiring:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names
        self.tables = Tables(project.names)
        self._graphs: dict[Any, Graph] = {}
        self._of_class: dict[int, list[Graph]] = {}
        self._spines: dict[int, Any] = {}
        self._receivers: dict[int, tuple[Scope, set[str]]] = {}
        self._read()

    @property
    def graphs(self) -> list[Graph]:
        return list(self._graphs.values())

    def of(self, origin: Call | None) -> Graph | None:
        return self._graphs.get(id(origin)) if origin is not None else None

    # ---- reading
    def _read(self) -> None:
        names = self.names
        for method in METHODS:
            for call, scope in list(names.calls_by_name.get(method, ())):
                if type(call.func) is Attr:
                    self._part(method, call, scope)
        for call, scope in list(names.calls_by_name.get("compile", ())):
            if type(call.func) is Attr and not (type(call.func.value) is Name and call.func.value.id in ("re", "regex")):
                for env in self.tables.envs((call.func.value,), scope):
                    for graph in self._builders(call.func.value, scope, env, compiling=True):
                        if all(c.call is not call for c in graph.compiles):
                            graph.compiles.append(self._compile(call, scope, positional=True))
        self._agents()
        self._entrypoints()
        self._inherit()
        self._escapes()

    def _part(self, method: str, call: Call, scope: Scope) -> None:
        receiver = self._spine(call.func.value)
        self._receivers.setdefault(id(scope), (scope, set()))[1].update([receiver.id] if type(receiver) is Name else ())
        envs = self.tables.envs((receiver, *(a.value for a in call.args)), scope)
        incomplete = self.tables.cut(call, scope)
        for env in envs:
            for graph in self._builders(receiver, scope, env):
                graph.readers.add(id(scope))
                graph.open = graph.open or incomplete
                getattr(self, f"_{method}")(graph, call, scope, env)

    def _spine(self, expr: Any) -> Any:
        """The builder under a chain of calls: `StateGraph(S)` of `StateGraph(S).add_node(…).add_edge(…)`."""
        chain: list[Any] = []
        found = None
        while type(expr) is Call and type(expr.func) is Attr and expr.func.attr in surface.BUILDER_METHODS:
            found = self._spines.get(id(expr))
            if found is not None:
                break
            chain.append(expr)
            expr = expr.func.value
        if found is None:
            found = expr
        for e in chain:
            self._spines[id(e)] = found
        return found

    def _builders(self, expr: Any, scope: Scope, env: Env, compiling: bool = False, depth: int = 0) -> list[Graph]:
        """The graphs that an expression is the builder of. A receiver of which nothing is known is a graph of its own kind, "unseen"."""
        expr = self._spine(expr)
        item = env.get(expr.id) if type(expr) is Name else None
        if item is not None and depth < 4:
            return self._builders(item.expr, item.scope, {}, compiling, depth + 1)
        out: list[Graph] = []
        other = False
        values = self.names.resolve(expr, scope)
        if type(expr) is Call and dotted(expr.func) == "super" and isinstance(cls := getattr(scope.owner, "cls", None), object) and cls is not None:
            values = (Inst(cls),)
        for v in values:
            if isinstance(v, Ext) and v.path in surface.BUILDER_OBJECTS and v.origin is not None:
                out.append(self._graph(id(v.origin), "state", v.origin, v.scope or scope))
            elif isinstance(v, Ext) and v.path in SUPERVISOR_OBJECTS and v.origin is not None:
                out.append(self._supervisor(v.origin, v.scope or scope))
            elif isinstance(v, Inst) and any(isinstance(b, str) and b in surface.BUILDERS for b in self.names.mro(v.info)):
                if v.call is not None:
                    graph = self._graph(id(v.call), "state", v.call, v.scope or scope)
                    if all(g is not graph for g in self._of_class.setdefault(id(v.info), [])):
                        self._of_class[id(v.info)].append(graph)
                else:
                    out.append(self._graph(("class", id(v.info)), "unseen", None, scope))
                    continue
                out.append(graph)
            elif isinstance(v, (Ext, Lit)) and not (isinstance(v, Ext) and v.path in surface.BUILDER_OBJECTS):
                other = True
        if out or other:
            return out
        where = self.names.lookup(expr.id, scope) if type(expr) is Name else None
        home: Any = where[1] if where is not None else getattr(scope.owner, "cls", None) or scope
        key = ("unseen", id(home), text(expr, 200))
        return [] if compiling and key not in self._graphs else [self._graph(key, "unseen", None, scope)]

    def _graph(self, key: Any, kind: str, origin: Call | None, scope: Scope) -> Graph:
        found = self._graphs.get(key)
        if found is None:
            found = self._graphs[key] = Graph(kind, origin, scope, open=origin is None)
        return found

    def _supervisor(self, origin: Call, scope: Scope) -> Graph:
        known = self._graphs.get(id(origin))
        graph = self._graph(id(origin), "supervisor", origin, scope)
        if known is None:
            graph.open = True
            for a in origin.args:
                if a.name in (None, "agents") and not a.star:
                    for v in self.names.elements(a.value, scope):
                        if isinstance(v, Ext) and is_graph_path(v.path):
                            graph.nodes.append(self._node(None, origin, scope, (v,)))
        return graph

    # ---- the parts
    def _add_node(self, graph: Graph, call: Call, scope: Scope, env: Env) -> None:
        first, second = argument_of(call, 0, "node"), argument_of(call, 1, "action")
        action = second if second is not None else first
        values = self.tables.callables(action, scope, env)
        if second is not None and type(first) is not Const:
            values += tuple(v for v in self.tables.callables(first, scope, env) if v not in values)
        name = self.tables.string(first, scope, env) if second is not None or type(first) in (Const, FStr) else self.tables.own_name(values)
        if name is None and second is None and not values:
            name = self.tables.string(first, scope, env)
        node = self._node(name, call, scope, values)
        node.keywords = {a.name: a.value for a in call.args if a.name and a.name not in ("node", "action")}
        if "error_handler" in node.keywords:
            node.handlers = self.tables.callables(node.keywords["error_handler"], scope, env)
        graph.open = graph.open or name is None or any(a.star for a in call.args)
        if SITE in env and graph.scope is scope:
            node.site = env[SITE].expr
        graph.nodes.append(node)

    def _add_sequence(self, graph: Graph, call: Call, scope: Scope, env: Env) -> None:
        table = argument_of(call, 0, "nodes")
        items = self.tables.items(Item(table, scope), 0) if table is not None else None
        if items is None:
            graph.open = True
            items = []
            if type(table) is Seq:
                items = [Item(e, scope) for e in table.elts if type(e) is not Star]
        before: str | None = None
        for n, item in enumerate(items):
            e = item.expr
            if type(e) is Seq and len(e.elts) == 2:
                values, name = self.tables.callables(e.elts[1], item.scope, env), self.tables.string(e.elts[0], item.scope, env)
            else:
                values = self.tables.callables(e, item.scope, env)
                name = self.tables.own_name(values)
            graph.nodes.append(self._node(name, call, scope, values))
            graph.open = graph.open or name is None
            if n:
                graph.edges.append(Edge((before,), name, call, scope))
            before = name

    def _add_edge(self, graph: Graph, call: Call, scope: Scope, env: Env) -> None:
        start, end = argument_of(call, 0, "start_key"), argument_of(call, 1, "end_key")
        items = self.tables.items(Item(start, scope), 0) if start is not None and type(start) in (Seq, Name) and not self.tables.string(start, scope, env) else None
        sources = tuple(self.tables.string(i.expr, i.scope, env) for i in items) if items is not None else (self.tables.string(start, scope, env),)
        edge = Edge(sources, self.tables.string(end, scope, env), call, scope)
        graph.open = graph.open or None in (*edge.sources, edge.target)
        graph.edges.append(edge)

    def _add_conditional_edges(self, graph: Graph, call: Call, scope: Scope, env: Env) -> None:
        self._branch(graph, call, scope, env, self.tables.string(argument_of(call, 0, "source"), scope, env), 1)

    def _set_conditional_entry_point(self, graph: Graph, call: Call, scope: Scope, env: Env) -> None:
        self._branch(graph, call, scope, env, START, 0)

    def _branch(self, graph: Graph, call: Call, scope: Scope, env: Env, source: str | None, first: int) -> None:
        path = argument_of(call, first, "path")
        values = self.tables.callables(path, scope, env)
        known = bool(values) or path is not None and any(isinstance(v, Ext) for v in self.names.resolve(path, scope))
        routers = tuple(f for v in values for f in self.functions_of(v))
        path_map = argument_of(call, first + 1, "path_map")
        targets: tuple[str | None, ...] | None = None
        if path_map is not None:
            for v in self.names.resolve(path_map, scope):
                if isinstance(v, Lit) and type(v.expr) in (Dict, Seq):
                    targets = tuple(self.tables.string(e, v.scope, env) for e in (v.expr.values if type(v.expr) is Dict else v.expr.elts))
        if targets is None and routers:
            targets = tuple(n for r in routers for n in literals(r.fn.returns)) or None
        graph.branches.append(Branch(source, values, routers, targets, call, scope, known))

    def _set_entry_point(self, graph: Graph, call: Call, scope: Scope, env: Env) -> None:
        graph.edges.append(Edge((START,), self.tables.string(argument_of(call, 0, "key"), scope, env), call, scope))

    def _set_finish_point(self, graph: Graph, call: Call, scope: Scope, env: Env) -> None:
        graph.edges.append(Edge((self.tables.string(argument_of(call, 0, "key"), scope, env),), END, call, scope))

    def _set_node_defaults(self, graph: Graph, call: Call, scope: Scope, env: Env) -> None:
        values = tuple(v for a in call.args if a.name == "error_handler" for v in self.tables.callables(a.value, scope, env))
        if values:
            graph.nodes.append(Node(None, call, scope, handlers=values))

    def _node(self, name: str | None, call: Call, scope: Scope, values: tuple[Value, ...]) -> Node:
        node = Node(name, call, scope, values, tuple(f for v in values for f in self.functions_of(v)))
        for v in values:
            if isinstance(v, Ext) and v.origin is not None:
                if is_graph_path(v.path):
                    node.nested = v.origin
                elif v.path in surface.TOOL_NODES:
                    node.tools = self.tools(v.origin, v.scope or scope)
            elif isinstance(v, Wrapped) and v.kind == "graph":
                node.nested = v.call
        return node

    def functions_of(self, v: Value, depth: int = 0) -> Iterator[FnInfo]:
        """The project functions that run when a graph runs this node."""
        if depth > 4:
            return
        if isinstance(v, Fn):
            yield v.info
        elif isinstance(v, Wrapped):
            for t in v.targets:
                yield from self.functions_of(t, depth + 1)
        elif isinstance(v, (Inst, Cls)):
            for name in ("__call__", "invoke", "_run", "_arun", "ainvoke"):
                m = self.names.method(v.info, name)
                if m is not None:
                    yield m
        elif isinstance(v, Ext) and v.path in surface.TOOL_NODES and v.origin is not None and v.scope is not None:
            yield from self.tools_of(v.origin, v.scope)

    def tools_of(self, call: Call, scope: Scope) -> Iterator[FnInfo]:
        """The functions of the tools that a ToolNode or an agent is made with."""
        for v in self._tool_values(call, scope):
            yield from self.functions_of(v)

    def _tool_values(self, call: Call, scope: Scope) -> Iterator[Value]:
        for n, a in enumerate(call.args):
            if a.name == "tools" or (a.name is None and not a.star and n <= 1):
                yield from self.names.elements(a.value, scope)

    def tools(self, call: Call, scope: Scope) -> Tools:
        return Tools(call, scope, self._each(self._tool_values(call, scope), call), self.all_tools_seen(call, scope))

    def _each(self, values: Iterator[Value], call: Call) -> tuple[tuple[FnInfo, ...], ...]:
        each: dict[tuple[int, ...], tuple[FnInfo, ...]] = {}
        for v in values:
            if isinstance(v, Ext) and v.path in surface.TOOL_NODES and v.origin is not None and v.origin is not call and v.scope is not None:
                groups = self.tools(v.origin, v.scope).each  # create_react_agent(model, ToolNode([…]))
            else:
                groups = (tuple(self.functions_of(v)),)
            for group in groups:
                if group:
                    each.setdefault(tuple(id(f.fn) for f in group), group)
        return tuple(each.values())

    def tool_lists(self, call: Call, scope: Scope) -> list[Tools]:
        """The lists that the tools may be, each by itself: what another object of the same class gets is not in this one's list."""
        for n, a in enumerate(call.args):
            if a.name == "tools" or (a.name is None and not a.star and n <= 1):
                lists = [v for v in self.names.resolve(a.value, scope) if isinstance(v, Lit)]
                if len(lists) > 1:
                    return [Tools(call, scope, self._each(self.names.items_of(v), call), False) for v in lists]
        return [self.tools(call, scope)]

    def all_tools_seen(self, call: Call, scope: Scope) -> bool:
        for n, a in enumerate(call.args):
            if a.name == "tools" or (a.name is None and n == (0 if (dotted(call.func) or "").endswith("ToolNode") else 1)):
                for v in self.names.resolve(a.value, scope):
                    if isinstance(v, Lit) and type(v.expr) is Seq:
                        return all(self.names.resolve(e, v.scope) for e in v.expr.elts) and all(
                            not several and self.names.resolve(item, where) for item, several, where in self.names.added(v))
                return False
        return False

    # ---- what makes a graph runnable
    def _compile(self, call: Call, scope: Scope, positional: bool) -> Compile:
        breaks = {a.name: a.value for a in call.args if a.name in ("interrupt_before", "interrupt_after")}
        return Compile(call, scope, self._saver(call, scope, positional), *(
            self.names_in(breaks[k], scope) if k in breaks else () for k in ("interrupt_before", "interrupt_after")))

    def names_in(self, expr: Any, scope: Scope) -> tuple[str | None, ...] | None:
        """A list of node names, `EVERY` for "*"; None where it cannot be read."""
        if type(expr) is Const:
            return (EVERY,) if expr.value == EVERY else () if expr.kind == "none" else None
        items = self.tables.items(Item(expr, scope), 0)
        if items is None:
            whole = self.tables.string(expr, scope)
            return (EVERY,) if whole == EVERY else self._either(expr, scope)
        return tuple(self.tables.string(i.expr, i.scope) for i in items)

    def _either(self, expr: Any, scope: Scope) -> tuple[str | None, ...] | None:
        """`[] if auto else ["review"]`, also kept in a name: what is in one of the lists is a breakpoint of some run."""
        if type(expr) is Name:
            found = self.names.lookup(expr.id, scope)
            if found is None or len(found[0]) != 1 or found[0][0].how != "value" or self.tables.grows(expr, scope):
                return None
            expr, scope = found[0][0].node, found[1]
        if type(expr) is not IfExp or IfExp in (type(expr.body), type(expr.orelse)):
            return None
        ways = [self.names_in(e, scope) for e in (expr.body, expr.orelse)]
        return None if None in ways else tuple(dict.fromkeys(n for way in ways for n in way or ()))

    def _saver(self, call: Call, scope: Scope, positional: bool) -> str:
        hidden = False
        found: Any = None
        for n, a in enumerate(call.args):
            if a.star:
                hidden = True
            elif a.name == "checkpointer" or (positional and n == 0 and a.name is None):
                found = a.value
        if found is None:
            return "unknown" if hidden else "absent"
        return self.saver_of(found, scope)

    def saver_of(self, expr: Any, scope: Scope) -> str:
        if type(expr) is Const:
            return {"none": "none", "bool": "true" if expr.value else "false"}.get(expr.kind, "unknown")
        if type(expr) is Name:
            found = self.names.lookup(expr.id, scope)
            bindings: list[Binding] = found[0] if found is not None else []
            if any(b.how == "param" for b in bindings):
                return "parameter"
            if bindings and all(b.how == "value" and type(b.node) is Const and b.node.kind == "none" for b in bindings):
                return "none" if len(bindings) == 1 and not (found and found[1].kind == "module" and scope is not found[1]) else "unknown"
        values = self.names.resolve(expr, scope)
        if any(isinstance(v, (Ext, Inst)) for v in values):
            return "given"
        return "parameter" if any(isinstance(v, ParamOf) for v in values) else "unknown"

    # ---- agents and entrypoints
    def _agents(self) -> None:
        for last in sorted(self.spellings(lg.AGENT_FACTORIES)):
            for call, scope in list(self.names.calls_by_name.get(last, ())):
                for v in self.names.resolve(call.func, scope):
                    if not isinstance(v, Ext) or v.path not in lg.AGENT_FACTORIES:
                        continue
                    graph = self._graph(id(call), "react" if v.path in lg.REACT_AGENT else "agent", call, scope)
                    given = next((a.value for a in call.args if a.name == "version"), None)
                    graph.version = ("v2" if given is None else self.tables.string(given, scope) or "") if graph.kind == "react" else ""
                    tools = self.tools(call, scope)
                    graph.open = True
                    graph.nodes.append(Node("tools", call, scope, functions=tools.functions, tools=tools))
                    graph.compiles.append(self._compile(call, scope, positional=False))
                    break

    def spellings(self, paths: frozenset[str]) -> set[str]:
        """The last words by which library functions are called: their own and what imports rename them to."""
        out = {p.rsplit(".", 1)[-1] for p in paths}
        for name in [*out]:
            for other in self.names.renamed.get(name, ()):
                out |= {other, *self.names.renamed.get(other, ())}
        return out

    def _entrypoints(self) -> None:
        for info in list(self.names.functions()):
            for d in info.fn.decorators:
                if type(d) is Call and any(isinstance(v, Ext) and v.path in lg.ENTRYPOINT for v in self.names.resolve(d.func, info.parent)):
                    graph = self._graph(id(d), "entrypoint", d, info.parent)
                    graph.nodes.append(Node(info.name, d, info.parent, (Fn(info),), (info,)))
                    graph.compiles.append(self._compile(d, info.parent, positional=True))

    def _inherit(self) -> None:
        """What a subclass of StateGraph wires up for itself belongs to each of its objects."""
        for key, graphs in self._of_class.items():
            own = self._graphs.get(("class", key))
            for graph in graphs if own is not None else ():
                graph.nodes[:0], graph.edges[:0], graph.branches[:0] = own.nodes, own.edges, own.branches
                graph.open = graph.open or any(n.name is None for n in own.nodes)
            if graphs:
                self._graphs.pop(("class", key), None)

    def _escapes(self) -> None:
        """A builder that is handed to code which cannot be seen may get more nodes and edges there."""
        for scope, words in list(self._receivers.values()):
            if not words:
                continue
            for call in scope.calls:
                for a in call.args:
                    if type(a.value) is Name and a.value.id in words:
                        for v in self.names.resolve(a.value, scope):
                            graph = self.of(v.origin) if isinstance(v, Ext) and v.path in surface.BUILDER_OBJECTS else None
                            if graph is not None and not self._read_there(graph, call, scope):
                                graph.open = True

    def _read_there(self, graph: Graph, call: Call, scope: Scope) -> bool:
        targets = self.names.resolve(call.func, scope)
        return bool(targets) and all(isinstance(v, Fn) and id(self.names.scope(v.info)) in graph.readers for v in targets)


SUPERVISOR_OBJECTS = frozenset(f"{p}()" for p in lg.SUPERVISORS)


def argument_of(call: Call, position: int, name: str) -> Any:
    """The argument of a library call by keyword, else by position; None where there is none."""
    plain: list[Arg] = [a for a in call.args if a.name is None]
    for a in call.args:
        if a.name == name:
            return a.value
    return plain[position].value if position < len(plain) and not any(a.star for a in plain[: position + 1]) else None


def literals(annotation: Any) -> tuple[str, ...]:
    """The strings of the `Literal[…]` in an annotation such as `Literal["a", "b"]` or `Command[Literal["a"]]`."""
    out: list[str] = []
    for node in walk(annotation) if annotation is not None else ():
        if type(node) is Const and node.kind == "str" and "Literal[" in node.value:
            inside = node.value.split("Literal[", 1)[1].split("]", 1)[0]
            out += [w.strip("'\" ") for w in inside.split(",") if w.strip()]
        elif type(node) is Sub and (dotted(node.value) or "").rsplit(".", 1)[-1] == "Literal":
            for e in node.index.elts if type(node.index) is Seq else [node.index]:
                if type(e) is Const and e.kind == "str":
                    out.append(e.value)
                elif (dotted(e) or "").rsplit(".", 1)[-1] == "END":
                    out.append(END)
    return tuple(out)


__all__ = ["Branch", "Compile", "EVERY", "END", "Edge", "Graph", "Node", "START", "Tools", "Wiring", "argument_of", "literals"]
