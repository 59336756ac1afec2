"""How the exception behind a pause travels: what catches, diverts or loses it on its way out of a function.

LangGraph pauses by raising GraphInterrupt. `Signals.obstacles` lists what stands in its way around one pause point, innermost
first; `carried` what happens to the coroutine, task or future that carries it; `around` and `wrapped` what is put around the
whole function. `leaves` says whether the pause gets out at all, which is what makes the function's callers pause.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.carried import Carriers, Fate
from hitl_lint.analysis.caught import GROUP, PAUSE, RESULTS, TYPE, UNKNOWN, Caught, truth
from hitl_lint.analysis.cfg import CFG, Point, Region
from hitl_lint.analysis.names import Cls, Ext, Fn, FnInfo, Inst, Lit, Scope, Wrapped, argument, is_stub, is_test
from hitl_lint.analysis.retries import Retries
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue import surface
from hitl_lint.facts import (
    At, Attr, Await, Bin, Break, Call, Case, Class, Const, Continue, For, Function, Handler, If, Lambda, Name, Raise, Return, Seq, Star, Try, While, WithItem,
    Yield, children, dotted, text, walk,
)
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project


# What keeps a pause without a word; a retry or a group gives up with an error.
HIDING = frozenset({"handler", "suppress", "exit", "finally", "decorator", "gather", "batch", "fallback", "thread", "dropped"})


@record
class Obstacle:
    """What stops a pause. `kind`: "handler" (swallows), "other" (another exception is raised instead), "suppress", "exit" (a swallowing
    `__exit__` or context manager), "finally", "decorator", "retry" (gives up with an error), "retry-forever", "retry-reraise", "gather", "group",
    "fallback", "batch", "thread", "dropped". `what` names it for a message; it stands at `at` in the module `path`. `node`: the handler, the
    way of a retry, the obstacle inside of a context manager. `fails`: it raises another exception in the place of the pause. `sure`: it stops
    every pause that comes to it; a handler may send it on in some cases, a block may be entered only in some."""

    kind: str
    what: str
    path: str
    at: At
    node: Any = None
    fails: bool = False
    sure: bool = True

    @property
    def caught(self) -> bool:
        """Whether it is a plain `except` (HIL201); everything else but "thread" and "dropped" (HIL204) is HIL202."""
        return self.kind in ("handler", "other")

    @property
    def lost(self) -> bool:
        return self.kind in ("thread", "dropped")

    @property
    def stops(self) -> bool:
        """Whether no pause leaves: a retry that raises the last exception again only multiplies the body."""
        return self.kind != "retry-reraise"

    @property
    def hides(self) -> bool:
        """Whether no graph ever gets to see the pause, and the run goes on: nobody is asked, and no answer comes."""
        return self.sure and not self.fails and self.kind in HIDING


class Signals:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.reading = Caught(project)
        self.carriers = Carriers(project)
        self.retries = Retries(project, self)
        self._open: set[Any] = set()
        # What a decorator was given for its parameters, while its wrapper is looked at: by function, name -> (expression, scope).
        self._given: dict[int, dict[str, tuple[Any, Scope]]] = {}
        self._applied: tuple[int, dict[int, list[tuple[Any, Call, Scope]]]] = (-1, {})

    # ---- inside one function
    def obstacles(self, info: FnInfo, cfg: CFG, point: Point) -> list[Obstacle]:
        """What stands around a point, innermost first. The list ends with the first thing that stops the pause for good in every case."""
        scope = self.project.names.scope(info)
        found: list[Obstacle] = []
        kind = self._deferred(info, point.node, scope) if type(point.node) is Call else ""
        fate = self.carriers.fate(info, point.node, kind) if kind else None
        for p in ([p for w in fate.waits for p in cfg.at(w)] if fate is not None else []) or [point]:
            found = self._around_point(p, cfg, scope)
            if any(o.stops for o in found):
                return found
        return (self._inside(fate) if fate is not None else []) or found

    def _inside(self, fate: Fate) -> list[Obstacle]:
        """What stands around the places where project functions wait for a coroutine that they are given."""
        for helper, inner in fate.inside:
            cfg, scope = self.project.cfg(helper), self.project.names.scope(helper)
            for p in (p for w in inner.waits for p in cfg.at(w)):
                found = self._around_point(p, cfg, scope)
                if found:
                    return found
            found = self._inside(inner)
            if found:
                return found
        return []

    def leaves(self, info: FnInfo, cfg: CFG, point: Point) -> bool:
        """Whether the pause of a call gets out of the function's body."""
        return not any(o.stops for o in self.obstacles(info, cfg, point)) and not any(o.stops for o in self.carried(info, cfg, point))

    def hidden(self, info: FnInfo, cfg: CFG, point: Point) -> bool:
        """Whether a pause never comes to light, whatever happens, so that no answer ever makes what stands before it run again."""
        return any(o.hides for o in self.obstacles(info, cfg, point)) or any(o.hides for o in self.carried(info, cfg, point)) or any(
            o.hides for o in self.around(info))

    def _deferred(self, info: FnInfo, call: Call, scope: Scope) -> str:
        kind = self.carriers.deferred(call, scope)
        if kind:
            return kind
        parents = self.carriers.parents(info)
        parent = parents.get(id(call))
        if type(parent) is Await:
            return "coroutine"
        outer = parents.get(id(parent))
        if type(outer) is Call and any(isinstance(v, Ext) and v.path in lg.GATHER | lg.CREATE_TASK for v in self.project.names.resolve(outer.func, scope)):
            return "coroutine"
        return ""

    def _around_point(self, point: Point, cfg: CFG, scope: Scope) -> list[Obstacle]:
        out: list[Obstacle] = []
        grouped: Obstacle | None = None
        for region in reversed(point.regions):
            if grouped is not None:
                # An exception group: it may be unpacked further out.
                grouped = self._unpacked(region, cfg, scope, grouped)
                continue
            found = self._region(region, point, cfg, scope)
            if found is None:
                continue
            if found.kind == "group":
                grouped = found
                continue
            out.append(found)
            if found.stops and found.sure:
                return out
        return [*out, grouped] if grouped is not None else out

    def _unpacked(self, region: Region, cfg: CFG, scope: Scope, group: Obstacle) -> Obstacle | None:
        """None where a handler takes the pause out of the group and raises it: `except* GraphBubbleUp as g: raise g.exceptions[0]`."""
        if region.kind != "try":
            return group
        for h in region.node.handlers:
            if self.catches(h.type, scope, group=not region.node.star) and self.reading.handler(h, region.node, cfg, scope, caught=GROUP) == "raises":
                return None
        return group

    def _region(self, region: Region, point: Point, cfg: CFG, scope: Scope) -> Obstacle | None:
        if region.kind == "try":
            return self.handlers(region.node, cfg, scope) or self._final(region.node, scope)
        if region.kind in ("handler", "else"):
            owner = region.node if type(region.node) is Try else self._try_of(region.node, cfg)
            return self._final(owner, scope) if owner is not None else None
        if region.kind == "with" and region.item is not None:
            return self._with(region.item, scope, cfg, point)
        return None

    def _try_of(self, handler: Handler, cfg: CFG) -> Try | None:
        for p in cfg.points:
            if type(p.node) is Try and handler in p.node.handlers:
                return p.node
        return None

    def _final(self, node: Try, scope: Scope) -> Obstacle | None:
        jump = _jump(node.final, {name for name, bindings in scope.bindings.items() if any(b.how != "param" for b in bindings)}) if node.final else None
        if jump is None:
            return None
        word = {Return: "return", Break: "break", Continue: "continue", Raise: "raise"}[type(jump)]
        return Obstacle("finally", f"`{word}` in the finally block", scope.module.path, jump.at, jump, type(jump) is Raise, any(s is jump for s in node.final))

    def handlers(self, node: Try, cfg: CFG, scope: Scope) -> Obstacle | None:
        """The handler of a `try` that catches a pause and does not simply raise it again."""
        for h in node.handlers:
            if not self.catches(h.type, scope):
                continue
            outcome = self.reading.handler(h, node, cfg, scope)
            sure = self.reading.always
            if outcome == "hands":
                outcome = "raises" if scope.kind == "function" and self._callers_raise(scope.owner, self.reading.returned) else "swallows"
            if outcome == "raises":
                return None
            shown = f"except* {text(h.type, 40)}" if node.star else f"except {text(h.type, 40)}" if h.type is not None else "except:"
            if outcome == "again":
                return Obstacle("retry-reraise", f"the loop around `{shown}`", scope.module.path, h.at, h)
            swallows = outcome == "swallows"
            return Obstacle("handler" if swallows else "other", f"`{shown}`", scope.module.path, h.at, h, not swallows, sure or not swallows)
        return None

    def catches(self, expr: Any, scope: Scope, *, group: bool = False, depth: int = 0) -> bool:
        """Whether an `except` of these types catches a pause (with `group`: a group that holds one)."""
        if expr is None:
            return True
        if depth > 8:
            return False
        t = type(expr)
        if t is Seq:
            return any(self.catches(e, scope, group=group, depth=depth + 1) for e in expr.elts)
        if t is Star:
            return self.catches(expr.value, scope, group=group, depth=depth + 1)
        if t is Bin and expr.op in ("+", "|"):
            return any(self.catches(e, scope, group=group, depth=depth + 1) for e in (expr.left, expr.right))
        if t is Name and self._given:
            found = self.project.names.lookup(expr.id, scope)
            if found is not None and found[1].kind == "function" and found[0][0].how == "param":
                given = self._given.get(id(found[1].owner.fn))
                if given is not None:
                    param = found[0][0].node
                    arg, where = given.get(expr.id, (param.default, found[1].owner.parent))
                    return arg is not None and self.catches(arg, where, group=group, depth=depth + 1)
        for v in self.project.names.resolve(expr, scope):
            if isinstance(v, Ext):
                if v.path in (_GROUPS if group else surface.CAUGHT):
                    return True
                if v.path in ("tuple()", "list()", "set()", "frozenset()") and v.origin is not None and v.scope is not None and any(
                        self.catches(a.value, v.scope, group=group, depth=depth + 1) for a in v.origin.args):
                    return True
            if isinstance(v, Lit) and v.expr is not expr and type(v.expr) in (Seq, Bin) and self.catches(v.expr, v.scope, group=group, depth=depth + 1):
                return True
        return False

    # ---- with
    def _with(self, item: WithItem, scope: Scope, cfg: CFG, point: Point) -> Obstacle | None:
        found = self.manager(item.value, scope, item.at, item)
        if found is not None:
            return found
        if any(isinstance(v, Ext) and v.path.removesuffix("()") in lg.EXIT_STACK for v in self.project.names.resolve(item.value, scope)):
            name = item.target.id if type(item.target) is Name else item.value.id if type(item.value) is Name else ""
            return self._stacked(name, scope, cfg, point)
        return None

    def _stacked(self, name: str, scope: Scope, cfg: CFG, point: Point) -> Obstacle | None:
        """What is put on an ExitStack before the pause: `stack.enter_context(suppress(Exception))`, `stack.push(swallow)`."""
        for call in scope.calls:
            f = call.func
            if type(f) is not Attr or type(f.value) is not Name or f.value.id != name or not call.args:
                continue
            if not any(cfg.connects(p, point) for p in cfg.at(call)):
                continue
            given = call.args[0].value
            if f.attr in ("enter_context", "enter_async_context"):
                found = self.manager(given, scope, call.at, call)
            elif f.attr in ("push", "push_async_exit"):
                found = self.manager(given, scope, call.at, call)
                for v in self.project.names.resolve(given, scope):
                    if isinstance(v, Fn) and self._exit_keeps(v.info) == "swallows":
                        found = Obstacle("exit", f"`{text(call.func, 30)}({text(given, 30)})`", scope.module.path, call.at, call)
            else:
                continue
            if found is not None:
                return found if any(cfg.dominates(p, point) for p in cfg.at(call)) else replace(found, sure=False)
        return None

    def manager(self, expr: Any, scope: Scope, at: At, node: Any) -> Obstacle | None:
        """What a context manager does with a pause that is raised in its block."""
        path = scope.module.path
        names = self.project.names
        values = names.resolve(expr, scope)
        only = len(values) == 1  # not one of several: `suppress(Exception) if quiet else nullcontext()`
        for v in values:
            if isinstance(v, Ext):
                base = v.path.removesuffix("()")
                if base in lg.SUPPRESS and v.origin is not None and any(self.catches(a.value, v.scope or scope) for a in v.origin.args):
                    return Obstacle("suppress", f"`{text(expr, 40)}`", path, at, node, sure=only)
                if base in lg.TASK_GROUPS:
                    return Obstacle("group", f"`{text(expr, 40)}`", path, at, node)
                found = self.retries.attempt(v, scope, path, at)
                if found is not None:
                    return found
            elif isinstance(v, Inst):
                for name in ("__exit__", "__aexit__"):
                    m = names.method(v.info, name)
                    kept = self._exit_keeps(m) if m is not None else ""
                    if kept:
                        what = f"`{v.info.cls.name}.{name}()`" + (", which returns True," if kept == "swallows" else "")
                        return Obstacle("exit", what, path, at, node, kept != "swallows", only and m is not None and _only_true(m))
                if v.call is not None and any(c in lg.SUPPRESS for c in names.mro(v.info) if isinstance(c, str)) and any(
                        self.catches(a.value, v.scope or scope) for a in v.call.args):
                    return Obstacle("suppress", f"`{text(expr, 40)}`", path, at, node, sure=only)
        if type(expr) is Call:
            for f in names.resolve(expr.func, scope):
                inner = self._manager_keeps(f.info) if isinstance(f, Fn) else None
                if isinstance(f, Fn) and inner is not None:
                    return Obstacle("exit", f"the context manager `{f.info.name}()`", path, at, inner, inner.fails, inner.sure)
        return None

    def _exit_keeps(self, info: FnInfo) -> str:
        """What an `__exit__` (or a callback pushed on an ExitStack) does to a pause: "swallows" (it returns something true), "diverts", or ""."""
        if is_stub(info):
            return ""
        params = [p for p in info.fn.params if p.name not in ("self", "cls")]
        given: dict[str, Any] = {}
        for p, value in zip(params, (TYPE, PAUSE, UNKNOWN)):
            if p.kind == "star":
                rest = (TYPE, PAUSE, UNKNOWN)[len(given):]
                given[p.name] = rest
                break
            if value is not UNKNOWN:
                given[p.name] = value
        ends = self.reading.call(info, given, caught=PAUSE)
        if not ends.swallows:
            return "diverts" if ends.ways == {"diverts"} and not ends.doubtful else ""
        swallows = any(truth(v) is True for v in ends.values) and not (ends.doubtful and any(truth(v) is not True for v in ends.values))
        return "swallows" if swallows else ""

    def _manager_keeps(self, info: FnInfo) -> Obstacle | None:
        """What keeps the pause in a `@contextmanager` function: around its `yield`."""
        if id(info.fn) in self._open or not any(p in lg.CONTEXT_MANAGER_DECORATORS for p, _ in self.project.decorator_paths(info)):
            return None
        self._open.add(id(info.fn))
        try:
            cfg = self.project.cfg(info)
            found = next((o for p in cfg.points if p.kind == "yield" for o in self.obstacles(info, cfg, p) if o.stops), None)
        finally:
            self._open.discard(id(info.fn))
        if found is not None and type(found.node) is Handler and any(type(n) is Yield for s in found.node.body for n in walk(s)):
            return replace(found, fails=True)  # contextlib: "generator didn't stop after throw()"
        return found

    # ---- around the whole function
    def around(self, info: FnInfo) -> list[Obstacle]:
        """Decorators that catch or retry the pause of the function they stand on."""
        found = (self.applied(d, info.parent, info, f"@{text(d.func if type(d) is Call else d, 30)}", d.at) for d in info.fn.decorators)
        return [o for o in found if o is not None]

    def wrapped(self, info: FnInfo) -> list[Obstacle]:
        """The same for what is put around a function elsewhere: `node = guard(node)`, `add_node("x", guard(node))`, `retry(…)(node)`,
        `RunnableLambda(node).with_fallbacks([…])` as a node."""
        out: list[Obstacle] = []
        for d, call, scope in self._applications().get(id(info.fn), ()):
            found = self.applied(d, scope, info, f"{text(d.func if type(d) is Call else d, 30)}(…)", call.at, given=call)
            if found is not None:
                out.append(found)
        for entries in self.project.graphs.nodes().values():
            for v, call, scope in entries:
                if isinstance(v, Wrapped) and any(f.fn is info.fn for f in self.project.graphs.functions_of(v)):
                    for a in call.args:
                        out += self._runnable(a.value, scope, scope.module.path)
        return out

    def applied(self, d: Any, scope: Scope, info: FnInfo, shown: str, at: At, *, given: Call | None = None, depth: int = 0) -> Obstacle | None:
        """What becomes of the pause of the function `info` under the decorator expression `d`. `given`: the call `d(function, …)` when it is
        applied by hand."""
        call = d if type(d) is Call else None
        path = scope.module.path
        names = self.project.names
        for v in names.resolve(call.func if call is not None else d, scope):
            found: Obstacle | None = None
            if isinstance(v, Ext):
                found = self.retries.decorator(v, call, scope, info, f"`{shown}`", path, at)
            elif depth > 3:
                continue
            elif isinstance(v, Fn):
                inner = self._manager_keeps(v.info) if call is not None else None
                if inner is not None:
                    found = Obstacle("decorator", f"{_noun(shown)} `{shown}`", path, at, inner, inner.fails, inner.hides)
                else:
                    found = self._wrapper(v.info, call or given, self._taken(v.info, call, given, scope, info), scope, info, shown, at, depth)
            elif isinstance(v, (Cls, Inst)):
                found = self._object(v, call, scope, info, shown, at, depth)
            if found is not None:
                return found
        return None

    def _object(self, v: Cls | Inst, call: Call | None, scope: Scope, info: FnInfo, shown: str, at: At, depth: int) -> Obstacle | None:
        """A class as a decorator: `@Guard` keeps the function and calls it in `__call__`; `@Guard(…)` makes a wrapper there, or enters itself."""
        names = self.project.names
        made = call is not None or isinstance(v, Inst)
        if made and any(isinstance(c, str) and c in _CONTEXT_DECORATORS for c in names.mro(v.info)):
            m = names.method(v.info, "__aexit__" if info.fn.is_async else "__exit__")
            kept = self._exit_keeps(m) if m is not None else ""
            if kept:
                return Obstacle("decorator", f"{_noun(shown)} `{shown}`", scope.module.path, at, v.info.cls, kept != "swallows", m is not None and _only_true(m))
        m = names.method(v.info, "__call__")
        if m is None:
            return None
        if made:
            return self._wrapper(m, None, self._taken(m, None, None, scope, info), scope, info, shown, at, depth)
        kept = self._kept(v)
        return self._calls_inside(m, kept, info, shown, at, depth) if kept else None

    def _kept(self, v: Cls | Inst) -> set[str]:
        """The attributes in which `__init__` keeps its arguments: "self.fn"."""
        m = self.project.names.method(v.info, "__init__")
        if m is None:
            return set()
        params = {p.name for p in m.fn.params[1:]}
        return {name for name, value, _ in self.project.names.scope(m).attrs if type(value) is Name and value.id in params}

    def _taken(self, decorator: FnInfo, call: Call | None, given: Call | None, scope: Scope, info: FnInfo) -> set[str]:
        """The parameters in which a decorator gets the function itself; a factory (`@guard(…)`) gets it further in."""
        if call is not None:
            return set()
        params = [p for p in decorator.fn.params if p.name not in ("self", "cls")]
        if given is not None:
            taken = set()
            for p in params:
                arg = argument(given, decorator.fn, p, decorator.cls is not None)
                if arg is not None and any(f.fn is info.fn for v in self.project.names.resolve(arg, scope) for f in self.project.graphs.functions_of(v)):
                    taken.add(p.name)
            if taken:
                return taken
        return {params[0].name} if params else set()

    def _wrapper(self, decorator: FnInfo, call: Call | None, outer: set[str], scope: Scope, info: FnInfo, shown: str, at: At,
                 depth: int) -> Obstacle | None:
        """A project-own decorator whose wrapper calls the function inside something that keeps the pause."""
        key = id(decorator.fn)
        if key in self._open or depth > 3:
            return None
        self._open.add(key)
        given: dict[str, tuple[Any, Scope]] = {}
        if call is not None:
            for p in decorator.fn.params:
                arg = argument(call, decorator.fn, p, decorator.cls is not None)
                if arg is not None:
                    given[p.name] = (arg, scope)
        before, self._given[key] = self._given.get(key), given
        try:
            inside = list(self._nested(decorator, outer))
            calling = [(w, o) for w, o in inside if self._runs(w, o)]
            matching = [(w, o) for w, o in calling if w.fn.is_async == info.fn.is_async]
            for w, o in matching or calling:
                found = self._calls_inside(w, o, info, shown, at, depth)
                if found is not None:
                    return found
            # `return retry(stop=…)(fn)`, `fn = guard(fn)` in the decorator itself.
            for w, o in [(decorator, outer), *inside]:
                wscope = self.project.names.scope(w)
                for c in wscope.calls:
                    if any(type(a.value) is Name and a.value.id in o for a in c.args[:1]) and not self._is_call_of(c, o):
                        found = self.applied(c.func, wscope, info, shown, at, given=c, depth=depth + 1)
                        if found is not None:
                            return Obstacle(found.kind, f"{_noun(shown)} `{shown}`", found.path, found.at, found.node, found.fails, found.sure)
        finally:
            self._open.discard(key)
            if before is None:
                self._given.pop(key, None)
            else:
                self._given[key] = before
        return None

    def _runs(self, w: FnInfo, outer: set[str]) -> bool:
        own = {p.name for p in w.fn.params}
        return any(self._is_call_of(c, outer - own) or any(type(a.value) is Name and a.value.id in outer - own for a in c.args)
                   for c in self.project.names.scope(w).calls)

    @staticmethod
    def _is_call_of(call: Call, outer: set[str]) -> bool:
        """`fn(…)`, `self.fn(…)`, `fn.invoke(…)`."""
        f = call.func
        if type(f) is Attr and dotted(f) not in outer and f.attr in ("invoke", "ainvoke", "__call__"):
            f = f.value
        return dotted(f) in outer

    def _calls_inside(self, w: FnInfo, outer: set[str], info: FnInfo, shown: str, at: At, depth: int) -> Obstacle | None:
        """What stands around the calls of the wrapped function in a wrapper."""
        scope = self.project.names.scope(w)
        cfg = self.project.cfg(w)
        own = {p.name for p in w.fn.params}
        outer = {n for n in outer if n not in own}
        parents = self.carriers.parents(w)
        path = info.module.path
        for p in cfg.points:
            if p.kind != "call":
                continue
            call = p.node
            if self._is_call_of(call, outer):
                if info.fn.is_async and not w.fn.is_async and type(parents.get(id(call))).__name__ in ("Return", "Assign"):
                    continue  # only a coroutine is made here; it is awaited outside
                for o in self._around_point(p, cfg, scope):
                    return Obstacle("decorator" if o.stops else o.kind, f"{_noun(shown)} `{shown}` ({o.what} in {w.name}())", o.path, o.at, o.node, o.fails,
                                    o.hides and sum(self._is_call_of(c, outer) for c in scope.calls) == 1)
                continue
            for n, a in enumerate(call.args):
                if type(a.value) is not Name or a.value.id not in outer:
                    continue
                for v in self.project.names.resolve(call.func, scope):
                    if isinstance(v, Ext) and surface.call_mode(v.path) == "call":
                        for o in self._around_point(p, cfg, scope):
                            return Obstacle("decorator" if o.stops else o.kind, f"{_noun(shown)} `{shown}` ({o.what} in {w.name}())", o.path, o.at,
                                            o.node, o.fails, False)
                    if isinstance(v, Ext) and surface.call_mode(v.path) == "thread":
                        return Obstacle("thread", f"{_noun(shown)} `{shown}`, which calls `{text(call.func, 30)}()`,", path, at, call)
                    if isinstance(v, Fn) and depth <= 3 and id(v.info.fn) not in self._open:
                        # The wrapper leaves the call to a helper: `return run_safely(fn, *args)`.
                        found = self._around_point(p, cfg, scope) or self._helper(v.info, call, n, a.name, info, shown, at, depth)
                        if isinstance(found, list):
                            found = Obstacle("decorator" if found[0].stops else found[0].kind, f"{_noun(shown)} `{shown}`", found[0].path, found[0].at, found[0].node, sure=False)
                        if found is not None:
                            return found
        for o in self.around(w):
            if o.kind.startswith("retry") or o.kind == "decorator":
                return Obstacle(o.kind, f"{_noun(shown)} `{shown}`", o.path, o.at, o.node, o.fails)
        return None

    def _helper(self, helper: FnInfo, call: Call, n: int, keyword: str | None, info: FnInfo, shown: str, at: At, depth: int) -> Obstacle | None:
        params = [p.name for p in helper.fn.params if p.kind in ("pos", "any") and p.name not in ("self", "cls")]
        name = keyword if keyword is not None else params[n] if n < len(params) else None
        if name is None:
            return None
        scope, cfg = self.project.names.scope(helper), self.project.cfg(helper)
        self._open.add(id(helper.fn))
        try:
            for p in cfg.points:
                if p.kind == "call" and self._is_call_of(p.node, {name}):
                    for o in self._around_point(p, cfg, scope):
                        return Obstacle("decorator" if o.stops else o.kind, f"{_noun(shown)} `{shown}` ({o.what} in {helper.name}())", o.path, o.at, o.node, o.fails)
        finally:
            self._open.discard(id(helper.fn))
        return None

    def _nested(self, info: FnInfo, outer: set[str]) -> Iterator[tuple[FnInfo, set[str]]]:
        """Functions inside a function, at any depth, each with the parameters of those around it."""
        for bindings in self.project.names.scope(info).bindings.values():
            for b in bindings:
                if b.how == "def":
                    yield b.node, outer
                    yield from self._nested(b.node, outer | {p.name for p in b.node.fn.params})

    def closes_over(self, info: FnInfo, call: Call) -> bool:
        """Whether a call in a wrapper runs the function that a decorator was given: `fn(*args)`, `asyncio.to_thread(fn, *args)`."""
        f = call.func
        if type(f) is Attr and f.attr in ("invoke", "ainvoke", "__call__"):
            f = f.value
        scope = self.project.names.scope(info)
        if self.project.decorated.pause(call, scope) is not None:
            return True
        if type(f) is Name and self._of_outer(f.id, info, scope):
            return True
        return any(type(a.value) is Name and self._of_outer(a.value.id, info, scope) for a in call.args) and any(
            isinstance(v, Ext) and surface.call_mode(v.path) for v in self.project.names.resolve(call.func, scope))

    def _of_outer(self, name: str, info: FnInfo, scope: Scope) -> bool:
        """Whether a name is a parameter of an enclosing function."""
        found = self.project.names.lookup(name, scope)
        return found is not None and found[1].kind == "function" and found[1].owner is not info and all(b.how == "param" for b in found[0])

    def _applications(self) -> dict[int, list[tuple[Any, Call, Scope]]]:
        """By function, the decorators that are applied to it by hand: (decorator expression, the call, its scope)."""
        names = self.project.names
        stamp = len(self.project.candidates) * 2 + names.reading
        if self._applied[0] == stamp:
            return self._applied[1]
        out: dict[int, list[tuple[Any, Call, Scope]]] = {}
        self._applied = (stamp, out)
        wanted = self.project.pausing_names()
        for module in list(self.project.candidates):
            if is_test(module.path):
                continue
            scopes = [module.scope, *(c.scope for c in module.classes if c.scope is not None), *(names.scope(f) for f in list(module.functions))]
            for scope in scopes:
                for call in scope.calls:
                    given = [a.value for a in call.args if not a.star and self._may_name(a.value, scope, wanted)]
                    if not given:
                        continue
                    d = call.func
                    if given[0] is call.args[0].value and (type(d) is Call or self._retrying_name(d, scope)):
                        self._note(given[0], d, call, scope, out)
                    for v in names.resolve(d, scope):
                        if isinstance(v, Fn):
                            self._wrapped_by(v.info, call, scope, given, out)
        return out

    def _wrapped_by(self, fn: FnInfo, call: Call, scope: Scope, given: list[Any], out: dict[int, list[tuple[Any, Call, Scope]]]) -> None:
        """Notes what a function that makes a wrapper around one of its own parameters is given."""
        outer = {p.name for p in fn.fn.params}
        direct = [w for w, o in self._nested(fn, outer) if self._runs(w, outer)]
        for p in fn.fn.params if direct else ():
            arg = argument(call, fn.fn, p, fn.cls is not None)
            if arg is not None and any(arg is g for g in given) and any(
                    self._is_call_of(c, {p.name}) or any(type(a.value) is Name and a.value.id == p.name for a in c.args)
                    for w in direct for c in self.project.names.scope(w).calls):
                self._note(arg, call.func, call, scope, out)

    def _may_name(self, expr: Any, scope: Scope, wanted: set[str], depth: int = 0) -> bool:
        """Whether an expression may be a function that pauses, by the names alone: `node`, `self.node`, `make_node(x)`, a variable made so."""
        if type(expr) is Call:
            return self._may_name(expr.func, scope, wanted, depth)
        if type(expr) is Attr:
            return expr.attr in wanted or self._may_name(expr.value, scope, wanted, depth + 1) if depth < 3 else False
        if type(expr) is not Name or depth > 2:
            return False
        if expr.id in wanted:
            return True
        for b in scope.bindings.get(expr.id, scope.module.scope.bindings.get(expr.id, ())):
            if b.how == "import":
                found = b.node.name in wanted
            elif b.how.startswith("element"):
                found = any(type(n) in (Name, Attr) and (n.id if type(n) is Name else n.attr) in wanted for n in walk(b.node))
            else:
                found = b.how in ("value", "unpack") and self._may_name(b.node, scope, wanted, depth + 1)
            if found:
                return True
        return False

    def _retrying_name(self, d: Any, scope: Scope) -> bool:
        """A library decorator applied by name: `retry(node)`, or one kept in a variable: `with_retry = retry(stop=…)`."""
        if type(d) not in (Name, Attr):
            return False
        return any(isinstance(v, Ext) and v.path.removesuffix("()") in lg.RETRY_DECORATORS for v in self.project.names.resolve(d, scope))

    def _note(self, arg: Any, d: Any, call: Call, scope: Scope, out: dict[int, list[tuple[Any, Call, Scope]]]) -> None:
        for v in self.project.names.resolve(arg, scope):
            if isinstance(v, (Fn, Wrapped)):
                for info in self.project.graphs.functions_of(v):
                    out.setdefault(id(info.fn), []).append((d, call, scope))

    # ---- the value that carries the pause
    def carried(self, info: FnInfo, cfg: CFG, pause: Point) -> list[Obstacle]:
        """What becomes of the call's coroutine, task, future or result list: gather, batch, executors, tasks nobody awaits."""
        scope = self.project.names.scope(info)
        path = scope.module.path
        node = pause.node
        j = self.project.effects.judge(node, scope)
        if j.off == "thread" and not self._context_copied(node, scope):
            return [Obstacle("thread", f"`{text(node.func, 40)}()`", path, node.at, node)]
        out = self._own_call(info, node, scope, cfg)
        kind = self._deferred(info, node, scope)
        if not kind:
            return out
        fate = self.carriers.fate(info, node, kind)
        out += self._lost_in(info, fate, node)
        for call in fate.groups:
            if not self._entered_here(call, scope):
                out.append(Obstacle("group", f"`{text(call.func, 30)}()`", path, call.at, call))
        if fate.lost:
            made = fate.dropped
            shown = self._made_with(info, node, scope) or text(made.func if type(made) is Call else made, 30)
            out.append(Obstacle("dropped", f"`{shown}()`, which nobody {'awaits' if kind == 'coroutine' else 'waits for'}", path, node.at, node))
        return out

    def _lost_in(self, info: FnInfo, fate: Fate, node: Call) -> Iterator[Obstacle]:
        """Gathers that hand the pause back as a value nobody raises, and threads that it is sent to, here and in the functions that are given it."""
        cfg, scope = self.project.cfg(info), self.project.names.scope(info)
        for call in fate.gathers:
            if not self._raised_from(info, call, cfg, scope, results=_among(call, node)):
                yield Obstacle("gather", f"`{text(call.func, 30)}(return_exceptions=True)`", info.module.path, call.at, call)
        for call in fate.threads:
            if not self._context_copied(call, scope):
                yield Obstacle("thread", f"`{text(call.func, 40)}()`", info.module.path, call.at, call)
        for helper, inner in fate.inside:
            yield from self._lost_in(helper, inner, node)

    def _made_with(self, info: FnInfo, node: Call, scope: Scope) -> str:
        """The call that makes a task of a coroutine: "asyncio.create_task"."""
        parents = self.carriers.parents(info)
        outer = parents.get(id(parents.get(id(node))))
        if type(outer) is Call and (any(isinstance(v, Ext) and v.path in lg.CREATE_TASK for v in self.project.names.resolve(outer.func, scope))
                                    or type(outer.func) is Attr and outer.func.attr == "create_task"):
            return text(outer.func, 30)
        return ""

    def _entered_here(self, call: Call, scope: Scope) -> bool:
        """Whether the task group of `group.create_task(…)` is entered in this function: its `with` says the same."""
        f = call.func
        if type(f) is not Attr or type(f.value) is not Name:
            return False
        return any(b.how == "enter" for b in scope.bindings.get(f.value.id, ()))

    def _raised_from(self, info: FnInfo, call: Call, cfg: CFG, scope: Scope, depth: int = 0, results: Any = RESULTS) -> bool:
        """Whether the results of `call`, among which the pause stands, are looked through and the pause raised again (here or in the callers)."""
        kind = self._deferred(info, call, scope)
        nodes = [call]
        if kind:
            fate = self.carriers.fate(info, call, kind)
            if not fate.waits:
                return fate.unknown or fate.returned
            nodes = fate.waits
        points = [p for n in nodes for p in cfg.at(n)]
        if not points:
            return True
        ends = self.reading.from_point(cfg, scope, points, {id(n): results for n in nodes})
        if ends.doubtful or not ends.swallows:
            return True
        if "returns" in ends.ways or depth > 2:
            return False
        return self._callers_raise(info, _same_or(ends.values, RESULTS), depth, unknown=True)

    def _callers_raise(self, info: FnInfo, value: Any, depth: int = 0, *, unknown: bool = False) -> bool:
        """Whether some caller raises the pause that a function returns as (part of) its value; `unknown`: what to say when no caller is seen."""
        sites = [(c, s) for c, s in self.project.names.calls_by_name.get(info.name, ())
                 if s.kind == "function" and any(isinstance(v, Fn) and v.info is info for v in self.project.names.resolve(c.func, s))]
        if not sites or depth > 2:
            return unknown and not self.project.graphs.is_root(info)
        return any(self._raised_from(s.owner, c, self.project.cfg(s.owner), s, depth + 1, value) for c, s in sites)

    def _own_call(self, info: FnInfo, node: Call, scope: Scope, cfg: CFG) -> list[Obstacle]:
        """`runnable.with_fallbacks([…]).invoke(x)`, `.batch(…, return_exceptions=True)`, `retrying(ask, x)`, a name made by `retry(…)(ask)`."""
        out: list[Obstacle] = []
        f = node.func
        path = scope.module.path
        if type(f) is Attr:
            if f.attr in lg.BATCH_METHODS and self.carriers.hands_back(node, scope) and not self._raised_from(info, node, cfg, scope):
                out.append(Obstacle("batch", f"`{text(f, 30)}(return_exceptions=True)`", path, node.at, node))
            out += self._runnable(f.value, scope, path)
        out += self.retries.called(node, scope, path)
        if type(f) in (Name, Call):
            for made in self._made_by(f, scope):
                # `safe_ask = retry(stop=…)(ask)`, then `safe_ask(x)`.
                if made is not node and made.args and type(made.args[0].value) in (Name, Attr):
                    for v in self.project.names.resolve(made.args[0].value, scope):
                        if isinstance(v, Fn):
                            inner = made.func
                            found = None
                            for w in self.project.names.resolve(inner.func if type(inner) is Call else inner, scope):
                                if isinstance(w, Ext):
                                    found = self.retries.decorator(w, inner if type(inner) is Call else None, scope, v.info,
                                                                   f"`{text(inner.func if type(inner) is Call else inner, 30)}(…)`", path, made.at)
                            if found is not None:
                                out.append(found)
        return out

    def _runnable(self, expr: Any, scope: Scope, path: str) -> list[Obstacle]:
        """What was made of a runnable before it is run: with_fallbacks, with_retry."""
        out: list[Obstacle] = []
        for made in self._made_by(expr, scope):
            if type(made.func) is not Attr:
                continue
            if made.func.attr == "with_fallbacks" and self._handled(made, "exceptions_to_handle", scope):
                out.append(Obstacle("fallback", "`with_fallbacks(…)`", path, made.at, made))
            if made.func.attr == "with_retry" and self._handled(made, "retry_if_exception_type", scope):
                out.append(Obstacle("retry-reraise", "`with_retry(…)`", path, made.at, made))
        return out

    def _handled(self, call: Call, keyword: str, scope: Scope) -> bool:
        kinds = next((a.value for a in call.args if a.name == keyword), None)
        return kinds is None or self.catches(kinds, scope)

    def _made_by(self, expr: Any, scope: Scope, depth: int = 0) -> Iterator[Call]:
        """The calls that made a receiver, through names and attributes."""
        if depth > 4:
            return
        if type(expr) is Call:
            yield expr
            if type(expr.func) is Attr:
                yield from self._made_by(expr.func.value, scope, depth + 1)
        elif type(expr) is Name:
            found = self.project.names.lookup(expr.id, scope)
            if found is not None:
                for b in found[0]:
                    if b.how == "value":
                        yield from self._made_by(b.node, found[1], depth + 1)
        elif type(expr) is Bin and expr.op == "|":
            yield from self._made_by(expr.left, scope, depth + 1)
            yield from self._made_by(expr.right, scope, depth + 1)

    # ---- threads
    def _context_copied(self, node: Call, scope: Scope) -> bool:
        """Whether what runs in the other thread has the node's context: `submit(copy_context().run, f)`, a runnable that is given the node's config,
        a worker that does one of these itself."""
        paths = [v.path for v in self.project.names.resolve(node.func, scope) if isinstance(v, Ext)]
        if not node.args or any(p in lg.THREADS for p in paths):
            return False  # even so nobody catches what is raised there
        plain = [a.value for a in node.args if a.name is None and not a.star]
        handed = plain[1:2] if any(p.rpartition(".")[2] == "run_in_executor" for p in paths) else plain[:1]
        for e in handed:
            inner = e.args[0].value if type(e) is Call and e.args and dotted(e.func) in ("partial", "functools.partial") else e
            rest = e.args[1:] if inner is not e else node.args[node.args.index(next(a for a in node.args if a.value is e)) + 1:]
            for v in self.project.names.resolve(inner, scope):
                if isinstance(v, Ext) and v.path.startswith("contextvars.copy_context"):
                    return True
                if isinstance(v, Fn) and not _runs(inner) and self._worker_has_context(v.info):
                    return True
            if _runs(inner) and (len([a for a in rest if not a.star and a.name is None]) > 1 or any(a.name == "config" for a in rest)):
                return True
        return False

    def _worker_has_context(self, info: FnInfo, depth: int = 0) -> bool:
        scope = self.project.names.scope(info)
        pausing = False
        for call in scope.calls:
            paths = [v.path for v in self.project.names.resolve(call.func, scope) if isinstance(v, Ext)]
            if any(p.rpartition(".")[2] == "set_config_context" or p.endswith("var_child_runnable_config.set") for p in paths):
                return True
            j = self.project.effects.judge(call, scope)
            if j.pause is None:
                continue
            pausing = True
            if any(p.startswith("contextvars.copy_context") for p in paths):
                continue
            if _runs(call.func) and (len([a for a in call.args if not a.star and a.name is None]) > 1 or any(a.name == "config" for a in call.args)):
                continue
            if depth < 3 and j.targets and all(self._worker_has_context(t, depth + 1) for t in j.targets):
                continue
            return False
        return pausing


