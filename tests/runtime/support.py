"""What the runtime proofs share: load a fixture, run its graph until it pauses, answer, count what happened."""

from __future__ import annotations

import asyncio
import importlib.util
import itertools
import json
import subprocess
import sys
import uuid
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from pydantic import Field

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
_serial = itertools.count()


def load(name: str) -> ModuleType:
    """A fresh module of the fixture `HIL101/bad_x`; nothing is shared with an earlier load."""
    path = FIXTURES / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"fixture_{next(_serial)}_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with warnings.catch_warnings():
        # Newer Pythons warn about `return` in `finally`, which is what some fixtures are about.
        warnings.simplefilter("ignore", SyntaxWarning)
        spec.loader.exec_module(module)
    return module


class Run:
    """One thread of a graph. `start` and `answer` run it until it pauses or ends; `asked` is what is waiting for an answer now."""

    def __init__(self, graph: Any, *, aio: bool = False) -> None:
        self.graph = graph
        self.aio = aio
        self.config = {"configurable": {"thread_id": uuid.uuid4().hex}}
        self.result: Any = None
        self.history: list[list[Any]] = []

    def start(self, value: Any = None) -> Run:
        return self.send({} if value is None else value)

    def answer(self, *values: Any) -> Run:
        for value in values:
            self.send(Command(resume=value))
        return self

    def send(self, value: Any) -> Run:
        """Run the graph with this input, whatever it is."""
        if self.aio:
            self.result = asyncio.run(self.graph.ainvoke(value, self.config))
        else:
            self.result = self.graph.invoke(value, self.config)
        self.history.append(self.asked)
        return self

    @property
    def interrupts(self) -> list[Any]:
        return [i for task in self.graph.get_state(self.config).tasks for i in task.interrupts]

    @property
    def asked(self) -> list[Any]:
        return [i.value for i in self.interrupts]

    @property
    def done(self) -> bool:
        return not self.graph.get_state(self.config).next

    @property
    def values(self) -> Any:
        return self.graph.get_state(self.config).values


def saver() -> InMemorySaver:
    return InMemorySaver()


class Drafts(BaseChatModel):
    """A chat model that never says the same thing twice: `draft 1`, `draft 2`, …; `prompts` counts what was paid for."""

    prompts: list[Any] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "drafts"

    def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any) -> ChatResult:
        self.prompts.append(messages)
        return ChatResult(generations=[ChatGeneration(message=AIMessage(f"draft {len(self.prompts)}"))])

    def bind_tools(self, tools: Any, **kwargs: Any) -> Drafts:
        return self

    @property
    def calls(self) -> int:
        return len(self.prompts)


class Script(BaseChatModel):
    """A chat model that plays the given messages in order, then `done`."""

    turns: list[Any] = Field(default_factory=list)
    calls: int = 0

    @property
    def _llm_type(self) -> str:
        return "script"

    def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any) -> ChatResult:
        message = self.turns[self.calls] if self.calls < len(self.turns) else AIMessage("done")
        self.calls += 1
        return ChatResult(generations=[ChatGeneration(message=message)])

    def bind_tools(self, tools: Any, **kwargs: Any) -> Script:
        return self


def calling(*calls: tuple[str, dict[str, Any]]) -> AIMessage:
    """An AI message that asks for these tools."""
    return AIMessage("", tool_calls=[{"name": n, "args": a, "id": f"call-{k}", "type": "tool_call"} for k, (n, a) in enumerate(calls)])


