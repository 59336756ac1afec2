"""Where a pause is raised when the call that pauses gives a coroutine, a task, a future or an iterator instead of an answer.

`Carriers.fate` follows such a value from the call through names, lists and combinators to where somebody waits for it, or finds
that nobody does. What cannot be followed (stored on an object, handed to code that is not known) counts as waited for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.names import Ext, Fn, FnInfo, Inst, Scope, Wrapped, argument
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue import surface
from hitl_lint.facts import (
    Arg, Assign, Attr, AugAssign, Await, BoolOp, Call, Cmp, Comp, Const, Dict, ExprStmt, For, FStr, Generator, If, IfExp, Name, Return, Seq, Star, Sub, Un,
    Walrus, While, Yield, children, dotted, walk,
)

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

# Give back something to await (or to call .result() on) for what they are given.
AWAITABLE = frozenset({"asyncio.to_thread", "asyncio.wait_for", "asyncio.shield", "asyncio.gather", "anyio.to_thread.run_sync",
                       "starlette.concurrency.run_in_threadpool", "langchain_core.runnables.config.run_in_executor"}) | lg.CREATE_TASK | lg.RUN_IN_EXECUTOR
PASSES_ON = frozenset({"asyncio.wait_for", "asyncio.shield", "asyncio.as_completed", "asyncio.wait", "asyncio.wrap_future",
                       "asyncio.run_coroutine_threadsafe", "concurrent.futures.as_completed", "concurrent.futures.wait"}) | lg.CREATE_TASK
# Begin what they are given, whether or not somebody waits for it.
STARTS = frozenset({"asyncio.shield", "asyncio.as_completed", "asyncio.wait", "asyncio.run_coroutine_threadsafe"}) | lg.CREATE_TASK
WAITS_ONLY = frozenset({"asyncio.wait", "concurrent.futures.wait"})
RUNS = frozenset({"asyncio.run", "anyio.run", "asgiref.sync.async_to_sync", "asyncio.Runner().run"})
SAME = frozenset({"list", "tuple", "set", "sorted", "iter", "reversed", "enumerate", "zip", "filter", "dict", "frozenset"})
EXHAUSTS = frozenset({"list", "tuple", "set", "sorted", "dict", "sum", "any", "all", "min", "max", "next", "frozenset", "functools.reduce"})
LOOKS = frozenset({"print", "len", "bool", "isinstance", "id", "repr", "str", "type", "hasattr"})
KEEPS = frozenset({"append", "add", "insert", "extend", "appendleft", "put", "put_nowait", "update"})
# Methods of tasks, futures and their containers that raise nothing of what happened in them.
QUIET = frozenset({"done", "cancel", "cancelled", "add_done_callback", "remove_done_callback", "set_name", "get_name", "running", "discard", "remove", "clear",
                   "add", "append", "extend", "insert", "appendleft", "get_coro", "get_loop"})
SAME_METHODS = frozenset({"exception", "values", "items", "copy", "pop", "popleft", "union", "difference"})
COROUTINE_METHODS = frozenset({"ainvoke", "abatch", "arun", "_arun", "acall"})
ITERATOR_METHODS = frozenset({"stream", "astream", "stream_events", "astream_events", "astream_log", "transform", "atransform", "batch_as_completed",
                              "abatch_as_completed"})
# Those of them that are called so for nothing else.
STREAMS = frozenset({"stream", "astream", "stream_events", "astream_events", "astream_log", "stream_chat", "astream_chat", "stream_complete", "astream_complete"})


def gives_stream(value: Any) -> bool:
    """Whether an expression is a call, awaited or not, that says by its name or by `stream=True` that it gives its items one by one."""
    call = value.value if type(value) is Await else value
    return type(call) is Call and (type(call.func) is Attr and call.func.attr in STREAMS
                                   or any(a.name == "stream" and type(a.value) is Const and a.value.value is True for a in call.args))


@dataclass(slots=True)
class Fate:
    """`waits`: the expressions or statements at which the pause is raised; `gathers`: calls that hand exceptions back as values on the way;
    `groups`, `threads`: calls that hand it to a task group or to another thread; `inside`: project functions that wait for it themselves, with what
    becomes of it there; `handed`: calls that may run it although nobody is seen to wait for them; `returned`, `unknown`: it goes back to the caller, or where it cannot be followed; `dropped`: the expression after which
    nobody has it."""

    waits: list[Any] = field(default_factory=list)
    gathers: list[Call] = field(default_factory=list)
    groups: list[Call] = field(default_factory=list)
    threads: list[Call] = field(default_factory=list)
    inside: list[tuple[FnInfo, "Fate"]] = field(default_factory=list)
    handed: list[Any] = field(default_factory=list)
    returned: bool = False
    unknown: bool = False
    dropped: Any = None

    @property
    def lost(self) -> bool:
        return not (self.waits or self.gathers or self.groups or self.threads or self.inside or self.returned or self.unknown)


class Carriers:
    MAX_DEPTH = 3

    def __init__(self, project: "Project") -> None:
        self.project = project
        self._parents: dict[int, dict[int, Any]] = {}
        self._depth = 0

    def parents(self, info: FnInfo) -> dict[int, Any]:
        """By id, the node directly above each node of a function's own body."""
        found = self._parents.get(id(info.fn))
        if found is None:
            found = self._parents[id(info.fn)] = _upward(info.fn.body)
        return found

    # ---- is it carried at all
    def deferred(self, call: Call, scope: Scope) -> str:
        """"coroutine", "future" or "iterator" when the call only gives something that will pause, else ""."""
        kinds = {self._kind(v, call) for v in self.project.names.resolve(call.func, scope)}
        return kinds.pop() if len(kinds) == 1 else ""

    def _kind(self, v: Any, call: Call) -> str:
        method = call.func.attr if type(call.func) is Attr else ""
        if isinstance(v, Ext):
            base, _, last = v.path.rpartition(".")
            holder = base.removesuffix("()")
            if v.path in AWAITABLE:
                return "coroutine"
            if holder in lg.EXECUTORS | lg.CONTEXT_EXECUTORS:
                return "future" if last in ("submit", "apply_async", "map_async", "starmap_async") else "iterator" if last in ("map", "imap", "imap_unordered") else ""
            if v.path in ("map", "filter", "itertools.starmap"):
                return "iterator"
            if base in surface.GRAPH_OBJECTS:
                return "coroutine" if last in COROUTINE_METHODS else "iterator" if last in ITERATOR_METHODS else ""
            return ""
        if isinstance(v, Fn):
            if method in lg.RUN_METHODS and v.info.name != method:
                return "coroutine" if method in COROUTINE_METHODS else "iterator" if method in ITERATOR_METHODS else ""
            return self._function(v.info)
        if isinstance(v, Wrapped) and v.kind == "graph-run":
            return "coroutine" if method in COROUTINE_METHODS else "iterator" if method in ITERATOR_METHODS else ""
        if isinstance(v, Inst):
            m = self.project.names.method(v.info, "__call__")
            return self._function(m) if m is not None else ""
        return ""

    def _function(self, info: FnInfo) -> str:
        if self.project.is_task(info):
            return "future"
        if info.fn.decorators and not all(self._keeps_kind(info, d) for d in info.fn.decorators):
            return ""
        if info.fn.is_generator:
            return "iterator"
        return "coroutine" if info.fn.is_async else ""

    def _keeps_kind(self, info: FnInfo, d: Any) -> bool:
        """Whether a decorator leaves a coroutine function one: unknown ones may run it to its end."""
        if dotted(d) in ("staticmethod", "classmethod") or (dotted(d) or "").endswith("abstractmethod"):
            return True
        values = self.project.names.resolve(d.func if type(d) is Call else d, info.parent)
        return bool(values) and all(
            (isinstance(v, Ext) and v.path in lg.RETRY_DECORATORS | lg.TOOL_DECORATORS | surface.GRAPH_DECORATORS)
            or (isinstance(v, Fn) and any(n.fn.is_async for n in self.project.decorator_functions(info))) for v in values)

    # ---- where it goes
    def fate(self, info: FnInfo, node: Any, kind: str) -> Fate:
        out = Fate()
        names: list[str] = []
        self._climb(info, node, kind, out, names, True)
        self._follow(info, names, kind, out)
        if out.dropped is None:
            out.dropped = node
        return out

    def _follow(self, info: FnInfo, names: list[str], kind: str, out: Fate, param: str = "") -> None:
        """Follow the names that hold it. `param`: the parameter that it came in by."""
        scope = self.project.names.scope(info)
        done: set[str] = set()
        while names and not out.unknown:
            name = names.pop()
            if name in done:
                continue
            done.add(name)
            if name in info.fn.globals or name in info.fn.nonlocals or name not in scope.bindings:
                self._kept_outside(info, name, out)
                continue
            if (name != param and any(p.name == name for p in info.fn.params)) or self._used_inside(info, name):
                out.unknown = True
                break
            for load in self._loads(info, name):
                self._climb(info, load, kind, out, names, False)

    def _loads(self, info: FnInfo, name: str) -> Iterator[Name]:
        parents = self.parents(info)
        for stmt in info.fn.body:
            for n in walk(stmt):
                if type(n) is Name and n.id == name and not _is_target(n, parents):
                    yield n

    def _used_inside(self, info: FnInfo, name: str) -> bool:
        """Whether a nested function reads the name."""
        for stmt in info.fn.body:
            own = {id(n) for n in walk(stmt)}
            if any(type(n) is Name and n.id == name and id(n) not in own for n in walk(stmt, into_functions=True)):
                return True
        return False

    def _kept_outside(self, info: FnInfo, name: str, out: Fate) -> None:
        """A module-level or outer collection: nobody waits when everything in the module only adds to it and takes from it."""
        found = self.project.names.lookup(name, info.module.scope)
        if found is not None and any(b.how == "import" for b in found[0]):
            out.unknown = True
            return
        bodies = [(other.fn.body, self.parents(other)) for other in info.module.functions] + [(info.module.facts.body, self._of_module(info))]
        out.unknown = out.unknown or any(
            type(n) is Name and n.id == name and not _is_target(n, parents) and not _quiet(n, parents) for body, parents in bodies for s in body for n in walk(s))

    def _of_module(self, info: FnInfo) -> dict[int, Any]:
        found = self._parents.get(id(info.module))
        if found is None:
            found = self._parents[id(info.module)] = _upward(info.module.facts.body)
        return found

    def _kept_on_self(self, info: FnInfo, attr: str, out: Fate) -> None:
        """The same for a collection on the object, over the methods of its classes."""
        if info.cls is None:
            out.unknown = True
            return
        for c in self.project.names.mro(info.cls):
            for bindings in c.scope.bindings.values() if not isinstance(c, str) and c.scope is not None else ():
                for b in bindings:
                    if b.how != "def":
                        continue
                    parents = self.parents(b.node)
                    if any(type(n) is Attr and dotted(n) == attr and not _is_target(n, parents) and not _quiet(n, parents)
                           for stmt in b.node.fn.body for n in walk(stmt)):
                        out.unknown = True
                        return

    def _climb(self, info: FnInfo, node: Any, kind: str, out: Fate, names: list[str], own: bool) -> None:
        """Follow one value upward from where it stands to what is done with it. `own`: the pausing call itself, not a name that holds it."""
        parents = self.parents(info)
        scope = self.project.names.scope(info)
        current = node
        only_waits = False
        for _ in range(60):
            parent = parents.get(id(current))
            t = type(parent)
            if parent is None:
                # A statement of its own: `ask()`.
                out.unknown = True
                return
            if t is ExprStmt:
                if own:
                    out.dropped = current
                return
            if t is Arg:
                call = parents.get(id(parent))
                if type(call) is not Call:
                    out.unknown = True
                    return
                step = self._passed(info, call, parent, current, scope, kind, out, names)
                if step is None:
                    return
                only_waits = only_waits or step == "wait"
                current = call
            elif t is Attr:
                call = parents.get(id(parent))
                if type(call) is not Call or call.func is not parent:
                    out.unknown = True
                    return
                if parent.attr in ("result", "get"):
                    out.waits.append(call)
                    return
                if parent.attr in QUIET:
                    return
                if parent.attr not in SAME_METHODS:
                    out.unknown = True
                    out.handed.append(call)
                    return
                current = call
            elif t is Await:
                if not only_waits:
                    out.waits.append(parent)
                    return
                only_waits = False
                current = parent
            elif t in (Seq, Star, Dict, BoolOp, Comp) or (t is IfExp and parent.test is not current) or (t is Sub and parent.value is current):
                current = parent
            elif t is Walrus:
                names.append(parent.target.id)
                current = parent
            elif t in (For, Generator) and parent.iter is current:
                if kind == "iterator":
                    out.waits.append(parent)
                    return
                names += _bound(parent.target)
                return
            elif t is Assign or t is AugAssign:
                targets = parent.targets if t is Assign else [parent.target]
                if any(current is x or any(n is current for n in walk(x)) for x in targets):
                    return
                if kind == "iterator" and any(type(x) is Seq for x in targets):
                    out.handed.append(parent)  # taken apart
                for target in targets:
                    self._assigned(info, target, out, names)
                return
            elif t is Return:
                out.returned = True
                return
            elif t in (FStr, Cmp, Un, If, While) or (t is IfExp and parent.test is current):
                return
            else:
                out.unknown = True
                if t is Yield:
                    out.handed.append(parent)
                return
        out.unknown = True

    def _assigned(self, info: FnInfo, target: Any, out: Fate, names: list[str]) -> None:
        t = type(target)
        if t is Name:
            names.append(target.id)
        elif t is Seq:
            for x in target.elts:
                self._assigned(info, x, out, names)
        elif t is Star:
            self._assigned(info, target.value, out, names)
        elif t is Sub and type(target.value) is Name:
            names.append(target.value.id)
        else:
            out.unknown = True

    def _passed(self, info: FnInfo, call: Call, arg: Arg, current: Any, scope: Scope, kind: str, out: Fate, names: list[str]) -> str | None:
        """What a call does with the value it is given: "on" when its own value carries it further, None when the way ends here (noted in `out`)."""
        f = call.func
        paths = [v.path for v in self.project.names.resolve(f, scope) if isinstance(v, Ext)]
        last = f.attr if type(f) is Attr else f.id if type(f) is Name else ""
        for path in paths:
            base, _, method = path.rpartition(".")
            holder = base.removesuffix("()")
            if path in lg.GATHER | STARTS:
                out.handed.append(call)
            if path in lg.GATHER:
                if self.hands_back(call, scope):
                    out.gathers.append(call)
                    return None
                return "on"
            if path in WAITS_ONLY:
                return "wait"
            if path in PASSES_ON:
                return "on"
            if path in RUNS or method == "run_until_complete":
                out.waits.append(call)
                return None
            if holder in lg.TASK_GROUPS and method in ("create_task", "start_soon", "start"):
                out.groups.append(call)
                return None
            if kind == "iterator" and path in EXHAUSTS:
                out.waits.append(call)
                return None
            if surface.call_mode(path) == "thread" and kind == "coroutine":
                out.threads.append(call)
                return None
            if path in SAME:
                return "on"
            if path in LOOKS:
                return None
        if last == "run_until_complete":
            out.waits.append(call)
            return None
        if type(f) is Attr and last in KEEPS:
            receiver = f.value
            if type(receiver) is Name:
                names.append(receiver.id)
                return None
            name = dotted(receiver)
            if name is not None and name.startswith("self.") and name.count(".") == 1:
                self._kept_on_self(info, name, out)
                return None
        if last == "create_task" and not paths and type(f) is Attr:
            out.handed.append(call)
            return "on"  # a loop that somebody handed in
        return self._handed(call, arg, scope, kind, out)

    def _handed(self, call: Call, arg: Arg, scope: Scope, kind: str, out: Fate) -> str | None:
        """What a project function does with it: `await with_timeout(ask(), 5)`, `run_sync(ask())`, `spawn(ask())`."""
        values = self.project.names.resolve(call.func, scope)
        if len(values) != 1 or not isinstance(values[0], Fn) or arg.star or kind != "coroutine" or self._depth >= self.MAX_DEPTH:
            out.unknown = True
            out.handed.append(call)
            return None
        helper = values[0].info
        bound = helper.cls is not None and "staticmethod" not in {dotted(d) for d in helper.fn.decorators}
        name = next((p.name for p in helper.fn.params if argument(call, helper.fn, p, bound) is arg.value), None)
        if name is None or helper.fn.is_generator:
            out.unknown = True
            out.handed.append(call)
            return None
        inner = Fate()
        self._depth += 1
        try:
            self._follow(helper, [name], kind, inner, name)
        finally:
            self._depth -= 1
        if inner.unknown or inner.groups:
            out.unknown = True
            out.handed.append(call)
            return None
        if inner.waits or inner.gathers or inner.threads or inner.inside:
            out.inside.append((helper, inner))
        if inner.returned or (helper.fn.is_async and inner.waits):
            return "on"
        if inner.waits:
            out.waits.append(call)
        return None

    def hands_back(self, call: Call, scope: Scope) -> bool:
        """`return_exceptions=True`, written or through a constant."""
        for a in call.args:
            if a.name == "return_exceptions":
                return self.project.names.constant(a.value, scope) is True or (type(a.value) is Const and a.value.value is True)
        return False


def _upward(body: list[Any]) -> dict[int, Any]:
    return {id(child): node for stmt in body for node in walk(stmt) for child in children(node)}


def _is_target(n: Any, parents: dict[int, Any]) -> bool:
    """Whether a name stands where something is assigned to it."""
    current, parent = n, parents.get(id(n))
    while type(parent) in (Seq, Star):
        current, parent = parent, parents.get(id(parent))
    if type(parent) is Assign:
        return any(x is current for x in parent.targets)
    if type(parent) in (For, Generator, AugAssign, Walrus) or type(parent).__name__ == "WithItem":
        return parent.target is current
    return type(parent).__name__ == "Delete"


def _quiet(n: Any, parents: dict[int, Any]) -> bool:
    """Whether a mention of a collection only adds to it, takes from it or looks at it: `TASKS.add(t)`, `t.add_done_callback(TASKS.discard)`."""
    parent = parents.get(id(n))
    if type(parent) is Attr:
        return parent.attr in QUIET
    return type(parent) in (Cmp, Un, FStr, If, While)


def _bound(target: Any) -> list[str]:
    return [n.id for n in walk(target) if type(n) is Name]


__all__ = ["Carriers", "Fate"]
