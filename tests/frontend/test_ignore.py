"""The gitignore matcher, against examples and against git itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from hitl_lint.frontend.ignore import Patterns


@pytest.mark.parametrize(("patterns", "path", "is_dir", "expected"), [
    (["*.pyc"], "a/b.pyc", False, True),
    (["build/"], "build", True, True),
    (["build/"], "build", False, None),
    (["/top.py"], "top.py", False, True),
    (["/top.py"], "a/top.py", False, None),
    (["a/b.py"], "a/b.py", False, True),
    (["a/b.py"], "x/a/b.py", False, None),
    (["**/gen"], "x/y/gen", True, True),
    (["gen/**"], "gen/a/b.py", False, True),
    (["gen/**"], "gen", True, None),
    (["a/**/b"], "a/b", True, True),
    (["a/**/b"], "a/x/y/b", True, True),
    (["*.py", "!keep.py"], "keep.py", False, False),
    (["!keep.py", "*.py"], "keep.py", False, True),
    (["data_[0-9].py"], "data_7.py", False, True),
    (["data_[!0-9].py"], "data_7.py", False, None),
    (["a?.py"], "ab.py", False, True),
    (["a?.py"], "a/.py", False, None),
    (["# comment", "", "  "], "# comment", False, None),
    ([r"\#name.py"], "#name.py", False, True),
    ([r"\!name.py"], "!name.py", False, True),
    (["trailing.py   "], "trailing.py", False, True),
    (["[unclosed"], "[unclosed", False, None),
    (["[z-a]x.py"], "bx.py", False, None),
    (["*"], "anything", True, True),
])
def test_one_pattern_against_one_path(patterns: list[str], path: str, is_dir: bool, expected: bool | None) -> None:
    assert Patterns(patterns).match(path, path.rsplit("/", 1)[-1], is_dir) is expected


def test_a_file_is_covered_by_a_pattern_for_a_directory_above_it() -> None:
    assert Patterns(["tests/"]).covers("tests/unit/test_a.py")
    assert Patterns(["src/legacy"]).covers("src/legacy/old/a.py")
    assert not Patterns(["src/legacy"]).covers("src/legacy.py")


def test_no_pattern_is_false() -> None:
    assert not Patterns(["", "# nothing"])
    assert Patterns(["x"])


_PART = st.sampled_from(["a", "b", "ab", "a.py", "b.py", "x y", "[a]"])
# `**` only as a whole component: what git makes of `b**/x` depends on how much of the pattern it has compared literally before.
_PIECES = st.sampled_from(["a", "b", ".py", "*", "?", "[ab]", "[!a]", "x y", "\\*"])
_NAME = st.lists(_PIECES, min_size=1, max_size=4).map("".join).filter(lambda name: "**" not in name)
_GLOB = st.lists(st.one_of(_NAME, st.sampled_from(["**", "a", "*"])), min_size=1, max_size=4).map("/".join)


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git to compare with")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(st.tuples(st.sampled_from(["", "!", "/"]), _GLOB, st.sampled_from(["", "/"])), min_size=1, max_size=4),
       paths=st.lists(st.lists(_PART, min_size=1, max_size=3), min_size=1, max_size=8))
def test_same_verdict_as_git(lines: list[tuple[str, str, str]], paths: list[list[str]], git_dir: Path) -> None:
    """Files only, each judged with the directories above it, as a walk meets them."""
    ignore = [sign + glob + end for sign, glob, end in lines]
    (git_dir / ".gitignore").write_text("\n".join(ignore) + "\n")
    asked = ["/".join(parts) for parts in paths]
    run = subprocess.run(["git", "check-ignore", "--no-index", "-z", "--stdin"], cwd=git_dir, input="\0".join(asked).encode() + b"\0",
                         capture_output=True)
    ignored = set(run.stdout.decode().split("\0"))
    patterns = Patterns(ignore)
    assert {path: patterns.covers(path) for path in asked} == {path: path in ignored for path in asked}, ignore


@pytest.fixture(scope="module")
def git_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("repo")
    subprocess.run(["git", "init", "-q", str(path)], check=True)
    return path
