"""The command line: exit status, streams, one-line errors, pages about the tool."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hitl_lint import __version__, cli, rules
from hitl_lint.frontend import discover

BAD = """\
import httpx
from langgraph.types import interrupt


def review(state):
    httpx.post("https://mail.example/send", json={"to": state["to"]})
    return {"answer": interrupt("ok?")}
"""
NOTE = """\
from langgraph.types import interrupt


def review(state):
    if state["risky"]:
        return {"answer": interrupt("ok?")}
    return {}
"""
PACKAGE = str(Path(cli.__file__).parent.parent)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@dataclass
class Outcome:
    status: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """stderr, which must be one line and no traceback."""
        assert self.err.startswith("hitl-lint: ") and self.err.count("\n") == 1, self.err
        return self.err.strip().removeprefix("hitl-lint: ")


@pytest.fixture
def lint(capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*args: str) -> Outcome:
        status = cli.status(list(args))
        done = capsys.readouterr()
        return Outcome(status, done.out, done.err)

    return call


def process(*args: str, stdin: str | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "hitl_lint", *args], capture_output=True, text=True, input=stdin,
                          env={**os.environ, "PYTHONPATH": PACKAGE, **env})


# --------------------------------------------------------------------------- exit status and streams
def test_a_finding_is_one_line_on_stdout_the_summary_is_on_stderr_and_status_is_1(here: Path, lint: Any) -> None:
    (here / "a.py").write_text(BAD)
    done = lint(".")
    assert done.status == 1
    assert done.out.startswith("a.py:6:5: HIL101 ") and done.out.count("\n") == 1
    assert done.err == "Found 1 error: 1 file looked at, 1 analysed with 1 function that pauses.\n1 can be fixed with --fix --unsafe-fixes.\n"


def test_the_default_path_is_the_working_directory(here: Path, lint: Any) -> None:
    (here / "a.py").write_text(BAD)
    assert lint().out == lint(".").out != ""


def test_nothing_found_is_status_0_and_an_empty_stdout(here: Path, lint: Any) -> None:
    (here / "a.py").write_text("x = 1\n")
    done = lint(".")
    assert (done.status, done.out) == (0, "")


@pytest.mark.parametrize(("args", "status"), [
    ([], 1), (["--fail-on", "error"], 1), (["--fail-on", "never"], 0), (["--exit-zero"], 0), (["--ignore", "HIL1"], 0),
    (["--select", "HIL2,HIL3"], 0), (["--select", "HIL2", "--extend-select", "hil101"], 1), (["--min-severity", "error"], 1),
])
def test_status_by_option(here: Path, lint: Any, args: list[str], status: int) -> None:
    (here / "a.py").write_text(BAD)
    assert lint(*args).status == status


def test_a_shown_note_does_not_fail_the_run_unless_asked(here: Path, lint: Any) -> None:
    (here / "a.py").write_text(NOTE)
    done = lint(".")
    assert done.status == 0 and " HIL303 " in done.out
    assert lint(".", "--fail-on", "note").status == 1


def test_nothing_but_warnings_and_errors_fails_for_hil303_and_errors_only_hide_it(here: Path, lint: Any) -> None:
    (here / "a.py").write_text(NOTE)
    assert lint("--min-severity", "warning").out.count("HIL303") == 1
    assert lint("--min-severity", "error").out == ""


def test_select_nothing_in_the_configuration_runs_nothing_but_what_is_added(here: Path, lint: Any) -> None:
    (here / "a.py").write_text(BAD)
    (here / "hitl-lint.toml").write_text("select = []\n")
    said = "hitl-lint: no rule is selected, so nothing is looked for (--show-config says what holds here)\n"
    assert lint(".") == lint(".", "--output-format", "full") == lint(".", "--quiet") == Outcome(0, "", said)
    done = lint(".", "--output-format", "json")
    assert done.err == said and json.loads(done.out)["findings"] == []
    assert "select = []" in lint("--show-config").out
    assert "HIL101" in lint("--extend-select", "HIL1").out and "HIL101" in lint("--select", "ALL").out
    (here / "hitl-lint.toml").write_text('select = []\nextend-select = ["HIL101"]\n')
    assert "HIL101" in lint(".").out
    (here / "hitl-lint.toml").write_text("")
    assert "# select: all rules but opt-in ones\n" in lint("--show-config").out and "HIL101" in lint(".").out


def test_fail_on_note_shows_the_notes_it_fails_for(here: Path, lint: Any) -> None:
    (here / "a.py").write_text("from langgraph.types import interrupt\ndef f(state):\n    state['x'] = 1\n    return {'a': interrupt('?')}\n")
    hidden = lint(".")
    assert (hidden.status, hidden.out) == (0, "") and "1 note hidden" in hidden.err
    failing = lint(".", "--fail-on", "note")
    assert failing.status == 1 and "HIL109" in failing.out
    assert lint(".", "--fail-on", "note", "--min-severity", "warning").status == 0
    (here / "hitl-lint.toml").write_text('fail-on = "note"\n')
    assert lint(".").out == failing.out and lint(".").status == 1
    (here / "hitl-lint.toml").write_text('fail-on = "note"\nmin-severity = "warning"\n')
    assert (lint(".").status, lint(".").out) == (0, "")


def test_unparsable_candidate_is_a_finding_and_the_others_are_checked(here: Path, lint: Any) -> None:
    (here / "a.py").write_text(BAD)
    (here / "b.py").write_text(BAD + "def broken(:\n")
    done = lint(".")
    assert done.status == 1 and [line.split()[1] for line in done.out.splitlines()] == ["HIL101", "HIL901"]


def test_missing_path_is_status_2_and_the_rest_is_reported(here: Path, lint: Any) -> None:
    (here / "a.py").write_text(BAD)
    done = lint("nope.py", "a.py", "--quiet")
    assert (done.status, done.complaint) == (2, "cannot read nope.py: no such file or directory")
    assert "HIL101" in done.out


@pytest.mark.parametrize("how", ["file", "directory", "alone"])
def test_what_may_not_be_read_is_one_line_and_the_rest_is_reported(here: Path, lint: Any, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """Root may read anything, so the system's answer is made up; click's own look at permissions would come before."""
    (here / "a.py").write_text(BAD)
    (here / "shut").mkdir()
    (here / "shut" / "b.py").write_text(BAD)
    scandir, read_bytes, access = os.scandir, discover.read_bytes, os.access
    denied = PermissionError(13, "Permission denied")

    def no_scandir(path: str) -> Any:
        if str(path).startswith("shut"):
            raise denied
        return scandir(path)

    def no_read(path: str) -> bytes:
        if path.startswith("shut"):
            raise denied
        return read_bytes(path)

    monkeypatch.setattr(os, "scandir", no_scandir)
    monkeypatch.setattr(discover, "read_bytes", no_read)
    monkeypatch.setattr(os, "access", lambda path, *rest, **more: not str(path).startswith("shut") and access(path, *rest, **more))
    shut = "shut" if how == "directory" else "shut/b.py"
    done = lint(shut, *([] if how == "alone" else ["a.py", "-q"]))
    assert (done.status, done.complaint) == (2, f"cannot read {shut}: permission denied")
    assert ("HIL101" in done.out) is (how != "alone")


def test_quiet_prints_findings_only(here: Path, lint: Any) -> None:
    (here / "a.py").write_text(BAD)
    assert lint("-q").err == ""
    assert "Found" not in lint("-q", "--output-format", "full").out


# --------------------------------------------------------------------------- errors of the user
@pytest.mark.parametrize(("args", "complaint"), [
    (["--selct", "HIL1"], 'no such option --selct, did you mean "--select"?'),
    (["--min-severty=note"], 'no such option --min-severty, did you mean "--min-severity"?'),
    (["--zzzzzzz"], "no such option --zzzzzzz (--help lists them)"),
    (["-Z"], "no such option -Z (--help lists them)"),
    (["--select", "HIL1O1"], '--select: unknown rule "HIL1O1", did you mean "HIL101"?'),
    (["--ignore", "W291"], '--ignore: unknown rule "W291" (--list-rules shows them all)'),
    (["--explain", "HIL110"], '--explain: unknown rule "HIL110", did you mean "HIL1'),
    (["--explain", "HIL1"], '--explain: "HIL1" stands for several rules: HIL101, HIL102, '),
    (["--explain", "HIL999"], '--explain: unknown rule "HIL999" (--list-rules shows them all)'),
    (["--explain", "HIL777"], '--explain: unknown rule "HIL777" (--list-rules shows them all)'),
    (["--select", "foo-bar"], '--select: unknown rule "foo-bar" (--list-rules shows them all)'),
    (["--select", "Interrupt-Caught"], '--select: unknown rule "Interrupt-Caught": say its code, "HIL201"'),
    (["--select", ""], "--select: no rule is named (--list-rules shows them all)"),
    (["--select", " , "], "--select: no rule is named"),
    (["--ignore", ""], "--ignore: no rule is named"),
    (["--explain", "interupt-caught"], '--explain: unknown rule "interupt-caught", did you mean "interrupt-caught"?'),
    (["--output-format", "xml"], "invalid value for '--output-format': 'xml' is not one of 'concise', 'full', 'json', 'github', 'gitlab', 'junit', 'rdjson', 'sarif', 'html', 'mermaid'"),
    (["--jobs", "many"], "invalid value for '--jobs' / '-j': 'many' is not a valid integer range"),
    (["--select"], "option '--select' requires an argument"),
    (["--config", "nope.toml"], "cannot read nope.toml: no such file or directory"),
    (["--stdin-filename", "a.py"], "--stdin-filename is for code on stdin: add the path -"),
    (["check"], "there is no command check: use hitl-lint [PATHS]"),
    (["explain", "HIL101"], "there is no command explain: use --explain CODE"),
    (["--output-file", "no/such/dir/x"], "cannot write no/such/dir/x: no such file or directory"),
    (["--exclude", "["], '--exclude: the pattern "[" matches nothing: its [ is never closed'),
    (["--exclude", "a/[b"], '--exclude: the pattern "a/[b" matches nothing: its [ is never closed'),
    (["--exclude", "x\\"], '--exclude: the pattern "x\\" matches nothing: it ends in a lone backslash'),
    (["--exclude", "[z-a].py"], '--exclude: the pattern "[z-a].py" matches nothing: a range in its brackets runs backwards'),
    ([""], 'cannot read "": no such file or directory'),
    (["nope.py"], "cannot read nope.py: no such file or directory"),
    (["nope.py", "--output-format", "full"], "cannot read nope.py: no such file or directory"),
])
def test_wrong_use_is_one_line_and_status_2(here: Path, lint: Any, args: list[str], complaint: str) -> None:
    done = lint(*args, *(["--quiet"] if "--output-file" in args else []))
    assert done.status == 2 and done.out == ""
    assert done.complaint.startswith(complaint)


def test_configuration_error_is_one_line_and_status_2(here: Path, lint: Any) -> None:
    (here / "pyproject.toml").write_text('[tool.hitl-lint]\nselct = ["HIL1"]\n')
    done = lint(".")
    assert (done.status, done.complaint) == (2, 'pyproject.toml: unknown key "tool.hitl-lint.selct", did you mean "select"?')
    assert lint(".", "--isolated").status == 0


@pytest.mark.parametrize(("lines", "where"), [('exclude = ["["]', "exclude"), ('extend-exclude = ["ok", "["]', "extend-exclude"),
                                             ('per-file-ignores = { "[" = ["HIL1"] }', "per-file-ignores")])
def test_a_pattern_that_matches_nothing_is_a_configuration_error(here: Path, lint: Any, lines: str, where: str) -> None:
    (here / "hitl-lint.toml").write_text(lines + "\n")
    assert lint(".").complaint.startswith(f'hitl-lint.toml: {where}: the pattern "[" matches nothing: its [ is never closed')


def test_unknown_rule_in_the_configuration_is_told_even_when_nothing_is_a_candidate(here: Path, lint: Any) -> None:
    (here / "pyproject.toml").write_text('[tool.hitl-lint]\nignore = ["HIL999"]\n')
    (here / "a.py").write_text("x = 1\n")
    assert lint(".").complaint.startswith('pyproject.toml: ignore: unknown rule "HIL999"')


# --------------------------------------------------------------------------- configuration
def test_configuration_is_found_above_the_paths_and_the_command_line_goes_before_it(here: Path, lint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "proj/src").mkdir(parents=True)
    (here / "proj/src/a.py").write_text(BAD)
    (here / "proj/pyproject.toml").write_text('[tool.hitl-lint]\nignore = ["HIL1"]\n')
    assert lint("proj/src").status == 0
    assert lint("proj/src", "--isolated").status == 1
    assert lint("proj/src", "--select", "HIL101").status == 1
    (here / "other.toml").write_text('fail-on = "never"\n')
    assert lint("proj/src", "--config", "other.toml").status == 0
    monkeypatch.chdir(here / "proj/src")
    assert lint("a.py").status == 0


def test_per_file_ignores_and_excludes_are_relative_to_their_file(here: Path, lint: Any) -> None:
    (here / "proj/gen").mkdir(parents=True)
    (here / "proj/tests").mkdir()
    for name in ("gen/a.py", "tests/a.py", "a.py"):
        (here / "proj" / name).write_text(BAD)
    (here / "proj/hitl-lint.toml").write_text('extend-exclude = ["/gen"]\nper-file-ignores = { "tests" = ["HIL101"] }\n')
    assert [line.split(":")[0] for line in lint("proj").out.splitlines()] == ["proj/a.py"]
    assert lint("proj/gen/a.py").status == 1
    assert lint("proj/gen/a.py", "--force-exclude").status == 0
    assert lint("proj", "--exclude", "proj/a.py").status == 0


def test_effects_of_the_configuration_reach_the_judgement(here: Path, lint: Any) -> None:
    (here / "acme.py").write_text("def run_it(x):\n    return _native(x)\n")
    (here / "a.py").write_text("from langgraph.types import interrupt\nimport acme\ndef f(state):\n    acme.run_it(1)\n    return {'a': interrupt('?')}\n")
    assert lint(".").status == 0
    (here / "hitl-lint.toml").write_text('[effects]\n"acme.run_it" = "effect"\n')
    assert "HIL101" in lint(".").out


# --------------------------------------------------------------------------- formats
def test_html_and_mermaid_are_whole_and_the_summary_is_on_stderr(here: Path, lint: Any) -> None:
    (here / "a.py").write_text(BAD)
    for form, first, last in (("html", "<!DOCTYPE html>", "</html>\n"), ("mermaid", "flowchart TD", "\n")):
        done = lint("--output-format", form)
        assert done.status == 1 and done.out.startswith(first) and done.out.endswith(last) and done.err.startswith("Found 1 error")
        assert lint("--output-format", form, "-o", "report", "-q").out == "" and (here / "report").read_text(encoding="utf-8") == done.out
    assert "HIL101" in lint("--output-format", "html").out
    (here / "a.py").write_text("print(1)\n")
    assert lint("--output-format", "html").status == 0


def test_html_of_code_on_stdin(here: Path) -> None:
    done = process("--output-format", "html", "--stdin-filename", "s.py", "-", stdin=BAD)
    assert done.returncode == 1 and "def review(state):" in done.stdout


def test_json_is_one_document_with_the_summary_and_nothing_on_stderr(here: Path, lint: Any) -> None:
    (here / "a.py").write_text(BAD)
    done = lint("--output-format", "json")
    document = json.loads(done.out)
    assert (done.status, done.err, document["version"]) == (1, "", __version__)
    assert [f["code"] for f in document["findings"]] == ["HIL101"] and document["findings"][0]["function"].endswith("review")
    assert set(document["summary"]) == {"files_found", "files_analysed", "errors", "warnings", "notes", "hidden_notes", "suppressed",
                                        "unresolved_calls_in_zones", "baselined", "pausing_functions", "graphs"}
    assert document["summary"]["files_found"] == document["summary"]["errors"] == 1


def test_json_without_findings_has_the_same_shape(here: Path, lint: Any) -> None:
    document = json.loads(lint("--output-format", "json").out)
    assert document["findings"] == [] and document["summary"]["files_found"] == 0


def test_output_file_takes_the_report(here: Path, lint: Any) -> None:
    (here / "a.py").write_text(BAD)
    done = lint("-o", "report.txt")
    assert done.out == "" and (here / "report.txt").read_text().startswith("a.py:6:5: HIL101")


@pytest.mark.parametrize(("name", "begins"), [
    ("r.html", "<!DOCTYPE html>"), ("R.HTM", "<!DOCTYPE html>"), ("r.json", '{\n'), ("r.sarif", '{\n'), ("a.sarif.json", '{\n'), ("r.xml", "<?xml"), ("r.rdjson", '{\n'),
    ("r.mmd", "flowchart TD"), ("r.txt", "a.py:6:5: HIL101"), ("html", "a.py:6:5: HIL101"), (".html.d", "a.py:6:5: HIL101"), ("r.md", "a.py:6:5: HIL101")])
def test_the_name_of_the_output_file_says_the_format_unless_one_is_given(here: Path, lint: Any, name: str, begins: str) -> None:
    (here / "a.py").write_text(BAD)
    assert lint("-o", name).out == "" and (here / name).read_text(encoding="utf-8").startswith(begins)
    assert ('"$schema"' in (here / name).read_text()) is ("sarif" in name) and ('"summary"' in (here / name).read_text()) is (name == "r.json")
    lint("-o", name, "--output-format", "concise")
    assert (here / name).read_text().startswith("a.py:6:5: HIL101")


def test_the_name_of_the_output_file_says_the_format_of_what_is_left_after_fixes(here: Path, lint: Any) -> None:
    (here / "a.py").write_text(BAD)
    assert lint("--fix", "-o", "r.json").out == "" and json.loads((here / "r.json").read_text())["findings"]
    (here / "b.py").write_text("from langgraph.types import interrupt\n\ndef f(s):\n    try:\n        return interrupt('?')\n    except Exception:\n        return {}\n")
    lint("--diff", "-o", "r.html")  # a patch is a patch, whatever it is called
    assert (here / "r.html").read_text().startswith("--- a/b.py")
    done = process("--fix", "-", "-o", "left.json", stdin=BAD)
    assert done.stdout == BAD and json.loads((here / "left.json").read_text())["findings"][0]["code"] == "HIL101"


@pytest.mark.parametrize("args", [["--select", "HIL101", "--ignore", "HIL101"], ["--ignore", "ALL"], ["--ignore", "HIL"], ["--select", "HIL1", "--ignore", "HIL1", "--fix"]])
def test_a_command_that_leaves_no_rule_says_so_and_does_not_say_that_nothing_is_there(here: Path, lint: Any, args: list[str]) -> None:
    (here / "a.py").write_text(BAD)
    assert lint(*args) == Outcome(0, "", "hitl-lint: no rule is selected, so nothing is looked for (--show-config says what holds here)\n")
    assert "no rule is selected" not in lint("--ignore", "HIL1").err + lint("--select", "HIL506").err + lint("--ignore", "ALL", "--extend-select", "HIL101").err


@pytest.mark.parametrize("form", ["json", *cli.MACHINE_FORMATS, *cli.DRAWN])
@pytest.mark.parametrize("flags", [["--diff"], ["--diff", "--fix"], ["--diff", "--add-noqa"]])
def test_a_diff_is_a_patch_and_nothing_that_another_format_asks_for(here: Path, lint: Any, form: str, flags: list[str]) -> None:
    (here / "a.py").write_text(BAD)
    assert lint(*flags, "--output-format", form) == Outcome(2, "", f"hitl-lint: --diff prints a patch and no {form}: leave out one of --diff and --output-format\n")
    assert lint(*flags, "--output-format", "full").status != 2 and lint(*flags, "--output-format", "concise").status != 2
    assert (here / "a.py").read_text() == BAD


def test_full_format_shows_frame_help_and_summary_on_stdout(here: Path, lint: Any) -> None:
    (here / "a.py").write_text(BAD)
    done = lint("--output-format", "full")
    assert "^^^^" in done.out and "pauses here" in done.out and "help:" in done.out and "\x1b" not in done.out
    assert done.out.endswith("Found 1 error: 1 file looked at, 1 analysed with 1 function that pauses.\n1 can be fixed with --fix --unsafe-fixes.\n") and done.err == ""
    assert "\x1b[" in lint("--output-format", "full", "--color", "always").out


def test_statistics_count_rules_and_unresolved_calls_away_from_the_findings(here: Path, lint: Any) -> None:
    (here / "a.py").write_text(BAD + "\n\ndef again(state):\n    httpx.post('https://x')\n    return {'answer': interrupt('ok?')}\n")
    done = lint("--statistics")
    assert all(" HIL101 " in line for line in done.out.splitlines())
    assert "    2  HIL101  effect-before-interrupt\n" in done.err and "could not be looked up" in done.err


def test_statistics_say_how_many_files_were_parsed_and_how_many_were_read_besides(here: Path, lint: Any) -> None:
    (here / "pyproject.toml").write_text("")
    (here / "helper.py").write_text("def lookup(x):\n    return x\n")
    (here / "a.py").write_text("from helper import lookup\n" + BAD.replace("    httpx", "    lookup(1)\n    httpx"))
    assert lint("a.py", "--statistics").err.splitlines()[-3] == "    1  of 1 file looked at was parsed, and 1 that it imports"
    (here / "b.py").write_text("x = 1\n")
    assert lint("--statistics").err.splitlines()[-3] == "    1  of 3 files looked at was parsed, and 1 that it imports"
    assert lint("b.py", "--statistics").err.splitlines()[-2] == "    0  of 1 file looked at were parsed"


def test_statistics_count_only_calls_of_which_nothing_is_known(here: Path, lint: Any) -> None:
    (here / "a.py").write_text("""\
