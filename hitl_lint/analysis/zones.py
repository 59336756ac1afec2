"""The replay zone of one activation of a function: what runs again when a pause in it is answered.

A zone is asked about points of a `CFG`, given which of its points pause. The point of a pause is the call that pauses
(`interrupt(...)`, `helper()`, also under `await`), so its arguments stand before it. A pause leaves the function by an exception:
handlers and `finally` bodies that only this exception reaches do not run after an answer.
"""

from __future__ import annotations

from bisect import bisect_left
from heapq import heappop, heappush
from typing import AbstractSet, Any, Callable, Iterable, Mapping

from hitl_lint import facts as F
from hitl_lint.analysis.cfg import CFG, Edge, Point, Region
from hitl_lint.analysis.positions import ENDLESS, Positions, components, reached

_GATHER = frozenset({"gather", "wait", "as_completed"})
_SPAWN = frozenset({"create_task", "ensure_future", "start_soon"})
_WAITS = frozenset({"wait_for", "shield", "create_task", "ensure_future", "run"})
_GROUP = frozenset({"TaskGroup", "create_task_group"})


def may_raise(point: Point) -> bool:
    """A helper that asks may fail after the answer (it parses it); `interrupt` itself only leaves by the pause."""
    return type(point.node) is F.Call and (F.dotted(point.node.func) or "?").rpartition(".")[2] not in ("interrupt", "ainterrupt")


def zone(cfg: CFG, is_pause: Callable[[Point], bool], raises: Callable[[Point], bool] = may_raise) -> "Zone":
    """The zone of `cfg`; `is_pause` is asked for every call, await, yield, iter and enter point, `raises` whether a pause can also
    fail after it was answered."""
    pauses = [p for p in cfg.points if p.kind in ("call", "await", "yield", "iter", "enter") and is_pause(p)]
    return Zone(cfg, pauses, raises)


