"""A node decides by `Command(goto=…)` after a pause and has a static edge too: the edge's target runs whatever the answer was.

At run time: `goto` adds to the edges, it does not replace them. A rejection that goes to "cancel" (or to END) still runs the node that the
edge leads to, so the rejected action is carried out.

Wrong:

    from langgraph.graph import END, START, StateGraph
    from langgraph.types import Command, interrupt

    def approve(state):
        if interrupt("Pay?") == "yes":
            return Command(goto="pay")
        return Command(goto=END)

    graph = StateGraph(dict).add_node("approve", approve).add_node("pay", lambda s: s).add_edge(START, "approve")
    graph.add_edge("approve", "pay")

Right:

    from langgraph.graph import END, START, StateGraph
    from langgraph.types import Command, interrupt

    def approve(state):
        if interrupt("Pay?") == "yes":
            return Command(goto="pay")
        return Command(goto=END)

    graph = StateGraph(dict).add_node("approve", approve).add_node("pay", lambda s: s).add_edge(START, "approve")

How to fix: drop the edge, and let every path of the node say where to go. `--fix --unsafe-fixes` drops it where every path does.

What it does not see: targets that cannot be read. A Command that always goes where the edge leads is harmless and not reported, nor is one to the
parent graph (`graph=Command.PARENT`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import method_at, plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL510", name="edge-beside-goto", severity=Severity.ERROR,
            summary="a static edge beside Command(goto=…) runs its target whatever the answer was", family="graph", rank=30, fix="drop the edge (unsafe)")


def check(project: "Project") -> Iterator[Finding]:
    for found in project.graphs.edges_beside_gotos():
        edge, goto, node = found.edge, found.goto, found.node
        other = "END" if found.other == "__end__" else f'"{found.other}"'
        there = project.step_at(goto.scope.module.path, goto.call.at, f"this answer leads to {other}")
        where = project.line(goto.scope.module, goto.call.at) + ("" if there.span.path == edge.scope.module.path else f" of {there.span.path}")
        message = (f'"{edge.target}" runs whatever the answer is: the edge from "{node.name}" is followed as well when {found.function.name}() answers with '
                   f"Command(goto={other}) on {where}")
        at = method_at(edge.call)
        yield plain(project, META, edge.scope, at, message, context=f"{node.name}:{edge.target}", related=(there,), subject=found,
                    help=f'remove this edge and return Command(goto="{edge.target}") from {found.function.name}() on the paths that are to go there')
