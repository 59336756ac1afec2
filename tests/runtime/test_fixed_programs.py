"""What the smaller fixes make of the bad fixtures does what was meant, run for real."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path
from typing import Any, Callable

import pytest
from langgraph.types import Command
from support import FIXTURES, App, Http, Run, _serial, calling, load, questions, saver

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fixes"))

from by_text import mend

Fixed = Callable[[str], Any]


@pytest.fixture
def fixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fixed:
    """The module of a bad fixture after everything that can be mended by its own rule is mended."""

    def make(name: str) -> Any:
        folder = tmp_path / "fixed"
        folder.mkdir(exist_ok=True)
        path = Path(shutil.copy(FIXTURES / f"{name}.py", folder))
        before = path.read_text(encoding="utf-8")
        with monkeypatch.context() as here:
            here.chdir(folder)
            assert mend(Path(path.name), name[:6]) != before
        spec = importlib.util.spec_from_file_location(f"fixed_{next(_serial)}", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module

    return make


# ---------------------------------------------------------------------- HIL205
@pytest.mark.parametrize("build", ["build", "build_strict"])
def test_pause_by_hand_takes_its_answer(build: str, fixed: Fixed) -> None:
    graph = getattr(fixed("HIL205/bad_node_interrupt"), build)(saver())
    assert Run(graph).start({"text": "short"}).answer(True).values["score"] == 10
    with pytest.raises(ValueError, match="not approved: 'no'"):
        Run(graph).start({"text": "short"}).answer("no")
    assert Run(graph).start({"text": "long enough to be graded"}).values["score"] == 10


def test_pause_by_hand_of_a_run_that_was_paused_before(fixed: Fixed) -> None:
    """It waits at the question that its person has seen, and takes the next answer."""
    store = saver()
    old = Run(load("HIL205/bad_node_interrupt").build(store)).start({"text": "short"}).answer("accept")
    new = Run(fixed("HIL205/bad_node_interrupt").build(store))
    new.config = old.config
    assert new.asked == old.asked
    assert new.answer(True).values["score"] == 10


def test_state_edited_by_hand_still_gets_past_it(fixed: Fixed) -> None:
    module = fixed("HIL205/bad_state_edited_by_hand")
    run = Run(module.build(saver())).start({"text": "short"})
    assert module.correct(run.graph, run.config, "long enough to be graded")["score"] == 10


# ---------------------------------------------------------------------- HIL207
@pytest.mark.parametrize(("name", "which"), [("bad_config_from_scratch", 0), ("bad_copy_that_loses_the_configurable", 0), ("bad_copy_that_loses_the_configurable", 1)])
def test_nested_graph_asks_through_its_parent(name: str, which: int, fixed: Fixed) -> None:
    run = Run(fixed(f"HIL207/{name}").build_all(saver())[which]).start({"city": "Rome"})
    assert run.asked == [{"city": "Rome"}]
    assert run.answer("yes").values["ok"] == "yes"


def test_tool_that_runs_a_graph_asks_through_its_graph(fixed: Fixed) -> None:
    run = Run(fixed("HIL207/bad_tool_runs_a_sub_agent").build(saver())).start({"messages": [calling(("book", {"city": "Rome"}))]})
    assert run.asked == [{"city": "Rome"}]
    assert run.answer("yes").values["messages"][-1].content == "yes"


# ---------------------------------------------------------------------- HIL401, HIL402
def test_false_is_delivered_where_none_was_sent(fixed: Fixed, library: Any) -> None:
    library("fastapi", FastAPI=App)
    waiting = Run(questions("name")).start()
    app = fixed("HIL401/bad_skip_and_optional_field").make_app(waiting.graph)
    assert app.call("skip", waiting.config["configurable"]["thread_id"])["name"] is False


@pytest.mark.parametrize(("name", "function"), [("bad_ids_of_tasks", "approve_all"), ("bad_map_from_a_helper", "approve_all"), ("bad_map_from_a_helper", "approve_pairs")])
def test_ids_of_interrupts_deliver_the_answer(name: str, function: str, fixed: Fixed) -> None:
    module = fixed(f"HIL402/{name}")
    for run in (Run(questions("name")).start(), Run(questions("left", "right", parallel=True)).start()):
        out = getattr(module, function)(run.graph, run.config)
        assert {v for k, v in out.items() if k in ("name", "left", "right")} == {"approve"}


def test_map_filled_in_a_loop_and_first_task_deliver_the_answer(fixed: Fixed, library: Any) -> None:
    library("fastapi", FastAPI=App)
    run = Run(questions("left", "right", parallel=True)).start()
    app = fixed("HIL402/bad_map_built_in_a_loop").make_app(run.graph)
    out = app.call("answer", run.config["configurable"]["thread_id"], {"ask_left": "l", "ask_right": "r"})
    assert (out["left"], out["right"]) == ("l", "r")
    run = Run(questions("name")).start()
    app = fixed("HIL402/bad_map_built_in_a_loop").make_app(run.graph)
    assert app.call("answer_by_node", run.config["configurable"]["thread_id"], "ann")["name"] == "ann"
    run = Run(questions("name")).start()
    assert fixed("HIL402/bad_by_name").Cards(run.graph).first(run.config["configurable"]["thread_id"], "ann")["name"] == "ann"


# ---------------------------------------------------------------------- HIL501, HIL510
def test_graphs_with_a_saver_can_be_answered(fixed: Fixed) -> None:
    module = fixed("HIL501/bad_memo_service_without_saver")
    module.start("t", "memo")
    assert module.finish("t", "signed")["signed"] is True
    module = fixed("HIL501/bad_entrypoint_without_saver")
    module.begin("a", "t")
    assert module.decide("yes", "t") == "a: yes"
    app = fixed("HIL501/bad_chain_built_in_a_factory").build_graph()
    config = {"configurable": {"thread_id": "claim"}}
    app.invoke({"amount": 5}, config)
    assert app.invoke(Command(resume="pay"), config)["paid"] is True


def test_agent_with_a_saver_can_be_approved(fixed: Fixed) -> None:
    from support import Script

    admin = fixed("HIL501/bad_reviewed_agent_without_saver").MailAdmin(Script(turns=[calling(("delete_mailbox", {"name": "m"}))]))
    admin.ask("delete m", "t")
    assert "m deleted" in [message.content for message in admin.approve("t")["messages"]]


def test_only_what_the_answer_names_runs(fixed: Fixed) -> None:
    graph = fixed("HIL510/bad_rejection_still_pays").build(saver())
    rejected, approved = Run(graph).start({"cents": 5}).answer("reject"), Run(graph).start({"cents": 5}).answer("approve")
    assert (rejected.values.get("cancelled"), rejected.values.get("paid")) == (True, None)
    assert (approved.values.get("cancelled"), approved.values.get("paid")) == (None, True)
    graph = fixed("HIL510/bad_choice_beside_two_edges").build(saver())
    for answer, key in ((True, "done"), (False, "dropped")):
        assert {k for k in Run(graph).start({"text": "t"}).answer(answer).values if k != "text"} == {key}


# ---------------------------------------------------------------------- HIL604, HIL608
def test_only_the_word_that_is_shown_approves(fixed: Fixed, http: Http, tmp_path: Path) -> None:
    graph = fixed("HIL604/bad_no_is_true").build(saver())
    assert [Run(graph).start({"to": "x"}).answer(a).values["paid"] for a in ("no", "yes", True)] == [False, True, False]
    assert len(http.calls) == 1
    folder = tmp_path / "folder"
    folder.mkdir()
    graph = fixed("HIL604/bad_router_tests_the_kept_answer").build(saver())
    Run(graph).start({"folder": str(folder)}).answer("cancel")
    assert folder.exists()
    Run(graph).start({"folder": str(folder)}).answer("confirm")
    assert not folder.exists()


@pytest.mark.parametrize("name", ["bad_imported_from_prebuilt", "bad_imported_from_the_graph"])
def test_right_import_asks(name: str, fixed: Fixed) -> None:
    assert Run(fixed(f"HIL608/{name}").build(saver())).start({}).answer("Ann").values["name"] == "Ann"


def test_pause_is_seen_under_its_key(fixed: Fixed) -> None:
    config = {"configurable": {"thread_id": "t"}}
    assert fixed("HIL608/bad_wrong_key").run(saver(), config) == "waiting"


# ---------------------------------------------------------------------- HIL507, HIL603
def test_runs_that_save_each_step_first(fixed: Fixed, library: Any, http: Http, mail: Any) -> None:
    library("fastapi", FastAPI=App)
    app = fixed("HIL507/bad_order_desk").make_app(saver())
    app.call("start", "t", 5)
    assert app.call("answer", "t", "yes")["approved"] is True and len(http.calls) == 1
    module = fixed("HIL507/bad_two_questions")
    run = Run(module.build(saver()))
    module.start(run.graph, run.config)
    module.answer(run.graph, run.config, "1000")
    assert len(mail.sent) == 1 and run.asked == ["When does she start?"]


@pytest.mark.parametrize(("name", "node", "answer"), [
    ("bad_other_kinds_of_schema", "decide", lambda x: {"approved": x, "reason": ""}), ("bad_other_kinds_of_schema", "consent", lambda x: {"given": x}),
    ("bad_other_kinds_of_schema", "vote", lambda x: {"yes": x}), ("bad_other_kinds_of_schema", "plain", lambda x: x),
    ("bad_schema_of_a_helper", "refund", lambda x: {"cents": 1, "confirmed": x}),
])
def test_only_true_is_true(name: str, node: str, answer: Any, fixed: Fixed) -> None:
    from langgraph.graph import START, StateGraph

    module = fixed(f"HIL603/{name}")
    run = Run(StateGraph(dict).add_node("n", getattr(module, node)).add_edge(START, "n").compile(checkpointer=saver())).start({})
    for said in ("yes", 1):
        with pytest.raises(ValueError, match="boolean"):
            run.answer(answer(said))
    assert run.answer(answer(True)).values["ok"] is True
