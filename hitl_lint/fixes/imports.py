"""Bringing a name into a module: an import that is already there is used or extended, else a line of its own in the right place."""

from __future__ import annotations

import re
from typing import Any

from hitl_lint.facts import Const, ExprStmt, Import, Try, walk
from hitl_lint.finding import Edit
from hitl_lint.fixes.desk import Desk, Refused

_PLAIN_FROM = re.compile(r"from[ \t]+[\w.]+[ \t]+import[ \t]+[\w, \t]*\w$")


class Imports:
    """The imports that one fix needs in one file. `before`: the line (of facts) above which they must have run."""

    def __init__(self, desk: Desk, path: str, before: int) -> None:
        self._desk = desk
        self._sheet = desk.sheet(path)
        self._module = desk.project.names.modules[path]
        self.before = self._before = before
        self._wanted: dict[tuple[str, str], str] = {}

    def name(self, module: str, name: str) -> str:
        """What `from module import name` is called here, now or after `edits()`."""
        key = (module, name)
        if key not in self._wanted:
            there = self._there(module, name)
            if there is not None:
                return there
            if self._optional(module.partition(".")[0]):
                raise Refused(f"{module.partition('.')[0]} is optional in {self._sheet.path}, which imports it in a `try`: bring {name} in there by hand")
            bound = name
            if name in self._module.scope.bindings:  # something else, or only further below
                bound = self._desk.fresh(f"{module.rpartition('.')[2]}_{name}", self._sheet.path)
            self._wanted[key] = bound
        return self._wanted[key]

    def _there(self, module: str, name: str) -> str | None:
        for stmt in self._module.facts.body:
            if type(stmt) is not Import or stmt.at[0] >= self._before:
                continue
            for n in stmt.names:
                if n.level == 0 and n.module == module and n.name == name:
                    bound = n.asname or name
                    bindings = self._module.scope.bindings.get(bound, ())
                    if all(b.how == "import" and (b.node.module, b.node.level, b.node.name) == (module, 0, name) for b in bindings):
                        return bound
        return None

    def _optional(self, package: str) -> bool:
        """Whether the module gets on without this package: an import on top would take that away."""
        body = self._module.facts.body

        def brings(stmt: Any) -> bool:
            return type(stmt) is Import and any(n.level == 0 and (n.module or n.name or "").partition(".")[0] == package for n in stmt.names)

        if any(map(brings, body)):
            return False
        return any(type(stmt) is Try and stmt.handlers and any(brings(n) for inner in stmt.body for n in walk(inner)) for top in body for stmt in walk(top))

    def edits(self) -> list[Edit]:
        out: list[Edit] = []
        fresh: dict[str, list[str]] = {}
        for (module, name), bound in self._wanted.items():
            fresh.setdefault(module, []).append(name if bound == name else f"{name} as {bound}")
        lines = ""
        for module, names in fresh.items():
            stmt = self._plain_from(module)
            if stmt is not None:
                out += self._longer(stmt, sorted(names, key=_isort))
            else:
                lines += f"from {module} import {', '.join(names)}\n"
        if lines:
            out.append(self._insert(lines))
        return out

    def _longer(self, stmt: Import, names: list[str]) -> list[Edit]:
        """More names in an import, each at its place where those that are there are sorted."""
        there = [n.name or "" for n in stmt.names]
        out: list[Edit] = []
        for name in names:
            after = next((n for n in stmt.names if _isort(n.name or "") > _isort(name)), None) if there == sorted(there, key=_isort) else None
            if after is not None:
                out.append(self._sheet.edit((*after.at[:2], *after.at[:2]), f"{name}, "))
            else:
                out.append(self._sheet.edit((stmt.at[2], stmt.at[3], stmt.at[2], stmt.at[3]), f", {name}"))
        return out

    def _plain_from(self, module: str) -> Import | None:
        """An import on one line, without brackets, that can be made longer."""
        for stmt in self._module.facts.body:
            if type(stmt) is Import and stmt.at[0] < self._before and stmt.names and all(n.module == module and n.level == 0 and n.name not in (None, "*") for n in stmt.names):
                written = self._sheet.slice(stmt.at)
                if _PLAIN_FROM.fullmatch(written) and len(written) < 100:
                    return stmt
        return None

    def _insert(self, lines: str) -> Edit:
        body = self._module.facts.body
        above = [s for s in body if s.at[0] < self._before]
        last = next((s for s in reversed(above) if type(s) is Import), None)
        if last is None and above and type(above[0]) is ExprStmt and type(above[0].value) is Const and above[0].value.kind == "str":
            last = above[0]
            lines = "\n" + lines
        if last is None:
            first = body[0].at[0] if body else 1
            number = _above_comments(self._sheet.lines, min(first, self._before))
            return self._sheet.insert_before(number, lines)
        end = last.at[2]
        while True:  # statements joined by `;` may go on over more lines
            further = max((s.at[2] for s in body if s.at[0] <= end < s.at[2] and s.at[0] >= last.at[0]), default=end)
            if further == end:
                return self._sheet.insert_after(end, lines)
            end = further


def _isort(name: str) -> tuple[int, str]:
    """The order of isort and ruff: constants, classes, the rest."""
    return (0 if len(name) > 1 and name.isupper() else 1 if name[:1].isupper() else 2, name)


def _above_comments(lines: list[str], number: int) -> int:
    """The line above the comments that stand on top of a statement, below those at the head of the file (shebang, encoding, licence)."""
    top = number
    while top > 1 and lines[top - 2].lstrip().startswith("#"):
        top -= 1
    return number if top == 1 else top


__all__ = ["Imports"]
