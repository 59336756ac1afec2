"""HIL101: what stands above a pause happens again with every answer."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command
from support import Http, Mail, Run, Script, Service, Shell, calling, load, saver


# ------------------------------------------------------------------ the effect happens twice
def test_mail_above_the_pause_is_sent_with_each_activation(mail: Mail) -> None:
    run = Run(load("HIL101/bad_mail_receipt_before_approval").build(saver())).start({"employee": "ann@x", "amount": 40.0})
    assert len(mail.sent) == 1
    assert run.answer("approve").values["status"] == "paid"
    assert len(mail.sent) == 2


def test_audit_record_is_created_twice_and_the_second_number_is_kept() -> None:
    db = Service(create_audit_log=lambda n: f"audit-{n}")
    run = Run(load("HIL101/bad_docs_audit_record").build(db, saver())).start({"user": "bo"}).answer("yes")
    assert db.names() == ["create_audit_log"] * 2
    assert run.values["audit_id"] == "audit-2"


def test_history_gets_the_line_twice() -> None:
    db = Service()
    Run(load("HIL101/bad_docs_history_append").build(db, saver())).start({"user_id": "u", "plan": "pro"}).answer("yes")
    assert db.names() == ["append_to_history"] * 2


def test_entrypoint_writes_its_file_again(work_dir: Path) -> None:
    run = Run(load("HIL101/bad_docs_entrypoint_open_w").make_report("report.csv", saver())).start({"total": 7})
    (work_dir / "report.csv").write_text("corrected by hand")
    assert run.answer("eve").result == {"signed_by": "eve"}
    assert (work_dir / "report.csv").read_text() == "total,7\n", "what was changed while the human thought is gone"


def test_between_two_pauses_is_repeated_and_after_the_last_is_not(http: Http) -> None:
    Run(load("HIL101/bad_between_two_pauses").build(saver())).start({"customer": "c"}).answer("LH400", "vegan")
    assert http.urls() == ["https://air.example/holds", "https://air.example/holds", "https://air.example/tickets"]


def test_loop_repeats_what_was_done_for_earlier_answers(http: Http) -> None:
    run = Run(load("HIL101/bad_loop_posts_after_each_answer").build(saver())).start({"posts": ["a", "b", "c"]})
    run.answer("remove", "remove", "remove")
    assert [b["post"] for b in http.bodies()] == ["a", "a", "b", "a", "b", "c"]
    assert run.values["removed"] == ["a", "b", "c"]


def test_tool_that_acts_above_its_own_pause(shell: Shell) -> None:
    model = Script(turns=[calling(("deploy", {"service": "web", "version": "2"}))])
    run = Run(load("HIL101/bad_docs_tool_acts_then_asks").build(model, saver())).start({"messages": [("user", "go")]})
    run.answer("go")
    assert [line.split()[1] for line in shell.ran] == ["push", "push", "set"]


def test_argument_of_interrupt_is_evaluated_again() -> None:
    desk = Service(create_issue=lambda n: f"T-{n}")
    run = Run(load("HIL101/bad_ticket_in_the_payload").build(desk, saver())).start({"summary": "down"})
    assert run.asked[0]["ticket"] == "T-1"
    run.answer("ann")
    assert len(desk.calls) == 2


def test_child_node_repeats_while_the_parent_is_innocent(http: Http) -> None:
    run = Run(load("HIL101/bad_docs_child_node_of_subgraph").build(saver())).start({"iban": "DE1"}).answer("1")
    assert run.values["verified"] is True
    assert len(http.calls) == 2


def test_parent_node_repeats_above_a_nested_graph_that_pauses(http: Http) -> None:
    run = Run(load("HIL101/bad_docs_parent_before_nested_graph").build(saver()), aio=True).start({"contract": "k"}).answer("x")
    assert run.values["signature"] == "x"
    assert len(http.calls) == 2


def test_sibling_in_the_gather_runs_in_both_activations(http: Http) -> None:
    Run(load("HIL101/bad_gather_sibling").build(saver()), aio=True).start({"driver": "d", "stops": ["s"]}).answer("accept")
    assert len(http.calls) == 2


def test_tool_runs_again_when_middleware_asks_afterwards() -> None:
    box = Service()
    graph = load("HIL101/bad_docs_wrap_tool_call_asks_afterwards").build(Script(turns=[calling(("publish", {"title": "t"}))]), box, saver())
    Run(graph).start({"messages": [("user", "go")]}).answer("show")
    assert box.names() == ["publish_article"] * 2


def test_random_key_differs_between_the_two_calls(http: Http) -> None:
    Run(load("HIL101/bad_random_idempotency_key").build(saver())).start({"customer": "c", "cents": 5}).answer("mail")
    keys = [h["idempotency-key"] for h in http.headers]
    assert len(keys) == 2 and keys[0] != keys[1]


def test_insert_and_counting_update_are_booked_twice(work_dir: Path) -> None:
    db = sqlite3.connect("bank.db", isolation_level=None)
    db.execute("create table holds (account, cents)")
    db.execute("create table accounts (id, free)")
    db.execute("insert into accounts values ('a', 100)")
    Run(load("HIL101/bad_sql_insert_and_counting_update").build("bank.db", saver())).start({"account": "a", "cents": 30}).answer("book")
    assert db.execute("select count(*) from holds").fetchone() == (2,)
    assert db.execute("select free from accounts").fetchone() == (40,)


def test_bare_mkdir_raises_when_the_answer_comes() -> None:
    run = Run(load("HIL101/bad_mkdir_raises_second_time").build(saver())).start({"number": "7"})
    with pytest.raises(FileExistsError):
        run.answer("ann")


def test_source_node_of_a_pausing_router_runs_again(http: Http) -> None:
    run = Run(load("HIL101/bad_source_node_of_pausing_router").build(saver())).start({"host": "db1"}).answer("restart")
    assert run.values["closed"] is True
    assert len(http.calls) == 2


def test_two_gated_calls_in_one_loop_send_the_first_mail_twice(mail: Mail) -> None:
    graph = load("HIL101/bad_docs_gated_tool_loop").build(saver())
    message = calling(("send_email", {"to": "a@x", "text": "A"}), ("send_email", {"to": "b@x", "text": "B"}))
    Run(graph).start({"messages": [message]}).answer({"action": "approve"}, {"action": "approve"})
    assert [to for to, _ in mail.sent] == ["a@x", "a@x", "b@x"]


def test_slack_message_is_posted_twice(library: Any) -> None:
    library("slack_sdk.web.async_client")
    slack = mock.AsyncMock()
    graph = load("HIL101/bad_slack_through_injected_client").build(slack, saver())
    Run(graph, aio=True).start({"who": "ann", "days": 3}).answer("approve")
    assert slack.chat_postMessage.await_count == 2


def test_flag_of_the_same_node_does_not_help(mail: Mail) -> None:
    Run(load("HIL101/bad_flag_returned_by_the_same_node").build(saver())).start({"patient": "p@x"}).answer("9:00")
    assert len(mail.sent) == 2


def test_queue_gets_the_job_twice(library: Any) -> None:
    redis = library("redis")
    Run(load("HIL101/bad_queue_and_counter").build(saver())).start({"payload": "p"}).answer("high")
    assert redis.Redis.return_value.rpush.call_count == 2
    assert redis.Redis.return_value.incr.call_count == 2


def test_placeholder_stands_for_an_effect_that_would_be_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    Run(load("HIL101/bad_placeholder_helper").build(saver())).start({"sku": "s", "count": 2}).answer("PO-1")
    assert capsys.readouterr().out.count("ordering 2 x s") == 2


def test_file_is_written_again_through_two_helpers(work_dir: Path) -> None:
    run = Run(load("HIL101/bad_write_text_report").make_minutes(work_dir, saver()), aio=True).start({"name": "m.txt", "notes": "n"})
    (work_dir / "m.txt").unlink()
    run.answer("ann")
    assert (work_dir / "m.txt").exists(), "the file that was taken away meanwhile is back"


def test_tool_of_an_unseen_registry_acts_again() -> None:
    tool = mock.Mock()
    tool.invoke.return_value = "booked"
    run = Run(load("HIL101/bad_tool_of_an_unseen_registry").build({"book": tool}, saver()))
    run.start({"messages": [calling(("book", {}))]}).answer("5")
    assert tool.invoke.call_count == 2


def test_row_and_patch_are_made_again(http: Http, library: Any) -> None:
    library("sqlalchemy.orm").declarative_base.return_value = object
    orm = library("sqlalchemy.orm")
    module = load("HIL101/bad_orm_session_and_patch")
    module.Request = mock.Mock()
    Run(module.build(module.LeaveDesk("sqlite://"), saver())).start({"who": "ann"}).answer("yes")
    assert orm.Session.return_value.__enter__.return_value.commit.call_count == 2
    assert len(http.urls("PATCH")) == 2


def test_document_and_notification_are_made_again(library: Any) -> None:
    library("boto3")
    library("pymongo", MongoClient=mock.MagicMock())
    module = load("HIL101/bad_cloud_and_documents")
    Run(module.build(saver()), aio=True).start({"sensor": "s"}).answer("stop")
    assert module.sns.publish.call_count == 2
    assert module.mongo["plant"]["events"].insert_one.call_count == 2


def test_effect_behind_a_stable_flag_is_repeated_all_the_same(mail: Mail) -> None:
    """Why the guard of `good_flag_set_by_an_earlier_node` is one that stays shut: an open one is open in both activations."""
    graph = load("HIL101/good_flag_set_by_an_earlier_node").build(saver())
    module_run = Run(graph)
    module_run.graph.update_state(module_run.config, {"patient": "p@x", "reminded": False}, as_node="send_reminder")
    module_run.graph.invoke(None, module_run.config)
    module_run.answer("9:00")
    assert len(mail.sent) == 2


# ------------------------------------------------------------------ near misses: once, or safe to repeat
def test_effect_after_the_pause_happens_once(mail: Mail) -> None:
    Run(load("HIL101/good_docs_effect_after_pause").build(saver())).start({"employee": "ann@x", "amount": 40.0}).answer("approve")
    assert len(mail.sent) == 1


def test_effect_in_an_earlier_node_happens_once() -> None:
    db = Service(create_audit_log=lambda n: f"audit-{n}")
    run = Run(load("HIL101/good_docs_effect_in_earlier_node").build(db, saver())).start({"user": "bo"}).answer("yes")
    assert (len(db.calls), run.values["audit_id"]) == (1, "audit-1")


@pytest.mark.parametrize(("cents", "answers"), [(500, []), (9000, ["approve"])])
def test_branches_that_exclude_each_other_act_once(http: Http, cents: int, answers: list[str]) -> None:
    run = Run(load("HIL101/good_docs_branch_that_ends_before_the_pause").build(saver())).start({"order": "o", "cents": cents})
    run.answer(*answers)
    assert (len(http.calls), run.values["done"]) == (1, True)


def test_task_in_an_entrypoint_is_not_repeated(work_dir: Path) -> None:
    Run(load("HIL101/good_docs_task_in_entrypoint").make_report("r.csv", saver())).start({"total": 7}).answer("eve")
    assert (work_dir / "r.csv").read_text() == "total,7\n"


def test_task_in_a_graph_node_is_not_repeated(http: Http) -> None:
    run = Run(load("HIL101/good_docs_task_in_graph_node").build(saver()), aio=True).start({"room": "12"}).answer("ann")
    assert (len(http.calls), run.values["guest"]) == (1, "ann")


def test_transaction_around_the_pause_is_rolled_back_and_committed_once(work_dir: Path) -> None:
    db = sqlite3.connect("bank.db")
    db.execute("create table holds (account, cents)")
    db.commit()
    run = Run(load("HIL101/good_transaction_around_the_pause").build("bank.db", saver())).start({"account": "a", "cents": 30})
    assert db.execute("select count(*) from holds").fetchone() == (0,)
    run.answer("book")
    assert db.execute("select count(*) from holds").fetchone() == (1,)


def test_lookup_makes_creating_repeatable() -> None:
    known: set[str] = set()
    pages = mock.Mock()
    pages.find.side_effect = known.__contains__
    pages.create.side_effect = lambda slug, title: known.add(slug)
    Run(load("HIL101/good_docs_lookup_before_create").build(pages, saver())).start({"slug": "s", "title": "t"}).answer("ann")
    assert pages.create.call_count == 1


def test_stable_keys_are_equal_in_both_activations(http: Http) -> None:
    run = Run(load("HIL101/good_stable_idempotency_key").build(saver())).start({"order_id": "o", "cents": 5}).answer("mail", "sms")
    first, again, quote, quote_again = [h["idempotency-key"] for h in http.headers]
    assert first == again == "charge-o" and quote == quote_again
    assert run.values["channel"] == "sms"


def test_flag_of_an_earlier_node_keeps_the_safety_net_shut(mail: Mail) -> None:
    Run(load("HIL101/good_flag_set_by_an_earlier_node").build(saver())).start({"patient": "p@x"}).answer("9:00")
    assert len(mail.sent) == 1


def test_match_arms_exclude_each_other(shell: Shell) -> None:
    graph = load("HIL101/good_exclusive_branches").build(saver())
    assert Run(graph).start({"kind": "read", "line": "ls"}).done
    assert Run(graph).start({"kind": "write", "line": "x"}).answer("y").values["result"] == "y"
    assert len(shell.ran) == 1


def test_finished_nested_graph_is_restored(http: Http) -> None:
    run = Run(load("HIL101/good_finished_nested_graph").build(saver())).start({"cart": "c"})
    shown = run.asked[0]["hold"]
    assert run.answer("Rome").values == {"cart": "c", "hold": shown, "address": "Rome"}
    assert len(http.calls) == 1


def test_inner_functions_run_where_they_are_called(http: Http) -> None:
    Run(load("HIL101/good_nested_function_called_after_pause").build(saver())).start({"text": "t"}).answer("blog")
    assert http.urls() == ["https://blog.example/posts", "https://chat.example/hooks"]


def test_tool_that_asks_first_sends_once(mail: Mail) -> None:
    model = Script(turns=[calling(("send_email", {"to": "a@x", "subject": "s"}))])
    run = Run(load("HIL101/good_docs_tool_asks_first").build(model, saver())).start({"messages": [("user", "go")]})
    run.answer({"action": "approve", "to": "b@x"})
    assert mail.sent == [("b@x", "s")]


def test_sql_that_may_repeat_leaves_one_row(work_dir: Path) -> None:
    db = sqlite3.connect("desk.db", isolation_level=None)
    db.executescript("create table tickets (id primary key, title, state); create table drafts (ticket); "
                     "create table watchers (ticket, who, unique(ticket, who)); insert into tickets values (1, 'T', 'new');")
    Run(load("HIL101/good_sql_that_may_repeat").build("desk.db", saver())).start({"id": 1}).answer("ann")
    assert db.execute("select count(*) from watchers").fetchone() == (1,)
    assert db.execute("select state from tickets").fetchall() == [("waiting",)]


def test_writes_by_key_leave_one_entry(library: Any) -> None:
    library("boto3")
    store = InMemoryStore()
    module = load("HIL101/good_set_by_key")
    Run(module.build(saver(), store)).start({"doc_id": "d", "text": "t"}).answer("invoice")
    assert len(store.search(("docs",))) == 1
    assert (module.STATUS, module.SEEN) == ({"d": "waiting"}, {"d"})
    assert {c.kwargs["Key"] for c in module.s3.put_object.call_args_list} == {"d.txt"}


def test_tolerant_mkdir_survives_the_second_activation(work_dir: Path) -> None:
    run = Run(load("HIL101/good_mkdir_and_unlink_tolerant").build(saver())).start({"number": "7"}).answer("ann")
    assert run.values["lawyer"] == "ann"


def test_middleware_that_asks_first_runs_the_tool_once() -> None:
    box = Service()
    graph = load("HIL101/good_wrap_tool_call_asks_first").build(Script(turns=[calling(("publish", {"title": "t"}))]), box, saver())
    Run(graph).start({"messages": [("user", "go")]}).answer("approve")
    assert box.names() == ["publish_article"]


def test_loop_that_ends_with_its_pause_acts_once(shell: Shell) -> None:
    Run(load("HIL101/good_loop_left_after_its_pause").build(saver())).start({"files": ["a.txt", "b.bak", "c.bak"]}).answer("remove")
    assert shell.ran == ["rm b.bak"]


def test_router_at_start_repeats_no_node() -> None:
    run = Run(load("HIL101/good_router_from_start").build(saver())).start({"topic": "x"}).answer("write")
    assert run.values["text"] == "about x"


def test_harmless_tools_and_container_methods_change_nothing_outside() -> None:
    run = Run(load("HIL101/good_tools_that_are_seen_to_be_harmless").build(saver()))
    run.start({"messages": [calling(("add", {"a": 1, "b": 2}))]}).answer("5")
    assert run.values["messages"][-1].content == "3 (rated 5)"
    given = {"songs": ["b", "a"], "votes": {"a": 1}}
    run = Run(load("HIL101/good_methods_of_containers").build(saver())).start(given).answer("A")
    assert run.values == {"songs": ["b", "a"], "votes": {"a": 1}, "next": "A"}


def test_middleware_above_a_pausing_tool_acts_again(http: Http) -> None:
    model = Script(turns=[calling(("transfer", {"to": "x", "cents": 5}))])
    run = Run(load("HIL101/bad_docs_wrap_tool_call_before_handler").build(model, saver())).start({"messages": [("user", "go")]})
    run.answer("approve")
    assert len(http.calls) == 2


def test_sub_agent_as_tool_buys_once() -> None:
    shop = Service(place_order="bought")
    outer = Script(turns=[calling(("ask_buyer", {"wish": "tea"}))])
    inner = Script(turns=[calling(("buy", {"item": "tea"}))])
    graph = load("HIL101/good_docs_sub_agent_as_tool").build(outer, inner, shop, saver())
    run = Run(graph).start({"messages": [("user", "go")]})
    assert run.asked == [{"buy": "tea"}]
    run.answer("yes")
    assert (shop.names(), inner.calls) == (["place_order"], 2)


def test_tool_that_a_helper_is_told_to_run_runs_twice() -> None:
    calls: list[str] = []

    class Session:
        def call_tool(self, tool: str, arguments: dict) -> str:
            calls.append(tool)
            return "done"

    for name in ("bad_sending_tool_named_through_a_helper", "good_search_tool_named_through_a_helper"):
        Run(load(f"HIL101/{name}").build(Session(), saver())).start({"text": "q"}).answer("a")
    # Both run twice; only the letter is something that happened to somebody.
    assert calls == ["send_letter", "send_letter", "web_search", "web_search"]


def test_partial_runs_where_its_result_is_called(http: Http) -> None:
    Run(load("HIL101/bad_partial_called_before_the_pause").build(saver())).start({"order": "o"}).answer("yes")
    assert len(http.calls) == 2
    Run(load("HIL101/good_partial_called_after_the_pause").build(saver())).start({"order": "o"}).answer("yes")
    assert len(http.calls) == 3


def test_work_of_a_base_class_and_before_its_pause_is_done_twice(http: Http) -> None:
    module = load("HIL101/bad_work_of_the_base_class")
    for step in (module.ReserveFirst(), module.ReserveThrough()):
        http.calls.clear()
        Run(module.build(step, saver())).start({"room": "7"}).answer("yes")
        assert len(http.calls) == 2
    module = load("HIL101/good_base_class_asks_first")
    http.calls.clear()
    Run(module.build(module.AskFirst(), saver())).start({"room": "7"}).answer("yes")
    assert len(http.calls) == 1


def test_decorator_starts_again_with_its_function(http: Http) -> None:
    module = load("HIL101/bad_decorator_works_before_the_node")
    for node in (module.confirm, module.check):
        http.calls.clear()
        Run(module.build(node, saver())).start({"order": "o"}).answer("yes")
        assert len(http.calls) == 2
    http.calls.clear()
    Run(load("HIL101/good_decorator_works_after_the_node").build(saver())).start({"order": "o"}).answer("yes")
    assert http.urls() == ["https://stats.example/runs", "https://stats.example/starts"]


@pytest.mark.parametrize("node", ["by_expression", "by_function", "by_map", "by_coroutine"])
def test_generators_and_coroutines_work_where_they_are_used(node: str, http: Http) -> None:
    for fixture, times in (("bad_generator_used_before_the_pause", 2), ("good_generator_used_after_the_pause", 1)):
        http.calls.clear()
        module = load(f"HIL101/{fixture}")
        Run(module.build(getattr(module, node), saver()), aio=node == "by_coroutine").start({"names": ["ann"]}).answer("yes")
        assert len(http.calls) == times


def test_entering_and_reading_happen_again_like_calls(http: Http) -> None:
    module = load("HIL101/bad_entered_and_read_before_the_pause")
    for node in (module.hold, module.Desk().ask):
        http.calls.clear()
        Run(module.build(node, saver())).start({"door": "d"}).answer("yes")
        assert len(http.calls) == 2
    http.calls.clear()
    module = load("HIL101/good_entered_and_read_after_the_pause")
    Run(module.build(module.Desk().ask, saver())).start({"door": "d"}).answer("yes")
    assert http.urls() == [f"https://{u}" for u in ("desk.example/numbers", "lock.example/leases", "desk.example/tickets")]

def test_steps_in_a_subclass_and_clients_of_the_context_run_again(http: Http) -> None:
    module = load("HIL101/bad_steps_of_a_template_method")
    run = Run(module.build(saver()))
    for value in ({"customer": "acme"}, Command(resume="yes"), Command(resume="close")):
        run.graph.invoke(value, run.config, context=module.Context(module.Crm("https://crm.example/cases")))
    assert http.bodies() == [{"customer": "acme"}] * 4, "each call twice"
    assert run.graph.get_state(run.config).values["closed"] == "close"


def test_post_below_a_harmless_name_is_sent_twice(http: Http) -> None:
    http.answer = lambda n, call: {"free": 1, "id": "h"}
    Run(load("HIL101/bad_post_behind_a_harmless_name").build(saver())).start({"sku": "s", "count": 5}).answer("acme")
    assert http.urls() == ["https://hooks.chat.example/ops", "https://shop.example/holds"] * 2


def test_searching_by_post_asks_twice_and_changes_nothing(http: Http) -> None:
    run = Run(load("HIL101/good_search_and_sign_in_by_post").build(saver())).start({"wish": "w"}).answer("LH400")
    assert run.values["flight"] == "LH400"
    assert {body.get("grant_type") or body["query"][:1] for body in http.bodies()} == {"client_credentials", "{"}


def test_files_of_an_activation_are_gone_with_it(work_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(work_dir))
    run = Run(load("HIL101/good_files_of_this_activation").build(saver())).start({"name": "n", "text": "t"})
    assert list(work_dir.iterdir()) == [] and run.asked[0]["bytes"] > 100
    assert run.answer("ann").values["receiver"] == "ann", "a second activation makes its own directory"
    assert list(work_dir.iterdir()) == []


def test_file_errors_that_are_let_pass_leave_the_second_run_alone(work_dir: Path) -> None:
    (work_dir / "7").mkdir()
    for name in ("closed.flag", "stale.lock", "a.draft", "kept.txt"):
        (work_dir / "7" / name).touch()
    run = Run(load("HIL101/good_file_errors_let_pass").build(saver())).start({"number": "7"})
    assert run.asked[0]["files"] == ["kept.txt"]
    assert run.answer("ann").values["lawyer"] == "ann"


def test_message_that_is_found_is_not_posted_again() -> None:
    posted: dict[str, str] = {}
    channel = mock.Mock()
    channel.find_message.side_effect = posted.get
    channel.post_message.side_effect = lambda number: posted.setdefault(number, f"ts-{len(posted)}")
    run = Run(load("HIL101/good_message_looked_up_before_it_is_posted").build(saver()))
    run.config["configurable"]["channel"] = channel  # type: ignore[assignment]
    run.start({"number": "i"}).answer("yes")
    assert channel.post_message.call_count == 1


def test_item_under_a_new_key_is_stored_twice() -> None:
    store = InMemoryStore()
    Run(load("HIL101/bad_store_item_under_a_new_key").build(saver(), store)).start({"text": "tea"}).answer("yes")
    assert len(store.search(("wishes",))) == 2


def test_what_was_changed_under_review_is_overwritten(work_dir: Path) -> None:
    run = Run(load("HIL101/bad_plan_overwritten_under_review").build(saver())).start({"name": "n", "plan": "old"})
    plan = Path(run.asked[0]["please review"])
    assert plan.read_text() == "old"
    plan.write_text("better")
    run.answer("yes")
    assert (plan.read_text(), Path("plan.json").read_text(), Path("history.txt").read_text()) == ("old", '{"plan": "old"}', "old\nold\n")
