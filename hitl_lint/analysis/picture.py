"""The picture of a project: its graphs that pause, and what runs again in them. Asked for by the html and mermaid reports only.

Everything in it is an answer of `graphs`, `zones`, `replay` and `effects`; here they are put side by side, in an order that does not change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, AbstractSet, Any, Callable, Iterator

from hitl_lint.analysis.cfg import Point
from hitl_lint.analysis.effects import Witness
from hitl_lint.analysis.graphs import Graphs
from hitl_lint.analysis.names import Ext, FnInfo, Lit
from hitl_lint.analysis.wiring import END, EVERY, START, Branch, Graph, Node, argument_of
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import Attr, Call, Const, Dict, dotted, text
from hitl_lint import picture as P

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

# What a handler must name to take a pause that passes.
_TAKES_PAUSES = frozenset({"Exception", "BaseException", "GraphInterrupt", "GraphBubbleUp", "NodeInterrupt"})
_MIDDLEWARE = frozenset({"HumanInTheLoopMiddleware", "interrupt_on"})
_UNKNOWN = "?"
_PARENT = "^"
# How many functions are looked at for a pause that gets lost behind one.
MAX_CALLED = 200


def picture(project: "Project", linted: AbstractSet[str]) -> P.Picture:
    """What there is to draw of the files in `linted`."""
    return _Painter(project, linted).paint()


class _Painter:
    def __init__(self, project: "Project", linted: AbstractSet[str]) -> None:
        self.project, self.linted = project, linted
        self.graphs: Graphs = project.graphs
        self.keys: dict[int, str] = {}  # of drawn graphs, by the id of the Graph
        self.functions: dict[int, P.Function] = {}
        self.left_out_functions = 0
        self.lost: dict[int, bool] = {}  # by the id of a function that pauses: whether no pause gets out of it
        self.questions: dict[int, tuple[int, int | None]] = {}  # by the id of a function that pauses, as is the next
        self.behind: dict[int, set[int]] = {}
        self.routers: dict[int, list[FnInfo]] = {}
        for source, router in self.graphs.pausing_routers():
            self.routers.setdefault(id(source.fn), []).append(router)
        self.losing_routers: dict[int, list[FnInfo]] = {}
        for graph in self.graphs.all():
            for branch in graph.branches:
                for router in (r for r in branch.routers if self._losing(r)):
                    for source in (f for n in graph.named(branch.source) for f in n.functions):
                        self.losing_routers.setdefault(id(source.fn), []).append(router)

    def paint(self) -> P.Picture:
        asking = [g for g in self.graphs.all() if g.nodes and self._here(g) and (self.graphs.pause_in(g) is not None or self._stopped(g) or self._asks(g) or self._loses(g))]
        asking.sort(key=lambda g: (g.scope.module.path, self._at(g), g.kind))
        inner = {id(n): n for g in asking for node in g.nodes if (n := self._nested(node)) is not None}
        order: list[tuple[Graph, Graph | None]] = []
        todo: list[tuple[Graph, Graph | None]] = [(g, None) for g in reversed(asking) if id(g) not in inner] or [(g, None) for g in reversed(asking[:1])]
        seen: set[int] = set()
        while todo or len(seen & {id(g) for g in asking}) < len({id(g) for g in asking}):
            if not todo:  # graphs that run each other in a circle
                todo.append((next(g for g in asking if id(g) not in seen), None))
            graph, inside = todo.pop()
            if id(graph) in seen:
                continue
            seen.add(id(graph))
            order.append((graph, inside))
            todo += [(n, graph) for node in reversed(graph.nodes) if (n := self._nested(node)) is not None]
        shown = order[:P.MAX_GRAPHS]
        for n, (graph, _) in enumerate(shown):
            self.keys[id(graph)] = f"g{n + 1}"
        drawn = tuple(self._graph(graph, inside) for graph, inside in shown)
        alone = []
        known = set(self.functions)
        for p in sorted(self.project.pausing(), key=lambda p: (p.path, p.info.fn.at)):
            if p.path in self.linted and id(p.info.fn) not in known:
                key = self._function(p.info)
                if key:
                    alone.append(key)
        return P.Picture(drawn, tuple(self.functions.values()), tuple(dict.fromkeys(alone)), len(order) - len(shown), self.left_out_functions)

    # ------------------------------------------------------------------ which graphs
    def _here(self, graph: Graph) -> bool:
        return graph.scope.module.path in self.linted or any(f.module.path in self.linted for n in graph.nodes for f in n.functions)

    @staticmethod
    def _at(graph: Graph) -> tuple[int, ...]:
        made = graph.origin if graph.origin is not None else next((x.call for x in (*graph.nodes, *graph.edges)), None)
        return tuple(made.at) if made is not None else (0, 0, 0, 0)

    def _stopped(self, graph: Graph) -> bool:
        return any(c.before is None or c.after is None or c.before or c.after for c in graph.compiles)

    def _asks(self, graph: Graph) -> bool:
        return any(self.project.summaries.of(r).pause is not None for b in graph.branches for r in b.routers)

    def _loses(self, graph: Graph) -> bool:
        """Whether a pause that nobody sees gets lost in what the graph runs."""
        runs = [f for n in graph.nodes for f in n.functions] + [r for b in graph.branches for r in b.routers]
        runs += self.graphs.members(graph.origin) if graph.origin is not None else []
        return any(self._losing(f) for f in {id(f.fn): f for f in runs}.values())

    def _losing(self, info: FnInfo) -> list[FnInfo]:
        """The functions that lose a pause when `info` runs: itself, or what it calls, where nothing on the way to them pauses."""
        out: list[FnInfo] = []
        work, seen = [info], {id(info.fn)}
        while work and len(seen) < MAX_CALLED:
            one = work.pop(0)
            p = self.project.pausing_of(one)
            if p is not None:
                out += [one] if self._lost(p) else []
                continue
            for target in self._called_by(one):
                if id(target.fn) not in seen:
                    seen.add(id(target.fn))
                    work.append(target)
        return out

    def _called_by(self, info: FnInfo) -> list[FnInfo]:
        scope = self.project.names.scope(info)
        return [t for call in scope.calls for t in self.project.judge(call, scope).targets]

    def _lost(self, p: "Pausing") -> bool:
        """Whether no pause of the function gets out of it."""
        found = self.lost.get(id(p.info.fn))
        if found is None:
            signals = self.project.signals
            around = any(o.stops for o in (*signals.around(p.info), *signals.wrapped(p.info)))
            found = self.lost[id(p.info.fn)] = around or all(self._lost_at(p, x) for x in p.pauses)
        return found

    def _lost_at(self, p: "Pausing", pause: Point) -> bool:
        return not self.project.signals.closes_over(p.info, pause.node) and not self.project.signals.leaves(p.info, p.cfg, pause)

    def _nested(self, node: Node) -> Graph | None:
        found = self.graphs.of(node.nested)
        return found if found is not None and found.nodes else None

    # ------------------------------------------------------------------ one graph
    def _graph(self, graph: Graph, inside: Graph | None) -> P.Graph:
        keys: dict[str, str] = {START: P.START, END: P.END}
        nodes: list[P.Node] = [P.Node(P.START, "START", "start")]
        grouped: dict[str, list[Node]] = {}
        for node in _written(graph.nodes):
            if node.name is None and not node.values and not node.functions:
                continue  # the error handler of set_node_defaults
            grouped.setdefault(node.name if node.name is not None else f"\0{self._label(node)}", []).append(node)
        left = max(len(grouped) - P.MAX_NODES, 0)
        before, after = self._breakpoints(graph)
        for n, (name, some) in enumerate(list(grouped.items())[:P.MAX_NODES]):
            keys[name] = f"n{n + 1}"
            stops = (name in before or EVERY in before, name in after or EVERY in after)
            nodes.append(self._node(keys[name], some, {(True, False): "before", (False, True): "after", (True, True): "both"}.get(stops, "")))
        edges: dict[tuple[str, str, str, str], P.Edge] = {}
        extra: dict[str, str] = {}

        def join(source: str | None, target: str | None, kind: str, label: str = "", asks: bool = False) -> None:
            ends = []
            for name in (source, target):
                key = keys.get(name if name is not None else _UNKNOWN)
                if key is None and left and name in grouped:
                    return  # of a node that is left out
                if key is None:
                    word = name if name is not None else _UNKNOWN
                    extra[word] = key = keys[word] = f"x{len(extra) + 1}"
                ends.append(key)
            edges.setdefault((ends[0], ends[1], kind, label), P.Edge(ends[0], ends[1], kind, label, asks))

        if graph.kind in ("agent", "react"):
            self._agent(graph, nodes, keys, join)
        elif graph.kind == "entrypoint":
            for name in [k for k in keys if k not in (START, END)]:
                join(START, name, "edge")
                join(name, END, "edge")
        elif graph.kind == "supervisor":
            nodes.insert(1, P.Node("model", "supervisor", "model"))
            keys["\0model"] = "model"
            join(START, "\0model", "edge")
            for name in [k for k in keys if k not in (START, END, "\0model")]:
                join("\0model", name, "branch", "hands over")
                join(name, "\0model", "edge")
            join("\0model", END, "branch", "done")
        else:
            self._edges(graph, grouped, join)
        for word, key in extra.items():
            label = {_UNKNOWN: "somewhere: cannot be read", _PARENT: "the graph around it"}.get(word, word)
            nodes.append(P.Node(key, label, "unknown"))
        used = {k for e in edges.values() for k in (e.source, e.target)}
        nodes.append(P.Node(P.END, "END", "end"))
        nodes = [n for n in nodes if n.kind not in ("start", "end") or n.key in used]
        index = {n.key: k for k, n in enumerate(nodes)}
        listed = sorted(edges.values(), key=lambda e: index[e.source])
        span = self.project.span(graph.scope.module, self._at(graph) if self._at(graph)[0] else (1, 1, 1, 1))  # type: ignore[arg-type]
        owner = graph.scope.owner.fn.qualname if graph.scope.kind == "function" else ""
        return P.Graph(self.keys[id(graph)], self._name(graph), graph.kind, span, owner, tuple(nodes), tuple(listed[:P.MAX_EDGES]), graph.open,
                       self.keys.get(id(inside), "") if inside is not None else "", (left, max(len(listed) - P.MAX_EDGES, 0)))

    def _name(self, graph: Graph) -> str:
        """What the graph is called where it is made: the variable of the compiled graph, else of the builder, else the function that builds it."""
        if graph.kind == "entrypoint" and graph.nodes:
            return graph.nodes[0].name or "entrypoint"
        for made, scope in [*((c.call, c.scope) for c in graph.compiles), *([(graph.origin, graph.scope)] if graph.origin is not None else [])]:
            for name, bindings in scope.bindings.items():
                if any(b.how == "value" and b.node is made for b in bindings):
                    return name
            named = next((name for name, value, _ in scope.attrs if value is made), None)
            if named is not None:
                return named
        for scope in [c.scope for c in graph.compiles] + [graph.scope]:
            if scope.kind == "function":
                return f"{scope.owner.name}()"
        return graph.kind if graph.kind != "unseen" else "graph"

    def _label(self, node: Node) -> str:
        if node.name is not None:
            return node.name
        inner = self._nested(node)
        if inner is not None:
            return self._name(inner)
        return node.functions[0].name if node.functions else "unnamed node"

    def _node(self, key: str, some: list[Node], stops: str) -> P.Node:
        first = some[0]
        inner = next((g for n in some if (g := self._nested(n)) is not None), None)
        shown: list[str] = []
        for node in some:
            for info in node.functions:
                shown += self._shown(info)
        kind = "graph" if any(n.nested is not None for n in some) else "tools" if any(n.tools is not None for n in some) else "node"
        losing = {id(f.fn) for n in some for info in n.functions for f in self._losing(info)}
        pauses = any(self.graphs.pause_of(n.nested) is not None for n in some if n.nested is not None) or any(
            self.project.summaries.of(f).pause is not None and id(f.fn) not in losing for n in some for f in n.functions)
        return P.Node(key, self._label(first), kind, pauses, stops, tuple(dict.fromkeys(shown)), self.keys.get(id(inner), "") if inner is not None else "",
                      self.project.span(first.scope.module, first.call.at), bool(losing) and not pauses)

    def _breakpoints(self, graph: Graph) -> tuple[set[str], set[str]]:
        out: tuple[set[str], set[str]] = set(), set()
        for c in graph.compiles:
            for found, names in zip(out, (c.before, c.after)):
                found |= {n for n in names or () if n is not None}
        for run in self.graphs.runs():
            for a in run.call.args if run.graph is graph else ():
                if a.name in ("interrupt_before", "interrupt_after"):
                    out[a.name == "interrupt_after"].update(n for n in self.graphs.wiring.names_in(a.value, run.scope) or () if n is not None)
        return out

    def _agent(self, graph: Graph, nodes: list[P.Node], keys: dict[str, str], join: Any) -> None:
        nodes.insert(1, P.Node("model", "model", "model"))
        keys["\0model"] = "model"
        asked = "\0model"
        join(START, asked, "edge")
        join(asked, END, "branch", "no tool call")
        w = self.graphs.pause_of(graph.origin)
        if w is not None and w.callee in _MIDDLEWARE:
            nodes.insert(2, P.Node("review", w.callee, "node", True))
            keys["\0review"] = "review"
            join(asked, "\0review", "branch", "tool calls")
            join("\0review", asked, "goto", "rejected")
            asked = "\0review"
        hooks = [key for info in self.graphs.members(graph.origin) if self._own_hook(graph, info) for key in self._shown(info)] if graph.origin is not None else []
        if hooks:
            lost = all(f.lost for f in self.functions.values() if f.key in hooks)
            nodes.insert(2, P.Node("hooks", "middleware", "node", not lost, functions=tuple(dict.fromkeys(hooks)), lost=lost))
            keys["\0hooks"] = "hooks"
            join(asked, "\0hooks", "branch", "" if asked != "\0model" else "around calls")
            asked = "\0hooks"
        join(asked, "tools", "branch", "tool calls" if asked == "\0model" else "")
        join("tools", "\0model", "edge")

    def _own_hook(self, graph: Graph, info: FnInfo) -> bool:
        return all(f.fn is not info.fn for n in graph.nodes for f in n.functions)

    # ------------------------------------------------------------------ edges
    def _edges(self, graph: Graph, grouped: dict[str, list[Node]], join: Any) -> None:
        for edge in _written(graph.edges):
            for source in edge.sources:
                join(source, edge.target, "edge", "waits for all" if len(edge.sources) > 1 else "")
        for branch in _written(graph.branches):
            self._branch(branch, join)
        for name, some in grouped.items():
            for info in dict.fromkeys(f for n in some if n.tools is None for f in n.functions):
                for goto in self.graphs.gotos(info):
                    if goto.ways == ():
                        continue
                    sends = self._sends(info)
                    for target in goto.targets if goto.targets is not None else (None,):
                        if goto.leaves:
                            join(name, _PARENT, "goto", target or "")
                        else:
                            join(name, target, "send" if target in sends else "goto")

    def _branch(self, branch: Branch, join: Any) -> None:
        names = ", ".join(dict.fromkeys(r.name if r.name != "<lambda>" else "lambda" for r in branch.routers))
        asks = any(self.project.summaries.of(r).pause is not None for r in branch.routers)
        if asks:
            names = names or "the path function"
        found: list[tuple[str | None, str]] = list(self._mapped(branch))
        sends: set[str | None] = set().union(*(self._sends(r) for r in branch.routers))
        if not found and branch.targets is not None:
            found = [(t, "") for t in branch.targets]
        if not found and any(isinstance(v, Ext) and v.path.rsplit(".", 1)[-1] == "tools_condition" for v in branch.values or self._called(branch)):
            found = [("tools", "tool calls"), (END, "none")]
        if not found:
            found = [(t, "") for r in branch.routers for t in self.graphs.chosen(branch, r)]
        for target, label in found or [(None, "")]:
            join(branch.source, target, "send" if target in sends else "branch", label or names, asks)
        for target in sorted(t for t in sends if t is not None and all(t != f for f, _ in found)):
            join(branch.source, target, "send", names, asks)

    def _called(self, branch: Branch) -> tuple[Any, ...]:
        path = argument_of(branch.call, 0 if branch.source == START and _method(branch.call) == "set_conditional_entry_point" else 1, "path")
        return tuple(self.project.names.resolve(path, branch.scope)) if path is not None else ()

    def _mapped(self, branch: Branch) -> Iterator[tuple[str | None, str]]:
        """(target, what the router answers for it) of a path map that is a dict."""
        first = 0 if _method(branch.call) == "set_conditional_entry_point" else 1
        table = argument_of(branch.call, first + 1, "path_map")
        if table is None or branch.targets is None:
            return
        for v in self.project.names.resolve(table, branch.scope):
            if isinstance(v, Lit) and type(v.expr) is Dict and len(v.expr.keys) == len(branch.targets):
                for key, target in zip(v.expr.keys, branch.targets):
                    word = "" if key is None else str(key.value) if type(key) is Const else text(key, 40)
                    yield target, "" if word == target or target == END and word == "END" else word
                return

    def _sends(self, info: FnInfo) -> set[str | None]:
        scope = self.project.names.scope(info)
        out: set[str | None] = set()
        for call in scope.calls:
            if (dotted(call.func) or "").rsplit(".", 1)[-1] == "Send" and any(
                    isinstance(v, Ext) and v.path in lg.SEND for v in self.project.names.resolve(call.func, scope)):
                ways = self.graphs.ways(argument_of(call, 0, "node"), scope)
                out |= {n for way in ways for n in way} if ways else {None}
        return out

    # ------------------------------------------------------------------ functions
    def _shown(self, info: FnInfo) -> list[str]:
        """The keys of a node's function, if something in it can run again, and of the functions that it asks through; its own comes first."""
        out: list[str] = []
        work: list[tuple[FnInfo, bool]] = [(info, False)]
        seen: set[int] = set()
        while work and len(out) < 20:
            one, helper = work.pop(0)
            if id(one.fn) in seen:
                continue
            seen.add(id(one.fn))
            key = self._function(one, helper)
            if key:
                out.append(key)
            p = self.project.pausing_of(one)
            for pause in p.pauses if p is not None else ():
                work += [(t, True) for t in p.judged[pause.id].targets if self.project.summaries.of(t).pause is not None] if p is not None else []
            work += [(r, True) for r in self.routers.get(id(one.fn), ())]
            work += [(f, True) for t in self._called_by(one) for f in self._losing(t)]
            work += [(f, True) for r in self.losing_routers.get(id(one.fn), ()) for f in self._losing(r)]
        return out

    def _function(self, info: FnInfo, helper: bool = False) -> str:
        found = self.functions.get(id(info.fn))
        if found is not None:
            return found.key
        p = self.project.pausing_of(info)
        routers = [] if self.project.is_task(info) else self.routers.get(id(info.fn), [])
        if p is None and not routers:
            return ""
        if len(self.functions) >= P.MAX_FUNCTIONS:
            self.left_out_functions += 1
            return ""
        key = f"f{len(self.functions) + 1}"
        pauses = tuple(self._pause(p, x) for x in p.pauses) if p is not None else ()
        lost = p is not None and self._lost(p)
        again = None if lost else p  # what nobody is asked by is no reason to run again
        lines, left = self._lines(info, again, bool(routers))
        self.functions[id(info.fn)] = P.Function(
            key, info.dotted, self.project.span(info.module, info.fn.whole), lines, pauses, tuple(self._costs(info, again, bool(routers))),
            ", ".join(r.name for r in routers), helper, left, lost and not routers)
        return key

    def _line(self, info: FnInfo, number: int) -> int:
        return self.project.span(info.module, (number, 1, number, 1)).line

    def _pause(self, p: "Pausing", pause: Point) -> P.Pause:
        w = p.witness(pause)
        at = self.project.span(p.info.module, pause.node.at)
        return P.Pause(at.line, at.column, text(pause.node.func, 60), w.nested, self.project.steps(w) if p.judged[pause.id].targets or w.nested else (),
                       self._lost(p) or self._lost_at(p, pause))

    def _lines(self, info: FnInfo, p: "Pausing | None", asked_after: bool) -> tuple[tuple[P.Line, ...], int]:
        """The lines with code on them. A line counts as what on it runs most often."""
        extra = int(asked_after)  # the router's pause, behind all of the function
        counted = self._counter(p) if p is not None else None
        leaving = _leaving(p) if p is not None else set()
        pausing = {id(x) for x in p.zone.pauses} if p is not None else set()
        # A step of a `finally` body has a point for each way through it, and a `with` one for each end: those are ways of one step.
        steps: dict[tuple[int, str], list[Point]] = {}
        for point in self.project.cfg(info).points:
            at = getattr(point.node, "at", None)
            if at is not None and at[0] and point.kind not in ("entry", "exit", "raised", "reraise"):
                steps.setdefault((id(point.node), point.kind if point.kind in ("call", "test", "await", "yield") else ""), []).append(point)
        found: dict[int, tuple[int, int | None, bool, bool, set[int]]] = {}
        first, last = info.fn.whole[0], info.fn.whole[2]
        for points in steps.values():
            counts = [counted(point) for point in points] if counted is not None else [(0, 0, False)]
            least = min(c[0] for c in counts)
            most = None if any(c[1] is None for c in counts) else max(c[1] or 0 for c in counts)
            grows, left = any(c[2] for c in counts), any(point.id in leaving for point in points)
            asked = {self._line(info, x.node.at[0]) for point in points for x in (*(p.zone.ahead(point) if p is not None else ()), *([point] if id(point) in pausing else ()))}
            node = points[0].node
            end = node.at[0] if hasattr(node, "body") or type(node).__name__ in ("Def", "ClassStmt", "Try", "Lambda") else node.at[2]
            for n in range(max(node.at[0], first), min(end, last) + 1):
                old = found.get(n)
                if old is not None:
                    higher = None if old[1] is None or most is None else max(old[1], most)
                    found[n] = (max(old[0], least), higher, old[2] or grows, old[3] or left, old[4] | asked)
                else:
                    found[n] = (least, most, grows, left, asked)
        numbers = sorted(found)
        lines = []
        for n in numbers[:P.MAX_LINES]:
            least, most, grows, left, asked = found[n]
            lines.append(P.Line(self._line(info, n), 1 + least + extra, None if most is None else 1 + most + extra, grows, left, tuple(sorted(asked))))
        return tuple(lines), max(len(numbers) - P.MAX_LINES, 0)

    def _counter(self, p: "Pausing") -> Callable[[Point], tuple[int, int | None, bool]]:
        """How many questions are ahead of a point of the function: those that a helper asks, and those of another round where it calls itself, directly
        or by others."""
        asks: dict[int, tuple[int, int | None]] = {}
        anew: set[int] = set()
        for pause in p.zone.pauses:
            targets = self._asking(p, pause)
            if any(p.info.fn is t.info.fn or id(p.info.fn) in self._behind(t) for t in targets):
                anew.add(pause.id)
            elif targets and not p.witness(pause).nested:
                counts = [self._questions(t) for t in targets]
                asks[pause.id] = min(least for least, _ in counts), None if any(most is None for _, most in counts) else max(most or 0 for _, most in counts)
        return p.zone.counter(asks, anew)

    def _questions(self, p: "Pausing") -> tuple[int, int | None]:
        """(fewest, most) that one run of the function asks, None for no limit."""
        found = self.questions.get(id(p.info.fn))
        if found is None:
            least, most, _ = self._counter(p)(p.cfg.entry)
            # That it asks is known, be it by a way that is not counted.
            found = self.questions[id(p.info.fn)] = least, None if most is None else max(most, 1)
        return found

    def _asking(self, p: "Pausing", pause: Point) -> list["Pausing"]:
        """The functions of the project that a pause of `p` asks through."""
        return [t for info in p.judged[pause.id].targets if (t := self.project.pausing_of(info)) is not None]

    def _behind(self, p: "Pausing") -> set[int]:
        """The ids of all functions that `p` asks through, directly or by others."""
        found = self.behind.get(id(p.info.fn))
        if found is None:
            found = self.behind[id(p.info.fn)] = set()
            work = [p]
            while work:
                one = work.pop()
                for t in (t for pause in one.pauses for t in self._asking(one, pause)):
                    if id(t.info.fn) not in found:
                        found.add(id(t.info.fn))
                        work.append(t)
        return found

    def _costs(self, info: FnInfo, p: "Pausing | None", asked_after: bool) -> Iterator[P.Cost]:
        scope = self.project.names.scope(info)
        cfg = self.project.cfg(info)
        again = {(kind, id(a.call)) for kind in ("model", "effect") for a in (self.project.replayed(p, kind) if p is not None else ())}
        once_more = {(kind, id(call)) for kind in ("model", "effect") for source, call, w, _ in (self.project.replay.before_routers(kind) if asked_after else ())
                     if source.fn is info.fn and (kind == "model" or not self.project.replay.once(info, call, w))}
        rows = []
        for call in scope.calls:
            if not cfg.at(call):
                continue
            j = self.project.judge(call, scope)
            at = self.project.span(info.module, call.at)
            if any(self.project.is_restored(t) for t in j.targets) and j.pause is None:
                rows.append(P.Cost("kept", "is a @task: its result is kept, it does not run again", at.line, at.column, text(call.func, 60), False, True))
                continue
            for kind in ("model", "effect"):
                w: Witness | None = getattr(j, kind)
                if w is not None and not (j.pause is not None and j.targets and len(w.links) > 1):
                    rows.append(P.Cost(kind, w.what, at.line, at.column, text(call.func, 60), (kind, id(call)) in again | once_more, w.proved, self.project.steps(w)))
                elif w is not None:
                    rows.append(P.Cost(kind, f"{w.what}, in what it calls", at.line, at.column, text(call.func, 60), (kind, id(call)) in again | once_more, w.proved,
                                       self.project.steps(w)))
        yield from sorted(rows, key=lambda c: (c.line, c.column, c.kind))


