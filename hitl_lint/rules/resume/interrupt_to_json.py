"""The result or a chunk of a graph that pauses is written out as JSON with its Interrupt objects in it.

At run time: a run that pauses returns (and streams) Interrupt objects under `__interrupt__`. `json.dumps` raises "Object of type Interrupt is
not JSON serializable" exactly when a human is to be asked, and the question is never shown. So do FastAPI's `JSONResponse`, aiohttp's `json_response`
and Django's `JsonResponse`; Flask's `jsonify`, and a result that a FastAPI endpoint simply returns, are written with the fields of the Interrupt.

Wrong:

    import json

    def show(graph, payload, config):
        result = graph.invoke(payload, config)
        return json.dumps({"waiting": result["__interrupt__"]})

Right:

    import json

    def show(graph, payload, config):
        result = graph.invoke(payload, config)
        return json.dumps({"waiting": [{"id": i.id, "question": i.value} for i in result["__interrupt__"]]})

How to fix: write out what the client needs: `i.id` to answer by and `i.value` to show.

What it does not see: results that pass through other functions, whole states with messages in them (these are no JSON at any run), encoders with a `default`, and functions that look for `__interrupt__` themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.outcomes import Outcomes
from hitl_lint.facts import text
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import callee, plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL417", name="interrupt-to-json", severity=Severity.WARNING, summary="a result with Interrupt objects in it is no JSON: it raises at the pause",
            family="outcome", rank=10)


def check(project: "Project") -> Iterator[Finding]:
    for w in Outcomes(project).written():
        what = f"`{text(w.what, 40)}` holds Interrupt objects" + (" when the graph pauses" if w.run is not None else "")
        message = f"The question is never shown: {what}, and {callee(w.call)} raises TypeError for them"
        related = (project.step_at(w.scope.module.path, w.run.call.at, "this returns at a pause with `__interrupt__` in it"),) if w.run is not None else ()
        yield plain(project, META, w.scope, w.call.at, message, context="json", related=related,
                    help="write out what the client needs: [{\"id\": i.id, \"question\": i.value} for i in result.get(\"__interrupt__\", ())]")
