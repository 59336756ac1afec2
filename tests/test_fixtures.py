"""Every fixture is linted alone and must give exactly what its lines say.

`# expect: HIL101` on a line: this finding must stand on this line (`HIL101|HIL105`: one of them; `HIL304[note]`: with this severity).
`# allow: HIL303`: it may.
Every other finding, of any severity, is a false alarm; an expected one that is not there is a missed alarm.
Of `bad_x.fixed.py`, which is what `--fix` makes of `bad_x.py`, the marks for its own code have had their day, and those for others are permissions.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hitl_lint import mend, rules
from hitl_lint.config import Config
from hitl_lint.run import Request, check

CELL = 10_000
ROOT = Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "fixtures"
MARK = re.compile(r"#\s?(expect|allow): (HIL\d{3}(?:\|HIL\d{3})*)(?:\[(error|warning|note)\])?")
OPT_IN = {rule.meta.code for rule in rules.all_rules() if rule.meta.opt_in}
FILES = sorted(FIXTURES.glob("HIL*/*.py")) + sorted(FIXTURES.glob("HIL*/*.ipynb"))
PROJECTS = sorted(p for p in (FIXTURES / "projects").glob("*") if p.is_dir())


def lines_of(path: Path) -> list[tuple[int, str]]:
    """(number, text) of each line; in a notebook those of the code cells, numbered by cell * CELL + line in the cell."""
    if path.suffix == ".ipynb":
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return [(index * CELL + number, line) for index, cell in enumerate(cells) if cell["cell_type"] == "code"
                for number, line in enumerate("".join(cell["source"]).split("\n"), 1)]
    text = path.read_bytes().decode("utf-8", "replace")
    return list(enumerate(text.replace("\r\n", "\n").split("\n"), 1))


def marks(path: Path) -> tuple[list[tuple[int, set[str], str]], set[tuple[int, str]]]:
    """(what must be found, what may be found) of one file, as (line, codes, severity or "") and (line, code)."""
    must: list[tuple[int, set[str], str]] = []
    may: set[tuple[int, str]] = set()
    for number, line in lines_of(path):
        for kind, codes, severity in MARK.findall(line):
            if kind == "expect":
                must.append((number, set(codes.split("|")), severity))
            else:
                may.update((number, code) for code in codes.split("|"))
    if fixed(path):
        may.update((number, code) for number, codes, _ in must for code in codes if code != path.parent.name)
        must = []
    return must, may


def fixed(path: Path) -> bool:
    return path.name.endswith(".fixed.py")


def config_for(path: Path) -> Config:
    """Notes too, and of the rules that are off unless selected the one that a fixture is about."""
    return Config(min_severity="note", extend_select=(path.parent.name,) if path.parent.name in OPT_IN else ())


def lint(path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[Path, list[tuple[int, str, str]]]:
    """What the linter says about a file or a directory: file -> (line, code, severity)."""
    monkeypatch.chdir(ROOT)
    result = check(Request([path.relative_to(ROOT).as_posix()], config_for(path), jobs=1))
    assert not result.failed, result.complaints
    out: dict[Path, list[tuple[int, str, str]]] = {}
    for finding in result.findings:
        line = (finding.span.cell or 0) * CELL + finding.span.line
        out.setdefault(ROOT / finding.span.path, []).append((line, finding.code, finding.severity.label))
    return out


def compare(path: Path, found: list[tuple[int, str, str]]) -> list[str]:
    """The missed and the false alarms of one file."""
    must, may = marks(path)
    left = list(found)
    said = []
    for line, codes, severity in must:
        hit = next((f for f in left if f[0] == line and f[1] in codes), None)
        if hit is None:
            said.append(f"{path.relative_to(ROOT)}:{line}: missed alarm: {' or '.join(sorted(codes))}")
            continue
        left.remove(hit)
        if severity and hit[2] != severity:
            said.append(f"{path.relative_to(ROOT)}:{line}: {hit[1]} is a {severity}, not a {hit[2]}")
    for line, code, severity in left:
        if (line, code) in may:
            may.discard((line, code))
        else:
            said.append(f"{path.relative_to(ROOT)}:{line}: false alarm: {code} ({severity})")
    return said


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_fixture_gives_exactly_what_its_lines_say(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = lint(path, monkeypatch).get(path, [])
    if fixed(path):
        found = [f for f in found if not (f[1] in mend.UNCOVERED and f[2] == "note")]
    said = compare(path, found)
    assert not said, "\n".join(said)


def test_fixtures_show_every_severity_that_a_rule_names_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `--list-rules`, `--explain` and the README say of a rule's severity is what it does."""
    given: dict[str, set[str]] = {}
    monkeypatch.chdir(ROOT)
    for path in FILES + PROJECTS:
        for finding in check(Request([path.relative_to(ROOT).as_posix()], config_for(path), jobs=1)).findings:
            given.setdefault(finding.code, set()).add(finding.severity.label)
    named = {rule.meta.code: {severity.label for severity in (rule.meta.severity, *rule.meta.also)} for rule in rules.all_rules()}
    assert given == named


