"""HIL503: what becomes of an answer at a static breakpoint."""

from __future__ import annotations

from typing import Any

import pytest
from support import App, Http, Run, Script, calling, load, saver


def test_rejected_wire_is_sent(http: Http, library: Any) -> None:
    library("fastapi", FastAPI=App)
    app = load("HIL503/bad_approve_and_reject_buttons").make_app(saver())
    started = app.call("start", "w1", "DE00", 5)
    assert "__interrupt__" not in started, "no question"
    app.call("decide", "w1", False)
    assert http.bodies() == [{"iban": "DE00", "cents": 5}]


@pytest.mark.filterwarnings("ignore")
def test_reject_sent_to_a_breakpoint_runs_the_tools() -> None:
    module = load("HIL503/bad_answer_for_a_stop_that_takes_none")
    module.review(Script(turns=[calling(("drop_table", {"name": "users"}))]), saver(), {"configurable": {"thread_id": "1"}}, "reject")
    assert module.DROPPED == ["users"]


def test_go_ahead_is_taken_for_the_payment() -> None:
    module, kept = load("HIL503/bad_next_question_eats_the_answer"), saver()
    run = Run(module.build(kept)).start({"text": "pens"})
    assert (run.asked, run.done) == ([], False)
    assert module.answer(kept, run.config, "ok")["paid"] is True
    assert run.asked == [] and run.done, "nobody saw Pay?"


def test_answer_decides_where_the_node_asks(http: Http) -> None:
    module, kept = load("HIL503/good_question_in_the_node"), saver()
    run = Run(module.build(kept)).start({"iban": "DE00", "cents": 5})
    assert run.asked == [{"iban": "DE00", "cents": 5}]
    assert module.decide(kept, run.config, False)["sent"] is False and not http.calls
    run = Run(module.build(kept)).start({"iban": "DE00", "cents": 5})
    assert module.decide(kept, run.config, True)["sent"] is True and len(http.calls) == 1


@pytest.mark.filterwarnings("ignore")
def test_reviewed_tools_are_not_run_when_they_are_rejected() -> None:
    module = load("HIL503/good_review_middleware_in_front_of_the_tools")
    model: Any = Script(turns=[calling(("drop_table", {"name": "users"}))])
    module.review(model, saver(), {"configurable": {"thread_id": "1"}}, "reject")
    assert module.DROPPED == []
