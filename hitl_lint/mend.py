"""`--fix` and `--diff`: runs, makes the fixes in memory, runs again to see that they do what they promise, and only then writes.

A fix is kept when every file that it changes can still be read, its finding is gone and nothing else is found that was not found before. Any
other is taken back as a whole, and why is told.
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Callable, Iterable, Iterator, Mapping, NamedTuple, Sequence

from hitl_lint import run
from hitl_lint.finding import Finding, Fix, Severity, fingerprint
from hitl_lint.fixes.apply import Unfit, apply, joined, overlap
from hitl_lint.frontend import discover, notebook, source

if TYPE_CHECKING:
    from hitl_lint.facts import Module

# Each round makes at least one fix or gives one up, so that it ends; a program with more than this many layers of findings on top of each
# other is not met.
MAX_ROUNDS = 100
# Fixes that were given up are tried again after others were made, which may have been in their way.
SECOND_TRIES = 2
# Fixes that only do together with others, each of which follows from the one before.
MAX_FURTHER = 6

Key = tuple[str, str, str]


class Change(NamedTuple):
    """What becomes of one file."""

    path: str
    old: bytes
    new: bytes


class Outcome(NamedTuple):
    """`result`: what is found afterwards, each finding with the fixes that are left for it or with why there is none; `before`: how many were
    found; `changes` by path; `groups`: the paths that are to be written together or not at all; `complaints`: what could not be written; `notes`: what
    to know of the fixes that were made; `first`: what was found before."""

    result: run.Result
    before: int
    changes: tuple[Change, ...] = ()
    groups: tuple[frozenset[str], ...] = ()
    complaints: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    first: tuple[Finding, ...] = ()

    @property
    def fixed(self) -> int:
        """How many findings are gone."""
        return self.before - len(self.result.findings)


def mend(request: run.Request, *, unsafe: bool = False) -> Outcome:
    """Make the fixes in memory: the safe ones, with `unsafe` all. Writes nothing."""
    work = _Work(request._replace(fixes=True, last=False), unsafe)
    work.go()
    found = [_told(finding, why) for finding, why in work.reasons()]
    changes = tuple(Change(path, work.old[path], new) for path, new in sorted(work.now.items()) if new != work.old[path])
    return Outcome(work.result._replace(findings=found), work.before, changes, tuple(_groups(work.made)),
                   notes=tuple(dict.fromkeys(fix.note for made in work.made for fix in made if fix.note)), first=work.first)


class Proven(NamedTuple):
    """One fix that was tried in memory and does what it promises, and what it makes of the files."""

    finding: Finding
    fix: Fix
    changes: tuple[Change, ...]


def each(request: run.Request, wanted: Callable[[Finding], bool]) -> list[Proven]:
    """The fixes of the wanted findings, safe and unsafe, each tried by itself on the code as it is: what an editor can offer. Writes nothing."""
    work = _Work(request._replace(fixes=True, last=False), True)
    before, out = work.result, []
    for finding in filter(wanted, before.findings):
        for fix in finding.fixes:
            if work._out_of_reach({edit.span.path for edit in fix.edits}):
                continue
            work.now, work.old, work.result = {}, {}, before
            why, _ = work._try({}, before.texts, [], [(finding, fix)])
            if not why:
                changes = tuple(Change(path, work.old[path], new) for path, new in sorted(work.now.items()) if new != work.old[path])
                out.append(Proven(finding, fix, changes))
    return out


def _told(finding: Finding, why: dict[Fix, str]) -> Finding:
    """The finding without the fixes that did not do."""
    if not why:
        return finding
    left = tuple(fix for fix in finding.fixes if fix not in why)
    return replace(finding, fixes=left, no_fix=finding.no_fix if left else next(iter(why.values())))


def _groups(made: Iterable[Sequence[Fix]]) -> list[frozenset[str]]:
    """The files, put together where fixes that belong together change several."""
    out: list[set[str]] = []
    for fixes in made:
        paths = {edit.span.path for fix in fixes for edit in fix.edits}
        meeting = [group for group in out if group & paths]
        out = [group for group in out if not group & paths] + [paths.union(*meeting)]
    return [frozenset(group) for group in out]


class _Work:
    """`old`: the files that were changed as they were read; `now`: as they are to be."""

    def __init__(self, request: run.Request, unsafe: bool) -> None:
        self.parsed: dict[tuple[str, bytes], Module] = {} if request.parsed is None else request.parsed
        self.request = request._replace(parsed=self.parsed)
        self.unsafe = unsafe
        self.stdin = discover.display(request.stdin_path) if request.stdin is not None else ""
        self.old: dict[str, bytes] = {}
        self.now: dict[str, bytes] = {}
        self.made: list[list[Fix]] = []
        self.blamed: list[Finding] = []
        self.blamed_paths: set[str] = set()
        self.given_up: dict[tuple[str, int, int], str] = {}
        self.result = self._run({})
        self.first = tuple(self.result.findings)
        self.before = len(self.first)

    def go(self) -> None:
        tries, made = SECOND_TRIES, 0
        for _ in range(MAX_ROUNDS):
            chosen = self._choose()
            if not chosen:
                if not tries or not self.given_up or made == len(self.made):
                    return
                tries, made = tries - 1, len(self.made)
                self.given_up.clear()
                continue
            self._make(chosen)

    def reasons(self) -> Iterator[tuple[Finding, dict[Fix, str]]]:
        """What is found in the end, with the fixes that were given up and why."""
        for finding, mark in _marked(self.result.findings):
            yield finding, {fix: self.given_up[(*mark, n)] for n, fix in enumerate(finding.fixes) if (*mark, n) in self.given_up}

    # ---- one round
    def _choose(self) -> list[tuple[Finding, Fix]]:
        """One fix for each finding, none in the way of another."""
        chosen: list[tuple[Finding, Fix]] = []
        taken: set[str] = set()
        for finding, mark in _marked(self.result.findings):
            for n, fix in enumerate(finding.fixes):
                if fix.safety != "safe" and not self.unsafe or (*mark, n) in self.given_up:
                    continue
                paths = {edit.span.path for edit in fix.edits}
                if why := self._out_of_reach(paths):
                    self.given_up[(*mark, n)] = why
                    continue
                # Names that are new in a file are chosen without knowing of each other: one fix at a time that may bring some.
                if not any(overlap(fix, other) for _, other in chosen) and (fix.safety == "safe" or not paths & taken):
                    chosen.append((finding, fix))
                    taken |= paths if fix.safety != "safe" else set()
                break
        return chosen

    def _out_of_reach(self, paths: set[str]) -> str:
        other = next((path for path in sorted(paths) if self.request.stdin is not None and path != self.stdin), "")
        return f"it would change {other}, too, and only the code on stdin is mended" if other else ""

    def _make(self, chosen: list[tuple[Finding, Fix]]) -> None:
        """Make as many of the fixes as can be made. All their places are those of the texts as they are now."""
        base, texts = dict(self.now), dict(self.result.texts)
        marks = {id(finding): mark for finding, mark in _marked(self.result.findings)}
        accepted: list[tuple[Finding, Fix]] = []
        waiting = [chosen]
        while waiting:
            part = waiting.pop()
            why, further = self._try(base, texts, accepted, part)
            if not why:
                accepted += part
                self.made += [[fix, *further] for _, fix in part]
                if further:
                    return  # their places are those of later texts
            elif len(part) == 1:
                finding, fix = part[0]
                self.given_up[(*marks[id(finding)], next(n for n, other in enumerate(finding.fixes) if other is fix))] = why
            else:
                suspects = [step for step in part if self._suspected(step)]
                if 0 < len(suspects) < len(part):
                    waiting += [*([step] for step in reversed(suspects)), [step for step in part if step not in suspects]]
                else:
                    half = len(part) // 2
                    waiting += [part[half:], part[:half]]

    def _suspected(self, step: tuple[Finding, Fix]) -> bool:
        """Whether what was wrong with the last try may be this one's fault."""
        finding, fix = step
        return any(f is finding for f in self.blamed) or any(edit.span.path in self.blamed_paths for edit in fix.edits)

    def _try(self, base: dict[str, bytes], texts: dict[str, bytes], accepted: list[tuple[Finding, Fix]],
             part: list[tuple[Finding, Fix]]) -> tuple[str, list[Fix]]:
        """Make these fixes besides the accepted ones: (why that would not do, or ""; what had to be fixed besides). If it does, it is what holds
        from now on."""
        aimed = [finding for finding, _ in part]
        read = {**texts, **base}
        self.blamed, self.blamed_paths = [], set()
        contents, why = self._changed(base, texts, [fix for _, fix in accepted + part])
        further: list[Fix] = []
        for _ in range(MAX_FURTHER):
            if why:
                return why, []
            after = self._run(contents)
            if after.failed and not self.result.failed:
                return "the linter fails on the mended file; please report", []
            why, fresh = _worse(self.result.findings, after.findings, aimed)
            if not why:
                for path in contents:
                    self.old.setdefault(path, read[path])
                self.now, self.result = contents, after
                return "", further
            # A pause that gets out of a function at last is one of its callers, too, who may have to be mended in their turn.
            self.blamed = _still(self.result.findings, after.findings, aimed)
            self.blamed_paths = {finding.span.path for finding in fresh}
            steps = [self._allowed(finding) for finding in fresh]
            if len(part) > 1 or not fresh or None in steps:
                return why, []
            fixes: list[Fix] = []
            for fix in steps:
                if fix is not None and not any(overlap(fix, other) for other in fixes):
                    fixes.append(fix)
            read = {**after.texts, **read}
            contents, why = self._changed(contents, after.texts, fixes)
            further += fixes
        return "it would take too many other fixes", []

    def _changed(self, base: Mapping[str, bytes], texts: Mapping[str, bytes], fixes: Iterable[Fix]) -> tuple[dict[str, bytes], str]:
        """(the contents `base` with these fixes, whose places are those of `texts`; why that cannot be)."""
        contents = dict(base)
        for path, edits in joined(fixes).items():
            data = texts.get(path)
            if data is None:
                return contents, f"{path} cannot be read any more"
            try:
                contents[path] = apply(path, data, edits)
            except Unfit as error:
                self.blamed_paths = {path}
                return contents, f"{path} cannot be changed: {error}"
            except Exception as error:  # a fault of ours costs this fix and nothing else
                self.blamed_paths = {path}
                return contents, f"an internal error in changing {path} ({type(error).__name__}: {error}); please report"
            if contents[path] == data:
                return contents, "it would change nothing"
            if not self._still_reads(path, data, contents[path]):
                self.blamed_paths = {path}
                return contents, f"the mended {path} would not parse"
        return contents, ""

    def _still_reads(self, path: str, old: bytes, new: bytes) -> bool:
        if len(self._read(path, new).problems) > len(self._read(path, old).problems):
            return False
        # What the parser lets pass and Python does not: a bare `except` that is not the last one, `return` outside a function.
        return path.lower().endswith(".ipynb") or _compiles(new) or not _compiles(old)

    def _read(self, path: str, data: bytes) -> Module:
        found = self.parsed.get((path, data))
        if found is None:
            found = self.parsed[path, data] = source.read(path, data)
        return found

    def _allowed(self, finding: Finding) -> Fix | None:
        return next((fix for fix in finding.fixes if (fix.safety == "safe" or self.unsafe) and not self._out_of_reach({e.span.path for e in fix.edits})), None)

    def _run(self, contents: dict[str, bytes]) -> run.Result:
        rest = {path: data for path, data in contents.items() if path != self.stdin}
        request = self.request._replace(overrides={**self.request.overrides, **rest})
        if self.stdin in contents:
            request = request._replace(stdin=contents[self.stdin])
        return run.check(request)


