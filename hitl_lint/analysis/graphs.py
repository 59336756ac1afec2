"""Graph wiring: which functions a LangGraph graph, agent or tool node runs, and whether a nested graph pauses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.effects import Link, Witness
from hitl_lint.analysis.names import Cls, Ext, Fn, FnInfo, Inst, Lit, Scope, Value, Wrapped, is_graph_path
from hitl_lint.analysis.threads import own_thread
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue import surface
from hitl_lint.facts import Call, Const, Dict, Seq, dotted

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project


class Graphs:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.reset()

    def reset(self) -> None:
        self._nodes: dict[int, list[tuple[Value, Call, Scope]]] | None = None
        self._pause: dict[int, Witness | None] = {}
        self._unknown: list[Value] = []
        self._seen: dict[str, set[str]] = {}
        self._roots: set[int] | None = None
        self._hooked: dict[int, list[tuple[Call, Scope]]] | None = None
        self._pausing_tools: list[tuple[ModuleInfo, Witness]] | None = None

    # ---- nodes
    def nodes(self) -> dict[int, list[tuple[Value, Call, Scope]]]:
        """By the id of the builder's constructor call (0: builder not seen): what is registered as a node or router, and where."""
        if self._nodes is not None:
            return self._nodes
        out: dict[int, list[tuple[Value, Call, Scope]]] = {}
        self._nodes = out
        names = self.project.names
        for method in surface.NODE_METHODS:
            for call, scope in list(names.calls_by_name.get(method, ())):
                if type(call.func).__name__ != "Attr":
                    continue
                keys = {id(v.origin) for v in names.resolve(call.func.value, scope)
                        if isinstance(v, Ext) and v.origin is not None and v.path.split("(")[0] in surface.BUILDERS} or {0}
                for expr in self._handed(call, method):
                    for v in self._callables(expr, scope):
                        for key in keys:
                            out.setdefault(key, []).append((v, call, scope))
        return out

    def _handed(self, call: Call, method: str) -> Iterator[Any]:
        plain = [a.value for a in call.args if a.name is None and not a.star]
        named = {a.name: a.value for a in call.args if a.name}
        if method == "add_node":
            yield from plain[:2]
            if "action" in named:
                yield named["action"]
            if "error_handler" in named:
                yield named["error_handler"]
        elif method == "add_sequence":
            for p in plain[:1]:
                if type(p).__name__ == "Seq":
                    for e in p.elts:
                        yield from e.elts if type(e).__name__ == "Seq" else [e]
        elif method == "add_conditional_edges":
            yield from plain[1:2]
            if "path" in named:
                yield named["path"]
        else:
            yield from plain[:1]

    def _callables(self, expr: Any, scope: Scope) -> Iterator[Value]:
        for v in self.project.names.resolve(expr, scope):
            if isinstance(v, (Fn, Wrapped, Inst)) or (isinstance(v, Ext) and (is_graph_path(v.path) or v.path in surface.TOOL_NODES)):
                yield v

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
                m = self.project.names.method(v.info, name)
                if m is not None:
                    yield m
        elif isinstance(v, Ext) and v.path in surface.TOOL_NODES and v.origin is not None and v.scope is not None:
            yield from self.tools_of(v.origin, v.scope)

    def tools_of(self, call: Call, scope: Scope) -> Iterator[FnInfo]:
        """The functions of the tools that a ToolNode or an agent is made with."""
        names = self.project.names
        for n, a in enumerate(call.args):
            if a.name == "tools" or (a.name is None and not a.star and n <= 1):
                for v in names.elements(a.value, scope):
                    yield from self.functions_of(v)

    def registered(self, info: FnInfo) -> tuple[str | None, str | None]:
        """(node name, builder as written) of the first `add_node` that registers a function; None where it is not seen."""
        for entries in self.nodes().values():
            for v, call, _ in entries:
                if dotted(call.func) is None and type(call.func).__name__ != "Attr":
                    continue
                if call.func.attr == "add_node" and any(f.fn is info.fn for f in self.functions_of(v)):
                    name = _const(call.args[0].value) if call.args else None
                    return name or info.name, dotted(call.func.value)
        return None, None

    def pausing_routers(self) -> Iterator[tuple[FnInfo, FnInfo]]:
        """(node function, router function) for every conditional edge whose path function pauses."""
        names = self.project.names
        for call, scope in list(names.calls_by_name.get("add_conditional_edges", ())):
            if type(call.func).__name__ != "Attr" or not call.args:
                continue
            routers = [f for e in self._handed(call, "add_conditional_edges") for v in self._callables(e, scope) for f in self.functions_of(v)
                       if self.project.summaries.of(f).pause is not None]
            if not routers:
                continue
            source = call.args[0].value
            name = _const(source)
            keys = {id(v.origin) for v in names.resolve(call.func.value, scope) if isinstance(v, Ext) and v.origin is not None}
            found: list[FnInfo] = []
            for key in keys or {0}:
                for v, registered, _ in self.nodes().get(key, ()):
                    if type(registered.func).__name__ == "Attr" and registered.func.attr == "add_node":
                        first = registered.args[0].value if registered.args else None
                        known = _const(first)
                        for f in self.functions_of(v):
                            if (known or f.name) == name and f not in found:
                                found.append(f)
            for f in found:
                yield f, routers[0]

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
            seen = seen and self._all_tools_seen(call, scope)
        return None if seen else self._near_tool_pause(hook)

    def _all_tools_seen(self, call: Call, scope: Scope) -> bool:
        for n, a in enumerate(call.args):
            if a.name == "tools" or (a.name is None and n == (0 if (dotted(call.func) or "").endswith("ToolNode") else 1)):
                for v in self.project.names.resolve(a.value, scope):
                    if isinstance(v, Lit) and type(v.expr) is Seq:
                        return all(self.project.names.resolve(e, v.scope) for e in v.expr.elts)
                return False
        return False

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
        self._pause[key] = None
        for info in self._members(origin):
            w = self.project.summaries.of(info).pause
            if w is not None:
                self._pause[key] = w
                break
        if self._pause[key] is None:
            self._pause[key] = self._reviewed(origin)
        return self._pause[key]

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
                if a.name == "middleware" and any(isinstance(v, Ext) and v.path.removesuffix("()") in lg.HITL_MIDDLEWARE for v in names.elements(a.value, scope)):
                    found = "HumanInTheLoopMiddleware"
                elif a.name == "interrupt_on" and not (type(a.value) is Const or type(a.value) is Dict and not a.value.keys):
                    found = "interrupt_on"
                if found:
                    return Witness("pause", "asks a human", "proved", found, (Link(scope.module.path, a.at, f"{found} pauses here"),))
        return None

    def _members(self, origin: Call) -> Iterator[FnInfo]:
        for v, _, _ in self.nodes().get(id(origin), ()):
            if isinstance(v, Ext) and is_graph_path(v.path):
                if v.origin is not None and v.origin is not origin:
                    yield from self._members(v.origin)
            else:
                yield from self.functions_of(v)
        for call, scope in self.project.names.calls_by_name.get(_last(origin), ()):
            if call is origin:
                yield from self.tools_of(origin, scope)
                for a in origin.args:
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
        """A finished nested graph is restored on resume, unless compiled with `checkpointer=False` or run on a thread of its own."""
        if v.origin is None:
            return False
        if self.own_thread(call, scope):
            return True
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
