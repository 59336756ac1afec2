"""The cache: a warm run says what a cold one says, whatever has happened to the files or to the cache itself."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from hitl_lint import cache, facts, run
from hitl_lint.config import Config
from hitl_lint.frontend import discover, source
from hitl_lint.run import Request, Result

ROOT = Path(run.__file__).parent.parent
ALL = Config(select=("ALL",), min_severity="note")
ASK = "from langgraph.types import interrupt\n\n\ndef ask(q):\n    return interrupt(q)\n"
NODE = "import mail\nfrom hitl import ask\n\n\ndef node(state):\n    mail.send(state)\n    return {'answer': ask('Send it?')}\n"
MAIL = "import httpx\n\n\ndef send(state):\n    httpx.post('https://mail', json=state)\n"
GRAPH = ("from langgraph.graph import StateGraph\nfrom node import node\n\nbuilder = StateGraph(dict)\nbuilder.add_node('node', node)\n"
         "builder.set_entry_point('node')\ngraph = builder.compile()\n")
PROJECT = {"pyproject.toml": "", "hitl.py": ASK, "node.py": NODE, "mail.py": MAIL, "graph.py": GRAPH, "plain.py": "x = 1\n"}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def project(here: Path) -> Path:
    write(here, PROJECT)
    return here


@pytest.fixture
def aged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files count as settled at once."""
    monkeypatch.setattr(discover, "GRACE_NS", 0)


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def both(*paths: str, **request: Any) -> tuple[Result, Result]:
    """(with the cache, without)."""
    asked = Request(paths or (".",), **{"config": ALL, "jobs": 1, **request})
    return run.check(asked._replace(cache=request.get("cache", ""))), run.check(asked._replace(cache=None))


def codes(result: Result) -> list[tuple[str, str]]:
    return [(finding.span.path, finding.code) for finding in result.findings]


