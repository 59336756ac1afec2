"""What is shown at a pause, piece by piece: the payload of `interrupt(…)` with its displays opened, names and helpers followed.

A piece is what cannot be opened further: a name, a call, a constant. It knows the keys on the way to it, what it is after names have been followed, and
where it is written in the payload, which is where a finding about it belongs. Of several values that a name can have at the pause each is a piece.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.cfg import Point
from hitl_lint.analysis.names import Binding, ClassInfo, Cls, Ext, Fn, FnInfo, Scope, argument
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import Assign, Attr, Bin, BoolOp, Call, Comp, Const, Dict, Expr, FStr, IfExp, Name, Return, Seq, Star, Sub, Walrus, dotted, statements
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

MAX_DEPTH = 10
MAX_PIECES = 400  # of one pause
MAX_STEPS = 5000  # names that are made of one another many times over
COPIES = frozenset({"copy.copy", "copy.deepcopy"})
COLLECTS = frozenset({"list", "tuple", "set", "frozenset", "sorted"})
# What writes a value into a text.
WRITES = frozenset({"str", "repr", "ascii", "format", "json.dumps", "simplejson.dumps", "orjson.dumps", "ujson.dumps", "pprint.pformat", "yaml.dump", "yaml.safe_dump", "textwrap.dedent",
                    "textwrap.indent", "textwrap.shorten", "textwrap.fill"})
# Methods that give a text with all of the one they are called on.
KEEPS = frozenset({"strip", "lstrip", "rstrip", "encode", "decode", "lower", "upper", "removeprefix", "removesuffix", "replace", "title", "capitalize"})


@record
class Piece:
    """`keys`: the constant keys on the way, "*" for one that cannot be read or an item of a list. `value`: the expression after names were followed, to be read in
    `scope`, at `point` of its function (None outside of functions). `shown`: what stands in the payload, in `where`. `spread`: only what is in the value is in
    the payload, not the value itself: "parts" (`**value`), "items" (`list(value)`: the keys alone of a dict). `param`: the parameter of the function around `shown`
    that the value is, "" where it is none. `behind`: in a caller of a helper that asks, the piece of the helper that it is passed for. `text`: the payload holds what
    the value looks like in a text (`f"{value}"`, `json.dumps(value)`). `names`: the names that were followed to the value."""

    keys: tuple[str, ...]
    value: Expr
    scope: Scope
    point: Point | None
    shown: Expr
    where: Scope
    spread: str = ""
    param: str = ""
    behind: "Piece | None" = None
    text: bool = False
    names: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The nearest key that can be read, "" where there is none."""
        return next((k for k in reversed(self.keys) if k != "*"), "")


@record
class _At:
    """Where an expression is read: what it takes to go on from there."""

    scope: Scope
    point: Point | None
    keys: tuple[str, ...]
    shown: Expr | None
    where: Scope
    spread: str = ""
    depth: int = 0
    given: tuple[tuple[int, str, Expr, "_At"], ...] = ()  # (scope, parameter, what is passed for it, where)
    text: bool = False
    names: tuple[str, ...] = ()

    def written(self, e: Any) -> "_At":
        """Inside of `e`, whose text holds what is written there."""
        return replace(self, shown=self.shown or e, where=self.where if self.shown is not None else self.scope, spread="", text=True, depth=self.depth + 1)


