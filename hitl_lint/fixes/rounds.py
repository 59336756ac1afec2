"""A node whose loop pauses handles one round per run: the state keeps where it is, and the node leads back to itself.

With every answer a loop starts over at its first item, and what earlier rounds did is done again. Afterwards each round is finished, and kept, before
the next question is asked. A node in front sets the counter and what the loop starts from; a run that waits since before has no counter and fails loudly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hitl_lint.facts import Assign, Call, Comp, Const, Dict, For, Name, Return, Seq, Sub, dotted, walk
from hitl_lint.finding import Edit, Fix
from hitl_lint.fixes import blocks
from hitl_lint.fixes.desk import Refused
from hitl_lint.fixes.imports import Imports
from hitl_lint.fixes.parts import Hot, Part, Plan
from hitl_lint.fixes.rewire import Rewire
from hitl_lint.fixes.schema import type_of
from hitl_lint.fixes.writing import NOTE, header

if TYPE_CHECKING:
    from hitl_lint.fixes.split_node import Split


def in_rounds(split: "Split", body: list[Any], loop: Any, hots: list["Hot"]) -> "Plan":
    """The plan for a function whose statement `loop` holds the pause. Refused where a round cannot be told from the others."""
    if split.sent:
        raise Refused("the node gets tasks of its own by Send, each with a state of its own: take the loop apart by hand")
    k = next(n for n, s in enumerate(body) if s is loop)
    before, after = body[:k], body[k + 1 :]
    is_for = type(loop) is For
    if loop.orelse or is_for and loop.is_async:
        raise Refused("the loop has an `else` or is asynchronous: let the node handle one round per run by hand")
    blocks.on_own_lines(split.sheet, loop.body)
    if blocks.first_line(loop.body[0]) == loop.at[0]:
        raise Refused("the loop is written on one line: put its body on lines of its own, then it can be taken apart")
    first = _first_half(split, loop, hots)
    split._state_is_left_alone(body)
    split._kept_on_objects(body, body)
    in_loop = blocks.uses([loop]).binds
    same = {n: s for n, s in split._repeatable(before).items() if n not in in_loop}
    wanted = blocks.exposed([*loop.body]) | blocks.exposed(after) | blocks.uses([loop]).reads - in_loop.keys()
    if not is_for:
        wanted |= blocks.exposed([_head(loop)])
    made = {**blocks.uses(before).binds, **in_loop}
    target = set(blocks.bound_by(loop)) if is_for else set()
    carried = [n for n in made if n in wanted and n not in same and (n not in target or n in blocks.exposed(after)) and not made_by_each_round(loop, n)]
    for n in carried:
        if n in split.params:
            raise Refused(f"`{n}` is set anew and used again: give it a name of its own, then the node can be taken apart")
        split._checked(n, [*before, loop], before)
    if is_for:
        _the_same_items(split, loop, in_loop, before)
    else:
        split._steady(loop.test)  # it is looked at again with the answer
    if is_for and target & {n for s in loop.body for n in blocks.changed(s)}:
        raise Refused("the loop changes its items in place, and what is changed is not kept from one round to the next: let the node handle one item per run by hand")
    if first and not is_for and (_reads_of(loop.test) & {*blocks.uses(first).binds, *(n for s in first for n in blocks.changed(s))} or _reads_of(loop.test) & {split.state}
                                 and any(blocks.root(t) == split.state for s in first for t in blocks.grown(s))):
        raise Refused("what comes before the question changes whether there is another round: put the test behind the question, then the loop can be taken apart")
    split._shared([*carried, *blocks.uses(first).binds], loop.body, [*loop.body, *after])
    again = sorted({id(same[n]): same[n] for n in _closure(same, wanted)}.values(), key=lambda s: s.at)
    return _Writer(split, before, loop, after, carried, again, first, target).plan(hots)


def made_by_each_round(loop: Any, name: str) -> bool:
    """Whether a round never sees an earlier round's value of a name, and what comes behind the loop only that of the round that breaks out of it."""
    if not _unconditional(loop) or name in blocks.exposed(loop.body):
        return False
    breaks = [n for n, s in enumerate(loop.body) if any(True for _ in blocks.own(("Break",), [s]))]
    return all(name in blocks.set_after(loop.body[:n]) for n in breaks)


def _unconditional(loop: Any) -> bool:
    return type(loop) is not For and type(loop.test) is Const and bool(loop.test.value)


def _head(loop: Any) -> Any:
    from hitl_lint.facts import ExprStmt

    return ExprStmt(loop.test.at, loop.test)


