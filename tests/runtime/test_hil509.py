"""HIL509: a breakpoint and a question in one node: the answer to the first is taken for the second."""

from __future__ import annotations

import asyncio

import pytest
from support import Run, Script, calling, load, saver


@pytest.mark.parametrize("factory", ["build", "build_by_table"])
def test_go_on_counts_as_the_approval_and_nobody_is_asked(factory: str) -> None:
    run = Run(getattr(load("HIL509/bad_breakpoint_before_the_question"), factory)(saver())).start({"cents": 5})
    assert (run.asked, run.done) == ([], False), "a stop without a question"
    run.answer("go on")
    assert (run.done, run.values["verdict"]) == (True, "go on")
    assert not any(run.history)


def test_answer_is_followed_by_a_second_stop() -> None:
    run = Run(load("HIL509/bad_breakpoint_after_the_question").build(saver())).start({"cents": 5}).answer("yes")
    assert (run.asked, run.done, "paid" in run.values) == ([], False, False)


@pytest.mark.filterwarnings("ignore")
def test_agent_takes_go_on_for_the_answer_of_its_tool() -> None:
    model = Script(turns=[calling(("cancel_order", {"order": "1"}))])
    run = Run(load("HIL509/bad_agent_with_breakpoint_before_tools").build(model, saver())).start({"messages": [("user", "go")]})
    assert run.asked == []
    run.answer("go on")
    assert "1: go on" in [m.content for m in run.values["messages"]]


def test_one_stop_for_one_question() -> None:
    run = Run(load("HIL509/good_question_alone").build(saver())).start({"cents": 5})
    assert run.asked == [{"pay": 5}]
    assert run.answer("yes").done
    run = Run(load("HIL509/good_breakpoint_on_another_node").build(saver())).start({"cents": 5})
    assert run.asked == [{"pay": 5}]
    run = Run(load("HIL509/good_breakpoint_alone").build(saver())).start({"cents": 5})
    assert run.send(None).values["paid"] is True


def test_new_input_never_goes_on_at_the_breakpoint() -> None:
    module = load("HIL509/good_only_started_anew")
    checkpointer = saver()
    asyncio.run(module.start(checkpointer, "1", "pay"))
    out = asyncio.run(module.decide(checkpointer, "1", {"approved": True}))
    assert not out.get("sent") and module._compiled.get_state({"configurable": {"thread_id": "1"}}).next == ("gate",)


def test_decision_is_taken_for_the_answer_of_a_cached_graph() -> None:
    module = load("HIL509/bad_breakpoint_of_a_cached_graph")
    checkpointer = saver()
    asyncio.run(module.start(checkpointer, "1", "pay"))
    out = asyncio.run(module.decide(checkpointer, "1", {"approved": False}))
    assert out["sent"] and out["approval"] == {"approved": False}
