"""The driver: discover -> gate -> read -> link -> judge -> suppress. The one place where all rooms meet.

Nothing but discovery is imported before a candidate file is found, because most runs (a commit hook, a tree without LangGraph) end there.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, NamedTuple, Sequence

from hitl_lint import asked
from hitl_lint.config import Config, selected
from hitl_lint.frontend import discover
from hitl_lint.frontend.ignore import Patterns
from hitl_lint.spelling import nearest

if TYPE_CHECKING:
    from hitl_lint.baseline import Baseline
    from hitl_lint.cache import Memory
    from hitl_lint.facts import Module
    from hitl_lint.finding import Edit, Finding
    from hitl_lint.picture import Picture
    from hitl_lint.rules import Rule

# Rounds of "who imports what pauses": each adds the callers of the last one's files.
MAX_ROUNDS = 8

BUILDS = b"add_node"
# The rounds ask all files again; the Python of a large repository is 20 MB.
KEPT_BYTES = 64 << 20

# So few files are read sooner than what is remembered of them: only if one of them is a candidate is the cache asked.
FEW = 64

# Lowering and summaries walk expressions by recursion; generated code nests deeper than Python's default of 1,000 allows. Below what an
# 8 MB stack carries on Python 3.10, where every Python call still takes C stack.
RECURSION_LIMIT = 6_000


class Request(NamedTuple):
    """One run. `paths` as the user gave them; `stdin` the content that stands for `stdin_path`; `exclude` patterns of the command line,
    relative to the working directory; `jobs` 0 for one process per CPU; `gate` False reads every file (tests and robustness checks);
    `overrides`: contents by path (relative to the working directory) that stand for what is on the disk; `fixes`: work out what would mend the
    findings; `picture`: work out what the html and mermaid reports draw; `parsed`: what runs before this one have read, by path and content, which this one adds to; `last`: the process ends after this run
    without cleaning up; `baseline`: findings that are known and not to be shown; `progress`: is told what is being done, how much of it is done
    and how much there is; `keep_noqa`: findings that only a `# noqa` comment takes back are shown, for a tool that obeys these
    comments itself; `stop`: asked between files and between rules, its True ends the run by `Stopped`; `layouts`: which files projects have and what
    these are called as modules, as runs before this one have found, which this one believes and adds to; `cache`: None for none, "" for the one at the top
    of the project (none without a project), else the directory of one."""

    paths: Sequence[str]
    config: Config = Config()
    exclude: Sequence[str] = ()
    force_exclude: bool = False
    jobs: int = 0
    stdin: bytes | None = None
    stdin_path: str = ""
    gate: bool = True
    last: bool = False
    overrides: Mapping[str, bytes] = {}
    fixes: bool = False
    parsed: "dict[tuple[str, bytes], Module] | None" = None
    baseline: "Baseline | None" = None
    progress: Callable[[str, int, int], None] | None = None
    keep_noqa: bool = False
    stop: Callable[[], bool] | None = None
    layouts: "dict[Any, Any] | None" = None
    cache: str | None = None
    picture: bool = False


class Stopped(Exception):
    """The run was no longer wanted (`Request.stop`)."""


# What the last run of a process has made: it need not be taken apart.
_KEPT: list[Any] = []


class Result(NamedTuple):
    """What a run found. `findings` are those to show, sorted; `complaints` are lines for stderr; `failed` means exit status 2.
    `files_found` counts the linted files, `files_analysed` those of them that were parsed, `files_read` all that were parsed;
    `unresolved` are the callees, as written, of calls in replay zones of which nothing is known; `texts` the files that the fixes of the
    findings would change, as this run has read them; `known`: the findings that the baseline holds; `linted`: the files that findings are reported
    of; `pausing` and `graphs` count the functions in them that pause and the graphs that are built in them."""

    findings: list["Finding"]
    files_found: int = 0
    files_analysed: int = 0
    files_read: int = 0
    hidden_notes: int = 0
    suppressed: int = 0
    unresolved: tuple[str, ...] = ()
    complaints: tuple[str, ...] = ()
    failed: bool = False
    texts: Mapping[str, bytes] = {}
    known: tuple["Finding", ...] = ()
    linted: tuple[str, ...] = ()
    pausing: int = 0
    graphs: int = 0
    picture: "Picture | None" = None  # where it was asked for and something was parsed

    def summary(self) -> dict[str, int]:
        """The `summary` object of the JSON output; errors, warnings and notes count what is shown."""
        labels = [finding.severity.label for finding in self.findings]
        return {"files_found": self.files_found, "files_analysed": self.files_analysed, "errors": labels.count("error"),
                "warnings": labels.count("warning"), "notes": labels.count("note"), "hidden_notes": self.hidden_notes,
                "suppressed": self.suppressed, "baselined": len(self.known), "pausing_functions": self.pausing, "graphs": self.graphs,
                "unresolved_calls_in_zones": len(self.unresolved)}


def check(request: Request) -> Result:
    """Run the linter. Never raises for anything in the checked code or on the disk; what went wrong stands in the result. Raises `Stopped` only
    when `request.stop` says so."""
    collecting = gc.isenabled()
    gc.disable()  # paths, stats and facts hold no cycles: collecting finds nothing and costs a fifth of a parse
    try:
        return _check(request)
    finally:
        if collecting:
            gc.enable()


def _check(request: Request) -> Result:
    found = discover.discover(request.paths, _excludes(request))
    files = found.files
    overrides: dict[str, bytes] = dict(request.overrides)
    named, alone = set(_named(request.paths)), set(found.alone)
    if request.stdin is not None and not stdin_excluded(request):
        path = discover.display(request.stdin_path)
        overrides[path] = request.stdin
        named.add(path)
        if path not in files:
            alone.add(path)
        files = sorted({*files, path})
    troubles = list(found.troubles)
    source = _Files(overrides, troubles, frozenset(named), frozenset(alone))
    if request.fixes:
        source.keep(KEPT_BYTES)  # what is mended must be what was read
    if not request.gate:
        return _go_on(request, files, _everything(files, source), [], source, _Surroundings(request, files, source, found.walked))
    return _gated(request, files, source, _Surroundings(request, files, source, found.walked))


def _gated(request: Request, files: list[str], source: _Files, around: _Surroundings) -> Result:
    """A run of the usual kind, with what is remembered of earlier ones if the request allows."""
    stamps = None
    if request.cache is not None:
        stamps = discover.Stamps()
        stamps.take(path for path in files if path not in source.overrides)
    gated = None
    if stamps is None or len(files) <= FEW:
        gated = _gate(files, source, None, request.progress)
        if stamps is None or not gated[0]:
            return _go_on(request, files, *gated, source, around)
    assert stamps is not None
    memory = _memory(request, source, around, stamps)
    if memory is None:
        return _go_on(request, files, *(gated or _gate(files, source, None, request.progress)), source, around)
    name = "" if request.overrides or request.stdin is not None or request.parsed is not None else _name_of(request, around)
    if name and (known := _recalled(memory, name, files, around)) is not None:
        return known
    stamps.take(path for path in around.files if path not in source.overrides)
    result = _go_on(request, files, *(gated or _gate(files, source, memory, request.progress)), source, around, memory)
    if name:
        _remember(memory, name, files, around, result)
    memory.save()
    return result


def _go_on(request: Request, files: list[str], candidates: dict[str, bytes | None], hooks: Sequence[str], source: _Files, around: _Surroundings,
           memory: Memory | None = None) -> Result:
    if candidates:
        return _judge(request, files, candidates, hooks, source, around, memory)
    troubles = source.troubles
    return Result([], files_found=source.found(files), complaints=tuple(str(t) for t in troubles), failed=any(t.named for t in troubles),
                  linted=tuple(files))


class _Surroundings:
    """The project around the linted files: what it consists of is found out when it is asked for."""

    def __init__(self, request: Request, files: list[str], source: _Files, walked: Sequence[str]) -> None:
        self._excludes = _excludes(request)
        self._linted = files
        self._walked = walked
        self._named = source.named
        self._layouts = request.layouts
        self.walked_whole = source.named <= set(walked)
        self._roots: dict[str, bool] | None = None
        self._files: list[str] | None = None
        # The manifests that were looked for, with their content, and the folders in which requirements were, with `versions.listed`.
        self.manifests: dict[str, bytes | None] = {}

    @property
    def roots(self) -> dict[str, bool]:
        if self._roots is None:
            self._roots = discover.project_roots(sorted(self._named))
        return self._roots

    @property
    def files(self) -> list[str]:
        """All files of the project, the linted ones included, sorted."""
        if self._files is None:
            # Walking again is spared when the project is what was walked.
            known = set(self.roots) <= set(self._walked) and not self._excludes.patterns
            self._files = self._linted if known else sorted({*self._linted, *_project_files(self.roots, self._layouts)})
        return self._files


# --------------------------------------------------------------------------- what earlier runs have learnt
# Of a request, what makes no difference to a result, and what keeps one from being remembered.
_NO_PART = frozenset({"jobs", "last", "cache", "stdin", "stdin_path", "overrides", "parsed", "progress", "stop", "layouts"})
# Of a result, what is remembered. A field that is added later and filled keeps the result from being remembered until it is listed here.
_PLAIN = ("files_found", "files_analysed", "files_read", "hidden_notes", "suppressed", "pausing", "graphs")
_REMEMBERED = frozenset({*_PLAIN, "findings", "known", "linted", "unresolved", "texts"})


def _memory(request: Request, source: _Files, around: _Surroundings, stamps: discover.Stamps) -> Memory | None:
    """The cache that the request asks for, if there can be one."""
    from hitl_lint import cache

    directory, here = request.cache, os.getcwd()
    if not directory:
        # A cache lies at the top of a project; files that belong to none get none, and neither do several projects at once.
        if len(around.roots) != 1 or not all(around.roots.values()):
            return None
        root = os.path.abspath(*around.roots)
        directory = os.path.join(root, cache.DIRECTORY)
        here = os.path.relpath(here, root) if os.path.splitdrive(here)[0] == os.path.splitdrive(root)[0] else here
    store = cache.open_store(directory, given=bool(request.cache))
    return None if store is None else cache.Memory(store, here, stamps, lazy=request.parsed is None)


def _name_of(request: Request, around: _Surroundings) -> str:
    from hitl_lint.cache import digest

    asked = [(name, value) for name, value in request._asdict().items() if name not in _NO_PART]
    return digest(repr((os.getcwd(), sorted(around.roots.items()), asked)).encode("utf-8", "surrogateescape"))


def _recalled(memory: Memory, name: str, files: list[str], around: _Surroundings) -> Result | None:
    """The result of the same run, if nothing that it depends on has changed."""
    known = memory.recall(name)
    if known is None:
        return None
    from hitl_lint.cache import digest, unpack

    try:
        code = around.files if known["whole"] else files
        if known["stamp"] != memory.stamp(code):
            return None
        for path, content in known["manifests"].items():
            data = _manifest(path)
            if content != (None if data is None else digest(data)):
                return None
        texts = {path: discover.read_bytes(path) for path in known["texts"]}
        if around.walked_whole and known["asked"] is not None:
            asked.settled(code, known["asked"])
        return Result(list(unpack(known["findings"])), known=tuple(unpack(known["known"])), linted=tuple(files), unresolved=tuple(known["unresolved"]), texts=texts, **{key: known[key] for key in _PLAIN})
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None


def _remember(memory: Memory, name: str, files: list[str], around: _Surroundings, result: Result) -> None:
    if any(value != Result._field_defaults[key] for key, value in result._asdict().items() if key not in _REMEMBERED):
        return  # complaints and failures are found out again
    from hitl_lint.cache import digest, pack

    # What a named file leads to may stand anywhere in the project.
    whole = result.files_analysed > 0 or not around.walked_whole
    code = around.files if whole else files
    stamp = memory.stamp(code)
    if not stamp:
        return
    if around.walked_whole:
        asked.settled(code)
    try:
        memory.remember(name, {
            "stamp": stamp, "whole": whole, "findings": pack(result.findings), "known": pack(result.known), "unresolved": list(result.unresolved), "texts": sorted(result.texts),
            "asked": sorted(asked.read) if asked.wanted else None,
            "manifests": {path: None if data is None else digest(data) for path, data in around.manifests.items()},
            **{key: getattr(result, key) for key in _PLAIN}})
    except (ValueError, RecursionError):
        pass


def _excludes(request: Request) -> discover.Excludes:
    config = request.config
    patterns = []
    if config.exclude or config.extend_exclude:
        patterns.append((config.root, Patterns([*(config.exclude or ()), *config.extend_exclude])))
    if request.exclude:
        patterns.append((os.getcwd(), Patterns(request.exclude)))
    return discover.Excludes(config.exclude is None, tuple(patterns), request.force_exclude)


def stdin_excluded(request: Request) -> bool:
    """Whether the code on stdin is called like a file that is left out."""
    return request.force_exclude and discover.excluded(discover.display(request.stdin_path), False, _excludes(request))


def _named(paths: Sequence[str]) -> Iterable[str]:
    return (discover.display(path) for path in paths if path)


class _Files:
    """Reads bytes, once and with complaints: what stands on stdin wins over the disk. `named`: the paths that were given; `alone`: the files among them
    that are looked at only because of that."""

    def __init__(self, overrides: dict[str, bytes], troubles: list[discover.Trouble], named: frozenset[str], alone: frozenset[str]) -> None:
        self.overrides = overrides
        self.troubles = troubles
        self.named = named
        self.alone = alone
        self._bad: set[str] = set()
        self._kept: dict[str, bytes] = {}
        self._room = 0

    def keep(self, room: int) -> None:
        """From here on files are read again and again: keep up to `room` bytes of them."""
        self._room = room

    def hold(self, contents: Mapping[str, bytes]) -> None:
        """These have been read: read no other version of them."""
        self._kept.update(contents)

    def drop(self) -> None:
        """Keep no content any more."""
        self._room = 0
        self._kept.clear()

    def found(self, files: Sequence[str]) -> int:
        """How many of these files are there to be read, as far as was tried."""
        return len(files) - len(self._bad.intersection(files))

    def read(self, path: str) -> bytes | None:
        """The content, or None with a line in `troubles` when it cannot be had."""
        if path in self.overrides:
            return self.overrides[path]
        if path in self._kept:
            return self._kept[path]
        try:
            data = discover.read_bytes(path)
            if len(data) <= self._room:
                self._room -= len(data)
                self._kept[path] = data
            return data
        except (OSError, ValueError, MemoryError) as error:
            if path not in self._bad:
                self._bad.add(path)
                why = "too large" if isinstance(error, MemoryError) else discover.reason(error)
                self.troubles.append(discover.Trouble(path, why, path in self.named))
            return None


def _gate(files: Sequence[str], source: _Files, memory: Memory | None,
          progress: Callable[[str, int, int], None] | None = None) -> tuple[dict[str, bytes | None], list[str]]:
    """The files worth a parse, with their content, or None for one that is as it was when its facts were remembered; and those that are worth
    it if some tool pauses."""
    out: dict[str, bytes | None] = {}
    hooks: list[str] = []
    reach = discover.Reach(source.read)
    for number, path in enumerate(files):
        if progress is not None and not number % 100:
            progress("looking for pauses", number, len(files))
        data = None
        verdict = memory.verdict(path) if memory is not None else None
        if verdict is None:
            data = source.read(path)
            if data is None:
                continue
            verdict = discover.verdict(path, data)
            if memory is not None:
                memory.judged(path, verdict)
        if path in source.alone and not verdict & discover.WHEN_NAMED:
            content = data if data is not None else source.read(path)
            if content is not None and reach.to_candidate(path, content):
                verdict = discover.WHEN_NAMED
        if verdict:
            if verdict & (discover.WHEN_NAMED if path in source.alone else discover.CANDIDATE):
                out[path] = data
            elif verdict & discover.HOOK:
                hooks.append(path)
    return out, hooks


def _everything(files: Sequence[str], source: _Files) -> dict[str, bytes | None]:
    pairs = ((path, source.read(path)) for path in files)
    return {path: data for path, data in pairs if data is not None}


# --------------------------------------------------------------------------- from here on something is parsed
def _judge(request: Request, files: list[str], candidates: dict[str, bytes | None], hooks: Sequence[str], source: _Files, around: _Surroundings,
           memory: Memory | None) -> Result:
    from hitl_lint.analysis.project import Project
    from hitl_lint.rules import all_rules
    from hitl_lint.versions import Versions

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        complaints: list[str] = []
        rules = [rule for rule in all_rules() if selected(request.config, rule.meta.code, rule.meta.opt_in)]
        reader = _Reader(source, request.jobs, complaints, request.parsed, request.progress, request.stop, memory)
        linted = set(files)
        roots, project_files = around.roots, around.files
        manifests = _manifests(_manifest_folders(roots, candidates), around.manifests)
        modules = reader.read_all(candidates)
        rest = [path for path in files if path not in modules]
        if len(project_files) > len(linted):
            # What is found in a file does not depend on which others are named: its callers are looked for in the whole project.
            excludes = _excludes(request)
            rest += [path for path in project_files if path not in linted and path not in modules
                     and not (excludes.patterns and discover.excluded(path, False, excludes))]
        project = Project(modules, project_files, reader.load, dict(request.config.effects), manifests,
                          whole=request.gate and len(project_files) == len(linted), place=discover.places(roots),
                          reaches=Versions(request.config.langgraph, list(roots), around.manifests).reaches,
                          holding=lambda pattern, among=None: [p for p in (project_files if among is None else among)
                                                               if re.search(pattern, source.read(p) or b"")],
                          index=_index(project_files, roots, request.layouts))
        if request.gate:
            _link(project, modules, rest, hooks, reader, source, memory)
            if not request.fixes:  # fixers must see what was read
                source.drop()
        project.settle()
        raw, crashed = _apply(rules, project, complaints, request.progress, request.stop)
        for _, finding in raw:
            # A tool that needs no pause of its own to be run twice may stand in a file that was only looked up.
            path = finding.span.path
            if path not in modules and path in linted and (module := reader.load(path)) is not None:
                modules[path] = module
        findings, hidden, suppressed = _settle(request, rules, raw, {path: m for path, m in modules.items() if path in linted})
        known: list[Finding] = []
        if request.baseline is not None:
            findings, known = request.baseline.split(findings)
        texts: dict[str, bytes] = {}
        if request.fixes and findings:
            source.hold({path: data for path, data in candidates.items() if data is not None})
            findings = _mendable(findings, project, source, complaints, _fence(request, linted, project_files))
            touched = {edit.span.path for finding in findings for fix in finding.fixes for edit in fix.edits}
            texts = {path: data for path in sorted(touched) if (data := source.read(path)) is not None}
        drawn, unpainted = _painted(project, linted, complaints) if request.picture else (None, False)
        failed = crashed or unpainted or reader.crashed or any(t.named for t in source.troubles)
        if request.last:
            _KEPT.append(project)
        return Result(findings, source.found(files), len(linted.intersection(modules)), reader.count, hidden, suppressed, tuple(project.unresolved_calls),
                      tuple(str(t) for t in source.troubles) + tuple(complaints), failed, texts,
                      tuple(known), tuple(files), *_counted(project, linted), drawn)
    finally:
        sys.setrecursionlimit(limit)


def _counted(project: Any, linted: set[str]) -> tuple[int, int]:
    """(functions that pause, graphs built) in these files; a graph whose constructor is not seen does not count."""
    try:
        pausing = {id(p.info.fn) for p in project.pausing() if p.path in linted and p.pauses}
        graphs = {id(g.origin) for g in project.graphs.all() if g.origin is not None and g.scope.module.path in linted}
    except Exception:  # an ornament of the last line; what is wrong has been told by a rule
        return 0, 0
    return len(pausing), len(graphs)


def _project_files(roots: Mapping[str, bool], layouts: dict[Any, Any] | None) -> list[str]:
    """`discover.project_files`, which walks, unless it is known."""
    if layouts is None:
        return discover.project_files(dict(roots))
    key = (os.getcwd(), *sorted(roots))
    if key not in layouts:
        layouts[key] = discover.project_files(dict(roots))
    return layouts[key]


def _index(files: Sequence[str], roots: Mapping[str, bool], layouts: dict[Any, Any] | None) -> Any:
    """What these files are called as modules, unless that is better worked out anew (None)."""
    if layouts is None:
        return None
    from hitl_lint.analysis.names import Index

    key = (os.getcwd(), tuple(roots), tuple(files))
    if key not in layouts:
        layouts[key] = Index(files, discover.places(roots))
    return layouts[key]


def _link(project: Any, modules: dict[str, Module], rest: Sequence[str], hooks: Sequence[str], reader: _Reader, source: _Files,
          memory: Memory | None) -> None:
    """Adds to the project (and to `modules`) the callers of what pauses, round by round, and the hooks around tools that pause."""
    sought: set[tuple[str, str]] = set()
    tops: dict[str, Any] = {}
    source.keep(KEPT_BYTES)
    for _ in range(MAX_ROUNDS):
        callers = reader.read_all(_callers(project, modules.values(), rest, source, memory, sought, tops))
        # What was concluded before the last files came may be out of date: at the end once more with everything.
        if not callers and project.refresh():
            callers = reader.read_all(_callers(project, modules.values(), rest, source, memory, sought, tops))
        if not callers:
            break
        for path, module in callers.items():
            project.add(path, module)
        modules.update(callers)
        rest = [path for path in rest if path not in modules]
    hooks = [path for path in hooks if path not in modules]
    if hooks and not project.pauses(in_tests=False):
        # What pauses in the tests alone meets only the hooks of the tests.
        hooks = [path for path in hooks if project.is_test(path)] if project.pauses(in_tests=True) else []
    for path, module in reader.read_all(dict.fromkeys(hooks)).items():
        project.add(path, module)
        modules[path] = module


def _callers(project: Any, modules: Iterable[Module], rest: Sequence[str], source: _Files, memory: Memory | None,
             sought: set[tuple[str, str]], tops: dict[str, Any]) -> dict[str, bytes | None]:
    """Of the files without a needle, those that seem to use something that pauses, with their content or None where it was not read. `sought`: what the rounds before have
    looked for; `tops`: what they know of what modules export; both grow."""
    if not rest:
        return {}
    from hitl_lint.analysis.exports import exported

    symbols = exported(modules, project.pausing_symbols(), tops) - sought
    sought |= symbols
    # A decorator's file need not name anything that pauses: it is given the function.
    wrapping = project.decorated.files()
    out: dict[str, bytes | None] = {path: None for path in rest if path in wrapping}
    # Neither need the file of a function that builds a graph from the nodes it is given.
    building = project.handed.files()
    out.update((path, data) for path in rest if path in building and (data := source.read(path)) is not None and BUILDS in data)
    if not symbols:
        return out
    seeker = discover.Seeker(symbols)
    question = memory.question(repr(sorted(symbols))) if memory is not None else None
    for path in rest:
        answer = question.get(path) if question is not None and path not in source.overrides else None
        data = None
        if answer is None:
            data = source.read(path)
            if data is None:
                continue
            answer = seeker.admits(path, data)
            if question is not None and path not in source.overrides:
                question.set(path, answer)
        if answer:
            out[path] = data
    return out


def _manifest_folders(roots: Iterable[str], candidates: Iterable[str]) -> list[str]:
    """The project roots and the folders between them and the candidates: an application of a larger repository has its manifest beside it."""
    out = dict.fromkeys(roots)
    for path in candidates:
        folder = path.rpartition("/")[0]
        while folder and folder not in out and not folder.endswith(".."):
            out[folder] = None
            folder = folder.rpartition("/")[0]
    return list(out)


def _manifests(folders: Iterable[str], looked_for: dict[str, bytes | None]) -> dict[str, Any]:
    """langgraph.json and aegra.json of these folders: path -> its content, where it is JSON. `looked_for` gets them all as they are."""
    out: dict[str, Any] = {}
    for folder in folders:
        for name in ("langgraph.json", "aegra.json"):
            path = name if folder == "." else f"{folder}/{name}"
            data = looked_for[path] = _manifest(path)
            if data is None:
                continue
            import json

            try:
                out[path] = json.loads(data)
            except (ValueError, RecursionError):
                continue
    return out


def _manifest(path: str) -> bytes | None:
    if path.endswith(os.sep):
        from hitl_lint.versions import listed

        return listed(path)
    if asked.wanted:
        asked.read.add(path)
    try:
        return discover.read_bytes(path)
    except OSError:
        return None


class _Reader:
    """Turns bytes into facts; in several processes when there is much to parse."""

    # Below this many bytes a second process costs more than it saves (PERF: 16 files or 100 kB).
    PARALLEL_BYTES = 100_000

    def __init__(self, source: _Files, jobs: int, complaints: list[str], parsed: dict[tuple[str, bytes], Module] | None,
                 progress: Callable[[str, int, int], None] | None = None, stop: Callable[[], bool] | None = None,
                 memory: Memory | None = None) -> None:
        self._source = source
        self._progress = progress
        self._stop = stop
        self._memory = memory
        self._parsed = parsed
        self._jobs = jobs or os.cpu_count() or 1
        self._complaints = complaints
        self._loaded: dict[str, Module | None] = {}
        self.count = 0
        self.crashed = False

    def load(self, path: str) -> Module | None:
        """One more file of the project, on demand; None when it cannot be read. Memoised."""
        if path not in self._loaded and not self._remembered(path, None):
            data = self._source.read(path)
            self._loaded[path] = None if data is None else self._read(path, data)
        return self._loaded[path]

    def read_all(self, contents: Mapping[str, bytes | None]) -> dict[str, Module]:
        """Every file that can be read, by path, in sorted order. Without a content it is read, unless its facts are remembered."""
        fresh: dict[str, bytes] = {}
        for path, given in contents.items():
            if path in self._loaded or self._remembered(path, given):
                continue
            data = given if given is not None else self._source.read(path)
            if data is None:
                self._loaded[path] = None
            elif self._parsed is not None and (path, data) in self._parsed:
                self._loaded[path] = self._read(path, data)
            else:
                fresh[path] = data
        size = sum(map(len, fresh.values()))
        if size > self.PARALLEL_BYTES and self._jobs > 1 and len(fresh) > 1 and _can_fork():
            self._read_in_parallel(fresh)
        for number, (path, data) in enumerate(fresh.items()):
            if self._progress is not None:
                self._progress("reading", number, len(fresh))
            if path not in self._loaded:
                self._loaded[path] = self._read(path, data)
            elif self._parsed is not None and (module := self._loaded[path]) is not None:
                self._parsed[path, data] = module
        return {path: module for path in sorted(contents) if (module := self._loaded[path]) is not None}

    def _remembered(self, path: str, data: bytes | None) -> bool:
        """Take over what an earlier run has read: by the file's stat, or by its content. Never for content that stands for a file."""
        memory = self._memory
        if memory is None or path in self._source.overrides:
            return False
        module = memory.known(path)
        if module is None:
            data = data if data is not None else self._source.read(path)
            if data is None or self._parsed is not None and (path, data) in self._parsed:
                return False
            module = memory.facts(path, memory.digest(path, data))
            if module is not None and self._parsed is not None:
                self._parsed[path, data] = module
        if module is None:
            return False
        self.count += 1
        self._loaded[path] = module
        return True

    def _read(self, path: str, data: bytes) -> Module:
        from hitl_lint.frontend import incremental, source

        if self._stop is not None and self._stop():
            raise Stopped
        self.count += 1
        if self._parsed is not None and (path, data) in self._parsed:
            return self._parsed[path, data]
        try:
            again = self._parsed.again(path, data) if isinstance(self._parsed, incremental.Parsed) else None
            module = again or source.read(path, data)
        except Exception as error:
            from hitl_lint.facts import Module

            self.crashed = True
            self._complaints.append(f"internal error while reading {path}: {_told(error)}; please report")
            return Module(path, [])
        if self._parsed is not None:
            self._parsed[path, data] = module
        if self._memory is not None and path not in self._source.overrides:
            self._memory.keep(self._memory.digest(path, data), module)
        return module

    def _read_in_parallel(self, contents: dict[str, bytes]) -> None:
        """Shares the files out by size, reads one share here and the others in forked children. What a child that died has not
        delivered is left to the caller, file by file."""
        import libcst  # noqa: F401  (loaded once, before the fork)

        shares: list[list[str]] = [[] for _ in range(min(self._jobs, len(contents)))]
        sizes = [0] * len(shares)
        for path in sorted(contents, key=lambda p: -len(contents[p])):
            smallest = sizes.index(min(sizes))
            shares[smallest].append(path)
            sizes[smallest] += len(contents[path])
        children = [(share, *_fork(self._deliver, share, contents)) for share in shares[1:]]
        for number, path in enumerate(shares[0]):
            if self._progress is not None:  # the shares take about the same time
                self._progress("reading", number * len(shares), len(contents))
            self._loaded[path] = self._read(path, contents[path])
        for share, pid, pipe in children:
            if self._collect(pid, pipe):
                # The native parser took the child with it: find the file, each in a process of its own.
                for path in share:
                    if self._collect(*_fork(self._deliver, [path], contents)):
                        self._loaded[path] = _unparsable(path)

    def _deliver(self, share: list[str], contents: dict[str, bytes]) -> bytes:
        """In a child: the facts of its share. Nothing when something went wrong, so that the parent reads and tells itself."""
        import marshal

        from hitl_lint import facts

        dumped = [[path, facts.dump(self._read(path, contents[path]))] for path in share]
        return b"" if self.crashed else marshal.dumps(dumped)

    def _collect(self, pid: int, pipe: int) -> bool:
        """Takes over what a child delivered; True when it was killed."""
        import marshal

        from hitl_lint import facts

        with os.fdopen(pipe, "rb") as stream:
            data = stream.read()
        killed = os.WIFSIGNALED(os.waitpid(pid, 0)[1])
        try:
            delivered = marshal.loads(data)
        except (ValueError, EOFError, TypeError):
            return killed
        for path, dumped in delivered:
            self.count += 1
            self._loaded[path] = facts.load(dumped)
        return False


