"""What the project itself sends as an answer: whether a part of it can only be one of some words, because the model of a request says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable

from hitl_lint.analysis.names import Cls, ClassInfo, FnInfo, Inst, Scope, argument, is_test
from hitl_lint.facts import Assign, Attr, Await, Bin, BoolOp, Call, Const, Dict, IfExp, Name, Param, Seq, Sub, dotted

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

MAX_STEPS = 8  # names, calls and fields between a `Command` and the model of the request
VALIDATING = ("BaseModel", "RootModel", "SQLModel")
Words = frozenset[str]
CHECKED = "<checked>"  # among the words: some of them come from an annotation that is enforced


class Producers:
    def __init__(self, project: "Project") -> None:
        self.project = project

    def words(self, path: tuple[str, ...]) -> Words | None:
        """The words that a part of an answer can be in whatever the project resumes with; None where it can be another. Tests send what they
        like, and a constant in a script is an example: something must check what comes in."""
        out: Words = frozenset()
        for sent in self.project.resumes.commands():
            if sent.resume is None or is_test(sent.scope.module.path):
                continue
            found = self._words(sent.resume, sent.scope, path, 0)
            if found is None:
                return None
            out |= found
        return out - {CHECKED} if CHECKED in out else None

    def always(self, path: tuple[str, ...]) -> bool:
        """Whether a part of an answer is there whatever the project resumes with, as far as that is seen: a dict with the key, a model with the
        field. Tests send what they like."""
        sent = [c for c in self.project.resumes.commands() if c.resume is not None and not is_test(c.scope.module.path)]
        return bool(sent) and bool(path) and all(self._holds(c.resume, c.scope, path, 0) for c in sent)

    def _holds(self, e: Any, scope: Scope, path: tuple[str, ...], depth: int) -> bool:
        t = type(e)
        if depth > MAX_STEPS:
            return False
        if not path:
            return not (t is Const and e.kind == "none")
        if t is Await:
            return self._holds(e.value, scope, path, depth + 1)
        if t is IfExp:
            return all(self._holds(x, scope, path, depth + 1) for x in (e.body, e.orelse))
        if t is Dict:
            values = [v for k, v in zip(e.keys, e.values) if type(k) is Const and k.value == path[0]]
            return bool(values) and self._holds(values[-1], scope, path[1:], depth + 1)
        if t is Call and type(e.func) is Attr and e.func.attr in ("model_dump", "dict") and len(path) == 1:
            return self._required(e.func.value, scope, path[0])
        if t is Name:
            found = self.project.names.lookup(e.id, scope)
            if found is None or not found[0] or found[1].kind != "function" or len(found[0]) > 3:
                return False
            for b in found[0]:
                if b.how == "value" and self._holds(b.node, found[1], path, depth + 1):
                    continue
                info = found[1].owner
                if b.how != "param" or info.fn.decorators:
                    return False
                bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
                given = [(argument(c, info.fn, b.node, bound), s) for c, s in self.project.resumes.callers(info) if not is_test(s.module.path)]
                if not given or not all(g is not None and self._holds(g, s, path, depth + 2) for g, s in given):
                    return False
            return True
        return False

    def _required(self, e: Any, scope: Scope, name: str) -> bool:
        """A field of a request model that has no default."""
        values = [v for v in self.project.names.resolve(e, scope) if isinstance(v, Inst)]
        return bool(values) and all(
            any(isinstance(b, str) and b.rsplit(".", 1)[-1] in VALIDATING for b in self.project.names.mro(v.info))
            and any(type(s) is Assign and s.annotation is not None and (s.value is None or _no_default(s.value)) and type(s.targets[0]) is Name and s.targets[0].id == name
                    for c in self.project.names.mro(v.info) if isinstance(c, ClassInfo) for s in c.cls.body) for v in values)

    def _words(self, e: Any, scope: Scope, path: tuple[str, ...], depth: int) -> Words | None:
        t = type(e)
        if depth > MAX_STEPS:
            return None
        if t is Await:
            return self._words(e.value, scope, path, depth + 1)
        if t is Const:
            return frozenset({str(e.value)}) if not path and e.kind in ("str", "bool") else None
        if t is IfExp:
            return _all(self._words(x, scope, path, depth + 1) for x in (e.body, e.orelse))
        if t is BoolOp and e.op == "or":
            return _all(self._words(x, scope, path, depth + 1) for x in e.values)
        if t is Dict:
            values = [v for k, v in zip(e.keys, e.values) if type(k) is Const and k.value == path[0]] if path and None not in e.keys else []
            return self._words(values[-1], scope, path[1:], depth + 1) if values else None
        if t is Name:
            return self._name(e, scope, path, depth)
        if t is Attr:
            return self._words(e.value, scope, path, depth + 1) if e.attr == "value" else self._field(e.value, scope, e.attr) if not path else None
        if t is Call and type(e.func) is Attr and e.func.attr in ("model_dump", "dict") and len(path) == 1:
            return self._field(e.func.value, scope, path[0])
        return None

    def _name(self, e: Name, scope: Scope, path: tuple[str, ...], depth: int) -> Words | None:
        found = self.project.names.lookup(e.id, scope)
        if found is None or not found[0] or found[1].kind != "function" or len(found[0]) > 3:
            return None
        return _all(self._words(b.node, found[1], path, depth + 1) if b.how == "value" else self._passed(found[1].owner, b.node, path, depth)
                    if b.how == "param" else None for b in found[0])

    def _passed(self, info: FnInfo, param: Param, path: tuple[str, ...], depth: int) -> Words | None:
        """What callers pass for a parameter. What an endpoint gets is checked against its annotation."""
        if info.fn.decorators:
            return self._annotated(param.annotation, info.parent) if not path else None
        bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
        callers = self.project.resumes.callers(info)
        given = [(argument(c, info.fn, param, bound), s) for c, s in callers]
        return _all(None if g is None else self._words(g, s, path, depth + 2) for g, s in given) if given else None

    def _field(self, e: Any, scope: Scope, name: str) -> Words | None:
        """A field of a request model."""
        names = self.project.names
        values = [v for v in names.resolve(e, scope) if isinstance(v, Inst)]
        out: list[Words | None] = []
        for v in values:
            mro = list(names.mro(v.info))
            if not any(isinstance(b, str) and b.rsplit(".", 1)[-1] in VALIDATING for b in mro):
                return None
            fields = [(s.annotation, c) for c in mro if isinstance(c, ClassInfo) for s in c.cls.body
                      if type(s) is Assign and s.annotation is not None and type(s.targets[0]) is Name and s.targets[0].id == name]
            out.append(self._annotated(fields[0][0], fields[0][1].scope or fields[0][1].parent) if fields else None)
        return _all(out) if out else None

    def _annotated(self, annotation: Any, scope: Scope) -> Words | None:
        """The words of `Literal["approve", "reject"]`, of an Enum, of a union of such; None adds none."""
        t = type(annotation)
        if t is Const and annotation.kind == "none":
            return frozenset()
        if t is Bin and annotation.op == "|":
            return _all(self._annotated(x, scope) for x in (annotation.left, annotation.right))
        if t is Sub:
            base = (dotted(annotation.value) or "").rsplit(".", 1)[-1]
            parts = annotation.index.elts if type(annotation.index) is Seq else [annotation.index]
            if base == "Literal":
                return frozenset({CHECKED, *(str(x.value) for x in parts)}) if all(type(x) is Const for x in parts) else None
            if base in ("Optional", "Union"):
                return _all(self._annotated(x, scope) for x in parts)
            return self._annotated(parts[0], scope) if base == "Annotated" else None
        found: list[Words | None] = []
        for v in self.project.names.resolve(annotation, scope) if t in (Name, Attr) else ():
            enum = isinstance(v, Cls) and any(isinstance(b, str) and b.rsplit(".", 1)[-1] in ("Enum", "StrEnum") for b in self.project.names.mro(v.info))
            found.append(frozenset({CHECKED, *(str(s.value.value) for s in v.info.cls.body if type(s) is Assign and type(s.value) is Const)}) if enum else None)
        return _all(found) if found else None


def _no_default(value: Any) -> bool:
    """`Field(...)`, `Field(..., description=…)`, `Field(description=…)`."""
    if type(value) is not Call or (dotted(value.func) or "").rsplit(".", 1)[-1] != "Field":
        return False
    first = next((a.value for a in value.args if a.name in (None, "default")), None)
    return not any(a.name == "default_factory" for a in value.args) and (first is None or type(first) is Const and first.kind == "ellipsis")


def _all(found: Iterable[Words | None]) -> Words | None:
    out: Words = frozenset()
    for one in found:
        if one is None:
            return None
        out |= one
    return out


__all__ = ["Producers"]
