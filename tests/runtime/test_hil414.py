"""HIL414: an old checkpoint gets the old answer again, and what follows it happens twice."""

from __future__ import annotations

from typing import Any, TypedDict

import pytest
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt
from support import App, Run, load, questions, saver

SENT: list[str] = []


class Mail(TypedDict, total=False):
    note: str
    to: str


def ask(state: Mail) -> dict[str, Any]:
    return {"to": interrupt("To whom?")}


def send(state: Mail) -> dict[str, Any]:
    SENT.append(state["to"])
    return {}


@pytest.fixture
def run() -> Run:
    SENT.clear()
    g = StateGraph(Mail).add_node("ask", ask).add_node("send", send).add_edge(START, "ask").add_edge("ask", "send")
    return Run(g.compile(checkpointer=saver())).start({"note": "n"})


def at_the_question(run: Run) -> Any:
    return next(s for s in run.graph.get_state_history(run.config) if s.next == ("ask",))


def test_changing_an_answer_sends_the_old_one_again(run: Run) -> None:
    run.answer("ann")
    load("HIL414/bad_answer_changed_by_history").change_answer_of(run.graph, run.config, "ask", "bob")
    assert SENT == ["ann", "ann"]


def test_checkpoint_from_an_old_page_sends_the_old_one_again(run: Run, library: Any) -> None:
    library("fastapi", FastAPI=App)
    app = load("HIL414/bad_checkpoint_from_the_client").make_app(run.graph)
    drawn = at_the_question(run).config["configurable"]
    run.answer("ann")
    app.call("answer", drawn["thread_id"], drawn["checkpoint_id"], "bob")
    assert SENT == ["ann", "ann"]


def test_second_answer_to_an_old_snapshot_is_not_delivered_to_a_new_question() -> None:
    g = StateGraph(Mail).add_node("ask", ask).add_node("send", send).add_edge(START, "ask").add_edge("ask", "send").add_edge("send", "ask")
    SENT.clear()
    run = Run(g.compile(checkpointer=saver())).start({"note": "n"})
    load("HIL414/bad_snapshot_from_before_the_last_run").answer_both(run.graph, run.config, "ann", "bob")
    assert SENT == ["ann", "ann"]


def test_latest_snapshot_thread_and_loop(run: Run) -> None:
    load("HIL414/good_latest_snapshot_at_once").answer(run.graph, run.config, lambda q: "ann")
    assert SENT == ["ann"]
    two = Run(questions("x", "y")).start({})
    load("HIL414/good_snapshot_taken_again").answer_all(two.graph, two.config, ["a", "b"])
    assert two.values == {"x": "a", "y": "b"}
    three = Run(questions("x")).start({})
    assert load("HIL414/good_thread_alone").answer(three.graph, three.config["configurable"]["thread_id"], "a") == {"x": "a"}


def test_fork_asks_again_and_takes_the_new_answer(run: Run) -> None:
    run.answer("ann")
    load("HIL414/good_fork_asks_again").change_answer(run.graph, run.config, "bob")
    assert SENT == ["ann", "bob"]
