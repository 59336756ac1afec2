"""Where a call that writes a file writes to: a place of the machine, or one that only this activation has (a buffer in memory, a
temporary directory). Each activation has its own of those, so that writing there again changes nothing."""

from __future__ import annotations

from typing import Any

from hitl_lint.analysis import conditions
from hitl_lint.analysis.names import Ext, Lit, Names, Scope
from hitl_lint.catalogue.effects_files import OWN_PLACES, PATH_MAKERS, PATH_METHODS, TARGETS, TARGET_NAMES
from hitl_lint.facts import Attr, Bin, Call, FStr

MOVES = frozenset({"move", "move_into", "rename", "renames", "replace"})
MAX_STEPS = 8  # joins and conversions between a temporary directory and the path that is written to


def own(names: Names, expr: Any, scope: Scope, depth: int = 0) -> bool:
    """Whether an expression is, in all that is known of it, a buffer in memory or a temporary place or a path inside one."""
    if depth > MAX_STEPS or expr is None:
        return False
    if type(expr) is FStr:
        return bool(expr.parts) and own(names, expr.parts[0], scope, depth + 1)  # a text in front says another place
    if type(expr) is Bin and expr.op == "+":
        return own(names, expr.left, scope, depth + 1)
    values = names.resolve(expr, scope)
    for v in values:
        if isinstance(v, Lit) and type(v.expr) in (FStr, Bin) and v.expr is not expr and own(names, v.expr, v.scope, depth + 1):
            continue
        if not isinstance(v, Ext):
            return False
        head = v.path.split("().", 1)[0].removesuffix("()")
        if any(v.path == p or v.path.startswith(p + ".") for p in OWN_PLACES):
            continue
        if head in PATH_MAKERS and v.origin is not None and v.origin.args and own(names, v.origin.args[0].value, v.scope or scope, depth + 1):
            continue
        return False
    return bool(values)


def only_own(names: Names, path: str, call: Call, scope: Scope) -> bool:
    """Whether all that a library call (`path`) writes to or takes away belongs to this activation."""
    last = path.rsplit(".", 1)[-1]
    of_path = path.startswith(("pathlib.", "anyio.Path")) and type(call.func) is Attr
    if of_path and last in PATH_METHODS:
        return own(names, call.func.value, scope)
    if not own(names, conditions.argument(call, TARGETS.get(path, 0), *TARGET_NAMES), scope):
        return False
    if last in MOVES:  # what is moved away is missed where it was
        return own(names, call.func.value if of_path else conditions.argument(call, 0, "src"), scope)
    return True


__all__ = ["only_own", "own"]
