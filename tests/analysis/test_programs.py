"""Zones against what Python does: random programs are run many times, and the analysis must allow everything that was seen."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from marked import called, calls, function, is_pause
from programs import Writer, traces

from hitl_lint.analysis.cfg import build
from hitl_lint.analysis.zones import zone


def compare(source: str, runs: int) -> tuple[set[str], set[str]]:
    """What was seen and is denied, and what is said to be possible and was not seen."""
    fn = function(source)
    cfg = build(fn)
    z = zone(cfg, is_pause)
    points: dict[int, Any] = {c.args[0].value.value: cfg.at(c) for c in calls(fn.body)}
    names = {c.args[0].value.value: called(c) for c in calls(fn.body)}
    ran: set[int] = set()
    pairs: set[tuple[int, int]] = set()
    for trace in traces(source, runs):
        ran.update(trace)
        seen: set[int] = set()
        for n in trace:
            pairs.update((m, n) for m in seen)
            seen.add(n)
    said_ran = {n for n, ps in points.items() if any(cfg.paths().nodes.get(p.id) for p in ps)}
    said = {(m, n) for m in said_ran for n in said_ran if any(cfg.connects(p, q) for p in points[m] for q in points[n])}
    pausing = {n for n, name in names.items() if name == "interrupt"}
    inside = {m for m, n in pairs if n in pausing}
    said_inside = {n for n in said_ran if any(z.contains(p) for p in points[n])}
    after = {n for m, n in pairs if m in pausing}
    said_after = {n for n in said_ran if any(z.after_pause(p) for p in points[n])}
    rows = (("runs", ran, said_ran), ("pair", pairs, said), ("zone", inside, said_inside), ("after", after, said_after))
    return ({f"{name} {x}" for name, seen_, said_ in rows for x in seen_ - said_},
            {f"{name} {x}" for name, seen_, said_ in rows for x in said_ - seen_})


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_everything_that_happens_is_allowed(data: st.DataObject) -> None:
    source = Writer(lambda n: data.draw(st.integers(0, n - 1)), size=10).program()
    denied, _ = compare(source, 60)
    assert not denied, f"{source}\n{sorted(denied)}"
