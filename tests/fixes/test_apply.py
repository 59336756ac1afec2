"""Edits are made where they are meant, and nowhere else: outside of them every byte stays."""

from __future__ import annotations

import codecs
import json
import re
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from hitl_lint.finding import Edit, Fix, Span
from hitl_lint.fixes.apply import Unfit, apply, joined, overlap
from hitl_lint.frontend.notebook import code_cells

LINE_END = re.compile(r"\r\n?|\n")
ENDS = ("\n", "\r\n", "\r")
ENCODINGS = {"": "utf-8", "# coding: utf-8\n": "utf-8", "# -*- coding: latin-1 -*-\n": "latin-1", "# coding: cp1252\n": "cp1252", "# coding=gbk\n": "gbk"}
LETTERS = {"utf-8": "ab é\t\f'\"#漢\u2028😀\x0b\x85", "latin-1": "ab é\t\f'\x85", "cp1252": "ab é\t\f€", "gbk": "ab \t\f漢字"}


def edit(line: int, column: int, end_line: int, end_column: int, text: str, *, path: str = "a.py", cell: int | None = None) -> Edit:
    return Edit(Span(path, line, column, end_line, end_column, cell), text)


@st.composite
def texts(draw: Any, letters: str, ends: tuple[str, ...] = ENDS) -> str:
    lines = draw(st.lists(st.tuples(st.text(letters, max_size=6), st.sampled_from(ends)), max_size=8))
    last = draw(st.text(letters, max_size=6))
    return "".join(a + b for a, b in lines) + last


@st.composite
def edits_of(draw: Any, text: str, letters: str, cell: int | None = None, path: str = "a.py") -> list[tuple[int, int, Edit]]:
    """Edits that do not overlap, each with the offsets that it has in the text."""
    places = []
    start = 0
    for number, match in enumerate([*LINE_END.finditer(text), None], 1):
        stop = match.start() if match else len(text)
        places += [(start + column, number, column + 1) for column in range(stop - start + 1)]
        start = match.end() if match else 0
    chosen = sorted(draw(st.lists(st.sampled_from(places), max_size=6)))
    out = []
    for a, b in zip(chosen[::2], chosen[1::2]):
        if out and a[0] < out[-1][1]:
            continue
        new = draw(texts(letters, ("\n",)))
        out.append((a[0], b[0], edit(a[1], a[2], b[1], b[2], new, path=path, cell=cell)))
    return out


def pieces(text: str, made: list[tuple[int, int, Edit]]) -> list[str]:
    """What stands between the edits."""
    out, at = [], 0
    for start, end, _ in made:
        out.append(text[at:start])
        at = end
    return [*out, text[at:]]


