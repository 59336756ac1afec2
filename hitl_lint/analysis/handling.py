"""How the value of a pause is handled before anybody decides by it: dropped, returned bare, read under the wrong key, or asked for one of many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.answers import strings_of
from hitl_lint.analysis.cfg import Point
from hitl_lint.analysis.names import Cls, Ext, Fn, FnInfo, Lit, ModuleInfo, Scope, is_test
from hitl_lint.analysis.whatif import Cmd, Known, Lost, Sym, WhatIf
from hitl_lint.catalogue import decisions, surface, verbs
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import (
    Assign, At, Attr, AugAssign, Await, Bin, Call, Cmp, Comp, Const, Dict, ExprStmt, For, FStr, If, IfExp, ImportName, Name, Seq, Sub, Try, Un, children, dotted, walk,
)

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

LOGS = frozenset({"print", "pprint", "debug", "info", "warning", "error", "exception", "log", "critical", "rprint", "echo", "secho", "trace", "success"})
# What asks a person at a keyboard.
PROMPTS = frozenset({"input", "ask", "prompt", "confirm", "text", "select"})
# First words of what looks something up outside, where it cannot be followed.
FETCHES = frozenset("get fetch find load read lookup query select filter poll retrieve status decision approval verdict is has was".split())
LOST_KEYS = frozenset({"interrupt", "interrupts"})


class Handling:
    def __init__(self, project: "Project") -> None:
        self.project = project

    def gives_answer(self, p: "Pausing", pause: Point) -> bool:
        """`interrupt(…)` itself, or a project function that only hands its answer on."""
        j = p.judged[pause.id]
        if not j.targets:
            return any(x in lg.INTERRUPT for x in j.paths)
        return all(self._hands_on(info) for info in j.targets)

    def _hands_on(self, info: FnInfo) -> bool:
        inner = self.project.pausing_of(info)
        if inner is None or not self.project.returned(info).answer or len(inner.pauses) != 1:
            return False
        flow = self.project.flow(info)
        return not any(s.kind == "answer" for point in inner.cfg.points if point.kind in ("test", "case") for s in flow.taint(
            point.node if point.kind == "test" else getattr(point.stmt, "subject", None), point))

    # ------------------------------------------------------------------ dropped
    def dropped(self, p: "Pausing", pause: Point) -> str | None:
        """How the answer is lost: "unused", "logged", or None when something is made of it or nothing was asked."""
        if is_test(p.path) or not self.gives_answer(p, pause) or not self._asks(p, pause):
            return None
        if self._read_from_state(p, pause) or self._decided_outside(p):
            return None
        how = self._lost(p, pause)
        if how is not None and (offered := self._notice(p, pause)) is not None:
            return "offered" if offered else None
        return how

    def _notice(self, p: "Pausing", pause: Point) -> list[str] | None:
        """What people are let do about a pause that only tells of an error ("set the key and restart"), besides to ignore it: `allow_respond`; None for
        every other pause."""
        said: list[str] = []
        allowed: list[str] = []
        work = [a.value for a in pause.node.args if a.name in (None, "value")]
        for e in work if len(work) == 1 else ():
            if type(e) is Name:
                e = self._last(e, p, pause)
            for n in walk(e) if e is not None else ():
                if type(n) is not Dict:
                    continue
                for k, v in zip(n.keys, n.values):
                    if type(k) is Const and str(k.value).startswith("allow_"):
                        allowed += [str(k.value)] if type(v) is not Const or v.value is True else []
                        continue
                    if type(k) is Const and k.value in ("options", "choices", "actions", "buttons"):
                        return None
                    made = self._last(v, p, pause) if type(v) is Name else v
                    said += [x.value for x in walk(made) if type(x) is Const and x.kind == "str"] if type(made) in (Const, FStr, Bin) else []
        shown = " ".join(said)
        if not decisions.TELLS_OF_ERROR.search(shown) or decisions.ASKS_TO_DECIDE.search(shown) or "?" in shown:
            return None
        return [a for a in allowed if a != "allow_ignore"]

    def _last(self, e: Name, p: "Pausing", pause: Point) -> Any:
        """What a local name was last given on every way to a pause; None where that is not certain."""
        made = [x for x in p.cfg.points if x.kind == "bind" and type(x.node) is Assign and any(type(t) is Name and t.id == e.id for t in x.node.targets)
                and p.cfg.dominates(x, pause)]
        return max(made, key=lambda x: x.node.at).node.value if made else None

    def parked(self, p: "Pausing", pause: Point) -> bool:
        """A pause that is a parking place: its answer is not used, and the yes or no is read from a record outside of the run."""
        return self._lost(p, pause) is not None and self._decided_outside(p)

    def _lost(self, p: "Pausing", pause: Point) -> str | None:
        """"unused" or "logged" where nothing is made of what a pause gives."""
        stmt = pause.stmt
        value = getattr(stmt, "value", None)
        while type(value) is Await:
            value = value.value
        if value is not pause.node:
            return None
        if type(stmt) is ExprStmt:
            return "unused"
        if type(stmt) is not Assign or len(stmt.targets) != 1 or type(stmt.targets[0]) is not Name:
            return None
        name = stmt.targets[0].id
        if p.info.fn.name == "<lambda>" or name in (*p.info.fn.globals, *p.info.fn.nonlocals):
            return None
        loads = [logged for s in p.info.fn.body for logged in _loads(s, name, False)]
        if not loads:
            return "unused"
        return "logged" if all(loads) else None

    def _decided_outside(self, p: "Pausing") -> bool:
        """Whether the node looks into a record of its own for the yes or no: `approval = queue.get(id)`, `approval.status == Status.APPROVED`,
        `if not is_approved(ticket)`. The node runs again when the run goes on, so that a look before the pause counts as well."""
        points = [x for x in p.cfg.points if x.kind in ("test", "case", "return", "bind")]
        for e in (n for x in points for n in walk(getattr(x.node, "value", x.node) if x.kind in ("return", "bind") else getattr(x.stmt, "subject", None) if x.kind == "case" else x.node)):
            if type(e) is Cmp and len(e.ops) == 1 and e.ops[0] in ("==", "!=", "in", "not in", "is", "is not"):
                said = [x for side in (e.left, e.rights[0]) for x in (side.elts if type(side) is Seq else [side])]
                if any(decisions.says(_member(x), decisions.VERDICTS) for x in said) and any(self._of_record(x, p, 0) for x in (e.left, e.rights[0])):
                    return True
            elif type(e) in (Attr, Sub) and decisions.approval_key(e.attr if type(e) is Attr else _key(e)) and self._of_record(e.value, p, 0):
                return True
            elif type(e) is Call and self._asks_record(e, p):
                return True
        return any(x.kind == "case" and decisions.says(" ".join(_member(n) for n in walk(x.node.pattern)), decisions.VERDICTS)
                   and self._of_record(getattr(x.stmt, "subject", None), p, 0) for x in points)

    def _asks_record(self, e: Call, p: "Pausing") -> bool:
        """`is_approved(ticket)`, `record.get("approved")`, `queue.approved(ticket)`: the truth of what it gives is the verdict."""
        name = (dotted(e.func) or "").rsplit(".", 1)[-1]
        if type(e.func) is Attr and e.func.attr == "get" and e.args and decisions.approval_key(_key(e)):
            return self._of_record(e.func.value, p, 0)
        words = decisions.words(name)
        return len(words) > 1 and words[0] in ("is", "was", "has", "got", "check") and decisions.says(name, decisions.VERDICTS | decisions.APPROVAL_NOUNS) and self._of_record(e, p, 0)

    def _of_record(self, e: Any, p: "Pausing", depth: int) -> bool:
        """Whether an expression is (part of) what a call of the node gives that is no pause and does not look into the state."""
        while type(e) in (Attr, Sub, Await) or type(e) is Call and type(e.func) is Attr and e.func.attr and (e.func.attr == "get" or not e.args):
            if type(e) is Call and e.args and type(e.args[0].value if e.args else None) is not Const:
                break  # a record is fetched by its id
            e = e.func.value if type(e) is Call else e.value
        if type(e) is Call:
            params = [a.name for a in p.info.fn.params if a.name not in ("self", "cls")][:1]
            if not e.args or params and self._of_state(e.func, params[0], p.scope, 0):
                return False
            j = self.project.effects.judge(e, p.scope)
            if j.pause is not None or j.model is not None:
                return False
            name = e.func.attr if type(e.func) is Attr else (dotted(e.func) or "").rsplit(".", 1)[-1]
            return j.read is not None or not j.targets and not FETCHES.isdisjoint(verbs.words(name)[:1])
        return type(e) is Name and depth < 3 and any(b.how == "value" and self._of_record(b.node, p, depth + 1) for b in p.scope.bindings.get(e.id, ()))

    def _read_from_state(self, p: "Pausing", pause: Point) -> bool:
        """The answer comes by another way: `update_state` while the run waits, and after the pause the node looks into the state."""
        if any(self.project.names.calls_by_name.get(name) for name in ("update_state", "aupdate_state")):
            return True
        params = [a.name for a in p.info.fn.params if a.name not in ("self", "cls")][:1]
        if params and not any(c.resume is not None for c in self.project.resumes.commands()) and any(
                g.kind == "test" and not g.again and self._decision_of(g.node, params[0], p.scope, 0) for g in p.cfg.guards(pause)):
            return True  # nobody sends answers: the node looks at its top whether the decision is there by now
        after = p.cfg.reachable([pause])
        line = pause.node.at[2]
        return bool(params) and any(
            type(n) in (Sub, Call) and dotted(n.value if type(n) is Sub else getattr(n.func, "value", None)) == params[0] and (type(n) is Sub or n.func.attr == "get")
            and n.at[0] > line and decisions.decision_key(_key(n)) for point in after if point.stmt is not None for n in walk(point.stmt))

    def _decision_of(self, e: Any, state: str, scope: Scope, depth: int) -> bool:
        """Whether an expression reads a decision out of the state, also through local names: `review = state["review"]`, `review.get("decision")`."""
        for n in walk(e) if depth < 4 else ():
            if type(n) in (Sub, Call) and (type(n) is Sub or type(n.func) is Attr and n.func.attr == "get") and decisions.decision_key(_key(n)):
                base = n.value if type(n) is Sub else n.func.value
                if self._of_state(base, state, scope, 0):
                    return True
            elif type(n) is Name and n.id != state:
                if any(b.how == "value" and self._decision_of(b.node, state, scope, depth + 1) for b in scope.bindings.get(n.id, ())):
                    return True
        return False

    def _of_state(self, e: Any, state: str, scope: Scope, depth: int) -> bool:
        while type(e) in (Sub, Attr) or type(e) is Call and type(e.func) is Attr:
            e = e.func.value if type(e) is Call else e.value
        return type(e) is Name and (e.id == state or depth < 3 and any(b.how == "value" and self._of_state(b.node, state, scope, depth + 1)
                                                                       for b in scope.bindings.get(e.id, ())))

    def _asks(self, p: "Pausing", pause: Point) -> bool:
        """The payload asks for something; a pause that only waits until something has happened has no answer to look at."""
        texts = [t for call, scope in self.project.answers.asking_calls(p, pause) for a in call.args for t in strings_of(a.value, scope, self.project)]
        return _wants(" ".join(texts)) or self._decided_by_word(p) or _wants(" ".join(self._typed_for(p, pause)))

    def _typed_for(self, p: "Pausing", pause: Point) -> Iterator[str]:
        """What is asked at the keyboard for the answer to this pause: by a function that a table holds under a word of the payload
        (`HANDLERS[value["checkpoint"]](…)`), or where that word is tested; of the only pause, whatever is asked."""
        others = [q for q in self.project.pausing() if not is_test(q.path)]
        alone = len(others) == 1 and len(others[0].pauses) == 1
        words = {n.value for a in pause.node.args for v in self.project.names.resolve(a.value, p.scope) if isinstance(v, Lit) and type(v.expr) is Dict
                 for n in v.expr.values if type(n) is Const and n.kind == "str"}
        for sent in self.project.resumes.commands():
            found = self.project.names.lookup(sent.resume.id, sent.scope) if type(sent.resume) is Name else None
            made = [(b.node, found[1]) for b in found[0] if b.how == "value"] if found is not None and len(found[0]) <= 12 else [(sent.resume, sent.scope)]
            for e, scope in made if sent.resume is not None and not is_test(sent.scope.module.path) else ():
                e = e.value if type(e) is Await else e
                if type(e) is Call and type(e.func) is Sub:
                    for v in self.project.names.resolve(e.func.value, scope):
                        for k, handler in zip(v.expr.keys, v.expr.values) if isinstance(v, Lit) and type(v.expr) is Dict else ():
                            if type(k) is Const and k.value in words:
                                for f in self.project.names.resolve(handler, v.scope):
                                    yield from self._prompts(f.info) if isinstance(f, Fn) else ()
                elif type(e) is Call and (alone or words and self._tested_for(e, scope, words)):
                    if (dotted(e.func) or "").rsplit(".", 1)[-1] in PROMPTS:
                        yield from (t for a in e.args[:1] for t in strings_of(a.value, scope, self.project))
                    for f in self.project.names.resolve(e.func, scope):
                        yield from self._prompts(f.info) if isinstance(f, Fn) else ()

    def _prompts(self, info: FnInfo) -> Iterator[str]:
        scope = self.project.names.scope(info)
        for c in scope.calls:
            if (dotted(c.func) or "").rsplit(".", 1)[-1] in PROMPTS:
                yield from (t for a in c.args[:1] for t in strings_of(a.value, scope, self.project))

    def _tested_for(self, e: Any, scope: Scope, words: set[Any]) -> bool:
        """Whether an answer is made where a test found one of these words."""
        if scope.kind != "function" or not isinstance(scope.owner, FnInfo):
            return False
        cfg = self.project.cfg(scope.owner)
        return any(g.kind == "test" and g.branch == "true" and type(g.node) is Cmp and g.node.ops == ["=="] and type(g.node.rights[0]) is Const and g.node.rights[0].value in words
                   for point in cfg.at(e, "call")[:1] for g in cfg.guards(point))

    def _decided_by_word(self, p: "Pausing") -> bool:
        """The project sends yes as well as no, and this is the only pause that they can be for: the payload alone (`{"data": cells}`) need not ask."""
        others = [q for q in self.project.pausing() if not is_test(q.path)]
        if len(others) != 1 or len(others[0].pauses) != 1 or others[0].info.fn is not p.info.fn:
            return False
        sent = {v.expr.value for c in self.project.resumes.commands() if c.resume is not None and not is_test(c.scope.module.path)
                for v in self.project.names.resolve(c.resume, c.scope) if isinstance(v, Lit) and type(v.expr) is Const}
        return any(x is True or isinstance(x, str) and decisions.says_yes(x) for x in sent) and any(
            x is False or isinstance(x, str) and decisions.says_no(x) for x in sent)

    # ------------------------------------------------------------------ returned bare
    def returned_bare(self, p: "Pausing", pause: Point) -> bool:
        """A node gives its state update as the bare answer, which LangGraph refuses unless it is a dict."""
        if not self.project.onward.places(p.info) or not self.gives_answer(p, pause) or any(a.name == "response_schema" for a in pause.node.args):
            return False
        kinds = self._resumed_with()
        if "other" not in kinds and ("dict" in kinds or not self._asks_for_a_text(p, pause) and not self._shows_the_state(p, pause)) or not self._dict_state(p.info):
            return False
        if not kinds and self.asked_until_known(p, pause, surely=False):
            return False  # the value comes with the next input, and the pause is not resumed
        what = WhatIf(self.project, "qzxj")
        try:
            results = what.after(p.info, pause)
        except (Lost, RecursionError):
            return False
        for r in results:
            value = r.value.update if type(r.value) is Cmd and r.value.update is not None else r.value
            if r.end != "return":
                continue
            if type(value) is Sym and not value.path and r.state.facts.get(("shape", ())) in (None, "leaf"):
                return True
            if type(value) is Known and value.how == "leaf" and value.path is not None:
                return True
        return False

    def asked_until_known(self, p: "Pausing", pause: Point, surely: bool = True) -> bool:
        """`if not state.get("quantity"): return interrupt(…)`: asked until the state holds it."""
        params = {a.name for a in p.info.fn.params}
        return not any(c.resume is not None for c in self.project.resumes.commands()) and any(
            g.kind == "test" and any(type(n) is Name and n.id in params for n in walk(g.node)) and _missing(g.node, g.branch == "true", surely) for g in p.cfg.guards(pause))

    def _resumed_with(self) -> set[str]:
        """With what the project's runs are resumed: "dict", "other" (a word, a number, a list)."""
        kinds = set()
        for sent in self.project.resumes.commands():
            for v in self.project.names.resolve(sent.resume, sent.scope) if sent.resume is not None else ():
                if isinstance(v, Lit):
                    kinds.add("dict" if type(v.expr) is Dict or type(v.expr) is Comp and v.expr.kind == "dict" else "other")
        return kinds

    def _asks_for_a_text(self, p: "Pausing", pause: Point) -> bool:
        """The question is a plain text: a person types the answer. A dict may be a form, whose answer is one, too."""
        return any(type(v.expr if isinstance(v, Lit) else None) in (Const, FStr, Bin) for call, scope in self.project.answers.asking_calls(p, pause)
                   for a in call.args[:1] for v in self.project.names.resolve(a.value, scope))

    def _shows_the_state(self, p: "Pausing", pause: Point) -> bool:
        """The whole state is shown, which asks for nothing: `interrupt(state)`, `interrupt({**state})`. Whoever sends what is not seen here may send it back, changed."""
        if any(c.resume is not None and not any(isinstance(v, Lit) for v in self.project.names.resolve(c.resume, c.scope)) for c in self.project.resumes.commands()):
            return False
        state = next((a.name for a in p.info.fn.params if a.name not in ("self", "cls")), None)
        for a in pause.node.args[:1] if pause.node.args and pause.node.args[0].name in (None, "value") else ():
            e = a.value
            if type(e) is Dict and e.keys == [None]:
                e = e.values[0]
            elif type(e) is Call and dotted(e.func) in ("dict", "copy", "copy.copy", "copy.deepcopy", "deepcopy") and len(e.args) == 1:
                e = e.args[0].value
            elif type(e) is Call and type(e.func) is Attr and e.func.attr in ("copy", "model_dump", "dict", "model_copy"):
                e = e.func.value
            if type(e) is Name and e.id == state:
                return True
        return False

    def _dict_state(self, info: FnInfo) -> bool:
        """The graph's state has named keys (a class), so that an update must be a dict."""
        for builder, _ in self.project.onward.places(info):
            graph = builder.graph
            if graph.origin is None or (dotted(graph.origin.func) or "").endswith("MessageGraph"):
                continue
            schema = next((a.value for a in graph.origin.args if a.name in (None, "state_schema")), None)
            return any(isinstance(s, Cls) or isinstance(s, Ext) and s.path[:1].isalpha() and "." in s.path
                       for s in self.project.names.resolve(schema, graph.scope))
        return False

    # ------------------------------------------------------------------ misused
    def without_value(self) -> Iterator[tuple["Pausing", Point]]:
        """`interrupt()`: the value is required."""
        for p in self.project.pausing():
            for pause in p.pauses:
                if not pause.node.args and not p.judged[pause.id].targets and any(x in lg.INTERRUPT for x in p.judged[pause.id].paths):
                    yield p, pause

    def wrong_imports(self) -> Iterator[tuple[ModuleInfo, ImportName]]:
        """`from langgraph.graph import interrupt`: there is none."""
        for module in self.project.candidates:
            for stmt in module.facts.body:
                yield from ((module, imp) for imp in _wrong_imports(stmt, False))

    def wrong_keys(self) -> Iterator[tuple[Scope, Any, str, Call]]:
        """(scope, expression, key, run) of reads of `result["interrupt"]` where the result is that of a graph's run."""
        names = self.project.names
        for module in self.project.candidates:
            scopes = [module.scope, *(names.scope(f) for f in list(module.functions))]
            bodies: list[tuple[Scope, list[Any]]] = [(s, s.owner.fn.body if s.kind == "function" else module.facts.body) for s in scopes]
            for scope, body in bodies:
                for stmt in body:
                    for node in walk(stmt):
                        base, key = _read_of(node)
                        if base is None or key not in LOST_KEYS:
                            continue
                        for v in names.resolve(base, scope):
                            if isinstance(v, Ext) and v.path.endswith((".invoke()", ".ainvoke()")) and v.path.rsplit(".", 1)[0] in surface.GRAPH_OBJECTS:
                                if v.origin is not None and v.scope is not None and self._without_key(v, key):
                                    yield scope, node, key, v.origin
                                break
                        else:
                            v2 = self._chunk_of(base, scope)
                            if v2 is not None and self._without_key(v2, key) and not self._node_named(v2, key):
                                yield scope, node, key, v2.origin

    def _chunk_of(self, e: Any, scope: Scope) -> Ext | None:
        """The graph of whose stream a name is a chunk: `for chunk in graph.stream(…)`, `for mode, chunk in …` where several modes are asked for."""
        names = self.project.names
        found = names.lookup(e.id, scope) if type(e) is Name else None
        if found is None or found[1] is not scope or len(found[0]) != 1 or found[0][0].how not in ("element", "element-unpack"):
            return None
        b = found[0][0]
        call = b.node.value if type(b.node) is Await else b.node
        if type(call) is not Call or type(call.func) is not Attr or call.func.attr not in ("stream", "astream") or any(
                a.star or a.name in ("subgraphs", "version", "output_keys") for a in call.args):
            return None
        mode = next((a.value for a in call.args if a.name == "stream_mode"), None)
        several = type(mode) is Seq
        modes = {x.value for x in (mode.elts if type(mode) is Seq else [mode] if mode is not None else []) if type(x) is Const}
        if mode is not None and (not modes or not modes <= {"updates", "values"}) or several != (b.how == "element-unpack") or several and b.index != 1:
            return None
        return next((v for v in names.resolve(call.func.value, scope) if isinstance(v, Ext) and v.path in surface.GRAPH_OBJECTS and v.origin is not None and v.scope is not None), None)

    def _node_named(self, v: Ext, key: str) -> bool:
        """Whether a chunk may have the key because a node is called so."""
        graph = self.project.graphs.of(v.origin)
        return graph is None or graph.open or any(n.name in (None, key) for n in graph.nodes)

    def _without_key(self, v: Ext, key: str) -> bool:
        """The graph's state is seen and has no such key."""
        assert v.origin is not None and v.scope is not None
        if any(a.name in ("state_schema", "output_schema", "output", "context_schema") and a.name != "context_schema" and not _is_state(a.name, v) for a in v.origin.args):
            return False
        if v.path.split("(")[0] in lg.AGENT_FACTORIES:
            return not any(a.name == "state_schema" for a in v.origin.args)
        schema = next((a.value for a in v.origin.args if a.name in (None, "state_schema")), None)
        what = WhatIf(self.project, "")
        for s in self.project.names.resolve(schema, v.scope) if schema is not None else ():
            if isinstance(s, Cls):
                return all(name != key for name, _, _ in what._declared(s.info))
        return False

    # ------------------------------------------------------------------ one of many
    def partial_gate(self, p: "Pausing", pause: Point) -> tuple[str, str] | None:
        """(what is reviewed, what runs all) where only one of a message's tool calls is shown to the human and then all of them run."""
        if p.judged[pause.id].targets and not self.gives_answer(p, pause):
            return None
        one = self._one_call(p, pause)
        if one is None or self._single_call_model(p):
            return None
        # Who picks some calls by what they are has said that they matter.
        runs = self._runs_all(p, matters=one not in ("the first call", "the last call"))
        return (one, runs) if runs else None

    def _one_call(self, p: "Pausing", pause: Point) -> str | None:
        fn = p.info.fn
        for stmt in fn.body:
            for node in walk(stmt):
                # All of them are looked at, counted or handed over: somebody has thought of the others.
                if type(node) is Call and dotted(node.func) == "len" and node.args and self._tool_calls(node.args[0].value, p.scope):
                    return None
                if type(node) is Comp and any(self._tool_calls(g.iter, p.scope) for g in node.generators) and not self._first_of(node, fn.body):
                    if not (node.at > pause.node.at and _answers_calls([node.elt])) and not self._told_only(node, fn.body):
                        return None
                if type(node) is Dict and any(self._tool_calls(v, p.scope) for v in node.values):
                    return None
                if type(node) is Cmp and any(self._tool_calls(r, p.scope) for r in node.rights):
                    return None
        loop = next((r.node for r in reversed(pause.regions) if r.kind == "loop" and type(r.node) is For and self._tool_calls(r.node.iter, p.scope)), None)
        if loop is not None:
            return None if p.cfg.connects(pause, pause) else "the first call that it stops at"
        if any(type(n) is For and self._tool_calls(n.iter, p.scope) and not (n.at > pause.node.at and _answers_calls(n.body)) for stmt in fn.body for n in walk(stmt)):
            return None
        shown = {n.id for a in pause.node.args for n in walk(a.value) if type(n) is Name}
        todo, seen = list(shown), set(shown)
        taken = self._taken_out(fn, p.scope)
        while todo:
            if todo[-1] in taken:
                return taken[todo[-1]]
            for b in p.scope.bindings.get(todo.pop(), ()):
                if b.how == "value":
                    for part in (b.node.body, b.node.orelse) if type(b.node) is IfExp else (b.node,):
                        if (one := self._picks_one(part, p.scope)) is not None:
                            return one
                    for n in walk(b.node):
                        if type(n) is Name and n.id not in seen and len(seen) < 30:
                            seen.add(n.id)
                            todo.append(n.id)
        for a in pause.node.args:
            for n in walk(a.value):
                if (found := self._picks_one(n, p.scope)) is not None:
                    return found
        return None

    def _taken_out(self, fn: Any, scope: Scope) -> dict[str, str]:
        """`*_, call = message.tool_calls`: by name which call of many it is."""
        out: dict[str, str] = {}
        for n in (n for stmt in fn.body for n in walk(stmt)):
            if type(n) is not Assign or len(n.targets) != 1 or type(n.targets[0]) is not Seq or n.value is None or not self._tool_calls(n.value, scope):
                continue
            elts = n.targets[0].elts
            rest = [e.value.id for e in elts if type(e).__name__ == "Star" and type(e.value) is Name]
            if len(elts) == 2 and rest and not any(type(x) is Name and x.id in rest for stmt in fn.body for m in walk(stmt) if m is not n and type(m) is Call for x in walk(m)):
                for at, e in enumerate(elts):
                    if type(e) is Name:
                        out[e.id] = "the first call" if at == 0 else "the last call"
        return out

    def _picks_one(self, e: Any, scope: Scope) -> str | None:
        if _at_an_end(e) and self._chosen_calls(e.value, scope) is not None:
            return "the first call that matches" if type(e.index) is Const and e.index.value == 0 else "the last call that matches"
        if type(e) is Sub and type(e.index) is Const and e.index.value in (0, -1) or type(e) is Sub and type(e.index).__name__ == "Un":
            if self._tool_calls(e.value, scope):
                return "the first call" if type(e.index) is Const and e.index.value == 0 else "the last call"
        if type(e) is Call and dotted(e.func) == "next" and e.args and type(e.args[0].value) is Comp:
            if self._tool_calls(e.args[0].value.generators[0].iter, scope):
                return "the first call that matches"
        if type(e) is Call and dotted(e.func) == "next" and e.args and type(e.args[0].value) is Call and self._chosen_calls(e.args[0].value, scope) is not None:
            return "the first call that matches"
        return None

    def _told_only(self, comp: Comp, body: list[Any]) -> bool:
        """`names = [c["name"] for c in calls]`, which nobody looks at but the log."""
        name = next((n.targets[0].id for stmt in body for n in walk(stmt) if type(n) is Assign and n.value is comp and len(n.targets) == 1 and type(n.targets[0]) is Name), None)
        return name is not None and all(logged for stmt in body for logged in _loads(stmt, name, False))

    def _chosen_calls(self, e: Any, scope: Scope) -> Any | None:
        """`[c for c in message.tool_calls if risky(c)]`, `list(filter(risky, message.tool_calls))`, or a name for it."""
        if type(e) is Name:
            found = scope.bindings.get(e.id, ())
            e = found[0].node if len(found) == 1 and found[0].how == "value" else None
        while type(e) is Call and dotted(e.func) in ("list", "tuple") and len(e.args) == 1:
            e = e.args[0].value
        if type(e) is Call and dotted(e.func) == "filter" and len(e.args) == 2:
            return e if self._tool_calls(e.args[1].value, scope) else None
        if type(e) is Comp and len(e.generators) == 1 and e.generators[0].ifs and type(e.elt) is Name and type(e.generators[0].target) is Name:
            return e if e.elt.id == e.generators[0].target.id and self._tool_calls(e.generators[0].iter, scope) else None
        return None

    def _first_of(self, comp: Comp, body: list[Any]) -> bool:
        if any(_at_an_end(n) and n.value is comp for stmt in body for n in walk(stmt)):
            return True
        # `risky = [c for c in calls if …]`, of which nothing but one is taken, after a look whether there is any.
        name = next((n.targets[0].id for stmt in body for n in walk(stmt) if type(n) is Assign and n.value is comp and len(n.targets) == 1 and type(n.targets[0]) is Name), None)
        if name is not None and comp.generators[0].ifs and type(comp.elt) is Name:
            nodes = [n for stmt in body for n in walk(stmt)]
            taken = {id(n.value) for n in nodes if _at_an_end(n) and type(n.value) is Name and n.value.id == name}
            asked = {id(x) for n in nodes if type(n) in (If, IfExp) for x in [n.test.value if type(n.test) is Un and n.test.op == "not" else n.test] if type(x) is Name and x.id == name}
            made = {id(t) for n in nodes if type(n) is Assign for t in n.targets}
            if taken:
                return all(id(n) in taken | asked | made for n in nodes if type(n) is Name and n.id == name)
        return any(type(n) is Call and dotted(n.func) == "next" and n.args and n.args[0].value is comp for stmt in body for n in walk(stmt))

    def _tool_calls(self, e: Any, scope: Scope, depth: int = 0) -> bool:
        """The tool calls of a message: `m.tool_calls`, `m["tool_calls"]`, `getattr(m, "tool_calls", [])`, or a name for them."""
        t = type(e)
        if t is Attr:
            return e.attr == "tool_calls"
        if t is Sub:
            return type(e.index) is Const and e.index.value == "tool_calls"
        if t is Call:
            keys = [a.value.value for a in e.args[:2] if type(a.value) is Const]
            return "tool_calls" in keys and (dotted(e.func) == "getattr" or type(e.func) is Attr and e.func.attr == "get")
        if t.__name__ == "BoolOp":
            return self._tool_calls(e.values[0], scope, depth)
        if t is Name and depth < 2:
            found = scope.bindings.get(e.id, ())
            return len(found) == 1 and found[0].how == "value" and self._tool_calls(found[0].node, scope, depth + 1)
        return False

    def _single_call_model(self, p: "Pausing") -> bool:
        for module in self.project.candidates:
            for scope in (module.scope, *(self.project.names.scope(f) for f in list(module.functions))):
                for call in scope.calls:
                    if any(a.name == "parallel_tool_calls" and type(a.value) is Const and a.value.value is False for a in call.args):
                        return True
        return False

    def _runs_all(self, p: "Pausing", matters: bool) -> str | None:
        """The node behind the pause that runs every call of the message. Unless it `matters` anyway, tools that do nothing do not count."""
        onward = self.project.onward
        for builder, node in onward.places(p.info):
            names = set(builder.edges.get(node, ()))
            for stmt in p.info.fn.body:
                names.update(n.value for n in walk(stmt) if type(n) is Const and n.kind == "str" and n.value in builder.nodes)
            for text in self._given_names(p.info):
                names.update({text} & builder.nodes.keys())
            for router in builder.routers.get(node, ()):
                names.update(n.value for n in (walk(router.table) if router.table is not None else ()) if type(n) is Const and n.kind == "str")
                for f in router.fns:
                    names.update(n.value for stmt in f.fn.body for n in walk(stmt) if type(n) is Const and n.kind == "str" and n.value in builder.nodes)
            for name in sorted(names):
                if onward.runs_tools(builder, name):
                    if not matters and all(self._do_nothing(node.tools) for node in builder.graph.named(name)):
                        continue
                    return f"node {name!r}"
                if any(self._runs_each(f) and (matters or not self._runs_nothing(f)) for f in onward.functions(builder, name)):
                    return f"node {name!r}"
        if p.info.name in ("after_model", "aafter_model") and p.info.cls is not None and any(isinstance(b, str) and b in lg.AGENT_MIDDLEWARE for b in self.project.names.mro(p.info.cls)):
            return "the agent"
        for path, _ in self.project.decorator_paths(p.info):
            if path in lg.MIDDLEWARE_DECORATORS and path.endswith("after_model"):
                return "the agent"
        for last in ("create_react_agent", "create_agent"):
            for call, scope in list(self.project.names.calls_by_name.get(last, ())):
                for a in call.args:
                    if a.name == "post_model_hook" and any(f.fn is p.info.fn for v in self.project.names.resolve(a.value, scope) for f in self.project.graphs.functions_of(v)):
                        return None if not matters and self._do_nothing(self.project.graphs.wiring.tools(call, scope)) else "the agent"
        return None

    def _given_names(self, info: FnInfo) -> Iterator[str]:
        """The texts that are handed to what makes the function, where it goes to a node by an attribute (`Command(goto=self._approved)`) or by a
        parameter of the function around it (`Command(goto=approved)`)."""
        gone = [x for stmt in info.fn.body for n in walk(stmt) if type(n) is Call for a in n.args if a.name == "goto" for x in walk(a.value)]
        makers: list[tuple[str, Any]] = []
        if info.cls is not None and any(type(x) is Attr and dotted(x.value) == "self" for x in gone):
            makers.append((info.cls.cls.name, info.cls))
        around = info.parent.owner if info.parent.kind == "function" else None
        if around is not None and {x.id for x in gone if type(x) is Name} & {p.name for p in around.fn.params}:
            makers.append((around.name, around))
        for name, made in makers:
            for call, scope in list(self.project.names.calls_by_name.get(name, ()))[:20]:
                if any(isinstance(v, (Cls, Fn)) and v.info is made for v in self.project.names.resolve(call.func, scope)):
                    yield from (a.value.value for a in call.args if type(a.value) is Const and a.value.kind == "str")

    def _runs_nothing(self, f: FnInfo) -> bool:
        """The same of a node that runs the tools by its own hand."""
        scope = self.project.names.scope(f)
        ran = [j for call in scope.calls if type(call.func) is Attr and call.func.attr in ("invoke", "ainvoke")
               and (j := self.project.effects.judge(call, scope)) is not None]
        return bool(ran) and all(j.targets and j.effect is None and all(self.project.summaries.of(t).grow is None and not self._runs_statements(t) for t in j.targets) for j in ran)

    def _do_nothing(self, tools: Any) -> bool:
        """Every tool that may run is seen, and none of them does anything to anybody: what nobody looked at does no harm."""
        return tools is not None and tools.seen and bool(tools.each) and not any(
            (s := self.project.summaries.of(f)).effect is not None or s.unknown and not s.placeholder
            or s.placeholder and (s.grow is not None or verbs.named_effect([f.name]) is not None) or self._runs_statements(f)
            for f in tools.functions)

    def _runs_statements(self, f: FnInfo) -> bool:
        """`conn.execute(text(sql))`: what the statement does is up to whoever wrote it, here the model."""
        params = {a.name for a in f.fn.params}
        return any(type(c.func) is Attr and c.func.attr in ("execute", "executemany", "executescript", "exec_driver_sql") and any(
            type(n) is Name and n.id in params for a in c.args[:1] for n in walk(a.value)) for c in self.project.names.scope(f).calls)

    def _runs_each(self, f: FnInfo) -> bool:
        """A hand-written tool node: a loop over the calls that runs a tool in each round."""
        scope = self.project.names.scope(f)
        for stmt in f.fn.body:
            for node in walk(stmt):
                if type(node) is For and self._tool_calls(node.iter, scope):
                    for inner in node.body:
                        for c in walk(inner):
                            if type(c) is Call and (type(c.func) is Sub or type(c.func) is Attr and c.func.attr in ("invoke", "ainvoke", "run", "arun")):
                                return True
                            if type(c) is Call:
                                j = self.project.effects.judge(c, scope)
                                if j.effect is not None or verbs.named_dispatch((dotted(c.func) or "").split(".")):
                                    return True
                if type(node) is Comp and self._tool_calls(node.generators[0].iter, scope):
                    if any(type(c) is Call and type(c.func) is Attr and c.func.attr in ("invoke", "ainvoke", "run", "arun") for c in walk(node.elt)):
                        return True
        return False


