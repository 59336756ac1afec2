"""HIL703: what langchain makes of an entry of `interrupt_on` that it does not know."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from support import Run, Script, calling, load, saver


def start(graph_of: Any, tool: str = "send_mail", **args: Any) -> Run:
    model = Script(turns=[calling((tool, args or {"to": "ann"}))])
    return Run(graph_of(model, saver())).start({"messages": [("user", "go")]})


def results(run: Run) -> list[str]:
    return [m.content for m in run.values["messages"] if m.type == "tool"]


def yes(kind: str = "approve") -> dict[str, Any]:
    return {"decisions": [{"type": kind}]}


@pytest.mark.parametrize("name", ["by_key", "by_other_key", "by_camel"])
def test_a_misspelt_list_of_decisions_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="must be a non-empty list"):
        getattr(load("HIL703/bad_misspelt_keys"), name)()
    assert getattr(load("HIL703/bad_misspelt_keys.fixed"), name)().interrupt_on


def test_a_misspelt_condition_is_not_read() -> None:
    never = load("HIL703/bad_misspelt_keys").unread_condition(lambda request: False)
    assert "when" not in never.interrupt_on["drop_table"]
    assert "when" in load("HIL703/bad_misspelt_keys.fixed").unread_condition(lambda request: False).interrupt_on["drop_table"]


@pytest.mark.parametrize("strict", [False, True])
def test_nothing_allowed_is_refused(strict: bool) -> None:
    with pytest.raises(ValueError, match="must be a non-empty list"):
        load("HIL703/bad_nothing_is_allowed").gates(strict)


@pytest.mark.parametrize("sent", ["approve", "accept"])
def test_neither_the_word_nor_what_it_stands_for_is_taken(sent: str) -> None:
    run = start(load("HIL703/bad_words_of_another_inbox").build)
    assert run.asked[0]["review_configs"][0]["allowed_decisions"] == ["accept", "Reject", "response"]
    with pytest.raises(ValueError, match="is not allowed for tool"):
        run.answer(yes(sent))


def test_an_unknown_word_in_per_call_mode_raises_at_the_call() -> None:
    tool = load("HIL703/bad_words_of_another_inbox").send_mail
    gate = HumanInTheLoopMiddleware(interrupt_on={"send_mail": {"allowed_decisions": ["accept"]}}, interrupt_mode="per_call")
    with pytest.raises(KeyError):
        start(lambda model, memory: create_agent(model, tools=[tool], middleware=[gate], checkpointer=memory))


def test_flags_of_the_inbox_are_no_decisions() -> None:
    with pytest.raises(ValueError, match="must be a non-empty list"):
        load("HIL703/bad_words_of_another_inbox").build_old()


@pytest.mark.parametrize("entry", [["approve", "reject"], "true", None, 1])
def test_an_entry_that_is_no_dict_raises(entry: Any) -> None:
    """`bad_subagents_gate` hands these to deepagents, which hands them to the middleware."""
    with pytest.raises(AttributeError):
        HumanInTheLoopMiddleware(interrupt_on={"delete_file": entry})


def test_the_mode_is_one_of_two_words() -> None:
    with pytest.raises(ValueError, match="interrupt_mode"):
        load("HIL703/bad_mode_with_a_hyphen").build()
    assert load("HIL703/bad_mode_with_a_hyphen.fixed").build().interrupt_mode == "per_call"


def test_a_gate_for_no_tool_asks_nobody() -> None:
    run = start(load("HIL703/bad_gate_for_no_tool").build, "delete_files", pattern="*")
    assert run.asked == [] and results(run) == ["deleted *"]
    assert len(start(load("HIL703/bad_gate_for_no_tool.fixed").build, "delete_files", pattern="*").asked) == 1


def test_every_right_form_is_taken() -> None:
    gates = load("HIL703/good_every_form").gates(lambda request: True).interrupt_on
    assert sorted(gates) == ["ask_user", "drop_table", "pay", "send_mail", "wipe"]
    assert list(load("HIL703/good_keys_of_their_own").gate_as_it_is().interrupt_on) == ["drop_table"]
    allowed = {"allowed_decisions": ["approve"]}
    assert sorted(load("HIL703/good_filled_before_use").gate(True, ["a"], allowed).interrupt_on) == ["a", "pay", "send"]


def test_a_tool_that_middleware_brings_is_gated() -> None:
    todos = [{"content": "x", "status": "pending"}]
    run = start(load("HIL703/good_tool_of_another_middleware").build, "write_todos", todos=todos)
    assert len(run.asked) == 1
