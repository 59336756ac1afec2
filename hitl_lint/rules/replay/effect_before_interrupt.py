"""Something outside the program is changed before a pause, and changed again every time the pause is answered.

At run time: `interrupt()` leaves the node by an exception. The answer starts the node again from its first line, so everything that
stands before the pause, between two pauses, or after a pause in a loop that pauses again, runs once more per answer: a second charge,
a second e-mail, a second row. Nothing raises.

Wrong:

    import httpx
    from langgraph.types import interrupt

    def refund(state):
        httpx.post("https://billing.example/refunds", json={"order": state["order"]})
        answer = interrupt("Confirm the refund?")
        return {"answer": answer}

Right:

    import httpx
    from langgraph.types import interrupt

    def open_refund(state):
        httpx.post("https://billing.example/refunds", json={"order": state["order"]})
        return {"opened": True}

    def confirm(state):
        answer = interrupt("Confirm the refund?")
        return {"answer": answer}

How to fix: move the effect to a node of its own in front of the one that pauses, or behind the last pause; or put it into a `@task`, whose
finished result is restored; or make it safe to repeat (upsert, a stable idempotency key). `--fix --unsafe-fixes` moves the call, or the
whole statement with it, into a `@task` where it stands on every way through the function and its result can be kept; a run that was paused
before does the work once more.

Where the line is drawn: at what is not safe to repeat. POST and PATCH are reported, PUT, DELETE and GET are not; INSERT is, an upsert is not;
bare `mkdir()`, `makedirs()` and `unlink()` are, because the second run raises, and with `exist_ok=True` or `missing_ok=True` they are not; a put
by a fixed key (object stores, caches) is not. Writing a file is reported in any mode, "w" too, as LangGraph's own pages do; where the second run writes
the same content at the same place it is a warning: nothing is there twice, but what somebody has changed in the file while the question waited, as in a
plan that is put there to be reviewed, is overwritten with the old text. What a function does whose result is kept for the same arguments (`lru_cache`)
is done again after a restart only: a warning. A line that a function called after a log or trace appends to a log file is no effect, and neither is a POST to the address of a log collector (Loki, Splunk, Datadog, OpenTelemetry).

What it does not see: calls of objects that cannot be followed and whose name says nothing; `--statistics` counts them, and
`[tool.hitl-lint.effects]` declares them.
Progress that is kept for those who look on (`emit_progress` into a table) and a hook that is given a function with an empty body are not reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.sketches import split_sketch
from hitl_lint.rules.telling import asks, callee, chain, done_again, finding, how_grave, line_of, router_finding, wrapper_finding

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL101", name="effect-before-interrupt", severity=Severity.ERROR, also=(Severity.WARNING,),
            summary="an effect runs again each time a pause is answered", family="replay", rank=40, fix="split the node or wrap in @task (unsafe)")


def check(project: "Project") -> Iterator[Finding]:
    for p in project.pausing():
        for again in project.replayed(p, "effect"):
            if again.nested:
                continue  # HIL105
            w, call, pause = again.witness, again.call, again.pause
            when = "once per round" if again.looped else f"before {asks(p, pause)} on {line_of(project, p, pause)}"
            message = (f"{done_again(w)}: {callee(call)} runs {when}{chain(w)}, "
                       f"and the answer restarts {p.info.name}() from its first line")
            yield finding(project, META, p, call.at, message, pause=pause, witness=w, node=call, severity=how_grave(w), help=split_sketch(project, p, call, pause),
                          context=callee(call))
    for source, call, w, router in project.replay.before_routers("effect"):
        yield router_finding(project, META, source, call, w, router, done_again(w), how_grave(w))
    for applied, again in project.replay.in_wrappers("effect"):
        yield wrapper_finding(project, META, applied, again, done_again(again.witness), how_grave(again.witness))
