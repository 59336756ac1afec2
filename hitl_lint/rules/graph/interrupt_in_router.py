"""The path function of a conditional edge pauses, so the node in front of it runs again with the answer.

At run time: a router belongs to the task of the node it leaves. The answer starts that node again from its first line, with all its other
routers, before the router goes on: what the node does is done twice, and its own answers and the router's share one list.

Wrong:

    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    def draft(state):
        return {"text": "…"}

    def route(state):
        return "send" if interrupt("Send it?") == "yes" else "draft"

    graph = StateGraph(dict).add_node("draft", draft).add_node("send", lambda s: s).add_edge(START, "draft")
    graph.add_conditional_edges("draft", route, ["send", "draft"])

Right:

    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    def draft(state):
        return {"text": "…"}

    def approve(state):
        return {"answer": interrupt("Send it?")}

    def route(state):
        return "send" if state["answer"] == "yes" else "draft"

    graph = StateGraph(dict).add_node("draft", draft).add_node("approve", approve).add_node("send", lambda s: s)
    graph.add_edge(START, "draft").add_edge("draft", "approve").add_conditional_edges("approve", route, ["send", "draft"])

How to fix: ask in a node of its own and let the router read the answer from the state.

What it does not see: edges whose source node cannot be read. A router from START has no node in front of it and is not reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import chain, finding

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL505", name="interrupt-in-router", severity=Severity.WARNING,
            summary="a pause in the path function of a conditional edge runs the node in front of it again", family="router", rank=10)


def check(project: "Project") -> Iterator[Finding]:
    told: set[int] = set()
    for graph, branch, router in project.graphs.branches():
        p = project.pausing_of(router)
        if p is None or branch.source is None or branch.source == "__start__" or id(router.fn) in told:
            continue
        told.add(id(router.fn))
        node = next((f.name for n in graph.named(branch.source) for f in n.functions), "")
        what = f'the node "{branch.source}"' + (f" ({node}())" if node and node != branch.source else "")
        edge = project.step_at(branch.scope.module.path, branch.call.at, f'the conditional edge from "{branch.source}"')
        for pause in p.pauses:
            message = (f"The answer runs {what} again: {router.name}() pauses while it chooses the next node{chain(p.witness(pause))}, and a router is restarted "
                       f"together with the node it leaves")
            yield finding(project, META, p, pause.node.at, message, pause=pause, witness=p.witness(pause), context=branch.source, related=(edge,),
                          help=f'ask in a node of its own between "{branch.source}" and the edge, and let {router.name}() read the answer from the state')
