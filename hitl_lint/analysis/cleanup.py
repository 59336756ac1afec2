"""What leaves a block when a pause does: the `finally` bodies, exits and callbacks that run at every pause, not only at the end.

`interrupt()` leaves the node by an exception (TRUTH.md 2). Whatever cleans up on the way out does so while the person still thinks about the
answer, and once more at the end. What the activation itself has made is made again on resume; what somebody else holds by then (the reviewer a
path, the next activation a client that it did not open) is gone, and an effect in a clean-up happens once more for each pause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.caught import PAUSE, TYPE
from hitl_lint.analysis.cfg import CFG, Point
from hitl_lint.analysis.effects import Judged, Witness
from hitl_lint.analysis.names import Ext, Fn, FnInfo, Inst, Scope
from hitl_lint.analysis.values import Source, ordered, place
from hitl_lint.catalogue import cleanup as words
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue import verbs
from hitl_lint.facts import (
    Assign, At, Attr, BoolOp, Call, Class, Comp, Const, ExprStmt, Function, If, IfExp, Lambda, Match, Name, Raise, Return, Seq, Sub, Try, While, WithItem, children,
    dotted, text, walk,
)
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project


@record
class Held:
    """A clean-up around a pause. `kind`: "shown" (what the reviewer is shown is removed), "again" (removed and made anew, nothing worse), "closed" or
    "removed" (what the activation did not make is gone when the answer comes), "effect" (happens at every pause), "failure" (a handler takes the pause for one and raises it again), "marked" (it puts `subject` down as failed). `what` names it as written,
    `where` the place of it ("in the finally block"); it stands at `at` in the pausing function, the thing itself at `inner` of `path`."""

    kind: str
    what: str
    where: str
    at: At
    pause: Point
    witness: Witness | None = None
    path: str = ""
    inner: At | None = None
    subject: str = ""


@record
class Done:
    """What is done on the way out: an effect (`witness`), or that `subject` is put down as failed. It stands at `at`; `handler`: only where something failed."""

    what: str
    where: str
    at: At
    witness: Witness | None = None
    subject: str = ""
    handler: bool = True

    @property
    def kind(self) -> str:
        return "marked" if self.witness is None else "failure" if self.handler else "effect"


class Cleanups:
    def __init__(self, project: "Project") -> None:
        self.project = project

    def around(self, p: "Pausing") -> Iterator[Held]:
        """The clean-ups around the pauses of a function that matter, each once."""
        seen: set[At] = set()
        for pause in p.pauses:
            if self.project.signals.closes_over(p.info, pause.node) or not self.project.signals.leaves(p.info, p.cfg, pause):
                continue
            for held in [*self._temporary(p, pause), *self._effects(p, pause), *self._shared(p, pause)]:
                if held.at not in seen:
                    seen.add(held.at)
                    yield held

    # ---- something temporary
    def _temporary(self, p: "Pausing", pause: Point) -> Iterator[Held]:
        owners = self._owners(p, pause)
        if not owners:
            return
        shown = {id(s.node) for s in self.project.payload(p, pause) if s.kind == "temporary"}
        for key, (source, at, where) in owners.items():
            what = source.witness.callee if source.witness is not None else text(source.node.func, 40)
            if key in shown:
                yield Held("shown", f"{what}()", where, at, pause)
            elif self._used_after(p, pause, source):
                yield Held("again", f"{what}()", where, at, pause)

    def _owners(self, p: "Pausing", pause: Point) -> dict[int, tuple[Source, At, str]]:
        """What is removed when this pause leaves, by the call that made it: with the place that removes it."""
        out: dict[int, tuple[Source, At, str]] = {}
        flow = self.project.flow(p.info)
        for region in pause.regions:
            if region.kind == "with" and region.item is not None:
                for point in p.cfg.at(region.item, "enter"):
                    for s in ordered(flow.taint(region.item.value, point)):
                        if s.kind == "temporary" and s.node is region.item.value and not _kept(s.node):
                            out.setdefault(id(s.node), (s, region.item.at, "by the with block"))
                for call in self._stack_calls(region.item, p.scope):
                    for point in p.cfg.at(call):
                        if not p.cfg.connects(point, pause):
                            continue
                        for a in call.args:
                            for s in ordered(flow.taint(a.value, point)):
                                if s.kind == "temporary" and (call.func.attr != "enter_context" or s.node is a.value):
                                    out.setdefault(id(s.node), (s, call.at, "by the exit stack"))
            owner = self._try_of(region, p.cfg)
            if owner is None or not owner.final:
                continue
            for call in _calls(owner.final):
                if _last(call) not in words.REMOVES_FILES | {"cleanup", "close"}:
                    continue
                for point in p.cfg.at(call):
                    exprs = [a.value for a in call.args] + ([call.func.value] if type(call.func) is Attr else [])
                    for e in exprs:
                        for s in ordered(flow.taint(e, point)):
                            if s.kind == "temporary" and not (_last(call) == "close" and _kept(s.node)):
                                out.setdefault(id(s.node), (s, call.at, "in the finally block"))
        return out

    def _used_after(self, p: "Pausing", pause: Point, source: Source) -> bool:
        flow = self.project.flow(p.info)
        after = p.cfg.reachable([pause], skip=lambda point, edge: edge.kind == "exc")
        for point in p.cfg.points:
            if point in after and point.kind == "call" and point.node is not pause.node and not _gives_back(point.node):
                exprs = [a.value for a in point.node.args] + ([point.node.func.value] if type(point.node.func) is Attr else [])
                if any(source in flow.taint(e, point) for e in exprs):
                    return True
        return False

    # ---- effects
    def _effects(self, p: "Pausing", pause: Point) -> Iterator[Held]:
        scope = p.scope
        for d in self._left(pause, p.cfg, scope):
            yield Held(d.kind, d.what, d.where, d.at, pause, d.witness, subject=d.subject)
        for region in pause.regions:
            if region.kind == "with" and region.item is not None:
                yield from self._exits(region.item, p, pause)
        for wrapper, d in self._decorators(p.info):
            shown = f"`{d.witness.callee}()`" if d.witness is not None else d.what
            yield Held(d.kind, shown, f"in the wrapper `@{text(wrapper.func if type(wrapper) is Call else wrapper, 30)}`", wrapper.at, pause, d.witness, subject=d.subject)

    def _left(self, point: Point, cfg: CFG, scope: Scope) -> Iterator[Done]:
        """What is done outside where an exception at a point passes on its way out of the function."""
        for region in reversed(point.regions):
            owner = self._try_of(region, cfg)
            if owner is None:
                continue
            if region.kind == "try":
                yield from self._in_handlers(owner, cfg, scope)
            for call in _calls(owner.final):
                w = self._effect(call, scope)
                if w is not None:
                    yield Done(f"`{text(call.func, 44)}()`", "in the finally block", call.at, w, handler=False)

    def _in_handlers(self, owner: Try, cfg: CFG, scope: Scope) -> Iterator[Done]:
        """The first thing that a handler does outside which gets the pause and raises it again: the failure that it reports is none."""
        signals = self.project.signals
        for h in owner.handlers:
            if not signals.catches(h.type, scope):
                continue
            if not self._means_pause(h.type, scope) and signals.reading.handler(h, owner, cfg, scope) == "raises":
                where = f"in `except {text(h.type, 30)}`" if h.type is not None else "in the bare `except`"
                calls = [c for c in signals.reading.done(h, owner, cfg, scope) if not self._lets_pass(c, h.name, scope)]
                yield from self._first(calls, where, scope, h.body)
            return

    def _lets_pass(self, call: Call, name: str | None, scope: Scope) -> bool:
        """Whether a helper that is given the exception returns at once when that is a pause: `if isinstance(e, GraphBubbleUp): return`."""
        targets = self.project.effects.judge(call, scope).targets
        given = [n for n, a in enumerate(call.args) if name and a.name is None and not a.star and type(a.value) is Name and a.value.id == name]
        if len(targets) != 1 or len(given) != 1 or targets[0].cls is not None or any(a.star for a in call.args) or given[0] >= len(targets[0].fn.params):
            return False
        param = targets[0].fn.params[given[0]]
        first = next((s for s in targets[0].fn.body if not (type(s) is ExprStmt and type(s.value) is Const)), None)
        if type(first) is not If or type(first.body[0]) is not Return or type(first.test) is not Call:
            return False
        test = first.test
        return (dotted(test.func) == "isinstance" and len(test.args) == 2 and type(test.args[0].value) is Name and test.args[0].value.id == param.name
                and self._means_pause(test.args[1].value, self.project.names.scope(targets[0])))

    def _means_pause(self, types: Any, scope: Scope) -> bool:
        """`except GraphInterrupt:` is written for the pause, and what it does is meant to be done there."""
        names = self.project.names
        return any(isinstance(v, Ext) and v.path in lg.PAUSES_BY_NAME for e in (types.elts if type(types) is Seq else [types] if types is not None else [])
                   for v in names.resolve(e, scope))

    def _first(self, calls: list[Call], where: str, scope: Scope, body: list[Any]) -> Iterator[Done]:
        """Of what is done with the pause in hand, the first that reports a failure to the world."""
        for call in calls:
            w = self._effect(call, scope)
            if w is not None and not w.may_log:
                yield Done(f"`{text(call.func, 44)}()`", where, call.at, w)
                return
            subject = self._marks(call, scope)
            if subject:
                yield Done(f"`{text(call.func, 44)}()`", where, call.at, subject=subject)
                return
        if any(_last(c) in words.KEEPS for c in calls):
            for stmt in body:
                for n in walk(stmt):
                    target = n.targets[0] if type(n) is Assign and n.value is not None and len(n.targets) == 1 else None
                    if type(target) is Attr and target.attr in words.STATES and type(target.value) is Name and _says_failed(n.value):
                        yield Done(f"`{text(target, 30)} = {text(n.value, 30)}`", where, n.at, subject=f"the {' '.join(verbs.words(target.value.id))}")
                        return

    def _marks(self, call: Call, scope: Scope) -> str:
        """What a call puts down as failed, where that is kept outside: "the job"; "" where it does not. Set twice it is set once, and yet it is set at a pause."""
        f = call.func
        receiver = f.value.attr if type(f) is Attr and type(f.value) is Attr else f.value.id if type(f) is Attr and type(f.value) is Name else ""
        ws = verbs.words(_last(call))
        given = any(_says_failed(a.value) for a in call.args)
        named = ws[:1] != () and (ws[0] == "fail" and not words.FAILS.isdisjoint(ws[1:]) or ws[0] in words.MARKS and (
            not words.FAILED.isdisjoint(ws[1:]) or given and not {*words.STATES, *words.FAILS}.isdisjoint(ws[1:])))
        sets = given and _last(call) in words.SETS
        if not (named or sets):
            return ""
        j = self.project.effects.judge(call, scope)
        kept = any(map(self._keeps, j.targets)) if j.targets else bool(j.paths) and sets and not j.paths[-1].startswith(("dict", "list", "set")) or (
            not j.paths and bool(receiver) and verbs.outside(receiver) and verbs.named_effect([receiver, "save"]) is not None)
        if not kept:
            return ""
        of = [w for w in ws if w in words.FAILS]
        if not of:
            of = [w for a in call.args if type(a.value) in (Name, Attr) for w in verbs.words((dotted(a.value) or "").rsplit(".", 1)[-1]) if w in words.FAILS]
        return f"the {of[0]}" if of else "the run"

    def _keeps(self, info: FnInfo, depth: int = 0) -> bool:
        """Whether a function changes something that is kept outside of the process."""
        scope = self.project.names.scope(info)
        for c in scope.calls:
            j = self.project.effects.judge(c, scope)
            if j.effect is not None and not j.effect.may_log or j.paths and _last(c) in words.SETS | words.KEEPS and not j.paths[-1].startswith(("dict", "list", "set")):
                return True
            if not j.paths and not j.targets and type(c.func) is Attr and _last(c) in words.SETS | words.KEEPS and verbs.outside(
                    c.func.value.attr if type(c.func.value) is Attr else c.func.value.id if type(c.func.value) is Name else ""):
                return True
            if depth < 3 and any(self._keeps(t, depth + 1) for t in j.targets):
                return True
        return False

    def _exits(self, item: WithItem, p: "Pausing", pause: Point) -> Iterator[Held]:
        names = self.project.names
        shown = f"at the end of `with {text(item.value, 40)}`"
        for v in names.resolve(item.value, p.scope):
            if isinstance(v, Inst):
                for name in ("__exit__", "__aexit__"):
                    m = names.method(v.info, name)
                    if m is None:
                        continue
                    straight = {id(c) for c in _calls(_straight(m.fn.body))}
                    always = [c for c in names.scope(m).calls if id(c) in straight and self._effect(c, names.scope(m)) is not None]
                    for call in always:
                        yield Held("effect", f"`{text(call.func, 44)}()`", shown, item.at, pause, self._effect(call, names.scope(m)), m.module.path, call.at)
                    given = dict(zip([q.name for q in m.fn.params if q.kind in ("any", "pos")][1:3], (TYPE, PAUSE)))
                    for d in self._first(self.project.signals.reading.done_by(m, given), shown, names.scope(m), m.fn.body) if not always else ():
                        yield Held(d.kind, d.what, shown, item.at, pause, d.witness, m.module.path, d.at, d.subject)
        if type(item.value) is Call:
            for f in names.resolve(item.value.func, p.scope):
                if isinstance(f, Fn) and any(x in lg.CONTEXT_MANAGER_DECORATORS for x, _ in self.project.decorator_paths(f.info)):
                    cfg, scope = self.project.cfg(f.info), names.scope(f.info)
                    for point in cfg.points:
                        if point.kind == "yield":
                            for d in self._left(point, cfg, scope):
                                yield Held(d.kind, d.what, shown, item.at, pause, d.witness, f.info.module.path, d.at, d.subject)
        for call in self._stack_calls(item, p.scope):
            if call.func.attr in ("callback", "push_async_callback") and any(p.cfg.connects(x, pause) for x in p.cfg.at(call)):
                w = self._handed(call, p.scope)
                if w is not None:
                    yield Held("effect", f"`{text(call.args[0].value, 44)}()`", "as a callback of the exit stack", call.at, pause, w)

    def _handed(self, call: Call, scope: Scope) -> Witness | None:
        """The effect of the function that `stack.callback(f, …)` is given."""
        if not call.args:
            return None
        f = call.args[0].value
        if _gives_back(Call(call.at, f, [])):
            return None
        for v in self.project.names.resolve(f, scope):
            if isinstance(v, Fn):
                s = self.project.summaries.of(v.info)
                w = s.effect or s.model
                if w is not None and not _names_give_back(w.callee):
                    return w.through(self.project.effects.link(call, scope, f"calls {v.info.name}()"))
            elif isinstance(v, Ext):
                j = self.project.effects.external(v, Call(call.at, f, call.args[1:]), scope)
                if j is not None and (j.effect or j.model):
                    return j.effect or j.model
        return None

    def _decorators(self, info: FnInfo) -> Iterator[tuple[Any, Done]]:
        """Effects in the clean-up of a project's own wrapper around the function."""
        made = self.project.decorator_functions(info)
        if not made or not info.fn.decorators:
            return
        d = info.fn.decorators[0]
        for w in made:
            cfg, scope = self.project.cfg(w), self.project.names.scope(w)
            for call in scope.calls:
                if not self.project.signals.closes_over(w, call):
                    continue
                for point in cfg.at(call):
                    for done in self._left(point, cfg, scope):
                        yield d, done

    def _effect(self, call: Call, scope: Scope) -> Witness | None:
        """What a call in a clean-up does that ought to happen once."""
        if _gives_back(call):
            return None
        j: Judged = self.project.effects.judge(call, scope)
        w = j.effect or j.model
        return None if w is None or j.pause is not None or _names_give_back(w.callee) else w

    # ---- what the activation did not make
    def _shared(self, p: "Pausing", pause: Point) -> Iterator[Held]:
        for region in pause.regions:
            if region.kind == "with" and region.item is not None:
                e = region.item.value
                if type(e) in (Name, Attr) and self._closes_for_good(e, p):
                    yield Held("closed", f"`{text(e, 40)}`", "by the with block", region.item.at, pause)
            owner = self._try_of(region, p.cfg)
            for call in _calls(owner.final) if owner is not None else ():
                f = call.func
                if type(f) is Attr and f.attr in words.CLOSES and type(f.value) in (Name, Attr) and self._closes_for_good(f.value, p):
                    if self._mentioned(p, text(f.value, 80), call):
                        yield Held("closed", f"`{text(f, 40)}()`", "in the finally block", call.at, pause)
                elif _last(call) in words.REMOVES_FILES:
                    removed = call.args[0].value if call.args else f.value if type(f) is Attr else None
                    if removed is not None and (key := self._from_state(removed, p)) is not None and self._only_read(p, removed, key, call):
                        yield Held("removed", f"`{text(call, 50)}`" if len(text(call, 51)) <= 50 else f"`{text(f, 40)}()`", "in the finally block", call.at, pause)

    def _closes_for_good(self, e: Any, p: "Pausing") -> bool:
        base = e
        while type(base) is Attr:
            base = base.value
        if type(base) is not Name:
            return False
        local = p.scope.bindings.get(base.id)
        if local and not (p.info.cls is not None and p.info.fn.params and p.info.fn.params[0].name == base.id and base is not e):
            return False
        return any(isinstance(v, Ext) and v.path in words.CLOSED_FOR_GOOD and v.scope is not p.scope for v in self.project.names.resolve(e, p.scope))

    def _mentioned(self, p: "Pausing", shown: str, other: Call) -> bool:
        return any(c is not other and type(c.func) is Attr and text(c.func.value, 80) == shown and c.func.attr not in words.CLOSES for c in p.scope.calls)

    def _from_state(self, e: Any, p: "Pausing") -> str | None:
        """The place in the state that a path comes straight from: `state["path"]`, or a name for it."""
        state = self.project.replay.state_name(p.info)
        if state is None:
            return None
        if type(e) is Call and e.args and dotted(e.func) in ("Path", "pathlib.Path", "str", "os.fspath"):
            return self._from_state(e.args[0].value, p)
        if type(e) is Name:
            found = p.scope.bindings.get(e.id, ())
            return self._from_state(found[0].node, p) if len(found) == 1 and found[0].how == "value" and type(found[0].node) in (Sub, Attr, Call) else None
        key = place(e)
        return key if key is not None and key.startswith((state + "[", state + ".")) else None

    def _only_read(self, p: "Pausing", removed: Any, key: str, other: Call) -> bool:
        """Whether the function uses the file, and does not write it itself."""
        used = False
        for point, j in p.calls():
            call = point.node
            if call is other or not any(self._from_state(a.value, p) == key for a in call.args) and not (
                    type(call.func) is Attr and self._from_state(call.func.value, p) == key):
                continue
            if j.effect is not None and _last(call) not in words.REMOVES_FILES:
                return False
            used = used or dotted(call.func) not in ("Path", "pathlib.Path", "str", "os.fspath") and j.pause is None
        return used

    # ---- small things
    def _try_of(self, region: Any, cfg: CFG) -> Try | None:
        if region.kind == "try" or region.kind == "else":
            return region.node if type(region.node) is Try else None
        if region.kind == "handler":
            if type(region.node) is Try:
                return region.node
            for p in cfg.points:
                if type(p.node) is Try and region.node in p.node.handlers:
                    return p.node
        return None

    def _stack_calls(self, item: WithItem, scope: Scope) -> Iterator[Any]:
        """The calls that put something on the ExitStack of a `with`."""
        if not any(isinstance(v, Ext) and v.path.removesuffix("()") in lg.EXIT_STACK for v in self.project.names.resolve(item.value, scope)):
            return
        name = item.target.id if type(item.target) is Name else item.value.id if type(item.value) is Name else ""
        for call in scope.calls:
            if type(call.func) is Attr and dotted(call.func.value) == name and name and call.args:
                yield call