def _marked(findings: Sequence[Finding]) -> Iterator[tuple[Finding, tuple[str, int]]]:
    """Each finding with what it can be known by when lines have moved."""
    seen: Counter[str] = Counter()
    for finding in findings:
        mark = fingerprint(finding)
        yield finding, (mark, seen[mark])
        seen[mark] += 1


def _key(finding: Finding) -> Key:
    return (finding.code, finding.function or finding.span.path, finding.context or finding.message)


def _still(before: Sequence[Finding], after: Sequence[Finding], aimed: Sequence[Finding]) -> list[Finding]:
    """Those of the findings aimed at that are not gone."""
    had, has, gone = (Counter(map(_key, findings)) for findings in (before, after, aimed))
    return [finding for finding in aimed if has[_key(finding)] > had[_key(finding)] - gone[_key(finding)]]


# Where a pause was lost, or could not be kept, nothing could be said about it: these notes speak of what was always there. That a saver in memory is for a
# try only is what the fix of HIL501 says itself.
REVIVED = frozenset({"HIL205", "HIL207", "HIL501"})
UNCOVERED = frozenset({"HIL303", "HIL305", "HIL502"})


def _worse(before: Sequence[Finding], after: Sequence[Finding], aimed: Sequence[Finding]) -> tuple[str, list[Finding]]:
    """(why the findings `after` are not those `before` less the `aimed` ones, the new ones if that is all); ("", []) where they are."""
    if _still(before, after, aimed):
        return "the finding would still be there", []
    had, has, gone = (Counter(map(_key, findings)) for findings in (before, after, aimed))
    # What stands in code that has moved to another function is not new.
    moved = Counter((code, context.partition(":")[2]) for code, _, context in (had - has - gone).elements())
    fresh: list[Finding] = []
    for key in has - had:
        tail = (key[0], key[2].partition(":")[2])
        for finding in [f for f in after if _key(f) == key][had[key]:]:
            if moved[tail]:
                moved[tail] -= 1
            else:
                fresh.append(finding)
    # Where a stronger finding of its family has gone, the note that it hid is not new either.
    hidden = {(finding.family, finding.function) for finding in aimed if finding.family}
    hidden |= {(finding.family, finding.function) for finding in before if finding.family and not has[_key(finding)]}
    fresh = [finding for finding in fresh if finding.severity > Severity.NOTE or (finding.family, finding.function) not in hidden]
    if any(finding.code in REVIVED for finding in aimed):
        fresh = [finding for finding in fresh if finding.code not in UNCOVERED or finding.severity > Severity.NOTE]
    if not fresh:
        return "", []
    first = fresh[0]
    where = f"{first.function.rpartition('.')[2]}() of " if first.function else ""
    return f"it would cause {first.code} ({first.name}) in {where}{first.span.path}", fresh


