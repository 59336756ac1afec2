"""A bool in the schema of an answer becomes pydantic's StrictBool."""

from __future__ import annotations

from hitl_lint.analysis.lax import Lax
from hitl_lint.finding import Finding, Fix
from hitl_lint.fixes.desk import Desk, Refused
from hitl_lint.fixes.imports import Imports

CODES = ("HIL603",)
ORDER = 10


def fix(desk: Desk, finding: Finding) -> Fix:
    found = finding.subject
    if not isinstance(found, Lax):
        raise Refused("")
    path = found.scope.module.path
    sheet = desk.sheet(path)
    if any(sheet.slice(spot.at) != "bool" for spot in found.spots):
        raise Refused("the annotation says bool in quotes or under another name: write StrictBool there by hand")
    top = found.spots[0].at[0]
    body = desk.project.names.modules[path].facts.body
    for stmt in body:  # the import must run before the class or function around it
        first = getattr(getattr(stmt, "cls", None) or getattr(stmt, "fn", None), "whole", stmt.at)[0]
        if first <= found.spots[0].at[0]:
            top = first
    imports = Imports(desk, path, top)
    name = imports.name("pydantic", "StrictBool")
    return Fix("use StrictBool", "unsafe", (*imports.edits(), *(sheet.edit(spot.at, name) for spot in found.spots)),
               note="answers such as \"yes\" or 1 are refused from now on: whoever answers must send true or false")
