"""The replay zone of one activation of a function: what runs again when a pause in it is answered.

A zone is asked about points of a `CFG`, given which of its points pause. The point of a pause is the call that pauses
(`interrupt(...)`, `helper()`, also under `await`), so its arguments stand before it. A pause leaves the function by an exception:
handlers and `finally` bodies that only this exception reaches do not run after an answer.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Callable, Iterable

from hitl_lint import facts as F
from hitl_lint.analysis.cfg import CFG, Edge, Point, Region

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
        # Points whose exception is the pause itself: the call that pauses, what only waits for it, and the awaits of these.
        self._own: dict[int, Point] = {}
        for pause in pauses:
            waiting = {id(pause.node), *(id(node) for node, members in self._groups if pause in members)}
            for p in cfg.points:
                if p.kind == "call" and _last(p.node) in _WAITS and any(a.value is pause.node for a in p.node.args):
                    waiting.add(id(p.node))
                if p is pause or (p.kind == "call" and id(p.node) in waiting) or (p.kind == "await" and id(p.node.value) in waiting):
                    self._own.setdefault(p.id, pause)
        self._before = self._backwards()
        self._after: set[int] | None = None
        self._later: dict[int, set[int]] = {}

    # ------------------------------------------------------------------ edges
    def _answered(self, point: Point, edge: Edge) -> bool:
        """The edge can be taken in a run in which the pauses so far have been answered."""
        if edge.kind != "exc":
            return True
        pause = self._own.get(point.id)
        return pause is None or self._raises(pause)

    def _nodes(self, points: Iterable[Point]) -> list[int]:
        return [n for p in points for n in self._paths.nodes.get(p.id, ())]

    def _backwards(self) -> set[int]:
        """The path nodes from which a pause can be reached over at least one edge."""
        paths = self._paths
        pred: list[list[int]] = [[] for _ in paths.points]
        for n, out in enumerate(paths.succ):
            point = paths.points[n]
            for to, edge in out:
                if self._answered(point, edge):
                    pred[to].append(n)
        seen: set[int] = set()
        stack = self._nodes(self.pauses)
        while stack:
            for n in pred[stack.pop()]:
                if n not in seen:
                    seen.add(n)
                    stack.append(n)
        return seen

    def _forward(self, point: Point, *, raised: bool = True, region: Region | None = None) -> set[int]:
        """The ids of the points that can run after `point`; without `raised` not because `point` itself raises; with `region` without
        ever leaving it."""
        paths = self._paths
        seen: set[int] = set()
        reached: set[int] = set()
        stack = self._nodes([point])
        first = set(stack)
        while stack:
            n = stack.pop()
            source = paths.points[n]
            for to, edge in paths.succ[n]:
                if to in seen or not self._answered(source, edge) or (not raised and edge.kind == "exc" and n in first):
                    continue
                if region is not None and region not in edge.to.regions:
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
        if not any(n in self._before for n in self._paths.nodes.get(point.id, ())):
            return False
        return raised or any(p.id in self._reached(point, raised=False) for p in self.pauses)

    def beside(self, point: Point) -> bool:
        """`point` is a sibling of a pause in a gather or a task group."""
        return any(point in members for _, members in self._groups)

    def _reached(self, point: Point, *, raised: bool = True) -> set[int]:
        key = point.id if raised else -point.id
        if key not in self._later:
            self._later[key] = self._forward(point, raised=raised)
        return self._later[key]

    def pause_after(self, point: Point) -> Point | None:
        """The nearest pause, in the order of the text, that can be reached after `point`; None outside of the zone."""
        reached = self._reached(point)
        found = [p for p in self.pauses if p.id in reached]
        for _, members in self._groups:
            if point in members:
                found += [p for p in self.pauses if p in members and p is not point]
        here = _place(point)
        return min(found, key=lambda p: (_place(p) < here, _place(p)), default=None)

    def after_pause(self, point: Point) -> bool:
        """`point` can run after an answer."""
        if self._after is None:
            self._after = set()
            for pause in self.pauses:
                self._after |= self._reached(pause)
        return point.id in self._after

    def between(self, point: Point) -> bool:
        """`point` can run after an answer and again on a later resume."""
        return self.after_pause(point) and self.contains(point)

    def later_pauses(self, pause: Point) -> list[Point]:
        """The other pauses that can be reached after this one, in the order of evaluation."""
        reached = set().union(*(self._reached(p) for p in self._copies(pause)))
        return [p for p in self.pauses if p.id in reached and p.node is not pause.node]

    def _copies(self, pause: Point) -> list[Point]:
        """The points of the same pause: several where it stands in a `finally`."""
        return [p for p in self.pauses if p.node is pause.node] or [pause]

    def loops(self, pause: Point) -> Region | None:
        """The innermost loop (for, while or comprehension) in which the pause can be reached again from itself; None when every round
        that pauses is the last."""
        copies = self._copies(pause)
        ids = {p.id for p in copies}
        if not any(ids & self._reached(p) for p in copies):
            return None
        for region in reversed(pause.regions):
            if region.kind in ("loop", "comp") and any(ids & self._forward(p, region=region) for p in copies):
                return region
        return None

    def skippable(self, pause: Point) -> bool:
        """Some path from the entry to a normal end of the function passes no point of this pause."""
        copies = set(self._nodes(self._copies(pause)))
        usual = self._usual()
        seen = {0}
        stack = [0]
        while stack:
            n = stack.pop()
            point = self._paths.points[n]
            if point is self.cfg.exit:
                return True
            for to, edge in self._paths.succ[n]:
                if to not in seen and to not in copies and usual(point, edge):
                    seen.add(to)
                    stack.append(to)
        return False

    # ------------------------------------------------------------------ positions
    def _usual(self) -> Callable[[Point, Edge], bool]:
        """Which edges count for positions: not that some call on the way raises, unless a pause stands in a handler for that."""
        loud = {id(p.node) for p in self.cfg.points if p.kind == "dispatch"
                and any(r.kind == "handler" and any(r.node is h for h in p.node.handlers) for pause in self.pauses for r in pause.regions)}

        def usual(point: Point, edge: Edge) -> bool:
            if not self._answered(point, edge):
                return False
            if edge.kind != "exc" or point.kind in ("raise", "dispatch"):
                return True
            return any(r.kind == "try" and id(r.node) in loud for r in point.regions)

        return usual

    def index_range(self, pause: Point) -> tuple[int, int | None]:
        """The least and the greatest number of pauses before this one over all paths; None for no limit (in or after a loop)."""
        counts = self._counts(None)
        ends = [(n, 0) for n in self._nodes(self._copies(pause))]
        return _range(counts, ends) or (0, None)

    def position_differs(self, later: Point, earlier: Point) -> bool:
        """Some paths to `later` skip `earlier`, and then another number of pauses stands before `later` than on those that do not."""
        counts = self._counts(earlier)
        nodes = self._nodes(self._copies(later))
        without = _range(counts, [(n, 0) for n in nodes])
        passing = _range(counts, [(n, 1) for n in nodes])
        return without is not None and passing is not None and without != passing

    def _counts(self, through: Point | None) -> tuple[dict[tuple[int, int], int], dict[tuple[int, int], int | None]]:
        """The least and greatest number of pauses before each state (path node, whether a copy of `through` was passed)."""
        paths = self._paths
        pausing = {p.id for p in self.pauses}
        marks = {p.id for p in self._copies(through)} if through is not None else set()
        goal = set(self._nodes(self.pauses))
        for allowed in (self._usual(), self._answered):
            succ: dict[tuple[int, int], list[tuple[int, int]]] = {}
            order = [(0, 0)]
            seen = {(0, 0)}
            for state in order:
                n, passed = state
                point = paths.points[n]
                flag = 1 if point.id in marks else passed
                succ[state] = out = []
                for to, edge in paths.succ[n]:
                    if allowed(point, edge):
                        out.append((to, flag))
                        if (to, flag) not in seen:
                            seen.add((to, flag))
                            order.append((to, flag))
            if goal <= {n for n, _ in seen}:
                break
        weight = {state: int(paths.points[state[0]].id in pausing) for state in order}
        least: dict[tuple[int, int], int] = {(0, 0): 0}
        queue = deque([(0, 0)])
        while queue:
            state = queue.popleft()
            far = least[state] + weight[state]
            for to in succ[state]:
                if far < least.get(to, far + 1):
                    least[to] = far
                    (queue.append if weight[state] else queue.appendleft)(to)
        return least, _greatest(succ, weight)


_State = tuple[int, int]


def _range(counts: tuple[dict[_State, int], dict[_State, int | None]], ends: list[_State]) -> tuple[int, int | None] | None:
    least, greatest = counts
    found = [s for s in ends if s in least]
    if not found:
        return None
    most = [greatest[s] for s in found]
    return min(least[s] for s in found), None if any(m is None for m in most) else max(m for m in most if m is not None)


def _greatest(succ: dict[_State, list[_State]], weight: dict[_State, int]) -> dict[_State, int | None]:
    """The greatest weight before each state over all paths; None where a cycle with weight can come before."""
    components = _components(succ)
    best: dict[_State, int | None] = {}
    arrived: dict[_State, int | None] = {(0, 0): 0}
    for component in reversed(components):  # sources first
        inside = set(component)
        values = [arrived[s] for s in component if s in arrived]
        value: int | None = None if any(v is None for v in values) else max((v for v in values if v is not None), default=0)
        cyclic = len(component) > 1 or component[0] in succ[component[0]]
        if cyclic and any(weight[s] for s in component):
            value = None
        for s in component:
            best[s] = value
            far = None if value is None else value + weight[s]
            for to in succ[s]:
                if to not in inside:
                    known = arrived.get(to, 0)
                    arrived[to] = None if far is None or known is None else max(far, known)
    return best


def _components(succ: dict[_State, list[_State]]) -> list[list[_State]]:
    """Strongly connected components, each after those it leads to."""
    number: dict[_State, int] = {}
    low: dict[_State, int] = {}
    open_: list[_State] = []
    closed: set[_State] = set()
    out: list[list[_State]] = []
    for root in succ:
        if root in number:
            continue
        work: list[tuple[_State, int]] = [(root, 0)]
        while work:
            s, k = work.pop()
            if k == 0:
                number[s] = low[s] = len(number)
                open_.append(s)
            elif succ[s][k - 1] not in closed:
                low[s] = min(low[s], low[succ[s][k - 1]])
            while k < len(succ[s]):
                to = succ[s][k]
                k += 1
                if to not in number:
                    work.append((s, k))
                    work.append((to, 0))
                    break
                if to not in closed:
                    low[s] = min(low[s], number[to])
            else:
                if low[s] == number[s]:
                    component: list[_State] = []
                    while not component or component[-1] != s:
                        component.append(open_.pop())
                    closed.update(component)
                    out.append(component)
    return out


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
