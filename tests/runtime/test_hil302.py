"""HIL302: when a guard above a later question changes while the graph waits, the later answers move."""

from __future__ import annotations

from typing import Any

from langgraph.types import Command
from support import Run, load, saver


def test_docs_question_in_between_takes_the_answer_of_the_next_one() -> None:
    run = Run(load("HIL302/bad_docs_conditional_in_between").build(saver())).start({"needs_age": False}).answer("ann")
    assert run.asked == ["What's your city?"]
    run.send(Command(resume="Rome", update={"needs_age": True}))
    assert run.asked == ["What's your city?"]
    assert run.answer("Oslo").values["age"] == "Rome", "the city became the age"


def test_flag_in_config_changes_between_two_requests() -> None:
    run = Run(load("HIL302/bad_helper_under_flag").build(saver()))
    run.config["configurable"]["sell_insurance"] = True
    run.start().answer("full")
    assert run.asked == ["Pick-up when?"]
    run.config["configurable"]["sell_insurance"] = False
    run.answer("monday")
    assert run.values["pickup"] == "full", "the insurance became the day"


def test_unequal_arms_move_the_last_answer() -> None:
    run = Run(load("HIL302/bad_match_with_unequal_arms").build(saver()), aio=True).start({"kind": "other"})
    assert run.asked == ["Where to?"]

    import asyncio

    run.result = asyncio.run(run.graph.ainvoke(Command(resume="Main Street 1", update={"kind": "pizza"}), run.config))
    assert run.asked == ["Where to?"]
    assert run.answer("Side Street 2").values["detail"] == "Main Street 1"


def test_pause_in_a_handler_is_the_first_question_or_there_is_none() -> None:
    flow = load("HIL302/bad_pause_in_except_then_another").make_flow(saver())
    assert Run(flow).start({"amount": "5"}).answer("cash").result == {"amount": 5.0, "account": "cash"}
    assert Run(flow).start({"amount": "five"}).answer("5", "cash").result == {"amount": 5.0, "account": "cash"}


def _values(name: str, given: dict[str, Any], *answers: Any) -> Any:
    run = Run(load(f"HIL302/{name}").build(saver())).start(given).answer(*answers)
    assert run.done, run.asked
    return run.values


def test_three_in_a_row_keep_their_order() -> None:
    assert _values("good_docs_three_in_a_row", {}, "ann", "5", "Rome") == {"name": "ann", "age": "5", "city": "Rome"}


def test_one_pause_in_each_branch_keeps_the_position_of_the_next() -> None:
    graph = load("HIL302/good_one_pause_in_each_branch").build(saver())
    run = Run(graph).start({"kind": "drink"}).answer("large")
    run.send(Command(resume="home", update={"kind": "pizza"}))
    assert (run.values["detail"], run.values["address"]) == ("large", "home"), "even though the branch changed"


def test_guard_by_an_earlier_answer_keeps_every_answer_in_place() -> None:
    assert _values("good_guard_is_an_earlier_answer", {"order": "o"}, "broken", "img", "now")["photo"] == "img"
    assert _values("good_guard_is_an_earlier_answer", {"order": "o"}, "other", "now")["pickup"] == "now"


def test_early_return_on_an_answer_keeps_every_answer_in_place() -> None:
    assert _values("good_early_return_on_an_answer", {"version": "2"}, "stop")["window"] == ""
    assert _values("good_early_return_on_an_answer", {"version": "2"}, "go", "sunday", "ann")["who"] == "ann"


def test_conditional_last_question_moves_no_other() -> None:
    assert _values("good_conditional_last_question", {"needs_age": True}, "ann", "5")["age"] == "5"
    assert _values("good_conditional_last_question", {}, "ann")["name"] == "ann"


def test_optional_question_in_its_own_node_is_safe_from_updates() -> None:
    run = Run(load("HIL302/good_optional_question_in_its_own_node").build(saver())).start({"needs_age": False}).answer("ann")
    run.send(Command(resume="Rome", update={"needs_age": True}))
    assert (run.values["city"], run.values.get("age")) == ("Rome", None)


def test_field_that_is_filled_in_meanwhile_gives_its_answer_to_the_next_field() -> None:
    run = Run(load("HIL302/bad_ask_only_for_missing_fields").build(saver())).start({}).answer("ann@example.com")
    assert run.asked == [{"field": "phone", "question": "Your phone?"}]
    run.send(Command(resume="555", update={"email": "ann@work.example"}))
    assert run.values["phone"] == "ann@example.com", "the address became the number"


def test_one_switch_for_all_questions_moves_no_answer() -> None:
    assert _values("good_helper_asks_always_or_never", {}, "L", "red") == {"size": "L", "colour": "red"}
    run = Run(load("HIL302/good_helper_asks_always_or_never").build(saver())).start({}).answer("L")
    run.send(Command(resume="red", update={"unattended": True}))
    assert (run.values["size"], run.values["colour"]) == ("M", "black"), "the answers are dropped, and none lands on another question"
