"""Random small programs, and what really happens when Python runs them: the oracle for control flow and zones.

A program is a function `f(v0, v1)` whose calls are numbered: `c(3)` is recorded and may raise, `interrupt(4)` is recorded and returns,
`t(5)` is recorded and gives a truth, `u(6)` a value, `r(7)` something to iterate over. What each of them does is decided by a list of
numbers, so that running the function with many lists shows which calls can follow which.
"""

from __future__ import annotations

import random
import warnings
from typing import Any, Callable, Iterator

VALUES = ("a", "b", None)


class E1(Exception):
    pass


class E2(Exception):
    pass


class Stop(BaseException):
    """The list of decisions is used up."""


class Writer:
    """Writes a program; `choose(n)` gives a number below n and is the only source of variety."""

    def __init__(self, choose: Callable[[int], int], size: int = 14) -> None:
        self.choose = choose
        self.left = size
        self.count = 0

    def number(self) -> int:
        self.count += 1
        return self.count

    def program(self) -> str:
        return "def f(v0, v1):\n" + self.block(1, loop=False)

    def block(self, depth: int, *, loop: bool, final: bool = False) -> str:
        out = []
        for _ in range(1 + self.choose(3)):
            text, ends = self.statement(depth, loop, final)
            out.append(text)
            if ends:
                break
        return "".join(out)

    def condition(self, depth: int = 0) -> str:
        k = self.choose(9)
        v = f"v{self.choose(2)}"
        if k < 2:
            return f"t({self.number()})"
        if k < 7 or depth > 1:
            return ("{}", "not {}", "{} == 'a'", "{} in ('a', 'b')", "{} is None", "{} != 'b'", "{} is not None")[self.choose(7)].format(v)
        return f"({self.condition(depth + 1)} {('and', 'or')[self.choose(2)]} {self.condition(depth + 1)})"

    def expression(self, depth: int = 0) -> str:
        k = self.choose(12)
        if k < 5 or depth > 1:
            return f"c({self.number()})"
        if k < 8:
            return f"interrupt({self.number()})"
        if k == 8:
            return f"({self.expression(depth + 1)} {('and', 'or')[self.choose(2)]} {self.expression(depth + 1)})"
        if k == 9:
            test = self.condition()
            return f"({self.expression(depth + 1)} if {test} else {self.expression(depth + 1)})"
        if k == 10:
            n = self.number()
            return f"[{self.expression(depth + 1)} for _ in r({n}) if t({self.number()})]"
        return f"c({self.number()}, {self.expression(depth + 1)}, {self.expression(depth + 1)})"

    def statement(self, depth: int, loop: bool, final: bool) -> tuple[str, bool]:
        """The text, and whether what follows cannot run."""
        pad = "    " * depth
        self.left -= 1
        k = self.choose(20)
        if self.left <= 0 or depth > 4 or k < 6:
            return f"{pad}{self.expression()}\n", False
        if k == 6:
            v = f"v{self.choose(2)}"
            return f"{pad}{v} = {VALUES[self.choose(3)]!r}\n" if self.choose(2) else f"{pad}{v} = u({self.number()})\n", False
        if k < 10:
            text = f"{pad}if {self.condition()}:\n{self.block(depth + 1, loop=loop, final=final)}"
            return text + (f"{pad}else:\n{self.block(depth + 1, loop=loop, final=final)}" if self.choose(2) else ""), False
        if k < 12:
            head = f"while {self.condition()}" if self.choose(3) else "while True"
            text = f"{pad}{head}:\n{pad}    c({self.number()})\n{self.block(depth + 1, loop=True)}"
            return text + (f"{pad}else:\n{self.block(depth + 1, loop=loop, final=final)}" if self.choose(2) else ""), False
        if k == 12:
            text = f"{pad}for _ in r({self.number()}):\n{self.block(depth + 1, loop=True)}"
            return text + (f"{pad}else:\n{self.block(depth + 1, loop=loop, final=final)}" if self.choose(2) else ""), False
        if k < 16:
            return self.attempt(depth, loop, final), False
        if k == 16:
            return f"{pad}with w({self.number()}):\n{self.block(depth + 1, loop=loop, final=final)}", False
        if k == 17:
            text = f"{pad}match v{self.choose(2)}:\n{pad}    case 'a':\n{self.block(depth + 2, loop=loop, final=final)}"
            text += f"{pad}    case 'b' if t({self.number()}):\n{self.block(depth + 2, loop=loop, final=final)}"
            return text + (f"{pad}    case _:\n{self.block(depth + 2, loop=loop, final=final)}" if self.choose(2) else ""), False
        if k == 18:
            return f"{pad}raise x({self.number()})\n", True
        if loop and not final:
            return f"{pad}{('break', 'continue', 'return')[self.choose(3)]}\n", True
        return f"{pad}return c({self.number()})\n", True

    def attempt(self, depth: int, loop: bool, final: bool) -> str:
        pad = "    " * depth
        text = f"{pad}try:\n{self.block(depth + 1, loop=loop, final=final)}"
        kinds = self.choose(4)
        if kinds != 3:
            if kinds < 2:
                text += f"{pad}except E1:\n{self.block(depth + 1, loop=loop, final=final)}"
            if kinds > 0:
                text += f"{pad}except Exception:\n{self.block(depth + 1, loop=loop, final=final)}"
            if self.choose(3) == 0:
                text += f"{pad}else:\n{self.block(depth + 1, loop=loop, final=final)}"
        if kinds == 3 or self.choose(3) == 0:
            # `continue` in a finally would swallow the end of a run for ever.
            text += f"{pad}finally:\n{self.block(depth + 1, loop=False, final=True)}"
        return text


