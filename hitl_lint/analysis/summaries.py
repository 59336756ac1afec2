"""What a project function does, seen from a caller: computed bottom-up with a fixpoint over call cycles.

Each summary keeps the first witness of each kind, so that a message can show the chain of calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable

from hitl_lint.analysis.effects import Link, Witness
from hitl_lint.analysis.names import Cls, Ext, Fn, FnInfo, Lit, Mod, ParamOf, Scope
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue import surface, verbs
from hitl_lint.facts import (
    Assign, Attr, AugAssign, Await, Bin, Call, Cmp, Comp, Const, Dict, ExprStmt, FStr, Name, Pass, Raise, Return, Seq, Star, Sub, While, dotted, text, walk,
)

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project


@dataclass(slots=True)
class Summary:
    """`unknown` is True when some call in the body cannot be resolved; `placeholder` when the body only stands in for real code;
    `own_pause` is the pause of the body itself, without those of decorators."""

    pause: Witness | None = None
    own_pause: Witness | None = None
    effect: Witness | None = None
    model: Witness | None = None
    unstable: Witness | None = None
    read: Witness | None = None
    grow: Witness | None = None
    calls_params: frozenset[str] = frozenset()
    placeholder: bool = False
    unknown: bool = False


EMPTY = Summary()
KINDS = ("pause", "effect", "model", "unstable", "read", "grow")
MAX_ALIASES = 4  # names and calls between a container and the place that grows it
NEW = frozenset({"list", "dict", "set", "sorted", "deque", "Counter", "defaultdict", "OrderedDict", "deepcopy", "copy", "len", "int", "float", "str", "sum"})
COUNTING = frozenset({"append", "extend", "insert", "pop", "popleft", "appendleft", "popitem"})


class Summaries:
    """Summaries on demand. Strongly connected functions (mutual recursion) are found as in Tarjan's algorithm: while a cycle is open its
    members answer with what is known so far; when its root is done they are computed round by round until nothing changes."""

    MAX_DEPTH = 250
    MAX_ROUNDS = 6

    def __init__(self, project: "Project") -> None:
        self.project = project
        self._done: dict[int, Summary] = {}
        self._open: dict[int, Summary] = {}  # on the stack, or finished but part of a cycle that is still open
        self._index: dict[int, int] = {}
        self._low: list[int] = []
        self._stack: list[FnInfo] = []
        self._growth: dict[int, Witness | None] = {}
        self.incomplete = 0  # grows whenever an answer was given from an unfinished summary; whoever used it must not remember

    def of(self, info: FnInfo) -> Summary:
        key = id(info.fn)
        found = self._done.get(key)
        if found is not None:
            return found
        current = self._open.get(key)
        if current is not None:
            self.incomplete += 1
            if self._low:
                self._low[-1] = min(self._low[-1], self._index[key])
            return current
        if len(self._low) > self.MAX_DEPTH:
            self.incomplete += 1
            return EMPTY
        index = self._index[key] = len(self._stack)
        self._stack.append(info)
        self._low.append(index)
        summary = self._open[key] = Summary()
        self._compute(info, summary)
        low = self._low.pop()
        if low < index:
            self._low[-1] = min(self._low[-1], low)
            return summary
        members = self._stack[index:]
        if len(members) > 1:
            self._settle(members)
        for m in members:
            self._done[id(m.fn)] = self._open.pop(id(m.fn))
        del self._stack[index:]
        return self._done[key]

    def _settle(self, members: list[FnInfo]) -> None:
        """Fixpoint over one cycle. Kinds only ever get added, so it ends; the number of rounds is bounded all the same."""
        for _ in range(self.MAX_ROUNDS):
            changed = False
            for m in members:
                new = Summary()
                self._low.append(0)
                self._compute(m, new)
                self._low.pop()
                old = self._open[id(m.fn)]
                if any((getattr(new, k) is None) != (getattr(old, k) is None) for k in KINDS) or new.calls_params != old.calls_params:
                    changed = True
                self._open[id(m.fn)] = new
            if not changed:
                return

    def _compute(self, info: FnInfo, s: Summary) -> None:
        names, effects = self.project.names, self.project.effects
        scope = names.scope(info)
        s.placeholder = is_placeholder(info)
        params = {p.name for p in info.fn.params}
        called: set[str] = set()
        late = self._after_yield(info, scope)
        for call in self.project.implicit.calls(scope):
            j = effects.judge(call, scope)
            for kind in KINDS:
                mine, theirs = getattr(s, kind), getattr(j, kind)
                if id(call) in late and kind != "pause":
                    continue
                if kind == "effect" and theirs is not None and self.project.replay.once(info, call, theirs):
                    continue
                if theirs is not None and kind == "effect":
                    theirs = theirs.within(info.name)
                if theirs is not None and theirs.beats(mine):
                    setattr(s, kind, theirs)
            if not j.known:
                s.unknown = True
            if type(call.func) is Name and call.func.id in params:
                called.add(call.func.id)
        # A function nested in this one counts where it is called or handed to somebody who calls it; one that is only returned (a
        # decorator, a factory) runs later, and elsewhere.
        for sub in self._run_here(info, scope):
            inner = self.of(sub)
            if inner.calls_params:
                called |= inner.calls_params & params
            for call in names.scope(sub).calls:
                f = call.func
                while type(f) is Attr:
                    f = f.value
                if type(f) is Name and f.id in params:
                    called.add(f.id)
        s.calls_params = frozenset(called)
        if s.pause is not None:
            s.pause = s.own_pause = self._escaping(info, scope)
        # While only the question of who pauses is open, nobody asks what grows.
        if self.project.names.reading and id(info.fn) not in self._growth:
            self._growth[id(info.fn)] = self._grows(info, scope)
        grow = self._growth.get(id(info.fn))
        if grow is not None and (s.grow is None):
            s.grow = grow
        if s.model is not None and any(path.removesuffix("()") in lg.CACHE_DECORATORS for path, _ in self.project.decorator_paths(info)):
            s.model = None  # asked once: the second run gets what is kept
        for kind in ("effect", "model", "pause", "read", "grow"):
            for d in self.project.decorator_functions(info):
                inner = self.of(d)
                w = getattr(inner, kind)
                if w is not None and getattr(s, kind) is None:
                    setattr(s, kind, w.through(Link(info.module.path, info.fn.at, f"{info.name}() is wrapped by {d.name}()")))

    def _after_yield(self, info: FnInfo, scope: Scope) -> set[int]:
        """The calls of a `@contextmanager` that only run when its block is left (HIL203 looks at these), by id."""
        if not info.fn.is_generator or not any(p in lg.CONTEXT_MANAGER_DECORATORS for p, _ in self.project.decorator_paths(info)):
            return set()
        cfg = self.project.cfg(info)
        before = cfg.reaching([p for p in cfg.points if p.kind == "yield"])
        return {id(c) for c in scope.calls if not any(p in before for p in cfg.at(c))}

    def _escaping(self, info: FnInfo, scope: Scope) -> Witness | None:
        """The first pause that leaves the function: one that is caught on the way pauses nobody."""
        cfg = self.project.cfg(info)
        signals = self.project.signals
        around = any(o.stops for o in signals.around(info))
        for call in self.project.implicit.calls(scope):
            w = self.project.effects.judge(call, scope).pause
            if w is None or around:
                continue
            if any(signals.leaves(info, cfg, p) for p in cfg.at(call)):
                return w
        return None

    def _run_here(self, info: FnInfo, scope: Scope) -> list[FnInfo]:
        """The nested functions that the body itself calls or hands over to be called."""
        nested = {name: b.node for name, bindings in scope.bindings.items() for b in bindings if b.how == "def"}
        if not nested:
            return []
        out: dict[str, FnInfo] = {}
        for call in scope.calls:
            if type(call.func) is Name and call.func.id in nested:
                out[call.func.id] = nested[call.func.id]
            passed = [a.value.id for a in call.args if type(a.value) is Name and a.value.id in nested]
            if passed and any(isinstance(v, Ext) and surface.call_mode(v.path) for v in self.project.names.resolve(call.func, scope)):
                out.update({name: nested[name] for name in passed})
        return list(out.values())

    # ---- shared memory
    def _grows(self, info: FnInfo, scope: Scope) -> Witness | None:
        for stmt, target, how in growths(info.fn.body, lambda e: self.counts(e, scope)):
            what = self.memory(target, scope) if type(stmt) is Call else self.shared(target, scope)
            if what is not None and not self.starts_here(info, target, stmt):
                at = stmt.at
                return Witness("grow", f"{how} {what}", "proved", text(target, 40),
                               (Link(scope.module.path, at, f"{how} {text(target, 40)}, which is {what}"),))
        return None

    def counts(self, expr: Any, scope: Scope) -> bool:
        """Whether an object is a `Counter`, whose `update` adds."""
        return any(isinstance(v, Ext) and v.path == "collections.Counter()" for v in self.project.names.resolve(expr, scope))

    def starts_here(self, info: FnInfo, target: Any, node: Any) -> bool:
        """Whether what is grown is set to something new on every way to it: `self.seen = []` … `self.seen.append(x)`."""
        name = text(target, 200)
        cfg = self.project.cfg(info)
        resets = [p for p in cfg.points if p.kind == "bind" and type(p.node) is Assign and p.node is not node and is_new(p.node.value)
                  and any(text(t, 200) == name for t in p.node.targets)]
        points = cfg.at(node) if resets else []
        return bool(points) and all(any(cfg.dominates(r, p) for r in resets) for p in points)

    def memory(self, target: Any, scope: Scope, depth: int = 0) -> str | None:
        """As `shared`, also through a local name for the object: `window = self.windows.get(key)`, `window = self._window(key)`."""
        what = self.shared(target, scope)
        if what is not None or depth > MAX_ALIASES or scope.kind != "function":
            return what
        if type(target) is Name:
            for b in scope.bindings.get(target.id, ()):
                if b.how == "value" and (what := self.memory(b.node, scope, depth + 1)) is not None:
                    return what
            return None
        if type(target) is Await:
            return self.memory(target.value, scope, depth + 1)
        if type(target) is not Call:
            return None
        if type(target.func) is Attr and target.func.attr in ("get", "setdefault"):
            kept = Sub(target.at, target.func.value, Const(target.at, "none", None))
            return self.shared(kept, scope) or self.memory(target.func.value, scope, depth + 1)
        for v in self.project.names.resolve(target.func, scope):
            # A method of this very object (or a function) that hands out what it keeps.
            if isinstance(v, Fn) and (type(target.func) is Name or self.shared(Attr(target.at, target.func.value, "_"), scope) is not None):
                inner = self.project.names.scope(v.info)
                for stmt in v.info.fn.body:
                    for node in walk(stmt):
                        if type(node) is Return and node.value is not None and (what := self.memory(node.value, inner, depth + 1)) is not None:
                            return what
        return None

    def shared(self, target: Any, scope: Scope) -> str | None:
        """Whether a dotted target lives longer than one activation: "a module global", "an attribute of self", "a variable of the enclosing function"."""
        base = target
        while type(base) in (Attr, Sub) or _set_default(base):
            base = base.func.value if type(base) is Call else base.value
        if type(base) is not Name:
            return "memory kept on the class" if base is not target and _own_class(base, scope) else None
        owner = scope.owner
        if scope.kind != "function":
            return None
        fn = owner.fn
        if base.id in fn.globals:
            return "a module global"
        if base.id in fn.nonlocals:
            return "a variable of the enclosing function"
        if base.id in scope.bindings:
            first = fn.params[0].name if fn.params else ""
            if owner.cls is not None and base.id == first and type(target) is not Name and "staticmethod" not in {dotted(d) for d in fn.decorators}:
                if owner.name in ("__init__", "__post_init__", "__enter__", "__aenter__"):
                    return None
                return "memory kept on the object" if first == "self" else "memory kept on the class"
            return None
        found = self.project.names.lookup(base.id, scope)
        if found is None:
            return None
        bindings, where = found
        if any(b.how in ("import", "def", "class") for b in bindings):
            return self._on_definition(target, base, scope)
        if where.kind == "module":
            return "a module global"
        if where.kind == "function":
            return "a variable of the enclosing function"
        return None


    def _on_definition(self, target: Any, base: Any, scope: Scope) -> str | None:
        """The same for what hangs on an imported name, a class or a function: `K.n`, `stats.TOTALS["k"]`, `node.calls`."""
        names = self.project.names
        parts: list[Any] = []
        e = target
        while type(e) in (Attr, Sub) or _set_default(e):
            parts.append(e)
            e = e.func.value if type(e) is Call else e.value
        here: Any = base
        while True:
            values = names.resolve(here, scope)
            if not parts or not values or not all(isinstance(v, Mod) for v in values):
                break
            here = parts.pop()
        if values and all(type(getattr(v, "expr", None)) in (Seq, Dict, Const) or isinstance(v, Ext) and v.path in CONTAINER_OBJECTS for v in values):
            return "a module global"
        if not parts or type(parts[-1]) is not Attr or not values or not all(isinstance(v, (Cls, Fn)) for v in values):
            return None
        if isinstance(values[0], Fn):
            return "memory kept on the function"
        # What is grown by a call must be seen to be a container: `User.query.insert(…)` is not.
        return "memory kept on the class" if all(isinstance(v, Lit) or isinstance(v, Ext) and v.path in CONTAINER_OBJECTS
                                                 for v in names.resolve(parts[-1], scope)) else None


CONTAINER_OBJECTS = frozenset({"list()", "dict()", "set()", "collections.defaultdict()", "collections.deque()", "collections.OrderedDict()",
                               "collections.Counter()"})


def _set_default(e: Any) -> bool:
    """`d.setdefault(k, {})`: an object that is kept in `d`."""
    return type(e) is Call and type(e.func) is Attr and e.func.attr == "setdefault"


def _own_class(e: Any, scope: Scope) -> bool:
    """`type(self)` in a method."""
    return type(e) is Call and dotted(e.func) == "type" and len(e.args) == 1 and isinstance(scope.owner, FnInfo) and scope.owner.cls is not None and bool(
        scope.owner.fn.params) and dotted(e.args[0].value) == scope.owner.fn.params[0].name


def is_new(value: Any) -> bool:
    """Whether an expression makes a new object (or a number or text), so that nobody else holds what it gives."""
    if type(value) is Call:
        return (dotted(value.func) or "").rsplit(".", 1)[-1] in NEW
    return type(value) in (Seq, Dict, Comp, Const, FStr)


def growths(body: list[Any], counts: Callable[[Any], bool]) -> list[tuple[Any, Any, str]]:
    """(node, target, how) for each statement that grows or counts something in place: `x.append(…)`, `x += …`, `x = x + …`.
    `counts` says whether an object is a Counter."""
    out: list[tuple[Any, Any, str]] = []
    trims: set[int] = set()
    for stmt in body:
        for node in walk(stmt):
            t = type(node)
            if t is While:
                trims |= _trimming(node)
            if t is Call and id(node) in trims:
                continue
            if t is AugAssign and node.op in ("+", "-", "*", "|", "//", "/") and type(node.target) in (Name, Attr, Sub):
                out.append((node, node.target, "adds to"))
            elif t is Call and type(node.func) is Attr and node.func.attr in COUNTING and not _by_key(node):
                out.append((node, node.func.value, "grows" if "pop" not in node.func.attr else "takes from"))
            elif t is Call and type(node.func) is Attr and node.func.attr in ("update", "subtract") and counts(node.func.value):
                out.append((node, node.func.value, "adds to" if node.func.attr == "update" else "takes from"))
            elif t is Assign and node.value is not None and len(node.targets) == 1 and type(node.targets[0]) in (Attr, Sub, Name):
                if _adds(node.targets[0], node.value):
                    out.append((node, node.targets[0], "adds to"))
    return out


def _trimming(loop: While) -> set[int]:
    """The calls of `while len(kept) > LIMIT: kept.popitem()`: what is too much goes, and nothing the second time."""
    test = loop.test
    if not (type(test) is Cmp and len(test.ops) == 1 and test.ops[0] in (">", ">=") and type(test.left) is Call and dotted(test.left.func) == "len" and test.left.args):
        return set()
    limit, kept = test.rights[0], text(test.left.args[0].value, 200)
    if type(limit) is Const and not (limit.kind == "int" and limit.value > 0):
        return set()
    return {id(n) for s in loop.body for n in walk(s) if type(n) is Call and type(n.func) is Attr and "pop" in n.func.attr and text(n.func.value, 200) == kept}


def _by_key(call: Call) -> bool:
    """`d.pop(key, None)`: taken out twice is taken out once; `items.pop()` and `items.pop(0)` take another one each time."""
    return call.func.attr == "pop" and bool(call.args) and not (len(call.args) == 1 and type(call.args[0].value) is Const and call.args[0].value.kind == "int")


def _adds(target: Any, value: Any) -> bool:
    """`x = x + …`, `d[k] = d.get(k, 0) + 1`, `d[k] = [*d.get(k, []), …]`: the new value is the old one and more."""
    if type(value) is Bin and value.op in ("+", "-"):
        return _old(value.left, target) or (value.op == "+" and _old(value.right, target))
    return type(value) is Seq and value.kind != "set" and len(value.elts) > 1 and any(type(e) is Star and _old(e.value, target) for e in value.elts)


def _old(e: Any, target: Any) -> bool:
    """Whether an expression is what a target held before."""
    if type(target) is Sub and type(e) is Call and type(e.func) is Attr and e.func.attr == "get" and e.args:
        return text(e.func.value, 200) == text(target.value, 200) and text(e.args[0].value, 200) == text(target.index, 200)
    return text(e, 200) == text(target, 200)


def is_placeholder(info: FnInfo) -> bool:
    """Whether the body only stands in for real code, as in examples, tests and templates (RULES.md, *placeholder body*)."""
    body = info.fn.body
    if info.fn.name == "<lambda>":
        return False
    for stmt in body:
        t = type(stmt)
        if t is Pass:
            continue
        if t is ExprStmt:
            v = stmt.value
            if type(v) is Const:
                continue
            if type(v).__name__ == "Await":
                v = v.value
            if type(v) is Call:
                name = dotted(v.func) or ""
                last = name.rsplit(".", 1)[-1]
                if last in ("print", "sleep", "append", "pprint") or verbs.harmless_name(name.split(".")):
                    continue
            return False
        if t is Return:
            if stmt.value is None or _plain(stmt.value):
                continue
            return False
        if t is Raise:
            exc = stmt.exc.func if type(stmt.exc) is Call else stmt.exc
            if dotted(exc) in ("NotImplementedError",):
                continue
            return False
        if t is AugAssign:
            continue
        if t is Assign and stmt.value is not None and _plain(stmt.value):
            continue
        return False
    return True


PLAIN_METHODS = frozenset({"get", "format", "strip", "join", "upper", "lower", "strftime", "isoformat"})


def _plain(e: Any) -> bool:
    """A literal, display or f-string built from parameters, or a parameter itself."""
    for node in walk(e):
        if type(node) is Call:
            name = dotted(node.func) or ""
            if name not in ("str", "repr", "dict", "int", "float", "round", "join", "len") and not (type(node.func) is Attr and node.func.attr in PLAIN_METHODS):
                return False
        if type(node) is Bin and not any(type(x) in (Const, FStr) and getattr(x, "kind", "str") == "str" for x in (node.left, node.right)):
            return False  # a computation, not a stand-in
        if type(node) in (Comp, Cmp):
            return False
    return True


__all__ = ["EMPTY", "Ext", "FStr", "Fn", "ParamOf", "Summaries", "Summary", "growths", "is_placeholder"]
