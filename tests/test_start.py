"""A command that is run again with nothing changed says what it said, without looking at more than the stats; after any change it says what is true."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import pytest

from hitl_lint import cache, start

ROOT = Path(start.__file__).parent.parent
ASK = "from langgraph.types import interrupt\n\n\ndef ask(q):\n    return interrupt(q)\n"
NODE = "import mail\nfrom hitl import ask\n\n\ndef node(state):\n    mail.send(state)\n    return {'answer': ask('Send it?')}\n"
MAIL = "import httpx\n\n\ndef send(state):\n    httpx.post('https://mail', json=state)\n"
GRAPH = ("from langgraph.graph import StateGraph\nfrom src.node import node\n\nbuilder = StateGraph(dict)\nbuilder.add_node('node', node)\n"
         "builder.set_entry_point('node')\ngraph = builder.compile()\n")
PROJECT = {"pyproject.toml": "[project]\nname = 'x'\n", "src/hitl.py": ASK, "src/node.py": NODE, "src/mail.py": MAIL, "graph.py": GRAPH, "empty/readme.txt": "", "old/gone.py": NODE}

pytestmark = pytest.mark.skipif(os.name == "nt", reason="nothing is kept on Windows")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "above" / "project"
    for path, text in PROJECT.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    (root / cache.DIRECTORY).mkdir()
    return root


# Files count as settled at once; `again` is written where the command was not run but said again.
DRIVER = """
import sys
from pathlib import Path
from hitl_lint import start
from hitl_lint.frontend import discover
discover.GRACE_NS = {grace}
end = start._end
def marked(said):
    Path({marker!r}).write_text("")
    end(said)
