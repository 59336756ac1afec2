"""HIL304: a pause in a loop replays all earlier rounds, and answers go to other items when what is iterated has changed."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any, TypedDict

import pytest
from support import FIXTURES, Run, calling, load, saver


def test_loop_over_state_asks_one_after_the_other_in_one_activation() -> None:
    run = Run(load("HIL304/bad_docs_for_over_state").build(saver())).start({"dynamic_list": ["a", "b", "c"]}).answer("1", "2", "3")
    assert run.history == [["Approve a?"], ["Approve b?"], ["Approve c?"], []]
    assert run.values["results"] == ["1", "2", "3"]


def test_validation_loop_replays_one_two_three_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(load("HIL304/bad_docs_while_true_validation").build(saver())).start().answer("x", "y", "z")
    assert capsys.readouterr().out.count("asking:") == 1 + 2 + 3 + 4
    assert run.answer(5).values["age"] == 5


def test_row_that_disappears_moves_the_answers_up(work_dir: Path) -> None:
    db = sqlite3.connect("d.db", isolation_level=None)
    db.execute("create table invoices (number, paid)")
    db.executemany("insert into invoices values (?, 0)", [("A",), ("B",)])
    run = Run(load("HIL304/bad_rows_of_a_query").build("d.db", saver())).start()
    assert run.asked[0]["invoice"] == "A"
    db.execute("update invoices set paid = 1 where number = 'A'")
    assert run.answer("sue").values["actions"] == {"B": "sue"}, "the answer about A is carried out on B"


SET_IN_THE_STATE = """
from typing import TypedDict
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt
class Tags(TypedDict, total=False):
    text: str
    tags: set[str]
    meaning: dict[str, str]
def read(state):
    return {"tags": set(state["text"].split())}
def explain(state):
    return {"meaning": {w: interrupt(f"What does {w!r} mean?") for w in state["tags"]}}
def build(checkpointer):
    return StateGraph(Tags).add_sequence([read, explain]).add_edge(START, "read").compile(checkpointer=checkpointer)
