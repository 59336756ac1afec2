"""HIL202: context managers, finally, decorators, retries and gathers that put something else in the place of the pause."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from support import Drafts, Http, Run, Script, calling, load, saver
from tenacity import RetryError

needs_groups = pytest.mark.skipif(sys.version_info < (3, 11), reason="asyncio.TaskGroup and except* are Python 3.11")


def test_suppress_asks_nobody() -> None:
    run = Run(load("HIL202/bad_suppress").build(saver())).start()
    assert (run.asked, run.values) == ([], {"nickname": "friend"})


def test_return_and_continue_in_finally_ask_nobody() -> None:
    run = Run(load("HIL202/bad_finally_that_leaves").build(saver())).start({"names": ["a", "b"]})
    assert (run.asked, run.values["first"], run.values["all"]) == ([], "nobody said anything", [])


def test_raise_in_finally_takes_the_place_of_the_pause_and_comes_with_each_answer() -> None:
    run = Run(load("HIL202/bad_finally_that_leaves").build_last(saver()))
    with pytest.raises(RuntimeError, match="not closed"):
        run.start({"names": []})
    with pytest.raises(RuntimeError, match="not closed"):
        run.answer("x")


def test_swallowing_managers_ask_nobody() -> None:
    run = Run(load("HIL202/bad_context_managers_that_swallow").build(saver())).start()
    assert (run.asked, run.values) == ([], {"size": "M", "color": "blue"})


def test_catching_decorator_makes_an_error_of_the_pause() -> None:
    run = Run(load("HIL202/bad_decorator_that_catches").build(saver())).start({"amount": 5})
    assert (run.asked, run.values["error"]) == ([], "decide: GraphInterrupt")


def test_tenacity_retries_the_pause_and_gives_up(http: Http) -> None:
    http.answer = lambda n, call: {"rate": "1"}
    run = Run(load("HIL202/bad_docs_tenacity_retry").build(saver()))
    with pytest.raises(RetryError):
        run.start({"pair": "p"})
    assert (run.asked, len(http.calls)) == ([], 3)


def test_tenacity_with_reraise_runs_the_body_three_times_for_each_pause(http: Http) -> None:
    http.answer = lambda n, call: {"rate": "1"}
    run = Run(load("HIL202/bad_docs_tenacity_retry").build_note(saver())).start({"pair": "p"})
    assert (len(run.asked), len(http.calls)) == (1, 3)
    assert run.answer("n").values["note"] == "n"


def test_tenacity_loops_give_up() -> None:
    module = load("HIL202/bad_tenacity_loop")
    with pytest.raises(RetryError):
        Run(module.build(saver())).start()
    with pytest.raises(RetryError):
        Run(module.build_async(saver()), aio=True).start()


def test_gather_hands_the_pause_back_as_a_value() -> None:
    run = Run(load("HIL202/bad_gather_return_exceptions").build(saver()), aio=True).start({"candidate": "c"})
    assert (run.asked, run.values["votes"]) == ([], ["GraphInterrupt", "c: 7"])


@needs_groups
@pytest.mark.parametrize("build", ["build", "build_anyio"])
def test_task_group_makes_an_error_of_the_pause(build: str) -> None:
    run = Run(getattr(load("HIL202/bad_task_group"), build)(saver()), aio=True)
    with pytest.raises(BaseExceptionGroup):  # noqa: F821
        run.start({"site": "s"})
    assert run.asked == []


def test_fallbacks_and_batch_swallow_and_retry_multiplies(capsys: pytest.CaptureFixture[str]) -> None:
    fallback, batch, retry = load("HIL202/bad_runnable_fallbacks_retry_batch").build_all(saver())
    assert Run(fallback).start({"text": "t"}).values["result"] == "[t]"
    assert Run(batch).start({"text": "t"}).values["result"] == "GraphInterrupt"
    capsys.readouterr()
    run = Run(retry).start({"text": "t"})
    assert capsys.readouterr().out.count("asking") == 3
    assert run.answer("x").values["result"] == "x"


def test_predicates_and_retry_policy_let_the_pause_through(http: Http) -> None:
    http.answer = lambda n, call: {"rate": "1"}
    run = Run(load("HIL202/good_retry_with_type_predicate").build(saver())).start({"pair": "p"})
    assert len(http.calls) == 1
    run.answer("2", "n", "ann")
    assert (run.values["rate"], run.values["note"], run.values["signed"]) == ("2", "n", "ann")


def test_wait_for_shield_and_to_thread_pass_the_pause_on() -> None:
    run = Run(load("HIL202/good_wait_for_shield_to_thread").build(saver()), aio=True).start().answer("a", "b", "c")
    assert run.values == {"name": "a", "number": "b", "note": "c"}


def test_honest_managers_pass_the_pause_on() -> None:
    run = Run(load("HIL202/good_narrow_suppress_and_honest_managers").build(saver())).start().answer("4", "red", "x")
    assert run.values == {"size": 4, "color": "red", "name": "x"}


@needs_groups
def test_gather_and_unpacked_group_pass_the_pause_on() -> None:
    run = Run(load("HIL202/good_gather_and_groups_that_let_it_through").build(saver()), aio=True).start({"candidate": "c"})
    run.answer("yes", "100")
    assert (run.values["vote"], run.values["salary"], run.values["scores"]) == ("yes", "100", ["a: 7", "b: 7"])


def test_decorators_that_pass_it_on() -> None:
    run = Run(load("HIL202/good_decorators_that_pass_it_on").build(saver())).start({"amount": 5}).answer("fine")
    assert run.values == {"amount": 5, "verdict": "fine"}


def test_runnables_that_pass_it_on() -> None:
    run = Run(load("HIL202/good_runnables_that_pass_it_on").build(Drafts(), Drafts(), saver())).start({"text": "t"})
    run.answer("T", "ok", "short")
    assert (run.values["result"], run.values["check"], run.values["summary"]) == ("T", "ok", "draft 1")


def test_finally_that_tidies_passes_the_pause_on() -> None:
    run = Run(load("HIL202/good_finally_that_cleans_up").build(saver())).start({"names": ["a", "secret"]}).answer("x")
    assert run.values["answer"] == "x"


def test_current_retry_middleware_lets_the_pause_through() -> None:
    model = Script(turns=[calling(("transfer", {"to": "x", "cents": 5}))])
    run = Run(load("HIL202/good_langchain_retry_middleware").build(model, saver())).start({"messages": [("user", "go")]})
    assert run.asked == [{"to": "x", "cents": 5}]
    assert run.answer("approve").values["messages"][-2].content == "transferred"


def test_backoff_calls_again_and_again(library: Any) -> None:
    def on_exception(wait: Any, kind: type[Exception], max_tries: int) -> Any:
        def decorate(fn: Any) -> Any:
            def wrapper(*args: Any) -> Any:
                for n in range(max_tries):
                    try:
                        return fn(*args)
                    except kind:
                        tries.append(n)
                        if n == max_tries - 1:
                            raise

            return wrapper

        return decorate

    from langgraph.graph import START, StateGraph

    tries: list[int] = []
    library("backoff", on_exception=on_exception)
    module = load("HIL202/bad_backoff")
    graph = StateGraph(dict).add_node("n", lambda s: module.fetch.invoke({"url": "u"})).add_edge(START, "n").compile(checkpointer=saver())
    Run(graph).start({"x": 1})
    assert len(tries) == 4, "the stand-in raises what it caught last, as backoff does: the pause survives, after four runs"
