"""Configuration: what is read, from where, and that every error is one line that names file and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from hitl_lint import config as configuration
from hitl_lint.config import Config, ConfigError

KNOWN = ("HIL101", "HIL102", "HIL201", "HIL303", "HIL901")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(here: Path, text: str, name: str = "pyproject.toml") -> Config:
    (here / name).write_text(text)
    return configuration.load(name)


def error(here: Path, text: str, name: str = "pyproject.toml") -> str:
    with pytest.raises(ConfigError) as caught:
        read(here, text, name)
    message = str(caught.value)
    assert "\n" not in message and message.startswith(name)
    return message


def test_every_key(here: Path) -> None:
    config = read(here, """
[tool.hitl-lint]
select = ["HIL1", "hil201"]
ignore = ["HIL102"]
extend-select = ["HIL303"]
exclude = ["gen"]
extend-exclude = ["old"]
min-severity = "note"
fail-on = "never"
langgraph = "1.2.24"
per-file-ignores = { "tests/*" = ["HIL101"] }
[tool.hitl-lint.effects]
"acme.mail.*" = "effect"
acme.ask = "model"
""")
    assert config == Config(select=("HIL1", "HIL201"), ignore=("HIL102",), extend_select=("HIL303",), exclude=("gen",), extend_exclude=("old",),
                            per_file_ignores=(("tests/*", ("HIL101",)),), min_severity="note", fail_on="never",
                            effects=(("acme.mail.*", "effect"), ("acme.ask", "model")), langgraph="1.2.24",
                            source="pyproject.toml", root=str(here))


def test_own_file_needs_no_section(here: Path) -> None:
    assert read(here, 'select = ["HIL1"]', "hitl-lint.toml").select == ("HIL1",)
    assert read(here, '[tool.hitl-lint]\nselect = ["HIL1"]', "hitl-lint.toml").select == ("HIL1",)
    assert read(here, "", "hitl-lint.toml") == Config(source="hitl-lint.toml", root=str(here))


def test_named_pyproject_without_a_section_is_an_error(here: Path) -> None:
    assert error(here, "[project]\nname = 'x'") == "pyproject.toml: no [tool.hitl-lint] section"


@pytest.mark.parametrize(("body", "message"), [
    ('selct = ["HIL1"]', 'pyproject.toml: unknown key "tool.hitl-lint.selct", did you mean "select"?'),
    ('per_file_ignores = {}', 'pyproject.toml: unknown key "tool.hitl-lint.per_file_ignores", did you mean "per-file-ignores"?'),
    ('zzz = 1', 'pyproject.toml: unknown key "tool.hitl-lint.zzz"; valid keys: select, ignore,'),
    ('select = "HIL1"', "pyproject.toml: tool.hitl-lint.select: must be a list of strings, not a string"),
    ('select = ["HIL1", 2]', "pyproject.toml: tool.hitl-lint.select: must be a list of strings, not a list with a number"),
    ('exclude = true', "pyproject.toml: tool.hitl-lint.exclude: must be a list of strings, not a boolean"),
    ('min-severity = "eror"', 'pyproject.toml: tool.hitl-lint.min-severity: "eror" is not one of error, warning, note, did you mean "error"?'),
    ('fail-on = 1', "pyproject.toml: tool.hitl-lint.fail-on: a number is not one of error, warning, note, never"),
    ('fail-on = ["error"]', "pyproject.toml: tool.hitl-lint.fail-on: a list is not one of"),
    ('per-file-ignores = ["HIL1"]', "pyproject.toml: tool.hitl-lint.per-file-ignores: must be a table of pattern = [codes], not a list"),
    ('per-file-ignores = { "a" = "HIL1" }', 'pyproject.toml: tool.hitl-lint.per-file-ignores."a": must be a list of strings'),
    ('effects = { "a.b" = "efect" }', 'pyproject.toml: tool.hitl-lint.effects."a.b": "efect" is not one of effect, model, safe, did you mean "effect"?'),
    ('effects = []', "pyproject.toml: tool.hitl-lint.effects: must be a table of"),
    ('langgraph = 1.2', 'pyproject.toml: tool.hitl-lint.langgraph: must be a version such as "1.2.24", not a number'),
    ('langgraph = 1979-05-27', "pyproject.toml: tool.hitl-lint.langgraph: must be a version"),
    ('select = [', "pyproject.toml: not valid TOML: "),
])
def test_errors_name_file_key_and_nearest_name(here: Path, body: str, message: str) -> None:
    assert error(here, f"[tool.hitl-lint]\n{body}\n").startswith(message)


@pytest.mark.parametrize("name", ["hitl_lint", "hitllint", "Hitl-Lint", '"hitl lint"'])
def test_section_under_another_spelling_of_our_name(here: Path, name: str) -> None:
    (here / "pyproject.toml").write_text(f'[tool.{name}]\nselect = ["HIL1"]\n')
    for read_it in (lambda: configuration.find(str(here)), lambda: configuration.load("pyproject.toml")):
        with pytest.raises(ConfigError) as caught:
            read_it()
        shown = name.strip('"')
        assert str(caught.value) == f'pyproject.toml: unknown section "tool.{shown}", did you mean "tool.hitl-lint"?'


def test_a_project_called_like_us_is_not_our_section(here: Path) -> None:
    (here / "pyproject.toml").write_text('[project]\nname = "hitl_lint"\ndependencies = ["hitl-lint"]\n')
    assert configuration.find(str(here)).source == ""


def test_section_that_is_no_table(here: Path) -> None:
    assert error(here, "[tool]\nhitl-lint = 3\n") == "pyproject.toml: tool.hitl-lint must be a table"


def test_file_that_is_not_utf8(here: Path) -> None:
    (here / "hitl-lint.toml").write_bytes(b'select = ["\xff"]')
    with pytest.raises(ConfigError, match="not UTF-8"):
        configuration.load("hitl-lint.toml")


def test_missing_file(here: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read nope.toml: no such file or directory"):
        configuration.load("nope.toml")


def test_search_takes_the_nearest_file_with_a_section(here: Path) -> None:
    (here / "a/b/c").mkdir(parents=True)
    (here / "pyproject.toml").write_text('[tool.hitl-lint]\nselect = ["HIL1"]')
    (here / "a/pyproject.toml").write_text("[project]\nname = 'not ours'")
    assert configuration.find(str(here / "a/b/c")).select == ("HIL1",)
    (here / "a/hitl-lint.toml").write_text('select = ["HIL2"]')
    assert configuration.find(str(here / "a/b/c")).select == ("HIL2",)
    assert configuration.find(str(here)).select == ("HIL1",)


def test_search_ends_at_the_top_of_the_repository(here: Path) -> None:
    (here / "repo/.git").mkdir(parents=True)
    (here / "pyproject.toml").write_text('[tool.hitl-lint]\nselect = ["HIL1"]')
    assert configuration.find(str(here / "repo")) == Config()


def test_broken_pyproject_that_does_not_mention_us_is_none_of_our_business(here: Path) -> None:
    (here / ".git").mkdir()
    (here / "pyproject.toml").write_text("[project\n")
    assert configuration.find(str(here)) == Config()
    (here / "pyproject.toml").write_text("[tool.hitl-lint\n")
    with pytest.raises(ConfigError, match="not valid TOML"):
        configuration.find(str(here))


@pytest.mark.parametrize(("changes", "message"), [
    ({"select": ("HIL999",)}, 'select: unknown rule "HIL999"'),
    ({"ignore": ("HIL1O1",)}, 'ignore: unknown rule "HIL1O1", did you mean "HIL101"?'),
    ({"ignore": ("foo-Bar",)}, 'ignore: unknown rule "foo-Bar" (--list-rules shows them all)'),
    ({"extend_select": ("E501",)}, 'extend-select: unknown rule "E501"'),
    ({"per_file_ignores": (("tests/*", ("HIL7",)),)}, 'per-file-ignores."tests/*": unknown rule "HIL7"'),
])
def test_unknown_rule_code(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        configuration.check_codes(Config(source="pyproject.toml")._replace(**changes), KNOWN)
    assert str(caught.value).startswith(f"pyproject.toml: {message}")


@pytest.mark.parametrize("code", ["ALL", "HIL", "HIL1", "HIL10", "HIL101"])
def test_prefixes_are_known(code: str) -> None:
    configuration.check_codes(Config(select=(code,)), KNOWN)


@pytest.mark.parametrize(("config", "code", "opt_in", "runs"), [
    (Config(), "HIL101", False, True),
    (Config(), "HIL506", True, False),
    (Config(select=("ALL",)), "HIL506", True, True),
    (Config(select=("HIL5",)), "HIL506", True, True),
    (Config(select=("HIL2",)), "HIL101", False, False),
    (Config(select=()), "HIL101", False, False),
    (Config(select=(), extend_select=("HIL101",)), "HIL101", False, True),
    (Config(select=(), extend_select=("HIL506",)), "HIL506", True, True),
    (Config(select=("HIL2",), extend_select=("HIL101",)), "HIL101", False, True),
    (Config(extend_select=("HIL506",)), "HIL506", True, True),
    (Config(extend_select=("HIL506",)), "HIL101", False, True),
    (Config(ignore=("HIL1",)), "HIL101", False, False),
    (Config(select=("HIL1",), ignore=("HIL101",)), "HIL101", False, False),
    (Config(select=("HIL101",), ignore=("HIL1",)), "HIL101", False, True),
    (Config(select=("HIL101",), ignore=("HIL101",)), "HIL101", False, False),
    (Config(ignore=("ALL",)), "HIL101", False, False),
    (Config(ignore=("ALL",), extend_select=("HIL1",)), "HIL101", False, True),
])
def test_the_longest_prefix_decides(config: Config, code: str, opt_in: bool, runs: bool) -> None:
    assert configuration.selected(config, code, opt_in) is runs


def test_config_is_frozen() -> None:
    with pytest.raises(AttributeError):
        Config().select = ()  # type: ignore[misc]
