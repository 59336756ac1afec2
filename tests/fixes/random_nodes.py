"""Random programs with a node that does things before it pauses, and what it takes to run them before and after a fix.

A program is a tree of statements, so that a failing one can be made smaller by leaving statements out. `Draw` hides who draws: hypothesis or a seed.
"""

from __future__ import annotations

import asyncio
import itertools
import re
import sys
import types
from dataclasses import dataclass, field
from typing import Any, Callable

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command


class Draw:
    """Choices by `number(n)`: one of 0 … n-1."""

    def __init__(self, number: Callable[[int], int]) -> None:
        self.number = number

    def of(self, options: Any) -> Any:
        options = list(options)
        return options[self.number(len(options))]

    def chance(self, percent: int) -> bool:
        return self.number(100) >= 100 - percent


# Of every generated program: what it starts from besides its flags.
OPTIONS: dict[str, Any] = dict(schema="TypedDict", graph="edges", form="function", named=False, annotated="state", indent="    ", salt=0, docstring=False, flag=True, count=1,
                               first_answer="yes", param="state", config=False, future=False)


# A statement is a list of lines without indentation, or (head, block, [(head, block)…]) for a compound one.
Stmt = Any


@dataclass
class Program:
    options: dict[str, Any]
    body: list[Stmt]
    others: dict[str, list[Stmt]] = field(default_factory=dict)

    @property
    def answers(self) -> list[Any]:
        return ["yes", "no", "maybe", "yes", "no", "yes"] if self.options["first_answer"] == "yes" else ["no", "yes", "yes", "no", "no", "no"]


