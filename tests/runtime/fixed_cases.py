"""How the bad fixtures whose nodes can be split are started and answered, and with what fakes."""

from __future__ import annotations

import itertools
import random
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from langchain_core.messages import AIMessage
from support import Drafts, Http, Mail, Script, Service, Shell, calling


class Kit:
    """The outside of one run. `made`: what a case keeps for itself (services, models), by name."""

    def __init__(self, library: Any, http: Http, mail: Mail, shell: Shell, folder: Path) -> None:
        self.library = library
        self.http, self.mail, self.shell, self.folder = http, mail, shell, folder
        self.made: dict[str, Any] = {}

    def keep(self, name: str, make: Callable[[], Any]) -> Any:
        if name not in self.made:
            self.made[name] = make()
        return self.made[name]

    def seen(self) -> dict[str, Any]:
        """All that happened outside, in its order."""
        out: dict[str, Any] = {"http": list(self.http.calls), "mail": list(self.mail.sent), "shell": list(self.shell.ran)}
        for name, thing in self.made.items():
            if isinstance(thing, Service):
                out[name] = [(n, args, kwargs) for n, args, kwargs in thing.calls]
            elif isinstance(thing, (Drafts, Script)):
                out[name] = thing.calls
            elif isinstance(thing, list):
                out[name] = list(thing)
            elif isinstance(thing, mock.NonCallableMock):
                out[name] = [(c[0], [a for a in c.args if not isinstance(a, mock.NonCallableMock)]) for c in thing.mock_calls if not c[0].split(".")[-1].startswith("__")]
        return out

    def begin(self) -> None:
        self.http.calls.clear()
        self.http.headers.clear()
        self.mail.sent.clear()
        self.shell.ran.clear()
        self.made.clear()
        random.seed(7)
        for path in self.folder.rglob("*"):
            if path.is_file():
                path.unlink()
        for path in sorted(self.folder.rglob("*"), reverse=True):
            path.rmdir()


@dataclass
class Case:
    """`graph(module, kit, saver)` builds the graph of the freshly loaded fixture; whatever must outlive an activation is kept in the kit."""

    start: Any
    answers: list[Any]
    graph: Callable[[Any, Kit, Any], Any] = lambda module, kit, saver: module.build(saver)
    aio: bool = False
    before: Callable[[Kit], None] = lambda kit: None
    context: Callable[[Any], Any] | None = None
    more: dict[str, Any] = field(default_factory=dict)


def _libraries(*names: str) -> Callable[[Kit], None]:
    def stub(kit: Kit) -> None:
        for name in names:
            kit.library(name)

    return stub


def _with_model(module: Any, kit: Kit, saver: Any) -> Any:
    return module.build(kit.keep("model", Drafts), saver)


def _cloud(kit: Kit) -> None:
    kit.library("boto3", client=lambda name: kit.keep("sns", Service))
    events = kit.keep("events", Service)
    kit.library("pymongo", MongoClient=lambda url: {"plant": {"events": events}})


def _orm(kit: Kit) -> None:
    class Session:
        def __init__(self, engine: Any) -> None:
            self.desk = kit.keep("rows", Service)

        def __enter__(self) -> Any:
            return self.desk

        def __exit__(self, *exc: object) -> None: ...

    kit.library("sqlalchemy", create_engine=lambda dsn: None, Column=lambda *a, **k: None)
    kit.library("sqlalchemy.orm", Session=Session, declarative_base=lambda: object)


class _Row:
    def __init__(self, **columns: Any) -> None:
        self.columns = columns

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Row) and self.columns == other.columns

    def __hash__(self) -> int:
        return 0


def _leave(module: Any, kit: Kit, saver: Any) -> Any:
    module.Request = _Row
    return module.build(module.LeaveDesk("sqlite://"), saver)


def _bank(kit: Kit) -> None:
    with sqlite3.connect("bank.db", isolation_level=None) as db:
        db.execute("create table holds (account, cents)")
        db.execute("create table accounts (id, free)")
        db.execute("insert into accounts values ('a', 100)")


def _rows(path: str, *tables: str) -> Callable[[Kit], dict[str, Any]]:
    def read(kit: Kit) -> dict[str, Any]:
        with sqlite3.connect(path) as db:
            return {t: db.execute(f"select * from {t}").fetchall() for t in tables}

    return read


def _queue(kit: Kit) -> None:
    kit.library("redis", Redis=lambda host: kit.keep("redis", Service))