def _compiles(data: bytes) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(data, "<source>", "exec", dont_inherit=True)
        return True
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        return False


# --------------------------------------------------------------------------- to the disk
def write(outcome: Outcome, request: run.Request) -> Outcome:
    """Put the changes on the disk, file by file and each at once. What could not be written stands in `complaints` and no longer in `changes`;
    the findings are then those of what is on the disk."""
    changes = {change.path: change for change in outcome.changes}
    written: list[Change] = []
    complaints: list[str] = []
    for group in sorted(outcome.groups, key=min):
        wanted = [changes[path] for path in sorted(group) if path in changes]
        failure = _write_group(wanted)
        if failure is None:
            written += wanted
        else:
            complaints += failure
    if complaints:
        outcome = outcome._replace(result=run.check(request._replace(fixes=True, last=False)))
    return outcome._replace(changes=tuple(sorted(written)), complaints=tuple(complaints))


class _Unwritten(Exception):
    pass


def _write_group(changes: Sequence[Change]) -> list[str] | None:
    """None when all of them are written; else nothing is, and why."""
    staged: list[tuple[Change, str, str, str]] = []  # (change, the file itself, its new content, its old content)
    replaced: list[tuple[Change, str, str]] = []
    complaints: list[str] = []
    path = changes[0].path if changes else ""
    try:
        for change in changes:
            path = change.path
            target = os.path.realpath(path)
            if discover.read_bytes(target) == change.new:
                continue  # under another name it has been written already
            _unchanged(target, change)
            new = _stage(target, change.new)
            staged.append((change, target, new, ""))
            if len(changes) > 1:
                staged[-1] = (change, target, new, _stage(target, change.old))
        for change, target, new, old in staged:
            path = change.path
            _unchanged(target, change)
            os.replace(new, target)
            replaced.append((change, target, old))
            _settle(os.path.dirname(target))
        return None
    except (OSError, ValueError, _Unwritten) as error:
        why = str(error) if isinstance(error, _Unwritten) else discover.reason(error)
        others = sorted({change.path for change in changes} - {path})
        complaints.append(f"cannot write {path}: {why}; {'it is' if not others else ', '.join(others) + ' and it are'} left as {'it was' if not others else 'they were'}")
        complaints += _roll_back(replaced)
        replaced = []
        return complaints
    except BaseException:
        _roll_back(replaced)
        raise
    finally:
        for _, _, *temporary in staged:
            for name in temporary:
                if name and os.path.lexists(name):
                    try:
                        os.unlink(name)
                    except OSError:
                        pass