def _wants(shown: str) -> bool:
    """Whether a text asks for something; one that only wants to be told when something has happened has no answer to look at."""
    shown = shown.replace("_", " ")
    return decisions.ASKS_FOR_ONE.search(shown) is not None and (decisions.TOLD_WHEN_DONE.search(shown) is None or decisions.ASKS_TO_DECIDE.search(shown) is not None)


def _missing(test: Any, truth: bool, surely: bool) -> bool:
    """Whether a test that must come out as `truth` says that something is not there (yet); of a longer test it might, unless that is to be sure."""
    while type(test) is Un and test.op == "not":
        test, truth = test.value, not truth
    if type(test) is Cmp and len(test.ops) == 1 and (test.ops[0] in ("in", "not in") or type(test.rights[0]) is Const and test.rights[0].kind == "none"):
        return (test.ops[0] in ("not in", "is", "==")) is truth
    return not truth if type(test) in (Name, Attr, Sub, Call) else not surely


def _member(e: Any) -> str:
    """The word that a constant or a member of an enum is: `"approved"`, `Status.APPROVED`."""
    return e.value if type(e) is Const and e.kind == "str" else e.attr if type(e) is Attr and e.attr.isupper() else ""


def _at_an_end(e: Any) -> bool:
    """`calls[0]`, `calls[-1]`."""
    return type(e) is Sub and (type(e.index) is Const and e.index.value in (0, -1) or type(e.index) is Un and type(e.index.value) is Const)


