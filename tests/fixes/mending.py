"""What the tests of fixes share: fix a text in memory, and take out what a fixture says about itself."""

from __future__ import annotations

import re
from typing import Iterable, NamedTuple

from hitl_lint import run
from hitl_lint.config import Config
from hitl_lint.finding import Finding, Fix

SPLITTING = ("HIL101", "HIL102", "HIL103", "HIL104", "HIL105")
_EXPECT = re.compile(r"[ \t]*# expect:.*$", re.M)


def without_expectations(text: str) -> str:
    """A fixture without its `# expect: HILnnn` comments."""
    return _EXPECT.sub("", text)


def check(text: str, codes: Iterable[str] = SPLITTING, name: str = "program.py") -> run.Result:
    """What is found in a text, with fixes. Nothing is read from the disk."""
    request = run.Request([], Config(select=tuple(codes), min_severity="note"), stdin=text.encode(), stdin_path=name, gate=False, fixes=True)
    return run.check(request)


def apply(fix: Fix, text: str) -> str:
    """The text with the edits of a fix in one file, those at one place in their order. Overlapping edits are an error."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def offset(line: int, column: int) -> int:
        return starts[line - 1] + column - 1

    spans = sorted(((offset(e.span.line, e.span.column), offset(e.span.end_line, e.span.end_column), n, e.text) for n, e in enumerate(fix.edits)),
                   key=lambda s: s[:3])
    out, at = [], 0
    for start, end, _, new in spans:
        assert start >= at, ("edits of one fix overlap", fix.title)
        out += [text[at:start], new]
        at = end
    return "".join(out) + text[at:]


def splits(finding: Finding) -> list[Fix]:
    """The fixes of a finding that take its node apart."""
    return [fix for fix in finding.fixes if fix.title.startswith(("split the node", "let the node"))]


class Mended(NamedTuple):
    """`text` after all fixes, `applied` their number, `first` what was found at first, `left` what is found in the end; `complaints` of all runs."""

    text: str
    applied: int
    first: list[Finding]
    left: list[Finding]
    complaints: list[str]


def mend(text: str, codes: Iterable[str] = SPLITTING, name: str = "program.py", most: int = 9) -> Mended:
    """Applies the first split that is offered, runs again, and so on until there is none (or `most` were applied)."""
    first: list[Finding] | None = None
    complaints: list[str] = []
    applied = 0
    while True:
        result = check(text, codes, name)
        complaints += result.complaints
        first = result.findings if first is None else first
        fix = next((fix for f in result.findings for fix in splits(f)), None)
        if fix is None or applied >= most:
            return Mended(text, applied, first, result.findings, complaints)
        text = apply(fix, text)
        applied += 1
