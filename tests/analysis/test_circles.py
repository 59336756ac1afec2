"""Programs that name themselves in circles, and dense ones, are judged in bounded time and without a fault."""

from __future__ import annotations

import pytest

from hitl_lint.api import check_source
from hitl_lint.config import Config

HEAD = """from fastapi import FastAPI
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware, ToolRetryMiddleware
from langgraph.graph import START, StateGraph
from langgraph.types import Command, interrupt
app = FastAPI()
def sign(state): return {"a": interrupt("x")}
g = StateGraph(dict).add_node("sign", sign).add_edge(START, "sign").compile(checkpointer=True)
"""
LIST = "mw = mw + [ToolRetryMiddleware()] + mw\nmw += mw\ncreate_agent('m', [], middleware=mw + mw)\n"
ENTRY = ("X = X | {'allowed_decision': 1}\nY = Z | X\nZ = Y | X\ndef f():\n    q = q | q\n    return HumanInTheLoopMiddleware(interrupt_on={'a': q, 'b': X, 'c': Y | Z})\n"
         + "N0 = {}\n" + "".join(f"N{i} = N{i - 1} | N{i - 1}\n" for i in range(1, 40)) + "HumanInTheLoopMiddleware(interrupt_on={'a': N39})\n")
TEXTS = "def n(state):\n    s0 = state['password']\n" + "".join(f"    s{i} = f'{'{s%d}' % (i - 1) * 20}'\n" for i in range(1, 40)) + "    return interrupt(s39)\n"
CALLS = ("A = B\nB = A\n" + "".join(f"def h{i}(t, tid):\n" + "".join(f"    h{j}(t, tid)\n" for j in range(24) if j % 3 == i % 3 or j == i + 1)
                                    + "    return g.invoke(Command(resume=t), {'configurable': {'thread_id': tid}})\n" for i in range(24))
         + "@app.post('/x')\ndef e(t):\n    h5(t, A)\n")


@pytest.mark.parametrize("code", [LIST, ENTRY, TEXTS, CALLS], ids=["list", "entry", "texts", "calls"])
def test_circles_end(code: str) -> None:
    result = check_source(HEAD + code, config=Config(min_severity="note", select=("ALL",)))
    assert not result.failed, result.complaints


def test_an_edge_between_any_two_nodes() -> None:
    names = [f"n{i}" for i in range(40)]
    code = HEAD + "import httpx\nb = StateGraph(dict)\n" + "".join(
        f"def {n}(state):\n    if state.get('ok_{n}'): return {{}}\n    httpx.post('x')\n    return {{'ok_{n}': interrupt(state['q'][0])}}\nb.add_node('{n}', {n})\n" for n in names)
    code += "".join(f"b.add_edge('{a}', '{b}')\n" for a in names for b in names[::2])
    assert not check_source(code, config=Config(min_severity="note", select=("HIL508",))).failed
