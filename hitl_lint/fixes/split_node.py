"""Splits a node in two (HIL101 to HIL105): what comes before the pause becomes a node of its own, whose finished work is not done again.

What the rest needs travels through the state under new keys, and the node that pauses keeps its name. A thread that waits at it since before the split
has none of these keys, so it fails loudly (`state["k"]`) before it acts on anything that nobody approved. Where nothing travels it resumes as before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hitl_lint.analysis.names import ClassInfo, Fn, FnInfo, is_test
from hitl_lint.facts import (
    Assign, Attr, Await, BoolOp, Call, Comp, Const, Dict, ExprStmt, For, Function, If, IfExp, Lambda, Name, Sub,
    Try, Walrus, While, With, Yield, dotted, walk,
)
from hitl_lint.finding import Finding, Fix
from hitl_lint.fixes import blocks
from hitl_lint.fixes.desk import Desk, Refused, Sheet
from hitl_lint.fixes.keeping import unsavable_value
from hitl_lint.fixes.rewire import alone, place_of
from hitl_lint.fixes.parts import Hot, Level, Part, Plan
from hitl_lint.fixes.writing import Writing
from hitl_lint.fixes.schema import Schema

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing

CODES = ("HIL101", "HIL102", "HIL103", "HIL104", "HIL105", "HIL304")
ORDER = 10

# Decorators that leave a function as it is to be called.
HARMLESS = frozenset({"traceable", "observe", "staticmethod", "classmethod", "override"})



def fix(desk: Desk, finding: Finding) -> Fix:
    subject = finding.subject
    if subject is None or subject.pausing is None:
        raise Refused("")
    if finding.code == "HIL304":
        made = Split(desk, subject.pausing).plan(subject.pause.node).fix
        return made
    if subject.node is None:
        raise Refused("")
    key = ("split", id(subject.info.fn))
    if key not in desk.memo:
        try:
            desk.memo[key] = Split(desk, subject.pausing).plan()
        except Refused as why:
            desk.memo[key] = why
    plan: Plan | Refused = desk.memo[key]
    if isinstance(plan, Refused):
        raise plan
    if not any(n is subject.node for n in plan.moved):
        raise Refused("what runs again stands in the same loop as the pause: let the node handle one item per run, and lead it back to itself")
    return plan.fix


class Split(Writing):
    def __init__(self, desk: Desk, p: "Pausing") -> None:
        self.desk = desk
        self.project = desk.project
        self.p = p
        self.info: FnInfo = p.info
        self.fn = p.info.fn
        self.scope = p.scope
        self.path = p.info.module.path
        self.sheet: Sheet = desk.sheet(self.path)
        self.params = {q.name for q in self.fn.params}

    # ---- may it be done
    def plan(self, looping: Any = None) -> Plan:
        """`looping`: a pause in a loop, which is to be taken apart whether something runs again or not."""
        self._splittable()
        place = place_of(self.project, self.info)
        alone(self.project, place)
        state = self._state()
        hots = self._hot()
        self.hot_nodes = [h.node for h in hots]
        body = self._body()
        blocks.on_own_lines(self.sheet, body)
        self.factory = self._factory()
        self.written: dict[str, str] = {}
        sends = self.project.graphs.sends(place.graph)
        if None in sends:
            raise Refused("a Send leads to nodes that cannot be read: split the node by hand")
        self.sent = place.node.name in sends
        self.schema = Schema(self.desk, self.info, place, state)
        self.state = state
        self.place = place
        if looping is not None:
            loop = next((s for s in body if type(s) in (For, While) and blocks.holds(s.body, looping)), None)
            if loop is None:
                raise Refused("the loop stands inside of another block, or is none of this function: let the node handle one item per run by hand")
            from hitl_lint.fixes.rounds import in_rounds

            return in_rounds(self, body, loop, hots)
        return self._cut(body, hots)

    def _splittable(self) -> None:
        fn, info, project = self.fn, self.info, self.project
        if fn.is_generator:
            raise Refused(f"{fn.name}() is a generator: split it by hand")
        if fn.name == "<lambda>":
            raise Refused("the node is a lambda: write it as a function first")
        if project.is_task(info) or any(path.startswith(("langchain", "langgraph")) for path, _ in project.decorator_paths(info)) or project.hook_kind(info):
            raise Refused("")  # no node of a graph: @task is the way
        for d in fn.decorators:
            name = (dotted(d.func if type(d) is Call else d) or "?").rsplit(".", 1)[-1]
            if name not in HARMLESS:
                raise Refused(f"`@{name}` stands around {fn.name}() and may change how it is called: split it by hand")
        if fn.globals or fn.nonlocals or any(type(n) is Function and n.nonlocals for s in fn.body for n in walk(s, into_functions=True)):
            raise Refused(f"{fn.name}() sets names of the code around it (global, nonlocal): split it by hand")
        if fn.name.startswith("__") and fn.name.endswith("__"):
            raise Refused("the node is an object that is called: make its parts functions first")
        if info.cls is not None:
            self._overridden(info.cls)
        for call, scope in self.project.names.calls_by_name.get(fn.name, ()):
            if not is_test(scope.module.path) and any(isinstance(v, Fn) and v.info.fn is fn for v in self.project.names.resolve(call.func, scope)):
                if scope.owner is info:
                    raise Refused(f"{fn.name}() calls itself to ask again: let it ask once, and lead an edge from its node back to it by hand")
                raise Refused(f"{fn.name}() is also called on {self.project.line(scope.module, call.at)} of {scope.module.path}, which needs all of it: split it by hand")

    def _overridden(self, cls: ClassInfo) -> None:
        for module in list(self.project.names.modules.values()):
            for other in module.classes:
                if other is not cls and other.scope is not None and self.fn.name in other.scope.bindings:
                    if any(c is cls for c in self.project.names.mro(other)) or any(c is other for c in self.project.names.mro(cls)):
                        raise Refused(f"{self.fn.name}() is overridden in another class: split both by hand")

    def _state(self) -> str:
        params = [q for q in self.fn.params if q.kind in ("any", "pos")]
        if self.info.cls is not None and params and "staticmethod" not in {dotted(d) for d in self.fn.decorators}:
            params = params[1:]
        if not params:
            raise Refused(f"{self.fn.name}() takes no state: split it by hand")
        return params[0].name

    def _body(self) -> list[Any]:
        body = self.fn.body
        if body and type(body[0]) is ExprStmt and type(body[0].value) is Const and body[0].value.kind == "str":
            body = body[1:]
        if not body or blocks.first_line(body[0]) == self.fn.at[0]:
            raise Refused(f"{self.fn.name}() is written on one line: put its statements on lines of their own, then it can be split")
        return body

    def _hot(self) -> list[Hot]:
        """Each together with every pause that can come after it."""
        found: dict[int, tuple[Any, list[Any]]] = {}
        for kind in ("effect", "model"):
            for again in self.project.replayed(self.p, kind):
                found.setdefault(id(again.call), (again.call, []))[1].append(again.pause.node)
        for j in self.project.journeys(self.p):
            if j.source.kind in ("unstable", "memory", "model", "effect") or j.shown and j.use == "effect":
                found.setdefault(id(j.source.node), (j.source.node, []))[1].append(j.pause.node)
        out: list[Hot] = []
        for node, pauses in found.values():
            after = self.p.cfg.reachable(self.p.cfg.at(node))
            pauses += [x.node for x in self.p.pauses if any(q in after for q in self.p.cfg.at(x.node))]
            out += [Hot(node, pause) for pause in {id(x): x for x in pauses}.values()]
        return out

    # ---- where to cut
    def _cut(self, body: list[Any], hots: list[Hot]) -> Plan:
        looping = next((s for s in body if type(s) in (For, While) and any(
            any(n is h.node for x in s.body for n in walk(x)) and blocks.holds(s.body, h.pause) for h in hots)), None)
        if looping is not None:
            from hitl_lint.fixes.rounds import in_rounds

            return in_rounds(self, body, looping, hots)
        pauses = sorted({self._index(body, x.node) for x in self.p.pauses})
        cuts: list[int] = []
        inner: Hot | None = None
        for hot in sorted(hots, key=lambda h: self._index(body, h.pause)):
            h, k = self._index(body, hot.node), self._index(body, hot.pause)
            if h > k:
                raise Refused("what runs again stands in the same loop as the pause: let the node handle one item per run, and lead it back to itself")
            if h == k:
                inner = hot
            elif not any(h < c <= k for c in cuts):
                cuts.append(k)
        if inner is None:
            return self._straight(body, sorted(cuts), hots)
        k = self._index(body, inner.pause)
        if any(c > k for c in cuts) or any(q < k for q in pauses):
            raise Refused("it asks more than once, and one of the questions stands in a block together with what runs again: split it by hand")
        return self._nested(body, k, hots)

    def _index(self, block: list[Any], node: Any) -> int:
        for n, stmt in enumerate(block):
            if stmt is node or any(x is node for x in walk(stmt)):
                return n
        # What a nested function does is done where it is called, which the caller has not told.
        raise Refused("what runs again stands in a function inside the node: split it by hand")

    def _nested(self, body: list[Any], k: int, hots: list[Hot]) -> Plan:
        """The pause and what runs again stand in one statement: in a branch of an `if`, or side by side in an expression."""
        levels = [Level(body, k)]
        here = [h for h in hots if self._index(body, h.node) == k == self._index(body, h.pause)]
        stmt = body[k]
        test = ""
        ifs: list[Any] = []
        while True:
            inside = self._header_hots(stmt, here)
            if inside:
                return self._hoisted(levels, stmt, inside, hots)
            if type(stmt) is not If:
                raise Refused(_BLOCKED.get(type(stmt), "the pause and what runs again stand in one statement: split it by hand"))
            branches = [(b, way) for b, way in ((stmt.body, True), (stmt.orelse, False)) if any(h.pause is n for h in here for s in b for n in walk(s))]
            if len(branches) != 1 or not all(any(h.node is n for s in branches[0][0] for n in walk(s)) for h in here):
                raise Refused("several branches ask, and something runs again in more than one: split it by hand")
            block, way = branches[0]
            self._steady(stmt.test)
            ifs.append(stmt)
            own = f"({self.sheet.slice(stmt.test.at)})" if "\n" in self.sheet.slice(stmt.test.at) or not way or test else self.sheet.slice(stmt.test.at)
            test = (f"{test} and " if test else "") + (own if way else f"not {own}")
            if not way and len(block) == 1 and type(block[0]) is If and self._is_elif(block[0]):
                stmt = block[0]  # the next condition of the same chain
                continue
            blocks.on_own_lines(self.sheet, block)
            indices = {self._index(block, h.pause) for h in here}
            k = min(indices)
            levels.append(Level(block, k, test, stmt, ifs))
            test, ifs = "", []
            here = [h for h in here if self._index(block, h.node) >= k]
            if any(self._index(block, h.node) > k for h in here) or len(indices) > 1:
                raise Refused("it asks more than once in a branch, with something that runs again in between: split it by hand")
            if not here:
                return self._build_nested(levels, [], hots)
            stmt = block[k]

    def _is_elif(self, stmt: Any) -> bool:
        return self.sheet.line(stmt.at[0])[stmt.at[1] - 1 :].startswith("elif")

    def _header_hots(self, stmt: Any, here: list[Hot]) -> list[Hot]:
        """Those that stand in the head of a statement (or in a simple one)."""
        head = {If: ["test"], For: ["iter"], While: [], With: [], Try: []}.get(type(stmt))
        if head is None:
            return [h for h in here if any(n is h.node for n in walk(stmt))] if not any(True for _ in blocks.blocks(stmt)) else []
        return [h for h in here for name in head if any(n is h.node for n in walk(getattr(stmt, name)))]

    def _steady(self, test: Any) -> None:
        """A condition that both nodes evaluate must give the same both times."""
        for n in walk(test):
            if type(n) in (Await, Yield, Walrus, Lambda):
                raise Refused("the condition around the pause does more than look: split it by hand")
            if type(n) is Call:
                j = self.project.effects.judge(n, self.scope)
                if not j.known or any(getattr(j, kind) is not None for kind in ("effect", "model", "unstable", "read", "grow", "pause")):
                    raise Refused("the condition around the pause may be another one when it is looked at again: put it into a node of its own")

    def _hoisted(self, levels: list[Level], stmt: Any, inside: list[Hot], hots: list[Hot]) -> Plan:
        """`interrupt(draft(state))`: the value is made in front and named."""
        if type(stmt) is If and self._is_elif(stmt):
            raise Refused("what runs again stands in an `elif`: split it by hand")
        out: list[tuple[Any, str]] = []
        roots: list[Any] = []
        for h in inside:
            root = self._whole(h.node, stmt)
            self._no_coroutine(root, stmt)
            if any(r is root for r in roots):
                continue
            self._unconditional(root, stmt)
            if any(n is h.pause for n in walk(root)):
                raise Refused("the pause stands inside the call that runs again: split it by hand")
            roots.append(root)
        roots = [r for r in roots if not any(o is not r and any(n is r for n in walk(o)) for o in roots)]
        if len({id(r) for r in roots}) > 1 and any(type(n) is Walrus for r in roots for n in walk(r)):
            raise Refused("what runs again sets names inside an expression: split it by hand")
        for root in sorted(roots, key=lambda r: r.at):
            out.append((root, self._named(root, stmt, [n for _, n in out])))
        return self._build_nested(levels, out, hots)

    def _no_coroutine(self, root: Any, stmt: Any) -> None:
        """Refused for a call that only makes a coroutine, which something around it awaits (`gather(ask(), push())`)."""
        if type(root) is not Call or not any(type(n) is Await and n.value is not root and any(x is root for x in walk(n)) for n in walk(stmt)):
            return
        targets = self.project.effects.judge(root, self.scope).targets
        if not targets or any(t.fn.is_async for t in targets):
            raise Refused("what runs again is awaited together with the pause: await it on a line of its own in front, then the node can be split")

    def _whole(self, node: Any, stmt: Any) -> Any:
        """What hangs on a call: `model.invoke(x).content` of `model.invoke(x)`, with its await."""
        above = {id(inner): n for n in walk(stmt) for inner in (n.func if type(n) is Call else n.value if type(n) in (Attr, Sub, Await) else None,) if inner is not None}
        while id(node) in above:
            node = above[id(node)]
        return node

    def _unconditional(self, root: Any, stmt: Any) -> None:
        for n in walk(stmt):
            parts = {BoolOp: lambda: n.values[1:], IfExp: lambda: [n.body, n.orelse], Comp: lambda: [n], Lambda: lambda: [n]}.get(type(n), list)()
            if any(x is root for part in parts for x in walk(part)):
                raise Refused("what runs again is only done under a condition inside the expression: put it on a line of its own, then the node can be split")

    def _named(self, root: Any, stmt: Any, taken: list[str]) -> str:
        wanted = ""
        for n in walk(stmt):
            if type(n) is Dict:
                wanted = next((k.value for k, v in zip(n.keys, n.values) if type(k) is Const and k.kind == "str" and any(x is root for x in walk(v))), wanted)
        if not wanted.isidentifier():
            call = next((n for n in walk(root) if type(n) is Call), None)
            name = (dotted(call.func) or "").rsplit(".", 1)[-1] if call is not None else ""
            wanted = f"{name}_result" if name else "result" if call is not None else "value"
        used = {n.id for s in self.fn.body for n in walk(s, into_functions=True) if type(n) is Name} | self.params | set(taken)
        return next(name for name in (wanted, *(f"{wanted}_{n}" for n in range(2, 99))) if name.isidentifier() and name not in used and name not in _KEYWORDS)

    # ---- building: cuts between statements of the function itself
    def _straight(self, body: list[Any], cuts: list[int], hots: list[Hot]) -> Plan:
        if not cuts:
            raise Refused("")
        edges = [0, *cuts, len(body)]
        parts = [Part(body[a:b]) for a, b in zip(edges, edges[1:])]
        for n, part in enumerate(parts[1:], 1):
            before = [s for q in parts[:n] for s in q.stmts]
            part.needs, part.again = self._link(before, part.stmts)
            for name in part.needs:
                self._checked(name, before, before)
            part.writes = self._state_writes(before)
        for n, part in enumerate(parts[1:-1], 1):
            # What it hands on it has to have, unless it makes it anew whatever happens.
            made = blocks.uses([s for q in parts[:n] for s in q.stmts]).binds
            touched = {*blocks.uses(part.stmts).binds, *(c for s in part.stmts for c in blocks.changed(s))}
            handed = {k for later in parts[n + 1 :] for k in later.needs}
            part.needs += [k for k in made if k in touched and k in handed and k not in part.needs and k not in blocks.set_after(part.stmts)]
        self._kept_on_objects([s for q in parts[:-1] for s in q.stmts], parts[-1].stmts)
        # What a later part needs has to pass through those between, and it does: keys of the state stay.
        levels = [[Level(part.stmts, len(part.stmts))] for part in parts]
        return self._write(parts, levels, [], hots, None)

    def _build_nested(self, levels: list[Level], hoisted: list[tuple[Any, str]], hots: list[Hot]) -> Plan:
        before = [s for level in levels for s in level.block[: level.cut]]
        body = levels[0].block
        after: list[Any] = [s for level in reversed(levels) for s in level.block[level.cut + (level is not levels[-1]) :]]
        tests = {name for level in levels for owner in level.ifs for name in blocks.uses([_Test(owner)]).reads}
        # The other branches of the ifs on the way stay with the pause, and use what came before as well.
        others = [s for level, inner in zip(levels, levels[1:]) for b in blocks.blocks(level.block[level.cut]) for s in b
                  if not any(s is x for x in inner.block) and not any(x is inner.block[0] for y in walk(s) if (bs := list(blocks.blocks(y))) for z in bs for x in z)]
        needs, again = self._link(before, [*after, *others], tests)
        self._kept_on_objects(before, [*after, *others])
        part = Part(body[levels[0].cut :], needs, again, self._state_writes(levels[0].block[: levels[0].cut]))
        self._state_is_left_alone([s for level in levels[1:] for s in level.block[: level.cut]], before)
        for name in needs:
            top = name in blocks.set_after(levels[0].block[: levels[0].cut])
            self._checked(name, before, levels[0].block[: levels[0].cut] if top else before)
        return self._write([Part(body[: levels[0].cut]), part], [levels, []], hoisted, hots, levels)

    def _state_writes(self, before: list[Any]) -> list[str]:
        """The keys of the state argument that statements set for the rest of the function: `state["draft"] = …`."""
        out: list[str] = []
        others: list[Any] = []
        for stmt in before:
            target = stmt.targets[0] if type(stmt) is Assign and len(stmt.targets) == 1 and stmt.value is not None else None
            if type(target) is Sub and type(target.value) is Name and target.value.id == self.state and type(target.index) is Const and target.index.kind == "str":
                if self.schema.kind == "fields":
                    raise Refused("the state is written to in place: return the value instead, then the node can be split")
                what = unsavable_value(self.project, self.scope, stmt.value)
                if what is not None:
                    raise Refused(f'`{self.state}["{target.index.value}"]` is {what}, which no checkpoint keeps: let plain data travel')
                out.append(target.index.value)
            else:
                others.append(stmt)
        self._state_is_left_alone(others, before)
        return list(dict.fromkeys(out))



class _Test:
    """The condition of an `if` as something that reads names."""

    def __new__(cls, owner: Any) -> Any:  # type: ignore[misc]
        return ExprStmt(owner.test.at, owner.test)


_BLOCKED = {
    For: "what runs again stands in the same loop as the pause: let the node handle one item per run, and lead it back to itself",
    While: "what runs again stands in the same loop as the pause: let the node handle one round per run, and lead it back to itself",
    Try: "what runs again stands in the same `try` as the pause: take it out of the `try`, then the node can be split",
    With: "what runs again stands in the same `with` block as the pause: close the block before the pause, then the node can be split",
}
_KEYWORDS = frozenset("False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda "
                      "nonlocal not or pass raise return try while with yield".split())

__all__ = ["Split", "fix"]
