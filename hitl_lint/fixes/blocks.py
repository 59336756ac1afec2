"""Statements as lines of text, and the local names they bind and read: what moving statements from one function to another needs to know."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Iterable, Iterator

from hitl_lint.facts import (
    Assign,
    Attr,
    AugAssign,
    Call,
    Case,
    Class,
    ClassStmt,
    Comp,
    Def,
    Delete,
    For,
    Function,
    Handler,
    If,
    Import,
    Lambda,
    Match,
    Name,
    Raise,
    Return,
    Seq,
    Star,
    Sub,
    Try,
    Walrus,
    While,
    With,
    children,
    dotted,
    text,
    walk,
)
from hitl_lint.fixes.desk import Refused, Sheet


def first_line(stmt: Any) -> int:
    """The line on which a statement begins, decorators included."""
    if type(stmt) is Def:
        return min(stmt.fn.whole[0], stmt.at[0])
    if type(stmt) is ClassStmt:
        return min(stmt.cls.whole[0], stmt.at[0])
    return stmt.at[0]


def last_line(stmt: Any) -> int:
    """The line on which a statement with all its blocks ends."""
    if type(stmt) is Def:
        return stmt.fn.whole[2]
    if type(stmt) is ClassStmt:
        return stmt.cls.whole[2]
    return max([stmt.at[2], *(n.whole[2] if type(n) in (Function, Class) else n.at[2] for n in walk(stmt, into_functions=True) if getattr(n, "at", None))])


def blocks(stmt: Any) -> Iterator[list[Any]]:
    """The blocks of statements directly in a compound statement."""
    for name in ("body", "orelse", "final"):
        value = getattr(stmt, name, None)
        if type(value) is list and value and type(stmt) not in (Def, ClassStmt):
            yield value
    for part in (*getattr(stmt, "handlers", ()), *getattr(stmt, "cases", ())):
        yield part.body


def on_own_lines(sheet: Sheet, block: list[Any]) -> None:
    """Refused unless each statement of a block starts and ends its lines, so that it can be moved as lines."""
    for stmt in block:
        head = sheet.line(first_line(stmt))
        if type(stmt) is If and head.lstrip().startswith("elif"):
            continue
        col = stmt.at[1] if type(stmt) not in (Def, ClassStmt) else len(sheet.indent(first_line(stmt))) + 1
        if head[: col - 1].strip():
            raise Refused("statements share a line in this function: put each on a line of its own, then it can be split")
        if type(stmt) not in (Def, ClassStmt, If, For, While, With, Try, Match):
            tail = sheet.line(stmt.at[2])[stmt.at[3] - 1 :].strip()
            if tail and not tail.startswith("#"):
                raise Refused("statements share a line in this function: put each on a line of its own, then it can be split")


def with_comments(sheet: Sheet, stmt: Any, floor: int) -> int:
    """The first line of the comments above a statement, also those that blank lines part from it, not above `floor`. Comments further to the right
    belong to the block before."""
    first = top = first_line(stmt)
    indent = len(sheet.indent(first).expandtabs())
    line = first
    while line - 1 > floor:
        line -= 1
        text_of = sheet.line(line)
        if text_of.lstrip().startswith("#"):
            if len(sheet.indent(line).expandtabs()) > indent:
                break
            top = line
        elif text_of.strip():
            break
    return top


@dataclass
class Uses:
    """Local names of some statements. `binds` maps a name to the nodes that bind it; `reads` are the names that are read in them."""

    binds: dict[str, list[Any]] = field(default_factory=dict)
    reads: set[str] = field(default_factory=set)


def uses(stmts: Iterable[Any]) -> Uses:
    """What statements bind in their function and what names they read, those of nested functions and of comprehensions included in the latter."""
    out = Uses()
    for stmt in stmts:
        _visit(stmt, out, True)
    return out


def _visit(node: Any, out: Uses, here: bool) -> None:
    t = type(node)
    if t is Def:
        _bind(out, node.fn.name, node) if here else None
        _function(node.fn, out)
        return
    if t is Lambda:
        _function(node.fn, out)
        return
    if t is ClassStmt:
        _bind(out, node.cls.name, node) if here else None
        inner = Uses()
        for s in node.cls.body:
            _visit(s, inner, False)
        out.reads |= inner.reads
        for part in (*node.cls.bases, *node.cls.decorators):
            _visit(part, out, here)
        return
    if t is Import:
        for n in node.names:
            if here:
                _bind(out, n.asname or (n.name or n.module.split(".")[0]), node)
        return
    if t is Comp:
        own = {x.id for g in node.generators for x in walk(g.target) if type(x) is Name}
        inner = Uses()
        for child in children(node):
            _visit(child, inner, here)
        out.reads |= inner.reads - own
        for name, nodes in inner.binds.items():
            if name not in own:
                out.binds.setdefault(name, []).extend(nodes)
        return
    if t is Name:
        out.reads.add(node.id)
        return
    if t in (Assign, AugAssign, For, With, Walrus, Handler, Delete):
        if here:
            for name in bound_by(node):
                _bind(out, name, node)
    if t is Case and here:
        for name in node.captures:
            _bind(out, name, node)
    if t is Assign:
        for target in node.targets:
            if type(target) is not Name:
                _targets(target, out, here)
        for part in (node.value, node.annotation):
            if part is not None:
                _visit(part, out, here)
        return
    if t in (For,):
        if type(node.target) is not Name:
            _targets(node.target, out, here)
        _visit(node.iter, out, here)
        for s in (*node.body, *node.orelse):
            _visit(s, out, here)
        return
    for child in children(node):
        _visit(child, out, here)


def _targets(target: Any, out: Uses, here: bool) -> None:
    """The names that a target reads: `a.b = …` reads `a`, `a, b = …` reads nothing."""
    t = type(target)
    if t is Name:
        return
    if t.__name__ in ("Seq", "Star"):
        for e in getattr(target, "elts", None) or [target.value]:
            _targets(e, out, here)
        return
    for child in children(target):
        _visit(child, out, here)


def _function(fn: Function, out: Uses) -> None:
    inner = uses(fn.body)
    own = {p.name for p in fn.params} | (inner.binds.keys() - set(fn.nonlocals))
    out.reads |= inner.reads - own
    out.reads |= set(fn.nonlocals)
    for part in (*fn.decorators, *(p.default for p in fn.params if p.default is not None), *(p.annotation for p in fn.params if p.annotation is not None)):
        _visit(part, out, False)


def bound_by(node: Any) -> Iterator[str]:
    """The plain names that an assignment, loop, with, except, del or walrus binds."""
    t = type(node)
    if t is Handler:
        if node.name:
            yield node.name
        return
    targets = (node.targets if t in (Assign, Delete) else [i.target for i in node.items if i.target is not None] if t is With else [node.target])
    if t is Assign and node.value is None:
        return
    for target in targets:
        yield from _names(target)


def _names(target: Any) -> Iterator[str]:
    if type(target) is Name:
        yield target.id
    elif type(target).__name__ == "Seq":
        for e in target.elts:
            yield from _names(e)
    elif type(target).__name__ == "Star":
        yield from _names(target.value)


def _bind(out: Uses, name: str, node: Any) -> None:
    out.binds.setdefault(name, []).append(node)


def set_after(block: list[Any]) -> set[str]:
    """The names that are bound whichever way a block is run through to its end."""
    done: set[str] = set()
    for stmt in block:
        done |= _set_by(stmt)
        if done:
            done -= {name for n in walk(stmt) if type(n) is Delete for name in bound_by(n)}
    return done


def leaves(block: list[Any]) -> bool:
    """Whether a block never runs through to its end: it returns, raises, breaks or continues."""
    if not block:
        return False
    last = block[-1]
    t = type(last)
    if t in (Return, Raise) or t.__name__ in ("Break", "Continue"):
        return True
    if t is If:
        return bool(last.orelse) and leaves(last.body) and leaves(last.orelse)
    if t is With:
        return leaves(last.body)
    if t is Try:
        return leaves(last.final) or leaves(last.body) and all(leaves(h.body) for h in last.handlers)
    if t is Match:
        return any(c.irrefutable for c in last.cases) and all(leaves(c.body) for c in last.cases)
    return False


def _set_by(stmt: Any) -> set[str]:
    t = type(stmt)
    if t is If:
        ways = [set_after(b) for b in (stmt.body, stmt.orelse) if not leaves(b)]
        return set.intersection(*ways) if ways else set()
    if t is Match:
        ways = [set_after(c.body) | set(c.captures) for c in stmt.cases if not leaves(c.body)]
        if not any(c.irrefutable for c in stmt.cases):
            ways.append(set())
        return set.intersection(*ways) if ways else set()
    if t is Try:
        ways = [] if leaves(stmt.body) else [set_after(stmt.body) | set_after(stmt.orelse)]
        ways += [set_after(h.body) for h in stmt.handlers if not leaves(h.body)]
        return (set.intersection(*ways) if ways else set()) | set_after(stmt.final)
    if t is With:
        return set_after(stmt.body) | set(bound_by(stmt))
    if t in (For, While):
        return set()
    return set(uses([stmt]).binds)


def exposed(block: list[Any], known: set[str] | None = None) -> set[str]:
    """The names that a block may read before it has bound them itself, so that it sees what was there before. `known`: bound already; grows."""
    known = set() if known is None else known
    out: set[str] = set()
    for stmt in block:
        t = type(stmt)
        inner = list(blocks(stmt))
        if not inner or t in (Def, ClassStmt):
            out |= uses([stmt]).reads - known
            known |= _set_by(stmt)
            continue
        parts = [p for p in children(stmt) if not any(p is s for b in inner for s in b) and type(p) not in (Handler, Case)]
        heads: list[Any] = [h.type for h in getattr(stmt, "handlers", ()) if h.type is not None]
        heads += [x for c in getattr(stmt, "cases", ()) for x in (c.pattern, c.guard) if x is not None]
        bound: set[str] = set()
        for c in getattr(stmt, "cases", ()):
            bound |= set(c.captures)
        if t is For and type(stmt.target) is Name:
            parts = [p for p in parts if p is not stmt.target]
        seen = Uses()
        for p in parts:
            _visit(p, seen, True)
        for h in heads:
            _visit(h, seen, False)
        out |= seen.reads - known - bound - (set(bound_by(stmt)) if t is With else set())
        own = set(bound_by(stmt)) if t in (For, With) else set()
        if t is Try:
            within = set(known)
            out |= exposed(stmt.body, within)
            out |= exposed(stmt.orelse, set(within))
            for h in stmt.handlers:
                out |= exposed(h.body, known | ({h.name} if h.name else set()))
            out |= exposed(stmt.final, set(known))
        elif t is Match:
            for c in stmt.cases:
                out |= exposed(c.body, known | set(c.captures))
        else:
            for b in inner:
                out |= exposed(b, known | (own if b is stmt.body else set()))
        known |= _set_by(stmt)
    return out


def own(kinds: tuple[str, ...], block: list[Any]) -> Iterator[Any]:
    """The statements of these kinds ("Break", "Continue") in a loop's body that belong to that loop."""
    for stmt in block:
        if type(stmt).__name__ in kinds:
            yield stmt
        elif type(stmt) in (For, While):
            yield from own(kinds, stmt.orelse)
        elif type(stmt) not in (Def, ClassStmt):
            for b in blocks(stmt):
                yield from own(kinds, b)


