"""The JSON schema of the configuration that comes with the package says what config.py does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hitl_lint import config as configuration
from hitl_lint.config import ConfigError

FILE = Path(configuration.__file__).with_name("config.schema.json")
SCHEMA = json.loads(FILE.read_text(encoding="utf-8"))

VALID: list[dict[str, Any]] = [
    {}, {"select": []}, {"select": ["ALL", "HIL1", "hil101", "HIL"]}, {"ignore": ["HIL303"], "extend-select": ["HIL5"]},
    {"exclude": ["gen"], "extend-exclude": ["a/*.py"]}, {"per-file-ignores": {"tests/*": ["HIL1"], "x": []}},
    *({"min-severity": word} for word in configuration.SEVERITIES), *({"fail-on": word} for word in configuration.FAIL_ON),
    {"effects": {"a.b": "effect", "c": {"d": {"e": "model"}}, "f": "safe"}}, {"langgraph": "1.2.24"}, {"baseline": "known.json"},
]
INVALID: list[dict[str, Any]] = [
    {"selct": []}, {"select": "HIL1"}, {"select": [1]}, {"ignore": {}}, {"exclude": True}, {"extend-exclude": [["a"]]}, {"per-file-ignores": ["x"]},
    {"per-file-ignores": {"x": "HIL1"}}, {"min-severity": "never"}, {"min-severity": "Error"}, {"fail-on": "x"}, {"fail-on": 1}, {"effects": []},
    {"effects": {"a": "bad"}}, {"effects": {"a": {"b": 1}}}, {"langgraph": 1.2}, {"langgraph": ">=1"}, {"langgraph": ""}, {"baseline": ""}, {"baseline": 3},
]


def test_it_has_the_keys_words_and_defaults_of_the_configuration() -> None:
    properties = SCHEMA["properties"]
    assert list(properties) == list(configuration.KEYS) and all(entry.get("description") for entry in properties.values())
    assert properties["min-severity"]["enum"] == list(configuration.SEVERITIES) and properties["fail-on"]["enum"] == list(configuration.FAIL_ON)
    assert SCHEMA["definitions"]["effects"]["additionalProperties"]["anyOf"][0]["enum"] == list(configuration.EFFECT_KINDS)
    for key in ("min-severity", "fail-on"):
        assert properties[key]["default"] == getattr(configuration.Config(), key.replace("-", "_"))


@pytest.mark.parametrize(("table", "valid"), [*((t, True) for t in VALID), *((t, False) for t in INVALID)], ids=lambda v: json.dumps(v))
def test_both_accept_and_refuse_the_same(table: dict[str, Any], valid: bool) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    try:
        configuration._config(table, "x.toml", "")
        read = True
    except ConfigError:
        read = False
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    assert read is valid and jsonschema.Draft7Validator(SCHEMA).is_valid(table) is valid


def test_the_schema_refuses_words_that_are_no_codes() -> None:
    """config.py leaves that to `check_codes`, which knows the rules."""
    jsonschema = pytest.importorskip("jsonschema")
    for code in ("E501", "HIL1O1", "HIL1010", "interrupt-caught", ""):
        assert not jsonschema.Draft7Validator(SCHEMA).is_valid({"select": [code]})


def test_every_option_that_stands_for_a_key_says_the_same_words() -> None:
    from hitl_lint import cli

    choices = {param.name: list(getattr(param.type, "choices", ())) for param in cli.command.params}
    assert choices["min_severity"] == SCHEMA["properties"]["min-severity"]["enum"] and choices["fail_on"] == SCHEMA["properties"]["fail-on"]["enum"]