class Maker:
    """Makes one program. `known`: names that are set on every way, with their kind."""

    def __init__(self, draw: Draw) -> None:
        self.d = draw
        self.n = itertools.count(1)
        self.o: dict[str, Any] = {}
        self.known: dict[str, str] = {}
        self.maybe: dict[str, str] = {}
        self.pauses = 0
        self.depth = 0

    def program(self) -> Program:
        d = self.d
        o = self.o
        o["schema"] = d.of(["TypedDict", "TypedDict", "dataclass", "pydantic"])
        o["graph"] = d.of(["edges", "edges", "entry", "router_map", "router_list", "router_literal", "router_plain", "command_in", "command_list", "branch_out", "command_out",
                           "sequence", "sequence_pairs", "chained", "chained_one", "parallel_join", "parallel_free", "self_loop", "send", "breakpoint",
                           "conditional_entry", "fan_out", "defer"])
        o["form"] = d.of(["function", "function", "method", "inner", "async"])
        o["named"] = d.of([False, False, True])
        o["annotated"] = d.of(["state", "state", "return", "none"])
        o["indent"] = d.of(["    ", "    ", "  ", "\t"])
        o["docstring"] = d.chance(30)
        o["flag"] = d.of([True, False])
        o["count"] = d.of([0, 1, 3])
        o["first_answer"] = d.of(["yes", "no"])
        o["param"] = d.of(["state", "state", "s"])
        o["config"] = d.chance(10)
        o["future"] = d.chance(10)
        o["salt"] = d.of([0, 0, 1, 2, 3, 4])
        body: list[Stmt] = []
        for _ in range(d.number(4)):
            body += self.statement()
        if d.chance(80):
            body += self._fact() if d.chance(60) else self._effect()
        for _ in range(d.number(3)):
            body += self.statement()
        body += self.pause()
        if d.chance(30):
            for _ in range(d.number(3)):
                body += self.statement()
            body += self.pause()
        for _ in range(d.number(4)):
            body += self.statement()
        body.append([self.final()])
        return Program(o, body)

    # ---- expressions
    def fresh(self, kind: str) -> str:
        if self.d.chance(15) and self.known:
            name = self.d.of([n for n in self.known])
            if self.known[name] == "fn":
                return self.fresh(kind)
            self.known[name] = kind
            return name
        base = self.d.of(["text", "draft", "number", "ticket", "value", "note", "x", "topic", "items_", "_hidden", "id", "key"])
        name = f"{base}{next(self.n)}" if base not in ("note", "topic", "id") else base
        self.known[name] = kind
        self.maybe.pop(name, None)
        return name

    def s(self, key: str) -> str:
        p = self.o["param"]
        if self.o["schema"] == "TypedDict":
            return self.d.of([f'{p}["{key}"]', f'{p}["{key}"]', f"{p}['{key}']"])
        return f"{p}.{key}"

    def text(self) -> str:
        """An expression that is a str."""
        d = self.d
        have = [n for n, k in self.known.items() if k == "str"]
        if have and d.chance(65):
            return d.of([*have, have[-1]])
        return d.of([lambda: self.s("topic"), lambda: '"plain"', lambda: f"f\"<{{{self.inner()}}}>\"", lambda: f"shout({self.inner()})",
                     lambda: "PREFIX", lambda: f"{self.inner()}.upper()", lambda: f"f'{{{self.inner()}}} of {{{self.inner()}}}'",
                     lambda: f"str({self.num()})", lambda: f"\"a\" + {self.inner()}", lambda: f"\", \".join({self.many()})"])()

    def inner(self) -> str:
        have = [n for n, k in self.known.items() if k == "str"]
        return self.d.of([*have, "PREFIX"])

    def num(self) -> str:
        have = [n for n, k in self.known.items() if k == "int"]
        return self.d.of([*have, self.s("count"), f"len({self.inner()})", "3"])

    def many(self) -> str:
        have = [n for n, k in self.known.items() if k == "list"]
        return self.d.of([*have, *have, self.s("items"), f"[{self.inner()}, \"z\"]", f"[i.lower() for i in {self.s('items')}]", f"sorted({self.s('items')})"])

    def cond(self) -> str:
        return self.d.of([self.s("flag"), f"not {self.s('flag')}", f"{self.num()} > 2", f"{self.inner()} == \"plain\"", f"len({self.many()}) > 1",
                          f"{self.inner()}.startswith(\"t\")", f"{self.s('flag')} and {self.num()} < 3"])

    def payload(self) -> str:
        return self.d.of([lambda: self.text(), lambda: f"{{\"q\": {self.text()}, \"n\": {self.num()}}}", lambda: f"{{\"items\": {self.many()}}}", lambda: '"go?"',
                          lambda: f"{{\n|    \"question\": {self.text()},  # shown\n|    \"note\": {self.text()},\n|}}"])()

    def post(self) -> str:
        name = f"e{next(self.n)}"
        return f'requests.post("https://d.example/{name}", json={self.d.of([self.text(), self.many(), self.num()])})'

    def ask_model(self) -> str:
        call = f"llm.ainvoke({self.text()})" if self.o["form"] == "async" else f"llm.invoke({self.text()})"
        return f"(await {call}).content" if self.o["form"] == "async" else f"{call}.content"

    def fact(self) -> tuple[str, str]:
        """(expression, kind) of something that is another thing each time or costs."""
        return self.d.of([lambda: (self.post() + '.json()["id"]', "str"), lambda: (self.ask_model(), "str"), lambda: ("uuid.uuid4().hex", "str"),
                          lambda: (f"file_ticket({self.text()})", "str"), lambda: (self.post() + ".json()", "dict"), lambda: (self.ask_model(), "str")])()

    # ---- statements
    def statement(self) -> list[Stmt]:
        kinds = ["effect", "effect", "fact", "fact", "derived", "derived", "number", "list", "comment", "dict", "grow"]
        if self.depth < 2:
            kinds += ["if", "ifelse", "early", "for", "try", "tuple", "inner", "augmented", "walrus", "import", "with", "match", "semi", "triple", "maybe", "elif", "lambda",
                      "earlyeffect", "unpackcall", "multi", "annotated", "global", "subscript", "star", "while", "assert", "del", "comp", "alias", "push", "push", "late", "call_late", "call_late", "klass", "reuse", "spread", "whole_state", "nested_data", "setdefault", "finally_", "early_nested", "deco", "swap", "chain", "cond_expr"]
        return getattr(self, "_" + self.d.of(kinds))()

    def block(self, least: int = 1) -> list[Stmt]:
        self.depth += 1
        out: list[Stmt] = []
        for _ in range(least + self.d.number(2)):
            out += self.statement()
        self.depth -= 1
        return out

    def branch(self) -> list[Stmt]:
        before = dict(self.known)
        out = self.block()
        for name in list(self.known):
            if name not in before:
                self.maybe[name] = self.known.pop(name)
        for name, kind in before.items():
            if self.known.get(name) != kind:
                self.known.pop(name, None)
        return out

    def _effect(self) -> list[Stmt]:
        return [[self.post()]]

    def _fact(self) -> list[Stmt]:
        e, kind = self.fact()
        return [[f"{self.fresh(kind)} = {e}"]]

    def _derived(self) -> list[Stmt]:
        e = self.text()
        return [[f"{self.fresh('str')} = {e}"]]

    def _number(self) -> list[Stmt]:
        e = self.num()
        return [[f"{self.fresh('int')} = {e}"]]

    def _list(self) -> list[Stmt]:
        e = self.many()
        return [[f"{self.fresh('list')} = list({e})"]]

    def _dict(self) -> list[Stmt]:
        e = f'{{"a": {self.text()}, "b": {self.many()}}}'
        name = self.fresh("dict")
        return [[f"{name} = {e}"], *([[f'{name}["c"] = {self.num()}']] if self.d.chance(50) else [])]

    def _grow(self) -> list[Stmt]:
        e = self.text()
        name = f"grown{next(self.n)}"
        out: list[Stmt] = [[f"{name} = []"], [f"{name}.append({e})"]]
        self.known[name] = "list"
        return out

    def _comment(self) -> list[Stmt]:
        return [[f"# remark {next(self.n)}", "|" + self.statement_line()[0]]]

    def statement_line(self) -> list[str]:
        e = self.text()
        return [f"{self.fresh('str')} = {e}  # why"]

    def _if(self) -> list[Stmt]:
        c = self.cond()
        return [(f"if {c}:", self.branch(), [])]

    def _ifelse(self) -> list[Stmt]:
        c = self.cond()
        name = f"either{next(self.n)}"
        a, b = self.branch(), self.branch()
        a.append([f"{name} = {self.text()}"])
        b.append([f"{name} = {self.text()}"])
        self.known[name] = "str"
        return [(f"if {c}:", a, [("else:", b)])]

    def _elif(self) -> list[Stmt]:
        return [(f"if {self.cond()}:", self.branch(), [(f"elif {self.cond()}:", self.branch()), ("else:", self.branch())])]

    def _early(self) -> list[Stmt]:
        return [(f"if {self.cond()}:", [[self.early_return()]], [])]

    def _earlyeffect(self) -> list[Stmt]:
        c = self.cond()
        return [(f"if {c}:", [*self.branch(), [self.early_return()]], [])]

    def early_return(self) -> str:
        if self.o["graph"] == "command_out":
            return self.d.of(['return Command(goto="after")', f'return Command(update={{"note": {self.text()}}}, goto=END)'])
        return self.d.of([f'return {{"note": {self.text()}}}', "return {}", f'return {{"log": [{self.text()}]}}', "return None", "return",
                          f"return {{\n|    \"note\": {self.text()},\n|}}", f'return dict(note={self.text()})'])

    def _for(self) -> list[Stmt]:
        name = f"all{next(self.n)}"
        e = self.many()
        inner: list[Stmt] = [[f"{name}.append({self.d.of(['item', 'shout(item)', self.post() + chr(46) + 'json()', 'PREFIX + item'])})"]]
        if self.d.chance(30):
            inner.append([self.post().replace("json=", "json=[item], data=")])
        if self.d.chance(20):
            inner.insert(0, ('if item == "b":', [["continue"]], []))
        self.known[name] = "list"
        return [[f"{name} = []"], (f"for item in {e}:", inner, [])]

    def _while(self) -> list[Stmt]:
        name = f"left{next(self.n)}"
        e = self.many()
        return [[f"{name} = list({e})"], (f"while {name}:", [[f"{name}.pop()"]], [])]

    def _try(self) -> list[Stmt]:
        name = f"tried{next(self.n)}"
        a: list[Stmt] = [[f"{name} = {self.fact()[0]}"]]
        self.known[name] = "any"
        return [("try:", a, [("except ValueError as error:", [[f"{name} = str(error)"]]), *([("finally:", [["pass"]])] if self.d.chance(20) else [])])]

    def _tuple(self) -> list[Stmt]:
        a, b = self.text(), self.num()
        return [[f"{self.fresh('str')}, {self.fresh('int')} = {a}, {b}"]]

    def _unpackcall(self) -> list[Stmt]:
        a = self.text()
        return [[f"{self.fresh('str')}, {self.fresh('str')} = pair({a})"]]

    def _star(self) -> list[Stmt]:
        a = self.many()
        return [[f"first{next(self.n)}, *{self.fresh('list')} = [{self.text()}, *{a}]"]]

    def _inner(self) -> list[Stmt]:
        name = f"helper{next(self.n)}"
        e = self.text()
        out: list[Stmt] = [(f"def {name}(v):", [[f"return {e} + v"]], []), [f"{self.fresh('str')} = {name}(\"!\")"]]
        return out

    def _lambda(self) -> list[Stmt]:
        name = f"fn{next(self.n)}"
        e = self.text()
        return [[f"{name} = lambda v: {e} + v"], [f"{self.fresh('str')} = {name}(\"?\")"]]

    def _augmented(self) -> list[Stmt]:
        have = [n for n, k in self.known.items() if k == "str"]
        return [[f"{self.d.of(have)} += {self.text()}"]] if have else self._derived()

    def _walrus(self) -> list[Stmt]:
        e = self.many()
        name = self.fresh("int")
        return [(f"if ({name} := len({e})) > 1:", [[self.post()]], [])]

    def _import(self) -> list[Stmt]:
        return [["import json as js"], [f"{self.fresh('str')} = js.dumps({self.many()})"]]

    def _with(self) -> list[Stmt]:
        name = self.fresh("str")
        return [("with nothing():", [[f"{name} = {self.fact()[0]}"]], [])]

    def _match(self) -> list[Stmt]:
        name = f"case{next(self.n)}"
        subject = self.text()
        self.known[name] = "str"
        return [[f"{name} = \"\""], (f"match {subject}:", [('case "plain":', [[f"{name} = {self.text()}"]], []), ("case other:", [[f"{name} = other"], [self.post()]], [])], [])]

    def _semi(self) -> list[Stmt]:
        return [[f"{self.fresh('str')} = PREFIX; {self.post()}"]] if self.d.chance(30) else self._effect()

    def _triple(self) -> list[Stmt]:
        e = self.inner()
        return [[f'{self.fresh("str")} = f"""first {{{e}}}', "  second", '"""']] if self.d.chance(50) else self._derived()

    def _multi(self) -> list[Stmt]:
        e = self.text()
        name = self.fresh("str")
        return [[f"{name} = shout(", f"|    {e}  # the text", "|)"]]

    def _annotated(self) -> list[Stmt]:
        e = self.fact()[0] if self.d.chance(50) else self.text()
        return [[f"{self.fresh('any')}: Any = {e}"]]

    def _maybe(self) -> list[Stmt]:
        names = [n for n, k in self.maybe.items() if k != "fn"]
        if not names:
            return self._if()
        name = self.d.of(names)
        return [(f"if {self.s('flag')}:", [[f"{self.fresh('any')} = {name}"]], [])]

    def _global(self) -> list[Stmt]:
        e = self.text()
        return [[f"KEPT.setdefault(\"k\", {e})"]] if self.d.chance(20) else self._derived()

    def _subscript(self) -> list[Stmt]:
        have = [n for n, k in self.known.items() if k == "list"]
        return [[f"{self.d.of(have)}[:] = sorted({self.many()}, key=str)"]] if have else self._list()

    def _assert(self) -> list[Stmt]:
        return [[f"assert {self.inner()}, \"empty\""]]

    def _del(self) -> list[Stmt]:
        have = list(self.known)
        if not have or not self.d.chance(20):
            return self._derived()
        name = self.d.of(have)
        self.known.pop(name)
        return [[f"del {name}"]]

    def _alias(self) -> list[Stmt]:
        have = [n for n, k in self.known.items() if k == "list"]
        if not have:
            return self._list()
        one = self.d.of(have)
        name = f"same{next(self.n)}"
        self.known[name] = "list"
        return [[f"{name} = {one}"]]

    def _push(self) -> list[Stmt]:
        have = [n for n, k in self.known.items() if k == "list" and n.startswith(("same", "grown", "made"))]
        return [[f"{self.d.of(have)}.append({self.text()})"]] if have else self._grow()

    def _late(self) -> list[Stmt]:
        have = [n for n, k in self.known.items() if k == "str"]
        if not have:
            return self._derived()
        one = self.d.of(have)
        name = f"late{next(self.n)}"
        self.known[name] = "fn"
        return [self.d.of([(f"def {name}():", [[f"return {one} + \".\""]], []), [f"{name} = lambda: {one} + \".\""]])]

    def _call_late(self) -> list[Stmt]:
        have = [n for n, k in self.known.items() if k == "fn"]
        return [[f"{self.fresh('str')} = {self.d.of(have)}()"]] if have else self._late()

    def _klass(self) -> list[Stmt]:
        name = f"Kind{next(self.n)}"
        e = self.text()
        return [(f"class {name}:", [[f"word = {e}"]], []), [f"{self.fresh('str')} = {name}.word"]]

    def _reuse(self) -> list[Stmt]:
        """A loop whose variables have the names of an earlier one."""
        return [(f"for item in {self.many()}:", [["last = item"], ["shout(str(item))"]], []), ("for item in []:", [["pass"]], [])]

    def _spread(self) -> list[Stmt]:
        have = [n for n, k in self.known.items() if k == "dict"]
        name = f"more{next(self.n)}"
        e = f"{{**{self.d.of(have)}, \"z\": {self.text()}}}" if have else f"{{\"z\": {self.text()}}}"
        self.known[name] = "dict"
        return [[f"{name} = {e}"]]

    def _whole_state(self) -> list[Stmt]:
        p = self.o["param"]
        name = f"seen{next(self.n)}"
        self.known[name] = "any"
        return [[f"{name} = look({p})"]]

    def _nested_data(self) -> list[Stmt]:
        name = f"deep{next(self.n)}"
        self.known[name] = "dict"
        return [[f"{name} = {{\"a\": []}}"], [f"{name}[\"a\"].append({self.text()})"]]

    def _setdefault(self) -> list[Stmt]:
        have = [n for n, k in self.known.items() if k == "dict"]
        return [[f"{self.d.of(have)}.setdefault(\"s\", []).append({self.text()})"]] if have else self._dict()

    def _finally_(self) -> list[Stmt]:
        name = f"done{next(self.n)}"
        self.known[name] = "str"
        return [("try:", [[f"{name} = {self.fact()[0]}"]], [("finally:", [[self.post()]])])]

    def _early_nested(self) -> list[Stmt]:
        return [(f"if {self.cond()}:", [*self.branch(), (f"if {self.cond()}:", [[self.early_return()]], [])], [])]

    def _deco(self) -> list[Stmt]:
        name = f"wrapped{next(self.n)}"
        e = self.text()
        return [["@same"], (f"def {name}(v=None):", [[f"return {e}"]], []), [f"{self.fresh('str')} = {name}()"]]

    def _swap(self) -> list[Stmt]:
        have = [n for n, k in self.known.items() if k == "str"]
        if len(have) < 2:
            return self._tuple()
        a, b = have[0], have[-1]
        return [[f"{a}, {b} = {b}, {a}"]]

    def _chain(self) -> list[Stmt]:
        e = self.many()
        a, b = f"one{next(self.n)}", f"two{next(self.n)}"
        self.known[a] = self.known[b] = "list"
        return [[f"{a} = {b} = list({e})"]]

    def _cond_expr(self) -> list[Stmt]:
        return [[f"{self.fresh('str')} = {self.fact()[0]} if {self.cond()} else {self.text()}"]] if self.d.chance(50) else [[f"{self.fresh('any')} = {self.cond()} and {self.text()}"]]

    def _comp(self) -> list[Stmt]:
        name = f"made{next(self.n)}"
        e = f"[{self.d.of(['file_ticket(i)', 'shout(i)', 'i'])} for i in {self.many()}]"
        self.known[name] = "list"
        return [[f"{name} = {e}"]]

    # ---- pauses
    def pause(self) -> list[Stmt]:
        self.name = ""
        out = self._pause()
        if self.name:
            self.known[self.name] = "str"
        return out

    def _pause(self) -> list[Stmt]:
        self.pauses += 1
        d = self.d
        k = next(self.n)
        name = f"answer{k}"
        self.name = name
        kind = d.of(["plain"] * 6 + ["in_if", "in_if", "in_else", "nested_if", "if_test", "payload_effect", "helper", "two", "fstring", "returned", "try", "with", "bare", "elif",
                                     "in_if_return", "guard_return", "payload_twice", "ternary", "and", "annotated", "tuple_with_fact", "for_loop", "match", "loop_post", "loop_post", "loop_while", "loop_index", "loop_cond"])
        p = self.payload()

        def branch_pause(extra: list[Stmt]) -> list[Stmt]:
            return [*extra, [f"{name} = interrupt({self.payload()})"], *(self.branch() if d.chance(40) else [])]
        if kind == "plain":
            return [[f"{name} = interrupt({p})"]]
        if kind == "annotated":
            return [[f"{name}: str = interrupt({p})"]]
        if kind == "bare":
            self.name = ""
            return [[f"interrupt({p})"]]
        if kind == "helper":
            return [[f"{name} = ask({p})"]]
        if kind == "in_if":
            c = self.cond()
            return [[f'{name} = "none"'], (f"if {c}:", branch_pause(self.branch()), [])]
        if kind == "in_if_return":
            c = self.cond()
            body = branch_pause(self.branch())
            self.name = ""
            return [(f"if {c}:", [*body, [self.final(False).replace("PREFIX", name)]], [])]
        if kind == "guard_return":
            return [[f"{name} = interrupt({p})"], (f'if {name} != "yes":', [[self.final(False)]], [])]
        if kind == "in_else":
            c = self.cond()
            first = [*self.branch(), [f'{name} = "none"']]
            return [(f"if {c}:", first, [("else:", branch_pause(self.branch()))])]
        if kind == "elif":
            first = [*self.branch(), [f'{name} = "none"']]
            return [(f"if {self.cond()}:", first, [(f"elif {self.cond()}:", branch_pause(self.branch())), ("else:", [[f'{name} = "other"']])])]
        if kind == "nested_if":
            c1, c2 = self.cond(), self.cond()
            return [[f'{name} = "none"'], (f"if {c1}:", [*self.branch(), (f"if {c2}:", branch_pause(self.branch()), [])], [])]
        if kind == "if_test":
            return [[f'{name} = "none"'], (f'if interrupt({self.text()}) == "yes":', [*self.branch(), [f'{name} = "sure"']], [])]
        if kind == "payload_effect":
            e = self.fact()[0]
            return [[f'{name} = interrupt({{"draft": {e}, "n": {self.num()}}})']]
        if kind == "payload_twice":
            return [[f'{name} = interrupt({{"draft": {self.fact()[0]}, "other": {self.fact()[0]}}})']]
        if kind == "two":
            return [[f"{name}, second{k} = interrupt({p}), interrupt({self.payload()})"]]
        if kind == "fstring":
            return [[f"{name} = f\"said {{interrupt({self.inner()})}}\""]]
        if kind == "returned":
            self.name = ""
            v = f"interrupt({p})"
            return [[self.final(False).replace("PREFIX", v)]] if self.depth == 0 else [[f"{v}"]]
        if kind == "try":
            return [("try:", [[f"{name} = interrupt({p})"]], [("except ValueError:", [[f'{name} = "bad"']])])]
        if kind == "with":
            return [("with nothing():", [*self.block(), [f"{name} = interrupt({p})"]], [])]
        if kind == "for_loop":
            return [[f"{name} = \"\""], (f"for item in {self.s('items')}:", [[self.post()], [f"{name} += interrupt(item)"]], [])]
        if kind.startswith("loop"):
            e = self.d.of([self.s("items"), self.many(), f"enumerate({self.s('items')})"])
            item = "pos, item" if e.startswith("enumerate") else "item"
            got = f"got{k}"
            inside: list[Stmt] = [[f"reply = interrupt({self.d.of(['item', '{' + chr(34) + 'item' + chr(34) + ': item}', self.payload()])})"]]
            then: list[Stmt] = [[f'requests.post("https://d.example/l{k}", json=[item, reply])'], [f"{got}.append(reply)"]]
            if d.chance(30):
                then.insert(0, ('if reply == "no":', [["continue"]], []))
            if d.chance(20):
                then.append(('if reply == "maybe":', [["break"]], []))
            if d.chance(20):
                then.append([f"{got}.append({self.fact()[0]})"])
            if d.chance(20):
                then.append(('if reply == "no":', [[self.final(False)]], []))
            self.known[got] = "list"
            self.name = ""
            if kind == "loop_while":
                inside = [[f"reply = interrupt({self.payload()})"], [f'requests.post("https://d.example/w{k}", json=reply)'], [f"{got}.append(reply)"],
                          (f'if reply == "yes"{" or len(" + got + ") > 3" if d.chance(50) else ""}:', [["break"]], [])]
                return [[f"{got} = []"], ("while True:", inside, [])]
            if kind == "loop_index":
                return [[f"{got} = []"], (f"while len({got}) < 3:", [inside[0], [f'requests.post("https://d.example/w{k}", json=reply)'], [f"{got}.append(reply)"]], [])]
            if kind == "loop_cond":
                inside = [['reply = "none"'], ('if item != "a":', inside, [])]
            return [[f"{got} = []"], (f"for {item} in {e}:", [*inside, *then], [])]
        if kind == "ternary":
            return [[f"{name} = interrupt({p}) if {self.cond()} else \"none\""]]
        if kind == "and":
            return [[f"{name} = interrupt({p}) == \"yes\" and {self.post()}.json()[\"id\"] or \"no\""]]
        if kind == "tuple_with_fact":
            return [[f"{self.fresh('any')}, {name} = {self.fact()[0]}, interrupt({p})"]]
        if kind == "match":
            return [(f"match interrupt({self.text()}):", [('case "yes":', [[f'{name} = "y"'], [self.post()]], []), ("case other:", [[f"{name} = other"]], [])], [])]
        raise AssertionError(kind)

    def final(self, full: bool = True) -> str:
        names = [n for n, k in self.known.items() if k != "fn" and not n.startswith("late")]
        shown = self.d.of([*names, *names, "PREFIX"]) if names else "PREFIX"
        more = [n for n in names if self.d.chance(40)]
        update = f'{{"note": str({shown}), "log": [str(x) for x in [{", ".join(more)}]] + ["PREFIX"]}}'.replace('"PREFIX"', "PREFIX")
        if self.o["graph"] == "command_out":
            return f'return Command(update={update}, goto={self.d.of([chr(34) + "after" + chr(34), "END"])})'
        return f"return {update}"


