"""Words in `interrupt_on` that are misspelt, and the place of the review in the list of middleware."""

from __future__ import annotations

from typing import Any

from hitl_lint.analysis.gate_faults import Faulty, Mend
from hitl_lint.analysis.gates import Misplaced
from hitl_lint.facts import Arg, Const
from hitl_lint.finding import Edit, Finding, Fix
from hitl_lint.fixes.desk import Desk, Refused, Sheet

CODES = ("HIL703", "HIL704")
ORDER = 10


def fix(desk: Desk, finding: Finding) -> Fix:
    subject = finding.subject
    if isinstance(subject, Faulty):
        return _word(desk, finding, subject)
    if isinstance(subject, Misplaced):
        return _order(desk, subject)
    raise Refused("")


def _word(desk: Desk, finding: Finding, found: Faulty) -> Fix:
    mends = [fault.mend for fault in found.faults]
    if not mends or any(m is None for m in mends):
        raise Refused(f"what was meant is not certain: {found.faults[0].help}")
    return Fix("write what is meant", "safe", tuple(_mended(desk.sheet(m.scope.module.path), m) for m in mends if m is not None))


def _mended(sheet: Sheet, mend: Mend) -> Edit:
    node: Any = mend.node
    if type(node) is Arg:
        line, col = node.at[:2]
        end = col + len(node.name or "")
        if sheet.slice((line, col, line, end)) != node.name:
            raise Refused(f"the argument is written in a form that cannot be changed with certainty: write {mend.new}")
        return sheet.edit((line, col, line, end), mend.new)
    written = sheet.slice(node.at)
    if not mend.quoted:
        return sheet.edit(node.at, mend.new.format(written) if "{}" in mend.new else mend.new)
    quote = written[:1]
    if type(node) is not Const or quote not in ("'", '"') or written != f"{quote}{node.value}{quote}":
        raise Refused(f'the word is written in a form that cannot be changed with certainty: write "{mend.new}"')
    return sheet.edit(node.at, f"{quote}{mend.new}{quote}")


def _order(desk: Desk, found: Misplaced) -> Fix:
    early, review = found.early, found.review
    holder = early.holder
    if holder is None or review.holder is not holder:
        raise Refused("the two do not stand in one list: put the review in before it")
    elts = list(holder.elts)
    first, last = elts.index(early.node), elts.index(review.node)
    sheet = desk.sheet(early.scope.module.path)
    if "#" in sheet.slice((*elts[first].at[:2], *elts[last].at[2:])):
        raise Refused("there are comments between the two, which say where they belong: put the review in before it")
    moved = [elts[last], *elts[first:last]]
    return Fix("list the review first", "unsafe", tuple(sheet.edit(slot.at, sheet.slice(new.at)) for slot, new in zip(elts[first: last + 1], moved)),
               note="what was around the review is inside it from now on, the middleware between the two as well")