def _closure(same: dict[str, Any], wanted: set[str]) -> set[str]:
    out: set[str] = set()
    work = [n for n in wanted if n in same]
    while work:
        n = work.pop()
        if n not in out:
            out.add(n)
            work += [m for m in blocks.uses([same[n]]).reads if m in same]
    return out


def _first_half(split: "Split", loop: Any, hots: list["Hot"]) -> list[Any]:
    """The statements of a round before its pause that must not run again with the answer; [] where there are none. Refused where that is no clean cut."""
    pauses = split.p.pauses
    for x in pauses:
        if not any(n is x.node for s in loop.body for n in walk(s)):
            raise Refused("the node asks in a loop and outside of it: make the loop a node of its own first")
    cfg = split.p.cfg
    heads = [q for q in cfg.points if q.kind in ("iter", "loop") and q.node is loop]
    ends = {q.id for x in pauses for q in cfg.at(x.node)}
    cut = min(n for n, s in enumerate(loop.body) for x in pauses if any(y is x.node for y in walk(s)))
    needed = False
    for hot in hots:
        if not any(n is hot.node for s in loop.body for n in walk(s)):
            if any(n is hot.node for n in walk(loop)):
                raise Refused("what the loop runs over is made anew: make it in a node in front, then take the loop apart")
            continue
        reached = cfg.reachable(cfg.at(hot.node), skip=lambda _, edge: any(edge.to is h for h in heads))
        if not any(q.id in ends for q in reached):
            continue
        if not any(n is hot.node for s in loop.body[:cut] for n in walk(s)):
            raise Refused("what runs again stands in one block with the pause, in the same round of a loop: put it above, then the loop can be taken apart")
        needed = True
    if not needed:
        return []
    half = loop.body[:cut]
    if any(type(n) is Return or type(n).__name__ in ("Break", "Continue") for s in half for n in walk(s)):
        raise Refused("a round may end before its pause, and something runs again in it: make that a node of its own, one round per run")
    return list(half)


def _reads_of(test: Any) -> set[str]:
    return {n.id for n in walk(test) if type(n) is Name}


def _the_same_items(split: "Split", loop: Any, in_loop: dict[str, list[Any]], before: list[Any]) -> None:
    reads = blocks.uses([_iter(loop)]).reads
    grown = {n for s in loop.body for n in blocks.changed(s)}
    if reads & (in_loop.keys() | grown):
        raise Refused("the loop changes what it runs over: let the node handle one item per run by hand")
    split._steady(loop.iter)
    binds = blocks.uses(before).binds
    for e in (loop.iter, *(b.value for n in reads for b in binds.get(n, ()) if type(b) is Assign and b.value is not None)):
        if _unordered(split, e):
            raise Refused("the loop runs over something without a fixed order, which is another one in another process: sort it, then the loop can be taken apart")


def _unordered(split: "Split", e: Any) -> bool:
    if type(e) is Call and (dotted(e.func) or "").rsplit(".", 1)[-1] == "sorted":
        return False
    return type_of(split.project, e, split.scope) == "set" or any(
        type(n) is Call and (dotted(n.func) or getattr(n.func, "attr", "")).rsplit(".", 1)[-1] in _NO_ORDER or type(n) is Comp and n.kind == "set" for n in walk(e))


_NO_ORDER = frozenset("set frozenset listdir glob iglob rglob iterdir scandir walk union intersection difference".split())


def _iter(loop: Any) -> Any:
    from hitl_lint.facts import ExprStmt

    return ExprStmt(loop.iter.at, loop.iter)


