"""What an application does that writes the state and runs on with None instead of sending an answer. With `as_node` nothing of the
node runs again (HIL101, HIL102, HIL104 and HIL509 are silent); without it the node runs again, but no answer ever comes (HIL605 is silent)."""

from __future__ import annotations

from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt
from support import saver


class State(TypedDict, total=False):
    word: str
    status: str


def paused() -> tuple[Any, Any, list[str]]:
    """(graph, config, what is done) of a run that waits in `review`."""
    done: list[str] = []

    def review(state: State) -> dict:
        done.append("before")
        answer = interrupt("ok?")
        done.append(f"answered {answer}")
        return {"status": answer.get("action", "approve")}

    def send(state: State) -> dict:
        done.append("sent")
        return {}

    graph = StateGraph(State).add_node("review", review).add_node("send", send)
    graph.add_edge(START, "review").add_edge("review", "send").add_edge("send", END)
    app, config = graph.compile(checkpointer=saver()), {"configurable": {"thread_id": "1"}}
    app.invoke({"word": "a"}, config)
    return app, config, done


def test_run_goes_on_behind_the_node_in_whose_name_the_state_is_written() -> None:
    app, config, done = paused()
    app.update_state(config, {"status": "yes"}, as_node="review")
    app.invoke(None, config)
    assert done == ["before", "sent"], "nothing of the node runs again"


def test_interrupt_never_gives_anything_where_only_the_state_is_written() -> None:
    app, config, done = paused()
    app.update_state(config, {"word": "yes"})
    result = app.invoke(None, config)
    assert "__interrupt__" in result, "it asks again"
    assert done == ["before", "before"], "no default stands in for an answer that never comes"


def test_what_stands_behind_a_look_into_the_state_does_not_run_again() -> None:
    done: list[str] = []

    def review(state: State) -> dict:
        done.append("before the look")
        if state.get("status"):
            return {"word": "done"}
        done.append("behind the look")
        interrupt("ok?")
        return {}

    graph = StateGraph(State).add_node("review", review).add_edge(START, "review").add_edge("review", END).compile(checkpointer=saver())
    config: Any = {"configurable": {"thread_id": "1"}}
    graph.invoke({}, config)
    graph.update_state(config, {"status": "approved"})
    assert graph.invoke(None, config)["word"] == "done"
    assert done == ["before the look", "behind the look", "before the look"]
