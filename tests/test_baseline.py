"""What is known already: fingerprints that outlive moved lines, stale entries, what a run that sees a part may conclude."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from hitl_lint import baseline, cli, run
from hitl_lint.baseline import Baseline, BaselineError, Entry
from hitl_lint.config import Config
from hitl_lint.finding import Finding, Severity, Span, fingerprints

HEAD = "import httpx\nfrom langgraph.types import interrupt\n\n\n"
NODE = "def {name}(state):\n    httpx.post('https://mail.example/send', json=state)\n    return {{'answer': interrupt('ok?')}}\n\n\n"
BAD = HEAD + NODE.format(name="review")
FILE = ["--baseline", "known.json"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(BAD)
    return tmp_path


class Done:
    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err


@pytest.fixture
def lint(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*args: str) -> Done:
        status = cli.status(list(args))
        return Done(status, *capsys.readouterr())

    return call


def entries(path: Path) -> list[dict[str, str]]:
    return json.loads(path.read_text())["findings"]


# --------------------------------------------------------------------------- the command
def test_what_is_known_is_neither_shown_nor_counted(here: Path, lint: Any) -> None:
    written = lint(*FILE, "--write-baseline")
    assert (written.status, written.out, written.err) == (0, "", "1 finding in known.json: 1 new, 0 gone.\n")
    done = lint(*FILE)
    assert (done.status, done.out) == (0, "")
    assert done.err == "Nothing found: 1 file looked at, 1 analysed with 1 function that pauses; 1 in the baseline.\n"
    assert json.loads(lint(*FILE, "--output-format", "json").out)["summary"]["baselined"] == 1
    assert json.loads(lint(*FILE, "--output-format", "sarif").out)["runs"][0]["results"] == []
    assert lint().status == 1


def test_moved_code_stays_known_and_a_second_finding_of_the_kind_is_new(here: Path, lint: Any) -> None:
    lint(*FILE, "--write-baseline")
    (here / "a.py").write_text("# a line\n" + HEAD + "x = 1\n\n\n" + NODE.format(name="review"))
    assert lint(*FILE).status == 0
    double = NODE.format(name="review").replace("    httpx", "    httpx.post('https://mail.example/send', json=state)\n    httpx", 1)
    (here / "a.py").write_text(HEAD + double)
    done = lint(*FILE)
    assert done.status == 1 and done.out.count("HIL101") == 1
    (here / "a.py").write_text(HEAD + NODE.format(name="review") + NODE.format(name="other"))
    assert lint(*FILE).out.startswith("a.py:11:5: HIL101")


def test_what_is_gone_is_told_and_taken_out(here: Path, lint: Any) -> None:
    (here / "b.py").write_text(BAD)
    lint(*FILE, "--write-baseline")
    (here / "b.py").write_text("x = 1\n")
    done = lint(*FILE)
    assert done.status == 0
    assert done.err.splitlines()[:2] == [
        "hitl-lint: known.json: HIL101 in b.py is gone: Every resume sends an HTTP POST again: `httpx.post()` runs before interrupt() on line 7, and the answer "
        "restarts review() from its first line", "hitl-lint: --write-baseline takes it out of known.json"]
    assert "gone" not in lint(*FILE, "-q").err
    (here / "b.py").unlink()
    assert "b.py is gone" in lint(*FILE, "a.py").err
    assert lint(*FILE, "--write-baseline").err == "1 finding in known.json: 0 new, 1 gone.\n"
    assert [entry["path"] for entry in entries(here / "known.json")] == ["a.py"] and "gone" not in lint(*FILE).err


def test_a_run_that_sees_a_part_says_and_changes_nothing_of_the_rest(here: Path, lint: Any) -> None:
    (here / "b.py").write_text(BAD)
    (here / "c.py").write_text(HEAD + "def f(state):\n    if state['x']:\n        interrupt('?')\n    return {}\n")
    lint(*FILE, "--write-baseline")
    before = (here / "known.json").read_bytes()
    assert {entry["code"] for entry in entries(here / "known.json")} >= {"HIL101", "HIL303"}
    for args in (["a.py"], ["--select", "HIL2"], ["--min-severity", "error"]):
        assert "gone" not in lint(*FILE, *args).err
        lint(*FILE, *args, "--write-baseline")
        assert (here / "known.json").read_bytes() == before, args


def test_a_file_that_cannot_be_parsed_keeps_its_entries(here: Path, lint: Any) -> None:
    lint(*FILE, "--write-baseline")
    (here / "a.py").write_text(BAD + "def (:\n")
    done = lint(*FILE)
    assert "HIL901" in done.out and "is gone" not in done.err
    lint(*FILE, "--write-baseline")
    assert [entry["code"] for entry in entries(here / "known.json")] == ["HIL101", "HIL901"]


def test_the_baseline_of_the_configuration_can_be_left_aside(here: Path, lint: Any) -> None:
    (here / "pyproject.toml").write_text('[tool.hitl-lint]\nbaseline = "known.json"\n')
    lint("--write-baseline")
    assert lint().status == 0
    done = lint("--baseline", "")
    assert (done.status, "HIL101" in done.out, "baseline" in done.err) == (1, True, False)
    assert lint("--baseline", "", "--write-baseline").status == 2


def test_of_the_same_kind_one_is_gone(here: Path, lint: Any) -> None:
    double = NODE.format(name="review").replace("    httpx", "    httpx.post('https://mail.example/send', json=state)\n    httpx", 1)
    (here / "a.py").write_text(HEAD + double)
    lint(*FILE, "--write-baseline")
    assert len(entries(here / "known.json")) == 2 and lint(*FILE).status == 0
    (here / "a.py").write_text(BAD)
    done = lint(*FILE)
    assert done.status == 0 and done.err.count("is gone") == 1


def test_in_the_configuration_it_is_found_from_anywhere(here: Path, lint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "pyproject.toml").write_text('[tool.hitl-lint]\nbaseline = "ci/known.json"\n')
    (here / "ci").mkdir()
    (here / "src").mkdir()
    (here / "src/n.py").write_text("import httpx\nfrom langgraph.types import interrupt\nx = 1  # noqa: HIL101\n")
    assert lint("--write-baseline").err == "2 findings in ci/known.json: 2 new, 0 gone.\n"
    assert [(entry["path"], entry["code"]) for entry in entries(here / "ci/known.json")] == [("../a.py", "HIL101"), ("../src/n.py", "HIL902")]
    assert lint().status == 0 and 'baseline = "ci/known.json"' in lint("--show-config").out
    monkeypatch.chdir(here / "src")
    done = lint("..")
    assert (done.status, done.out) == (0, "") and "2 in the baseline" in done.err and "gone" not in done.err
    assert lint(".").status == 0  # what stands in no function is known by its path, wherever the run starts
    assert lint("--isolated").status == 1


def test_fix_leaves_what_is_known(here: Path, lint: Any) -> None:
    code = "from langgraph.types import interrupt\n\n\ndef ask(state):\n    try:\n        return {'a': interrupt('?')}\n    except Exception:\n        return {}\n"
    (here / "a.py").write_text(code)
    lint(*FILE, "--write-baseline")
    done = lint(*FILE, "--fix")
    assert done.status == 0 and (here / "a.py").read_text() == code
    assert lint("--fix").status == 0 and (here / "a.py").read_text() != code


@pytest.mark.parametrize(("content", "complaint"), [
    (None, "cannot read the baseline known.json: no such file (--write-baseline makes it)"),
    ("{", "known.json is no baseline: not valid JSON"),
    ("<<<<<<< ours\n{}", "known.json is no baseline: not valid JSON"),
    ("[" * 100_000, "known.json is no baseline: not valid JSON"),
    ("[]", "known.json is no baseline: --write-baseline writes one"),
    ('{"version": 1, "findings": [{"path": 3}]}', "known.json is no baseline"),
    ('{"version": 99, "findings": []}', "known.json is a baseline of another version"),
])
def test_a_baseline_that_cannot_be_used_is_one_line_and_status_2(here: Path, lint: Any, content: str | None, complaint: str) -> None:
    if content is not None:
        (here / "known.json").write_text(content)
    done = lint(*FILE)
    assert done.status == 2 and done.out == "" and done.err.count("\n") == 1 and done.err.startswith(f"hitl-lint: {complaint}")


@pytest.mark.parametrize(("args", "complaint"), [
    (["--write-baseline"], "--write-baseline: where to?"),
    ([*FILE, "--write-baseline", "--fix"], "--write-baseline goes without --fix"),
    ([*FILE, "--write-baseline", "--diff"], "--write-baseline goes without --diff"),
    ([*FILE, "--write-baseline", "--add-noqa"], "--write-baseline goes without --add-noqa"),
    (["--baseline", "no/such/x.json", "--write-baseline"], "cannot write the baseline no/such/x.json: no such file or directory"),
])
def test_wrong_use(here: Path, lint: Any, args: list[str], complaint: str) -> None:
    done = lint(*args)
    assert done.status == 2 and done.err.startswith(f"hitl-lint: {complaint}") and done.err.count("\n") == 1
    assert sorted(os.listdir(here)) == ["a.py"]


def test_a_run_that_fails_writes_nothing(here: Path, lint: Any) -> None:
    assert lint(*FILE, "--write-baseline", "nope.py", "a.py").status == 2
    assert not (here / "known.json").exists()


# --------------------------------------------------------------------------- the file
def test_the_file_has_a_line_for_each_entry_and_comes_back() -> None:
    known = Baseline("x", (Entry("a.py", "HIL101", "f1", "error", "é"), Entry("b.py", "HIL102", "f2")))
    data = baseline.dump(known)
    assert data.isascii() and data.count(b"\n") == 4
    assert json.loads(data) == {"version": 1, "findings": [entry._asdict() for entry in known.entries]}
    assert baseline.dump(Baseline("x")) == b'{"version": 1, "findings": []}\n'


def test_it_is_written_at_once_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "known.json"
    path.write_text("old")
    path.chmod(0o600)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fail)
        with pytest.raises(BaselineError, match="cannot write the baseline .*: no space left on device"):
            baseline.save(Baseline(str(path)))
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["known.json"]
    baseline.save(Baseline(str(path)))
    assert baseline.load(str(path)).entries == () and path.stat().st_mode & 0o777 == 0o600


def test_split_counts() -> None:
    def found(line: int) -> Finding:
        return Finding("HIL101", "x", Severity.ERROR, Span("a.py", line, 1, line, 2), f"on line {line}", "a.f", context="f: send()")

    known = Baseline("x").renewed([found(1), found(2)], lambda entry: True)
    assert known.split([found(3), found(4), found(5)]) == ([found(5)], [found(3), found(4)])
    assert len(known.stale([found(9)], lambda entry: True)) == 1 and known.stale([found(9)], lambda entry: False) == []


# --------------------------------------------------------------------------- fingerprints
def test_no_fingerprint_depends_on_where_in_the_file_a_finding_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All fixtures, with five more lines on top."""
    fixtures = Path(__file__).parent.parent / "fixtures"
    marks: list[list[tuple[str, str, str]]] = []
    for shift in (b"", b"# one\n# two\n\n\n# five\n"):
        folder = tmp_path / f"by{len(shift)}"
        for path in sorted(fixtures.glob("HIL*/bad_*.py")):
            if path.name.endswith(".fixed.py"):
                continue
            data = path.read_bytes()
            target = folder / path.parent.name / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((b"" if data.startswith((b"#!", b"# -*-", b"\xef")) else shift) + data)
        monkeypatch.chdir(folder)
        found = run.check(run.Request(["."], Config(min_severity="note"))).findings
        marks.append([(finding.span.path, finding.code, mark) for finding, mark in zip(found, fingerprints(found))])
    assert len(marks[0]) > 200
    moved = sorted({(path, code) for path, code, _ in set(marks[0]) ^ set(marks[1])})
    assert moved == []


