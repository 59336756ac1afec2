"""What counts as an effect, a growth or a changing decision, case by case: small programs with the findings on their lines.

`# 101` on a line: HIL101 stands there, and nowhere else in the program; `# 301n`: as a note. Only the codes that a case is about are looked at.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from effect_cases import CASES

from hitl_lint.config import Config
from hitl_lint.run import Request, check

MARK = re.compile(r"#\s(\d{3}[nw]?)\b")
SHORT = {"note": "n", "warning": "w", "error": ""}
USUAL = {"106": "w", "103": "w", "304": "w"}  # severities that need no letter


def lint(source: str, codes: tuple[str, ...], where: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str]]:
    """(line, what) of each finding of these rules."""
    (where / "node.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(where)
    result = check(Request(["."], Config(select=tuple(f"HIL{c}" for c in codes), min_severity="note"), jobs=1))
    assert not result.failed, result.complaints
    out = []
    for f in result.findings:
        code = f.code[3:]
        letter = SHORT[f.severity.label]
        out.append((f.span.line, code + ("" if letter == USUAL.get(code, "") else letter)))
    return sorted(out)


@pytest.mark.parametrize("name", CASES)
def test_linter_says_what_the_marks_say(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    codes, source = CASES[name]
    expected = sorted((n, code) for n, line in enumerate(source.splitlines(), 1) for code in MARK.findall(line))
    assert lint(source, codes, tmp_path, monkeypatch) == expected