@pytest.mark.parametrize("project", PROJECTS, ids=lambda p: p.name)
def test_project_gives_exactly_what_its_lines_say(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = lint(project, monkeypatch)
    said = [line for path in sorted(project.rglob("*.py")) for line in compare(path, found.get(path, []))]
    assert not said, "\n".join(said)


@pytest.mark.parametrize("code", sorted(OPT_IN))
def test_rule_that_is_opt_in_says_nothing_unless_it_is_selected(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    folder = f"fixtures/{code}"

    def codes(config: Config) -> set[str]:
        return {finding.code for finding in check(Request([folder], config, jobs=1)).findings}

    assert code not in codes(Config(min_severity="note"))
    assert codes(Config(select=(code,), min_severity="note")) == {code}
    assert code in codes(Config(extend_select=(code,), min_severity="note")) & codes(Config(select=("ALL",), min_severity="note"))


# ------------------------------------------------------------------ the fixtures themselves
CODES = [rule.meta.code for rule in rules.all_rules()]


@pytest.mark.parametrize("code", CODES)
def test_rule_has_two_bad_and_four_good_fixtures(code: str) -> None:
    names = [p.name for p in FILES if p.parent.name == code and not fixed(p)]
    assert sum(n.startswith("bad_") for n in names) >= 2, names
    assert sum(n.startswith("good_") for n in names) >= 4, names


@pytest.mark.parametrize("code", [c for c in CODES if not c.startswith("HIL9")])
def test_rule_is_proved_on_the_real_runtime(code: str) -> None:
    path = ROOT / "tests" / "runtime" / f"test_{code.lower()}.py"
    assert path.exists()
    text = path.read_text(encoding="utf-8")
    for kind in ("bad", "good"):
        assert len(set(re.findall(rf"\b{kind}_\w+", text))) >= 2, f"at least two {kind} fixtures of {code} must be run"


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_fixture_is_marked_as_its_name_says(path: Path) -> None:
    code = path.parent.name
    must, _ = marks(path)
    own = [line for line, codes, _ in must if code in codes]
    assert path.name.startswith(("bad_", "good_"))
    assert bool(own) == (path.name.startswith("bad_") and not fixed(path)), "a bad fixture expects its own code, a good one does not"


def test_every_mark_can_be_read() -> None:
    files = FILES + [p for project in PROJECTS for p in project.rglob("*.py")]
    for path in files:
        for _, line in lines_of(path):
            if re.search(r"#\s*(expect|allow)\b", line):
                assert MARK.search(line), f"{path}: {line}"


@pytest.mark.parametrize("code", ["HIL101", "HIL102", "HIL104", "HIL201", "HIL301"])
def test_rule_has_a_project_of_several_modules(code: str) -> None:
    for project in PROJECTS:
        files = list(project.rglob("*.py"))
        if len(files) > 3 and any(code in codes for f in files for _, codes, _ in marks(f)[0]):
            return
    pytest.fail(f"no project under fixtures/projects expects {code} across modules")
