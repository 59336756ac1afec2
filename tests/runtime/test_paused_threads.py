"""What docs/adopting.md says of threads that wait while the code under them changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command, interrupt

CONFIG = {"configurable": {"thread_id": "t"}}


class State(TypedDict, total=False):
    name: str
    city: str
    sent: bool


def graph(saver: Any, **nodes: Callable[[State], dict]) -> Any:
    return StateGraph(State).add_sequence(list(nodes.items())).add_edge(START, next(iter(nodes))).compile(checkpointer=saver)


def two(state: State) -> dict:
    name = interrupt("Name?")
    city = interrupt("City?")
    return {"name": name, "city": city}


def other_order(state: State) -> dict:
    city = interrupt("City?")
    name = interrupt("Name?")
    return {"name": name, "city": city}


def one(state: State) -> dict:
    return {"name": interrupt("Name?")}


def test_waiting_threads_can_be_told_from_finished_ones() -> None:
    app = graph(InMemorySaver(), ask=one)
    app.invoke({}, CONFIG)
    waiting = app.get_state(CONFIG)
    assert waiting.next == ("ask",) and [i.value for task in waiting.tasks for i in task.interrupts] == ["Name?"]
    app.invoke(Command(resume="ann"), CONFIG)
    assert app.get_state(CONFIG).next == ()


def test_questions_that_change_places_take_each_others_answers() -> None:
    saver = InMemorySaver()
    old = graph(saver, ask=two)
    old.invoke({}, CONFIG)
    old.invoke(Command(resume="ann"), CONFIG)
    result = graph(saver, ask=other_order).invoke(Command(resume="Rome"), CONFIG)
    assert (result["name"], result["city"]) == ("Rome", "ann")


def test_a_question_put_in_front_takes_the_answer_that_was_given() -> None:
    saver = InMemorySaver()
    graph(saver, ask=one).invoke({}, CONFIG)
    app = graph(saver, ask=other_order)
    app.invoke(Command(resume="ann"), CONFIG)
    assert app.get_state(CONFIG).values == {} and [i.value for t in app.get_state(CONFIG).tasks for i in t.interrupts] == ["Name?"]
    assert app.invoke(Command(resume="bo"), CONFIG)["city"] == "ann"


def test_a_node_that_is_renamed_loses_the_threads_that_wait_at_it() -> None:
    saver = InMemorySaver()
    graph(saver, ask=one).invoke({}, CONFIG)
    app = graph(saver, inquire=one)
    result = app.invoke(Command(resume="ann"), CONFIG)
    assert "name" not in result, result
    assert app.get_state(CONFIG).next == ()


def test_a_node_put_in_front_is_not_run_by_threads_that_wait_behind_it() -> None:
    saver = InMemorySaver()
    graph(saver, ask=one).invoke({}, CONFIG)
    assert graph(saver, prepare=lambda state: {"sent": True}, ask=one).invoke(Command(resume="ann"), CONFIG) == {"name": "ann"}


def test_a_node_that_keeps_its_name_and_questions_takes_the_answer() -> None:
    saver = InMemorySaver()
    graph(saver, ask=one).invoke({}, CONFIG)
    assert graph(saver, ask=one, send=lambda state: {"sent": True}).invoke(Command(resume="ann"), CONFIG) == {"name": "ann", "sent": True}


def test_a_key_that_no_old_thread_has_fails_before_anything_is_done() -> None:
    saver = InMemorySaver()
    graph(saver, ask=one).invoke({}, CONFIG)
    done: list[str] = []

    def ask(state: Any) -> dict:
        ticket = state["ticket"]
        interrupt("Name?")
        done.append(ticket)
        return {}

    app = graph(saver, ask=ask)
    with pytest.raises(KeyError):
        app.invoke(Command(resume="ann"), CONFIG)
    assert done == [] and app.get_state(CONFIG).next == ("ask",)


def test_an_old_node_beside_the_new_one_finishes_the_threads_that_wait_at_it() -> None:
    saver = InMemorySaver()
    graph(saver, ask=one).invoke({}, CONFIG)
    both = StateGraph(State).add_node("ask", one).add_node("prepare", lambda state: {"city": "Rome"}).add_node("ask_2", one)
    app = both.add_edge(START, "prepare").add_edge("prepare", "ask_2").compile(checkpointer=saver)
    assert app.invoke(Command(resume="ann"), CONFIG) == {"name": "ann"}
    new = {"configurable": {"thread_id": "new"}}
    app.invoke({}, new)
    assert app.invoke(Command(resume="bo"), new) == {"city": "Rome", "name": "bo"}


def test_asking_again_on_a_new_thread_carries_the_state_over() -> None:
    saver = InMemorySaver()
    old = graph(saver, first=lambda state: {"city": "Rome"}, ask=one)
    old.invoke({}, CONFIG)
    kept = old.get_state(CONFIG).values
    new = {"configurable": {"thread_id": "t-2"}}
    app = graph(saver, ask=one)
    app.invoke(kept, new)
    assert app.invoke(Command(resume="ann"), new) == {"city": "Rome", "name": "ann"}
