"""The gate saves work and loses nothing: gated and ungated runs say the same (files that cannot be parsed aside)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from hitl_lint import run
from hitl_lint.config import Config
from hitl_lint.run import Request

ROOT = Path(__file__).parent.parent
ALL = Config(select=("ALL",), min_severity="note")


def both(*paths: str) -> tuple[list[object], list[object], run.Result]:
    gated = run.check(Request(paths, ALL))
    ungated = run.check(Request(paths, ALL, gate=False))
    assert not gated.complaints and not ungated.complaints
    return [f for f in gated.findings if f.code != "HIL901"], [f for f in ungated.findings if f.code != "HIL901"], gated


def test_fixtures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    gated, ungated, _ = both("fixtures")
    assert gated == ungated and len(gated) > 50


def test_own_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    """A project that speaks of pauses on every page and has none."""
    monkeypatch.chdir(ROOT)
    gated, ungated, _ = both("hitl_lint")
    assert gated == ungated == []


# A project drawn at random: where the pause is defined, what lies between it and the node, how each file imports the next.
_DEFINITIONS = {
    "direct": "from langgraph.types import interrupt\ndef {name}(q):\n    return interrupt(q)\n",
    "module": "import langgraph.types as lt\ndef {name}(q):\n    return lt.interrupt(q)\n",
    "class": "from langgraph.types import interrupt\nclass Gate:\n    def {name}(self, q):\n        return interrupt(q)\n_gate = Gate()\ndef {name}(q):\n    return _gate.{name}(q)\n",
    "reexport": "from langgraph.types import interrupt as {name}\n",
}
_IMPORTS = {
    "from": ("from {module} import {name}\n", "{name}"),
    "alias": ("from {module} import {name} as _other\n", "_other"),
    "module": ("import {module} as _m\n", "_m.{name}"),
    "star": ("from {module} import *\n", "{name}"),
    "block": ("from {module} import (\n    {name},\n)\n", "{name}"),
    "try": ("try:\n    from {module} import {name}\nexcept ImportError:\n    raise\n", "{name}"),
    "late": ("", "{name}"),
}
_NODES = {
    "effect": "def node(state):\n{late}    httpx.post('https://x')\n    return {{'a': {call}('?')}}\n",
    "caught": "def node(state):\n{late}    try:\n        return {{'a': {call}('?')}}\n    except Exception:\n        return {{}}\n",
    "loop": "def node(state):\n{late}    out = []\n    for item in state['items']:\n        out.append({call}(item))\n    return {{'a': out}}\n",
}
_WORDS = st.sampled_from(["ask", "confirm", "review", "run", "get", "approval_of"])


@st.composite
def projects(draw: st.DrawFn) -> dict[str, str]:
    names = draw(st.lists(_WORDS, min_size=1, max_size=3, unique=True))
    modules = [f"{'pkg.' if draw(st.booleans()) else ''}{stem}" for stem in ("hitl", "middle", "outer")[: len(names)]]
    files = {"pkg/__init__.py": ""}
    files[modules[0].replace(".", "/") + ".py"] = _DEFINITIONS[draw(st.sampled_from(sorted(_DEFINITIONS)))].format(name=names[0])
    for n in range(1, len(names)):
        line, call = _import(draw, modules[n - 1], names[n - 1])
        late = f"    from {modules[n - 1]} import {names[n - 1]}\n" if not line else ""
        files[modules[n].replace(".", "/") + ".py"] = f"{line}def {names[n]}(q):\n{late}    return {call}(q)\n"
    line, call = _import(draw, modules[-1], names[-1])
    late = f"    from {modules[-1]} import {names[-1]}\n" if not line else ""
    node = _NODES[draw(st.sampled_from(sorted(_NODES)))].format(call=call, late=late)
    files["node.py"] = f"import httpx\n{line}{node}"
    files["noise.py"] = "def ask(q):\n    return input(q)\ndef run():\n    httpx.post('https://x')\n    return ask('?')\n"
    return files


def _import(draw: st.DrawFn, module: str, name: str) -> tuple[str, str]:
    line, call = _IMPORTS[draw(st.sampled_from(sorted(_IMPORTS)))]
    return line.format(module=module, name=name), call.format(module=module, name=name)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(project=projects(), number=st.integers(min_value=0, max_value=10**9))
def test_generated_projects(project: dict[str, str], number: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.mktemp("project")
    for path, text in project.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    (root / "pyproject.toml").write_text("")
    before = os.getcwd()
    os.chdir(root)
    try:
        gated, ungated, result = both(".")
    finally:
        os.chdir(before)
    assert gated == ungated, project
    assert any(f.span.path == "node.py" for f in gated), project  # type: ignore[attr-defined]
    assert result.files_analysed < result.files_found
