"""Control flow of one function, from facts alone.

A `CFG` is made of points: steps of evaluation in Python's own order (arguments before the call, the value before the target).
Code that can never run has no points, so `at(node)` is empty for it. A `finally` body has one copy of its points for each way out of
its `try` (falling through, exception, return, break, continue), so a node in it may have several points; the one for falling through
comes first.

Exceptions: everything that may raise has an "exc" edge to where the exception goes: the "dispatch" point of the innermost `try` with
handlers, the copy of a `finally` made for exceptions, the "leave" point of a `with`, else `CFG.raised`. A handler list that does not
catch everything also lets the exception go on outward.

Point kinds, and what `node` is:
    entry, exit, raised    the function (None in a module body)
    call, await, yield     Call, Await, Yield: after what it holds was evaluated
    test                   an atomic condition; edges "true" and "false" (one "next" edge where both branches do nothing)
    iter                   For or Generator: the head of the loop; "true": there is an item, "false": none left
    loop                   While: the place that every round passes before its test
    case                   Case; "true": the pattern fits
    bind                   Assign, AugAssign, For, WithItem, Walrus, Handler (`as`), Import, Def, ClassStmt, Case, Delete, Generator
    return, raise          Return; Raise or Assert
    enter, leave           WithItem
    try                    Try: about to run its body
    dispatch               Try: an exception has arrived, a handler is chosen
    handler                Handler: it was chosen
    reraise                Try: the end of the `finally` copy that runs for an exception
    use                    an expression statement without a call
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Sequence

from hitl_lint import facts as F
from hitl_lint.record import thing

if TYPE_CHECKING:
    from hitl_lint.analysis.paths import Paths

# Above this many points a `finally` body gets one shared copy instead of one per way out (nested finallys multiply).
FINALLY_CAP = 20_000

_EXITS = frozenset({"sys.exit", "os._exit", "os.abort", "exit", "quit"})
_ALL = frozenset({"BaseException", "builtins.BaseException"})
_MOST = frozenset({"Exception", "builtins.Exception"})
# What `except Exception` does not catch: an outer handler for one of these can still be reached past it.
_PAST_EXCEPTION = frozenset({"BaseException", "KeyboardInterrupt", "SystemExit", "GeneratorExit", "CancelledError", "BaseExceptionGroup"})


@thing
class Region:
    """What encloses a point: `kind` is "try" (its body), "handler", "else", "finally", "with" (its body), "loop" (head and body of a
    for or while) or "comp"; `node` is Try, Handler, With, For, While or Comp; `item` is the WithItem of a "with"."""

    kind: str
    node: Any
    item: F.WithItem | None = None

    def __repr__(self) -> str:
        return f"<{self.kind} line {getattr(self.node, 'at', F.NOWHERE)[0]}>"


@thing
class Edge:
    """`kind` is "next", "true", "false" or "exc". `test` is the tested expression (for a match the Case, for a loop the For or
    Generator), for an edge into a handler the Handler, else None."""

    to: "Point"
    kind: str
    test: Any


@thing
class Point:
    """One step of evaluation; `regions` are the enclosing ones, outermost first; `stmt` is the statement it belongs to."""

    id: int
    kind: str
    node: Any
    stmt: Any
    regions: tuple[Region, ...]
    succ: list[Edge] = field(default_factory=list)
    pred: list["Point"] = field(default_factory=list)

    @property
    def line(self) -> int:
        """The first line of the node, 0 where there is none."""
        at = getattr(self.node, "at", None) or getattr(self.stmt, "at", F.NOWHERE)
        return at[0]

    def __repr__(self) -> str:
        return f"<{self.id} {self.kind} {type(self.node).__name__} line {self.line}>"


@thing
class Guard:
    """One decision on which it depends whether a point runs.

    `kind` and `branch`: "test" true/false (node: the expression), "iter" true/false (For or Generator), "case" true/false (Case),
    "handler" true (node: the Handler that is chosen among several) or "fail" (node: the Try whose body raises), "try" "ok" (node: the
    Try whose body must not raise). `again` is True when the decision stands after the point, so that it only decides about another
    round of a loop.
    """

    point: Point
    kind: str
    branch: str
    node: Any
    again: bool = False


class CFG:
    """The control flow of `fn` (None for a module body). All points but `exit` and `raised` can be reached from `entry`."""

    def __init__(self, fn: F.Function | None, points: list[Point]) -> None:
        self.fn = fn
        self.points = points
        self.entry, self.exit, self.raised = points[0], points[-2], points[-1]
        self._index: dict[int, list[Point]] = {}
        self._tests: dict[int, list[Point]] = {}
        for p in points[1:-2]:
            (self._tests if p.kind == "test" else self._index).setdefault(id(p.node), []).append(p)
        self._paths: Paths | None = None
        self._feasible: dict[int, set[int]] = {}
        self._depends: list[list[tuple[Point, str, str, Any]]] | None = None
        self._dominators: list[int] | None = None

    def at(self, node: Any, kind: str | None = None) -> list[Point]:
        """All points of a facts node, or those of one kind; empty when it can never run (or has no point of its own).

        A call that is tested (`if ready():`) has a call and a test point; the latter is only given when asked for by kind."""
        if kind is None:
            return self._index.get(id(node)) or self._tests.get(id(node), [])
        return [p for p in (self._tests if kind == "test" else self._index).get(id(node), []) if p.kind == kind]

    # ------------------------------------------------------------------ plain reachability
    def reachable(self, starts: Iterable[Point], *, skip: Callable[[Point, Edge], bool] | None = None) -> set[Point]:
        """The points that can follow one of `starts` over at least one edge; `skip(point, edge)` leaves out edges."""
        seen: set[Point] = set()
        stack = list(starts)
        while stack:
            point = stack.pop()
            for edge in point.succ:
                if edge.to not in seen and (skip is None or not skip(point, edge)):
                    seen.add(edge.to)
                    stack.append(edge.to)
        return seen

    def reaching(self, ends: Iterable[Point]) -> set[Point]:
        """The points from which one of `ends` can be reached over at least one edge."""
        seen: set[Point] = set()
        stack = list(ends)
        while stack:
            for before in stack.pop().pred:
                if before not in seen:
                    seen.add(before)
                    stack.append(before)
        return seen

    def dominates(self, a: Point, b: Point) -> bool:
        """Every path from the entry to `b` passes `a` (a point dominates itself)."""
        if self._dominators is None:
            succ = [[e.to.id for e in p.succ] for p in self.points]
            self._dominators = _immediate_dominators(succ, 0)
        doms, n = self._dominators, b.id
        while n != a.id and n > 0:
            n = doms[n]
        return n == a.id

    # ------------------------------------------------------------------ path sensitivity
    def paths(self) -> "Paths":
        """The graph of feasible paths (memoised)."""
        if self._paths is None:
            from hitl_lint.analysis.paths import Paths

            self._paths = Paths(self)
        return self._paths

    def connects(self, a: Point, b: Point) -> bool:
        """There is a path from `a` to `b` of at least one edge on which no two branches contradict each other."""
        known = self._feasible.get(a.id)
        if known is None:
            known = self._feasible[a.id] = self.paths().after(a)
        return b.id in known

    # ------------------------------------------------------------------ control dependence
    def guards(self, point: Point) -> list[Guard]:
        """The decisions on which it depends whether `point` runs, transitively, innermost first. That a call on the way could
        raise is no decision; that a `try` body raised, so that its handler or what follows the handler runs, is one."""
        if self._depends is None:
            self._depends = self._control_dependence()
        out: list[Guard] = []
        seen: set[tuple[int, str, int]] = set()
        level = [point]
        while level:
            found: list[tuple[Point, str, str, Any]] = []
            for p in level:
                for item in self._depends[p.id]:
                    source, kind, branch, node = item
                    key = (source.id, branch, id(node))
                    if key in seen or source is point:
                        continue
                    if kind == "try" and any(r.kind == "try" and r.node is node for r in p.regions):
                        item = (source, "", branch, node)  # the body of a try is entered whatever becomes of it: followed, not told
                    seen.add(key)
                    found.append(item)
            found.sort(key=lambda item: -item[0].id)
            out += [Guard(source, kind, branch, node, source.id > point.id) for source, kind, branch, node in found if kind]
            level = [source for source, *_ in found]
        return out

    def _control_dependence(self) -> list[list[tuple[Point, str, str, Any]]]:
        """For each point id the decisions it directly depends on: (point, kind, branch, node); a kind of "" is followed, not told."""
        points = self.points
        end = len(points)
        labels: list[list[tuple[int, tuple[str, str, Any]]]] = [[] for _ in range(end + 1)]
        dispatch = {id(p.node): p for p in points if p.kind == "dispatch"}
        for p in points:
            out = labels[p.id]
            explicit = p.kind in ("raise", "reraise", "dispatch") or (p.kind == "leave" and len(p.succ) == 1)
            for e in p.succ:
                if e.kind == "exc" and not explicit:
                    continue
                if p.kind == "dispatch":
                    if e.test is not None:
                        out.append((e.to.id, ("handler", "true", e.test)))
                elif p.kind in ("test", "iter", "case"):
                    out.append((e.to.id, (p.kind, e.kind, p.node)))
                elif p.kind == "try":
                    out.append((e.to.id, ("try", "ok", p.node)))
                else:
                    out.append((e.to.id, ("", "", None)))
            if p.kind == "try" and id(p.node) in dispatch:
                out.append((dispatch[id(p.node)].id, ("handler", "fail", p.node)))
        labels[self.exit.id].append((end, ("", "", None)))
        labels[self.raised.id].append((end, ("", "", None)))
        live = _reach([[to for to, _ in out] for out in labels], [0])
        back: list[list[int]] = [[] for _ in range(end + 1)]
        for n in live:
            for to, _ in labels[n]:
                back[to].append(n)
        done = _reach(back, [end])
        # A loop that is only left by an exception never reaches the end: lead it there from its head, so that it has post-dominators.
        for n in sorted(live, key=lambda n: (n == end or points[n].kind not in ("loop", "iter"), n)):
            if n not in done:
                labels[n].append((end, ("", "", None)))
                back[end].append(n)
                done |= _reach(back, [n])
        post = _immediate_dominators(back, end)
        depends: list[list[tuple[Point, str, str, Any]]] = [[] for _ in range(end + 1)]
        for n in live:
            out = labels[n]
            if len(out) < 2:
                continue
            for to, (kind, branch, node) in out:
                runner = to
                while runner != post[n] and runner != end and runner >= 0:
                    depends[runner].append((points[n], kind, branch, node))
                    runner = post[runner]
        return depends


def _reach(succ: Sequence[Sequence[int]], starts: Iterable[int]) -> set[int]:
    seen = set(starts)
    stack = list(seen)
    while stack:
        for to in succ[stack.pop()]:
            if to not in seen:
                seen.add(to)
                stack.append(to)
    return seen


def _immediate_dominators(succ: Sequence[Sequence[int]], root: int) -> list[int]:
    """The immediate dominator of each node (its own number for the root, -1 for what the root does not reach)."""
    order: list[int] = []
    state = bytearray(len(succ))
    stack: list[tuple[int, int]] = [(root, 0)]
    state[root] = 1
    while stack:
        n, k = stack.pop()
        out = succ[n]
        while k < len(out) and state[out[k]]:
            k += 1
        if k < len(out):
            stack.append((n, k + 1))
            state[out[k]] = 1
            stack.append((out[k], 0))
        else:
            order.append(n)
    rank = [-1] * len(succ)
    for i, n in enumerate(order):
        rank[n] = i
    pred: list[list[int]] = [[] for _ in succ]
    for n in order:
        for to in succ[n]:
            pred[to].append(n)
    idom = [-1] * len(succ)
    idom[root] = root
    changed = True
    while changed:
        changed = False
        for n in reversed(order):
            if n == root:
                continue
            best = -1
            for p in pred[n]:
                if idom[p] < 0:
                    continue
                if best < 0:
                    best = p
                    continue
                a, b = p, best
                while a != b:
                    while rank[a] < rank[b]:
                        a = idom[a]
                    while rank[b] < rank[a]:
                        b = idom[b]
                best = a
            if best != idom[n]:
                idom[n] = best
                changed = True
    return idom


# --------------------------------------------------------------------------- building
Out = tuple[Point, str, Any]  # an edge that leads nowhere yet: where from, its kind, its test


class _Frame:
    """Something that a way out of a block must pass: a loop, the handlers of a try, a finally or a with."""

    __slots__ = ("kind", "ways", "head", "node")

    def __init__(self, kind: str, node: Any, head: Point | None = None) -> None:
        self.kind = kind
        self.node = node
        self.head = head
        self.ways: dict[str, list[Out]] = {}


_TAKES = {"loop": ("break", "continue"), "try": ("exc",), "final": ("exc", "return", "break", "continue"),
          "with": ("exc", "return", "break", "continue")}


def _never(_: Any) -> bool:
    return False


def build(fn: F.Function, *, suppresses: Callable[[F.WithItem], bool] = _never, no_return: Callable[[F.Call], bool] = _never,
          implicit: Mapping[int, F.Call] | None = None) -> CFG:
    """The control flow of a function or lambda. `suppresses`: does this context manager swallow exceptions; `no_return`: does this
    call never come back (besides `sys.exit` and the like); `implicit`: by id of a with item or attribute the call that it is though it is
    not written as one. The caller memoises."""
    return _make(fn, fn.body, suppresses, no_return, implicit)


def build_module(body: list[F.Stmt], *, suppresses: Callable[[F.WithItem], bool] = _never,
                 no_return: Callable[[F.Call], bool] = _never) -> CFG:
    """The control flow of a module (or any list of statements); its `fn` is None."""
    return _make(None, body, suppresses, no_return)


def _make(fn: F.Function | None, body: list[Any], suppresses: Callable[[F.WithItem], bool], no_return: Callable[[F.Call], bool],
          implicit: Mapping[int, F.Call] | None = None) -> CFG:
    try:
        return _Builder(suppresses, no_return, implicit or {}).run(fn, body)
    except RecursionError:
        return _straight(fn, body)


def _straight(fn: F.Function | None, body: list[Any]) -> CFG:
    """Everything in the order of the text: what is left to say of code nested too deeply to follow."""
    found = [n for stmt in body for n in F.walk(stmt) if type(n) in (F.Call, F.Await, F.Yield)]
    found.sort(key=lambda n: n.at[2:])
    points = [Point(0, "entry", fn, None, ())]
    points += [Point(i, type(n).__name__.lower(), n, None, ()) for i, n in enumerate(found, 1)]
    points += [Point(len(points), "exit", fn, None, ()), Point(len(points) + 1, "raised", fn, None, ())]
    for a, b in zip(points, points[1:-1]):
        _connect([(a, "next", None)], b)
    return CFG(fn, points)


def _connect(outs: list[Out], to: Point) -> None:
    for point, kind, test in outs:
        point.succ.append(Edge(to, kind, test))
        to.pred.append(point)


def constant(expr: Any) -> bool | None:
    """The truth of a condition that is always the same (`True`, `0`, `None`, `TYPE_CHECKING`, `__debug__`), else None."""
    if type(expr) is F.Const:
        return bool(expr.value) if expr.kind in ("bool", "int", "float", "str", "none") else True if expr.kind == "ellipsis" else None
    if type(expr) is F.Name or type(expr) is F.Attr:
        name = F.dotted(expr)
        if name in ("TYPE_CHECKING", "typing.TYPE_CHECKING", "t.TYPE_CHECKING"):
            return False
        return True if name == "__debug__" else None
    return None


_BUSY = (F.Call, F.Await, F.Yield, F.Walrus, F.Comp)


def _busy(expr: Any) -> bool:
    """Evaluating it does more than look at values."""
    t = type(expr)
    if t is F.Name or t is F.Const:
        return False
    return any(type(n) in _BUSY for n in F.walk(expr))


def _caught_names(handler: F.Handler) -> list[str]:
    """The dotted names in the type of a handler; "" stands for what is no name."""
    if handler.type is None:
        return ["BaseException"]
    types = handler.type.elts if type(handler.type) is F.Seq else [handler.type]
    return [F.dotted(t) or "" for t in types]


class _Builder:
    def __init__(self, suppresses: Callable[[F.WithItem], bool], no_return: Callable[[F.Call], bool], implicit: Mapping[int, F.Call]) -> None:
        self.suppresses = suppresses
        self.no_return = no_return
        self.implicit = implicit
        self.points: list[Point] = []
        self.frames: list[_Frame] = []
        self.regions: tuple[Region, ...] = ()
        self.stmt: Any = None
        self.out: list[Out] = []  # the edges that lead to whatever comes next; empty: nothing that comes next can run
        self.returns: list[Out] = []
        self.escapes: list[Out] = []
        self.raisers = 0  # how many points with an "exc" edge there are
        self.guarded = 0  # how many frames around catch exceptions

    def run(self, fn: F.Function | None, body: list[Any]) -> CFG:
        entry = Point(0, "entry", fn, None, ())
        self.points.append(entry)
        self.out = [(entry, "next", None)]
        self.block(body)
        for kind, outs in (("exit", self.out + self.returns), ("raised", self.escapes)):
            p = Point(len(self.points), kind, fn, None, ())
            self.points.append(p)
            _connect(outs, p)
        return CFG(fn, self.points)

    # ------------------------------------------------------------------ edges
    def emit(self, kind: str, node: Any, raises: bool = False) -> Point | None:
        """A new point that everything pending leads to; None (and nothing done) where nothing can run."""
        if not self.out:
            return None
        p = Point(len(self.points), kind, node, self.stmt, self.regions)
        self.points.append(p)
        _connect(self.out, p)
        self.out = [(p, "next", None)]
        if raises:
            self.raisers += 1
            self.go("exc", [(p, "exc", None)])
        return p

    def go(self, way: str, outs: list[Out]) -> None:
        """Leave by exception, return, break or continue: up to the innermost frame that has a say."""
        if not outs:
            return
        for frame in reversed(self.frames):
            if way in _TAKES[frame.kind]:
                if frame.head is not None and way == "continue":
                    _connect(outs, frame.head)
                else:
                    frame.ways.setdefault(way, []).extend(outs)
                return
        if way == "exc":
            self.escapes += outs
        else:
            self.returns += outs

    def push(self, frame: _Frame) -> None:
        self.frames.append(frame)
        self.guarded += frame.kind != "loop"

    def pop(self) -> None:
        self.guarded -= self.frames.pop().kind != "loop"

    # ------------------------------------------------------------------ expressions
    def expr(self, e: Any) -> None:
        """Evaluate. The left spine (`a.b(c)[d] + e`) is followed with a list: generated code has chains of thousands."""
        spine: list[Any] = []
        while e is not None:
            t = type(e)
            if t is F.Call:
                down = e.func
            elif t is F.Bin:
                down = e.left
            elif t is F.Attr or t is F.Sub or t is F.Await or t is F.Un or t is F.Star:
                down = e.value
            else:
                break
            spine.append(e)
            e = down
        if e is not None and type(e) is not F.Name and type(e) is not F.Const:
            self.inner(e)
        while spine:
            e = spine.pop()
            t = type(e)
            if t is F.Call:
                for arg in e.args:
                    self.expr(arg.value)
                self.emit("call", e, raises=True)
                # A coroutine function that never returns does so where it is awaited.
                if not (spine and type(spine[-1]) is F.Await) and self.ends(e):
                    self.out = []
            elif t is F.Bin:
                self.expr(e.right)
            elif t is F.Sub:
                self.expr(e.index)
            elif t is F.Attr:
                if id(e) in self.implicit:
                    self.emit("call", self.implicit[id(e)], raises=True)
            elif t is F.Await:
                self.emit("await", e, raises=True)
                if type(e.value) is F.Call and self.ends(e.value):
                    self.out = []

    def ends(self, call: F.Call) -> bool:
        return (type(call.func) is not F.Call and F.dotted(call.func) in _EXITS) or self.no_return(call)

    def inner(self, e: Any) -> None:
        t = type(e)
        if t is F.BoolOp:
            self.boolean(e)
        elif t is F.IfExp:
            self.ternary(e)
        elif t is F.Cmp:
            self.comparison(e)
        elif t is F.Comp:
            self.comprehension(e)
        elif t is F.Walrus:
            self.expr(e.value)
            self.emit("bind", e)
        elif t is F.Yield:
            self.expr(e.value)
            self.emit("yield", e, raises=True)
        elif t is F.Lambda:
            self.defaults(e.fn)
        elif t is F.Dict:
            for key, value in zip(e.keys, e.values):
                self.expr(key)
                self.expr(value)
        else:
            for part in F.children(e):
                self.expr(part)

    def boolean(self, e: F.BoolOp) -> None:
        values = e.values
        if not any(_busy(v) for v in values[1:]):
            for v in values:
                self.expr(v)
            return
        short: list[Out] = []
        for v in values[:-1]:
            yes, no = self.condition(v)
            if e.op == "and":
                short += no
                self.out = yes
            else:
                short += yes
                self.out = no
        self.expr(values[-1])
        self.out = self.out + short

    def ternary(self, e: F.IfExp) -> None:
        if not _busy(e.body) and not _busy(e.orelse):
            self.expr(e.test)
            self.emit("test", e.test)
            return
        yes, no = self.condition(e.test)
        self.out = yes
        self.expr(e.body)
        ends = self.out
        self.out = no
        self.expr(e.orelse)
        self.out = ends + self.out

    def comparison(self, e: F.Cmp) -> None:
        if len(e.rights) > 1 and any(_busy(r) for r in e.rights[1:]):
            yes, no = self.condition(e)
            self.out = yes + no
            return
        self.expr(e.left)
        for right in e.rights:
            self.expr(right)

    def comprehension(self, e: F.Comp) -> None:
        outside = self.regions
        self.expr(e.generators[0].iter)
        self.regions = outside + (Region("comp", e),)
        heads: list[Point] = []
        for k, generator in enumerate(e.generators):
            if k:
                self.expr(generator.iter)
            head = self.emit("iter", generator, raises=True)
            if head is None:
                break
            heads.append(head)
            self.out = [(head, "true", generator)]
            self.target(generator.target)
            self.emit("bind", generator)
            for condition in generator.ifs:
                yes, no = self.condition(condition)
                _connect(no, head)
                self.out = yes
        self.expr(e.key)
        self.expr(e.elt)
        for head in reversed(heads):
            _connect(self.out, head)
            self.out = [(head, "false", head.node)]
        self.regions = outside

    def condition(self, e: Any) -> tuple[list[Out], list[Out]]:
        """Evaluate as a condition: the edges that are taken when it holds, and when it does not."""
        if not self.out:
            return [], []
        t = type(e)
        if t is F.Un and e.op == "not":
            yes, no = self.condition(e.value)
            return no, yes
        if t is F.BoolOp:
            short: list[Out] = []
            for v in e.values:
                yes, no = self.condition(v)
                if e.op == "and":
                    short += no
                    self.out = yes
                else:
                    short += yes
                    self.out = no
            return (self.out, short) if e.op == "and" else (short, self.out)
        if t is F.IfExp:
            yes, no = self.condition(e.test)
            self.out = yes
            yes1, no1 = self.condition(e.body)
            self.out = no
            yes2, no2 = self.condition(e.orelse)
            return yes1 + yes2, no1 + no2
        if t is F.Cmp and len(e.rights) > 1 and any(_busy(r) for r in e.rights[1:]):
            left, short = e.left, []
            self.expr(left)
            for op, right in zip(e.ops, e.rights):
                self.expr(right)
                p = self.emit("test", F.Cmp(e.at, left, [op], [right]))
                if p is None:
                    break
                short.append((p, "false", p.node))
                self.out = [(p, "true", p.node)]
                left = right
            return self.out, short
        truth = constant(e)
        if truth is not None:
            return (self.out, []) if truth else ([], self.out)
        before = self.raisers
        self.expr(e)
        p = self.emit("test", e, raises=self.fails(e, before))
        if p is None:
            return [], []
        return [(p, "true", e)], [(p, "false", e)]

    def fails(self, e: Any, before: int) -> bool:
        """A point after `e` must carry the exception that evaluating `e` may raise: someone catches it, and no point of `e` does."""
        return self.guarded > 0 and self.raisers == before and e is not None and type(e) is not F.Const and type(e) is not F.Name

    def target(self, e: Any) -> None:
        """What is evaluated of an assignment's target."""
        t = type(e)
        if t is F.Attr or t is F.Sub or t is F.Star:
            self.expr(e)
        elif t is F.Seq:
            for x in e.elts:
                self.target(x)

    def defaults(self, fn: F.Function) -> None:
        for param in fn.params:
            self.expr(param.default)

    # ------------------------------------------------------------------ statements
    def block(self, body: list[Any]) -> None:
        outer = self.stmt
        for s in body:
            if not self.out:
                break
            self.stmt = s
            _STATEMENTS[type(s)](self, s)
        self.stmt = outer

    def s_expr(self, s: F.ExprStmt) -> None:
        if type(s.value) is F.Const:
            return
        before = len(self.points)
        self.expr(s.value)
        if len(self.points) == before:
            self.emit("use", s, raises=self.guarded > 0)

    def s_assign(self, s: F.Assign) -> None:
        if s.value is None:
            return
        before = self.raisers
        self.expr(s.value)
        for t in s.targets:
            self.target(t)
        plain = len(s.targets) == 1 and type(s.targets[0]) is F.Name
        self.emit("bind", s, raises=self.fails(s.value if plain else s, before))

    def s_aug(self, s: F.AugAssign) -> None:
        before = self.raisers
        self.target(s.target)
        self.expr(s.value)
        self.emit("bind", s, raises=self.fails(s, before))

    def s_return(self, s: F.Return) -> None:
        before = self.raisers
        self.expr(s.value)
        self.emit("return", s, raises=self.fails(s.value, before))
        self.go("return", self.out)
        self.out = []

    def s_raise(self, s: F.Raise) -> None:
        self.expr(s.exc)
        self.expr(s.cause)
        self.throw("raise", s)

    def throw(self, kind: str, node: Any) -> None:
        self.emit(kind, node, raises=True)
        self.out = []

    def s_assert(self, s: F.Assert) -> None:
        yes, no = self.condition(s.test)
        self.out = no
        self.expr(s.msg)
        self.throw("raise", s)
        self.out = yes

    def s_if(self, s: F.If) -> None:
        ends: list[Out] = []
        while True:  # an elif is an If alone in the else branch: followed here, as there can be hundreds
            yes, no = self.condition(s.test)
            self.out = yes
            self.block(s.body)
            ends += self.out
            self.out = no
            if len(s.orelse) == 1 and type(s.orelse[0]) is F.If and no:
                s = s.orelse[0]
                self.stmt = s
                continue
            self.block(s.orelse)
            self.out = ends + self.out
            return

    def s_while(self, s: F.While) -> None:
        outside = self.regions
        self.regions = outside + (Region("loop", s),)
        head = self.emit("loop", s)
        yes, no = self.condition(s.test)
        frame = _Frame("loop", s, head)
        self.push(frame)
        self.out = yes
        self.block(s.body)
        self.pop()
        self.leave_loop(s, frame, no, outside)

    def s_for(self, s: F.For) -> None:
        outside = self.regions
        self.expr(s.iter)
        self.regions = outside + (Region("loop", s),)
        head = self.emit("iter", s, raises=True)
        if head is None:
            self.regions = outside
            return
        frame = _Frame("loop", s, head)
        self.push(frame)
        self.out = [(head, "true", s)]
        self.target(s.target)
        self.emit("bind", s)
        self.block(s.body)
        self.pop()
        self.leave_loop(s, frame, [(head, "false", s)], outside)

    def leave_loop(self, s: Any, frame: _Frame, done: list[Out], outside: tuple[Region, ...]) -> None:
        if frame.head is not None:
            _connect(self.out, frame.head)
        self.regions = outside
        self.out = done
        self.block(s.orelse)
        self.out = self.out + frame.ways.get("break", [])

    def s_break(self, s: F.Break) -> None:
        self.go("break", self.out)
        self.out = []

    def s_continue(self, s: F.Continue) -> None:
        self.go("continue", self.out)
        self.out = []

    def s_with(self, s: F.With) -> None:
        outside = self.regions
        frames: list[tuple[_Frame, tuple[Region, ...]]] = []
        for item in s.items:
            self.expr(item.value)
            if id(item) in self.implicit:
                self.emit("call", self.implicit[id(item)], raises=True)
            if self.emit("enter", item, raises=True) is None:
                break
            frame = _Frame("with", item)
            frames.append((frame, self.regions))
            self.push(frame)
            self.regions = self.regions + (Region("with", s, item),)
            if item.target is not None:
                self.target(item.target)
                self.emit("bind", item)
        self.block(s.body)
        for frame, regions in reversed(frames):
            self.pop()
            self.regions = regions
            item = frame.node
            self.emit("leave", item, raises=True)
            after = self.out
            for way, outs in frame.ways.items():
                self.out = outs
                p = self.emit("leave", item)
                if way != "exc":
                    self.go(way, self.out)
                elif p is not None:
                    if self.suppresses(item):
                        after = after + self.out
                    self.go("exc", [(p, "exc", None)])
            self.out = after
        self.regions = outside

    def s_try(self, s: F.Try) -> None:
        outside = self.regions
        final = _Frame("final", s)
        if s.final:
            self.push(final)
        self.emit("try", s)
        catch = _Frame("try", s)
        if s.handlers:
            self.push(catch)
        self.regions = outside + (Region("try", s),)
        self.block(s.body)
        if s.handlers:
            self.pop()
        self.regions = outside + (Region("else", s),)
        self.block(s.orelse)
        ends = self.out
        self.regions = outside
        if "exc" in catch.ways:
            self.out = catch.ways["exc"]
            ends = ends + self.handlers(s, outside)
        self.out = ends
        if not s.final:
            return
        self.pop()
        self.regions = outside + (Region("finally", s),)
        ways = [(way, outs) for way, outs in [("next", ends), *final.ways.items()] if outs]
        after: list[Out] = []
        while ways:
            now = 1 if len(self.points) <= FINALLY_CAP else len(ways)
            self.out = [o for _, outs in ways[:now] for o in outs]
            self.block(s.final)
            for way, _ in ways[:now]:
                after += self.finish(way, s)
            ways = ways[now:]
        self.regions = outside
        self.out = after

    def finish(self, way: str, s: F.Try) -> list[Out]:
        """Go on after a `finally` body where one was going; the edges that lead to the next statement. Keeps `out`."""
        here = self.out
        if way == "next":
            return here
        if way == "exc":
            self.throw("reraise", s)
        else:
            self.go(way, here)
        self.out = here
        return []

    def handlers(self, s: F.Try, outside: tuple[Region, ...]) -> list[Out]:
        """The handlers of a try, entered by what is pending; the edges that lead on behind it."""
        dispatch = self.emit("dispatch", s)
        assert dispatch is not None
        chosen: list[Out] = []
        missed: list[Out] = [(dispatch, "exc", None)]
        for handler in s.handlers:
            entering: list[Out] = [(dispatch, "exc", handler)]
            # The clauses of an except* can run one after the other, each with its part of the group.
            self.out = entering + chosen if s.star else entering
            if handler.type is not None and _busy(handler.type):
                self.expr(handler.type)
            self.regions = outside + (Region("handler", handler),)
            self.emit("handler", handler)
            if handler.name:
                self.emit("bind", handler)
            self.block(handler.body)
            chosen = chosen + self.out
            self.regions = outside
        if s.star and chosen:
            self.out = chosen
            self.throw("reraise", s)
        if self.passes(s):
            self.go("exc", missed)
        return chosen

    def passes(self, s: F.Try) -> bool:
        """An exception can get past these handlers to where it makes a difference."""
        names = [n for h in s.handlers for n in _caught_names(h)]
        if any(n in _ALL for n in names):
            return False
        if not any(n in _MOST for n in names):
            return True
        outer = [h for frame in self.frames if frame.kind == "try" for h in frame.node.handlers]
        if not outer:
            return True
        return any(n.rpartition(".")[2] in _PAST_EXCEPTION or not n for h in outer for n in _caught_names(h))

    def s_match(self, s: F.Match) -> None:
        self.expr(s.subject)
        ends: list[Out] = []
        for case in s.cases:
            p = self.emit("case", case)
            if p is None:
                break
            no: list[Out] = [] if case.irrefutable else [(p, "false", case)]
            self.out = [(p, "true", case)]
            if case.captures:
                self.emit("bind", case)
            if case.guard is not None:
                self.out, failed = self.condition(case.guard)
                no = no + failed
            self.block(case.body)
            ends += self.out
            self.out = no
        self.out = ends + self.out

    def s_def(self, s: F.Def) -> None:
        for decorator in s.fn.decorators:
            self.expr(decorator)
        self.defaults(s.fn)
        self.emit("bind", s)

    def s_class(self, s: F.ClassStmt) -> None:
        for decorator in s.cls.decorators:
            self.expr(decorator)
        for base in s.cls.bases:
            self.expr(base.value)
        self.block(s.cls.body)
        self.emit("bind", s)

    def s_import(self, s: F.Import) -> None:
        self.emit("bind", s, raises=True)

    def s_delete(self, s: F.Delete) -> None:
        before = self.raisers
        for t in s.targets:
            self.target(t)
        self.emit("bind", s, raises=self.fails(s, before))

    def s_pass(self, s: Any) -> None:
        return


_STATEMENTS: dict[type, Callable[[_Builder, Any], None]] = {
    F.ExprStmt: _Builder.s_expr, F.Assign: _Builder.s_assign, F.AugAssign: _Builder.s_aug, F.Return: _Builder.s_return,
    F.Raise: _Builder.s_raise, F.If: _Builder.s_if, F.While: _Builder.s_while, F.For: _Builder.s_for, F.Try: _Builder.s_try,
    F.With: _Builder.s_with, F.Match: _Builder.s_match, F.Def: _Builder.s_def, F.ClassStmt: _Builder.s_class,
    F.Import: _Builder.s_import, F.Delete: _Builder.s_delete, F.Assert: _Builder.s_assert, F.Break: _Builder.s_break,
    F.Continue: _Builder.s_continue, F.Pass: _Builder.s_pass,
}
