"""Answers that an application does not send, but puts into the state (`update_state`, or `Command(update=…)` as the input): the node runs again and finds
them there, `if state.get("approved"): act`, and only else asks.

There a node runs again with another state than before. What stands behind a test of the key that was written runs again only if it still says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hitl_lint.analysis.cfg import Guard, Point
from hitl_lint.analysis.names import Scope, is_test
from hitl_lint.facts import Attr, Call, Cmp, Const, Dict, Name, Seq, Sub, Un, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

MAX_DEPTH = 4


class ByState:
    """`keys`: the keys of the state that the application writes from outside. They are None until somebody asks."""

    def __init__(self, project: "Project") -> None:
        self.project = project
        self._keys: set[str] | None = None

    def reset(self) -> None:
        self._keys = None

    def keys(self) -> set[str]:
        if self._keys is None:
            calls = self.project.names.calls_by_name if self.project.turns.goes_on_unasked() else {}
            written = [a.value for m in ("update_state", "aupdate_state") for call, s in calls.get(m, ()) if not is_test(s.module.path) for a in call.args]
            written += [a.value for c in self.project.resumes.commands() if c.run is not None and c.resume is None and not is_test(c.scope.module.path)
                        for a in c.call.args if a.name == "update"]
            self._keys = {k.value for e in written if type(e) is Dict for k, v in zip(e.keys, e.values) if type(k) is Const and k.kind == "str"
                          and not (type(v) is Const and not v.value)}
        return self._keys

    def decides(self, p: "Pausing", point: Point) -> bool:
        """Whether a point is only come to where such a key is not there."""
        for g in p.cfg.guards(point):
            if g.kind != "test" or g.again:
                continue
            test, branch = g.node, g.branch
            while type(test) is Un and test.op == "not" or type(test) is Cmp and test.ops in (["is"], ["=="]) and _is_none(test.rights[0]):
                test, branch = test.value if type(test) is Un else test.left, "true" if branch == "false" else "false"
            if branch == "false" and self._is_look(test, p.scope) and self._asks(test, p.scope, 0) and not self._past(p, g, point):
                return True
        return False

    def _is_look(self, test: Any, scope: Scope) -> bool:
        """Whether a test asks for nothing but whether the key is there, so that what was written there answers it: no comparison with a number."""
        if type(test) is Name:
            return all(b.how == "unpack" or b.how == "value" and type(b.node) in (Call, Sub, Attr) for b in scope.bindings.get(test.id, ()))
        if type(test) is Cmp:  # with a word: `state["decision"] == "approved"`
            words = test.rights[0].elts if type(test.rights[0]) is Seq else test.rights
            return test.ops in (["=="], ["in"]) and all(type(w) is Const and w.kind == "str" for w in words)
        return type(test) in (Call, Sub, Attr)

    def _past(self, p: "Pausing", g: Guard, point: Point) -> bool:
        """Whether the point is come to the other way as well: `if state.get("approved") and score > 3: return`."""
        other = [e.to for e in g.point.succ if e.kind not in ("exc", g.branch)]
        return point in other or point in p.cfg.reachable(other, skip=lambda x, edge: edge.kind == "exc" or edge.to is g.point)

    def _asks(self, e: Any, scope: Scope, depth: int) -> bool:
        if depth > MAX_DEPTH:
            return False
        for n in walk(e):
            if type(n) is Const and n.kind == "str" and n.value in self.keys() or type(n) is Attr and n.attr in self.keys():
                return True
            if type(n) is Name and any(b.node is not None and self._asks(b.node, scope, depth + 1) for b in scope.bindings.get(n.id, ()) if b.how in ("value", "unpack")):
                return True
            if type(n) is Call:
                for info in self.project.effects.judge(n, scope).targets[:3]:
                    inner = self.project.names.scope(info)
                    if any(self._asks(stmt, inner, depth + 2) for stmt in info.fn.body):
                        return True
        return False


def _is_none(e: Any) -> bool:
    return type(e) is Const and e.kind == "none"


__all__ = ["ByState"]
