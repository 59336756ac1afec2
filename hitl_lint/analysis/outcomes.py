"""What callers make of a run's outcome: whether they wait for an exception that never comes, or write a result out as JSON with a pause in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.graphs import GRAPH_WORDS
from hitl_lint.analysis.names import Ext, Fn, Scope, is_graph_path
from hitl_lint.analysis.turns import Turn, nodes_in, unawaited
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import (
    Attr, BoolOp, Break, Call, Cmp, Const, Continue, Dict, For, Handler, If, Match, Name, Raise, Return, Seq, Sub, Try, dotted, walk,
)
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

CAUGHT = frozenset({"langgraph.errors.GraphInterrupt", "langgraph.errors.NodeInterrupt"})
# What writes JSON without knowing what an Interrupt is (run), by which name it takes what it writes. Flask's jsonify, orjson and what FastAPI makes of a
# returned value write the fields of a dataclass.
WRITERS = {"json.dumps": "obj", "json.dump": "obj", "simplejson.dumps": "obj", "ujson.dumps": "obj", "fastapi.responses.JSONResponse": "content",
           "starlette.responses.JSONResponse": "content", "aiohttp.web.json_response": "data", "django.http.JsonResponse": "data"}
LASTS = frozenset(w.rsplit(".", 1)[-1] for w in WRITERS)
# With one of these the caller says how to write what is no JSON.
ENCODERS = frozenset({"default", "cls", "dumps", "encoder"})
PLAIN_MODES = frozenset({"updates", "values"})
LOOKS = frozenset({"interrupts", "tasks", "next"})
MARK = "__interrupt__"


@record
class Written:
    """A call that writes JSON, and the expression in it that holds Interrupt objects (`run`: the run it came from)."""

    call: Call
    scope: Scope
    what: Any
    run: Turn | None


class Outcomes:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names

    def _scopes(self) -> Iterator[Scope]:
        for module in self.project.candidates:
            if not self.project.is_test(module.path):
                yield module.scope
                for info in list(module.functions):
                    yield self.names.scope(info)

    # ---- an exception that never comes
    def waited_for(self) -> Iterator[tuple[Handler, Scope, Call]]:
        """(handler, where, run) of handlers for a pause around a run of a root graph; those that only raise on are nobody's wait."""
        for scope in self._scopes():
            tries = [n for n in nodes_in(scope) if type(n) is Try]
            if not tries or self.project.savers.inside(scope):
                continue
            waits = [h for node in tries for h in node.handlers if self._for_pause(h, scope)]
            # What only a handler looks at is not looked at, as it never runs.
            if not waits or self._looks(scope, frozenset(id(n) for h in waits for s in h.body for n in walk(s))):
                continue
            for node in tries:
                for handler in node.handlers:
                    if not any(handler is h for h in waits) or all(type(s) is Raise for s in handler.body):
                        continue
                    run = next((n for s in node.body for n in walk(s) if type(n) is Call and self._is_run(n, scope)), None)
                    if run is not None:
                        yield handler, scope, run

    def _for_pause(self, handler: Handler, scope: Scope) -> bool:
        types = handler.type.elts if type(handler.type) is Seq else [handler.type]
        return any(isinstance(v, Ext) and v.path in CAUGHT for t in types if t is not None for v in self.names.resolve(t, scope))

    def _is_run(self, call: Call, scope: Scope) -> bool:
        if type(call.func) is not Attr or call.func.attr not in lg.RUN_METHODS:
            return False
        values = self.names.resolve(call.func.value, scope)
        if values and any(isinstance(v, Ext) and is_graph_path(v.path) for v in values):
            return True
        word = (dotted(call.func.value) or "").rsplit(".", 1)[-1].lower().strip("_")
        return not any(isinstance(v, Ext) for v in values) and bool(set(word.split("_")) & GRAPH_WORDS)

    def _looks(self, scope: Scope, unseen: frozenset[int] = frozenset(), depth: int = 0) -> bool:
        """Whether the function, or one that it calls, also looks at what is pending, so that the handler is only there to be safe."""
        if any((type(n) is Const and n.value == MARK or type(n) is Attr and n.attr in LOOKS) and id(n) not in unseen for n in nodes_in(scope)):
            return True
        return depth < 2 and any(isinstance(v, Fn) and self.names.scope(v.info) is not scope and self._looks(self.names.scope(v.info), depth=depth + 1)
                                 for c in scope.calls if id(c) not in unseen for v in self.names.resolve(c.func, scope))

    # ---- JSON
    def written(self) -> Iterator[Written]:
        """JSON of what holds Interrupt objects: `result["__interrupt__"]`, or a whole result or chunk of a graph that pauses."""
        runs = {id(t.call): t for t in self.project.turns.all()}
        for scope in self._scopes():
            for call in scope.calls:
                if type(call.func) not in (Attr, Name) or (dotted(call.func) or "").rsplit(".", 1)[-1] not in LASTS:
                    continue
                keyword = next((WRITERS[v.path] for v in self.names.resolve(call.func, scope) if isinstance(v, Ext) and v.path in WRITERS), None)
                if keyword is None or any(a.name in ENCODERS or a.star for a in call.args):
                    continue
                first = next((a.value for a in call.args if a.name in (None, keyword)), None)
                for part in _parts(first):
                    if _holds_pauses(part, scope, self.names):
                        yield Written(call, scope, part, None)
                        break
                    run = self._made_by(part, scope, runs, call)
                    if run is not None and not self._looks(scope):
                        yield Written(call, scope, part, run)
                        break

    def _made_by(self, e: Any, scope: Scope, runs: dict[int, Turn], call: Call) -> Turn | None:
        """The run of a pausing graph whose whole result or chunk an expression is, where it is written."""
        value = unawaited(e)
        b = None
        if type(value) is Name:
            found = self.names.lookup(value.id, scope)
            if found is None or found[1] is not scope or len(found[0]) != 1 or found[0][0].how not in ("value", "element", "element-unpack"):
                return None
            b = found[0][0]
            value = unawaited(b.node)
        turn = runs.get(id(value))
        if turn is None or self.project.turns.pauses(turn) is None or not self.project.turns.outside(turn) or any(
                a.name == "version" or a.star for a in turn.call.args):
            return None
        graph = self.project.turns.graph(turn)
        if graph is None or self.project.graphs.of_messages(graph):
            return None  # messages are no JSON either: this raises at each run, and they know
        method = turn.call.func.attr  # type: ignore[attr-defined]
        if b is None or b.how == "value":
            return turn if method in ("invoke", "ainvoke") else None
        return turn if method in ("stream", "astream") and self._a_chunk(b, turn.call, call) else None

    def _a_chunk(self, b: Any, run: Call, call: Call) -> bool:
        """Whether a name of a loop over a stream is, where a call uses it, a chunk in which a pause can be: `for chunk in …`, `for mode, chunk in …` with
        several modes, `for path, chunk in …` with subgraphs."""
        given = next((a.value for a in run.args if a.name == "stream_mode"), None)
        several = type(given) is Seq
        modes = {m.value if type(m) is Const else None for m in given.elts} if several else {"updates" if given is None else given.value if type(given) is Const else None}
        below = next((a.value for a in run.args if a.name == "subgraphs"), None)
        if None in modes or below is not None and not (type(below) is Const and below.kind == "bool"):
            return False
        paths = below is not None and below.value
        if b.how == "element-unpack":
            if b.index != int(paths) + int(several):
                return False
            target = b.stmt.target if type(b.stmt) is For else None
            if several and type(target) is Seq and len(target.elts) == b.index + 1 and type(target.elts[int(paths)]) is Name:
                modes = _modes_at(b.stmt.body, call, target.elts[int(paths)].id, frozenset(modes)) or frozenset()
        return bool(modes & PLAIN_MODES)


