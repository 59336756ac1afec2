"""What a process reads once and keeps: `if _table is None: _table = load()`, `if key not in CACHE: …`, `@lru_cache`.

Such a value is as stable as one that is read when the module is imported: the file may change, but this process does not look again. Where something
forgets it (`_table = None` in another function), it is read again, and counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.names import FnInfo
from hitl_lint.facts import Assign, Attr, BoolOp, Call, Cmp, Const, Delete, Dict, If, Name, Return, Seq, Sub, Un, dotted, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project
    from hitl_lint.analysis.values import Source

DECORATORS = frozenset({"functools.lru_cache", "functools.cache", "functools.cached_property", "async_lru.alru_cache"})
CONTAINERS = frozenset({"dict", "list", "set", "deque", "defaultdict", "Counter", "OrderedDict", "Lock", "Event", "Queue"})
FORGETS = frozenset({"clear", "pop", "popitem", "cache_clear"})


class Once:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._found: dict[int, tuple[frozenset[int], frozenset[str]] | None] = {}

    def keeps(self, info: FnInfo, s: "Source") -> bool:
        """Whether what a function reads from outside, or from the place where it keeps that, is the same as long as the process runs."""
        key = id(info.fn)
        if key not in self._found:
            self._found[key] = self._kept(info)
        found = self._found[key]
        if s.kind == "read":
            return found is None or id(s.node) in found[0]
        return s.kind == "memory" and found is not None and dotted(s.node) in found[1]

    def lasts(self, info: FnInfo, s: "Source") -> bool:
        """Whether what a model or a clock gave is kept by the function: another process makes it anew, this one does not."""
        self.keeps(info, s)
        found = self._found[id(info.fn)]
        return found is None or id(s.node) in found[0]

    def all_of(self, info: FnInfo) -> bool:
        """Whether a function runs once for the same arguments, as long as the process does (`@lru_cache`)."""
        if not info.fn.decorators:
            return False
        key = id(info.fn)
        if key not in self._found:
            self._found[key] = self._kept(info)
        return self._found[key] is None

    def _kept(self, info: FnInfo) -> tuple[frozenset[int], frozenset[str]] | None:
        """The ids of the nodes that run once, and the places where what they give is kept; None for all that the function does."""
        if any(_caches(path.removesuffix("()"), d, info) for path, d in self.project.decorator_paths(info)):
            return None if not self._forgotten(info, info.name, ()) else (frozenset(), frozenset())
        out: set[int] = set()
        places: set[str] = set()
        body = info.fn.body
        # `if key in SEEN: return False`: it says whether it was there, which is another thing the second time.
        flags = any(type(n) is Return and type(n.value) is Const and n.value.kind == "bool" for s in body for n in walk(s))
        for stmt in (n for s in body for n in walk(s)):
            if type(stmt) is not If:
                continue
            place, missing = _asked(stmt.test)
            place = self._looked_up(info, place) or place
            if place is None or not self._outlives(info, place):
                continue
            later = stmt.body if missing else stmt.orelse
            if not missing and not later and any(s is stmt for s in body) and type(stmt.body[-1]) is Return:
                later = body[next(n for n, s in enumerate(body) if s is stmt) + 1:]
            fills = [n for s in later for n in walk(s) if type(n) is Assign and any(_of(t) == place for t in n.targets) and self._read(info, n.value)]
            if fills and not flags and not self._forgotten(info, place, fills):
                out |= {id(n) for s in later for n in walk(s)}
                places.add(place)
        return frozenset(out), frozenset(places)

    def _read(self, info: FnInfo, value: Any) -> bool:
        """Whether what is kept may have been read: no constant, and no container that is there to be filled."""
        made = [b.node for b in self.project.names.scope(info).bindings.get(value.id, ()) if b.how == "value"] if type(value) is Name else [value]
        return not any(type(e) in (Const, Dict, Seq) or type(e) is Call and (dotted(e.func) or "").rsplit(".", 1)[-1] in CONTAINERS for e in made)

    def _looked_up(self, info: FnInfo, place: str | None) -> str | None:
        """The container that a local name was taken out of: `kept = CACHE.get(key)`."""
        for b in self.project.names.scope(info).bindings.get(place or "", ()):
            made = b.node if b.how == "value" else None
            if type(made) is Call and type(made.func) is Attr and made.func.attr == "get":
                return dotted(made.func.value)
        return None

    def _outlives(self, info: FnInfo, place: str) -> bool:
        """A global, a container of the module, or an attribute of the object."""
        first, _, rest = place.partition(".")
        if rest:
            return info.cls is not None and bool(info.fn.params) and info.fn.params[0].name == first and "." not in rest
        found = self.project.names.lookup(first, self.project.names.scope(info))
        return found is not None and found[1].kind == "module" and not any(b.how == "import" for b in found[0])

    def _forgotten(self, info: FnInfo, place: str, fills: Any) -> bool:
        """Whether another function takes the value away or sets another."""
        own = {id(n) for n in fills}
        for other in list(info.module.functions):
            if other.name in ("__init__", "__post_init__") or "." in place and other.cls is not info.cls:
                continue
            for node in _inside(other):
                if type(node) in (Assign, Delete) and id(node) not in own and any(_of(t) == place for t in node.targets) and (
                        "." in place or place in other.fn.globals or any(type(t) is Sub for t in node.targets)):
                    return True
                if type(node) is Call and type(node.func) is Attr and node.func.attr in FORGETS and dotted(node.func.value) == place:
                    return True
        return False


def _caches(path: str, decorator: Any, info: FnInfo) -> bool:
    """Whether a decorator keeps results: not with `maxsize=0`, and of a coroutine function `functools` keeps nothing that can be awaited twice."""
    if path not in DECORATORS or info.fn.is_async and path.startswith("functools."):
        return False
    size = next((a.value for a in decorator.args if a.name in (None, "maxsize")), None) if type(decorator) is Call else None
    return not (type(size) is Const and size.kind == "int" and size.value == 0)


def _inside(info: FnInfo) -> Iterator[Any]:
    for stmt in info.fn.body:
        yield from walk(stmt)


def _of(target: Any) -> str | None:
    """`X`, `self.x`, and for an item of a container the container."""
    return dotted(target.value if type(target) is Sub else target)


def _asked(test: Any) -> tuple[str | None, bool]:
    """(what a test looks at, whether it is true where that is missing): `X is None`, `not X`, `key not in X`, and their opposites."""
    t = type(test)
    if t is Un and test.op == "not":
        place, missing = _asked(test.value)
        return place, not missing
    if t is Cmp and len(test.ops) == 1:
        op, right = test.ops[0], test.rights[0]
        if op in ("is", "==", "is not", "!=") and type(right) is Const and right.kind == "none":
            return _of(test.left), op in ("is", "==")
        if op in ("in", "not in"):
            return dotted(right), op == "not in"
        return None, False
    if t is BoolOp:
        return None, False
    return (dotted(test), False) if t in (Name, Attr) else (None, False)


__all__ = ["Once"]