def _slack(kit: Kit) -> None:
    kit.library("slack_sdk.web.async_client")


def _slack_graph(module: Any, kit: Kit, saver: Any) -> Any:
    posts = kit.keep("posts", list)

    async def post(**message: Any) -> None:
        posts.append(message)

    return module.build(SimpleNamespace(chat_postMessage=post), saver)


def _registry(module: Any, kit: Kit, saver: Any) -> Any:
    ran = kit.keep("ran", list)

    def invoke(args: Any) -> str:
        ran.append(args)
        return f"booked {len(ran)}"

    return module.build({"book": SimpleNamespace(invoke=invoke)}, saver)


def _session(module: Any, kit: Kit, saver: Any) -> Any:
    ran = kit.keep("ran", list)

    def call_tool(tool: str, arguments: dict[str, Any]) -> str:
        ran.append((tool, arguments))
        return f"done {len(ran)}"

    return module.build(SimpleNamespace(call_tool=call_tool), saver)


def _raw_client(module: Any, kit: Kit, saver: Any) -> Any:
    ran = kit.keep("ran", list)

    def create(**request: Any) -> Any:
        ran.append(request)
        return SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content=f"plan {len(ran)}"))])

    return module.build(SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=create))), saver)


def _stub(module: Any, kit: Kit, saver: Any) -> Any:
    ran = kit.keep("ran", list)
    module.print = lambda *words: ran.append(words)
    return module.build(saver)


def _helper(module: Any, kit: Kit, saver: Any) -> Any:
    ran = kit.keep("ran", list)

    def summarize(*args: Any) -> str:
        ran.append(args)
        return f"short {len(ran)}"

    return module.build(summarize, saver)


def _module_llm(module: Any, kit: Kit, saver: Any) -> Any:
    module.llm = kit.keep("model", Drafts)
    return module.build(saver)


def _form(module: Any, kit: Kit, saver: Any) -> Any:
    ran = kit.keep("ran", list)

    def invoke(prompt: Any) -> Any:
        ran.append(prompt)
        return SimpleNamespace(field=f"label {len(ran)}")

    return module.build(SimpleNamespace(with_structured_output=lambda schema: SimpleNamespace(invoke=invoke)), saver)


def _lawyer(module: Any, kit: Kit, saver: Any) -> Any:
    ran = kit.keep("ran", list)

    def ask(what: Any) -> Any:
        ran.append(what)
        return AIMessage(f"opinion {len(ran)}")

    module.RemoteGraph = lambda *a, **k: SimpleNamespace(invoke=lambda v: {"text": ask(v).content})
    module.init_chat_model = lambda *a, **k: SimpleNamespace(invoke=ask)
    return module.build(saver)


def _audit(module: Any, kit: Kit, saver: Any) -> Any:
    module.datetime = SimpleNamespace(now=lambda tz=None: datetime(2025, 5, 5))
    return module.build(kit.keep("desk", lambda: Service(create_audit_log=lambda n: f"audit-{n}")), saver)


def _clock(module: Any, kit: Kit, saver: Any) -> Any:
    hours = kit.keep("hours", lambda: itertools.count())
    noon = datetime(2025, 5, 5, 12, tzinfo=timezone.utc)
    module.datetime = SimpleNamespace(now=lambda tz=None: noon + timedelta(hours=next(hours)))
    return module.build(saver)


def _dice(module: Any, kit: Kit, saver: Any) -> Any:
    rolls = kit.keep("rolls", lambda: itertools.cycle([0.1, 0.9]))
    module.random = SimpleNamespace(random=lambda: next(rolls))
    return module.build(saver)


def _numbers(module: Any, kit: Kit, saver: Any) -> Any:
    numbers = kit.keep("numbers", lambda: itertools.count(1))
    module.uuid4 = lambda: next(numbers)
    module.uuid = SimpleNamespace(uuid4=lambda: SimpleNamespace(hex=f"{next(numbers)}".ljust(32, "0")))
    module.secrets = SimpleNamespace(token_urlsafe=lambda n=0: f"token-{next(numbers)}", token_hex=lambda n=0: f"token-{next(numbers)}")
    return module.build(saver)


def _token(module: Any, kit: Kit, saver: Any) -> Any:
    graph = _numbers(module, kit, saver)
    module.REGISTRY = kit.keep("registry", dict)
    return graph


