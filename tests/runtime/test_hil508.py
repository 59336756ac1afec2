"""HIL508: one approval in the state, three commands."""

from __future__ import annotations

import pytest
from support import Mail, Run, Shell, load, saver


def test_one_yes_runs_the_whole_queue(shell: Shell) -> None:
    run = Run(load("HIL508/bad_first_yes_counts_for_the_queue").build(saver())).start({"queue": ["ls", "rm -rf data", "reboot"]})
    assert run.asked == [{"command": "ls"}]
    run.answer("approve")
    assert run.done and shell.ran == ["sh -c ls", "sh -c rm -rf data", "sh -c reboot"]
    assert run.history == [[{"command": "ls"}], []]


def test_router_sends_every_later_draft_past_the_question(mail: Mail) -> None:
    run = Run(load("HIL508/bad_router_that_remembers_the_yes").build(saver())).start({"people": ["ann", "bob", "eve"]})
    assert [q["to"] for q in run.asked] == ["ann"]
    assert run.answer("yes").done and [to for to, _ in mail.sent] == ["ann", "bob", "eve"]


@pytest.mark.parametrize("name", ["good_set_back_by_the_node_that_acts", "good_asked_in_every_round"])
def test_each_command_is_asked_for(name: str, shell: Shell) -> None:
    run = Run(load(f"HIL508/{name}").build(saver())).start({"queue": ["ls", "rm -rf data"]}).answer("approve")
    assert run.asked == [{"command": "rm -rf data"}] and shell.ran == ["sh -c ls"]
    assert run.answer("reject").done and shell.ran == ["sh -c ls"]


def test_new_draft_is_asked_for(mail: Mail) -> None:
    run = Run(load("HIL508/good_new_draft_takes_the_yes_back").build(saver())).start({"people": ["ann", "bob"]}).answer("yes")
    assert [q["to"] for q in run.asked] == ["bob"] and [to for to, _ in mail.sent] == ["ann"]


def test_what_is_meant_to_stand_stands(shell: Shell) -> None:
    run = Run(load("HIL508/good_whole_list_approved_at_once").build(saver())).start({"steps": ["ls", "pwd"]})
    assert run.asked == [{"commands": ["ls", "pwd"]}], "every command is shown before the first one runs"
    assert run.answer("approve").done and len(shell.ran) == 2
    run = Run(load("HIL508/good_always_means_always").build(saver())).start({"queue": ["ls", "pwd", "id"]}).answer("yes")
    assert run.asked and run.answer("always").done and len(shell.ran) == 5
