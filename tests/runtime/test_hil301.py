"""HIL301: answers are matched by position, so a guard that changes between two activations drops them or gives them to another question."""

from __future__ import annotations

import itertools
import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import httpx
import pytest
from langchain_core.messages import AIMessage
from langgraph.graph import START, StateGraph
from langgraph.types import Command
from support import Http, Run, Script, load, saver


def test_answer_is_dropped_when_the_clock_passes_nine() -> None:
    module = load("HIL301/bad_clock_decides")
    hours = iter([8, 9])
    module.datetime = mock.Mock(now=lambda: SimpleNamespace(hour=next(hours)))
    run = Run(module.build(saver())).start({"cents": 5})
    assert len(run.asked) == 1
    assert run.answer("ann").values["released_by"] == "automatic"


def test_docs_branch_by_time_gives_the_answer_to_the_other_question() -> None:
    module = load("HIL301/bad_docs_clock_between_two_branches")
    clock = iter([0.5, 2.0])
    module.time = SimpleNamespace(time=lambda: next(clock))
    run = Run(module.make_workflow(saver())).start({"t0": 0.0})
    assert run.asked == [{"question": "Throw the quick result away?"}]
    assert run.answer("yes").result == {"result": "slow 1", "answer": "yes"}


def test_docs_clock_in_a_task_keeps_to_the_branch() -> None:
    module = load("HIL301/good_docs_clock_read_in_a_task")
    clock = iter([0.5, 2.0])
    module.time = SimpleNamespace(time=lambda: next(clock))
    run = Run(module.make_workflow(saver())).start({"t0": 0.0})
    assert run.answer("yes").result == {"result": "work 2", "answer": "yes"}


def test_spot_check_takes_the_answer_of_another_question() -> None:
    module = load("HIL301/bad_random_spot_check")
    dice = iter([0.05, 0.5, 0.5])
    module.random = SimpleNamespace(random=lambda: next(dice))
    run = Run(module.build(saver())).start({"order": "o"})
    assert run.asked[0]["question"] == "Spot check: fine?"
    run.answer("no, refuse it")
    assert run.values["comment"] == "no, refuse it", "the verdict became the comment for the customer"
    assert run.values["verdict"] == "not checked"


def test_statement_that_was_refused_runs_when_the_model_changes_its_mind() -> None:
    model = Script(turns=[AIMessage("yes"), AIMessage("no")])
    run = Run(load("HIL301/bad_model_decides_whether_to_ask").build(model, saver())).start({"statement": "drop"})
    assert len(run.asked) == 1
    assert run.answer("refuse").values["status"] == "runs"


def test_memory_of_the_process_shifts_the_answers() -> None:
    module = load("HIL301/bad_process_memory")
    run = Run(module.build(saver())).start({"user": "u"}).answer("yes, keep it")
    assert run.asked == ["What is it about?"]
    run.answer("bees")
    assert run.values["topic"] == "yes, keep it", "the first answer went to the second question"


def test_counter_moves_on_while_waiting() -> None:
    run = Run(load("HIL301/bad_counter_on_self").build(saver(), every=1_000)).start({"number": "1"})
    assert run.asked == []
    graph = load("HIL301/bad_counter_on_self").build(saver(), every=3)
    runs = [Run(graph).start({"number": str(n)}) for n in range(3)]
    assert [len(r.asked) for r in runs] == [0, 0, 1]
    assert runs[2].answer("bad call").values["result"] == "skipped"


def test_row_that_appears_meanwhile_shifts_the_answers(work_dir: Path) -> None:
    db = sqlite3.connect("r.db", isolation_level=None)
    db.execute("create table cards (user)")
    run = Run(load("HIL301/bad_profile_read_between_questions").build("r.db", saver())).start({"user": "u"}).answer("van")
    assert run.asked == ["How is the deposit paid?"]
    db.execute("insert into cards values ('u')")
    run.answer("cash")
    assert run.values["pickup"] == "cash"


def test_answer_vanishes_when_the_call_succeeds_the_second_time(monkeypatch: pytest.MonkeyPatch) -> None:
    replies = itertools.chain([httpx.ConnectError("down")], itertools.repeat(SimpleNamespace(json=lambda: {"rate": 1.25})))

    def get(url: str) -> object:
        reply = next(replies)
        if isinstance(reply, Exception):
            raise reply
        return reply

    monkeypatch.setattr(httpx, "get", get)
    run = Run(load("HIL301/bad_pause_when_a_call_failed").build(saver())).start({"currency": "CHF"})
    assert len(run.asked) == 1
    assert run.answer("0.9").values["rate"] == 1.25


def test_lock_that_appears_meanwhile_drops_what_was_answered(work_dir: Path) -> None:
    run = Run(load("HIL301/bad_early_return_on_a_read").build(saver())).start().answer("2.0")
    assert run.asked == ["Which window?"]
    (work_dir / "freeze.lock").touch()
    assert run.answer("monday").values == {"status": "default window", "window": "sunday"}