def render(stmts: list[Stmt], indent: str, level: int, remarks: Any = None) -> list[str]:
    """The lines of statements. `remarks`: an iterator of comments ("" for none) to strew among them."""
    out: list[str] = []
    pad = indent * level
    remarks = itertools.repeat("") if remarks is None else remarks

    def strewn(line: str, safe: bool = True) -> str:
        remark = next(remarks)
        return f"{line}  {remark}" if remark and safe else line

    for s in stmts:
        above = next(remarks)
        if above:
            out += [pad + above] if above[-1] in "02468" else ["", pad + above]
        if isinstance(s, list):
            first, *others = "\n".join(s).split("\n")
            # "|" at the beginning of a further line stands for the indentation of the statement.
            others = [pad + line[1:] if line.startswith("|") else line for line in others]
            whole = [pad + first, *others]
            whole[-1] = strewn(whole[-1], "#" not in whole[-1])
            out += whole
            continue
        head, block, more = s
        out.append(strewn(pad + head))
        out += render(block, indent, level + 1, remarks) or [pad + indent + "pass"]
        for h, b in more:
            out.append(strewn(pad + h))
            out += render(b, indent, level + 1, remarks) or [pad + indent + "pass"]
    return out


def remarks_of(salt: int) -> Any:
    """Comments `# remark n`, here and there."""
    for n in itertools.count():
        yield f"# remark {salt}.{n}" if (n * 7 + salt * 3) % 5 < 2 else ""


