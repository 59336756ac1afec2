"""What earlier runs have learnt, on the disk: facts by content, what the gate said of a file by its stat, and whole results.

Data only (JSON), and nothing is parsed before its seal has been checked: a file of the cache counts if it was written by this user with the key
of this cache. The seal is made from the random content of the file `key` and from its time of modification, which a checkout, a commit or a
pull request cannot bring along; so a cache that came with a repository is a stranger's, and ignored. Whatever is wrong, a run goes on without.

    .hitl_lint_cache/
      .gitignore  CACHEDIR.TAG  key
      <tag>/           one for each tool, parser and Python version
        f-<digest>     facts of a file of that content
        t-<digest>     stats, gate verdicts and contents of files as seen from a working directory
        r-<digest>     the result of a run: its options, and the stats of everything that it depends on
        s-<digest>     what a command said (`start`)

Files appear by being renamed, so that runs at the same time see whole ones. Standard library only, and little of it: a run in which nothing has
changed ends here.
"""

from __future__ import annotations

import os
import stat
import sys
import time
try:
    from _blake2 import blake2b  # hashlib loads OpenSSL, which takes longer than what is done with it here
except ImportError:
    from hashlib import blake2b

from hitl_lint import __version__

TYPE_CHECKING = False  # importing typing takes a tenth of the time of a run that ends here
if TYPE_CHECKING:
    from typing import Any, Mapping, Sequence

    from hitl_lint.facts import Module
    from hitl_lint.frontend.discover import Stamps

DIRECTORY = ".hitl_lint_cache"
SCHEMA = 1

# What is larger was not written by us.
MAX_BYTES = 64 << 20
# What is kept, in files and bytes, before the oldest are thrown away.
MAX_FACTS, MAX_FACTS_BYTES = 4_000, 256 << 20
MAX_RESULTS, MAX_SAID, MAX_TABLES, MAX_TAGS, MAX_QUESTIONS = 40, 40, 20, 3, 16

_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# This directory holds what hitl-lint has learnt about the project. It can be deleted at any time.\n"
_SEAL = 32  # hexadecimal digits

# What may go wrong with a file, and with data that was written by another version of this file.
_WRONG = (OSError, ValueError, TypeError, LookupError, RecursionError, MemoryError, OverflowError, AttributeError)


