"""How a graph is put together: it gets a checkpointer, and loses the edge that is followed whatever the answer was."""

from __future__ import annotations

from typing import Any

from hitl_lint.analysis.graphs import Beside
from hitl_lint.analysis.names import FnInfo
from hitl_lint.analysis.savers import Unsaved
from hitl_lint.facts import Attr, Call, Const, ExprStmt, If, Match, Name, Raise, Return, Seq, Try, With, Yield, statements, walk
from hitl_lint.finding import Finding, Fix
from hitl_lint.fixes.desk import Desk, Refused
from hitl_lint.fixes.imports import Imports
from hitl_lint.fixes.spots import add_argument, alone, statement_of

CODES = ("HIL501", "HIL510")
ORDER = 10


def fix(desk: Desk, finding: Finding) -> Fix:
    if isinstance(finding.subject, Unsaved):
        return _saver(desk, finding.subject)
    if isinstance(finding.subject, Beside):
        return _edge(desk, finding.subject)
    raise Refused("")


# ---------------------------------------------------------------------- a checkpointer
def _saver(desk: Desk, found: Unsaved) -> Fix:
    call, scope = found.compile.call, found.compile.scope
    path = scope.module.path
    sheet = desk.sheet(path)
    run = found.run.call
    if len([a for a in run.args if a.name is None]) < 2 and not any(a.name == "config" or a.star for a in run.args):
        raise Refused('its runs name no thread: pass checkpointer=InMemorySaver() and {"configurable": {"thread_id": …}} in the config of every run')
    if any(a.star for a in call.args):
        raise Refused("what is passed with `**` may hold a checkpointer: put it there")
    if scope.kind == "function" and scope.owner.name != "__init__":
        calls = len(desk.project.names.calls_by_name.get(scope.owner.name, ()))
        if calls > 1 or calls and found.resumed:
            raise Refused(f"{scope.owner.name}() makes a new graph for each caller, and a saver in memory with it, which would know nothing of the run that waits: make one "
                          f"saver outside and pass it as checkpointer=")
    before = call.at[0]
    if scope.kind == "function":
        before = scope.owner.fn.whole[0]
    else:
        top = next((s.at[0] for s in reversed(scope.module.facts.body) if s.at[0] <= call.at[0]), call.at[0])
        before = max(top, 1)
    imports = Imports(desk, path, before)
    saver = imports.name("langgraph.checkpoint.memory", "InMemorySaver")
    given = next((a for a in call.args if a.name == "checkpointer"), None)
    if given is not None and not (type(given.value) is Const and given.value.kind in ("none", "bool")):
        raise Refused("the checkpointer that is passed is None only sometimes: pass one always")
    edit = sheet.edit(given.value.at, f"{saver}()") if given is not None else add_argument(sheet, call, f"checkpointer={saver}()")
    return Fix("pass a checkpointer that keeps runs in memory", "unsafe", (*imports.edits(), edit),
               note="InMemorySaver forgets every paused run when the process ends: pass a database saver in production")


# ---------------------------------------------------------------------- an edge
def _edge(desk: Desk, found: Beside) -> Fix:
    edge = found.edge
    call, scope = edge.call, edge.scope
    sheet = desk.sheet(scope.module.path)
    target, node = edge.target, found.node.name
    by_hand = f'return Command(goto="{target}") from {found.function.name}() on the paths that are to go there, and remove the edge'
    if type(call.func) is not Attr or call.func.attr != "add_edge" or len(edge.sources) != 1 or any(type(a.value) is Seq or a.star for a in call.args):
        raise Refused(f"the edge is drawn together with others: {by_hand}")
    if not all(type(a.value) in (Const, Name) for a in call.args) or not _reads_fixed(desk, call, scope):
        raise Refused(f"the edge is drawn together with others: {by_hand}")
    if not _always_goes(desk, found.function, {id(g.call) for g in desk.project.graphs.gotos(found.function) if g.ways and all(g.ways)}):
        raise Refused(f'on some path {found.function.name}() returns no goto and the edge is the only way on from "{node}": {by_hand}')
    body = scope.owner.fn.body if scope.kind == "function" else scope.owner.facts.body
    stmt = statement_of(body, call)
    if type(stmt) is ExprStmt and stmt.value is call and type(call.func.value) is not Call:
        if not alone(sheet, stmt) or not _has_company(scope, stmt):
            raise Refused(f"the edge stands in one line or block with other code: {by_hand}")
        return Fix(f'remove the edge from "{node}" to "{target}"', "unsafe", (sheet.delete_lines(stmt.at[0], stmt.at[2]),), note=_NOTE)
    if type(call.func.value) is not Call and not (type(call.func.value) is Name):
        raise Refused(f"the edge is drawn in a longer expression: {by_hand}")
    if type(call.func.value) is Name and not (type(stmt) is ExprStmt and stmt.value is not call):
        raise Refused(f"the edge is drawn in a longer expression: {by_hand}")
    gone = (*call.func.value.at[2:], *call.at[2:])
    if "#" in sheet.slice(gone) or ")" in sheet.slice((*call.func.value.at[2:], *call.func.at[2:])):
        raise Refused(f"there are comments or brackets between the calls: {by_hand}")
    return Fix(f'remove the edge from "{node}" to "{target}"', "unsafe", (sheet.edit(gone, ""),), note=_NOTE)


_NOTE = "only what the Command names runs after this node from now on"


def _reads_fixed(desk: Desk, call: Call, scope: Any) -> bool:
    """Whether the call draws this one edge, and no other in another round of a loop."""
    for a in call.args:
        if type(a.value) is Name:
            found = desk.project.names.lookup(a.value.id, scope)
            if found is None or any(b.how not in ("import", "def", "value") for b in found[0]):
                return False
    return True


def _has_company(scope: Any, stmt: Any) -> bool:
    """Whether the block keeps a statement when this one goes."""
    body = scope.owner.fn.body if scope.kind == "function" else scope.owner.facts.body
    blocks = [body]
    for s in statements(body):
        for name in ("body", "orelse", "final"):
            block = getattr(s, name, None)
            if isinstance(block, list):
                blocks.append(block)
        for part in (*getattr(s, "handlers", ()), *getattr(s, "cases", ())):
            blocks.append(part.body)
    return any(any(s is stmt for s in block) and len(block) > 1 for block in blocks)


def _always_goes(desk: Desk, info: FnInfo, gotos: set[int], depth: int = 0) -> bool:
    """Whether every way out of a function is a Command with a goto (or an exception)."""
    names = desk.project.names
    if not _ends(info.fn.body):
        return False
    scope = names.scope(info)
    for stmt in info.fn.body:
        for n in walk(stmt):
            if type(n) is Yield:
                return False
            if type(n) is not Return:
                continue
            values = names.resolve(n.value, scope) if n.value is not None else ()
            if not values or not all(id(getattr(v, "origin", None)) in gotos for v in values):
                return False
    return True


def _ends(body: list[Any]) -> bool:
    """Whether a block never runs past its end."""
    if not body:
        return False
    last = body[-1]
    kind = type(last)
    if kind in (Return, Raise):
        return True
    if kind is If:
        return _ends(last.body) and _ends(last.orelse)
    if kind is With:
        return _ends(last.body)
    if kind is Try:
        return _ends(last.final) or (_ends(last.orelse or last.body) and all(_ends(h.body) for h in last.handlers))
    if kind is Match:
        return any(c.irrefutable and c.guard is None for c in last.cases) and all(_ends(c.body) for c in last.cases)
    return False
