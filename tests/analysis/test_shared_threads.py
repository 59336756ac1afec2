"""HIL502 and HIL504 in other words: who serves requests, where a thread id and a saver come from. HIL503: which breakpoints stand for an approval."""

from __future__ import annotations

from pathlib import Path

import pytest

from hitl_lint import run
from hitl_lint.config import Config

GRAPH = """
import os, uuid
from functools import lru_cache
from langgraph.graph import START, StateGraph
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

def ask(state):
    return {"a": interrupt("?")}

builder = StateGraph(dict).add_node("ask", ask).add_edge(START, "ask")
"""
API = """
from fastapi import APIRouter, Depends, FastAPI
app = FastAPI()
graph = builder.compile(checkpointer=open_saver())
"""
ENDPOINT = """
@app.post("/answer")
async def answer(text: str):
    return await graph.ainvoke(Command(resume=text), CONFIG)
"""


def found(here: Path, monkeypatch: pytest.MonkeyPatch, code: str, **files: str) -> list[tuple[str, int, str]]:
    (here / "pyproject.toml").write_text("")
    for name, text in files.items():
        (here / f"{name}.py").write_text(text)
    monkeypatch.chdir(here)
    result = run.check(run.Request(["."], Config(select=(code,), min_severity="note"), jobs=1))
    return [(f.span.path, f.span.line, f.severity.label) for f in result.findings]


THREADS = {
    "in the call": (ENDPOINT.replace("CONFIG", '{"configurable": {"thread_id": "1"}}'), "note"),
    "a name of the module": ('CONFIG = {"configurable": {"thread_id": "1"}}' + ENDPOINT, "note"),
    "the id by name": ('THREAD = "main"' + ENDPOINT.replace("CONFIG", '{"configurable": {"thread_id": THREAD}}'), "note"),
    "a config helper": ('def config():\n    return {"configurable": {"thread_id": "1", "user": "x"}}\n' + ENDPOINT.replace("CONFIG", "config()"), "note"),
    "RunnableConfig": ("from langchain_core.runnables import RunnableConfig" + ENDPOINT.replace("CONFIG", 'RunnableConfig(configurable={"thread_id": "1"})'), "note"),
    "a default that nobody overrides": ('def go(text, thread="main"):\n    return graph.invoke(Command(resume=text), {"configurable": {"thread_id": thread}})\n\n'
                                        '@app.post("/a")\ndef a(text: str):\n    return go(text)\n', "note"),
    "made at import": ('CONFIG = {"configurable": {"thread_id": str(uuid.uuid4())}}' + ENDPOINT, "warning"),
    "the id made at import": ("THREAD = uuid.uuid4().hex" + ENDPOINT.replace("CONFIG", '{"configurable": {"thread_id": THREAD}}'), "warning"),
    "a global that is set": ('thread = None\n\n@app.post("/start")\ndef start(user: str):\n    global thread\n    thread = user\n'
                             + ENDPOINT.replace("CONFIG", '{"configurable": {"thread_id": thread}}'), "warning"),
    "an object of the module": ('class Desk:\n    def __init__(self):\n        self.config = {"configurable": {"thread_id": str(uuid.uuid4())}}\n'
                                '    def go(self, text):\n        return graph.invoke(Command(resume=text), self.config)\n\ndesk = Desk()\n\n'
                                '@app.post("/a")\ndef a(text: str):\n    return desk.go(text)\n', "warning"),
    "an object of the module with a name": ('class Desk:\n    def __init__(self, thread):\n        self.thread = thread\n'
                                            '    def go(self, text):\n        return graph.invoke(Command(resume=text), {"configurable": {"thread_id": self.thread}})\n\ndesk = Desk("main")\n\n'
                                            '@app.post("/a")\ndef a(text: str):\n    return desk.go(text)\n', "warning"),
    "set on the object by whoever came last": ('class Desk:\n    thread = None\n    def begin(self, user):\n        self.thread = user\n'
                                               '    def go(self, text):\n        return graph.invoke(Command(resume=text), {"configurable": {"thread_id": self.thread}})\n\ndesk = Desk()\n\n'
                                               '@app.post("/b")\ndef b(user: str):\n    desk.begin(user)\n\n@app.post("/a")\ndef a(text: str):\n    return desk.go(text)\n', "warning"),
}
OWN_THREADS = {
    "of the request": ENDPOINT.replace("text: str", "text: str, thread: str").replace("CONFIG", '{"configurable": {"thread_id": thread}}'),
    "of the body": ENDPOINT.replace("text: str", "body: dict").replace("=text", "=body['text']").replace("CONFIG", '{"configurable": {"thread_id": body["thread"]}}'),
    "or a default": ENDPOINT.replace("text: str", "text: str, thread: str = ''").replace("CONFIG", '{"configurable": {"thread_id": thread or "main"}}'),
    "with a part of the user's": ENDPOINT.replace("text: str", "text: str, user: str").replace("CONFIG", '{"configurable": {"thread_id": f"chat-{user}"}}'),
    "not a server": 'def go(text):\n    return graph.invoke(Command(resume=text), {"configurable": {"thread_id": "1"}})\n\ngo(input())\n',
    "an object for the request": ('class Desk:\n    def __init__(self, thread):\n        self.thread = thread\n'
                                  '    def go(self, text):\n        return graph.invoke(Command(resume=text), {"configurable": {"thread_id": self.thread}})\n\n'
                                  '@app.post("/a")\ndef a(text: str, thread: str):\n    return Desk(thread).go(text)\n'),
    "a dict by user": ('THREADS = {}\n' + ENDPOINT.replace("text: str", "text: str, user: str").replace("CONFIG", '{"configurable": {"thread_id": THREADS[user]}}')),
    "new each time": ENDPOINT.replace("CONFIG", '{"configurable": {"thread_id": str(uuid.uuid4())}}'),
    "a graph that asks nobody": ('other = StateGraph(dict).add_node("x", len).add_edge(START, "x").compile(checkpointer=open_saver())\n'
                                 '@app.get("/x")\ndef x():\n    return other.invoke({}, {"configurable": {"thread_id": "1"}})\n'),
}


