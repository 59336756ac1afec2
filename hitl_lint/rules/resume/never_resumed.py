"""An application runs a graph that pauses and never answers it.

At run time: the run stops at the question and returns. Every further message is a new input, which starts the graph again from START instead of
answering, and the same question comes again.

Wrong:

    from fastapi import FastAPI
    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    def ask(state):
        return {"address": interrupt("Where to?")}

    def make_app(saver):
        graph = StateGraph(dict).add_node("ask", ask).add_edge(START, "ask").compile(checkpointer=saver)
        app = FastAPI()

        @app.post("/chat/{thread}")
        def chat(thread: str, text: str):
            return graph.invoke({"text": text}, {"configurable": {"thread_id": thread}})

        return app

Right:

    from fastapi import FastAPI
    from langgraph.graph import START, StateGraph
    from langgraph.types import Command, interrupt

    def ask(state):
        return {"address": interrupt("Where to?")}

    def make_app(saver):
        graph = StateGraph(dict).add_node("ask", ask).add_edge(START, "ask").compile(checkpointer=saver)
        app = FastAPI()

        @app.post("/chat/{thread}")
        def chat(thread: str, text: str):
            config = {"configurable": {"thread_id": thread}}
            waiting = graph.get_state(config).interrupts
            turn = Command(resume={i.id: text for i in waiting}) if waiting else {"text": text}
            return graph.invoke(turn, config)

        return app

How to fix: look what is pending before a run, and answer it with `Command(resume=…)`.

What it does not see: answers that come from outside the project. Projects with a langgraph.json, with a front end's adapter, or with the word `resume`
anywhere near are not reported, nor are libraries, examples and tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.unanswered import Unanswered
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import callee, method_at, plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL415", name="never-resumed", severity=Severity.WARNING, summary="a graph that pauses is only ever given new input: nobody can answer it",
            family="thread", rank=5)


def check(project: "Project") -> Iterator[Finding]:
    for run, pause in Unanswered(project).runs():
        message = (f"The same question comes again instead of being answered: {callee(run.call)} starts a graph that pauses, every run gives it new input, "
                   f"and nothing in the project resumes it")
        yield plain(project, META, run.scope, method_at(run.call), message, context="never", related=project.steps(pause)[-1:],
                    help="look at graph.get_state(config).interrupts before a run, and answer with Command(resume=…) when something waits")
