"""What a rule says: frozen data that reporters print and fixers act on. Standard library only."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any, Iterable


class Severity(enum.IntEnum):
    """How bad: `error` (wrong result, lost approval, doubled effect), `warning` (costs money, or breaks under conditions), `note` (hygiene)."""

    NOTE = 1
    WARNING = 2
    ERROR = 3

    @property
    def label(self) -> str:
        return self.name.lower()


class Confidence(enum.Enum):
    """`proved`: the callee is a known library call or a function whose body reaches one. `named`: its name is the evidence."""

    PROVED = "proved"
    NAMED = "named"


@dataclass(frozen=True, slots=True)
class Span:
    """A place: 1-based lines and columns (code points), end exclusive; `path` relative with forward slashes; `cell` for notebooks (lines then count in the cell)."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One link of a reason chain: what happens at a place."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of `span` by `text`, whose lines end in "\\n" whatever the file's own do; an empty span inserts."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A proposed change; `safety` is "safe" (meaning kept except for the fault) or "unsafe". `note`: what to know before applying it."""

    title: str
    safety: str
    edits: tuple[Edit, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One misuse at one place.

    `message` says the consequence first, then the cause, on one line. `function` is the dotted name of the function it stands in.
    `pause` is the pause that the finding is about; `trace` the chain of calls from the finding to the witness; `help` what to do
    (may have several lines: a sketch); `no_fix` why nothing is offered to apply, one sentence; `subject` is what the rule knows and fixers build on;
    `context` is a stable text (function, call as written) from which the fingerprint is made, so that it does not change when lines move.
    """

    code: str
    name: str
    severity: Severity
    span: Span
    message: str
    function: str = ""
    confidence: Confidence = Confidence.PROVED
    pause: Span | None = None
    trace: tuple[Step, ...] = ()
    fixes: tuple[Fix, ...] = ()
    help: str = ""
    context: str = ""
    related: tuple[Step, ...] = ()
    family: str = field(default="", compare=False)
    no_fix: str = ""
    subject: Any = field(default=None, compare=False, repr=False)

    @property
    def sort_key(self) -> tuple[str, int, int, int, str]:
        return (self.span.path, self.span.cell if self.span.cell is not None else -1, self.span.line, self.span.column, self.code)


def fingerprint(finding: Finding, occurrence: int = 0) -> str:
    """A hash of what is found, not of where: code, function (or else the path) and `context`; `occurrence` tells equal ones in one file apart.
    The function's dotted name starts at the project's root, so that the directory a run is started in makes no difference."""
    import hashlib  # only reports with fingerprints need it; it loads OpenSSL

    raw = "\0".join((finding.function or finding.span.path, finding.code, finding.context or finding.message, str(occurrence)))
    return hashlib.blake2b(raw.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()


def fingerprints(findings: Iterable[Finding]) -> list[str]:
    """The fingerprint of each; equal findings are told apart by their order."""
    seen: dict[str, int] = {}
    out: list[str] = []
    for finding in findings:
        first = fingerprint(finding)
        occurrence = seen.get(first, 0)
        seen[first] = occurrence + 1
        out.append(fingerprint(finding, occurrence) if occurrence else first)
    return out
