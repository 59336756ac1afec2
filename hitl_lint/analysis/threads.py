"""Under which thread a nested graph runs: the parent's, or one of its own (its pauses then never reach the parent).

LangGraph tells a nested run by private keys in `config["configurable"]`. A `configurable` that was made from scratch and names a thread lacks
them, whatever else the config was copied from, so the child runs as a graph of its own: its pause comes back as `__interrupt__` in the
result (TRUTH.md 7). Without a thread_id, or with the node's `configurable` copied into it, the child stays nested.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.effects import Link, Witness
from hitl_lint.analysis.names import Ext, Fn, FnInfo, Lit, Names, Scope, Wrapped, argument, is_graph_path, is_test
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import Assign, Attr, Bin, Call, Const, Dict, IfExp, Name, Sub, Un, dotted, text, walk
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

# What reads the pauses of a run: whoever does that with a child's result passes its question on himself.
READS_PAUSES = frozenset({"interrupts", "get_state", "aget_state", "tasks"})

COMMANDS = frozenset(f"{p}()" for p in lg.COMMAND)


@record
class Lost:
    """A nested run on a thread of its own whose pause is lost. `made`: the place of the config, as written; `pause`: what would have asked."""

    info: FnInfo
    call: Call
    made: Any
    pause: Witness


def own_thread(names: Names, call: Call, scope: Scope) -> Any | None:
    """The expression that gives a graph's run a `configurable` made from scratch with a thread in it; None where there is none or nobody can tell."""
    given = next((a.value for a in call.args if a.name == "config"), None)
    plain = [a.value for a in call.args if a.name is None and not a.star]
    if given is None and len(plain) > 1:
        given = plain[1]
    if given is not None and not (type(given) is Const and given.kind == "none"):
        return given if _scratch(names, given, scope, 0) else None
    if any(a.star for a in call.args):
        return None
    for made in _bound_configs(names, call.func.value if type(call.func) is Attr else None, scope, 0):
        if _scratch(names, made, scope, 0):
            return made
    return None


def goes_on(names: Names, call: Call, scope: Scope) -> bool:
    """Whether a run on a thread of its own only ever goes on with what waits there: `None if snapshot.next else {…}` as its input, or an answer where every
    other run of that graph in the function has such an input. Nothing of it is done twice then."""
    given = next((a.value for a in call.args if a.name in (None, "input") and not a.star), None)
    if given is None or _waits(names, given, scope, 0):
        return given is not None
    made = names.resolve(given, scope)
    if not made or not all(isinstance(v, Ext) and v.path in COMMANDS for v in made) or type(call.func) is not Attr:
        return False
    mine = dotted(call.func.value)
    others = [c for c in scope.calls if c is not call and type(c.func) is Attr and c.func.attr in lg.RUN_METHODS and dotted(c.func.value) == mine and c.args
              and not any(isinstance(v, Ext) and v.path in COMMANDS for v in names.resolve(c.args[0].value, scope))]
    return bool(others) and all(_waits(names, next((a.value for a in c.args if a.name in (None, "input")), None), scope, 0) for c in others)


def _waits(names: Names, e: Any, scope: Scope, depth: int) -> bool:
    """Whether an input is None where the snapshot of the thread says that something waits; of a parameter: in whatever its callers pass."""
    t = type(e)
    if depth > 4 or e is None:
        return False
    if t is IfExp:
        test, first, other = e.test, e.body, e.orelse
        if type(test) is Un and test.op == "not":
            test, first, other = test.value, e.orelse, e.body
        return type(first) is Const and first.value is None and not (type(other) is Const and other.value is None) and _of_snapshot(names, test, scope, 0)
    found = names.lookup(e.id, scope) if t is Name else None
    if found is None or len(found[0]) != 1:
        return False
    b, where = found[0][0], found[1]
    if b.how == "value":
        return _waits(names, b.node, where, depth + 1)
    if b.how != "param" or where.kind != "function" or not isinstance(where.owner, FnInfo):
        return False
    info: FnInfo = where.owner
    sites = [(c, s) for c, s in names.calls_by_name.get(info.name, ()) if not is_test(s.module.path) and any(isinstance(v, Fn) and v.info is info for v in names.resolve(c.func, s))]
    args = [(argument(c, info.fn, b.node, info.cls is not None), s) for c, s in sites[:20]]
    return bool(args) and len(sites) <= 20 and all(a is not None and _waits(names, a, s, depth + 1) for a, s in args)


def _of_snapshot(names: Names, e: Any, scope: Scope, depth: int) -> bool:
    """A test of what waits: `snapshot.next`, `len(state.tasks) > 0`, a name for one of these."""
    for n in walk(e):
        if type(n) is Attr and n.attr in ("next", "tasks", "interrupts"):
            return True
        found = names.lookup(n.id, scope) if type(n) is Name and depth < 2 else None
        if found is not None and found[1] is scope and len(found[0]) == 1 and found[0][0].how == "value" and _of_snapshot(names, found[0][0].node, scope, depth + 1):
            return True
    return False


