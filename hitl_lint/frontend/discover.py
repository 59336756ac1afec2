"""Which files are looked at, and which of them are worth a parse. Standard library only: most runs end here.

Paths are relative to the working directory, with forward slashes, from the first moment: the same string opens the file, names it in
facts and stands in the report.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import time
from typing import Callable, Iterable, Iterator, NamedTuple, Sequence

from hitl_lint import asked
from hitl_lint.frontend.ignore import Patterns

SUFFIXES = (".py", ".ipynb")

# Never walked into unless named: tools' own folders, installed packages, build results. A directory that holds `pyvenv.cfg` is a virtual
# environment whatever it is called; `*.egg-info` is checked by suffix.
DEFAULT_EXCLUDES = frozenset({
    ".bzr", ".direnv", ".eggs", ".git", ".hg", ".hitl_lint_cache", ".hypothesis", ".ipynb_checkpoints", ".mypy_cache", ".nox", ".pants.d", ".pixi", ".pytest_cache",
    ".pytype", ".ruff_cache", ".svn", ".tox", ".venv", "__pycache__", "__pypackages__", "build", "buck-out", "dist", "node_modules",
    "site-packages", "dist-packages", "venv",
})

# What tells that a directory is the top of a project. Imports are resolved below it.
MARKERS = ("pyproject.toml", ".git", "setup.py", "langgraph.json", "hitl-lint.toml")

# The list of files that imports may lead to is bounded: a script in a home directory must not make us list the home directory.
MAX_FILES = 100_000
MAX_ENTRIES_WITHOUT_MARKER = 20_000

# The union of what the rules declare (a test compares). Written down here because asking the rules means importing all of them.
NEEDLES: tuple[bytes, ...] = (b"interrupt", b"Interrupt", b"resume", b"Command(", b"HIL", b"hitl-lint", b"wrap_tool_call", b"HumanInTheLoop")

# A file that holds a needle is a candidate when it speaks of the framework and holds evidence …
FRAMEWORK = (b"langgraph", b"langchain", b"deepagents", b"copilotkit", b"ag_ui")
# … or holds something that is a pause or an answer whatever it imports (a wrapper module may hide the framework), or a suppression of ours.
_STRONG = re.compile(rb"(?<![\w.])(?<!def )interrupt\(|GraphInterrupt|NodeInterrupt|GraphBubbleUp|interrupt_on\s*=|Command\(\s*resume|\bHIL\d{3}\b|hitl-lint:|[\"']__interrupt__")
# Without one of these words it cannot match: looking for words is ten times as fast as the pattern.
_STRONG_WORDS = (b"interrupt", b"GraphInterrupt", b"NodeInterrupt", b"GraphBubbleUp", b"Command(", b"HIL", b"hitl-lint:")
# Evidence is what pauses, or an import of it, or a suppression, or a change of the state of a waiting run; words in comments and strings pause nobody.
_PAUSES = re.compile(
    rb"\binterrupt\s*\(|update_state\s*\(|interrupt_(?:before|after)\s*=|NodeInterrupt|raise\s+\w*\.?GraphInterrupt|interrupt_on|HumanInTheLoop|\bHIL\d|hitl-lint|types\.interrupt\b"
    rb"|except\b[^\n]*(?:Graph|Node)Interrupt|__pregel_strict_resume|[\"']__interrupt__|import\b[^\n#]*\binterrupt\b|^[ \t]*interrupt\b[ \t]*(?:as\b|[,)#\r\n]|$)", re.MULTILINE)
_PAUSES_WORDS = (b"interrupt", b"update_state", b"strict_resume", b"NodeInterrupt", b"GraphInterrupt", b"HumanInTheLoop", b"HIL", b"hitl-lint:")
# Patterns that begin with a word are fast by themselves.
_EVERYTHING = (re.compile(rb"langgraph\.types\s+import\s*\*"), re.compile(rb"import\s+langgraph"))
# A Command, where something is resumed or a graph is run: most Commands only update the state of the node that returns them.
_COMMANDS = re.compile(rb"\bCommand\s*\(|import\b[^\n#]*\bCommand\b|^[ \t]*Command\b[ \t]*(?:as\b|[,)#\r\n]|$)", re.MULTILINE)
_RUNS = re.compile(rb"resume|(?:invoke|stream|batch)\s*\(|stream_events\(|\.runs\b")
# An answer that is sent to a server as a plain dict.
_SENT = re.compile(rb"[\"']resume[\"']\s*:|\bresume\s*=")
# An answer that is given beside the input of a run, where no graph takes it.
_BESIDE = re.compile(rb"\bcommand\s*=\s*(?:\{\s*[\"']|dict\(\s*)resume\b")
# A hook around tools: worth a look only where some tool pauses.
_HOOK = b"wrap_tool_call"
_WORD = re.compile(rb"\w+")
_AFTER_IMPORT = frozenset((b" ", b"\t", b"(", b"*", b"\\"))


# Patterns, the way down from their directory to the walked one, and the displayed prefix below which they hold.
_Scope = tuple[Patterns, str, str]


class Trouble(NamedTuple):
    """Something that could not be read. `named`: the user asked for it by name, so the run as a whole has failed."""

    path: str
    reason: str
    named: bool

    def __str__(self) -> str:
        return f"cannot read {self.path}: {self.reason}"


class Excludes(NamedTuple):
    """What is left out: `defaults` whether DEFAULT_EXCLUDES hold, `patterns` pairs of an absolute base directory and patterns below it,
    `force` whether they hold for files that are named, too."""

    defaults: bool = True
    patterns: tuple[tuple[str, Patterns], ...] = ()
    force: bool = False


class Discovery(NamedTuple):
    """`files` to lint, sorted; what could not be read; the directories that were walked whole; the files that were named and lie in none of these,
    or are left out there."""

    files: list[str]
    troubles: list[Trouble]
    walked: list[str]
    alone: frozenset[str]


def display(path: str) -> str:
    """`path` relative to the working directory, normalised, with forward slashes (absolute only where no relative path exists)."""
    if not os.path.isabs(path):
        path = os.path.normpath(path)
    else:
        try:
            path = os.path.relpath(path)
        except ValueError:  # another drive on Windows
            path = os.path.abspath(path)
    return path.replace(os.sep, "/") if os.sep != "/" else path


def reason(error: OSError | ValueError) -> str:
    """Why a path could not be read, in the system's words without its numbers."""
    text = getattr(error, "strerror", None) or str(error)
    return text[:1].lower() + text[1:]


