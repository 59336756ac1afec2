"""JUnit's XML, which about every CI shows as a list of tests: one failed test a finding, or one that passed when there is none."""

from __future__ import annotations

from typing import Callable, Iterable

from hitl_lint.finding import Finding
from hitl_lint.reporters import concise, files as f


def render(findings: Iterable[Finding], files: f.Files, fails: Callable[[Finding], bool]) -> str:
    """The document, ended by a line break. What does not fail the run (`fails`) is a test that passed, with the finding as its output."""
    listed = list(findings)
    cases = "".join(_case(finding, files, fails(finding)) for finding in listed)
    if not listed:
        cases = '  <testcase name="no findings" classname="hitl-lint" time="0"/>\n'
    count, failed = max(len(listed), 1), sum(map(fails, listed))
    head = f'tests="{count}" failures="{failed}" errors="0"'
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="hitl-lint" {head} time="0">\n'
            f' <testsuite name="hitl-lint" {head} skipped="0" time="0">\n{cases} </testsuite>\n</testsuites>\n')


def _case(finding: Finding, files: f.Files, failed: bool) -> str:
    s = finding.span
    place = concise.place(s)
    name = f"{finding.code} {finding.name} at {place.removeprefix(concise.one_line(s.path) + ':')}"
    lines = [f"{f.text(place)}: {finding.code} {finding.message}"]
    lines += [f"{'because' if n == 0 else 'then'} {concise.place(step.span)}: {step.message}" for n, step in enumerate(finding.trace)]
    if finding.pause is not None:
        lines.append(f"it pauses at {concise.place(finding.pause)}")
    if finding.help:
        lines.append(f"help: {finding.help}")
    body = _text("\n".join(lines))
    inside = f'   <failure message={_quoted(finding.message)} type={_quoted(finding.severity.label)}>{body}</failure>\n' if failed else \
        f"   <system-out>{body}</system-out>\n"
    return f"  <testcase name={_quoted(name)} classname={_quoted(f.text(s.path, files))} file={_quoted(f.text(s.path, files))} line=\"{f.line(s, files)}\" time=\"0\">\n{inside}  </testcase>\n"


def _text(text: str) -> str:
    return f.legal(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _quoted(text: str) -> str:
    return '"' + _text(text).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;") + '"'
