"""The call that runs again moves into a `@task`, whose finished result is kept while the run waits (TRUTH.md 9).

What moves is the call with what hangs on it, nothing else: `id = client.post(…).json()["id"]` becomes `id = post_once(client).result()`. LangGraph
finds a task's result by the position of the call, so it is only offered where the call stands on every way through the function. Results are saved,
arguments are not: a client may go in, but not come out.

A run that was paused before the fix has no such result: its answer runs the task anew. Where the value was shown to a person and is used after the
answer (HIL104) that would approve what nobody has seen, so a split is the only mend there.
"""

from __future__ import annotations

import ast
import builtins
import re
from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.carried import gives_stream
from hitl_lint.analysis.names import Ext, Fn, FnInfo, Scope
from hitl_lint.analysis.subject import Subject
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue.travel import BOUND_NAMES, OWN_CLOCKS, RESPONSE_USES, unsavable
from hitl_lint.catalogue.unstable import IN_PLACE
from hitl_lint.facts import (
    Assign,
    Attr,
    AugAssign,
    Await,
    BoolOp,
    Call,
    ClassStmt,
    Cmp,
    Comp,
    Const,
    Def,
    ExprStmt,
    For,
    FStr,
    Function,
    If,
    IfExp,
    Lambda,
    Match,
    Name,
    Sub,
    Try,
    Walrus,
    While,
    With,
    Yield,
    children,
    text,
    walk,
)
from hitl_lint.finding import Finding, Fix
from hitl_lint.fixes import blocks
from hitl_lint.fixes.desk import Desk, Refused, Sheet
from hitl_lint.fixes.imports import Imports
from hitl_lint.fixes.keeping import unkept, unsavable_value
from hitl_lint.fixes.moving import around, dedented

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project

CODES = ("HIL101", "HIL102", "HIL103", "HIL104", "HIL105")
ORDER = 50

NOTE = ("finish the runs that are paused here first, or ask again on a new thread: a run that was paused before this change does the work once more when "
        "its answer arrives")
READS_FRAME = frozenset({"super", "__class__", "locals", "vars", "eval", "exec"})
AT_ONCE = frozenset({"gather", "create_task", "ensure_future", "submit", "run_in_executor", "as_completed", "wait"})
INJECTED = frozenset({"config", "writer", "store", "previous", "runtime", "error"})
# Called in an async function, these run a function that is not async beside the event loop, where it may wait (run on 1.2.24).
OFF_THE_LOOP = frozenset({"to_thread", "run_in_executor", "run_sync", "ainvoke", "astream", "abatch", "arun"})
MAX_CALLERS = 6


def fix(desk: Desk, finding: Finding) -> Fix:
    subject = finding.subject
    if not isinstance(subject, Subject) or subject.pausing is None or subject.node is None:
        raise Refused("a router or a decorator runs it again, so there is nothing in this function to wrap: ask in a node of its own, behind the one that does the work")
    return _Wrapping(desk, subject.pausing, subject.node, finding.code).fix()


