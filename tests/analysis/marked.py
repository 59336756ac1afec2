"""Source with expectations on its lines, for tests of control flow and zones on facts directly.

Words in a line's comment say what holds of the calls on that line (of any of them; calls of `interrupt` and `ask` are the pauses):
    pause   a pause stands here
    zone    runs again on resume
    after   can run after an answer
    dead    can never run
Every line with a call must say all that holds of it; a line without a word is live, outside the zone and before every answer.
"""

from __future__ import annotations

import textwrap
from typing import Any, Iterator

from hitl_lint import facts as F
from hitl_lint.analysis.cfg import CFG, Point, build, build_module
from hitl_lint.analysis.positions import ENDLESS
from hitl_lint.analysis.zones import Zone, zone
from hitl_lint.frontend.source import read

WORDS = {"pause", "zone", "after", "dead"}
PAUSES = {"interrupt", "ask"}


def function(source: str, name: str = "f") -> F.Function:
    """The facts of the function `name` in a piece of source."""
    module = read("x.py", textwrap.dedent(source).encode())
    assert not module.problems, module.problems
    for node in (n for s in module.body for n in F.walk(s, into_functions=True)):
        if type(node) is F.Function and node.name == name:
            return node
    raise AssertionError(f"no function {name}")


def graph(source: str, **options: Any) -> CFG:
    return build(function(source), **options)


def module_graph(source: str) -> CFG:
    return build_module(read("x.py", textwrap.dedent(source).encode()).body)


def is_pause(point: Point) -> bool:
    return point.kind == "call" and called(point.node) in PAUSES


def called(call: F.Call) -> str:
    """The last word of what is called, "?" where it has none."""
    func = call.func
    return func.attr if type(func) is F.Attr else func.id if type(func) is F.Name else "?"


def calls(body: list[Any]) -> Iterator[F.Call]:
    for stmt in body:
        for node in F.walk(stmt):
            if type(node) is F.Call:
                yield node


def states(body: list[Any], of: Zone) -> dict[int, set[str]]:
    """What the analysis says of each line with a call."""
    out: dict[int, set[str]] = {}
    for call in calls(body):
        here = out.setdefault(call.at[0], set())
        points = [p for p in of.cfg.at(call) if of.cfg.paths().nodes.get(p.id)]
        if not points:
            here.add("dead")
        elif any(p in of.pauses for p in points):
            here.add("pause")
        else:
            here |= {word for word, holds in (("zone", of.contains), ("after", of.after_pause)) if any(holds(p) for p in points)}
    return out


def check(source: str, name: str = "f", **options: Any) -> Zone:
    """Compare the marks of a function with the analysis; the zone, for further questions."""
    source = textwrap.dedent(source)
    fn = function(source, name)
    found = zone(build(fn, **options), is_pause)
    got = states(fn.body, found)
    lines = source.splitlines()
    want = {n: set(lines[n - 1].partition("# ")[2].split()) & WORDS for n in got}
    wrong = [n for n in sorted(got) if got[n] != want[n]]
    shown = [f"line {n}: {lines[n - 1].strip()}\n    expected {sorted(want[n])}, got {sorted(got[n])}" for n in wrong]
    assert not shown, "\n" + "\n".join(shown)
    return found


def point(cfg: CFG, text: str, kind: str | None = None) -> Point:
    """The first point whose node reads `text`."""
    for p in cfg.points:
        if p.node is not None and (kind is None or p.kind == kind) and type(p.node) in F._FIELDS and F.text(p.node) == text:
            return p
    raise AssertionError(f"no point {text!r}: {cfg.points}")


def order(cfg: CFG) -> list[str]:
    """The names called on the straight path from the entry (first edge that is no exception, each point once)."""
    out: list[str] = []
    here, seen = cfg.entry, set()
    while here not in seen:
        seen.add(here)
        if here.kind == "call":
            out.append(called(here.node))
        nexts = [e.to for e in here.succ if e.kind != "exc"]
        if not nexts:
            break
        here = nexts[0]
    return out


def index_range(z: Zone, pause: Point) -> tuple[int, int | None]:
    """The least and the greatest number of pauses before this one over all paths; None for no limit (in or after a loop)."""
    least, greatest = z._positions().before(id(pause.node)) or (0, ENDLESS)
    return least, None if greatest == ENDLESS else int(greatest)


def position_differs(z: Zone, later: Point, earlier: Point) -> bool:
    """Some paths to `later` skip `earlier`, and then another number of pauses stands before `later` than on those that do not."""
    return z._positions().differs(id(later.node), id(earlier.node))
