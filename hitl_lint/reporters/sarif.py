"""SARIF 2.1.0, which code scanning (GitHub, Azure DevOps, editors) reads: findings with their chain, the pause, fixes, and the pages of the rules."""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, NamedTuple, Sequence

from hitl_lint.finding import Confidence, Edit, Finding, Fix, Severity, Span, fingerprints
from hitl_lint.reporters import files as f, page

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
# GitHub sorts by "problem.severity"; its words are others than SARIF's.
_PROBLEM = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "recommendation"}
_BASE = "%SRCROOT%"


class Rule(NamedTuple):
    """What the report says of a rule; `doc` is its page, `on` whether it runs unless told otherwise."""

    code: str
    name: str
    severity: Severity
    summary: str
    doc: str
    on: bool = True


def render(findings: Iterable[Finding], files: f.Files, rules: Sequence[Rule], version: str, complaints: Sequence[str] = (), failed: bool = False) -> str:
    """The document, ended by a line break. Paths are relative to the top of the repository as `files` knows it. `complaints`: what went wrong in the run, which has `failed`
    if not everything could be checked."""
    listed = list(findings)
    index = {rule.code: n for n, rule in enumerate(rules)}
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "hitl-lint", "version": version, "semanticVersion": version, "informationUri": f.HOME, "rules": [_rule(rule) for rule in rules]}},
        "invocations": [{"executionSuccessful": not failed,
                         "toolExecutionNotifications": [{"level": "error" if failed else "warning", "message": {"text": f.legal(text)}} for text in complaints]}],
        "originalUriBaseIds": {_BASE: {"description": {"text": "The top of the repository, or the directory in which hitl-lint was run."}}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, mark, index, files) for finding, mark in zip(listed, fingerprints(listed))],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    first = next((text for kind, text in page.parts(rule.doc) if kind == "text"), rule.summary)
    return {
        "id": rule.code, "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": _sentence(rule.summary)}, "fullDescription": {"text": first},
        "help": {"text": rule.doc.strip() or rule.summary, "markdown": f"# {rule.code} {rule.name}\n\n{page.markdown(rule.doc)}"},
        "defaultConfiguration": {"level": _LEVEL[rule.severity], "enabled": rule.on},
        "properties": {"tags": ["langgraph", "human-in-the-loop"], "problem.severity": _PROBLEM[rule.severity], "precision": "high"},
    }


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def _result(finding: Finding, mark: str, index: dict[str, int], files: f.Files) -> dict[str, Any]:
    place = _location(finding.span, files)
    if finding.function:
        place["logicalLocations"] = [{"fullyQualifiedName": finding.function, "kind": "function"}]
    row: dict[str, Any] = {"ruleId": finding.code}
    if finding.code in index:
        row["ruleIndex"] = index[finding.code]
    row.update(level=_LEVEL[finding.severity], message={"text": f.legal(f.told(finding))}, locations=[place], partialFingerprints={"hitlLint/v1": mark})
    pauses = finding.pause is not None and finding.pause != finding.span
    related = [(step.span, step.message) for step in finding.related]
    if finding.pause is not None and pauses:
        related.insert(0, (finding.pause, "pauses here"))
    if related:
        row["relatedLocations"] = [{"id": n, **_location(span, files, text)} for n, (span, text) in enumerate(related, 1)]
    if finding.trace or pauses:
        steps = [(finding.span, finding.message), *((step.span, step.message) for step in finding.trace)]
        if finding.pause is not None and pauses:
            steps.append((finding.pause, "pauses here; the answer starts the function again from its first line"))
        row["codeFlows"] = [{"threadFlows": [{"locations": [{"location": _location(span, files, text)} for span, text in steps]}]}]
    fixes = [made for fix in finding.fixes if (made := _fix(fix, files)) is not None]
    if fixes:
        row["fixes"] = fixes
    row["properties"] = {"confidence": finding.confidence.value, **({} if finding.confidence is Confidence.PROVED else {"judgedByName": True})}
    if finding.span.cell is not None:
        row["properties"]["cell"] = {"index": finding.span.cell, "line": finding.span.line, "column": finding.span.column}
    return row


def _location(span: Span, files: f.Files, text: str = "") -> dict[str, Any]:
    region = {"startLine": f.line(span, files)} if span.cell is not None else _region(span)
    out: dict[str, Any] = {"physicalLocation": {"artifactLocation": _artifact(files.rooted(span.path)), "region": region}}
    if text:
        cell = f"cell {span.cell}, line {span.line}: " if span.cell is not None else ""
        out["message"] = {"text": f.legal(cell + text)}
    return out


def _region(span: Span) -> dict[str, int]:
    line, column = max(span.line, 1), max(span.column, 1)
    end_line = max(span.end_line, line)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": max(span.end_column, column if end_line == line else 1)}


def _artifact(path: str) -> dict[str, str]:
    from urllib.parse import quote

    quoted = quote(os.fsencode(path.replace(os.sep, "/")))
    if path.startswith("/"):
        return {"uri": f"file://{quoted}"}
    if path[1:2] == ":":  # a drive
        return {"uri": f"file:///{quoted}"}
    return {"uri": quoted, "uriBaseId": _BASE}


def _fix(fix: Fix, files: f.Files) -> dict[str, Any] | None:
    """None for a fix of a notebook that cannot be said in lines of the file."""
    by_path: dict[str, list[Edit]] = {}
    for edit in fix.edits:
        by_path.setdefault(edit.span.path, []).append(edit)
    changes = []
    for path, edits in by_path.items():
        if any(edit.span.cell is not None for edit in edits):
            whole = files.in_json(path, edits)
            if whole is None:
                return None
            edits = [whole]
        changes.append({"artifactLocation": _artifact(files.rooted(path)), "replacements": [
            {"deletedRegion": _region(edit.span), **({"insertedContent": {"text": edit.text}} if edit.text else {})} for edit in edits]})
    said = f"{fix.title}{'' if fix.safety == 'safe' else ' (changes more than the fault: read it)'}{'. ' + fix.note if fix.note else ''}"
    return {"description": {"text": f.legal(said)}, "artifactChanges": changes}
