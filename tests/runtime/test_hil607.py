"""HIL607: the bare answer is no state update."""

from __future__ import annotations

import pytest
from langgraph.errors import InvalidUpdateError
from support import Run, calling, load, saver


@pytest.mark.parametrize("answer", ["Ann", True, 3, ["Ann"]])
def test_bare_answer_is_refused_after_the_human_has_answered(answer: object) -> None:
    run = Run(load("HIL607/bad_bare_answer").build(saver())).start({})
    with pytest.raises(InvalidUpdateError):
        run.answer(answer)


def test_lambda_that_gives_the_bare_answer_is_refused() -> None:
    run = Run(load("HIL607/bad_bare_answer").build(saver())).start({}).answer({"name": "Ann"})
    assert run.asked == ["Which city?"]
    with pytest.raises(InvalidUpdateError):
        run.answer("Rome")


def test_a_client_sets_any_key_with_a_dict() -> None:
    run = Run(load("HIL607/bad_bare_answer").build(saver())).start({}).answer({"city": "smuggled"})
    assert run.values == {"city": "smuggled"}


def test_bare_update_of_a_command_is_refused_or_lost() -> None:
    run = Run(load("HIL607/bad_bare_update_of_a_command").build(saver())).start({})
    try:
        run.answer("Ann")
    except InvalidUpdateError:
        return
    assert "name" not in run.values
    with pytest.raises(InvalidUpdateError):
        run.answer("Rome")


def test_under_a_key() -> None:
    assert Run(load("HIL607/good_under_a_key").build(saver())).start({}).answer("Ann", "Rome").values == {"name": "Ann", "city": "Rome"}


def test_checked_or_validated_dicts() -> None:
    run = Run(load("HIL607/good_known_to_be_a_dict").build(saver())).start({}).answer("Ann", {"city": "Rome"})
    assert run.values == {"name": "Ann", "city": "Rome"}


def test_tools_and_entrypoints_may_give_the_bare_answer() -> None:
    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode

    module = load("HIL607/good_no_node")
    graph = StateGraph(MessagesState).add_node("tools", ToolNode([module.ask_human])).add_edge(START, "tools").compile(checkpointer=saver())
    run = Run(graph).start({"messages": [calling(("ask_human", {"question": "?"}))]}).answer("blue")
    assert run.values["messages"][-1].content == "blue"
    assert Run(module.make_flow(saver())).start("x").answer("fine").result == "fine"


def test_form_resumed_with_a_dict() -> None:
    module = load("HIL607/good_resumed_with_a_dict")
    run = Run(module.build(saver())).start({})
    assert module.submit(run.graph, run.config, "Ann", "Rome") == {"name": "Ann", "city": "Rome"}


def test_next_input_brings_the_value() -> None:
    run = Run(load("HIL607/good_asked_until_the_state_holds_it").build(saver())).start({})
    assert run.asked and run.start({"quantity": 3}).values["text"] == "Quantity: 3"


def test_bare_answer_behind_a_guard_is_refused() -> None:
    run = Run(load("HIL607/bad_behind_a_guard").build(saver())).start({"risky": True})
    with pytest.raises(InvalidUpdateError):
        run.answer("because")
    run = Run(load("HIL607/bad_behind_a_guard").build(saver())).start({"risky": False})
    assert run.done
