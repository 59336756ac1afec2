"""Which version of a library a project runs on, read from its lock files and requirements. Standard library (and tomli before Python 3.11);
nothing is imported or installed, and a file is opened only when a rule asks.

An answer is a limit: the newest version that the project can have. A lock file or an exact pin gives that version, a range its upper end; without
either, and for a library that no file speaks of, there is no limit and the newest is assumed.
"""

from __future__ import annotations

import os
import re
from typing import Any, Iterator, Mapping, NamedTuple, Sequence

from hitl_lint import asked

# In the order in which they are believed: what a tool has resolved, what somebody has pinned, what somebody would accept.
LOCKS = ("uv.lock", "poetry.lock", "pdm.lock", "pylock.toml")
MAX_INCLUDES = 8
MAX_BYTES = 16 << 20
MAX_ABOVE = 40

_PACKAGE = re.compile(rb"^\[\[packages?\]\][ \t]*\r?$", re.MULTILINE)
_FIELD = re.compile(rb"""^(name|version)[ \t]*=[ \t]*["']([^"'\r\n]+)["']""", re.MULTILINE)
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*\(?\s*([^;#\\)]*)")
_CLAUSE = re.compile(r"\s*(===|==|~=|!=|<=|>=|<|>|\^|~|=)?\s*v?([0-9][\w.!+*-]*|\*)\s*")
_INCLUDE = re.compile(r"\s*(?:-r|-c|--requirement|--constraint)[ =]*([^\s#]+)")


class Limit(NamedTuple):
    """The newest version that can be there: `version` itself, or (not `inclusive`) what comes before it."""

    version: tuple[int, ...]
    inclusive: bool = True

    def reaches(self, wanted: tuple[int, ...]) -> bool:
        """Whether `wanted` or something newer can be there."""
        size = max(len(self.version), len(wanted))
        mine, other = (v + (0,) * (size - len(v)) for v in (self.version, wanted))
        return mine >= other if self.inclusive else mine > other


def parsed(text: str) -> tuple[int, ...]:
    """The release numbers of a version: "1.2.20rc1" -> (1, 2, 20); () where it has none."""
    found = re.match(r"\s*v?(?:\d+!)?(\d+(?:\.\d+)*)", text)
    return tuple(int(n) for n in found.group(1).split(".")) if found else ()


def of_clauses(text: str) -> Limit | None:
    """The limit of a version specifier as pip, poetry and pdm write it (">=1.0,<1.2", "~=1.1.0", "^1.2", "1.2.*"); None where it has no upper end.
    Alternatives (`||`): the newest."""
    if "||" in text:
        limits = [of_clauses(part) for part in text.split("||")]
        return None if None in limits else _newest(limit for limit in limits if limit is not None)
    found: list[Limit] = []
    for clause in text.split(","):
        match = _CLAUSE.match(clause)
        if match is None:
            continue
        op, shown = match.group(1) or "==", match.group(2)
        version = parsed(shown)
        if not version:
            continue
        if shown.endswith(".*") and op in ("==", "=", "==="):
            found.append(Limit(_next(version, len(version) - 1), False))
        elif op in ("==", "=", "===", "<="):
            found.append(Limit(version))
        elif op == "<":
            found.append(Limit(version, False))
        elif op == "~=" and len(version) > 1:
            found.append(Limit(_next(version, len(version) - 2), False))
        elif op == "~":
            found.append(Limit(_next(version, min(1, len(version) - 1)), False))
        elif op == "^":
            first = next((n for n, part in enumerate(version) if part), len(version) - 1)
            found.append(Limit(_next(version, first), False))
    return min(found, key=_rank) if found else None


def _next(version: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*version[:place], version[place] + 1)


def _rank(limit: Limit) -> tuple[tuple[int, ...], bool]:
    return (*limit.version, *(0,) * (6 - len(limit.version))), limit.inclusive


def _newest(limits: Any) -> Limit | None:
    return max(limits, key=_rank, default=None)


def in_lock(data: bytes, name: str) -> Limit | None:
    """The version of a package in a lock file of uv, poetry or pdm (or a pylock.toml), the newest where there are several. By its lines: parsing
    the TOML of a large lock file takes longer than all the rest."""
    if name.encode() not in data:
        return None
    heads = [m.end() for m in _PACKAGE.finditer(data)]
    found: list[Limit] = []
    for start, end in zip(heads, [*heads[1:], len(data)]):
        fields: dict[bytes, bytes] = {}
        for match in _FIELD.finditer(data, start, min(end, start + 2000)):
            fields.setdefault(match.group(1), match.group(2))
        if normal(fields.get(b"name", b"").decode("utf-8", "replace")) == name:
            version = parsed(fields.get(b"version", b"").decode("utf-8", "replace"))
            found += [Limit(version)] if version else []
    return _newest(found)


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def in_lines(lines: Sequence[str], name: str) -> Iterator[Limit | None]:
    """The limit of every requirement for a package: `langgraph[x]==1.2.3 ; python_version > "3.9"`."""
    for line in lines:
        match = _REQUIREMENT.match(line)
        if match is not None and normal(match.group(1)) == name:
            yield of_clauses(match.group(2)) if "@" not in match.group(2) else None


def in_pyproject(data: bytes, name: str) -> list[Limit | None]:
    """What a pyproject.toml requires of a package, wherever it says so."""
    if name.encode() not in data and name.replace("-", "_").encode() not in data:
        return []
    try:
        import tomllib as toml
    except ImportError:  # Python 3.10
        import tomli as toml  # type: ignore[no-redef]
    try:
        document = toml.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return []
    found: list[Limit | None] = []
    project, tool = _table(document, "project"), _table(document, "tool")
    poetry = _table(tool, "poetry")
    lists = [project.get("dependencies"), *_table(project, "optional-dependencies").values(), *_table(document, "dependency-groups").values(),
             *_table(_table(tool, "pdm"), "dev-dependencies").values(), _table(tool, "uv").get("dev-dependencies")]
    for entries in lists:
        found += in_lines([e for e in entries if isinstance(e, str)], name) if isinstance(entries, list) else ()
    tables = [_table(poetry, "dependencies"), _table(poetry, "dev-dependencies"), *(_table(g, "dependencies") for g in _table(poetry, "group").values())]
    for table in tables:
        for key, spec in table.items():
            if normal(key) == name:
                shown = spec.get("version") if isinstance(spec, dict) else spec
                found.append(of_clauses(shown) if isinstance(shown, str) else None)
    return found


def _table(value: Any, key: str) -> Mapping[str, Any]:
    inner = value.get(key) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else {}


class Versions:
    """Answers for a run. `configured`: `langgraph = "1.2.20"` of the configuration, which wins; `tops`: the top folders of the projects, as displayed;
    `looked_for`: grows by every file that was sought, with its content or None, and by every folder (its path ends in a slash) with `listed`, so that a later run can tell whether the answers still hold."""

    def __init__(self, configured: str | None = None, tops: Sequence[str] = (".",), looked_for: dict[str, bytes | None] | None = None) -> None:
        self._looked_for: dict[str, bytes | None] = {} if looked_for is None else looked_for
        self._configured = Limit(parsed(configured)) if configured and parsed(configured) else None
        self._tops = {_absolute(top) for top in tops}
        self._known: dict[tuple[str, str], Limit | None | bool] = {}
        self._bytes: dict[str, bytes] = {}

    def limit(self, path: str, name: str) -> Limit | None:
        """The limit that holds for a library in a file, from the nearest folder that says anything, up to the project's top."""
        if name == "langgraph" and self._configured is not None:
            return self._configured
        folder = _absolute(os.path.dirname(path) or ".")
        for _ in range(MAX_ABOVE):
            found = self._in_folder(folder, name)
            if found is not False:
                return found  # type: ignore[return-value]
            parent = os.path.dirname(folder)
            if folder in self._tops or parent == folder:
                break
            folder = parent
        return None

    def reaches(self, path: str, name: str, wanted: tuple[int, ...]) -> bool:
        """Whether the project of a file can have this version of a library or a newer one."""
        found = self.limit(path, name)
        return found is None or found.reaches(wanted)

    def _in_folder(self, folder: str, name: str) -> Limit | None | bool:
        """The limit that a folder gives, None where it asks for the library without one, False where it does not speak of it."""
        key = folder, name
        if key not in self._known:
            self._known[key] = self._look(folder, name)
        return self._known[key]

    def _look(self, folder: str, name: str) -> Limit | None | bool:
        for lock in LOCKS:
            found = in_lock(self._read(os.path.join(folder, lock)), name)
            if found is not None:
                return found
        said: list[Limit | None] = []
        for file in self._requirements(folder):
            said += self._required(file, name, 0)
        pinned = [limit for limit in said if limit is not None]
        if not pinned:
            said += in_pyproject(self._read(os.path.join(folder, "pyproject.toml")), name)
            pinned = [limit for limit in said if limit is not None]
        return _newest(pinned) if pinned else None if said else False

    def _requirements(self, folder: str) -> list[str]:
        out: list[str] = []
        for place in (folder, os.path.join(folder, "requirements")):
            data = self._looked_for[os.path.join(os.path.relpath(place), "")] = listed(place)
            names = data.decode("utf-8", "surrogateescape").split("\0") if data else []
            out += [os.path.join(place, n) for n in names if place != folder or n.startswith("requirements")]
        return out

    def _required(self, file: str, name: str, depth: int) -> list[Limit | None]:
        lines = self._read(file).decode("utf-8", "replace").splitlines()
        out = list(in_lines(lines, name))
        for line in lines if depth < MAX_INCLUDES else ():
            match = _INCLUDE.match(line)
            if match is not None and "://" not in match.group(1):
                out += self._required(os.path.join(os.path.dirname(file), match.group(1)), name, depth + 1)
        return out

    def _read(self, path: str) -> bytes:
        """The content of a file, nothing where it cannot be had. Files are remembered while a run asks about several libraries."""
        found = self._bytes.get(path)
        if found is None:
            found, there = b"", False
            if asked.wanted:
                asked.read.add(path)
            try:
                if os.path.isfile(path) and os.path.getsize(path) <= MAX_BYTES:
                    with open(path, "rb") as file:
                        found = file.read()
                    there = True
            except (OSError, ValueError):
                pass
            self._bytes[path] = found
            self._looked_for[os.path.relpath(path)] = found if there else None
        return found


def listed(folder: str) -> bytes | None:
    """The names in a folder that requirements can have; None where it cannot be listed."""
    if asked.wanted:
        asked.read.add(folder)
    try:
        return "\0".join(sorted(n for n in os.listdir(folder) if n.endswith(".txt"))).encode("utf-8", "surrogateescape")
    except OSError:
        return None


def _absolute(path: str) -> str:
    return os.path.normpath(os.path.abspath(path))
