"""One approval lets everything pass that comes after it.

At run time: the answer sets a key of the state, the key leaves out the next question, and nothing sets it back. State lasts as long as the
thread: the first yes counts for each later command, mail or payment, which nobody is shown.

Wrong:

    import subprocess

    from langgraph.graph import END, START, StateGraph
    from langgraph.types import interrupt

    def gate(state):
        if state.get("approved"):
            return {}
        return {"approved": interrupt(state["queue"][0]) == "yes"}

    def execute(state):
        if state.get("approved"):
            subprocess.run(state["queue"][0])
        return {"queue": state["queue"][1:]}

    def more(state):
        return "gate" if state["queue"] else END

    graph = StateGraph(dict).add_node("gate", gate).add_node("execute", execute)
    graph.add_edge(START, "gate").add_edge("gate", "execute").add_conditional_edges("execute", more, ["gate", END])

Right:

    import subprocess

    from langgraph.graph import END, START, StateGraph
    from langgraph.types import interrupt

    def gate(state):
        return {"approved": interrupt(state["queue"][0]) == "yes"}

    def execute(state):
        if state.get("approved"):
            subprocess.run(state["queue"][0])
        return {"queue": state["queue"][1:], "approved": False}

    def more(state):
        return "gate" if state["queue"] else END

    graph = StateGraph(dict).add_node("gate", gate).add_node("execute", execute)
    graph.add_edge(START, "gate").add_edge("gate", "execute").add_conditional_edges("execute", more, ["gate", END])

How to fix: set the key back in the node that acts, or ask each time; keep what was approved (an id, a hash) instead of a yes.

What it does not see: keys that survive from one run of a thread to the next without a loop in the graph, approvals kept outside the state, and graphs
that are not all read. Approvals of a whole plan, of all that follows, or for the session are meant to stand and are not reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.standing import Approvals
from hitl_lint.facts import text
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import chain, finding

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL508", name="approval-not-consumed", severity=Severity.WARNING, summary="an approval kept in the state counts for everything that comes after it",
            family="standing", rank=10)


def check(project: "Project") -> Iterator[Finding]:
    for s in Approvals(project).standing():
        key, actor = s.write.key, s.actor.name
        message = (f'One yes counts for everything that follows: "{key}" is set from the answer here, `{text(s.skip, 44)}` then leaves the question out, '
                   f'"{actor}" acts again{chain(s.effect)}, and nothing sets "{key}" back')
        yield finding(project, META, s.p, s.write.node.at, message, pause=s.pause, witness=s.effect, context=key,
                      related=(project.step_at(s.skipper.module.path, s.skip.at, "here the question is left out"),
                               project.step_at(s.actor.scope.module.path, s.actor.call.at, f'here "{actor}" is added')),
                      help=f'set it back on the way that acted: "{actor}" returns {{…, "{key}": False}}')
