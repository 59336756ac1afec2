"""From bytes and edits to bytes. Pure: reads and writes no file.

What is outside of the edits stays byte by byte: the encoding, the byte order mark, line ends, form feeds, a missing final line end; in a notebook
everything but the `source` of the cells that are edited, down to the spelling of its JSON.
"""

from __future__ import annotations

import bisect
import codecs
import json
import re
from typing import Iterable, Sequence

from hitl_lint.finding import Edit, Fix, Span
from hitl_lint.frontend import source

_LINE_END = re.compile(r"\r\n?|\n")
# A line, or one more name in a line that is there.
_IMPORT = re.compile(r"\s*(?:(?:from [\w.]+ import [^\n]+|import [^\n]+)\n*)+|(?:, \w+(?: as \w+)?)+|(?:\w+(?: as \w+)?, )+")
_TOKEN = re.compile(r'[ \t\r\n]*("[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+)', re.DOTALL)
_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")

Place = tuple[int, int]

# Characters of a notebook's JSON that one edit may take the place of.
MAX_JSON_EDIT = 20_000


class Unfit(Exception):
    """The edits cannot be made; its text is half a sentence that says why."""


def apply(path: str, data: bytes, edits: Iterable[Edit]) -> bytes:
    """The content of a file with the edits made. Edits at the same empty span come in the order given. Raises Unfit."""
    if path.lower().endswith(".ipynb"):
        return _notebook(data, list(edits))
    try:
        text = source.decode(data)
    except source.Unreadable as error:
        raise Unfit(f"the file cannot be read: {error}") from None
    encoding = source.encoding_of(data)
    pieces = _pieces(text, list(edits))
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    kept = [_encoded(piece, encoding) for piece, _ in pieces]
    # Some encodings write one text in several ways, or carry a state from one piece to the next.
    old = b"".join(part if own else _encoded(text[span[0]:span[1]], encoding) for part, (own, span) in zip(kept, (origin for _, origin in pieces)))
    if mark + old != data:
        raise Unfit(f"its encoding, {encoding}, does not let one part be written without touching the rest")
    new = mark + b"".join(kept)
    try:
        same = source.decode(new) == "".join(piece for piece, _ in pieces)
    except source.Unreadable:
        same = False
    if not same:
        raise Unfit("it would change how the file is decoded")
    return new


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        raise Unfit(f"{text[error.start:error.start + 1]!r} cannot be written in the file's encoding, {encoding}") from None
    except Exception:  # codecs of all kinds can be declared; some only read, or raise what they like
        raise Unfit(f"the file's encoding, {encoding}, cannot be written") from None


# --------------------------------------------------------------------------- one text
def _pieces(text: str, edits: Sequence[Edit]) -> list[tuple[str, tuple[bool, Place]]]:
    """The new text in pieces, each with (whether it is as before, the span of the old text in whose place it stands)."""
    lines = _Lines(text)
    spans = []
    for number, edit in enumerate(edits):
        s = edit.span
        start, end = lines.offset(s.line, s.column), lines.offset(s.end_line, s.end_column)
        if end < start:
            raise Unfit("an edit ends before it begins")
        spans.append((start, end, number, edit.text.replace("\n", lines.end_at(s.line))))
    out: list[tuple[str, tuple[bool, Place]]] = []
    at = 0
    for start, end, _, new in sorted(spans, key=lambda x: x[:3]):
        if start < at:
            raise Unfit("two of its edits overlap")
        out.append((text[at:start], (True, (at, start))))
        out.append((new, (False, (start, end))))
        at = end
    out.append((text[at:], (True, (at, len(text)))))
    return out


class _Lines:
    def __init__(self, text: str) -> None:
        self.text = text
        self.starts, self.stops, self.ends = [0], [], []
        for match in _LINE_END.finditer(text):
            self.stops.append(match.start())
            self.ends.append(match[0])
            self.starts.append(match.end())
        self.stops.append(len(text))

    def offset(self, line: int, column: int) -> int:
        """Raises Unfit where the text has no such place."""
        if not 1 <= line <= len(self.starts) or not 1 <= column <= self.stops[line - 1] - self.starts[line - 1] + 1:
            raise Unfit(f"line {line}, column {column} is not there")
        return self.starts[line - 1] + column - 1

    def end_at(self, line: int) -> str:
        """How the line ends, or else the one above it."""
        return self.ends[min(line, len(self.ends)) - 1] if self.ends else "\n"


