"""An effect or a model call stands before a nested graph that pauses, and runs again every time that pause is answered.

At run time: the pause of the nested graph also leaves the function that invoked it. The answer starts that function again from its first
line; the nested graph then goes on where it stopped, but what stands before its `invoke` is done once more per answer: a second charge, a
second mail, a model paid again.

Wrong:

    import httpx
    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    def review(state):
        return {"verdict": interrupt("Accept the order?")}

    reviewing = StateGraph(dict).add_node("review", review).add_edge(START, "review").compile()

    def checkout(state):
        httpx.post("https://pay.example/holds", json={"cart": state["cart"]})
        return reviewing.invoke({"cart": state["cart"]})

    shop = StateGraph(dict).add_node("checkout", checkout).add_edge(START, "checkout")

Right:

    import httpx
    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    def review(state):
        return {"verdict": interrupt("Accept the order?")}

    reviewing = StateGraph(dict).add_node("review", review).add_edge(START, "review").compile()

    def hold(state):
        httpx.post("https://pay.example/holds", json={"cart": state["cart"]})
        return {"held": True}

    def checkout(state):
        return reviewing.invoke({"cart": state["cart"]})

    shop = StateGraph(dict).add_node("hold", hold).add_node("checkout", checkout).add_edge(START, "hold").add_edge("hold", "checkout")

How to fix: do the work in a node of its own in front; or make the nested graph a node itself (`add_node("review", reviewing)`); or put the
work into a `@task`, whose finished result is restored. `--fix --unsafe-fixes` moves the call, or the whole statement with it, into a
`@task` where it stands on every way through the function and its result can be kept; a run that was paused before does the work once more.

What it does not see: nested graphs that cannot be followed, and graphs on a server (RemoteGraph), whose pauses do not come back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.facts import text
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.sketches import split_sketch
from hitl_lint.rules.telling import callee, chain, done_again, finding, how_grave, line_of

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL105", name="work-before-subgraph", severity=Severity.ERROR, also=(Severity.WARNING,),
            summary="an effect or a model call before a nested graph that pauses runs again with each answer", family="replay", rank=45,
            fix="split the node or wrap in @task (unsafe)")


def check(project: "Project") -> Iterator[Finding]:
    for p in project.pausing():
        told: set[int] = set()
        for kind in ("effect", "model"):
            for again in project.replayed(p, kind):
                if not again.nested or id(again.call) in told:
                    continue
                told.add(id(again.call))
                w, call, pause = again.witness, again.call, again.pause
                severity = how_grave(w) if kind == "effect" else Severity.WARNING
                what = done_again(w) if kind == "effect" else "Every resume asks and pays the model again"
                when = "once per round" if again.looped else "first"
                message = (f"{what}: {callee(call)} runs {when}{chain(w)}, then {text(pause.node.func, 40)}() on {line_of(project, p, pause)} runs a nested "
                           f"graph that pauses, and the answer restarts {p.info.name}() from its first line")
                yield finding(project, META, p, call.at, message, pause=pause, witness=w, node=call, severity=severity, context=callee(call),
                              help=split_sketch(project, p, call, pause))
