"""Findings in the terms of the Language Server Protocol: ranges from 0 in the client's code units, diagnostics, hovers, edits. Pure."""

from __future__ import annotations

import difflib
import io
import re
import tokenize
from typing import Callable, Sequence

from lsprotocol import types as lsp

from hitl_lint.finding import Finding, Severity, Span
from hitl_lint.reporters.concise import place
from hitl_lint.rules import all_rules

SOURCE = "hitl-lint"
_LINE_END = re.compile(r"\r\n?|\n")
_SEVERITIES = {Severity.ERROR: lsp.DiagnosticSeverity.Error, Severity.WARNING: lsp.DiagnosticSeverity.Warning, Severity.NOTE: lsp.DiagnosticSeverity.Information}
# What is taken back when it has served its purpose is faded out.
_UNNECESSARY = frozenset({"HIL902"})

# (path, cell) -> (the document's URI, its lines without their ends); None when it cannot be read.
Places = Callable[[str, "int | None"], "tuple[str, Sequence[str]] | None"]


def lines_of(text: str) -> list[str]:
    """Lines as the protocol and hitl-lint count them (form feeds end no line)."""
    return _LINE_END.split(text)


class Units:
    """Columns between code points and the code units that the client counts in ("utf-8", "utf-16" or "utf-32")."""

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding

    def length(self, text: str) -> int:
        if self.encoding == "utf-32" or text.isascii():
            return len(text)
        if self.encoding == "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text) + sum(c > "\uffff" for c in text)

    def position(self, lines: Sequence[str], line: int, column: int) -> lsp.Position:
        """Of a place that is counted from 1; what is beyond the text is its end."""
        if line > len(lines):
            return lsp.Position(max(len(lines) - 1, 0), self.length(lines[-1]) if lines else 0)
        return lsp.Position(line - 1, self.length(lines[line - 1][: column - 1]))

    def column(self, lines: Sequence[str], position: lsp.Position) -> int:
        """The column, from 1, of a position of the client."""
        text = lines[position.line] if position.line < len(lines) else ""
        seen = 0
        for n, c in enumerate(text):
            if seen >= position.character:
                return n + 1
            seen += self.length(c)
        return len(text) + 1

    def range(self, lines: Sequence[str], span: Span) -> lsp.Range:
        return lsp.Range(self.position(lines, span.line, span.column), self.position(lines, span.end_line, span.end_column))


def diagnostic(finding: Finding, places: Places, units: Units) -> tuple[str, lsp.Diagnostic] | None:
    """(the URI of the document that it stands in, the diagnostic); None when that document is gone."""
    home = places(finding.span.path, finding.span.cell)
    if home is None:
        return None
    uri, lines = home
    related = []
    told = [(step.span, step.message) for step in (*finding.trace, *finding.related)]
    if finding.pause is not None and all(span != finding.pause for span, _ in told) and finding.pause != finding.span:
        told.append((finding.pause, "the pause"))
    for span, message in told:
        there = places(span.path, span.cell)
        if there is not None:
            related.append(lsp.DiagnosticRelatedInformation(lsp.Location(there[0], units.range(there[1], span)), message))
    return uri, lsp.Diagnostic(units.range(lines, finding.span), finding.message, _SEVERITIES[finding.severity], finding.code, source=SOURCE,
                               related_information=related or None,
                               tags=[lsp.DiagnosticTag.Unnecessary] if finding.code in _UNNECESSARY else None)


# --------------------------------------------------------------------------- hover
def hover(findings: Sequence[Finding], markdown: bool) -> str:
    """What is found here, how it comes about, what to do, and the pages of the rules."""
    out = []
    for finding in findings:
        head = f"{finding.code} {finding.name}"
        out.append(f"**{head}** ({finding.severity.label}, {finding.confidence.value})" if markdown else f"{head} ({finding.severity.label}, {finding.confidence.value})")
        out.append(_text(finding.message, markdown))
        steps = [f"{_text(step.message, markdown)} ({_text(place(step.span), markdown)})" for step in finding.trace]
        if finding.pause is not None:
            steps.append(f"the pause ({_text(place(finding.pause), markdown)})")
        if steps:
            out.append("\n".join(f"{n}. {step}" for n, step in enumerate(steps, 1)))
        if finding.help:
            out.append(f"```text\n{finding.help}\n```" if markdown else finding.help)
    for code in dict.fromkeys(finding.code for finding in findings):
        if text := page(code, markdown):
            out.append(("---\n\n" if markdown else "") + text)
    return "\n\n".join(out)


