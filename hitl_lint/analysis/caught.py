"""What code does with a pause that it has in its hands: in an `except`, in an `__exit__`, in a predicate, in the results of a gather.

`Caught` runs a piece of control flow with the knowledge that some names hold the pause: it evaluates what the code asks about it
(`isinstance(e, GraphBubbleUp)`, `type(e).__name__ == "GraphInterrupt"`, `is_pause(e)`), follows both ways of everything else, and
says how it ends. What the code asks and we cannot tell counts in its favour.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping

from hitl_lint.analysis.cfg import CFG, Point
from hitl_lint.analysis.names import Cls, Ext, Fn, FnInfo, Lit, Scope
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import (
    Assign, Attr, AugAssign, Await, Bin, BoolOp, Call, Cmp, Comp, Const, For, FStr, Generator, Handler, IfExp, Match, Name, Raise, Seq, Star, Sub, Try,
    Un, Walrus, While, dotted, walk,
)
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project


class Mark:
    """A thing that is known to be, or to come from, the pause."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name}>"


PAUSE = Mark("the pause")
TYPE = Mark("its class")
GROUP = Mark("an exception group that holds it")
MAYBE = Mark("something made of it")
HELD = Mark("an object that raises it again when asked")
UNKNOWN = Mark("anything")
RESULTS = (PAUSE,)  # a list in which the pause stands among other results


@record
class Words:
    """Text in which at least this stands: `str(e)`."""

    text: str


@record
class Class:
    """A class that is not the pause's own."""

    path: str


LINEAGE = ("langgraph.errors.GraphInterrupt", "langgraph.errors.GraphBubbleUp", "Exception", "BaseException", "object")
NAME, MODULE = "GraphInterrupt", "langgraph.errors"
BUBBLES = lg.PAUSE_CLASSES | {"langgraph.errors.NodeInterrupt"}
SHOWN = "(Interrupt(value="
HAS = frozenset({"args", "with_traceback", "add_note"})
KEEPS = frozenset({"append", "add", "insert", "extend", "appendleft", "put", "put_nowait"})
MAX_STATES = 4_000
MAX_DOUBTS = 4
MAX_DEPTH = 4
MAX_NESTING = 40

Env = tuple[tuple[str, Any], ...]


@dataclass(slots=True)
class Ends:
    """How a piece of code ends. `ways` holds "raises" (the pause goes on), "group" (inside an exception group), "diverts" (another exception
    instead), "returns", "hands" (it returns the pause, or something that holds it), "loops" (back at a loop that it was not to pass).
    `values` are what it returns. `looped`: the code that paused runs again on the way. `doubtful`: not everything could be followed."""

    ways: set[str] = field(default_factory=set)
    values: list[Any] = field(default_factory=list)
    looped: bool = False
    doubtful: bool = False

    @property
    def swallows(self) -> bool:
        return "returns" in self.ways or "hands" in self.ways


