"""The driver, with rules made for the purpose: what is parsed, what competes, what is suppressed, what a failure costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

from hitl_lint import facts, rules, run
from hitl_lint.config import Config
from hitl_lint.finding import Finding, Severity, Span
from hitl_lint.frontend import discover
from hitl_lint.rules import Meta, Rule
from hitl_lint.run import Request, Result

PAUSE = "from langgraph.types import interrupt\n"


def calls_of(name: str, meta: Meta) -> Rule:
    """A rule that reports every call of `name`."""

    def check(project: Any) -> Iterator[Finding]:
        for module in project.candidates:
            for node in facts.walk(module.facts, into_functions=True):
                if type(node) is facts.Call and facts.dotted(node.func) == name:
                    yield Finding(meta.code, meta.name, meta.severity, project.span(module, node.at), f"{name} is called")

    return Rule(meta, "", check)


def meta(code: str, severity: Severity = Severity.ERROR, **more: Any) -> Meta:
    return Meta(code=code, name=f"rule-{code}", severity=severity, summary="", **more)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def with_rules(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Replaces all rules but the linter's own."""
    own = [rule for rule in rules.all_rules() if rule.meta.code.startswith("HIL9")]

    def use(*made: Rule) -> None:
        monkeypatch.setattr(rules, "all_rules", lambda: (*made, *own))

    return use


def check(*paths: str, **request: Any) -> Result:
    return run.check(Request(paths or (".",), **request))


def shown(result: Result) -> list[tuple[str, int, str]]:
    return [(f.span.path, f.span.line, f.code) for f in result.findings]


# --------------------------------------------------------------------------- what is parsed
def test_nothing_is_parsed_and_libcst_not_imported_when_nothing_is_a_candidate(here: Path) -> None:
    """The budget of a commit hook; also: no rule, no analysis, nothing that costs start-up time."""
    (here / "a.py").write_text("import os\n")
    (here / "b.py").write_text("raise KeyboardInterrupt\n")
    script = ("import sys; from hitl_lint import cli; code = cli.status(['.']); "
              "print(code, sorted(m for m in sys.modules if m.split('.')[0] in "
              "('libcst', 'rich', 'pygls', 'pathspec', 'tomllib', 'json', 'dataclasses', 'multiprocessing') "
              "or m.startswith(('hitl_lint.rules', 'hitl_lint.analysis', 'hitl_lint.catalogue', 'hitl_lint.facts', 'hitl_lint.finding'))))")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(Path(run.__file__).parent.parent)})
    assert done.stdout.strip() == "0 []", done.stderr


def test_metadata_matchers_and_visitors_stay_unloaded_in_a_run_that_parses(here: Path) -> None:
    (here / "a.py").write_text(PAUSE + "def f(s):\n    return {'x': interrupt('?')}\n")
    script = ("import sys; from hitl_lint import cli; cli.status(['.', '--output-format', 'json']); "
              "print('libcst' in sys.modules, sorted({'libcst.matchers', 'libcst.codemod'} & set(sys.modules)), file=sys.stderr)")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(Path(run.__file__).parent.parent)})
    assert done.stderr.strip().endswith("True []")


def test_only_candidates_are_parsed(here: Path, with_rules: Callable[..., None]) -> None:
    with_rules()
    for n in range(5):
        (here / f"plain{n}.py").write_text("x = 1\n")
    (here / "broken.py").write_text("def f(:\n")
    (here / "node.py").write_text(PAUSE)
    result = check()
    assert (result.files_found, result.files_analysed, result.files_read, shown(result)) == (7, 1, 1, [])


def test_a_helper_outside_the_linted_paths_is_read_on_demand_and_not_reported(here: Path, with_rules: Callable[..., None]) -> None:
    (here / "pyproject.toml").write_text("")
    (here / "helper.py").write_text(PAUSE + "def ask(q):\n    bad()\n    return interrupt(q)\n")
    (here / "node.py").write_text("from langgraph.graph import StateGraph  # interrupt\nfrom helper import ask\ndef node(s):\n    bad()\n    return ask('?')\n")
    with_rules(calls_of("bad", meta("HIL101")))
    assert shown(check("node.py")) == [("node.py", 4, "HIL101")]
    assert shown(check()) == [("helper.py", 3, "HIL101"), ("node.py", 4, "HIL101")]


