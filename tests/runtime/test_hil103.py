"""HIL103: a clock, dice or uuid read above a pause has another value in the activation that goes on."""

from __future__ import annotations

import itertools
from datetime import datetime, timedelta, timezone
from types import SimpleNamespace
from unittest import mock

from support import Http, Mail, Run, load, saver

NOON = datetime(2025, 5, 5, 12, tzinfo=timezone.utc)


def test_request_is_stamped_with_the_time_of_the_answer() -> None:
    module = load("HIL103/bad_requested_at_gets_the_time_of_the_answer")
    hours = itertools.count()
    module.datetime = mock.Mock(now=lambda tz: NOON + timedelta(hours=next(hours)))
    run = Run(module.build(saver())).start({"who": "ann"}).answer("grant")
    assert run.values["requested_at"] == "2025-05-05T13:00:00+00:00"


def test_waiting_time_leaves_out_the_waiting() -> None:
    module = load("HIL103/bad_waiting_time_is_always_zero")
    clock = iter([0.0, 3600.0, 3600.5])
    module.time = SimpleNamespace(monotonic=lambda: next(clock))
    run = Run(module.make_flow(saver()), aio=True).start({"id": 1}).answer("x")
    assert run.result == {"answer": "x", "waited": 0.5}


def test_mailed_token_is_not_the_one_reserved_first(mail: Mail) -> None:
    module = load("HIL103/bad_token_through_helper")
    Run(module.build(saver())).start({"to": "a@x"}).answer("send")
    first, second = module.REGISTRY
    assert mail.sent[0][1].endswith(second) and first != second


def test_variant_changes_while_waiting() -> None:
    module = load("HIL103/bad_coin_decides_what_happens_afterwards")
    module.random = SimpleNamespace(random=iter([0.1, 0.9]).__next__)
    run = Run(module.build(saver())).start({"customer": "c"}).answer("hi")
    assert run.values["variant"] == "B", "drawn as A when the question was asked"


def test_folder_between_two_questions_changes() -> None:
    module = load("HIL103/bad_uuid_between_two_questions")
    numbers = itertools.count(1)
    module.uuid4 = lambda: next(numbers)
    run = Run(module.build(saver())).start().answer("t", "3")
    assert run.values["folder"] == "scans/t-2"


def test_payload_only_value_changes_nothing() -> None:
    run = Run(load("HIL103/good_only_in_payload_or_log").build(saver())).start({"who": "ann"}).answer("grant")
    assert run.values == {"who": "ann", "verdict": "grant"}


def test_values_of_an_earlier_node_and_of_a_task_are_kept() -> None:
    module = load("HIL103/good_made_in_earlier_node_or_task")
    module.random = SimpleNamespace(randrange=mock.Mock(side_effect=[11, 22]))
    module.time = SimpleNamespace(time=mock.Mock(side_effect=[1.0, 2.0]))
    run = Run(module.build(saver())).start({"who": "ann"}).answer("grant")
    assert (run.values["requested_at"], run.values["number"]) == (1.0, 11)


def test_value_made_after_the_answer_is_made_once() -> None:
    module = load("HIL103/good_made_after_the_last_pause")
    module.uuid = SimpleNamespace(uuid4=mock.Mock(side_effect=["one", "two"]))
    run = Run(module.build(saver())).start({"who": "ann"}).answer("grant")
    assert run.values["number"] == "one"


def test_values_from_state_are_the_same_in_both_activations() -> None:
    run = Run(load("HIL103/good_same_in_every_activation").build(saver())).start({"since": "2025-01-01", "tags": ["b", "a", "b"]})
    shown = run.asked[0]["due"]
    values = run.answer("n").values
    assert values["due"].startswith(shown[:10]) and values["label"] == "a/b"


def test_reads_keep_what_they_read(http: Http) -> None:
    run = Run(load("HIL103/good_read_of_file_and_environment").build(saver())).start({"slug": "s"}).answer("ann")
    assert run.values["editor"] == "ann"


def test_answer_takes_the_place_of_the_drawn_value() -> None:
    run = Run(load("HIL103/good_replaced_before_it_is_used").build(saver())).start({"members": ["a", "b"]}).answer("b")
    assert run.values["leader"] == "b"


def test_generator_seeded_from_the_state_draws_the_same_number_again() -> None:
    run = Run(load("HIL103/good_generator_seeded_from_state").build(saver())).start({"seed": 7})
    asked = run.asked[0]["question"]
    assert run.answer("a").values["question"] == asked
