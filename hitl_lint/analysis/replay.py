"""What runs again and what becomes of it: the questions of the HIL1xx rules, answered from zones, effects and data-flow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.cfg import Point
from hitl_lint.analysis.effects import Judged, Witness
from hitl_lint.analysis.names import Ext, FnInfo, Scope
from hitl_lint.analysis.summaries import growths
from hitl_lint.analysis.values import Flow, Source, ordered, place
from hitl_lint.facts import (
    Assign, At, Attr, AugAssign, Call, Const, Dict, Handler, Name, Return, Sub, With, dotted, text, walk,
)
from hitl_lint.finding import Step

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

MADE = frozenset({"model", "effect", "unstable", "read"})
LOOKUPS = frozenset({"find", "get", "exists", "lookup", "fetch", "search", "select", "query", "find_one", "is_file", "is_dir", "has", "load", "check", "filter", "first"})
CREATING = frozenset({"create", "insert", "add", "save", "register", "mkdir", "upload", "put", "write", "touch", "makedirs", "open", "provision", "book", "new"})
NOT_FOUND = ("NotFound", "DoesNotExist", "KeyError", "LookupError", "NoResult", "NoSuch", "Missing")
FATES = {"return": "returned", "branch": "decided", "state": "stored", "call": "used"}
# By the first word of what an effect does; what it does else is a use.
EFFECT_FATES = {
    **dict.fromkeys("sends posts publishes emails notifies queues enqueues submits uploads pushes dispatches emits".split(), "sent"),
    **dict.fromkeys("writes saves inserts adds appends creates records updates copies fills indexes sets opens downloads".split(), "saved"),
}


@dataclass(frozen=True, slots=True)
class Again:
    """A call that runs again on resume, why it matters, and the pause it stands before. `looped`: the pause comes round again in a loop;
    `nested`: it is the pause of a nested graph that the function runs (HIL105)."""

    call: Call
    point: Point
    witness: Witness
    pause: Point
    looped: bool
    nested: bool


@dataclass(frozen=True, slots=True)
class Journey:
    """A value made in the replay zone: shown at a pause (`shown`) and used after it. `use`: "return", "effect", "branch", "state" or "call"."""

    source: Source
    pause: Point
    shown: bool
    use: str
    at: Point

    def fate(self, p: "Pausing") -> str:
        """What becomes of the value: "sent", "saved", "returned"…"""
        if self.use == "return" and self.at.kind == "yield":
            return "yielded"
        if self.use == "effect":
            done = p.judged[self.at.id].effect
            return EFFECT_FATES.get(done.what.split()[0], "used") if done is not None else "used"
        return FATES[self.use]

    def use_step(self, project: "Project", p: "Pausing") -> Step:
        where = getattr(self.at.node, "at", p.info.fn.at)
        return Step(project.span(p.info.module, where), f"here another version is {self.fate(p)}")


@dataclass(frozen=True, slots=True)
class Growth:
    target: str
    how: str
    what: str
    at: At
    pause: Point
    witness: Witness | None


class Replay:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._journeys: dict[int, list[Journey]] = {}

    # ---- a router that pauses
    def before_routers(self, kind: str) -> Iterator[tuple["FnInfo", Call, Witness, FnInfo]]:
        """Calls in nodes whose conditional edge asks: the whole node runs again with the answer (TRUTH.md 7). Nodes that pause
        themselves are left to `replayed` for what stands before their own pauses."""
        for source, router in self.project.graphs.pausing_routers():
            p = self.project.pausing_of(source)
            if self.project.is_task(source):
                continue
            scope = self.project.names.scope(source)
            cfg = self.project.cfg(source)
            for call in scope.calls:
                w: Witness | None = getattr(self.project.effects.judge(call, scope), kind)
                points = cfg.at(call)
                if w is None or not points or (p is not None and any(p.zone.contains(x) for x in p.cfg.at(call))):
                    continue
                yield source, call, w, router

    # ---- HIL101, HIL102, HIL105
    def replayed(self, p: "Pausing", kind: str) -> Iterator[Again]:
        """The calls of the function that do `kind` ("effect" or "model") and run again on a resume."""
        seen: set[int] = set()
        opened: list[Call] = []
        for point, j in p.calls():
            w: Witness | None = getattr(j, kind)
            call = point.node
            if w is None or id(call) in seen or not p.zone.contains(point):
                continue
            pause = p.zone.pause_after(point)
            if pause is None:
                continue
            if kind == "effect":
                if self._rolled_back(p, point, pause, w) or self.creates_once(p.info, call) or self._guarded_by_earlier_node(p, point):
                    continue
                if any(_same_object(o, call, p) for o in opened):
                    continue
                if (j.paths and j.paths[-1].rsplit(".", 1)[-1] == "open") or dotted(call.func) == "open":
                    opened.append(call)
            seen.add(id(call))
            looped = call is pause.node or (p.zone.after_pause(point) and call.at[:2] > pause.node.at[:2])
            yield Again(call, point, w, pause, looped, p.witness(pause).nested)

    def _rolled_back(self, p: "Pausing", point: Point, pause: Point, w: Witness) -> bool:
        """A database write inside a transaction block that also encloses the pause: the pause rolls it back (TRUTH.md 1)."""
        if not any(word in w.what for word in DATABASE_WORDS):
            return False
        for region in point.regions:
            if region.kind == "with" and region.item is not None and region in pause.regions:
                name = text(region.item.value, 120).lower()
                if any(word in name for word in ("transaction", "atomic", ".begin(", "connect(", "session", "conn", "con", "db", "engine", "pool", "cursor", "uow")):
                    return True
        return False

    def creates_once(self, info: FnInfo, call: Call) -> bool:
        """`if not db.find(x): db.create(x)`, `row = db.get(k); if row is None: db.add(…)`: the second run finds what the first one made."""
        name = call.func.attr if type(call.func) is Attr else call.func.id if type(call.func) is Name else ""
        if not set(name.lower().strip("_").split("_")) & CREATING:
            return False
        scope, cfg = self.project.names.scope(info), self.project.cfg(info)
        for point in cfg.at(call):
            for g in cfg.guards(point):
                if g.kind == "test" and not g.again and self._looks_up(g.node, scope, 0):
                    return True
                if type(g.node) is Handler and any(w in text(g.node.type, 120) for w in NOT_FOUND):
                    return True  # `try: read() except FileNotFoundError: create()`
        # Chosen straight from the handler: a single handler makes no decision of its own.
        return any(r.kind == "handler" and any(w in text(r.node.type, 120) for w in NOT_FOUND) for point in cfg.at(call) for r in point.regions)

    def _looks_up(self, expr: Any, scope: Scope, depth: int) -> bool:
        if depth > 2:
            return False
        for node in walk(expr):
            if type(node) is Call:
                f = node.func
                name = f.attr if type(f) is Attr else f.id if type(f) is Name else ""
                base = dotted(f.value) if type(f) is Attr else None
                if set(name.lower().strip("_").split("_")) & LOOKUPS and not (isinstance(scope.owner, FnInfo) and base == self.state_name(scope.owner)):
                    return True
                if self.project.effects.judge(node, scope).read is not None:
                    return True
            elif type(node) is Name:
                found = self.project.names.lookup(node.id, scope)
                if found is not None and found[1] is scope:
                    for b in found[0]:
                        if b.how == "value" and self._looks_up(b.node, scope, depth + 1):
                            return True
        return False

    def _guarded_by_earlier_node(self, p: "Pausing", point: Point) -> bool:
        """`if not state.get("sent"): send()` where another node returns "sent" and this one does not."""
        state = self.state_name(p.info)
        if state is None:
            return False
        for g in p.cfg.guards(point):
            if g.kind != "test" or g.again:
                continue
            key = _state_key(g.node, state)
            if key is None or g.branch != "false":
                continue
            if key not in self._returned_keys(p.info) and any(key in self._returned_keys(f) for f in self.project.functions() if f is not p.info):
                return True
        return False

    def _returned_keys(self, info: FnInfo) -> set[str]:
        out: set[str] = set()
        for stmt in info.fn.body:
            for node in walk(stmt):
                if type(node) is Return and node.value is not None:
                    for d in walk(node.value):
                        if type(d) is Dict:
                            out |= {k.value for k in d.keys if type(k) is Const and k.kind == "str"}
        return out

    # ---- HIL103, HIL104
    def journeys(self, p: "Pausing") -> list[Journey]:
        """One journey per value made in the zone and used after a pause that follows it: the worst use, shown ones first."""
        found = self._journeys.get(id(p.info.fn))
        if found is None:
            found = self._journeys[id(p.info.fn)] = self._find_journeys(p)
        return found

    def _find_journeys(self, p: "Pausing") -> list[Journey]:
        flow = self.project.flow(p.info)
        best: dict[Source, Journey] = {}
        for pause in p.pauses:
            shown = self.project.payload(p, pause)
            for point, use, taint in self._uses(p, flow, pause):
                for s in ordered(taint):
                    if s.kind not in MADE or isinstance(s.node, str):
                        continue
                    if not self._before(p, s, pause) or (use == "call" and self._only_measures(s)):
                        continue
                    is_shown = s in shown
                    j = Journey(s, pause, is_shown, use, point)
                    old = best.get(s)
                    if old is None or _worth(j) > _worth(old):
                        best[s] = j
        return sorted(best.values(), key=lambda j: j.source.node.at)

    def _only_measures(self, s: Source) -> bool:
        """A stopwatch reading that is handed to some function: a duration for the metrics, not a fact."""
        return s.witness is not None and s.witness.callee.rsplit(".", 1)[-1] in ("perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "process_time")

    def _before(self, p: "Pausing", s: Source, pause: Point) -> bool:
        """The value is made before the pause and made again when it is answered."""
        for point in p.cfg.at(s.node):
            if point.id != pause.id and p.cfg.connects(point, pause) and p.zone.contains(point):
                return True
        return False

    def _uses(self, p: "Pausing", flow: Flow, pause: Point) -> Iterator[tuple[Point, str, frozenset[Source]]]:
        """What is done with values in points that run after the pause: (point, kind of use, sources)."""
        after = p.cfg.reachable([pause])
        state = self.state_name(p.info)
        for point in p.cfg.points:
            if point not in after:
                continue
            kind, node = point.kind, point.node
            if kind in ("return", "yield") and getattr(node, "value", None) is not None:
                yield point, "return", flow.taint(node.value, point)
            elif kind == "test":
                yield point, "branch", flow.taint(node, point)
            elif kind == "case":
                yield point, "branch", flow.taint(getattr(point.stmt, "subject", None), point)
            elif kind == "bind" and type(node) in (Assign, AugAssign) and node.value is not None:
                for target in node.targets if type(node) is Assign else [node.target]:
                    if self._outlives(p, target, state):
                        yield point, "state", flow.taint(node.value, point)
            elif kind == "call":
                j = p.judged.get(point.id)
                if j is None or point.id == pause.id:
                    continue
                if j.effect is not None:
                    yield point, "effect", self._arguments(flow, node, point)
                elif self._uses_value(j):
                    yield point, "call", self._arguments(flow, node, point)

    def _uses_value(self, j: Judged) -> bool:
        return j.model is not None or j.read is not None or (not j.known and not j.paths) or bool(j.targets)

    def _arguments(self, flow: Flow, call: Call, point: Point) -> frozenset[Source]:
        out: frozenset[Source] = frozenset()
        for a in call.args:
            out |= flow.taint(a.value, point)
        return out

    def _outlives(self, p: "Pausing", target: Any, state: str | None) -> bool:
        base = target
        while type(base) in (Attr, Sub):
            base = base.value
        if type(base) is not Name or base is target:
            return type(target) is Name and (target.id in p.info.fn.globals or target.id in p.info.fn.nonlocals)
        return base.id in (state, "self") or base.id not in p.scope.bindings

    # ---- HIL106, HIL109
    def state_name(self, info: FnInfo) -> str | None:
        """The name of the parameter that carries the graph's state."""
        params = [q for q in info.fn.params if q.kind in ("any", "pos")]
        if info.cls is not None and params and "staticmethod" not in {dotted(d) for d in info.fn.decorators}:
            params = params[1:]
        if not params:
            return None
        for q in params[:2]:
            if "state" in q.name.lower() or (q.annotation is not None and "State" in text(q.annotation, 60)):
                return q.name
        if self.project.graphs.registered(info)[0] is not None:
            return params[0].name
        return None

    def growths(self, p: "Pausing") -> Iterator[Growth]:
        """Shared things that are grown or counted in place in the zone, directly or by a helper."""
        summaries = self.project.summaries
        state = self.state_name(p.info)
        seen: set[tuple[int, int]] = set()
        for node, target, how in growths(p.info.fn.body):
            target = self._aliased(target, p)
            what = summaries.memory(target, p.scope) if type(node) is Call else summaries.shared(target, p.scope)
            if what is None and state is not None and _inside_state(target, state, node):
                what = "an object inside the state"
            if what is None:
                continue
            for point in p.cfg.at(node) or self._points_of_statement(p, node):
                if p.zone.contains(point) and node.at[:2] not in seen:
                    pause = p.zone.pause_after(point)
                    if pause is not None:
                        seen.add(node.at[:2])
                        yield Growth(text(target, 40), how, what, node.at, pause, None)
        for point, j in p.calls():
            if j.grow is not None and j.targets and point.node.at[:2] not in seen and p.zone.contains(point):
                pause = p.zone.pause_after(point)
                if pause is not None and j.grow.links:
                    seen.add(point.node.at[:2])
                    how, _, what = j.grow.what.partition(" ")
                    if what.startswith("to "):
                        how, what = how + " to", what[3:]
                    elif what.startswith("from "):
                        how, what = how + " from", what[5:]
                    yield Growth(j.grow.callee, how, what, point.node.at, pause, j.grow)

    def _aliased(self, target: Any, p: "Pausing") -> Any:
        """`tags = state["tags"]; tags.append(…)` grows the list in the state."""
        if type(target) is not Name:
            return target
        found = p.scope.bindings.get(target.id, ())
        if len(found) != 1 or found[0].how != "value":
            return target
        made = found[0].node
        if type(made) is Call and type(made.func) is Attr and made.func.attr == "get" and made.args and dotted(made.func.value) is not None:
            return Sub(target.at, made.func.value, made.args[0].value)
        return made if type(made) in (Sub, Attr) and place(made) is not None else target

    def _points_of_statement(self, p: "Pausing", node: Any) -> list[Point]:
        return [x for x in p.cfg.points if x.stmt is node]

    def state_writes(self, p: "Pausing") -> Iterator[Growth]:
        """Assignments to keys of the state argument in the zone that the node does not return."""
        state = self.state_name(p.info)
        if state is None:
            return
        returned = self._returned_keys(p.info)
        for point, _ in p.calls():
            call = point.node
            if type(call.func) is Attr and call.func.attr == "update" and dotted(call.func.value) == state and p.zone.contains(point):
                pause = p.zone.pause_after(point)
                if pause is not None and not self._returns_state(p, state) and not set(_updated_keys(call)) & returned:
                    yield Growth(f"{state}.update(…)", "", "", call.at, pause, None)
        for point in p.cfg.points:
            if point.kind != "bind" or type(point.node) not in (Assign, AugAssign):
                continue
            if type(point.node) is Assign and point.node.value is None:
                continue
            for target in point.node.targets if type(point.node) is Assign else [point.node.target]:
                key = _written_key(target, state)
                if key is None or key in returned or not p.zone.contains(point):
                    continue
                pause = p.zone.pause_after(point)
                if pause is None or self._returns_state(p, state):
                    continue
                yield Growth(text(target, 40), "", "", point.node.at, pause, None)

    def _returns_state(self, p: "Pausing", state: str) -> bool:
        for point in p.cfg.points:
            if point.kind == "return" and point.node.value is not None:
                v = point.node.value
                if type(v) is Name and v.id == state:
                    return True
                if type(v) is Dict and any(k is None and type(x) is Name and x.id == state for k, x in zip(v.keys, v.values)):
                    return True
                if type(v) is Call and any(type(n) is Name and n.id == state for a in v.args for n in [a.value]):
                    return True
        return False


