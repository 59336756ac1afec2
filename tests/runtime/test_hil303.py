"""HIL303: a single conditional pause works as long as its guard stays what it was; this is what the note is about."""

from __future__ import annotations

import pytest
from langgraph.types import Command
from support import Run, load, saver


@pytest.mark.parametrize(("cents", "answers"), [(5, []), (200_00, ["approve"])])
def test_guard_from_state_works(cents: int, answers: list[str]) -> None:
    run = Run(load("HIL303/bad_only_pause_under_state").build(saver())).start({"cents": cents}).answer(*answers)
    assert run.values["status"] == "approved"


def test_answer_is_dropped_when_somebody_changes_the_guard_meanwhile() -> None:
    run = Run(load("HIL303/bad_only_pause_under_state").build(saver())).start({"cents": 200_00})
    run.send(Command(resume="reject", update={"cents": 5}))
    assert run.values["status"] == "approved"


def test_early_return_on_state_works_and_drops_the_answer_when_the_guard_changes() -> None:
    graph = load("HIL303/bad_early_return_on_state").build(saver())
    assert Run(graph).start({"cents": 9}).answer("reject", "long").values["status"] == "rejected"
    run = Run(graph).start({"cents": 1})
    run.send(Command(resume="reject", update={"auto": True}))
    assert run.values["status"] == "approved"


def test_last_of_two_works() -> None:
    flow = load("HIL303/bad_last_of_two").make_flow(saver())
    run = Run(flow, aio=True).start({"customer": "c", "regular": True}).answer("bike", "5")
    assert run.result == {"product": "bike", "discount": "5"}
    assert Run(flow, aio=True).start({"customer": "c", "regular": False}).answer("bike").result["discount"] == "0"


def test_unconditional_question_is_asked_whatever_state_becomes() -> None:
    run = Run(load("HIL303/good_unconditional").build(saver())).start({"cents": 200_00})
    run.send(Command(resume="reject", update={"cents": 5}))
    assert run.values["status"] == "rejected"


def test_guard_by_an_answer_cannot_change() -> None:
    run = Run(load("HIL303/good_guard_is_an_answer").build(saver())).start({"cents": 5}).answer("reject", "too much")
    run.answer({"action": "change"}, "really")
    assert (run.values["status"], run.values["why"]) == ("rejected", "really")


def test_branches_with_one_pause_each_keep_the_answer_when_the_guard_changes() -> None:
    run = Run(load("HIL303/good_one_pause_in_each_branch").build(saver())).start({"kind": "pizza"})
    run.send(Command(resume="ham", update={"kind": "other"}))
    assert run.values["detail"] == "ham"


@pytest.mark.parametrize(("cents", "answers", "status"), [(5, [], "approved"), (200_00, ["no"], "rejected")])
def test_condition_on_an_edge(cents: int, answers: list[str], status: str) -> None:
    run = Run(load("HIL303/good_condition_on_an_edge").build(saver())).start({"cents": cents}).answer(*answers)
    assert run.values["status"] == status


@pytest.mark.parametrize(("answer", "status"), [(True, "approved"), (False, "rejected")])
def test_docs_approve_or_reject(answer: bool, status: str) -> None:
    run = Run(load("HIL303/good_docs_approve_or_reject").build(saver())).start({"action_details": "d"}).answer(answer)
    assert run.values["status"] == status
