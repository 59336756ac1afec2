"""Bytes to modules: encodings, and one clear problem for whatever is no Python."""

from __future__ import annotations

import encodings.aliases
import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitl_lint import facts as f
from hitl_lint.frontend import source


def problem(data: bytes) -> tuple[int, int, str]:
    """The one problem of unreadable bytes."""
    module = source.read("m.py", data)
    assert module.body == []
    (only,) = module.problems
    assert "\n" not in only.message and only.cell is None
    return only.line, only.column, only.message


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"x = '\xc3\xa9'", "é"),
        (b"\xef\xbb\xbfx = '\xc3\xa9'", "é"),
        (b"\xef\xbb\xbf# coding: utf-8\nx = '\xc3\xa9'", "é"),
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'", "é"),
        (b"#!/usr/bin/python\n# vim: set fileencoding=iso-8859-15 :\nx = '\xa4'", "€"),
        (b"\n# coding=cp1252\nx = '\x80'", "€"),
        (b"# coding: shift_jis\nx = '\x83\x5c'", "ソ"),  # whose second byte is a backslash
        (b"x = 1\n# coding: latin-1\ny = '\xc3\xa9'", "é"),
        (b"x = 1\n\n# coding: nonsense\ny = 'e'", "e"),
    ],
)
def test_the_encoding_is_found_as_python_finds_it(data: bytes, text: str) -> None:
    module = source.read("m.py", data)
    assert not module.problems
    strings = [n.value for n in f.walk(module) if type(n) is f.Const and n.kind == "str"]
    assert strings == [text]


@pytest.mark.parametrize(
    ("data", "line", "column", "message"),
    [
        (b"x = 1\ny = '\xff'\n", 2, 6, "the file is not valid utf-8"),
        (b"\xef\xbb\xbf# coding: latin-1\nx = '\xe9'\n", 2, 6, "the file is not valid utf-8"),
        (b"# coding: klingon\n", 1, 1, "the file declares the unknown encoding 'klingon'"),
        (b"# coding: hex\n", 1, 1, "the file declares the unknown encoding 'hex'"),
        (b"# coding: undefined\n", 1, 1, "the file cannot be decoded as undefined"),
        (b"x = 1\ny\0 = 2\n", 2, 2, "the file holds a NUL byte"),
        ("x = 1\n".encode("utf-16"), 1, 1, "the file is UTF-16 or UTF-32 text"),
        (b"x = (1,\n", 1, 5, "syntax error: "),
        (b"x = 1\n  y = 2\n", 2, None, "syntax error: "),
        (b"if x:\n\ty\n        z\n", 3, None, "syntax error: "),
        (b"def f(:\n  pass\n", 1, 7, "syntax error: "),
        (b"x = 'abc\n", 1, 5, "syntax error: "),
        (b"print 'hello'\n", 1, 1, "syntax error: "),
        (b"try: a\nexcept: b\nexcept C: d\n", 1, 1, "the parser failed: "),
        (b"# coding: utf-7\nx = '+2AA-'\n", 1, 1, "the parser failed: "),
        (b"x = " + b"(" * 5000, 1, None, "brackets nest too deeply to be parsed"),
        (b"x = " + b"-" * 500 + b"1", 1, None, "the code nests too deeply to be analysed"),
    ],
)
def test_what_cannot_be_read_is_one_problem_at_its_place(data: bytes, line: int, column: int | None, message: str) -> None:
    got = problem(data)
    assert got[2].startswith(message)
    assert got[0] == line
    if column is not None:
        assert got[1] == column


def test_syntax_that_only_python_knows_is_reported_where_the_parser_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    line, _, message = problem(b"x = 1\n(y): dict[  # why\n  int] = 2\n")  # a comment in the way of frontend/refused.py
    assert line == 2 and message == "the parser (libcst) does not know this syntax"


