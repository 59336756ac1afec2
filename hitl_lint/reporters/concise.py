"""One line a finding, as flake8 prints it: `path:line:col: HIL101 message`; notebooks `path:cell 3:line:col: …`."""

from __future__ import annotations

from typing import Iterable

from hitl_lint.finding import Finding, Span


def place(span: Span) -> str:
    """`path:line:col`, with the cell for notebooks; always on one line."""
    cell = f"cell {span.cell}:" if span.cell is not None else ""
    return f"{one_line(span.path)}:{cell}{span.line}:{span.column}"


def one_line(text: str) -> str:
    """`text` without line breaks and other control characters, which would break the format or steer the terminal."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " if c in "\t\n\r" else "\ufffd" for c in text)


def render(findings: Iterable[Finding]) -> str:
    """The report, each line ended; empty when there is nothing to say."""
    return "".join(f"{place(f.span)}: {f.code} {one_line(f.message)}\n" for f in findings)
