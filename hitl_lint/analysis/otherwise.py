"""Where an answer is built to be sent, and every word but those that reject approves: `Command(resume=text not in NO)`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.cfg import CFG, Guard, Point, build_module
from hitl_lint.analysis.names import Cls, Ext, Fn, FnInfo, Inst, Lit, Scope, is_test
from hitl_lint.analysis.whatif import WhatIf
from hitl_lint.catalogue import decisions
from hitl_lint.facts import Assign, Attr, Await, Bin, BoolOp, Call, Case, Cmp, Comp, Const, Dict, IfExp, Match, Name, Return, Seq, Sub, Un, dotted, text, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

DEPTH = 5
TYPED = frozenset({"input", "prompt", "ask"})
BRACKETED = re.compile(r"[\[(](\w)[\])](?=\w)")  # `[a]pprove or [r]eject?`
# What is given what can be chosen, by keyword or by its nature.
OFFERED = frozenset({"choices", "actions", "options", "buttons"})
PICKS = frozenset({"radio", "selectbox", "segmented_control", "pills", "AskActionMessage"})
SHOWS = frozenset({"print", "echo", "write", "secho"})
DEFAULT = re.compile(r"Y/n|\b[Ee]nter\b[^.]{0,20}\b(approve|accept|confirm|continue)")


class Otherwise:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._modules: dict[int, CFG] = {}

    def sent(self) -> Iterator[tuple[Any, Scope, str, list[str]]]:
        """(expression, its scope, as shown, the words that reject) of answers that are an approval whatever else was said."""
        seen: set[Any] = set()
        for sent in self.project.resumes.commands():
            if sent.resume is None or is_test(sent.scope.module.path):
                continue
            for e, scope, words in self._open(sent.resume, sent.scope, sent.call, "", 0):
                key = (scope.module.path, e.at)
                if key not in seen:
                    seen.add(key)
                    yield e, scope, text(e, 60), words

    def _open(self, e: Any, scope: Scope, at: Any, key: str, depth: int) -> Iterator[tuple[Any, Scope, list[str]]]:
        """`at`: the call or assignment in which the expression stands."""
        if depth > DEPTH:
            return
        if _approves(e, key):
            words = self._left_over(at, scope)
            if words:
                yield e, scope, words
            return
        t = type(e)
        if t is Dict:
            for k, v in zip(e.keys, e.values):
                yield from self._open(v, scope, at, str(k.value) if type(k) is Const else "", depth + 1)
        elif t is Seq:
            for x in e.elts:
                yield from self._open(x, scope, at, key, depth + 1)
        elif t is Comp:
            yield from self._open(e.elt, scope, at, key, depth + 1)
        elif t is Call and type(e.func) in (Name, Attr):
            yield from self._asked(e, key, scope, depth)
        elif t is IfExp:
            words = self._rejects(e.test, scope, 0)
            if words and _approves(e.orelse, key):
                yield e, scope, words
            elif type(e.test) is Un and e.test.op == "not" or type(e.test) is Cmp:
                words = self._lets_pass(e.test, scope)
                if words and _approves(e.body, key):
                    yield e, scope, words
        elif t in (Un, Cmp) and (not key or decisions.yes_key(key)):
            words = self._lets_pass(e, scope)
            if words:
                yield e, scope, words
        elif t is Name and (cfg := self._cfg(scope)) is not None:
            found = scope.bindings.get(e.id, ())
            made = [(b.node, stmt) for b in found if b.how == "value" and len(found) <= 6
                    and (stmt := next((x for x in cfg.points if x.kind == "bind" and type(x.node) is Assign and x.node.value is b.node), None)) is not None]
            for value, stmt in made:
                yield from self._open(value, scope, stmt.node, key, depth + 1)
            for value, part, stmt in self._put(e.id, cfg):
                yield from self._open(value, scope, stmt, part or key, depth + 1)
            if len(made) == len(found):
                yield from self._unless(made, cfg, scope, key)

    def _put(self, name: str, cfg: CFG) -> Iterator[tuple[Any, str, Any]]:
        """(value, key, statement) of what is put into a dict or list: `answers[pause.id] = …`, `decisions.append(…)`."""
        for x in cfg.points:
            if x.kind == "bind" and type(x.node) is Assign and x.node.value is not None:
                for t in x.node.targets:
                    if type(t) is Sub and type(t.value) is Name and t.value.id == name:
                        yield x.node.value, str(t.index.value) if type(t.index) is Const and t.index.kind == "str" else "", x.node
            elif x.kind == "call" and type(x.node.func) is Attr and x.node.func.attr in ("append", "extend", "update") and type(x.node.func.value) is Name:
                if x.node.func.value.id == name and len(x.node.args) == 1:
                    yield x.node.args[0].value, "", x.node

    def _asked(self, call: Call, key: str, scope: Scope, depth: int) -> Iterator[tuple[Any, Scope, list[str]]]:
        """The same in a function that asks at the keyboard and returns the answer."""
        values = self.project.names.resolve(call.func, scope)
        info = values[0].info if len(values) == 1 and isinstance(values[0], Fn) else None
        if info is None or info.name == "<lambda>":
            return
        inner = self.project.names.scope(info)
        if not any((dotted(c.func) or "").rsplit(".", 1)[-1] in TYPED for c in inner.calls):
            return
        for ret in (n for s in info.fn.body for n in walk(s) if type(n) is Return and n.value is not None):
            yield from self._open(ret.value, inner, ret, key, depth + 1)

    def _cfg(self, scope: Scope) -> CFG | None:
        if scope.kind == "function" and isinstance(scope.owner, FnInfo):
            return self.project.cfg(scope.owner)
        if scope.kind == "module":
            if id(scope) not in self._modules:
                self._modules[id(scope)] = build_module(scope.module.facts.body)
            return self._modules[id(scope)]
        return None

    def _unless(self, made: list[tuple[Any, Point]], cfg: CFG, scope: Scope, key: str) -> Iterator[tuple[Any, Scope, list[str]]]:
        """`action = "approve"`, then `if text == "no": action = "reject"`: the approval stands unless one of these words takes it back."""
        if len(made) < 2:
            return
        first, at = min(made, key=lambda m: m[0].at)
        part = _approving_part(first, key)
        if part is None:
            return
        before = {(id(g.node), g.branch) for g in cfg.guards(at)}
        words: list[str] = []
        for value, point in made:
            if value is first:
                continue
            tests = [x for g in cfg.guards(point) if (id(g.node), g.branch) not in before for x in [self._passed(g, scope)]]
            if len(tests) != 1 or tests[0] is None or not tests[0][1] or not self._free(tests[0][0], scope) or _approving_part(value, key) is not None:
                return
            words += tests[0][2]
        if any(decisions.says_no(w) for w in words) and not any(decisions.says_yes(w) or decisions.sends_back(w) for w in words):
            yield part, scope, words

    def _passed(self, g: Guard, scope: Scope) -> tuple[Any, bool, list[str]] | None:
        """(what is tested, whether the words pass it, the words) of a decision by words, also by a `case`."""
        if g.kind == "case" and type(g.node) is Case:
            words = _case_words(g.node.pattern)
            return (g.point.stmt.subject, g.branch == "true", self._spelled(words, g.point.stmt.subject, scope)) if words and type(g.point.stmt) is Match and g.node.guard is None else None
        tested = self._tested(g.node, scope) if g.kind == "test" else None
        return (tested[0], (g.branch == "true") == tested[1], tested[2]) if tested is not None else None

    def _lets_pass(self, e: Any, scope: Scope) -> list[str]:
        """The words that do not pass `text not in NO`, `text != "no"`, `not is_denial(text)`."""
        if type(e) is Un and e.op == "not":
            return self._rejects(e.value, scope, 0)
        if type(e) is Cmp and e.ops in (["not in"], ["!="]):
            return self._noes(e, scope)
        return []

    def _rejects(self, e: Any, scope: Scope, depth: int) -> list[str]:
        """The words that pass `text in NO`, `text == "no"`, `is_denial(text)`, which all reject; [] for every other test."""
        t = type(e)
        if depth > 3:
            return []
        if t is Await:
            return self._rejects(e.value, scope, depth)
        if t is Cmp and e.ops in (["in"], ["=="]):
            return self._noes(e, scope)
        if t is BoolOp and e.op == "or":
            parts = [self._rejects(v, scope, depth + 1) for v in e.values]
            return [w for ws in parts for w in ws] if all(parts) else []
        if t is Call and type(e.func) is Attr and e.func.attr == "startswith" and (tested := self._tested(e, scope)) is not None:
            words = tested[2] if self._free(tested[0], scope) else []
            return words if any(decisions.says_no(w) for w in words) and not any(decisions.says_yes(w) or decisions.sends_back(w) for w in words) else []
        if t is Name:
            found = self.project.names.lookup(e.id, scope)
            if found is not None and len(found[0]) == 1 and found[0][0].how == "value":
                return self._rejects(found[0][0].node, found[1], depth + 1)
            return []
        if t is Call and type(e.func) in (Name, Attr):
            values = self.project.names.resolve(e.func, scope)
            if len(values) == 1 and isinstance(values[0], Fn) and values[0].info.name != "<lambda>":
                ends = [s for s in values[0].info.fn.body if type(s) is Return]
                if len(ends) == 1 and not any(type(n) is Return and n is not ends[0] for s in values[0].info.fn.body for n in walk(s)):
                    return self._rejects(ends[0].value, self.project.names.scope(values[0].info), depth + 1)
        return []

    def _noes(self, e: Cmp, scope: Scope) -> list[str]:
        if not self._free(e.left, scope):
            return []
        words = self._words(e.rights[0], scope)
        return words if any(decisions.says_no(w) for w in words) and not any(decisions.says_yes(w) or decisions.sends_back(w) for w in words) else []

    def _words(self, e: Any, scope: Scope) -> list[str]:
        if type(e) is Name:
            values = self.project.names.resolve(e, scope)
            e = values[0].expr if len(values) == 1 and isinstance(values[0], Lit) else e
        elts = e.elts if type(e) is Seq else [a for c in [e] if type(c) is Call and dotted(c.func) in ("frozenset", "set", "tuple") and c.args and type(c.args[0].value) is Seq
                                              for a in c.args[0].value.elts] if type(e) is Call else [e]
        return [x.value for x in elts] if elts and all(type(x) is Const and x.kind == "str" for x in elts) else []

    def _free(self, e: Any, scope: Scope) -> bool:
        """Whether it is text that somebody gives, with no default shown beside the question (`[Y/n]`)."""
        if type(e) is Const or self._closed(e, scope) or self.project.answers.producers.among(e, scope) is not None:
            return False
        made = [e, *(b.node for n in walk(e) if type(n) is Name for b in scope.bindings.get(n.id, ()) if b.how == "value")]
        if any(type(n) is Call and (dotted(n.func) or "").rsplit(".", 1)[-1] in TYPED for x in made for n in walk(x)):
            made += scope.owner.fn.body if isinstance(scope.owner, FnInfo) else scope.module.facts.body  # the question may be printed before
        return not any(type(n) is Const and n.kind == "str" and DEFAULT.search(n.value) for x in made for n in walk(x))

    def _closed(self, e: Any, scope: Scope) -> bool:
        """Whether only certain words can come: a field or parameter of type Literal or an enum, an option with `choices=`, a menu."""
        for node in walk(e):
            if type(node) is Call and any(a.name in ("choices", "type") for a in node.args) and "hoice" in text(node, 400):
                return True
            kind = None
            if type(node) is Attr:
                for v in self.project.names.resolve(node.value, scope):
                    if isinstance(v, Inst):
                        kind = next((a for name, a, _ in WhatIf(self.project, "")._declared(v.info) if name == node.attr), kind)
                if any(type(a.value) is Const and str(a.value.value).lstrip("-").replace("-", "_") == node.attr for call, s in
                       self.project.names.calls_by_name.get("add_argument", ()) if any(x.name in ("choices", "action") for x in call.args) for a in call.args):
                    return True
            elif type(node) is Name and scope.kind == "function":
                for b in scope.bindings.get(node.id, ()):
                    if b.how == "param":
                        kind = b.node.annotation
                    elif b.how == "value" and self._chosen(b.node, scope, 0):
                        return True
            if kind is not None and self._names_words(kind, scope):
                return True
        return False

    def _chosen(self, e: Any, scope: Scope, depth: int) -> bool:
        """Whether a value is picked from what is offered: `Prompt.ask(…, choices=WORDS)`, `st.radio("Decide", WORDS)`, the payload of a button that was pressed."""
        for n in walk(e):
            if type(n) is Call and (any(a.name in OFFERED for a in n.args) or (dotted(n.func) or "").rsplit(".", 1)[-1] in PICKS):
                return True
            if type(n) is Name and depth < 3 and any(b.how == "value" and b.node is not e and self._chosen(b.node, scope, depth + 1) for b in scope.bindings.get(n.id, ())):
                return True
        return False

    def _names_words(self, kind: Any, scope: Scope) -> bool:
        if "Literal" in text(kind, 200) or "bool" in text(kind, 200):
            return True
        for n in walk(kind):
            for v in self.project.names.resolve(n, scope) if type(n) in (Name, Attr) else ():
                if isinstance(v, Cls) and any("Enum" in (b if isinstance(b, str) else b.cls.name) for b in self.project.names.mro(v.info)):
                    return True
                if isinstance(v, (Lit, Ext)) and "Literal" in text(getattr(v, "expr", None) or getattr(v, "origin", None) or n, 200):
                    return True
        return False

    def _left_over(self, at: Any, scope: Scope) -> list[str]:
        """The words that reject, where a statement is reached by all other words: the last `else` after them."""
        cfg = self._cfg(scope)
        if cfg is None:
            return []
        points = cfg.at(at) or [x for x in cfg.points if x.kind == "bind" and x.node is at]
        for point in points[:1]:
            words: list[str] = []
            subject = ""
            for g in cfg.guards(point):
                tested = self._passed(g, scope) if not g.again else None
                if tested is None:
                    if g.kind == "test" and not g.again and subject and subject in text(g.node, 200):
                        return []
                    continue
                left, passed, mine = tested
                if passed:
                    if any(decisions.says_yes(w) for w in mine) or text(left, 200) == subject:
                        return []
                    continue
                if not self._free(left, scope) or (subject and text(left, 200) != subject):
                    return []
                subject = text(left, 200)
                words += mine
            return [w for w in words if not decisions.says_yes(w)] if any(decisions.says_no(w) for w in words) else []
        return []

    def _tested(self, e: Any, scope: Scope) -> tuple[Any, bool, list[str]] | None:
        """(what is tested, whether the words pass, the words) of `text == "no"`, `text not in NO`, `text.startswith("n")`; None for every other test."""
        if isinstance(e, Cmp) and e.ops in (["=="], ["in"], ["!="], ["not in"]):
            words = self._words(e.rights[0], scope)
            return (e.left, e.ops[0] in ("==", "in"), self._spelled(words, e.left, scope)) if words else None
        if type(e) is Un and e.op == "not":
            inner = self._tested(e.value, scope)
            return (inner[0], not inner[1], inner[2]) if inner is not None else None
        if type(e) is Call and type(e.func) is Attr and e.func.attr == "startswith" and len(e.args) == 1:
            words = self._words(e.args[0].value, scope)
            return (e.func.value, True, self._spelled(words, e.func.value, scope)) if words else None
        return None

    def _spelled(self, words: list[str], left: Any, scope: Scope) -> list[str]:
        """First letters spelled out as the question spells them: "r" of `input("approve / reject? ")`."""
        if words and all(w.isdigit() for w in words):
            return [self._menu(w, scope) or w for w in words]
        if all(len(w) != 1 or decisions.says_no(w) or decisions.says_yes(w) for w in words):
            return words
        left = left.value if type(left) is Sub else left
        made = [left, *(b.node for n in walk(left) if type(n) is Name for b in scope.bindings.get(n.id, ()) if b.how == "value")]
        shown = [w for x in made for c in walk(x) if type(c) is Call and (dotted(c.func) or "").rsplit(".", 1)[-1] in TYPED for n in walk(c)
                 if type(n) is Const and n.kind == "str" for w in decisions.words(BRACKETED.sub(r"\1", n.value))]
        return [next((s for s in shown if len(w) == 1 and s.startswith(w) and (decisions.says_no(s) or decisions.says_yes(s))), w) for w in words]

    def _menu(self, number: str, scope: Scope) -> str:
        """What a number stands for in the menu that a function shows: "approve" of `1=approve`, `1. Approve`, `[1] approve`; "" where that is not one word."""
        body = scope.owner.fn.body if isinstance(scope.owner, FnInfo) else scope.module.facts.body if scope.kind == "module" else []
        said = {m.lower() for s in body for n in walk(s) if type(n) is Call and (dotted(n.func) or "").rsplit(".", 1)[-1] in TYPED | SHOWS
                for a in n.args for c in walk(a.value) if type(c) is Const and c.kind == "str" for m in re.findall(rf"(?<!\d){number}\s*[=:.)\]-]+\s*([^\W\d_]+)", c.value)}
        return said.pop() if len(said) == 1 else ""


def _approves(e: Any, key: str) -> bool:
    if type(e) is not Const:
        return False
    if e.value is True:
        return not key or decisions.yes_key(key)
    return e.kind == "str" and decisions.says_yes(e.value) and not decisions.says(e.value, decisions.GOES_ON) and (not key or decisions.decision_key(key))


def _approving_part(e: Any, key: str) -> Any | None:
    """What approves in a constant or a dict of constants."""
    if type(e) is Dict:
        return next((v for k, v in zip(e.keys, e.values) if _approves(v, str(k.value) if type(k) is Const else "")), None)
    return e if _approves(e, key) else None


def _case_words(pattern: Any) -> list[str]:
    """The words of `case "n" | "no":`; [] for every other pattern."""
    if type(pattern) is Bin and pattern.op == "|":
        left, right = _case_words(pattern.left), _case_words(pattern.right)
        return [*left, *right] if left and right else []
    return [pattern.value] if type(pattern) is Const and pattern.kind == "str" else []
