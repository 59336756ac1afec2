"""HIL201: a handler that catches GraphInterrupt makes the pause disappear, and nobody is asked."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import pytest
from support import Http, Run, Script, calling, load, saver


def test_nobody_is_asked_and_the_node_goes_on_with_its_default() -> None:
    run = Run(load("HIL201/bad_docs_except_exception_prints").build(saver())).start()
    assert (run.asked, run.done, run.values) == ([], True, {"name": "unknown", "checked": True})


def test_bare_except_leaves_the_answer_unbound() -> None:
    with pytest.raises(UnboundLocalError):
        Run(load("HIL201/bad_docs_bare_except").build(saver())).start({"amount": 5})


def test_tool_reports_its_pause_as_an_error_to_the_model() -> None:
    model = Script(turns=[calling(("cancel_subscription", {"customer": "c"}))])
    run = Run(load("HIL201/bad_docs_base_exception").build(model, saver()), aio=True).start({"messages": [("user", "go")]})
    assert run.asked == []
    assert run.values["messages"][-2].content == "error: GraphInterrupt"


def test_catching_by_name_takes_the_default() -> None:
    run = Run(load("HIL201/bad_docs_graph_interrupt_caught").build(saver())).start({"title": "t"})
    assert (run.asked, run.values["slot"], run.values["editor"]) == ([], "next", "anyone")


def test_caller_of_a_helper_swallows_its_pause() -> None:
    run = Run(load("HIL201/bad_docs_caller_of_a_helper").build(saver())).start({"service": "s"})
    assert (run.asked, run.values["status"]) == ([], "failed: GraphInterrupt")


def test_executor_tells_the_model_that_the_tool_failed() -> None:
    run = Run(load("HIL201/bad_docs_tool_invoked_in_try").build(saver()))
    run.start({"messages": [calling(("ask_human", {"question": "?"}))]})
    assert run.asked == []
    assert run.values["messages"][-1].content.startswith("Tool failed")


def test_pause_of_a_nested_graph_is_swallowed() -> None:
    run = Run(load("HIL201/bad_docs_nested_graph_invoked_in_try").build(saver())).start({"customer": "c"})
    assert (run.asked, run.values["error"]) == ([], "GraphInterrupt")


def test_raising_another_error_ends_the_run_with_it() -> None:
    module = load("HIL201/bad_raise_other_from")
    run = Run(module.build(saver()))
    with pytest.raises(module.FlowError):
        run.start({"iban": "DE1"})
    assert run.asked == []


def test_middleware_swallows_the_pause_of_a_tool() -> None:
    model = Script(turns=[calling(("transfer", {"to": "x", "cents": 5}))])
    run = Run(load("HIL201/bad_wrap_tool_call_catches").build(model, saver())).start({"messages": [("user", "go")]})
    assert run.asked == []
    assert run.values["messages"][-2].content == "sorry: GraphInterrupt"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* is Python 3.11 syntax")
def test_except_star_swallows() -> None:
    run = Run(load("HIL201/bad_except_star").build(saver()), aio=True).start({"question": "?"})
    assert (run.asked, run.values["vote"]) == ([], "abstain")


def test_outer_handler_swallows(http: Http) -> None:
    http.answer = lambda n, call: {"level": 3}
    run = Run(load("HIL201/bad_outer_handler_swallows_what_the_inner_raised").build(saver())).start({"sku": "s"})
    assert (run.asked, run.values["error"]) == ([], "GraphInterrupt")


def test_reraising_another_type_or_on_one_path_only_swallows() -> None:
    run = Run(load("HIL201/bad_isinstance_of_another_type").build(saver())).start({"statement": "s"})
    assert (run.asked, run.values["ok"], run.values["who"]) == ([], "no", "nobody")


def test_result_of_a_pausing_task_in_a_try_is_swallowed() -> None:
    run = Run(load("HIL201/bad_entrypoint_waits_for_task_in_try").make_flow(saver())).start("roof")
    assert run.result == {"project": "roof", "budget": 0}


@pytest.mark.parametrize(
    ("name", "given", "answers", "expected"),
    [
        ("good_docs_narrow_type", {}, ["ann"], {"name": "ann", "status": "synced"}),
        ("good_docs_pause_before_the_try", {}, ["ann"], {"name": "ann", "status": "synced"}),
        ("good_docs_handler_always_raises", {}, ["Rome", "Via"], {"city": "Rome", "street": "Via"}),
        ("good_reraise_by_isinstance", {"statement": "s"}, ["yes", "ann", "now"], {"statement": "s", "ok": "yes", "who": "ann", "when": "now"}),
        ("good_docs_pause_in_handler_else_or_finally", {"row": "x"}, ["5", "n", "t"], {"row": "x", "amount": 5, "note": "n", "tag": "X:t"}),
        ("good_deferred_lambda", {"options": ["a"]}, ["a", "b"], {"options": ["a"], "choice": "a, b"}),
        ("good_noreturn_reraise_helper", {"item": "i"}, ["9"], {"item": "i", "price": "9"}),
    ],
)
def test_near_misses_pause_and_take_the_answers(http: Http, name: str, given: dict, answers: list, expected: dict) -> None:
    run = Run(load(f"HIL201/{name}").build(saver())).start(given).answer(*answers)
    assert [len(asked) for asked in run.history] == [1] * len(answers) + [0]
    assert run.values == expected


def test_bubble_up_first_lets_the_tool_pause() -> None:
    model = Script(turns=[calling(("cancel_subscription", {"customer": "c"}))])
    run = Run(load("HIL201/good_docs_bubble_up_first").build(model, saver())).start({"messages": [("user", "go")]})
    assert run.asked == [{"action": "cancel", "customer": "c"}]
    assert run.answer("yes").values["messages"][-2].content == "cancelled c"


def test_error_handler_retry_policy_and_tool_node_let_the_pause_through() -> None:
    run = Run(load("HIL201/good_docs_error_handler_and_retry_policy").build(saver()))
    run.start({"messages": [calling(("ask_human", {"question": "?"}))]}).answer("blue", "good")
    assert [len(asked) for asked in run.history] == [1, 1, 0]
    assert run.values["rating"] == "good"


def test_try_that_ends_above_the_pause_is_harmless(work_dir: Path) -> None:
    db = sqlite3.connect("d.db", isolation_level=None)
    db.execute("create table docs (title)")
    db.execute("insert into docs values ('bees')")
    run = Run(load("HIL201/good_try_around_calls_that_do_not_pause").build("d.db", saver())).start({"query": "b"})
    assert run.asked[0]["hits"] == ["bees"]
    assert run.answer(" bees ").values["pick"] == "bees"


def test_swallowed_question_takes_the_answer_to_the_next_one() -> None:
    run = Run(load("HIL201/bad_next_question_gets_the_answer").build(saver())).start({})
    assert run.asked == ["Which date?"], "the first question is never shown"
    run.answer("Monday")
    assert run.asked == ["Which date?"], "asked again: the answer went to the city"
    assert run.answer("Tuesday").values == {"city": "Monday", "date": "Tuesday"}