def _answers_calls(body: list[Any]) -> bool:
    """Whether the calls of a message only get their answers: a `ToolMessage` each, and no tool runs."""
    calls = [n for stmt in body for n in walk(stmt) if type(n) is Call]
    last = [(dotted(c.func) or "").rsplit(".", 1)[-1] or (c.func.attr if type(c.func) is Attr else "") for c in calls]
    return "ToolMessage" in last and all(x in ("ToolMessage", "append", "str", "get", "len") or x in LOGS for x in last)


def _key(node: Any) -> str:
    e = node.index if type(node) is Sub else node.args[0].value if node.args else None
    return str(e.value) if type(e) is Const else ""


def _is_state(name: str, v: Ext) -> bool:
    return name == "state_schema"


def _loads(node: Any, name: str, logged: bool) -> Iterator[bool]:
    """For each read of a name whether it stands in a call that only logs."""
    t = type(node)
    if t is Name:
        if node.id == name:
            yield logged
        return
    if t is Call:
        last = (dotted(node.func) or "").rsplit(".", 1)[-1] or (node.func.attr if type(node.func) is Attr else "")
        logged = logged or last in LOGS
    if t in (Assign, AugAssign):
        targets = node.targets if t is Assign else []
        for x in targets:
            if type(x) is not Name:
                yield from _loads(x, name, False)
        if t is AugAssign:
            yield from _loads(node.target, name, False)
        if node.value is not None:
            yield from _loads(node.value, name, False)
        return
    for child in children(node):
        yield from _loads(child, name, logged)