class Caught:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._open: set[tuple[int, Env]] = set()
        self.returned: Any = UNKNOWN
        self.always = False
        self.busy: set[int] = set()

    # ---- entries
    def handler(self, h: Handler, node: Try, cfg: CFG, scope: Scope, *, caught: Any = PAUSE) -> str:
        """What a handler does with what it catches: "raises", "again" (only after the `try` has run several times), "group", "diverts" or "swallows";
        "hands" when it returns it, which `returned` then holds. `always` then says whether it swallows it on all its ways."""
        self.always = False
        starts = [p for p in cfg.points if p.kind == "handler" and p.node is h]
        if not starts:
            return "raises"  # never entered
        held = GROUP if node.star else caught
        loops = [r.node for r in starts[0].regions if r.kind == "loop"]
        bounded = {id(loop) for loop in loops[-1:] if self._bounded(loop, h, node, cfg, scope, starts, held)}
        ends = self._best(cfg, scope, [(p, ()) for p in starts], held, tried=node, bounded=bounded, base=len(starts[0].regions))
        if "hands" in ends.ways and "returns" not in ends.ways and not ends.looped:
            self.returned = _same(ends.values)
            return "raises" if self.returned is HELD else "hands"
        if ends.swallows:
            self.always = ends.ways <= {"returns", "hands", "loops"} and not ends.doubtful
            return "swallows"
        if ends.ways & {"diverts", "group"} and "raises" not in ends.ways:
            return "group" if ends.ways <= {"group"} else "diverts"
        if not ends.ways:
            self.always = ends.looped and not ends.doubtful
            return "swallows" if ends.looped else "raises"  # a loop that never ends; a handler that never comes back
        return "again" if ends.looped else "raises"

    def done(self, h: Handler, node: Try, cfg: CFG, scope: Scope) -> list[Call]:
        """The calls that a handler may make with the pause in hand, in their order: those that it makes whatever tests about the pause say that
        cannot be told from here."""
        starts: list[tuple[Point, Env]] = [(p, ()) for p in cfg.points if p.kind == "handler" and p.node is h]
        calls = self._calls(cfg, scope, starts, PAUSE, tried=node)
        inside = {id(p.node) for p in cfg.points if p.kind == "call" and any(r.kind == "handler" and r.node is h for r in p.regions)}
        return [c for c in calls if id(c) in inside]

    def done_by(self, info: FnInfo, given: Mapping[str, Any]) -> list[Call]:
        """The same for an `__exit__` that is told of the pause: its class and itself in the parameters of `given`."""
        cfg = self.project.cfg(info)
        return self._calls(cfg, self.project.names.scope(info), [(cfg.entry, tuple(sorted(given.items())))], None)

    def _calls(self, cfg: CFG, scope: Scope, starts: list[tuple[Point, Env]], caught: Any, **options: Any) -> list[Call]:
        run = _Run(self, cfg, scope, caught, {}, **options)
        run.follow(starts)
        doubts = list(dict.fromkeys(run.doubts))
        made = run.calls
        for n in range(1 << len(doubts)) if len(doubts) <= MAX_DOUBTS else ():
            other = _Run(self, cfg, scope, caught, {}, assumed={d: bool(n >> i & 1) for i, d in enumerate(doubts)}, **options)
            other.follow(starts)
            made = {k: c for k, c in made.items() if k in other.calls}
        return sorted(made.values(), key=lambda c: c.at) if len(doubts) <= MAX_DOUBTS else []

    def call(self, info: FnInfo, given: Mapping[str, Any], *, caught: Any = None) -> Ends:
        """What a function does whose parameters hold the pause (or its class) as `given` says."""
        cfg = self.project.cfg(info)
        env = tuple(sorted(given.items(), key=lambda item: item[0]))
        key = (id(info.fn), env)
        if key in self._open or len(self._open) > MAX_DEPTH:
            return Ends({"returns"}, [UNKNOWN], doubtful=True)
        self._open.add(key)
        try:
            return self._best(cfg, self.project.names.scope(info), [(cfg.entry, env)], caught, best=False)
        finally:
            self._open.discard(key)

    def predicate(self, info: FnInfo, what: Any = PAUSE) -> bool | None:
        """What a function of one argument says of the pause."""
        params = [p for p in info.fn.params if p.name not in ("self", "cls")]
        if not params:
            return None
        return truth(_same(self.call(info, {params[0].name: what}, caught=PAUSE).values))

    def from_point(self, cfg: CFG, scope: Scope, points: Iterable[Point], nodes: Mapping[int, Any], env: Env = ()) -> Ends:
        """What happens after a point when the expression nodes in `nodes` (by id) have the given values."""
        starts = [(e.to, env) for p in points for e in p.succ if e.kind != "exc"]
        return self._best(cfg, scope, starts, None, nodes=nodes)

    # ---- following
    def _best(self, cfg: CFG, scope: Scope, starts: list[tuple[Point, Env]], caught: Any, *, nodes: Mapping[int, Any] | None = None,
              best: bool = True, **options: Any) -> Ends:
        """Follow; where a test about the pause cannot be told, the answer under which it is not swallowed."""
        run = _Run(self, cfg, scope, caught, nodes or {}, **options)
        ends = run.follow(starts)
        if not best:
            ends.doubtful = ends.doubtful or bool(run.doubts)
        if not (best and run.doubts and (ends.swallows or "diverts" in ends.ways)):
            return ends
        doubts = list(dict.fromkeys(run.doubts))[:MAX_DOUBTS]
        for n in range(1 << len(doubts)):
            assumed = {d: bool(n >> i & 1) for i, d in enumerate(doubts)}
            other = _Run(self, cfg, scope, caught, nodes or {}, assumed=assumed, **options).follow(starts)
            if other.ways and not other.swallows and (ends.swallows or "diverts" not in other.ways):
                ends = other
                ends.doubtful = True
                if "diverts" not in ends.ways:
                    break
        return ends

    def _bounded(self, loop: Any, h: Handler, node: Try, cfg: CFG, scope: Scope, starts: list[Point], held: Any) -> bool:
        """Whether a test in the handler ends a loop of attempts with its last one: `if attempt == 2: raise`. The loop then never just runs out."""
        if type(loop) is For:
            counted = {n.id for n in walk(loop.target) if type(n) is Name}
        elif type(loop) is While:
            counted = {n.id for n in walk(loop.test) if type(n) is Name}
        else:
            return False
        for p in cfg.points:
            if p.kind != "test" or not any(r.kind == "handler" and r.node is h for r in p.regions):
                continue
            if type(p.node) is not Cmp or not any(_counts(side, counted) for side in (p.node.left, *p.node.rights)):
                continue
            env: Env = ((h.name, held),) if h.name else ()
            for e in p.succ:
                if e.kind in ("true", "false"):
                    ends = _Run(self, cfg, scope, held, {}, tried=node, stop=loop, base=len(starts[0].regions)).follow([(e.to, env)])
                    if ends.ways and ends.ways <= {"raises", "diverts", "group"}:
                        return True
        return False


