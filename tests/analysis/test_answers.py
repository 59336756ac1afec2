"""What an answer decides, form by form: each body stands behind `answer = interrupt(…)` in a node that may call `pay()`, an HTTP POST."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from hitl_lint import run
from hitl_lint.config import Config

HEAD = '''
import enum, json
from dataclasses import dataclass
from typing import Literal, TypedDict
import httpx
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from pydantic import BaseModel

YES = {"yes", "approve"}
NO = ("no", "reject")


class S(TypedDict, total=False):
    approved: bool
    decision: str
    text: str


def pay():
    httpx.post("https://bank.example/pay")
'''
TAIL = '''

def build(saver):
    return StateGraph(S).add_node("node", node).add_edge(START, "node").add_edge("node", END).compile(checkpointer=saver)
'''

# (expected codes besides notes, lines of the node after the pause)
NODES = [
    # -- the word that stops is the only one that is looked at
    ("605", 'if answer == "reject":\n    return {"decision": "rejected"}\npay()\nreturn {}'),
    ("605", 'if answer != "reject":\n    pay()\nreturn {}'),
    ("605", 'if answer in NO:\n    return {}\npay()\nreturn {}'),
    ("605", 'if answer not in ("no", "n"):\n    pay()\nreturn {}'),
    ("605", 'if answer["action"].lower() == "cancel":\n    return {}\npay()\nreturn {}'),
    ("605", 'if str(answer).strip().lower().startswith("n"):\n    return {}\npay()\nreturn {}'),
    ("605", 'ok = answer != "no"\nif ok:\n    pay()\nreturn {}'),
    ("605", 'if not (answer == "reject"):\n    pay()\nreturn {}'),
    ("605", 'match answer:\n    case "reject" | "deny":\n        return {}\n    case _:\n        pay()\nreturn {}'),
    ("605", 'match answer:\n    case {"type": "reject"}:\n        return {}\n    case other:\n        pay()\nreturn {}'),
    ("605", 'if (word := answer.get("decision")) == "deny":\n    raise PermissionError(word)\npay()\nreturn {}'),
    ("605", 'a, b = answer, 1\nif a == "no":\n    return {}\npay()\nreturn {}'),
    ("605", 'if isinstance(answer, dict) and answer.get("decision") in {"deny", "cancel"}:\n    return {"decision": "denied"}\npay()\nreturn {}'),
    ("605", 'if answer == "approve":\n    pay()\nelif answer == "reject":\n    return {}\nelse:\n    pay()\nreturn {}'),
    ("605", 'return {"approved": answer != "reject"}'),
    ("605", 'return {"approved": "no" not in str(answer).lower()}'),
    # -- what is missing approves
    ("605", 'if answer.get("action", "approve") == "approve":\n    pay()\nreturn {}'),
    ("605", 'action = answer.get("action") or "approve"\nif action == "approve":\n    pay()\nreturn {}'),
    ("605", 'if answer.get("approved", True):\n    pay()\nreturn {}'),
    ("605", 'action = answer["action"] if answer else "approve"\nif action == "approve":\n    pay()\nreturn {}'),
    ("605", 'action = (answer or {}).get("action", "approve")\nif action == "approve":\n    pay()\nreturn {}'),
    ("605", 'return {"approved": answer.get("approved", True)}'),
    ("605", 'approved = getattr(answer, "approved", True)\nif approved:\n    pay()\nreturn {}'),
    ("605", 'try:\n    kind = json.loads(answer)["type"]\nexcept Exception:\n    kind = "approve"\nif kind == "reject":\n    return {}\npay()\nreturn {}'),
    # -- an explanation that nobody gave decides nothing
    ("", 'return {"decision": "approved" if answer.get("approved") is True else "rejected", "text": answer.get("rationale", "Approval recorded.")}'),
    ("", 'return {"approved": answer.get("approved", False), "text": answer.get("reviewer_comment", "approved")}'),
    ("", 'return {"approved": answer.get("approved", False), "text": answer.get("note") or "Accepted by hand"}'),
    ("", 'return {"approved": answer.get("approved", False), "text": answer.get("message", "Approval was granted.")}'),
    ("605", 'return {"approved": answer.get("approved", True), "text": answer.get("rationale", "Approval recorded.")}'),
    ("605", 'return {"decision": answer.get("feedback", "approve"), "text": answer.get("comment", "ok")}'),
    # -- only an approval acts
    ("", 'if answer == "approve":\n    pay()\nreturn {}'),
    ("", 'if answer in YES:\n    pay()\nreturn {}'),
    ("", 'if answer != "approve":\n    return {}\npay()\nreturn {}'),
    ("", 'if answer is True:\n    pay()\nreturn {}'),
    ("", 'if answer.get("action", "reject") == "approve":\n    pay()\nreturn {}'),
    ("", 'if answer.get("approved", False) is True:\n    pay()\nreturn {}'),
    ("", 'if answer == "reject":\n    return {}\nif answer != "approve":\n    raise ValueError(answer)\npay()\nreturn {}'),
    ("", 'match answer:\n    case "approve":\n        pay()\n    case "reject":\n        return {}\n    case _:\n        raise ValueError(answer)\nreturn {}'),
    ("", 'match answer:\n    case {"type": "approve"}:\n        pay()\n    case _:\n        return {}\nreturn {}'),
    ("", 'if answer == "reject":\n    return {"decision": "rejected"}\nelif answer == "approve":\n    pay()\n    return {"decision": "paid"}\nreturn {"decision": "unknown answer"}'),
    ("", 'if isinstance(answer, bool):\n    ok = answer\nelse:\n    ok = str(answer).lower() in YES\nif ok:\n    pay()\nreturn {}'),
    ("", 'assert answer in ("approve", "reject")\nif answer == "reject":\n    return {}\npay()\nreturn {}'),
    ("", 'if answer not in ("approve", "reject"):\n    return Command(goto="node")\nif answer == "reject":\n    return {}\npay()\nreturn {}'),
    ("", 'action = {"approve": "go", "reject": "stop"}[answer]\nif action == "go":\n    pay()\nreturn {}'),
    ("", 'return {"decision": answer}'),
    # -- answers that choose, edit, talk
    ("", 'if answer == "pdf":\n    return {"text": "pdf"}\nreturn {"text": "html"}'),
    ("", 'return {"text": answer or state["text"]}'),
    ("", 'text = answer if answer.strip() else state["text"]\nreturn {"text": text}'),
    ("", 'if answer.lower() in ("exit", "quit"):\n    return Command(goto=END)\nreturn {"text": answer}'),
    ("", 'return {"text": answer.get("text", state["text"]), "decision": answer.get("format", "pdf")}'),
    ("", 'amount = int(answer)\nif amount > 100:\n    return {}\nreturn {"text": str(amount)}'),
]


def findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> list[str]:
    (tmp_path / "node.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    result = run.check(run.Request(["node.py"], Config(select=("HIL604", "HIL605", "HIL606"), min_severity="warning"), jobs=1))
    return [f.code for f in result.findings]


@pytest.mark.parametrize(("code", "body"), NODES, ids=[str(n) for n in range(len(NODES))])
def test_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, body: str) -> None:
    node = f'\n\ndef node(state):\n    answer = interrupt({{"text": state.get("text")}})\n{textwrap.indent(body, "    ")}\n'
    assert findings(tmp_path, monkeypatch, HEAD + node + TAIL) == ([f"HIL{code}"] if code else [])


# What stands around the pause: helpers, classes, routers. {ask} is the pause.
PROGRAMS = [
    ("605", '''
def ask():
    return interrupt("Pay?")

def allowed():
    return ask() != "no"

def node(state):
    if allowed():
        pay()
    return {}
'''),
    ("605", '''
def require():
    if interrupt("Pay?") == "reject":
        raise PermissionError()

def node(state):
    require()
    pay()
    return {}
'''),
    ("", '''
def require():
    if interrupt("Pay?") != "approve":
        raise PermissionError()

def node(state):
    require()
    pay()
    return {}
'''),
    ("605", '''
class Verdict(BaseModel):
    action: str = "approve"

def node(state):
    verdict = Verdict(**interrupt("Pay?"))
    if verdict.action == "approve":
        pay()
    return {}
'''),
    ("", '''
class Verdict(BaseModel):
    action: Literal["approve", "reject"]

def node(state):
    verdict = Verdict(**interrupt("Pay?"))
    if verdict.action != "reject":
        pay()
    return {}
'''),
    ("", '''
class Kind(str, enum.Enum):
    YES = "approve"
    NO = "reject"

def node(state):
    kind = Kind(interrupt("Pay?"))
    if kind == Kind.NO:
        return {}
    pay()
    return {}
'''),
    ("605", '''
@dataclass
class Result:
    rejected: bool
    words: str = ""

def read(answer):
    if answer.get("type") == "reject":
        return Result(rejected=True)
    return Result(rejected=False)

def node(state):
    result = read(interrupt({"q": "Pay?"}))
    if result.rejected:
        return {}
    pay()
    return {}
'''),
    ("", '''
def read(answer):
    kind = answer.get("type") if isinstance(answer, dict) else answer
    return kind if kind in ("approve", "edit") else "reject"

def node(state):
    if read(interrupt({"q": "Pay?"})) == "reject":
        return {}
    pay()
    return {}
'''),
    ("604", '''
def ask():
    return interrupt("Pay? (yes/no)")

def node(state):
    if ask():
        pay()
    return {}
'''),
    ("", '''
def node(state):
    while True:
        answer = interrupt("Pay? yes or no")
        if answer in ("yes", "no"):
            break
    if answer == "yes":
        pay()
    return {}
'''),
    ("605", '''
async def node(state):
    for item in state["items"]:
        answer = interrupt({"item": item})
        if answer == "skip":
            continue
        pay()
    return {}
'''),
    ("606", '''
def node(state):
    interrupt("Do you approve the payment?")
    pay()
    return {}
'''),
]


@pytest.mark.parametrize(("code", "program"), PROGRAMS, ids=[str(n) for n in range(len(PROGRAMS))])
def test_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, program: str) -> None:
    assert findings(tmp_path, monkeypatch, HEAD + program + TAIL) == ([f"HIL{code}"] if code else [])


PAUSED = '{"message": "Paused by user request", "options": ["resume", "abort"]}'
# (expected codes, payload, the default of a node that stops on "abort" alone)
SWITCHES = [
    ("", PAUSED, "resume"),
    ("", '"The run is suspended. Resume or abort."', "continue"),
    ("605", PAUSED, "approve"),
    ("605", '{"message": "Paused for approval", "options": ["resume", "abort"]}', "resume"),
    ("605", '{"message": "Pay it?", "options": ["continue", "abort"]}', "continue"),
    ("605", '{"message": "The payment is next", "options": ["continue", "abort"]}', "continue"),
]


@pytest.mark.parametrize(("code", "payload", "default"), SWITCHES, ids=[str(n) for n in range(len(SWITCHES))])
def test_switch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, payload: str, default: str) -> None:
    node = f'def node(state):\n    answer = interrupt({payload})\n    action = answer.get("action") if answer else "{default}"\n    if action == "abort":\n' \
           '        return {}\n    pay()\n    return {}\n'
    assert findings(tmp_path, monkeypatch, HEAD + node + TAIL) == ([f"HIL{code}"] if code else [])


# (expected codes, node's result, router)
ROUTED = [
    ("605", '{"decision": answer}', 'return "act" if state["decision"] != "reject" else END'),
    ("605", '{"decision": answer}', 'if state.get("decision") == "no":\n    return END\nreturn "act"'),
    ("605", '{"decision": answer}', 'return {"approve": "act", "reject": END}.get(state["decision"], "act")'),
    ("605", '{"approved": answer.get("approved", True)}', 'return "act" if state["approved"] else END'),
    ("", '{"decision": answer}', 'return "act" if state["decision"] == "approve" else END'),
    ("", '{"approved": answer == "yes"}', 'return "act" if state.get("approved", True) else END'),
    ("", '{"decision": answer}', 'if state["decision"] == "reject":\n    return END\nif state["decision"] == "approve":\n    return "act"\nreturn "node"'),
    ("604", '{"approved": answer}', 'return "act" if state["approved"] else END'),
]


@pytest.mark.parametrize(("code", "result", "router"), ROUTED, ids=[str(n) for n in range(len(ROUTED))])
def test_router(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, result: str, router: str) -> None:
    program = f'''

def node(state):
    answer = interrupt({{"question": "Pay? yes or no", "text": state["text"]}})
    return {result}


def after(state):
{textwrap.indent(router, "    ")}


def act(state):
    pay()
    return {{"text": "paid"}}


def build(saver):
    g = StateGraph(S)
    g.add_node("node", node)
    g.add_node("act", act)
    g.add_edge(START, "node")
    g.add_conditional_edges("node", after, ["act", "node", END])
    g.add_edge("act", END)
    return g.compile(checkpointer=saver)
'''
    assert findings(tmp_path, monkeypatch, HEAD + program) == ([f"HIL{code}"] if code else [])


# What the application sends is all that can come: (expected codes, the code that resumes).
SENDERS = [
    ("", 'class Body(BaseModel):\n    decision: Literal["approve", "edit", "reject"]\n\n'
         'def resume(graph, config, body: Body):\n    answer = {"decision": body.decision, "note": ""}\n    return graph.invoke(Command(resume=answer), config)'),
    ("", 'class Word(enum.Enum):\n    YES = "approve"\n    NO = "reject"\n\nclass Body(BaseModel):\n    decision: Word\n\n'
         'def resume(graph, config, body: Body):\n    return graph.invoke(Command(resume={"decision": body.decision.value}), config)'),
    ("", 'class Body(BaseModel):\n    decision: Literal["approve", "reject"]\n\n'
         'def resume(graph, config, body: Body):\n    return graph.invoke(Command(resume=body.model_dump()), config)'),
    ("605", 'def yes(graph, config):\n    graph.invoke(Command(resume={"decision": "approve"}), config)\n\n'
         'def no(graph, config):\n    graph.invoke(Command(resume={"decision": "reject"}), config)'),
    ("", 'class Body(BaseModel):\n    decision: Literal["approve", "reject"]\n\ndef go(graph, config, word):\n    graph.invoke(Command(resume={"decision": word}), config)\n\n'
         'def resume(graph, config, body: Body):\n    go(graph, config, body.decision)'),
    # -- a script that shows two answers, another word of the list that rejects, and the node does not look at it
    ("605", 'class Body(BaseModel):\n    decision: Literal["approve", "reject", "cancel"]\n\n'
            'def resume(graph, config, body: Body):\n    return graph.invoke(Command(resume={"decision": body.decision}), config)'),
    # -- anything can come
    ("605", 'class Body(BaseModel):\n    decision: str\n\n'
            'def resume(graph, config, body: Body):\n    return graph.invoke(Command(resume={"decision": body.decision}), config)'),
    ("605", '@dataclass\nclass Body:\n    decision: Literal["approve", "reject"]\n\n'
            'def resume(graph, config, body: Body):\n    return graph.invoke(Command(resume={"decision": body.decision}), config)'),
    ("605", 'class Body(BaseModel):\n    decision: Literal["approve", "reject"]\n\n'
            'def resume(graph, config, body: Body):\n    return graph.invoke(Command(resume={"decision": body.decision}), config)\n\n'
            'def console(graph, config):\n    return graph.invoke(Command(resume={"decision": input("? ")}), config)'),
]


@pytest.mark.parametrize(("code", "resumes"), SENDERS, ids=[str(n) for n in range(len(SENDERS))])
def test_what_the_application_sends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, resumes: str) -> None:
    node = 'def node(state):\n    answer = interrupt("Pay?")\n    if answer["decision"] == "reject":\n        return {}\n    pay()\n    return {}\n'
    assert findings(tmp_path, monkeypatch, HEAD + node + TAIL + "\n" + resumes + "\n") == ([f"HIL{code}"] if code else [])


@pytest.mark.parametrize("depth", [3, 40])
def test_big_programs_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, depth: int) -> None:
    tests = "\n".join(f'    if answer.get("k{n}", "approve") == "x{n}":\n        pay()' for n in range(depth))
    loops = "\n".join(f"    for i{n} in answer:\n        while i{n}:\n            i{n} = helper(answer)" for n in range(depth // 10))
    source = f'{HEAD}\ndef helper(a):\n    return helper(a) if a else node(a)\n\ndef node(state):\n    answer = interrupt("?")\n{tests}\n{loops}\n    return {{}}\n{TAIL}'
    findings(tmp_path, monkeypatch, source)
