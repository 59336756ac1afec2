"""Resume sites tied to graphs: which graph a run reaches, how many questions can wait there, which thread it is on."""

from __future__ import annotations

from pathlib import Path

import pytest

from hitl_lint import run
from hitl_lint.config import Config

HEAD = """import json
import uuid
from typing import Literal

from fastapi import Depends, FastAPI
from langgraph.errors import GraphInterrupt
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send, interrupt


def a(state):
    return {"a": interrupt("a?")}


def b(state):
    return {"b": interrupt("b?")}


def both(state):
    return {"a": interrupt("a?"), "b": interrupt("b?")}


def plain(state):
    return {}


def flat(*nodes):
    pass
"""
PARALLEL = """
def build(saver):
    g = StateGraph(dict)
    g.add_node("a", a)
    g.add_node("b", b)
    g.add_edge(START, "a")
    g.add_edge(START, "b")
    return g.compile(checkpointer=saver)
"""
ONE = """
def build(saver):
    return StateGraph(dict).add_node("a", a).add_edge(START, "a").compile(checkpointer=saver)
"""
SEQUENCE = """
def build(saver):
    return StateGraph(dict).add_node("both", both).add_edge(START, "both").compile(checkpointer=saver)
"""


def codes(folder: Path, monkeypatch: pytest.MonkeyPatch, code: str, **files: str) -> list[tuple[str, int]]:
    for name, source in files.items():
        (folder / f"{name}.py").write_text(source)
    (folder / "pyproject.toml").write_text("")
    monkeypatch.chdir(folder)
    result = run.check(run.Request(["."], Config(select=(code,), min_severity="note")))
    assert not result.complaints
    return [(f.span.path, f.span.line) for f in result.findings]


# ---- which graph
REACHED = {
    "parameter": "def go(graph, config):\n    return graph.invoke(Command(resume='x'), config)\n",
    "annotated parameter": "def go(app: 'CompiledStateGraph', config):\n    return app.invoke(Command(resume='x'), config)\n",
    "factory": "def go(saver, config):\n    return build(saver).invoke(Command(resume='x'), config)\n",
    "variable": "def go(saver, config):\n    thing = build(saver)\n    return thing.invoke(Command(resume='x'), config)\n",
    "attribute": "class S:\n    def __init__(self, saver):\n        self.flow = build(saver)\n    def go(self, config):\n        return self.flow.invoke(Command(resume='x'), config)\n",
    "attribute given": "class S:\n    def __init__(self, graph):\n        self._graph = graph\n    async def go(self, config):\n        return await self._graph.ainvoke(Command(resume='x'), config)\n",
    "dependency": "def get_graph():\n    return build(None)\ndef go(config, graph=Depends(get_graph)):\n    return graph.invoke(Command(resume='x'), config)\n",
    "annotated dependency": "from typing import Annotated, Any\ndef get_graph():\n    return build(None)\ndef go(config, flow: Annotated[Any, Depends(get_graph)]):\n    return flow.invoke(Command(resume='x'), config)\n",
    "stream": "def go(graph, config):\n    for chunk in graph.stream(Command(resume='x'), config, stream_mode='updates'):\n        print(chunk)\n",
    "command in a variable": "def go(graph, config):\n    command = Command(resume='x')\n    return graph.invoke(command, config)\n",
    "keyword": "def go(graph, config):\n    return graph.invoke(input=Command(resume='x'), config=config)\n",
    "choice": "def go(graph, config, first):\n    return graph.invoke({} if first else Command(resume='x'), config)\n",
}


@pytest.mark.parametrize("how", REACHED)
def test_the_graph_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    assert len(codes(tmp_path, monkeypatch, "HIL405", app=HEAD + PARALLEL + REACHED[how])) == 1


@pytest.mark.parametrize("how", REACHED)
def test_one_question_is_no_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    assert codes(tmp_path, monkeypatch, "HIL405", app=HEAD + ONE + REACHED[how]) == []


