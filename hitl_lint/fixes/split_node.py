"""Splits a node in two (HIL101 to HIL105): what comes before the pause becomes a node of its own, whose finished work is not done again.

What the rest needs travels through the state under new keys, and the node that pauses keeps its name. A thread that waits at it since before the split
has none of these keys, so it fails loudly (`state["k"]`) before it acts on anything that nobody approved. Where nothing travels it resumes as before.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterable

from hitl_lint.analysis.names import ClassInfo, Fn, FnInfo, is_test
from hitl_lint.analysis.wiring import END
from hitl_lint.facts import (
    Assign, Attr, AugAssign, Await, BoolOp, Call, Comp, Const, Def, Dict, ExprStmt, For, Function, If, IfExp, Import, Lambda, Name, Return, Seq, Sub,
    Try, Walrus, While, With, Yield, dotted, text, walk,
)
from hitl_lint.finding import Edit, Finding, Fix
from hitl_lint.fixes import blocks
from hitl_lint.fixes.desk import Desk, Refused, Sheet
from hitl_lint.fixes.imports import Imports
from hitl_lint.fixes.keeping import unkept, unsavable_value
from hitl_lint.fixes.rewire import Rewire, alone, place_of
from hitl_lint.fixes.schema import Schema, type_of

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing

CODES = ("HIL101", "HIL102", "HIL103", "HIL104", "HIL105", "HIL304")
ORDER = 10

# Decorators that leave a function as it is to be called.
HARMLESS = frozenset({"traceable", "observe", "staticmethod", "classmethod", "override"})
NOTE = ("finish the threads that wait at this node first, or ask again on a new thread: one that was paused before the split has none of the new keys "
        "and fails when it is resumed")
STEADY_NOTE = "a thread that waits at this node since before the split resumes as it would have"


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


@dataclass(slots=True, eq=False)
class Plan:
    """`moved`: the expressions (facts) at fault that no longer run again."""

    fix: Fix
    moved: list[Any]


@dataclass(slots=True)
class Hot:
    """An expression that must not run again, and the pause behind it."""

    node: Any
    pause: Any


@dataclass(slots=True)
class Level:
    """One block on the way to the pause: the statements of `block` before `cut` come before the pause, the rest from the pause on. `test`: under
    which condition, as text, the block runs ("" for the function's own); `owner` the `if` it belongs to; `ifs` all of that chain down to it."""

    block: list[Any]
    cut: int
    test: str = ""
    owner: Any = None
    ifs: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class Part:
    """A segment of the function: what becomes one node. `needs`: names that come through the state; `again`: statements repeated here; `writes`: keys
    of the state argument that an earlier part has set for itself."""

    stmts: list[Any]
    needs: list[str] = field(default_factory=list)
    again: list[Any] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)


