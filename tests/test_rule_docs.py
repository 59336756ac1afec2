"""The two examples on every rule's page are cases: the wrong one is found, the right one is clean."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from hitl_lint import run
from hitl_lint.config import Config
from hitl_lint.finding import Severity
from hitl_lint.rules import all_rules

# The linter's own rules are about files, not about programs; tests/test_run.py covers them.
RULES = [rule for rule in all_rules() if not rule.meta.code.startswith("HIL9")]


def example(doc: str, title: str) -> str:
    """The indented block after `Wrong:` or `Right:`."""
    lines = doc.split(f"\n{title}:\n", 1)[1].splitlines()
    block: list[str] = []
    for line in lines:
        if line and not line.startswith("    "):
            break
        block.append(line)
    return textwrap.dedent("\n".join(block)).strip() + "\n"


def codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, *opted: str) -> list[tuple[str, Severity]]:
    (tmp_path / "example.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    result = run.check(run.Request(["example.py"], Config(min_severity="note", extend_select=opted)))
    return [(f.code, f.severity) for f in result.findings]


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.meta.code)
def test_wrong_example_of_the_page_is_found(rule, tmp_path, monkeypatch):
    assert rule.meta.code in {code for code, _ in codes(tmp_path, monkeypatch, example(rule.doc, "Wrong"), rule.meta.code)}


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.meta.code)
def test_right_example_of_the_page_is_clean(rule, tmp_path, monkeypatch):
    found = codes(tmp_path, monkeypatch, example(rule.doc, "Right"), rule.meta.code)
    assert rule.meta.code not in {code for code, _ in found}
    assert not [f for f in found if f[1] > Severity.NOTE]


@pytest.mark.parametrize(("call", "reported"), [
    ("httpx.post('u')", True), ("httpx.patch('u')", True), ("httpx.put('u')", False), ("httpx.delete('u')", False), ("httpx.get('u')", False),
    ("cur.execute('INSERT INTO t VALUES (1)')", True), ("cur.execute('INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 1')", False),
    ("os.makedirs('d')", True), ("Path('d').mkdir()", True), ("Path('f').unlink()", True), ("os.makedirs('d', exist_ok=True)", False),
    ("Path('d').mkdir(exist_ok=True)", False), ("Path('f').unlink(missing_ok=True)", False),
    ("boto3.client('s3').put_object(Bucket='b', Key='k', Body=b'')", False), ("redis.Redis().set('k', 1)", False),
    ("open('f', 'w')", True), ("open('f', 'a')", True), ("open('f', 'r+')", True), ("open('f', mode='x')", True), ("open('f')", False),
    ("Path('f').write_text('')", True), ("Path('f').read_text()", False),
])
def test_the_line_that_the_page_of_hil101_and_the_readme_draw(call, reported, tmp_path, monkeypatch):
    source = ("import os\nimport sqlite3\nfrom pathlib import Path\n\nimport boto3\nimport httpx\nimport redis\nfrom langgraph.types import interrupt\n\n"
              f"cur = sqlite3.connect('db').cursor()\n\n\ndef node(state):\n    {call}\n    return {{'a': interrupt('?')}}\n")
    assert [code for code, _ in codes(tmp_path, monkeypatch, source)] == (["HIL101"] if reported else [])
