"""An `except ValueError` around `interrupt(response_schema=…)` keeps a bad answer from being refused.

At run time: since langgraph 1.2.12 the answer is checked inside `interrupt()`. A bad one raises pydantic's ValidationError, which is a
ValueError; left alone it goes back to whoever sent the answer, nothing is saved, and the question still waits. A handler that catches it
takes the bad answer for the last word: the node goes on without an answer, and nobody can correct it.

Wrong:

    from langgraph.types import interrupt
    from pydantic import BaseModel

    class Amount(BaseModel):
        cents: int

    def ask_amount(state):
        try:
            amount = interrupt("How much?", response_schema=Amount)
        except ValueError:
            return {"cents": 0}
        return {"cents": amount.cents}

Right:

    from langgraph.types import interrupt
    from pydantic import BaseModel

    class Amount(BaseModel):
        cents: int

    def ask_amount(state):
        amount = interrupt("How much?", response_schema=Amount)
        return {"cents": amount.cents}

How to fix: take the pause out of the `try`; or ask again in the handler.

What it does not see: schemas that reach the call through a variable it cannot follow. A dict (JSON schema) is not checked at run time, so it
is not reported either. Projects with a langgraph older than 1.2.12, which has no `response_schema`, are not reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.schemas import Schemas
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import asks, finding

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL208", name="bad-answer-swallowed", severity=Severity.WARNING,
            summary="a handler swallows the error about an answer that does not fit its schema", family="signal", rank=15)


def check(project: "Project") -> Iterator[Finding]:
    schemas = Schemas(project)
    for p in project.pausing():
        if not project.reaches(p.path, "langgraph", (1, 2, 12)):
            continue
        for r in schemas.swallowed(p):
            line = project.line(p.path, r.handler.at)
            message = (f"A bad answer is taken instead of being refused: {r.shown} on {line} catches the error that {asks(p, r.pause)} raises about an "
                       f"answer that does not fit its schema, and {p.info.name}() goes on; nobody can correct the answer")
            yield finding(project, META, p, r.pause.node.at, message, pause=r.pause, context=r.shown,
                          related=(project.step_at(p.path, r.handler.at, "the error about the answer ends here"),),
                          help="take the pause out of the try, so that whoever answers sees the error and the question still waits")
