"""By which fields a row was looked up, and with what: read again, those are the same, or there is no row any more."""

from __future__ import annotations

from typing import Any, Iterator

from hitl_lint.analysis.names import Cls, Names, Scope
from hitl_lint.catalogue import verbs
from hitl_lint.facts import Attr, Await, Bin, Call, Cmp, Const, Name, Sub, Un, dotted, walk

EITHER = frozenset({"or_", "not_", "any_", "Q"})
NARROWS = frozenset({"filter", "filter_by", "where", "having", "get", "aget", "get_or_404", "first_or_404", "one_or_404", "get_object_or_404", "find_one", "find_by"})
LOOKS_UP = frozenset({"get", "fetch", "load", "find", "read", "lookup", "retrieve", "require"})
MAX_NAMES = 3  # statements that are put together first: `stmt = select(…)`, `stmt = stmt.where(…)`


def keys(names: Names, read: Any, scope: Scope) -> dict[str, Any]:
    """The fields of what a call reads that have the value they were asked for, with the expression of it."""
    out: dict[str, Any] = {}
    nodes = list(_nodes(read, scope, 0))
    if any(type(n) is Call and _last(n) in EITHER or type(n) is Bin and n.op == "|" or type(n) is Un and n.op in ("~", "not") for n in nodes):
        return out
    chosen = {dotted(n.args[0].value) for n in nodes if type(n) is Call and _last(n) in ("select", "query") and n.args}
    for n in nodes:
        if type(n) is Cmp and list(n.ops) == ["=="]:
            for column, key in ((n.left, n.rights[0]), (n.rights[0], n.left)):
                if type(column) is Attr and dotted(column.value) in chosen and _is_class(names, column.value, scope) and not (
                        type(key) is Attr and _is_class(names, key.value, scope)):
                    out.setdefault(column.attr, key)
        elif type(n) is Call and _last(n) in NARROWS:
            plain = [a.value for a in n.args if a.name is None and not a.star]
            for a in n.args:
                if a.name is not None and "__" not in a.name and (_last(n) == "filter_by" or "objects" in (dotted(n.func) or "") or _last(n) == "get_object_or_404"):
                    out.setdefault(a.name, a.value)
                    if a.name == "pk":
                        out.setdefault("id", a.value)
            if _last(n) in ("get", "get_or_404", "aget") and len(plain) == 2 and _is_class(names, plain[0], scope):
                out.setdefault("id", plain[1])
    if type(read) is Call and not out:
        out |= _by_name(read)
    return out


def _by_name(read: Call) -> dict[str, Any]:
    """`get_ticket(ticket_id)`, `tickets.get_ticket(id)`: the one of that id, whose `id` is that id. Not `latest_order(customer_id)`."""
    ws = verbs.words(_last(read))
    if "by" in ws:
        ws = ws[:ws.index("by")]
    if len(ws) != 2 or ws[0].removeprefix("a") not in LOOKS_UP and ws[0] not in LOOKS_UP:
        return {}
    for a in read.args:
        name = a.value.id if type(a.value) is Name else a.value.index.value if type(a.value) is Sub and type(a.value.index) is Const else (
            a.value.attr if type(a.value) is Attr else None)
        if isinstance(name, str) and verbs.words(name) in (("id",), (ws[1], "id")):
            return {"id": a.value, f"{ws[1]}_id": a.value}
    return {}


def _nodes(e: Any, scope: Scope, depth: int) -> Iterator[Any]:
    """What an expression is made of, with the statement that is put together before it is run."""
    for n in walk(e):
        yield n
        if type(n) is Name and depth < MAX_NAMES:
            found = scope.bindings.get(n.id, ())
            made = [b.node.value if type(b.node) is Await else b.node for b in found]
            starts = [m for m in made if not any(type(x) is Name and x.id == n.id for x in walk(m))]
            if len(starts) == 1 and all(b.how == "value" for b in found) and not any(m is e for m in made):
                for m in made:
                    if type(m) is Call and _builds(m):
                        yield from _nodes(m, scope, depth + 1)


def _builds(e: Any) -> bool:
    """A query that is put together or run: it begins with `select(…)` or `….query(…)`, or goes on with `where`."""
    while type(e) is Call:
        if _last(e) in ("select", "query", "where", "filter", "filter_by", "join", "options", "order_by", "limit", "execute", "scalars", "scalar", "exec", "stream", "stream_scalars"):
            return True
        e = e.func.value if type(e.func) is Attr else None
    return False


def _is_class(names: Names, e: Any, scope: Scope) -> bool:
    if any(isinstance(v, Cls) for v in names.resolve(e, scope)):
        return True
    last = (dotted(e) or "").rsplit(".", 1)[-1]
    return last[:1].isupper() and not last.isupper()


def _last(call: Call) -> str:
    return call.func.attr if type(call.func) is Attr else call.func.id if type(call.func) is Name else ""


__all__ = ["keys"]
