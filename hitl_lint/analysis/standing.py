"""Approvals that stand for good: a state key that an answer sets, that lets later rounds pass without a question, and that nothing sets back.

Such a key is seen in a round of the graph: node `asker` asks unless the key is set (its own guard, or the router in front of it), node `actor` acts
because the key is set, and the graph comes back for the next thing. What is approved is one thing when the question shows one of several (`queue[0]`,
the last message) or something that is made anew in each round; whoever is shown the whole plan has approved the whole plan.
"""

from __future__ import annotations

import re

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.cfg import Point
from hitl_lint.analysis.effects import Witness
from hitl_lint.analysis.names import Ext, FnInfo, Scope
from hitl_lint.analysis.wiring import END, START, Branch, Graph, Node
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import Assign, Attr, BoolOp, Call, Cmp, Const, Dict, IfExp, Name, Return, Seq, Sub, Un, Walrus, children, dotted, walk
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

# Words of approvals that are meant to stand: "approve all", the plan, this session.
STANDING = re.compile(r"(?<![a-z])(all|always|auto|every|everything|session|plan|plans|trust|trusted|remember|whole|entire|batch|policy|global|forever)(?![a-z])", re.IGNORECASE)
COMMANDS = frozenset(f"{p}()" for p in lg.COMMAND)
MAX_DEPTH = 4


@record
class Write:
    """A state key that a function sets: `at` the key, `value` what it is set to, at `point`."""

    key: str
    node: Any
    value: Any
    point: Point


@record
class Standing:
    """The answer of `pause` sets `write.key` for good; `skip` is the test that passes over the question then, in `skipper`; `actor` acts."""

    p: "Pausing"
    pause: Point
    write: Write
    skip: Any
    skipper: FnInfo
    actor: Node
    effect: Witness


