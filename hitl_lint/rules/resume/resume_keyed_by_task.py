"""A resume map is keyed by task ids or node names instead of interrupt ids.

At run time: LangGraph takes a dict for a map only when its keys are interrupt ids. With one pending pause the whole dict becomes the
answer, which is true whatever the human said; with several pending pauses the resume raises RuntimeError.

Wrong:

    from langgraph.types import Command

    def answer(graph, config, verdict):
        answers = {task.id: verdict for task in graph.get_state(config).tasks}
        return graph.invoke(Command(resume=answers), config)

Right:

    from langgraph.types import Command

    def answer(graph, config, verdict):
        answers = {i.id: verdict for task in graph.get_state(config).tasks for i in task.interrupts}
        return graph.invoke(Command(resume=answers), config)

How to fix: use the id of the interrupt: `{i.id: answer for i in task.interrupts}`. `--fix` does so where the task is at hand.

What it does not see: keys that come from elsewhere, such as a request body, and names of nodes written as plain strings, which may as well be
the keys of an answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import sent

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL402", name="resume-keyed-by-task", severity=Severity.ERROR,
            summary="a resume map keyed by task id or node name becomes the answer itself", needles=(b"resume", b"Command("), family="resume", rank=30,
            fix="use the interrupt's id (safe)")


def check(project: "Project") -> Iterator[Finding]:
    for c in project.resumes.commands():
        if c.resume is None:
            continue
        keys, is_map = project.resumes.map_of(c.resume, c.scope)
        for key, at, scope in keys if is_map else ():
            what = project.resumes.names_task(key, scope)
            if what is None:
                continue
            inside = c.call.at[0] <= at[0] <= c.call.at[2]
            message = (f"The whole map becomes the answer, which is true whatever the human said: its key is {what}, and only interrupt ids make "
                       f"it a map (with several pending pauses it raises RuntimeError)")
            yield sent(project, META, c, c.call.at if inside else at, message, help="key the map by interrupt: {i.id: answer for i in task.interrupts}",
                       context="task", subject=(key, scope, c))
            break