DATABASE_WORDS = ("row", "table", "SQL", "database", "record", "inserts", "commit", "updates", "session", "writes an object")


def _worth(j: Journey) -> tuple[int, int]:
    order = {"effect": 4, "return": 3, "state": 3, "branch": 1, "call": 2}
    return (1 if j.shown and j.use != "branch" else 0, order[j.use])


def _same_object(opened: Call, call: Call, p: "Pausing") -> bool:
    """A write to a file whose opening is reported already: `with open(…) as f: f.write(…)` is one finding."""
    f = call.func
    base = f.value if type(f) is Attr else None
    candidates = [base, *(a.value for a in call.args)]
    for point in p.cfg.points:
        node = point.node
        if point.kind == "bind" and type(node).__name__ == "WithItem" and node.value is opened and node.target is not None:
            name = place(node.target)
            if name is not None and any(c is not None and place(c) == name for c in candidates):
                return True
        if point.kind == "bind" and type(node) is Assign and node.value is opened:
            names = {place(t) for t in node.targets}
            if any(c is not None and place(c) in names for c in candidates):
                return True
    return base is opened


def _state_key(test: Any, state: str) -> str | None:
    """The key that a test asks the state for: `state.get("k")`, `state["k"]`, `"k" in state`."""
    for node in walk(test):
        if type(node) is Call and type(node.func) is Attr and node.func.attr == "get" and dotted(node.func.value) == state and node.args:
            k = node.args[0].value
            return k.value if type(k) is Const and k.kind == "str" else None
        if type(node) is Sub and dotted(node.value) == state and type(node.index) is Const and node.index.kind == "str":
            return node.index.value
        if type(node) is Attr and dotted(node.value) == state:
            return node.attr
    return None


def _written_key(target: Any, state: str) -> str | None:
    if type(target) is Sub and dotted(target.value) == state and type(target.index) is Const and target.index.kind == "str":
        return target.index.value
    if type(target) is Attr and dotted(target.value) == state:
        return target.attr
    return None


def _updated_keys(call: Call) -> list[str]:
    keys = [a.name for a in call.args if a.name]
    for a in call.args:
        if type(a.value) is Dict:
            keys += [k.value for k in a.value.keys if type(k) is Const and k.kind == "str"]
    return keys


def _inside_state(target: Any, state: str, node: Any) -> bool:
    """An object inside the state: `state["items"].append(…)`, `state["messages"][-1].content += …`; not `state["n"] += 1` (HIL109)."""
    base, depth = target, 0
    while type(base) in (Attr, Sub):
        base = base.value
        depth += 1
    if type(base) is not Name or base.id != state:
        return False
    return depth >= (1 if type(node) is Call else 2)


__all__ = ["Again", "Ext", "Growth", "Journey", "Replay", "With"]
