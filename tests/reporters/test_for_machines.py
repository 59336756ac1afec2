"""github, gitlab, junit, rdjson and sarif, on findings made by hand and on the fixtures: exact text, validity, hostile input, notebooks."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from functools import lru_cache
from pathlib import Path
from typing import Any, Sequence
from xml.etree import ElementTree

import pytest

from hitl_lint import cli
from hitl_lint.finding import Confidence, Edit, Finding, Fix, Severity, Span, Step, fingerprints
from hitl_lint.fixes.apply import apply, lines_in_json
from hitl_lint.reporters import files as f, github, gitlab, junit, page, rdjson, sarif

CODE = ["def review(state):", "    送る = send(state['to'])", "    answer = interrupt('ok?')", "    return {'answer': answer}"]
PAGE = "A mail is sent twice.\n\nAt run time: the node\nstarts again.\n\nWrong:\n\n    def f():\n        send()\n\n    f()\n\nHow to fix: move `send()`."
RULES = [sarif.Rule("HIL101", "effect-before-interrupt", Severity.ERROR, "an effect runs again", PAGE),
         sarif.Rule("HIL303", "single-conditional-interrupt", Severity.NOTE, "a pause under a condition", "A pause.", False)]
FILES = f.Files(lambda path, cell: CODE if path == "app/a.py" else None, lambda path, cell, line: 40 + line if path == "n.ipynb" else None)


def one(**more: Any) -> Finding:
    return Finding(**{"code": "HIL101", "name": "effect-before-interrupt", "severity": Severity.ERROR, "span": Span("app/a.py", 2, 10, 2, 27),
                      "message": "The mail is sent twice: 100%, really", "function": "app.a.review", "context": "review: send()", **more})


FULL = one(pause=Span("app/a.py", 3, 14, 3, 30), trace=(Step(Span("app/mail.py", 9, 5, 9, 20), "calls smtplib"),), related=(Step(Span("app/a.py", 4, 5, 4, 11), "the end"),),
           confidence=Confidence.NAMED, help="move it",
           fixes=(Fix("split it", "unsafe", (Edit(Span("b.py", 1, 1, 1, 1), "x"),)),
                  Fix("wrap it", "safe", (Edit(Span("app/a.py", 1, 1, 1, 1), "import task\n"), Edit(Span("app/a.py", 2, 10, 2, 14), "task(send)")), "finish runs first")))
CELL = one(span=Span("n.ipynb", 2, 1, 2, 5, 3), severity=Severity.NOTE, code="HIL303", name="single-conditional-interrupt", context="n")
LIST = [FULL, one(severity=Severity.WARNING, span=Span("app/a.py", 2, 10, 3, 2)), CELL]


def rendered(form: str, findings: Sequence[Finding], files: f.Files = FILES) -> str:
    if form == "sarif":
        return sarif.render(findings, files, RULES, "0.1.0")
    if form == "junit":
        return junit.render(findings, files, lambda finding: finding.severity > Severity.NOTE)
    return {"github": github, "gitlab": gitlab, "rdjson": rdjson}[form].render(findings, files)


# --------------------------------------------------------------------------- exact text
def test_github() -> None:
    assert rendered("github", LIST) == (
        "::error title=HIL101 effect-before-interrupt,file=app/a.py,line=2,endLine=2,col=10,endColumn=27::The mail is sent twice: 100%25, really\n"
        "::warning title=HIL101 effect-before-interrupt,file=app/a.py,line=2,endLine=3::The mail is sent twice: 100%25, really\n"
        "::notice title=HIL303 single-conditional-interrupt,file=n.ipynb,line=42::cell 3, line 2: The mail is sent twice: 100%25, really\n")


def test_github_escapes_what_would_end_a_field_or_begin_a_command() -> None:
    text = rendered("github", [one(span=Span("a,b:c%/x.py", 1, 1, 1, 2), message="a\r\n::error::b\x1b[31m")])
    assert text == ("::error title=HIL101 effect-before-interrupt,file=a%2Cb%3Ac%25/x.py,line=1,endLine=1,col=1,endColumn=2::a%0A::error::b\ufffd[31m\n")


def test_gitlab() -> None:
    rows = json.loads(rendered("gitlab", LIST))
    assert rows[0] == {"description": "HIL101 The mail is sent twice: 100%, really", "check_name": "HIL101", "fingerprint": fingerprints([FULL])[0], "severity": "critical",
                       "location": {"path": "app/a.py", "lines": {"begin": 2, "end": 2}}}
    assert [(row["severity"], row["location"]["lines"]) for row in rows[1:]] == [("major", {"begin": 2, "end": 3}), ("info", {"begin": 42, "end": 42})]
    assert len({row["fingerprint"] for row in rows}) == 3  # GitLab shows one of those that have the same
    assert rendered("gitlab", []) == "[]\n"


def test_junit() -> None:
    assert rendered("junit", []) == (
        '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="hitl-lint" tests="1" failures="0" errors="0" time="0">\n'
        ' <testsuite name="hitl-lint" tests="1" failures="0" errors="0" skipped="0" time="0">\n'
        '  <testcase name="no findings" classname="hitl-lint" time="0"/>\n </testsuite>\n</testsuites>\n')
    assert rendered("junit", [FULL]).split("\n", 3)[3] == (
        '  <testcase name="HIL101 effect-before-interrupt at 2:10" classname="app/a.py" file="app/a.py" line="2" time="0">\n'
        '   <failure message="The mail is sent twice: 100%, really" type="error">app/a.py:2:10: HIL101 The mail is sent twice: 100%, really\n'
        'because app/mail.py:9:5: calls smtplib\nit pauses at app/a.py:3:14\nhelp: move it</failure>\n  </testcase>\n </testsuite>\n</testsuites>\n')


def test_junit_what_does_not_fail_the_run_is_no_failure() -> None:
    suite = ElementTree.fromstring(rendered("junit", LIST))[0]
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2")
    assert [case.find("failure") is not None for case in suite] == [True, True, False] and suite[2].get("line") == "42"


def test_rdjson() -> None:
    document = json.loads(rendered("rdjson", LIST))
    assert document["source"] == {"name": "hitl-lint", "url": f.HOME}
    first, second, third = document["diagnostics"]
    # Columns count bytes: two characters of three bytes stand before the call.
    assert first["location"] == {"path": "app/a.py", "range": {"start": {"line": 2, "column": 14}, "end": {"line": 2, "column": 31}}}
    assert first["severity"] == "ERROR" and first["code"] == {"value": "HIL101"}
    assert first["suggestions"] == [{"range": {"start": {"line": 1, "column": 1}, "end": {"line": 2, "column": 18}},
                                     "text": "import task\ndef review(state):\n    送る = task(send)"}]
    assert first["message"] == "The mail is sent twice: 100%, really\n\nSuggested: wrap it. finish runs first"
    assert [place["message"] for place in first["related_locations"]] == ["calls smtplib", "the end", "pauses here"]
    assert "suggestions" not in second
    assert third["location"] == {"path": "n.ipynb", "range": {"start": {"line": 42}}} and third["severity"] == "INFO"


def test_edits_as_one() -> None:
    lines = ["ab", "cd", "ef"]

    def made(*edits: tuple[int, int, int, int, str]) -> Edit | None:
        return f.as_one_edit(Fix("", "safe", tuple(Edit(Span("x.py", *edit[:4]), edit[4]) for edit in edits)), "x.py", lines)

    assert made((2, 2, 2, 3, "X"), (1, 1, 1, 1, "Y")) == Edit(Span("x.py", 1, 1, 2, 3), "Yab\ncX")
    assert made((1, 2, 3, 1, "")) == Edit(Span("x.py", 1, 2, 3, 1), "")
    assert made((1, 1, 2, 1, "a"), (1, 2, 1, 3, "b")) is None  # they overlap
    assert made((4, 1, 4, 1, "a")) is None  # not there
    assert f.as_one_edit(Fix("", "safe", (Edit(Span("y.py", 1, 1, 1, 1), ""),)), "x.py", lines) is None


def test_sarif() -> None:
    run = json.loads(rendered("sarif", LIST))["runs"][0]
    driver = run["tool"]["driver"]
    assert [rule["id"] for rule in driver["rules"]] == ["HIL101", "HIL303"] and driver["rules"][1]["defaultConfiguration"] == {"level": "note", "enabled": False}
    assert driver["rules"][0]["name"] == "EffectBeforeInterrupt" and driver["rules"][0]["shortDescription"] == {"text": "An effect runs again."}
    assert driver["rules"][0]["help"]["markdown"] == (
        "# HIL101 effect-before-interrupt\n\nA mail is sent twice.\n\n### At run time\n\nThe node starts again.\n\n### Wrong\n\n```python\ndef f():\n    send()\n\nf()\n```\n\n"
        "### How to fix\n\nMove `send()`.\n")
    first, second, third = run["results"]
    assert (first["ruleId"], first["ruleIndex"], first["level"], third["ruleIndex"], third["level"]) == ("HIL101", 0, "error", 1, "note")
    assert first["locations"][0] == {
        "physicalLocation": {"artifactLocation": {"uri": "app/a.py", "uriBaseId": "%SRCROOT%"}, "region": {"startLine": 2, "startColumn": 10, "endLine": 2, "endColumn": 27}},
        "logicalLocations": [{"fullyQualifiedName": "app.a.review", "kind": "function"}]}
    assert first["partialFingerprints"] == {"hitlLint/v1": fingerprints([FULL])[0]} and run["columnKind"] == "unicodeCodePoints"
    flow = [(step["location"]["physicalLocation"]["region"]["startLine"], step["location"]["message"]["text"]) for step in first["codeFlows"][0]["threadFlows"][0]["locations"]]
    assert flow == [(2, FULL.message), (9, "calls smtplib"), (3, "pauses here; the answer starts the function again from its first line")]
    assert [(place["id"], place["message"]["text"]) for place in first["relatedLocations"]] == [(1, "pauses here"), (2, "the end")]
    assert [fix["description"]["text"] for fix in first["fixes"]] == ["split it (changes more than the fault: read it)", "wrap it. finish runs first"]
    assert first["fixes"][1]["artifactChanges"][0]["replacements"][1] == {
        "deletedRegion": {"startLine": 2, "startColumn": 10, "endLine": 2, "endColumn": 14}, "insertedContent": {"text": "task(send)"}}
    assert "codeFlows" not in second and "fixes" not in second
    assert third["properties"] == {"confidence": "proved", "cell": {"index": 3, "line": 2, "column": 1}}
    assert third["locations"][0]["physicalLocation"]["region"] == {"startLine": 42}


@pytest.mark.parametrize(("path", "artifact"), [
    ("a b/ü#?.py", {"uri": "a%20b/%C3%BC%23%3F.py", "uriBaseId": "%SRCROOT%"}),
    ("/x/a.py", {"uri": "file:///x/a.py"}),
    ("caf\udce9.py", {"uri": "caf%E9.py", "uriBaseId": "%SRCROOT%"}),
])
def test_sarif_paths_are_uris(path: str, artifact: dict[str, str]) -> None:
    document = json.loads(rendered("sarif", [one(span=Span(path, 1, 1, 1, 2))]))
    assert document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"] == artifact


def test_sarif_says_when_the_run_has_failed() -> None:
    run = json.loads(sarif.render([], FILES, RULES, "0.1.0", ["cannot read x.py: gone"], True))["runs"][0]
    assert run["invocations"] == [{"executionSuccessful": False, "toolExecutionNotifications": [{"level": "error", "message": {"text": "cannot read x.py: gone"}}]}]


# --------------------------------------------------------------------------- whatever is found, the report can be read
HOSTILE = [one(message=m, span=Span(p, *at), pause=Span(p, 0, 0, 0, 0), trace=(Step(Span(p, 99, 99, 1, 1), m),), help=m, fixes=(Fix(m, "safe", (Edit(Span(p, *at), m),)),))
           for p in ("a.py", "<&\"'>\n.py", "caf\udce9/é.py", "n.ipynb") for m in ("", "]]>\x00\x1b\ufffe\ud800 & <b> \" '", "é" * 3000) for at in ((0, 0, 0, 0), (5, 9, 5, 2), (3, 1, 2, 1))]


@pytest.mark.parametrize("form", cli.MACHINE_FORMATS)
@pytest.mark.parametrize("findings", [[], LIST, HOSTILE], ids=["none", "some", "hostile"])
def test_every_format_can_be_read_and_is_stable(form: str, findings: list[Finding]) -> None:
    text = rendered(form, findings)
    assert text == rendered(form, findings) and (not text or text.endswith("\n"))
    data = text.encode("utf-8")  # no lone surrogates
    if form == "junit":
        suite = ElementTree.fromstring(data)[0]
        assert len(suite) == max(len(findings), 1)
    elif form == "github":
        assert text.count("\n") == len(findings) and all(line.startswith("::") for line in text.splitlines())
    else:
        json.loads(data)
    if form == "sarif":
        _check_sarif(json.loads(data))


def _check_sarif(document: dict[str, Any]) -> None:
    """What the schema cannot say."""
    for run in document["runs"]:
        rules = run["tool"]["driver"]["rules"]
        for result in run["results"]:
            assert "ruleIndex" not in result or rules[result["ruleIndex"]]["id"] == result["ruleId"]
            for place in result["locations"]:
                region = place["physicalLocation"]["region"]
                assert region["startLine"] >= 1 and region.get("endLine", region["startLine"]) >= region["startLine"]
                assert region.get("endLine") != region["startLine"] or region["endColumn"] >= region["startColumn"] >= 1


@lru_cache(maxsize=1)
def _sarif_schema() -> Any:
    """The official schema, from HITL_LINT_SARIF_SCHEMA or the npm package in which its makers ship it; None when it cannot be had."""
    named = os.environ.get("HITL_LINT_SARIF_SCHEMA")
    if named:
        return json.loads(Path(named).read_text(encoding="utf-8"))
    import tempfile

    npm = shutil.which("npm")
    if npm is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        try:
            subprocess.run([npm, "pack", "--silent", "@microsoft/jest-sarif@1.0.0-beta.0"], cwd=folder, check=True, capture_output=True, timeout=60)
            with tarfile.open(next(Path(folder).glob("*.tgz"))) as archive:
                member = archive.extractfile("package/lib/schemas/sarif-2.1.0-rtm.5.json")
                return json.load(member) if member is not None else None
        except (OSError, subprocess.SubprocessError, StopIteration, KeyError):
            return None


def _valid(document: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = _sarif_schema()
    if schema is None:
        pytest.skip("the schema of SARIF cannot be had: no npm, or no network")
    jsonschema.validate(document, schema)


@pytest.mark.parametrize("findings", [[], LIST, HOSTILE], ids=["none", "some", "hostile"])
def test_sarif_is_valid_against_the_official_schema(findings: list[Finding]) -> None:
    _valid(json.loads(rendered("sarif", findings)))


# --------------------------------------------------------------------------- the command
NOTEBOOK = {"cells": [{"cell_type": "markdown", "source": ["# Plan\n"], "metadata": {}},
                      {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None,
                       "source": ["import httpx\n", "from langgraph.types import interrupt\n", "\n", "def ask(state):\n", "    httpx.post('https://x.example', json=state)\n",
                                  "    return {'a': interrupt('?')}\n"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "n.ipynb").write_text(json.dumps(NOTEBOOK, indent=1))
    return tmp_path


@pytest.mark.parametrize("form", cli.MACHINE_FORMATS)
@pytest.mark.parametrize("to_file", [False, True])
def test_notebooks_in_every_format_and_to_a_file(here: Path, capsys: pytest.CaptureFixture[str], form: str, to_file: bool) -> None:
    status = cli.status(["--output-format", form, *(["-o", "report"] if to_file else [])])
    done = capsys.readouterr()
    text = (here / "report").read_text() if to_file else done.out
    assert status == 1 and (done.out == "") is to_file and done.err.startswith("Found 1 error: 1 file looked at")
    line = next(n for n, row in enumerate((here / "n.ipynb").read_text().split("\n"), 1) if "httpx.post" in row)
    assert "HIL101" in text and "cell 1" in text
    places = {"github": f"file=n.ipynb,line={line}::", "gitlab": f'"begin": {line}', "junit": f'line="{line}"', "rdjson": f'"line": {line}', "sarif": f'"startLine": {line}'}
    assert places[form] in text
    if form == "sarif":
        document = json.loads(text)
        _check_sarif(document)
        _valid(document)


@pytest.mark.parametrize(("form", "place"), [("github", "file=app/src/n.ipynb,"), ("gitlab", '"path": "app/src/n.ipynb"'), ("junit", 'file="app/src/n.ipynb"'),
                                             ("rdjson", '"path": "app/src/n.ipynb"'), ("sarif", '"uri": "app/src/n.ipynb"')])
@pytest.mark.parametrize("variable", ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"])
def test_a_step_that_runs_in_a_folder_of_the_checkout(here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, form: str, place: str, variable: str) -> None:
    (here / "app/src").mkdir(parents=True)
    (here / "n.ipynb").rename(here / "app/src/n.ipynb")
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, str(here))
    monkeypatch.chdir(here / "app")
    assert cli.status(["--output-format", form]) == 1 and place in capsys.readouterr().out
    monkeypatch.chdir(here / "app/src")
    assert cli.status(["--output-format", form, ".."]) == 1 and place in capsys.readouterr().out
    monkeypatch.setenv(variable, str(here / "elsewhere"))
    assert cli.status(["--output-format", form, "n.ipynb"]) == 1 and place not in capsys.readouterr().out


def test_lines_of_cells_in_their_json() -> None:
    def lines(source: Any, indent: int | None = 1) -> list[int]:
        return lines_in_json(json.dumps({"cells": [{"cell_type": "code", "source": source}]}, indent=indent).encode())[0]

    assert lines(["a\n", "b\n", "c"]) == [6, 7, 8] == lines(["a\n", "b\n", "c\n"])
    assert lines(["a\n", "\n", "b"]) == [6, 7, 8]
    assert lines(["a", "b\n", "c\nd\n", "e"]) == [6, 8, 8, 9]
    assert lines("a\nb\nc") == [5, 5, 5]
    assert lines(["a\n", "b"], None) == [1, 1]
    assert lines([]) == [5]
    assert lines_in_json(b"{") == lines_in_json(b"[]") == lines_in_json(b'{"cells": 3}') == {}


def test_rdjson_suggestions_are_what_the_fix_makes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever takes the suggestion by bytes gets what --fix makes."""
    code = "from langgraph.types import interrupt\n\n\ndef ask(state):\n    é = 'ü'; resume = 1\n    try:\n        return {'a': interrupt('?')}\n    except Exception:\n        return {}\n"
    (here / "n.ipynb").unlink()
    (here / "a.py").write_text(code, encoding="utf-8")
    cli.status(["--output-format", "json", "--select", "HIL201"])
    fix = json.loads(capsys.readouterr().out)["findings"][0]["fixes"][0]
    edits = [Edit(Span("a.py", *edit["start"], *edit["end"]), edit["text"]) for edit in fix["edits"]]
    cli.status(["--output-format", "rdjson", "--select", "HIL201"])
    suggestion = json.loads(capsys.readouterr().out)["diagnostics"][0]["suggestions"][0]
    lines = code.encode().split(b"\n")
    start, end = (sum(len(line) + 1 for line in lines[: place["line"] - 1]) + place["column"] - 1 for place in (suggestion["range"]["start"], suggestion["range"]["end"]))
    data = code.encode()
    assert data[:start] + suggestion["text"].encode() + data[end:] == apply("a.py", data, edits)


