"""A value that is different every time (clock, random, uuid) is made before a pause and used after it.

At run time: the answer restarts the node from its first line, so the value is made again. What is stored or decided after the pause is
not the value that existed when the run paused: a "requested at" becomes the time of the answer, an id changes under those who hold it.

Wrong:

    import uuid
    from langgraph.types import interrupt

    def register(state):
        ticket = str(uuid.uuid4())
        answer = interrupt("Register?")
        return {"ticket": ticket, "answer": answer}

Right:

    import uuid
    from langgraph.types import interrupt

    def number(state):
        return {"ticket": str(uuid.uuid4())}

    def register(state):
        answer = interrupt("Register?")
        return {"ticket": state["ticket"], "answer": answer}

How to fix: make the value in an earlier node and read it from the state, or make it inside a `@task`; if only the time of the answer is
wanted, make it after the pause. `--fix --unsafe-fixes` moves the call, or the whole statement with it, into a `@task` where it stands on
every way through the function and its result can be kept; a run that was paused before does the work once more.

A number that the process counts (a global, `self.n`, `len(SEEN)`) is such a value, too: other runs change it while this one waits.

What it does not see: what is read from caches, flags and other memory; values that only reach the question or a log (they do no harm, and are not reported).
How long something took (`time.time() - start`) is a measurement and not reported, unless it decides or is called the time that somebody waited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.sketches import split_sketch
from hitl_lint.rules.telling import asks, callee, chain, finding, line_of

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL103", name="unstable-value-before-interrupt", severity=Severity.WARNING,
            summary="a clock, random or uuid value made before a pause is used after it", family="replay", rank=20, fix="split the node or wrap in @task (unsafe)")


def check(project: "Project") -> Iterator[Finding]:
    for p in project.pausing():
        for j in project.journeys(p):
            if j.source.kind not in ("unstable", "memory") or j.shown or j.source.witness is not None and j.source.witness.lasts:
                continue
            call, pause = j.source.node, j.pause
            again = "made" if j.source.kind == "unstable" else "read"
            message = (f"The value changes on resume: {callee(call)} is {again} again after {asks(p, pause)} on {line_of(project, p, pause)} is answered"
                       f"{chain(j.source.witness)}, so what is {j.fate(p)} is not what existed before the pause")
            yield finding(project, META, p, call.at, message, pause=pause, witness=j.source.witness, node=call, help=split_sketch(project, p, call, pause),
                          context=callee(call))
