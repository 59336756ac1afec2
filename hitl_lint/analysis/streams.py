"""What the chunks of a nested graph's stream are used for, where a pause makes the stream run again.

A nested graph that has finished is restored on resume, not run again: its stream gives no chunks then, or with `stream_mode="values"` only the
final state (TRUTH.md 7). Code that has gathered what came along, or kept the last chunk, finds nothing the second time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.cfg import Point
from hitl_lint.analysis.names import Ext, Scope, Wrapped, is_graph_path
from hitl_lint.facts import Assign, Attr, AugAssign, Await, Call, Comp, For, Name, Seq, Star, Sub, Walrus, dotted, walk
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

STREAMS = frozenset({"stream", "astream"})
GATHER = frozenset({"list", "tuple", "dict", "next", "sorted", "set", "anext"})
KEEPS = frozenset({"append", "extend", "insert", "add", "update", "setdefault", "appendleft"})


@record
class Emptied:
    """A stream in the replay zone whose chunks are used: `kept` is the name in which they are, "" where they are used at once;
    `gathered`: all of them, not just the last; `values`: the stream still gives the final state."""

    call: Call
    pause: Point
    kept: str
    gathered: bool
    values: bool


class Streams:
    def __init__(self, project: "Project") -> None:
        self.project = project

    def emptied(self, p: "Pausing") -> Iterator[Emptied]:
        for call in p.scope.calls:
            if type(call.func) is not Attr or call.func.attr not in STREAMS or not self._restored(call, p.scope):
                continue
            for point in p.cfg.at(call):
                pause = p.zone.pause_after(point) if p.zone.contains(point) else None
                if pause is None or pause.node is call:
                    continue
                used = self._used(call, p)
                values = self._mode(call, p.scope) == "values"
                if used is not None and (used[1] or not values):
                    yield Emptied(call, pause, *used, values)
                break

    def _restored(self, call: Call, scope: Scope) -> bool:
        """Whether a graph of this project is run, and as a part of this one."""
        names = self.project.names
        for v in names.resolve(call.func, scope):
            if isinstance(v, Wrapped) and v.kind == "graph-run":
                return self.project.in_graph(scope)
            if isinstance(v, Ext) and is_graph_path(v.path.rpartition(".")[0]) and v.origin is not None:
                return self.project.in_graph(scope) and not self.project.graphs.own_thread(call, scope) and not self.project.graphs.runs_again(v, call, scope)
        return False

    def _mode(self, call: Call, scope: Scope) -> str:
        given = next((a.value for a in call.args if a.name == "stream_mode"), None)
        value = self.project.names.constant(given, scope) if given is not None else "updates"
        return value if isinstance(value, str) else ""

    # ---- uses
    def _used(self, call: Call, p: "Pausing") -> tuple[str, bool] | None:
        """(name that keeps chunks, whether it gathers them), or None where they are only shown."""
        for stmt in p.info.fn.body:
            for node in walk(stmt):
                t = type(node)
                if t is For and _made_of(node.iter, call, p.scope):
                    return self._in_loop(node, p)
                if t is Comp and any(_made_of(g.iter, call, p.scope) for g in node.generators):
                    return "", True
                if t is Call and dotted(node.func) in GATHER and node.args and _made_of(node.args[0].value, call, p.scope):
                    return "", dotted(node.func) not in ("next", "anext")
                if t is Star and _made_of(node.value, call, p.scope):
                    return "", True
        return None

    def _in_loop(self, loop: For, p: "Pausing") -> tuple[str, bool] | None:
        """What a loop over the chunks leaves behind for the code after it."""
        made = {n.id for n in walk(loop.target) if type(n) is Name}
        gathered: set[str] = set()
        last: set[str] = set(made)
        for _ in range(3):  # through names that are made of names
            for node in (n for s in loop.body for n in walk(s)):
                t = type(node)
                if t is Assign and node.value is not None and _names(node.value) & made:
                    for target in node.targets:
                        for one in target.elts if type(target) is Seq else [target]:
                            base = _base(one)
                            if base is not None:
                                made.add(base)
                                (gathered if type(one) in (Sub, Attr) or base in _names(node.value) else last).add(base)
                elif t is AugAssign and _names(node.value) & made and (base := _base(node.target)) is not None:
                    made.add(base)
                    gathered.add(base)
                elif t is Walrus and _names(node.value) & made:
                    made.add(node.target.id)
                    last.add(node.target.id)
                elif t is For and _names(node.iter) & made:
                    made |= {n.id for n in walk(node.target) if type(n) is Name}
                elif t is Call and type(node.func) is Attr and node.func.attr in KEEPS and any(_names(a.value) & made for a in node.args):
                    base = _base(node.func.value)
                    if base is not None:
                        gathered.add(base)
        params = {q.name for q in p.info.fn.params}
        inside = {id(n) for s in [loop] for n in walk(s)}
        for stmt in p.info.fn.body:
            for node in walk(stmt):
                if type(node) is Name and id(node) not in inside and node.id in gathered | last and node.id not in params:
                    if self._read_after(node, loop, p):
                        return node.id, node.id in gathered
        return None

    def _read_after(self, name: Name, loop: For, p: "Pausing") -> bool:
        """Whether a name is read below the loop, other than to be shown."""
        if name.at[:2] <= loop.at[:2]:
            return False
        for point in p.cfg.points:
            stmt = point.stmt
            if stmt is None or point.kind == "bind" and any(t is name for t in getattr(point.node, "targets", ())):
                continue
            if any(n is name for n in walk(stmt)) and type(stmt) is not For:
                call = next((c for c in walk(stmt) if type(c) is Call and any(n is name for a in c.args for n in walk(a))), None)
                return call is None or not (dotted(call.func) or "").startswith(("print", "log", "writer"))
        return False


def _made_of(expr: Any, call: Call, scope: Scope, depth: int = 0) -> bool:
    """Whether an expression is the stream itself, directly or by a name."""
    if expr is call:
        return True
    if type(expr) is Await:
        return _made_of(expr.value, call, scope, depth)
    if type(expr) is Call and dotted(expr.func) in ("iter", "aiter", "enumerate", "reversed") and expr.args:
        return _made_of(expr.args[0].value, call, scope, depth + 1)
    if type(expr) is Name and depth < 3:
        return any(b.how == "value" and _made_of(b.node, call, scope, depth + 1) for b in scope.bindings.get(expr.id, ()))
    return False


def _names(expr: Any) -> set[str]:
    return {n.id for n in walk(expr) if type(n) is Name}


def _base(expr: Any) -> str | None:
    while type(expr) in (Sub, Attr):
        expr = expr.value
    return expr.id if type(expr) is Name else None


__all__ = ["Emptied", "Streams"]
