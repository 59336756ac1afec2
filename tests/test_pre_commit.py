"""The hooks, run by the real pre-commit on commits in a repository of its own. The hooks come from a repository with this working tree, which
pre-commit installs (half a minute, from the package index)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = ("hitl_lint", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", ".pre-commit-hooks.yaml")
_BESIDE = Path(sys.executable).parent / "pre-commit"
PRE_COMMIT = str(_BESIDE) if _BESIDE.exists() else shutil.which("pre-commit")

pytestmark = pytest.mark.skipif(PRE_COMMIT is None or shutil.which("git") is None, reason="needs pre-commit and git")

HITL = "from langgraph.types import interrupt\n\n\ndef ask(question):\n    return interrupt(question)\n"
MAIL = "import httpx\n\n\ndef send(state):\n    httpx.post('https://mail.example', json=state)\n"
BAD = "import mail\nfrom hitl import ask\n\n\ndef node(state):\n    mail.send(state)\n    return {'answer': ask('Send it?')}\n"
GOOD = "import mail\nfrom hitl import ask\n\n\ndef node(state):\n    answer = ask('Send it?')\n    mail.send(state)\n    return {'answer': answer}\n"
CAUGHT = "from hitl import ask\n\n\ndef node(state):\n    try:\n        return {'answer': ask('Send it?')}\n    except Exception:\n        return {}\n"


def git(where: Path, *arguments: str, check: bool = True, **environment: str) -> subprocess.CompletedProcess[str]:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    path = os.pathsep.join([str(Path(str(PRE_COMMIT)).parent), os.environ.get("PATH", "")])
    done = subprocess.run(["git", *who, *arguments], cwd=where, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**os.environ, "PATH": path, "GIT_CONFIG_GLOBAL": os.devnull, **environment})
    assert done.returncode == 0 or not check, done.stdout
    return done


def repository_of_hooks(top: Path) -> Path:
    """Its parent is where pre-commit's home will be."""
    repository = top / "hitl-lint"
    repository.mkdir()
    for name in FILES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, repository / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, repository / name)
    git(repository, "init", "-q")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "hooks")
    return repository


class Repository:
    """An application whose commits are checked."""

    def __init__(self, where: Path, hooks: Path, *ids: str) -> None:
        self.where = where
        self.home = str(hooks.parent / "home")
        where.mkdir()
        git(where, "init", "-q")
        revision = git(hooks, "rev-parse", "HEAD").stdout.strip()
        lines = ["repos:", f"- repo: {hooks}", f"  rev: {revision}", "  hooks:", *(f"  - id: {each}" for each in ids)]
        self.write({".pre-commit-config.yaml": "\n".join(lines) + "\n", "pyproject.toml": "", "hitl.py": HITL, "mail.py": MAIL})
        git(where, "add", "-A")
        git(where, "commit", "-qm", "start")
        subprocess.run([str(PRE_COMMIT), "install"], cwd=where, check=True, capture_output=True, env={**os.environ, "PRE_COMMIT_HOME": self.home})

    def write(self, files: dict[str, str]) -> None:
        for path, text in files.items():
            (self.where / path).parent.mkdir(exist_ok=True, parents=True)
            (self.where / path).write_text(text)

    def read(self, path: str) -> str:
        return (self.where / path).read_text()

    def add(self, *paths: str) -> None:
        git(self.where, "add", *(paths or ("-A",)))

    def commit(self) -> tuple[bool, str]:
        done = git(self.where, "commit", "-m", "change", check=False, PRE_COMMIT_HOME=self.home)
        return done.returncode == 0, done.stdout

    def committed(self, path: str) -> str:
        return git(self.where, "show", f"HEAD:{path}").stdout


def a_bad_commit_is_stopped_and_a_good_one_passes(tmp_path: Path, hooks: Path) -> None:
    repository = Repository(tmp_path / "app", hooks, "hitl-lint")
    repository.write({"node.py": BAD})
    repository.add()
    passed, said = repository.commit()
    assert not passed and "node.py:6:" in said and "HIL101" in said, said
    repository.write({"node.py": GOOD})
    repository.add()
    passed, said = repository.commit()
    assert passed and repository.committed("node.py") == GOOD, said
    assert git(repository.where, "status", "--porcelain").stdout == "", "the cache shows in git"


def what_is_staged_is_what_is_judged(tmp_path: Path, hooks: Path) -> None:
    repository = Repository(tmp_path / "app", hooks, "hitl-lint")
    repository.write({"node.py": GOOD})
    repository.add()
    repository.write({"node.py": BAD})
    passed, said = repository.commit()
    assert passed and (repository.committed("node.py"), repository.read("node.py")) == (GOOD, BAD), said
    repository.write({"node.py": BAD + "x = 1\n"})
    repository.add()
    repository.write({"node.py": GOOD})
    passed, said = repository.commit()
    assert not passed and "HIL101" in said and repository.read("node.py") == GOOD, said


def only_what_is_staged_is_reported_unless_the_hook_is_for_the_project(tmp_path: Path, hooks: Path) -> None:
    for name, stopped in (("hitl-lint", False), ("hitl-lint-project", True)):
        repository = Repository(tmp_path / name, hooks, name)
        repository.write({"node.py": BAD})
        git(repository.where, "add", "node.py")
        git(repository.where, "commit", "-qm", "past the hook", "--no-verify")
        repository.write({"hitl.py": HITL + "\n\ndef again(question):\n    return ask(question)\n"})
        repository.add()
        passed, said = repository.commit()
        assert passed is not stopped and ("node.py:6:" in said) is stopped, said


def excludes_hold_for_staged_files(tmp_path: Path, hooks: Path) -> None:
    repository = Repository(tmp_path / "app", hooks, "hitl-lint")
    repository.write({"pyproject.toml": '[tool.hitl-lint]\nextend-exclude = ["drafts"]\n', "drafts/node.py": BAD})
    repository.add()
    passed, said = repository.commit()
    assert passed, said


def the_fixing_hook_fixes_and_fails_the_commit(tmp_path: Path, hooks: Path) -> None:
    repository = Repository(tmp_path / "app", hooks, "hitl-lint-fix")
    repository.write({"node.py": CAUGHT})
    repository.add()
    passed, said = repository.commit()
    assert not passed and "files were modified by this hook" in said and "1 fixed" in said, said
    assert repository.read("node.py") != CAUGHT and "raise" in repository.read("node.py")
    repository.add()
    passed, said = repository.commit()
    assert passed and "raise" in repository.committed("node.py"), said


def test_hooks(tmp_path: Path) -> None:
    """One test, so that the hooks are installed once however many processes run the tests."""
    (tmp_path / "hooks").mkdir()
    hooks = repository_of_hooks(tmp_path / "hooks")
    for scenario in (a_bad_commit_is_stopped_and_a_good_one_passes,
                     what_is_staged_is_what_is_judged,
                     only_what_is_staged_is_reported_unless_the_hook_is_for_the_project,
                     excludes_hold_for_staged_files,
                     the_fixing_hook_fixes_and_fails_the_commit):
        (tmp_path / scenario.__name__).mkdir()
        scenario(tmp_path / scenario.__name__, hooks)
