"""HIL407: update and goto as graph input answer nothing, pass by the approval, or make the thread unreadable."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langgraph.errors import InvalidUpdateError
from langgraph.types import Command
from support import App, Run, Script, calling, load, questions, saver


def thread(run: Run) -> str:
    return run.config["configurable"]["thread_id"]


@pytest.mark.parametrize("endpoint", ["chat", "chat_sync", "chat_stream"])
def test_chat_turn_by_update_raises_the_same_question_again(library: Any, endpoint: str) -> None:
    library("fastapi", FastAPI=App)
    run = Run(questions("name")).start({"messages": []})
    before = run.interrupts[0].id
    load("HIL407/bad_docs_update_as_chat_turn").make_app(run.graph).call(endpoint, thread(run), "ann")
    assert (run.asked, run.interrupts[0].id) == (["name?"], before)


def _approval(sent: list[int]) -> Any:
    """approve (pauses) -> send; `send` only after an approval, as it is meant."""
    from typing import TypedDict

    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    class Wire(TypedDict, total=False):
        cents: int
        verdict: str

    def send(state: Wire) -> dict:
        sent.append(state["cents"])
        return {}

    g = StateGraph(Wire).add_node("approve", lambda s: {"verdict": interrupt("ok?")}).add_node("send", send)
    return g.add_edge(START, "approve").add_edge("approve", "send").compile(checkpointer=saver())


@pytest.mark.filterwarnings("ignore:The v3 streaming protocol")
@pytest.mark.parametrize("method", ["jump", "jump_and_watch", "events", "events_at_once"])
def test_goto_runs_the_node_although_nobody_approved(method: str) -> None:
    sent: list[int] = []
    run = Run(_approval(sent)).start({"cents": 5})
    result = getattr(load("HIL407/bad_docs_goto_skips_the_approval").Console(run.graph), method)(thread(run), "send")
    if asyncio.iscoroutine(result):
        asyncio.run(result)
    assert sent == [5] and run.asked == ["ok?"]
    run.answer("approve")
    assert sent == [5, 5], "and once more with the answer"


def test_update_beside_two_answers_makes_the_thread_unreadable() -> None:
    run = Run(questions("name", "city")).start({})
    answer = load("HIL407/bad_docs_resume_with_update").answer
    answer(run.graph, thread(run), "ann", "eve")
    with pytest.raises(InvalidUpdateError):
        answer(run.graph, thread(run), "Rome", "eve")
    with pytest.raises(InvalidUpdateError):
        run.graph.get_state(run.config)


def test_goto_beside_the_answer_runs_both() -> None:
    from typing import TypedDict

    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    class S(TypedDict, total=False):
        verdict: str

    paid: list[str] = []
    g = StateGraph(S).add_node("approve", lambda s: {"verdict": interrupt("ok?")})
    g.add_node("payment", lambda s: paid.append(s.get("verdict", "not approved")) or {})
    run = Run(g.add_edge(START, "approve").compile(checkpointer=saver())).start({})
    load("HIL407/bad_docs_resume_with_update").answer_and_jump(run.graph, thread(run), "reject")
    assert paid == ["not approved"]


@pytest.mark.parametrize(("action", "sent"), [("approve", True), ("reject", False)])
def test_command_returned_by_a_node_goes_where_the_answer_says(action: str, sent: bool) -> None:
    module = load("HIL407/good_docs_node_returns_command")
    run = Run(module.build(saver())).start({"cents": 5})
    assert module.decide(run.graph, thread(run), action, "eve")["sent"] is sent


def test_command_returned_by_a_tool_updates_state() -> None:
    model = Script(turns=[calling(("remember_city", {"city": "Rom"}))])
    run = Run(load("HIL407/good_tool_returns_command").build(model, saver())).start({"messages": [("user", "go")]})
    assert run.answer("Rome").values["city"] == "Rome"


def test_update_state_and_resume_do_what_was_meant() -> None:
    run = Run(questions("name", "city"))
    session = load("HIL407/good_update_state_and_plain_input").Session(run.graph, thread(run))
    session.say("hi")
    session.correct(reviewer="eve")
    session.answer("ann")
    assert session.answer("Rome")["city"] == "Rome"
    assert run.values["reviewer"] == "eve"


def test_resume_alone_is_the_only_form_that_answers() -> None:
    run = Run(questions("name")).start({})
    run.send(Command(resume="ann"))
    assert run.values["name"] == "ann"


def test_goto_start_beside_an_answer_is_ignored() -> None:
    run = Run(questions("name")).start({})
    out = load("HIL407/good_goto_start_beside_resume").answer(run.graph, run.config, "ann")
    assert out["name"] == "ann"