def discover(paths: Sequence[str], excludes: Excludes) -> Discovery:
    """The files below `paths`: named files as they are (unless `excludes.force`), directories by suffix, less what is ignored."""
    files: set[str] = set()
    named: set[str] = set()
    troubles: list[Trouble] = []
    walked: list[str] = []
    for given in paths:
        if not given:  # an empty variable of a script must not turn into everything
            troubles.append(Trouble('""', "no such file or directory", True))
            continue
        path = display(given)
        try:
            mode = os.stat(path).st_mode
        except (OSError, ValueError) as error:
            troubles.append(Trouble(given, reason(error), True))
            continue
        if excludes.force and excluded(path, stat.S_ISDIR(mode), excludes):
            continue
        if stat.S_ISDIR(mode):
            walked.append(path)
            files.update(walk(path, excludes, troubles))
        elif not stat.S_ISREG(mode):
            troubles.append(Trouble(given, "not a regular file", True))
        else:
            named.add(path)
    return Discovery(sorted(files | named), troubles, walked, frozenset(named - files))


def excluded(path: str, is_dir: bool, excludes: Excludes) -> bool:
    """Is a named path left out, itself or because of a directory above it (as far as the working directory or the base of the pattern)?"""
    parts = path.split("/")
    above = parts if is_dir else parts[:-1]
    if excludes.defaults and any(_default_excluded(part) for part in above):
        return True
    full = os.path.abspath(path)
    for base, patterns in excludes.patterns:
        rel = _below(full, base)
        if rel is not None and rel != "." and (patterns.covers(rel) or is_dir and patterns.match(rel, parts[-1], True)):
            return True
    return False


def _default_excluded(name: str) -> bool:
    return name in DEFAULT_EXCLUDES or name.endswith(".egg-info")


def _below(path: str, base: str) -> str | None:
    """The absolute `path` relative to the absolute `base`, with forward slashes; None when it is not below it."""
    if path == base:
        return "."
    prefix = base if base.endswith(os.sep) else base + os.sep
    return path[len(prefix):].replace(os.sep, "/") if path.startswith(prefix) else None