class Zone:
    """`pauses` are in the order of evaluation; a pause in a `finally` body may be there several times."""

    def __init__(self, cfg: CFG, pauses: list[Point], raises: Callable[[Point], bool] = may_raise) -> None:
        self.cfg = cfg
        self.pauses = pauses
        self._raises = raises
        self._paths = cfg.paths()
        self._groups = _groups(cfg, pauses)
        self._by_node: dict[int, list[Point]] = {}
        for p in pauses:
            self._by_node.setdefault(id(p.node), []).append(p)
        self._own = self._exceptions()
        # Of these, those that no exception leaves once the pause was answered.
        self._quiet = {n for n, pause in self._own.items() if not raises(pause)}
        self._ranked = sorted(pauses, key=_place)
        self._rank = {p.id: k for k, p in enumerate(self._ranked)}
        self._places = [_place(p) for p in self._ranked]
        self._masks: dict[int, list[int]] = {}
        self._after: set[int] | None = None
        self._later: dict[int, set[int]] = {}
        self._moved: dict[int, Point | None] = {}
        self._counted: Positions | None = None
        self.spared: Callable[[Point], bool] | None = None  # asked for points that do not run again though a pause can be reached from them

    def _exceptions(self) -> dict[int, Point]:
        """The points whose exception is a pause itself, by id: the call that pauses, what only waits for it, and the awaits of these."""
        first: dict[int, int] = {}  # by node the first of the pauses it stands or waits for
        for k, pause in enumerate(self.pauses):
            first.setdefault(id(pause.node), k)
        waiting = dict(first)
        for node, members in self._groups:
            k = next(k for k, pause in enumerate(self.pauses) if pause in members)
            waiting[id(node)] = min(k, waiting.get(id(node), k))
        for p in self.cfg.points:
            if p.kind == "call" and _last(p.node) in _WAITS:
                for a in p.node.args:
                    k = first.get(id(a.value), len(self.pauses))
                    if k < waiting.get(id(p.node), len(self.pauses)):
                        waiting[id(p.node)] = k
        own: dict[int, Point] = {}
        for p in self.cfg.points:
            k = waiting.get(id(p.node) if p.kind == "call" else id(p.node.value) if p.kind == "await" else 0, len(self.pauses))
            if k < len(self.pauses):
                own[p.id] = self.pauses[k]
        for pause in self.pauses:
            own.setdefault(pause.id, pause)
        return own

    # ------------------------------------------------------------------ edges
    def _answered(self, point: Point, edge: Edge) -> bool:
        """The edge can be taken in a run in which the pauses so far have been answered."""
        return edge.kind != "exc" or point.id not in self._quiet

    def _nodes(self, points: Iterable[Point]) -> list[int]:
        return [n for p in points for n in self._paths.nodes.get(p.id, ())]

    def _reached(self, point: Point, region: Region | None = None) -> int:
        """The pauses that can be reached after `point` over at least one edge, as bits in the order of `_ranked`; with `region` without ever
        leaving it."""
        masks = self._masks.get(id(region))
        if masks is None:
            masks = self._masks[id(region)] = self._reach(region)
        found = 0
        for n in self._paths.nodes.get(point.id, ()):
            found |= masks[n]
        return found

    def _reach(self, region: Region | None) -> list[int]:
        """For each path node what `_reached` gives: one pass for all points and all pauses."""
        paths = self._paths
        quiet = self._quiet
        succ: dict[int, list[int]] = {}
        for n, out in enumerate(paths.succ):
            silent = paths.points[n].id in quiet
            succ[n] = [to for to, edge in out if not (silent and edge.kind == "exc") and (region is None or region in edge.to.regions)]
        bits = [0] * len(paths.points)
        for k, pause in enumerate(self._ranked):
            for n in paths.nodes.get(pause.id, ()):
                bits[n] |= 1 << k
        masks = [0] * len(paths.points)
        for component in components(succ):
            found = 0
            for n in component:
                for to in succ[n]:
                    found |= masks[to] | bits[to]
            for n in component:
                masks[n] = found
        return masks

    def _forward(self, starts: list[Point], *, raised: bool = True) -> set[int]:
        """The ids of the points that can run after one of `starts`; without `raised` not because that itself raises."""
        paths = self._paths
        seen: set[int] = set()
        reached: set[int] = set()
        stack = self._nodes(starts)
        # What a coroutine raises comes out of its `await`.
        awaited = {id(p.node) for p in starts}
        first = {*stack, *self._nodes(p for p in self.cfg.points if p.kind == "await" and id(p.node.value) in awaited)} if not raised else set()
        while stack:
            n = stack.pop()
            source = paths.points[n]
            for to, edge in paths.succ[n]:
                if to in seen or not self._answered(source, edge) or (not raised and edge.kind == "exc" and n in first):
                    continue
                seen.add(to)
                reached.add(edge.to.id)
                stack.append(to)
        return reached

    # ------------------------------------------------------------------ the zone
    def contains(self, point: Point, *, raised: bool = True) -> bool:
        """After `point` a pause can still be reached, so it runs again on resume. With `raised=False` it does not count when that is
        only so because `point` itself raises (a pause in the handler around it)."""
        if any(point in members for _, members in self._groups):
            return True
        if not self._reached(point) or self.spared is not None and self.spared(point):
            return False
        if raised:
            return True
        if point.id not in self._later:
            self._later[point.id] = self._forward([point], raised=False)
        return any(p.id in self._later[point.id] for p in self.pauses)

    def beside(self, point: Point) -> bool:
        """`point` is a sibling of a pause in a gather or a task group."""
        return any(point in members for _, members in self._groups)

    def pause_after(self, point: Point) -> Point | None:
        """The nearest pause, in the order of the text, that can be reached after `point`; None outside of the zone."""
        reached = self._reached(point)
        here = _place(point)
        behind = bisect_left(self._places, here)
        mask = reached >> behind << behind or reached  # behind the point in the text, else before it (a loop)
        found = [self._ranked[(mask & -mask).bit_length() - 1]] if mask else []
        for _, members in self._groups:
            if point in members:
                found += [p for p in self.pauses if p in members and p is not point]
        return min(found, key=lambda p: (_place(p) < here, _place(p)), default=None)

    def ahead(self, point: Point) -> list[Point]:
        """The pauses that can be reached after `point`, and those it runs beside, in the order of the text."""
        mask = self._reached(point) | sum(1 << self._rank[p.id] for p in self.pauses if any(point in m and p in m and p is not point for _, m in self._groups))
        return [p for k, p in enumerate(self._ranked) if mask >> k & 1]

    def counter(self, asks: Mapping[int, tuple[int, int | None]] = {}, anew: AbstractSet[int] = frozenset()) -> Callable[[Point], tuple[int, int | None, bool]]:
        """A function: point -> (fewest, most, growing), how many questions are asked on the ways from it to the end, itself counted where it is a pause; None
        for no limit. Growing: it is in a loop that pauses, so that it is one of the rounds which later answers run again. `asks`: how many questions a pause
        stands for (fewest, most), by the id of its point, where that is not one; `anew`: the pauses, by id, which begin the function from the front once more."""
        counts = self._count_ahead(asks, anew)

        def counted(point: Point) -> tuple[int, int | None, bool]:
            found = [counts[n] for n in self._paths.nodes.get(point.id, ())] or [(0, 0, False)]
            most = max(m for _, m, _ in found)
            least = min(n for n, _, _ in found)
            if self.beside(point):
                least, most = max(least, 1), max(most, 1)
            return min(least, int(most) if most != ENDLESS else least), None if most == ENDLESS else int(most), any(g for _, _, g in found)

        return counted

    def _count_ahead(self, asks: Mapping[int, tuple[int, int | None]], anew: AbstractSet[int]) -> list[tuple[int, float, bool]]:
        """By path node what `counter` says: the most over the components of the graph, the fewest by a search from the ends."""
        paths = self._paths
        goal = set(self._nodes(self.pauses))
        for allowed in (self._usual(), self._answered):
            succ = {n: [to for to, edge in out if allowed(paths.points[n], edge)] for n, out in enumerate(paths.succ)}
            if goal <= reached([succ[n] for n in range(len(paths.succ))]):
                break
        front = self._nodes([self.cfg.entry])
        fewest: dict[int, int] = {}
        own: dict[int, float] = {}
        for n in goal:
            fewest[n], limit = asks.get(paths.points[n].id, (1, 1))
            own[n] = ENDLESS if limit is None else limit
            if paths.points[n].id in anew:
                succ[n] = [*succ[n], *front]
        most: list[float] = [0] * len(paths.points)
        grows = [False] * len(paths.points)
        for component in components(succ):
            members = set(component)
            asked = sum(own[n] for n in members & goal)
            cyclic = asked > 0 and (len(component) > 1 or component[0] in succ[component[0]])
            behind = max((most[to] for n in component for to in succ[n] if to not in members), default=0)
            for n in component:
                most[n] = ENDLESS if cyclic else behind + asked
                grows[n] = cyclic
        pred: dict[int, list[int]] = {}
        for n, out in succ.items():
            for to in out:
                pred.setdefault(to, []).append(n)
        ends = self._nodes([self.cfg.exit]) or [n for n in succ if not succ[n]]
        least: dict[int, int] = {}
        queue = [(fewest.get(n, 0), n) for n in ends]
        while queue:
            cost, n = heappop(queue)
            if n in least:
                continue
            least[n] = cost
            for before in pred.get(n, ()):
                if before not in least:
                    heappush(queue, (cost + fewest.get(before, 0), before))
        return [(least.get(n, 0), most[n], grows[n]) for n in range(len(paths.points))]

    def after_pause(self, point: Point) -> bool:
        """`point` can run after an answer."""
        if self._after is None:
            self._after = self._forward(self.pauses)
        return point.id in self._after

    def later_pauses(self, pause: Point) -> list[Point]:
        """The other pauses that can be reached after this one, in the order of evaluation."""
        mask = self._behind(pause)
        found = []
        while mask:
            found.append(self._ranked[(mask & -mask).bit_length() - 1])
            mask &= mask - 1
        return sorted(found, key=lambda p: p.id)

    def last(self, pause: Point) -> bool:
        """No other pause can be reached after this one."""
        return not self._behind(pause)

    def _behind(self, pause: Point) -> int:
        """The `later_pauses`, as bits in the order of `_ranked`."""
        mask = 0
        copies = self._copies(pause)
        for p in copies:
            mask |= self._reached(p)
        return mask & ~self._bits(copies)

    def _bits(self, pauses: list[Point]) -> int:
        return sum(1 << self._rank[p.id] for p in pauses if p.id in self._rank)

    def _copies(self, pause: Point) -> list[Point]:
        """The points of the same pause: several where it stands in a `finally`."""
        return self._by_node.get(id(pause.node)) or [pause]

    def loops(self, pause: Point) -> Region | None:
        """The innermost loop (for, while or comprehension) in which the pause can be reached again from itself; None when every round
        that pauses is the last."""
        copies = self._copies(pause)
        own = self._bits(copies)
        if not any(own & self._reached(p) for p in copies):
            return None
        for region in reversed(pause.regions):
            if region.kind in ("loop", "comp") and any(own & self._reached(p, region) for p in copies):
                return region
        return None

    def _usual(self) -> Callable[[Point, Edge], bool]:
        """Which edges count for positions: not that some call on the way raises, unless a pause stands in a handler for that."""
        handlers = {id(r.node) for pause in self.pauses for r in pause.regions if r.kind == "handler"}
        loud = {id(p.node) for p in self.cfg.points if p.kind == "dispatch" and any(id(h) in handlers for h in p.node.handlers)}

        def usual(point: Point, edge: Edge) -> bool:
            if not self._answered(point, edge):
                return False
            if edge.kind != "exc" or point.kind in ("raise", "dispatch"):
                return True
            return bool(loud) and any(r.kind == "try" and id(r.node) in loud for r in point.regions)

        return usual

    def first_moved(self, pause: Point) -> Point | None:
        """The first later pause outside of loops, in the order of the text, whose position differs by whether `pause` was skipped; None also
        where that would take too long to say."""
        if pause.id not in self._moved:
            behind = self._behind(pause)

            def at(key: int) -> Point | None:
                return next((p for p in self._by_node[key] if behind >> self._rank[p.id] & 1), None)

            found = self._positions().first_moved(id(pause.node), lambda key: (p := at(key)) is not None and self.loops(p) is None)
            self._moved[pause.id] = None if found is None else at(found)
        return self._moved[pause.id]

    def _positions(self) -> Positions:
        if self._counted is None:
            paths = self._paths
            goal = set(self._nodes(self.pauses))
            for allowed in (self._usual(), self._answered):
                succ = [[to for to, edge in out if allowed(paths.points[n], edge)] for n, out in enumerate(paths.succ)]
                if goal <= reached(succ):
                    break
            self._counted = Positions(succ, goal, [(id(p.node), self._nodes(self._copies(p))) for p in sorted(self.pauses, key=_place)])
        return self._counted


