"""Texts that would crash libcst's parser, or keep it busy for hours, never reach it; ordinary ones always do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitl_lint.frontend import guard, source

# What nests or chains, by the number of links.
SHAPES = {
    "parentheses": lambda n: "x = " + "(" * n + "1" + ")" * n + "\n",
    "lists": lambda n: "x = " + "[" * n + "]" * n + "\n",
    "calls": lambda n: "x = " + "f(" * n + ")" * n + "\n",
    "dicts": lambda n: "x = " + "{1: " * n + "1" + "}" * n + "\n",
    "subscripts": lambda n: "x = " + "a[" * n + "1" + "]" * n + "\n",
    "attributes": lambda n: "x = a" + ".b" * n + "\n",
    "method calls": lambda n: "x = (a" + "\n .b(1)" * n + ")\n",
    "calls of calls": lambda n: "x = a" + "()" * n + "\n",
    "sums": lambda n: "x = 1" + " + 1" * n + "\n",
    "powers": lambda n: "x = 1" + " ** 1" * n + "\n",
    "conjunctions": lambda n: "x = 1" + " and 1" * n + "\n",
    "negations": lambda n: "x = " + "not " * n + "1\n",
    "signs": lambda n: "x = " + "-" * n + "1\n",
    "awaits": lambda n: "async def f():\n  " + "await (" * n + "x" + ")" * n + "\n",
    "lambdas": lambda n: "x = " + "lambda: " * n + "1\n",
    "conditionals": lambda n: "x = " + "1 if 2 else " * n + "3\n",
    "strings side by side": lambda n: "x = (" + "'a'\n" * n + ")\n",
    "f-strings side by side": lambda n: "x = " + "f'a' " * n + "\n",
    "an f-string of a sum": lambda n: "x = f'{1" + " + 1" * n + "}'\n",
    "an f-string of brackets": lambda n: "x = f'{" + "(" * n + ")" * n + "}'\n",
    "nested f-strings": lambda n: "x = " + 'f"{' * n + "1" + '}"' * n + "\n",
    "format specifications": lambda n: "x = f'" + "{a:" * n + "}" * n + "'\n",
    "for clauses": lambda n: "x = [1" + " for a in b" * n + "]\n",
    "elif": lambda n: "if 1:\n pass\n" + "elif 1:\n pass\n" * n,
    "indented elif": lambda n: "def f():\n if 1:\n  pass\n" + " elif 1:\n\n  # note\n  pass\n" * n,
    "blocks": lambda n: "".join(" " * i + "if 1:\n" for i in range(min(n, 300))) + " " * min(n, 300) + "pass\n",
    "dotted imports": lambda n: "import a" + ".a" * n + "\n",
    "brackets never closed": lambda n: "x = " + "(" * n + "\n",
    "patterns": lambda n: "match x:\n case " + "[" * n + "1" + "]" * n + ":\n  pass\n",
    "mapping patterns": lambda n: "match x:\n case " + "{1: " * n + "1" + "}" * n + ":\n  pass\n",
    "brackets behind a backslash": lambda n: "x = \\\n" + "(" * n + ")" * n + "\n",
    "brackets after a comment in brackets": lambda n: "x = (  # it's (\n" + "(" * n + ")" * n + ")\n",
}

# One process for all: a crash shows in its status, and with a stack of 2 MB (Windows) the margin is tested too.
CHILD = """
import sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_STACK, (2 << 20, 2 << 20))
except (ImportError, ValueError, OSError):
    pass
import json, os, time
if "again" not in sys.argv:
    os.execv(sys.executable, [sys.executable, "-c", open(sys.argv[1]).read(), sys.argv[1], sys.argv[2], "again"])
from hitl_lint.frontend import source
for name, text in json.load(open(sys.argv[2])):
    before = time.process_time()
    module = source.read("m.py", text.encode())
    print(json.dumps([name, len(module.problems), bool(module.body), time.process_time() - before]), flush=True)
