"""Dotted paths and the patterns that name them.

A *path* is a dotted name with `()` after everything that was called: `httpx.Client().post`. A call whose first argument is kept (see
`KEYED`) holds it: `boto3.client('s3').put_object`.

A *pattern* is a path in which
- `*` inside a segment stands for any characters of that segment (also for `()`): `Chat*().invoke`, `client*.put_item`;
- a segment `**` stands for any number of segments, also none;
- `{a,b}` stands for a or b (not nested).

When several patterns match, the *most specific* one wins: first the one with more segments written out in full, then the one with more
literal characters, then the one without `**`. `Weight` is that order. Two patterns of equal weight that match the same path would
be a mistake in the tables; a test looks for them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Iterator, NamedTuple

Weight = tuple[int, int, int]


def split(path: str) -> tuple[str, ...]:
    """The segments of a path or pattern; dots inside parentheses or braces do not count."""
    if "'" not in path and "{" not in path:
        return tuple(path.split("."))
    parts: list[str] = []
    depth = start = 0
    for i, ch in enumerate(path):
        if ch in "({":
            depth += 1
        elif ch in ")}":
            depth -= 1
        elif ch == "." and not depth:
            parts.append(path[start:i])
            start = i + 1
    parts.append(path[start:])
    return tuple(parts)


def expand(text: str) -> Iterator[str]:
    """The text without braces: one for every choice."""
    start = text.find("{")
    if start < 0:
        yield text
        return
    end = text.find("}", start)
    if end < 0 or "{" in text[start + 1:end]:
        raise ValueError(f"bad braces in pattern {text!r}")
    for choice in text[start + 1:end].split(","):
        yield from expand(text[:start] + choice + text[end + 1:])


def segment_matches(pattern: str, segment: str) -> bool:
    """Does a segment with `*` in it match?"""
    first, *rest = pattern.split("*")
    if not segment.startswith(first):
        return False
    at = len(first)
    last = rest.pop()
    for piece in rest:
        found = segment.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return len(segment) - at >= len(last) and segment.endswith(last)


class Choice(NamedTuple):
    """One segment of a pattern: the texts it may be, and the texts with `*` that it may match. `deep` marks `**`."""

    exact: frozenset[str]
    globs: tuple[str, ...]
    deep: bool


@lru_cache(maxsize=4096)
def _choice(segment: str) -> Choice:
    if segment == "**":
        return Choice(frozenset(), (), True)
    texts = tuple(expand(segment))
    return Choice(frozenset(t for t in texts if "*" not in t), tuple(t for t in texts if "*" in t), False)


Pattern = tuple[Choice, ...]


def compiled(pattern: str) -> Iterator[Pattern]:
    """The pattern as choices, a segment each; braces that hold dots make several patterns."""
    for one in _open_dotted(pattern):
        yield tuple(_choice(s) for s in split(one))


def _open_dotted(pattern: str) -> Iterator[str]:
    at = 0
    while True:
        start = pattern.find("{", at)
        if start < 0:
            yield pattern
            return
        end = pattern.find("}", start)
        if end < 0 or "{" in pattern[start + 1:end]:
            raise ValueError(f"bad braces in pattern {pattern!r}")
        inside = pattern[start + 1:end]
        if "." in inside:
            for choice in inside.split(","):
                yield from _open_dotted(pattern[:start] + choice + pattern[end + 1:])
            return
        at = end


def match(pattern: Pattern, segments: tuple[str, ...]) -> Weight | None:
    """How specifically the pattern matches the whole path, or None."""
    return _match(pattern, 0, segments, 0, 0, 0, 1)


def _match(pattern: Pattern, p: int, segments: tuple[str, ...], s: int, full: int, chars: int, flat: int) -> Weight | None:
    while p < len(pattern):
        choice = pattern[p]
        if choice.deep:
            best: Weight | None = None
            for skip in range(s, len(segments) + 1):
                found = _match(pattern, p + 1, segments, skip, full, chars, 0)
                if found is not None and (best is None or found > best):
                    best = found
            return best
        if s >= len(segments):
            return None
        segment = segments[s]
        if segment in choice.exact:
            full += 1
            chars += len(segment)
        else:
            literal = max((len(g) - g.count("*") for g in choice.globs if segment_matches(g, segment)), default=-1)
            if literal < 0:
                return None
            chars += literal
        p += 1
        s += 1
    return (full, chars, flat) if s == len(segments) else None


class Table:
    """Patterns with a value each, found by their last segment; answers with the most specific one that matches."""

    def __init__(self) -> None:
        self._by_last: dict[str, list[tuple[Pattern, Any]]] = {}
        self._other: list[tuple[Pattern, Any]] = []

    def add(self, pattern: str, value: Any) -> None:
        for one in compiled(pattern):
            last = one[-1]
            for text in last.exact:
                self._by_last.setdefault(text, []).append((one, value))
            if last.globs or last.deep:
                self._other.append((one, value))

    def best(self, segments: tuple[str, ...]) -> tuple[Weight, Any] | None:
        """The weight and value of the most specific pattern; of equal ones the first that was added."""
        best: tuple[Weight, Any] | None = None
        for group in (self._by_last.get(segments[-1], ()), self._other):
            for pattern, value in group:
                found = match(pattern, segments)
                if found is not None and (best is None or found > best[0]):
                    best = (found, value)
        return best

    def all(self, segments: tuple[str, ...]) -> list[tuple[Weight, Any]]:
        """Everything that matches (for the tests)."""
        out = []
        for group in (self._by_last.get(segments[-1], ()), self._other):
            out += [(found, value) for pattern, value in group if (found := match(pattern, segments)) is not None]
        return out