class _Wrapping:
    def __init__(self, desk: Desk, p: "Pausing", node: Any, code: str) -> None:
        self.desk, self.p, self.node, self.code = desk, p, node, code
        self.project: "Project" = desk.project
        self.info: FnInfo = p.info
        self.fn: Function = p.info.fn
        self.scope: Scope = p.scope
        self.sheet: Sheet = desk.sheet(p.path)

    def fix(self) -> Fix:
        self._refuse_function()
        self._refuse_old_runs(None, self.node)
        if any(isinstance(v, Ext) and v.path in OWN_CLOCKS for v in self.project.names.resolve(self.node.func, self.scope)):
            raise Refused(f"what {self._called()} gives means nothing in the process in which the answer arrives: take time.time() in a node of its own in front, and keep it in "
                          f"the state")
        try:
            return self._alone()
        except Refused as why:
            # The call cannot move alone: perhaps the statement can as a whole.
            try:
                return self._together()
            except Refused:
                raise why from None

    def _alone(self) -> Fix:
        stmt = self._statement()
        own = self._own(stmt)
        self._refuse_place(stmt, own)
        self._refuse_order(own)
        self._refuse_old_runs(stmt, own)
        self._refuse_expression(stmt, own)
        params = self._params(own)
        used = not (type(stmt) is ExprStmt and stmt.value is own)
        if used:
            self._refuse_result(stmt, own)
        self._refuse_changes(own, params)
        return self._made(stmt, own, params, used)

    # ------------------------------------------------------------------ what is left alone
    def _refuse_function(self) -> None:
        fn, name = self.fn, self.info.name
        if fn.is_generator:
            raise Refused(f"{name}() is a generator: what it has yielded is not kept, so move the call into a node of its own by hand")
        if name == "<lambda>":
            raise Refused("a lambda has no place for a @task: make it a function first")
        if type(self.node) is not Call or self.node.at == self.node.func.at:
            raise Refused(f"`{text(self.node, 40)}` is no call that could move into a @task: do it in a function of its own and decorate that with @task")
        names = self.project.names
        shared = any(isinstance(v, Ext) and v.path in lg.TOOL_NODE for call, scope in self.project.graphs.hooked().get(id(fn), ()) for v in names.resolve(call.func, scope))
        if shared or any(any(f is self.info for f in box.pausing) for box in self._boxes()):
            raise Refused(f"one message can call several tools of the ToolNode in one task, and a @task is found by its position, which then depends on which "
                          f"tool is faster: run each call by itself (`Send`, create_agent) first, or move the call behind the pause of {name}()")
        self._refuse_callers(self.info, 0, set())

    def _boxes(self) -> list[Any]:
        key = "wrap_task boxes"
        if key not in self.desk.memo:
            self.desk.memo[key] = list(self.project.toolboxes.boxes())
        return self.desk.memo[key]

    def _refuse_callers(self, info: FnInfo, depth: int, seen: set[int]) -> None:
        """A helper's task is found by the position at which its callers run it; and a sync task waits for its result, which the event loop must not."""
        if id(info.fn) in seen:
            return
        seen.add(id(info.fn))
        for p, point in self._callers().get(id(info.fn), ()):
            caller, call = p.info, point.node
            if depth >= MAX_CALLERS:
                raise Refused(f"{self.info.name}() is called through too many functions to be sure in which order: do the work in a node of its own")
            if caller.fn.is_async and not info.fn.is_async and _last(call.func) not in OFF_THE_LOOP:
                raise Refused(f"{caller.name}() is async and calls {info.name}() without awaiting it, where the result of a @task cannot be waited for: "
                              f"make {info.name}() async, or do the work in {caller.name}()")
            if not caller.fn.is_async and info.fn.is_async:
                raise Refused(f"{caller.name}() is not async and runs {info.name}() in an event loop of its own, where a @task cannot be called: do the work "
                              f"in {caller.name}()")
            if self._at_once(caller, call):
                raise Refused(f"{caller.name}() runs {info.name}() beside other work, so that the order in which tasks start is open: do the work before that")
            loop = self.project.loop_of(p, point)
            if self.project.unstable_guard(p, point) is not None or loop is not None and (loop.kind or loop.what in ("comprehension", "map()", "recursion")):
                raise Refused(f"whether or how often {caller.name}() calls {info.name}() can change until the answer arrives, and a @task is found by its position: "
                              f"do the work in a node of its own")
            self._refuse_callers(caller, depth + 1, seen)

    def _callers(self) -> dict[int, list[tuple["Pausing", Any]]]:
        """By the id of a function: the calls, tests aside, by which another one runs it and so pauses."""
        key = "wrap_task callers"
        if key not in self.desk.memo:
            found: dict[int, list[tuple["Pausing", Any]]] = {}
            for p in self.project.pausing():
                for point in p.pauses if not self.project.is_test(p.path) else ():
                    for target in p.judged[point.id].targets:
                        found.setdefault(id(target.fn), []).append((p, point))
            self.desk.memo[key] = found
        return self.desk.memo[key]

    def _at_once(self, caller: FnInfo, call: Call) -> bool:
        for stmt in caller.fn.body:
            for n in walk(stmt):
                if type(n) is Call and n is not call and _last(n.func) in AT_ONCE and any(x is call for a in n.args for x in walk(a)):
                    return True
        return False

    # ------------------------------------------------------------------ where it stands
    def _statement(self) -> Any:
        """The statement with the call, if every way through the function passes it. With blocks and the body of a `try` do not choose."""
        block: list[Any] = self.fn.body
        while True:
            stmt = next((s for s in block if any(n is self.node for n in walk(s))), None)
            if stmt is None:
                raise Refused(f"{self._called()} does not stand in the body of {self.info.name}()")
            kind = type(stmt)
            if kind is With and any(any(n is self.node for n in walk(s)) for s in stmt.body):
                if not any(n is pause.node for pause in self.p.pauses for n in walk(stmt)):
                    raise Refused(self._block_words(stmt))  # it moves as a whole, if at all
                self._refuse_block(stmt)
                block = stmt.body
            elif kind is Try and any(any(n is self.node for n in walk(s)) for s in stmt.body):
                block = stmt.body
            elif kind is Try:
                raise Refused(f"{self._called()} only runs when something has failed or not, and a @task must be called on every way: do the work in a node of its own")
            elif kind in (Def, ClassStmt):
                raise Refused(f"{self._called()} stands in a definition inside {self.info.name}()")
            else:
                return stmt

    def _refuse_block(self, stmt: With) -> None:
        here = {n.id for n in _reads(self.node, frozenset()) if type(n) is Name}
        for item in stmt.items:
            entered = {n.id for n in walk(item.value) if type(n) is Name and not self._is_module_name(n.id)}
            given = {n.id for n in walk(item.target) if type(n) is Name} if item.target is not None else set()
            words = [n.id if type(n) is Name else n.attr for n in walk(item.value) if type(n) in (Name, Attr)]
            if here & (entered | given) or any(BOUND_NAMES.fullmatch(w.lower()) for w in words):
                raise Refused(self._block_words(stmt))

    def _block_words(self, stmt: With) -> str:
        return (f"{self._called()} works inside of `with {text(stmt.items[0].value, 40)}`, which is another one when the answer arrives: move the whole block into a "
                f"function and decorate that with @task")

    def _called(self) -> str:
        return f"`{text(self.node.func, 40)}()`"

    def _own(self, stmt: Any) -> Any:
        """The call with what hangs on it."""
        above = {id(inner): n for n in walk(stmt) for inner in (n.func if type(n) is Call else n.value if type(n) in (Attr, Sub, Await) else None,)}
        own = self.node
        while id(own) in above:
            own = above[id(own)]
        return own

    def _refuse_place(self, stmt: Any, own: Any) -> None:
        """Whether the statement evaluates the expression always and once."""
        sometimes = Refused(f"{self._called()} does not run on every way through {self.info.name}(), and a @task is found by its position: do the work in a node of "
                            f"its own, or call it before the choice")
        asks = any(n is pause.node for pause in self.p.pauses for n in walk(stmt))
        often = Refused(f"{self._called()} runs once per round of a loop" + (f" that also asks: do one round in each run of {self.info.name}(), with an edge back to it" if asks
                        else ": do the loop in a node of its own, in front of the one that pauses"))
        kind = type(stmt)
        roots = {If: lambda: [stmt.test], For: lambda: [stmt.iter], Match: lambda: [stmt.subject], With: lambda: [i.value for i in stmt.items]}.get(kind)
        if kind is While:
            raise often
        if roots is not None:
            within = next((r for r in roots() if any(n is own for n in walk(r))), None)
            if within is None:
                raise often if kind is For else sometimes
            if kind is With and any(i.value is own for i in stmt.items):
                raise Refused(f"`with {text(own, 40)}` opens something that cannot be kept while the run waits: move the whole block into a function and decorate "
                              f"that with @task")
            if kind is For and stmt.is_async:
                raise Refused(f"{self._called()} gives its items one by one and cannot be kept: collect them in a function and decorate that with @task")
        for n, inner in _down_to(stmt, own):
            kind = type(n)
            if kind is IfExp and inner is not n.test or kind is BoolOp and inner is not n.values[0] or kind is Cmp and inner not in (n.left, n.rights[0]):
                raise sometimes
            if kind is Comp or kind not in (Lambda,) and not hasattr(n, "at"):
                raise often
            if kind is Lambda:
                raise sometimes
            if kind is Call and _last(n.func) in AT_ONCE:
                raise Refused(f"{self._called()} runs beside other work in `{_last(n.func)}()`, so that the order in which tasks start is open: do it before that")
            if kind is Walrus:
                raise Refused(f"the result of {self._called()} is named inside an expression (`:=`): assign it on a line of its own first")
        if kind is Assign and stmt.targets and any(n is own for t in stmt.targets for n in walk(t)):
            raise Refused(f"{self._called()} stands in the target of an assignment: assign it on a line of its own first")
        if kind is AugAssign and any(n is own for n in walk(stmt.target)):
            raise Refused(f"{self._called()} stands in the target of an assignment: assign it on a line of its own first")

    def _refuse_order(self, own: Any) -> None:
        point = next((x for x in self.p.cfg.at(self.node) if x.kind == "call"), None)
        if point is None or point.id not in self.p.judged:
            raise Refused(f"it is not seen when {self._called()} runs")
        d = self.project.unstable_guard(self.p, point)
        if d is not None:
            raise Refused(f"whether {self._called()} is reached depends on `{d.shown}`, which can fall differently when the answer arrives, and a @task is found by its "
                          f"position: do the work in a node of its own")
        inside = {id(n) for n in walk(own)}
        if any(id(pause.node) in inside for pause in self.p.pauses):
            raise Refused("the pause itself stands in the same expression: assign what is done before it on a line of its own first")

    def _refuse_old_runs(self, stmt: Any, own: Any) -> None:
        """A run that was paused before the fix must never act on a value that nobody has approved."""
        inside = {id(n) for n in walk(own)}
        if self.code == "HIL104" or any(j.shown and id(j.source.node) in inside for j in self.project.journeys(self.p)):
            node = self.project.graphs.registered(self.info)[0] is not None
            raise Refused("a run that is already paused here would call a new @task with the old answer and use a value that nobody has approved: "
                          + ("make the value in a node of its own in front, keep it in the state, and show and use what is kept" if node else
                             "once no run is paused here any more, put the call into a @task by hand"))
        behind = False
        seen: set[int] = set()
        for s in _flat(self.fn.body):
            behind = behind or s is stmt
            if not behind or s is stmt or id(s) in seen:
                continue
            for n in walk(s):
                seen.add(id(n))
                if type(n) is Call and self._is_task(n) and not _last(n.func).endswith("_once"):
                    raise Refused(f"`{text(n.func, 40)}()` is found by its position, which one more @task in front of it moves: a run that is already paused would do it "
                                  f"anew; do the work of {self._called()} in a node of its own in front, or put it into a @task by hand once no run is paused here")

    def _is_task(self, call: Call) -> bool:
        return any(isinstance(v, Fn) and self.project.is_task(v.info) for v in self.project.names.resolve(call.func, self.scope))

    # ------------------------------------------------------------------ what moves
    def _refuse_expression(self, stmt: Any, own: Any) -> None:
        for n in walk(own, into_functions=True):
            kind = type(n)
            if kind in (Yield, Walrus):
                raise Refused(f"{self._called()} names or yields something inside its expression: assign it on a line of its own first")
            if kind is Name and n.id in READS_FRAME and self.project.names.lookup(n.id, self.scope) is None:
                raise Refused(f"`{n.id}` means something else outside of {self.info.name}(): move the call by hand")
            if kind is Attr and n.attr.startswith("__") and not n.attr.endswith("__") and "." in self.fn.qualname:
                raise Refused(f"`{n.attr}` can only be reached from inside its class: put the call into a method, and call that in a @task")
        if _last(self.node.func) in IN_PLACE:
            raise Refused(f"{self._called()} changes what it is given instead of giving something back, and a @task only keeps what it gives back: make a new value in a "
                          f"node of its own")
        written = self.sheet.slice(own.at)
        if self._parsed(written) is None and self._parsed(f"({written})") is None:
            raise Refused(f"the text of {self._called()} cannot be moved as it stands")

        callee = self.node if own is self.node else None
        if callee is not None and any(isinstance(v, Fn) and v.info.fn.is_async for v in self.project.names.resolve(callee.func, self.scope)):
            raise Refused(f"{self._called()} gives a coroutine that is awaited elsewhere: await it where it is called first")

    def _parsed(self, written: str) -> Any:
        try:
            return ast.parse(f"async def f():\n return {written}\n")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    def _params(self, own: Any) -> list[str]:
        """The names of the function, or of one around it, that the expression reads; those of the module and builtins are there outside too."""
        out: dict[str, None] = {}
        for n in _reads(own, frozenset()):
            if not self._is_module_name(n.id):
                self._refuse_bound(n)
                out[n.id] = None
        for n in walk(own.func if type(own) is Call else own):
            if type(n) is Attr and type(n.value) is Name and n.value.id in out and BOUND_NAMES.fullmatch(n.attr.lower()) and len(n.attr) > 1 and not self._is_called(own, n):
                raise Refused(self._bound_words(text(n, 40)))
        return list(out)

    def _is_called(self, own: Any, attr: Attr) -> bool:
        return any(type(c) is Call and c.func is attr for c in walk(own))

    def _is_module_name(self, name: str) -> bool:
        found = self.project.names.lookup(name, self.scope)
        if found is None:
            if any(s.stars for s in (self.scope, self.scope.module.scope)) or hasattr(builtins, name) or name.startswith("__"):
                return True
            raise Refused(f"it is not seen where `{name}` comes from: move the call by hand")
        return found[1].kind == "module"

    def _bound_words(self, shown: str) -> str:
        return (f"`{shown}` belongs to the thread or block that opened it, and a @task runs in another: open it in a function of its own, together with the call, "
                f"and decorate that with @task")

    def _refuse_bound(self, name: Name) -> None:
        found = self.project.names.lookup(name.id, self.scope)
        assert found is not None
        if any(b.how == "enter" for b in found[0]) or not self.fn.is_async and BOUND_NAMES.fullmatch(name.id.lower()):
            raise Refused(self._bound_words(name.id))
        for v in self.project.names.resolve(name, self.scope):
            what = unsavable(v.path) if isinstance(v, Ext) else None
            if what in ("an open file", "a connection", "a cursor", "a database result", "an object of the process", "an iterator"):
                raise Refused(self._bound_words(name.id))
            if isinstance(v, Ext) and v.path.endswith("()") and BOUND_NAMES.fullmatch(v.path[:-2].rpartition(".")[2].lower()):
                raise Refused(self._bound_words(name.id))

    def _refuse_result(self, stmt: Any, own: Any) -> None:
        """What a task gives is saved: what cannot be would raise as soon as the node runs."""
        what = "a stream" if gives_stream(own) else unsavable_value(self.project, self.scope, own)
        callee: Any = own.value if type(own) is Await else own
        if type(callee) is Call:
            for v in self.project.names.resolve(callee.func, self.scope):
                if isinstance(v, Fn) and v.info.fn.is_generator:
                    what = "a generator"
                if isinstance(v, Ext):
                    what = what or unsavable(v.path + "()")
        if type(stmt) is Assign and what is None and stmt.value is own:
            names = {t.id for t in stmt.targets if type(t) is Name}
            for s in self.fn.body:
                for n in walk(s, into_functions=True):
                    if type(n) is Attr and n.attr in RESPONSE_USES and type(n.value) is Name and n.value.id in names:
                        what = f"something with `.{n.attr}`"
        if what is not None:
            raise Refused(f"{self._called()} gives {what}, which cannot be kept in a checkpoint: put the call and what is read from its result into a function that gives "
                          f"plain data, and decorate that with @task")

    def _refuse_changes(self, own: Any, params: list[str]) -> None:
        """What the call does to its arguments is done once, in the run that asked: an answer that arrives in another process finds them as they were."""
        for call in (n for n in walk(own) if type(n) is Call):
            for v in self.project.names.resolve(call.func, self.scope):
                if not isinstance(v, Fn):
                    continue
                fn = v.info.fn
                given = {a.id for arg in call.args for a in walk(arg) if type(a) is Name} | ({blocks.root(call.func)} if v.info.cls is not None else set())
                if not given & set(params):
                    continue
                changed = _changed(fn)
                if changed and not fn.name.startswith("__"):
                    raise Refused(f"{v.info.name}() changes `{changed}`, and a @task only keeps what it gives back: let it give the new value back, or do the work in a "
                                  f"node of its own")

    # ------------------------------------------------------------------ the edits
    def _made(self, stmt: Any, own: Any, params: list[str], used: bool) -> Fix:
        path = self.p.path
        number = self._above()
        imports = Imports(self.desk, path, number)
        task = imports.name("langgraph.func", "task")
        name = self.desk.fresh(f"{_word(self.node.func)}_once", path)
        is_async = self.fn.is_async
        unit = self._unit()
        body = self._body(own, unit)
        made = f"@{task}\n{'async ' if is_async else ''}def {name}({_signature(params)}):\n{unit}{'return ' if used else ''}{body}\n\n\n"
        called = f"{name}({', '.join(params)})"
        new = f"await {called}" if is_async else f"{called}.result()"
        edits = [*imports.edits(), self.sheet.insert_before(number, made), self.sheet.edit(own.at, new)]
        return Fix(title=f"do {self._called()} in a @task, {name}(), whose result is kept while the run waits", safety="unsafe", edits=tuple(edits), note=NOTE)

    def _together(self) -> Fix:
        block = around(self.project, self.p, self.sheet, self.node, lambda n, stmts: unkept(self.project, self.scope, n, stmts))
        for stmt in block.stmts:
            self._refuse_old_runs(stmt, stmt)
            self._refuse_changes(stmt, block.params)
            for n in walk(stmt):
                if type(n) is Call and _last(n.func) in IN_PLACE | AT_ONCE:
                    raise Refused("")
                if type(n) is Name and n.id in block.params:
                    self._refuse_bound(n)
        path, number, is_async = self.p.path, self._above(), self.fn.is_async
        imports = Imports(self.desk, path, number)
        task = imports.name("langgraph.func", "task")
        name = self.desk.fresh(f"{_word(self.node.func)}_once", path)
        unit = self._unit()
        given, outs = ", ".join(block.params), ", ".join(block.outs)
        made = (f"@{task}\n{'async ' if is_async else ''}def {name}({_signature(block.params)}):\n{dedented(self.sheet, block, unit)}\n"
                + (f"{unit}return {outs}\n" if outs else "") + "\n\n")
        first, last = block.lines
        pad = self.sheet.indent(first)
        new = (f"{outs} = " if outs else "") + (f"await {name}({given})" if is_async else f"{name}({given}).result()")
        edits = [*imports.edits(), self.sheet.insert_before(number, made), self.sheet.edit((first, len(pad) + 1, last, len(self.sheet.line(last)) + 1), new)]
        return Fix(title=f"do {self._called()}, with what belongs to it, in a @task, {name}(), whose result is kept while the run waits", safety="unsafe",
                   edits=tuple(edits), note=NOTE)

    def _above(self) -> int:
        """The line above which the task goes: on top of the definition of the module that holds the function, its decorators and comments."""
        module = self.info.module.facts
        line = self.fn.whole[0]
        tops = [s.fn.whole[0] if type(s) is Def else s.cls.whole[0] if type(s) is ClassStmt else s.at[0] for s in module.body]
        top = max((t for t in tops if t <= line), default=line)
        first = next((c.first for c in module.cells if c.first <= top < c.first + c.lines), 1)
        number = top
        while number > first and self.sheet.line(number - 1).startswith("#"):
            number -= 1
        return top if number == 1 and not module.cells else number  # what a file begins with belongs to the file

    def _unit(self) -> str:
        outer, inner = self.sheet.indent(self.fn.whole[0]), self.sheet.indent(self.fn.body[0].at[0])
        unit = inner.replace("\f", "")[len(outer):] if self.fn.body[0].at[0] > self.fn.at[0] else ""
        return unit if unit and not unit.strip(" \t") else "    "

    def _body(self, own: Any, unit: str) -> str:
        """The expression as it was written; its further lines move left with it unless a string goes over them."""
        written = self.sheet.slice(own.at)
        if "\n" not in written:
            return written
        whole = self._parsed(written) is None
        strings = any(type(n) in (Const, FStr) and n.at[2] > n.at[0] for n in walk(own, into_functions=True))
        if not strings:
            depth = self.sheet.indent(own.at[0])
            extra = depth[len(unit):] if depth.startswith(unit) else ""
            first, *rest = written.split("\n")
            shift = len(extra)
            written = "\n".join([first, *(line[shift:] if line.startswith(unit + extra) or not line.strip() else line for line in rest)])
        return f"({written})" if whole else written


