"""What decides whether and how often a pause is reached: the questions of the HIL3xx rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hitl_lint.analysis import ids
from hitl_lint.analysis.answered import Answered
from hitl_lint.analysis.cfg import Guard, Point
from hitl_lint.analysis.effects import CONTAINERS, Witness
from hitl_lint.analysis.failures import failed_tries
from hitl_lint.analysis.idle import Idle
from hitl_lint.analysis.names import Ext, Fn, FnInfo, Inst, Lit, Scope
from hitl_lint.analysis.skipping import Skips
from hitl_lint.analysis.values import Source, Taint
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue import verbs
from hitl_lint.catalogue.failing import SAME_AGAIN
from hitl_lint.facts import (
    Assign, At, Attr, AugAssign, Bin, Call, Cmp, Comp, Const, Delete, Dict, For, Handler, NOWHERE, Name, Return, Seq, Sub, Try, Un, While, dotted, text, walk,
)
from hitl_lint.finding import Severity
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

FAILURE_WORDS = ("error", "fail", "not found", "missing", "invalid", "unavailable", "unknown", "none", "no_", "cannot", "denied", "unable", "abort", "not ")
# What a result says that is an error and nothing else; `return None` goes on.
ERROR_WORDS = ("error'", 'error"', "error(", "error=", "invalid", "failed", "failure", "cannot", "could not", "unable")
GROWERS = frozenset({"append", "extend", "insert", "add", "appendleft"})
WRITERS = frozenset({"append", "extend", "insert", "add", "pop", "remove", "clear", "update", "setdefault", "discard", "popitem", "popleft", "appendleft"})
MAX_RECURSION = 40  # functions that call one another in a circle


@record
class Decision:
    """What decides about a pause. `kind`: what makes it ("model", "unstable", "effect", "read", "memory", "failure", "" for stable; of a loop "asks" where its rounds do nothing else). `fails`: the other way
    reports an error before anything is asked."""

    kind: str
    shown: str
    at: At
    severity: Severity
    witness: Witness | None = None
    what: str = ""
    branch: str = ""
    fails: bool = False


class Order:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.skips = Skips(project)
        self.idle = Idle(project)
        self.answered = Answered(project)
        self._written: dict[int, set[str]] | None = None
        self._counted: set[tuple[int, str]] = set()
        self._inside_told: dict[int, bool] = {}
        self._callers: dict[int, list[tuple["Pausing", Point]]] | None = None
        self._sets: dict[int, set[tuple[int, str]]] = {}

    # ---- guards
    def guards(self, p: "Pausing", pause: Point) -> list[Guard]:
        return [g for g in p.cfg.guards(pause) if not g.again]

    def unstable_guard(self, p: "Pausing", pause: Point) -> Decision | None:
        """The worst decision before a pause that can fall differently on resume; None when all are stable, or it makes no difference."""
        found = [d for d, g in self._unstable(p, pause) if g is None or not self._nothing_lost(p, pause, g)]
        return max(found, key=lambda d: (d.severity, -d.at[0], -d.at[1]), default=None)

    def _unstable(self, p: "Pausing", pause: Point) -> list[tuple[Decision, Guard | None]]:
        if p.zone.spared is not None and p.zone.spared(pause) or self._passes_on(p, pause):
            return []
        flow = self.project.flow(p.info)
        loop = p.zone.loops(pause)
        found: list[tuple[Decision, Guard | None]] = []
        for g in self.guards(p, pause):
            if g.kind == "iter" and loop is not None and g.node is _loop_node(loop):
                continue
            if g.kind == "handler":
                if any(r.kind == "try" and (r.node is g.node or g.node in r.node.handlers) for r in pause.regions):
                    continue  # the pause stands in that very try: its handler leads to it only by the next round of a loop
                d = self._failure(p, g, pause)
                if d is not None:
                    found.append((d, g))
                continue
            if g.kind == "try":
                continue
            taint = self.project.test_taint(flow, g)
            d = self._from_taint(p, pause, g, taint) or self._flagged(p, pause, g)
            if d is None or d.severity is not Severity.ERROR:
                d = self._remembered(p, pause, g) or d
            if d is not None:
                found.append((d, g))
        j = p.judged[pause.id]
        env = flow.env.get(pause.id)
        if env is not None:
            for info in j.targets:
                guard = self.project.returned(info).guard
                if guard and self.project.summaries.of(info).pause is not None:
                    d = self._passed(pause, info, flow.passed(pause.node, info, guard, env))
                    if d is not None:
                        found.append((d, None))
        return found

    def _nothing_lost(self, p: "Pausing", pause: Point, g: Guard) -> bool:
        """Whether the answer, which nobody looks at, leads to the very same place as the other way past the pause: `if stopped(): interrupt("stopped")`."""
        if p.judged[pause.id].targets or not p.zone.last(pause) or p.zone.loops(pause) is not None or any(
                x.kind in ("bind", "test", "return", "use", "case", "iter") and any(n is pause.node for n in walk(x.node)) for x in p.cfg.points
                if x.node is not None and type(x.node) not in (Try, For, While)):
            return False
        if g.kind == "handler":
            here = next((r.node for r in pause.regions if r.kind == "handler" and (r.node is g.node or type(g.node) is Try and r.node in g.node.handlers)), None)
            inside = [x for x in p.cfg.points if any(r.kind == "handler" and r.node is here for r in x.regions)]
            return pause in inside and all(x is pause or x.node is here or x.kind in ("call", "await") and self._idle_call(p, x) for x in inside)
        if g.kind != "test":
            return False
        ways = {e.kind: e.to for e in g.point.succ if e.kind in ("true", "false")}
        if len(ways) != 2 or g.branch not in ways:
            return False
        other = ways["false" if g.branch == "true" else "true"]
        calm = {"skip": lambda point, edge: edge.kind == "exc"}
        asked = {ways[g.branch]} | p.cfg.reachable([ways[g.branch]], **calm)
        only = asked - p.cfg.reachable([other], **calm) - {other}
        return pause in only and all(x is pause or x.kind in ("call", "await") and self._idle_call(p, x) for x in only)

    def _idle_call(self, p: "Pausing", x: Point) -> bool:
        j = p.judged.get(x.id)
        return x.kind == "await" or j is not None and not _matters(j)

    def _remembered(self, p: "Pausing", pause: Point, g: Guard) -> Decision | None:
        """A guard that looks at what an answer to an earlier question has changed."""
        c = self.answered.decides(p, pause, g)
        if c is None:
            return None
        shown = text(c.node, 44)
        link = self.project.effects.link(c.node, p.scope, f"{shown} changes {c.place} with the answer")
        return Decision("answered", self._shown(g), getattr(g.node, "at", pause.node.at), Severity.ERROR,
                        Witness("memory", "changes with an answer", "proved", c.place, (link,)), branch=g.branch)

    def _passed(self, pause: Point, info: FnInfo, taint: Taint) -> Decision | None:
        for kind in ("model", "unstable", "memory", "effect", "read"):
            for s in sorted((s for s in taint if s.kind == kind and not isinstance(s.node, str)), key=lambda s: s.node.at):
                severity = Severity.ERROR if kind in ("model", "unstable", "memory") and not (s.witness is not None and s.witness.lasts) else Severity.WARNING
                return Decision(kind, text(s.node, 40), s.node.at, severity, s.witness)
        return None

    def _from_taint(self, p: "Pausing", pause: Point, g: Guard, taint: Taint) -> Decision | None:
        at = getattr(g.node, "at", pause.node.at)
        shown = self._shown(g)
        for kind in ("model", "unstable", "memory", "effect", "read"):
            sources = sorted((s for s in taint if s.kind == kind and (kind == "memory" or self._inside(p, s, g))
                              and not (kind == "unstable" and ids.is_id(s.witness) and not self._id_decides(p, g))
                              and not self._other_way(p, s, pause) and not (kind == "unstable" and self._asked_again(p, s, pause, g)) and not (kind == "memory" and (self._spent_after(p, s) or self._own_entry(p, s)))), key=lambda s: s.node.at)
            if not sources:
                continue
            fails = kind == "model" and self._precondition(p, pause, g, ERROR_WORDS)
            if kind in ("model", "unstable", "memory"):
                severity = Severity.WARNING if fails or all(x.witness is not None and x.witness.lasts for x in sources) else Severity.ERROR
            elif kind in ("read", "effect") and (self._precondition(p, pause, g) or self._only_raises(p, pause, g)):
                severity = Severity.NOTE
            else:
                severity = Severity.WARNING
            return Decision(kind, shown, at, severity, sources[0].witness, branch=g.branch, fails=fails or severity is Severity.NOTE)
        return None

    def _other_way(self, p: "Pausing", s: Source, pause: Point) -> bool:
        """A value that is only made where the pause is not reached: `steers = [] if busy() else take()`, and behind `if not busy(): return` the pause."""
        wanted = {_plain_test(g) for g in self.guards(p, pause) if g.kind == "test" and all(
            len(p.scope.bindings.get(n.id, ())) <= 1 for n in walk(g.node) if type(n) is Name)}  # what is bound again is not the same test
        wanted = {(shown, truth) for shown, truth in wanted if (shown, not truth) not in wanted}  # a test that some ways pass so and others so decides nothing
        made = p.cfg.at(s.node) if wanted else []
        for x in made:
            here = {_plain_test(g) for g in p.cfg.guards(x) if g.kind == "test" and not g.again}
            if not any((shown, not truth) in wanted and (shown, not truth) not in here for shown, truth in here):
                return False
        return bool(made)

    def _asked_again(self, p: "Pausing", s: Source, pause: Point, g: Guard) -> bool:
        """An expiry that refuses, and is looked at once more behind the pause: `if late(): return refused` on both sides. A late answer is refused
        whether it is asked for or not, which is what they want."""
        if g.kind != "test" or s.witness is None or s.witness.what != "reads the clock":
            return False
        other = [e.to for e in g.point.succ if e.kind not in ("exc", g.branch)]
        if pause in other or pause in p.cfg.reachable(other, skip=lambda point, edge: edge.kind == "exc"):
            return False
        wanted, after = _plain_test(g)[0], p.cfg.reachable([pause])
        return any(x.kind == "test" and x is not g.point and x in after and _plain(x.node) == wanted for x in p.cfg.points)

    def _spent_after(self, p: "Pausing", s: Source) -> bool:
        """A latch that is looked at before the pause and only taken back behind it: `if armed(): ask()`, then `disarm()`. The function itself sees to
        it that the second run finds what the first one found."""
        latches = self._latches(s.node, p.scope)
        if not latches:
            return False
        behind = False
        for x, j in p.calls():
            if any(latch in self._written_by(t) for t in j.targets[:4] for latch in latches):
                if p.zone.contains(x):
                    return False
                behind = True
        for x in p.cfg.points:
            if x.kind == "bind" and type(x.node) is Assign and any(type(t) is Name and (id(p.scope.module.scope), t.id) in latches for t in x.node.targets):
                if p.zone.contains(x):
                    return False
                behind = True
        return behind

    def _own_entry(self, p: "Pausing", s: Source) -> bool:
        """A cache that is looked up by the id of this very tool call, and gets its entry only behind the pause: while the answer is awaited it is not there."""
        shown = dotted(s.node)
        if shown is None or "." not in shown and p.scope.bindings.get(shown):
            return False
        reads = [n for stmt in p.info.fn.body for n in walk(stmt) if type(n) in (Name, Attr) and dotted(n) == shown]
        keys = [k for stmt in p.info.fn.body for n in walk(stmt) if (k := _key_into(n, shown)) is not None]
        if not reads or len(keys) != len(reads) or not all(self._id_of_call(k, p.scope, 0) for k in keys):
            return False
        last = shown.rsplit(".", 1)[-1]
        for info in list(self.project.names.functions()):
            if info.module is not p.info.module or info.name in ("__init__", "__post_init__"):
                continue
            for stmt in info.fn.body:
                for node in walk(stmt):
                    written = type(node) is Assign and any(type(t) is Sub and (dotted(t.value) or "").rsplit(".", 1)[-1] == last or
                                                           type(t) is Attr and t.attr == last for t in node.targets)
                    if type(node) is Call and type(node.func) is Attr and node.func.attr in ("update", "setdefault") and (dotted(node.func.value) or "").rsplit(".", 1)[-1] == last:
                        return False
                    if written:
                        q = self.project.pausing_of(info)
                        points = [x for x in q.cfg.points if x.kind == "bind" and x.node is node] if q is not None else []
                        if q is None or not points or any(q.zone.contains(x) for x in points):
                            return False
        return True

    def _id_of_call(self, e: Any, scope: Scope, depth: int) -> bool:
        """`request.tool_call["id"]`, `runtime.tool_call_id`, a parameter of type InjectedToolCallId, a name or text of one of these."""
        t = type(e)
        if t is Call and dotted(e.func) == "str" and len(e.args) == 1:
            return self._id_of_call(e.args[0].value, scope, depth)
        if t is Call and type(e.func) is Attr and e.func.attr == "get" and e.args:
            return type(e.args[0].value) is Const and e.args[0].value.value == "id" and (dotted(e.func.value) or "").endswith("tool_call")
        if t is Sub:
            return type(e.index) is Const and e.index.value == "id" and (dotted(e.value) or "").endswith("tool_call")
        if t is Attr:
            return e.attr == "tool_call_id"
        found = scope.bindings.get(e.id, ()) if t is Name and depth < 3 else ()
        if len(found) != 1:
            return False
        b = found[0]
        return b.how == "param" and "InjectedToolCallId" in text(b.node.annotation, 80) if b.how == "param" and b.node.annotation is not None else (
            b.how == "value" and self._id_of_call(b.node, scope, depth + 1))

    def _latches(self, e: Any, scope: Scope) -> set[tuple[int, str]]:
        """The flag that an expression reads, or that the one function it calls returns."""
        if type(e) is Call:
            targets = self.project.effects.judge(e, scope).targets
            if len(targets) != 1 or len(targets[0].fn.body) > 2 or type(targets[0].fn.body[-1]) is not Return or targets[0].fn.body[-1].value is None:
                return set()
            inner = self.project.names.scope(targets[0])
            return {x for n in walk(targets[0].fn.body[-1].value) if type(n) in (Name, Attr) for x in self._latches(n, inner)}
        if not self.changes(e, scope) or self.counts(e, scope):
            return set()
        if type(e) is Name:
            found = self.project.names.lookup(e.id, scope)
            return {(id(found[1]), e.id)} if found is not None else set()
        return {(id(v.info), "." + e.attr) for v in self.project.names.resolve(e.value, scope) if isinstance(v, Inst)}

    def _written_by(self, info: FnInfo) -> set[tuple[int, str]]:
        """The flags that a function sets itself."""
        found = self._sets.get(id(info.fn))
        if found is None:
            out: dict[int, set[str]] = {}
            scope = self.project.names.scope(info)
            for stmt in info.fn.body:
                for node in walk(stmt):
                    for target in node.targets if type(node) is Assign and node.value is not None else ():
                        self._note(target, info, scope, False, out, False)
            found = self._sets[id(info.fn)] = {(owner, name) for owner, names in out.items() for name in names}
        return found

    def _id_decides(self, p: "Pausing", g: Guard) -> bool:
        """A random id decides nothing, unless a part of it is looked at."""
        tested = g.node.iter if g.kind == "iter" else g.node
        return ids.decides(self.project, tested, p.scope) or (g.kind == "case" and ids.decides(self.project, getattr(g.point.stmt, "subject", None), p.scope))

    def _inside(self, p: "Pausing", s: Source, g: Guard) -> bool:
        return not isinstance(s.node, str) and any(p.zone.contains(x) for x in p.cfg.at(s.node))

    def _shown(self, g: Guard) -> str:
        if g.kind == "iter":
            return text(g.node.iter, 40)
        if g.kind == "case":
            return f"case {text(g.node.pattern, 34)}"
        return text(g.node, 44)

    def _precondition(self, p: "Pausing", pause: Point, g: Guard, words: tuple[str, ...] = ()) -> bool:
        """The other way asks nothing and just reports failure: `if row is None: return {"error": …}`; with `words` only where one of them says so."""
        to_pause = p.cfg.reaching(p.zone.pauses) | set(p.zone.pauses)
        other = [e.to for e in g.point.succ if e.kind != "exc" and e.to not in to_pause]
        # Of `if rows and all(stale): return failed` the first half leads to the pause both ways: then whatever lies past the pause counts.
        points = set(other) | p.cfg.reachable(other) if other else p.cfg.reachable(
            [g.point], skip=lambda point, edge: edge.kind == "exc" or edge.to in p.zone.pauses) - to_pause
        for x in points:
            j = p.judged.get(x.id)
            if j is not None and (j.effect is not None or j.model is not None):
                return False
        ends = [x for x in points if x.kind in ("return", "raise")]
        if any(n is pause.node for x in ends if x.kind == "return" and x.node.value is not None for n in walk(x.node.value)):
            return False  # both ways of `ask() if late else "no"` end here
        shown = [x for x in ends if x.kind == "raise" or any(w in text(x.node.value, 400).lower() for w in words or FAILURE_WORDS) or (
            x.node.value is None and not words)]
        return bool(ends) and len(shown) == len(ends)

    def _only_raises(self, p: "Pausing", pause: Point, g: Guard) -> bool:
        """Whatever comes out, the function asks or fails: `if attempt == 2: raise` at the end of a retry loop."""
        return p.cfg.exit not in p.cfg.reachable([g.point], skip=lambda point, edge: edge.to is pause)

    def _failure(self, p: "Pausing", g: Guard, pause: Point) -> Decision | None:
        """A pause in (or behind) a handler: whether the call in the try fails again is not certain."""
        node = g.node
        owner = node if type(node) is Try else self._try_with(p, node)
        return self._failing(p, owner, pause, g) if owner is not None else None

    def _flagged(self, p: "Pausing", pause: Point, g: Guard) -> Decision | None:
        """A test of a variable that says whether a try failed. A note when the other way only reports that it did."""
        for owner in failed_tries(p, g):
            d = self._failing(p, owner, pause, g)
            if d is not None:
                return replace(d, severity=Severity.NOTE, branch=g.branch, fails=True) if self._precondition(p, pause, g) else replace(d, branch=g.branch)
        return None

    def _failing(self, p: "Pausing", owner: Try, pause: Point, g: Guard) -> Decision | None:
        around = [r.node for r in pause.regions if r.kind == "handler" and r.node in owner.handlers] or owner.handlers
        tried = [(x, p.judged[x.id]) for x in p.cfg.points if x.kind == "call" and x.id in p.judged and any(
            r.kind == "try" and r.node is owner for r in x.regions)]
        if all(self._of_the_request(h.type, p.scope) for h in around) and self._same_request(p, tried):
            return None
        # Of several calls that can fail a model is the likeliest; what is read may be a file that is only looked for.
        for name in ("model", "effect", "read"):
            for x, j in tried:
                w = getattr(j, name)
                if w is not None:
                    severity = Severity.NOTE if self._only_raises(p, pause, g) else Severity.WARNING
                    return Decision("failure", text(x.node, 40), x.node.at, severity, w, fails=severity is Severity.NOTE)
        return None

    def _same_request(self, p: "Pausing", tried: list[tuple[Point, Any]]) -> bool:
        """Whether what is tried is one call, with arguments that are no other when it is made again."""
        calls = [x for x, j in tried if j.model is not None or j.effect is not None or j.read is not None]
        flow = self.project.flow(p.info)
        return len(calls) == 1 and not any(s.kind in ("model", "unstable", "memory", "read", "effect") for a in calls[0].node.args
                                           for s in flow.taint(a.value, calls[0]))

    def _of_the_request(self, types: Any, scope: Scope) -> bool:
        """Whether a handler only catches what says that the request itself is wrong: the same request fails in the same way again."""
        return types is not None and all(isinstance(v, Ext) and v.path in SAME_AGAIN for part in (types.elts if type(types) is Seq else [types])
                                         for v in self.project.names.resolve(part, scope) or [None])

    def _try_with(self, p: "Pausing", handler: Any) -> Try | None:
        if type(handler) is not Handler:
            return None
        for x in p.cfg.points:
            if type(x.node) is Try and handler in x.node.handlers:
                return x.node
        return None

    # ---- process memory
    def changes(self, expr: Any, scope: Scope) -> bool:
        """Whether an expression reads memory that the process writes after start-up: a module global, an attribute of self, a closure cell."""
        written = self._writes()
        if type(expr) is Attr and type(expr.value) is Name:
            if not self._lives_on(expr.value, scope):
                return False
            for v in self.project.names.resolve(expr.value, scope):
                if isinstance(v, Inst) and f".{expr.attr}" in written.get(id(v.info), ()):
                    return self._remembers(expr, scope)
            return False
        if type(expr) is Name:
            found = self.project.names.lookup(expr.id, scope)
            if found is None or found[1] is scope or found[1].kind == "class":
                return False
            around = found[1].owner if found[1].kind == "function" else None
            if around is not None and (around.cls is not None and around.name in lg.WRAP_METHODS or self.project.in_graph_info(around)):
                return False  # the function around runs again as well, and starts with a new one
            if any(b.how in ("import", "def", "class", "param") for b in found[0]):
                return False
            return expr.id in written.get(id(found[1]), ()) and self._remembers(expr, scope)
        return False

    def counts(self, expr: Any, scope: Scope) -> bool:
        """Whether an expression reads a number that the process counts up or down, or the length of a container that it grows. Caches, clients and
        flags are memory, too, but what is read from them is mostly the same again."""
        if type(expr) is Call and dotted(expr.func) == "len" and len(expr.args) == 1 and self.project.names.lookup("len", scope) is None:
            return self.counts(expr.args[0].value, scope)
        if not self.changes(expr, scope):
            return False
        if type(expr) is Name:
            found = self.project.names.lookup(expr.id, scope)
            return found is not None and (id(found[1]), expr.id) in self._counted
        return any(isinstance(v, Inst) and (id(v.info), f".{expr.attr}") in self._counted for v in self.project.names.resolve(expr.value, scope))

    def _remembers(self, expr: Any, scope: Scope) -> bool:
        """A container, counter or flag; a client, a handler or a configuration that is set up late is no memory."""
        values = self.project.names.resolve(expr, scope)
        return any((isinstance(v, Lit) and (type(v.expr) in (Seq, Dict, Comp) or getattr(v.expr, "kind", "") in ("int", "bool", "float")))
                   or (isinstance(v, Ext) and v.path.split("(")[0] in CONTAINERS) for v in values)

    def _lives_on(self, base: Name, scope: Scope) -> bool:
        """Whether the object behind a name outlives the activation: self, or something that stands outside the function."""
        found = self.project.names.lookup(base.id, scope)
        if found is None or scope.kind != "function":
            return False
        if found[1] is not scope:
            return True
        info: FnInfo = scope.owner
        return info.cls is not None and bool(info.fn.params) and info.fn.params[0].name == base.id

    def _writes(self) -> dict[int, set[str]]:
        """By scope (or class) the names that some function writes or grows."""
        if self._written is not None:
            return self._written
        out: dict[int, set[str]] = {}
        self._written = out
        names = self.project.names
        registries = {(id(info.cls), place) for info in list(names.functions()) if info.cls is not None for s in info.fn.body for n in walk(s)
                      if (place := _registered(n)) is not None}
        for info in list(names.functions()):
            scope = names.scope(info)
            starts = info.name in ("__init__", "__post_init__", "__new__", "setup", "__enter__", "__aenter__")
            for stmt in info.fn.body:
                for node in walk(stmt):
                    t = type(node)
                    targets: list[Any] = []
                    if t is Assign and node.value is not None:
                        targets = list(node.targets)
                    elif t is AugAssign:
                        targets = [node.target]
                    elif t is Delete:
                        targets = list(node.targets)
                    elif t is Call and type(node.func) is Attr and node.func.attr in WRITERS:
                        targets = [Sub(node.at, node.func.value, Const(node.at, "none", None))]
                    if targets and (_registered(node) is not None or (id(info.cls), dotted(_container(targets[0]))) in registries
                                    and (t is Delete or t is Call and node.func.attr in ("pop", "discard", "remove")) and not self._called(info)):
                        continue
                    counts = bool(targets) and (t is AugAssign and node.op in ("+", "-") or t is Call and node.func.attr in GROWERS or (
                        t is Assign and type(node.value) is Bin and node.value.op in ("+", "-") and text(node.value.left, 80) == text(targets[0], 80)))
                    for target in targets:
                        self._note(target, info, scope, starts, out, counts)
        return out

    def written_names(self) -> set[str]:
        """Every name and attribute that some function writes, grows or sets an item of, whatever it belongs to."""
        return {name.lstrip(".") for names in self._writes().values() for name in names}

    def _called(self, info: FnInfo) -> bool:
        """Whether something calls a method, as far as that is seen: an object that is called like its class counts, one that the caller has just made
        is still being set up."""
        names = self.project.names
        own = set(verbs.words(info.cls.cls.name)) if info.cls is not None else set()
        for call, scope in list(names.calls_by_name.get(info.name, ())):
            base = call.func.value if type(call.func) is Attr else None
            made = scope.bindings.get(base.id, ()) if type(base) is Name and scope.kind == "function" else ()
            if made and all(b.how == "value" and type(b.node) is Call for b in made):
                continue
            values = names.resolve(call.func, scope)
            if any(isinstance(v, Fn) and v.info.fn is info.fn for v in values):
                return True
            if not values and type(call.func) is Attr and own & set(verbs.words((dotted(call.func.value) or "").rsplit(".", 1)[-1])):
                return True
        return False

    def _note(self, target: Any, info: FnInfo, scope: Any, starts: bool, out: dict[int, set[str]], counts: bool) -> None:
        def note(owner: Any, name: str) -> None:
            out.setdefault(id(owner), set()).add(name)
            # What is counted or grown is the thing itself, no item of it.
            if counts and (type(target) is not Sub or (type(target.index) is Const and target.index.kind == "none" and type(target.value) is not Sub)):
                self._counted.add((id(owner), name))

        base, attr, depth = target, "", 0
        while type(base) in (Attr, Sub):
            if type(base) is Attr:
                attr = base.attr
                depth += 1
            base = base.value
        if depth > 1:
            return
        if type(base) is not Name:
            return
        if base is target:
            if base.id in info.fn.globals:
                note(scope.module.scope, base.id)
            elif base.id in info.fn.nonlocals:
                found = self.project.names.lookup(base.id, scope)
                if found is not None:
                    note(found[1], base.id)
            return
        found = self.project.names.lookup(base.id, scope)
        if found is None:
            return
        if found[1] is scope:
            first = info.fn.params[0].name if info.fn.params else ""
            if info.cls is not None and base.id == first and attr and not starts:
                note(info.cls, "." + attr)
            return
        if not any(b.how in ("import", "def", "class") for b in found[0]):
            note(found[1], base.id)

    # ---- positions
    def next_without(self, p: "Pausing", pause: Point, d: Decision) -> list[Point]:
        """The later pauses that a run can still come to when a decision has led it past this one: the first of them gets its answer."""
        other = [e.to for g in self.guards(p, pause) if getattr(g.node, "at", None) == d.at for e in g.point.succ if e.kind not in ("exc", g.branch)]
        if d.kind == "failure" and not other:
            other = [e.to for x in p.cfg.points if x.kind == "call" and x.node.at == d.at for e in x.succ if e.kind != "exc"]
        if other:
            # Where the other way asks something else instead, that is the next question.
            reached = p.cfg.reachable(other, skip=lambda point, edge: edge.to is pause or edge.kind == "exc") | set(other)
            return [q for q in p.pauses if q is not pause and q in reached]
        skipping = p.cfg.reachable(other or [p.cfg.entry], skip=lambda point, edge: edge.to is pause) | set(other)
        return [q for q in p.zone.later_pauses(pause) if q in skipping]

    def asked_after(self, p: "Pausing", node: Any, pause: Point) -> Point | None:
        """The first other pause that can be reached from a node of the function, a handler for example."""
        reached = p.cfg.reachable(p.cfg.at(node))
        return next((q for q in p.pauses if q is not pause and q in reached), None)

    def moved_by(self, p: "Pausing", pause: Point) -> Point | None:
        """The first later pause whose position depends on whether this one is skipped; None when an answer decides or a loop is at work."""
        if p.zone.loops(pause) is not None:
            return None
        if self._by_answer(p, pause):
            return None
        later = p.zone.first_moved(pause)
        return later if later is not None else min(self._moved_from_inside(p, pause), key=lambda q: q.node.at[:2], default=None)

    def _moved_from_inside(self, p: "Pausing", pause: Point) -> list[Point]:
        """The later pauses whose position depends on whether the helper called here pauses. A pause that is only reached when this one was
        (the same condition decides about both) or that its answer decides about keeps its place."""
        skip = self.skips.of(p, pause)
        if skip is None:
            return []
        flow = self.project.flow(p.info)
        env = flow.env.get(pause.id)
        for info in p.judged[pause.id].targets:
            if env is None or any(s.kind == "answer" for s in flow.passed(pause.node, info, self.project.returned(info).guard, env)):
                return []
        here = self.skips.atoms(p, pause)
        out: list[Point] = []
        for q in p.zone.later_pauses(pause):
            decided = any(s.kind == "answer" and s.node is pause.node for g in self.guards(p, q) if g.kind in ("test", "case", "iter")
                          for s in self.project.test_taint(flow, g))
            if p.zone.loops(q) is None and not decided and not here <= self.skips.atoms(p, q):
                out.append(q)
        return out

    def _by_answer(self, p: "Pausing", pause: Point) -> bool:
        """Whether an earlier answer takes part in deciding about a pause."""
        flow = self.project.flow(p.info)
        for g in self.guards(p, pause):
            if g.kind in ("test", "case", "iter") and any(s.kind == "answer" for s in self.project.test_taint(flow, g)):
                return True
        return False

    def first_guard(self, p: "Pausing", pause: Point) -> Decision | None:
        for g in self.guards(p, pause):
            # A check of what is handed in, whose other way only raises, skips nothing.
            if g.kind in ("test", "case") and not self.idle.test(g, p.cfg, p.scope) and not self._only_raises(p, pause, g):
                return Decision("", self._shown(g), getattr(g.node, "at", pause.node.at), Severity.NOTE)
        skip = self.skips.of(p, pause)
        if skip is not None:
            return Decision("", self._shown(skip.guard), getattr(skip.guard.node, "at", pause.node.at), Severity.NOTE, what=f"{skip.info.name}()")
        return None

    def plain_guard(self, p: "Pausing", pause: Point) -> Decision | None:
        """The stable condition of a pause that some path skips without asking anything else (HIL303). Nobody keeps runs waiting in tests."""
        if self.project.is_test(p.path) or any(part.startswith("test_") for part in p.info.fn.qualname.split(".")):
            return None
        if p.zone.spared is not None and p.zone.spared(pause) or p.zone.loops(pause) is not None or self._unstable(p, pause) or self.moved_by(p, pause) is not None:
            return None
        if not p.zone.last(pause) or self._by_answer(p, pause) or not self._silent_path(p, pause):
            return None
        if self._passes_on(p, pause):
            return None
        return self.first_guard(p, pause) if not self._told_inside(p, pause) and not self._told_outside(p) else None

    def _passes_on(self, p: "Pausing", pause: Point) -> bool:
        """Whether the pause of another run is passed on (`if isinstance(e, GraphInterrupt): interrupt(…)`): whether that one pauses is its own business."""
        return any(g.kind == "test" and type(g.node) is Call and dotted(g.node.func) == "isinstance" and len(g.node.args) == 2 and any(
            isinstance(v, Ext) and v.path in lg.PAUSES_BY_NAME for v in self.project.names.resolve(g.node.args[1].value, p.scope))
            for g in self.guards(p, pause))

    def _told_outside(self, p: "Pausing") -> bool:
        """Whether all that call this helper are told something graver of the same pause: it stands in a loop there, or what decides can change."""
        if self._callers is None:
            self._callers = {}
            for q in self.project.pausing():
                for x in q.live:
                    for t in q.judged[x.id].targets:
                        self._callers.setdefault(id(t.fn), []).append((q, x))
        callers = self._callers.get(id(p.info.fn), ())
        return bool(callers) and all(q is not p and any(
            d is not None and d.severity > Severity.NOTE for d in (self.loop_of(q, x), self.unstable_guard(q, x))) for q, x in callers)

    def _told_inside(self, p: "Pausing", pause: Point) -> bool:
        """Whether the pause is that of a helper, and the condition under which it stands there is told of: it is one pause, however many conditions
        stand one outside of the other."""
        found = self._inside_told.get(id(pause.node))
        if found is None:
            self._inside_told[id(pause.node)] = False  # functions that call one another in a circle
            inner = [self.project.pausing_of(t) for t in p.judged[pause.id].targets[:4]]
            found = self._inside_told[id(pause.node)] = any(
                self.plain_guard(q, x) is not None or self.unstable_guard(q, x) is not None or self._told_inside(q, x) for q in inner if q is not None and q is not p for x in q.live)
        return found

    def _silent_path(self, p: "Pausing", pause: Point) -> bool:
        """Some way past the pause, from the decision about it to the end, meets no pause at all."""
        pauses = {x.id for x in p.zone.pauses}
        to_pause = p.cfg.reaching([pause])
        for g in self.guards(p, pause):
            if self.idle.test(g, p.cfg, p.scope):
                continue
            for e in g.point.succ:
                if e.kind == "exc" or e.to is pause or (e.to in to_pause and not self._ways_past(p, e.to, pause)):
                    continue
                if e.to.id in pauses:
                    continue
                reached = p.cfg.reachable([e.to], skip=lambda point, edge: edge.to.id in pauses or (edge.kind == "exc" and point.kind != "raise"))
                if p.cfg.exit in reached or e.to is p.cfg.exit:
                    return True
        return False

    def _ways_past(self, p: "Pausing", start: Point, pause: Point) -> bool:
        reached = p.cfg.reachable([start], skip=lambda point, edge: edge.to is pause or edge.kind == "exc")
        return p.cfg.exit in reached

    # ---- loops
    def loop_of(self, p: "Pausing", pause: Point) -> Decision | None:
        """The loop (or recursion) through which a pause is reached again."""
        region = p.zone.loops(pause)
        j = p.judged[pause.id]
        if j.off:
            return None  # nobody is asked there (HIL204), however often
        if region is None:
            if any(t.fn is p.info.fn for t in j.targets) or self._comes_back(p, pause):
                return self._round(Decision("", "recursion", pause.node.at, Severity.WARNING, None, "recursion"), self._costs(p, pause, None))
            if any(path in ("map", "filter", "itertools.starmap") or path.endswith(".map") for path in j.paths) and not self._first_only(p, pause):
                return self._round(Decision("", "map", pause.node.at, Severity.WARNING, None, "map()"), _matters(j))
            return None
        node = _loop_node(region)
        if type(node) is For and self._retries(node.iter, p) and not self._works_after(p, pause, region):
            return None
        flow = self.project.flow(p.info)
        head = next((x for x in p.cfg.points if x.node is node and x.kind in ("iter", "test")), None)
        iterated = node.iter if type(node) in (For,) else getattr(node, "iter", None)
        what = "comprehension" if region.kind == "comp" else "while loop" if type(node) is While else "for loop"
        at = getattr(iterated if iterated is not None else getattr(node, "test", node), "at", pause.node.at)
        shown = text(iterated if iterated is not None else getattr(node, "test", None), 40)
        if iterated is not None and head is not None:
            taint = flow.taint(iterated, head)
            unstable = sorted((s for s in taint if s.kind in ("model", "unstable", "memory") and not isinstance(s.node, str)), key=lambda s: s.node.at)
            if unstable or self._is_set(iterated, p) or self._set_in_state(iterated, p):
                return Decision("unstable", shown, at, Severity.ERROR, unstable[0].witness if unstable else None, what)
            if any(s.kind == "read" for s in taint):
                return Decision("", shown, at, Severity.WARNING, None, what)
        if self._only_dispatches(p, pause, region):
            return Decision("", shown, at, Severity.NOTE, None, what)
        return self._round(Decision("", shown, at, Severity.WARNING, None, what), self._costs(p, pause, region))

    def _round(self, d: Decision, costs: bool) -> Decision:
        return d if costs else replace(d, kind="asks", severity=Severity.NOTE)

    def _costs(self, p: "Pausing", pause: Point, region: Any) -> bool:
        """Whether a round does anything beside asking. Rounds that only ask are gone through again at no cost, and nobody is asked twice (run on 1.2.24)."""
        for x, j in p.calls():
            if region is not None and region not in x.regions or not p.zone.contains(x):
                continue
            if _matters(j) or not (j.known or j.pause is not None or self.project.effects.looked_up(x.node, p.scope)):
                return True
        lines = {getattr(x.node, "at", NOWHERE)[0] for x in p.cfg.points if region is None or region in x.regions}
        return any(g.at[0] in lines for g in self.project.growths(p))

    def _first_only(self, p: "Pausing", pause: Point) -> bool:
        """`next(map(ask, xs))` asks once."""
        parents = self.project.signals.carriers.parents(p.info)
        outer = parents.get(id(parents.get(id(pause.node))))
        return type(outer) is Call and dotted(outer.func) == "next"

    def _comes_back(self, p: "Pausing", pause: Point) -> bool:
        """Mutual recursion: what is called here calls this function again, which has a pause besides. Only calls of a single known function are
        followed: of several that a name can be, hardly all are called."""
        if not any(not self._leads_back(p, q) for q in p.pauses):
            return False
        return self._leads_back(p, pause)

    def _leads_back(self, p: "Pausing", pause: Point) -> bool:
        seen: set[int] = set()
        stack = [j.targets[0] for j in [p.judged[pause.id]] if len(j.targets) == 1 and not j.off]
        while stack and len(seen) < MAX_RECURSION:
            info = stack.pop()
            if info.fn is p.info.fn:
                return True
            if id(info.fn) in seen or self.project.is_task(info):
                continue
            seen.add(id(info.fn))
            inner = self.project.pausing_of(info)
            if inner is not None:
                stack += [j.targets[0] for j in (inner.judged[q.id] for q in inner.pauses) if len(j.targets) == 1 and not j.off]
        return False

    def _retries(self, expr: Any, p: "Pausing") -> bool:
        """`for attempt in Retrying(…)`: the round that succeeds is the last one. That others ask for the pause again is HIL202's."""
        return any(isinstance(v, Ext) and v.path.endswith("()") and (v.path[:-2] in lg.TENACITY_LOOPS or v.path == "stamina.retry_context()")
                   for v in self.project.names.resolve(expr, p.scope))

    def _works_after(self, p: "Pausing", pause: Point, region: Any) -> bool:
        """Something in the body that can fail stands behind the pause, so that a round can follow one that asked."""
        return any(region in x.regions and x.node.at > pause.node.at and (j.effect or j.model or j.read or j.pause) is not None for x, j in p.calls())

    def _is_set(self, expr: Any, p: "Pausing") -> bool:
        if type(expr) is Call and dotted(expr.func) in ("set", "frozenset"):
            return True
        return any(isinstance(v, Lit) and ((type(v.expr) is Seq and v.expr.kind == "set") or getattr(v.expr, "kind", "") == "set")
                   for v in self.project.names.resolve(expr, p.scope)) and type(expr) is not Call

    def _set_in_state(self, expr: Any, p: "Pausing") -> bool:
        """`state["tags"]` whose class says `set[str]`: what comes out of a checkpoint is put into a new set, in an order of its own (run on 1.2.24)."""
        base = expr.value if type(expr) in (Attr, Sub) else expr.func.value if type(expr) is Call and type(expr.func) is Attr and expr.func.attr == "get" else None
        key = expr.attr if type(expr) is Attr else expr.index if type(expr) is Sub else expr.args[0].value if type(expr) is Call and expr.args else None
        key = key.value if type(key) is Const else key
        if base is None or not isinstance(key, str):
            return False
        for v in self.project.names.resolve(base, p.scope):
            if isinstance(v, Inst):
                for stmt in v.info.cls.body:
                    if type(stmt) is Assign and stmt.annotation is not None and any(type(t) is Name and t.id == key for t in stmt.targets):
                        ann = stmt.annotation
                        return dotted(ann.value if type(ann) is Sub else ann) in ("set", "frozenset", "Set", "typing.Set", "FrozenSet")
        return False

    def _only_dispatches(self, p: "Pausing", pause: Point, region: Any) -> bool:
        """The pause is inside a tool that is chosen at run time, and nothing else in the body repeats."""
        f = pause.node.func
        j = p.judged[pause.id]
        if not (type(f) is Attr and f.attr in ("invoke", "ainvoke", "run", "arun") and (j.targets or j.dispatch)):
            return False
        for x, other in p.calls():
            if x.id != pause.id and region in x.regions and (other.effect is not None or other.model is not None):
                return False
        return True


