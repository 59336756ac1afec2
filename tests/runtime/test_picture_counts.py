"""The counts of the picture are those of LangGraph: each program is run with all its answers, and every line's activations are counted."""

from __future__ import annotations

import importlib.util
import itertools
import random
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from support import FIXTURES, Http, Run, load, saver

from hitl_lint import picture as P
from hitl_lint import run as driver

HEAD = """
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

def note(*words):
    return words

"""
TAIL = """

def build(checkpointer):
    return StateGraph(dict).add_node("node", node).add_edge(START, "node").compile(checkpointer=checkpointer)
"""
ROUTED = """

def build(checkpointer):
    g = StateGraph(dict).add_node("node", node).add_node("last", lambda state: {}).add_edge(START, "node")
    g.add_conditional_edges("node", route, ["last", END])
    return g.compile(checkpointer=checkpointer)
"""

# name -> (source, lists of answers that take every way, tail)
PROGRAMS: dict[str, tuple[str, list[list[Any]], str]] = {
    "one": ("""
def node(state):
    a = note(1)
    b = interrupt("?")
    c = note(b)
    return {}
""", [["yes"]], TAIL),
    "two": ("""
def node(state):
    top = note(1)
    a = interrupt("first?")
    between = note(a)
    b = interrupt("second?")
    last = note(b)
    return {}
""", [["x", "y"]], TAIL),
    "second only for some": ("""
def node(state):
    top = note(1)
    a = interrupt("first?")
    if a == "more":
        inner = note(2)
        b = interrupt("second?")
        after = note(3)
    return {}
""", [["more", "y"], ["no"]], TAIL),
    "one of two": ("""
def node(state):
    top = note(1)
    a = interrupt("which?")
    if a == "left":
        left = note(2)
        b = interrupt("left?")
    else:
        right = note(3)
        b = interrupt("right?")
    return {"b": b}
""", [["left", "y"], ["right", "n"]], TAIL),
    "early return": ("""
def node(state):
    top = note(1)
    a = interrupt("first?")
    if a == "stop":
        note("stopped")
        return {}
    b = interrupt("second?")
    return {}
""", [["stop"], ["go", "y"]], TAIL),
    "finally": ("""
def node(state):
    top = note(1)
    try:
        inner = note(2)
        a = interrupt("first?")
        after = note(a)
    finally:
        closed = note(3)
    return {}
""", [["y"]], TAIL),
    "handler of another error": ("""
def node(state):
    try:
        a = interrupt("first?")
        n = int(a)
    except ValueError:
        n = note("no number")
    return {"n": 1}
""", [["3"], ["x"]], TAIL),
    "helper": ("""
def ask(question):
    before = note(question)
    answer = interrupt(question)
    return answer

def node(state):
    top = note(1)
    a = ask("first?")
    after = note(a)
    return {}
""", [["y"]], TAIL),
    "inner loop": ("""
def node(state):
    total = 0
    for n in range(3):
        total += n
    a = interrupt(total)
    for n in range(2):
        note(n)
    return {}
""", [["y"]], TAIL),
    "router": ("""
def node(state):
    top = note(1)
    return {}

def route(state):
    asked = note(2)
    a = interrupt("where to?")
    return "last" if a == "on" else END
""", [["on"], ["no"]], ROUTED),
    "node and router": ("""
def node(state):
    top = note(1)
    a = interrupt("first?")
    return {}

def route(state):
    a = interrupt("where to?")
    return "last" if a == "on" else END
""", [["x", "on"]], ROUTED),
}
LOOPS: dict[str, tuple[str, list[Any]]] = {
    "for": ("""
def node(state):
    top = note(1)
    for n in range(3):
        before = note(n)
        a = interrupt(n)
        after = note(a)
    last = note(2)
    return {}
""", ["a", "b", "c"]),
    "until it fits": ("""
def node(state):
    top = note(1)
    while True:
        before = note(2)
        a = interrupt("a number?")
        if a == "3":
            break
        bad = note(a)
    last = note(2)
    return {}
""", ["x", "y", "3"]),
}


