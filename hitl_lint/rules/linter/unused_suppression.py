"""A comment suppresses a finding that does not exist, so it will hide the next one that does.

At run time: nothing happens, and that is the trouble. The comment was written for a finding that has been fixed or has moved away; when the
same misuse comes back to this line, nobody will hear of it.

Wrong:

    def review(state):
        return {"answer": interrupt("ok?")}  # noqa: HIL101

Right:

    def review(state):
        return {"answer": interrupt("ok?")}

How to fix: delete the comment, or the code in it that nothing answers to; correct a code that no rule has. `--fix` does.

What it does not see: a bare `# noqa`, which may be meant for another linter; codes of other linters; codes of rules that were not run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(
    code="HIL902",
    name="unused-suppression",
    severity=Severity.WARNING,
    summary="a suppression comment that suppresses nothing",
    needles=(b"HIL", b"hitl-lint"),
    fix="delete the comment, or the code in it (safe)",
)


def check(project: Project) -> Iterator[Finding]:
    """Nothing: only the driver knows, once every rule has spoken, which comments were needed. It makes these findings (run.py)."""
    return iter(())
