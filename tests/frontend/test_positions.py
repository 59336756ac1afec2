"""The walk adds up positions by itself; libcst's PositionProvider and Python's own parser say whether it does so rightly."""

from __future__ import annotations

import ast
import functools
import io
import sysconfig
import tokenize
from pathlib import Path
from typing import Any

import libcst as cst
import pytest
from libcst import metadata

from hitl_lint import facts as f
from hitl_lint.frontend import lower, source

EVERY_SYNTAX = (Path(__file__).parent / "data" / "every_syntax.txt").read_text("utf-8")
STDLIB = Path(sysconfig.get_paths()["stdlib"])
MODULES = [
    "argparse.py",
    "dataclasses.py",
    "asyncio/tasks.py",
    "asyncio/events.py",
    "contextlib.py",
    "email/message.py",
    "textwrap.py",
    "inspect.py",
]
VARIANTS = {
    "as it is": EVERY_SYNTAX,
    "with CRLF": EVERY_SYNTAX.replace("\n", "\r\n"),
    "without a final line end": EVERY_SYNTAX.rstrip("\n"),
    "in a block": "if 1:\n" + "".join("    " + line if line.strip() else line for line in EVERY_SYNTAX.splitlines(True)),
}


def record(text: str, monkeypatch: pytest.MonkeyPatch) -> list[tuple[cst.CSTNode, f.At]]:
    """Lower `text` and tell which node got which position."""
    seen: list[tuple[cst.CSTNode, f.At]] = []

    def watch(name: str, pick: Any) -> None:
        original = getattr(lower.Lowering, name)

        @functools.wraps(original)
        def watched(self: Any, node: Any, *rest: Any) -> Any:
            out = original(self, node, *rest)
            at = pick(node, out)
            if at is not None:
                seen.append((node, at))
            return out

        monkeypatch.setattr(lower.Lowering, name, watched)

    def own(node: Any, out: Any) -> Any:
        return out.at

    watch("expr", own)
    watch("arg", own)
    watch("param", own)
    watch("alias", lambda node, out: out[0])
    watch("pattern", lambda node, out: None if isinstance(node, cst.MatchAs) and node.pattern is not None else out.at)
    for kind, handler in list(lower._SIMPLE.items()):

        def simple(self: Any, node: Any, line: int, col: int, handler: Any = handler) -> Any:
            out = handler(self, node, line, col)
            seen.append((node, out.at))
            return out

        monkeypatch.setitem(lower._SIMPLE, kind, simple)
    for kind, attribute in ((cst.FunctionDef, "fn"), (cst.ClassDef, "cls")):

        def definition(self: Any, node: Any, out: Any, handler: Any = lower._COMPOUND[kind], attribute: str = attribute) -> None:
            handler(self, node, out)
            thing = getattr(out[-1], attribute)
            seen.append((node.name, thing.at))
            if not node.decorators:
                seen.append((node, thing.whole))

        monkeypatch.setitem(lower._COMPOUND, kind, definition)
    module = cst.parse_module(text)
    lower.lower(module, "m.py", text)
    ranges = metadata.MetadataWrapper(module, unsafe_skip_copy=True).resolve(metadata.PositionProvider)
    return [(node, at, _at(ranges[node])) for node, at in seen]  # type: ignore[misc]


def _at(code: Any) -> f.At:
    return (code.start.line, code.start.column + 1, code.end.line, code.end.column + 1)


