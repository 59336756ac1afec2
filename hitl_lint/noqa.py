"""`--add-noqa`: suppresses what is found by comments, `# noqa: HIL101` at the end of a line of the statement, or one more code in a noqa that is
there. A second run, in memory, must find nothing of what was suppressed before anything is written.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Container, Iterable, Sequence, TYPE_CHECKING

from hitl_lint import run
from hitl_lint.finding import Edit, Finding, Span, fingerprint
from hitl_lint.fixes.apply import Unfit, apply
from hitl_lint.frontend import discover, source, suppressions
from hitl_lint.mend import Change, Outcome

if TYPE_CHECKING:
    from hitl_lint.facts import Module

# What a comment cannot take back: a file that is not read, and what is wrong with comments.
BEYOND = {"HIL901": "what cannot be read has no comments", "HIL902": "the comment that suppresses nothing is to be deleted (--fix does)"}
# Comments of one round may bring others to light.
MAX_ROUNDS = 4

_STRING_OR_BREAK = re.compile(
    r"#[^\n]*|(?s:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\")|'(?:\\(?s:.)|[^'\\\n])*'|\"(?:\\(?s:.)|[^\"\\\n])*\"|\\\n"
)


def add(request: run.Request) -> Outcome:
    """The comments, in memory: `result` is what is found with them, `changes` the files. Writes nothing."""
    request = request._replace(fixes=False, last=False)
    result = run.check(request)
    before = len(result.findings)
    # Cells of notebooks that could not be read before.
    unread = {fingerprint(finding) for finding in result.findings if finding.code == "HIL901"}
    old: dict[str, bytes] = {}
    now: dict[str, bytes] = {}
    refused: dict[str, str] = {}
    for _ in range(MAX_ROUNDS):
        by_path: dict[str, list[Finding]] = {}
        for finding in result.findings:
            if finding.code not in BEYOND and finding.span.path not in refused:
                by_path.setdefault(finding.span.path, []).append(finding)
        if not by_path:
            break
        fresh: dict[str, bytes] = {}
        for path, findings in by_path.items():
            try:
                data = now[path] if path in now else discover.read_bytes(path)
                old.setdefault(path, data)
                fresh[path] = commented(path, data, findings)
            except Unfit as error:
                refused[path] = str(error)
            except (OSError, ValueError, MemoryError) as error:
                refused[path] = discover.reason(error)
        if not fresh:
            break
        after = run.check(request._replace(overrides={**request.overrides, **now, **fresh}))
        for path in fresh:
            if why := _wrong(by_path[path], unread, [f for f in after.findings if f.span.path == path], now.get(path, old[path]) == fresh[path]):
                refused[path] = why
        if any(path in refused for path in fresh):
            fresh = {path: data for path, data in fresh.items() if path not in refused}
            after = run.check(request._replace(overrides={**request.overrides, **now, **fresh}))
        now.update(fresh)
        result = after
    changes = tuple(Change(path, old[path], new) for path, new in sorted(now.items()) if new != old[path])
    complaints = tuple(f"no comment added to {path}: {why}" for path, why in sorted(refused.items()))
    return Outcome(result, before, changes, tuple(frozenset({change.path}) for change in changes), complaints)


def _wrong(aimed: Sequence[Finding], unread: Container[str], left: Sequence[Finding], same: bool) -> str:
    """Why the comments in a file would not do; "" when they do. `unread`: fingerprints of what could not be read before."""
    if same:
        return "a comment does not reach the finding"
    marks = Counter(map(fingerprint, aimed))
    for finding in left:
        if finding.code == "HIL901" and fingerprint(finding) not in unread:
            return "the file could not be read any more"
        if finding.code == "HIL902" and fingerprint(finding) not in marks:
            return "a comment would not reach the finding"
    return ""


def commented(path: str, data: bytes, findings: Iterable[Finding]) -> bytes:
    """The file with comments that take back these findings. Raises Unfit."""
    lines = source.lines_of(path, data)
    if lines is None:
        raise Unfit("it cannot be read")
    module = source.read(path, data)
    sheet = _Sheet(module, lines, path.lower().endswith(".ipynb"))
    wanted: dict[int, set[str]] = {}
    for finding in findings:
        first = next((cell.first for cell in module.cells if cell.index == finding.span.cell), 1) if finding.span.cell is not None else 1
        wanted.setdefault(sheet.line_for(first + finding.span.line - 1), set()).add(finding.code)
    edits = [sheet.edit(path, line, sorted(codes)) for line, codes in sorted(wanted.items())]
    return apply(path, data, edits)


class _Sheet:
    """The lines of a file (of a notebook: of all code cells together) with what can stand at their ends."""

    def __init__(self, module: Module, lines: Sequence[str], notebook: bool) -> None:
        self.module, self.lines, self.notebook = module, lines, notebook
        self.spans = suppressions.Spans(module)
        self.taken = _taken(self._texts())
        self.lists: dict[int, tuple[int, int, str]] = {}  # line -> (column of the end of its list of codes, that of its beginning, the list)
        for comment in module.comments:
            for match in suppressions.NOQA.finditer(comment.text):
                if match["codes"]:
                    self.lists[comment.line] = (comment.column + match.end("codes"), comment.column + match.start("codes"), match["codes"])

    def _texts(self) -> list[tuple[int, str]]:
        """(number of the first line, text) of the file, or of each cell."""
        if not self.notebook:
            return [(1, "\n".join(self.lines))]
        return [(cell.first, "\n".join(self.lines[cell.first - 1 : cell.first - 1 + cell.lines])) for cell in self.module.cells]

    def line_for(self, line: int) -> int:
        """The line whose end takes the comment for what stands on `line`: one with a noqa of the statement, else the line itself, else the nearest
        one below, else above, that does not end inside a string or in a backslash. Raises Unfit."""
        around = list(self.spans.around(line))
        nearest = sorted(around, key=lambda n: (n != line, n < line, abs(n - line)))
        for n in nearest:
            if n in self.lists:
                return n
        for n in nearest:
            if n <= len(self.lines) and n not in self.taken and self.lines[n - 1].strip():
                return n
        raise Unfit(f"no line of the statement on line {line} can take a comment")

    def edit(self, path: str, line: int, codes: list[str]) -> Edit:
        text = self.lines[line - 1]
        if line in self.lists:
            end, begin, listed = self.lists[line]
            joint = ", " if ", " in listed or "," not in listed and " " not in listed else "," if "," in listed else " "
            there = re.split(r"[,\s]+", listed.upper())
            new = "".join(joint + code for code in codes if code not in there)
            return Edit(self._span(path, line, end, end), new)
        bare = len(text.rstrip())
        return Edit(self._span(path, line, bare + 1, len(text) + 1), f"  # noqa: {', '.join(codes)}")

    def _span(self, path: str, line: int, start: int, end: int) -> Span:
        for cell in self.module.cells:
            if cell.first <= line < cell.first + cell.lines:
                return Span(path, line - cell.first + 1, start, line - cell.first + 1, end, cell.index)
        return Span(path, line, start, line, end)


def _taken(texts: Iterable[tuple[int, str]]) -> set[int]:
    """The lines that end inside a string or in a backslash."""
    out: set[int] = set()
    for first, text in texts:
        at, line = 0, first
        for match in _STRING_OR_BREAK.finditer(text):
            line += text.count("\n", at, match.start())
            breaks = match[0].count("\n")
            out.update(range(line, line + breaks))
            line += breaks
            at = match.end()
    return out


def sentence(outcome: Outcome, diff: bool) -> str:
    """"Added 3 comments … in 2 files, 1 finding remains."."""
    gone, left = outcome.before - len(outcome.result.findings), len(outcome.result.findings)
    head = f"{'Would suppress' if diff else 'Suppressed'} {gone} finding{'' if gone == 1 else 's'} by comments in {len(outcome.changes)} file{'' if len(outcome.changes) == 1 else 's'}"
    if not outcome.changes:
        head = "No comment to add" if diff else "No comment added"
    return f"{head}, {left} remain{'s' if left == 1 else ''}."


__all__ = ["add", "commented", "sentence"]
