"""A nested graph gets the config of its node: what the call adds stays, in a copy."""

from __future__ import annotations

from typing import Any

from hitl_lint.analysis.names import FnInfo
from hitl_lint.analysis.subject import Subject
from hitl_lint.facts import Assign, Bin, Call, Const, Dict, Name, dotted, walk
from hitl_lint.finding import Edit, Finding, Fix
from hitl_lint.fixes.desk import Desk, Refused, Sheet
from hitl_lint.fixes.spots import statement_of

CODES = ("HIL207",)
ORDER = 10
BY_HAND = 'pass a copy of the node\'s own config by hand: {**config, "configurable": {**config["configurable"], …}}'
CONFIGS = ("RunnableConfig", "langchain_core.runnables.RunnableConfig", "runnables.RunnableConfig")


def fix(desk: Desk, finding: Finding) -> Fix:
    subject = finding.subject
    if not isinstance(subject, Subject) or type(subject.node) is not Call:
        raise Refused("")
    info, call, made = subject.info, subject.node, subject.more
    sheet = desk.sheet(info.module.path)
    config = _config_of(info)
    whole = _display(info, call, made)
    if whole is not None:
        inner = next((v for k, v in zip(whole.keys, whole.values) if type(k) is Const and k.value == "configurable"), None)
        if type(inner) is not Dict:
            raise Refused(f"what is in the `configurable` is made elsewhere: {BY_HAND}")
        if config is not None:
            return Fix(f"pass a copy of `{config}`, so that the pause reaches the graph around it", "safe", tuple(_spread(sheet, None if type(made) is Bin else whole, inner, config)))
        arg = next((a for a in call.args if a.value is whole), None)
        if arg is not None and len(whole.keys) == 1 and [k.value if type(k) is Const else None for k in inner.keys] == ["thread_id"]:
            return Fix("call it without a config: it then runs on the thread of the graph around it", "safe", (_without(sheet, call, arg),))
    raise Refused(f"{info.name}() has no config of its node in sight, or the other one is made elsewhere: {BY_HAND}")


def _config_of(info: FnInfo) -> str | None:
    """The parameter in which LangGraph hands over the node's config, where nothing else is bound to it."""
    for a in info.fn.params:
        if a.annotation is not None and (dotted(a.annotation) in CONFIGS) and a.default is None:
            scope = info.scope_
            return a.name if scope is None or len(scope.bindings.get(a.name, ())) <= 1 else None
    return None


def _display(info: FnInfo, call: Call, made: Any) -> Dict | None:
    """The dict display of the config, in the call or in the one assignment of a variable that only this call uses."""
    if type(made) is Bin and made.op == "|" and type(made.right) is Dict:
        return made.right
    if type(made) is Dict:
        return made
    if type(made) is not Name:
        return None
    stores = [n for s in info.fn.body for n in walk(s) if type(n) is Assign and any(type(t) is Name and t.id == made.id for t in n.targets)]
    reads = [n for s in info.fn.body for n in walk(s, into_functions=True) if type(n) is Name and n.id == made.id]
    if len(stores) != 1 or len(reads) != 2 or len(stores[0].targets) != 1:
        return None
    value = stores[0].value
    return value if type(value) is Dict and statement_of(info.fn.body, call) is not None else None


def _spread(sheet: Sheet, whole: Dict | None, inner: Dict, config: str) -> list[Edit]:
    out = []
    for display, what in ((whole, config), (inner, f'{config}["configurable"]')):
        if display is None or any(k is None and dotted(v) == config for k, v in zip(display.keys, display.values)):
            continue
        line, col = display.at[:2]
        if sheet.line(line)[col - 1: col] != "{":
            raise Refused(f"the config is written in a way that cannot be added to: {BY_HAND}")
        out.append(sheet.edit((line, col + 1, line, col + 1), f"**{what}, "))
    return out


def _without(sheet: Sheet, call: Call, arg: Any) -> Edit:
    """Take the last argument out of a call, with the comma before it."""
    if call.args[-1] is not arg or len(call.args) < 2:
        raise Refused(f"the config is not the last argument: {BY_HAND}")
    before = call.args[-2]
    last, end = call.at[2:]
    gap = sheet.slice((*before.at[2:], *arg.at[:2]))
    rest = sheet.slice((*arg.at[2:], last, end))
    if gap.strip() != "," or rest.strip() not in (")", ",)") and rest.replace("\n", "").replace(" ", "") not in (")", ",)"):
        raise Refused(f"the call is written in a way that nothing can be taken out of: {BY_HAND}")
    return sheet.edit((*before.at[2:], *arg.at[2:]), "")
