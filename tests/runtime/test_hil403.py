"""HIL403: an empty map answers nobody; the same question comes back without an error."""

from __future__ import annotations

from typing import Any

import pytest
from support import App, Run, load, questions, saver


@pytest.fixture
def waiting() -> Run:
    return Run(questions("name", "city")).start({})


def thread(run: Run) -> str:
    return run.config["configurable"]["thread_id"]


def test_acknowledge_button_asks_again(waiting: Run, library: Any) -> None:
    library("fastapi", FastAPI=App)
    app = load("HIL403/bad_acknowledge_button").make_app(waiting.graph)
    before = waiting.interrupts[0].id
    app.call("acknowledge", thread(waiting))
    assert (waiting.asked, waiting.interrupts[0].id) == (["name?"], before)


@pytest.mark.parametrize("method", ["next", "again"])
def test_empty_dict_by_other_ways_asks_again(waiting: Run, method: str) -> None:
    getattr(load("HIL403/bad_empty_dict_elsewhere").Player(waiting.graph), method)(thread(waiting))
    assert waiting.asked == ["name?"]


def test_something_inside_is_delivered(waiting: Run) -> None:
    load("HIL403/good_something_inside").Banner(waiting.graph).acknowledge(thread(waiting))
    assert waiting.asked == ["city?"]


def test_map_filled_in_a_loop_is_delivered(waiting: Run) -> None:
    module = load("HIL403/good_filled_in_a_loop")
    module.answer_all(waiting.graph, waiting.config, "ann")
    assert waiting.asked == ["city?"]
    module.answer_all(waiting.graph, waiting.config, "Rome")
    assert waiting.values == {"name": "ann", "city": "Rome"}
    assert module.answer_all(waiting.graph, waiting.config, "late") is None


def test_empty_dict_by_id_is_delivered(waiting: Run) -> None:
    load("HIL403/good_empty_answer_by_id").no_changes(waiting.graph, waiting.config)
    assert waiting.asked == ["city?"]


def test_other_empty_values_are_delivered(waiting: Run) -> None:
    out = load("HIL403/good_other_empty_values").leave_blank(waiting.graph, thread(waiting))
    assert out == {"name": "", "city": []}


def test_static_breakpoint_goes_on_with_anything() -> None:
    out = load("HIL403/good_static_breakpoint").run(saver(), {"configurable": {"thread_id": "t"}})
    assert out["sent"] is True