def _read_of(node: Any) -> tuple[Any, str]:
    """(base, key) of `base["key"]`, `base.get("key")` and `"key" in base`."""
    if type(node) is Sub and type(node.index) is Const and isinstance(node.index.value, str):
        return node.value, node.index.value
    if type(node) is Call and type(node.func) is Attr and node.func.attr == "get" and node.args and type(node.args[0].value) is Const:
        return node.func.value, str(node.args[0].value.value)
    if type(node) is Cmp and node.ops in (["in"], ["not in"]) and type(node.left) is Const and isinstance(node.left.value, str):
        return node.rights[0], node.left.value
    return None, ""


def _wrong_imports(node: Any, tried: bool) -> Iterator[ImportName]:
    if type(node) is ImportName:
        if node.level == 0 and node.name == "interrupt" and node.module in lg.WRONG_INTERRUPT_MODULES and not tried:
            yield node
        return
    if type(node) is Try:
        caught = any(h.type is None or any((dotted(x) or "").rsplit(".", 1)[-1] in ("ImportError", "ModuleNotFoundError", "Exception", "BaseException")
                                           for x in (h.type.elts if type(h.type) is Seq else [h.type])) for h in node.handlers)
        for s in node.body:
            yield from _wrong_imports(s, tried or caught)
        for h in node.handlers:
            for s in h.body:
                yield from _wrong_imports(s, True)
        for s in (*node.orelse, *node.final):
            yield from _wrong_imports(s, tried)
        return
    if type(node).__name__ == "Import":
        for imp in node.names:
            yield from _wrong_imports(imp, tried)
        return
    for child in children(node):
        if type(child).__name__ not in ("Call", "Dict", "Name", "Const"):
            yield from _wrong_imports(child, tried)


__all__ = ["At", "Handling"]