def expected(text: str, made: list[tuple[int, int, Edit]]) -> str:
    kept = pieces(text, made)
    out = kept[0]
    for (start, _, e), rest in zip(made, kept[1:]):
        after = LINE_END.search(text, start)
        ends = LINE_END.findall(text)
        out += e.text.replace("\n", after[0] if after else ends[-1] if ends else "\n") + rest
    return out


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_outside_of_the_edits_every_byte_stays(data: Any) -> None:
    head = data.draw(st.sampled_from(sorted(ENCODINGS)))
    encoding = ENCODINGS[head]
    mark = data.draw(st.booleans()) if encoding == "utf-8" else False
    text = data.draw(texts(LETTERS[encoding]))
    below = [] if not text else data.draw(edits_of(text, LETTERS[encoding]))
    if head:
        below = [(a, b, Edit(Span("a.py", e.span.line + 1, e.span.column, e.span.end_line + 1, e.span.end_column), e.text)) for a, b, e in below]
    raw = (codecs.BOM_UTF8 if mark else b"") + (head + text).encode(encoding)
    shifted = [(a + len(head), b + len(head), e) for a, b, e in below]
    given = [e for _, _, e in below]
    if len({a for a, _, _ in below}) == len(below):
        given = data.draw(st.permutations(given))
    try:
        new = apply("a.py", raw, given)
    except Unfit as error:
        assert "decoded" in str(error), error  # a line that would declare another encoding, or no longer does
        return
    assert new == (codecs.BOM_UTF8 if mark else b"") + expected(head + text, shifted).encode(encoding)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_in_a_notebook_only_the_source_of_the_edited_cells_changes(data: Any) -> None:
    letters = "ab é\t'\"#漢😀\\\u2028\x0b"
    ends = ("\n",) if data.draw(st.booleans()) else ("\n", "\r\n")
    number = data.draw(st.integers(1, 3))
    cells, edits, wanted = [], [], {}
    for index in range(number):
        text = data.draw(texts(letters, ends))
        # The last line end of a cell is none that lines are counted by.
        made = data.draw(edits_of(text, letters, index, "a.ipynb")) if text else []
        made = [m for m in made if m[1] <= len(text.removesuffix("\n"))]
        edits += [e for _, _, e in made]
        wanted[index] = expected(text, made)
        listed = data.draw(st.booleans())
        source: Any = text
        if listed:
            source = [line + "\n" for line in text.split("\n")]
            source[-1] = source[-1][:-1]
            source = [line for line in source if line]
        cells.append({"cell_type": "code", "execution_count": None, "metadata": {"a": "é"}, "outputs": [{"text": ["x\n", "source"], "data": {"source": "y"}}],
                      "source": source})
    cells.insert(0, {"cell_type": "markdown", "source": ["# é\n", "[1]{2}"], "metadata": {}})
    edits = [Edit(Span(e.span.path, e.span.line, e.span.column, e.span.end_line, e.span.end_column, e.span.cell + 1), e.text) for e in edits]
    book = {"cells": cells, "metadata": {"source": "no"}, "nbformat": 4}
    ascii_only, indent = data.draw(st.booleans()), data.draw(st.sampled_from((None, 1, "\t")))
    raw = (json.dumps(book, ensure_ascii=ascii_only, indent=indent) + data.draw(st.sampled_from(("", "\n")))).encode()
    new = apply("a.ipynb", raw, edits)
    after = json.loads(new)
    for index in range(number):
        source = after["cells"][index + 1]["source"]
        assert type(source) is type(cells[index + 1]["source"])
        assert "".join(source) == wanted[index]
        if isinstance(source, list):
            assert all(line.endswith("\n") for line in source[:-1])
        after["cells"][index + 1]["source"] = cells[index + 1]["source"]
    assert after == book and list(after) == list(book)
    # Dumped by the same hand it is what was there, but for the cells; so every other byte is where it was.
    rebuilt = {**book, "cells": [cells[0], *({**cell, "source": json.loads(new)["cells"][n + 1]["source"]} for n, cell in enumerate(cells[1:]))]}
    assert new.rstrip(b"\n") == json.dumps(rebuilt, ensure_ascii=ascii_only, indent=indent).encode()
    assert new.endswith(b"\n") == raw.endswith(b"\n")


# --------------------------------------------------------------------------- by example
@pytest.mark.parametrize(("before", "edits", "after"), [
    ("a\r\nb\r\n", [edit(2, 1, 2, 1, "x\n")], "a\r\nx\r\nb\r\n"),
    ("a\nb\r\nc\n", [edit(2, 1, 2, 1, "x\n"), edit(3, 1, 3, 1, "y\n")], "a\nx\r\nb\r\ny\nc\n"),
    ("a\r\nb", [edit(2, 2, 2, 2, "\nx")], "a\r\nb\r\nx"),
    ("a\rb\r", [edit(1, 2, 1, 2, "\nx")], "a\rx\rb\r"),
    ("a", [edit(1, 2, 1, 2, "\nx")], "a\nx"),
    ("", [edit(1, 1, 1, 1, "x\n")], "x\n"),
    ("ab", [edit(1, 2, 1, 2, "1"), edit(1, 2, 1, 2, "2"), edit(1, 1, 1, 1, "0")], "0a12b"),
    ("abc", [edit(1, 1, 1, 3, "x"), edit(1, 3, 1, 3, "y")], "xyc"),
    ("\fa\nb\n", [edit(2, 1, 2, 2, "")], "\fa\n\n"),
    ("a\x0bb\u2028c\nd\n", [edit(2, 1, 2, 2, "e")], "a\x0bb\u2028c\ne\n"),
])
def test_lines_take_the_end_of_the_line_they_stand_at(before: str, edits: list[Edit], after: str) -> None:
    for mark in (b"", codecs.BOM_UTF8):
        assert apply("a.py", mark + before.encode(), edits) == mark + after.encode()


