"""How patterns are written, matched and ranked; and that every pattern of the tables can win somewhere."""

from __future__ import annotations

import itertools
from typing import Iterator

import pytest

from hitl_lint import catalogue
from hitl_lint.analysis import conditions
from hitl_lint.catalogue import patterns
from hitl_lint.catalogue.patterns import Table, compiled, match, segment_matches, split


def best(table: dict[str, str], path: str) -> str | None:
    t = Table()
    for pattern, value in table.items():
        t.add(pattern, value)
    found = t.best(split(path))
    return found[1] if found else None


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("httpx.Client().post", "httpx.Client().post", True),
        ("httpx.Client().post", "httpx.Client.post", False),
        ("httpx.Client().post", "httpx.Client().post()", False),
        ("a.*.c", "a.b.c", True),
        ("a.*.c", "a.b().c", True),
        ("a.*.c", "a.c", False),
        ("a.*.c", "a.b.b.c", False),
        ("a.**.c", "a.c", True),
        ("a.**.c", "a.b.c", True),
        ("a.**.c", "a.b().x.c", True),
        ("a.**.c", "a.b.d", False),
        ("a.**", "a", True),
        ("a.**", "a.b.c()", True),
        ("a.**.b.**.c", "a.x.b.c", True),
        ("a.**.b.**.c", "a.b.y.z.c", True),
        ("a.{b,c}.d", "a.c.d", True),
        ("a.{b,c}.d", "a.e.d", False),
        ("a.{b.x,c}.d", "a.b.x.d", True),
        ("a.{b*,c}().d", "a.bee().d", True),
        ("{a,b}.c", "b.c", True),
        ("client*.put", "client('s3').put", True),
        ("client('s3').put", "client('s3').put", True),
        ("client('s3').put", "client('sqs').put", False),
        ("x('a.b').c", "x('a.b').c", True),
        ("Chat*().invoke", "ChatOpenAI().invoke", True),
        ("Chat*().invoke", "ChatOpenAI.invoke", False),
        ("*Search*().run", "TavilySearchResults().run", True),
    ],
)
def test_a_pattern_matches_whole_paths_segment_by_segment(pattern: str, path: str, matches: bool) -> None:
    assert any(match(p, split(path)) is not None for p in compiled(pattern)) is matches


@pytest.mark.parametrize(
    ("pattern", "segment", "matches"),
    [
        ("a*", "abc", True),
        ("*c", "abc", True),
        ("a*c", "abc", True),
        ("a*c", "ac", True),
        ("a*b*c", "aXbYc", True),
        ("a*b*c", "ac", False),
        ("*", "", True),
        ("*ab*", "xaby", True),
        ("ab*ba", "aba", False),
        ("a*", "ba", False),
    ],
)
def test_a_star_stands_for_any_characters_of_a_segment(pattern: str, segment: str, matches: bool) -> None:
    assert segment_matches(pattern, segment) is matches


def test_more_full_segments_win_before_more_characters() -> None:
    assert best({"a.**.put": "put", "a.verylongname.*": "long"}, "a.verylongname.put") == "long"
    assert best({"a.**": "all", "a.**.put": "put"}, "a.b.put") == "put"
    assert best({"a.b.**": "one", "a.**.c": "two", "a.b.c": "three"}, "a.b.c") == "three"
    assert best({"a.*": "one", "a.b*": "two"}, "a.bc") == "two"
    assert best({"a.**.c": "deep", "a.*.c": "flat"}, "a.b.c") == "flat"


@pytest.mark.parametrize("text", ["a.{b", "a.{b,{c}}.d"])
def test_bad_braces_are_an_error_in_the_tables(text: str) -> None:
    with pytest.raises(ValueError):
        list(compiled(text))


def all_patterns() -> Iterator[tuple[str, str, catalogue.Entry]]:
    for topic, rows in catalogue.topics().items():
        for entry, texts in rows:
            for text in texts:
                yield topic, text, entry


def test_every_pattern_is_well_formed() -> None:
    for topic, text, entry in all_patterns():
        assert "$" not in text and " " not in text, (topic, text)
        assert text.count("{") == text.count("}") and text.count("(") == text.count(")"), (topic, text)
        assert ".." not in text and not text.startswith(".") and not text.endswith("."), (topic, text)
        for one in compiled(text):
            assert one and not one[0].deep, (topic, text)
            assert not any(a.deep and b.deep for a, b in zip(one, one[1:])), (topic, text)
            for choice in one:
                assert choice.deep or choice.exact or choice.globs, (topic, text)
                assert all("**" not in g for g in choice.globs), (topic, text)
                assert "" not in choice.exact, (topic, text)


