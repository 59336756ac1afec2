"""What each construct becomes in facts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitl_lint import facts as f
from hitl_lint.frontend import expressions, lower, source

EVERY_SYNTAX = (Path(__file__).parent / "data" / "every_syntax.txt").read_text("utf-8")


def body(code: str) -> list[Any]:
    module = source.read("m.py", code.encode())
    assert not module.problems
    return module.body


def value(code: str) -> Any:
    """The one expression of `code`."""
    (statement,) = body(code)
    assert type(statement) is f.ExprStmt
    return statement.value


def plain(node: Any) -> Any:
    """A node as nested tuples without positions, for comparing."""
    if isinstance(node, list):
        return [plain(x) for x in node]
    if not hasattr(node, "__dataclass_fields__"):
        return node
    inside = [plain(getattr(node, name)) for name in node.__dataclass_fields__ if name not in ("at", "whole")]
    return (type(node).__name__, *inside)


@pytest.mark.parametrize(
    ("code", "kind", "content"),
    [
        ("'a\\n\\x41\\u00e9\\N{DIGIT ONE}\\101\\q'", "str", "a\nAé1A\\q"),
        ("r'a\\n'", "str", "a\\n"),
        ("'a' \"b\" '''c\n'''", "str", "abc\n"),
        ("'a\\\nb'", "str", "ab"),
        ("'\\'' \"\"", "str", "'"),
        ("u'x'", "str", "x"),
        ("b'\\x00'", "bytes", "b'\\x00'"),
        ("b'a' b'b'", "bytes", "b'a' b'b'"),
        ("0xff", "int", 255),
        ("1_000", "int", 1000),
        ("1e3", "float", 1000.0),
        ("1_0.5", "float", 10.5),
        ("2J", "complex", "2J"),
        ("True", "bool", True),
        ("None", "none", None),
        ("...", "ellipsis", "..."),
    ],
)
def test_a_literal_becomes_its_value(code: str, kind: str, content: Any) -> None:
    const = value(code)
    assert (type(const), const.kind, const.value) == (f.Const, kind, content)


def test_an_integer_too_long_for_json_is_opaque() -> None:
    assert type(value("0x" + "f" * 5000)) is f.Opaque


def test_a_backslash_that_is_no_escape_gives_no_warning(recwarn: pytest.WarningsRecorder) -> None:
    assert value("'\\d \\777 \\N{NO SUCH NAME} \\U99999999'").value == "\\d \u01ff \\N{NO SUCH NAME} \\U99999999"
    assert not recwarn.list


def test_an_f_string_is_its_texts_and_expressions_in_order() -> None:
    got = value("f'a{{{x}b{y!r:>{width}}\\t' 'tail' rf'\\t{z=}'")
    assert plain(got) == (
        "FStr",
        [
            ("Const", "str", "a{"),
            ("Name", "x"),
            ("Const", "str", "b"),
            ("Name", "y"),
            ("Const", "str", ">"),
            ("Name", "width"),
            ("Const", "str", "\t"),
            ("Const", "str", "tail"),
            ("Const", "str", "\\t"),
            ("Name", "z"),
        ],
    )


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("( a ) . b ( c , * d , e = f , ** g ) [ 1 : 2 , ... ]", "a.b(c, *d, e=f, **g)[(1:2, ...)]"),
        ("a and ( b and c ) and d or e", "a and b and c and d or e"),
        ("a < b not in c is not d", "a < b not in c is not d"),
        ("not - a ** b", "not -a ** b"),
        ("x if y else z", "x if y else z"),
        ("{1: 2, **a}", "{1: 2, **a}"),
        ("[*a, b]", "[*a, b]"),
        ("await_(x := 1)", "await_(x := 1)"),
        ("x[a, b]", "x[(a, b)]"),
        ("x[a,]", "x[(a)]"),
        ("x[*a]", "x[(*a)]"),
        ("x[(a, b)]", "x[(a, b)]"),
        ("print >>x, 1", "(print >> x, 1)"),
    ],
)
def test_an_expression_reads_as_it_was_written_without_its_parentheses(code: str, text: str) -> None:
    assert f.text(value(code)) == text


def test_boolean_chains_are_flat() -> None:
    got = value("a and b and c or d")
    assert plain(got) == ("BoolOp", "or", [("BoolOp", "and", [("Name", "a"), ("Name", "b"), ("Name", "c")]), ("Name", "d")])


def test_comprehensions_keep_their_generators() -> None:
    got = value("{k: v for k, v in a if b if c for d in e}")
    assert got.kind == "dict" and f.text(got.key) == "k" and f.text(got.elt) == "v"
    assert [(f.text(g.target), f.text(g.iter), [f.text(i) for i in g.ifs], g.is_async) for g in got.generators] == [
        ("(k, v)", "a", ["b", "c"], False),
        ("d", "e", [], False),
    ]
    assert value("(x async for x in y)").generators[0].is_async
    assert [value(c).kind for c in ("[x for x in y]", "{x for x in y}", "(x for x in y)")] == ["list", "set", "gen"]


def test_parameters_know_how_they_are_passed() -> None:
    (statement,) = body("def f(a, b: int = 1, /, c=2, *d, e: str, **g) -> bool: pass")
    fn = statement.fn
    assert [(p.name, p.kind, f.text(p.annotation), f.text(p.default)) for p in fn.params] == [
        ("a", "pos", "", ""),
        ("b", "pos", "int", "1"),
        ("c", "any", "", "2"),
        ("d", "star", "", ""),
        ("e", "kw", "str", ""),
        ("g", "star2", "", ""),
    ]
    assert f.text(fn.returns) == "bool"
    (statement,) = body("def f(*, a): pass")
    assert [(p.name, p.kind) for p in statement.fn.params] == [("a", "kw")]


def test_a_lambda_is_a_function_that_returns_its_expression() -> None:
    got = value("lambda x, *y: (yield x)")
    assert got.fn.name == "<lambda>" and got.fn.is_generator
    assert plain(got.fn.body) == [("Return", ("Yield", ("Name", "x"), False))]


def test_qualified_names_are_dotted() -> None:
    module = source.read("m.py", b"class A:\n  def run(self):\n    def inner(): return lambda: 1\nasync def make():\n  class B: pass\n")
    names = [node.qualname for node in f.walk(module, into_functions=True) if type(node) in (f.Function, f.Class)]
    assert names == ["A", "A.run", "A.run.inner", "A.run.inner.<lambda>", "make", "make.B"]


def test_only_a_yield_of_its_own_makes_a_generator() -> None:
    module = source.read("m.py", b"def a():\n  def b(): yield\n  return lambda: (yield)\ndef c(x=lambda: (yield)):\n  x = yield from y\n")
    found = {n.qualname: n.is_generator for n in f.walk(module, into_functions=True) if type(n) is f.Function}
    assert found == {"a": False, "a.b": True, "a.<lambda>": True, "c": True, "<lambda>": True}


def test_global_and_nonlocal_belong_to_the_function_they_stand_in() -> None:
    module = source.read("m.py", b"def a():\n  global x, y\n  def b():\n    nonlocal z\n  class C:\n    global w\n")
    found = {n.qualname: (n.globals, n.nonlocals) for n in f.walk(module, into_functions=True) if type(n) is f.Function}
    assert found == {"a": (["x", "y"], []), "a.b": ([], ["z"])}


def test_imports_of_every_form() -> None:
    statements = body("import a.b as c, d.e\nfrom .a import b as c\nfrom .. import (x,\n  y)\nfrom ...p.q import *\nfrom m import n\n")
    assert [[(n.module, n.level, n.name, n.asname) for n in s.names] for s in statements] == [
        [("a.b", 0, None, "c"), ("d.e", 0, None, None)],
        [("a", 1, "b", "c")],
        [("", 2, "x", None), ("", 2, "y", None)],
        [("p.q", 3, "*", None)],
        [("m", 0, "n", None)],
    ]


def test_assignments_of_every_form() -> None:
    assert [plain(s) for s in body("a = b = 1\nx: int\ny: int = 2\nz **= 3\n")] == [
        ("Assign", [("Name", "a"), ("Name", "b")], ("Const", "int", 1), None),
        ("Assign", [("Name", "x")], None, ("Name", "int")),
        ("Assign", [("Name", "y")], ("Const", "int", 2), ("Name", "int")),
        ("AugAssign", ("Name", "z"), "**", ("Const", "int", 3)),
    ]


def test_an_elif_is_an_if_in_the_else_branch() -> None:
    (statement,) = body("if a: x\nelif b: y\nelse: z\n")
    assert plain(statement) == (
        "If",
        ("Name", "a"),
        [("ExprStmt", ("Name", "x"))],
        [("If", ("Name", "b"), [("ExprStmt", ("Name", "y"))], [("ExprStmt", ("Name", "z"))])],
    )


def test_a_try_keeps_its_parts() -> None:
    plain_try, star = body("try: a\nexcept (C, D) as e: c\nexcept: b\nelse: d\nfinally: e\ntry: a\nexcept* A: b\n")
    assert [(f.text(h.type), h.name, len(h.body)) for h in plain_try.handlers] == [("(C, D)", "e", 1), ("", None, 1)]
    assert (len(plain_try.orelse), len(plain_try.final), plain_try.star, star.star) == (1, 1, False, True)


def test_with_and_loops_know_whether_they_are_async() -> None:
    (fn,) = body(
        "async def f():\n  async with a as b, c: pass\n  with (d as e,): pass\n  async for x in y: pass\n  else: z\n  for x in y: pass\n"
    )
    first, second, third, fourth = fn.fn.body
    assert fn.fn.is_async
    assert [(f.text(i.value), f.text(i.target)) for i in first.items] == [("a", "b"), ("c", "")] and first.is_async
    assert [(f.text(i.value), f.text(i.target)) for i in second.items] == [("d", "e")] and not second.is_async
    assert third.is_async and third.orelse and not fourth.is_async


@pytest.mark.parametrize(
    ("pattern", "text", "captures", "irrefutable"),
    [
        ("_", "_", [], True),
        ("x", "x", ["x"], True),
        ("(x)", "x", ["x"], True),
        ("x if y", "x", ["x"], False),
        ("_ as z", "_", ["z"], True),
        ("A() | _", "A() | _", [], True),
        ("1 | 'a' | None", "1 | 'a' | None", [], False),
        ("a.b", "a.b", [], False),
        ("-1", "-1", [], False),
        ("[a, *rest]", "[a, *rest]", ["a", "rest"], False),
        ("a, *_", "(a, *_)", ["a"], False),
        ("{'k': v, **rest}", "{'k': v, **rest}", ["v", "rest"], False),
        ("P(1, x=a)", "P(1, x=a)", ["a"], False),
        ("str() as s", "str()", ["s"], False),
        ("[x] | (x, _)", "[x] | (x, _)", ["x"], False),
    ],
)
def test_a_pattern_is_an_expression_with_captures(pattern: str, text: str, captures: list[str], irrefutable: bool) -> None:
    (statement,) = body(f"match m:\n  case {pattern}:\n    pass\n")
    (case,) = statement.cases
    assert (f.text(case.pattern), case.captures, case.irrefutable) == (text, captures, irrefutable)


def test_type_aliases_and_parameters_run_nothing() -> None:
    alias, fn, cls = body("type X[T] = list[T]\ndef f[T: int](x: T): pass\nclass A[*Ts]: pass\n")
    assert (type(alias), fn.fn.name, cls.cls.name) == (f.Pass, "f", "A")


def test_class_keywords_are_arguments_behind_the_bases() -> None:
    (statement,) = body("@a.b(1)\n@c\nclass A(B, *c, metaclass=M, **k): pass\n")
    assert [f.text(b) for b in statement.cls.bases] == ["B", "*c", "metaclass=M", "**k"]
    assert [f.text(d) for d in statement.cls.decorators] == ["a.b(1)", "c"]


def test_comments_that_steer_are_kept_with_their_place() -> None:
    module = source.read(
        "m.py",
        b"# plain\n# hitl-lint: skip-file\nif a:  # noqa\n    # expect: HIL101\n    f(  # NOQA: HIL1\n"
        b"        # allow: HIL102\n        1)\n",
    )
    assert [(c.line, c.column, c.text, c.alone) for c in module.comments] == [
        (2, 1, "# hitl-lint: skip-file", True),
        (3, 8, "# noqa", False),
        (4, 5, "# expect: HIL101", True),
        (5, 9, "# NOQA: HIL1", False),
        (6, 9, "# allow: HIL102", True),
    ]


def test_statements_of_several_lines_are_known() -> None:
    module = source.read(
        "m.py", b"x = 1\ny = (\n 2)\ndef f(a,\n  b):\n  s = '''\n'''\n@d(\n)\nclass A: pass\nif (a and\n  b): c; d(\n  )\n"
    )
    assert module.statements == [(2, 3), (4, 5), (6, 7), (8, 9), (11, 12), (12, 13)]


# --------------------------------------------------------------------------- depth
def depth(node: Any) -> int:
    levels, stack = 0, [(node, 1)]
    while stack:
        top, level = stack.pop()
        levels = max(levels, level)
        stack.extend((child, level + 1) for child in f.children(top))
    return levels


@pytest.mark.parametrize("link", [".b", "(1)", "[1]", " + b", ".b(c())", " | f(x)"])
def test_a_long_chain_is_flattened_and_keeps_every_call_in_order(link: str) -> None:
    (statement,) = body("a" + "".join(link.replace("x", f"x{n}").replace("c()", f"c{n}()") for n in range(200)))
    names = [n.id for n in f.walk(statement) if type(n) is f.Name and n.id[0] in "xc" and n.id[1:]]
    assert depth(statement) <= expressions.SPINE + 6
    if "x" in link or "c" in link:
        assert sorted(int(n[1:]) for n in names) == list(range(200))


def test_many_elifs_become_a_match_that_means_the_same() -> None:
    (statement,) = body("if a0: b0\n" + "".join(f"elif a{n}: b{n}\n" for n in range(1, 300)) + "else: z\n")
    assert depth(statement) <= lower.ELIFS + 6
    inner = statement
    for n in range(lower.ELIFS):
        assert f.text(inner.test) == f"a{n}"
        (inner,) = inner.orelse
    assert type(inner) is f.Match
    assert [f.text(c.guard) for c in inner.cases[:-1]] == [f"a{n}" for n in range(lower.ELIFS, 300)]
    assert [f.text(c.body[0].value) for c in inner.cases] == [*(f"b{n}" for n in range(lower.ELIFS, 300)), "z"]
    assert [c.irrefutable for c in inner.cases] == [False] * (300 - lower.ELIFS) + [True]


@pytest.mark.parametrize(
    "code",
    ["-" * 200 + "1", "not " * 200 + "1", "1 if 2 else " * 200 + "3", "1" + " ** 1" * 200, "lambda: " * 100 + "1", "f(" * 100 + ")" * 100],
)
def test_what_cannot_be_flattened_is_refused_or_can_be_walked(code: str) -> None:
    module = source.read("m.py", code.encode())
    if module.problems:
        (problem,) = module.problems
        assert problem.message == "the code nests too deeply to be analysed" and problem.column > 1
    else:
        assert f.dump(f.load(f.dump(module))) == f.dump(module)


# --------------------------------------------------------------------------- plain data
def test_facts_survive_json() -> None:
    module = source.read("m.py", EVERY_SYNTAX.encode())
    assert not module.problems
    data = f.dump(module)
    assert f.dump(f.load(json.loads(json.dumps(data)))) == data


ATOMS = st.sampled_from(["a", "b.c", "1", "'s'", "f'{x}'", "None", "[]", "{}", "...", "b''", "x[0]", "f()", "1.5"])
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.builds("({})".format, inner),
        st.builds("{} + {}".format, inner, inner),
        st.builds("({} and {} or {})".format, inner, inner, inner),
        st.builds("({}).m({}, *{}, k={})".format, inner, inner, inner, inner),
        st.builds("[{} for y in {} if {}]".format, inner, inner, inner),
        st.builds("(lambda x={}: {})".format, inner, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("{{{}: {}, **{}}}".format, inner, inner, inner),
        st.builds("(not {} < {})".format, inner, inner),
        st.builds("x[{}:{}, {}]".format, inner, inner, inner),
        st.builds("(\n  {} ,  # noqa\n {}\n)".format, inner, inner),
    ),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(EXPRESSIONS)
def test_any_expression_lies_where_its_text_is(code: str) -> None:
    """Names and calls are read back from the text at their positions."""
    module = source.read("m.py", code.encode())
    assert not module.problems
    lines = code.split("\n")
    for node in f.walk(module, into_functions=True):
        if type(node) is f.Name:
            assert lines[node.at[0] - 1][node.at[1] - 1 : node.at[3] - 1] == node.id
        elif type(node) in (f.Call, f.Sub):
            assert lines[node.at[2] - 1][node.at[3] - 2] in ")]"
    data = f.dump(module)
    assert f.dump(f.load(json.loads(json.dumps(data)))) == data
