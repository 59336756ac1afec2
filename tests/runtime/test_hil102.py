"""HIL102: a model asked above a pause is asked, and paid, again with every answer."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from langchain_core.messages import AIMessage
from support import Drafts, Run, load, saver


@pytest.fixture(autouse=True)
def providers(library: Any) -> None:
    """The providers' packages are not needed: the models and clients are fakes."""
    for name in ("langchain_openai", "openai", "anthropic"):
        library(name)


def test_model_of_the_module_is_paid_again() -> None:
    module = load("HIL102/bad_summary_before_question")
    module.llm = Drafts()
    run = Run(module.build(saver())).start({"text": "hello"}).answer("sales")
    assert run.values["team"] == "sales"
    assert module.llm.calls == 2


def test_chain_between_two_pauses_is_paid_again() -> None:
    model = Drafts()
    run = Run(load("HIL102/bad_docs_prompt_and_model_chain").build(model, saver()), aio=True).start({"topic": "bees"})
    run.answer("a lot")
    assert run.asked == ["draft 1"]
    run.answer("deep")
    assert model.calls == 2


def test_raw_client_is_paid_again() -> None:
    client = mock.Mock()
    client.chat.completions.create.return_value = SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content="1, 2, 3"))])
    run = Run(load("HIL102/bad_raw_openai_client").build(client, saver())).start({"goal": "g"}).answer("yes")
    assert run.values["go"] is True
    assert client.chat.completions.create.call_count == 2


def test_loop_pays_one_two_three_times() -> None:
    llm = mock.Mock()
    llm.with_structured_output.return_value.invoke.side_effect = lambda _: SimpleNamespace(field="?")
    run = Run(load("HIL102/bad_structured_output_in_loop").build(llm, saver())).start({"fields": ["a", "b", "c"]}).answer("1", "2", "3")
    assert run.values["values"] == {"a": "1", "b": "2", "c": "3"}
    assert llm.with_structured_output.return_value.invoke.call_count == 1 + 2 + 3 + 3


def test_nested_graph_compiled_without_saver_is_not_restored() -> None:
    model = Drafts()
    Run(load("HIL102/bad_docs_nested_graph_without_saver").build(model, saver())).start({"topic": "t"}).answer("ok")
    assert model.calls == 2


def test_runnable_lambda_is_not_restored() -> None:
    model = Drafts()
    Run(load("HIL102/bad_docs_lambda_runnable").build(model, saver())).start({"guests": 4}).answer("pizza")
    assert model.calls == 2


def test_named_helper_is_called_again() -> None:
    helper = mock.Mock(return_value="short")
    Run(load("HIL102/bad_named_helper").build(helper, saver())).start({"history": ["a"]}).answer("keep")
    assert helper.call_count == 2


def test_model_in_an_earlier_node_is_paid_once() -> None:
    model = Drafts()
    run = Run(load("HIL102/good_model_in_earlier_node").build(model, saver())).start({"text": "x"})
    assert run.asked[0]["hint"] == "draft 1"
    assert run.answer("sales").values["hint"] == "draft 1"
    assert model.calls == 1


def test_finished_agents_in_a_gather_are_restored() -> None:
    model = Drafts()
    run = Run(load("HIL102/good_docs_agent_is_restored").build(model, saver()), aio=True).start({"topics": ["a", "b"]})
    assert sorted(run.asked[0]["texts"]) == ["draft 1", "draft 2"]
    run.answer("fine")
    assert model.calls == 2, "one call for each topic, none for the answer"


def test_finished_graphs_in_a_loop_and_entrypoints_are_restored() -> None:
    model = Drafts()
    run = Run(load("HIL102/good_docs_nested_graph_and_entrypoint").build(model, saver())).start({"titles": ["a", "b"]})
    assert run.asked == [{"chapters": ["draft 1", "draft 2"], "blurb": "draft 3"}]
    run.answer("b, a")
    assert model.calls == 3


def test_essay_of_a_task_is_written_once() -> None:
    model = Drafts()
    run = Run(load("HIL102/good_docs_essay_task").make_workflow(model, saver())).start("cats").answer("approve")
    assert run.result == {"essay": "draft 1", "verdict": "approve"}
    assert model.calls == 1


def test_model_after_the_last_pause_is_asked_once() -> None:
    client = mock.Mock()
    client.messages.create = mock.AsyncMock(return_value=SimpleNamespace(content=[SimpleNamespace(text="hi")]))
    Run(load("HIL102/good_after_the_last_pause").build(client, saver()), aio=True).start({"question": "?"}).answer("hello")
    assert client.messages.create.await_count == 1


def test_branch_that_never_pauses_asks_once() -> None:
    model = Drafts()
    graph = load("HIL102/good_branch_without_pause").build(model, saver())
    assert Run(graph).start({"text": "x", "language": "de"}).values["result"] == "draft 1"
    assert Run(graph).start({"text": "x", "language": "eo"}).answer("y").values["result"] == "y"
    assert model.calls == 1


def test_tool_pays_for_its_explanation_again() -> None:
    from langchain.agents import create_agent
    from support import Script, calling

    llm = mock.Mock()
    llm.ainvoke = mock.AsyncMock(return_value=AIMessage("drops everything"))
    tool = load("HIL102/bad_model_in_tool").make_sql_tool(llm, lambda statement: f"ran {statement}")
    agent = create_agent(Script(turns=[calling(("run_sql", {"statement": "drop table t"}))]), [tool], checkpointer=saver())
    run = Run(agent, aio=True).start({"messages": [("user", "go")]})
    assert run.asked[0]["explanation"] == "drops everything"
    run.answer("run")
    assert llm.ainvoke.await_count == 2
    assert asyncio.iscoroutinefunction(tool.coroutine)


def test_nested_graph_on_a_thread_of_its_own_is_not_restored() -> None:
    model = Drafts()
    run = Run(load("HIL102/bad_docs_nested_graph_on_its_own_thread").build(model, saver())).start({"topic": "t"}).answer("ok")
    assert run.values["ok"] is True
    assert model.calls == 2


def test_agent_that_came_from_outside_is_restored() -> None:
    from langchain.agents import create_agent
    from langgraph.graph import START, StateGraph

    model = Drafts()
    inner = StateGraph(dict).add_node("n", lambda s: {"x": model.invoke("x").content}).add_edge(START, "n").compile()
    run = Run(load("HIL102/good_agent_that_cannot_be_seen").build(create_agent(model, tools=[]), inner, saver()), aio=True)
    run.start({"wish": "sea"}).answer("fine")
    assert (run.values["ok"], model.calls) == ("fine", 2)


def test_decorator_has_it_translated_for_each_answer(library: Any) -> None:
    library("langchain_openai")
    module = load("HIL102/bad_decorator_asks_the_model_first")
    module.llm = mock.Mock()
    module.llm.ainvoke = mock.AsyncMock(return_value="hello")
    run = Run(module.build(saver()), aio=True).start({"text": "hallo"})
    assert run.asked == ["hello"]
    run.answer("yes")
    assert module.llm.ainvoke.await_count == 2


def test_one_round_in_each_run_pays_once_a_round() -> None:
    model = Drafts()
    run = Run(load("HIL102/good_one_round_in_each_run").build(model, saver())).start({"items": ["a", "b", "c"], "answers": []}).answer("1", "2", "3")
    assert run.values["answers"] == ["1", "2", "3"] and model.calls == 3
