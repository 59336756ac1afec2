"""What becomes of the answer of a pause: which answers act, which reject, and what a word does that nobody expects.

Each pause is asked "what if" (`whatif.py`): with a word that no test knows, with each word that the tests know, with False. Two runs that
took the same turns otherwise are compared: what one does and the other does not (an effect, a node that acts, an approving result) is what
the answer decides; where their looks at the answer part is the test that decides it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.cfg import Point
from hitl_lint.analysis.effects import Link, Witness
from hitl_lint.analysis.names import Ext, Fn, FnInfo, Inst, Scope, argument, is_test
from hitl_lint.analysis.whatif import Choice, Cmd, Default, Items, Known, Lost, Many, Map, Result, State, Sym, Top, WhatIf, const_default, answered
from hitl_lint.analysis.offers import Offers, strings_of
from hitl_lint.analysis.producers import Producers
from hitl_lint.analysis.onward import END, Builder, Router
from hitl_lint.analysis.turns import unawaited
from hitl_lint.catalogue import decisions, verbs
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue.at_home import BOOKS
from hitl_lint.facts import (
    Assign, At, Attr, Await, BoolOp, Call, Const, Dict, IfExp, Name, Seq, Sub, dotted, text, walk,
)

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

# A word that no program tests for.
UNHEARD = "qzxj"
MAX_WORDS = 5
RUNS_TOOLS = "runs the tools"
MAX_KNOWN = 12  # words that the code knows and that are tried for a message
# First words of methods that put what they are given into a record.
PUTS = frozenset({"update", "set", "save", "store", "put", "patch", "merge", "write", "upsert", "modify", "record", "hset"})
# What gives what a client has sent.
BODIES = frozenset({"json", "get_json", "receive_json", "form", "args", "values", "data", "query_params", "loads"})
LOOKS_ONLY = frozenset({"str", "len", "dict", "list", "int", "float", "bool", "repr", "isinstance", "getattr", "get", "lower", "strip", "upper", "items", "keys", "values",
                        "startswith", "append", "format", "join", "dumps", "loads"})
# Functions that a middleware runs between the model and its tools: to return nothing lets the tool calls go on.
GATE_HOOKS = frozenset({"after_model", "aafter_model"})


@dataclass(slots=True)
class Outcome:
    """What one way does. `acts`: by key what is done; `vote`: what the result says (1 approves, -1 rejects); `stops`: it ends, raises or asks;
    `straight`: the graph ends right behind the node, so that nothing is done any more."""

    result: Result
    acts: dict[Any, Witness]
    vote: int = 0
    raises: bool = False
    asks: bool = False
    ends: bool = False
    straight: bool = False
    trail: tuple[Choice, ...] = ()
    facts: dict[Any, Any] = field(default_factory=dict)
    onto: tuple[str, ...] = ()  # the nodes that come next
    told: set[Any] = field(default_factory=set)  # of what is done, what is handed the answer


@dataclass(slots=True)
class Open:
    """An answer that approves without saying so. `kind` is "default" (a missing field), "test" (a word that no test knows), "shape", "empty", "offered"
    (a word of rejection that no test knows) or "refused" (a rejection behind which the tools run); `words`: what rejects, or sends
    the thing back; `sent`: whatever this project resumes with holds the part whose absence approves, or is a word that is meant, today and as far as is seen;
    `offered`: a word of rejection that the question itself offers, and that approves; `unseen`: nothing is seen to be done but that the rejection is told."""

    p: "Pausing"
    pause: Point
    kind: str
    module: str
    at: At
    function: str
    shown: str
    words: tuple[str, ...]
    witness: Witness | None
    says: str
    node: Any = None
    sent: bool = False
    offered: str = ""
    unseen: bool = False


@dataclass(slots=True)
class Truth:
    """A decision by the truth of an answer. `words`: why the answers are words, or ""."""

    p: "Pausing"
    pause: Point
    choice: Choice
    witness: Witness | None
    says: str
    words: str


class Answers:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._opens: list[Open] | None = None
        self._truths: list[Truth] | None = None
        self._keys_put: set[str] | None = None
        self.producers = Producers(project)
        self.offers = Offers(project)

    def reset(self) -> None:
        self._opens = self._truths = self._keys_put = None
        self.producers.reset()

    # ------------------------------------------------------------------ questions of rules
    def opens(self) -> list[Open]:
        """Every answer that approves by mistake, one for each place, in program order."""
        if self.project.turns.goes_on_unasked():
            return []
        self._ask()
        return self._opens or []

    def truths(self) -> list[Truth]:
        """Every truth value of an answer that decides."""
        self._ask()
        return self._truths or []

    def _ask(self) -> None:
        if self._opens is not None:
            return
        opens: dict[Any, Open] = {}
        truths: dict[Any, Truth] = {}
        self._opens, self._truths = [], []
        for p in self.project.pausing():
            for pause in p.pauses:
                if not self._gives_answer(p, pause):
                    continue
                try:
                    found, by_truth = self._judge(p, pause)
                except (Lost, RecursionError):
                    continue
                for o in found:
                    have = opens.get((o.module, o.at))
                    if have is None or (have.witness is None and o.witness is not None):
                        opens[(o.module, o.at)] = o
                for t in by_truth:
                    key = (t.choice.scope.module.path, t.choice.node.at)
                    if key not in truths or (truths[key].witness is None and t.witness is not None) or (not truths[key].words and t.words):
                        truths[key] = t
        # Several defaults of one decision are one finding.
        firsts: dict[Any, Open] = {}
        for key, o in sorted(opens.items()):
            if o.kind == "default":
                first = firsts.setdefault((o.module, o.function, id(o.pause)), o)
                if first is not o:
                    del opens[key]
        # A default that approves also lets the test behind it pass: one place a function.
        for key, o in list(opens.items()):
            if o.kind == "test" and any(x.kind == "default" and x.module == o.module and x.function == o.function for x in opens.values()):
                del opens[key]
        self._opens = sorted(opens.values(), key=lambda o: (o.module, o.at))
        self._truths = sorted(truths.values(), key=lambda t: (t.choice.scope.module.path, t.choice.node.at))

    def _gives_answer(self, p: "Pausing", pause: Point) -> bool:
        """The pause's value is the answer here: `interrupt(…)` itself, or a project function that asks."""
        j = p.judged[pause.id]
        return bool(j.targets) or any(x in lg.INTERRUPT for x in j.paths)

    def supplied(self) -> Iterator[tuple[Any, Scope, str, str]]:
        """(expression, its scope, as shown, name) of defaults that approve where an answer is built to be sent: `body.get("action", "approve")`."""
        seen: set[Any] = set()
        for sent in self.project.resumes.commands():
            if sent.resume is None or is_test(sent.scope.module.path):
                continue
            for e, scope, name in self._supplied(sent.resume, sent.scope, "", 0):
                key = (scope.module.path, e.at)
                if key not in seen:
                    seen.add(key)
                    yield e, scope, text(e, 40), name

    def _body(self, e: Any, scope: Scope, depth: int = 0) -> bool:
        """Whether a dict is what a client has sent: an endpoint's parameter, `await request.json()`."""
        e = e.value if type(e) is Await else e
        e = e.func if type(e) is Call else e
        if type(e) is Attr:
            return e.attr in BODIES
        found = self.project.names.lookup(e.id, scope) if type(e) is Name and depth < 4 else None
        return found is not None and any(
            b.how == "value" and self._body(b.node, found[1], depth + 1) or b.how == "param" and found[1].kind == "function" and bool(found[1].owner.fn.decorators)
            for b in found[0])

    def sent_by_client(self, e: Any, scope: Scope) -> bool:
        return self._body(e, scope)

    def _put(self, key: str, record: Any, scope: Scope) -> bool:
        """Whether the project itself writes this key somewhere (`task["decision"] = body.decision`), or into that record or what it comes from
        (`jobs.update(job_id, {"decision": …})`): no request leaves it out by that alone."""
        if self._keys_put is None:
            self._keys_put = set()
            for node in (n for m in list(self.project.names.modules.values()) if not is_test(m.path) for f in list(m.functions) for s in f.fn.body for n in walk(s)):
                if type(node) is Assign and type(node.value) is not Const:
                    self._keys_put |= {t.index.value for t in node.targets if type(t) is Sub and type(t.index) is Const and t.index.kind == "str"}
                elif type(node) is Call and type(node.func) is Attr and not PUTS.isdisjoint(verbs.words(node.func.attr)[:1]):
                    # `jobs.update_job(job_id, {"decision": body.decision})`, `job.update(decision=…)`.
                    base = (dotted(node.func.value) or "").rsplit(".", 1)[-1]
                    self._keys_put |= {f"{base}:{a.name}" for a in node.args if a.name and not a.star and type(a.value) is not Const}
                    self._keys_put |= {f"{base}:{k.value}" for a in node.args if type(a.value) is Dict
                                       for k, v in zip(a.value.keys, a.value.values) if type(k) is Const and type(v) is not Const}
        if key in self._keys_put:
            return True
        record = unawaited(record)
        names = [dotted(record.func.value)] if type(record) is Call and type(record.func) is Attr else [dotted(record)]
        for b in scope.bindings.get(record.id, ()) if type(record) is Name else ():
            made = unawaited(b.node) if b.how == "value" else None
            names.append(dotted(made.func.value) if type(made) is Call and type(made.func) is Attr else None)
        return any(f"{n.rsplit('.', 1)[-1]}:{key}" in self._keys_put for n in names if n)

    def _supplied(self, e: Any, scope: Scope, key: str, depth: int) -> Iterator[tuple[Any, Scope, str]]:
        t = type(e)
        if depth > 5 or e is None:
            return
        if t is Name:
            found = self.project.names.lookup(e.id, scope)
            if found is not None and len(found[0]) <= 3:
                for b in found[0]:
                    if b.how == "value":
                        yield from self._supplied(b.node, found[1], key or e.id, depth + 1)
                    elif b.how == "param" and found[1].kind == "function":
                        yield from self._handed(found[1].owner, b.node, key, depth)
            return
        if t is Dict:
            for k, v in zip(e.keys, e.values):
                yield from self._supplied(v, scope, str(k.value) if type(k) is Const else "", depth + 1)
            return
        if t is Seq:
            for x in e.elts:
                yield from self._supplied(x, scope, key, depth + 1)
            return
        if t is BoolOp and e.op == "or":
            typed = self._typed_in(e.values[0], scope)
            if _approving_const(e.values[-1], key or _field_of(e.values[0])) and (self._hidden(e, scope) if typed else _field_of(e.values[0])):
                yield e.values[-1], scope, "" if typed else _field_of(e.values[0])
            return
        if t is IfExp:
            yield from self._supplied(e.test, scope, key, depth + 1)
            return
        if t is Await:
            yield from self._supplied(e.value, scope, key, depth + 1)
            return
        if t is Call and type(e.func) is Attr:
            plain = [a.value for a in e.args if a.name is None and not a.star]
            if e.func.attr in ("get", "pop") and len(plain) > 1 and type(plain[0]) is Const and isinstance(plain[0].value, str):
                if _approving_const(plain[1], plain[0].value) and (self._body(e.func.value, scope) or not self._put(plain[0].value, e.func.value, scope)):
                    yield plain[1], scope, plain[0].value
                return
            if e.func.attr in ("strip", "lower", "upper", "casefold"):
                yield from self._supplied(e.func.value, scope, key, depth + 1)
            elif e.func.attr in ("model_dump", "dict", "to_dict", "model_dump_json"):
                yield from self._of_model(e.func.value, scope, None)
            return
        if t is Call and dotted(e.func) == "getattr" and len(e.args) == 3:
            a = e.args[1].value
            if type(a) is Const and _approving_const(e.args[2].value, str(a.value)):
                yield e.args[2].value, scope, str(a.value)
            return
        if t is Attr:
            yield from self._of_model(e.value, scope, e.attr)

    def _handed(self, info: FnInfo, param: Any, key: str, depth: int) -> Iterator[tuple[Any, Scope, str]]:
        """The same in what callers pass for a parameter."""
        sites = [(c, s) for c, s in self.project.names.calls_by_name.get(info.name, ()) if not is_test(s.module.path)]
        bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
        for call, scope in sites[:12]:
            if any(isinstance(v, Fn) and v.info is info for v in self.project.names.resolve(call.func, scope)):
                arg = argument(call, info.fn, param, bound)
                if arg is not None:
                    yield from self._supplied(arg, scope, key, depth + 2)

    def _of_model(self, e: Any, scope: Scope, attr: str | None) -> Iterator[tuple[Any, Scope, str]]:
        """Fields of a request model that approve when they are left out."""
        what = WhatIf(self.project, UNHEARD)
        for v in self.project.names.resolve(e, scope):
            if not isinstance(v, Inst) or v.call is not None or not what._is_model(list(self.project.names.mro(v.info))):
                continue
            for name, _, default in what._declared(v.info):
                const = const_default(default)
                if const is not None and (attr is None or name == attr) and _approving_const(const, name):
                    yield const, v.info.scope or v.info.parent, name

    def _typed_in(self, e: Any, scope: Scope) -> bool:
        """Read from a terminal, where the default is shown beside the question."""
        for node in walk(e):
            if type(node) is Call and (dotted(node.func) or "").rsplit(".", 1)[-1] in ("input", "prompt", "ask", "confirm"):
                return True
        return False

    def _hidden(self, e: BoolOp, scope: Scope) -> bool:
        """Whether the question to which Enter is an approval does not say so: `input("approve / reject: ") or "approve"`. That it is shown in
        brackets, in capitals or beside a word like "default" is what people do to say it."""
        for node in walk(e.values[0]):
            if type(node) is Call and dotted(node.func) == "input":
                shown = " ".join(strings_of(node.args[0].value, scope, self.project)) if node.args else ""
                return bool(decisions.says(shown, decisions.APPROVES)) and _SHOWN_DEFAULT.search(shown) is None
        return False

    # ------------------------------------------------------------------ comparing
    def _judge(self, p: "Pausing", pause: Point) -> tuple[list[Open], list[Truth]]:
        unheard, what = self._explore(p, pause, UNHEARD)
        literals, looked_for = what.literals, what.looked_for
        if not any(o.trail or o.acts or o.vote for o in unheard):
            return [], []
        known = sorted((w for w in literals if isinstance(w, str)), key=lambda w: (not decisions.says_no(w), w))
        noes = [w for w in known if decisions.says_no(w)][:MAX_WORDS]
        backs = [w for w in known if decisions.sends_back(w) and w not in noes][:MAX_WORDS]
        yeses = [w for w in known if decisions.says_yes(w)][:MAX_WORDS]
        runs: dict[Any, list[Outcome]] = {}

        too_much: set[Any] = set()

        def run(word: Any) -> list[Outcome]:
            if word in too_much:
                raise Lost
            if word not in runs:
                too_much.add(word)
                runs[word] = self._explore(p, pause, word)[0]
                too_much.discard(word)
            return runs[word]

        def tried(word: Any) -> list[Outcome]:
            """The same for a word that is only asked about to be told of: nothing where there is too much to follow."""
            try:
                return run(word)
            except (Lost, RecursionError):
                return []

        switch = self._is_switch(p, pause, yeses)
        shown_only = self._shown_only(p, pause, known)
        opens: list[Open] = []
        for u in unheard:
            if u.raises or u.vote < 0 or (u.asks and not u.acts):
                continue
            if u.straight and not u.acts and not _approved(u.result.value) and any(not y.straight and not y.raises for w in yeses for y in run(w) if _same_way(u, y, False)):
                continue  # a yes goes on to another node, and this ends the run
            if self._comes_back(p, u, [y for w in yeses for y in run(w) if _same_way(u, y, False)]):
                continue
            every = _defaults(u)
            if not every and any(k[0] == "there" and v is False and self.producers.always(k[1]) for k, v in u.facts.items()):
                continue  # what is left out here is in whatever the project sends
            defaults = [d for d in every if not d.table]
            if all(decisions.says(d.shown, decisions.GOES_ON) for d in every) and (switch or every and not u.acts and not _approved(u.result.value) and shown_only):
                continue  # nothing is approved by going on
            words: list[Any] = list(noes)
            if defaults:
                if not all(_approves(d) for d in defaults) or self._picked(u, [d.path for d in defaults], [*unheard, *run(False)]):
                    continue
                words += [*([] if noes else ["reject", *backs]), False]
            elif not noes and _approved(u.result.value):
                # No word rejects, but some send the thing back: what nobody knows is told to be an approval.
                words += backs
            elif not noes and u.acts and self._asked_for_yes(p, pause):
                words += backs
            like = self._like_yes(u, [run(w) for w in yeses]) if yeses and words and not defaults else None
            if like is False:
                continue
            hits = {w: hit for w in words if (hit := self._opposite(u, run(w), bool(defaults)) or self._otherwise(u, run(w), defaults, w in noes)) is not None}
            unseen = not hits and not every and not yeses
            if unseen:
                hits = {w: hit for w in noes if (hit := self._turned_down(p, pause, u, run(w))) is not None}
            for w, hit in hits.items():
                witness, says = self._consequence(u, hit)
                stops = tuple(x for x in hits if isinstance(x, str) and x in known)
                if every:
                    for d in defaults or every:
                        opens.append(Open(p, pause, "default", d.module, d.at, _owner(self.project, d, p), d.shown, stops, witness, says, sent=self.producers.always(d.path)))
                else:
                    c = _parting(u, hit)
                    if c is not None and c.kind in ("compare", "table"):
                        if c.path and any(type(v) is not Known and answered(v) for v in _parts(u.result.value)) and self._picked(u, [c.path], [*unheard, *run(False)]):
                            break  # what goes on is what has been picked
                        stops = tuple(x for x in stops if (other := _parting(u, hits[x])) is not None and other.path == c.path)
                        sent = self.producers.words(c.path)
                        if sent is not None and not any(decisions.says_no(x) and x not in noes for x in sent):
                            break  # no other word gets here, and the code looks at those that reject
                        # Whatever else the code knows and does not go on with, `"response"` among others, is no approval either.
                        stops += tuple(w for w in known[:MAX_KNOWN] if w not in stops and self._opposite(u, tried(w), False) is not None)
                        today = self.producers.handed(c.path)
                        offered = next((w for w in self.offers.noes(p, pause, c.path) if w not in known and any(self._as(u, x, c) for x in tried(w))), "")
                        opens.append(Open(p, pause, "test", c.scope.module.path, c.node.at, _function(c.scope), text(c.node, 60), stops, witness, says, c.node,
                                          sent=today is not None and not any(decisions.says_no(x) and x not in noes for x in today), offered=offered, unseen=unseen))
                break
        if not opens and not shown_only:
            opens = self._by_shape(p, pause, unheard, run, noes) or self._by_nothing(p, pause, run, noes, yeses)
        if not opens:
            opens = self._offered(p, pause, unheard, looked_for, tried) or self._refused(p, pause, unheard, [y for w in yeses for y in tried(w)])
        truths: list[Truth] = []
        if not opens:
            truths = self._by_truth(p, pause, unheard, run, looked_for)
        return opens, truths

    def _turned_down(self, p: "Pausing", pause: Point, u: Outcome, rs: list[Outcome]) -> Outcome | None:
        """`if answer == "no": return "Not approved."` about an approval, and whatever else is said goes on, to a model or to what is not seen from here."""
        if u.acts or u.vote or u.raises or u.asks or any(answered(v) for v in _parts(u.result.value)):
            return None
        for r in rs:
            c = _parting(u, r) if _same_way(u, r, False) and not r.acts and not r.asks and r.vote <= 0 and r.result.value != u.result.value else None
            told = c is not None and (r.vote < 0 or r.raises or any(type(v) is Known and type(v.value) is str and decisions.says_no(v.value) for v in _parts(r.result.value)))
            if told and c is not None and c.kind == "compare" and (self._asked_for_approval(p, pause) or c.path and decisions.approval_key(c.path[-1])):
                return r
        return None

    def _as(self, u: Outcome, r: Outcome, c: Choice) -> bool:
        """Whether a word does as the one that nobody knows, at the same look at the answer."""
        return _same_way(u, r, False) and set(u.acts) == set(r.acts) and u.result.value == r.result.value and u.vote == r.vote and not r.raises and any(
            x.node is c.node and x.branch == c.branch for x in r.trail)

    def _asked_for_approval(self, p: "Pausing", pause: Point) -> bool:
        shown = " ".join(t for call, scope in self.asking_calls(p, pause) for a in call.args for t in strings_of(a.value, scope, self.project))
        return decisions.says(shown, decisions.APPROVALS | decisions.APPROVAL_NOUNS)

    def _asked_for_yes(self, p: "Pausing", pause: Point) -> bool:
        """The question names a word of approval, so that not just any word is one: `Reply 'approve' or 'revise: …'`."""
        shown = " ".join(t for call, scope in self.asking_calls(p, pause) for a in call.args for t in strings_of(a.value, scope, self.project))
        return decisions.says(shown, decisions.APPROVALS)

    def _is_switch(self, p: "Pausing", pause: Point, yeses: list[str]) -> bool:
        """A pause that somebody has asked for ("paused by user", resume or abort): all but a word that stops means to go on, nothing is approved."""
        if not all(decisions.says(w, decisions.GOES_ON) for w in yeses):
            return False
        shown = " ".join(t for call, scope in self.asking_calls(p, pause) for a in call.args for t in strings_of(a.value, scope, self.project))
        return decisions.says(shown, decisions.PAUSES) and not decisions.says(shown, decisions.APPROVES) and "?" not in shown

    def _shown_only(self, p: "Pausing", pause: Point, known: list[str]) -> bool:
        """What has been done is shown, to be let through, changed or stopped: no word is one of approval, and nothing is called any more."""
        return not any(decisions.says(w, decisions.VERDICTS) or decisions.says_yes(w) and not decisions.says(w, decisions.GOES_ON) for w in known) and not self._asked_for_approval(
            p, pause) and not any(x.kind == "call" and x is not pause and not self._only_looks(x.node, p) for x in p.cfg.reachable([pause]))

    def _only_looks(self, call: Call, p: "Pausing") -> bool:
        """`str(result)`, `review.get("action")`, a log: nothing is done by it."""
        j = self.project.effects.judge(call, p.scope)
        if j.targets or j.effect is not None or j.model is not None:
            return False
        name = call.func.attr if type(call.func) is Attr else dotted(call.func) or ""
        return name in LOOKS_ONLY or verbs.harmless_name((dotted(call.func) or name).split("."))

    def _by_shape(self, p: "Pausing", pause: Point, unheard: list[Outcome], run: Any, noes: list[str]) -> list[Open]:
        """`answer.get("approved") if isinstance(answer, dict) else True`: an answer of another shape approves, even a plain False."""
        for u in unheard:
            if u.raises or u.asks or any(c.kind != "shape" for c in u.trail) or not any(c.kind == "shape" and not c.branch and not c.path for c in u.trail) or _carried(u, ()):
                continue
            for word in (False, "reject"):
                same = [r for r in run(word) if _same_way(u, r, False)]
                if not same or not all(set(r.acts) == set(u.acts) and r.vote == u.vote and not r.raises for r in same):
                    break
            else:
                yes = [y for w in (True, "approve") for y in run(w) if set(y.acts) == set(u.acts) and y.vote == u.vote and not y.raises and _answer_shape(y) != _answer_shape(u)]
                for r in [r for w in (*noes, False) for r in run(w)] if yes else []:
                    if _same_way(u, r, True, shapes=False) and (self._differs(u, r) or self._only_stopped(u, r, yes)) and (c := _parting(u, r, shape=True)) is not None:
                        witness, says = self._consequence(u, r)
                        return [Open(p, pause, "shape", c.scope.module.path, c.node.at, _function(c.scope), text(c.node, 60), tuple(noes), witness, says, c.node)]
        return []

    def _offered(self, p: "Pausing", pause: Point, unheard: list[Outcome], looked_for: set[Any], tried: Any) -> list[Open]:
        """A word of rejection that the question offers and no test knows, so that it does what an approval does: `if answer == "modify": …`, and on."""
        for u in unheard:
            c = next((c for c in u.trail if c.kind in ("compare", "table") and (not c.path or decisions.decision_key(c.path[-1]))), None)
            if c is None or u.raises or u.asks or u.vote < 0 or u.straight or _defaults(u) or not u.acts and not (u.onto and u.vote > 0 and self._last(p, u.onto)):
                continue
            known = {w for path, w in looked_for if path == c.path and isinstance(w, str)}
            if any(decisions.says_no(w) for w in known):
                continue
            for no in self.offers.noes(p, pause, c.path):
                rs, ys = tried(no), [y for y in tried("approve") if _same_way(u, y, False)]
                # What is handed on may say the word itself, that is nothing yet: by what is done and where it goes on they are told apart.
                if rs and ys and not any(r.raises or r.asks for r in rs) and all(
                        set(x.acts) == set(u.acts) and x.onto == u.onto and x.result.value == u.result.value and any(y.node is c.node and y.branch == c.branch for y in x.trail)
                        for x in [*(r for r in rs if _same_way(u, r, False)), *ys]) and (not u.acts or not set(u.acts) <= u.told):
                    witness, says = self._consequence(u, Outcome(u.result, {}))
                    words = tuple(sorted(known - {no}, key=lambda w: (decisions.says_yes(w), w)))
                    return [Open(p, pause, "offered", c.scope.module.path, c.node.at, _function(c.scope), text(c.node, 60), words, witness, says, c.node, offered=no,
                                 unseen=witness is None)]
        return []

    def _last(self, p: "Pausing", onto: tuple[str, ...]) -> bool:
        """Whether the graph ends behind the nodes that come next, so that what decides is all seen."""
        for graph in self.project.graphs.all():
            if any(f.fn is p.info.fn for n in graph.nodes for f in n.functions) and not graph.open:
                nexts = self.project.graphs.nexts(graph)
                return all(n in nexts and nexts[n] and nexts[n] <= {END} for n in onto)
        return False

    def _refused(self, p: "Pausing", pause: Point, unheard: list[Outcome], yes: list[Outcome]) -> list[Open]:
        """A refusal that is told the model as the tool's result, and an edge that goes on to the node that runs the tools all the same."""
        for u in unheard:
            told = u.result.value.get("messages") if type(u.result.value) is Map else None
            c = next((c for c in u.trail if c.kind == "compare"), None)
            if c is None or u.raises or u.asks or type(told) is not Items or not told.elts or not all(type(m) is Map and m.made == "ToolMessage" for m in told.elts):
                continue
            runs = {k: w for k, w in u.acts.items() if k[0] == "node" and w.what == RUNS_TOOLS}
            if runs and all(any(type(v) is Known and type(v.value) is str and decisions.says_no(v.value) for v in _parts(m)) for m in told.elts) and any(set(runs) <= set(y.acts) and y.result.value != u.result.value for y in yes):
                return [Open(p, pause, "refused", c.scope.module.path, c.node.at, _function(c.scope), text(c.node, 60), (), next(iter(runs.values())), RUNS_TOOLS, c.node)]
        return []

    def _only_stopped(self, u: Outcome, r: Outcome, yes: list[Outcome]) -> bool:
        """The no stops what is not known here (a tool that was handed in; nothing made of the answer), and the answer of another shape does as the yes does."""
        looked = [c.path for c in r.trail if c.path]
        return (r.vote < 0 and u.vote == 0 and not r.acts and u.result.value == Top() and any(y.result.value == u.result.value for y in yes)
                and not any(self.producers.always(path) for path in looked))

    def _by_nothing(self, p: "Pausing", pause: Point, run: Any, noes: list[str], yeses: list[str]) -> list[Open]:
        """`if not answer: return {"status": "approved"}` where other words reject: to press Enter, or False, approves."""
        if not noes or any(_SAYS_NOTHING.search(t) for call, scope in self.asking_calls(p, pause) for a in call.args for t in strings_of(a.value, scope, self.project)):
            return []
        for u in run(False):
            if u.raises or u.asks or u.vote < 0 or not u.trail or any(c.kind != "truth" or c.path or c.branch or c.default is not None for c in u.trail):
                continue
            if not _approved(u.result.value) and not (u.acts and any(set(u.acts) <= set(y.acts) for w in yeses for y in run(w))):
                continue
            for r in [r for w in noes for r in run(w)]:
                c = u.trail[-1]
                if _same_way(u, r, True, shapes=False) and self._differs(u, r) and any(x.node is c.node and x.branch != c.branch for x in r.trail):
                    witness, says = self._consequence(u, r)
                    return [Open(p, pause, "empty", c.scope.module.path, c.node.at, _function(c.scope), text(c.node, 60), tuple(noes), witness, says, c.node)]
        return []

    def _comes_back(self, p: "Pausing", u: Outcome, ways: list[Outcome]) -> bool:
        """Whether what comes next is another round that always asks this question again: nothing is approved by that. `ways`: what a yes does."""
        if not u.onto or any(set(u.acts) & set(y.acts) or y.onto == u.onto for y in ways) or not ways and not _carried(u, ()):
            return False
        for graph in self.project.graphs.all():
            mine = {n.name for n in graph.nodes if any(f.fn is p.info.fn for f in n.functions)}
            if not mine or graph.open or not set(u.onto) <= {n.name for n in graph.nodes}:
                continue
            nexts = self.project.graphs.nexts(graph)
            work: list[str | None] = list(u.onto)
            seen: set[str | None] = set(work)
            while work:
                name = work.pop()
                if name in (None, END) or not nexts.get(name) and name not in mine:
                    return False
                for after in nexts[name] - seen if name not in mine else ():
                    seen.add(after)
                    work.append(after)
            return bool(mine & seen)
        return False

    def _picked(self, u: Outcome, paths: list[tuple[str, ...]], ways: list[Outcome]) -> bool:
        """`if action == "reject" or not picked: reject`: whatever the field at `paths` says or leaves out, nothing is approved unless another part of the
        answer says what."""
        for c in u.trail:
            if c.kind != "truth" or not c.path or c.default is not None or any(c.path[:1] == path[:1] for path in paths):
                continue
            without = [o for o in ways if o.facts.get(("there", c.path)) is False or any(x.node is c.node and x.branch != c.branch for x in o.trail)]
            if without and all(o.raises or self._turns_down(u, o) for o in without):
                return True
        return False

    def _turns_down(self, u: Outcome, o: Outcome) -> bool:
        """`_differs`, where parts of the answer that are only handed on say nothing."""
        if set(u.acts) - set(o.acts):
            return self._differs(u, o)
        said = vote(o.result.value)
        return u.vote > 0 and (said < 0 or said == 0 and o.vote < 0 and not any(type(v) is Sym for v in _parts(o.result.value)) or o.ends and not u.ends and not o.acts)

    def _opposite(self, u: Outcome, rs: list[Outcome], missing: bool) -> Outcome | None:
        """The way on which the other word stops what `u` does; None when it also goes on like `u` somewhere."""
        gone = set(_defaults(u))
        alike = [r for r in rs if _same_way(u, r, missing) and not (gone and gone & set(_defaults(r)))]
        if u.acts and any(set(u.acts) <= set(r.acts) for r in alike):
            return None
        return next((r for r in alike if self._differs(u, r)), None)

    def _like_yes(self, u: Outcome, runs: list[list[Outcome]]) -> bool | None:
        """Whether the unknown word does something that a word of approval does; None when approval does nothing that is seen."""
        ways = [y for ys in runs for y in ys if _same_way(u, y, False) and not y.raises]
        if not ways:
            return None
        if u.acts:
            # The same thing done at another place counts as the same.
            mine = {(w.what, w.callee) for w in u.acts.values()}
            acting = [y for y in ways if y.acts]
            return any(mine & {(w.what, w.callee) for w in y.acts.values()} for y in acting) if acting else None
        return any(y.vote > 0 or y.acts for y in ways)

    def _otherwise(self, u: Outcome, rs: list[Outcome], defaults: list[Default], no: bool) -> Outcome | None:
        """Weaker evidence where the code itself calls the outcome, or the default, an approval: the other word does something else."""
        for r in rs:
            if not _same_way(u, r, bool(defaults)) or r.vote > 0 or set(r.acts) - set(u.acts):
                continue
            if defaults:
                looked = {id(c.node): c for c in u.trail if c.default is not None and (c.default.shown != "True" or c.path and decisions.approval_key(c.path[-1]))}
                if any(id(c.node) in looked and looked[id(c.node)].branch != c.branch for c in r.trail) and r.result.value != u.result.value:
                    return r
            elif not no and _approved(u.result.value) and r.result.value != u.result.value and not _approved(r.result.value):
                return r
        return None

    def _differs(self, u: Outcome, r: Outcome) -> bool:
        """`u` does what `r` does not, and `r` is no approval."""
        if set(u.acts) - set(r.acts):
            return not r.acts or r.vote < 0 or not (set(u.acts) & set(r.acts))
        return u.vote > 0 and (r.vote < 0 or (r.raises and r.vote == 0) or (r.ends and not u.ends and not r.acts))

    def _consequence(self, u: Outcome, r: Outcome) -> tuple[Witness | None, str]:
        only = [w for k, w in u.acts.items() if k not in r.acts]
        # What is done is told before the books that are kept of it.
        best = min(only, key=lambda w: (not w.proved, any(BOOKS & set(decisions.words(link.text)) for link in w.links)), default=None)
        return best, best.what if best is not None else "counts as approved"

    def _by_truth(self, p: "Pausing", pause: Point, unheard: list[Outcome], run: Any, looked_for: set[Any]) -> list[Truth]:
        out: list[Truth] = []
        for u in unheard:
            if u.raises or u.vote < 0 or _defaults(u) or not any(c.kind == "truth" for c in u.trail):
                continue
            for r in run(False):
                if not _same_way(u, r, True, shapes=False):
                    continue
                c = _parting(u, r)
                if c is None or c.kind != "truth":
                    continue
                if not (self._differs(u, r) or u.vote > r.vote and not (set(r.acts) - set(u.acts)) or _called(u, r)):
                    # The other way round: `if answer: cancel`; or both ways approve, one with a changed text.
                    continue
                if any(x.kind in ("compare", "schema", "table") and x.path[: len(c.path)] == c.path and x.node is not c.node for x in u.trail):
                    continue
                if c.scope is p.scope and _carried(u, c.path):
                    continue
                words = self._words(p, pause, c, looked_for)
                if not words and self.producers.bools(c.path, p.info):
                    continue
                witness, says = self._consequence(u, r)
                out.append(Truth(p, pause, c, witness, says, words))
                break
        return out

    # ------------------------------------------------------------------ following
    def _explore(self, p: "Pausing", pause: Point, word: Any) -> tuple[list[Outcome], WhatIf]:
        what = WhatIf(self.project, word)
        out: list[Outcome] = []
        for r in what.after(p.info, pause):
            out.extend(self._outcomes(what, p.info, r))
            if len(out) > 200:
                raise Lost
        for o in out:
            o.told = what.told
        return out, what

    def _outcomes(self, what: WhatIf, info: FnInfo, r: Result) -> Iterator[Outcome]:
        o = Outcome(r, dict(r.state.effects), raises=r.end == "raise", asks=r.end == "pause", trail=r.state.trail, facts=r.state.facts)
        if r.end != "return":
            yield o
            return
        o.vote = vote(r.value, word=what.word)
        if info.name in GATE_HOOKS or any(path.rsplit(".", 1)[-1] in GATE_HOOKS for path, _ in self.project.decorator_paths(info) if path in lg.MIDDLEWARE_DECORATORS):
            goes = r.value.get("jump_to") if type(r.value) is Map else None
            if type(goes) is Known and goes.value == "end":
                o.ends, o.vote = True, -1
            elif r.value == Known(None):
                o.acts[("hook", info.name)] = Witness("effect", "lets the tool calls run", "named", info.name, (Link(info.module.path, info.fn.at, "the tool calls go on"),))
            yield o
            return
        places = self.project.onward.places(info)
        if not places:
            if type(r.value) is Cmd:
                for name in _names(r.value.goto):
                    o.ends = o.ends or name == END
                    self._by_node_name(name, o)
            yield o
            return
        builder, node = places[0]
        yield from self._onward(what, builder, node, o, r.value, r.state, 0, {node})

    def _onward(self, what: WhatIf, b: Builder, node: str, o: Outcome, value: Any, state: State, depth: int, seen: set[str]) -> Iterator[Outcome]:
        """What runs after a node that returned `value`."""
        update = value.update if type(value) is Cmd else value
        after = update if type(update) is Map else Map((), True)
        after = Map(after.items, True)
        targets: list[tuple[list[str], State]] = []
        if type(value) is Cmd and value.goto is not None:
            targets.append((_names(value.goto), state))
        else:
            ways = [(list(b.edges.get(node, ())), state)]
            for router in b.routers.get(node, ()):
                nxt: list[tuple[list[str], State]] = []
                for names_so_far, st in ways:
                    routed = list(self._routed(what, router, after, st))
                    nxt.extend(([*names_so_far, *names], st2) for names, st2 in routed) if routed else nxt.append((names_so_far, st))
                ways = nxt[:40]
            targets.extend(ways)
        for names, st in targets:
            one = Outcome(o.result, dict(o.acts), o.vote, o.raises, o.asks, o.ends, names == [END], st.trail, st.facts, tuple(names))
            self._reach(what, b, names, one, after, st, depth, seen)
            yield one

    def _routed(self, what: WhatIf, router: Router, after: Map, state: State) -> Iterator[tuple[list[str], State]]:
        for fn in router.fns[:1]:
            try:
                results = what.run(fn, _state_env(fn, after), state, 3)
            except Lost:
                return
            table: Any = None
            if router.table is not None:
                table = what._read(router.table, router.scope, router.table) if type(router.table) is Dict else None
                if type(router.table) is Name:
                    values = self.project.names.resolve(router.table, router.scope)
                    table = what._literal(values[0], router.table) if len(values) == 1 else None
            for r in results:
                if r.end != "return":
                    continue
                names: list[str] = []
                for v in r.value.elts if type(r.value) is Items else [r.value]:
                    if type(v) is Sym:
                        v = Known(what.word, "leaf", v.path)
                    if type(v) is not Known:
                        continue
                    if type(table) is Map:
                        to = table.get(v.value)
                        names += [to.value] if type(to) is Known and isinstance(to.value, str) else []
                    elif isinstance(v.value, str):
                        names.append(v.value)
                after_state = state.copy().back(r.state)
                if type(r.value) is Known and r.value.default is not None:
                    after_state.trail = (*after_state.trail, Choice(self.project.names.scope(fn), fn, "result", r.value.value, r.value.path or (), r.value.default))
                yield names, after_state

    def _reach(self, what: WhatIf, b: Builder, names: list[str], o: Outcome, after: Map, state: State, depth: int, seen: set[str]) -> None:
        """Note in an outcome what the nodes that come next do."""
        for name in names:
            if name == END:
                o.ends = True
                continue
            if name in seen or name not in b.nodes:
                o.asks = o.asks or name in seen
                if name not in b.nodes:
                    self._by_node_name(name, o)
                continue
            if b.nodes.get(name) and self.project.onward.runs_tools(b, name):
                v = next(v for v in b.nodes[name] if isinstance(v, Ext))
                o.acts[("node", name)] = Witness("effect", RUNS_TOOLS, "named", name, (Link(v.scope.module.path, v.origin.at, f"node {name!r} runs the tools"),)
                                                 if v.origin is not None and v.scope is not None else ())
                continue
            self._by_node_name(name, o)
            for fn in self.project.onward.functions(b, name):
                s = self.project.summaries.of(fn)
                if s.pause is not None:
                    o.asks = True
                    continue
                named = verbs.named_effect([fn.name]) if s.placeholder else None
                if named is not None:
                    o.acts[("node", name)] = Witness("effect", named, "named", fn.name, (Link(fn.module.path, fn.fn.at, f"node {name!r}: {fn.name}() {named}"),))
                    continue
                before = len(state.effects)
                try:
                    results = what.run(fn, _state_env(fn, after), state, 3)
                except Lost:
                    if s.effect is not None:
                        o.acts[("node", name)] = s.effect
                    continue
                link = Link(fn.module.path, fn.fn.at, f"node {name!r}: {fn.name}()")
                votes = []
                for r in results:
                    for k, w in r.state.effects[before:]:
                        o.acts.setdefault(k, w.through(link))
                    votes.append(vote(r.value, word=what.word) if r.end == "return" else -1)
                if o.vote == 0 and votes and all(v == votes[0] for v in votes):
                    o.vote = votes[0]
                if depth < 1 and s.model is None and len(results) == 1 and results[0].end == "return" and type(results[0].value) is not Cmd:
                    nexts = [n for n in b.edges.get(name, ()) if n not in seen]
                    self._reach(what, b, nexts, o, after, results[0].state, depth + 1, seen | {name})

    def _by_node_name(self, name: str, o: Outcome) -> None:
        if o.vote == 0:
            o.vote = -1 if decisions.says_no(name) else 1 if decisions.says_yes(name) else 0

    # ------------------------------------------------------------------ words
    def _words(self, p: "Pausing", pause: Point, c: Choice, looked_for: set[Any]) -> str:
        """What shows that the answers are words and no booleans; "" when nothing does."""
        if any(path == c.path and isinstance(w, str) and (decisions.says_no(w) or decisions.says_yes(w)) for path, w in looked_for):
            return "another test compares it with a word"
        if not c.path:
            shown = self._payload_words(p, pause)
            if shown:
                return f"the question asks for {shown}"
        strings, bools = self.resumed_with(p, c.path)
        if strings and not bools:
            return f"the run is resumed with {strings[0]!r}"
        return ""

    def _payload_words(self, p: "Pausing", pause: Point) -> str:
        for call, scope in self.asking_calls(p, pause):
            for a in call.args:
                for shown in strings_of(a.value, scope, self.project):
                    m = WORDS_ASKED.search(shown)
                    if m:
                        return m.group(0).strip(" ()[]?.:")
                for node in walk(a.value):
                    if type(node) is Seq and len(node.elts) > 1 and all(type(x) is Const and x.kind == "str" for x in node.elts):
                        if any(decisions.says_no(x.value) for x in node.elts):
                            return " or ".join(repr(x.value) for x in node.elts[:3])
        return ""

    def asking_calls(self, p: "Pausing", pause: Point) -> Iterator[tuple[Call, Scope]]:
        yield pause.node, p.scope
        for info in p.judged[pause.id].targets:
            inner = self.project.pausing_of(info)
            if inner is not None:
                for q in inner.pauses[:3]:
                    yield q.node, inner.scope

    def resumed_with(self, p: "Pausing", path: tuple[str, ...]) -> tuple[list[str], bool]:
        """The words with which runs are resumed at this path, and whether any run is resumed with a bool; only in modules that see the pause."""
        strings: list[str] = []
        bools = False
        for sent in self.project.resumes.commands():
            if sent.scope.module is not p.info.module and p.info.module.path not in self.project.names.imported(sent.scope.module):
                continue
            e = sent.resume
            for key in path:
                e = next((v for k, v in zip(e.keys, e.values) if type(k) is Const and k.value == key), None) if type(e) is Dict else None
            if type(e) is Const and e.kind == "str":
                strings.append(e.value)
            bools = bools or (type(e) is Const and e.kind == "bool")
        return strings, bools


