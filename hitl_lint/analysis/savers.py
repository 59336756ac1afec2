"""Which graphs that pause are run without a checkpointer, and so cannot be resumed.

Almost every graph without a checkpointer is right: it is nested in another one, a server persists for it (`langgraph.json`), a caller passes one in. So a
graph counts only when it is seen to be run by itself and nothing else is seen to become of it.
"""

from __future__ import annotations

import re

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.effects import Witness
from hitl_lint.analysis.graphs import Run
from hitl_lint.analysis.names import Cls, Ext, Fn, FnInfo, Scope, Value, Wrapped, argument, is_graph_path, is_test
from hitl_lint.analysis.wiring import Compile, Graph
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import NOWHERE, Assign, Attr, Await, BoolOp, Call, Dict, IfExp, Name, Seq, Star, Sub, With, dotted, text, walk
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

WITHOUT = frozenset({"absent", "none"})
# They look at what they are given and keep nothing.
LOOKS = frozenset({"print", "isinstance", "type", "id", "repr", "str", "len", "hasattr", "getattr", "vars", "dir", "bool", "callable", "pprint.pprint",
                   "IPython.display.display", "typing.cast"})
# Parts of a path of programs that measure or try out: what they run need not be answered.
TRIALS = frozenset({"eval", "evals", "evaluation", "evaluate", "bench", "benchmark", "benchmarks", "experiments"})
NODE_PARAMS = ("RunnableConfig", "ToolRuntime", "Runtime", "InjectedState")


@record
class Unsaved:
    """A graph that pauses (`pause`), made without a checkpointer by `compile` and run by `run`."""

    graph: Graph
    compile: Compile
    run: Run
    pause: Witness
    resumed: bool


