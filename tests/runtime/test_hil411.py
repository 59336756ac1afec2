"""HIL411: nothing waits on a new thread: the answer starts an empty run, which asks again."""

from __future__ import annotations

from typing import Any

import pytest
from support import App, Run, load, questions


@pytest.fixture
def run() -> Run:
    return Run(questions("name"))


def waiting(result: dict[str, Any]) -> list[Any]:
    return [i.value for i in result.get("__interrupt__", ())]


def test_answer_on_a_new_thread_asks_again(run: Run) -> None:
    api = load("HIL411/bad_new_thread_for_each_request").Api(run.graph)
    assert waiting(api.ask("x")) == waiting(api.answer("ann")) == ["name?"]


def test_endpoint_with_its_own_thread_asks_again(run: Run, library: Any) -> None:
    library("fastapi", FastAPI=App)
    app = load("HIL411/bad_endpoint_makes_its_own_thread").make_app(run.graph)
    run.start({})
    assert waiting(app.call("answer", "ann")) == ["name?"]
    assert run.asked == ["name?"]


@pytest.mark.parametrize(("name", "thread"), [("answer", None), ("answer_blank", "")])
def test_a_thread_without_a_name_is_everybodys(run: Run, name: str, thread: Any) -> None:
    run.graph.invoke({"reviewer": "somebody else"}, {"configurable": {"thread_id": thread}})
    out = getattr(load("HIL411/bad_thread_without_a_name"), name)(run.graph, "ann")
    assert out == {"reviewer": "somebody else", "name": "ann"}


def test_the_clients_thread_is_answered(run: Run, library: Any) -> None:
    library("fastapi", FastAPI=App)
    app = load("HIL411/good_thread_from_the_client").make_app(run.graph)
    thread = app.call("ask", "x")["thread_id"]
    assert app.call("answer", thread, "ann")["name"] == "ann"


def test_scripts_sessions_and_hashes(run: Run) -> None:
    assert load("HIL411/good_script_with_one_config").main(run.graph, "x", lambda q: "ann")["name"] == "ann"
    assert load("HIL411/good_helpers_run_first").main(run.graph, "x", "ann")["name"] == "ann"
    session = load("HIL411/good_thread_made_once_for_a_session").Session(run.graph)
    session.say("x")
    assert session.answer("ann")["name"] == "ann"
    module = load("HIL411/good_thread_by_a_hash")
    module.ask(run.graph, "u", "x")
    assert module.answer(run.graph, "u", "ann")["name"] == "ann"
