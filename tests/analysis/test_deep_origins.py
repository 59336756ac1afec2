"""Where a callee comes from: each program reaches an effect (or a model) on another way, and its twin reaches nothing that matters on the same way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from deep import files, lint, told

CODES = ("HIL101", "HIL102")
HEAD = '''
import abc, asyncio, contextlib, dataclasses, functools, smtplib, types
from typing import Any, Protocol
import httpx
from langchain_core.tools import StructuredTool, tool
from langchain_core.runnables import RunnableLambda
from langchain_openai import ChatOpenAI
from langgraph.types import interrupt
from pydantic import BaseModel, Field

class Quiet:
    def post(self, *a, **k): return sorted(map(str, a))
    def get(self, *a): return None
'''

CASES = {
    # ---- attributes
    "attribute_set_in_another_method": '''
class Bot:
    def connect(self):
        self.http = httpx.Client()
    def still(self):
        self.off = Quiet()
    def node(self, state):
        self.http.post("https://x")  # expect: HIL101
        return interrupt("?")
    def good(self, state):
        self.off.post("https://x")
        return interrupt("?")
''',
    "attribute_declared_in_the_class_body": '''
class Bot:
    http: httpx.Client
    off: Quiet
    def node(self, state):
        self.http.post("https://x")  # expect: HIL101
        return interrupt("?")
    def good(self, state):
        self.off.post("https://x")
        return interrupt("?")
''',
    "attribute_through_a_property": '''
class Bot:
    @property
    def http(self):
        if self._http is None:
            self._http = httpx.Client()
        return self._http
    @functools.cached_property
    def off(self):
        return Quiet()
    def node(self, state):
        self.http.post("https://x")  # expect: HIL101
        return interrupt("?")
    def good(self, state):
        self.off.post("https://x")
        return interrupt("?")
''',
    "attribute_in_a_base_class": '''
class Base:
    def __init__(self):
        self.http = httpx.Client()
        self.off = Quiet()
class Bot(Base):
    def node(self, state):
        self.http.post("https://x")  # expect: HIL101
        return interrupt("?")
    def good(self, state):
        self.off.post("https://x")
        return interrupt("?")
''',
    "attribute_by_tuple_unpacking": '''
class Bot:
    def __init__(self):
        self.http, self.off = httpx.Client(), Quiet()
    def node(self, state):
        self.http.post("https://x")  # expect: HIL101
        return interrupt("?")
    def good(self, state):
        self.off.post("https://x")
        return interrupt("?")
''',
    "attribute_set_from_outside": '''
class Bot:
    def node(self, state):
        self.http.post("https://x")  # expect: HIL101
        return interrupt("?")
bot = Bot()
bot.http = httpx.Client()
''',
    "attribute_of_an_attribute": '''
class Services:
    def __init__(self):
        self.http = httpx.Client()
        self.off = Quiet()
class Bot:
    def __init__(self):
        self.services = Services()
    def node(self, state):
        self.services.http.post("https://x")  # expect: HIL101
        return interrupt("?")
    def good(self, state):
        self.services.off.post("https://x")
        return interrupt("?")
''',
    "class_attribute_of_the_class_itself": '''
class Config:
    http = httpx.Client()
    off = Quiet()
def node(state):
    Config.http.post("https://x")  # expect: HIL101
    return interrupt("?")
def good(state):
    Config.off.post("https://x")
    return interrupt("?")
''',
    "super_method": '''
class Base:
    def announce(self):
        httpx.post("https://x")
    def hush(self):
        return [1]
class Bot(Base):
    def announce(self):
        super().announce()
    def node(self, state):
        super().announce()  # expect: HIL101
        return interrupt("?")
    def node2(self, state):
        self.announce()  # expect: HIL101
        return interrupt("?")
    def good(self, state):
        super().hush()
        return interrupt("?")
''',
    # ---- fields
    "dataclass_field": '''
@dataclasses.dataclass
class Deps:
    http: httpx.Client
    off: Quiet
    mail: Any = dataclasses.field(default_factory=smtplib.SMTP)
def make(deps: Deps):
    def node(state):
        deps.http.post("https://x")  # expect: HIL101
        return interrupt("?")
    def mailing(state):
        deps.mail.sendmail("a", "b", "c")  # expect: HIL101
        return interrupt("?")
    def good(state):
        deps.off.post("https://x")
        return interrupt("?")
    return node, mailing, good
''',
    "dataclass_field_given_to_the_constructor": '''
@dataclasses.dataclass
class Deps:
    client: Any
    off: Any
deps = Deps(httpx.Client(), off=Quiet())
def node(state):
    deps.client.post("https://x")  # expect: HIL101
    return interrupt("?")
def good(state):
    deps.off.post("https://x")
    return interrupt("?")
''',
    "pydantic_field": '''
class Deps(BaseModel):
    http: httpx.Client = Field(default_factory=httpx.Client)
    off: Quiet = Field(default_factory=Quiet)
deps = Deps()
def node(state):
    deps.http.post("https://x")  # expect: HIL101
    return interrupt("?")
def good(state):
    deps.off.post("https://x")
    return interrupt("?")
''',
    "namedtuple_field": '''
from typing import NamedTuple
class Deps(NamedTuple):
    http: httpx.Client
    off: Quiet
def node(state, deps: Deps):
    deps.http.post("https://x")  # expect: HIL101
    return interrupt("?")
def good(state, deps: Deps):
    deps.off.post("https://x")
    return interrupt("?")
''',
    "simple_namespace": '''
deps = types.SimpleNamespace(http=httpx.Client(), off=Quiet())
def node(state):
    deps.http.post("https://x")  # expect: HIL101
    return interrupt("?")
def good(state):
    deps.off.post("https://x")
    return interrupt("?")
''',
    # ---- injection
    "constructor_parameter": '''
class Bot:
    def __init__(self, client, off):
        self._client = client
        self._off = off
    def node(self, state):
        self._client.post("https://x")  # expect: HIL101
        return interrupt("?")
    def good(self, state):
        self._off.post("https://x")
        return interrupt("?")
bot = Bot(httpx.Client(), off=Quiet())
''',
    "constructor_parameter_with_default": '''
class Bot:
    def __init__(self, client=None, off=None):
        self._client = client or httpx.Client()
        self._off = off if off is not None else Quiet()
    def node(self, state):
        self._client.post("https://x")  # expect: HIL101
        return interrupt("?")
    def good(self, state):
        self._off.post("https://x")
        return interrupt("?")
''',
    "keyword_only_closure": '''
def make(*, client, off):
    def node(state):
        client.post("https://x")  # expect: HIL101
        return interrupt("?")
    def good(state):
        off.post("https://x")
        return interrupt("?")
    return node, good
nodes = make(client=httpx.Client(), off=Quiet())
''',
    "arguments_by_double_star": '''
def make(client, off):
    def node(state):
        client.post("https://x")  # expect: HIL101
        return interrupt("?")
    def good(state):
        off.post("https://x")
        return interrupt("?")
    return node, good
params = {"client": httpx.Client(), "off": Quiet()}
nodes = make(**params)
''',
    "function_as_parameter": '''
def announce(): httpx.post("https://x")
def hush(): return [1]
def make(notify, calm):
    def node(state):
        notify()  # expect: HIL101
        return interrupt("?")
    def good(state):
        calm()
        return interrupt("?")
    return node, good
nodes = make(announce, calm=hush)
''',
    "default_of_a_parameter": '''
def announce(): httpx.post("https://x")
def hush(): return [1]
def node(state, *, notify=announce):
    notify()  # expect: HIL101
    return interrupt("?")
def good(state, *, notify=hush):
    notify()
    return interrupt("?")
''',
    "protocol_with_one_implementation": '''
class Mailer(Protocol):
    def deliver(self, to): ...
class Real(Mailer):
    def deliver(self, to):
        smtplib.SMTP().sendmail("a", to, "c")
class Store(abc.ABC):
    @abc.abstractmethod
    def fetch(self, key): ...
class Memory(Store):
    def fetch(self, key):
        return {}
def node(state, mailer: Mailer):
    mailer.deliver("b")  # expect: HIL101
    return interrupt("?")
def good(state, store: Store):
    store.fetch("b")
    return interrupt("?")
''',
    # ---- partial, caches, factories
    "partial_of_a_function": '''
def announce(channel, text): httpx.post(channel, json=text)
def hush(channel, text): return [channel, text]
notify = functools.partial(announce, "https://x")
calm = functools.partial(hush, "https://x")
def node(state):
    notify("hello")  # expect: HIL101
    return interrupt("?")
def good(state):
    calm("hello")
    return interrupt("?")
''',
    "partial_of_a_library_call": '''
notify = functools.partial(httpx.post, "https://x")
look = functools.partial(httpx.get, "https://x")
def node(state):
    notify(json={})  # expect: HIL101
    return interrupt("?")
def good(state):
    look()
    return interrupt("?")
''',
    "partialmethod": '''
class Api:
    def call(self, verb, path):
        return httpx.request("POST", path)
    def look(self, path):
        return httpx.get(path)
    post_thing = functools.partialmethod(call, "POST")
    get_thing = functools.partialmethod(look)
api = Api()
def node(state):
    api.post_thing("https://x")  # expect: HIL101
    return interrupt("?")
def good(state):
    api.get_thing("https://x")
    return interrupt("?")
''',
    "cached_factory": '''
@functools.lru_cache(maxsize=1)
def client(): return httpx.Client()
@functools.cache
def off(): return Quiet()
def node(state):
    client().post("https://x")  # expect: HIL101
    return interrupt("?")
def good(state):
    off().post("https://x")
    return interrupt("?")
''',
    "factory_with_branches": '''
def mailer(kind):
    if kind == "off":
        return Quiet()
    return httpx.Client()
def harmless(kind):
    if kind == "off":
        return Quiet()
    return Quiet()
def node(state):
    mailer(state["kind"]).post("https://x")  # expect: HIL101
    return interrupt("?")
def good(state):
    harmless(state["kind"]).post("https://x")
    return interrupt("?")
''',
    "classmethod_constructor": '''
class Api:
    def __init__(self, http):
        self.http = http
    @classmethod
    def create(cls):
        return cls(httpx.Client())
    def announce(self):
        self.http.post("https://x")
    def hush(self):
        return [self.http]
api = Api.create()
def node(state):
    api.announce()  # expect: HIL101
    return interrupt("?")
def good(state):
    api.hush()
    return interrupt("?")
''',
    "singleton_by_new": '''
class Api:
    _one = None
    def __new__(cls):
        if cls._one is None:
            cls._one = super().__new__(cls)
        return cls._one
    def announce(self):
        httpx.post("https://x")
    def hush(self):
        return 1
def node(state):
    Api().announce()  # expect: HIL101
    return interrupt("?")
def good(state):
    Api().hush()
    return interrupt("?")
''',
    "global_that_is_set_up_late": '''
_http = None
_off = None
def http():
    global _http
    if _http is None:
        _http = httpx.Client()
    return _http
def off():
    global _off
    _off = _off or Quiet()
    return _off
def node(state):
    http().post("https://x")  # expect: HIL101
    return interrupt("?")
def good(state):
    off().post("https://x")
    return interrupt("?")
''',
    # ---- registries
    "list_of_tools_by_name": '''
@tool
def wire(to: str) -> str:
    "Sends money."
    httpx.post("https://x")
    return "ok"
@tool
def look(to: str) -> str:
    "Looks."
    return httpx.get("https://x").text
TOOLS = [wire, look]
TOOLS_BY_NAME = {t.name: t for t in TOOLS}
READERS = {t.name: t for t in [look]}
def node(state):
    TOOLS_BY_NAME[state["name"]].invoke(state["args"])  # expect: HIL101
    return interrupt("?")
def good(state):
    READERS[state["name"]].invoke(state["args"])
    return interrupt("?")
''',
    "registry_by_get_and_loop": '''
@tool
def wire(to: str) -> str:
    "Sends money."
    httpx.post("https://x")
    return "ok"
@tool
def look(to: str) -> str:
    "Looks."
    return httpx.get("https://x").text
def node(state):
    by_name = {}
    for t in [wire, look]:
        by_name[t.name] = t
    chosen = by_name.get(state["name"])
    chosen.invoke(state["args"])  # expect: HIL101
    return interrupt("?")
def good(state):
    by_name = {}
    for t in [look]:
        by_name[t.name] = t
    by_name[state["name"]].invoke(state["args"])
    return interrupt("?")
''',
    "tool_found_by_next": '''
@tool
def wire(to: str) -> str:
    "Sends money."
    httpx.post("https://x")
    return "ok"
@tool
def look(to: str) -> str:
    "Looks."
    return httpx.get("https://x").text
TOOLS = [wire, look]
def node(state):
    picked = next(t for t in TOOLS if t.name == state["name"])
    picked.invoke(state["args"])  # expect: HIL101
    return interrupt("?")
def good(state):
    picked = next(t for t in [look] if t.name == state["name"])
    picked.invoke(state["args"])
    return interrupt("?")
''',
    "registry_filled_by_a_decorator": '''
ACTIONS = {}
def action(f):
    ACTIONS[f.__name__] = f
    return f
@action
def wire(args): httpx.post("https://x", json=args)
LOOKS = {}
def looking(f):
    LOOKS[f.__name__] = f
    return f
@looking
def look(args): return len(args)
def node(state):
    ACTIONS[state["name"]](state["args"])  # expect: HIL101
    return interrupt("?")
def good(state):
    LOOKS[state["name"]](state["args"])
    return interrupt("?")
''',
    "dict_of_functions_by_constant_key": '''
def announce(): httpx.post("https://x")
def hush(): return 1
ACTIONS = {"loud": announce, "calm": hush}
def node(state):
    ACTIONS["loud"]()  # expect: HIL101
    return interrupt("?")
def good(state):
    ACTIONS["calm"]()
    return interrupt("?")
''',
    "match_chooses_the_function": '''
def announce(): httpx.post("https://x")
def hush(): return 1
def node(state):
    match state["kind"]:
        case "loud":
            f = announce
        case _:
            f = hush
    f()  # expect: HIL101
    return interrupt("?")
def good(state):
    match state["kind"]:
        case "loud":
            f = hush
        case _:
            f = hush
    f()
    return interrupt("?")
''',
    # ---- tools and runnables
    "structured_tool": '''
def _wire(to: str): httpx.post("https://x")
async def _awire(to: str): httpx.post("https://x")
def _look(to: str): return httpx.get("https://x")
wire = StructuredTool.from_function(func=_wire, name="wire", description="d")
awire = StructuredTool.from_function(coroutine=_awire, name="awire", description="d")
look = StructuredTool.from_function(_look, name="look", description="d")
def node(state):
    wire.invoke({"to": "a"})  # expect: HIL101
    return interrupt("?")
async def anode(state):
    await awire.ainvoke({"to": "a"})  # expect: HIL101
    return interrupt("?")
def good(state):
    look.invoke({"to": "a"})
    return interrupt("?")
''',
    "tool_class": '''
from langchain_core.tools import BaseTool
class Wire(BaseTool):
    name: str = "wire"
    description: str = "d"
    def _run(self, to): httpx.post("https://x")
class Look(BaseTool):
    name: str = "look"
    description: str = "d"
    def _run(self, to): return httpx.get("https://x")
def node(state):
    Wire().invoke({"to": "a"})  # expect: HIL101
    return interrupt("?")
def good(state):
    Look().invoke({"to": "a"})
    return interrupt("?")
''',
    "runnable_lambda": '''
def announce(x): httpx.post("https://x", json=x)
def hush(x): return x
loud = RunnableLambda(announce)
calm = RunnableLambda(hush)
chain = RunnableLambda(hush) | RunnableLambda(announce)
def node(state):
    loud.invoke({})  # expect: HIL101
    return interrupt("?")
def chained(state):
    chain.invoke({})  # expect: HIL101
    return interrupt("?")
def good(state):
    calm.invoke({})
    return interrupt("?")
''',
    "tool_made_by_calling_the_decorator": '''
def _wire(to: str):
    "d"
    httpx.post("https://x")
def _look(to: str):
    "d"
    return httpx.get("https://x")
wire = tool(_wire)
named = tool("wire_money")(_wire)
look = tool(_look)
def node(state):
    wire.invoke({"to": "a"})  # expect: HIL101
    return interrupt("?")
def node2(state):
    named.invoke({"to": "a"})  # expect: HIL101
    return interrupt("?")
def good(state):
    look.invoke({"to": "a"})
    return interrupt("?")
''',
    # ---- decorators of the project
    "decorator_that_logs": '''
def logged(f):
    @functools.wraps(f)
    def wrapper(*a, **k):
        print(f.__name__)
        return f(*a, **k)
    return wrapper
@logged
def announce(): httpx.post("https://x")
@logged
def hush(): return [1]
def node(state):
    announce()  # expect: HIL101
    return interrupt("?")
def good(state):
    hush()
    return interrupt("?")
''',
    "decorator_that_sends": '''
def audited(f):
    def wrapper(*a, **k):
        httpx.post("https://audit")
        return f(*a, **k)
    return wrapper
@audited
def price(): return 5
@functools.lru_cache
def cheap(): return 5
def node(state):
    price()  # expect: HIL101
    return interrupt("?")
def good(state):
    cheap()
    return interrupt("?")
''',
    "decorator_with_arguments": '''
def audited(url):
    def deco(f):
        @functools.wraps(f)
        async def wrapper(*a, **k):
            httpx.post(url)
            return await f(*a, **k)
        return wrapper
    return deco
@audited("https://audit")
async def price(): return 5
async def plain(): return 5
async def node(state):
    await price()  # expect: HIL101
    return interrupt("?")
async def good(state):
    await plain()
    return interrupt("?")
''',
    "decorator_class": '''
class Audited:
    def __init__(self, f): self.f = f
    def __call__(self, *a, **k):
        httpx.post("https://audit")
        return self.f(*a, **k)
class Plain:
    def __init__(self, f): self.f = f
    def __call__(self, *a, **k):
        return self.f(*a, **k)
@Audited
def price(): return 5
@Plain
def cheap(): return 5
def node(state):
    price()  # expect: HIL101
    return interrupt("?")
def good(state):
    cheap()
    return interrupt("?")
''',
    # ---- context managers
    "with_client": '''
def node(state):
    with httpx.Client() as c:
        c.post("https://x")  # expect: HIL101
    return interrupt("?")
async def anode(state):
    async with httpx.AsyncClient() as c:
        await c.post("https://x")  # expect: HIL101
    return interrupt("?")
def good(state):
    with httpx.Client() as c:
        c.get("https://x")
    return interrupt("?")
''',
    "own_context_manager_yields_the_client": '''
@contextlib.contextmanager
def session():
    c = httpx.Client()
    try:
        yield c
    finally:
        c.close()
@contextlib.contextmanager
def calm():
    yield Quiet()
def node(state):
    with session() as c:
        c.post("https://x")  # expect: HIL101
    return interrupt("?")
def good(state):
    with calm() as c:
        c.post("https://x")
    return interrupt("?")
''',
    "own_class_enters_the_client": '''
class Session:
    async def __aenter__(self):
        self.c = httpx.AsyncClient()
        return self.c
    async def __aexit__(self, *e):
        await self.c.aclose()
class Calm:
    async def __aenter__(self):
        return Quiet()
    async def __aexit__(self, *e): ...
async def node(state):
    async with Session() as c:
        await c.post("https://x")  # expect: HIL101
    return interrupt("?")
async def good(state):
    async with Calm() as c:
        c.post("https://x")
    return interrupt("?")
''',
    "exit_stack": '''
def node(state):
    with contextlib.ExitStack() as stack:
        c = stack.enter_context(httpx.Client())
        c.post("https://x")  # expect: HIL101
    return interrupt("?")
async def anode(state):
    async with contextlib.AsyncExitStack() as stack:
        c = await stack.enter_async_context(httpx.AsyncClient())
        await c.post("https://x")  # expect: HIL101
    return interrupt("?")
def good(state):
    with contextlib.ExitStack() as stack:
        c = stack.enter_context(httpx.Client())
        c.get("https://x")
    return interrupt("?")
''',
    # ---- names
    "alias_of_an_alias": '''
announce = httpx.post
tell = announce
look = httpx.get
peek = look
def node(state):
    say = tell
    say("https://x")  # expect: HIL101
    return interrupt("?")
def good(state):
    say = peek
    say("https://x")
    return interrupt("?")
''',
    "function_chosen_by_fallback": '''
def hush(url): return url
def node(state, send=None):
    f = send or httpx.post
    f("https://x")  # expect: HIL101
    return interrupt("?")
def good(state, send=None):
    f = send or hush
    f("https://x")
    return interrupt("?")
''',
    "imported_in_the_function": '''
def node(state):
    from smtplib import SMTP as Server
    Server("h").sendmail("a", "b", "c")  # expect: HIL101
    return interrupt("?")
def good(state):
    from smtplib import SMTP as Server
    Server("h").noop()
    return interrupt("?")
''',
    "import_under_try": '''
try:
    import requests as http
except ImportError:
    http = None
def node(state):
    http.post("https://x")  # expect: HIL101
    return interrupt("?")
def good(state):
    http.get("https://x")
    return interrupt("?")
''',
    "method_taken_off_an_object": '''
c = httpx.Client()
send, look = c.post, c.get
def node(state):
    send("https://x")  # expect: HIL101
    return interrupt("?")
def good(state):
    look("https://x")
    return interrupt("?")
''',
    "walrus_and_conditional": '''
def node(state):
    if (c := httpx.Client()):
        c.post("https://x")  # expect: HIL101
    return interrupt("?")
def good(state):
    c = httpx.Client() if state["x"] else httpx.AsyncClient()
    c.build_request("POST", "https://x")
    return interrupt("?")
''',
    "static_and_class_methods": '''
class Api:
    @staticmethod
    def announce(): httpx.post("https://x")
    @classmethod
    def tell(cls): cls.announce()
    @staticmethod
    def hush(): return [1]
def node(state):
    Api.announce()  # expect: HIL101
    return interrupt("?")
def node2(state):
    Api().tell()  # expect: HIL101
    return interrupt("?")
def good(state):
    Api.hush()
    return interrupt("?")
''',
    "callable_instance": '''
class Announce:
    def __call__(self): httpx.post("https://x")
class Hush:
    def __call__(self): return [1]
announce, hush = Announce(), Hush()
def node(state):
    announce()  # expect: HIL101
    return interrupt("?")
def good(state):
    hush()
    return interrupt("?")
''',
    "function_of_another_module_by_star": '''
from helpers import *
def node(state):
    announce()  # expect: HIL101
    return interrupt("?")
def good(state):
    hush()
    return interrupt("?")
# file: helpers.py
from deeper import announce
def hush(): return [1]
# file: deeper.py
def announce(): httpx.post("https://x")
''',
    "object_of_another_module": '''
import services
def node(state):
    services.api.announce()  # expect: HIL101
    return interrupt("?")
def good(state):
    services.api.hush()
    return interrupt("?")
# file: services.py
from impl import Api
api = Api()
# file: impl.py
class Api:
    def __init__(self): self.http = httpx.Client()
    def announce(self): self.http.post("https://x")
    def hush(self): return 1
''',
    # ---- models
    "model_in_an_attribute_bound_later": '''
class Bot:
    def __init__(self):
        self.llm = ChatOpenAI()
        self.bound = self.llm.bind_tools([])
    def node(self, state):
        self.bound.invoke("x")  # expect: HIL102
        return interrupt("?")
    def good(self, state):
        self.llm.bind_tools([1])
        return interrupt("?")
''',
    "model_by_factory_and_pipe": '''
from langchain_core.prompts import ChatPromptTemplate
@functools.lru_cache
def get_model(): return ChatOpenAI()
prompt = ChatPromptTemplate.from_template("x")
def node(state):
    chain = prompt | get_model()
    chain.invoke({})  # expect: HIL102
    return interrupt("?")
def good(state):
    prompt.invoke({})
    return interrupt("?")
''',
    "model_by_dict": '''
MODELS = {"fast": ChatOpenAI(), "good": ChatOpenAI(model="x")}
FORMS = {"a": "x".format, "b": "y".format}
def node(state):
    MODELS[state["model"]].invoke("x")  # expect: HIL102
    return interrupt("?")
def good(state):
    FORMS[state["model"]]("x")
    return interrupt("?")
''',
    "model_by_parameter_of_a_class": '''
class Writer:
    def __init__(self, model): self.model = model
    async def draft(self, text):
        return (await self.model.ainvoke(text)).content
    def title(self, text): return text.title()
writer = Writer(ChatOpenAI())
async def node(state):
    await writer.draft("x")  # expect: HIL102
    return interrupt("?")
def good(state):
    writer.title("x")
    return interrupt("?")
''',
}


@pytest.mark.parametrize("name", CASES)
def test_program(name: str, tmp_path: Path, monkeypatch: Any) -> None:
    modules = files(CASES[name], HEAD)
    said = told(modules, lint(modules, tmp_path, monkeypatch, CODES))
    assert not said, "\n" + said