def _text(text: str, markdown: bool) -> str:
    """Text between backticks is code already; elsewhere nothing of it is to be taken for markup."""
    if not markdown:
        return text
    return "".join(part if n % 2 else re.sub(r"([\\*_<>\[\]])", r"\\\1", part) for n, part in enumerate(re.split(r"(`[^`]*`)", text)))


def page(code: str, markdown: bool) -> str:
    """A rule's page; as Markdown with its examples fenced and its headings bold."""
    rule = next((rule for rule in all_rules() if rule.meta.code == code), None)
    if rule is None:
        return ""
    text = rule.doc.strip()
    if not markdown:
        return text
    out: list[str] = []
    code_lines: list[str] = []
    for line in [*text.split("\n"), "."]:
        if line.startswith("    ") or code_lines and not line.strip():
            code_lines.append(line[4:])
            continue
        if code_lines:
            blank = len(code_lines) - len("\n".join(code_lines).rstrip().split("\n"))
            out += ["```python", *code_lines[: len(code_lines) - blank], "```", *[""] * blank]
            code_lines = []
        out.append(re.sub(r"^([A-Z][^:.`]{2,30}:)(?= |$)", r"**\1**", line))
    return "\n".join(out[:-1]).rstrip()


# --------------------------------------------------------------------------- edits
def edits(old: str, new: str, units: Units) -> list[lsp.TextEdit]:
    """What makes `new` of `old`, whole lines at a time, from top to bottom."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    if any(c in old + new for c in "\v\f\x1c\x1d\x1e\x85\u2028\u2029"):
        before, after = ([line for line in re.split(r"(?<=\n)|(?<=\r)(?!\n)", text) if line] for text in (old, new))
    lines = lines_of(old)
    out = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        text = "".join(after[c:d])
        start, end = units.position(lines, a + 1, 1), units.position(lines, b + 1, 1)
        if b == len(before) and before and not before[-1].endswith(("\n", "\r")):
            end = units.position(lines, len(lines), len(lines[-1]) + 1)
            if a == b:
                start = end
        out.append(lsp.TextEdit(lsp.Range(start, end), text))
    return out


def suppression(finding: Finding, lines: Sequence[str], units: Units) -> lsp.TextEdit | None:
    """A `# noqa: CODE` behind the finding's line, or the next line of its statement that takes a comment; None where none does."""
    number = _commentable(lines, finding.span.line)
    if number is None:
        return None
    text = lines[number - 1]
    known = re.search(r"#\s*noqa\s*:\s*(?:[A-Za-z]+[0-9]+)(?:[,\s]+[A-Za-z]+[0-9]+\b)*", text, re.IGNORECASE)
    if known:
        at = lsp.Range(units.position(lines, number, known.end() + 1), units.position(lines, number, known.end() + 1))
        return lsp.TextEdit(at, f", {finding.code}")
    end = len(text.rstrip())
    return lsp.TextEdit(lsp.Range(units.position(lines, number, end + 1), units.position(lines, number, len(text) + 1)), f"  # noqa: {finding.code}")


def _commentable(lines: Sequence[str], line: int) -> int | None:
    """The first line from `line` on whose end is outside of strings and is not continued."""
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join(lines) + "\n").readline):
            if token.type in (tokenize.NEWLINE, tokenize.NL) and token.start[0] >= line:
                return token.start[0]
    except (tokenize.TokenError, SyntaxError, ValueError):  # half a program, or a notebook's magic
        text = lines[line - 1] if line <= len(lines) else ""
        return None if not text or text.rstrip().endswith("\\") or '"""' in text or "'''" in text else line
    return None


def overlaps(a: lsp.Range, b: lsp.Range) -> bool:
    """Touching counts: the cursor may stand at either end."""
    first = lambda p: (p.line, p.character)  # noqa: E731
    return first(a.start) <= first(b.end) and first(b.start) <= first(a.end)


def titles(code: str, title: str, safe: bool) -> str:
    return f"{title} ({code})" if safe else f"{title} ({code}, unsafe: read the diff)"


__all__ = ["Places", "SOURCE", "Units", "diagnostic", "edits", "hover", "lines_of", "overlaps", "page", "suppression", "titles"]
