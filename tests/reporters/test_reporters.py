"""The three formats, on findings made by hand: exact text, and what hostile or odd source does to it."""

from __future__ import annotations

import json
from typing import Any, Sequence

import pytest

from hitl_lint.finding import Confidence, Edit, Finding, Fix, Severity, Span, Step
from hitl_lint.reporters import concise, full, json as json_reporter, summary

COUNTS = {"files_found": 3, "files_analysed": 2, "errors": 1, "warnings": 0, "notes": 0, "hidden_notes": 0, "suppressed": 0,
          "unresolved_calls_in_zones": 0}
CODE = ["def review(state):", "    send(state['to'])", "    log('asked')", "    log('again')", "    log('more')", "    log('even more')",
        "    answer = interrupt('ok?')", "    return {'answer': answer}"]


def finding(line: int = 2, column: int = 5, end: int = 22, **more: Any) -> Finding:
    return Finding("HIL101", "effect-before-interrupt", Severity.ERROR, Span("app/a.py", line, column, line, end), "The mail is sent twice",
                   **{"function": "app.a.review", **more})


def source(lines: Sequence[str]) -> full.Source:
    return lambda path, cell: lines if path == "app/a.py" and cell is None else None


def rendered(found: Finding, lines: Sequence[str] = CODE, **style: Any) -> list[str]:
    return full.render([found], None, source(lines), full.Style(**style)).rstrip("\n").split("\n")


# --------------------------------------------------------------------------- concise
def test_concise_is_one_flake8_line_a_finding() -> None:
    in_cell = finding()
    in_cell = Finding(in_cell.code, in_cell.name, in_cell.severity, Span("n.ipynb", 2, 1, 2, 4, cell=3), "two\nlines\x1b[31m")
    assert concise.render([finding(), in_cell]) == ("app/a.py:2:5: HIL101 The mail is sent twice\n"
                                                    "n.ipynb:cell 3:2:1: HIL101 two lines\ufffd[31m\n")


# --------------------------------------------------------------------------- full
def test_full_shows_call_and_pause_the_chain_and_the_help() -> None:
    found = finding(pause=Span("app/a.py", 7, 14, 7, 30), trace=(Step(Span("app/mail.py", 9, 5, 9, 20), "send calls smtplib.SMTP.send_message"),
                                                               Step(Span("app/smtp.py", 1, 1, 1, 2), "which sends a mail")),
                    help="move the call\n    def a(): ...\n    def b(): ...")
    assert rendered(found) == [
        "app/a.py:2:5: HIL101 The mail is sent twice",
        "   |",
        " 1 | def review(state):",
        " 2 |     send(state['to'])",
        "   |     ^^^^^^^^^^^^^^^^^",
        " 3 |     log('asked')",
        "...",
        " 6 |     log('even more')",
        " 7 |     answer = interrupt('ok?')",
        "   |              ---------------- pauses here",
        " 8 |     return {'answer': answer}",
        "   |",
        "  = because app/mail.py:9:5: send calls smtplib.SMTP.send_message",
        "  =    then app/smtp.py:1:1: which sends a mail",
        "  = help: move the call",
        "              def a(): ...",
        "              def b(): ...",
    ]


def test_full_says_when_only_the_name_is_evidence() -> None:
    assert any("judged by its name" in line for line in rendered(finding(confidence=Confidence.NAMED)))
    assert not any("judged by its name" in line for line in rendered(finding()))


def test_full_shows_a_pause_of_another_file_in_a_frame_of_its_own() -> None:
    found = finding(pause=Span("app/b.py", 1, 8, 1, 20))
    both = {"app/a.py": CODE, "app/b.py": ["return interrupt(x)"]}
    text = full.render([found], None, lambda path, cell: both.get(path))
    assert "  --> app/b.py:1:8\n" in text and " 1 | return interrupt(x)\n   |        ------------ pauses here\n" in text


def test_full_without_the_source_still_says_where() -> None:
    found = finding(pause=Span("gone.py", 1, 8, 1, 20))
    text = full.render([found], COUNTS, lambda path, cell: None)
    assert text.startswith("app/a.py:2:5: HIL101 The mail is sent twice\n") and "--> gone.py:1:8: pauses here" in text
    assert text.endswith("Found 1 error: 3 files looked at, 2 analysed.\n")


def test_full_survives_places_that_the_file_does_not_have() -> None:
    for line, column, end in ((99, 1, 2), (2, 500, 501), (2, 30, 10), (0, 0, 0)):
        assert rendered(finding(line, column, end))


def test_full_underlines_wide_characters_and_tabs_where_they_stand() -> None:
    lines = ["\t送る('私'); send(x)"]
    text = rendered(finding(1, 11, 18), lines)
    assert text[2] == " 1 |     送る('私'); send(x)"
    assert text[3] == "   | " + " " * 4 + " " * 12 + "^^^^^^^"
    assert text[2].index("send") + 3 == text[3].index("^")  # three characters before it are two columns wide


def test_full_does_not_count_combining_marks() -> None:
    assert rendered(finding(1, 4, 5), ["e\u0301='x'"])[3] == "   |   ^"


def test_full_cuts_long_lines_around_the_call() -> None:
    line = "x = [" + "1, " * 200 + "send(y), " + "2, " * 200 + "]"
    start = line.index("send") + 1
    text = rendered(finding(1, start, start + 7), [line], width=80)
    assert all(len(row) <= 80 for row in text[1:])
    assert text[2][text[3].index("^"):].startswith("send(y)") and "…" in text[2]


