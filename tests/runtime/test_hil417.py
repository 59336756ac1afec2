"""HIL417: Interrupt objects are no JSON: it raises exactly when somebody is to be asked."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support import App, Run, load, questions, saver


@pytest.fixture
def run() -> Run:
    return Run(questions("x"))


def test_pauses_as_json_raise(run: Run) -> None:
    module = load("HIL417/bad_pauses_as_json")
    with pytest.raises(TypeError, match="Interrupt is not JSON"):
        module.show(run.graph, {}, run.config)
    with pytest.raises(TypeError, match="Interrupt is not JSON"):
        module.pending(run.graph, run.config)


def test_chunks_and_results_raise(library: Any) -> None:
    library("fastapi", FastAPI=App)
    module = load("HIL417/bad_chunks_as_server_sent_events")
    app = module.make_app(saver())
    with pytest.raises(TypeError, match="Interrupt is not JSON"):
        app.call("chat", "t", "hello")
    assert json.loads(app.call("answer", "t", "Rome"))["address"] == "Rome", "what does not pause can be written"


def test_ids_and_values_can_be_written(run: Run) -> None:
    assert json.loads(load("HIL417/good_ids_and_values").show(run.graph, {}, run.config))["waiting"][0]["question"] == "x?"
    assert json.loads(load("HIL417/good_value_of_the_first").show(run.graph, {}, run.config)) == "x?"
    assert json.loads(load("HIL417/good_encoder_with_a_default").show(run.graph, {}, run.config))["pauses"][0]["value"] == "x?"


def test_chunks_that_are_looked_at_first() -> None:
    module = load("HIL417/good_pauses_are_taken_out")
    run = Run(module.build(saver()))
    assert module.events(run.graph, "hello", run.config) == ['{"questions": ["Where should we deliver?"]}']


def test_chunks_of_several_modes_raise() -> None:
    module = load("HIL417/bad_chunks_of_several_modes")
    run = Run(module.build(saver()))
    with pytest.raises(TypeError, match="Interrupt is not JSON"):
        list(module.events(run.graph, "hello", run.config))
