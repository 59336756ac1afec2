"""What a call does: effect, model call, unstable or read value, pause, or nothing that matters.

One place answers that for every rule. `Effects.judge(call, scope)` looks the callee up (`names`), asks the catalogue about
library calls, the summaries about project functions, and the verb tables about names that cannot be resolved.
"""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Mapping

from hitl_lint import catalogue
from hitl_lint.analysis import conditions, overwritten, places
from hitl_lint.analysis.names import FIELDS, Cls, Ext, Fn, FnInfo, Inst, Lit, Mod, Names, ParamOf, Scope, UNKNOWN, Value, Wrapped
from hitl_lint.analysis.registries import runs_unseen_tool
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue import at_home, surface, verbs
from hitl_lint.catalogue.effects_files import FILE_EFFECTS
from hitl_lint.facts import Assign, At, Attr, Await, Bin, BoolOp, Call, Const, Dict, Expr, ExprStmt, FStr, Name, Pass, Return, Star, Sub, dotted, text, walk
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project


@record
class Link:
    """One step of a reason chain: what happens at a place of a module."""

    path: str
    at: At
    text: str


@record
class Witness:
    """Why something is so: `what` happens ("sends an HTTP POST"), by which `evidence` ("proved" or "named"), through which calls.

    `callee` is the last call as it was written. `links` goes from the call in question to the place where it happens.
    `nested`: of a pause, that it happens inside a nested graph which the call runs.
    `told`: whether a function on the way has said by its name what it is for, so that no name further up can say otherwise.
    `overwrites`: of a file, that it is written over with what it held: nothing is there twice.
    `lasts`: a function on the way keeps its result (`lru_cache`): it happens again only in another process.
    """

    kind: str
    what: str
    evidence: str
    callee: str
    links: tuple[Link, ...]
    nested: bool = False
    told: bool = False
    overwrites: bool = False
    lasts: bool = False

    def through(self, link: Link, *, nested: bool = False, told: bool = False, lasts: bool = False) -> "Witness":
        """The same, seen from a caller. Chains are cut at 12 links: nobody reads more."""
        return Witness(self.kind, self.what, self.evidence, self.callee, (link, *self.links)[:12], self.nested or nested, self.told or told, self.overwrites,
                       self.lasts or lasts)

    def within(self, name: str) -> "Witness":
        """The same in a function of this name, which may have said already what it is for."""
        if not self.may_ask or verbs.only_asks(name) or verbs.only_transports(name):
            return self
        return Witness(self.kind, self.what, self.evidence, self.callee, self.links, self.nested, True, self.overwrites, self.lasts)

    @property
    def proved(self) -> bool:
        return self.evidence == "proved"

    @property
    def may_ask(self) -> bool:
        """A POST of which nobody has said yet whether it only looks something up."""
        return self.what in ASKING and not self.told

    @property
    def may_log(self) -> bool:
        """A line for a log of which nobody has said yet whether it is for people to read (a function called `trace`) or a record."""
        return self.what == LOGS

    def beats(self, other: "Witness | None") -> bool:
        """Which of two is kept: the graver one; of two as grave the one that is told in fewer words, then what came first."""
        return other is None or self._weight > other._weight

    @property
    def _weight(self) -> tuple[bool, bool, bool, bool, bool, bool, bool, bool, bool, int]:
        """What is there twice before what is only overwritten; what is proved, or runs a tool that may do anything, before what a name says; what no name
        above can excuse; what is there twice in the end; what reaches others before what stays at home, business before the books that are kept of it."""
        told = self.what in TOOL_RUNS and self.told
        effect = self.kind == "effect"
        return (not self.overwrites, self.proved or told, not self.lasts, not self.may_log, not self.may_ask, self.what not in SINGLE, self.what not in at_home.AT_HOME,
                not (effect and self._keeps_books), self.proved, -len(self.links) if effect else 0)

    @property
    def _keeps_books(self) -> bool:
        """A row about what the run has cost: what it is about was done again as well, so that the second row is no lie."""
        return any(verbs.keeps_books(link.text) for link in self.links[:-1])


