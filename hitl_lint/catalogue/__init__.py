"""What library calls do: knowledge as data, looked up by path.

    >>> lookup("httpx.Client().post").kind
    'effect'

The tables stand in the modules of this package, one a topic; each holds `ROWS` and may hold `RETURNS`, `ALIASES` and `KEYED`.
How patterns are written and which one wins: `patterns.py`. Names that are evidence by themselves: `verbs.py`. The names of LangGraph and
LangChain that rules look for: `langgraph.py`. Standard library only; the tables of a package are only unpacked when it is looked up.

To add a library: find the topic, add its calls to the row that says what they do (or a new row), the rest of it to a `read` or `safe` row
as `library.**`, so that what is not listed counts as known and harmless; give a reason where a call is an exception in its family. If the
library makes objects under several names, unify them in ALIASES; what a factory gives stands in RETURNS. Then add its calls to
`tests/catalogue/test_lookup.py`.
"""

from __future__ import annotations

import importlib
from functools import lru_cache
from typing import Iterator

from hitl_lint.catalogue.entry import KINDS, Entry, Row
from hitl_lint.catalogue.patterns import Table, expand, segment_matches, split

__all__ = ["CONTEXT_RETURNS", "KEYED", "KINDS", "RETURNS", "Entry", "canonical", "known_library", "lookup"]

TOPICS = ("builtin", "effects_http", "effects_data", "effects_files", "effects_process", "effects_messaging", "models", "unstable",
          "reads", "safe", "graphs", "langgraph")


def _top(pattern: str) -> str:
    """The first segment of a path without calls: `open().write` -> `open`."""
    return pattern.split(".", 1)[0].split("(", 1)[0]


def _tables() -> Iterator[object]:
    for topic in TOPICS:
        yield importlib.import_module(f"{__name__}.{topic}")


def _index() -> dict[str, list[tuple[str, Entry]]]:
    """Patterns by first segment (which may hold `*`)."""
    index: dict[str, list[tuple[str, Entry]]] = {}
    for table in _tables():
        rows: tuple[Row, ...] = getattr(table, "ROWS", ())
        for entry, patterns in rows:
            for pattern in patterns:
                # Only braces in the first segment are opened here: the rest waits until the library is asked for.
                if pattern[0] == "{":
                    end = pattern.index("}") + 1
                    for first in expand(pattern[:end]):
                        index.setdefault(_top(first), []).append((first + pattern[end:], entry))
                else:
                    index.setdefault(_top(pattern), []).append((pattern, entry))
    return index


def _merged(name: str) -> dict[str, str]:
    out: dict[str, str] = {}
    for table in _tables():
        for pattern, target in getattr(table, name, {}).items():
            for one in expand(pattern):
                out[one] = target
    return out


_INDEX = _index()
_GLOB_TOPS = tuple(top for top in _INDEX if "*" in top)

# The first constant string argument of these is kept in the path: it says which service the object talks to.
KEYED: frozenset[str] = frozenset(k for table in _tables() for k in getattr(table, "KEYED", ()))

# What calling (and entering) something gives, and other spellings of one thing: pattern of a path -> path. `canonical` applies them
# to every prefix of a path, the shortest first.
RETURNS: dict[str, str] = {**_merged("RETURNS"), **_merged("ALIASES")}
CONTEXT_RETURNS: dict[str, str] = RETURNS

_PLAIN_RETURNS = {p: t for p, t in RETURNS.items() if "*" not in p}
_RETURN_TOPS = frozenset(_top(p) for p in RETURNS)


def _return_table() -> Table:
    table = Table()
    for pattern, target in RETURNS.items():
        if "*" in pattern:
            table.add(pattern, target)
    return table


_GLOB_RETURNS = _return_table()
_GLOB_RETURN_TOPS = tuple({_top(p) for p in RETURNS if "*" in p})

# Calls that give the same thing back as far as anybody here cares, and namespaces of clients that only change the form of the answer.
PASS_THROUGH = frozenset({
    "bind_tools()", "with_structured_output()", "bind()", "bind_functions()", "with_config()", "with_retry()", "with_types()",
    "with_listeners()", "with_alisteners()", "with_fallbacks()", "configurable_fields()", "configurable_alternatives()", "with_options()",
    "with_raw_response", "with_streaming_response", "__enter__()", "__aenter__()", "result()", "unwrap()", "model_copy()",
})
# `.result()` of something that is called further is a future or a nested transaction; a callee that ends there is kept.
_KEEP_LAST = 1