def walk(root: str, excludes: Excludes = Excludes(), troubles: list[Trouble] | None = None, limit: int = 0) -> Iterator[str]:
    """Source files below the directory `root`, each once, less what `.gitignore` files and `excludes` leave out.

    Linked directories are not entered (so loops cannot happen), linked files only count when they lead out of `root`.
    A directory that cannot be listed is noted in `troubles`, `root` as one that was named. `limit` bounds the number of entries seen (0: no bound).
    """
    top = "" if root == "." else root.rstrip("/") + "/"
    full = os.path.abspath(root)
    # Walking from above the working directory passes through it again: what lies below it keeps its short name.
    inside = _below(os.getcwd(), full)
    home = f"{top}{inside}/" if inside is not None and inside != "." else ""
    # Patterns of the user come before any .gitignore, so that its `!` cannot bring back what was excluded.
    own: list[_Scope] = []
    for base, patterns in excludes.patterns:
        if (rel := _below(full, base)) is not None:
            own.append((patterns, "" if rel == "." else rel + "/", top))
        elif (inner := _below(base, full)) is not None:
            own.append((patterns, "", f"{top}{inner}/"))
    ignores_above: list[_Scope] = [(patterns, extra, top) for patterns, extra in _ignores_above(full)]
    seen = 0
    stack: list[tuple[str, list[_Scope]]] = [(top, ignores_above)]
    while stack:
        prefix, ignores = stack.pop()
        if asked.wanted:
            asked.read.add(prefix or ".")
        try:
            with os.scandir(prefix or ".") as entries:
                listing = list(entries)
        except OSError as error:
            if troubles is not None:
                troubles.append(Trouble(prefix.rstrip("/") or ".", reason(error), prefix == top))
            continue
        seen += len(listing)
        if limit and seen > limit:
            return
        names = {entry.name for entry in listing}
        if "pyvenv.cfg" in names and prefix != top and excludes.defaults:
            continue
        if ".gitignore" in names:
            patterns = _read_patterns(prefix + ".gitignore")
            if patterns:
                ignores = [*ignores, (patterns, "", prefix)]
        for entry in listing:
            name = entry.name
            try:
                if name.endswith(SUFFIXES) and not entry.is_dir(follow_symlinks=False):
                    if asked.wanted and entry.is_symlink():  # what it leads to can change where nobody looks
                        asked.read.add(prefix + name)
                    if not entry.is_file(follow_symlinks=False) and not (entry.is_file() and _leads_out(prefix + name, full)):
                        continue
                    is_dir = False
                elif entry.is_dir(follow_symlinks=False):
                    if excludes.defaults and _default_excluded(name):
                        continue
                    is_dir = True
                else:
                    continue
            except OSError:
                continue
            path = prefix + name
            if own and _ignored(own, path, name, is_dir) or ignores and _ignored(ignores, path, name, is_dir):
                continue
            if is_dir:
                stack.append((path + "/", ignores))
            else:
                yield path[len(home):] if home and path.startswith(home) else path


def _ignored(scopes: list[_Scope], path: str, name: str, is_dir: bool) -> bool:
    """The nearest file of patterns that says anything decides."""
    for patterns, extra, prefix in reversed(scopes):
        if path.startswith(prefix):
            verdict = patterns.match(extra + path[len(prefix):], name, is_dir)
            if verdict is not None:
                return verdict
    return False


def _leads_out(path: str, root: str) -> bool:
    return _below(os.path.realpath(path), os.path.realpath(root)) is None


def _read_patterns(path: str) -> Patterns | None:
    if asked.wanted:
        asked.read.add(path)
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return Patterns(file)
    except OSError:
        return None


def _ignores_above(directory: str) -> list[tuple[Patterns, str]]:
    """The `.gitignore` files of the directories above an absolute one, outermost first, as far as the repository's top; none outside a
    repository. Each with the way down from it to the directory ("src/app/")."""
    extra = ""
    found: list[tuple[Patterns, str]] = []
    while not asked.exists(os.path.join(directory, ".git")):
        parent, name = os.path.split(directory)
        if parent == directory:
            return []
        extra = f"{name}/{extra}"
        directory = parent
        patterns = _read_patterns(os.path.join(directory, ".gitignore"))
        if patterns:
            found.append((patterns, extra))
    found.reverse()
    return found


