"""All requests of a server run on one thread.

At run time: a thread holds one run. The second visitor's message starts it anew while the first one's question waits; the question is gone, and
the answer that the first one sends is taken for the second one's. Everybody reads the same history.

Wrong:

    from fastapi import FastAPI
    from langgraph.types import Command

    def make_app(graph):
        app = FastAPI()

        @app.post("/answer")
        def answer(text: str):
            return graph.invoke(Command(resume=text), {"configurable": {"thread_id": "main"}})

        return app

Right:

    from fastapi import FastAPI
    from langgraph.types import Command

    def make_app(graph):
        app = FastAPI()

        @app.post("/answer/{thread}")
        def answer(thread: str, text: str):
            return graph.invoke(Command(resume=text), {"configurable": {"thread_id": thread}})

        return app

How to fix: take the thread id from the request or the session, and give each conversation one of its own.

What it does not see: servers whose way from the request to the run cannot be followed, and single-user programs that happen to be built on a web
framework. Scripts, examples and tests are not reported. A constant is a note; an id that is kept on an object or in a variable that
all requests share is a warning, because it looks as if it were somebody's own; so is one that a function gives that Streamlit's `cache_resource` or
`lru_cache` runs once for everybody. `st.session_state` and Chainlit's `user_session` hold what is one visitor's own, unless every visitor's begins with the same constant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.sharing import Sharing
from hitl_lint.facts import text
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL504", name="shared-thread-id", severity=Severity.NOTE, also=(Severity.WARNING,), needles=(b"interrupt", b"Interrupt", b"resume"),
            summary="all requests of a server run on one thread: one person's answer goes to another's question", family="shared", rank=10)


def check(project: "Project") -> Iterator[Finding]:
    for turn, shared in Sharing(project).threads():
        what = f"the thread id {text(shared.node, 40)}" if shared.constant is not None else f"the thread id `{text(shared.node, 40)}`"
        message = (f"One person's answer can go to another one's question: {what} is kept in {shared.holder}, which all requests share" if shared.holder
                   else f"One person's answer can go to another one's question: {'every visitor begins on' if shared.first else 'every request runs on'} {what}")
        yield plain(project, META, shared.scope, shared.node.at, message, severity=Severity.WARNING if shared.holder else Severity.NOTE, context="thread",
                    related=(project.step_at(turn.scope.module.path, turn.call.at, "here the graph is run for a request"),),
                    help="take the thread id from the request or the session: each conversation needs one of its own")