@lru_cache(maxsize=16384)
def canonical(path: str) -> str:
    """One spelling for one thing: aliases and re-exports resolved, calls that return the same thing dropped.

    `openai.AsyncOpenAI().chat.completions.with_raw_response.create` -> `openai.OpenAI().chat.completions.create`.
    """
    segments = split(path)
    if any(s in PASS_THROUGH for s in segments[1:-_KEEP_LAST]):
        segments = (segments[0], *(s for s in segments[1:-_KEEP_LAST] if s not in PASS_THROUGH), segments[-1])
    for _ in range(8):
        rewritten = _rewrite(segments)
        if rewritten is None:
            break
        segments = rewritten
    return ".".join(segments)


def _rewrite(segments: tuple[str, ...]) -> tuple[str, ...] | None:
    top = _top(segments[0])
    globs = any(top == g or ("*" in g and segment_matches(g, top)) for g in _GLOB_RETURN_TOPS)
    if not globs and top not in _RETURN_TOPS:
        return None
    prefix = ""
    for n, segment in enumerate(segments, 1):
        prefix = f"{prefix}.{segment}" if prefix else segment
        for variant, tail in _variants(prefix):
            target = _PLAIN_RETURNS.get(variant)
            if target is None and globs:
                found = _GLOB_RETURNS.best(split(variant))
                target = found[1] if found is not None else None
            if target is not None and target != variant:
                return (*split(target + tail), *segments[n:])
    return None


def _variants(prefix: str) -> Iterator[tuple[str, str]]:
    """The prefix itself, and without its last calls: `a.f()()` also as (`a.f()`, "()") and (`a.f`, "()()")."""
    yield prefix, ""
    tail = ""
    while prefix.endswith(")"):
        cut = prefix.rindex("(")
        tail = prefix[cut:] + tail
        prefix = prefix[:cut]
        yield prefix, tail


@lru_cache(maxsize=None)
def _table(top: str) -> Table:
    """The patterns whose first segment is written `top` (it may hold `*`)."""
    table = Table()
    for pattern, entry in _INDEX.get(top, ()):
        table.add(pattern, entry)
    return table


@lru_cache(maxsize=1024)
def _tables_of(top: str) -> tuple[Table, ...]:
    keys = ((top,) if top in _INDEX else ()) + tuple(g for g in _GLOB_TOPS if segment_matches(g, top))
    return tuple(_table(key) for key in keys)


@lru_cache(maxsize=16384)
def lookup(path: str) -> Entry | None:
    """What calling `path` does, or None if the catalogue does not know it."""
    segments = split(canonical(path))
    found = [best for table in _tables_of(_top(segments[0])) if (best := table.best(segments)) is not None]
    return max(found, key=lambda best: best[0])[1] if found else None


# Packages whose names people also give to their own modules: an import of one says little.
AMBIGUOUS = frozenset("""
    Crypto agents aim amplitude apollo array art attr ayrshare box buffer bunch camel cashews cdp coze crisp daily dash databases dataset
    discord dns docker drift elements emails emoji envelopes fabric fire flow flows galileo git github gitlab glom gmail google_calendar gql
    guidance hydra injector instructor interpreter invoke jira knock lark letta limits linear loader lru magic marvin mcp_use mem0 memory
    metagpt modal money munch names neptune nio notifiers notion nylas outlines panel parse parsel phi phoenix playground polygon prisma
    questdb ray records redo reflex regex resource responses retry riza roman router routes runway schedule schema scholarly scrapy
    segment services sh shop shortuuid simulators slack spider square stamina statemachine statsd stream strands swarm swarms tabula
    telegram telebot tenants tika together token tokens trace transitions trello twilio_client types ulid utils valyu vapi
    validators vault vector weave whisper words workflow workflows writer xid
""".split())


def known_library(top_level: str) -> bool:
    """Is this top-level package a library that the catalogue knows, under a name that people do not give to modules of their own?"""
    return (top_level in _INDEX or any(segment_matches(g, top_level) for g in _GLOB_TOPS)) and top_level not in AMBIGUOUS


def topics() -> dict[str, tuple[Row, ...]]:
    """The rows of every table, by topic (for tests and documentation)."""
    return {topic: getattr(importlib.import_module(f"{__name__}.{topic}"), "ROWS", ()) for topic in TOPICS}
