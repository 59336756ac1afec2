"""What runs again and what becomes of it: the questions of the HIL1xx rules, answered from zones, effects and data-flow."""

from __future__ import annotations

from typing import AbstractSet, TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.cfg import Point, Region
from hitl_lint.analysis.effects import TABLES, Judged, Witness
from hitl_lint.analysis.names import Ext, Fn, FnInfo, Scope, argument
from hitl_lint.analysis.quoted import Quoted
from hitl_lint.analysis.raising import Raising
from hitl_lint.analysis.summaries import growths, is_new
from hitl_lint.analysis.values import COUNTED, Flow, Source, compared, decided, measured, ordered, place
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue import verbs
from hitl_lint.facts import (
    Assign, At, Attr, AugAssign, Await, Bin, BoolOp, Break, Call, Cmp, Comp, Const, Continue, Dict, FStr, Handler, If, IfExp, Name, Raise, Return, Seq, Sub,
    With, dotted, text, walk,
)
from hitl_lint.finding import Step
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.decorated import Applied
    from hitl_lint.analysis.project import Pausing, Project

MADE = frozenset({"model", "effect", "unstable", "read"})
LOOKUPS = frozenset({"find", "get", "exists", "lookup", "fetch", "search", "select", "query", "find_one", "is_file", "is_dir", "has", "load", "check", "filter", "first"})
SETTINGS = frozenset("config configuration configs settings setting env getenv environ flag flags feature features".split())
CREATING = frozenset({"create", "insert", "add", "save", "register", "mkdir", "upload", "put", "write", "touch", "makedirs", "open", "provision", "book", "new"})
FILES = frozenset({"open", "write", "mkdir", "makedirs", "touch", "put", "upload"})
NEGATED = frozenset({"new", "missing", "absent", "pending", "unsent", "todo", "due", "open", "free", "needed", "lock", "acquired"})
YES_OR_NO = {(w,) for w in ("is", "has", "should", "can", "needs", "check", "acquire", "try", "claim", "begin")}
KEEPING = CREATING | {"upsert", "set", "store", "mark", "record"}
# What the second run of these raises; a program that lets it pass has done it once.
RAISES_AGAIN = {"makes a directory": "FileExistsError", "deletes a file": "FileNotFoundError", "deletes a directory tree": "FileNotFoundError",
                "moves a file": "FileNotFoundError",
                TABLES: "OperationalError ProgrammingError DatabaseError Error DuplicateColumn DuplicateTable DuplicateObject SQLAlchemyError"}
WIDER = frozenset({"OSError", "IOError", "EnvironmentError", "Exception", "BaseException"})
SHALLOW = frozenset({"dict", "copy", "model_copy", "cast", "replace", "get", "values"})  # copies that hold the same objects
THERE = frozenset({"exists", "is_file", "is_dir", "isfile", "isdir", "lexists", "is_symlink", "islink"})
LISTING = frozenset({"glob", "rglob", "iglob", "iterdir", "listdir", "scandir", "walk"})
NOT_FOUND = ("NotFound", "DoesNotExist", "KeyError", "LookupError", "NoResult", "NoSuch", "Missing")
SAME_ITEMS = frozenset({"enumerate", "reversed", "sorted", "list", "tuple", "iter"})
FATES = {"return": "returned", "branch": "decided", "state": "stored", "call": "used"}
# By the first word of what an effect does; what it does else is a use.
EFFECT_FATES = {
    **dict.fromkeys("sends posts publishes emails notifies queues enqueues submits uploads pushes dispatches emits".split(), "sent"),
    **dict.fromkeys("writes saves inserts adds appends creates records updates copies fills indexes sets opens downloads".split(), "saved"),
}


@record
class Again:
    """A call that runs again on resume, why it matters, and the pause it stands before. `looped`: the pause comes round again in a loop;
    `nested`: it is the pause of a nested graph that the function runs (HIL105)."""

    call: Call
    point: Point
    witness: Witness
    pause: Point
    looped: bool
    nested: bool


@record
class Journey:
    """A value made in the replay zone: shown at a pause (`shown`) and used after it. `use`: "return", "effect", "branch", "state" or "call"; `quoted`: it is
    returned, but only for the record of what was asked and answered."""

    source: Source
    pause: Point
    shown: bool
    use: str
    at: Point
    quoted: bool = False

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


