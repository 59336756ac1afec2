"""What a message proposes to do by hand, in the names of the user's own code: the node split in two, or the call in a task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Sequence

from hitl_lint.analysis.carried import KEEPS, gives_stream
from hitl_lint.analysis.cfg import Point
from hitl_lint.facts import Assign, Attr, Await, AugAssign, Call, Comp, Const, ExprStmt, For, Name, Seq, Sub, While, With, elided, text, walk
from hitl_lint.rules.telling import called

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Pausing, Project


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
        entered = called(call).startswith("with ")
        names, lines = [] if entered else ["result"], [called(call, 60) + ": …" if entered else "result = " + called(call, 60)]
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
    rounds = _round_around(project, p, call)
    me = "self, " if p.info.cls is not None and fn.params and fn.params[0].name == "self" else ""
    node, reg = project.graphs.registered(p.info)
    node = node or fn.name
    first = f"prepare_{fn.name.strip('_')}"
    a = "async " if fn.is_async else ""
    values = ", ".join(f'"{n}": {n}' for n in names)
    reads = "".join(f'        {n} = {state}["{n}"]\n' for n in names)
    builder = reg or "builder"
    self_ = "self." if me else ""
    head, rest, back = "split the node, so that a finished step is not run again (new keys go into the state's schema)", "what follows", ""
    if rounds is not None:
        rest = "what follows in this round"
        back = f'    {builder}.add_conditional_edges("{node}", …)  # while there is another round, back to "{node if rounds.behind else first}"'
        if rounds.behind:
            return (f"let each run of the node do one round, so that what is finished is not run again (how far it is goes into the state):\n"
                    f"    {a}def {fn.name}({me}{state}):\n        … interrupt(…) and {rest}\n{back}")
        head = "split the node and let each run do one round, so that what is finished is not run again (new keys, with how far it is, go into the state's schema)"
        lines, back = [*rounds.begins, *lines], "\n" + back
    return (f"{head}:\n"
            f"    {a}def {first}({me}{state}):\n" + "".join(f"        {line}\n" for line in lines) + f"        return {{{values}}}\n"
            f"    {a}def {fn.name}({me}{state}):\n{reads}        … interrupt(…) and {rest}\n"
            f'    {builder}.add_node("{first}", {self_}{first})\n    {builder}.add_edge("{first}", "{node}")  # edges to "{node}" now lead to "{first}"{back}')


class _Round(NamedTuple):
    """One of the rounds that ask. `begins`: the lines that it begins with; `behind`: what runs again stands behind all questions of the round."""

    begins: list[str]
    behind: bool


def _round_around(project: "Project", p: "Pausing", call: Any) -> _Round | None:
    """The round in which something runs again; None where it is done once, before the first of them."""
    points = p.cfg.at(call)
    for pause in p.pauses:
        loop = project.loop_of(p, pause)
        region = p.zone.loops(pause)
        if loop is None:
            continue
        if loop.what == "recursion":  # the whole function is one
            return _Round([], _behind(points, [q for q in p.pauses if (other := project.loop_of(p, q)) is None or other.what != "recursion"]))
        if region is None:
            continue
        node = region.node
        if type(node) is Comp:
            item, parts = node.generators[0], [node.elt, *([node.key] if node.key is not None else []), *node.generators[0].ifs, *node.generators[1:]]
        else:
            item, parts = node if type(node) is For else None, [*node.body, *([node.test] if type(node) is While else [])]
        if any(n is call for part in parts for n in walk(part)):
            return _Round([f"{text(item.target, 40)} = …  # the next of {text(item.iter, 40)}"] if item is not None else [],
                          _behind(points, [q for q in p.pauses if region in q.regions]))
    return None


def _behind(points: Sequence[Point], pauses: Sequence[Point]) -> bool:
    return bool(points and pauses) and min(x.id for x in points) >= max(q.id for q in pauses)


def asked_again_sketch(project: "Project", p: "Pausing") -> str:
    """What a function that calls itself to ask again becomes, in the user's own names."""
    fn = p.info.fn
    node, reg = project.graphs.registered(p.info)
    state = next((a.name for a in fn.params if a.name not in ("self", "cls")), "state") if node else "state"
    me = "self, " if node and p.info.cls is not None and fn.params and fn.params[0].name == "self" else ""
    node = node or fn.name.strip("_")
    return (f"ask once and return: what the next question needs goes into the state, and an edge leads from the node back to itself:\n"
            f"    {'async ' if fn.is_async else ''}def {fn.name if reg else node}({me}{state}):\n"
            f'        answer = interrupt({state}.get("again") or …)\n'
            f'        if …:  # not content: in place of calling {fn.name}() again\n            return {{"again": …}}\n'
            f'        return {{"again": None, …}}\n'
            f'    {reg or "builder"}.add_conditional_edges("{node}", lambda state: "{node}" if state["again"] else END)')