def _signature(params: list[str]) -> str:
    """LangGraph hands its own things to parameters of these names, unless they are positional only."""
    return ", ".join([*params, "/"] if INJECTED & set(params) else params)


def _word(func: Any) -> str:
    return re.sub(r"\W", "", _last(func)).strip("_") or "call"


def _last(e: Any) -> str:
    while type(e) in (Call, Sub, Await):
        e = e.func if type(e) is Call else e.value
    return e.attr if type(e) is Attr else e.id if type(e) is Name else ""


def _flat(body: list[Any]) -> Iterator[Any]:
    from hitl_lint.facts import statements

    return statements(body)


def _down_to(root: Any, goal: Any) -> list[tuple[Any, Any]]:
    """(node, the part of it that leads on) from a statement down to an expression, the ends left out."""
    if root is goal:
        return []
    for child in children(root):
        if any(n is goal for n in walk(child, into_functions=True)):
            inner = _down_to(child, goal)
            return [(root, child), *inner]
    return []


def _reads(e: Any, bound: frozenset[str]) -> Iterator[Name]:
    """The names that an expression reads from around it."""
    kind = type(e)
    if kind is Name:
        if e.id not in bound:
            yield e
    elif kind is Comp:
        inner = bound | {n.id for g in e.generators for n in walk(g.target) if type(n) is Name}
        for k, g in enumerate(e.generators):
            yield from _reads(g.iter, inner if k else bound)
            for test in g.ifs:
                yield from _reads(test, inner)
        for part in (e.key, e.elt):
            if part is not None:
                yield from _reads(part, inner)
    elif kind is Lambda:
        inner = bound | {a.name for a in e.fn.params}
        for a in e.fn.params:
            if a.default is not None:
                yield from _reads(a.default, bound)
        for s in e.fn.body:
            yield from _reads(s, inner)
    else:
        for child in children(e):
            yield from _reads(child, bound)


def _changed(fn: Function) -> str:
    """What of its parameters a function changes in place, as written; "" for none that is seen. A client that an attribute holds has methods of the same names
    (`self.orders.add(…)`)."""
    names = {a.name for a in fn.params}
    return next((text(e, 40) for stmt in fn.body for e in (*blocks.set_into(stmt), *(e for e in blocks.told_to_change(stmt) if type(e) is Name)) if blocks.root(e) in names), "")


__all__ = ["CODES", "ORDER", "fix"]
