"""A resume sends a list of decisions that is as long as it is written, whatever waits.

At run time: in batched mode HumanInTheLoopMiddleware stops once for all gated calls of a message, and wants one decision for each, in the order
of `action_requests`. With another number it raises ValueError, and the wrong answer is saved by then: every later resume raises it again, and the
thread stays stuck. In examples that ask for one call, one decision is right.

Wrong:

    from langchain.agents import create_agent
    from langchain.agents.middleware import HumanInTheLoopMiddleware
    from langgraph.types import Command

    def build(model, tools, saver):
        gate = HumanInTheLoopMiddleware(interrupt_on={"send_mail": True})
        return create_agent(model, tools=tools, middleware=[gate], checkpointer=saver)

    def approve(agent, config):
        return agent.invoke(Command(resume={"decisions": [{"type": "approve"}]}), config)

Right:

    from langchain.agents import create_agent
    from langchain.agents.middleware import HumanInTheLoopMiddleware
    from langgraph.types import Command

    def build(model, tools, saver):
        gate = HumanInTheLoopMiddleware(interrupt_on={"send_mail": True})
        return create_agent(model, tools=tools, middleware=[gate], checkpointer=saver)

    def approve(agent, config, decide):
        waiting = agent.get_state(config).interrupts
        return agent.invoke(Command(resume={i.id: {"decisions": [decide(r) for r in i.value["action_requests"]]} for i in waiting}), config)

How to fix: make one decision for each of `action_requests`. Or give the middleware `interrupt_mode="per_call"` and answer each call by the id of
its interrupt.

What it does not see: lists that come from elsewhere. Functions that count what waits, agents whose model is told to call one tool at a time, and
tests are not reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.decided import Decided
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL702", name="fixed-decision-list", severity=Severity.NOTE, summary="a fixed number of decisions for however many calls wait",
            needles=(b"resume", b"Command("), family="decisions", rank=10)


def check(project: "Project") -> Iterator[Finding]:
    candidates = {id(m) for m in project.candidates}
    for found in Decided(project).fixed():
        if project.is_test(found.scope.module.path) or id(found.scope.module) not in candidates:
            continue
        n = len(found.list.elts)
        many = "one decision is" if n == 1 else f"{n} decisions are"
        message = (f"The thread gets stuck when another number of calls waits: {many} sent, whatever the message of the model asked for; the resume then raises "
                   "ValueError, and so does every later one")
        yield plain(project, META, found.scope, found.list.at, message, context="decisions",
                    help='make one decision for each request: [decide(r) for r in i.value["action_requests"]]')
