"""Review middleware, in the forms that people write: which gates, entries, answers and lists are understood, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from hitl_lint import run
from hitl_lint.config import Config

RULES = ("HIL701", "HIL702", "HIL703", "HIL704")


def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **files: str) -> list[str]:
    for name, source in files.items():
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    result = run.check(run.Request(["."], Config(select=RULES, min_severity="note"), jobs=1))
    assert not result.complaints
    return [f"{f.code} {f.span.path.removesuffix('.py')}:{f.span.line}" for f in result.findings]


GATE = """
from langchain.agents.middleware import HumanInTheLoopMiddleware
gate = HumanInTheLoopMiddleware(interrupt_on={{"pay": {{"allowed_decisions": ["approve"], "when": {when}}}}})
"""


@pytest.mark.parametrize(("head", "when", "line"), [
    ("import time\nfrom functools import partial\ndef late(limit, request):\n    return time.time() > limit\n", "partial(late, 5)", 4),
    ("import time\ndef now():\n    return time.time()\n", "lambda r: now() > r.tool_call['args']['due']", 0),
    ("import random\ndef check(request):\n    if request.tool_call['args']['amount'] > 10:\n        return True\n    return random.random() < 0.1\n", "check", 5),
    ("import random\ndef check(request):\n    if random.random() < 0.1:\n        return True\n    return False\n", "check", 3),
    ("from datetime import date\ndef check(request):\n    return date.fromisoformat(request.tool_call['args']['day']) < date.today()\n", "check", 3),
    ("class Policy:\n    def __init__(self):\n        self.asked = 0\n    def needs(self, request):\n        self.asked += 1\n        return self.asked < 3\npolicy = Policy()\n",
     "policy.needs", 5),
    ("def make():\n    count = 0\n    def check(request):\n        nonlocal count\n        count += 1\n        return count == 1\n    return check\n", "make()", 5),
    ("from langchain_openai import ChatOpenAI\nllm = ChatOpenAI()\ndef risky(request):\n    return 'yes' in llm.invoke(str(request.tool_call)).content\n", "risky", 4),
    ("import sqlite3\ndb = sqlite3.connect('x')\ndef locked(request):\n    return db.execute('SELECT 1 FROM locks').fetchone() is not None\n", "locked", 4),
    ("import os\n", "lambda r: os.getenv('STAGE') == 'prod'", 0),
    ("import os\ndef check(request):\n    return os.environ['STAGE'] == 'prod'\n", "check", 3),
])
def test_a_predicate_that_can_come_out_differently(head: str, when: str, line: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = line or head.count("\n") + 3
    assert found(tmp_path, monkeypatch, app=head + GATE.format(when=when)) == [f"HIL701 app:{line}"]


@pytest.mark.parametrize(("head", "when"), [
    ("", "lambda r: len(r.state['messages']) > 3"),
    ("", "lambda r: r.tool_call['args'].get('path', '').startswith('/etc')"),
    ("from datetime import date\n", "lambda r: date.fromisoformat(r.tool_call['args']['day']).year > 2030"),
    ("LIMITS = {'eur': 10}\n", "lambda r: r.tool_call['args']['amount'] > LIMITS.get('eur', 0)"),
    ("import uuid\ndef check(request):\n    print(uuid.uuid4())\n    return True\n", "check"),
    ("class Policy:\n    def __init__(self, limit):\n        self.limit = limit\n    def needs(self, request):\n        return request.tool_call['args']['n'] > self.limit\n", "Policy(3).needs"),
    ("from policies import needs_review\n", "needs_review"),
    ("import os\nSTAGE = os.getenv('STAGE')\n", "lambda r: STAGE == 'prod'"),
    ("", "lambda r: r.runtime.context.user_role != 'admin'"),
    ("import hashlib\n", "lambda r: hashlib.sha256(r.tool_call['id'].encode()).digest()[0] < 25"),
])
def test_a_predicate_that_says_the_same_again(head: str, when: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(tmp_path, monkeypatch, app=head + GATE.format(when=when)) == []


def test_a_predicate_of_another_file_is_told_where_the_gate_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    policy = "import random\n\n\ndef sample(request):\n    return random.random() < 0.1\n"
    app = "from policy import sample\n" + GATE.format(when="sample")
    assert found(tmp_path, monkeypatch, app=app, policy=policy) == ["HIL701 app:4"]


HEAD = "from langchain.agents.middleware import HumanInTheLoopMiddleware, InterruptOnConfig\n"


@pytest.mark.parametrize("written", [
    'HumanInTheLoopMiddleware(interrupt_on={"pay": {"allowed_decisons": ["approve"]}})',
    'HumanInTheLoopMiddleware({"pay": {"allow": ["approve", "reject"]}})',
    'HumanInTheLoopMiddleware(interrupt_on={"pay": InterruptOnConfig(allowed_decision=["approve"])})',
    'HumanInTheLoopMiddleware(interrupt_on={**{"pay": {"allowed_decisions": ()}}})',
    'HumanInTheLoopMiddleware(interrupt_on={"read": False} | {"pay": {"allowed_decisions": list()}})',
    'HumanInTheLoopMiddleware(interrupt_on={n: {"allowed_decisions": ["yes", "no"]} for n in ("pay", "send")})',
    'HumanInTheLoopMiddleware(interrupt_on=dict(pay={"allowed_decisions": ["approve"], "descripton": "Pay?"}))',
    'HumanInTheLoopMiddleware(interrupt_on={"pay": None})',
    'HumanInTheLoopMiddleware(interrupt_on={"pay": ("approve", "reject")})',
    'type("X", (), {})() or HumanInTheLoopMiddleware(interrupt_on={"pay": {"allowed_decisions": True}})',
    'HumanInTheLoopMiddleware(interrupt_on={"pay": True}, interrupt_mode="percall")',
])
def test_an_entry_that_is_refused_dropped_or_not_read(written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(tmp_path, monkeypatch, app=f"{HEAD}gate = {written}\n") == ["HIL703 app:2"]


@pytest.mark.parametrize("written", [
    'HumanInTheLoopMiddleware(interrupt_on=load_table())',
    'HumanInTheLoopMiddleware(interrupt_on={"pay": load("pay")})',
    'HumanInTheLoopMiddleware(interrupt_on={"pay": {"allowed_decisions": decisions_for("pay")}})',
    'HumanInTheLoopMiddleware(interrupt_on={"pay": {**base, "description": "x"}})',
    'HumanInTheLoopMiddleware(interrupt_on={"pay": {key: ["approve"]}})',
    'HumanInTheLoopMiddleware(interrupt_on={"pay": {"allowed_decisions": [*base]}})',
    'HumanInTheLoopMiddleware(interrupt_on={"pay": {"allowed_decisions": ["approve", "edit", "reject", "respond"], "team": "x"}})',
    'HumanInTheLoopMiddleware(interrupt_on={"pay": flag})',
    'HumanInTheLoopMiddleware(interrupt_on={"pay": True}, interrupt_mode=mode)',
    'OtherMiddleware(interrupt_on={"pay": {"allowed_decision": ["approve"]}})',
])
def test_an_entry_that_is_right_or_cannot_be_read(written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(tmp_path, monkeypatch, app=f"{HEAD}from other import OtherMiddleware, base, decisions_for, flag, key, load, load_table, mode\ngate = {written}\n") == []


def test_own_review_middleware_and_tables_of_other_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = 'PAY = {"pay": {"allowed_decisions": ["aprove"]}}\n'
    app = HEAD + """from tables import PAY


