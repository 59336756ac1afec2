"""What a checkpoint is certain to refuse (TRUTH.md 10): functions, classes, plain objects, things that are open or only half computed.

The serializer is the same for all savers. It knows data by type and by a few methods (`catalogue.travel`); what it does not know raises TypeError when the pause
is saved. Fixers ask the opposite question (`fixes.keeping`: is it certain that this can be kept?), so what nobody can tell is refused there and silent here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.names import BUILTINS, STDLIB, ClassInfo, Cls, Ext, Fn, Inst, Lit, Mod, Scope, Value, Wrapped
from hitl_lint.analysis.payloads import Piece
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue import travel
from hitl_lint.facts import Attr, Await, Call, Comp, Const, Dict, Lambda, Name, Sub, dotted, text
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.cfg import Point
    from hitl_lint.analysis.project import Pausing, Project

CONFIGURABLE = "configurable"
VIEWS = {"keys": "the keys", "values": "the values", "items": "the items"}
RUN_CONFIG = frozenset({"langchain_core.runnables.RunnableConfig()", "langgraph.config.get_config()"})
USUAL = frozenset({"langgraph.checkpoint.serde.jsonplus.JsonPlusSerializer()"})
HARMLESS = frozenset({"staticmethod", "classmethod"})


@record
class Refused:
    """A piece of a payload that no checkpoint holds. `what` it is, in the words of a message; `instead`: what to show; `sure`: known, not only called so."""

    piece: Piece
    what: str
    instead: str
    sure: bool = True


class Savable:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names
        self._lenient: bool | None = None

    def refused(self, p: "Pausing", pause: "Point") -> Iterator[Refused]:
        """The pieces of what a pause shows that cannot be saved, each place once."""
        if self.lenient():
            return
        seen: set[int] = set()
        for piece in self.project.payloads.pieces(p, pause):
            if piece.spread or piece.text or id(piece.shown) in seen or piece.behind is not None and self._judge(piece.behind) is not None:
                continue
            found = self._judge(piece)
            if found is not None:
                seen.add(id(piece.shown))
                yield found

    def lenient(self) -> bool:
        """Whether the project saves with a serializer of its own, or with pickle, about which nothing is known."""
        if self._lenient is None:
            calls = [(c, scope) for name, sites in list(self.names.calls_by_name.items()) if name.endswith(("Saver", "Serializer", "from_conn_string")) for c, scope in sites]
            self._lenient = any(a.name == "pickle_fallback" and not _off(a.value) or a.name == "serde" and not self._usual(a.value, scope) for c, scope in calls for a in c.args)
        return self._lenient

    def _usual(self, serde: Any, scope: Scope) -> bool:
        """The serializer that is used without being asked for; what it may load again makes no difference."""
        values = self.names.resolve(serde, scope)
        return _off(serde) or bool(values) and all(isinstance(v, Ext) and v.path in USUAL for v in values)

    # ---- one piece
    def _judge(self, piece: Piece) -> Refused | None:
        e, scope = piece.value, piece.scope
        awaited = type(e) is Await
        e = e.value if awaited else e
        t = type(e)
        if t is Lambda:
            return Refused(piece, "a function", "its name, or what it says")
        if t is Comp and e.kind == "gen":
            return Refused(piece, "a generator", "a list: `[… for … in …]`")
        if t is Const and e.kind in ("complex", "ellipsis"):
            return Refused(piece, "a complex number" if e.kind == "complex" else "an ellipsis", "a value that JSON knows")
        if self._configurable(e, scope):
            return Refused(piece, f"the `{CONFIGURABLE}` of the run, which holds functions of LangGraph", "the keys that the human needs")
        if t is Call:
            return self._call(piece, e, scope, awaited)
        if t not in (Name, Attr, Sub) or awaited:
            return None
        # A parameter of a helper that asks is told where callers pass it, unless its annotation says it all.
        values = self._by_annotation(e, scope) or (() if piece.param else self.names.resolve(e, scope))
        # A part of an external thing is told by the path of the whole: `config["configurable"]["user"]`, an item of a cursor.
        held = t is not Sub and self._is_held(e, scope)
        return self._all(piece, tuple(v for v in values if not (isinstance(v, Lit) and type(v.expr) is Const and v.expr.kind == "none")), exact=held)

    def _configurable(self, e: Any, scope: Scope) -> bool:
        """`config["configurable"]`, `config.get("configurable", {})` of the run that pauses."""
        base = e.value if type(e) is Sub else e.func.value if type(e) is Call and type(e.func) is Attr and e.func.attr == "get" and e.args else None
        key = e.index if type(e) is Sub else e.args[0].value if base is not None else None
        return type(key) is Const and key.value == CONFIGURABLE and type(base) is Name and any(
            isinstance(v, Ext) and v.path in RUN_CONFIG for v in self._by_annotation(base, scope) or self.names.resolve(base, scope))

    def _by_annotation(self, e: Any, scope: Scope) -> tuple[Value, ...]:
        """What a parameter is by its annotation, where that is a class: what callers seem to pass may be awaited or unpacked on the way."""
        found = self.names.lookup(e.id, scope) if type(e) is Name else None
        if found is None or len(found[0]) != 1 or found[0][0].how != "param" or found[0][0].node.annotation is None:
            return ()
        return tuple(v for v in self.names.annotated(found[0][0].node.annotation, found[1].parent or found[1]) if isinstance(v, (Ext, Inst)))

    def _is_held(self, e: Any, scope: Scope) -> bool:
        """Whether a name stands for the very thing that its library path says: a parameter by its annotation, the target of a `with`, a module or what is in one."""
        if type(e) is Attr:
            while type(e) is Attr:
                e = e.value
            found = self.names.lookup(e.id, scope) if type(e) is Name else None
            return found is not None and all(b.how == "import" and self.names.own(b.node, found[1].module) is None for b in found[0])
        found = self.names.lookup(e.id, scope)
        if found is None:
            return True
        return all(b.how == "enter" or b.how == "import" and self.names.own(b.node, found[1].module) is None for b in found[0]) or bool(self._by_annotation(e, scope))

    def _all(self, piece: Piece, values: tuple[Value, ...], exact: bool) -> Refused | None:
        """What all of these values are, if each is refused."""
        found = [self._value(piece, v, exact) for v in values]
        return found[0] if found and all(found) else None

    def _value(self, piece: Piece, v: Value, exact: bool) -> Refused | None:
        if isinstance(v, Fn):
            return Refused(piece, f"the function {v.info.name}()" if v.info.name != "<lambda>" else "a function", "its name, or what it says")
        if isinstance(v, Wrapped):
            return Refused(piece, {"tool": "a tool", "runnable": "a runnable", "graph": "a graph"}.get(v.kind, "a method"), "its name")
        if isinstance(v, Cls):
            return Refused(piece, f"the class {v.info.cls.name}", "its name, or its `model_json_schema()`") if self._class_refused(v.info) else None
        if isinstance(v, Inst):
            return self._object(piece, v)
        if isinstance(v, Mod):
            return Refused(piece, "a module", "what you need of it") if v.info is not None else None
        if isinstance(v, Lit):
            return Refused(piece, "a generator", "a list: `[… for … in …]`") if type(v.expr) is Comp and v.expr.kind == "gen" else None
        if isinstance(v, Ext) and exact:
            if "." not in v.path and v.path in BUILTINS and v.path not in ("NotImplemented", "__debug__", "__name__", "__doc__", "__file__", "None", "True", "False", "copyright", "credits", "license"):
                return Refused(piece, f"the built-in {v.path}", "its name")
            if "." not in v.path and v.path in STDLIB:
                return Refused(piece, f"the module {v.path}", "what you need of it")
            what = travel.refused(v.path)
            return Refused(piece, what, _instead(what)) if what is not None else None
        return None

    # ---- calls
    def _call(self, piece: Piece, call: Call, scope: Scope, awaited: bool) -> Refused | None:
        if type(call.func) is Attr and call.func.attr in VIEWS and not call.args and not awaited:
            return self._view(piece, call, scope)
        found: list[Refused | None] = []
        for f in self.names.resolve(call.func, scope):
            if isinstance(f, Fn):
                found.append(self._made_by(piece, f, awaited))
            elif isinstance(f, Cls):
                found.append(self._object(piece, Inst(f.info, call, scope)))
            elif isinstance(f, Wrapped):
                found.append(None)
            else:
                whole = isinstance(f, Ext) and f.path in lg.PARTIAL
                found += [self._value(piece, v, exact=True) if isinstance(v, Ext) and v.path.endswith(")") or whole and isinstance(v, (Fn, Wrapped)) else None
                          for v in self.names.result(f, call, scope)] or [None]
        return found[0] if found and all(found) else None

    def _made_by(self, piece: Piece, f: Fn, awaited: bool) -> Refused | None:
        """What a call of a project function gives."""
        fn = f.info.fn
        if self.project.is_task(f.info):
            return None if awaited else Refused(piece, f"the future of the task {fn.name}()", f"its result: `{fn.name}(…).result()`")
        if any(dotted(d) not in HARMLESS for d in fn.decorators):
            return None
        if fn.is_generator:
            return None if awaited else Refused(piece, f"what the generator {fn.name}() gives", f"a list: `list({fn.name}(…))`")
        if fn.is_async and not awaited:
            return Refused(piece, f"a coroutine: {fn.name}() is async and nobody awaits it", f"its result: `await {fn.name}(…)`")
        values = self.names.returns(f.info)
        return self._all(piece, values, exact=False) if all(isinstance(v, (Fn, Cls, Inst, Wrapped)) for v in values) else None

    def _view(self, piece: Piece, call: Call, scope: Scope) -> Refused | None:
        """`rows.keys()`: a view of a dict, unless the receiver is known to be something else."""
        f = call.func
        assert type(f) is Attr
        sure = False
        for v in self.names.resolve(f.value, scope):
            if isinstance(v, Inst) and self.names.method(v.info, f.attr) is not None:
                return self._made_by(piece, Fn(self.names.method(v.info, f.attr), v), False)  # type: ignore[arg-type]
            if isinstance(v, Ext) and v.path.split(".")[0] in travel.LISTS_KEYS or isinstance(v, (Cls, Mod)):
                return None
            sure = sure or isinstance(v, Lit) and (type(v.expr) is Dict or type(v.expr) is Comp and v.expr.kind == "dict") or isinstance(v, Ext) and v.path.split("(")[0] in (
                "dict", "vars", "collections.Counter", "collections.defaultdict", "collections.OrderedDict")
        if any(isinstance(v, Cls) and any(isinstance(b, str) and b.endswith("Enum") for b in self.names.mro(v.info)) for v in self.names.resolve(f.value, scope)):
            return None
        shown = text(call, 40)
        return Refused(piece, f"a view of {VIEWS[f.attr]} of a dict", f"a list: `list({shown})`" if f.attr != "items" else f"a dict or a list: `dict({text(f.value, 30)})`", sure)

    # ---- classes
    def _object(self, piece: Piece, v: Inst) -> Refused | None:
        if not self._plain(v.info) or v.call is None and any(not self._plain(sub) for sub in self.names.subclasses(v.info)):
            return None
        return Refused(piece, f"an object of the class {v.info.cls.name}", f"the fields that the human needs, or make {v.info.cls.name} a dataclass or pydantic model")

    def _class_refused(self, info: ClassInfo) -> bool:
        """The serializer takes a dataclass for one of its objects, which works where every field has a default; what a metaclass adds is not known."""
        return not any(a.name is not None for a in info.cls.bases) and not any(
            isinstance(v, Ext) and v.path in travel.DATA_DECORATORS for c in self.names.mro(info) if isinstance(c, ClassInfo) for v in self._decorators(c)) and not any(
            isinstance(c, ClassInfo) and any(a.name == "metaclass" for a in c.cls.bases) for c in self.names.mro(info))

    def _decorators(self, c: ClassInfo) -> Iterator[Value]:
        for d in c.cls.decorators:
            yield from self.names.resolve(d.func if type(d) is Call else d, c.parent)

    def _plain(self, info: ClassInfo) -> bool:
        """Whether it is certain that the serializer knows nothing about objects of a class."""
        for c in self.names.mro(info):
            if isinstance(c, str):
                if c not in travel.PLAIN_BASES:
                    return False
                continue
            for a in c.cls.bases:
                base = a.value.value if type(a.value) is Sub else a.value
                if a.star or a.name is not None and not (a.name == "metaclass" and (dotted(a.value) or "").rpartition(".")[2] == "ABCMeta"):
                    return False
                if a.name is None and not self.names.resolve(base, c.parent):
                    return False
            for d in c.cls.decorators:
                made = self.names.resolve(d.func if type(d) is Call else d, c.parent)
                if not made or not all(isinstance(v, Ext) and v.path.removesuffix("()") in travel.PLAIN_DECORATORS for v in made):
                    return False
            if c.scope is None or c.scope.bindings.keys() & travel.SAVES_ITSELF or any(
                    name.rpartition(".")[2] in travel.SAVES_ITSELF for b in c.scope.bindings.values() for x in b if x.how == "def" for name, _, _ in self.names.scope(x.node).attrs):
                return False
        return True


def _off(e: Any) -> bool:
    return type(e) is Const and e.kind in ("none", "bool") and not e.value


def _instead(what: str) -> str:
    return {"an iterator": "a list: `list(…)`", "a response object": "its `.json()` or its status", "a file object": "its name, or its contents",
            "a match object": "its `.group()`", "a DataFrame": "its rows: `df.to_dict(\"records\")`",
            "the config of the run, which holds functions of LangGraph": "the keys that the human needs",
            "the runtime of the run": "the values that the human needs"}.get(what, "the plain values that the human needs")


__all__ = ["Refused", "Savable"]
