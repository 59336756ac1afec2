"""Chunks of a nested graph's stream are kept above a pause; when the answer comes, the stream gives none.

At run time: the answer starts the node again, but a nested graph that has finished is not run again: it is restored. `invoke` then returns its
result as before, while `stream` has nothing left to tell: no chunk at all, or with `stream_mode="values"` only the final state. A list of chunks
is empty the second time, and the name of the last chunk is not bound (UnboundLocalError).

Wrong:

    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.types import interrupt

    research = StateGraph(MessagesState).add_node("look", lambda s: {"messages": ["found"]}).add_edge(START, "look").compile()

    def report(state):
        parts = []
        for chunk in research.stream({"messages": []}):
            parts.append(chunk)
        ok = interrupt({"parts": len(parts)})
        return {"messages": parts if ok else []}

    graph = StateGraph(MessagesState).add_node("report", report)

Right:

    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.types import interrupt

    research = StateGraph(MessagesState).add_node("look", lambda s: {"messages": ["found"]}).add_edge(START, "look").compile()

    def report(state):
        found = research.invoke({"messages": []})
        ok = interrupt({"messages": len(found["messages"])})
        return {"messages": found["messages"] if ok else []}

    graph = StateGraph(MessagesState).add_node("report", report)

How to fix: use `invoke`, whose result is restored; or put the stream and what it gathers into a node of its own, or into a `@task`.

What it does not see: streams that a helper reads, and `astream_events`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.streams import Streams
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import asks, callee, finding, line_of

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL108", name="nested-stream-empty-on-replay", severity=Severity.WARNING,
            summary="the stream of a nested graph gives no chunks when a pause after it is answered", family="replay", rank=10)


def check(project: "Project") -> Iterator[Finding]:
    streams = Streams(project)
    for p in project.pausing():
        for e in streams.emptied(p):
            kept = f"`{e.kept}` is " if e.kept else "what is made of them is "
            lost = "short then" if e.values else "empty then" if e.gathered else "not set then"
            gives = "only the final state" if e.values else "no chunks"
            message = (f"What was gathered is gone when the answer comes: {callee(e.call)} gives {gives} when {asks(p, e.pause)} on {line_of(project, p, e.pause)} is answered, "
                       f"because the finished graph is restored and not run again; {kept}{lost}")
            yield finding(project, META, p, e.call.at, message, pause=e.pause, context=callee(e.call),
                          help="use invoke(…), whose result is restored, or read the stream in a node of its own (or a @task) before this one")
