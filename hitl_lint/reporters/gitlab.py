"""GitLab's code quality report: a JSON list that a merge request shows as what has come and what has gone."""

from __future__ import annotations

import json
from typing import Iterable

from hitl_lint.finding import Finding, Severity, fingerprints
from hitl_lint.reporters import files as f

_SEVERITY = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.NOTE: "info"}


def render(findings: Iterable[Finding], files: f.Files) -> str:
    """The document, ended by a line break. Fingerprints stay when lines move, so that a moved finding is not a new one."""
    listed = list(findings)
    rows = []
    for finding, mark in zip(listed, fingerprints(listed)):
        line = f.line(finding.span, files)
        end = line + max(finding.span.end_line - finding.span.line, 0) if finding.span.cell is None else line
        rows.append({"description": f.legal(f"{finding.code} {f.told(finding)}"), "check_name": finding.code, "fingerprint": mark,
                     "severity": _SEVERITY[finding.severity],
                     "location": {"path": f.text(finding.span.path, files), "lines": {"begin": line, "end": end}}})
    return json.dumps(rows, indent=1) + "\n"
