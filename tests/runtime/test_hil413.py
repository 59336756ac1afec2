"""HIL413: invoke(None) delivers the last answer to the next question."""

from __future__ import annotations

import asyncio

import pytest
from langgraph.types import Command

from support import Run, load, saver


def thread(run: Run) -> str:
    return run.config["configurable"]["thread_id"]


def test_cron_job_approves_production_by_the_answer_to_qa() -> None:
    module = load("HIL413/bad_cron_job_keeps_going")
    run = Run(module.build(saver())).start({})
    module.answer(run.graph, thread(run), "QA-OK")
    assert module.keep_going(run.graph, thread(run)) == {"qa": "QA-OK", "prod": "QA-OK"}


def test_continue_button_books_the_flight_as_hotel() -> None:
    desk = load("HIL413/bad_continue_button").Desk(saver())
    run = Run(desk.graph).start({})
    desk.reply(run.config, "LH 1")
    desk.go_on(run.config)
    assert run.values == {"flight": "LH 1", "hotel": "LH 1"}


def test_looking_first_leaves_the_question() -> None:
    module = load("HIL413/good_looks_what_waits")
    run = Run(module.build(saver())).start({}).answer("QA-OK")
    assert module.keep_going(run.graph, thread(run)) is None
    assert run.asked == ["Production sign-off?"]


def test_static_breakpoint_goes_on() -> None:
    module = load("HIL413/good_static_breakpoint")
    run = Run(module.build(saver())).start({})
    assert module.go_on(run.graph, run.config)["sent"] is True
    assert run.asked == ["How was it?"]


def test_recovery_keeps_one_question_waiting() -> None:
    module = load("HIL413/good_recovers_after_a_crash")
    run = Run(module.build(saver())).start({})
    module.recover(run.graph, thread(run))
    assert run.asked == ["QA sign-off?"]


def test_update_in_the_nodes_name_goes_on_behind_it() -> None:
    module = load("HIL413/good_fork_after_an_update")
    run = Run(module.build(saver())).start({})
    assert module.override(run.graph, run.config, "by hand") == {"qa": "by hand", "done": True}


def test_answer_beside_the_run_is_never_given() -> None:
    threads = load("HIL413/bad_answer_beside_the_run").Threads(saver())
    assert asyncio.run(threads.run("1", ["age"])) == [["age"]]
    assert asyncio.run(threads.resume("1", [{"age": 40}])) == {"answers": None, "waiting": [["age"]]}


@pytest.mark.parametrize("given", [{"command": {"resume": "x"}}, {"command": Command(resume="x")}, {"resume": "x"}])
@pytest.mark.parametrize("method", ["invoke", "stream"])
def test_no_run_takes_an_answer_beside_its_input(given: dict, method: str) -> None:
    module = load("HIL413/bad_answer_beside_the_run")
    run = Run(module.build(saver())).start({"missing": ["age"]})
    list(getattr(run.graph, method)(None, run.config, **given))
    assert run.graph.get_state(run.config).interrupts
