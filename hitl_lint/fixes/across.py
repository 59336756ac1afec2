"""Names across a cut: what travels through the state, what is written down again, and what makes a cut impossible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable

from hitl_lint.analysis.names import FnInfo, argument
from hitl_lint.facts import Assign, Attr, AugAssign, Await, Call, Comp, Def, Delete, Dict, For, Handler, Import, Name, Seq, Sub, Walrus, Yield, dotted, text, walk
from hitl_lint.fixes import blocks
from hitl_lint.fixes.desk import Desk, Refused
from hitl_lint.fixes.keeping import unkept
from hitl_lint.fixes.schema import Schema, type_of

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project


class Across:
    """The half of `Split` that follows names; the attributes are those of `Split`."""

    desk: Desk
    project: "Project"
    info: FnInfo
    fn: Any
    scope: Any
    params: set[str]
    state: str
    schema: Schema
    hot_nodes: list[Any]

    # ---- names across a cut
    def _repeatable(self, before: list[Any]) -> dict[str, Any]:
        """The names that a statement of their own gives the same value whenever it runs: what made them can be written down again."""
        found: dict[str, Any] = {}
        every = blocks.uses(self.fn.body).binds
        grown = {n for s in self.fn.body for n in blocks.changed(s)}
        handed = self._handed_over(before)
        for stmt in before:
            t = type(stmt)
            if any(n is h for n in walk(stmt) for h in self.hot_nodes):
                continue
            names = list(blocks.uses([stmt]).binds)
            if t not in (Assign, Import, Def) or not names or any(len(every.get(n, ())) != 1 or n in grown or n in self.params for n in names):
                continue
            reads = blocks.uses([stmt]).reads
            if any(n in every and n not in found for n in reads):
                continue
            if t is Assign and (not self._same_again(stmt) or any(n in handed for n in names) and type_of(self.project, stmt.value, self.scope) not in _FIXED):
                continue
            found.update((n, stmt) for n in names)
        return found

    def _handed_over(self, stmts: list[Any]) -> set[str]:
        """The local names that are arguments of calls which may change what they are given."""
        out: set[str] = set()
        for stmt in stmts:
            for n in walk(stmt):
                if type(n) is Call and (dotted(n.func) or "?").rsplit(".", 1)[-1] not in _ONLY_READS:
                    out |= {a.value.id for a in n.args if type(a.value) is Name}
        return out

    def _kept_on_objects(self, before: list[Any], after: list[Any]) -> None:
        """Refused where something is put on an object that outlives the run (self, a module's) and read from it after the pause: another process has not got it."""
        local = blocks.uses(self.fn.body).binds
        put: set[str] = set()
        for stmt in before:
            for n in walk(stmt):
                for target in n.targets if type(n) is Assign else [n.target] if type(n) is AugAssign else ():
                    root = target
                    while type(root) in (Attr, Sub):
                        root = root.value
                    if root is not target and type(root) is Name and root.id not in local and root.id != self.state:
                        put.add(text(target, 200))
                if type(n) is Call:
                    put |= self._set_by_methods(n, self.scope, 0)
            put |= {text(t, 200) for t in blocks.grown(stmt) if blocks.root(t) not in local and blocks.root(t) != self.state}
        for stmt in after:
            for n in walk(stmt):
                if type(n) in (Name, Attr, Sub) and text(n, 200) in put:
                    raise Refused(f"`{text(n, 60)}` is set before the pause and read after it, and another process does not have it: return it in the state instead")

    def _set_by_methods(self, call: Call, scope: Any, depth: int) -> set[str]:
        out: set[str] = set()
        if depth < 3 and type(call.func) is Attr and type(call.func.value) is Name and call.func.value.id == "self":
            for info in self.project.effects.judge(call, scope).targets:
                inner = self.project.names.scope(info)
                out |= {name for name, _, _ in inner.attrs if name.startswith("self.")}
                for c in inner.calls:
                    out |= self._set_by_methods(c, inner, depth + 1)
        return out

    def _of_the_state(self, stmts: list[Any]) -> set[str]:
        """The local names that are parts of the state argument, or run over them: what is changed in them is changed in the state."""
        found = {self.state}
        size = 0
        while size != len(found):
            size = len(found)
            for stmt in stmts:
                for n in walk(stmt):
                    if type(n) is Assign and n.value is not None and blocks.root(n.value) in found and not _copied(n.value):
                        found |= {t.id for t in n.targets if type(t) is Name}
                    elif type(n) is For and any(type(x) is Name and x.id in found for x in walk(n.iter)):
                        found |= set(blocks.bound_by(n))
        return found

    def _changes_its_argument(self, call: Any, parts: set[str]) -> bool:
        """Whether a function of the project that is given a part of the state changes it in place."""
        for info in self.project.effects.judge(call, self.scope).targets:
            changed = {n for s in info.fn.body for n in blocks.changed(s)}
            for param in info.fn.params:
                given = argument(call, info.fn, param, info.cls is not None) if param.name in changed else None
                if given is not None and blocks.root(given) in parts and not _copied(given):
                    return True
        return False

    def _state_is_left_alone(self, before: list[Any], context: list[Any] | None = None) -> None:
        """`context`: all statements that may give parts of the state names."""
        for target in [t for t, _ in blocks.state_targets(before, self.state)] or [text(t, 60) for s in before for t in blocks.grown(s) if blocks.root(t) == self.state]:
            raise Refused(f"`{target}` is set before the pause, and such a write is lost while the run waits: put the value into a local name and return it, "
                          "then the node can be split")
        parts = self._of_the_state(context or before)
        for stmt in before:
            for n in walk(stmt):
                changed = next((t for t in blocks.grown(n) if blocks.root(t) in parts - {self.state}), None) if type(n) in (Call, Assign, AugAssign, Delete) else None
                if changed is not None or type(n) is Call and self._changes_its_argument(n, parts):
                    raise Refused(f"something in the state is changed in place before the pause{f' (`{text(changed, 40)}`)' if changed is not None else ''}, and such a change is "
                                  "lost while the run waits: return it in the state instead, then the node can be split")

    def _same_again(self, stmt: Assign) -> bool:
        if any(type(t) is not Name and type(t) is not Seq for t in stmt.targets):
            return False
        for n in walk(stmt.value) if stmt.value is not None else ():
            if type(n) in (Await, Yield, Walrus, Comp) and type(n) is not Comp:
                return False
            if type(n) is Call:
                j = self.project.effects.judge(n, self.scope)
                if not j.known or j.result == "own" or any(getattr(j, kind) is not None for kind in ("effect", "model", "unstable", "read", "grow", "pause")):
                    return False
        return True

    def _link(self, before: list[Any], after: list[Any], extra: Iterable[str] = ()) -> tuple[list[str], list[Any]]:
        """(names that travel, statements that are repeated) between what runs before a cut and what runs after it."""
        made = blocks.uses(before).binds
        wanted = blocks.uses(after).reads | set(extra)
        # What is bound anew before it is read needs no old value, but that takes more than a look: it travels all the same.
        needed = [n for n in made if n in wanted]
        for n in needed:
            if n in self.params:
                raise Refused(f"`{n}` is set anew before the pause and used after it: give it a name of its own, then the node can be split")
        same = self._repeatable(before)
        again: list[Any] = []
        travel: list[str] = []

        def repeat(name: str) -> None:
            stmt = same[name]
            for n in blocks.uses([stmt]).reads:
                if n in same:
                    repeat(n)
            if not any(s is stmt for s in again):
                again.append(stmt)

        for n in needed:
            if n in same:
                repeat(n)
            else:
                travel.append(n)
        self._shared(travel, before, after)
        return travel, sorted(again, key=lambda s: s.at)

    def _shared(self, travel: list[str], before: list[Any], after: list[Any]) -> None:
        """Refused where an object that is changed later stands in another one that travels too: afterwards they are two."""
        later = {n for s in after for n in blocks.changed(s)} & set(travel)
        for stmt in before if later else ():
            into = set(blocks.uses([stmt]).binds) | set(blocks.changed(stmt))
            for n in walk(stmt):
                inside = n.elts if type(n) is Seq else n.values if type(n) is Dict else [a.value for a in n.args] if type(n) is Call else [n.value] if type(n) is Assign else ()
                shared = next((e.id for e in inside if type(e) is Name and e.id in later and into & set(travel) - {e.id}), None)
                if shared is not None and not (type(n) is Call and (dotted(n.func) or "?").rsplit(".", 1)[-1] in _ONLY_READS):
                    raise Refused(f"`{shared}` is part of something else and changed after the pause: afterwards they would be two, so split the node by hand")

    def _checked(self, name: str, before: list[Any], where: list[Any]) -> None:
        """Refused where a value cannot travel: not there on every way, or of a kind that no checkpoint holds."""
        if name not in blocks.set_after(where):
            raise Refused(f"`{name}` is not set on every way to the pause: set it at the top of {self.fn.name}(), then the node can be split")
        raised = {b.name for s in self.fn.body for b in walk(s) if type(b) is Handler}
        if any(type(b) is Assign and type(b.value) is Name and b.value.id in raised for b in blocks.uses(before).binds.get(name, ())):
            raise Refused(f"`{name}` holds an exception, which comes back as a text: keep its text, then the node can be split")
        what = unkept(self.project, self.scope, name, self.fn.body)
        if what is not None:
            raise Refused(f"`{name}` holds {what}, which no checkpoint keeps: take out of it before the pause what is needed after it, then the node can be split")


def _copied(e: Any) -> bool:
    """`list(x)`, `dict(x)`, `x.copy()`, `deepcopy(x)`, `x.get("k").strip()` are no longer parts of what they are made of; `x["k"]`, `x.get("k")` are."""
    return type(e) is Call and (dotted(e.func) or getattr(e.func, "attr", "")).rsplit(".", 1)[-1] not in ("get", "setdefault", "pop", "values", "items")


_FIXED = ("str", "int", "float", "bool", "bytes", "tuple")
_ONLY_READS = frozenset("len str int float bool list dict set tuple sorted reversed min max sum any all isinstance print repr range enumerate zip type abs round hash id "
                        "getattr hasattr dumps format join interrupt copy deepcopy escape quote debug info warning".split())
