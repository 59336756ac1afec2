"""The human approves one value and another one is used: it is made again when the answer arrives.

At run time: a draft, plan, id or price is made before the pause and shown in the question. The answer restarts the node from its first
line, so it is made again, and what is returned, stored or sent after the pause is the new one, which nobody has seen.

Wrong:

    from langchain_openai import ChatOpenAI
    from langgraph.types import interrupt

    llm = ChatOpenAI()

    def write(state):
        draft = llm.invoke(state["topic"]).content
        if interrupt({"draft": draft}) == "ok":
            return {"published": draft}
        return {}

Right:

    from langchain_openai import ChatOpenAI
    from langgraph.types import interrupt

    llm = ChatOpenAI()

    def write(state):
        return {"draft": llm.invoke(state["topic"]).content}

    def review(state):
        if interrupt({"draft": state["draft"]}) == "ok":
            return {"published": state["draft"]}
        return {}

How to fix: make the value in an earlier node, or inside a `@task`, and show and use what was stored. A `@task` is never proposed by `--fix`
here: the answer to a run that was paused before would approve a value that the task makes anew.

Where the value only gets into the record of the conversation (`messages`, a log) beside the answer, it is a warning: nothing was approved, but the
record quotes a question that nobody was asked. A row that is read again by its key cannot be another one: using the key of it is not reported.

What it does not see: values that travel through files, caches or objects it cannot follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.sketches import split_sketch
from hitl_lint.rules.telling import asks, callee, chain, finding, line_of

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL104", name="approved-value-regenerated", severity=Severity.ERROR,
            summary="what is approved is not what is used: the value is made again on resume", family="replay", rank=50, fix="split the node (unsafe)",
            also=(Severity.WARNING,))


def check(project: "Project") -> Iterator[Finding]:
    for p in project.pausing():
        for j in project.journeys(p):
            if not j.shown or (j.source.kind == "read" and j.use != "effect") or j.use == "branch":
                continue
            call, pause = j.source.node, j.pause
            made = {"model": "asks the model again", "effect": "runs again", "unstable": "gives another value", "memory": "has moved on",
                    "read": "is read again"}[j.source.kind]
            if j.quoted and j.use == "return":
                message = (f"The question on record is not the one that was asked: {callee(call)} {made} when {asks(p, pause)} on {line_of(project, p, pause)} is "
                           f"answered{chain(j.source.witness)}, and the record quotes the new version beside the answer to the first")
                yield finding(project, META, p, call.at, message, pause=pause, witness=j.source.witness, node=call, severity=Severity.WARNING,
                              help=split_sketch(project, p, call, pause), context=callee(call), related=(j.use_step(project, p),))
                continue
            lasts = j.source.witness is not None and j.source.witness.lasts  # `lru_cache`
            sure = "What is approved is not" if not lasts else "After a restart what is approved is not"
            message = (f"{sure} what is {j.fate(p)}: {callee(call)} {made} when {asks(p, pause)} on {line_of(project, p, pause)} "
                       f"is answered{chain(j.source.witness)}, and the human only saw the first version")
            severity = Severity.WARNING if j.source.kind in ("read", "memory") or lasts else None
            yield finding(project, META, p, call.at, message, pause=pause, witness=j.source.witness, node=call, severity=severity,
                          help=split_sketch(project, p, call, pause), context=callee(call), related=(j.use_step(project, p),))
