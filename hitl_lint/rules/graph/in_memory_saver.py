"""A server keeps its waiting questions in the memory of one process.

At run time: a question may wait for hours. Every restart, deployment or crash until then loses it: the resume that comes afterwards finds an
empty thread and starts the graph from START without its state. With several workers, the one that gets the answer is mostly not the one that
asked. `InMemorySaver` also never forgets a thread, so the process grows.

Wrong:

    from fastapi import FastAPI
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import START, StateGraph
    from langgraph.types import Command, interrupt

    def sign(state):
        return {"signed": interrupt("Sign it?")}

    graph = StateGraph(dict).add_node("sign", sign).add_edge(START, "sign").compile(checkpointer=InMemorySaver())
    app = FastAPI()

    @app.post("/answer/{thread}")
    def answer(thread: str, text: str):
        return graph.invoke(Command(resume=text), {"configurable": {"thread_id": thread}})

Right:

    from fastapi import FastAPI
    from langgraph.checkpoint.postgres import PostgresSaver
    from langgraph.graph import START, StateGraph
    from langgraph.types import Command, interrupt

    def sign(state):
        return {"signed": interrupt("Sign it?")}

    def make_app(saver: PostgresSaver) -> FastAPI:
        graph = StateGraph(dict).add_node("sign", sign).add_edge(START, "sign").compile(checkpointer=saver)
        app = FastAPI()

        @app.post("/answer/{thread}")
        def answer(thread: str, text: str):
            return graph.invoke(Command(resume=text), {"configurable": {"thread_id": thread}})

        return app

How to fix: pass a saver with a database behind it (`langgraph-checkpoint-postgres`, `langgraph-checkpoint-sqlite` on one machine).

What it does not see: whether the process is meant to be short-lived. Tests, examples, notebooks, programs at a terminal, graphs that only the
server of a langgraph.json runs (it saves for them), savers that are chosen by a setting or are the fallback of a failed import, and workflows of a durable engine are not
reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.memory import Memory
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import callee, plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL502", name="in-memory-saver", severity=Severity.NOTE, summary="a server keeps waiting questions in memory: a restart loses them", family="saver", rank=10)


def check(project: "Project") -> Iterator[Finding]:
    for saver in Memory(project).savers():
        message = (f"Every restart loses the questions that wait, and a second worker never sees them: {callee(saver.call)} keeps them in the memory "
                   "of this process")
        yield plain(project, META, saver.scope, saver.call.at, message, context="memory",
                    related=(project.step_at(saver.compile.scope.module.path, saver.compile.call.at, "the graph that waits"),
                             project.step_at(saver.run.scope.module.path, saver.run.call.at, "here it is run for a request")),
                    help="pass a saver with a database behind it: PostgresSaver, or SqliteSaver on one machine")
