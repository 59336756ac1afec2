"""What a user meets without any option: quiet on the right examples of the official pages, on tests and on examples; everything when asked for.

The programs are of our own making. Each has the shape of an example that the documentation calls right and that a rule could take for wrong.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hitl_lint import rules, run
from hitl_lint.config import Config, selected
from hitl_lint.finding import Severity

GRAPH = """from typing import TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
"""
APPROVE_OR_REJECT = GRAPH + """from typing import Literal


class Transfer(TypedDict, total=False):
    to: str
    amount: int
    outcome: str


def approval(state: Transfer) -> Command[Literal["transfer", "stop"]]:
    approved = interrupt({"question": "Transfer the money?", "to": state["to"], "amount": state["amount"]})
    if approved:
        return Command(goto="transfer")
    return Command(goto="stop")


def transfer(state: Transfer) -> dict:
    return {"outcome": "done"}


def stop(state: Transfer) -> dict:
    return {"outcome": "stopped"}


builder = StateGraph(Transfer)
for node in (approval, transfer, stop):
    builder.add_node(node)
builder.add_edge(START, "approval")
builder.add_edge("transfer", END)
builder.add_edge("stop", END)
graph = builder.compile(checkpointer=InMemorySaver())

config = {"configurable": {"thread_id": "transfer-1"}}
result = graph.invoke({"to": "ann", "amount": 10}, config=config)
print(result["__interrupt__"])
print(graph.invoke(Command(resume=True), config=config)["outcome"])
"""
ACTS_AFTER_THE_ANSWER = GRAPH + """

class Mail(TypedDict, total=False):
    to: str
    sent: bool


def deliver(to: str) -> None:
    import smtplib

    with smtplib.SMTP("localhost") as server:
        server.sendmail("desk@example.org", to, "hello")


def ask_and_send(state: Mail) -> dict:
    approved = interrupt("Send it?")
    if approved:
        deliver(state["to"])
    return {"sent": bool(approved)}


graph = StateGraph(Mail).add_node("ask_and_send", ask_and_send).add_edge(START, "ask_and_send").compile(checkpointer=InMemorySaver())
config = {"configurable": {"thread_id": "1"}}
graph.invoke({"to": "ann@example.org"}, config)
graph.invoke(Command(resume=True), config)
"""
BOOLEAN_SCHEMA = GRAPH + """from pydantic import BaseModel


class Verdict(BaseModel):
    approved: bool
    comment: str = ""


class Deal(TypedDict, total=False):
    text: str
    verdict: str


def review(state: Deal) -> dict:
    verdict = interrupt({"text": state["text"]}, response_schema=Verdict)
    return {"verdict": "yes" if verdict.approved is True else "no"}


graph = StateGraph(Deal).add_node("review", review).add_edge(START, "review").compile(checkpointer=InMemorySaver())
config = {"configurable": {"thread_id": "deal-7"}}
graph.invoke({"text": "10 % off"}, config)
graph.invoke(Command(resume={"approved": True}), config)
"""
GATED_TOOL_NODE = """import smtplib

from langchain_core.messages import ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt


@tool
def write_to(to: str, text: str) -> str:
    \"\"\"Write a mail.\"\"\"
    answer = interrupt({"action": "write_to", "to": to, "text": text})
    if answer.get("action") == "approve":
        with smtplib.SMTP("localhost") as server:
            server.sendmail("desk@example.org", answer.get("to", to), answer.get("text", text))
        return "written"
    return "not written"


def build(model):
    tools = {"write_to": write_to}
    bound = model.bind_tools([write_to])

    def agent(state: MessagesState) -> dict:
        return {"messages": [bound.invoke(state["messages"])]}

    def run_tools(state: MessagesState) -> dict:
        out = []
        for call in state["messages"][-1].tool_calls:
            out.append(ToolMessage(tools[call["name"]].invoke(call["args"]), tool_call_id=call["id"]))
        return {"messages": out}

    def onward(state: MessagesState) -> str:
        return "run_tools" if state["messages"][-1].tool_calls else END

    g = StateGraph(MessagesState).add_node("agent", agent).add_node("run_tools", run_tools)
    g.add_edge(START, "agent").add_conditional_edges("agent", onward, ["run_tools", END]).add_edge("run_tools", "agent")
    return g.compile(checkpointer=InMemorySaver())
"""
MEMORY_AND_A_FIXED_THREAD = GRAPH + """

class Note(TypedDict, total=False):
    text: str


def edit(state: Note) -> dict:
    return {"text": interrupt({"edit": state["text"]})}


graph = StateGraph(Note).add_node("edit", edit).add_edge(START, "edit").compile(checkpointer=InMemorySaver())
config = {"configurable": {"thread_id": "1"}}
waiting = graph.invoke({"text": "a draft"}, config=config)
final = graph.invoke(Command(resume="a better draft"), config=config)
print(final["text"])
"""
SERVER_RESUME = """import asyncio

from langgraph_sdk import get_client