# --------------------------------------------------------------------------- notebooks
def _notebook(data: bytes, edits: list[Edit]) -> bytes:
    """Raises Unfit."""
    from hitl_lint.frontend.notebook import code_cells

    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    try:
        text = data[len(mark):].decode("utf-8")
        cells = {cell.index for cell in code_cells(data)}
        places = _sources(text)
    except (ValueError, LookupError) as error:
        raise Unfit(f"the notebook cannot be read: {error}") from None
    by_cell: dict[int, list[Edit]] = {}
    for edit in edits:
        if edit.span.cell not in cells or edit.span.cell >= len(places):
            raise Unfit(f"cell {edit.span.cell} is not there")
        by_cell.setdefault(edit.span.cell, []).append(edit)
    ascii_only = text.isascii() and re.search(r"\\u(?!00[0-7])[0-9a-fA-F]{4}", text) is not None
    parts, wanted, at = [], {}, 0
    for index in sorted(by_cell, key=lambda i: places[i]):
        start, end = places[index]
        new, wanted[index] = _cell(text, start, end, by_cell[index], ascii_only)
        parts += [text[at:start], new]
        at = end
    new_data = mark + "".join([*parts, text[at:]]).encode("utf-8")
    if any(cell.raw != wanted[cell.index] for cell in code_cells(new_data) if cell.index in wanted):
        raise Unfit("the cell cannot be rewritten in place")
    return new_data


def _cell(text: str, start: int, end: int, edits: list[Edit], ascii_only: bool) -> tuple[str, str]:
    """(the JSON of a cell's source with the edits, the source that it stands for, as `CodeCell.raw` has it)."""
    tokens = [(start, end)] if text[start] == '"' else _array(text, start)
    items = [json.loads(text[a:b], strict=False) for a, b in tokens]
    if not all(isinstance(item, str) for item in items):
        raise Unfit("the cell's source is no text")
    whole = "".join(items)
    pieces = _pieces(whole, edits)
    new = "".join(piece for piece, _ in pieces)
    raw = _SURROGATE.sub("\ufffd", re.sub(r"\r\n?", "\n", new)).removesuffix("\n")
    if text[start] == '"':
        ways = _offsets(text[start + 1 : end - 1])
        body = "".join(text[start + 1 + ways[a] : start + 1 + ways[b]] if own else _dumped(piece, ascii_only)[1:-1] for piece, (own, (a, b)) in pieces)
        return f'"{body}"', raw
    # A list: items that no edit touches stay as they are, the others are written anew, one line an item as they were.
    bounds = [0]
    for item in items:
        bounds.append(bounds[-1] + len(item))
    touched: set[int] = set()
    for _, (own, (a, b)) in pieces:
        if not own:
            touched.update(n for n in range(len(items)) if bounds[n] <= a < bounds[n + 1] or a < bounds[n + 1] and b > bounds[n])
            if a == bounds[-1] and items:
                touched.add(len(items) - 1)
    spelled = {item: text[a:b] for item, (a, b) in zip(items, tokens)}
    out: list[str] = []
    n = 0
    while n < len(items):
        if n not in touched:
            out.append(text[slice(*tokens[n])])
            n += 1
            continue
        last = n
        while last + 1 in touched:
            last += 1
        inside = _between(pieces, bounds[n], bounds[last + 1], last + 1 == len(items))
        while last + 1 < len(items) and items[last].endswith("\n") and inside and not inside.endswith("\n"):
            last += 1  # a line end was taken out: the next item goes on in the same line
            inside = _between(pieces, bounds[n], bounds[last + 1], last + 1 == len(items))
        by_line = not any("\n" in item[:-1] for item in items[n : last + 1])
        out += [spelled.get(line) or _dumped(line, ascii_only) for line in (_by_line(inside) if by_line else [inside]) if line]
        n = last + 1
    if not items:
        out = [_dumped(line, ascii_only) for line in _by_line(new)]
    if not out:
        return "[]", raw
    head = text[start + 1 : tokens[0][0]] if tokens else ""
    tail = text[tokens[-1][1] : end - 1] if tokens else ""
    joint = text[tokens[0][1] : tokens[1][0]] if len(tokens) > 1 else "," + (head or " ")
    # Between items that were there, what stood there; lists are written by machines, so that it is the same everywhere.
    return f"[{head}{joint.join(out)}{tail}]", raw


def _by_line(text: str) -> list[str]:
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _between(pieces: Sequence[tuple[str, tuple[bool, Place]]], first: int, last: int, at_end: bool) -> str:
    """The new text of a part of the old one that no edit crosses."""
    out = []
    for piece, (own, (a, b)) in pieces:
        if own:
            out.append(piece[max(first - a, 0) : max(min(last, b) - a, 0)] if b > first else "")
        elif first <= a and (b <= last and a < last or at_end and a == last):
            out.append(piece)
    return "".join(out)


def _dumped(text: str, ascii_only: bool) -> str:
    dumped = json.dumps(text, ensure_ascii=ascii_only)
    return dumped if ascii_only else _SURROGATE.sub(lambda m: f"\\u{ord(m[0]):04x}", dumped)


def _offsets(raw: str) -> list[int]:
    """Of the inside of a JSON string: the place of each character that it stands for, and the end."""
    return [*(match.start() for match in _ESCAPE.finditer(raw)), len(raw)]


