"""What the project itself sends as an answer: whether a part of it can only be one of some words, because the model of a request says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Iterator

from hitl_lint.analysis.names import Cls, ClassInfo, Fn, FnInfo, Inst, Lit, Scope, argument, is_test
from hitl_lint.analysis.requests import Requests
from hitl_lint.analysis.turns import nodes_in
from hitl_lint.facts import (
    Assign, Attr, Await, Bin, BoolOp, Break, Call, Cmp, Comp, Const, Continue, Dict, For, If, IfExp, Name, Param, Raise, Return, Seq, Sub, Un, While, dotted, text,
)

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

MAX_STEPS = 12  # names, calls and fields between a `Command` and the model of the request
VALIDATING = ("BaseModel", "RootModel", "SQLModel")
Words = frozenset[str]
CHECKED = "<checked>"  # among the words: some of them come from what is enforced: an annotation, a choice between words
UNSEEN = "<unseen>"  # among the words: a function of the project makes the answer, in a way that is not followed
PASSED = "<passed>"  # among the words: a function of the application is handed them
MAX_MODELS = 6  # models of a request that lie in one another


class Producers:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._known: dict[tuple[str, ...], Words | None] = {}
        self._there: dict[tuple[str, ...], bool] = {}

    def reset(self) -> None:
        self._known, self._there = {}, {}

    def words(self, path: tuple[str, ...]) -> Words | None:
        """The words that a part of an answer can be in whatever the project resumes with; None where it can be another. Tests send what they
        like, and a constant in a script is an example: something must check what comes in."""
        found = self._all_words(path)
        return found - MARKS if found is not None and CHECKED in found and UNSEEN not in found else None

    def bools(self, path: tuple[str, ...], asking: FnInfo) -> bool:
        """Whether a part of an answer is True or False in whatever the project resumes with; where modules that see the function that asks send answers, in theirs."""
        sent = self._sent(path)
        near = [c for c in sent if c.scope.module is asking.module or asking.module.path in self.project.names.imported(c.scope.module)]
        sent = near or sent
        return bool(sent) and all(self._is_bool(c.resume, c.scope, path, 0) for c in sent)

    def _is_bool(self, e: Any, scope: Scope, path: tuple[str, ...], depth: int) -> bool:
        t = type(e)
        if depth > MAX_STEPS:
            return False
        if t is Await:
            return self._is_bool(e.value, scope, path, depth + 1)
        if t is IfExp:
            return all(self._is_bool(x, scope, path, depth + 1) for x in (e.body, e.orelse))
        if t is Dict and path:
            values = [v for k, v in zip(e.keys, e.values) if type(k) is Const and k.value == path[0]]
            if values and None not in e.keys:
                return self._is_bool(values[-1], scope, path[1:], depth + 1)
            return bool(e.keys) and not any(k is None or type(k) is Const for k in e.keys) and all(self._is_bool(v, scope, path, depth + 1) for v in e.values)
        if t is Name:
            found = self.project.names.lookup(e.id, scope)
            if found is None or not found[0] or len(found[0]) > 3:
                return False
            return all(b.how == "value" and self._is_bool(b.node, found[1], path, depth + 1) or b.how == "param" and self._bool_param(found[1].owner, b.node, path, depth)
                       for b in found[0])
        if path:
            # `body.model_dump()`
            return t is Call and type(e.func) is Attr and e.func.attr in ("model_dump", "dict") and len(path) == 1 and self._bool_field(e.func.value, scope, path[0])
        if t is Attr:
            return self._bool_field(e.value, scope, e.attr)
        return t is Const and e.kind == "bool" or t is Cmp or t is Un and e.op == "not" or t is Call and dotted(e.func) in ("bool", "isinstance", "any", "all")

    def _bool_param(self, info: FnInfo, param: Param, path: tuple[str, ...], depth: int) -> bool:
        """An endpoint's bool is checked. What else is passed for a parameter is as the callers have it; that nobody is seen to call it leaves the annotation."""
        if not path and info.fn.decorators:
            return dotted(param.annotation) == "bool" if param.annotation is not None else False
        bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
        given = [(argument(c, info.fn, param, bound) or param.default, s) for c, s in self.project.resumes.callers(info)] if not info.fn.decorators else []
        if not given:
            return not path and param.annotation is not None and dotted(param.annotation) == "bool"
        return all(g is not None and self._is_bool(g, s, path, depth + 1) for g, s in given)

    def _bool_field(self, e: Any, scope: Scope, name: str) -> bool:
        fields = [s for v in self.project.names.resolve(e, scope) if isinstance(v, Inst) and self._validates(v.info) for c in self.project.names.mro(v.info) if isinstance(c, ClassInfo)
                  for s in c.cls.body if type(s) is Assign and s.annotation is not None and type(s.targets[0]) is Name and s.targets[0].id == name]
        return bool(fields) and all(dotted(s.annotation) in ("bool", "StrictBool") for s in fields)

    def handed(self, path: tuple[str, ...]) -> Words | None:
        """The words that are sent today where functions of the application hand them on and nothing checks them, or where what hands them on is not followed
        and the models of the requests allow these; None where they cannot be told."""
        found = self._all_words(path)
        return found - MARKS if found is not None and (PASSED in found and not {CHECKED, UNSEEN} & found or {CHECKED, UNSEEN} <= found) else None

    def _all_words(self, path: tuple[str, ...]) -> Words | None:
        if path not in self._known:
            found = _all(self._words(c.resume, c.scope, path, 0) for c in self._sent(path))
            if found is not None and UNSEEN in found:
                found = _all([found, self._in_bodies(path)])
            self._known[path] = found
        return self._known[path]

    def _sent(self, path: tuple[str, ...]) -> list[Any]:
        """The answers of the project that can be for a pause that reads this path. `{"decisions": […]}` is what langchain's review is answered with:
        beside answers of another shape it is not for a pause that reads something else."""
        sent = [c for c in self.project.resumes.commands() if c.resume is not None and not is_test(c.scope.module.path)]
        others = [c for c in sent if not self._for_review(c.resume, c.scope)] if path and path[0] != "decisions" else []
        return others or sent

    def _for_review(self, e: Any, scope: Scope, depth: int = 0) -> bool:
        if type(e) is Dict:
            return any(type(k) is Const and k.value == "decisions" for k in e.keys)
        if type(e) is Comp and e.kind == "dict":
            return self._for_review(e.elt, scope, depth)
        if type(e) is Name and depth < 3:
            found = self.project.names.lookup(e.id, scope)
            return found is not None and bool(found[0]) and all(b.how == "value" and self._for_review(b.node, found[1], depth + 1) for b in found[0])
        return False

    def _in_bodies(self, path: tuple[str, ...]) -> Words | None:
        """The words that the models of the application's requests allow at a path: `decisions: list[Decision]` with `type: Literal[…]` is
        ("decisions", "*", "type")."""
        fields = self._body_fields(path)
        return _all(self._annotated(f.annotation, s) for f, s in fields) if fields else None

    def _body_fields(self, path: tuple[str, ...]) -> list[tuple[Any, Scope]]:
        """(the field's assignment, its scope) of what stands at a path in the bodies that endpoints take."""
        out = []
        requests = Requests(self.project)
        for module in list(self.project.names.modules.values()) if path else ():
            for info in list(module.functions) if not is_test(module.path) else ():
                if not info.fn.decorators or not any(p.annotation is not None for p in info.fn.params) or not requests.handles(info):
                    continue
                for p in info.fn.params:
                    out += self._down(p.annotation, info.parent, path, 0)
        return out

    def _down(self, annotation: Any, scope: Scope, path: tuple[str, ...], depth: int) -> list[tuple[Any, Scope]]:
        t = type(annotation)
        if annotation is None or depth > MAX_MODELS:
            return []
        if t is Bin and annotation.op == "|":
            return [*self._down(annotation.left, scope, path, depth + 1), *self._down(annotation.right, scope, path, depth + 1)]
        if t is Sub:
            base = (dotted(annotation.value) or "").rsplit(".", 1)[-1]
            inner = annotation.index.elts[0] if type(annotation.index) is Seq else annotation.index
            if base in ("list", "List", "Sequence"):
                return self._down(inner, scope, path[1:], depth + 1) if path[0] == "*" and len(path) > 1 else []
            return self._down(inner, scope, path, depth + 1) if base in ("Optional", "Annotated", "Union") else []
        for v in self.project.names.resolve(annotation, scope) if t in (Name, Attr) else ():
            if isinstance(v, Cls) and self._validates(v.info):
                for c in self.project.names.mro(v.info):
                    for s in c.cls.body if isinstance(c, ClassInfo) else ():
                        if type(s) is Assign and s.annotation is not None and type(s.targets[0]) is Name and s.targets[0].id == path[0]:
                            where = c.scope or c.parent
                            return [(s, where)] if len(path) == 1 else self._down(s.annotation, where, path[1:], depth + 1)
        return []

    def _validates(self, cls: ClassInfo) -> bool:
        return any(isinstance(b, str) and b.rsplit(".", 1)[-1] in VALIDATING for b in self.project.names.mro(cls))

    def always(self, path: tuple[str, ...]) -> bool:
        """Whether a part of an answer is there whatever the project resumes with, as far as that is seen: a dict with the key, a model with the
        field. Tests send what they like."""
        if path not in self._there:
            self._there[path] = self._always(path)
        return self._there[path]

    def _always(self, path: tuple[str, ...]) -> bool:
        sent = self._sent(path)
        if not sent or not path:
            return False
        rest = [c for c in sent if not self._holds(c.resume, c.scope, path, 0)]
        if not rest:
            return True
        fields = self._body_fields(path) if all(self._unseen(c.resume, c.scope, 0) for c in rest) else []
        return bool(fields) and all(f.value is None or _no_default(f.value) for f, _ in fields)

    def _holds(self, e: Any, scope: Scope, path: tuple[str, ...], depth: int) -> bool:
        t = type(e)
        if depth > MAX_STEPS:
            return False
        if not path:
            return not (t is Const and e.kind == "none")
        if t is Await:
            return self._holds(e.value, scope, path, depth + 1)
        if t is IfExp:
            return all(self._holds(x, scope, path, depth + 1) for x in (e.body, e.orelse))
        if t is Dict:
            values = [v for k, v in zip(e.keys, e.values) if type(k) is Const and k.value == path[0]]
            return bool(values) and self._holds(values[-1], scope, path[1:], depth + 1)
        if t is Call and type(e.func) is Attr and e.func.attr in ("model_dump", "dict") and len(path) == 1:
            return self._required(e.func.value, scope, path[0])
        if t is Name:
            found = self.project.names.lookup(e.id, scope)
            if found is None or not found[0] or found[1].kind != "function" or len(found[0]) > 3:
                return False
            for b in found[0]:
                if b.how == "value" and self._holds(b.node, found[1], path, depth + 1):
                    continue
                info = found[1].owner
                if b.how != "param" or info.fn.decorators:
                    return False
                bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
                given = [(argument(c, info.fn, b.node, bound), s) for c, s in self.project.resumes.callers(info) if not is_test(s.module.path)]
                if not given or not all(g is not None and self._holds(g, s, path, depth + 2) for g, s in given):
                    return False
            return True
        return False

    def _required(self, e: Any, scope: Scope, name: str) -> bool:
        """A field of a request model that has no default."""
        values = [v for v in self.project.names.resolve(e, scope) if isinstance(v, Inst)]
        return bool(values) and all(
            any(isinstance(b, str) and b.rsplit(".", 1)[-1] in VALIDATING for b in self.project.names.mro(v.info))
            and any(type(s) is Assign and s.annotation is not None and (s.value is None or _no_default(s.value)) and type(s.targets[0]) is Name and s.targets[0].id == name
                    for c in self.project.names.mro(v.info) if isinstance(c, ClassInfo) for s in c.cls.body) for v in values)

    def _words(self, e: Any, scope: Scope, path: tuple[str, ...], depth: int) -> Words | None:
        t = type(e)
        if depth > MAX_STEPS:
            return None
        if t is Await:
            return self._words(e.value, scope, path, depth + 1)
        if t is Const:
            return frozenset() if e.kind == "none" else frozenset({str(e.value)}) if not path and e.kind in ("str", "bool") else None
        if t is IfExp:
            found = _all(self._words(x, scope, path, depth + 1) for x in (e.body, e.orelse))
            # `"deny" if body.decision == "deny" else "approve"`: whatever comes in, one of the two goes on.
            return found | {CHECKED} if found is not None and not path and all(type(x) is Const for x in (e.body, e.orelse)) else found
        if t is BoolOp and e.op == "or":
            return _all(self._words(x, scope, path, depth + 1) for x in e.values)
        if t is Dict:
            if path and e.keys and not any(k is None or type(k) is Const for k in e.keys):
                return _all(self._words(v, scope, path, depth + 1) for v in e.values)  # by the ids of the pauses
            values = [v for k, v in zip(e.keys, e.values) if type(k) is Const and k.value == path[0]] if path and None not in e.keys else []
            return self._words(values[-1], scope, path[1:], depth + 1) if values else None
        if not path and t in (Name, Attr) and (among := self.among(e, scope)) is not None:
            return among
        if self._unseen(e, scope, 0):
            return frozenset({UNSEEN})
        if t is Name:
            return self._name(e, scope, path, depth)
        if t is Sub or t is Call and type(e.func) is Attr and e.func.attr == "get" and not path:
            return self._table(e, scope, path, depth)
        if t is Attr:
            return self._words(e.value, scope, path, depth + 1) if e.attr == "value" else self._field(e.value, scope, e.attr) if not path else None
        if t is Call and type(e.func) is Attr and e.func.attr in ("model_dump", "dict") and len(path) == 1:
            return self._field(e.func.value, scope, path[0])
        return None

    def among(self, e: Any, scope: Scope) -> Words | None:
        """The words that a test lets pass: `if text not in ("yes", "no"): raise …`, `while text not in WORDS: text = input()`, and `while True:` with
        `if text in WORDS: break`."""
        shown = text(e, 200)
        for node in nodes_in(scope):
            if type(node) not in (If, While) or not node.body or node.at > e.at:
                continue
            if type(node.test) is Cmp and node.test.ops == ["not in"] and text(node.test.left, 200) == shown:
                if (type(node) is While or type(node.body[-1]) in (Raise, Return, Continue)) and (words := self._constants(node.test.rights[0], scope)) is not None:
                    return frozenset({CHECKED, *words})
            elif type(node) is While and type(node.test) is Const and node.body[-1].at[2] < e.at[0]:
                # A `while True` that is left by `if text in WORDS: break` alone.
                ways = list(_ways_out(node.body, None))
                left = [self._constants(t.rights[0], scope) if type(t) is Cmp and t.ops == ["in"] and text(t.left, 200) == shown else None for t in ways]
                if left and None not in left:
                    return frozenset({CHECKED, *(x for words in left for x in words or ())})
        return None

    def _constants(self, e: Any, scope: Scope) -> list[str] | None:
        """The words of a display, also through a name."""
        values = [Lit(e, scope)] if type(e) in (Seq, Dict) else self.project.names.resolve(e, scope)
        shows = [v.expr for v in values if isinstance(v, Lit) and type(v.expr) in (Seq, Dict)]
        words = [x for d in shows for x in (d.elts if type(d) is Seq else d.keys)]
        return [x.value for x in words] if len(shows) == len(values) == 1 and all(type(x) is Const and x.kind == "str" for x in words) else None

    def _unseen(self, e: Any, scope: Scope, depth: int) -> bool:
        """Whether a function of the project makes a value: `routing = await build(…)`, `answers, rest = build(…)`, `routing.answers`. One that reads from a
        keyboard gives what was typed."""
        if type(e) is Await:
            return self._unseen(e.value, scope, depth)
        if type(e) is Call:
            made = [v.info for v in self.project.names.resolve(e.func, scope) if isinstance(v, Fn)]
            return bool(made) and not any(dotted(c.func) == "input" for f in made for c in self.project.names.scope(f).calls)
        if type(e) is Attr and type(e.value) is Name:
            return self._unseen(e.value, scope, depth)
        if type(e) is Dict:
            return bool(e.keys) and not any(k is None or type(k) is Const for k in e.keys) and all(self._unseen(v, scope, depth) for v in e.values)
        if type(e) is Name and depth < 3:
            found = self.project.names.lookup(e.id, scope)
            return found is not None and bool(found[0]) and found[1].kind == "function" and all(
                b.how in ("value", "unpack") and self._unseen(b.node, found[1], depth + 1) or b.how == "param" and self._made_for(found[1].owner, b.node, depth + 1)
                for b in found[0])
        return False

    def _made_for(self, info: FnInfo, param: Param, depth: int) -> bool:
        """The same of what every caller passes for a parameter."""
        bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
        given = [(argument(c, info.fn, param, bound), s) for c, s in self.project.resumes.callers(info)] if not info.fn.decorators else []
        return bool(given) and all(g is not None and self._unseen(g, s, depth) for g, s in given)

    def _table(self, e: Any, scope: Scope, path: tuple[str, ...], depth: int) -> Words | None:
        """What a table of words gives: `WORDS[body.action]`, `WORDS.get(choice, "reject")`."""
        base = e.value if type(e) is Sub else e.func.value
        values = [Lit(base, scope)] if type(base) is Dict else self.project.names.resolve(base, scope) if not path else []
        if len(values) != 1 or not isinstance(values[0], Lit) or type(values[0].expr) is not Dict or None in values[0].expr.keys:
            return None
        found = [self._words(v, values[0].scope, (), depth + 1) for v in values[0].expr.values]
        if type(e) is Call:
            found += [self._words(a.value, scope, (), depth + 1) for a in e.args[1:]]
        words = _all(found)
        return words | {CHECKED} if words is not None else None

    def _name(self, e: Name, scope: Scope, path: tuple[str, ...], depth: int) -> Words | None:
        found = self.project.names.lookup(e.id, scope)
        if found is None or not found[0] or found[1].kind != "function" or len(found[0]) > 3:
            return None
        words = _all(self._words(b.node, found[1], path, depth + 1) if b.how == "value" else self._passed(found[1].owner, b.node, path, depth)
                     if b.how == "param" else None for b in found[0])
        chosen = len(found[0]) > 1 and not path and all(b.how == "value" and type(b.node) is Const for b in found[0])
        return words | {CHECKED} if words is not None and chosen else words

    def _passed(self, info: FnInfo, param: Param, path: tuple[str, ...], depth: int) -> Words | None:
        """What callers pass for a parameter. What an endpoint gets is checked against its annotation."""
        if info.fn.decorators:
            return self._annotated(param.annotation, info.parent) if not path else None
        bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
        callers = self.project.resumes.callers(info)
        given = [(argument(c, info.fn, param, bound), s, any(a.star == 1 or a.star == 2 and not self._without(a.value, s, param.name) for a in c.args)) for c, s in callers]
        # What is left out is None where that is the default: no answer is sent.
        none = type(param.default) is Const and param.default.kind == "none"
        words = _all((frozenset() if none and not star else None) if g is None else self._words(g, s, path, depth + 1) for g, s, star in given) if given else None
        return words | {PASSED} if words else words

    def _without(self, e: Any, scope: Scope, name: str) -> bool:
        """Whether a dict that is passed with two stars is seen to hold no such key."""
        found = self.project.names.lookup(e.id, scope) if type(e) is Name else None
        if found is None or len(found[0]) != 1 or type(found[0][0].node) is not Dict:
            return False
        keys = found[0][0].node.keys
        return all(type(k) is Const and k.value != name for k in keys)

    def _field(self, e: Any, scope: Scope, name: str) -> Words | None:
        """A field of a request model."""
        names = self.project.names
        values = [v for v in names.resolve(e, scope) if isinstance(v, Inst)]
        out: list[Words | None] = []
        for v in values:
            mro = list(names.mro(v.info))
            if not any(isinstance(b, str) and b.rsplit(".", 1)[-1] in VALIDATING for b in mro):
                return None
            fields = [(s.annotation, c) for c in mro if isinstance(c, ClassInfo) for s in c.cls.body
                      if type(s) is Assign and s.annotation is not None and type(s.targets[0]) is Name and s.targets[0].id == name]
            out.append(self._annotated(fields[0][0], fields[0][1].scope or fields[0][1].parent) if fields else None)
        return _all(out) if out else None

    def _annotated(self, annotation: Any, scope: Scope) -> Words | None:
        """The words of `Literal["approve", "reject"]`, of an Enum, of a union of such; None adds none."""
        t = type(annotation)
        if t is Const and annotation.kind == "none":
            return frozenset()
        if t is Bin and annotation.op == "|":
            return _all(self._annotated(x, scope) for x in (annotation.left, annotation.right))
        if t is Sub:
            base = (dotted(annotation.value) or "").rsplit(".", 1)[-1]
            parts = annotation.index.elts if type(annotation.index) is Seq else [annotation.index]
            if base == "Literal":
                return frozenset({CHECKED, *(str(x.value) for x in parts)}) if all(type(x) is Const for x in parts) else None
            if base in ("Optional", "Union"):
                return _all(self._annotated(x, scope) for x in parts)
            return self._annotated(parts[0], scope) if base == "Annotated" else None
        found: list[Words | None] = []
        for v in self.project.names.resolve(annotation, scope) if t in (Name, Attr) else ():
            enum = isinstance(v, Cls) and any(isinstance(b, str) and b.rsplit(".", 1)[-1] in ("Enum", "StrEnum") for b in self.project.names.mro(v.info))
            found.append(frozenset({CHECKED, *(str(s.value.value) for s in v.info.cls.body if type(s) is Assign and type(s.value) is Const)}) if enum else None)
        return _all(found) if found else None


