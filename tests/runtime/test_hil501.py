"""HIL501: without a checkpointer the first call looks paused and the answer is refused."""

from __future__ import annotations

import pytest
from support import Run, Script, calling, load, saver


def test_memo_cannot_be_finished() -> None:
    module = load("HIL501/bad_memo_service_without_saver")
    assert "__interrupt__" in module.start("t", "memo")
    with pytest.raises(RuntimeError, match="without checkpointer"):
        module.finish("t", "signed")


def test_reviewed_agent_cannot_be_approved() -> None:
    admin = load("HIL501/bad_reviewed_agent_without_saver").MailAdmin(Script(turns=[calling(("delete_mailbox", {"name": "m"}))]))
    assert "__interrupt__" in admin.ask("delete m", "t")
    with pytest.raises(RuntimeError, match="without checkpointer"):
        admin.approve("t")


def test_entrypoint_cannot_be_continued() -> None:
    module = load("HIL501/bad_entrypoint_without_saver")
    assert "__interrupt__" in module.begin("a", "t")
    with pytest.raises(RuntimeError, match="without checkpointer"):
        module.decide("yes", "t")


def test_script_ends_at_the_pause() -> None:
    result = load("HIL501/bad_chain_built_in_a_factory").main(50)
    assert "__interrupt__" in result and "paid" not in result


def test_saver_by_parameter_and_by_option() -> None:
    service = load("HIL501/good_saver_is_passed").MemoService(saver())
    service.start("t", "memo")
    assert service.finish("t", "signed")["signed"] is True
    assert load("HIL501/good_options_are_passed_on").run("memo", "signed", checkpointer=saver())["signed"] is True


def test_saver_set_later_works() -> None:
    module = load("HIL501/good_saver_is_set_later")
    module.startup(saver())
    module.start("t", "memo")
    assert module.finish("t", "signed")["signed"] is True


def test_nested_graphs_use_the_parents_saver() -> None:
    run = Run(load("HIL501/good_nested_graph_uses_the_parents_saver").build(saver())).start({"text": "t"}).answer("signed", "A-Z")
    assert (run.values["signed"], run.values["filed"]) == (True, "A-Z")


def test_shell_compiles_its_own() -> None:
    assert load("HIL501/good_graph_for_a_server_and_one_for_the_shell").shell("memo", "signed")["signed"] is True


def test_step_out_of_use_never_pauses() -> None:
    assert load("HIL501/good_step_out_of_use").investigate("x")["done"] is True


def test_step_that_a_goto_leads_to_pauses() -> None:
    out = load("HIL501/bad_reached_by_goto_alone").investigate("x")
    assert "__interrupt__" in out
