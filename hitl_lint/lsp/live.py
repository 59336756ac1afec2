"""Runs over documents that are open in an editor, whatever is on the disk. Knows nothing of the protocol.

A document is looked at twice: by itself, which is quick (`quick`: the document as if it stood on stdin, the modules that it imports read on
demand), and with the whole project (`full`), which also sees who calls it. In between, what only the whole project shows is carried over to the
lines where it now is (`carried`), so that nothing flickers while a person types.

All of this is called from one thread. It changes the working directory: paths in findings and messages are relative to the workspace folder.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, Callable, Iterable, Mapping, NamedTuple, Sequence

from hitl_lint import api, mend, run
from hitl_lint.finding import Finding, Span, fingerprint
from hitl_lint.frontend import discover
from hitl_lint.frontend.incremental import Parsed

class Document(NamedTuple):
    """`folder`: the workspace folder, and working directory, that it belongs to (absolute); `path`: its file (absolute), there or not;
    `data`: what is in the editor (a notebook as JSON)."""

    folder: str
    path: str
    data: bytes


class Live:
    def __init__(self) -> None:
        self.parsed = Parsed()
        self.complaints: list[str] = []
        self.layouts: dict[Any, Any] = {}  # valid until something on the disk may have changed

    def quick(self, document: Document, others: Iterable[Document], stop: Callable[[], bool]) -> list[Finding]:
        """What `hitl-lint --stdin-filename PATH -` finds in the document, and what is found if it only calls what pauses elsewhere. Raises
        ConfigError and Stopped."""
        found = self._own(document, run.check(self._request(document, others, stop)))
        if discover.verdict(document.path, document.data) & discover.CANDIDATE:
            return found
        # Files of any kind are open in an editor, half written: that one cannot be parsed is ours to tell where it would be told of the file on the disk.
        return [finding for finding in found if finding.code != "HIL901"]

    def forget(self) -> None:
        """Files may have come or gone."""
        self.layouts.clear()

    def root(self, document: Document) -> str | None:
        """The directory (absolute) that `full` is to look at: the top of the document's project, else its workspace folder; None where there is
        neither, and nobody says how much belongs together."""
        for root, marked in discover.project_roots([document.path]).items():
            if marked:
                return os.path.abspath(root)
        inside = document.path.startswith(document.folder.rstrip(os.sep) + os.sep)
        return document.folder if inside and os.path.dirname(document.folder) != document.folder else None

    def full(self, root: str, documents: Sequence[Document], stop: Callable[[], bool]) -> list[list[Finding] | None]:
        """What `hitl-lint ROOT` finds, for each of the documents, which are below it; None for one that is not on the disk, which only `quick`
        can look at. Raises ConfigError and Stopped."""
        self.layouts.clear()
        os.chdir(documents[0].folder)
        config = api.settled(None, [documents[0].path])
        contents = {discover.display(d.path): d.data for d in documents}
        there = {discover.display(d.path) for d in documents if os.path.isfile(d.path)}
        # Named besides, because what is open may be ignored by git.
        result = run.check(run.Request([root, *sorted(there)], config, force_exclude=True, jobs=1, overrides=contents, parsed=self.parsed, stop=stop, baseline=api.known(config)))
        self._note(result)
        by_path: dict[str, list[Finding]] = {}
        for finding in result.findings:
            by_path.setdefault(finding.span.path, []).append(finding)
        return [by_path.get(path, []) if (path := discover.display(d.path)) in there else None for d in documents]

    def fixes(self, document: Document, others: Iterable[Document], wanted: Callable[[Finding], bool], stop: Callable[[], bool]) -> list[mend.Proven]:
        """The fixes of the document's wanted findings that do what they promise."""
        request = self._request(document, others, stop)
        own = discover.display(document.path)
        if os.path.exists(document.path):
            # As a named file and not as stdin, so that a fix may change other files, too.
            request = request._replace(paths=[own], overrides={**request.overrides, own: document.data}, stdin=None)
        return mend.each(request, lambda finding: finding.span.path == own and wanted(finding))

    def mended(self, document: Document, others: Iterable[Document], stop: Callable[[], bool]) -> bytes:
        """The document with all safe fixes that change nothing else."""
        outcome = mend.mend(self._request(document, others, stop))
        return outcome.changes[0].new if outcome.changes else document.data

    def _request(self, document: Document, others: Iterable[Document], stop: Callable[[], bool]) -> run.Request:
        os.chdir(document.folder)
        config = api.settled(None, [document.path])
        contents = {discover.display(other.path): other.data for other in others if other.path != document.path}
        # Without the gate: a document that calls what pauses elsewhere need not mention a pause.
        return run.Request([], config, force_exclude=True, jobs=1, stdin=document.data, stdin_path=discover.display(document.path), gate=False,
                           overrides=contents, parsed=self.parsed, stop=stop, layouts=self.layouts, baseline=api.known(config))

    def _note(self, result: run.Result) -> None:
        self.complaints += [line for line in result.complaints if "internal error" in line]

    def _own(self, document: Document, result: run.Result) -> list[Finding]:
        self._note(result)
        path = discover.display(document.path)
        return [finding for finding in result.findings if finding.span.path == path]


class Gap(NamedTuple):
    """How `full` differs from `quick` on the same text: what it shows besides, and the marks of what it does not show."""

    more: tuple[Finding, ...] = ()
    less: frozenset[str] = frozenset()
    lines: Mapping[int | None, Sequence[str]] = {}


def gap(quick: Sequence[Finding], full: Sequence[Finding], lines: Mapping[int | None, Sequence[str]]) -> Gap:
    """`lines` of the document they were found in, by cell (None: no notebook)."""
    had, has = {fingerprint(f) for f in quick}, {fingerprint(f) for f in full}
    return Gap(tuple(f for f in full if fingerprint(f) not in had), frozenset(had - has), lines)


def carried(quick: Sequence[Finding], known: Gap, lines: Mapping[int | None, Sequence[str]]) -> list[Finding]:
    """What is to be shown for a text of which only `quick` is known yet."""
    out = [f for f in quick if fingerprint(f) not in known.less]
    have = {fingerprint(f) for f in out}
    for finding in known.more:
        moved = _moved(finding, known.lines, lines)
        if moved is not None and fingerprint(finding) not in have:
            out.append(moved)
    return sorted(out, key=lambda f: f.sort_key)


def _moved(finding: Finding, old: Mapping[int | None, Sequence[str]], new: Mapping[int | None, Sequence[str]]) -> Finding | None:
    """The finding where its lines are now; None if they were changed."""
    path = finding.span.path

    def move(span: Span) -> Span | None:
        if span.path != path:
            return span
        before, after = old.get(span.cell, ()), new.get(span.cell, ())
        if before == after:
            return span
        head = 0
        while head < min(len(before), len(after)) and before[head] == after[head]:
            head += 1
        tail = 0
        while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
            tail += 1
        if span.end_line <= head:
            return span
        if span.line > len(before) - tail:
            by = len(after) - len(before)
            return replace(span, line=span.line + by, end_line=span.end_line + by)
        return None

    own = move(finding.span)
    if own is None:
        return None
    pause = move(finding.pause) if finding.pause else None
    trace, related = (tuple(replace(s, span=m) for s in steps if (m := move(s.span)) is not None) for steps in (finding.trace, finding.related))
    return replace(finding, span=own, pause=pause, trace=trace, related=related)


__all__ = ["Document", "Gap", "Live", "carried", "gap"]
