"""HIL207: a nested graph with a `configurable` of its own keeps its pause to itself."""

from __future__ import annotations

import pytest
from langchain_core.runnables import RunnableConfig
from support import Run, calling, load, saver


@pytest.mark.parametrize("which", [0, 1, 2], ids=["inline", "helper", "with_config"])
def test_config_from_scratch_asks_nobody(which: int) -> None:
    run = Run(load("HIL207/bad_config_from_scratch").build_all(saver())[which], aio=which == 2).start({"city": "Rome"})
    assert (run.asked, run.done, run.values["ok"]) == ([], True, "no answer")


@pytest.mark.parametrize("which", [0, 1, 2], ids=["spread", "or", "RunnableConfig"])
def test_copy_without_the_inner_configurable_asks_nobody(which: int) -> None:
    run = Run(load("HIL207/bad_copy_that_loses_the_configurable").build_all(saver())[which]).start({"city": "Rome"})
    assert (run.asked, run.values["ok"]) == ([], "no answer")


def test_tool_takes_the_unfinished_result_for_a_booking() -> None:
    run = Run(load("HIL207/bad_tool_runs_a_sub_agent").build(saver())).start({"messages": [calling(("book", {"city": "Rome"}))]})
    assert (run.asked, run.values["messages"][-1].content) == ([], "booked")


@pytest.mark.parametrize("which", [0, 1, 2], ids=["none", "own", "no thread"])
def test_parent_asks_for_the_child(which: int) -> None:
    run = Run(load("HIL207/good_no_config_or_the_nodes_own").build_all(saver())[which]).start({"city": "Rome"})
    assert run.asked == [{"city": "Rome"}]
    assert run.answer("yes").values["ok"] == "yes"


@pytest.mark.parametrize("which", [0, 1, 2, 3], ids=["spread", "later wins", "patch_config", "merge_configs"])
def test_copied_configurable_may_have_another_thread(which: int) -> None:
    run = Run(load("HIL207/good_copy_with_another_thread").build_all(saver())[which]).start({"city": "Rome"})
    assert run.asked == [{"city": "Rome"}]
    assert run.answer("yes").values["ok"] == "yes"


def test_parent_that_asks_in_the_childs_place() -> None:
    run = Run(load("HIL207/good_asks_in_its_place").build(saver())).start({"city": "Rome"})
    assert run.asked == [{"city": "Rome"}]
    assert run.answer("yes").values["ok"] == "yes"


def test_child_without_questions() -> None:
    assert Run(load("HIL207/good_child_that_does_not_pause").build(saver())).start({"city": "Rome"}).answer("yes").values["ok"] == "yes"


CONFIGS = {
    # what is given to the child -> whether the parent is asked
    "none": (lambda c: None, True),
    "own": (lambda c: c, True),
    "empty": (lambda c: {}, True),
    "other_key": (lambda c: {"configurable": {"user": "x"}}, True),
    "thread_none": (lambda c: {"configurable": {"thread_id": None}}, True),
    "thread": (lambda c: {"configurable": {"thread_id": "x"}}, False),
    "same_thread": (lambda c: {"configurable": {"thread_id": c["configurable"]["thread_id"]}}, False),
    "copy_then_replaced": (lambda c: {**c, "configurable": {"thread_id": "x"}}, False),
    "replaced_then_copy": (lambda c: {"configurable": {"thread_id": "x"}, **c}, True),
    "inner_copy": (lambda c: {"configurable": {**c["configurable"], "thread_id": "x"}}, True),
    "dict": (lambda c: dict(c, configurable=dict(thread_id="x")), False),
    "runnable_config": (lambda c: RunnableConfig(configurable={"thread_id": "x"}), False),
}


@pytest.mark.parametrize("own_saver", [False, True])
@pytest.mark.parametrize("name", CONFIGS)
def test_which_configs_keep_the_pause(name: str, own_saver: bool) -> None:
    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    make, asked = CONFIGS[name]
    child = StateGraph(dict).add_node("c", lambda s: {"ok": interrupt("?")}).add_edge(START, "c").compile(checkpointer=saver() if own_saver else None)

    def node(state: dict, config: RunnableConfig) -> dict:
        return {"ok": child.invoke({"x": 1}, make(config)).get("ok")}

    run = Run(StateGraph(dict).add_node("n", node).add_edge(START, "n").compile(checkpointer=saver())).start({"x": 1})
    assert bool(run.asked) is asked
