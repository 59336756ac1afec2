"""Review middleware: where tools are put behind a human's decision, what each entry of `interrupt_on` says, and in which order middleware is listed.

The same table is taken by langchain's HumanInTheLoopMiddleware, by deepagents' `create_deep_agent(interrupt_on=…)` and by the specs of its subagents.
What cannot be read (a table from a file, a spread, a comprehension's keys) is left out: an entry says only what stands in the text.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.names import UNKNOWN, ClassInfo, Cls, Ext, Fn, FnInfo, Inst, Lit, Scope, Value, Wrapped
from hitl_lint.analysis.schemas import CATCHES_REFUSAL
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import Arg, Attr, AugAssign, Bin, Call, Comp, Const, Dict, ExprStmt, Name, Seq, Star, Try, dotted, statements
from hitl_lint.record import record, thing

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

MAX_DEPTH = 6
AGENTS = lg.CREATE_AGENT | lg.DEEP_AGENT


@record
class Field:
    """One key of an entry: the key as written (None for a keyword), its value, and the scope to read it in."""

    key: Any
    value: Any
    scope: Scope


@record
class Entry:
    """What `interrupt_on` says of one tool. `value` is the text of it in the table, `config` what that is: the dict display, the constructor call, or another value;
    `fields` its keys by name; `closed`: no key can be there unseen."""

    gate: "Gate"
    tool: str | None
    key: Any
    value: Any
    scope: Scope
    config: Any
    where: Scope
    fields: dict[str, Field] = field(default_factory=dict)
    closed: bool = True

    @property
    def shown(self) -> str:
        return f'"{self.tool}"' if self.tool is not None else "each tool"

    @property
    def at(self) -> Any:
        """From the key to the end of the value, where both stand in a row."""
        return (*self.key.at[:2], *self.value.at[2:]) if self.key is not None and self.key.at < self.value.at else self.value.at


@thing
class Gate:
    """One table of tools that need a decision: the call (or the dict of a subagent) that takes it, the table as written, `mode` "batched", "per_call" or "" where it cannot
    be told. `said`: what the mode is set with, where it is."""

    call: Any
    scope: Scope
    table: Any
    kind: str
    mode: str = "batched"
    said: Any = None


@record
class Listed:
    """One middleware in the list of an agent: the element as written, the list that holds it (None where it is appended), and what it is."""

    node: Any
    holder: Any
    scope: Scope
    values: tuple[Value, ...]


@record
class Misplaced:
    """A middleware that reacts to failing tools (`kind` "retry" or "error"), listed before a review that asks at each tool call."""

    early: Listed
    review: Listed
    kind: str
    name: str


class Gates:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names
        self.reset()

    def reset(self) -> None:
        self._all: list[Gate] | None = None

    # ---- gates
    def all(self) -> list[Gate]:
        """Every gate of the candidate modules."""
        if self._all is None:
            candidates = {id(m) for m in self.project.candidates}
            self._all = [g for g in self._find() if id(g.scope.module) in candidates]
        return self._all

    def _find(self) -> Iterator[Gate]:
        seen: set[int] = set()
        wiring = self.project.graphs.wiring
        for last in sorted(wiring.spellings(lg.HITL_MIDDLEWARE) | self._subclasses() | {"__init__"}):
            for call, scope in list(self.names.calls_by_name.get(last, ())):
                if id(call) not in seen and (last == "__init__" and self._own_start(call, scope) or last != "__init__" and self._is_review(self.names.resolve(call.func, scope))):
                    seen.add(id(call))
                    table = next((a.value for a in call.args if a.name == "interrupt_on"), call.args[0].value if call.args and call.args[0].name is None and not call.args[0].star else None)
                    said = next((a.value for a in call.args if a.name == "interrupt_mode"), None)
                    if table is not None:
                        yield Gate(call, scope, table, "HumanInTheLoopMiddleware", self._mode(call, said, scope), said)
        for last in sorted(wiring.spellings(lg.DEEP_AGENT) | {"SubAgentMiddleware", "SubAgent"}):
            for call, scope in list(self.names.calls_by_name.get(last, ())):
                if any(isinstance(v, Ext) and v.path.startswith("deepagents.") for v in self.names.resolve(call.func, scope)):
                    yield from self._deep(call, scope, seen)

    def _deep(self, call: Call, scope: Scope, seen: set[int]) -> Iterator[Gate]:
        for a in call.args:
            if a.name in ("interrupt_on", "default_interrupt_on") and id(a) not in seen:
                seen.add(id(a))
                yield Gate(call, scope, a.value, dotted(call.func) or "create_deep_agent")
            elif a.name == "subagents":
                for v in self.names.elements(a.value, scope):
                    if isinstance(v, Lit) and type(v.expr) is Dict and id(v.expr) not in seen:
                        seen.add(id(v.expr))
                        for k, value in zip(v.expr.keys, v.expr.values):
                            if type(k) is Const and k.value == "interrupt_on":
                                yield Gate(v.expr, v.scope, value, "subagent")

    def _mode(self, call: Call, said: Any, scope: Scope) -> str:
        if said is None:
            return "" if any(a.star == 2 for a in call.args) else "batched"
        value = self.names.constant(said, scope)
        return value if isinstance(value, str) else ""

    def _subclasses(self) -> set[str]:
        """The names of the project's own review middleware that takes what the one of the library takes."""
        return {info.cls.name for m in list(self.names.modules.values()) for info in m.classes if info.cls.bases and self._reviews(info) and self.names.method(info, "__init__") is None}

    def _reviews(self, info: ClassInfo) -> bool:
        return any(isinstance(b, str) and b in lg.HITL_MIDDLEWARE for b in self.names.mro(info))

    def _is_review(self, values: tuple[Value, ...]) -> bool:
        return any(isinstance(v, Ext) and v.path in lg.HITL_MIDDLEWARE or isinstance(v, Cls) and self._reviews(v.info) for v in values)

    def _own_start(self, call: Call, scope: Scope) -> bool:
        """`super().__init__(interrupt_on=…)`, `super().__init__(dict(table))` in a project's own review middleware."""
        first = call.args[0] if call.args else None
        if type(call.func) is not Attr or not any(a.name == "interrupt_on" for a in call.args) and not (first is not None and first.name is None and not first.star):
            return False
        base = call.func.value
        cls = getattr(scope.owner, "cls", None) if scope.kind == "function" else None
        return type(base) is Call and dotted(base.func) == "super" and cls is not None and self._reviews(cls)

    # ---- entries
    def entries(self, gate: Gate) -> Iterator[Entry]:
        """What the table of a gate says, tool by tool, as far as it can be read."""
        for key, value, scope in self.rows(gate):
            yield from self._entry(gate, self.word(key, scope), key, value, scope)

    def word(self, key: Any, scope: Scope) -> str | None:
        """The name that a key of a table is."""
        word = key.name if type(key) is Arg else self.names.constant(key, scope) if key is not None else None
        return word if isinstance(word, str) else None

    def rows(self, gate: Gate) -> Iterator[tuple[Any, Any, Scope]]:
        """(key or None, value, scope) of everything that the table of a gate is seen to hold."""
        yield from self._rows(gate.table, gate.scope, 0, set())

    def _rows(self, e: Any, scope: Scope, depth: int, seen: set[int]) -> Iterator[tuple[Any, Any, Scope]]:
        if depth > MAX_DEPTH or id(e) in seen:
            return
        seen.add(id(e))
        t = type(e)
        if t is Dict:
            for k, v in zip(e.keys, e.values):
                if k is None:
                    yield from self._rows(v, scope, depth + 1, seen)
                else:
                    yield k, v, scope
        elif t is Comp and e.kind == "dict":
            yield e.key, e.elt, scope
        elif t is Bin and e.op == "|":
            yield from self._rows(e.left, scope, depth + 1, seen)
            yield from self._rows(e.right, scope, depth + 1, seen)
        else:
            for v in self.names.resolve(e, scope):
                if isinstance(v, Lit) and v.expr is not e:
                    yield from self._rows(v.expr, v.scope, depth + 1, seen)
                elif isinstance(v, Ext) and v.origin is not None and v.scope is not None and v.origin is not e and dotted(v.origin.func) == "dict":
                    yield from self._rows(v.origin, v.scope, depth + 1, seen)
            if t is Call and dotted(e.func) == "dict":
                for a in e.args:
                    if a.name is not None:
                        yield a, a.value, scope
                    else:
                        yield from self._rows(a.value, scope, depth + 1, seen)
            if t in (Name, Attr):
                yield from self.names.stores(e, scope)

    def _entry(self, gate: Gate, tool: str | None, key: Any, value: Any, scope: Scope, depth: int = 0) -> Iterator[Entry]:
        merged = self._merge(value, scope)
        if merged is not None:
            if depth <= MAX_DEPTH:
                yield from self._merged(gate, tool, key, value, scope, *merged, depth)
            return
        if type(value) in (Dict, Const, Seq):
            yield self._made(gate, tool, key, value, scope, value, scope, False)
            return
        values = self.names.resolve(value, scope)
        for v in values:
            if isinstance(v, Lit) and type(v.expr) in (Dict, Seq):
                yield self._made(gate, tool, key, value, scope, v.expr, v.scope, self._changed(value, scope))
            elif isinstance(v, Ext) and v.origin is not None and v.scope is not None and (v.path in lg.GATE_CONFIG or dotted(v.origin.func) == "dict"):
                yield self._made(gate, tool, key, value, scope, v.origin, v.scope, v.origin is not value and self._changed(value, scope))

    def _merge(self, e: Any, scope: Scope) -> tuple[Bin, Scope] | None:
        """`BASE | {"when": …}`, also under a name."""
        found = self.names.lookup(e.id, scope) if type(e) is Name else None
        if found is not None and len(found[0]) == 1 and found[0][0].how == "value":
            e, scope = found[0][0].node, found[1]
        return (e, scope) if type(e) is Bin and e.op == "|" else None

    def _merged(self, gate: Gate, tool: str | None, key: Any, value: Any, scope: Scope, both: Bin, where: Scope, depth: int) -> Iterator[Entry]:
        """An entry that says what two dicts say together, the right one last."""
        fields: dict[str, Field] = {}
        closed = not self._changed(value, scope) if value is not both else True
        for side in (both.left, both.right):
            parts = list(self._entry(gate, tool, key, side, where, depth + 1))
            if len(parts) != 1 or type(parts[0].config) not in (Dict, Call, Bin):
                closed = False
                continue
            fields.update(parts[0].fields)
            closed = closed and parts[0].closed
        yield Entry(gate, tool, key, value, scope, both, where, fields, closed)

    def _made(self, gate: Gate, tool: str | None, key: Any, value: Any, scope: Scope, config: Any, where: Scope, changed: bool) -> Entry:
        fields: dict[str, Field] = {}
        closed = not changed
        if type(config) is Dict:
            for k, v in zip(config.keys, config.values):
                if type(k) is Const and k.kind == "str":
                    fields[k.value] = Field(k, v, where)
                else:
                    closed = False
        elif type(config) is Call:
            for a in config.args:
                if a.name is not None:
                    fields[a.name] = Field(a, a.value, where)
                else:
                    closed = False
        return Entry(gate, tool, key, value, scope, config, where, fields, closed)

    def _changed(self, e: Any, scope: Scope) -> bool:
        """Whether what a name stands for is written to after it is made: `config["when"] = …`."""
        if type(e) not in (Name, Attr):
            return type(e) is Call  # what a function has made it may have changed
        return any(True for _ in self.names.stores(e, scope)) or self.project.graphs.wiring.tables.grows(e, scope)

    def grown(self, e: Any, scope: Scope) -> bool:
        """Whether a list that a name stands for gets more items after it is written down."""
        if type(e) is not Name:
            return False
        found = self.names.lookup(e.id, scope)
        return found is None or self.project.graphs.wiring.tables.grows(e, scope) or any(b.how == "aug" for b in found[0])

    def decisions(self, given: Field) -> tuple[list[tuple[Any, Any, Scope]], Any] | None:
        """The decisions that a field of an entry lists, as (element, its value or UNKNOWN, scope), with the list as written; None where it cannot be read."""
        for v in self.names.resolve(given.value, given.scope):
            if isinstance(v, Lit) and type(v.expr) is Seq:
                if any(type(e) is Star for e in v.expr.elts) or self.grown(given.value, given.scope):
                    return None
                return [(e, self.names.constant(e, v.scope), v.scope) for e in v.expr.elts], v.expr
        return None

    # ---- middleware in its order
    def listed(self, call: Call, scope: Scope) -> list[Listed]:
        """The middleware of an agent, the outermost first, as far as its order is certain."""
        given = next((a.value for a in call.args if a.name == "middleware"), None)
        return list(self._listed(given, scope, 0)) if given is not None else []

    def _listed(self, e: Any, scope: Scope, depth: int) -> Iterator[Listed]:
        t = type(e)
        if depth > MAX_DEPTH:
            return
        if t is Seq:
            for elt in e.elts:
                if type(elt) is Star:
                    yield from self._listed(elt.value, scope, depth + 1)
                else:
                    yield Listed(elt, e, scope, self.names.resolve(elt, scope))
        elif t is Bin and e.op == "+":
            yield from self._listed(e.left, scope, depth + 1)
            yield from self._listed(e.right, scope, depth + 1)
        elif t is Call and dotted(e.func) in ("list", "tuple") and len(e.args) == 1:
            yield from self._listed(e.args[0].value, scope, depth + 1)
        else:
            values = [v for v in self.names.resolve(e, scope) if isinstance(v, Lit)]
            if len(values) == 1:
                yield from self._listed(values[0].expr, values[0].scope, depth + 1)
                kept = self.names.kept_as(values[0])  # in the function that builds it, and where that is called
                if kept is not None:
                    yield from self._appended(kept, values[0].scope, max(depth + 1, MAX_DEPTH))
                if type(kept) is not Name or values[0].scope is not scope or kept.id != getattr(e, "id", None):
                    yield from self._appended(e, scope, max(depth + 1, MAX_DEPTH))

    def _appended(self, e: Any, scope: Scope, depth: int) -> Iterator[Listed]:
        """`middleware.append(…)` behind the list, in the order of the text; nothing where something is put in elsewhere."""
        found = self.names.lookup(e.id, scope) if type(e) is Name else None
        if found is None or found[1] is not scope:
            return
        body = scope.owner.fn.body if scope.kind == "function" else scope.owner.facts.body if scope.kind == "module" else []
        for stmt in statements(body):
            if type(stmt) is AugAssign and dotted(stmt.target) == e.id and stmt.op == "+":
                yield from self._listed(stmt.value, scope, depth)
            call = stmt.value if type(stmt) is ExprStmt else None
            if type(call) is not Call or type(call.func) is not Attr or dotted(call.func.value) != e.id or not call.args:
                continue
            if call.func.attr == "append":
                yield Listed(call.args[0].value, None, scope, self.names.resolve(call.args[0].value, scope))
            elif call.func.attr == "extend":
                yield from self._listed(call.args[0].value, scope, depth)
            elif call.func.attr in ("insert", "reverse", "sort", "remove", "pop"):
                return

    def agents(self) -> Iterator[tuple[Call, Scope]]:
        """Every call of the candidate modules that makes an agent with middleware."""
        candidates = {id(m) for m in self.project.candidates}
        for last in sorted(self.project.graphs.wiring.spellings(AGENTS)):
            for call, scope in list(self.names.calls_by_name.get(last, ())):
                if id(scope.module) in candidates and any(isinstance(v, Ext) and v.path in AGENTS for v in self.names.resolve(call.func, scope)):
                    yield call, scope

    def review_of(self, listed: Listed) -> Any:
        """The constructor call of the review middleware that an element of the list is, else None."""
        for v in listed.values:
            if isinstance(v, Ext) and v.path.removesuffix("()") in lg.HITL_MIDDLEWARE and v.origin is not None:
                return v.origin
            if isinstance(v, Inst) and v.call is not None and self._reviews(v.info):
                return v.call
        return None

    def at_each_call(self, listed: Listed) -> bool:
        """Whether an element of the list is a review that asks at each tool call, inside the tool call itself."""
        made = self.review_of(listed)
        if made is None:
            return False
        return any(a.name == "interrupt_mode" and self.names.constant(a.value, v.scope or listed.scope) == "per_call"
                   for v in listed.values if isinstance(v, (Ext, Inst)) for a in made.args)

    def tool_name(self, v: Value) -> str | None:
        """The name by which a model calls a tool, where it is seen."""
        if isinstance(v, Wrapped) and v.kind == "tool":
            given = next((a.value for a in v.call.args if a.name == "name" or a.name is None and type(a.value) is Const), None) if v.call is not None else None
            if given is not None:
                return given.value if type(given) is Const and given.kind == "str" else None
            names = [self.tool_name(t) for t in v.targets]
            return names[0] if len(set(names)) == 1 else None
        if isinstance(v, Fn):
            return v.info.name if v.info.name != "<lambda>" else None
        if isinstance(v, Lit) and type(v.expr) is Const and v.expr.kind == "str":
            return v.expr.value
        return None

    def tool_names(self, e: Any, scope: Scope) -> set[str] | None:
        """The names of the tools in a list; None where one of them cannot be told."""
        out: set[str] = set()
        for v in self.names.resolve(e, scope):
            if not isinstance(v, Lit) or type(v.expr) is not Seq or self.grown(e, scope):
                return None
            for elt in v.expr.elts:
                values = self.names.resolve(elt, v.scope)
                name = self.tool_name(values[0]) if len(values) == 1 else None
                if name is None:
                    return None
                out.add(name)
        return out or None

    def agent_of(self, gate: Gate) -> tuple[Call, Scope] | None:
        """The agent that a review middleware is seen to be listed in, where it is one."""
        found = [(call, scope) for call, scope in self.agents() if any(self.review_of(x) is gate.call for x in self.listed(call, scope))]
        return found[0] if len(found) == 1 else None

    def inside(self, hook: FnInfo, call: Call, scope: Scope) -> Listed | None:
        """The review that asks at each tool call and is listed behind a project's own hook, which is around it then."""
        around = False
        for one in self.listed(call, scope):
            if around and self.at_each_call(one):
                return one
            around = around or any(isinstance(v, Fn) and v.info is hook or isinstance(v, Inst) and hook.cls is not None and self.names.method(v.info, hook.name) is hook
                                   for v in one.values)
        return None

    def misplaced(self) -> Iterator[Misplaced]:
        """What reacts to a failing tool and is listed before a review that asks at each call."""
        seen: set[int] = set()
        for call, scope in self.agents():
            order = self.listed(call, scope)
            for n, review in enumerate(order):
                own = self._asks_itself(review)
                if not own and not self.at_each_call(review):
                    continue
                for early in order[:n]:
                    kind, name = self._reacts(early)
                    # A review of the project's own has its own idea of a bad answer: only that it asks anew is sure.
                    if kind and not (own and kind != "retry") and id(early.node) not in seen and early.node is not review.node and self._meet(early, review):
                        seen.add(id(early.node))
                        yield Misplaced(early, review, kind, name)

    def _asks_itself(self, listed: Listed) -> bool:
        """Whether an element of the list is a hook of the project that asks before it runs the tool: `answer = interrupt(…)`, then `handler(request)`."""
        for v in listed.values:
            hooks = [v.info] if isinstance(v, Fn) else [m for name in ("wrap_tool_call", "awrap_tool_call") if (m := self.names.method(v.info, name)) is not None] if isinstance(
                v, Inst) else []
            for hook in hooks:
                p = self.project.pausing_of(hook) if self.project.hook_kind(hook) == "tool" else None
                params = [x.name for x in hook.fn.params if x.name not in ("self", "cls")]
                if p is None or len(params) < 2:
                    continue
                runs = [x for x in p.cfg.points if x.kind == "call" and dotted(x.node.func) == params[1]]
                if any(x in p.cfg.reachable([pause]) for pause in p.pauses for x in runs):
                    return True
        return False

    def _meet(self, early: Listed, review: Listed) -> bool:
        """Whether both may deal with the same tool."""
        only = next((self.tool_names(a.value, v.scope or early.scope) for v in early.values if isinstance(v, Ext) and v.origin is not None
                     for a in v.origin.args if a.name == "tools"), None)
        made = self.review_of(review)
        gate = next((g for g in self.all() if g.call is made), None)
        if only is None or gate is None:
            return True
        gated = [self.word(key, scope) for key, _, scope in self.rows(gate)]
        return not gated or any(name is None or name in only for name in gated)

    def _reacts(self, listed: Listed) -> tuple[str, str]:
        """("retry" or "error", its name) of a middleware that catches what a tool raises, ("", "") of every other."""
        for v in listed.values:
            if isinstance(v, Ext):
                path = v.path.removesuffix("()")
                last = path.rsplit(".", 1)[-1]
                if path in lg.TOOL_ERROR_MIDDLEWARE:
                    if "Retry" in last:
                        return "retry", last
                    return ("error", last) if v.origin is None or not self._narrow(v.origin, v.scope or listed.scope) else ("", "")
            hooks = [v.info] if isinstance(v, Fn) else [m for name in ("wrap_tool_call", "awrap_tool_call") if (m := self.names.method(v.info, name)) is not None] if isinstance(
                v, Inst) and not self._reviews(v.info) else []
            for hook in hooks:
                kind = self._catches(hook) if self.project.hook_kind(hook) == "tool" else ""
                if kind:
                    return kind, v.info.cls.name if isinstance(v, Inst) else hook.name
        return "", ""

    def _narrow(self, made: Call, scope: Scope) -> bool:
        """Whether the handler of a ToolErrorMiddleware leaves the refusal of a bad answer alone: it only takes errors of other types."""
        handlers = [a.value for a in made.args if a.name in ("on_error", "aon_error") or a.name is None and not a.star]
        functions = [v.info for e in handlers for v in self.names.resolve(e, scope) if isinstance(v, Fn)]
        if not functions or len(functions) != len(handlers):
            return False
        for info in functions:
            cfg, inside = self.project.cfg(info), self.names.scope(info)
            for point in cfg.points:
                if point.kind != "return" or point.node.value is None or type(point.node.value) is Const and point.node.value.kind == "none":
                    continue
                if not any(g.kind == "test" and g.branch == "true" and self._of_other_type(g.node, inside) for g in cfg.guards(point)):
                    return False
        return True

    def _of_other_type(self, test: Any, scope: Scope) -> bool:
        return type(test) is Call and dotted(test.func) == "isinstance" and len(test.args) == 2 and not self._takes_refusal(test.args[1].value, scope)

    def _takes_refusal(self, types: Any, scope: Scope) -> bool:
        return any((v.path if isinstance(v, Ext) else "") in CATCHES_REFUSAL or not isinstance(v, (Ext, Cls)) for t in (types.elts if type(types) is Seq else [types])
                   for v in self.names.resolve(t, scope) or (Ext(dotted(t) or "Exception"),))

    def _catches(self, hook: FnInfo) -> str:
        """What a project's own hook does with a tool that raises: "retry" where `handler(request)` is tried again, "error" where any error is taken."""
        params = [p.name for p in hook.fn.params if p.name not in ("self", "cls")]
        cfg, scope = self.project.cfg(hook), self.names.scope(hook)
        for point in cfg.points:
            if point.kind != "call" or len(params) < 2 or dotted(point.node.func) != params[1]:
                continue
            tries = [r.node for r in point.regions if r.kind == "try" and type(r.node) is Try and r.node.handlers]
            if tries and any(r.kind == "loop" for r in point.regions):
                return "retry"
            if any(h.type is None or self._takes_refusal(h.type, scope) for t in tries for h in t.handlers):
                return "error"
        return ""


__all__ = ["Entry", "Field", "Gate", "Gates", "Listed", "Misplaced", "UNKNOWN"]
