"""A node whose loop pauses handles one round per run: the state keeps where it is, and the node leads back to itself.

With every answer a loop starts over at its first item, and what earlier rounds did is done again. Afterwards each round is finished, and kept, before
the next question is asked. A node in front sets the counter and what the loop starts from; a run that waits since before has no counter and fails loudly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hitl_lint.analysis.wiring import END
from hitl_lint.facts import Const, Dict, For, Return, Seq, Sub, walk
from hitl_lint.finding import Edit, Fix
from hitl_lint.fixes import blocks
from hitl_lint.fixes.desk import Refused
from hitl_lint.fixes.imports import Imports
from hitl_lint.fixes.rewire import Rewire

if TYPE_CHECKING:
    from hitl_lint.fixes.split_node import Hot, Plan, Split


def in_rounds(split: "Split", body: list[Any], loop: Any, hots: list["Hot"]) -> "Plan":
    """The plan for a function whose statement `loop` holds the pause and what runs again. Refused where a round cannot be told from the others."""
    from hitl_lint.fixes.split_node import NOTE, Part, Plan

    if split.sent:
        raise Refused("the node gets tasks of its own by Send, each with a state of its own: take the loop apart by hand")
    k = next(n for n, s in enumerate(body) if s is loop)
    before, after = body[:k], body[k + 1 :]
    _one_question_at_a_time(split, body, loop, hots)
    is_for = type(loop) is For
    if loop.orelse or is_for and loop.is_async:
        raise Refused("the loop has an `else` or is asynchronous: let the node handle one round per run by hand")
    blocks.on_own_lines(split.sheet, loop.body)
    if blocks.first_line(loop.body[0]) == loop.at[0]:
        raise Refused("the loop is written on one line: put its body on lines of its own, then it can be taken apart")
    split._state_is_left_alone(body)
    split._kept_on_objects(body, body)
    in_loop = blocks.uses([loop]).binds
    same = {n: s for n, s in split._repeatable(before).items() if n not in in_loop}
    wanted = blocks.exposed([*loop.body]) | blocks.exposed(after) | blocks.uses([loop]).reads - in_loop.keys()
    if not is_for:
        wanted |= blocks.exposed([_head(loop)])
    made = {**blocks.uses(before).binds, **in_loop}
    target = set(blocks.bound_by(loop)) if is_for else set()
    carried = [n for n in made if n in wanted and n not in same and (n not in target or n in blocks.exposed(after))]
    for n in carried:
        if n in split.params:
            raise Refused(f"`{n}` is set anew and used again: give it a name of its own, then the node can be taken apart")
        split._checked(n, [*before, loop], before)
    if is_for:
        _the_same_items(split, loop, in_loop)
    part = Part(body[k:], carried, sorted({id(same[n]): same[n] for n in _closure(same, wanted)}.values(), key=lambda s: s.at))
    return _write(split, before, loop, after, part, hots, Plan, Fix, NOTE)


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


def _one_question_at_a_time(split: "Split", body: list[Any], loop: Any, hots: list["Hot"]) -> None:
    """Every pause is in the loop, and nothing that must not run again leads to a pause in its own round."""
    pauses = split.p.pauses
    for x in pauses:
        if not any(n is x.node for s in loop.body for n in walk(s)):
            raise Refused("the node asks in a loop and outside of it: make the loop a node of its own first")
    cfg = split.p.cfg
    heads = [q for q in cfg.points if q.kind in ("iter", "loop") and q.node is loop]
    ends = {q.id for x in pauses for q in cfg.at(x.node)}
    for hot in hots:
        if not any(n is hot.node for s in loop.body for n in walk(s)):
            if any(n is hot.node for n in walk(loop)):
                raise Refused("what the loop runs over is made anew: make it in a node in front, then take the loop apart")
            continue
        reached = cfg.reachable(cfg.at(hot.node), skip=lambda _, edge: any(edge.to is h for h in heads))
        if any(q.id in ends for q in reached):
            raise Refused("what runs again stands before the pause in the same round of a loop: make it a node of its own, one round per run")


def _the_same_items(split: "Split", loop: Any, in_loop: dict[str, list[Any]]) -> None:
    from hitl_lint.fixes.split_node import _changed

    reads = blocks.uses([_iter(loop)]).reads
    grown = {n for s in loop.body for n in _changed(s)}
    if reads & (in_loop.keys() | grown):
        raise Refused("the loop changes what it runs over: let the node handle one item per run by hand")
    split._steady(loop.iter)


def _iter(loop: Any) -> Any:
    from hitl_lint.facts import ExprStmt

    return ExprStmt(loop.iter.at, loop.iter)


def _write(split: "Split", before: list[Any], loop: Any, after: list[Any], part: Any, hots: list["Hot"], plan: Any, fix: Any, note: str) -> Any:
    fn, sheet, desk = split.fn, split.sheet, split.desk
    node = split.place.node.name or fn.name
    top = split._def_line()
    imports = Imports(desk, split.path, top)
    words = {n.id for s in fn.body for n in walk(s, into_functions=True) if type(n).__name__ == "Name"} | split.params
    is_for = type(loop) is For
    counter = next(w for w in ("position" if is_for else "rounds", "place_in_loop", *(f"position_{n}" for n in range(2, 99))) if w not in words)
    bare = fn.name.strip("_")
    keys = {n: desk.fresh(f"{bare}_{n.strip('_')}", split.path, split.schema.path) for n in part.needs}
    counting = desk.fresh(f"{bare}_{counter}", split.path, split.schema.path)
    names = split._names(2)
    command = imports.name("langgraph.types", "Command")
    early = [n for s in before for n in walk(s) if type(n) is Return]
    routing = split._routing(early)
    first = type(part)(before)
    text = split._function(names[0], first, [first, part], 0, keys, [], None, routing, node, imports, {counting: "0"})
    ends, speaks = _ends(split)
    indent = sheet.indent(blocks.first_line(loop))
    inner = sheet.indent(blocks.first_line(loop.body[0]))
    update = ", ".join([f'"{counting}": {counter} + 1', *(f'"{keys[n]}": {n}' for n in part.needs)])
    again = f'return {command}(update={{{update}}}, goto="{node}")'

    edits: list[Edit] = [split.placed(names[:1], [text])]
    body = split._body()
    lines = [*split.schema.guard(True), split.schema.read(counter, counting), *(split.read(n, keys[n], part.stmts) for n in part.needs)]
    head = "".join(f"{indent}{line}\n" for line in lines) + split._copied(part.again, indent)
    start, keep = split._top_of(body[0]), split._top_of(loop)
    thing = "item" if is_for else "round"
    head += f"{indent}# One {thing} per run: it is finished, and kept, before the next question is asked.\n"
    edits.append(sheet.edit((start, 1, keep, 1), head))
    if is_for:
        written = sheet.slice(loop.iter.at)
        edits.append(sheet.edit(loop.iter.at, f"list({written})[{counter}:]"))
    for c in blocks.own_continues(loop.body):
        edits.append(sheet.edit(c.at, again))
    if not blocks.leaves([s for s in loop.body if type(s).__name__ != "Continue"] or loop.body) or not blocks.leaves(loop.body):
        edits.append(sheet.insert_after(blocks.last_line(loop.body[-1]), f"{inner}{again}\n"))
    wire = Rewire(desk, split.place, split.info, split.registered(names), routing is None, split.factory)
    if ends:
        goto = split.goto(ends, imports)
        for r in [n for s in (loop, *after) for n in walk(s) if type(n) is Return]:
            value = sheet.slice(r.value.at) if r.value is not None else ""
            nothing = r.value is None or type(r.value) is Const and r.value.kind == "none" or type(r.value) is Dict and not r.value.keys
            if speaks:
                raise Refused("the node goes on by Command beside its edges: take the loop apart by hand")
            edits.append(sheet.edit(r.at, f"return {command}({'' if nothing else f'update={value}, '}goto={goto})"))
        if not blocks.leaves(after or [loop]) and not _endless(loop):
            edits.append(sheet.insert_after(blocks.last_line((after or [loop])[-1]), f"{indent}return {command}(goto={goto})\n"))
        edits += wire.leave_by_command()
    edits += _annotated(split, imports, command, node, ends, speaks)
    types = {key: split._type(n, [*before, loop], []) for n, key in keys.items()}
    edits += split.schema.edits({counting: "int", **types}, imports)
    edits += imports.edits()
    edits += wire.edits()
    title = f'let the node "{node}" handle one {thing} of its loop per run: the state keeps where it is, {names[0][1]}() sets it up'
    return plan(fix(title, "unsafe", tuple(edits), note), [h.node for h in hots])


def _endless(loop: Any) -> bool:
    return type(loop) is not For and type(loop.test) is Const and bool(loop.test.value) and not any(type(n).__name__ == "Break" for s in loop.body for n in walk(s))


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


__all__ = ["END", "in_rounds"]
