"""HIL305: tools that pause in one task share one list of answers."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.types import Command
from support import Run, Script, calling, load, saver

TWO = calling(("stop_pump", {"pump": "P"}), ("open_valve", {"valve": "V"}))


def contents(run: Run) -> list[str]:
    return [m.content for m in run.values["messages"] if m.type == "tool"]


def answer_as_asked(run: Run) -> Run:
    """Answers each question with itself, so that a swap shows."""
    for _ in range(4):
        if not run.asked:
            break
        run.answer(str(run.asked[0]))
    return run


def test_slow_tool_gets_the_other_tools_answer() -> None:
    module = load("HIL305/bad_two_valves_in_one_tool_node")
    run = Run(module.build(saver()), aio=True)
    module.DELAY["stop_pump"] = 0.2
    run.start({"messages": [TWO]})
    first = run.asked
    assert len(first) == 1, "one question is shown at a time"
    module.DELAY["stop_pump"], module.DELAY["open_valve"] = 0.0, 0.2
    run.answer("for " + str(first[0]))
    assert f"stop P: for {first[0]}" in contents(run) or run.asked != [{"stop": "P"}], "the answer went to whoever came first"
    assert first == [{"open": "V"}]


@pytest.mark.filterwarnings("ignore")
def test_version_one_swaps_answers() -> None:
    module = load("HIL305/bad_react_agent_version_one")
    module.SLOW["sell"] = 0.2
    model = Script(turns=[calling(("sell", {"shares": 1}), ("buy", {"shares": 2}))])
    run = answer_as_asked(Run(module.build(model, saver())).start({"messages": [("user", "go")]}))
    assert set(contents(run)) != {"sell 1: {'sell': 1}", "buy 2: {'buy': 2}"}


def test_runnable_parallel_swaps_answers() -> None:
    module = load("HIL305/bad_runnable_parallel_of_two_questions")
    module.SLOW["name"] = 0.2
    run = answer_as_asked(Run(module.build(saver())).start({}))
    assert (run.values["name"], run.values["city"]) != ("name?", "city?")


def test_one_tool_called_twice_takes_answers_by_speed() -> None:
    module = load("HIL305/bad_only_tool_that_asks")
    module.SLOW["first"] = 0.2
    run = Run(module.build(saver()), aio=True).start({"messages": [calling(("run_code", {"code": "first"}), ("run_code", {"code": "second"}))]})
    assert run.asked == [{"code": "second"}], "the second call is asked first: only its speed decides"


@pytest.mark.parametrize("agent", [False, True])
def test_a_task_for_each_call_keeps_answers_apart(agent: bool) -> None:
    made: Any = load("HIL305/good_create_agent" if agent else "HIL305/good_one_task_per_call").build
    run = Run(made(Script(turns=[TWO]), saver()) if agent else made(saver()))
    run.start({"messages": [("user", "go")] if agent else [TWO]})
    assert sorted(map(str, run.asked)) == ["{'open': 'V'}", "{'stop': 'P'}"]
    run.send(Command(resume={i.id: str(i.value) for i in run.interrupts}))
    assert sorted(contents(run)) == ["open V: {'open': 'V'}", "stop P: {'stop': 'P'}"]


def test_one_call_at_most_is_answered_right() -> None:
    model = Script(turns=[calling(("stop_pump", {"pump": "P"})), calling(("open_valve", {"valve": "V"}))])
    run = answer_as_asked(Run(load("HIL305/good_tutorial_allows_one_call").build(model, saver())).start({"messages": [("user", "go")]}))
    assert contents(run) == ["stop P: {'stop': 'P'}", "open V: {'open': 'V'}"]
