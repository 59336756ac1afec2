"""How the exception behind a pause travels: what catches, diverts or loses it on its way out of a function.

LangGraph pauses by raising GraphInterrupt. `Signals.obstacles` lists what stands in its way around one pause point, innermost
first; `escapes` says whether it leaves the function at all, which is what makes the function's callers pause.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.cfg import CFG, Point, Region
from hitl_lint.analysis.names import Cls, Ext, Fn, FnInfo, Inst, Lit, Scope
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue import surface
from hitl_lint.facts import (
    At, Attr, Await, Break, Call, Class, Cmp, Const, Continue, ExprStmt, For, Function, Handler, Lambda, Name, Raise, Return, Seq, Try,
    Un, While, WithItem, Yield, children, dotted, text, walk,
)

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

BUBBLES = lg.PAUSE_CLASSES | {"langgraph.errors.NodeInterrupt"}


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What stops a pause. `kind`: "handler" (swallows), "other" (another exception is raised instead), "suppress", "exit" (a swallowing
    `__exit__` or context manager), "finally", "decorator", "retry", "retry-reraise", "gather", "group", "fallback", "batch", "thread", "dropped".
    `what` names it for a message; it stands at `at` in the module `path`."""

    kind: str
    what: str
    path: str
    at: At
    node: Any = None

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


