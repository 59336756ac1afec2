"""The cross-module projects do what their marks say, too: bad nodes misbehave, their good twins do not."""

from __future__ import annotations

import importlib
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support import FIXTURES, Drafts, Mail, Run, Service, saver


@pytest.fixture
def project(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """`project("expense_bot/src")` puts a root on the path; what was imported from it is forgotten afterwards."""
    packages: set[str] = set()

    def use(root: str) -> None:
        folder = FIXTURES / "projects" / root
        packages.update(p.name for p in folder.iterdir() if p.is_dir())
        monkeypatch.syspath_prepend(str(folder))

    yield use
    for name in [n for n in sys.modules if n.split(".")[0] in packages]:
        del sys.modules[name]


@pytest.mark.parametrize(("careful", "mails", "lines"), [(False, 4, 2), (True, 2, 1)])
def test_expense_bot_mails_and_archives_once_for_each_activation_or_once(
    project: Any, mail: Mail, work_dir: Path, careful: bool, mails: int, lines: int
) -> None:
    project("expense_bot/src")
    build = importlib.import_module("expense_bot").build
    run = Run(build(saver(), work_dir, careful)).start({"employee": "ann@x", "cents": 500}).answer("ok", "4711", "B")
    assert (run.values["verdict"], run.values["booked"], run.values["archived"]) == ("ok", "4711", "B")
    assert len(mail.sent) == mails
    assert len((work_dir / "claims.jsonl").read_text().splitlines()) == lines


@pytest.mark.parametrize(("build", "calls"), [("build_bad", 4), ("build_good", 2)])
def test_ticket_agent_pays_twice_or_once(project: Any, build: str, calls: int) -> None:
    project("ticket_agent")
    model = Drafts()
    importlib.import_module("ticket_agent.llm").set_llm(model)
    app = importlib.import_module("ticket_agent.app")
    run = Run(getattr(app, build)(saver()), aio=True).start({"text": "help"}).answer("tech", "yes")
    assert (run.values["team"], run.values["topic"], model.calls) == ("tech", "yes", calls)


def test_release_notes_publish_another_text_than_was_approved(project: Any) -> None:
    project("release_notes")
    site = Service()
    build = importlib.import_module("release_notes").build
    run = Run(build(Drafts(), site, saver())).start({"version": "2", "changes": ["a"]})
    assert run.asked[0]["preview"] == "draft 1"
    run.answer("publish")
    assert site.calls == [("publish_page", ("2", "draft 2"), {})]
    assert run.asked[0]["text"] == "draft 3"
    assert run.answer("publish").values["headline"] == "draft 4"


def test_release_notes_in_two_steps_publish_what_was_approved(project: Any) -> None:
    project("release_notes")
    site = Service()
    build = importlib.import_module("release_notes.flow").build_good
    run = Run(build(Drafts(), site, saver())).start({"version": "2", "changes": ["a"]})
    assert run.asked[0]["preview"] == "draft 1"
    run.answer("publish")
    assert site.calls == [("publish_page", ("2", "draft 1"), {})]


def test_sql_copilot_asks_nobody_behind_its_guards(project: Any) -> None:
    project("sql_copilot/src")
    build = importlib.import_module("sql_copilot.app").build
    run = Run(build(saver(), honest=False)).start({"statement": "drop"})
    assert (run.asked, run.values["verdict"], run.values["error"]) == ([], "no verdict: GraphInterrupt", "second look")


def test_sql_copilot_asks_behind_honest_guards(project: Any) -> None:
    project("sql_copilot/src")
    build = importlib.import_module("sql_copilot.app").build
    run = Run(build(saver(), honest=True)).start({"statement": "drop"}).answer("no", "never")
    assert (run.values["verdict"], run.values["second"]) == ("no", "never")


def test_rental_desk_drops_the_answer_when_it_gets_late(project: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    project("rental_desk")
    app = importlib.import_module("rental_desk.app")
    hours = iter([19, 9])
    clock = SimpleNamespace(datetime=SimpleNamespace(now=lambda: SimpleNamespace(hour=next(hours))))
    monkeypatch.setattr(importlib.import_module("rental_desk.rules.opening"), "dt", clock)
    run = Run(app.build_late(saver()), aio=True).start({"user": "u"})
    assert run.asked[0]["question"].startswith("It is late")
    assert run.answer("no").values["handed_over"] == "yes"


def test_rental_desk_moves_the_answers_when_the_profile_changes(project: Any, work_dir: Path) -> None:
    project("rental_desk")
    app = importlib.import_module("rental_desk.app")
    db = sqlite3.connect("p.db", isolation_level=None)
    db.execute("create table profiles (user, trusted)")
    run = Run(app.build_deposit("p.db", saver())).start({"user": "u"}).answer("card")
    assert run.asked[0]["question"] == "Who vouches for you?"
    db.execute("insert into profiles values ('u', 1)")
    assert run.answer("my mother").values["deposit"] == "card, nobody, my mother", "the guarantor became the receipt's address"


def test_rental_desk_keeps_the_answers_apart_when_the_guard_is_in_state(project: Any, work_dir: Path) -> None:
    project("rental_desk")
    app = importlib.import_module("rental_desk.app")
    db = sqlite3.connect("p.db", isolation_level=None)
    db.execute("create table profiles (user, trusted)")
    run = Run(app.build_good("p.db", saver()), aio=True).start({"user": "u", "kind": "van", "cents": 999_00}).answer("yes", "card")
    db.execute("insert into profiles values ('u', 1)")
    run.answer("by mail", "my mother")
    assert (run.values["handed_over"], run.values["deposit"]) == ("yes", "card, my mother, by mail")
