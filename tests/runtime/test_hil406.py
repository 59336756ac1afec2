"""HIL406: what waits comes in the order in which its nodes got there: a place in the list names nobody."""

from __future__ import annotations

import operator
import time
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt
from support import App, Run, load, saver


class Deal(TypedDict, total=False):
    votes: Annotated[list[str], operator.add]


def reviewers(slow: str) -> Any:
    """Legal and finance are asked at once; one of them takes longer to get to its question."""
    g = StateGraph(Deal)
    for name in ("legal", "finance"):
        def node(state: Deal, name: str = name) -> dict[str, Any]:
            time.sleep(0.3 if name == slow else 0)
            return {"votes": [f"{name}:{interrupt(name)}"]}

        g.add_node(name, node)
        g.add_edge(START, name)
    return g.compile(checkpointer=saver())


@pytest.mark.parametrize("slow", ["legal", "finance"])
def test_zipped_answers_depend_on_who_was_slow(slow: str) -> None:
    run = Run(reviewers(slow)).start({"votes": []})
    out = load("HIL406/bad_answers_zipped").submit(run.graph, run.config, run.result, ["legal says", "finance says"])
    right = sorted(out["votes"]) == ["finance:finance says", "legal:legal says"]
    assert right == (slow == "finance")


def test_first_is_whoever_was_there_first() -> None:
    module = load("HIL406/bad_first_of_parallel_questions")
    run = Run(reviewers("legal"))
    module.legal_says(run.graph, run.config, "legal says")
    assert run.asked == ["legal"], "the answer for legal went to finance"


def test_the_only_one_is_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: "fine")
    assert load("HIL406/bad_shows_the_first_one").main(saver(), "memo", {"configurable": {"thread_id": "t"}})["verdict"] == "fine"


@pytest.mark.parametrize("slow", ["legal", "finance"])
def test_by_id_each_gets_its_own(slow: str) -> None:
    run = Run(reviewers(slow)).start({"votes": []})
    out = load("HIL406/good_each_by_its_id").answer_all(run.graph, run.config, run.result, str.upper)
    assert sorted(out["votes"]) == ["finance:FINANCE", "legal:LEGAL"]
    run = Run(reviewers(slow))
    out = load("HIL406/good_asked_in_that_order").answer_all(run.graph, run.config, {"votes": []}, str.upper)
    assert sorted(out["votes"]) == ["finance:FINANCE", "legal:LEGAL"]


def test_id_from_the_client(library: Any) -> None:
    library("fastapi", FastAPI=App)
    run = Run(reviewers("legal")).start({"votes": []})
    app = load("HIL406/good_id_from_the_client").make_app(run.graph)
    card = next(i.id for i in run.interrupts if i.value == "legal")
    app.call("click", run.config["configurable"]["thread_id"], card, "fine")
    assert run.asked == ["finance"]


@pytest.mark.parametrize("way", ["by_count", "in_one_loop", "by_comprehension"])
def test_counted_answers_depend_on_who_was_slow(way: str) -> None:
    module = load("HIL406/bad_docs_tasks_by_number")
    run = Run(reviewers("legal"))
    out = getattr(module, way)(run.graph, run.config, ["legal says", "finance says"])
    assert sorted(out["votes"]) == ["finance:legal says", "legal:finance says"]


def test_pauses_of_a_stream_by_id() -> None:
    run = Run(reviewers("legal"))
    out = load("HIL406/good_docs_pauses_of_a_stream").answer_all(run.graph, run.config, str.upper)
    assert sorted(out["votes"]) == ["finance:FINANCE", "legal:LEGAL"]


@pytest.mark.parametrize("slow", ["legal", "finance"])
def test_answer_goes_to_the_question_that_was_shown(slow: str) -> None:
    module = load("HIL406/good_answers_the_one_it_shows")
    for how in (module.ask_all, module.ask_each_task):
        out = how(reviewers(slow), {"configurable": {"thread_id": "1"}}, ask=lambda question: "to " + question)
        assert sorted(out["votes"]) == ["finance:to finance", "legal:to legal"]
