"""A pause in a loop: every answer runs all earlier rounds again, and answers are paired with rounds by position.

At run time: the third answer restarts the function, which goes through rounds one and two again with their stored answers before it
reaches round three. Whatever the rounds do is done 1+2+3… times. If the loop runs over something that can change (a query, a model's list, a
set), the stored answers land on other items.

Wrong:

    import httpx
    from langgraph.types import interrupt

    def review(state):
        answers = []
        for item in state["items"]:
            httpx.post("https://log.example/asked", json={"item": item})
            answers.append(interrupt(item))
        return {"answers": answers}

Right:

    from langgraph.types import interrupt

    def review_next(state):
        item = state["items"][0]
        return {"answers": [interrupt(item)], "items": state["items"][1:]}

How to fix: one pause per run of the node: keep the position in the state and lead an edge back to the node. `--unsafe-fixes`
does that for a `for` or `while` in a node whose graph is in sight: what the loop collects travels under new keys of the state.

A note where the rounds do nothing but ask, over something that stays as it is: nothing is lost or done twice then, however often the rounds are gone
through. What is added to the loop later would be.

A function that calls itself to ask again is a loop, too, and taken apart by hand in the same way: it asks once and returns what the next question
needs, and an edge leads from its node back to it.

    from langgraph.graph import END, START, StateGraph
    from langgraph.types import interrupt

    def read_meter(state):
        answer = interrupt(state.get("again") or "What does the meter say?")
        if not str(answer).isdigit():
            return {"again": f"{answer} is no number. What does the meter say?"}
        return {"again": None, "reading": int(answer)}

    def build(schema, saver):
        builder = StateGraph(schema).add_node("read_meter", read_meter).add_edge(START, "read_meter")
        builder.add_conditional_edges("read_meter", lambda state: "read_meter" if state["again"] else END)
        return builder.compile(checkpointer=saver)

What it does not see: a loop that is left right after its first pause is fine and is not reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.sketches import asked_again_sketch
from hitl_lint.rules.telling import asks, called, chain, finding, line_of

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL304", name="interrupt-in-loop", severity=Severity.WARNING,
            summary="a pause in a loop runs all earlier rounds again for each answer", family="order", rank=30, fix="one round per run of the node (unsafe)",
            also=(Severity.ERROR, Severity.NOTE))


def check(project: "Project") -> Iterator[Finding]:
    for p in project.pausing():
        for pause in p.live:
            loop = project.loop_of(p, pause)
            if loop is None:
                continue
            if loop.severity is Severity.ERROR:
                message = (f"Answers land on the wrong items: {asks(p, pause)} is asked once per item of `{loop.shown}`, which can be different when the "
                           f"answer arrives, and answers are handed out by position{chain(loop.witness)}")
            elif loop.what == "recursion":
                direct = any(t.fn is p.info.fn for t in p.judged[pause.id].targets)
                asks_only = loop.kind == "asks"
                message = (f"{'What is added to these rounds will be done again for each answer' if asks_only else 'Each answer runs all earlier rounds again'}: "
                           f"{p.info.name}() calls itself on {line_of(project, p, pause)} to ask once more{'' if direct else f', by way of {called(pause.node)}'}, and the answer "
                           f"restarts the first of these calls from its first line{'; now they only ask, which costs nothing' if asks_only else ''}")
            elif loop.kind == "asks":
                message = (f"What is added to a round of this loop will be done again for each answer: {asks(p, pause)} stands in the {loop.what} on "
                           f"{project.line(p.path, loop.at)}, and every answer goes through the earlier rounds once more; now they only ask, which costs nothing")
            else:
                message = (f"Each answer runs all earlier rounds again: {asks(p, pause)} stands in the {loop.what} on {project.line(p.path, loop.at)}, and the answer "
                           f"restarts {p.info.name}() from its first line")
            yield finding(project, META, p, pause.node.at, message, pause=pause, witness=loop.witness or p.witness(pause), severity=loop.severity,
                          context=loop.shown, related=(project.step_at(p.path, loop.at, "calls itself here" if loop.what == "recursion" else "the loop"),),
                          help=asked_again_sketch(project, p) if loop.what == "recursion" else
                          "pause once per run of the node: keep the position in the state and lead an edge back to the node")
