"""HIL401: None is no answer. The run fails inside LangGraph and the thread stays paused."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langgraph.types import Command
from support import App, Run, load, questions, saver


@pytest.fixture
def waiting() -> Run:
    return Run(questions("name")).start({})


@pytest.fixture
def thread(waiting: Run) -> str:
    return waiting.config["configurable"]["thread_id"]


def test_skip_button_fails_and_the_thread_stays_paused(waiting: Run, thread: str, library: Any) -> None:
    library("fastapi", FastAPI=App)
    app = load("HIL401/bad_skip_and_optional_field").make_app(waiting.graph)
    with pytest.raises(UnboundLocalError):
        app.call("skip", thread)
    assert waiting.asked == ["name?"]


def test_reply_without_a_text_fails(waiting: Run, thread: str, library: Any) -> None:
    library("fastapi", FastAPI=App)
    module = load("HIL401/bad_skip_and_optional_field")
    app = module.make_app(waiting.graph)
    with pytest.raises(UnboundLocalError):
        app.call("reply", module.Reply(thread_id=thread))
    assert app.call("reply", module.Reply(thread_id=thread, text="ann")) == {"name": "ann"}


def test_default_of_the_parameter_and_empty_command_fail(waiting: Run, thread: str) -> None:
    client = load("HIL401/bad_default_of_a_parameter").Client(waiting.graph)
    with pytest.raises(UnboundLocalError):
        client.go_on(thread)
    with pytest.raises(UnboundLocalError):
        client.nudge(thread)
    assert waiting.asked == ["name?"]


def test_unknown_button_fails(waiting: Run, thread: str) -> None:
    on_button = load("HIL401/bad_variable_left_at_none").on_button
    with pytest.raises(UnboundLocalError):
        asyncio.run(on_button(waiting.graph, thread, "later"))
    assert asyncio.run(on_button(waiting.graph, thread, "ok")) == {"name": "approve"}


def test_message_without_an_answer_fails(waiting: Run, thread: str) -> None:
    module = load("HIL401/bad_dataclass_field")
    with pytest.raises(UnboundLocalError):
        module.Worker(waiting.graph).handle(module.Decision(thread))


def test_value_for_skipping_is_delivered(waiting: Run, thread: str, library: Any) -> None:
    library("fastapi", FastAPI=App)
    app = load("HIL401/good_value_for_skipping").make_app(waiting.graph)
    assert app.call("skip", thread) == {"name": {"skipped": True}}


def test_none_never_reaches_the_graph(waiting: Run, thread: str) -> None:
    client = load("HIL401/good_none_is_handled_first").Client(waiting.graph)
    with pytest.raises(ValueError, match="needed"):
        client.answer(thread)
    assert client.answer_when_there_is_one(thread) is None
    assert waiting.asked == ["name?"]
    assert client.answer_or_skip(thread) == {"name": "skip"}


@pytest.mark.parametrize(("method", "answer"), [("refuse", False), ("zero", 0), ("leave_blank", ""), ("none_of_them", []),
                                                ("without_comment", {"comment": None})])
def test_falsy_answers_are_delivered(waiting: Run, thread: str, method: str, answer: Any) -> None:
    form = load("HIL401/good_falsy_answers").Form(waiting.graph, thread)
    assert getattr(form, method)() == {"name": answer}


def test_command_of_a_node_needs_no_resume(library: Any) -> None:
    library("click")
    module = load("HIL401/good_other_commands")
    run = Run(module.build(saver())).start({"name": "j"})
    assert module.recover_after_crash(run.graph, run.config["configurable"]["thread_id"]) is None
    assert run.answer("fine").values["ok"] == "fine"


def test_none_by_interrupt_id_is_delivered(waiting: Run) -> None:
    waiting.send(Command(resume={waiting.interrupts[0].id: None}))
    assert waiting.values["name"] is None
