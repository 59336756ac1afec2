"""How much stack the native parser will want for a text, estimated before it is given the text. Standard library only.

libcst's parser recurses without a limit of its own: some 1,200 nested brackets end the whole process, and so do long chains of operators,
attributes, calls, lambdas or `elif`. Nothing can be caught then, so the depth is estimated first. The unit is about 1 kB of stack, as
measured by shrinking the stack until libcst 1.9 crashed. Up to `DIRECT` half of the smallest default stack of a main thread (2 MB, on
Windows) is enough; up to `LIMIT` a thread with more has to parse; above it nobody should. Hand-written code stays far below `DIRECT`: it
has up to 12 nested brackets and 20 levels of blocks. The longest chain met, 2,293 strings side by side, is below `LIMIT`.

One more thing: nested patterns of a `case` take time that grows exponentially with their depth.
"""

from __future__ import annotations

import re
from typing import Iterator

DIRECT = 1_000
LIMIT = 2_500
LEVEL = 24  # one level of indentation
BRACKET = 7
BRACKETS = 140  # nested ones: facts could not hold more
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


class TooDeep(Exception):
    """The text nests too deeply; `line` and `column` are 1-based."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.line, self.column = line, column


def stack_wanted(text: str) -> int:
    """An upper bound of the stack that parsing takes, in units of about 1 kB. Raises TooDeep above `LIMIT`."""
    depth = deepest = hidden = 0
    levels = [0]  # widths of the open blocks
    chains = [0]  # for each, the elif branches so far
    base = wanted = LEVEL
    start = 0
    size = len(text)
    for match in _LINES.finditer(text):
        kind = match.lastindex
        if kind is None:
            # The fields of an f-string nest as well; a string must be long for that to matter.
            if match.end() - match.start() > 200 and sum(text.count(b, match.start(), match.end()) for b in "([{") > 50:
                hidden += (match.end() - match.start()) * BRACKET
            continue
        if kind == 2:
            depth += 1
            if depth > deepest:
                deepest = depth
                if depth > BRACKETS or base + depth * BRACKET > LIMIT:
                    raise TooDeep(*_place(text, match.start(2)), "brackets nest too deeply to be parsed")
                if depth > PATTERN_DEPTH and _is_pattern(text, start, match.start(2)):
                    raise TooDeep(*_place(text, match.start(2)), "the pattern nests too deeply to be parsed")
        elif kind == 3:
            if depth:
                depth -= 1
        elif not depth:
            end = match.end()
            if base + deepest * BRACKET + hidden + end - start > DIRECT:
                wanted = max(wanted, _logical_line(text, start, match.start(1), base, levels, chains))
            deepest = hidden = 0
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
            wanted = max(wanted, base)
            if base > LIMIT:
                raise TooDeep(*_place(text, end), _why(levels, chains))
    if base + deepest * BRACKET + hidden + size - start > DIRECT:
        wanted = max(wanted, _logical_line(text, start, size, base, levels, chains))
    return wanted


def _logical_line(text: str, start: int, end: int, base: int, levels: list[int], chains: list[int]) -> int:
    wanted, place = _chain(text, start, end, base)
    if wanted > LIMIT:
        raise TooDeep(*_place(text, place), _why(levels, chains))
    return wanted


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


def _chain(text: str, start: int, end: int, base: int) -> tuple[int, int]:
    """The most that one logical line, or a field of an f-string in it, wants, and where; it stops above `LIMIT`.

    Every operator may be a level, until the next comma on its own level of brackets.
    """
    outside: list[int] = []
    weight = floor = most = base
    place = start
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
            long = weight + (match.end() - match.start()) * BRACKET > DIRECT
            if long and match.start() > start and text[match.start() - 1] in "fFrRtT":
                for field in _fields(text, *match.span()):
                    inside, there = _chain(text, *field, weight)
                    if inside > most:
                        most, place = inside, there
        elif match[0][0] != "#":
            weight += 3 if kind == 5 else 1
        if weight > most:
            most, place = weight, match.start()
        if most > LIMIT:
            break
    return most, place


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


def _place(text: str, offset: int) -> tuple[int, int]:
    before = re.split(r"\r\n?|\n", text[:offset])
    return len(before), len(before[-1]) + 1
