"""HIL510: goto adds to the static edges, it does not replace them."""

from __future__ import annotations

import pytest
from support import Run, load, saver


def test_rejection_runs_both() -> None:
    run = Run(load("HIL510/bad_rejection_still_pays").build(saver())).start({"cents": 5}).answer("reject")
    assert (run.values["cancelled"], run.values["paid"]) == (True, True)


def test_goto_end_does_not_stop_the_edge() -> None:
    run = Run(load("HIL510/bad_goto_end_beside_the_happy_path").build(saver())).start({"text": "t"}).answer("reject")
    assert (run.values["verdict"], run.values["sent"]) == ("reject", True)


@pytest.mark.parametrize("answer", [True, False])
def test_choice_beside_two_edges_runs_both(answer: bool) -> None:
    run = Run(load("HIL510/bad_choice_beside_two_edges").build(saver())).start({"text": "t"}).answer(answer)
    assert (run.values["done"], run.values["dropped"]) == (True, True)


def test_rollback_goes_live() -> None:
    run = Run(load("HIL510/bad_helper_returns_the_command").build(saver())).start({"version": "2"}).answer("stop")
    assert (run.values["notes"], run.values["live"]) == ("rolled back", True)


@pytest.mark.parametrize(("answer", "paid"), [("approve", True), ("reject", False)])
@pytest.mark.parametrize("name", ["good_no_edge_beside_goto", "good_command_to_the_parent", "good_edge_to_end"])
def test_only_what_the_answer_says_runs(name: str, answer: str, paid: bool) -> None:
    run = Run(load(f"HIL510/{name}").build(saver())).start({"cents": 5}).answer(answer)
    assert run.done and run.values.get("paid", False) is paid


def test_goto_where_the_edge_leads_runs_once() -> None:
    module = load("HIL510/good_always_where_the_edge_leads")
    run = Run(module.build(saver())).start({"cents": 5}).answer("n")
    assert (run.values["paid"], module.RUNS) == (True, ["n"])
    run = Run(load("HIL510/good_command_without_goto").build(saver())).start({"cents": 5}).answer("n")
    assert run.values["paid"] is True


def test_wrapped_node_that_does_not_ask_takes_its_edge_once() -> None:
    run = Run(load("HIL510/good_wrapper_around_any_function").build(saver())).start({})
    assert run.asked == [{"who": "boss"}]
    assert run.answer("yes").values == {"done": ["planner"], "verdict": "yes"}
