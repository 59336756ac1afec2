"""What an answer is as written: one value, a list, or something that cannot be told (it may be a map of ids)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hitl_lint.analysis.names import FnInfo, Inst, Scope, argument
from hitl_lint.analysis.turns import nodes_in, unawaited
from hitl_lint.facts import Attr, BoolOp, Call, Cmp, Comp, Const, Dict, FStr, IfExp, Name, Seq, Sub, Un, dotted, text, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

HEX = re.compile(r"[0-9a-f]{32}\Z")
PLAIN = re.compile(r"(?:typing\.)?(?:Optional\[)?(?:str|bool|int|float|(?:typing\.)?Literal\[.*\])\]?(?:\s*\|\s*(?:None|str|bool|int|float))*\Z")
ANYTHING = frozenset({"Any", "typing.Any", "object", "Optional[Any]", "Any | None"})
GIVES_TEXT = frozenset({"input", "str", "bool", "int", "float", "len"})
TEXT_METHODS = frozenset({"strip", "lower", "upper", "join", "format", "rstrip", "lstrip", "title", "text_input", "text_area", "button", "ask", "prompt"})
MAX_DEPTH = 6
ANY = frozenset({(">", 0), ("==", 0), ("!=", 0), (">=", 1), ("<", 1)})
LOGGED = frozenset({"debug", "info", "warning", "error", "exception", "log"})


class SentValues:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names

    def listed(self, e: Any, scope: Scope) -> Seq | None:
        """The list display that an answer is, itself or through one variable."""
        if type(e) is Seq and e.kind in ("list", "tuple"):
            return e
        if type(e) is Name:
            found = self.names.lookup(e.id, scope)
            if found is not None and len(found[0]) == 1 and found[0][0].how == "value" and type(found[0][0].node) is Seq:
                return self.listed(found[0][0].node, found[1])
        return None

    def single(self, e: Any, scope: Scope, depth: int = 0) -> bool:
        """Whether an answer is seen to be no map of interrupt ids, on every way in which it is made."""
        e, t = unawaited(e), type(unawaited(e))
        if depth > MAX_DEPTH:
            return False
        if t is Const:
            return e.kind in ("str", "bool", "int", "float")
        if t in (FStr, Cmp):
            return True
        if t is Seq:
            return e.kind in ("list", "tuple")
        if t is Un:
            return True
        if t is Dict:
            return bool(e.keys) and all(type(k) is Const and k.kind == "str" and not HEX.match(k.value) for k in e.keys)
        if t is IfExp:
            return self.single(e.body, scope, depth + 1) and self.single(e.orelse, scope, depth + 1)
        if t is BoolOp:
            return all(self.single(v, scope, depth + 1) for v in e.values)
        if t is Call:
            return self._call(e, scope)
        if t is Name:
            found = self.names.lookup(e.id, scope)
            if found is None or not found[0]:
                return False
            return all(self._bound(b, found[1], depth) for b in found[0])
        if t is Attr:
            return any(isinstance(v, Inst) and self._field(v, e.attr) for v in self.names.resolve(e.value, scope))
        return False

    def _bound(self, b: Any, scope: Scope, depth: int) -> bool:
        if b.how == "param":
            if b.node.annotation is not None and PLAIN.match(text(b.node.annotation, 200)) is not None:
                return True
            return (b.node.annotation is None or text(b.node.annotation, 200) in ANYTHING) and self._passed(b.node, scope, depth)
        return b.how == "value" and b.node is not None and self.single(b.node, scope, depth + 1)

    def _passed(self, param: Any, scope: Scope, depth: int) -> bool:
        """Whether every caller of the function that is seen passes one value, or leaves out that there is an answer: `run(config, "yes" if approved else "no")`."""
        info = scope.owner if scope.kind == "function" else None
        if not isinstance(info, FnInfo) or info.fn.decorators or info.name == "<lambda>" or param.kind in ("star", "star2"):
            return False
        bound = info.cls is not None
        left_out = param.default is None or type(param.default) is Const and param.default.kind == "none"
        given = []
        for call, where in self.project.resumes.callers(info):
            if any(a.star for a in call.args):
                return False
            e = argument(call, info.fn, param, bound)
            if e is None and not left_out:
                e, where = param.default, scope
            if e is not None and not (type(e) is Const and e.kind == "none"):
                given.append((e, where))
        return bool(given) and all(self.single(e, where, depth + 2) for e, where in given)

    def _call(self, e: Call, scope: Scope) -> bool:
        name = dotted(e.func) or ""
        if type(e.func) is Name and name in GIVES_TEXT:
            return self.names.lookup(name, scope) is None
        return type(e.func) is Attr and e.func.attr in TEXT_METHODS

    def _field(self, v: Inst, attr: str) -> bool:
        for c in self.names.mro(v.info):
            if isinstance(c, str):
                continue
            for stmt in c.cls.body:
                if type(stmt).__name__ == "Assign" and stmt.annotation is not None and any(type(t) is Name and t.id == attr for t in stmt.targets):
                    return PLAIN.match(text(stmt.annotation, 200)) is not None
        return False

    def counted(self, scope: Scope) -> bool:
        """Whether the function looks how many questions wait, or answers them one by one by id elsewhere."""
        nodes = list(nodes_in(scope))
        # Whether there is any is not how many, and neither is what a log is told.
        idle = {id(n.left) for n in nodes if type(n) is Cmp and len(n.rights) == 1 and type(n.rights[0]) is Const and (n.ops[0], n.rights[0].value) in ANY}
        idle |= {id(x) for n in nodes if type(n) is Call and type(n.func) is Attr and n.func.attr in LOGGED and "log" in (dotted(n.func.value) or "").lower() for x in walk(n)}
        for n in nodes:
            t = type(n)
            if t is Call and dotted(n.func) == "len" and n.args and id(n) not in idle and _about_pauses(n.args[0].value):
                return True
            if t is Comp and n.kind == "dict" and type(n.key) is Attr and n.key.attr in ("id", "interrupt_id"):
                return True
            if t is Sub and type(n.index) is Attr and n.index.attr in ("id", "interrupt_id"):
                return True
        return False


def _about_pauses(e: Any) -> bool:
    shown = text(e, 200).lower()
    return any(word in shown for word in ("interrupt", "pending", "tasks", "waiting", "pause", "question"))


__all__ = ["SentValues"]