class _Run:
    """One walk over the control flow of a function."""

    def __init__(self, owner: Caught, cfg: CFG, scope: Scope, caught: Any, nodes: Mapping[int, Any], *, tried: Try | None = None, stop: Any = None,
                 bounded: Iterable[int] = (), base: int = 0, assumed: Mapping[int, bool] | None = None) -> None:
        self.owner, self.cfg, self.scope, self.caught, self.nodes = owner, cfg, scope, caught, nodes
        self.project = owner.project
        self.tried, self.stop, self.bounded, self.base = tried, stop, set(bounded), base
        self.assumed = assumed or {}
        self.doubts: list[int] = []
        self.ends = Ends()
        self.env: dict[str, Any] = {}
        self.calls: dict[int, Call] = {}

    def follow(self, starts: list[tuple[Point, Env]]) -> Ends:
        seen: set[tuple[int, Env]] = set()
        stack = list(starts)
        while stack:
            point, env = stack.pop()
            if (point.id, env) in seen:
                continue
            if len(seen) > MAX_STATES:
                self.ends.doubtful = True
                break
            seen.add((point.id, env))
            self.env = dict(env)
            for edge in self._step(point):
                stack.append((edge.to, tuple(sorted(self.env.items(), key=lambda item: item[0]))))
        return self.ends

    def _step(self, p: Point) -> list[Any]:
        """Update `env` and `ends` for one point; the edges to follow."""
        ways = self.ends.ways
        follow = [e for e in p.succ if e.kind != "exc"]
        kind = p.kind
        if kind == "exit":
            ways.add("returns")
            self.ends.values.append(None)
        elif kind == "return":
            value = self.value(p.node.value) if p.node.value is not None else None
            self.ends.values.append(value)
            ways.add("hands" if _holds(value) else "returns")
            return []
        elif kind == "raise":
            if type(p.node) is Raise:
                self._raise(p)
            return []
        elif kind in ("raised", "reraise"):
            return []
        elif kind == "try" and p.node is self.tried:
            self.ends.looped = True  # what paused runs again, and pauses again
            return []
        elif kind in ("iter", "loop") and p.node is self.stop:
            ways.add("loops")
            return []
        elif kind == "call":
            return self._call(p, follow)
        elif kind == "await" and not follow:
            ways.add("diverts")
        elif kind == "test":
            return self._in_loop(p, self._choose(follow, truth(self.value(p.node)), p.node, p.id))
        elif kind == "case":
            subject = p.stmt.subject if type(p.stmt) is Match else None
            return self._choose(follow, self._fits(p.node.pattern, self.value(subject)), subject, p.id)
        elif kind == "iter":
            return self._iterate(p, follow)
        elif kind == "bind":
            self._bind(p.node)
        return follow

    def _in_loop(self, p: Point, follow: list[Any]) -> list[Any]:
        """A `while` whose last attempt raises does not end by its test."""
        region = p.regions[-1] if p.regions else None
        if region is None or id(region.node) not in self.bounded or type(region.node) is not While or not any(n is p.node for n in walk(region.node.test)):
            return follow
        return [e for e in follow if any(r.node is region.node for r in e.to.regions)] or follow

    def _choose(self, follow: list[Any], answer: bool | None, asked: Any, key: int) -> list[Any]:
        if answer is None and self.about(asked):
            answer = self.assumed.get(key)
            if answer is None:
                self.doubts.append(key)
        if answer is None:
            return follow
        return [e for e in follow if e.kind == ("true" if answer else "false")] or follow

    def _iterate(self, p: Point, follow: list[Any]) -> list[Any]:
        """The head of a loop over a list that holds the pause: its round comes once."""
        marker = f"#{p.id}"
        items = self.value(p.node.iter)
        if isinstance(items, tuple) and items:
            if marker in self.env:
                del self.env[marker]
                return [e for e in follow if e.kind == "false"] or follow
            self.env[marker] = True
            return [e for e in follow if e.kind == "true"] or follow
        if items == ():
            return [e for e in follow if e.kind == "false"] or follow
        if id(p.node) in self.bounded:
            return [e for e in follow if e.kind != "false"]
        return follow

    def _raise(self, p: Point) -> None:
        what = self.raised(p.node)
        way = "raises" if what in (PAUSE, MAYBE) else "group" if what is GROUP else "diverts"
        for region in reversed(p.regions[self.base:]):
            # Raised inside another try of the same handler, which may catch it in its turn.
            if region.kind != "try" or region.node is self.tried:
                continue
            if way == "raises":
                found = self.project.signals.handlers(region.node, self.cfg, self.scope)
                if found is not None and found.stops:
                    way = "returns" if found.kind == "handler" else "diverts"
                    break
        self.ends.ways.add(way)

    def raised(self, node: Raise) -> Any:
        """PAUSE, GROUP or MAYBE for what a raise statement sends on, UNKNOWN for another exception."""
        if node.exc is None:
            return self.caught if self.caught is not None else UNKNOWN
        value = self.value(node.exc)
        if value in (PAUSE, GROUP, MAYBE, TYPE):
            return PAUSE if value is TYPE else value
        target = node.exc.func if type(node.exc) is Call else node.exc
        for v in self.project.names.resolve(target, self.scope):
            if isinstance(v, Ext) and v.path in BUBBLES:
                return PAUSE
            if isinstance(v, Cls) and any(isinstance(c, str) and c in BUBBLES for c in self.project.names.mro(v.info)):
                return PAUSE
        return UNKNOWN

    def _call(self, p: Point, follow: list[Any]) -> list[Any]:
        call = p.node
        self.calls[id(call)] = call
        ways = self.ends.ways
        if self.tried is not None and not any(r.node is self.tried for r in p.regions if r.kind == "try"):
            if self.project.effects.judge(call, self.scope).pause is not None:
                ways.add("returns")  # the next question is asked in its place
                return []
        f = call.func
        if type(f) is Attr and f.attr in KEEPS and type(f.value) is Name and any(_holds(self.value(a.value)) for a in call.args):
            self.env[f.value.id] = RESULTS  # `errors.append(e)`
            return follow
        helper = self._helper(call)
        if helper is not None:
            ends = helper
            if not ends.ways & {"returns", "hands"} and ends.ways:
                ways |= ends.ways
                return []
            if ends.ways & {"raises", "group"} and ends.doubtful:
                raises = self.assumed.get(p.id)
                if raises is None:
                    self.doubts.append(p.id)
                elif raises:
                    ways |= ends.ways - {"returns", "hands"}
                    return []
        if not follow:
            if call.func is not None and helper is None:
                ways.add("diverts")
            return []
        return follow

    def _helper(self, call: Call) -> Ends | None:
        """A project function that is given the pause, or that may raise the current exception again."""
        out: Ends | None = None
        for v in self.project.names.resolve(call.func, self.scope):
            if not isinstance(v, Fn):
                continue
            given = self._given(call, v)
            if not given and not (self.caught is not None and any(type(n) is Raise and n.exc is None for s in v.info.fn.body for n in walk(s))):
                continue
            ends = self.owner.call(v.info, given, caught=self.caught)
            if out is None:
                out = ends
            else:
                out = Ends(out.ways | ends.ways, out.values + ends.values, doubtful=out.doubtful or ends.doubtful)
        return out

    def _given(self, call: Call, v: Fn) -> dict[str, Any]:
        """Which parameters of a project function a call hands the pause."""
        params = [p for p in v.info.fn.params if p.kind in ("pos", "any")]
        if v.info.cls is not None and params and params[0].name in ("self", "cls"):
            params = params[1:]
        given: dict[str, Any] = {}
        position = 0
        for a in call.args:
            if a.star:
                position = len(params)
                continue
            value = self.value(a.value)
            if a.name is not None:
                name: str | None = a.name
            else:
                name = params[position].name if position < len(params) else None
                position += 1
            if name is not None and (_holds(value) or value is TYPE or isinstance(value, (str, Words)) and self.about(a.value)):
                given[name] = value
        return given

    # ---- names
    def _bind(self, node: Any) -> None:
        t = type(node)
        if t is Handler:
            if node.name:
                self._set(Name(node.at, node.name), self.caught if self.caught is not None and node in getattr(self.tried, "handlers", ()) else UNKNOWN)
        elif t is Assign and node.value is not None:
            value = self.value(node.value)
            for target in node.targets:
                self._set(target, value, node.value)
        elif t is AugAssign:
            self._set(node.target, MAYBE if self.about(node.value) else UNKNOWN if type(node.target) is Name and node.target.id not in self.env else MAYBE)
        elif t is Walrus:
            self._set(node.target, self.value(node.value), node.value)
        elif t in (For, Generator):
            items = self.value(node.iter)
            self._set(node.target, _first(items))

    def _set(self, target: Any, value: Any, made: Any = None) -> None:
        t = type(target)
        if t is Name:
            if value is UNKNOWN and made is not None and self.about(made):
                value = MAYBE
            if value is UNKNOWN:
                self.env.pop(target.id, None)
            elif _known(value) or target.id in self.env or isinstance(value, (bool, type(None))):
                self.env[target.id] = value
        elif t is Seq:
            pair = isinstance(value, tuple) and len(value) == len(target.elts)
            for n, elt in enumerate(target.elts):
                # One of several results is the pause; which one is not always known.
                self._set(elt, value[n] if pair else PAUSE if value == RESULTS else MAYBE if _holds(value) else UNKNOWN)
        elif t is Star:
            self._set(target.value, value)
        elif t is Sub and type(target.value) is Name and _holds(value):
            self.env[target.value.id] = MAYBE  # `results[name] = e`

    # ---- expressions
    def about(self, e: Any) -> bool:
        """Whether an expression looks at the pause at all."""
        if e is None:
            return False
        for n in walk(e):
            if type(n) is Name and n.id in self.env and _known(self.env[n.id]):
                return True
            if id(n) in self.nodes or (self.caught is not None and type(n) is Call and dotted(n.func) in ("sys.exc_info", "sys.exception")):
                return True
        return False

    def value(self, e: Any) -> Any:
        """What is known of an expression: a mark, Words, Class, a constant, a tuple of such, or UNKNOWN."""
        if e is None:
            return UNKNOWN
        if id(e) in self.nodes:
            return self.nodes[id(e)]
        evaluate = _EVALUATE.get(type(e))
        busy = self.owner.busy
        if evaluate is None or id(e) in busy or len(busy) > MAX_NESTING:
            return UNKNOWN  # a counter that is made of itself: `self.n = self.n + 1`
        busy.add(id(e))
        try:
            return evaluate(self, e)
        finally:
            busy.discard(id(e))

    def _name(self, e: Name) -> Any:
        if e.id in self.env:
            return self.env[e.id]
        found = self.project.names.lookup(e.id, self.scope)
        if found is not None:
            bindings, where = found
            changes = len(bindings) > 1 or bindings[0].how not in ("value", "import", "class", "def")
            if where.kind == "function" and changes and not all(b.how in ("import", "class", "def") for b in bindings) and not (
                    len(bindings) == 1 and bindings[0].how == "param"):
                return UNKNOWN
        return self._resolved(e)

    def _resolved(self, e: Any) -> Any:
        """A class, a constant or a tuple of such, through imports and module-level names."""
        values = self.project.names.resolve(e, self.scope)
        known: list[Any] = []
        for v in values:
            if isinstance(v, Ext) and v.path in ("frozenset()", "set()", "tuple()", "list()") and v.origin is not None and v.scope is not None:
                known.append(_Run(self.owner, self.cfg, v.scope, None, {}).value(v.origin.args[0].value) if v.origin.args else ())
            elif isinstance(v, Ext) and not v.path.endswith(")"):
                known.append(Class(v.path))
            elif isinstance(v, Cls):
                known.append(Class(v.info.cls.qualname))
            elif isinstance(v, Lit) and v.expr is not e:
                known.append(_Run(self.owner, self.cfg, v.scope, None, {}).value(v.expr) if type(v.expr) in (Seq, Const, Bin) else UNKNOWN)
            else:
                known.append(UNKNOWN)
        # A name with several meanings (`GraphInterrupt = None` where the import fails) is the one that matters here.
        for k in known:
            if isinstance(k, Class) and k.path in LINEAGE[:2]:
                return k
        if not known:
            last = (dotted(e) or "").rsplit(".", 1)[-1]
            return Class(f"{MODULE}.{last}") if last in ("GraphInterrupt", "GraphBubbleUp") else UNKNOWN
        return known[0] if all(k == known[0] for k in known) else UNKNOWN

    def _attribute(self, e: Attr) -> Any:
        base = self.value(e.value)
        if base is PAUSE:
            return TYPE if e.attr == "__class__" else MAYBE
        if base is TYPE:
            return {"__name__": NAME, "__qualname__": NAME, "__module__": MODULE,
                    "__mro__": (TYPE, *(Class(c) for c in LINEAGE[1:]))}.get(e.attr, MAYBE)
        if base is GROUP:
            return RESULTS if e.attr == "exceptions" else MAYBE
        if base is MAYBE:
            return MAYBE
        if isinstance(base, Class) and e.attr in ("__name__", "__qualname__", "__module__") and base.path in LINEAGE:
            module, _, name = base.path.rpartition(".")
            return (module or "builtins") if e.attr == "__module__" else name
        return self._resolved(e) if base is UNKNOWN or isinstance(base, Class) else UNKNOWN

    def _called(self, e: Call) -> Any:
        f = e.func
        args = [a.value for a in e.args if a.name is None and not a.star]
        name = dotted(f) or ""
        if name in ("sys.exc_info", "exc_info") and self.caught is not None:
            return (TYPE, self.caught, UNKNOWN)
        if name == "sys.exception" and self.caught is not None:
            return self.caught
        if name in ("traceback.format_exc", "format_exc") and self.caught is not None:
            return Words(f"{MODULE}.{NAME}: {SHOWN}")
        if type(f) is Name and f.id in _BUILTINS:
            return _BUILTINS[f.id](self, args)
        if type(f) is Attr:
            found = self._method(f, args)
            if found is not UNKNOWN:
                return found
        if self.value(f) is TYPE:
            return PAUSE
        if not self.about(e):
            return UNKNOWN
        helper = self._helper(e)
        if helper is not None:
            same = _same(helper.values)
            truths = {truth(v) for v in helper.values}
            return same if same is not UNKNOWN else (truths.pop() if len(truths) == 1 and None not in truths else MAYBE)
        last = name.rsplit(".", 1)[-1].lstrip("_")
        if last[:1].isupper():
            # Another object, made of what the pause says; some of them raise it when they are asked for their value.
            keeps = any(_holds(self.value(a.value)) for a in e.args) and any(
                isinstance(v, Cls) and _raises_own(v.info.cls) for v in self.project.names.resolve(f, self.scope))
            return HELD if keeps else UNKNOWN
        last = last.lower()
        resolved = self.project.names.resolve(f, self.scope)
        if not resolved and any(w in last for w in ("interrupt", "bubble", "pause", "control_flow")) and last.startswith(("is", "looks", "should_re")):
            return True
        return MAYBE

    def _method(self, f: Attr, args: list[Any]) -> Any:
        base = self.value(f.value)
        attr = f.attr
        if base is PAUSE and attr in ("with_traceback", "add_note"):
            return PAUSE
        if base is GROUP and attr in ("subgroup", "derive"):
            return GROUP
        if base is GROUP and attr == "split":
            return (GROUP, None)
        if isinstance(base, (str, Words)):
            shown = base.text if isinstance(base, Words) else base
            if attr in ("lower", "upper", "casefold", "strip", "title"):
                changed = getattr(shown, attr)()
                return Words(changed) if isinstance(base, Words) else changed
            other = self.value(args[0]) if args else UNKNOWN
            if attr in ("startswith", "endswith") and isinstance(base, str):
                options = other if isinstance(other, tuple) else (other,)
                if all(isinstance(o, str) for o in options):
                    return getattr(base, attr)(options)
        return UNKNOWN

    def _compare(self, e: Cmp) -> Any:
        if len(e.ops) != 1:
            return MAYBE if self.about(e) else UNKNOWN
        op, left, right = e.ops[0], self.value(e.left), self.value(e.rights[0])
        hit: bool | None = None
        if op in ("in", "not in"):
            hit = _inside(left, right)
        elif op in ("==", "is", "!=", "is not"):
            hit = _equal(left, right)
        if hit is None:
            return MAYBE if self.about(e) else UNKNOWN
        return hit if op in ("==", "is", "in") else not hit

    def _boolean(self, e: BoolOp) -> Any:
        values = [self.value(v) for v in e.values]
        truths = [truth(v) for v in values]
        decisive = e.op == "or"
        for v, t in zip(values, truths):
            if t is decisive and all(x is (not decisive) for x in truths[: values.index(v)]):
                return v
        if decisive in truths:
            return decisive
        if None in truths:
            return MAYBE if self.about(e) else UNKNOWN
        return values[-1]

    def _unary(self, e: Un) -> Any:
        inner = truth(self.value(e.value))
        if e.op == "not" and inner is not None:
            return not inner
        return MAYBE if self.about(e) else UNKNOWN

    def _sequence(self, e: Seq) -> Any:
        out: list[Any] = []
        for x in e.elts:
            if type(x) is Star:
                inner = self.value(x.value)
                out.extend(inner if isinstance(inner, tuple) else (inner,))
            else:
                out.append(self.value(x))
        return tuple(out)

    def _subscript(self, e: Sub) -> Any:
        base, index = self.value(e.value), e.index
        if isinstance(base, tuple):
            if base == RESULTS:
                return PAUSE
            if type(index) is Const and isinstance(index.value, int) and -len(base) <= index.value < len(base):
                return base[index.value]
            return next((x for x in base if _known(x)), UNKNOWN)
        return MAYBE if base in (MAYBE, PAUSE, GROUP) else UNKNOWN

    def _comprehension(self, e: Comp) -> Any:
        g = e.generators[0]
        items = self.value(g.iter)
        if not isinstance(items, tuple) or len(e.generators) > 1 or e.kind == "dict":
            return MAYBE if self.about(g.iter) else UNKNOWN
        out: list[Any] = []
        before = dict(self.env)
        for item in items[:8]:
            self._set(g.target, item)
            truths = [truth(self.value(c)) for c in g.ifs]
            if False not in truths:
                out.append(self.value(e.elt) if None not in truths else MAYBE)
        self.env = before
        return tuple(out)

    def _shown(self, e: FStr) -> Any:
        for part in e.parts:
            value = self.value(part)
            if value is PAUSE or isinstance(value, Words):
                return Words(value.text if isinstance(value, Words) else SHOWN)
            if value == NAME:
                return Words(NAME)
        return UNKNOWN

    def _plus(self, e: Bin) -> Any:
        left, right = self.value(e.left), self.value(e.right)
        if e.op == "+" and all(isinstance(x, tuple) for x in (left, right)):
            return left + right
        if e.op == "|" and isinstance(left, Class) and isinstance(right, Class):
            return (left, right)
        return MAYBE if self.about(e) else UNKNOWN

    def _fits(self, pattern: Any, subject: Any) -> bool | None:
        """Whether a match pattern fits: classes, values and or-patterns of them."""
        t = type(pattern)
        if t is Bin and pattern.op == "|":
            sides = (self._fits(pattern.left, subject), self._fits(pattern.right, subject))
            return True if True in sides else None if None in sides else False
        if t is Call:
            return self.is_of(subject, self.value(pattern.func))
        if t is Const and isinstance(subject, (str, bool)):
            return subject == pattern.value
        if t is Name and pattern.id == "_":
            return True
        return _equal(subject, self.value(pattern)) if t is Attr else None

    def is_of(self, what: Any, kinds: Any) -> bool | None:
        """isinstance and issubclass for the pause; None when it is about something else or cannot be told."""
        if isinstance(kinds, tuple):
            answers = [self.is_of(what, k) for k in kinds]
            return True if True in answers else None if None in answers else False
        if what is GROUP:
            path = kinds.path if isinstance(kinds, Class) else ""
            return path in ("ExceptionGroup", "BaseExceptionGroup", *LINEAGE[2:], "exceptiongroup.ExceptionGroup", "exceptiongroup.BaseExceptionGroup") if path else None
        if what is None and isinstance(kinds, Class):
            return False
        if what not in (PAUSE, TYPE):
            return None
        if kinds is TYPE:
            return True
        return kinds.path in LINEAGE if isinstance(kinds, Class) else None


