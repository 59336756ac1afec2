"""A pause that some paths skip stands before another pause, so that the later question changes its position.

At run time: answers are stored in a list and handed out by position. As long as the guard gives the same result on every resume, all is
well; when somebody edits the state, the code or the configuration while a run waits, the stored answers move to other questions.

Wrong:

    from langgraph.types import interrupt

    def form(state):
        name = interrupt("Name?")
        if state.get("needs_age"):
            age = interrupt("Age?")
        city = interrupt("City?")
        return {"name": name, "city": city}

Right:

    from langgraph.types import interrupt

    def ask_name(state):
        return {"name": interrupt("Name?")}

    def ask_city(state):
        return {"city": interrupt("City?")}

How to fix: one pause per node, with the choice made by an edge; or ask for everything in one pause.

What it does not see: pauses in loops (HIL304) and guards that can change (HIL301) are reported by those rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.facts import text
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import asks, finding, line_of, which

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL302", name="conditional-interrupt", severity=Severity.WARNING,
            summary="a skipped pause moves the answers of the pauses after it", family="order", rank=20)


def check(project: "Project") -> Iterator[Finding]:
    for p in project.pausing():
        for pause in p.live:
            later = project.moved_by(p, pause)
            if later is None:
                continue
            guard = project.first_guard(p, pause)
            where = "" if guard is None else f"in {guard.what}" if guard.what else project.line(p.path, guard.at)
            changed = f"`{guard.shown}` ({where}) says something else" if guard is not None else "the run takes another path"
            message = (f"If {changed} when the run goes on, answers change places: {asks(p, pause)} is skipped on some paths, answers are handed out by "
                       f"position, and the next question stands on {line_of(project, p, later)}")
            yield finding(project, META, p, pause.node.at, message, pause=pause, witness=p.witness(pause), context=which(text(later.node, 80), pause),
                          help="one pause per node with the choice made by an edge, or one pause that asks for everything")
