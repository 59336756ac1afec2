"""The pages in docs/: those of the rules are what the rules say of themselves, and what every page links to, names or prints as a command exists.

`HITL_LINT_UPDATE=1 python -m pytest tests/test_docs.py` writes what is made from the rules again."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

import click
import pytest

from hitl_lint import cli, config, rules
from hitl_lint.reporters import page

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
UPDATE = bool(os.environ.get("HITL_LINT_UPDATE"))
RULES = {rule.meta.code: rule for rule in rules.all_rules()}
MADE = "<!-- Made from the rule's docstring: HITL_LINT_UPDATE=1 python -m pytest tests/test_docs.py -->\n\n"
GROUPS = {
    "HIL1": "What runs again when a person answers",
    "HIL2": "Pauses that get lost on their way out",
    "HIL3": "Answers that reach the wrong question",
    "HIL4": "How a run is resumed",
    "HIL5": "The graph around the pause",
    "HIL6": "What is made of the answer",
    "HIL7": "Langchain's review middleware",
    "HIL9": "Files and comments",
}
WRITTEN = sorted(path for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.glob("*.md")])
PAGES = [*WRITTEN, *sorted((DOCS / "rules").glob("*.md"))]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# --------------------------------------------------------------------------- made from the rules
def rule_page(rule: rules.Rule) -> str:
    meta = rule.meta
    if meta.opt_in:
        runs = f"only when asked for: `--extend-select {meta.code}`"
    elif meta.severity.label != "note" or meta.shown:
        runs = "yes"
    else:
        runs = "hidden: `--min-severity note` shows it"
    rows = [("severity", meta.severities), ("shown by default", runs), ("automatic fix", meta.fix or "none"),
            ("to suppress it", f"`# noqa: {meta.code}` or `# hitl-lint: ignore[{meta.code}] why` on the line")]
    table = "| | |\n|---|---|\n" + "".join(f"| {key} | {value} |\n" for key, value in rows)
    return (f"{MADE}# {meta.code} {meta.name}\n\n{table}\n{page.markdown(rule.doc, 2)}\n"
            "[All rules](index.md) · [Replay in five minutes](../replay.md) · [What hitl-lint does not see](../limits.md)\n")


def index_page() -> str:
    out = [MADE + "# Rules\n\nThe same pages in a terminal: `hitl-lint --explain HIL101`; the list: `hitl-lint --list-rules`. Errors lose an approval, double an effect or\n"
           "deliver a wrong result. Warnings cost money, or break under conditions. Notes are hygiene, and hidden unless the table says otherwise.\n"]
    for prefix, title in GROUPS.items():
        rows = [rule.meta for code, rule in RULES.items() if code.startswith(prefix)]
        out.append(f"## {title}\n\n| code | name | severity | what it reports | fix |\n|---|---|---|---|---|\n" + "".join(
            f"| [{m.code}]({m.code}.md) | {m.name} | {m.severities}{', shown' if m.shown else ''}{', opt-in' if m.opt_in else ''} | {m.summary} | {m.fix} |\n" for m in rows))
    return "\n".join(out)


def unseen() -> str:
    """What each rule says that it does not see, as a table."""
    rows = []
    for code, rule in RULES.items():
        told, on = [], False
        for kind, text in page.parts(rule.doc):
            if kind == "heading":
                on = text == "What it does not see"
            elif on and kind == "text":
                told.append(text)
        rows.append(f"| [{code}](rules/{code}.md) | {' '.join(told)} |\n")
    return "| rule | |\n|---|---|\n" + "".join(rows)


def same(path: Path, expected: str) -> None:
    if UPDATE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(expected, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == expected, "HITL_LINT_UPDATE=1 python -m pytest tests/test_docs.py"


@pytest.mark.parametrize("code", RULES)
def test_page_of_a_rule_is_its_docstring(code: str) -> None:
    same(DOCS / "rules" / f"{code}.md", rule_page(RULES[code]))


def test_index_lists_every_rule_once() -> None:
    same(DOCS / "rules/index.md", index_page())
    assert index_page().count(".md)") == len(RULES), "a rule is in no group, or in two"
    assert {path.stem for path in (DOCS / "rules").iterdir()} == {"index", *RULES}


def test_limits_say_what_each_rule_says() -> None:
    path = DOCS / "limits.md"
    begin, end = "<!-- made from the rules -->\n", "<!-- end -->\n"
    head, rest = path.read_text(encoding="utf-8").split(begin)
    same(path, f"{head}{begin}\n{unseen()}\n{end}{rest.split(end)[1]}")


def test_limits_say_what_contributing_says() -> None:
    """The bounds that a user can meet."""
    bounds = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## How deep it looks", 1)[1].split("\n## ", 1)[0]
    limits = (DOCS / "limits.md").read_text(encoding="utf-8")
    for number in ("12 values", "40 steps", "4,000 steps", "250 calls", "6 rounds", "8 rounds", "300 files", "2 MB"):
        assert number in bounds and number in limits, number


# --------------------------------------------------------------------------- what pages refer to
def anchors(path: Path) -> set[str]:
    """As GitHub makes them of headings."""
    text = re.sub(r"^(`{3,})\w*\n.*?^\1\n", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", title.lower())).strip().replace(" ", "-") for title in re.findall(r"^#+ (.+)$", text, re.M)}


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_links_lead_somewhere(path: Path) -> None:
    text = re.sub(r"^(`{3,})\w*\n.*?^\1\n", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    text = re.sub(r"`[^`\n]*`", "", text)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("http://", "https://")):
            continue
        file, _, anchor = target.partition("#")
        found = (path.parent / file).resolve() if file else path
        assert found.exists() and found.is_relative_to(ROOT.resolve()), target
        if anchor:
            assert anchor in anchors(found), target


def test_every_page_can_be_reached_from_the_readme() -> None:
    seen: set[Path] = set()
    todo = [ROOT / "README.md"]
    while todo:
        path = todo.pop()
        if path in seen or path.suffix != ".md":
            continue
        seen.add(path)
        todo += [(path.parent / target).resolve() for target in re.findall(r"\]\(([^)\s#]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")) if "://" not in target]
    assert {path.resolve() for path in DOCS.rglob("*.md")} <= {path.resolve() for path in seen}


@pytest.mark.parametrize("path", WRITTEN, ids=name)
def test_rules_that_are_named_exist(path: Path) -> None:
    assert set(re.findall(r"\bHIL\d{3}\b", path.read_text(encoding="utf-8"))) - {"HIL123"} <= set(RULES)


# --------------------------------------------------------------------------- commands
def commands(text: str) -> list[list[str]]:
    """The words of each call of hitl-lint in a block of commands or between backticks, without what stands behind a `#` or a pipe."""
    lines = [line.removeprefix("$ ") for block in re.findall(r"^```(?:console|sh|bash)\n(.*?)^```", text, re.M | re.S) for line in block.splitlines()]
    lines += [span for span in re.findall(r"`([^`\n]+)`", re.sub(r"^(`{3,})\w*\n.*?^\1\n", "", text, flags=re.M | re.S)) if span.startswith(("hitl-lint ", "--"))]
    out = []
    for line in lines:
        line = re.split(r"\s+#|\s\\?\||&&|;", line)[0].strip()
        words = line.removeprefix(".venv/bin/").split()
        if words and (words[0] == "hitl-lint" or words[0].startswith("--")):
            out.append(words[1:] if words[0] == "hitl-lint" else words)
    return out


ELSEWHERE = {"--extra", "--locked"}  # options of other programs that stand alone between backticks


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_commands_have_options_and_values_that_exist(path: Path) -> None:
    known = {option: param for param in cli.command.params for option in param.opts}
    for words in commands(path.read_text(encoding="utf-8")):
        for word, following in zip(words, [*words[1:], ""]):
            if not word.startswith("-") or word == "-" or word in ELSEWHERE:
                continue
            assert word in known, (word, words)
            if isinstance(known[word].type, click.Choice) and following:
                assert following in known[word].type.choices, words
            if word in ("--select", "--ignore", "--extend-select", "--explain") and following not in ("", "CODE", "CODES"):
                assert all(any(code.startswith(asked) for code in RULES) for asked in following.split(",")), words


@pytest.mark.parametrize("path", WRITTEN, ids=name)
def test_configurations_are_valid(path: Path, tmp_path: Path) -> None:
    for n, block in enumerate(re.findall(r"^```toml\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S)):
        if "[tool.hitl-lint" in block:
            (tmp_path / str(n)).mkdir()
            (tmp_path / str(n) / "pyproject.toml").write_text(block, encoding="utf-8")
            config.check_codes(config.load(str(tmp_path / str(n) / "pyproject.toml")), list(RULES))


# --------------------------------------------------------------------------- what is proved
@pytest.mark.parametrize("page", ["replay.md", "adopting.md"])
def test_statements_about_langgraph_name_tests_that_exist(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    notes = dict(re.findall(r"^\[\^([\w-]+)\]: (.+)$", text, re.M))
    body = re.sub(r"^\[\^[\w-]+\]: .+$", "", text, flags=re.M)
    assert set(re.findall(r"\[\^([\w-]+)\]", body)) == set(notes)
    for note in notes.values():
        named = re.findall(r"`(tests/runtime/\w+\.py)::(\w+)`", note)
        assert named, note
        for file, test in named:
            tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
            assert test in {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}, (file, test)


def test_every_statement_about_replay_is_proved() -> None:
    """Each item of a list and each row of a table names its test."""
    text = (DOCS / "replay.md").read_text(encoding="utf-8")
    for line in re.findall(r"^(?:- |\d\. |\| (?!---|\|)).+(?:\n  .+)*", text, re.M):
        assert "[^" in line or line.startswith("| what"), line


def test_charts_about_replay_are_what_the_tool_prints(tmp_path: Path) -> None:
    text = (DOCS / "replay.md").read_text(encoding="utf-8")
    charts = re.findall(r"`(fixtures/[\w/]+\.py)`[^`]*```mermaid\n(.*?)```", text, re.S)
    assert len(charts) == text.count("```mermaid") >= 2
    for fixture, chart in charts:
        assert cli.status(["--isolated", "--no-cache", "-q", "--exit-zero", "--output-format", "mermaid", "-o", str(tmp_path / "out"), str(ROOT / fixture)]) == 0
        assert (tmp_path / "out").read_text(encoding="utf-8") == chart


# --------------------------------------------------------------------------- README.md
def test_the_example_of_the_readme_is_found_and_its_mended_form_is_clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hitl_lint import api
    from hitl_lint.reporters import concise

    section = (ROOT / "README.md").read_text(encoding="utf-8").split("## What it finds", 1)[1].split("\n## ", 1)[0]
    before, after = re.findall(r"```python\n(.*?)```", section, re.S)
    [told] = re.findall(r"```text\n(.*?)```", section, re.S)
    head = 'import httpx\nfrom langgraph.types import interrupt\n\nAPI = "https://shop.example"\n'
    assert concise.render(api.check_source(head + before, "refund.py", config=config.Config()).findings) == told
    assert not api.check_source(head + after, "refund.py", config=config.Config()).findings


def test_groups_of_the_readme_are_those_of_the_index() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| (HIL\d)… \|", text, re.M)) == set(GROUPS) - {"HIL9"}
