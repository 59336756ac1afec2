"""A `hitl-lint:` comment cannot be understood, so it suppresses nothing.

At run time: nothing happens. Whoever wrote the comment believes that a finding is dealt with, and the next run reports it all the same; or
the comment was meant to skip a file and the file is checked.

Wrong:

    send(draft)  # hitl-lint: ignore HIL101

Right:

    send(draft)  # hitl-lint: ignore[HIL101] the mail server drops duplicates

How to fix: write `# hitl-lint: ignore[HIL101] reason` on the line of the finding, or `# hitl-lint: skip-file` on a line of its own.

What it does not see: comments that do not begin with `hitl-lint:`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(
    code="HIL903",
    name="malformed-comment",
    severity=Severity.WARNING,
    summary="a hitl-lint: comment that cannot be understood",
    needles=(b"hitl-lint",),
)


def check(project: Project) -> Iterator[Finding]:
    """Nothing: comments are read by the front end, and the driver turns those it could not understand into findings (run.py)."""
    return iter(())
