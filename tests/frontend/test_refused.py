"""Valid Python that libcst refuses: read all the same, with every place as it is in the text."""

from __future__ import annotations

import ast
import io
import tokenize

import pytest

from hitl_lint import facts as F
from hitl_lint.frontend.refused import reworded
from hitl_lint.frontend.source import read


def calls(text: str) -> list[tuple[int, int]]:
    module = read("x.py", text.encode())
    assert not module.problems, module.problems
    return sorted(n.at[:2] for s in module.body for n in F.walk(s, into_functions=True) if type(n) is F.Call)


@pytest.mark.parametrize("text", [
    "(z): int = f()\ng()\n",
    "(a.b): int\ng()\n",
    "g()\n(a.b): int",
    "(a[h()]): int = f()\n",
    "x = 1; (y): int = f(); g()\n",
    "class A:\n    (z): 'é' = f(); g()\n",
    "(ü.é): (int) = ü.p()\n",
    "((w)): int\nf()\n",
    "def f():\n    (z): dict[\n        str, int\n    ] = k()\n    return g(z)\n",
    "(z): dict[\r\n  int] = q()\r\nr()\r\n",
    "(z\n): int = f()\n",
    "(z): int\\\n  = f()\n",
    "async def f():\n  try:\n    pass\n  except E:\n    (q): int = f()\n  match x:\n    case 1:\n      (q): int\n      g()\n",
])
def test_annotated_targets_in_brackets(text):
    ends = text.replace("\r\n", "\n").split("\n")
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            line = ends[node.lineno - 1].encode()[:node.col_offset].decode()
            found.append((node.lineno, len(line) + 1))
    assert calls(text) == sorted(found) != []
    other = reworded(text)
    assert other is not None and len(other) == len(text)
    assert [len(line) for line in other.splitlines()] == [len(line) for line in text.splitlines()]
    list(tokenize.generate_tokens(io.StringIO(other).readline))


@pytest.mark.parametrize("text", [
    "z: int = 3\n",  # nothing to reword
    "(z): int = 3\n(\n",  # Python refuses it, too
    "(z): dict[  # why\n  int] = 3\n",  # a comment cannot be joined over
    "(z): dict[\n\nint] = 3\n",  # an empty line neither
])
def test_what_is_left_alone(text):
    assert reworded(text) is None


def test_what_stays_unreadable_is_said_as_before():
    assert read("x.py", b"(z): dict[  # why\n  int] = 3\n").problems[0].message == "the parser (libcst) does not know this syntax"
    assert read("x.py", b"(z): int = 3\n(\n").problems[0].message.startswith("syntax error: ")


def test_in_a_cell_of_a_notebook():
    book = b'{"cells": [{"cell_type": "code", "source": "(z): int = f()\\n%time g()"}], "metadata": {}}'
    module = read("x.ipynb", book)
    assert not module.problems and len(module.body) == 2