class Signals:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._open: set[int] = set()

    # ---- inside one function
    def obstacles(self, info: FnInfo, cfg: CFG, point: Point) -> list[Obstacle]:
        """What stands around a point, innermost first. The list ends with the first thing that stops the pause for good."""
        scope = self.project.names.scope(info)
        out: list[Obstacle] = []
        for n in range(len(point.regions) - 1, -1, -1):
            region = point.regions[n]
            found = self._region(region, point, cfg, scope)
            if found is not None:
                out.append(found)
                if found.stops:
                    return out
        return out

    def escapes(self, info: FnInfo, cfg: CFG, point: Point) -> bool:
        return not any(o.stops for o in self.obstacles(info, cfg, point)) and not any(o.stops for o in self.around(info))

    def _region(self, region: Region, point: Point, cfg: CFG, scope: Scope) -> Obstacle | None:
        path = scope.module.path
        if region.kind == "try":
            found = self._handlers(region.node, cfg, scope)
            if found is not None:
                return found
            return self._final(region.node, path)
        if region.kind in ("handler", "else"):
            owner = region.node if type(region.node) is Try else self._try_of(region.node, cfg)
            return self._final(owner, path) if owner is not None else None
        if region.kind == "with" and region.item is not None:
            return self._with(region.item, scope)
        return None

    def _try_of(self, handler: Handler, cfg: CFG) -> Try | None:
        for p in cfg.points:
            if type(p.node) is Try and handler in p.node.handlers:
                return p.node
        return None

    def _final(self, node: Try, path: str) -> Obstacle | None:
        jump = _jump(node.final)
        if jump is None:
            return None
        word = {Return: "return", Break: "break", Continue: "continue", Raise: "raise"}[type(jump)]
        return Obstacle("finally", f"`{word}` in the finally block", path, jump.at, jump)

    def _handlers(self, node: Try, cfg: CFG, scope: Scope) -> Obstacle | None:
        for h in node.handlers:
            if not self.catches(h.type, scope):
                continue
            outcome = self.outcome(h, cfg, scope)
            if outcome == "raises":
                return None
            shown = f"except* {text(h.type, 40)}" if node.star else f"except {text(h.type, 40)}" if h.type is not None else "except:"
            return Obstacle("handler" if outcome == "swallows" else "other", f"`{shown}`", scope.module.path, h.at, h)
        return None

    def catches(self, expr: Any, scope: Scope) -> bool:
        """Whether an `except` of these types catches a pause."""
        if expr is None:
            return True
        if type(expr) is Seq:
            return any(self.catches(e, scope) for e in expr.elts)
        for v in self.project.names.resolve(expr, scope):
            if isinstance(v, Ext) and v.path in surface.CAUGHT:
                return True
            if isinstance(v, Lit) and type(v.expr) is Seq and any(self.catches(e, v.scope) for e in v.expr.elts):
                return True
        return False

    # ---- what a handler does with it
    def outcome(self, h: Handler, cfg: CFG, scope: Scope) -> str:
        """"raises" when every way through the handler raises the pause again; "diverts" when it raises something else; else "swallows"."""
        starts = cfg.at(h)
        if not starts:
            starts = [p for p in cfg.points if p.kind == "handler" and p.node is h]
        if not starts:
            return "raises"  # never entered
        result = "raises"
        seen: set[int] = set()
        stack: list[Point] = [p for p in starts if p.kind == "handler"] or list(starts)
        while stack:
            p = stack.pop()
            if p.id in seen:
                continue
            seen.add(p.id)
            inside = p in starts or any(r.kind == "handler" and r.node is h for r in p.regions)
            if not inside or p.kind in ("return", "exit"):
                return "swallows"
            if p.kind == "raise":
                if type(p.node) is Raise and self._raises_again(p.node, h, scope):
                    continue
                result = "diverts"
                continue
            if p.kind == "raised" or p.kind == "reraise":
                continue
            if p.kind == "call" and self._helper_raises(p.node, h, scope):
                continue
            follow = [e for e in p.succ if e.kind != "exc"]
            if p.kind == "call" and not follow:
                result = "diverts"
                continue
            if p.kind == "test":
                truth = self._is_pause(p.node, h, scope)
                if truth is not None:
                    follow = [e for e in follow if e.kind == ("true" if truth else "false")] or follow
            if p.kind == "case":
                truth = self._case_is_pause(p.node, h, scope)
                if truth is not None:
                    follow = [e for e in follow if e.kind == ("true" if truth else "false")] or follow
            stack.extend(e.to for e in follow)
        return result

    def _raises_again(self, node: Raise, h: Handler, scope: Scope) -> bool:
        exc = node.exc
        if exc is None:
            return True
        if type(exc) is Call and type(exc.func) is Attr and exc.func.attr in ("with_traceback", "with_suppressed"):
            exc = exc.func.value
        if type(exc) is Name:
            if exc.id == h.name:
                return True
            # `err = e; …; raise err`
            found = self.project.names.lookup(exc.id, scope)
            return bool(found) and any(b.how == "value" and type(b.node) is Name and b.node.id == h.name for b in found[0]) if found else False
        target = exc.func if type(exc) is Call else exc
        return any(isinstance(v, Ext) and v.path in BUBBLES for v in self.project.names.resolve(target, scope))

    def _helper_raises(self, call: Call, h: Handler, scope: Scope) -> bool:
        """A project helper that raises the exception it is given again: `_reraise_if_pause(e)`."""
        given = [n for n, a in enumerate(call.args) if type(a.value) is Name and a.value.id == h.name]
        for v in self.project.names.resolve(call.func, scope):
            if not isinstance(v, Fn):
                continue
            fn = v.info.fn
            params = {p.name for p in fn.params}
            for stmt in fn.body:
                for node in walk(stmt):
                    if type(node) is not Raise:
                        continue
                    if node.exc is None and not given:
                        return self._raise_reaches_pause(v.info, node)
                    if node.exc is None or (type(node.exc) is Name and node.exc.id in params and given):
                        return self._raise_reaches_pause(v.info, node)
        return False

    def _raise_reaches_pause(self, info: FnInfo, node: Raise) -> bool:
        """Whether a `raise` in a helper runs for a pause: not behind an isinstance test for something else."""
        cfg = self.project.cfg(info)
        scope = self.project.names.scope(info)
        for p in cfg.at(node):
            ok = True
            for g in cfg.guards(p):
                if g.kind == "test":
                    truth = self._is_pause(g.node, None, scope)
                    if truth is not None and truth != (g.branch == "true"):
                        ok = False
            if ok:
                return True
        return False

    def _is_pause(self, test: Any, h: Handler | None, scope: Scope) -> bool | None:
        """What a test about the caught exception says when it is a pause; None when it is about something else."""
        t = type(test)
        if t is Un and test.op == "not":
            inner = self._is_pause(test.value, h, scope)
            return None if inner is None else not inner
        if t is Call:
            name = dotted(test.func)
            if name == "isinstance" and len(test.args) == 2 and self._about(test.args[0].value, h):
                return self._type_is_pause(test.args[1].value, scope)
            if name == "issubclass" and len(test.args) == 2:
                return self._type_is_pause(test.args[1].value, scope)
            for v in self.project.names.resolve(test.func, scope):
                if isinstance(v, Fn) and test.args and self._about(test.args[0].value, h):
                    answer = self._predicate(v.info)
                    if answer is not None:
                        return answer
            last = (name or "").rsplit(".", 1)[-1].lower()
            if test.args and self._about(test.args[0].value, h) and any(w in last for w in ("interrupt", "bubble", "pause", "control_flow")):
                return True
            return None
        if t is Cmp and len(test.ops) == 1:
            op, left, right = test.ops[0], test.left, test.rights[0]
            about_type = any("__name__" in text(x, 200) or text(x, 200).startswith("type(") or "__class__" in text(x, 200) for x in (left, right))
            if not about_type:
                return None
            const = next((x for x in (left, right) if type(x) is Const and x.kind == "str"), None)
            if const is not None:
                hit = const.value in ("GraphInterrupt", "Interrupt", "GraphBubbleUp") or (op in ("in", "not in") and const.value in "GraphInterrupt")
            else:
                other = right if "type(" in text(left, 200) or "__" in text(left, 200) else left
                if type(other) is Seq:
                    hit = any(type(e) is Const and e.value == "GraphInterrupt" for e in other.elts) or any(
                        isinstance(v, Ext) and v.path in BUBBLES for e in other.elts for v in self.project.names.resolve(e, scope))
                else:
                    hit = any(isinstance(v, Ext) and v.path == "langgraph.errors.GraphInterrupt" for v in self.project.names.resolve(other, scope))
            return hit if op in ("==", "is", "in") else not hit if op in ("!=", "is not", "not in") else None
        return None

    def _case_is_pause(self, case: Any, h: Handler, scope: Scope) -> bool | None:
        pattern = case.pattern
        if type(pattern) is Call:
            values = self.project.names.resolve(pattern.func, scope)
            if any(isinstance(v, Ext) and v.path in surface.CAUGHT for v in values):
                return True
            if values:
                return False
        return None

    def _about(self, expr: Any, h: Handler | None) -> bool:
        if h is None:
            return type(expr) is Name
        return (type(expr) is Name and expr.id == h.name) or "exc_info" in text(expr, 100)

    def _type_is_pause(self, expr: Any, scope: Scope) -> bool | None:
        if type(expr) is Seq:
            answers = [self._type_is_pause(e, scope) for e in expr.elts]
            return True if True in answers else None if None in answers else False
        values = self.project.names.resolve(expr, scope)
        if not values:
            name = (dotted(expr) or "").rsplit(".", 1)[-1]
            return True if name in ("GraphInterrupt", "GraphBubbleUp") else None
        for v in values:
            if isinstance(v, Ext) and v.path in surface.CAUGHT:
                return True
            if isinstance(v, Lit) and type(v.expr) is Seq:
                inner = self._type_is_pause(v.expr, v.scope)
                if inner is not False:
                    return inner
        return False

    def _predicate(self, info: FnInfo) -> bool | None:
        """`def is_interrupt(exc): return isinstance(exc, GraphInterrupt)`."""
        scope = self.project.names.scope(info)
        returns = [n for stmt in info.fn.body for n in walk(stmt) if type(n) is Return and n.value is not None]
        if len(returns) == 1:
            return self._is_pause(returns[0].value, None, scope)
        for r in returns:
            if self._is_pause(r.value, None, scope) is True:
                return True
        return None

    # ---- with
    def _with(self, item: WithItem, scope: Scope) -> Obstacle | None:
        path = scope.module.path
        for v in self.project.names.resolve(item.value, scope):
            if isinstance(v, Ext):
                base = v.path[:-2] if v.path.endswith("()") else v.path
                if base in lg.SUPPRESS and v.origin is not None and any(self.catches(a.value, v.scope or scope) for a in v.origin.args):
                    return Obstacle("suppress", f"`{text(item.value, 40)}`", path, item.at, item)
                if base in lg.TASK_GROUPS:
                    return Obstacle("group", f"`{text(item.value, 40)}`", path, item.at, item)
                if base in lg.TENACITY_LOOPS and v.origin is not None:
                    found = self._tenacity(v.origin, v.scope or scope, path, item.at)
                    if found is not None:
                        return found
            elif isinstance(v, Inst):
                for name in ("__exit__", "__aexit__"):
                    m = self.project.names.method(v.info, name)
                    if m is not None and self._exit_swallows(m):
                        return Obstacle("exit", f"`{v.info.cls.name}.{name}()`, which returns True", path, item.at, item)
        if type(item.value) is Call:
            for f in self.project.names.resolve(item.value.func, scope):
                if isinstance(f, Fn) and self._manager_swallows(f.info):
                    return Obstacle("exit", f"the context manager `{f.info.name}()`", path, item.at, item)
        return None

    def _exit_swallows(self, info: FnInfo) -> bool:
        """An `__exit__` that returns True whatever came."""
        cfg = self.project.cfg(info)
        scope = self.project.names.scope(info)
        for p in cfg.points:
            if p.kind == "return" and type(p.node.value) is Const and p.node.value.value is True:
                narrowed = False
                for g in cfg.guards(p):
                    if g.kind != "test":
                        continue
                    truth = self._is_pause(g.node, None, scope)
                    if truth is not None and truth != (g.branch == "true"):
                        narrowed = True
                    name = text(g.node, 80)
                    if truth is None and ("is None" in name) == (g.branch == "true") and ("is None" in name or "is not None" not in name) and "is None" in name:
                        narrowed = True  # `if exc_type is None: return True`: no exception there
                if not narrowed:
                    return True
        return False

    def _manager_swallows(self, info: FnInfo) -> bool:
        if not any(p in lg.CONTEXT_MANAGER_DECORATORS for p, _ in self.project.decorator_paths(info)):
            return False
        if id(info.fn) in self._open:
            return False
        self._open.add(id(info.fn))
        try:
            cfg = self.project.cfg(info)
            for p in cfg.points:
                if p.kind == "yield" and any(o.stops for o in self.obstacles(info, cfg, p)):
                    return True
        finally:
            self._open.discard(id(info.fn))
        return False

    # ---- around the whole function
    def around(self, info: FnInfo) -> list[Obstacle]:
        """Decorators that catch, retry or cache away the pause of the function they wrap."""
        out: list[Obstacle] = []
        names = self.project.names
        for d in info.fn.decorators:
            target = d.func if type(d) is Call else d
            for v in names.resolve(target, info.parent):
                if isinstance(v, Ext):
                    found = self._retry(v.path, d, info.parent, info.module.path)
                    if found is not None:
                        out.append(found)
                elif isinstance(v, Fn):
                    found = self._wrapper(v.info, d, info)
                    if found is not None:
                        out.append(found)
            # A decorator kept in a variable: `with_retry = retry(stop=…)`.
            if type(d) is not Call:
                for v in names.resolve(d, info.parent):
                    if isinstance(v, Ext) and v.path.endswith("()") and v.origin is not None:
                        found = self._retry(v.path[:-2], v.origin, v.scope or info.parent, info.module.path)
                        if found is not None:
                            out.append(Obstacle(found.kind, f"`@{text(d, 30)}`", info.module.path, d.at, d))
        return out

    def _retry(self, path: str, d: Any, scope: Scope, module: str) -> Obstacle | None:
        if path not in lg.RETRY_DECORATORS:
            return None
        shown = f"`@{text(d.func if type(d) is Call else d, 30)}`"
        if path in lg.TENACITY or path.startswith("tenacity."):
            if type(d) is not Call:
                return Obstacle("retry", shown, module, d.at, d)
            found = self._tenacity(d, scope, module, d.at)
            return found
        where = lg.RETRY_TYPE_ARGUMENTS.get(path)
        if where is not None and type(d) is Call:
            n, keyword = where
            plain = [a.value for a in d.args if a.name is None and not a.star]
            arg = next((a.value for a in d.args if a.name == keyword), None)
            if arg is None and 0 <= n < len(plain):
                arg = plain[n]
            if arg is None and path == "backoff.on_exception" and len(plain) > 1:
                arg = plain[1]
            if arg is not None and not self.catches(arg, scope):
                return None
            if any(a.name == "giveup" for a in d.args):
                return None
        return Obstacle("retry", shown, module, d.at, d)

    def _tenacity(self, call: Call, scope: Scope, module: str, at: At) -> Obstacle | None:
        """TRUTH.md 3: without a predicate on the type the pause is retried and ends as RetryError; with reraise=True it survives, N times later."""
        keywords = {a.name: a.value for a in call.args if a.name}
        if any(a.star == 2 for a in call.args):
            return None
        retry = keywords.get("retry")
        if retry is not None and not self._predicate_lets_through(retry, scope):
            return None
        reraise = keywords.get("reraise")
        again = reraise is not None and not (type(reraise) is Const and reraise.value is False)
        kind = "retry-reraise" if again and "retry_error_callback" not in keywords else "retry"
        return Obstacle(kind, f"`{text(call.func, 30)}`", module, at, call)

    def _predicate_lets_through(self, expr: Any, scope: Scope) -> bool:
        """Whether a tenacity predicate retries a pause."""
        if type(expr).__name__ == "Bin" and expr.op in ("|", "&"):
            sides = (self._predicate_lets_through(expr.left, scope), self._predicate_lets_through(expr.right, scope))
            return any(sides) if expr.op == "|" else all(sides)
        if type(expr) is Call:
            for v in self.project.names.resolve(expr.func, scope):
                if isinstance(v, Ext):
                    last = v.path.rsplit(".", 1)[-1]
                    if last == "retry_if_exception_type":
                        return not expr.args or self.catches(expr.args[0].value, scope)
                    if last in ("retry_if_not_exception_type", "retry_unless_exception_type"):
                        return not (expr.args and self.catches(expr.args[0].value, scope))
                    if last in ("retry_any", "retry_all"):
                        sides = [self._predicate_lets_through(a.value, scope) for a in expr.args]
                        return any(sides) if last == "retry_any" else all(sides)
        return False

    def _wrapper(self, decorator: FnInfo, d: Any, info: FnInfo) -> Obstacle | None:
        """A project-own decorator whose wrapper calls the function inside a try that keeps the pause."""
        key = id(decorator.fn)
        if key in self._open:
            return None
        self._open.add(key)
        try:
            for w in self.project.decorator_functions(info):
                cfg = self.project.cfg(w)
                outer = {p.name for p in decorator.fn.params} | {p.name for sub in self._nested(decorator) for p in sub.fn.params if sub is not w}
                for p in cfg.points:
                    if p.kind != "call":
                        continue
                    f = p.node.func
                    if type(f) is Name and f.id in outer and f.id not in {x.name for x in w.fn.params}:
                        for o in self.obstacles(w, cfg, p):
                            return Obstacle("decorator" if o.stops else o.kind, f"the decorator `@{text(d, 30)}` ({o.what} in {w.name}())", o.path, o.at, d)
                for o in self.around(w):
                    if o.kind.startswith("retry"):
                        return Obstacle(o.kind, f"the decorator `@{text(d, 30)}`", o.path, o.at, d)
        finally:
            self._open.discard(key)
        return None

    def _nested(self, info: FnInfo) -> Iterator[FnInfo]:
        for bindings in self.project.names.scope(info).bindings.values():
            for b in bindings:
                if b.how == "def":
                    yield b.node

    # ---- the value that carries the pause
    def carried(self, info: FnInfo, cfg: CFG, pause: Point) -> list[Obstacle]:
        """Calls around the pausing call that keep, group or drop its exception: gather, batch, executors, futures nobody awaits."""
        scope = self.project.names.scope(info)
        path = scope.module.path
        out: list[Obstacle] = []
        node = pause.node
        j = self.project.effects.judge(node, scope)
        if j.off == "thread" and not self._context_copied(node, scope):
            out.append(Obstacle("thread", f"`{text(node.func, 40)}()`", path, node.at, node))
        out += self._own_call(node, scope, path)
        holders = self._holders(info, node)
        for call in scope.calls:
            if call is node or not (_holds(call, node) or any(_mentions(call, name) for name in holders)):
                continue
            for v in self.project.names.resolve(call.func, scope):
                if not isinstance(v, Ext):
                    continue
                p = v.path
                if p in lg.GATHER and any(a.name == "return_exceptions" and not (type(a.value) is Const and not a.value.value) for a in call.args):
                    out.append(Obstacle("gather", f"`{text(call.func, 30)}(return_exceptions=True)`", path, call.at, call))
                base, _, method = p.rpartition(".")
                holder = base[:-2] if base.endswith("()") else base
                if holder in lg.TASK_GROUPS and method in ("create_task", "start_soon"):
                    out.append(Obstacle("group", f"`{text(call.func, 30)}()`", path, call.at, call))
                if p in lg.CREATE_TASK and self._dropped(info, call):
                    out.append(Obstacle("dropped", f"`{text(call.func, 30)}()`, which nobody awaits", path, call.at, call))
        return out

    def _own_call(self, node: Call, scope: Scope, path: str) -> list[Obstacle]:
        """`runnable.with_fallbacks([…]).invoke(x)`, `.batch(…, return_exceptions=True)`, `.with_retry().invoke(x)`, `tg.start_soon(ask)`."""
        out: list[Obstacle] = []
        f = node.func
        if type(f) is Attr:
            if f.attr in lg.BATCH_METHODS and any(a.name == "return_exceptions" and type(a.value) is Const and a.value.value is True for a in node.args):
                out.append(Obstacle("batch", f"`{text(f, 30)}(return_exceptions=True)`", path, node.at, node))
            for inner in self._made_by(f.value, scope):
                if type(inner.func) is Attr and inner.func.attr == "with_fallbacks":
                    out.append(Obstacle("fallback", "`with_fallbacks(…)`", path, inner.at, inner))
                if type(inner.func) is Attr and inner.func.attr == "with_retry":
                    kinds = next((a.value for a in inner.args if a.name == "retry_if_exception_type"), None)
                    if kinds is None or self.catches(kinds, scope):
                        out.append(Obstacle("retry-reraise", "`with_retry(…)`", path, inner.at, inner))
        for v in self.project.names.resolve(f, scope):
            if isinstance(v, Ext):
                base, _, method = v.path.rpartition(".")
                holder = base[:-2] if base.endswith("()") else base
                if holder in lg.TASK_GROUPS and method in ("create_task", "start_soon"):
                    out.append(Obstacle("group", f"`{text(f, 30)}()`", path, node.at, node))
        return out

    def _made_by(self, expr: Any, scope: Scope, depth: int = 0) -> Iterator[Call]:
        """The calls that made a receiver, through one or two names."""
        if type(expr) is Call:
            yield expr
            if type(expr.func) is Attr:
                yield from self._made_by(expr.func.value, scope, depth)
        elif type(expr) is Name and depth < 3:
            found = self.project.names.lookup(expr.id, scope)
            if found is not None:
                for b in found[0]:
                    if b.how == "value":
                        yield from self._made_by(b.node, found[1], depth + 1)

    def _context_copied(self, node: Call, scope: Scope) -> bool:
        """`pool.submit(copy_context().run, f)`."""
        for a in node.args[:1]:
            for v in self.project.names.resolve(a.value, scope):
                if isinstance(v, Ext) and v.path.startswith("contextvars.copy_context"):
                    return True
        return False

    def _holders(self, info: FnInfo, node: Call) -> set[str]:
        """Names whose value holds the pausing call's coroutine or future: `t = ask()`, `jobs = [ask(x) for x in xs]`, `jobs.append(ask(x))`."""
        scope = self.project.names.scope(info)
        out: set[str] = set()
        for name, bindings in scope.bindings.items():
            for b in bindings:
                if b.how == "value" and not _awaited(b.node, node) and _holds(b.node, node):
                    out.add(name)
        for call in scope.calls:
            if type(call.func) is Attr and call.func.attr in ("append", "add") and type(call.func.value) is Name and any(
                    _holds(a.value, node) and not _awaited(a.value, node) for a in call.args):
                out.add(call.func.value.id)
        return out

    def _dropped(self, info: FnInfo, call: Call) -> bool:
        """A task that nobody awaits: its statement is the bare call, or its name is never read again."""
        for stmt in info.fn.body:
            for n in walk(stmt):
                if type(n) is ExprStmt and n.value is call:
                    return True
        scope = self.project.names.scope(info)
        for name, bindings in scope.bindings.items():
            for b in bindings:
                if b.how == "value" and b.node is call:
                    reads = sum(1 for stmt in info.fn.body for n in walk(stmt, into_functions=True) if type(n) is Name and n.id == name)
                    writes = sum(1 for x in bindings if x.how == "value")
                    return reads <= writes
        return False


def _holds(expr: Any, node: Any) -> bool:
    if expr is node:
        return False
    return any(n is node for n in walk(expr))


def _mentions(call: Call, name: str) -> bool:
    return any(type(n) is Name and n.id == name for a in call.args for n in walk(a.value))


def _awaited(expr: Any, node: Any) -> bool:
    """Whether the call is awaited right where it stands, so that only its result is kept."""
    return any(type(n) is Await and n.value is node for n in walk(expr))


def _jump(body: list[Any]) -> Any | None:
    """The first return/raise/break/continue that leaves a finally block; break and continue only outside loops of its own."""
    stack: list[tuple[Any, bool]] = [(s, False) for s in reversed(body)]
    while stack:
        node, in_loop = stack.pop()
        t = type(node)
        if t in (Return, Raise):
            return node
        if t in (Break, Continue) and not in_loop:
            return node
        if t in (Function, Class, Lambda):
            continue
        if t is Try and node.handlers and any(type(n) is Raise for n in node.body):
            continue
        inner = in_loop or t in (For, While)
        stack.extend((c, inner) for c in reversed(list(children(node))))
    return None


__all__ = ["Obstacle", "Signals", "Yield", "Cls"]
