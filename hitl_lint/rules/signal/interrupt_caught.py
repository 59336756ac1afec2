"""An `except` around a pause catches the pause itself, so nobody is ever asked.

At run time: `interrupt()` pauses by raising GraphInterrupt, which is an Exception. A broad handler around it, in this function or in any
caller, takes it for an error: the node finishes, the following nodes run, and the question never reaches a human. If the handler raises
another exception instead, the run fails and nothing is pending.

Wrong:

    from langgraph.types import interrupt

    def approve(state):
        try:
            answer = interrupt("Delete it?")
        except Exception:
            answer = None
        return {"answer": answer}

Right:

    from langgraph.errors import GraphBubbleUp
    from langgraph.types import interrupt

    def approve(state):
        try:
            answer = interrupt("Delete it?")
        except GraphBubbleUp:
            raise
        except Exception:
            answer = None
        return {"answer": answer}

How to fix: put `except GraphBubbleUp: raise` before the broad handler, catch a narrower type, or move the pause out of the `try`.

What it does not see: handlers in libraries that call back into your code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity, Step
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import asks, chain, finding, line_of, which

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL201", name="interrupt-caught", severity=Severity.ERROR,
            summary="an except clause swallows the pause: nobody is asked", family="signal", needles=(b"interrupt", b"Interrupt", b"wrap_tool_call"), rank=50, fix="insert `except GraphBubbleUp: raise` (safe)")


def check(project: "Project") -> Iterator[Finding]:
    for p in project.pausing():
        for pause in p.pauses:
            caught = [o for o in project.signals.obstacles(p.info, p.cfg, pause) if o.caught]
            # One that sends it on in some case is told of only where no other one around it swallows it in every case.
            found = next((o for o in caught if o.kind == caught[0].kind and o.sure), caught[0]) if caught else None
            if found is None or project.signals.closes_over(p.info, pause.node):
                continue  # a decorator is told of where it stands (HIL202)
            line = project.line(found.path, found.at)
            if found.path != p.path:
                line += f" of {found.path}"
            if found.kind == "other":
                message = (f"The run fails instead of asking a human: {found.what} on {line} catches the pause of {asks(p, pause)} and raises "
                           f"another exception in its place{chain(p.witness(pause))}")
            elif found.path == p.path and (after := project.asked_after(p, found.node, pause)) is not None:
                message = (f"This question is never shown, and takes the answer to the next one: {found.what} on {line} swallows the pause of "
                           f"{asks(p, pause)}, which is raised as an exception{chain(p.witness(pause))}, and the run goes on to {asks(p, after)} on "
                           f"{line_of(project, p, after)}")
            else:
                message = (f"Nobody is asked: {found.what} on {line} swallows the pause of {asks(p, pause)}, which is raised as an exception"
                           f"{chain(p.witness(pause))}, and the run goes on without an answer")
            handler = project.step_at(found.path, found.at, f"{found.what} catches it")
            yield finding(project, META, p, pause.node.at, message, pause=pause, witness=p.witness(pause), context=which(found.what, pause),
                          related=(handler,), help=HELP.format(line=line), node=found.node, more=found)


HELP = ("let the pause through before the handler on {line} can catch it:\n"
        "    from langgraph.errors import GraphBubbleUp\n"
        "    except GraphBubbleUp:\n        raise")

__all__ = ["META", "Step", "check"]
