"""Two tools that pause share one task, and which of them gets which answer depends on their timing.

At run time: a bare `ToolNode` (and `create_react_agent(version="v1")`, and `RunnableParallel`) runs all calls of a message at the same time in one
task with one list of answers. One question is shown at a time; with the first tool slow the answers are swapped every time.

Wrong:

    from langchain_core.tools import tool
    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode
    from langgraph.types import interrupt

    @tool
    def stop_pump(pump: str) -> str:
        \"\"\"Stop a pump.\"\"\"
        return f"{pump}: {interrupt({'stop': pump})}"

    @tool
    def open_valve(valve: str) -> str:
        \"\"\"Open a valve.\"\"\"
        return f"{valve}: {interrupt({'open': valve})}"

    graph = StateGraph(MessagesState).add_node("tools", ToolNode([stop_pump, open_valve])).add_edge(START, "tools")

Right:

    from langchain_core.tools import tool
    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode
    from langgraph.types import Send, interrupt

    @tool
    def stop_pump(pump: str) -> str:
        \"\"\"Stop a pump.\"\"\"
        return f"{pump}: {interrupt({'stop': pump})}"

    @tool
    def open_valve(valve: str) -> str:
        \"\"\"Open a valve.\"\"\"
        return f"{valve}: {interrupt({'open': valve})}"

    def each_by_itself(state):
        return [Send("tools", [call]) for call in state["messages"][-1].tool_calls]

    graph = StateGraph(MessagesState).add_node("tools", ToolNode([stop_pump, open_valve]))
    graph.add_conditional_edges(START, each_by_itself, ["tools"])

How to fix: give each call a task of its own, with `create_agent` or `Send`, or let the model ask for one tool at a time.

What it does not see: tools that cannot be followed. A note where only one tool pauses: one message may call it twice; tools that one factory makes are several.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.facts import text
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import chain, finding

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL305", name="parallel-tool-interrupts", severity=Severity.WARNING, also=(Severity.NOTE,),
            summary="tools that pause in one task: answers can be swapped", family="parallel", rank=10)


def check(project: "Project") -> Iterator[Finding]:
    told: set[int] = set()
    for box in sorted([*project.toolboxes.boxes(), *project.toolboxes.parallel()], key=lambda b: -len(b.pausing)):
        where = project.step_at(box.tools.scope.module.path, box.tools.call.at, f"this {box.kind} runs them in one task")
        for info in box.pausing:
            p = project.pausing_of(info)
            if p is None or id(info.fn) in told:
                continue
            told.add(id(info.fn))
            pause = p.pauses[0]
            others = [f.name for f in box.pausing if f is not info]
            if others:
                message = (f"Answers can be swapped: {info.name}() and {others[0]}() pause in one {box.kind}, which runs them at the same time with one list of "
                           f"answers{chain(p.witness(pause))}")
            elif copies := box.copies(project, info):
                first, second = (text(c, 40) for c in copies[:2])
                message = (f"Answers can be swapped: `{first}` and `{second}` pause in one {box.kind}, which runs them at the same time with one list of answers"
                           f"{chain(p.witness(pause))}")
                others = [second]
            else:
                message = (f"When one message calls {info.name}() twice, the two answers can be swapped: one {box.kind} runs both calls at the same time with one "
                           f"list of answers{chain(p.witness(pause))}")
            yield finding(project, META, p, pause.node.at, message, pause=pause, witness=p.witness(pause), severity=None if others else Severity.NOTE,
                          context=others[0] if others else "", related=(where,), help=HELP[box.kind == "RunnableParallel"])


HELP = ("give each tool call a task of its own: `create_agent`, or a router that returns [Send(\"tools\", [call]) for call in message.tool_calls];\n"
        "or let the model ask for one tool at a time: bind_tools(tools, parallel_tool_calls=False)",
        "ask in nodes of their own (parallel branches of the graph have separate lists of answers), or one after the other")
