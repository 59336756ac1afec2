"""Answers to several questions are sent as one list.

At run time: `Command(resume=[a, b])` is one answer. The first `interrupt()` returns the whole list, and the second question is asked as if
nobody had answered it.

Wrong:

    from langgraph.graph import START, StateGraph
    from langgraph.types import Command, interrupt

    def intake(state):
        return {"name": interrupt("Name?"), "city": interrupt("City?")}

    def build(saver):
        return StateGraph(dict).add_node("intake", intake).add_edge(START, "intake").compile(checkpointer=saver)

    def submit(graph, config, name, city):
        return graph.invoke(Command(resume=[name, city]), config)

Right:

    from langgraph.graph import START, StateGraph
    from langgraph.types import Command, interrupt

    def intake(state):
        form = interrupt({"fields": ["name", "city"]})
        return {"name": form["name"], "city": form["city"]}

    def build(saver):
        return StateGraph(dict).add_node("intake", intake).add_edge(START, "intake").compile(checkpointer=saver)

    def submit(graph, config, name, city):
        return graph.invoke(Command(resume={"name": name, "city": city}), config)

How to fix: ask one question that has all the fields, or send one answer per question and look after each what is asked next.

What it does not see: lists that come from elsewhere, and graphs that cannot be told from the call. A graph in which some answer is taken for
a list is not reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.sent import SentValues
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL404", name="resume-list", severity=Severity.WARNING, summary="a list is one answer: the first question gets all of it",
            needles=(b"resume", b"Command("), family="resume", rank=18)


def check(project: "Project") -> Iterator[Finding]:
    values = SentValues(project)
    for turn in project.turns.all():
        graph = project.turns.graph(turn) if turn.commands else None
        if graph is None or project.is_test(turn.scope.module.path):
            continue
        for command, scope in turn.commands:
            resume = next((a.value for a in command.args if a.name == "resume"), None)
            given = values.listed(resume, scope)
            if given is None:
                continue
            found = next(iter(project.pending.sequences(graph)), None)
            if found is None or any(project.pending.wants_list(p) for p in project.pending.asking(graph)):
                continue
            p, first, later = found
            again = first is later
            message = (f"The first question gets the whole list as its answer and the next one is asked again: {p.info.name}() asks "
                       f"{'again and again' if again else 'one question after the other'}, and every resume answers one of them")
            yield plain(project, META, scope, command.at, message, context="list", related=(
                project.step_at(p.path, first.node.at, "this question gets the whole list"),
                *(() if again else (project.step_at(p.path, later.node.at, "this one is asked as if nothing had been sent"),))),
                        help="ask one question with all the fields, interrupt({\"fields\": [...]}), or send one answer for each question")