def project_roots(paths: Iterable[str]) -> dict[str, bool]:
    """The top directory of the project of each path, as displayed, outermost only -> whether a marker was found there.

    Without a marker anywhere above, the path's own directory (the directory itself if it is one) is the project.
    """
    found: dict[str, bool] = {}
    answers: dict[str, tuple[str, bool]] = {}
    for path in paths:
        full = os.path.abspath(path)
        start = full if os.path.isdir(full) else os.path.dirname(full)
        if start not in answers:
            answers[start] = _root_of(start)
        directory, marked = answers[start]
        found[directory] = found.get(directory, False) or marked
    return {display(d): marked for d, marked in found.items() if not any(o != d and _below(d, o) is not None for o in found)}


def places(roots: Iterable[str]) -> Callable[[str], str]:
    """displayed path -> path below the project's root, so that module names do not depend on the directory a run is started in. With several
    projects at once it stays as displayed, which tells them apart."""
    known = list(roots)
    if len(known) != 1 or known[0] == ".":
        return str
    here, root = os.getcwd(), os.path.abspath(known[0])

    def place(path: str) -> str:
        below = _below(os.path.normpath(os.path.join(here, path)), root)
        return path if below is None else below

    return place


def _root_of(start: str) -> tuple[str, bool]:
    directory = start
    while True:
        if any(asked.exists(os.path.join(directory, marker)) for marker in MARKERS):
            return directory, True
        parent = os.path.dirname(directory)
        if parent == directory:
            return start, False
        directory = parent


def project_files(roots: dict[str, bool]) -> list[str]:
    """Every source file below the project roots, sorted: what imports may lead to, whether or not it is linted."""
    out: set[str] = set()
    for root, marked in roots.items():
        for path in walk(root, limit=0 if marked else MAX_ENTRIES_WITHOUT_MARKER):
            out.add(path)
            if len(out) >= MAX_FILES:
                break
    return sorted(out)


def read_bytes(path: str) -> bytes:
    """The content of a file; raises OSError. Plain system calls: half the time of `open(path, "rb").read()` over many small files."""
    fd = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
    try:
        size = os.fstat(fd).st_size + 1
        data = os.read(fd, size)
        if len(data) == size - 1:
            return data
        parts = [data]
        while data:
            data = os.read(fd, 1 << 20)
            parts.append(data)
        return b"".join(parts)
    finally:
        os.close(fd)


# --------------------------------------------------------------------------- what changed
# A file that changed this shortly before it was looked at may change again without its stat telling (FAT counts in steps of two seconds).
GRACE_NS = 2_000_000_000


class Stamps:
    """What tells that a file is as it was: times, size and identity, taken before it is read. `young` are those that changed too shortly before
    to be sure of them."""

    def __init__(self) -> None:
        self.of: dict[str, str] = {}
        self.young: set[str] = set()
        self._limit = time.time_ns() - GRACE_NS

    def take(self, paths: Iterable[str]) -> None:
        """Files that cannot be looked at have no stamp."""
        of, limit = self.of, self._limit
        for path in paths:
            if path in of:
                continue
            try:
                info = os.stat(path)
            except (OSError, ValueError):
                continue
            modified, changed = info.st_mtime_ns, info.st_ctime_ns
            of[path] = f"{modified} {changed} {info.st_size} {info.st_ino}"
            if modified >= limit or changed >= limit:
                self.young.add(path)


# --------------------------------------------------------------------------- the gate
# What the gate says of a file: a candidate by what it holds itself; one if the user named it (hook, editor: what it calls may stand in a file that is
# not linted now, so it needs no evidence); one if some tool pauses, because a hook around tools is its only evidence.
CANDIDATE, WHEN_NAMED, HOOK = 1, 2, 4