def _builtin_isinstance(run: _Run, args: list[Any]) -> Any:
    if len(args) != 2:
        return UNKNOWN
    answer = run.is_of(run.value(args[0]), run.value(args[1]))
    return answer if answer is not None else MAYBE if run.about(args[0]) else UNKNOWN


def _builtin_type(run: _Run, args: list[Any]) -> Any:
    value = run.value(args[0]) if len(args) == 1 else UNKNOWN
    return TYPE if value is PAUSE else MAYBE if value in (MAYBE, GROUP) else UNKNOWN


def _builtin_str(run: _Run, args: list[Any]) -> Any:
    value = run.value(args[0]) if args else UNKNOWN
    if isinstance(value, (str, Words)):
        return value
    return Words(SHOWN) if value is PAUSE else Words(NAME) if value is TYPE else MAYBE if value in (MAYBE, GROUP) else UNKNOWN


def _builtin_repr(run: _Run, args: list[Any]) -> Any:
    value = run.value(args[0]) if args else UNKNOWN
    return Words(NAME + "(" + SHOWN) if value is PAUSE else Words(NAME) if value is TYPE else MAYBE if value in (MAYBE, GROUP) else UNKNOWN


def _builtin_getattr(run: _Run, args: list[Any]) -> Any:
    if len(args) < 2:
        return UNKNOWN
    base, name = run.value(args[0]), run.value(args[1])
    if isinstance(name, str) and base in (PAUSE, TYPE):
        if name.startswith("__"):
            return run.value(Attr(args[0].at, args[0], name))
        if name not in HAS:
            return run.value(args[2]) if len(args) > 2 else MAYBE
    return MAYBE if run.about(args[0]) else UNKNOWN


