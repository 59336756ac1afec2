"""Whether a pause is reached depends on something that can be different when the answer arrives.

At run time: the answer restarts the function from its first line, and answers are handed out by position. If the clock, a model, a
query or a failed call decides differently this time, the pause is skipped and its answer goes to the next question, or is dropped and the
code goes on as if nobody had been asked.

Wrong:

    import random
    from langgraph.types import interrupt

    def check(state):
        if random.random() < 0.1:
            first = interrupt("Spot check?")
        second = interrupt("Release?")
        return {"release": second}

Right:

    import random
    from langgraph.types import interrupt

    def draw(state):
        return {"spot_check": random.random() < 0.1}

    def check(state):
        if state["spot_check"]:
            return {"spot": interrupt("Spot check?")}
        return {}

How to fix: decide in an earlier node and store the decision in the state, or decide inside a `@task`.

A pause whose answer nothing uses, because the yes or no is read from a record outside of the run, may be skipped.

A list of what is "always allowed" that an answer fills, and that the function asks before its next question, is such a condition as well: keep
what was allowed in the state, or fill the list when all questions have been asked.

What it does not see: guards behind objects that cannot be followed. The environment of the process counts as fixed (HIL303 points the
condition out), and an expiry that is checked again behind the pause is meant to refuse. A flag that the function looks at before its pause and takes back behind it is not
reported: the second run finds it as the first one did, in the same process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import asks, chain, finding

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL301", name="unstable-interrupt-condition", severity=Severity.ERROR,
            summary="whether a pause is reached can change before the answer arrives", family="order", rank=50,
            also=(Severity.WARNING, Severity.NOTE))

MADE = {"model": "what a model answers", "unstable": "a value that changes", "effect": "the result of a call", "read": "something read from outside",
        "memory": "memory that other runs change", "failure": "whether a call fails"}


def check(project: "Project") -> Iterator[Finding]:
    for p in project.pausing():
        told: set[object] = set()
        for pause in p.live:
            g = project.unstable_guard(p, pause)
            # One decision is one fault, however many pauses stand behind the same branch of it.
            if g is None or (g.at, g.branch) in told:
                continue
            more = project.next_without(p, pause, g)
            if not more and g.kind not in ("model", "answered") and project.handling.parked(p, pause):
                continue  # the yes or no is read from a record outside, and nothing is lost with the answer
            told.add((g.at, g.branch))
            cause = f"{MADE.get(g.kind, '')} ({project.line(p.path, g.at)}, `{g.shown}`)"
            if g.kind == "answered" and g.witness is not None:
                message = (f"On resume this pause can be skipped, and its answer is given to the next question: {asks(p, pause)} depends on `{g.witness.callee}` "
                           f"({project.line(p.path, g.at)}), which an answer changes ({project.line(p.path, g.witness.links[0].at)})")
            elif g.fails:
                message = (f"The answer is not used if this comes out differently on resume: {asks(p, pause)} depends on {cause}, which is worked out "
                           f"again{chain(g.witness)}, and the other way {p.info.name}() fails before it asks")
            else:
                then = "its answer is given to the next question" if more else "the answer is dropped and the run goes on as if nobody had been asked"
                when = "After a restart" if g.witness is not None and g.witness.lasts else "On resume"
                message = (f"{when} this pause can be skipped, and {then}: {asks(p, pause)} depends on {cause}, which is worked out "
                           f"again{chain(g.witness)}")
            yield finding(project, META, p, pause.node.at, message, pause=pause, witness=g.witness, severity=g.severity, context=g.shown,
                          related=(project.step_at(p.path, g.at, "this decides whether the pause is reached"),),
                          help="decide in an earlier node and read the decision from the state, or decide inside a @task")
