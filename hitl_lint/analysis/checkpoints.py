"""A checkpoint that a client names and that reaches the config of a run through functions: one that builds the config, one that runs the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.configs import MAX_CALLERS, MAX_DEPTH, Configs, Place
from hitl_lint.analysis.names import ClassInfo, Fn, FnInfo, Inst, Scope, argument
from hitl_lint.analysis.turns import Turn, nodes_in, unawaited
from hitl_lint.facts import Assign, Attr, Call, Const, Dict, Name, Return, Sub, dotted

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project


class Checkpoints:
    def __init__(self, project: "Project", configs: Configs) -> None:
        self.project = project
        self.names = project.names
        self.configs = configs

    def named(self, turn: Turn) -> Iterator[tuple[Call, Scope, Place]]:
        """(the call with which an endpoint resumes, its scope, the checkpoint that its client names): the run itself, or a call of the function that runs."""
        scope = turn.scope
        if turn.config is None or scope.kind != "function" or not isinstance(scope.owner, FnInfo):
            return
        for e, inside in self._in(turn.config, scope, 0):
            if inside and turn.resumes and self._by_client(e, scope, turn):
                yield turn.call, scope, Place(e, scope)
            elif (param := self._param(e, scope)) is not None and not self.configs.requests.handles(scope.owner):
                info: FnInfo = scope.owner
                bound = _bound(info)
                for call, where in self.project.resumes.callers(info)[:MAX_CALLERS]:
                    given = argument(call, info.fn, param, bound)
                    if given is not None and self._answers(turn, call, where, bound) and self._by_client(given, where, turn):
                        yield call, where, Place(given, where)

    def _in(self, e: Any, scope: Scope, depth: int) -> Iterator[tuple[Any, bool]]:
        """(what a config has for checkpoint_id, whether a function that builds it has put it in), in terms of the scope of the run."""
        e = unawaited(e)
        t = type(e)
        if depth > MAX_DEPTH or e is None:
            return
        if t is Dict:
            for k, v in zip(e.keys, e.values):
                if type(k) is Const and k.value == "checkpoint_id":
                    yield v, False
                elif k is None or type(k) is Const and k.value == "configurable":
                    yield from self._in(v, scope, depth + 1)
        elif t is Name:
            found = self.names.lookup(e.id, scope)
            if found is None or found[1] is not scope:
                return
            for b in found[0]:
                if b.how == "value":
                    yield from self._in(b.node, scope, depth + 1)
            for n in nodes_in(scope):
                for target in n.targets if type(n) is Assign and n.value is not None else ():
                    if type(target) is Sub and type(target.index) is Const and target.index.value == "checkpoint_id" and _root(target) == e.id:
                        yield n.value, False
        elif t is Call:
            if (dotted(e.func) or "").rsplit(".", 1)[-1] in ("RunnableConfig", "dict"):
                for a in e.args:
                    if a.name == "configurable":
                        yield from self._in(a.value, scope, depth + 1)
                return
            values = self.names.resolve(e.func, scope)
            info = values[0].info if len(values) == 1 and isinstance(values[0], Fn) else None
            if info is None or info.name == "<lambda>":
                return
            inner = self.names.scope(info)
            for n in nodes_in(inner):
                for made, _ in self._in(n.value, inner, depth + 2) if type(n) is Return and n.value is not None else ():
                    param = self._param(made, inner)
                    given = argument(e, info.fn, param, _bound(info)) if param is not None else None
                    if given is not None:
                        yield given, True

    def _param(self, e: Any, scope: Scope) -> Any | None:
        """The parameter of a function that a name is, and nothing else."""
        found = self.names.lookup(e.id, scope) if type(e) is Name else None
        return found[0][0].node if found is not None and found[1] is scope and len(found[0]) == 1 and found[0][0].how == "param" else None

    def _answers(self, turn: Turn, call: Call, where: Scope, bound: bool) -> bool:
        """Whether a call of the function that runs the graph makes it resume."""
        if turn.resumes:
            return True
        param = self._param(turn.given, turn.scope)
        given = argument(call, turn.scope.owner.fn, param, bound) if param is not None else None
        return given is not None and self.project.turns.kinds(given, where) == {"resume"}

    def _by_client(self, e: Any, scope: Scope, turn: Turn) -> bool:
        """Whether it is what a request must name: a field without a default, a parameter without one, of an endpoint."""
        if not isinstance(scope.owner, FnInfo) or not self.configs.requests.handles(scope.owner) or self.configs.just_read(e, scope, turn):
            return False
        if type(e) is Name:
            return self._param(e, scope) is not None
        if type(e) is not Attr or type(e.value) is not Name or self._param(e.value, scope) is None:
            return False
        fields = [s for v in self.names.resolve(e.value, scope) if isinstance(v, Inst) for c in self.names.mro(v.info) if isinstance(c, ClassInfo)
                  for s in c.cls.body if type(s) is Assign and s.annotation is not None and type(s.targets[0]) is Name and s.targets[0].id == e.attr]
        return bool(fields) and all(s.value is None for s in fields)


def _bound(info: FnInfo) -> bool:
    return info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}


def _root(e: Any) -> str:
    while type(e) in (Sub, Attr):
        e = e.value
    return e.id if type(e) is Name else ""


__all__ = ["Checkpoints"]
