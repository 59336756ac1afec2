"""What reports for other programs need to know of the files: places as they count them, and paths as they write them."""

from __future__ import annotations

import os
from typing import Callable, NamedTuple, Sequence

from hitl_lint.finding import Edit, Finding, Fix, Span

HOME = "https://github.com/hitl-lint/hitl-lint"


class Files(NamedTuple):
    """`lines`: the lines of a file, or of one cell of a notebook; `line_of`: the line of a notebook's JSON in which a line of a cell stands. Both
    give None for what cannot be had (any more). `below`: the working directory as seen from the top of the repository, to which such programs take
    paths to be relative; "" at the top. `in_json`: what edits of a notebook's cells make of the lines of its JSON, as one edit of the file; None
    where that cannot be said in lines."""

    lines: Callable[[str, "int | None"], "Sequence[str] | None"]
    line_of: Callable[[str, int, int], "int | None"]
    below: str = ""
    in_json: Callable[[str, "Sequence[Edit]"], "Edit | None"] = lambda path, edits: None

    def rooted(self, path: str) -> str:
        """A path relative to the top of the repository."""
        return path if not self.below or os.path.isabs(path) else os.path.normpath(f"{self.below}/{path}").replace(os.sep, "/")


def line(span: Span, files: Files) -> int:
    """The line of the file in which a span begins, in a notebook one of its JSON: programs open files, not cells."""
    if span.cell is None:
        return max(span.line, 1)
    return files.line_of(span.path, span.cell, span.line) or 1


def told(finding: Finding) -> str:
    """The message, in a notebook with the place in the cell."""
    s = finding.span
    return finding.message if s.cell is None else f"cell {s.cell}, line {s.line}: {finding.message}"


def bytes_before(span_line: int, column: int, lines: Sequence[str] | None) -> int:
    """The 1-based column in bytes of UTF-8 of one in code points."""
    text = lines[span_line - 1][: column - 1] if lines is not None and 1 <= span_line <= len(lines) else ""
    return column + len(text.encode("utf-8", "surrogatepass")) - len(text)


def text(path: str, files: Files | None = None) -> str:
    """A path, which may hold bytes that are no text, as text; with `files` relative to the top of the repository."""
    path = path if files is None else files.rooted(path)
    return path if path.isascii() else os.fsencode(path).decode("utf-8", "replace")


def legal(said: str) -> str:
    """Without control characters, which some formats cannot hold, and lone surrogates, which none can."""
    return "".join(c if c in "\t\n" or c >= " " and not "\x7f" <= c <= "\x9f" and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff" else "\ufffd" for c in said)


def as_one_edit(fix: Fix, path: str, lines: Sequence[str] | None, most: int = 200) -> Edit | None:
    """The edits of a fix of one Python file as a single one, for formats in which each is taken or left by itself. None for a fix of other files,
    one that spans more than `most` lines, and one whose lines cannot be had."""
    edits = sorted(fix.edits, key=lambda e: (e.span.line, e.span.column, e.span.end_line, e.span.end_column))
    if not edits or lines is None or any(e.span.path != path or e.span.cell is not None or e.span.end_line > len(lines) for e in edits):
        return None
    first, last = edits[0].span, edits[-1].span
    if last.end_line - first.line >= most:
        return None
    out = []
    at = (first.line, first.column)
    for edit in edits:
        s = edit.span
        if (s.line, s.column) < at:
            return None
        out += [between(lines, at, (s.line, s.column)), edit.text]
        at = (s.end_line, s.end_column)
    return Edit(Span(path, first.line, first.column, *at), "".join(out))


def between(lines: Sequence[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """The text from one (line, column) to another, lines ended by "\\n"."""
    (a, column), (b, stop) = start, end
    if a == b:
        return lines[a - 1][column - 1 : stop - 1]
    return "\n".join([lines[a - 1][column - 1 :], *lines[a : b - 1], lines[b - 1][: stop - 1]])
