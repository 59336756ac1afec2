"""What a call has done when it raises: a helper that asks for approval and then raises `NeedsApproval`, whose handler pauses.

A call that fails is taken to have done nothing. That does not hold where the project itself raises behind the work; and what stands behind the raise, or
on a way that returns, has not happened on the way to the handler. Only exceptions of the project's own classes are followed: where they come from is seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterator

from hitl_lint.analysis.cfg import Point
from hitl_lint.analysis.effects import Judged
from hitl_lint.analysis.names import ClassInfo, Cls, FnInfo, Inst, Scope
from hitl_lint.analysis.summaries import growths
from hitl_lint.facts import Handler, Raise, Seq, Try, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

MAX_DEPTH = 5
MAX_TARGETS = 4


class Raising:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._raises: dict[tuple[int, frozenset[int]], bool] = {}

    def works_first(self, p: "Pausing", point: Point, kind: str) -> bool:
        """Whether a call does `kind` ("effect" or "model") and then raises what leads to a handler around it, whatever came of the work."""
        caught = self._caught(p, point)
        j = p.judged.get(point.id)
        return bool(caught) and j is not None and any(self._works(t, caught, kind, 0) for t in j.targets[:MAX_TARGETS])

    def grows_after(self, p: "Pausing", point: Point) -> bool:
        """Whether what a call grows is grown only on ways that do not raise what its handlers catch."""
        caught = self._caught(p, point)
        j = p.judged.get(point.id)
        targets = j.targets[:MAX_TARGETS] if j is not None else ()
        return bool(caught) and any(self._may_raise(t, caught, 0) for t in targets) and not any(self._grows(t, caught, 0) for t in targets)

    # ---- what is caught, what is raised
    def _caught(self, p: "Pausing", point: Point) -> frozenset[int]:
        """The classes (by id) of the exceptions whose handlers lead to a pause; empty where one of them is not of the project."""
        found: set[int] = set()
        for r in point.regions:
            if r.kind != "try" or type(r.node) is not Try:
                continue
            for h in r.node.handlers:
                if not any(any(x.kind == "handler" and x.node is h for x in q.regions) for q in p.zone.pauses):
                    continue
                classes = list(self._classes(h, p.scope))
                if not classes:
                    return frozenset()
                found.update(classes)
        return frozenset(found)

    def _classes(self, h: Handler, scope: Scope) -> Iterator[int]:
        for t in (h.type.elts if type(h.type) is Seq else [h.type]) if h.type is not None else ():
            for v in self.project.names.resolve(t, scope):
                if isinstance(v, Cls):
                    yield id(v.info)

    def _is_raise(self, point: Point, caught: frozenset[int], scope: Scope) -> bool:
        exc = point.node.exc if point.kind == "raise" and type(point.node) is Raise else None
        if exc is None and point.kind == "raise":
            # `except NeedsApproval: log(); raise` lets through what is caught here.
            return any(r.kind == "handler" and type(r.node) is Handler and caught & set(self._classes(r.node, scope)) for r in point.regions)
        for v in self.project.names.resolve(exc, scope) if exc is not None else ():
            if isinstance(v, (Cls, Inst)) and any(isinstance(c, ClassInfo) and id(c) in caught for c in self.project.names.mro(v.info)):
                return True
        return False

    def _stays_inside(self, point: Point, caught: frozenset[int], scope: Scope) -> bool:
        """Whether a handler of the same function keeps the exception of a call."""
        for r in point.regions:
            if r.kind == "try" and type(r.node) is Try:
                for h in r.node.handlers:
                    if (h.type is None or caught & set(self._classes(h, scope)) or "Exception" in getattr(h.type, "id", "")) and not any(type(n) is Raise for s in h.body for n in walk(s)):
                        return True
        return False

    def _may_raise(self, info: FnInfo, caught: frozenset[int], depth: int) -> bool:
        key = (id(info.fn), caught)
        if key not in self._raises and depth < MAX_DEPTH:
            self._raises[key] = False  # a function that calls itself raises nothing by that alone
            scope = self.project.names.scope(info)
            self._raises[key] = any(
                self._is_raise(x, caught, scope) or any(self._may_raise(t, caught, depth + 1) for t in self._judged(x, scope, caught).targets[:MAX_TARGETS])
                for x in self.project.cfg(info).points if x.kind in ("raise", "call"))
        return self._raises.get(key, False)

    def _judged(self, point: Point, scope: Scope, caught: frozenset[int]) -> Judged:
        if point.kind != "call" or self._stays_inside(point, caught, scope):
            return Judged()
        return self.project.effects.judge(point.node, scope)

    # ---- what is done first
    def _works(self, info: FnInfo, caught: frozenset[int], kind: str, depth: int) -> bool:
        if depth > MAX_DEPTH or not self._may_raise(info, caught, 0):
            return False
        cfg, scope = self.project.cfg(info), self.project.names.scope(info)
        raised = [x for x in cfg.points if self._is_raise(x, caught, scope)]
        for x in cfg.points:
            if x.kind != "call":
                continue
            j = self.project.effects.judge(x.node, scope)
            if getattr(j, kind) is None:
                continue
            mine = self._tests(cfg.guards(x))
            # Behind a test of what came of it (`if not r.ok: raise Failed`) it may well have failed.
            if any(cfg.dominates(x, r) and self._tests(cfg.guards(r)) <= mine for r in raised):
                return True
            if not self._stays_inside(x, caught, scope) and any(self._works(t, caught, kind, depth + 1) for t in j.targets[:MAX_TARGETS]):
                return True
        return False

    @staticmethod
    def _tests(guards: Any) -> set[tuple[int, str]]:
        return {(g.point.id, g.branch) for g in guards if g.kind not in ("try", "handler")}

    def _grows(self, info: FnInfo, caught: frozenset[int], depth: int) -> bool:
        """Whether a function grows something and can still raise."""
        if depth > MAX_DEPTH:
            return True
        cfg, scope = self.project.cfg(info), self.project.names.scope(info)
        ends = [x for x in cfg.points if x.kind in ("raise", "call") and (
            self._is_raise(x, caught, scope) or any(self._may_raise(t, caught, 0) for t in self._judged(x, scope, caught).targets[:MAX_TARGETS]))]
        counts: Callable[[Any], bool] = lambda e: self.project.summaries.counts(e, scope)
        own = {id(node) for node, _, _ in growths(info.fn.body, counts)}
        for x in cfg.points:
            direct = id(x.node) in own or any(id(n) in own for n in walk(x.node)) if x.node is not None and x.kind in ("bind", "call", "expr") else False
            targets = self._judged(x, scope, caught).targets[:MAX_TARGETS] if x.kind == "call" else ()
            inside = [t for t in targets if self.project.summaries.of(t).grow is not None]
            if not direct and not inside:
                continue
            after = cfg.reachable([x], skip=lambda point, edge, x=x: point is x and edge.kind == "exc")
            if any(e in after and e is not x for e in ends) or any(self._may_raise(t, caught, 0) and self._grows(t, caught, depth + 1) for t in inside):
                return True
        return False


__all__ = ["Raising"]
