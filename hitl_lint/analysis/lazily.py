"""Where the work of a generator, a coroutine or a `map()` is done: not where it is made but where somebody iterates over it or awaits it.

`Lazily.points` moves a point of control flow to there. What is made and used in one expression (`list(f(x) for x in xs)`, `await f(x)`)
stays; what is kept under a name is followed by `Carriers`; where no use is seen in the function there are no points at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hitl_lint.analysis.carried import KEEPS, LOOKS
from hitl_lint.analysis.cfg import Point
from hitl_lint.analysis.names import Ext, FnInfo, Scope
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import (
    Arg, Assign, Attr, AugAssign, Await, BoolOp, Call, Cmp, Comp, Dict, ExprStmt, For, Generator, IfExp, Name, Return, Seq, Star, Walrus, Yield, walk,
)

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

# Give an iterator (or a coroutine) that does the work of the one that they are given when it is used itself.
ADAPTORS = frozenset({"map", "filter", "zip", "enumerate", "iter", "reversed", "asyncio.wait_for"})
# Library calls whose work waits for an `await`; others that give something to await have begun it.
WAITING = frozenset({"asyncio.to_thread", "asyncio.wait_for", "anyio.to_thread.run_sync", "starlette.concurrency.run_in_threadpool"})


class Lazily:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._kinds: dict[int, str] = {}
        self._awaited: dict[int, set[str]] = {}

    def points(self, info: FnInfo, point: Point) -> list[Point]:
        """The points at which what stands at `point` is done: itself as a rule, none where that cannot be seen."""
        scope = self.project.names.scope(info)
        found = [point]
        if type(point.node) is Call:
            kind = self._kinds.get(id(point.node))
            if kind is None:
                kind = self._kinds[id(point.node)] = self._kind(info, point.node, scope)
            moved = self._moved(info, point.node, kind, scope) if kind else None
            found = found if moved is None else moved
        return [q for p in found for q in self._lifted(info, p, scope, 0)]

    def _lifted(self, info: FnInfo, point: Point, scope: Scope, depth: int) -> list[Point]:
        """A point in the body of a generator expression, moved to where the generator is used."""
        for region in reversed(point.regions):
            if region.kind == "comp" and region.node.kind == "gen" and depth < 5:
                moved = self._moved(info, region.node, "iterator", scope)
                if moved is not None:
                    return [q for p in moved for q in self._lifted(info, p, scope, depth + 1)]
        return [point]

    def _kind(self, info: FnInfo, call: Call, scope: Scope) -> str:
        """"coroutine" or "iterator" when a call only makes something that does the work later, else ""."""
        carriers = self.project.signals.carriers
        paths = [v.path if isinstance(v, Ext) else "" for v in self.project.names.resolve(call.func, scope)]
        kind = carriers.deferred(call, scope)
        if kind == "future" or any(p.rpartition(".")[0].removesuffix("()") in lg.EXECUTORS | lg.CONTEXT_EXECUTORS for p in paths):
            return ""
        if kind:
            return kind if all(p in WAITING for p in paths if p.startswith(("asyncio.", "anyio.", "starlette.", "langchain_core.runnables.config."))) else ""
        if "" in paths or not self._later(info, call) or self._at_once(info, call, "coroutine", scope):
            return ""
        # A library's coroutine is known by what is done with it.
        fate = carriers.fate(info, call, "coroutine")
        return "coroutine" if fate.waits and not fate.unknown and all(type(w) is Await for w in fate.waits) else ""

    def _later(self, info: FnInfo, call: Call) -> bool:
        """Whether some name that the statement around a call gives stands in an `await` or is looped over, so that it is worth following."""
        if not info.fn.is_async:
            return False
        names = self._awaited.get(id(info.fn))
        if names is None:
            nodes = [n for stmt in info.fn.body for n in walk(stmt)]
            used = [n.value if type(n) is Await else n.iter for n in nodes if type(n) in (Await, For, Generator)]
            names = self._awaited[id(info.fn)] = {n.id for e in used for n in walk(e) if type(n) is Name}
        parents = self.project.signals.carriers.parents(info)
        node: Any = call
        for _ in range(40):
            node = parents.get(id(node))
            if type(node) in (Assign, Walrus, AugAssign):
                targets = node.targets if type(node) is Assign else [node.target]
                return any(type(n) is Name and n.id in names for t in targets for n in walk(t))
            if node is None or type(node) is Await:
                return False
            if type(node) is Call and type(node.func) is Attr and node.func.attr in KEEPS:
                return True  # `cs.append(call(…))`
        return False

    def _moved(self, info: FnInfo, node: Any, kind: str, scope: Scope) -> list[Point] | None:
        """The points at which a generator or coroutine is used; None when that is in the expression that makes it."""
        if self._at_once(info, node, kind, scope):
            return None
        fate = self.project.signals.carriers.fate(info, node, kind)
        cfg = self.project.cfg(info)
        users = [*fate.waits, *fate.gathers, *fate.groups, *fate.threads, *fate.handed]
        return [p for n in users for p in cfg.at(n)]

    def _at_once(self, info: FnInfo, node: Any, kind: str, scope: Scope) -> bool:
        parents = self.project.signals.carriers.parents(info)
        current = node
        for _ in range(40):
            parent = parents.get(id(current))
            t = type(parent)
            if t is Arg:
                call = parents.get(id(parent))
                if type(call) is not Call:
                    return True
                paths = {v.path for v in self.project.names.resolve(call.func, scope) if isinstance(v, Ext)}
                last = call.func.attr if type(call.func) is Attr else call.func.id if type(call.func) is Name else ""
                if paths & LOOKS or (type(call.func) is Attr and last in KEEPS and not paths):
                    return False
                if not (paths & ADAPTORS or any(p.startswith("itertools.") for p in paths)):
                    return True
                current = call
            elif t is Generator and parent.iter is current and kind == "iterator":
                comp = parents.get(id(parent))
                if type(comp) is not Comp or comp.kind != "gen":
                    return True
                current = comp
            elif t is Assign:
                return kind == "iterator" and any(type(x) is Seq for x in parent.targets)
            elif t in (Walrus, Return, ExprStmt, Dict) or (t is Star and kind == "coroutine"):
                return False
            elif t is Yield:
                return parent.is_from
            elif t is Cmp:
                return kind == "iterator"
            elif t in (IfExp, BoolOp, Seq, Comp):
                current = parent
            else:
                return t not in (For,) or kind == "iterator"
        return True


__all__ = ["Lazily"]
