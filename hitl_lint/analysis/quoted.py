"""What of a state update only quotes: the question on record beside the answer to it, in a list of messages or a log.

A value that is made again and gets nowhere else was not approved for anything; the record is wrong, and nothing that runs is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.cfg import Point
from hitl_lint.analysis.values import Flow, Source
from hitl_lint.catalogue import verbs
from hitl_lint.catalogue.langgraph import QUOTING_MESSAGES, TRANSCRIPTS
from hitl_lint.facts import Assign, Await, Bin, Call, Const, Dict, FStr, Name, Seq, Star, Sub, dotted, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

MAX_NAMES = 4


class Quoted:
    """Looks at one update that a function returns, for one value in it."""

    def __init__(self, project: "Project", p: "Pausing", flow: Flow, point: Point, source: Source) -> None:
        self.project, self.p, self.flow, self.point, self.source = project, p, flow, point, source

    def only(self) -> bool:
        """Whether the value gets nowhere but into records that quote the answer as well. Where the answer decides that it is returned at all, it has
        been approved: for what, the messages may say."""
        if any(g.kind == "test" and self._answers(g.node, g.point) for g in self.p.cfg.guards(self.point)):
            return False
        entries = self._entries(self.point.node.value, 0)
        holding = [(k, v) for k, v in entries if self._holds(v)] if entries is not None else []
        return bool(holding) and all(k is not None and self._records(k, v) for k, v in holding)

    def _entries(self, e: Any, depth: int) -> list[tuple[str | None, Any]] | None:
        """The keys and values of an update; None where they cannot be told apart."""
        t = type(e)
        if depth > MAX_NAMES:
            return None
        if t is Dict:
            return [(k.value if type(k) is Const and k.kind == "str" else None, v) for k, v in zip(e.keys, e.values)]
        if t is Call and (dotted(e.func) or "").rsplit(".", 1)[-1] == "Command":
            rest: list[tuple[str | None, Any]] = [(None, a.value) for a in e.args if a.name != "update"]
            inner = next((a.value for a in e.args if a.name == "update"), None)
            made = self._entries(inner, depth + 1) if inner is not None else []
            return None if made is None else rest + made
        if t is Call and dotted(e.func) == "dict" and all(a.name for a in e.args):
            return [(a.name, a.value) for a in e.args]
        if t is Name:
            made = self.p.scope.bindings.get(e.id, ())
            out: list[tuple[str | None, Any]] = []
            for b in made:
                one = self._entries(b.node, depth + 1) if b.how == "value" else None
                if one is None:
                    return None
                out += one
            for stmt in self.p.info.fn.body:
                for n in walk(stmt):
                    if type(n) is Call and type(n.func).__name__ == "Attr" and n.func.attr in ("update", "setdefault") and dotted(n.func.value) == e.id:
                        return None
                    for target in n.targets if type(n) is Assign and n.value is not None else ():
                        if type(target) is Sub and dotted(target.value) == e.id:
                            out.append((target.index.value if type(target.index) is Const else None, n.value))
            return out
        return None

    # ---- a record
    def _records(self, key: str, e: Any) -> bool:
        if TRANSCRIPTS.isdisjoint(verbs.words(key)):
            return False
        items = list(self._items(e, 0))
        return bool(items) and all(self._says(x, 0) for x in items if self._holds(x)) and any(self._answers(x, self.point) for x in items)

    def _items(self, e: Any, depth: int) -> Iterator[Any]:
        """What a list holds: of a display, of lists that are joined, of names for them."""
        made = self._made(e)
        if type(made) is Seq and depth < MAX_NAMES:
            for x in made.elts:
                yield from self._items(x.value, depth + 1) if type(x) is Star else (x,)
        elif type(made) is Bin and made.op == "+" and depth < MAX_NAMES:
            yield from self._items(made.left, depth + 1)
            yield from self._items(made.right, depth + 1)
        else:
            yield made

    def _says(self, e: Any, depth: int) -> bool:
        """Whether an entry is a text that somebody has said, made here; a message of the model itself may ask for tools."""
        e = self._made(e)
        t = type(e)
        if t is Dict:
            return all(k is not None for k in e.keys) and all(type(k) is Const and k.value not in ("tool_calls", "args", "function_call") for k in e.keys)
        if t is Seq:
            return e.kind == "tuple" and len(e.elts) == 2 and type(e.elts[0]) is Const
        if t is Call:
            last = (dotted(e.func) or "").rsplit(".", 1)[-1]
            if last in QUOTING_MESSAGES:
                return not any(self._holds(a.value) for a in e.args if a.name not in (None, "content", "text"))
            return self.only_makes(e)
        return t in (FStr, Bin) or t is Const

    def only_makes(self, call: Call) -> bool:
        """Whether a call is one of a project function that does nothing but make something of what it is given."""
        j = self.project.judge(call, self.p.scope)
        return bool(j.targets) and all(x is None for x in (j.effect, j.model, j.read, j.unstable, j.grow, j.pause)) and not any(
            self.project.summaries.of(t).unknown for t in j.targets)

    def _made(self, e: Any) -> Any:
        for _ in range(MAX_NAMES):
            found = self.p.scope.bindings.get(e.id, ()) if type(e) is Name else ()
            if type(e) is Await:
                e = e.value
            elif len(found) == 1 and found[0].how == "value":
                e = found[0].node
            else:
                break
        return e

    def _holds(self, e: Any) -> bool:
        return self.source in self.flow.taint(e, self.point)

    def _answers(self, e: Any, point: Point) -> bool:
        return any(s.kind == "answer" for s in self.flow.taint(e, point))


__all__ = ["Quoted"]
