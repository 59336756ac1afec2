"""HIL704: with a review at each tool call, what is listed before the review is around it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import ValidationError
from support import Run, Script, calling, load, saver

YES = {"type": "approve"}


def start(module: Any) -> Run:
    model = Script(turns=[calling(("book", {"room": "12"}))])
    run = Run(module.build(model, saver())).start({"messages": [("user", "go")]})
    assert len(run.asked) == 1
    return run


def results(run: Run) -> list[str]:
    return [m.content for m in run.values["messages"] if m.type == "tool"]


@pytest.mark.parametrize("name", ["bad_retry_around_the_review", "bad_hook_tries_again"])
def test_the_human_is_asked_again_after_a_failure(name: str) -> None:
    module = load(f"HIL704/{name}")
    run = start(module).answer(YES)
    assert len(run.asked) == 1 and module.CALLS == ["12"]
    assert results(run.answer(YES)) == ["booked 12"]


def test_inside_the_review_the_retry_asks_nobody() -> None:
    for name in ("good_review_first", "bad_retry_around_the_review.fixed"):
        module = load(f"HIL704/{name}")
        assert results(start(module).answer(YES)) == ["booked 12"] and module.CALLS == ["12", "12"]


def test_a_mistyped_answer_becomes_an_error_of_the_tool() -> None:
    module = load("HIL704/bad_error_text_around_the_review")
    run = start(module).answer({"type": "yes"})
    assert run.done and "book failed" in results(run)[0] and module.CALLS == ["earlier"]


@pytest.mark.parametrize("name", ["good_handler_of_one_error", "bad_error_text_around_the_review.fixed"])
def test_a_mistyped_answer_can_be_given_again(name: str) -> None:
    run = start(load(f"HIL704/{name}"))
    with pytest.raises(ValidationError):
        run.answer({"type": "yes"})
    assert results(run.answer(YES)) == ["booked 12"]


def test_in_batched_mode_the_order_does_not_matter() -> None:
    module = load("HIL704/good_one_pause_for_a_message")
    assert results(start(module).answer({"decisions": [YES]})) == ["booked 12"]


def test_a_retry_of_another_tool_does_not_matter() -> None:
    assert results(start(load("HIL704/good_retry_of_another_tool")).answer(YES)) == ["booked 12"]


def erased(name: str, **fakes: Any) -> tuple[Run, list[str]]:
    module = load(name)
    for key, fake in fakes.items():
        setattr(module, key, fake)
    run = Run(module.build(Script(turns=[calling(("wipe_disk", {"host": "a"}))]), saver())).start({"messages": [("user", "go")]})
    return run, results(run)


def test_what_stands_in_a_hook_around_the_review_is_done_twice() -> None:
    """HIL101 in a hook, and HIL201 where the hook takes the pause for an error."""
    for name, times in (("bad_hook_around_a_review_of_each_call", 2), ("good_hook_inside_a_review_of_each_call", 1)):
        sent: list[str] = []
        run, _ = erased(f"HIL101/{name}", requests=SimpleNamespace(post=lambda url, json: sent.append(url)))
        assert results(run.answer(YES)) == ["a erased"] and len(sent) == times
    run, said = erased("HIL201/bad_hook_catches_a_review_of_each_call")
    assert run.asked == [] and "failed" in said[0]


def test_a_review_of_our_own_asks_again_too() -> None:
    module = load("HIL704/bad_own_review_behind_a_retry")
    run = start(module).answer("yes")
    assert len(run.asked) == 1 and module.CALLS == ["12"]
    assert results(run.answer("yes")) == ["booked 12"]
    module = load("HIL704/bad_own_review_behind_a_retry.fixed")
    assert results(start(module).answer("yes")) == ["booked 12"] and module.CALLS == ["12", "12"]
