"""A credential is shown to whoever answers, and stays in the checkpoint.

At run time: the payload goes to every client that shows the question, and into the checkpointer's database as it is, where it still lies after the run has ended. A
`SecretStr` does not help: the serializer writes what is in it.

Wrong:

    import os
    from langgraph.types import interrupt

    def review(state):
        call = {"url": state["url"], "api_key": os.environ["CRM_API_KEY"]}
        return {"approved": interrupt({"ask": "Send this request?", "request": call})}

Right:

    from langgraph.types import interrupt

    def review(state):
        call = {"url": state["url"], "account": state["account"]}
        return {"approved": interrupt({"ask": "Send this request?", "request": call})}

How to fix: show what the decision needs, and read the credential after the pause, where it is used. Whole objects (a user, the settings, the state) are shown with everything
in them: name the fields.

What it does not see: credentials under names that do not say so, objects whose class it cannot follow, arguments of tool calls. A name is all the evidence there is. The whole
state is a note where none of its keys is a credential.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.secrets import Secret, Secrets
from hitl_lint.facts import text
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import piece_finding

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL601", name="secret-in-payload", severity=Severity.WARNING, also=(Severity.NOTE,), summary="a credential is shown to whoever answers, and stays in the checkpoint",
            family="payload", rank=10)


def check(project: "Project") -> Iterator[Finding]:
    secrets = Secrets(project)
    told: set[int] = set()
    for p in project.pausing():
        if project.is_test(p.path):
            continue
        for pause in p.pauses:
            for s in secrets.shown(p, pause):
                if id(s.piece.shown) in told:
                    continue
                told.add(id(s.piece.shown))
                yield piece_finding(project, META, p, pause, s.piece, _message(s), sure=s.kind != "value", severity=Severity.NOTE if s.kind == "state" else None,
                                    help="name the fields that the human needs" if s.kind != "value" else "leave it out of the payload and read it after the pause, where it is used")


def _message(s: Secret) -> str:
    shown = text(s.piece.shown, 40)
    if s.kind == "value":
        key = f" as \"{s.piece.key}\"" if s.piece.key else ""
        return f"A credential is shown to whoever answers and stays in the checkpoint after the run: `{shown}` is in the payload{key}"
    if s.kind == "holder":
        return f"A credential is shown to whoever answers and stays in the checkpoint after the run: `{shown}` is in the payload with its field `{s.field}`"
    if s.kind == "environment":
        return f"Every key and password of the process is shown to whoever answers and stays in the checkpoint: `{shown}` is in the payload"
    return f"All of the state is shown to whoever answers, also what nodes will put into it later: `{shown}` is in the payload"