def test_the_one_graph_of_the_project_is_meant_in_another_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    api = "from langgraph.types import Command\n\n\ndef go(graph, config, text: str):\n    return graph.invoke(Command(resume=text), config)\n"
    assert codes(tmp_path, monkeypatch, "HIL405", app=HEAD + PARALLEL, api=api) == [("api.py", 5)]


def test_two_graphs_in_the_project_are_one_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    api = "from langgraph.types import Command\n\n\ndef go(graph, config, text: str):\n    return graph.invoke(Command(resume=text), config)\n"
    assert codes(tmp_path, monkeypatch, "HIL405", app=HEAD + PARALLEL, other=HEAD + ONE, api=api) == []


# ---- how many wait
SEVERAL = {
    "list of a router": "def pick(state):\n    return ['a', 'b']\ng = StateGraph(dict)\ng.add_node('a', a)\ng.add_node('b', b)\ng.add_conditional_edges(START, pick)\n",
    "goto of two": "def fan(state) -> Command[Literal['a', 'b']]:\n    return Command(goto=['a', 'b'])\ng = StateGraph(dict)\ng.add_node('fan', fan)\ng.add_node('a', a)\ng.add_node('b', b)\n"
                   "g.add_edge(START, 'fan')\n",
    "later step": "g = StateGraph(dict)\nfor n in ('p', 'q'):\n    g.add_node(n, plain)\ng.add_node('a', a)\ng.add_node('b', b)\ng.add_edge(START, 'p')\ng.add_edge(START, 'q')\n"
                  "g.add_edge('p', 'a')\ng.add_edge('q', 'b')\n",
    "send in a loop": "def pick(state):\n    out = []\n    for x in state['xs']:\n        out.append(Send('a', x))\n    return out\ng = StateGraph(dict)\ng.add_node('a', a)\n"
                      "g.add_conditional_edges(START, pick)\n",
    "send from a goto": "def fan(state):\n    return Command(goto=[Send('a', x) for x in state['xs']])\ng = StateGraph(dict)\ng.add_node('fan', fan)\ng.add_node('a', a)\ng.add_edge(START, 'fan')\n",
}
NOT_SEVERAL = {
    "one after the other": "g = StateGraph(dict)\ng.add_node('a', a)\ng.add_node('b', b)\ng.add_edge(START, 'a')\ng.add_edge('a', 'b')\n",
    "another step": "g = StateGraph(dict)\ng.add_node('p', plain)\ng.add_node('a', a)\ng.add_node('b', b)\ng.add_edge(START, 'p')\ng.add_edge(START, 'a')\ng.add_edge('p', 'b')\n",
    "one send": "def pick(state):\n    return Send('a', state)\ng = StateGraph(dict)\ng.add_node('a', a)\ng.add_conditional_edges(START, pick)\n",
    "sends to a node that does not ask": "def pick(state):\n    return [Send('p', x) for x in state['xs']]\ng = StateGraph(dict)\ng.add_node('p', plain)\ng.add_node('a', a)\n"
                                         "g.add_conditional_edges(START, pick)\ng.add_edge('p', 'a')\n",
    "either": "def pick(state):\n    return 'a' if state else 'b'\ng = StateGraph(dict)\ng.add_node('a', a)\ng.add_node('b', b)\ng.add_conditional_edges(START, pick)\n",
}
GO = "\ndef go(saver, config):\n    return g.compile(checkpointer=saver).invoke(Command(resume=True), config)\n"


@pytest.mark.parametrize("how", [*SEVERAL, *NOT_SEVERAL])
def test_how_many_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    source = HEAD + (SEVERAL.get(how) or NOT_SEVERAL[how]) + GO
    assert len(codes(tmp_path, monkeypatch, "HIL405", app=source)) == (1 if how in SEVERAL else 0)