SWALLOWED = """    try:
        {name} = interrupt("{name}?")
    except Exception:
        {name} = None
"""
TWO = "from langgraph.types import interrupt\n\n\ndef review(state):\n{}    return state\n"
THREADS = """import threading
from langgraph.types import interrupt


def ask(text):
    interrupt(text)


def review(state):
{}    return state
"""


@pytest.mark.parametrize(("code", "program", "one"), [
    ("HIL201", TWO, SWALLOWED),
    ("HIL202", TWO.replace("\n\n\n", "\nfrom contextlib import suppress\n\n\n", 1), '    with suppress(Exception):\n        {name} = interrupt("{name}?")\n'),
    ("HIL204", THREADS, '    threading.Thread(target=ask, args=("{name}",)).start()\n'),
])
def test_two_questions_that_get_lost_in_one_function_are_told_apart(here: Path, lint: Any, code: str, program: str, one: str) -> None:
    """Whatever comes before or goes away: the mark of each is its own."""
    def write(*names: str) -> dict[str, str]:
        (here / "a.py").write_text(program.format("".join(one.format(name=name) for name in names)))
        found = json.loads(lint("--select", code, "--output-format", "json", "--min-severity", "note").out)["findings"]
        assert len(found) == len(names)
        return {name: next(f["fingerprint"] for f in found if f["line"] == 1 + next(n for n, line in enumerate((here / "a.py").read_text().splitlines()) if f'"{name}' in line))
                for name in names}

    both = write("first", "second")
    assert len(set(both.values())) == 2
    assert write("second") == {"second": both["second"]} and write("zeroth", "second")["second"] == both["second"]
    lint(*FILE, "--select", code, "--min-severity", "note", "--write-baseline")
    write("first", "second")
    done = lint(*FILE, "--select", code, "--min-severity", "note")
    assert done.out.count(code) == 1 and "is gone" in done.err  # "zeroth" is, and "first" is new
