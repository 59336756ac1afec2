"""How much stack the native parser will want for a text, estimated before it is given the text. Standard library only.

libcst's parser recurses without a limit of its own: some 1,200 nested brackets end the whole process, and so do long chains of operators,
attributes, calls, lambdas or `elif`. Nothing can be caught then, so the depth is estimated first. The unit is about 1 kB of stack, as
measured by shrinking the stack until libcst 1.9 crashed; `LIMIT` leaves half of the smallest default stack of a main thread (2 MB, on
Windows). Hand-written code stays far below it: it has up to 12 nested brackets and 20 levels of blocks.

One more thing: nested patterns of a `case` take time that grows exponentially with their depth.
"""

from __future__ import annotations

import re
from typing import Iterator

LIMIT = 1_000
LEVEL = 24  # one level of indentation
BRACKET = 7
PATTERN_DEPTH = 8  # nested brackets in a `case`

# A string that is never closed goes to the end of its line, or of the text: if it could fail to match, it would be tried again from every
# quote in it.
_STRING = (
    r"'''[^'\\]*(?:(?:\\(?s:.)|'(?!''))[^'\\]*)*(?:''')?"
    r'|"""[^"\\]*(?:(?:\\(?s:.)|"(?!""))[^"\\]*)*(?:""")?'
    r"|'[^'\\\n]*(?:\\(?s:.)[^'\\\n]*)*'?"
    r'|"[^"\\\n]*(?:\\(?s:.)[^"\\\n]*)*"?'
)
# Each match is a run of what does not count, and one thing that does; the last alternatives match whatever is left, so that a long run is
# never tried again.
_LINES = re.compile(
    rf"[^#'\"\\\r\n()\[\]{{}}]*(?:#[^\r\n]*|{_STRING}|\\\r?\n"
    r"|[\r\n](?:\s*[\r\n])?([ \t\f]*)|([(\[{])|([)\]}])"
    r"|\\|\Z)"
)
_LINKS = re.compile(
    rf"#[^\r\n]*|({_STRING})|([(\[{{])|([)\]}}])|([,;])|\b(?:(lambda)|not|and|or|if|else|await|in|is|for|yield|from)\b|[-+*/%@&|^<>~=!:.]+?"
)
_BRACES = re.compile(r"\{\{?|\}")
_ELIF = re.compile(r"elif\b")
_ELSE = re.compile(r"else\b")
_CASE = re.compile(r"case\b(?!\s*[=.,:)\]])")
_MATCH = re.compile(r"^[ \t]*match\b.*:", re.MULTILINE)
_GUARD = re.compile(r"\bif\b")


def too_deep(text: str) -> tuple[int, int, str] | None:
    """`(line, column, message)` of the place where the text becomes too deep to be given to the parser, or None."""
    depth = deepest = 0
    levels = [0]  # widths of the open blocks
    chains = [0]  # for each, the elif branches so far
    base = LEVEL
    start = 0
    size = len(text)
    for match in _LINES.finditer(text):
        kind = match.lastindex
        if kind is None:
            continue
        if kind == 2:
            depth += 1
            if depth > deepest:
                deepest = depth
                if base + depth * BRACKET > LIMIT:
                    return _place(text, match.start(2), "brackets nest too deeply to be parsed")
                if depth > PATTERN_DEPTH and _is_pattern(text, start, match.start(2)):
                    return _place(text, match.start(2), "the pattern nests too deeply to be parsed")
        elif kind == 3:
            if depth:
                depth -= 1
        elif not depth:
            end = match.end()
            if base + deepest * BRACKET + end - start > LIMIT:
                place = _chain(text, start, match.start(1), base)
                if place is not None:
                    return _place(text, place, _why(levels, chains))
            deepest = 0
            start = end
            if end == size or text[end] == "#":
                continue
            width = end - match.start(1)
            if width == levels[-1]:
                if text[end] != "e" and not chains[-1]:
                    continue
            elif width > levels[-1]:
                levels.append(width)
                chains.append(0)
            while levels[-1] > width:
                levels.pop()
                chains.pop()
            if _ELIF.match(text, end):
                chains[-1] += 1
            elif not _ELSE.match(text, end):
                chains[-1] = 0
            base = LEVEL * len(levels) + sum(chains)
            if base > LIMIT:
                return _place(text, end, _why(levels, chains))
    if base + deepest * BRACKET + size - start > LIMIT:
        place = _chain(text, start, size, base)
        if place is not None:
            return _place(text, place, _why(levels, chains))
    return None


def _why(levels: list[int], chains: list[int]) -> str:
    """What takes most of the stack."""
    if sum(chains) > LIMIT / 2:
        return "there are too many elif branches to be parsed"
    if len(levels) * LEVEL > LIMIT / 2:
        return "blocks nest too deeply to be parsed"
    return "the expression nests too deeply, or is too long a chain, to be parsed"


def indentations(text: str) -> Iterator[tuple[int, int]]:
    """`(start, end)` of the white space before each logical line."""
    depth = 0
    first = re.match(r"[ \t\f]*", text)
    if first is not None:
        yield first.span()
    for match in _LINES.finditer(text):
        kind = match.lastindex
        if kind == 1:
            if not depth:
                yield match.span(1)
        elif kind == 2:
            depth += 1
        elif kind == 3 and depth:
            depth -= 1


def _is_pattern(text: str, start: int, end: int) -> bool:
    """Whether `end` is in the pattern of a `case` that begins at `start` (`case` and `match` are names elsewhere)."""
    return bool(_CASE.match(text, start) and not _GUARD.search(text, start, end) and _MATCH.search(text))


def _chain(text: str, start: int, end: int, base: int) -> int | None:
    """Where one logical line, or one f-string in it, becomes too deep: every operator may be a level, until the next comma on its level."""
    outside: list[int] = []
    weight = floor = base
    for match in _LINKS.finditer(text, start, end):
        kind = match.lastindex
        if kind == 2:
            outside.append(weight)
            weight += BRACKET
            floor = weight
        elif kind == 3:
            weight = outside.pop() + 2 if outside else base
            floor = outside[-1] + BRACKET if outside else base
        elif kind == 4:
            weight = floor
        elif kind == 1:
            weight += 1
            if weight + (match.end() - match.start()) * BRACKET > LIMIT and text[match.start() - 1] in "fFrRtT" and match.start() > start:
                for field in _fields(text, *match.span()):
                    place = _chain(text, *field, weight)
                    if place is not None:
                        return place
        elif match[0][0] != "#":
            weight += 3 if kind == 5 else 1
        if weight > LIMIT:
            return match.start()
    return None


def _fields(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The replacement fields of an f-string, without their outer braces; the text between them has no depth."""
    depth = 0
    opened = start
    for match in _BRACES.finditer(text, start, end):
        if match[0] == "}":
            depth -= depth > 0
            if not depth:
                yield opened, match.start()
        elif depth or len(match[0]) == 1:
            if not depth:
                opened = match.end()
            depth += len(match[0])
    if depth:
        yield opened, end


def _place(text: str, offset: int, message: str) -> tuple[int, int, str]:
    before = re.split(r"\r\n?|\n", text[:offset])
    return len(before), len(before[-1]) + 1, message