class Savers:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names
        self._kept: list[Any] = []  # names looked up in modules: remembered by identity, so they must live

    def missing(self) -> Iterator[Unsaved]:
        """The first run of every such graph, in program order."""
        graphs = self.project.graphs
        suspects = [(g, c, w) for g in graphs.all() for c in g.compiles if c.saver in WITHOUT and (w := graphs.pause_in(g)) is not None]
        if not suspects:
            return
        served = self.served()
        for graph, compiled, pause in sorted(suspects, key=lambda s: (s[1].scope.module.path, s[1].call.at)):
            if id(compiled.call) in served or self.nested(graph, compiled):
                continue
            runs = list(self._runs(graph, compiled))
            if any(self.inside(r.scope) for r in runs):
                continue
            counted = [r for r in runs if self._counts(r, compiled)]
            if not counted or self._gets_one_later(compiled) or self.escapes(compiled):
                continue
            resumed = next((r for r in counted if self._resumes(r)), None)
            yield Unsaved(graph, compiled, resumed or counted[0], pause, resumed is not None)

    # ---- runs
    def _runs(self, graph: Graph, compiled: Compile) -> Iterator[Run]:
        graphs = self.project.graphs
        for run in graphs.runs():
            if run.made is compiled.call:
                yield run
        only = [c for g in graphs.all() for c in g.compiles]
        if len(only) != 1:
            return
        # The only graph there is: whatever is resumed and cannot be followed must be it.
        for method in sorted(lg.RUN_METHODS):
            for call, scope in list(self.names.calls_by_name.get(method, ())):
                if type(call.func) is Attr and not self.names.resolve(call.func.value, scope) and graphs.meant(call.func.value, scope) is graph:
                    run = Run(call, scope, graph, compiled.call)
                    if self._resumes(run):
                        yield run

    def _counts(self, run: Run, compiled: Compile) -> bool:
        """Whether a run shows that this graph is run by itself as it is: the receiver is nothing but it, and a test does it only with an answer."""
        for v in self.names.resolve(run.call.func.value, run.scope):  # type: ignore[attr-defined]
            if isinstance(v, Ext) and is_graph_path(v.path) and v.made is not compiled.call:
                return False
        path = run.scope.module.path
        if is_test(path) or is_test(compiled.scope.module.path) or parts_of(path) & TRIALS:
            return self._resumes(run) and not self._expected_to_fail(run)
        # Somebody who only starts a graph that another module makes for a server may do without its pauses.
        return self._resumes(run) or run.scope.module is compiled.scope.module and all(c.saver in WITHOUT for c in run.graph.compiles)

    def _resumes(self, run: Run) -> bool:
        first = next((a.value for a in run.call.args if a.name in (None, "input") and not a.star), None)
        return first is not None and any(isinstance(v, Ext) and v.path in COMMANDS and v.origin is not None and any(a.name == "resume" for a in v.origin.args)
                                         for v in self.names.resolve(first, run.scope))

    def _expected_to_fail(self, run: Run) -> bool:
        body = run.scope.owner.fn.body if run.scope.kind == "function" else run.scope.module.facts.body
        return any(type(n) is With and any("raises" in text(i.value, 60) for i in n.items) and any(x is run.call for x in walk(n))
                   for s in body for n in walk(s))

    def inside(self, scope: Scope, depth: int = 0) -> bool:
        """Whether a graph runs the code, or it looks as if one did: it takes the state, or what only a graph passes. What takes more than a node is given
        (`run(state, on_question)`) is inside where one of its callers is, or where none is seen."""
        if self.project.in_graph(scope):
            return True
        at: Scope | None = scope
        while at is not None:
            if isinstance(at.owner, FnInfo) and any(self._of_node(p) for p in at.owner.fn.params):
                more = [p for p in at.owner.fn.params if p.default is None and p.kind not in ("star", "star2") and not self._of_node(p)
                        and p.name not in ("self", "cls", "config", "runtime", "store", "writer", "stream_writer", "request", "handler")]
                callers = self.project.resumes.callers(at.owner) if more and depth < 3 else []
                if not callers or any(self.inside(where, depth + 1) for _, where in callers):
                    return True
            at = at.parent
        return False

    @staticmethod
    def _of_node(p: Any) -> bool:
        shown = text(p.annotation, 80) if p.annotation is not None else ""
        return p.name == "state" or "State" in shown.rsplit(".", 1)[-1] and "Graph" not in shown or any(word in shown for word in NODE_PARAMS)

    # ---- what else becomes of it
    def _is(self, v: Value, compiled: Compile) -> bool:
        return isinstance(v, Ext) and v.made is compiled.call and is_graph_path(v.path) or isinstance(v, Wrapped) and v.kind == "graph" and v.call is compiled.call

    def nested(self, graph: Graph, compiled: Compile) -> bool:
        for other in self.project.graphs.all():
            for node in other.nodes:
                if any(self._is(v, compiled) for v in node.values) and not (other is graph and graph.kind == "entrypoint"):
                    return True
        return any(type(call.func) is Attr and any(self._is(v, compiled) for v in self.names.resolve(call.func.value, scope))
                   for call, scope in list(self.names.calls_by_name.get("as_tool", ())))

    def _gets_one_later(self, compiled: Compile) -> bool:
        """`graph.checkpointer = saver`."""
        for module in list(self.names.modules.values()):
            for scope in (module.scope, *(self.names.scope(f) for f in list(module.functions))):
                for name, _, stmt in scope.attrs:
                    if name.endswith(".checkpointer") and type(stmt) is Assign:
                        for t in stmt.targets:
                            if type(t) is Attr and any(self._is(v, compiled) for v in self.names.resolve(t.value, scope)):
                                return True
        return False

    def escapes(self, compiled: Compile) -> bool:
        """Whether the graph is handed to code that cannot be followed: a server's adapter, a registry, another framework."""
        for sites in list(self.names.calls_by_name.values()):
            for call, scope in sites:
                for a in call.args:
                    for e in _handed(a.value):
                        if any(self._is(v, compiled) for v in self.names.resolve(e, scope)) and not self._followed(call, scope, a.value, compiled):
                            return True
        return False

    def _followed(self, call: Call, scope: Scope, arg: Any, compiled: Compile) -> bool:
        targets = self.names.resolve(call.func, scope)
        for v in targets:
            if isinstance(v, Ext) and v.path in LOOKS:
                continue
            info = v.info if isinstance(v, Fn) else self.names.method(v.info, "__init__") if isinstance(v, Cls) else None
            if info is None:
                return False
            bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
            taken = [p for p in info.fn.params if argument(call, info.fn, p, bound) is arg]
            if not taken or not any(self._is(x, compiled) for x in self.names.param(info, taken[0].name)):
                return False
        return bool(targets)

    # ---- servers
    def served(self) -> set[int]:
        """The ids of the calls that make the graphs named in langgraph.json and its like: the server saves for them."""
        out: set[int] = set()
        for path, manifest in self.project.manifests.items():
            graphs = manifest.get("graphs") if isinstance(manifest, dict) else None
            for entry in graphs.values() if isinstance(graphs, dict) else ():
                spec = entry.get("path") if isinstance(entry, dict) else entry
                if isinstance(spec, str) and ":" in spec:
                    out |= self._entry(path, *spec.rsplit(":", 1))
        return out

    def _entry(self, manifest: str, file: str, symbol: str) -> set[int]:
        path = self._file(manifest, file)
        module = self.names.module(path) if path is not None else None
        if module is None:
            return set()
        expr = Name(NOWHERE, symbol)
        self._kept.append(expr)
        out: set[int] = set()
        for v in self.names.resolve(expr, module.scope):
            made = [v, *(self.names.returns(v.info) if isinstance(v, Fn) else ())]
            out |= {id(x.made) for x in made if isinstance(x, Ext) and x.made is not None}
            out |= {id(x.call) for x in made if isinstance(x, Wrapped) and x.call is not None}
            if isinstance(v, Fn):
                out |= {id(c) for c in self.names.scope(v.info).calls}
        if not any(id(c.call) in out for g in self.project.graphs.all() for c in g.compiles):
            out |= {id(c.call) for g in self.project.graphs.all() for c in g.compiles if c.scope.module is module}
        return out

    def _file(self, manifest: str, file: str) -> str | None:
        if not file.endswith(".py"):
            return next((p for parts, p in self.names.index.by_last.get(file.rsplit(".", 1)[-1], ()) if parts[-file.count(".") - 1:] == tuple(file.split("."))), None)
        parts = manifest.split("/")[:-1]
        for part in file.split("/"):
            if part == ".." and parts and parts[-1] != "..":
                parts.pop()
            elif part not in ("", "."):
                parts.append(part)
        return "/".join(parts)


COMMANDS = frozenset(f"{p}()" for p in lg.COMMAND)


def parts_of(path: str) -> set[str]:
    """The words of a path."""
    return set(re.split(r"[/_.]", path.lower()))


def _handed(e: Any) -> Iterator[Any]:
    """The names and attributes that an argument hands over as they are, alone or in a display."""
    t = type(e)
    if t in (Name, Attr, Sub):
        yield e
    elif t is Seq:
        for x in e.elts:
            yield from _handed(x)
    elif t is Dict or t is BoolOp:
        for x in e.values:
            yield from _handed(x)
    elif t is IfExp:
        yield from _handed(e.body)
        yield from _handed(e.orelse)
    elif t in (Await, Star):
        yield from _handed(e.value)


__all__ = ["Savers", "Unsaved"]