@pytest.mark.parametrize(("data", "edits", "why"), [
    ("# coding: latin-1\na\n".encode(), [edit(2, 1, 2, 1, "漢")], "'漢' cannot be written in the file's encoding, latin-1"),
    (b"ab\n", [edit(1, 1, 1, 3, "x"), edit(1, 2, 1, 3, "y")], "two of its edits overlap"),
    (b"ab\n", [edit(3, 1, 3, 1, "x")], "line 3, column 1 is not there"),
    (b"ab\n", [edit(1, 4, 1, 4, "x")], "line 1, column 4 is not there"),
    (b"ab\n", [edit(1, 2, 1, 1, "x")], "an edit ends before it begins"),
    (b"# coding: latin-1\n\xe9\n", [edit(1, 1, 1, 18, "")], "it would change how the file is decoded"),
    (b"\0", [], "the file cannot be read: the file holds a NUL byte, so it is not Python source"),
    (b"# coding: utf-7\n+AOk-\n", [edit(2, 1, 2, 1, "x")], ""),
    (b"# coding: punycode\nab\n", [edit(2, 1, 2, 1, "x")], ""),
])
def test_what_cannot_be_written_is_refused(data: bytes, edits: list[Edit], why: str) -> None:
    with pytest.raises(Unfit) as told:
        apply("a.py", data, edits)
    assert why in str(told.value)


def test_spelling_of_the_json_stays() -> None:
    raw = b'{"cells": [{"source": ["a\\u00e9 = 1\\n", "b\\/c\\n", "\\u0064"], "cell_type": "code", "x": 1e3},\r\n {"cell_type":"code","source":"a\\u00e9\\nb"}]}'
    new = apply("a.ipynb", raw, [edit(2, 1, 2, 1, "é\n", path="a.ipynb", cell=0), edit(2, 2, 2, 2, "\nz", path="a.ipynb", cell=1)])
    assert new == (b'{"cells": [{"source": ["a\\u00e9 = 1\\n", "\\u00e9\\n", "b\\/c\\n", "\\u0064"], "cell_type": "code", "x": 1e3},\r\n '
                   b'{"cell_type":"code","source":"a\\u00e9\\nb\\nz"}]}')


def test_old_notebooks_and_marks() -> None:
    raw = codecs.BOM_UTF8 + b'{"worksheets":[{"cells":[{"cell_type":"code","language":"python","input":["a\\n","b"]}]}],"nbformat":3}\n'
    new = apply("a.ipynb", raw, [edit(1, 1, 1, 1, "x\n", path="a.ipynb", cell=0)])
    assert new == raw.replace(b'["a', b'["x\\n","a')


def test_a_lone_surrogate_stays_where_it_is() -> None:
    raw = b'{"cells":[{"cell_type":"code","source":["s = \'\\ud800\'\\n","b"]}]}'
    new = apply("a.ipynb", raw, [edit(2, 1, 2, 2, "c", path="a.ipynb", cell=0)])
    assert new == raw.replace(b'"b"', b'"c"')
    assert code_cells(new)[0].raw.endswith("c")
    assert b"\\ud800" in apply("a.ipynb", raw, [edit(1, 1, 1, 2, "t", path="a.ipynb", cell=0)])


def fix(*edits: Edit) -> Fix:
    return Fix("", "safe", edits)


def test_touching_is_overlapping_but_for_an_import_that_both_bring_in() -> None:
    bring = edit(1, 1, 1, 1, "from a import b\n")
    assert overlap(fix(edit(1, 1, 1, 3, "x")), fix(edit(1, 3, 1, 4, "y")))
    assert overlap(fix(edit(1, 1, 1, 1, "x")), fix(edit(1, 1, 1, 1, "x")))
    assert not overlap(fix(edit(1, 1, 1, 3, "x")), fix(edit(1, 4, 1, 5, "y")))
    assert not overlap(fix(edit(1, 1, 1, 3, "x")), fix(edit(1, 1, 1, 3, "x", path="b.py")))
    assert not overlap(fix(edit(1, 1, 1, 3, "x", cell=1)), fix(edit(1, 1, 1, 3, "x", cell=2)))
    one, other = fix(bring, edit(5, 1, 5, 1, "x\n")), fix(bring, edit(9, 1, 9, 1, "x\n"))
    assert not overlap(one, other)
    assert joined([one, other]) == {"a.py": [bring, one.edits[1], other.edits[1]]}
    assert joined([fix(bring, bring)]) == {"a.py": [bring, bring]}