def _unparsable(path: str) -> Module:
    from hitl_lint.facts import Module, Problem

    return Module(path, [], problems=[Problem(1, 1, "the parser gave up on this file", None)])


def _can_fork() -> bool:
    """Forking is cheap and safe on Linux; elsewhere a new process would import libcst again, for more than it saves."""
    if not sys.platform.startswith("linux"):
        return False
    import threading

    return threading.active_count() == 1


def _fork(work: Callable[[list[str], dict[str, bytes]], bytes], share: list[str], contents: dict[str, bytes]) -> tuple[int, int]:
    """A child that writes the result of `work` to a pipe: (its id, the pipe's reading end). A failed child writes nothing."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    status = 1
    try:
        os.close(reading)
        with os.fdopen(writing, "wb") as stream:
            stream.write(work(share, contents))
        status = 0
    except BaseException:  # whatever happened, the parent reads these files itself and tells
        pass
    finally:
        os._exit(status)


def _told(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}" if text else type(error).__name__


def _apply(rules: Sequence[Rule], project: Any, complaints: list[str], progress: Callable[[str, int, int], None] | None = None,
           stop: Callable[[], bool] | None = None) -> tuple[list[tuple[Rule, Finding]], bool]:
    """What the rules say. One that fails costs its own further findings and the run its clean exit status, nothing else."""
    raw: list[tuple[Rule, Finding]] = []
    crashed = False
    for number, rule in enumerate(rules):
        if stop is not None and stop():
            raise Stopped
        if progress is not None:
            progress("judging", number, len(rules))
        try:
            for finding in rule.check(project):
                raw.append((rule, finding))
        except Stopped:
            raise
        except Exception as error:
            crashed = True
            place = _module_in(error)
            complaints.append(f"internal error in {rule.meta.code}{' on ' + place if place else ''}: {_told(error)}; please report")
            if os.environ.get("HITL_LINT_TRACEBACK"):
                import traceback

                complaints.append("".join(traceback.format_exception(error)).rstrip())
    return raw, crashed


def _painted(project: Any, linted: set[str], complaints: list[str]) -> tuple["Picture | None", bool]:
    """(the picture, whether drawing failed). A picture that cannot be drawn costs the run its clean exit status and no finding."""
    from hitl_lint.analysis.picture import picture

    try:
        return picture(project, linted), False
    except Exception as error:
        complaints.append(f"internal error while drawing{' ' + place if (place := _module_in(error)) else ''}: {_told(error)}; please report")
        if os.environ.get("HITL_LINT_TRACEBACK"):
            import traceback

            complaints.append("".join(traceback.format_exception(error)).rstrip())
        return None, True


def _module_in(error: BaseException) -> str:
    """The path of the module that the innermost frame with one at hand was looking at."""
    from hitl_lint.facts import Module

    place = ""
    frame = error.__traceback__
    while frame is not None:
        for value in frame.tb_frame.f_locals.values():
            if isinstance(value, Module):
                place = value.path
        frame = frame.tb_next
    return place


# --------------------------------------------------------------------------- from raw findings to those that are shown
def _settle(request: Request, rules: Sequence[Rule], raw: list[tuple[Rule, Finding]], modules: dict[str, Module]) -> tuple[list[Finding], int, int]:
    """(findings to show, hidden notes, suppressed)."""
    from hitl_lint.finding import Severity

    config = request.config
    chosen = _strongest([(rule, finding) for rule, finding in raw if finding.span.path in modules])
    chosen, suppressed = _unsuppressed(chosen, rules, modules, request.keep_noqa)
    ignored = _ignores_by_file(config)
    shown: list[Finding] = []
    hidden = 0
    least = Severity[config.min_severity.upper()]
    for rule, finding in chosen:
        if ignored is not None and any(finding.code.startswith(code) or code == "ALL" for code in ignored(finding.span.path)):
            continue
        if finding.severity >= least or (rule.meta.shown and least == Severity.WARNING):
            shown.append(finding)
        elif finding.severity == Severity.NOTE:
            hidden += 1
    return sorted(shown, key=lambda finding: finding.sort_key), hidden, suppressed


def _fence(request: Request, linted: set[str], project_files: Sequence[str]) -> Callable[[str], str]:
    """path -> why no fix may change that file, "" where it may."""
    excludes = _excludes(request)
    ours = set(project_files)

    tops = [os.path.realpath(root) for root in discover.project_roots(sorted(linted)[:1])] + [os.path.realpath(os.getcwd())]

    def barred(path: str) -> str:
        if os.path.islink(path) and not any(os.path.realpath(path).startswith(top + os.sep) for top in tops):
            return "is a link to a file outside of the project"
        if path in linted:
            return ""
        if path not in ours:
            return "is outside of the project"
        return "is excluded" if discover.excluded(path, False, excludes) else ""

    return barred


def _mendable(findings: list[Finding], project: Any, source: _Files, complaints: list[str], barred: Callable[[str], str]) -> list[Finding]:
    """The findings with their fixes, or with why there are none. A fixer that fails costs its own fix and nothing else."""
    from dataclasses import replace

    from hitl_lint.fixes import Desk, propose
    from hitl_lint.frontend.source import lines_of

    def read(path: str) -> list[str] | None:
        data = source.read(path)
        return None if data is None else lines_of(path, data)

    desk = Desk(project, read)
    out: list[Finding] = []
    for finding in findings:
        try:
            for mended in propose(desk, [finding]):
                why = ""
                fixes = []
                for fix in mended.fixes:
                    off = next((f"{path} {reason}" for path in dict.fromkeys(e.span.path for e in fix.edits) if (reason := barred(path))), "")
                    if off:
                        why = why or f"it would change another file, and {off}"
                    else:
                        fixes.append(fix)
                out.append(replace(mended, fixes=tuple(fixes), no_fix=mended.no_fix if fixes or not why else why))
        except Stopped:
            raise
        except Exception as error:
            complaints.append(f"internal error while mending {finding.code} in {finding.span.path}: {_told(error)}; please report")
            if os.environ.get("HITL_LINT_TRACEBACK"):
                import traceback

                complaints.append("".join(traceback.format_exception(error)).rstrip())
            out.append(finding)
    return out


def _strongest(found: list[tuple[Rule, Finding]]) -> list[tuple[Rule, Finding]]:
    """One finding per family and line: where rules of a family meet on a line, the one of higher rank speaks. Equal findings count once."""
    top: dict[tuple[object, ...], int] = {}
    for rule, finding in found:
        family = finding.family or rule.meta.family
        if family:
            key = (family, finding.span.path, finding.span.cell, finding.span.line)
            top[key] = max(top.get(key, rule.meta.rank), rule.meta.rank)
    out = []
    seen = set()
    for rule, finding in found:
        family = finding.family or rule.meta.family
        same = (finding.code, finding.span)
        if same in seen or family and rule.meta.rank < top[family, finding.span.path, finding.span.cell, finding.span.line]:
            continue
        seen.add(same)
        out.append((rule, finding))
    return out


def _unsuppressed(found: list[tuple[Rule, Finding]], rules: Sequence[Rule], modules: dict[str, Module],
                  keep_noqa: bool = False) -> tuple[list[tuple[Rule, Finding]], int]:
    """Findings that no comment covers, with HIL902 and HIL903 for the comments themselves, and how many were covered. `keep_noqa`: a noqa covers
    what it covers, but takes nothing back."""
    from hitl_lint.finding import Finding, Span
    from hitl_lint.rules import all_rules

    if not any(module.comments for module in modules.values()):
        return found, 0
    from hitl_lint.frontend import suppressions

    known = sorted(rule.meta.code for rule in all_rules())
    all_ran = {rule.meta.code for rule in rules} >= {rule.meta.code for rule in all_rules() if not rule.meta.opt_in}
    tables = {path: suppressions.table(module, known) for path, module in modules.items() if module.comments}
    out = []
    for rule, finding in found:
        table = tables.get(finding.span.path)
        if table is not None:
            first = _module_line(modules[finding.span.path], finding.span.cell, finding.span.line)
            last = _module_line(modules[finding.span.path], finding.span.cell, finding.span.end_line)
            if table.skip_file or table.covers(finding.code, first, last) and not (keep_noqa and table.leaves(finding.code, first, last)):
                continue
        out.append((rule, finding))
    suppressed = len(found) - len(out)
    by_code = {rule.meta.code: rule for rule in rules}
    ran = frozenset(by_code)
    for path, table in tables.items():
        told = []
        if "HIL903" in by_code:
            told += [(by_code["HIL903"], line, column, message, None) for line, column, message in table.malformed]
        if "HIL902" in by_code and not table.skip_file:
            told += [(by_code["HIL902"], line, column, _idle(text, codes), (line, column, text, tuple(codes))) for line, column, text, codes in table.unused(ran, all_ran)]
            told += [(by_code["HIL902"], line, column, f"`{code}` in `{text}` suppresses nothing: there is no such rule{nearest(code, known)}",
                      (line, column, text, (code,))) for line, column, text, code in table.unknown]
        for rule, line, column, message, subject in told:
            # A comment that suppresses everything must not suppress what is said about itself.
            if table.skip_file or (rule.meta.code != "HIL902" and table.covers(rule.meta.code, line, line)):
                suppressed += 1
                continue
            cell, inside = _cell_line(modules[path], line)
            span = Span(path, inside, column, inside, column + 1, cell)
            out.append((rule, Finding(rule.meta.code, rule.meta.name, rule.meta.severity, span, message, context=message, subject=subject)))
    return out, suppressed


def _idle(text: str, codes: Sequence[str]) -> str:
    """What is said of a comment of which `codes` (or, without any, all of it) suppress nothing."""
    whole = not codes or len(re.findall(r"\b[A-Za-z]+\d+\b|\bHIL\b", text)) == len(codes)
    hides = f"the next {' or '.join(codes)}" if codes else "whatever comes"
    return f"{'' if whole else ' and '.join(codes) + ' in '}`{text}` suppress{'es' if whole or len(codes) == 1 else ''} nothing: delete it, or it will hide {hides} here"


def _module_line(module: Module, cell: int | None, line: int) -> int:
    if cell is None:
        return line
    return next((c.first + line - 1 for c in module.cells if c.index == cell), line)


def _cell_line(module: Module, line: int) -> tuple[int | None, int]:
    for cell in module.cells:
        if cell.first <= line < cell.first + cell.lines:
            return cell.index, line - cell.first + 1
    return None, line


def _ignores_by_file(config: Config) -> Callable[[str], list[str]] | None:
    """path -> the codes that `per-file-ignores` names for it; None when there are none."""
    if not config.per_file_ignores:
        return None
    entries = [(Patterns([pattern]), codes) for pattern, codes in config.per_file_ignores]
    memo: dict[str, list[str]] = {}

    def codes_of(path: str) -> list[str]:
        if path not in memo:
            try:
                rel = os.path.relpath(path, config.root).replace(os.sep, "/")
            except ValueError:
                rel = path
            memo[path] = [code for patterns, codes in entries if patterns.covers(rel) for code in codes]
        return memo[path]

    return codes_of


def source_lines(stdin: dict[str, bytes]) -> Callable[[str, int | None], list[str] | None]:
    """(path, cell) -> the lines of a file or of a notebook's cell, for code frames; None when they cannot be had. `stdin` by path wins."""
    from functools import lru_cache

    texts = {discover.display(path): data for path, data in stdin.items()}

    @lru_cache(maxsize=8)
    def text_of(path: str) -> str | None:
        from hitl_lint.frontend import source

        try:
            return source.decode(texts[path] if path in texts else discover.read_bytes(path))
        except Exception:  # the frame is an ornament: whatever is wrong with the file has been told
            return None

    def lines(path: str, cell: int | None) -> list[str] | None:
        text = text_of(path)
        if text is not None and cell is not None:
            import json

            try:
                content = json.loads(text)["cells"][cell]["source"]
            except (ValueError, LookupError, TypeError, RecursionError):
                return None
            text = content if isinstance(content, str) else "".join(map(str, content))
        return None if text is None else text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    return lines