@dataclass(slots=True)
class Judged:
    """What one call does. A field is None where it does not. `known` is False when nothing at all is known about the callee.

    `result`: how its value behaves over activations: "stable", "own" (made here: model, effect, unstable, read), or "flow" (as its arguments).
    `off`: how the pause leaves this context ("thread", "future") or "". `nested` is True for a nested graph that is restored when finished.
    """

    effect: Witness | None = None
    model: Witness | None = None
    unstable: Witness | None = None
    read: Witness | None = None
    grow: Witness | None = None
    pause: Witness | None = None
    result: str = "flow"
    targets: tuple[FnInfo, ...] = ()
    known: bool = True
    off: str = ""
    nested: bool = False
    dispatch: bool = False
    paths: tuple[str, ...] = ()
    receivers: tuple[Any, ...] = field(default=())

    def merge(self, other: "Judged") -> None:
        for name in ("effect", "model", "unstable", "read", "grow", "pause"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if theirs is not None and theirs.beats(mine):
                setattr(self, name, theirs)
        order = {"own": 2, "flow": 1, "stable": 0}
        if order[other.result] > order[self.result]:
            self.result = other.result
        self.targets += other.targets
        self.off = self.off or other.off
        self.nested = self.nested or other.nested
        self.dispatch = self.dispatch or other.dispatch
        self.paths += other.paths
        self.receivers += other.receivers


class Effects:
    """Judges calls. `overrides` is `[tool.hitl-lint.effects]`: dotted name or pattern -> "effect", "model" or "safe"."""

    def __init__(self, project: "Project", names: Names, overrides: Mapping[str, str]) -> None:
        self.project, self.names = project, names
        self.overrides = dict(overrides)
        self._memo: dict[tuple[int, int], Judged] = {}
        self._open: set[tuple[int, int]] = set()
        self.filled: dict[int, frozenset[str]] = {}  # for `overwritten`, by the id of a module

    def forget(self) -> None:
        """Drop conclusions: more modules have been read."""
        self._memo.clear()

    # ---- one call
    def judge(self, call: Call, scope: Scope) -> Judged:
        key = (id(call), id(scope))
        found = self._memo.get(key)
        if found is not None:
            return found
        if key in self._open:
            return Judged()
        self._open.add(key)
        before = self.project.summaries.incomplete
        try:
            out = self._judge(call, scope)
        finally:
            self._open.discard(key)
        if self.project.summaries.incomplete == before:
            self._memo[key] = out
        return out

    def _judge(self, call: Call, scope: Scope) -> Judged:
        method = self.project.implicit.runs(call)
        if method is not None:
            return self._implicit(method, call, scope)
        hook = self._hook_handler(call, scope)
        if hook is not None:
            return hook
        values = self.names.resolve(call.func, scope)
        worker = self._thread_start(call, scope)
        if worker is not None:
            return worker
        override = self._override(call, scope, values)
        if override is not None:
            return override
        some_tool = self._runs_some_tool(call, values)
        values = self.project.typed.narrowed(call, scope) or values
        narrowed = self.project.dispatched.narrowed(call.func, call, scope)
        if narrowed is not None:
            values = narrowed
            if not values:
                return Judged(result="flow")  # no tool of which anything is known gets here
        out: Judged | None = None
        for v in values:
            one = self._value(v, call, scope)
            if one is None:
                continue
            if out is None:
                out = one
            else:
                out.merge(one)
        if out is None:
            out = self._by_name(call, scope, values)
        elif out.effect is None and some_tool:
            # A tool chosen at run time: one that only stands in for a real one (a demo, a stub) counts by name.
            if any(self.project.summaries.of(t).placeholder and not verbs.tool_asks(t.name) for t in out.targets):
                named = self._own("effect", "runs the tool", "named", call, scope)
                out.effect, out.dispatch = named.effect, True
        if out.effect is None and out.targets and narrowed is None and self._perhaps_another(call, scope):
            out.effect, out.dispatch = self._own("effect", UNSEEN_TOOL, "named", call, scope).effect, True
        self._passed_functions(out, call, scope, values)
        self._entered(out, call, scope)
        return out

    def _implicit(self, method: FnInfo, call: Call, scope: Scope) -> Judged:
        """A getter or `__enter__`: what its body does; its name is that of a thing and says nothing."""
        s = self.project.summaries.of(method)
        enters = method.name in ("__enter__", "__aenter__") and method.cls is not None
        link = self.link(call, scope, f"enters {method.cls.cls.name}" if enters else f"reads {method.name}")
        out = Judged(result="flow", targets=(method,))
        for kind in ("pause", "effect", "model", "read", "unstable"):
            w = getattr(s, kind)
            setattr(out, kind, w.through(link) if w is not None else None)
        out.grow = self._grown(s.grow, method, call, scope, link) if s.grow is not None else None
        return out

    def _entered(self, out: Judged, call: Call, scope: Scope) -> None:
        """`stack.enter_context(C())` enters C."""
        if type(call.func) is not Attr or call.func.attr not in ("enter_context", "enter_async_context") or not call.args:
            return
        for v in self.names.resolve(call.args[0].value, scope):
            method = (self.names.method(v.info, "__enter__") or self.names.method(v.info, "__aenter__")) if isinstance(v, Inst) else None
            if method is not None:
                out.merge(self._function(method, call, scope, None))

    def _hook_handler(self, call: Call, scope: Scope) -> Judged | None:
        """`handler(request)` in a wrap_tool_call or wrap_model_call hook: it runs the tool (which may pause) or asks the model."""
        if type(call.func) is not Name or scope.kind != "function":
            return None
        kind = self.project.hook_kind(scope.owner)
        if not kind:
            # A function inside of the hook, which is handed on as the handler of others.
            return self._own("model", "asks the model", "proved", call, scope) if self._is_model_handler(call.func, scope) else None
        params = [p.name for p in scope.owner.fn.params if p.name not in ("self", "cls")]
        if len(params) < 2 or call.func.id != params[1]:
            return None
        if kind == "model":
            return self._own("model", "asks the model", "proved", call, scope)
        out = self._own("effect", "runs the tool", "named", call, scope)
        out.dispatch = True
        pause = self.project.graphs.tool_pause(scope.owner)
        if pause is not None:
            out.pause = pause.through(self.link(call, scope, f"{call.func.id}() runs a tool that pauses"))
        return out

    def _is_model_handler(self, e: Any, scope: Scope) -> bool:
        """Whether a name is the `handler` of a wrap_model_call hook around, or a `partial` that is given it."""
        found = self.names.lookup(e.id, scope) if type(e) is Name else None
        if found is None or found[1] is scope or found[1].kind != "function" or len(found[0]) != 1 or self.project.hook_kind(found[1].owner) != "model":
            return False
        b, hook = found[0][0], found[1]
        if b.how == "param":
            return [p.name for p in hook.owner.fn.params if p.name not in ("self", "cls")][1:2] == [e.id]
        given = [a.value for a in b.node.args] if b.how == "value" and type(b.node) is Call and dotted(b.node.func) in ("partial", "functools.partial") else []
        return any(type(a) is Name and a.id in [p.name for p in hook.owner.fn.params if p.name not in ("self", "cls")][1:2] for a in given)

    def _thread_start(self, call: Call, scope: Scope) -> Judged | None:
        """`worker.start()` of a project's own Thread class: it runs `run()` elsewhere."""
        if type(call.func) is not Attr or call.func.attr != "start":
            return None
        for v in self.names.resolve(call.func.value, scope):
            if isinstance(v, Inst) and any(b in lg.THREADS for b in self.names.mro(v.info) if isinstance(b, str)):
                run = self.names.method(v.info, "run")
                if run is not None and self.names.method(v.info, "start") is None:
                    out = self._function(run, call, scope, None)
                    if out.pause is not None:
                        out.off = "thread"
                    return out
        return None

    def _override(self, call: Call, scope: Scope, values: tuple[Value, ...]) -> Judged | None:
        if not self.overrides:
            return None
        names = [dotted(call.func) or ""]
        for v in values:
            if isinstance(v, Ext):
                names += [v.path, v.path.replace("()", "")]
            elif isinstance(v, Fn):
                # As it is imported: a source root may lie anywhere above the package.
                parts = v.info.dotted.split(".")
                names += [".".join(parts[n:]) for n in range(len(parts))]
        for pattern, kind in self.overrides.items():
            if any(n and (n == pattern or fnmatch.fnmatchcase(n, pattern)) for n in names):
                if kind == "safe":
                    return Judged(result="flow")
                # A verb like those of the catalogue: it stands in "Every resume … again" as well as in "acme.send() …".
                what = f"{'changes something outside' if kind == 'effect' else 'asks a model'} (says your configuration)"
                return self._own("effect" if kind == "effect" else "model", what, "proved", call, scope)
        return None

    def link(self, call: Any, scope: Scope, words: str) -> Link:
        return Link(scope.module.path, call.at, words)

    def _own(self, kind: str, what: str, evidence: str, call: Call, scope: Scope) -> Judged:
        callee = text(call.func, 48)
        w = Witness(kind, what, evidence, callee, (self.link(call, scope, f"{callee}() {what}"),))
        j = Judged(result="own")
        setattr(j, kind, w)
        return j

    # ---- by what the callee is
    def _value(self, v: Value, call: Call, scope: Scope) -> Judged | None:
        if isinstance(v, Ext):
            return self.external(v, call, scope)
        if isinstance(v, Fn):
            return self._function(v.info, call, scope, v)
        if isinstance(v, Wrapped):
            if v.kind == "graph-run":
                return self._graph_function(v, call, scope)
            if v.kind == "with":
                return Judged(result="flow")
            out = Judged(result="stable")
            for t in v.targets:
                one = self._value(t, call, scope)
                if one is not None:
                    out.merge(one)
            if v.kind == "tool" and not out.targets and not out.paths:
                return None
            return out
        if isinstance(v, Cls):
            out = Judged(result="flow")
            for name in ("__init__", "__post_init__", "__new__"):
                method = self.names.method(v.info, name)
                if method is not None:
                    one = self._function(method, call, scope, None)
                    one.result = "flow"
                    # Making an object is not what people mean by a model call or a shared change: only what it sends out counts.
                    one.grow = None
                    out.merge(one)
            if any(isinstance(c, str) and c.endswith(".Enum") for c in self.names.mro(v.info)):
                out.result = "flow"
            return out
        if isinstance(v, Inst):
            method = self.names.method(v.info, "__call__")
            return self._function(method, call, scope, None) if method is not None else None
        if isinstance(v, Lit):
            return Judged(result="flow")
        if isinstance(v, Mod):
            return Judged(result="flow", known=False)
        return None  # ParamOf: by its name

    def external(self, v: Ext, call: Call, scope: Scope) -> Judged | None:
        """What calling a library function does; None when its name is all there is."""
        path = v.path
        if path in lg.INTERRUPT:
            w = Witness("pause", "asks a human", "proved", "interrupt", (self.link(call, scope, "interrupt() pauses here"),))
            return Judged(pause=w, result="stable", paths=(path,))
        graph = self._nested_graph(v, call, scope)
        if graph is not None:
            return graph
        if path in ORDERING and call.args and self._is_set(call.args[-1 if path == "map" else 0].value, scope):
            return self._own("unstable", "takes the items of a set in an order that another process does not repeat", "proved", call, scope)
        entry = catalogue.lookup(path)
        if entry is None:
            named = self._by_name(call, scope, (v,))
            named.paths += (path,)
            return named
        kind: str | None = entry.kind
        if kind == "read" and entry.what == QUERIES and self._of_dict(call, scope):
            return Judged(result="flow", paths=(path,))
        if kind == "effect" and entry.what in REMOTE_TOOLS and self._asks_tool(call, scope):
            out = self._own("read", "asks a tool", "proved", call, scope)
            out.paths = (path,)
            return out
        if entry.condition:
            judged = call
            if entry.condition == "seeded" and v.origin is not None:
                # A generator that outlives the activation goes on where it stands, whatever its seed was.
                judged = v.origin if v.scope is scope else Call(call.at, call.func, [])
            kind = conditions.decide(entry.condition, judged, lambda e: self.value(e, scope)) or entry.kind
        if kind == "effect" and entry.what in FILE_EFFECTS and places.only_own(self.names, path, call, scope):
            return Judged(result="flow", paths=(path,))
        if kind == "effect" and "HTTP" in entry.what and call.args and self._to_collector(call.args[0].value, scope, 0):
            return Judged(result="flow", paths=(path,))
        if kind == "effect" and entry.what in ("sends an HTTP POST", "sends an HTTP request") and self._asks_at(call, scope):
            kind = "read"
        if kind in ("effect", "model", "unstable", "read"):
            what = LOGS if kind == "effect" and entry.condition.startswith("mode") and self._adds_to_log(entry.condition, call, scope) else entry.says(kind)
            if kind == "effect" and entry.condition.startswith("sql") and conditions.only_tables(entry.condition, call, lambda e: self.value(e, scope)):
                what = TABLES
            out = self._own(kind, what, "proved", call, scope)
            out.paths = (path,)
            if out.effect is not None and overwritten.overwrites(self, path, call, scope, entry.what, entry.condition):
                out.effect.overwrites = True
            return out
        return Judged(result="flow", paths=(path,))

    def _dumps(self, info: FnInfo) -> bool:
        """A function that leaves a file for whoever looks for a fault: it says "debug", or speaks of a log in a module that is about logs."""
        return "debug" in verbs.words(info.name) or verbs.names_log(info.name) and verbs.names_log(info.module.path.rpartition("/")[2].removesuffix(".py"))

    def _adds_to_log(self, condition: str, call: Call, scope: Scope) -> bool:
        """`open(self.trace_file, "a")`, `(LOGS / name).open("a")`: a file is opened at its end, and what it is called says that it is a log."""
        position = int(condition.partition(":")[2] or 1)
        mode = self.value(conditions.argument(call, position, "mode"), scope)
        place: Any = conditions.argument(call, 0, "file", "path", "name") if position else call.func.value if type(call.func) is Attr else None
        if place is None or not isinstance(mode, str) or "a" not in mode:
            return False
        shown = [text(place, 200)]
        for v in self.names.resolve(place, scope):
            made = v.expr if isinstance(v, Lit) else v.origin if isinstance(v, Ext) else None
            if made is not None:
                shown.append(text(made, 200))
        return any(verbs.names_log(s) for s in shown)

    def _asks_at(self, call: Call, scope: Scope) -> bool:
        """Whether the address of a POST ends in a word of looking up: `https://api.example/v1/web-search`, `f"{BASE}/_search"`."""
        url = next((a.value for a in call.args if a.name == "url"), None)
        plain = [a.value for a in call.args if a.name is None and not a.star]
        by_method = bool(plain) and type(plain[0]) is Const and str(plain[0].value).upper() == "POST"
        if url is None and len(plain) > by_method:
            url = plain[by_method]
        tail = self._tail(url, scope, 0)
        return tail is not None and verbs.looks_up_at(tail)

    def _tail(self, e: Any, scope: Scope, depth: int) -> str | None:
        """The last part of the path of an address, where it is written down."""
        t = type(e)
        if depth > 4 or e is None:
            return None
        if t is Const and e.kind == "str":
            path = e.value.split("?")[0].split("#")[0].rstrip("/")
            head, slash, last = path.rpartition("/")
            return last if slash and not head.endswith((":/", ":")) else None
        if t is FStr:
            parts = list(e.parts)
            for n, p in enumerate(parts):
                if type(p) is Const and "?" in str(p.value):
                    parts = parts[:n + 1]
                    break
            return self._tail(parts[-1], scope, depth + 1) if parts else None
        if t is Bin and e.op in ("+", "/"):
            return self._tail(e.right, scope, depth + 1)
        if t is Call and (dotted(e.func) or "").rsplit(".", 1)[-1] == "urljoin" and len(e.args) == 2:
            return self._tail(e.args[1].value, scope, depth + 1)
        if t is Name and (found := self.names.lookup(e.id, scope)) is not None:
            return self._tail(found[0][0].node, found[1], depth + 1) if len(found[0]) == 1 and found[0][0].how == "value" else None
        if t in (Name, Attr):
            constant = self.names.constant(e, scope)
            return self._tail(Const(e.at, "str", constant), scope, depth + 1) if isinstance(constant, str) else None
        return None

    def _to_collector(self, url: Any, scope: Scope, depth: int) -> bool:
        """Whether an address is that of a log collector, also by a local name or a helper that makes it: lines for a log, said twice, are not done twice."""
        for node in walk(url) if depth < 3 else ():
            if type(node) is Const and node.kind == "str" and any(x in node.value for x in COLLECTORS):
                return True
            if type(node) is Name:
                found = self.names.lookup(node.id, scope)
                if found is not None and len(found[0]) == 1 and found[0][0].how == "value" and self._to_collector(found[0][0].node, found[1], depth + 1):
                    return True
            if type(node) is Call:
                for v in self.names.resolve(node.func, scope):
                    inner = self.names.scope(v.info) if isinstance(v, Fn) else None
                    if inner is not None and any(type(n) is Return and n.value is not None and self._to_collector(n.value, inner, depth + 1)
                                                 for s in v.info.fn.body for n in walk(s)):
                        return True
        return False

    def factories(self, call: Call, scope: Scope) -> list[tuple[str, Any, Witness | None]]:
        """The fields of the dataclass or model that a call makes, when one of them has a default that is another one each time:
        (name, the argument given for it, the witness of its default). Empty for everything else."""
        for v in self.names.resolve(call.func, scope):
            if isinstance(v, Cls) and v.info.scope is not None and self.names.method(v.info, "__init__") is None:
                return self._field_defaults(v.info, call)
        return []

    def _field_defaults(self, info: Any, call: Call) -> list[tuple[str, Any, Witness | None]]:
        out: list[tuple[str, Any, Witness | None]] = []
        if any(a.star for a in call.args):
            return out  # `Action(**state["action"])`: the stars may well give them all
        plain = [a for a in call.args if a.name is None]
        for name, bindings in info.scope.bindings.items():
            b = bindings[-1]
            if not (b.how == "declared" or b.how == "value" and type(b.stmt) is Assign and b.stmt.annotation is not None):
                continue
            given = next((a.value for a in call.args if a.name == name), plain[len(out)].value if len(out) < len(plain) else None)
            w: Witness | None = None
            if b.how == "value" and type(b.node) is Call and any(isinstance(x, Ext) and x.path in FIELDS for x in self.names.resolve(b.node.func, info.scope)):
                for a in b.node.args:
                    if a.name in ("default_factory", "factory"):
                        w = self._made_by(a.value, info.scope)
            out.append((name, given, w))
        return out if any(w is not None for _, _, w in out) else []

    def _made_by(self, factory: Any, scope: Scope) -> Witness | None:
        """Whether calling a default factory gives another value each time. The time at which a record was made is not meant to last."""
        for v in self.names.resolve(factory, scope):
            if isinstance(v, Fn):
                w = self.project.summaries.of(v.info).unstable
                return w if w is not None and "clock" not in w.what else None
            if isinstance(v, Ext):
                entry = catalogue.lookup(v.path)
                if entry is not None and entry.kind == "unstable" and "clock" not in entry.what:
                    shown = text(factory, 40)
                    return Witness("unstable", entry.says("unstable"), "proved", shown, (self.link(factory, scope, f"{shown}() {entry.says('unstable')}"),))
        return None

    def _is_set(self, expr: Any, scope: Scope) -> bool:
        """Whether an expression is a set of things whose order depends on the hash seed (strings do, integers do not)."""
        for v in self.names.resolve(expr, scope):
            if isinstance(v, Lit) and getattr(v.expr, "kind", "") == "set" and not (
                    type(v.expr) is Seq_ and all(type(x) is Const and x.kind in ("int", "bool") for x in v.expr.elts)):
                return True
            if isinstance(v, Ext) and v.path in ("set()", "frozenset()"):
                return True
        return False

    def value(self, expr: Expr, scope: Scope) -> object:
        """For conditions: the constant an expression is, "<unstable>" when an unstable source makes it, else UNKNOWN."""
        const = self.names.constant(expr, scope)
        if const is not UNKNOWN:
            return const
        if self.made_unstable(expr, scope):
            return conditions.UNSTABLE
        for v in self.names.resolve(expr, scope):
            if isinstance(v, Ext):
                return conditions.Made(v.path)
        return conditions.UNKNOWN

    def made_unstable(self, expr: Any, scope: Scope, depth: int = 0) -> bool:
        """Whether an unstable source (clock, random, uuid) makes the expression, seen through local names."""
        if depth > 4:
            return False
        for node in walk(expr):
            if type(node) is Call and self.judge(node, scope).unstable is not None:
                return True
            if type(node) is Name:
                found = self.names.lookup(node.id, scope)
                if found is not None and found[1].kind == "function":
                    for b in found[0]:
                        if b.how == "value" and b.node is not expr and self.made_unstable(b.node, found[1], depth + 1):
                            return True
        return False

    def _function(self, info: FnInfo, call: Call, scope: Scope, fn: Fn | None) -> Judged:
        if self.project.is_restored(info):
            # A finished task is restored, not run again: a barrier for everything but a pause inside it.
            s = self.project.summaries.of(info)
            pause = s.pause.through(self.link(call, scope, f"calls {info.name}()")) if s.pause is not None else None
            return Judged(result="stable", pause=pause, targets=(info,))
        s = self.project.summaries.of(info)
        link = self.link(call, scope, f"calls {info.name}()")
        lasts = (s.effect is not None or s.model is not None or s.unstable is not None) and self.kept(info, call, scope)
        out = Judged(result="flow", targets=(info,))
        if s.effect is not None or s.model is not None or s.pause is not None:
            s = self.project.chosen.narrowed(info, s, call)
        if s.pause is not None:
            out.pause = s.pause.through(link)
        if s.effect is not None and not (s.effect.may_log and (verbs.names_log(info.name) or info.cls is not None and verbs.names_log(info.cls.cls.name))
                                         or s.effect.what in at_home.DUMPS and self._dumps(info)):
            if s.effect.what in REMOTE_TOOLS and self._names_asking_tool(call, scope):
                # What is asked is told here, by the name of the tool: further down it may be any.
                out.read = Witness("read", "asks a tool", "named", text(call.func, 48), (self.link(call, scope, f"{text(call.func, 48)}() asks a tool"),))
            elif s.effect.may_ask and verbs.only_asks(info.name):
                # A POST that looks something up or fetches a token (GraphQL, RPC, OAuth): the name of the function that holds it says so.
                out.read = out.read or Witness("read", s.effect.what, s.effect.evidence, s.effect.callee, s.effect.links).through(link)
            else:
                out.effect = s.effect.through(link, told=not verbs.only_transports(info.name), lasts=lasts)
                if s.effect.overwrites and overwritten.given_varies(self, call, scope):
                    out.effect.overwrites = False
        if s.model is not None:
            out.model = s.model.through(link, lasts=lasts)
        if s.read is not None:
            out.read = s.read.through(link)
        if s.unstable is not None:
            out.unstable = s.unstable.through(link, lasts=lasts)
        if s.grow is not None and not ("enclosing function" in s.grow.what and info.parent is scope):
            out.grow = self._grown(s.grow, info, call, scope, link)
        if (out.grow is not None or out.effect is not None) and verbs.tells_progress(info.name):
            # Progress that is kept for those who look on later: told twice, it was twice so. What goes out to others is what it is.
            out.grow = None
            out.effect = None if out.effect is not None and any(word in out.effect.what for word in KEPT) else out.effect
        if lasts and not info.fn.params:
            out.effect = None  # what a process does once for all runs: it sets something up
        elif out.effect is None and (s.placeholder or s.unknown) and not (is_empty(info) and self._by_other_name(info, call, scope)):
            parts = _parts(call.func, info)
            # The name in the definition is what counts; the receiver's name as written helps ("mailer.send").
            what = verbs.named_effect(parts)
            if what is not None and s.pause is None and (s.placeholder or _goes_out(info.name)):
                out.effect = Witness("effect", what, "named", text(call.func, 48), (link,))
        if out.model is None and (s.placeholder or s.unknown) and verbs.named_model(_parts(call.func, info)) and (s.placeholder or self._calls_unseen(info)):
            out.model = Witness("model", "asks a model", "named", text(call.func, 48), (link,))
        return out

    def kept(self, info: FnInfo, call: Call, scope: Scope) -> bool:
        """Whether a call gets the result that the process has kept of an earlier one: the function keeps it, and is asked the same again."""
        return self.project.once.all_of(info) and not overwritten.given_varies(self, call, scope)

    def _calls_unseen(self, info: FnInfo) -> bool:
        """Whether a body calls anything of which nothing is known that could be a model: what lists, dicts and texts can do themselves is none."""
        scope = self.names.scope(info)
        return any(not self.looked_up(c, scope) for c in scope.calls)

    def _by_other_name(self, info: FnInfo, call: Call, scope: Scope) -> bool:
        """`on_request(state)` where somebody hands in a function that does nothing: there was something to call, and it is told to do nothing."""
        f = call.func
        if type(f) is Attr:
            return f.attr != info.name
        found = self.names.lookup(f.id, scope) if type(f) is Name else None
        return found is not None and f.id != info.name and all(b.how == "param" for b in found[0])

    def _grown(self, grow: Witness, info: FnInfo, call: Call, scope: Scope, link: Link) -> Witness | None:
        """What a method grows on its own object is shared only when the object is: one made in this activation is not."""
        if "kept on the object" not in grow.what or type(call.func) is not Attr:
            return grow.through(link) if info.cls is None or "kept on the object" not in grow.what else None
        base = call.func.value
        if type(base) is Call and dotted(base.func) == "super":
            return grow.through(link)
        shared = self.project.summaries.shared(Attr(call.at, base, "_"), scope)
        if shared is None and type(base) is Name and scope.kind == "function" and isinstance(scope.owner, FnInfo):
            first = scope.owner.fn.params[0].name if scope.owner.fn.params else ""
            if scope.owner.cls is not None and base.id == first:
                shared = "kept on the object"
        return grow.through(link) if shared is not None else None

    # ---- graphs
    def _nested_graph(self, v: Ext, call: Call, scope: Scope) -> Judged | None:
        base, _, method = v.path.rpartition(".")
        if base not in surface.GRAPH_OBJECTS:
            return None
        if method not in lg.RUN_METHODS:
            return Judged(result="flow", paths=(v.path,))
        graphs = self.project.graphs
        out = Judged(result="stable", nested=True, paths=(v.path,))
        if self.project.in_graph(scope):
            pause = graphs.pause_of(v.origin)
            if pause is not None and not graphs.own_thread(call, scope):
                out.pause = pause.through(self.link(call, scope, f"runs the nested graph {text(call.func, 40)}()"), nested=True)
        if graphs.runs_again(v, call, scope):
            for w in graphs.work_of(v.origin):
                one = w.through(self.link(call, scope, f"runs the nested graph {text(call.func, 40)}() again"))
                if getattr(out, w.kind, None) is None:
                    setattr(out, w.kind, one)
            out.result = "own"
        return out

    def _graph_function(self, v: Wrapped, call: Call, scope: Scope) -> Judged:
        out = Judged(result="stable", nested=True)
        if self.project.in_graph(scope):
            for t in v.targets:
                if isinstance(t, Fn):
                    s = self.project.summaries.of(t.info)
                    if s.pause is not None:
                        out.pause = s.pause.through(self.link(call, scope, f"runs {t.info.name}()"), nested=True)
        return out

    # ---- functions handed to a caller
    def _passed_functions(self, out: Judged, call: Call, scope: Scope, values: tuple[Value, ...]) -> None:
        """`asyncio.to_thread(f, x)`, `pool.submit(f)`, `map(f, xs)`, `helper(f)`: the function that is handed over runs as well."""
        mode = ""
        for v in values:
            if isinstance(v, Ext) and v.path not in lg.PARTIAL:  # what partial() keeps runs where its result is called
                mode = mode or surface.call_mode(v.path)
        if not mode and not out.targets:
            return
        for n, a in enumerate(call.args):
            if a.star == 2:
                continue
            if out.targets and not mode and not self.calls_parameter(out, call, n, a.name):
                continue
            exprs = a.value.elts if type(a.value) is Seq_ else [a.value]
            for e in exprs:
                if type(e) is Call and not any(isinstance(v, Ext) and v.path in lg.PARTIAL for v in self.names.resolve(e.func, scope)):
                    continue
                narrowed = self.project.dispatched.narrowed(e, call, scope)
                for v in self.names.resolve(e, scope) if narrowed is None else narrowed:
                    if isinstance(v, (Fn, Wrapped)) or (
                            mode and isinstance(v, Ext) and (v.path in lg.INTERRUPT or v.path.rpartition(".")[0] in surface.GRAPH_OBJECTS)):
                        one = self._value(v, Call(call.at, e, call.args[n + 1:]), scope)
                        if one is None:
                            continue
                        if one.pause is not None and mode in ("thread", "future"):
                            one.off = mode
                        one.result = "flow"
                        out.merge(one)

    def calls_parameter(self, out: Judged, call: Call, n: int, name: str | None) -> bool:
        """Whether a project function that a call runs calls what it is handed as the n-th argument or by this name."""
        for info in out.targets:
            s = self.project.summaries.of(info)
            if not s.calls_params:
                continue
            params = [p for p in info.fn.params if p.kind in ("pos", "any", "kw")]
            offset = 1 if info.cls is not None and params and "staticmethod" not in {dotted(d) for d in info.fn.decorators} else 0
            if name is not None:
                if name in s.calls_params:
                    return True
            elif n + offset < len(params) and params[n + offset].name in s.calls_params:
                return True
        return False

    # ---- by name
    def _by_name(self, call: Call, scope: Scope, values: tuple[Value, ...]) -> Judged:
        parts = self._origin_parts(call.func, scope)
        if not parts or type(call.func) is Name and self.names.absent(call.func.id, scope):
            return Judged(result="flow", known=False)
        seen = any(isinstance(v, Ext) and v.origin is not None and v.path.split("(")[0] not in ("dict", "next") for v in values) or any(
            isinstance(v, (Fn, Wrapped)) for v in self.names.resolve(call.func, scope))
        if self._dispatches_tool(call, parts) or (not seen and runs_unseen_tool(self.names, call, scope)):
            if self._asks_tool(call, scope):
                return self._own("read", "asks a tool", "named", call, scope)
            out = self._own("effect", UNSEEN_TOOL, "named", call, scope)
            out.dispatch = True
            return out
        if _reads_store(call, parts):
            return self._own("read", "reads the store", "named", call, scope)
        if len(parts) > 1 and parts[-1] in BUILTIN_METHODS:
            return Judged(result="flow")
        if verbs.harmless_name(parts):
            return Judged(result="flow", known=False)
        if not self._is_container(call, scope):
            what = verbs.named_effect(parts)
            if what is not None and not self._says_no(call, parts, scope):
                return self._own("effect", what, "named", call, scope)
        if verbs.named_model(parts):
            return self._own("model", "asks a model", "named", call, scope)
        if verbs.named_unstable(parts):
            return self._own("unstable", "gives another value every time", "named", call, scope)
        if verbs.named_read(parts):
            return self._own("read", "reads from outside", "named", call, scope)
        return Judged(result="flow", known=False)

    def _asks_tool(self, call: Call, scope: Scope) -> bool:
        """Whether the tool that a call runs only looks something up, by its name as far as that is known here."""
        if self._names_asking_tool(call, scope) or self._asking_key(call, scope):
            return True
        only = self.project.dispatched.only(call, scope)
        return bool(only) and all(map(verbs.tool_asks, only))

    def _names_asking_tool(self, call: Call, scope: Scope) -> bool:
        """`session.call_tool("web_search", …)`, `execute(slug="GMAIL_FETCH_EMAILS")`, also through helpers that are handed the name: the tool that is
        named only looks something up. A word for something else that a tool does, in any argument, says otherwise."""
        named: list[str] = []
        for a in call.args:
            value = a.value.value if type(a.value) is Const else a.value.attr if type(a.value) is Attr and a.value.attr.isupper() else (
                self.names.constant(a.value, scope) if type(a.value) in (Name, Attr) else None)
            if isinstance(value, str) and " " not in value:
                named.append(value)
        return any(map(verbs.tool_asks, named)) and not any(map(verbs.tool_acts, named))

    def _asking_key(self, call: Call, scope: Scope) -> bool:
        """`tools["list_categories"].invoke({})`, `tool = tools.get("list_categories")`: taken by a name that is written down, which says that it only looks
        something up."""
        e = call.func.value if type(call.func) is Attr else None
        for _ in range(4):
            if type(e) is Name:
                found = self.names.lookup(e.id, scope)
                e = found[0][0].node if found is not None and len(found[0]) == 1 and found[0][0].how == "value" else None
            elif type(e) is Await:
                e = e.value
        key = e.index if type(e) is Sub else e.args[0].value if type(e) is Call and type(e.func) is Attr and e.func.attr in ("get", "pop", "__getitem__") and e.args else None
        return type(key) is Const and key.kind == "str" and verbs.tool_asks(key.value)

    def _says_no(self, call: Call, parts: list[str], scope: Scope) -> bool:
        """The arguments say that nothing leaves the process: `form.save(commit=False)`, `image.save(buffer)`."""
        for a in call.args:
            if type(a.value) is Const and a.value.kind == "bool" and DRY.get(a.name or "") is a.value.value:
                return True
        return len(parts) > 1 and parts[-1] in ("save", "write") and not verbs.outside(parts[-2]) and places.only_own(self.names, "", call, scope)

    def _origin_parts(self, func: Any, scope: Scope, depth: int = 0) -> list[str]:
        """The callee as written, with a local name replaced by the model-like thing it was made from: after `picker = llm.with_structured_output(S)`
        or `chain = prompt | self.llm`, `picker.invoke` is `llm.invoke`."""
        parts = callee_parts(func)
        base = func
        while type(base) in (Attr, Sub):
            base = base.value
        if len(parts) < 2 or type(base) is not Name or depth > 4:
            return parts
        found = self.names.lookup(base.id, scope)
        values = [b for b in found[0] if b.how == "value"] if found is not None else []
        if found is None or len(values) != 1 or len(found[0]) != 1:
            return parts
        made = values[0].node
        if type(made) is Await:
            made = made.value
        sides = [made.right, made.left] if type(made) is Bin and made.op == "|" else [made]
        for side in sides:
            if type(side) is Call and type(side.func) is Attr and side.func.attr in MODEL_PASS:
                inner = self._origin_parts(Attr(func.at, side.func.value, "invoke"), found[1], depth + 1)
                if verbs.named_model(inner):
                    return [*inner[:-1], *parts[1:]]
            elif len(sides) > 1 and (name := dotted(side)) is not None and verbs.named_model([*name.split("."), "invoke"]):
                return [*name.split("."), *parts[1:]]
        return parts

    def _perhaps_another(self, call: Call, scope: Scope) -> bool:
        """Of the tools that a call runs some are seen; whether it can be another one, of a part of the list that cannot be followed."""
        f = call.func
        if type(f) is not Attr or f.attr not in TOOL_METHODS or self._asks_tool(call, scope):
            return False
        values = self.names.resolve(f.value, scope)
        return any(isinstance(v, Wrapped) and v.kind == "tool" for v in values) and any(
            isinstance(v, Ext) and (v.path == surface.UNSEEN or v.path in surface.SOME_TOOL or "." in v.path and not catalogue.known_library(v.path.partition(".")[0]))
            for v in values)

    def _runs_some_tool(self, call: Call, values: tuple[Value, ...]) -> bool:
        """Whether the call runs one of several tools, chosen by the model's words."""
        f = call.func
        if type(f) is not Attr or f.attr not in TOOL_METHODS:
            return False
        return sum(1 for v in values if isinstance(v, Fn)) > 1

    def _dispatches_tool(self, call: Call, parts: list[str]) -> bool:
        """`tool.invoke(args)`, `tools_by_name[n].ainvoke(…)`: a tool chosen at run time whose registry cannot be seen."""
        if verbs.named_dispatch(parts):
            return True
        if parts[-1] not in TOOL_METHODS or len(parts) < 2:
            return False
        words = parts[-2].lower().strip("_").split("_")
        return any(w in ("tool", "tools") for w in words) and not any(w in ("node", "llm", "model") for w in words)

    def looked_up(self, call: Call, scope: Scope) -> bool:
        """Whether anything is known about the callee (for `--statistics`): methods of lists, dicts, strings and the like are no riddle."""
        if self.judge(call, scope).known:
            return True
        f = call.func
        if type(f) is not Attr or f.attr not in DATA_METHODS:
            return False
        if self._is_container(call, scope):
            return True
        values = self.names.resolve(f.value, scope)
        return f.attr not in SHARED_METHODS and all(isinstance(v, ParamOf) for v in values)

    def _of_dict(self, call: Call, scope: Scope) -> bool:
        """`row.config.get("k")`, `found["event"].items()`: a method of dicts on what was taken out of the result of a query, not a query."""
        f = call.func
        if type(f) is not Attr or f.attr not in DICT_METHODS:
            return False
        first = call.args[0].value if call.args else None
        if (f.attr in ("items", "keys", "values", "copy")) is not (first is None) or (first is not None and (type(first) is not Const or first.kind != "str")):
            return False
        return self._taken_out(f.value, scope, 0)

    def _taken_out(self, e: Any, scope: Scope, depth: int) -> bool:
        """Whether an expression is a part of something, by a key or a field, or is said to be a dict."""
        t = type(e)
        if t is Await:
            return self._taken_out(e.value, scope, depth)
        if t is BoolOp:
            return self._taken_out(e.values[0], scope, depth)
        if t is Sub:
            return True
        if t is Call:
            return type(e.func) is Attr and (e.func.attr in FETCHES or e.func.attr == "get" and bool(e.args) and type(e.args[0].value) is Const)
        if t is Attr:
            # A field of a row that a query has found; an attribute of the object itself or of a module may be the client.
            return any(isinstance(v, Ext) and v.path.rpartition(".")[0].endswith("()") and v.path.count("()") > 1 for v in self.names.resolve(e, scope))
        found = self.names.lookup(e.id, scope) if t is Name and depth < 4 else None
        if found is None:
            return False
        for b in found[0]:
            said = b.node.annotation if b.how == "param" else b.stmt.annotation if type(b.stmt) is Assign else None
            if said is not None and text(said, 40).removeprefix("typing.").startswith(DICT_TYPES):
                return True
        return all(b.how == "value" and self._taken_out(b.node, found[1], depth + 1) for b in found[0])

    def _is_container(self, call: Call, scope: Scope) -> bool:
        """A method of a plain local container or string: `items.append(x)`, `name.insert(…)`."""
        f = call.func
        if type(f) is not Attr:
            return False
        base = f.value
        while type(base) in (Sub, Attr):
            base = base.value
        values = self.names.resolve(f.value, scope)
        if any(isinstance(v, Lit) for v in values):
            return True
        if type(base) is Call:
            inner = callee_parts(base.func)
            return bool(inner) and inner[-1] in ("get", "setdefault", "list", "dict", "set", "copy", "items", "values")
        return any(isinstance(v, Ext) and v.path.split("(")[0] in CONTAINERS for v in values)


from hitl_lint.facts import Seq as Seq_  # noqa: E402  (the name Seq reads badly beside typing's)

MODEL_PASS = frozenset({"with_structured_output", "bind_tools", "bind", "with_config", "with_retry", "with_fallbacks", "bind_functions", "with_types"})
# Keywords with which a call only shows what it would do.
DRY = {"commit": False, "dry_run": True, "dryrun": True, "DryRun": True}
# Methods of strings and containers that change nothing outside, whatever the receiver is called.
# What a look-up can be made of; anything else in a function called get_x is what it is.
# What a history of progress is kept in.
KEPT = ("SQL", "row", "database", "session", "commit", "document", "writes a file", "log file")
# The paths at which Loki, Splunk, Datadog, OpenTelemetry and New Relic take log lines.
COLLECTORS = ("/loki/api/", "/services/collector", "/api/v2/logs", "/v1/logs", "/log/v1")
TABLES = "changes the tables of a database"
STORE_READS = frozenset({"get", "aget", "search", "asearch"})
# Done again, these fail or change nothing more: what doubles is told instead where both are reached.
SINGLE = frozenset({TABLES, "makes a directory", "deletes a file", "deletes a directory tree", "moves a file", "runs a migration", "creates a collection"})
LOGS = "adds a line to a log file"
UNSEEN_TOOL = "runs a tool that cannot be seen from here"
ASKING = frozenset({UNSEEN_TOOL, "runs the tool", "sends an HTTP POST", "sends an HTTP request", "calls a remote tool", "sends a GraphQL request"})
QUERIES = "queries the database"
DICT_METHODS = frozenset({"get", "items", "keys", "values", "copy", "pop", "setdefault"})
DICT_TYPES = ("dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict")
# What gives one row of a result, or the rows as dicts.
FETCHES = frozenset({"first", "one", "one_or_none", "scalar", "scalar_one", "scalar_one_or_none", "fetchone", "to_dict", "model_dump", "dict", "mappings"})
REMOTE_TOOLS = frozenset({UNSEEN_TOOL, "calls a remote tool"})
TOOL_RUNS = frozenset({UNSEEN_TOOL, "runs the tool"})
KEPT_WORDS = frozenset({"db", "database"})
OUT_WORDS = frozenset({"send", "post", "publish", "notify", "email", "charge", "pay", "refund", "transfer", "submit", "deploy", "enqueue", "upload",
                       "provision", "grant", "revoke", "book", "trigger", "dispatch"})
ORDERING = frozenset({"list", "tuple", "iter", "enumerate", "next"})
BUILTIN_METHODS = frozenset({
    "replace", "strip", "lstrip", "rstrip", "title", "split", "rsplit", "splitlines", "join", "format", "upper", "lower", "startswith", "endswith", "encode",
    "decode", "capitalize", "casefold", "isdigit", "isalpha", "zfill", "ljust", "rjust", "partition", "rpartition", "removeprefix", "removesuffix", "items",
    "keys", "values", "copy", "model_dump", "model_dump_json", "model_copy", "isoformat", "strftime", "total_seconds", "most_common", "union",
    "intersection", "difference", "issubset", "as_posix", "with_suffix", "with_name", "count", "get", "setdefault"})
DATA_METHODS = frozenset(name for kind in (list, dict, set, tuple, str, bytes, bytearray, int, float) for name in dir(kind) if name[0] != "_")
# Those that clients, sessions and queues have as well: on an object of which nothing is known they say nothing.
SHARED_METHODS = frozenset({"add", "clear", "conjugate", "copy", "count", "discard", "find", "format", "get", "index", "insert", "join", "pop", "remove",
                            "translate", "update"})
TOOL_METHODS = frozenset({"invoke", "ainvoke", "run", "arun", "_run", "_arun"})
CONTAINERS = frozenset({"list", "dict", "set", "collections.defaultdict", "collections.deque", "collections.OrderedDict", "collections.Counter",
                        "str", "tuple", "bytearray", "io.StringIO", "io.BytesIO"})


def callee_parts(func: Any) -> list[str]:
    """The callee as written, split: `self.mailer.send` -> ["self", "mailer", "send"]; subscripts and calls on the way are seen through."""
    parts: list[str] = []
    e = func
    while True:
        t = type(e)
        if t is Attr:
            parts.append(e.attr)
            e = e.value
        elif t is Name:
            parts.append(e.id)
            return parts[::-1]
        elif t in (Sub, Await, Star):
            e = e.value
        elif t is Call:
            e = e.func
        elif t is Const or t is Dict:
            return []
        else:
            return parts[::-1]


def _reads_store(call: Call, parts: list[str]) -> bool:
    """`self.store.aget(namespace, key)`, `store.get(("users", user), "mode")`: what is called a store, asked as one of LangGraph's is, and no dict by that name."""
    if len(parts) < 2 or parts[-1] not in STORE_READS or verbs.words(parts[-2])[-1:] != ("store",):
        return False
    first = call.args[0].value if call.args and not call.args[0].star else None
    if parts[-1] in ("aget", "asearch"):
        return first is not None
    return type(first) is Seq_ and first.kind == "tuple" or any(a.name == "namespace" for a in call.args)


def _parts(func: Any, info: FnInfo) -> list[str]:
    parts = callee_parts(func)
    if not parts or parts[-1] != info.name:
        # Called through an alias or as an object: the definition's own name is the evidence.
        cls = [info.cls.cls.name] if info.cls is not None and info.name.startswith("_") is False else []
        return ([c for c in cls] if parts and parts[-1] in ("invoke", "ainvoke") else []) + [info.name]
    return parts


def _goes_out(name: str) -> bool:
    """A verb that only makes sense towards others; `append_`, `update_`, `create_` are as often about local data, unless the name says where to: `save_to_db`."""
    ws = name.lower().strip("_").split("_")
    return ws[0] in OUT_WORDS or not KEPT_WORDS.isdisjoint(ws[1:])


def is_empty(info: FnInfo) -> bool:
    """Whether a body is nothing but a text and `pass`, or `return`."""
    return info.fn.name != "<lambda>" and all(type(s) is Pass or (type(s) is ExprStmt and type(s.value) is Const) or (
        type(s) is Return and (s.value is None or type(s.value) is Const and s.value.value is None)) for s in info.fn.body)


__all__ = ["Effects", "Judged", "Link", "ParamOf", "TABLES", "Witness", "callee_parts"]
