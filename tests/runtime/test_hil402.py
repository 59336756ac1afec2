"""HIL402: a map with the ids of tasks, or the names of nodes, is not taken for a map; it becomes the answer itself, or an error."""

from __future__ import annotations

from typing import Any

import pytest
from support import App, Run, load, questions


@pytest.fixture
def waiting() -> Run:
    return Run(questions("name")).start({})


@pytest.fixture
def two() -> Run:
    return Run(questions("left", "right", parallel=True)).start({})


def thread(run: Run) -> str:
    return run.config["configurable"]["thread_id"]


def test_ids_of_tasks_become_the_answer_itself(waiting: Run) -> None:
    out = load("HIL402/bad_ids_of_tasks").approve_all(waiting.graph, waiting.config)
    (key,) = out["name"]
    assert "-" in key and out["name"][key] == "approve"


def test_with_two_pauses_they_are_an_error(two: Run) -> None:
    with pytest.raises(RuntimeError, match="multiple pending interrupts"):
        load("HIL402/bad_ids_of_tasks").approve_all(two.graph, two.config)


@pytest.mark.parametrize("endpoint", ["answer", "answer_by_node"])
def test_map_built_in_a_loop_becomes_the_answer(waiting: Run, library: Any, endpoint: str) -> None:
    library("fastapi", FastAPI=App)
    app = load("HIL402/bad_map_built_in_a_loop").make_app(waiting.graph)
    out = app.call(endpoint, thread(waiting), {"form": "ann"} if endpoint == "answer" else "ann")
    assert list(out["name"].values()) == ["ann"]


def test_task_id_by_name_becomes_the_answer(waiting: Run) -> None:
    cards = load("HIL402/bad_by_name").Cards(waiting.graph)
    task = waiting.graph.get_state(waiting.config).tasks[0]
    assert cards.click(thread(waiting), task.id, "approve") == {"name": {task.id: "approve"}}


def test_first_task_id_becomes_the_answer(waiting: Run) -> None:
    out = load("HIL402/bad_by_name").Cards(waiting.graph).first(thread(waiting), "approve")
    assert list(out["name"].values()) == ["approve"]


def test_literal_uuid_becomes_the_answer(waiting: Run) -> None:
    out = load("HIL402/bad_literal_uuid").unblock(waiting.graph, thread(waiting))
    assert list(out["name"].values()) == ["go on"]


def test_ids_of_interrupts_answer_both(two: Run) -> None:
    assert load("HIL402/good_ids_of_interrupts").approve_all(two.graph, two.config) == {"left": "approve", "right": "approve"}


def test_ids_of_interrupts_below_tasks_answer_both(two: Run) -> None:
    out = load("HIL402/good_ids_of_interrupts").approve_by_task(two.graph, two.config, lambda name, value: f"{name}: {value}")
    assert out == {"left": "ask_left: left?", "right": "ask_right: right?"}


def test_ids_from_the_result_answer_both() -> None:
    run = Run(questions("left", "right", parallel=True))
    out = load("HIL402/good_ids_of_interrupts").start_and_answer(run.graph, {}, run.config, str.upper)
    assert out == {"left": "LEFT?", "right": "RIGHT?"}


def test_dict_with_field_names_is_the_answer_that_was_meant(waiting: Run, library: Any) -> None:
    library("fastapi", FastAPI=App)
    module = load("HIL402/good_answer_is_a_dict")
    out = module.make_app(waiting.graph).call("review", thread(waiting), module.Review(action="approve", comment="c"))
    assert out["name"] == {"action": "approve", "comment": "c", "nodes": ["form"]}


def test_id_of_the_interrupt_that_the_client_sends_back(waiting: Run) -> None:
    cards = load("HIL402/good_task_ids_for_the_log").Cards(waiting.graph)
    pause = waiting.interrupts[0]
    assert cards.click(thread(waiting), pause.id, "approve") == {"name": "approve"}
    with pytest.raises(LookupError):
        cards.click(thread(waiting), pause.id, "approve")


@pytest.mark.parametrize("approve", ["approve_all", "approve_pairs"])
def test_map_from_a_helper_becomes_the_answer(waiting: Run, approve: str) -> None:
    out = getattr(load("HIL402/bad_map_from_a_helper"), approve)(waiting.graph, waiting.config)
    assert list(out["name"].values()) == ["approve"], "a dict, not the word"


def test_helper_that_keys_by_interrupt_delivers(waiting: Run, two: Run) -> None:
    module = load("HIL402/good_map_from_a_helper")
    assert module.approve_all(waiting.graph, waiting.config)["name"] == "approve"
    assert set(module.approve_all(two.graph, two.config).values()) == {"approve"}


def test_helper_whose_answer_is_a_dict_delivers_it(waiting: Run) -> None:
    out = load("HIL402/good_map_from_a_helper").approve_one(waiting.graph, waiting.config, "eve")
    assert out["name"] == {"approved": True, "by": "eve"}


@pytest.mark.parametrize("function", ["approve_all", "approve_first"])
def test_names_of_waiting_nodes_become_the_answer_itself(waiting: Run, function: str) -> None:
    out = getattr(load("HIL402/bad_names_of_nodes_that_wait"), function)(waiting.graph, waiting.config)
    assert list(out["name"].values()) == ["approve"]