def notebook_lines(stdin: dict[str, bytes]) -> Callable[[str, int, int], int | None]:
    """(path, cell, line of the cell) -> the line of the notebook's JSON in which it stands; None when it cannot be had. `stdin` by path wins."""
    from functools import lru_cache

    texts = {discover.display(path): data for path, data in stdin.items()}

    @lru_cache(maxsize=8)
    def lines_of(path: str) -> dict[int, list[int]]:
        from hitl_lint.fixes.apply import lines_in_json

        try:
            return lines_in_json(texts[path] if path in texts else discover.read_bytes(path))
        except (OSError, ValueError, MemoryError):
            return {}

    def line(path: str, cell: int, number: int) -> int | None:
        rows = lines_of(path).get(cell)
        return None if not rows else rows[min(max(number, 1), len(rows)) - 1]

    return line


def notebook_edits(stdin: dict[str, bytes]) -> Callable[[str, Sequence[Edit]], Edit | None]:
    """(path, edits of a notebook's cells) -> the lines of its JSON that they change, as one edit of the file; None where that cannot be. `stdin` by
    path wins."""
    texts = {discover.display(path): data for path, data in stdin.items()}

    def edit(path: str, edits: Sequence[Edit]) -> Edit | None:
        from hitl_lint.fixes.apply import edit_of_json

        try:
            return edit_of_json(path, texts[path] if path in texts else discover.read_bytes(path), edits)
        except (OSError, ValueError, MemoryError):
            return None

    return edit
