"""HIL504: two people on one thread: the second one's message ends the first one's question, and the first one's answer is taken for it."""

from __future__ import annotations

from typing import Any
from unittest import mock

from langgraph.graph import START, StateGraph
from support import App, load, saver


def test_first_ones_yes_makes_the_second_ones_transfer(library: Any) -> None:
    library("fastapi", FastAPI=App)
    app = load("HIL504/bad_every_request_on_one_thread").make_app(saver())
    app.call("transfer", "ann's landlord")
    app.call("transfer", "eve's own account")
    assert app.call("answer", "yes")["done"] == "eve's own account"


def test_desk_that_is_made_once_has_one_thread(library: Any) -> None:
    library("fastapi")
    with mock.patch("langgraph.checkpoint.sqlite.SqliteSaver.from_conn_string") as opened:
        opened.return_value.__enter__.return_value = saver()
        module = load("HIL504/bad_desk_made_once_for_everybody")
    module.desk.transfer("ann's landlord")
    module.desk.transfer("eve's own account")
    assert module.desk.answer("yes")["done"] == "eve's own account"


class Bot:
    """Keeps the handlers of a bot by name."""

    def __init__(self) -> None:
        self.handlers: dict[str, Any] = {}

    def command(self, name: str) -> Any:
        return lambda f: self.handlers.setdefault(name, f)

    action = command


def test_yes_goes_to_whoever_wrote_last(library: Any) -> None:
    library("slack_bolt")
    module = load("HIL504/bad_global_of_the_last_visitor")
    bot, kept, ack = Bot(), saver(), lambda: None
    module.connect(bot, kept)
    bot.handlers["/deploy"](ack, {"user_id": "ann", "text": "v1"})
    bot.handlers["/deploy"](ack, {"user_id": "eve", "text": "v2"})
    bot.handlers["approve"](ack, {"actions": [{"value": "ann says yes"}]})
    threads = {c.config["configurable"]["thread_id"]: c.checkpoint["channel_values"].get("verdict") for c in reversed(list(kept.list(None)))}
    assert threads == {"deploy-ann": None, "deploy-eve": "ann says yes"}


def test_threads_of_their_own(library: Any) -> None:
    library("fastapi", FastAPI=App)
    app = load("HIL504/good_thread_of_the_request").make_app(saver())
    app.call("transfer", "ann", "ann's landlord")
    app.call("transfer", "eve", "eve's own account")
    assert app.call("answer", "ann", "yes")["done"] == "ann's landlord"


def test_desks_of_their_own(library: Any) -> None:
    library("chainlit")
    module = load("HIL504/good_object_made_for_the_session")
    graph = StateGraph(module.Ticket).add_node("ask", module.ask).add_edge(START, "ask").compile(checkpointer=saver())
    ann, eve = module.Desk(graph), module.Desk(graph)
    ann.turn("ann's question")
    eve.turn("eve's question")
    assert ann.turn("for ann")["answer"] == "for ann" and eve.turn("for eve")["answer"] == "for eve"
