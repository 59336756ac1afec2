"""The shape of a catalogue entry and the helpers with which the tables are written. Standard library only."""

from __future__ import annotations

import re

from hitl_lint.record import record



@record
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

    def says(self, kind: str) -> str:
        """The phrase for the kind that the condition decided: what only reads opens a file, but not for writing."""
        return self.what if kind == "effect" else self.what.replace(" for writing", "")


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


# Shorthands in patterns: `$RUN` is a choice that many patterns share.
GROUPS: dict[str, str] = {}


def group(name: str, choices: str) -> None:
    """Define `$NAME` as one of the choices (separated by white space). Raises ValueError when it is defined otherwise already."""
    text = "{" + ",".join(choices.split()) + "}"
    if GROUPS.setdefault("$" + name, text) != text:
        raise ValueError(f"${name} is defined twice")


# LangChain, its partner packages and its old home.
group("LC", "langchain langchain_core langchain_community langchain_classic langchain_*")

_SPACE_IN_BRACES = re.compile(r"\{[^{}]*\}")
_GROUP = re.compile(r"\$[A-Z_]+")


def row(kind: str, what: str, patterns: str, *, condition: str = "", reason: str = "") -> Row:
    """One entry under several patterns, separated by white space; inside braces white space does not count."""
    if "\n" in patterns:
        patterns = _SPACE_IN_BRACES.sub(lambda m: "".join(m.group().split()), patterns)
    if "$" in patterns:
        patterns = _GROUP.sub(lambda m: GROUPS[m.group()], patterns)
    return Entry(kind, what, condition, reason), tuple(patterns.split())


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
