"""HIL506: what a question in a nested graph costs: the outer graph stops, its node runs again, the inner state is out of sight."""

from __future__ import annotations

import pytest
from support import Drafts, Run, Script, calling, load, saver


def test_state_of_the_inner_graph_is_not_in_the_thread_that_waits() -> None:
    run = Run(load("HIL506/bad_region_graph_is_a_node").build(saver())).start({"region": "north"})
    assert run.asked == [{"region": "north", "draft": 5000}]
    assert "draft" not in run.values, "what was worked out is below, in a namespace of its own"
    below = run.graph.get_state(run.config, subgraphs=True).tasks[0].state
    assert below.values["draft"] == 5000
    assert run.answer(4000).values["granted"] == 4000


def test_node_that_runs_the_inner_graph_runs_again() -> None:
    module = load("HIL506/bad_called_by_a_node_and_a_tool")
    run = Run(module.build(saver())).start({"city": "Rome"})
    assert run.asked == ["Which hotel in Rome?"]
    assert run.answer("Lux").values["hotel"] == "Lux"
    assert module.LINES == ["planning"] * 2


@pytest.mark.filterwarnings("ignore")
def test_reviewed_agent_stops_the_graph_above_it() -> None:
    model = Script(turns=[calling(("delete_row", {"row": 7}))])
    run = Run(load("HIL506/bad_reviewed_agent_under_a_supervisor").build(model, saver())).start({"messages": [("user", "go")]})
    assert [a["name"] for q in run.asked for a in q["action_requests"]] == ["delete_row"]
    assert [m.type for m in run.values["messages"]] == ["human"], "the agent's turns are below"
    run.answer({"decisions": [{"type": "approve"}]})
    assert "row 7 deleted" in [m.content for m in run.values["messages"]]


def test_top_graph_asks_with_everything_in_its_own_state() -> None:
    run = Run(load("HIL506/good_top_graph_asks").build(saver())).start({"region": "north"})
    assert run.values["draft"] == 5000 and run.graph.get_state(run.config, subgraphs=True).tasks[0].state is None
    assert run.answer(4000).values["granted"] == 4000


@pytest.mark.filterwarnings("ignore")
def test_helper_that_asks_nobody() -> None:
    model = Script(turns=[calling(("order", {"item": "pen"}))])
    run = Run(load("HIL506/good_nested_graph_that_only_works").build(model, Drafts(), saver())).start({"messages": [("user", "go")]})
    assert [q["order"] for q in run.asked] == ["pen"]
    assert run.answer("yes").done