_SHOWN_DEFAULT = re.compile(r"\[|(?i:default|enter|return|blank|empty|leave)|Y/n|\b[A-Z]{2,}\b|=\s*(?i:approve|yes)")
# A question that says what it means to answer nothing.
_SAYS_NOTHING = re.compile(r"(?i:\b(?:enter|empty|blank|default|leave|optional|nothing|skip|if any)\b)|Y/n")
WORDS_ASKED = re.compile(r"\(?\b(yes\s*(/|or|\|)\s*no|y\s*/\s*n|approve\w?\s*(/|or|\|)\s*(reject|deny|decline|cancel)|accept\s*(/|or|\|)\s*(reject|decline)"
                         r"|confirm\s*(/|or|\|)\s*cancel|allow\s*(/|or|\|)\s*deny|ok\s*/\s*cancel|['\"](yes|approve|ok|y)['\"]\s*(/|or|,|\|)\s*['\"]\w+['\"])", re.IGNORECASE)


# --------------------------------------------------------------------------- reading values
def vote(v: Any, key: str = "", depth: int = 0, word: Any = None) -> int:
    """What a result says: 1 approves, -1 rejects, 0 neither. `word`: what the parts of the answer in it are."""
    t = type(v)
    if t is Sym and word is not None and (key or type(word) is bool):
        return vote(Known(word), key, depth, word)
    if depth > 4:
        return 0
    if t is Known:
        if type(v.value) is bool:
            if not key:
                return (1 if v.value else -1) if depth <= 1 else 0
            if decisions.no_key(key):
                return -1 if v.value else 1
            if decisions.yes_key(key):
                return 1 if v.value else -1
            return 0
        if type(v.value) is str and v.how != "text":
            if key in decisions.TEXT_KEYS:
                return 0
            # An explanation can tell that nothing was done, but it approves nothing.
            return -1 if decisions.says_no(v.value) or decisions.says_unknown(v.value) else 1 if decisions.says_yes(v.value) and not decisions.text_field(key) else 0
        if type(v.value) is str:
            return -1 if decisions.says_no(v.value) or decisions.says_unknown(v.value) else 0
        return 0
    if t is Map:
        votes = [vote(x, str(k), depth + 1, word) for k, x in v.items]
        return -1 if -1 in votes else 1 if 1 in votes else 0
    if t is Items:
        votes = [vote(x, key, depth + 1, word) for x in v.elts]
        first = next((x for x in votes if x), 0)
        return first
    if t is Many:
        return vote(v.elem, key, depth + 1, word)
    if t is Cmd:
        return vote(v.update, "", depth + 1, word) if type(v.update) is Map else 0
    return 0