def _place(point: Point) -> tuple[int, int]:
    at = getattr(point.node, "at", None) or getattr(point.stmt, "at", F.NOWHERE)
    return at[0], at[1]


# --------------------------------------------------------------------------- what runs side by side
def _groups(cfg: CFG, pauses: list[Point]) -> list[tuple[Any, set[Point]]]:
    """The calls that run concurrently with a pause: for each `gather` (or task group) with a pause among its members the node that waits
    for them (Call or WithItem) and the points of all members."""
    waiting: list[tuple[Any, list[Any]]] = []
    assigned: dict[str, list[Any]] = {}
    for p in cfg.points:
        if p.kind == "bind" and type(p.node) is F.Assign:
            for t in p.node.targets:
                if type(t) is F.Name:
                    assigned.setdefault(t.id, []).append(p.node.value)
    for p in cfg.points:
        if p.kind == "call":
            name = _last(p.node)
            if name in _GATHER:
                waiting.append((p.node, [a.value for a in p.node.args]))
        elif p.kind == "enter" and type(p.node.value) is F.Call and _last(p.node.value) in _GROUP and type(p.node.target) is F.Name:
            group = p.node.target.id
            spawned = [q.node for q in cfg.points if q.kind == "call" and type(q.node.func) is F.Attr and q.node.func.attr in _SPAWN
                       and F.dotted(q.node.func.value) == group]
            waiting.append((p.node, spawned))
    out: list[tuple[Any, set[Point]]] = []
    for node, values in waiting:
        members = {p for call in _members(values, assigned) for p in cfg.at(call) if p.kind == "call"}
        if any(p in members for p in pauses):
            out.append((node, members))
    return out


def _members(values: list[Any], assigned: dict[str, list[Any]]) -> list[F.Call]:
    """The calls that make what is waited for."""
    calls: list[F.Call] = []
    stack = [(v, 0) for v in values]
    while stack:
        e, depth = stack.pop()
        t = type(e)
        if t is F.Call:
            calls.append(e)
            if e.args and (_last(e) in _SPAWN or _last(e) in ("wait_for", "shield", "list", "tuple")):
                stack.append((e.args[0].value, depth))
        elif t is F.Star:
            stack.append((e.value, depth))
        elif t is F.Seq:
            stack += [(x, depth) for x in e.elts]
        elif t is F.Comp:
            stack.append((e.elt, depth))
        elif t is F.Name and depth < 3:
            stack += [(v, depth + 1) for v in assigned.get(e.id, ())]
    return calls


def _last(call: F.Call) -> str:
    func = call.func
    return func.attr if type(func) is F.Attr else func.id if type(func) is F.Name else ""
