"""Whether a tool call is reviewed depends on something that can change before the answer arrives.

At run time: the `when` predicate of an `interrupt_on` entry is asked before the pause and again with the answer. If it says False then, the
reviewer's decision is skipped and the tool runs, even if they rejected it. If it flips for one of several calls, the decisions no longer fit the
calls and the resume raises ValueError, with the answer already saved. Clocks, random numbers, models and memory that the process changes are
errors; what is read from a database, the store, a file or the network a warning; the environment, which changes only with the process, a note.

Wrong:

    from datetime import datetime

    from langchain.agents.middleware import HumanInTheLoopMiddleware

    def at_night(request) -> bool:
        return datetime.now().hour >= 20

    gate = HumanInTheLoopMiddleware(interrupt_on={"wipe_disk": {"allowed_decisions": ["approve", "reject"], "when": at_night}})

Right:

    from langchain.agents.middleware import HumanInTheLoopMiddleware

    def is_production(request) -> bool:
        return request.tool_call["args"]["host"].startswith("prod-")

    gate = HumanInTheLoopMiddleware(interrupt_on={"wipe_disk": {"allowed_decisions": ["approve", "reject"], "when": is_production}})

How to fix: decide by the arguments of the call or by the state. What must be read from outside is read in an earlier step and kept in the state.

What it does not see: predicates that cannot be followed, and state that another run of the same thread changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.facts import text
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import callee, chain, plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL701", name="unstable-when-predicate", severity=Severity.ERROR,
            summary="whether a call is reviewed can change before the answer: a rejected tool runs",
            needles=(b"interrupt", b"Interrupt", b"HumanInTheLoop"), family="gate", rank=30, also=(Severity.WARNING, Severity.NOTE))

MADE = {"model": "what a model answers", "unstable": "a value that changes", "effect": "the result of a call", "read": "something read from outside",
        "memory": "memory that other runs change", "environment": "the environment of the process"}
SEVERITY = {"read": Severity.WARNING, "environment": Severity.NOTE}


def check(project: "Project") -> Iterator[Finding]:
    if not project.gates.all():
        return
    from hitl_lint.analysis.predicates import Predicates

    candidates = {id(m) for m in project.candidates}
    for found in Predicates(project).unsteady():
        when = found.entry.fields["when"]
        inside = project.names.scope(found.info)
        here = id(inside.module) in candidates
        name = found.info.cls.cls.name if found.info.name == "__call__" and found.info.cls is not None else f"{found.info.name}()"
        named = f"the `when` of {found.entry.shown}" if name == "<lambda>()" else f"{name}, the `when` of {found.entry.shown},"
        shown = callee(found.node) if found.kind != "memory" else f"`{text(found.node, 44)}`"
        message = (f"A rejected tool call can run all the same: {named} depends on {MADE[found.kind]} ({shown}{chain(found.witness)}), and it is asked again "
                   "with the answer; if it then says False, the answer is skipped")
        yield plain(project, META, inside if here else when.scope, found.node.at if here else when.value.at, message, witness=found.witness,
                    severity=SEVERITY.get(found.kind, META.severity), context=f"when:{text(found.node, 60)}",
                    related=(project.step_at(when.scope.module.path, when.value.at, "this decides whether the call is reviewed"),),
                    help="decide by the arguments of the call (request.tool_call[\"args\"]) or by the state, which are the same on resume")
