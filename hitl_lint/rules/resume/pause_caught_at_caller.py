"""`except GraphInterrupt` stands around a run of the whole graph, which never raises it.

At run time: GraphInterrupt is how a node stops; the outermost graph catches it and returns normally, with `__interrupt__` in the result. The
handler never runs, and a run that waits for a human is taken for a finished one.

Wrong:

    from langgraph.errors import GraphInterrupt

    def run(graph, payload, config):
        try:
            return {"status": "done", "values": graph.invoke(payload, config)}
        except GraphInterrupt as pause:
            return {"status": "waiting", "question": pause.args[0]}

Right:

    def run(graph, payload, config):
        values = graph.invoke(payload, config)
        if waiting := values.get("__interrupt__"):
            return {"status": "waiting", "questions": {i.id: i.value for i in waiting}}
        return {"status": "done", "values": values}

How to fix: look for `__interrupt__` in the result (in the chunks of a stream), or at `graph.get_state(config).interrupts`.

What it does not see: functions that look at what is pending as well; there the handler is only dead code. Inside a node or a tool a nested
graph does raise it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.outcomes import Outcomes
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import callee, plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL416", name="pause-caught-at-caller", severity=Severity.WARNING, summary="the outermost graph never raises GraphInterrupt: the handler waits in vain",
            needles=(b"GraphInterrupt", b"NodeInterrupt"), family="outcome", rank=20)


def check(project: "Project") -> Iterator[Finding]:
    for handler, scope, run in Outcomes(project).waited_for():
        line = project.line(scope.module, run.at)
        message = (f"A run that waits for a human is taken for a finished one: {callee(run)} on {line} never raises the pause, it returns "
                   f"with `__interrupt__` in its result, and this handler never runs")
        yield plain(project, META, scope, handler.at, message, context="handler", related=(project.step_at(scope.module.path, run.at, "this returns normally at a pause"),),
                    help="look for \"__interrupt__\" in the result or in the chunks, or at graph.get_state(config).interrupts")
