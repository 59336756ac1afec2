"""Graphs that pause in `interrupt()` and are run on with None, which is for static breakpoints and crashes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.effects import Witness
from hitl_lint.analysis.names import Ext, FnInfo, Lit, Scope
from hitl_lint.analysis.turns import Turn, nodes_in
from hitl_lint.facts import Attr, Call, Cmp, Const, Dict, ExprStmt, Handler, If, Name, Sub, Un, While, dotted, text, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

RECOVERS = re.compile(r"crash|recover|restart|fail|error|retry|replay|time.?travel|fork|rewind|checkpoint|breakpoint|timeout", re.IGNORECASE)
CHANGES = frozenset({"update_state", "aupdate_state", "bulk_update_state", "abulk_update_state", "get_state_history", "aget_state_history"})
LOOKS = re.compile(r"interrupt|\.next\b|\.tasks\b|pending|paused|waiting|snapshot|get_state")
# What says that a question waits; that there is a next node says no more than that the run has not ended.
WAITS = re.compile(r"interrupt|pending|paused|waiting", re.IGNORECASE)
WAITS_NOT = re.compile(r"(?:^|_)(?:no|not|never|non|without)_", re.IGNORECASE)


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
        if self._looked_before(scope) or self._looks(scope, [turn.call]):
            return True
        for node in nodes_in(scope):
            if type(node) is Call and type(node.func) is Attr and node.func.attr in CHANGES:
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
                if self._looks(inner, [n for n in nodes_in(inner) if type(n) is Call and any(type(x) in (Name, Attr) and (x.id if type(x) is Name else x.attr) == name for x in walk(n))]):
                    return True
        return False

    def _looks(self, scope: Scope, runs: list[Call]) -> bool:
        """Whether a test of a function looks what is pending. One that lets the runs through only where a question waits keeps nothing from them."""
        guards = [[g for x in cfg.at(c, "call")[:1] for g in cfg.guards(x) if g.kind == "test" and not g.again]
                  for cfg in [self.project.cfg(scope.owner)] for c in runs] if scope.kind == "function" else []
        for node in nodes_in(scope):
            if type(node) in (If, While) and LOOKS.search(text(node.test, 400)):
                parts = {id(e) for e in walk(node.test)}
                through = [[_waits(g.node, g.branch == "true") for g in gs if id(g.node) in parts and LOOKS.search(text(g.node, 400))] for gs in guards]
                if not through or not all(waits and all(waits) for waits in through):
                    return True
        return False


def _waits(e: Any, truth: bool) -> bool:
    """Whether a test that comes out so says that a question waits: `snapshot.interrupts`, `len(pending) > 0`, `status == "waiting"`, `"__interrupt__" in result`."""
    while type(e) is Un and e.op == "not":
        e, truth = e.value, not truth
    if type(e) is Cmp:
        if len(e.ops) != 1:
            return False
        op, right = e.ops[0], e.rights[0]
        if op in ("in", "not in"):
            return (op == "in") is truth and type(e.left) is Const and _says(str(e.left.value))
        sides = [x for x in (e.left, right) if type(x) is Const]
        if len(sides) != 1:
            return False
        other = e.left if sides[0] is right else right
        if sides[0].kind == "str":
            return (op in ("==", "is")) is truth and op in ("==", "!=") and _says(sides[0].value)
        if sides[0].kind == "bool" and op in ("is", "==", "is not", "!="):
            return _waits(other, ((op in ("is", "==")) is sides[0].value) is truth)
        if sides[0] is right and (sides[0].value is None and op in ("is", "is not") or sides[0].value == 0 and op in ("==", "!=", ">")):
            return _waits(other, (op in ("is not", "!=", ">")) is truth)
        return False
    if type(e) is Call and dotted(e.func) in ("len", "bool", "any", "list", "tuple") and len(e.args) == 1:
        return _waits(e.args[0].value, truth)
    return truth and _says(_last(e))


def _says(word: str) -> bool:
    return WAITS.search(word) is not None and WAITS_NOT.search(word) is None


def _last(e: Any) -> str:
    """What an expression gives, by its last name: "is_waiting" of `state.values.get("is_waiting", False)`, "interrupts" of `tasks[0].interrupts[0]`."""
    if type(e) is Call and type(e.func) is Attr and e.func.attr in ("get", "pop") and e.args:
        return str(getattr(e.args[0].value, "value", ""))
    if type(e) is Sub:
        return e.index.value if type(e.index) is Const and e.index.kind == "str" else _last(e.value)
    return e.attr if type(e) is Attr else e.id if type(e) is Name else _last(e.func) if type(e) is Call else ""


__all__ = ["Continued"]
