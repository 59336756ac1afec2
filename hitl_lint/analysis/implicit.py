"""Calls that are not written as calls: `with C():` enters C, `self.token` runs the getter of a property.

`Implicit.calls` gives the calls of a scope, these among them, as calls like any other: their `func` is the method as it would be written.
Only where the class of the receiver is a class of the project, and known.
"""

from __future__ import annotations

from typing import Any, Iterator, Sequence

from hitl_lint.analysis.names import ClassInfo, FnInfo, Inst, Names, Scope
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import Assign, Attr, AugAssign, Call, Delete, For, Generator, Seq, Star, With, dotted, walk


class Implicit:
    def __init__(self, names: Names) -> None:
        self.names = names
        self._made: dict[int, Call] = {}  # by id of the with item or attribute; kept for good, as others remember calls by their id
        self._runs: dict[int, FnInfo] = {}
        self._found: dict[int, dict[int, Call]] = {}
        self._nodes: dict[int, list[Any]] = {}  # no conclusion, but what is written: kept for good

    def forget(self) -> None:
        """Drop conclusions: more modules have been read."""
        self._found.clear()

    def calls(self, scope: Scope) -> Sequence[Call]:
        """The calls in a scope, written ones first."""
        found = self.found(scope)
        return [*scope.calls, *found.values()] if found else scope.calls

    def runs(self, call: Call) -> FnInfo | None:
        """The method that a call that is not written runs; None for a written one."""
        return self._runs.get(id(call))

    def found(self, scope: Scope) -> dict[int, Call]:
        """By id of the with item or attribute, the call that it is."""
        known = self._found.get(id(scope))
        if known is None:
            known = self._found[id(scope)] = {}
            if scope.kind == "function":
                for node, written, info in self._search(scope):
                    call = self._made.setdefault(id(node), Call(written.at, written, []))
                    self._runs[id(call)] = info
                    known[id(node)] = call
        return known

    def _asks(self, call: Call) -> bool:
        """Whether a call says that it is one of `interrupt()`."""
        return (dotted(call.func) or "").rpartition(".")[2] in _ASKS

    def _search(self, scope: Scope) -> Iterator[tuple[Any, Attr, FnInfo]]:
        asks = any(map(self._asks, scope.calls))
        nodes = self._nodes.get(id(scope))
        if nodes is None:
            nodes = self._nodes[id(scope)] = [n for stmt in scope.owner.fn.body for n in walk(stmt) if type(n) in _LOOKED_AT]
        for node in nodes:
            for item in node.items if type(node) is With else ():
                name = "__aenter__" if node.is_async else "__enter__"
                for v in self.names.resolve(item.value, scope):
                    method = self.names.method(v.info, name) if isinstance(v, Inst) else None
                    if method is not None:
                        yield item, Attr(item.value.at, item.value, name), method
                        break
        # Which names properties have is known of what has been read; a function that asks is worth reading for.
        reads = [n for n in nodes if type(n) is Attr and (asks or n.attr in self.names.properties)]
        written = {id(x) for node in nodes for target in _targets(node) for x in _parts(target)} if reads else ()
        bases: dict[str, Sequence[Any]] = {}
        for node in reads:
            if id(node) in written:
                continue
            base = dotted(node.value)
            values = bases.get(base) if base is not None else None
            if values is None:
                values = self.names.resolve(node.value, scope)
                if base is not None:
                    bases[base] = values
            getters = [getter(self.names, v.info, node.attr) if isinstance(v, Inst) else None for v in values]
            if getters and getters[0] is not None and all(g is not None for g in getters):
                yield node, node, getters[0]


_ASKS = frozenset(path.rpartition(".")[2] for path in lg.INTERRUPT)
_LOOKED_AT = frozenset({With, Attr, Assign, Delete, AugAssign, For, Generator})


def getter(names: Names, info: ClassInfo, attr: str) -> FnInfo | None:
    """The function that reading an attribute runs; a cached property runs it once for the object."""
    for c in names.mro(info):
        bindings = c.scope.bindings.get(attr) if isinstance(c, ClassInfo) and c.scope is not None else None
        if bindings:
            found = [b.node for b in bindings if b.how == "def" and any(dotted(d) in ("property", "builtins.property") for d in b.node.fn.decorators)]
            return found[0] if found and all(b.how == "def" for b in bindings) else None
    return None


def _targets(node: Any) -> Sequence[Any]:
    t = type(node)
    return node.targets if t in (Assign, Delete) else [node.target] if t in (AugAssign, For, Generator) else []


def _parts(target: Any) -> Iterator[Any]:
    """What of a target is written: the attribute itself, not what it hangs on."""
    if type(target) is Seq:
        for e in target.elts:
            yield from _parts(e)
    elif type(target) is Star:
        yield from _parts(target.value)
    else:
        yield target


__all__ = ["Implicit", "getter"]
