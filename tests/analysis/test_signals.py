"""What keeps a pause from getting out, case by case: what the linter says, and whether LangGraph pauses."""

from __future__ import annotations

import asyncio
import inspect
import re
import sys
import textwrap
import types
from pathlib import Path
from typing import Any

import pytest
from signal_cases import AGENTS, CAUGHT, DIVERTED, FOOT, HEAD, LOST

from hitl_lint.config import Config
from hitl_lint.run import Request, check

CASES = {**CAUGHT, **DIVERTED, **LOST, **AGENTS}
MARK = re.compile(r"#\s(20[124])(w?)")


def lint(files: dict[str, str], where: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, str]]:
    """(path, line, what) of each finding of the three rules; "202w" for a warning."""
    for name, source in files.items():
        path = where / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    monkeypatch.chdir(where)
    result = check(Request(["."], Config(select=("HIL201", "HIL202", "HIL204"), min_severity="note"), jobs=1))
    assert not result.failed, result.complaints
    return sorted((f.span.path, f.span.line, f.code[3:] + ("w" if f.severity.label == "warning" else "")) for f in result.findings)


def marked(files: dict[str, str]) -> list[tuple[str, int, str]]:
    return sorted((name, n, code + warning) for name, source in files.items() for n, line in enumerate(source.splitlines(), 1)
                  for code, warning in MARK.findall(line))


def test_marks_are_read() -> None:
    assert marked({"a.py": "x\ny  # 201\nz  # 202w"}) == [("a.py", 2, "201"), ("a.py", 3, "202w")]
    assert len(CASES) == len(CAUGHT) + len(DIVERTED) + len(LOST) + len(AGENTS)


@pytest.mark.parametrize("name", CASES)
def test_linter_says_what_the_marks_say(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"graph.py": HEAD + CASES[name] + FOOT}
    assert lint(files, tmp_path, monkeypatch) == marked(files)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore")
def test_langgraph_does_what_the_marks_say(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("langgraph")
    saver = pytest.importorskip("langgraph.checkpoint.memory").InMemorySaver()
    source = HEAD + CASES[name] + FOOT
    if sys.version_info < (3, 11) and ("except*" in source or "TaskGroup" in source):
        pytest.skip("Python 3.11")
    module = types.ModuleType("case")
    monkeypatch.setitem(sys.modules, "case", module)
    try:
        exec(compile(source, "case.py", "exec", dont_inherit=True), module.__dict__)
    except ModuleNotFoundError as e:
        pytest.skip(f"{e.name} is not installed")
    graph = module.build(saver)
    assert pauses(graph, inspect.iscoroutinefunction(module.node)) is not any(not warning for _, warning in MARK.findall(CASES[name]))


def pauses(graph: Any, is_async: bool) -> bool:
    config = {"configurable": {"thread_id": "1"}}
    try:
        result = asyncio.run(graph.ainvoke({}, config)) if is_async else graph.invoke({}, config)
    except (Exception, SystemExit):
        return False
    return "__interrupt__" in (result or {})


# --------------------------------------------------------------------------- across modules
def test_handler_three_modules_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "app/ui.py": "from langgraph.types import interrupt\n\ndef confirm(q):\n    return interrupt(q)\n",
        "app/policy.py": "from .ui import confirm\n\ndef allowed(action):\n    return confirm(action) == 'yes'\n",
        "app/service.py": "from app import policy\n\nclass Service:\n    def run(self, action):\n        return policy.allowed(action)\n",
        "app/nodes.py": textwrap.dedent("""
            from .service import Service

            service = Service()

            def act(state):
                try:
                    return {"ok": service.run(state["action"])}  # 201
                except Exception as e:
                    return {"error": str(e)}
            """),
        "app/__init__.py": "",
    }
    assert lint(files, tmp_path, monkeypatch) == marked(files)


def test_decorator_of_another_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "guards.py": textwrap.dedent("""
            import functools

            def safe_node(name):
                def decorate(fn):
                    @functools.wraps(fn)
                    async def wrapper(state, *args, **kwargs):
                        try:
                            return await fn(state, *args, **kwargs)
                        except Exception as e:
                            return {"error": f"{name}: {e}"}
                    return wrapper
                return decorate
            """),
        "nodes.py": textwrap.dedent("""
            from langgraph.types import interrupt
            from guards import safe_node

            @safe_node("approve")
            async def approve(state):
                return {"a": interrupt("?")}  # 202
            """),
    }
    assert lint(files, tmp_path, monkeypatch) == marked(files)


def test_wrapped_where_the_graph_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "nodes.py": "from langgraph.types import interrupt\n\ndef approve(state):\n    return {'a': interrupt('?')}  # 202\n",
        "graph.py": textwrap.dedent("""
            from langgraph.graph import StateGraph
            from nodes import approve

            def with_errors(node):
                def run(state):
                    try:
                        return node(state)
                    except Exception as e:
                        return {"error": str(e)}
                return run

            builder = StateGraph(dict)
            builder.add_node("approve", with_errors(approve))
            """),
    }
    assert lint(files, tmp_path, monkeypatch) == marked(files)


