"""A node that asks by itself is also a static breakpoint, so every answer meets two stops.

At run time: the run stops at the breakpoint first, without a question (`__interrupt__` is empty). A `Command(resume=…)` sent there is taken by
the node's own `interrupt()` as its answer: the human is never asked, and what was meant as "go on" counts as the approval.

Wrong:

    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    def approve(state):
        return {"answer": interrupt("Pay?")}

    def build(saver):
        g = StateGraph(dict).add_node("approve", approve).add_edge(START, "approve")
        return g.compile(checkpointer=saver, interrupt_before=["approve"])

Right:

    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    def approve(state):
        return {"answer": interrupt("Pay?")}

    def build(saver):
        g = StateGraph(dict).add_node("approve", approve).add_edge(START, "approve")
        return g.compile(checkpointer=saver)

How to fix: keep one of the two. `interrupt()` carries a question and an answer; breakpoints are for debugging.

Where the application only ever writes the state in the node's name (`update_state(…, as_node="approve")`) and goes on with None, the node is passed
over, and nothing is reported.

What it does not see: lists of node names that cannot be read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import method_at, plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL509", name="double-pause", severity=Severity.WARNING,
            summary="a node that pauses by itself is also a static breakpoint", family="breakpoint", rank=20)


def check(project: "Project") -> Iterator[Finding]:
    for stop in project.graphs.breakpoints():
        names = sorted({n.name for n in stop.nodes if n.name})
        shown = " and ".join(f'"{n}"' for n in names[:3])
        first = stop.nodes[0]
        pause = project.graphs.node_pause(first)
        consequence = (f"The answer to the breakpoint is taken for the answer to the question: {shown}" if stop.before else f"Each answer is followed by a second stop without a question: {shown}")
        message = f"{consequence} {'stand' if len(names) > 1 else 'stands'} in {stop.keyword} and {'pause' if len(names) > 1 else 'pauses'} by itself as well".replace(
            "pause by itself", "pause by themselves")
        related = (project.step_at(first.scope.module.path, first.call.at, f'here "{first.name}" is added'), *project.steps(pause)[-1:])
        yield plain(project, META, stop.scope, method_at(stop.call), message, context=stop.keyword, related=related,
                    help=f"take {shown} out of {stop.keyword}: the node asks its question itself")
