"""Shared memory (a module global, an attribute of self, a closure variable, an object inside the state) grows before a pause.

At run time: the answer restarts the node from its first line, so the counter is counted up again and the item is appended again, once
per answer. In another process it starts from nothing. Objects inside the state are restored from the checkpoint or not, depending on timing.

Wrong:

    from langgraph.types import interrupt

    ASKED = []

    def ask(state):
        ASKED.append(state["question"])
        return {"answer": interrupt(state["question"])}

Right:

    from langgraph.types import interrupt

    def ask(state):
        answer = interrupt(state["question"])
        return {"answer": answer, "asked": [*state.get("asked", []), state["question"]]}

How to fix: keep it in the state and return it, or do it after the last pause.

What it does not see: objects reached through names that cannot be followed. Locals, and writes that are safe to repeat
(`cache[key] = value`, `seen.add(x)`), are not reported; nor is progress that `emit…` keeps for those who look on, or what only happens where a look-up
finds nothing and the record is made beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import asks, chain, finding, line_of

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL106", name="mutation-before-interrupt", severity=Severity.WARNING,
            summary="shared memory grows again each time a pause is answered", family="memory", rank=20)


def check(project: "Project") -> Iterator[Finding]:
    for p in project.pausing():
        for m in project.growths(p):
            message = (f"Every resume {m.how} {m.what} once more: `{m.target}` changes before {asks(p, m.pause)} on {line_of(project, p, m.pause)}"
                       f"{chain(m.witness)}, and the answer restarts {p.info.name}() from its first line")
            yield finding(project, META, p, m.at, message, pause=m.pause, witness=m.witness, context=m.target,
                          help="keep it in the state and return it from the node, or change it after the last pause")