def holds(stmts: list[Any], node: Any) -> bool:
    return any(n is node for s in stmts for n in walk(s))


def changed(stmt: Any) -> Iterable[str]:
    """The names whose objects a statement may change in place: `x.append(…)`, `x["k"].append(…)`, `x["k"] = …`, `x.a += …`, also what a loop runs over
    where its variable is changed."""
    found = {root(t) for t in grown(stmt)} - {""}
    for n in walk(stmt):
        if type(n) is For and found & set(bound_by(n)):
            found |= {x.id for x in walk(n.iter) if type(x) is Name}
    return found


def grown(stmt: Any) -> Iterable[Any]:
    """What a statement may change in place, as expressions: what it does change, and names that stand in `x += …`, which may be lists."""
    yield from told_to_change(stmt)
    yield from set_into(stmt)
    for n in walk(stmt):
        if type(n) is AugAssign and type(n.target) is Name:
            yield n.target


def told_to_change(stmt: Any) -> Iterable[Any]:
    """What the methods are called on that change it in place."""
    return (n.func.value for n in walk(stmt) if type(n) is Call and type(n.func) is Attr and n.func.attr in CHANGING)


def set_into(stmt: Any) -> Iterable[Any]:
    """What attributes and items are set or deleted of."""
    for n in walk(stmt):
        if type(n) in (Assign, AugAssign, Delete):
            targets = [n.target] if type(n) is AugAssign else list(n.targets)
            while targets:
                target = targets.pop(0)
                if type(target) in (Sub, Attr):
                    yield target.value
                elif type(target) in (Seq, Star):
                    targets[:0] = target.elts if type(target) is Seq else [target.value]


def root(e: Any) -> str:
    while type(e) in (Attr, Sub, Call):
        e = e.func if type(e) is Call else e.value
    return e.id if type(e) is Name else ""


CHANGING = frozenset("append extend add update insert remove discard pop popitem clear setdefault sort reverse appendleft extendleft write".split())


def state_targets(stmts: Iterable[Any], state: str) -> Iterator[tuple[str, Any]]:
    """(text of the target, statement) of each assignment to a key or attribute of the state argument."""
    for stmt in stmts:
        for node in walk(stmt):
            if type(node) in (Assign, AugAssign):
                for target in node.targets if type(node) is Assign else [node.target]:
                    base = target.value if type(target) is Sub else getattr(target, "value", None)
                    if base is not None and (dotted(base) or text(base, 80)).split(".")[0].split("[")[0] == state:
                        yield text(target, 80), node


__all__ = ["Uses", "blocks", "bound_by", "first_line", "last_line", "leaves", "on_own_lines", "set_after", "state_targets", "uses", "with_comments"]
