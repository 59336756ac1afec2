"""HIL608: no value, no such import, no such key."""

from __future__ import annotations

import importlib

import pytest
from hitl_lint.catalogue.langgraph import WRONG_INTERRUPT_MODULES
from support import Run, load, saver


def test_no_value_raises_instead_of_pausing() -> None:
    run = Run(load("HIL608/bad_no_value").build(saver()))
    with pytest.raises(TypeError):
        run.start({})
    assert run.asked == []


def test_wrong_import_raises() -> None:
    with pytest.raises(ImportError):
        load("HIL608/bad_imported_from_the_graph")


def test_prebuilt_gives_a_module_that_cannot_be_called() -> None:
    with pytest.raises(TypeError, match="module"):
        Run(load("HIL608/bad_imported_from_prebuilt").build(saver())).start({})


@pytest.mark.parametrize("module", sorted(WRONG_INTERRUPT_MODULES))
def test_no_listed_module_exports_interrupt(module: str) -> None:
    try:
        found = importlib.import_module(module)
    except ImportError:
        return
    assert not callable(getattr(found, "interrupt", None))


def test_pause_is_not_seen_under_another_key() -> None:
    run = Run(load("HIL608/bad_wrong_key").build(saver()))
    assert load("HIL608/bad_wrong_key").run(saver(), run.config) == "done"


def test_pause_is_seen_under_its_key() -> None:
    run = Run(load("HIL608/good_right_key").build(saver()))
    assert load("HIL608/good_right_key").run(saver(), run.config, {"interrupt": True}) == ["What is your name?"]


def test_import_that_falls_back() -> None:
    assert Run(load("HIL608/good_older_versions_first").build(saver())).start({}).answer("Ann").values == {"name": "Ann"}


def test_values_in_any_form() -> None:
    run = Run(load("HIL608/good_value_in_any_form").build(saver())).start({}).answer("1", "2", "3")
    assert run.values == {"a": "1", "b": "2", "c": "3"}


def test_other_things_called_interrupt() -> None:
    module = load("HIL608/good_another_interrupt")
    assert module.stop(module.Player(), {"interrupt": True}) == "interrupted"


@pytest.mark.parametrize("how", ["run", "run_in_two_modes"])
def test_chunk_holds_the_pause_under_its_own_key(how: str) -> None:
    module = load("HIL608/bad_key_of_a_chunk")
    run = Run(module.build(saver()))
    assert getattr(module, how)(saver(), run.config) == "done"
    assert "__interrupt__" in {k for chunk in module.build(saver()).stream({}, run.config) for k in chunk}


def test_chunks_that_do_have_such_a_key() -> None:
    module = load("HIL608/good_chunks_with_such_a_key")
    config = {"configurable": {"thread_id": "1"}}
    assert module.run_custom(saver(), config) == ["soon"]
    assert module.run_other(saver(), config) == {"name": "x"}
    assert [i.value for i in module.run_right(saver(), config)] == ["What is your name?"]
