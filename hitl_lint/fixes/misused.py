"""`interrupt` comes from langgraph.types, and a pause stands under "__interrupt__"."""

from __future__ import annotations

import re
from typing import Any

from hitl_lint.facts import Call, Cmp, Const, Import, ImportName, Sub, statements
from hitl_lint.finding import Finding, Fix
from hitl_lint.fixes.desk import Desk, Refused, Sheet
from hitl_lint.fixes.spots import alone

CODES = ("HIL608",)
ORDER = 10
TARGET = "langgraph.types"


def fix(desk: Desk, finding: Finding) -> Fix:
    subject = finding.subject
    if type(subject) is ImportName:
        return _import(desk, finding, subject)
    if type(subject) in (Sub, Call, Cmp):
        return _key(desk, finding, subject)
    raise Refused("what is to be asked only the program can say: pass it, interrupt(\"Go on?\")")


def _import(desk: Desk, finding: Finding, name: ImportName) -> Fix:
    path = finding.span.path
    sheet = desk.sheet(path)
    body = desk.project.names.modules[path].facts.body
    stmt = next((s for s in statements(body) if type(s) is Import and any(n is name for n in s.names)), None)
    if stmt is None:
        raise Refused(f"the import is not where it can be changed: from {TARGET} import interrupt")
    written = sheet.slice(stmt.at)
    if len(stmt.names) == 1:
        start = re.match(rf"from(\s+){re.escape(name.module)}(?=\s)", written)
        if start is None:
            raise Refused(f"the import is written in a form that cannot be changed with certainty: from {TARGET} import interrupt")
        line, col = stmt.at[:2]
        first = col + len("from" + start.group(1))
        return Fix(f"import it from {TARGET}", "safe", (sheet.edit((line, first, line, first + len(name.module)), TARGET),))
    if not alone(sheet, stmt) or "#" in written:
        raise Refused(f"the import shares its lines with comments or other code: from {TARGET} import interrupt")
    own = f"interrupt as {name.asname}" if name.asname else "interrupt"
    found = re.search(rf",\s*{own.replace(' ', r'[ ]+')}\b(?!\s+as\b)", written) or re.search(rf"(?<![\w.]){own.replace(' ', r'[ ]+')}\s*,\s*", written)
    if found is None:
        raise Refused(f"the import is written in a form that cannot be changed with certainty: from {TARGET} import interrupt")
    pad = sheet.indent(stmt.at[0])
    return Fix(f"import it from {TARGET}", "safe",
               (sheet.edit(_within(stmt.at, written, found.start(), found.end()), ""), sheet.insert_after(stmt.at[2], f"{pad}from {TARGET} import {own}\n")))


def _within(at: Any, written: str, start: int, end: int) -> tuple[int, int, int, int]:
    """A part of a span's text, as a span."""
    def place(n: int) -> tuple[int, int]:
        above = written[:n]
        return (at[0] + above.count("\n"), n - above.rfind("\n") if "\n" in above else at[1] + n)

    return (*place(start), *place(end))


def _key(desk: Desk, finding: Finding, node: Any) -> Fix:
    sheet: Sheet = desk.sheet(finding.span.path)
    key = node.index if type(node) is Sub else node.left if type(node) is Cmp else node.args[0].value
    written = sheet.slice(key.at) if type(key) is Const else ""
    match = re.fullmatch(r"(['\"])interrupts?\1", written)
    if match is None:
        raise Refused('the key is not written where it is read: read result["__interrupt__"]')
    return Fix('read "__interrupt__"', "safe", (sheet.edit(key.at, f"{match.group(1)}__interrupt__{match.group(1)}"),))