def _modes_at(body: list[Any], call: Call, name: str, modes: frozenset[Any]) -> frozenset[Any] | None:
    """The modes that a stream's chunk can have where a call stands, by the tests of the variable that holds the mode; None where the call is not."""
    for stmt in body:
        t = type(stmt)
        if t is If:
            yes = _let_through(stmt.test, name, modes)
            no = modes - yes if _exact(stmt.test, name) else frozenset() if _asks(stmt.test, name) else modes
            if any(n is call for n in walk(stmt.test)):
                return modes
            found = _modes_at(stmt.body, call, name, yes)
            found = _modes_at(stmt.orelse, call, name, no) if found is None else found
            if found is not None:
                return found
            if stmt.body and type(stmt.body[-1]) in (Continue, Return, Raise, Break):
                modes = no if not stmt.orelse else modes
            continue
        if t is Match and _asks(stmt.subject, name):
            if any(n is call for n in walk(stmt)):
                return frozenset()
            continue
        inner = [getattr(stmt, part) for part in ("body", "orelse", "final") if hasattr(stmt, part)] + [h.body for h in getattr(stmt, "handlers", ())]
        for statements in inner:
            found = _modes_at(statements, call, name, modes)
            if found is not None:
                return found
        if any(n is call for n in walk(stmt)):
            return modes
    return None


