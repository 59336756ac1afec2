"""The machine-readable report: one JSON document whose shape does not change. ASCII only, so that no terminal or pipe can spoil it."""

from __future__ import annotations

import json
from typing import Any, Iterable, Mapping

from hitl_lint.finding import Edit, Finding, Fix, Span, Step, fingerprints


def render(findings: Iterable[Finding], counts: Mapping[str, int], version: str) -> str:
    """The document, ended by a line break. Equal findings of one file are told apart by their order in the fingerprint."""
    listed = list(findings)
    rows = [_finding(finding, mark) for finding, mark in zip(listed, fingerprints(listed))]
    return json.dumps({"version": version, "findings": rows, "summary": dict(counts)}, indent=1) + "\n"


def _finding(f: Finding, mark: str) -> dict[str, Any]:
    return {
        "code": f.code, "name": f.name, "severity": f.severity.label, "confidence": f.confidence.value,
        "path": f.span.path, "cell": f.span.cell, "line": f.span.line, "column": f.span.column,
        "end_line": f.span.end_line, "end_column": f.span.end_column,
        "message": f.message, "function": f.function,
        "pause": _point(f.pause) if f.pause is not None else None,
        # Related places (the handler, the guard, the loop) close the chain: a reader of the chain wants them, and the shape stays one.
        "trace": [_step(step) for step in (*f.trace, *f.related)],
        "fixes": [_fix(fix) for fix in f.fixes], "no_fix": f.no_fix or None, "sketch": f.help or None,
        "fingerprint": mark, "help": f.code,
    }


def _point(span: Span) -> dict[str, Any]:
    point: dict[str, Any] = {"path": span.path, "line": span.line, "column": span.column}
    if span.cell is not None:
        point["cell"] = span.cell
    return point


def _step(step: Step) -> dict[str, Any]:
    return {**_point(step.span), "message": step.message}


def _fix(fix: Fix) -> dict[str, Any]:
    return {"title": fix.title, "safety": fix.safety, "edits": [_edit(edit) for edit in fix.edits], "note": fix.note or None}


def _edit(edit: Edit) -> dict[str, Any]:
    span = edit.span
    cell = {} if span.cell is None else {"cell": span.cell}
    return {"path": span.path, **cell, "start": [span.line, span.column], "end": [span.end_line, span.end_column], "text": edit.text}
