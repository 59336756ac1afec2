"""One answer is sent to a graph in which several questions can wait at once.

At run time: with several pauses pending, `Command(resume=answer)` raises "When there are multiple pending interrupts, you must specify the
interrupt id when resuming", and nobody's question is answered.

Wrong:

    from langgraph.graph import START, StateGraph
    from langgraph.types import Command, interrupt

    def legal(state):
        return {"legal": interrupt("Legal?")}

    def finance(state):
        return {"finance": interrupt("Finance?")}

    def build(saver):
        g = StateGraph(dict).add_node("legal", legal).add_node("finance", finance)
        g.add_edge(START, "legal").add_edge(START, "finance")
        return g.compile(checkpointer=saver)

    def answer(graph, config, text: str):
        return graph.invoke(Command(resume=text), config)

Right:

    from langgraph.graph import START, StateGraph
    from langgraph.types import Command, interrupt

    def legal(state):
        return {"legal": interrupt("Legal?")}

    def finance(state):
        return {"finance": interrupt("Finance?")}

    def build(saver):
        g = StateGraph(dict).add_node("legal", legal).add_node("finance", finance)
        g.add_edge(START, "legal").add_edge(START, "finance")
        return g.compile(checkpointer=saver)

    def answer(graph, config, ask):
        waiting = graph.get_state(config).interrupts
        return graph.invoke(Command(resume={i.id: ask(i.value) for i in waiting}), config)

How to fix: answer by id: `Command(resume={i.id: answer for i in …})`.

What it does not see: answers whose kind cannot be told (they may be maps already), functions that look how many questions wait, and several
tools of one agent that pause, which only the model puts side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.sent import SentValues
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL405", name="ambiguous-resume", severity=Severity.WARNING, summary="one answer for several questions that wait at once raises",
            needles=(b"resume", b"Command("), family="resume", rank=15)


def check(project: "Project") -> Iterator[Finding]:
    values = SentValues(project)
    for turn in project.turns.all():
        graph = project.turns.graph(turn) if turn.commands else None
        several = project.pending.several(graph) if graph is not None else None
        if several is None or project.is_test(turn.scope.module.path) or values.counted(turn.scope):
            continue
        for command, scope in turn.commands:
            resume = next((a.value for a in command.args if a.name == "resume"), None)
            if resume is None or not values.single(resume, scope) or values.counted(scope):
                continue
            message = f"The resume raises RuntimeError and nobody is answered: {several.shown}, so several questions wait, and one answer does not say which it is for"
            yield plain(project, META, scope, command.at, message, context="single",
                        related=(project.step_at(several.scope.module.path, several.call.at, "several questions wait from here on"),),
                        help="answer by id: Command(resume={i.id: … for i in graph.get_state(config).interrupts})")
