"""Answers that are checked against a `response_schema`, and handlers that keep the refusal from the person who answers (TRUTH.md 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.cfg import CFG, Point
from hitl_lint.analysis.names import Ext, Lit, ParamOf, Scope
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import Const, Dict, Handler, Seq, Try, text
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

# What catches pydantic's ValidationError, which is a ValueError.
CATCHES_REFUSAL = frozenset({"ValueError", "Exception", "BaseException", "pydantic.ValidationError", "pydantic_core.ValidationError",
                             "pydantic.error_wrappers.ValidationError", "pydantic_core._pydantic_core.ValidationError"})


@record
class Refusal:
    """A pause whose answer is checked, and the handler that swallows the error about a bad one."""

    pause: Point
    handler: Handler
    shown: str


class Schemas:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._open: set[int] = set()
        self._known: dict[int, bool] = {}  # by function, whether its answers are validated

    def swallowed(self, p: "Pausing") -> Iterator[Refusal]:
        for pause in p.pauses:
            if not self._checks(p, pause):
                continue
            for region in reversed(pause.regions):
                if region.kind != "try" or type(region.node) is not Try:
                    continue
                h = self._first(region.node, p.scope)
                if h is None:
                    continue
                if not self.project.signals.catches(h.type, p.scope) or self._bubbles_first(region.node, p.scope, h):
                    if self._goes_on(p.cfg, h, p):
                        yield Refusal(pause, h, f"`except {text(h.type, 40)}`" if h.type is not None else "`except:`")
                break

    def _checks(self, p: "Pausing", pause: Point) -> bool:
        """Whether the answer of a pause is validated: by its own schema, or by that of an `interrupt` in a helper."""
        j = p.judged[pause.id]
        if not j.targets:
            schema = next((a.value for a in pause.node.args if a.name == "response_schema"), None)
            return any(x in lg.INTERRUPT for x in j.paths) and schema is not None and self._validates(schema, p.scope)
        for info in j.targets:
            known = self._known.get(id(info.fn))
            if known is None and (id(info.fn) in self._open or len(self._open) > 8 or self.project.is_task(info)):
                continue
            if known:
                return True
            if known is not None:
                continue
            inner = self.project.pausing_of(info)
            if inner is None:
                continue
            self._open.add(id(info.fn))
            try:
                found = any(self._checks(inner, q) and not any(True for r in self.swallowed(inner) if r.pause is q) for q in inner.pauses)
                self._known[id(info.fn)] = found
                if found:
                    return True
            finally:
                self._open.discard(id(info.fn))
        return False

    def _validates(self, schema: Any, scope: Scope) -> bool:
        """A class or type validates; a JSON schema in a dict, or None, does not."""
        if type(schema) in (Dict, Const):
            return False
        values = self.project.names.resolve(schema, scope)
        return bool(values) and not any(isinstance(v, ParamOf) or isinstance(v, Lit) and type(v.expr) in (Dict, Const) for v in values) and not any(
            isinstance(v, Ext) and v.path.endswith((".model_json_schema()", ".json_schema()", "dict()")) for v in values)

    def _first(self, node: Try, scope: Scope) -> Handler | None:
        """The handler that gets the refusal."""
        for h in node.handlers:
            if h.type is None or self._catches(h.type, scope, 0):
                return h
        return None

    def _catches(self, expr: Any, scope: Scope, depth: int) -> bool:
        if depth > 4:
            return False
        if type(expr) is Seq:
            return any(self._catches(e, scope, depth + 1) for e in expr.elts)
        for v in self.project.names.resolve(expr, scope):
            if isinstance(v, Ext) and v.path in CATCHES_REFUSAL:
                return True
            if isinstance(v, Lit) and type(v.expr) is Seq and v.expr is not expr and self._catches(v.expr, v.scope, depth + 1):
                return True
        return False

    def _bubbles_first(self, node: Try, scope: Scope, h: Handler) -> bool:
        """`except GraphBubbleUp: raise` before the broad handler: then that one only gets errors."""
        for other in node.handlers:
            if other is h:
                return False
            if self.project.signals.catches(other.type, scope):
                return True
        return False

    def _goes_on(self, cfg: CFG, h: Handler, p: "Pausing") -> bool:
        """Whether the handler lets the function go on to its end without asking again."""
        starts = [x for x in cfg.points if x.kind == "handler" and x.node is h]
        pauses = {q.id for q in p.pauses}
        reached = cfg.reachable(starts, skip=lambda point, edge: edge.kind == "exc")
        if any(x.id in pauses for x in reached):
            return False  # it asks again, which works
        return cfg.exit in reached or any(x.kind == "return" for x in reached)


__all__ = ["Refusal", "Schemas"]
