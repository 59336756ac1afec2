"""HIL505: a router that pauses is restarted together with the node it leaves."""

from __future__ import annotations

from support import Run, load, saver


def test_draft_is_written_once_more() -> None:
    module = load("HIL505/bad_router_asks_where_to_go")
    run = Run(module.build(saver())).start({"topic": "bees"}).answer("yes")
    assert (run.values["sent"], module.WRITTEN) == (True, ["bees", "bees"])


def test_classifier_runs_once_more() -> None:
    desk = load("HIL505/bad_router_method_asks_through_helper").Desk()
    run = Run(desk.build(saver())).start({"text": "no net"}).answer("network")
    assert (run.values["team"], desk.classified) == ("network", 2)


def test_router_from_start_restarts_nothing_else() -> None:
    for name, answer in (("good_router_from_start", "printers"), ("good_conditional_entry_point", "network")):
        run = Run(load(f"HIL505/{name}").build(saver())).start({"text": "?"}).answer(answer)
        assert run.values["team"] == answer


def test_node_that_asks_and_router_that_reads() -> None:
    run = Run(load("HIL505/good_node_asks_and_router_reads").build(saver())).start({"topic": "bees"}).answer("yes")
    assert run.values["sent"] is True
    run = Run(load("HIL505/good_node_decides_by_command").build(saver())).start({"text": "t"}).answer("no")
    assert "sent" not in run.values