def source(p: Program) -> str:
    o = p.options
    td = o["schema"] == "TypedDict"
    ind = o["indent"]
    out = ['"""A program."""']
    if o["future"]:
        out.append("from __future__ import annotations")
    out += ["import operator", "import uuid", "from contextlib import contextmanager"]
    if o["schema"] == "dataclass":
        out.append("from dataclasses import dataclass, field")
    out += ["from typing import Annotated, Any, Literal, TypedDict", "", "import requests", "from langchain_openai import ChatOpenAI", "from langgraph.graph import END, START, StateGraph",
            "from langgraph.types import Command, Send, interrupt", "from langchain_core.runnables import RunnableConfig"]
    if o["schema"] == "pydantic":
        out.append("from pydantic import BaseModel")
    out += ["", 'PREFIX = "p"', "KEPT: dict = {}", 'llm = ChatOpenAI(model="gpt-4o")', "", "", "def shout(text):", "    return text.upper()", "", "",
            "def look(state):", "    return str(getattr(state, 'topic', None) or state['topic'])", "", "", "def same(fn):", "    return fn", "", "",
            "def pair(text):", "    return text, text + '2'", "", "", "def ask(question):", "    return interrupt(question)", "", "",
            "def file_ticket(text):", '    return requests.post("https://d.example/ticket", json=text).json()["id"]', "", "",
            "@contextmanager", "def nothing():", "    yield None", "", ""]
    if td:
        out += ["class State(TypedDict, total=False):", "    topic: str", "    items: list[str]", "    flag: bool", "    count: int", "    note: str",
                "    log: Annotated[list, operator.add]"]
    elif o["schema"] == "dataclass":
        out += ["@dataclass", "class State:", '    topic: str = ""', "    items: list[str] = field(default_factory=list)", "    flag: bool = False", "    count: int = 0",
                '    note: str = ""', "    log: Annotated[list, operator.add] = field(default_factory=list)"]
    else:
        out += ["class State(BaseModel):", '    topic: str = ""', "    items: list[str] = []", "    flag: bool = False", "    count: int = 0",
                '    note: str = ""', "    log: Annotated[list, operator.add] = []"]
    out += ["", ""]
    g = o["graph"]
    param = o["param"]
    ann = f"{param}: State" if o["annotated"] != "none" else param
    ret = ""
    if o["annotated"] == "return":
        ret = ' -> Command[Literal["after", "__end__"]]' if g == "command_out" else " -> dict"
    elif g == "command_out":
        ret = ' -> Command[Literal["after", "__end__"]]'
    asynchronous = o["form"] == "async"
    own = "asker"
    key = "ask_person" if o["named"] else "asker"
    method = o["form"] == "method"
    inner = o["form"] == "inner"
    level = 1 if method or inner else 0
    head = f"{'async ' if asynchronous else ''}def {own}({'self, ' if method else ''}{ann}{', config: RunnableConfig' if o['config'] else ''}){ret}:"
    fn = [ind * level + head]
    if o["docstring"]:
        fn.append(ind * (level + 1) + '"""Asks."""')
    fn += render(p.body, ind, level + 1, remarks_of(o["salt"]) if o["salt"] else None)
    read = (lambda k: f's["{k}"]') if td else (lambda k: f"s.{k}")
    first = ["def first(s: State):", '    return {"log": ["first"]}', "", ""]
    after = ["def after(s: State):", f'    return {{"log": ["after " + str({read("note")})]}}' if not td else '    return {"log": ["after " + str(s.get("note"))]}', "", ""]
    other = ["def other(s: State):", '    return {"log": ["other"]}', "", ""]
    if g in ("command_in", "command_list"):
        to = f'"{key}"' if g == "command_in" else f'["{key}"]'
        first = [f'def first(s: State) -> Command[Literal["{key}", "other"]]:', f'    if {read("count")} > 5:', '        return Command(goto="other")',
                 f'    return Command(update={{"log": ["first"]}}, goto={to})', "", ""]
    route = []
    if g in ("router_map", "router_list", "conditional_entry"):
        names = '"ask", "no"' if g != "router_list" else f'"{key}", "other"'
        a, b = ('"ask"', '"no"') if g != "router_list" else (f'"{key}"', '"other"')
        route = ["def route(s: State):", f'    if {read("count")} > 5:', f"        return {b}", f"    return {a}", "", ""]
    if g == "router_literal":
        route = [f'def route(s: State) -> Literal["{key}", "other"]:', f'    return "other" if {read("count")} > 5 else "{key}"', "", ""]
    if g == "router_plain":
        route = ["def route(s: State):", f'    to = "{key}"', f'    if {read("count")} > 5:', '        to = "other"', "    return to", "", ""]
    if g == "send":
        route = ["def route(s: State):", f'    return [Send("{key}", s)]', "", ""]
    if g == "branch_out":
        route = ["def leave(s: State):", '    return "other" if str(' + (read("note") if not td else 's.get("note")') + ').startswith("p") else "after"', "", ""]
    if g == "self_loop":
        route = ["def again(s: State):", f'    return "{key}" if len({read("log")}) < 6 and len({read("log")}) % 2 else "after"', "", ""]
    out += first + other + route
    if method:
        out += ["class Desk:", *[line for line in fn], "", ""]
    elif not inner:
        out += [*fn, "", ""]
    out += after
    action = ("desk." if method else "") + own
    registered = f'"{key}", {action}' if o["named"] or g == "send" else action
    out += ["def build(checkpointer):"]
    if inner:
        out += [*fn, ""]
    b: list[str] = []
    if method:
        b.append("desk = Desk()")
    chained = g in ("chained", "chained_one")
    add = f"g.add_node({registered})"
    if g == "defer":
        add = f"g.add_node({registered}, metadata={{'a': 1}})"
    compile_ = "return g.compile(checkpointer=checkpointer)"
    if g == "breakpoint":
        compile_ = f'return g.compile(checkpointer=checkpointer, interrupt_before=["{key}"], interrupt_after=["{key}"])'
    if not chained:
        b.append("g = StateGraph(State)")
    if g in ("edges", "defer", "breakpoint", "branch_out", "command_out", "self_loop"):
        b += ["g.add_node(first)", add, "g.add_node(after)", 'g.add_edge(START, "first")', f'g.add_edge("first", "{key}")']
        if g == "branch_out":
            b += ["g.add_node(other)", f'g.add_conditional_edges("{key}", leave, ["other", "after"])', 'g.add_edge("other", END)']
        elif g == "self_loop":
            b += [f'g.add_conditional_edges("{key}", again, ["{key}", "after"])']
        elif g != "command_out":
            b += [f'g.add_edge("{key}", "after")']
        b += ['g.add_edge("after", END)']
    elif g == "entry":
        b += [add, "g.add_node(after)", f'g.set_entry_point("{key}")', f'g.add_edge("{key}", "after")', 'g.set_finish_point("after")']
    elif g in ("router_map", "router_list", "router_literal", "router_plain", "send", "conditional_entry"):
        b += ["g.add_node(first)", add, "g.add_node(after)", "g.add_node(other)", 'g.add_edge(START, "first")' if g != "conditional_entry" else 'g.add_edge("first", "after")']
        paths = {"router_map": f', {{"ask": "{key}", "no": "other"}}', "conditional_entry": f'{{"ask": "{key}", "no": "other"}}', "router_list": f', ["{key}", "other"]'}.get(g, "")
        b += [f'g.set_conditional_entry_point(route, {paths})' if g == "conditional_entry" else f'g.add_conditional_edges("first", route{paths})', f'g.add_edge("{key}", "after")', 'g.add_edge("other", END)', 'g.add_edge("after", END)']
    elif g in ("command_in", "command_list"):
        b += ["g.add_node(first)", add, "g.add_node(other)", "g.add_node(after)", 'g.add_edge(START, "first")', f'g.add_edge("{key}", "after")']
    elif g == "sequence":
        b += [f"g.add_sequence([first, {action if not o['named'] else f'({chr(34)}{key}{chr(34)}, {action})'}, after])", 'g.add_edge(START, "first")']
    elif g == "sequence_pairs":
        b += [f'g.add_sequence([("first", first), ("{key}", {action}), ("after", after)])', 'g.add_edge(START, "first")']
    elif g == "chained":
        b += ["return (", "    StateGraph(State)", "    .add_node(first)", f"    .add_node({registered})", "    .add_node(after)", '    .add_edge(START, "first")', f'    .add_edge("first", "{key}")',
              f'    .add_edge("{key}", "after")', "    .compile(checkpointer=checkpointer)", ")"]
    elif g == "chained_one":
        b += [f'g = StateGraph(State).add_node({registered}).add_node(after).add_edge(START, "{key}").add_edge("{key}", "after")', compile_]
    elif g == "parallel_join":
        b += ["g.add_node(first)", add, "g.add_node(other)", "g.add_node(after)", 'g.add_edge(START, "first")', f'g.add_edge("first", "{key}")', 'g.add_edge("first", "other")',
              f'g.add_edge(["{key}", "other"], "after")', 'g.add_edge("after", END)']
    elif g == "parallel_free":
        b += ["g.add_node(first)", add, "g.add_node(other)", "g.add_node(after)", 'g.add_edge(START, "first")', f'g.add_edge("first", "{key}")', 'g.add_edge("first", "other")',
              f'g.add_edge("{key}", "after")', 'g.add_edge("other", "after")']
    elif g == "fan_out":
        b += ["g.add_node(first)", add, "g.add_node(other)", "g.add_node(after)", 'g.add_edge(START, "first")', f'g.add_edge("first", "{key}")',
              f'g.add_edge("{key}", "after")', f'g.add_edge("{key}", "other")']
    if not chained:
        b.append(compile_)
    out += [ind + line for line in b]
    return "\n".join(out) + "\n"