def test_a_caller_that_never_mentions_a_pause_is_found_through_the_function_it_imports(here: Path, with_rules: Callable[..., None]) -> None:
    (here / "hitl.py").write_text(PAUSE + "def ask(q):\n    return interrupt(q)\n")
    (here / "middle.py").write_text("import hitl\ndef confirm(q):\n    return hitl.ask(q)\n")
    (here / "node.py").write_text("from middle import confirm\ndef node(s):\n    bad()\n    return confirm('?')\n")
    (here / "other.py").write_text("def confirm(q):\n    bad()\n")
    with_rules(calls_of("bad", meta("HIL101")))
    result = check()
    assert shown(result) == [("node.py", 3, "HIL101")]
    assert result.files_read == 3


def test_gate_off_reads_everything(here: Path, with_rules: Callable[..., None]) -> None:
    with_rules()
    (here / "plain.py").write_text("x = 1\n")
    (here / "broken.py").write_text("def f(:\n")
    result = check(gate=False)
    assert (result.files_read, shown(result)) == (2, [("broken.py", 1, "HIL901")])


# --------------------------------------------------------------------------- who speaks
def test_the_strongest_of_a_family_speaks_on_a_line(here: Path, with_rules: Callable[..., None]) -> None:
    with_rules(calls_of("a", meta("HIL101", family="zone", rank=1)), calls_of("b", meta("HIL104", family="zone", rank=2)),
               calls_of("c", meta("HIL201", family="signal", rank=1)))
    (here / "x.py").write_text(PAUSE + "a(b())\na()\nb(c(b()))\n")
    assert shown(check()) == [("x.py", 2, "HIL104"), ("x.py", 3, "HIL101"), ("x.py", 4, "HIL104"), ("x.py", 4, "HIL201"), ("x.py", 4, "HIL104")]


def test_equal_findings_count_once(here: Path, with_rules: Callable[..., None]) -> None:
    rule = calls_of("a", meta("HIL101"))
    with_rules(Rule(rule.meta, "", lambda project: (f for _ in range(3) for f in rule.check(project))))
    (here / "x.py").write_text(PAUSE + "a()\n")
    assert shown(check()) == [("x.py", 2, "HIL101")]


def test_a_rule_that_was_not_selected_does_not_silence_another(here: Path, with_rules: Callable[..., None]) -> None:
    with_rules(calls_of("a", meta("HIL101", family="zone", rank=1)), calls_of("a", meta("HIL104", family="zone", rank=2)))
    (here / "x.py").write_text(PAUSE + "a()\n")
    assert shown(check()) == [("x.py", 2, "HIL104")]
    assert shown(check(config=Config(ignore=("HIL104",)))) == [("x.py", 2, "HIL101")]


def test_findings_are_sorted_by_path_line_and_column(here: Path, with_rules: Callable[..., None]) -> None:
    with_rules(calls_of("b", meta("HIL102")), calls_of("a", meta("HIL101")))
    (here / "z.py").write_text(PAUSE + "a()\n")
    (here / "c.py").write_text(PAUSE + "x(b(), a())\na()\n")
    assert shown(check()) == [("c.py", 2, "HIL102"), ("c.py", 2, "HIL101"), ("c.py", 3, "HIL101"), ("z.py", 2, "HIL101")]


@pytest.mark.parametrize(("least", "codes", "hidden"), [("warning", ["HIL101", "HIL102", "HIL303"], 1), ("note", ["HIL101", "HIL102", "HIL109", "HIL303"], 0),
                                                        ("error", ["HIL101"], 2)])
def test_notes_are_hidden_and_counted_except_those_shown_always(here: Path, with_rules: Callable[..., None], least: str, codes: list[str], hidden: int) -> None:
    with_rules(calls_of("a", meta("HIL101")), calls_of("a", meta("HIL102", Severity.WARNING)), calls_of("a", meta("HIL109", Severity.NOTE)),
               calls_of("a", meta("HIL303", Severity.NOTE, shown=True)))
    (here / "x.py").write_text(PAUSE + "a()\n")
    result = check(config=Config(min_severity=least))
    assert [f.code for f in result.findings] == codes and result.hidden_notes == hidden