@record
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
        self._first_rounds: dict[int, set[Point]] = {}
        self._keys: dict[int, set[str]] = {}
        self._others: dict[int, list[FnInfo]] = {}
        self.raising = Raising(project)

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

    # ---- a decorator of another file
    def in_wrappers(self, kind: str) -> Iterator[tuple["Applied", Again]]:
        """What a decorator whose file is not checked does before it runs a function that pauses: the first such call of each decorator."""
        for a in self.project.decorated.elsewhere():
            p = self.project.pausing_of(a.wrapper)
            again = next(self.replayed(p, kind), None) if p is not None else None
            if again is not None:
                yield a, again

    # ---- HIL101, HIL102, HIL105
    def replayed(self, p: "Pausing", kind: str) -> Iterator[Again]:
        """The calls of the function that do `kind` ("effect" or "model") and run again on a resume."""
        seen: set[int] = set()
        opened: list[Call] = []
        if self.project.graphs.passed_over(p.info):
            return
        for point, j in p.calls():
            w: Witness | None = getattr(j, kind)
            call = point.node
            point = self._done_at(p, point) if w is not None and id(call) not in seen else None
            pause = p.zone.pause_after(point) if point is not None else None
            if w is None or point is None or pause is None or w.lasts and (kind == "model" or w.overwrites):
                continue
            if not p.zone.contains(point, raised=False) and not self.raising.works_first(p, point, kind):
                continue  # only a failure of the call itself leads to the pause: it has done nothing then
            if kind == "effect":
                if w.overwrites and self._written_again(p, j):
                    continue
                if self._rolled_back(p, point, pause, w) or self.once(p.info, call, w) or self._guarded_by_earlier_node(p, point):
                    continue
                if any(_same_object(o, call, p) for o in opened):
                    continue
                if (j.paths and j.paths[-1].rsplit(".", 1)[-1] == "open") or dotted(call.func) == "open":
                    opened.append(call)
            seen.add(id(call))
            looped = call is pause.node or (p.zone.after_pause(point) and call.at[:2] > pause.node.at[:2])
            yield Again(call, point, w, pause, looped, p.witness(pause).nested)

    def _written_again(self, p: "Pausing", j: Judged) -> bool:
        """Whether another node calls the very function that overwrites the file: what was changed there while the question waited is lost in any case."""
        nodes = {id(f.fn) for f, _ in self.project.graphs.node_functions()}
        return len(j.targets) == 1 and any(
            any(isinstance(v, Fn) and v.info.fn is j.targets[0].fn for v in self.project.names.resolve(call.func, scope))
            for call, scope in self.project.names.calls_by_name.get(j.targets[0].name, ())
            if scope.kind == "function" and scope.owner.fn is not p.info.fn and id(scope.owner.fn) in nodes)

    def _done_at(self, p: "Pausing", point: Point) -> Point | None:
        """The first point in the zone at which what stands at a point is done: later, for generators and coroutines; None outside of the zone."""
        if p.zone.beside(point):
            return point
        return next((x for x in self.project.lazily.points(p.info, point) if p.zone.contains(x)), None)

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

    def once(self, info: FnInfo, call: Call, w: Witness) -> bool:
        """Whether the code around an effect sees to it that the second run does not do it again."""
        return self._creates_once(info, call, w.what == TABLES and len(w.links) == 1) or self._sends_once(info, call) or self._tolerated(info, call, w) or any(
            self._beside_creation(info, x) for x in self.project.cfg(info).at(call)[:2])

    def _beside_creation(self, info: FnInfo, point: Point) -> bool:
        """`if not repo.get(id): repo.save(id); tell(id)`: what was saved is found by the second run, which goes another way."""
        scope, cfg = self.project.names.scope(info), self.project.cfg(info)
        around = [g for g in cfg.guards(point) if not g.again]
        for g in around:
            if g.kind != "test" or not _means_absent(g.node, g.branch):
                continue
            asked = [(_things(name), base) for name, base in map(_method, self._lookups(g.node, scope, 0)) if base is not None]
            for call in scope.calls if asked else ():
                name, base = _method(call)
                if not set(verbs.words(name)) & KEEPING or not any(base == b and (things & _things(name) or (not things and base not in ("self", "cls"))) for things, b in asked):
                    continue
                if any(x.id != point.id and (cfg.dominates(x, point) or (cfg.dominates(point, x) and len(cfg.guards(x)) == len(cfg.guards(point))))
                       and any(h.point is g.point and h.branch == g.branch for h in cfg.guards(x)) for x in cfg.at(call)):
                    return True
        return False

    def _creates_once(self, info: FnInfo, call: Call, creates: bool = False) -> bool:
        """`if not db.find(x): db.create(x)`, `row = db.get(k); if row is None: db.add(…)`: the second run finds what the first one made."""
        name = call.func.attr if type(call.func) is Attr else call.func.id if type(call.func) is Name else ""
        if not creates and not set(name.lower().strip("_").split("_")) & CREATING:
            return False
        scope, cfg = self.project.names.scope(info), self.project.cfg(info)
        other = SETTINGS - set(verbs.words(name))
        files = not FILES.isdisjoint(verbs.words(name))  # what is written into a file that is there is mostly another matter the second time
        for point in cfg.at(call):
            for g in cfg.guards(point):
                if g.kind == "test" and not g.again and (files or not self._means_there(g.node, g.branch, scope) or _decides(g.point.stmt, call)) and self._looks_up(g.node, scope, 0, other):
                    return True
                if type(g.node) is Handler and any(w in text(g.node.type, 120) for w in NOT_FOUND):
                    return True  # `try: read() except FileNotFoundError: create()`
        # Chosen straight from the handler: a single handler makes no decision of its own.
        return any(r.kind == "handler" and any(w in text(r.node.type, 120) for w in NOT_FOUND) for point in cfg.at(call) for r in point.regions)

    def _means_there(self, test: Any, branch: str, scope: Scope) -> bool:
        """Whether a branch is the one for "found": behind `if not session: return` something is made for what there is, each time. What a field or an answer
        of yes or no says may have changed by then."""
        if type(test) is Cmp:
            return len(test.ops) == 1 and not _means_absent(test, branch) and _means_absent(test, "false" if branch == "true" else "true")
        if type(test) not in (Name, Call) or branch != "true":
            return False
        found = scope.bindings.get(test.id, ()) if type(test) is Name else ()
        made = [(b.how, b.node.value if type(b.node) is Await else b.node) for b in found] if type(test) is Name else [("value", test)]
        named = set(verbs.words(test.id)) if type(test) is Name else set()
        return bool(made) and all(how == "value" and type(m) is Call and NEGATED.isdisjoint({*named, *verbs.words(_method(m)[0])})
                                  and not verbs.words(_method(m)[0])[:1] in YES_OR_NO for how, m in made)

    def _sends_once(self, info: FnInfo, call: Call) -> bool:
        """`ts = channel.find_message(x)`, `if not ts: channel.post_message(x)`: the same object is asked first whether the thing is there."""
        name, base = _method(call)
        things = _things(name)
        scope, cfg = self.project.names.scope(info), self.project.cfg(info)
        for point in cfg.at(call):
            for g in cfg.guards(point):
                if g.kind != "test" or g.again or not _means_absent(g.node, g.branch):
                    continue
                for asked in self._lookups(g.node, scope, 0):
                    asked_name, asked_base = _method(asked)
                    wanted = _things(asked_name)
                    if asked_base == base and (wanted & things or (not wanted and base not in (None, "self", "cls"))):
                        return True
        return False

    def _lookups(self, expr: Any, scope: Scope, depth: int) -> Iterator[Call]:
        """The calls in an expression, and in what its local names were made of, whose names say that they look something up."""
        for node in walk(expr) if depth <= 2 else ():
            if type(node) is Call and set(verbs.words(_method(node)[0])) & LOOKUPS:
                yield node
            elif type(node) is Name:
                found = self.project.names.lookup(node.id, scope)
                if found is not None and found[1] is scope:
                    for b in found[0]:
                        if b.how == "value":
                            yield from self._lookups(b.node, scope, depth + 1)

    def _tolerated(self, info: FnInfo, call: Call, w: Witness) -> bool:
        """`try: p.mkdir() except FileExistsError: pass`, `with suppress(FileNotFoundError): os.remove(p)`, `if p.exists(): p.unlink()`."""
        expected = RAISES_AGAIN.get(w.what)
        if expected is None or len(w.links) > 1:
            return False
        scope, cfg = self.project.names.scope(info), self.project.cfg(info)
        points = cfg.at(call)
        return bool(points) and all(any(self._lets_pass(r, call, expected, scope) for r in point.regions) or self._is_there(info, point, call, expected)
                                    for point in points)

    def _lets_pass(self, region: Region, call: Call, expected: str, scope: Scope) -> bool:
        """The block around the call takes its error and goes on as if nothing had happened."""
        if region.kind == "with" and region.item is not None and type(region.item.value) is Call:
            made = region.item.value
            return any(isinstance(v, Ext) and v.path in lg.SUPPRESS for v in self.project.names.resolve(made.func, scope)) and any(
                _catches(a.value, expected) for a in made.args)
        if region.kind != "try":
            return False
        handler = next((h for h in region.node.handlers if h.type is None or _catches(h.type, expected)), None)
        if handler is None or any(type(n) in (Raise, Return, Break, Continue) for s in handler.body for n in walk(s)):
            return False
        # What stands behind the call in the same block is left out the second time: no pause may be among it.
        return not any(type(n) is Call and n.at > call.at and self.project.effects.judge(n, scope).pause is not None
                       for s in region.node.body for n in walk(s))

    def _is_there(self, info: FnInfo, point: Point, call: Call, expected: str) -> bool:
        """It is only taken away if it is there: after `if path.exists():`, or as one of what a directory holds."""
        if expected != "FileNotFoundError":
            return False
        target = call.func.value if type(call.func) is Attr and not call.args else call.args[0].value if call.args else None
        if target is None:
            return False
        for g in self.project.cfg(info).guards(point):
            if g.kind == "test" and g.branch == "true" and type(g.node) is Call and _method(g.node)[0] in THERE:
                asked = g.node.args[0].value if g.node.args else getattr(g.node.func, "value", None)
                if asked is not None and text(asked, 200) in (text(target, 200), text(getattr(call.func, "value", target), 200)):
                    return True
        scope = self.project.names.scope(info)
        for node in walk(target):
            for b in scope.bindings.get(node.id, ()) if type(node) is Name else ():
                if b.how.startswith("element") and any(type(c) is Call and _method(c)[0] in LISTING for c in walk(b.node)):
                    return True
        return False

    def _looks_up(self, expr: Any, scope: Scope, depth: int, other: AbstractSet[str] = frozenset()) -> bool:
        """Whether a test asks whether something is there; what speaks of `other` asks for something else: `load_config()`, `os.getenv(…)`."""
        if depth > 2:
            return False
        for node in walk(expr):
            if type(node) is Call:
                f = node.func
                if other & {w for part in (dotted(f) or "").split(".") for w in verbs.words(part)}:
                    continue
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
                        if b.how == "value" and self._looks_up(b.node, scope, depth + 1, other):
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
            if key not in self._returned_keys(p.info) and any(key in self._returned_keys(f) for f in self._other_nodes(p.info)):
                return True
        return False

    def _other_nodes(self, info: FnInfo) -> Iterator[FnInfo]:
        """What a graph runs as a node besides this one. Where this one is not seen to be a node, whatever takes a state may be another."""
        graphs = self.project.graphs
        nodes = {id(f.fn): f for entries in graphs.nodes().values() for v, call, _ in entries if _method(call)[0] in ("add_node", "add_sequence")
                 for f in graphs.functions_of(v)}
        seen = id(info.fn) in nodes
        for f in self.project.functions():
            if f is not info and (id(f.fn) in nodes or self._is_hook(f) or (not seen and self.state_name(f) is not None)):
                yield f

    def _is_hook(self, info: FnInfo) -> bool:
        """A middleware's hook: its result updates the state as that of a node does."""
        if info.cls is not None:
            return info.name in lg.MIDDLEWARE_METHODS and any(isinstance(b, str) and b in lg.AGENT_MIDDLEWARE for b in self.project.names.mro(info.cls))
        return any(path in lg.MIDDLEWARE_DECORATORS for path, _ in self.project.decorator_paths(info))

    def _returned_keys(self, info: FnInfo) -> set[str]:
        """The keys of the state update that a function returns: of the dict itself, not of what is in it."""
        out = self._keys.get(id(info.fn))
        if out is None:
            out = set()
            scope = self.project.names.scope(info)
            for stmt in info.fn.body:
                for node in walk(stmt):
                    if type(node) is Return and node.value is not None:
                        self._update_keys(node.value, scope, out, 0)
            self._keys[id(info.fn)] = out
        return out

    def _update_keys(self, e: Any, scope: Scope, out: set[str], depth: int) -> None:
        if depth > 4:
            return
        t = type(e)
        if t is Dict:
            out |= {k.value for k in e.keys if type(k) is Const and k.kind == "str"}
            inner = [v for k, v in zip(e.keys, e.values) if k is None]
        elif t is Call:
            last = _method(e)[0]
            inner = [a.value for a in e.args if a.name == "update"] if last == "Command" else [a.value for a in e.args if a.star == 2]
            if last == "dict" or (last[:1].isupper() and last != "Command"):
                out |= {a.name for a in e.args if a.name}
            for v in self.project.names.resolve(e.func, scope):
                if isinstance(v, Fn):
                    for stmt in v.info.fn.body:
                        for node in walk(stmt):
                            if type(node) is Return and node.value is not None:
                                self._update_keys(node.value, self.project.names.scope(v.info), out, depth + 2)
        elif t is Name:
            inner = [b.node for b in scope.bindings.get(e.id, ()) if b.how == "value"]
            if scope.kind == "function":
                out |= {k for stmt in scope.owner.fn.body for node in walk(stmt) for k in _stored_keys(node, e.id)}
        else:
            inner = {IfExp: lambda: [e.body, e.orelse], BoolOp: lambda: e.values, Bin: lambda: [e.left, e.right], Await: lambda: [e.value],
                     Seq: lambda: e.elts, Comp: lambda: [e.elt]}.get(t, list)()
        for one in inner:
            self._update_keys(one, scope, out, depth + 1)

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
        if self.project.graphs.passed_over(p.info):
            return []
        uses = self._uses(p, flow)
        if not uses:
            return []
        for pause in p.live:
            shown = self.project.payload(p, pause)
            after = p.cfg.reachable([pause])
            for point, use, sources in uses:
                if point not in after or (point.id == pause.id and point.kind == "call"):
                    continue
                for s in sources:
                    if not self._before(p, s, pause) or (use == "call" and self._only_measures(s)) or not self._outlasts(p, s, pause, point, after):
                        continue
                    is_shown = s in shown
                    if s.kind == "memory" and not is_shown and (use in ("call", "branch") or self._grown_here(p, s)):
                        continue
                    quoted = is_shown and Quoted(self.project, p, flow, point, s)
                    j = Journey(s, pause, is_shown, use, point, bool(quoted) and (
                        use == "return" and quoted.only() or use == "call" and quoted.only_makes(point.node)))
                    old = best.get(s)
                    if old is None or _worth(j) > _worth(old):
                        best[s] = j
        return sorted(best.values(), key=lambda j: j.source.node.at)

    def _outlasts(self, p: "Pausing", s: Source, pause: Point, use: Point, after: set[Point]) -> bool:
        """Whether a use behind the pause is reached without the value being made once more on the way: what stands before the pause in the next round
        of a loop uses the value of that round."""
        made = [x for x in p.cfg.at(s.node) if x in after]
        if not made or use in made:
            return True
        again = set(made)
        return use in p.cfg.reachable([pause], skip=lambda point, edge: edge.to in again)

    def _only_measures(self, s: Source) -> bool:
        """A stopwatch reading that is handed to some function: a duration for the metrics, not a fact."""
        return s.witness is not None and s.witness.callee.rsplit(".", 1)[-1] in ("perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "process_time",
                                                                                        "process_time_ns", "default_timer")

    def _count(self, s: Source) -> bool:
        """A number that the process counts. Other memory (caches, flags, what was set up late) is mostly the same again."""
        return s.kind == "memory" and s.witness is not None and s.witness.what == COUNTED

    def _grown_here(self, p: "Pausing", s: Source) -> bool:
        """The function itself counts what it reads (HIL106 says so)."""
        shown = s.witness.callee if s.witness is not None else ""
        return any(g.target == shown or shown == f"len({g.target})" or g.witness is not None for g in self.growths(p))

    def _before(self, p: "Pausing", s: Source, pause: Point) -> bool:
        """The value is made before the pause and made again when it is answered."""
        points = p.cfg.at(s.node)
        if not points and s.kind == "memory":
            # A name has no point of its own. Where it is counted (`n += 1`) nothing is read from it yet.
            points = [x for x in p.cfg.points if x.kind in ("bind", "call") and type(x.node) is not AugAssign and any(n is s.node for n in walk(x.node))]
        for made in points:
            for point in self.project.lazily.points(p.info, made):
                if made.id != pause.id and p.cfg.connects(point, pause) and p.zone.contains(point):
                    return True
        return False

    def _uses(self, p: "Pausing", flow: Flow) -> list[tuple[Point, str, list[Source]]]:
        """What is done with values that the function has made: (point, kind of use, sources)."""
        out = []
        for point, use, taint in self._all_uses(p, flow):
            made = [s for s in ordered(taint) if (s.kind in MADE or self._count(s)) and not isinstance(s.node, str)] if taint else []
            if made:
                out.append((point, use, made))
        return out

    def _all_uses(self, p: "Pausing", flow: Flow) -> Iterator[tuple[Point, str, frozenset[Source]]]:
        state = self.state_name(p.info)
        for point in p.cfg.points:
            kind, node = point.kind, point.node
            if kind in ("return", "yield") and getattr(node, "value", None) is not None:
                yield point, "return", flow.taint(node.value, point)
            elif kind == "test":
                yield point, "branch", decided(node, flow.taint(node, point))
            elif kind == "case":
                yield point, "branch", compared(flow.taint(getattr(point.stmt, "subject", None), point))
            elif kind == "bind" and type(node) in (Assign, AugAssign) and node.value is not None:
                for target in node.targets if type(node) is Assign else [node.target]:
                    if self._outlives(p, target, state):
                        yield point, "state", flow.taint(node.value, point)
            elif kind == "call":
                j = p.judged.get(point.id)
                if j is None:
                    continue
                if j.effect is not None:
                    yield point, "effect", self._arguments(flow, node, point, j)
                elif self._uses_value(j) and not (type(node.func) is Attr and type(node.func.value) in (Const, FStr)):
                    yield point, "call", self._arguments(flow, node, point, j)

    def _uses_value(self, j: Judged) -> bool:
        return j.model is not None or j.read is not None or (not j.known and not j.paths) or bool(j.targets)

    def _arguments(self, flow: Flow, call: Call, point: Point, j: Judged) -> frozenset[Source]:
        out: frozenset[Source] = frozenset()
        for a in call.args:
            taint = flow.taint(a.value, point)
            out |= measured(taint) if taint and j.targets and all(self._only_since(t, call, a.value) for t in j.targets) else taint
        return out

    def _only_since(self, info: FnInfo, call: Call, arg: Any) -> bool:
        """Whether a function takes what it is given only to say how long ago that was: `(time.time() - start_time) * 1000`."""
        bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
        name = next((q.name for q in info.fn.params if argument(call, info.fn, q, bound) is arg), None)
        nodes = [n for stmt in info.fn.body for n in walk(stmt, into_functions=True)] if name is not None else []
        loads = sum(type(n) is Name and n.id == name for n in nodes)
        taken = sum(type(n) is Bin and n.op == "-" and type(n.right) is Name and n.right.id == name for n in nodes)
        return loads > 0 and loads == taken

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
        for node, target, how in growths(p.info.fn.body, lambda e: summaries.counts(e, p.scope)):
            if summaries.starts_here(p.info, target, node):
                continue
            if type(target) is not Name or type(node) is Call:  # `n += 1` on a local name changes the name
                target = self._aliased(target, p)
            what = summaries.memory(target, p.scope) if type(node) is Call else summaries.shared(target, p.scope)
            if what is None and state is not None and _inside_state(target, state, node) and not self._own_state(p, state, target, node):
                what = "an object inside the state"
            if what is None:
                continue
            for written in p.cfg.at(node) or self._points_of_statement(p, node):
                point = self._done_at(p, written)
                if point is not None and what == "an object inside the state" and point not in self._first_round(p):
                    continue  # what an activation does to the state it was given after an answer is dropped with it (run on 1.2.24)
                if point is not None and node.at[:2] not in seen and not self._beside_creation(p.info, written):
                    pause = p.zone.pause_after(point)
                    if pause is not None:
                        seen.add(node.at[:2])
                        yield Growth(text(target, 40), how, what, node.at, pause, None)
        for point, j in p.calls():
            if j.grow is not None and j.targets and point.node.at[:2] not in seen and (done := self._done_at(p, point)) is not None and (
                    not self._beside_creation(p.info, point)) and not (not p.zone.contains(done, raised=False) and self.raising.grows_after(p, point)):
                pause = p.zone.pause_after(done)
                if pause is not None and j.grow.links:
                    seen.add(point.node.at[:2])
                    how, _, what = j.grow.what.partition(" ")
                    if what.startswith("to "):
                        how, what = how + " to", what[3:]
                    elif what.startswith("from "):
                        how, what = how + " from", what[5:]
                    yield Growth(j.grow.callee, how, what, point.node.at, pause, j.grow)

    def _first_round(self, p: "Pausing") -> set[Point]:
        """What can run before anybody has been asked."""
        found = self._first_rounds.get(id(p.info.fn))
        if found is None:
            pauses = set(p.zone.pauses)
            found = self._first_rounds[id(p.info.fn)] = p.cfg.reachable([p.cfg.entry], skip=lambda point, edge: point in pauses)
        return found

    def _own_state(self, p: "Pausing", state: str, target: Any, node: Any) -> bool:
        """Whether the state's name stands for a copy by now, whose objects nobody else holds: `state = copy.deepcopy(state)`."""
        while type(target) in (Sub, Attr) and type(target.value) is not Name:
            target = target.value
        key = _written_key(target, state)
        points = p.cfg.at(node) or self._points_of_statement(p, node)
        for made in p.cfg.points:
            if made.kind != "bind" or type(made.node) is not Assign or not any(type(t) is Name and t.id == state for t in made.node.targets):
                continue
            v = made.node.value
            if type(v) is Call:
                name, _ = _method(v)
                deep = name not in SHALLOW or any(a.name == "deep" and type(a.value) is Const and a.value.value is True for a in v.args)
            else:
                deep = type(v) is Dict and any(type(k) is Const and k.value == key and is_new(item) for k, item in zip(v.keys, v.values))
            if deep and points and all(p.cfg.dominates(made, x) for x in points):
                return True
        return False

    def _aliased(self, target: Any, p: "Pausing", depth: int = 0) -> Any:
        """`tags = state["tags"]; tags.append(…)` grows the list in the state, `for m in state["messages"]: m.tags.append(…)` one in its objects."""
        base = target
        while type(base) in (Attr, Sub):
            base = base.value
        found = p.scope.bindings.get(base.id, ()) if type(base) is Name else ()
        if len(found) != 1 or depth > 4:
            return target
        made, how = found[0].node, found[0].how
        if how == "value":
            if type(made) is Call and type(made.func) is Attr and made.func.attr == "get" and made.args and dotted(made.func.value) is not None:
                made = Sub(target.at, made.func.value, made.args[0].value)
            elif type(made) not in (Sub, Attr, Name) or (place(made) is None and not _picked(made)):
                return target
        elif how in ("element", "element-unpack"):
            source = _iterated(made)
            if source is None:
                return target
            made = Sub(target.at, source, Name(target.at, "…"))
        else:
            return target
        return self._aliased(_rebased(target, base, made), p, depth + 1)

    def _points_of_statement(self, p: "Pausing", node: Any) -> list[Point]:
        return [x for x in p.cfg.points if x.stmt is node]

    def state_writes(self, p: "Pausing") -> Iterator[Growth]:
        """Assignments to keys of the state argument in the zone that the node does not return."""
        state = self.state_name(p.info)
        if state is None or all(self.project.decorated.pause(x.node, p.scope) is not None for x in p.pauses):
            return  # a wrapper hands the state on to the function, which returns what it likes
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


