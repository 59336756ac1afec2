"""`--fix`: what is accepted, what is taken back and why, and how files are written. With rules and fixers made for the purpose."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Iterator

import pytest

from hitl_lint import cli, facts, fixes, mend, rules
from hitl_lint.config import Config
from hitl_lint.finding import Edit, Finding, Fix, Severity, Span
from hitl_lint.fixes import Refused
from hitl_lint.frontend import discover
from hitl_lint.rules import Meta, Rule
from hitl_lint.run import Request

PAUSE = "from langgraph.types import interrupt\n"


def calls_of(code: str, name: str) -> Rule:
    """A rule that reports every call of `name`."""
    meta = Meta(code=code, name=f"rule-{code}", severity=Severity.ERROR, summary="")

    def check(project: Any) -> Iterator[Finding]:
        for module in project.candidates:
            for node in facts.walk(module.facts, into_functions=True):
                if type(node) is facts.Call and facts.dotted(node.func) == name:
                    yield Finding(code, meta.name, meta.severity, project.span(module, node.at), f"{name} is called", subject=node)

    return Rule(meta, "", check)


def becomes(new: str, safety: str = "safe", *more: tuple[str, str]) -> Any:
    """A fixer that puts `new` in the place of the call; `more`: (path, line to put on top)."""

    def fix(desk: Any, finding: Finding) -> Fix:
        edits = [Edit(finding.span, new)]
        edits += [Edit(Span(path, 1, 1, 1, 1), text) for path, text in more]
        return Fix(f"write {new}", safety, tuple(edits))

    return SimpleNamespace(fix=fix)


def refuses(why: str) -> Any:
    def fix(desk: Any, finding: Finding) -> Fix:
        raise Refused(why)

    return SimpleNamespace(fix=fix)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("")
    return tmp_path


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """`use(a=fixer, b=[fixer, fixer], …)`: calls of `a` are HIL101, of `b` HIL102, … and are mended so."""
    own = [rule for rule in rules.all_rules() if rule.meta.code.startswith("HIL9")]

    def set_up(**by_name: Any) -> None:
        made = [calls_of(f"HIL{n}", name) for n, name in enumerate(by_name, 101)]
        table = {f"HIL{n}": fixer if isinstance(fixer, list) else [fixer] for n, fixer in enumerate(by_name.values(), 101) if fixer is not None}
        monkeypatch.setattr(rules, "all_rules", lambda: (*made, *own))
        monkeypatch.setattr(fixes, "fixers", lambda: table)

    return set_up


def mended(*paths: str, unsafe: bool = False, **request: Any) -> mend.Outcome:
    return mend.mend(Request(paths if "stdin" in request else paths or (".",), jobs=1, **request), unsafe=unsafe)


def fix_all(*paths: str, unsafe: bool = False, **request: Any) -> mend.Outcome:
    return mend.write(mended(*paths, unsafe=unsafe, **request), Request(paths or (".",), jobs=1, **request))


def why(outcome: mend.Outcome) -> list[str]:
    return [finding.no_fix for finding in outcome.result.findings]


# --------------------------------------------------------------------------- what is accepted
def test_a_fix_is_made_once_and_nothing_is_left_for_the_second_time(here: Path, use: Any) -> None:
    use(a=becomes("good()"))
    (here / "x.py").write_bytes((PAUSE + "a()\r\nb = a()\n").encode())
    outcome = fix_all()
    assert (outcome.fixed, len(outcome.changes)) == (2, 1)
    assert (here / "x.py").read_bytes() == (PAUSE + "good()\r\nb = good()\n").encode()
    again = fix_all()
    assert (again.before, again.changes, again.complaints) == (0, (), ())


def test_unsafe_ones_are_made_only_when_asked_for(here: Path, use: Any) -> None:
    use(a=becomes("good()", "unsafe"), b=becomes("good()"))
    (here / "x.py").write_text(PAUSE + "a()\nb()\n")
    outcome = mended()
    assert outcome.fixed == 1 and [fix.safety for fix in outcome.result.findings[0].fixes] == ["unsafe"]
    assert mended(unsafe=True).fixed == 2


@pytest.mark.parametrize(("new", "reason"), [
    ("a(1)", "the finding would still be there"),
    ("a()", "it would change nothing"),
    ("good(", "the mended x.py would not parse"),
    ("return 1", "the mended x.py would not parse"),
    ("b()", "it would cause HIL102 (rule-HIL102) in x.py"),
])
def test_what_does_not_do_is_taken_back_and_told(here: Path, use: Any, new: str, reason: str) -> None:
    use(a=becomes(new), b=None)
    (here / "x.py").write_text(PAUSE + "a()\n")
    outcome = fix_all()
    assert (outcome.fixed, outcome.changes, why(outcome)) == (0, (), [reason])
    assert outcome.result.findings[0].fixes == ()
    assert (here / "x.py").read_text() == PAUSE + "a()\n"


def test_one_that_does_not_do_costs_no_other(here: Path, use: Any) -> None:
    use(a=becomes("good()"), b=becomes("b(2)"), c=becomes("good()"))
    (here / "x.py").write_text(PAUSE + "a()\nb()\nc()\na()\nc()\n")
    outcome = fix_all()
    assert (outcome.fixed, why(outcome)) == (4, ["the finding would still be there"])
    assert (here / "x.py").read_text() == PAUSE + "good()\nb()\ngood()\ngood()\ngood()\n"


def test_the_next_proposal_is_tried_when_the_first_does_not_do(here: Path, use: Any) -> None:
    use(a=[becomes("a(1)"), becomes("good()")])
    (here / "x.py").write_text(PAUSE + "a()\n")
    assert mended().fixed == 1


def test_what_a_fix_brings_about_is_fixed_with_it_or_not_at_all(here: Path, use: Any) -> None:
    use(a=becomes("b()"), b=becomes("good()"))
    (here / "x.py").write_text(PAUSE + "a()\na()\n")
    outcome = mended()
    assert outcome.fixed == 2 and outcome.changes[0].new == (PAUSE + "good()\ngood()\n").encode()
    use(a=becomes("b()"), b=becomes("good()", "unsafe"))
    assert mended().fixed == 0 and mended(unsafe=True).fixed == 2
    use(a=becomes("b()"), b=becomes("a()"))  # in a circle
    outcome = mended()
    assert outcome.fixed == 0 and len(outcome.result.findings) == 2


def test_what_belongs_together_is_written_together(here: Path, use: Any) -> None:
    """The fix of x.py brings about the finding in y.py, whose fix goes with it."""
    use(a=becomes("good()", "safe", ("y.py", "b()\n")), b=becomes("good()"))
    (here / "x.py").write_text(PAUSE + "a()\n")
    (here / "y.py").write_text(PAUSE + "z = 1\n")
    (here / "z.py").write_text(PAUSE + "b()\n")
    outcome = mended()
    assert sorted(map(sorted, outcome.groups)) == [["x.py", "y.py"], ["z.py"]] and outcome.fixed == 2


def test_overlapping_fixes_are_made_one_after_the_other(here: Path, use: Any) -> None:
    def whole_line(new: str) -> Any:
        def fix(desk: Any, finding: Finding) -> Fix:
            line = desk.sheet(finding.span.path).line(finding.span.line)
            return Fix("", "safe", (desk.sheet(finding.span.path).edit((finding.span.line, 1, finding.span.line, len(line) + 1), line.replace(new, "good")),))

        return SimpleNamespace(fix=fix)

    use(a=whole_line("a"), b=whole_line("b"))
    (here / "x.py").write_text(PAUSE + "a(), b()\n")
    outcome = mended()
    assert outcome.fixed == 2 and outcome.changes[0].new == (PAUSE + "good(), good()\n").encode()


def test_suppressed_findings_and_ignored_rules_are_left_alone(here: Path, use: Any) -> None:
    use(a=becomes("good()"))
    (here / "x.py").write_text(PAUSE + "a()  # noqa: HIL101\na()\n")
    (here / "y.py").write_text(PAUSE + "a()\n")
    fix_all(config=Config(root=str(here), per_file_ignores=(("y.py", ("HIL101",)),)))
    assert (here / "x.py").read_text() == PAUSE + "a()  # noqa: HIL101\ngood()\n"
    assert (here / "y.py").read_text() == PAUSE + "a()\n"


# --------------------------------------------------------------------------- several files
def test_a_fix_of_several_files_changes_all_of_them(here: Path, use: Any) -> None:
    use(a=becomes("good()", "safe", ("y.py", "new = 1\n")))
    (here / "x.py").write_text(PAUSE + "a()\n")
    (here / "y.py").write_text("old = 1\n")
    outcome = fix_all("x.py")  # y.py is not linted, but is of the project
    assert outcome.groups == (frozenset({"x.py", "y.py"}),)
    assert (here / "y.py").read_text() == "new = 1\nold = 1\n"


def test_files_that_are_excluded_or_outside_are_never_changed(here: Path, use: Any) -> None:
    (here / "sub").mkdir()
    for name in ("sub/x.py", "y.py"):
        (here / name).write_text(PAUSE + "a()\n")
    (here / "sub" / "pyproject.toml").write_text("")
    use(a=becomes("good()", "safe", ("y.py", "new = 1\n")))
    outcome = fix_all("sub")
    assert why(outcome) == ["it would change another file, and y.py is outside of the project"]
    outcome = fix_all("sub/x.py", exclude=("y.py",))
    assert outcome.changes == ()
    (here / "sub" / "pyproject.toml").unlink()
    outcome = fix_all(".", exclude=("y.py",))
    assert why(outcome) == ["it would change another file, and y.py is excluded"]
    assert (here / "y.py").read_text() == PAUSE + "a()\n"


def failing_replace(monkeypatch: pytest.MonkeyPatch, name: str, error: OSError) -> None:
    real = os.replace

    def replace(source: str, target: str) -> None:
        if os.path.basename(target) == name:
            raise error
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)


def left_over(here: Path) -> list[str]:
    return [p.name for p in here.rglob("*.tmp")]


def test_all_files_of_a_fix_are_put_back_when_one_cannot_be_written(here: Path, use: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    use(a=becomes("good()", "safe", ("y.py", "new = 1\n")), b=becomes("good()"))
    (here / "x.py").write_text(PAUSE + "a()\n")
    (here / "y.py").write_text("old = 1\n")
    (here / "z.py").write_text(PAUSE + "b()\n")
    failing_replace(monkeypatch, "y.py", OSError(errno.ENOSPC, "No space left on device"))
    outcome = fix_all()
    assert outcome.complaints == ("cannot write y.py: no space left on device; x.py and it are left as they were",)
    assert ((here / "x.py").read_text(), (here / "y.py").read_text(), (here / "z.py").read_text()) == (PAUSE + "a()\n", "old = 1\n", PAUSE + "good()\n")
    assert (outcome.fixed, [c.path for c in outcome.changes], [f.span.path for f in outcome.result.findings]) == (1, ["z.py"], ["x.py"])
    assert left_over(here) == []


# --------------------------------------------------------------------------- writing
def test_read_only_files_stay_and_the_others_are_written(here: Path, use: Any, capsys: Any) -> None:
    use(a=becomes("good()"))
    for name in ("x.py", "y.py"):
        (here / name).write_text(PAUSE + "a()\n")
    (here / "x.py").chmod(0o444)
    assert cli.status(["--fix", "."]) == 2
    err = capsys.readouterr().err
    assert "hitl-lint: cannot write x.py: it is read-only; it is left as it was\n" in err and "1 fixed in 1 file, 1 remains." in err
    assert ((here / "x.py").read_text(), (here / "y.py").read_text()) == (PAUSE + "a()\n", PAUSE + "good()\n")


def test_read_only_folder(here: Path, use: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    use(a=becomes("good()"))
    (here / "x.py").write_text(PAUSE + "a()\n")
    real = os.open

    def no_new_file(path: Any, flags: int, *rest: Any, **more: Any) -> int:
        if flags & os.O_CREAT:
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, flags, *rest, **more)

    monkeypatch.setattr(os, "open", no_new_file)
    outcome = fix_all()
    assert outcome.complaints == ("cannot write x.py: permission denied; it is left as it was",)
    assert (here / "x.py").read_text() == PAUSE + "a()\n"


@pytest.mark.parametrize("call", ["fsync", "replace", "chmod"])
def test_disk_full(here: Path, use: Any, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    use(a=becomes("good()"))
    (here / "x.py").write_text(PAUSE + "a()\n")

    def full(*args: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, full)
    outcome = fix_all()
    assert outcome.complaints == ("cannot write x.py: no space left on device; it is left as it was",)
    assert (here / "x.py").read_text() == PAUSE + "a()\n" and left_over(here) == []
    assert outcome.fixed == 0


def test_a_file_that_has_changed_meanwhile_is_not_overwritten(here: Path, use: Any) -> None:
    use(a=becomes("good()"))
    (here / "x.py").write_text(PAUSE + "a()\n")
    request = Request(["."], jobs=1)
    outcome = mend.mend(request)
    (here / "x.py").write_text(PAUSE + "a()\n# saved in the editor\n")
    outcome = mend.write(outcome, request)
    assert outcome.complaints == ("cannot write x.py: it was changed while it was looked at; it is left as it was",)
    assert (here / "x.py").read_text() == PAUSE + "a()\n# saved in the editor\n"
    (here / "x.py").unlink()
    assert mend.write(mend.mend(request)._replace(changes=outcome.changes), request).changes == ()


def test_what_is_mended_is_what_was_read(here: Path, use: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that changes between the parse and the edit."""
    use(a=becomes("good()"))
    (here / "x.py").write_text(PAUSE + "a()\n")
    real, count = discover.read_bytes, []

    def read(path: str) -> bytes:
        data = real(path)
        if path == "x.py":
            if not count:
                (here / "x.py").write_text("# a longer first line\n" + PAUSE + "a()\n")
            count.append(path)
        return data

    monkeypatch.setattr(discover, "read_bytes", read)
    outcome = fix_all()
    assert len(outcome.complaints) == 1 and (here / "x.py").read_text() == "# a longer first line\n" + PAUSE + "a()\n"