@pytest.mark.parametrize("name", THREADS)
def test_shared_thread(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body, severity = THREADS[name]
    assert [s for _, _, s in found(tmp_path, monkeypatch, "HIL504", a=GRAPH + API + body)] == [severity]


@pytest.mark.parametrize("name", OWN_THREADS)
def test_thread_of_its_own(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(tmp_path, monkeypatch, "HIL504", a=GRAPH + API + OWN_THREADS[name]) == []


def test_shared_thread_over_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = GRAPH + 'from settings import THREAD\ngraph = builder.compile(checkpointer=open_saver())\n\nasync def go(text):\n    return await graph.ainvoke(Command(resume=text), {"configurable": {"thread_id": THREAD}})\n'
    api = 'from fastapi import APIRouter\nfrom service import go\nrouter = APIRouter()\n\n@router.post("/a")\nasync def a(text: str):\n    return await go(text)\n'
    assert found(tmp_path, monkeypatch, "HIL504", service=service, api=api, settings='THREAD = "main"\n') == [("settings.py", 1, "note")]


SERVER = '\nfrom fastapi import FastAPI\napp = FastAPI()\n\n@app.post("/a/{t}")\ndef a(t: str, text: str):\n    return get_graph().invoke(Command(resume=text), {"configurable": {"thread_id": t}})\n'
SAVERS = {
    "in the call": "def get_graph():\n    return builder.compile(checkpointer=InMemorySaver())\n",
    "by position": "def get_graph():\n    return builder.compile(InMemorySaver())\n",
    "by name": "memory = InMemorySaver()\ndef get_graph():\n    return builder.compile(checkpointer=memory)\n",
    "kept by a cache": "@lru_cache\ndef saver():\n    return InMemorySaver()\n\n@lru_cache\ndef get_graph():\n    return builder.compile(checkpointer=saver())\n",
    "when it is first needed": "_graph = None\ndef get_graph():\n    global _graph\n    if _graph is None:\n        saver = InMemorySaver()\n        _graph = builder.compile(checkpointer=saver)\n    return _graph\n",
}
OTHER_SAVERS = {
    "by a setting": "def get_graph():\n    if os.getenv('DB'):\n        return builder.compile(checkpointer=open_db())\n    return builder.compile(checkpointer=InMemorySaver())\n",
    "chosen in place": "def get_graph():\n    saver = InMemorySaver() if os.getenv('X') else open_db()\n    return builder.compile(checkpointer=saver)\n",
    "what is passed, or": "def get_graph(saver=None):\n    return builder.compile(checkpointer=saver or InMemorySaver())\n",
    "a failed import": "def saver():\n    try:\n        from langgraph.checkpoint.postgres import PostgresSaver\n        return PostgresSaver(open_db())\n    except ImportError:\n        return InMemorySaver()\n\ndef get_graph():\n    return builder.compile(checkpointer=saver())\n",
    "a global by a setting": "_saver = None\ndef saver():\n    global _saver\n    if os.getenv('DB'):\n        _saver = open_db()\n    else:\n        _saver = InMemorySaver()\n    return _saver\n\ndef get_graph():\n    return builder.compile(checkpointer=saver())\n",
    "a database": "from langgraph.checkpoint.sqlite import SqliteSaver\ndef get_graph():\n    return builder.compile(checkpointer=SqliteSaver(open_db()))\n",
}


@pytest.mark.parametrize("name", SAVERS)
def test_saver_in_memory(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [s for _, _, s in found(tmp_path, monkeypatch, "HIL502", a=GRAPH + SAVERS[name] + SERVER)] == ["note"]


@pytest.mark.parametrize("name", OTHER_SAVERS)
def test_saver_that_may_be_another(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(tmp_path, monkeypatch, "HIL502", a=GRAPH + OTHER_SAVERS[name] + SERVER) == []


def test_saver_in_a_file_that_names_no_pause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = GRAPH + "from saving import saver\ndef get_graph():\n    return builder.compile(checkpointer=saver)\n" + SERVER
    assert found(tmp_path, monkeypatch, "HIL502", app=app, saving="from langgraph.checkpoint.memory import MemorySaver\nsaver = MemorySaver()\n") == [("saving.py", 2, "note")]


def test_server_saves_for_the_graphs_of_its_manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "langgraph.json").write_text('{"graphs": {"agent": "./a.py:graph"}}')
    text = GRAPH + "graph = builder.compile(checkpointer=InMemorySaver())\ndef get_graph():\n    return graph\n"
    other = "import fastapi\nfrom a import go\n"
    assert found(tmp_path, monkeypatch, "HIL502", a=text + "def go(c):\n    return graph.invoke(Command(resume=1), c)\n", b=other) == []
    # An endpoint of the application's own runs it in its own process, whatever the manifest is for.
    assert [s for _, _, s in found(tmp_path, monkeypatch, "HIL502", a=text + SERVER)] == ["note"]


@pytest.mark.parametrize("top", ["import temporalio.workflow\n", "from dbos import DBOS\n"])
def test_durable_engine(top: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(tmp_path, monkeypatch, "HIL502", a=top + GRAPH + SAVERS["in the call"] + SERVER) == []


PLAIN = "from langgraph.graph import START, StateGraph\nfrom langgraph.types import Command\ndef pay(state):\n    return {}\nb = StateGraph(dict).add_node('pay', pay).add_edge(START, 'pay')\n"
STOPS = {
    "only compiled": ("def make(saver):\n    return b.compile(checkpointer=saver, interrupt_before=['pay'])\n", ["note"]),
    "a constant": ("GATED = ['pay']\ndef make(saver):\n    return b.compile(checkpointer=saver, interrupt_after=GATED)\n", ["note"]),
    "set for the run": ("def go(saver, c):\n    g = b.compile(checkpointer=saver)\n    g.invoke({}, c, interrupt_before=['pay'])\n    return g.invoke(None, c)\n", ["note"]),
    "unless it is automatic": ("def make(saver, auto):\n    return b.compile(checkpointer=saver, interrupt_before=[] if auto else ['pay'])\n", ["note"]),
    "an answer": ("def make(saver):\n    return b.compile(checkpointer=saver, interrupt_before=['pay'])\ndef go(saver, c, x):\n    return make(saver).invoke(Command(resume=x), c)\n", ["warning"]),
    "a constant to go on": ("def make(saver):\n    return b.compile(checkpointer=saver, interrupt_before=['pay'])\ndef go(saver, c):\n    return make(saver).invoke(Command(resume=True), c)\n", ["note"]),
    "none": ("def make(saver):\n    return b.compile(checkpointer=saver, interrupt_before=[])\n", []),
    "handed in": ("def make(saver, stops):\n    return b.compile(checkpointer=saver, interrupt_before=stops)\n", []),
    "everywhere": ("def make(saver):\n    return b.compile(checkpointer=saver, interrupt_before='*')\n", []),
    "a debugger": ("def debug(saver):\n    return b.compile(checkpointer=saver, interrupt_before=['pay'])\n", []),
    "a script that steps": ("g = b.compile(checkpointer=object(), interrupt_before=['pay'])\nfor x in g.stream({}, {}):\n    print(x)\nfor x in g.stream(None, {}):\n    print(x)\n", []),
}


@pytest.mark.parametrize("name", STOPS)
def test_breakpoint(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body, severities = STOPS[name]
    assert [s for _, _, s in found(tmp_path, monkeypatch, "HIL503", a=PLAIN + body)] == severities
