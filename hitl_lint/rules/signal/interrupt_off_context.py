"""A pause happens in a thread, an executor or a task that nobody awaits, where LangGraph cannot see it.

At run time: `interrupt()` looks up the running graph in a context variable. In a pool thread there is none: RuntimeError, or, in a plain
thread, an error that nobody sees while the node goes on. In a task that is never awaited, or a future whose result nobody takes, the pause is
raised where nobody catches it, and the node finishes without an answer; so it does when a coroutine is made and never awaited.

Wrong:

    from concurrent.futures import ThreadPoolExecutor
    from langgraph.types import interrupt

    POOL = ThreadPoolExecutor()

    def ask(host):
        return interrupt({"host": host})

    def plan(state):
        return {"answers": list(POOL.map(ask, state["hosts"]))}

Right:

    from langgraph.types import interrupt

    def ask(host):
        return interrupt({"host": host})

    def plan(state):
        return {"answer": ask(state["host"])}

How to fix: pause on the node's own thread; await the task; or hand the context over (`contextvars.copy_context().run`, LangChain's
ContextThreadPoolExecutor).

What it does not see: executors behind objects that cannot be followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import chain, finding, which

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL204", name="interrupt-off-context", severity=Severity.ERROR,
            summary="a pause in a thread, an executor or a task nobody awaits is lost", family="signal", rank=30)


def check(project: "Project") -> Iterator[Finding]:
    for p in project.pausing():
        around = [o for o in project.signals.around(p.info) + project.signals.wrapped(p.info) if o.lost]
        for pause in p.pauses:
            if project.signals.closes_over(p.info, pause.node):
                continue
            found = next((o for o in project.signals.carried(p.info, p.cfg, pause) if o.lost), None)
            context = which(found.what, pause) if found is not None else ""
            if found is None and around:
                found, around = around[0], []  # a decorator is one fault, however many pauses stand under it
            if found is None:
                continue
            context = context or found.what
            if found.kind == "thread":
                message = (f"Nobody is asked: {found.what} runs the pause on a thread of its own, where LangGraph cannot catch it"
                           f"{chain(p.witness(pause))}")
                help_ = "pause on the node's own thread, or hand the context over: submit(contextvars.copy_context().run, f, …)"
            else:
                message = f"Nobody is asked: the pause happens in {found.what}, and the node finishes without it{chain(p.witness(pause))}"
                help_ = "await the task before the node returns"
            elsewhere = () if found.path == p.path and found.at == pause.node.at else (project.step_at(found.path, found.at, f"{found.what} stands here"),)
            yield finding(project, META, p, pause.node.at, message, pause=pause, witness=p.witness(pause), context=context, related=elsewhere, help=help_)