@pytest.mark.skipif(os.name != "posix", reason="modes and links of POSIX")
def test_mode_and_links_stay(here: Path, use: Any) -> None:
    use(a=becomes("good()"))
    (here / "real").mkdir()
    (here / "real" / "x.py").write_text(PAUSE + "a()\n")
    (here / "real" / "x.py").chmod(0o754)
    (here / "link.py").symlink_to("real/x.py")
    outcome = fix_all("link.py")
    assert outcome.complaints == () and (here / "link.py").is_symlink()
    assert (here / "real" / "x.py").read_text() == PAUSE + "good()\n"
    assert stat.S_IMODE((here / "real" / "x.py").stat().st_mode) == 0o754
    assert sorted(p.name for p in (here / "real").iterdir()) == ["x.py"]


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_one_file_under_two_names_is_written_once(here: Path, use: Any) -> None:
    use(a=becomes("good()"))
    (here / "x.py").write_text(PAUSE + "a()\n")
    (here / "link.py").symlink_to("x.py")
    outcome = fix_all("x.py", "link.py")
    assert outcome.complaints == () and (here / "x.py").read_text() == PAUSE + "good()\n" and (here / "link.py").is_symlink()


# --------------------------------------------------------------------------- the command line
def test_diff_is_a_patch_and_writes_nothing(here: Path, use: Any, capfdbinary: Any) -> None:
    use(a=becomes("good()"), b=becomes("good()", "unsafe"))
    (here / "sub dir").mkdir()
    files = {"x.py": (PAUSE + "a()\r\n\fb()\r\na()").encode(), "sub dir/y.py": b"# coding: latin-1\n" + PAUSE.encode() + b"a()  # \xe9\n"}
    for name, data in files.items():
        (here / name).write_bytes(data)
    assert cli.status(["--diff"]) == 1
    out, err = capfdbinary.readouterr()
    assert err == b"Would fix 3 in 2 files, 1 remains; 1 can be fixed with --unsafe-fixes.\n"
    assert {name: (here / name).read_bytes() for name in files} == files
    assert cli.status(["--diff", "--fix", "--exit-zero"]) == 0 and capfdbinary.readouterr()[0] == out
    assert {name: (here / name).read_bytes() for name in files} == files
    subprocess.run(["git", "apply", "-p1", "-"], input=out, check=True, cwd=here)
    patched = {name: (here / name).read_bytes() for name in files}
    for name, data in files.items():
        (here / name).write_bytes(data)
    assert cli.status(["--fix"]) == 1
    assert {name: (here / name).read_bytes() for name in files} == patched
    capfdbinary.readouterr()
    assert cli.status(["--diff"]) == 0
    assert capfdbinary.readouterr() == (b"", b"Nothing would be fixed, 1 remains; 1 can be fixed with --unsafe-fixes.\n")


