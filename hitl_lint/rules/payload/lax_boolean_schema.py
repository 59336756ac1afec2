"""A `bool` in the schema of an answer takes words for yes and no.

At run time: `interrupt(…, response_schema=…)` has pydantic read the answer, and pydantic converts: "yes", "on", "y", "t", "true" and 1 become True, "no", "off" and
0 become False. Nothing is wrong while a checkbox sends true or false. Where a person types, or a model answers, a stray "y" or "1" is an approval.

Wrong:

    from langgraph.types import interrupt
    from pydantic import BaseModel

    class Review(BaseModel):
        approved: bool

    def ask(state):
        review = interrupt("Send the offer?", response_schema=Review)
        return {"approved": review.approved}

Right:

    from langgraph.types import interrupt
    from pydantic import BaseModel, StrictBool

    class Review(BaseModel):
        approved: StrictBool

    def ask(state):
        review = interrupt("Send the offer?", response_schema=Review)
        return {"approved": review.approved}

How to fix: `StrictBool`, or `ConfigDict(strict=True)` for a model, or `Literal["approve", "reject"]`. Everything but true and false is then refused, and the question still
waits. `--fix --unsafe-fixes` writes StrictBool. (On a dataclass or TypedDict use StrictBool: a dataclass whose whole config is strict refuses dicts, too.)

What it does not see: schemas made at run time (`create_model`), and schemas passed through code it cannot follow. A dict (JSON schema) validates nothing at all. Projects
with a langgraph older than 1.2.12, which has no `response_schema`, are not reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.lax import LaxBools
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import asks, plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL603", name="lax-boolean-schema", severity=Severity.NOTE, summary="a bool in the schema of an answer takes \"yes\", \"on\" and 1 for True",
            family="schema", rank=10, fix="StrictBool (unsafe)")


def check(project: "Project") -> Iterator[Finding]:
    bools = LaxBools(project)
    told: set[int] = set()
    for p in project.pausing():
        if not project.reaches(p.path, "langgraph", (1, 2, 12)):
            continue
        for found in bools.found(p):
            if id(found.node) in told:
                continue
            told.add(id(found.node))
            where = f"`{found.cls.cls.name}.{found.field}` is a bool" if found.cls is not None else "the schema is bool"
            yield plain(project, META, found.scope, found.node.at, f"\"yes\", \"on\" and 1 count as True: {where}, and {asks(p, found.pause)} in {p.info.name}() converts the answer to it",
                        help="use pydantic's StrictBool, which takes true and false alone", context=found.field or "bool", subject=found,
                        related=(project.step_at(p.path, found.pause.node.at, "the answer is read with this schema"),))