def _builtin_hasattr(run: _Run, args: list[Any]) -> Any:
    base, name = (run.value(args[0]), run.value(args[1])) if len(args) == 2 else (UNKNOWN, UNKNOWN)
    if base is PAUSE and isinstance(name, str):
        return name in HAS or name.startswith("__")
    return MAYBE if args and run.about(args[0]) else UNKNOWN


def _items(run: _Run, args: list[Any]) -> tuple[Any, ...] | None:
    value = run.value(args[0]) if args else UNKNOWN
    return value if isinstance(value, tuple) else None


def _builtin_any(run: _Run, args: list[Any]) -> Any:
    items = _items(run, args)
    if items is None:
        return MAYBE if args and run.about(args[0]) else UNKNOWN
    truths = [truth(x) for x in items]
    return True if True in truths else MAYBE if None in truths else False


def _builtin_all(run: _Run, args: list[Any]) -> Any:
    items = _items(run, args)
    if items is None:
        return MAYBE if args and run.about(args[0]) else UNKNOWN
    truths = [truth(x) for x in items]
    return False if False in truths else MAYBE if None in truths else True


def _builtin_next(run: _Run, args: list[Any]) -> Any:
    items = _items(run, args)
    if items is None:
        return MAYBE if args and run.about(args[0]) else UNKNOWN
    return items[0] if items else run.value(args[1]) if len(args) > 1 else UNKNOWN


