"""A paused run is resumed with None, which is not an answer.

At run time: `Command(resume=None)` (and `Command()`) looks to LangGraph as if no answer had been given: it raises UnboundLocalError from its
own code, and the run stays paused.

Wrong:

    from langgraph.types import Command

    def skip(graph, config):
        return graph.invoke(Command(resume=None), config)

Right:

    from langgraph.types import Command

    def skip(graph, config):
        return graph.invoke(Command(resume={"skipped": True}), config)

How to fix: send an answer that says what is meant: `{"skipped": True}`, "" or False are delivered. `--fix --unsafe-fixes` sends False in
the place of a literal None.

A parameter that is None by default is reported unless every caller in the project passes something else.

What it does not see: values that are None only because of data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import sent

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL401", name="resume-none", severity=Severity.ERROR, summary="a run is resumed with None, which raises instead",
            needles=(b"resume", b"Command("), family="resume", rank=40, fix="send False instead of a literal None (unsafe)")
HELP = "send an answer that says what is meant, for example {\"skipped\": True}; \"\", 0 and False are delivered as they are"


def check(project: "Project") -> Iterator[Finding]:
    for c in project.resumes.commands():
        if c.resume is not None:
            why = project.resumes.may_be_none(c.resume, c.scope, c.call)
            if why is None:
                continue
            message = f"The resume raises UnboundLocalError and the run stays paused: the answer is {why}, and None is no answer"
        elif not c.keywords and not c.call.args and c.run is not None:
            message = "The resume raises UnboundLocalError and the run stays paused: `Command()` carries no answer"
        else:
            continue
        yield sent(project, META, c, c.call.at, message, help=HELP, context="none", subject=c)