def _roll_back(replaced: Sequence[tuple[Change, str, str]]) -> list[str]:
    complaints = []
    for change, target, old in reversed(replaced):
        if not old:
            continue
        try:
            os.replace(old, target)
        except OSError as error:
            complaints.append(f"cannot put back {change.path}, which is changed now: {discover.reason(error)}")
    return complaints


def _unchanged(target: str, change: Change) -> None:
    """Raises _Unwritten where the file is not what was mended, or is not to be written."""
    mode = os.stat(target).st_mode
    if not mode & 0o222 or not os.access(target, os.W_OK):
        raise _Unwritten("it is read-only")
    if discover.read_bytes(target) != change.old:
        raise _Unwritten("it was changed while it was looked at")


def _stage(target: str, data: bytes) -> str:
    """A file beside the target with this content and the target's owner and mode; its name."""
    folder = os.path.dirname(target)
    state = os.stat(target)
    number = 0
    while True:
        temporary = os.path.join(folder, f".hitl-lint-{os.getpid()}-{number}.tmp")
        try:
            fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0), 0o600)
            break
        except FileExistsError:
            number += 1
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if hasattr(os, "chown") and (state.st_uid, state.st_gid) != _owner(temporary):
            try:
                os.chown(temporary, state.st_uid, state.st_gid)
            except OSError:  # not ours to give away
                pass
        os.chmod(temporary, state.st_mode & 0o7777)
    except BaseException:
        try:
            os.unlink(temporary)
        except OSError:
            pass
        raise
    return temporary