start._end = marked
sys.argv = ["hitl-lint", *sys.argv[1:]]
start.main()
"""


def run(root: Path, *args: str, cwd: str = ".", grace: int = 0, **environment: str) -> tuple[str, str, int, bool]:
    """(stdout, stderr, status, whether it was said again)."""
    marker = root.parent / "again"
    marker.unlink(missing_ok=True)
    environ = {key: value for key, value in os.environ.items() if key not in start._VARIABLES}
    done = subprocess.run([sys.executable, "-c", DRIVER.format(grace=grace, marker=str(marker)), *args], cwd=root / cwd, capture_output=True, text=True,
                          env={**environ, "PYTHONPATH": str(ROOT), **environment})
    return done.stdout, done.stderr, done.returncode, marker.exists()


def warmed(root: Path, *args: str, **more: Any) -> tuple[str, str, int, bool]:
    run(root, *args, **more)
    return run(root, *args, **more)


@pytest.mark.parametrize("args", [["."], ["src", "old"], ["--output-format", "full", "--color", "always"], ["--output-format", "sarif", "-q"], ["--select", "HIL1", "--statistics", "-j2"],
                                  ["--min-severity", "note", "--unsafe-fixes", "--exit-zero"]], ids=" ".join)
def test_the_second_time_the_same_is_said_without_a_run(project: Path, args: list[str]) -> None:
    first, second, third = (run(project, *args) for _ in range(3))
    assert third[3] and first[:3] == second[:3] == third[:3]
    assert (first[0] or first[1]).strip() or "-q" in args


def test_a_warm_run_imports_neither_click_nor_the_parser_nor_re(project: Path) -> None:
    assert warmed(project, ".")[3]
    code = ("import os, sys; before = set(sys.modules); from hitl_lint import start; sys.argv = ['hitl-lint', '.']\n"
            "os._exit = lambda code: [print('loaded', *sorted(set(sys.modules) - before)), sys.exit(code)]\nstart.main()")
    environ = {key: value for key, value in os.environ.items() if key not in start._VARIABLES}
    done = subprocess.run([sys.executable, "-c", code], cwd=project, capture_output=True, text=True, env={**environ, "PYTHONPATH": str(ROOT)})
    loaded = set(done.stdout.split("loaded ")[1].split())
    assert "hitl_lint.start" in loaded and not loaded & {"click", "libcst", "typing", "json", "re", "hitl_lint.cli", "hitl_lint.run"}


CHANGES: dict[str, Callable[[Path], Any]] = {
    "a helper": lambda root: (root / "src/mail.py").write_text("def send(state):\n    return state\n"),
    "a helper, with its old time": lambda root: [os.utime(root / "src/mail.py", ns=(0, at)) for at in [(root / "src/mail.py").stat().st_mtime_ns]
                                                 if (root / "src/mail.py").write_text(MAIL.replace("post", "head")) is not None],
    "a new file in a directory without code": lambda root: (root / "empty/node.py").write_text(NODE.replace("from hitl", "from src.hitl")),
    "a new directory": lambda root: [(root / "new").mkdir(), (root / "new/node.py").write_text("from langgraph.types import interrupt\ntry:\n    interrupt(1)\nexcept Exception:\n    pass\n")],
    "a file deleted": lambda root: (root / "src/hitl.py").unlink(),
    "a file renamed": lambda root: (root / "src/hitl.py").rename(root / "src/other.py"),
    "a directory moved away": lambda root: (root / "old").rename(root.parent / "old"),
    "a new .gitignore": lambda root: [(root / ".git").mkdir(), (root / ".gitignore").write_text("graph.py\n")],
    "a new .gitignore below": lambda root: (root / "src/.gitignore").write_text("node.py\n"),
    "a configuration": lambda root: (root / "hitl-lint.toml").write_text('select = ["HIL501"]\n'),
    "a section": lambda root: (root / "pyproject.toml").write_text('[tool.hitl-lint]\nselect = ["HIL501"]\n'),
    "a manifest": lambda root: (root / "langgraph.json").write_text('{"graphs": {"x": "./graph.py:graph"}}'),
    "a lock file": lambda root: (root / "uv.lock").write_text('[[package]]\nname = "langgraph"\nversion = "0.2.0"\n'),
    "a requirement": lambda root: (root / "requirements-dev.txt").write_text("langgraph==0.2.0\n"),
    "a virtual environment": lambda root: (root / "src/pyvenv.cfg").write_text(""),
    "a directory that cannot be read": lambda root: (root / "src").chmod(0),
}


@pytest.mark.parametrize("change", CHANGES)
def test_after_a_change_what_is_said_is_true(project: Path, change: str) -> None:
    before = warmed(project, ".")
    assert before[3]
    try:
        CHANGES[change](project)
        after = run(project, ".")
        assert not after[3]
        assert after[:3] == run(project, ".", "--no-cache")[:3]
    finally:
        (project / "src").chmod(0o755)


def test_a_configuration_above_and_a_repository_above_are_seen(project: Path) -> None:
    (project / "pyproject.toml").unlink()
    (project / "src/pyproject.toml").write_text("")
    assert warmed(project, "src", "--cache-dir", cache.DIRECTORY)[3]
    (project.parent / "pyproject.toml").write_text('[tool.hitl-lint]\nselect = ["HIL501"]\n')
    after = run(project, "src", "--cache-dir", cache.DIRECTORY)
    assert not after[3] and after[:3] == run(project, "src", "--no-cache")[:3]


def test_ignored_lists_that_change_are_seen_and_a_commit_makes_no_difference(project: Path) -> None:
    (project / ".git").mkdir()
    (project / ".gitignore").write_text("old/\n")
    assert warmed(project, ".")[3]
    (project / ".git/index").write_text("")
    assert run(project, ".")[3]
    (project / ".gitignore").write_text("src/\n")
    after = run(project, ".")
    assert not after[3] and after[:3] == run(project, ".", "--no-cache")[:3]


def test_another_directory_environment_or_command_is_another_matter(project: Path) -> None:
    assert warmed(project, ".", "--output-format", "full")[3]
    for args, more in [((".", "--output-format", "full", "-q"), {}), ((".", "--output-format", "full"), {"cwd": "src"}), ((".", "--output-format", "full"), {"NO_COLOR": "1"}),
                       ((".", "--output-format", "full"), {"PYTHONIOENCODING": "latin-1"}), ((".", "--output-format", "full"), {"_HITL_LINT_COMPLETE": "bash_source"})]:
        assert not run(project, *args, **more)[3]


@pytest.mark.parametrize("args", [["--fix"], ["--diff"], ["--add-noqa"], ["--baseline", "b.json"], ["--write-baseline"], ["-o", "report.txt"], ["-oreport.txt"], ["-qo", "x"], ["--output-file=report.txt"],
                                  ["--no-cache"], ["--config=pyproject.toml"], ["-"], ["--list-rules"], ["--explain", "HIL101"], ["--version"], ["-h"], ["-qh"]], ids=" ".join)
def test_what_writes_or_shows_or_reads_something_else_is_always_run(args: list[str]) -> None:
    assert not start._repeatable(["src", *args, "-q"])


@pytest.mark.parametrize("args", [["src/node.py"], ["missing"]], ids=" ".join)
def test_what_names_files_or_goes_wrong_is_always_run(project: Path, args: list[str]) -> None:
    assert not warmed(project, *args)[3]
    assert not run(project, *args)[3]


def test_with_a_baseline_in_the_configuration_it_is_run(project: Path) -> None:
    (project / "hitl-lint.toml").write_text('baseline = "known.json"\n')
    run(project, "--write-baseline")
    assert not warmed(project, ".")[3]


def test_what_changed_just_now_is_not_believed_to_stay(project: Path) -> None:
    assert not warmed(project, ".", grace=10**15)[3]


def test_a_file_that_changes_while_the_command_runs_is_not_kept(project: Path) -> None:
    code = DRIVER.format(grace=0, marker=str(project.parent / "again")).replace(
        "start.main()", "from hitl_lint import run as r\nreal = r.check\ndef check(request):\n    out = real(request)\n    Path('src/mail.py').write_text('def send(state):\\n    return state\\n')\n"
        "    return out\nr.check = check\nstart.main()")
    environ = {key: value for key, value in os.environ.items() if key not in start._VARIABLES}
    subprocess.run([sys.executable, "-c", code, "."], cwd=project, capture_output=True, env={**environ, "PYTHONPATH": str(ROOT)})
    after = run(project, ".")
    assert not after[3] and after[:3] == run(project, ".", "--no-cache")[:3]


@pytest.mark.parametrize("spoil", [lambda data: data[:-1], lambda data: b"", lambda data: data.replace(b"HIL", b"HIM"), lambda data: b"\0" * 400, lambda data: data + b"\0src"])
def test_a_spoilt_file_is_no_answer(project: Path, spoil: Callable[[bytes], bytes]) -> None:
    first = warmed(project, ".")
    kept, = (project / cache.DIRECTORY).glob("*/s-*")
    kept.write_bytes(spoil(kept.read_bytes()))
    after = run(project, ".")
    assert not after[3] and after[:3] == first[:3]


@pytest.mark.parametrize("body", [b"", b"\n", b"1 2 3 4 5\n", b"0 5 0 0 x\nhello\0", b"0 99999999999999999999 0 0 x\n", b"a b c d e\n", b"0 -5 0 -1 x\n\0\0\0"])
def test_well_sealed_nonsense_does_no_harm(project: Path, body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    assert start._store([]) is None and cache.open_store(cache.DIRECTORY, given=False) is not None
    store = start._store([])
    assert store is not None
    store.put(start._name(store, ["."]), body)
    assert start._again(store, ["."]) is None


def test_a_reader_that_has_gone_is_no_trouble(project: Path) -> None:
    assert warmed(project, ".", "--output-format", "json")[3]
    environ = {key: value for key, value in os.environ.items() if key not in start._VARIABLES}
    done = subprocess.run(f"{sys.executable} -m hitl_lint . --output-format json | true", shell=True, cwd=project, capture_output=True, text=True, env={**environ, "PYTHONPATH": str(ROOT)})
    assert done.stderr == ""


SDK = ("from langgraph_sdk import get_client\n\n\nasync def answer(thread):\n    client = get_client()\n"
       "    await client.runs.create(thread, 'agent', command={'resume': True})\n")
OUTSIDE = "from langgraph.types import interrupt\ntry:\n    interrupt(1)\nexcept Exception:\n    pass\n"


def _retarget(link: Path, target: str) -> None:
    link.unlink(missing_ok=True)
    link.symlink_to(target)


# What a command depends on where no directory that was listed changes.
ELSEWHERE: dict[str, Callable[[Path], Any]] = {
    "a link that led nowhere": lambda root: (root.parent / "late.py").write_text(OUTSIDE),
    "a link in the way of a link": lambda root: _retarget(root.parent / "between", "there.py"),
    "a directory that becomes a file": lambda root: [(root.parent / "folder").rmdir(), (root.parent / "folder").write_text(OUTSIDE)],
    "requirements of the SDK": lambda root: (root / "requirements-dev.txt").write_text("langgraph-sdk==0.2.0\n"),
    "a folder of requirements": lambda root: [(root / "requirements").mkdir(), (root / "requirements/base.txt").write_text("langgraph-sdk==0.2.0\n")],
    "requirements that were included": lambda root: (root.parent / "shared.txt").write_text("langgraph-sdk==0.2.0\n"),
}


@pytest.mark.parametrize("change", ELSEWHERE)
def test_what_changes_out_of_sight_is_seen(project: Path, change: str) -> None:
    (project / "sdk.py").write_text(SDK)
    (project / "requirements-x.txt").write_text("-r ../shared.txt\n")
    (project.parent / "there.py").write_text(OUTSIDE)
    (project.parent / "folder").mkdir()
    (project.parent / "between").symlink_to(project / "src/node.py")
    for name in ("late.py", "between", "folder"):
        (project / f"src/{name.removesuffix('.py')}.py").symlink_to(f"../../{name}")
    args = [".", "--select", "ALL"]
    before = warmed(project, *args)
    assert before[3]
    ELSEWHERE[change](project)
    after = run(project, *args)
    assert not after[3] and after[:3] != before[:3]
    assert after[:3] == run(project, *args, "--no-cache")[:3]


def test_where_the_checkout_is_is_looked_up_each_time(project: Path) -> None:
    checkout = project.parent / "checkout"
    args = [".", "--output-format", "github"]
    _retarget(checkout, "project")
    before = warmed(project, *args, GITHUB_WORKSPACE=str(checkout))
    _retarget(checkout, ".")
    after = run(project, *args, GITHUB_WORKSPACE=str(checkout))
    assert before[3] and not after[3] and before[0] != after[0] == run(project, *args, "--no-cache", GITHUB_WORKSPACE=str(checkout))[0]


def _bytes(root: Path, shell: str, *args: str, **environment: str) -> tuple[bytes, bytes, int]:
    environ = {key: value for key, value in os.environ.items() if key not in start._VARIABLES}
    command = shlex.join([sys.executable, "-c", DRIVER.format(grace=0, marker=str(root.parent / "again")), *args])
    done = subprocess.run(["bash", "-c", shell.replace("COMMAND", command)], cwd=root, capture_output=True, env={**environ, "PYTHONPATH": str(ROOT), **environment})
    return done.stdout, done.stderr, done.returncode


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("shell", ["COMMAND >/dev/full", "COMMAND 2>/dev/full", "COMMAND 2>&-", "COMMAND >&-", "COMMAND | true; exit ${PIPESTATUS[0]}", "{ COMMAND 2>&1 >&3 3>&- | true; exit ${PIPESTATUS[0]}; } 3>/dev/null"])
def test_where_nothing_can_be_written_the_same_is_said(project: Path, shell: str) -> None:
    for _ in range(2):
        _bytes(project, "COMMAND | cat", ".")
        _bytes(project, shell, ".")
    assert _bytes(project, shell, ".") == _bytes(project, shell, ".", "--no-cache")


@pytest.mark.parametrize("encoding", ["ascii", "ascii:replace", "latin-1:ignore", "utf-16", "utf-8-sig", "utf-8:surrogateescape"])
@pytest.mark.parametrize("form", ["full", "concise"])
def test_in_any_encoding_the_bytes_are_the_same(project: Path, encoding: str, form: str) -> None:
    (project / "src/node.py").write_text(NODE.replace("    mail", "    é.send(state)\n    mail"), encoding="utf-8")
    args = [".", "--statistics", "--output-format", form]
    first, *rest = [_bytes(project, "COMMAND", *args, PYTHONIOENCODING=encoding) for _ in range(3)]
    assert rest == [first, first] and len(first[0]) > 100


def test_what_is_called_like_the_option_is_no_cache(project: Path) -> None:
    """`--cache-dir` is the pattern here, and src a path: a .gitignore of ours in it would hide the code."""
    before = sorted(os.listdir(project / "src"))
    for _ in range(3):
        run(project, "--exclude", "--cache-dir", "src")
        (project / "src/key").write_text("mine")
    assert sorted(os.listdir(project / "src")) == sorted([*before, "key"]) and (project / "src/key").read_text() == "mine"


def test_what_was_said_is_thrown_away_when_there_is_much_of_it(project: Path) -> None:
    run(project, ".")
    room, = (path for path in (project / cache.DIRECTORY).iterdir() if path.is_dir())
    for number in range(cache.MAX_SAID + 10):
        (room / f"s-{number}").write_bytes(b"")
    run(project, ".", COLUMNS="77")
    run(project, ".", COLUMNS="78")
    assert len([*room.glob("s-*")]) <= cache.MAX_SAID


def test_a_repository_that_appears_while_the_command_runs_is_not_overlooked(project: Path) -> None:
    code = DRIVER.format(grace=0, marker=str(project.parent / "again")).replace(
        "start.main()", "from hitl_lint import run as r\nreal = r.check\ndef check(request):\n    out = real(request)\n    Path('../../.git').mkdir()\n"
        "    return out\nr.check = check\nstart.main()")
    environ = {key: value for key, value in os.environ.items() if key not in start._VARIABLES}
    subprocess.run([sys.executable, "-c", code, "."], cwd=project, capture_output=True, env={**environ, "PYTHONPATH": str(ROOT)})
    assert not [*(project / cache.DIRECTORY).glob("*/s-*")]
