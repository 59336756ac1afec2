"""Applies proposed edits to a text, one finding after the other, until nothing of the given rules can be mended any more."""

from __future__ import annotations

from pathlib import Path

from hitl_lint.config import Config
from hitl_lint.finding import Edit, Finding, Fix
from hitl_lint.run import Request, check

MOST_ROUNDS = 20


def apply(text: str, edits: tuple[Edit, ...]) -> str:
    """The text (lines end in "\\n") with the edits in it; those at one empty place in the order given."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    spans = [(starts[e.span.line - 1] + e.span.column - 1, starts[e.span.end_line - 1] + e.span.end_column - 1, n, e.text) for n, e in enumerate(edits)]
    for (_, end, _, _), (begin, *_) in zip(sorted(spans), sorted(spans)[1:]):
        assert end <= begin, "edits of one fix overlap"
    for begin, end, _, new in sorted(spans, key=lambda s: (s[0], s[2]), reverse=True):
        text = text[:begin] + new + text[end:]
    return text


def findings(path: Path, *codes: str) -> list[Finding]:
    """What is found in one file, with its fixes, linted from the file's own folder."""
    result = check(Request([str(path)], Config(min_severity="note", extend_select=codes), jobs=1, fixes=True))
    assert not result.complaints, result.complaints
    return [f for f in result.findings if not codes or f.code in codes]


def chosen(finding: Finding, needle: str = "") -> Fix | None:
    """The first of its fixes whose title holds `needle`."""
    return next((fix for fix in finding.fixes if needle in fix.title), None)


def mend(path: Path, *codes: str, needle: str = "") -> str:
    """Apply what can be applied to the file, in place; gives the text."""
    for _ in range(MOST_ROUNDS):
        fix = next((fix for f in findings(path, *codes) if (fix := chosen(f, needle)) is not None), None)
        if fix is None:
            return path.read_text(encoding="utf-8")
        text = apply(path.read_text(encoding="utf-8"), fix.edits)
        compile(text, str(path), "exec")
        path.write_text(text, encoding="utf-8")
    raise AssertionError("it never comes to an end")
