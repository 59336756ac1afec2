"""HIL410: the private key works on this version; nothing says that it will on the next, and older ones ignore it."""

from __future__ import annotations

import pytest
from langgraph.errors import UnknownInterruptError
from support import Run, load, questions


@pytest.fixture
def run() -> Run:
    return Run(questions("x", "y")).start({})


def thread(run: Run) -> str:
    return run.config["configurable"]["thread_id"]


def test_the_key_is_read_today(run: Run) -> None:
    first = {run.interrupts[0].id: "a"}
    module = load("HIL410/bad_key_in_the_config")
    module.answer(run.graph, thread(run), first)
    with pytest.raises(UnknownInterruptError):
        module.answer(run.graph, thread(run), first)
    with pytest.raises(UnknownInterruptError):
        load("HIL410/bad_key_set_later").answer(run.graph, run.config, first)


def test_any_other_spelling_is_ignored_without_a_word(run: Run) -> None:
    """What becomes of the key when it is renamed: the same late answer is taken."""
    first = {run.interrupts[0].id: "a"}
    module = load("HIL410/good_own_keys")
    module.answer(run.graph, thread(run), "u", first)
    assert module.answer(run.graph, thread(run), "u", first) == {"x": "a", "y": "a"}


def test_comparing_ids_refuses_without_it(run: Run) -> None:
    first = {run.interrupts[0].id: "a"}
    module = load("HIL410/good_ids_are_compared")
    module.answer(run.graph, thread(run), first)
    with pytest.raises(LookupError):
        module.answer(run.graph, thread(run), first)
    assert run.asked == ["y?"]


def test_the_others_run(run: Run) -> None:
    load("HIL410/good_only_told_about").answer(run.graph, thread(run), {run.interrupts[0].id: "a"})
    assert run.asked == ["y?"]