def _builtin_list(run: _Run, args: list[Any]) -> Any:
    items = _items(run, args)
    return items if items is not None else MAYBE if args and run.about(args[0]) else UNKNOWN


def _builtin_zip(run: _Run, args: list[Any]) -> Any:
    if not any(run.about(a) for a in args):
        return UNKNOWN
    return (tuple(_first(run.value(a)) for a in args),)


def _builtin_enumerate(run: _Run, args: list[Any]) -> Any:
    items = _items(run, args)
    return tuple((UNKNOWN, x) for x in items) if items is not None else MAYBE if args and run.about(args[0]) else UNKNOWN


def _builtin_bool(run: _Run, args: list[Any]) -> Any:
    answer = truth(run.value(args[0])) if args else None
    return answer if answer is not None else MAYBE if args and run.about(args[0]) else UNKNOWN


_BUILTINS: dict[str, Callable[[_Run, list[Any]], Any]] = {
    "isinstance": _builtin_isinstance, "issubclass": _builtin_isinstance, "type": _builtin_type, "str": _builtin_str, "repr": _builtin_repr,
    "getattr": _builtin_getattr, "hasattr": _builtin_hasattr, "any": _builtin_any, "all": _builtin_all, "next": _builtin_next, "list": _builtin_list,
    "tuple": _builtin_list, "set": _builtin_list, "frozenset": _builtin_list, "iter": _builtin_list, "reversed": _builtin_list, "sorted": _builtin_list,
    "zip": _builtin_zip, "enumerate": _builtin_enumerate, "bool": _builtin_bool}

