"""A clean-up around a pause runs while the person still thinks about the answer, and again at the end.

At run time: `interrupt()` leaves the node by an exception, so every `finally` block, `__exit__`, exit callback and re-raising `except` around it
runs at the pause, and once more when the node ends. A temporary directory is removed and the path in the question leads nowhere; a client that
the node did not open itself is closed when the answer comes; a mail in the `finally` block is sent for every pause.

Wrong:

    import tempfile
    from langgraph.types import interrupt

    def review(state):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/report.txt"
            with open(path, "w") as f:
                f.write(state["report"])
            answer = interrupt({"please read": path})
        return {"answer": answer}

Right:

    from langgraph.types import interrupt

    def review(state):
        answer = interrupt({"please read": state["report"]})
        return {"answer": answer}

How to fix: show the content, or a place that outlives the node; ask outside of the block; clean up, and report the end, in the node after this
one, or under a flag that the last line of the `try` sets; put `except GraphBubbleUp: raise` before a handler that reports a failure.

A handler that reports a failure and raises again reports one at every pause, also where the report stands under a test that says nothing about the
exception: a row about the error, an alarm, a job that is set to "failed". Logging, metrics, rolling back and closing are not reported.

What it does not see: context managers of libraries, and clean-ups in a `finally` block under a condition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.cleanup import Cleanups
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import asks, chain, finding, line_of

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL203", name="cleanup-at-pause", severity=Severity.WARNING, also=(Severity.NOTE,),
            summary="a finally block, exit or temporary folder around a pause is cleaned up at every pause", family="signal", rank=10)
SAYS = {
    "shown": "The person is shown something that is gone: `{what}` is removed {where} when {asks} on {line} pauses, and the resume makes another one",
    "again": "`{what}` is removed {where} when {asks} on {line} pauses and made anew for the answer: everything in it is done again",
    "closed": "The answer finds it closed: {what} is closed {where} when {asks} on {line} pauses, and {name}() did not open it and cannot open it again",
    "removed": "The answer finds the file gone: {what} {where} also runs when {asks} on {line} pauses, and {name}() did not make that file",
    "failure": "At every pause, as if it had failed, {name}() {does}: {what} {where} also runs when {asks} on {line} pauses, which is an exception and no failure",
    "marked": "At every pause {subject} is marked as failed: {what} {where} also runs when {asks} on {line} pauses, which is an exception and no failure",
    "effect": "At every pause, not only at the end, {name}() {does}: {what} {where} also runs when {asks} on {line} pauses",
}
HELPS = {
    "shown": "show the content instead of the path, or keep the file in a place that outlives the pause",
    "again": "make it in a node of its own behind the pause",
    "closed": "open it inside the node, or close it where it was opened",
    "removed": "remove it in a later node, when the answer is there",
    "failure": "let the pause past the handler: `except GraphBubbleUp: raise` before it",
    "marked": "let the pause past the handler: `except GraphBubbleUp: raise` before it",
    "effect": "do it in the node after this one; or set a flag as the last line of the try and test it in the clean-up",
}


def check(project: "Project") -> Iterator[Finding]:
    cleanups = Cleanups(project)
    for p in project.pausing():
        for held in cleanups.around(p):
            w = held.witness
            message = SAYS[held.kind].format(what=held.what, where=held.where, asks=asks(p, held.pause), line=line_of(project, p, held.pause), name=p.info.name,
                                             subject=held.subject, does=w.what if w is not None else "") + chain(w)
            related = (project.step_at(held.path, held.inner, f"{held.what} stands here"),) if held.inner is not None else ()
            yield finding(project, META, p, held.at, message, pause=held.pause, witness=w, context=held.what, related=related, help=HELPS[held.kind],
                          severity=Severity.NOTE if held.kind == "again" else None)