class Audited(HumanInTheLoopMiddleware):
    def after_model(self, state, runtime):
        return super().after_model(state, runtime)


class Fixed(HumanInTheLoopMiddleware):
    def __init__(self):
        super().__init__(interrupt_on={"send": {"allowed": ["approve"]}})


def gates(table):
    return HumanInTheLoopMiddleware(interrupt_on=table)


one = Audited(interrupt_on={"send": {"allowed_decisions": []}})
two = gates({"send": {"decisions": ["approve"]}})
three = gates(PAY)
"""
    assert found(tmp_path, monkeypatch, app=app, tables=tables) == ["HIL703 app:12", "HIL703 app:19", "HIL703 app:20"]


ORDER = """from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, HumanInTheLoopMiddleware, ToolErrorMiddleware, ToolRetryMiddleware
PER_CALL = "per_call"
review = HumanInTheLoopMiddleware(interrupt_on={{"pay": True}}, interrupt_mode=PER_CALL)
retry = ToolRetryMiddleware(max_retries=1)
class Own(AgentMiddleware):
    async def awrap_tool_call(self, request, handler):
        {body}
agent = create_agent("m", tools=[], middleware={listed})
"""


@pytest.mark.parametrize(("listed", "body"), [
    ("[retry, review]", "return await handler(request)"),
    ("[retry] + [review]", "return await handler(request)"),
    ("[*[retry], review]", "return await handler(request)"),
    ("[ToolErrorMiddleware(lambda e, r: str(e)), review]", "return await handler(request)"),
    ("[Own(), review]", "for n in range(3):\n            try:\n                return await handler(request)\n            except TimeoutError:\n                pass"),
])
def test_what_reacts_to_failures_is_around_the_review(listed: str, body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = ORDER.format(listed=listed, body=body)
    assert found(tmp_path, monkeypatch, app=text) == [f"HIL704 app:{text.count(chr(10))}"]


@pytest.mark.parametrize(("listed", "body"), [
    ("[review, retry]", "return await handler(request)"),
    ("[Own(), review]", "return await handler(request)"),
    ("[Own(), review]", "try:\n            return await handler(request)\n        except KeyError:\n            return None"),
    ("[retry, HumanInTheLoopMiddleware(interrupt_on={'pay': True})]", "return await handler(request)"),
    ("load([retry, review])", "return await handler(request)"),
])
def test_an_order_that_is_right_or_cannot_be_read(listed: str, body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(tmp_path, monkeypatch, app=ORDER.format(listed=listed, body=body)) == []


ANSWER = """from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langgraph.types import Command
agent = create_agent("m", tools=[], middleware=[HumanInTheLoopMiddleware(interrupt_on={"pay": True})], checkpointer=SAVER)
"""


@pytest.mark.parametrize(("body", "line"), [
    ("def go(cfg, kind):\n    return agent.invoke(Command(resume={'decisions': [{'type': kind}]}), cfg)\n", 6),
    ("def answer():\n    return {'decisions': [{'type': 'approve'}]}\ndef go(cfg):\n    return agent.invoke(Command(resume=answer()), cfg)\n", 6),
    ("async def go(cfg, i):\n    async for x in agent.astream(Command(resume={i: {'decisions': [{'type': 'approve'}, {'type': 'approve'}]}}), cfg):\n        print(x)\n", 6),
    ("def go(cfg, ids):\n    return agent.invoke(Command(resume={i: {'decisions': [{'type': 'approve'}]} for i in ids}), cfg)\n", 6),
    ("YES = [{'type': 'approve'}]\ndef go(cfg):\n    return agent.invoke(Command(resume={'decisions': YES}), cfg)\n", 5),
])
def test_a_list_that_is_as_long_as_it_is_written(body: str, line: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(tmp_path, monkeypatch, app=ANSWER + body) == [f"HIL702 app:{line}"]


@pytest.mark.parametrize("body", [
    "def go(cfg, ds):\n    return agent.invoke(Command(resume={'decisions': ds}), cfg)\n",
    "def go(cfg, n):\n    return agent.invoke(Command(resume={'decisions': [{'type': 'approve'}] * n}), cfg)\n",
    "def go(cfg, rs):\n    return agent.invoke(Command(resume={'decisions': [{'type': 'approve'} for r in rs]}), cfg)\n",
    "def go(cfg, rs):\n    ds = []\n    for r in rs:\n        ds.append({'type': 'approve'})\n    return agent.invoke(Command(resume={'decisions': ds}), cfg)\n",
    "def go(cfg, rs):\n    ds = [{'type': 'approve'}]\n    ds += [{'type': 'reject'} for r in rs]\n    return agent.invoke(Command(resume={'decisions': ds}), cfg)\n",
    "def go(cfg, action_requests):\n    if len(action_requests) == 1:\n        return agent.invoke(Command(resume={'decisions': [{'type': 'approve'}]}), cfg)\n",
    "def go(cfg):\n    return agent.invoke(Command(resume={'decisions': ['yes']}), cfg)\n",
    "def go(state):\n    return {'decisions': [{'type': 'approve'}]}\n",
])
def test_a_list_that_grows_with_what_waits_or_is_something_else(body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(tmp_path, monkeypatch, app=ANSWER + body) == []


def test_tests_decide_how_many_calls_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = "def test_go():\n    agent.invoke(Command(resume={'decisions': [{'type': 'approve'}]}), {})\n"
    assert found(tmp_path, monkeypatch, test_app=ANSWER + body) == []
