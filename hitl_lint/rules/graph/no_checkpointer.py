"""A graph that pauses is made without a checkpointer, so the human's answer has nowhere to go.

At run time: the first call returns as if nothing were wrong, with `__interrupt__` in its result and the later nodes not run. The resume then
raises "Cannot use Command(resume=...) without checkpointer", and what was done so far is lost.

Wrong:

    from langgraph.graph import START, StateGraph
    from langgraph.types import Command, interrupt

    def sign(state):
        return {"signed": interrupt("Sign it?")}

    graph = StateGraph(dict).add_node("sign", sign).add_edge(START, "sign").compile()

    def finish(thread, answer):
        return graph.invoke(Command(resume=answer), {"configurable": {"thread_id": thread}})

Right:

    from langgraph.graph import START, StateGraph
    from langgraph.types import Command, interrupt

    def sign(state):
        return {"signed": interrupt("Sign it?")}

    builder = StateGraph(dict).add_node("sign", sign).add_edge(START, "sign")

    def make_app(saver):
        return builder.compile(checkpointer=saver)

How to fix: pass a checkpointer (`InMemorySaver()` for a try, a database saver where runs must survive a restart) and a thread_id in the
config. `--fix --unsafe-fixes` passes `InMemorySaver()` where the runs name a thread.

What it does not see: a graph whose run is not seen. Graphs named in langgraph.json (the server saves for them), nested graphs (the parent's
checkpointer is theirs), and graphs handed to an adapter that cannot be followed are not reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.facts import text
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import method_at, plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL501", name="no-checkpointer", severity=Severity.ERROR,
            summary="a graph that pauses is run without a checkpointer: it cannot be resumed", family="graph", rank=40, fix="pass a checkpointer (unsafe)")


def check(project: "Project") -> Iterator[Finding]:
    for found in project.savers.missing():
        made, run = found.compile, found.run
        entry = found.graph.kind == "entrypoint"
        at = made.call.at if entry else method_at(made.call)
        shown = f"@{text(made.call.func, 30)}(…)" if entry else f"{getattr(made.call.func, 'attr', None) or text(made.call.func, 40)}(…)"
        first = project.step_at(run.scope.module.path, run.call.at, "here it is resumed" if found.resumed else "here it is run")
        where = project.line(run.scope.module, run.call.at) + ("" if first.span.path == made.scope.module.path else f" of {first.span.path}")
        if found.resumed:
            message = f"The answer is refused: the resume on {where} raises RuntimeError, because {shown} gets no checkpointer and the pause is not saved"
        else:
            message = f"Nobody can ever answer: the run on {where} stops at the pause, and {shown} gets no checkpointer to continue from"
        yield plain(project, META, made.scope, at, message, witness=None, context="compile", subject=found, related=(first, *project.steps(found.pause)[-1:]),
                    help="pass a checkpointer, and a thread_id in the config of every run:\n"
                         "    from langgraph.checkpoint.memory import InMemorySaver\n"
                         f"    {shown.replace('(…)', '')}(…, checkpointer=InMemorySaver())  # a database saver in production")