def _decides(stmt: Any, call: Call) -> bool:
    """Whether a call stands inside of the `if`; behind `if not job: return` the test is only a condition for going on at all."""
    return type(stmt) is not If or any(n is call for s in (*stmt.body, *stmt.orelse) for n in walk(s))


def _method(call: Call) -> tuple[str, str | None]:
    """(name, receiver as written) of a callee."""
    f = call.func
    return (f.attr, dotted(f.value)) if type(f) is Attr else (f.id if type(f) is Name else "", None)


def _things(name: str) -> set[str]:
    """What a name like `find_message_by_id` is about, in the singular."""
    ws = [w for w in verbs.words(name) if w not in LOOKUPS and w not in ("by", "id", "one", "all", "the", "a", "for", "with", "or", "none")]
    first = verbs.words(name)[:1]
    return {w.rstrip("s") for w in ws if (w,) != first}


def _means_absent(test: Any, branch: str) -> bool:
    """Whether a branch is the one for "not found": `if not x`, `if x is None`, `if len(x) == 0`."""
    if type(test) is Cmp and len(test.ops) == 1:
        r = test.rights[0]
        nothing = (type(r) is Const and r.value in (None, 0, "", False)) or (type(r) in (Seq, Dict) and not getattr(r, "elts", getattr(r, "keys", None)))
        return nothing and branch == ("true" if test.ops[0] in ("is", "==") else "false" if test.ops[0] in ("is not", "!=", ">") else "")
    return branch == "false"


