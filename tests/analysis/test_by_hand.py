"""How surely a pause that is raised by hand is wrong: where answers come, an error; where the state decides and none come, a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from hitl_lint.config import Config
from hitl_lint.run import Request, check

NODE = """from langgraph.errors import NodeInterrupt
from langgraph.graph import START, StateGraph
from langgraph.types import Command
import random
def grade(state):
{test}        raise NodeInterrupt("short")
    return {{"score": 10}}
graph = StateGraph(dict).add_node("grade", grade).add_edge(START, "grade").compile(checkpointer=True)
"""
STATE = '    if len(state["text"]) < 20:\n'
ANSWER = "graph.invoke(Command(resume=True), {})\n"
EDIT = 'graph.update_state({}, {"text": "long"})\ngraph.invoke(None, {})\n'
OTHER = """from langgraph.graph import START, StateGraph
from langgraph.types import Command, interrupt
def ask(state):
    return {"answer": interrupt("q")}
graph = StateGraph(dict).add_node("ask", ask).add_edge(START, "ask").compile(checkpointer=True)
""" + ANSWER
SERVER = "from langgraph.types import Command\ndef answer(request):\n    return request.app.state.graph.invoke(Command(resume=request.json()), {})\n"


@pytest.mark.parametrize(("test", "after", "beside", "severity"), [
    (STATE, EDIT, "", "note"), (STATE, "", "", "warning"), (STATE, EDIT, OTHER, "note"), (STATE, "", OTHER, "warning"),
    (STATE, ANSWER, "", "error"), (STATE, EDIT + ANSWER, "", "error"), (STATE, "", SERVER, "error"),
    (STATE, "", "from langgraph.types import Command\nfrom app import graph\n" + ANSWER, "error"),
    ("    if random.random() > 0.5:\n", "", "", "error"), ("    if True:\n", "", "", "error")])
def test_an_error_where_answers_come(test: str, after: str, beside: str, severity: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.py").write_text(NODE.format(test=test) + after, encoding="utf-8")
    (tmp_path / "beside.py").write_text(beside, encoding="utf-8")
    found = check(Request(["."], Config(select=("HIL205",), min_severity="note"), jobs=1)).findings
    assert [f.severity.name.lower() for f in found] == [severity]
