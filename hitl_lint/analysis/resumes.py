"""The resume side: every `Command(...)` of the project, what it carries and whether it is given to a graph as input."""

from __future__ import annotations

import re

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.cfg import Edge
from hitl_lint.analysis.names import Ext, Fn, FnInfo, Inst, Names, Scope, argument, is_test
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import (
    Assign, AugAssign, At, Attr, Await, BoolOp, Call, ClassStmt, Cmp, Comp, Const, Dict, Expr, IfExp, Name, Param, Return, Seq, Sub, Walrus, dotted,
    text, walk,
)
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
MAX_CALLERS = 40
MAX_HELPERS = 6  # names and helpers between a Command and the map that it is given


@record
class Sent:
    """One `Command(...)`. `resume` is the expression of its answer or None when there is none; `keywords` are all names given;
    `run` is the call that gives it to a graph, where that is seen."""

    call: Call
    scope: Scope
    resume: Expr | None
    keywords: frozenset[str]
    run: Call | None

    @property
    def function(self) -> str:
        owner = self.scope.owner
        return owner.dotted if isinstance(owner, FnInfo) else self.scope.module.name


class Resumes:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._sent: list[Sent] | None = None

    def reset(self) -> None:
        self._sent = None

    def commands(self) -> list[Sent]:
        """Every `Command(...)` of the candidate modules, in program order."""
        if self._sent is None:
            self._sent = list(self._find())
        return self._sent

    def _find(self) -> Iterator[Sent]:
        names = self.project.names
        candidates = {id(m) for m in self.project.candidates}
        made: list[tuple[Call, Scope]] = []
        for last, sites in list(names.calls_by_name.items()):
            for call, scope in sites:
                if id(scope.module) not in candidates or not (last == "Command" or self._is_alias(call.func, scope)):
                    continue
                if any(isinstance(v, Ext) and v.path in lg.COMMAND | lg.SDK_COMMAND for v in names.resolve(call.func, scope)):
                    made.append((call, scope))
        runs = self._runs() if made else {}
        made.sort(key=lambda m: (m[1].module.path, m[0].at))
        for call, scope in made:
            if any(a.star == 2 for a in call.args):
                continue
            keywords = {a.name: a.value for a in call.args if a.name}
            yield Sent(call, scope, keywords.get("resume"), frozenset(keywords), runs.get(id(call)))

    def _is_alias(self, func: Any, scope: Scope) -> bool:
        """`from langgraph.types import Command as Cmd`."""
        if type(func) is not Name:
            return False
        found = self.project.names.lookup(func.id, scope)
        return found is not None and any(b.how == "import" and b.node.name == "Command" for b in found[0])

    def _runs(self) -> dict[int, Call]:
        """By the id of a `Command(...)` call the run that takes it as input."""
        names: Names = self.project.names
        out: dict[int, Call] = {}
        for method in lg.RUN_METHODS:
            for call, scope in list(names.calls_by_name.get(method, ())):
                if type(call.func) is not Attr:
                    continue
                first = next((a.value for a in call.args if a.name in (None, "input") and not a.star), None)
                if first is None or type(first) in (Dict, Const):
                    continue
                for v in names.resolve(first, scope):
                    if isinstance(v, Ext) and v.origin is not None and v.path in COMMAND_OBJECTS:
                        out.setdefault(id(v.origin), call)
        return out

    def goes_to_start(self, command: Sent) -> bool:
        """`Command(resume=…, goto=START)`: no node listens to that, so the runtime ignores it (run on 1.2.24)."""
        if "update" in command.keywords:
            return False
        goto = next(a.value for a in command.call.args if a.name == "goto")
        return any(isinstance(v, Ext) and v.path in lg.START for v in self.project.names.resolve(goto, command.scope)) or (
            self.project.names.constant(goto, command.scope) == "__start__")

    @staticmethod
    def spells_out(command: Sent) -> bool:
        """`Command(resume=given.get("resume"), goto=given.get("goto"))`: what a server does for its clients with a command that is written as a dict."""
        resume = next((a.value for a in command.call.args if a.name == "resume"), None)
        if type(resume) is Call and type(resume.func) is Attr and resume.func.attr == "get" and resume.args:
            key = resume.args[0].value
        elif type(resume) is Sub:
            key = resume.index
        else:
            return False
        return type(key) is Const and key.value == "resume"

    def only_breakpoints(self, command: Sent) -> bool:
        """The graph that is run has static breakpoints and no pause of its own: whatever it is given, it goes on."""
        if command.run is None or type(command.run.func) is not Attr:
            return False
        graph = self.project.graphs.meant(command.run.func.value, command.scope)
        if graph is None or not any(c.before or c.after for c in graph.compiles) or self.project.graphs.pause_in(graph) is not None:
            return False
        made = graph.origin
        return not graph.open or (made is not None and graph.kind in ("agent", "react") and not any(a.star or a.name == "middleware" for a in made.args)
                                  and self.project.graphs.wiring.tools(made, graph.scope).seen)

    # ---- None
    def may_be_none(self, expr: Any, scope: Scope, point_of: Any) -> str | None:
        """Why an answer can be None: "None" itself, a parameter, variable or field whose default is None and that nothing checks; else None."""
        t = type(expr)
        if t is Const:
            return "None" if expr.kind == "none" else None
        if t is IfExp:
            return self.may_be_none(expr.body, scope, point_of) if type(expr.body) is Const else self.may_be_none(expr.orelse, scope, point_of) if type(
                expr.orelse) is Const else None
        if t is BoolOp:
            return self.may_be_none(expr.values[-1], scope, point_of) if expr.op == "or" and type(expr.values[-1]) is Const else None
        if t is Name:
            return self._name_none(expr, scope, point_of)
        if t is Attr:
            return self._field_none(expr, scope, point_of)
        return None

    def _name_none(self, expr: Name, scope: Scope, call: Call) -> str | None:
        found = self.project.names.lookup(expr.id, scope)
        if found is None or found[1] is not scope or scope.kind != "function":
            return None
        if self._checked(expr.id, scope, call):
            return None
        info: FnInfo = scope.owner
        nones = [b for b in found[0] if b.how == "value" and type(b.node) is Const and b.node.kind == "none"]
        params = [b for b in found[0] if b.how == "param" and isinstance(b.node, Param) and type(b.node.default) is Const and b.node.default.kind == "none"]
        cfg = self.project.cfg(info)
        params = [b for b in params if self._left_out(info, b.node, cfg, call)]
        others = {p.id for b in found[0] if b not in nones and b not in params and b.stmt is not None for p in cfg.at(b.stmt)}
        starts = [p for b in nones for p in cfg.at(b.stmt)] + ([cfg.entry] if params else [])
        ends = set(cfg.at(call))
        reached = cfg.reachable(starts, skip=lambda point, edge: edge.to.id in others or edge.kind == "exc" or _not_none(edge, expr.id))
        if reached & ends:
            return f"`{expr.id}`, which is None by default" if params else f"`{expr.id}`, which is still None on some path"
        return None

    def _left_out(self, info: FnInfo, param: Param, cfg: Any, command: Call) -> bool:
        """Whether a default of None can be what a parameter holds: nobody in the project is seen to call the function, or a caller leaves it out or
        passes None. What a caller passes that is None on some path only counts where no test of the function decides about the `Command`:
        `f(new, answer)` with `Command(resume=answer)` for `not new` goes by what belongs together."""
        callers = [] if info.fn.decorators else self.callers(info)
        bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
        tested = any(g.kind in ("test", "case") for p in cfg.at(command) for g in cfg.guards(p))
        decides = {n.id for p in cfg.at(command) for g in cfg.guards(p) if g.kind in ("test", "case") for n in walk(g.node) if type(n) is Name}
        others = [q for q in info.fn.params if q is not param and q.name in decides]

        def along(site: Call) -> frozenset[str]:
            """The parameters that decide about the `Command` and are passed here."""
            return frozenset(q.name for q in others if argument(site, info.fn, q, bound) is not None)

        answering = {along(site) for site, _ in callers if argument(site, info.fn, param, bound) is not None}
        for site, scope in callers:
            given = argument(site, info.fn, param, bound)
            if given is None:
                # `f(request=…)` begins and `f(feedback=…)` answers: what is left out belongs to the other way.
                if not any(a.star for a in site.args) and not (answering and along(site) not in answering):
                    return True
            elif (type(given) is Const or not tested) and self.may_be_none(given, scope, site) is not None:
                return True
        return not callers

    def callers(self, info: FnInfo) -> list[tuple[Call, Scope]]:
        """The calls of a function outside tests; [] where there are too many to look at."""
        names = self.project.names
        sites = [(c, s) for c, s in names.calls_by_name.get(info.name, ()) if is_test(info.module.path) or not is_test(s.module.path)]
        return [] if len(sites) > MAX_CALLERS else [(c, s) for c, s in sites if any(isinstance(v, Fn) and v.info is info for v in names.resolve(c.func, s))]

    def _field_none(self, expr: Attr, scope: Scope, call: Call) -> str | None:
        if self._checked(text(expr, 200), scope, call):
            return None
        names = self.project.names
        for v in names.resolve(expr.value, scope):
            if not isinstance(v, Inst) or v.call is not None:
                continue
            for c in names.mro(v.info):
                if isinstance(c, str) or c.scope is None:
                    continue
                for b in c.scope.bindings.get(expr.attr, ()):
                    if b.how == "value" and self._none_default(b.node):
                        return f"`{text(expr, 40)}`, which is None by default"
        return None

    def _none_default(self, expr: Any) -> bool:
        if type(expr) is Const:
            return expr.kind == "none"
        if type(expr) is Call and (dotted(expr.func) or "").rsplit(".", 1)[-1] in ("Field", "field"):
            first = next((a.value for a in expr.args if a.name in (None, "default")), None)
            return type(first) is Const and first.kind == "none"
        return False

    def _checked(self, shown: str, scope: Scope, call: Call) -> bool:
        """Whether a test before the call looks at the value."""
        if scope.kind != "function":
            return False
        cfg = self.project.cfg(scope.owner)
        for p in cfg.at(call):
            for g in cfg.guards(p):
                if g.kind in ("test", "case") and shown in text(g.node, 400):
                    return True
        return False

    # ---- maps
    def map_of(self, expr: Any, scope: Scope, depth: int = 0) -> tuple[list[tuple[Any, At, Scope]], bool]:
        """The keys of a resume map with the place where each is written and the scope to read it in, and whether the map is a dict at all. What
        a helper of the project builds counts where it is called."""
        if type(expr) is Await:
            expr = expr.value
        if type(expr) is Dict:
            spread = [key for k, v in zip(expr.keys, expr.values) if k is None for key in self.map_of(v, scope, depth + 1)[0]] if depth < MAX_HELPERS else []
            return [(k, k.at, scope) for k in expr.keys if k is not None] + spread, True
        if type(expr) is Comp and expr.kind == "dict" and expr.key is not None:
            return [(expr.key, expr.key.at, scope)], True
        if type(expr) is Call and depth < MAX_HELPERS:
            return self._built(expr, scope, depth)
        if type(expr) is Name and depth < MAX_HELPERS:
            found = self.project.names.lookup(expr.id, scope)
            if found is None:
                return [], False
            keys: list[tuple[Any, At, Scope]] = []
            is_dict = False
            for b in found[0]:
                if b.how == "value" and type(b.node) in (Dict, Comp, Call, Await):
                    inner, ok = self.map_of(b.node, found[1], depth + 1)
                    keys += inner
                    is_dict = is_dict or ok
            if is_dict:
                keys += [(key, at, found[1]) for key, at in self._stores(expr.id, found[1])]
            return keys, is_dict
        return [], False

    def _built(self, call: Call, scope: Scope, depth: int) -> tuple[list[tuple[Any, At, Scope]], bool]:
        """`dict((t.id, x) for t in tasks)`, `dict.fromkeys(…)`, or what a function of the project returns."""
        names = self.project.names
        if dotted(call.func) == "dict" and names.lookup("dict", scope) is None:
            first = call.args[0].value if call.args and not call.args[0].star and call.args[0].name is None else None
            pairs = [first.elt] if type(first) is Comp else first.elts if type(first) is Seq else []
            if type(first) in (Name, Dict, Call):
                return self.map_of(first, scope, depth + 1)[0], True
            return [(pair.elts[0], pair.elts[0].at, scope) for pair in pairs if type(pair) is Seq and len(pair.elts) == 2], True
        if dotted(call.func) == "dict.fromkeys" and call.args and type(call.args[0].value) is Comp:
            key = call.args[0].value.elt
            return [(key, key.at, scope)], True
        values = names.resolve(call.func, scope)
        if len(values) != 1 or not isinstance(values[0], Fn) or names.is_task(values[0].info) or values[0].info.fn.is_generator:
            return [], False
        info = values[0].info
        inner = names.scope(info)
        found = [self.map_of(node.value, inner, depth + 1) for stmt in info.fn.body for node in walk(stmt) if type(node) is Return and node.value is not None]
        return [(key, call.at, where) for keys, _ in found for key, _, where in keys], any(ok for _, ok in found)

    def _stores(self, name: str, scope: Scope) -> Iterator[tuple[Any, At]]:
        body = scope.owner.fn.body if scope.kind == "function" else scope.owner.facts.body if scope.kind == "module" else []
        for stmt in body:
            for node in walk(stmt):
                if type(node) in (Assign, AugAssign):
                    for target in node.targets if type(node) is Assign else [node.target]:
                        if type(target) is Sub and dotted(target.value) == name:
                            yield target.index, target.at

    def is_empty_map(self, expr: Any, scope: Scope) -> bool:
        if type(expr) is Dict:
            return not expr.keys
        if type(expr) is Call:
            return dotted(expr.func) == "dict" and not expr.args
        if type(expr) is IfExp:
            return any(type(e) is Dict and not e.keys for e in (expr.body, expr.orelse))
        if type(expr) is Name:
            found = self.project.names.lookup(expr.id, scope)
            if found is None or len(found[0]) != 1 or found[0][0].how != "value" or type(found[0][0].node) is Name:
                return False
            if not self.is_empty_map(found[0][0].node, found[1]) or list(self._stores(expr.id, found[1])):
                return False
            # Filled by a method, or handed to somebody who may fill it: not known to be empty.
            return not any(_touches(c, expr.id) for c in found[1].calls)
        return False

    def left_out(self, expr: Any, scope: Scope, depth: int = 0) -> tuple[str, str] | None:
        """(field, as shown) of an answer that is an empty dict where what a client sends lacks a field: `data.get("answer", {})`, `data.get("answer") or {}`.
        None where something in the function asks whether it is there."""
        e, t = expr, type(expr)
        if t is Name and depth < 3:
            found = self.project.names.lookup(e.id, scope)
            if found is None or found[1] is not scope or len(found[0]) != 1 or found[0][0].how != "value" or list(self._stores(e.id, scope)) or any(_touches(c, e.id) for c in scope.calls):
                return None
            out = self.left_out(found[0][0].node, scope, depth + 1)
            return out if out is not None and not self._asked_about(scope, lambda n: type(n) is Name and n.id == e.id) else None
        shown = text(e, 60)
        if t is BoolOp and e.op == "or" and len(e.values) == 2:
            if not (type(e.values[1]) is Dict and not e.values[1].keys):
                return None
            e = e.values[0]
            default: Any = e
        else:
            default = e.args[1].value if t is Call and len(e.args) == 2 else None
            if not (type(default) is Dict and not default.keys):
                return None
        if type(e) is not Call or type(e.func) is not Attr or e.func.attr not in ("get", "pop") or not e.args or type(e.args[0].value) is not Const:
            return None
        key = e.args[0].value.value
        if not isinstance(key, str) or not self.project.answers.sent_by_client(e.func.value, scope) or self._asked_about(
                scope, lambda n: type(n) is Const and n.value == key):
            return None
        return key, shown

    def _asked_about(self, scope: Scope, is_it: Any) -> bool:
        """Whether a test of a function speaks of something."""
        if scope.kind != "function":
            return True
        return any(is_it(n) for p in self.project.cfg(scope.owner).points if p.kind in ("test", "case") for n in walk(p.node))

    def names_task(self, key: Any, scope: Scope) -> str | None:
        """Whether a key of a resume map is a task's id or name, in the words of a message."""
        t = type(key)
        if t is Const:
            return f"{key.value!r}, which looks like a task id" if key.kind == "str" and UUID.match(key.value) else None
        if t is Call and dotted(key.func) == "str" and key.args:
            return self.names_task(key.args[0].value, scope)
        if t is Attr and key.attr in ("id", "name"):
            base = key.value
            shown = text(key, 40)
            if type(base) is Sub and type(base.value) is Attr and base.value.attr == "tasks":
                return f"`{shown}`, a task"
            if type(base) is Name:
                if self._iterates_tasks(base.id, scope):
                    return f"`{shown}`, a task"
                if base.id in ("task", "pending_task", "current_task") and key.attr == "id":
                    found = self.project.names.lookup(base.id, scope)
                    if found is None or not any(b.how.startswith("element") for b in found[0]):
                        return f"`{shown}`, a task"
            return None
        if t is Sub:
            return f"`{text(key, 40)}`, the name of a node" if self._is_next(key.value) else None
        if t is Name:
            found = self.project.names.lookup(key.id, scope)
            if found is not None:
                for b in found[0]:
                    if b.how == "value" and type(b.node) in (Attr, Sub):
                        return self.names_task(b.node, found[1])
                    if b.how == "element" and self._is_next(b.node):
                        return f"`{key.id}`, the name of a node"
            return f"`{key.id}`" if key.id in ("task_id", "taskId") else None
        return None

    def _is_next(self, expr: Any) -> bool:
        """`graph.get_state(config).next`, also kept in a variable called after a state or snapshot: the names of the nodes that wait."""
        if type(expr) is not Attr or expr.attr != "next":
            return False
        made = expr.value.value if type(expr.value) is Await else expr.value
        name = (dotted(made.func) if type(made) is Call else dotted(made)) or ""
        return name.rsplit(".", 1)[-1] in ("get_state", "aget_state", "state", "snapshot", "st", "state_snapshot", "current_state", "snap")

    def _iterates_tasks(self, name: str, scope: Scope) -> bool:
        found = self.project.names.lookup(name, scope)
        if found is None:
            return False
        for b in found[0]:
            if b.how == "element" and self._is_tasks(b.node, found[1]):
                return True
            if b.how == "value" and type(b.node) is Sub and self._is_tasks(b.node.value, found[1]):
                return True
        return False

    def _is_tasks(self, expr: Any, scope: Scope) -> bool:
        if type(expr) is Attr:
            return expr.attr == "tasks"
        if type(expr) is Comp:
            return any(self._is_tasks(g.iter, scope) for g in expr.generators) and type(expr.elt) is Name
        if type(expr) is Call and expr.args and dotted(expr.func) in ("list", "reversed", "sorted", "filter", "tuple"):
            return self._is_tasks(expr.args[-1].value, scope)
        if type(expr) is Name and expr.id not in ("interrupts",):
            found = self.project.names.lookup(expr.id, scope)
            return found is not None and any(b.how == "value" and type(b.node) is not Name and self._is_tasks(b.node, found[1]) for b in found[0])
        return False


