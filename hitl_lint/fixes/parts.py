"""What the splitting of a node is told in: the pieces of a function and what travels between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hitl_lint.finding import Fix


@dataclass(slots=True, eq=False)
class Plan:
    """`moved`: the expressions (facts) at fault that no longer run again."""

    fix: Fix
    moved: list[Any]


@dataclass(slots=True)
class Hot:
    """An expression that must not run again, and the pause behind it."""

    node: Any
    pause: Any


@dataclass(slots=True)
class Level:
    """One block on the way to the pause: the statements of `block` before `cut` come before the pause, the rest from the pause on. `test`: under
    which condition, as text, the block runs ("" for the function's own); `owner` the `if` it belongs to; `ifs` all of that chain down to it."""

    block: list[Any]
    cut: int
    test: str = ""
    owner: Any = None
    ifs: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class Part:
    """A segment of the function: what becomes one node. `needs`: names that come through the state; `again`: statements repeated here; `writes`: keys
    of the state argument that an earlier part has set for itself."""

    stmts: list[Any]
    needs: list[str] = field(default_factory=list)
    again: list[Any] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
