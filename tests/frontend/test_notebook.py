"""Notebooks: code cells as one module, IPython's own syntax replaced without moving a line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hitl_lint import facts as f
from hitl_lint.frontend import notebook, source


def book(*cells: Any, **metadata: Any) -> bytes:
    """Code cells from strings or lists; a tuple is (type, source)."""
    made = [{"cell_type": c[0], "source": c[1]} if isinstance(c, tuple) else {"cell_type": "code", "source": c} for c in cells]
    return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4}).encode()


def names(module: f.Module) -> list[tuple[str, int, int]]:
    return [(n.id, n.at[0], n.at[1]) for n in f.walk(module) if type(n) is f.Name]


def test_code_cells_form_one_module_and_lines_lead_back_to_cells() -> None:
    module = source.read("a.ipynb", book(("markdown", "# Title"), "a\nb\n", ["c\n", "d"], "", ("raw", "x ="), "e"))
    assert not module.problems
    assert names(module) == [("a", 1, 1), ("b", 2, 1), ("c", 3, 1), ("d", 4, 1), ("e", 6, 1)]
    assert [(c.index, c.first, c.lines) for c in module.cells] == [(1, 1, 2), (2, 3, 2), (3, 5, 1), (5, 6, 1)]
    assert module.lines == 6


@pytest.mark.parametrize(
    ("cell", "plain"),
    [
        ("%matplotlib inline\nx", "pass\nx"),
        ("!pip install -q x \\\n  y\nx", "pass\n\nx"),
        ("if x:\n    !ls 'it\n    %cd ..", "if x:\n    pass\n    pass"),
        ("?x\nx?\nx.y??\nx", "pass\npass\npass\nx"),
        ("graph.get_state(cfg).next?\nx", "pass\nx"),
        ("graph.get_state(\n  cfg\n).next??\nx", "pass\n\n\nx"),
        ("a['k'][0]?\nf(x)?  # what\n  ?? y\n%time?\nnp.*load*?", "pass\npass\n  pass\npass\npass"),
        ("x = 'a' \\\n  'why?'", "x = 'a' \\\n  'why?'"),
        ("x = \"\"\"\nwhy?\n\"\"\"\ny = 1  # ok?", "x = \"\"\"\nwhy?\n\"\"\"\ny = 1  # ok?"),
        ("x = 'no end?", "x = 'no end?"),
        ("f(\nx?", "f(\nx?"),
        ("files = !ls\na, b = %env X\nc.d['e'] = !x", "files = get_ipython()\na, b = get_ipython()\nc.d['e'] = get_ipython()"),
        ("%time r = g.invoke(\n  1)\nx", "if 1: r = g.invoke(\n  1)\nx"),
        ("%timeit -n 10 -r 3 f(x)", "if 1:              f(x)"),
        ("%time for x in y: z", "pass"),
        ("%time", "pass"),
        ("%%time\nx = 1\n!ls", "\nx = 1\npass"),
        ("%%time\n\n", "\n"),
        ("%%time\n\n\n", "\n\n"),
        ("%%time\n%%bash\n\n", "\n\n"),
        ("%%capture out\nx", "\nx"),
        ("%%bash\nls 'x\n", "\n"),
        ("\n%%writefile x.py\nimport y", "\n\n"),
        ("%%html", ""),
        ("x = (a\n  % b\n  , !c)", "x = (a\n  % b\n  , !c)"),
        ("x = '''\n!ls\n%cd\n'''", "x = '''\n!ls\n%cd\n'''"),
        ("x = a \\\n  % b", "x = a \\\n  % b"),
        ("# what?\nx != y\nx = 'why?'", "# what?\nx != y\nx = 'why?'"),
        ("x %= 2\ny = a % b\nz == c", "x %= 2\ny = a % b\nz == c"),
        ("print(x)  # ok?", "print(x)  # ok?"),
        ("await g()", "await g()"),
    ],
)
def test_what_only_ipython_understands_is_replaced_line_by_line(cell: str, plain: str) -> None:
    assert notebook.plain(cell) == plain
    assert notebook.plain(cell).count("\n") == cell.removesuffix("\n").count("\n")


def test_a_broken_cell_is_reported_and_the_others_are_read() -> None:
    module = source.read("a.ipynb", book("a", ("markdown", ""), "b\nc = (\n", "d", "e e", "f"))
    assert [n[0] for n in names(module)] == ["a", "d", "f"]
    assert [(p.cell, p.line) for p in module.problems] == [(2, 2), (4, 1)]
    assert all(p.message.startswith("syntax error: ") for p in module.problems)
    assert [n[1] for n in names(module)] == [1, 4, 6], "the others stay where they are"


def test_a_cell_too_deep_to_parse_is_a_broken_cell() -> None:
    module = source.read("a.ipynb", book("a", "(" * 3000, "b"))
    assert [n[0] for n in names(module)] == ["a", "b"]
    assert [(p.cell, p.line, p.message) for p in module.problems] == [(1, 1, "brackets nest too deeply to be parsed")]


def test_cells_that_do_not_go_together_are_one_problem_in_a_cell() -> None:
    module = source.read("a.ipynb", book("a", "b \\", "if c: pass"))
    assert len(module.problems) <= 1
    assert all(p.cell is not None for p in module.problems)


def test_top_level_await_and_return_are_read() -> None:
    assert not source.read("a.ipynb", book("x = await g.ainvoke(1)", "async for y in z: pass")).problems


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the notebook is not valid JSON"),
        (b"{", "the notebook is not valid JSON"),
        (b"\xff", "the notebook is not valid utf-8"),
        (b"[]", "the notebook has no list of cells"),
        (b"{}", "the notebook has no list of cells"),
        (b'{"cells": {}}', "the notebook has no list of cells"),
        (b"[" * 100_000, "the notebook is not valid: its JSON is nested too deeply"),
    ],
)
def test_what_is_no_notebook_is_one_problem(data: bytes, message: str) -> None:
    module = source.read("a.ipynb", data)
    (only,) = module.problems
    assert only.message.startswith(message) and only.cell is None and module.body == []


def test_bad_json_is_reported_at_its_place() -> None:
    (only,) = source.read("a.ipynb", b'{"cells": [\n  }').problems
    assert (only.line, only.column) == (2, 3)


@pytest.mark.parametrize(
    "cell",
    [
        {"cell_type": "code"},
        {"cell_type": "code", "source": None},
        {"cell_type": "code", "source": [1, "x\n", None]},
        {"source": "x"},
        3,
        None,
        "code",
    ],
)
def test_odd_cells_are_borne(cell: Any) -> None:
    assert not source.read("a.ipynb", json.dumps({"cells": [cell, {"cell_type": "code", "source": "y"}]}).encode()).problems


def test_other_languages_are_left_alone() -> None:
    assert source.read("a.ipynb", book("x <- 1", kernelspec={"language": "R"})).body == []
    assert not source.read("a.ipynb", book("x <- (", language_info={"name": "R"})).problems
    assert source.read("a.ipynb", book("x", kernelspec={"language": "python"})).body
    mixed = {
        "cells": [
            {"cell_type": "code", "source": "SELECT 1", "metadata": {"vscode": {"languageId": "sql"}}},
            {"cell_type": "code", "source": "x"},
        ]
    }
    assert len(source.read("a.ipynb", json.dumps(mixed).encode()).body) == 1


def test_the_old_format_with_worksheets_is_read() -> None:
    old = {
        "worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1\n", "y"]}, {"cell_type": "markdown", "source": "z"}]}],
        "nbformat": 3,
    }
    assert len(source.read("a.ipynb", json.dumps(old).encode()).body) == 2


def test_characters_that_no_file_can_hold_are_borne() -> None:
    data = (
        b'{"cells": [{"cell_type": "code", "source": "x = \'\\ud800\'\\r\\ny"}, {"cell_type": "code", "source": "\\u0000"}], "n": '
        + b"9" * 5000
        + b"}"
    )
    module = source.read("a.ipynb", data)
    assert len(module.body) == 2 and [p.cell for p in module.problems] == [1]


@settings(max_examples=150, deadline=None)
@example(["%%time", "\n", "\n"])
@given(
    st.lists(
        st.sampled_from(
            ["%x", "!ls", "x?", "(", ")", "'", '"""', "\n", "\n", " ", "  ", "%%time", "%time ", "= !", "y", "#", "\\", "%", "?", "f(", ","]
        ),
        max_size=30,
    )
)
def test_replacing_never_changes_the_number_of_lines(pieces: list[str]) -> None:
    cell = "".join(pieces)
    assert notebook.plain(cell).count("\n") == cell.removesuffix("\n").count("\n")


@pytest.mark.parametrize(("line", "python"), [
    ("uv sync", "pass"), ("pip install foo -q", "pass"), ("cd ..", "pass"), ("  mkdir -p a/b", "  pass"),
    ("ls = 3", "ls = 3"), ("rm (x)", "rm (x)"), ("cat in y", "cat in y"), ("man, more = x", "man, more = x"), ("clear()", "clear()"), ("pip", "pip"),
])
def test_what_ipython_takes_for_a_command_without_a_percent_sign(line: str, python: str) -> None:
    assert notebook.plain(line) == python
