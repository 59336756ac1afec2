"""Small questions about how code is written that several fixers ask: who holds a node, how an argument is added, whether a statement has its lines for itself."""

from __future__ import annotations

from typing import Any, Iterable

from hitl_lint.facts import Call, statements, walk
from hitl_lint.finding import Edit
from hitl_lint.fixes.desk import Refused, Sheet


def parent_of(body: Iterable[Any], node: Any) -> Any:
    """The node directly above `node` in these statements, nested functions included; None when it is not there or stands on top."""
    from hitl_lint.facts import children

    for stmt in body:
        for n in walk(stmt, into_functions=True):
            if any(child is node for child in children(n)):
                return n
    return None


def statement_of(body: Iterable[Any], node: Any) -> Any:
    """The innermost statement that holds a node; None when it is not there."""
    found = None
    for stmt in statements(body):
        if any(n is node for n in walk(stmt)):
            found = stmt
    return found


def alone(sheet: Sheet, stmt: Any) -> bool:
    """Whether a simple statement has its lines for itself, comments behind it aside: no `;`, nothing before it on its first line."""
    first, col, last, end = stmt.at
    before, after = sheet.line(first)[: col - 1], sheet.line(last)[end - 1:].strip()
    return not before.strip() and (not after or after.startswith("#"))


def add_argument(sheet: Sheet, call: Call, written: str) -> Edit:
    """`written` as one more keyword argument at the end of a call."""
    last, end = call.at[2:]
    if sheet.line(last)[end - 2: end - 1] != ")":
        raise Refused("the call is written in a way that cannot be added to")
    close = (last, end - 1)
    if not call.args:
        between = sheet.slice((*call.func.at[2:], *close))
        if between.strip() != "(":
            raise Refused("the call is written in a way that cannot be added to")
        return sheet.edit((*close, *close), written)
    begin = max(a.at[2:] for a in call.args)
    between = sheet.slice((*begin, *close))
    head = between.split("#")[0]
    if ")" in head:  # brackets around the last argument
        line, col = begin
        for char in head[: head.rindex(")") + 1]:
            line, col = (line + 1, 1) if char == "\n" else (line, col + 1)
        begin, head = (line, col), head[head.rindex(")") + 1:]
    stripped = head.lstrip()
    if not stripped.startswith(","):
        if stripped:
            raise Refused("the call is written in a way that cannot be added to")
        return sheet.edit((*begin, *begin), f", {written}")
    line, col = begin
    for char in head[: head.index(",") + 1]:
        line, col = (line + 1, 1) if char == "\n" else (line, col + 1)
    at = (line, col, line, col)
    if "#" in between or "\n" not in head[head.index(","):]:
        return sheet.edit(at, f" {written}" + ("," if "#" in between else ""))
    own = sheet.indent(max(a.at[0] for a in call.args))
    return sheet.edit(at, f"\n{own}{written},")


__all__ = ["add_argument", "alone", "parent_of", "statement_of"]