def test_other_formats_do_not_pay_for_these() -> None:
    code = ("import sys\nfrom hitl_lint import cli\ncli.status(['fixtures/HIL101', '--isolated', '-q'])\n"
            "print(*[m for m in sys.modules if m.startswith('hitl_lint.') and m.rsplit('.')[-1] in "
            "('github', 'gitlab', 'junit', 'rdjson', 'sarif', 'page', 'files', 'baseline', 'noqa')], file=sys.stderr)")
    root = Path(cli.__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, env={**os.environ, "PYTHONPATH": str(root)})
    assert done.stderr.strip() == "" and "HIL101" in done.stdout


# --------------------------------------------------------------------------- pages
def test_pages_of_all_rules_come_apart_and_lose_nothing() -> None:
    from hitl_lint.rules import all_rules

    for rule in all_rules():
        parts = list(page.parts(rule.doc))
        headings = [text for kind, text in parts if kind == "heading"]
        assert [h for h in headings if h in ("At run time", "Wrong", "Right", "How to fix", "What it does not see")] == \
            ["At run time", "Wrong", "Right", "How to fix", "What it does not see"], rule.meta.code
        told, written = ("".join(text.split()).replace(":", "").lower() for text in ("".join(text for _, text in parts), rule.doc))
        assert told == written, rule.meta.code


