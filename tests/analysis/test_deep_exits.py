"""Siblings of what HIL108, HIL203 and HIL205 to HIL208 report, written in other ways, each beside one that must stay silent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from deep import files, lint, told

CODES = ("HIL108", "HIL203", "HIL205", "HIL206", "HIL207", "HIL208")
HEAD = '''
import asyncio, contextlib, functools, os, shutil, tempfile, uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any
import httpx
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import tool
from langgraph.cache.memory import InMemoryCache
from langgraph.errors import GraphBubbleUp, GraphInterrupt, NodeInterrupt
from langgraph.func import entrypoint, task
from langgraph.graph import START, StateGraph
from langgraph.types import CachePolicy, Command, Interrupt, interrupt
from pydantic import BaseModel, ValidationError

def ask(q): return interrupt(q)
'''

CASES = {
    "temporary_by_helpers": '''
def workspace():
    return tempfile.mkdtemp(prefix="w")
def page_in(folder, text):
    page = Path(folder) / "p.html"
    page.write_text(text)
    return page
def bad(state):
    folder = workspace()
    try:
        page = page_in(folder, state["text"])
        return {"ok": ask({"page": str(page)})}
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # expect: HIL203
def good(state):
    folder = workspace()
    try:
        page = page_in(folder, state["text"])
        return {"ok": ask({"page": page.read_text()})}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
def good2(state):
    page = page_in(workspace(), state["text"])
    return {"ok": ask({"page": str(page)})}
''',
    "temporary_in_a_manager_and_a_stack": '''
@contextlib.contextmanager
def workspace():
    with tempfile.TemporaryDirectory() as d:
        yield Path(d)
def bad(state):
    with workspace() as w:  # expect: HIL203
        return {"ok": interrupt({"dir": f"{w}/out"})}
def bad2(state):
    with contextlib.ExitStack() as stack:
        d = stack.enter_context(tempfile.TemporaryDirectory())  # expect: HIL203
        return {"ok": interrupt({"dir": d})}
def good(state):
    with workspace() as w:
        (w / "x").write_text("1")
    return {"ok": interrupt("?")}
def good2(state):
    with workspace() as w:
        names = [p.name for p in w.iterdir()]
        return {"ok": interrupt({"files": names, "n": len(names)})}
''',
    "pause_of_a_tool_or_nested_graph_in_the_block": '''
@tool
def confirm(q: str) -> str:
    "d"
    return interrupt(q)
child = StateGraph(dict).add_node("c", lambda s: {"ok": interrupt("?")}).add_edge(START, "c").compile()
def bad(state):
    try:
        return {"ok": confirm.invoke({"q": "?"})}
    finally:
        httpx.post("https://x")  # expect: HIL203
def bad2(state):
    try:
        return child.invoke({})
    finally:
        httpx.post("https://x")  # expect: HIL203
def good(state):
    try:
        return {"ok": 1}
    finally:
        httpx.post("https://x")
g = StateGraph(dict).add_node("bad", bad).add_node("bad2", bad2)
''',
    "async_finally_and_helpers": '''
async def done(): 
    async with httpx.AsyncClient() as c:
        await c.post("https://x")
async def log(): print("x")
async def bad(state):
    try:
        return {"ok": interrupt("?")}
    finally:
        await done()  # expect: HIL203
async def good(state):
    try:
        return {"ok": interrupt("?")}
    finally:
        await log()
''',
    "finally_around_a_swallowed_pause": '''
def good(state):
    try:
        try:
            return {"ok": interrupt("?")}
        except Exception:
            return {}
    finally:
        httpx.post("https://x")
''',
    "handler_that_lets_the_pause_past_by_a_test": '''
def bad(state):
    try:
        return {"ok": interrupt("?")}
    except BaseException:
        httpx.post("https://x")  # expect: HIL203
        raise
def good(state):
    try:
        return {"ok": interrupt("?")}
    except Exception as e:
        if isinstance(e, GraphBubbleUp):
            raise
        httpx.post("https://x")
        raise
def good2(state):
    try:
        return {"ok": interrupt("?")}
    except ValueError:
        httpx.post("https://x")
        raise
''',
    "class_with_exit": '''
class Session:
    def __init__(self, http): self.http = http
    def __enter__(self): return self
    def __exit__(self, kind, exc, tb):
        self.http.post("https://x/closed")
class Careful(Session):
    def __exit__(self, kind, exc, tb):
        if kind is None:
            self.http.post("https://x/closed")
class Locked:
    def __enter__(self): return self
    def __exit__(self, *a): self.lock.release()
def bad(state):
    with Session(httpx.Client()):  # expect: HIL203
        return {"ok": interrupt("?")}
def good(state):
    with Careful(httpx.Client()), Locked():
        return {"ok": interrupt("?")}
''',
    "shared_things": '''
client = httpx.AsyncClient()
class Bot:
    def __init__(self): self.http = httpx.Client()
    def bad(self, state):
        try:
            self.http.get("https://x")
            return {"ok": interrupt("?")}
        finally:
            self.http.close()  # expect: HIL203
    def good(self, state):
        http = httpx.Client()
        try:
            http.get("https://x")
            return {"ok": interrupt("?")}
        finally:
            http.close()
async def bad(state):
    async with client:  # expect: HIL203
        return {"ok": interrupt("?")}
async def good(state):
    async with httpx.AsyncClient() as c:
        await c.get("https://x")
        return {"ok": interrupt("?")}
''',
    "by_hand": '''
class Stop(GraphInterrupt): ...
def bad(state):
    raise GraphInterrupt  # expect: HIL205
def bad2(state):
    if state["n"] > 5:
        err = NodeInterrupt("x")
        raise err  # expect: HIL205
def bad3(state):
    raise Stop([Interrupt(value="x")])  # expect: HIL205
class Bot:
    def _stop(self, why): raise NodeInterrupt(why)  # expect: HIL205
    def node(self, state): self._stop("x")
def good(state):
    try:
        return ask("?")
    except GraphInterrupt as e:
        raise e
def good2(state):
    raise GraphBubbleUp("x")
def good3(state, out):
    pending = [i for i in out["__interrupt__"]]
    raise GraphInterrupt(tuple(pending))
def good4(state, task):
    raise GraphInterrupt(task.interrupts)
''',
    "cached_in_other_ways": '''
@functools.cache
def bad(q): return ask(q)  # expect: HIL206
class Bot:
    @functools.lru_cache(maxsize=None)
    def bad(self, q):
        return interrupt(q)  # expect: HIL206
def plain(q):
    return interrupt(q)  # expect: HIL206
memo = functools.lru_cache(plain)
def build():
    @functools.lru_cache
    def inner(q):
        return interrupt(q)  # expect: HIL206
    def node(state):
        return {"ok": inner("?")}
    return node
@functools.lru_cache
def good(q): return len(q)
@functools.wraps(plain)
def good2(q): return interrupt(q)
''',
    "policies": '''
def bad(state):
    return {"ok": interrupt("?")}  # expect: HIL206
class Node:
    def __call__(self, state):
        return {"ok": interrupt("?")}  # expect: HIL206
def good(state): return {"ok": interrupt("?")}
def good2(state): return {"ok": interrupt("?")}
def work(state): return {"n": 1}
policy = CachePolicy(ttl=5)
b = StateGraph(dict)
b.add_node("bad", bad, cache_policy=policy)
b.add_node("node", Node(), cache_policy=policy)
b.add_node("good", good)
b.add_node("good2", good2, cache_policy=None)
b.add_node("work", work, cache_policy=policy)
graph = b.compile(cache=InMemoryCache())
other = StateGraph(dict)
other.add_node("good", good, cache_policy=policy)
plain = other.compile()
''',
    "threads": '''
def confirm(state): return {"ok": interrupt("?")}
def make(): return StateGraph(dict).add_node("c", confirm).add_edge(START, "c").compile()
child = make()
@entrypoint()
def flow(x): return interrupt(x)
class Bot:
    def __init__(self): self.child = make()
    async def bad(self, state):
        cfg = {"configurable": {}}
        cfg["configurable"]["thread_id"] = str(uuid.uuid4())
        return await self.child.ainvoke({}, config=cfg)  # expect: HIL207
    async def good(self, state, config: RunnableConfig):
        cfg = dict(config)
        cfg["tags"] = ["x"]
        return await self.child.ainvoke({}, config=cfg)
def bad(state):
    for chunk in child.stream({}, {"configurable": {"thread_id": "x"}}):  # expect: HIL207
        pass
    return {}
def bad2(state):
    return {"ok": flow.invoke("?", {"configurable": {"thread_id": "x"}})}  # expect: HIL207
def bad3(state, config: RunnableConfig):
    config["configurable"] = {"thread_id": "x"}
    return child.invoke({}, config)  # expect: HIL207
def good(state, config: RunnableConfig):
    return child.invoke({}, config={**config, "configurable": {**config["configurable"], "thread_id": "x"}})
def good2(state, config: RunnableConfig):
    config["configurable"]["thread_id"] = "x"
    return child.invoke({}, config)
def good3(state, cfg):
    return child.invoke({}, cfg)
def good4(state):
    return child.invoke({}, {"configurable": {"model": "x"}})
bot = Bot()
g = StateGraph(dict)
for n in (bad, bad2, bad3, good, good2, good3, good4): g.add_node(n)
g.add_node("m", bot.bad)
g.add_node("k", bot.good)
def main():
    graph = g.compile()
    graph.invoke({}, {"configurable": {"thread_id": "1"}})
    child.invoke({}, {"configurable": {"thread_id": "2"}})
''',
    "refusals": '''
class A(BaseModel):
    n: int
SCHEMA = A
class Bot:
    def q(self): return interrupt("?", response_schema=SCHEMA)
    def bad(self, state):
        try:
            return {"n": self.q().n}  # expect: HIL208
        except ValidationError as e:
            return {"error": str(e)}
def bad(state):
    answer = None
    try:
        answer = interrupt("?", response_schema=int)  # expect: HIL208
    except ValueError:
        pass
    return {"n": answer}
def good(state):
    for _ in range(3):
        try:
            return {"n": interrupt("?", response_schema=A).n}
        except ValueError:
            continue
def good2(state):
    try:
        return {"n": interrupt("?", response_schema=A).n}
    except ValueError as e:
        raise RuntimeError("x") from e
def good3(state):
    try:
        return {"n": interrupt("?", response_schema=A.model_json_schema())["n"]}
    except (KeyError, ValueError):
        return {}
''',
    "streams": '''
child = StateGraph(dict).add_node("x", lambda s: {"a": 1}).add_edge(START, "x").compile()
def bad(state):
    out = {}
    for c in child.stream({}):  # expect: HIL108
        out |= c
    ok = ask("?")
    return {**out, "ok": ok}
def bad2(state):
    stream = child.stream({})  # expect: HIL108
    steps = [c for c in stream]
    return {"steps": steps, "ok": interrupt(len(steps))}
async def bad3(state):
    text = ""
    async for mode, c in child.astream({}, stream_mode=["updates", "custom"]):  # expect: HIL108
        if mode == "updates":
            text += str(c)
    ok = interrupt(text)
    return {"text": text, "ok": ok}
def good(state):
    for c in child.stream({}):
        print(c)
    return {"ok": interrupt("?")}
def good2(state):
    out = child.invoke({})
    return {"out": out, "ok": interrupt("?")}
def good3(state, other):
    got = [c for c in other.stream({})]
    return {"got": got, "ok": interrupt("?")}
g = StateGraph(dict)
for n in (bad, bad2, bad3, good, good2, good3): g.add_node(n)
''',
}


@pytest.mark.parametrize("name", CASES)
def test_program(name: str, tmp_path: Path, monkeypatch: Any) -> None:
    modules = files(CASES[name], HEAD)
    said = told(modules, lint(modules, tmp_path, monkeypatch, CODES))
    assert not said, "\n" + said
