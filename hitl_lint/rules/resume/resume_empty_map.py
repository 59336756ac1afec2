"""A run is resumed with an empty dict, which LangGraph takes for a map without answers.

At run time: nothing is delivered and nothing is raised; the same question is asked again.

Wrong:

    from langgraph.types import Command

    def acknowledge(graph, config):
        return graph.invoke(Command(resume={}), config)

Right:

    from langgraph.types import Command

    def acknowledge(graph, config):
        return graph.invoke(Command(resume={"acknowledged": True}), config)

How to fix: put something into the answer; an empty dict can only be delivered as `{interrupt_id: {}}`.

A dict that is written empty for one of two cases (`{} if keys is None else {"keys": keys}`) is reported, too.

What it does not see: dicts that are empty only because of data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import sent

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL403", name="resume-empty-map", severity=Severity.ERROR, summary="an empty dict is no answer: the same question is asked again",
            needles=(b"resume", b"Command("), family="resume", rank=20)


def check(project: "Project") -> Iterator[Finding]:
    for c in project.resumes.commands():
        if c.resume is not None and project.resumes.is_empty_map(c.resume, c.scope) and not project.resumes.only_breakpoints(c):
            yield sent(project, META, c, c.call.at, "The same question is asked again: an empty dict is taken for a map without answers, so nothing is delivered",
                       help="put something into the answer, for example {\"acknowledged\": True}", context="empty")
        elif c.resume is not None and (missing := project.resumes.left_out(c.resume, c.scope)) is not None and not project.resumes.only_breakpoints(c):
            yield sent(project, META, c, c.call.at, f"A request without `{missing[0]}` has the same question asked again: {missing[1]} is an empty dict then, which is taken "
                       "for a map without answers", help=f"require `{missing[0]}`, or let its default be an answer", context="left out")