def test_a_diff_tells_where_what_is_not_fixed_stands_now(here: Path, use: Any, capfdbinary: Any) -> None:
    """`a` grows to four lines: what stands behind it is cited where it is, whichever of two alike is left."""
    use(a=becomes("one()\ntwo()\nthree()\ngood()"), b=refuses("it is too late"), c=[becomes("c(2)")], d=None)
    (here / "x.py").write_text(PAUSE + "b()\na()\nb()\nd()\na()\nc()\n")
    cells = [{"cell_type": "markdown", "source": "x"}, {"cell_type": "code", "source": [PAUSE, "a()\n", "b()"], "outputs": [], "execution_count": None, "metadata": {}}]
    (here / "n.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    assert cli.status(["--diff"]) == 1
    told = capfdbinary.readouterr()[1].decode().splitlines()
    assert told[:-1] == [f"hitl-lint: not fixed: {line}" for line in (
        "n.ipynb:cell 1:3:1: HIL102: it is too late", "x.py:2:1: HIL102: it is too late", "x.py:4:1: HIL102: it is too late",
        "x.py:7:1: HIL103: the finding would still be there")]  # of `d`, for which there is no fixer, nothing
    assert cli.status(["--fix"]) == 1
    told = capfdbinary.readouterr()[1].decode()
    assert "not fixed: x.py:7:1: HIL102: it is too late" in told and "not fixed: n.ipynb:cell 1:6:1: HIL102" in told


def test_what_only_the_fixes_have_brought_is_told_near_its_line(here: Path) -> None:
    def at(line: int, cell: int | None = None) -> Finding:
        return Finding("HIL101", "x", Severity.ERROR, Span("x.py", line, 1, line, 4, cell), f"on line {line}", "x", context=f"line {line}", no_fix="no")

    old, new = b"a\nb\nc\n", b"a\nnew\nb\nc\n"
    outcome = mend.Outcome(SimpleNamespace(findings=[at(2), at(4)]), 1, (mend.Change("x.py", old, new),), first=())
    assert [f.span.line for f in mend.as_it_is(outcome)] == [1, 3]


def test_the_diff_of_a_notebook_shows_its_cells(here: Path, use: Any, capfdbinary: Any) -> None:
    use(a=becomes("good()\nmore()"), b=becomes("good()"))
    cells = [{"cell_type": "code", "source": [PAUSE, "%time x = 1\n", "é = 1\n", "a()"], "outputs": [{"data": "a()"}], "execution_count": 3, "metadata": {}},
             {"cell_type": "markdown", "source": "a()"}, {"cell_type": "code", "source": "b()\n", "outputs": [], "execution_count": None, "metadata": {}},
             {"cell_type": "code", "source": "x = 1", "outputs": [], "execution_count": None, "metadata": {}}]
    (here / "n.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1))
    (here / "x.py").write_text(PAUSE + "b()\n")
    before = (here / "n.ipynb").read_bytes()
    assert cli.status(["--diff"]) == 1
    out = capfdbinary.readouterr()[0].decode()
    assert out.startswith("--- a/n.ipynb:cell 0\t\n+++ b/n.ipynb:cell 0\t\n@@ -1,4 +1,5 @@\n from langgraph.types import interrupt\n %time x = 1\n é = 1\n-a()\n+good()\n+more()\n"
                          "--- a/n.ipynb:cell 2\t\n+++ b/n.ipynb:cell 2\t\n@@ -1 +1 @@\n-b()\n+good()\n--- a/x.py\n")
    assert "cell 1" not in out and "cell 3" not in out and (here / "n.ipynb").read_bytes() == before
    # What is a patch stays one beside it.
    subprocess.run(["git", "apply", "-p1", "--exclude=*.ipynb*", "-"], input=out.encode(), check=True, cwd=here)
    assert (here / "x.py").read_text() == PAUSE + "good()\n"


def test_the_diff_of_what_is_no_notebook_any_more_is_that_of_the_file() -> None:
    assert mend.diff([mend.Change("n.ipynb", b"[1]\n", b"[2]\n")]).startswith(b"--- a/n.ipynb\n+++ b/n.ipynb\n@@ -1 +1 @@\n-[1]\n")


def test_stdin_is_mended_to_stdout(here: Path, use: Any, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    use(a=becomes("good()"), b=refuses("it is too late"))
    (here / "x.py").write_text("")
    for code, mended_code in ((PAUSE + "a()\r\nb()", PAUSE + "good()\r\nb()"), ("x = 1\r\n", "x = 1\r\n")):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=SimpleNamespace(read=lambda: code.encode())))
        status = cli.status(["-", "--stdin-filename", "x.py", "--fix"])
        out, err = capfdbinary.readouterr()
        assert out == mended_code.encode() and (here / "x.py").read_text() == ""
        if "b()" in code:
            assert status == 1
            assert err.decode().splitlines() == [
                "hitl-lint: not fixed: x.py:3:1: HIL102: it is too late", "x.py:3:1: HIL102 b is called", "Found 1 error: 1 file looked at, 1 analysed.",
                "1 fixed in 1 file, 1 remains."]
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=SimpleNamespace(read=lambda: (PAUSE + "a()\n").encode())))
    assert cli.status(["-", "--stdin-filename", "x.py", "--diff"]) == 1
    assert capfdbinary.readouterr()[0].startswith(b"--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n")
    assert cli.status(["-", ".", "--fix"]) == 2
    assert capfdbinary.readouterr()[1] == b"hitl-lint: --fix with code on stdin: name no other paths\n"


