"""The person is asked, and the answer is thrown away: whatever they say, the same happens.

At run time: `interrupt()` gives back what the run was resumed with. Where the result is not used, or only logged, approving and rejecting are the
same, and the question is for show.

Wrong:

    from langgraph.types import interrupt

    def confirm(state):
        interrupt({"question": "Delete these files?", "files": state["files"]})
        return {"confirmed": True}

Right:

    from langgraph.types import interrupt

    def confirm(state):
        answer = interrupt({"question": "Delete these files?", "files": state["files"]})
        return {"confirmed": answer == "yes"}

How to fix: decide by the answer, or write it into the state; where nothing is asked and the run only waits, say so in the payload ("press continue
when you are ready").

A pause that only tells of an error, and offers no reply, is not reported. Nor is one whose yes or no is read from a record outside of the run.
Where decisions come by `update_state`, or the node looks for one in the state before it asks and nobody sends answers, nothing is reported.

What it does not see: answers that are kept and never looked at later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import asks, finding

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL606", name="answer-discarded", severity=Severity.WARNING, summary="the answer of a pause is thrown away", family="answer", rank=20)


def check(project: "Project") -> Iterator[Finding]:
    for p in project.pausing():
        for pause in p.pauses:
            how = project.handling.dropped(p, pause)
            if how is None:
                continue
            what = "is only logged" if how == "logged" else "is not used"
            if how == "offered":
                yield finding(project, META, p, pause.node.at, f"The reply that is offered is thrown away: {asks(p, pause)} tells of an error and lets people respond, "
                              f"and {p.info.name}() does the same whatever they say", pause=pause, context=how, help="do something with the reply, or allow none: \"allow_respond\": False")
                continue
            message = f"Yes and no do the same: the answer of {asks(p, pause)} {what}, and {p.info.name}() goes on whatever was said"
            yield finding(project, META, p, pause.node.at, message, pause=pause, context=how,
                          help="decide by the answer, or keep it:\n    answer = interrupt(…)\n    if answer != \"yes\":\n        …")