def entries(root: Path, prefix: str = "") -> list[Path]:
    return sorted(path for path in (root / cache.DIRECTORY).glob("*/*") if path.name.startswith(prefix))


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were parsed."""
    seen: list[str] = []
    real = source.read
    monkeypatch.setattr(source, "read", lambda path, data: seen.append(path) or real(path, data))  # type: ignore[func-returns-value]
    return seen


# --------------------------------------------------------------------------- what it spares
def test_what_did_not_change_is_not_parsed_again(project: Path, parsed: list[str]) -> None:
    warm, cold = both()
    assert warm == cold and ("node.py", "HIL101") in codes(cold)
    parsed.clear()
    assert run.check(Request((".",), ALL, cache="")) == cold
    assert parsed == []
    (project / "mail.py").write_text(MAIL + "\n\ndef more():\n    pass\n")
    parsed.clear()
    assert run.check(Request((".",), ALL, cache="")) == cold
    assert parsed == ["mail.py"]


def test_a_run_of_which_nothing_changed_reads_no_file(project: Path, aged: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "FEW", 0)
    _, cold = both()
    real = discover.read_bytes
    read: list[str] = []
    monkeypatch.setattr(discover, "read_bytes", lambda path: read.append(path) or real(path))  # type: ignore[func-returns-value]
    assert run.check(Request((".",), ALL, jobs=1, cache="")) == cold
    assert [path for path in read if path.endswith(".py")] == []


def test_touching_files_and_moving_them_about_parses_nothing(project: Path, parsed: list[str]) -> None:
    both()
    for path in project.glob("*.py"):
        os.utime(path, (1, 1))
    (project / "node.py").rename(project / "nodes.py")
    (project / "graph.py").unlink()
    parsed.clear()
    found = run.check(Request((".",), ALL, cache=""))
    assert parsed == [] and ("nodes.py", "HIL101") in codes(found)


@pytest.mark.parametrize("grace", [0, 10**12])
def test_a_warm_run_imports_no_parser(project: Path, grace: int) -> None:
    script = ("import sys; from hitl_lint import cli; from hitl_lint.frontend import discover; "
              f"discover.GRACE_NS = {grace}; code = cli.status(['.', '-q']); "
              "print(code, sorted({'libcst', 'rich', 'hitl_lint.analysis'} & set(sys.modules)), file=sys.stderr)")
    said = [subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}) for _ in range(3)]
    assert "libcst" in said[0].stderr
    assert said[2].stderr.strip() == ("1 []" if grace == 0 else "1 ['hitl_lint.analysis']"), said[2].stderr
    assert said[0].stdout == said[1].stdout == said[2].stdout


def test_few_files_without_a_candidate_do_not_touch_the_cache(project: Path) -> None:
    both("plain.py", "mail.py")
    assert not (project / cache.DIRECTORY).exists()


def test_a_tree_without_a_candidate_is_remembered_too(here: Path, aged: None, monkeypatch: pytest.MonkeyPatch) -> None:
    write(here, {"pyproject.toml": "", **{f"m{n}.py": "x = 1\n" for n in range(run.FEW + 1)}})
    warm, cold = both()
    monkeypatch.setattr(discover, "read_bytes", lambda path: pytest.fail(path))
    assert run.check(Request((".",), ALL, cache="")) == warm == cold


# --------------------------------------------------------------------------- a warm run says what a cold one says
# Pairs of one size, so that an edit can hide behind it.
_TEXTS = {
    "hitl.py": [ASK, ASK.replace("interrupt(q)", "interrapt(q)"), ASK + "\n\ndef other():\n    pass\n"],
    "mail.py": [MAIL, MAIL.replace("httpx.post", "httpx.hose"), MAIL.replace("httpx.post", "httpx.head")],
    "node.py": [NODE, NODE.replace("mail.send(state)", "mail.sond(state)"), NODE.replace("from hitl import", "from plan import"), "def node(:  # interrupt langgraph\n"],
    "graph.py": [GRAPH, GRAPH.replace("'node')", "'nodo')")],
    "sub/plan.py": ["from hitl import *\n", "from mail import *\n"],
    "sub/again.py": [NODE.replace("def node", "def again"), NODE.replace("mail.send(state)", "ask('Sure?') or 1")],
    ".gitignore": ["", "node.py\n", "mail.py\n"],
    "langgraph.json": ["{}", '{"graphs": {"a": "./graph.py:graph"}}', "["],
}
_STEPS = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(sorted(_TEXTS)), st.integers(0, 3)),
    st.tuples(st.just("sly"), st.sampled_from(sorted(_TEXTS)), st.integers(0, 3)),
    st.tuples(st.just("delete"), st.sampled_from(sorted(_TEXTS)), st.just(0)),
    st.tuples(st.just("touch"), st.sampled_from(sorted(_TEXTS)), st.integers(0, 2)),
    st.tuples(st.just("rename"), st.sampled_from(sorted(_TEXTS)), st.integers(0, 2)),
    st.tuples(st.just("checkout"), st.just(""), st.integers(0, 1)),
    st.tuples(st.just("config"), st.just(""), st.integers(0, 2)),
    st.tuples(st.just("version"), st.just(""), st.integers(0, 1)),
    st.tuples(st.just("paths"), st.just(""), st.integers(0, 2)),
)
_CONFIGS = [ALL, Config(), Config(select=("HIL1",), effects=(("mail.sond", "effect"),))]
_PATHS = [(".",), ("node.py", "sub"), ("hitl.py",)]


def do(step: tuple[str, str, int], root: Path, state: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    what, name, n = step
    path = root / name
    if what == "write" or what == "sly":
        before = path.stat() if path.exists() else None
        path.parent.mkdir(exist_ok=True)
        path.write_text(_TEXTS[name][n % len(_TEXTS[name])])
        if what == "sly" and before is not None:  # as if nothing had happened
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    elif what == "delete":
        path.unlink(missing_ok=True)
    elif what == "touch" and path.exists():
        os.utime(path, [None, (0, 0), (5e9, 5e9)][n])
    elif what == "rename" and path.exists():
        path.rename(root / ["moved.py", "sub/node.py", "hitl.py"][n]) if (root / "sub").exists() else None
    elif what == "checkout":
        for each in root.rglob("*.py"):
            text = each.read_bytes()
            each.unlink()
            each.write_bytes(text)
            os.utime(each, (n, n))
    elif what == "config":
        state["config"] = _CONFIGS[n]
    elif what == "version":
        monkeypatch.setattr(cache, "__version__", f"9.{n}")
    elif what == "paths":
        state["paths"] = _PATHS[n]


@pytest.mark.parametrize(("grace_ms", "few"), [(10, 0), (10, 64), (2000, 0)])
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=st.lists(_STEPS, min_size=2, max_size=6))
def test_after_any_edits_a_warm_run_says_what_a_cold_one_says(grace_ms: int, few: int, steps: list[Any], tmp_path_factory: pytest.TempPathFactory) -> None:
    """10: files settle after 10 ms, which passes after each step, so that whole results are used; 2000: they never do."""
    root = tmp_path_factory.mktemp("project")
    write(root, {**PROJECT, "sub/again.py": _TEXTS["sub/again.py"][0]})
    state: dict[str, Any] = {"config": ALL, "paths": (".",)}
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(root)
        monkeypatch.setattr(discover, "GRACE_NS", grace_ms * 1_000_000)
        monkeypatch.setattr(run, "FEW", few)
        for step in [("config", "", 0), *steps]:
            do(step, root, state, monkeypatch)
            if grace_ms < 100:
                time.sleep(0.025)
            request = Request(tuple(p for p in state["paths"] if os.path.exists(p)) or (".",), state["config"], jobs=1)
            cold = run.check(request)
            assert run.check(request._replace(cache="")) == cold, step
            assert run.check(request._replace(cache="")) == cold, ("again", step)


def test_fixes_survive(project: Path, aged: None) -> None:
    first, cold = both(fixes=True)
    again, _ = both(fixes=True)
    assert first == again == cold
    assert any(finding.fixes for finding in again.findings) and again.texts


def test_fixing_does_the_same_with_what_is_remembered(project: Path) -> None:
    from hitl_lint import mend

    (project / "node.py").write_text("from hitl import ask\n\n\ndef node(state):\n    try:\n        return {'a': ask('?')}\n    except Exception:\n        return {}\n")
    both()
    cold = mend.mend(Request((".",), ALL, jobs=1))
    for _ in range(2):
        warm = mend.mend(Request((".",), ALL, jobs=1, cache=""))
        assert (warm.changes, warm.result.findings) == (cold.changes, cold.result.findings) and warm.changes
    assert both()[0].findings == run.check(Request((".",), ALL)).findings, "what was tried in memory was taken for what is on the disk"


def test_what_the_project_is_makes_a_difference(project: Path, aged: None, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "app").mkdir()
    for name in ("hitl.py", "mail.py", "node.py"):
        (project / name).rename(project / "app" / name)
    for name in ("graph.py", "plain.py"):
        (project / name).unlink()
    monkeypatch.chdir(project / "app")
    first, cold = both(cache="kept")
    (project / "pyproject.toml").unlink()
    second, other = both(cache="kept")
    assert first == cold and second == other and [f.function for f in cold.findings] != [f.function for f in other.findings]


def test_from_another_directory_the_facts_are_the_same_and_the_paths_are_not(project: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    both()
    (project / "sub").mkdir()
    monkeypatch.chdir(project / "sub")
    parsed.clear()
    found = run.check(Request(("..",), ALL, cache=""))
    assert parsed == [] and ("../node.py", "HIL101") in codes(found)


def test_code_on_stdin_is_not_kept(project: Path) -> None:
    (project / "node.py").unlink()
    request = Request((), ALL, stdin=NODE.encode(), stdin_path="node.py", jobs=1)
    cold = run.check(request)
    assert run.check(request._replace(cache="")) == run.check(request._replace(cache="")) == cold and codes(cold) == [("node.py", "HIL101")]
    kept = b"".join(path.read_bytes() for path in entries(project))
    assert b"Send it?" not in kept and b"https://mail" in kept and not entries(project, "r-")
    # On the disk stands something else, which the next run must see.
    (project / "node.py").write_text("x = 1\n")
    assert codes(both("node.py")[0]) == []


def test_what_is_not_as_it_should_be_is_told_every_time(project: Path, aged: None) -> None:
    for _ in range(2):
        result, cold = both(".", "gone.py")
        assert result == cold and result.failed and result.complaints


def test_a_result_with_parts_that_are_not_remembered_is_not_remembered(project: Path, aged: None) -> None:
    known = run._REMEMBERED | {"complaints", "failed", "picture"}
    assert set(Result._fields) == known, "list the new field in run._PLAIN (and store it), or it keeps results from being remembered once it is filled"


def test_findings_are_the_same_after_the_way_through_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = run.check(Request(("fixtures",), ALL, fixes=True)).findings
    assert list(cache.unpack(json.loads(json.dumps(cache.pack(found))))) == found and len(found) > 50


# --------------------------------------------------------------------------- where it lies
def test_the_directory_explains_itself_and_git_does_not_see_it(project: Path) -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    both()
    directory = project / cache.DIRECTORY
    assert (directory / ".gitignore").read_text() == "*\n" and (directory / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55\n")
    assert cache.DIRECTORY not in subprocess.run(["git", "status", "--porcelain"], capture_output=True, text=True, check=True).stdout


def test_without_a_project_there_is_none_unless_one_is_named(here: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    write(here, {name: text for name, text in PROJECT.items() if name != "pyproject.toml"})
    both()
    assert not (here / cache.DIRECTORY).exists()
    named = tmp_path_factory.mktemp("elsewhere") / "a" / "b"
    warm, cold = both(cache=str(named))
    assert warm == cold and (named / "key").exists()


def cli(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "hitl_lint", *arguments], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT), **environment})


def test_options_environment_and_configuration(project: Path) -> None:
    assert cli("--no-cache").returncode == 1 and not (project / cache.DIRECTORY).exists()
    assert cli("--no-cache", HITL_LINT_CACHE_DIR="env").returncode == 1 and not (project / "env").exists()
    (project / "pyproject.toml").write_text('[tool.hitl-lint]\ncache-dir = "conf"\n')
    (project / "deep").mkdir()
    (project / "deep/node.py").write_text(NODE.replace("from hitl", "from ..hitl"))
    subprocess.run([sys.executable, "-m", "hitl_lint", "../node.py"], cwd=project / "deep", env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True)
    assert (project / "conf/key").exists()
    cli(HITL_LINT_CACHE_DIR="env")
    assert (project / "env/key").exists()
    cli("--cache-dir", "given", HITL_LINT_CACHE_DIR="env2")
    assert (project / "given/key").exists() and not (project / "env2").exists() and not (project / cache.DIRECTORY).exists()
    (project / "pyproject.toml").write_text("[tool.hitl-lint]\ncache-dir = 3\n")
    assert "cache-dir: must be the path of a directory" in cli().stderr


def test_runs_at_the_same_time(project: Path) -> None:
    cold = cli("--no-cache").stdout
    started = [subprocess.Popen([sys.executable, "-m", "hitl_lint", "-q"], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}) for _ in range(4)]
    assert [process.communicate()[0] for process in started] == [cold] * 4
    assert not entries(project, "tmp-") and cli().stdout == cold


def test_the_oldest_is_thrown_away(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_FACTS", 6)
    for n in range(12):
        (project / "node.py").write_text(NODE + f"\nx = {n}\n")
        warm, cold = both()
        assert warm == cold
    assert len(entries(project, "f-")) <= 10
    for n in range(5):
        monkeypatch.setattr(cache, "__version__", f"9.{n}")
        both()
    rooms = [path for path in (project / cache.DIRECTORY).iterdir() if path.is_dir()]
    assert len(rooms) == cache.MAX_TAGS


# --------------------------------------------------------------------------- whatever lies there
_DEEP = b"[" * 200_000
_BODIES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "truncated": lambda data: data[: len(data) // 2],
    "random": lambda data: bytes(range(256)) * 40,
    "flipped": lambda data: data[:-10] + bytes([data[-10] ^ 1]) + data[-9:],
    "deep": lambda data: data[:32] + _DEEP,
    "numbers": lambda data: data[:32] + b'{"paths": ' + b"9" * 10_000 + b"}",
}


@pytest.mark.parametrize("how", sorted(_BODIES))
def test_spoilt_files_are_ignored_and_written_again(project: Path, aged: None, how: str) -> None:
    _, cold = both()
    for path in [*entries(project), project / cache.DIRECTORY / "key"]:
        content = path.read_bytes()
        path.write_bytes(_BODIES[how](content))
        assert both()[0] == cold, path
        assert both()[0] == cold, path


def _sealed() -> Iterator[bytes]:
    """What a fault of ours, or somebody with the key, could have written."""
    yield from (b"", b"null", b"[]", b"{}", b"3", b'"x"', _DEEP, b"[" + b"9" * 5000 + b"]", b"\xff\xfe", b"[1e999, NaN]")
    yield json.dumps(["#", len(facts._CLASSES) - 1, "x"]).encode()
    yield json.dumps(["#", 10**30]).encode()
    yield json.dumps({"paths": ["node.py"], "stamps": [], "said": 3, "contents": None, "questions": []}).encode()
    yield json.dumps({"paths": [["a"]], "stamps": [1], "said": "x", "contents": {}, "questions": {}}).encode()
    yield json.dumps({"stamp": None, "whole": True, "manifests": 3}).encode()
    yield json.dumps({"stamp": "", "whole": False, "manifests": {}, "findings": [{"": "Store"}], "texts": ["/nowhere"]}).encode()


@pytest.mark.parametrize("body", list(_sealed()), ids=lambda body: body[:24].decode("latin-1"))
def test_well_sealed_nonsense_does_no_harm(project: Path, aged: None, body: bytes) -> None:
    _, cold = both()
    store = cache.open_store(cache.DIRECTORY, given=False)
    assert store is not None
    for path in entries(project):
        store.put(path.name, body)
        assert both()[0] == cold, path.name


def test_links_and_directories_in_the_place_of_files(project: Path, aged: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    _, cold = both()
    precious = tmp_path_factory.mktemp("home") / "precious"
    precious.write_text("precious")
    for n, path in enumerate([*entries(project), project / cache.DIRECTORY / "key"] * 3):
        if not path.exists():
            continue
        path.unlink() if not path.is_dir() else path.rmdir()
        if n % 3 == 0:
            path.symlink_to(precious)
        elif n % 3 == 1:
            path.mkdir()
        else:
            os.mkfifo(path)
        assert both()[0] == cold, path
    assert precious.read_text() == "precious"


@pytest.mark.parametrize("what", ["file", "link", "dangling"])
def test_something_else_in_the_place_of_the_directory(project: Path, what: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    directory = project / cache.DIRECTORY
    if what == "file":
        directory.write_text("mine")
    else:
        directory.symlink_to(elsewhere if what == "link" else elsewhere / "gone")
    warm, cold = both()
    assert warm == cold and list(elsewhere.iterdir()) == []


def test_where_nothing_can_be_written_there_is_none(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    warm, cold = both(cache="/dev/null/cache")
    assert warm == cold

    def refuse(*_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(cache, "_write", refuse)
    assert both()[0] == cold
    done = cli("--cache-dir", "/proc/nowhere")
    assert done.returncode == 1 and "cache" not in done.stderr


def test_what_belongs_to_somebody_else_is_not_used(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both()
    before = {path: path.read_bytes() for path in entries(project)}
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert cache.open_store(cache.DIRECTORY, given=False) is None and cache.open_store(cache.DIRECTORY, given=True) is None
    warm, cold = both()
    assert warm == cold and before == {path: path.read_bytes() for path in entries(project)}


def test_a_cache_that_comes_with_a_checkout_is_not_believed(project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody commits a cache that says that the file at fault is empty."""
    _, cold = both()
    store = cache.open_store(cache.DIRECTORY, given=False)
    assert store is not None
    nothing = json.dumps(facts.dump(facts.Module("node.py", []))).encode()
    for path in entries(project, "f-"):
        store.put(path.name, nothing)
    assert both()[0] != cold, "the forgery does not work even here"
    clone = tmp_path_factory.mktemp("clone") / "project"
    shutil.copytree(project, clone, copy_function=shutil.copyfile)
    monkeypatch.chdir(clone)
    assert both()[0] == cold
