"""The names by which another file can reach a pause without ever mentioning one: what the driver looks for among the files that hold no needle.

`Project.pausing_symbols` knows the functions that pause. Here are the other ways to hand a pause on: another name for it, an object that holds
it, a graph that runs it. Generous on purpose: a name too many costs a parse, a name too few a missed alarm.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Iterable, Iterator

from hitl_lint import facts as f

# What is a pause or an answer under whatever name a module gives it.
_MARKS = frozenset({"interrupt", "Command", "GraphInterrupt", "NodeInterrupt", "GraphBubbleUp"})


@dataclass
class _Binding:
    """A name bound at the top of a module and what it is made of: names, `base.attribute` pairs, or a graph compiled on the spot."""

    name: str
    names: set[str] = field(default_factory=set)
    attributes: set[tuple[str, str]] = field(default_factory=set)
    makes_graph: bool = False


class _Top:
    """The top of a module as far as it hands names on. Words are last parts of module names."""

    def __init__(self, module: f.Module) -> None:
        parts = module.path.rsplit(".", 1)[0].split("/")
        self.word = parts[-1] if parts[-1] != "__init__" or len(parts) == 1 else parts[-2]
        self.imported: list[tuple[str, str, str]] = []  # local name, name there, word of the module
        self.modules: dict[str, str] = {}  # local name of a module -> its word
        self.stars: set[str] = set()
        self.marks: set[str] = set()  # what another file may import from here instead of from LangGraph
        self.bindings: list[_Binding] = []
        for statement in _top(module.body):
            if type(statement) is f.Import:
                for name in statement.names:
                    self._import(name, parts)
            else:
                self.bindings += _bindings(statement)

    def _import(self, name: f.ImportName, parts: list[str]) -> None:
        word = name.module.split(".")[-1]
        if not word and len(parts) > name.level:
            word = parts[-1 - name.level]
        if name.name is None:
            self.modules[name.asname or name.module.split(".")[0]] = word
        elif name.name == "*":
            self.stars.add(word)
        else:
            local = name.asname or name.name
            self.imported.append((local, name.name, word))
            self.modules[local] = name.name
            if name.name in _MARKS and name.module.startswith("langgraph"):
                if name.asname:
                    self.bindings.append(_Binding(local, makes_graph=True))
                else:
                    self.marks.add(local)

    def reached(self, known: set[tuple[str, str]]) -> Iterator[str]:
        """The names of this module that reach a pause, given the (name, word) pairs that do."""
        local = {name for name, word in known if word == self.word or word in self.stars}
        local.update(mine for mine, there, word in self.imported if (there, word) in known)
        local -= self.marks  # who uses LangGraph's own name is judged by what the function does
        yield from local
        yield from self.marks
        for binding in self.bindings:
            if binding.makes_graph or not binding.names.isdisjoint(local) \
                    or any((attribute, self.modules.get(base, base)) in known for base, attribute in binding.attributes):
                yield binding.name


def exported(modules: Iterable[f.Module], pausing: set[tuple[str, str]], seen: dict[str, Any] | None = None) -> set[tuple[str, str]]:
    """`pausing` and what is built from it at the top of `modules`: pairs of a name and the last word of the module (or package) it is
    imported from. `seen`: what earlier calls found out about the same modules, by path; grows."""
    known = set(pausing)
    if seen is None:
        seen = {}
    tops = []
    for module in modules:
        if module.path not in seen:
            seen[module.path] = _Top(module)
        tops.append(seen[module.path])
    before = -1
    while len(known) > before:
        before = len(known)
        for top in tops:
            known.update((name, top.word) for name in list(top.reached(known)))
    return known


def _top(body: list[Any]) -> Iterator[Any]:
    """The statements that run when the module is imported, those inside if, try and with included."""
    for statement in body:
        yield statement
        if type(statement) in (f.If, f.Try, f.With):
            for part in ("body", "orelse", "final"):
                yield from _top(getattr(statement, part, []))
        if type(statement) is f.Try:
            for handler in statement.handlers:
                yield from _top(handler.body)


def _bindings(statement: Any) -> Iterator[_Binding]:
    kind = type(statement)
    if kind is f.Assign and statement.value is not None:
        yield from (_filled(_Binding(target.id), [statement.value]) for target in statement.targets if type(target) is f.Name)
    elif kind is f.Def:
        yield _filled(_Binding(statement.fn.name), [statement.fn, *statement.fn.decorators])
    elif kind is f.ClassStmt:
        yield _filled(_Binding(statement.cls.name), [statement.cls])


def _filled(binding: _Binding, nodes: list[Any]) -> _Binding:
    if binding.name.startswith(("test_", "Test")):
        return binding  # nobody imports a test
    for node in nodes:
        for part in f.walk(node, into_functions=True):
            kind = type(part)
            if kind is f.Name:
                binding.names.add(part.id)
            elif kind is f.Attr and type(part.value) is f.Name:
                binding.attributes.add((part.value.id, part.attr))
            elif kind is f.Call and _makes_graph(part.func):
                binding.makes_graph = True
    return binding


def _makes_graph(func: Any) -> bool:
    """`builder.compile(…)`, `create_agent(…)` and their like; not `re.compile`."""
    if type(func) is f.Attr:
        return func.attr == "compile" and not (type(func.value) is f.Name and func.value.id in ("re", "regex"))
    return type(func) is f.Name and func.id.startswith("create_") and func.id.endswith("agent")
