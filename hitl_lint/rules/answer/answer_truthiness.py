"""The mere truth of an answer decides: "no" is a true value, and approves.

At run time: `interrupt()` returns what `Command(resume=…)` was given. `if answer:` lets every non-empty answer through: "no", "false",
{"approved": False} and a resume map with a wrong key all approve.

Wrong:

    import httpx
    from langgraph.types import interrupt

    def pay(state):
        answer = interrupt("Pay the invoice? (yes/no)")
        if answer:
            httpx.post("https://bank.example/payouts", json={"id": state["id"]})
        return {"done": True}

Right:

    import httpx
    from langgraph.types import interrupt

    def pay(state):
        answer = interrupt("Pay the invoice? (yes/no)")
        if answer == "yes":
            httpx.post("https://bank.example/payouts", json={"id": state["id"]})
        return {"done": True}

How to fix: compare with the answer that approves (`answer is True`, `answer == "yes"`), or validate it with a `response_schema`. `--fix
--unsafe-fixes` compares with the one word by which the question, or the project's resumes, say yes.

What it does not see: answers that are stored and read back from outside the graph's state. Where nothing shows that the answers are words it is only a
note: with True and False alone the test is right, and nothing is said where the project sends nothing else. Nor is it where both ways approve, one of
them with a changed text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.facts import text
from hitl_lint.finding import Confidence, Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import asks

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL604", name="answer-truthiness", severity=Severity.WARNING, also=(Severity.NOTE,), summary="the truth of an answer decides, and \"no\" is true",
            family="answer", rank=30, fix="compare with the word that is shown (unsafe)")


def check(project: "Project") -> Iterator[Finding]:
    for t in project.answers.truths():
        c, w = t.choice, t.witness
        where = c.scope.owner.dotted if c.scope.kind == "function" else c.scope.module.name
        field = f" for `{c.path[-1]}`" if c.path and c.path[-1] not in ("*", "<json>") else ""
        does = f"{t.says} (`{w.callee}()`)" if w is not None else "goes on as approved"
        if t.words:
            message = f"\"no\" approves: `{text(c.node, 40)}` is true for every answer{field} that is not empty, and the run {does}; {t.words}"
        else:
            message = f"Any answer{field} that is not empty or False approves: the truth of `{text(c.node, 40)}` decides, and the run {does}"
        related = () if c.scope is t.p.scope else (project.step_at(t.p.path, t.pause.node.at, f"{asks(t.p, t.pause)} gives the answer"),)
        yield Finding(code=META.code, name=META.name, severity=META.severity if t.words else Severity.NOTE, span=project.span(c.scope.module, c.node.at),
                      message=message, function=where, confidence=Confidence.PROVED if w is None or w.proved else Confidence.NAMED,
                      pause=project.span(t.p.info.module, t.pause.node.at), trace=project.steps(w), related=related,
                      help="compare it with what approves: `is True`, `== \"yes\"`, or let a response_schema refuse the rest",
                      context=f"{where}:{text(c.node, 60)}", family=META.family, subject=t)
