"""HIL408: an id belongs to one question; the first one of a task also answers its next."""

from __future__ import annotations

import pytest
from support import Run, load, questions


@pytest.fixture
def run() -> Run:
    return Run(questions("x", "y"))


def thread(run: Run) -> str:
    return run.config["configurable"]["thread_id"]


def test_second_click_answers_the_next_question(run: Run) -> None:
    cards = load("HIL408/bad_card_remembers_its_question").Cards(run.graph)
    cards.start(thread(run), {})
    cards.click(thread(run), "approve")
    assert cards.click(thread(run), "approve") == {"x": "approve", "y": "approve"}


def test_same_id_answers_what_it_was_not_given_for(run: Run) -> None:
    assert load("HIL408/bad_same_id_for_two_answers").answer_both(run.graph, run.config, "a", "b") == {"x": "a", "y": "b"}


def test_id_from_a_log_answers_nobody(run: Run) -> None:
    run.start({})
    load("HIL408/bad_id_from_a_log").unblock(run.graph, thread(run))
    assert run.asked == ["x?"]


def test_card_with_its_id_is_refused_the_second_time(run: Run) -> None:
    cards = load("HIL408/good_card_carries_its_id").Cards(run.graph)
    first, = cards.start(thread(run), {})
    cards.click(thread(run), first, "approve")
    with pytest.raises(LookupError):
        cards.click(thread(run), first, "approve")
    assert run.asked == ["y?"]


def test_taken_away_is_not_used_twice(run: Run) -> None:
    cards = load("HIL408/good_taken_away_by_the_first_click").Cards(run.graph)
    cards.start(thread(run), {})
    cards.click(thread(run), "approve")
    with pytest.raises(KeyError):
        cards.click(thread(run), "approve")


def test_the_latest_id_answers_what_waits(run: Run) -> None:
    cards = load("HIL408/good_stored_after_every_run").Cards(run.graph)
    cards.start(thread(run), {})
    cards.click(thread(run), "a")
    assert cards.click(thread(run), "b") == {"x": "a", "y": "b"}
    other = Run(questions("x", "y"))
    assert load("HIL408/good_read_before_each_answer").answer_both(other.graph, other.config, "a", "b") == {"x": "a", "y": "b"}


def test_digest_inside_an_answer_is_delivered(run: Run) -> None:
    run.start({})
    load("HIL408/good_digest_that_is_no_id").confirm(run.graph, thread(run))
    assert run.asked == ["y?"]
