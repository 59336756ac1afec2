"""A loop around a pause is not taken apart: what it collects and where it stands must go into the state, which only its author can name."""

from __future__ import annotations

from hitl_lint.finding import Finding, Fix
from hitl_lint.fixes.desk import Desk, Refused
from hitl_lint.analysis.subject import Subject

CODES = ("HIL304",)
ORDER = 10


def fix(desk: Desk, finding: Finding) -> Fix:
    if not isinstance(finding.subject, Subject):
        raise Refused("")
    info = finding.subject.info
    node, builder = desk.project.graphs.registered(info)
    if node is None:
        raise Refused(f"{info.name}() is no node of a graph in sight, so there is no edge that could lead back: ask once, and let the caller come again with the next item")
    raise Refused(f'what the loop collects and where it stands must be kept in the state: ask about one item in {info.name}(), return the answer with the position, and '
                  f'lead {builder or "builder"}.add_conditional_edges("{node}", …) back to "{node}" while there are more')