def _defaults(o: Outcome) -> list[Default]:
    """The defaults that stood in for a missing answer and decided, or are in the result."""
    out: dict[Default, None] = {}
    for c in o.trail:
        if c.default is not None:
            out[c.default] = None
    for v in _parts(o.result.value if o.result.end == "return" else None):
        if type(v) is Known and v.default is not None and (type(v.value) is bool or type(v.value) is str and len(v.value) < 40):
            if v.value is True or type(v.value) is str and decisions.says_yes(v.value) and not _explains(v):
                out[v.default] = None
    return list(out)


def _called(u: Outcome, r: Outcome) -> bool:
    """Whether the program calls the one way approved and the other rejected, whatever becomes of the word: `label = "Approved" if answer else "Rejected"`."""
    if set(u.acts) != set(r.acts) or u.vote or r.vote:
        return False
    for name, v in u.result.state.env.items():
        other = r.result.state.env.get(name)
        if type(v) is Known and type(other) is Known and type(v.value) is str and type(other.value) is str and v.path is None and other.path is None and not name.startswith("<"):
            if v.value.lower() in decisions.APPROVALS and other.value.lower() in decisions.VERDICTS - decisions.APPROVALS:
                return True
    return False


def _explains(v: Known) -> bool:
    """A text that stands in for an explanation nobody gave, `.get("rationale", "Approval recorded.")`: it decides nothing."""
    name = v.path[-1] if v.path else ""
    return type(v.value) is str and (decisions.text_field(name) or decisions.sentence(v.value))


