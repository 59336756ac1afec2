"""Memory that an answer changes: "always allow" is noted in a list of the process, and the next question starts the function anew, which now finds it there.

The first question is skipped then, and its answer goes to the second one. What is written outside of the pauses' reach (behind the last of them) is
found by later runs, not by this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.cfg import Guard, Point
from hitl_lint.analysis.names import FnInfo, Scope, argument
from hitl_lint.facts import Assign, Attr, AugAssign, Call, Delete, Name, Sub, dotted, walk
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

WRITES = frozenset({"append", "add", "extend", "insert", "update", "setdefault", "remove", "discard", "pop", "clear", "appendleft"})
MAX_DEPTH = 3
MAX_NODES = 400


@record
class Changed:
    """Memory by its name as written ("self.rules"), and the statement behind an answer that changes it."""

    place: str
    node: Any


class Answered:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._by_function: dict[int, list[Changed]] = {}
        self._by_param: dict[tuple[int, str], bool] = {}

    def decides(self, p: "Pausing", pause: Point, g: Guard) -> Changed | None:
        """What a guard of a pause looks at, where an answer before another question changes it."""
        if g.kind not in ("test", "case", "iter"):
            return None
        changed = [c for c in self._changed(p)]
        if not changed:
            return None
        places, calls = self._looked_at(g, p.scope)
        for c in changed:
            # What is asked by the very call that changes it (a cache) is as it has left it.
            if id(c.node) not in calls and any(seen == c.place or seen.startswith(c.place + ".") for seen in places):
                return c
        return None

    def _changed(self, p: "Pausing") -> list[Changed]:
        """The memory that is changed behind a pause and before another one."""
        found = self._by_function.get(id(p.info.fn))
        if found is None:
            found = self._by_function[id(p.info.fn)] = []
            for x in p.cfg.points:
                if not isinstance(x.node, (Call, Assign, AugAssign, Delete)) or not p.zone.after_pause(x) or not p.zone.contains(x):
                    continue
                for place in self._written(x, p):
                    if self._lives_on(place, p.scope):
                        found.append(Changed(place, x.node))
        return found

    def _written(self, x: Point, p: "Pausing") -> Iterator[str]:
        node = x.node
        if type(node) is Call:
            f = node.func
            if type(f) is Attr and f.attr in WRITES and (place := dotted(f.value)) is not None:
                yield place
            for info in self.project.effects.judge(node, p.scope).targets[:4]:
                bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
                for param in info.fn.params:
                    given = argument(node, info.fn, param, bound)
                    if bound and info.fn.params[0] is param:
                        given = f.value if type(f) is Attr else None
                    place = dotted(given) if given is not None else None
                    if place is not None and place != "self" and self._writes(info, param.name, 0):
                        yield place
        elif x.kind == "bind" and type(node) is not Call:
            for t in node.targets if type(node) in (Assign, Delete) else [node.target]:
                if type(t) is Sub and (place := dotted(t.value)) is not None:
                    yield place
                elif type(t) is Attr and (place := dotted(t)) is not None:
                    yield place

    def _writes(self, info: FnInfo, name: str, depth: int) -> bool:
        """Whether a function changes what it is given as a parameter, or something in it."""
        key = (id(info.fn), name)
        if key not in self._by_param:
            self._by_param[key] = False
            scope = self.project.names.scope(info)
            self._by_param[key] = len(scope.bindings.get(name, ())) == 1 and any(
                self._touches(n, name, scope, depth) for stmt in info.fn.body for n in walk(stmt))
        return self._by_param[key]

    def _touches(self, n: Any, name: str, scope: Scope, depth: int) -> bool:
        t = type(n)
        if t is Assign and n.value is not None:
            return any(type(x) in (Sub, Attr) and _root(x) == name for x in n.targets)
        if t is AugAssign:
            return _root(n.target) == name
        if t is not Call:
            return False
        if type(n.func) is Attr and n.func.attr in WRITES and _root(n.func.value) == name:
            return True
        if depth < MAX_DEPTH and any(_root(a.value) == name for a in n.args):
            for info in self.project.effects.judge(n, scope).targets[:2]:
                bound = info.cls is not None
                if any((given := argument(n, info.fn, q, bound)) is not None and _root(given) == name and self._writes(info, q.name, depth + 1) for q in info.fn.params):
                    return True
        return False

    def _lives_on(self, place: str, scope: Scope) -> bool:
        """Whether a thing is there before the function starts: an attribute of its object, a global, something of the function around it."""
        root, _, rest = place.partition(".")
        info = scope.owner
        if info.cls is not None and info.fn.params and info.fn.params[0].name == root:
            return bool(rest)
        found = self.project.names.lookup(root, scope)
        if found is None or found[1] is scope or any(b.how in ("import", "def", "class", "param") for b in found[0]):
            return False
        return found[1].kind == "module" or not self.project.in_graph_info(found[1].owner)

    def _looked_at(self, g: Guard, scope: Scope) -> tuple[set[str], set[int]]:
        """The names and attributes that go into a guard, through local names, and the calls in it."""
        start = g.node.iter if g.kind == "iter" else getattr(g.point.stmt, "subject", None) if g.kind == "case" else g.node
        places: set[str] = set()
        calls: set[int] = set()
        stack = [start]
        seen: set[str] = set()
        while stack and len(places) < MAX_NODES:
            for n in walk(stack.pop()):
                if type(n) is Call:
                    calls.add(id(n))
                if type(n) in (Name, Attr) and (place := dotted(n)) is not None:
                    places.add(place)
                if type(n) is Name and n.id not in seen:
                    seen.add(n.id)
                    stack += [b.node for b in scope.bindings.get(n.id, ()) if b.how in ("value", "unpack", "element", "element-unpack")]
        return places, calls


def _root(e: Any) -> str | None:
    while type(e) in (Attr, Sub):
        e = e.value
    return e.id if type(e) is Name else None


__all__ = ["Answered", "Changed"]
