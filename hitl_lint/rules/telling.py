"""How rules speak: one place that builds a finding about a pausing function, so that all messages read alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable

from hitl_lint.analysis.cfg import Point
from hitl_lint.analysis.effects import Witness
from hitl_lint.analysis.subject import Subject
from hitl_lint.facts import At, Attr, Call, dotted, text
from hitl_lint.finding import Confidence, Finding, Severity, Step
from hitl_lint.rules import Meta

if TYPE_CHECKING:
    from hitl_lint.analysis.names import FnInfo
    from hitl_lint.analysis.decorated import Applied
    from hitl_lint.analysis.payloads import Piece
    from hitl_lint.analysis.project import Pausing, Project
    from hitl_lint.analysis.replay import Again


def finding(project: "Project", meta: Meta, p: "Pausing", at: At, message: str, *, pause: Point | None = None, witness: Witness | None = None,
            severity: Severity | None = None, help: str = "", context: str = "", related: Iterable[Step] = (), node: Any = None,
            more: Any = None) -> Finding:
    """A finding in a pausing function. `witness` gives the chain and the confidence; `pause` what it is about; `node` the expression that fixers
    are to deal with, `more` what else they need."""
    return Finding(
        code=meta.code, name=meta.name, severity=meta.severity if severity is None else severity, span=project.span(p.info.module, at),
        message=message, function=p.info.dotted, confidence=Confidence.NAMED if witness is not None and not witness.proved else Confidence.PROVED,
        pause=project.span(p.info.module, pause.node.at) if pause is not None else None, trace=project.steps(witness), help=help,
        context=f"{p.info.fn.qualname}:{context}", related=tuple(related), family=meta.family, subject=Subject(p.info, p, pause, node, more))


def plain(project: "Project", meta: Meta, scope: Any, at: At, message: str, *, witness: Witness | None = None, severity: Severity | None = None,
          help: str = "", context: str = "", related: Iterable[Step] = (), subject: Any = None) -> Finding:
    """A finding that is not about one pausing function: a graph, an edge, a tool. `scope`: where `at` stands; `subject`: what fixers are to know."""
    function = getattr(scope.owner, "dotted", "") or scope.module.name
    return Finding(
        code=meta.code, name=meta.name, severity=meta.severity if severity is None else severity, span=project.span(scope.module, at), message=message,
        function=function, confidence=Confidence.NAMED if witness is not None and not witness.proved else Confidence.PROVED,
        trace=project.steps(witness), help=help, context=f"{function}:{context}", related=tuple(related), family=meta.family, subject=subject)


def method_at(call: Call) -> At:
    """From the last word of the callee to the end of the call: `compile(…)` at the end of a chain over many lines."""
    line, col = call.func.at[2:]
    return (line, col - len(call.func.attr), *call.at[2:]) if type(call.func) is Attr else call.at


def router_finding(project: "Project", meta: Meta, source: "FnInfo", call: Call, w: Witness, router: "FnInfo", consequence: str) -> Finding:
    """A finding in a node whose conditional edge pauses."""
    message = (f"{consequence}: {callee(call)} stands in {source.name}(), and the router {router.name}() behind it pauses, "
               f"which runs the whole node again with the answer{chain(w)}")
    return Finding(code=meta.code, name=meta.name, severity=meta.severity, span=project.span(source.module, call.at), message=message,
                   function=source.dotted, confidence=Confidence.PROVED if w.proved else Confidence.NAMED,
                   pause=project.span(router.module, router.fn.at), trace=project.steps(w), context=f"{source.fn.qualname}:{callee(call)}",
                   help="ask in a node of its own and let the router read the answer from the state", family=meta.family)


def wrapper_finding(project: "Project", meta: Meta, a: "Applied", again: "Again", consequence: str) -> Finding:
    """A finding about a decorator of an unchecked file, told at the function that pauses."""
    w, shown = again.witness, text(a.d.func if type(a.d) is Call else a.d, 40)
    message = (f"{consequence}: the decorator `@{shown}` runs {callee(again.call)} before {a.info.name}(), which pauses{chain(w)}, "
               f"and the answer restarts {a.wrapper.name}() from its first line")
    where = project.step_at(a.wrapper.module.path, again.call.at, f"{text(again.call.func, 44)}() runs here")
    return Finding(code=meta.code, name=meta.name, severity=meta.severity, span=project.span(a.info.module, a.info.fn.at), message=message,
                   function=a.info.dotted, confidence=Confidence.PROVED if w.proved else Confidence.NAMED,
                   trace=project.steps(w), context=f"{a.info.fn.qualname}:{shown}", related=(where,), family=meta.family,
                   help="do it in the decorator after the function has returned, or in a node of its own")


def callee(call: Any) -> str:
    """The callee as written, short: "`httpx.post()`"; a global or attribute that is read, its length, a property that is read and a block that is
    entered stand as they are written."""
    if type(call) is not Call or dotted(call.func) == "len":
        return f"`{text(call, 44)}`"
    return f"`{called(call, 44)}`"


def called(call: Call, limit: int = 40) -> str:
    if call.at != call.func.at:
        return text(call.func, limit) + "()"
    return f"with {text(call.func.value, limit)}" if call.func.attr in ("__enter__", "__aenter__") else text(call.func, limit)


def chain(witness: Witness | None) -> str:
    """" (notify → smtplib.SMTP.sendmail)" for an effect behind helpers, "" where the call itself does it."""
    if witness is None or len(witness.links) < 2:
        return ""
    names = []
    for link in witness.links[:-1]:
        word = link.text.removeprefix("calls ").removesuffix("()")
        names.append(word if " " not in word else link.text)
    names.append(witness.callee)
    shown = names if len(names) <= 5 else [*names[:2], "…", *names[-2:]]
    return " (" + " → ".join(shown) + ")"


def line_of(project: "Project", p: "Pausing", pause: Point) -> str:
    """"line 30", in a notebook the line of its cell."""
    return project.line(p.info.module, pause.node.at)


def where(project: "Project", scope: Any, at: At, seen_from: str) -> str:
    """"line 30", in a notebook the line of its cell, with the file where that is another one than `seen_from`."""
    span = project.span(scope.module, at)
    line = f"line {span.line}" if span.cell is None else f"line {span.line} of cell {span.cell}"
    return line if scope.module.path == seen_from else f"{line} of {scope.module.path}"


def asks(p: "Pausing", pause: Point) -> str:
    """What pauses: "interrupt()" or "ask_human(), which pauses"."""
    w = p.witness(pause)
    return "interrupt()" if len(w.links) == 1 else called(pause.node)


def which(what: str, pause: Point) -> str:
    """For the context of a finding about a pause and `what` stands around it: the question, too, as it is written, since the same thing may stand
    around several in one function."""
    return f"{what}:{text(pause.node, 80)}"


<<<<<<< HEAD
def step_around(call: Call, p: "Pausing", pause: Point) -> tuple[list[str], list[str]]:
    """What would be done in a step of its own: (the names that it gives, its lines).

    It is the statement, with the whole right-hand side; where the pause stands in that too, or the call is used in place, it is what hangs on
    the call (`call(…).json()["id"]`), named `result`. Nothing is named where the value is not used. What gives its items one by one cannot be kept: the
    step has the loop over it, too, or a list of the items.
    """
    stmt = next((point.stmt for point in p.cfg.at(call) if point.stmt is not None), None)
    own = _hanging_on(call, stmt if stmt is not None else call)
    alone = elided(own, call) or elided(call, call)
    if type(stmt) is ExprStmt and own is stmt.value:
        return [], [alone]
    if type(stmt) is With:
        item = next((item for item in stmt.items if item.value is own), None)
        if item is not None:
            return [], [f"with {alone}{' as ' + text(item.target) if item.target is not None else ''}: …"]
    if type(stmt) is For and stmt.iter is own and not _asks_in(stmt, p):
        return _made_in(stmt), [_loop(stmt, alone)]
    if type(stmt) not in (Assign, AugAssign) or stmt.value is None or not any(n is call for n in walk(stmt.value)) or any(n is pause.node for n in walk(stmt.value)):
        return ["result"], ["result = " + (_listed(alone, own, p) if gives_stream(own) else alone)]
    names = [name for target in (stmt.targets if type(stmt) is Assign else [stmt.target]) for n in (target.elts if type(target) is Seq else [target])
             for name in _named(n)]
    names = list(dict.fromkeys(names)) or ["result"]
    left = f"{', '.join(names)} = "
    if gives_stream(own) and own is stmt.value:
        loop = next((n for s in p.info.fn.body for n in walk(s) if type(n) is For and type(n.iter) is Name and n.iter.id in names and not _asks_in(n, p)), None)
        return (_made_in(loop), [left + alone, _loop(loop, text(loop.iter))]) if loop is not None else (names, [left + _listed(alone, own, p)])
    return names, [left + (elided(stmt.value, call) or f"… {alone} …")]


def _asks_in(loop: For, p: "Pausing") -> bool:
    return any(n is pause.node for pause in p.pauses for n in walk(loop))


def _loop(loop: For, over: str) -> str:
    return f"{'async ' if loop.is_async else ''}for {text(loop.target, 40)} in {over}: …"


def _listed(alone: str, own: Any, p: "Pausing") -> str:
    """All items of a stream: what it is iterated with shows whether that waits."""
    call = own.value if type(own) is Await else own
    waits = type(own) is Await or p.info.fn.is_async and type(call.func) is Attr and call.func.attr.startswith("a")
    return f"[chunk async for chunk in {alone}]" if waits else f"list({alone})"


def _named(target: Any) -> list[str]:
    """What a target is called in a state: `text`, and so `self.text` and `state["text"]`."""
    if type(target) in (Name, Attr):
        return [target.id if type(target) is Name else target.attr]
    return [str(target.index.value)] if type(target) is Sub and type(target.index) is Const and str(target.index.value).isidentifier() else []


def _made_in(loop: For) -> list[str]:
    """The names that a loop fills: what it adds to, appends to and assigns, but for what it goes over itself."""
    names: list[str] = []
    own = {n.id for n in walk(loop.target) if type(n) is Name}
    for n in (n for stmt in loop.body for n in walk(stmt)):
        targets = n.targets if type(n) is Assign else [n.target] if type(n) is AugAssign else []
        if type(n) is Call and type(n.func) is Attr and n.func.attr in KEEPS:
            targets = [n.func.value]
        targets = [t for t in targets if type(t) is not Attr or type(t.value) is not Name or t.value.id not in own]
        names += [name for target in targets for part in (target.elts if type(target) is Seq else [target]) for name in _named(part)]
    return [name for name in dict.fromkeys(names) if name not in own]


def _hanging_on(call: Any, root: Any) -> Any:
    """The longest `call(…).a["b"].c()` that begins with the call, in the statement or expression `root`."""
    above = {id(inner): n for n in walk(root) for inner in (n.func if type(n) is Call else n.value if type(n) in (Attr, Sub, Await) else None,)}
    while id(call) in above:
        call = above[id(call)]
    return call


def split_sketch(project: "Project", p: "Pausing", call: Any, pause: Point) -> str:
    """The two functions that the node would become, in the user's own names."""
    fn = p.info.fn
    if project.signals.closes_over(p.info, pause.node):
        return (f"do it after {text(pause.node.func, 40)}() has returned, or in a node of its own before the one that pauses: "
                f"everything in {fn.name}() above that call runs again")
    task = fn.is_generator or any(True for d, _ in project.decorator_paths(p.info) if d.startswith(("langchain", "langgraph"))) or fn.name == "<lambda>"
    if type(call) is Call and call.at == call.func.at:
        entered = _called(call).startswith("with ")
        names, lines = [] if entered else ["result"], [_called(call, 60) + ": …" if entered else "result = " + _called(call, 60)]
    else:
        names, lines = step_around(call, p, pause) if type(call) is Call else ([], [text(call, 60)])
    state = next((a.name for a in fn.params if a.name not in ("self", "cls")), "state")
    if task:
        f = call.func if type(call) is Call else call
        inner = "do_" + (f.attr if type(f) is Attr else f.id if type(f) is Name else "work")
        got = f"{', '.join(names)} = " if names else ""
        block = len(lines) > 1 or lines[0].endswith(": …")
        body = [*lines, *([f"return {', '.join(names)}"] if names else [])] if block else [f"return {lines[0].removeprefix(got)}"]
        end = f"await {inner}(…)" if fn.is_async else f"{inner}(…).result()"
        return (f"do it inside a `@task`, whose finished result is kept while the run waits:\n"
                f"    @task\n    {'async ' if fn.is_async else ''}def {inner}(…):\n" + "".join(f"        {line}\n" for line in body) +
                f"    …\n    {got}{end}")
    me = "self, " if p.info.cls is not None and fn.params and fn.params[0].name == "self" else ""
    node, reg = project.graphs.registered(p.info)
    node = node or fn.name
    first = f"prepare_{fn.name.strip('_')}"
    a = "async " if fn.is_async else ""
    values = ", ".join(f'"{n}": {n}' for n in names)
    reads = "".join(f'        {n} = {state}["{n}"]\n' for n in names)
    builder = reg or "builder"
    self_ = "self." if me else ""
    return (f"split the node, so that a finished step is not run again (new keys go into the state's schema):\n"
            f"    {a}def {first}({me}{state}):\n" + "".join(f"        {line}\n" for line in lines) + f"        return {{{values}}}\n"
            f"    {a}def {fn.name}({me}{state}):\n{reads}        … interrupt(…) and what follows\n"
            f'    {builder}.add_node("{first}", {self_}{first})\n    {builder}.add_edge("{first}", "{node}")  # edges to "{node}" now lead to "{first}"')


