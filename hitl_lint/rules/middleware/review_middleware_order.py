"""Middleware that reacts to failing tools is listed before a review that asks at each tool call.

At run time: with `interrupt_mode="per_call"`, and in a `wrap_tool_call` of your own that calls `interrupt()`, the review happens inside the tool call, and middleware listed before it is around it. A retry
outside of the review starts each new try with a new question: the human has said yes, the tool fails, and they are asked again. Error handling
outside of it takes a mistyped answer (ValidationError) for a failure of the tool: the model is told so, the question is gone and nobody can
correct the answer.

Wrong:

    from langchain.agents import create_agent
    from langchain.agents.middleware import HumanInTheLoopMiddleware, ToolRetryMiddleware

    def build(model, tools, saver):
        return create_agent(model, tools=tools, checkpointer=saver, middleware=[
            ToolRetryMiddleware(max_retries=2),
            HumanInTheLoopMiddleware(interrupt_on={"pay": True}, interrupt_mode="per_call"),
        ])

Right:

    from langchain.agents import create_agent
    from langchain.agents.middleware import HumanInTheLoopMiddleware, ToolRetryMiddleware

    def build(model, tools, saver):
        return create_agent(model, tools=tools, checkpointer=saver, middleware=[
            HumanInTheLoopMiddleware(interrupt_on={"pay": True}, interrupt_mode="per_call"),
            ToolRetryMiddleware(max_retries=2),
        ])

How to fix: list the review first. `--fix --unsafe-fixes` moves it where both stand in one list.

What it does not see: lists whose order cannot be read. Middleware that is limited to other tools, and handlers that only take errors of other
types, are not reported. In batched mode the review happens before the tool calls, and the order does not matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.facts import Call, text
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL704", name="review-middleware-order", severity=Severity.WARNING,
            summary="a retry around the review asks again, error handling around it eats a bad answer",
            needles=(b"interrupt", b"Interrupt", b"HumanInTheLoop"), family="gate order", rank=10, fix="list the review first (unsafe)")

SAYS = {
    "retry": "A tool that fails after the approval asks the human again: {name} is listed before the review, so each new try starts with a new question",
    "error": "A mistyped answer ends as an error text for the model, and nobody can correct it: {name} is listed before the review and takes its ValidationError for a failure of the tool",
}


def check(project: "Project") -> Iterator[Finding]:
    for found in project.gates.misplaced():
        yield plain(project, META, found.early.scope, found.early.node.at, SAYS[found.kind].format(name=found.name), context=found.name, subject=found,
                    related=(project.step_at(found.review.scope.module.path, found.review.node.at, "the review that asks at each tool call"),),
                    help=f"list {_name(found.review.node)} before it: what comes first is around what follows")


def _name(node: object) -> str:
    """How the review is called where it is listed."""
    return text(node.func if type(node) is Call else node, 40)
