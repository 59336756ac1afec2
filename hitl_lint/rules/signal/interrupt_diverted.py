"""Something other than a plain `except` keeps the pause: suppress, a finally block, a decorator, a retry, gather.

At run time: `interrupt()` pauses by raising GraphInterrupt. `contextlib.suppress`, a `return` in a `finally` block, an `__exit__` that
returns True, a catching decorator, `asyncio.gather(return_exceptions=True)` or a fallback takes it for an error and the question never
reaches a human; a retry decorator runs the body again and ends in RetryError; a TaskGroup turns it into an ExceptionGroup. Retries that raise
the last exception again (backoff, retry, retrying, stamina, tenacity with reraise=True, `with_retry`, a loop of attempts) let the pause through
in the end, after the body has run N times: a warning. langchain's own retry middleware keeps the pause before 1.3.12 (tools) and 1.3.15 (models); it is
reported where the project's version is known to be older.

Wrong:

    from tenacity import retry, stop_after_attempt
    from langgraph.types import interrupt

    @retry(stop=stop_after_attempt(3))
    def approve(state):
        return {"answer": interrupt("Pay?")}

Right:

    from langgraph.errors import GraphBubbleUp
    from langgraph.types import interrupt
    from tenacity import retry, retry_if_not_exception_type, stop_after_attempt

    @retry(stop=stop_after_attempt(3), retry=retry_if_not_exception_type(GraphBubbleUp))
    def approve(state):
        return {"answer": interrupt("Pay?")}

How to fix: exclude GraphBubbleUp where the API has a predicate, otherwise take the pause out of the construct.

What it does not see: decorators and context managers of libraries it does not know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.retried_tools import FIXED, RetriedTools
from hitl_lint.analysis.signals import Obstacle
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import asks, chain, finding, which

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL202", name="interrupt-diverted", severity=Severity.ERROR,
            summary="a retry, suppress, finally, decorator or gather keeps the pause", family="signal", rank=40, fix="exclude GraphBubbleUp (safe)",
            also=(Severity.WARNING,))

SAYS = {
    "suppress": "Nobody is asked: {what} swallows the pause of {asks}",
    "exit": "Nobody is asked: {what} swallows the pause of {asks}",
    "finally": "Nobody is asked: {what} throws away the pause of {asks}",
    "decorator": "Nobody is asked: {what} swallows the pause of {asks}",
    "retry": "The run fails instead of asking a human: {what} takes the pause of {asks} for a failure, runs the function again and gives up with an error",
    "retry-forever": "The run hangs instead of asking a human: {what} takes the pause of {asks} for a failure and runs the function again, without end",
    "retry-reraise": "Everything before the pause runs several times: {what} retries the pause of {asks} as if it had failed, before it lets it through",
    "gather": "Nobody is asked: {what} hands back the pause of {asks} as a value, and the run goes on",
    "group": "The run fails instead of asking a human: {what} wraps the pause of {asks} in an ExceptionGroup",
    "fallback": "Nobody is asked: {what} takes the pause of {asks} for a failure and runs the fallback",
    "batch": "Nobody is asked: {what} hands back the pause of {asks} as a value, and the run goes on",
}
FAILS = "The run fails instead of asking a human: {what} raises another exception in the place of the pause of {asks}"
HELPS = {
    "retry": "retry only what can fail: retry_if_not_exception_type(GraphBubbleUp), or move the pause out of the retried function",
    "retry-forever": "retry only what can fail, and not for ever; or move the pause out of the retried function",
    "retry-reraise": "retry only what can fail: retry_if_not_exception_type(GraphBubbleUp), or move the pause out of the retried function",
    "decorator": "let GraphBubbleUp through in the decorator: `except GraphBubbleUp: raise` before its broad handler",
    "gather": "drop return_exceptions=True, or ask in a node of its own after the others are done",
    "group": "await the pausing coroutine outside the group, or unpack it: `except* GraphBubbleUp as group: raise group.exceptions[0]`",
    "finally": "leave the finally block by its end: move the return, break, continue or raise out of it",
    "suppress": "suppress the exceptions you mean (GraphInterrupt is an Exception), or take the pause out of the block",
    "exit": "do not return True for GraphBubbleUp, or take the pause out of the block",
}


def check(project: "Project") -> Iterator[Finding]:
    for p in project.pausing():
        around = [o for o in project.signals.around(p.info) + project.signals.wrapped(p.info) if not o.lost]
        told = False
        for pause in p.pauses:
            if project.signals.closes_over(p.info, pause.node):
                continue
            inside = [o for o in project.signals.obstacles(p.info, p.cfg, pause) if not o.caught]
            inside += [o for o in project.signals.carried(p.info, p.cfg, pause) if not o.lost]
            # A decorator is one fault, however many pauses stand under it.
            found: Obstacle | None = next(iter(inside), None) or (next(iter(around), None) if not told else None)
            if found is None:
                continue
            told = told or found in around
            message = (FAILS if found.fails else SAYS[found.kind if found.kind in SAYS else "decorator"]).format(what=found.what, asks=asks(p, pause)) + chain(p.witness(pause))
            severity = Severity.WARNING if found.kind == "retry-reraise" else None
            yield finding(project, META, p, pause.node.at, message, pause=pause, witness=p.witness(pause), severity=severity,
                          context=found.what if found in around else which(found.what, pause),
                          related=(project.step_at(found.path, found.at, f"{found.what} stands around it"),),
                          help=HELPS.get(found.kind, "take the pause out of the construct"), node=found.node, more=found)
    for r in RetriedTools(project).found():
        p = project.pausing_of(r.info)
        for pause in p.pauses[:1] if p is not None else ():
            fixed = ".".join(map(str, FIXED[r.name]))
            message = (f"Nobody is asked: {r.name} takes the pause of {asks(p, pause)} for a failure, tries {r.info.name}() again and hands the model an error text; "
                       f"langchain {fixed} has mended that, and this project has an older one") + chain(p.witness(pause))
            yield finding(project, META, p, pause.node.at, message, pause=pause, witness=p.witness(pause), context=r.name,
                          related=(project.step_at(r.scope.module.path, r.made.at, f"{r.name} stands around it"),),
                          help=f"use langchain {fixed} or later, or retry only what can fail: {r.name}(retry_on=(ConnectionError,))")
