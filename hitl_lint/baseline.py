"""A baseline: findings that were there when hitl-lint came, so that a run tells of new ones only. Known by fingerprint, not by line.

The file is JSON with an entry a finding, sorted, so that what two branches take out of it merges.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import replace
from typing import Any, Callable, Iterable, NamedTuple, Sequence

from hitl_lint.finding import Finding, fingerprint

VERSION = 1


class BaselineError(Exception):
    """The file cannot be used; its text is one line for the user."""


class Entry(NamedTuple):
    """`path` is relative to the baseline's directory, with forward slashes; all but the fingerprint is for people and for telling what is stale."""

    path: str
    code: str
    fingerprint: str
    severity: str = ""
    message: str = ""


class Baseline(NamedTuple):
    """`source` is the file as it was named."""

    source: str
    entries: tuple[Entry, ...] = ()

    def split(self, findings: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
        """(those that are new, those that are known). Each entry stands for one finding: a second one of the kind is new."""
        left = Counter(entry.fingerprint for entry in self.entries)
        new: list[Finding] = []
        known: list[Finding] = []
        for finding in findings:
            mark = self.mark(finding)
            (known if left[mark] > 0 else new).append(finding)
            left[mark] -= 1
        return new, known

    def mark(self, finding: Finding) -> str:
        """The fingerprint, which for what stands in no function holds the path: it must not depend on where the run was started."""
        return fingerprint(finding if finding.function else replace(finding, span=replace(finding.span, path=self.relative(finding.span.path))))

    def relative(self, path: str) -> str:
        try:
            return os.path.relpath(path, os.path.dirname(os.path.abspath(self.source))).replace(os.sep, "/")
        except ValueError:  # another drive
            return path

    def stale(self, found: Iterable[Finding], sought: Callable[[Entry], bool]) -> list[Entry]:
        """The entries that stand for nothing any more, of those that this run looked for."""
        left = Counter(map(self.mark, found))
        out = []
        for entry in self.entries:
            if left[entry.fingerprint] > 0:
                left[entry.fingerprint] -= 1
            elif sought(entry):
                out.append(entry)
        return out

    def renewed(self, found: Sequence[Finding], sought: Callable[[Entry], bool]) -> "Baseline":
        """With all these findings, and of the entries for nothing those only that this run did not look for."""
        gone = Counter(self.stale(found, sought))
        left = Counter(map(self.mark, found))
        kept: list[Entry] = []
        for entry in self.entries:
            if left[entry.fingerprint] > 0:
                left[entry.fingerprint] -= 1  # it is written anew: its path or words may have changed
            elif gone[entry] > 0:
                gone[entry] -= 1
            else:
                kept.append(entry)
        fresh = [Entry(self.relative(f.span.path), f.code, self.mark(f), f.severity.label, f.message) for f in found]
        return self._replace(entries=tuple(sorted([*kept, *fresh])))


def load(path: str) -> Baseline:
    """Raises BaselineError."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise BaselineError(f"cannot read the baseline {path}: no such file (--write-baseline makes it)") from None
    except (OSError, ValueError) as error:
        raise BaselineError(f"cannot read the baseline {path}: {_reason(error)}") from None
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        raise BaselineError(f"{path} is no baseline: not valid JSON (conflict marks? --write-baseline after deleting it makes a new one)") from None
    rows = document.get("findings") if isinstance(document, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) and all(isinstance(row.get(key), str) for key in ("path", "code", "fingerprint")) for row in rows):
        raise BaselineError(f"{path} is no baseline: --write-baseline writes one")
    if document.get("version") != VERSION:
        raise BaselineError(f"{path} is a baseline of another version of hitl-lint: delete it and write a new one with --write-baseline")
    return Baseline(path, tuple(Entry(row["path"], row["code"], row["fingerprint"], _word(row, "severity"), _word(row, "message")) for row in rows))


def _word(row: dict[str, Any], key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""


def dump(baseline: Baseline) -> bytes:
    """The file: one entry a line."""
    rows = [json.dumps(entry._asdict()) for entry in baseline.entries]
    return ('{"version": %d, "findings": [' % VERSION + ("\n " + ",\n ".join(rows) + "\n" if rows else "") + "]}\n").encode("ascii")


def save(baseline: Baseline) -> None:
    """Writes it at once or not at all. Raises BaselineError."""
    target = os.path.realpath(baseline.source)
    temporary = os.path.join(os.path.dirname(target), f".hitl-lint-{os.getpid()}.tmp")
    made = False
    try:
        try:
            # Never through a link that somebody has put there.
            with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666), "wb") as file:
                made = True
                file.write(dump(baseline))
                file.flush()
                os.fsync(file.fileno())
            if os.path.exists(target):
                os.chmod(temporary, os.stat(target).st_mode & 0o7777)
            os.replace(temporary, target)
        finally:
            if made and os.path.lexists(temporary):
                os.unlink(temporary)
    except (OSError, ValueError) as error:
        raise BaselineError(f"cannot write the baseline {baseline.source}: {_reason(error)}") from None


def _reason(error: OSError | ValueError) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