def test_every_entry_is_complete() -> None:
    for topic, text, entry in all_patterns():
        assert entry.kind in catalogue.KINDS, (topic, text)
        assert entry.what and entry.what[0].islower() and not entry.what.endswith("."), (topic, text)
        verb = entry.what.split()[0]
        assert verb.endswith("s"), f"{topic}: {entry.what!r} does not begin with a verb in the third person"
        if entry.condition:
            assert conditions.known(entry.condition), (topic, text, entry.condition)
            assert entry.reason or entry.kind == "read", f"{topic}: {text}: a condition needs its reason"


def test_every_condition_is_used() -> None:
    used = {name for _, _, entry in all_patterns() if entry.condition for name in conditions.names(entry.condition)}
    assert used == set(conditions._TESTS)


def test_what_is_safe_inside_a_family_of_effects_says_why() -> None:
    """A table of effects lists a safe call only as an exception, and an exception has a reason; `x.**` is the rest of a library."""
    for topic, rows in catalogue.topics().items():
        if not topic.startswith("effects_"):
            continue
        for entry, texts in rows:
            named = [t for t in texts if not t.endswith(("**", ".*"))]
            if entry.kind == "safe" and named and len(named) == len(texts):
                assert entry.reason, (topic, entry.what, named[:3])


def samples(text: str) -> Iterator[str]:
    """Paths that the pattern matches: every choice of braces, `**` as nothing, one and two segments."""
    for one in compiled(text):
        options: list[list[str]] = []
        for choice in one:
            if choice.deep:
                options.append(["", "qq", "qq().ww"])
            else:
                options.append(sorted(choice.exact) + [g.replace("*", "q") for g in choice.globs])
        for combination in itertools.islice(itertools.product(*options), 60):
            yield ".".join(c for c in combination if c)


def test_no_pattern_is_shadowed_by_others() -> None:
    """For every pattern there is a path for which it is the one that counts (before aliases are applied)."""
    lost = []
    for topic, text, entry in all_patterns():
        won = False
        for path in samples(text):
            segments = split(path)
            found = [b for t in catalogue._tables_of(catalogue._top(path)) if (b := t.best(segments)) is not None]
            if found and max(found, key=lambda b: b[0])[1] == entry:
                won = True
                break
        if not won:
            lost.append((topic, text))
    assert not lost, "\n".join(f"{t}: {p}" for t, p in lost)


def test_no_two_patterns_of_the_same_rank_say_different_things() -> None:
    clashes = set()
    for topic, text, entry in all_patterns():
        for path in samples(text):
            segments = split(path)
            found = [hit for t in catalogue._tables_of(catalogue._top(path)) for hit in t.all(segments)]
            top = max(weight for weight, _ in found)
            kinds = {(e.kind, e.condition) for weight, e in found if weight == top}
            if len(kinds) > 1:
                clashes.add(f"{path}: {sorted(kinds)}")
    assert not clashes, "\n".join(sorted(clashes)[:60])


def test_aliases_do_not_lead_in_circles() -> None:
    for pattern, target in catalogue.RETURNS.items():
        sample = pattern.replace("**", "q").replace("*", "q")
        once = catalogue.canonical(sample)
        assert catalogue.canonical(once) == once, pattern
        if "*" not in pattern:
            assert once == catalogue.canonical(target), pattern


def test_no_pattern_starts_with_a_path_that_canonical_rewrites() -> None:
    """Such a pattern would never be reached, because lookup asks for the canonical path."""
    for topic, text, _ in all_patterns():
        reachable = [p for p in samples(text) if catalogue.canonical(p) == p]
        assert reachable, (topic, text, catalogue.canonical(next(samples(text))))


@pytest.mark.parametrize(
    "path", ["", ".", "()", "a..b", "((", "'", "a.'b", "requests.'", "open()()()", "日本語.送る", "x" * 5000, "a." * 500 + "b"]
)
def test_odd_paths_are_unknown_and_no_error(path: str) -> None:
    catalogue.lookup(path)
    catalogue.canonical(path)


def test_splitting_keeps_constant_arguments_together() -> None:
    assert patterns.split("boto3.client('a.b').put") == ("boto3", "client('a.b')", "put")