ASKS = ["from langgraph.types import interrupt\n", "\n", "def ask(state):\n", "    é = 'ü'\n", "    try:\n", "        return {'a': interrupt('?')}\n", "    except Exception:\n",
        "        return {}\n", "def other(state):\n", "    return {}"]


@pytest.mark.parametrize(("source", "ends"), [(ASKS, "\n"), (ASKS, "\r\n"), ("".join(ASKS), "\n")], ids=["lines", "crlf", "text"])
def test_fixes_of_notebooks_are_edits_of_their_json(here: Path, capsys: pytest.CaptureFixture[str], source: Any, ends: str) -> None:
    """Whoever makes the replacement in the file gets what --fix writes."""
    book = {**NOTEBOOK, "cells": [NOTEBOOK["cells"][0], {**NOTEBOOK["cells"][1], "source": source}, {**NOTEBOOK["cells"][1], "source": ["x = 1"]}]}
    data = json.dumps(book, indent=1).replace("\n", ends).encode()
    (here / "n.ipynb").write_bytes(data)
    told = {}
    for form in ("sarif", "rdjson"):
        cli.status(["--output-format", form, "--select", "HIL201"])
        told[form] = json.loads(capsys.readouterr().out)
    _valid(told["sarif"])
    assert cli.status(["--fix", "--select", "HIL201"]) == 0
    fixed = (here / "n.ipynb").read_bytes()
    [change] = told["sarif"]["runs"][0]["results"][0]["fixes"][0]["artifactChanges"]
    [replacement] = change["replacements"]
    region, text = replacement["deletedRegion"], replacement["insertedContent"]["text"]
    assert change["artifactLocation"]["uri"] == "n.ipynb" and region["startColumn"] == region["endColumn"] == 1
    lines = data.decode().split("\n")
    assert "\n".join([*lines[: region["startLine"] - 1], text + "\n".join(lines[region["endLine"] - 1:])]).encode() == fixed != data
    suggestion = told["rdjson"]["diagnostics"][0]["suggestions"][0]
    assert suggestion == {"range": {"start": {"line": region["startLine"], "column": 1}, "end": {"line": region["endLine"], "column": 1}}, "text": text}
    assert region["endLine"] - region["startLine"] <= 9


def test_a_notebook_of_one_line_has_no_suggestions(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "n.ipynb").write_text(json.dumps({**NOTEBOOK, "cells": [{**NOTEBOOK["cells"][1], "source": ASKS}]}))
    for form, key in (("sarif", '"fixes"'), ("rdjson", '"suggestions"')):
        assert cli.status(["--output-format", form, "--select", "HIL201"]) == 1 and key not in capsys.readouterr().out