def _written(parts: list[Any]) -> list[Any]:
    """Nodes or edges in the order of the text: a chain of calls is read from its end."""
    files = {path: n for n, path in enumerate(dict.fromkeys(x.scope.module.path for x in parts))}
    return sorted(parts, key=lambda x: (files[x.scope.module.path], x.call.at[2:]))


def _method(call: Call) -> str:
    return call.func.attr if type(call.func) is Attr else ""


def _leaving(p: "Pausing") -> set[int]:
    """The ids of the points that run while a pause leaves the function: `finally` bodies, and handlers that take it."""
    out: set[int] = set()
    stack = [edge.to for pause in p.zone.pauses for edge in pause.succ if edge.kind == "exc"]
    while stack:
        point = stack.pop()
        if point.id in out:
            continue
        out.add(point.id)
        for edge in point.succ:
            if point.kind == "dispatch" and edge.to.kind == "handler" and not _takes(edge.to.node):
                continue
            stack.append(edge.to)
    return out


def _takes(handler: Any) -> bool:
    kinds = [handler.type] if handler.type is None or not hasattr(handler.type, "elts") else handler.type.elts
    return any(k is None or (dotted(k) or "").rsplit(".", 1)[-1] in _TAKES_PAUSES for k in kinds)


__all__ = ["picture"]
