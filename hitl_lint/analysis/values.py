"""Where values come from and where they go inside one activation: a forward data-flow over the control-flow graph.

Every value made by a model, an effect, an unstable source or a read is a `Source`; so are parameters and the answers of
pauses. `Flow.taint(expr, point)` gives the sources that may be in an expression at a point; assignments kill, containers and
attributes are followed by key (`req["draft"]`, `ticket.id`) as far as their names are constant.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Iterable, MutableMapping

from hitl_lint.analysis.cfg import CFG, Point
from hitl_lint.analysis.effects import REMOTE_TOOLS, Judged, Witness
from hitl_lint.analysis.keyed import keys
from hitl_lint.analysis.layers import SMALL, apart, copied, rebased
from hitl_lint.analysis.names import Cls, Ext, FnInfo, Scope, argument
from hitl_lint.catalogue import verbs
from hitl_lint.catalogue.unstable import IN_PLACE, WAITING
from hitl_lint.facts import (
    Arg, Assign, Attr, AugAssign, Await, Bin, BoolOp, Break, Call, Case, Cmp, Comp, Const, Continue, Def, Delete, Dict, For, FStr, Generator, Handler,
    If, IfExp, Import, Lambda, Name, Opaque, Seq, Slice, Star, Sub, Un, Walrus, WithItem, Yield, children, dotted, text, walk,
)

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

Taint = frozenset["Source"]
Env = MutableMapping[str, "Taint"]
NONE: Taint = frozenset()
# How many calls deep a source may be made and still count as what the result is.
DEPTHS = {"unstable": 2, "memory": 1, "read": 4}
UNSTABLE_KINDS = frozenset({"model", "effect", "unstable"})
GROW_METHODS = frozenset({"append", "extend", "insert", "add", "update", "setdefault", "appendleft", "put", "put_nowait"})


# What gives something that is removed with its owner; calls that keep a path a path; and what of a path is no place any more.
TEMPORARY = frozenset(f"tempfile.{name}" for name in ("TemporaryDirectory", "NamedTemporaryFile", "TemporaryFile", "SpooledTemporaryFile", "mkdtemp", "mkstemp", "mktemp"))
PATH_CALLS = ("pathlib.", "os.path.join", "os.path.abspath", "os.path.realpath", "os.path.normpath", "os.fspath", "posixpath.join")
PATH_TYPES = frozenset({"str", "repr", "dict", "list", "tuple", "set", "sorted", "map"})
PATH_METHODS = frozenset({"joinpath", "with_suffix", "with_name", "resolve", "absolute", "as_posix", "as_uri", "expanduser", "format", "join", "get", "copy", "enter_context",
                          "enter_async_context"})
BARE_NAMES = frozenset({"name", "stem", "suffix"})


@dataclass(frozen=True, slots=True)
class Source:
    """What made a value: `kind` is "model", "effect", "unstable", "read", "memory", "temporary" (a path or file that is removed with its owner),
    "measured" (the time between two readings of the clock), "answer" or "param"; `node` the call (or the name of the parameter)."""

    kind: str
    node: Any
    witness: Witness | None = None

    def __hash__(self) -> int:
        return hash((self.kind, id(self.node) if not isinstance(self.node, str) else self.node))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Source) and self.kind == other.kind and (self.node is other.node or
                                                                          (isinstance(self.node, str) and self.node == other.node))


MEASURED = "measured"
ENVIRONMENT = "reads the environment"  # set when the process starts, as constants are: nobody changes it while a run waits
SINCE = " since"  # after the name of a parameter: what is taken from the clock, or the clock from it
MEMBERSHIP = frozenset({"in", "not in", "is", "is not"})  # these ask nothing of how long something took
OWN = ".~"  # after a key: what the thing held before parts of it were set by name, and holds apart from them
ITEM = "[*]"  # in a key: some item of the list before it
COUNTED = "is a count that other runs change"
WORST_FIRST = ("model", "effect", "unstable", "memory", "read", "answer", "param")


def ordered(taint: Iterable[Source]) -> list[Source]:
    """By place, worst kind first. A set of sources has another order in every process, and the first of two is what a message names."""
    def place_of(s: Source) -> tuple[Any, ...]:
        named = isinstance(s.node, str)
        return (() if named else s.node.at, WORST_FIRST.index(s.kind) if s.kind in WORST_FIRST else -1, s.node if named else "")

    return sorted(taint, key=place_of)


@dataclass(slots=True)
class Returned:
    """What a call of a function gives: sources made inside it, and the parameters that flow to its result, its payloads and its guards."""

    sources: tuple[tuple[str, Witness], ...] = ()
    params: frozenset[str] = frozenset()
    payload: frozenset[str] = frozenset()
    guard: frozenset[str] = frozenset()
    answer: bool = False
    fields: tuple[tuple[str, frozenset[str], tuple[tuple[str, Witness], ...]], ...] = ()
    kept: frozenset[str] = frozenset()  # parameters that a method stores on its object
    stored: tuple[tuple[str, frozenset[str], tuple[tuple[str, Witness], ...]], ...] = ()  # the same by attribute, with what is made inside


def place(expr: Any) -> str | None:
    """A stable key for what can be followed: `x`, `x.a`, `x['k']`."""
    t = type(expr)
    if t is Name:
        return expr.id
    if t is Attr:
        base = place(expr.value)
        return None if base is None else f"{base}.{expr.attr}"
    if t is Sub and type(expr.index) is Const:
        base = place(expr.value)
        return None if base is None else f"{base}[{expr.index.value!r}]"
    if t is Call and type(expr.func) is Attr and expr.func.attr == "get" and expr.args and type(expr.args[0].value) is Const:
        base = place(expr.func.value)
        return None if base is None else f"{base}[{expr.args[0].value.value!r}]"
    if t is Await or t is Star:
        return place(expr.value)
    return None


class Flow:
    """The data-flow of one function."""

    def __init__(self, project: "Project", info: FnInfo, cfg: CFG) -> None:
        self.project, self.info, self.cfg = project, info, cfg
        self.scope: Scope = project.names.scope(info)
        self.env: dict[int, Env] = {}
        self._keys: dict[int, dict[str, Any]] = {}  # by the id of a call that reads rows, what it asked for
        self._split: set[str] = set()  # keys of which parts are known at some point
        self._items = self._loop_items()
        self._implicit = self._decided_binds()
        self._run()

    # ---- the fixpoint
    def _run(self) -> None:
        start: Env = {p.name: frozenset({Source("param", p.name)}) for p in self.info.fn.params}
        self.env[self.cfg.entry.id] = start
        work = deque([self.cfg.entry])
        queued = {self.cfg.entry.id}
        raised = self.cfg.raised
        steps = 0
        limit = 40 * len(self.cfg.points) + 2000
        while work and steps < limit:
            steps += 1
            point = work.popleft()
            queued.discard(point.id)
            out = self._transfer(point, self.env[point.id])
            for edge in point.succ:
                to = edge.to
                if to is raised:
                    continue  # nothing is evaluated there, and every call leads to it
                old = self.env.get(to.id)
                new = out if old is None else _join(old, out)
                if old is None or new is not old:
                    self.env[to.id] = new
                    if to.id not in queued:
                        queued.add(to.id)
                        work.append(to)

    def _decided_binds(self) -> dict[int, list[Point]]:
        """Assignments that an `if` decides: by point id the tests. Only looked at where the function makes unstable values at all."""
        judge = self.project.effects.judge
        if not any(judge(c, self.scope).unstable is not None for c in self.scope.calls):
            return {}
        out: dict[int, list[Point]] = {}
        for point in self.cfg.points:
            if point.kind == "bind" and type(point.node) is Assign:
                tests = [g.point for g in self.cfg.guards(point) if g.kind == "test" and not g.again and type(g.point.stmt) is If
                         and _chooses(g.point.stmt, point.node)]
                if tests:
                    out[point.id] = tests
        return out

    def _transfer(self, point: Point, env: Env) -> Env:
        if point.kind == "bind":
            env = self._bind(point.node, env)
            for test in self._implicit.get(point.id, ()):
                # `if random() < 0.5: variant = "A"`: the choice is in the value.
                before = self.env.get(test.id)
                chosen = frozenset(s for s in self._taint(test.node, before) if s.kind == "unstable") if before is not None else NONE
                if chosen:
                    env = copied(env)
                    for target in point.node.targets:
                        for one in target.elts if type(target) is Seq else [target]:
                            key = place(one)
                            if key is not None:
                                self._put(env, key, env.get(key, NONE) | chosen)
            return env
        if point.kind == "call":
            call = point.node
            f = call.func
            shuffled = self._made_anew_in_place(call)
            if shuffled is not None:
                env = {k: taint for k, taint in env.items() if not k.startswith((shuffled[0] + ".", shuffled[0] + "["))}
                self._weak(env, *shuffled)
                return env
            if type(f) is Attr and (base := place(f.value)) is not None:
                stored = self._kept_on(call, env)
                if stored - env.get(base, NONE):
                    env = dict(env)
                    for key in [k for k in env if k.startswith(base + ".")]:
                        del env[key]
                    self._weak(env, base, stored)
            if type(f) is Attr and f.attr in GROW_METHODS:
                base = place(f.value)
                if base is not None:
                    taint = NONE
                    for a in call.args:
                        taint |= self._taint(a.value, env)
                    if taint - env.get(base, NONE):
                        env = copied(env)
                        for key in self._below(env, base):
                            del env[key]
                        self._weak(env, base, taint)
        return env

    def _kept_on(self, call: Call, env: Env) -> Taint:
        """What a method call stores on its object: `note.write(text)`, which says `self.text = text`."""
        out = NONE
        if not any(self._taint(a.value, env) for a in call.args):
            return out
        for info in self.project.effects.judge(call, self.scope).targets[:4]:
            if info.cls is not None and info is not self.info and any(type(v) is not Const for _, v, _ in self.project.names.scope(info).attrs):
                kept = self.project.returned(info).kept
                if kept:
                    out |= self.passed(call, info, kept, env)
        return out

    def _made_anew_in_place(self, call: Call) -> tuple[str, Taint] | None:
        """`random.shuffle(xs)`: the list, and what is made unstable in it."""
        name = call.func.attr if type(call.func) is Attr else call.func.id if type(call.func) is Name else ""
        if not call.args:
            return None
        base = place(call.args[0].value)
        if base is None:
            return None
        j = self.project.effects.judge(call, self.scope)
        last = j.paths[-1].rsplit(".", 1)[-1] if j.paths else name
        if j.unstable is None or j.targets or last not in IN_PLACE:
            return None
        return base, frozenset({Source("unstable", call, j.unstable)})

    def _weak(self, env: Env, base: str, taint: Taint, part: bool = False) -> None:
        """What is added to a thing is in all that it is a part of. `part`: it is added to a part of `base` that has a key of its own."""
        while True:
            own = env.get(base + OWN)
            if part and own is None:
                self._put(env, base + OWN, env.get(base, NONE))
            elif not part and own is not None:
                self._put(env, base + OWN, own | taint)
            self._put(env, base, env.get(base, NONE) | taint)
            cut = max(base.rfind("."), base.rfind("["))
            if cut <= 0:
                return
            base, part = base[:cut], True

    def _other_part(self, base: Any, env: Env) -> Taint | None:
        """What a thing gives for a key that was not set by name, when others were."""
        key = place(base)
        return env.get(key + OWN) if key is not None else None

    def _bind(self, node: Any, env: Env) -> Env:
        t = type(node)
        if t is Assign:
            if node.value is None:
                return env
            taint = self._taint(node.value, env)
            env = copied(env)
            for target in node.targets:
                self._store(env, target, node.value, taint)
            for key in self._items.get(id(node), ()):
                self._put(env, key, env.get(key, NONE) | taint)
            return env
        if t is AugAssign:
            taint = self._taint(node.value, env) | self._taint(node.target, env)
            env = copied(env)
            key = place(node.target)
            if key is not None:
                self._weak(env, key, taint)
            return env
        if t in (For, Generator):
            taint = self._taint(node.iter, env)
            env = copied(env)
            self._store(env, node.target, None, taint)
            held = place(node.iter)
            if held is not None and type(node.target) is Name:
                for key in self._below(env, held + ITEM):
                    self._put(env, node.target.id + key[len(held + ITEM):], env[key])
            return env
        if t is WithItem:
            taint = self._taint(node.value, env)
            env = copied(env)
            if node.target is not None:
                self._store(env, node.target, None, taint)
            return env
        if t is Walrus:
            taint = self._taint(node.value, env)
            env = copied(env)
            self._store(env, node.target, node.value, taint)
            return env
        if t is Handler:
            env = copied(env)
            if node.name:
                self._set(env, node.name, NONE)
            return env
        if t is Case:
            taint = NONE
            if node.captures:
                env = copied(env)
                for name in node.captures:
                    self._set(env, name, taint)
            return env
        if t is Def:
            env = copied(env)
            self._set(env, node.fn.name, NONE)
            return env
        if t is Delete:
            env = copied(env)
            for target in node.targets:
                key = place(target)
                if key is not None:
                    self._set(env, key, NONE)
            return env
        if t is Import:
            return env
        return env

    def _set(self, env: Env, key: str, taint: Taint) -> None:
        for k in self._below(env, key):
            del env[k]
        self._put(env, key, taint)

    def _put(self, env: Env, key: str, taint: Taint) -> None:
        env[key] = taint
        cut = max(key.rfind("."), key.rfind("["))
        while cut > 0 and key[:cut] not in self._split:
            self._split.add(key[:cut])
            cut = max(key.rfind(".", 0, cut), key.rfind("[", 0, cut))

    def _below(self, env: Env, key: str) -> list[str]:
        """The keys of the parts of `key`. Most variables have none anywhere, and functions can have thousands of variables."""
        return [k for k in env if k.startswith((key + ".", key + "["))] if key in self._split else []

    def _store(self, env: Env, target: Any, value: Any, taint: Taint) -> None:
        t = type(target)
        if taint and any(s.kind == MEASURED for s in taint) and _waits(target.id if t is Name else target.attr if t is Attr else target.index if t is Sub else None):
            taint = compared(taint)
        if t is Seq:
            if type(value) is Seq and len(value.elts) == len(target.elts) and not any(type(e) is Star for e in (*value.elts, *target.elts)):
                taints = [self._taint(v, env) for v in value.elts]
                for elt, v, tt in zip(target.elts, value.elts, taints):
                    self._store(env, elt, v, tt)
                return
            for elt in target.elts:
                self._store(env, elt, None, taint)
            return
        if t is Star:
            self._store(env, target.value, None, taint)
            return
        key = place(target)
        if key is None:
            base = target.value if t in (Sub, Attr) else None
            while base is not None and place(base) is None and type(base) in (Sub, Attr):
                base = base.value
            key = place(base) if base is not None else None
            if key is not None:
                self._weak(env, key, taint)
            return
        inner = self._parts(value, env)
        self._set(env, key, taint)
        for suffix, tt in inner:
            self._put(env, key + suffix, tt)
        cut = max(key.rfind("."), key.rfind("["))
        if cut > 0:
            self._weak(env, key[:cut], taint, part=True)

    def _loop_items(self) -> dict[int, list[str]]:
        """`for p in proposals: p.expires_at = until`: by the id of the assignment where it is found by who goes through the list again."""
        out: dict[int, list[str]] = {}
        for stmt in self.info.fn.body:
            for loop in walk(stmt):
                held = place(loop.iter) if type(loop) is For and type(loop.target) is Name else None
                for inner in loop.body if held is not None else ():
                    for node in walk(inner):
                        keys = [k for t in node.targets if (k := place(t)) is not None] if type(node) is Assign else []
                        if keys := [held + ITEM + k[len(loop.target.id):] for k in keys if k.startswith((loop.target.id + ".", loop.target.id + "["))]:
                            out[id(node)] = keys
        return out

    def _parts(self, value: Any, env: Env) -> list[tuple[str, Taint]]:
        """What is known of single keys and fields of a new object."""
        out: list[tuple[str, Taint]] = []
        if type(value) is Await:
            value = value.value
        if type(value) is Dict and all(k is not None for k in value.keys):
            for k, v in zip(value.keys, value.values):
                if type(k) is Const:
                    out.append((f"[{k.value!r}]", self._taint(v, env)))
                    out.extend((f"[{k.value!r}]{s}", tt) for s, tt in self._parts(v, env)[:20])
        elif type(value) is Call and (fields := self._returned_fields(value)):
            info, r = fields
            link = self.project.effects.link(value, self.scope, f"calls {info.name}()")
            for name, params, sources in r.fields:
                tt = self.passed(value, info, params, env) | frozenset(Source(kind, value, w.through(link)) for kind, w in sources)
                out.append((f"[{name!r}]", tt))
        elif type(value) is Call and (made := self._made_fields(value)):
            for name, given, factory in made:
                tt = self._taint(given, env) if given is not None else frozenset() if factory is None else frozenset({factory})
                out.append((f".{name}", tt))
        elif type(value) is Call and (init := self._constructor(value)) is not None and init.name == "__init__":
            link = self.project.effects.link(value, self.scope, f"calls {text(value.func, 40)}()")
            for name, params, sources in self.project.returned(init).stored:
                tt = self.passed(value, init, params, env) | frozenset(Source(kind, value, w.through(link)) for kind, w in sources)
                out.append((f".{name}", tt))
        elif type(value) is Call and value.args and all(a.name for a in value.args):
            if any(isinstance(v, Cls) for v in self.project.names.resolve(value.func, self.scope)) or _looks_like_class(value.func):
                for a in value.args:
                    out.append((f".{a.name}", self._taint(a.value, env)))
                    out.append((f"[{a.name!r}]", self._taint(a.value, env)))
        else:
            key = place(value) if value is not None else None
            if key is not None:
                for k in self._below(env, key):
                    out.append((k[len(key):], env[k]))
        return out[:60]

    def _made_fields(self, call: Call) -> list[tuple[str, Any, Source | None]]:
        """The fields of a dataclass or model that a call makes with unstable defaults: (name, what is given for it, its default as a source)."""
        found = self.project.effects.factories(call, self.scope)
        if not found:
            return []
        link = self.project.effects.link(call, self.scope, f"{text(call.func, 40)}() makes a new value for a field")
        return [(name, given, Source("unstable", call, w.through(link)) if w is not None and given is None else None) for name, given, w in found]

    def _constructor(self, call: Call) -> FnInfo | None:
        """The one `__init__` (or `__post_init__`) that a call of a project class runs."""
        j = self.project.effects.judge(call, self.scope)
        if len(j.targets) != 1 or j.targets[0].name not in ("__init__", "__post_init__") or j.targets[0] is self.info:
            return None
        return j.targets[0] if any(isinstance(v, Cls) for v in self.project.names.resolve(call.func, self.scope)) else None

    def _returned_fields(self, call: Call) -> tuple[FnInfo, Returned] | None:
        """The one project function that a call runs, when it always returns dict displays with known keys."""
        j = self.project.effects.judge(call, self.scope)
        if len(j.targets) != 1 or self.project.is_task(j.targets[0]):
            return None
        r = self.project.returned(j.targets[0])
        return (j.targets[0], r) if r.fields else None

    # ---- expressions
    def taint(self, expr: Any, point: Point) -> Taint:
        """The sources that may be in `expr` when it is evaluated at `point`."""
        env = self.env.get(point.id)
        return NONE if env is None or expr is None else self._taint(expr, env)

    def _taint(self, e: Any, env: Env) -> Taint:
        t = type(e)
        if e is None or t is Const:
            return NONE
        if t is Name:
            found = env.get(e.id)
            if found is not None and any(s.kind == "memory" for s in found) and (e.id in self.info.fn.globals or e.id in self.info.fn.nonlocals):
                return found | self._memory(e)  # counted above, and read here
            return found if found is not None else self._memory(e)
        if t is Attr and type(e.value) is Name and self.project.order.changes(e, self.scope):
            return frozenset({self._memory_source(e)}) | env.get(place(e) or "", NONE)
        if t is Attr or t is Sub:
            key = place(e)
            if key is not None:
                found = env.get(key)
                if found is not None:
                    return found
                if (t is Sub or e.attr not in self.project.names.properties) and (own := self._other_part(e.value, env)) is not None:
                    return own
            out = self._taint(e.value, env)
            if out:
                out = self._without_keys(e, out, env)
            if t is Attr and e.attr in BARE_NAMES and any(s.kind == "temporary" for s in out) and any(
                    isinstance(v, Ext) and v.path.startswith("pathlib.") for v in self.project.names.resolve(e.value, self.scope)):
                out = frozenset(s for s in out if s.kind != "temporary")
            return out | self._taint(e.index, env) if t is Sub and type(e.index) is not Const else out
        if t is Call:
            return self._call(e, env)
        if t in (Await, Star):
            return self._taint(e.value, env)
        if t is Walrus:
            return self._taint(e.value, env)
        if t is IfExp:
            return self._taint(e.body, env) | self._taint(e.orelse, env) | self._taint(e.test, env)
        if t is BoolOp:
            return self._all(e.values, env)
        if t is Cmp:
            found = self._taint(e.left, env) | self._all(e.rights, env)
            return found if MEMBERSHIP.issuperset(e.ops) else compared(found)
        if t is Bin and e.op == "-":
            return _difference(self._taint(e.left, env), self._taint(e.right, env))
        if t is Bin:
            return self._taint(e.left, env) | self._taint(e.right, env)
        if t is Un:
            return self._taint(e.value, env)
        if t is FStr or t is Opaque:
            return self._all(e.parts, env)
        if t is Dict:
            out = self._all([k for k in e.keys if k is not None], env)
            for k, v in zip(e.keys, e.values):
                tt = self._taint(v, env)
                out |= compared(tt) if tt and _waits(k) else tt
            return out
        if t is Seq:
            return self._all(e.elts, env)
        if t is Slice:
            # `messages[len(given):]`: how many were given, not what they say.
            return self._all([x for x in (e.lower, e.upper, e.step) if x is not None and not (type(x) is Call and dotted(x.func) == "len")], env)
        if t is Comp:
            inner = copied(env)
            out = NONE
            for g in e.generators:
                it = self._taint(g.iter, inner)
                out |= it
                self._store(inner, g.target, None, it)
                out |= self._all(g.ifs, inner)
            out |= self._taint(e.elt, inner)
            if e.key is not None:
                out |= self._taint(e.key, inner)
            return out
        if t is Yield:
            return NONE
        if t is Lambda:
            return NONE
        if t is Arg:
            return self._taint(e.value, env)
        return self._all(list(children(e)), env)

    def _without_keys(self, e: Any, taint: Taint, env: Env) -> Taint:
        """`connector.id` of a row that was asked for by its id is what it was asked for, whatever else of the row has changed."""
        name = e.attr if type(e) is Attr else e.index.value if type(e.index) is Const else None
        for s in taint if isinstance(name, str) else ():
            if s.kind == "read" and type(s.node) is Call:
                found = self._keys.get(id(s.node))
                if found is None:
                    found = self._keys[id(s.node)] = keys(self.project.names, s.node, self.scope)
                if name in found:
                    taint = taint - {s} | (self._taint(found[name], env) - {s})
        return taint

    def _memory(self, e: Name) -> Taint:
        """A global or closure variable that the process changes while it runs."""
        return frozenset({self._memory_source(e)}) if self.project.order.changes(e, self.scope) else NONE

    def _memory_source(self, e: Any) -> Source:
        shown = text(e, 40)
        what = COUNTED if self.project.order.counts(e, self.scope) else "is memory that other runs change"
        link = self.project.effects.link(e, self.scope, f"{shown} {what}")
        return Source("memory", e, Witness("memory", what, "proved", shown, (link,)))

    def _all(self, exprs: Iterable[Any], env: Env) -> Taint:
        out = NONE
        for e in exprs:
            out |= self._taint(e, env)
        return out

    def _call(self, call: Call, env: Env) -> Taint:
        key = place(call)
        if key is not None and key in env:
            out = env[key]
            return out | self._taint(call.args[1].value, env) if len(call.args) > 1 else out
        if key is not None and (own := self._other_part(call.func.value, env)) is not None and not self.project.judge(call, self.scope).targets:
            return own | self._taint(call.args[1].value, env) if len(call.args) > 1 else own
        return self.call_taint(call, self.project.judge(call, self.scope), env)

    def call_taint(self, call: Call, j: Judged, env: Env) -> Taint:
        if j.pause is not None and not j.targets:
            answer = Source("answer", call)
            # A hook's `handler(request)` gives what the tool made, besides passing on its pause.
            return frozenset({answer, Source("effect", call, j.effect)}) if j.dispatch and j.effect is not None else frozenset({answer})
        if j.result == "stable" and not j.targets:
            return NONE
        if j.paths == ("len",) and self.project.order.counts(call, self.scope):
            return frozenset({self._memory_source(call)})
        if made := self._made_fields(call):
            out = frozenset(factory for _, _, factory in made if factory is not None)
            for a in call.args:
                out |= self._taint(a.value, env)
            return out
        if (init := self._constructor(call)) is not None:
            # What the object is asked for later may be any of what it was given. A clock or id of its own is only seen at its attribute.
            if init.name == "__init__":
                made = init.cls
                for v in self.project.names.resolve(call.func, self.scope):
                    made = v.info if isinstance(v, Cls) else made
                return NONE if made is None or self.project.serves(made) else self.passed(call, init, self.project.returned(init).kept, env)
            return self._all([a.value for a in call.args], env)
        if j.targets:
            return self._project_call(call, j, env)
        out = NONE
        if any(x in TEMPORARY for x in j.paths):
            return frozenset({Source("temporary", call, self._temporary(call))})
        if j.result == "own":
            own = {Source(k, call, w) for k in ("model", "effect", "unstable", "read") if (w := getattr(j, k)) is not None and w.what != ENVIRONMENT}
            if own:
                return frozenset(own)
        for a in call.args:
            out |= self._taint(a.value, env)
        if type(call.func) in (Attr, Sub):
            out |= self._taint(call.func.value, env)
        elif type(call.func) is Call:
            out |= self._taint(call.func, env)
        if any(s.kind == "temporary" for s in out) and not _keeps_paths(call, j):
            out = frozenset(s for s in out if s.kind != "temporary")  # what is in a file is not the file
        return out

    def _temporary(self, call: Call) -> Witness:
        shown = text(call.func, 40)
        return Witness("temporary", "makes something temporary", "proved", shown, (self.project.effects.link(call, self.scope, f"{shown}() makes something temporary"),))

    def _project_call(self, call: Call, j: Judged, env: Env) -> Taint:
        out: set[Source] = set()
        for info in j.targets:
            if self.project.is_restored(info):
                continue
            r = self.project.returned(info)
            link = self.project.effects.link(call, self.scope, f"calls {info.name}()")
            for kind, w in r.sources:
                if kind == "effect" and w.what in REMOTE_TOOLS and j.effect is None and j.read is not None:
                    out.add(Source("read", call, j.read))  # the name of the tool, given here, says that it only looks something up
                    continue
                # A clock or id deep below is rarely in the part of the result that counts: the flow does not tell parts apart that far down.
                # A call that itself counts (it changes the memory that it decides by) counts again on resume, however deep that is.
                if len(w.links) <= DEPTHS.get(kind, 12) or (kind == "memory" and j.grow is not None and _same_memory(j.grow, w)):
                    anew = w.lasts and self.project.once.all_of(info) and not self.project.effects.kept(info, call, self.scope)
                    out.add(Source(kind, call, (replace(w, lasts=False) if anew else w).through(link)))
            if r.answer:
                out.add(Source("answer", call))
            out |= self.passed(call, info, r.params, env)
            if not any(kind != "temporary" for kind, _ in r.sources):
                # A helper that is known only by its name gives what the name says.
                for kind in ("model", "effect", "unstable", "read"):
                    w2 = getattr(j, kind)
                    if w2 is not None and not w2.proved and len(w2.links) == 1:
                        out.add(Source(kind, call, w2))
        return frozenset(out)

    def passed(self, call: Call, info: FnInfo, params: frozenset[str], env: Env) -> Taint:
        """The sources in what a call passes for the named parameters."""
        out = NONE
        if not params:
            return out
        bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
        for n, p in enumerate(info.fn.params):
            if p.name not in params and p.name + SINCE not in params:
                continue
            if p.name not in params:
                arg = argument(call, info.fn, p, bound)
                out |= measured(self._taint(arg, env)) if arg is not None else NONE
                continue
            if n == 0 and bound:
                if type(call.func) is Attr:
                    out |= self._taint(call.func.value, env)
                continue
            arg = argument(call, info.fn, p, bound)
            if arg is not None:
                parts = self.project.looks_at(info, p.name) if self._other_part(arg, env) is not None else None
                out |= self._taint(arg, env) if parts is None else self._all([Attr(arg.at, arg, part) for part in parts], env)
            elif p.kind in ("star", "star2") or any(a.star for a in call.args):
                for a in call.args:
                    if a.star or (p.kind == "star2" and a.name and not any(q.name == a.name for q in info.fn.params)) or (p.kind == "star" and not a.name):
                        out |= self._taint(a.value, env)
        return out


def _chooses(test: If, bound: Assign) -> bool:
    """Whether an `if` decides which value a name has. Behind `if late: return` it only decides whether the function comes that far at all."""
    inner = [n for stmt in (*test.body, *test.orelse) for n in walk(stmt)]
    return any(n is bound or type(n) in (Break, Continue) for n in inner)


def _reads_clock(s: Source) -> bool:
    return s.kind == "unstable" and s.witness is not None and s.witness.what == "reads the clock"


def _difference(left: Taint, right: Taint) -> Taint:
    """`time.time() - start`: how long it took is a measurement, which is right whenever it is made, and no fact that somebody relies on."""
    if any(map(_reads_clock, left)) and any(map(_reads_clock, right)):
        return measured(left | right)
    for clock, given in ((left, right), (right, left)):
        if any(map(_reads_clock, clock)) and given and all(s.kind == "param" for s in given):
            # `def since(start): return time.time() - start`: whether it is a duration is seen where it is called.
            return clock | frozenset(Source("param", s.node if s.node.endswith(SINCE) else s.node + SINCE) for s in given)
    return left | right


def _waits(name: Any) -> bool:
    """Whether a name or key says that a duration is the time for which somebody waited: `waited`, `response_time_s`."""
    shown = name if isinstance(name, str) else name.value if type(name) is Const and name.kind == "str" else ""
    return bool(shown) and not WAITING.isdisjoint(verbs.words(shown))


def measured(taint: Taint) -> Taint:
    """The same with readings of the clock that only a duration is made of."""
    return frozenset(Source(MEASURED, s.node, s.witness) if _reads_clock(s) else s for s in taint)


def compared(taint: Taint) -> Taint:
    """What decides when a value is compared or tested: a measured time is a reading of the clock again."""
    return frozenset(Source("unstable", s.node, s.witness) if s.kind == MEASURED else s for s in taint)


def decided(test: Any, taint: Taint) -> Taint:
    """What decides in a test: a measured time does, unless it is only in the thing that is asked for a key: `if "error" in update:`."""
    while type(test) is Un and test.op == "not":
        test = test.value
    return taint if type(test) is Cmp and MEMBERSHIP.issuperset(test.ops) else compared(taint)


def _stands_for(key: str, env: Env) -> Taint:
    """What a key that is not known by name gives: what the nearest thing that holds it has apart from its known parts."""
    while True:
        cut = max(key.rfind("."), key.rfind("["))
        if cut <= 0:
            return NONE
        key = key[:cut]
        if key in env:
            return env.get(key + OWN, env[key])


def _join(old: Env, new: Env) -> Env:
    """The union of two environments; `old` itself when nothing is new."""
    if old is new:
        return old
    near = None if type(old) is dict and type(new) is dict and len(old) <= SMALL else apart(old, new)
    out: Env | None = None
    for k, tt in new.items() if near is None else [(k, new[k]) for k in near if k in new]:
        have = old.get(k)
        if have is None:
            # A key that only one path knows: on the other path its base stands for it.
            if "." in k or "[" in k:
                merged = tt | _stands_for(k, old)
            else:
                merged = tt
            if out is None:
                out = copied(old)
            out[k] = merged
        elif have is not tt and not tt <= have:
            if out is None:
                out = copied(old)
            out[k] = have | tt
    for k, have in old.items() if near is None else [(k, old[k]) for k in near if k in old]:
        if k not in new and ("." in k or "[" in k):
            base = _stands_for(k, new)
            if not base <= have:
                if out is None:
                    out = copied(old)
                out[k] = have | base
    if out is None:
        return old
    return rebased(out, new) if near is None else out


def _same_memory(grown: Witness, read: Witness) -> bool:
    """Whether what a call grows is what its result is read from: by name, or through a local name for something kept on the object."""
    return read.callee in (grown.callee, f"len({grown.callee})") or ("kept on the object" in grown.what and "." not in grown.callee)


def _keeps_paths(call: Call, j: Judged) -> bool:
    """Whether a library or unknown call that is given a path gives a path (or something that holds it) back."""
    if any(x.startswith(PATH_CALLS) or x in PATH_TYPES for x in j.paths):
        return True
    return type(call.func) is Attr and call.func.attr in PATH_METHODS or _looks_like_class(call.func)


def _looks_like_class(func: Any) -> bool:
    name = func.attr if type(func) is Attr else func.id if type(func) is Name else ""
    return name[:1].isupper() and not name.isupper()


__all__ = ["Ext", "Flow", "Returned", "Source", "UNSTABLE_KINDS", "ordered", "place"]
