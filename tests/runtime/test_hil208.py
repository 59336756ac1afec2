"""HIL208: a handler around `interrupt(response_schema=…)` takes a bad answer for the last word."""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from support import Run, load, saver


@pytest.mark.parametrize("build", ["build", "build_exactly"])
def test_bad_answer_ends_the_node(build: str) -> None:
    run = Run(getattr(load("HIL208/bad_value_error"), build)(saver())).start().answer({"cents": "a lot"})
    assert (run.done, run.values["cents"]) == (True, 0)


def test_broad_handler_behind_the_bubble_takes_it_too() -> None:
    run = Run(load("HIL208/bad_broad_handler_behind_the_bubble").build(saver())).start()
    assert len(run.asked) == 1
    assert run.answer("window").values["row"] == -1


def test_unhandled_bad_answer_is_refused_and_can_be_corrected() -> None:
    run = Run(load("HIL208/good_pause_outside_of_the_try").build(saver())).start()
    with pytest.raises(ValidationError):
        run.answer(5)
    assert len(run.asked) == 1
    assert run.answer({"text": "7"}).values["cents"] == 7


def test_handler_that_asks_again() -> None:
    run = Run(load("HIL208/good_asks_again").build(saver())).start().answer({"cents": "a lot"})
    assert run.asked == ["A number, please. How much?"]
    assert run.answer({"cents": 3}).values["cents"] == 3


def test_narrow_types_and_raising_again_refuse_it() -> None:
    run = Run(load("HIL208/good_narrow_or_raised_again").build(saver())).start()
    with pytest.raises(ValidationError):
        run.answer({"cents": "a lot"})
    run.answer({"cents": 3})
    with pytest.raises(ValidationError):
        run.answer({"cents": "more"})
    assert run.answer({"cents": 1}).values == {"cents": 3, "tip": 1}


def test_json_schema_checks_nothing() -> None:
    run = Run(load("HIL208/good_no_schema_or_one_that_checks_nothing").build(saver())).start().answer("x", "y")
    assert run.values == {"cents": 0, "tip": 0}
