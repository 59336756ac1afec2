"""HIL204: a pause on another thread or in a task that nobody awaits never reaches the graph."""

from __future__ import annotations

import threading

import pytest
from support import Run, load, saver


@pytest.mark.parametrize("which", [0, 1], ids=["map", "submit"])
def test_pool_has_no_context(which: int) -> None:
    graph = load("HIL204/bad_pool_map_and_submit").build_all(saver())[which]
    run = Run(graph)
    with pytest.raises(RuntimeError, match="outside of a runnable context"):
        run.start({"names": ["db1", "w1"]})
    assert run.asked == []


def test_thread_keeps_its_error_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    lost: list[type] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: lost.append(args.exc_type))
    run = Run(load("HIL204/bad_plain_thread").build(saver())).start({"to": "x"})
    assert (run.asked, run.done, run.values["released"], lost) == ([], True, False, [RuntimeError])


@pytest.mark.parametrize("which", [0, 1], ids=["create_task", "ensure_future"])
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_forgotten_task_publishes_without_an_answer(which: int) -> None:
    run = Run(load("HIL204/bad_task_never_awaited").build_all(saver())[which], aio=True).start({"text": "t"})
    assert (run.asked, run.done) == ([], True)
    assert run.values["status"].startswith("published")


def test_executor_of_the_loop_has_no_context() -> None:
    run = Run(load("HIL204/bad_run_in_executor").build(saver()), aio=True)
    with pytest.raises(RuntimeError, match="outside of a runnable context"):
        run.start({"page": "1"})


def test_dropped_future_drops_the_pause() -> None:
    run = Run(load("HIL204/bad_future_dropped").build(saver())).start({"contract": "c"})
    assert (run.asked, run.done, run.values["sent"]) == ([], True, True)


def test_awaited_tasks_pass_the_pause_on() -> None:
    run = Run(load("HIL204/good_task_that_is_awaited").build(saver()), aio=True).start({"text": "a b"}).answer("yes", "ann", "noon")
    assert (run.values["status"], run.values["editor"], run.values["slot"]) == ("yes (2 words)", "ann", "noon")


def test_to_thread_and_asyncio_run_carry_the_context() -> None:
    module = load("HIL204/good_to_thread")
    assert Run(module.build(saver()), aio=True).start({"page": "1"}).answer("abc").values["text"] == "abc"
    assert Run(module.build_title(saver())).start({"page": "1"}).answer("T").values["title"] == "T"


def test_copied_context_carries_the_pause() -> None:
    run = Run(load("HIL204/good_copied_context").build(saver())).start({"contract": "c"}).answer("ann", "bo")
    assert (run.values["signature"], run.values["witness"]) == ("ann", "bo")


def test_threads_that_do_not_pause_do_no_harm() -> None:
    run = Run(load("HIL204/good_threads_that_do_not_pause").build(saver())).start({"names": ["a", "bb"]}).answer("go")
    assert run.values["verdict"] == "go"


def test_interrupt_handed_to_a_pool_asks_nobody() -> None:
    run = Run(load("HIL204/bad_interrupt_handed_to_a_pool").build(saver())).start({"names": ["db1"]})
    assert (run.asked, run.done) == ([], True)
    assert "outside of a runnable context" in run.values["answers"][0]
