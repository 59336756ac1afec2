"""Which comments take back which findings."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitl_lint.frontend import source, suppressions

KNOWN = ["HIL101", "HIL102", "HIL201", "HIL902", "HIL903"]


def table(code: str) -> suppressions.Suppressions:
    module = source.read("m.py", code.encode())
    assert not module.problems
    return suppressions.table(module, KNOWN)


def covered(code: str, lines: range | None = None) -> dict[int, list[str]]:
    """Codes that are suppressed, by line."""
    found = table(code)
    out = {n: [c for c in KNOWN if found.covers(c, n)] for n in lines or range(1, code.count("\n") + 2)}
    return {n: codes for n, codes in out.items() if codes}


@pytest.mark.parametrize(
    ("comment", "codes"),
    [
        ("# noqa", KNOWN),
        ("#noqa", KNOWN),
        ("# NOQA", KNOWN),
        ("# noqa because I say so", KNOWN),
        ("# noqa: HIL101", ["HIL101"]),
        ("# noqa : HIL101", ["HIL101"]),
        ("#noqa:HIL101", ["HIL101"]),
        ("# noqa: hil101", ["HIL101"]),
        ("# noqa: HIL101,HIL201", ["HIL101", "HIL201"]),
        ("# noqa: HIL101, HIL201", ["HIL101", "HIL201"]),
        ("# noqa: HIL101 HIL201", ["HIL101", "HIL201"]),
        ("# noqa: E501, HIL101 the reason", ["HIL101"]),
        ("# noqa: HIL1", ["HIL101", "HIL102"]),
        ("# noqa: HIL", KNOWN),
        ("# type: ignore  # noqa: HIL102", ["HIL102"]),
        ("# noqa: E501", []),
        ("# noqa: E501 HIL101 is fine", ["HIL101"]),
        ("# noqa: some words", []),
        ("# noqa: hilarious", []),
        ("# noqa: E501 hilarious HIL101", []),
        ("# noqa: HIL1O1", []),
        ("# noqable", []),
        ("# it says noqa: HIL101", []),
        ("# hitl-lint: ignore[HIL101]", ["HIL101"]),
        ("# hitl-lint: ignore[HIL101, HIL201] sent with a fixed key", ["HIL101", "HIL201"]),
        ("# hitl-lint:ignore[HIL1]", ["HIL101", "HIL102"]),
        ("# HITL-lint: Ignore [hil101]", ["HIL101"]),
        ("# hitl-lint: ignore", KNOWN),
        ("# hitl-lint: ignore for now", KNOWN),
        ("# noqa: E501  # hitl-lint: ignore[HIL201]  # really", ["HIL201"]),
    ],
)
def test_a_comment_behind_code_covers_its_line(comment: str, codes: list[str]) -> None:
    assert covered(f"a\nb  {comment}\nc\n") == ({2: codes} if codes else {})
    assert not table(f"b  {comment}\n").malformed


@pytest.mark.parametrize("line", [1, 2, 3, 4])
def test_a_comment_on_any_line_of_a_statement_covers_all_of_it(line: int) -> None:
    lines = ["x = f(", "  a,", "  b,", ")", "y"]
    lines[line - 1] += "  # noqa: HIL101"
    assert sorted(covered("\n".join(lines))) == [1, 2, 3, 4]


def test_the_head_of_a_compound_statement_is_a_statement_of_its_own() -> None:
    assert sorted(covered("if f(\n  a\n):  # noqa\n  b\n")) == [1, 2, 3]
    assert sorted(covered("if f(\n  a\n):\n  b  # noqa\n")) == [4]
    assert sorted(covered("s = '''\n'''  # noqa\nt\n")) == [1, 2]


def test_the_last_line_of_a_finding_counts_too() -> None:
    found = table("with a:\n  b\n  c  # noqa: HIL101\n")
    assert found.covers("HIL101", 1, 3)
    assert not found.covers("HIL101", 1, 2)


def test_our_own_comment_alone_covers_the_next_line_with_code() -> None:
    assert covered("a\n# hitl-lint: ignore[HIL101] why\nb\nc\n") == {2: ["HIL101"], 3: ["HIL101"]}
    assert sorted(covered("a\n# hitl-lint: ignore\n\n# more words\n\nb(\n  c)\nd\n")) == [2, 6, 7]
    assert sorted(covered("def f():\n  # hitl-lint: ignore\n  return 1\n")) == [2, 3]
    assert sorted(covered("if a:\n  b\n  # hitl-lint: ignore\nelse:\n  c\n")) == [3, 5]
    assert sorted(covered("a\n# hitl-lint: ignore\n")) == [2]


def test_above_decorators_it_covers_the_head_of_the_definition_too() -> None:
    assert sorted(covered("# hitl-lint: ignore\n@a\n@b(\n)\ndef f(x,\n  y):\n  z\n")) == [1, 2, 3, 4, 5, 6]
    assert sorted(covered("# hitl-lint: ignore\n@a\nclass B:\n  z\n")) == [1, 2, 3]


def test_a_noqa_alone_covers_nothing_below() -> None:
    assert sorted(covered("a\n# noqa: HIL101\nb\n")) == [2]


@pytest.mark.parametrize(
    ("comment", "codes"),
    [
        ("# flake8: noqa", KNOWN),
        ("# ruff: noqa", KNOWN),
        ("#flake8:noqa", KNOWN),
        ("# flake8: NOQA: HIL101, E501", ["HIL101"]),
        ("# ruff: noqa: HIL1", ["HIL101", "HIL102"]),
        ("# ruff: noqa: F401", []),
    ],
)
def test_the_file_level_noqa_of_other_tools_counts_for_ours(comment: str, codes: list[str]) -> None:
    assert covered(f"a\n{comment}\nb\n") == ({n: codes for n in (1, 2, 3, 4)} if codes else {})
    assert covered(f"a  {comment}\nb\n") == {}, "only on a line of its own"


@pytest.mark.parametrize(
    "code",
    [
        "# hitl-lint: skip-file\nx\n",
        "#!/usr/bin/python\n# -*- coding: utf-8 -*-\n'''doc'''\n\n# hitl-lint: skip-file\nimport a\nx\n",
        "import a\n# hitl-lint: skip-file\n@d\ndef f(): pass\n",
    ],
)
def test_a_file_can_be_skipped_from_its_top(code: str) -> None:
    found = table(code)
    assert found.skip_file and not found.malformed


@pytest.mark.parametrize(
    "code", ["x\n# hitl-lint: skip-file\n", "import a  # hitl-lint: skip-file\n", "def f():\n  # hitl-lint: skip-file\n  pass\n"]
)
def test_a_file_cannot_be_skipped_from_elsewhere(code: str) -> None:
    found = table(code)
    assert not found.skip_file
    assert [m[2] for m in found.malformed] == ["`# hitl-lint: skip-file` counts only on a line of its own above the code"]


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("# hitl-lint: ignore[HIL1O1]", "unknown code 'HIL1O1' in a suppression, did you mean HIL101?"),
        ("# hitl-lint: ignore[HIL999]", "unknown code 'HIL999' in a suppression; `--list-rules` shows the known ones"),
        ("# hitl-lint: ignore[E501]", "unknown code 'E501' in a suppression; `--list-rules` shows the known ones"),
        (
            "# hitl-lint: ignore[]",
            "the suppression names no code: write `# hitl-lint: ignore[HIL101]`, or `# hitl-lint: ignore` for all codes",
        ),
        ("# hitl-lint: ignore[HIL101", "the codes of a suppression stand in square brackets: write `# hitl-lint: ignore[HIL101]`"),
        ("# hitl-lint: ignore HIL1O1", "the codes of a suppression stand in square brackets: write `# hitl-lint: ignore[HIL101]`"),
        (
            "# hitl-lint: ignore(HIL101, HIL201)",
            "the codes of a suppression stand in square brackets: write `# hitl-lint: ignore[HIL101, HIL201]`",
        ),
        ("# hitl-lint: ignore: HIL101", "the codes of a suppression stand in square brackets: write `# hitl-lint: ignore[HIL101]`"),
        ("# hitl-lint: ingore", "unknown directive 'ingore' in a hitl-lint comment: write `# hitl-lint: ignore`"),
        ("# hitl-lint: ingore[HIL101]", "unknown directive 'ingore' in a hitl-lint comment: write `# hitl-lint: ignore[HIL101]`"),
        ("# hitl-lint: skipfile", "unknown directive 'skipfile' in a hitl-lint comment: write `# hitl-lint: skip-file`"),
        (
            "# hitl-lint: disable",
            "unknown directive 'disable' in a hitl-lint comment: known are `# hitl-lint: ignore[CODE] reason`, "
            "`# hitl-lint: ignore` and `# hitl-lint: skip-file`",
        ),
        (
            "# hitl-lint:",
            "no directive in a hitl-lint comment: known are `# hitl-lint: ignore[CODE] reason`, `# hitl-lint: ignore` and "
            "`# hitl-lint: skip-file`",
        ),
        ("# hitl-lint ignore[HIL101]", "malformed hitl-lint comment: write `# hitl-lint: ignore[HIL101]`"),
        ("# hitl_lint: ignore[HIL101]", "malformed hitl-lint comment: write `# hitl-lint: ignore[HIL101]`"),
        ("# hitl-lint=ignore", "malformed hitl-lint comment: write `# hitl-lint: ignore`"),
    ],
)
def test_what_is_wrong_with_a_comment_is_said_with_the_nearest_valid_form(comment: str, message: str) -> None:
    found = table(f"a\nb  {comment}\n")
    assert found.malformed == [(2, 4, message)]
    assert not found.covers("HIL201", 2), "it suppresses nothing"


def test_the_valid_codes_beside_an_unknown_one_still_count() -> None:
    found = table("x  # hitl-lint: ignore[HIL101, HIL1O2]\n")
    assert len(found.malformed) == 1 and found.covers("HIL101", 1)


@pytest.mark.parametrize(
    "comment", ["# hitl-lint finds this", "# see hitl-lint.", "# the hitl-lint rules: HIL101", "# run hitl-lint --help"]
)
def test_prose_about_the_linter_is_no_directive(comment: str) -> None:
    found = table(f"x  {comment}\n")
    assert not found.malformed and not found.covers("HIL101", 1)


def test_what_was_not_needed_is_told() -> None:
    found = table(
        "a  # noqa: HIL101, HIL102, E501\nb  # hitl-lint: ignore[HIL201] reason\nc  # hitl-lint: ignore\nd  # noqa\n"
        "e  # type: ignore # noqa: HIL101\n"
    )
    assert found.covers("HIL101", 1)
    assert found.unused(KNOWN) == [
        (1, 4, "# noqa: HIL101, HIL102, E501", ["HIL102"]),
        (2, 4, "# hitl-lint: ignore[HIL201]", ["HIL201"]),
        (3, 4, "# hitl-lint: ignore", []),
        (5, 19, "# noqa: HIL101", ["HIL101"]),
    ]


def test_codes_of_rules_that_did_not_run_are_not_told() -> None:
    found = table("a  # noqa: HIL101, HIL201\nb  # noqa: HIL3\n# ruff: noqa: HIL102\n")
    assert found.unused(["HIL101"]) == [(1, 4, "# noqa: HIL101, HIL201", ["HIL101"])]
    assert found.unused(["HIL102"]) == [(3, 1, "# ruff: noqa: HIL102", ["HIL102"])]


def test_codes_of_ours_that_no_rule_has_are_told_apart() -> None:
    found = table("a  # noqa: HIL999, HIL101\n# ruff: noqa: HIL8\nb  # noqa: E501, HIL1O1\n")
    assert [row[:2] + row[3:] for row in found.unknown] == [(1, 4, "HIL999"), (2, 1, "HIL8"), (3, 4, "HIL1O1")]
    assert found.unused(KNOWN) == [(1, 4, "# noqa: HIL999, HIL101", ["HIL101"])]
    assert not found.covers("HIL102", 3), "a slip of the pen does not become a beginning of codes"


def test_a_prefix_is_used_when_one_of_its_codes_is() -> None:
    found = table("a  # noqa: HIL1, HIL2\n")
    assert found.covers("HIL102", 1)
    assert found.unused(KNOWN) == [(1, 4, "# noqa: HIL1, HIL2", ["HIL2"])]


def test_every_comment_that_covers_counts_as_used() -> None:
    found = table("# hitl-lint: ignore[HIL101]\na  # noqa: HIL101\n")
    assert found.covers("HIL101", 2)
    assert found.unused(KNOWN) == []


def test_without_comments_nothing_is_covered() -> None:
    found = table("a\n")
    assert not found and not found.covers("HIL101", 1) and not found.unused(KNOWN)


def test_a_comment_in_a_string_is_none() -> None:
    assert covered("x = '''\n# noqa\n# hitl-lint: skip-file\n'''\n") == {}


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["# ", "noqa", ":", " ", "HIL101", "HIL", ",", "hitl-lint", "ignore", "skip-file", "[", "]", "E501", "x", "flake8", "#", "é"]
        ),
        max_size=14,
    )
)
def test_no_comment_upsets_the_table(pieces: list[str]) -> None:
    comment = "#" + "".join(pieces)
    for code in (f"x  {comment}\n", f"{comment}\nx\n", f"f(  {comment}\n{comment}\n)\n"):
        found = table(code)
        found.covers("HIL101", 1, 2)
        found.unused(KNOWN)
        assert all("\n" not in m[2] for m in found.malformed)
