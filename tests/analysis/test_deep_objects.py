"""Values that travel inside objects, and objects that are found by their types: each program with the twin that must stay silent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from deep import files, lint, told

CODES = ("HIL101", "HIL103", "HIL104")
HEAD = '''
import dataclasses, functools, time, uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Optional
import httpx
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import ToolRuntime
from langgraph.runtime import Runtime, get_runtime
from langgraph.types import interrupt
from pydantic import BaseModel, Field

llm = ChatOpenAI()
def draft(topic): return llm.invoke(topic).content
'''

MADE = {
    "a_number_of_the_constructor": '''
class Ticket:
    def __init__(self, topic):
        self.topic = topic
        self.number: str = uuid.uuid4().hex
def bad(state):
    t = Ticket(state["topic"])  # expect: HIL104
    ok = interrupt({"number": t.number})
    return {"number": t.number, "ok": ok}
def good(state):
    t = Ticket(state["topic"])
    ok = interrupt({"topic": t.topic})
    return {"topic": t.topic, "ok": ok}
''',
    "a_number_of_the_base_class": '''
class Base:
    def __init__(self):
        self.id = str(uuid.uuid4())
class Request(Base):
    def __init__(self, text):
        super().__init__()
        self.text = text
def bad(state):
    r = Request(state["t"])  # expect: HIL104
    ok = interrupt(r.id)
    return {"id": r.id, "ok": ok}
def good(state):
    r = Request(state["t"])
    ok = interrupt(r.text)
    return {"id": r.text, "ok": ok}
''',
    "a_stamp_that_is_only_stored": '''
class Entry:
    def __init__(self, text):
        self.text = text
        self.at = datetime.now()
def bad(state):
    e = Entry(state["t"])  # expect: HIL103
    ok = interrupt(e.text)
    return {"at": e.at, "ok": ok}
def good(state):
    ok = interrupt(state["t"])
    e = Entry(state["t"])
    return {"at": e.at, "ok": ok}
''',
    "a_draft_in_a_plain_object": '''
class Draft:
    def __init__(self, text, to=None):
        self.text = text.strip()
        self.to = to
    def preview(self): return self.text[:80]
def bad(state):
    d = Draft(draft(state["t"]))  # expect: HIL104
    ok = interrupt(f"Send {d.text}?")
    return {"text": d.text, "ok": ok}
def bad2(state):
    d = Draft(to=state["to"], text=draft(state["t"]))  # expect: HIL104
    ok = interrupt(d.preview())
    return {"text": d.preview(), "ok": ok}
def good(state):
    d = Draft(draft(state["t"]), state["to"])
    ok = interrupt(d.to)
    return {"to": d.to, "ok": ok}
def good2(state):
    d = Draft(state["text"])
    ok = interrupt(d.preview())
    return {"text": d.preview(), "ok": ok}
''',
    "a_draft_kept_on_self": '''
class Draft:
    def __init__(self, text): self.text = text
class Writer:
    def bad(self, state):
        self.draft = Draft(draft(state["t"]))  # expect: HIL104
        ok = interrupt(self.draft.text)
        return {"text": self.draft.text, "ok": ok}
    def good(self, state):
        self.draft = Draft(state["t"])
        ok = interrupt(self.draft.text)
        return {"text": self.draft.text, "ok": ok}
''',
    "an_object_from_another_module_and_a_subclass": '''
from letters import Letter
import letters
def bad(state):
    d = letters.Letter(draft(state["t"]), "now")  # expect: HIL104
    ok = interrupt(d.body)
    return {"text": d.body, "ok": ok}
def good(state):
    d = Letter(state["t"], draft(state["t"]))
    ok = interrupt(d.body)
    return {"text": d.body, "ok": ok}
# file: letters.py
class Text:
    def __init__(self, body): self.body = body
class Letter(Text):
    def __init__(self, text, note):
        super().__init__(text)
        self.note = note
''',
    "a_dataclass_that_looks_after_itself": '''
@dataclass
class Draft:
    text: str
    note: str = ""
    def __post_init__(self):
        self.text = self.text.strip()
def bad(state):
    d = Draft(draft(state["t"]))  # expect: HIL104
    ok = interrupt(d.text)
    return {"text": d.text, "ok": ok}
def good(state):
    d = Draft(state["t"])
    ok = interrupt(d.text)
    return {"text": d.text, "ok": ok}
''',
    "a_client_is_not_what_it_was_set_up_with": '''
class Client:
    def __init__(self, url):
        self.url = url
    def find(self, key): return httpx.get(self.url + key).json()
class Looking:
    def __init__(self, model):
        self.model = model
    async def name(self, key): return key.title()
async def good(state):
    c = Looking(draft("which model?"))
    shown = await c.name(state["k"])
    ok = interrupt(shown)
    return {"name": shown, "ok": ok}
async def bad(state):
    c = Looking(draft("which model?"))  # expect: HIL104
    ok = interrupt(c.model)
    return {"model": c.model, "ok": ok}
''',
    "a_service_that_notes_when_it_was_made": '''
class Service:
    def __init__(self, url):
        self.url = url
        self.made = time.time()
        self.session = uuid.uuid4().hex
    def describe(self): return f"service at {self.url}"
def good(state):
    s = Service(state["url"])
    ok = interrupt(s.describe())
    return {"where": s.describe(), "url": s.url, "ok": ok}
''',
}

TYPED = {
    "the_context_of_a_run": '''
class Crm:
    def open_case(self, x): return httpx.post("u", json=x)
    def find(self, x): return x
@dataclass
class Ctx:
    crm: Crm
    user: str = ""
def bad(state, runtime: Runtime[Ctx]):
    runtime.context.crm.open_case(1)  # expect: HIL101
    return interrupt("?")
def bad2(state):
    ctx = get_runtime(Ctx).context
    ctx.crm.open_case(1)  # expect: HIL101
    return interrupt("?")
def unread(x: str, runtime: "ToolRuntime[Ctx, dict]"):
    runtime.context.crm.open_case(x)
    return interrupt("?")
def bad3(x: str, runtime: ToolRuntime[Ctx, dict]):
    runtime.context.crm.open_case(x)  # expect: HIL101
    return interrupt("?")
def bad4(state, *, runtime: Optional[Runtime[Ctx]] = None):
    crm = runtime.context.crm
    crm.open_case(1)  # expect: HIL101
    return interrupt("?")
def good(state, runtime: Runtime[Ctx]):
    runtime.context.crm.find(1)
    runtime.stream_writer("working")
    print(runtime.context.user)
    return interrupt("?")
def unknown(state, runtime: Runtime):
    runtime.context.crm.find(1)
    return interrupt("?")
''',
    "the_context_does_things_itself": '''
from deps import Ctx
def bad(state, runtime: Runtime[Ctx]):
    runtime.context.open_case(1)  # expect: HIL101
    runtime.context.http.post("u")  # expect: HIL101
    return interrupt("?")
def good(state, runtime: Runtime[Ctx]):
    runtime.context.lookup(1)
    return interrupt("?")
# file: deps.py
@dataclass
class Ctx:
    url: str
    http: httpx.Client = field(default_factory=httpx.Client)
    def open_case(self, x): return self.http.post(self.url, json=x)
    def lookup(self, x): return x
''',
}

TEMPLATES = {
    "steps_that_only_subclasses_have": '''
class Flow:
    def run(self, s):
        self.act(s)  # expect: HIL101
        return self.ask()
    def quiet(self, s):
        self.note(s)
        return self.ask()
class Pay(Flow):
    def act(self, s): httpx.post("u", json=s)
    def note(self, s): print(s)
    def ask(self): return interrupt("?")
''',
    "one_level_further_down": '''
import abc
class Flow(abc.ABC):
    def __call__(self, s):
        self.act(s)  # expect: HIL101
        return {"a": self.ask()}
class Asking(Flow):
    def ask(self): return interrupt("?")
class Pay(Asking):
    def act(self, s): httpx.post("u", json=s)
''',
    "what_some_class_of_another_tree_has": '''
class Flow:
    def run(self, s):
        self.act(s)
        return interrupt("?")
class Other:
    def act(self, s): httpx.post("u", json=s)
class Pay(Flow):
    def acts(self, s): httpx.post("u", json=s)
''',
    "the_base_class_has_it_or_a_library_may_have_it": '''
from library import Base
class Flow:
    def act(self, s): return s
    def run(self, s):
        self.act(s)
        return interrupt("?")
class Pay(Flow):
    def act(self, s): httpx.post("u", json=s)
class Unknown(Base):
    def run(self, s):
        self.handle(s)
        return interrupt("?")
class Known(Unknown):
    def handle(self, s): httpx.post("u", json=s)
''',
    "an_object_that_is_made_here_is_what_it_is": '''
class Flow:
    pass
class Pay(Flow):
    def act(self, s): httpx.post("u", json=s)
def good(state):
    f = Flow()
    getattr(f, "act", print)(state)
    if hasattr(f, "act"):
        f.act(state)
    return interrupt("?")
''',
}

COUNTED = {
    "a_global_that_another_node_counts": '''
N = 0
def count(state):
    global N
    N += 1
    return {}
def bad(state):
    c = N  # expect: HIL103
    interrupt("q")
    return {"c": c}
def bad2(state):
    c = f"T-{N}"  # expect: HIL104
    ok = interrupt(c)
    return {"c": c, "ok": ok}
def good(state):
    ok = interrupt("q")
    return {"c": N, "ok": ok}
def good2(state):
    print(N)
    return {"ok": interrupt(f"number {N}")}
''',
    "an_attribute_a_closure_and_the_length_of_a_list": '''
class Desk:
    def __init__(self):
        self.n = 0
        self.seen = []
        self.limit = 3
    def count(self, state):
        self.n = self.n + 1
        self.seen.append(state["x"])
        return {}
    def bad(self, state):
        n = self.n  # expect: HIL103
        interrupt("q")
        return {"n": n}
    def bad2(self, state):
        n = len(self.seen)  # expect: HIL103
        interrupt("q")
        return {"n": n}
    def good(self, state):
        limit = self.limit
        interrupt("q")
        return {"limit": limit}
def make():
    k = 0
    def count(state):
        nonlocal k
        k += 1
        return {}
    def bad(state):
        v = k  # expect: HIL103
        interrupt("q")
        return {"v": v}
    return count, bad
''',
    "the_function_counts_itself": '''
N = 0
def both(state):
    global N
    N += 1
    c = N
    interrupt("q")
    return {"c": c}
def shown(state):
    global N
    N += 1
    c = f"T-{N}"  # expect: HIL104
    ok = interrupt(c)
    return {"c": c, "ok": ok}
''',
    "caches_clients_and_flags": '''
CACHE = {}
CLIENT = None
READY = False
LIMITS = {"a": 1}
TOTAL = 3
def setup(state):
    global CLIENT, READY
    CLIENT = CLIENT or object()
    READY = True
    CACHE[state["x"]] = state["y"]
    LIMITS["a"] += 1
    return {}
def good(state):
    y = CACHE.get(state["x"])
    client, ready, total = CLIENT, READY, TOTAL
    ok = interrupt(f"{y} {ready} {total}")
    return {"y": y, "ready": ready, "total": total, "size": len(LIMITS), "ok": ok, "client": client}
def good2(state):
    start = len(CACHE)
    interrupt("q")
    return {"start": start}
''',
    "a_length_of_something_else": '''
SEEN = []
GROUPS = {}
def grow(state):
    SEEN.append(state["x"])
    GROUPS[state["k"]].append(state["x"])
    return {}
def good(state):
    seen = state["seen"]
    n, m = len(seen), len(GROUPS)
    SEEN2 = list(state["more"])
    interrupt("q")
    return {"n": n, "m": m, "k": len(SEEN2)}
''',
}

CASES = {**COUNTED, **MADE, **TYPED, **TEMPLATES}


@pytest.mark.parametrize("name", CASES)
def test_program(name: str, tmp_path: Path, monkeypatch: Any) -> None:
    modules = files(CASES[name], HEAD)
    said = told(modules, lint(modules, tmp_path, monkeypatch, CODES))
    assert not said, "\n" + said


CHAINS = {
    "second_names": ("def g0(x): httpx.post('u')", "g{i} = g{h}", "g{n}(1)"),
    "partials": ("def g0(x, **k): httpx.post('u')", "g{i} = functools.partial(g{h}, k{i}=1)", "g{n}(1)"),
    "partials_and_names_in_turn": ("def g0(x, **k): httpx.post('u')", "h{i} = functools.partial(g{h}, k{i}=1)\ng{i} = h{i}", "g{n}(1)"),
    "functions": ("def g0(x): httpx.post('u')", "def g{i}(x): return g{h}(x)", "g{n}(1)"),
    "wrapped_by_lambdas": ("def g0(x): httpx.post('u')", "g{i} = lambda x: g{h}(x)", "g{n}(1)"),
}


@pytest.mark.parametrize("length", [10, 20, 40, 200])
@pytest.mark.parametrize("name", CHAINS)
def test_chains_are_not_cut(name: str, length: int, tmp_path: Path, monkeypatch: Any) -> None:
    first, link, call = CHAINS[name]
    links = "\n".join(link.format(i=i, h=i - 1) for i in range(1, length + 1))
    program = f"{first}\n{links}\ndef node(state):\n    {call.format(n=length)}  # expect: HIL101\n    return interrupt('?')\n"
    circle = f"{first}\n{link.format(i='x', h='y')}\n{link.format(i='y', h='x')}\ndef still(state):\n    gx(1)\n    return interrupt('?')\n"
    modules = files(program + "# file: circle.py\n" + circle, HEAD)
    said = told(modules, lint(modules, tmp_path, monkeypatch, CODES))
    assert not said, "\n" + said


@pytest.mark.parametrize("length", [10, 20, 40])
def test_long_hierarchies_are_not_cut(length: int, tmp_path: Path, monkeypatch: Any) -> None:
    links = "\n".join(f"class C{i}(C{i - 1}): pass" for i in range(1, length + 1))
    program = f"class C0:\n    def act(self): httpx.post('u')\n{links}\ndef node(state):\n    C{length}().act()  # expect: HIL101\n    return interrupt('?')\n"
    modules = files(program, HEAD)
    said = told(modules, lint(modules, tmp_path, monkeypatch, CODES))
    assert not said, "\n" + said
