"""Small programs, many to a file of `cases/`: each is linted alone and must give exactly what its lines say.

A case begins with `### its name`. `# expect: HIL101` on a line: this must be found there; `# allow: HIL303`: it may; `# expect: HIL101[warning]`: so grave. Every other finding is a
false alarm (those about answers only where the case names one of them, or says `# answers`). A case of several files has them under `#### path`; one of a single file begins with the imports of `HEAD`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hitl_lint.config import Config
from hitl_lint.run import Request, check

HEAD = "import random\n\nimport httpx\nfrom langgraph.types import interrupt\n\n"
MARK = re.compile(r"#\s?(expect|allow): (HIL\d{3})(?:\[(\w+)\])?")
CASES = [pytest.param(block.partition("\n")[2], id=f"{path.stem}: {block.partition(chr(10))[0]}")
         for path in sorted(Path(__file__).with_name("cases").glob("*.txt"))
         for block in re.split(r"^### ", path.read_text(encoding="utf-8"), flags=re.M)[1:]]


@pytest.mark.parametrize("body", CASES)
def test_case_gives_exactly_what_its_lines_say(body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pieces = re.split(r"^#### ", body, flags=re.M)
    files = {p.partition("\n")[0].strip(): p.partition("\n")[2] for p in pieces[1:]} or {"app.py": HEAD + body}
    must: set[tuple[str, int, str]] = set()
    may: set[tuple[str, int, str]] = set()
    grave: dict[tuple[str, int, str], str] = {}
    for name, source in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(source, encoding="utf-8")
        for number, line in enumerate(source.split("\n"), 1):
            for kind, code, severity in MARK.findall(line):
                (must if kind == "expect" else may).add((name, number, code))
                if severity:
                    grave[name, number, code] = severity
    # What becomes of the answer, and what is open while the run waits, is nothing to most.
    ignored = (*(() if "HIL203" in body else ("HIL203",)), *(() if "HIL6" in body or "# answers" in body else ("HIL6",)))
    result = check(Request(["."], Config(min_severity="note", ignore=ignored), jobs=1))
    assert not result.failed, result.complaints
    found = [(f.span.path, f.span.line, f.code) for f in result.findings]
    assert len(found) == len(set(found)), "one place gets one finding of a rule"
    assert not must - set(found), "missed"
    assert not set(found) - must - may, "false alarms"
    as_grave = {(f.span.path, f.span.line, f.code): f.severity.label for f in result.findings}
    assert {k: as_grave[k] for k in grave if k in as_grave} == {k: v for k, v in grave.items() if k in as_grave}