class Run:
    """One run: `trace` is the numbers of the calls in their order."""

    def __init__(self, decisions: list[int]) -> None:
        self.decisions = decisions
        self.used: list[int] = []
        self.widths: list[int] = []
        self.trace: list[int] = []

    def pick(self, n: int) -> int:
        if len(self.used) >= len(self.decisions):
            raise Stop
        value = self.decisions[len(self.used)] % n
        self.used.append(value)
        return value

    def may_raise(self) -> None:
        k = self.pick(6)
        if k > 3:
            raise (E1 if k == 4 else E2)()

    def call(self, n: int, *_: Any) -> bool:
        self.trace.append(n)
        self.may_raise()
        return bool(self.pick(2))

    def interrupt(self, n: int) -> bool:
        self.trace.append(n)
        return bool(self.pick(2))

    def value(self, n: int) -> Any:
        self.trace.append(n)
        self.may_raise()
        return VALUES[self.pick(3)]

    def error(self, n: int) -> Exception:
        self.trace.append(n)
        return (E1, E2)[self.pick(2)]()

    def items(self, n: int) -> Iterator[int]:
        self.trace.append(n)
        self.may_raise()

        def each() -> Iterator[int]:
            while True:
                self.may_raise()
                if not self.pick(2):
                    return
                yield 1

        return each()

    def manager(self, n: int) -> Any:
        self.trace.append(n)
        self.may_raise()
        run = self

        class Manager:
            def __enter__(self) -> None:
                run.may_raise()

            def __exit__(self, *_: Any) -> None:
                run.may_raise()

        return Manager()

    def start(self, code: Any) -> list[int]:
        names = {"c": self.call, "t": self.call, "interrupt": self.interrupt, "u": self.value, "x": self.error, "r": self.items,
                 "w": self.manager, "E1": E1, "E2": E2}
        exec(code, names)
        try:
            names["f"](VALUES[self.pick(3)], VALUES[self.pick(3)])  # type: ignore[operator]
        except (E1, E2, Stop):
            pass
        return self.trace


def traces(source: str, runs: int, seed: int = 0) -> Iterator[list[int]]:
    """What `runs` random runs of a program do."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        code = compile(source, "program", "exec")
    rng = random.Random(seed)
    for _ in range(runs):
        # Numbers above 3 raise: runs differ in how often that happens, so that some get far.
        failing = rng.choice((0.0, 0.05, 0.2))
        length = rng.choice((6, 20, 60))
        yield Run([4 + rng.randrange(2) if rng.random() < failing else rng.randrange(4) for _ in range(length)]).start(code)
