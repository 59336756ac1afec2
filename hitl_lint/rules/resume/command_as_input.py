"""A `Command` with `update` or `goto` is given to a graph as input.

At run time: `goto` runs the named node at once, without the approval that is still pending, and runs it again after the answer. `update`
runs the paused node again from its top and asks the same question again; the second time it leaves the thread unreadable
(InvalidUpdateError). Only `Command(resume=…)` is meant as input.

Wrong:

    from langgraph.types import Command

    def jump(graph, config, answer):
        return graph.invoke(Command(resume=answer, goto="payment"), config)

Right:

    from langgraph.types import Command

    def jump(graph, config, answer):
        return graph.invoke(Command(resume=answer), config)

How to fix: resume with the answer alone and let a node decide where to go; change the state with `graph.update_state(config, values)`.

What it does not see: commands built in other places and passed in as parameters. A server that makes a Command of the dict that a client sends
(`Command(resume=given.get("resume"), goto=given.get("goto"))`) does as it is told and is not reported, and tests that do as the application does are left out: it is said there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.names import is_test
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import sent

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL407", name="command-as-input", severity=Severity.ERROR, summary="update or goto in a graph's input skips the approval or bricks the thread",
            needles=(b"Command(",), family="resume", rank=10)


def check(project: "Project") -> Iterator[Finding]:
    sent_so = [c for c in project.resumes.commands() if c.run is not None and c.keywords & {"update", "goto"} and not project.resumes.goes_to_start(c)
               and not project.resumes.spells_out(c)]
    told = any(not is_test(c.scope.module.path) for c in sent_so)  # tests do as the application does: it is said there
    for c in sent_so:
        if told and is_test(c.scope.module.path):
            continue
        if "goto" in c.keywords:
            message = "The target runs without the approval: `goto` in the input of a paused graph starts that node at once, and again after the answer"
        else:
            message = ("The paused node runs again from its top, and asks again unless the state says not to; a second such input makes the thread unreadable: "
                       "`update` in the input of a graph is applied to the checkpoint that waits")
        yield sent(project, META, c, c.call.at, message, context="input",
                   help="answer with Command(resume=answer) and use what interrupt() returns; a state is changed with graph.update_state(config, values)")
