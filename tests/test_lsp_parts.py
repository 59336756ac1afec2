"""The parts of the language server that need no server: positions, edits, pages, what is carried over while a person types."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytest.importorskip("pygls")

from hitl_lint.finding import Finding, Severity, Span  # noqa: E402
from hitl_lint.lsp import convert  # noqa: E402
from hitl_lint.frontend.incremental import Parsed  # noqa: E402
from hitl_lint.lsp.live import carried, gap  # noqa: E402
from hitl_lint.rules import all_rules  # noqa: E402


def lines(text: str) -> dict[Any, list[str]]:
    return {None: text.split("\n")}


def at(line: int, code: str = "HIL101") -> Finding:
    return Finding(code, "x", Severity.ERROR, Span("a.py", line, 1, line, 5), code, context=code, pause=Span("a.py", line, 1, line, 2))


def test_findings_of_the_project_are_carried_over_changes_of_other_lines() -> None:
    old = "a\nb\nc\nd"
    known = gap([at(1, "HIL1")], [at(1, "HIL2"), at(3, "HIL3")], lines(old))
    assert [f.code for f in known.more] == ["HIL2", "HIL3"]
    assert [(f.code, f.span.line) for f in carried([at(1, "HIL1")], known, lines(old))] == [("HIL2", 1), ("HIL3", 3)]
    moved = carried([], known, lines("a\nb\nnew\nnew\nc\nd"))
    assert [(f.code, f.span.line, f.pause.line if f.pause else 0) for f in moved] == [("HIL2", 1, 1), ("HIL3", 5, 5)]
    assert [(f.code, f.span.line) for f in carried([], known, lines("a\nb\nX\nd"))] == [("HIL2", 1)]
    assert carried([at(9, "HIL1")], known, lines("")) == []
    assert [f.code for f in carried([at(3, "HIL3")], known, lines("a\nb\nX\nd"))] == ["HIL2", "HIL3"]


def test_only_the_newest_contents_are_kept_parsed() -> None:
    kept = Parsed()
    for n in (1, 2, 1, 3):
        kept["a.py", b"%d" % n] = n
    kept["b.py", b"1"] = 1
    assert sorted(kept) == [("a.py", b"1"), ("a.py", b"3"), ("b.py", b"1")]


def edited(text: str, edits: Any, units: convert.Units) -> str:
    places = convert.lines_of(text)
    starts = [0, *(match.end() for match in re.finditer(r"\r\n?|\n", text))]
    for edit in reversed(list(edits)):
        start, end = (starts[p.line] + units.column(places, p) - 1 for p in (edit.range.start, edit.range.end))
        text = text[:start] + edit.new_text + text[end:]
    return text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize(("old", "new"), [
    ("", "a"), ("a", ""), ("a\nb\n", "a\nb\nc\n"), ("a\nb", "a\nb\nc"), ("\U0001f600", "\U0001f600é\n"), ("a\r\nb\r\n", "a\r\nX\r\nb\r\n"),
    ("a\fb\nc\u2028d\ne", "a\fb\nX\nc\u2028d\nf"), ("a\nb\nc", "c"), ("x\n", "x"), ("a\rb\r", "a\rc\r")])
def test_edits_make_the_new_text(old: str, new: str, encoding: str) -> None:
    units = convert.Units(encoding)
    assert edited(old, convert.edits(old, new, units), units) == new


@pytest.mark.parametrize(("text", "line", "expected"), [
    ("f()", 1, "f()  # noqa: HIL101"),
    ("f()  # noqa: E501", 1, "f()  # noqa: E501, HIL101"),
    ("f()   ", 1, "f()  # noqa: HIL101"),
    ("f('''\na''')", 1, "f('''\na''')  # noqa: HIL101"),
    ("x = \\\n  f()", 1, "x = \\\n  f()  # noqa: HIL101"),
    ("f(\n  1,\n)", 1, "f(  # noqa: HIL101\n  1,\n)"),
    ("f()  # why", 1, "f()  # why  # noqa: HIL101"),
    ("%pip x\nf()", 2, "%pip x\nf()  # noqa: HIL101"),
    ("f('''", 1, None)])
def test_where_a_noqa_goes(text: str, line: int, expected: "str | None") -> None:
    units = convert.Units("utf-16")
    finding = Finding("HIL101", "x", Severity.ERROR, Span("a.py", line, 1, line, 2), "m")
    edit = convert.suppression(finding, convert.lines_of(text), units)
    assert (edited(text, [edit], units) if edit else None) == expected


def test_every_rules_page_is_sound_markdown() -> None:
    for rule in all_rules():
        page = convert.page(rule.meta.code, True)
        assert page.count("```python\n") * 2 == page.count("```") >= 2 and "**At run time:**" in page and "**What it does not see:**" in page
        outside = "\n".join(part for n, part in enumerate(page.split("```")) if n % 2 == 0)
        assert not any(line.startswith("    ") for line in outside.split("\n")), rule.meta.code


def test_a_hover_escapes_what_is_no_markup() -> None:
    finding = Finding("HIL101", "effect-before-interrupt", Severity.NOTE, Span("my_app/__init__.py", 1, 1, 1, 2), "a_b_c `x_y` <T>", pause=Span("my_app/a.py", 2, 1, 2, 2), help="do\n    this")
    text = convert.hover([finding], True)
    assert r"a\_b\_c `x_y` \<T\>" in text and r"my\_app/a.py:2:1" in text and "```text\ndo\n    this\n```" in text
    assert "a_b_c `x_y` <T>" in convert.hover([finding], False)
