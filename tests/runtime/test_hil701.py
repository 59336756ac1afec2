"""HIL701: the `when` predicate is asked again with the answer; a False then means that the tool runs, whatever the reviewer said."""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from support import App, Run, Script, calling, load, saver

NO = {"decisions": [{"type": "reject", "message": "no"}]}


def deep_agent(*, model: Any, tools: Any, checkpointer: Any, interrupt_on: Any) -> Any:
    """What deepagents does with its `interrupt_on`: it hands it to the middleware."""
    return create_agent(model, tools=tools, checkpointer=checkpointer, middleware=[HumanInTheLoopMiddleware(interrupt_on=interrupt_on)])


def start(module: Any, tool: str = "wipe_disk", **args: Any) -> Run:
    model = Script(turns=[calling((tool, args or {"host": "prod-1"}))])
    run = Run(module.build(model, saver())).start({"messages": [("user", "go")]})
    assert len(run.asked) == 1
    return run


def results(run: Run) -> list[str]:
    return [m.content for m in run.values["messages"] if m.type == "tool"]


class Clock(datetime):
    hours = iter((2, 10))

    @classmethod
    def now(cls, tz: Any = None) -> datetime:
        return datetime(2025, 3, 3, next(cls.hours))


def test_a_no_given_in_the_morning_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    module = load("HIL701/bad_only_outside_office_hours")
    monkeypatch.setattr(module, "datetime", Clock)
    assert results(start(module).answer(NO)) == ["prod-1 erased"]


def test_a_sample_that_is_drawn_again_skips_the_no(monkeypatch: pytest.MonkeyPatch, library: Any) -> None:
    library("deepagents", create_deep_agent=deep_agent)
    module = load("HIL701/bad_sample_of_calls")
    drawn = iter((0.05, 0.9))
    monkeypatch.setattr(module, "random", SimpleNamespace(random=lambda: next(drawn)))
    assert results(start(module).answer(NO)) == ["prod-1 erased"]


def test_a_predicate_that_remembers_asks_once_and_then_skips_the_no() -> None:
    assert results(start(load("HIL701/bad_first_call_of_each_host")).answer(NO)) == ["prod-1 erased"]


def test_what_others_spend_decides_about_this_answer(library: Any) -> None:
    library("fastapi", FastAPI=App)
    module = load("HIL701/bad_spending_limit_of_the_process")
    run = start(module, "pay", amount=150)
    module.spent = -100
    assert results(run.answer(NO)) == ["paid 150"]


def test_a_flag_that_is_switched_while_the_call_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    module = load("HIL701/bad_flag_from_a_service")
    flags = iter((True, False))
    monkeypatch.setattr(module, "httpx", SimpleNamespace(get=lambda url: SimpleNamespace(json=lambda: {"on": next(flags)})))
    assert results(start(module).answer(NO)) == ["prod-1 erased"]


def test_another_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    run = start(load("HIL701/bad_switch_in_the_environment"))
    monkeypatch.setenv("REVIEW", "off")
    assert results(run.answer(NO)) == ["prod-1 erased"]


@pytest.mark.parametrize("name", ["good_by_the_arguments", "good_clock_is_only_shown", "good_settings_read_at_start"])
def test_a_no_holds_where_the_arguments_decide(name: str) -> None:
    (said,) = results(start(load(f"HIL701/{name}")).answer(NO))
    assert "rejected" in said


def test_a_no_holds_where_the_state_decides() -> None:
    (said,) = results(start(load("HIL701/good_by_the_state")).answer(NO))
    assert "rejected" in said


def test_the_predicate_is_asked_again_for_each_call_by_itself_too() -> None:
    flips = iter((True, False))
    gate = HumanInTheLoopMiddleware(interrupt_on={"wipe_disk": {"allowed_decisions": ["reject"], "when": lambda r: next(flips)}}, interrupt_mode="per_call")
    tool = load("HIL701/good_by_the_state").wipe_disk
    run = Run(create_agent(Script(turns=[calling(("wipe_disk", {"host": "a"}))]), tools=[tool], middleware=[gate], checkpointer=saver()))
    assert results(run.start({"messages": [("user", "go")]}).answer({"type": "reject"})) == ["a erased"]
