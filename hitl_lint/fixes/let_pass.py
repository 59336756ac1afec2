"""HIL202: a retry or a decorator keeps the pause. It is told that GraphBubbleUp is no failure, where it can be told."""

from __future__ import annotations

from typing import Any

from hitl_lint.analysis.retries import Way
from hitl_lint.analysis.signals import Obstacle
from hitl_lint.facts import Attr, Call, Handler, Name, dotted
from hitl_lint.finding import Edit, Finding, Fix
from hitl_lint.fixes.desk import Desk, Refused
from hitl_lint.fixes.handlers import CLASS, MODULE, let_through
from hitl_lint.fixes.imports import Imports

CODES = ("HIL202",)
ORDER = 10

TENACITY = frozenset({"tenacity.retry", "tenacity.Retrying", "tenacity.AsyncRetrying"})
PREDICATE, DEFAULT = "retry_if_not_exception_type", "retry_if_exception_type"
UNSURE = f"what is retried is written in a way that cannot be extended safely: combine it with {PREDICATE}({CLASS})"

# What cannot be told what a pause is -> what to do instead.
WHY = {
    "suppress": "suppress() takes only the types to swallow: name those that you mean, or move the pause out of the block",
    "exit": "what the context manager does with an exception is decided in its own code: let GraphBubbleUp pass there, or move the pause out of the block",
    "finally": "leaving a finally block early throws away whatever is raised: what is to happen to other errors is yours to say",
    "gather": "gather() cannot let one kind of exception through: drop return_exceptions=True and say what is to happen to the other errors",
    "batch": "batch() cannot let one kind of exception through: drop return_exceptions=True and say what is to happen to the other errors",
    "group": "a task group wraps whatever is raised in it: await the call that pauses outside of the group",
    "fallback": "with_fallbacks() takes only the types to handle: name those that you mean in exceptions_to_handle=",
    "decorator": "what the decorator does with an exception is decided in its own code: let GraphBubbleUp pass there",
}


def fix(desk: Desk, finding: Finding) -> Fix:
    found = finding.subject.more if finding.subject is not None else None
    if found is None:
        raise Refused("")
    while isinstance(found.node, Obstacle):
        found = found.node
    if type(found.node) is Handler:
        line = desk.project.line(found.path, found.node.at)
        return Fix(f"let the pause through before the handler on {line}: `except {CLASS}` raises it again", "safe",
                   tuple(let_through(desk, found.path, [found.node])))
    if isinstance(found.node, Way):
        return _told(desk, found, found.node)
    raise Refused(WHY.get(found.kind, "it takes only the types to retry: name those that can fail"))


def _told(desk: Desk, found: Any, way: Way) -> Fix:
    if way.library in TENACITY:
        return Fix(f"do not retry a pause: `{PREDICATE}({CLASS})`", "safe", tuple(_tenacity(desk, found, way)))
    if way.library == "backoff.on_exception" and way.call is not None:
        if any(a.name == "giveup" for a in way.call.args):
            raise Refused(f"it has a giveup= of its own: let that be true for a {CLASS}")
        if any(a.name == "raise_on_giveup" for a in way.call.args):
            raise Refused("with raise_on_giveup= a pause that is given up may be dropped: take that out, or the pause out of the function")
        imports = Imports(desk, way.path, way.call.at[0])
        new = f"giveup=lambda e: isinstance(e, {imports.name(MODULE, CLASS)})"
        return Fix(f"do not retry a pause: `giveup=lambda e: isinstance(e, {CLASS})`", "safe", tuple(_argument(desk, way.path, way.call, imports, new)))
    raise Refused(f"{way.library}() is told by types what to retry: name those that can fail, without {CLASS}")


def _tenacity(desk: Desk, found: Any, way: Way) -> list[Edit]:
    """What is retried now, less pauses. By default tenacity retries Exceptions, but neither Ctrl-C nor a task that is cancelled."""
    call = way.call
    path, line, func = (way.path, call.at[0], call.func) if call is not None else (found.path, found.at[0], None)
    sheet = desk.sheet(path)
    imports = Imports(desk, path, line)
    written = sheet.slice(found.at) if call is None else dotted(func) or ""
    owner = written.rpartition(".")[0]

    def named(name: str) -> str:
        return f"{owner}.{name}" if owner else imports.name("tenacity", name)

    given = next((a for a in call.args if a.name == "retry"), None) if call is not None else None
    less = f"{named(PREDICATE)}({imports.name(MODULE, CLASS)})"
    if given is None:
        new = f"retry={named(DEFAULT)}() & {less}"
        if call is None:
            if not all(part.isidentifier() for part in written.split(".")):
                raise Refused(UNSURE)
            end = (found.at[2], found.at[3], found.at[2], found.at[3])
            return [*imports.edits(), sheet.edit(end, f"({new})")]
        if sum(a.name is None for a in call.args) > 3 or any(a.star for a in call.args):
            raise Refused(f"its arguments are given by position: combine the one for retry with {PREDICATE}({CLASS})")
        return _argument(desk, path, call, imports, new)
    head, _, own = sheet.slice(given.at).partition("=")
    if head.strip() != "retry" or not own.strip() or "\n" in own:
        raise Refused(UNSURE)
    plain = type(given.value) in (Call, Name, Attr) and sheet.slice(given.value.at) == own.strip()
    return [*imports.edits(), sheet.edit(given.at, f"{head}={own[:len(own) - len(own.lstrip())]}{own.strip() if plain else '(' + own.strip() + ')'} & {less}")]


def _argument(desk: Desk, path: str, call: Call, imports: Imports, new: str) -> list[Edit]:
    """One more keyword argument, behind the last one."""
    sheet = desk.sheet(path)
    row, col = call.at[2], call.at[3]
    if not call.args:
        if sheet.slice((row, col - 2, row, col)) != "()":
            raise Refused(UNSURE)
        return [*imports.edits(), sheet.edit((row, col - 1, row, col - 1), new)]
    last = call.args[-1].at
    rest = sheet.slice((last[2], last[3], row, col))
    if "".join(line.partition("#")[0].strip() for line in rest.split("\n")) not in (")", ",)"):
        raise Refused(UNSURE)
    behind = (last[2], last[3], last[2], last[3])
    tail = sheet.line(last[2])[last[3] - 1 :].strip()
    if sheet.line(last[0])[: last[1] - 1].strip() or tail.partition("#")[0].strip() not in ("", ","):
        return [*imports.edits(), sheet.edit(behind, f", {new}")]
    # One argument a line: the comment behind the last one stays with it.
    comma = tail.startswith(",")
    end = (last[2], len(sheet.line(last[2])) + 1, last[2], len(sheet.line(last[2])) + 1)
    edits = [sheet.edit(end, f"\n{sheet.indent(last[0])}{new}{',' if comma else ''}")]
    return [*imports.edits(), *([] if comma else [sheet.edit(behind, ",")]), *edits]


__all__ = ["CODES", "ORDER", "fix"]
