"""HIL405: one answer for several questions that wait at once raises."""

from __future__ import annotations

from typing import Any

import pytest
from support import App, Run, load, saver

CONFIG = {"configurable": {"thread_id": "t"}}


def test_one_verdict_for_two_reviewers_raises(library: Any) -> None:
    library("fastapi", FastAPI=App)
    app = load("HIL405/bad_two_reviewers_at_once").make_app(saver())
    assert len(app.call("start", "t")["__interrupt__"]) == 2
    with pytest.raises(RuntimeError, match="multiple pending interrupts"):
        app.call("verdict", "t", "fine")


def test_one_line_for_all_workers_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: "yes")
    module = load("HIL405/bad_workers_by_send")
    with pytest.raises(RuntimeError, match="multiple pending interrupts"):
        module.main(saver(), ["a", "b"], CONFIG)


def test_answers_by_id_arrive() -> None:
    out = load("HIL405/good_answered_by_id").run(saver(), CONFIG, lambda question: question.split()[0])
    assert sorted(out["votes"]) == ["finance:finance", "legal:legal"]


@pytest.mark.parametrize("name", ["good_one_branch_asks", "good_one_of_two_is_chosen", "good_one_after_the_other"])
def test_one_question_at_a_time_takes_one_answer(name: str) -> None:
    module = load(f"HIL405/{name}")
    run = Run(module.build(saver())).start({"amount": 5000})
    assert len(run.asked) == 1
    out = module.answer(run.graph, run.config, "fine")
    assert "fine" in (out.get("verdict"), out.get("legal"))


def test_counting_first_answers_both() -> None:
    module = load("HIL405/good_counts_them_first")
    run = Run(module.build(saver())).start({"votes": []})
    assert sorted(module.answer(run.graph, run.config, "ok")["votes"]) == ["finance:ok", "legal:ok"]