def _asks(test: Any, name: str) -> bool:
    return any(type(n) is Name and n.id == name for n in walk(test))


def _exact(test: Any, name: str) -> bool:
    """`mode == "updates"`, `mode in ("updates", "values")`: nothing else decides."""
    return type(test) is Cmp and len(test.ops) == 1 and type(test.left) is Name and test.left.id == name and (
        test.ops[0] in ("==", "!=") and type(test.rights[0]) is Const or test.ops[0] in ("in", "not in") and type(test.rights[0]) is Seq
        and all(type(x) is Const for x in test.rights[0].elts))


def _let_through(test: Any, name: str, modes: frozenset[Any]) -> frozenset[Any]:
    """The modes for which a test can hold; none where it cannot be told."""
    if not _asks(test, name):
        return modes
    if type(test) is BoolOp and test.op == "and":
        for part in test.values:
            modes = _let_through(part, name, modes)
        return modes
    if not _exact(test, name):
        return frozenset()
    named = {test.rights[0].value} if type(test.rights[0]) is Const else {x.value for x in test.rights[0].elts}
    return modes & named if test.ops[0] in ("==", "in") else modes - named


def _parts(e: Any) -> Iterator[Any]:
    """An expression, and what stands as it is in a display."""
    if type(e) is Dict:
        for v in e.values:
            yield from _parts(v)
    elif type(e) is Seq:
        for v in e.elts:
            yield from _parts(v)
    elif e is not None:
        yield e


def _holds_pauses(e: Any, scope: Scope, names: Any, depth: int = 0) -> bool:
    """`result["__interrupt__"]`, one of its elements, `state.interrupts`, also through a variable."""
    e = unawaited(e)
    if type(e) is Name and depth < 3:
        found = names.lookup(e.id, scope)
        return found is not None and len(found[0]) == 1 and found[0][0].how == "value" and _holds_pauses(found[0][0].node, found[1], names, depth + 1)
    if type(e) is Sub:
        if type(e.index) is Const and e.index.value == MARK:
            return True
        return type(e.index) is Const and e.index.kind == "int" and _holds_pauses(e.value, scope, names, depth + 1)
    if type(e) is Call and type(e.func) is Attr and e.func.attr == "get":
        return bool(e.args) and type(e.args[0].value) is Const and e.args[0].value.value == MARK
    if type(e) is Call and dotted(e.func) in ("list", "tuple") and e.args:
        return _holds_pauses(e.args[0].value, scope, names, depth + 1)
    return type(e) is Attr and e.attr == "interrupts" and _of_state(e.value, scope, names)


def _of_state(e: Any, scope: Scope, names: Any) -> bool:
    e = unawaited(e)
    if type(e) is Call:
        return type(e.func) is Attr and e.func.attr in ("get_state", "aget_state")
    if type(e) is Name:
        found = names.lookup(e.id, scope)
        return found is not None and any(b.how == "value" and type(unawaited(b.node)) is Call and _of_state(b.node, found[1], names) for b in found[0])
    return False


__all__ = ["Outcomes", "Written"]
