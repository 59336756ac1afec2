"""HIL104: what a human approved is not what goes on, because the second activation made it anew."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from support import Drafts, Http, Mail, Run, Script, Shell, load, saver


def test_other_text_is_sent_than_was_approved(mail: Mail) -> None:
    run = Run(load("HIL104/bad_draft_shown_then_sent").build(Drafts(), saver())).start({"topic": "t", "to": "all@x"})
    assert run.asked[0]["text"] == "draft 1"
    assert run.answer("send").values["sent"] == "draft 2"
    assert mail.sent == [("all@x", "draft 2")]


def test_other_order_number_is_stored_than_was_shown(http: Http) -> None:
    run = Run(load("HIL104/bad_order_number_from_post").build(saver()), aio=True).start({"items": ["a"]})
    assert run.asked[0]["order"] == "obj-1"
    assert run.answer("noon").values["order"] == "obj-2"


def test_other_sample_is_reported_than_was_inspected() -> None:
    random.seed(7)
    run = Run(load("HIL104/bad_sample_drawn_twice").build(saver())).start({"parts": [f"p{n}" for n in range(1000)]})
    shown = run.asked[0]["inspect"]
    assert run.answer("pass").values["inspected"] != shown


def test_other_statement_runs_than_was_approved(work_dir: Path) -> None:
    llm = Script(turns=[AIMessage("select 1"), AIMessage("delete from t returning 99")])
    db = sqlite3.connect("a.db", isolation_level=None)
    db.execute("create table t (x)")
    db.execute("insert into t values (5)")
    run = Run(load("HIL104/bad_through_fstring_dict_and_helper").build(llm, "a.db", saver())).start({"question": "how many?"})
    assert run.asked[0]["body"].endswith("select 1")
    assert run.answer("run").values["rows"] == [[99]]
    assert db.execute("select count(*) from t").fetchone() == (0,)


def test_other_request_id_is_filed_than_was_shown() -> None:
    run = Run(load("HIL104/bad_request_id_from_uuid").build(saver())).start({"action": "wipe"})
    shown = run.asked[0]["id"]
    assert run.answer("yes").values["request_id"] != shown


def test_order_goes_out_at_another_price(http: Http) -> None:
    http.answer = lambda n, call: {"price": 100 * n}
    run = Run(load("HIL104/bad_price_read_again").build(saver())).start({"symbol": "ACME", "count": 1})
    assert run.asked[0]["at"] == 100
    run.answer("buy")
    assert http.bodies() == [{"symbol": "ACME", "count": 1, "limit": 200}]


def test_entrypoint_delivers_another_draft() -> None:
    run = Run(load("HIL104/bad_fallback_value_in_entrypoint").make_flow(Drafts(), saver()), aio=True).start({"text": "t", "from": "a"})
    assert run.asked[0]["text"] == "draft 1"
    assert run.answer({"to": "b"}).result == {"result": "delivered: draft 2"}


def test_other_command_runs_than_was_shown(shell: Shell, library: Any) -> None:
    library("langchain_openai")
    run = Run(load("HIL104/bad_plan_in_a_class_attribute").build(Drafts(), saver())).start({"goal": "g"})
    assert run.asked == [{"command": "draft 1"}]
    run.answer("run")
    assert shell.ran == ["draft 2"]


def test_text_from_state_is_sent_as_approved(mail: Mail) -> None:
    run = Run(load("HIL104/good_draft_from_state").build(Drafts(), saver())).start({"topic": "t", "to": "all@x"})
    assert run.asked[0]["text"] == "draft 1"
    run.answer("send")
    assert mail.sent == [("all@x", "draft 1")]


def test_text_of_a_task_stays_the_same() -> None:
    run = Run(load("HIL104/good_value_from_task").build(Drafts(), saver())).start({"mail": "m"})
    assert run.asked == [{"text": "draft 1"}]
    assert run.answer("ok").values["text"] == "draft 1"


def test_text_of_a_finished_agent_stays_the_same() -> None:
    run = Run(load("HIL104/good_value_from_nested_agent").build(Drafts(), saver())).start({"topic": "m"})
    assert run.asked == [{"text": "draft 1"}]
    assert run.answer("ok").values["text"] == "draft 1"


def test_values_computed_from_state_stay_the_same() -> None:
    run = Run(load("HIL104/good_seeded_from_state").build(saver())).start({"parts": [f"p{n}" for n in range(50)]})
    shown = run.asked[0]
    values = run.answer("pass").values
    assert (values["inspected"], values["report"]) == (shown["inspect"], shown["report"])


@pytest.mark.parametrize("wish", ["be kind", ""])
def test_value_made_after_the_answer_is_made_once(wish: str) -> None:
    model = Drafts()
    run = Run(load("HIL104/good_made_after_the_answer").build(model, saver())).start({"title": "t"}).answer(wish)
    assert (run.values["text"], model.calls) == ("draft 1", 1)


def test_middleware_returns_another_reply_than_it_showed() -> None:
    model = Drafts()
    run = Run(load("HIL104/bad_docs_wrap_model_call_asks_afterwards").build(model, saver())).start({"messages": [("user", "hi")]})
    assert run.asked[0]["reply"] == "draft 1"
    assert run.answer("send").values["messages"][-1].content == "draft 2"


def test_hook_after_the_model_returns_the_reply_that_it_showed() -> None:
    model = Drafts()
    run = Run(load("HIL104/good_after_model_hook").build(model, saver())).start({"messages": [("user", "hi")]})
    assert run.asked[0]["reply"] == "draft 1"
    assert run.answer("send").values["messages"][-1].content == "draft 1"
    assert model.calls == 1


def test_objects_made_again_hold_another_number_and_another_text() -> None:
    run = Run(load("HIL104/bad_number_made_in_the_constructor").build(Drafts(), saver())).start({"topic": "t"})
    number = run.asked[0]["number"]
    run.answer("yes")
    assert run.asked[0]["text"] == "draft 1"
    run.answer("file")
    assert run.values["number"] != number
    assert run.values["text"] == "draft 2"


def test_objects_made_from_the_state_are_the_same() -> None:
    run = Run(load("HIL104/good_object_made_from_the_state").build(saver())).start({"topic": "t"})
    shown = run.asked[0]["number"]
    assert run.answer("yes").values["filed"] == shown


def test_order_that_was_shown_is_not_the_order_that_counts() -> None:
    module = load("HIL104/bad_shuffled_in_place")
    orders = iter([["b", "a"], ["a", "b"]])
    module.random = SimpleNamespace(shuffle=lambda names: names.__setitem__(slice(None), next(orders)))
    run = Run(module.build(saver())).start({"names": ["a", "b"]})
    assert run.asked[0]["names"][0] == "b"
    assert run.answer(0).values["winner"] == "a"


def test_seed_in_the_state_gives_the_same_order_again() -> None:
    names = [str(n) for n in range(50)]
    run = Run(load("HIL104/good_shuffled_from_a_seed_in_the_state").build(saver())).start({"names": names, "seed": 7})
    shown = run.asked[0]["names"]
    assert shown != names and run.answer(3).values["winner"] == shown[3]


def test_question_on_record_is_not_the_one_that_was_asked() -> None:
    run = Run(load("HIL104/bad_question_on_record_is_another").build(Drafts(), saver())).start({"task": "t"})
    assert run.asked[0]["question"] == "draft 1"
    values = run.answer("blue").values
    assert (values["context"], [m["content"] for m in values["messages"]]) == ("blue", ["draft 2", "blue"])


def test_key_of_a_row_is_the_same_however_the_row_has_changed(http: Http) -> None:
    http.answer = lambda n, call: {"id": "7", "title": f"title {n}"}
    run = Run(load("HIL104/good_key_of_a_row_read_again").build(saver())).start({"ticket_id": "7"})
    run.answer("yes")
    assert http.bodies()[-1:] == [{"id": "7"}]
