"""A file that mentions a pause cannot be parsed, so nothing in it was checked.

At run time: Python may refuse the file as well; or it is fine there and only newer (or older) than the grammar that hitl-lint reads with;
or it has more than 2 MB, which would take gigabytes to parse. In any case a misuse in it goes unseen, which is why this is an error and not a
line in a log. The other files, and the other cells of a notebook, are still checked.

Wrong:

    def review(state):
        return interrupt({"draft": state["draft"]

Right:

    def review(state):
        return interrupt({"draft": state["draft"]})

How to fix: mend the syntax, declare the encoding the file is in, or leave generated files out with `extend-exclude`. What pauses
beside megabytes of data belongs in a file of its own.

What it does not see: a broken file without any word of a pause or a resume is never parsed, and so not reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity, Span
from hitl_lint.rules import Meta

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(
    code="HIL901",
    name="unreadable-file",
    severity=Severity.ERROR,
    summary="a file that mentions a pause cannot be parsed",
)


def check(project: Project) -> Iterator[Finding]:
    for module in project.candidates:
        for problem in module.facts.problems:
            line, column = max(problem.line, 1), max(problem.column, 1)
            span = Span(module.path, line, column, line, column + 1, problem.cell)
            what = "file" if problem.cell is None else "cell"
            yield Finding(META.code, META.name, META.severity, span, f"nothing in this {what} was checked: {problem.message}", context=problem.message)