# --------------------------------------------------------------------------- hooks around tools
HOOK = '''
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, wrap_tool_call
from langchain_core.messages import ToolMessage
from langchain_core.tools import tool
from langgraph.prebuilt import ToolNode
from langgraph.types import interrupt

@tool
def pay(to: str) -> str:
    """Pay."""
    return interrupt(to)

@tool
def look(to: str) -> str:
    """Look."""
    return to
'''
HOOKS = {
    "decorated": '''
@wrap_tool_call
def friendly(request, handler):
    try:
        return handler(request)  # 201
    except Exception as e:
        return ToolMessage(str(e), tool_call_id="1")

agent = create_agent("m", tools=[pay], middleware=[friendly])
''',
    "async_method": '''
class Friendly(AgentMiddleware):
    async def awrap_tool_call(self, request, handler):
        try:
            return await handler(request)  # 201
        except Exception as e:
            return ToolMessage(str(e), tool_call_id="1")

agent = create_agent("m", tools=[look, pay], middleware=[Friendly()])
''',
    "lets_it_through": '''
from langgraph.errors import GraphBubbleUp

class Friendly(AgentMiddleware):
    def wrap_tool_call(self, request, handler):
        try:
            return handler(request)
        except GraphBubbleUp:
            raise
        except Exception as e:
            return ToolMessage(str(e), tool_call_id="1")

agent = create_agent("m", tools=[pay], middleware=[Friendly()])
''',
    "tool_node": '''
def friendly(request, handler):
    try:
        return handler(request)  # 201
    except Exception as e:
        return ToolMessage(str(e), tool_call_id="1")

node = ToolNode([pay], wrap_tool_call=friendly)
''',
    "agent_whose_tools_do_not_pause": '''
class Friendly(AgentMiddleware):
    def wrap_tool_call(self, request, handler):
        try:
            return handler(request)
        except Exception as e:
            return ToolMessage(str(e), tool_call_id="1")

careful = create_agent("m", tools=[pay])
agent = create_agent("m", tools=[look], middleware=[Friendly()])
''',
    "something_else_called_handler": '''
class Friendly:
    def wrap_tool_call(self, request, handler):
        try:
            return handler(request)
        except Exception as e:
            return str(e)

agent = create_agent("m", tools=[pay])
''',
}


@pytest.mark.parametrize("name", HOOKS)
def test_hooks_around_tools(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"agent.py": HOOK + HOOKS[name]}
    assert lint(files, tmp_path, monkeypatch) == marked(files)


TOOLS = "from langchain_core.tools import tool\nfrom langgraph.types import interrupt\n\n@tool\ndef pay(to: str) -> str:\n    'Pay.'\n    return interrupt(to)\n"
ERRORS = """
from langchain.agents.middleware import wrap_tool_call

@wrap_tool_call
def friendly(request, handler):
    try:
        return handler(request){mark}
    except Exception as e:
        return str(e)
"""


def test_hook_and_tool_that_meet_in_one_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = "from langchain.agents import create_agent\nfrom app.errors import friendly\nfrom app import tools\n\ndef build(model, extra):\n" \
            "    return create_agent(model, tools=extra + [tools.pay], middleware=list_of(friendly))\n"
    files = {"app/__init__.py": "", "app/tools.py": TOOLS, "app/errors.py": ERRORS.format(mark="  # 201"), "app/agent.py": agent}
    assert lint(files, tmp_path, monkeypatch) == marked(files)


def test_hook_whose_agent_has_nothing_to_do_with_the_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = "from langchain.agents import create_agent\nfrom errors import friendly\n\nagent = create_agent('m', tools=[], middleware=[friendly])\n"
    files = {"first/errors.py": ERRORS.format(mark=""), "first/agent.py": agent, "second/tools.py": TOOLS}
    assert lint(files, tmp_path, monkeypatch) == []


def test_expressions_made_of_themselves_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = HEAD + textwrap.dedent("""
        class Desk:
            def __init__(self):
                self.count = 0
                self.kinds = (ValueError,)

            def widen(self):
                self.kinds = self.kinds + (KeyError,)

            def __call__(self, state):
                self.kinds = self.kinds + self.kinds
                try:
                    return {"a": ask()}  # 201
                except Exception as e:
                    self.count = self.count + 1
                    total = 0 + 1""" + " + 1" * 300 + """
                    if isinstance(e, self.kinds) or self.count > 3 or total > 1:
                        log.error("%s", e)
                    return {"a": self.count}

        node = Desk()
        """) + FOOT
    files = {"graph.py": source}
    assert lint(files, tmp_path, monkeypatch) == marked(files)
