"""A run on an agent server is resumed without `strict_resume=True`.

At run time: without it the server takes an answer to a question that is not waiting any more. A second click on the same card is dropped in
silence, or answers the next question. With it such a resume is refused (langgraph-sdk 0.4.14 and later, on servers that report it). The rule rests
on the SDK's signature and documentation and on the same resume without a server, where a double click answered two questions; the server itself
was not run.

Wrong:

    from langgraph_sdk import get_client

    client = get_client()

    async def approve(thread_id, interrupt_id):
        return await client.runs.wait(thread_id, "agent", command={"resume": {interrupt_id: "approve"}})

Right:

    from langgraph_sdk import get_client

    client = get_client()

    async def approve(thread_id, interrupt_id):
        return await client.runs.wait(thread_id, "agent", command={"resume": {interrupt_id: "approve"}}, strict_resume=True)

How to fix: pass `strict_resume=True`, and answer by interrupt id. `--fix` adds the argument.

What it does not see: commands that come from elsewhere and arguments passed with `**`. Projects whose langgraph-sdk is older than 0.4.14 are
not reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.servers import Servers
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import method_at, plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL409", name="resume-not-strict", severity=Severity.NOTE, summary="a server takes an answer to a question that is not waiting any more",
            needles=(b"resume",), family="strict", rank=10, fix="add strict_resume=True (safe)")


def check(project: "Project") -> Iterator[Finding]:
    for run in Servers(project).resumes():
        if project.is_test(run.scope.module.path):
            continue
        if any(a.name == "strict_resume" or a.star == 2 for a in run.call.args) or not project.reaches(run.scope.module.path, "langgraph-sdk", (0, 4, 14)):
            continue
        yield plain(project, META, run.scope, method_at(run.call), "A late or repeated click is dropped in silence or answers the next question: this resume does not say strict_resume=True",
                    context="strict", subject=run, help="pass strict_resume=True; the server then refuses an answer to a question that is not waiting (langgraph-sdk 0.4.14 or later)")