class Split:
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
        alone(place)
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
                raise Refused(f"{fn.name}() is also called by {getattr(scope.owner, 'name', '') or scope.module.path}, which needs all of it: split it by hand")

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
                wanted = wanted or next((k.value for k, v in zip(n.keys, n.values) if type(k) is Const and k.kind == "str" and any(x is root for x in walk(v))), "")
        if not wanted.isidentifier():
            call = next((n for n in walk(root) if type(n) is Call), None)
            wanted = (dotted(call.func) or "result").rsplit(".", 1)[-1] + "_result" if call is not None else "value"
        used = {n.id for s in self.fn.body for n in walk(s, into_functions=True) if type(n) is Name} | self.params | set(taken)
        return next(name for name in (wanted, *(f"{wanted}_{n}" for n in range(2, 99))) if name.isidentifier() and name not in used and name not in _KEYWORDS)

    # ---- names across a cut
    def _repeatable(self, before: list[Any]) -> dict[str, Any]:
        """The names that a statement of their own gives the same value whenever it runs: what made them can be written down again."""
        found: dict[str, Any] = {}
        every = blocks.uses(self.fn.body).binds
        grown = {n for s in self.fn.body for n in blocks.changed(s)}
        handed = self._handed_over(before)
        for stmt in before:
            t = type(stmt)
            if any(n is h for n in walk(stmt) for h in self.hot_nodes):
                continue
            names = list(blocks.uses([stmt]).binds)
            if t not in (Assign, Import, Def) or not names or any(len(every.get(n, ())) != 1 or n in grown or n in self.params for n in names):
                continue
            reads = blocks.uses([stmt]).reads
            if any(n in every and n not in found for n in reads):
                continue
            if t is Assign and (not self._same_again(stmt) or any(n in handed for n in names) and type_of(self.project, stmt.value, self.scope) not in _FIXED):
                continue
            found.update((n, stmt) for n in names)
        return found

    def _handed_over(self, stmts: list[Any]) -> set[str]:
        """The local names that are arguments of calls which may change what they are given."""
        out: set[str] = set()
        for stmt in stmts:
            for n in walk(stmt):
                if type(n) is Call and (dotted(n.func) or "?").rsplit(".", 1)[-1] not in _ONLY_READS:
                    out |= {a.value.id for a in n.args if type(a.value) is Name}
        return out

    def _kept_on_objects(self, before: list[Any], after: list[Any]) -> None:
        """Refused where something is put on an object that outlives the run (self, a module's) and read from it after the pause: another process has not got it."""
        local = blocks.uses(self.fn.body).binds
        put: set[str] = set()
        for stmt in before:
            for n in walk(stmt):
                for target in n.targets if type(n) is Assign else [n.target] if type(n) is AugAssign else ():
                    root = target
                    while type(root) in (Attr, Sub):
                        root = root.value
                    if root is not target and type(root) is Name and root.id not in local and root.id != self.state:
                        put.add(text(target, 200))
                if type(n) is Call:
                    put |= self._set_by_methods(n, self.scope, 0)
            put |= {text(t, 200) for t in blocks.grown(stmt) if blocks.root(t) not in local and blocks.root(t) != self.state}
        for stmt in after:
            for n in walk(stmt):
                if type(n) in (Name, Attr, Sub) and text(n, 200) in put:
                    raise Refused(f"`{text(n, 60)}` is set before the pause and read after it, and another process does not have it: return it in the state instead")

    def _set_by_methods(self, call: Call, scope: Any, depth: int) -> set[str]:
        out: set[str] = set()
        if depth < 3 and type(call.func) is Attr and type(call.func.value) is Name and call.func.value.id == "self":
            for info in self.project.effects.judge(call, scope).targets:
                inner = self.project.names.scope(info)
                out |= {name for name, _, _ in inner.attrs if name.startswith("self.")}
                for c in inner.calls:
                    out |= self._set_by_methods(c, inner, depth + 1)
        return out

    def _same_again(self, stmt: Assign) -> bool:
        if any(type(t) is not Name and type(t) is not Seq for t in stmt.targets):
            return False
        for n in walk(stmt.value) if stmt.value is not None else ():
            if type(n) in (Await, Yield, Walrus, Comp) and type(n) is not Comp:
                return False
            if type(n) is Call:
                j = self.project.effects.judge(n, self.scope)
                if not j.known or j.result == "own" or any(getattr(j, kind) is not None for kind in ("effect", "model", "unstable", "read", "grow", "pause")):
                    return False
        return True

    def _link(self, before: list[Any], after: list[Any], extra: Iterable[str] = ()) -> tuple[list[str], list[Any]]:
        """(names that travel, statements that are repeated) between what runs before a cut and what runs after it."""
        made = blocks.uses(before).binds
        wanted = blocks.uses(after).reads | set(extra)
        # What is bound anew before it is read needs no old value, but that takes more than a look: it travels all the same.
        needed = [n for n in made if n in wanted]
        for n in needed:
            if n in self.params:
                raise Refused(f"`{n}` is set anew before the pause and used after it: give it a name of its own, then the node can be split")
        same = self._repeatable(before)
        again: list[Any] = []
        travel: list[str] = []

        def repeat(name: str) -> None:
            stmt = same[name]
            for n in blocks.uses([stmt]).reads:
                if n in same:
                    repeat(n)
            if not any(s is stmt for s in again):
                again.append(stmt)

        for n in needed:
            if n in same:
                repeat(n)
            else:
                travel.append(n)
        return travel, sorted(again, key=lambda s: s.at)

    def _checked(self, name: str, before: list[Any], where: list[Any]) -> None:
        """Refused where a value cannot travel: not there on every way, or of a kind that no checkpoint holds."""
        if name not in blocks.set_after(where):
            raise Refused(f"`{name}` is not set on every way to the pause: set it at the top of {self.fn.name}(), then the node can be split")
        what = unkept(self.project, self.scope, name, self.fn.body)
        if what is not None:
            raise Refused(f"`{name}` holds {what}, which no checkpoint keeps: take out of it before the pause what is needed after it, then the node can be split")

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
        self._state_is_left_alone([s for level in levels[1:] for s in level.block[: level.cut]])
        for name in needs:
            top = name in blocks.set_after(levels[0].block[: levels[0].cut])
            self._checked(name, before, levels[0].block[: levels[0].cut] if top else before)
        return self._write([Part(body[: levels[0].cut]), part], [levels, []], hoisted, hots, levels)

    def _state_writes(self, before: list[Any]) -> list[str]:
        """The keys of the state argument that statements set for the rest of the function: `state["draft"] = …`."""
        out: list[str] = []
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
                self._state_is_left_alone([stmt])
        return list(dict.fromkeys(out))

    def _state_is_left_alone(self, before: list[Any]) -> None:
        for target in [t for t, _ in blocks.state_targets(before, self.state)] or [text(t, 60) for s in before for t in blocks.grown(s) if blocks.root(t) == self.state]:
            raise Refused(f"`{target}` is set before the pause, and such a write is lost while the run waits: put the value into a local name and return it, "
                          "then the node can be split")

    # ---- writing
    def _write(self, parts: list[Part], levels: list[list[Level]], hoisted: list[tuple[Any, str]], hots: list[Hot], nested: list[Level] | None) -> Plan:
        fn = self.fn
        rewire_names = self._names(len(parts))
        first_def = self._def_line()
        imports = Imports(self.desk, self.path, first_def)
        keys: dict[str, str] = {}
        for part in parts[1:]:
            for name in part.needs:
                keys.setdefault(name, self.desk.fresh(f"{fn.name.strip('_')}_{name.strip('_')}", self.path, self.schema.path))
        self.written = {k: self.desk.fresh(f"{fn.name.strip('_')}_{k if k.isidentifier() else 'value'}", self.path, self.schema.path)
                        for part in parts[1:] for k in part.writes}
        for _, name in hoisted:
            keys[name] = self.desk.fresh(f"{fn.name.strip('_')}_{name}", self.path, self.schema.path)
        if len(parts) > 2 or any(self._index(part.stmts, x.node) is not None for part in parts[:-1] for x in self.p.pauses if blocks.holds(part.stmts, x.node)):
            if not keys and not self.written:
                raise Refused("it asks more than once and nothing is handed on that would tell a run that waits since before the split: split it by hand")
            if not parts[-1].needs and not parts[-1].writes:
                raise Refused("its last part needs nothing of what came before, so that a run that waits since before the split could not be told: split it by hand")
        early = [r for part in parts[:-1] for r in self._returns(part, nested)]
        routing = self._routing(early)
        if self.sent:
            if self.schema.kind != "keys":
                raise Refused("the node gets tasks of its own by Send, and its state is no dict: split it by hand")
            if routing and any(goto not in ("", END) for goto in routing.values()):
                raise Refused("the node gets tasks of its own by Send and returns before the pause, which would come a step too early: split it by hand")
            routing = routing or {}
        targets = [*(name for name, _ in rewire_names[1:]), self.place.node.name or ""]
        made = [self._function(rewire_names[n], part, parts, n, keys, hoisted, nested, routing, targets[n], imports) for n, part in enumerate(parts[:-1])]
        edits: list[Edit] = [self.placed(rewire_names, made)]
        edits += self._rest(parts[-1], nested, keys, hoisted)
        hints = {name: self._type(name, [s for part in parts for s in part.stmts], hoisted) for name in keys}
        edits += self.schema.edits({**{keys[name]: hints[name] for name in keys}, **{key: "" for key in self.written.values()}}, imports)
        edits += imports.edits()
        # Chain: first part -> … -> the node that keeps its name.
        edits += self._wire(rewire_names, routing is not None)
        moved = [h.node for h in hots]
        steady = not keys and not self.written
        one = len(parts) == 2
        node = self.place.node.name
        title = (f'split the node "{node}": {rewire_names[0][1]}() does what comes before the pause, {fn.name}() asks' if one
                 else f'split the node "{node}" into {len(parts)} nodes, one for each stretch between its pauses')
        return Plan(Fix(title, "unsafe", tuple(edits), STEADY_NOTE if steady else NOTE), moved)

    def _names(self, count: int) -> list[tuple[str, str]]:
        """(node name, function name) of the new nodes in their order."""
        fn, node = self.fn.name, self.place.node.name or self.fn.name
        taken = {n.name for n in self.place.graph.nodes}
        out: list[tuple[str, str]] = []
        same = node == fn
        for n in range(count - 1):
            word = "prepare" if count == 2 else f"part_{n + 1}_of"
            bare = fn.lstrip("_")
            name = self.desk.fresh(f"{'_' * (len(fn) - len(bare))}{word}_{bare}", self.path, self.place.node.scope.module.path)
            made = name if same else f"{word}_{node}"
            while made in taken:
                made += "_2"
            out.append((made, name))
        return out

    def _def_line(self) -> int:
        line = min([self.fn.whole[0], self.fn.at[0], *(d.at[0] for d in self.fn.decorators)])
        while self.sheet.line(line - 1).lstrip().startswith("#"):
            line -= 1
        return line

    def _function(self, name: tuple[str, str], part: Part, parts: list[Part], n: int, keys: dict[str, str], hoisted: list[tuple[Any, str]],
                  nested: list[Level] | None, routing: dict[int, str] | None, target: str, imports: Imports, extra: dict[str, str] | None = None) -> str:
        sheet = self.sheet
        indent = sheet.indent(blocks.first_line(self._body()[0]))
        command = imports.name("langgraph.types", "Command") if routing is not None else ""
        wanted = [k for k in keys if any(k in later.needs for later in parts[n + 1 :]) or any(k == h for _, h in hoisted)]
        own = part.stmts if nested is None else [s for level in nested for s in level.block[: level.cut]]
        made_here = {*blocks.uses(own).binds, *(c for s in own for c in blocks.changed(s))}
        writes = self._state_writes(part.stmts) if self.written else []
        gives = [k for k in wanted if k in made_here or any(k == h for _, h in hoisted)]

        def leaving(names: list[str], deeper: str) -> str:
            given = {**(extra or {}), **{keys[k]: k for k in names}, **{self.written[k]: f'{self.state}["{k}"]' for k in writes}, **self.schema.marker(bool(keys))}
            update = "{" + ", ".join(f'"{key}": {value}' for key, value in given.items()) + "}"
            if routing is None:
                return f"{deeper}return {update}\n"
            if self.sent:
                sent = imports.name("langgraph.types", "Send")
                return f'{deeper}return {command}(goto={sent}("{target}", {{**{self.state}, {update[1:]}))\n'.replace(", })", "})").replace(", }", "}")
            shown = f"update={update}, " if given else ""
            return f'{deeper}return {command}({shown}goto="{target}")\n'

        body = "".join(f"{indent}{line}\n" for line in self._reads(part, keys)) + self._copied(part.again, indent)
        if nested is None:
            body += self._text(part.stmts, routing, command, imports) + leaving(gives, indent)
        else:
            top = [k for k in gives if k in blocks.set_after(nested[0].block[: nested[0].cut])]
            for level in nested:
                deeper = sheet.indent(blocks.first_line(level.block[0])) if level.block else indent
                if level.test:
                    outer = sheet.indent(level.owner.at[0])
                    body += f"{outer}if {level.test}:\n"
                body += self._text(level.block[: level.cut], routing, command, imports)
                if level is nested[-1]:
                    for root, var in hoisted:
                        written = sheet.slice(root.at)
                        if "\n" in written and not written.endswith((")", "]", "}")):
                            written = f"({written})"
                        body += f"{deeper}{var} = {written}\n"
                    body += leaving([k for k in gives if k in top or k not in top], deeper)
            if len(nested) > 1:
                body += leaving(top, indent)
        returns = None
        if routing is not None and self.fn.returns is not None:
            literal = imports.name("typing", "Literal")
            ends = [target, *(t for ts in routing.values() if ts for t in ts.split("\0"))]
            returns = f"{command}[{literal}[{', '.join(chr(34) + t + chr(34) for t in dict.fromkeys(ends))}]]"
        elif self.fn.returns is not None:
            returns = "dict"
        outer = sheet.indent(self._def_line())
        blank = "\n\n" if not outer else "\n"
        return _header(sheet, self.fn, name[1], returns) + "\n" + body + blank

    def _reads(self, part: Part, keys: dict[str, str]) -> list[str]:
        return [*(self.read(k, keys[k], part.stmts) for k in part.needs), *self._rewritten(part)]

    def _rewritten(self, part: Part) -> list[str]:
        return [f'{self.state}["{k}"] = {self.state}["{self.written[k]}"]' for k in part.writes]

    def read(self, name: str, key: str, later: list[Any]) -> str:
        """The line that takes a value out of the state; a copy of it where `later` changes it in place, which would change the state's own."""
        kind = self._type(name, self.fn.body, [])
        if not any(n == name for s in later for n in blocks.changed(s)):
            return self.schema.read(name, key, "tuple" if kind == "tuple" else "")  # a tuple comes back as a list
        if kind not in ("list", "dict", "set"):
            plain = all(type(b) is not AugAssign or kind in ("int", "str", "float", "bool", "tuple") for s in later for b in walk(s)
                        if type(b) is AugAssign and type(b.target) is Name and b.target.id == name)
            if plain and kind in ("int", "str", "float", "bool", "tuple"):
                return self.schema.read(name, key, "tuple" if kind == "tuple" else "")
            raise Refused(f"`{name}` is changed in place after the pause and it cannot be told what it is: make a new object of it there, then the node can be split")
        return self.schema.read(name, key, kind)

    def _copied(self, stmts: list[Any], indent: str) -> str:
        """Statements once more, at another indentation if they are one line each."""
        out = ""
        for stmt in stmts:
            first, last = blocks.first_line(stmt), blocks.last_line(stmt)
            own = self.sheet.indent(first)
            for number in range(first, last + 1):
                line = self.sheet.line(number)
                if own != indent and first != last:
                    raise Refused("what the pausing part needs again goes over several lines in an inner block: split the node by hand")
                out += (indent + line.lstrip() if number == first else line) + "\n"
        return out

    def goto(self, ends: list[str], imports: Imports) -> str:
        """Where a `Command` goes, as text."""
        shown = [imports.name("langgraph.graph", "END") if e == END else f'"{e}"' for e in ends]
        return shown[0] if len(shown) == 1 else f"[{', '.join(shown)}]"

    def _text(self, stmts: list[Any], routing: dict[int, str] | None, command: str, imports: Imports) -> str:
        """The lines of statements with their comments; returns in them become routing."""
        if not stmts:
            return ""
        sheet = self.sheet
        first = self._top_of(stmts[0])
        last = blocks.last_line(stmts[-1])
        lines = [sheet.line(n) for n in range(first, last + 1)]
        if routing is not None:
            found = [r for s in stmts for r in walk(s) if type(r) is Return]
            for r in sorted(found, key=lambda r: r.at, reverse=True):
                goto = routing.get(id(r), "")
                if goto == "":
                    continue
                value = sheet.slice(r.value.at) if r.value is not None else ""
                nothing = r.value is None or type(r.value) is Const and r.value.kind == "none" or type(r.value) is Dict and not r.value.keys
                made = f"return {command}({'' if nothing else 'update=' + value + ', '}goto={self.goto(goto.split(chr(0)), imports)})"
                a, b = r.at[0] - first, r.at[2] - first
                lines[a : b + 1] = [lines[a][: r.at[1] - 1] + made + lines[b][r.at[3] - 1 :]]
        return "\n".join(lines) + "\n"

    def _top_of(self, stmt: Any) -> int:
        """The first line that belongs to a statement: its comments too, down from the head of the function or the statement before."""
        return blocks.with_comments(self.sheet, stmt, self.fn.at[0])

    # ---- early returns
    def _returns(self, part: Part, nested: list[Level] | None) -> list[Any]:
        stmts = part.stmts if nested is None else [s for level in nested for s in level.block[: level.cut]]
        return [n for s in stmts for n in walk(s) if type(n) is Return]

    def _routing(self, early: list[Any]) -> dict[int, str] | None:
        """By the id of a return before the pause where it leads: node names joined by NUL, "" where it stays as it is. None without such returns."""
        if not early:
            return None
        graph, old = self.place.graph, self.place.node.name
        if any(b.source == old for b in graph.branches):
            raise Refused("the node returns before the pause and a router decides where it goes: let the router's node come first, then split it by hand")
        if any(old in e.sources and len(e.sources) > 1 for e in graph.edges):
            raise Refused("the node returns before the pause, and another node waits for it and others: split it by hand")
        ends = [e.target for e in graph.edges if old in e.sources]
        if None in ends:
            raise Refused("where the node leads cannot be read: split it by hand")
        speaks = bool(self.project.graphs.gotos(self.info)) or any(type(n) is Call and (dotted(n.func) or "").rsplit(".", 1)[-1] == "Command" for s in self.fn.body for n in walk(s))
        out: dict[int, str] = {}
        for r in early:
            v = r.value
            if type(v) is Call and (dotted(v.func) or "").rsplit(".", 1)[-1] == "Command":
                if ends:
                    raise Refused("the node goes on by Command beside its edges: split it by hand")
                out[id(r)] = ""
                continue
            plain = v is None or type(v) in (Dict, Const)
            if not plain and speaks:
                raise Refused("what the node returns before the pause may be a Command or an update: split it by hand")
            # Without an edge the run ends there, as before.
            out[id(r)] = "\0".join(str(e) for e in ends) if ends else END
        return out

    # ---- the part that keeps its name
    def _rest(self, part: Part, nested: list[Level] | None, keys: dict[str, str], hoisted: list[tuple[Any, str]]) -> list[Edit]:
        sheet = self.sheet
        body = self._body()
        indent = sheet.indent(blocks.first_line(body[0]))
        out: list[Edit] = []
        top_names = part.needs if nested is None or len(nested) == 1 else [k for k in part.needs if k in blocks.set_after(nested[0].block[: nested[0].cut])]
        reads = [self.read(k, keys[k], part.stmts) for k in top_names]
        first_part = nested is None or len(nested) == 1
        if first_part:
            reads += [self.schema.read(k, keys[k]) for _, k in hoisted]
        head = "".join(f"{indent}{line}\n" for line in [*self.schema.guard(bool(keys)), *reads, *self._rewritten(part)])
        deep_again = [s for s in part.again if nested is not None and not any(s is x for x in nested[0].block)]
        head += self._copied([s for s in part.again if not any(s is d for d in deep_again)], indent)
        first = self._top_of(body[0])
        keep_from = self._top_of(part.stmts[0]) if part.stmts[0] is not body[0] else first
        out.append(sheet.edit((first, 1, keep_from, 1), head) if keep_from > first or head else None)  # type: ignore[arg-type]
        if nested is not None and len(nested) > 1:
            for level in nested[1:]:
                last = level is nested[-1]
                deeper = sheet.indent(blocks.first_line(level.block[0]))
                here = [k for k in part.needs if k not in top_names and k in blocks.uses(level.block[: level.cut]).binds]
                lines = "".join(f"{deeper}{self.read(k, keys[k], part.stmts)}\n" for k in [*here, *([k for _, k in hoisted] if last else [])])
                lines += self._copied([s for s in deep_again if any(s is x for x in level.block)], deeper)
                a, b = self._top_of(level.block[0]), self._top_of(level.block[level.cut])
                if level.cut or lines:
                    out.append(sheet.edit((a, 1, b, 1), lines))
        for root, var in hoisted:
            out.append(sheet.edit(root.at, var))
        return [e for e in out if e is not None]

    def _type(self, name: str, stmts: list[Any], hoisted: list[tuple[Any, str]]) -> str:
        values = [root for root, var in hoisted if var == name] or [
            b.value if type(b) in (Assign, Walrus) and (type(b) is Walrus or len(b.targets) == 1 and type(b.targets[0]) is Name) else None
            for b in blocks.uses(stmts).binds.get(name, ()) if type(b) is not AugAssign]
        kinds = {type_of(self.project, v, self.scope) if v is not None else "" for v in values}
        return next(iter(kinds)) if len(kinds) == 1 else ""

    # ---- the graph
    def _wire(self, names: list[tuple[str, str]], routed: bool) -> list[Edit]:
        return Rewire(self.desk, self.place, self.info, self.registered(names), not routed, self.factory, self.sent).edits()

    # ---- a function that makes the node
    def _factory(self) -> FnInfo | None:
        """The function that makes and returns the node, where it is registered by a call of that (`add_node("ask", make_ask(model))`)."""
        owner = self.info.parent.owner
        if not isinstance(owner, FnInfo) or not any(
                type(n) is Return and type(n.value) is Name and n.value.id == self.fn.name for s in owner.fn.body for n in walk(s)):
            return None
        body = owner.fn.body
        last = body[-1]
        inner = next((s for s in body if type(s) is Def and s.fn is self.fn), None)
        if type(last) is not Return or inner is None or body.index(inner) != len(body) - 2 or owner.fn.decorators or owner.fn.is_generator:
            raise Refused(f"{owner.name}() makes the node and does more than that: split it by hand")
        for stmt in body[:-2]:
            if type(stmt) not in (Assign, Import, Def, ExprStmt) or type(stmt) is ExprStmt and type(stmt.value) is not Const:
                raise Refused(f"{owner.name}() makes the node and does more than that: split it by hand")
            for n in walk(stmt):
                j = self.project.effects.judge(n, self.project.names.scope(owner)) if type(n) is Call else None
                if j is not None and any(getattr(j, kind) is not None for kind in ("effect", "model", "grow", "pause")):
                    raise Refused(f"{owner.name}() makes the node and does more than that: split it by hand")
        blocks.on_own_lines(self.sheet, body[:-2])
        return owner

    def registered(self, names: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """(node, what stands for it where it is registered): the function, or the function that makes it."""
        return names if self.factory is None else [(node, self._maker(function)) for node, function in names]

    def _maker(self, function: str) -> str:
        assert self.factory is not None
        name, inner = self.factory.name, self.fn.name.strip("_")
        made = name.replace(inner, function.strip("_")) if inner in name else f"{name}_{function.strip('_')}"
        return self.desk.fresh(made, self.path, self.place.node.scope.module.path)

    def placed(self, names: list[tuple[str, str]], made: list[str]) -> Edit:
        """The new functions in front of the old one; what a function makes gets a function that makes it, in front of that one."""
        if self.factory is None:
            return self.sheet.insert_before(self._def_line(), "".join(made))
        fn, sheet = self.factory.fn, self.sheet
        indent = sheet.indent(blocks.first_line(self.fn_stmt()))
        text = ""
        top = min([fn.whole[0], fn.at[0]])
        for (_, function), one in zip(names, made):
            head = _header(sheet, fn, self._maker(function), None)
            body = fn.body[1:-2] if fn.body and type(fn.body[0]) is ExprStmt else fn.body[:-2]
            before = sheet.slice((blocks.with_comments(sheet, body[0], fn.at[0]), 1, blocks.last_line(body[-1]), len(sheet.line(blocks.last_line(body[-1]))) + 1)) + "\n\n" if body else ""
            text += f"{head}\n{before}{one.rstrip()}\n\n{indent}return {function}\n" + ("\n\n" if not sheet.indent(top) else "\n")
        return sheet.insert_before(top, text)

    def fn_stmt(self) -> Any:
        assert self.factory is not None
        return next(s for s in self.factory.fn.body if type(s) is Def and s.fn is self.fn)


class _Test:
    """The condition of an `if` as something that reads names."""

    def __new__(cls, owner: Any) -> Any:  # type: ignore[misc]
        return ExprStmt(owner.test.at, owner.test)


def _header(sheet: Sheet, fn: Any, name: str, annotation: str | None) -> str:
    """The decorators and the def with another name; `annotation` in the place of what it says it returns, None to leave that."""
    top = min([fn.whole[0], fn.at[0], *(d.at[0] for d in fn.decorators)])
    first = blocks.first_line(fn.body[0])
    col = fn.body[0].at[1]
    lines = sheet.slice((top, 1, first, col)).rstrip()
    if not lines.endswith(":"):
        cut = lines.rfind("\n")
        # A comment stands behind the colon, or on lines of its own above the first statement.
        while cut > 0 and lines[cut:].lstrip().startswith("#"):
            lines = lines[:cut].rstrip()
            cut = lines.rfind("\n")
        tail = lines[cut + 1 :]
        if "#" in tail:
            lines = lines[: cut + 1] + tail[: tail.rindex("#")].rstrip()
        if not lines.endswith(":"):
            raise Refused(f"the head of {fn.name}() is written in a way that cannot be copied: split it by hand")
    before = sheet.slice((top, 1, fn.at[0], fn.at[1]))
    after = lines[len(before) + len(fn.name) :]
    if fn.returns is not None and annotation is not None:
        start = len(sheet.slice((fn.at[2], fn.at[3], fn.returns.at[0], fn.returns.at[1])))
        length = len(sheet.slice(fn.returns.at))
        after = after[:start] + annotation + after[start + length :]
    return before + name + after


_FIXED = ("str", "int", "float", "bool", "bytes", "tuple")
_BLOCKED = {
    For: "what runs again stands in the same loop as the pause: let the node handle one item per run, and lead it back to itself",
    While: "what runs again stands in the same loop as the pause: let the node handle one round per run, and lead it back to itself",
    Try: "what runs again stands in the same `try` as the pause: take it out of the `try`, then the node can be split",
    With: "what runs again stands in the same `with` block as the pause: close the block before the pause, then the node can be split",
}
_ONLY_READS = frozenset("len str int float bool list dict set tuple sorted reversed min max sum any all isinstance print repr range enumerate zip type abs round hash id "
                        "getattr hasattr dumps format join interrupt copy deepcopy escape quote debug info warning".split())
_KEYWORDS = frozenset("False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda "
                      "nonlocal not or pass raise return try while with yield".split())

__all__ = ["Plan", "Split"]