def digest(data: bytes, key: bytes = b"") -> str:
    return blake2b(data, digest_size=_SEAL // 2, key=key).hexdigest()


# --------------------------------------------------------------------------- the directory
class Store:
    """Sealed files by name. Reading gives None, writing does nothing where something is in the way."""

    def __init__(self, directory: str, salt: bytes) -> None:
        self._directory = directory
        self._salt = salt
        self._wrote: set[str] = set()
        self._used: set[str] = set()

    def digest(self, data: bytes) -> str:
        return digest(data, self._salt)

    def get(self, name: str) -> bytes | None:
        try:
            data = _read(os.path.join(self._directory, name))[0]
        except _WRONG:
            return None
        body = data[_SEAL:]
        if data[:_SEAL] != self._seal(name, body):
            return None
        self._used.add(name)
        return body

    def put(self, name: str, body: bytes) -> None:
        try:
            if len(body) + _SEAL <= MAX_BYTES:
                _write(self._directory, name, self._seal(name, body) + body)
                self._wrote.add(name)
        except _WRONG:
            pass

    def _seal(self, name: str, body: bytes) -> bytes:
        return digest(name.encode() + b"\0" + body, self._salt).encode()

    def tidy(self) -> None:
        """Throw the oldest away where there is too much. Only a run that has written looks."""
        if self._wrote:
            try:
                self._tidy()
            except _WRONG:
                pass

    def _tidy(self) -> None:
        kept: dict[str, list[tuple[int, int, str]]] = {"f-": [], "r-": [], "s-": [], "t-": []}
        with os.scandir(self._directory) as entries:
            for entry in entries:
                info = entry.stat(follow_symlinks=False)
                if entry.name[:2] in kept:
                    kept[entry.name[:2]].append((info.st_mtime_ns, info.st_size, entry.name))
                elif entry.name.startswith("tmp-") and info.st_mtime < time.time() - 3600:  # of a run that was killed
                    os.unlink(entry.path)
        facts = sorted(kept["f-"])
        size = sum(row[1] for row in facts)
        if len(facts) > MAX_FACTS or size > MAX_FACTS_BYTES:
            left = len(facts)
            for _, length, name in facts:
                if left <= MAX_FACTS // 2 and size <= MAX_FACTS_BYTES // 2:
                    break
                if name not in self._used and name not in self._wrote:
                    os.unlink(os.path.join(self._directory, name))
                    left, size = left - 1, size - length
        for prefix, most in (("r-", MAX_RESULTS), ("s-", MAX_SAID), ("t-", MAX_TABLES)):
            for _, _, name in sorted(kept[prefix], reverse=True)[most:]:
                os.unlink(os.path.join(self._directory, name))


def open_store(directory: str, given: bool) -> Store | None:
    """The cache in `directory`, made if it is not there; None where it can be neither read nor made. `given`: the user has named the directory,
    which then may be a link or belong to somebody else; its files may not."""
    try:
        try:
            info = os.stat(directory) if given else os.lstat(directory)
        except FileNotFoundError:
            os.makedirs(directory, exist_ok=True)
            info = os.stat(directory) if given else os.lstat(directory)
        if not stat.S_ISDIR(info.st_mode) or not given and not _mine(info):
            return None
        salt = _key(directory)
        tag = digest(_versions().encode(), salt)[:16]
        room = os.path.join(directory, tag)
        if not os.path.isdir(room):
            os.mkdir(room, 0o700)
            _forget_old_versions(directory, tag)
        info = os.lstat(room)
        if not stat.S_ISDIR(info.st_mode) or not _mine(info):
            return None
        return Store(room, salt)
    except _WRONG:
        return None


def _key(directory: str) -> bytes:
    """What seals are made with."""
    for _ in range(2):
        try:
            content, info = _read(os.path.join(directory, "key"))
            if len(content) == 64:
                return blake2b(content + str(info.st_mtime_ns).encode(), digest_size=32).digest()
        except OSError:
            pass
        if os.path.lexists(os.path.join(directory, "key")) and not os.path.lexists(os.path.join(directory, "CACHEDIR.TAG")):
            break  # a key to something else
        for name, text in ((".gitignore", "*\n"), ("CACHEDIR.TAG", _TAG)):
            if not os.path.lexists(os.path.join(directory, name)):
                _write(directory, name, text.encode())
        _write(directory, "key", os.urandom(32).hex().encode())
    raise ValueError("no key")


def _mine(info: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or info.st_uid == os.geteuid()


def _read(path: str) -> tuple[bytes, os.stat_result]:
    """The content of a plain file of ours, never one that a link leads to; raises OSError or ValueError."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    fd = os.open(path, flags)
    try:
        info = os.fstat(fd)
        if not stat.S_ISREG(info.st_mode) or info.st_size > MAX_BYTES or not _mine(info):
            raise ValueError("not a file of ours")
        parts = []
        left = info.st_size + 1
        while left > 0 and (part := os.read(fd, left)):
            parts.append(part)
            left -= len(part)
        return b"".join(parts), info
    finally:
        os.close(fd)


def _write(directory: str, name: str, data: bytes) -> None:
    """Raises OSError."""
    temporary = os.path.join(directory, f"tmp-{os.getpid()}-{os.urandom(6).hex()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    fd = os.open(temporary, flags, 0o600)
    try:
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(fd, view):]
        finally:
            os.close(fd)
        os.replace(temporary, os.path.join(directory, name))
    except BaseException:
        try:
            os.unlink(temporary)
        except OSError:
            pass
        raise


def _forget_old_versions(directory: str, tag: str) -> None:
    """Keeps what the last few versions have learnt. Links are not followed, and only names of ours are touched."""
    with os.scandir(directory) as entries:
        rooms = [(entry.stat(follow_symlinks=False).st_mtime_ns, entry.path) for entry in entries
                 if len(entry.name) == 16 and entry.name != tag and entry.is_dir(follow_symlinks=False)]
    for _, room in sorted(rooms, reverse=True)[MAX_TAGS - 1:]:
        try:
            with os.scandir(room) as entries:
                for entry in entries:
                    if entry.name.startswith(("f-", "r-", "s-", "t-", "tmp-")):
                        os.unlink(entry.path)
            os.rmdir(room)
        except OSError:
            pass


# --------------------------------------------------------------------------- what the contents depend on besides the code that is read
def _versions() -> str:
    return "\n".join((str(SCHEMA), __version__, sys.version, _parser(), _sources()))


def _parser() -> str:
    """Which libcst an import would find, without importing it."""
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec("libcst")
    if spec is None or not spec.origin:
        return ""
    place = os.path.dirname(os.path.dirname(spec.origin))
    named = sorted(name for name in os.listdir(place) if name.startswith("libcst-"))
    info = os.stat(spec.origin)
    return f"{named}" if named else f"{spec.origin} {info.st_mtime_ns} {info.st_size}"


def _sources() -> str:
    """The content of this package, as the installer has recorded it, or else (a working tree) the stats of its files."""
    package = os.path.dirname(os.path.abspath(__file__))
    try:
        with open(os.path.join(os.path.dirname(package), f"hitl_lint-{__version__}.dist-info", "RECORD"), "rb") as file:
            rows = [row for row in file.read().split(b"\n") if row.startswith(b"hitl_lint/") and b".py," in row]
        if rows:
            return digest(b"\n".join(sorted(rows)))
    except OSError:
        pass
    out = []
    stack = [package]
    while stack:
        with os.scandir(stack.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    info = entry.stat()
                    out.append(f"{entry.path} {info.st_mtime_ns} {info.st_size}")
                elif entry.name != "__pycache__" and entry.is_dir():
                    stack.append(entry.path)
    return digest("\n".join(sorted(out)).encode("utf-8", "surrogateescape"))


# --------------------------------------------------------------------------- what is remembered
class Memory:
    """What is remembered of the files of one run. `here` names the working directory (in the cache); `lazy` False: contents are wanted whatever
    is known of them."""

    def __init__(self, store: Store, here: str, stamps: "Stamps", lazy: bool = True) -> None:
        self._store = store
        self._stamps = stamps
        self._name = "t-" + digest(here.encode("utf-8", "surrogateescape"))
        self.lazy = lazy
        # As stored: parallel lists of paths and stamps, the index of each path; and what was known of each.
        self._paths: list[str] = []
        self._old: list[str] = []
        self._at: dict[str, int] = {}
        self._said = ""
        self._contents: dict[str, str] = {}
        self._questions: dict[str, str] = {}
        self._read_table()
        # What this run has found out.
        self._verdicts: dict[str, int] = {}
        self._digests: dict[str, str] = {}
        self._answers: dict[str, Question] = {}
        self.changed = False

    def _read_table(self) -> None:
        import json

        body = self._store.get(self._name)
        if body is None:
            return
        try:
            table = json.loads(body)
            paths, stamps, said, contents, questions = (table[key] for key in ("paths", "stamps", "said", "contents", "questions"))
            if not len(paths) == len(stamps) == len(said) or any(len(answers) != len(paths) for answers in questions.values()):
                return
            self._at = {path: n for n, path in enumerate(paths)}
            self._paths, self._old, self._said, self._contents, self._questions = paths, stamps, said, contents, questions
        except _WRONG:
            pass

    def unchanged(self, path: str) -> bool:
        at = self._at.get(path)
        return at is not None and self._old[at] == self._stamps.of.get(path)

    # ---- the gate
    def verdict(self, path: str) -> int | None:
        """What the gate says of the file (discover.verdict), if that is known."""
        at = self._at.get(path)
        if at is None or self._old[at] != self._stamps.of.get(path):
            return None
        said = self._said[at]
        return int(said) if said != "-" else self._verdicts.get(path)

    def judged(self, path: str, verdict: int) -> None:
        self._verdicts[path] = verdict
        self._note(path)

    def question(self, text: str) -> "Question":
        """What files have answered to a question that only their content decides."""
        name = digest(text.encode("utf-8", "surrogateescape"))
        if name not in self._answers:
            self._answers[name] = Question(self, self._questions.get(name, ""))
        return self._answers[name]

    def _note(self, path: str) -> None:
        if path in self._stamps.of and path not in self._stamps.young:
            self.changed = True

    # ---- facts
    def digest(self, path: str, data: bytes) -> str:
        """The name of this content, from here on remembered as the file's."""
        found = self._store.digest((b"notebook\0" if path.lower().endswith(".ipynb") else b"module\0") + data)
        if not self.unchanged(path) or self._contents.get(path) != found:
            self._digests[path] = found
            self._note(path)
        return found

    def known(self, path: str) -> "Module | None":
        """The facts of a file that has not changed, without reading it."""
        if not self.lazy or not self.unchanged(path):
            return None
        name = self._contents.get(path)
        return self.facts(path, name) if isinstance(name, str) else None

    def facts(self, path: str, name: str) -> "Module | None":
        body = self._store.get("f-" + name)
        if body is None:
            return None
        import json

        from hitl_lint import facts

        try:
            module = facts.load(json.loads(body))
        except _WRONG:
            return None
        if type(module) is not facts.Module:
            return None
        module.path = path
        return module

    def keep(self, name: str, module: "Module") -> None:
        import json

        from hitl_lint import facts

        try:
            body = json.dumps(facts.dump(module), separators=(",", ":"))
        except _WRONG:  # nests deeper than JSON can be written
            return
        self._store.put("f-" + name, body.encode())

    # ---- results
    def recall(self, name: str) -> Any:
        """What was remembered under this name; None when nothing."""
        body = self._store.get("r-" + name)
        if body is None:
            return None
        import json

        try:
            return json.loads(body)
        except _WRONG:
            return None

    def remember(self, name: str, what: Any) -> None:
        import json

        try:
            body = json.dumps(what, separators=(",", ":"))
        except _WRONG:
            return
        self._store.put("r-" + name, body.encode())

    def stamp(self, paths: Sequence[str]) -> str:
        """One stamp of all these files; "" when some have changed too recently, or cannot be looked at."""
        stamps = self._stamps
        stamps.take(paths)
        if not stamps.young.isdisjoint(paths) or any(path not in stamps.of for path in paths):
            return ""
        of = stamps.of
        return digest("\n".join([f"{path}\0{of[path]}" for path in paths]).encode("utf-8", "surrogateescape"))

    # ---- the end
    def save(self) -> None:
        """Write what is new."""
        if self.changed:
            try:
                self._write_table()
            except _WRONG:
                pass
        self._store.tidy()

    def _write_table(self) -> None:
        import json

        seen = self._stamps.of
        # Files that this run did not look at are kept for another one, unless they are many: then most of them are gone.
        others = [path for path in self._paths if path not in seen]
        if len(others) > 2 * len(seen) + 1000:
            others = []
        paths = [path for path in seen if path not in self._stamps.young]
        said, stamps, contents = [], [], {}
        for path in (*paths, *others):
            at = self._at.get(path)
            same = at is not None and (path not in seen or self._old[at] == seen[path])
            verdict = self._verdicts.get(path)
            said.append(str(verdict) if verdict is not None else self._said[at] if same and at is not None else "-")
            stamps.append(seen[path] if path in seen else self._old[self._at[path]])
            name = self._digests.get(path) or (self._contents.get(path) if same else None)
            if name:
                contents[path] = name
        names = list(dict.fromkeys((*self._answers, *self._questions)))[:MAX_QUESTIONS]
        questions = {name: self._column(name, paths, others) for name in names}
        table = {"paths": [*paths, *others], "stamps": stamps, "said": "".join(said), "contents": contents, "questions": questions}
        self._store.put(self._name, json.dumps(table, separators=(",", ":")).encode())

    def _column(self, name: str, paths: Sequence[str], others: Sequence[str]) -> str:
        asked = self._answers.get(name)
        new: Mapping[str, bool] = asked.new if asked is not None else {}
        old = self._questions.get(name, "")
        out = []
        for path in paths:
            answer = new.get(path)
            out.append("01"[answer] if answer is not None else old[self._at[path]] if old and self.unchanged(path) else "-")
        out += [old[self._at[path]] if old else "-" for path in others]
        return "".join(out)


class Question:
    """Yes or no, file by file."""

    def __init__(self, memory: Memory, old: str) -> None:
        self._memory = memory
        self._old = old
        self.new: dict[str, bool] = {}

    def get(self, path: str) -> bool | None:
        memory = self._memory
        if self._old and memory.unchanged(path):
            said = self._old[memory._at[path]]
            if said != "-":
                return said == "1"
        return None

    def set(self, path: str, answer: bool) -> None:
        self.new[path] = answer
        self._memory._note(path)


# --------------------------------------------------------------------------- findings as data
def pack(value: Any) -> Any:
    """Findings as JSON; ValueError for what they do not consist of. What only fixers use (`subject`) is left out."""
    if value is None or type(value) in (str, int, bool):
        return value
    if type(value) in (tuple, list):
        return [pack(item) for item in value]
    from hitl_lint import finding as f

    if isinstance(value, (f.Severity, f.Confidence)):
        return {"": type(value).__name__, "is": value.name}
    if type(value) in (f.Finding, f.Fix, f.Edit, f.Step, f.Span):
        return {"": type(value).__name__, **{name: pack(getattr(value, name)) for name in value.__dataclass_fields__ if name != "subject"}}
    raise ValueError(f"{type(value).__name__} is no part of a finding")


def unpack(value: Any) -> Any:
    """The inverse of `pack`; all lists become tuples. Raises ValueError, TypeError or LookupError on anything else."""
    if isinstance(value, list):
        return tuple(unpack(item) for item in value)
    if isinstance(value, dict):
        from hitl_lint import finding as f

        name = value[""]
        if name in ("Severity", "Confidence"):
            return getattr(f, name)[value["is"]]
        if name in ("Finding", "Fix", "Edit", "Step", "Span"):
            return getattr(f, name)(**{key: unpack(item) for key, item in value.items() if key})
        raise ValueError(name)
    return value