def _matters(j: Any) -> bool:
    """Whether a call does something that costs, or changes something, when it is done again. A clock or an id that is only shown does not: where it
    reaches more, that is said of it (HIL103, HIL301)."""
    return any(x is not None for x in (j.effect, j.model, j.read, j.grow))


def _key_into(node: Any, shown: str) -> Any:
    """The key by which a node looks into (or writes) the container that is written so: `key in c`, `c[key]`, `c.get(key)`."""
    t = type(node)
    if t is Cmp and node.ops in (["in"], ["not in"]) and dotted(node.rights[0]) == shown:
        return node.left
    if t is Sub and dotted(node.value) == shown:
        return node.index
    if t is Call and type(node.func) is Attr and node.func.attr in ("get", "pop") and dotted(node.func.value) == shown and node.args:
        return node.args[0].value
    return None


def _registered(node: Any) -> str | None:
    """The container in which a thing is put under a name of its own (`self._tools[tool.name] = tool`): who looks it up there finds what was found before."""
    if type(node) is not Assign or len(node.targets) != 1 or type(node.targets[0]) is not Sub or type(node.value) is not Name:
        return None
    key = node.targets[0].index
    return dotted(node.targets[0].value) if type(key) is Attr and type(key.value) is Name and key.value.id == node.value.id else None


def _container(target: Any) -> Any:
    return target.value if type(target) is Sub else target


def _plain(test: Any) -> str:
    while type(test) is Un and test.op == "not":
        test = test.value
    return text(test, 200)


def _plain_test(g: Guard) -> tuple[str, bool]:
    """(test as written without `not`, what it must be) of a guard."""
    test, truth = g.node, g.branch == "true"
    while type(test) is Un and test.op == "not":
        test, truth = test.value, not truth
    return text(test, 200), truth


def _loop_node(region: Any) -> Any:
    node = region.node
    generators = getattr(node, "generators", None)
    return generators[0] if generators else node


__all__ = ["Decision", "Order"]