async def main() -> None:
    client = get_client(url="http://localhost:2024")
    thread = await client.threads.create()
    first = await client.runs.wait(thread["thread_id"], "agent", input={"text": "a draft"})
    print(first["__interrupt__"])
    print(await client.runs.wait(thread["thread_id"], "agent", command={"resume": "a better draft"}))


asyncio.run(main())
"""
FOR_A_SERVER = """from typing import TypedDict

from langgraph.graph import START, StateGraph
from langgraph.types import interrupt


class Note(TypedDict, total=False):
    text: str


def edit(state: Note) -> dict:
    return {"text": interrupt({"edit": state["text"]})}


builder = StateGraph(Note)
builder.add_node("edit", edit)
builder.add_edge(START, "edit")
graph = builder.compile()
"""
FIRST_OF_ONE = GRAPH + """

class Form(TypedDict, total=False):
    age: int
    pending: str | None


def ask_age(state: Form) -> dict:
    answer = interrupt(state.get("pending") or "How old are you?")
    if isinstance(answer, int) and answer > 0:
        return {"age": answer, "pending": None}
    return {"pending": f"{answer!r} is no age. How old are you?"}


def again(state: Form) -> str:
    return END if state.get("pending") is None else "ask_age"


graph = StateGraph(Form).add_node("ask_age", ask_age).add_edge(START, "ask_age").add_conditional_edges("ask_age", again, ["ask_age", END]).compile(checkpointer=InMemorySaver())
config = {"configurable": {"thread_id": "form-1"}}
print(graph.invoke({"age": 0}, config)["__interrupt__"][0].value)
print(graph.invoke(Command(resume="thirty"), config)["__interrupt__"][0].value)
print(graph.invoke(Command(resume=30), config)["age"])
"""
ONE_DECISION = """from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command


@tool
def run_sql(query: str) -> str:
    \"\"\"Run a query.\"\"\"
    return query


agent = create_agent(
    "openai:gpt-5",
    tools=[run_sql],
    middleware=[
        HumanInTheLoopMiddleware(
            interrupt_on={"run_sql": {"allowed_decisions": ["approve", "reject"]}},
            description_prefix="A query waits",
        )
    ],
    checkpointer=InMemorySaver(),
)
config = {"configurable": {"thread_id": "sql-1"}}
result = agent.invoke({"messages": [{"role": "user", "content": "Delete the old rows"}]}, config=config)
print(result["__interrupt__"])
agent.invoke(Command(resume={"decisions": [{"type": "approve"}]}), config=config)
"""
ESSAY_TASK = """from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.func import entrypoint, task
from langgraph.types import Command, interrupt

model = ChatOpenAI()


@task
def write_essay(topic: str) -> str:
    return model.invoke(f"Write about {topic}").content


@entrypoint(checkpointer=InMemorySaver())
def workflow(topic: str) -> dict:
    essay = write_essay(topic).result()
    verdict = interrupt({"essay": essay, "action": "Approve or reject it"})
    return {"essay": essay, "verdict": verdict}


config = {"configurable": {"thread_id": "essay-1"}}
for chunk in workflow.stream("cats", config):
    print(chunk)
for chunk in workflow.stream(Command(resume="approve"), config):
    print(chunk)
"""
AGENT_BEFORE_THE_PAUSE = GRAPH + """from langchain.agents import create_agent

writer = create_agent("openai:gpt-5", tools=[])


class Post(TypedDict, total=False):
    topic: str
    text: str


def draft_and_ask(state: Post) -> dict:
    text = writer.invoke({"messages": [("user", state["topic"])]})["messages"][-1].content
    verdict = interrupt({"text": text})
    return {"text": text if verdict == "yes" else ""}


graph = StateGraph(Post).add_node("draft_and_ask", draft_and_ask).add_edge(START, "draft_and_ask").compile(checkpointer=InMemorySaver())
config = {"configurable": {"thread_id": "post-1"}}
graph.invoke({"topic": "cats"}, config)
graph.invoke(Command(resume="yes"), config)
"""
NARROW_HANDLER = GRAPH + """

class NetworkError(Exception):
    pass


class Name(TypedDict, total=False):
    name: str


def look_up(name: str) -> str:
    if not name:
        raise NetworkError("nobody answers")
    return name.title()


def ask_name(state: Name) -> dict:
    try:
        name = look_up(interrupt("What is your name?"))
    except NetworkError as error:
        print(error)
        return {"name": "?"}
    return {"name": name}


graph = StateGraph(Name).add_node("ask_name", ask_name).add_edge(START, "ask_name").compile(checkpointer=InMemorySaver())
config = {"configurable": {"thread_id": "name-1"}}
graph.invoke({"name": ""}, config)
graph.invoke(Command(resume="ann"), config)
"""
UPSERT = GRAPH + """from shop import db


class Order(TypedDict, total=False):
    user: str
    approved: bool


def ask(state: Order) -> dict:
    db.upsert_user(user_id=state["user"], status="waits for approval")
    approved = interrupt("Approve the change?")
    return {"approved": approved}


