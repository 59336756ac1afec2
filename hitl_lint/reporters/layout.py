"""Places boxes in layers and draws lines between them: a small layered layout (Sugiyama's), the same result for the same input.

Lines that would lead back are turned round for the layering; a line over several layers gets a place of its own in each, and its label one
in the layer behind its source, so that neither lies on a box.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple, Sequence

GAP = 26.0  # between neighbours of a layer
STEP = 22.0  # between layers
PORT = 14.0  # between the ends of lines on a box, where there is room
SWEEPS = 10
# With more places than this the order of a layer is improved a few times only.
MANY = 4_000
# How much straightness is worth between two boxes, a box and a bend, two bends.
_PULL = (1.0, 2.0, 8.0)


class Box(NamedTuple):
    width: float
    height: float


class Link(NamedTuple):
    """From box to box (indices). `width` and `height` are those of the label, 0 without one."""

    source: int
    target: int
    width: float = 0
    height: float = 0


class Route(NamedTuple):
    """`points` run from the border of the source to that of the target; `label` is where the middle of the label is."""

    points: tuple[tuple[float, float], ...]
    label: tuple[float, float]


class Placed(NamedTuple):
    """Middles of the boxes, routes of the links (in the order given), and the size of it all."""

    boxes: tuple[tuple[float, float], ...]
    routes: tuple[Route, ...]
    width: float
    height: float


def place(boxes: Sequence[Box], links: Sequence[Link]) -> Placed:
    """A place for each box and a route for each link. The first box is a good one to start from."""
    if not boxes:
        return Placed((), (), 0, 0)
    back = _backward(len(boxes), links)
    ranks = _ranks(len(boxes), links, back)
    # Places: the boxes, then what stands in for links in the layers that they cross.
    rank = [2 * r for r in ranks]
    size: list[tuple[float, float]] = [(b.width, b.height) for b in boxes]
    chains: list[list[int]] = []
    labels: list[int | None] = []
    for n, link in enumerate(links):
        if link.source == link.target:
            chains.append([])
            labels.append(None)
            continue
        top, bottom = (link.target, link.source) if n in back else (link.source, link.target)
        inner = list(range(rank[top] + 1, rank[bottom]))
        carries = (inner[-1] if n in back else inner[0]) if link.width else None
        chain = []
        labels.append(None)
        for r in inner:
            if r == carries:
                labels[-1] = len(size)
            chain.append(len(size))
            rank.append(r)
            size.append((link.width, link.height) if r == carries else (2.0, 0.0))
        chains.append([top, *chain, bottom])
    layers = _ordered(rank, chains, len(size))
    x = _columns(layers, chains, size)
    heights = [max((size[p][1] for p in layer), default=0.0) for layer in layers]
    tops = []
    y = 0.0
    for h in heights:
        tops.append(y)
        y += h + STEP
    middle = [tops[rank[p]] + heights[rank[p]] / 2 for p in range(len(size))]
    ports = _ports(chains, x, size)
    routes = []
    right = max((x[p] + size[p][0] / 2 for p in range(len(size))), default=0.0)
    for n, link in enumerate(links):
        if not chains[n]:
            bx, by, w, h = x[link.source], middle[link.source], *size[link.source]
            out = bx + w / 2 + 18
            routes.append(Route(((bx + w / 2, by - h / 4), (out, by - h / 4), (out, by + h / 4), (bx + w / 2, by + h / 4)), (out + 6 + link.width / 2, by)))
            right = max(right, out + 10 + link.width)
            continue
        points: list[tuple[float, float]] = []
        for k, p in enumerate(chains[n]):
            r = rank[p]
            if k == 0:
                points.append((ports[n, 0], middle[p] + size[p][1] / 2))
            elif k == len(chains[n]) - 1:
                points.append((ports[n, 1], middle[p] - size[p][1] / 2))
            else:  # straight down through the layer, past its boxes
                points += [(x[p], tops[r]), (x[p], tops[r] + heights[r])] if heights[r] else [(x[p], tops[r])]
        marked = labels[n]
        at = (x[marked], middle[marked]) if marked is not None else points[len(points) // 2]
        routes.append(Route(tuple(reversed(points)) if n in back else tuple(points), at))
    return Placed(tuple((x[p], middle[p]) for p in range(len(boxes))), tuple(routes), right, y - STEP)


def _ports(chains: Sequence[Sequence[int]], x: Sequence[float], size: Sequence[tuple[float, float]]) -> dict[tuple[int, int], float]:
    """The x at which each link leaves its upper box (link, 0) and meets its lower one (link, 1): side by side, in the order of where they come from."""
    sides: dict[tuple[int, int], list[tuple[float, int]]] = {}
    for n, chain in enumerate(chains):
        if chain:
            sides.setdefault((chain[0], 0), []).append((x[chain[1]], n))
            sides.setdefault((chain[-1], 1), []).append((x[chain[-2]], n))
    out: dict[tuple[int, int], float] = {}
    for (box, side), links in sides.items():
        gap = min(PORT, (size[box][0] - 16) / max(len(links) - 1, 1))
        for k, (_, n) in enumerate(sorted(links)):
            out[n, side] = round(x[box] + gap * (k - (len(links) - 1) / 2), 1)
    return out


def _backward(count: int, links: Sequence[Link]) -> set[int]:
    """The links that close a circle, seen from the first box on."""
    leaving: list[list[int]] = [[] for _ in range(count)]
    for n, link in enumerate(links):
        leaving[link.source].append(n)
    state = [0] * count
    back: set[int] = set()
    for root in range(count):
        if state[root]:
            continue
        state[root] = 1
        stack = [(root, 0)]
        while stack:
            node, k = stack.pop()
            if k == len(leaving[node]):
                state[node] = 2
                continue
            stack.append((node, k + 1))
            n = leaving[node][k]
            to = links[n].target
            if state[to] == 1:
                back.add(n)
            elif not state[to]:
                state[to] = 1
                stack.append((to, 0))
    return back


def _ranks(count: int, links: Sequence[Link], back: set[int]) -> list[int]:
    """The length of the longest way to each box."""
    pairs = [((k.target, k.source) if n in back else (k.source, k.target)) for n, k in enumerate(links) if k.source != k.target]
    waiting = [0] * count
    after: list[list[int]] = [[] for _ in range(count)]
    before: list[list[int]] = [[] for _ in range(count)]
    for a, b in pairs:
        after[a].append(b)
        before[b].append(a)
        waiting[b] += 1
    rank = [0] * count
    ready = deque(n for n in range(count) if not waiting[n])
    order = []
    while ready:
        a = ready.popleft()
        order.append(a)
        for b in after[a]:
            rank[b] = max(rank[b], rank[a] + 1)
            waiting[b] -= 1
            if not waiting[b]:
                ready.append(b)
    for a in reversed(order):  # what nothing leads to stands beside what it leads to
        if not before[a] and after[a] and a:
            rank[a] = max(min(rank[b] for b in after[a]) - 1, 0)
    return rank


def _ordered(rank: Sequence[int], chains: Sequence[Sequence[int]], count: int) -> list[list[int]]:
    """The layers, each in an order with few crossings."""
    up: list[list[int]] = [[] for _ in range(count)]
    down: list[list[int]] = [[] for _ in range(count)]
    for chain in chains:
        for a, b in zip(chain, chain[1:]):
            down[a].append(b)
            up[b].append(a)
    layers: list[list[int]] = [[] for _ in range(max(rank) + 1)]
    seen = [False] * count
    for root in range(count):
        stack = [root]
        while stack:
            p = stack.pop()
            if not seen[p]:
                seen[p] = True
                layers[rank[p]].append(p)
                stack += reversed(down[p])
    best = [list(layer) for layer in layers]
    fewest = _crossings(layers, down)
    for sweep in range(SWEEPS if count < MANY else 3):
        if not fewest:
            break
        forward = sweep % 2 == 0
        for layer in layers[1:] if forward else layers[-2::-1]:
            beside = up if forward else down
            where = {p: n for other in layers for n, p in enumerate(other)} if len(layers) < 3 else None
            spot = _spots(layers, rank, layer, beside) if where is None else where
            keyed = {p: sum(spot[q] for q in beside[p]) / len(beside[p]) if beside[p] else float(n) for n, p in enumerate(layer)}
            layer.sort(key=lambda p: keyed[p])
        crossed = _crossings(layers, down)
        if crossed < fewest:
            fewest, best = crossed, [list(layer) for layer in layers]
    return best


def _spots(layers: list[list[int]], rank: Sequence[int], layer: list[int], beside: list[list[int]]) -> dict[int, int]:
    near = {rank[q] for p in layer for q in beside[p]}
    return {p: n for r in near for n, p in enumerate(layers[r])}


def _crossings(layers: list[list[int]], down: list[list[int]]) -> int:
    """How many pairs of lines cross (Fenwick tree: lines sorted by their upper end, inversions of their lower ends)."""
    total = 0
    for upper, lower in zip(layers, layers[1:]):
        spot = {p: n for n, p in enumerate(lower)}
        tree = [0] * (len(lower) + 1)
        seen = 0
        for p in upper:
            ends = sorted(spot[q] for q in down[p] if q in spot)
            for e in ends:
                k, smaller = e + 1, 0
                while k:
                    smaller += tree[k]
                    k -= k & -k
                total += seen - smaller
            for e in ends:
                k = e + 1
                while k <= len(lower):
                    tree[k] += 1
                    k += k & -k
                seen += 1
    return total


def _columns(layers: list[list[int]], chains: Sequence[Sequence[int]], size: Sequence[tuple[float, float]]) -> list[float]:
    """The x of each place: near to what it is joined to, no nearer to its neighbours than they are wide."""
    above: list[list[int]] = [[] for _ in size]
    below: list[list[int]] = [[] for _ in size]
    for chain in chains:
        for a, b in zip(chain, chain[1:]):
            below[a].append(b)
            above[b].append(a)
    x = [0.0] * len(size)
    for layer in layers:
        at = 0.0
        for p in layer:
            x[p] = at + size[p][0] / 2
            at += size[p][0] + GAP
        shift = (at - GAP) / 2 if layer else 0.0
        for p in layer:
            x[p] -= shift
    thin = {p for chain in chains for p in chain[1:-1]}
    rounds = 25 if len(size) < MANY else 5
    for turn in range(rounds):  # down, up, …, and down at the end: what follows one after the other stands in one column
        beside = above if turn % 2 == 0 else below
        for layer in layers if turn % 2 == 0 else reversed(layers):
            wanted = []
            for p in layer:
                pull = [(_PULL[(p in thin) + (q in thin)], x[q]) for q in beside[p]]
                wanted.append(sum(w * v for w, v in pull) / sum(w for w, _ in pull) if pull else x[p])
            for p, value in zip(layer, _apart(layer, wanted, size, thin)):
                x[p] = value
    left = min((x[p] - size[p][0] / 2 for p in range(len(size))), default=0.0)
    return [round(v - left, 1) for v in x]


def _apart(layer: Sequence[int], wanted: Sequence[float], size: Sequence[tuple[float, float]], thin: set[int]) -> list[float]:
    """The places nearest to what is wanted that keep the order and the gaps (isotonic regression)."""
    offset = [0.0]
    for a, b in zip(layer, layer[1:]):
        offset.append(offset[-1] + (size[a][0] + size[b][0]) / 2 + GAP)
    blocks: list[list[float]] = []  # sum, weight, count
    for p, value, off in zip(layer, wanted, offset):
        weight = 3.0 if p in thin else 1.0
        blocks.append([(value - off) * weight, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, weight, count = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += weight
            blocks[-1][2] += count
    out: list[float] = []
    for total, weight, count in blocks:
        out += [total / weight] * int(count)
    return [value + off for value, off in zip(out, offset)]