def test_stdin_alone_is_mended(here: Path, use: Any) -> None:
    use(a=becomes("good()", "safe", ("y.py", "new = 1\n")))
    (here / "y.py").write_text("old = 1\n")
    outcome = mended(stdin=(PAUSE + "a()\n").encode(), stdin_path="x.py")
    assert (outcome.changes, why(outcome)) == ((), ["it would change y.py, too, and only the code on stdin is mended"])


def test_reports_say_what_can_be_fixed(here: Path, use: Any, capsys: Any) -> None:
    use(a=becomes("good()"), b=becomes("good()", "unsafe"), c=refuses("nobody knows how"))
    (here / "x.py").write_text(PAUSE + "a()\nb()\nc()\n")
    cli.status(["--output-format", "full"])
    out = capsys.readouterr().out
    assert "  = fix: write good()\n" in out and "  = unsafe fix: write good()\n" in out and "  = no automatic fix: nobody knows how\n" in out
    assert out.endswith("\n1 can be fixed with --fix, 1 more with --unsafe-fixes.\n")
    cli.status(["--output-format", "full", "--unsafe-fixes"])
    assert capsys.readouterr().out.endswith("\n2 can be fixed with --fix --unsafe-fixes.\n")
    cli.status(["--output-format", "json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [[fix["safety"] for fix in f["fixes"]] for f in found] == [["safe"], ["unsafe"], []]
    assert [f["no_fix"] for f in found] == [None, None, "nobody knows how"]
    cli.status(["--output-format", "json", "--fix"])
    out, err = capsys.readouterr()
    assert [f["code"] for f in json.loads(out)["findings"]] == ["HIL102", "HIL103"]
    assert err == "1 fixed in 1 file, 2 remain; 1 can be fixed with --unsafe-fixes.\n"


def test_the_concise_report_says_on_stderr_what_can_be_fixed(here: Path, use: Any, capsys: Any) -> None:
    use(a=becomes("good()"), b=becomes("good()", "unsafe"), c=refuses("nobody knows how"))
    (here / "x.py").write_text(PAUSE + "a()\nb()\nc()\n")
    assert cli.status([]) == 1
    out, err = capsys.readouterr()
    assert out.count("\n") == 3 and "fix" not in out and err.splitlines()[1:] == ["1 can be fixed with --fix, 1 more with --unsafe-fixes."]
    (here / "x.py").write_text(PAUSE + "c()\n")
    cli.status([])
    assert capsys.readouterr().err.count("\n") == 1
    for form in ("json", "github", "gitlab", "junit", "rdjson", "sarif"):  # what programs read says it in its own way, or not at all
        cli.status(["--output-format", form])
        assert "can be fixed" not in "".join(capsys.readouterr())


def test_lines_alone_do_not_work_out_fixes(here: Path, use: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    use(a=becomes("good()"))
    (here / "x.py").write_text(PAUSE + "a()\n")
    monkeypatch.setattr(fixes, "propose", None)
    assert cli.status(["--quiet"]) == 1
    assert capsys.readouterr() == ("x.py:2:1: HIL101 a is called\n", "")
    assert cli.status(["--output-format", "github", "--no-cache"]) == 1


def test_a_run_without_findings_loads_no_fixers(here: Path) -> None:
    (here / "x.py").write_text(PAUSE + "def f(state):\n    return {'a': interrupt('?')}\n")
    done = subprocess.run([sys.executable, "-X", "importtime", "-m", "hitl_lint", "--no-cache"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(Path(cli.__file__).parent.parent)})
    assert done.returncode == 0 and "hitl_lint.fixes" not in done.stderr


def test_a_run_that_has_failed_says_so_and_mends_the_rest(here: Path, use: Any, capsys: Any) -> None:
    use(a=becomes("good()"))
    (here / "x.py").write_text(PAUSE + "a()\n")
    assert cli.status(["--fix", "x.py", "nope.py"]) == 2
    assert capsys.readouterr().err.count("cannot read nope.py: no such file or directory") == 1
    assert (here / "x.py").read_text() == PAUSE + "good()\n"


def test_files_are_parsed_once_however_often_they_are_checked(here: Path, use: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from hitl_lint.frontend import source

    use(a=becomes("good()"), b=becomes("b(1)"))
    (here / "x.py").write_text(PAUSE + "a()\n")
    (here / "y.py").write_text(PAUSE + "b()\n")
    read, real = [], source._tree
    monkeypatch.setattr(source, "_tree", lambda text: (read.append(text), real(text))[1])
    outcome = mended()
    assert (outcome.fixed, outcome.result.files_read) == (1, 2)
    assert len(read) == len(set(read))


def test_a_fixer_that_fails_costs_its_fix_and_is_told(here: Path, use: Any, capsys: Any) -> None:
    def broken(desk: Any, finding: Finding) -> Fix:
        raise ZeroDivisionError("x")

    use(a=SimpleNamespace(fix=broken), b=becomes("good()"))
    (here / "x.py").write_text(PAUSE + "a()\nb()\n")
    cli.status(["--fix"])
    assert "internal error while mending HIL101 in x.py: ZeroDivisionError: x; please report" in capsys.readouterr().err
    assert (here / "x.py").read_text() == PAUSE + "a()\ngood()\n"


def test_notebooks_are_mended_in_their_cells(here: Path, use: Any) -> None:
    use(a=becomes("good()"))
    book = {"cells": [{"cell_type": "code", "source": [PAUSE, "%time a()\n", "a()"], "outputs": [{"data": "a()"}]}, {"cell_type": "code", "source": "a()", "outputs": []}]}
    (here / "x.ipynb").write_text(json.dumps(book, indent=1))
    outcome = fix_all()
    assert outcome.fixed == 3
    after = json.loads((here / "x.ipynb").read_text())
    assert "".join(after["cells"][0]["source"]) == PAUSE + "%time good()\ngood()" and after["cells"][1]["source"] == "good()"
    assert after["cells"][0]["outputs"] == [{"data": "a()"}]