_GROUPS = surface.CAUGHT | {"ExceptionGroup", "BaseExceptionGroup", "exceptiongroup.ExceptionGroup", "exceptiongroup.BaseExceptionGroup"}
_CONTEXT_DECORATORS = frozenset({"contextlib.ContextDecorator", "contextlib.AsyncContextDecorator"})


def _noun(shown: str) -> str:
    return "the decorator" if shown.startswith("@") else "the wrapper"


def _only_true(info: FnInfo) -> bool:
    """Whether a function says True and nothing else: `def __exit__(self, *exc): log(); return True`."""
    returns = [n for s in info.fn.body for n in walk(s) if type(n) is Return]
    return bool(info.fn.body) and type(info.fn.body[-1]) is Return and all(type(r.value) is Const and r.value.value is True for r in returns)


def _same_or(values: list[Any], otherwise: Any) -> Any:
    return values[0] if values and all(v == values[0] for v in values) else otherwise


def _among(gather: Call, node: Call) -> tuple[Any, ...]:
    """The results of a gather as far as they are known: the pause at the place of its coroutine, where that stands among the arguments."""
    args = gather.args
    if any(a.star for a in args):
        return RESULTS
    plain = [a.value for a in args if a.name is None]
    place = [n for n, a in enumerate(plain) if any(x is node for x in walk(a))]
    return tuple(PAUSE if n in place else UNKNOWN for n in range(len(plain))) if place else RESULTS


