"""`when` predicates of gates: what decides whether a tool call is reviewed, and whether that can come out differently when the answer arrives.

The predicate is asked again on resume, in both modes (langchain's own documentation says so, and it was run): False on resume means that the reviewer's
answer is skipped and the tool runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.effects import Witness
from hitl_lint.analysis.gates import Entry
from hitl_lint.analysis.names import Fn, FnInfo, Inst, Scope, Wrapped
from hitl_lint.analysis.values import ENVIRONMENT, Source, compared
from hitl_lint.facts import Call, Sub, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

KINDS = ("unstable", "model", "memory", "effect", "read")


@dataclass(frozen=True, slots=True)
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
        """The worst such place of every predicate, once, however many tools share it."""
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
        return self._environment(info)

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


__all__ = ["Predicates", "Unsteady"]
