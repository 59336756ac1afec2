"""Which paths through a control-flow graph are feasible.

The second half of `cfg`: a `Paths` is the graph whose nodes are (point, what is known there). What is known are facts about *subjects*,
texts such as `mode`, `state['kind']` or `len(items)`, learned from branches and from assignments of constants, and forgotten when
something they are made of is bound again. A branch that contradicts what is known has no edge, so plain reachability in this graph is
reachability over paths without contradictory branches:

    if mode == "a": first()        # first() and second() are on no common path
    if mode == "b": second()

Only subjects whose facts can matter are tracked, each only as far as a later test can still use it; where the graph would grow beyond
`CAP` nodes fewer of them are, in the end none, which makes it the plain control-flow graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, NamedTuple

from hitl_lint import facts as F
from hitl_lint.record import thing

if TYPE_CHECKING:
    from hitl_lint.analysis.cfg import CFG, Edge, Point

CAP = 5_000

# ("name",) and then one step each: (".", attribute), ("[", key) for a constant key, ("*",) for any key.
Path = tuple[Any, ...]
# ("lit", value), ("sym", dotted name) or ("type", name of a builtin type).
Value = tuple[str, Any]

# Methods that only look; anything else called on `x` may change what `x.attr` is.
_PURE = frozenset(
    "get keys values items copy index count lower upper strip lstrip rstrip casefold title startswith endswith split rsplit splitlines "
    "join replace removeprefix removesuffix isdigit isalpha isalnum isnumeric isspace find rfind encode decode format "
    "model_dump dict json isoformat union intersection difference issubset issuperset".split())
# Methods that change the container itself.
_MUTATES = frozenset("append extend insert add update pop popitem remove discard clear setdefault sort reverse appendleft popleft "
                     "__setitem__ __delitem__".split())
_TEXT_METHODS = frozenset("lower upper strip lstrip rstrip casefold title startswith endswith removeprefix removesuffix isdigit isalpha "
                          "isalnum isnumeric isspace".split())
_LOOKS = frozenset("len bool str int isinstance issubclass hasattr callable type getattr".split())
# Builtin types of which no value has two.
_APART = frozenset("str bytes int float list tuple dict set frozenset".split())


class Domain(NamedTuple):
    """What is known of one subject: `among` the values that it may have (None: any), `but` values that it has not, its truth."""

    among: frozenset[Value] | None
    but: frozenset[Value]
    truth: bool | None


ANY = Domain(None, frozenset(), None)


class Claim(NamedTuple):
    """What a condition says when it holds: the subject is one of `values` (None: it is true). `negated` turns it round."""

    subject: str
    paths: frozenset[Path]
    values: frozenset[Value] | None
    negated: bool


def _truth(value: Value) -> bool | None:
    return bool(value[1]) if value[0] == "lit" else None


def _differ(a: Value, b: Value) -> bool:
    """Surely not equal."""
    if a[0] != b[0]:
        return False
    if a[0] == "sym":
        # Two members of one enumeration, two constants of one module.
        return a[1] != b[1] and a[1].rpartition(".")[0] == b[1].rpartition(".")[0]
    return bool(a[1] != b[1])


def refine(known: Domain, claim: Claim, holds: bool) -> Domain | None:
    """What is known after the branch on which `claim` holds (or not); None where that contradicts what was known."""
    among, but, truth = known
    if claim.negated:
        holds = not holds
    if claim.values is None:
        if truth is not None:
            return known if truth == holds else None
        if among is not None:
            among = frozenset(v for v in among if _truth(v) in (holds, None))
            if not among:
                return None
        return Domain(among, but, holds)
    if holds:
        new = claim.values - but
        if among is not None:
            new = frozenset(v for v in new if any(not _differ(v, w) for w in among))
        if truth is not None:
            new = frozenset(v for v in new if _truth(v) in (truth, None))
        return Domain(new, but, truth) if new else None
    if among is not None:
        among = among - claim.values
        if not among:
            return None
    return Domain(among, but | claim.values, truth)


# --------------------------------------------------------------------------- reading conditions
def literal(e: Any) -> Value | None:
    """The constant that an expression is: a literal, or a name written like one (`MAX`, `Color.RED`)."""
    t = type(e)
    if t is F.Const:
        if e.kind in ("str", "int", "float", "bool", "none"):
            return ("lit", e.value)
        return ("sym", str(e.value)) if e.kind == "bytes" else None
    if t is F.Un and e.op == "-" and type(e.value) is F.Const and e.value.kind in ("int", "float"):
        return ("lit", -e.value.value)
    if t is F.Name or t is F.Attr:
        name = F.dotted(e)
        if name is None:
            return None
        if name.endswith(".value"):
            name = name[:-6]
        parts = name.split(".")
        if parts[-1].isupper() and parts[-1] != "_" or (len(parts) > 1 and parts[-2][:1].isupper()):
            return ("sym", name)
    return None


def _literals(e: Any) -> frozenset[Value] | None:
    if type(e) is not F.Seq or not e.elts:
        return None
    values = [literal(x) for x in e.elts]
    return frozenset(v for v in values if v is not None) if all(v is not None for v in values) else None


def access(e: Any) -> Path | None:
    """The path of `a.b["c"]`, `a.get("c")`; None for what is none. An unknown key is ("*",)."""
    steps: list[tuple[Any, ...]] = []
    while True:
        t = type(e)
        if t is F.Name:
            return (e.id, *reversed(steps))
        if t is F.Attr:
            steps.append((".", e.attr))
            e = e.value
        elif t is F.Sub:
            steps.append(("[", e.index.value) if type(e.index) is F.Const else ("*",))
            e = e.value
        elif t is F.Call and type(e.func) is F.Attr and e.func.attr == "get" and _plain_get(e):
            steps.append(("[", e.args[0].value.value))
            e = e.func.value
        elif t is F.Walrus:
            e = e.target
        else:
            return None


def _plain_get(call: F.Call) -> bool:
    """`x.get("k")` or `x.get("k", None)`: then it says the same as `x["k"]` where that is there."""
    args = call.args
    if not 1 <= len(args) <= 2 or any(a.name or a.star for a in args) or type(args[0].value) is not F.Const:
        return False
    return len(args) == 1 or (type(args[1].value) is F.Const and args[1].value.kind == "none")


def _show(path: Path) -> str | None:
    """The path as text, the same for `x["k"]` and `x.get("k")`; None when a key is not constant."""
    if ("*",) in path:
        return None
    out = str(path[0])
    for step in path[1:]:
        out += f".{step[1]}" if step[0] == "." else f"[{step[1]!r}]"
    return out


def stable(e: Any) -> tuple[str, frozenset[Path]] | None:
    """Text and paths of an expression that has the same value each time until one of its paths is bound again; else None."""
    t = type(e)
    if t is F.Const:
        return F.text(e, 1000), frozenset()
    path = access(e)
    shown = _show(path) if path is not None else None
    if path is not None and shown is not None:
        return shown, frozenset((path,))
    if t is F.Call:
        args = [stable(a.value) for a in e.args]
        if any(a is None for a in args) or any(a.star for a in e.args):
            return None
        names = [a.name for a in e.args]
        listed = ", ".join((f"{n}=" if n else "") + a[0] for n, a in zip(names, args) if a is not None)
        paths = frozenset().union(*(a[1] for a in args if a is not None))
        if type(e.func) is F.Name and e.func.id in _LOOKS:
            return f"{e.func.id}({listed})", paths
        if type(e.func) is F.Attr and (e.func.attr in _TEXT_METHODS or e.func.attr == "get"):
            of = stable(e.func.value)
            return (f"{of[0]}.{e.func.attr}({listed})", paths | of[1]) if of else None
        return None
    if t in (F.Bin, F.Un, F.Seq, F.Sub, F.Attr, F.Slice):
        text = F.text(e, 1000)
        parts = [stable(c) for c in F.children(e)]
        if text.endswith("…") or any(p is None for p in parts):
            return None
        return text, frozenset().union(*(p[1] for p in parts if p is not None))
    return None


_FLIP = {"!=": "==", "is not": "is", "not in": "in", ">=": "<", ">": "<="}


def claim(e: Any) -> Claim | None:
    """What an atomic condition claims of a subject, if it is about something stable."""
    t = type(e)
    if t is F.Un and e.op == "not":
        inner = claim(e.value)
        return inner._replace(negated=not inner.negated) if inner else None
    if t is F.Cmp:
        return _comparison(e) if len(e.ops) == 1 else None
    if t is F.Call and type(e.func) is F.Name and not any(a.star or a.name for a in e.args):
        if e.func.id == "bool" and len(e.args) == 1:
            return claim(e.args[0].value)
        if e.func.id == "isinstance" and len(e.args) == 2:
            return _instance(e)
    subject = stable(e)
    return Claim(*subject, None, False) if subject and subject[1] else None


def _instance(e: F.Call) -> Claim | None:
    subject = stable(e.args[0].value)
    if subject is None:
        return None
    types = e.args[1].value
    names = [F.dotted(t) for t in (types.elts if type(types) is F.Seq else [types])]
    if all(n in _APART for n in names):
        return Claim(f"type of {subject[0]}", subject[1], frozenset(("type", n) for n in names), False)
    return Claim(f"isinstance({subject[0]}, {F.text(types, 1000)})", subject[1], None, False)


def _comparison(e: F.Cmp) -> Claim | None:
    op = e.ops[0]
    left, right = e.left, e.rights[0]
    negated = op in _FLIP
    op = _FLIP.get(op, op)
    if op in ("==", "is", "in"):
        if op != "in" and literal(left) is not None and literal(right) is None:
            left, right = right, left
        value = literal(right)
        values = _literals(right) if op == "in" else frozenset((value,)) if value is not None else None
        if values is not None and literal(left) is None:
            subject = stable(left)
            return Claim(*subject, values, negated) if subject and subject[1] else None
    a, b = stable(left), stable(right)
    if a is None or b is None or not a[1] | b[1]:
        return None
    if op in ("==", "is"):
        a, b = sorted((a, b), key=lambda s: s[0])
    elif e.ops[0] in (">", ">="):  # `a > b` is `not a <= b` is `b < a`
        op, a, b, negated = ("<" if e.ops[0] == ">" else "<="), b, a, False
    if op == "<=":  # `a <= b` is `not b < a`
        return Claim(f"{b[0]} < {a[0]}", a[1] | b[1], None, not negated)
    return Claim(f"{a[0]} {op} {b[0]}", a[1] | b[1], None, negated)


def case_claim(case: F.Case, subject: Any) -> Claim | None:
    """What a match case claims of the subject: literals, dotted names, or-patterns of them; other patterns as they are written."""
    about = stable(subject)
    if about is None or not about[1]:
        return None
    values: list[Value] = []
    stack = [case.pattern]
    while stack:
        p = stack.pop()
        if type(p) is F.Bin and p.op == "|":
            stack += [p.left, p.right]
            continue
        value = literal(p) if type(p) is not F.Name else None
        if value is None:
            shown = F.text(case.pattern, 1000)
            return None if "…" in shown or case.captures else Claim(f"{about[0]} fits {shown}", about[1], None, False)
        values.append(value)
    return Claim(*about, frozenset(values), False)


# --------------------------------------------------------------------------- what forgets
def _overlap(a: Path, b: Path) -> bool:
    """One path leads to or through the other."""
    return all(x == y or x == ("*",) or y == ("*",) for x, y in zip(a, b))


def _targets(e: Any) -> Iterable[Any]:
    """The names, attributes and items that an assignment target binds."""
    stack = [e]
    while stack:
        t = stack.pop()
        if type(t) is F.Seq:
            stack.extend(t.elts)
        elif type(t) is F.Star:
            stack.append(t.value)
        elif t is not None:
            yield t


def bound(point: "Point") -> list[Path]:
    """What a bind point binds, as paths."""
    node = point.node
    t = type(node)
    found: list[Any] = []
    names: list[str] = []
    if t is F.Assign or t is F.Delete:
        found = [x for target in node.targets for x in _targets(target)]
    elif t in (F.AugAssign, F.For, F.Generator, F.WithItem, F.Walrus):
        found = list(_targets(node.target))
    elif t is F.Handler:
        names = [node.name]
    elif t is F.Case:
        names = node.captures
    elif t is F.Def:
        names = [node.fn.name]
    elif t is F.ClassStmt:
        names = [node.cls.name]
    elif t is F.Import:
        names = [i.asname or (i.name or i.module).partition(".")[0] for i in node.names]
    return [p for p in (access(x) for x in found) if p is not None] + [(n,) for n in names]


def _constants(e: Any) -> frozenset[Value]:
    """The constants that an expression can be (`"a" if x else "b"`); empty when it can be anything."""
    if type(e) is F.IfExp:
        yes, no = _constants(e.body), _constants(e.orelse)
        return yes | no if yes and no else frozenset()
    value = literal(e) if e is not None else None
    return frozenset((value,)) if value is not None else frozenset()


def _assigned(node: Any) -> Iterable[tuple[Any, frozenset[Value]]]:
    """The targets of an assignment that become constants, with what they can become."""
    pairs: list[tuple[Any, Any]] = []
    if type(node) is F.Walrus:
        pairs = [(node.target, node.value)]
    elif type(node) is F.Assign:
        for target in node.targets:
            if type(target) is F.Seq and type(node.value) is F.Seq and len(target.elts) == len(node.value.elts):
                pairs += zip(target.elts, node.value.elts)
            else:
                pairs.append((target, node.value))
    for target, expr in pairs:
        values = _constants(expr)
        if values:
            yield target, values


def _touched(call: F.Call) -> tuple[Path | None, bool]:
    """The object that a method call may change: its path, and whether the object itself (not just its attributes)."""
    if type(call.func) is not F.Attr or call.func.attr in _PURE:
        return None, False
    return access(call.func.value), call.func.attr in _MUTATES


# --------------------------------------------------------------------------- the graph
@thing
class _Step:
    """What passing a point does to facts: subjects forgotten (a bit mask) and learned."""

    forget: int
    learn: tuple[tuple[int, Domain], ...]


_NOTHING = _Step(0, ())
_Facts = tuple[tuple[int, Domain], ...]


class Paths:
    """Nodes are numbers; `points[n]` is the point of a node, `succ[n]` its edges (target node, edge), `nodes[p.id]` the nodes of a point.
    Node 0 is the entry. A point that no feasible path reaches has no nodes."""

    def __init__(self, cfg: "CFG") -> None:
        self.cfg = cfg
        self.points: list[Point] = []
        self.succ: list[list[tuple[int, Edge]]] = []
        self.nodes: dict[int, list[int]] = {}
        claims, rank = self._claims()
        names = sorted(rank, key=lambda s: (-rank[s], s))
        while names and not self._explore(claims, names):
            names = names[: len(names) // 2]
        if not names:
            self.points = list(cfg.points)
            self.succ = [[(e.to.id, e) for e in p.succ] for p in cfg.points]
            self.nodes = {p.id: [p.id] for p in cfg.points}

    def after(self, point: "Point") -> set[int]:
        """The ids of the points that can follow `point`, over at least one edge."""
        seen: set[int] = set()
        stack = list(self.nodes.get(point.id, ()))
        while stack:
            for to, _ in self.succ[stack.pop()]:
                if to not in seen:
                    seen.add(to)
                    stack.append(to)
        return {self.points[n].id for n in seen}

    # ------------------------------------------------------------------ subjects
    def _claims(self) -> tuple[dict[int, Claim], dict[str, int]]:
        """The claim of each deciding point, by id; and how much there is to learn of each subject worth following."""
        claims: dict[int, Claim] = {}
        tests: dict[str, int] = {}
        for p in self.cfg.points:
            if len(p.succ) < 2:
                continue
            if p.kind == "test":
                found = claim(p.node)
            elif p.kind == "case" and type(p.stmt) is F.Match:
                found = case_claim(p.node, p.stmt.subject)
            else:
                continue
            if found is not None:
                claims[p.id] = found
                # A test in a loop meets itself again.
                again = any(r.kind in ("loop", "comp") for r in p.regions)
                tests[found.subject] = tests.get(found.subject, 0) + (2 if again else 1)
        if tests:
            for p in self.cfg.points:
                if p.kind == "bind":
                    for target, _ in _assigned(p.node):
                        path = access(target)
                        shown = _show(path) if path is not None else None
                        if shown is not None and shown in tests:
                            tests[shown] += 1
        return claims, {s: n for s, n in tests.items() if n > 1}

    def _steps(self, names: list[str], paths: dict[str, frozenset[Path]]) -> dict[int, _Step]:
        """What each point does to the facts of the subjects `names`; points that do nothing are left out."""
        number = {s: i for i, s in enumerate(names)}
        fn = self.cfg.fn
        volatile = set(fn.globals) | set(fn.nonlocals) if fn is not None else set()
        for stmt in (fn.body if fn is not None else []):
            for n in F.walk(stmt, into_functions=True):
                if type(n) is F.Function:
                    volatile.update(n.nonlocals)
        shaky = sum(1 << i for i, s in enumerate(names) if any(p[0] in volatile for p in paths[s]))

        def forget(path: Path, *, below: bool = False) -> int:
            mask = 0
            for i, s in enumerate(names):
                for p in paths[s]:
                    if _overlap(p, path) and (not below or (len(p) > len(path))):
                        mask |= 1 << i
            return mask

        steps: dict[int, _Step] = {}
        for p in self.cfg.points:
            mask = 0
            learn: list[tuple[int, Domain]] = []
            if p.kind == "bind":
                for path in bound(p):
                    mask |= forget(path)
                for target, values in _assigned(p.node):
                    target_path = access(target)
                    i = number.get(_show(target_path) or "") if target_path is not None else None
                    if i is not None:
                        learn.append((i, Domain(values, frozenset(), None)))
            elif p.kind == "call":
                mask = shaky
                path, itself = _touched(p.node)
                if path is not None:
                    mask |= forget(path, below=not itself)
            elif p.kind in ("await", "yield"):
                mask = shaky
            elif p.kind == "iter" and type(p.node) is F.Generator:
                for x in _targets(p.node.target):  # names of a comprehension are its own: forgotten when it is left, too
                    path = access(x)
                    mask |= forget(path) if path else 0
            if mask or learn:
                steps[p.id] = _Step(mask, tuple(sorted(learn)))
        return steps

    def _live(self, names: list[str], tested: dict[int, int], steps: dict[int, _Step]) -> list[int]:
        """For each point the subjects (bit mask) that a later test may still ask about."""
        points = self.cfg.points
        live = [0] * len(points)
        for i in range(len(names)):
            bit = 1 << i
            stack = [pid for pid, subject in tested.items() if subject == i]
            for pid in stack:
                live[pid] |= bit
            while stack:
                for before in points[stack.pop()].pred:
                    step = steps.get(before.id)
                    if not live[before.id] & bit and not (step is not None and step.forget & bit):
                        live[before.id] |= bit
                        stack.append(before.id)
        return live

    def _explore(self, claims: dict[int, Claim], names: list[str]) -> bool:
        """Build the graph with the facts of `names`; False when it grows too large."""
        cfg = self.cfg
        number = {s: i for i, s in enumerate(names)}
        paths = {c.subject: c.paths for c in claims.values()}
        tested = {pid: number[c.subject] for pid, c in claims.items() if c.subject in number}
        steps = self._steps(names, paths)
        live = self._live(names, tested, steps)
        cap = CAP + len(cfg.points)
        known: list[_Facts] = [()]
        ids: dict[_Facts, int] = {(): 0}
        self.points, self.succ, self.nodes = [cfg.entry], [[]], {cfg.entry.id: [0]}
        where: dict[tuple[int, int], int] = {(cfg.entry.id, 0): 0}
        stack = [(0, 0)]
        while stack:
            n, fid = stack.pop()
            point = self.points[n]
            step = steps.get(point.id)
            test = tested.get(point.id)
            for edge in point.succ:
                to = edge.to
                if fid == 0 and step is None and test is None:
                    after = 0
                else:
                    facts = known[fid]
                    if step is not None:
                        facts = tuple(f for f in facts if not step.forget >> f[0] & 1)
                        if edge.kind != "exc" and step.learn:
                            table = dict(facts)
                            table.update(step.learn)
                            facts = tuple(sorted(table.items(), key=lambda f: f[0]))
                    if test is not None and edge.kind in ("true", "false"):
                        table = dict(facts)
                        domain = refine(table.get(test, ANY), claims[point.id], edge.kind == "true")
                        if domain is None:
                            continue
                        table[test] = domain
                        facts = tuple(sorted(table.items(), key=lambda f: f[0]))
                    mask = live[to.id]
                    facts = tuple(f for f in facts if mask >> f[0] & 1)
                    found = ids.get(facts)
                    if found is None:
                        found = ids[facts] = len(known)
                        known.append(facts)
                    after = found
                target = where.get((to.id, after))
                if target is None:
                    target = where[to.id, after] = len(self.points)
                    if target > cap:
                        return False
                    self.points.append(to)
                    self.succ.append([])
                    self.nodes.setdefault(to.id, []).append(target)
                    stack.append((target, after))
                self.succ[n].append((target, edge))
        return True