def test_precondition_that_fails_meanwhile_reports_failure(http: Http) -> None:
    http.answer = lambda n, call: {"free": ["12A"] if n == 1 else []}
    run = Run(load("HIL301/bad_note_for_a_precondition_read").build(saver())).start({"flight": "f"})
    assert run.answer("12A").values["error"] == "the flight is full"


@pytest.mark.parametrize(("cents", "answers", "expected"), [(1, [], "automatic"), (999_00, ["ann"], "ann")])
def test_guard_from_state_is_the_same_in_both_activations(cents: int, answers: list[str], expected: str) -> None:
    run = Run(load("HIL301/good_guard_from_state").build(saver())).start({"cents": cents, "country": "DE"}).answer(*answers)
    assert run.values["released_by"] == expected


def test_guard_from_config_and_constants_keeps_the_answers_apart() -> None:
    run = Run(load("HIL301/good_guard_from_config_and_constants").build(saver())).start({"size": 50}).answer("one", "two")
    assert run.values["ok"] == "two"


@pytest.mark.parametrize(("answers", "expected"), [(["5"], (5, "")), (["1", "slow"], (1, "slow"))])
def test_guard_from_an_earlier_answer_is_stable(answers: list[str], expected: tuple[int, str]) -> None:
    run = Run(load("HIL301/good_guard_from_earlier_answer").build(saver())).start().answer(*answers)
    assert (run.values["score"], run.values["why"]) == expected


def test_dice_below_the_pause_do_not_matter() -> None:
    run = Run(load("HIL301/good_random_after_the_pause").build(saver())).start({"names": ["a", "b"]}).answer("draw")
    assert run.values["winner"] in ("a", "b")


def test_verdict_of_a_finished_nested_graph_does_not_change() -> None:
    model = Script(turns=[AIMessage("yes"), AIMessage("no")])
    run = Run(load("HIL301/good_verdict_of_a_finished_agent").build(model, saver())).start({"statement": "drop"}).answer("refuse")
    assert (run.values["status"], model.calls) == ("refused", 1)



def test_decorator_that_throws_dice_drops_the_answer() -> None:
    module = load("HIL301/bad_decorator_skips_at_random")
    dice = iter([0.9, 0.1])
    module.random = SimpleNamespace(random=lambda: next(dice))
    run = Run(module.build(saver())).start({"order": "o"})
    assert len(run.asked) == 1
    assert run.answer("yes").values["answer"] == "not asked"

def test_answer_is_dropped_when_the_call_that_failed_succeeds_this_time(http: Http) -> None:
    http.answer = lambda n, call: {"id": 1} if n == 1 else {"rows": 7}
    run = Run(load("HIL301/bad_flag_says_that_a_call_failed").build(saver())).start({"url": "https://source.example/rows"})
    assert len(run.asked) == 1
    run.answer("stop")
    assert (run.values["rows"], run.values["decision"]) == (7, "go on")


def test_flag_of_a_parser_is_the_same_again() -> None:
    run = Run(load("HIL301/good_flag_of_a_parser").build(saver())).start({"text": "no json"})
    assert run.answer("drop").values["decision"] == "drop"


def test_id_that_is_used_as_a_die_drops_the_answer() -> None:
    module = load("HIL301/bad_id_as_a_die")
    drawn = iter([20, 21])
    module.uuid = SimpleNamespace(uuid4=lambda: SimpleNamespace(int=next(drawn)))
    run = Run(module.build(saver())).start({"number": "n"})
    assert len(run.asked) == 1
    assert run.answer("no").values["opened"] == "not drawn"


def test_whole_id_guards_the_same_way_each_time() -> None:
    run = Run(load("HIL301/good_whole_id_as_a_guard").build(saver())).start().answer("ann")
    assert run.values["owner"] == "ann"


def test_what_is_kept_is_the_same_until_somebody_drops_it(tmp_path: Any) -> None:
    kept, dropped = load("HIL301/good_read_once"), load("HIL301/bad_kept_and_forgotten")
    for module in (kept, dropped):
        module.HERE = tmp_path
        (tmp_path / "matrix.json").write_text('[{"limit": 10}]')
        node = module.by_matrix if module is kept else module.review
        graph = StateGraph(dict).add_node("n", node).add_edge(START, "n").compile(checkpointer=saver())
        config = {"configurable": {"thread_id": "1"}}
        assert graph.invoke({"amount": 20}, config)["__interrupt__"]
        (tmp_path / "matrix.json").write_text('[{"limit": 30}]')
        if module is dropped:
            module.reload_matrix()
        assert graph.invoke(Command(resume="no"), config)["ok"] == ("no" if module is kept else "yes")
