"""HIL205: a pause raised by hand comes again after every answer."""

from __future__ import annotations

import pytest
from support import Run, load, saver

pytestmark = pytest.mark.filterwarnings("ignore:NodeInterrupt is deprecated")


@pytest.mark.parametrize("build", ["build", "build_strict"])
def test_node_interrupt_asks_for_ever(build: str) -> None:
    run = Run(getattr(load("HIL205/bad_node_interrupt"), build)(saver())).start({"text": "short"}).answer("accept", "accept", "accept")
    assert run.history[0] and run.history == [run.history[0]] * 4
    assert "score" not in run.values


def test_graph_interrupt_asks_for_ever() -> None:
    run = Run(load("HIL205/bad_graph_interrupt_from_helper").build(saver())).start({"cents": 500}).answer(True, True)
    assert run.history == [[{"pay": 500}]] * 3


def test_complaint_comes_again_even_after_a_good_answer() -> None:
    run = Run(load("HIL205/bad_after_a_wrong_answer").build(saver())).start().answer("old", 40, 41)
    # From the second answer on the complaint is all there is.
    assert ["'old' is no number"] == run.history[-1] == run.history[-2]
    assert not run.done


def test_bare_class_leaves_no_question_behind() -> None:
    from langgraph.errors import GraphInterrupt
    from langgraph.graph import START, StateGraph

    def node(state: dict) -> dict:
        raise GraphInterrupt

    run = Run(StateGraph(dict).add_node("n", node).add_edge(START, "n").compile(checkpointer=saver())).start({"a": 1})
    assert run.asked == []


def test_caught_pauses_that_are_raised_again_take_their_answers() -> None:
    run = Run(load("HIL205/good_caught_pause_sent_on").build(saver())).start().answer("ann", "Rome")
    assert run.values == {"name": "ann", "city": "Rome"}


def test_interrupt_takes_the_answer() -> None:
    run = Run(load("HIL205/good_interrupt_call").build(saver())).start({"text": "short"}).answer("accept")
    assert run.values["score"] == 10


def test_class_of_the_same_name_is_an_error_like_others() -> None:
    graph = load("HIL205/good_other_exceptions").build(saver())
    assert Run(graph).start({"id": ""}).values["ok"] == "failed: no order"
    assert Run(graph).start({"id": "1"}).answer("yes").values["ok"] == "yes"


def test_question_of_another_run_is_handed_on() -> None:
    run = Run(load("HIL205/good_pause_of_another_run_handed_on").build(saver())).start({"city": "Rome"}).answer("yes")
    assert run.values["ok"] == "yes"


def test_only_a_change_of_the_state_gets_past_it() -> None:
    module = load("HIL205/bad_state_edited_by_hand")
    run = Run(module.build(saver())).start({"text": "short"}).answer("accept")
    assert run.asked == ["only 5 characters"]
    assert module.correct(run.graph, run.config, "long enough to be graded")["score"] == 10
