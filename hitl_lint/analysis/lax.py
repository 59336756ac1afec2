"""Booleans in the schema of an answer that let words through: "yes", "on" and 1 become True (TRUTH.md 6).

pydantic converts unless it is told to be strict: by the type (`StrictBool`), by the field, by the class. A Union with `str` keeps the word as it is.
"""

from __future__ import annotations

import re

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.cfg import Point
from hitl_lint.analysis.names import ClassInfo, Cls, Ext, Lit, Scope
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import Assign, Bin, Call, ClassStmt, Const, Def, Dict, Name, Seq, Sub, dotted
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

MAX_DEPTH = 6
STRINGS = re.compile(r"\s*(?:(?:\w+\.)?Optional\[\s*bool\s*\]|bool(?:\s*\|\s*None)?|None\s*\|\s*bool)\s*")  # what an annotation in quotes can be
WRAPPERS = frozenset({"Optional", "Union", "Required", "NotRequired", "ReadOnly", "Final", "list", "List", "Sequence", "dict", "Dict", "Mapping", "tuple", "Tuple", "set", "Set"})
SCHEMA_BASES = frozenset({"BaseModel", "RootModel", "TypedDict", "NamedTuple", "SQLModel"})
# What can stand beside a bool in a Union without taking the word "yes" as it is.
BESIDE = frozenset({"None", "NoneType", "bool", "int", "float", "datetime", "date", "UUID", "Decimal"})


@record
class Lax:
    """A bool that takes words. `spots` are the names `bool` in its annotation (another name for it, or the annotation in quotes), `at` what is reported; `field` and `cls` are None where the schema itself is one."""

    pause: Point
    spots: tuple[Any, ...]
    node: Any
    scope: Scope
    field: str = ""
    cls: ClassInfo | None = None