def _approved(v: Any, key: str = "", depth: int = 0) -> bool:
    """A result that says approved in so many words: `{"decision": "approve"}`, `{"approved": True}`."""
    if type(v) is Known and v.how != "leaf":
        return v.value is True and decisions.yes_key(key) or type(v.value) is str and v.how != "text" and v.value.lower() in decisions.APPROVALS
    if depth > 3:
        return False
    if type(v) is Map:
        return any(_approved(x, str(k), depth + 1) for k, x in v.items)
    return type(v) is Cmd and _approved(v.update, "", depth + 1)


def _parts(v: Any, depth: int = 0) -> Iterator[Any]:
    yield v
    if depth < 5:
        inner = [x for _, x in v.items] if type(v) is Map else v.elts if type(v) is Items else [v.elem] if type(v) is Many else [v.update, v.goto] if type(v) is Cmd else []
        for x in inner:
            yield from _parts(x, depth + 1)


def _carried(o: Outcome, path: tuple[str, ...]) -> bool:
    """The answer itself is handed on: it is a text, not a decision."""
    return any((type(v) is Sym or type(v) is Known and v.how in ("text", "leaf")) and v.path == path for v in _parts(o.result.value))


def _approves(d: Default) -> bool:
    value = d.shown.strip("'\"")
    return value == "True" or decisions.says_yes(value)