@pytest.mark.parametrize(("answer", "single"), [
    ("'x'", True), ("f'{text}'", True), ("text.strip()", True), ("input('> ')", True), ("text == 'y'", True), ("{'type': 'accept'}", True), ("[1]", True), ("bool(text)", True),
    ("text", False), ("answers", False), ("{i.id: 1 for i in text}", False), ("dict(text)", False), ("{**text}", False), ("{}", False), ("body.answers", False),
    ("{'9f4c2d1e8b7a4c0d9e3f5a6b7c8d9e0f': 1}", False)])
def test_what_is_one_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, single: bool) -> None:
    source = HEAD + PARALLEL + f"\ndef go(graph, config, text, body, answers=None):\n    return graph.invoke(Command(resume={answer}), config)\n"
    assert bool(codes(tmp_path, monkeypatch, "HIL405", app=source)) is single


# ---- which thread
FRESH = ["{'configurable': {'thread_id': str(uuid.uuid4())}}", "{'configurable': {'thread_id': uuid.uuid4().hex}}", "{'configurable': {'thread_id': f'chat-{uuid.uuid4()}'}}",
         "{'configurable': {'thread_id': 'chat-' + str(uuid.uuid1())[:8], 'user': 'u'}}", "{'recursion_limit': 9, 'configurable': {'thread_id': uuid.uuid4()}}", "make()", "RunnableConfig(configurable={'thread_id': uuid.uuid4().hex})"]
KEPT = ["{'configurable': {'thread_id': thread or str(uuid.uuid4())}}", "{'configurable': {'thread_id': str(uuid.uuid5(uuid.NAMESPACE_DNS, thread))}}", "{'configurable': {'thread_id': thread}}",
        "{'configurable': {'thread_id': 'main'}}", "config", "{**config}", "{'configurable': {'thread_id': SESSION}}", "cached()"]
MAKES = ("import functools\nfrom langchain_core.runnables import RunnableConfig\nSESSION = str(uuid.uuid4())\n\n\ndef make():\n    return {'configurable': {'thread_id': str(uuid.uuid4())}}\n\n\n"
         "@functools.cache\ndef cached():\n    return {'configurable': {'thread_id': str(uuid.uuid4())}}\n")


@pytest.mark.parametrize("config", [*FRESH, *KEPT])
def test_thread_made_on_the_spot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: str) -> None:
    source = HEAD + MAKES + f"\ndef go(graph, thread, config):\n    return graph.invoke(Command(resume='x'), {config})\n\n\ndef go_by_name(graph, thread, config):\n    cfg = {config}\n    return graph.invoke(Command(resume='x'), config=cfg)\n"
    assert len(codes(tmp_path, monkeypatch, "HIL411", app=source)) == (2 if config in FRESH else 0)


@pytest.mark.parametrize("before", ["graph.invoke({}, cfg)", "start(graph, cfg)", "graph.invoke({}, {'configurable': {'thread_id': tid}})", "other = {'configurable': {'thread_id': tid}}\n    graph.invoke({}, other)",
                                    "self.threads[user] = tid", "prepare(tid)"])
def test_thread_that_was_used_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str) -> None:
    source = HEAD + f"\ndef go(self, graph, user):\n    tid = str(uuid.uuid4())\n    cfg = {{'configurable': {{'thread_id': tid}}}}\n    {before}\n    return graph.invoke(Command(resume='x'), cfg)\n"
    assert codes(tmp_path, monkeypatch, "HIL411", app=source) == []


def test_a_loop_that_resumes_after_its_first_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = HEAD + ("\ndef go(graph):\n    cfg = {'configurable': {'thread_id': str(uuid.uuid4())}}\n    turn = {}\n    while True:\n        out = graph.invoke(turn, cfg)\n"
                     "        if '__interrupt__' not in out:\n            return out\n        turn = Command(resume=input())\n")
    assert codes(tmp_path, monkeypatch, "HIL411", app=source) == []


