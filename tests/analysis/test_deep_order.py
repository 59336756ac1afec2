"""What decides whether and how often a pause is reached, through helpers: each program with the twins that must stay silent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from deep import files, lint, told

CODES = ("HIL301", "HIL302", "HIL304", "HIL402")
HEAD = '''
import functools, random, time
from typing import Any
import httpx
from langgraph.func import entrypoint, task
from langgraph.types import Command, interrupt
'''

SKIPPED = {
    "a_field_that_is_there_is_not_asked_for": '''
def maybe(s, k):
    if s[k]:
        return interrupt(k)
def bad(state):
    r = maybe(state, "a")  # expect: HIL302
    q = maybe(state, "b")
    return {"r": r, "q": q}
def good(state):
    return {"r": maybe(state, "a")}
''',
    "early_return_in_the_helper": '''
def confirm(amount):
    if amount < 100:
        return True
    return interrupt(amount)
def bad(state):
    ok = confirm(state["amount"])  # expect: HIL302
    why = interrupt("Why?")
    return {"ok": ok, "why": why}
def good(state):
    why = interrupt("Why?")
    return {"ok": confirm(state["amount"]), "why": why}
''',
    "or_and_ternary_in_the_helper": '''
def name(s): return s.get("name") or interrupt("name?")
def age(s): return interrupt("age?") if "age" not in s else s["age"]
def bad(state):
    return {"name": name(state), "age": age(state)}  # expect: HIL302
def good(state):
    return {"age": age(state)}
''',
    "method_and_match": '''
class Form:
    def field(self, s, k):
        match s.get("mode"):
            case "auto":
                return s.get(k)
            case _:
                return interrupt(k)
    def bad(self, state):
        n = self.field(state["left"], "n")  # expect: HIL302
        m = self.field(state["right"], "m")
        return {"n": n, "m": m}
    def good(self, state):
        n = self.field(state, "n")
        m = self.field(state, "m")
        return {"n": n, "m": m}
''',
    "helper_in_a_helper_in_another_module": '''
from forms import ask
def bad(state):
    a = ask(state, "a")  # expect: HIL302
    b = interrupt("b?")
    return {"a": a, "b": b}
# file: forms.py
def ask(state, key):
    return _lookup(state, key)
def _lookup(data, key):
    found = data.get(key)
    if found is None:
        found = interrupt(key)
    return found
''',
    "two_helpers": '''
def first(s):
    if s["x"]:
        interrupt("x?")
def second(s):
    if s["y"]:
        interrupt("y?")
def bad(state):
    first(state)  # expect: HIL302
    second(state)
    return {}
def same(s):
    if s.get("x"):
        interrupt("again?")
def good(state):
    first(state)
    same(state)
    return {}
''',
    "the_call_itself_settles_it": '''
def ask(q, auto=False, mode="strict", log=None):
    if auto:
        return "yes"
    if mode == "lax":
        return "yes"
    if log is not None:
        log(q)
    return interrupt(q)
def good(state):
    return {"a": ask("a"), "b": ask("b", auto=False), "c": ask("c", mode="strict")}
def never(state):
    return {"a": ask("a", auto=True), "b": ask("b")}
def bad(state):
    a = ask("a", auto=state["auto"])  # expect: HIL302
    return {"a": a, "b": ask("b")}
''',
    "an_answer_decides": '''
def more(answer):
    if answer == "edit":
        return interrupt("How?")
def both(s):
    a = interrupt("?")
    if a == "edit":
        a = interrupt("How?")
    return a
def good(state):
    a = interrupt("?")
    how = more(a)
    return {"a": a, "how": how, "z": interrupt("Sure?")}
def good2(state):
    a = both(state)
    return {"a": a, "z": interrupt("Sure?")}
''',
    "a_fallback_when_the_helper_did_not_ask": '''
def maybe(s):
    if s["need"]:
        return interrupt("why?")
def good(state):
    r = maybe(state)
    if r is None:
        r = interrupt("what else?")
    return {"r": r}
def good2(state):
    r = maybe(state)
    if r == "stop":
        return {"r": r}
    return {"r": r, "z": interrupt("Sure?")}
''',
    "always_one_pause_or_an_error": '''
def either(s):
    if s["kind"] == "a":
        return interrupt("a?")
    return interrupt("b?")
def checked(s):
    if not s["items"]:
        raise ValueError("nothing to ask")
    return interrupt("?")
def logged(s):
    try:
        print(s["x"])
    except KeyError:
        pass
    return interrupt("?")
def good(state):
    return {"a": either(state), "b": checked(state), "c": logged(state), "d": interrupt("?")}
''',
    "tasks_count_for_themselves_and_loops_are_told_as_loops": '''
@task
def maybe(s):
    if s["need"]:
        return interrupt("why?")
def plain(s, k):
    if s[k]:
        return interrupt(k)
def all_of(s):
    for k in s["missing"]:
        interrupt(k)  # expect: HIL304
@entrypoint()
def good(state):
    a = maybe(state).result()
    return {"a": a, "b": interrupt("?")}
def good2(state):
    all_of(state)
    return {"b": interrupt("?")}
def loop(state):
    for k in state["missing"]:
        plain(state, k)  # expect: HIL304
    return {"b": interrupt("?")}
''',
    "what_can_change_is_told_at_its_guard": '''
def spot(s):
    if random.random() < 0.1:
        return interrupt("?")  # expect: HIL301
def node(state):
    spot(state)
    return {"b": interrupt("?")}
''',
}


AGAIN = {
    "two_functions_call_one_another": '''
def bad(s):
    x = interrupt("q")
    return x if x == "ok" else retry(s)  # expect: HIL304
def retry(s): return bad(s)
def good(s):
    x = interrupt("q")
    return x if x == "ok" else give_up(s)
def give_up(s): return {"over": s}
''',
    "both_ask": '''
def name(s):
    x = interrupt("name?")
    return age(s) if x == "next" else x  # expect: HIL304
def age(s):
    x = interrupt("age?")
    return name(s) if x == "back" else x  # expect: HIL304
''',
    "a_ring_of_three_methods": '''
class Wizard:
    def first(self, s):
        x = self.ask("q")
        return x if x == "ok" else self.second(s)  # expect: HIL304
    def second(self, s): return self.third(s)
    def third(self, s): return self.first(s)
    def ask(self, q): return interrupt(q)
''',
    "across_modules_and_awaited": '''
import steps
async def bad(s):
    x = interrupt("q")
    if x != "ok":
        return await steps.again(s)  # expect: HIL304
    return x
# file: steps.py
import graph
async def again(s): return await graph.bad(s)
''',
    "the_ring_stands_below_the_pause": '''
def node(s):
    x = interrupt("q")
    return even(x)
def even(n): return True if n == 0 else odd(n - 1)
def odd(n): return False if n == 0 else even(n - 1)
''',
    "no_ring_but_the_same_helper_twice": '''
def ask(q): return interrupt(q)
def one(s): return ask("a")
def two(s): return one(s) + ask("b")
def node(s): return {"x": two(s), "y": one(s)}
''',
    "a_ring_of_tools_by_name": '''
def run(name, s): return TABLE[name](s)
def a(s): return interrupt("q")
def b(s): return run("a", s)
TABLE = {"a": a, "b": b}
''',
}

KEYED = {
    "a_helper_of_another_module_and_a_name_for_its_result": '''
import ids
def bad(graph, cfg, v):
    answers = ids.by_task(graph.get_state(cfg), v)  # expect: HIL402
    return graph.invoke(Command(resume=answers), cfg)
def good(graph, cfg, v):
    answers = ids.by_interrupt(graph.get_state(cfg), v)
    return graph.invoke(Command(resume=answers), cfg)
# file: ids.py
def by_task(snapshot, value): return {t.id: value for t in snapshot.tasks}
def by_interrupt(snapshot, value): return {i.id: value for t in snapshot.tasks for i in t.interrupts}
''',
    "a_loop_in_a_method": '''
class Inbox:
    def collect(self, snapshot, v):
        out = {}
        for t in snapshot.tasks:
            out[t.id] = v
        return out
    def waiting(self, snapshot, v):
        out = dict()
        for i in snapshot.interrupts:
            out[i.id] = v
        return out
    def bad(self, graph, cfg, v):
        return graph.invoke(Command(resume=self.collect(graph.get_state(cfg), v)), cfg)  # expect: HIL402
    def good(self, graph, cfg, v):
        return graph.invoke(Command(resume=self.waiting(graph.get_state(cfg), v)), cfg)
''',
    "a_helper_of_a_helper_awaited": '''
async def inner(snapshot, v): return {task.name: v for task in snapshot.tasks}
async def outer(graph, cfg, v): return await inner(await graph.aget_state(cfg), v)
async def bad(graph, cfg, v):
    return await graph.ainvoke(Command(resume=await outer(graph, cfg, v)), cfg)  # expect: HIL402
''',
    "dict_of_pairs_fromkeys_and_spreads": '''
def bad(graph, cfg, v):
    s = graph.get_state(cfg)
    graph.invoke(Command(resume=dict([(s.tasks[0].id, v)])), cfg)  # expect: HIL402
    graph.invoke(Command(resume=dict.fromkeys([t.id for t in s.tasks], v)), cfg)  # expect: HIL402
    graph.invoke(Command(resume={**{t.id: v for t in s.tasks}}), cfg)  # expect: HIL402
def good(graph, cfg, v):
    s = graph.get_state(cfg)
    graph.invoke(Command(resume=dict((i.id, v) for i in s.interrupts)), cfg)
    graph.invoke(Command(resume=dict.fromkeys([i.id for i in s.interrupts], v)), cfg)
    graph.invoke(Command(resume=dict(approved=True)), cfg)
''',
    "helpers_in_a_circle_and_helpers_that_give_something_else": '''
def a(s): return b(s)
def b(s): return a(s)
def word(s): return [t.id for t in s.tasks]
def good(graph, cfg):
    graph.invoke(Command(resume=a(graph.get_state(cfg))), cfg)
    graph.invoke(Command(resume=word(graph.get_state(cfg))), cfg)
''',
}

FAILED = {
    "a_flag_set_in_the_handler": '''
def bad(state):
    failed = False
    try:
        httpx.get(state["u"])
    except Exception:
        failed = True
    if failed:
        return {"a": interrupt("q")}  # expect: HIL301
    return {}
def good(state):
    failed = False
    try:
        int(state["n"])
    except ValueError:
        failed = True
    if failed:
        return {"a": interrupt("q")}
    return {}
''',
    "the_error_as_text": '''
def bad(state):
    err = None
    try:
        httpx.get(state["u"])
    except httpx.HTTPError as e:
        err = str(e)
    if err is None:
        return {}
    return {"a": interrupt(err)}  # expect: HIL301
def good(state):
    err = None
    try:
        httpx.get(state["u"])
    except httpx.HTTPError as e:
        err = str(e)
    return {"a": interrupt("q"), "err": err}
''',
    "a_flag_set_at_the_end_of_the_body_or_in_the_else": '''
def bad(state):
    ok = False
    try:
        httpx.get(state["u"])
        ok = True
    except Exception:
        pass
    if not ok:
        return {"a": interrupt("q")}  # expect: HIL301
    return {}
def bad2(state):
    ok = False
    try:
        httpx.get(state["u"])
    except Exception:
        print("no")
    else:
        ok = True
    return {"a": interrupt("q") if not ok else "fine"}  # expect: HIL301
def good(state):
    ok = True
    try:
        httpx.get(state["u"])
        ok = True
    except Exception:
        ok = True
    if ok:
        return {"a": interrupt("q")}
    return {}
''',
    "errors_are_gathered": '''
def bad(state):
    errors = []
    for u in state["urls"]:
        try:
            httpx.get(u)
        except Exception as e:
            errors.append(e)
    if errors:
        return {"a": interrupt("some failed")}  # expect: HIL301
    return {}
def good(state):
    errors = []
    for n in state["ns"]:
        try:
            int(n)
        except Exception as e:
            errors.append(e)
    if errors:
        return {"a": interrupt("some failed")}
    return {}
''',
    "the_other_way_reports_the_failure": '''
def good(state):
    err = None
    try:
        httpx.get(state["u"])
    except Exception as e:
        err = str(e)
    if err:
        return {"error": err}
    return {"a": interrupt("q")}
''',
    "the_flag_is_set_again_or_means_something_else": '''
def good(state):
    failed = False
    try:
        httpx.get(state["u"])
    except Exception:
        failed = True
    print(failed)
    failed = state["failed"]
    if failed:
        return {"a": interrupt("q")}
    return {}
def good2(state):
    note = "none"
    try:
        httpx.get(state["u"])
    except Exception:
        note = "failed"
    if state["ask"]:
        return {"a": interrupt(note)}
    return {}
def good3(state):
    a = interrupt("which?")
    bad = False
    try:
        int(a)
    except ValueError:
        bad = True
    return {"a": interrupt("a number, please") if bad else a}
''',
}

REMEMBERED = {
    "a_window_that_the_call_itself_moves": '''
from collections import deque
class Loop:
    def __init__(self):
        self._windows = {}
        self._names = {}
        self.log = []
    def _window(self, key):
        win = self._windows.get(key)
        if win is None:
            win = deque(maxlen=3)
            self._windows[key] = win
        return win
    def _detect(self, call, key):
        window = self._window(key)
        window.append(call)
        if len(window) >= 3 and len(set(window)) == 1:
            return True, list(window)
        return False, list(window)
    def bad(self, state):
        seen, calls = self._detect(state["call"], state["id"])
        if not seen:
            return None
        return {"a": interrupt("again?")}  # expect: HIL301
    def _name(self, key):
        return self._lookup(key)
    def _lookup(self, key):
        self.log.append(key)
        found = self._names.get(key)
        if found is None:
            found = self._names[key] = key.title()
        return found
    def good(self, state):
        if not self._name(state["id"]):
            return None
        return {"a": interrupt("?")}
''',
    "a_counter_two_calls_down": '''
class Budget:
    def __init__(self):
        self.used = 0
    def _take(self):
        self.used += 1
        return self.used
    def _over(self, limit):
        return self._take() > limit
    def bad(self, state):
        if self._over(state["limit"]):
            return {"a": interrupt("go on?")}  # expect: HIL301
        return {}
    def good(self, state):
        self._take()
        if state["used"] > state["limit"]:
            return {"a": interrupt("go on?")}
        return {}
''',
    "a_counter_of_the_module": '''
import counts
def bad(state):
    if counts.over(3):
        return {"a": interrupt("go on?")}  # expect: HIL301
    return {}
def good(state):
    if counts.known("a"):
        return {"a": interrupt("go on?")}
    return {}
# file: counts.py
CALLS = []
NAMES = {"a": 1}
def take():
    CALLS.append(1)
    return len(CALLS)
def over(limit): return take() > limit
def known(name): return name in NAMES
''',
}

CASES = {**REMEMBERED, **FAILED, **SKIPPED, **AGAIN, **KEYED}


@pytest.mark.parametrize("name", CASES)
def test_program(name: str, tmp_path: Path, monkeypatch: Any) -> None:
    modules = files(CASES[name], HEAD)
    said = told(modules, lint(modules, tmp_path, monkeypatch, CODES, notes=("HIL304",)))
    assert not said, "\n" + said
