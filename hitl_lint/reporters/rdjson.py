"""reviewdog's diagnostic format, with fixes as suggestions that a reviewer takes by a click. Its columns count bytes of UTF-8."""

from __future__ import annotations

import json
from typing import Any, Iterable

from hitl_lint.finding import Finding, Severity, Span
from hitl_lint.reporters import files as f

_SEVERITY = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.NOTE: "INFO"}


def render(findings: Iterable[Finding], files: f.Files) -> str:
    """The document, ended by a line break."""
    return json.dumps({"source": {"name": "hitl-lint", "url": f.HOME}, "diagnostics": [_diagnostic(finding, files) for finding in findings]}, indent=1) + "\n"


def _diagnostic(finding: Finding, files: f.Files) -> dict[str, Any]:
    row: dict[str, Any] = {"message": f.legal(f.told(finding)), "location": _location(finding.span, files),
                           "severity": _SEVERITY[finding.severity], "code": {"value": finding.code}}
    # A suggestion is taken or left by itself and has no room for words: the first fix only, as one edit, and what it does in the message.
    path, notebook = finding.span.path, finding.span.cell is not None
    lines = files.lines(path, None) if finding.fixes else None
    for fix in sorted(finding.fixes, key=lambda fix: fix.safety != "safe"):
        if notebook:
            edit = files.in_json(path, fix.edits) if all(edit.span.path == path for edit in fix.edits) else None
        else:
            edit = f.as_one_edit(fix, path, lines)
        if edit is not None:
            row["suggestions"] = [{"range": _range(edit.span, files), "text": edit.text}]
            row["message"] += f.legal(f"\n\nSuggested{'' if fix.safety == 'safe' else ' (it changes more than the fault: read it)'}: {fix.title}. {fix.note}".rstrip())
            break
    related = [(step.span, step.message) for step in (*finding.trace, *finding.related)]
    if finding.pause is not None and finding.pause != finding.span:
        related.append((finding.pause, "pauses here"))
    if related:
        row["related_locations"] = [{"message": f.legal(message), "location": _location(span, files)} for span, message in related]
    return row


def _location(span: Span, files: f.Files) -> dict[str, Any]:
    return {"path": f.text(span.path, files), "range": _range(span, files)}


def _range(span: Span, files: f.Files) -> dict[str, Any]:
    if span.cell is not None:
        return {"start": {"line": f.line(span, files)}}
    lines = files.lines(span.path, None)
    line, end = max(span.line, 1), max(span.end_line, span.line, 1)
    return {"start": {"line": line, "column": f.bytes_before(line, max(span.column, 1), lines)},
            "end": {"line": end, "column": f.bytes_before(end, max(span.end_column, 1), lines)}}
