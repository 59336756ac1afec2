"""Which files are looked at, and which are worth a parse."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hitl_lint import rules
from hitl_lint.frontend import discover
from hitl_lint.frontend.discover import CANDIDATE, HOOK, Excludes, Seeker, verdict
from hitl_lint.frontend.ignore import Patterns


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lay(root: Path, *paths: str, **contents: str) -> None:
    """Empty files (and those with content, by path with `/` for `__`)."""
    for path in paths:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("")
    for path, text in contents.items():
        (root / path).write_text(text)


def found(*paths: str, **excludes: object) -> list[str]:
    result = discover.discover(paths or ["."], Excludes(**excludes))  # type: ignore[arg-type]
    assert not result.troubles
    return result.files


def test_a_directory_gives_its_python_files_and_notebooks_sorted(here: Path) -> None:
    lay(here, "b.py", "a/x.py", "a/n.ipynb", "a/readme.md", "a/x.pyi", "a/x.pyc")
    assert found() == ["a/n.ipynb", "a/x.py", "b.py"]


def test_paths_are_relative_to_the_working_directory_however_they_are_given(here: Path) -> None:
    lay(here, "src/a.py")
    assert found("src") == found("./src/") == found(str(here / "src")) == found("src/../src") == ["src/a.py"]


def test_a_path_outside_the_working_directory_stays_relative(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(here, "src/a.py", "work/b.py", "work/gen.py", **{".gitignore": "/work/gen.py\n"})
    monkeypatch.chdir(here / "work")
    assert found("../src") == ["../src/a.py"]
    assert found("..", "b.py") == ["../src/a.py", "b.py"]


def test_the_same_file_named_twice_counts_once(here: Path) -> None:
    lay(here, "a.py")
    assert found("a.py", ".", "./a.py") == ["a.py"]


@pytest.mark.parametrize("name", [".venv", "venv", "build", "dist", "node_modules", ".git", ".tox", ".nox", "__pycache__", ".eggs",
                                  "site-packages", "app.egg-info", ".ipynb_checkpoints"])
def test_folders_of_tools_and_builds_are_left_out(here: Path, name: str) -> None:
    lay(here, f"{name}/a.py", f"deep/{name}/a.py", "a.py")
    assert found() == ["a.py"]


def test_a_virtual_environment_is_known_by_its_pyvenv_cfg(here: Path) -> None:
    lay(here, "env/pyvenv.cfg", "env/lib/a.py", "tools/env/a.py")
    assert found() == ["tools/env/a.py"]


def test_an_excluded_folder_that_is_named_is_looked_into(here: Path) -> None:
    lay(here, "build/a.py")
    assert found("build") == ["build/a.py"]


def test_gitignore_holds_for_walks_and_not_for_named_files(here: Path) -> None:
    lay(here, "gen/a.py", "gen.py", "keep.py", **{".gitignore": "gen/\n/gen.py\n"})
    assert found() == ["keep.py"]
    assert found("gen.py") == ["gen.py"]


def test_nested_gitignore_overrides_the_outer_one(here: Path) -> None:
    lay(here, "a/x_pb2.py", "b/x_pb2.py", "a/sub/x_pb2.py", **{".gitignore": "*_pb2.py\n"})
    (here / "a/.gitignore").write_text("!*_pb2.py\n")
    assert found() == ["a/sub/x_pb2.py", "a/x_pb2.py"]


def test_gitignore_of_the_directories_above_holds_up_to_the_repository(here: Path) -> None:
    lay(here, "outer/.git/HEAD", "outer/src/a.py", "outer/src/gen.py", **{".gitignore": "*.py\n"})
    (here / "outer/.gitignore").write_text("src/gen.py\n")
    assert found("outer/src") == ["outer/src/a.py"]


def test_anchored_pattern_in_nested_gitignore_is_relative_to_it(here: Path) -> None:
    lay(here, "a/gen.py", "a/b/gen.py")
    (here / "a/.gitignore").write_text("/gen.py\n")
    assert found() == ["a/b/gen.py"]


def test_exclude_beats_a_gitignore_that_wants_it_back(here: Path) -> None:
    lay(here, "a/x.py", "b.py", **{".gitignore": "!a\n"})
    assert found(patterns=((str(here), Patterns(["a"])),)) == ["b.py"]


def test_exclude_pattern_is_relative_to_its_base_wherever_the_walk_starts(here: Path) -> None:
    lay(here, "src/gen/x.py", "src/a.py", "gen/x.py")
    pattern = ((str(here), Patterns(["src/gen"])),)
    assert found(patterns=pattern) == ["gen/x.py", "src/a.py"]
    assert found("src", patterns=pattern) == ["src/a.py"]
    inner = ((str(here / "src"), Patterns(["/gen"])),)
    assert found(patterns=inner) == ["gen/x.py", "src/a.py"]


def test_replaced_default_excludes_do_not_hold(here: Path) -> None:
    lay(here, "build/a.py")
    assert found(defaults=False) == ["build/a.py"]


@pytest.mark.parametrize("path", ["build/a.py", "gen/a.py", "x_pb2.py"])
def test_named_files_are_linted_unless_force_exclude(here: Path, path: str) -> None:
    lay(here, path)
    patterns = ((str(here), Patterns(["gen", "*_pb2.py"])),)
    assert found(path, patterns=patterns) == [path]
    assert found(path, patterns=patterns, force=True) == []
    assert found(str(here / path), patterns=patterns, force=True) == []


def test_named_file_of_any_suffix_is_linted(here: Path) -> None:
    lay(here, "script")
    assert found("script") == ["script"]


def test_directory_called_like_a_module_is_walked(here: Path) -> None:
    lay(here, "x.py/inner.py")
    assert found() == found("x.py") == ["x.py/inner.py"]


def test_symlink_loop_ends(here: Path) -> None:
    lay(here, "a/x.py")
    (here / "a/loop").symlink_to(here)
    (here / "a/self").symlink_to("self")
    (here / "broken.py").symlink_to("nowhere.py")
    assert found() == ["a/x.py"]


def test_linked_file_counts_only_when_it_leads_out(here: Path) -> None:
    lay(here, "proj/a.py", "shared.py")
    (here / "proj/same.py").symlink_to("a.py")
    (here / "proj/other.py").symlink_to("../shared.py")
    assert found("proj") == ["proj/a.py", "proj/other.py"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_called_like_a_module_does_not_hang(here: Path) -> None:
    os.mkfifo(here / "pipe.py")
    assert found() == []
    result = discover.discover(["pipe.py"], Excludes())
    assert [str(t) for t in result.troubles] == ["cannot read pipe.py: not a regular file"]


def test_missing_path_is_one_trouble_that_was_named(here: Path) -> None:
    lay(here, "a.py")
    result = discover.discover(["nope", "a.py", "nul\0byte"], Excludes())
    assert result.files == ["a.py"]
    assert [(str(t), t.named) for t in result.troubles][0] == ("cannot read nope: no such file or directory", True)
    assert len(result.troubles) == 2


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions do not hold for root")
def test_unreadable_directory_costs_only_itself(here: Path) -> None:
    lay(here, "shut/a.py", "b.py")
    (here / "shut").chmod(0)
    try:
        result = discover.discover(["."], Excludes())
    finally:
        (here / "shut").chmod(0o755)
    assert result.files == ["b.py"]
    assert [(str(t), t.named) for t in result.troubles] == [("cannot read shut: permission denied", False)]


# --------------------------------------------------------------------------- the project
def test_project_root_is_the_nearest_directory_with_a_marker(here: Path) -> None:
    lay(here, "repo/pyproject.toml", "repo/src/app/a.py")
    assert discover.project_roots(["repo/src/app/a.py"]) == {"repo": True}
    assert discover.project_roots(["repo/src/app", "repo"]) == {"repo": True}


def test_without_a_marker_the_linted_directory_is_the_project(here: Path) -> None:
    lay(here, "one/a.py", "two/b.py")
    assert discover.project_roots(["one/a.py", "two"]) == {"one": False, "two": False}


def test_project_files_obey_gitignore_but_not_the_users_excludes(here: Path) -> None:
    lay(here, "pyproject.toml", "a.py", "legacy/b.py", "gen.py", **{".gitignore": "gen.py\n"})
    assert discover.project_files({".": True}) == ["a.py", "legacy/b.py"]


def test_listing_without_a_marker_is_bounded(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(here, *(f"d{n}/x{m}.py" for n in range(10) for m in range(10)))
    monkeypatch.setattr(discover, "MAX_ENTRIES_WITHOUT_MARKER", 50)
    assert len(discover.project_files({".": False})) < 60
    assert len(discover.project_files({".": True})) == 100


# --------------------------------------------------------------------------- reading
def test_read_bytes_reads_files_of_any_size(here: Path) -> None:
    for size in (0, 1, 4096, 3_000_000):
        (here / "f").write_bytes(b"x" * size)
        assert len(discover.read_bytes("f")) == size


# --------------------------------------------------------------------------- the gate
def test_needles_are_the_union_of_what_the_rules_declare() -> None:
    """Written down in discover.py so that a run without candidates imports no rule."""
    assert set(rules.needles(rules.all_rules())) == set(discover.NEEDLES)


@pytest.mark.parametrize(("text", "candidate"), [
    ("from langgraph.types import interrupt\n", True),
    ("import langgraph\n", False),
    ("raise KeyboardInterrupt\n", False),
    ("signal.interrupt_main()\n", False),
    ("def f(s):\n    return interrupt('?')\n", True),
    ("def f(s):\n    return interrupt('?'\n", True),
    ("def interrupt(self):\n    self.stop()\n", False),
    ("kernel.interrupt()\n", False),
    ("class Command(BaseCommand):\n    pass\n", False),
    ("app.invoke(Command(resume=True), cfg)\n", True),
    ("except GraphInterrupt:\n", True),
    ("x = 1  # noqa: HIL101\n", True),
    ("x = 'CHILD'\n", False),
    ("# hitl-lint: skip-file\n", True),
])
def test_candidate_by_content(text: str, candidate: bool) -> None:
    assert bool(verdict("a.py", text.encode()) & CANDIDATE) is candidate


@pytest.mark.parametrize(("text", "candidate", "hook"), [
    ("from langgraph.types import Command\n\ndef node(s):\n    return Command(update={})\n", False, False),
    ("from langgraph.types import Command\n\ndef node(g):\n    return g.invoke(Command(goto='x'))\n", True, False),
    ("from langchain.agents.middleware import wrap_tool_call\n", False, True),
    ("from langgraph.errors import GraphBubbleUp\n", False, False),
    ("from langgraph.types import (\n    Command,\n    interrupt,\n)\n", True, False),
])
def test_hooks_wait_for_a_tool_that_pauses_and_updates_of_state_are_no_evidence(text: str, candidate: bool, hook: bool) -> None:
    said = verdict("a.py", text.encode())
    assert (bool(said & CANDIDATE), bool(said & HOOK)) == (candidate, hook)


@pytest.mark.parametrize("few", [1, 100])
@pytest.mark.parametrize(("text", "uses"), [
    ("from app.hitl import ask\n", True),
    ("from app.hitl import tell, ask as confirm\n", True),
    ("from .hitl import (\n    tell,  # ask\n    ask,\n)\n", True),
    ("from . import ask\n", True),
    ("from .. import ask\n", False),
    ("from app import hitl\nhitl.ask()\n", True),
    ("import app.hitl as h\nh.ask()\n", True),
    ("from hitl import *\nask()\n", True),
    ("from hitl import *\ntell()\n", True),
    ("from other import *\ntell()\n", False),
    ("from hitl import tell\n", False),
    ("from app import hitl\nhitl.tell()\n", False),
    ("from other import ask\n", False),
    ("from .hitl import (\n    tell,  # ask\n)\n", False),
    ("ask = 1\n", False),
    ("", False),
])
def test_seeker_finds_users_by_import(text: str, uses: bool, few: int) -> None:
    seeker = Seeker([("ask", "hitl"), ("ask", "app"), *((f"unrelated{n}", "m") for n in range(few))])
    assert seeker.admits("src/app/nodes.py", text.encode()) is uses
