"""What the deep tests share: programs with `# expect: HIL101` on their lines, linted as a project of one or more modules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hitl_lint.config import Config
from hitl_lint.run import Request, check

MARK = re.compile(r"#\s*expect:\s*(HIL\d{3}(?:\s*,\s*HIL\d{3})*)")
FILE = re.compile(r"^# file: (\S+)$", re.MULTILINE)


def files(source: str, head: str) -> dict[str, str]:
    """A program cut at its `# file: name.py` lines; what stands before the first is `graph.py`. Each module starts with `head`."""
    parts = FILE.split(source)
    out = {"graph.py": head + parts[0]}
    for name, body in zip(parts[1::2], parts[2::2]):
        out[name] = head + body
    return out


def lint(modules: dict[str, str], where: Path, monkeypatch: Any, codes: tuple[str, ...], notes: tuple[str, ...] = ()) -> set[tuple[str, int, str]]:
    for name, text in modules.items():
        path = where / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (where / "pyproject.toml").write_text("")
    monkeypatch.chdir(where)
    result = check(Request(["."], Config(select=codes, min_severity="note" if notes else "warning"), jobs=1))
    assert not result.failed, result.complaints
    return {(f.span.path, f.span.line, f.code) for f in result.findings if f.severity.label != "note" or f.code in notes}


def expected(modules: dict[str, str]) -> set[tuple[str, int, str]]:
    out: set[tuple[str, int, str]] = set()
    for name, text in modules.items():
        for n, line in enumerate(text.splitlines(), 1):
            if m := MARK.search(line):
                out |= {(name, n, code.strip()) for code in m.group(1).split(",")}
    return out


def told(modules: dict[str, str], found: set[tuple[str, int, str]]) -> str:
    want = expected(modules)
    def show(item: tuple[str, int, str]) -> str:
        name, n, code = item
        return f"{name}:{n} {code}: {modules[name].splitlines()[n - 1].strip()}"
    return "\n".join([f"missed {show(x)}" for x in sorted(want - found)] + [f"false alarm {show(x)}" for x in sorted(found - want)])