def _catches(types: Any, expected: str) -> bool:
    """Whether an exception type (or tuple of them) covers the expected one (of several, with spaces between: one of them)."""
    return any((dotted(t) or "").rsplit(".", 1)[-1] in WIDER.union(expected.split()) for t in (types.elts if type(types) is Seq else [types]))


DATABASE_WORDS = ("row", "table", "SQL", "database", "record", "inserts", "commit", "updates", "session", "writes an object")


def _worth(j: Journey) -> tuple[int, int]:
    order = {"effect": 6, "return": 5, "state": 5, "call": 4, "branch": 1}
    # What only makes the record of it is seen where the record goes.
    return (1 if j.shown and j.use != "branch" else 0, order[j.use] if not j.quoted else 3 if j.use == "return" else 2)


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


def _stored_keys(node: Any, name: str) -> list[str]:
    """The keys that a statement or call puts into the dict of this name: `update["sent"] = True`, `update.update(sent=True)`."""
    if type(node) in (Assign, AugAssign):
        keys = [_written_key(t, name) for t in (node.targets if type(node) is Assign else [node.target])]
        return [k for k in keys if k is not None]
    if type(node) is Call and _method(node) == ("update", name):
        return _updated_keys(node)
    return []


def _updated_keys(call: Call) -> list[str]:
    keys = [a.name for a in call.args if a.name]
    for a in call.args:
        if type(a.value) is Dict:
            keys += [k.value for k in a.value.keys if type(k) is Const and k.kind == "str"]
    return keys


