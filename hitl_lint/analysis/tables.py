"""Tables and names in the text that builds graphs: what a loop runs over, what a helper is called with, which node a name is.

One builder call may stand for several: in a loop over a table of nodes, in a helper that is called for each node. `Tables.envs` gives, for each time
that the call is made, what its names stand for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hitl_lint.analysis.names import UNKNOWN, Cls, Ext, Fn, FnInfo, Inst, Lit, Names, Scope, Value, Wrapped, argument, is_graph_path, is_test
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue import surface
from hitl_lint.facts import Attr, Call, Const, Dict, FStr, Name, Seq, Slice, Star, Sub, dotted, walk
from hitl_lint.record import record

MAX_ROWS = 400  # rounds of a loop over a table, calls of a helper
MAX_SITES = 40

START, END = "__start__", "__end__"
SITE = "<site>"  # in an Env: the call of the helper that gives its parameters their values
Env = dict[str, "Item"]


@record
class Item:
    """An expression with the scope in which it is to be read; `parts` of a pair that no expression stands for (an item of `d.items()`, of `zip`)."""

    expr: Any
    scope: Scope
    parts: tuple["Item", ...] = ()


class Tables:
    def __init__(self, names: Names) -> None:
        self.names = names
        self._rows: dict[int, list[Env] | None] = {}

    # ---- loops and helpers: one call that stands for several
    def envs(self, exprs: tuple[Any, ...], scope: Scope) -> list[Env]:
        """What the names in a builder call stand for: once per round of a loop over a table, per call of the helper whose parameters they are."""
        used = {n.id for e in exprs if type(e) is not Const for n in walk(e) if type(n) is Name}
        for e in exprs:
            inside = self._looked_up(e, scope) if type(e) is Name else None
            used |= {n.id for n in walk(inside[0]) if type(n) is Name} if inside is not None else set()
        loops: dict[int, tuple[Any, Scope]] = {}
        params = False
        for name in used:
            found = self.names.lookup(name, scope)
            if found is None or len(found[0]) != 1:
                continue
            b, where = found[0][0], found[1]
            if b.how.startswith("element"):
                loops[id(b.stmt)] = (b.stmt, where)
            elif b.how == "param" and where is scope and isinstance(scope.owner, FnInfo):
                params = params or not (scope.owner.cls is not None and scope.owner.fn.params[0] is b.node)
        envs: list[Env] = [{}]
        if params:
            envs = self._sites(scope.owner) or envs
        for key, (stmt, where) in loops.items():
            rows = self._loop(key, stmt, where)
            if rows:
                envs = [{**env, **row} for env in envs for row in rows][:MAX_ROWS]
        return envs

    def _sites(self, info: FnInfo) -> list[Env]:
        """What the callers of a helper pass, by parameter; [] where they are not seen or too many."""
        key = id(info.fn)
        if key not in self._rows:
            out: list[Env] = []
            self._rows[key] = out
            init = info.cls is not None and info.name == "__init__"
            sites = self.names.calls_by_name.get(info.cls.cls.name if init and info.cls else info.name, ())
            for call, scope in sites if len(sites) <= MAX_SITES else ():
                if is_test(scope.module.path) and not is_test(info.module.path):
                    continue
                targets = self.names.resolve(call.func, scope)
                if not any(isinstance(v, Cls) and v.info is info.cls if init else isinstance(v, Fn) and v.info is info for v in targets):
                    continue
                bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
                env: Env = {SITE: Item(call, scope)}
                for p in info.fn.params:
                    arg = argument(call, info.fn, p, bound)
                    if arg is not None:
                        env[p.name] = Item(arg, scope)
                    elif p.default is not None:
                        env[p.name] = Item(p.default, info.parent)
                out.append(env)
        return self._rows[key] or []

    def _loop(self, key: int, stmt: Any, scope: Scope) -> list[Env] | None:
        """By round of a loop what its variables are; None where the table cannot be read."""
        if key not in self._rows:
            self._rows[key] = None
            items = self.items(Item(stmt.iter, scope), 0)
            if items is not None:
                rows = [self._unpack(stmt.target, item) for item in items]
                self._rows[key] = [r for r in rows if r is not None] if all(r is not None for r in rows) else None
        return self._rows[key]

    def _unpack(self, target: Any, item: Item) -> Env | None:
        if type(target) is Name:
            return {} if item.parts else {target.id: item}
        if type(target) is not Seq:
            return None
        parts = item.parts
        if not parts:
            inner = self.items(item, 0)
            parts = tuple(inner) if inner is not None else ()
        if len(parts) != len(target.elts):
            return None
        out: Env = {}
        for t, part in zip(target.elts, parts):
            got = self._unpack(t, part)
            if got is None:
                return None
            out.update(got)
        return out

    def items(self, item: Item, depth: int) -> list[Item] | None:
        """The items of a table that is written down somewhere; None where it cannot be read."""
        e, scope = item.expr, item.scope
        t = type(e)
        if depth > 8:
            return None
        if t is Seq:
            out: list[Item] = []
            for elt in e.elts:
                if type(elt) is Star:
                    more = self.items(Item(elt.value, scope), depth + 1)
                    if more is None:
                        return None
                    out += more
                else:
                    out.append(Item(elt, scope))
            return out[:MAX_ROWS]
        if t is Dict:
            return [Item(k, scope) for k in e.keys if k is not None] if all(k is not None for k in e.keys) else None
        if t is Sub and type(e.index) is Slice:
            inner = self.items(Item(e.value, scope), depth + 1)
            bounds = [b.value if type(b) is Const else None if b is None else UNKNOWN for b in (e.index.lower, e.index.upper, e.index.step)]
            return inner[slice(*bounds)] if inner is not None and UNKNOWN not in bounds else None
        if t is Call:
            return self._items_of_call(e, scope, depth)
        values = self.names.resolve(e, scope)
        if len(values) != 1 or not isinstance(values[0], Lit) or type(values[0].expr) not in (Seq, Dict) or self.grows(e, scope):
            return None
        return self.items(Item(values[0].expr, values[0].scope), depth + 1)

    def _items_of_call(self, e: Call, scope: Scope, depth: int) -> list[Item] | None:
        f = e.func
        if type(f) is Attr and f.attr in ("items", "keys", "values") and not e.args:
            values = self.names.resolve(f.value, scope)
            if len(values) != 1 or not isinstance(values[0], Lit) or type(values[0].expr) is not Dict or self.grows(f.value, scope):
                return None
            d, where = values[0].expr, values[0].scope
            if any(k is None for k in d.keys):
                return None
            pairs = [(Item(k, where), Item(v, where)) for k, v in zip(d.keys, d.values)]
            return [p[0] if f.attr == "keys" else p[1] if f.attr == "values" else Item(None, where, p) for p in pairs]
        name = dotted(f)
        plain = [a.value for a in e.args if a.name is None and not a.star]
        if name in ("list", "tuple", "sorted", "reversed", "iter", "set") and len(plain) == 1:
            return self.items(Item(plain[0], scope), depth + 1)
        if name in ("zip", "enumerate", "pairwise", "itertools.pairwise") and plain:
            columns = [self.items(Item(x, scope), depth + 1) for x in plain]
            if any(c is None for c in columns):
                return None
            if name == "enumerate":
                return [Item(None, scope, (Item(Const(e.at, "int", n), scope), i)) for n, i in enumerate(columns[0] or ())]
            pairs_ = zip(columns[0] or (), (columns[0] or ())[1:]) if name != "zip" else zip(*(c or () for c in columns))
            return [Item(None, scope, tuple(p)) for p in pairs_]
        return None

    def grows(self, e: Any, scope: Scope) -> bool:
        """A table that is filled after it is written down."""
        if type(e) is not Name:
            return False
        found = self.names.lookup(e.id, scope)
        return found is not None and any(type(c.func) is Attr and c.func.attr in ("append", "extend", "insert", "update", "setdefault")
                                         and type(c.func.value) is Name and c.func.value.id == e.id for c in found[1].calls)

    def cut(self, call: Call, scope: Scope) -> bool:
        """Whether the call has a loop variable whose table cannot be read: there are parts that are not seen."""
        for a in call.args:
            if a.star:
                return True
            for n in walk(a.value) if type(a.value) is not Const else ():
                if type(n) is Name and (found := self.names.lookup(n.id, scope)) is not None and any(b.how.startswith("element") for b in found[0]):
                    if len(found[0]) != 1 or not self._loop(id(found[0][0].stmt), found[0][0].stmt, found[1]):
                        return True
        return False

    def callables(self, expr: Any, scope: Scope, env: Env) -> tuple[Value, ...]:
        if expr is None:
            return ()
        item = env.get(expr.id) if type(expr) is Name else None
        if item is not None and not item.parts:
            return self.callables(item.expr, item.scope, {})
        inside = self._looked_up(expr, scope)
        found = self.names.resolve(expr, scope) if inside is None else self._entries(*inside, scope, env)
        if inside is not None and type(expr) is Call and inside[0] is not expr:
            # `add_node(name, wrap(FNS[name]))`: the wrapper, and of the dict that one entry.
            others = {id(v.info.fn) for v in self.names.resolve(inside[0], scope) if isinstance(v, Fn)} - {id(v.info.fn) for v in found if isinstance(v, Fn)}
            found = tuple(w for v in self.names.resolve(expr, scope) if (w := _without(v, others)) is not None)
        return tuple(v for v in found if isinstance(v, (Fn, Wrapped, Inst)) or (isinstance(v, Ext) and (is_graph_path(v.path) or v.path in surface.TOOL_NODES)))

    # ---- one entry of a dict of functions
    def _looked_up(self, e: Any, scope: Scope, depth: int = 0) -> tuple[Any, Any, Any] | None:
        """(look-up, dict, key) of `FNS[name]` or `FNS.get(name)` with a key that is no constant, also in a name of its own or in a wrapper's call."""
        t = type(e)
        if t is Sub and type(e.index) not in (Const, Slice):
            return (e, e.value, e.index) if self._dict(e.value, scope) else None
        if t is Call and type(e.func) is Attr and e.func.attr == "get" and e.args and not e.args[0].star and type(e.args[0].value) is not Const:
            return (e, e.func.value, e.args[0].value) if self._dict(e.func.value, scope) else None
        if t is Call and depth < 3:
            return next((found for a in e.args if type(a.value) in (Sub, Call) and (found := self._looked_up(a.value, scope, depth + 1)) is not None), None)
        if t is Name and depth < 3:
            kept = self._kept(e, scope)
            return self._looked_up(kept, scope, depth + 1) if kept is not None and type(kept) in (Sub, Call) else None
        return None

    def _kept(self, e: Name, scope: Scope) -> Any:
        """What a name of this function is assigned, where that is one thing."""
        found = self.names.lookup(e.id, scope)
        return found[0][0].node if found is not None and found[1] is scope and len(found[0]) == 1 and found[0][0].how == "value" else None

    def _dict(self, base: Any, scope: Scope) -> bool:
        """Whether this is seen to be a dict of more than one thing."""
        return any(isinstance(v, Lit) and type(v.expr) is Dict and len(v.expr.values) != 1 for v in self.names.resolve(base, scope))

    def _entries(self, look_up: Any, base: Any, key: Any, scope: Scope, env: Env) -> tuple[Value, ...]:
        """What a dict holds under a key that is known here; () where the key is not: it may be any of them then, and speaks of none."""
        word = self.string(key, scope, env)
        item = env.get(base.id) if type(base) is Name else None
        if word is None or item is not None and item.parts:
            return ()
        where = scope
        if item is not None:
            base, where = item.expr, item.scope
        out: list[Value] = []
        for v in self.names.resolve(base, where):
            if isinstance(v, Lit) and type(v.expr) is Dict:
                hits = [value for k, value in zip(v.expr.keys, v.expr.values) if k is not None and self.string(k, v.scope) == word]
                out += self.names.resolve(hits[-1], v.scope) if hits else ()
        for k, value, there in self.names.stores(base, where):
            if self.string(k, there) == word:
                out += self.names.resolve(value, there)
        return tuple(dict.fromkeys(out))

    # ---- names
    def string(self, expr: Any, scope: Scope, env: Env | None = None) -> str | None:
        """The node name that an expression is: a constant, START or END, an enum member, an f-string of such."""
        t = type(expr)
        if expr is None:
            return None
        if t is Const:
            return expr.value if expr.kind == "str" else None
        if t is Name and env and expr.id in env:
            item = env[expr.id]
            return None if item.parts else self.string(item.expr, item.scope)
        if t is FStr:
            parts = [p.value if type(p) is Const else self.string(p, scope, env) for p in expr.parts]
            return "".join(parts) if all(isinstance(p, str) for p in parts) else None  # type: ignore[arg-type]
        if t is Attr and expr.attr in ("value", "__name__", "name"):
            if expr.attr == "value" and (inner := self.string(expr.value, scope, env)) is not None:
                return inner
            if expr.attr != "value":
                return self.own_name(self.callables(expr.value, scope, env or {}))
        values = self.names.resolve(expr, scope)
        if len(values) != 1:
            return None
        v = values[0]
        if isinstance(v, Lit) and type(v.expr) is Const and v.expr.kind == "str":
            return v.expr.value
        if isinstance(v, Ext):
            return START if v.path in lg.START else END if v.path in lg.END else None
        return None

    def own_name(self, values: tuple[Value, ...]) -> str | None:
        """The name that `add_node(action)` gives a node."""
        if len(values) != 1:
            return None
        v = values[0]
        if isinstance(v, Fn):
            return v.info.name
        if isinstance(v, Inst):
            return v.info.cls.name
        if isinstance(v, Wrapped) and len(v.targets) == 1:
            return self.own_name(v.targets)
        if isinstance(v, Ext) and v.origin is not None and v.scope is not None:
            if v.path in surface.TOOL_NODES:
                given = next((a.value for a in v.origin.args if a.name == "name"), None)
                return "tools" if given is None else self.string(given, v.scope)
            for call in (v.made, v.origin):
                for a in call.args if call is not None else ():
                    if a.name == "name":
                        return self.string(a.value, v.scope)
        return None


def _without(v: Value, others: set[int]) -> Value | None:
    """A value less those of some functions, given by the ids of their texts; None where nothing is left."""
    if isinstance(v, Fn):
        return None if id(v.info.fn) in others else v
    if isinstance(v, Wrapped):
        kept = tuple(t for t in v.targets if _without(t, others) is not None)
        return replace(v, targets=kept) if kept else None
    return v


__all__ = ["END", "Env", "Item", "SITE", "START", "Tables"]