def _bound_configs(names: Names, receiver: Any, scope: Scope, depth: int) -> Iterator[Any]:
    """What `with_config` was given on the way to a receiver, where it stands in the same scope or in the one around it."""
    if depth > 4 or receiver is None:
        return
    if type(receiver) is Call and type(receiver.func) is Attr:
        if receiver.func.attr == "with_config":
            for a in receiver.args:
                if a.name in (None, "config") and not a.star:
                    yield a.value
                elif a.name == "configurable":
                    yield Dict(a.at, [Const(a.at, "str", "configurable")], [a.value])
        yield from _bound_configs(names, receiver.func.value, scope, depth + 1)
    elif type(receiver) is Name:
        found = names.lookup(receiver.id, scope)
        if found is not None and len(found[0]) == 1 and found[0][0].how == "value":
            yield from _bound_configs(names, found[0][0].node, found[1], depth + 1)


def _scratch(names: Names, expr: Any, scope: Scope, depth: int) -> bool:
    """Whether a config names a thread in a `configurable` of its own, on every way in which it is made."""
    if depth > 5:
        return False
    t = type(expr)
    if t is Bin and expr.op == "|":
        return _decides(names, expr.right, scope, depth) or (not _configurables(names, expr.right, scope) and _scratch(names, expr.left, scope, depth + 1))
    if t is Name and (stored := _stored(expr.id, scope)) is not None:
        return _thread_named(names, stored, scope, depth + 1)
    values = names.resolve(expr, scope)
    if not values:
        return False
    for v in values:
        if isinstance(v, Lit) and type(v.expr) is Dict:
            if not _decides(names, v.expr, v.scope, depth) and not (t is Name and _filled(expr.id, v.expr, scope)):
                return False
        elif isinstance(v, Ext) and v.origin is not None and v.scope is not None and _makes_config(v.path):
            if v.path.endswith("ensure_config()"):
                if not v.origin.args or not _scratch(names, v.origin.args[0].value, v.scope, depth + 1):
                    return False
            elif not _thread_named(names, next((a.value for a in v.origin.args if a.name == "configurable"), None), v.scope, depth + 1):
                return False
        elif isinstance(v, Lit) and type(v.expr) is Bin and v.expr is not expr:
            if not _scratch(names, v.expr, v.scope, depth + 1):
                return False
        else:
            return False
    return True


def _makes_config(path: str) -> bool:
    return path in ("dict()", "langchain_core.runnables.RunnableConfig()") or path.endswith(".ensure_config()")


def _decides(names: Names, display: Any, scope: Scope, depth: int) -> bool:
    """Whether a dict display says `configurable` itself, after whatever it copies, and with a thread of its own."""
    if type(display) is not Dict:
        return False
    decided: Any = None
    for k, v in zip(display.keys, display.values):
        if k is None:
            decided = None  # `{"configurable": {...}, **config}`: what is copied later wins
        elif type(k) is Const and k.value == "configurable":
            decided = v
    return _thread_named(names, decided, scope, depth + 1)


def _configurables(names: Names, expr: Any, scope: Scope) -> bool:
    return type(expr) is not Dict or any(k is None or type(k) is not Const or k.value == "configurable" for k in expr.keys)


def _thread_named(names: Names, expr: Any, scope: Scope, depth: int) -> bool:
    """Whether a `configurable` is made from scratch and names a thread."""
    if expr is None or depth > 6:
        return False
    values = names.resolve(expr, scope)
    if not values:
        return False
    for v in values:
        if isinstance(v, Lit) and type(v.expr) is Dict and not any(k is None for k in v.expr.keys):
            named = [val for k, val in zip(v.expr.keys, v.expr.values) if type(k) is Const and k.value == "thread_id"]
            if not named and type(expr) is Name:
                named = _stores(expr.id, "thread_id", scope)
        elif isinstance(v, Ext) and v.path == "dict()" and v.origin is not None and not any(a.star or a.name is None for a in v.origin.args):
            named = [a.value for a in v.origin.args if a.name == "thread_id"]
        else:
            return False
        if not named or any(type(x) is Const and x.kind == "none" for x in named):
            return False
    return True


def _stored(name: str, scope: Scope) -> Any | None:
    """`cfg["configurable"] = {...}`: the last thing that is put there in the same function."""
    found = _stores(name, "configurable", scope)
    return found[-1] if found else None


def _filled(name: str, display: Any, scope: Scope) -> bool:
    """`cfg = {"configurable": {}}`, then `cfg["configurable"]["thread_id"] = …`."""
    inner = [v for k, v in zip(display.keys, display.values) if type(k) is Const and k.value == "configurable"]
    if len(inner) != 1 or type(inner[0]) is not Dict or any(k is None for k in (*inner[0].keys, *display.keys)):
        return False
    body = scope.owner.fn.body if scope.kind == "function" else []
    for stmt in body:
        for node in walk(stmt):
            for t in node.targets if type(node) is Assign and node.value is not None else ():
                if type(t) is Sub and type(t.index) is Const and t.index.value == "thread_id" and type(t.value) is Sub and dotted(t.value.value) == name:
                    return not (type(node.value) is Const and node.value.kind == "none")
    return False