def _says_failed(e: Any) -> bool:
    """Whether a value that is set says that something has failed: `"failed"`, `JobStatus.ERROR`, `{"status": "failed"}`, `"UPDATE … SET status = 'failed'"`."""
    return any(not words.FAILED.isdisjoint(verbs.words(n.value if type(n) is Const else n.attr)) for n in walk(e)
               if type(n) is Const and n.kind == "str" or type(n) is Attr and n.attr.isupper())


def _kept(call: Any) -> bool:
    """`NamedTemporaryFile(delete=False)` stays."""
    return type(call) is Call and any(a.name in ("delete", "delete_on_close") and type(a.value) is Const and a.value.value is False for a in call.args)


def _calls(body: list[Any]) -> Iterator[Call]:
    """The calls of some statements that always run: not under a test, in a nested function or in a loop that may be empty."""
    stack = list(reversed(body))
    while stack:
        node = stack.pop()
        t = type(node)
        if t in (If, While, Match, IfExp, BoolOp, Lambda, Function, Class, Comp):
            continue
        if t is Try:
            stack.extend(reversed([*node.body, *node.final]))
            continue
        if t is Call:
            yield node
        stack.extend(reversed(list(children(node))))


def _straight(body: list[Any]) -> list[Any]:
    """The statements before the first that may turn away: what runs whatever the exception is."""
    out: list[Any] = []
    for stmt in body:
        if type(stmt) in (If, Match, While, Raise, Return):
            break
        out.append(stmt)
    return out


def _last(call: Call) -> str:
    f = call.func
    return f.attr if type(f) is Attr else f.id if type(f) is Name else ""


def _gives_back(call: Call) -> bool:
    return _names_give_back(_last(call))


def _names_give_back(callee: str) -> bool:
    first = verbs.words(callee.rpartition(".")[2])[:1]
    return bool(first) and first[0] in words.GIVES_BACK


__all__ = ["Cleanups", "Held"]
