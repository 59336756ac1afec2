"""Annotations of GitHub Actions: workflow commands, one line a finding, which GitHub shows beside the lines of a pull request."""

from __future__ import annotations

from typing import Iterable

from hitl_lint.finding import Finding, Severity
from hitl_lint.reporters import files as f

_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(findings: Iterable[Finding], files: f.Files) -> str:
    """The report, each line ended; empty when there is nothing to say."""
    return "".join(_command(finding, files) + "\n" for finding in findings)


def _command(finding: Finding, files: f.Files) -> str:
    s = finding.span
    line = f.line(s, files)
    fields: dict[str, object] = {"title": f"{finding.code} {finding.name}", "file": f.text(s.path, files), "line": line}
    if s.cell is None:
        fields["endLine"] = max(s.end_line, line)
        if s.end_line == s.line:  # GitHub refuses columns of several lines
            fields.update(col=max(s.column, 1), endColumn=max(s.end_column, s.column, 1))
    told = ",".join(f"{key}={_property(str(value))}" for key, value in fields.items())
    return f"::{_LEVEL[finding.severity]} {told}::{_data(f.told(finding))}"


def _data(text: str) -> str:
    return f.legal(text.replace("\r\n", "\n").replace("\r", "\n")).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
