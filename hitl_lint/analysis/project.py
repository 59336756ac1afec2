"""Modules linked by symbol: the object that rules see.

`Project` answers every question a rule may ask; it computes lazily and remembers. Nothing here reads source: facts come
ready made, and more files are asked for through `load`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence

from hitl_lint.analysis import cfg as cfg_module
from hitl_lint.analysis.answers import Answers
from hitl_lint.analysis.by_state import ByState
from hitl_lint.analysis.cfg import CFG, Point
from hitl_lint.analysis.chosen import Chosen
from hitl_lint.analysis.decorated import Decorated
from hitl_lint.analysis.dispatched import Dispatched
from hitl_lint.analysis.effects import Effects, Judged, Link, Witness
from hitl_lint.analysis.gates import Gates
from hitl_lint.analysis.graphs import Graphs
from hitl_lint.analysis.handed import Handed
from hitl_lint.analysis.handling import Handling
from hitl_lint.analysis.implicit import Implicit
from hitl_lint.analysis.lazily import Lazily
from hitl_lint.analysis.left_out import LeftOut
from hitl_lint.analysis.names import ClassInfo, Cls, Ext, Fn, FnInfo, Index, ModuleInfo, Names, Scope, Wrapped, is_aside, is_test
from hitl_lint.analysis.onward import Onward
from hitl_lint.analysis.order import Decision, Order
from hitl_lint.analysis.otherwise import Otherwise
from hitl_lint.analysis.payloads import Payloads
from hitl_lint.analysis.pending import Pending
from hitl_lint.analysis.replay import Again, Growth, Journey, Replay
from hitl_lint.analysis.resumes import COMMAND_OBJECTS, Resumes
from hitl_lint.analysis.savers import Savers
from hitl_lint.analysis.signals import Signals
from hitl_lint.analysis.summaries import Summaries
from hitl_lint.analysis.toolboxes import Toolboxes
from hitl_lint.analysis.once import Once
from hitl_lint.analysis.turns import Turns
from hitl_lint.analysis.typed import Typed
from hitl_lint.analysis.values import Flow, Returned, Source, Taint, decided, ordered
from hitl_lint.analysis.zones import Zone, may_raise, zone
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import At, Attr, AugAssign, Call, Class, Const, Def, Dict, Function, Module, Name, Return, Seq, Un, Yield, dotted, text, walk
from hitl_lint.finding import Span, Step
from hitl_lint.record import thing


@thing
class Pausing:
    """A function that pauses, with all that rules ask about it. `pauses` are its pause points in program order; the `zone` is that of those
    which come to light: what is swallowed whatever happens is never answered, and makes nothing run again."""

    info: FnInfo
    scope: Scope
    cfg: CFG
    zone: Zone
    pauses: list[Point]
    judged: dict[int, Judged]

    @property
    def path(self) -> str:
        return self.info.module.path

    @property
    def live(self) -> list[Point]:
        """The pauses that are answered some time: those that nothing swallows for sure."""
        nodes = {id(p.node) for p in self.zone.pauses}
        return [p for p in self.pauses if id(p.node) in nodes]

    def witness(self, pause: Point) -> Witness:
        w = self.judged[pause.id].pause
        assert w is not None
        return w

    def calls(self) -> Iterator[tuple[Point, Judged]]:
        """Every call point in program order with what the call does."""
        for point in self.cfg.points:
            j = self.judged.get(point.id)
            if j is not None:
                yield point, j


class Project:
    """`modules`: candidates already read, by path. `files`: every source path of the project, for imports. `load(path)`: facts of one more
    file, or None. `effects`: `[tool.hitl-lint.effects]`. `manifests`: parsed langgraph.json files by path. `whole`: every file of the project was
    looked at for what pauses, so that until `settle` nothing else needs to be read. `place(path)`: a file's path in its project.
    `reaches(path, library, version)`: whether the project of a file can have this version of a library or a newer one. `holding(pattern, among)`: those of
    the files of the project (or of `among`) in which a pattern over bytes is found, whether they have been read or not; slow. `index`: of `files`, where it is known."""

    def __init__(self, modules: Mapping[str, Module], files: Sequence[str], load: Callable[[str], Module | None],
                 effects: Mapping[str, str] | None = None, manifests: Mapping[str, Any] | None = None,
                 whole: bool = False, place: Callable[[str], str] = str,
                 reaches: Callable[[str, str, tuple[int, ...]], bool] = lambda path, name, wanted: True,
                 holding: Callable[..., Sequence[str]] = lambda pattern, among=None: (),
                 index: Index | None = None) -> None:
        self.reaches = reaches
        self.holding = holding
        self.whole = whole
        self.names = Names(files, load, place, index)
        self.implicit = Implicit(self.names)
        self.manifests = dict(manifests or {})
        self.summaries = Summaries(self)
        self.effects = Effects(self, self.names, effects or {})
        self.graphs = Graphs(self)
        self.signals = Signals(self)
        self.replay = Replay(self)
        self.order = Order(self)
        self.resumes = Resumes(self)
        self.savers = Savers(self)
        self.turns = Turns(self)
        self.by_state = ByState(self)
        self.left_out = LeftOut(self)
        self.once = Once(self)
        self.pending = Pending(self)
        self.gates = Gates(self)
        self.payloads = Payloads(self)
        self.toolboxes = Toolboxes(self)
        self.onward = Onward(self)
        self.answers = Answers(self)
        self.otherwise = Otherwise(self)
        self.handed = Handed(self)
        self.handling = Handling(self)
        self.decorated = Decorated(self)
        self.lazily = Lazily(self)
        self.chosen = Chosen(self)
        self.dispatched = Dispatched(self)
        self.typed = Typed(self)
        self.candidates: list[ModuleInfo] = []
        self._candidate_paths: set[str] = set()
        self._stale = False
        self._cfgs: dict[int, CFG] = {}
        self._flows: dict[int, Flow] = {}
        self._pausing: dict[int, Pausing | None] = {}
        self._returned: dict[int, Returned] = {}
        self._returned_open: set[int] = set()
        self._decorators: dict[int, list[FnInfo]] = {}
        self._serves: dict[int, bool] = {}
        self._tasks: dict[int, bool] = {}
        self._hooks: dict[int, str] = {}
        self._in_graph: set[int] | None = None
        self._may_pause: set[int] | None = None
        self.names.reading = not whole
        for path, facts in modules.items():
            self.add(path, facts)
        self._stale = False

    # ---- modules
    def add(self, path: str, facts: Module) -> None:
        """One more candidate. New code can change what is known of the old (overrides, callers, registrations): `refresh` before relying on it."""
        if path not in self._candidate_paths:
            self._candidate_paths.add(path)
            self.candidates.append(self.names.add(path, facts))
            self._stale = True

    def refresh(self) -> bool:
        """Drop all conclusions if files have been added since the last time; says whether."""
        if not self._stale:
            return False
        self._forget()
        return True

    is_test = staticmethod(is_test)
    is_aside = staticmethod(is_aside)

    def pauses(self, in_tests: bool) -> bool:
        """Whether some function pauses in the tests, or outside them."""
        return any(is_test(info.module.path) is in_tests and self.summaries.of(info).pause is not None for info in list(self.names.functions()))

    def _forget(self) -> None:
        self._stale = False
        self.names.forget()
        self.implicit.forget()
        self.effects.forget()
        self.summaries = Summaries(self)
        for cache in (self._flows, self._pausing, self._returned, self._decorators, self._hooks, self._cfgs, self._serves):
            cache.clear()
        self._in_graph = None
        self.replay = Replay(self)
        self.order = Order(self)
        self.decorated = Decorated(self)
        self.lazily = Lazily(self)
        self.graphs.reset()
        self.resumes.reset()
        self.turns.reset()
        self.by_state.reset()
        self.left_out.reset()
        self.pending.reset()
        self.gates.reset()
        self.payloads = Payloads(self)
        self.onward.reset()
        self.answers.reset()

    def settle(self) -> None:
        """All candidates are there. Which functions pause is now known from them alone; what they do is looked up in the rest of the
        project from here on, file by file, as far as a pause needs it."""
        self.refresh()
        if self.names.reading:
            return
        may_pause = {id(info.fn) for info in self.functions()
                     if any(self.effects.judge(call, self.names.scope(info)).pause is not None for call in self.implicit.calls(self.names.scope(info)))
                     or self.decorated.pauses(info)}
        self.in_graph_info(self.candidates[0].functions[0]) if self.candidates and self.candidates[0].functions else None
        in_graph, graphs = self._in_graph, self.graphs
        self.names.reading = True
        self._forget()
        self._may_pause = may_pause
        self._in_graph = in_graph
        self.graphs = graphs

    def functions(self) -> Iterator[FnInfo]:
        """The functions of the candidate modules."""
        for module in self.candidates:
            yield from list(module.functions)

    def pausing_symbols(self) -> set[tuple[str, str]]:
        """(symbol, where) of everything whose mere use in another file can pause: functions and classes with a pausing method,
        with the last part of the module (or package) that another file has to name to import it."""
        out: set[tuple[str, str]] = set()
        for info in list(self.names.functions()):
            if info.name == "<lambda>" or (self.summaries.of(info).pause is None and not self._makes_resume(info)):
                continue
            where = info.module.parts[-1] if info.module.parts else ""
            symbol = info.cls.cls.name if info.cls is not None else info.fn.qualname.split(".")[0]
            out.add((symbol, where))
            if len(info.module.parts) > 1:
                out.add((symbol, info.module.parts[-2]))
        return out

    def _makes_resume(self, info: FnInfo) -> bool:
        """Whether a function returns a `Command(resume=…)` for others to run, or resumes with a parameter that is None unless a caller passes it."""
        nones = {p.name for p in info.fn.params if type(p.default) is Const and p.default.kind == "none"}
        if nones and any(a.name == "resume" and type(a.value) is Name and a.value.id in nones for call in self.names.scope(info).calls for a in call.args):
            return True
        return any(isinstance(v, Ext) and v.origin is not None and v.path in COMMAND_OBJECTS and any(a.name == "resume" for a in v.origin.args)
                   for v in self.names.returns(info))

    # ---- places
    def span(self, module: ModuleInfo | str, at: At) -> Span:
        """A finding's place: notebook lines are counted inside their cell."""
        path = module if isinstance(module, str) else module.path
        info = self.names.modules.get(path)
        line, col, end, endcol = at
        if info is not None and info.facts.cells:
            for cell in info.facts.cells:
                if cell.first <= line < cell.first + cell.lines:
                    return Span(path, line - cell.first + 1, col, max(end - cell.first + 1, 1), endcol, cell.index)
        return Span(path, line, col, end, endcol)

    def line(self, module: ModuleInfo | str, at: At) -> str:
        """"line 30", in a notebook "line 3 of cell 7": for a message."""
        span = self.span(module, at)
        return f"line {span.line}" if span.cell is None else f"line {span.line} of cell {span.cell}"

    def steps(self, witness: Witness | None) -> tuple[Step, ...]:
        return tuple(Step(self.span(link.path, link.at), link.text) for link in witness.links) if witness is not None else ()

    def step_at(self, path: str, at: At, words: str) -> Step:
        return Step(self.span(path, at), words)

    def step(self, link: Link) -> Step:
        return Step(self.span(link.path, link.at), link.text)

    # ---- functions
    def cfg(self, info: FnInfo) -> CFG:
        found = self._cfgs.get(id(info.fn))
        if found is None:
            scope = self.names.scope(info)
            found = self._cfgs[id(info.fn)] = cfg_module.build(info.fn, no_return=lambda call: self.never_returns(call, scope),
                                                                         implicit=self.implicit.found(scope))
        return found

    def flow(self, info: FnInfo) -> Flow:
        found = self._flows.get(id(info.fn))
        if found is None:
            found = self._flows[id(info.fn)] = Flow(self, info, self.cfg(info))
        return found

    def never_returns(self, call: Call, scope: Scope) -> bool:
        """A project function whose every path raises."""
        for v in self.names.resolve(call.func, scope):
            if isinstance(v, Fn) and self.always_raises(v.info):
                return True
        return False

    def always_raises(self, info: FnInfo) -> bool:
        body = info.fn.body
        if not body or info.fn.is_generator or "abstractmethod" in {(dotted(d) or "").rsplit(".", 1)[-1] for d in info.fn.decorators}:
            return False
        # Only the plain shape: the last statement raises and nothing returns. A stub (`raise NotImplementedError`) is meant to be overridden.
        last = body[-1]
        if type(last).__name__ == "If" and last.orelse:
            ok = _raises(last.body) and _raises(last.orelse)
        else:
            ok = type(last).__name__ == "Raise"
        if not ok:
            return False
        exc = getattr(last, "exc", None)
        name = dotted(exc.func if type(exc) is Call else exc) if exc is not None else None
        if name == "NotImplementedError":
            return False
        from hitl_lint.facts import walk
        return not any(type(n) in (Return, Yield) for stmt in body for n in walk(stmt))

    def is_task(self, info: FnInfo) -> bool:
        """`@task` of the Functional API: its finished result is restored on resume."""
        key = id(info.fn)
        found = self._tasks.get(key)
        if found is None:
            found = self._tasks[key] = any(p in lg.TASK for p, _ in self.decorator_paths(info))
        return found

    def is_restored(self, info: FnInfo) -> bool:
        """A task, or what a decorator makes one by hand: that looks into LangGraph's own list of answers and skips what is done."""
        return self.is_task(info) or any(
            isinstance(v, Fn) and lg.SCRATCHPAD & v.info.module.scope.bindings.keys()
            for d in info.fn.decorators for v in self.names.resolve(d.func if type(d) is Call else d, info.parent))

    def hook_kind(self, info: FnInfo) -> str:
        """"tool" or "model" for a wrap_tool_call or wrap_model_call hook (method of a middleware, or decorated), else ""."""
        key = id(info.fn)
        found = self._hooks.get(key)
        if found is None:
            name = info.name
            found = ""
            if info.cls is not None and name in lg.WRAP_METHODS:
                if any(isinstance(b, str) and (b in lg.AGENT_MIDDLEWARE or "model" in name and b.startswith(lg.MIDDLEWARE_PACKAGES) and b.endswith("Middleware"))
                       for b in self.names.mro(info.cls)):
                    found = "tool" if "tool" in name else "model"
            else:
                for path, _ in self.decorator_paths(info):
                    last = path.rsplit(".", 1)[-1]
                    if path in lg.MIDDLEWARE_DECORATORS and last in lg.WRAP_METHODS:
                        found = "tool" if "tool" in last else "model"
                if not found and len(info.fn.params) > 1 and key in self.graphs.hooked():
                    found = "tool"  # ToolNode(wrap_tool_call=…)
            self._hooks[key] = found
        return found

    def decorator_paths(self, info: FnInfo) -> Iterator[tuple[str, Any]]:
        """(external path, decorator expression) of the decorators that come from libraries; `()` dropped for called ones."""
        for d in info.fn.decorators:
            target = d.func if type(d) is Call else d
            for v in self.names.resolve(target, info.parent):
                if isinstance(v, Ext):
                    yield v.path, d

    def decorator_functions(self, info: FnInfo) -> list[FnInfo]:
        """The wrapper functions that project-own decorators put around a function."""
        key = id(info.fn)
        found = self._decorators.get(key)
        if found is not None:
            return found
        out: list[FnInfo] = []
        self._decorators[key] = out
        for d in info.fn.decorators:
            target = d.func if type(d) is Call else d
            for v in self.names.resolve(target, info.parent):
                if isinstance(v, Cls):
                    # A class as a decorator: `@Audited` runs its `__call__`, `@Audited(…)` what that makes.
                    m = self.names.method(v.info, "__call__")
                    if m is not None:
                        out += [x.info for x in self.names.returns(m) if isinstance(x, Fn) and x.info.fn is not info.fn] if type(d) is Call else [m]
                    continue
                if not isinstance(v, Fn):
                    continue
                made = self.names.returns(v.info)
                if type(d) is Call:
                    made = tuple(x for m in made if isinstance(m, Fn) for x in self.names.returns(m.info))
                for m in made:
                    if isinstance(m, Fn) and m.info.fn is not info.fn and id(m.info.fn) != id(v.info.fn):
                        out.append(m.info)
        out += [a.wrapper for a in self.decorated.around(info) if not any(w is a.wrapper for w in out)]
        return out

    def looks_at(self, info: FnInfo, name: str) -> tuple[str, ...] | None:
        """The attributes of a parameter that are all that a function uses of it, `isinstance` apart; None where it may use all of it."""
        nodes = [n for stmt in info.fn.body for n in walk(stmt, into_functions=True)]
        loads = sum(type(n) is Name and n.id == name for n in nodes)
        types = sum(type(n) is Call and dotted(n.func) == "isinstance" and bool(n.args) and type(n.args[0].value) is Name and n.args[0].value.id == name for n in nodes)
        attrs = [n.attr for n in nodes if type(n) is Attr and type(n.value) is Name and n.value.id == name]
        called = any(type(n) is Call and type(n.func) is Attr and type(n.func.value) is Name and n.func.value.id == name for n in nodes)
        whole = called or loads != len(attrs) + types or len(self.names.scope(info).bindings.get(name, ())) != 1 or not attrs
        return None if whole else tuple(dict.fromkeys(attrs))

    def returned(self, info: FnInfo) -> Returned:
        """What the result, the payloads and the guards of a function are made of."""
        key = id(info.fn)
        found = self._returned.get(key)
        if found is not None:
            return found
        everything = frozenset(p.name for p in info.fn.params)
        if key in self._returned_open or len(self._returned_open) > 12:
            # A cycle: assume that what goes in may come out.
            return Returned(params=everything)
        self._returned_open.add(key)
        try:
            flow = self.flow(info)
            sources: dict[tuple[str, str], tuple[str, Witness]] = {}
            params: set[str] = set()
            answer = False
            for point in flow.cfg.points:
                if point.kind not in ("return", "yield") or getattr(point.node, "value", None) is None:
                    continue
                for s in ordered(flow.taint(point.node.value, point)):
                    if s.kind == "param":
                        params.add(s.node)
                    elif s.kind == "answer":
                        answer = True
                    elif s.witness is not None and not self.once.keeps(info, s):
                        lasts = s.kind in ("model", "unstable", "effect") and self.once.lasts(info, s)
                        sources.setdefault((s.kind, s.witness.callee), (s.kind, replace(s.witness, lasts=True) if lasts else s.witness))
            fields = self._fields(flow)
            stored = self._stored(flow) if info.cls is not None else ()
            kept = frozenset(name for _, names, _ in stored for name in names)
            payload: set[str] = set()
            guard: set[str] = set()
            pausing = self.pausing_of(info)
            if pausing is not None:
                for p in pausing.pauses:
                    payload |= {s.node for s in self.payload(pausing, p) if s.kind == "param"}
                    guard |= {s.node for s in self.guard_taint(pausing, p) if s.kind == "param"}
            out = Returned(tuple(sources.values()), frozenset(params), frozenset(payload), frozenset(guard), answer, fields, kept, stored)
        finally:
            self._returned_open.discard(key)
        if not self._returned_open:
            self._returned[key] = out
        else:
            self._returned[key] = out
        return out

    def _stored(self, flow: Flow) -> tuple[tuple[str, frozenset[str], tuple[tuple[str, Witness], ...]], ...]:
        """By attribute what a method stores on its own object, also by the `super().__init__(…)` that it calls."""
        params = flow.info.fn.params
        me = params[0].name if params else ""
        found: dict[str, tuple[set[str], dict[tuple[str, str], tuple[str, Witness]]]] = {}

        def note(attr: str, taint: Taint) -> None:
            names, sources = found.setdefault(attr, (set(), {}))
            for s in ordered(taint):
                if s.kind == "param":
                    names |= {s.node} - {me}
                elif s.witness is not None:
                    sources.setdefault((s.kind, s.witness.callee), (s.kind, s.witness))

        for name, value, stmt in flow.scope.attrs:
            base, _, attr = name.rpartition(".")
            if me and base == me:
                for point in flow.cfg.at(stmt):
                    note(attr, flow.taint(value, point))
        for call in flow.scope.calls:
            if not (type(call.func) is Attr and call.func.attr == "__init__"):
                continue
            for info in self.effects.judge(call, flow.scope).targets:
                for point in flow.cfg.at(call):
                    for attr, names, sources in self.returned(info).stored:
                        link = self.effects.link(call, flow.scope, f"calls {text(call.func, 40)}()")
                        note(attr, flow.passed(call, info, names, flow.env.get(point.id, {}))
                             | frozenset(Source(kind, call, w.through(link)) for kind, w in sources))
        return tuple((attr, frozenset(names), tuple(sources.values())) for attr, (names, sources) in found.items())

    def serves(self, cls: ClassInfo) -> bool:
        """Whether a class does things (a client, a repository): some method of it is async, or reads, changes or asks something outside. What such
        an object gives is no part of what it was given; what plain data gives is."""
        found = self._serves.get(id(cls))
        if found is None:
            self._serves[id(cls)] = True
            found = self._serves[id(cls)] = any(
                b.how == "def" and (b.node.fn.is_async or any(getattr(self.summaries.of(b.node), kind) is not None for kind in ("effect", "model", "read", "pause")))
                for c in self.names.mro(cls) if isinstance(c, ClassInfo) and c.scope is not None
                for name, bindings in c.scope.bindings.items() if name != "__init__" for b in bindings)
        return found

    def _fields(self, flow: Flow) -> tuple[tuple[str, frozenset[str], tuple[tuple[str, Witness], ...]], ...]:
        """By key what a function puts into the dicts it returns; () unless every return is a display with constant keys."""
        found: dict[str, tuple[set[str], dict[tuple[str, str], tuple[str, Witness]]]] = {}
        for point in flow.cfg.points:
            if point.kind != "return":
                continue
            v = point.node.value
            if type(v) is not Dict or not v.keys or any(type(k) is not Const for k in v.keys):
                return ()
            for k, val in zip(v.keys, v.values):
                params, sources = found.setdefault(k.value, (set(), {}))
                for s in ordered(flow.taint(val, point)):
                    if s.kind == "param":
                        params.add(s.node)
                    elif s.witness is not None:
                        sources.setdefault((s.kind, s.witness.callee), (s.kind, s.witness))
        return tuple((str(k), frozenset(params), tuple(sources.values())) for k, (params, sources) in found.items())

    # ---- pauses
    def pausing_of(self, info: FnInfo) -> Pausing | None:
        """The function as one that pauses, or None."""
        key = id(info.fn)
        if key in self._pausing:
            return self._pausing[key]
        self._pausing[key] = None
        if not self.may_pause(info) and info.module.path in self._candidate_paths:
            return None
        scope = self.names.scope(info)
        if not any(self.effects.judge(call, scope).pause is not None for call in self.implicit.calls(scope)) and not self.decorated.pauses(info):
            return None
        graph = self.cfg(info)
        passed_on: set[int] = set()
        judged: dict[int, Judged] = {}
        pauses: list[Point] = []
        for point in graph.points:
            if point.kind == "call":
                j = judged[point.id] = self.judge(point.node, scope)
                if j.pause is not None and j is not self.effects.judge(point.node, scope):
                    passed_on.add(point.id)
                if j.pause is not None:
                    pauses.append(point)
        for point in graph.points if any(p.id not in passed_on for p in pauses) else ():
            if point.kind == "call" and judged[point.id].pause is None:
                judged[point.id] = self._with_work(judged[point.id], point.node, scope)
        live = {id(p.node) for p in pauses if not self.signals.hidden(info, graph, p)}
        ids = {p.id for p in pauses if id(p.node) in live}
        # That a wrapper runs the function again when it fails is no second question of the wrapper's.
        asking = zone(graph, lambda p: p.id in ids, lambda p: p.id not in passed_on and may_raise(p))
        found = Pausing(info, scope, graph, asking, _in_order(pauses), judged) if pauses else None
        if found is not None and self.by_state.keys():
            asking.spared = lambda point: self.by_state.decides(found, point)
        self._pausing[key] = found
        return found

    def may_pause(self, info: FnInfo) -> bool:
        """False for a function that is known not to pause: once all candidates are there, only theirs can."""
        return self._may_pause is None or id(info.fn) in self._may_pause

    def pausing(self) -> Iterator[Pausing]:
        """Every function of the candidate modules in which code can run again because of a pause."""
        for info in self.functions():
            p = self.pausing_of(info)
            if p is not None and not self._only_a_test(p) and not self.left_out.holds(info):
                yield p

    def judge(self, call: Call, scope: Scope) -> Judged:
        """What a call does, and in a decorator's wrapper that it runs a function that pauses."""
        j = self.effects.judge(call, scope)
        around = self.decorated.pause(call, scope) if j.pause is None else None
        # What else the function does is told in the function.
        return j if around is None else Judged(pause=around[0], targets=(around[1],))

    def _with_work(self, j: Judged, call: Call, scope: Scope) -> Judged:
        """What a call does, with what the functions do that a wrapper runs."""
        for kind, w, info in self.decorated.work(call, scope):
            if getattr(j, kind) is None:
                j = replace(j, **{kind: w}, targets=j.targets or (info,))
        return j

    def replayed(self, p: Pausing, kind: str) -> Iterator[Again]:
        return self.replay.replayed(p, kind)

    def journeys(self, p: Pausing) -> list[Journey]:
        return self.replay.journeys(p)

    def growths(self, p: Pausing) -> Iterator[Growth]:
        return self.replay.growths(p)

    def state_writes(self, p: Pausing) -> Iterator[Growth]:
        return self.replay.state_writes(p)

    def unstable_guard(self, p: Pausing, pause: Point) -> Decision | None:
        return self.order.unstable_guard(p, pause)

    def plain_guard(self, p: Pausing, pause: Point) -> Decision | None:
        return self.order.plain_guard(p, pause)

    def first_guard(self, p: Pausing, pause: Point) -> Decision | None:
        return self.order.first_guard(p, pause)

    def moved_by(self, p: Pausing, pause: Point) -> Point | None:
        return self.order.moved_by(p, pause)

    def next_without(self, p: Pausing, pause: Point, d: Decision) -> list[Point]:
        return self.order.next_without(p, pause, d)

    def asked_after(self, p: Pausing, node: Any, pause: Point) -> Point | None:
        return self.order.asked_after(p, node, pause)

    def loop_of(self, p: Pausing, pause: Point) -> Decision | None:
        return self.order.loop_of(p, pause)

    @property
    def unresolved_calls(self) -> list[str]:
        """The callees, as written, of calls in replay zones about which nothing is known; one entry per call, for `--statistics`."""
        out: list[str] = []
        for p in self.pausing():
            for point, j in p.calls():
                if not j.known and p.zone.contains(point) and not self.effects.looked_up(point.node, p.scope):
                    out.append(text(point.node.func, 60))
        return out

    def pausing_names(self) -> set[str]:
        """The names by which the functions that pause can be referred to: their own, their class's, and those of the functions around them."""
        out: set[str] = set()
        for info in self.functions():
            pauses = id(info.fn) in self._may_pause if self._may_pause is not None else self.summaries.of(info).pause is not None or any(
                self.effects.judge(c, self.names.scope(info)).pause is not None for c in self.implicit.calls(self.names.scope(info)))
            if pauses:
                out.update(info.fn.qualname.split("."))
        return out

    def _only_a_test(self, p: Pausing) -> bool:
        """A test function or script that calls a node directly: nothing pauses there, since no graph runs it."""
        if any(not p.judged[x.id].targets for x in p.pauses if "interrupt" in p.judged[x.id].paths[-1:] or p.judged[x.id].paths):
            return False
        name = p.info.name
        in_tests = is_test(p.path)
        if name.startswith("test") and (in_tests or name.startswith("test_")):
            return True
        return in_tests and not self.in_graph_info(p.info)

    def payload(self, p: Pausing, pause: Point) -> Taint:
        """The sources that are shown to the human at a pause."""
        flow = self.flow(p.info)
        call = pause.node
        j = p.judged[pause.id]
        env = flow.env.get(pause.id)
        if env is None:
            return frozenset()
        if not j.targets:
            out: Taint = frozenset()
            if j.nested and any(path.split("(")[0] in lg.AGENT_FACTORIES for path in j.paths):
                return out  # what an agent is told; its tools show what the model made of it, and that is restored with the agent's run
            for a in call.args:
                if a.name != "response_schema":
                    out |= flow.taint(a.value, pause)
            return out
        out = frozenset()
        for info in j.targets:
            if self.summaries.of(info).pause is not None:
                out |= flow.passed(call, info, self.returned(info).payload, env)
        return out

    def guard_taint(self, p: Pausing, pause: Point) -> Taint:
        """The sources in everything that decides whether a pause is reached."""
        flow = self.flow(p.info)
        out: Taint = frozenset()
        for g in p.cfg.guards(pause):
            out |= self.test_taint(flow, g)
        return out

    def test_taint(self, flow: Flow, guard: Any) -> Taint:
        return decided(guard.node, self._tested(flow, guard))

    def _tested(self, flow: Flow, guard: Any, depth: int = 0) -> Taint:
        node = guard.point.node
        kind = guard.point.kind
        if kind == "iter":
            return flow.taint(node.iter, guard.point)
        if kind == "case":
            out = flow.taint(node.guard, guard.point) if node.guard is not None else frozenset()
            subject = getattr(guard.point.stmt, "subject", None)
            return out | (flow.taint(subject, guard.point) if subject is not None else frozenset())
        if kind == "test":
            return self._emptiness(flow, node, guard.point, depth) if _named(node) is not None else flow.taint(node, guard.point)
        return frozenset()

    def _emptiness(self, flow: Flow, node: Any, point: Point, depth: int) -> Taint:
        """What a test of a list depends on that the function starts empty and appends to: on what decided that something was appended, and not on
        what that was."""
        name = _named(node)
        bound = flow.scope.bindings.get(name or "", ())
        if depth > 3 or not bound or any(b.how != "value" or type(b.node) is not Seq or b.node.elts for b in bound):
            return flow.taint(node, point)
        out: Taint = frozenset()
        for stmt in flow.info.fn.body:
            for n in walk(stmt):
                if (type(n) is AugAssign and dotted(n.target) == name) or (type(n) is Def and any(type(x) is Name and x.id == name for x in walk(n, into_functions=True))):
                    return flow.taint(node, point)
        for call in flow.scope.calls:
            f = call.func
            if type(f) is Attr and dotted(f.value) == name and f.attr not in ("append", "insert", "copy", "index", "count"):
                return flow.taint(node, point)
            if any(dotted(a.value) == name for a in call.args) and dotted(f) not in ("len", "bool") and not (type(f) is Attr and type(f.value) is Const):
                return flow.taint(node, point)
            if type(f) is Attr and dotted(f.value) == name and f.attr in ("append", "insert"):
                for x in flow.cfg.at(call):
                    for g in flow.cfg.guards(x):
                        out |= self._tested(flow, g, depth + 1)
        return out

    # ---- where graphs run code
    def in_graph(self, scope: Scope) -> bool:
        while scope.kind != "function":
            if scope.parent is None:
                return False
            scope = scope.parent
        return self.in_graph_info(scope.owner)

    def in_graph_info(self, info: FnInfo) -> bool:
        """Whether a graph can run this function: a node, tool, task, entrypoint, hook, router, what calls interrupt(), and what those call."""
        if self._in_graph is None:
            self._in_graph = set()
            self._in_graph = self._reached_from_graphs()
        return id(info.fn) in self._in_graph

    def _reached_from_graphs(self) -> set[int]:
        work: list[FnInfo] = list(self.graphs.roots())
        seen: set[int] = set()
        while work:
            info = work.pop()
            if id(info.fn) in seen:
                continue
            seen.add(id(info.fn))
            scope = self.names.scope(info)
            for call in scope.calls:
                for v in self.names.resolve(call.func, scope):
                    work.extend(x.info for x in ([v] if isinstance(v, Fn) else v.targets if isinstance(v, Wrapped) else []) if isinstance(x, Fn))
            for bindings in scope.bindings.values():
                work.extend(b.node for b in bindings if b.how == "def")
        return seen


def _named(test: Any) -> str | None:
    """The name whose emptiness is tested: `xs`, `not xs`, `len(xs)`, `bool(xs)`."""
    while type(test) is Un and test.op == "not":
        test = test.value
    if type(test) is Call and dotted(test.func) in ("len", "bool") and len(test.args) == 1:
        test = test.args[0].value
    return test.id if type(test) is Name else None


def _raises(body: list[Any]) -> bool:
    return bool(body) and type(body[-1]).__name__ == "Raise"


def _in_order(points: Iterable[Point]) -> list[Point]:
    """Program order, a node once: copies of a finally body stand for one pause."""
    seen: set[int] = set()
    out: list[Point] = []
    for p in sorted(points, key=lambda p: (p.node.at[0], p.node.at[1], p.id)):
        if id(p.node) not in seen:
            seen.add(id(p.node))
            out.append(p)
    return out


__all__ = ["Class", "Function", "Pausing", "Project", "Source"]
