"""What HIL301 says where the other way fails before it asks, and where it goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from hitl_lint.config import Config
from hitl_lint.run import Request, check

NODE = """from langchain_openai import ChatOpenAI
from langgraph.types import interrupt
llm = ChatOpenAI()
def node(state):
    draft = llm.invoke(state["text"]).content
    if not draft:
        {other}
    return {{"a": interrupt("q")}}
"""


@pytest.mark.parametrize(("other", "fails"), [
    ('return {"status": "invalid", "message": "no draft"}', True), ('raise ValueError("no draft")', True), ('return {"error": "no draft"}', True),
    ('return make_error("could not read the draft")', True),
    ("return {}", False), ("return None", False), ("return", False), ('return {"status": "done"}', False), ('return {"a": "approved"}', False)])
def test_the_sentence_says_what_the_other_way_does(other: str, fails: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.py").write_text(NODE.format(other=other), encoding="utf-8")
    found = [f for f in check(Request(["."], Config(select=("HIL301",)), jobs=1)).findings]
    assert [("fails before it asks" in f.message, f.severity.name) for f in found] == [(fails, "WARNING" if fails else "ERROR")]
