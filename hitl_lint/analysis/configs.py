"""Which thread and which checkpoint a run is resumed on, from the config that it is given.

What cannot be followed (a parameter, an attribute, a session) is somebody else's choice and silent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.names import FnInfo, Fn, Lit, Scope, argument
from hitl_lint.analysis.requests import Requests
from hitl_lint.analysis.turns import Turn, nodes_in, unawaited
from hitl_lint.facts import Assign, Attr, BoolOp, Call, Comp, Const, Dict, For, FStr, If, Name, Return, Slice, Sub, Un, While, Yield, dotted, text, walk
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

MAX_DEPTH = 6
MAX_CALLERS = 12
NEW_IDS = ("uuid4", "uuid1", "uuid7", "token_hex", "token_urlsafe", "ulid", "nanoid", "ksuid")
LATEST = frozenset({"get_state", "aget_state"})
HISTORY = frozenset({"get_state_history", "aget_state_history"})


@record
class Place:
    """A place that makes a config what it is: `node` in `scope`."""

    node: Any
    scope: Scope

    @property
    def shown(self) -> str:
        return text(self.node, 50)


class Configs:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names
        self.requests = Requests(project)

    # ---- the thread
    def fresh_thread(self, turn: Turn) -> Place | None:
        """Where a thread id is made on the spot for this run alone: a random id that nothing has used before."""
        return self._fresh(turn.config, turn.scope, turn, 0) if turn.config is not None else None

    def _fresh(self, config: Any, scope: Scope, turn: Turn, depth: int) -> Place | None:
        for thread, where in self._threads(config, scope, turn, depth):
            found = self._new_id(thread, where, turn, 0)
            if found is not None:
                return found
        return None

    def no_thread(self, turn: Turn) -> Place | None:
        """Where the thread id is None or ""."""
        if turn.config is None:
            return None
        for thread, where in self._threads(turn.config, turn.scope, turn, 0, spent=True):
            if type(thread) is Const and thread.value in (None, ""):
                return Place(thread, where)
        return None

    def _threads(self, config: Any, scope: Scope, turn: Turn, depth: int, spent: bool = False) -> Iterator[tuple[Any, Scope]]:
        """The expressions that name the thread of a config which is made for this run alone (or, `spent`, whoever else uses it)."""
        for display, where in self._displays(config, scope, turn, depth, spent):
            for key, value in zip(display.keys, display.values):
                if type(key) is Const and key.value == "configurable":
                    inner = [(value, where)] if type(value) is Dict else list(self._displays(value, where, turn, depth + 1, spent))
                    for d, w in inner:
                        if not any(k is None for k in d.keys):
                            yield from ((v, w) for k, v in zip(d.keys, d.values) if type(k) is Const and k.value == "thread_id")

    def _displays(self, e: Any, scope: Scope, turn: Turn, depth: int, spent: bool) -> Iterator[tuple[Dict, Scope]]:
        t = type(e)
        if depth > MAX_DEPTH:
            return
        if t is Dict:
            if not any(k is None for k in e.keys):
                yield e, scope
        elif t is Name:
            value, where = self._only_value(e, scope)
            if value is not None and (spent or self._unused(e.id, where, scope, turn)):
                yield from self._displays(value, where, turn, depth + 1, spent)
        elif t is Call:
            if (dotted(e.func) or "").rsplit(".", 1)[-1] in ("RunnableConfig", "dict") and not any(a.star or a.name is None for a in e.args):
                yield Dict(e.at, [Const(a.at, "str", a.name) for a in e.args], [a.value for a in e.args]), scope
                return
            values = self.names.resolve(e.func, scope)
            if len(values) == 1 and isinstance(values[0], Fn) and not self._kept(values[0].info):
                inner = self.names.scope(values[0].info)
                returned = [n.value for n in nodes_in(inner) if type(n) is Return]
                if len(returned) == 1:
                    yield from self._displays(returned[0], inner, turn, depth + 1, spent)

    def _kept(self, info: FnInfo) -> bool:
        """Whether a helper may give the same thing again: a decorator (a cache), or a test of what is there already."""
        return bool(info.fn.decorators and not all((dotted(d) or "") in ("staticmethod", "classmethod", "property") for d in info.fn.decorators)) or any(
            type(n) is If for n in nodes_in(self.names.scope(info)))

    def _only_value(self, name: Name, scope: Scope) -> tuple[Any, Scope]:
        """The one expression that a variable of the same function (or, in module code, module) is bound to; (None, scope) where there are others."""
        found = self.names.lookup(name.id, scope)
        if found is None or found[1] is not scope or len(found[0]) != 1 or found[0][0].how != "value":
            return None, scope
        return unawaited(found[0][0].node), scope

    def _unused(self, name: str, where: Scope, scope: Scope, turn: Turn) -> bool:
        """Whether nothing before the run has seen the value of a variable: then nothing can wait on what it names. What is in the config alone, in a
        log or a message is not seen by a run."""
        if where is not scope:
            return False
        first = turn.call.at[:2]
        config = {id(n) for n in walk(turn.config)} if turn.config is not None else set()
        mine = self._made_of(turn.config, scope)
        for node in nodes_in(scope):
            if type(node) is Call and node.at[:2] < first and not _tells(node) and not any(id(x) in config for x in walk(node)) and any(
                    type(x) is Name and x.id == name for a in node.args for x in walk(a.value)):
                return False
            # A loop comes back to what stands below.
            if type(node) in (While, For) and any(x is turn.call for x in walk(node)) and not any(
                    type(x) is Assign and any(type(t) is Name and t.id == name for t in x.targets) for x in walk(node)):
                return False
            before = node.at[:2] < first if type(node) in (Return, Yield, Assign) and node.value is not None and not any(x is turn.call for x in walk(node)) else False
            if type(node) in (Return, Yield) and before and any(type(x) is Name and x.id == name for x in walk(node.value)):
                return False
            if type(node) is Assign and before and any(type(x) is Name and x.id == name for x in walk(node.value)) and not any(
                    type(t) is Name and t.id in mine for t in node.targets):
                return False  # kept somewhere, or put into something else that may be used before
        # A nested function may use it.
        return not any(type(x) is Name and x.id == name for stmt in _nested(scope) for x in walk(stmt, into_functions=True))

    def _made_of(self, config: Any, scope: Scope) -> set[str]:
        """The variables that a config is made of, one through another."""
        out: set[str] = set()
        work = [config]
        while work and len(out) < 20:
            for n in walk(work.pop()):
                if type(n) is Name and n.id not in out:
                    out.add(n.id)
                    found = self.names.lookup(n.id, scope)
                    work += [b.node for b in found[0] if b.how == "value" and b.node is not None] if found is not None and found[1] is scope else []
        return out

    def _new_id(self, e: Any, scope: Scope, turn: Turn, depth: int) -> Place | None:
        t = type(e)
        if depth > MAX_DEPTH:
            return None
        if t is Name:
            value, where = self._only_value(e, scope)
            if value is None or scope is turn.scope and not self._unused(e.id, where, scope, turn):
                return None
            return self._new_id(value, where, turn, depth + 1)
        if t is Call:
            name = (dotted(e.func) or "").rsplit(".", 1)[-1]
            if name in NEW_IDS:
                return Place(e, scope)
            if name == "str" and len(e.args) == 1:
                return self._new_id(e.args[0].value, scope, turn, depth + 1)
            if type(e.func) is Attr and e.func.attr in ("hex", "replace", "lower", "upper"):
                return self._new_id(e.func.value, scope, turn, depth + 1)
            values = self.names.resolve(e.func, scope)
            if len(values) == 1 and isinstance(values[0], Fn) and not self._kept(values[0].info):
                inner = self.names.scope(values[0].info)
                returned = [n.value for n in nodes_in(inner) if type(n) is Return]
                if len(returned) == 1 and returned[0] is not None:
                    return self._new_id(returned[0], inner, turn, depth + 1)
            return None
        if t is Attr and e.attr in ("hex", "int"):
            return self._new_id(e.value, scope, turn, depth + 1)
        if t is Sub and type(e.index) is Slice:
            return self._new_id(e.value, scope, turn, depth + 1)
        if t is FStr:
            return next((p for part in e.parts if type(part) is not Const and (p := self._new_id(part, scope, turn, depth + 1)) is not None), None)
        if t.__name__ == "Bin" and e.op == "+":
            return self._new_id(e.left, scope, turn, depth + 1) or self._new_id(e.right, scope, turn, depth + 1)
        return None

    # ---- the checkpoint
    def old_checkpoint(self, turn: Turn) -> Place | None:
        """Where a config names a checkpoint that need not be the latest one."""
        return self._old(turn.config, turn.scope, turn, 0) if turn.config is not None else None

    def _old(self, e: Any, scope: Scope, turn: Turn, depth: int) -> Place | None:
        e, t = unawaited(e), type(unawaited(e))
        if depth > MAX_DEPTH:
            return None
        if t is Dict:
            for key, value in zip(e.keys, e.values):
                if key is None or type(key) is Const and key.value == "configurable":
                    found = self._old(value, scope, turn, depth + 1)
                    if found is not None:
                        return found
                elif type(key) is Const and key.value == "checkpoint_id" and not (type(value) is Const and value.value in (None, "")):
                    return None if self.just_read(value, scope, turn) else Place(key, scope)
            return None
        if t is Attr and e.attr == "config":
            return self._snapshot(e.value, scope, turn, depth)
        if t is Sub and type(e.index) is Const and e.index.value == "configurable":
            return self._old(e.value, scope, turn, depth + 1)
        if t is Name:
            found = self.names.lookup(e.id, scope)
            if found is None or found[1].kind == "class":
                return None
            for b in found[0]:
                if b.how == "value" and (where := self._old(b.node, found[1], turn, depth + 1)) is not None:
                    return where
                if b.how == "param" and found[1].kind == "function" and (where := self._passed_old(found[1].owner, b.node, turn, depth)) is not None:
                    return where
        if t is BoolOp and e.op == "or":
            return self._old(e.values[0], scope, turn, depth + 1)  # `config or {…}`
        if t is Call:
            for v in self.names.resolve(e, scope):
                if isinstance(v, Lit) and type(v.expr) is Dict and v.expr is not e and (where := self._old(v.expr, v.scope, turn, depth + 1)) is not None:
                    return where
        return None

    def _passed_old(self, info: FnInfo, param: Any, turn: Turn, depth: int) -> Place | None:
        """A checkpoint that a client names, where an endpoint hands its config on to the function that resumes."""
        if self.requests.handles(info):
            return None
        bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
        for call, scope in self.project.resumes.callers(info)[:MAX_CALLERS]:
            given = argument(call, info.fn, param, bound)
            found = self._old(given, scope, turn, depth + 1) if given is not None else None
            # An old snapshot is one to the function that took it; there it is looked for without this.
            if found is not None and type(found.node) is Const and isinstance(found.scope.owner, FnInfo) and self.requests.handles(found.scope.owner):
                return found
        return None

    def just_read(self, value: Any, scope: Scope, turn: Turn) -> bool:
        """Whether a checkpoint id comes from the latest state, read in the same function, or may be left empty."""
        for n in walk(value):
            if type(n) is Name:
                found = self.names.lookup(n.id, scope)
                bound = [b.node for b in found[0] if b.how == "value"] if found is not None else []
                if any(_calls(x, LATEST) for b in bound for x in walk(b)):
                    return True
                if found is not None and any(b.how == "param" and b.node.default is not None for b in found[0]):
                    return True
        return type(value).__name__ in ("BoolOp", "IfExp") or any(_calls(n, LATEST) for n in walk(value)) or any(
            type(n).__name__ == "Call" and type(n.func) is Attr and n.func.attr == "get" for n in walk(value))

    def _snapshot(self, base: Any, scope: Scope, turn: Turn, depth: int) -> Place | None:
        """Whether `base.config` is that of a snapshot which is not the latest."""
        base = unawaited(base)
        t = type(base)
        if depth > MAX_DEPTH:
            return None
        if t is Sub:
            index = base.index
            number = index.value if type(index) is Const else -1 if type(index) is Un else None
            if isinstance(number, int) and number != 0 and self._history(base.value, scope, 0):
                return Place(base, scope)
            return None
        if t is Call and (dotted(base.func) or "") == "next" and base.args and type(base.args[0].value) is Comp:
            gen = base.args[0].value.generators[0]
            return Place(base.args[0].value, scope) if gen.ifs and self._history(gen.iter, scope, 0) and not any(_asks_pending(i) for i in gen.ifs) else None
        if t is Name:
            found = self.names.lookup(base.id, scope)
            if found is None or found[1].kind not in ("function", "module"):
                return None
            for b in found[0]:
                if b.how == "value":
                    if _calls(unawaited(b.node), LATEST):
                        if found[1] is scope and self._ran_between(b.stmt, base, scope, turn):
                            return Place(b.node, scope)
                        continue
                    if (where := self._snapshot(b.node, found[1], turn, depth + 1)) is not None:
                        return where
                elif b.how == "element" and self._history(b.node, found[1], 0) and self._sought(base.id, found[1]):
                    return Place(b.node, found[1])
        return None

    def _history(self, e: Any, scope: Scope, depth: int) -> bool:
        e = unawaited(e)
        if depth > 4:
            return False
        if type(e) is Call:
            if _calls(e, HISTORY):
                return True
            return dotted(e.func) in ("list", "tuple", "sorted", "reversed") and bool(e.args) and self._history(e.args[0].value, scope, depth + 1)
        if type(e) is Comp:
            return type(e.elt) is Name and self._history(e.generators[0].iter, scope, depth + 1)
        if type(e) is Name:
            found = self.names.lookup(e.id, scope)
            return found is not None and any(b.how == "value" and self._history(b.node, found[1], depth + 1) for b in found[0])
        return False

    def _sought(self, name: str, scope: Scope) -> bool:
        """A loop over the history that stops at one snapshot by a test which does not ask what is pending."""
        for node in nodes_in(scope):
            if type(node) is For and type(node.target) is Name and node.target.id == name:
                tests = [n.test for s in node.body for n in walk(s) if type(n) is If]
                return bool(tests) and not any(_asks_pending(x) for x in tests)
        return False

    def _ran_between(self, taken: Any, base: Name, scope: Scope, turn: Turn) -> bool:
        """Whether the graph runs on between taking a snapshot and resuming from it."""
        if scope.kind == "function":
            cfg = self.project.cfg(scope.owner)
            starts, ends = cfg.at(taken) or [p for p in cfg.points if p.stmt is taken], set(cfg.at(turn.call))
            other = [t for t in self.project.turns.all() if t.scope is scope and t.call is not turn.call and text(t.receiver, 80) == text(turn.receiver, 80)]
            again = {p.id for p in cfg.points if p.stmt is taken}
            for t in other:
                for p in cfg.at(t.call):
                    if p in cfg.reachable(starts) and ends & cfg.reachable([p], skip=lambda point, edge: edge.to.id in again):
                        return True
            return False
        return any(t.scope is scope and taken.at[:2] < t.call.at[:2] < turn.call.at[:2] and text(t.receiver, 80) == text(turn.receiver, 80) for t in self.project.turns.all())


def _calls(e: Any, methods: frozenset[str]) -> bool:
    return type(e) is Call and type(e.func) is Attr and e.func.attr in methods


def _asks_pending(test: Any) -> bool:
    shown = text(test, 400)
    return "interrupt" in shown or ".tasks" in shown


def _tells(call: Call) -> bool:
    """A call that only logs."""
    name = dotted(call.func) or ""
    return name.split(".")[0].lower() in ("logger", "logging", "log", "console", "rich", "structlog") or name.rsplit(".", 1)[-1] in (
        "print", "info", "debug", "warning", "str", "repr", "len", "dict", "RunnableConfig")


def _nested(scope: Scope) -> list[Any]:
    return [s for bindings in scope.bindings.values() for b in bindings if b.how == "def" for s in b.node.fn.body]


__all__ = ["Configs", "Place"]
