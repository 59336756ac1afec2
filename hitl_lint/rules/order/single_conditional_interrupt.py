"""The only, or the last, pause of a function stands under a condition that does not change by itself. Nothing is wrong with it.

At run time: it works as long as the condition gives the same result when the answer arrives. It is pointed out because a later change of
the condition, or a second pause behind it, breaks the pairing of questions and answers for runs that are waiting.

Wrong:

    from langgraph.types import interrupt

    def gate(state):
        answer = "yes"
        if state["amount"] > 1000:
            answer = interrupt("Pay?")
        return {"answer": answer}

Right:

    from langgraph.types import interrupt

    def gate(state):
        return {"answer": interrupt("Pay?")}

How to fix: nothing has to be done. A conditional edge to a node that always pauses shows the choice in the graph.

What it does not see: conditions that can change (HIL301) and pauses with others behind them (HIL302) are reported by those rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import asks, finding

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL303", name="single-conditional-interrupt", severity=Severity.NOTE,
            summary="a pause under a condition: keep the condition the same while a run waits", family="order", rank=10, shown=True)


def check(project: "Project") -> Iterator[Finding]:
    for p in project.pausing():
        for pause in p.live:
            guard = project.plain_guard(p, pause)
            if guard is None:
                continue
            message = (f"Keep this condition the same while runs wait: {asks(p, pause)} is reached only when `{guard.shown}` ({project.line(p.path, guard.at)}) says so, "
                       f"and an answer to a pause that is no longer reached is dropped")
            yield finding(project, META, p, pause.node.at, message, pause=pause, witness=p.witness(pause), context=guard.shown,
                          help="fine as it is; a conditional edge to a node that always pauses would show the choice in the graph")