def _iterated(e: Any) -> Any | None:
    """The container whose own items a loop gives: `state["messages"]`, `enumerate(xs)`, `d.values()`; None for new things."""
    if type(e) is Call and type(e.func) is Name and e.func.id in SAME_ITEMS and e.args:
        return _iterated(e.args[0].value)
    if type(e) is Call and type(e.func) is Attr and e.func.attr in ("values", "items") and not e.args:
        return _iterated(e.func.value)
    if type(e) is Call and type(e.func) is Attr and e.func.attr == "get" and e.args and dotted(e.func.value) is not None:
        return Sub(e.at, e.func.value, e.args[0].value)
    return e if type(e) is Name or (type(e) in (Sub, Attr) and place(e) is not None) else None


def _picked(e: Any) -> bool:
    """`state["messages"][-1]`, `items[n]`: an item of a container that can be named."""
    return type(e) is Sub and type(e.index).__name__ != "Slice" and place(e.value) is not None


def _rebased(e: Any, base: Any, made: Any) -> Any:
    """`e` with the object it hangs on replaced."""
    if e is base:
        return made
    inner = _rebased(e.value, base, made)
    return Attr(e.at, inner, e.attr) if type(e) is Attr else Sub(e.at, inner, e.index)


def _inside_state(target: Any, state: str, node: Any) -> bool:
    """An object inside the state: `state["items"].append(…)`, `state["messages"][-1].content += …`; not `state["n"] += 1` (HIL109)."""
    base, depth = target, 0
    while type(base) in (Attr, Sub) or (type(base) is Call and type(base.func) is Attr and base.func.attr in ("get", "setdefault")):
        base = base.func.value if type(base) is Call else base.value
        depth += 1
    if type(base) is not Name or base.id != state:
        return False
    return depth >= (1 if type(node) is Call else 2)


__all__ = ["Again", "Ext", "Growth", "Journey", "Replay", "With"]
