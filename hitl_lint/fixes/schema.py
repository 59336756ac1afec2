"""The schema of a graph's state: which class it is, how a node reads a key of it, and how a key is added to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hitl_lint.analysis.names import ClassInfo, Cls, Ext, Fn, FnInfo, Scope
from hitl_lint.analysis.wiring import argument_of
from hitl_lint.facts import Assign, Await, Bin, BoolOp, Call, Cmp, Comp, Const, Dict, FStr, IfExp, Name, Seq, Sub, Un, dotted
from hitl_lint.finding import Edit
from hitl_lint.fixes import blocks
from hitl_lint.fixes.desk import Desk, Refused
from hitl_lint.fixes.imports import Imports

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project
    from hitl_lint.fixes.rewire import Place

_TYPED = frozenset({"TypedDict", "MessagesState", "AgentState"})
_BUILT_IN = frozenset({"str", "int", "float", "bool", "bytes", "list", "dict", "set", "tuple"})


class Schema:
    """The class that the keys of `info`'s node come from: that of its annotation, else that of the builder. `kind`: "keys" (TypedDict), "fields"
    (dataclass, pydantic) or "messages" (the library's own MessagesState, of which a subclass has to be made)."""

    def __init__(self, desk: Desk, info: FnInfo, place: "Place", state: str) -> None:
        self.desk = desk
        self.project = desk.project
        self.info = info
        self.place = place
        self.state = state
        self.cls: ClassInfo | None = None
        self.base: str = ""
        param = next(p for p in info.fn.params if p.name == state)
        self._annotation = param.annotation
        given = argument_of(place.graph.origin, 0, "state_schema") if place.graph.origin is not None else None
        own = place.node.keywords.get("input_schema")  # what is registered goes before what is annotated
        mine = self._classes(own, place.node.scope) if own is not None else self._classes(param.annotation, info.parent) if param.annotation is not None else []
        if own is not None and not mine:
            raise Refused("the input_schema of the node is not in sight: split it by hand, with new keys there")
        theirs = self._classes(given, place.graph.scope) if given is not None else []
        found = mine or theirs
        if not found:
            plain = given is not None and dotted(given) == "dict"
            raise Refused(f"the graph's state is {'a plain dict, which holds one value and no keys' if plain else 'a class that is not in sight'}: split the node by "
                          "hand, with new keys in the state")
        self.given = given
        one = found[0]
        if isinstance(one, ClassInfo):
            self.cls = one
            self.kind = self._kind(one)
            self.path = one.module.path
            if self.kind == "fields" and any(c is one for m in list(self.project.names.modules.values()) for o in m.classes if o is not one for c in self.project.names.mro(o)):
                raise Refused(f"other classes are made from {one.cls.name}, whose fields would stand behind the new ones: split the node by hand")
            if is_one_line(one):
                raise Refused(f"{one.cls.name} is written on one line: put its keys on lines of their own, then the node can be split")
        else:
            self.base = one
            self.kind = "messages"
            self.path = info.module.path
            if given is None or place.graph.scope.module is not info.module or len(self.project.graphs.all()) != 1:
                raise Refused("the graph's state is the library's MessagesState: make a subclass of it with the new keys, then split the node by hand")

    def _classes(self, expr: Any, scope: Scope) -> list[ClassInfo | str]:
        out: list[ClassInfo | str] = []
        if type(expr) is Const and expr.kind == "str":
            expr = Name(expr.at, expr.value)
        for v in self.project.names.resolve(expr, scope):
            if isinstance(v, Cls):
                out.append(v.info)
            elif isinstance(v, Ext) and v.path.rsplit(".", 1)[-1] == "MessagesState":
                out.append(v.path)
        return out

    def _kind(self, cls: ClassInfo) -> str:
        for b in self.project.names.mro(cls):
            last = b.rsplit(".", 1)[-1] if isinstance(b, str) else ""
            if last in _TYPED:
                return "keys"
            if last == "BaseModel":
                return "fields"
        if any((dotted(d.func if type(d) is Call else d) or "").rsplit(".", 1)[-1] == "dataclass" for d in cls.cls.decorators):
            return "fields"
        raise Refused(f"{cls.cls.name} is no TypedDict, dataclass or pydantic model: split the node by hand, with new keys in the state")

    # ---- reading
    def read(self, name: str, key: str, copied: str = "") -> str:
        """`copied`: the built-in container that is made of it, since what grows it must not grow the state's own."""
        value = f"{self.state}.{key}" if self.kind == "fields" else f'{self.state}["{key}"]'
        return f"{name} = {copied}({value})" if copied else f"{name} = {value}"

    def guard(self, needed: bool) -> list[str]:
        """Lines in front of the reads. A missing field has its default, so that it takes a question to fail loudly."""
        if not needed or self.kind != "fields":
            return []
        return [f"if not {self.state}.{self._ready()}:",
                f'    raise RuntimeError("this thread was paused before {self.info.fn.name}() was split: ask again on a new thread")']

    def _ready(self) -> str:
        return f"{self.info.fn.name.strip('_')}_prepared"

    def marker(self, needed: bool) -> dict[str, str]:
        """What the part before the pause returns besides the values: key -> value as text."""
        return {self._ready(): "True"} if needed and self.kind == "fields" else {}

    # ---- adding
    def edits(self, keys: dict[str, str], imports: Imports) -> list[Edit]:
        """Adds keys (with their types, "" where unknown) to the schema. `imports`: those of the file of the function."""
        if not keys:
            return []
        if self.kind == "messages":
            return self._subclass(keys, imports)
        assert self.cls is not None
        sheet = self.desk.sheet(self.path)
        cls = self.cls.cls
        last = cls.body[-1]
        indent = sheet.indent(blocks.first_line(last))
        mine = imports if self.path == self.info.module.path and cls.whole[0] >= self._line_of(imports) else Imports(self.desk, self.path, cls.whole[0])
        lines = ""
        default = self.kind == "fields"
        for key, kind in keys.items():
            shown = kind or mine.name("typing", "Any")
            lines += f"{indent}{key}: {shown}{' | None = None' if default and kind else ' = None' if default else ''}\n"
        for key in self.marker(True):
            lines += f"{indent}{key}: bool = False\n"
        anchor = next((s for s in reversed(cls.body) if type(s) is Assign and s.annotation is not None), last)
        out = [sheet.insert_after(blocks.last_line(anchor), lines)]
        if mine is not imports:
            out += mine.edits()
        return out

    def _line_of(self, imports: Imports) -> int:
        return imports.before

    def _subclass(self, keys: dict[str, str], imports: Imports) -> list[Edit]:
        sheet = self.desk.sheet(self.path)
        words = "".join(w.capitalize() for w in self.info.fn.name.strip("_").split("_"))
        name = self.desk.fresh(f"{words}State", self.path)
        written = sheet.slice(self.given.at)
        lines = f"class {name}({written}):\n"
        for key, kind in keys.items():
            lines += f"    {key}: {kind or imports.name('typing', 'Any')}\n"
        top = min(imports.before, self._outermost(self.given.at[0]))
        out = [sheet.insert_before(top, lines + "\n\n"), sheet.edit(self.given.at, name)]
        if self._annotation is not None:
            out.append(sheet.edit(self._annotation.at, name))
        return out

    def _outermost(self, line: int) -> int:
        """The first line of the statement of the module that holds a line."""
        for s in self.info.module.facts.body:
            if blocks.first_line(s) <= line <= blocks.last_line(s):
                return blocks.first_line(s)
        return line


def is_one_line(cls: ClassInfo) -> bool:
    return not cls.cls.body or blocks.first_line(cls.cls.body[0]) == cls.cls.at[0]


def type_of(project: "Project", e: Any, scope: Scope, depth: int = 0) -> str:
    """The built-in type of an expression, "" where it cannot be told."""
    t = type(e)
    if depth > 4:
        return ""
    if t is Const:
        return e.kind if e.kind in _BUILT_IN else ""
    if t is FStr:
        return "str"
    if t is Dict:
        return "dict"
    if t is Seq:
        return {"list": "list", "tuple": "tuple", "set": "set"}[e.kind]
    if t is Comp:
        return {"list": "list", "set": "set", "dict": "dict"}.get(e.kind, "")
    if t is Cmp or t is Un and e.op == "not":
        return "bool"
    if t is IfExp or t is BoolOp:
        kinds = {type_of(project, x, scope, depth + 1) for x in ((e.body, e.orelse) if t is IfExp else e.values)}
        return next(iter(kinds)) if len(kinds) == 1 else ""
    if t is Bin:
        kinds = {type_of(project, x, scope, depth + 1) for x in (e.left, e.right)}
        return next(iter(kinds)) if len(kinds) == 1 and kinds <= {"str", "int", "float", "list"} else ""
    core = e.value if t is Await else e
    if type(core) is Call:
        name = dotted(core.func) or ""
        if name in _BUILT_IN:
            return name
        if name == "len":
            return "int"
        if type(core.func).__name__ == "Attr" and core.func.attr in ("strip", "lower", "upper", "format", "join", "replace", "hex") and type_of(
                project, core.func.value, scope, depth + 1) == "str":
            return "str"
        for v in project.names.resolve(core.func, scope):
            if isinstance(v, Fn) and v.info.fn.returns is not None:
                word = dotted(v.info.fn.returns.value if type(v.info.fn.returns) is Sub else v.info.fn.returns) or ""
                return word if word in _BUILT_IN else ""
    return ""
