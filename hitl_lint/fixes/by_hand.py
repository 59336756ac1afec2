"""A pause that is raised by hand becomes a call of `interrupt()`, whose answer decides: True goes on, anything else ends the run with an error."""

from __future__ import annotations

from typing import Any

from hitl_lint.analysis.subject import Subject
from hitl_lint.facts import Call, Const, Name, Raise, Seq, Try, walk
from hitl_lint.finding import Finding, Fix
from hitl_lint.fixes.desk import Desk, Refused
from hitl_lint.fixes.imports import Imports
from hitl_lint.fixes.spots import alone, statement_of

CODES = ("HIL205",)
ORDER = 10


def fix(desk: Desk, finding: Finding) -> Fix:
    subject = finding.subject
    if not isinstance(subject, Subject) or type(subject.node) is not Raise:
        raise Refused("")
    node, info = subject.node, subject.info
    sheet = desk.sheet(info.module.path)
    question = _question(desk, info, node.exc)
    if question is None:
        raise Refused("what is to be asked is not written in the `raise`: call interrupt(…) with the question there, and let its answer decide")
    if not alone(sheet, node):
        raise Refused("the `raise` shares its line with other code: put it on a line of its own first")
    stmt = statement_of(info.fn.body, node)
    if stmt is None or any(type(s) is Try and any(n is node for b in s.body for n in walk(b)) for f in info.fn.body for s in walk(f)):
        raise Refused("the `raise` stands in a `try` that may catch what happens to the answer: call interrupt(…) before the `try`")
    imports = Imports(desk, info.module.path, info.fn.whole[0])
    ask = imports.name("langgraph.types", "interrupt")
    taken = {n.id for s in info.fn.body for n in walk(s, into_functions=True) if type(n) is Name} | {a.name for a in info.fn.params}
    answer = "answer" if "answer" not in taken else desk.fresh("answer", info.module.path)
    pad = sheet.indent(node.at[0])
    unit = "\t" if "\t" in pad else "    "
    new = (f"{answer} = {ask}({sheet.slice(question.at)})\n{pad}if {answer} is not True:\n"
           f'{pad}{unit}raise ValueError(f"not approved: {{{answer}!r}}")')
    return Fix("call interrupt(), which gives the answer: True goes on, anything else ends the run", "unsafe", (*imports.edits(), sheet.edit(node.at, new)),
               note="write what a refusal is to do in the place of the ValueError; answers are now sent with Command(resume=True)")


def _question(desk: Desk, info: Any, exc: Any) -> Any:
    """The expression that says what is asked: of `NodeInterrupt(x)`, `GraphInterrupt(x)` with Interrupt(value=x) in a list."""
    if type(exc) is not Call or not exc.args or any(a.star for a in exc.args):
        return None
    first = exc.args[0]
    if first.name not in (None, "value", "interrupts"):
        return None
    value = first.value
    if type(value) is Seq:
        if len(value.elts) != 1 or type(value.elts[0]) is not Call:
            return None
        inner = value.elts[0]
        value = next((a.value for a in inner.args if a.name in (None, "value") and not a.star), None)
    elif (getattr(exc.func, "attr", None) or getattr(exc.func, "id", "")) == "GraphInterrupt":
        return None
    return None if value is None or type(value) is Const and value.kind == "none" else value
