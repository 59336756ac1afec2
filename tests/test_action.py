"""action.yml: valid for GitHub, and its steps do what they say when a shell runs them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hitl_lint import cli

ROOT = Path(__file__).parent.parent
BAD = "import httpx\nfrom langgraph.types import interrupt\n\n\ndef f(state):\n    httpx.post('x')\n    return {'a': interrupt('?')}\n"


@pytest.fixture(scope="module")
def action() -> Any:
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


def test_it_is_valid_against_githubs_schema(action: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    check_jsonschema = pytest.importorskip("check_jsonschema")
    schema = json.loads((Path(check_jsonschema.__file__).parent / "builtin_schemas/vendor/github-actions.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator(schema).validate(action)


def test_the_example_of_the_readme_names_inputs_that_exist(action: Any) -> None:
    yaml = pytest.importorskip("yaml")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    workflow = next(block.split("\n```")[0] for block in readme.split("```yaml\n")[1:] if "hitl-lint/hitl-lint@" in block.split("\n```")[0])
    steps = yaml.safe_load(workflow)["jobs"]["hitl-lint"]["steps"]
    used = next(step["with"] for step in steps if step["uses"].startswith("hitl-lint/"))
    assert set(used) <= set(action["inputs"]) and used["sarif-file"] == next(step["with"]["sarif_file"] for step in steps if "upload-sarif" in step["uses"])
    for step in action["runs"]["steps"]:
        assert step["shell"] == "bash" and "${{" not in step["run"], "an input in the text of a script can be a command"
        for value in step["env"].values():
            name = value.removeprefix("${{ inputs.").removesuffix(" }}")
            assert name in action["inputs"] or value == "${{ github.action_path }}"


def bash(script: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    # As GitHub does for `shell: bash`.
    return subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=cwd, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT), **env})


@pytest.mark.skipif(os.name != "posix" or shutil.which("bash") is None, reason="needs bash")
def test_the_step_that_runs(action: Any, tmp_path: Path) -> None:
    run = action["runs"]["steps"][1]["run"]
    tools, work = tmp_path / "temp/hitl-lint/bin", tmp_path / "work"
    tools.mkdir(parents=True)
    (work / "src").mkdir(parents=True)
    (work / "src/a.py").write_text(BAD)
    (work / "b.py").write_text(BAD)
    (tools / "hitl-lint").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m hitl_lint "$@"\n')
    (tools / "hitl-lint").chmod(0o755)
    given = {"RUNNER_TEMP": str(tmp_path / "temp"), "HITL_LINT_PATHS": ".", "HITL_LINT_ARGS": "", "HITL_LINT_SARIF": ""}
    done = bash(run, work, **given)
    assert done.returncode == 1 and done.stdout.count("::error ") == 2
    done = bash(run, work, **{**given, "HITL_LINT_PATHS": "src", "HITL_LINT_ARGS": "--fail-on never --exclude *.x", "HITL_LINT_SARIF": "out.sarif"})
    assert done.returncode == 0 and done.stdout.count("::error ") == 1, done.stderr
    results = json.loads((work / "out.sarif").read_text())["runs"][0]["results"]
    assert [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in results] == ["src/a.py"]
    done = bash(run, work, **{**given, "HITL_LINT_PATHS": "src; touch hacked", "HITL_LINT_SARIF": "new.sarif"})
    assert done.returncode == 2 and not (work / "hacked").exists()
    assert "sarif" in cli.MACHINE_FORMATS


@pytest.mark.skipif(os.name != "posix" or shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(("version", "installed"), [("", "/the/action"), ("0.1.0", "hitl-lint==0.1.0")])
def test_the_step_that_installs(action: Any, tmp_path: Path, version: str, installed: str) -> None:
    """With a Python that only notes what it is asked to do."""
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\nif [ "$2" = venv ]; then mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; printf "#!/bin/sh\\necho hitl-lint 0.1.0\\n" > "$3/bin/hitl-lint"; '
                      'chmod +x "$3/bin/hitl-lint"; else echo "$@"; fi\n')
    python.chmod(0o755)
    done = bash(action["runs"]["steps"][0]["run"], tmp_path, RUNNER_TEMP=str(tmp_path), HITL_LINT_PYTHON=str(python), HITL_LINT_VERSION=version, HITL_LINT_SOURCE="/the/action")
    assert done.stdout == f"-m pip install --quiet --disable-pip-version-check {installed}\nhitl-lint 0.1.0\n", done.stderr