def verdict(path: str, data: bytes, needles: Sequence[bytes] = NEEDLES) -> int:
    """What the gate says of a file by its bytes: the sum of what holds, 0 for most.

    A file without a needle is out. With one it is in when it names the framework and holds evidence, or holds strong evidence. Who only calls
    what pauses is found by the names it imports (`Seeker`).
    """
    for needle in needles:
        if needle in data:
            break
    else:
        return 0
    for word in FRAMEWORK:
        if word in data:
            break
    else:
        if _holds(data, _STRONG_WORDS) and _STRONG.search(data) is not None:
            return CANDIDATE | WHEN_NAMED
        return WHEN_NAMED if _imports_anything(path, data) else 0
    if path.endswith(".ipynb") or _holds(data, _PAUSES_WORDS) and _PAUSES.search(data) or any(pattern.search(data) for pattern in _EVERYTHING) \
            or b"Command" in data and _COMMANDS.search(data) and _RUNS.search(data) \
            or b"langgraph_sdk" in data and b".runs" in data and _SENT.search(data) \
            or b"command" in data and b"resume" in data and _BESIDE.search(data):
        return CANDIDATE | WHEN_NAMED
    return WHEN_NAMED | (HOOK if _HOOK in data else 0)


def _holds(data: bytes, words: tuple[bytes, ...]) -> bool:
    for word in words:
        if word in data:
            return True
    return False


def _imports_anything(path: str, data: bytes) -> bool:
    return next(_imports(path, data), None) is not None


def _imports(path: str, data: bytes) -> Iterator[tuple[bytes | None, bytes]]:
    """The import statements, roughly: (`a.b`, the text of the names) for `from a.b import …`, (None, the text) for `import …`.

    Looks from one `import` to the next: a regular expression that begins at line starts costs ten times as much.
    """
    if path.endswith(".ipynb"):
        data = data.replace(b"\\n", b"\n").replace(b'"', b"\n")
    at = data.find(b"import")
    while at >= 0:
        head = data[data.rfind(b"\n", 0, at) + 1:at].split()
        end = at + 6
        if data[end:end + 1] in _AFTER_IMPORT and (not head or len(head) == 2 and head[0] == b"from"):
            end = _statement_end(data, end)
            yield (head[1] if head else None), data[at + 6:end]
        at = data.find(b"import", end)


def _statement_end(data: bytes, start: int) -> int:
    """Where an import statement ends whose list of names begins at `start`."""
    if data[start:start + 80].lstrip()[:1] == b"(":
        end = data.find(b")", start)
    else:
        end = data.find(b"\n", start)
        while end > 0 and data[start:end].rstrip().endswith(b"\\"):
            end = data.find(b"\n", end + 1)
    return end if end >= 0 else len(data)


_IMPORTED_AS = re.compile(rb"([\w.*]+)(?:[ \t]+as[ \t]+\w+)?")
_COMMENT = re.compile(rb"#[^\n]*")


class Seeker:
    """Finds the files that may use a symbol of another file, by their bytes: who imports a function that pauses without naming a pause.

    `symbols` are pairs of a name and the last word of the module (or package) that it is imported from. A file may use (`ask`, `hitl`) when it
    says `from ….hitl import ask`, or `*`, or imports something called `hitl` and says `.ask`. The parse that follows decides.
    """

    # With few names, looking for them comes first: most files hold none. With many, reading the imports is cheaper.
    FEW = 20

    def __init__(self, symbols: Iterable[tuple[str, str]]) -> None:
        self._names: set[bytes] = set()
        self._by_module: dict[bytes, set[bytes]] = {}
        for name, module in symbols:
            encoded = name.encode("utf-8", "surrogateescape")
            self._names.add(encoded)
            self._by_module.setdefault(module.encode("utf-8", "surrogateescape"), set()).add(encoded)

    def admits(self, path: str, data: bytes) -> bool:
        """Does the file seem to use one of the symbols?"""
        if len(self._names) <= self.FEW:
            for name in self._names:
                if name in data:
                    break
            else:
                if b"import *" not in data:
                    return False
        for module, text in _imports(path, data):
            names = set(_IMPORTED_AS.findall(_COMMENT.sub(b"", text)))
            if module is not None:
                wanted = self._by_module.get(_last_word(path, module), ())
                # Who imports everything may hand it on without ever saying its name.
                if wanted and (b"*" in names or not names.isdisjoint(wanted)):
                    return True
            for name in names:
                if any(b"." + symbol in data for symbol in self._by_module.get(name.rsplit(b".", 1)[-1], ())):
                    return True
        return False


