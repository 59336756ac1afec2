"""Graphs that pause in `interrupt()` and are run on with None, which is for static breakpoints and crashes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.effects import Witness
from hitl_lint.analysis.names import Ext, FnInfo, Lit, Scope
from hitl_lint.analysis.turns import Turn, nodes_in
from hitl_lint.facts import Attr, Call, Const, Dict, ExprStmt, Handler, If, Name, While, text, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

RECOVERS = re.compile(r"crash|recover|restart|fail|error|retry|replay|time.?travel|fork|rewind|checkpoint|breakpoint|timeout", re.IGNORECASE)
CHANGES = frozenset({"update_state", "aupdate_state", "bulk_update_state", "abulk_update_state", "get_state_history", "aget_state_history"})
LOOKS = re.compile(r"interrupt|\.next\b|\.tasks\b|pending|paused|waiting|snapshot|get_state")


class Continued:
    def __init__(self, project: "Project") -> None:
        self.project = project

    def with_none(self) -> Iterator[tuple[Turn, Witness, str]]:
        """(run, the pause that it can reach, the name of the argument in which an answer is given that no graph takes), outside tests and outside other graphs."""
        turns = self.project.turns
        for turn in turns.all():
            if turn.kinds != {"none"} or self.project.is_test(turn.scope.module.path):
                continue
            graph = turns.graph(turn)
            pause = turns.pauses(turn)
            if graph is None or pause is None or not pause.proved or not any(c.saver not in ("absent", "none", "false") for c in graph.compiles):
                continue
            lost = next((a.name for a in turn.call.args if a.name and (a.name == "resume" or a.name == "command" and self._answers(a.value, turn.scope))), "")
            if not lost and (turns.stops(graph) or self._meant(turn)) or not turns.outside(turn):
                continue
            yield turn, pause, lost

    def _answers(self, e: Any, scope: Scope) -> bool:
        """`{"resume": answer}`, `Command(resume=answer)`."""
        for v in self.project.names.resolve(e, scope):
            if isinstance(v, Lit) and type(v.expr) is Dict and any(type(k) is Const and k.value == "resume" for k in v.expr.keys):
                return True
            made = v.origin if isinstance(v, Ext) else None
            if type(made) is Call and any(a.name == "resume" for a in made.args):
                return True
        return False

    def _meant(self, turn: Turn) -> bool:
        """Whether the function says that it goes on after a crash, changes the state first, or looks what is pending."""
        scope = turn.scope
        at: Scope | None = scope
        while at is not None and at.kind != "module":
            if isinstance(at.owner, FnInfo):
                first = at.owner.fn.body[0] if at.owner.fn.body else None
                doc = first.value.value if type(first) is ExprStmt and type(first.value) is Const and first.value.kind == "str" else ""
                if RECOVERS.search(at.owner.fn.name) or RECOVERS.search(str(doc)):
                    return True
            at = at.parent
        if self._looked_before(scope):
            return True
        for node in nodes_in(scope):
            if type(node) is Call and type(node.func) is Attr and node.func.attr in CHANGES:
                return True
            if type(node) in (If, While) and LOOKS.search(text(node.test, 400)):
                return True
            if type(node) is Handler and any(n is turn.call for s in node.body for n in walk(s)):
                return True
            if type(node) is Name and node.id in ("interrupt_before", "interrupt_after"):
                return True
        return False

    def _looked_before(self, scope: Scope) -> bool:
        """Whether a function that calls this one, or hands it to a queue, looks what is pending."""
        if scope.kind != "function":
            return False
        name = scope.owner.fn.name
        for module in self.project.candidates:
            for info in list(module.functions):
                inner = self.project.names.scope(info)
                if inner is scope or not any(type(n) is Name and n.id == name or type(n) is Attr and n.attr == name for n in nodes_in(inner)):
                    continue
                if any(type(n) in (If, While) and LOOKS.search(text(n.test, 400)) for n in nodes_in(inner)):
                    return True
        return False


__all__ = ["Continued"]
