"""The real flake8, in processes of its own, says what hitl-lint says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hitl_lint

pytest.importorskip("flake8")

ROOT = Path(__file__).parent.parent
PAUSE = "from langgraph.types import interrupt\n"
MAIL = PAUSE + "import httpx\n\n\ndef node(state):\n    httpx.post('https://mail.example', json={})\n    return {'answer': interrupt('Send it?')}\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What makes the plugin known to flake8, whether or not this tree is installed: the metadata that a wheel would have."""
    folder = tmp_path_factory.mktemp("site")
    info = folder / "hitl_lint-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: hitl-lint\nVersion: {hitl_lint.__version__}\n")
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    entry = re.search(r'^\[project\.entry-points\."flake8\.extension"\]\n(HIL) = "(.*)"$', text, re.M)
    assert entry is not None
    (info / "entry_points.txt").write_text(f"[flake8.extension]\n{entry[1]} = {entry[2]}\n")
    os.symlink(ROOT / "hitl_lint", folder / "hitl_lint", target_is_directory=True)
    return folder


class Tools:
    def __init__(self, folder: Path, site: Path) -> None:
        self.folder = folder
        self.env = {**os.environ, "PYTHONPATH": str(site)}

    def call(self, *command: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", *command], cwd=self.folder, env=self.env, input=stdin, capture_output=True, text=True, encoding="utf-8", timeout=120)

    def flake8(self, *args: str, stdin: str | None = None) -> list[str]:
        done = self.call("flake8", "--isolated", "--select", "HIL", *args, stdin=stdin)
        assert not done.stderr and done.returncode in (0, 1), done.stderr
        return sorted(line.removeprefix("./").removesuffix(" (note)") for line in done.stdout.splitlines())

    def ours(self, *args: str, stdin: str | None = None) -> list[str]:
        done = self.call("hitl_lint", "--output-format", "concise", "--quiet", *args, stdin=stdin)
        assert not done.stderr, done.stderr
        return sorted(done.stdout.splitlines())


@pytest.fixture
def tools(tmp_path: Path, installed: Path) -> Tools:
    return Tools(tmp_path, installed)


def test_it_is_known_to_flake8(tools: Tools) -> None:
    assert f"hitl-lint: {hitl_lint.__version__}" in tools.call("flake8", "--version").stdout.replace("\n", " ")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_same_findings_at_the_same_places(tools: Tools, jobs: str) -> None:
    for code in ("HIL101", "HIL201", "HIL302", "HIL303", "HIL604"):
        for path in sorted((ROOT / "fixtures" / code).glob("*.py"))[:6]:
            target = tools.folder / code / path.name
            target.parent.mkdir(exist_ok=True)
            shutil.copy(path, target)
    (tools.folder / "wide.py").write_text("# \U0001f600\n" + MAIL.replace("    httpx", "    '\U0001f600é'; httpx"), encoding="utf-8")
    ours = tools.ours(".")
    assert len(ours) > 10 and any("HIL303" in line for line in ours)
    assert tools.flake8("--jobs", jobs, ".") == ours
    assert tools.flake8("--jobs", jobs) == ours
    assert tools.flake8("--jobs", jobs, "HIL101", "./wide.py") == tools.ours("HIL101", "wide.py") != []


def test_what_another_file_decides_is_seen_from_each_process(tools: Tools) -> None:
    (tools.folder / "app").mkdir()
    (tools.folder / "app/__init__.py").touch()
    (tools.folder / "app/ask.py").write_text(PAUSE + "\n\ndef ask(question):\n    return interrupt(question)\n")
    caller = "import httpx\nfrom app.ask import ask\n\n\ndef node(state):\n    httpx.post('https://mail.example', json={})\n    return {'answer': ask('?')}\n"
    for n in range(6):
        (tools.folder / f"app/node{n}.py").write_text(caller)
    assert tools.flake8("--jobs", "2") == tools.ours() and len(tools.ours()) == 6


def test_notes_say_that_they_are_notes(tools: Tools) -> None:
    shutil.copytree(ROOT / "fixtures/HIL303", tools.folder / "f")
    lines = tools.call("flake8", "--isolated", "--select", "HIL303", ".").stdout.splitlines()
    assert lines and all(line.endswith(" (note)") for line in lines)


def test_noqa_is_left_to_flake8(tools: Tools) -> None:
    (tools.folder / "a.py").write_text(MAIL.replace("json={})", "json={})  # noqa: HIL101"))
    (tools.folder / "b.py").write_text(MAIL.replace("json={})", "json={})  # hitl-lint: ignore[HIL101] one is enough"))
    (tools.folder / "c.py").write_text(MAIL + "x = 1  # noqa: HIL201\n")
    assert tools.flake8() == tools.ours() and [line.split()[1] for line in tools.ours()] == ["HIL101", "HIL902"]
    assert [line.split(":")[0] for line in tools.flake8("--disable-noqa")] == ["a.py", "c.py", "c.py"]


def test_code_on_stdin_sees_the_project(tools: Tools) -> None:
    (tools.folder / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (tools.folder / "mail.py").write_text("import httpx\n\n\ndef prepare():\n    httpx.post('https://mail.example')\n")
    source = PAUSE + "from mail import prepare\n\n\ndef node(state):\n    prepare()\n    return {'answer': interrupt('é?')}\n"
    expected = tools.ours("--stdin-filename", "node.py", "-", stdin=source)
    assert tools.flake8("--stdin-display-name", "node.py", "-", stdin=source) == expected != []


def test_our_configuration_holds_and_a_bad_one_is_told(tools: Tools) -> None:
    (tools.folder / "a.py").write_text(MAIL)
    (tools.folder / "hitl-lint.toml").write_text("ignore = ['HIL101']\n")
    assert tools.flake8() == []
    (tools.folder / "hitl-lint.toml").write_text("ignoer = ['HIL101']\n")
    for jobs in ("1", "2"):
        (tools.folder / "b.py").write_text(MAIL)
        done = tools.call("flake8", "--isolated", "--jobs", jobs)
        assert done.returncode == 1 and 'did you mean "ignore"' in done.stdout + done.stderr and "Traceback" not in done.stderr, done


def test_nothing_is_run_when_nothing_of_ours_is_selected(tools: Tools) -> None:
    (tools.folder / "a.py").write_text(MAIL)
    (tools.folder / "hitl-lint.toml").write_text("ignoer = ['HIL101']\n")
    done = tools.call("flake8", "--isolated", "--select", "E9,F63")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