# ---- None
@pytest.mark.parametrize(("body", "reported"), [
    ("return graph.invoke(None, config)", True), ("return graph.invoke(input=None, config=config)", True), ("for c in graph.stream(None, config):\n        print(c)", True),
    ("nothing = None\n    return graph.invoke(nothing, config)", True), ("try:\n        return graph.invoke(None, config)\n    except ValueError:\n        return None", True),
    ("graph.update_state(config, {})\n    return graph.invoke(None, config)", False), ("if graph.get_state(config).next:\n        return graph.invoke(None, config)", False),
    ("try:\n        return graph.invoke({}, config)\n    except ConnectionError:\n        return graph.invoke(None, config)", False), ("return graph.invoke(None if config else {}, config)", False),
    ("'''After a crash.'''\n    return graph.invoke(None, config)", False), ("return graph.invoke(None, config, interrupt_before=['both'])", False),
])
def test_going_on_with_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, reported: bool) -> None:
    assert bool(codes(tmp_path, monkeypatch, "HIL413", app=HEAD + SEQUENCE + f"\ndef go(graph, config):\n    {body}\n")) is reported


def test_a_look_in_the_caller_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = HEAD + SEQUENCE + ("\ndef go(graph, config):\n    return graph.invoke(None, config)\n\n\ndef endpoint(graph, config, queue):\n    if graph.get_state(config).interrupts:\n"
                                "        return None\n    queue.add(go, graph, config)\n")
    assert codes(tmp_path, monkeypatch, "HIL413", app=source) == []


# ---- never answered
APP = HEAD + ONE + "\napp = FastAPI()\n\n\n@app.post('/x')\ndef chat(saver, config, text: str):\n    return build(saver).invoke({'text': text}, config)\n"


def test_never_answered_in_the_whole_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(codes(tmp_path, monkeypatch, "HIL415", main=APP)) == 1


@pytest.mark.parametrize("other", ["from langgraph.types import Command\n\n\ndef answer(flow, config, text):\n    return flow.invoke(Command(resume=text), config)\n",
                                   "def answer(client, text):\n    return client.runs.wait('t', 'a', command={'resume': text})\n"])
def test_somebody_else_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: str) -> None:
    assert codes(tmp_path, monkeypatch, "HIL415", main=APP, answers=other) == []


def test_one_file_of_a_project_is_checked_and_another_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "main.py").write_text(APP)
    (tmp_path / "answers.py").write_text("from main import build\nfrom langgraph.types import Command\n\n\ndef answer(saver, config, text):\n    return build(saver).invoke(Command(resume=text), config)\n")
    monkeypatch.chdir(tmp_path)
    assert run.check(run.Request(["main.py"], Config(select=("HIL415",)))).findings == []


def test_a_server_may_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "langgraph.json").write_text('{"graphs": {"agent": "./main.py:build"}}')
    assert codes(tmp_path, monkeypatch, "HIL415", main=APP) == []


WRAPPED = """
def build(saver, wrap=None):
    def _w(fn):
        return wrap(fn) if wrap else fn

    g = StateGraph(dict)
    g.add_node("p", _w(plain))
    g.add_node("q", _w(flat))
    g.add_node("a", _w(a))
    g.add_edge(START, "p")
    g.add_edge(START, "q")
    g.add_edge("p", "a")
    g.add_edge("q", "a")
    return g.compile(checkpointer=saver)


def wrapper(fn):
    def run(state):
        print(fn.__name__)
        return fn(state)
    return run


def go(saver, config):
    return build(saver, wrap=wrapper).invoke(Command(resume='x'), config)
"""


def test_a_wrapper_around_every_node_pauses_where_the_node_in_it_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert codes(tmp_path, monkeypatch, "HIL405", app=HEAD + WRAPPED) == []


def test_one_function_for_two_nodes_asks_in_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = HEAD + "g = StateGraph(dict)\nfor n in ('x', 'y'):\n    g.add_node(n, a)\n    g.add_edge(START, n)\n" + GO
    assert len(codes(tmp_path, monkeypatch, "HIL405", app=source)) == 1
