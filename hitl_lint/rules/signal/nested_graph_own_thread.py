"""A graph that pauses is run inside a node on a thread of its own, so its question reaches nobody.

At run time: LangGraph knows a nested run by what it has put into the node's `config["configurable"]`. A `configurable` made from scratch
lacks that: the child runs as a graph of its own, and its pause comes back as `__interrupt__` in the result of `invoke`. The node goes on with
that result as if the child were done, and an answer sent to the parent never reaches the child.

Wrong:

    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.types import interrupt

    def confirm(state: MessagesState):
        return {"messages": [interrupt("Book it?")]}

    booking = StateGraph(MessagesState).add_node("confirm", confirm).add_edge(START, "confirm").compile()

    def delegate(state: MessagesState):
        return booking.invoke(state, {"configurable": {"thread_id": "booking"}})

    parent = StateGraph(MessagesState).add_node("delegate", delegate).add_edge(START, "delegate")

Right:

    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.types import interrupt

    def confirm(state: MessagesState):
        return {"messages": [interrupt("Book it?")]}

    booking = StateGraph(MessagesState).add_node("confirm", confirm).add_edge(START, "confirm").compile()

    def delegate(state: MessagesState):
        return booking.invoke(state)

    parent = StateGraph(MessagesState).add_node("delegate", delegate).add_edge(START, "delegate")

How to fix: call the child without a config or with the node's own one. Keys of yours go into a copy of it: `{**config, "configurable":
{**config["configurable"], "user": …}}`; even another thread_id is fine there. `--fix` adds the node's config to yours, or takes yours out
where it only names a thread.

What it does not see: configs that are put together where it cannot follow. It is silent where the code looks for the child's pauses itself
(`__interrupt__`, `get_state`), or resumes the child elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.subject import Subject
from hitl_lint.analysis.threads import Threads
from hitl_lint.facts import text
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import callee, chain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL207", name="nested-graph-own-thread", severity=Severity.ERROR,
            summary="a nested graph with a config made from scratch keeps its pause to itself: nobody is asked", family="signal", rank=35,
            fix="pass the node's config (safe)")
HELP = ("call it without a config, or with the node's own one; keys of yours go into a copy:\n"
        '    {**config, "configurable": {**config["configurable"], …}}')


def check(project: "Project") -> Iterator[Finding]:
    for lost in Threads(project).lost():
        w, call = lost.pause, lost.call
        message = (f"Nobody is asked: {callee(call)} runs a graph that pauses on a thread of its own ({text(lost.made, 50)}), so the pause does not reach "
                   f"the graph around it, and {lost.info.name}() goes on with an unfinished result{chain(w)}")
        yield Finding(code=META.code, name=META.name, severity=META.severity, span=project.span(lost.info.module, call.at), message=message,
                      function=lost.info.dotted, trace=project.steps(w), help=HELP, context=f"{lost.info.fn.qualname}:{callee(call)}",
                      related=(project.step_at(lost.info.module.path, lost.made.at, "this config names a thread"),), family=META.family,
                      subject=Subject(lost.info, node=lost.call, more=lost.made))
