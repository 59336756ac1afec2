"""Reading a text again of which most is known: what a person changes in an editor is one function at a time.

The text is cut where functions and classes of the module begin. What lies before the first change is taken over; so is what lies behind the last
one, if it stands in the same lines as before. Only what is left is parsed. That is the whole text's meaning as long as each piece is a module by
itself: a change that opens a bracket or a string, ends in a decorator or goes on with the block before it is none, and everything is read anew.
"""

from __future__ import annotations

from typing import Any, Sequence

from hitl_lint.facts import ClassStmt, Def, Module
from hitl_lint.frontend import source

# How many contents of one file are kept: the newest, and the one that an undo goes back to.
KEPT = 2

# How a line begins that begins a function or a class. Whatever a bracket holds, these do not begin a line in it.
_BEGINS = ("def ", "async ", "class ", "@")


class Parsed(dict):
    """(path, content) -> facts, the newest contents of each path only (`run.Request.parsed`)."""

    def __init__(self) -> None:
        super().__init__()
        self._contents: dict[str, list[bytes]] = {}

    def __setitem__(self, key: tuple[str, bytes], module: Module) -> None:
        path, data = key
        contents = self._contents.setdefault(path, [])
        if data in contents:
            contents.remove(data)
        contents.append(data)
        while len(contents) > KEPT:
            self.pop((path, contents.pop(0)), None)
        super().__setitem__(key, module)

    def again(self, path: str, data: bytes) -> Module | None:
        """The facts of a new content, by way of the newest one that is known; None where that is no shorter."""
        contents = self._contents.get(path)
        return read(path, data, contents[-1], self[path, contents[-1]]) if contents else None


def read(path: str, data: bytes, old: bytes, known: Module) -> Module | None:
    """What `source.read(path, data)` finds, by way of the facts of another content of the same file. None where everything has to be read."""
    if path.lower().endswith(".ipynb") or known.problems or len(data) > source.MAX_BYTES:
        return None
    try:
        before, after = _lines(source.decode(old)), _lines(source.decode(data))
    except source.Unreadable:
        return None
    if before is None or after is None:
        return None
    head = _common(before, after)
    if head == len(before) == len(after):
        return None
    tail = _common(before[head:][::-1], after[head:][::-1]) if len(before) == len(after) else 0
    borders = _borders(known.body, before)
    # The pieces that are taken over: body[:first] from the lines before `start`, body[last:] from the line `end` on (0-based).
    first, start = max(((n, line) for n, line in borders if line <= head), default=(0, 0))
    last, end = min(((n, line) for n, line in borders if line >= len(before) - tail and line > start), default=(len(known.body), len(after)))
    behind = end if last < len(known.body) else len(before)
    if first == 0 and end == len(after):
        return None
    if any(line.strip() == "\\" for line in after[start:end]) or end < len(after) and after[end - 1].rstrip("\r\n").endswith("\\"):
        return None  # goes on in the next line, which libcst counts in its own way
    try:
        module = source.lowered(path, "".join(after[start:end]), start + 1)
    except source.Unreadable:
        return None
    return Module(
        path, [*known.body[:first], *module.body, *known.body[last:]],
        comments=[*(c for c in known.comments if c.line <= start), *module.comments, *(c for c in known.comments if c.line > behind)],
        statements=[*(s for s in known.statements if s[0] <= start), *module.statements, *(s for s in known.statements if s[0] > behind)],
        lines=len(after) - (not after[-1]))


def _lines(text: str) -> list[str] | None:
    """With their ends; the last one has none, and may be empty. None for what libcst sees other lines in, or another text: a byte order
    mark is one at the beginning of what is parsed, and an error anywhere else."""
    if "\f" in text or "\ufeff" in text or text.count("\r") != text.count("\r\n"):
        return None
    lines = text.split("\n")
    return [*(line + "\n" for line in lines[:-1]), lines[-1]]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines are the same, from the first one on."""
    count = 0
    for a, b in zip(one, other):
        if a != b:
            break
        count += 1
    return count


def _borders(body: Sequence[Any], lines: Sequence[str]) -> list[tuple[int, int]]:
    """(number of the statement, its first line, 0-based) of each function and class that begins at the start of a line."""
    out = []
    for number, statement in enumerate(body):
        kind = type(statement)
        if kind is Def or kind is ClassStmt:
            line = (statement.fn if kind is Def else statement.cls).whole[0] - 1
            if lines[line].startswith(_BEGINS):
                out.append((number, line))
    return out
