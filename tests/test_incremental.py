"""Reading a changed text by way of what was known of it gives what reading it anew gives."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hitl_lint import facts
from hitl_lint.frontend import incremental, source
from hitl_lint.frontend.incremental import Parsed

FIXTURES = sorted((Path(__file__).resolve().parent.parent / "fixtures").rglob("*.py"))

# What a person types, and what opens, closes or continues something.
TYPED = ["x", " ", "\n", "(", ")", '"""', "'", "\\", "\\\n", "#", "@", ":", "    ", "\t", "def f():\n    pass\n", "async ", "async\n", "@deco\n", "if x:\n", "else:\n", "    y = 1\n",
         "class A:\n    b = 1\n", "# noqa: HIL101\n", "return", ",", "[", "]", "from x import y\n", "a = (\n    1,\n)\n", "\r\n", "é", "\f"]

SHAPE = '''"""Words."""
import a

LIMIT = (
    3
)


# before the first
@first
@second(
    1
)
def one(x):  # noqa: HIL101
    return call(
        x,  # hitl-lint: disable=HIL101
    )


class Two:
    """Words.

def not_one(): in a string
    """

    def run(self):
        if self:
            return 1
        return 2
# at the margin


async def three():
    await one(1)
if LIMIT:
    four = lambda: 4
else:
    four = None


def five(): pass
'''


def dumped(module):
    return facts.dump(module)


def same(path: str, old: str, new: str) -> bool:
    """Whether the short way was taken; asserts that it makes no difference."""
    known = source.read(path, old.encode())
    again = incremental.read(path, new.encode(), old.encode(), known)
    if again is None:
        return False
    assert dumped(again) == dumped(source.read(path, new.encode())), new
    return True


def edits(text: str, count: int, seed: str):
    chance = random.Random(seed)
    for _ in range(count):
        at = chance.randrange(len(text) + 1)
        kind = chance.randrange(5)
        if kind < 2:
            yield text[:at] + chance.choice(TYPED) + text[at:]
        elif kind == 2:
            yield text[:at] + text[at + chance.choice((1, 1, 2, 30, 300)):]
        else:
            lines = text.split("\n")
            n = chance.randrange(len(lines))
            lines[n:n + chance.choice((0, 1, 1, 4))] = [chance.choice(TYPED).rstrip("\n") for _ in range(chance.choice((0, 1, 1, 2)))]
            yield "\n".join(lines)


def test_random_edits_of_fixtures_read_the_same_and_mostly_the_short_way():
    short = total = 0
    for path in FIXTURES[::7]:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for new in edits(text, 6, path.name):
            total += 1
            short += same("app.py", text, new)
    assert total > 300 and short > total / 4


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_random_edits_of_every_shape_read_the_same(ends):
    text = SHAPE.replace("\n", ends)
    assert sum(same("app.py", text, new) for new in edits(text, 600, "shape" + ends)) > 100


@pytest.mark.parametrize("at", range(0, len(SHAPE), 5))
def test_each_thing_that_is_typed_anywhere_reads_the_same(at):
    for typed in TYPED:
        same("app.py", SHAPE, SHAPE[:at] + typed + SHAPE[at:])


@pytest.mark.parametrize("change", [
    ("def five(): pass", "def five(): return 5"),
    ("return 2", "return 3"),
    ("LIMIT = (", "BOUND = ("),
    ("await one(1)", "await one(2)"),
    ("def five(): pass\n", ""),
])
def test_what_changes_one_function_is_read_the_short_way(change, monkeypatch):
    old, new = SHAPE, SHAPE.replace(*change)
    lengths = []
    parse = source._tree
    known = source.read("app.py", old.encode())
    monkeypatch.setattr(source, "_tree", lambda text: lengths.append(len(text)) or parse(text))
    again = incremental.read("app.py", new.encode(), old.encode(), known)
    assert again is not None and lengths and max(lengths) < len(SHAPE) * 0.6
    assert dumped(again) == dumped(source.read("app.py", new.encode()))


@pytest.mark.parametrize("new", [
    SHAPE.replace("    return 2\n", '    return """2\n'),
    SHAPE.replace("return 2\n# at", "return 2\n@decorated # at"),
    SHAPE.replace("# at the margin", "async"),
    SHAPE.replace("# before the first", "x = 1 \\"),
    SHAPE.replace("# at the margin", "if x:"),
    SHAPE.replace("class Two:", "  class Two:"),
    SHAPE.replace("class Two:", "else:"),
    SHAPE.replace("class Two:", "\fclass Two:"),
])
def test_a_change_that_makes_a_piece_no_module_is_read_whole(new):
    assert new != SHAPE and not same("app.py", SHAPE, new)


def test_what_could_not_be_read_before_or_is_a_notebook_is_read_whole():
    broken = SHAPE.replace("LIMIT = (", "LIMIT = ((")
    assert incremental.read("app.py", SHAPE.encode(), broken.encode(), source.read("app.py", broken.encode())) is None
    assert incremental.read("app.ipynb", b"{}", b"{ }", source.read("app.ipynb", b"{}")) is None


def test_a_wrong_text_tells_the_same_place_as_before(tmp_path):
    parsed = Parsed()
    parsed["app.py", SHAPE.encode()] = source.read("app.py", SHAPE.encode())
    assert parsed.again("app.py", SHAPE.replace("return 2", "return 2)").encode()) is None
    assert parsed.again("other.py", SHAPE.encode()) is None


@pytest.mark.parametrize("typed", ["\ufeff", "\ufeffdef", "\ufeff\n"])
@pytest.mark.parametrize("where", ["@first", "class Two", "async def three", "def five"])
def test_a_mark_in_the_middle_is_an_error_as_it_is_in_the_whole(typed, where):
    new = SHAPE.replace(where, typed + where)
    assert new != SHAPE and not same("app.py", SHAPE, new)
    assert source.read("app.py", new.encode()).problems


@pytest.mark.parametrize("indent", ["\t", "  ", "    "])
def test_comments_in_front_of_a_function_stand_where_they_stand(indent):
    old = "import a\n\n\n# noqa: HIL101\ndef one():\n    pass\n\n\n# noqa: HIL102\ndef two():\n    pass\n"
    for new in (old.replace("\n\n# noqa: HIL101", f"\n{indent}# c\n# noqa: HIL101"), old.replace("\n\n# noqa: HIL102", f"\n{indent}# c\n# noqa: HIL102")):
        assert new != old
        same("app.py", old, new)
