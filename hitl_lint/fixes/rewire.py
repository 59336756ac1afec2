"""Puts a node in front of another one in a graph: whatever led to the old node now leads to the new one, which leads to the old one.

Works on `analysis.wiring`. Refused wherever a way to the old node may exist that cannot be read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.names import Ext, Fn, FnInfo, Lit, Scope
from hitl_lint.analysis.wiring import END, EVERY, START, Graph, Node, argument_of
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import Assign, Attr, BoolOp, Call, Const, Dict, Expr, ExprStmt, IfExp, ImportName, Name, Return, Seq, Sub, dotted, walk
from hitl_lint.finding import Edit
from hitl_lint.fixes.desk import Desk, Refused

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

NOT_COPIED = frozenset({"node", "action", "destinations"})


@dataclass(slots=True, eq=False)
class Place:
    """Where a function is registered: the one node of the one graph. `sequence` is its element in `add_sequence`, else None."""

    graph: Graph
    node: Node
    sequence: Any = None


def place_of(project: "Project", info: FnInfo) -> Place:
    """Where a function is a node. Refused unless that is one place in a graph that can be seen whole."""
    found = [(g, n) for g in project.graphs.all() for n in g.nodes if any(f.fn is info.fn for f in n.functions)]
    if not found:
        raise Refused(f"{info.name}() is not seen to be added to a graph: split it by hand, where its node is registered")
    if len({id(n.call) for _, n in found}) > 1 or len(found) > 1:
        raise Refused(f"{info.name}() is registered in more than one place: split it by hand, for each of its nodes")
    graph, node = found[0]
    if graph.kind != "state" or graph.origin is None:
        raise Refused(f"the builder to which {info.name}() is added is not in sight: split it by hand, where the graph is built")
    if node.tools is not None or node.nested is not None or not _is_builder_call(node.call):
        raise Refused("")
    if node.name is None or sum(n.call is node.call for n in graph.nodes) > 1 and node.call.func.attr != "add_sequence":
        raise Refused("the node's name is not written down where it is registered: split it by hand")
    if graph.open or any(n.name is None for n in graph.nodes):
        raise Refused("parts of the graph are out of sight, so that not every way to the node is known: split it by hand")
    sequence = None
    if node.call.func.attr == "add_sequence":
        sequence = _element(project, node, info)
    return Place(graph, node, sequence)


def alone(project: "Project", place: Place) -> None:
    """Refused where another node may run in the same step: one more step here and what joins the two runs twice, or sees another state."""
    graph, old = place.graph, place.node.name
    together: dict[str | None, list[set[str | None]]] = {}
    onward: dict[str | None, set[str | None]] = {}
    for edge in graph.edges:
        for source in edge.sources:
            # A node that waits for several is no longer beside any of them.
            if len(edge.sources) == 1:
                onward.setdefault(source, set()).add(edge.target)
            together.setdefault(source, []).append({edge.target})
    for branch in graph.branches:
        targets = set(branch.targets or ())
        if branch.targets is None:
            targets = {n.value for r in branch.routers for s in r.fn.body for x in walk(s) if type(x) is Return and x.value is not None
                       for n in walk(x.value) if type(n) is Const and n.kind == "str"}
        onward.setdefault(branch.source, set()).update(targets)
        together.setdefault(branch.source, []).append(targets)
        if any(type(n) is Seq and n.kind == "list" and len(n.elts) > 1 for r in branch.routers for s in r.fn.body for x in walk(s) if type(x) is Return for n in walk(x)):
            together[branch.source].append(targets)
    for node in graph.nodes:
        gotos = [goto for f in node.functions for goto in project.graphs.gotos(f) if not goto.leaves]
        targets = {t for goto in gotos for t in goto.targets or ()}
        if targets:  # one return or another; beside a static edge, or as a list, all of them
            onward.setdefault(node.name, set()).update(targets)
            together.setdefault(node.name, []).append(targets)
            if any(len(way) > 1 for goto in gotos for way in goto.ways or ()):
                together[node.name].append(targets)
    for source, sets in together.items():
        if len(sets) < 2:
            continue
        for n, some in enumerate(sets):
            others = {t for m, ts in enumerate(sets) if m != n for t in ts} - {END}
            if any(_leads(t, old, onward) for t in some) and (beside := next((t for t in others if not _leads(t, old, onward)), None)) is not None:
                raise Refused(f'the node "{beside}" can run beside it, and what follows on both would come too early: split it by hand')


def _leads(start: str | None, end: str | None, onward: dict[str | None, set[str | None]]) -> bool:
    seen: set[str | None] = set()
    work = [start]
    while work:
        n = work.pop()
        if n == end:
            return True
        if n not in seen:
            seen.add(n)
            work += onward.get(n, ())
    return False


def _is_builder_call(call: Any) -> bool:
    return type(call) is Call and type(call.func) is Attr and call.func.attr in ("add_node", "add_sequence")


def _element(project: "Project", node: Node, info: FnInfo) -> Any:
    table = argument_of(node.call, 0, "nodes")
    for e in table.elts if type(table) is Seq else ():
        action = e.elts[1] if type(e) is Seq and len(e.elts) == 2 else e
        if any(isinstance(v, Fn) and v.info.fn is info.fn for v in project.names.resolve(action, node.scope)):
            return e
    raise Refused("the list of nodes is made elsewhere: split the node by hand")


class Rewire:
    """The edits that put new nodes in front of `place.node`. `chain`: (node, function) of each in their order, the function as a name beside the old one;
    `linked`: each leads to the next by a static edge, otherwise by the `Command` that it returns; `factory`: the function whose call is registered,
    where that makes the node (the chain then names such functions, too); `sent`: tasks come to it by Send, and go on by it."""

    def __init__(self, desk: Desk, place: Place, info: FnInfo, chain: list[tuple[str, str]], linked: bool,
                 factory: FnInfo | None = None, sent: bool = False) -> None:
        self.desk = desk
        self.project = desk.project
        self.names = desk.project.names
        self.place = place
        self.info = info
        self.old = place.node.name or ""
        self.new = chain[0][0]
        self.chain = chain
        self.linked = linked
        self.factory = factory
        self.sent = sent
        self._done: set[tuple[str, Any]] = set()
        self._edits: list[Edit] = []

    def edits(self) -> list[Edit]:
        graph = self.place.graph
        self._register()
        for edge in graph.edges:
            if edge.target == self.old and not self._within_sequence(edge.call):
                self._once(edge.call, [e.call for e in graph.edges])
                name = edge.call.func.attr
                self._rename(argument_of(edge.call, 0, "key") if name == "set_entry_point" else argument_of(edge.call, 1, "end_key"), edge.scope)
            elif edge.target is None:
                raise Refused("an edge leads to a node whose name cannot be read: split it by hand")
        for branch in graph.branches:
            self._branch(branch)
        mine = {id(f.fn) for n in graph.nodes for f in n.functions}
        for node in graph.nodes:
            for f in node.functions:
                self._gotos(f)
            shown = node.keywords.get("destinations")
            if shown is not None and node is not self.place.node:
                for e in walk(shown):
                    if type(e) is Const and e.value == self.old:
                        self._put(e, node.scope, f'"{self.new}"')
        for c in graph.compiles:
            self._breakpoints(c.call, c.scope)
        for run in self.project.graphs.runs():
            if run.graph is graph:
                self._breakpoints(run.call, run.scope)
        self._from_elsewhere(mine | {id(r.fn) for b in graph.branches for r in b.routers})
        return self._edits

    def leave_by_command(self) -> list[Edit]:
        """Takes out the static edges from the old node, which now says itself where it goes."""
        out: list[Edit] = []
        for edge in self.place.graph.edges:
            if self.old in edge.sources:
                if len(edge.sources) > 1 or self._within_sequence(edge.call):
                    raise Refused("the edge from the node belongs to others as well: split it by hand")
                self._once(edge.call, [e.call for e in self.place.graph.edges])
                out.append(self._without(edge.call, edge.scope))
        return out

    def _without(self, call: Call, scope: Scope) -> Edit:
        """The call out of its chain, or its statement taken away."""
        sheet = self.desk.sheet(scope.module.path)
        stmt = self._statement(call, scope)
        if stmt is not None:
            return sheet.delete_lines(stmt.at[0], stmt.at[2])
        base = call.func.value
        return sheet.edit((base.at[2], base.at[3], call.at[2], call.at[3]), "")

    # ---- the new node
    def _register(self) -> None:
        node, sheet = self.place.node, self.desk.sheet(self.place.node.scope.module.path)
        actions = [self._action(function) for _, function in self.chain]
        if self.place.sequence is not None:
            if not self.linked:
                raise Refused("the node returns before the pause and stands in add_sequence, whose edges are followed all the same: split it by hand")
            e = self.place.sequence
            element = "".join(f'("{new}", {action}), ' if type(e) is Seq else f"{action}, " for (new, _), action in zip(self.chain, actions))
            line, col = e.at[:2]
            if type(e) is Seq:  # the span of a tuple is that of what is in it
                col = sheet.line(line)[: col - 1].rfind("(") + 1
                if not col:
                    raise Refused("the list of nodes is written in a way that cannot be changed: split the node by hand")
            self._edits.append(sheet.edit((line, col, line, col), element))
            return
        call = node.call
        parts = []
        for (new, _), action in zip(self.chain, actions):
            given = [action] if type(call.args[0].value) is not Const and argument_of(call, 1, "action") is None else [f'"{new}"', action]
            given += [f"{a.name}={sheet.slice(a.value.at)}" for a in call.args if a.name and a.name not in NOT_COPIED]
            parts.append(f".add_node({', '.join(given)})")
        if self.linked:
            names = [*(new for new, _ in self.chain), self.old]
            parts += [f'.add_edge("{a}", "{b}")' for a, b in zip(names, names[1:])]
        stmt = self._statement(call, node.scope)
        if stmt is not None:
            receiver = sheet.slice(call.func.value.at)
            indent = sheet.indent(stmt.at[0])
            self._edits.append(sheet.insert_after(call.at[2], "".join(f"{indent}{receiver}{part}\n" for part in parts)))
            return
        base = call.func.value
        dot = (call.func.at[2], call.func.at[3] - len(call.func.attr) - 1)
        between = sheet.slice((base.at[2], base.at[3], *dot))
        if "#" in between or between.strip(" \t\n\\)"):
            raise Refused("the call that registers the node stands in a chain with comments in it: split it by hand")
        broken = between[between.rindex("\n"):] if "\n" in between and "\\" not in between else ""
        end = (call.at[2], call.at[3], call.at[2], call.at[3])
        self._edits.append(sheet.edit(end, "".join(broken + part for part in parts)))

    def _statement(self, call: Call, scope: Scope) -> ExprStmt | None:
        """The statement that the registration is, where it is one by itself on lines of its own."""
        sheet = self.desk.sheet(scope.module.path)
        for s in walk(scope.module.facts, into_functions=True):
            if type(s) is ExprStmt and s.value is call:
                alone = sheet.line(s.at[0])[: s.at[1] - 1].strip() == "" and sheet.line(s.at[2])[s.at[3] - 1 :].split("#")[0].strip() == ""
                if not alone:
                    raise Refused("the line that registers the node holds more than that: put it on a line of its own")
                return s
            if type(s) is Assign and s.value is not None and any(n is call for n in walk(s.value)) or type(s) is Return and s.value is not None and any(n is call for n in walk(s.value)):
                return None
            if type(s) is ExprStmt and any(n is call for n in walk(s.value)):
                return None
        return None

    def _action(self, function: str) -> str:
        """What stands for the node's function where it is registered, with the new function's name in place of the old one's."""
        node = self.place.node
        sheet = self.desk.sheet(node.scope.module.path)
        if self.place.sequence is not None:
            e = self.place.sequence
            action = e.elts[1] if type(e) is Seq and len(e.elts) == 2 else e
        else:
            second = argument_of(node.call, 1, "action")
            action = second if second is not None else argument_of(node.call, 0, "node")
        named = self.factory or self.info
        spot = [n for n in walk(action) if type(n) in (Name, Attr) and any(
            isinstance(v, Fn) and v.info.fn is named.fn for v in self.names.resolve(n, node.scope))]
        if len(spot) != 1 or (type(action) is Call and spot[0] is action.func) is not (self.factory is not None):
            raise Refused(f"{self.info.name}() is not registered by its name: split it by hand")
        if type(action) is Call and self.factory is None and any(a.value is not spot[0] and (a.name is None or a.name in self._first_params()) for a in action.args):
            raise Refused(f"{self.info.name}() is registered with some of its arguments: split it by hand")
        for call in (n for n in walk(action) if type(n) is Call):
            if any(type(n) not in (Name, Attr, Const, Seq, Dict) for a in call.args for n in walk(a.value)):
                raise Refused(f"what {self.info.name}() is made with would be made twice: give it a name in front, then the node can be split")
        target = spot[0]
        last = target.attr if type(target) is Attr else target.id
        if type(target) is Name:
            if last != named.name:
                raise Refused(f"{self.info.name}() is registered under another name: split it by hand")
            self._import(target.id, function, node.scope)
        elif last != named.name:
            raise Refused(f"{self.info.name}() is registered under another name: split it by hand")
        text = sheet.slice(action.at)
        if "\n" in text:
            raise Refused("what registers the node goes over several lines: split it by hand")
        start = target.at[3] - len(last) - action.at[1]
        return text[:start] + function + text[start + len(last) :]

    def _first_params(self) -> set[str]:
        params = [p.name for p in self.info.fn.params if p.kind in ("any", "pos")]
        return set(params[: 2 if self.info.cls is not None else 1])

    def _import(self, name: str, function: str, scope: Scope) -> None:
        """Where the builder's module imports the node, it imports the new function as well."""
        found = self.names.lookup(name, scope)
        if found is None:
            return
        imports = [b.node for b in found[0] if b.how == "import"]
        if not imports:
            if found[1].module is not self.info.module:
                raise Refused(f"{name}() comes into the builder's module in a way that cannot be followed: split it by hand")
            if scope.module is not self.info.module and "__all__" in self.info.module.scope.bindings:
                raise Refused(f"{name}() is imported by `*` and stands in `__all__`: split it by hand, and name the new function there")
            return
        for n in imports:
            if type(n) is not ImportName or n.asname or n.name is None or n.name == "*":
                raise Refused(f"{name}() is imported under another name: split it by hand")
            module = scope.module.path
            origin = self._defining(n, scope)
            if origin is not self.info.module:
                raise Refused(f"{name}() reaches the builder's module through another one: split it by hand")
            sheet = self.desk.sheet(module)
            self._edits.append(sheet.edit((n.at[2], n.at[3], n.at[2], n.at[3]), f", {function}"))

    def _defining(self, n: ImportName, scope: Scope) -> Any:
        """The module that an import names; None where it is not found."""
        suffix = f"/{n.module.rpartition('.')[2]}.py" if n.module else ""
        parts = self.info.module.parts
        wanted = tuple(n.module.split(".")) if n.module else ()
        return self.info.module if not wanted or parts[-len(wanted):] == wanted or self.info.module.path.endswith(suffix) else None

    # ---- what led to the old one
    def _put(self, expr: Expr, scope: Scope, text: str) -> None:
        key = (scope.module.path, expr.at)
        if key not in self._done:
            self._done.add(key)
            self._edits.append(self.desk.sheet(scope.module.path).edit(expr.at, text))

    def _rename(self, expr: Any, scope: Scope) -> None:
        if expr is None:
            raise Refused("an edge to the node is written in a way that cannot be changed: split it by hand")
        self._put(expr, scope, f'"{self.new}"')

    def _once(self, call: Call, calls: list[Call]) -> None:
        if sum(c is call for c in calls) > 1:
            raise Refused("the edges to the node are added in a loop or by a helper: split it by hand")

    def _within_sequence(self, call: Call) -> bool:
        return type(call.func) is Attr and call.func.attr == "add_sequence"

    def _branch(self, branch: Any) -> None:
        graph = self.place.graph
        first = 0 if branch.source == START and branch.call.func.attr == "set_conditional_entry_point" else 1
        path_map = argument_of(branch.call, first + 1, "path_map")
        routers = branch.routers
        for router in routers:
            self._sends(router)
        if path_map is not None:
            tables = [v for v in self.names.resolve(path_map, branch.scope) if isinstance(v, Lit) and type(v.expr) in (Dict, Seq)]
            if not tables or branch.targets is None or None in branch.targets:
                raise Refused("a conditional edge leads to nodes that cannot be read: split it by hand")
            if self.old not in branch.targets:
                return
            self._once(branch.call, [b.call for b in graph.branches])
            for v in tables:
                entries = v.expr.values if type(v.expr) is Dict else v.expr.elts
                for e in entries:
                    if self.project.graphs.wiring.tables.string(e, v.scope) == self.old:
                        self._put(e, v.scope, f'"{self.new}"')
            if all(type(v.expr) is Dict for v in tables):
                return
        if not routers or not branch.known:
            if path_map is None and branch.known and branch.values == () and branch.targets is None:
                return  # a library's router, such as tools_condition: it leads to what it names, never to a project's node
            raise Refused("a conditional edge is decided by code that is out of sight: split it by hand")
        for router in routers:
            if sum(r.fn is router.fn for g in self.project.graphs.all() for b in g.branches for r in b.routers) > 1 and self._names_old(router):
                raise Refused(f"{router.name}() decides for more than one edge: split the node by hand")
            self._returned(router, path_map is not None)
            self._annotation(router)

    def _names_old(self, info: FnInfo) -> bool:
        return any(type(n) is Const and n.value == self.old for s in info.fn.body for n in walk(s))

    def _returned(self, router: FnInfo, listed: bool) -> None:
        """The returns of a router that name the old node now name the new one."""
        scope = self.names.scope(router)
        for point in self.project.cfg(router).points:
            if point.kind != "return" or getattr(point.node, "value", None) is None:
                continue
            if not self._targets(point.node.value, scope, 0):
                known = self.project.graphs.wiring.tables.string(point.node.value, scope)
                if known is None:
                    raise Refused(f"where {router.name}() leads cannot be read from it: split the node by hand")

    def _targets(self, e: Any, scope: Scope, depth: int) -> bool:
        """Renames the old node in an expression that names nodes; False where a part of it cannot be read."""
        t = type(e)
        if depth > 6:
            return False
        if t is Const:
            if e.value == self.old:
                self._put(e, scope, f'"{self.new}"')
            return True
        if t is IfExp:
            return all([self._targets(x, scope, depth + 1) for x in (e.body, e.orelse)])
        if t is BoolOp:
            return all([self._targets(x, scope, depth + 1) for x in e.values])
        if t is Seq:
            return all([self._targets(x, scope, depth + 1) for x in e.elts])
        if t is Call:
            if self._is_send(e, scope):
                self._send(e, scope)
                return True
            return False
        if t is Name:
            found = self.names.lookup(e.id, scope)
            if found is not None and found[1] is scope and found[0] and all(b.how == "value" for b in found[0]):
                if self._used_otherwise(e.id, scope) and any(type(n) is Const and n.value == self.old for b in found[0] for n in walk(b.node)):
                    raise Refused(f"`{e.id}` names the node and is used for other things as well: split the node by hand")
                return all([self._targets(b.node, scope, depth + 1) for b in found[0]])
        known = self.project.graphs.wiring.tables.string(e, scope)
        if known is not None:
            if known == self.old:
                self._put(e, scope, f'"{self.new}"')
            return True
        return any(isinstance(v, Ext) and v.path in lg.END for v in self.names.resolve(e, scope))

    def _used_otherwise(self, name: str, scope: Scope) -> bool:
        """Whether a local name is read other than to say where to go."""
        ways: set[int] = set()
        for s in scope.owner.fn.body if isinstance(scope.owner, FnInfo) else ():
            for n in walk(s):
                if type(n) is Return and n.value is not None and type(n.value) in (Name, IfExp, BoolOp, Seq):
                    ways |= {id(x) for x in walk(n.value)}
                elif type(n) is Call:
                    ways |= {id(x) for a in n.args if a.name == "goto" for x in walk(a.value)}
        stored = {id(t) for s in (scope.owner.fn.body if isinstance(scope.owner, FnInfo) else ()) for n in walk(s) if type(n) is Assign for t in n.targets}
        return any(type(n) is Name and n.id == name and id(n) not in ways and id(n) not in stored
                   for s in (scope.owner.fn.body if isinstance(scope.owner, FnInfo) else ()) for n in walk(s, into_functions=True))

    def _may_be_old(self, e: Any, scope: Scope) -> bool:
        known = self.project.graphs.wiring.tables.string(e, scope) if e is not None else None
        return known is None or known == self.old

    def _is_send(self, e: Call, scope: Scope) -> bool:
        return (dotted(e.func) or "").rsplit(".", 1)[-1] == "Send" or any(isinstance(v, Ext) and v.path in lg.SEND for v in self.names.resolve(e.func, scope))

    def _sends(self, info: FnInfo) -> None:
        scope = self.names.scope(info)
        for call in scope.calls:
            if self._is_send(call, scope):
                self._send(call, scope)

    def _send(self, call: Call, scope: Scope) -> None:
        to = argument_of(call, 0, "node")
        if not self._may_be_old(to, scope):
            return
        if not self.sent:
            raise Refused("the node gets tasks of its own by Send, each with a state of its own: split it by hand")
        self._put(to, scope, f'"{self.new}"')

    def _gotos(self, info: FnInfo) -> None:
        self._sends(info)
        for goto in self.project.graphs.gotos(info):
            if goto.leaves:
                continue
            expr = next((a.value for a in goto.call.args if a.name == "goto"), None)
            if expr is None:
                if any(a.star for a in goto.call.args):
                    raise Refused(f"where {info.name}() goes cannot be read from it: split the node by hand")
                continue
            if not self._targets(expr, goto.scope, 0):
                if goto.ways is None or self.old in (goto.targets or ()):
                    raise Refused(f"where {info.name}() goes cannot be read from it: split the node by hand")
        self._annotation(info)

    def _annotation(self, info: FnInfo) -> None:
        """The old node in `Literal[…]` of a return annotation."""
        scope = info.parent
        for n in walk(info.fn.returns) if info.fn.returns is not None else ():
            if type(n) is Sub and (dotted(n.value) or "").rsplit(".", 1)[-1] == "Literal":
                for e in n.index.elts if type(n.index) is Seq else [n.index]:
                    if type(e) is Const and e.value == self.old:
                        self._put(e, scope, f'"{self.new}"')
            elif type(n) is Const and n.kind == "str" and "Literal[" in n.value and self.old in n.value:
                raise Refused(f"the annotation of {info.name}() names the node inside a string: split it by hand")

    def _breakpoints(self, call: Call, scope: Scope) -> None:
        """A stop before the old node is now one before the new one; a stop after it stays."""
        for a in call.args:
            if a.name != "interrupt_before":
                continue
            names = self.project.graphs.wiring.names_in(a.value, scope)
            if names is None:
                raise Refused("interrupt_before names nodes that cannot be read: split the node by hand")
            if self.old in names and EVERY not in names:
                for v in self.names.resolve(a.value, scope) or ():
                    if isinstance(v, Lit) and type(v.expr) is Seq:
                        for e in v.expr.elts:
                            if self.project.graphs.wiring.tables.string(e, v.scope) == self.old:
                                self._put(e, v.scope, f'"{self.new}"')

    def _from_elsewhere(self, mine: set[int]) -> None:
        """A `Command(goto=…)` or `Send` that names the node in code of which it is not known to which graph it belongs."""
        others = {id(f.fn) for g in self.project.graphs.all() if g is not self.place.graph for n in g.nodes for f in n.functions}
        others |= {id(f.fn) for g in self.project.graphs.all() if g is not self.place.graph for b in g.branches for f in b.routers}
        for word in ("Command", "Send"):
            for call, scope in list(self.names.calls_by_name.get(word, ())):
                owner = scope.owner if isinstance(scope.owner, FnInfo) else None
                parent = any(a.name == "graph" for a in call.args)
                if owner is not None and (id(owner.fn) in mine or id(owner.fn) in others and not parent):
                    continue
                named = next((a.value for a in call.args if a.name == "goto"), None) if word == "Command" else argument_of(call, 0, "node")
                if named is not None and any(type(n) is Const and n.value == self.old for n in walk(named)):
                    if not any(True for _ in self._seen_gotos(call)):
                        raise Refused(f"{word}(…) on {self.project.line(scope.module, call.at)} of {scope.module.path} names the node in code that is not seen to belong to this graph: split it by hand")

    def _seen_gotos(self, call: Call) -> Iterator[None]:
        for path, at in self._done:
            if any(n.at == at for a in call.args for n in walk(a.value)):
                yield None


__all__ = ["Place", "Rewire", "place_of"]
