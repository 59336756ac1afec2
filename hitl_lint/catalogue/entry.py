"""The shape of a catalogue entry and the helpers with which the tables are written. Standard library only."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """What a call does.

    `kind` is one of KINDS. `what` is a phrase for a message: a verb in the third person with its object ("sends an HTTP POST",
    "asks a model", "makes a random id"). `condition` names the test that `analysis.conditions.decide` makes on the arguments; what it
    answers replaces `kind`. `reason` says why, where the entry is an exception from its family.
    """

    kind: str
    what: str
    condition: str = ""
    reason: str = ""


KINDS = {
    "effect": "changes something outside and is not safe to repeat",
    "model": "asks a model, or an agent that runs elsewhere: paid again, and the answer differs",
    "unstable": "gives another value every time: clock, random, uuid",
    "read": "looks at the outside world: network, database, file, environment",
    "safe": "pure computation, or safe to repeat",
    "construct": "makes a client, a model, a builder: nothing happens yet",
    "graph": "runs a LangGraph graph or agent: restored when finished, judged by what is in it",
}

Row = tuple[Entry, tuple[str, ...]]


def row(kind: str, what: str, patterns: str, *, condition: str = "", reason: str = "") -> Row:
    """One entry under several patterns, separated by white space; a line that starts with `#` is a comment."""
    lines = (line.split("# ", 1)[0] for line in patterns.splitlines())
    return Entry(kind, what, condition, reason), tuple(p for line in lines for p in line.split())


def effect(what: str, patterns: str, *, condition: str = "", reason: str = "") -> Row:
    return row("effect", what, patterns, condition=condition, reason=reason)


def model(what: str, patterns: str, *, condition: str = "", reason: str = "") -> Row:
    return row("model", what, patterns, condition=condition, reason=reason)


def unstable(what: str, patterns: str, *, condition: str = "", reason: str = "") -> Row:
    return row("unstable", what, patterns, condition=condition, reason=reason)


def read(what: str, patterns: str, *, condition: str = "", reason: str = "") -> Row:
    return row("read", what, patterns, condition=condition, reason=reason)


def safe(what: str, patterns: str, *, condition: str = "", reason: str = "") -> Row:
    return row("safe", what, patterns, condition=condition, reason=reason)


def construct(what: str, patterns: str, *, condition: str = "", reason: str = "") -> Row:
    return row("construct", what, patterns, condition=condition, reason=reason)
