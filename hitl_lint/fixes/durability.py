"""A run says that each step is saved before the next one starts."""

from __future__ import annotations

from hitl_lint.analysis.durability import Unsettled
from hitl_lint.finding import Finding, Fix
from hitl_lint.fixes.desk import Desk, Refused
from hitl_lint.fixes.spots import add_argument

CODES = ("HIL507",)
ORDER = 10


def fix(desk: Desk, finding: Finding) -> Fix:
    found = finding.subject
    if not isinstance(found, Unsettled):
        raise Refused("")
    sheet = desk.sheet(found.turn.scope.module.path)
    return Fix('say durability="sync"', "safe", (add_argument(sheet, found.turn.call, 'durability="sync"'),))
