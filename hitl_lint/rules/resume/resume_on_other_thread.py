"""A run is resumed on a thread that was made on the spot, or that has no name.

At run time: nothing waits on a fresh thread, so the answer goes nowhere: the graph runs from START with an empty state and pauses again,
without an error. The next late answer then approves that empty run. A thread_id of None or "" is accepted and shared by everybody.

Wrong:

    import uuid

    from langgraph.types import Command

    def answer(graph, text):
        config = {"configurable": {"thread_id": str(uuid.uuid4())}}
        return graph.invoke(Command(resume=text), config)

Right:

    from langgraph.types import Command

    def answer(graph, thread_id, text):
        config = {"configurable": {"thread_id": thread_id}}
        return graph.invoke(Command(resume=text), config)

How to fix: give the thread_id of the run that pauses to whoever answers, and take it back with the answer.

What it does not see: thread ids that come from parameters, sessions and databases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.configs import Configs
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import method_at, plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL411", name="resume-on-other-thread", severity=Severity.ERROR, summary="the answer goes to a thread on which nothing waits",
            needles=(b"resume", b"Command("), family="thread", rank=20)


def check(project: "Project") -> Iterator[Finding]:
    configs = Configs(project)
    for turn in project.turns.all():
        if not turn.resumes or turn.config is None:
            continue
        made = configs.fresh_thread(turn)
        if made is not None:
            message = (f"The answer goes nowhere: `{made.shown}` makes a new thread on which nothing waits, so the graph runs from its start with an "
                       f"empty state and asks again")
        else:
            made = configs.no_thread(turn)
            if made is None:
                continue
            message = (f"Everybody's answers go to the same thread: a thread_id of {made.shown} is accepted as if it were a name, so one user's answer "
                       f"continues another one's run")
        related = (project.step_at(made.scope.module.path, made.node.at, "the thread is named here"),)
        yield plain(project, META, turn.scope, method_at(turn.call), message, context="thread", related=related,
                    help="resume with the thread_id of the run that paused: hand it out with the question and take it back with the answer")
