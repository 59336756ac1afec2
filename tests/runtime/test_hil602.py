"""HIL602: what no checkpoint holds ends the run with a TypeError where somebody should be asked, with every checkpointer."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import Any, Iterator

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph
from support import Http, Run, load, saver

BASKET = {"basket": {"lamp": 40, "desk": 300}}
BAD = [
    *(("bad_validator_and_price_book", node, {}) for node in ("set_price", "set_discount", "set_plan", "set_schema")),
    *(("bad_views_and_iterators", node, BASKET) for node in ("pick", "compare", "shout", "warn", "first_three")),
    *(("bad_things_that_are_open", node, {"path": "report.txt"}) for node in ("check_rate", "check_file", "check_rows", "check_lock")),
    *(("bad_helper_is_given_an_object", node, {"name": "Ann"}) for node in ("confirm", "confirm_later", "confirm_card", "Desk")),
    *(("bad_not_awaited_and_config", node, {"topic": "x"}) for node in ("review", "review_task", "review_run", "review_settings")),
]
GOOD = [
    ("good_plain_values_of_the_object", "set_plan", {}), ("good_data_that_can_be_saved", "review", {}), ("good_objects_that_say_how_they_are_saved", "review", {}),
    ("good_values_of_the_state", "name", {}), ("good_values_of_the_state", "approve", {"user": {"name": "Ann"}}), ("good_values_of_the_state", "edit", {"text": "x", "note": "y"}),
    ("good_values_of_the_state", "inbox", {"to": "a@x"}), ("good_results_of_calls", "review", {"topic": "x"}), ("good_results_of_calls", "review_task", {"topic": "x"}),
    ("good_results_of_calls", "review_rate", {}),
]


@contextlib.contextmanager
def checkpointer(kind: str) -> Iterator[Any]:
    # The async methods of SqliteSaver are in another class; its serializer is the same.
    yield saver() if kind == "memory" else SqliteSaver(sqlite3.connect(":memory:", check_same_thread=False))


def graph_of(module: Any, node: str, store: Any) -> Any:
    fn = getattr(module, node)
    fn = fn().node if isinstance(fn, type) else fn
    return StateGraph(dict).add_node("n", fn).add_edge(START, "n").compile(checkpointer=store)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # the coroutine that nobody awaits
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@pytest.mark.parametrize(("name", "node", "state"), BAD, ids=lambda x: x if isinstance(x, str) else "")
def test_nobody_is_asked(name: str, node: str, state: Any, kind: str, http: Http, work_dir: Any) -> None:
    (work_dir / "report.txt").write_text("x")
    aio = node == "review"
    if aio and kind == "sqlite":
        pytest.skip("async")
    with checkpointer(kind) as store:
        run = Run(graph_of(load(f"HIL602/{name}"), node, store), aio=aio)
        with pytest.raises(TypeError, match="not msgpack serializable"):
            run.start(state)
        assert run.asked == [], "nothing waits for an answer"


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@pytest.mark.parametrize(("name", "node", "state"), GOOD, ids=lambda x: x if isinstance(x, str) else "")
def test_the_question_is_kept(name: str, node: str, state: Any, kind: str, http: Http, library: Any) -> None:
    library("backend")
    library("backend.models", Base=dict)
    aio = name == "good_results_of_calls" and node == "review"
    if aio and kind == "sqlite":
        pytest.skip("async")
    with checkpointer(kind) as store:
        run = Run(graph_of(load(f"HIL602/{name}"), node, store), aio=aio).start(state)
        assert len(run.asked) == 1
        run.answer("yes")
        assert run.done


def test_pickle_keeps_the_rest() -> None:
    run = Run(load("HIL602/good_serializer_with_pickle").build()).start({})
    assert run.asked[0]["book"].currency == "EUR"


def test_without_a_checkpointer_nothing_is_saved() -> None:
    """Then nothing can be resumed either (HIL501)."""
    module = load("HIL602/bad_validator_and_price_book")
    result = StateGraph(dict).add_node("n", module.set_price).add_edge(START, "n").compile().invoke({})
    assert result["__interrupt__"][0].value["check"] is module.positive


class Slots:
    __slots__ = ("a",)


def kinds() -> dict[str, Any]:
    import argparse
    import array
    import ast
    import collections
    import email.message
    import enum
    import fractions
    import functools
    import inspect
    import io
    import itertools
    import logging
    import os
    import pathlib
    import re
    import subprocess
    import sys
    import time
    import types
    import xml.etree.ElementTree as ET

    import httpx
    from langchain_core.runnables import RunnableLambda
    from langchain_core.tools import tool
    from langgraph.store.memory import InMemoryStore

    E = enum.Enum("E", "A")
    return {
        "builtin": len, "type": str, "partial": functools.partial(len), "method": [].append, "enum class": E, "slots": Slots(), "module": re, "range": range(3), "filter": filter(None, []),
        "enumerate": enumerate([]), "reversed": reversed([]), "iter": iter([]), "chain": itertools.chain([]), "object": object(), "complex": 1j, "ellipsis": ..., "match": re.match("a", "a"),
        "StringIO": io.StringIO(), "stdout": sys.stdout, "namespace": types.SimpleNamespace(), "args": argparse.Namespace(), "proxy": types.MappingProxyType({}), "fraction": fractions.Fraction(1, 2),
        "pure path": pathlib.PurePosixPath("a"), "ChainMap": collections.ChainMap(), "UserDict": collections.UserDict(), "array": array.array("i"), "signature": inspect.signature(len),
        "ast": ast.parse("1"), "localtime": time.localtime(), "stat": os.stat("/"), "email": email.message.EmailMessage(), "xml": ET.fromstring("<a/>"), "environ": os.environ,
        "logger": logging.getLogger(), "process": subprocess.run([sys.executable, "-c", ""]), "url": httpx.URL("http://x"), "client": httpx.Client(), "store": InMemoryStore(), "saver": saver(),
        "graph": StateGraph(dict), "tool": tool(_echo), "runnable": RunnableLambda(len), "glob": pathlib.Path("/").glob("*"),
    }


def _echo(text: str) -> str:
    """Says it again."""
    return text


def test_every_kind_that_the_rule_names_is_refused() -> None:
    from langgraph.types import interrupt

    for kind, value in kinds().items():
        graph = StateGraph(dict).add_node("n", lambda state: {"a": interrupt({"v": value})}).add_edge(START, "n").compile(checkpointer=saver())  # noqa: B023
        try:
            Run(graph).start({})
        except TypeError:
            continue
        pytest.fail(f"{kind} was saved")
