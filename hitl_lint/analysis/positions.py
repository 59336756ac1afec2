"""How many pauses stand before a pause, over all paths: LangGraph matches answers to the pauses of a node by their number.

All questions about one function share one order of its path graph, so that a function with hundreds of pauses costs little more than
its length. Counts are pairs (least, greatest); the greatest is `ENDLESS` where a loop that pauses can come before.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, TypeVar

ENDLESS = float("inf")
# So many nodes are visited for one function; then it is not said of its other pauses whether they move later ones.
VISITS = 300_000

_N = TypeVar("_N", bound=Hashable)
Count = tuple[int, float]
_Entered = dict[tuple[int, int], Count]


class Positions:
    """`succ`: the edges of a graph in which node 0 is the entry, parallel ones given as often as they are. `pausing`: its nodes that pause.
    `pauses`: pairs of a key and the nodes of one pause, in the order of the text."""

    def __init__(self, succ: Sequence[Sequence[int]], pausing: set[int], pauses: Sequence[tuple[int, Sequence[int]]]) -> None:
        self.visits = 0
        self._weight = pausing
        used = _between(succ, pausing)
        self._succ: dict[int, list[int]] = {n: [to for to in succ[n] if to in used] for n in sorted(used)}
        self._pred: dict[int, list[int]] = {n: [] for n in self._succ}
        for n, out in self._succ.items():
            for to in out:
                self._pred[to].append(n)
        self._order = components(self._succ)
        self._order.reverse()  # sources first
        self._at = {n: i for i, component in enumerate(self._order) for n in component}
        self._nodes = {key: [n for n in nodes if n in used] for key, nodes in pauses}
        # How many edges lead from before a place of the order to it or behind it; how many pauses have points on both sides of it; which
        # pauses have their last point there; the first one, in the order of the text, that is still to come.
        size = len(self._order)
        self._crossing = [0] * (size + 2)
        self._open = [0] * (size + 2)
        self._ends: dict[int, list[tuple[int, int]]] = {}
        self._next = [len(self._nodes)] * (size + 2)
        for n, out in self._succ.items():
            for to in out:
                self._crossing[self._at[n] + 1] += 1
                self._crossing[self._at[to] + 1] -= 1
        for rank, (key, nodes) in enumerate(self._nodes.items()):
            places = [self._at[n] for n in nodes]
            if places:
                self._open[min(places)] += 1
                self._open[max(places)] -= 1
                self._ends.setdefault(max(places), []).append((rank, key))
                self._next[max(places)] = min(self._next[max(places)], rank)
        for i in range(size + 1):
            self._crossing[i + 1] += self._crossing[i]
            self._open[i + 1] += self._open[i]
        for i in range(size, -1, -1):
            self._next[i] = min(self._next[i], self._next[i + 1])
        self._plain: dict[int, Count] = {}
        if size:
            for _ in self._sweep(frozenset(), 0, self._plain, {}):
                pass
        self.visits = 0

    def before(self, key: int) -> Count | None:
        """The pauses before this one; None when no path leads to it."""
        return _union(self._plain[n] for n in self._nodes[key])

    def differs(self, later: int, earlier: int) -> bool:
        """Some paths to `later` skip `earlier`, and then another number of pauses stands before it than on those that do not."""
        marks = frozenset(self._nodes[earlier])
        without: dict[int, Count] = {}
        passing: dict[int, Count] = {}
        start = min((self._at[n] for n in marks), default=len(self._order))
        for _ in self._sweep(marks, start, without, passing):
            pass
        return self._differ(later, without, passing, start)

    def first_moved(self, earlier: int, eligible: Callable[[int], bool]) -> int | None:
        """The first of the `eligible` pauses, in the order of the text, whose number `differs` by whether `earlier` was skipped; None when
        there is none, or when looking for it would take too long."""
        marks = frozenset(self._nodes[earlier])
        if not marks or self.visits > VISITS:
            return None
        best: tuple[int, int] | None = None
        without: dict[int, Count] = {}
        passing: dict[int, Count] = {}
        start = min(self._at[n] for n in marks)
        for place in self._sweep(marks, start, without, passing):
            for found in self._ends.get(place, ()):
                if (best is None or found < best) and self._differ(found[1], without, passing, start) and eligible(found[1]):
                    best = found
            if self.visits > VISITS:
                return None
            if best is not None and best[0] <= self._next[place + 1]:
                break
        return None if best is None else best[1]

    def _differ(self, later: int, without: dict[int, Count], passing: dict[int, Count], start: int) -> bool:
        nodes = self._nodes[later]
        # What stands before the beginning of the sweep is reached by paths of the first kind alone.
        a = _union(c for n in nodes if (c := self._plain[n] if self._at[n] < start else without.get(n)) is not None)
        b = _union(c for n in nodes if (c := passing.get(n)) is not None)
        return a is not None and b is not None and a != b

    def _sweep(self, marks: frozenset[int], start: int, without: dict[int, Count], passing: dict[int, Count]) -> Iterator[int]:
        """Fills in, from the place `start` of the order on, the pauses before each node over the paths that passed none of `marks`, and
        over those that did. Gives each place once it is done; ends when one of the two has come to its end and so nothing can differ."""
        at, pred, weight = self._at, self._pred, self._weight
        leaving = self._crossing[start] + (start == 0)  # edges to places still to come, of paths of the first kind
        passed = 0  # and of the second
        for place in range(start, len(self._order)):
            component = self._order[place]
            self.visits += len(component)
            entered: _Entered = {}
            if place == 0:
                entered[0, 0] = (0, 0)
                leaving -= 1
            for n in component:
                for m in pred[n]:
                    if at[m] == place:
                        continue
                    cost = m in weight
                    count = without.get(m) if at[m] >= start else self._plain[m]
                    if count is not None:
                        flag = m in marks
                        _enter(entered, (n, int(flag)), count, cost)
                        if flag:
                            passed -= 1
                        else:
                            leaving -= 1
                    count = passing.get(m)
                    if count is not None:
                        _enter(entered, (n, 1), count, cost)
                        passed -= 1
            if len(component) > 1 or component[0] in pred[component[0]]:
                entered = self._inside(component, marks, entered)
            for (n, flag), count in entered.items():
                (passing if flag else without)[n] = count
                ways = sum(at[to] > place for to in self._succ[n])
                if flag or n in marks:
                    passed += ways
                else:
                    leaving += ways
            yield place
            if marks and not (leaving and passed) and not self._open[place]:
                return

    def _inside(self, component: Sequence[int], marks: frozenset[int], entered: _Entered) -> _Entered:
        """The counts of all nodes of a cycle from those it was entered with."""
        members = set(component)
        succ: dict[tuple[int, int], list[tuple[int, int]]] = {}
        work = list(entered)
        while work:
            state = work.pop()
            if state not in succ:
                n, flag = state
                after = 1 if n in marks else flag
                succ[state] = [(to, after) for to in self._succ[n] if to in members]
                work += succ[state]
        least: dict[tuple[int, int], int] = {}
        heap = [(count[0], state) for state, count in entered.items()]
        heap.sort()
        while heap:
            far, state = heappop(heap)
            if state not in least:
                least[state] = far
                for to in succ[state]:
                    if to not in least:
                        heappush(heap, (far + (state[0] in self._weight), to))
        most: dict[tuple[int, int], float] = {state: count[1] for state, count in entered.items()}
        out: _Entered = {}
        for cycle in reversed(components(succ)):
            inside = set(cycle)
            value = max((most[s] for s in cycle if s in most), default=0)
            if (len(cycle) > 1 or cycle[0] in succ[cycle[0]]) and any(s[0] in self._weight for s in cycle):
                value = ENDLESS
            for s in cycle:
                out[s] = (least[s], value)
                for to in succ[s]:
                    if to not in inside:
                        most[to] = max(most.get(to, 0), value + (s[0] in self._weight))
        return out


def _enter(entered: _Entered, state: tuple[int, int], count: Count, cost: int) -> None:
    known = entered.get(state)
    least, most = count[0] + cost, count[1] + cost
    entered[state] = (least, most) if known is None else (min(least, known[0]), max(most, known[1]))


def _union(counts: Iterable[Count]) -> Count | None:
    """The range over several nodes of one pause."""
    found = list(counts)
    return (min(c[0] for c in found), max(c[1] for c in found)) if found else None


def reached(succ: Sequence[Sequence[int]]) -> set[int]:
    """The nodes that the entry leads to, and itself."""
    seen = {0}
    stack = [0]
    while stack:
        for to in succ[stack.pop()]:
            if to not in seen:
                seen.add(to)
                stack.append(to)
    return seen


def _between(succ: Sequence[Sequence[int]], goals: set[int]) -> set[int]:
    """The nodes on paths from the entry to one of `goals`."""
    seen = reached(succ)
    pred: dict[int, list[int]] = {}
    for n in seen:
        for to in succ[n]:
            pred.setdefault(to, []).append(n)
    used = goals & seen
    stack = list(used)
    while stack:
        for n in pred.get(stack.pop(), ()):
            if n not in used:
                used.add(n)
                stack.append(n)
    return used


def components(succ: Mapping[_N, Sequence[_N]]) -> list[list[_N]]:
    """Strongly connected components, each after those it leads to."""
    number: dict[_N, int] = {}
    low: dict[_N, int] = {}
    open_: list[_N] = []
    closed: set[_N] = set()
    out: list[list[_N]] = []
    for root in succ:
        if root in number:
            continue
        work: list[tuple[_N, int]] = [(root, 0)]
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
                    component: list[_N] = []
                    while not component or component[-1] != s:
                        component.append(open_.pop())
                    closed.update(component)
                    out.append(component)
    return out
