"""Applications that run a graph which pauses and never answer it.

A claim about what is nowhere: so everything that could answer counts (a word in a file that cannot be followed, a server's manifest, a front end's
adapter, a graph handed to code that is not seen), and only a module that is an application by its looks is reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.effects import Witness
from hitl_lint.analysis.names import ModuleInfo, Scope, is_test
from hitl_lint.analysis.turns import Turn
from hitl_lint.analysis.wiring import Graph
from hitl_lint.facts import Call, Cmp, If, dotted, walk

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

ANSWERS = rb"\bresume\s*=|[\"']resume[\"']|update_state|resume_(?:graph|run|thread)"
FRONT_ENDS = frozenset({"copilotkit", "ag_ui", "ag_ui_langgraph", "langgraph_sdk", "langgraph_api", "langserve", "langgraph_cli", "aegra"})
APPS = frozenset({"streamlit", "chainlit", "gradio", "fastapi", "flask", "starlette", "aiohttp", "typer", "click", "telegram", "aiogram", "slack_bolt", "discord", "django",
                  "quart", "sanic", "litestar"})
SAVED = frozenset({"given", "parameter", "unknown", "true"})


class Unanswered:
    def __init__(self, project: "Project") -> None:
        self.project = project

    def runs(self) -> Iterator[tuple[Turn, Witness]]:
        """The first run of each such graph."""
        turns = self.project.turns
        if self.project.manifests:
            return
        by_graph: dict[int, list[Turn]] = {}
        for turn in turns.all():
            graph = turns.graph(turn)
            if graph is not None and turns.pauses(turn) is not None:
                by_graph.setdefault(id(graph), []).append(turn)
        for runs in by_graph.values():
            graph = turns.graph(runs[0])
            pause = turns.pauses(runs[0])
            assert graph is not None and pause is not None
            here = [t for t in runs if not is_test(t.scope.module.path)]
            if not here or not pause.proved or any(t.kinds != {"plain"} for t in here) or not all(turns.outside(t) for t in here):
                continue
            if not graph.compiles or any(c.saver not in SAVED for c in graph.compiles) or graph.open and graph.kind == "unseen":
                continue
            run = next((t for t in here if self._application(t.scope)), None)
            if run is None or self._handed_on(graph) or self._asked_until_known(graph) or self._answered(graph, here, pause):
                continue
            yield run, pause

    def _asked_until_known(self, graph: Graph) -> bool:
        """Whether the graph asks for what its state does not hold, so that the next input answers: `if not state.get("quantity"): interrupt(…)`."""
        return any(self.project.handling.asked_until_known(p, x) for p in self.project.pending.asking(graph) for x in p.pauses)

    def _application(self, scope: Scope) -> bool:
        """Whether the code that runs the graph is an application: an endpoint, a chat or web app, a program with a main."""
        module = scope.module
        if self.project.is_aside(module.path):
            return False
        tops = {b.node.module.split(".")[0] for bs in module.scope.bindings.values() for b in bs if b.how == "import" and not b.node.level}
        if tops & FRONT_ENDS:
            return False
        return bool(tops & APPS) or self._main(module)

    def _main(self, module: ModuleInfo) -> bool:
        for stmt in module.facts.body:
            if type(stmt) is If and type(stmt.test) is Cmp and dotted(stmt.test.left) == "__name__":
                return any(type(n) is Call and dotted(n.func) == "input" for s in module.facts.body for n in walk(s, into_functions=True))
        return False

    def _handed_on(self, graph: Graph) -> bool:
        savers = self.project.savers
        return any(savers.nested(graph, c) or savers.escapes(c) for c in graph.compiles)

    def _answered(self, graph: Graph, runs: list[Turn], pause: Witness) -> bool:
        """Whether anything in reach may answer: any file of a project that was looked at as a whole, else what is joined to the run by imports."""
        project = self.project
        holding = [p for p in project.holding(ANSWERS) if not is_test(p)]
        if not holding:
            return False
        loaded = set(project.names.modules)
        own = {t.scope.module.path for t in runs} | {c.scope.module.path for c in graph.compiles} | {link.path for link in pause.links}
        if any(p in own or p in loaded and self._resumes_here(p) for p in holding):
            return True
        if project.whole:
            return True
        words = "|".join(sorted({p.rsplit("/", 1)[-1].split(".")[0] for p in own})).encode()
        return bool(project.holding(rb"import[^\n]*\b(?:" + words + rb")\b|\b(?:" + words + rb")\b[^\n]*import", holding))

    def _resumes_here(self, path: str) -> bool:
        module = self.project.names.modules[path]
        return any(isinstance(a.name, str) and a.name == "resume" for sites in self.project.names.calls_by_name.values() for c, s in sites if s.module is module for a in c.args)


__all__ = ["Unanswered"]
