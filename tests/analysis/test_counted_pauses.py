"""Counting pauses: what is said of many pauses at once is what is said of each pair, and long functions stay cheap."""

from __future__ import annotations

import random

import pytest

from marked import function, index_range, is_pause, position_differs
from programs import Writer

from hitl_lint.analysis import positions
from hitl_lint.analysis.cfg import build
from hitl_lint.analysis.zones import Zone, zone


def zone_of(source: str) -> Zone:
    return zone(build(function(source)), is_pause)


def conditional(n: int, otherwise: str = "") -> str:
    return "def f(s):\n" + "".join(f"    if s[{k}]:\n        interrupt({k})\n{otherwise}" for k in range(n)) + "    interrupt('last')\n"


@pytest.mark.parametrize("seed", range(40))
def test_the_first_moved_is_the_first_that_differs(seed):
    rng = random.Random(seed)
    writer = Writer(rng.randrange, size=14)
    z = zone_of("def f(v0, v1):\n" + "".join(writer.block(1, loop=False) for _ in range(2)))
    for pause in z.pauses:
        later = [q for q in z.later_pauses(pause) if z.loops(q) is None and position_differs(z, q, pause)]
        assert z.first_moved(pause) is min(later, key=lambda q: q.node.at[:2], default=None)
        assert z.last(pause) is not bool(z.later_pauses(pause))


def test_hundreds_of_conditional_pauses_are_counted_in_few_steps():
    z = zone_of(conditional(400))
    moved = [z.first_moved(p) for p in z.pauses]
    assert moved == [*z.pauses[1:], None]
    assert z._positions().visits < 20 * 400
    assert index_range(z, z.pauses[-1]) == (0, 400)


def test_pauses_that_nothing_skips_are_not_followed_to_the_end():
    z = zone_of("def f(s):\n" + "".join(f"    interrupt({k})\n    act()\n" for k in range(800)))
    assert not any(z.first_moved(p) for p in z.pauses)
    assert z._positions().visits < 10 * 800
    assert index_range(z, z.pauses[-1]) == (799, 799)


def test_a_hundred_pauses_in_one_loop():
    z = zone_of("def f(s):\n    for x in s:\n" + "".join(f"        if x[{k}]:\n            interrupt({k})\n" for k in range(100)) + "    interrupt('last')\n")
    assert all(z.loops(p) is not None for p in z.pauses[:-1]) and z.loops(z.pauses[-1]) is None
    assert {z.first_moved(p) for p in z.pauses[:-1]} == {z.pauses[-1]}


def test_nothing_is_said_when_counting_takes_too_long(monkeypatch):
    source = conditional(60, "    else:\n        interrupt('other')\n")
    even = zone_of(source)
    assert {even.first_moved(p) for p in even.pauses} == {None}
    monkeypatch.setattr(positions, "VISITS", 100)
    z = zone_of(conditional(60))
    assert [z.first_moved(p) is None for p in z.pauses][-1]
    assert z._positions().visits < 300
