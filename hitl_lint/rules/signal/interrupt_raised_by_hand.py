"""GraphInterrupt or NodeInterrupt is raised by hand: it pauses, and no answer ever gets past it.

At run time: the run stops as it does at `interrupt()`, but nothing waits for the answer. `Command(resume=…)` starts the node again, the same
line raises again, and the person is asked the same question for ever. Only a change of the state that the node tests gets past it. A bare
`raise GraphInterrupt` does not even leave a question behind: the run just ends there.

Wrong:

    from langgraph.errors import NodeInterrupt

    def grade(state):
        if len(state["essay"]) < 20:
            raise NodeInterrupt("Too short, accept?")
        return {"score": 10}

Right:

    from langgraph.types import interrupt

    def grade(state):
        answer = interrupt({"essay": state["essay"], "question": "Accept?"})
        return {"score": 10 if answer == "accept" else 0}

How to fix: call `interrupt(…)`; it returns the answer. `--fix --unsafe-fixes` does so where the `raise` says what is asked; True then goes
on, anything else ends the run with a ValueError, in whose place belongs what a refusal does.

What it does not see: exceptions that are made elsewhere and raised from a variable it cannot follow. It is silent where a pause that was
caught, or that a nested run gave back, is sent on. A warning where no answer is seen to be sent to the graph and the state decides: who changes
the state gets past it, as the old pages had it. A note where the project is seen to do so: that works, until somebody sends an answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.byhand import ByHand
from hitl_lint.analysis.subject import Subject
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL205", name="interrupt-raised-by-hand", severity=Severity.ERROR, also=(Severity.WARNING, Severity.NOTE),
            summary="a pause raised by hand ignores every answer and asks for ever", needles=(b"GraphInterrupt", b"NodeInterrupt"),
            family="signal", rank=25, fix="call interrupt() (unsafe)")


def check(project: "Project") -> Iterator[Finding]:
    byhand = ByHand(project)
    for r in byhand.raised():
        by_state = byhand.by_state(r)
        if by_state == "changed":
            message = (f"An answer sent here would be thrown away: `raise {r.shown}` pauses {r.info.name}(), and only a change of the state gets past it, "
                       "as is done in this project")
        else:
            message = (f"The same question comes again after every answer: `raise {r.shown}` pauses {r.info.name}(), but "
                       + ("only a change of the state gets past it, and what a person answers is thrown away" if by_state
                          else "the answer is thrown away, and the same line raises again"))
        yield Finding(code=META.code, name=META.name, severity={"changed": Severity.NOTE, "asked": Severity.WARNING}.get(by_state, META.severity),
                      span=project.span(r.info.module, r.node.at), message=message, function=r.info.dotted,
                      help="call interrupt(…), which returns the answer:\n    answer = interrupt({…})", context=f"{r.info.fn.qualname}:raise {r.shown}",
                      family=META.family, subject=Subject(r.info, node=r.node))