graph = StateGraph(Order).add_node("ask", ask).add_edge(START, "ask").compile(checkpointer=InMemorySaver())
config = {"configurable": {"thread_id": "order-1"}}
graph.invoke({"user": "ann"}, config)
graph.invoke(Command(resume=True), config)
"""
DEBUGGING = """from typing import TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph


class Sum(TypedDict, total=False):
    n: int


def add(state: Sum) -> dict:
    return {"n": state["n"] + 1}


def double(state: Sum) -> dict:
    return {"n": state["n"] * 2}


builder = StateGraph(Sum).add_node("add", add).add_node("double", double).add_edge(START, "add").add_edge("add", "double")
graph = builder.compile(interrupt_before=["double"], interrupt_after=["add"], checkpointer=InMemorySaver())
config = {"configurable": {"thread_id": "debug-1"}}
print(graph.invoke({"n": 1}, config))
print(graph.invoke(None, config))
"""

# By the number in the list: the program, what is shown without options, and the notes that it may have when they are asked for.
RIGHT = {
    "1 approve or reject": (APPROVE_OR_REJECT, set(), {"HIL604"}),
    "1 acts after the answer": (ACTS_AFTER_THE_ANSWER, set(), {"HIL604"}),
    "2 a bool in the schema": (BOOLEAN_SCHEMA, set(), {"HIL603"}),
    # With two calls in a message the first one acts again: that is told, and right.
    "3 a tool node with a gated tool": (GATED_TOOL_NODE, {"HIL101"}, {"HIL304"}),
    "4 a saver in memory and a fixed thread": (MEMORY_AND_A_FIXED_THREAD, set(), {"HIL502", "HIL504"}),
    "5 a resume on a server": (SERVER_RESUME, set(), {"HIL409"}),
    "6 a graph for a server": (FOR_A_SERVER, set(), set()),
    "7 the first of one": (FIRST_OF_ONE, set(), {"HIL406"}),
    "8 one decision": (ONE_DECISION, set(), {"HIL702"}),
    "9 an essay in a task": (ESSAY_TASK, set(), set()),
    "10 an agent before the pause": (AGENT_BEFORE_THE_PAUSE, set(), set()),
    "11 a handler of one type": (NARROW_HANDLER, set(), set()),
    "12 an upsert": (UPSERT, set(), set()),
    "13 breakpoints to look around": (DEBUGGING, set(), {"HIL503"}),
}


def findings(path: Path, config: Config) -> dict[str, Severity]:
    result = run.check(run.Request([path.as_posix()], config, jobs=1))
    assert not result.complaints
    return {f.code: f.severity for f in result.findings}


@pytest.mark.parametrize("name", RIGHT)
def test_right_examples_are_quiet(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, shown, notes = RIGHT[name]
    (tmp_path / "app.py").write_text(source, encoding="utf-8")
    (tmp_path / "langgraph.json").write_text(json.dumps({"dependencies": ["."], "graphs": {"agent": "./app.py:graph"}}), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for where in (tmp_path / "app.py",) if name.startswith("6") else (tmp_path / "app.py", _without_manifest(tmp_path)):
        assert set(findings(where.relative_to(tmp_path), Config())) == shown
        asked = findings(where.relative_to(tmp_path), Config(min_severity="note"))
        assert set(asked) - shown <= notes and all(asked[code] is Severity.NOTE for code in asked.keys() - shown)


def _without_manifest(folder: Path) -> Path:
    (folder / "langgraph.json").unlink()
    return folder / "app.py"


@pytest.mark.parametrize("folder", ["tests", "examples"])
@pytest.mark.parametrize("name", RIGHT)
def test_the_same_in_tests_and_examples(name: str, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, shown, _ = RIGHT[name]
    place = tmp_path / folder / ("test_app.py" if folder == "tests" else "app.py")
    place.parent.mkdir()
    place.write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert set(findings(place.relative_to(tmp_path), Config())) <= shown


def test_without_options_no_rule_that_is_off_runs_and_with_all_every_one_does() -> None:
    for meta in (rule.meta for rule in rules.all_rules()):
        assert selected(Config(), meta.code, meta.opt_in) is not meta.opt_in
        assert selected(Config(select=("ALL",)), meta.code, meta.opt_in)
        assert selected(Config(select=(meta.code,)), meta.code, meta.opt_in)


def test_notes_are_hidden_unless_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "from langgraph.types import interrupt\n\n\ndef ask(state):\n    if state['amount'] > 10:\n        return {'ok': interrupt('Pay?')}\n    return {}\n"
    (tmp_path / "app.py").write_text(source, encoding="utf-8")
    (tmp_path / "one.py").write_text(ONE_DECISION, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert set(findings(Path("."), Config())) == {"HIL303"}, "shown although it is a note"
    assert {"HIL303", "HIL702"} <= set(findings(Path("."), Config(min_severity="note")))
