"""A tool changes something outside, and runs again because another tool of the same message pauses.

At run time: a bare `ToolNode` (and `create_react_agent(version="v1")`) runs all tool calls of a message in one task. When one of them pauses,
the others have already done their work; the answer starts the whole task again, and they do it once more: charged twice.

Wrong:

    import httpx
    from langchain_core.tools import tool
    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode
    from langgraph.types import interrupt

    @tool
    def charge(customer: str) -> str:
        \"\"\"Charge the deposit.\"\"\"
        httpx.post("https://pay.example/deposits", json={"customer": customer})
        return "charged"

    @tool
    def ask_manager(question: str) -> str:
        \"\"\"Ask the manager.\"\"\"
        return interrupt(question)

    graph = StateGraph(MessagesState).add_node("tools", ToolNode([charge, ask_manager])).add_edge(START, "tools")

Right:

    import httpx
    from langchain.agents import create_agent
    from langchain_core.tools import tool
    from langgraph.types import interrupt

    @tool
    def charge(customer: str) -> str:
        \"\"\"Charge the deposit.\"\"\"
        httpx.post("https://pay.example/deposits", json={"customer": customer})
        return "charged"

    @tool
    def ask_manager(question: str) -> str:
        \"\"\"Ask the manager.\"\"\"
        return interrupt(question)

    def make_agent(model, saver):
        return create_agent(model, [charge, ask_manager], checkpointer=saver)

How to fix: give each call a task of its own, with `create_agent`, or with a router that returns `[Send("tools", [call]) for call in calls]`; or let the
model ask for one tool at a time (`bind_tools(tools, parallel_tool_calls=False)`).

What it does not see: tools that cannot be followed. A file that is only overwritten with the same content is a note: what somebody has changed in it
while the question waited is lost. A note where only one tool pauses and then acts: it repeats only when one message calls it twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.facts import text
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import callee, chain, plain, the_file

if TYPE_CHECKING:
    from hitl_lint.analysis.effects import Witness
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL107", name="sibling-tool-runs-again", severity=Severity.ERROR, also=(Severity.NOTE,),
            summary="a tool's effect is repeated because another tool of the same message pauses", family="replay", rank=35)


def check(project: "Project") -> Iterator[Finding]:
    for t in project.toolboxes.twice():
        box, w = t.box, t.witness
        copies = box.copies(project, t.tool) if t.own and len(box.pausing) == 1 else []
        alone = t.own and len(box.pausing) == 1 and not copies
        other = t.tool if alone or copies else next(f for f in box.pausing if f is not t.tool)
        where = project.step_at(box.tools.scope.module.path, box.tools.call.at, f"this {box.kind} runs all calls of a message in one task")
        if alone:
            comes = f"makes the first call {_again(w.what)}" if not w.overwrites else f"overwrites what was changed in {the_file(w)} since the first call"
            message = (f"When one message calls {t.tool.name}() twice, the second question {comes}: {callee(t.call)}{chain(w)} stands "
                       f"after its pause, and one {box.kind} runs both in one task")
        elif copies:
            # The tool whose own function is in the chain is the one that has run; any other copy is the one that asks.
            told = " ".join(link.text for link in w.links)
            ran = next((c for c in copies if any(f"calls {text(a.value, 40)}()" in told for a in c.args)), copies[0])
            first, second = text(ran, 40), text(next(c for c in copies if c is not ran), 40)
            message = (f"Answering `{second}` {_comes(w)}: {callee(t.call)}{chain(w)} of `{first}` has already run when the other pauses in the same message, and "
                       f"the answer runs all its tool calls once more")
        else:
            message = (f"Answering {other.name}() {_comes(w)}: {callee(t.call)} in {t.tool.name}(){chain(w)} has already run when {other.name}() pauses in the same "
                       f"message, and the answer runs all its tool calls once more")
        yield plain(project, META, project.names.scope(t.tool), t.call.at, message, witness=w, severity=Severity.NOTE if alone or w.overwrites else META.severity,
                    context=callee(t.call), related=(where,),
                    help="give each tool call a task of its own: `create_agent`, or a router that returns [Send(\"tools\", [call]) for call in message.tool_calls];\n"
                         "or let the model ask for one tool at a time: bind_tools(tools, parallel_tool_calls=False)")


def _comes(w: "Witness") -> str:
    return f"overwrites whatever was changed in {the_file(w)} while it waited" if w.overwrites else f"{w.what} again"


def _again(what: str) -> str:
    """"sends an HTTP POST" as in "makes it …": the first word without its s."""
    first, _, rest = what.partition(" ")
    base = {"does": "do", "publishes": "publish", "pushes": "push"}.get(first, first[:-1] if first.endswith("s") else first)
    return f"{base} {rest} again".replace("  ", " ")
