"""Words in `interrupt_on` that are misspelt, and the place of the review in the list of middleware."""

from __future__ import annotations

from typing import Any

from hitl_lint.analysis.gate_faults import Faulty, Mend
from hitl_lint.analysis.gates import Misplaced
from hitl_lint.facts import Arg, Const, Seq
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
    if type(node) is Seq and node.kind == "tuple" and not written.startswith("("):
        written = f"[{written}]"  # the parentheses stand around the place
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
    lines = _by_lines(sheet, holder, first, last)
    if lines is not None:
        return Fix("list the review first", "unsafe", lines, note=_NOTE)
    if "#" in sheet.slice((*elts[first].at[:2], *elts[last].at[2:])):
        raise Refused("there are comments between the two, which say where they belong: put the review in before it")
    moved = [elts[last], *elts[first:last]]
    return Fix("list the review first", "unsafe", tuple(sheet.edit(slot.at, sheet.slice(new.at)) for slot, new in zip(elts[first: last + 1], moved)), note=_NOTE)


_NOTE = "what was around the review is inside it from now on, the middleware between the two as well"


def _by_lines(sheet: Sheet, holder: Any, first: int, last: int) -> tuple[Edit, ...] | None:
    """Where each has its lines for itself the lines are moved, with the comments beside and above them."""
    for elt in holder.elts[first: last + 1]:
        after = sheet.line(elt.at[2])[elt.at[3] - 1:].split("#")[0].strip()
        if sheet.line(elt.at[0])[: elt.at[1] - 1].strip() or after not in ("", ","):
            return None
    review = holder.elts[last]
    top, start = _with_comments(sheet, review.at[0]), _with_comments(sheet, holder.elts[first].at[0])
    if holder.at[0] >= start or holder.at[2] <= review.at[2]:
        return None
    end, col = review.at[2:]
    tail = sheet.line(end)[col - 1:]
    body = [*sheet.lines[top - 1: end - 1], sheet.line(end)[: col - 1] + (tail if tail.lstrip().startswith(",") else "," + tail)]
    comma = sheet.line(holder.elts[last - 1].at[2])[holder.elts[last - 1].at[3] - 1:]
    return (sheet.insert_before(start, "\n".join(body) + "\n"), sheet.delete_lines(top, end)) if comma.lstrip().startswith(",") else None


def _with_comments(sheet: Sheet, line: int) -> int:
    while line > 1 and sheet.line(line - 1).lstrip().startswith("#"):
        line -= 1
    return line
