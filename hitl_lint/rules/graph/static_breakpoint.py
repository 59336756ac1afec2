"""A static breakpoint is used as the approval of a person.

At run time: a breakpoint carries no question and takes no answer. `invoke(None)` runs the node, whatever the person said: a rejection has to be
worked out by hand around it. `Command(resume=…)` goes on as well, and its answer is thrown away; if a later node calls `interrupt()`, that takes
it for its own answer and nobody is asked. LangGraph's pages keep breakpoints for debugging.

Wrong:

    from langgraph.graph import START, StateGraph

    def pay(state):
        return {"paid": True}

    def build(saver):
        graph = StateGraph(dict).add_node("pay", pay).add_edge(START, "pay")
        return graph.compile(checkpointer=saver, interrupt_before=["pay"])

    def go_on(graph, config):
        return graph.invoke(None, config)

Right:

    from langgraph.graph import START, StateGraph
    from langgraph.types import Command, interrupt

    def pay(state):
        return {"paid": interrupt("Pay?") == "yes"}

    def build(saver):
        return StateGraph(dict).add_node("pay", pay).add_edge(START, "pay").compile(checkpointer=saver)

    def go_on(graph, config, answer):
        return graph.invoke(Command(resume=answer), config)

How to fix: call `interrupt()` in the node, or in one in front of it, and let the answer decide.

What it does not see: lists of nodes that cannot be read. Breakpoints on every node, in tests, examples and code that says it debugs are
not reported; those on a node that asks by itself are HIL509.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.breakpoints import Breakpoints
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import method_at, plain, where

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL503", name="static-breakpoint", severity=Severity.NOTE, also=(Severity.WARNING,),
            summary="a static breakpoint stands for an approval: it asks nothing, and takes no answer", family="breakpoint", rank=10)


def check(project: "Project") -> Iterator[Finding]:
    for stop in Breakpoints(project).stops():
        shown = " and ".join(f'"{n}"' for n in stop.nodes[:3])
        if stop.answer is None:
            hand = "what was decided has to be written into the state by hand, and " if stop.edited else ""
            message = f"Nobody is asked and no answer is taken: {stop.keyword} only stops at {shown}, {hand}whoever just runs the graph on has approved"
            related = ()
        else:
            line = where(project, stop.answer.scope, stop.answer.call.at, stop.scope.module.path)
            lost = "is taken by the next interrupt() as its own, so that nobody is asked" if stop.taken is not None else "is thrown away, and the run goes on whatever it says"
            message = f"The answer sent on {line} {lost}: {stop.keyword} stops at {shown} without a question"
            related = (project.step_at(stop.answer.scope.module.path, stop.answer.call.at, "here an answer is sent"), *project.steps(stop.taken)[-1:])
        yield plain(project, META, stop.scope, method_at(stop.call), message, severity=Severity.NOTE if stop.answer is None else Severity.WARNING, context="breakpoint",
                    related=related, help=f"take {shown} out of {stop.keyword} and call interrupt() in the node, or in one in front of it: the answer then decides")
