"""The names by which another file can reach a pause without ever mentioning one: what the driver looks for among the files that hold no needle.

`Project.pausing_symbols` knows the functions that pause. Here are the other ways to hand a pause on: another name for it, an object that holds
it, a graph that runs it. Generous on purpose: a name too many costs a parse, a name too few a missed alarm.
"""

from __future__ import annotations

from typing import Any, Iterable, Iterator

from hitl_lint import facts as f

_FRAMEWORK = ("langgraph", "langchain", "deepagents")


def exported(modules: Iterable[f.Module], pausing: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """`pausing` and what is built from it at the top of `modules`: pairs of a name and a word by which its module or package is imported."""
    out = set(pausing)
    known = {name for name, _ in pausing}
    waiting = [(list(_words(module.path)), name, mentioned) for module in modules for name, mentioned in _bindings(module.body)]
    while True:
        reached = [entry for entry in waiting if entry[2] is None or not entry[2].isdisjoint(known)]
        if not reached:
            return out
        waiting = [entry for entry in waiting if entry[2] is not None and entry[2].isdisjoint(known)]
        for words, name, _ in reached:
            known.add(name)
            out.update((name, word) for word in words)


def _top(body: list[Any]) -> Iterator[Any]:
    """The statements that run when the module is imported, those inside if, try and with included."""
    for statement in body:
        yield statement
        for part in ("body", "orelse", "final"):
            if type(statement) in (f.If, f.Try, f.With):
                yield from _top(getattr(statement, part, []))
        if type(statement) is f.Try:
            for handler in statement.handlers:
                yield from _top(handler.body)


def _bindings(body: list[Any]) -> Iterator[tuple[str, set[str] | None]]:
    """What the top of a module binds: a name, and the names that it is made of; None when it is a name for, or made by, the framework."""
    for statement in _top(body):
        kind = type(statement)
        if kind is f.Import:
            for imported in statement.names:
                if imported.asname:
                    ours = not imported.level and imported.module.split(".")[0].startswith(_FRAMEWORK)
                    yield imported.asname, None if ours else {imported.name or ""}
        elif kind is f.Assign and statement.value is not None:
            mentioned = _mentioned([statement.value])
            yield from ((target.id, mentioned) for target in statement.targets if type(target) is f.Name)
        elif kind is f.Def:
            yield statement.fn.name, _mentioned([statement.fn, *statement.fn.decorators])
        elif kind is f.ClassStmt:
            yield statement.cls.name, _mentioned([statement.cls])


def _mentioned(nodes: list[Any]) -> set[str] | None:
    """Every name and attribute below the nodes; None when a graph or an agent is made there."""
    out: set[str] = set()
    for node in nodes:
        for part in f.walk(node, into_functions=True):
            kind = type(part)
            if kind is f.Name:
                out.add(part.id)
            elif kind is f.Attr:
                out.add(part.attr)
            elif kind is f.Call:
                called = part.func.attr if type(part.func) is f.Attr else part.func.id if type(part.func) is f.Name else ""
                if called == "compile" or called.startswith("create_") and called.endswith("agent"):
                    return None
    return out


def _words(path: str) -> Iterator[str]:
    parts = path.rsplit(".", 1)[0].split("/")
    if parts[-1] != "__init__":
        yield parts[-1]
    if len(parts) > 1:
        yield parts[-2]
