"""HIL206: a cache keeps the first answer, and whoever comes next is not asked."""

from __future__ import annotations

import pytest
from support import Run, load, saver


@pytest.mark.parametrize("build", ["build", "build_once"])
def test_second_user_is_not_asked(build: str) -> None:
    graph = getattr(load("HIL206/bad_lru_cache"), build)(saver())
    assert Run(graph).start({"user": "ann", "action": "delete"}).answer("ann says yes").values["ok"] == "ann says yes"
    second = Run(graph).start({"user": "bo", "action": "delete"})
    assert (second.history, second.values["ok"]) == ([[]], "ann says yes")
    assert len(Run(graph).start({"user": "bo", "action": "create"}).asked) == 1


@pytest.mark.parametrize("make", ["build", "make_flow"])
def test_second_thread_is_not_asked(make: str) -> None:
    graph = getattr(load("HIL206/bad_cache_policy"), make)(saver())
    first = Run(graph).start({"amount": 5}).answer("granted")
    assert first.result["verdict"] == "granted"
    second = Run(graph).start({"amount": 5})
    assert (second.asked, second.result["verdict"]) == ([], "granted")


def test_policy_without_a_cache_does_nothing() -> None:
    graph = load("HIL206/bad_policy_without_a_cache").build(saver())
    Run(graph).start({"amount": 5}).answer("granted")
    assert len(Run(graph).start({"amount": 5}).asked) == 1


def test_defaults_and_entrypoints_cache_too() -> None:
    from langgraph.cache.memory import InMemoryCache
    from langgraph.func import entrypoint
    from langgraph.graph import START, StateGraph
    from langgraph.types import CachePolicy, interrupt

    module = load("HIL206/bad_cache_policy")
    builder = StateGraph(module.Claim)
    builder.set_node_defaults(cache_policy=CachePolicy())

    @entrypoint(checkpointer=saver(), cache=InMemoryCache(), cache_policy=CachePolicy())
    def flow(claim: dict) -> dict:
        return {"verdict": interrupt("?")}

    for graph in (builder.add_node("judge", module.judge).add_edge(START, "judge").compile(checkpointer=saver(), cache=InMemoryCache()), flow):
        Run(graph).start({"amount": 5}).answer("granted")
        assert Run(graph).start({"amount": 5}).asked == []


def test_resume_cannot_await_the_kept_coroutine() -> None:
    run = Run(load("HIL206/bad_async_lru_cache").build(saver()), aio=True).start({"action": "a"})
    with pytest.raises(RuntimeError, match="already awaited"):
        run.answer("yes")


@pytest.mark.parametrize(("name", "given"), [("good_cached_work_behind_the_question", {"action": "a_b"}), ("good_cache_policy_on_another_node", {"amount": 50})])
def test_cached_work_does_not_keep_anybody_from_being_asked(name: str, given: dict) -> None:
    graph = load(f"HIL206/{name}").build(saver())
    for answer in ("yes", "no"):
        assert answer in Run(graph).start(given).answer(answer).values.values()


@pytest.mark.parametrize("build", ["build", "build_again"])
def test_key_with_the_thread_asks_everybody(build: str) -> None:
    graph = getattr(load("HIL206/good_key_tells_threads_apart"), build)(saver())
    for answer in ("yes", "no"):
        assert Run(graph).start({"ticket": answer, "amount": 5}).answer(answer).values["verdict"] == answer


def test_cache_of_one_activation_concerns_nobody_else() -> None:
    graph = load("HIL206/good_cache_of_one_activation").build(saver())
    for answer in ("x", "y"):
        run = Run(graph).start({"names": ["a", "b"]}).answer(answer)
        assert run.values["kinds"] == [answer, answer]
