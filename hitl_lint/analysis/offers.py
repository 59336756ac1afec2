"""Which words of rejection a question offers: `(y/n)`, `approve or decline`, `["approve", "deny"]`, in what is shown with the pause or at the keyboard."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.cfg import Point
from hitl_lint.analysis.names import Lit, Scope, is_test
from hitl_lint.catalogue import decisions
from hitl_lint.facts import Attr, Await, Call, Const, Dict, FStr, Name, Seq, dotted, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

TYPED = frozenset({"input", "prompt", "ask", "text_input", "chat_input"})
MAX_STEPS = 6
# `yes/no`, `approve | reject`, `'approve' or 'deny'`.
_PAIR = re.compile(r"['\"\[(]?\b(\w+)['\"\])]?\s*(?:/|\||\bor\b|,)\s*['\"\[(]?(\w+)\b['\"\])]?")


class Offers:
    def __init__(self, project: "Project") -> None:
        self.project = project

    def noes(self, p: "Pausing", pause: Point, path: tuple[str, ...]) -> list[str]:
        """The words of rejection that are offered beside one of approval, spelled as they arrive."""
        out: dict[str, None] = {}
        for call, scope in self.project.answers.asking_calls(p, pause):
            for a in call.args:
                for shown in strings_of(a.value, scope, self.project):
                    out.update(dict.fromkeys(_no_of(shown)))
                for node in shows_of(a.value, scope, self.project):
                    # The keys of a dict are words of the answer where it says of each what it does: `{"approve": "Send it", "reject": "Cancel"}`.
                    parts = node.elts if type(node) is Seq else node.keys if all(type(v) in (Const, FStr) and getattr(v, "kind", "str") == "str" for v in node.values) else []
                    words = [x.value for x in parts] if all(type(x) is Const and x.kind == "str" for x in parts) else []
                    if type(node) is Dict and not all(len(decisions.words(w)) == 1 for w in words):
                        continue
                    if any(decisions.says_yes(w) for w in words):
                        out.update(dict.fromkeys(w for w in words if decisions.says_no(w)))
        for sent in self.project.resumes.commands():
            if sent.resume is not None and not is_test(sent.scope.module.path):
                out.update(dict.fromkeys(self._typed(sent.resume, sent.scope, path, False, 0)))
        return list(out)

    def _typed(self, e: Any, scope: Scope, path: tuple[str, ...], lower: bool, depth: int) -> Iterator[str]:
        """What is offered where the answer is typed in as it is sent."""
        t = type(e)
        if depth > MAX_STEPS or e is None:
            return
        if t is Await:
            yield from self._typed(e.value, scope, path, lower, depth + 1)
        elif t is Dict and path:
            values = [v for k, v in zip(e.keys, e.values) if type(k) is Const and k.value == path[0]]
            for v in values[-1:]:
                yield from self._typed(v, scope, path[1:], lower, depth + 1)
        elif t is Name:
            found = self.project.names.lookup(e.id, scope)
            for b in found[0] if found is not None and len(found[0]) <= 3 else ():
                if b.how == "value":
                    yield from self._typed(b.node, found[1], path, lower, depth + 1)
        elif t is Call and type(e.func) is Attr and e.func.attr in ("strip", "lower", "casefold"):
            yield from self._typed(e.func.value, scope, path, lower or e.func.attr != "strip", depth + 1)
        elif t is Call and not path and (dotted(e.func) or "").rsplit(".", 1)[-1] in TYPED:
            for a in e.args[:1]:
                for shown in strings_of(a.value, scope, self.project):
                    yield from (w.lower() if lower else w for w in _no_of(shown))


def _no_of(shown: str) -> Iterator[str]:
    for m in _PAIR.finditer(shown):
        for yes, no in (m.groups(), m.groups()[::-1]):
            if decisions.says_yes(yes) and decisions.says_no(no):
                yield no


def strings_of(expr: Any, scope: Scope, project: "Project", depth: int = 0) -> Iterator[str]:
    """The literal texts in an expression, names looked up once."""
    for node in walk(expr):
        if type(node) is Const and node.kind == "str":
            yield node.value
        elif type(node) is Name and depth < 2:
            for v in project.names.resolve(node, scope):
                if isinstance(v, Lit) and v.expr is not expr:
                    yield from strings_of(v.expr, v.scope, project, depth + 1)


def shows_of(expr: Any, scope: Scope, project: "Project", depth: int = 0) -> Iterator[Any]:
    """The lists and dicts displayed in an expression, names looked up once: `["approve", "reject"]`, `{"approve": "go on", "reject": "cancel"}`."""
    for node in walk(expr):
        if type(node) in (Seq, Dict):
            yield node
        elif type(node) is Name and depth < 2:
            for v in project.names.resolve(node, scope):
                if isinstance(v, Lit) and v.expr is not expr:
                    yield from shows_of(v.expr, v.scope, project, depth + 1)


__all__ = ["Offers", "shows_of", "strings_of"]
