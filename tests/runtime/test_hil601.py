"""HIL601: what is in a payload goes to whoever shows the question and lies in the checkpointer's database, also after the run has ended."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph
from support import Http, Run, load

SECRET = "s3cr3t-v4lue"


def graph_of(node: Any) -> Any:
    return lambda saver: StateGraph(dict).add_node("n", node).add_edge(START, "n").compile(checkpointer=saver)


def in_file(build: Any, state: dict[str, Any], folder: Path) -> tuple[bool, bool, bool]:
    """Whether the secret is in what is shown, in the database while the run waits, and in it after the end."""
    def bytes_of() -> bytes:
        con.commit()
        con.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return (folder / "c.db").read_bytes()

    con = sqlite3.connect(folder / "c.db", check_same_thread=False)
    run = Run(build(SqliteSaver(con))).start(state)
    shown = SECRET in repr(run.interrupts) or any(SECRET in str(getattr(v, "get_secret_value", lambda: "")()) for i in run.interrupts for v in _leaves(i.value))
    waiting = SECRET.encode() in bytes_of()
    run.answer("approve")
    assert run.done
    return shown, waiting, SECRET.encode() in bytes_of()


def _leaves(value: Any) -> list[Any]:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else None
    return [value] if parts is None else [leaf for part in parts for leaf in _leaves(part)]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CRM_TOKEN", "CRM_API_KEY", "DB_PASSWORD"):
        monkeypatch.setenv(name, SECRET)


@pytest.mark.parametrize(("tool", "args"), [("update_customer", {"customer": "1", "name": "Ann"}), ("connect", {"host": "db"})])
def test_a_tool_shows_its_key(tool: str, args: Any, work_dir: Path) -> None:
    made = getattr(load("HIL601/bad_request_with_its_key"), tool)
    assert in_file(graph_of(lambda state: {"done": made.invoke(args)}), {}, work_dir) == (True, True, True)


@pytest.mark.parametrize(("node", "state"), [("review_account", {"typed": SECRET}), ("review_settings", {}), ("review_key", {}), ("review_environment", {})])
def test_whole_objects(node: str, state: Any, work_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = load("HIL601/bad_whole_objects")
    monkeypatch.setattr(module.SETTINGS, "api_key", type(module.SETTINGS.api_key)(SECRET))
    given = {"typed": "x"} if node == "review_account" else {}
    assert in_file(graph_of(getattr(module, node)), {**given, **state}, work_dir) == (True, True, True), "SecretStr is written in clear"


def test_the_state_and_helpers(work_dir: Path) -> None:
    assert in_file(load("HIL601/bad_whole_state").build, {"draft": "x", "access_token": SECRET}, work_dir)[0]
    module = load("HIL601/bad_helper_shows_what_it_is_given")
    for n, (node, state) in enumerate((("open_tunnel", {"host": "h", "private_key": SECRET}), ("open_database", {"connection": {"host": "h", "user": "u", "password": SECRET}}))):
        folder = work_dir / str(n)
        folder.mkdir()
        assert in_file(graph_of(getattr(module, node)), state, folder)[0]


@pytest.mark.parametrize(("name", "node"), [("good_masked", "review"), ("good_chosen_fields", "review"), ("good_used_after_the_pause", "send")])
def test_nothing_is_shown(name: str, node: str, work_dir: Path, http: Http) -> None:
    from langgraph.types import interrupt

    asked: list[Any] = []
    module = load(f"HIL601/{name}")

    def looked_at(value: Any) -> Any:
        asked.append(value)
        return interrupt(value)

    module.interrupt = looked_at
    state = {"typed": SECRET, "key": SECRET, "url": "https://x", "body": {}}
    in_file(graph_of(lambda s: getattr(module, node)(state)), {}, work_dir)
    assert asked and SECRET not in repr(asked)
