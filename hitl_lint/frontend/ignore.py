"""Patterns of a `.gitignore`, of `exclude` and of `per-file-ignores`: one matcher for all of them, standard library only.

Own code and not pathspec: importing that costs more than importing click, on every run in a repository that has a `.gitignore`;
the language is small, and the tests compare this matcher with `git check-ignore`.
"""

from __future__ import annotations

import re
from typing import Iterable


class Patterns:
    """An ordered list of gitignore patterns, all relative to one directory; the last one that matches decides.

    Patterns of the same sign that stand in a row are one group: plain names are looked up in a set, the rest is one alternation,
    because a walk asks this question for every directory and every source file.
    """

    __slots__ = ("_groups",)

    def __init__(self, lines: Iterable[str]) -> None:
        groups: list[tuple[bool, set[str], set[str], list[str], list[str]]] = []
        for line in lines:
            parsed = _parse(line)
            if parsed is None:
                continue
            negated, only_dirs, plain, regex = parsed
            if not groups or groups[-1][0] != negated:
                groups.append((negated, set(), set(), [], []))
            _, any_names, dir_names, any_regexes, dir_regexes = groups[-1]
            if plain is not None:
                (dir_names if only_dirs else any_names).add(plain)
            else:
                (dir_regexes if only_dirs else any_regexes).append(regex)
        groups.reverse()
        self._groups = [(not negated, any_names, any_names | dir_names, _join(any_regexes), _join(any_regexes + dir_regexes))
                        for negated, any_names, dir_names, any_regexes, dir_regexes in groups]

    def __bool__(self) -> bool:
        return bool(self._groups)

    def match(self, path: str, name: str, is_dir: bool) -> bool | None:
        """True: ignored, False: named by a `!` pattern, None: no pattern says anything. `path` is relative, `name` its last part."""
        for ignored, names, names_of_dirs, regex, regex_of_dirs in self._groups:
            if name in (names_of_dirs if is_dir else names):
                return ignored
            found = regex_of_dirs if is_dir else regex
            if found is not None and found(path):
                return ignored
        return None

    def covers(self, path: str) -> bool:
        """Is the file `path` (relative, forward slashes) matched, itself or through one of the directories above it?"""
        parts = path.split("/")
        for n in range(1, len(parts)):
            if self.match("/".join(parts[:n]), parts[n - 1], True):
                return True
        return bool(self.match(path, parts[-1], False))


def useless(line: str) -> str:
    """Why a pattern matches nothing whatever there is (git says nothing of that, either); "" when it can match, or says nothing at all."""
    if _parse(line) is not None or line.startswith("#") or not line.strip("!/ \r\n"):
        return ""
    if any(line[i] == "[" and _bracket_end(line, i) is None for i in range(len(line))):
        return "its [ is never closed (a bracket that is meant as such is \\[)"
    return "it ends in a lone backslash" if line.rstrip().endswith("\\") else "a range in its brackets runs backwards"


def _join(regexes: list[str]):  # type: ignore[no-untyped-def]
    return re.compile("|".join(regexes)).fullmatch if regexes else None


def _parse(line: str) -> tuple[bool, bool, str | None, str] | None:
    """(negated, only directories, plain name or None, regex of the whole relative path); None for blank lines and comments."""
    line = line.rstrip("\r\n")
    if line.startswith("#"):
        return None
    while line.endswith(" ") and not line.endswith("\\ "):
        line = line[:-1]
    negated = line.startswith("!")
    if negated:
        line = line[1:]
    only_dirs = line.endswith("/")
    line = line.rstrip("/") if only_dirs else line
    if not line:
        return None
    anchored = "/" in line
    line = line[1:] if line.startswith("/") else line
    if not anchored and not any(c in line for c in "*?[\\"):
        return negated, only_dirs, line, ""
    regex = _translate(line)
    if regex is None:
        return None
    return negated, only_dirs, None, regex if anchored else f"(?:.*/)?{regex}"


def _translate(glob: str) -> str | None:
    """The regex of a gitignore glob without its leading and trailing slash; None when git would never match it (an unclosed bracket)."""
    out: list[str] = []
    i = 0
    while i < len(glob):
        c = glob[i]
        if c == "*":
            run = i
            while i < len(glob) and glob[i] == "*":
                i += 1
            starts = run == 0 or glob[run - 1] == "/"
            if i - run >= 2 and starts and glob[i:i + 1] == "/":
                out.append("(?:.*/)?")
                i += 1
            elif i - run >= 2 and starts and i == len(glob):
                out.append(".*" if run == 0 else ".+")
            else:
                out.append("[^/]*")
            continue
        if c == "?":
            out.append("[^/]")
        elif c == "[":
            end = _bracket_end(glob, i)
            if end is None:
                return None
            body = glob[i + 1:end]
            flipped = body[:1] in ("!", "^")
            body = body[1:] if flipped else body
            body = re.sub(r"\\(.)", lambda m: m[1], body) if "\\" in body else body
            escaped = "".join("\\" + ch if ch in "\\]^[&~|" else ch for ch in body)
            out.append(f"(?!/)[{'^' if flipped else ''}{escaped}]")
            i = end
        elif c == "\\":
            i += 1
            if i == len(glob):
                return None
            out.append(re.escape(glob[i]))
        else:
            out.append(re.escape(c))
        i += 1
    regex = "".join(out)
    try:
        re.compile(regex)
    except re.error:
        return None
    return regex


def _bracket_end(glob: str, start: int) -> int | None:
    i = start + 1
    if glob[i:i + 1] in ("!", "^"):
        i += 1
    if glob[i:i + 1] == "]":
        i += 1
    while i < len(glob):
        if glob[i] == "\\":
            i += 1
        elif glob[i] == "]":
            return i
        i += 1
    return None