@pytest.mark.parametrize("text", VARIANTS.values(), ids=VARIANTS.keys())
def test_every_kind_of_node_stands_where_the_position_provider_puts_it(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = record(text, monkeypatch)
    wrong = [(type(node).__name__, mine, theirs) for node, mine, theirs in compared if mine != theirs]  # type: ignore[misc]
    assert not wrong
    assert len(compared) > 700


@pytest.mark.parametrize("name", MODULES[:4])
def test_real_modules_stand_where_the_position_provider_puts_them(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = record(source.decode((STDLIB / name).read_bytes()), monkeypatch)
    assert not [(type(node).__name__, mine, theirs) for node, mine, theirs in compared if mine != theirs]  # type: ignore[misc]


def _columns(text: str) -> Any:
    """ast counts bytes of UTF-8, facts count code points."""
    lines = text.encode().split(b"\n")

    def convert(node: Any) -> f.At:
        return (
            node.lineno,
            len(lines[node.lineno - 1][: node.col_offset].decode()) + 1,
            node.end_lineno,
            len(lines[node.end_lineno - 1][: node.end_col_offset].decode()) + 1,
        )

    return convert


PAIRS = [
    (ast.Call, f.Call),
    (ast.Await, f.Await),
    (ast.Attribute, f.Attr),
    (ast.Subscript, f.Sub),
    (ast.Lambda, f.Lambda),
    (ast.Dict, f.Dict),
    (ast.IfExp, f.IfExp),
    (ast.Compare, f.Cmp),
    (ast.BinOp, f.Bin),
    (ast.NamedExpr, f.Walrus),
    ((ast.Yield, ast.YieldFrom), f.Yield),
    (ast.Assert, f.Assert),
    (ast.Raise, f.Raise),
    (ast.Return, f.Return),
    (ast.AugAssign, f.AugAssign),
    (ast.Expr, f.ExprStmt),
    (ast.Delete, f.Delete),
]


@pytest.mark.parametrize("name", MODULES)
def test_nothing_is_lost_or_moved_compared_with_pythons_own_parser(name: str) -> None:
    data = (STDLIB / name).read_bytes()
    module = source.read(name, data)
    text = data.decode()
    convert = _columns(text)
    tree = ast.parse(text)
    # Before Python 3.12 the parts of f-strings have no true positions.
    strings = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for inner in ast.walk(node)}
    elsewhere = {id(inner) for node in f.walk(module, into_functions=True) if type(node) is f.FStr for inner in f.walk(node)}
    # Patterns are expressions of another kind for Python.
    elsewhere |= {id(inner) for node in f.walk(module, into_functions=True) if type(node) is f.Case for inner in f.walk(node.pattern)}
    for theirs, mine in PAIRS:
        want = sorted(convert(node) for node in ast.walk(tree) if isinstance(node, theirs) and id(node) not in strings)
        have = [node for node in f.walk(module, into_functions=True) if type(node) is mine and id(node) not in elsewhere]
        if mine is f.Return:
            lambdas = {
                id(node.body[0]) for node in f.walk(module, into_functions=True) if type(node) is f.Function and node.name == "<lambda>"
            }
            have = [node for node in have if id(node) not in lambdas]
        assert sorted(node.at for node in have) == want, mine.__name__


def test_the_whole_of_a_definition_starts_at_its_first_decorator_and_ends_with_its_body() -> None:
    module = source.read(
        "m.py",
        b"class A:\n    # note\n\n    @x\n    # between\n    @y(\n        1)\n    async def f(self):\n        return (1,\n  2)  # end\n\n",
    )
    (outer,) = module.body
    assert outer.cls.whole == (1, 1, 10, 5)
    (inner,) = outer.cls.body
    assert inner.fn.whole == (4, 5, 10, 5)
    assert inner.fn.at == (8, 15, 8, 16)
    assert inner.at == (8, 5, 8, 22)


@pytest.mark.parametrize(
    ("code", "at"),
    [
        ("if  a.b :\n  pass\n", (1, 1, 1, 8)),
        ("while a: pass\n", (1, 1, 1, 8)),
        ("async for a in (b): pass\n", (1, 1, 1, 19)),
        ("try: pass\nfinally: pass\n", (1, 1, 1, 4)),
        ("with (a as b,\n c): pass\n", (1, 1, 2, 4)),
        ("match a:\n  case 1: pass\n", (1, 1, 1, 8)),
    ],
)
def test_the_span_of_a_compound_statement_is_its_head(code: str, at: f.At) -> None:
    assert source.read("m.py", code.encode()).body[0].at == at


# --------------------------------------------------------------------------- comments
BLOCKS = {"nested": ["def f():", ">if x:", ">>y = 1"], "class": ["class C:", ">def f(self):", ">>pass"], "suite": ["if x: y = 1"], "match": ["match x:", ">case 1:", ">>y = 1"],
          "try": ["try:", ">x", "finally:", ">y"], "string": ["x = '''", "# noqa: no comment", ">'''"], "semicolon": ["if x:", ">y = 1; z = 2  # noqa: 0"],
          "flat": ["x = 1"], "decorated": ["@d  # noqa: 0", "def f(): ...  # noqa: 1"], "comments": [], "continued": ["x = 1 \\"]}
ENDS = {"indented": [">>>># noqa: 2"], "blank before": ["", ">># noqa: 2"], "blanks between": [">># noqa: 2", "", "", "># noqa: 3", ">", "# noqa: 4"],
        "deeper and deeper": ["# noqa: 2", "", "># noqa: 3", "", ">># noqa: 4"], "not indented": ["", "# noqa: 2"], "blanks after": ["", "># noqa: 2", "", ">"],
        "crooked": [" # noqa: 2", "", "   # noqa: 3"], "form feed": ["", "\f# noqa: 2", "\f", ">\f ># noqa: 3"], "two blank": ["", "", ">># noqa: 2  "]}


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("end", ENDS)
def test_comments_behind_the_last_statement_stand_where_python_finds_them(block: str, end: str) -> None:
    if block == "continued" and not ENDS[end][0]:
        pytest.skip("a line that goes on in an empty one")
    for indent in ("    ", "\t", "  "):
        for newline in ("\n", "\r\n", "\r"):
            for last in ("", newline, newline * 2, newline + indent, newline + indent + newline):
                text = newline.join(BLOCKS[block] + ENDS[end]).replace(">", indent) + last
                plain = text.replace("\r\n", "\n").replace("\r", "\n")
                try:
                    wanted = [(*t.start, t.string) for t in tokenize.generate_tokens(io.StringIO(plain).readline) if t.type == tokenize.COMMENT]
                except (tokenize.TokenError, IndentationError):  # as this Python sees it, it is no program
                    continue
                module = source.read("m.py", text.encode())
                assert not module.problems and [(c.line, c.column - 1, c.text) for c in module.comments] == wanted, repr(text)


def test_a_suppression_behind_the_last_statement_is_told_at_its_line() -> None:
    from hitl_lint import check_source

    code = "from langgraph.types import interrupt\n\n\ndef ask(state):\n    if state:\n        return {'x': interrupt('?')}\n\n\n        # hitl-lint: ignore[HIL101] old\n"
    assert [(f.code, f.span.line, f.span.column) for f in check_source(code).findings if f.code == 'HIL902'] == [("HIL902", 9, 9)]
