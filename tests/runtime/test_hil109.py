"""HIL109: a key of the state argument that is set before the pause is not there while the graph waits."""

from __future__ import annotations

from support import Run, load, saver


def test_stage_is_lost_while_waiting_and_for_good() -> None:
    run = Run(load("HIL109/bad_stage_marked_before_pause").build(saver())).start({"stage": 0})
    assert run.values["stage"] == 0
    assert run.answer("ann").values == {"stage": 0, "name": "ann"}


def test_dashboard_never_sees_the_status() -> None:
    run = Run(load("HIL109/bad_status_for_the_screen").build(saver()), aio=True).start({"name": "j"})
    assert run.values.get("status", "new") == "new"
    assert run.answer("eve").values.get("status", "new") == "new"


def test_update_is_lost() -> None:
    run = Run(load("HIL109/bad_update_of_state").build(saver())).start({"items": ["a"]})
    assert "count" not in run.values
    assert "count" not in run.answer("Rome").values


def test_value_that_is_returned_as_well_arrives() -> None:
    run = Run(load("HIL109/good_returned_with_that_value").build(saver())).start({"items": ["a"]}).answer("Rome")
    assert run.values["count"] == 1


def test_state_returned_whole_keeps_the_write() -> None:
    run = Run(load("HIL109/good_whole_state_returned").build(saver())).start({"items": ["a"]}).answer("Rome")
    assert (run.values["count"], run.values["address"]) == (1, "Rome")


def test_write_after_the_pause_arrives() -> None:
    graph = load("HIL109/good_assigned_after_the_pause").build(saver())
    assert Run(graph).start().answer("ann").values == {"stage": 1, "name": "ann"}
    assert Run(graph).start({"name": "bo"}).values == {"stage": 2, "name": "bo"}


def test_other_dicts_are_no_state() -> None:
    run = Run(load("HIL109/good_a_dict_that_is_not_the_state").build(saver())).start({"title": "t"}).answer("ann")
    assert run.values == {"title": "t", "owner": "ann"}