class _Writer:
    """Puts the text together. `first`: the part of a round that becomes a node of its own in front of the one that asks, [] for none."""

    def __init__(self, split: "Split", before: list[Any], loop: Any, after: list[Any], carried: list[str], again: list[Any], first: list[Any],
                 target: set[str]) -> None:
        self.split, self.before, self.loop, self.after = split, before, loop, after
        self.carried, self.again, self.first = carried, again, first
        self.is_for = type(loop) is For
        fn, sheet, desk = split.fn, split.sheet, split.desk
        words = {n.id for s in fn.body for n in walk(s, into_functions=True) if type(n) is Name} | split.params
        self.counter = next(w for w in ("position" if self.is_for else "rounds", "place_in_loop", *(f"position_{n}" for n in range(2, 99))) if w not in words)
        bare = fn.name.strip("_")
        self.rest = loop.body[len(first) :]
        made = blocks.uses(first).binds
        self.handed = [n for n in made if n not in carried and n in blocks.uses([*self.rest, *after]).reads]
        for n in self.handed:
            split._checked(n, first, first)
        if first and any(n in target for n in made):
            raise Refused("a round gives its own item another value before it asks: give that a name of its own, then the loop can be taken apart")
        for n in self.handed:
            if n in blocks.exposed(after) and not made_by_each_round(loop, n):
                raise Refused(f"`{n}` is made in the loop and used behind it: set it in front of the loop, then the node can be taken apart")
        self.keys = {n: desk.fresh(f"{bare}_{n.strip('_')}", split.path, split.schema.path) for n in [*carried, *self.handed]}
        self.counting = desk.fresh(f"{bare}_{self.counter}", split.path, split.schema.path)
        self.imports = Imports(desk, split.path, split._def_line())
        self.command = self.imports.name("langgraph.types", "Command")
        self.indent = sheet.indent(blocks.first_line(loop))
        self.inner = sheet.indent(blocks.first_line(loop.body[0]))
        self.node = split.place.node.name or fn.name

    def plan(self, hots: list["Hot"]) -> "Plan":
        split = self.split
        names = self._names()
        routing = split._routing([n for s in self.before for n in walk(s) if type(n) is Return])
        if self.first and routing is not None:
            raise Refused("the node returns before its loop, and a round does something before it asks: take the loop apart by hand")
        start, part = Part(self.before), Part([self.loop, *self.after], self.carried, self.again)
        texts = [split._function(names[0], start, [start, part], 0, {n: self.keys[n] for n in self.carried}, [], None, routing,
                                 names[1][0] if self.first else self.node, self.imports, {self.counting: "0"})]
        if self.first:
            texts.append(self._round(names[1]))
        edits: list[Edit] = [split.placed(names, texts)]
        edits += self._asking(names[1][0] if self.first else self.node)
        ends, speaks = _ends(split)
        wire = Rewire(split.desk, split.place, split.info, split.registered(names), routing is None, split.factory)
        if ends:
            edits += self._leaving(ends, speaks)
            edits += wire.leave_by_command()
        edits += _annotated(split, self.imports, self.command, names[1][0] if self.first else self.node, ends, speaks)
        types = {key: split._type(n, [*self.before, self.loop], []) for n, key in self.keys.items()}
        edits += split.schema.edits({self.counting: "int", **types}, self.imports)
        edits += self.imports.edits()
        edits += wire.edits()
        thing = "item" if self.is_for else "round"
        what = f"{names[0][1]}() sets it up" + (f", {names[1][1]}() does what comes before the question" if self.first else "")
        title = f'let the node "{self.node}" handle one {thing} of its loop per run: the state keeps where it is, {what}'
        return Plan(Fix(title, "unsafe", tuple(edits), NOTE), [h.node for h in hots])

    def _names(self) -> list[tuple[str, str]]:
        if not self.first:
            return self.split._names(2)
        (node, function), *_ = self.split._names(2)
        other = self.split.desk.fresh(function.replace("prepare_", "start_", 1), self.split.path, self.split.place.node.scope.module.path)
        return [(node.replace("prepare_", "start_", 1), other), (node, function)]

    def _reads(self, names: list[str], later: list[Any]) -> list[str]:
        return [self.split.read(n, self.keys[n], later) for n in names]

    def _top(self, later: list[Any], counts: bool = True) -> str:
        split = self.split
        counter = [split.schema.read(self.counter, self.counting)] if counts else []
        lines = [*split.schema.guard(True), *counter, *self._reads(self.carried, later)]
        return "".join(f"{self.indent}{line}\n" for line in lines) + split._copied(self.again, self.indent)

    def _round(self, name: tuple[str, str]) -> str:
        """The part of a round that comes before its pause, as a function of its own."""
        split, sheet = self.split, self.split.sheet
        head = sheet.slice((self.loop.at[0], self.loop.at[1], self.first[0].at[0], 1)).split("\n")[0]
        if self.loop.at[2] != self.loop.at[0] or not head.rstrip().split("#")[0].rstrip().endswith(":"):
            raise Refused("the head of the loop goes over several lines: put it on one, then it can be taken apart")
        if self.is_for:
            a, b = self.loop.iter.at[1] - self.loop.at[1], self.loop.iter.at[3] - self.loop.at[1]
            head = f"{head[:a]}list({head[a:b]})[{self.counter}:]{head[b:]}"
        touched = {*blocks.uses(self.first).binds, *(c for s in self.first for c in blocks.changed(s))}
        gives = [*self.handed, *(n for n in self.carried if n in touched)]
        given = {self.keys[n]: n for n in gives} | split.schema.marker(True)
        body = self._top(self.first, self.is_for) + f"{self.indent}{head}\n" + split._text(self.first, None, "", self.imports)
        body += f"{self.inner}return {{" + ", ".join(f'"{key}": {value}' for key, value in given.items()) + "}\n"
        if not _unconditional(self.loop):
            body += f"{self.indent}return {{}}\n"
        outer = sheet.indent(split._def_line())
        return header(sheet, split.fn, name[1], "dict" if split.fn.returns is not None else None) + "\n" + body + ("\n" if outer else "\n\n")

    def _asking(self, back: str) -> list[Edit]:
        """The function that asks, from its head to the end of the loop's body."""
        split, sheet, loop = self.split, self.split.sheet, self.loop
        thing = "item" if self.is_for else "round"
        head = self._top([loop, *self.after]) + f"{self.indent}# One {thing} per run: it is finished, and kept, before the next question is asked.\n"
        start, keep = split._top_of(split._body()[0]), split._top_of(loop)
        edits = [sheet.edit((start, 1, keep, 1), head)]
        if self.is_for:
            edits.append(sheet.edit(loop.iter.at, f"list({sheet.slice(loop.iter.at)})[{self.counter}:]"))
        if self.first:
            lines = "".join(f"{self.inner}{line}\n" for line in self._reads(self.handed, [*self.rest, *self.after]))
            a, b = split._top_of(loop.body[0]), split._top_of(self.rest[0])
            edits.append(sheet.edit((a, 1, b, 1), lines))
        update = ", ".join([f'"{self.counting}": {self.counter} + 1', *(f'"{self.keys[n]}": {n}' for n in self.carried)])
        again = f'return {self.command}(update={{{update}}}, goto="{back}")'
        edits += [sheet.edit(c.at, again) for c in blocks.own(("Continue",), loop.body)]
        if not blocks.leaves(loop.body):
            edits.append(sheet.insert_after(blocks.last_line(loop.body[-1]), f"{self.inner}{again}\n"))
        return edits

    def _leaving(self, ends: list[str], speaks: bool) -> list[Edit]:
        """Static edges would be followed after every round: the node says where it goes when it is done."""
        split, sheet, tail = self.split, self.split.sheet, (self.after or [self.loop])
        goto = split.goto(ends, self.imports)
        out: list[Edit] = []
        for r in [n for s in (self.loop, *self.after) for n in walk(s) if type(n) is Return]:
            if speaks:
                raise Refused("the node goes on by Command beside its edges: take the loop apart by hand")
            value = sheet.slice(r.value.at) if r.value is not None else ""
            nothing = r.value is None or type(r.value) is Const and r.value.kind == "none" or type(r.value) is Dict and not r.value.keys
            out.append(sheet.edit(r.at, f"return {self.command}({'' if nothing else f'update={value}, '}goto={goto})"))
        if not blocks.leaves(tail) and not _endless(self.loop):
            out.append(sheet.insert_after(blocks.last_line(tail[-1]), f"{self.indent}return {self.command}(goto={goto})\n"))
        return out


