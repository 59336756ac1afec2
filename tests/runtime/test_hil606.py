"""HIL606: an answer that is thrown away changes nothing."""

from __future__ import annotations

import pytest
from support import Http, Run, load, saver


def test_no_deletes_as_well(http: Http) -> None:
    for answer in ("yes", "no"):
        assert Run(load("HIL606/bad_asked_for_show").build(saver())).start({"names": ["a"]}).answer(answer).values["deleted"]
    assert len(http.calls) == 2


def test_reject_is_logged_and_goes_on() -> None:
    run = Run(load("HIL606/bad_only_logged").build(saver())).start({"subject": "s"}).answer({"type": "ignore"}, "reject")
    assert run.values["done"] is True


def test_answer_of_the_helper_is_lost() -> None:
    assert Run(load("HIL606/bad_answer_of_a_helper").build(saver())).start({"version": "2"}).answer("reject").values["deployed"]


def test_waiting_goes_on_when_told() -> None:
    run = Run(load("HIL606/good_waits_until_told").build(saver())).start({"serial": "1"}).answer("ok", "ok")
    assert run.done and run.values["ready"]


def test_kept_answer_decides() -> None:
    assert "published" not in Run(load("HIL606/good_kept_in_the_state").build(saver())).start({"text": "t"}).answer("no").values
    assert Run(load("HIL606/good_kept_in_the_state").build(saver())).start({"text": "t"}).answer("yes").values["published"]


def test_helper_that_raises_decides() -> None:
    assert Run(load("HIL606/good_helper_decides").build(saver())).start({"version": "2"}).answer("no").values["deployed"] is False


def test_answers_used_in_place() -> None:
    run = Run(load("HIL606/good_used_in_place").build(saver())).start({}).answer("n", "Ann", "informal")
    assert (run.values["greeting"], run.values["notes"]) == ("Hi Ann", ["n"])


@pytest.mark.parametrize("ok", [True, False])
def test_yes_and_no_that_are_sent_do_the_same(ok: bool) -> None:
    module = load("HIL606/bad_yes_and_no_are_sent")
    run = Run(module.build(saver())).start({"steps": ["a"]})
    assert module.decide(run.graph, run.config, ok)["started"]
