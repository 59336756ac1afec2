"""A node returns the bare answer as its state update, which LangGraph refuses.

At run time: a node must return a dict (or a Command). The answer is whatever the run was resumed with: for "yes" or True the resume raises
InvalidUpdateError after the human has answered, and the run stays where it is; a dict that a client sends can set any key of the state.

Wrong:

    from typing import TypedDict
    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    class State(TypedDict, total=False):
        name: str

    def ask(state):
        return interrupt("What is your name?")

    graph = StateGraph(State).add_node("ask", ask).add_edge(START, "ask")

Right:

    from typing import TypedDict
    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    class State(TypedDict, total=False):
        name: str

    def ask(state):
        return {"name": interrupt("What is your name?")}

    graph = StateGraph(State).add_node("ask", ask).add_edge(START, "ask")

How to fix: put the answer under the key it belongs to.

What it does not see: functions whose registration as a node cannot be followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import asks, finding

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL607", name="answer-returned-as-update", severity=Severity.ERROR, summary="a node returns the bare answer as its state update",
            family="answer", rank=40)


def check(project: "Project") -> Iterator[Finding]:
    for p in project.pausing():
        for pause in p.pauses:
            if project.handling.returned_bare(p, pause):
                message = (f"The resume raises InvalidUpdateError for every answer that is no dict: {p.info.name}() returns the answer of {asks(p, pause)} "
                           f"as its state update")
                yield finding(project, META, p, pause.node.at, message, pause=pause, context="bare",
                              help="put it under a key of the state: return {\"answer\": answer}")
