"""The rules: one a file, found by scanning this package.

A rule module has a docstring (the page that `--explain` prints), a constant `META` and a pure function
`check(project) -> Iterator[Finding]`. What it needs of `analysis` is imported at its top; a rule that is off unless selected, or that concerns what few
programs have, imports it in `check`.
"""

from __future__ import annotations

import importlib
import pkgutil

from functools import lru_cache
from typing import TYPE_CHECKING, Callable, Iterable, Iterator

from hitl_lint.finding import Finding, Severity
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project


@record
class Meta:
    """What a rule is. `needles`: byte strings without one of which a file can never make it fire. `family`: rules that
    compete for one place; the one of higher `rank` wins. `also`: the severities it can have besides `severity`, worst first. `shown`: shown even when notes are hidden (HIL303). `opt_in`: off unless selected."""

    code: str
    name: str
    severity: Severity
    summary: str
    needles: tuple[bytes, ...] = (b"interrupt", b"Interrupt")
    family: str = ""
    rank: int = 0
    shown: bool = False
    opt_in: bool = False
    fix: str = ""
    also: tuple[Severity, ...] = ()

    @property
    def severities(self) -> str:
        """"error", or "error, warning or note" where the case decides: the usual one first."""
        *most, last = [severity.label for severity in (self.severity, *self.also)]
        return f"{', '.join(most)} or {last}" if most else last


@record
class Rule:
    meta: Meta
    doc: str
    check: Callable[["Project"], Iterator[Finding]]


@lru_cache(maxsize=1)
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by code."""
    found: list[Rule] = []
    for info in pkgutil.walk_packages(__path__, __name__ + "."):
        if info.ispkg:
            continue
        module = importlib.import_module(info.name)
        meta = getattr(module, "META", None)
        if meta is not None:
            found.append(Rule(meta, module.__doc__ or "", module.check))
    return tuple(sorted(found, key=lambda r: r.meta.code))


def needles(rules: Iterable[Rule]) -> tuple[bytes, ...]:
    """The union of what the rules declare, sorted, without a needle that another one contains."""
    union = {n for rule in rules for n in rule.meta.needles}
    return tuple(sorted(n for n in union if not any(other != n and other in n for other in union)))
