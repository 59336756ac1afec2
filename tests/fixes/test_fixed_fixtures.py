"""Beside each bad fixture that can be mended stands what `--fix` (with `--unsafe-fixes`) makes of it for its own rule.

`HITL_LINT_UPDATE=1 pytest tests/fixes/test_fixed_fixtures.py` writes them anew, for every rule that has a fixer; read what has changed. Where a
rule has one such file it must have them all.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

from hitl_lint import mend
from hitl_lint.config import Config
from hitl_lint.finding import Severity
from hitl_lint.fixes import fixers
from hitl_lint.run import Request, check

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
FIXED = sorted(FIXTURES.glob("HIL*/*.fixed.py"))
UPDATE = bool(os.environ.get("HITL_LINT_UPDATE"))
CODES = [code for code in sorted(fixers()) if UPDATE or any(path.parent.name == code for path in FIXED)]
BAD = [path for code in CODES for path in sorted((FIXTURES / code).glob("bad_*.py")) if not path.name.endswith(".fixed.py")]


def ids(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


def mended(name: str, code: str) -> mend.Outcome:
    # Whether a comment suppresses something is only known of rules that ran.
    config = Config(min_severity="note") if code.startswith("HIL9") else Config(select=(code,), min_severity="note")
    return mend.mend(Request([name], config, jobs=1), unsafe=True)


def codes(name: str) -> Counter[str]:
    return Counter(finding.code for finding in check(Request([name], Config(min_severity="note"), jobs=1)).findings
                   if finding.code not in mend.UNCOVERED or finding.severity > Severity.NOTE)


@pytest.mark.parametrize("path", BAD, ids=ids)
def test_what_can_be_mended_is_mended_as_the_file_beside_it_says(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(path, tmp_path)
    outcome = mended(path.name, path.parent.name)
    assert not outcome.result.complaints
    wanted = path.with_suffix(".fixed.py")
    whole = bool(outcome.changes) and not outcome.result.findings
    if UPDATE:
        if whole:
            wanted.write_bytes(outcome.changes[0].new)
        else:
            wanted.unlink(missing_ok=True)
    assert wanted.exists() == whole, [finding.no_fix for finding in outcome.result.findings]
    if not whole:
        assert all(finding.no_fix or finding.fixes for finding in outcome.result.findings), "what is not mended says why"
        return
    assert outcome.changes[0].new == wanted.read_bytes()
    before = codes(path.name)
    mend.write(outcome, Request([path.name]))
    after = codes(path.name)
    assert after[path.parent.name] == 0 and not after - before
    assert mended(path.name, path.parent.name).changes == ()


@pytest.mark.parametrize("path", FIXED, ids=ids)
def test_each_fixed_fixture_has_a_bad_one(path: Path) -> None:
    assert path.with_name(path.name.replace(".fixed.py", ".py")) in BAD
