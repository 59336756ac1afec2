"""A graph that pauses in `interrupt()` is continued with `invoke(None)`.

At run time: None is the way to go on from a static breakpoint or after a crash. With a question pending it runs the paused node again from its
top, and where the node has already been given an answer, that answer is delivered to its next question too: a second approval that nobody gave.
So it does when the answer is given beside the None: `command={"resume": …}` is how a client of a LangGraph server sends it, and a graph of one's own
ignores the argument.

Wrong:

    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    def sign_off(state):
        return {"qa": interrupt("QA?"), "prod": interrupt("Production?")}

    def build(saver):
        return StateGraph(dict).add_node("sign_off", sign_off).add_edge(START, "sign_off").compile(checkpointer=saver)

    def keep_going(graph, config):
        return graph.invoke(None, config)

Right:

    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    def sign_off(state):
        return {"qa": interrupt("QA?"), "prod": interrupt("Production?")}

    def build(saver):
        return StateGraph(dict).add_node("sign_off", sign_off).add_edge(START, "sign_off").compile(checkpointer=saver)

    def keep_going(graph, config):
        if graph.get_state(config).interrupts:
            return None
        return graph.invoke(None, config)

How to fix: answer with `Command(resume=…)`; continue with None only after a look that nothing is pending. A look that lets
through only what waits (`if not state.interrupts: raise`) is none.

What it does not see: graphs with static breakpoints beside their pauses, functions that say they recover from a crash, and what happens after
`update_state`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.continued import Continued
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import method_at, plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL413", name="invoke-none-on-interrupt", severity=Severity.ERROR, summary="invoke(None) gives the last answer to the next question",
            family="thread", rank=30)


def check(project: "Project") -> Iterator[Finding]:
    for turn, pause, lost in Continued(project).with_none():
        message = (f"The answer never arrives, and the question is asked again: {turn.call.func.attr}(None, …) takes no `{lost}` and says nothing about it"  # type: ignore[attr-defined]
                   if lost else "The next question gets the last answer, or the paused node runs again for nothing: this graph pauses in interrupt(), "
                   f"and {turn.call.func.attr}(None) is no answer to it")  # type: ignore[attr-defined]
        yield plain(project, META, turn.scope, method_at(turn.call), message, context="none", related=project.steps(pause)[-1:],
                    help="answer with Command(resume=…); before going on with None, look that graph.get_state(config).interrupts is empty")