def _process(module: Any, kit: Kit, saver: Any) -> Any:
    """What is counted in the process, in one that lives on; nobody else uses it meanwhile."""
    module.SEEN = kit.keep("texts", list)
    counted = kit.keep("counted", dict)
    module.Desk.orders = property(lambda desk: counted.get("orders", 0), lambda desk, n: counted.update(orders=max(n, counted.get("orders", 0))))
    return module.build(saver)


def _price(kit: Kit) -> None:
    kit.http.answer = lambda n, call: {"price": 100 * n}


def _stock(kit: Kit) -> None:
    kit.http.answer = lambda n, call: {"free": 1, "id": f"h-{n}"}


def _statement(module: Any, kit: Kit, saver: Any) -> Any:
    return module.build(kit.keep("model", lambda: Script(turns=[AIMessage("select 1"), AIMessage("select 2"), AIMessage("select 3")])), "a.db", saver)


def _wishes(module: Any, kit: Kit, saver: Any) -> Any:
    from langgraph.store.memory import InMemoryStore

    return module.build(saver, kit.keep("store", InMemoryStore))


def _crm(module: Any) -> Any:
    return module.Context(module.Crm("https://crm.example/cases"))


TICKETS = lambda name: lambda module, kit, saver: module.build(kit.keep("desk", lambda: Service(**{name: lambda n: f"T-{n}"})), saver)  # noqa: E731