class Counted:
    """Of each line of a file: in how many activations it ran, how often in all, and in which order the totals grew with the answers."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.total: Counter[int] = Counter()
        self.activations: dict[int, set[int]] = {}
        self._serial = itertools.count()

    def __enter__(self) -> Counted:
        threading.settrace(self._trace)
        sys.settrace(self._trace)
        return self

    def __exit__(self, *_: Any) -> None:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]

    def _trace(self, frame: FrameType, event: str, arg: Any) -> Any:
        if frame.f_code.co_filename != self.path:
            return None
        number = next(self._serial)

        def inside(frame: FrameType, event: str, arg: Any) -> Any:
            if event == "line":
                self.total[frame.f_lineno] += 1
                self.activations.setdefault(frame.f_lineno, set()).add(number)
            return inside

        return inside

    def runs(self, line: int) -> int:
        return len(self.activations.get(line, ()))


def write(folder: Path, source: str) -> tuple[Path, dict[int, P.Line]]:
    """(the program, by number the lines of its picture)."""
    path = folder / "program.py"
    path.write_text(source)
    picture = driver.check(driver.Request([str(path)], picture=True)).picture
    assert picture is not None and picture.graphs
    return path, {line.number: line for f in picture.functions for line in f.lines}


def build(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location("program", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.build(InMemorySaver())


@pytest.mark.parametrize("name", PROGRAMS)
def test_lines_run_as_often_as_the_picture_says(name: str, tmp_path: Path) -> None:
    body, ways, tail = PROGRAMS[name]
    path, lines = write(tmp_path, HEAD + body + tail)
    seen: dict[int, set[int]] = {}
    for answers in ways:
        graph = build(path)
        with Counted(str(path)) as counted:
            run = Run(graph).start({"x": 1}).answer(*answers)
        assert run.done
        for number in lines:
            if counted.runs(number):
                seen.setdefault(number, set()).add(counted.runs(number))
    source = path.read_text().split("\n")
    for number, line in lines.items():
        told = f"line {number}: {source[number - 1].strip()}: {line}, but {seen.get(number)}"
        assert number in seen, told
        if source[number - 1].strip().startswith("except "):
            continue  # whether it fits is asked of the pause, too
        if line.at_pause:
            assert max(seen[number]) > 1, told
        else:
            assert (min(seen[number]), max(seen[number])) == (line.least, line.most), told


@pytest.mark.parametrize("name", LOOPS)
def test_rounds_of_a_loop_that_asks_grow_with_every_answer(name: str, tmp_path: Path) -> None:
    body, answers = LOOPS[name]
    path, lines = write(tmp_path, HEAD + body + TAIL)
    source = path.read_text().split("\n")
    numbers = {word: n for n, text in enumerate(source, 1) for word in ("top", "before", "last") if text.strip().startswith(f"{word} =")}
    graph = build(path)
    totals = []
    with Counted(str(path)) as counted:
        run = Run(graph).start({"x": 1})
        totals.append(counted.total[numbers["before"]])
        for answer in answers:
            run.answer(answer)
            totals.append(counted.total[numbers["before"]])
    assert run.done
    assert totals[:3] == [1, 3, 6], "as the margin says"
    assert lines[numbers["before"]].grows and lines[numbers["before"]].most is None
    assert not lines[numbers["top"]].grows and lines[numbers["top"]].most is None and counted.total[numbers["top"]] == 1 + len(answers)
    assert lines[numbers["last"]].most == 1 and counted.total[numbers["last"]] == 1


def test_a_sibling_in_a_gather_runs_again(tmp_path: Path) -> None:
    path, lines = write(tmp_path, "import asyncio\n" + HEAD + """
async def other():
    note("other")

async def ask():
    return interrupt("?")

async def node(state):
    await asyncio.gather(
        ask(),
        other(),
    )
    return {}
