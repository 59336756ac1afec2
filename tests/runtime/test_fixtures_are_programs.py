"""Every fixture of a rule about LangGraph is a program: it can be imported, with stand-ins for packages that need not be installed."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from support import FIXTURES, load

ABSENT = ("fastapi", "langchain_openai", "openai", "anthropic", "redis", "boto3", "sqlalchemy", "backoff", "click", "slack_sdk.web.async_client",
          "opentelemetry.trace", "prometheus_client", "pymongo", "backend", "ag_ui_langgraph", "deepagents", "chainlit", "slack_bolt", "streamlit")
# What is wrong with these is that they cannot be imported.
BROKEN = ("HIL608/bad_imported_from_the_graph",)
PROGRAMS = sorted(f"{p.parent.name}/{p.stem}" for p in FIXTURES.glob("HIL[1-8]*/*.py") if f"{p.parent.name}/{p.stem}" not in BROKEN)


@pytest.mark.parametrize("name", PROGRAMS)
def test_fixture_can_be_imported(name: str, library: Any) -> None:
    if "except*" in (FIXTURES / f"{name}.py").read_text(encoding="utf-8") and sys.version_info < (3, 11):
        pytest.skip("except* is Python 3.11 syntax")
    for package in ABSENT:
        library(package)
    library("sqlalchemy.orm").declarative_base.return_value = object
    module = load(name)
    assert module.__doc__, "a fixture says in its first line what goes wrong, or why not"
