"""What a person at a terminal sees: the progress line, pages, frames of odd characters. With a real pseudo-terminal where that counts."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hitl_lint import cli
from hitl_lint.reporters import full, page

ROOT = Path(cli.__file__).parent.parent
BAD = "import httpx\nfrom langgraph.types import interrupt\n\n\ndef f(state):\n    httpx.post('x')\n    return {'a': interrupt('?')}\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def progress(monkeypatch: pytest.MonkeyPatch, clock: list[float], *, tty: bool = True, quiet: bool = False, term: str = "xterm") -> str:
    stream = Terminal() if tty else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", term)
    ticks = iter(clock)
    import time

    monkeypatch.setattr(time, "monotonic", lambda: next(ticks))
    with cli._Progress({"quiet": quiet}) as told:
        if told is not None:
            for n in range(len(clock) - 1):
                told("reading", n, 10)
    return stream.getvalue()


def test_progress_of_a_long_run_is_one_line_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    text = progress(monkeypatch, [0.0, 0.5, 1.2, 1.25, 2.0])
    assert text == "\rreading [##..................] 1/10\rreading [######..............] 3/10\r" + " " * len("reading [######..............] 3/10") + "\r"


@pytest.mark.parametrize("how", [{"tty": False}, {"quiet": True}, {"term": "dumb"}])
def test_no_progress_where_nobody_sees_it(monkeypatch: pytest.MonkeyPatch, how: Any) -> None:
    assert progress(monkeypatch, [0.0, 5.0, 9.0], **how) == ""


def test_no_progress_of_a_short_run(monkeypatch: pytest.MonkeyPatch) -> None:
    assert progress(monkeypatch, [0.0, 0.1, 0.9]) == ""


def test_a_run_tells_what_it_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hitl_lint import run

    monkeypatch.chdir(tmp_path)
    for n in range(150):
        (tmp_path / f"m{n}.py").write_text("x = 1\n" if n else BAD)
    told: list[tuple[str, int, int]] = []
    run.check(run.Request(["."], progress=lambda *step: told.append(step)))
    assert ("looking for pauses", 100, 150) in told and {what for what, _, _ in told} == {"looking for pauses", "reading", "judging"}
    assert all(0 <= done <= total for _, done, total in told)


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_on_a_real_terminal(tmp_path: Path) -> None:
    import pty

    (tmp_path / "a.py").write_text(BAD)
    code = "import sys\nfrom hitl_lint import cli\ncli._Progress.AFTER = cli._Progress.EVERY = 0.0\ncli.main(sys.argv[1:])"

    def seen(*args: str, **env: str) -> str:
        main, side = pty.openpty()
        process = subprocess.Popen([sys.executable, "-c", code, *args], stdin=side, stdout=side, stderr=side, cwd=tmp_path,
                                   env={**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "60", **env})
        os.close(side)
        out = b""
        while True:
            try:
                part = os.read(main, 65536)
            except OSError:
                break
            if not part:
                break
            out += part
        os.close(main)
        process.wait()
        return out.decode()

    text = seen()
    assert "judging [" in text and "\x1b[1;31mHIL101" in text and "pauses here" in text
    assert text.index("judging [") < text.index("HIL101") and "\r" in text
    assert "judging [" not in seen("-q")
    explained = seen("--explain", "HIL101")
    assert "\x1b[1mAt run time:\x1b[0m" in explained and "\x1b[2mimport httpx\x1b[0m" in explained
    plain = re.sub(r"\x1b\[[\d;]*m", "", explained)
    prose = [line for line in plain.splitlines() if not line.startswith("    ")]
    assert max(map(len, prose)) <= 60
    assert "\x1b" not in seen("--explain", "HIL101", NO_COLOR="1")


# --------------------------------------------------------------------------- pages
DOC = "What it is.\n\nAt run time: one\ntwo `a b` three.\n\nWrong:\n\n    def f():\n\n        g()\n\nHow to fix: do."


def test_explain_sets_headings_prose_and_code() -> None:
    assert page.terminal("HIL1 x", DOC, 40, False) == "HIL1 x\n\nWhat it is.\n\nAt run time:\nOne two `a b` three.\n\nWrong:\n\n    def f():\n\n        g()\n\nHow to fix:\nDo.\n"
    coloured = page.terminal("HIL1 x", DOC, 40, True)
    assert "\x1b[1mWrong:\x1b[0m\n\n    \x1b[2mdef f():\x1b[0m\n\n    \x1b[2m    g()\x1b[0m" in coloured and "\x1b[36m`a b`\x1b[0m" in coloured


def test_code_of_a_page_can_be_copied_as_it_is() -> None:
    from hitl_lint.rules import all_rules

    for rule in all_rules():
        written = [line for line in rule.doc.split("\n") if line.startswith("    ")]
        shown = [line for line in page.terminal("t", rule.doc, 50, False).split("\n") if line.startswith("    ")]
        assert shown == written, rule.meta.code


# --------------------------------------------------------------------------- frames
ODD = ["送る", "e\u0301", "สวัสดี", "कं्ष", "한국어", "\u1112\u1161\u11ab", "😀", "👩\u200d👩\u200d👧", "❤\ufe0f", "\U0001f1e9\U0001f1ea", "ｱｲｳ", "\u200b", "\u2060", "\u00ad", "À", "ﷺ", "⌚", "…",
       "\u202etxt\u202c", "\x1b[31m", "\x00", "\u0e01\u0e33", "\u0300\u0301x"]


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_widths_are_those_of_terminals(odd: str) -> None:
    wcwidth = pytest.importorskip("wcwidth")
    shown = full._expand(odd)
    assert shown.isprintable() and "\x1b" not in shown
    # Of flags and emoji with a selector terminals make different things.
    assert full._width(shown) in (sum(max(wcwidth.wcwidth(c), 0) for c in shown), wcwidth.wcswidth(shown)), ascii(shown)


@pytest.mark.parametrize("odd", ODD, ids=ascii)
@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("long", [False, True])
def test_the_mark_stands_under_the_call_behind_odd_characters(odd: str, width: int, long: bool) -> None:
    from hitl_lint.finding import Finding, Severity, Span

    line = "\tx = '" + odd * 3 + "'; " + ("y = 1; " * 60 if long else "") + "send(z)" + (" # " + odd * 200 if long else "")
    start = line.index("send(z)") + 1
    found = Finding("HIL101", "x", Severity.ERROR, Span("a.py", 1, start, 1, start + 7), "m")
    rows = full.render([found], None, lambda path, cell: [line], full.Style(width=width)).split("\n")
    code, mark = rows[2], rows[3]
    at = full._width(mark[: mark.index("^")])
    before = ""
    for n in range(len(code) + 1):
        if full._width(code[:n]) == at and code[n:].startswith("send(z)"):
            before = code[:n]
    assert before and mark.rstrip().endswith("^" * 7)
    assert all(full._width(row) <= max(width, 44 + 4) for row in rows[1:])


def test_completion_of_the_shell_is_clicks_and_works() -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "_HITL_LINT_COMPLETE": "bash_source"}
    code = "import sys\nsys.argv[0] = 'hitl-lint'\nfrom hitl_lint.cli import main\nmain()"
    script = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert "complete -o nosort" in script.stdout and "_HITL_LINT_COMPLETE=bash_complete" in script.stdout, script.stderr
    env |= {"_HITL_LINT_COMPLETE": "bash_complete", "COMP_WORDS": "hitl-lint --output-f", "COMP_CWORD": "1"}
    assert "--output-format" in subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env).stdout
    env |= {"COMP_WORDS": "hitl-lint --output-format s", "COMP_CWORD": "2"}
    assert "sarif" in subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env).stdout