class LaxBools:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names

    def found(self, p: "Pausing") -> Iterator[Lax]:
        """The lax booleans in the schemas of the pauses that stand in a function itself."""
        for pause in p.pauses:
            j = p.judged[pause.id]
            schema = next((a.value for a in pause.node.args if a.name == "response_schema"), None)
            if schema is None or j.targets or not any(x in lg.INTERRUPT for x in j.paths):
                continue
            spots, classes = self._read(schema, p.scope, 0)
            if spots:
                yield Lax(pause, spots, schema, p.scope)
            yield from self._fields(classes, pause)

    def _fields(self, classes: list[ClassInfo], pause: Point) -> Iterator[Lax]:
        work, seen = list(classes), set()
        while work and len(seen) < 40:
            cls = work.pop(0)
            if id(cls) in seen:
                continue
            seen.add(id(cls))
            line = [c for c in self.names.mro(cls) if isinstance(c, ClassInfo)]
            if not self._converts(cls, line):
                continue
            own: set[str] = set()
            for c in line:
                for stmt in c.cls.body:
                    if type(stmt) is not Assign or stmt.annotation is None or type(stmt.targets[0]) is not Name or stmt.targets[0].id in own:
                        continue
                    name = stmt.targets[0].id
                    own.add(name)
                    spots, inner = self._read(stmt.annotation, c.scope or c.parent, 0)
                    work += inner
                    if spots and not self._not_read(stmt, line) and not self._strict_value(stmt.value) and not self._checked_before(name, line):
                        yield Lax(pause, spots, stmt, c.scope or c.parent, name, c)

    def _not_read(self, stmt: Assign, line: list[ClassInfo]) -> bool:
        """Whether a field never comes from the answer: a private one of a model, one of a dataclass that its constructor does not take."""
        out = type(stmt.value) is Call and any(a.name == "init" and type(a.value) is Const and a.value.value is False for a in stmt.value.args)
        model = any(isinstance(c, str) and c.rpartition(".")[2] in ("BaseModel", "RootModel", "SQLModel") for c in self.names.mro(line[0]))
        return out or model and type(stmt.targets[0]) is Name and stmt.targets[0].id.startswith("_")

    # ---- annotations
    def _read(self, e: Any, scope: Scope, depth: int) -> tuple[tuple[Any, ...], list[ClassInfo]]:
        """The lax `bool`s in an annotation, and the classes named there."""
        t = type(e)
        if depth > MAX_DEPTH:
            return (), []
        if t is Bin and e.op == "|":
            return self._union([e.left, e.right], scope, depth)
        if t is Sub:
            base = (dotted(e.value) or "").rpartition(".")[2]
            parts = e.index.elts if type(e.index) is Seq else [e.index]
            if base in ("Optional", "Union"):
                return self._union(parts, scope, depth)
            if base == "Annotated":
                return ((), []) if any(self._strict_mark(x) for x in parts[1:]) else self._read(parts[0], scope, depth + 1)
            if base in WRAPPERS:
                found = [self._read(x, scope, depth + 1) for x in parts]
                return tuple(s for f in found for s in f[0]), [c for f in found for c in f[1]]
            return (), []
        if t is Name and self._bool(e, scope) or t is Const and e.kind == "str" and STRINGS.fullmatch(e.value) is not None:
            return (e,), []
        classes: list[ClassInfo] = []
        for v in self.names.resolve(e, scope):
            if isinstance(v, Cls):
                classes.append(v.info)
            elif isinstance(v, Lit) and v.expr is not e and type(v.expr) in (Sub, Bin):
                found2 = self._read(v.expr, v.scope, depth + 1)
                classes += found2[1]
        return (), classes

    def _bool(self, e: Name, scope: Scope) -> bool:
        """`bool`, or another name for it."""
        values = self.names.resolve(e, scope)
        return all(isinstance(v, Ext) for v in values) and (e.id == "bool" or len(values) == 1 and isinstance(values[0], Ext) and values[0].path == "bool")

    def _union(self, parts: list[Any], scope: Scope, depth: int) -> tuple[tuple[Any, ...], list[ClassInfo]]:
        found = [self._read(x, scope, depth + 1) for x in parts]
        keeps = any(not f[0] and not f[1] and (x.value is not None if type(x) is Const else (dotted(x) or "?").rpartition(".")[2] not in BESIDE) for x, f in zip(parts, found))
        return () if keeps else tuple(s for f in found for s in f[0]), [c for f in found for c in f[1]]

    # ---- what makes it strict
    def _strict_mark(self, e: Any) -> bool:
        """`Strict()`, `Field(strict=True)`, a validator that sees the answer first: something in `Annotated[bool, …]` that may be strict."""
        name = (dotted(e.func if type(e) is Call else e) or "").rpartition(".")[2]
        return name in ("Strict", "BeforeValidator", "WrapValidator", "PlainValidator") or self._strict_value(e)

    @staticmethod
    def _strict_value(e: Any) -> bool:
        return type(e) is Call and any(a.name == "strict" and not (type(a.value) is Const and a.value.value is False) or a.star == 2 for a in e.args)

    def _converts(self, cls: ClassInfo, line: list[ClassInfo]) -> bool:
        """Whether the class is one that pydantic reads an answer into, and nothing says that it is strict or reads the answer by itself."""
        data = any(isinstance(c, str) and c.rpartition(".")[2] in SCHEMA_BASES for c in self.names.mro(cls))
        for c in line:
            for d in c.cls.decorators:
                name = (dotted(d.func if type(d) is Call else d) or "").rpartition(".")[2]
                data = data or name == "dataclass"
                if type(d) is Call and any(_strict(a.value) or a.name == "strict" for a in d.args):
                    return False
            if any(a.name == "strict" for a in c.cls.bases):
                return False
            for stmt in c.cls.body:
                if type(stmt) is Assign and type(stmt.targets[0]) is Name and stmt.targets[0].id in ("model_config", "__pydantic_config__") and not self._lax_config(stmt.value, c):
                    return False
                if type(stmt) is ClassStmt and stmt.cls.name == "Config" and any(type(s) is Assign and type(s.targets[0]) is Name and s.targets[0].id == "strict" for s in stmt.cls.body):
                    return False
                if type(stmt) is Def and (stmt.fn.name in ("__get_pydantic_core_schema__", "__get_validators__") or any(
                        (dotted(d.func if type(d) is Call else d) or "").rpartition(".")[2] in ("model_validator", "root_validator") and _before(d) for d in stmt.fn.decorators)):
                    return False
        return data

    def _lax_config(self, e: Any, c: ClassInfo) -> bool:
        """A configuration that can be read and does not say strict."""
        if type(e) in (Call, Dict):
            return not _strict(e)
        values = self.names.resolve(e, c.parent)
        return bool(values) and all(isinstance(v, Lit) and type(v.expr) is Dict and not _strict(v.expr) or isinstance(v, Ext) and v.origin is not None and not _strict(v.origin)
                                    for v in values)

    def _checked_before(self, name: str, line: list[ClassInfo]) -> bool:
        """A validator of the field that sees what was sent, before it is converted."""
        for c in line:
            for stmt in c.cls.body:
                for d in stmt.fn.decorators if type(stmt) is Def else ():
                    if type(d) is Call and (dotted(d.func) or "").rpartition(".")[2] in ("field_validator", "validator") and _before(d) and any(
                            type(a.value) is Const and a.value.value in (name, "*") for a in d.args):
                        return True
        return False


def _before(d: Any) -> bool:
    return type(d) is Call and any(a.name == "mode" and not (type(a.value) is Const and a.value.value == "after") or a.name == "pre" for a in d.args)


def _strict(e: Any) -> bool:
    """Whether a configuration names `strict`, whatever it says (`strict=False` aside), or takes keys from elsewhere."""
    if type(e) is Call:
        return any(a.name == "strict" and not (type(a.value) is Const and a.value.value is False) or a.star == 2 for a in e.args)
    return type(e) is Dict and any(k is None or type(k) is Const and k.value == "strict" and not (type(v) is Const and v.value is False) for k, v in zip(e.keys, e.values))


__all__ = ["Lax", "LaxBools"]
