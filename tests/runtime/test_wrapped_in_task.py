"""A call that was moved into a @task: it runs once, the end is what it was, and a process that knows nothing of the first one can go on.

The mended program is loaded anew for the answer, with a new saver on the same database file.
"""

from __future__ import annotations

import asyncio
import itertools
import shutil
import sqlite3
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable
from unittest import mock

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fixes"))

from by_text import mend
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.types import Command
from support import FIXTURES, Drafts, Http, Mail, Script, Service, Shell, _serial, calling, load

CODES = ("HIL101", "HIL102", "HIL103", "HIL105")
Build = Callable[[Any, Any], Any]


def load_path(path: Path) -> Any:
    import importlib.util

    spec = importlib.util.spec_from_file_location(f"mended_{next(_serial)}_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    def make(name: str) -> Path:
        folder = tmp_path / "mended"
        folder.mkdir(exist_ok=True)
        path = Path(shutil.copy(FIXTURES / f"{name}.py", folder))
        before = path.read_text(encoding="utf-8")
        with monkeypatch.context() as here:
            here.chdir(folder)
            assert mend(Path(path.name), *CODES, needle="@task") != before
        return path

    return make


def send(path: Path, database: Path, build: Build, value: Any, aio: bool) -> Any:
    """One process: the module is loaded, the saver opened, the graph run until it pauses or ends."""
    module = load_path(path)
    config = {"configurable": {"thread_id": "t"}}

    async def later() -> Any:
        async with AsyncSqliteSaver.from_conn_string(str(database)) as saver:
            return await build(module, saver).ainvoke(value, config)

    if aio:
        return asyncio.run(later())
    with sqlite3.connect(database, check_same_thread=False) as db:
        return build(module, SqliteSaver(db)).invoke(value, config)


def play(path: Path, database: Path, build: Build, start: Any, answers: tuple[Any, ...], aio: bool = False) -> Any:
    result = send(path, database, build, start, aio)
    for answer in answers:
        assert "__interrupt__" in result
        result = send(path, database, build, Command(resume=answer), aio)
    assert "__interrupt__" not in result
    return result


def plain(module: Any, saver: Any) -> Any:
    return module.build(saver)


@pytest.mark.parametrize(("name", "start", "answers", "end"), [
    ("HIL101/bad_docs_child_node_of_subgraph", {"iban": "DE1"}, ("1",), None),
    ("HIL101/bad_random_idempotency_key", {"customer": "c", "cents": 5}, ("mail",), None),
    ("HIL101/bad_partial_called_before_the_pause", {"order": "o"}, ("yes",), {"answer": "yes"}),
    ("HIL105/bad_hold_placed_before_review_graph", {"cart": "c", "amount": 5}, ("ok",), {"verdict": "ok"}),
])
@pytest.mark.parametrize("aio", [False, True])
def test_post_is_made_once(name: str, start: Any, answers: tuple[Any, ...], end: Any, aio: bool, http: Http, mended: Any, tmp_path: Path) -> None:
    result = play(mended(name), tmp_path / "db", plain, start, answers, aio)
    assert len(http.urls()) == 1
    assert end is None or {key: result[key] for key in end} == end


def test_post_between_two_pauses_is_made_once(http: Http, mended: Any, tmp_path: Path) -> None:
    play(mended("HIL101/bad_between_two_pauses"), tmp_path / "db", plain, {"customer": "c"}, ("LH400", "vegan"))
    assert [url.rpartition("/")[2] for url in http.urls()] == ["holds", "tickets"]


def test_posts_in_an_async_with_block_are_made_once(http: Http, mended: Any, tmp_path: Path) -> None:
    play(mended("HIL101/bad_docs_parent_before_nested_graph"), tmp_path / "db", plain, {"contract": "k"}, ("x",), aio=True)
    assert len(http.urls()) == 1


@pytest.mark.parametrize("aio", [False, True])
@pytest.mark.parametrize(("name", "start", "answer"), [
    ("HIL101/bad_mail_receipt_before_approval", {"employee": "ann@x", "amount": 40.0}, "approve"),
    ("HIL101/bad_flag_returned_by_the_same_node", {"patient": "p@x"}, "9:00"),
    ("HIL105/bad_helper_runs_the_nested_flow", {"person": "ann"}, "grant"),
])
def test_mail_goes_out_once(name: str, start: Any, answer: str, aio: bool, mail: Mail, mended: Any, tmp_path: Path) -> None:
    if aio and name.startswith("HIL105"):
        pytest.skip("it runs its flow with invoke")
    play(mended(name), tmp_path / "db", plain, start, (answer,), aio)
    assert len(mail.sent) == 1


def test_factories_and_methods_act_once(mended: Any, tmp_path: Path) -> None:
    db = Service(create_audit_log="log-1")
    result = play(mended("HIL101/bad_docs_audit_record"), tmp_path / "a", lambda m, s: m.build(db, s), {"user": "bo"}, ("yes",))
    assert db.names().count("create_audit_log") == 1 and "log-1" in result.values()
    db = Service()
    play(mended("HIL101/bad_docs_history_append"), tmp_path / "b", lambda m, s: m.build(db, s), {"user_id": "u", "plan": "pro"}, ("yes",))
    assert db.names().count("append_to_history") == 1
    desk = Service(create_issue="T-1")
    play(mended("HIL101/bad_ticket_in_the_payload"), tmp_path / "c", lambda m, s: m.build(desk, s), {"summary": "down"}, ("ann",))
    assert desk.names().count("create_issue") == 1


def test_directory_is_made_once_and_the_answer_gets_through(mended: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = mended("HIL101/bad_mkdir_raises_second_time")
    monkeypatch.chdir(tmp_path)
    assert play(path, tmp_path / "db", plain, {"number": "7"}, ("ann",))["lawyer"] == "ann"


def test_entrypoint_writes_its_file_once(mended: Any, tmp_path: Path) -> None:
    report = tmp_path / "report.csv"
    path = mended("HIL101/bad_docs_entrypoint_open_w")

    def build(module: Any, saver: Any) -> Any:
        return module.make_report(str(report), saver)

    send(path, tmp_path / "db", build, {"total": 7}, False)
    report.unlink()
    assert send(path, tmp_path / "db", build, Command(resume="eve"), False) == {"signed_by": "eve"}
    assert not report.exists(), "nobody has written it again"


def test_async_entrypoint_calls_its_helper_once(mended: Any, tmp_path: Path) -> None:
    path = mended("HIL101/bad_write_text_report")

    def build(module: Any, saver: Any) -> Any:
        return module.make_minutes(tmp_path, saver)

    send(path, tmp_path / "db", build, {"name": "m.txt", "notes": "n"}, True)
    (tmp_path / "m.txt").unlink()
    send(path, tmp_path / "db", build, Command(resume="ann"), True)
    assert not (tmp_path / "m.txt").exists()


@pytest.mark.parametrize("aio", [False, True])
def test_tool_of_an_agent_acts_once(aio: bool, shell: Shell, mended: Any, tmp_path: Path) -> None:
    model = Script(turns=[calling(("deploy", {"service": "web", "version": "2"}))])
    play(mended("HIL101/bad_docs_tool_acts_then_asks"), tmp_path / "db", lambda m, s: m.build(model, s), {"messages": [("user", "go")]}, ("go",), aio)
    assert [line.split()[1] for line in shell.ran] == ["push", "set"]


def test_middleware_acts_once_before_and_after_its_handler(http: Http, mended: Any, tmp_path: Path) -> None:
    model = Script(turns=[calling(("transfer", {"to": "x", "cents": 5}))])
    play(mended("HIL101/bad_docs_wrap_tool_call_before_handler"), tmp_path / "a", lambda m, s: m.build(model, s), {"messages": [("user", "go")]}, ("approve",))
    assert len(http.calls) == 1
    box = Service()
    script = Script(turns=[calling(("publish", {"title": "t"}))])
    result = play(mended("HIL101/bad_docs_wrap_tool_call_asks_afterwards"), tmp_path / "b", lambda m, s: m.build(script, box, s), {"messages": [("user", "go")]}, ("show",))
    assert box.names() == ["publish_article"] and result["messages"][-2].content == "published t"


def test_model_is_paid_once(library: Any, mended: Any, tmp_path: Path) -> None:
    library("langchain_openai", ChatOpenAI=mock.MagicMock())
    llm = Drafts()
    play(mended("HIL105/bad_model_asked_before_approval_graph"), tmp_path / "a", lambda m, s: m.build(s, llm), {"topic": "Oslo"}, ("yes",))
    assert llm.calls == 1
    llm = Drafts()

    def build(module: Any, saver: Any) -> Any:
        module.llm = llm
        return module.build(saver)

    result = play(mended("HIL102/bad_summary_before_question"), tmp_path / "b", build, {"text": "hello"}, ("sales",))
    assert (llm.calls, result["team"]) == (1, "sales")
    llm = Drafts()
    play(mended("HIL102/bad_docs_prompt_and_model_chain"), tmp_path / "c", lambda m, s: m.build(llm, s), {"topic": "bees"}, ("a lot", "deep"), aio=True)
    assert llm.calls == 1


@pytest.mark.parametrize("name", ["bad_docs_nested_graph_without_saver", "bad_docs_nested_graph_on_its_own_thread"])
def test_nested_graph_in_a_task_is_restored(name: str, mended: Any, tmp_path: Path) -> None:
    model = Drafts()
    play(mended(f"HIL102/{name}"), tmp_path / "db", lambda m, s: m.build(model, s), {"topic": "t"}, ("ok",))
    assert model.calls == 1


def test_async_tool_asks_its_model_once(mended: Any, tmp_path: Path) -> None:
    from langchain.agents import create_agent

    llm = SimpleNamespace(ainvoke=mock.AsyncMock(return_value=SimpleNamespace(content="drops everything")))
    path = mended("HIL102/bad_model_in_tool")
    text = path.read_text(encoding="utf-8")
    assert "await ainvoke_once(llm, statement)" in text
    llm.ainvoke = mock.AsyncMock(return_value=__import__("langchain_core.messages", fromlist=["AIMessage"]).AIMessage("drops everything"))
    script = Script(turns=[calling(("run_sql", {"statement": "drop table t"}))])
    play(path, tmp_path / "db", lambda m, s: create_agent(script, [m.make_sql_tool(llm, lambda q: f"ran {q}")], checkpointer=s),
         {"messages": [("user", "go")]}, ("run",), aio=True)
    assert llm.ainvoke.await_count == 1


def test_unstable_values_keep_what_they_were_when_the_question_was_asked(mended: Any, tmp_path: Path) -> None:
    drawn = iter([0.1, 0.9])

    def coin(module: Any, saver: Any) -> Any:
        module.random = SimpleNamespace(random=drawn.__next__)
        return module.build(saver)

    assert play(mended("HIL103/bad_coin_decides_what_happens_afterwards"), tmp_path / "a", coin, {"customer": "c"}, ("hi",))["variant"] == "A"
    numbers = itertools.count(1)

    def ids(module: Any, saver: Any) -> Any:
        module.uuid4 = lambda: next(numbers)
        return module.build(saver)

    assert play(mended("HIL103/bad_uuid_between_two_questions"), tmp_path / "b", ids, {}, ("t", "3"))["folder"] == "scans/t-1"


def test_what_langgraph_hands_over_by_name_is_handed_on_by_place(mended: Any, tmp_path: Path) -> None:
    """A parameter called `runtime`, `store` or `config` is filled by LangGraph, which would be a second value for it."""
    from langgraph.store.memory import InMemoryStore

    store = InMemoryStore()
    path = mended("HIL101/bad_store_item_under_a_new_key")
    assert "(runtime, state, /)" in path.read_text(encoding="utf-8")

    def build(module: Any, saver: Any) -> Any:
        graph = module.build(saver, store)
        return graph

    play(path, tmp_path / "db", build, {"text": "a bicycle"}, ("yes",))
    assert len(store.search(("wishes",))) == 1


# ---------------------------------------------------------------------- a run that was paused before
def test_run_that_was_paused_before_does_no_more_than_it_would_have_done(mail: Mail, mended: Any, tmp_path: Path) -> None:
    """It has no result of the task, so the work is done once more, as without the fix; the answer goes to its question."""
    name = "HIL101/bad_mail_receipt_before_approval"
    config = {"configurable": {"thread_id": "t"}}
    with sqlite3.connect(tmp_path / "db", check_same_thread=False) as db:
        load(name).build(SqliteSaver(db)).invoke({"employee": "ann@x", "amount": 40.0}, config)
    result = send(mended(name), tmp_path / "db", plain, Command(resume="approve"), False)
    assert (result["status"], len(mail.sent)) == ("paid", 2)


OLD = """
from typing import TypedDict
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt

class S(TypedDict, total=False):
    sent: str

def node(state):
    draft = make()
    answer = interrupt(draft)
    return {"sent": draft if answer == "yes" else ""}

def build(saver):
    return StateGraph(S).add_node("node", node).add_edge(START, "node").compile(checkpointer=saver)
"""
NEW = OLD.replace("draft = make()", "draft = make_once().result()").replace("def node", "from langgraph.func import task\n\n@task\ndef make_once():\n    return make()\n\ndef node")


def test_why_a_value_that_is_shown_and_used_is_never_wrapped(tmp_path: Path) -> None:
    """The old answer approves what the new task makes: nothing in LangGraph tells."""
    drafts = (f"draft {n}" for n in itertools.count(1))
    result: Any = None
    for source, value in ((OLD, {}), (NEW, Command(resume="yes"))):
        path = tmp_path / "program.py"
        path.write_text(source, encoding="utf-8")

        def build(module: Any, saver: Any) -> Any:
            module.make = lambda: next(drafts)
            return module.build(saver)

        result = send(path, tmp_path / "db", build, value, False)
    assert result == {"sent": "draft 2"}


def test_why_a_task_before_one_that_makes_what_is_shown_is_refused(tmp_path: Path) -> None:
    """One task more in front moves the positions, so that the old result is not found and the draft is made anew."""
    drafts = (f"draft {n}" for n in itertools.count(1))
    more = NEW.replace("    draft = make_once", "    more_once().result()\n    draft = make_once").replace("@task\ndef make", "@task\ndef more_once():\n    pass\n\n@task\ndef make")
    result: Any = None
    for source, value in ((NEW, {}), (more, Command(resume="yes"))):
        path = tmp_path / "program.py"
        path.write_text(source, encoding="utf-8")

        def build(module: Any, saver: Any) -> Any:
            module.make = lambda: next(drafts)
            return module.build(saver)

        result = send(path, tmp_path / "db", build, value, False)
    assert result == {"sent": "draft 2"}