"""


def test_no_depth_of_any_shape_crashes_the_process_or_keeps_it_busy(tmp_path: Path) -> None:
    import json

    texts = [[f"{n} {name}", shape(n)] for name, shape in SHAPES.items() for n in (25, 140, 330, 20_000)]
    (tmp_path / "child.py").write_text(CHILD)
    (tmp_path / "texts.json").write_text(json.dumps(texts))
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(tmp_path / "child.py"), str(tmp_path / "texts.json")], capture_output=True, text=True, timeout=120
    )
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, (done.returncode, results[-1:], done.stderr[-500:])
    assert [r[0] for r in results] == [t[0] for t in texts]
    assert not [name for name, problems, body, _ in results if problems + body != 1], "either facts or one problem"
    assert not [(name, seconds) for name, _, _, seconds in results if seconds > 5]


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_is_fine_up_to_what_people_write(name: str) -> None:
    small = 8 if "pattern" in name else 12
    assert guard.stack_wanted(SHAPES[name](small)) < guard.DIRECT / 2


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("x = 1\ny = " + "[" * 400, 2, 145, "brackets nest too deeply to be parsed"),
        ("x = 1\n" + "y = 1" + " + 1" * 3000, 2, 9907, "the expression nests too deeply, or is too long a chain, to be parsed"),
        ("if 1: pass\n" + "elif 1: pass\n" * 3000, 2477, 7, "there are too many elif branches to be parsed"),
        (SHAPES["blocks"](110), 105, 105, "blocks nest too deeply to be parsed"),
        ("match x:\n  case " + "(" * 9, 2, 16, "the pattern nests too deeply to be parsed"),
    ],
)
def test_the_problem_says_what_and_where(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(guard.TooDeep) as found:
        guard.stack_wanted(text)
    assert (found.value.line, found.value.column, str(found.value)) == (line, column, message)


@pytest.mark.parametrize(
    "text",
    [
        "x = '((((((((((((((((((((((((((((((((((('\n" * 50,
        "# ((((((((((((((((\n" * 100,
        "'''\n" + "(((((\n" * 100 + "'''\n",
        'x = r"\\"\ny = "(" # "\n' * 300,
        "x = {\n" + "  'key': [1 + 2, f(a.b, -c)],  # note (\n" * 2000 + "}\n",
        "x = [\n" + "1 + 1,\n" * 3000 + "]\n",
        "f(x)\n" * 5000,
        "if a:\n  pass\nelif b:\n  pass\n" * 1500,
        "case = " + "[" * 20 + "]" * 20 + "\ncase(" + "(" * 20 + ")" * 20 + ")\n",
        "f'" + "{x} + " * 500 + "'\n",
        'f"""' + "- if {x} is not {{a}}, and {{b}}: stop.\n" * 500 + '"""\n',
        "it's not python ((( " + "'" + "\n)\n" * 100,
    ],
)
def test_ordinary_text_is_never_too_deep(text: str) -> None:
    assert guard.stack_wanted(text) < guard.DIRECT


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="([{}])'\"#\\\n \tab:=,.f", max_size=400))
def test_any_text_can_be_measured_and_read(text: str) -> None:
    guard.stack_wanted(text)
    list(guard.indentations(text))
    module = source.read("m.py", text.encode())
    assert not (module.problems and module.body)


@pytest.mark.parametrize(
    "unit", ["'", '"', "'''", '"""', "\\", "x" * 50, "#", " ", "\n ", "f'{", "''' ", "'\\", "[", "a\\\n", "f'{(", "'{"]
)
def test_measuring_takes_time_in_proportion_to_the_text(unit: str) -> None:
    import time

    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        before = time.process_time()
        try:
            guard.stack_wanted(text)
        except guard.TooDeep:
            pass
        return time.process_time() - before

    assert seconds(200_000) < 2
