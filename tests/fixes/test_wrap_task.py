"""What moves into a @task, how it is written there, and what is left alone with a reason. tests/runtime/test_wrapped_in_task.py runs such programs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from by_text import apply, chosen, findings, mend

HEAD = """import time
import httpx
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt

"""
TAIL = """

graph = StateGraph(dict).add_node("node", node).add_edge(START, "node").compile(checkpointer=True)
"""
CODES = ("HIL101", "HIL102", "HIL103", "HIL104", "HIL105")


def wrapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> str:
    """The text after one fix of the first finding. AssertionError with the reason where there is none."""
    monkeypatch.chdir(tmp_path)
    Path("program.py").write_text(source, encoding="utf-8")
    found = findings(Path("program.py"), *CODES)
    assert found, "nothing is found"
    fix = chosen(found[0], "@task")
    assert fix is not None, found[0].no_fix
    assert fix.safety == "unsafe" and "finish the runs that are paused" in fix.note
    text = apply(source, fix.edits)
    compile(text, "program.py", "exec")
    return text


def body(text: str) -> str:
    """What stands between the imports and the graph."""
    return text.split("import task\n")[1].split("\n\ngraph =")[0].strip("\n")


# ---------------------------------------------------------------------- what moves
SHAPES = {
    "a statement gives nothing back": (
        'def node(state):\n    httpx.post("u", json=state["a"])\n    return {"x": interrupt("?")}',
        '@task\ndef post_once(state):\n    httpx.post("u", json=state["a"])\n\n\ndef node(state):\n    post_once(state).result()\n    return {"x": interrupt("?")}'),
    "what hangs on the call moves with it": (
        'def node(state):\n    key = httpx.post("u").json()["id"]\n    interrupt("?")\n    return {"k": key}',
        '@task\ndef post_once():\n    return httpx.post("u").json()["id"]\n\n\ndef node(state):\n    key = post_once().result()\n    interrupt("?")\n    return {"k": key}'),
    "awaited in async functions": (
        'async def node(state):\n    async with httpx.AsyncClient() as c:\n        key = (await c.post("u")).json()\n    return {"k": key, "x": interrupt("?")}',
        '@task\nasync def post_once():\n    async with httpx.AsyncClient() as c:\n        key = (await c.post("u")).json()\n    return key\n\n\n'
        'async def node(state):\n    key = await post_once()\n    return {"k": key, "x": interrupt("?")}'),
    "over several lines, with comments and strings as they are": (
        'def node(state):\n    httpx.post(\n        "u",  # where\n        content="""a\n  b""",\n    )\n    return {"x": interrupt("?")}',
        '@task\ndef post_once():\n    httpx.post(\n        "u",  # where\n        content="""a\n  b""",\n    )\n\n\n'
        'def node(state):\n    post_once().result()\n    return {"x": interrupt("?")}'),
    "in brackets of the statement": (
        'def node(state):\n    key = (\n        httpx\n        .post("u")\n        .json()\n    )\n    return {"k": key, "x": interrupt("?")}',
        '@task\ndef post_once():\n    return (httpx\n    .post("u")\n    .json())\n\n\n'
        'def node(state):\n    key = (\n        post_once().result()\n    )\n    return {"k": key, "x": interrupt("?")}'),
    "further lines move left with it": (
        'class Desk:\n    def node(self, state):\n        if True:\n            pass\n        self.box.send(\n            state,\n        )\n        return {"x": interrupt("?")}\n\n\nnode = Desk().node',
        '@task\ndef send_once(self, state):\n    self.box.send(\n        state,\n    )\n\n\n'
        'class Desk:\n    def node(self, state):\n        if True:\n            pass\n        send_once(self, state).result()\n        return {"x": interrupt("?")}\n\n\nnode = Desk().node'),
    "tabs": (
        'def node(state):\n\thttpx.post("u")\n\treturn {"x": interrupt("?")}',
        '@task\ndef post_once():\n\thttpx.post("u")\n\n\ndef node(state):\n\tpost_once().result()\n\treturn {"x": interrupt("?")}'),
    "a line with a semicolon": (
        'def node(state):\n    a = 1; httpx.post("u"); return {"x": interrupt("?")}',
        '@task\ndef post_once():\n    httpx.post("u")\n\n\ndef node(state):\n    a = 1; post_once().result(); return {"x": interrupt("?")}'),
    "a function on one line": (
        'def node(state): httpx.post("u"); return {"x": interrupt("?")}',
        '@task\ndef post_once():\n    httpx.post("u")\n\n\ndef node(state): post_once().result(); return {"x": interrupt("?")}'),
    "comments and decorators stay with the function": (
        'def keep(f):\n    return f\n\n\n# asks\n@keep\n@keep\ndef node(state):\n    httpx.post("u")\n    return {"x": interrupt("?")}',
        'def keep(f):\n    return f\n\n\n@task\ndef post_once():\n    httpx.post("u")\n\n\n# asks\n@keep\n@keep\ndef node(state):\n    post_once().result()\n    return {"x": interrupt("?")}'),
    "names of a function around it go in": (
        'def make(client, url):\n    def node(state):\n        client.send(url, [x for x in state["xs"]], key=lambda y: y + 1)\n        return {"x": interrupt("?")}\n    return node\n\n\nimport shop\n\nnode = make(shop.client, 2)',
        '@task\ndef send_once(client, url, state):\n    client.send(url, [x for x in state["xs"]], key=lambda y: y + 1)\n\n\n'
        'def make(client, url):\n    def node(state):\n        send_once(client, url, state).result()\n        return {"x": interrupt("?")}\n    return node\n\n\nimport shop\n\nnode = make(shop.client, 2)'),
    "a helper that an async node runs in a thread": (
        'import asyncio\n\n\ndef ask(state):\n    httpx.post("u")\n    return interrupt("?")\n\n\nasync def node(state):\n    return {"x": await asyncio.to_thread(ask, state)}',
        '@task\ndef post_once():\n    httpx.post("u")\n\n\ndef ask(state):\n    post_once().result()\n    return interrupt("?")\n\n\n'
        'async def node(state):\n    return {"x": await asyncio.to_thread(ask, state)}'),
    "what LangGraph fills by name goes in by place": (
        'def node(state, config):\n    httpx.post("u", json=config["configurable"])\n    return {"x": interrupt("?")}',
        '@task\ndef post_once(config, /):\n    httpx.post("u", json=config["configurable"])\n\n\n'
        'def node(state, config):\n    post_once(config).result()\n    return {"x": interrupt("?")}'),
    "inside another expression": (
        'def node(state):\n    return {"x": interrupt({"ticket": httpx.post("u").text})}',
        '@task\ndef post_once():\n    return httpx.post("u").text\n\n\ndef node(state):\n    return {"x": interrupt({"ticket": post_once().result()})}'),
    "inside an f-string": (
        "def node(state):\n    now = f\"at {time.time()}\"\n    interrupt('?')\n    return {'t': now}",
        "@task\ndef time_once():\n    return time.time()\n\n\ndef node(state):\n    now = f\"at {time_once().result()}\"\n    interrupt('?')\n    return {'t': now}"),
    "the body of a try": (
        'def node(state):\n    try:\n        httpx.post("u")\n    except OSError:\n        pass\n    return {"x": interrupt("?")}',
        '@task\ndef post_once():\n    httpx.post("u")\n\n\n'
        'def node(state):\n    try:\n        post_once().result()\n    except OSError:\n        pass\n    return {"x": interrupt("?")}'),
    "behind an early return that the state decides": (
        'def node(state):\n    if state["done"]:\n        return {}\n    httpx.post("u")\n    return {"x": interrupt("?")}',
        '@task\ndef post_once():\n    httpx.post("u")\n\n\n'
        'def node(state):\n    if state["done"]:\n        return {}\n    post_once().result()\n    return {"x": interrupt("?")}'),
    # ------------------------------------------------------------ whole statements
    "a response and what is read from it": (
        'def node(state):\n    r = httpx.post("u")\n    r.raise_for_status()\n    key = r.json()["id"]  # the key\n    interrupt("?")\n    return {"k": key}',
        '@task\ndef post_once():\n    r = httpx.post("u")\n    r.raise_for_status()\n    key = r.json()["id"]  # the key\n    return key\n\n\n'
        'def node(state):\n    key = post_once().result()\n    interrupt("?")\n    return {"k": key}'),
    "a choice": (
        'def node(state):\n    if state["new"]:\n        httpx.post("u")\n    else:\n        httpx.get("u")\n    return {"x": interrupt("?")}',
        '@task\ndef post_once(state):\n    if state["new"]:\n        httpx.post("u")\n    else:\n        httpx.get("u")\n\n\n'
        'def node(state):\n    post_once(state).result()\n    return {"x": interrupt("?")}'),
    "a loop with the list that it fills": (
        'def node(state):\n    keys = []\n    for who in state["to"]:\n        keys.append(httpx.post("u", json=who).json())\n    interrupt("?")\n    return {"k": keys}',
        '@task\ndef post_once(state, keys):\n    for who in state["to"]:\n        keys.append(httpx.post("u", json=who).json())\n    return keys\n\n\n'
        'def node(state):\n    keys = []\n    keys = post_once(state, keys).result()\n    interrupt("?")\n    return {"k": keys}'),
    "a stream with the loop that reads it": (
        'from openai import AsyncOpenAI\n\nclient = AsyncOpenAI()\n\n\nasync def node(state):\n    r = await client.chat.completions.create(messages=[], stream=True)\n    async for c in r:\n'
        '        print(c)\n    return {"x": interrupt("?")}',
        'client = AsyncOpenAI()\n\n\n@task\nasync def create_once():\n    r = await client.chat.completions.create(messages=[], stream=True)\n    async for c in r:\n        print(c)\n\n\n'
        'async def node(state):\n    await create_once()\n    return {"x": interrupt("?")}'),
    "a block that opens a file": (
        'def node(state):\n    with open("f", "a") as out:\n        # a line\n        out.write("x")\n    return {"x": interrupt("?")}',
        '@task\ndef open_once():\n    with open("f", "a") as out:\n        # a line\n        out.write("x")\n\n\n'
        'def node(state):\n    open_once().result()\n    return {"x": interrupt("?")}'),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_moves(shape: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = SHAPES[shape]
    text = wrapped(tmp_path, monkeypatch, f"{HEAD}\n{before}{TAIL}")
    assert body(text) == after
    Path("program.py").write_text(text, encoding="utf-8")
    # The rest of the finding's kind may still be there; what has moved is not.
    assert not [f for f in findings(Path("program.py"), *CODES) if "_once" in f.function]


def test_two_calls_are_two_tasks_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("program.py")
    path.write_text(f'{HEAD}\ndef node(state):\n    httpx.post("a")\n    httpx.post("b")\n    return {{"x": interrupt("?")}}{TAIL}', encoding="utf-8")
    text = mend(path, *CODES, needle="@task")
    assert "    post_once().result()\n    post_once_2().result()\n" in text
    assert not findings(path, *CODES)
    assert mend(path, *CODES) == text


# ---------------------------------------------------------------------- what is left alone
REFUSED = {
    "shown and used": ('def node(state):\n    key = httpx.post("u").json()\n    interrupt(key)\n    return {"k": key}', "nobody has approved"),
    "a loop with the pause in it": ('def node(state):\n    for x in state["xs"]:\n        httpx.post("u")\n        interrupt(x)', "once per round"),
    "a choice with the pause in it": ('def node(state):\n    if state["a"]:\n        httpx.post("u")\n        return {"x": interrupt("?")}\n    return {}', "position"),
    "an except clause with the pause behind it": ('def node(state):\n    try:\n        x = 1 / state["a"]\n    except ZeroDivisionError:\n        httpx.post("u")\n        return {"x": interrupt("?")}\n    return {}', "failed"),
    "an early return that changes": ('def node(state):\n    if time.time() > state["a"]:\n        return {}\n    httpx.post("u")\n    return {"x": interrupt("?")}', "time.time()"),
    "a response that is used after the pause": ('def node(state):\n    r = httpx.post("u")\n    interrupt("?")\n    r.raise_for_status()\n    return {}', "response"),
    "a stream that is read after the pause": ('from openai import OpenAI\n\nclient = OpenAI()\n\n\ndef node(state):\n    r = client.chat.completions.create(messages=[], stream=True)\n'
                                              '    interrupt("?")\n    return {"x": list(r)}', "a stream"),
    "a generator": ('def node(state):\n    httpx.post("u")\n    yield {"x": interrupt("?")}', "generator"),
    "a lambda": ('node = lambda state: {"a": httpx.post("u").text, "x": interrupt("?")}', "lambda"),
    "named in the expression": ('def node(state):\n    if (key := httpx.post("u").json()["id"]) and interrupt("?"):\n        return {"k": key}\n    return {}', ":="),
    "a cursor": ('import sqlite3\n\n\ndef node(state, cur: sqlite3.Cursor):\n    cur.execute("INSERT INTO t VALUES (1)")\n    return {"x": interrupt("?")}', "thread"),
    "a model": ('from langchain_openai import ChatOpenAI\n\n\ndef sign_up():\n    httpx.post("u")\n    return ChatOpenAI()\n\n\ndef node(state):\n    llm = sign_up()\n    interrupt("?")\n    return {"x": llm.bind(a=1)}', "a model"),
    "a clock of the process": ('def node(state):\n    t = time.perf_counter()\n    interrupt("?")\n    return {"t": t}', "process"),
    "super": ('class A:\n    def run(self, s):\n        httpx.post("u")\n\n\nclass B(A):\n    def run(self, state):\n        super().run(state)\n        return {"x": interrupt("?")}\n\n\nnode = B().run', "super"),
    "a private name": ('class B:\n    def __send(self):\n        httpx.post("u")\n\n    def run(self, state):\n        self.__send()\n        return {"x": interrupt("?")}\n\n\nnode = B().run', "__send"),
    "changes what it is given": ('def fill(order):\n    httpx.post("u")\n    order["done"] = True\n\n\ndef node(state):\n    order = {}\n    fill(order)\n    interrupt("?")\n    return order', "changes"),
    "gathered": ('import asyncio\n\n\nasync def ask():\n    return interrupt("?")\n\n\nasync def node(state):\n    await asyncio.gather(httpx.AsyncClient().post("u"), ask())\n    return {}', "beside other work"),
    "a helper of an async node": ('def ask(state):\n    httpx.post("u")\n    return interrupt("?")\n\n\nasync def node(state):\n    return {"x": ask(state)}', "async"),
    "a tool that an async node invokes on the event loop": ('from langchain_core.tools import tool\n\n\n@tool\ndef ask(q: str) -> str:\n    """Ask."""\n    httpx.post("u")\n    return interrupt("?")\n\n\nasync def node(state):\n    return {"x": ask.invoke({"q": "a"})}', "async"),
    "a helper in a comprehension": ('def ask(x):\n    httpx.post("u")\n    return interrupt(x)\n\n\ndef node(state):\n    return {"x": [ask(x) for x in state["xs"]]}', "how often"),
    "a block that holds a lock": ('import threading\n\nlock = threading.RLock()\n\n\ndef node(state):\n    with lock:\n        httpx.post("u")\n        return {"x": interrupt("?")}', "with lock"),
    "an async helper of a node that is not": ('import asyncio\n\n\nasync def ask(state):\n    await httpx.AsyncClient().post("u")\n    return interrupt("?")\n\n\ndef node(state):\n    return {"x": asyncio.run(ask(state))}', "event loop"),
    "a task behind it makes what is shown": (
        'from langgraph.func import task\n\n\n@task\ndef draft():\n    return time.time()\n\n\ndef node(state):\n    httpx.post("u")\n    d = draft().result()\n    interrupt(d)\n    return {"d": d}', "anew"),
    "a tool that shares a task with others": (
        'from langchain_core.tools import tool\nfrom langgraph.prebuilt import ToolNode\n\n\n@tool\ndef pay(a: int) -> str:\n    """Pay."""\n    httpx.post("u")\n    return interrupt("?")\n\n\nnode = ToolNode([pay])', "ToolNode"),
}


@pytest.mark.parametrize("shape", REFUSED)
def test_is_left_alone_with_a_reason(shape: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, why = REFUSED[shape]
    monkeypatch.chdir(tmp_path)
    Path("program.py").write_text(f"{HEAD}\n{before}{TAIL}", encoding="utf-8")
    found = findings(Path("program.py"), *CODES)
    assert found, "nothing is found"
    assert all(chosen(f, "@task") is None for f in found), [fix.title for f in found for fix in f.fixes]
    reasons = [f.no_fix for f in found]
    assert any(why in reason for reason in reasons), reasons
