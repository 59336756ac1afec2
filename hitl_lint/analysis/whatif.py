"""What a program does when the answer of a pause is this or that: paths through functions are followed with the answer in hand.

An answer is a `Sym`: a value whose shape is not known yet (a word, a dict of words, a list of them …). Each time the program looks at it
(isinstance, `.get`, comparison) the possible shapes are told apart, one path each; wherever a word is needed it is the probe's word. So
`run(…)` with the word "reject", or with a word nobody knows, gives what the program does then: its effects, and what it returns.

Bounds: MAX_STEPS points a question, MAX_PATHS results, MAX_DEPTH calls deep. Beyond them `Lost` is raised: unknown is silent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Iterator

from hitl_lint.analysis.cfg import CFG, Point
from hitl_lint.analysis.effects import Judged, Link, Witness
from hitl_lint.analysis.names import UNKNOWN, Cls, ClassInfo, Ext, Fn, FnInfo, Inst, Lit, Scope, argument
from hitl_lint.catalogue import decisions
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import (
    Assign, Attr, AugAssign, Await, Bin, BoolOp, Call, Case, Cmp, Comp, Const, Dict, For, FStr, Generator, Handler, IfExp, Lambda, Name,
    Seq, Slice, Star, Sub, Un, Walrus, children, dotted, walk,
)
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

MAX_STEPS = 6000
MAX_PATHS = 160
MAX_DEPTH = 6
MAX_KEPT = 3  # what is appended to a list, the last of it


class Lost(Exception):
    """The question is too big."""


class _Fork(Exception):
    def __init__(self, key: Any, options: tuple[Any, ...]) -> None:
        self.key, self.options = key, options


class _Raises(Exception):
    def __init__(self, name: str) -> None:
        self.name = name


# --------------------------------------------------------------------------- values
@record
class Known:
    """A constant. `path`: the part of the answer it was read from (None: none of it). `default`: the expression that supplied it in place
    of a missing answer. `how`: "leaf" (a word of the answer), "test" (the result of looking at it) or ""."""

    value: Any
    how: str = ""
    path: tuple[str, ...] | None = None
    default: "Default | None" = None


@record
class Default:
    """Where a default stands: a node of a module. `table`: it is what a look-up gives for a word that it does not hold; `path`: of which part of
    the answer it takes the place."""

    module: str
    at: tuple[int, int, int, int]
    shown: str
    table: bool = False
    path: tuple[str, ...] = ()


@record
class Sym:
    """A part of the answer, of any shape: () is the answer itself, ("action",) its field, "*" an item."""

    path: tuple[str, ...]


@record
class Map:
    """A dict or an object by its keys; `open`: it may hold more. `made` is the class or callee it was made by."""

    items: tuple[tuple[Any, Any], ...]
    open: bool = False
    made: str = ""

    def get(self, key: Any) -> Any:
        for k, v in self.items:
            if k == key and type(k) is type(key):
                return v
        return None

    def put(self, key: Any, value: Any) -> "Map":
        return Map((*((k, v) for k, v in self.items if k != key), (key, value)), self.open, self.made)


@record
class Items:
    elts: tuple[Any, ...]


@record
class Many:
    """A list of at least one such thing."""

    elem: Any


@record
class Cmd:
    """A `Command(…)` that a node returns."""

    goto: Any
    update: Any
    at: tuple[int, int, int, int]


@record
class Top:
    """Not known; `answered`: made from the answer."""

    answered: bool = False


NONE = Known(None)
TOP = Top()
TOLD = Top(True)


def answered(v: Any) -> bool:
    """A value that is made of the answer."""
    t = type(v)
    if t is Sym:
        return True
    if t is Top:
        return v.answered
    if t is Known:
        return v.path is not None or v.default is not None
    if t is Map:
        return any(answered(x) for _, x in v.items)
    if t is Items:
        return any(answered(x) for x in v.elts)
    return t is Many and answered(v.elem)


@record
class Choice:
    """One look at the answer that decided something. `kind`: "compare", "truth", "table", "shape" or "schema"; `branch`: what came out."""

    scope: Scope
    node: Any
    kind: str
    branch: Any
    path: tuple[str, ...] = ()
    default: Default | None = None


class State:
    """Where one path stands. `facts`: what was settled on the way (shapes, fields that are there, conditions of which nothing is known);
    `trail`: how the answer was looked at; `effects`: what was done after the answer, by place."""

    __slots__ = ("env", "vals", "facts", "trail", "effects", "answered", "visits", "asked")

    def __init__(self) -> None:
        self.env: dict[str, Any] = {}
        self.vals: dict[int, Any] = {}
        self.facts: dict[Any, Any] = {}
        self.trail: tuple[Choice, ...] = ()
        self.effects: tuple[tuple[Any, Witness], ...] = ()
        self.answered = False
        self.visits: dict[int, int] = {}
        self.asked = False

    def copy(self) -> "State":
        out = State()
        out.env, out.vals, out.facts, out.visits = dict(self.env), dict(self.vals), dict(self.facts), dict(self.visits)
        out.trail, out.effects, out.answered, out.asked = self.trail, self.effects, self.answered, self.asked
        return out

    def inner(self, env: dict[str, Any]) -> "State":
        """The same path inside a function that it calls."""
        out = self.copy()
        out.env, out.vals, out.visits = env, {}, {}
        return out

    def back(self, inner: "State") -> "State":
        """The same path after the call."""
        out = self.copy()
        out.facts, out.trail, out.effects, out.answered, out.asked = dict(inner.facts), inner.trail, inner.effects, inner.answered, inner.asked
        return out


@dataclass(slots=True)
class Result:
    """How a path through a function ends: "return" with a value, "raise" with the name of the exception, or "pause": it asks (again)."""

    end: str
    value: Any
    state: State


@dataclass(slots=True)
class _Frame:
    info: FnInfo
    scope: Scope
    cfg: CFG
    depth: int
    around: tuple[Any, ...] = ()


STRING_SAME = frozenset({"lower", "strip", "casefold", "upper", "title", "capitalize", "lstrip", "rstrip", "replace", "removeprefix", "removesuffix", "swapcase"})
STRING_TESTS = frozenset({"startswith", "endswith"})
STRING_FACTS = frozenset({"isdigit", "isalpha", "isnumeric", "isspace", "isalnum", "isdecimal"})
OBJECT_SAME = frozenset({"model_dump", "dict", "copy", "model_copy", "to_dict", "items", "values"})
VALIDATES = frozenset({"model_validate", "parse_obj", "validate", "validate_python", "from_dict", "model_construct"})
STRINGS_TRUE = frozenset({"true", "yes", "y", "on", "t", "1"})
STRINGS_FALSE = frozenset({"false", "no", "n", "off", "f", "0"})
BASES = {"ValidationError": ("ValueError",), "JSONDecodeError": ("ValueError",), "KeyError": ("LookupError",), "IndexError": ("LookupError",),
         "UnicodeError": ("ValueError",)}
# What an empty dict is made by that stands in for an answer: `(answer or {}).get("action", "approve")`.
MISSING = "<missing>"
COERCES = {"dict", "list", "tuple", "set", "frozenset", "iter", "sorted", "reversed"}


class WhatIf:
    """One probe: `word` is what the answer says wherever it says something (a str or a bool)."""

    def __init__(self, project: "Project", word: Any) -> None:
        self.project = project
        self.word = word
        self.steps = 0
        self.literals: set[Any] = set()
        self.looked_for: set[tuple[tuple[str, ...], Any]] = set()  # the same, each with the part of the answer that it is compared with
        self.told: set[Any] = set()  # the effects that are handed the answer
        self._defaults: dict[int, set[int]] = {}
        self._lazy: set[int] = set()

    # ------------------------------------------------------------------ functions
    def after(self, info: FnInfo, pause: Point) -> list[Result]:
        """Every way on from a pause of a function."""
        frame = _Frame(info, self.project.names.scope(info), self.project.cfg(info), 0, tuple(r for r in pause.regions if r.kind == "loop"))
        state = State()
        self._before(frame, pause, state)
        return self._walk(frame, [(pause, state)])

    def run(self, info: FnInfo, env: dict[str, Any], state: State, depth: int) -> list[Result]:
        """Every way through a function; the results hold the state of the callee."""
        if depth > MAX_DEPTH or info.fn.is_generator:
            raise Lost
        frame = _Frame(info, self.project.names.scope(info), self.project.cfg(info), depth)
        return self._walk(frame, [(frame.cfg.entry, state.inner(env))])

    def _before(self, frame: _Frame, pause: Point, state: State) -> None:
        """Constants that local names hold when the pause is reached."""
        earlier = frame.cfg.reaching([pause])
        found: dict[str, list[Any]] = {}
        for p in earlier:
            if p.kind == "bind" and type(p.node) is Assign and p.node.value is not None:
                for target in p.node.targets:
                    if type(target) is Name:
                        found.setdefault(target.id, []).append((p, p.node.value))
        for name, binds in found.items():
            if len(binds) == 1 and type(binds[0][1]) is Const and frame.cfg.dominates(binds[0][0], pause):
                state.env[name] = Known(binds[0][1].value)

    def _walk(self, frame: _Frame, stack: list[tuple[Point, State]]) -> list[Result]:
        out: list[Result] = []
        cfg = frame.cfg
        while stack:
            self.steps += 1
            if self.steps > MAX_STEPS or len(out) > MAX_PATHS:
                raise Lost
            point, state = stack.pop()
            if point is cfg.exit:
                out.append(Result("return", state.env.get("<return>", NONE), state))
                continue
            if point is cfg.raised:
                out.append(Result("raise", state.env.get("<raised>", ""), state))
                continue
            seen = state.visits.get(point.id, 0)
            if seen >= 2:
                continue
            now = state.copy()
            now.visits[point.id] = seen + 1
            try:
                ways = self._step(frame, point, now, seen)
            except _Fork as fork:
                for option in fork.options:
                    other = state.copy()
                    other.facts[fork.key] = option
                    stack.append((point, other))
                continue
            except _Raises as r:
                now = state.copy()
                now.visits[point.id] = seen + 1
                ways = [(now, "exc", r.name)]
            for after, how, what in ways:
                if how == "pause":
                    out.append(Result("pause", NONE, after))
                elif how == "exc":
                    after.env["<raised>"] = what
                    edges = [e for e in point.succ if e.kind == "exc"]
                    if not edges:
                        out.append(Result("raise", what, after))
                    stack.extend((e.to, after) for e in edges)
                elif how == "edges":
                    stack.extend((e.to, after) for e in what)
                else:
                    edges = [e for e in point.succ if e.kind != "exc"]
                    if how in ("true", "false") and any(e.kind == how for e in edges):
                        edges = [e for e in edges if e.kind == how]
                    elif how in ("true", "false") and all(e.kind in ("true", "false") for e in edges):
                        edges = []
                    stack.extend((e.to, after) for e in edges or [e for e in point.succ if not any(x.kind != "exc" for x in point.succ)])
        return out

    def _step(self, frame: _Frame, point: Point, state: State, seen: int) -> list[tuple[State, str, Any]]:
        kind, node = point.kind, point.node
        if kind == "call":
            return self._call_point(frame, node, state)
        if kind == "test":
            if all(e.kind not in ("true", "false") for e in point.succ):
                return [(state, "next", None)]
            return [(state, "true" if self.truth(self.ev(node, state, frame), node, state, frame) else "false", None)]
        if kind == "iter":
            if type(node) is Generator:
                self._inside(node, state, frame)
                return [(state, "false", None)]
            it = self.ev(node.iter, state, frame)
            if seen or any(r.node is node for r in frame.around):
                return [(state, "false", None)]  # the next round is about another item
            if type(it) in (Many, Sym) or (type(it) is Items and it.elts):
                return [(state, "true", None)]
            return [(state.copy(), "true", None), (state, "false", None)]
        if kind == "case":
            subject = self.ev(getattr(point.stmt, "subject", None), state, frame)
            if node.irrefutable:
                return [(state, "true", None)]
            fits = self._fits(node.pattern, subject, state, frame)
            if fits is None:
                fits = self.choose(state, ("case", id(node)), (True, False))
            return [(state, "true" if fits else "false", None)]
        if kind == "bind":
            self._bind(node, state, frame)
            return [(state, "next", None)]
        if kind == "return":
            state.env["<return>"] = self.ev(node.value, state, frame) if node.value is not None else NONE
            return [(state, "next", None)]
        if kind == "raise":
            exc = getattr(node, "exc", None)
            name = dotted(exc.func if type(exc) is Call else exc) if exc is not None else None
            if name is None:
                name = "AssertionError" if exc is None and type(node).__name__ == "Assert" else state.env.get("<raised>", "") if exc is None else ""
            return [(state, "exc", (name or "").rsplit(".", 1)[-1])]
        if kind == "dispatch":
            ways = []
            for e in point.succ:
                if e.test is None:
                    ways.append(e)
                    continue
                fits = self._catches(e.test, state.env.get("<raised>", ""), frame)
                if fits is not False:
                    ways.append(e)
                if fits:
                    break
            return [(state, "edges", ways)]
        return [(state, "next", None)]

    def _inside(self, generator: Generator, state: State, frame: _Frame) -> None:
        """What a comprehension does, taken as a whole."""
        for node in walk(generator):
            if type(node) is Call:
                self._note(self.project.effects.judge(node, frame.scope), node, state, frame)

    def _catches(self, handler: Handler, raised: str, frame: _Frame) -> bool | None:
        if handler.type is None:
            return True
        names = [(dotted(t) or "").rsplit(".", 1)[-1] for t in (handler.type.elts if type(handler.type) is Seq else [handler.type])]
        if "Exception" in names or "BaseException" in names:
            return True
        if not raised:
            return None
        if raised in names or any(b in names for b in BASES.get(raised, ())):
            return True
        return False

    # ------------------------------------------------------------------ choices
    def choose(self, state: State, key: Any, options: tuple[Any, ...]) -> Any:
        found = state.facts.get(key)
        if found is None:
            raise _Fork(key, options)
        return found

    def _shape(self, sym: Sym, state: State) -> str | None:
        return state.facts.get(("shape", sym.path))

    def _box(self, sym: Sym, state: State, shape: str) -> None:
        """The program uses this part of the answer as a dict, list or object."""
        have = self._shape(sym, state)
        if have is None:
            state.facts[("shape", sym.path)] = shape
        elif have == "leaf":
            raise _Raises("AttributeError" if shape != "list" else "TypeError")

    def _leaf(self, sym: Sym, state: State, text: bool = False) -> Known:
        """The program uses this part of the answer as a word."""
        have = self._shape(sym, state)
        if have not in (None, "leaf"):
            raise _Raises("AttributeError")
        if text and type(self.word) is not str:
            raise _Raises("AttributeError")
        state.facts[("shape", sym.path)] = "leaf"
        return Known(self.word, "leaf", sym.path)

    def _decide(self, state: State, frame: _Frame, node: Any, kind: str, branch: Any, *values: Any) -> None:
        path: tuple[str, ...] = ()
        default = None
        for v in values:
            if type(v) is Sym:
                path = v.path
            elif type(v) is Known and (v.path is not None or v.default is not None):
                path, default = v.path or path, v.default or default
        state.trail = (*state.trail, Choice(frame.scope, node, kind, branch, path, default))

    def _expects(self, words: Iterable[Any], v: Any) -> None:
        """The program knows these words for a part of the answer."""
        given = set(words)
        self.literals |= given
        path = getattr(v, "path", None)
        if path is None and type(v) is Known and v.default is not None:
            path = v.default.path
        if path is not None:
            self.looked_for |= {(path, w) for w in given}

    def truth(self, v: Any, node: Any, state: State, frame: _Frame) -> bool:
        t = type(v)
        if t is Known:
            if v.how == "leaf" or v.default is not None and v.how != "test":
                self._decide(state, frame, node, "truth", bool(v.value), v)
            return bool(v.value)
        if t is Sym:
            if state.facts.get(("there", v.path)) is False:
                return False
            if id(node) in self._default_operands(frame):
                return bool(self.choose(state, ("there", v.path), (True, False)))
            shape = self._shape(v, state)
            if shape is None and not self.word and not v.path:
                shape = self.choose(state, ("shape", v.path), ("leaf", "dict"))
            out = bool(self.word) if shape in (None, "leaf") else True
            self._decide(state, frame, node, "truth", out, v)
            return out
        if t is Map and not v.open:
            return bool(v.items)
        if t is Items:
            return bool(v.elts)
        if t in (Many, Cmd):
            return True
        return bool(self.choose(state, ("holds", id(node)), (True, False)))

    def _default_operands(self, frame: _Frame) -> set[int]:
        """The operands of `a or "default"` in front of the default."""
        key = id(frame.info.fn)
        found = self._defaults.get(key)
        if found is None:
            found = self._defaults[key] = set()
            for stmt in frame.info.fn.body:
                for node in walk(stmt):
                    if type(node) is BoolOp and node.op == "or" and self._is_default(node.values[-1], frame.scope):
                        found.update(id(v) for v in node.values[:-1])
        return found

    def _is_default(self, e: Any, scope: Scope) -> bool:
        return type(e) in (Const, Dict, Seq) or (type(e) in (Name, Attr) and self.project.names.constant(e, scope) is not UNKNOWN)

    # ------------------------------------------------------------------ expressions
    def ev(self, e: Any, state: State, frame: _Frame) -> Any:
        t = type(e)
        if e is None:
            return NONE
        if t is Const:
            return Known(e.value) if e.kind not in ("bytes", "complex", "ellipsis") else TOP
        if t is Name:
            found = state.env.get(e.id)
            return found if found is not None else self._elsewhere(e, frame.scope)
        if t is Call:
            found = state.vals.get(id(e))
            if found is not None:
                return found
            return self._value_of(e, state, frame)
        if t is Await or t is Star:
            return self.ev(e.value, state, frame)
        if t is Walrus:
            return self.ev(e.value, state, frame)
        if t is Attr:
            return self._attr(e, state, frame)
        if t is Sub:
            return self._sub(e, state, frame)
        if t is Cmp:
            return self._compare(e, state, frame)
        if t is BoolOp:
            return self._boolean(e, state, frame)
        if t is Un:
            v = self.ev(e.value, state, frame)
            if e.op == "not":
                return Known(not self.truth(v, e.value, state, frame), "test" if answered(v) else "", None)
            return Known(-v.value) if e.op == "-" and type(v) is Known and type(v.value) in (int, float) else Top(answered(v))
        if t is IfExp:
            v = self.ev(e.test, state, frame)
            if type(v) is Sym and type(e.orelse) is Const and self._approving(e.orelse.value):
                # `answer["action"] if answer else "approve"`: the default of an empty answer.
                if self.choose(state, ("there", v.path), (True, False)):
                    return self.ev(e.body, state, frame)
                return Known(e.orelse.value, "", v.path, Default(frame.scope.module.path, e.orelse.at, repr(e.orelse.value), path=v.path))
            return self.ev(e.body if self.truth(v, e.test, state, frame) else e.orelse, state, frame)
        if t is FStr:
            parts = [self.ev(p, state, frame) for p in e.parts]
            told = any(answered(p) for p in parts)
            words = "".join(str(p.value) if type(p) is Known and p.path is None and p.default is None else "…" for p in parts)
            return Known(words, "text", next((p.path for p in parts if type(p) in (Sym, Known) and p.path is not None), () if told else None))
        if t is Bin:
            left, right = self.ev(e.left, state, frame), self.ev(e.right, state, frame)
            if e.op == "+" and type(left) is Known and type(right) is Known and type(left.value) is str and type(right.value) is str:
                return Known(left.value + right.value, "text", () if answered(left) or answered(right) else None)
            if e.op == "|" and type(left) is Map and type(right) is Map:
                for k, v in right.items:
                    left = left.put(k, v)
                return Map(left.items, left.open or right.open)
            return Top(answered(left) or answered(right))
        if t is Dict:
            out = Map(())
            for k, v in zip(e.keys, e.values):
                value = self.ev(v, state, frame)
                if k is None:
                    if type(value) is Map:
                        for k2, v2 in value.items:
                            out = out.put(k2, v2)
                    out = Map(out.items, True)
                    continue
                key = self.ev(k, state, frame)
                out = out.put(key.value, value) if type(key) is Known and _hashable(key.value) else Map(out.items, True)
            return out
        if t is Seq:
            if any(type(x) is Star for x in e.elts):
                return Top(any(answered(self.ev(x, state, frame)) for x in e.elts))
            return Items(tuple(self.ev(x, state, frame) for x in e.elts))
        if t is Comp:
            return self._comprehension(e, state, frame)
        if t is Lambda:
            return TOP
        return Top(any(answered(self.ev(x, state, frame)) for x in children(e) if type(x) is not Slice))

    def _approving(self, value: Any) -> bool:
        return value is True or (type(value) is str and decisions.says_yes(value))

    def _elsewhere(self, e: Any, scope: Scope) -> Any:
        """A name that this path did not bind: a constant of the module, or a local that was made before the pause."""
        if id(e) in self._lazy or len(self._lazy) > 20:
            return TOP
        values = self.project.names.resolve(e, scope)
        if len(values) != 1:
            return TOP
        return self._literal(values[0], e)

    def _literal(self, v: Any, e: Any) -> Any:
        if isinstance(v, Ext):
            if v.path in lg.END:
                return Known("__end__")
            if v.path in ("frozenset()", "set()", "tuple()", "list()") and v.origin is not None and v.scope is not None and v.origin.args:
                return self._read(v.origin.args[0].value, v.scope, e)
            return TOP
        if isinstance(v, Lit):
            return self._read(v.expr, v.scope, e)
        return TOP

    def _read(self, expr: Any, scope: Scope, marker: Any) -> Any:
        """A display or constant of a module, read in its own scope."""
        t = type(expr)
        if t is Const:
            return Known(expr.value) if expr.kind not in ("bytes", "complex", "ellipsis") else TOP
        self._lazy.add(id(marker))
        try:
            if t is Seq:
                return Items(tuple(self._read(x, scope, x) if type(x) in (Const, Seq, Dict) else self._elsewhere(x, scope) if type(x) in (Name, Attr) else TOP
                                   for x in expr.elts))
            if t is Dict:
                out = Map(())
                for k, v in zip(expr.keys, expr.values):
                    key = self._read(k, scope, k) if type(k) is Const else self._elsewhere(k, scope) if type(k) in (Name, Attr) else TOP
                    value = self._read(v, scope, v) if type(v) in (Const, Seq, Dict) else self._elsewhere(v, scope) if type(v) in (Name, Attr) else TOP
                    out = out.put(key.value, value) if type(key) is Known and _hashable(key.value) else Map(out.items, True)
                return out
        finally:
            self._lazy.discard(id(marker))
        return TOP

    def _attr(self, e: Attr, state: State, frame: _Frame) -> Any:
        base = self.ev(e.value, state, frame) if type(e.value) is not Name or e.value.id in state.env else TOP
        t = type(base)
        if t is Sym:
            self._box(base, state, "object")
            return Sym((*base.path, e.attr))
        if t is Map:
            found = base.get(e.attr)
            return found if found is not None else TOP
        if t is Known and e.attr in ("value", "name"):
            return base
        if t is Known and e.attr in ("content", "text") and base.path is not None:
            return base
        if t in (Top, Many, Items) and answered(base):
            return TOLD
        return self._elsewhere(e, frame.scope)

    def _sub(self, e: Sub, state: State, frame: _Frame) -> Any:
        base = self.ev(e.value, state, frame)
        if type(e.index) is Slice:
            return base if type(base) in (Sym, Many) else Top(answered(base))
        index = self.ev(e.index, state, frame)
        t = type(base)
        if t is Sym:
            if type(index) is Known and type(index.value) is str and index.path is None:
                self._box(base, state, "dict")
                return Sym((*base.path, index.value))
            if type(index) is Known and type(index.value) is int:
                self._box(base, state, "list")
            return Sym((*base.path, "*"))
        if t is Many:
            return base.elem
        if t is Items and type(index) is Known and type(index.value) is int and -len(base.elts) <= index.value < len(base.elts):
            return base.elts[index.value]
        if t is Map:
            if type(index) is Sym:
                index = self._leaf(index, state)
            if type(index) is Known and _hashable(index.value):
                if index.path is not None:
                    self._expects((k for k, _ in base.items if type(k) in (str, bool)), index)
                found = base.get(index.value)
                if index.path is not None or index.default is not None:
                    self._decide(state, frame, e, "table", index.value if found is not None else None, index)
                if found is not None:
                    return found
                if not base.open:
                    raise _Raises("KeyError")
            return Top(answered(index))
        return Top(answered(base) or answered(index))

    def _boolean(self, e: BoolOp, state: State, frame: _Frame) -> Any:
        last = e.values[-1]
        missing = False
        first: tuple[str, ...] | None = None  # the part of the answer for which the last operand stands in
        v: Any = TOP
        for n, operand in enumerate(e.values):
            v = self.ev(operand, state, frame)
            if operand is last:
                if missing and type(v) is Known and v.default is None:
                    return Known(v.value, v.how, v.path, Default(frame.scope.module.path, last.at, repr(v.value), path=first or v.path or ()))
                if missing and type(v) is Map and not v.items:
                    return Map((), False, MISSING)
                return v
            holds = self.truth(v, operand, state, frame)
            if e.op == "or":
                if holds:
                    return v
                missing = missing or answered(v)
                first = getattr(v, "path", None) if first is None else first
            elif not holds:
                return v if type(v) is Known else Known(False, "test" if answered(v) else "")
        return v

    def _compare(self, e: Cmp, state: State, frame: _Frame) -> Any:
        left = self.ev(e.left, state, frame)
        out: Any = Known(True)
        for op, r in zip(e.ops, e.rights):
            right = self.ev(r, state, frame)
            one = self._compared(e, op, left, right, state, frame)
            if type(one) is not Known:
                return one
            out = Known(bool(out.value and one.value), one.how or out.how, one.path, one.default)
            left = right
        return out

    def _compared(self, e: Any, op: str, left: Any, right: Any, state: State, frame: _Frame) -> Any:
        told = answered(left) or answered(right)
        if not told:
            if type(left) is Known and type(right) is Known and op in ("==", "!=", "is", "is not"):
                same = left.value == right.value and type(left.value) is type(right.value)
                return Known(same if op in ("==", "is") else not same)
            if type(left) is Known and op in ("in", "not in") and type(right) is Items and all(type(x) is Known for x in right.elts):
                return Known((left.value in [x.value for x in right.elts]) == (op == "in"))
            return TOP
        if op in ("in", "not in") and type(right) is Map and type(left) is Known and not answered(left):
            # `"approved" in state`: whether something is in a dict, whatever it is made of, is no look at a word of the answer.
            return TOP if right.open and right.get(left.value) is None else Known((right.get(left.value) is not None) == (op == "in"))
        for v, other in ((left, right), (right, left)):
            if type(v) is Known and v.path is None and v.default is None and type(v.value) in (str, bool):
                self._expects((v.value,), other)
            if type(v) is Items:
                self._expects((x.value for x in v.elts if type(x) is Known and type(x.value) in (str, bool)), other)
            if type(v) is Map and op in ("in", "not in"):
                self._expects((k for k, _ in v.items if type(k) in (str, bool)), other)
        if op in ("==", "!=", "is", "is not"):
            if type(left) in (Sym, Known) and type(right) in (Sym, Known):
                a, b = self._word(left, state), self._word(right, state)
                same = a is not _BOX and b is not _BOX and a == b and (type(a) is type(b) or type(a) in (int, float) and type(b) in (int, float))
                out = same if op in ("==", "is") else not same
                if not (type(right) is Known and right.value is None):
                    self._decide(state, frame, e, "compare", out, left, right)
                return Known(out, "test")
            return TOLD
        if op in ("in", "not in"):
            if type(right) in (Items, Map) and type(left) in (Sym, Known):
                keys = [k for k, _ in right.items] if type(right) is Map else [self._word(x, state) if type(x) in (Known, Sym) else _BOX for x in right.elts]
                if type(right) is Map and right.open or any(k is _BOX for k in keys) and type(right) is Items:
                    return TOLD
                a = self._word(left, state)
                out = (a is not _BOX and any(a == k and type(a) is type(k) for k in keys)) == (op == "in")
                self._decide(state, frame, e, "compare", out, left)
                return Known(out, "test")
            if type(left) is Known and type(left.value) is str and type(right) in (Sym, Known):
                if type(right) is Sym and self._shape(right, state) is None and type(self.word) is str:
                    self.choose(state, ("shape", right.path), ("leaf", "dict"))
                if type(right) is Sym and self._shape(right, state) in ("dict", "object"):
                    there = self.choose(state, ("there", (*right.path, left.value)), (True, False))
                    return Known(there == (op == "in"), "test")
                word = self._word(right, state)
                if type(word) is not str:
                    return TOLD
                out = (left.value in word) == (op == "in")
                self._decide(state, frame, e, "compare", out, right)
                return Known(out, "test")
            return TOLD
        if type(left) is Sym or type(right) is Sym:
            if type(self.word) is str:
                other = right if type(left) is Sym else left
                if type(other) is Known and type(other.value) in (int, float):
                    raise _Raises("TypeError")
        return TOLD

    def _word(self, v: Any, state: State) -> Any:
        """The scalar that a value is compared as; `_BOX` for a dict or list."""
        if type(v) is Sym:
            if state.facts.get(("there", v.path)) is False:
                return None
            if self._shape(v, state) not in (None, "leaf"):
                return _BOX
            return self._leaf(v, state).value
        return v.value

    def _comprehension(self, e: Comp, state: State, frame: _Frame) -> Any:
        saved = dict(state.env)
        told = False
        try:
            for g in e.generators:
                it = self.ev(g.iter, state, frame)
                told = told or answered(it)
                self._store(g.target, None, self._element(it), state, frame)
                for c in g.ifs:
                    v = self.ev(c, state, frame)
                    if type(v) is Known and not v.value:
                        return Items(())
                    told = told or answered(v)
            if e.kind == "dict":
                return Top(told)
            elt = self.ev(e.elt, state, frame)
            return Many(elt) if told or answered(elt) else Top()
        finally:
            state.env = saved

    def _element(self, it: Any) -> Any:
        if type(it) is Many:
            return it.elem
        if type(it) is Sym:
            return Sym((*it.path, "*"))
        if type(it) is Items and len(it.elts) == 1:
            return it.elts[0]
        return Top(answered(it))

    # ------------------------------------------------------------------ binding
    def _bind(self, node: Any, state: State, frame: _Frame) -> None:
        t = type(node)
        if t is Assign:
            if node.value is None:
                return
            value = self.ev(node.value, state, frame)
            for target in node.targets:
                self._store(target, node.value, value, state, frame)
        elif t is AugAssign:
            if type(node.target) is Name:
                state.env[node.target.id] = Top(answered(self.ev(node.value, state, frame)) or answered(state.env.get(node.target.id)))
        elif t in (For, Generator):
            it = self.ev(node.iter, state, frame)
            if type(it) is Sym:
                self._box(it, state, "list")
            self._store(node.target, None, self._element(it), state, frame)
        elif t is Walrus:
            state.env[node.target.id] = self.ev(node.value, state, frame)
        elif t is Case:
            subject = self._subject
            for name in node.captures:
                state.env[name] = Top(answered(subject)) if type(node.pattern) is not Name else subject
        elif t.__name__ == "WithItem":
            if node.target is not None:
                self._store(node.target, None, TOP, state, frame)
        elif t is Handler:
            if node.name:
                state.env[node.name] = TOP

    _subject: Any = TOP

    def _store(self, target: Any, expr: Any, value: Any, state: State, frame: _Frame) -> None:
        t = type(target)
        if t is Name:
            state.env[target.id] = value
        elif t is Seq:
            n = len(target.elts)
            if type(value) is Items and len(value.elts) == n:
                for x, v in zip(target.elts, value.elts):
                    self._store(x, None, v, state, frame)
            else:
                for i, x in enumerate(target.elts):
                    part = Sym((*value.path, "*")) if type(value) is Sym else value.elem if type(value) is Many else Top(answered(value))
                    self._store(x, None, part, state, frame)
        elif t is Star:
            self._store(target.value, None, Top(answered(value)), state, frame)
        elif t in (Sub, Attr):
            base = target.value
            key = target.attr if t is Attr else target.index.value if type(target.index) is Const else None
            if type(base) is Name and key is not None:
                have = state.env.get(base.id, TOP)
                if type(have) is Map:
                    state.env[base.id] = have.put(key, value)
                elif type(have) is Top:
                    state.env[base.id] = Map(((key, value),), True)

    def _fits(self, pattern: Any, subject: Any, state: State, frame: _Frame) -> bool | None:
        self._subject = subject
        t = type(pattern)
        if t is Name:
            return True
        if t is Bin and pattern.op == "|":
            both = [self._fits(pattern.left, subject, state, frame), self._fits(pattern.right, subject, state, frame)]
            return True if True in both else None if None in both else False
        if t in (Const, Attr):
            v = self.ev(pattern, state, frame)
            if type(v) is not Known:
                return None
            one = self._compared(pattern, "==", subject, v, state, frame)
            return bool(one.value) if type(one) is Known else None
        if t is Dict:
            if type(subject) is Sym:
                shape = self._shape(subject, state) or self.choose(state, ("shape", subject.path), ("dict", "leaf"))
                if shape != "dict":
                    return False
                fits: bool | None = True
                for k, p in zip(pattern.keys, pattern.values):
                    if k is None:
                        continue
                    one2 = self._fits(p, Sym((*subject.path, str(k.value))) if type(k) is Const else TOLD, state, frame)
                    if one2 is False:
                        return False
                    fits = None if one2 is None else fits
                return fits
            if type(subject) is Map:
                fits = True
                for k, p in zip(pattern.keys, pattern.values):
                    if k is None:
                        continue
                    v = subject.get(k.value) if type(k) is Const else None
                    if v is None:
                        return False if not subject.open else None
                    one2 = self._fits(p, v, state, frame)
                    if one2 is False:
                        return False
                    fits = None if one2 is None else fits
                return fits
            return None if type(subject) is Top else False
        if t is Call:
            name = dotted(pattern.func) or ""
            if type(subject) in (Sym, Known) and name in ("str", "bool", "dict", "list", "int", "float"):
                return self._instance(subject, [name], state)
            return None if type(subject) is Top else False if type(subject) in (Sym, Known) else None
        if t is Seq:
            return None
        return None

    # ------------------------------------------------------------------ calls
    def _call_point(self, frame: _Frame, call: Call, state: State) -> list[tuple[State, str, Any]]:
        j = self.project.effects.judge(call, frame.scope)
        if j.pause is not None:
            direct = not j.targets and any(p in lg.INTERRUPT for p in j.paths)
            if direct and not state.answered:
                state.answered = True
                schema = next((a.value for a in call.args if a.name == "response_schema"), None)
                value = self._validated(schema, Sym(()), state, frame) if schema is not None else Sym(())
                state.vals[id(call)] = value
                return [(state, "next", None)]
            if direct or not j.targets or state.answered:
                state.asked = True
                return [(state, "pause", None)]
            return self._enter(frame, call, state, j.targets)
        fns = [t for t in j.targets]
        if fns and state.answered and len(fns) == 1 and not self.project.is_task(fns[0]) and self._concerned(call, state, frame):
            return self._enter(frame, call, state, j.targets)
        state.vals.pop(id(call), None)
        value = self._value_of(call, state, frame, j)
        self._note(j, call, state, frame)
        state.vals[id(call)] = value
        return [(state, "next", None)]

    def _note(self, j: Judged, call: Call, state: State, frame: _Frame) -> None:
        if state.answered and j.effect is not None:
            state.effects = (*state.effects, ((frame.scope.module.path, call.at), j.effect))
            if any(answered(self.ev(a.value, state, frame)) for a in call.args):
                self.told.add((frame.scope.module.path, call.at))

    def _concerned(self, call: Call, state: State, frame: _Frame) -> bool:
        """The answer is handed to the call, or is what its method belongs to."""
        if type(call.func) is Attr and type(call.func.value) is Name and answered(state.env.get(call.func.value.id)):
            return True
        return any(answered(self.ev(a.value, state, frame)) for a in call.args)

    def _enter(self, frame: _Frame, call: Call, state: State, targets: tuple[FnInfo, ...]) -> list[tuple[State, str, Any]]:
        out: list[tuple[State, str, Any]] = []
        for info in targets:
            if info.fn.is_generator or frame.depth >= MAX_DEPTH or info.fn is frame.info.fn:
                raise Lost
            env = self._arguments(call, info, state, frame)
            was = state.answered
            link = self.project.effects.link(call, frame.scope, f"calls {info.name}()")
            for r in self.run(info, env, state, frame.depth + 1):
                if not was and not r.state.answered:
                    continue  # this way through the helper does not ask
                after = state.back(r.state)
                after.effects = (*state.effects, *((k, w.through(link)) for k, w in r.state.effects[len(state.effects):]))
                if r.end == "return":
                    after.vals[id(call)] = r.value
                    out.append((after, "next", None))
                elif r.end == "raise":
                    out.append((after, "exc", r.value))
                else:
                    out.append((after, "pause", None))
        return out

    def _arguments(self, call: Call, info: FnInfo, state: State, frame: _Frame) -> dict[str, Any]:
        bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
        stars = [self.ev(a.value, state, frame) for a in call.args if a.star == 2]
        env: dict[str, Any] = {}
        for n, p in enumerate(info.fn.params):
            if n == 0 and bound:
                env[p.name] = TOP
                continue
            arg = argument(call, info.fn, p, bound)
            if arg is not None:
                env[p.name] = self.ev(arg, state, frame)
            elif stars and type(stars[0]) is Sym and p.kind not in ("star", "star2"):
                env[p.name] = Sym((*stars[0].path, p.name))
            elif stars and type(stars[0]) is Map and stars[0].get(p.name) is not None:
                env[p.name] = stars[0].get(p.name)
            elif p.default is not None and type(p.default) is Const:
                env[p.name] = self.ev(p.default, State(), frame)
            else:
                env[p.name] = Top(any(answered(s) for s in stars))
        return env

    def _value_of(self, call: Call, state: State, frame: _Frame, j: Judged | None = None) -> Any:
        """What a call gives, effects aside."""
        f = call.func
        plain = [a.value for a in call.args if a.name is None and not a.star]
        if type(f) is Attr:
            base = self.ev(f.value, state, frame) if not (type(f.value) is Name and f.value.id not in state.env) else self._elsewhere(f.value, frame.scope)
            if type(base) in (Sym, Known, Map, Many, Items) and not (type(base) is Known and type(base.value) is not str and not answered(base)):
                v = self._method(call, f.attr, base, plain, state, frame)
                if v is not None:
                    return v
            if f.attr in VALIDATES and plain:
                given = self.ev(plain[0], state, frame)
                if answered(given):
                    return self._validated(f.value, given, state, frame)
            if f.attr in ("model_validate_json", "parse_raw", "validate_json") and plain:
                given = self.ev(plain[0], state, frame)
                if type(given) is Sym:
                    return self._validated(f.value, self._parsed(given, state), state, frame)
        if type(f) is Name and type(state.env.get(f.id)) in (Sym, Top):
            return TOLD if answered(state.env.get(f.id)) else TOP
        values = self.project.names.resolve(f, frame.scope)
        for v in values:
            if isinstance(v, Ext):
                out = self._external(v.path, call, plain, state, frame)
                if out is not None:
                    return out
            if isinstance(v, Cls):
                return self._construct(v.info, call, state, frame)
            if isinstance(v, Fn) and type(f) is Name and j is None:
                break
        name = f.attr if type(f) is Attr else f.id if type(f) is Name else ""
        if name[:1].isupper() and call.args and all(a.name for a in call.args):
            return Map(tuple((a.name, self.ev(a.value, state, frame)) for a in call.args), True, name)
        told = any(answered(self.ev(a.value, state, frame)) for a in call.args)
        return Top(told)

    def _method(self, call: Call, name: str, base: Any, plain: list[Any], state: State, frame: _Frame) -> Any | None:
        t = type(base)
        if name == "get" and plain and t in (Sym, Map):
            key = self.ev(plain[0], state, frame)
            default = plain[1] if len(plain) > 1 else next((a.value for a in call.args if a.name == "default"), None)
            return self._got(call, base, key, default, state, frame)
        if name == "pop" and plain and t is Sym:
            return self._got(call, base, self.ev(plain[0], state, frame), plain[1] if len(plain) > 1 else None, state, frame)
        if t is Sym and name in OBJECT_SAME:
            self._box(base, state, "dict")
            return base
        if t is Map and name in OBJECT_SAME - {"items", "values"}:
            return base
        if name in STRING_SAME | STRING_TESTS | STRING_FACTS | {"split", "partition", "rsplit", "encode", "format", "join"}:
            if t is Sym:
                base = self._leaf(base, state, text=True)
            if type(base) is not Known:
                return Top(answered(base))
            if type(base.value) is not str:
                raise _Raises("AttributeError")
            args = [self.ev(a, state, frame) for a in plain]
            if name in STRING_TESTS:
                for a in args:
                    self._expects((x.value for x in ([a] if type(a) is Known else a.elts if type(a) is Items else []) if type(x) is Known and type(x.value) is str), base)
            given = [a.value if type(a) is Known else tuple(x.value for x in a.elts) if type(a) is Items and all(type(x) is Known for x in a.elts) else _BOX for a in args]
            if any(g is _BOX for g in given) or name in ("format", "join", "encode"):
                return Top(answered(base) or any(answered(a) for a in args))
            try:
                out = getattr(base.value, name)(*given)
            except Exception:
                return Top(answered(base))
            if isinstance(out, (list, tuple)):
                return Items(tuple(Known(x, base.how, base.path, base.default) for x in out))
            if isinstance(out, bool):
                if answered(base) and name in STRING_TESTS:
                    self._decide(state, frame, call, "compare", out, base)
                return Known(out, "test" if answered(base) else "")
            return Known(out, base.how, base.path, base.default)
        if t is Items and name == "append" and len(plain) == 1 and type(call.func) is Attr and type(call.func.value) is Name and call.func.value.id in state.env:
            state.env[call.func.value.id] = Items((*base.elts, self.ev(plain[0], state, frame))[-MAX_KEPT:])
            return NONE
        if t is Sym and name in ("append", "extend", "update"):
            return NONE
        return None

    def _got(self, call: Call, base: Any, key: Any, default: Any, state: State, frame: _Frame) -> Any:
        if type(base) is Sym:
            self._box(base, state, "dict")
            if type(key) is not Known or type(key.value) is not str:
                child = Sym((*base.path, "*"))
                if type(default) is not Const or default.value is None:
                    return child
            else:
                child = Sym((*base.path, key.value))
            if default is None:
                return child
            value = self.ev(default, state, frame)
            if type(value) is Known and value.value in (None, "") and id(call) in self._default_operands(frame):
                return child
            there = state.facts.get(("there", child.path))
            if there is None:
                there = self.choose(state, ("there", child.path), (True, False))
            if there:
                if type(default) is Dict or type(default) is Seq:
                    # `answer.get("picked", [])`: what is there is of that kind, and no word.
                    state.facts.setdefault(("shape", child.path), "dict" if type(default) is Dict else "list")
                return child
            if type(value) is Known and value.default is None:
                return Known(value.value, value.how, child.path, Default(frame.scope.module.path, default.at, repr(value.value), path=child.path))
            return value
        if type(key) is Sym:
            key = self._leaf(key, state)
        if type(key) is Known and _hashable(key.value):
            told = key.path is not None or key.default is not None
            if told:
                self._expects((k for k, _ in base.items if type(k) in (str, bool)), key)
            found = base.get(key.value)
            if told:
                self._decide(state, frame, call, "table", key.value if found is not None else None, key)
            if found is not None:
                return found
            if base.open and not told:
                return TOP
            if default is None:
                return NONE
            value = self.ev(default, state, frame)
            if (told or base.made == MISSING) and type(value) is Known and value.default is None and value.value is not None:
                return Known(value.value, value.how, key.path or (), Default(frame.scope.module.path, default.at, repr(value.value), told))
            return value
        if type(default) is Const and type(base) is Map and not base.items and (base.made == MISSING or not base.open):
            return Known(default.value, "", (), Default(frame.scope.module.path, default.at, repr(default.value)))  # `(answer or {}).get(item, "yes")`
        return Top(answered(key))

    def _instance(self, v: Any, names: list[str], state: State) -> bool | None:
        """`isinstance(v, …)` by the names of the classes."""
        if type(v) is Known:
            return type(v.value).__name__ in names or (type(v.value) is bool and "int" in names)
        if type(v) is Map:
            return "dict" in names or "Mapping" in names or v.made in names
        if type(v) in (Items, Many):
            return bool({"list", "tuple", "Sequence", "Iterable"} & set(names))
        if type(v) is not Sym:
            return None
        wanted = {"dict": "dict", "Mapping": "dict", "MutableMapping": "dict", "list": "list", "tuple": "list", "Sequence": "list"}
        shapes = {wanted[n] for n in names if n in wanted}
        if type(self.word).__name__ in names:
            shapes.add("leaf")
        have = self._shape(v, state)
        if have is None:
            if not shapes:
                if set(names) & {"str", "bool", "int", "float", "bytes", "NoneType"}:
                    return False  # a word of another type; dicts and lists are no scalar either
                return False
            rest = "leaf" if "leaf" not in shapes else "dict" if "dict" not in shapes else "list"
            have = self.choose(state, ("shape", v.path), tuple(sorted(shapes | {rest})))
        return ("dict" if have == "object" else have) in shapes

    def _external(self, path: str, call: Call, plain: list[Any], state: State, frame: _Frame) -> Any | None:
        if path in lg.COMMAND:
            named = {a.name: a.value for a in call.args if a.name}
            return Cmd(self.ev(named["goto"], state, frame) if "goto" in named else None,
                       self.ev(named["update"], state, frame) if "update" in named else None, call.at)
        if path in lg.SEND and plain:
            return self.ev(plain[0], state, frame)
        if not plain:
            return None
        if path == "isinstance" and len(plain) == 2:
            v = self.ev(plain[0], state, frame)
            if not answered(v) and type(v) is not Map:
                return TOP
            types = plain[1].elts if type(plain[1]) is Seq else [plain[1].left, plain[1].right] if type(plain[1]) is Bin else [plain[1]]
            out = self._instance(v, [(dotted(x) or "").rsplit(".", 1)[-1] for x in types], state)
            if out is not None and type(v) is Sym:
                self._decide(state, frame, call, "shape", out, v)
            return TOLD if out is None else Known(out, "test")
        first = self.ev(plain[0], state, frame)
        if path == "bool":
            if type(first) is Known and not answered(first):
                return Known(bool(first.value), first.how)  # what a look at the answer came to, or a constant
            if answered(first) and type(first) in (Sym, Known):
                return Known(self.truth(first, call, state, frame), "test")
            return Top(answered(first))
        if path == "str":
            if type(first) is Sym:
                if self._shape(first, state) not in (None, "leaf"):
                    return TOLD
                v = self._leaf(first, state)
                return Known(str(v.value), "leaf", v.path)
            return Known(str(first.value), first.how, first.path, first.default) if type(first) is Known else Top(answered(first))
        if path in ("int", "float") and answered(first):
            if type(first) is Sym:
                first = self._leaf(first, state)
            if type(first) is Known and type(first.value) is str:
                raise _Raises("ValueError")
            return TOLD
        if path in COERCES:
            return first
        if path in ("typing.cast", "typing_extensions.cast") and len(plain) == 2:
            return self.ev(plain[1], state, frame)
        if path == "getattr" and len(plain) >= 2 and type(first) in (Sym, Map):
            key = self.ev(plain[1], state, frame)
            if type(first) is Sym:
                self._box(first, state, "object")
                if len(plain) == 2:
                    return Sym((*first.path, key.value)) if type(key) is Known else TOLD
                first = Sym(first.path)
                state.facts[("shape", first.path)] = "dict"
            return self._got(call, first, key, plain[2] if len(plain) > 2 else None, state, frame)
        if path == "hasattr" and len(plain) == 2 and type(first) is Sym:
            key = self.ev(plain[1], state, frame)
            shape = self._shape(first, state) or self.choose(state, ("shape", first.path), ("object", "leaf", "dict"))
            return Known(shape == "object" and type(key) is Known, "test")
        if path == "json.loads" and type(first) is Sym:
            return self._parsed(first, state)
        if path == "next" and type(first) is Many:
            return first.elem if self.choose(state, ("found", id(call)), (True, False)) else (
                self.ev(plain[1], state, frame) if len(plain) > 1 else TOP)
        if path == "len" and answered(first):
            return TOLD
        if path in ("any", "all") and type(first) is Many and type(first.elem) in (Known, Sym):
            return Known(self.truth(first.elem, call, state, frame), "test")
        if path.startswith("pydantic.TypeAdapter().validate") and answered(first):
            return TOLD
        return None

    def _parsed(self, sym: Sym, state: State) -> Any:
        if type(self.word) is not str:
            raise _Raises("TypeError")
        shape = state.facts.get(("json", sym.path))
        if shape is None:
            shape = self.choose(state, ("json", sym.path), (True, False))
        if not shape:
            raise _Raises("JSONDecodeError")
        return Sym((*sym.path, "<json>"))

    # ------------------------------------------------------------------ classes
    def _construct(self, info: ClassInfo, call: Call, state: State, frame: _Frame) -> Any:
        bases = list(self.project.names.mro(info))
        if any(isinstance(b, str) and b.rsplit(".", 1)[-1] in ("Enum", "StrEnum", "IntEnum") for b in bases):
            v = self.ev(call.args[0].value, state, frame) if call.args else TOP
            return self._member(info, v, state, frame)
        stars = [self.ev(a.value, state, frame) for a in call.args if a.star == 2]
        if stars and answered(stars[0]):
            return self._fields(info, stars[0], state, frame) if self._is_model(bases) else stars[0]
        fields = [n for n, _, _ in self._declared(info)]
        out = Map((), True, info.cls.name)
        plain = 0
        for a in call.args:
            if a.name:
                out = out.put(a.name, self.ev(a.value, state, frame))
            elif not a.star:
                if plain < len(fields):
                    out = out.put(fields[plain], self.ev(a.value, state, frame))
                plain += 1
        return out

    def _member(self, info: ClassInfo, v: Any, state: State, frame: _Frame) -> Any:
        members = [s.value.value for s in info.cls.body if type(s) is Assign and type(s.value) is Const]
        if not answered(v) or type(v) not in (Sym, Known) or not members:
            return Top(answered(v))
        word = self._word(v, state)
        self._expects((m for m in members if type(m) is str), v)
        if word is _BOX or word not in members:
            raise _Raises("ValueError")
        return Known(word, "leaf", v.path if type(v) is Sym else v.path, v.default if type(v) is Known else None)

    def _is_model(self, bases: list[Any]) -> bool:
        return any(isinstance(b, str) and b.rsplit(".", 1)[-1] in ("BaseModel", "RootModel", "SQLModel") for b in bases)

    def _declared(self, info: ClassInfo) -> list[tuple[str, Any, Any]]:
        """(name, annotation, default) of the fields of a class and its bases, base first."""
        out: dict[str, tuple[str, Any, Any]] = {}
        for c in reversed([b for b in self.project.names.mro(info) if isinstance(b, ClassInfo)]):
            for s in c.cls.body:
                if type(s) is Assign and s.annotation is not None and type(s.targets[0]) is Name:
                    out[s.targets[0].id] = (s.targets[0].id, s.annotation, s.value)
        return list(out.values())

    def _validated(self, schema: Any, given: Any, state: State, frame: _Frame) -> Any:
        """What a pydantic model, a TypedDict or a TypeAdapter makes of an answer."""
        for v in self.project.names.resolve(schema, frame.scope):
            if isinstance(v, Cls):
                return self._fields(v.info, given, state, frame)
            if isinstance(v, Inst):
                return TOLD
            if isinstance(v, Ext):
                return TOLD
        return TOLD

    def _fields(self, info: ClassInfo, given: Any, state: State, frame: _Frame) -> Any:
        if type(given) is Sym:
            self._box(given, state, "dict")
        out = Map((), False, info.cls.name)
        for name, annotation, default in self._declared(info):
            have = Sym((*given.path, name)) if type(given) is Sym else given.get(name) if type(given) is Map else TOLD
            if have is None:
                have = TOP
            const = const_default(default)
            if type(have) is Sym and const is not None and (const.value is True or type(const.value) is str and decisions.says_yes(const.value)):
                there = state.facts.get(("there", have.path))
                if there is None:
                    there = self.choose(state, ("there", have.path), (True, False))
                if not there:
                    out = out.put(name, Known(const.value, "test", have.path, Default(info.module.path, const.at, repr(const.value))))
                    continue
            out = out.put(name, self._field(annotation, have, info.scope or info.parent, state, frame))
        return out

    def _field(self, annotation: Any, have: Any, scope: Scope, state: State, frame: _Frame) -> Any:
        if type(have) is not Sym:
            return have
        for item in _members_of(annotation):
            base = (dotted(item.value) or "").rsplit(".", 1)[-1] if type(item) is Sub else (dotted(item) or "").rsplit(".", 1)[-1]
            if base == "Literal" and type(item) is Sub:
                options = [x.value for x in (item.index.elts if type(item.index) is Seq else [item.index]) if type(x) is Const]
                self._expects((o for o in options if type(o) is str), have)
                if self.word in options and type(self.word) in (str, bool):
                    return Known(self.word, "valid", have.path)
                if any(type(o) is bool or type(o) is str and (decisions.says_no(o) or decisions.says_yes(o)) for o in options):
                    self._decide(state, frame, annotation, "schema", False, have)
                    raise _Raises("ValidationError")
                return Known(options[0]) if options else TOLD
            if base in ("bool", "StrictBool"):
                if type(self.word) is bool:
                    return Known(self.word, "valid", have.path)
                if base == "bool" and self.word.lower() in STRINGS_TRUE | STRINGS_FALSE:
                    return Known(self.word.lower() in STRINGS_TRUE, "valid", have.path)
                raise _Raises("ValidationError")
            for v in self.project.names.resolve(item, scope):
                if isinstance(v, Cls):
                    bases = list(self.project.names.mro(v.info))
                    if any(isinstance(b, str) and b.rsplit(".", 1)[-1] in ("Enum", "StrEnum") for b in bases):
                        return self._member(v.info, have, state, frame)
                if isinstance(v, Lit) and type(v.expr) is Sub:
                    return self._field(v.expr, have, v.scope, state, frame)
        return have


class _Box:
    def __repr__(self) -> str:
        return "a dict or list"


_BOX: Any = _Box()


def _members_of(annotation: Any) -> Iterator[Any]:
    """The members of a union, Optional or Annotated."""
    t = type(annotation)
    if t is Bin and annotation.op == "|":
        yield from _members_of(annotation.left)
        yield from _members_of(annotation.right)
    elif t is Sub and (dotted(annotation.value) or "").rsplit(".", 1)[-1] in ("Optional", "Union", "Annotated", "Required", "NotRequired"):
        items = annotation.index.elts if type(annotation.index) is Seq else [annotation.index]
        for item in items[:1] if (dotted(annotation.value) or "").endswith("Annotated") else items:
            yield from _members_of(item)
    else:
        yield annotation


def const_default(expr: Any) -> Const | None:
    """The constant default of a field: `= True`, `= Field(True, …)`, `= Field(default="approve")`."""
    if type(expr) is Const:
        return expr
    if type(expr) is Call and (dotted(expr.func) or "").rsplit(".", 1)[-1] in ("Field", "field"):
        first = next((a.value for a in expr.args if a.name in (None, "default")), None)
        return first if type(first) is Const else None
    return None


def _hashable(v: Any) -> bool:
    return type(v) in (str, int, bool, float, type(None))


__all__ = ["Choice", "Cmd", "Default", "Items", "Known", "Link", "Lost", "Many", "Map", "Result", "State", "Sym", "Top", "WhatIf", "answered", "const_default"]
