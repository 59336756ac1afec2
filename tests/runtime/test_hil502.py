"""HIL502: a question that was asked before a restart is gone after it."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver
from support import App, Run, Script, calling, load


def test_restart_loses_the_question_and_the_answer_begins_an_empty_run(library: Any) -> None:
    library("fastapi")
    before = Run(load("HIL502/bad_endpoint_over_memory").build()).start({"cents": 5})
    assert before.asked == [{"claim": 5}]
    after = Run(load("HIL502/bad_endpoint_over_memory").build())
    after.config = before.config
    assert after.asked == []
    with pytest.raises(KeyError, match="cents"):  # the node runs without its state
        after.answer("pay")


@pytest.mark.filterwarnings("ignore")
def test_second_worker_does_not_know_what_the_first_one_asked(library: Any) -> None:
    library("chainlit")
    module = load("HIL502/bad_assistant_made_when_it_is_needed")
    model: Any = Script(turns=[calling(("order", {"item": "pen"}))])
    config = {"configurable": {"thread_id": "t"}}
    first, second = module.Assistant(model), module.Assistant(model)
    first.ready().invoke({"messages": [("user", "a pen")]}, config)
    assert [i.value for i in first.ready().get_state(config).interrupts] == [{"order": "pen"}]
    assert second.ready().get_state(config).interrupts == ()


def test_database_keeps_the_question(tmp_path: Path, library: Any) -> None:
    library("fastapi", FastAPI=App)
    module = load("HIL502/good_saver_comes_from_the_lifespan")
    file = str(tmp_path / "claims.db")
    with sqlite3.connect(file, check_same_thread=False) as one:
        module.make_app(SqliteSaver(one)).call("open_claim", "c1", 5)
    with sqlite3.connect(file, check_same_thread=False) as other:
        assert module.make_app(SqliteSaver(other)).call("decide", "c1", "pay")["verdict"] == "pay"


def test_question_at_the_terminal_is_answered_by_the_process_that_asked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    module = load("HIL502/good_question_at_the_terminal")
    monkeypatch.setattr("builtins.input", lambda _: "Notes")
    module.main("…")
    assert "Notes" in capsys.readouterr().out