# --------------------------------------------------------------------------- suppressions
@pytest.mark.parametrize(("comment", "silent"), [
    ("# noqa", True), ("# noqa: HIL101", True), ("# noqa: HIL1", True), ("# noqa: E501", False), ("# hitl-lint: ignore[HIL101] it may", True),
])
def test_comment_on_the_line(here: Path, with_rules: Callable[..., None], comment: str, silent: bool) -> None:
    with_rules(calls_of("a", meta("HIL101")))
    (here / "x.py").write_text(PAUSE + f"a()  {comment}\n")
    result = check()
    assert (shown(result), result.suppressed) == (([], 1) if silent else ([("x.py", 2, "HIL101")], 0))


def test_comment_behind_the_last_line_of_the_statement(here: Path, with_rules: Callable[..., None]) -> None:
    with_rules(calls_of("a", meta("HIL101")))
    (here / "x.py").write_text(PAUSE + "a(\n    1,\n)  # noqa: HIL101\n")
    assert shown(check()) == []


def test_skip_file(here: Path, with_rules: Callable[..., None]) -> None:
    with_rules(calls_of("a", meta("HIL101")))
    (here / "x.py").write_text("# hitl-lint: skip-file\n" + PAUSE + "a()\n")
    result = check()
    assert (shown(result), result.suppressed) == ([], 1)


def test_suppression_that_suppresses_nothing_is_told(here: Path, with_rules: Callable[..., None]) -> None:
    with_rules(calls_of("a", meta("HIL101")), calls_of("b", meta("HIL102")))
    (here / "x.py").write_text(PAUSE + "c()  # noqa: HIL101\na()  # noqa: HIL101\nc()  # noqa\nc()  # noqa: E501\n")
    assert shown(check()) == [("x.py", 2, "HIL902")]
    # … but not when its rule did not run: it may be needed by the next run that does.
    assert shown(check(config=Config(ignore=("HIL101",)))) == []


@pytest.mark.parametrize(("comment", "message"), [
    ("# noqa: HIL101", "`# noqa: HIL101` suppresses nothing: delete it, or it will hide the next HIL101 here"),
    ("# noqa: HIL101, HIL102", "`# noqa: HIL101, HIL102` suppresses nothing: delete it, or it will hide the next HIL101 or HIL102 here"),
    ("# noqa: E501, HIL101", "HIL101 in `# noqa: E501, HIL101` suppresses nothing: delete it, or it will hide the next HIL101 here"),
    ("# noqa: E501, HIL101, HIL102", "HIL101 and HIL102 in `# noqa: E501, HIL101, HIL102` suppress nothing: delete it, or it will hide the next HIL101 or HIL102 here"),
    ("# hitl-lint: ignore", "`# hitl-lint: ignore` suppresses nothing: delete it, or it will hide whatever comes here"),
    ("# noqa: HIL999", "`HIL999` in `# noqa: HIL999` suppresses nothing: there is no such rule"),
    ("# noqa: HIL105", "`HIL105` in `# noqa: HIL105` suppresses nothing: there is no such rule, did you mean \"HIL101\"?"),
    ("# noqa: HIL777", "`HIL777` in `# noqa: HIL777` suppresses nothing: there is no such rule"),
])
def test_what_is_said_of_a_suppression_that_suppresses_nothing(here: Path, with_rules: Callable[..., None], comment: str, message: str) -> None:
    with_rules(calls_of("a", meta("HIL101")), calls_of("b", meta("HIL102")))
    (here / "x.py").write_text(PAUSE + f"c()  {comment}\n")
    assert [f.message for f in check().findings] == [message]


def test_a_comment_for_all_rules_is_idle_only_where_all_have_run(here: Path, with_rules: Callable[..., None]) -> None:
    with_rules(calls_of("a", meta("HIL101")), calls_of("b", meta("HIL102")))
    (here / "x.py").write_text(PAUSE + "c()  # hitl-lint: ignore\n")
    assert [f.code for f in check().findings] == ["HIL902"]
    for some in (Config(select=("HIL9",)), Config(ignore=("HIL101",))):
        assert check(config=some).findings == []



