"""A comment that suppresses nothing goes, or the code in it that nothing answers to."""

from __future__ import annotations

import re

from hitl_lint.finding import Finding, Fix
from hitl_lint.fixes.desk import Desk, Refused

CODES = ("HIL902",)
ORDER = 10


def fix(desk: Desk, finding: Finding) -> Fix:
    """The subject is (line of the module, column, the comment as found, the codes in it that suppress nothing; none: all of it)."""
    if not isinstance(finding.subject, tuple):
        raise Refused("")
    number, column, comment, codes = finding.subject
    sheet = desk.sheet(finding.span.path)
    line = sheet.line(number)
    if line[column - 1: column - 1 + len(comment)] != comment:
        raise Refused("the comment is not where it was: delete it by hand")
    own = re.search(r"\[([^\[\]]*)\]", comment) if re.match(r"#\s*hitl", comment, re.IGNORECASE) else None
    listed = own if own is not None else re.search(r":\s*((?:[A-Za-z]+[0-9]\w*|HIL)(?:[,\s]+(?:[A-Za-z]+[0-9]\w*|HIL)\b)*)\s*$", comment)
    names = re.split(r"[,\s]+", listed.group(1).strip()) if listed is not None else []
    kept = [n for n in names if n.upper() not in codes]
    if codes and kept:
        assert listed is not None
        start = column + listed.start(1)
        joint = ", " if "," in listed.group(1) else " "
        return Fix(f"delete {' and '.join(codes)} in the comment", "safe", (sheet.edit((number, start, number, start + len(listed.group(1).rstrip())), joint.join(kept)),))
    end = column - 1 + len(comment)
    before, after = line[: column - 1], line[end:]
    # What follows belongs to it when it is a reason, and to another comment when it begins with #.
    if after.strip() and not after.lstrip().startswith("#"):
        if own is None and not re.match(r"#\s*hitl", comment, re.IGNORECASE):
            return Fix("delete the code in the comment", "safe", (sheet.edit((number, column, number, end + 1 + len(after) - len(after.lstrip())), "# "),))
        end = len(line)
        after = ""
    if not before.strip() and not after.strip():
        return Fix("delete the comment", "safe", (sheet.delete_lines(number, number),))
    if after.strip():
        gap = len(after) - len(after.lstrip())
        return Fix("delete the comment", "safe", (sheet.edit((number, column, number, end + 1 + gap), ""),))
    return Fix("delete the comment", "safe", (sheet.edit((number, len(before.rstrip()) + 1, number, len(line) + 1), ""),))