def _ways_out(body: list[Any], test: Any) -> Iterator[Any]:
    """For each `break` of a loop the test under which it stands (None: under none, or another way round)."""
    for stmt in body:
        t = type(stmt)
        if t is Break:
            yield test
        elif t is If:
            yield from _ways_out(stmt.body, stmt.test)
            yield from _ways_out(stmt.orelse, None)
        elif t not in (While, For):
            for part in ("body", "orelse", "final"):
                yield from _ways_out(getattr(stmt, part, None) or [], test)
            for h in getattr(stmt, "handlers", None) or getattr(stmt, "cases", None) or ():
                yield from _ways_out(h.body, None)


MARKS = frozenset({CHECKED, UNSEEN, PASSED})


def _no_default(value: Any) -> bool:
    """`Field(...)`, `Field(..., description=…)`, `Field(description=…)`."""
    if type(value) is not Call or (dotted(value.func) or "").rsplit(".", 1)[-1] != "Field":
        return False
    first = next((a.value for a in value.args if a.name in (None, "default")), None)
    return not any(a.name == "default_factory" for a in value.args) and (first is None or type(first) is Const and first.kind == "ellipsis")


def _all(found: Iterable[Words | None]) -> Words | None:
    out: Words = frozenset()
    for one in found:
        if one is None:
            return None
        out |= one
    return out


__all__ = ["Producers"]
