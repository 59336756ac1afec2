"""Questions about graphs (`wiring.py` holds them as data): which functions they run, what pauses in them, where their nodes lead, who runs them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Iterator, Sequence

from hitl_lint.analysis.cfg import Point
from hitl_lint.analysis.effects import Link, Witness
from hitl_lint.analysis.names import Cls, Ext, Fn, FnInfo, Inst, Lit, ModuleInfo, Scope, Value, Wrapped, is_graph_path, is_test
from hitl_lint.analysis.wiring import END, EVERY, START, Branch, Edge, Graph, Node, Wiring, argument_of, literals
from hitl_lint.analysis.threads import goes_on, own_thread
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue import surface
from hitl_lint.facts import Assign, Attr, Call, Comp, Const, Dict, IfExp, Name, Seq, Sub, dotted, text
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project


COMMANDS = frozenset(f"{p}()" for p in lg.COMMAND)
MESSAGES = re.compile(r"\b(?:add_messages|(?:Base|Any|Human|AI)Message)\b")
GRAPH_WORDS = frozenset({"graph", "app", "agent", "workflow"})


@record
class Run:
    """A call that runs a graph. `made`: the call that compiled what is run (for an entrypoint its decorator)."""

    call: Call
    scope: Scope
    graph: Graph
    made: Call | None


@record
class Goto:
    """A `Command(…)` that a node returns at `point`. `ways`: the sets of nodes that it may lead to, one for each branch of a choice, () where it leads
    nowhere, None where that cannot be read; `leaves`: it speaks to another graph (`graph=Command.PARENT`)."""

    call: Call
    scope: Scope
    point: Point
    ways: tuple[tuple[str, ...], ...] | None
    leaves: bool

    @property
    def targets(self) -> tuple[str, ...] | None:
        return tuple(dict.fromkeys(n for way in self.ways for n in way)) if self.ways is not None else None


@record
class Beside:
    """A static edge of a node that leaves by `goto` for `other` after a pause, in `function`."""

    edge: Edge
    node: Node
    function: FnInfo
    goto: Goto
    other: str


@record
class Breakpoint:
    """A list of static breakpoints (`keyword`: interrupt_before or interrupt_after) with the nodes in it that pause by themselves."""

    call: Call
    scope: Scope
    keyword: str
    nodes: tuple[Node, ...]

    @property
    def before(self) -> bool:
        return self.keyword == "interrupt_before"


class Graphs:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.reset()

    def reset(self) -> None:
        self._wiring: Wiring | None = None
        self._runs: list[Run] | None = None
        self._nodes: dict[int, list[tuple[Value, Call, Scope]]] | None = None
        self._pause: dict[int, Witness | None] = {}
        self._seen: dict[str, set[str]] = {}
        self._roots: set[int] | None = None
        self._hooked: dict[int, list[tuple[Call, Scope]]] | None = None
        self._pausing_tools: list[tuple[ModuleInfo, Witness]] | None = None

    # ---- the graphs as data
    @property
    def wiring(self) -> Wiring:
        """What the modules read so far wire up."""
        if self._wiring is None:
            self._wiring = Wiring(self.project)
        return self._wiring

    def all(self) -> list[Graph]:
        return self.wiring.graphs

    def of(self, origin: Call | None) -> Graph | None:
        """The graph that a constructor call makes."""
        return self.wiring.of(origin)

    def meant(self, expr: Any, scope: Scope) -> Graph | None:
        """The graph that an expression is. Where it cannot be resolved but is called like one (`graph`, `self.app`), the one graph that the module,
        else the project, makes runnable; None where that is not exactly one."""
        values = [*self.project.names.resolve(expr, scope), *self.set_for_all(expr, scope)]
        found = {id(g): g for v in values if (g := self._graph_of(v)) is not None}
        if found:
            return next(iter(found.values())) if len(found) == 1 else None
        if any(isinstance(v, (Ext, Inst, Fn, Cls)) for v in values):
            return None
        word = (dotted(expr) or "").rsplit(".", 1)[-1].lower().strip("_")
        if not set(word.split("_")) & GRAPH_WORDS:
            return None
        runnable = [g for g in self.all() if g.compiles]
        here = [g for g in runnable if any(c.scope.module is scope.module for c in g.compiles)]
        for some in (here, runnable):
            if some:
                return some[0] if len(some) == 1 else None
        return None

    def read(self, expr: Any, scope: Scope) -> Graph | None:
        """The graph whose state an expression can give: of several that it may be, only one that is compiled with a checkpointer has any."""
        found = self.meant(expr, scope)
        if found is not None:
            return found
        values = [*self.project.names.resolve(expr, scope), *self.set_for_all(expr, scope)]
        saved = {id(g): g for v in values if (g := self._graph_of(v)) is not None and any(c.saver not in ("absent", "none", "false") for c in g.compiles)}
        return next(iter(saved.values())) if len(saved) == 1 else None

    def set_for_all(self, expr: Any, scope: Scope) -> Iterator[Value]:
        """What functions of the module put into a variable of it: `global graph`, `graph = build()` when the server starts."""
        found = self.project.names.lookup(expr.id, scope) if type(expr) is Name else None
        if type(expr) is not Name or found is not None and (found[1] is not scope.module.scope or any(
                b.how != "value" or not (b.node is None or type(b.node) is Const and b.node.kind == "none") for b in found[0])):
            return
        for info in scope.module.functions:
            inner = self.project.names.scope(info) if expr.id in info.fn.globals else None
            for b in inner.bindings.get(expr.id, ()) if inner is not None else ():
                if b.how == "value" and not (type(b.node) is Const and b.node.kind == "none"):
                    yield from self.project.names.resolve(b.node, inner)

    def of_messages(self, graph: Graph) -> bool:
        """Whether the state of a graph holds the messages of a chat: a state class with such a field, or an agent of langchain."""
        if graph.origin is None or graph.scope is None:
            return False
        if (dotted(graph.origin.func) or "").rsplit(".", 1)[-1] in ("create_agent", "create_react_agent", "MessageGraph", "create_deep_agent"):
            return True
        schema = next((a.value for a in graph.origin.args if a.name in (None, "state_schema")), None)
        for v in self.project.names.resolve(schema, graph.scope):
            line = self.project.names.mro(v.info) if isinstance(v, Cls) else [v.path] if isinstance(v, Ext) else []
            for c in line:
                if isinstance(c, str) and c.rsplit(".", 1)[-1] in ("MessagesState", "AgentState", "CopilotKitState"):
                    return True
                if not isinstance(c, str) and any(type(s) is Assign and s.annotation is not None and MESSAGES.search(text(s.annotation, 200)) for s in c.cls.body):
                    return True
        return False

    def _graph_of(self, v: Value) -> Graph | None:
        if isinstance(v, Ext):
            return self.of(v.origin) if is_graph_path(v.path) else None
        return self.of(v.call) if isinstance(v, Wrapped) and v.kind == "graph" else None

    def runs(self) -> list[Run]:
        """Every call that is seen to run a graph (invoke, stream and their like), in program order."""
        if self._runs is None:
            self._runs = []
            names = self.project.names
            kept = self._kept_on_objects()
            for method in sorted(lg.RUN_METHODS):
                for call, scope in list(names.calls_by_name.get(method, ())):
                    if type(call.func).__name__ != "Attr":
                        continue
                    for v in names.resolve(call.func.value, scope):
                        graph = self._graph_of(v)
                        if graph is not None:
                            self._runs.append(Run(call, scope, graph, v.made if isinstance(v, Ext) else graph.origin))
                    name = dotted(call.func.value) if kept else None
                    for key, (graph, made) in kept.items() if name is not None else ():
                        if name == key or name.endswith("." + key):
                            self._runs.append(Run(call, scope, graph, made))
            self._runs.sort(key=lambda r: (r.scope.module.path, r.call.at))
        return self._runs

    def _kept_on_objects(self) -> dict[str, tuple[Graph, Call | None]]:
        """`app.state.graph = builder.compile()`: graphs kept on objects that are not the project's own, by the name under which they are set, where
        it is one graph only."""
        out: dict[str, tuple[Graph, Call | None]] = {}
        mixed: set[str] = set()
        names = self.project.names
        for module in list(names.modules.values()):
            for scope in (module.scope, *(names.scope(f) for f in list(module.functions))):
                for name, value, _ in scope.attrs:
                    if name.count(".") < 2 or name.startswith(("self.", "cls.")):
                        continue
                    for v in names.resolve(value, scope):
                        graph = self._graph_of(v)
                        made = v.made if isinstance(v, Ext) else None
                        if graph is None or name in out and out[name][1] is not made:
                            mixed.add(name)
                        else:
                            out[name] = graph, made
        return {name: kept for name, kept in out.items() if name not in mixed}

    # ---- nodes
    def nodes(self) -> dict[int, list[tuple[Value, Call, Scope]]]:
        """By the id of the builder's constructor call (0: builder not seen): what is registered as a node or router, and where."""
        if self._nodes is None:
            out: dict[int, list[tuple[Value, Call, Scope]]] = {}
            for graph in self.all():
                if graph.kind in ("agent", "react", "entrypoint"):
                    continue
                entries = [(v, n.call, n.scope) for n in graph.nodes for v in (*n.values, *n.handlers)]
                entries += [(v, b.call, b.scope) for b in graph.branches for v in b.values]
                if entries:
                    out.setdefault(id(graph.origin) if graph.origin is not None else 0, []).extend(entries)
            self._nodes = out
        return self._nodes

    def functions_of(self, v: Value) -> Iterator[FnInfo]:
        """The project functions that run when a graph runs this node."""
        return self.wiring.functions_of(v)

    def tools_of(self, call: Call, scope: Scope) -> Iterator[FnInfo]:
        """The functions of the tools that a ToolNode or an agent is made with."""
        return self.wiring.tools_of(call, scope)

    def node_functions(self) -> Iterator[tuple[FnInfo, Scope]]:
        """Every function that a graph runs as a node or router, with the scope that registers it."""
        for entries in self.nodes().values():
            for v, _, scope in entries:
                for f in self.functions_of(v):
                    yield f, scope

    def registered(self, info: FnInfo) -> tuple[str | None, str | None]:
        """(node name, builder as written) of the first `add_node` that registers a function; None where it is not seen."""
        for entries in self.nodes().values():
            for v, call, _ in entries:
                if type(call.func) is not Attr:
                    continue
                if call.func.attr == "add_node" and any(f.fn is info.fn for f in self.functions_of(v)):
                    name = _const(call.args[0].value) if call.args else None
                    return name or info.name, dotted(call.func.value)
        return None, None

    def branches(self) -> Iterator[tuple[Graph, Branch, FnInfo]]:
        """Every conditional edge whose path function pauses, with that function."""
        for graph in self.all():
            for branch in graph.branches:
                router = next((f for f in branch.routers if self.project.summaries.of(f).pause is not None), None)
                if router is not None:
                    yield graph, branch, router

    def pausing_routers(self) -> Iterator[tuple[FnInfo, FnInfo]]:
        """(node function, router function) for every conditional edge whose path function pauses."""
        for graph, branch, router in self.branches():
            found: list[FnInfo] = []
            for node in graph.named(branch.source):
                found += [f for f in node.functions if f not in found]
            for f in found:
                yield f, router

    def pause_in(self, graph: Graph) -> Witness | None:
        """The first pause that running a graph, however it is made, can reach."""
        found = self.pause_of(graph.origin) if graph.origin is not None else None
        found = found or next((w for n in graph.nodes if (w := self.node_pause(n)) is not None), None)
        return None if found is not None and self._cut_off(graph) else found

    def nexts(self, graph: Graph) -> dict[str | None, set[str | None]]:
        """The nodes that can follow each node (START among them) by edges, routers and `goto`; None among them where that cannot be read."""
        out: dict[str | None, set[str | None]] = {}
        for edge in graph.edges:
            for source in edge.sources:
                out.setdefault(source, set()).add(edge.target)
        for b in graph.branches:
            out.setdefault(b.source, set()).update((None,) if b.targets is None else b.targets)
        for n in graph.nodes:
            for info in n.functions:
                for goto in self.gotos(info):
                    out.setdefault(n.name, set()).update((None,) if goto.ways is None else (t for way in goto.ways for t in way))
        return out

    def chosen(self, branch: Branch, router: FnInfo) -> Sequence[str | None]:
        """Where one of its path functions leads a conditional edge: what the edge lists, else what the function is seen to return; None among them where
        that cannot be read."""
        if branch.targets:
            return branch.targets
        out: list[str | None] = []
        for point in self.project.cfg(router).points:
            value = getattr(point.node, "value", None) if point.kind == "return" else None
            if value is not None:
                value = value.elt if type(value) is Comp else value  # [Send("read", …) for …]
                ways = self.ways(value, self.project.names.scope(router))
                out += [None] if ways is None else [n for way in ways for n in way]
        return list(dict.fromkeys(out))

    def _cut_off(self, graph: Graph) -> bool:
        """Whether nothing leads to any node that pauses, in a graph of which all is seen: a step that somebody has taken out of use."""
        if graph.kind != "state" or graph.open or graph.origin is None or not graph.edges:
            return False
        asking = {n.name for n in graph.nodes if self.node_pause(n) is not None}
        if not asking or None in asking or any(self.project.summaries.of(f).pause is not None for b in graph.branches for f in b.routers):
            return False
        nexts = self.nexts(graph)
        work: list[str | None] = [START]
        seen: set[str | None] = {START}
        while work:
            name = work.pop()
            if name in asking or name is None or any(not self._leaves_as_seen(n) for n in graph.named(name)):
                return False
            for after in nexts.get(name, ()):
                if after not in seen:
                    seen.add(after)
                    work.append(after)
        return None not in nexts and len(seen) > 1

    def _leaves_as_seen(self, node: Node) -> bool:
        """Whether all that a node can return is seen: displays of its own, and commands."""
        if node.nested is not None or node.tools is not None or not node.functions or any(not isinstance(v, Fn) for v in node.values):
            return False
        for info in node.functions:
            scope = self.project.names.scope(info)
            for point in self.project.cfg(info).points:
                value = getattr(point.node, "value", None) if point.kind in ("return", "yield") else None
                if value is None or type(value) is Dict:
                    continue
                values = self.project.names.resolve(value, scope)
                if not values or not all(isinstance(v, Lit) or isinstance(v, Ext) and v.path in COMMANDS for v in values):
                    return False
        return True

    def certain(self, info: FnInfo) -> bool:
        """Whether a function pauses by itself or through a call of one known function. A wrapper that a factory makes around whatever it is handed
        (`partial(func, …)`) is one function to the reader of its text, but pauses only where what it was handed does."""
        p = self.project.pausing_of(info)
        return p is not None and any(len(p.judged[x.id].targets) <= 1 for x in p.pauses)

    def node_pause(self, node: Node) -> Witness | None:
        """The pause that running a node can reach."""
        for info in node.functions:
            w = self.project.summaries.of(info).pause
            if w is not None:
                return w
        return self.pause_of(node.nested) if node.nested is not None else None

    # ---- where nodes go by themselves
    def gotos(self, info: FnInfo) -> list[Goto]:
        """The `Command(goto=…)` that a function returns (or yields), itself or through a helper, with the return it leaves by."""
        out: list[Goto] = []
        scope = self.project.names.scope(info)
        for point in self.project.cfg(info).points:
            value = getattr(point.node, "value", None) if point.kind in ("return", "yield") else None
            if value is None:
                continue
            for v in self.project.names.resolve(value, scope):
                if isinstance(v, Ext) and v.path in COMMANDS and v.origin is not None and v.scope is not None:
                    keys = {a.name: a.value for a in v.origin.args if a.name}
                    hidden = any(a.star for a in v.origin.args)
                    goto = keys.get("goto")
                    ways = None if hidden else () if goto is None else self._ways(goto, v.scope)
                    if ways is None and goto is not None:
                        ways = tuple((n,) for n in literals(info.fn.returns)) or None
                    out.append(Goto(v.origin, v.scope, point, ways, "graph" in keys))
        return out

    def edges_beside_gotos(self) -> Iterator[Beside]:
        """Static edges that are followed although the node has gone elsewhere with the answer of a pause; once an edge."""
        for graph in self.all():
            by_name: dict[str | None, list[Node]] = {}
            for node in graph.nodes:
                by_name.setdefault(node.name, []).append(node)
            for edge in graph.edges:
                found = next((b for source in edge.sources if source is not None and edge.target not in (None, END)
                              for node in by_name.get(source, ()) for b in self._beside(edge, node)), None)
                if found is not None:
                    yield found

    def _beside(self, edge: Edge, node: Node) -> Iterator[Beside]:
        for info in node.functions if node.tools is None else ():
            p = self.project.pausing_of(info)
            if p is None or not self.certain(info):
                continue
            after = p.cfg.reachable(p.pauses)
            for goto in self.gotos(info):
                way = next((w for w in goto.ways or () if w and edge.target not in w), None)
                if way is None or goto.leaves or goto.point not in after and not self._returns_pause(p, goto):
                    continue
                yield Beside(edge, node, info, goto, way[0])

    def _returns_pause(self, p: "Pausing", goto: Goto) -> bool:
        """`return ask_and_go(state)`: the call in the return is the pause."""
        return any(x.node is goto.point.node.value for x in p.pauses)

    def breakpoints(self) -> Iterator[Breakpoint]:
        """interrupt_before and interrupt_after, where a graph is compiled or run, with the nodes named there that pause by themselves."""
        for graph in self.all():
            for c in graph.compiles:
                for keyword, names in (("interrupt_before", c.before), ("interrupt_after", c.after)):
                    yield from self._stops(graph, c.call, c.scope, keyword, names)
        for run in self.runs():
            for a in run.call.args:
                if a.name in ("interrupt_before", "interrupt_after"):
                    yield from self._stops(run.graph, run.call, run.scope, a.name, self.wiring.names_in(a.value, run.scope))

    def _stops(self, graph: Graph, call: Call, scope: Scope, keyword: str, names: tuple[str | None, ...] | None) -> Iterator[Breakpoint]:
        passed = self._passed_over()
        if self.project.turns.never_continued():
            return
        nodes = tuple(n for n in graph.nodes if n.name is not None and n.name not in passed and (n.name in (names or ()) or EVERY in (names or ())) and self.node_pause(n) is not None
                      and (n.nested is not None or any(self.certain(f) for f in n.functions)))
        if nodes:
            yield Breakpoint(call, scope, keyword, nodes)

    def _passed_over(self) -> frozenset[str]:
        """The nodes in whose name the application writes the state (`update_state(…, as_node="review")`) where it sends no answers at all: the run
        goes on behind them (run on 1.2.24)."""
        names, found = self.project.names, set()
        for method in ("update_state", "aupdate_state"):
            for call, scope in list(names.calls_by_name.get(method, ())):
                node = argument_of(call, 2, "as_node")
                name = self.wiring.tables.string(node, scope) if node is not None and not is_test(scope.module.path) else None
                found |= {name} if name is not None else set()
        return frozenset() if found and any(c.resume is not None and not is_test(c.scope.module.path) for c in self.project.resumes.commands()) else frozenset(found)

    def passed_over(self, info: FnInfo) -> bool:
        """Whether every node that runs this function is one in whose name the application goes on: then nothing of it runs again."""
        passed = self._passed_over()
        if not passed:
            return False
        nodes = {n.name for g in self.all() for n in g.nodes if any(f.fn is info.fn for f in n.functions)}
        return bool(nodes) and nodes <= passed

    def ways(self, expr: Any, scope: Scope) -> tuple[tuple[str, ...], ...] | None:
        """The sets of node names that a `goto` or the target of a `Send` may be; None where one of them cannot be read."""
        return self._ways(expr, scope)

    def _ways(self, expr: Any, scope: Scope, depth: int = 0) -> tuple[tuple[str, ...], ...] | None:
        t = type(expr)
        if depth > 6:
            return None
        if t is IfExp:
            parts = [self._ways(e, scope, depth + 1) for e in (expr.body, expr.orelse)]
            return None if None in parts else tuple(dict.fromkeys(w for p in parts for w in p or ()))
        if t is Seq:
            ways: tuple[tuple[str, ...], ...] = ((),)
            for e in expr.elts:
                more = self._ways(e, scope, depth + 1)
                if more is None or len(ways) * len(more) > 16:
                    return None
                ways = tuple((*a, *b) for a in ways for b in more)
            return ways
        if t is Call:
            for v in self.project.names.resolve(expr.func, scope):
                if isinstance(v, Ext) and v.path in lg.SEND:
                    return self._ways(argument_of(expr, 0, "node"), scope, depth + 1)
        known = self.wiring.tables.string(expr, scope)
        if known is not None:
            return ((known,),)
        found: list[tuple[str, ...]] = []
        for v in self.project.names.resolve(expr, scope) if t in (Name, Attr, Sub) else ():
            one = self._ways(v.expr, v.scope, depth + 1) if isinstance(v, Lit) and type(v.expr) in (Const, Seq) and v.expr is not expr else None
            if one is None and isinstance(v, Ext) and v.path in lg.END:
                one = ((END,),)
            if one is None:
                return None
            found += one
        return tuple(dict.fromkeys(found)) or None

    def sends(self, graph: Graph) -> set[str | None]:
        """The nodes that get a task of their own by `Send(…)` from a router or node of the graph; None among them for one that cannot be read."""
        out: set[str | None] = set()
        for info in [f for b in graph.branches for f in b.routers] + [f for n in graph.nodes for f in n.functions]:
            scope = self.project.names.scope(info)
            for call in scope.calls:
                if (dotted(call.func) or "").rsplit(".", 1)[-1] == "Send" or any(
                        isinstance(v, Ext) and v.path in lg.SEND for v in self.project.names.resolve(call.func, scope)):
                    ways = self._ways(argument_of(call, 0, "node"), scope)
                    out |= {n for way in ways for n in way} if ways else {None}
        return out

    def is_root(self, info: FnInfo) -> bool:
        if self._roots is None:
            self._roots = {id(f.fn) for f in self.roots()}
        return id(info.fn) in self._roots

    def roots(self) -> Iterator[FnInfo]:
        """Functions that a graph runs directly."""
        for entries in self.nodes().values():
            for v, _, _ in entries:
                yield from self.functions_of(v)
        names = self.project.names
        for info in list(names.functions()):
            if any(p in surface.GRAPH_DECORATORS for p, _ in self.project.decorator_paths(info)):
                yield info
                continue
            if info.cls is not None and any(isinstance(b, str) and b in surface.HOSTS for b in names.mro(info.cls)):
                yield info
                continue
            scope = names.scope(info)
            for call in scope.calls:
                if any(isinstance(v, Ext) and v.path in lg.INTERRUPT for v in names.resolve(call.func, scope)):
                    yield info
                    break

    # ---- hooks around tools
    def hooked(self) -> dict[int, list[tuple[Call, Scope]]]:
        """By the id of a wrap_tool_call or wrap_model_call hook's Function: the agents and tool nodes that are seen to be made with it."""
        if self._hooked is not None:
            return self._hooked
        out: dict[int, list[tuple[Call, Scope]]] = {}
        self._hooked = out
        names = self.project.names
        for path in sorted(lg.AGENT_FACTORIES | lg.TOOL_NODE):
            for call, scope in list(names.calls_by_name.get(path.rsplit(".", 1)[-1], ())):
                if not any(isinstance(v, Ext) and v.path == path for v in names.resolve(call.func, scope)):
                    continue
                for a in call.args:
                    values = names.elements(a.value, scope) if a.name == "middleware" else names.resolve(a.value, scope) if a.name in lg.WRAP_METHODS else ()
                    for v in values:
                        hooks = [v.info] if isinstance(v, Fn) else [
                            m for name in lg.WRAP_METHODS if (m := names.method(v.info, name)) is not None] if isinstance(v, Inst) else []
                        for hook in hooks:
                            out.setdefault(id(hook.fn), []).append((call, scope))
        return out

    def tool_pause(self, hook: FnInfo) -> Witness | None:
        """The pause of a tool that `handler(request)` in a hook can run: of the agents made with the hook; where these cannot be seen, of a tool nearby."""
        sites = self.hooked().get(id(hook.fn), [])
        seen = bool(sites)
        for call, scope in sites:
            for info in self.tools_of(call, scope):
                w = self.project.summaries.of(info).pause
                if w is not None:
                    return w
            review = self.project.gates.inside(hook, call, scope)
            if review is not None:
                return Witness("pause", "asks a human", "proved", "HumanInTheLoopMiddleware", (Link(
                    review.scope.module.path, review.node.at, "HumanInTheLoopMiddleware asks at each tool call"),))
            seen = seen and self.wiring.all_tools_seen(call, scope)
        return None if seen else self._near_tool_pause(hook)

    def _near_tool_pause(self, hook: FnInfo) -> Witness | None:
        """The pause of a tool that stands beside the hook, or is imported together with it: they seem to meet in one agent."""
        if self._pausing_tools is None:
            self._pausing_tools = []
            names = self.project.names
            for info in self.project.functions():
                is_tool = any(path in lg.TOOL_DECORATORS for path, _ in self.project.decorator_paths(info)) or (
                    info.cls is not None and info.name in ("_run", "_arun") and any(b in lg.BASE_TOOL for b in names.mro(info.cls) if isinstance(b, str)))
                w = self.project.summaries.of(info).pause if is_tool else None
                if w is not None:
                    self._pausing_tools.append((info.module, w))
        for module, w in self._pausing_tools:
            if module is hook.module or any(hook.module.path in seen and module.path in seen for seen in map(self._sees, self.project.names.modules.values())):
                return w
        return None

    def _sees(self, module: ModuleInfo) -> set[str]:
        """The modules that a module imports from, and itself; through the `__init__` of a package also those that it imports from."""
        found = self._seen.get(module.path)
        if found is not None:
            return found
        out = self._seen[module.path] = {module.path}
        for path in list(self.project.names.imported(module)):
            out.add(path)
            if path.endswith("__init__.py") and (package := self.project.names.modules.get(path)) is not None:
                out.update(self.project.names.imported(package))
        return out

    # ---- nested graphs
    def pause_of(self, origin: Call | None) -> Witness | None:
        """The first pause that running this graph can reach."""
        if origin is None:
            return None
        key = id(origin)
        if key in self._pause:
            return self._pause[key]
        self._pause[key] = None  # a graph that runs itself asks nothing by that alone
        before = self.project.summaries.incomplete
        found = next((w for info in self._members(origin) if (w := self.project.summaries.of(info).pause) is not None), None) or self._reviewed(origin)
        self._pause[key] = found
        if found is None and self.project.summaries.incomplete != before:
            del self._pause[key]  # answered from the middle of a cycle: to be asked again
        return found

    def _reviewed(self, origin: Call, depth: int = 0) -> Witness | None:
        """The pause of a review middleware among what an agent, or an agent that is a node of the graph, is made with."""
        for v, _, _ in self.nodes().get(id(origin), ()):
            if isinstance(v, Ext) and is_graph_path(v.path) and v.origin is not None and v.origin is not origin and depth < 4:
                w = self._reviewed(v.origin, depth + 1)
                if w is not None:
                    return w
        names = self.project.names
        for call, scope in names.calls_by_name.get(_last(origin), ()):
            if call is not origin:
                continue
            for a in call.args:
                found = ""
                if a.name == "middleware" and any(isinstance(v, Ext) and v.path.removesuffix("()") in lg.HITL_MIDDLEWARE and not self._asks_nothing(v)
                                                  for v in names.elements(a.value, scope)):
                    found = "HumanInTheLoopMiddleware"
                elif a.name == "interrupt_on" and not (type(a.value) is Const or self._all_false(a.value, scope)):
                    found = "interrupt_on"
                if found:
                    return Witness("pause", "asks a human", "proved", found, (Link(scope.module.path, a.at, f"{found} pauses here"),))
        return None

    def _asks_nothing(self, v: Ext) -> bool:
        """A review that no tool is put behind: every entry of its table is False."""
        if v.origin is None or v.scope is None:
            return False
        table = argument_of(v.origin, 0, "interrupt_on")
        return table is not None and self._all_false(table, v.scope)

    def _all_false(self, table: Any, scope: Scope) -> bool:
        if type(table) is not Dict:
            values = self.project.names.resolve(table, scope)
            if len(values) != 1 or not isinstance(values[0], Lit) or self.wiring.tables.grows(table, scope) or any(True for _ in self.project.names.stores(table, scope)):
                return False
            table = values[0].expr
        return type(table) is Dict and all(k is not None and type(v) is Const and v.value is False for k, v in zip(table.keys, table.values))

    def reviewed(self, origin: Call) -> Witness | None:
        """The pause of a review middleware that an agent, or an agent among a graph's nodes, is made with."""
        return self._reviewed(origin)

    def members(self, origin: Call) -> Iterator[FnInfo]:
        """The functions that a graph or agent runs, hooks and tools too."""
        return self._members(origin)

    def _members(self, origin: Call) -> Iterator[FnInfo]:
        """The functions that a graph runs, those of nested graphs included."""
        work, seen = [origin], {id(origin)}
        while work:
            one = work.pop()
            for v, _, _ in self.nodes().get(id(one), ()):
                if isinstance(v, Ext) and is_graph_path(v.path):
                    if v.origin is not None and id(v.origin) not in seen:
                        seen.add(id(v.origin))
                        work.append(v.origin)
                else:
                    yield from self.functions_of(v)
            for call, scope in self.project.names.calls_by_name.get(_last(one), ()):
                if call is one:
                    yield from self.tools_of(one, scope)
                    for a in one.args:
                        if a.name == "middleware":
                            for v in self.project.names.elements(a.value, scope):
                                yield from self._hooks_of(v)

    def _hooks_of(self, v: Value) -> Iterator[FnInfo]:
        """The functions of a project-own middleware that an agent runs."""
        if isinstance(v, Fn):
            yield v.info
        elif isinstance(v, Inst):
            for name in sorted(lg.MIDDLEWARE_METHODS):
                m = self.project.names.method(v.info, name)
                if m is not None:
                    yield m

    def work_of(self, origin: Call | None) -> list[Witness]:
        """The effects and model calls of a graph's nodes, for a nested graph that is run again."""
        out: list[Witness] = []
        if origin is not None:
            for info in self._members(origin):
                s = self.project.summaries.of(info)
                out += [w for w in (s.effect, s.model) if w is not None]
        return out

    def own_thread(self, call: Call, scope: Scope) -> bool:
        """Whether a nested graph is called with a config made from scratch: its own `configurable` with a thread_id."""
        return own_thread(self.project.names, call, scope) is not None

    def runs_again(self, v: Ext, call: Call, scope: Scope) -> bool:
        """A finished nested graph is restored on resume, unless compiled with `checkpointer=False` or run on a thread of its own (on which it may go on
        where it waits)."""
        if v.origin is None:
            return False
        if self.own_thread(call, scope):
            return not goes_on(self.project.names, call, scope)
        for compile_call, cscope in self.project.names.calls_by_name.get("compile", ()):
            if any(a.name == "checkpointer" and type(a.value) is Const and a.value.value is False for a in compile_call.args):
                f = compile_call.func
                base = self.project.names.resolve(f.value, cscope) if type(f).__name__ == "Attr" else ()
                if any(isinstance(b, Ext) and b.origin is v.origin for b in base):
                    return True
        return False


def _last(call: Call) -> str:
    return (dotted(call.func) or "").rsplit(".", 1)[-1]


def _const(expr: Any) -> str | None:
    return expr.value if type(expr) is Const and expr.kind == "str" else None