_EVALUATE: dict[type, Callable[[_Run, Any], Any]] = {
    Name: _Run._name, Attr: _Run._attribute, Call: _Run._called, Cmp: _Run._compare, BoolOp: _Run._boolean, Un: _Run._unary, Seq: _Run._sequence,
    Sub: _Run._subscript, Comp: _Run._comprehension, FStr: _Run._shown, Bin: _Run._plus,
    Const: lambda run, e: e.value if e.kind != "bytes" else UNKNOWN,
    Await: lambda run, e: run.value(e.value), Walrus: lambda run, e: run.value(e.value), Star: lambda run, e: run.value(e.value),
    IfExp: lambda run, e: run.value(e.body if truth(run.value(e.test)) else e.orelse) if truth(run.value(e.test)) is not None else _same(
        [run.value(e.body), run.value(e.orelse)]),
}


def _known(value: Any) -> bool:
    """Whether a value is worth remembering: it is or says something about the pause."""
    if isinstance(value, tuple):
        return any(_known(x) for x in value)
    return value in (PAUSE, TYPE, GROUP, MAYBE, HELD) or isinstance(value, Words) or value in (NAME, MODULE)


def _holds(value: Any) -> bool:
    """Whether the pause itself can be taken out of a value again."""
    if isinstance(value, tuple):
        return any(_holds(x) for x in value)
    return value is PAUSE or value is GROUP or value is HELD