def test_a_deep_module_is_a_problem_even_where_recursion_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    from hitl_lint.frontend import lower

    def out_of_stack(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(lower, "lower", out_of_stack)
    assert problem(b"x = 1\n")[2] == "the code nests too deeply to be analysed"


def test_a_panic_of_the_native_parser_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    import libcst

    class PanicException(BaseException):
        pass

    def panic(_: str) -> None:
        raise PanicException("index out of range\nmore")

    monkeypatch.setattr(libcst, "parse_module", panic)
    assert problem(b"x = 1\n") == (1, 1, "the parser failed: index out of range")


@pytest.mark.parametrize("signal", [KeyboardInterrupt, SystemExit])
def test_being_stopped_is_no_problem_of_the_file(signal: type[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    import libcst

    def stop(_: str) -> None:
        raise signal

    monkeypatch.setattr(libcst, "parse_module", stop)
    with pytest.raises(signal):
        source.read("m.py", b"x = 1\n")


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_kind_count_alike(ends: str) -> None:
    module = source.read("m.py", ends.join(["a", "'''x", "y'''", "if b:", "\tc", ""]).encode())
    assert not module.problems and module.lines == 5
    assert [n.at for n in f.walk(module) if type(n) is f.Name] == [(1, 1, 1, 2), (4, 4, 4, 5), (5, 2, 5, 3)]
    assert [n.value for n in f.walk(module) if type(n) is f.Const] == ["x\ny"]


@pytest.mark.parametrize(("text", "lines"), [("", 0), ("a", 1), ("a\n", 1), ("a\n\n", 2), ("a\r\nb\rc", 3)])
def test_lines_are_counted_without_an_empty_last_one(text: str, lines: int) -> None:
    assert source.read("m.py", text.encode()).lines == lines


@pytest.mark.parametrize(
    "text",
    [
        "\fx = 1\n",
        "x\n\f\ny\n",
        "if x:\n  \f y\n z\n",
        "x\n  \fy\n",
        "if x:\n\f    y\n    z\n",
        "x = '''\n\fy'''\n\fclass A:\n  z\n",
        "(\n\f x)\n",
        "\ufeff\fx\n",
    ],
)
def test_columns_are_right_behind_a_form_feed(text: str) -> None:
    module = source.read("m.py", text.encode())
    assert not module.problems
    lines = text.lstrip("\ufeff").split("\n")
    names = [n for n in f.walk(module, into_functions=True) if type(n) is f.Name]
    assert names
    for node in names:
        assert lines[node.at[0] - 1][node.at[1] - 1 : node.at[3] - 1] == node.id
    for node in module.body:
        if type(node) is f.ClassStmt:
            assert lines[node.cls.at[0] - 1][node.cls.at[1] - 1 : node.cls.at[3] - 1] == "A"


def test_columns_count_code_points() -> None:
    module = source.read("m.py", "'é𝒳' + x\n".encode())
    assert [n.at for n in f.walk(module) if type(n) is f.Name] == [(1, 8, 1, 9)]


def test_collecting_garbage_goes_on_as_before() -> None:
    import gc

    assert gc.isenabled()
    source.read("m.py", b"x = (")
    assert gc.isenabled()
    gc.disable()
    try:
        source.read("m.py", b"x = 1")
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_libcst_is_imported_only_when_something_is_parsed() -> None:
    code = (
        "import sys\n"
        "from hitl_lint.frontend import guard, notebook, source, suppressions\n"
        "source.read('m.py', b'\\0'); source.read('m.py', b'# coding: x'); source.read('m.py', b'(' * 9999); source.read('m.ipynb', b'{')\n"
        "assert 'libcst' not in sys.modules\n"
        "source.read('m.py', b'x')\n"
        "assert 'libcst' in sys.modules\n"
        "for name in ('matchers', 'codemod'): assert 'libcst.' + name not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_module_or_one_problem(data: bytes) -> None:
    for path in ("m.py", "m.ipynb"):
        module = source.read(path, data)
        assert len(module.problems) <= 1 and not (module.problems and module.body)


@pytest.mark.parametrize("encoding", sorted(set(encodings.aliases.aliases.values())))
def test_every_encoding_of_this_python_can_be_declared(encoding: str) -> None:
    module = source.read("m.py", f"# coding: {encoding}\nx = 1\n".encode())
    assert len(module.problems) <= 1


def test_a_file_of_more_than_two_megabytes_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    import libcst

    def never(_: str) -> None:
        raise AssertionError("parsed")

    with monkeypatch.context() as patch:
        patch.setattr(libcst, "parse_module", never)
        line, column, message = problem(b"x = 1\n" * 900_000)
    assert (line, column) == (1, 1)
    assert message == "it is 5.4 MB long, more than the 2 MB that are read: exclude it, or move what pauses to a file of its own"
    monkeypatch.setattr(source, "MAX_BYTES", 60)
    assert problem(b"x = 1\n" * 11)[2].startswith("it is ")
    assert not source.read("m.py", b"x = 1\n" * 10).problems


def test_of_a_notebook_only_the_code_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MAX_BYTES", 60)
    cell = {"cell_type": "code", "source": "x = 1\ny = 2", "outputs": [{"data": {"image/png": "A" * 5_000}}]}
    book = {"cells": [cell] * 5, "metadata": {}}
    assert not source.read("m.ipynb", json.dumps(book).encode()).problems
    book["cells"] = [cell] * 6
    module = source.read("m.ipynb", json.dumps(book).encode())
    assert [p.message.partition(" long")[0] for p in module.problems] == ["the code of the notebook is 0.1 MB"] and module.problems[0].cell is None
