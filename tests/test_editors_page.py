"""The settings in docs/editors.md that can be checked without the editor; tests/manual/ runs the others in theirs."""

from __future__ import annotations

import importlib.metadata
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hitl_lint.config import Config
from hitl_lint import api
from hitl_lint.reporters import concise

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/editors.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.M | re.S)


def test_the_settings_are_json_and_the_tasks_pattern_matches_what_is_printed() -> None:
    settings = [json.loads(block) for block in blocks("json")]
    [task] = [s for s in settings if "tasks" in s]
    pattern = task["tasks"][0]["problemMatcher"]["pattern"]
    source = "from langgraph.types import interrupt\nimport httpx\n\n\ndef node(state):\n    httpx.post('https://mail.example')\n    return {'a': interrupt('?')}\n"
    [finding] = api.check_source(source, "a.py", config=Config()).findings
    match = re.match(pattern["regexp"], concise.render([finding]).rstrip("\n"))
    assert match is not None
    told = [match[pattern[part]] for part in ("file", "line", "column", "code", "message")]
    assert told == ["a.py", "6", "5", "HIL101", finding.message]


def test_the_settings_are_those_that_the_extensions_declare() -> None:
    """Their names and values, as the extensions' package.json (zsol.vscode-glspc 0.2, ms-python.flake8 2025.3) and LSP4IJ's description of templates have them."""
    settings = {key: value for block in blocks("json") for key, value in json.loads(block).items() if "." in key}
    assert settings == {"glspc.server.command": "hitl-lint-server", "glspc.server.languageId": ["python"], "editor.codeActionsOnSave": {"source.fixAll.hitl-lint": "explicit"},
                        "flake8.args": ["--select=HIL"], "flake8.importStrategy": "fromEnvironment"}
    [template] = [json.loads(block) for block in blocks("json") if "fileTypeMappings" in block]
    assert set(template) == {"id", "name", "programArgs", "fileTypeMappings"} and template["programArgs"] == {"default": "hitl-lint-server"}


@pytest.mark.parametrize("field", ["external tool", "file watcher"])
def test_pycharms_filters_find_places_that_it_can_open(tmp_path: Path, field: str) -> None:
    """As `RegexpFilter` of the IntelliJ platform reads them: a path is looked up as it stands, so that only an absolute one is found."""
    pytest.importorskip("flake8")
    where = r"\| Advanced Options › Output filters \| `(.+)` \|" if field == "external tool" else r"output filter `(.+)`\."
    written = re.search(where, PAGE)
    assert written is not None and "| Arguments | `--select HIL $FilePath$` |" in PAGE
    pattern = written[1].replace("$FILE_PATH$", r"(?P<file>(?:[A-Za-z]:)?[0-9 a-z_A-Z\-\\./]+)").replace("$LINE$", "(?P<line>[0-9]+)").replace("$COLUMN$", "(?P<column>[0-9]+)")
    pattern = pattern.replace("$MESSAGE$", "(?P<message>.*)")
    source = tmp_path / "node.py"
    source.write_text("from langgraph.types import interrupt\nimport httpx\n\n\ndef node(state):\n    httpx.post('https://mail.example')\n    return {'a': interrupt('?')}\n")
    registered = [ep for ep in importlib.metadata.entry_points(group="flake8.extension") if ep.name == "HIL"]
    if not registered:
        pytest.skip("hitl-lint is not installed, so that flake8 does not know it")
    done = subprocess.run([sys.executable, "-m", "flake8", "--isolated", "--select", "HIL", str(source)], capture_output=True, text=True, cwd=tmp_path)
    found = re.search(pattern, done.stdout)
    assert found is not None and found["file"] == str(source) and (found["line"], found["column"]) == ("6", "5"), (done.stdout, done.stderr)


def test_commands_and_options_of_the_page_exist() -> None:
    from hitl_lint import cli

    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'hitl-lint-server = "hitl_lint.lsp:main"' in pyproject and '\nlsp = ["pygls' in pyproject and '\nflake8 = ["flake8' in pyproject
    known = {option for param in cli.command.params for option in param.opts} | {"--select"}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE)) <= known
    assert "docs/editors.md" in (ROOT / "README.md").read_text(encoding="utf-8")
