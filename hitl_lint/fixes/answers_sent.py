"""What a resume sends: a literal None becomes False, and a map is keyed by the ids of interrupts."""

from __future__ import annotations

from typing import Any

from hitl_lint.analysis.resumes import Sent
from hitl_lint.facts import Assign, Attr, Comp, Const, For, Name, Seq, Sub, walk
from hitl_lint.finding import Edit, Finding, Fix
from hitl_lint.fixes.desk import Desk, Refused, Sheet
from hitl_lint.fixes.spots import alone, parent_of

CODES = ("HIL401", "HIL402")
ORDER = 10


def fix(desk: Desk, finding: Finding) -> Fix:
    if finding.code == "HIL401":
        return _none(desk, finding)
    return _keyed(desk, finding)


def _none(desk: Desk, finding: Finding) -> Fix:
    sent = finding.subject
    if not isinstance(sent, Sent):
        raise Refused("")
    if sent.resume is None:
        raise Refused("`Command()` does not say what is meant: send an answer with resume=…, or call the graph with None to go on after a crash")
    if type(sent.resume) is not Const:
        raise Refused("what a missing answer means only the program can say: test for None before the resume, and send an answer that says it (\"\", False, "
                      "{\"skipped\": True}) or none at all")
    sheet = desk.sheet(sent.scope.module.path)
    return Fix("send False, which is delivered", "unsafe", (sheet.edit(sent.resume.at, "False"),),
               note="a node that tests the answer with `is None` must test for False now")


def _keyed(desk: Desk, finding: Finding) -> Fix:
    if not isinstance(finding.subject, tuple):
        raise Refused("")
    key, scope, sent = finding.subject
    _refuse_other_uses(desk, scope, sent)
    module = scope.module
    sheet = desk.sheet(module.path)
    body = module.facts.body
    base = key.value if type(key) is Attr else None
    if type(base) is Sub and key.attr == "id" and type(base.index) is Const and type(base.value) is Attr and base.value.attr == "tasks":
        line, col = base.at[2:]
        return Fix("use the id of the task's interrupt", "safe", (sheet.edit((line, col, line, col), ".interrupts[0]"),))
    if type(base) is not Name:
        raise Refused("the interrupts of that task are not at hand: read them from graph.get_state(config), {i.id: answer for t in state.tasks for i in t.interrupts}")
    fresh = _free_name(scope, "i", "pause", "pending")
    holder = parent_of(body, key)
    comp = holder if type(holder) is Comp else parent_of(body, holder) if type(holder) is Seq else None
    if type(comp) is Comp and (comp.key is key or type(comp.elt) is Seq and comp.elt.elts and comp.elt.elts[0] is key):
        last = comp.generators[-1]
        if not any(type(g.target) is Name and g.target.id == base.id for g in comp.generators):
            raise Refused("the task is not the one that the comprehension goes over: key the map by i.id for i in task.interrupts")
        return Fix("key the map by the ids of the task's interrupts", "safe",
                   (sheet.edit(key.at, f"{fresh}.id"), _appended(sheet, comp, last, f" for {fresh} in {base.id}.interrupts")))
    if type(holder) is Sub:
        store = parent_of(body, holder)
        loop = _loop_over(scope, base.id)
        if type(store) is Assign and store.targets == [holder] and loop is not None and alone(sheet, store) and store.at[0] == store.at[2]:
            pad = sheet.indent(store.at[0])
            unit = "\t" if "\t" in pad else "    "
            new = f"for {fresh} in {base.id}.interrupts:\n{pad}{unit}{sheet.slice((*store.at[:2], *key.at[:2]))}{fresh}.id{sheet.slice((*key.at[2:], *store.at[2:]))}"
            return Fix("key the map by the ids of the task's interrupts", "safe", (sheet.edit(store.at, new),))
    raise Refused("the map is not written in a form that can be changed with certainty: key it by i.id for i in task.interrupts")


def _refuse_other_uses(desk: Desk, scope: Any, sent: Sent) -> None:
    """A map that is also read elsewhere, or a helper that others call, may need the ids of tasks there."""
    if scope is not sent.scope and scope.kind == "function":
        if len(desk.project.names.calls_by_name.get(scope.owner.name, ())) > 1:
            raise Refused(f"{scope.owner.name}() is called elsewhere too, where the ids of tasks may be meant: build the resume map by i.id for i in task.interrupts")
    elif type(sent.resume) is Name:
        body = scope.owner.fn.body if scope.kind == "function" else scope.owner.facts.body
        reads = 0
        for s in body:
            for n in walk(s, into_functions=True):
                if type(n) is Name and n.id == sent.resume.id and n is not sent.resume:
                    reads += 1
                if type(n) is Assign:
                    reads -= sum(1 for t in n.targets if (t.value if type(t) is Sub else t) if type(t.value if type(t) is Sub else t) is Name
                                 and (t.value if type(t) is Sub else t).id == sent.resume.id)
        if reads:
            raise Refused(f"`{sent.resume.id}` is used for something else too, where the ids of tasks may be meant: build the resume map by i.id for i in task.interrupts")


def _loop_over(scope: Any, name: str) -> Any:
    body = scope.owner.fn.body if scope.kind == "function" else scope.owner.facts.body
    loops = [n for s in body for n in walk(s) if type(n) is For and type(n.target) is Name and n.target.id == name]
    return loops[0] if len(loops) == 1 else None


def _free_name(scope: Any, *wanted: str) -> str:
    body = scope.owner.fn.body if scope.kind == "function" else scope.owner.facts.body
    taken = {n.id for s in body for n in walk(s, into_functions=True) if type(n) is Name}
    taken |= {a.name for a in scope.owner.fn.params} if scope.kind == "function" else set()
    found = next((w for w in wanted if w not in taken), None)
    if found is None:
        raise Refused("every short name is taken: key the map by i.id for i in task.interrupts")
    return found


def _appended(sheet: Sheet, comp: Comp, last: Any, written: str) -> Edit:
    """One more `for` at the end of a comprehension."""
    begin = (last.ifs[-1] if last.ifs else last.iter).at[2:]
    line, end = comp.at[2:]
    rest = sheet.slice((*begin, line, end))
    closed = rest.rstrip()
    bare = closed if closed[-1:] not in "}])" else closed[:-1]
    if "#" in rest or bare.strip(" \t\n)") or "," in rest:
        raise Refused("the comprehension is written in a form that cannot be added to: key the map by i.id for i in task.interrupts")
    # A generator that is the only argument of a call has no brackets of its own to end with.
    inner = rest[:-1] if rest[-1:] in ("}", "]") or comp.kind == "gen" and rest.endswith(")") and sheet.slice(comp.at).startswith("(") and rest.count(")") > 0 else rest
    inner = inner.rstrip()
    row, col = begin
    for char in inner:
        row, col = (row + 1, 1) if char == "\n" else (row, col + 1)
    return sheet.edit((row, col, row, col), written)


