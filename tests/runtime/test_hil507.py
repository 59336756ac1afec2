"""HIL507: by default the next node starts while the checkpoint of the one before is still being written; with durability="sync" it is written first."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from support import FIXTURES, App, Http, Mail, Run, load


class Slow(InMemorySaver):
    """A database that takes its time. `saved`: the nodes whose results are in it, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.saved: list[int] = []

    def put(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        time.sleep(0.3)
        out = super().put(config, checkpoint, metadata, new_versions)
        self.saved.append(metadata["step"])
        return out


def seen_by(module: Any, node: str, store: Slow) -> list[list[int]]:
    """What is saved each time a node starts."""
    seen: list[list[int]] = []
    real = getattr(module, node)

    def looks(state: Any) -> Any:
        seen.append(list(store.saved))
        return real(state)

    looks.__name__ = node
    setattr(module, node, looks)
    return seen


def test_order_desk(library: Any, http: Http) -> None:
    library("fastapi", FastAPI=App)
    module, store = load("HIL507/bad_order_desk"), Slow()
    seen = seen_by(module, "ask", store)
    app = module.make_app(store)
    app.call("start", "t", 5)
    assert len(http.urls()) == 1 and 1 not in seen[0], "the money is reserved, and the step that says so is not saved when the next one starts"
    assert app.call("answer", "t", "yes")["approved"] is True
    assert len(http.urls()) == 1


def test_second_question(mail: Mail) -> None:
    module, store = load("HIL507/bad_two_questions"), Slow()
    seen = seen_by(module, "ask_start", store)
    run = Run(module.build(store))
    module.start(run.graph, run.config)
    assert not mail.sent
    module.answer(run.graph, run.config, "1000")
    assert len(mail.sent) == 1 and 2 not in seen[0], "the offer is sent, and the step that says so is not saved"


def test_sync_saves_first(http: Http) -> None:
    module, store = load("HIL507/good_saved_before_it_goes_on"), Slow()
    seen = seen_by(module, "ask", store)
    run = Run(module.build(store))
    module.start(run.graph, run.config, 5)
    assert 1 in seen[0]


def test_nothing_to_lose(http: Http, mail: Mail) -> None:
    module = load("HIL507/good_nothing_is_paid_before")
    http.answer = lambda n, call: {"n": 3}
    run = Run(module.build(InMemorySaver()))
    module.start(run.graph, run.config)
    assert not http.urls()
    module.answer(run.graph, run.config, "yes")
    assert len(http.urls()) == 1
    run = Run(load("HIL507/good_asks_before_it_pays").build(InMemorySaver()))
    run.start({})
    assert not mail.sent
    run.answer("x")
    assert len(mail.sent) == 1


CRASH = """
import os, sqlite3, sys, time
sys.path.insert(0, {fixtures!r})
import httpx
paid = []
class Reply:
    def json(self): return {{"id": "h"}}
def post(*a, **k):
    open("paid", "a").write("x")
    return Reply()
httpx.post = post
from langgraph.checkpoint.sqlite import SqliteSaver
class Slow(SqliteSaver):
    def put(self, *a):
        time.sleep(0.5)
        return super().put(*a)
import good_saved_before_it_goes_on as m
real = m.ask
def ask(state):
    if sys.argv[1] == "crash":
        os._exit(1)
    return real(state)
m.ask = ask
graph = m.build(Slow(sqlite3.connect("c.db", check_same_thread=False)))
config = {{"configurable": {{"thread_id": "t"}}}}
kept = bool(graph.get_state(config).next)
given = None if kept else {{"amount": 5}}
graph.invoke(given, config, durability=sys.argv[2])
"""


@pytest.mark.parametrize(("durability", "times"), [("async", 2), ("sync", 1)])
def test_a_crash_pays_twice(durability: str, times: int, work_dir: Path) -> None:
    script = work_dir / "run.py"
    script.write_text(CRASH.format(fixtures=str(FIXTURES / "HIL507")))
    for mode in ("crash", "go"):
        subprocess.run([sys.executable, "run.py", mode, durability], cwd=work_dir, check=mode == "go", timeout=60, capture_output=True)
    assert (work_dir / "paid").read_text() == "x" * times
