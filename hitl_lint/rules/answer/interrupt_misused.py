"""`interrupt` is called without a value, imported from where it is not, or its pause is read under a key that does not exist.

At run time: `interrupt()` raises TypeError instead of pausing; `from langgraph.graph import interrupt` raises ImportError; and the result of a run
that paused holds the pause under `"__interrupt__"`, so `result["interrupt"]` raises KeyError and `result.get("interrupts")` never sees a pause.

Wrong:

    from langgraph.types import interrupt

    def ask(state):
        return {"answer": interrupt()}

Right:

    from langgraph.types import interrupt

    def ask(state):
        return {"answer": interrupt("Go on?")}

How to fix: give the question as the value; import `interrupt` from `langgraph.types`; read `result["__interrupt__"]`. `--fix` does the last
two.

What it does not see: results that go through code that cannot be followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.facts import text
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import finding

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL608", name="interrupt-misused", severity=Severity.ERROR,
            summary="interrupt() without a value, a wrong import, or a wrong key for the pause", family="misuse", rank=10, fix="import it from langgraph.types, read \"__interrupt__\" (safe)")


def check(project: "Project") -> Iterator[Finding]:
    for p, pause in project.handling.without_value():
        yield finding(project, META, p, pause.node.at, f"{p.info.name}() raises TypeError instead of pausing: interrupt() needs a value, which is what the human is shown",
                      pause=pause, context="no value", help="give the question: interrupt(\"Go on?\")")
    for module, imp in project.handling.wrong_imports():
        # langgraph.prebuilt has a submodule of that name, which can be imported and not be called.
        fails = "Nobody is asked: `interrupt` of langgraph.prebuilt is a module, and calling it raises TypeError; the function is in langgraph.types" if (
            imp.module == "langgraph.prebuilt") else f"The import raises ImportError: {imp.module} has no `interrupt`, it is in langgraph.types"
        yield Finding(code=META.code, name=META.name, severity=META.severity, span=project.span(module, imp.at),
                      message=fails, function=module.name,
                      context=f"import:{imp.module}", help="from langgraph.types import interrupt", family=META.family, subject=imp)
    for scope, node, key, _ in project.handling.wrong_keys():
        where = scope.owner.dotted if scope.kind == "function" else scope.module.name
        yield Finding(code=META.code, name=META.name, severity=META.severity, span=project.span(scope.module, node.at),
                      message=f"The pause is never seen: `{text(node, 40)}` reads the result of a run, where a pause stands under \"__interrupt__\", not {key!r}",
                      function=where, context=f"{where}:{key}", help="read result[\"__interrupt__\"]", family=META.family, subject=node)
