"""HIL201: a handler swallows the pause. `except GraphBubbleUp: raise` goes in front of it; nothing else that it catches is treated otherwise."""

from __future__ import annotations

from hitl_lint.facts import Handler, Try
from hitl_lint.finding import Finding, Fix
from hitl_lint.fixes.desk import Desk, Refused
from hitl_lint.fixes.handlers import CLASS, let_through

CODES = ("HIL201",)
ORDER = 10


def fix(desk: Desk, finding: Finding) -> Fix:
    found = finding.subject.more if finding.subject is not None else None
    if found is None or type(found.node) is not Handler:
        raise Refused("")
    handlers = [found.node, *_further(desk, finding)]
    star = any(h.type is not None and desk.sheet(found.path).line(h.at[0])[h.at[1] - 1 :].startswith("except*") for h in handlers)
    line = desk.project.line(found.path, found.node.at)
    return Fix(f"let the pause through before {found.what} on {line}: `except{'*' if star else ''} {CLASS}` raises it again", "safe",
               tuple(let_through(desk, found.path, handlers)))


def _further(desk: Desk, finding: Finding) -> list[Handler]:
    """The handlers further out in the same function that would catch what the first one lets through."""
    subject = finding.subject
    if subject.pausing is None or subject.pause is None or subject.more.path != subject.info.module.path:
        return []
    out: list[Handler] = []
    inside = True
    scope = desk.project.names.scope(subject.info)
    for region in reversed(subject.pause.regions):
        if region.kind != "try" or type(region.node) is not Try:
            continue
        if inside:
            inside = not any(h is subject.more.node for h in region.node.handlers)
            continue
        found = desk.project.signals.handlers(region.node, subject.pausing.cfg, scope)
        if found is not None and found.caught and type(found.node) is Handler:
            out.append(found.node)
    return out


__all__ = ["CODES", "ORDER", "fix"]
