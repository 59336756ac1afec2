"""HIL108: the stream of a finished nested graph gives no chunks when the answer comes."""

from __future__ import annotations

import pytest
from support import Run, load, saver


def test_gathered_chunks_are_gone() -> None:
    run = Run(load("HIL108/bad_chunks_gathered").build(saver())).start({"topic": "bees"})
    assert run.asked == [{"found": 2}]
    assert run.answer("yes").values["text"] == ""


def test_values_give_only_the_final_state() -> None:
    run = Run(load("HIL108/bad_chunks_gathered").build_history(saver()), aio=True).start({"topic": "bees"})
    assert run.asked == [{"steps": 3}]
    assert run.answer("yes").values["text"] == "1"


def test_name_of_the_last_chunk_is_not_bound() -> None:
    run = Run(load("HIL108/bad_last_chunk").build(saver())).start({"topic": "bees"})
    with pytest.raises(UnboundLocalError):
        run.answer("yes")


@pytest.mark.parametrize("name", ["good_invoke", "good_final_state"])
def test_result_of_invoke_and_final_state_are_restored(name: str) -> None:
    run = Run(load(f"HIL108/{name}").build(saver())).start({"topic": "bees"}).answer("yes")
    assert run.values["text"] == "FACTS ABOUT BEES"


def test_chunks_that_are_only_shown() -> None:
    assert Run(load("HIL108/good_only_shown").build(saver())).start({"topic": "bees"}).answer("yes").values["ok"] == "yes"


@pytest.mark.parametrize("build", ["build", "build_task"])
def test_behind_the_pause_or_in_a_task_they_all_come(build: str) -> None:
    run = Run(getattr(load("HIL108/good_behind_the_pause"), build)(saver())).start({"topic": "bees"}).answer("yes")
    assert run.values["text"] == "2"