""" + TAIL)
    graph = build(path)
    at = path.read_text().split("\n").index('    note("other")') + 1
    with Counted(str(path)) as counted:
        run = Run(graph, aio=True)
        run.start({"x": 1}).answer("y")
    assert run.done and counted.runs(at) == 2
    assert lines[path.read_text().split("\n").index("        other(),") + 1].most == 2


def test_costs_of_a_fixture_are_what_it_does(http: Http) -> None:
    path = FIXTURES / "HIL101/bad_between_two_pauses.py"
    picture = driver.check(driver.Request([str(path)], picture=True)).picture
    assert picture is not None
    (f,) = picture.functions
    by_line = {c.line: c for c in f.costs}
    Run(load("HIL101/bad_between_two_pauses").build(saver())).start({"customer": "c"}).answer("LH400", "vegan")
    posted = Counter(url.rsplit("/", 1)[-1] for url in http.urls())
    source = path.read_text().split("\n")
    for number, cost in by_line.items():
        what = "holds" if "holds" in source[number - 1] else "tickets"
        assert posted[what] == (2 if cost.again else 1)


# --------------------------------------------------------------------------- random functions
def block(r: random.Random, depth: int, loop: bool, n: Iterator[int], room: list[int]) -> list[str]:
    """A few statements: pauses, branches, loops, `try`, `with`, early ends. `room`: how many more pauses there may be."""
    out: list[str] = []
    for _ in range(r.randint(1, 3)):
        kind = r.random() if room[0] > 0 else 0.1

        def inner(inside: bool = loop) -> list[str]:
            return ["    " + line for line in block(r, depth + 1, inside, n, room)]

        if kind < 0.3:
            out.append(f"v{next(n)} = note({next(n)})")
        elif kind < 0.57:
            room[0] -= 1
            out.append(f"a = {'interrupt' if kind < 0.5 else 'ask'}({next(n)})")
        elif kind < 0.72 and depth < 3:
            out += [f"if {r.choice(['a == 1', 'state[chr(120)] == 1', 'state[chr(121)]'])}:", *inner()]
            if r.random() < 0.6:
                out += ["else:", *inner()]
        elif kind < 0.78 and depth < 2:
            out += [f"for k{next(n)} in range(2):", *inner(True)]
        elif kind < 0.86 and depth < 3:
            out += ["try:", *inner(), r.choice(["finally:", "except ValueError:"]), f"    v{next(n)} = note({next(n)})"]
        elif kind < 0.9:
            out += ["if a == 0:", "    return {}"]
        elif kind < 0.95 and loop:
            out += ["if a == 2:", f"    {r.choice(['break', 'continue'])}"]
        elif depth < 4:
            out += [f"with open('/dev/null') as f{next(n)}:", *inner()]
    return out or ["pass"]


@pytest.mark.parametrize("seed", range(0, 60, 6))
def test_random_functions_keep_to_their_counts(seed: int, tmp_path: Path) -> None:
    for one in range(seed, seed + 6):
        r = random.Random(one)
        body = "\n    ".join(block(r, 0, False, itertools.count(), [4]))
        source = f"{HEAD}def ask(q):\n    b = note(q)\n    c = interrupt(q)\n    return c\n\ndef node(state):\n    a = interrupt('first?')\n    {body}\n    return {{}}\n{TAIL}"
        path = tmp_path / "program.py"
        path.write_text(source)
        picture = driver.check(driver.Request([str(path)], picture=True)).picture
        assert picture is not None
        f = next(f for f in picture.functions if f.name.endswith("node"))
        text = source.split("\n")
        for _ in range(3):
            graph, answers = build(path), 0
            with Counted(str(path)) as counted:
                run = Run(graph).start({"x": r.randint(0, 1), "y": r.random() < 0.5})
                while not run.done:
                    run.answer(r.choice([0, 1, 2, 3]))
                    answers += 1
            for line in f.lines:
                got = counted.runs(line.number)
                if not got or text[line.number - 1].strip().startswith("except "):
                    continue
                most = 10_000 if line.most is None else line.most
                good = got <= max(most, answers + 1) if line.at_pause else line.least <= got <= most
                assert good, f"seed {one}: {text[line.number - 1].strip()}: {line}, but {got}\n{source}"