def _raises_own(cls: Any) -> bool:
    """Whether a class raises something that it keeps: `raise self.error`."""
    return any(type(n) is Raise and (dotted(n.exc) or "").startswith("self.") for s in cls.body for n in walk(s, into_functions=True))


def truth(value: Any) -> bool | None:
    if value is UNKNOWN or value is MAYBE:
        return None
    if isinstance(value, (Mark, Words, Class)):
        return True
    return bool(value)


def _counts(side: Any, counted: set[str]) -> bool:
    """`attempt`, `attempt + 1`: a count of rounds, not something about what the loop is over."""
    return side.id in counted if type(side) is Name else type(side) is Bin and (_counts(side.left, counted) or _counts(side.right, counted))


def _first(items: Any) -> Any:
    """What iterating gives, as far as it matters."""
    if isinstance(items, tuple):
        return next((x for x in items if _known(x)), items[0] if items else UNKNOWN)
    return MAYBE if items in (MAYBE, GROUP) else UNKNOWN


def _same(values: list[Any]) -> Any:
    return values[0] if values and all(v == values[0] for v in values) else UNKNOWN


def _equal(left: Any, right: Any) -> bool | None:
    for a, b in ((left, right), (right, left)):
        if a in (UNKNOWN, MAYBE):
            return None
        if a is TYPE and isinstance(b, Class):
            return b.path == LINEAGE[0]
        if a in (PAUSE, TYPE, GROUP) and (b is None or isinstance(b, (str, Words, bool))):
            return False
        if isinstance(a, Words):
            return False
    if isinstance(left, Mark) or isinstance(right, Mark):
        return True if left is right else None
    return bool(left == right) if type(left) is type(right) or left is None or right is None else None


def _inside(left: Any, right: Any) -> bool | None:
    if isinstance(right, Words):
        # What else the payload says cannot be known; that it happens to hold the words asked for is unlikely.
        return left in right.text if isinstance(left, str) else None
    if isinstance(left, str) and isinstance(right, str):
        return left in right
    if isinstance(right, tuple):
        answers = [_equal(left, x) for x in right]
        return True if True in answers else None if None in answers else False
    return None


__all__ = ["BUBBLES", "GROUP", "LINEAGE", "MAYBE", "PAUSE", "RESULTS", "TYPE", "UNKNOWN", "Caught", "Ends", "truth"]
