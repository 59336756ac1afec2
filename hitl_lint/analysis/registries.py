"""Tools that are chosen at run time from a registry that cannot be seen: `BY_NAME[call["name"]].invoke(call["args"])`.

The registry's own name says nothing then. What says that it holds tools: it is keyed by the `name` of what it holds, or what is run is
handed the arguments of a tool call. Registries of graphs, agents, chains and models look alike but for their words, and are handed the state.
"""

from __future__ import annotations

from typing import Any, Iterator

from hitl_lint.analysis.names import Names, Scope
from hitl_lint.catalogue import verbs
from hitl_lint.facts import Assign, Attr, Await, BoolOp, Call, Cmp, Comp, Const, Dict, For, Name, Seq, Sub, dotted, text, walk

RUNS = frozenset({"invoke", "ainvoke", "run", "arun"})
# Words in the name of a registry, of what it is made from or of its items that say that no tools are in it.
NO_TOOLS = frozenset("""
    agent agents subagent subagents graph graphs subgraph subgraphs chain chains model models llm llms chat node nodes workflow workflows
    flow flows retriever retrievers runnable runnables prompt prompts pipeline pipelines app apps bot bots crew crews worker workers
    supervisor supervisors planner planners expert experts assistant assistants parser parsers embedding embeddings classifier classifiers
    judge judges evaluator evaluators grader graders team teams router routers provider providers specialist specialists
    """.split())
ARGUMENTS = frozenset({"args", "arguments", "tool_args", "tool_input", "tool_arguments", "action_input", "call_args"})
CONVERSATION = frozenset({"messages", "input", "question", "query", "state"})


def runs_unseen_tool(names: Names, call: Call, scope: Scope) -> bool:
    """Whether a call runs what was picked by a computed key from a registry of tools."""
    f = call.func
    if type(f) is not Attr or f.attr not in RUNS or not call.args:
        return False
    for registry, key in _picked(names, f.value, scope, 0):
        if _handed_on(call.args[0].value):
            continue
        said = [dotted(registry) or ""]
        by_name = _keyed_by_name(names, registry, scope, said)
        if not any(NO_TOOLS & set(verbs.words(part)) for name in said for part in name.split(".")) and (
                (by_name and f.attr in ("invoke", "ainvoke")) or _tool_call(key, call.args[0].value)):
            return True
    return False


def _picked(names: Names, e: Any, scope: Scope, depth: int) -> Iterator[tuple[Any, Any]]:
    """(registry, key) of the look-ups that an expression may be: `BY[n]`, `BY.get(n)`, `next(t for t in TOOLS if t.name == n)`, a local name for these."""
    t = type(e)
    if t is Sub and type(e.index) is not Const:
        yield e.value, e.index
    elif t is Call and type(e.func) is Attr and e.func.attr in ("get", "pop", "__getitem__") and e.args and type(e.args[0].value) is not Const:
        yield e.func.value, e.args[0].value
    elif t is Call and type(e.func) is Name and e.func.id == "next" and e.args and type(e.args[0].value) is Comp:
        yield e.args[0].value, None
    elif t is Await:
        yield from _picked(names, e.value, scope, depth)
    elif t is BoolOp:
        yield from _picked(names, e.values[0], scope, depth)
    elif t is Name and depth < 3:
        found = names.lookup(e.id, scope)
        if found is not None and found[1] is scope:
            for b in found[0]:
                if b.how == "value":
                    yield from _picked(names, b.node, scope, depth + 1)


def _keyed_by_name(names: Names, registry: Any, scope: Scope, said: list[str]) -> bool:
    """Whether a registry is keyed by the names of its items; the words it is made of are added to `said`."""
    if type(registry) is Comp:
        return _comp(registry, said)
    if type(registry) is not Name:
        return False
    found = names.lookup(registry.id, scope)
    if found is None:
        return False
    where = found[1]
    for b in found[0]:
        made = b.node
        if b.how == "value" and type(made) is Call and dotted(made.func) == "dict" and made.args:
            made = made.args[0].value
        if b.how == "value" and type(made) is Comp and _comp(made, said):
            return True
    # `BY = {}`, then `for t in TOOLS: BY[t.name] = t`.
    body = where.module.facts.body if where.kind == "module" else where.owner.fn.body if where.kind == "function" else []
    for stmt in body:
        if type(stmt) is For and type(stmt.target) is Name:
            for node in (n for s in stmt.body for n in walk(s)):
                if type(node) is Assign and type(node.targets[0]) is Sub and dotted(node.targets[0].value) == registry.id and _pair(
                        node.targets[0].index, node.value, stmt.target.id):
                    said += [stmt.target.id, _made_from(stmt.iter)]
                    return True
    return False


def _comp(e: Comp, said: list[str]) -> bool:
    """`{t.name: t for t in TOOLS}`, `((t.name, t) for t in TOOLS)`, `(t for t in TOOLS if t.name == n)`."""
    g = e.generators[0]
    if type(g.target) is not Name or len(e.generators) > 1:
        return False
    key, item = (e.key, e.elt) if e.kind == "dict" else e.elt.elts if type(e.elt) is Seq and len(e.elt.elts) == 2 else (None, e.elt)
    if key is None:
        tests = [x for c in g.ifs if type(c) is Cmp and c.ops == ["=="] for x in (c.left, *c.rights)]
        key = next((x for x in tests if _pair(x, item, g.target.id)), None)
    if not _pair(key, item, g.target.id):
        return False
    said += [g.target.id, _made_from(g.iter)]
    return True


def _made_from(e: Any) -> str:
    return dotted(e.func if type(e) is Call else e) or ""


def _pair(key: Any, item: Any, name: str) -> bool:
    return type(key) is Attr and key.attr == "name" and dotted(key.value) == name and dotted(item) == name


def _handed_on(arg: Any) -> bool:
    """What graphs, agents and chains are run with: the state, or a dict with messages or a question."""
    if type(arg) is Dict:
        return any(type(k) is Const and k.value in CONVERSATION for k in arg.keys) or any(k is None for k in arg.keys)
    return type(arg) is Name and bool({"state", "messages"} & set(verbs.words(arg.id)))


def _tool_call(key: Any, arg: Any) -> bool:
    """`…[call["name"]].invoke(call["args"])`: the thing is run with the arguments of a tool call, or with the call that names it."""
    last = arg.id if type(arg) is Name else arg.attr if type(arg) is Attr else arg.index.value if type(arg) is Sub and type(arg.index) is Const else None
    if last in ARGUMENTS:
        return True
    named = type(key) is Attr and key.attr == "name" or type(key) is Sub and type(key.index) is Const and key.index.value == "name"
    return named and text(key.value, 80) == text(arg, 80)


__all__ = ["runs_unseen_tool"]
