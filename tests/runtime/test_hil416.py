"""HIL416: the outermost graph returns at a pause; only inside a node is it an exception."""

from __future__ import annotations

from typing import Any

from langgraph.errors import GraphInterrupt
from support import App, Run, load, questions, saver


def test_runner_takes_a_waiting_run_for_done() -> None:
    run = Run(questions("x"))
    assert load("HIL416/bad_runner_waits_for_the_exception").Runner(run.graph).run("t", {})["status"] == "done"


def test_stream_endpoint_too(library: Any) -> None:
    library("fastapi", FastAPI=App)
    app = load("HIL416/bad_stream_endpoint").make_app(questions("x"))
    assert app.call("run", "t", "hello") == {"status": "done", "seen": [["__interrupt__"]]}


def test_the_result_says_it() -> None:
    run = Run(questions("x"))
    out = load("HIL416/good_result_is_looked_at").Runner(run.graph).run("t", {})
    assert (out["status"], list(out["questions"].values())) == ("waiting", ["x?"])
    other = Run(questions("x"))
    assert load("HIL416/good_handler_beside_a_look").run(other.graph, {}, other.config) == "waiting"
    third = Run(questions("x"))
    assert "__interrupt__" in load("HIL416/good_let_pass_before_a_broad_handler").run(third.graph, {}, third.config)


def test_inside_a_node_it_is_raised() -> None:
    module = load("HIL416/good_nested_graph_in_a_node")
    run = Run(module.build(saver())).start({"text": "ok?"})
    assert module.PAUSES == {"ok?"} and run.asked == ["ok?"]


def test_by_hand_it_is_an_exception() -> None:
    def node(values: dict[str, Any]) -> None:
        raise GraphInterrupt(())

    assert load("HIL416/good_node_called_by_hand").asks(node, {}) is True


def test_a_look_in_the_handler_never_happens() -> None:
    run = Run(questions("x"))
    asked: list[Any] = []
    out = load("HIL416/bad_looks_only_in_the_handler").Executor(run.graph, asked.append).run({}, run.config)
    assert out["status"] == "done" and asked == []