CASES: dict[str, Case] = {
    "HIL101/bad_plan_overwritten_under_review": Case({"name": "a", "plan": "build it"}, ["yes"]),
    "HIL104/bad_question_on_record_is_another": Case({"task": "t"}, ["the blue one"], _with_model),
    "HIL101/bad_between_two_pauses": Case({"customer": "c"}, ["LH400", "vegan"]),
    "HIL101/bad_cloud_and_documents": Case({"sensor": "s"}, ["stop"], aio=True, before=_cloud),
    "HIL101/bad_docs_audit_record": Case({"user": "bo"}, ["yes"], _audit),
    "HIL101/bad_docs_child_node_of_subgraph": Case({"iban": "DE1"}, ["1"]),
    "HIL101/bad_docs_gated_tool_loop": Case(
        {"messages": [calling(("send_email", {"to": "a@x", "text": "A"}), ("send_email", {"to": "b@x", "text": "B"}))]}, [{"action": "approve"}, {"action": "approve"}]),
    "HIL101/bad_docs_history_append": Case({"user_id": "u", "plan": "pro"}, ["yes"], TICKETS("append_to_history")),
    "HIL101/bad_docs_parent_before_nested_graph": Case({"contract": "k"}, ["x"], aio=True),
    "HIL101/bad_flag_returned_by_the_same_node": Case({"patient": "p@x"}, ["9:00"]),
    "HIL101/bad_gather_sibling": Case({"driver": "d", "stops": ["s"]}, ["accept"], aio=True),
    "HIL101/bad_loop_posts_after_each_answer": Case({"posts": ["a", "b", "c"]}, ["remove", "keep", "remove"]),
    "HIL101/bad_mail_receipt_before_approval": Case({"employee": "ann@x", "amount": 40.0}, ["approve"]),
    "HIL101/bad_mkdir_raises_second_time": Case({"number": "7"}, ["ann"]),
    "HIL101/bad_orm_session_and_patch": Case({"who": "ann"}, ["yes"], _leave, before=_orm),
    "HIL101/bad_partial_called_before_the_pause": Case({"order": "o"}, ["yes"]),
    "HIL101/bad_placeholder_helper": Case({"sku": "s", "count": 2}, ["PO-1"], _stub),
    "HIL101/bad_post_behind_a_harmless_name": Case({"sku": "s", "count": 5}, ["acme"], before=_stock),
    "HIL101/bad_queue_and_counter": Case({"payload": "p"}, ["high"], before=_queue),
    "HIL101/bad_random_idempotency_key": Case({"customer": "c", "cents": 5}, ["mail"], _numbers),
    "HIL101/bad_sending_tool_named_through_a_helper": Case({"text": "q"}, ["a"], _session),
    "HIL101/bad_slack_through_injected_client": Case({"who": "ann", "days": 3}, ["approve"], _slack_graph, aio=True, before=_slack),
    "HIL101/bad_sql_insert_and_counting_update": Case(
        {"account": "a", "cents": 30}, ["book"], lambda module, kit, saver: module.build("bank.db", saver), before=_bank, more={"rows": _rows("bank.db", "holds", "accounts")}),
    "HIL101/bad_steps_of_a_template_method": Case({"customer": "acme"}, ["yes", "close"], context=_crm),
    "HIL101/bad_store_item_under_a_new_key": Case(
        {"text": "tea"}, ["yes"], _wishes, more={"items": lambda kit: [i.value for i in kit.made["store"].search(("wishes",))]}),
    "HIL101/bad_ticket_in_the_payload": Case({"summary": "down"}, ["ann"], TICKETS("create_issue")),
    "HIL101/bad_tool_of_an_unseen_registry": Case({"messages": [calling(("book", {}))]}, ["5"], _registry),
    "HIL102/bad_docs_lambda_runnable": Case({"guests": 4}, ["pizza"], _with_model),
    "HIL102/bad_docs_nested_graph_on_its_own_thread": Case({"topic": "t"}, ["ok"], _with_model),
    "HIL102/bad_docs_nested_graph_without_saver": Case({"topic": "t"}, ["ok"], _with_model),
    "HIL102/bad_docs_prompt_and_model_chain": Case({"topic": "bees"}, ["a lot", "deep"], _with_model, aio=True, before=_libraries("langchain_openai")),
    "HIL102/bad_named_helper": Case({"history": ["a"]}, ["keep"], _helper),
    "HIL102/bad_raw_openai_client": Case({"goal": "g"}, ["yes"], _raw_client, before=_libraries("openai")),
    "HIL102/bad_remote_agent_and_factory": Case({"facts": "f"}, ["guilty"], _lawyer),
    "HIL102/bad_structured_output_in_loop": Case({"fields": ["a", "b", "c"]}, ["1", "2", "3"], _form),
    "HIL102/bad_summary_before_question": Case({"text": "hello"}, ["sales"], _module_llm, before=_libraries("langchain_openai")),
    "HIL103/bad_coin_decides_what_happens_afterwards": Case({"customer": "c"}, ["hi"], _dice),
    "HIL103/bad_number_counted_by_the_process": Case({"text": "a"}, ["yes", "book"], _process),
    "HIL103/bad_order_of_a_set": Case({"text": "#one #two"}, ["ann"]),
    "HIL103/bad_requested_at_gets_the_time_of_the_answer": Case({"who": "ann"}, ["grant"], _clock),
    "HIL103/bad_token_through_helper": Case({"to": "a@x"}, ["send"], _token),
    "HIL103/bad_uuid_between_two_questions": Case({}, ["t", "3"], _numbers),
    "HIL104/bad_draft_shown_then_sent": Case({"topic": "t", "to": "all@x"}, ["send"], _with_model),
    "HIL104/bad_number_made_in_the_constructor": Case({"topic": "t"}, ["yes", "file"], _with_model),
    "HIL104/bad_order_number_from_post": Case({"items": ["a"]}, ["noon"], aio=True),
    "HIL104/bad_plan_in_a_class_attribute": Case({"goal": "g"}, ["run"], _with_model, before=_libraries("langchain_openai")),
    "HIL104/bad_price_read_again": Case({"symbol": "ACME", "count": 1}, ["buy"], before=_price),
    "HIL104/bad_request_id_from_uuid": Case({"action": "wipe"}, ["yes"], _numbers),
    "HIL104/bad_sample_drawn_twice": Case({"parts": [f"p{n}" for n in range(1000)]}, ["pass"]),
    "HIL104/bad_shuffled_in_place": Case({"names": [str(n) for n in range(50)]}, [3]),
    "HIL104/bad_through_fstring_dict_and_helper": Case({"question": "how many?"}, ["run"], _statement),
    "HIL105/bad_helper_runs_the_nested_flow": Case({"person": "ann"}, ["grant"]),
    "HIL105/bad_hold_placed_before_review_graph": Case({"cart": "c", "amount": 5}, ["ok"]),
    "HIL105/bad_model_asked_before_approval_graph": Case(
        {"topic": "Oslo"}, ["yes"], lambda module, kit, saver: module.build(saver, kit.keep("model", Drafts))),
}

# The run without replay says the same as the one with it: nothing random comes back (a set in one process), or the second activation fails.
ALIKE = frozenset({"HIL101/bad_plan_overwritten_under_review", "HIL103/bad_order_of_a_set", "HIL103/bad_number_counted_by_the_process"})
