"""Random nodes, split: the fixed program does on LangGraph what the unfixed one does without replay, each thing once."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mending import Mended, check, mend, splits
from random_nodes import Draw, Maker, Program, comments, fixed, old_thread, source, unfixed

KEYS = ("topic", "items", "flag", "count", "note", "log")
MANY = int(os.environ.get("HITL_LINT_EXAMPLES", "0"))


@st.composite
def programs(draw: Any) -> Program:
    return Maker(Draw(lambda n: draw(st.integers(0, n - 1)))).program()


def lines(text: str, findings: Any) -> set[tuple[str, str]]:
    """(code, line as it stands) of findings."""
    return {(f.code, text.split("\n")[f.span.line - 1].strip()) for f in findings}


def mended(text: str) -> Mended | None:
    """None where there is no fix. The first fix does away with what it says it does away with, and brings nothing new."""
    result = check(text)
    assert not result.complaints
    offered = [f for f in result.findings if splits(f)]
    if not offered:
        return None
    once = mend(text, most=1)
    compile(once.text, "once", "exec")
    gone = lines(text, [f for f in offered if splits(f)[0].edits == splits(offered[0])[0].edits])
    left = lines(once.text, once.left)
    assert not left & gone, "the fix leaves what it says it mends"
    assert comments(text) <= comments(once.text), "a comment is lost"
    assert left <= lines(text, result.findings), "the fix brings a new finding"
    all_of_them = mend(text, most=4)
    assert all_of_them.applied < 4, "fixes go on and on"
    assert not all_of_them.complaints
    return all_of_them


@settings(max_examples=MANY or 60, derandomize=not MANY, deadline=None, database=None,
          suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large])
@given(programs())
def test_split_program_does_the_same_with_each_thing_once(p: Program) -> None:
    text = source(p)
    fix = mended(text)
    if fix is None:
        return
    want = unfixed(p, text)
    if want.error is not None:
        return  # it reads a name that is not set: no program of anybody
    got = fixed(p, fix.text)
    if got.error is not None:
        raise got.error
    if not fix.left:
        assert (got.seen, got.asked) == (want.seen, want.asked)
        assert {k: got.values.get(k) for k in KEYS} == {k: want.values.get(k) for k in KEYS}
    for answered in range(len(want.asked)):
        outcome = old_thread(p, text, fix.text, answered, want)
        assert outcome in ("", "failed", "skip")
