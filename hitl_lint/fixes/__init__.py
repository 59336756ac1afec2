"""What mends a finding: one kind of fix a file, found by scanning this package.

A fixer module has a docstring, a constant `CODES` (the rules whose findings it can mend), a constant `ORDER` (of several fixers for one finding the
lowest proposes first) and a function `fix(desk, finding) -> Fix`, which raises `Refused` with one sentence where it cannot be sure. It works on
facts and on the text as it stands, never writes, and edits no more than it must: what is outside its edits stays byte by byte.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import replace
from functools import lru_cache
from types import ModuleType
from typing import Iterable

from hitl_lint.finding import Finding
from hitl_lint.fixes.desk import Desk, Refused


@lru_cache(maxsize=1)
def fixers() -> dict[str, list[ModuleType]]:
    """Rule code -> the modules that can mend its findings, the first choice first."""
    out: dict[str, list[ModuleType]] = {}
    for info in pkgutil.iter_modules(__path__, __name__ + "."):
        module = importlib.import_module(info.name)
        for code in getattr(module, "CODES", ()):
            out.setdefault(code, []).append(module)
    return {code: sorted(modules, key=lambda m: (m.ORDER, m.__name__)) for code, modules in out.items()}


def propose(desk: Desk, findings: Iterable[Finding]) -> list[Finding]:
    """The findings with what can be done about them: `fixes`, or `no_fix` where there is a fixer that will not."""
    return [_proposed(desk, finding) for finding in findings]


def _proposed(desk: Desk, finding: Finding) -> Finding:
    fixes = []
    refusals: list[str] = []
    for module in fixers().get(finding.code, ()):
        try:
            fixes.append(module.fix(desk, finding))
        except Refused as why:
            refusals.append(str(why))
    if fixes:
        return replace(finding, fixes=(*finding.fixes, *fixes))
    return replace(finding, no_fix="; and ".join(dict.fromkeys(filter(None, refusals)))) if refusals else finding


__all__ = ["Desk", "Refused", "fixers", "propose"]
