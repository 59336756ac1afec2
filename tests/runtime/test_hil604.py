"""HIL604: the truth of an answer decides, and every text is true."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import Http, Run, load, saver


@pytest.mark.parametrize("answer", ["no", "false", {"approved": False}, {"type": "reject"}])
def test_no_pays(http: Http, answer: object) -> None:
    run = Run(load("HIL604/bad_no_is_true").build(saver())).start({"to": "x"}).answer(answer)
    assert run.values["paid"] is True and len(http.calls) == 1


def test_cancel_removes(tmp_path: Path) -> None:
    folder = tmp_path / "f"
    folder.mkdir()
    run = Run(load("HIL604/bad_router_tests_the_kept_answer").build(saver())).start({"folder": str(folder)}).answer("cancel")
    assert run.values["removed"] and not folder.exists()


def test_docs_pattern_takes_any_text_for_a_yes() -> None:
    statuses = [Run(load("HIL604/bad_docs_approve_or_reject").build(saver())).start({"details": "d"}).answer(a).values["status"] for a in (True, False, "no")]
    assert statuses == ["approved", "rejected", "approved"]


def test_comparison_rejects_no(http: Http) -> None:
    run = Run(load("HIL604/good_compared_or_checked").build(saver())).start({"to": "x"}).answer("no")
    assert run.values["paid"] is False
    with pytest.raises(ValueError):
        run.answer("no")
    assert http.calls == []


def test_empty_text_changes_nothing() -> None:
    run = Run(load("HIL604/good_empty_text_means_no_change").build(saver())).start({"text": "t"}).answer(" ", "fine")
    assert (run.values["final"], run.values["notes"]) == ("t", ["fine"])


def test_strict_bool_refuses_words(http: Http) -> None:
    run = Run(load("HIL604/good_validated_bool").build(saver())).start({"to": "x"})
    with pytest.raises(Exception, match="validation error"):
        run.answer({"approved": "no"})
    assert http.calls == [] and run.answer({"approved": False}).values["paid"] is False


def test_empty_answer_asks_again_and_no_is_no(http: Http) -> None:
    run = Run(load("HIL604/good_emptiness_first_then_the_word").build(saver())).start({"to": "x"}).answer("", "no")
    assert run.values["paid"] is False and http.calls == []