def piece_finding(project: "Project", meta: Meta, p: "Pausing", pause: Point, piece: "Piece", message: str, *, sure: bool = True, severity: Severity | None = None,
                  help: str = "", subject: Any = None) -> Finding:
    """A finding about a piece of what a pause shows: it stands where the piece is written, which may be in a helper that makes the payload."""
    owner = piece.where.owner
    function = getattr(owner, "dotted", "") or piece.where.module.name
    related = () if piece.where.owner is p.info else (project.step_at(p.path, pause.node.at, f"{asks(p, pause)} shows it"),)
    return Finding(code=meta.code, name=meta.name, severity=meta.severity if severity is None else severity, span=project.span(piece.where.module, piece.shown.at), message=message,
                   function=function, confidence=Confidence.PROVED if sure else Confidence.NAMED, pause=project.span(p.info.module, pause.node.at), help=help,
                   context=f"{function}:{'.'.join(piece.keys)}:{text(piece.shown, 60)}", related=related, family=meta.family, subject=subject)


=======
>>>>>>> 08461bb385afcc488ad310e6a2ab0ff890046779
def sent(project: "Project", meta: Meta, command: Any, at: At, message: str, *, help: str = "", context: str = "", subject: Any = None) -> Finding:
    """A finding about a `Command(...)` (an `analysis.resumes.Sent`)."""
    return Finding(code=meta.code, name=meta.name, severity=meta.severity, span=project.span(command.scope.module, at), message=message,
                   function=command.function, help=help, context=f"{command.function}:{context}", family=meta.family, subject=subject)
