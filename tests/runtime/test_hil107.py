"""HIL107: the pause of one tool makes the other tools of the message run again, where they share a task."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support import Http, Mail, Run, Script, calling, load, saver

BOTH = calling(("charge_deposit", {"customer": "c"}), ("ask_manager", {"question": "?"}))


def contents(run: Run) -> list[str]:
    return [m.content for m in run.values["messages"] if m.type == "tool"]


def test_deposit_is_charged_again_with_the_answer(http: Http) -> None:
    run = Run(load("HIL107/bad_deposit_beside_question").build(saver())).start({"messages": [BOTH]})
    assert run.asked == [{"question": "?"}]
    run.answer("fine")
    assert (contents(run), len(http.urls())) == (["charged", "fine"], 2)


def test_second_question_makes_the_first_tool_act_twice(http: Http) -> None:
    run = Run(load("HIL107/bad_two_gated_tools_act_after_their_answers").build(saver()))
    run.start({"messages": [calling(("refund", {"order": "1"}), ("ship", {"order": "1"}))]}).answer("yes", "yes")
    assert run.done
    assert len(http.urls()) == 3


@pytest.mark.filterwarnings("ignore")
def test_version_one_sends_the_invitation_twice(mail: Mail) -> None:
    model = Script(turns=[calling(("invite", {"person": "ann"}), ("choose_date", {"options": "1, 2"}))])
    run = Run(load("HIL107/bad_react_agent_version_one").build(model, saver())).start({"messages": [("user", "go")]}).answer("1")
    assert (contents(run), len(mail.sent)) == (["invited", "1"], 2)


def test_gated_tool_called_twice_transfers_three_times(http: Http) -> None:
    run = Run(load("HIL107/bad_one_gated_tool_called_twice").build(saver()))
    run.start({"messages": [calling(("transfer", {"to": "a"}), ("transfer", {"to": "b"}))]}).answer("yes", "yes")
    assert run.done
    assert len(http.urls()) == 3


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "agent"), [
    ("good_one_task_per_call", False), ("good_create_agent", True), ("good_react_agent_version_two", True)])
def test_a_task_for_each_call_charges_once(http: Http, name: str, agent: bool) -> None:
    made: Any = load(f"HIL107/{name}").build
    run = Run(made(Script(turns=[BOTH]), saver()) if agent else made(saver()))
    run.start({"messages": [("user", "go")] if agent else [BOTH]})
    assert run.asked == [{"question": "?"}]
    run.answer("fine")
    assert (sorted(contents(run)), len(http.urls())) == (["charged", "fine"], 1)


def test_one_tool_at_a_time_charges_once(http: Http) -> None:
    model = Script(turns=[calling(("charge_deposit", {"customer": "c"})), calling(("ask_manager", {"question": "?"}))])
    run = Run(load("HIL107/good_one_tool_at_a_time").build(model, saver())).start({"messages": [("user", "go")]}).answer("fine")
    assert (contents(run), len(http.urls())) == (["charged", "fine"], 1)


def test_note_that_was_corrected_is_overwritten_with_the_answer(work_dir: Path) -> None:
    asked = calling(("save_note", {"name": "note.txt", "text": "old"}), ("ask_manager", {"question": "?"}))
    run = Run(load("HIL107/bad_note_overwritten_beside_question").build(saver())).start({"messages": [asked]})
    Path("note.txt").write_text("better")
    run.answer("fine")
    assert (contents(run), Path("note.txt").read_text()) == (["saved", "fine"], "old")
