"""What runs again, what was shown and what decides, on long ways round: each program with the twin that must stay silent."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from deep import files, lint, told

CODES = ("HIL101", "HIL102", "HIL103", "HIL104", "HIL201", "HIL202", "HIL301")
HEAD = '''
import asyncio, contextlib, copy, dataclasses, datetime, functools, json, logging, random, smtplib, sys, time, uuid
from typing import Any
import httpx
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.errors import GraphBubbleUp, GraphInterrupt
from langgraph.func import entrypoint, task
from langgraph.graph import END, START, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, interrupt
from pydantic import BaseModel, Field

llm = ChatOpenAI()
def draft(topic): return llm.invoke(topic).content
def fixed(topic): return f"about {topic}"
def ask(question): return interrupt(question)
'''

VALUES = {
    "payload_by_double_star": '''
def bad(state):
    params = {"text": draft(state["topic"])}  # expect: HIL104
    ok = interrupt({"question": "?", **params})
    return {"text": params["text"], "ok": ok}
def good(state):
    params = {"text": state["text"]}
    ok = interrupt({"question": "?", **params})
    return {"text": params["text"], "ok": ok}
''',
    "payload_by_fstring_and_format": '''
def bad(state):
    text = draft(state["topic"])  # expect: HIL104
    ok = interrupt(f"Send {text!r}?")
    return {"text": text, "ok": ok}
def bad2(state):
    text = draft(state["topic"])  # expect: HIL104
    ok = interrupt("Send {}?".format(text))
    return {"text": text, "ok": ok}
def bad3(state):
    text = draft(state["topic"])  # expect: HIL104
    ok = interrupt("Send %s?" % text)
    return {"text": text, "ok": ok}
def good(state):
    text = fixed(state["topic"])
    ok = interrupt(f"Send {text!r}?")
    return {"text": text, "ok": ok}
''',
    "payload_built_in_a_loop": '''
def bad(state):
    rows = []
    for topic in state["topics"]:
        rows.append({"topic": topic, "text": draft(topic)})  # expect: HIL104
    ok = interrupt({"rows": rows})
    return {"rows": rows if ok else []}
def good(state):
    rows = []
    for topic in state["topics"]:
        rows.append({"topic": topic, "text": fixed(topic)})
    ok = interrupt({"rows": rows})
    return {"rows": rows if ok else []}
''',
    "payload_by_comprehension_and_join": '''
def bad(state):
    parts = [draft(t) for t in state["topics"]]  # expect: HIL104
    ok = interrupt("\\n".join(parts))
    return {"text": "\\n".join(parts), "ok": ok}
def good(state):
    parts = [fixed(t) for t in state["topics"]]
    ok = interrupt("\\n".join(parts))
    return {"text": "\\n".join(parts), "ok": ok}
''',
    "payload_through_a_helper": '''
def show(text, extra=None):
    return ask({"text": text, "extra": extra})
def bad(state):
    text = draft(state["topic"])  # expect: HIL104
    ok = show(text)
    return {"text": text, "ok": ok}
def bad2(state):
    text = draft(state["topic"])  # expect: HIL104
    ok = show("x", extra=text)
    return {"text": text, "ok": ok}
def good(state):
    text = fixed(state["topic"])
    ok = show(text)
    return {"text": text, "ok": ok}
''',
    "payload_through_helper_with_star_args": '''
def show(**payload):
    return interrupt(payload)
def bad(state):
    text = draft(state["topic"])  # expect: HIL104
    ok = show(text=text, q="?")
    return {"text": text, "ok": ok}
def good(state):
    text = fixed(state["topic"])
    ok = show(text=text, q="?")
    return {"text": text, "ok": ok}
''',
    "payload_made_by_a_builder_function": '''
def payload(text):
    out = {"kind": "review"}
    out["text"] = text
    return out
def bad(state):
    text = draft(state["topic"])  # expect: HIL104
    ok = interrupt(payload(text))
    return {"text": text, "ok": ok}
def good(state):
    text = fixed(state["topic"])
    ok = interrupt(payload(text))
    return {"text": text, "ok": ok}
''',
    "payload_of_a_dataclass": '''
@dataclasses.dataclass
class Review:
    text: str
    def as_dict(self): return {"text": self.text}
def bad(state):
    r = Review(draft(state["topic"]))  # expect: HIL104
    ok = interrupt(dataclasses.asdict(r))
    return {"text": r.text, "ok": ok}
def bad2(state):
    r = Review(text=draft(state["topic"]))  # expect: HIL104
    ok = interrupt(r.as_dict())
    return {"text": r.text, "ok": ok}
def good(state):
    r = Review(text=fixed(state["topic"]))
    ok = interrupt(r.as_dict())
    return {"text": r.text, "ok": ok}
''',
    "value_by_tuple_unpacking": '''
def both(topic):
    return draft(topic), len(topic)
def bad(state):
    text, size = both(state["topic"])  # expect: HIL104
    ok = interrupt({"text": text})
    return {"text": text, "ok": ok}
def bad2(state):
    text, size = draft(state["topic"]), 5  # expect: HIL104
    ok = interrupt({"text": text})
    return {"text": text, "ok": ok}
def good(state):
    text, size = fixed(state["topic"]), len(state["topic"])
    ok = interrupt({"text": text})
    return {"text": text, "size": size, "ok": ok}
''',
    "value_by_fallback": '''
def bad(state):
    text = state.get("text") or draft(state["topic"])  # expect: HIL104
    ok = interrupt({"text": text})
    return {"text": text, "ok": ok}
def bad2(state):
    text = state["text"] if "text" in state else draft(state["topic"])  # expect: HIL104
    ok = interrupt({"text": text})
    return {"text": text, "ok": ok}
def good(state):
    text = state.get("text") or fixed(state["topic"])
    ok = interrupt({"text": text})
    return {"text": text, "ok": ok}
''',
    "value_by_await_and_gather": '''
async def adraft(t): return (await llm.ainvoke(t)).content
async def afixed(t): return t.upper()
async def bad(state):
    text = await adraft(state["topic"])  # expect: HIL104
    ok = interrupt({"text": text})
    return {"text": text, "ok": ok}
async def bad2(state):
    a, b = await asyncio.gather(adraft("a"), afixed("b"))  # expect: HIL104
    ok = interrupt({"text": a})
    return {"text": a, "ok": ok}
async def good(state):
    a = await afixed("b")
    ok = interrupt({"text": a})
    return {"text": a, "ok": ok}
''',
    "value_in_an_attribute_of_self": '''
class Bot:
    def bad(self, state):
        self.text = draft(state["topic"])  # expect: HIL104
        ok = interrupt({"text": self.text})
        return {"text": self.text, "ok": ok}
    def good(self, state):
        self.other = fixed(state["topic"])
        ok = interrupt({"text": self.other})
        return {"text": self.other, "ok": ok}
''',
    "value_kept_in_an_object_by_a_method": '''
class Note:
    def __init__(self): self.text = ""
    def write(self, text): self.text = text
def bad(state):
    note = Note()
    note.write(draft(state["topic"]))  # expect: HIL104
    ok = interrupt({"text": note.text})
    return {"text": note.text, "ok": ok}
def good(state):
    note = Note()
    note.write(fixed(state["topic"]))
    ok = interrupt({"text": note.text})
    return {"text": note.text, "ok": ok}
''',
    "value_by_walrus": '''
def bad(state):
    if (text := draft(state["topic"])):  # expect: HIL104, HIL301
        ok = interrupt({"text": text})  # expect: HIL301
        return {"text": text, "ok": ok}
def good(state):
    if (text := fixed(state["topic"])):
        ok = interrupt({"text": text})
        return {"text": text, "ok": ok}
'''.replace("# expect: HIL104, HIL301", "# expect: HIL104"),
    "value_copied_and_dumped": '''
def bad(state):
    plan = {"steps": draft(state["topic"])}  # expect: HIL104
    shown = copy.deepcopy(plan)
    ok = interrupt(json.dumps(shown, indent=2))
    return {"plan": plan, "ok": ok}
def good(state):
    plan = {"steps": fixed(state["topic"])}
    shown = copy.deepcopy(plan)
    ok = interrupt(json.dumps(shown, indent=2))
    return {"plan": plan, "ok": ok}
''',
    "value_by_update_and_setdefault": '''
def bad(state):
    p = {}
    p.update(text=draft(state["topic"]))  # expect: HIL104
    ok = interrupt(p)
    return {"text": p["text"], "ok": ok}
def bad2(state):
    p = {}
    p.setdefault("text", draft(state["topic"]))  # expect: HIL104
    ok = interrupt(p)
    return {"text": p["text"], "ok": ok}
def good(state):
    p = {}
    p.update(text=fixed(state["topic"]))
    ok = interrupt(p)
    return {"text": p["text"], "ok": ok}
''',
    "value_by_merge": '''
def bad(state):
    p = {"q": "?"} | {"text": draft(state["topic"])}  # expect: HIL104
    ok = interrupt(p)
    return {"text": p["text"], "ok": ok}
def good(state):
    p = {"q": "?"} | {"text": fixed(state["topic"])}
    ok = interrupt(p)
    return {"text": p["text"], "ok": ok}
''',
    "id_shown_and_sent": '''
def bad(state):
    ref = str(uuid.uuid4())  # expect: HIL104
    ok = interrupt({"ref": ref})
    httpx.post("https://x", json={"ref": ref})
    return {"ok": ok}
def good(state):
    ref = str(uuid.uuid5(uuid.NAMESPACE_URL, state["url"]))
    ok = interrupt({"ref": ref})
    httpx.post("https://x", json={"ref": ref})
    return {"ok": ok}
''',
    "id_by_default_factory": '''
@dataclasses.dataclass
class Ticket:
    title: str
    id: str = dataclasses.field(default_factory=lambda: uuid.uuid4().hex)
@dataclasses.dataclass
class Plain:
    title: str
    tags: list = dataclasses.field(default_factory=list)
class Case(BaseModel):
    title: str
    id: str = Field(default_factory=lambda: str(uuid.uuid4()))
class Stamped(BaseModel):
    title: str
    at: datetime.datetime = Field(default_factory=datetime.datetime.now)
def bad(state):
    t = Ticket("x")  # expect: HIL104
    ok = interrupt({"ticket": t.id})
    return {"id": t.id, "ok": ok}
def bad2(state):
    c = Case(title="x")  # expect: HIL103
    ok = interrupt("?")
    return {"case": c, "ok": ok}
def good2(state):
    t = Ticket("x")
    ok = interrupt({"ticket": t.title})
    return {"title": t.title, "ok": ok}
def good3(state):
    c = Case(title="x", id=state["id"])
    ok = interrupt("?")
    return {"case": c, "ok": ok}
def good4(state):
    c = Case(**state["case"])
    ok = interrupt({"case": c.id})
    return {"case": c, "ok": ok}
def good5(state):
    c = Stamped(title="x")
    ok = interrupt({"case": c})
    return {"case": c, "ok": ok}
def good(state):
    t = Plain("x")
    ok = interrupt({"ticket": t.title})
    return {"id": t.title, "ok": ok}
''',
    "answer_overrides_everything": '''
def good(state):
    text = draft(state["topic"])  # expect: HIL102
    text = interrupt({"text": text})
    return {"text": text}
def good2(state):
    shown = fixed(state["topic"])
    answer = interrupt({"text": shown})
    return {"text": answer["text"]}
''',
    "clock_in_a_helper": '''
def stamp(): return datetime.datetime.now().isoformat()
def day(state): return state["day"]
def bad(state):
    at = stamp()  # expect: HIL103
    ok = interrupt("?")
    return {"at": at, "ok": ok}
def good(state):
    at = day(state)
    ok = interrupt("?")
    return {"at": at, "ok": ok}
''',
}

GUARDS = {
    "module_memory": '''
SEEN = set()
LIMITS = {"a": 5}
def bad(state):
    if state["id"] not in SEEN:
        SEEN.add(state["id"])
        ok = interrupt("?")  # expect: HIL301
        return {"ok": ok}
    return {}
def good(state):
    if state["n"] > LIMITS["a"]:
        return {"ok": interrupt("?")}
    return {}
''',
    "memory_of_self": '''
class Bot:
    def __init__(self, limit):
        self.limit = limit
        self.calls = 0
        self.cache = {}
    def bad(self, state):
        self.calls += 1
        if self.calls < 3:
            return {"ok": interrupt("?")}  # expect: HIL301
        return {}
    def bad2(self, state):
        if state["id"] in self.cache:
            return {"ok": self.cache[state["id"]]}
        self.cache[state["id"]] = 1
        return {"ok": interrupt("?")}  # expect: HIL301
    def good(self, state):
        if state["n"] > self.limit:
            return {"ok": interrupt("?")}
        return {}
''',
    "memory_in_a_closure": '''
def make(limit):
    done = False
    def bad(state):
        nonlocal done
        if not done:
            done = True
            return {"ok": interrupt("?")}  # expect: HIL301
        return {}
    def good(state):
        if state["n"] > limit:
            return {"ok": interrupt("?")}
        return {}
    return bad, good
''',
    "memory_behind_a_helper": '''
COUNTS = {}
def often(user):
    COUNTS[user] = COUNTS.get(user, 0) + 1
    return COUNTS[user] > 3
def many(state):
    return len(state["items"]) > 3
def bad(state):
    if often(state["user"]):
        return {"ok": interrupt("?")}  # expect: HIL301
    return {}
def good(state):
    if many(state):
        return {"ok": interrupt("?")}
    return {}
''',
    "guard_in_a_helper_that_pauses": '''
def maybe(value):
    if value > 0.5:
        return interrupt("?")
    return None
def bad(state):
    return {"ok": maybe(random.random())}  # expect: HIL301
def good(state):
    return {"ok": maybe(state["score"])}
''',
    "guard_by_boolean_operator": '''
def bad(state):
    ok = random.random() < 0.1 and interrupt("?")  # expect: HIL103, HIL301
    return {"ok": ok}
def bad2(state):
    ok = interrupt("?") if time.time() % 2 else True  # expect: HIL103, HIL301
    return {"ok": ok}
def good(state):
    ok = state["n"] < 0.1 and interrupt("?")
    return {"ok": ok}
''',
    "guard_by_early_return": '''
def bad(state):
    if datetime.datetime.now().hour < 8:
        return {}
    return {"ok": interrupt("?")}  # expect: HIL301
def good(state):
    if state["hour"] < 8:
        return {}
    return {"ok": interrupt("?")}
''',
    "guard_by_model_through_a_class": '''
class Judge:
    def __init__(self, model): self.model = model
    def risky(self, text): return "yes" in self.model.invoke(text).content  
judge = Judge(llm)
class Rules:
    def risky(self, text): return "delete" in text
rules = Rules()
def bad(state):
    if judge.risky(state["text"]):  # expect: HIL102
        return {"ok": interrupt("?")}  # expect: HIL301
    return {}
def good(state):
    if rules.risky(state["text"]):
        return {"ok": interrupt("?")}
    return {}
''',
    "guard_by_match": '''
def bad(state):
    match draft(state["t"]):  # expect: HIL102
        case "risky":
            return {"ok": interrupt("?")}  # expect: HIL301
    return {}
def good(state):
    match state["t"]:
        case "risky":
            return {"ok": interrupt("?")}
    return {}
''',
    "guard_is_an_earlier_answer": '''
def good(state):
    kind = interrupt("kind?")
    if kind == "long":
        return {"more": interrupt("more?")}
    return {}
''',
    "guard_from_a_finished_task": '''
@task
def roll(): return random.random()
def good(state):
    if roll().result() > 0.5:
        return {"ok": interrupt("?")}
    return {}
''',
}

HANDLERS = {
    "helper_that_never_returns": '''
def let_go(e):
    logging.info("x")
    raise e
def keep(e):
    logging.info("x")
def bad(state):
    try:
        return {"ok": interrupt("?")}  # expect: HIL201
    except Exception as e:
        keep(e)
        return {}
def good(state):
    try:
        return {"ok": interrupt("?")}
    except Exception as e:
        let_go(e)
''',
    "helper_two_deep": '''
def inner(e):
    if isinstance(e, GraphBubbleUp):
        raise e
def outer(e):
    inner(e)
    return str(e)
def outer2(e):
    return str(e)
def bad(state):
    try:
        return {"ok": interrupt("?")}  # expect: HIL201
    except Exception as e:
        return {"e": outer2(e)}
def good(state):
    try:
        return {"ok": interrupt("?")}
    except Exception as e:
        return {"e": outer(e)}
''',
    "decorator_around_the_node": '''
def safe(f):
    @functools.wraps(f)
    def w(state):
        try:
            return f(state)
        except Exception as e:
            return {"error": str(e)}
    return w
def timed(f):
    @functools.wraps(f)
    def w(state):
        try:
            return f(state)
        finally:
            logging.info("done")
    return w
@safe
def bad(state):
    return {"ok": interrupt("?")}  # expect: HIL202
@timed
def good(state):
    return {"ok": interrupt("?")}
''',
    "wrapper_in_add_node": '''
def safe(f):
    def w(state):
        try:
            return f(state)
        except Exception as e:
            return {"error": str(e)}
    return w
def honest(f):
    def w(state):
        try:
            return f(state)
        except GraphBubbleUp:
            raise
        except Exception as e:
            return {"error": str(e)}
    return w
def bad(state):
    return {"ok": interrupt("?")}  # expect: HIL202
def good(state):
    return {"ok": interrupt("?")}
g = StateGraph(dict)
g.add_node("bad", safe(bad))
g.add_node("good", honest(good))
''',
    "method_that_runs_handlers": '''
class Runner:
    def run(self, f, *a):
        try:
            return f(*a)  # expect: HIL201
        except Exception:
            return None
    def run2(self, f, *a):
        try:
            return f(*a)
        except ValueError:
            return None
runner = Runner()
def bad(state):
    return {"ok": runner.run(ask, "?")}
def good(state):
    return {"ok": runner.run2(ask, "?")}
''',
}

PLACES = {
    "tool": '''
@tool
def bad(to: str) -> str:
    "d"
    httpx.post("https://x")  # expect: HIL101
    return interrupt("?")
@tool("named", return_direct=True)
async def bad2(to: str) -> str:
    "d"
    httpx.post("https://x")  # expect: HIL101
    return interrupt("?")
@tool
def good(to: str) -> str:
    "d"
    ok = interrupt("?")
    httpx.post("https://x")
    return ok
''',
    "middleware_hooks": '''
from langchain.agents.middleware import AgentMiddleware, before_model, after_model, wrap_tool_call, wrap_model_call
class M(AgentMiddleware):
    def before_model(self, state, runtime):
        httpx.post("https://x")  # expect: HIL101
        return {"ok": interrupt("?")}
    async def aafter_model(self, state, runtime):
        httpx.post("https://x")  # expect: HIL101
        return {"ok": interrupt("?")}
    def after_agent(self, state, runtime):
        ok = interrupt("?")
        httpx.post("https://x")
        return {"ok": ok}
@before_model
def bad(state, runtime):
    httpx.post("https://x")  # expect: HIL101
    return {"ok": interrupt("?")}
@after_model
def good(state, runtime):
    ok = interrupt("?")
    httpx.post("https://x")
''',
    "wrap_hooks": '''
from langchain.agents.middleware import AgentMiddleware, wrap_tool_call, wrap_model_call
@wrap_tool_call
def bad(request, handler):
    result = handler(request)  # expect: HIL104
    ok = interrupt({"result": str(result)})
    return result if ok else None
@wrap_tool_call
def good(request, handler):
    if interrupt({"call": request.tool_call}):
        return handler(request)
@wrap_model_call
def badm(request, handler):
    response = handler(request)  # expect: HIL104
    ok = interrupt({"r": str(response)})
    return response
@wrap_model_call
def goodm(request, handler):
    interrupt({"go": 1})
    return handler(request)
class M(AgentMiddleware):
    async def awrap_tool_call(self, request, handler):
        result = await handler(request)  # expect: HIL101
        interrupt("ok?")
        return result
''',
    "router": '''
def work(state):
    httpx.post("https://x")  # expect: HIL101
    return {}
def calm(state):
    return {"n": len(state)}
def route(state):
    return "a" if interrupt("?") else END
g = StateGraph(dict)
g.add_node("work", work)
g.add_node("calm", calm)
g.add_conditional_edges("work", route)
g2 = StateGraph(dict)
g2.add_node("calm", calm)
g2.add_conditional_edges("calm", route)
''',
    "error_handler": '''
def work(state): return {"x": 1 / 0}
def bad(state, error):
    httpx.post("https://x")  # expect: HIL101
    return {"ok": interrupt("?")}
def good(state, error):
    ok = interrupt("?")
    httpx.post("https://x")
    return {"ok": ok}
g = StateGraph(dict)
g.add_node("work", work, error_handler=bad)
g.add_node("work2", work, error_handler=good)
''',
    "siblings_in_gather": '''
async def send(): httpx.post("https://x")
async def look(): return httpx.get("https://x")
async def aask(): return interrupt("?")
async def bad(state):
    return await asyncio.gather(aask(), send())  # expect: HIL101
async def good(state):
    return await asyncio.gather(aask(), look())
async def good2(state):
    a = await aask()
    await asyncio.gather(send(), look())
    return a
''',
    "callable_instance": '''
class Node:
    def __init__(self, off=False): self.off = off
    def __call__(self, state):
        httpx.post("https://x")  # expect: HIL101
        return {"ok": interrupt("?")}
class Good:
    async def __call__(self, state):
        ok = interrupt("?")
        httpx.post("https://x")
        return {"ok": ok}
g = StateGraph(dict)
g.add_node("n", Node())
g.add_node("g", Good())
''',
    "template_method": '''
class Base:
    def __call__(self, state):
        self.prepare(state)  # expect: HIL101
        answer = interrupt(self.question(state))
        self.finish(state)
        return {"ok": answer}
    def prepare(self, state): ...
    def question(self, state): return "?"
    def finish(self, state): ...
class Loud(Base):
    def prepare(self, state): httpx.post("https://x")
    def finish(self, state): httpx.post("https://x")
class Base2:
    def __call__(self, state):
        self.prepare2(state)
        return {"ok": interrupt("?")}
    def prepare2(self, state): ...
class Calm(Base2):
    def prepare2(self, state): return len(state)
''',
    "entrypoint": '''
@task
def save(x): httpx.post("https://x")
@entrypoint()
def bad(x):
    httpx.post("https://x")  # expect: HIL101
    return interrupt("?")
@entrypoint()
async def good(x):
    await save(x)
    return interrupt("?")
''',
    "generator_and_lambda_nodes": '''
def bad(state):
    yield {"a": httpx.post("https://x").json()}  # expect: HIL101
    ok = interrupt("?")
    yield {"ok": ok}
def good(state):
    ok = interrupt("?")
    yield {"a": httpx.post("https://x").json()}
send = lambda state: (httpx.post("https://x"), interrupt("?"))  # expect: HIL101
''',
    "tool_node_by_hand": '''
@tool
def wire(to: str) -> str:
    "d"
    ok = interrupt("?")
    httpx.post("https://x")
    return ok
@tool
def look(to: str) -> str:
    "d"
    return interrupt("?") + to
by_name = {t.name: t for t in [wire]}
by_name2 = {t.name: t for t in [look]}
def bad(state):
    out = []
    for call in state["messages"][-1].tool_calls:
        out.append(by_name[call["name"]].invoke(call["args"]))  # expect: HIL101
    return {"messages": out}
def good(state):
    out = []
    for call in state["messages"][-1].tool_calls:
        out.append(by_name2[call["name"]].invoke(call["args"]))
    return {"messages": out}
''',
    "helper_pauses_in_the_middle": '''
def steps(state):
    httpx.post("https://x")  # expect: HIL101
    ok = interrupt("?")
    httpx.post("https://x/2")
    return ok
def bad(state):
    httpx.post("https://x/0")  # expect: HIL101
    return {"ok": steps(state)}  # expect: HIL101
def good(state):
    ok = ask("?")
    httpx.post("https://x/0")
    return {"ok": ok}
'''.replace('return {"ok": steps(state)}  # expect: HIL101', 'return {"ok": steps(state)}'),
    "comprehension_that_pauses": '''
def bad(state):
    return [(httpx.post("https://x", json=i), interrupt(i)) for i in state["items"]]  # expect: HIL101
def good(state):
    return [interrupt(i) for i in state["items"]]
''',
    "async_generator_and_async_for": '''
async def lines():
    yield httpx.post("https://x")
async def calm():
    yield 1
async def bad(state):
    async for line in lines():  # expect: HIL101
        pass
    return interrupt("?")
async def good(state):
    async for line in calm():
        pass
    return interrupt("?")
''',
    "nested_function_called_before_and_after": '''
def bad(state):
    def notify():
        httpx.post("https://x")
    notify()  # expect: HIL101
    return interrupt("?")
def good(state):
    def notify():
        httpx.post("https://x")
    ok = interrupt("?")
    notify()
    return ok
''',
}

CASES = {**VALUES, **GUARDS, **HANDLERS, **PLACES}


@pytest.mark.parametrize("name", CASES)
def test_program(name: str, tmp_path: Path, monkeypatch: Any) -> None:
    modules = files(CASES[name], HEAD)
    said = told(modules, lint(modules, tmp_path, monkeypatch, CODES))
    assert not said, "\n" + said


# --------------------------------------------------------------------------- input that leads nowhere
ODD = {
    "import_cycle": '''
from other import b
def a(x): return b(x)
def node(state):
    a(state)
    return interrupt("?")
# file: other.py
from graph import a
def b(x): return a(x)
''',
    "star_import_cycle": '''
from other import *
def node(state):
    nobody(state)
    return ask("?")
# file: other.py
from third import *
from graph import *
# file: third.py
from other import *
''',
    "module_that_imports_itself": '''
import graph
from graph import node as again
def node(state):
    graph.again(state)
    return interrupt("?")
''',
    "recursive_functions": '''
def f(n): return g(n - 1) if n else f
def g(n): return f(n - 1)() if n else g
def node(state):
    f(3)(2)(1)
    return interrupt("?")
''',
    "recursive_classes": '''
class A:
    def __init__(self): self.b = B(self)
    def __getattr__(self, name): return getattr(self.b, name)
class B(A):
    def __init__(self, a): self.a = a.b.a
class C(C): pass
class D(E): pass
class E(D): pass
def node(state):
    A().b.a.b.a.b.walk(state)
    D().x(); C().y()
    return interrupt("?")
''',
    "aliases_of_themselves": '''
x = x
y = z
z = y
q = q.r.s
p = p(p)
d = {"k": d}
l = [l]
e = e or e
f = f if f else f
def node(state):
    x(); y(); q(); p(); d["k"](); l[0](); e(); f()
    return interrupt("?")
''',
    "decorators_of_themselves": '''
@deco
def deco(f): return deco(f)
@deco
@deco
def other(x): return other
def node(state):
    other(1)
    return interrupt("?")
''',
    "getattr_globals_and_setattr": '''
def node(state):
    getattr(httpx, state["verb"])("https://x")
    globals()[state["name"]]()
    vars(httpx)["get"]("https://x")
    setattr(httpx, "post", print)
    __import__("os").getcwd()
    eval("1"); 
    return interrupt("?")
''',
    "monkey_patched": '''
class Api:
    def call(self): return [1]
Api.call = lambda self: [2]
def node(state):
    Api().call()
    return interrupt("?")
''',
    "property_of_itself": '''
class A:
    @property
    def me(self): return self.me.me
    def __enter__(self): return self
    def __exit__(self, *a): return None
    def __call__(self): return self()
def node(state):
    with A() as a:
        a.me.me()
    a()()()
    return interrupt("?")
''',
    "dicts_that_store_each_other": '''
A, B = {}, {}
A["x"] = B["y"]
B["y"] = A["x"]
def put(k, f): A[k] = f
put("z", put)
put("w", A["w"])
def node(state):
    A[state["k"]](1, 2)
    B.get("y")()
    return interrupt("?")
''',
    "fields_that_need_each_other": '''
@dataclasses.dataclass
class A:
    b: Any
@dataclasses.dataclass
class B:
    a: Any
a = A(B(a))
b = B(A(b))
def node(state):
    a.b.a.b.a.run()
    b.a.b.a.b()
    return interrupt("?")
''',
    "super_without_bases_and_outside": '''
def helper(): return super().run()
class A:
    def run(self): return super().run()
class B(A):
    def run(self): return super().run()
    x = super().y
def node(state):
    B().run()
    helper()
    return interrupt("?")
''',
    "partials_of_partials": '''
p = functools.partial(functools.partial(functools.partial(p)))
q = functools.partial(q, q)
def node(state):
    p(); q()
    return interrupt("?")
''',
    "contexts_in_contexts": '''
@contextlib.contextmanager
def cm():
    with cm() as c:
        yield c
def node(state):
    with cm() as c, contextlib.ExitStack() as s:
        s.enter_context(s.enter_context(c))
        s.callback(s.callback, s)
        return interrupt("?")
''',
}


@pytest.mark.parametrize("name", ODD)
def test_unknown_is_silent_and_ends(name: str, tmp_path: Path, monkeypatch: Any) -> None:
    modules = files(ODD[name], HEAD)
    start = time.process_time()
    found = lint(modules, tmp_path, monkeypatch, ("ALL",))
    assert time.process_time() - start < 8
    assert not {x for x in found if x[2] != "HIL203"}, found


def test_long_chains_and_wide_registries_end(tmp_path: Path, monkeypatch: Any) -> None:
    """Hundreds of functions that call one another, a registry of thousands, and dicts of dicts."""
    lines = ["R = {}"]
    for n in range(600):
        lines.append(f"def f{n}(x):\n    R['{n}'] = f{n}\n    return f{(n * 7 + 1) % 600}(f{(n * 13 + 5) % 600}(x)) if x else R[x](x)")
    lines.append("TABLE = {" + ", ".join(f"'{n}': f{n % 600}" for n in range(3000)) + "}")
    lines.append("def node(state):\n    TABLE[state['k']](state)\n    R[state['k']](state)\n    return interrupt('?')\n")
    modules = files("\n".join(lines), HEAD)
    start = time.process_time()
    lint(modules, tmp_path, monkeypatch, ("ALL",))
    assert time.process_time() - start < 60
