"""HIL415: every message is a new input: the question comes again and is never answered."""

from __future__ import annotations

from typing import Any

from support import App, Run, load, saver

CONFIG = {"configurable": {"thread_id": "t"}}


def test_second_message_is_no_answer(library: Any) -> None:
    library("fastapi", FastAPI=App)
    app = load("HIL415/bad_every_turn_is_new_input").make_app(saver())
    assert app.call("chat", "t", "one pizza") == app.call("chat", "t", "Main street 1") == {"address": None}


def test_shell_asks_again_and_again() -> None:
    shop = load("HIL415/bad_shell_without_answers").Shop(saver())
    for text in ("a shirt", "L"):
        assert [i.value for i in shop.say(text, CONFIG)["__interrupt__"]] == ["Which size?"]


def test_endpoint_that_looks_delivers(library: Any) -> None:
    library("fastapi", FastAPI=App)
    app = load("HIL415/good_endpoint_answers_what_waits").make_app(saver())
    app.call("chat", "t", "one pizza")
    assert app.call("chat", "t", "Main street 1")["address"] == "Main street 1"


def test_library_is_answered_by_whoever_runs_it() -> None:
    delivery = load("HIL415/good_library_that_others_run").Delivery(saver())
    run = Run(delivery.graph)
    delivery.start("one pizza", run.config)
    assert run.answer("Main street 1").values["address"] == "Main street 1"


def test_update_in_the_nodes_name_is_an_answer(library: Any) -> None:
    library("fastapi", FastAPI=App)
    app = load("HIL415/good_answered_over_the_state").make_app(saver())
    app.call("chat", "t", "one pizza")
    app.call("address", "t", "Main street 1")
    app = load("HIL415/good_graph_that_asks_nobody").make_app(saver())
    assert app.call("chat", "t", "x")["address"] == "Main street 1"


def test_next_input_answers_what_the_state_lacks(library: Any) -> None:
    library("fastapi", FastAPI=App)
    app = load("HIL415/good_next_input_answers").make_app(saver())
    assert app.call("order", "t", "a shirt")["placed"] is None
    assert app.call("quantity", "t", "2")["placed"] is True