def _stores(name: str, key: str, scope: Scope) -> list[Any]:
    body = scope.owner.fn.body if scope.kind == "function" else scope.owner.facts.body if scope.kind == "module" else []
    out: list[Any] = []
    for stmt in body:
        for node in walk(stmt):
            if type(node) is Assign and node.value is not None:
                out += [node.value for t in node.targets
                        if type(t) is Sub and dotted(t.value) == name and type(t.index) is Const and t.index.value == key]
    return out


# --------------------------------------------------------------------------- pauses that are lost in this way
class Threads:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._answered: set[int] | None = None

    def lost(self) -> Iterator[Lost]:
        """Runs of pausing graphs inside a graph on a thread of their own, of which nobody looks whether they wait for an answer."""
        project, names = self.project, self.project.names
        for info in project.functions():
            scope = names.scope(info)
            for call in scope.calls:
                if type(call.func) is not Attr or call.func.attr not in lg.RUN_METHODS:
                    continue
                if is_test(info.module.path) or not _configured(call):
                    continue
                made = own_thread(names, call, scope)
                pause = self._pause(call, scope) if made is not None else None
                if made is None or pause is None or not project.in_graph(scope) or self._passes_on(info, 0) or self._answers(call, scope):
                    continue
                shown = f"runs the graph {text(call.func, 40)}()"
                yield Lost(info, call, made, pause.through(Link(info.module.path, call.at, shown)))

    def _pause(self, call: Call, scope: Scope) -> Witness | None:
        for v in self.project.names.resolve(call.func, scope):
            if isinstance(v, Ext) and is_graph_path(v.path.rpartition(".")[0]):
                w = self.project.graphs.pause_of(v.origin)
                if w is not None:
                    return w
            elif isinstance(v, Wrapped) and v.kind == "graph-run":
                for t in v.targets:
                    w = self.project.summaries.of(t.info).pause if isinstance(t, Fn) else None
                    if w is not None:
                        return w
        return None

    def _passes_on(self, info: FnInfo, depth: int) -> bool:
        """Whether the function, one that it calls or one that calls it looks for the child's pauses (to ask in its place)."""
        scope = self.project.names.scope(info)
        if _reads_pauses(info):
            return True
        for call in scope.calls:
            for v in self.project.names.resolve(call.func, scope):
                if isinstance(v, Fn) and v.info is not info and _reads_pauses(v.info):
                    return True
        if depth > 1:
            return False
        for call, where in self.project.names.calls_by_name.get(info.name, ()):
            if where.kind == "function" and where.owner is not info and any(
                    isinstance(v, Fn) and v.info is info for v in self.project.names.resolve(call.func, where)):
                if self._passes_on(where.owner, depth + 1):
                    return True
        return False

    def _answers(self, call: Call, scope: Scope) -> bool:
        """Whether the project resumes this very graph somewhere: its questions are answered there, on its own thread."""
        if self._answered is None:
            self._answered = set()
            names = self.project.names
            for c in self.project.resumes.commands():
                run = c.run
                if c.resume is None or run is None or type(run.func) is not Attr:
                    continue
                where = self._scope_of(run)
                if where is not None:
                    self._answered |= {_identity(v) for v in names.resolve(run.func, where)}
        return any(_identity(v) in self._answered - {0} for v in self.project.names.resolve(call.func, scope))

    def _scope_of(self, run: Call) -> Scope | None:
        assert type(run.func) is Attr
        return next((s for c, s in self.project.names.calls_by_name.get(run.func.attr, ()) if c is run), None)


def _configured(call: Call) -> bool:
    """Whether a run is given a config at all, or is made of something that may have been."""
    if any(a.name == "config" or a.star for a in call.args) or len(call.args) > 1:
        return True
    receiver = call.func.value if type(call.func) is Attr else None
    return type(receiver) in (Call, Name)


def _identity(v: Any) -> int:
    if isinstance(v, Ext):
        return id(v.origin) if v.origin is not None else 0
    if isinstance(v, Wrapped) and v.targets and isinstance(v.targets[0], Fn):
        return id(v.targets[0].info.fn)
    return 0


def _reads_pauses(info: FnInfo) -> bool:
    for stmt in info.fn.body:
        for node in walk(stmt):
            if type(node) is Const and node.value == "__interrupt__":
                return True
            if type(node) is Attr and node.attr in READS_PAUSES:
                return True
            if type(node) is Call and any(a.name == "resume" for a in node.args):
                return True
    return False


__all__ = ["Lost", "Threads", "own_thread"]