class Http:
    """`calls` holds (method, url, body); `answer` makes the JSON of a reply from the running number and the call."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.answer: Callable[[int, tuple[str, str, Any]], Any] = lambda n, call: {"id": f"obj-{n}"}

    def urls(self, method: str = "POST") -> list[str]:
        return [url for m, url, _ in self.calls if m == method]

    def bodies(self, method: str = "POST") -> list[Any]:
        return [body for m, _, body in self.calls if m == method]

    def _take(self, method: str, url: str, raw: bytes, headers: Any) -> bytes:
        try:
            body = json.loads(raw) if raw else None
        except ValueError:
            body = raw.decode("utf-8", "replace")
        call = (method, url, body)
        self.calls.append(call)
        self.headers.append({k.lower(): v for k, v in dict(headers).items()})
        return json.dumps(self.answer(len(self.calls), call)).encode()

    def install(self, monkeypatch: Any) -> None:
        import httpx
        import requests
        from requests.adapters import HTTPAdapter

        take = self._take

        def sync_send(transport: Any, request: Any) -> Any:
            return httpx.Response(200, content=take(request.method, str(request.url), request.read(), request.headers), request=request)

        async def async_send(transport: Any, request: Any) -> Any:
            return httpx.Response(200, content=take(request.method, str(request.url), await request.aread(), request.headers), request=request)

        async def nothing(transport: Any, *args: Any) -> None:
            return None

        # The real constructors read the certificate store, which takes longer than all the rest.
        monkeypatch.setattr(httpx.HTTPTransport, "__init__", lambda t, *a, **k: None)
        monkeypatch.setattr(httpx.HTTPTransport, "handle_request", sync_send)
        monkeypatch.setattr(httpx.HTTPTransport, "__enter__", lambda t: t)
        monkeypatch.setattr(httpx.HTTPTransport, "__exit__", lambda t, *a: None)
        monkeypatch.setattr(httpx.HTTPTransport, "close", lambda t: None)
        monkeypatch.setattr(httpx.AsyncHTTPTransport, "__init__", lambda t, *a, **k: None)
        monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", async_send)
        monkeypatch.setattr(httpx.AsyncHTTPTransport, "__aenter__", nothing)
        monkeypatch.setattr(httpx.AsyncHTTPTransport, "__aexit__", nothing)
        monkeypatch.setattr(httpx.AsyncHTTPTransport, "aclose", nothing)

        def adapter_send(adapter: Any, request: Any, **kwargs: Any) -> Any:
            body = request.body or b""
            response = requests.Response()
            response.status_code = 200
            response._content = take(request.method, request.url, body.encode() if isinstance(body, str) else body, request.headers)
            response.request = request
            response.url = request.url
            return response

        monkeypatch.setattr(HTTPAdapter, "send", adapter_send)


class Mail:
    """`sent` holds (recipient, subject or text) of every message handed to smtplib."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []

    def install(self, monkeypatch: Any) -> None:
        import smtplib

        box = self.sent

        class Server:
            def __init__(self, *args: Any, **kwargs: Any) -> None:
                pass

            def __enter__(self) -> Any:
                return self

            def __exit__(self, *exc: object) -> None:
                return None

            def send_message(self, message: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
                box.append((message["To"], message["Subject"]))
                return {}

            def sendmail(self, sender: str, to: Any, text: str, *args: Any) -> dict[str, Any]:
                box.append((to if isinstance(to, str) else ",".join(to), text))
                return {}

            def login(self, *args: Any) -> None: ...

            def starttls(self, *args: Any) -> None: ...

            def quit(self) -> None: ...

        monkeypatch.setattr(smtplib, "SMTP", Server)
        monkeypatch.setattr(smtplib, "SMTP_SSL", Server)


class Shell:
    """`ran` holds every command line as one string."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def install(self, monkeypatch: Any) -> None:
        def run(args: Any, **kwargs: Any) -> Any:
            self.ran.append(args if isinstance(args, str) else " ".join(map(str, args)))
            return SimpleNamespace(returncode=0, stdout=f"run {len(self.ran)}", stderr="")

        monkeypatch.setattr(subprocess, "run", run)
        monkeypatch.setattr(subprocess, "check_call", lambda args, **k: run(args).returncode)
        monkeypatch.setattr(subprocess, "check_output", lambda args, **k: run(args).stdout)


class Service:
    """Stands in for a client object of a project: every method is counted; `calls` holds (method, args)."""

    def __init__(self, **results: Any) -> None:
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.results = results

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)

        def call(*args: Any, **kwargs: Any) -> Any:
            self.calls.append((name, args, kwargs))
            result = self.results.get(name)
            return result(len(self.calls)) if callable(result) else result

        return call

    def names(self) -> list[str]:
        return [name for name, _, _ in self.calls]


class App:
    """Stands in for FastAPI: keeps the endpoint functions by their names, so that a test can call them."""

    def __init__(self) -> None:
        self.endpoints: dict[str, Callable[..., Any]] = {}

    def _route(self, path: str, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def keep(endpoint: Callable[..., Any]) -> Callable[..., Any]:
            self.endpoints[endpoint.__name__] = endpoint
            return endpoint

        return keep

    get = post = put = delete = _route

    def call(self, name: str, *args: Any, **kwargs: Any) -> Any:
        result = self.endpoints[name](*args, **kwargs)
        return asyncio.run(result) if asyncio.iscoroutine(result) else result


def questions(*names: str, node: str = "form", parallel: bool = False) -> Any:
    """A graph that asks for these keys one after the other in one node, or each in a node of its own at the same time."""
    from typing import TypedDict

    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    schema = TypedDict("Answers", {name: Any for name in ("messages", "reviewer", *names)}, total=False)  # type: ignore[misc]
    g = StateGraph(schema)

    def asks(wanted: tuple[str, ...]) -> Callable[[Any], dict[str, Any]]:
        return lambda state: {name: interrupt(f"{name}?") for name in wanted}

    if parallel:
        for name in names:
            g.add_node(f"ask_{name}", asks((name,)))
            g.add_edge(START, f"ask_{name}")
    else:
        g.add_node(node, asks(names))
        g.add_edge(START, node)
    return g.compile(checkpointer=saver())
