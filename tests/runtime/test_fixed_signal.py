"""HIL201 and HIL202 mended: what --fix makes of the bad fixtures pauses on the real LangGraph, takes the answer, and treats real errors as before."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest
from support import Http, Run, Script, calling, load, saver


@pytest.mark.parametrize(("name", "given", "answers", "expected"), [
    ("HIL201/bad_docs_except_exception_prints", {}, ["ann"], {"name": "ann", "checked": True}),
    ("HIL201/bad_docs_bare_except", {"amount": 5}, ["yes"], {"amount": 5, "decision": "yes"}),
    ("HIL201/bad_docs_graph_interrupt_caught", {"title": "t"}, ["mon", "ann"], {"title": "t", "slot": "mon", "editor": "ann"}),
    ("HIL201/bad_docs_caller_of_a_helper", {"service": "s"}, ["yes"], {"service": "s", "status": "deployed"}),
    ("HIL201/bad_docs_nested_graph_invoked_in_try", {"customer": "c"}, ["P1"], {"customer": "c", "passport": "P1"}),
    ("HIL201/bad_raise_other_from", {"iban": "DE1"}, [" 77 "], {"iban": "DE1", "code": "77"}),
    ("HIL201/bad_isinstance_of_another_type", {"statement": "s"}, ["yes", "ann"], {"statement": "s", "ok": "yes", "who": "ann"}),
    ("HIL201/bad_next_question_gets_the_answer", {}, ["Rome", "Monday"], {"city": "Rome", "date": "Monday"}),
    ("HIL202/bad_decorator_that_catches", {"amount": 5}, ["fine"], {"amount": 5, "verdict": "fine"}),
    ("HIL202/bad_tenacity_loop", {}, ["1234"], {"pin": "1234"}),
])
def test_it_pauses_once_for_each_question_and_takes_the_answers(name: str, given: dict, answers: list, expected: dict) -> None:
    run = Run(load(f"{name}.fixed").build(saver())).start(given).answer(*answers)
    assert [len(asked) for asked in run.history] == [1] * len(answers) + [0]
    assert run.values == expected


def test_a_real_error_is_still_caught() -> None:
    run = Run(load("HIL201/bad_raise_other_from.fixed").build(saver())).start({"iban": "DE1"})
    with pytest.raises(RuntimeError, match="confirm_wire failed"):
        run.answer(5)  # has no strip()


def test_outer_handler(http: Http) -> None:
    http.answer = lambda n, call: {"level": 3}
    run = Run(load("HIL201/bad_outer_handler_swallows_what_the_inner_raised.fixed").build(saver())).start({"sku": "s"})
    assert [a["level"] for a in run.asked] == [3]
    assert run.answer("7").values == {"sku": "s", "count": 7}


def test_a_tool_under_a_base_exception_handler() -> None:
    model = Script(turns=[calling(("cancel_subscription", {"customer": "c"}))])
    run = Run(load("HIL201/bad_docs_base_exception.fixed").build(model, saver()), aio=True).start({"messages": [("user", "go")]})
    assert run.asked == [{"action": "cancel", "customer": "c"}]
    assert run.answer("yes").values["messages"][-2].content == "cancelled c"


def test_a_tool_that_is_invoked_in_a_node() -> None:
    run = Run(load("HIL201/bad_docs_tool_invoked_in_try.fixed").build(saver()))
    run.start({"messages": [calling(("ask_human", {"question": "?"}))]})
    assert len(run.asked) == 1
    assert not run.answer("blue").values["messages"][-1].content.startswith("Tool failed")


def test_middleware() -> None:
    model = Script(turns=[calling(("transfer", {"to": "x", "cents": 5}))])
    run = Run(load("HIL201/bad_wrap_tool_call_catches.fixed").build(model, saver())).start({"messages": [("user", "go")]})
    assert run.asked == [{"to": "x", "cents": 5}]
    assert run.answer("approve").values["messages"][-2].content == "transferred"


def test_a_task_in_an_entrypoint() -> None:
    run = Run(load("HIL201/bad_entrypoint_waits_for_task_in_try.fixed").make_flow(saver())).start("roof")
    assert len(run.asked) == 1
    assert run.answer("9").result == {"project": "roof", "budget": 9}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* is Python 3.11 syntax")
def test_except_star() -> None:
    run = Run(load("HIL201/bad_except_star.fixed").build(saver()), aio=True).start({"question": "?"})
    assert run.asked == ["?"]
    assert run.answer("yes").values["vote"] == "yes"


def test_tenacity(http: Http) -> None:
    http.answer = lambda n, call: {"rate": "1"}
    for build in ("build", "build_note"):
        http.calls.clear()
        run = Run(getattr(load("HIL202/bad_docs_tenacity_retry.fixed"), build)(saver())).start({"pair": "p"})
        assert (len(run.asked), len(http.calls)) == (1, 1), "the body runs once for a pause"
        assert "n" in run.answer("n").values.values()


def test_tenacity_loop_async() -> None:
    run = Run(load("HIL202/bad_tenacity_loop.fixed").build_async(saver()), aio=True).start()
    assert run.asked == ["PIN?"]
    assert run.answer("1").values == {"pin": "1"}


def test_backoff_is_told_to_give_up_at_once(library: Any) -> None:
    """The stand-in asks `giveup` as backoff 2.2 does: `if giveup(e) or …: raise` (with raise_on_giveup, which is the default)."""
    tries: list[int] = []

    def on_exception(wait: Any, types: Any, max_tries: int, giveup: Any = lambda e: False) -> Any:
        def decorate(fn: Any) -> Any:
            def wrapped(*args: Any) -> Any:
                for n in range(max_tries):
                    tries.append(n)
                    try:
                        return fn(*args)
                    except types as error:
                        if giveup(error) or n == max_tries - 1:
                            raise

            return wrapped

        return decorate

    library("backoff", on_exception=on_exception)
    from langgraph.errors import GraphInterrupt

    module = load("HIL202/bad_backoff.fixed")
    module.interrupt = lambda value: (_ for _ in ()).throw(GraphInterrupt(()))
    with pytest.raises(GraphInterrupt):
        module.fetch_with_consent("u")
    assert tries == [0]


@pytest.mark.parametrize("error", [KeyboardInterrupt, asyncio.CancelledError])
def test_why_not_retry_if_not_exception_type_alone(error: type[BaseException]) -> None:
    """By itself it would retry what tenacity lets through by default: Ctrl-C, a task that is cancelled."""
    from tenacity import RetryError, retry, retry_if_exception_type, retry_if_not_exception_type, stop_after_attempt

    from langgraph.errors import GraphBubbleUp

    tries: list[int] = []

    def work() -> None:
        tries.append(1)
        raise error

    with pytest.raises(error):
        retry(stop=stop_after_attempt(3))(work)()
    assert len(tries) == 1
    with pytest.raises(error):
        retry(stop=stop_after_attempt(3), retry=retry_if_exception_type() & retry_if_not_exception_type(GraphBubbleUp))(work)()
    assert len(tries) == 2
    with pytest.raises(RetryError):
        retry(stop=stop_after_attempt(3), retry=retry_if_not_exception_type(GraphBubbleUp))(work)()
    assert len(tries) == 5
