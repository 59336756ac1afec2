"""HIL702: one decision for two calls raises, is saved all the same, and the thread stays stuck."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.types import Command
from support import App, Run, Script, calling, load, saver

MANY = "Number of human decisions"


def start(module: Any, *to: str) -> Run:
    model = Script(turns=[calling(*(("send_mail", {"to": name}) for name in to))])
    return Run(module.build(model, saver())).start({"messages": [("user", "go")]})


def results(run: Run) -> list[str]:
    return [m.content for m in run.values["messages"] if m.type == "tool"]


def test_one_yes_for_two_mails_sticks_for_good(library: Any) -> None:
    library("fastapi", FastAPI=App)
    module = load("HIL702/bad_endpoint_says_yes_once")
    run = start(module, "ann", "bob")
    app = module.make_app(run.graph)
    with pytest.raises(ValueError, match=MANY):
        app.call("approve", run.config["configurable"]["thread_id"])
    with pytest.raises(ValueError, match=MANY):  # the right answer comes too late: the wrong one is saved
        run.graph.invoke(Command(resume={"decisions": [{"type": "approve"}, {"type": "approve"}]}), run.config)
    assert results(run) == []


def test_one_yes_for_one_mail_is_right(library: Any) -> None:
    library("fastapi", FastAPI=App)
    module = load("HIL702/bad_endpoint_says_yes_once")
    run = start(module, "ann")
    module.make_app(run.graph).call("approve", run.config["configurable"]["thread_id"])
    assert results(run) == ["sent to ann"]


def test_a_terminal_that_asks_once(monkeypatch: pytest.MonkeyPatch) -> None:
    module = load("HIL702/bad_typed_in_at_a_terminal")
    monkeypatch.setattr("builtins.input", lambda prompt: "approve")
    model = Script(turns=[calling(("send_mail", {"to": "ann"}), ("send_mail", {"to": "bob"}))])
    with pytest.raises(ValueError, match=MANY):
        module.chat(module.build(model, saver()), {"configurable": {"thread_id": "t"}}, "go")


def test_a_map_by_id_holds_all_calls_of_a_message_in_one_pause() -> None:
    module = load("HIL702/bad_one_decision_for_each_pause")
    run = start(module, "ann", "bob")
    assert len(run.interrupts) == 1
    with pytest.raises(ValueError, match=MANY):
        module.approve_all(run.graph, run.config)


def test_one_for_each_request_arrives() -> None:
    module = load("HIL702/good_one_for_each_request")
    run = start(module, "ann", "bob")
    module.decide(run.graph, run.config, lambda request: request["args"]["to"] == "bob")
    assert "rejected" in results(run)[0] and results(run)[1] == "sent to bob"
    run = start(module, "ann", "bob")
    module.approve_all(run.graph, run.config)
    assert results(run) == ["sent to ann", "sent to bob"]


def test_counting_refuses_before_anything_is_saved() -> None:
    module = load("HIL702/good_looks_how_many_wait")
    run = start(module, "ann", "bob")
    with pytest.raises(LookupError):
        module.approve(run.graph, run.config)
    run.answer({"decisions": [{"type": "approve"}, {"type": "approve"}]})
    assert results(run) == ["sent to ann", "sent to bob"]


def test_each_call_by_itself_takes_one_decision() -> None:
    module = load("HIL702/good_each_call_by_itself")
    run = start(module, "ann", "bob")
    assert len(run.interrupts) == 2
    module.approve_all(run.graph, run.config)
    assert sorted(results(run)) == ["sent to ann", "sent to bob"]


def test_one_tool_at_a_time_and_a_question_of_their_own() -> None:
    module = load("HIL702/good_one_tool_at_a_time")
    run = start(module, "ann")
    module.approve(run.graph, run.config)
    assert results(run) == ["sent to ann"]
    module = load("HIL702/good_question_of_their_own")
    run = Run(module.build(saver())).start({})
    assert module.say_yes(run.graph, run.config)["vote"] == "approve"