def _same_way(a: Outcome, b: Outcome, missing: bool, shapes: bool = True) -> bool:
    """Two ways took the same turns, the looks at the answer's words aside. `missing`: one of them misses fields that the other has."""
    for key, value in a.facts.items():
        other = b.facts.get(key)
        if other is None or other == value or (missing and key[0] == "there" and other) or (not shapes and key[0] == "shape"):
            continue
        return False
    return True


def _parting(u: Outcome, r: Outcome, shape: bool = False) -> Choice | None:
    """The first look at the answer that came out differently; a comparison before a look-up, which may only be a label for the log."""
    other = {id(c.node): c for c in reversed(r.trail)}
    found = [c for c in u.trail if id(c.node) in other and other[id(c.node)].branch != c.branch and (c.kind == "shape") == shape]
    return next((c for c in found if c.kind != "table"), found[0] if found else None)


def _answer_shape(o: Outcome) -> Any:
    return o.facts.get(("shape", ()))


def _names(goto: Any) -> list[str]:
    if type(goto) is Known and isinstance(goto.value, str):
        return [goto.value]
    if type(goto) is Items:
        return [n for x in goto.elts for n in _names(x)]
    if type(goto) is Many:
        return _names(goto.elem)
    return []


def _state_env(fn: FnInfo, state: Map) -> dict[str, Any]:
    params = [p.name for p in fn.fn.params]
    env: dict[str, Any] = {name: Top() for name in params}
    first = next((n for n in params if n not in ("self", "cls")), None)
    if first is not None:
        env[first] = state
    return env


