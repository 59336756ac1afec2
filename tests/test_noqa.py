"""`--add-noqa`: on which line the comment goes, how one that is there is extended, and that a second run finds nothing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hitl_lint import cli, mend, noqa, run
from hitl_lint.config import Config
from hitl_lint.finding import Finding, Severity, Span
from hitl_lint.frontend import discover

HEAD = "import httpx\nfrom langgraph.types import interrupt\n\n\ndef review(state):\n"
TAIL = "    return {'answer': interrupt('ok?')}\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def lint(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*args: str) -> tuple[int, str, str]:
        status = cli.status(list(args))
        return (status, *capsys.readouterr())

    return call


# What stands before the pause -> what becomes of it.
PLACES = {
    "plain": ("    httpx.post('x')\n", "    httpx.post('x')  # noqa: HIL101\n"),
    "comment there": ("    httpx.post('x')  # why\n", "    httpx.post('x')  # why  # noqa: HIL101\n"),
    "type comment": ("    x = httpx.post('x')  # type: ignore\n", "    x = httpx.post('x')  # type: ignore  # noqa: HIL101\n"),
    "blanks at the end": ("    httpx.post('x')   \n", "    httpx.post('x')  # noqa: HIL101\n"),
    "noqa of others": ("    httpx.post('x')  # noqa: E501\n", "    httpx.post('x')  # noqa: E501, HIL101\n"),
    "noqa of others, commas alone": ("    httpx.post('x')  # noqa: E501,S113\n", "    httpx.post('x')  # noqa: E501,S113,HIL101\n"),
    "noqa of others, blanks": ("    httpx.post('x')  # NOQA: E501 S113\n", "    httpx.post('x')  # NOQA: E501 S113 HIL101\n"),
    "noqa with a reason": ("    httpx.post('x')  # noqa: S113 - no timeout\n", "    httpx.post('x')  # noqa: S113, HIL101 - no timeout\n"),
    "noqa with words": ("    httpx.post('x')  # noqa: because\n", "    httpx.post('x')  # noqa: because  # noqa: HIL101\n"),
    "several lines": ("    httpx.post(\n        'x',\n    )\n", "    httpx.post(  # noqa: HIL101\n        'x',\n    )\n"),
    "noqa on another line": ("    httpx.post(\n        'x',  # noqa: S113\n    )\n", "    httpx.post(\n        'x',  # noqa: S113, HIL101\n    )\n"),
    "string over lines": ("    httpx.post('''a\n  # b\nc''', 1)\n", "    httpx.post('''a\n  # b\nc''', 1)  # noqa: HIL101\n"),
    "f-string over lines": ("    httpx.post(f'''a\n {state['x']}\nc''')\n", "    httpx.post(f'''a\n {state['x']}\nc''')  # noqa: HIL101\n"),
    "call inside a string": ("    x = f'''a\n {httpx.post('x')}\nc'''\n", "    x = f'''a\n {httpx.post('x')}\nc'''  # noqa: HIL101\n"),
    "backslash": ("    x = httpx \\\n        .post('x')\n", "    x = httpx \\\n        .post('x')  # noqa: HIL101\n"),
    "backslash in a string": ("    httpx.post('a\\\nb')\n", "    httpx.post('a\\\nb')  # noqa: HIL101\n"),
    "hash in a string": ("    httpx.post('#\"')\n", "    httpx.post('#\"')  # noqa: HIL101\n"),
    "string and hash": ("    httpx.post('a')  # it's '''\n", "    httpx.post('a')  # it's '''  # noqa: HIL101\n"),
    "head of a block": ("    if httpx.post(\n        'x'\n    ):\n        pass\n", "    if httpx.post(  # noqa: HIL101\n        'x'\n    ):\n        pass\n"),
    "one line": ("    if state: httpx.post('x')\n", "    if state: httpx.post('x')  # noqa: HIL101\n"),
    "two on a line": ("    httpx.post('x'); httpx.post('y')\n", "    httpx.post('x'); httpx.post('y')  # noqa: HIL101\n"),
    "wide": ("    httpx.post('送\U0001f600')\n", "    httpx.post('送\U0001f600')  # noqa: HIL101\n"),
    "raw string": ("    httpx.post(r'\\d')\n", "    httpx.post(r'\\d')  # noqa: HIL101\n"),
}


@pytest.mark.parametrize("name", PLACES)
def test_where_the_comment_goes(here: Path, lint: Any, name: str) -> None:
    old, new = PLACES[name]
    (here / "a.py").write_text(HEAD + old + TAIL, encoding="utf-8")
    assert lint("--isolated", "--select", "HIL101")[0] == 1
    status, out, err = lint("--add-noqa", "--isolated", "--select", "HIL101")
    assert (here / "a.py").read_text(encoding="utf-8") == HEAD + new + TAIL
    assert (status, out) == (0, "") and "Suppressed " in err and "in 1 file, 0 remain." in err
    compile((here / "a.py").read_text(encoding="utf-8"), "a.py", "exec")
    assert lint("--select", "HIL101,HIL902")[:2] == (0, "")
    assert lint("--add-noqa", "--select", "HIL101")[2].endswith("No comment added, 0 remain.\n")
    assert (here / "a.py").read_text(encoding="utf-8") == HEAD + new + TAIL


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_line_ends_encodings_and_a_missing_last_end_stay(here: Path, lint: Any, end: str, last: bool, encoding: str) -> None:
    text = ("# coding: latin-1\n" if encoding == "latin-1" else "") + HEAD + "    httpx.post('\xe9')\n" + TAIL.rstrip("\n") + ("\n" if last else "")
    old = text.replace("\n", end).encode(encoding)
    (here / "a.py").write_bytes(old)
    lint("--add-noqa")
    assert (here / "a.py").read_bytes() == text.replace("post('\xe9')", "post('\xe9')  # noqa: HIL101").replace("\n", end).encode(encoding)


def test_several_codes_come_in_one_comment(here: Path) -> None:
    lines = (HEAD + "    httpx.post('x')\n" + TAIL).encode()
    found = [Finding(code, "x", Severity.ERROR, Span("a.py", 6, 5, 6, 9), "m") for code in ("HIL201", "HIL104", "HIL104")]
    assert noqa.commented("a.py", lines, found).count(b"httpx.post('x')  # noqa: HIL104, HIL201\n") == 1
    again = lines.replace(b"post('x')", b"post('x')  # noqa: HIL201")
    assert noqa.commented("a.py", again, found).count(b"# noqa: HIL201, HIL104\n") == 1


@pytest.mark.parametrize("joined", [False, True])
def test_notebooks_change_in_that_line_only(here: Path, lint: Any, joined: bool) -> None:
    source: Any = ["%matplotlib inline\n", "import httpx\n", "from langgraph.types import interrupt\n", "def ask(state):\n", "    httpx.post('''é\n", "x''')\n", "    return {'a': interrupt('?')}"]
    if joined:
        source = "".join(source)
    book = {"cells": [{"cell_type": "markdown", "source": "# x", "metadata": {}}, {"cell_type": "code", "source": source, "outputs": [], "metadata": {}, "execution_count": None}],
            "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (here / "n.ipynb").write_text(json.dumps(book, indent=1), encoding="utf-8")
    old = (here / "n.ipynb").read_text()
    status, _, err = lint("--add-noqa")
    assert status == 0 and "Suppressed 1 finding by comments in 1 file, 0 remain." in err
    assert (here / "n.ipynb").read_text() == old.replace("x''')", "x''')  # noqa: HIL101")
    assert lint()[:2] == (0, "")


def test_a_cell_that_cannot_be_read_keeps_no_comment_from_another(here: Path, lint: Any) -> None:
    cells = [{"cell_type": "code", "source": source, "outputs": [], "metadata": {}, "execution_count": None} for source in
             ("import httpx\nfrom langgraph.types import interrupt\ndef ask(state):\n    httpx.post('x')\n    return {'a': interrupt('?')}", "def broken(:")]
    (here / "n.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1))
    _, _, err = lint("--add-noqa")
    assert "Suppressed 1 finding by comments in 1 file, 1 remains." in err
    assert "httpx.post('x')  # noqa: HIL101" in (here / "n.ipynb").read_text()


def test_diff_shows_and_writes_nothing(here: Path, capfdbinary: Any) -> None:
    (here / "a.py").write_text(HEAD + "    httpx.post('x')\n" + TAIL)
    status = cli.status(["--add-noqa", "--diff"])
    out, err = capfdbinary.readouterr()
    assert status == 1 and b"+    httpx.post('x')  # noqa: HIL101\n" in out and err == b"Would suppress 1 finding by comments in 1 file, 0 remain.\n"
    assert "noqa" not in (here / "a.py").read_text()


def test_what_no_comment_can_take_back_is_left_and_told(here: Path, lint: Any) -> None:
    (here / "a.py").write_text(HEAD + "    httpx.post('x')\n" + TAIL)
    (here / "b.py").write_text("from langgraph.types import interrupt\ndef broken(:\n")
    (here / "c.py").write_text("from langgraph.types import interrupt\nx = 1  # noqa: HIL101\n")
    status, out, err = lint("--add-noqa")
    assert status == 1 and [line.split()[1] for line in out.splitlines()] == ["HIL901", "HIL902"]
    assert "Suppressed 1 finding by comments in 1 file, 2 remain." in err


def test_a_file_that_cannot_be_written_is_status_2(here: Path, lint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "a.py").write_text(HEAD + "    httpx.post('x')\n" + TAIL)

    def fail(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(mend.os, "replace", fail)
    status, out, err = lint("--add-noqa")
    assert status == 2 and "cannot write a.py: permission denied" in err and "HIL101" in out
    assert sorted(os.listdir(here)) == ["a.py"] and "noqa" not in (here / "a.py").read_text()


def test_what_is_in_the_baseline_gets_no_comment(here: Path, lint: Any) -> None:
    (here / "a.py").write_text(HEAD + "    httpx.post('x')\n" + TAIL)
    lint("--baseline", "known.json", "--write-baseline")
    assert "No comment added" in lint("--baseline", "known.json", "--add-noqa")[2]


def test_code_on_stdin_is_refused(here: Path, lint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=SimpleNamespace(read=lambda: b"")))
    assert lint("--add-noqa", "-") == (2, "", "hitl-lint: --add-noqa with code on stdin: name the files\n")


def test_all_fixtures_are_silent_afterwards(here: Path) -> None:
    fixtures = Path(__file__).parent.parent / "fixtures"
    shutil.copytree(fixtures, here / "fixtures", ignore=shutil.ignore_patterns("HIL9*", "*.fixed.py"))
    request = run.Request(["."], Config(min_severity="note"))
    outcome = mend.write(made := noqa.add(request), request)
    assert made.complaints == outcome.complaints == () and made.before > 300
    assert [(finding.span, finding.code) for finding in run.check(request).findings] == []
    for change in outcome.changes:
        assert discover.read_bytes(change.path) == change.new
        if change.path.endswith(".py"):
            compile(change.new, change.path, "exec", dont_inherit=True)


# --------------------------------------------------------------------------- ruff
def _ruff() -> str | None:
    beside = Path(sys.executable).with_name("ruff")
    return str(beside) if beside.exists() else shutil.which("ruff")


@pytest.mark.skipif(_ruff() is None, reason="needs ruff")
@pytest.mark.parametrize("external", [False, True])
def test_ruff_takes_the_comments_out_unless_told_that_they_are_not_its_own(here: Path, lint: Any, external: bool) -> None:
    (here / "a.py").write_text(HEAD + "    httpx.post('x')\n" + TAIL)
    lint("--add-noqa")
    code = (here / "a.py").read_text()
    readme = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    assert 'lint.external = ["HIL"]\n' in readme
    (here / "pyproject.toml").write_text("[tool.ruff]\n" + ('lint.external = ["HIL"]\n' if external else "") + 'lint.extend-select = ["RUF100", "RUF102"]\n')
    done = subprocess.run([str(_ruff()), "check", "--fix", "--no-cache", "a.py"], capture_output=True, text=True, cwd=here)
    assert ((here / "a.py").read_text() == code) is external, done.stdout + done.stderr
    assert ("noqa" in (here / "a.py").read_text()) is external