class Reach:
    """Tells whether what a file imports, and what that imports, leads to a file that is a candidate by itself. Asked for files that were named and
    hold no needle: what they call may pause all the same. `read` gives a file's content or None.

    Modules are looked for beside the file and in the directories above it, as far as the top of the project, and in `src` there: a few stats for each
    package, so that a commit hook need not list the project.
    """

    MAX_FILES = 300

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        self._read = read
        self._bases: dict[str, list[str]] = {}
        self._homes: dict[tuple[str, str], str | None] = {}
        self._known: dict[str, tuple[bool, list[str]]] = {}

    def to_candidate(self, path: str, data: bytes) -> bool:
        waiting = self._imported(path, data)
        seen = {path}
        while waiting and len(seen) < self.MAX_FILES:
            following: list[str] = []
            for other in waiting:
                if other in seen:
                    continue
                seen.add(other)
                candidate, imported = self._look(other)
                if candidate:
                    return True
                following += imported
            waiting = following
        return False

    def _look(self, path: str) -> tuple[bool, list[str]]:
        """(whether the file is a candidate, the files that it imports)."""
        found = self._known.get(path)
        if found is None:
            data = self._read(path)
            candidate = data is not None and bool(verdict(path, data) & CANDIDATE)
            found = self._known[path] = (candidate, [] if candidate or data is None else self._imported(path, data))
        return found

    def _imported(self, path: str, data: bytes) -> list[str]:
        folder = path.rpartition("/")[0]
        out: list[str] = []
        for module, text in _imports(path, data):
            names = [name.decode("utf-8", "replace") for name in _IMPORTED_AS.findall(_COMMENT.sub(b"", text))]
            if module is None:
                for name in names:
                    out += self._absolute(folder, name, [])
            elif module.startswith(b"."):
                rest = module.lstrip(b".")
                top = folder
                for _ in range(len(module) - len(rest) - 1):
                    top = os.path.dirname(top) if top and not top.endswith("..") else f"{top}/.." if top else ".."
                out += self._below(top, rest.decode("utf-8", "replace"), names)
            else:
                out += self._absolute(folder, module.decode("utf-8", "replace"), names)
        return out

    def _absolute(self, folder: str, module: str, names: list[str]) -> list[str]:
        top = module.partition(".")[0]
        key = (folder, top)
        if key not in self._homes:
            self._homes[key] = None
            for base in self._folders(folder) if top not in sys.stdlib_module_names else ():
                place = f"{base}/{top}" if base else top
                if os.path.isfile(place + ".py") or os.path.isdir(place):
                    self._homes[key] = base
                    break
        home = self._homes[key]
        return [] if home is None else self._below(home, module, names)

    def _folders(self, folder: str) -> list[str]:
        """Where packages may lie that a file of this folder imports: displayed directories, the nearest first."""
        found = self._bases.get(folder)
        if found is None:
            found = self._bases[folder] = []
            top = os.path.abspath(_root_of(os.path.abspath(folder or "."))[0])
            full = os.path.abspath(folder or ".")
            while True:
                for place in (full, os.path.join(full, "src")):
                    shown = display(place)
                    found.append("" if shown == "." else shown)
                parent = os.path.dirname(full)
                if full == top or parent == full:
                    break
                full = parent
        return found

    def _below(self, base: str, module: str, names: list[str]) -> list[str]:
        """The files that `from module import names` may run, below the directory `base`."""
        place = "/".join([part for part in (base, *module.split(".")) if part])
        wanted = [f"{place}.py", f"{place}/__init__.py"] if module else [f"{place}/__init__.py" if place else "__init__.py"]
        wanted += [f"{place}/{name}.py" if place else f"{name}.py" for name in names]
        return [os.path.normpath(path).replace(os.sep, "/") for path in wanted if os.path.isfile(path)]


def _last_word(path: str, module: bytes) -> bytes:
    """The last word of an imported module's name; for a bare relative one (`.`, `..`) the name of the package's directory."""
    word = module.rsplit(b".", 1)[-1]
    if word:
        return word
    parts = path.split("/")
    return parts[-1 - len(module)].encode("utf-8", "surrogateescape") if len(parts) > len(module) else b""
