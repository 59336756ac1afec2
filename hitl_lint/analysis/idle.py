"""Tests in front of a pause that decide nothing while a run waits: whether a library could be imported, whether this activation has asked already,
whether there is what the lines before have just filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hitl_lint.analysis.cfg import CFG, Guard, Point
from hitl_lint.analysis.names import Ext, Scope
from hitl_lint.facts import Assign, Attr, BoolOp, Call, Cmp, Const, For, FStr, Handler, Name, Sub, Try, Un, dotted, text, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError"})
LOOKS_FOR_MODULE = frozenset({"importlib.util.find_spec()", "shutil.which()"})
LITERAL = ("bool", "none")


class Idle:
    def __init__(self, project: "Project") -> None:
        self.project = project

    def test(self, g: Guard, cfg: CFG, scope: Scope) -> bool:
        """Whether a guard of a point of `cfg` decides nothing that could change while a run waits."""
        if g.kind != "test":
            return False
        e, truth = g.node, g.branch == "true"
        while type(e) is Un and e.op == "not":
            e, truth = e.value, not truth
        return self._imported(e, scope) or self._first_time(e, truth, g, cfg, scope) or truth and self._filled(e, g, cfg, scope)

    # ---- flags of the import
    def _imported(self, e: Any, scope: Scope) -> bool:
        """`try: import redis; HAVE = True except ImportError: HAVE = False`, `HAVE = find_spec("redis") is not None`, `redis is None`."""
        if type(e) is BoolOp:
            return all(self._imported(v, scope) for v in e.values)
        if type(e) is Un and e.op == "not":
            return self._imported(e.value, scope)
        if type(e) is Cmp and e.ops in (["is"], ["is not"]) and type(e.rights[0]) is Const and e.rights[0].kind in LITERAL:
            e = e.left
        found = self.project.names.lookup(e.id, scope) if type(e) is Name else None
        if found is None or found[1].kind != "module":
            return False
        bound, module = found
        if e.id in self.project.order.written_names():
            return False
        looked = [b for b in bound if b.how == "value" and any(isinstance(v, Ext) and v.path in LOOKS_FOR_MODULE for n in walk(b.node) if type(n) is Call
                                                                for v in self.project.names.resolve(n, module))]
        if looked and len(looked) == len(bound):
            return True
        constant = [b for b in bound if b.how == "value" and type(b.node) is Const and b.node.kind in LITERAL]
        missing = {id(n.value) for t in module.module.facts.body if type(t) is Try for h in t.handlers if self._of_import(h)
                   for s in h.body for n in walk(s) if type(n) is Assign and n.value is not None}
        return bool(constant) and any(id(b.node) in missing for b in constant) and all(b in constant or b.how in ("import", "def", "class") for b in bound)

    def _of_import(self, h: Handler) -> bool:
        return h.type is None or any((dotted(n) or "") in IMPORT_ERRORS | {"Exception"} for n in walk(h.type) if type(n) in (Name, Attr))

    # ---- flags of the activation
    def _first_time(self, e: Any, truth: bool, g: Guard, cfg: CFG, scope: Scope) -> bool:
        """`asked = False` at the start of the activation, and `if not asked: asked = True` in front of the pause: the first time it is always so."""
        found = self.project.names.lookup(e.id, scope) if type(e) is Name else None
        if found is None or found[1].kind != "function":
            return False
        values = [b for b in found[0] if b.how == "value"]
        starts = [b for b in values if type(b.node) is Const and b.node.kind == "bool" and b.node.value is truth]
        if len(starts) != 1 or len(values) != len(found[0]):
            return False
        # What sets it otherwise, here or (by `nonlocal`) in this function: only behind the test itself.
        sets = [x for x in cfg.points if x.kind == "bind" and type(x.node) is Assign and x.node.value is not starts[0].node
                and any(type(t) is Name and t.id == e.id for t in x.node.targets)]
        inside = {id(x.node.value) for x in sets}
        others = [b for b in values if b is not starts[0] and id(b.node) not in inside]
        return bool(sets) and not others and all(any(h.point is g.point and h.branch == g.branch for h in cfg.guards(x)) for x in sets) and (
            found[1] is scope or e.id in scope.owner.fn.nonlocals and not self._set_elsewhere(e.id, found[1], scope))

    def _set_elsewhere(self, name: str, owner: Scope, scope: Scope) -> bool:
        """Whether another function inside of the one that owns a name sets it."""
        return any(name in info.fn.nonlocals and info.fn is not scope.owner.fn and self.project.names.scope(info).parent is owner
                   for info in list(scope.module.functions))

    # ---- what is filled in
    def _filled(self, e: Any, g: Guard, cfg: CFG, scope: Scope) -> bool:
        """`for call in calls: if not call.get("id"): call["id"] = new()`, then `id = calls[n].get("id")` and `if not id: return`."""
        if type(e) is Name:
            bound = self._bound(e.id, g.point, cfg, scope)
            if len(bound) != 1 or bound[0].how != "value":
                return False
            e = bound[0].node
        read = _item(e)
        if read is None:
            return False
        holder, key = read
        for x in cfg.points:
            if x.kind != "bind" or type(x.node) is not Assign or not _something(x.node.value):
                continue
            for t in x.node.targets:
                if type(t) is Sub and type(t.index) is Const and t.index.value == key:
                    if self._same_thing(t.value, holder, x, g, cfg, scope):
                        return True
        return False

    def _same_thing(self, made: Any, read: Any, x: Point, g: Guard, cfg: CFG, scope: Scope) -> bool:
        """Whether what was filled at `x`, where it was missing, is what the guard looks at: the same name, or an item of the list that was gone through."""
        around = [h for h in cfg.guards(x) if not h.again]
        absent = [h for h in around if h.kind == "test"]
        loops = [h for h in around if h.kind == "iter"]
        if len(absent) > 1 or len(loops) > 1 or len(absent) + len(loops) != len(around) or any(
                not (pair := _missing(h)) or text(pair[0], 80) != text(made, 80) or pair[1] != x.node.targets[0].index.value for h in absent):
            return False
        first = (loops or absent or [None])[0]
        if not cfg.dominates(first.point if first is not None else x, g.point) or any(r.kind == "loop" and r not in g.point.regions for r in x.regions) is not bool(loops):
            return False
        if not loops:
            return text(made, 80) == text(read, 80) and all(len(self._bound(n.id, g.point, cfg, scope)) <= 1 for n in walk(read) if type(n) is Name)
        loop = loops[0].node
        if type(loop) is not For or type(loop.target) is not Name or type(made) is not Name or made.id != loop.target.id:
            return False
        return self._item_of(read, loop.iter, g.point, cfg, scope)

    def _bound(self, name: str, at: Point, cfg: CFG, scope: Scope) -> list[Any]:
        """The bindings of a name that can still hold at a point."""
        out = []
        for b in scope.bindings.get(name, ()):
            made = [x for x in cfg.points if x.kind in ("bind", "iter") and (x.node is b.stmt or b.node is not None and b.node in (
                getattr(x.node, "value", None), getattr(x.node, "iter", None)))]
            if not made or any(cfg.connects(x, at) for x in made):
                out.append(b)
        return out

    def _item_of(self, e: Any, items: Any, at: Point, cfg: CFG, scope: Scope) -> bool:
        """`calls[n]`, `call` of a loop over `calls`, a name for one of these; the list is the one that was gone through."""
        if type(items) is not Name or len(self._bound(items.id, at, cfg, scope)) != 1:
            return False
        if type(e) is Name:
            bound = [b for b in self._bound(e.id, at, cfg, scope) if not (b.how == "element" and text(b.node, 80) == items.id)]
            return all(b.how == "value" and type(b.node) is Sub and self._item_of(b.node, items, at, cfg, scope) for b in bound)
        return type(e) is Sub and type(e.value) is Name and e.value.id == items.id


def _item(e: Any) -> tuple[Any, Any] | None:
    """(`row`, "id") of `row["id"]`, `row.get("id")`."""
    if type(e) is Sub and type(e.index) is Const:
        return e.value, e.index.value
    if type(e) is Call and type(e.func) is Attr and e.func.attr == "get" and e.args and type(e.args[0].value) is Const:
        return e.func.value, e.args[0].value.value
    return None


def _missing(g: Guard) -> tuple[Any, Any] | None:
    """(`row`, "id") of a guard that lets through where the item is missing: `not row.get("id")`, `"id" not in row`, `row.get("id") is None`."""
    e, truth = g.node, g.branch == "true"
    while type(e) is Un and e.op == "not":
        e, truth = e.value, not truth
    if type(e) is Cmp and len(e.ops) == 1 and type(e.left) is Const and (e.ops[0] == "not in") is truth and e.ops[0] in ("in", "not in"):
        return e.rights[0], e.left.value
    return _item(e) if not truth else None


def _something(e: Any) -> bool:
    """A value that is not empty, as far as one can say: a text, a number, an id that is made."""
    return type(e) is FStr or type(e) is Call and (dotted(e.func) or "").rpartition(".")[2] in ("str", "uuid4", "uuid1", "hex", "token_hex") or (
        type(e) is Const and e.kind in ("str", "int", "float") and bool(e.value))


__all__ = ["Idle"]
