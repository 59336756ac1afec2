"""What libraries that run a function again do with a pause. All of it was run with the real packages.

tenacity and google.api_core give up with an error of their own; backoff, retry, retrying, stamina, redo, opnieuw and aioretry raise the last
exception again, so that the pause gets through after all, once the body has run N times; without a limit they never come back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from hitl_lint.analysis.names import Ext, Fn, FnInfo, Scope
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import Arg, At, Attr, Bin, Call, Name, dotted, text, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project
    from hitl_lint.analysis.signals import Obstacle, Signals

# library function -> (position of the argument that says what is retried, its keyword); position -1: keyword only.
KINDS = {"backoff.on_exception": (1, "exception"), "retry.retry": (0, "exceptions"), "retry.api.retry": (0, "exceptions"),
         "retry.retry_call": (-1, "exceptions"), "retry.api.retry_call": (-1, "exceptions"), "retrying.retry": (-1, "retry_on_exception"),
         "stamina.retry": (-1, "on"), "stamina.retry_context": (0, "on"), "redo.retriable": (-1, "retry_exceptions"), "redo.retry": (-1, "retry_exceptions"),
         "opnieuw.retry": (0, "retry_on_exceptions"), "opnieuw.retry_async": (0, "retry_on_exceptions"),
         "google.api_core.retry.Retry": (0, "predicate"), "google.api_core.retry_async.AsyncRetry": (0, "predicate")}
# What limits the attempts of those that otherwise go on for ever: (keyword, position).
LIMITS = {"backoff.on_exception": (("max_tries", -1), ("max_time", -1)), "retry.retry": (("tries", 1),), "retry.api.retry": (("tries", 1),),
          "retry.retry_call": (("tries", -1),), "retry.api.retry_call": (("tries", -1),),
          "retrying.retry": (("stop_max_attempt_number", -1), ("stop_max_delay", -1), ("stop", -1), ("stop_func", -1)),
          "tenacity.retry": (("stop", 1),), "tenacity.Retrying": (("stop", 1),), "tenacity.AsyncRetrying": (("stop", 1),)}
# These call a coroutine function and take the coroutine for its result.
SYNC_ONLY = frozenset({"retry.retry", "retry.api.retry", "retrying.retry", "redo.retriable", "google.api_core.retry.Retry"})
# By default they retry nothing that a pause could be.
NARROW = frozenset({"google.api_core.retry.Retry", "google.api_core.retry_async.AsyncRetry"})
GIVES_UP = NARROW


class Way(NamedTuple):
    """How a function is run again: by what of which library, the call that says so (None: used bare) and the module that it stands in."""

    library: str
    call: Call | None
    path: str


class Retries:
    def __init__(self, project: "Project", signals: "Signals") -> None:
        self.project, self.signals = project, signals

    # ---- the three forms
    def decorator(self, v: Ext, call: Call | None, scope: Scope, info: FnInfo, shown: str, module: str, at: At) -> "Obstacle | None":
        """`@retry`, `@retry(…)` (`call`), `@kept` where `kept = retry(…)`."""
        path = v.path
        if path.endswith("()") and path[:-2] in lg.RETRY_DECORATORS and v.origin is not None:
            path, call, scope = path[:-2], v.origin, v.scope or scope
        elif path.endswith(".wraps") and path in lg.RETRY_DECORATORS and v.origin is not None:
            path, call, scope = path.removesuffix("().wraps"), v.origin, v.scope or scope
        elif path not in lg.RETRY_DECORATORS:
            return None
        if path in SYNC_ONLY and info.fn.is_async:
            return None
        args = self._arguments(call, scope) if call is not None else []
        return self._judge(path, args, scope, shown, module, at, Way(path, call, scope.module.path))

    def attempt(self, v: Ext, scope: Scope, module: str, at: At) -> "Obstacle | None":
        """`for attempt in Retrying(…): with attempt:`."""
        path = v.path.removesuffix("()")
        if path not in lg.TENACITY_LOOPS and path != "stamina.retry_context" or v.origin is None:
            return None
        where = v.scope or scope
        return self._judge(path, v.origin.args, where, f"`{text(v.origin.func, 30)}`", module, at, Way(path, v.origin, where.module.path))

    def called(self, node: Call, scope: Scope, module: str) -> list["Obstacle"]:
        """`Retrying(…)(ask, x)`, `retry_call(ask, …)`."""
        out: list[Obstacle] = []
        for v in self.project.names.resolve(node.func, scope):
            if not isinstance(v, Ext):
                continue
            found = None
            path = v.path.removesuffix("()")
            if path in lg.TENACITY_LOOPS and v.path != path and v.origin is not None:
                where = v.scope or scope
                found = self._judge(path, v.origin.args, where, f"`{text(v.origin.func, 30)}`", module, v.origin.at, Way(path, v.origin, where.module.path))
            elif v.path in lg.RETRY_CALLS and v.path in KINDS:
                found = self._judge(v.path, node.args, scope, f"`{text(node.func, 30)}()`", module, node.at, Way(v.path, node, scope.module.path))
            if found is not None:
                out.append(found)
        return out

    def _arguments(self, call: Call, scope: Scope) -> list[Arg]:
        """The arguments of a call, with those of the `functools.partial` that its callee may be."""
        args = list(call.args)
        if type(call.func) is Name:
            found = self.project.names.lookup(call.func.id, scope)
            for b in found[0] if found is not None else ():
                if b.how == "value" and type(b.node) is Call and any(
                        isinstance(v, Ext) and v.path in lg.PARTIAL for v in self.project.names.resolve(b.node.func, scope)):
                    args += [a for a in b.node.args[1:] if a.name is not None and not any(x.name == a.name for x in args)]
        return args

    # ---- what it comes to
    def _judge(self, path: str, args: list[Arg], scope: Scope, shown: str, module: str, at: At, way: Way) -> "Obstacle | None":
        from hitl_lint.analysis.signals import Obstacle

        if any(a.star == 2 for a in args):
            return None  # what is meant cannot be seen
        keywords = {a.name: a.value for a in args if a.name}
        plain = [a.value for a in args if a.name is None and not a.star]
        tenacity = path.startswith("tenacity.")
        if tenacity:
            retried = keywords.get("retry", plain[3] if len(plain) > 3 else None)
            if retried is not None and not self.retried(retried, scope):
                return None
        elif not self._library_retries(path, keywords, plain, scope):
            return None
        kind = "retry-reraise"
        if tenacity:
            again = self.project.names.constant(keywords["reraise"], scope) if "reraise" in keywords else False
            kind = "retry-reraise" if again is True and "retry_error_callback" not in keywords else "retry"
        elif path in GIVES_UP:
            kind = "retry"
        elif path == "retrying.retry" and self._constant(keywords.get("wrap_exception"), scope) is True:
            kind = "retry"
        elif path == "backoff.on_exception" and self._constant(keywords.get("raise_on_giveup"), scope) is False:
            kind = "retry"
        limits = LIMITS.get(path)
        if limits is not None and not any(k in keywords or 0 <= n < len(plain) for k, n in limits):
            kind = "retry-forever"
        return Obstacle(kind, shown, module, at, way)

    def _library_retries(self, path: str, keywords: dict[str, Any], plain: list[Any], scope: Scope) -> bool:
        """Whether a pause is among what is retried."""
        if path == "aioretry.retry":
            policy = plain[0] if plain else keywords.get("retry_policy")
            return policy is not None and not any(
                isinstance(v, Fn) and any(type(n) is Attr and n.attr == "exception" for s in v.info.fn.body for n in walk(s))
                for v in self.project.names.resolve(policy, scope))
        n, keyword = KINDS.get(path, (-1, ""))
        arg = keywords.get(keyword, plain[n] if 0 <= n < len(plain) else None)
        if arg is None:
            if path in NARROW or path.startswith("stamina.") or path == "backoff.on_exception":
                return False
        elif not self._lets(arg, scope):
            return False
        giveup = keywords.get("giveup")
        return giveup is None or self._predicate(giveup, scope) is False

    def _lets(self, arg: Any, scope: Scope) -> bool:
        """Whether "what is retried" (types, or a predicate) covers a pause; what cannot be told does not."""
        if self.signals.catches(arg, scope):
            return True
        if type(arg) is Call and (dotted(arg.func) or "").endswith("if_exception_type"):
            return any(self.signals.catches(a.value, scope) for a in arg.args)
        return self._predicate(arg, scope) is True

    def _predicate(self, arg: Any, scope: Scope) -> bool | None:
        answers = {self.signals.reading.predicate(v.info) for v in self.project.names.resolve(arg, scope) if isinstance(v, Fn)}
        return answers.pop() if len(answers) == 1 else None

    def _constant(self, expr: Any, scope: Scope) -> Any:
        return self.project.names.constant(expr, scope) if expr is not None else None

    def retried(self, expr: Any, scope: Scope, depth: int = 0) -> bool:
        """Whether a tenacity predicate retries a pause; what cannot be told does not."""
        if depth > 6:
            return False
        if type(expr) is Bin and expr.op in ("|", "&"):
            sides = (self.retried(expr.left, scope, depth + 1), self.retried(expr.right, scope, depth + 1))
            return any(sides) if expr.op == "|" else all(sides)
        if type(expr) is Name:
            found = self.project.names.lookup(expr.id, scope)
            if found is not None and len(found[0]) == 1 and found[0][0].how == "value":
                return self.retried(found[0][0].node, found[1], depth + 1)
        for v in self.project.names.resolve(expr, scope):
            if isinstance(v, Fn):
                return False  # a function of the retry state
            if not isinstance(v, Ext):
                continue
            last = v.path.removesuffix("()").rsplit(".", 1)[-1]
            args = [a.value for a in v.origin.args] if v.origin is not None else []
            where = v.scope or scope
            if last == "retry_always" or last == "retry_if_not_exception_message":
                return True
            if last == "retry_if_exception_type":
                return not args or self.signals.catches(args[0], where)
            if last in ("retry_if_not_exception_type", "retry_unless_exception_type"):
                return not (args and self.signals.catches(args[0], where))
            if last == "retry_if_exception":
                return bool(args) and self._predicate(args[0], where) is True
            if last in ("retry_any", "retry_all"):
                sides = tuple(self.retried(a, where, depth + 1) for a in args)
                return any(sides) if last == "retry_any" else all(sides)
        return False


__all__ = ["Retries", "Way"]
