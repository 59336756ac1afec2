"""Rules that depend on the version of a library: the same program, another lock file."""

from __future__ import annotations

from pathlib import Path

import pytest

from hitl_lint import run
from hitl_lint.config import Config

AGENT = """from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware, ToolRetryMiddleware{more}
from langchain_core.tools import tool
from langgraph.types import interrupt


@tool
def refund(order: str) -> str:
    \"\"\"Pay back.\"\"\"
    return interrupt(order)


def build(model, saver):
    return create_agent(model, tools=[refund], middleware=[ToolRetryMiddleware({args})], checkpointer=saver)
"""
SCHEMA = """from langgraph.types import interrupt
from pydantic import BaseModel


class Amount(BaseModel):
    cents: int


def ask(state):
    try:
        amount = interrupt("How much?", response_schema=Amount)
    except ValueError:
        return {"cents": 0}
    return {"cents": amount.cents}
"""
SERVER = """from langgraph_sdk import get_client

client = get_client()


async def approve(thread_id, interrupt_id):
    return await client.runs.wait(thread_id, "agent", command={"resume": {interrupt_id: "approve"}})
"""
KEY = """from langgraph.types import Command


def answer(graph, thread_id, answers):
    return graph.invoke(Command(resume=answers), {"configurable": {"thread_id": thread_id, "__pregel_strict_resume": True}})
"""


def found(folder: Path, monkeypatch: pytest.MonkeyPatch, source: str, lock: str, code: str, configured: str | None = None) -> list[str]:
    (folder / "app.py").write_text(source)
    (folder / "pyproject.toml").write_text("")
    (folder / "requirements.txt").write_text(lock)
    monkeypatch.chdir(folder)
    result = run.check(run.Request(["app.py"], Config(select=(code,), min_severity="note", langgraph=configured)))
    assert not result.complaints
    return [f.message for f in result.findings]


@pytest.mark.parametrize(("source", "code", "lock", "reported"), [
    (AGENT.format(more="", args=""), "HIL202", "langchain==1.3.11\n", True), (AGENT.format(more="", args=""), "HIL202", "langchain==1.3.12\n", False),
    (AGENT.format(more="", args=""), "HIL202", "langchain<1.3\n", True), (AGENT.format(more="", args=""), "HIL202", "", False),
    (AGENT.format(more="", args="retry_on=(ConnectionError,)"), "HIL202", "langchain==1.3.11\n", False),
    (SCHEMA, "HIL208", "langgraph==1.2.12\n", True), (SCHEMA, "HIL208", "langgraph==1.2.11\n", False), (SCHEMA, "HIL208", "", True),
    (SERVER, "HIL409", "langgraph-sdk==0.4.14\n", True), (SERVER, "HIL409", "langgraph_sdk==0.4.13\n", False), (SERVER, "HIL409", "langgraph-sdk>=0.2\n", True),
])
def test_gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, code: str, lock: str, reported: bool) -> None:
    assert bool(found(tmp_path, monkeypatch, source, lock, code)) is reported


def test_the_message_about_the_private_key_knows_the_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "is private" in found(tmp_path, monkeypatch, KEY, "langgraph==1.2.20\n", "HIL410")[0]
    assert "older than 1.2.20" in found(tmp_path, monkeypatch, KEY, "langgraph==1.2.19\n", "HIL410")[0]
    assert "is private" in found(tmp_path, monkeypatch, KEY, "langgraph==1.2.19\n", "HIL410", configured="1.2.24")[0]
