"""What findings say: words that are true of the case, in sentences that can be read."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hitl_lint import run
from hitl_lint.config import Config
from hitl_lint.finding import Finding

HEAD = """\
import smtplib
from pathlib import Path

import acme
import httpx
from langchain_openai import ChatOpenAI
from langgraph.types import interrupt

model = ChatOpenAI()


"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(here: Path, body: str, config: Config = Config()) -> list[Finding]:
    (here / "a.py").write_text(HEAD + body, encoding="utf-8")
    return run.check(run.Request(["a.py"], config)).findings


@pytest.mark.parametrize(("use", "fate"), [
    ("httpx.post('https://x', json={'text': draft})\n    return {}", "sent"),
    ("smtplib.SMTP('h').sendmail('a', 'b', draft)\n    return {}", "sent"),
    ("mailer.send_reply(draft)\n    return {}", "sent"),
    ("Path('report.md').write_text(draft)\n    return {}", "saved"),
    ("db.insert_report(draft)\n    return {}", "saved"),
    ("charge_customer(draft)\n    return {}", "used"),
    ("self.draft = draft\n    return {}", "stored"),
    ("return {'draft': draft}", "returned"),
])
def test_what_is_approved_is_not_what_is_done_with_it(here: Path, use: str, fate: str) -> None:
    one, = (f for f in found(here, f"def node(self, state):\n    draft = model.invoke('x').content\n    interrupt(draft)\n    {use}\n") if f.code == "HIL104")
    assert one.message.startswith(f"What is approved is not what is {fate}: `model.invoke()` asks the model again")
    assert [step.message for step in one.related] == [f"here another version is {fate}"]


@pytest.mark.parametrize(("kind", "begins", "chain"), [
    ("effect", "Every resume changes something outside (says your configuration) again: `acme.post()` runs before interrupt() on line 14",
     "acme.post() changes something outside (says your configuration)"),
    ("model", "Every resume asks and pays the model again: `acme.post()` runs before interrupt() on line 14", "acme.post() asks a model (says your configuration)"),
])
def test_what_the_configuration_declares_reads_as_a_sentence(here: Path, kind: str, begins: str, chain: str) -> None:
    declared = Config(effects=(("acme.post", kind),))
    one, = found(here, "def node(state):\n    acme.post(1)\n\n    return {'a': interrupt('?')}\n".replace("\n\n", "\n"), declared)
    assert one.message.startswith(begins)
    assert [step.message for step in one.trace] == [chain]
    if kind == "effect":
        helped, = found(here, "def tell(x):\n    acme.post(x)\n\ndef node(state):\n    tell(1)\n    return {'a': interrupt('?')}\n", declared)
        assert "Every resume changes something outside (says your configuration) again: `tell()` runs before" in helped.message


def test_a_declared_effect_before_a_router_that_asks(here: Path) -> None:
    code = ("from langgraph.graph import StateGraph\n\n\ndef node(state):\n    acme.post(1)\n    return {}\n\n\ndef route(state):\n    return interrupt('?')\n\n\n"
            "g = StateGraph(dict)\ng.add_node('node', node)\ng.add_conditional_edges('node', route)\n")
    one, = found(here, code, Config(effects=(("acme.*", "effect"),), ignore=("HIL5",)))
    assert one.message.startswith("Every resume changes something outside (says your configuration) again: `acme.post()` stands in node()")


def test_lines_in_a_notebook_are_those_of_its_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bad fixtures, two of each rule, as the second cell, after one of a thousand lines."""
    for rule in sorted((Path(__file__).parent.parent / "fixtures").glob("HIL*")):
        for path in sorted(path for path in rule.glob("bad_*.py") if not path.name.endswith(".fixed.py"))[:2]:
            sources = ["x = 1\n" * 1000, path.read_bytes().decode("utf-8", "replace")]
            cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source} for source in sources]
            folder = tmp_path / path.parent.name / path.stem
            folder.mkdir(parents=True)
            (folder / "pyproject.toml").write_text("")
            (folder / "n.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    monkeypatch.chdir(tmp_path)
    found = run.check(run.Request(["."], Config(select=("ALL",), min_severity="note"), fixes=True)).findings
    texts = [text for f in found for text in (f.message, f.help, f.no_fix, *(fix.title for fix in f.fixes), *(fix.note for fix in f.fixes))]
    named = [m for text in texts for m in re.finditer(r"\blines? (\d+)( of cell 1)?", text)]
    assert len(found) > 80 and len(named) > 50
    assert [m.string for m in named if int(m[1]) > 1000 or not m[2]] == []