"""


@pytest.mark.parametrize("program", ["", SET_IN_THE_STATE], ids=["made in the node", "kept in the state"])
def test_order_of_a_set_differs_between_processes(program: str, work_dir: Path) -> None:
    source = FIXTURES / "HIL304/bad_comprehension_over_a_set.py"
    if program:
        source = work_dir / "tags.py"
        source.write_text(program, encoding="utf-8")
    script = (
        "import importlib.util, json, sys\n"
        "from langgraph.checkpoint.sqlite import SqliteSaver\n"
        "from langgraph.types import Command\n"
        "spec = importlib.util.spec_from_file_location('m', sys.argv[1]); m = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(m)\n"
        "with SqliteSaver.from_conn_string('s.db') as saver:\n"
        "    graph = m.build(saver); config = {'configurable': {'thread_id': 't'}}\n"
        "    graph.invoke(Command(resume=sys.argv[2]) if len(sys.argv) > 2 else {'text': 'alpha beta'}, config)\n"
        "    state = graph.get_state(config)\n"
        "    print(json.dumps([[i.value for t in state.tasks for i in t.interrupts], state.values.get('meaning')]))\n"
    )

    def python(seed: int, *args: str) -> str:
        env = {**os.environ, "PYTHONHASHSEED": str(seed)}
        return subprocess.run([sys.executable, *args], env=env, capture_output=True, text=True, check=True).stdout

    def step(seed: int, *answer: str) -> tuple[list[str], dict[str, str] | None]:
        asked, meaning = json.loads(python(seed, "-c", script, str(source), *answer))
        return asked, meaning

    seeds: dict[str, int] = {}
    for seed in range(1, 40):
        seeds.setdefault(python(seed, "-S", "-c", "print(*{'alpha', 'beta'})").strip(), seed)
        if len(seeds) == 2:
            break
    alpha_first, beta_first = seeds["alpha beta"], seeds["beta alpha"]

    assert step(alpha_first)[0] == ["What does 'alpha' mean?"]
    assert step(beta_first, "the first letter")[0] == ["What does 'alpha' mean?"], "asked again, the answer went elsewhere"
    assert step(beta_first, "the first letter, I said")[1] == {"beta": "the first letter", "alpha": "the first letter, I said"}


def test_awaited_helper_in_a_loop_asks_in_order() -> None:
    run = Run(load("HIL304/bad_helper_in_async_loop").build(saver()), aio=True).start({"rounds": 2}).answer("1", "4")
    assert run.values["points"] == 2
    assert [len(a) for a in run.history] == [1, 1, 0]


def test_map_and_generator_are_loops() -> None:
    run = Run(load("HIL304/bad_map_over_questions").build(saver())).start({"questions": ["a", "b"]}).answer("1", "2", "3", "4")
    assert (run.values["answers"], run.values["marks"]) == (["1", "2"], {"a": "3", "b": "4"})


def test_recursion_asks_again_in_one_activation() -> None:
    run = Run(load("HIL304/bad_recursion").build(saver())).start().answer("x")
    assert run.asked == ["x is no number. What does the meter say?"]
    assert run.answer("7").values["reading"] == 7


def test_recursion_asks_in_rounds_that_all_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    module = load("HIL304/bad_recursion")
    asked: list[str] = []
    monkeypatch.setattr(module, "interrupt", lambda question, real=module.interrupt: (asked.append(question), real(question))[1])
    Run(module.build(saver())).start().answer("x", "y", "7")
    assert len(asked) == 1 + 2 + 3 + 3, "each run asks again what the runs before it have asked"


def test_what_asked_by_recursion_asks_once_in_each_run_over_an_edge(monkeypatch: pytest.MonkeyPatch) -> None:
    module = load("HIL304/good_asks_again_over_an_edge")
    asked: list[str] = []
    monkeypatch.setattr(module, "interrupt", lambda question, real=module.interrupt: (asked.append(question), real(question))[1])
    run = Run(module.build(saver())).start().answer("x", "y", "7")
    assert run.history == [["What does the meter say?"], ["x is no number. What does the meter say?"], ["y is no number. What does the meter say?"], []]
    assert run.values["reading"] == 7 and len(asked) == 2 * 3, "each question is asked twice: when it is put, and with its answer"


def test_what_the_page_says_of_recursion_runs() -> None:
    from hitl_lint.rules.order import interrupt_in_loop

    text = interrupt_in_loop.__doc__ or ""
    code = textwrap.dedent(text[text.index("    from langgraph.graph"):text.index("What it does not see")])
    names: dict[str, Any] = {}
    exec(compile(code, "page", "exec"), names)
    run = Run(names["build"](TypedDict("Meter", {"again": Any, "reading": int}), saver())).start({"again": None}).answer("x", "7")
    assert run.values == {"again": None, "reading": 7} and run.history[1] == ["x is no number. What does the meter say?"]


def test_dispatched_tools_ask_one_after_the_other() -> None:
    message = calling(("ask_human", {"question": "a"}), ("add", {"a": 1, "b": 2}), ("ask_human", {"question": "b"}))
    run = Run(load("HIL304/bad_docs_tool_calls_dispatched").build(saver())).start({"messages": [message]}).answer("1", "2")
    assert [m.content for m in run.values["messages"][1:]] == ["1", "3", "2"]


def test_one_question_for_each_activation_needs_no_replay() -> None:
    run = Run(load("HIL304/good_docs_one_question_for_each_run").build(saver())).start().answer("x", "y", 5)
    assert run.history[1:] == [["'x' is not a valid age."], ["'y' is not a valid age."], []]
    assert run.values["age"] == 5


def test_loops_left_after_their_first_pause_ask_once() -> None:
    run = Run(load("HIL304/good_loop_left_after_first_pause").build(saver())).start({"names": ["a", "b.key", "c.key"]}).answer("no", "5")
    assert (run.values["first"], run.values["size"]) == ("b.key: no", 5)


def test_loops_around_the_pause_ask_once() -> None:
    items = [{"name": "a", "price": 1}, {"name": "b", "price": 2}]
    run = Run(load("HIL304/good_loop_ends_before_the_pause").build(saver())).start({"items": items}).answer({"b": "take"})
    assert (len(run.history), run.values["accepted"]) == (2, ["b"])


def test_workers_have_a_pause_each_and_are_answered_by_id() -> None:
    from langgraph.types import Command

    run = Run(load("HIL304/good_send_for_each_item").build(saver())).start({"invoices": ["a", "b"]})
    assert len(run.asked) == 2
    run.send(Command(resume={i.id: f"ok {i.value['invoice']}" for i in run.interrupts}))
    assert sorted(run.values["results"]) == ["a: ok a", "b: ok b"]


def test_else_of_a_loop_asks_once() -> None:
    run = Run(load("HIL304/good_pause_in_loop_else").build(saver())).start({"shelves": {"x": [], "y": []}, "title": "t"}).answer("z")
    assert run.values["where"] == "z"


def test_recursion_below_the_pause_asks_once() -> None:
    nodes = {"r": {"name": "r", "children": [{"name": "r.a"}]}}
    run = Run(load("HIL304/good_recursion_below_the_pause").build(saver())).start({"nodes": nodes}).answer("r")
    assert run.values["names"] == ["r", "r.a"]


def test_deadline_that_passes_throws_the_answers_away() -> None:
    from types import SimpleNamespace

    module = load("HIL304/bad_until_a_deadline")
    clock = iter([1.0, 2.0, 3.0, 11.0])
    module.time = SimpleNamespace(time=lambda: next(clock))
    run = Run(module.build(saver())).start({"closes_at": 10.0}).answer("100")
    assert run.asked == [{"so_far": 100}]
    assert run.answer("200").values["bids"] == [], "the deadline passed while the second bid was waited for: both are gone"


def test_retry_loop_asks_once(monkeypatch: pytest.MonkeyPatch) -> None:
    module = load("HIL304/good_retry_loop_around_the_pause")
    asked: list[object] = []
    ask = module.interrupt
    monkeypatch.setattr(module, "interrupt", lambda question: (asked.append(question), ask(question))[1])
    run = Run(module.build(saver())).start({"number": "n"})
    assert len(asked) == 1, "the pause is not tried again"
    assert run.answer("yes").values["decision"] == "yes"
    assert len(asked) == 2, "one round for each activation"
