"""An answer that nobody gave approves: a missing field, a typo or an unexpected word takes the branch that acts.

At run time: whatever is passed to `Command(resume=…)` comes back from `interrupt()` unchecked. A client that forgets a field, a button that was
renamed, `"Reject"` with a capital letter: if the code only stops on one word, or fills in "approve" where nothing was said, all of them go through.

Wrong:

    import httpx
    from langgraph.types import interrupt

    def pay(state):
        answer = interrupt({"question": "Pay it?", "amount": state["amount"]})
        if answer.get("action", "approve") == "reject":
            return {"status": "rejected"}
        httpx.post("https://bank.example/payouts", json={"amount": state["amount"]})
        return {"status": "paid"}

Right:

    import httpx
    from langgraph.types import interrupt

    def pay(state):
        answer = interrupt({"question": "Pay it?", "amount": state["amount"]})
        if answer.get("action") != "approve":
            return {"status": "rejected"}
        httpx.post("https://bank.example/payouts", json={"amount": state["amount"]})
        return {"status": "paid"}

How to fix: name the words that approve and let everything else reject or ask again; make the default the answer that does no harm; or let a
`response_schema` with a `Literal` refuse what is neither.

Silent where a `Literal` or Enum of the request model, a test or a choice between words settles every answer that the application sends, and about a switch
(paused: resume or abort). A warning where everything that this project resumes with has the field whose absence approves, or is a word that is meant, and where a question about
an approval is told "no" by one word alone but nothing is seen to act on the others.

It also looks at the code that sends the answer: `Command(resume=text not in ("no", "deny"))`, and a last `else` that sends an approval, or an
approval that only one word takes back, also where a function asks at the keyboard or the answers are put into a dict or list one by one;
`input("approve / reject: ") or "approve"` is reported unless the question shows what Enter means.

A word of rejection that the question offers and no test knows does what an approval does (a warning where nothing is seen to be done). A refusal that is
only told the model, with an edge behind it to the node that runs the tools, refuses nothing: the tool node runs the calls of the last AI message.

Silent where another part of the answer says what is approved (`if action == "reject" or not picked: …`).

What it does not see: decisions by words that are no approval or rejection in any language it knows, and answers that go through a database first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Sequence

from hitl_lint.finding import Confidence, Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import asks, chain

if TYPE_CHECKING:
    from hitl_lint.analysis.answers import Open
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL605", name="fail-open-answer", severity=Severity.ERROR, summary="a missing, malformed or unknown answer approves",
            needles=(b"interrupt", b"Interrupt", b"resume", b"Command("), family="answer", rank=50, also=(Severity.WARNING,))


def check(project: "Project") -> Iterator[Finding]:
    for o in project.answers.opens():
        related = () if o.module == o.p.path and o.function == o.p.info.dotted else (project.step_at(o.p.path, o.pause.node.at, f"{asks(o.p, o.pause)} gives the answer"),)
        yield Finding(
            code=META.code, name=META.name, severity=Severity.WARNING if o.sent or o.unseen and (not o.offered or o.kind == "offered") else META.severity, span=project.span(o.module, o.at), message=_message(o), function=o.function,
            confidence=Confidence.PROVED if o.witness is None or o.witness.proved else Confidence.NAMED,
            pause=project.span(o.p.info.module, o.pause.node.at), trace=project.steps(o.witness), help=_help(o), context=f"{o.function}:{o.shown}",
            related=related, family=META.family)
    for expr, scope, shown, field in project.answers.supplied():
        where = scope.owner.dotted if scope.kind == "function" else scope.module.name
        message = (f"A request that leaves out `{field}` approves: {shown} stands in for the missing answer, and the paused run is resumed with it")
        if not field:
            message = f"Pressing Enter approves: {shown} stands in for an answer that nobody typed, and the question does not say so"
        yield Finding(code=META.code, name=META.name, severity=META.severity, span=project.span(scope.module, expr.at), message=message, function=where,
                      help=f"require `{field}`, or let the missing answer be the one that does no harm" if field else "ask again, or let the missing answer reject",
                      context=f"{where}:{field or shown}", family=META.family)
    for expr, scope, shown, words in project.otherwise.sent():
        where = scope.owner.dotted if scope.kind == "function" else scope.module.name
        message = f"Any answer but {_listed(words)} approves: a typo or a question resumes the paused run with {shown}"
        yield Finding(code=META.code, name=META.name, severity=META.severity, span=project.span(scope.module, expr.at), message=message, function=where,
                      help="send an approval only for the words that approve, and ask again or reject for everything else", context=f"{where}:{shown}", family=META.family)


def _listed(words: Sequence[str]) -> str:
    return " and ".join(repr(w) for w in words[:2]) if len(words) < 3 else f"{', '.join(repr(w) for w in words[:-1])} and {words[-1]!r}" if len(words) < 5 else f"{words[0]!r}, {words[1]!r} …"


def _message(o: "Open") -> str:
    if o.kind == "default":
        if o.sent:
            return (f"An answer without this field approves: {o.shown} stands in for it, and {_says(o)}. What this project sends has the field today; "
                    "another client, or a change there, need not")
        return f"A missing answer approves: {o.shown} stands in for it, and {_says(o)} although nobody said yes"
    if o.kind == "empty":
        return f"An answer that says nothing approves: the truth of `{o.shown}` is all that is asked, so that Enter or a plain False passes, and {_says(o)}"
    if o.kind == "offered":
        return f"{o.offered!r}, which the question offers, does what an approval does: no test knows it, `{o.shown}` lets it pass, and {_says(o)}"
    if o.kind == "refused":
        return f"The refused tools run all the same: the refusal is only told, and the edge behind it goes on to {o.witness.callee if o.witness else 'the node'!r}, which runs them"
    if o.kind == "shape":
        return f"An answer of another shape approves, even a plain False: it fails `{o.shown}`, and {_says(o)} all the same"
    more = ". What this project sends today is spelled right; another client, or a change there, need not be" if o.sent else ""
    other = f"{o.offered!r}, which the question offers," if o.offered else "a typo or an unexpected answer"
    return f"Any answer but {_listed(o.words)} approves: {other} passes `{o.shown}`, and {_says(o)}{more}"


def _says(o: "Open") -> str:
    """What then happens, as the end of a sentence."""
    if o.witness is None:
        return "the run goes on as approved"
    return f"the run goes on and {o.says}{chain(o.witness)}"


def _help(o: "Open") -> str:
    if o.kind == "default":
        return "let the missing answer be the one that does no harm, for example \"reject\" or False, or ask again"
    if o.kind == "refused":
        return "after a refusal go to another node than the one that runs the tools: a conditional edge, or Command(goto=…) without a static edge"
    return "act only on the words that approve, and let everything else reject or ask again:\n    if answer == \"approve\":\n        …"
