"""Which of several effects behind one call is named: the gravest, so that nobody takes an error for a trifle."""

from __future__ import annotations

from pathlib import Path

import pytest

from hitl_lint.config import Config
from hitl_lint.finding import Severity
from hitl_lint.run import Request, check

HEAD = """import subprocess
import uuid
from pathlib import Path

import httpx
from sqlalchemy import create_engine
from sqlalchemy.orm import Session
from langgraph.types import interrupt

session = Session(create_engine("sqlite://"))
"""
SPILL = 'Path(f"spill-{uuid.uuid4()}.txt").write_text(s["a"])'
ORDER = 'httpx.post("https://shop.example/orders", json=s)'
USAGE = """def record_usage(s):
    session.add(s["usage"])
"""


@pytest.mark.parametrize(("helpers", "body", "named"), [
    pytest.param("", [SPILL, ORDER], "sends an HTTP POST", id="what reaches others before a file"),
    pytest.param("", [ORDER, SPILL], "sends an HTTP POST", id="in any order"),
    pytest.param("def run(s):\n    for tool in s['tools']:\n        tool.invoke(s)\n", [SPILL, "run(s)"], "runs a tool", id="tools that may do anything before a file"),
    pytest.param("", ['Path("PLAN.md").write_text(s["a"])', SPILL], "writes a file again", id="another file before one that is overwritten"),
    pytest.param("", ['Path("PLAN.md").write_text(s["a"])', 'mailer.send_email(s["a"])'], "sends email", id="a named mail before a file that is overwritten"),
    pytest.param(USAGE, ["record_usage(s)", 'session.add(s["order"])'], "`work()` runs before interrupt() on line {line} (work → session.add)", id="business before the books"),
    pytest.param(USAGE + "def file(s):\n    session.add(s['order'])\n", ["record_usage(s)", "file(s)"], "(work → file → session.add)", id="business before the books, as deep"),
    pytest.param("def deep(s):\n    session.add(s)\n", ["deep(s)", "session.add(s)"], "(work → session.add)", id="of two as grave the shorter way"),
    pytest.param("", ["mailer.send_email(s)", SPILL], "writes a file", id="proved before named"),
])
def test_the_gravest_is_named(helpers: str, body: list[str], named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = HEAD + helpers + "def work(s):\n" + "".join(f"    {line}\n" for line in body) + "def node(s):\n    work(s)\n    return {'ok': interrupt('fine?')}\n"
    (tmp_path / "app.py").write_text(source, encoding="utf-8")
    found = [f for f in check(Request(["."], Config(select=("HIL101",)), jobs=1)).findings]
    assert [(named.format(line=source.count("\n")) in f.message, f.severity) for f in found] == [(True, Severity.ERROR)], found[0].message
