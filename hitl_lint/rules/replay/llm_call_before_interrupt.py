"""A model is asked before a pause, and asked (and paid) again every time the pause is answered.

At run time: the answer restarts the node from its first line, so the model call before the pause is made once more per answer. The
second reply is usually different from the one that the rest of the run was built on.

Wrong:

    from langchain_openai import ChatOpenAI
    from langgraph.types import interrupt

    llm = ChatOpenAI()

    def plan(state):
        hint = llm.invoke(state["question"])
        return {"topic": interrupt("Which topic?")}

Right:

    from langchain_openai import ChatOpenAI
    from langgraph.types import interrupt

    llm = ChatOpenAI()

    def think(state):
        return {"hint": llm.invoke(state["question"]).content}

    def plan(state):
        return {"topic": interrupt("Which topic?")}

How to fix: ask the model in a node of its own in front of the one that pauses, or inside a `@task`. `--fix --unsafe-fixes` moves the call,
or the whole statement with it, into a `@task` where it stands on every way through the function and its result can be kept; a run that was
paused before does the work once more.

What it does not see: models behind objects that cannot be followed. A nested graph or agent that has finished before the pause is
restored, not run again, and so is not reported; nor is a model behind a cache of the process (`@lru_cache`), which is asked once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.sketches import split_sketch
from hitl_lint.rules.telling import asks, callee, chain, finding, line_of, router_finding, wrapper_finding

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL102", name="llm-call-before-interrupt", severity=Severity.WARNING,
            summary="a model is asked and paid again each time a pause is answered", family="replay", rank=30, fix="split the node or wrap in @task (unsafe)")


def check(project: "Project") -> Iterator[Finding]:
    for p in project.pausing():
        for again in project.replayed(p, "model"):
            if again.nested:
                continue  # HIL105
            w, call, pause = again.witness, again.call, again.pause
            when = "in every round" if again.looped else f"before {asks(p, pause)} on {line_of(project, p, pause)}"
            message = (f"Every resume asks and pays the model again: {callee(call)} runs {when}{chain(w)}, "
                       f"and the answer restarts {p.info.name}() from its first line")
            yield finding(project, META, p, call.at, message, pause=pause, witness=w, node=call, help=split_sketch(project, p, call, pause),
                          context=callee(call))
    for source, call, w, router in project.replay.before_routers("model"):
        yield router_finding(project, META, source, call, w, router, "Every resume asks and pays the model again")
    for applied, again in project.replay.in_wrappers("model"):
        yield wrapper_finding(project, META, applied, again, "Every resume asks and pays the model again")