def test_malformed_comment_is_told_and_suppresses_nothing(here: Path, with_rules: Callable[..., None]) -> None:
    with_rules(calls_of("a", meta("HIL101")))
    (here / "x.py").write_text(PAUSE + "a()  # hitl-lint: ignore HIL101\n")
    assert shown(check()) == [("x.py", 2, "HIL101"), ("x.py", 2, "HIL903")]


def test_per_file_ignores(here: Path, with_rules: Callable[..., None]) -> None:
    with_rules(calls_of("a", meta("HIL101")), calls_of("a", meta("HIL201")))
    (here / "tests/unit").mkdir(parents=True)
    for name in ("x.py", "tests/unit/y.py"):
        (here / name).write_text(PAUSE + "a()\n")
    config = Config(per_file_ignores=(("tests/*", ("HIL1",)), ("x.py", ("ALL",))), root=str(here))
    assert shown(check(config=config)) == [("tests/unit/y.py", 2, "HIL201")]


# --------------------------------------------------------------------------- notebooks
def notebook(*cells: str) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "source": cell.splitlines(keepends=True), "metadata": {}, "outputs": []} for cell in cells],
                       "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5})


def test_notebook_lines_count_inside_the_cell_and_suppressions_hit(here: Path, with_rules: Callable[..., None]) -> None:
    with_rules(calls_of("a", meta("HIL101")))
    (here / "n.ipynb").write_text(notebook(PAUSE, "%matplotlib inline\na()\n", "x = 1\na()  # noqa: HIL101\ny = 2  # noqa: HIL101\n"))
    result = check()
    assert [(f.code, f.span.cell, f.span.line) for f in result.findings] == [("HIL101", 1, 2), ("HIL902", 2, 3)]
    assert result.suppressed == 1


def test_a_broken_cell_is_told_as_a_cell_and_the_others_are_checked(here: Path, with_rules: Callable[..., None]) -> None:
    with_rules(calls_of("a", meta("HIL101")))
    (here / "n.ipynb").write_text(notebook(PAUSE, "x = (\n", "a()\n", "graph.get_state(config).next?\n"))
    told = [(f.code, f.span.cell, f.message) for f in check().findings]
    assert [row[:2] for row in told] == [("HIL901", 1), ("HIL101", 2)]
    assert told[0][2].startswith("nothing in this cell was checked: syntax error: ")
    (here / "n.ipynb").write_text("[\"langgraph interrupt\"]")
    assert check().findings[0].message.startswith("nothing in this file was checked: ")


# --------------------------------------------------------------------------- stdin
def test_stdin_stands_for_its_file(here: Path, with_rules: Callable[..., None]) -> None:
    with_rules(calls_of("a", meta("HIL101")))
    (here / "x.py").write_text(PAUSE)
    result = run.check(Request([], stdin=(PAUSE + "\na()\n").encode(), stdin_path="x.py"))
    assert shown(result) == [("x.py", 3, "HIL101")]
    both = run.check(Request(["."], stdin=(PAUSE + "a()\n").encode(), stdin_path="./x.py"))
    assert (shown(both), both.files_found) == ([("x.py", 2, "HIL101")], 1)


# --------------------------------------------------------------------------- failures
def test_a_rule_that_fails_costs_neither_the_run_nor_the_other_rules(here: Path, with_rules: Callable[..., None]) -> None:
    def failing(project: Any) -> Iterator[Finding]:
        for module in project.candidates:
            yield Finding("HIL102", "x", Severity.ERROR, Span(module.path, 1, 1, 1, 2), "before")
            _ = module.facts
            raise KeyError("deep\ntrouble")

    with_rules(calls_of("a", meta("HIL101")), Rule(meta("HIL102"), "", failing))
    (here / "x.py").write_text(PAUSE + "a()\n")
    result = check()
    assert shown(result) == [("x.py", 1, "HIL102"), ("x.py", 2, "HIL101")]
    assert result.failed and len(result.complaints) == 1
    assert result.complaints[0].startswith("internal error in HIL102") and "\n" not in result.complaints[0] and result.complaints[0].endswith("please report")