def _approving_const(e: Any, key: str) -> bool:
    if type(e) is not Const:
        return False
    if e.value is True:
        return decisions.approval_key(key)
    # "submit" hands in a form, whatever it says.
    return e.kind == "str" and decisions.says_yes(e.value) and e.value.lower() not in ("submit", "submitted") and decisions.decision_key(key)


def _field_of(e: Any) -> str:
    """The field that an expression reads, "" for none."""
    while type(e) is Call and type(e.func) is Attr and e.func.attr in ("strip", "lower"):
        e = e.func.value
    if type(e) is Attr:
        return e.attr
    if type(e) is Sub and type(e.index) is Const:
        return str(e.index.value)
    if type(e) is Call and type(e.func) is Attr and e.func.attr == "get" and e.args and type(e.args[0].value) is Const:
        return str(e.args[0].value.value)
    return ""


def _function(scope: Scope) -> str:
    owner = scope.owner
    return owner.dotted if isinstance(owner, FnInfo) else scope.module.name


def _owner(project: "Project", d: Default, p: "Pausing") -> str:
    """The function around a place of a module."""
    info = project.names.modules.get(d.module)
    best = ""
    size = None
    for f in info.functions if info is not None else ():
        a, b = f.fn.whole[0], f.fn.whole[2]
        if a <= d.at[0] <= b and (size is None or b - a < size):
            best, size = f.dotted, b - a
    return best or (info.name if info is not None else "")


__all__ = ["Answers", "Open", "Outcome", "Truth", "answered", "strings_of", "vote"]
