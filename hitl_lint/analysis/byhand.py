"""Pauses that code raises by hand instead of calling `interrupt()`: no answer ever reaches them (TRUTH.md 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.names import Cls, Ext, FnInfo, ModuleInfo, Scope, is_test
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import Attr, Call, Const, Handler, Name, Raise, walk
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

CLASSES = frozenset(path.rpartition(".")[2] for path in lg.RAISED_BY_HAND)
# What holds the pauses of another run: raising these again hands a child's question on, which works.
HANDED_ON = frozenset({"interrupts", "interrupt", "args"})


@record
class Raised:
    """A `raise` in a function; `shown` is the class that is raised, by its last name."""

    info: FnInfo
    node: Raise
    shown: str


class ByHand:
    def __init__(self, project: "Project") -> None:
        self.project = project

    def raised(self) -> Iterator[Raised]:
        """The statements that raise GraphInterrupt or NodeInterrupt anew, tests aside: there they play the part of the runtime."""
        for info in self.project.functions():
            if is_test(info.module.path) or self._stands_in(info):
                continue
            scope = self.project.names.scope(info)
            if not self._speaks_of(info.module, scope):
                continue
            for stmt in info.fn.body:
                for node in walk(stmt):
                    if type(node) is Raise and node.exc is not None and (shown := self._class(node.exc, scope)) is not None:
                        if node.cause is None and not self._again(info, node) and not self._handed_on(node.exc, scope, 0):
                            yield Raised(info, node, shown)

    def _speaks_of(self, module: ModuleInfo, scope: Scope) -> bool:
        """Whether a function can name one of the classes: what else it raises need not be looked up."""
        for bindings in (b for s in (module.scope, scope) for b in s.bindings.values()):
            for b in bindings:
                if b.how == "import" and (b.node.name in CLASSES or b.node.name in (None, "errors") and b.node.module.startswith("langgraph")):
                    return True
        return any(s.module.startswith("langgraph") for s in module.scope.stars)

    def _stands_in(self, info: FnInfo) -> bool:
        """`try: from langgraph.types import interrupt … except ImportError: def interrupt(value): raise NodeInterrupt(value)`."""
        return any(b.how == "import" for b in info.parent.bindings.get(info.name, ()))

    def by_state(self, r: Raised) -> str:
        """Whether the graph goes on from such a pause as the old pages did: it gets no answers, and the state decides about the pause. "changed": somebody
        is seen to change it; "asked": no run is in sight, and a test of the state stands in front of the pause; "": neither."""
        own = [g for g in self.project.graphs.all() if g.origin is not None and any(m.fn is r.info.fn for m in self.project.graphs.members(g.origin))]
        turns = self.project.turns
        # What a run belongs to that cannot be followed: a module that makes graphs of its own means those.
        near = {id(r.info.module), *(id(t.scope.module) for t in turns.all() if any(turns.graph(t) is g for g in own))}
        others = {id(c.scope.module) for g in self.project.graphs.all() for c in g.compiles} - near

        def meant(call: Call | None, scope: Scope) -> bool:
            turn = next((t for t in turns.all() if t.call is call or any(c is call for c, _ in t.commands)), None)
            graph = turns.graph(turn) if turn is not None else None
            return any(graph is g for g in own) if graph is not None and own else id(scope.module) not in others

        if any(c.resume is not None and meant(c.call, c.scope) for c in self.project.resumes.commands()):
            return ""
        calls = self.project.names.calls_by_name
        if any(meant(call, scope) for m in ("update_state", "aupdate_state") for call, scope in calls.get(m, ())):
            return "changed"
        return "asked" if self._asks_state(r) else ""

    def _asks_state(self, r: Raised) -> bool:
        """Whether a test of what the function is given decides whether it pauses, and nothing that is worked out in it."""
        cfg, flow = self.project.cfg(r.info), self.project.flow(r.info)
        for p in cfg.points:
            if p.node is r.node and p.kind == "raise":
                return any(g.kind == "test" and not g.again and (found := self.project.test_taint(flow, g)) and all(s.kind == "param" for s in found)
                           for g in cfg.guards(p))
        return False

    def _class(self, exc: Any, scope: Scope) -> str | None:
        names = self.project.names
        for v in names.resolve(exc.func if type(exc) is Call else exc, scope):
            if isinstance(v, Ext) and v.path.removesuffix("()") in lg.RAISED_BY_HAND:
                return v.path.removesuffix("()").rpartition(".")[2]
            if isinstance(v, Cls) and any(isinstance(c, str) and c in lg.RAISED_BY_HAND for c in names.mro(v.info)):
                return v.info.cls.name
        return None

    def _again(self, info: FnInfo, node: Raise) -> bool:
        """Whether the statement stands in a handler that has caught a pause: it sends that one on."""
        cfg, scope = self.project.cfg(info), self.project.names.scope(info)
        for p in cfg.points:
            if p.node is node:
                return any(r.kind == "handler" and type(r.node) is Handler and self.project.signals.catches(r.node.type, scope) for r in p.regions)
        return False

    def _handed_on(self, exc: Any, scope: Scope, depth: int) -> bool:
        """Whether what is raised is made of the pauses of another run: `GraphInterrupt(result["__interrupt__"])`."""
        for n in walk(exc):
            if type(n) is Const and n.value == "__interrupt__" or type(n) is Attr and n.attr in HANDED_ON:
                return True
            if type(n) is Name and depth < 3:
                if "interrupts" in n.id.lower():
                    return True
                found = self.project.names.lookup(n.id, scope)
                if found is not None and found[1] is scope:
                    if any(b.how in ("value", "element", "unpack") and b.node is not exc and self._handed_on(b.node, scope, depth + 1) for b in found[0]):
                        return True
        return False


__all__ = ["ByHand", "Raised"]
