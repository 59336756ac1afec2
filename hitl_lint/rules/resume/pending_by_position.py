"""A pending question is picked by its place in the list, where several can be pending.

At run time: questions of parallel branches come in the order in which their nodes reached the pause, which differs from run to run. The first
one is any of them: the human sees one question and the answer is delivered to another, or answers are swapped.

Wrong:

    from langgraph.types import Command

    def answer_all(graph, payload, config, answers):
        result = graph.invoke(payload, config)
        return graph.invoke(Command(resume={i.id: a for i, a in zip(result["__interrupt__"], answers)}), config)

Right:

    from langgraph.types import Command

    def answer_all(graph, payload, config, ask):
        result = graph.invoke(payload, config)
        return graph.invoke(Command(resume={i.id: ask(i.value) for i in result["__interrupt__"]}), config)

How to fix: go over all of them and answer by id: `{i.id: answer for i in …}`; give the id to the client with the question and take it back with
the answer.

A note where only one question can be pending (once a function, and not in examples and notebooks), a warning where several can. Who shows the
question that was picked and answers that one by its id, goes through all tasks, or counts how many wait, is not reported.

What it does not see: positions in graphs that cannot be told from the call (zipping is reported there, too), and several tools of one agent that
pause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.picked import Picks
from hitl_lint.analysis.sent import SentValues
from hitl_lint.facts import text
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL406", name="pending-by-position", severity=Severity.WARNING, summary="a pending question picked by its place may be another one",
            family="resume", rank=12, also=(Severity.NOTE,))


def check(project: "Project") -> Iterator[Finding]:
    values = SentValues(project)
    noted: set[int] = set()
    for p in Picks(project).by_position():
        graph = p.graph
        several = project.pending.several(graph) if graph is not None else None
        if project.is_test(p.scope.module.path) or p.shown or (graph is None and p.how != "zip"):
            continue
        shown = text(p.node, 50)
        severity = Severity.WARNING
        if several is not None or graph is None or graph.open or graph.kind in ("agent", "react", "supervisor"):
            if several is None and p.how != "zip":
                continue
            if several is not None and p.how != "zip" and not p.key and values.counted(p.scope):
                continue
            why = f"{several.shown}, and they come" if several is not None else "several questions come"
            message = f"The answer may go to another question: `{shown}` goes by the place in the list, and {why} in the order in which their nodes got there"
        else:
            if project.graphs.pause_in(graph) is None:
                continue
            if id(p.scope) in noted or not p.key and (project.is_aside(p.scope.module.path) or values.counted(p.scope)):
                continue
            noted.add(id(p.scope))  # one note says it for the function
            severity = Severity.NOTE
            message = f"Right only as long as one question waits at a time: `{shown}` goes by the place in the list, and of two it takes any"
        related = (project.step_at(several.scope.module.path, several.call.at, "several questions wait from here on"),) if several is not None else ()
        yield plain(project, META, p.scope, p.at, message, severity=severity, context="position", related=related,
                    help="go over all of them and answer by id: Command(resume={i.id: … for i in …})")
