"""One tool call of a message is shown for approval, and then all of them run.

At run time: a model can ask for several tools in one message. A gate that shows `tool_calls[-1]`, or stops at the first risky call, gets a yes for
that one; the tool node behind it runs every call of the message, the others without any review.

Wrong:

    from langgraph.graph import END, START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode
    from langgraph.types import Command, interrupt

    def review(state):
        call = state["messages"][-1].tool_calls[-1]
        answer = interrupt({"question": "Run this?", "call": call})
        return Command(goto="tools" if answer == "yes" else END)

    builder = StateGraph(MessagesState)
    builder.add_node("review", review)
    builder.add_node("tools", ToolNode([]))
    builder.add_edge(START, "review")

Right:

    from langgraph.graph import END, START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode
    from langgraph.types import Command, interrupt

    def review(state):
        answer = interrupt({"question": "Run these?", "calls": state["messages"][-1].tool_calls})
        return Command(goto="tools" if answer == "yes" else END)

    builder = StateGraph(MessagesState)
    builder.add_node("review", review)
    builder.add_node("tools", ToolNode([]))
    builder.add_edge(START, "review")

How to fix: show all calls of the message, or send each reviewed call on its own (`Send("tools", [call])`), or make the model call one tool at a time
(`parallel_tool_calls=False`).

What it does not see: gates whose tool node cannot be followed. Where every tool is seen and none of them does anything to anybody, nothing is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import asks, finding

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL609", name="partial-gate", severity=Severity.WARNING, summary="one of several tool calls is reviewed, and then all run",
            family="gate", rank=10)


def check(project: "Project") -> Iterator[Finding]:
    for p in project.pausing():
        for pause in p.pauses:
            found = project.handling.partial_gate(p, pause)
            if found is not None:
                one, runs = found
                message = (f"Tool calls run unreviewed: {asks(p, pause)} shows {one} of the message, and after a yes {runs} runs all of them")
                yield finding(project, META, p, pause.node.at, message, pause=pause, context="one of many",
                              help="show all calls of the message, send the reviewed call alone (Send(\"tools\", [call])), or set parallel_tool_calls=False")
