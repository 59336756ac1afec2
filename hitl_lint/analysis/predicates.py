"""`when` predicates of gates: what decides whether a tool call is reviewed, and whether that can come out differently when the answer arrives.

The predicate is asked again on resume, in both modes (langchain's own documentation says so, and it was run): False on resume means that the reviewer's
answer is skipped and the tool runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.effects import Witness
from hitl_lint.analysis.gates import Entry
from hitl_lint.analysis.names import Ext, Fn, FnInfo, Inst, Scope, Wrapped, argument
from hitl_lint.analysis.values import ENVIRONMENT, Source, compared
from hitl_lint.facts import Attr, Call, Const, Name, Sub, dotted, text, walk
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

# How a store is read: what is there now, and not what was there when the call was shown.
STORE_READS = frozenset({"get", "aget", "search", "asearch", "list_namespaces", "alist_namespaces"})
MAX_CALLS = 3
MAX_CALLERS = 12
KINDS = ("unstable", "model", "memory", "effect", "read")


@record
class Unsteady:
    """Something in a predicate that can change while a call waits for its review. `kind`: "unstable", "model", "memory", "effect", "read" or "environment"; `node` where it
    is read, in `info`."""

    entry: Entry
    info: FnInfo
    kind: str
    node: Any
    witness: Witness | None


class Predicates:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names

    def unsteady(self) -> Iterator[Unsteady]:
        """The worst such place of every predicate, once, however many tools share it; where one predicate asks another, that of the other."""
        found = list(self._unsteady())
        told = {id(f.info.fn) for f in found}
        for f in found:
            asked = self.names.resolve(f.node.func, self.names.scope(f.info)) if type(f.node) is Call else ()
            if not any(isinstance(v, Fn) and v.info is not f.info and id(v.info.fn) in told for v in asked):
                yield f

    def _unsteady(self) -> Iterator[Unsteady]:
        seen: set[int] = set()
        for gate in self.project.gates.all():
            for entry in self.project.gates.entries(gate):
                when = entry.fields.get("when")
                if when is None:
                    continue
                for info in self._functions(when.value, when.scope):
                    if id(info.fn) in seen:
                        continue
                    seen.add(id(info.fn))
                    found = self._worst(info)
                    if found is not None:
                        yield Unsteady(entry, info, *found)

    def _functions(self, e: Any, scope: Scope) -> Iterator[FnInfo]:
        for v in self.names.resolve(e, scope):
            if isinstance(v, Fn):
                yield v.info
            elif isinstance(v, Inst):
                method = self.names.method(v.info, "__call__")
                if method is not None:
                    yield method
            elif isinstance(v, Wrapped):
                yield from (t.info for t in v.targets if isinstance(t, Fn))

    def _worst(self, info: FnInfo) -> tuple[str, Any, Witness | None] | None:
        flow = self.project.flow(info)
        found: list[Source] = []
        for point in flow.cfg.points:
            if point.kind != "return":
                continue
            value = point.node.value
            if value is not None:
                found += compared(flow.taint(value, point))
            for guard in flow.cfg.guards(point):
                found += self.project.test_taint(flow, guard)
        for kind in KINDS:
            here = sorted((s for s in found if s.kind == kind and not isinstance(s.node, str)), key=lambda s: s.node.at)
            if here:
                return kind, here[0].node, here[0].witness
        read = self._from_store(info, 0)
        return ("read", read, None) if read is not None else self._environment(info)

    def _from_store(self, info: FnInfo, depth: int) -> Any | None:
        """Where a predicate, or a function of the project that it calls, reads LangGraph's store: `request.runtime.store.get(…)`, `get_store().search(…)`. Other
        runs write there."""
        scope = self.names.scope(info)
        for call in scope.calls:
            read = _taken(call.func) or self._kept(call.func, scope)
            if read is not None and read[1] in STORE_READS and self._is_store(read[0], scope, 0):
                return call
        for call in scope.calls if depth < MAX_CALLS else ():
            # What is read deeper is told where the predicate asks for it.
            if any(isinstance(v, Fn) and v.info is not info and self._from_store(v.info, depth + 1) is not None for v in self.names.resolve(call.func, scope)):
                return call
        return None

    def _kept(self, f: Any, scope: Scope) -> tuple[Any, str] | None:
        """The object and the method of a name that keeps it: `get = store.get`, then `get(…)`."""
        found = self.names.lookup(f.id, scope) if type(f) is Name else None
        if found is None or found[1] is not scope or len(found[0]) != 1 or found[0][0].how != "value":
            return None
        return _taken(found[0][0].node)

    def _is_store(self, e: Any, scope: Scope, depth: int) -> bool:
        part = _taken(e)
        if part is not None:
            return part[1] == "store" and (dotted(part[0]) or "").rsplit(".", 1)[-1] == "runtime"
        if type(e) is Call:
            return any(isinstance(v, Ext) and v.path == "langgraph.config.get_store" for v in self.names.resolve(e.func, scope))
        if type(e) is not Name or depth > MAX_CALLS:
            return False
        found = self.names.lookup(e.id, scope)
        for b in found[0] if found is not None else ():
            if b.how == "value" and self._is_store(b.node, found[1], depth + 1):
                return True
            if b.how == "param" and found[1].kind == "function":
                info = found[1].owner
                if "BaseStore" in text(b.node.annotation, 60) if b.node.annotation is not None else False:
                    return True
                given = [(argument(c, info.fn, b.node, info.cls is not None), s) for c, s in self.project.resumes.callers(info)[:MAX_CALLERS]]
                if any(g is not None and self._is_store(g, s, depth + 1) for g, s in given):
                    return True
        return False

    def _environment(self, info: FnInfo) -> tuple[str, Any, Witness | None] | None:
        """The flow takes the environment for a constant, which it is as long as the process lives; a review can wait longer."""
        scope = self.names.scope(info)
        for stmt in info.fn.body:
            for n in walk(stmt):
                if type(n) is Call and (w := self.project.judge(n, scope).read) is not None and w.what == ENVIRONMENT:
                    return "environment", n, w
                if type(n) is Sub and any(getattr(v, "path", "") == "os.environ" for v in self.names.resolve(n.value, scope)):
                    return "environment", n, None
        return None


def _taken(e: Any) -> tuple[Any, str] | None:
    """The object and the attribute of `x.get`, `getattr(x, "get", None)`."""
    if type(e) is Attr:
        return e.value, e.attr
    if type(e) is Call and dotted(e.func) == "getattr" and len(e.args) > 1 and type(e.args[1].value) is Const and e.args[1].value.kind == "str":
        return e.args[0].value, e.args[1].value.value
    return None


__all__ = ["Predicates", "Unsteady"]
