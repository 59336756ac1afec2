"""Credentials, and whole objects that hold some, among what a pause shows (TRUTH.md 10: it stays in the checkpoint after the run has ended)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.names import ClassInfo, Ext, FnInfo, Inst, Scope
from hitl_lint.analysis.payloads import Piece
from hitl_lint.analysis.wiring import argument_of
from hitl_lint.catalogue.secrets import credential, disarms, environment
from hitl_lint.facts import Assign, Attr, Await, Bin, BoolOp, Call, Cmp, Const, FStr, IfExp, Name, Slice, Sub, Un, dotted, text
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.cfg import Point
    from hitl_lint.analysis.project import Pausing, Project

MAX_DEPTH = 6
KEEPS = frozenset({"strip", "encode", "decode", "lower", "upper", "get_secret_value", "removeprefix", "removesuffix", "copy"})
WHOLE = frozenset({"model_dump", "dict", "copy", "model_copy", "to_dict", "as_dict", "asdict"})
READS_ENVIRONMENT = frozenset({"os.getenv", "os.environ.get", "os.environ.pop"})
GIVES_ONE = frozenset({"getpass.getpass", "keyring.get_password"})


@record
class Secret:
    """Something in a payload that the one who answers should not see. `kind`: "value" (a credential), "holder" (an object with the field `field`), "state" (all of the
    state, of which nothing is known or nothing secret) or "environment"."""

    kind: str
    piece: Piece
    field: str = ""


class Secrets:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names

    def shown(self, p: "Pausing", pause: "Point") -> Iterator[Secret]:
        """Each place once."""
        seen: set[int] = set()
        for piece in self.project.payloads.pieces(p, pause):
            found = self._judge(piece) if id(piece.shown) not in seen else None
            if found is not None:
                seen.add(id(piece.shown))
                yield found

    def _judge(self, piece: Piece) -> Secret | None:
        if self._whole_environment(piece):
            return Secret("environment", piece)
        if piece.text and self._masks_itself(piece):
            return None
        if not piece.spread and self._credential(piece):
            return Secret("value", piece)
        return self._holder(piece)

    # ---- a credential
    def _credential(self, piece: Piece) -> bool:
        e = piece.value
        if type(e) is Const or self._harmless(e):
            return False
        if self._named(e, piece.scope, 0) or any(credential(name) for name in piece.names):
            return True
        among = next((k for k in reversed(piece.keys[:-1]) if k != "*"), "")
        return bool(piece.keys) and piece.keys[-1] != "*" and credential(piece.keys[-1], among) and self._dynamic(e) and not (piece.text and self._harmless(piece.shown))

    def _harmless(self, e: Any) -> bool:
        """What is made of a credential and is none: a test, a length, a mask, a part."""
        t = type(e)
        if t is Await:
            return self._harmless(e.value)
        if t is Call:
            name = dotted(e.func) or (e.func.attr if type(e.func) is Attr else "")
            if name.rpartition(".")[2] == "replace" and e.args and type(e.args[0].value) is not Const:
                return True
            return disarms(name.rpartition(".")[2])
        if t is Bin:
            return any(self._harmless(x) for x in (e.left, e.right))
        if t is FStr:
            return any(self._harmless(x) for x in e.parts)
        return t in (Cmp, Un) or t is Sub and type(e.index) is Slice

    def _named(self, e: Any, scope: Scope, depth: int) -> bool:
        """Whether an expression gives what is called a credential."""
        t = type(e)
        if depth > MAX_DEPTH:
            return False
        if t is Name:
            return credential(e.id)
        if t is Attr:
            return credential(e.attr, _last(e.value))
        if t is Sub:
            if type(e.index) is not Const or e.index.kind != "str":
                return False
            if self._is(e.value, scope, "streamlit.secrets"):
                return True
            return environment(e.index.value) if self._is(e.value, scope, "os.environ") else credential(e.index.value, _last(e.value))
        if t is Await:
            return self._named(e.value, scope, depth + 1)
        if t is FStr:
            return any(self._named(x, scope, depth + 1) for x in e.parts)
        if t is Bin:
            return any(self._named(x, scope, depth + 1) for x in (e.left, e.right))
        if t in (IfExp, BoolOp):
            return any(self._named(x, scope, depth + 1) for x in ((e.body, e.orelse) if t is IfExp else e.values))
        return t is Call and self._call(e, scope, depth)

    def _call(self, e: Call, scope: Scope, depth: int) -> bool:
        first = e.args[0].value if e.args else None
        if any(isinstance(v, Ext) and v.path in READS_ENVIRONMENT for v in self.names.resolve(e.func, scope)):
            return type(first) is Const and first.kind == "str" and environment(first.value)
        if any(isinstance(v, Ext) and v.path in GIVES_ONE for v in self.names.resolve(e.func, scope)):
            return True
        if type(e.func) is Name and e.func.id in ("str", "repr") and first is not None:
            return self._named(first, scope, depth + 1)
        if type(e.func) is Attr:
            if e.func.attr == "get_secret_value":
                return True
            if e.func.attr in ("get", "pop") and type(first) is Const and first.kind == "str":
                return credential(first.value, _last(e.func.value))
            if e.func.attr in KEEPS:
                return self._named(e.func.value, scope, depth + 1)
        return False

    def _dynamic(self, e: Any) -> bool:
        """Something that is only known at run time, and may be what its key says."""
        t = type(e)
        if t is FStr:
            return any(type(x) is not Const for x in e.parts)
        if t is Bin:
            return any(self._dynamic(x) for x in (e.left, e.right))
        return t in (Name, Attr, Sub, Await) or t is Call and (dotted(e.func) or "").rpartition(".")[2] not in ("dict", "list", "bool", "Field", "field")

    def _is(self, e: Any, scope: Scope, path: str) -> bool:
        return any(isinstance(v, Ext) and v.path == path for v in self.names.resolve(e, scope))

    def _whole_environment(self, piece: Piece) -> bool:
        e, keys = piece.value, piece.spread == "items"
        if type(e) is Call and type(e.func) is Attr and e.func.attr in ("copy", "items", "values"):
            e, keys = e.func.value, False
        if keys or type(e) not in (Name, Attr) or not self._is(e, piece.scope, "os.environ"):
            return False
        # An item of it is told by the path of the whole: `PLAN = os.environ["PLAN"]` of another module.
        found = self.names.lookup(e.id, piece.scope) if type(e) is Name else None
        return e.attr == "environ" if type(e) is Attr else found is not None and all(b.how == "import" and self.names.own(b.node, found[1].module) is None for b in found[0])

    def _masks_itself(self, piece: Piece) -> bool:
        """A `SecretStr` in a text is asterisks."""
        e = piece.value
        for v in self.names.resolve(e.value, piece.scope) if type(e) is Attr else ():
            if isinstance(v, Inst) and any(type(s) is Assign and s.annotation is not None and type(s.targets[0]) is Name and s.targets[0].id == e.attr and "Secret" in text(s.annotation, 80)
                                           for c in self.names.mro(v.info) if isinstance(c, ClassInfo) for s in c.cls.body):
                return True
        return any(isinstance(v, Ext) and v.path.startswith("pydantic.") and v.path.endswith(("SecretStr()", "SecretBytes()")) for v in self.names.resolve(e, piece.scope)) if type(e) in (
            Name, Call) else False

    # ---- an object that holds one
    def _holder(self, piece: Piece) -> Secret | None:
        e = piece.value
        if type(e) is Call:
            if any(a.name in ("exclude", "include") for a in e.args):
                return None
            if type(e.func) is Attr and e.func.attr in WHOLE:
                e = e.func.value
            elif (dotted(e.func) or "").rpartition(".")[2] in ("asdict", "vars") and e.args:
                e = e.args[0].value
        elif type(e) is Attr and e.attr == "__dict__":
            e = e.value
        if type(e) not in (Name, Attr, Sub) or piece.spread == "items":
            return None
        values = self.names.resolve(e, piece.scope)
        holders = [v for v in values if isinstance(v, Inst)]
        for v in holders:
            field = self._field(v.info)
            if field and (not piece.text or e is not piece.value or self._writes_fields(v.info)):
                return Secret("holder", piece, field)
        return Secret("state", piece) if type(e) is Name and self._is_state(e, piece.scope) else None

    def _field(self, info: ClassInfo) -> str:
        """The first field of a class that is a credential and is dumped with the rest."""
        for c in self.names.mro(info):
            if isinstance(c, str):
                continue
            for s in c.cls.body:
                if type(s) is Assign and s.annotation is not None and type(s.targets[0]) is Name and credential(s.targets[0].id):
                    shown = text(s.annotation, 60)
                    hidden = type(s.value) is Call and any(type(a.value) is Const and (a.name == "exclude" and a.value.value is True or a.name == "repr" and a.value.value is False)
                                                           for a in s.value.args)
                    if "bool" not in shown and "ClassVar" not in shown and not hidden:
                        return s.targets[0].id
        return ""

    def _writes_fields(self, info: ClassInfo) -> bool:
        """Whether the text of an object shows its fields: that of a data class does, that of others is what they say."""
        return self.project.payloads.fields(info) is not None and not any(self.names.method(info, name) is not None for name in ("__str__", "__repr__", "__format__", "__repr_args__"))

    def _is_state(self, e: Name, scope: Scope) -> bool:
        """The first parameter of a node: all of the state."""
        owner = scope.owner
        if not isinstance(owner, FnInfo) or len(scope.bindings.get(e.id, ())) != 1:
            return False
        params = [a for a in owner.fn.params if a.name not in ("self", "cls")]
        if not params or params[0].name != e.id or params[0].kind not in ("any", "pos"):
            return False
        # A worker that `Send` starts gets one item, an entrypoint its input: neither is called state, nor has it the type of the state.
        kind = (dotted(params[0].annotation) or "").rpartition(".")[2]
        for builder, _ in self.project.onward.places(owner):
            schema = argument_of(builder.graph.origin, 0, "state_schema") if builder.graph.kind == "state" and builder.graph.origin is not None else None
            if builder.graph.kind == "state" and (e.id.lower().endswith("state") or kind and schema is not None and (dotted(schema) or "").rpartition(".")[2] == kind):
                return True
        return False


def _last(e: Any) -> str:
    """The nearest name of what something is an attribute or item of."""
    if type(e) is Name:
        return e.id
    if type(e) is Attr:
        return e.attr
    if type(e) is Sub and type(e.index) is Const and e.index.kind == "str":
        return e.index.value
    if type(e) is Call and type(e.func) is Attr:
        return e.func.attr if e.func.attr != "get" else next((a.value.value for a in e.args if type(a.value) is Const and a.value.kind == "str"), "")
    return ""


__all__ = ["Secret", "Secrets"]