@pytest.mark.parametrize("width", [40, 60, 80, 140])
@pytest.mark.parametrize("column", [1, 30, 80, 200, 599])
def test_full_keeps_the_mark_under_the_call_whatever_the_width(width: int, column: int) -> None:
    line = "".join(chr(ord("a") + n % 26) for n in range(600))
    text = rendered(finding(1, column, column + 1), [line], width=width)
    assert text[2][text[3].index("^")] == line[column - 1]


def test_full_neutralises_control_characters_of_the_source() -> None:
    text = "\n".join(rendered(finding(1, 1, 4, help="see \x1b[31mred"), ["x = '\x1b[2J\x07'"]))
    assert "\x1b" not in text and "\x07" not in text


def test_full_marks_a_call_of_several_lines_on_its_first() -> None:
    found = Finding("HIL101", "x", Severity.ERROR, Span("app/a.py", 1, 5, 3, 2), "m")
    assert full.render([found], None, source(["x = send(", "  1,", ")"])).split("\n")[3] == "   |     ^^^^^"


def test_colour_only_when_asked() -> None:
    assert "\x1b[" not in "\n".join(rendered(finding()))
    assert "\x1b[1;31mHIL101\x1b[0m" in "\n".join(rendered(finding(), colour=True))


# --------------------------------------------------------------------------- the last line
@pytest.mark.parametrize(("changes", "sentence"), [
    ({}, "Found 1 error: 3 files looked at, 2 analysed."),
    ({"errors": 2, "warnings": 1, "notes": 3}, "Found 2 errors, 1 warning and 3 notes: 3 files looked at, 2 analysed."),
    ({"errors": 0}, "Nothing found: 3 files looked at, 2 analysed."),
    ({"errors": 0, "hidden_notes": 1}, "Nothing found: 3 files looked at, 2 analysed; 1 note hidden (--min-severity note shows it)."),
    ({"hidden_notes": 2, "suppressed": 4}, "Found 1 error: 3 files looked at, 2 analysed; 2 notes hidden (--min-severity note shows them); 4 suppressed by comments."),
    ({"errors": 0, "files_analysed": 0}, "Nothing found: 3 files looked at, none uses LangGraph's interrupt()."),
    ({"errors": 0, "files_analysed": 0, "files_found": 1}, "Nothing found: 1 file looked at, it does not use LangGraph's interrupt()."),
    ({"errors": 0, "files_analysed": 0, "files_found": 0}, "Nothing found: no Python file or notebook there."),
    ({"pausing_functions": 1, "graphs": 0}, "Found 1 error: 3 files looked at, 2 analysed with 1 function that pauses."),
    ({"pausing_functions": 2, "graphs": 1, "baselined": 5}, "Found 1 error: 3 files looked at, 2 analysed with 2 functions that pause and 1 graph; 5 in the baseline."),
    ({"errors": 0, "pausing_functions": 0, "graphs": 2}, "Nothing found: 3 files looked at, 2 analysed with 2 graphs."),
])
def test_summary(changes: dict[str, int], sentence: str) -> None:
    assert summary.sentence({**COUNTS, **changes}) == sentence


# --------------------------------------------------------------------------- json
def test_json_has_exactly_the_documented_shape() -> None:
    found = finding(pause=Span("app/b.py", 7, 12, 7, 30), trace=(Step(Span("app/mail.py", 30, 9, 30, 20), "calls smtplib"),),
                    related=(Step(Span("app/a.py", 8, 1, 8, 2), "the handler"),), help="do this",
                    fixes=(Fix("split", "unsafe", (Edit(Span("app/a.py", 1, 1, 2, 3), "new"), Edit(Span("b.ipynb", 1, 1, 1, 1, 4), "x")), "finish threads first"),))
    document = json.loads(json_reporter.render([found], COUNTS, "0.1.0"))
    assert document == {
        "version": "0.1.0",
        "findings": [{
            "code": "HIL101", "name": "effect-before-interrupt", "severity": "error", "confidence": "proved",
            "path": "app/a.py", "cell": None, "line": 2, "column": 5, "end_line": 2, "end_column": 22,
            "message": "The mail is sent twice", "function": "app.a.review",
            "pause": {"path": "app/b.py", "line": 7, "column": 12},
            "trace": [{"path": "app/mail.py", "line": 30, "column": 9, "message": "calls smtplib"},
                      {"path": "app/a.py", "line": 8, "column": 1, "message": "the handler"}],
            "fixes": [{"title": "split", "safety": "unsafe", "note": "finish threads first",
                       "edits": [{"path": "app/a.py", "start": [1, 1], "end": [2, 3], "text": "new"},
                                 {"path": "b.ipynb", "cell": 4, "start": [1, 1], "end": [1, 1], "text": "x"}]}],
            "no_fix": None, "sketch": "do this",
            "fingerprint": document["findings"][0]["fingerprint"], "help": "HIL101"}],
        "summary": COUNTS,
    }


def test_json_fingerprint_stays_when_lines_move_and_tells_twins_apart() -> None:
    def marks(*found: Finding) -> list[str]:
        return [f["fingerprint"] for f in json.loads(json_reporter.render(found, COUNTS, "0"))["findings"]]

    first, second = marks(finding(2, context="send()"), finding(5, context="send()"))
    assert first != second
    assert marks(finding(40, context="send()"), finding(41, context="send()")) == [first, second]
    assert marks(finding(2, context="post()")) != [first]


def test_json_is_ascii_and_survives_undecodable_paths() -> None:
    found = Finding("HIL101", "x", Severity.ERROR, Span("caf\udce9/é.py", 1, 1, 1, 2), "“quoted”")
    text = json_reporter.render([found], COUNTS, "0")
    assert text.isascii() and json.loads(text)["findings"][0]["path"] == "caf\udce9/é.py"
