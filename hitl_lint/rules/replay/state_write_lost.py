"""A key of the state argument is assigned before a pause, and the assignment is dropped while the run waits.

At run time: the state is saved when a node returns. A pause leaves the node by an exception, so nobody who looks at the paused run sees
the assignment, and the restarted node sees the old value again.

Wrong:

    from langgraph.types import interrupt

    def ask(state):
        state["stage"] = "waiting"
        return {"answer": interrupt("Go on?")}

Right:

    from langgraph.types import interrupt

    def mark(state):
        return {"stage": "waiting"}

    def ask(state):
        return {"answer": interrupt("Go on?")}

How to fix: return the value from an earlier node.

What it does not see: assignments through another name of the state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import asks, finding, line_of

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL109", name="state-write-lost", severity=Severity.NOTE,
            summary="an assignment to the state before a pause is dropped while the run waits", family="memory", rank=10)


def check(project: "Project") -> Iterator[Finding]:
    for p in project.pausing():
        for w in project.state_writes(p):
            message = (f"Nobody sees this while the run waits: `{w.target}` is assigned before {asks(p, w.pause)} on {line_of(project, p, w.pause)}, "
                       f"and a pause drops what the node has not returned")
            yield finding(project, META, p, w.at, message, pause=w.pause, context=w.target,
                          help="return it from an earlier node, so that it is saved before the pause")