def test_unreadable_file_met_on_the_way_is_told_and_costs_nothing_else(here: Path, with_rules: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    with_rules(calls_of("a", meta("HIL101")))
    (here / "x.py").write_text(PAUSE + "a()\n")
    (here / "shut.py").write_text(PAUSE)
    plain = discover.read_bytes

    def read(path: str) -> bytes:
        if path == "shut.py":
            raise PermissionError(13, "Permission denied", path)
        return plain(path)

    monkeypatch.setattr(discover, "read_bytes", read)
    result = check()
    assert (shown(result), result.complaints, result.failed) == ([("x.py", 2, "HIL101")], ("cannot read shut.py: permission denied",), False)
    assert check("shut.py").failed


def test_missing_named_path_fails_the_run_and_the_rest_is_checked(here: Path, with_rules: Callable[..., None]) -> None:
    with_rules(calls_of("a", meta("HIL101")))
    (here / "x.py").write_text(PAUSE + "a()\n")
    result = check("nope.py", "x.py")
    assert (shown(result), result.complaints, result.failed) == ([("x.py", 2, "HIL101")], ("cannot read nope.py: no such file or directory",), True)


BAD_INPUT = {
    "syntax_error": (PAUSE + "def f(:\n").encode(),
    "unclosed": (PAUSE + "x = interrupt((1,\n").encode(),
    "unknown_encoding": b"# -*- coding: klingon -*-\n" + PAUSE.encode(),
    "wrong_encoding": b"# interrupt(\nx = '\xff'\nfrom langgraph.types import interrupt\n",
    "nul": PAUSE.encode() + b"\0",
    "brackets": PAUSE.encode() + b"x = " + b"(" * 2000 + b")" * 2000 + b"\n",
    "unclosed_brackets": PAUSE.encode() + b"x = " + b"[" * 200_000,
    "nested_calls": PAUSE.encode() + b"x = " + b"f(" * 2000 + b")" * 2000 + b"\n",
    "minus_signs": PAUSE.encode() + b"x = " + b"-" * 20_000 + b"1\n",
    "nested_ifs": (PAUSE + "".join("  " * n + "if x:\n" for n in range(400)) + "  " * 400 + "pass\n").encode(),
    "long_elif": (PAUSE + "if x:\n    pass\n" + "elif x:\n    pass\n" * 3000).encode(),
    "long_sum": (PAUSE + "x = " + " + ".join(["y"] * 5000) + "\n").encode(),
    "long_chain": (PAUSE + "x = y" + ".z()" * 3000 + "\n").encode(),
    "only_bom": b"\xef\xbb\xbf# interrupt( langgraph\n",
}


@pytest.mark.parametrize("name", BAD_INPUT)
def test_bad_input_is_at_most_one_finding_and_never_a_crash(here: Path, with_rules: Callable[..., None], name: str) -> None:
    """In a process of its own: a parser that overflows its stack takes the process with it."""
    (here / "bad.py").write_bytes(BAD_INPUT[name])
    (here / "good.py").write_text(PAUSE + "x = 1  # noqa: HIL101\n")
    done = subprocess.run([sys.executable, "-m", "hitl_lint", "--output-format", "json", "--isolated", "."], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(Path(run.__file__).parent.parent)})
    assert done.returncode in (0, 1), done.stderr
    found = json.loads(done.stdout)["findings"]
    assert [f["code"] for f in found if f["path"] == "good.py"] == ["HIL902"]
    bad = [f for f in found if f["path"] == "bad.py"]
    assert [f["code"] for f in bad] in ([], ["HIL901"])
    expected = name in ("syntax_error", "unclosed", "unknown_encoding", "wrong_encoding", "nul", "brackets", "unclosed_brackets", "nested_calls")
    assert bool(bad) or not expected


def test_malformed_notebook_is_a_finding(here: Path, with_rules: Callable[..., None]) -> None:
    with_rules()
    (here / "n.ipynb").write_text('{"cells": [ "langgraph interrupt"')
    (here / "m.ipynb").write_text('["langgraph interrupt"]')
    assert [(path, code) for path, _, code in shown(check())] == [("m.ipynb", "HIL901"), ("n.ipynb", "HIL901")]


