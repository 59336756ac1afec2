"""The settings in docs/editors.md that can be checked without the editor; tests/manual/ runs the others in theirs."""

from __future__ import annotations

import json
import re
from pathlib import Path

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


def test_commands_and_options_of_the_page_exist() -> None:
    from hitl_lint import cli

    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'hitl-lint-server = "hitl_lint.lsp:main"' in pyproject and '\nlsp = ["pygls' in pyproject and '\nflake8 = ["flake8' in pyproject
    known = {option for param in cli.command.params for option in param.opts} | {"--select"}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE)) <= known
    assert "docs/editors.md" in (ROOT / "README.md").read_text(encoding="utf-8")
