"""What fixers work on: the project, and the texts of its files in the coordinates of facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterator

from hitl_lint.facts import At
from hitl_lint.finding import Edit

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project


class Refused(Exception):
    """There is no fix that is certain to be right. Its text is one sentence that says why; "" where it is not this fixer's business."""


class Sheet:
    """The text of one file as facts see it: lines from 1 without their ends, columns from 1 in code points; of a notebook all code cells, as they are
    written, one below the other."""

    def __init__(self, project: "Project", path: str, lines: list[str]) -> None:
        self._project = project
        self.path = path
        self.lines = lines

    def line(self, number: int) -> str:
        """The text of a line, "" beyond the end."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def slice(self, at: At) -> str:
        """The text of a span, lines joined by a line feed."""
        first, col, last, end = at
        if first == last:
            return self.line(first)[col - 1 : end - 1]
        return "\n".join([self.line(first)[col - 1 :], *self.lines[first : last - 1], self.line(last)[: end - 1]])

    def indent(self, number: int) -> str:
        """The white space that a line begins with."""
        line = self.line(number)
        return line[: len(line) - len(line.lstrip(" \t\f"))]

    def edit(self, at: At, text: str) -> Edit:
        """Put `text` in the place of a span."""
        return Edit(self._project.span(self.path, at), text)

    def insert_before(self, number: int, text: str) -> Edit:
        """Whole lines (`text` ends with a line feed) above a line."""
        return self.edit((number, 1, number, 1), text)

    def insert_after(self, number: int, text: str) -> Edit:
        """Whole lines (`text` ends with a line feed) below a line, also below the last one of a file or cell."""
        end = len(self.line(number)) + 1
        return self.edit((number, end, number, end), "\n" + text.removesuffix("\n"))

    def delete_lines(self, first: int, last: int) -> Edit:
        """Take out whole lines. Refused where that would leave a file or cell without any line behind them."""
        if last < len(self.lines) and self._same_cell(first, last + 1):
            return self.edit((first, 1, last + 1, 1), "")
        if first > 1 and self._same_cell(first - 1, last):
            return self.edit((first - 1, len(self.line(first - 1)) + 1, last, len(self.line(last)) + 1), "")
        return self.edit((first, 1, last, len(self.line(last)) + 1), "")

    def _same_cell(self, a: int, b: int) -> bool:
        one, other = (self._project.span(self.path, (n, 1, n, 1)) for n in (a, b))
        return one.cell == other.cell


class Desk:
    """`read(path)`: the text of a file as `Sheet` wants it, as lines; None when it cannot be had."""

    def __init__(self, project: "Project", read: Callable[[str], list[str] | None]) -> None:
        self.project = project
        self._read = read
        self._sheets: dict[str, Sheet] = {}
        self.memo: dict[Any, Any] = {}  # of fixers, by what they like

    def sheet(self, path: str) -> Sheet:
        """Raises Refused where the file cannot be read again."""
        found = self._sheets.get(path)
        if found is None:
            lines = self._read(path)
            if lines is None:
                raise Refused(f"{path} cannot be read any more")
            found = self._sheets[path] = Sheet(self.project, path, lines)
        return found

    def names_in(self, path: str) -> set[str]:
        """Every word that occurs in a file as a name, so that a new name can be one that is not there."""
        key = ("names", path)
        if key not in self.memo:
            import re

            self.memo[key] = set(re.findall(r"[^\W\d]\w*", "\n".join(self.sheet(path).lines)))
        return self.memo[key]

    def fresh(self, wanted: str, *paths: str) -> str:
        """`wanted`, or with a number behind it, so that none of the files has it."""
        taken = set().union(*(self.names_in(p) for p in paths))
        return next(name for name in _numbered(wanted) if name not in taken)


def _numbered(name: str) -> Iterator[str]:
    yield name
    n = 2
    while True:
        yield f"{name}_{n}"
        n += 1
