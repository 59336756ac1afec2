"""Which tools can get to a call that runs one of several: `if call["name"] not in REVIEWED: BY_NAME[call["name"]].invoke(call["args"])`.

The name by which the tool is taken from its registry is tested around the call. Each name that is known (those of the registry, those in the tests,
and one that nobody knows) is followed from where it is bound: what the tests turn away does not run here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping

from hitl_lint.analysis import paths
from hitl_lint.analysis.cfg import Edge, Point
from hitl_lint.analysis.names import MAX_VALUES, UNKNOWN, Cls, Fn, FnInfo, Inst, Lit, Scope, Value, Wrapped, argument, unique
from hitl_lint.analysis.skipping import settled, substitute
from hitl_lint.analysis.values import place
from hitl_lint.facts import (
    Attr, Await, Bin, BoolOp, Call, Case, Cmp, Comp, Const, Dict, Expr, ExprStmt, Name, Return, Seq, Star, Sub, Un, dotted,
)

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

RUNS = frozenset({"invoke", "ainvoke", "run", "arun", "_run", "_arun", "func", "coroutine", "call", "acall"})
OTHER = "\0"  # a name that no test knows
MAX_NAMES = 200
Given = Mapping[str, tuple[Any, Scope, Any]]  # by parameter what a call gives for it, and where that is to be read
MAX_DEPTH = 3  # second names, predicates


class Dispatched:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names

    def narrowed(self, func: Any, call: Call, scope: Scope) -> tuple[Value, ...] | None:
        """What `func` can be where `call` stands, which runs it; None where no test of its name turns anything away."""
        if scope.kind != "function" or type(func) not in (Name, Attr, Sub, Call):
            return None
        taken = func.value if type(func) is Attr and func.attr in RUNS else func
        found = self._picked(taken, scope, 0)
        if found is None:
            return None
        registry, keys = found
        tools = list(self._tools(registry, taken, scope))
        asked = self._asked(keys, call, scope) if tools else None
        if asked is None:
            return None
        names = {name for name, _ in tools}
        if len(tools) >= MAX_VALUES and (asked.gets_there(OTHER) or any(asked.gets_there(n) for n in asked.known - names)):
            return None  # not all of the registry has been looked at
        kept = [v for name, v in tools if name is None or asked.gets_there(name)]
        if len(kept) == len(tools):
            return None
        return unique(x for v in kept for x in (self.names.attribute(v, func.attr) if taken is not func else [v]))

    def only(self, call: Call, scope: Scope) -> frozenset[str]:
        """The names of the tools that can get to a call whose registry cannot be seen; empty where any can."""
        if scope.kind != "function" or type(call.func) is not Attr:
            return frozenset()
        found = self._picked(call.func.value, scope, 0) if call.func.attr in RUNS else None
        if found is None and call.args and not call.args[0].star and call.func.attr in ("call_tool", "acall_tool", "execute_tool", "run_tool"):
            found = None, [call.args[0].value]
        asked = self._asked(found[1], call, scope) if found is not None else None
        if asked is None or asked.gets_there(OTHER):
            return frozenset()
        return frozenset(n for n in asked.known if asked.gets_there(n))

    # ---- what is taken from where
    def _picked(self, e: Any, scope: Scope, depth: int) -> tuple[Any, list[Any]] | None:
        """(registry, the expressions that are the name) of `BY[n]`, `BY.get(n)`, `next(t for t in TOOLS if t.name == n)`, `for t in TOOLS:` with
        what it tests of `t.name`."""
        t = type(e)
        if t is Await:
            return self._picked(e.value, scope, depth)
        if t is BoolOp:
            return self._picked(e.values[0], scope, depth)
        if t is Sub and type(e.index) is not Const:
            return e.value, [e.index]
        if t is Call and type(e.func) is Attr and e.func.attr in ("get", "pop", "__getitem__") and e.args and type(e.args[0].value) is not Const:
            return e.func.value, [e.args[0].value]
        if t is Call and type(e.func) is Name and e.func.id == "next" and e.args and type(e.args[0].value) is Comp:
            comp = e.args[0].value
            g = comp.generators[0]
            item = g.target.id if type(g.target) is Name and len(comp.generators) == 1 else None
            keys = [x for c in g.ifs if type(c) is Cmp and c.ops == ["=="] and any(_named(y, item) for y in (c.left, *c.rights))
                    for x in (c.left, *c.rights) if not _named(x, item)]
            return (g.iter, keys) if item is not None and keys else None
        if t is Name and depth < MAX_DEPTH:
            bound = self.names.lookup(e.id, scope)
            if bound is None or bound[1] is not scope or len(bound[0]) > 4:
                return None
            if all(b.how == "value" for b in bound[0]):
                # `tool = None`, and the tool itself in a branch; or the same look-up in each.
                all_ = [self._picked(b.node, scope, depth + 1) for b in bound[0] if not (type(b.node) is Const and b.node.kind == "none")]
                first = all_[0] if all_ else None
                same = first is not None and all(x is not None and [place(k) for k in x[1]] == [place(k) for k in first[1]] for x in all_)
                return first if same else None
            if len(bound[0]) == 1 and bound[0][0].how == "element":
                return bound[0][0].node, [Attr(e.at, e, "name")]
        return None

    def _tools(self, registry: Any, taken: Any, scope: Scope) -> Iterator[tuple[str | None, Value]]:
        """What is in a registry, by name: the key where it is a display, else the name that the tool has."""
        told: set[int] = set()
        chosen = self._roster(registry, scope, {}, 0)
        for v in self.names.resolve(registry, scope):
            if isinstance(v, Lit) and type(v.expr) is Dict:
                for k, item in zip(v.expr.keys, v.expr.values):
                    name = self.names.constant(k, v.scope) if k is not None else None
                    if isinstance(name, str) and (chosen is None or name in chosen):
                        for one in self.names.resolve(item, v.scope):
                            told.add(_identity(one))
                            yield name, one
        for v in self.names.resolve(taken, scope):
            if _identity(v) not in told:
                name = self._name(v)
                if chosen is None or name is None or name in chosen:
                    yield name, v

    def _roster(self, e: Any, scope: Scope, given: Given, depth: int) -> set[str] | None:
        """The names by which the tools of a registry are chosen from another: `get_tools(["mail", "search"])`, which says
        `return [ALL[n] for n in names]`; None where they are not."""
        t = type(e)
        if depth > 8:
            return None
        if t is Name and e.id in given:
            return self._roster(*given[e.id], depth + 1)
        if t is Name:
            found = self.names.lookup(e.id, scope)
            if found is None or len(found[0]) != 1:
                return None
            b, where = found[0][0], found[1]
            if b.how == "import":
                imported = self._imported(e, scope)
                return self._roster(*imported, {}, depth + 1) if imported is not None else None
            return self._roster(b.node, where, given if where is scope else {}, depth + 1) if b.how == "value" else None
        if t is Comp and len(e.generators) == 1 and type(e.generators[0].target) is Name:
            item, source = e.generators[0].target.id, e.generators[0].iter
            if type(e.elt) is Name and e.elt.id == item:
                return self._roster(source, scope, given, depth + 1)
            key = e.elt.index if type(e.elt) is Sub else e.elt.args[0].value if type(e.elt) is Call and _method(e.elt) == "get" and e.elt.args else None
            if type(key) is Name and key.id == item:
                while type(source) is Name and source.id in given:
                    source, scope, given = given[source.id]
                words = self._words(source, scope, 0)
                return words[0] if words is not None and words[1] else None
            return None
        if t is not Call:
            return None
        functions = self.names.resolve(e.func, scope)
        if len(functions) != 1 or not isinstance(functions[0], Fn):
            return None
        info = functions[0].info
        bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
        passed: dict[str, tuple[Any, Scope, Given]] = {}
        settled_by: dict[str, Any] = {}
        for p in info.fn.params:
            arg = argument(e, info.fn, p, bound)
            if arg is not None:
                passed[p.name] = (arg, scope, given)
                shown = [v.expr for v in self.names.resolve(arg, scope) if isinstance(v, Lit)]
                settled_by[p.name] = shown[0] if len(shown) == 1 else arg
        cfg = self.project.cfg(info)
        tested = {p.id: truth for p in cfg.points if p.kind == "test" and (truth := settled(substitute(p.node, settled_by))) is not None}
        reached = cfg.reachable([cfg.entry], skip=_dead(tested))
        found_: set[str] = set()
        for p in cfg.points:
            if p.kind == "return" and p in reached:
                one = self._roster(p.node.value, self.names.scope(info), passed, depth + 1)
                if one is None:
                    return None
                found_ |= one
        return found_ or None

    def _imported(self, e: Name, scope: Scope) -> tuple[Any, Scope] | None:
        """Where an imported name is bound, once, to a value."""
        files = self.names.files_of(e, scope)
        for path in files:
            module = self.names.modules.get(path)
            bindings = module.scope.bindings.get(e.id, ()) if module is not None else ()
            if len(files) == 1 and len(bindings) == 1 and bindings[0].how == "value" and module is not None:
                return bindings[0].node, module.scope
        return None

    def _name(self, v: Value) -> str | None:
        """The name of a tool, as the model says it; None where it is not seen."""
        if isinstance(v, Fn):
            return v.info.name if v.info.fn.name != "<lambda>" else None
        if isinstance(v, Cls):
            return v.info.cls.name
        if isinstance(v, Inst):
            found = [x for x in self.names.attribute(v, "name") if isinstance(x, Lit)]
            return found[0].expr.value if len(found) == 1 and type(found[0].expr) is Const and found[0].expr.kind == "str" else None
        if not isinstance(v, Wrapped):
            return None
        for n, a in enumerate(v.call.args if v.call is not None else ()):
            if a.name == "name" or (n == 0 and a.name is None and not a.star and (type(a.value) is Const or type(a.value).__name__ == "FStr")):
                return a.value.value if type(a.value) is Const and a.value.kind == "str" else None
        named = {self._name(t) for t in v.targets}
        return named.pop() if len(named) == 1 else None

    # ---- what is asked of the name
    def _asked(self, keys: list[Any], call: Call, scope: Scope) -> "_Asked | None":
        subjects: set[str] = set()
        for key in keys:
            self._subject(key, scope, subjects, 0)
        if not subjects or not isinstance(scope.owner, FnInfo):
            return None
        # Second names: `name = call["name"]`.
        for name, bindings in scope.bindings.items():
            if len(bindings) == 1 and bindings[0].how == "value" and place(bindings[0].node) in subjects:
                subjects.add(name)
        cfg = self.project.cfg(scope.owner)
        at = set(cfg.at(call))
        tests = [p for p in cfg.points if p.kind in ("test", "case")]
        if not at or not tests:
            return None
        asked = _Asked(self, scope, frozenset(subjects), at, tests)
        return asked if asked.settles() else None

    def _subject(self, key: Any, scope: Scope, out: set[str], depth: int) -> None:
        shown = place(key)
        if shown is None:
            return
        out.add(shown)
        bound = self.names.lookup(key.id, scope) if type(key) is Name and depth < MAX_DEPTH else None
        if bound is not None and bound[1] is scope and len(bound[0]) == 1 and bound[0][0].how == "value":
            self._subject(bound[0][0].node, scope, out, depth + 1)

    # ---- the truth of a test
    def truth(self, e: Any, scope: Scope, subjects: frozenset[str], name: str, known: set[str], depth: int = 0) -> bool | None:
        """Whether a test holds when the tool has this name; None where that depends on something else. The names that it speaks of go to `known`."""
        t = type(e)
        if t is Un and e.op == "not":
            inner = self.truth(e.value, scope, subjects, name, known, depth)
            return None if inner is None else not inner
        if t is BoolOp:
            each = [self.truth(v, scope, subjects, name, known, depth) for v in e.values]
            stops = e.op == "or"
            return stops if stops in each else None if None in each else not stops
        if t is Cmp and len(e.ops) == 1:
            return self._compared(e, scope, subjects, name, known)
        if t is Call and type(e.func) is Attr and place(e.func.value) in subjects and e.func.attr in ("startswith", "endswith") and len(e.args) == 1:
            given = self._words(e.args[0].value, scope, 0)
            if given is None or not given[1]:
                return None
            known |= given[0]
            return None if name == OTHER else any(getattr(name, e.func.attr)(w) for w in given[0])
        if t in (Call, Sub):
            return self._looked_up(e, scope, subjects, name, known, depth)
        if t is Name and depth < MAX_DEPTH:
            bound = self.names.lookup(e.id, scope)
            if bound is not None and bound[1] is scope and len(bound[0]) == 1 and bound[0][0].how == "value":
                return self.truth(bound[0][0].node, scope, subjects, name, known, depth + 1)
        return None

    def _compared(self, e: Cmp, scope: Scope, subjects: frozenset[str], name: str, known: set[str]) -> bool | None:
        op, left, right = e.ops[0], e.left, e.rights[0]
        if op in ("==", "!=") and place(right) in subjects:
            left, right = right, left
        if place(left) not in subjects:
            return None
        if op in ("==", "!="):
            word = self.names.constant(right, scope)
            if not isinstance(word, str):
                return None
            known.add(word)
            return (word == name) is (op == "==")
        if op in ("in", "not in"):
            given = self._words(right, scope, 0)
            if given is None:
                return None
            known |= given[0]
            if name in given[0]:
                return op == "in"
            return op == "not in" if given[1] else None
        return None

    def _looked_up(self, e: Any, scope: Scope, subjects: frozenset[str], name: str, known: set[str], depth: int) -> bool | None:
        """`REVIEW[name]`, `REVIEW.get(name, False)`, `needs_review(call)`, which says `return call["name"] in REVIEW`."""
        key = e.index if type(e) is Sub else e.args[0].value if type(e.func) is Attr and e.func.attr == "get" and e.args else None
        if key is not None and place(key) in subjects:
            table = self.names.resolve(e.value if type(e) is Sub else e.func.value, scope)
            if len(table) != 1 or not isinstance(table[0], Lit) or type(table[0].expr) is not Dict or any(type(k) is not Const for k in table[0].expr.keys):
                return None
            rows = {k.value: v for k, v in zip(table[0].expr.keys, table[0].expr.values)}
            known |= {k for k in rows if isinstance(k, str)}
            default = None if type(e) is Sub else e.args[1].value if len(e.args) > 1 else Const(e.at, "none", None)
            value = rows.get(name, default)
            return bool(value.value) if type(value) is Const and value.kind in ("bool", "none") else None
        if type(e) is not Call or depth >= MAX_DEPTH:
            return None
        found = [v for v in self.names.resolve(e.func, scope)]
        if len(found) != 1 or not isinstance(found[0], Fn):
            return None
        info = found[0].info
        body = [s for s in info.fn.body if not (type(s) is ExprStmt and type(s.value) is Const)]
        if len(body) != 1 or type(body[0]) is not Return or body[0].value is None:
            return None
        inner: set[str] = set()
        bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
        for p in info.fn.params:
            given = argument(e, info.fn, p, bound)
            shown = place(given) if given is not None else None
            if shown is not None:
                inner |= {p.name + s[len(shown):] for s in subjects if s == shown or s.startswith((shown + "[", shown + "."))}
        return self.truth(body[0].value, self.names.scope(info), frozenset(inner), name, known, depth + 1) if inner else None

    def _words(self, e: Any, scope: Scope, depth: int) -> tuple[set[str], bool] | None:
        """The words in a list, set or tuple, the keys of a dict, and sums of these; and whether these are all."""
        t = type(e)
        if depth > 6:
            return None
        if t is Const:
            return ({e.value}, True) if e.kind == "str" else None
        if t is Call and type(e.func) is Name and e.func.id in ("set", "frozenset", "list", "tuple", "sorted"):
            return self._words(e.args[0].value, scope, depth + 1) if len(e.args) == 1 else (set(), True) if not e.args else None
        if t is Call and type(e.func) is Attr and e.func.attr in ("union", "keys") and all(not a.star for a in e.args):
            return self._sum([e.func.value, *(a.value for a in e.args)], scope, depth)
        if t is Bin and e.op in ("|", "+"):
            return self._sum([e.left, e.right], scope, depth)
        if t is Bin and e.op == "-":
            left, right = self._words(e.left, scope, depth + 1), self._words(e.right, scope, depth + 1)
            return (left[0] - right[0], left[1]) if left is not None and right is not None and right[1] else None
        if t is Seq:
            out: set[str] = set()
            whole = True
            for elt in e.elts:
                more = self._words(elt.value if type(elt) is Star else elt, scope, depth + 1)
                out |= more[0] if more is not None else set()
                whole = whole and more is not None and more[1]
            return out, whole
        if t is Dict:
            words = [self.names.constant(k, scope) if k is not None else UNKNOWN for k in e.keys]
            return {w for w in words if isinstance(w, str)}, all(isinstance(w, str) for w in words)
        if t is Comp and e.kind != "dict" and len(e.generators) == 1 and not e.generators[0].ifs and type(e.generators[0].target) is Name and _named(
                e.elt, e.generators[0].target.id):
            named = [self._name(v) for v in self.names.elements(e.generators[0].iter, scope)]  # `{t.name for t in REVIEWED}`
            return ({n for n in named if n is not None}, None not in named and len(named) < MAX_VALUES) if named else None
        if t is Attr and e.attr in ("name", "__name__"):
            named = [self._name(v) for v in self.names.resolve(e.value, scope)]
            return ({named[0]}, True) if len(named) == 1 and named[0] is not None else None
        if t not in (Name, Attr, Sub) or (t is Name and self.project.graphs.wiring.tables.grows(e, scope)):
            return None
        found = self.names.lookup(e.id, scope) if t is Name else None
        if found is not None and len(found[0]) == 1 and found[0][0].how in ("value", "import"):
            # Seen as it is written: `frozenset({"mail"}) | PAYING`.
            made = (found[0][0].node, found[1]) if found[0][0].how == "value" else self._imported(e, scope)
            if made is not None:
                return self._words(*made, depth + 1)
        values = self.names.resolve(e, scope)
        if len(values) != 1 or not isinstance(values[0], Lit) or values[0].expr is e:
            return None
        return self._words(values[0].expr, values[0].scope, depth + 1)

    def _sum(self, parts: list[Any], scope: Scope, depth: int) -> tuple[set[str], bool] | None:
        each = [self._words(p, scope, depth + 1) for p in parts]
        known = [w for w in each if w is not None]
        return (set().union(*(w[0] for w in known)), len(known) == len(each) and all(w[1] for w in known)) if known else None


class _Asked:
    """The tests of a function that speak of the name of a tool, and what they let through to a call."""

    def __init__(self, of: Dispatched, scope: Scope, subjects: frozenset[str], at: set[Point], tests: list[Point]) -> None:
        self.of, self.scope, self.subjects, self.at, self.tests = of, scope, subjects, at, tests
        self.cfg = of.project.cfg(scope.owner)
        self.known: set[str] = set()
        self._through: dict[str, bool] = {}
        roots = {s.partition("[")[0].partition(".")[0] for s in subjects}
        made = [p for p in self.cfg.points if p.kind == "bind" and any(b[0] in roots for b in paths.bound(p))]
        self.starts = made or [self.cfg.entry]

    def settles(self) -> bool:
        """Whether any test says something about a name that nobody knows, or about one that it knows."""
        found = self._tested(OTHER)
        if not found and not self.known:
            return False
        return len(self.known) <= MAX_NAMES

    def gets_there(self, name: str) -> bool:
        found = self._through.get(name)
        if found is None:
            found = self._through[name] = not self.at.isdisjoint(self.cfg.reachable(self.starts, skip=_dead(self._tested(name))))
        return found

    def _tested(self, name: str) -> dict[int, bool]:
        out: dict[int, bool] = {}
        for p in self.tests:
            truth = self._fits(p, name) if p.kind == "case" else self.of.truth(p.node, self.scope, self.subjects, name, self.known)
            if truth is not None:
                out[p.id] = truth
        return out

    def _fits(self, p: Point, name: str) -> bool | None:
        """`case "mail" | "post":` of a match over the name."""
        case: Case = p.node
        if place(getattr(p.stmt, "subject", None)) not in self.subjects:
            return None
        words: set[str] = set()
        stack: list[Expr] = [case.pattern]
        while stack:
            e: Any = stack.pop()
            if type(e) is Bin and e.op == "|":
                stack += [e.left, e.right]
            elif type(e) is Name:
                return True  # `_`, or a name for the rest
            elif type(e) is Const and e.kind == "str":
                words.add(e.value)
            else:
                return None
        self.known |= words
        return name in words


def _named(e: Any, item: str | None) -> bool:
    return type(e) is Attr and e.attr == "name" and type(e.value) is Name and e.value.id == item


def _method(call: Call) -> str:
    return call.func.attr if type(call.func) is Attr else ""


def _dead(tested: Mapping[int, bool]) -> Callable[[Point, Edge], bool]:
    """Which edges are not taken when tests (by point id) have come out like this."""
    def dead(point: Point, edge: Edge) -> bool:
        return point.id in tested and edge.kind in ("true", "false") and (edge.kind == "true") is not tested[point.id]

    return dead


def _identity(v: Value) -> int:
    return id(v.info) if isinstance(v, (Fn, Cls, Inst)) else id(v.targets[0].info) if isinstance(v, Wrapped) and v.targets and isinstance(
        v.targets[0], (Fn, Cls, Inst)) else id(v)


__all__ = ["Dispatched", "OTHER"]
