"""What can be kept in the state or as a task's result, and what no checkpoint holds, as far as the code tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hitl_lint.analysis.carried import gives_stream
from hitl_lint.analysis.names import Ext, Fn, Inst, Lit, Scope, Wrapped, is_model
from hitl_lint.catalogue.travel import COMES_BACK, RESPONSE_USES, unsavable
from hitl_lint.facts import Assign, Attr, Call, Comp, Dict, Lambda, Name, Seq, dotted, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

PLAIN_DATA = ("pydantic.BaseModel", "pydantic.main.BaseModel", "TypedDict", "NamedTuple", "langchain_core.", "str", "int", "float", "dict", "list", "enum.", "SQLModel")


def unkept(project: "Project", scope: Scope, name: str, stmts: list[Any]) -> str | None:
    """What a variable of these statements holds if that cannot be kept: by its value, or by what is done with it."""
    for s in stmts:
        for n in walk(s, into_functions=True):
            if type(n) is Attr and n.attr in RESPONSE_USES and type(n.value) is Name and n.value.id == name:
                return f"something with `.{n.attr}`"
            if type(n) is Assign and any(type(t) is Name and t.id == name for t in n.targets) and _unfinished(project, scope, n.value):
                return "something unfinished"
            if type(n) is Name and n.id == name:
                what = unsavable_value(project, scope, n)
                if what is not None:
                    return what
    found = project.names.lookup(name, scope)
    if found is not None and any(b.how == "enter" for b in found[0]):
        return "what a block has opened"
    return "code" if found is not None and any(b.how in ("def", "class", "import") for b in found[0]) else None


def unsavable_value(project: "Project", scope: Scope, value: Any) -> str | None:
    """What an expression gives if no checkpoint holds it."""
    if _unfinished(project, scope, value):
        return "something unfinished"
    what = None
    for v in project.names.resolve(value, scope):
        if isinstance(v, Ext):
            what = what or ("a model" if is_model(v) else COMES_BACK.get(v.path) or unsavable(v.path))
        elif isinstance(v, Inst) and not is_data(project, v):
            what = f"an instance of {v.info.cls.name}"
        elif isinstance(v, (Fn, Wrapped)):
            what = "a function"
        elif isinstance(v, Lit):
            what = what or _inside(project, v)
    return what


def _inside(project: "Project", v: Lit) -> str | None:
    """What a display holds that cannot be kept."""
    if type(v.expr) is Comp and v.expr.kind == "gen":
        return "a generator"
    parts = v.expr.elts if type(v.expr) is Seq else v.expr.values if type(v.expr) is Dict else [v.expr.elt] if type(v.expr) is Comp else ()
    for e in parts[:20]:
        for x in project.names.resolve(e, v.scope):
            if isinstance(x, Inst) and not is_data(project, x):
                return f"instances of {x.info.cls.name}"
    return None


def is_data(project: "Project", v: Inst) -> bool:
    """Whether an instance of a project class is plain data that can be saved."""
    if any(_last(d.func if type(d) is Call else d) == "dataclass" for d in v.info.cls.decorators):
        return True
    bases = [b if isinstance(b, str) else b.cls.name for b in project.names.mro(v.info)]
    return any(b.startswith(PLAIN_DATA) or b.rpartition(".")[2] in PLAIN_DATA for b in bases)


def _unfinished(project: "Project", scope: Scope, value: Any) -> bool:
    """A generator, a stream, a function, or a coroutine that is not awaited yet."""
    if gives_stream(value):
        return True
    if type(value) is Call:
        return any(isinstance(v, Fn) and (v.info.fn.is_generator or v.info.fn.is_async) for v in project.names.resolve(value.func, scope))
    return type(value) is Lambda or type(value) is Comp and value.kind == "gen"


def _last(e: Any) -> str:
    return (dotted(e) or "").rpartition(".")[2]