class Payloads:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names
        self._shown: dict[int, list[Piece]] = {}
        self._open: set[int] = set()
        self._left = MAX_STEPS

    def pieces(self, p: "Pausing", pause: Point) -> list[Piece]:
        """What a pause shows, as far as it is written in this function or in what it calls to make it. Behind a helper that asks: what it is given to show."""
        found: list[Piece] = []
        j = p.judged[pause.id]
        call = pause.node
        if not j.targets:
            if any(x in lg.INTERRUPT for x in j.paths):
                given = next((a.value for a in call.args if a.name == "value" or a.name is None and not a.star), None)
                if given is not None:
                    found += self._collect(given, _At(p.scope, pause, (), None, p.scope))
            return found
        # `pool.map(ask, hosts)` calls what it is given, with arguments of its own choice.
        called = [v.info for v in self.names.resolve(call.func, p.scope) if isinstance(v, Fn)]
        for info in [t for t in j.targets if any(t is c for c in called)][:4]:
            for piece in self._asked_by(info):
                for expr, keys in _passed(call, info, piece):
                    found += [replace(x, behind=piece) for x in self._collect(expr, _At(p.scope, pause, keys, None, p.scope, "items" if piece.spread == "items" else "", text=piece.text))]
        return found[:MAX_PIECES]

    def _asked_by(self, info: FnInfo) -> list[Piece]:
        """The pieces of what a function shows that are its own parameters."""
        key = id(info.fn)
        if key in self._shown or key in self._open or len(self._open) > 8:
            return self._shown.get(key, [])
        p = self.project.pausing_of(info)
        if p is None:
            return []
        self._open.add(key)
        try:
            found = [piece for pause in p.pauses for piece in self.pieces(p, pause) if piece.param]
        finally:
            self._open.discard(key)
        self._shown[key] = found
        return found

    def _collect(self, e: Any, at: _At) -> list[Piece]:
        out: list[Piece] = []
        self._left = MAX_STEPS
        for piece in self._opened(e, at):
            out.append(piece)
            if len(out) >= MAX_PIECES:
                break
        return out

    # ---- opening
    def _opened(self, e: Any, at: _At) -> Iterator[Piece]:
        t = type(e)
        self._left -= 1
        if self._left < 0 or at.depth > MAX_DEPTH or at.spread == "items" and (t is Dict or t is Comp and e.kind == "dict"):
            return
        if t is Dict:
            for k, v in zip(e.keys, e.values):
                if k is None:
                    yield from self._opened(v, self._inside(at, None, spread="parts"))
                else:
                    yield from self._opened(v, self._inside(at, k))
        elif t is Seq:
            for v in e.elts:
                yield from self._opened(v.value if type(v) is Star else v, self._inside(at, "*", spread="items" if type(v) is Star else ""))
        elif t is Comp and (e.kind != "gen" or at.spread):
            yield from self._opened(e.elt, self._inside(at, e.key if e.kind == "dict" else "*"))
        elif t is IfExp:
            for v in (e.body, e.orelse):
                yield from self._opened(v, replace(at, depth=at.depth + 1))
        elif t is BoolOp:
            for v in e.values:
                yield from self._opened(v, replace(at, depth=at.depth + 1))
        elif t is Walrus:
            yield from self._opened(e.value, replace(at, depth=at.depth + 1))
        elif t is Name:
            yield from self._name(e, replace(at, shown=at.shown or e, where=at.where if at.shown is not None else at.scope))
        elif t is Attr and (made := self.names.elsewhere(e, at.scope)) is not None and made[0].how == "value" and type(made[0].stmt) is Assign:
            # `settings.LIMIT` is what the module `settings` makes it.
            shown, where = (at.shown, at.where) if at.shown is not None else (e, at.scope)
            yield from self._opened(made[0].node, replace(at, scope=made[1], point=None, shown=shown, where=where, depth=at.depth + 1, names=(*at.names, e.attr)))
        elif t is Call:
            yield from self._call(e, at)
        elif t is FStr or t is Bin and e.op in ("+", "%"):
            for v in e.parts if t is FStr else (e.left, e.right):
                if type(v) is not Const:
                    yield from self._opened(v, at.written(e))
        else:
            yield self._piece(e, at)

    def _inside(self, at: _At, key: Any, spread: str = "") -> _At:
        """A part of a display: what stands there is written in the payload, wherever the display was made."""
        keys = at.keys if key is None else (*at.keys, key.value if type(key) is Const and key.kind == "str" else "*")
        return replace(at, keys=keys, shown=at.shown if at.text else None, where=at.where if at.text else at.scope, spread=spread, depth=at.depth + 1, names=())

    def _piece(self, e: Any, at: _At, param: str = "") -> Piece:
        return Piece(at.keys, e, at.scope, at.point, at.shown if at.shown is not None else e, at.where if at.shown is not None else at.scope, at.spread, param,
                     text=at.text, names=at.names)

    # ---- names
    def _name(self, e: Name, at: _At) -> Iterator[Piece]:
        at = replace(at, names=(*at.names, e.id))
        found = self.names.lookup(e.id, at.scope)
        if found is None:
            yield self._piece(e, at)
            return
        bindings, home = found
        if len(bindings) == 1 and bindings[0].how == "import" and (made := self.names.elsewhere(e, at.scope)) is not None:
            bindings, home = [made[0]], made[1]
        here = home is at.scope and at.point is not None
        ways = self._reaching(e.id, bindings, at.scope, at.point) if here and at.point is not None else [(b, None) for b in bindings]
        if not here and len(ways) > 1 or not ways:
            yield self._piece(e, at)
            return
        for b, point in ways:
            if b.how == "value" and type(b.stmt) in (Assign, Walrus) and not _names_itself(b.node, e.id):
                inner = replace(at, scope=home, point=point, depth=at.depth + 1)
                yield from self._opened(b.node, inner)
                if here and type(b.node) in (Dict, Seq, Call, Comp):
                    yield from self._grown(e.id, inner, at)
            elif b.how == "param" and home.kind == "function":
                passed = next(((x, where) for scope, name, x, where in at.given if scope == id(home) and name == e.id), None)
                if passed is not None:
                    yield from self._opened(passed[0], replace(passed[1], keys=at.keys, shown=None, where=passed[1].scope, spread=at.spread, depth=at.depth + 1, text=at.text,
                                                                  names=at.names))
                else:
                    me = home.owner.cls is not None and home.owner.fn.params[0].name == e.id
                    own = home is at.where and not me and not any(x.how == "value" for x in bindings)
                    yield self._piece(e, at, e.id if own else "")
            else:
                yield self._piece(e, at)

    def _reaching(self, name: str, bindings: list[Binding], scope: Scope, point: Point) -> list[tuple[Binding, Point | None]]:
        """The bindings of a local name that can be the last one before a point."""
        if scope.kind != "function":
            return [(b, None) for b in bindings]
        by_stmt: dict[int, list[Binding]] = {}
        for b in bindings:
            by_stmt.setdefault(id(b.stmt), []).append(b)
        out: list[tuple[Binding, Point | None]] = []
        seen = {point.id}
        stack = list(point.pred)
        while stack:
            q = stack.pop()
            if q.id in seen:
                continue
            seen.add(q.id)
            hit = by_stmt.get(id(q.node)) if q.kind == "bind" else None
            if hit is not None:
                out += [(b, q) for b in hit if not any(x is b for x, _ in out)]
                if all(b.how != "aug" for b in hit):
                    continue
            if q.kind == "entry":
                out += [(b, None) for b in bindings if b.how == "param"]
            stack.extend(q.pred)
        return out

    def _grown(self, name: str, made: _At, used: _At) -> Iterator[Piece]:
        """What is put into a display between where it is made and where it is used: `payload["k"] = v`, `payload.append(v)`."""
        if made.point is None or used.point is None or used.scope.kind != "function":
            return
        cfg = self.project.cfg(used.scope.owner)
        between = cfg.reachable([made.point]) & cfg.reaching([used.point])
        for q in sorted(between, key=lambda q: q.id):
            n = q.node
            if q.kind == "bind" and type(n) is Assign and n.value is not None:
                for target in n.targets:
                    if type(target) is Sub and type(target.value) is Name and target.value.id == name:
                        yield from self._opened(n.value, self._inside(replace(made, point=q), target.index))
            elif q.kind == "call" and type(n.func) is Attr and type(n.func.value) is Name and n.func.value.id == name and n.args and not n.args[0].star:
                if n.func.attr in ("append", "add", "insert", "appendleft"):
                    yield from self._opened(n.args[-1].value, self._inside(replace(made, point=q), "*"))
                elif n.func.attr in ("update", "extend"):
                    for a in n.args:
                        key = Const(a.at, "str", a.name) if a.name else None
                        yield from self._opened(a.value, self._inside(replace(made, point=q), key, spread="" if a.name else "items" if n.func.attr == "extend" else "parts"))

    # ---- calls
    def _call(self, e: Call, at: _At) -> Iterator[Piece]:
        values = self.names.resolve(e.func, at.scope)
        method = e.func.attr if type(e.func) is Attr else ""
        if method in KEEPS or method == "format" and type(e.func.value) is Const:
            yield self._piece(e, at)
            if method == "replace" and not (e.args and type(e.args[0].value) is Const):
                return  # what is taken out may be all of it: `key.replace(key[4:], "…")`
            for v in (e.func.value, *(a.value for a in e.args if method in ("format", "replace"))):
                if type(v) is not Const:
                    yield from self._opened(v, at.written(e))
            return
        if method == "join" and type(e.func.value) is Const and len(e.args) == 1:
            yield from self._opened(e.args[0].value, replace(at.written(e), spread="items"))
            return
        if values and all(isinstance(v, Ext) for v in values):
            path = values[0].path
            if path == "dict":
                for a in e.args:
                    yield from self._opened(a.value, self._inside(at, Const(a.at, "str", a.name) if a.name else None, spread="" if a.name else "parts"))
                return
            if path in COLLECTS and e.args:
                yield from self._opened(e.args[0].value, replace(at, shown=at.shown or e, where=at.where if at.shown is not None else at.scope, spread="items", depth=at.depth + 1))
                return
            if path in WRITES and e.args:
                yield from self._opened(e.args[0].value, at.written(e))
                return
            if path in COPIES and e.args or path == "typing.cast" and len(e.args) > 1:
                yield from self._opened(e.args[-1].value, replace(at, depth=at.depth + 1))
                return
            if path in lg.TYPED_DICTS:
                yield from self._fields(e, at, [])
                return
        elif len(values) == 1 and isinstance(values[0], Cls):
            fields = self.fields(values[0].info)
            if fields is not None:
                yield self._piece(e, at)
                yield from self._fields(e, at, fields)
                return
        elif len(values) == 1 and isinstance(values[0], Fn) and not at.spread and self._plain(values[0].info):
            made = list(self._returned(values[0].info, e, at))
            if made:
                yield from made
                return
        yield self._piece(e, at)

    def _fields(self, e: Call, at: _At, fields: list[str]) -> Iterator[Piece]:
        place = 0
        for a in e.args:
            name = a.name or (fields[place] if not a.star and place < len(fields) else "")
            place += a.name is None
            yield from self._opened(a.value, self._inside(at, Const(a.at, "str", name) if name else None, spread="parts" if a.star else ""))

    def fields(self, info: ClassInfo) -> list[str] | None:
        """The fields of a class whose objects hold what their constructor is given and nothing else (TypedDict, NamedTuple, dataclass, pydantic), else None."""
        out: list[str] = []
        data = False
        for c in reversed(list(self.names.mro(info))):
            if isinstance(c, str):
                data = data or c.rpartition(".")[2] in ("TypedDict", "NamedTuple", "BaseModel", "SQLModel")
                continue
            data = data or any((dotted(d.func if type(d) is Call else d) or "").rpartition(".")[2] == "dataclass" for d in c.cls.decorators)
            if c.scope is not None and c.scope.bindings.keys() & {"__init__", "__new__", "__post_init__", "model_post_init"}:
                return None
            out += [s.targets[0].id for s in c.cls.body if type(s) is Assign and s.annotation is not None and type(s.targets[0]) is Name and s.targets[0].id not in out]
        return out if data else None

    def _plain(self, info: FnInfo) -> bool:
        """A function whose return statements are what a call of it gives."""
        return not info.fn.is_generator and not info.fn.is_async and not any(
            (dotted(d) or "") not in ("staticmethod", "classmethod", "property") for d in info.fn.decorators)

    def _returned(self, info: FnInfo, call: Call, at: _At) -> Iterator[Piece]:
        """What a helper that makes a payload puts into it."""
        if at.depth > MAX_DEPTH - 3:
            return
        scope = self.names.scope(info)
        bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
        given = tuple((id(scope), prm.name, x, at) for prm in info.fn.params if (x := argument(call, info.fn, prm, bound)) is not None)
        cfg = self.project.cfg(info)
        shown = at.shown if at.shown is not None else call
        for stmt in statements(info.fn.body):
            if type(stmt) is Return and stmt.value is not None:
                for point in cfg.at(stmt)[:1]:
                    yield from self._opened(stmt.value, _At(scope, point, at.keys, shown, at.where if at.shown is not None else at.scope, "", at.depth + 3, given, at.text,
                                                             at.names))


def _names_itself(e: Any, name: str) -> bool:
    """`x = f(x)`: what x was before is another value, read at another place."""
    return type(e) is Name and e.id == name


def _passed(call: Call, info: FnInfo, piece: Piece) -> Iterator[tuple[Expr, tuple[str, ...]]]:
    """What a call passes for the parameter that a piece of the callee is, with the keys under which it is shown."""
    bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
    for param in info.fn.params:
        if param.name != piece.param:
            continue
        if param.kind == "star2":
            known = {q.name for q in info.fn.params}
            yield from ((a.value, (*piece.keys, a.name)) for a in call.args if a.name is not None and a.name not in known)
        elif param.kind != "star" and (given := argument(call, info.fn, param, bound)) is not None:
            yield given, piece.keys


__all__ = ["Payloads", "Piece"]
