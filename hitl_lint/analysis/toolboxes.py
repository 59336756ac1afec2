"""Tools that share one task: what a bare ToolNode (or `create_react_agent(version="v1")`) runs for one message, and what that does to pauses.

All calls of a message run in one task with one list of answers (TRUTH.md section 7). `create_agent` and version "v2" give each call a task of its own,
as does `Send("tools", [call])`; a model that asks for one tool at a time never has the problem.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.cfg import Point
from hitl_lint.analysis.effects import Witness
from hitl_lint.analysis.names import Ext, Fn, FnInfo, Lit, ModuleInfo, Scope, Wrapped
from hitl_lint.analysis.skipping import substitute
from hitl_lint.analysis.tables import SITE
from hitl_lint.analysis.wiring import Graph, Node, Tools
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue import surface, verbs
from hitl_lint.facts import Attr, Bin, Call, Cmp, Comp, Const, Dict, Name, Seq, Slice, Star, Sub, dotted, walk
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project


@record
class Box:
    """Tools of one task. `pausing`: for each tool that pauses the function that does; `kind` for messages: "ToolNode", "create_react_agent" or "RunnableParallel"."""

    kind: str
    tools: Tools
    pausing: tuple[FnInfo, ...]

    def copies(self, project: "Project", info: FnInfo) -> list[Call]:
        """The calls of a factory that made tools of one function in this list: `guard(create)`, `guard(cancel)`."""
        if not isinstance(info.parent.owner, FnInfo):
            return []
        made: dict[int, Call] = {}
        for a in self.tools.call.args:
            for call, scope in _items(project, a.value, self.tools.scope, 0) if a.star == 0 else ():
                if type(call) is Name and (found := project.names.lookup(call.id, scope)) is not None and len(found[0]) == 1:
                    call, scope = found[0][0].node, found[1]
                if type(call) is Call and any(f.fn is info.fn for x in project.names.resolve(call, scope) for f in project.graphs.functions_of(x)):
                    rounds = project.graphs.wiring.tables.envs((call,), scope)  # `[guard(t) for t in TOOLS]`
                    each = [substitute(call, {name: i.expr for name, i in env.items() if name != SITE and not i.parts}) for env in rounds if env] if len(rounds) > 1 else [call]
                    made.update((id(c), c) for c in each)
        return list(made.values()) if len(made) > 1 else []

    @property
    def others(self) -> list[FnInfo]:
        asks = {id(f.fn) for f in self.pausing}
        return [f for tool in self.tools.each if not any(id(f.fn) in asks for f in tool) for f in tool]


@record
class Twice:
    """An effect of a tool that is done again when a tool in the same task pauses. `own`: it is the tool that pauses, which acts after its answer."""

    box: Box
    tool: FnInfo
    call: Call
    witness: Witness
    own: bool


class Toolboxes:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names

    def boxes(self) -> Iterator[Box]:
        """Every set of tools that shares a task and holds one that pauses, where it is seen how it is run."""
        wiring = self.project.graphs.wiring
        told: set[int] = set()
        for graph in self.project.graphs.all():
            for node in graph.nodes:
                tools = node.tools
                if tools is None or id(tools.call) in told:
                    continue
                if graph.kind == "react" and graph.version == "v1":
                    kind = "create_react_agent"
                elif graph.kind in ("state", "unseen") and not self._one_task_per_call(graph, node):
                    kind = "ToolNode"
                else:
                    continue
                found = self._boxes(kind, tools)
                if found and not self._one_at_a_time(graph, tools):
                    told.add(id(tools.call))
                    yield from found
        for last in sorted(wiring.spellings(lg.TOOL_NODE)):
            for call, scope in list(self.names.calls_by_name.get(last, ())):
                if id(call) not in told and any(isinstance(v, Ext) and v.path in lg.TOOL_NODE for v in self.names.resolve(call.func, scope)):
                    tools = wiring.tools(call, scope)
                    found = self._boxes("ToolNode", tools)
                    if found and self._run_by_hand(call) and not self._one_at_a_time(None, tools):
                        yield from found

    def _boxes(self, kind: str, tools: Tools) -> list[Box]:
        return [b for one in self.project.graphs.wiring.tool_lists(tools.call, tools.scope) if (b := self._box(kind, one)) is not None]

    def _box(self, kind: str, tools: Tools) -> Box | None:
        pausing = [next((f for f in tool if self.project.summaries.of(f).pause is not None), None) for tool in tools.each]
        asks = tuple({id(f.fn): f for f in pausing if f is not None}.values())
        return Box(kind, tools, asks) if asks else None

    def parallel(self) -> Iterator[Box]:
        """`RunnableParallel` of several functions that pause."""
        for last in sorted(self.project.graphs.wiring.spellings(lg.RUNNABLE_PARALLEL) | {"RunnableMap"}):
            for call, scope in list(self.names.calls_by_name.get(last, ())):
                if not any(isinstance(v, Ext) and v.path in lg.RUNNABLE_PARALLEL for v in self.names.resolve(call.func, scope)):
                    continue
                exprs = [e for a in call.args for e in (a.value.values if type(a.value) is Dict else [a.value])]
                each = [tuple(f for v in self.names.resolve(e, scope) if isinstance(v, (Fn, Wrapped)) for f in self.project.graphs.functions_of(v)) for e in exprs]
                found = self._box("RunnableParallel", Tools(call, scope, tuple(t for t in each if t), True))
                if found is not None and len(found.pausing) > 1:
                    yield found

    # ---- what keeps the calls apart
    def _one_task_per_call(self, graph: Graph, node: Node) -> bool:
        """A router sends each call by itself, or one that cannot be seen might."""
        sends = self.project.graphs.sends(graph)
        if sends:
            return node.name is None or None in sends or node.name in sends
        return any(not b.known for b in graph.branches)

    def _run_by_hand(self, made: Call) -> bool:
        """`tool_node.invoke({"messages": …})` in a node; with a list of one call it is one task for that call all the same."""
        for method in ("invoke", "ainvoke"):
            for call, scope in list(self.names.calls_by_name.get(method, ())):
                if type(call.func) is Attr and any(isinstance(v, Ext) and v.path in surface.TOOL_NODES and v.origin is made
                                                   for v in self.names.resolve(call.func.value, scope)):
                    first = call.args[0].value if call.args else None
                    if type(first) is not Seq and self.project.in_graph(scope):
                        return True
        return False

    def _one_at_a_time(self, graph: Graph | None, tools: Tools) -> bool:
        """The model is told to ask for one tool at a time, or the code makes sure that it does: seen in a module that has to do with it."""
        modules = {id(m): m for m in (tools.scope.module, *(f.module for f in tools.functions))}
        for n in graph.nodes if graph is not None else ():
            modules.update((id(f.module), f.module) for f in n.functions)
            modules[id(n.scope.module)] = n.scope.module
        for m in modules.values():
            if says_one_tool(m):
                return True
        return False

    # ---- effects that are done twice
    def twice(self) -> Iterator[Twice]:
        """The first effect of each tool that runs again although it stands after no pause of its own, or after one that is answered."""
        told: set[int] = set()
        for box in self.boxes():
            for tool in box.others:
                found = self._effect(tool, None)
                if found is not None and id(found[0]) not in told:
                    told.add(id(found[0]))
                    yield Twice(box, tool, found[0], found[1], False)
            for tool in box.pausing:
                p = self.project.pausing_of(tool)
                found = self._effect(tool, p) if p is not None else None
                if found is not None and id(found[0]) not in told:
                    told.add(id(found[0]))
                    yield Twice(box, tool, found[0], found[1], True)

    def _effect(self, tool: FnInfo, p: "Pausing | None") -> tuple[Call, Witness] | None:
        """The first effect; in a tool that pauses the first one after its last pause (those before it are HIL101)."""
        cfg, scope = self.project.cfg(tool), self.project.names.scope(tool)
        points: list[Point] = sorted((x for x in cfg.points if x.kind == "call"), key=lambda x: x.node.at)
        after = cfg.reachable(p.pauses) if p is not None else None
        for point in points:
            if p is not None and after is not None and (point not in after or p.zone.contains(point)):
                continue
            w = self.project.effects.judge(point.node, scope).effect
            if w is not None and w.may_ask and verbs.only_asks(tool.name):
                continue  # a search by POST
            if w is not None and not self.project.replay.once(tool, point.node, w):
                return point.node, w
        return None


def _items(project: "Project", e: Any, scope: Scope, depth: int) -> Iterator[tuple[Any, Scope]]:
    """The elements of a list of tools as they are written: of a display, of lists that are joined, of names for them."""
    if type(e) is Seq:
        for x in e.elts:
            yield from _items(project, x.value, scope, depth + 1) if type(x) is Star and depth < 4 else ((x, scope),)
    elif type(e) is Bin and e.op == "+" and depth < 4:
        yield from _items(project, e.left, scope, depth + 1)
        yield from _items(project, e.right, scope, depth + 1)
    elif type(e) is Comp and e.kind != "dict":
        yield e.elt, scope
    elif type(e) is Call and dotted(e.func) in ("list", "tuple") and len(e.args) == 1 and depth < 4:
        yield from _items(project, e.args[0].value, scope, depth + 1)
    elif type(e) in (Name, Attr, Call) and depth < 4:
        for v in project.names.resolve(e, scope):
            if isinstance(v, Lit) and v.scope is not None and v.expr is not e:
                yield from _items(project, v.expr, v.scope, depth + 1)
                for item, several, where in project.names.added(v):
                    yield from _items(project, item, where, depth + 1) if several else ((item, where),)


def says_one_tool(module: ModuleInfo) -> bool:
    """Whether something in a module keeps a message of the model to one tool call."""
    return any(_one_tool(n) for stmt in module.facts.body for n in walk(stmt, into_functions=True))


def _one_tool(n: Any) -> bool:
    t = type(n)
    if t is Call:
        for a in n.args:
            if a.name == "parallel_tool_calls" and type(a.value) is Const and a.value.value is False:
                return True
            if a.name == "disable_parallel_tool_use" and type(a.value) is Const and a.value.value is True:
                return True
        return False
    if t is Dict:
        return any(type(k) is Const and (k.value, getattr(v, "value", None)) in (("parallel_tool_calls", False), ("disable_parallel_tool_use", True))
                   for k, v in zip(n.keys, n.values))
    if t is Cmp and type(n.left) is Call and dotted(n.left.func) == "len" and n.left.args:
        # `assert len(message.tool_calls) <= 1`, `if len(message.tool_calls) > 1: …`
        return _calls(n.left.args[0].value) and type(n.rights[0]) is Const and n.rights[0].value in (1, 2)
    if t is Sub and type(n.index) is Slice and _calls(n.value):
        return n.index.lower is None and type(n.index.upper) is Const and n.index.upper.value == 1
    return False


def _calls(e: Any) -> bool:
    return type(e) is Attr and e.attr == "tool_calls" or type(e) is Sub and type(e.index) is Const and e.index.value == "tool_calls"


__all__ = ["Box", "Toolboxes", "Twice", "says_one_tool"]