def test_five_megabytes_of_generated_code(here: Path, with_rules: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no needle, so nobody waits for it; the file next to it is checked."""
    with_rules(calls_of("a", meta("HIL101")))
    (here / "gen.py").write_text("x = [1, 2, 3]\n" * 360_000)
    (here / "x.py").write_text(PAUSE + "a()\n")
    result = check()
    assert (shown(result), result.files_read) == ([("x.py", 2, "HIL101")], 1)


# --------------------------------------------------------------------------- several processes
def test_parallel_reading_gives_what_serial_reading_gives(here: Path, with_rules: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    with_rules(calls_of("a", meta("HIL101")))
    for n in range(8):
        (here / f"x{n}.py").write_text(PAUSE + "def f():\n" + "    a()\n" * (n + 1))
    (here / "broken.py").write_text(PAUSE + "def f(:\n")
    serial = check(jobs=1)
    forks = []
    plain = run._fork
    monkeypatch.setattr(run, "_fork", lambda *given: forks.append(1) or plain(*given))
    # A test runner that works in parallel has threads of its own, and then nothing is forked.
    monkeypatch.setattr(run, "_can_fork", lambda: sys.platform.startswith("linux"))
    monkeypatch.setattr(run._Reader, "PARALLEL_BYTES", 10)
    parallel = check(jobs=3)
    assert serial.findings == parallel.findings and serial.files_read == parallel.files_read == 9
    assert len(forks) == 2 or not sys.platform.startswith("linux")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks only there")
def test_a_child_that_is_killed_costs_one_file(here: Path, with_rules: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    from hitl_lint.frontend import source

    monkeypatch.setattr(run, "_can_fork", lambda: True)  # a test runner with threads of its own would forbid it
    with_rules(calls_of("a", meta("HIL101")))
    for n in range(6):
        (here / f"x{n}.py").write_text(PAUSE + "a()\n" * (n + 1))
    parent = os.getpid()
    plain = source.read

    def read(path: str, data: bytes) -> facts.Module:
        if path == "x4.py" and os.getpid() != parent:
            os.kill(os.getpid(), 9)
        return plain(path, data)

    monkeypatch.setattr(source, "read", read)
    monkeypatch.setattr(run._Reader, "PARALLEL_BYTES", 10)
    result = check(jobs=2)
    assert {path for path, _, code in shown(result) if code == "HIL101"} == {"x0.py", "x1.py", "x2.py", "x3.py", "x5.py"}
    assert [path for path, _, code in shown(result) if code == "HIL901"] == ["x4.py"]


def test_recursion_limit_and_collector_are_put_back(here: Path, with_rules: Callable[..., None]) -> None:
    import gc

    with_rules()
    (here / "x.py").write_text(PAUSE)
    before = sys.getrecursionlimit(), gc.isenabled()
    check()
    assert (sys.getrecursionlimit(), gc.isenabled()) == before


def test_a_word_in_a_comment_costs_no_parse_in_a_walk(here: Path, with_rules: Callable[..., None]) -> None:
    (here / "hitl.py").write_text(PAUSE + "def ask(q):\n    return interrupt(q)\n")
    (here / "talk.py").write_text("# we interrupt langgraph here\nx = 1\n")
    (here / "use.py").write_text("# langgraph may interrupt\nfrom hitl import ask\ndef node(s):\n    bad()\n    return ask('?')\n")
    with_rules(calls_of("bad", meta("HIL101")))
    result = check()
    assert shown(result) == [("use.py", 4, "HIL101")]  # found through what it imports
    assert result.files_read == 2


@pytest.mark.parametrize("start", [".", "src", "src/loans", "docs"])
def test_names_and_findings_do_not_depend_on_the_directory_a_run_is_started_in(here: Path, monkeypatch: pytest.MonkeyPatch, start: str) -> None:
    for name, text in {
        "pyproject.toml": "",
        "docs/x.py": "",
        "src/loans/__init__.py": "",
        "src/loans/review.py": "from langgraph.types import interrupt\n\n\ndef confirm(x):\n    return interrupt(x)\n",
        "src/loans/mail.py": "import smtplib\n\n\ndef tell(x):\n    smtplib.SMTP('a').sendmail('a', 'b', x)\n\n\ndef ring(x):\n    smtplib.SMTP('a').sendmail('a', 'b', x)\n",
        "src/loans/nodes.py": "from loans.mail import ring, tell\nfrom loans.review import confirm\n\n\ndef intake(state):\n    tell(state)\n    ring(state)\n"
                              "    return {'a': confirm(state['x'])}\n",
    }.items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(text)
    monkeypatch.chdir(here / start)
    result = run.check(run.Request([str(here / "src")], Config(effects=(("loans.mail.tell", "safe"),))))
    assert [(f.code, f.span.line, f.function) for f in result.findings] == [("HIL101", 7, "loans.nodes.intake")]


def test_a_file_that_is_too_long_is_a_finding_and_the_others_are_checked(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hitl_lint.frontend import source

    monkeypatch.setattr(source, "MAX_BYTES", 300)
    code = PAUSE + "import httpx\ndef node(state):\n    httpx.post('u')\n    return interrupt(1)\n"
    (here / "a.py").write_text(code)
    (here / "big.py").write_text(code + "# more\n" * 100)
    (here / "data.py").write_text("DATA = [\n" + "    0,\n" * 100 + "]\n")
    for paths in ((".",), ("a.py", "big.py", "data.py")):
        result = check(*paths)
        assert [(f.span.path, f.code) for f in result.findings] == [("a.py", "HIL101"), ("big.py", "HIL901")] and not result.failed


# --------------------------------------------------------------------------- named files and the rest of the project
@pytest.mark.parametrize(("node", "line"), [
    ("node.py", "from hitl import ask"), ("node.py", "import hitl\nask = hitl.ask"), ("node.py", "from lib.middle import ask"), ("node.py", "from lib import middle\nask = middle.ask"),
    ("app/node.py", "from .own import ask"), ("app/node.py", "from ..hitl import ask"), ("app/node.py", "from . import own\nask = own.ask"), ("app/node.py", "from hitl import (\n    ask,\n)"),
    ("app/node.py", "from packaged.gate import ask"), ("src/packaged/node.py", "from packaged import ask"), ("src/packaged/node.py", "from packaged.gate import *"),
])
def test_a_named_file_that_pauses_through_others_is_seen_though_it_mentions_no_pause(here: Path, with_rules: Callable[..., None], node: str, line: str) -> None:
    files = {"pyproject.toml": "", "hitl.py": PAUSE + "def ask(q):\n    return interrupt(q)\n", "lib/__init__.py": "", "lib/middle.py": "from hitl import ask as _ask\ndef ask(q):\n    return _ask(q)\n",
             "app/own.py": "from hitl import ask\n", "app/__init__.py": "", "__init__.py": "", "src/packaged/__init__.py": "from packaged.gate import ask\n", "src/packaged/gate.py": PAUSE + "def ask(q):\n    return interrupt(q)\n",
             node: line + "\ndef node(s):\n    bad()\n    return ask('?')\n"}
    for path, text in files.items():
        (here / path).parent.mkdir(parents=True, exist_ok=True)
        (here / path).write_text(text)
    with_rules(calls_of("bad", meta("HIL101")))
    assert [code for _, _, code in shown(check(node))] == ["HIL101"]


def test_a_named_file_that_leads_nowhere_is_not_parsed(here: Path, with_rules: Callable[..., None]) -> None:
    (here / "pyproject.toml").write_text("")
    (here / "hitl.py").write_text(PAUSE)
    (here / "a.py").write_text("import os, json as j\nimport requests\nfrom . import b, gone\nfrom .. import far\nfrom ....... import further\n")
    (here / "b.py").write_text("from a import *\nimport a.b.c\n")
    with_rules()
    assert check("a.py").files_read == 0


def test_what_is_found_in_a_named_file_takes_its_callers_in_other_files_into_account(here: Path) -> None:
    """A helper and its caller, each named alone, say what they say in a run over everything."""
    (here / "pyproject.toml").write_text("")
    (here / "graph.py").write_text("from langgraph.graph import StateGraph\nfrom hitl import ask\n\ndef node(s):\n    try:\n        return {'a': ask('?')}\n    except Exception:\n        return {}\n")
    (here / "hitl.py").write_text(PAUSE + "def ask(q):\n    return interrupt(q)\n")
    everything = Config(select=("ALL",), min_severity="note")
    whole = check(config=everything)
    assert whole.findings
    for path in ("hitl.py", "graph.py"):
        named = check(path, config=everything)
        assert named.findings == [f for f in whole.findings if f.span.path == path] and named.files_found == named.files_analysed == 1
        assert named.files_read == 2