def _owner(path: str) -> tuple[int, int]:
    state = os.stat(path)
    return state.st_uid, state.st_gid


def _settle(folder: str) -> None:
    """Make the new name last, where the system can."""
    if os.name != "posix":
        return
    try:
        fd = os.open(folder or ".", os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(fd)
    except OSError:
        pass
    finally:
        os.close(fd)


# --------------------------------------------------------------------------- as a patch
def diff(changes: Iterable[Change]) -> bytes:
    """A unified diff, in the bytes of the files, that `patch -p1` and `git apply` take in the working directory. Of a notebook it shows the sources of
    the cells, `plan.ipynb:cell 3`, which are for reading."""
    import difflib

    out: list[bytes] = []
    for change in changes:
        for name, before, after in _parts(change):
            old, new = (_feeds(data) for data in (before, after))
            for line in difflib.diff_bytes(difflib.unified_diff, old, new, *(_named(side, name) for side in ("a", "b"))):
                out.append(line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n")
    return b"".join(out)


def _parts(change: Change) -> list[tuple[str, bytes, bytes]]:
    """What is compared: the file, or the cells of a notebook that differ."""
    cells = [_cells(data) for data in (change.old, change.new)] if change.path.lower().endswith(".ipynb") else []
    if not cells or cells[0].keys() != cells[1].keys() or cells[0] == cells[1]:
        return [(change.path, change.old, change.new)]
    # A cell has no line end at its end, which says nothing.
    return [(f"{change.path}:cell {index}", *(f"{side[index]}\n".encode() for side in cells)) for index in sorted(cells[0]) if cells[0][index] != cells[1][index]]


def _cells(data: bytes) -> dict[int, str]:
    """The sources of a notebook's code cells; empty for what is none."""
    try:
        return {cell.index: cell.raw for cell in notebook.code_cells(data)}
    except notebook.NotANotebook:
        return {}


# --------------------------------------------------------------------------- where things stand now
def as_it_is(outcome: Outcome) -> list[Finding]:
    """What is found afterwards, at its places in the files as they were before, for those who look at these."""
    changed = {change.path: change for change in outcome.changes}
    left = list(outcome.first)
    out: list[Finding] = []
    moves: dict[tuple[str, int | None], dict[int, int]] = {}
    for finding in outcome.result.findings:
        span = finding.span
        if span.path not in changed:
            out.append(finding)
            continue
        if (span.path, span.cell) not in moves:
            moves[span.path, span.cell] = _moves(changed[span.path], span.cell)
        line = moves[span.path, span.cell].get(span.line)
        mark = fingerprint(finding)
        same = [f for f in left if f.code == finding.code and (f.span.path, f.span.cell) == (span.path, span.cell) and fingerprint(f) == mark]
        before = next((f for f in same if f.span.line == line), next(iter(same), None))
        if before is not None:
            left.remove(before)
            # Why it has no fix may name lines, too; why a fix was given up is known only afterwards.
            out.append(replace(before, fixes=finding.fixes, no_fix=before.no_fix if not before.fixes else finding.no_fix))
        else:
            near = line or max((old for new, old in moves[span.path, span.cell].items() if new <= span.line), default=1)
            out.append(replace(finding, span=replace(span, line=near, end_line=near + span.end_line - span.line)))
    return sorted(out, key=lambda f: f.sort_key)


def _moves(change: Change, cell: int | None) -> dict[int, int]:
    """By line of the new text the line of the old one that it was."""
    import difflib

    if cell is None:
        old, new = ([*map(bytes.rstrip, _feeds(data))] for data in (change.old, change.new))
    else:
        old, new = ([line.encode() for line in _cells(data).get(cell, "").split("\n")] for data in (change.old, change.new))
    return {b + n + 1: a + n + 1 for a, b, size in difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks() for n in range(size)}


def _feeds(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    return [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _named(side: str, path: str) -> bytes:
    name = path if path.startswith("/") else f"{side}/{path}"
    return os.fsencode(name + ("\t" if " " in name else ""))


__all__ = ["Change", "Outcome", "Proven", "as_it_is", "diff", "each", "mend", "write"]