def _endless(loop: Any) -> bool:
    return _unconditional(loop) and not any(True for _ in blocks.own(("Break",), loop.body))


def _ends(split: "Split") -> tuple[list[str], bool]:
    """Where the static edges of the node lead, and whether it says by Command where it goes."""
    graph, old = split.place.graph, split.place.node.name
    if any(b.source == old for b in graph.branches):
        raise Refused("a router decides where the node goes, which would decide after every round: take the loop apart by hand")
    ends = [e.target for e in graph.edges if old in e.sources]
    if None in ends:
        raise Refused("where the node leads cannot be read: take the loop apart by hand")
    return [str(e) for e in ends], bool(split.project.graphs.gotos(split.info))


def _annotated(split: "Split", imports: Imports, command: str, node: str, ends: list[str], speaks: bool) -> list[Edit]:
    """The return annotation names the node itself, too."""
    fn, sheet = split.fn, split.sheet
    if fn.returns is None:
        return []
    for n in walk(fn.returns):
        if type(n) is Sub and type(n.value).__name__ in ("Name", "Attr") and (getattr(n.value, "id", "") or getattr(n.value, "attr", "")) == "Literal":
            last = n.index.elts[-1] if type(n.index) is Seq else n.index
            return [sheet.edit((last.at[2], last.at[3], last.at[2], last.at[3]), f', "{node}"')]
    if speaks:
        return []
    literal = imports.name("typing", "Literal")
    shown = ", ".join(f'"{t}"' for t in dict.fromkeys([node, *ends]))
    made = f"{command}[{literal}[{shown}]]"
    return [sheet.edit(fn.returns.at, made if ends else f"{sheet.slice(fn.returns.at)} | {made}")]


__all__ = ["in_rounds"]
