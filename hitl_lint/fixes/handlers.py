"""`except GraphBubbleUp: raise` above a handler that would catch the pause. For fixers of several rules; no fixer by itself."""

from __future__ import annotations

from hitl_lint.analysis.names import Ext
from hitl_lint.facts import NOWHERE, Handler, Import, ImportName, Name, Try, walk
from hitl_lint.finding import Edit
from hitl_lint.fixes.desk import Desk, Refused, Sheet
from hitl_lint.fixes.imports import Imports

MODULE, CLASS = "langgraph.errors", "GraphBubbleUp"


def let_through(desk: Desk, path: str, handlers: list[Handler]) -> list[Edit]:
    """The edits, the import among them, that let a pause pass before each of these handlers of one file. Raises Refused."""
    sheet = desk.sheet(path)
    tries = [_try_of(desk, path, handler) for handler in handlers]
    imports = Imports(desk, path, min(node.at[0] for node in tries))
    local: list[Edit] = []
    edits = [_above(desk, sheet, bubble_up(desk, sheet, imports, local, node), node, handler) for node, handler in zip(tries, handlers)]
    return [*imports.edits(), *dict.fromkeys(local), *edits]


def _try_of(desk: Desk, path: str, handler: Handler) -> Try:
    for node in walk(desk.project.names.modules[path].facts, into_functions=True):
        if type(node) is Try and any(h is handler for h in node.handlers):
            return node
    raise Refused("")


def _above(desk: Desk, sheet: Sheet, name: str, node: Try, handler: Handler) -> Edit:
    line = handler.at[0]
    indent = sheet.line(line)[: handler.at[1] - 1]
    if indent.strip():
        raise Refused(f"the handler on {desk.project.line(sheet.path, handler.at)} does not begin its line")
    margin = indent.rpartition("\f")[2]
    first = handler.body[0].at if handler.body else handler.at
    beside = sheet.line(first[0])[: first[1] - 1].strip() != "" or not handler.body
    if node.star:
        group = desk.fresh("paused", sheet.path)
        head, what = f"except* {name} as {group}:", f"raise {group}.exceptions[0]"
    else:
        head, what = f"except {name}:", "raise"
    if beside:
        text = f"{margin}{head} {what}\n"
    else:
        text = f"{margin}{head}\n{_deeper(sheet, first[0], margin)}{what}\n"
    return sheet.insert_before(_top(sheet, node, handler, margin), text)


def _deeper(sheet: Sheet, number: int, margin: str) -> str:
    """The indentation of the handler's own body."""
    own = sheet.indent(number).rpartition("\f")[2]
    return own if len(own) > len(margin) and own.startswith(margin) else margin + ("\t" if margin.endswith("\t") else "    ")


def _top(sheet: Sheet, node: Try, handler: Handler, margin: str) -> int:
    """The line of the handler, or of the comments that stand on top of it."""
    number = node.handlers.index(handler)
    above = node.handlers[number - 1].body if number else node.body
    floor = max((n.at[2] for stmt in above for n in walk(stmt, into_functions=True) if getattr(n, "at", None)), default=node.at[2])
    top = handler.at[0]
    while top - 1 > floor and sheet.line(top - 1).lstrip().startswith("#") and sheet.indent(top - 1).rpartition("\f")[2] == margin:
        top -= 1
    return top


def bubble_up(desk: Desk, sheet: Sheet, imports: Imports, local: list[Edit], node: Try) -> str:
    """What GraphBubbleUp is called at this place. Imported if it is not: beside the imports of LangGraph that the function itself has (`local`
    takes that), else by `imports`. Raises Refused where the name means something else there."""
    names = desk.project.names
    path = sheet.path
    for info in names.modules[path].functions:
        if not any(n is node for stmt in info.fn.body for n in walk(stmt)):
            continue
        scope = names.scope(info)
        found = names.lookup(CLASS, scope)
        own = [stmt for stmt in info.fn.body if type(stmt) is Import and stmt.at[0] < node.at[0]]
        if found is not None and found[1].kind != "module":
            if any((n.asname or n.name) == CLASS for stmt in own for n in stmt.names) and any(
                    isinstance(v, Ext) and v.path == f"{MODULE}.{CLASS}" for v in names.resolve(Name(NOWHERE, CLASS), scope)):
                return CLASS
            raise Refused(f"`{CLASS}` is a name of its own in {info.name}()")
        last = next((stmt for stmt in reversed(own) if any((n.module or "").partition(".")[0] == "langgraph" for n in stmt.names)), None)
        if last is not None and found is None and not any(n.module == MODULE and n.name == CLASS for n in _imported(desk, path)):
            line = sheet.line(last.at[2])
            if sheet.line(last.at[0])[: last.at[1] - 1].strip() or line[last.at[3] - 1 :].partition("#")[0].strip():
                break
            local.append(sheet.insert_after(last.at[2], f"{sheet.indent(last.at[0])}from {MODULE} import {CLASS}\n"))
            return CLASS
        break
    return imports.name(MODULE, CLASS)


def _imported(desk: Desk, path: str) -> list[ImportName]:
    return [n for stmt in desk.project.names.modules[path].facts.body if type(stmt) is Import for n in stmt.names]


__all__ = ["CLASS", "MODULE", "bubble_up", "let_through"]
