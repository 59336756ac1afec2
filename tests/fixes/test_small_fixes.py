"""The smaller fixes, by what is written before and after; tests/runtime/test_fixed_programs.py runs such programs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from by_text import findings, mend

GRAPH = """from typing import TypedDict
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt


class S(TypedDict, total=False):
    a: str


def ask(state: S):
    return {"a": interrupt("?")}


"""
RUN = '\n\ndef run(x):\n    return graph.invoke(x, {"configurable": {"thread_id": "t"}})\n\n\ndef go(x):\n    return graph.invoke(Command(resume=x), {"configurable": {"thread_id": "t"}})\n'
BOOKING = """from langchain_core.runnables import RunnableConfig
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt


def confirm(state):
    return {"ok": interrupt("?")}


child = StateGraph(dict).add_node("confirm", confirm).add_edge(START, "confirm").compile()


"""
PARENT = '\n\n\nparent = StateGraph(dict).add_node("node", node).add_edge(START, "node")\n'
ROUTED = GRAPH.replace('def ask(state: S):\n    return {"a": interrupt("?")}', '''def ask(state: S):
    if interrupt("?") == "yes":
        return Command(goto="pay")
    return Command(goto=END)


def pay(state: S):
    return {}''')
HELD = "from langgraph.graph import START, StateGraph\nfrom langgraph.types import interrupt\n\n\ndef review(state):\n    {}\n    return {{}}\n\n\ng = StateGraph(dict).add_node('r', review).add_edge(START, 'r')\n"

CASES = {
    # ------------------------------------------------------------ HIL205
    "raise in a branch": (
        "HIL205", "from langgraph.errors import NodeInterrupt\n\n\ndef node(state):\n\tif state['a']:\n\t\traise NodeInterrupt(\n\t\t\t'go?',\n\t\t)\n",
        "from langgraph.errors import NodeInterrupt\nfrom langgraph.types import interrupt\n\n\ndef node(state):\n\tif state['a']:\n\t\tanswer = interrupt('go?')\n\t\tif answer is not True:\n"
        "\t\t\traise ValueError(f\"not approved: {answer!r}\")\n"),
    "GraphInterrupt with one Interrupt": (
        "HIL205", "from langgraph.errors import GraphInterrupt\nfrom langgraph.types import Interrupt\n\n\ndef node(answer):\n    raise GraphInterrupt([Interrupt(value=answer)])\n",
        "from langgraph.errors import GraphInterrupt\nfrom langgraph.types import Interrupt, interrupt\n\n\ndef node(answer):\n    answer_2 = interrupt(answer)\n    if answer_2 is not True:\n"
        "        raise ValueError(f\"not approved: {answer_2!r}\")\n"),
    # ------------------------------------------------------------ HIL207
    "a config in the call": (
        "HIL207", BOOKING + 'def node(state):\n    return child.invoke(\n        state,\n        config={"configurable": {"thread_id": "c"}},\n    )' + PARENT,
        BOOKING + "def node(state):\n    return child.invoke(\n        state,\n    )" + PARENT),
    "more than a thread in it": (
        "HIL207", BOOKING + 'def node(state, config: RunnableConfig):\n    return child.invoke(state, {"recursion_limit": 5, "configurable": {"thread_id": "c", "user": 1}})' + PARENT,
        BOOKING + 'def node(state, config: RunnableConfig):\n    return child.invoke(state, {**config, "recursion_limit": 5, "configurable": {**config["configurable"], "thread_id": "c", "user": 1}})' + PARENT),
    # ------------------------------------------------------------ HIL401, HIL402
    "a literal None": ("HIL401", "from langgraph.types import Command\n\n\ndef go(graph, config):\n    return graph.invoke(Command(update={}, resume=None), config)\n",
                       "from langgraph.types import Command\n\n\ndef go(graph, config):\n    return graph.invoke(Command(update={}, resume=False), config)\n"),
    "a comprehension over lines": (
        "HIL402", "from langgraph.types import Command\n\n\ndef go(graph, config, i):\n    state = graph.get_state(config)\n    return graph.invoke(Command(resume={\n        t.id: i\n        for t in state.tasks\n        if (t.name)\n    }), config)\n",
        "from langgraph.types import Command\n\n\ndef go(graph, config, i):\n    state = graph.get_state(config)\n    return graph.invoke(Command(resume={\n        pause.id: i\n        for t in state.tasks\n        if (t.name) for pause in t.interrupts\n    }), config)\n"),
    # ------------------------------------------------------------ HIL501
    "compile without arguments": ("HIL501", GRAPH + 'graph = StateGraph(S).add_node(ask).add_edge(START, "ask").compile()' + RUN,
                                  None),
    "compile with arguments over lines": ("HIL501", GRAPH + 'graph = StateGraph(S).add_node(ask).add_edge(START, "ask").compile(\n    debug=(True),  # for now\n    name="n",\n)' + RUN, None),
    "compile with None": ("HIL501", GRAPH + 'graph = StateGraph(S).add_node(ask).add_edge(START, "ask").compile(checkpointer=None, debug=True)' + RUN, None),
    # ------------------------------------------------------------ HIL510
    "an edge in a chain": (
        "HIL510", ROUTED + 'g = (\n    StateGraph(S)\n    .add_node(ask)\n    .add_node(pay)\n    .add_edge(START, "ask")\n    .add_edge("ask", "pay")\n    .compile()\n)\n',
        ROUTED + 'g = (\n    StateGraph(S)\n    .add_node(ask)\n    .add_node(pay)\n    .add_edge(START, "ask")\n    .compile()\n)\n'),
    "an edge in a row of calls": (
        "HIL510", ROUTED + 'g = StateGraph(S)\ng.add_node(ask)\ng.add_node(pay)\ng.add_edge(START, "ask").add_edge("ask", "pay")\n',
        ROUTED + 'g = StateGraph(S)\ng.add_node(ask)\ng.add_node(pay)\ng.add_edge(START, "ask")\n'),
    # ------------------------------------------------------------ HIL608
    "one of several, with another name": (
        "HIL608", "from langgraph.graph import (\n    START,\n    interrupt as pause,\n    StateGraph,\n)\n\n\ndef ask(state):\n    return {'a': pause('?')}\n",
        "from langgraph.graph import (\n    START,\n    StateGraph,\n)\nfrom langgraph.types import interrupt as pause\n\n\ndef ask(state):\n    return {'a': pause('?')}\n"),
    "the first of several": (
        "HIL608", "from langgraph.graph import interrupt, StateGraph\n\n\ndef ask(state):\n    return {'a': interrupt('?')}\n",
        "from langgraph.graph import StateGraph\nfrom langgraph.types import interrupt\n\n\ndef ask(state):\n    return {'a': interrupt('?')}\n"),
    # ------------------------------------------------------------ HIL902
    "the only comment": ("HIL902", HELD.format("x = interrupt('?')  # noqa: HIL101"), HELD.format("x = interrupt('?')")),
    "before another comment": ("HIL902", HELD.format("x = interrupt('?')  # noqa: HIL101  # type: ignore"), HELD.format("x = interrupt('?')  # type: ignore")),
    "behind another comment": ("HIL902", HELD.format("x = interrupt('?')  # type: ignore  # noqa: HIL101"), HELD.format("x = interrupt('?')  # type: ignore")),
    "one of two codes": ("HIL902", HELD.format("x = interrupt('?')  # noqa: E501, HIL101"), HELD.format("x = interrupt('?')  # noqa: E501")),
    "a reason behind it": ("HIL902", HELD.format("x = interrupt('?')  # hitl-lint: ignore[HIL101] it is safe"), HELD.format("x = interrupt('?')")),
    "a line of its own": ("HIL902", HELD.format("# hitl-lint: ignore[HIL101]\n    x = interrupt('?')"), HELD.format("x = interrupt('?')")),
}
SAVED = {
    "compile without arguments": ".compile(checkpointer=InMemorySaver())\n",
    "compile with arguments over lines": '.compile(\n    debug=(True),  # for now\n    name="n",\n    checkpointer=InMemorySaver(),\n)\n',
    "compile with None": ".compile(checkpointer=InMemorySaver(), debug=True)\n",
}


@pytest.mark.parametrize("case", CASES)
def test_mends(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, before, after = CASES[case]
    monkeypatch.chdir(tmp_path)
    path = Path("program.py")
    path.write_text(before, encoding="utf-8")
    text = mend(path, code)
    if after is not None:
        assert text == after
    else:
        assert SAVED[case] in text and "from langgraph.checkpoint.memory import InMemorySaver\n" in text
    assert not findings(path, code)


REFUSED = {
    "raised from a variable": ("HIL205", "from langgraph.errors import NodeInterrupt\n\n\ndef node(state):\n    e = NodeInterrupt('x')\n    raise e\n", "not written"),
    "raised in a try": ("HIL205", "from langgraph.errors import NodeInterrupt\n\n\ndef node(state):\n    try:\n        raise NodeInterrupt('x')\n    finally:\n        pass\n", "try"),
    "raised on the line of its if": ("HIL205", "from langgraph.errors import NodeInterrupt\n\n\ndef node(state):\n    if state: raise NodeInterrupt('x')\n", "line"),
    "a graph for each caller": (
        "HIL501", GRAPH + 'def make():\n    return StateGraph(S).add_node(ask).add_edge(START, "ask").compile()\n\n\ngraph = make()\n' + RUN, "each caller"),
    "runs without a thread": ("HIL501", GRAPH + 'graph = StateGraph(S).add_node(ask).add_edge(START, "ask").compile()\n\n\ndef run(x):\n    return graph.invoke(x)\n\n\ndef go(x):\n    return graph.invoke(Command(resume=x))\n', "thread"),
    "a path without goto": (
        "HIL510", ROUTED.replace("    return Command(goto=END)", "    if state['a']:\n        return Command(goto=END)\n    return {}") + 'g = StateGraph(S).add_node(ask).add_node(pay).add_edge(START, "ask").add_edge("ask", "pay")\n',
        "no goto"),
    "a map that is read elsewhere": (
        "HIL402", "from langgraph.types import Command\n\n\ndef go(graph, config):\n    answers = {t.id: 1 for t in graph.get_state(config).tasks}\n    print(answers)\n    return graph.invoke(Command(resume=answers), config)\n",
        "something else"),
    "no value": ("HIL608", "from langgraph.types import interrupt\n\n\ndef ask(state):\n    return {'a': interrupt()}\n", "what is to be asked"),
    "a loop": ("HIL304", "from langgraph.types import interrupt\n\n\ndef ask(state):\n    return {'a': [interrupt(x) for x in state['xs']]}\n", "not seen to be added"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_says_why_not(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, source, why = REFUSED[case]
    monkeypatch.chdir(tmp_path)
    path = Path("program.py")
    path.write_text(source, encoding="utf-8")
    found = findings(path, code)
    assert found and not any(f.fixes for f in found)
    assert why in found[0].no_fix
