"""The Python API: what it finds is what the command line finds, and importing it is free."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import hitl_lint
from hitl_lint import cli

PAUSE = "from langgraph.types import interrupt\n"
MAIL = PAUSE + "import httpx\n\n\ndef node(state):\n    httpx.post('https://mail.example', json={})\n    return {'answer': interrupt('Send it?')}\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(result: hitl_lint.Result) -> list[tuple[str, int, int, str]]:
    return [(f.span.path, f.span.line, f.span.column, f.code) for f in result.findings]


def test_importing_the_package_imports_nothing() -> None:
    script = ("import sys; before = set(sys.modules); import hitl_lint; print(sorted(set(sys.modules) - before - {'hitl_lint'})); "
              "import hitl_lint.api; print(sorted(m for m in sys.modules if m.split('.')[0] in ('libcst', 'click', 'dataclasses', 'json')))")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(Path(cli.__file__).parent.parent)})
    assert done.stdout.splitlines() == ["[]", "[]"], done.stderr


def test_every_name_of_the_api_is_there_and_others_are_not() -> None:
    for name in hitl_lint.__all__:
        assert getattr(hitl_lint, name) is not None and name in dir(hitl_lint)
    with pytest.raises(AttributeError, match="no attribute 'check_path'"):
        hitl_lint.check_path


def test_check_paths_finds_what_the_command_line_finds(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "pkg").mkdir()
    (here / "pkg/a.py").write_text(MAIL)
    (here / "pkg/b.py").write_text("def node(:\n" + PAUSE)
    cli.status(["--output-format", "json", "pkg"])
    document = json.loads(capsys.readouterr().out)
    result = hitl_lint.check_paths("pkg", fixes=True)
    assert told(result) == [(f["path"], f["line"], f["column"], f["code"]) for f in document["findings"]] != []
    assert result.summary() == document["summary"]
    assert [len(f.fixes) for f in result.findings] == [len(f["fixes"]) for f in document["findings"]]
    assert told(hitl_lint.check_paths([here / "pkg"])) == told(result) == told(hitl_lint.check_paths(Path("pkg")))


def test_check_source_sees_the_rest_of_the_project(here: Path) -> None:
    (here / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (here / "mail.py").write_text("import httpx\n\n\ndef prepare():\n    httpx.post('https://mail.example')\n")
    source = PAUSE + "from mail import prepare\n\n\ndef node(state):\n    prepare()\n    return {'answer': interrupt('?')}\n"
    assert told(hitl_lint.check_source(source, "node.py")) == [("node.py", 6, 5, "HIL101")]
    assert told(hitl_lint.check_source(source.encode(), here / "node.py")) == [("node.py", 6, 5, "HIL101")]
    quiet = hitl_lint.check_source(source, "node.py", overrides={"mail.py": "def prepare():\n    pass\n"})
    assert told(quiet) == []


def test_check_source_alone(here: Path) -> None:
    assert told(hitl_lint.check_source(MAIL)) == [("<source>", 6, 5, "HIL101")]
    assert told(hitl_lint.check_source("# -*- coding: latin-1 -*-\n# é\n" + MAIL)) == [("<source>", 8, 5, "HIL101")]
    assert [f.code for f in hitl_lint.check_source(PAUSE + "def f(:\n").findings] == ["HIL901"]
    assert told(hitl_lint.check_source("# \ud83d half of an emoji\n" + MAIL)) == [("<source>", 7, 5, "HIL101")]
    notebook = json.dumps({"cells": [{"cell_type": "code", "source": MAIL, "metadata": {}, "outputs": []}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    assert [(f.span.cell, f.span.line) for f in hitl_lint.check_source(notebook, "n.ipynb").findings] == [(0, 6)]


def test_configuration_is_found_named_or_given(here: Path) -> None:
    (here / "pyproject.toml").write_text("[tool.hitl-lint]\nignore = ['HIL101']\n")
    (here / "other.toml").write_text("select = ['HIL101']\n")
    (here / "a.py").write_text(MAIL)
    assert told(hitl_lint.check_paths("a.py")) == [] == told(hitl_lint.check_source(MAIL, "a.py"))
    for config in (hitl_lint.Config(), "other.toml", here / "other.toml"):
        assert len(hitl_lint.check_paths("a.py", config=config).findings) == 1
        assert len(hitl_lint.check_source(MAIL, "a.py", config=config).findings) == 1


def test_errors_are_those_that_are_documented(here: Path) -> None:
    (here / "bad.toml").write_text("selekt = []\n")
    (here / "worse.toml").write_text("select = ['HIL999']\n")
    with pytest.raises(hitl_lint.ConfigError, match='did you mean "select"'):
        hitl_lint.check_paths(".", config="bad.toml")
    with pytest.raises(hitl_lint.ConfigError, match="HIL999"):
        hitl_lint.check_source("", config="worse.toml")
    with pytest.raises(hitl_lint.ConfigError, match="cannot read none.toml"):
        hitl_lint.check_paths(".", config="none.toml")
    result = hitl_lint.check_paths("nowhere.py")
    assert result.failed and "nowhere.py" in result.complaints[0]


def test_what_was_parsed_is_kept(here: Path) -> None:
    (here / "a.py").write_text(MAIL)
    parsed: dict = {}
    first = hitl_lint.check_paths(".", parsed=parsed)
    kept = dict(parsed)
    assert [path for path, _ in parsed] == ["a.py"] and told(first) == told(hitl_lint.check_paths(".", parsed=parsed))
    assert parsed == kept and all(parsed[key] is kept[key] for key in kept)


def test_a_run_can_be_stopped_and_noqa_left_to_another_tool(here: Path) -> None:
    from hitl_lint import run

    (here / "a.py").write_text(MAIL.replace("json={})", "json={})  # noqa: HIL101"))
    assert run.check(run.Request(["a.py"])).findings == []
    assert [f.code for f in run.check(run.Request(["a.py"], keep_noqa=True)).findings] == ["HIL101"]
    (here / "a.py").write_text(MAIL.replace("json={})", "json={})  # hitl-lint: ignore[HIL101]"))
    assert run.check(run.Request(["a.py"], keep_noqa=True)).findings == []
    for after in (0, 1, 5):
        asked = iter(range(100))
        with pytest.raises(run.Stopped):
            run.check(run.Request(["a.py"], stop=lambda: next(asked) >= after))


def test_what_the_configured_baseline_knows_is_no_finding_for_api_flake8_and_server(tmp_path, monkeypatch):
    from hitl_lint import flake8_plugin
    from hitl_lint.lsp.live import Document, Live

    monkeypatch.chdir(tmp_path)
    code = "import requests\nfrom langgraph.types import interrupt\n\n\ndef pay(state):\n    requests.post('https://x')\n    return {'ok': interrupt('?')}\n"
    (tmp_path / "app.py").write_text(code)
    (tmp_path / "pyproject.toml").write_text("")
    assert [f.code for f in hitl_lint.check_paths(".").findings] == ["HIL101"]
    (tmp_path / "hitl-lint.toml").write_text('baseline = "known.json"\n')
    with pytest.raises(hitl_lint.ConfigError, match="known.json"):
        hitl_lint.check_paths(".")
    assert subprocess.run([sys.executable, "-m", "hitl_lint", "--write-baseline", "-q"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(Path(hitl_lint.__file__).parent.parent)}).returncode == 0
    result = hitl_lint.check_paths(".")
    assert not result.findings and [f.code for f in result.known] == ["HIL101"]
    assert not hitl_lint.check_source(code, "app.py").findings
    assert not flake8_plugin._run(["."]).findings
    assert not Live().quick(Document(str(tmp_path), str(tmp_path / "app.py"), code.encode()), (), lambda: False)
    changed = code.replace("    requests.post('https://x')\n", "    requests.post('https://x')\n    requests.post('https://y')\n")
    assert len(hitl_lint.check_source(changed, "app.py").findings) == 1


def test_what_is_open_in_an_editor_is_told_what_the_command_line_says_of_its_directory(tmp_path, monkeypatch):
    """That a file cannot be parsed, above all: files of any kind are open, half written."""
    from hitl_lint.lsp.live import Document, Live

    monkeypatch.chdir(tmp_path)
    pause = "from langgraph.types import interrupt\n\n\ndef ask(state):\n    return {'ok': interrupt('?')}\n"
    broken = "\n\ndef half(:\n"
    texts = {"pauses.py": pause + broken, "builds.py": "from langgraph.graph import StateGraph  # interrupts come later" + broken, "calls_it.py": "from whole import ask\n\n\ndef go(s):\n    return ask(s)" + broken,
             "mentions_it.py": "import signal  # interrupt" + broken, "other.py": "import json" + broken, "whole.py": pause, "ignored.py": pause + broken, "notebook.ipynb": "{"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("ignored.py\n")
    documents = [Document(str(tmp_path), str(tmp_path / name), text.encode()) for name, text in texts.items()]
    said = {finding.span.path for finding in hitl_lint.check_paths(".").findings if finding.code == "HIL901"}
    assert said == {"pauses.py", "calls_it.py"}
    live = Live()
    whole = live.full(str(tmp_path), documents, lambda: False)
    # git's list keeps a file out of a directory; who opens it names it.
    assert {name for name, found in zip(texts, whole) if any(f.code == "HIL901" for f in found)} == said | {"ignored.py"}
    alone = [live.quick(document, [d for d in documents if d is not document], lambda: False) for document in documents]
    assert {name for name, found in zip(texts, alone) if any(f.code == "HIL901" for f in found)} == {"pauses.py", "ignored.py"}
    for name in texts:  # named besides its directory, it is what it is there
        if name != "ignored.py":
            assert hitl_lint.check_paths([".", name]).findings == hitl_lint.check_paths(".").findings
    assert [f.code for f in hitl_lint.check_paths("builds.py").findings] == ["HIL901"]
