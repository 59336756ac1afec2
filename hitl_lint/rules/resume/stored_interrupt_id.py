"""An interrupt id is written down, or remembered from an earlier pause and used again after another one.

At run time: an id belongs to one question. Used later, the id of a task's first question still answers the task's next one (a second click on the
first card approves the second question), and any other old id is dropped without an error.

Wrong:

    from langgraph.types import Command

    class Cards:
        def __init__(self, graph):
            self.graph = graph
            self.ids = {}

        def start(self, thread, payload):
            result = self.graph.invoke(payload, {"configurable": {"thread_id": thread}})
            self.ids[thread] = result["__interrupt__"][0].id

        def click(self, thread, verdict):
            return self.graph.invoke(Command(resume={self.ids[thread]: verdict}), {"configurable": {"thread_id": thread}})

Right:

    from langgraph.types import Command

    class Cards:
        def __init__(self, graph):
            self.graph = graph

        def click(self, thread, card, verdict):
            config = {"configurable": {"thread_id": thread}}
            if card not in {i.id for i in self.graph.get_state(config).interrupts}:
                raise LookupError("this card was answered before")
            return self.graph.invoke(Command(resume={card: verdict}), config)

How to fix: send the id with the question, take it back with the answer, and look that it still waits.

What it does not see: ids kept in databases and sessions it cannot follow; graphs that can ask only one question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.picked import Picks
from hitl_lint.facts import text
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL408", name="stored-interrupt-id", severity=Severity.WARNING, summary="a remembered interrupt id answers the next question, or none",
            needles=(b"resume", b"Command("), family="resume", rank=25)


def check(project: "Project") -> Iterator[Finding]:
    for r in Picks(project).remembered():
        if project.is_test(r.scope.module.path):
            continue
        shown = text(r.key, 50)
        if r.kind == "literal":
            message = f"Nobody is answered in any other run: {shown} is the id of one question of one run"
        elif r.kind == "kept":
            message = (f"A second click answers the next question, or none: `{shown}` was remembered from an earlier pause, and nothing looks "
                       f"whether that question still waits")
        else:
            message = f"The next question gets this answer, or none: `{shown}` is the id of a question that has been answered before"
        related = (project.step_at(r.where.module.path, r.store.at, "remembered here" if r.kind == "kept" else "answered here"),) if r.where is not None else ()
        yield plain(project, META, r.scope, r.command.at, message, context="id", related=related,
                    help="send the id with the question, take it back with the answer, and compare it with graph.get_state(config).interrupts")