def _runs(func: Any) -> bool:
    """`graph.invoke`, `tool.ainvoke`: what can be given the node's config."""
    return type(func) is Attr and func.attr in lg.RUN_METHODS


def _jump(body: list[Any], computed: set[str]) -> Any | None:
    """The first return/raise/break/continue that leaves a finally block; break and continue only outside loops of its own, raise only where it
    does not depend on something `computed` in the function. What stands in a handler only runs when the clean-up itself fails."""
    stack: list[tuple[Any, bool, bool]] = [(s, False, False) for s in reversed(body)]
    while stack:
        node, in_loop, tested = stack.pop()
        t = type(node)
        # A bare raise sends the pause itself on.
        if t is Return or (t is Raise and node.exc is not None and not tested) or (t in (Break, Continue) and not in_loop):
            return node
        if t in (Function, Class, Lambda):
            continue
        if t is Try:
            own = [*node.body, *node.orelse, *node.final]
            # A raise in a try with handlers is caught there as a rule.
            stack.extend((c, in_loop, tested) for c in reversed(own) if not (node.handlers and type(c) is Raise))
        elif t in (For, While):
            stack.extend((c, in_loop, tested) for c in reversed(node.orelse))
            stack.extend((c, True, tested or t is For) for c in reversed(node.body))
        else:
            tested = tested or t is Case or (t is If and any(type(n) is Name and n.id in computed for n in walk(node.test)))
            stack.extend((c, in_loop, tested) for c in reversed(list(children(node))))
    return None


__all__ = ["Obstacle", "Signals"]
