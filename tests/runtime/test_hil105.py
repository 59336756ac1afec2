"""HIL105: the pause of a nested graph restarts the function that invoked it."""

from __future__ import annotations

import pytest
from support import Drafts, Http, Mail, Run, load, saver


def test_hold_is_placed_again_with_the_verdict(http: Http) -> None:
    run = Run(load("HIL105/bad_hold_placed_before_review_graph").build(saver())).start({"cart": "c", "amount": 5})
    assert run.asked == [{"amount": 5}]
    run.answer("ok")
    assert (run.values["verdict"], len(http.urls())) == ("ok", 2)


def test_model_is_paid_again_with_the_answer() -> None:
    llm = Drafts()
    run = Run(load("HIL105/bad_model_asked_before_approval_graph").build(saver(), llm)).start({"topic": "Oslo"}).answer("yes")
    assert (run.values["approved"], llm.calls) == (True, 2)


def test_mail_before_a_nested_flow_goes_out_twice(mail: Mail) -> None:
    run = Run(load("HIL105/bad_helper_runs_the_nested_flow").build(saver())).start({"person": "ann"}).answer("grant")
    assert (run.values["granted"], len(mail.sent)) == (True, 2)


@pytest.mark.parametrize(
    "name", ["good_hold_in_a_node_in_front", "good_review_graph_is_the_node", "good_hold_after_the_verdict", "good_task_before_review_graph"])
def test_near_misses_place_one_hold(http: Http, name: str) -> None:
    run = Run(load(f"HIL105/{name}").build(saver())).start({"cart": "c"}).answer("ok")
    assert (run.values["verdict"], len(http.urls())) == ("ok", 1)


def test_nested_graph_without_a_pause_runs_once(http: Http) -> None:
    run = Run(load("HIL105/good_nested_graph_that_never_pauses").build(saver())).start({"cart": "abc"})
    assert (run.values["total"], len(http.urls())) == (3, 1)
