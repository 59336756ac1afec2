"""A graph that another graph runs asks the human itself.

At run time: this works, and for many it is what they want. The price: the outer graph stops as well, wherever it is; a node that calls the
inner graph runs again from its first line with the answer; and what the inner graph had worked out until then is not in the state of the
thread, but in a namespace below it that only `get_state(config, subgraphs=True)` shows. Who answers sees a question without its context.
This rule is for projects that decided that only the top graph asks. It is off unless it is selected.

Wrong:

    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    def quote(state):
        return {"price": interrupt("Which price?")}

    pricing = StateGraph(dict).add_node("quote", quote).add_edge(START, "quote").compile()

    def build(saver):
        return StateGraph(dict).add_node("pricing", pricing).add_edge(START, "pricing").compile(checkpointer=saver)

Right:

    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    def work_out(state):
        return {"proposal": 100}

    pricing = StateGraph(dict).add_node("work_out", work_out).add_edge(START, "work_out").compile()

    def quote(state):
        return {"price": interrupt({"proposal": state["proposal"]})}

    def build(saver):
        graph = StateGraph(dict).add_node("pricing", pricing).add_node("quote", quote)
        return graph.add_edge(START, "pricing").add_edge("pricing", "quote").compile(checkpointer=saver)

How to fix: let the inner graph return what it would ask, and ask in a node of the top graph.

What it does not see: inner graphs that arrive as parameters, and graphs that run elsewhere (RemoteGraph). A graph that is run by itself as well as
inside another one is reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.facts import text
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import asks, chain, finding, plain, where

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL506", name="interrupt-in-subgraph", severity=Severity.WARNING, summary="a graph inside another graph asks the human itself (a policy)",
            family="subgraph", rank=10, opt_in=True)


def check(project: "Project") -> Iterator[Finding]:
    from hitl_lint.analysis.nested import Nested

    for below in Nested(project).pauses():
        use, w = below.use, below.witness
        line = where(project, use.scope, use.call.at, below.p.path if below.p is not None else w.links[-1].path)
        how = f"a graph that {line} makes a node of another one" if use.node else f"a graph that {text(use.call.func, 44)}() on {line} runs inside another one"
        step = project.step_at(use.scope.module.path, use.call.at, "here it becomes part of another graph")
        help = "let the inner graph return what it would ask, and ask in a node of the top graph"
        if below.p is not None and below.pause is not None:
            message = f"The outer graph stops as well: {asks(below.p, below.pause)} asks from {how}{chain(w)}"
            yield finding(project, META, below.p, below.pause.node.at, message, pause=below.pause, witness=w, context="subgraph", related=(step,), help=help)
        else:
            link = w.links[-1]
            message = f"The outer graph stops as well: {w.callee} asks from {how}"
            yield plain(project, META, use.graph.scope, link.at, message, witness=w, context="subgraph", related=(step,), help=help)
