"""HIL106: memory that outlives the activation is changed once for each activation."""

from __future__ import annotations

import pytest
from langchain_core.messages import HumanMessage
from langgraph.types import Command
from support import Run, load, saver


def test_module_list_and_counter_grow_twice() -> None:
    module = load("HIL106/bad_module_list_and_counter")
    Run(module.build(saver())).start({"field": "age"}).answer("5")
    assert (module.ASKED, module.TOTALS) == (["age", "age"], {"asked": 2})


def test_attributes_of_self_count_activations() -> None:
    module = load("HIL106/bad_self_attribute")
    bot = module.Bot()
    Run(module.build(bot, saver()), aio=True).start().answer("ann", "fine")
    assert (bot.turns, bot.heard) == (3, ["ann", "ann"])


def test_closure_counts_activations() -> None:
    log: list[str] = []
    Run(load("HIL106/bad_closure_cell_and_nonlocal").build(log, saver())).start({"lot": "a"}).answer("5")
    assert log == ["round 1: a", "round 2: a"]


@pytest.mark.parametrize(("durability", "copies"), [("sync", 1), ("exit", 2)])
def test_list_inside_state_grows_with_each_activation_or_not_as_the_durability_mode_has_it(durability: str, copies: int) -> None:
    graph = load("HIL106/bad_list_inside_state").build(saver())
    config = {"configurable": {"thread_id": "t"}}
    messages = [HumanMessage("hi")]
    graph.invoke({"messages": messages, "tags": []}, config, durability=durability)
    assert len(messages) == 2, "the caller's own list was grown"
    out = graph.invoke(Command(resume="ok"), config, durability=durability)
    assert [m.content for m in out["messages"]] == ["hi"] + ["One moment, I ask a colleague. Thank you."] * copies
    assert out["tags"] == ["asked"] * copies


def test_locals_start_afresh() -> None:
    run = Run(load("HIL106/good_locals_only").build(saver())).start({"items": [{"n": 2, "name": "egg"}]})
    assert run.asked[0]["total"] == 3
    assert run.answer("n").values == {"items": [{"n": 2, "name": "egg"}], "note": "n"}


def test_growth_after_the_last_pause_happens_once() -> None:
    module = load("HIL106/good_after_the_last_pause")
    stats = module.Stats()
    Run(module.build(stats, saver())).start({"field": "age"}).answer("5")
    assert (module.ANSWERS, stats.answers) == (["5"], 1)


def test_writes_by_key_are_the_same_after_both_activations() -> None:
    module = load("HIL106/good_writes_that_may_repeat")
    desk = module.Desk()
    run = Run(module.build(desk, saver())).start({"id": "d"})
    before = (dict(module.STATUS), set(module.WAITING), dict(desk.owners), desk.busy)
    run.answer("x")
    assert before == (module.STATUS, module.WAITING, desk.owners, desk.busy)


def test_new_list_arrives_once() -> None:
    run = Run(load("HIL106/good_new_list_returned").build(saver())).start({"messages": [HumanMessage("hi")]}).answer("Rome")
    assert [m.content for m in run.values["messages"]] == ["hi", "Which city?", "Rome"]
    assert run.values["tags"] == ["asked"]


def test_helper_grows_what_the_module_keeps() -> None:
    module = load("HIL106/bad_through_helper")
    Run(module.build(saver())).start({"name": "ann"}).answer("7")
    assert (module.SEEN, module.STATS) == (["ann", "ann"], {"ann": 2})


def test_window_handed_out_by_a_method_grows_twice_and_a_copy_does_not() -> None:
    module = load("HIL106/bad_window_handed_out_by_a_method")
    watcher = module.Watcher()
    Run(module.build(watcher, saver())).start({"topic": "prices"}).answer("fine")
    assert watcher.seen("prices") == ["asked", "asked"]
    module = load("HIL106/good_copy_handed_out_by_a_method")
    watcher = module.Watcher()
    Run(module.build(watcher, saver())).start({"topic": "prices"}).answer("fine")
    assert watcher.entries == {"prices": ["first"]}


def test_counts_in_a_dict_a_counter_and_on_a_class_go_up_twice() -> None:
    module = load("HIL106/bad_counters_in_dicts_and_on_classes")
    Run(module.build(saver())).start({"user": "ann"}).answer("Rome")
    assert (module.ASKED, module.TOPICS["travel"], module.Desk.open_questions) == ({"ann": 2, "log": ["ann", "ann"]}, 2, 2)


@pytest.mark.parametrize(("durability", "copies"), [("sync", 1), ("exit", 2)])
def test_lists_in_the_objects_of_the_state_grow_as_the_list_itself_does(durability: str, copies: int) -> None:
    graph = load("HIL106/bad_tags_of_messages_inside_state").build(saver())
    config = {"configurable": {"thread_id": "t"}}
    graph.invoke({"lines": [{"marks": []}]}, config, durability=durability)
    out = graph.invoke(Command(resume="yes"), config, durability=durability)
    assert out["lines"] == [{"marks": ["seen"] * copies}]


def test_totals_set_by_key_and_copies_are_the_same_after_both_activations() -> None:
    module = load("HIL106/good_totals_set_by_key")
    run = Run(module.build(saver())).start({"user": "ann bo", "lines": [{"marks": []}]})
    before = dict(module.LAST)
    assert run.answer("x").values["lines"] == [{"marks": ["seen"]}]
    assert module.LAST == before


def test_what_is_set_anew_is_the_same_in_both_activations() -> None:
    module = load("HIL106/good_set_anew_in_each_activation")
    clerk = module.Clerk()
    run = Run(module.build(clerk, saver())).start({"fields": ["a?", "b"], "notes": []})
    assert run.asked[0] == {"missing": ["a?"], "notes": ["1 missing"]}
    run.answer("ok")
    assert (clerk.missing, clerk.looked_at, run.values["notes"]) == (["a?"], 2, [])


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
def test_state_grown_after_an_answer_grows_once(durability: str) -> None:
    module = load("HIL106/good_state_grown_after_an_answer")
    graph, config = module.build(saver()), {"configurable": {"thread_id": "t"}}
    for given in ({"notes": []}, Command(resume="ann"), Command(resume="Monday")):
        out = graph.invoke(given, config, durability=durability)
    assert (out["notes"], out["date"], module.OPEN) == (["ann"], "Monday", {})
