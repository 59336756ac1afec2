"""HIL605: what nobody said approves. A missing field, a typo or another shape takes the branch that acts."""

from __future__ import annotations

from typing import Any

import pytest
from support import App, Http, Mail, Run, Shell, calling, load, saver


def test_answer_without_an_action_pays(http: Http) -> None:
    for answer in ({"comment": "no"}, {"aktion": "reject"}, {"action": None}, "rejct"):
        run = Run(load("HIL605/bad_missing_action_is_approve").build(saver())).start({"order": "A1", "cents": 5}).answer(answer)
        assert run.values["status"] == "paid"
    assert len(http.calls) == 4
    run = Run(load("HIL605/bad_missing_action_is_approve").build(saver())).start({"order": "A1", "cents": 5}).answer({"action": "reject"})
    assert run.values["status"] == "rejected" and len(http.calls) == 4


def test_only_the_exact_word_keeps_the_tool_from_deleting(http: Http) -> None:
    from langgraph.graph import END, START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode

    tool = load("HIL605/bad_only_reject_stops").delete_branch
    graph = StateGraph(MessagesState).add_node("tools", ToolNode([tool])).add_edge(START, "tools").add_edge("tools", END).compile(checkpointer=saver())
    for word, calls in (("Reject", 1), ("rejected", 2), ("reject", 2)):
        run = Run(graph).start({"messages": [calling(("delete_branch", {"name": "old"}))]}).answer({"type": word})
        assert len(http.calls) == calls, run.values


def test_reader_approves_what_it_does_not_know(mail: Mail) -> None:
    run = Run(load("HIL605/bad_parser_approves_the_rest").build(saver())).start({"to": "a@b.example", "draft": "d"})
    run.answer("no").answer({"type": "rejected"})
    assert run.values["state"] == "reminded" and len(mail.sent) == 2


def test_router_deploys_for_a_typo(shell: Shell) -> None:
    Run(load("HIL605/bad_router_reads_it_from_the_state").build(saver())).start({"version": "2"}).answer("rejcet")
    assert len(shell.ran) == 1
    Run(load("HIL605/bad_router_reads_it_from_the_state").build(saver())).start({"version": "2"}).answer("reject")
    assert len(shell.ran) == 1


def test_last_case_ships_and_the_table_books(http: Http) -> None:
    run = Run(load("HIL605/bad_match_and_table_fall_through").build(saver())).start({"sku": "s"}).answer("no!", "rejected")
    assert run.values == {"sku": "s", "shipped": True, "booked": True} and len(http.calls) == 2


def test_body_without_a_decision_is_an_approval(http: Http, library: Any) -> None:
    library("fastapi", FastAPI=App)
    module = load("HIL605/bad_request_model_approves")
    graph = load("HIL605/bad_missing_action_is_approve").build(saver())
    for name in ("decide", "hook"):
        run = Run(graph).start({"order": "A1", "cents": 5})
        thread = run.config["configurable"]["thread_id"]
        module.make_app(graph).call(name, module.Decision(thread_id=thread) if name == "decide" else {"thread_id": thread})
        assert run.values["status"] == "paid"


def test_a_plain_false_publishes(http: Http) -> None:
    for answer, calls in ((False, 1), ("reject", 2), ({"approved": False}, 2)):
        Run(load("HIL605/bad_other_shapes_approve").build(saver())).start({"text": "t"}).answer(answer)
        assert len(http.calls) == calls


@pytest.mark.parametrize("answer", ["maybe", {"comment": "x"}, {"approve": True}, "", False, "Rejct"])
def test_only_yes_acts(http: Http, answer: Any) -> None:
    run = Run(load("HIL605/good_only_yes_acts").build(saver())).start({"sku": "s"}).answer(answer)
    assert run.values["shipped"] is False and http.calls == []


def test_only_yes_acts_and_yes_does(http: Http) -> None:
    run = Run(load("HIL605/good_only_yes_acts").build(saver())).start({"sku": "s"}).answer("yes", "aprove")
    assert "booked" not in run.values and len(http.calls) == 1


def test_unknown_word_is_asked_again(http: Http) -> None:
    run = Run(load("HIL605/good_unknown_asks_again").build(saver())).start({"iban": "DE1"}).answer("aprove")
    assert run.asked and http.calls == []
    assert run.answer({"comment": "x"}).values["sent"] is False
    assert http.calls == []


def test_choices_and_texts_are_no_approvals() -> None:
    run = Run(load("HIL605/good_choices_and_free_text").build(saver())).start({"text": "t", "messages": []}).answer("docx", "", "hello", "exit")
    assert run.values["format"] == "text" and run.values["text"] == "t" and run.done


def test_schema_refuses_the_typo(http: Http) -> None:
    run = Run(load("HIL605/good_schema_refuses_the_rest").build(saver())).start({"to": "x"})
    with pytest.raises(Exception, match="validation error"):
        run.answer({"decision": "aprove"})
    assert http.calls == [] and run.asked
    run.answer({"decision": "reject"})
    assert run.values["paid"] is False


def test_reader_rejects_what_it_does_not_know(http: Http, library: Any) -> None:
    library("fastapi", FastAPI=App)
    for answer in ("approve", {"comment": "x"}, {"type": "aprove"}, [], [{"type": "x"}]):
        run = Run(load("HIL605/good_parser_rejects_the_rest").build(saver())).start({"name": "n"}).answer(answer)
        assert run.values["started"] is False
    assert http.calls == []


def test_default_approves_for_a_client_that_leaves_the_field_out(http: Http) -> None:
    build = load("HIL605/bad_default_that_nobody_needs_today").build
    assert Run(build(saver())).start({"amount": 5.0}).answer({"comment": "no"}).values["status"] == "paid"
    assert Run(build(saver())).start({"amount": 5.0}).answer({"action": "reject"}).values["status"] == "rejected"
    assert len(http.calls) == 1


def test_refused_tool_runs_behind_a_static_edge(http: Http) -> None:
    for name, calls in (("bad_refused_tool_runs", 1), ("good_refused_tool_is_passed_by", 1)):
        graph = load(f"HIL605/{name}").build(saver())
        run = Run(graph).start({"messages": [calling(("delete_branch", {"name": "old"}))]}).answer("no")
        assert len(http.calls) == calls and any("Refused" in str(m.content) for m in run.values["messages"])
