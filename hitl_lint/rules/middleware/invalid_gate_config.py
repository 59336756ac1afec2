"""An entry of `interrupt_on` has a word that langchain does not know, so the tool is not reviewed as it says.

At run time: without a list of `allowed_decisions` (left out, empty, or under a misspelt key) making the middleware raises ValueError; older
versions dropped the entry without a word, and the tool ran unreviewed. A decision that does not exist is offered to the reviewer and refused with
ValueError when it is sent (with `interrupt_mode="per_call"`: KeyError at the first call of the tool). A misspelt `when` is not read, so every call
waits. An entry for a tool that the agent does not have gates nothing.

Wrong:

    from langchain.agents.middleware import HumanInTheLoopMiddleware

    gate = HumanInTheLoopMiddleware(interrupt_on={"send_invoice": {"allowed_decision": ["approve", "reject"]}})

Right:

    from langchain.agents.middleware import HumanInTheLoopMiddleware

    gate = HumanInTheLoopMiddleware(interrupt_on={"send_invoice": {"allowed_decisions": ["approve", "reject"]}})

How to fix: the keys are `allowed_decisions`, `description`, `args_schema` and `when`; the decisions "approve", "edit", "reject" and "respond".
`--fix` corrects the word where it is clear what was meant.

What it does not see: tables that are read from a file or built where they cannot be followed, and additional keys that are not like any that
exists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL703", name="invalid-gate-config", severity=Severity.ERROR, summary="an entry of `interrupt_on` that langchain refuses, drops or does not read",
            needles=(b"interrupt", b"Interrupt", b"HumanInTheLoop"), family="gate", rank=40, fix="correct the word where it is clear (safe)")


def check(project: "Project") -> Iterator[Finding]:
    if not project.gates.all():
        return
    from hitl_lint.analysis.gate_faults import GateFaults

    candidates = {id(m) for m in project.candidates}
    for found in GateFaults(project).found():
        if id(found.scope.module) in candidates:
            yield plain(project, META, found.scope, found.at, found.faults[0].what, context=found.shown, subject=found, help=found.faults[0].help)
