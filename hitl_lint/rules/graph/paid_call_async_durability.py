"""Something is paid before a pause, and the checkpoint that says so is written in the background. Off unless selected.

At run time: by default (`durability="async"`) the next node starts while the checkpoint of the one before is still being written. If the process dies then, the run has
paid and nobody knows: the next start pays again. With `durability="sync"` a step is saved before the next one begins. It costs the time of a write for each
step, so this is a choice for runs that spend money, and not a fault of the others: select it with `--extend-select HIL507`.

Wrong:

    import httpx
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    def reserve(state):
        httpx.post("https://bank.example/holds", json={"amount": state["amount"]})
        return {"held": True}

    def ask(state):
        return {"approved": interrupt("Take the money?")}

    builder = StateGraph(dict).add_node("reserve", reserve).add_node("ask", ask)
    builder.add_edge(START, "reserve").add_edge("reserve", "ask")
    graph = builder.compile(checkpointer=InMemorySaver())

    def order(amount, config):
        return graph.invoke({"amount": amount}, config)

Right:

    import httpx
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import START, StateGraph
    from langgraph.types import interrupt

    def reserve(state):
        httpx.post("https://bank.example/holds", json={"amount": state["amount"]})
        return {"held": True}

    def ask(state):
        return {"approved": interrupt("Take the money?")}

    builder = StateGraph(dict).add_node("reserve", reserve).add_node("ask", ask)
    builder.add_edge(START, "reserve").add_edge("reserve", "ask")
    graph = builder.compile(checkpointer=InMemorySaver())

    def order(amount, config):
        return graph.invoke({"amount": amount}, config, durability="sync")

How to fix: pass `durability="sync"` to the run; `--fix` does. An idempotency key made from the order closes the gap that is left, a crash inside the node.

What it does not see: tests, examples and notebooks; runs in files that know nothing of the pause, graphs behind a server, effects inside tasks, tools and nested graphs; model calls,
which cost money too; what stays on the machine (files, processes, vector stores), and the books that are kept of a run (logs, events, audits). A resume is reported only where such a node comes after one pause and before another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import chain, method_at, plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL507", name="paid-call-async-durability", severity=Severity.WARNING, summary="a crash before the pause is saved repeats what has been paid (a policy)",
            needles=(b"interrupt", b"Interrupt", b"resume", b"Command("), family="durability", rank=10, opt_in=True, fix="add durability=\"sync\" (safe)")


def check(project: "Project") -> Iterator[Finding]:
    from hitl_lint.analysis.durability import Durability

    for u in Durability(project).unsettled():
        scope = u.turn.scope
        path = scope.module.path
        if project.is_test(path) or project.is_aside(path) or not project.reaches(path, "langgraph", (0, 6)):
            continue
        does = u.witness.callee if "(" in u.witness.callee else f"{u.witness.callee}()"
        message = (f"A crash can repeat what \"{u.paid.name}\" does before \"{u.asks.name}\" pauses: it {u.witness.what} (`{does}`), and this run writes its checkpoints in the "
                   f"background{chain(u.witness)}")
        yield plain(project, META, scope, method_at(u.turn.call), message, witness=u.witness, context=f"{u.paid.name}>{u.asks.name}", subject=u,
                    help="pass durability=\"sync\", which saves each step before the next one starts")
