"""HIL603: words and numbers become True where the schema of an answer says bool; StrictBool and its like refuse them and the question still waits."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.graph import START, StateGraph
from pydantic import ValidationError
from support import Run, load, saver


def run_of(name: str, node: str) -> Run:
    return Run(StateGraph(dict).add_node("n", getattr(load(name), node)).add_edge(START, "n").compile(checkpointer=saver()))


BAD = [
    ("HIL603/bad_other_kinds_of_schema", "decide", lambda x: {"approved": x, "reason": ""}),
    ("HIL603/bad_other_kinds_of_schema", "consent", lambda x: {"given": x}),
    ("HIL603/bad_other_kinds_of_schema", "vote", lambda x: {"yes": x}),
    ("HIL603/bad_other_kinds_of_schema", "plain", lambda x: x),
    ("HIL603/bad_schema_of_a_helper", "refund", lambda x: {"cents": 1, "confirmed": x}),
]
STRICT = [
    *(("HIL603/good_strict_bools", node, field) for node, field in (("review", "approved"), ("confirm", "confirmed"), ("release", "go"), ("rollback", "go"), ("deploy", "go"))),
    ("HIL603/good_validator_sees_the_answer_first", "review", "approved"), ("HIL603/good_validator_sees_the_answer_first", "vote", "yes"),
]


@pytest.mark.parametrize(("name", "node", "answer"), BAD, ids=lambda x: x if isinstance(x, str) else "")
def test_words_become_true(name: str, node: str, answer: Any) -> None:
    for said, taken in (("yes", True), ("on", True), ("y", True), (1, True), ("no", False), (0, False)):
        run = run_of(name, node).start({}).answer(answer(said))
        assert run.values["ok"] is taken, said
    run = run_of(name, node).start({})
    with pytest.raises(ValidationError):
        run.answer(answer("nope"))


def test_fields_of_the_official_model() -> None:
    module = load("HIL603/bad_approved_is_a_bool")
    run = Run(module.build(saver())).start({"text": "x"}).answer({"approved": "y", "urgent": "on", "lines": [{"text": "a", "keep": 1}]})
    assert run.values["approved"] is True


@pytest.mark.parametrize(("name", "node", "field"), STRICT, ids=lambda x: x if isinstance(x, str) else "")
def test_strict_ones_refuse_words(name: str, node: str, field: str) -> None:
    rest = {"go": True} if node == "deploy" else {}
    run = run_of(name, node).start({})
    for said in ("yes", 1, "no"):
        with pytest.raises(ValidationError):
            run.answer({**rest, field: said})
        assert len(run.asked) == 1, "it still waits"
    assert run.answer({**rest, field: True}).values["ok"] is True


def test_literals_and_words_beside_a_bool() -> None:
    name = "HIL603/good_words_of_a_literal"
    run = run_of(name, "review").start({})
    with pytest.raises(ValidationError):
        run.answer({"decision": "yes"})
    assert run.answer({"decision": "approve"}).values["ok"] is True
    assert run_of(name, "vote").start({}).answer({"choice": "approve", "also": "yes"}).values["ok"] is True


def test_a_json_schema_checks_nothing() -> None:
    run = Run(StateGraph(dict).add_node("n", load("HIL603/good_bools_of_other_models").review).add_edge(START, "n").compile(checkpointer=saver())).start({})
    assert run.answer({"approved": "yes"}).values["approved"] is False, "the node compares for itself"
