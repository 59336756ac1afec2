"""A payload holds something that no checkpoint can: the run raises instead of asking.

At run time: the question is saved before anybody sees it. A function, a class, an object of an ordinary class, a generator, a view such as
`rows.keys()`, a file or a lock cannot be: the run ends with "TypeError: Type is not msgpack serializable: Interrupt", whichever checkpointer it has, and nothing
waits for an answer. The error names neither the value nor the line.

Wrong:

    from langgraph.types import interrupt

    class PriceBook:
        def __init__(self, currency):
            self.currency = currency

    def set_plan(state):
        book = PriceBook("EUR")
        return {"plan": interrupt({"ask": "Which plan?", "book": book})}

Right:

    from langgraph.types import interrupt

    class PriceBook:
        def __init__(self, currency):
            self.currency = currency

    def set_plan(state):
        book = PriceBook("EUR")
        return {"plan": interrupt({"ask": "Which plan?", "currency": book.currency})}

How to fix: show plain data: the fields that the human needs, `list(rows)` for a view or an iterator, the text of a response. A class that is to be shown
often can be a dataclass or a pydantic model.

What it does not see: values whose class it cannot follow; objects of library classes other than those in its table; dicts whose contents come from elsewhere.
What can be saved and is no JSON (sets, dates, dataclasses, messages) is not reported, nor is anything in a project that gives its checkpointer a
serializer of its own or `pickle_fallback`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.savable import Savable
from hitl_lint.facts import text
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import piece_finding

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL602", name="payload-not-savable", severity=Severity.ERROR, summary="the payload holds what no checkpoint can: the run raises instead of asking",
            family="payload", rank=20)


def check(project: "Project") -> Iterator[Finding]:
    savable = Savable(project)
    told: set[int] = set()
    for p in project.pausing():
        for pause in p.pauses:
            for r in savable.refused(p, pause):
                if id(r.piece.shown) in told:
                    continue
                told.add(id(r.piece.shown))
                shown = text(r.piece.shown, 40)
                message = f"Nobody is asked: the run raises TypeError at the pause, because `{shown}` in the payload is {r.what}, which no checkpoint can hold"
                yield piece_finding(project, META, p, pause, r.piece, message, sure=r.sure, help=f"show {r.instead}")
