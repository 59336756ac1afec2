"""HIL404: a list is one answer: the first question gets all of it, the second is asked again."""

from __future__ import annotations

import asyncio
from typing import Any

from support import Run, load, saver


def thread(run: Run) -> str:
    return run.config["configurable"]["thread_id"]


def test_form_gives_the_list_to_the_first_question() -> None:
    module = load("HIL404/bad_form_sends_both_answers")
    run = Run(module.build(saver())).start({})
    module.submit_form(run.graph, thread(run), "Ann", "Monday")
    assert run.asked == ["Preferred date?"]
    assert run.answer("Monday").values["name"] == ["Ann", "Monday"]


def test_wizard_asks_the_second_question_again() -> None:
    wizard = load("HIL404/bad_wizard_with_a_helper").Wizard(saver())
    run = Run(wizard.app).start({})
    asyncio.run(wizard.finish(thread(run), "Main street 1", "Rome"))
    assert run.asked == ["City?"]


def test_one_question_with_all_fields_is_done() -> None:
    module = load("HIL404/good_one_question_with_all_fields")
    run = Run(module.build(saver())).start({})
    assert module.submit_form(run.graph, thread(run), "Ann", "Monday") == {"name": "Ann", "date": "Monday"}


def test_a_list_that_was_asked_for_arrives() -> None:
    module = load("HIL404/good_question_that_asks_for_a_list")
    run = Run(module.build(saver())).start({})
    assert module.publish(run.graph, thread(run)) == {"tags": ["news", "sport"]}
    module = load("HIL404/good_first_answer_is_a_list")
    run = Run(module.build(saver())).start({})
    module.guests(run.graph, thread(run))
    assert run.answer("Ritz").values == {"guests": ["Ann", "Bob"], "hotel": "Ritz"}


def test_one_answer_each(monkeypatch: Any) -> None:
    replies = iter(["Ann", "Monday"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(replies))
    out = load("HIL404/good_one_answer_each").main(saver(), {"configurable": {"thread_id": "t"}})
    assert out == {"name": "Ann", "date": "Monday"}
