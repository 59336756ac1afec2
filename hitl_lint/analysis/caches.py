"""Answers that a cache keeps and gives to somebody who was never asked (TRUTH.md 3).

A cache around a function that pauses does not keep the pause, which is an exception, but it keeps the answer: for the whole process
(`lru_cache`), or for every thread with the same input (`cache_policy=` of a node, a task or an entrypoint whose graph has a cache).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.effects import Witness
from hitl_lint.analysis.names import Ext, Fn, FnInfo, Inst, Scope, Wrapped, is_graph_path
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import Arg, At, Call, Const, Name, text
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

# Parameters that make the key of a cache a thread's own: its answers are only repeated to itself.
OWN_KEYS = frozenset({"thread", "threadid", "session", "sessionid", "conversation", "conversationid", "run", "runid", "checkpoint", "request", "requestid", "key", "nonce"})
# Kept on the object, so only shared when the object is; most are made for one run.
ON_OBJECT = frozenset({"functools.cached_property"})


@record
class Kept:
    """A pause whose answer is kept. `what` names the cache, which stands at `at` in the module `path`; `kind` is "function" (shared by the whole
    process), "coroutine" (a cache of plain functions around an async one: the resume fails) or "node" (shared by threads with the same input).
    `live` is False where the graph is seen to be made without a cache, so that the policy does nothing yet."""

    info: FnInfo
    pause: Any
    what: str
    path: str
    at: At
    kind: str
    live: bool = True


class Caches:
    def __init__(self, project: "Project") -> None:
        self.project = project

    def kept(self) -> Iterator[Kept]:
        seen: set[int] = set()
        policies = list(self._policies())
        hand = self._wrapped_by_hand()
        for p in self.project.pausing():
            found = self._decorated(p.info) or hand.get(id(p.info.fn))
            if found is not None and not self._has_own_key(p.info) and not self._made_in_activation(p.info):
                what, path, at, plain = found
                yield Kept(p.info, p.pauses[0], what, path, at, "coroutine" if p.info.fn.is_async and plain else "function")
                seen.add(id(p.info.fn))
        for info, what, path, at, live in policies:
            p2 = self.project.pausing_of(info)
            if p2 is not None and id(info.fn) not in seen and any(self.project.signals.leaves(info, p2.cfg, x) for x in p2.pauses):
                seen.add(id(info.fn))
                yield Kept(info, p2.pauses[0], what, path, at, "node", live)

    # ---- around a function
    def _decorated(self, info: FnInfo) -> tuple[str, str, At, bool] | None:
        for path, d in self.project.decorator_paths(info):
            base = path.removesuffix("()")
            if base in lg.CACHE_DECORATORS and base not in ON_OBJECT:
                return f"`@{text(d.func if type(d) is Call else d, 40)}`", info.module.path, d.at, base.startswith(("functools.", "cachetools."))
        return None

    def _wrapped_by_hand(self) -> dict[int, tuple[str, str, At, bool]]:
        """`ask = lru_cache(ask_once)`, `cached(CACHE)(ask)`: by the function."""
        out: dict[int, tuple[str, str, At, bool]] = {}
        names = self.project.names
        for path in sorted(lg.CACHE_DECORATORS - ON_OBJECT):
            for call, scope in list(names.calls_by_name.get(path.rpartition(".")[2], ())):
                if scope.kind == "function" or not any(isinstance(v, Ext) and v.path == path for v in names.resolve(call.func, scope)):
                    continue
                for outer in self._applied(call, scope):
                    for a in outer.args[:1]:
                        for v in names.resolve(a.value, scope):
                            if isinstance(v, Fn):
                                out.setdefault(id(v.info.fn), (f"`{text(call.func, 40)}(…)`", scope.module.path, outer.at, path.startswith(("functools.", "cachetools."))))
        return out

    def _applied(self, call: Call, scope: Scope) -> Iterator[Call]:
        """The call that is given the function: the decorator itself, or what it makes (`lru_cache(maxsize=8)(ask)`)."""
        if call.args:
            yield call
        for outer in scope.calls:
            if outer.func is call:
                yield outer

    def _has_own_key(self, info: FnInfo) -> bool:
        """`ask(thread_id, question)`: the answer is only given again to the same thread."""
        return any(p.name.lower().replace("_", "") in OWN_KEYS for p in info.fn.params)

    def _made_in_activation(self, info: FnInfo) -> bool:
        """A cached function that is defined and called in one function lives as long as that one's activation."""
        return info.parent.kind == "function" and any(type(c.func) is Name and c.func.id == info.name for c in info.parent.calls)

    # ---- policies of LangGraph
    def _policies(self) -> Iterator[tuple[FnInfo, str, str, At, bool]]:
        """(function, name of the policy, path, place, whether a cache is there) of all that is run under a `cache_policy=`."""
        names, graphs = self.project.names, self.project.graphs
        for key, entries in graphs.nodes().items():
            for v, call, scope in entries:
                arg = self._policy(call, scope)
                if arg is not None:
                    for info in self._run_by(v):
                        yield info, "`cache_policy=`", scope.module.path, arg.at, self._graph_caches(key)
        for call, scope in list(names.calls_by_name.get("set_node_defaults", ())):
            arg = self._policy(call, scope)
            if arg is None or type(call.func).__name__ != "Attr":
                continue
            for key in {id(v.origin) for v in names.resolve(call.func.value, scope) if isinstance(v, Ext) and v.origin is not None}:
                for v, _, _ in graphs.nodes().get(key, ()):
                    for info in self._run_by(v):
                        yield info, "`set_node_defaults(cache_policy=…)`", scope.module.path, arg.at, self._graph_caches(key)
        for info in self.project.functions():
            if not any(type(d) is Call and any(a.name == "cache_policy" for a in d.args) for d in info.fn.decorators):
                continue
            for path, d in self.project.decorator_paths(info):
                if path in lg.TASK | lg.ENTRYPOINT and type(d) is Call:
                    arg = self._policy(d, info.parent)
                    if arg is not None:
                        has_cache = any(a.name == "cache" and not _none(a.value) for a in d.args) if path in lg.ENTRYPOINT else self._some_cache()
                        yield info, f"`@{text(d.func, 30)}(cache_policy=…)`", info.module.path, arg.at, has_cache

    def _policy(self, call: Call, scope: Scope) -> Arg | None:
        """The `cache_policy=` of a call; None where its key is made by a function of the project's own, which may well tell threads apart."""
        arg = next((a for a in call.args if a.name == "cache_policy" and not _none(a.value)), None)
        if arg is None:
            return None
        for v in self.project.names.resolve(arg.value, scope):
            if isinstance(v, Ext) and v.origin is not None and any(a.name == "key_func" or a.star or a.name is None for a in v.origin.args):
                return None
        return arg

    def _run_by(self, v: Any) -> Iterator[FnInfo]:
        if isinstance(v, (Fn, Wrapped, Inst)):
            yield from self.project.graphs.functions_of(v)
        elif isinstance(v, Ext) and is_graph_path(v.path):
            w: Witness | None = self.project.graphs.pause_of(v.origin)
            if w is None or not w.links:
                return
            for info in self.project.functions():
                if info.module.path == w.links[0].path and any(c.at == w.links[0].at for c in self.project.names.scope(info).calls):
                    yield info

    def _graph_caches(self, key: int) -> bool:
        """Whether a graph is compiled with a cache, as far as its `compile(…)` is seen."""
        seen = False
        for call, scope in self.project.names.calls_by_name.get("compile", ()):
            f = call.func
            if type(f).__name__ != "Attr":
                continue
            if any(isinstance(v, Ext) and id(v.origin) == key for v in self.project.names.resolve(f.value, scope)):
                seen = True
                if any(a.star == 2 or a.name == "cache" and not _none(a.value) for a in call.args):
                    return True
        return not seen

    def _some_cache(self) -> bool:
        """Whether some entrypoint or graph of the project is made with a cache."""
        for name in ("compile", "entrypoint"):
            for call, _ in self.project.names.calls_by_name.get(name, ()):
                if any(a.star == 2 or a.name == "cache" and not _none(a.value) for a in call.args):
                    return True
        return False


def _none(e: Any) -> bool:
    return type(e) is Const and e.kind == "none"


__all__ = ["Caches", "Kept"]
