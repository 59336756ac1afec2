"""HIL508 in other words: how the key is set, what passes over the question, who acts, and what takes the approval back."""

from __future__ import annotations

from pathlib import Path

import pytest

from hitl_lint import run
from hitl_lint.config import Config

HEAD = """
import subprocess
from dataclasses import dataclass
from langgraph.graph import END, START, StateGraph, MessagesState
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, interrupt
from langchain_core.tools import tool
"""
GATE = """
def gate(state):
    if state.get("approved"):
        return {}
    return {"approved": interrupt({"command": state["queue"][0]}) == "yes"}
"""
EXECUTE = """
def execute(state):
    if state["approved"]:
        subprocess.run(state["queue"][0])
    return {"queue": state["queue"][1:]}
"""
WIRE = """
def more(state):
    return "gate" if state["queue"] else END

g = StateGraph(dict).add_node("gate", gate).add_node("execute", execute)
g.add_edge(START, "gate").add_edge("gate", "execute").add_conditional_edges("execute", more, ["gate", END])
"""
FOUND = {
    "as the fixture": GATE + EXECUTE + WIRE,
    "no path map": GATE + EXECUTE + WIRE.replace(', ["gate", END])', ")"),
    "the answer by a branch": GATE.replace('return {"approved": interrupt({"command": state["queue"][0]}) == "yes"}',
                                           'answer = interrupt({"command": state["queue"][0]})\n    if answer == "yes":\n        return {"approved": True}\n    return {"approved": False}') + EXECUTE + WIRE,
    "update by name": GATE.replace('return {"approved": interrupt({"command": state["queue"][0]}) == "yes"}',
                                   'answer = interrupt({"command": state["queue"][0]})\n    update = {}\n    update["approved"] = answer == "yes"\n    return update') + EXECUTE + WIRE,
    "written on the state": GATE.replace('return {"approved": interrupt({"command": state["queue"][0]}) == "yes"}',
                                         'state["approved"] = interrupt({"command": state["queue"][0]}) == "yes"\n    return state').replace("return {}", "return state") + EXECUTE + WIRE,
    "attributes": (GATE + EXECUTE + WIRE).replace('state.get("approved")', "state.approved").replace('state["approved"]', "state.approved").replace('state["queue"]', "state.queue"),
    "negated": GATE.replace('    if state.get("approved"):\n        return {}\n    return {"approved": interrupt({"command": state["queue"][0]}) == "yes"}',
                            '    if not state.get("approved"):\n        return {"approved": interrupt(state["queue"][0]) == "yes"}\n    return {}') + EXECUTE + WIRE,
    "shown through a name": GATE.replace("    return {\"approved\": interrupt({\"command\": state[\"queue\"][0]})", "    command = state[\"queue\"][0]\n    return {\"approved\": interrupt(f\"Run {command}?\")") + EXECUTE + WIRE,
    "effect in a helper": GATE + EXECUTE.replace("subprocess.run(", "carry_out(") + "def carry_out(command):\n    subprocess.run(command)\n" + WIRE,
    "goto from the gate": """
def gate(state) -> Command:
    if state.get("approved"):
        return Command(goto="execute")
    if interrupt(state["queue"][0]) == "yes":
        return Command(goto="execute", update={"approved": True})
    return Command(goto=END)

def execute(state):
    subprocess.run(state["queue"][0])
    return {"queue": state["queue"][1:]}

def more(state):
    return "gate" if state["queue"] else END

g = StateGraph(dict).add_node("gate", gate).add_node("execute", execute)
g.add_edge(START, "gate").add_conditional_edges("execute", more, ["gate", END])
""",
    "tools of an agent": """
@tool
def shell(command: str) -> str:
    "Runs a command."
    return str(subprocess.run(command))

def agent(state):
    return {"messages": [model.invoke(state["messages"])]}

def route(state):
    if not state["messages"][-1].tool_calls:
        return END
    return "tools" if state.get("approved") else "review"

def review(state):
    return {"approved": interrupt(state["messages"][-1].tool_calls) == "yes"}

def verdict(state):
    return "tools" if state["approved"] else END

g = StateGraph(MessagesState).add_node("agent", agent).add_node("tools", ToolNode([shell])).add_node("review", review)
g.add_edge(START, "agent").add_conditional_edges("agent", route, ["tools", "review", END])
g.add_conditional_edges("review", verdict, ["tools", END]).add_edge("tools", "agent")
""",
}
SILENT = {
    "asked each time": GATE.replace('    if state.get("approved"):\n        return {}\n', "") + EXECUTE + WIRE,
    "set back by the actor": GATE + EXECUTE.replace('[1:]}', '[1:], "approved": False}') + WIRE,
    "set back to None": GATE + EXECUTE.replace('[1:]}', '[1:], "approved": None}') + WIRE,
    "set back by the gate": GATE.replace("return {}", 'return {"approved": False}') + EXECUTE + WIRE,
    "set back by a third node": GATE + EXECUTE + WIRE.replace('"gate" if state', '"clear" if state').replace('["gate", END]', '["clear", END]')
    + 'def clear(state):\n    return {"approved": False}\ng.add_node("clear", clear).add_edge("clear", "gate")\n',
    "no round": GATE + EXECUTE + WIRE.replace('.add_conditional_edges("execute", more, ["gate", END])', '.add_edge("execute", END)'),
    "nothing acts": GATE + EXECUTE.replace("subprocess.run(", "len(") + WIRE,
    "the actor does not go by it": GATE + EXECUTE.replace('if state["approved"]:', "if True:").replace("subprocess.run(", "print(") + WIRE,
    "the whole list was shown": GATE.replace('state["queue"][0]', 'state["queue"]') + EXECUTE + WIRE,
    "a plan": (GATE + EXECUTE + WIRE).replace("approved", "plan_approved"),
    "all of them": GATE.replace('{"command": state["queue"][0]}', '{"question": "Run all commands?", "first": state["queue"][0]}') + EXECUTE + WIRE,
    "always": GATE.replace('== "yes"', '== "always"') + EXECUTE + WIRE,
    "returned by somebody else": GATE + EXECUTE.replace('return {"queue": state["queue"][1:]}', "return library.after(state)") + WIRE,
    "what is asked stays the same": GATE.replace('state["queue"][0]', 'state["customer"]') + EXECUTE + WIRE,
    "a reading, not a permission": GATE.replace("approved", "address").replace(' == "yes"', "") + EXECUTE.replace('if state["approved"]:\n        subprocess', "if True:\n        subprocess") + WIRE,
}


def lines(here: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> list[str]:
    (here / "a.py").write_text(HEAD + body)
    monkeypatch.chdir(here)
    return [f.code for f in run.check(run.Request(["a.py"], Config(select=("HIL508",), min_severity="note"), jobs=1)).findings]


@pytest.mark.parametrize("name", FOUND)
def test_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert lines(tmp_path, monkeypatch, FOUND[name]) == ["HIL508"]


@pytest.mark.parametrize("name", SILENT)
def test_silent(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert lines(tmp_path, monkeypatch, SILENT[name]) == []