from langgraph.types import interrupt
import acme


class Node:
    def __init__(self):
        self.seen = []

    def run(self, state, names: list):
        out = []
        out.append(1)
        self.seen.extend([2])
        parts = "a b".split()
        parts.append("x")
        names.append(1)
        {}.setdefault("a", []).append(3)
        state["messages"].append("x")
        f"{out}".ljust(3).center(9)
        acme.frob(1)
        self.store.add(2)
        acme.rows.append(1)
        return {"x": interrupt("?")}
""")
    told = lint("--statistics").err
    assert "    3  calls in replay zones that could not be looked up\n" in told
    for callee in ("acme.frob", "self.store.add", "acme.rows.append"):
        assert f"1  {callee}\n" in told


# --------------------------------------------------------------------------- stdin
def test_stdin_with_a_file_name(here: Path) -> None:
    done = process("-", "--stdin-filename", "src/a.py", stdin=BAD)
    assert done.returncode == 1 and done.stdout.startswith("src/a.py:6:5: HIL101")


def test_stdin_resolves_imports_of_the_project_around_the_file_name(here: Path) -> None:
    (here / "pyproject.toml").write_text("")
    (here / "src").mkdir()
    (here / "src/hitl.py").write_text("from langgraph.types import interrupt\ndef ask(q):\n    return interrupt(q)\n")
    code = "import httpx\nfrom hitl import ask  # asks by interrupt() of langgraph\ndef f(state):\n    httpx.post('https://x')\n    return {'a': ask('?')}\n"
    done = process("-", "--stdin-filename", "src/a.py", stdin=code)
    assert done.stdout.startswith("src/a.py:4:5: HIL101"), done


def test_stdin_without_a_name_is_called_dash(here: Path) -> None:
    assert process("-", stdin=BAD).stdout.startswith("-:6:5: HIL101")


def test_excluded_stdin_is_silent_with_force_exclude(here: Path) -> None:
    assert process("-", "--stdin-filename", "build/a.py", stdin=BAD).returncode == 1
    assert process("-", "--stdin-filename", "build/a.py", "--force-exclude", stdin=BAD).returncode == 0


# --------------------------------------------------------------------------- terminal, pipes, signals
def test_full_with_colour_is_the_default_on_a_terminal(here: Path, monkeypatch: pytest.MonkeyPatch, lint: Any) -> None:
    (here / "a.py").write_text(BAD)

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for env, coloured in ({}, True), ({"NO_COLOR": "1"}, False):
        with monkeypatch.context() as patched:
            patched.delenv("NO_COLOR", raising=False)
            for name, value in env.items():
                patched.setenv(name, value)
            screen = Terminal()
            patched.setattr(sys, "stdout", screen)
            assert cli.status(["."]) == 1
        assert ("\x1b[" in screen.getvalue()) is coloured and "pauses here" in screen.getvalue()


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_a_closed_pipe_is_no_error(here: Path) -> None:
    for n in range(300):
        (here / f"a{n}.py").write_text(BAD)
    done = subprocess.run(f"{sys.executable} -m hitl_lint --output-format full -q | head -n 1", shell=True, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": PACKAGE})
    assert done.stdout.count("\n") == 1 and done.stderr == ""


def shell(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command.replace("hitl-lint", f"{sys.executable} -m hitl_lint"), shell=True, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": PACKAGE})


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("args", ["a.py", "a.py --output-format full", "a.py --output-format json -q", "--list-rules", "--list-rules --output-format json",
                                  "--explain HIL101", "--show-config", "--help", "--version"])
def test_a_full_disk_is_one_line_and_status_2(here: Path, args: str) -> None:
    (here / "a.py").write_text(BAD)
    done = shell(f"hitl-lint {args} >/dev/full")
    assert (done.returncode, done.stderr) == (2, "hitl-lint: cannot write to stdout: no space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_closed_streams_are_one_line_and_status_2(here: Path) -> None:
    (here / "a.py").write_text(BAD)
    (here / "b.py").write_text("x = 1\n")
    for args in ("a.py", "--list-rules", "--explain HIL101"):
        done = shell(f"hitl-lint {args} >&-")
        assert (done.returncode, done.stderr) == (2, "hitl-lint: cannot write to stdout: it is closed\n")
    done = shell("hitl-lint - <&-")
    assert (done.returncode, done.stderr) == (2, "hitl-lint: cannot read stdin: it is closed\n")
    assert shell("hitl-lint b.py -q >&-").returncode == 0
    assert shell("hitl-lint a.py 2>&-").returncode == 1
    assert shell("hitl-lint a.py -o report.txt >&-").returncode == 1 and "HIL101" in (here / "report.txt").read_text()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_nobody_reads_stderr(here: Path) -> None:
    (here / "a.py").write_text(BAD)
    done = shell("hitl-lint a.py 2>/dev/full")
    assert done.returncode == 1 and "HIL101" in done.stdout


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize("args", ["--list-rules", "--explain HIL101", "--help", "a.py"])
def test_a_reader_that_leaves_is_no_error(here: Path, args: str) -> None:
    (here / "a.py").write_text(BAD)
    assert shell(f"hitl-lint {args} -q | true").stderr == ""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems keep the directory")
@pytest.mark.parametrize("args", ["", "a.py", "/tmp"])
def test_a_deleted_working_directory_is_one_line(here: Path, args: str) -> None:
    gone = here / "gone"
    gone.mkdir()
    done = shell(f"cd {gone} && rmdir {gone} && hitl-lint {args}")
    assert (done.returncode, done.stderr) == (2, "hitl-lint: cannot read the working directory: no such file or directory\n")
    assert shell(f"mkdir {gone}; cd {gone} && rmdir {gone} && hitl-lint --list-rules").returncode == 0


def test_interrupted_by_the_keyboard_is_130_without_a_traceback(here: Path, monkeypatch: pytest.MonkeyPatch, lint: Any) -> None:
    from hitl_lint import run

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "check", stop)
    done = lint(".")
    assert done.status == 130 and "Traceback" not in done.err


def test_odd_paths_do_not_break_a_poor_terminal(here: Path) -> None:
    (here / "é “x”.py").write_text(BAD)
    done = process(".", PYTHONIOENCODING="ascii")
    assert done.returncode == 1 and done.stdout.isascii() and "HIL101" in done.stdout


# --------------------------------------------------------------------------- pages
def test_version(lint: Any) -> None:
    assert lint("--version").out == f"hitl-lint {__version__}\n"


def test_help_names_every_option_and_the_exit_status(lint: Any) -> None:
    page = lint("--help").out
    for option in ("--select", "--ignore", "--extend-select", "--min-severity", "--fail-on", "--output-format", "--output-file", "--config", "--isolated",
                   "--no-cache", "--cache-dir", "--jobs", "--statistics", "--quiet", "--color", "--explain", "--list-rules", "--show-config", "--exclude",
                   "--force-exclude", "--exit-zero", "--stdin-filename", "--version", "--baseline", "--write-baseline", "--add-noqa"):
        assert option in page
    assert "Exit status" in page


def test_list_rules_has_a_line_a_rule(lint: Any) -> None:
    assert [line.split()[0] for line in lint("--list-rules").out.splitlines()] == [rule.meta.code for rule in rules.all_rules()]
    assert {row["code"] for row in json.loads(lint("--list-rules", "--output-format", "json").out)} == {rule.meta.code for rule in rules.all_rules()}


def test_pages_name_every_severity_that_a_rule_can_have(lint: Any) -> None:
    line = next(line for line in lint("--list-rules").out.splitlines() if line.startswith("HIL301"))
    assert " error, warning or note  " in line
    row = next(row for row in json.loads(lint("--list-rules", "--output-format", "json").out) if row["code"] == "HIL304")
    assert (row["severity"], row["also"]) == ("warning", ["error", "note"])
    assert lint("--explain", "HIL202").out.startswith("HIL202 interrupt-diverted (error or warning)\n")


def test_explain_prints_the_page_by_code_or_name(lint: Any) -> None:
    by_code = lint("--explain", "hil201")
    assert by_code.status == 0 and by_code.out == lint("--explain", "interrupt-caught").out
    assert by_code.out.startswith("HIL201 interrupt-caught (error)\n\n") and "How to fix" in by_code.out


def test_show_config_can_be_read_back(here: Path, lint: Any) -> None:
    (here / "pyproject.toml").write_text('[tool.hitl-lint]\nignore = ["HIL303"]\nlanggraph = "1.2.24"\n'
                                         'per-file-ignores = { "a\\"b" = ["HIL1"] }\neffects = { "a.b" = "safe" }\n')
    page = lint("--show-config").out
    assert page.startswith("# from pyproject.toml\n") and 'ignore = ["HIL303"]' in page
    (here / "hitl-lint.toml").write_text(page)
    assert lint("--show-config").out.split("\n")[1:] == page.split("\n")[1:]
