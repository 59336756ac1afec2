"""What a user or packager reads agrees with what the code is."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

import hitl_lint
from hitl_lint import cli, config, rules

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
RULES = rules.all_rules()

if sys.version_info >= (3, 11):
    import tomllib as toml
else:
    import tomli as toml


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def test_the_first_two_shell_blocks_run_the_main_job_and_the_tests() -> None:
    run, test = blocks(README, "sh")[:2]
    for block in (run, test):
        assert block.startswith("python3 -m venv .venv\n") and "--user" not in block and "sudo" not in block
        assert all(line.startswith(("python3 -m venv", ".venv/bin/")) for line in block.splitlines())
    assert ".venv/bin/hitl-lint --fail-on never fixtures/" in run
    assert "'.[test]'" in test and "-m pytest" in test


def test_continuous_integration_calls_the_commands_of_the_readme_literally() -> None:
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert "block 1" in script and "block 2" in script and "README.md" in script


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.meta.code)
def test_every_rule_is_in_the_readme_and_the_changelog(rule: rules.Rule) -> None:
    row = re.search(rf"^\| {rule.meta.code} \| ([\w-]+) \| ([^|]+) \|", README, re.M)
    assert row is not None, "no row in the README's table"
    assert (row[1], row[2]) == (rule.meta.name, rule.meta.severities + (", shown" if rule.meta.shown else "") + (", opt-in" if rule.meta.opt_in else ""))
    assert rule.meta.code in CHANGELOG


def test_the_readme_lists_no_rule_that_does_not_exist() -> None:
    assert set(re.findall(r"^\| (HIL\d{3}) \|", README, re.M)) == {rule.meta.code for rule in RULES}


def test_codes_and_names_are_unique_and_well_formed() -> None:
    assert len({rule.meta.code for rule in RULES}) == len({rule.meta.name for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert re.fullmatch(r"HIL\d{3}", rule.meta.code) and re.fullmatch(r"[a-z]+(-[a-z]+)+", rule.meta.name)
        assert rule.meta.summary and rule.meta.summary[0].islower() and not rule.meta.summary.endswith(".")


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.meta.code)
def test_every_page_has_its_parts_in_order(rule: rules.Rule) -> None:
    parts = ["At run time:", "Wrong:", "Right:", "How to fix:", "What it does not see:"]
    places = [rule.doc.find(part) for part in parts]
    assert -1 not in places and places == sorted(places), dict(zip(parts, places))


def test_a_rule_is_a_page_and_a_check_of_at_most_200_lines() -> None:
    for path in (ROOT / "hitl_lint/rules").rglob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 200, path


def test_version_is_said_once_and_the_changelog_knows_it() -> None:
    project = toml.loads(PYPROJECT)["project"]
    assert "version" in project["dynamic"] and re.fullmatch(r"\d+\.\d+\.\d+", hitl_lint.__version__)
    assert re.search(rf"^## {re.escape(hitl_lint.__version__)}\b", CHANGELOG, re.M)
    assert f"rev: v{hitl_lint.__version__}" in README


def test_dependencies_are_explained() -> None:
    project = toml.loads(PYPROJECT)["project"]
    named = [*project["dependencies"], *(requirement for extra in project["optional-dependencies"].values() for requirement in extra)]
    for requirement in named:
        name = re.match(r"[\w-]+", requirement)
        assert name is not None and f"`{name[0]}`" in CONTRIBUTING, requirement
    assert project["requires-python"] == ">=3.10"


def test_every_configuration_key_of_the_readme_exists_and_its_example_is_valid(tmp_path: Path) -> None:
    example = next(block for block in blocks(README, "toml") if "[tool.hitl-lint]" in block)
    (tmp_path / "pyproject.toml").write_text(example, encoding="utf-8")
    read = config.load(str(tmp_path / "pyproject.toml"))
    config.check_codes(read, [rule.meta.code for rule in RULES])
    for key in config.KEYS:
        assert key in README


def test_hooks_call_the_command_with_the_documented_fields() -> None:
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    for line in ("- id: hitl-lint\n", "- id: hitl-lint-fix\n", "entry: hitl-lint --fix --force-exclude\n", "- id: hitl-lint-project\n", "pass_filenames: false\n", "entry: hitl-lint --force-exclude\n", "types_or: [python, jupyter]\n", "require_serial: true\n", "language: python\n"):
        assert line in hooks
    assert "--force-exclude" in {option for param in cli.command.params for option in param.opts}


def test_tests_need_nothing_outside_the_repository() -> None:
    """Only `.ci/run` may look beside the clone."""
    for path in (ROOT / "tests").rglob("*.py"):
        if path != Path(__file__):
            assert "../shared/" not in path.read_text(encoding="utf-8"), path


def test_the_page_of_formats_documents_every_key_of_the_json_report() -> None:
    from hitl_lint.finding import Finding, Severity, Span
    from hitl_lint.reporters import json as reporter
    from hitl_lint.run import Result

    section = (ROOT / "docs/formats.md").read_text(encoding="utf-8").split("\n## JSON\n", 1)[1].split("\n## ", 1)[0]
    span = Span("a.py", 1, 1, 1, 2)
    document = json.loads(reporter.render([Finding("HIL101", "x", Severity.ERROR, span, "m", pause=span)], Result([]).summary(), "0"))
    for keys in (document, document["findings"][0], document["findings"][0]["pause"], document["summary"]):
        for key in keys:
            assert f"`{key}`" in section or f'"{key}"' in section, key
