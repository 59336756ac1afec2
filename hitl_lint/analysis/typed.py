"""What a test says that an object is: `if isinstance(gateway, Slack): gateway.ask(…)`, `case Slack(): gateway.ask(…)`.

A registry, a parameter or a factory gives one of several classes; behind the test it is this one, whatever was seen to be handed in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.cfg import Guard
from hitl_lint.analysis.names import ClassInfo, Cls, Fn, FnInfo, Inst, Scope, Value, Wrapped, unique
from hitl_lint.facts import Attr, Bin, Call, Name, Seq, dotted

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project


class Typed:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names

    def narrowed(self, call: Call, scope: Scope) -> tuple[Value, ...] | None:
        """What the method that a call runs can be by the class that the tests around say its object has; None where none says."""
        f = call.func
        base = dotted(f.value) if type(f) is Attr else None
        if base is None or scope.kind != "function" or type(scope.owner) is not FnInfo or not self._asks(scope):
            return None
        root = base.partition(".")[0]
        found = self.names.lookup(root, scope)
        if found is None or len(found[0]) != 1:
            return None  # another thing by the same name may stand between the test and the call
        cfg = self.project.cfg(scope.owner)
        points = cfg.at(call)
        said = [next((c for g in cfg.guards(p) if (c := self._classes(g, base, scope))), None) for p in points]
        if not said or None in said:
            return None
        classes = {id(c): c for one in said for c in one or ()}
        have = [v for v in self.names.resolve(f.value, scope) if isinstance(v, Inst) and any(
            isinstance(c, ClassInfo) and id(c) in classes for c in self.names.mro(v.info))]
        out = unique(v for o in have or [Inst(c) for c in classes.values()] for v in self.names.attribute(o, f.attr))
        return out if any(isinstance(v, (Fn, Wrapped)) for v in out) else None

    @staticmethod
    def _asks(scope: Scope) -> bool:
        return any(type(c.func) is Name and c.func.id == "isinstance" for c in scope.calls) or any(
            type(s).__name__ == "Match" for s in scope.owner.fn.body)

    def _classes(self, g: Guard, base: str, scope: Scope) -> list[ClassInfo]:
        """The project's classes one of which an object has where a guard holds."""
        types: list[Any] = []
        if g.again or g.branch != "true":
            return []
        if g.kind == "test" and type(g.node) is Call and dotted(g.node.func) == "isinstance" and len(g.node.args) == 2 and dotted(g.node.args[0].value) == base:
            types = list(_parts(g.node.args[1].value))
        elif g.kind == "case" and dotted(getattr(g.point.stmt, "subject", None)) == base:
            types = [x.func if type(x) is Call else x for x in _parts(g.node.pattern)]
        out: list[ClassInfo] = []
        for t in types:
            values = [v for v in self.names.resolve(t, scope) if isinstance(v, Cls)] if type(t) in (Name, Attr) else []
            if not values:
                return []
            out += [v.info for v in values]
        return out


def _parts(e: Any) -> Iterator[Any]:
    if type(e) is Seq:
        for x in e.elts:
            yield from _parts(x)
    elif type(e) is Bin and e.op == "|":
        yield from _parts(e.left)
        yield from _parts(e.right)
    else:
        yield e


__all__ = ["Typed"]