def _sources(text: str) -> list[Place]:
    """The spans of the sources of all cells, (0, 0) for one that has none. Raises ValueError."""
    root = _object(text, 0)
    if "cells" in root:
        cells = _array(text, root["cells"][0])
    else:
        cells = [cell for sheet in _array(text, root["worksheets"][0]) for cell in _array(text, _object(text, sheet[0])["cells"][0])]
    out = []
    for a, _ in cells:
        parts = _object(text, a) if text[a] == "{" else {}
        out.append(parts.get("source", parts.get("input", (0, 0))))
    return out


def lines_in_json(data: bytes) -> dict[int, list[int]]:
    """For each cell of a notebook the lines of the file in which the lines of its source stand. Empty for what is no notebook."""
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
        places = _sources(text)
        ends = [match.end() for match in re.finditer("\n", text)]
        out: dict[int, list[int]] = {}
        for index, (start, end) in enumerate(places):
            if start == end:
                continue
            rows: list[int] = []
            fresh = True  # the next item begins a line of the source
            for a, b in [(start, end)] if text[start] == '"' else _array(text, start):
                item = re.sub(r"\r\n?", "\n", json.loads(text[a:b], strict=False))
                line = bisect.bisect_right(ends, a) + 1
                inside = item.split("\n")
                if item and fresh:
                    rows.append(line)
                if item:
                    fresh = inside[-1] == ""
                    rows += [line] * (len(inside) - 1 - fresh)
            out[index] = rows or [bisect.bisect_right(ends, start) + 1]
        return out
    except (ValueError, LookupError, TypeError, RecursionError):
        return {}


def edit_of_json(path: str, data: bytes, edits: Iterable[Edit]) -> Edit | None:
    """The lines of a notebook's JSON that edits of its cells change, as one edit of the file. None where they cannot be made, and for a notebook that is
    one line: nobody takes that for a suggestion."""
    try:
        old, new = (content.decode("utf-8").split("\n") for content in (data, apply(path, data, edits)))
    except (ValueError, Unfit):
        return None
    least = min(len(old), len(new))
    head = next((n for n in range(least) if old[n] != new[n]), least)
    tail = next((n for n in range(least - head) if old[-1 - n] != new[-1 - n]), least - head)
    if not tail or sum(map(len, old[head:len(old) - tail])) > MAX_JSON_EDIT:
        return None
    return Edit(Span(path, head + 1, 1, len(old) - tail + 1, 1), "".join(line + "\n" for line in new[head:len(new) - tail]))


def _object(text: str, at: int) -> dict[str, Place]:
    """The spans of an object's values, by key; of a key that comes twice the last one, as `json` reads it. Raises ValueError."""
    out: dict[str, Place] = {}
    at = _expect(text, at, "{")
    while (token := _next(text, at))[1] != "}":
        if token[1] == ",":
            at = token[2]
            continue
        key = json.loads(token[1], strict=False)
        start, end = _value(text, _expect(text, token[2], ":"))
        out[key] = (start, end)
        at = end
    return out


def _array(text: str, at: int) -> list[Place]:
    """The spans of an array's items. Raises ValueError."""
    out = []
    at = _expect(text, at, "[")
    while (token := _next(text, at))[1] != "]":
        if token[1] == ",":
            at = token[2]
            continue
        out.append(_value(text, at))
        at = out[-1][1]
    return out


def _value(text: str, at: int) -> Place:
    start, token, end = _next(text, at)
    if token not in ("{", "["):
        return start, end
    depth = 1
    while depth:
        _, token, end = _next(text, end)
        depth += (token in ("{", "[")) - (token in ("}", "]"))
    return start, end


def _expect(text: str, at: int, wanted: str) -> int:
    _, token, end = _next(text, at)
    if token != wanted:
        raise ValueError(f"no {wanted} where one must be")
    return end


def _next(text: str, at: int) -> tuple[int, str, int]:
    match = _TOKEN.match(text, at)
    if match is None:
        raise ValueError("its JSON ends too early")
    return match.start(1), match[1], match.end(1)


# --------------------------------------------------------------------------- several fixes
def overlap(a: Fix, b: Fix) -> bool:
    """Whether two fixes change the same place; touching counts, but for an import that both bring in at the same place."""
    return any(_meet(x, y) for x in a.edits for y in b.edits)


def _meet(x: Edit, y: Edit) -> bool:
    s, t = x.span, y.span
    if (s.path, s.cell) != (t.path, t.cell) or x == y and _IMPORT.fullmatch(x.text):
        return False
    return (s.line, s.column) <= (t.end_line, t.end_column) and (t.line, t.column) <= (s.end_line, s.end_column)


def joined(fixes: Iterable[Fix]) -> dict[str, list[Edit]]:
    """The edits of fixes that do not overlap, by path; an import that several bring in comes once."""
    out: dict[str, list[Edit]] = {}
    for fix in fixes:
        before = {path: set(edits) for path, edits in out.items()}
        for edit in fix.edits:
            if edit not in before.get(edit.span.path, ()):
                out.setdefault(edit.span.path, []).append(edit)
    return out


__all__ = ["Unfit", "apply", "edit_of_json", "joined", "lines_in_json", "overlap"]
