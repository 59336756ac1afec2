"""The private key `__pregel_strict_resume` is put into a config.

At run time: LangGraph 1.2.20 and later read it, earlier versions ignore it without a word, and as a private name it may go at any time. Then
nothing is refused any more and nobody notices.

Wrong:

    from langgraph.types import Command

    def answer(graph, thread_id, answers):
        config = {"configurable": {"thread_id": thread_id, "__pregel_strict_resume": True}}
        return graph.invoke(Command(resume=answers), config)

Right:

    from langgraph.types import Command

    def answer(graph, thread_id, answers):
        config = {"configurable": {"thread_id": thread_id}}
        if answers.keys() - {i.id for i in graph.get_state(config).interrupts}:
            raise LookupError("this question is not waiting any more")
        return graph.invoke(Command(resume=answers), config)

How to fix: compare the ids of the answers with `graph.get_state(config).interrupts` before the resume; on an agent server pass
`strict_resume=True`.

What it does not see: keys that are put together at run time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.servers import Servers
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL410", name="private-strict-key", severity=Severity.WARNING, summary="a private key that other versions ignore without a word",
            needles=(b"__pregel_strict_resume",), family="strict", rank=20)


def check(project: "Project") -> Iterator[Finding]:
    for key, scope in Servers(project).private_keys():
        if project.is_test(scope.module.path):
            continue
        if project.reaches(scope.module.path, "langgraph", (1, 2, 20)):
            message = "Late answers are refused only as long as LangGraph keeps this name: `__pregel_strict_resume` is private, and other versions ignore it without a word"
        else:
            message = "Nothing is refused: the LangGraph of this project is older than 1.2.20 and ignores the private key `__pregel_strict_resume`"
        yield plain(project, META, scope, key.at, message, context="key",
                    help="compare the ids of the answers with graph.get_state(config).interrupts before the resume; on an agent server pass strict_resume=True")
