"""Interrupts picked by their position, and ids of interrupts that were remembered: where they come from, where they are used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.configs import LATEST
from hitl_lint.analysis.names import Fn, Scope
from hitl_lint.analysis.sent import HEX
from hitl_lint.analysis.turns import Turn, nodes_in, unawaited
from hitl_lint.analysis.wiring import Graph
from hitl_lint.facts import Assign, Attr, BoolOp, Break, Call, Cmp, Comp, Const, Delete, Dict, For, FStr, IfExp, Name, Return, Seq, Sub, Un, dotted, text, walk
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

MARK = "__interrupt__"
IDS = frozenset({"id", "interrupt_id"})
MAX_DEPTH = 6


@record
class Picked:
    """A pause picked by position. `how`: "index", "first" (`next(iter(…))`) or "zip"; `node` is what picks it; `key`: as a key of a resume map;
    `graph`: where it is known; `at`, `scope`: where to tell it; `shown`: the same function shows the question that it then answers by its id."""

    how: str
    node: Any
    at: Any
    scope: Scope
    key: bool
    graph: Graph | None
    shown: bool = False


@record
class Remembered:
    """An interrupt's id that is used in `command` although another question may wait by then: `literal`, `kept` (stored by `store` in another function) or
    `used` (after an earlier resume in the same function, `store`)."""

    kind: str
    key: Any
    command: Call
    scope: Scope
    store: Any
    where: Scope | None


class Picks:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names

    # ---- lists of pauses
    def pauses(self, e: Any, scope: Scope, depth: int = 0) -> bool:
        """Whether an expression is the list of pauses of a result or state."""
        e, t = unawaited(e), type(unawaited(e))
        if depth > MAX_DEPTH:
            return False
        if t is Sub:
            return type(e.index) is Const and e.index.value == MARK
        if t is Attr:
            return e.attr == "interrupts"
        if t is Call:
            if type(e.func) is Attr and e.func.attr == "get":
                return bool(e.args) and type(e.args[0].value) is Const and e.args[0].value.value == MARK
            return dotted(e.func) in ("list", "tuple") and bool(e.args) and self.pauses(e.args[0].value, scope, depth + 1)
        if t is BoolOp:
            return self.pauses(e.values[0], scope, depth + 1)
        if t is Comp:
            last = e.generators[-1]
            if type(last.target) is Name and any(type(n) is Attr and dotted(n.value) == last.target.id for test in last.ifs for n in walk(test)):
                return False  # chosen by what they are
            return type(e.elt) is Name and type(last.target) is Name and e.elt.id == last.target.id and self.pauses(last.iter, scope, depth + 1)
        if t is Name:
            found = self.names.lookup(e.id, scope)
            return found is not None and bool(found[0]) and any(b.how == "value" and self.pauses(b.node, found[1], depth + 1) for b in found[0])
        return False

    def picked(self, e: Any, scope: Scope, depth: int = 0) -> tuple[str, Any] | None:
        """How one pause was picked by position: ("index", the subscript) or ("first", the call); None where it was not."""
        e, t = unawaited(e), type(unawaited(e))
        if depth > MAX_DEPTH:
            return None
        if t is Sub and (type(e.index) is Const and e.index.kind == "int" or type(e.index) is Un):
            return ("index", e) if self.pauses(e.value, scope) else None
        if t is Call and dotted(e.func) == "next" and e.args:
            inner = e.args[0].value
            if type(inner) is Call and dotted(inner.func) == "iter" and inner.args:
                inner = inner.args[0].value
            elif not (type(inner) is Comp and not any(g.ifs for g in inner.generators)):
                return None
            return ("first", e) if self.pauses(inner, scope) else None
        if t is IfExp:
            return self.picked(e.body, scope, depth + 1) or self.picked(e.orelse, scope, depth + 1)
        if t is Name:
            found = self.names.lookup(e.id, scope)
            for b in found[0] if found is not None else ():
                if b.how == "value" and (hit := self.picked(b.node, found[1], depth + 1)) is not None:  # type: ignore[index]
                    return hit
        return None

    def pause_id(self, e: Any, scope: Scope, depth: int = 0) -> bool:
        """Whether an expression is the id of a pause, however that was picked."""
        e = unawaited(e)
        if depth > MAX_DEPTH:
            return False
        if type(e) is Attr and e.attr in IDS:
            if self.picked(e.value, scope) is not None:
                return True
            if type(e.value) is Name:
                found = self.names.lookup(e.value.id, scope)
                return found is not None and any(b.how == "element" and self.pauses(b.node, found[1]) for b in found[0])
            return False
        if type(e) is Name:
            found = self.names.lookup(e.id, scope)
            return found is not None and len(found[0]) >= 1 and any(b.how == "value" and b.node is not e and self.pause_id(b.node, found[1], depth + 1) for b in found[0])
        if type(e) in (IfExp, FStr):
            return any(self.pause_id(n, scope, depth + 1) for n in ((e.body, e.orelse) if type(e) is IfExp else ()))
        return False

    # ---- by position
    def by_position(self) -> Iterator[Picked]:
        """Every pause that is picked by position: for a key of a resume map, and where it is only read."""
        told: set[int] = set()
        for turn in self.project.turns.all():
            graph = self.project.turns.graph(turn)
            for command, scope in turn.commands:
                resume = next((a.value for a in command.args if a.name == "resume"), None)
                if resume is None:
                    continue
                zipped = self._zipped(resume, scope, 0)
                if zipped is not None:
                    told |= {id(n) for n in walk(zipped)}
                    yield Picked("zip", zipped, command.at, scope, True, graph)
                    continue
                keys, is_map = self.project.resumes.map_of(resume, scope)
                for key, at, where in keys if is_map else ():
                    hit = self._key(key, where)
                    if hit is not None and self._of_each_task(hit[1], where):
                        told |= {id(n) for n in walk(hit[1])}
                    elif hit is not None:
                        told |= {id(n) for n in walk(hit[1])}
                        inside = command.at[0] <= at[0] <= command.at[2]
                        yield Picked(hit[0], hit[1], command.at if inside else at, scope if inside else where, True, graph, self._shown(key, resume, where))
                        break
        yield from self._reads(told)

    def _reads(self, told: set[int]) -> Iterator[Picked]:
        by_scope: dict[int, tuple[Scope, dict[int, Graph]]] = {}
        for turn in self.project.turns.all():
            if (graph := self.project.turns.graph(turn)) is not None:
                by_scope.setdefault(id(turn.scope), (turn.scope, {}))[1][id(graph)] = graph
        # What only looks at the state may run nothing itself.
        candidates = {id(m) for m in self.project.candidates}
        for method in sorted(LATEST):
            for call, at in list(self.names.calls_by_name.get(method, ())):
                if type(call.func) is Attr and id(at.module) in candidates and (graph := self.project.graphs.read(call.func.value, at)) is not None:
                    by_scope.setdefault(id(at), (at, {}))[1][id(graph)] = graph
        for scope, graphs in by_scope.values():
            if len(graphs) != 1:
                continue
            seen: set[int] = set()
            for node in nodes_in(scope):
                if type(node) not in (Sub, Call) or id(node) in told:
                    continue
                hit = self.picked(node, scope)
                if hit is not None and hit[1] is node and id(node) not in seen and not self._of_each_task(node, scope):
                    seen |= {id(n) for n in walk(node)}
                    yield Picked(hit[0], node, node.at, scope, False, next(iter(graphs.values())))

    def _shown(self, key: Any, resume: Any, scope: Scope) -> bool:
        """`q = pauses[0]; answer = ask(q.value)`, then `{q.id: answer}`: whichever it is, the answer is for what was shown. What a caller hands in was
        meant for what that showed."""
        if type(key) is not Attr or type(key.value) is not Name or scope.kind not in ("function", "module"):
            return False
        name = key.value.id
        nodes = list(nodes_in(scope))
        shown = any(type(n) is Attr and n.attr == "value" and dotted(n.value) == name or type(n) is Call and any(
            type(a.value) is Name and a.value.id == name for a in n.args) for n in nodes)
        answer = next((v for k, v in zip(resume.keys, resume.values) if k is key), None) if type(resume) is Dict else None
        return shown and answer is not None and not self._handed_in(answer, scope, 0)

    def _handed_in(self, e: Any, scope: Scope, depth: int) -> bool:
        """Whether a value comes from a caller."""
        for n in walk(e):
            for b in scope.bindings.get(n.id, ()) if type(n) is Name and depth < 4 else ():
                if b.how == "param" or b.how == "value" and type(b.node) is not Call and self._handed_in(b.node, scope, depth + 1):
                    return True
        return False

    def _of_each_task(self, node: Any, scope: Scope) -> bool:
        """`for task in state.tasks: show(task.interrupts[0])`: a task waits for one answer at a time, and every task is gone through."""
        base = node.value if type(node) is Sub else None
        if type(base) is not Attr or base.attr != "interrupts" or type(base.value) is not Name:
            return False
        name = base.value.id
        for n in nodes_in(scope):
            if type(n) is For and type(n.target) is Name and n.target.id == name:
                inside = [m for s in n.body for m in walk(s)]
                if any(m is node for m in inside):
                    return not any(type(m) in (Break, Return) for m in inside)
            elif type(n) is Comp and any(type(g.target) is Name and g.target.id == name for g in n.generators) and any(m is node for m in walk(n)):
                return not any(type(m) is Call and dotted(m.func) == "next" and any(a.value is n for a in m.args) or type(m) is Sub and m.value is n for m in nodes_in(scope))
        return False

    def _key(self, key: Any, scope: Scope, depth: int = 0) -> tuple[str, Any] | None:
        key = unawaited(key)
        if type(key) is Attr and key.attr in IDS:
            return self.picked(key.value, scope)
        if type(key) is Name and depth < MAX_DEPTH:
            found = self.names.lookup(key.id, scope)
            for b in found[0] if found is not None else ():
                if b.how == "value" and (hit := self._key(b.node, found[1], depth + 1)) is not None:  # type: ignore[index]
                    return hit
        return None

    def _zipped(self, e: Any, scope: Scope, depth: int) -> Any | None:
        """The `zip(pauses, answers)` that a resume map is made of, unless the answers were made from the same list."""
        if depth > MAX_DEPTH:
            return None
        if type(e) is Name:
            found = self.names.lookup(e.id, scope)
            for b in found[0] if found is not None else ():
                if b.how == "value" and type(b.node) in (Comp, Call) and (hit := self._zipped(b.node, found[1], depth + 1)) is not None:  # type: ignore[index]
                    return hit
            return self._filled(e.id, found[1]) if found is not None else None
        if type(e) is Comp and e.kind == "dict" and self._counted(e.generators[0].iter, e.generators[0].target, [e.elt], scope):
            return e.generators[0].iter
        call = e.generators[0].iter if type(e) is Comp and e.kind == "dict" else e.args[0].value if type(e) is Call and dotted(e.func) == "dict" and e.args else None
        return call if self._matched(call, scope) else None

    def _filled(self, name: str, scope: Scope) -> Any | None:
        """The same in a loop: `for i, a in zip(pauses, answers): resume[i.id] = a`, `for n, i in enumerate(pauses): resume[i.id] = answers[n]`."""
        for loop in nodes_in(scope):
            if type(loop) is not For:
                continue
            values = [n.value for stmt in loop.body for n in walk(stmt) if type(n) is Assign and any(
                type(t) is Sub and dotted(t.value) == name and type(t.index) is Attr and t.index.attr in IDS for t in n.targets)]
            if values and (self._matched(loop.iter, scope) or self._counted(loop.iter, loop.target, values, scope)):
                return loop.iter
        return None

    def _counted(self, call: Any, target: Any, values: list[Any], scope: Scope) -> bool:
        """Whether the pauses are numbered and the number picks the answer from a list that was not made from them."""
        if type(call) is not Call or dotted(call.func) != "enumerate" or not call.args or not self.pauses(call.args[0].value, scope):
            return False
        number = target.elts[0].id if type(target) is Seq and target.elts and type(target.elts[0]) is Name else None
        return number is not None and any(type(n) is Sub and type(n.index) is Name and n.index.id == number and not self._made_from_pauses(n.value, scope, 0)
                                          for v in values for n in walk(v))

    def _matched(self, call: Any, scope: Scope) -> bool:
        """Whether an expression zips pauses with answers that were not made from them."""
        if type(call) is not Call or dotted(call.func) != "zip" or len(call.args) != 2:
            return False
        sides = [a.value for a in call.args]
        waiting = [n for n, s in enumerate(sides) if self.pauses(s, scope) or type(s) is Comp and type(s.elt) is Attr and s.elt.attr in IDS and self.pauses(s.generators[-1].iter, scope)]
        return len(waiting) == 1 and not self._made_from_pauses(sides[1 - waiting[0]], scope, 0)

    def _made_from_pauses(self, e: Any, scope: Scope, depth: int) -> bool:
        """Whether the answers were asked for in the order of the pauses, in the same function."""
        if type(e) is Comp:
            return any(self.pauses(g.iter, scope) for g in e.generators)
        if type(e) is Name and depth < 3:
            found = self.names.lookup(e.id, scope)
            if found is None or found[1] is not scope:
                return False
            for b in found[0]:
                if b.how == "value" and (self._made_from_pauses(b.node, scope, depth + 1) or type(b.node) is Seq and not b.node.elts):
                    return True
        return False

    # ---- remembered
    def remembered(self) -> Iterator[Remembered]:
        for turn in self.project.turns.all():
            graph = self.project.turns.graph(turn)
            if graph is not None and self.project.pending.only_once(graph):
                continue
            for command, scope in turn.commands:
                resume = next((a.value for a in command.args if a.name == "resume"), None)
                if type(resume) is not Dict and not (type(resume) is Name):
                    continue
                keys, is_map = self.project.resumes.map_of(resume, scope)
                for key, _, where in keys if is_map else ():
                    found = self._remembered(key, where, turn, command, scope)
                    if found is not None:
                        yield found
                        break

    def _remembered(self, key: Any, where: Scope, turn: Turn, command: Call, scope: Scope) -> Remembered | None:
        if type(key) is Const:
            return Remembered("literal", key, command, scope, None, None) if key.kind == "str" and HEX.match(key.value) else None
        if self._compared(key, where):
            return None
        if type(key) is Name and where.kind in ("function", "module"):
            found = self.names.lookup(key.id, where)
            if found is not None and found[1] is where and found[0] and all(b.how == "value" for b in found[0]):
                if all(self.pause_id(b.node, where) for b in found[0]):
                    earlier = self._answered_before(found[0], turn)
                    if earlier is not None:
                        return Remembered("used", key, command, scope, earlier.call, earlier.scope)
                elif len(found[0]) == 1 and self._base(found[0][0].node) is not None:
                    return self._kept(found[0][0].node, where, turn, command, scope)
            return None
        return self._kept(key, where, turn, command, scope)

    def _answered_before(self, bindings: list[Any], turn: Turn) -> Turn | None:
        """A resume between taking an id and this run that uses it again."""
        others = [t for t in self.project.turns.all() if t.scope is turn.scope and t.call is not turn.call and t.commands and t.call.at[:2] < turn.call.at[:2]]
        stmts = [b.stmt for b in bindings]
        if turn.scope.kind == "function":
            cfg = self.project.cfg(turn.scope.owner)
            taken = [p for p in cfg.points if any(p.stmt is s for s in stmts)]
            again = {p.id for p in taken}
            ends = set(cfg.at(turn.call))
            for t in others:
                for p in cfg.at(t.call):
                    if p in cfg.reachable(taken) and ends & cfg.reachable([p], skip=lambda point, edge: edge.to.id in again):
                        return t
            return None
        return next((t for t in others if any(s.at[:2] < t.call.at[:2] for s in stmts) and not any(t.call.at[:2] < s.at[:2] < turn.call.at[:2] for s in stmts)), None)

    def _base(self, key: Any) -> str | None:
        """What a remembered id is read from: `self.ids[thread]`, `self.pending_id`, `IDS[thread]`, `st.session_state.interrupt_id`."""
        if type(key) is Call and type(key.func) is Attr and key.func.attr == "get":
            key = key.func.value
        elif type(key) is Sub:
            key = key.value
        shown = dotted(key)
        return shown if shown is not None and type(key) in (Attr, Name) else None

    def _kept(self, key: Any, where: Scope, turn: Turn, command: Call, scope: Scope) -> Remembered | None:
        base = self._base(key)
        if base is None or type(key) is Name or where.kind != "function" or not (base.startswith(("self.", "st.session_state")) or self._is_global(base, where)):
            return None
        stores = list(self._stores(base, where))
        if not stores or not all(self.pause_id(value, s) for _, value, s in stores):
            return None
        # What a resume stores anew is not from an earlier pause; what it takes away cannot be used twice.
        mine = self._reached(turn.scope) | self._reached(where)
        if any(id(s) in mine for _, _, s in stores) or self._takes_away(base, where) or any(self._takes_away(base, s) for s in self._scopes_of(mine)):
            return None
        return Remembered("kept", key, command, scope, stores[0][0], stores[0][2])

    def _is_global(self, base: str, scope: Scope) -> bool:
        found = self.names.lookup(base, scope) if "." not in base else None
        return found is not None and found[1].kind == "module" and all(b.how in ("value", "aug") for b in found[0])

    def _stores(self, base: str, where: Scope) -> Iterator[tuple[Any, Any, Scope]]:
        own = where.owner.cls if where.kind == "function" else None
        for info in list(where.module.functions):
            if base.startswith("self.") and info.cls is not own:
                continue
            scope = self.names.scope(info)
            for node in nodes_in(scope):
                if type(node) is not Assign or node.value is None:
                    continue
                for t in node.targets:
                    target = t.value if type(t) is Sub else t
                    if type(t) in (Sub, Attr) and dotted(target) == base and not (type(node.value) is Const and node.value.kind == "none") and not (
                            type(node.value) is Dict and type(t) is Attr and not node.value.keys):
                        yield node, node.value, scope

    def _reached(self, scope: Scope, depth: int = 0) -> set[int]:
        """The scopes of the functions that a function calls, and its own."""
        out = {id(scope)}
        for call in scope.calls if depth < 3 else ():
            for v in self.names.resolve(call.func, scope):
                if isinstance(v, Fn) and id(inner := self.names.scope(v.info)) not in out:
                    out |= self._reached(inner, depth + 1)
        return out

    def _scopes_of(self, ids: set[int]) -> list[Scope]:
        return [s for m in self.project.candidates for f in list(m.functions) if id(s := self.names.scope(f)) in ids]

    def _takes_away(self, base: str, scope: Scope) -> bool:
        for node in nodes_in(scope):
            if type(node) is Call and type(node.func) is Attr and node.func.attr in ("pop", "clear", "discard", "remove") and dotted(node.func.value) == base:
                return True
            if type(node) is Delete and any(dotted(t.value if type(t) is Sub else t) == base for t in node.targets):
                return True
            if type(node) is Assign and any(dotted(t.value if type(t) is Sub else t) == base for t in node.targets if type(t) in (Sub, Attr)):
                return True
        return False

    def _compared(self, key: Any, scope: Scope) -> bool:
        """Whether the function compares the id with something: it may look whether that still waits."""
        shown = text(key, 80)
        return any(type(n) is Cmp and any(text(x, 80) == shown for x in (n.left, *n.rights)) and not all(type(x) is Const for x in n.rights) for n in nodes_in(scope))


__all__ = ["Picked", "Picks", "Remembered"]
