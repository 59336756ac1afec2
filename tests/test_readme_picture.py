"""The example of README.md: the chart is what the program before it gives."""

from __future__ import annotations

import re
from pathlib import Path

from hitl_lint import cli

README = Path(__file__).parent.parent / "README.md"


def test_chart_of_the_readme(tmp_path: Path) -> None:
    section = README.read_text(encoding="utf-8").split("## See what runs again", 1)[1].split("\n## ", 1)[0]
    program, chart = (re.search(rf"```{kind}\n(.*?)```", section, re.S) for kind in ("python", "mermaid"))
    assert program is not None and chart is not None
    (tmp_path / "app.py").write_text(program[1], encoding="utf-8")
    assert cli.status(["--isolated", "-q", "--exit-zero", "--output-format", "mermaid", "-o", str(tmp_path / "out"), str(tmp_path)]) == 0
    assert (tmp_path / "out").read_text(encoding="utf-8") == chart[1]