# ------------------------------------------------------------------ running
class World:
    """Everything outside: `seen` is what was done there, in its order; each thing that comes back has a number of its own."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []
        self.counts: dict[str, int] = {}

    def token(self, word: str) -> str:
        self.counts[word] = self.counts.get(word, 0) + 1
        return f"{word}-{self.counts[word]}"

    def install(self, module: Any) -> None:
        world = self

        class Reply:
            def __init__(self, name: str) -> None:
                self.name = world.token(name)

            def json(self) -> dict[str, str]:
                return {"id": self.name}

        def post(url: str, json: Any = None, data: Any = None) -> Reply:
            name = url.rsplit("/", 1)[-1]
            world.seen.append((name, repr(json)))
            return Reply(name)

        class Model:
            def invoke(self, prompt: str) -> Any:
                world.seen.append(("model", prompt))
                return types.SimpleNamespace(content=world.token("draft"))

            async def ainvoke(self, prompt: str) -> Any:
                return self.invoke(prompt)

        module.requests = types.SimpleNamespace(post=post)
        module.llm = Model()
        module.uuid = types.SimpleNamespace(uuid4=lambda: types.SimpleNamespace(hex=world.token("uuid")))


_stub = types.ModuleType("langchain_openai")
_stub.ChatOpenAI = lambda **k: None  # type: ignore[attr-defined]
_serial = itertools.count()


def load(text: str, world: World) -> types.ModuleType:
    name = f"generated_{next(_serial)}"
    module = types.ModuleType(name)
    before = sys.modules.get("langchain_openai")
    sys.modules["langchain_openai"] = _stub
    sys.modules[name] = module
    try:
        exec(compile(text, name + ".py", "exec"), module.__dict__)
    finally:
        if before is None:
            del sys.modules["langchain_openai"]
        else:
            sys.modules["langchain_openai"] = before
    world.install(module)
    return module


class Outcome:
    """`seen`, `asked` (payloads in order), `values` (final state), `error`."""

    def __init__(self) -> None:
        self.seen: list[Any] = []
        self.asked: list[Any] = []
        self.values: dict[str, Any] = {}
        self.error: BaseException | None = None


def given(p: Program) -> dict[str, Any]:
    return {"topic": "t1", "items": ["a", "b"], "flag": p.options["flag"], "count": p.options["count"], "log": []}


def send(p: Program, graph: Any, value: Any, config: Any) -> Any:
    config = {**config, "recursion_limit": 40}
    if p.options["form"] == "async":
        return asyncio.run(graph.ainvoke(value, config))
    return graph.invoke(value, config)


def unfixed(p: Program, text: str) -> Outcome:
    """The program with a `interrupt` that answers at once."""
    out, world = Outcome(), World()
    module = load(text, world)
    answers = iter(p.answers * 5)

    def interrupt(value: Any) -> Any:
        out.asked.append(repr(value))
        return next(answers)

    module.interrupt = interrupt  # type: ignore[attr-defined]
    try:
        graph = module.build(InMemorySaver())
        config = {"configurable": {"thread_id": "t"}}
        send(p, graph, given(p), config)
        for _ in range(4):
            if not graph.get_state(config).next:
                break
            send(p, graph, None, config)
        out.values = plain(graph.get_state(config).values)
    except Exception as e:
        out.error = e
    out.seen = world.seen
    return out


def plain(values: Any) -> dict[str, Any]:
    return dict(values) if isinstance(values, dict) else dict(vars(values))


def drive(p: Program, graph: Any, config: Any, out: Outcome, answers: Any, value: Any, steps: int) -> bool:
    """Runs until done or `steps` invocations; True when done."""
    for _ in range(steps):
        send(p, graph, value, config)
        state = graph.get_state(config)
        if not state.next:
            out.values = plain(state.values)
            return True
        waiting = [i for t in state.tasks for i in t.interrupts]
        if waiting:
            out.asked.append(repr(waiting[0].value))
            value = Command(resume=next(answers))
        else:
            value = None
    return False


def fixed(p: Program, text: str) -> Outcome:
    """The program on the real runtime, a new graph object for each activation."""
    out, world = Outcome(), World()
    saver = InMemorySaver()
    config = {"configurable": {"thread_id": "t"}}
    answers = iter(p.answers * 5)
    value: Any = given(p)
    try:
        for _ in range(30):
            module = load(text, world)
            graph = module.build(saver)
            send(p, graph, value, config)
            state = graph.get_state(config)
            if not state.next:
                out.values = plain(state.values)
                break
            waiting = [i for t in state.tasks for i in t.interrupts]
            value = None
            if waiting:
                out.asked.append(repr(waiting[0].value))
                value = Command(resume=next(answers))
        else:
            raise RuntimeError("never ends")
    except Exception as e:
        out.error = e
    out.seen = world.seen
    return out


def old_thread(p: Program, text: str, mended: str, answered: int, want: Outcome, saver: Any = None) -> str:
    """Pauses with the unfixed program (after so many answers), goes on with the fixed one. "" where that is right, "failed" where it fails before it does
    anything, "skip" where it does not come to that; else what is wrong."""
    world, config = World(), {"configurable": {"thread_id": "t"}}
    saver = InMemorySaver() if saver is None else saver
    answers = iter(p.answers * 5)
    graph = load(text, world).build(saver)
    value: Any = given(p)
    pauses = 0
    for _ in range(20):
        send(p, graph, value, config)
        state = graph.get_state(config)
        if not state.next:
            return "skip"
        if any(t.interrupts for t in state.tasks):
            if pauses == answered:
                break
            pauses += 1
            value = Command(resume=next(answers))
        else:
            value = None
    answer = next(answers)
    done = len(world.seen)
    value = Command(resume=answer)
    for attempt in range(20):
        try:
            graph = load(mended, world).build(saver)
            send(p, graph, value, config)
        except Exception as e:
            if attempt:
                return f"it fails late: {e!r}"
            for again in (Command(resume=answer), None, Command(resume=answer)):
                if world.seen[done:]:
                    return f"it did {world.seen[done:]} and then failed: {e!r}"
                try:
                    send(p, load(mended, world).build(saver), again, config)
                except Exception:
                    continue
                return f"it failed at first ({e!r}) and went on when asked again ({again})"
            return "failed" if not world.seen[done:] else f"it did {world.seen[done:]} when asked again"
        state = graph.get_state(config)
        if not state.next:
            break
        value = Command(resume=next(answers)) if any(t.interrupts for t in state.tasks) else None

    def bare(v: Any) -> str:
        return re.sub(r"-\d+", "", repr(v)) if answered else repr(v)

    got = plain(state.values)
    for key in ("note", "log"):
        if bare(got.get(key)) != bare(want.values.get(key)):
            return f"{key} is {got.get(key)!r}, not {want.values.get(key)!r}"
    if not answered and world.seen != want.seen:
        return f"it did {world.seen}, not {want.seen}"
    return ""


def comments(text: str) -> set[str]:
    return set(re.findall(r"# (?:remark [\d.]+|why|the text|shown)", text))
