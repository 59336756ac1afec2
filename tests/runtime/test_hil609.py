"""HIL609: one call is approved, and all of the message run."""

from __future__ import annotations

import pytest
from support import Run, calling, load, saver

BOTH = {"messages": [calling(("wipe", {"disk": "a"}), ("wipe", {"disk": "b"}))]}


@pytest.mark.parametrize(("name", "answer"), [("bad_last_call_is_shown", {"action": "continue"}), ("bad_first_risky_call_decides", "approve")])
def test_the_other_call_runs_unreviewed(name: str, answer: object) -> None:
    module = load(f"HIL609/{name}")
    run = Run(module.build(saver())).start(BOTH)
    assert len(run.asked) == 1
    run.answer(answer)
    assert sorted(module.DONE) == ["a", "b"] and run.done


def test_all_are_shown() -> None:
    module = load("HIL609/good_all_are_shown")
    run = Run(module.build(saver())).start(BOTH)
    assert [c["args"]["disk"] for c in run.asked[0]["calls"]] == ["a", "b"]
    run.answer("yes")
    assert sorted(module.DONE) == ["a", "b"]


def test_several_calls_are_refused() -> None:
    module = load("HIL609/good_one_call_is_made_sure_of")
    assert Run(module.build(saver())).start(BOTH).done and module.DONE == []


def test_only_the_reviewed_call_runs() -> None:
    module = load("HIL609/good_reviewed_call_is_sent_alone")
    Run(module.build(saver())).start(BOTH).answer("yes")
    assert module.DONE == ["b"]


def test_each_is_reviewed() -> None:
    module = load("HIL609/good_each_is_reviewed")
    run = Run(module.build(saver())).start(BOTH).answer("yes", "no")
    assert run.done and "b" not in module.DONE


def test_gate_of_a_factory() -> None:
    module = load("HIL609/bad_gate_of_a_factory")
    run = Run(module.build(saver())).start(BOTH)
    assert [a["tool_call"]["args"]["disk"] for a in run.asked] == ["b"]
    run.answer({"action": "continue"})
    assert sorted(module.DONE) == ["a", "b"]