COMMAND_OBJECTS = frozenset(f"{p}()" for p in lg.COMMAND | lg.SDK_COMMAND)


def _not_none(edge: Edge, name: str) -> bool:
    """Whether a branch is only taken when the variable is not None: `while x is None:` is left, `if x:` is entered."""
    test = edge.test
    if edge.kind not in ("true", "false") or test is None:
        return False
    if type(test) is Cmp and len(test.ops) == 1 and type(test.rights[0]) is Const and test.rights[0].kind == "none":
        return _is_name(test.left, name) and edge.kind == ("true" if test.ops[0] in ("is not", "!=") else "false" if test.ops[0] in ("is", "==") else "")
    if type(test) is Call and dotted(test.func) == "isinstance" and test.args:
        return _is_name(test.args[0].value, name) and edge.kind == "true"
    return _is_name(test, name) and edge.kind == "true"


def _is_name(expr: Any, name: str) -> bool:
    return (type(expr) is Name and expr.id == name) or (type(expr) is Walrus and expr.target.id == name)


def _touches(call: Call, name: str) -> bool:
    if type(call.func) is Attr and dotted(call.func.value) == name:
        return True
    return any(type(a.value) is Name and a.value.id == name and not _is_command(call) for a in call.args)


def _is_command(call: Call) -> bool:
    return (dotted(call.func) or "").rsplit(".", 1)[-1] == "Command"


__all__ = ["ClassStmt", "Resumes", "Sent"]