class Approvals:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._writes: dict[int, list[Write]] = {}
        self._later: dict[tuple[int, str], set[str]] = {}

    def standing(self) -> Iterator[Standing]:
        """Every such key once, in program order."""
        found: dict[Any, Standing] = {}
        for graph in self.project.graphs.all():
            if graph.open or graph.kind != "state" or self.project.is_test(graph.scope.module.path):
                continue
            after = self._edges(graph)
            self._later.clear()
            for asker in graph.nodes:
                for info in asker.functions if asker.tools is None else ():
                    p = self.project.pausing_of(info)
                    if p is not None and self.project.graphs.certain(info):
                        for s in self._of(graph, after, asker, p):
                            found.setdefault((info.module.path, s.write.node.at), s)
        yield from sorted(found.values(), key=lambda s: (s.p.path, s.write.node.at))

    def _of(self, graph: Graph, after: dict[str, set[str]], asker: Node, p: "Pausing") -> Iterator[Standing]:
        name = asker.name or ""
        for write in self._answers(p):
            if STANDING.search(write.key.replace("_", " ")):
                continue
            for pause in p.pauses:
                if self._meant_to_stand(p, pause, write):
                    continue
                for skip, skipper, home, branch in self._skips(graph, asker, p, pause, write.key):
                    for actor in graph.nodes:
                        if actor is asker or actor.name is None or not self._reaches(after, name, actor.name):
                            continue
                        round_ = {n for n in after if self._reaches(after, actor.name, n) and self._reaches(after, n, home)} | {actor.name}
                        if home not in self._from(after, actor.name) or self._set_back(graph, round_, p, write):
                            continue
                        effect = self._acts(graph, actor, asker, p, write.key, branch)
                        if effect is not None and self._one_of_several(graph, round_, p, pause):
                            yield Standing(p, pause, write, skip, skipper, actor, effect)
                            return

    # ---- what the answer sets
    def _answers(self, p: "Pausing") -> Iterator[Write]:
        """The state keys that are set from an answer, or because of one."""
        flow = self.project.flow(p.info)
        for w in self.writes(p.info):
            if type(w.value) is Const:
                says_yes = w.value.value is True or isinstance(w.value.value, str) and w.value.value.lower() in ("approved", "approve", "yes", "ok", "confirmed")
                guards = [g for g in p.cfg.guards(w.point) if g.kind in ("test", "case")]
                if says_yes and any(s.kind == "answer" for g in guards for s in self.project.test_taint(flow, g)):
                    yield w
            elif any(s.kind == "answer" for s in flow.taint(w.value, w.point)):
                yield w

    def writes(self, info: FnInfo) -> list[Write]:
        """The state keys that a function sets by what it returns (a dict, `Command(update=…)`, also by name) or on its state argument."""
        found = self._writes.get(id(info.fn))
        if found is None:
            found = self._writes[id(info.fn)] = []
            scope, cfg, state = self.project.names.scope(info), self.project.cfg(info), self.project.replay.state_name(info)
            for point in cfg.points:
                if point.kind in ("return", "yield") and getattr(point.node, "value", None) is not None:
                    found += self._updates(point.node.value, scope, point, 0)
            for stmt in info.fn.body if state is not None else ():
                for n in walk(stmt):
                    if type(n) is Assign:
                        for t in n.targets:
                            key = _key(t, state or "")
                            if key is not None:
                                found += [Write(key, t, n.value, point) for point in cfg.at(n)[:1]]
        return found

    def _updates(self, e: Any, scope: Scope, point: Point, depth: int) -> list[Write]:
        if depth > MAX_DEPTH:
            return []
        if type(e) is Dict:
            out = [Write(k.value, k, v, point) for k, v in zip(e.keys, e.values) if type(k) is Const and k.kind == "str"]
            return out + [w for k, v in zip(e.keys, e.values) if k is None for w in self._updates(v, scope, point, depth + 1)]
        if type(e) is Call:
            if any(isinstance(v, Ext) and v.path in COMMANDS for v in self.project.names.resolve(e, scope)):
                return [w for a in e.args if a.name == "update" for w in self._updates(a.value, scope, point, depth + 1)]
            return [Write(a.name, a, a.value, point) for a in e.args if a.name] if dotted(e.func) == "dict" else []
        if type(e) is Name:
            found = self.project.names.lookup(e.id, scope)
            if found is not None and found[1] is scope:
                out = [w for b in found[0] if b.how == "value" and type(b.node) in (Dict, Call) for w in self._updates(b.node, scope, point, depth + 1)]
                for n in (n for s in scope.owner.fn.body for n in walk(s)) if scope.kind == "function" else ():
                    if type(n) is Assign:
                        out += [Write(t.index.value, t, n.value, (self.project.cfg(scope.owner).at(n) or [point])[0]) for t in n.targets
                                if type(t) is Sub and dotted(t.value) == e.id and type(t.index) is Const and t.index.kind == "str"]
                return out
        return []

    # ---- what passes over the question
    def _skips(self, graph: Graph, asker: Node, p: "Pausing", pause: Point, key: str) -> Iterator[tuple[Any, FnInfo, str, Branch | None]]:
        """(test, function, node at which it is decided, the edge) of what leaves the question out because the key is set."""
        for g in p.cfg.guards(pause):
            if g.kind == "test" and not g.again and self._permits(p.info, g.node, key) and not self._by_answer(p, g):
                yield g.node, p.info, asker.name or "", None
        for branch in graph.branches:
            if branch.source in (None, START, asker.name):
                continue
            for router in branch.routers:
                if asker.name is not None and asker.name in self.project.graphs.chosen(branch, router):
                    test = next((n for n in self._tests(router) if self._permits(router, n, key)), None)
                    if test is not None:
                        yield test, router, branch.source or "", branch

    def _permits(self, info: FnInfo, test: Any, key: str) -> bool:
        """Whether a test asks for the truth of a key, or compares it with a constant."""
        if type(test) is Un:
            return self._permits(info, test.value, key)
        if type(test) is BoolOp:
            return any(self._permits(info, v, key) for v in test.values)
        if type(test) is Cmp:
            return len(test.rights) == 1 and type(test.rights[0]) in (Const, Seq) and self._permits(info, test.left, key)
        return (key, True) in self.reads(info, test)

    def _by_answer(self, p: "Pausing", g: Any) -> bool:
        return any(s.kind == "answer" for s in self.project.test_taint(self.project.flow(p.info), g))

    def _tests(self, info: FnInfo) -> Iterator[Any]:
        """What a function decides by: its tests, and a choice in what it returns."""
        for point in self.project.cfg(info).points:
            if point.kind == "test":
                yield point.node
        for stmt in info.fn.body:
            for n in walk(stmt):
                if type(n) is IfExp:
                    yield n.test

    # ---- what acts because the key is set
    def _acts(self, graph: Graph, actor: Node, asker: Node, p: "Pausing", key: str, branch: Branch | None) -> Witness | None:
        let_through = branch is not None and any(actor.name in self.project.graphs.chosen(branch, r) for r in branch.routers)
        let_through = let_through or any(actor.name in (goto.targets or ()) for goto in self.project.graphs.gotos(p.info))
        let_through = let_through or any(
            b.source == asker.name and actor.name in self.project.graphs.chosen(b, r) and any(self._permits(r, t, key) for t in self._tests(r))
            for b in graph.branches for r in b.routers)
        for info in actor.functions:
            if actor.tools is not None:
                w = self.project.summaries.of(info).effect
                if w is not None and let_through:
                    return w
                continue
            scope, cfg = self.project.names.scope(info), self.project.cfg(info)
            for point in cfg.points:
                w = self.project.effects.judge(point.node, scope).effect if point.kind == "call" else None
                if w is not None and (let_through or any(g.kind == "test" and self._permits(info, g.node, key) for g in cfg.guards(point))):
                    return w
        return None

    # ---- what sets it back
    def _set_back(self, graph: Graph, round_: set[str], p: "Pausing", write: Write) -> bool:
        """Whether some node of the round sets the key to anything but a yes; what cannot be read counts."""
        for node in graph.nodes:
            if node.name not in round_:
                continue
            if node.nested is not None:
                return True
            for info in node.functions:
                for w in self.writes(info):
                    if w.key != write.key or w.node is write.node:
                        continue
                    if info is p.info and not self._says_no_before(p, w):
                        continue
                    if not (type(w.value) is Const and w.value.value is True):
                        return True
                if node.tools is None and self._returns_unknown(info):
                    return True
        return False

    def _says_no_before(self, p: "Pausing", w: Write) -> bool:
        """Whether the asking function sets the key on a way without an answer: `if state["approved"]: return {"approved": False}`."""
        answered = p.cfg.reachable(p.pauses)
        return w.point not in answered

    def _returns_unknown(self, info: FnInfo) -> bool:
        """Whether what a function returns cannot be read as keys: a helper's dict, the whole state changed elsewhere."""
        scope = self.project.names.scope(info)
        state = self.project.replay.state_name(info)
        for stmt in info.fn.body:
            for n in walk(stmt):
                if type(n) is not Return or n.value is None or type(n.value) in (Const, Dict) and not (type(n.value) is Dict and None in n.value.keys):
                    continue
                if type(n.value) is Name and (n.value.id == state or self._updates(n.value, scope, self.project.cfg(info).entry, 0)):
                    continue
                if self._updates(n.value, scope, self.project.cfg(info).entry, 0) or type(n.value) is Call and any(
                        isinstance(v, Ext) and v.path in COMMANDS for v in self.project.names.resolve(n.value, scope)):
                    continue
                return True
        return False

    # ---- what is shown
    def _one_of_several(self, graph: Graph, round_: set[str], p: "Pausing", pause: Point) -> bool:
        """Whether the question shows one thing of the round: an item of a list that goes on, or what is made anew each time."""
        for key, whole in self._shown(p, pause):
            for node in graph.nodes:
                if node.name not in round_:
                    continue
                if node.tools is not None or node.nested is not None:
                    if key == "messages":
                        return True
                    continue
                for info in node.functions:
                    for w in self.writes(info):
                        if w.key == key and info is not p.info and not (whole and key in {k for k, _ in self.reads(info, w.value)}):
                            return True
        return False

    def _shown(self, p: "Pausing", pause: Point) -> set[tuple[str, bool]]:
        args = [a.value for a in pause.node.args if a.name != "response_schema"]
        return {r for a in args for r in self.reads(p.info, a)}

    def _meant_to_stand(self, p: "Pausing", pause: Point, write: Write) -> bool:
        """The question or the answer says that it is about more than this one thing."""
        said = [a.value for a in pause.node.args] + [write.value] + [g.node for g in p.cfg.guards(write.point) if g.kind == "test"]
        return any(type(n) is Const and n.kind == "str" and STANDING.search(n.value.replace("_", " ")) for e in said for n in walk(e))

    # ---- the state
    def reads(self, info: FnInfo, e: Any, depth: int = 0) -> set[tuple[str, bool]]:
        """(state key, whether all of it is taken) of the state reads in an expression, through local names that are set once."""
        state = self.project.replay.state_name(info)
        if state is None:
            return set()
        out: set[tuple[str, bool]] = set()
        scope = self.project.names.scope(info)
        self._read(e, state, scope, True, out, 0)
        return out

    def _read(self, e: Any, state: str, scope: Scope, whole: bool, out: set[tuple[str, bool]], depth: int) -> None:
        if depth > 30 or e is None:
            return
        key = _key(e, state)
        if key is not None:
            out.add((key, whole))
            return
        t = type(e)
        if t is Name and depth < 30:
            found = self.project.names.lookup(e.id, scope)
            if found is not None and found[1] is scope and len(found[0]) == 1:
                b = found[0][0]
                if b.how in ("value", "unpack", "element") and b.node is not None:
                    self._read(b.node, state, scope, whole and b.how == "value", out, depth + 10)
            return
        if t is Walrus:
            self._read(e.value, state, scope, whole, out, depth + 1)
            return
        parts = t in (Sub, Attr) or t is Call and type(e.func) is Attr
        for child in children(e):
            self._read(child, state, scope, whole and not parts, out, depth + 1)

    # ---- the graph
    def _edges(self, graph: Graph) -> dict[str, set[str]]:
        """By node the nodes that are seen to follow it."""
        graphs = self.project.graphs
        out: dict[str, set[str]] = {n.name: set() for n in graph.nodes if n.name is not None}
        for source, targets in graphs.nexts(graph).items():
            if source is not None:
                out[source] = {t for t in targets if t is not None}
        for branch in graph.branches:
            if branch.source is not None:
                out[branch.source].update(t for router in branch.routers for t in graphs.chosen(branch, router) if t is not None)
        return out

    def _from(self, after: dict[str, set[str]], start: str) -> set[str]:
        """The nodes that can run after one, itself only if the graph comes back to it."""
        found = self._later.get((id(after), start))
        if found is not None:
            return found
        seen: set[str] = set()
        work = list(after.get(start, ()))
        while work:
            n = work.pop()
            if n not in seen and n != END:
                seen.add(n)
                work += after.get(n, ())
        self._later[(id(after), start)] = seen
        return seen

    def _reaches(self, after: dict[str, set[str]], start: str, end: str) -> bool:
        return start == end or end in self._from(after, start)


def _key(e: Any, state: str) -> str | None:
    """`state["k"]`, `state.get("k")`, `state.k`."""
    if type(e) is Sub and dotted(e.value) == state and type(e.index) is Const and e.index.kind == "str":
        return e.index.value
    if type(e) is Call and type(e.func) is Attr and e.func.attr == "get" and dotted(e.func.value) == state and e.args and type(e.args[0].value) is Const:
        k = e.args[0].value
        return k.value if k.kind == "str" else None
    if type(e) is Attr and dotted(e.value) == state:
        return e.attr
    return None


__all__ = ["Approvals", "Standing", "Write"]
