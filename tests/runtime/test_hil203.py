"""HIL203: what cleans up on the way out does so at the pause, and once more at the end."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType

import httpx
import pytest
from support import Http, Mail, Run, load, saver


@pytest.mark.parametrize(("build", "key"), [("build", "please read"), ("build_sample", "file")])
def test_path_in_the_question_leads_nowhere(build: str, key: str) -> None:
    run = Run(getattr(load("HIL203/bad_path_of_a_temporary_folder"), build)(saver())).start({"text": "t"})
    shown = run.asked[0][key]
    assert not os.path.exists(shown)
    assert run.answer("fine").values["verdict"] == "fine"


@pytest.mark.parametrize(("build", "answers", "sent"), [("build", ["yes", "why"], 3), ("build_look", ["yes"], 2), ("build_stacked", ["yes"], 2)])
def test_mail_goes_out_at_every_pause_and_at_the_end(mail: Mail, build: str, answers: list[str], sent: int) -> None:
    run = Run(getattr(load("HIL203/bad_effect_in_finally"), build)(saver())).start({"customer": "c"})
    assert (len(run.asked), len(mail.sent)) == (1, 1)
    run.answer(*answers)
    assert (run.done, len(mail.sent)) == (True, sent)


def test_alarm_is_raised_at_the_pause_though_nothing_failed(http: Http) -> None:
    run = Run(load("HIL203/bad_failure_reported_at_the_pause").build(saver())).start({"id": "j"})
    assert (len(run.asked), len(http.urls())) == (1, 1)
    assert run.answer("yes").values["ok"] == "yes"


def test_client_is_closed_when_the_answer_comes() -> None:
    module = load("HIL203/bad_shared_client_closed")
    module.client = httpx.Client(transport=httpx.MockTransport(lambda request: httpx.Response(200, json=5)), base_url="https://p.example")
    run = Run(module.build(saver())).start({"sku": "s"})
    assert run.asked == [{"price": 5}]
    with pytest.raises(RuntimeError, match="has been closed"):
        run.answer("yes")


def test_file_is_gone_when_the_answer_comes(work_dir: Path) -> None:
    (work_dir / "up.txt").write_text("hello")
    run = Run(load("HIL203/bad_upload_removed").build(saver())).start({"path": "up.txt"})
    assert len(run.asked) == 1
    with pytest.raises(FileNotFoundError):
        run.answer("letter")


def test_what_is_given_back_is_not_missed() -> None:
    assert Run(load("HIL203/good_transactions_locks_spans").build(saver())).start({"id": "1"}).answer("yes").values["ok"] == "yes"
    assert Run(load("HIL203/good_own_things_cleaned_up").build(saver())).start({"text": "a b"}).answer("yes").values["words"] == "yes"


def test_content_and_kept_files_can_be_read() -> None:
    module = load("HIL203/good_content_is_shown")
    assert Run(module.build(saver())).start({"text": "t"}).asked == [{"page": "<p>t</p>"}]
    kept = Run(module.build_keep(saver())).start({"text": "t"}).asked[0]["file"]
    assert Path(kept).read_text() == "t"
    os.unlink(kept)


def test_flag_and_bubble_up_keep_quiet_at_the_pause(http: Http) -> None:
    module = load("HIL203/good_flag_and_bubble_up")
    run = Run(module.build(saver())).start({"customer": "c"})
    assert http.urls() == []
    run.answer("yes")
    assert len(http.urls()) == 1
    assert Run(module.build_alarm(saver())).start({}).answer("no").values["refund"] == "no"
    assert len(http.urls()) == 1


def test_block_without_a_pause_runs_once(http: Http) -> None:
    http.answer = lambda n, call: {"price": 1}
    run = Run(load("HIL203/good_pause_outside_of_the_block").build(saver())).start({"sku": "s"}).answer("yes")
    assert (run.values["ok"], len(http.urls("POST"))) == ("True", 1)


def test_folder_is_filled_again_and_nothing_worse() -> None:
    run = Run(load("HIL203/bad_folder_made_anew").build(saver())).start({"text": "abc"}).answer("yes")
    assert (run.values["ok"], run.values["size"]) == ("yes", 3)


def jobs(module: ModuleType) -> None:
    module.db.execute("CREATE TABLE jobs (id, status)")
    module.db.execute("CREATE TABLE failures (id, error)")
    module.db.execute("INSERT INTO jobs VALUES (1, 'new')")


@pytest.mark.parametrize(("node", "done"), [("deploy", "done"), ("publish", "failed")])
def test_job_is_marked_failed_while_it_waits(work_dir: Path, node: str, done: str) -> None:
    module = load("HIL203/bad_job_marked_failed_while_it_waits")
    jobs(module)
    run = Run(module.build(saver(), getattr(module, node))).start({"id": 1})
    assert len(run.asked) == 1
    assert module.db.execute("SELECT status FROM jobs").fetchall() == [("failed",)]
    assert run.answer("yes").values["ok"] == "yes"
    assert module.db.execute("SELECT status FROM jobs").fetchall() == [(done,)]  # `publish` never sets it right


def test_row_about_a_failure_at_every_pause(work_dir: Path) -> None:
    module = load("HIL203/bad_job_marked_failed_while_it_waits")
    jobs(module)
    run = Run(module.build(saver(), module.migrate)).start({"id": 1, "notify": True})
    assert len(run.asked) == 1
    (row,) = module.db.execute("SELECT id, error FROM failures").fetchall()
    assert row[0] == 1 and row[1].startswith("GraphInterrupt")
    assert run.answer("yes").values["ok"] == "yes"


@pytest.mark.parametrize(("node", "status"), [("deploy", "new"), ("migrate", "new"), ("publish", "waiting"), ("tidy", "new")])
def test_failures_that_are_no_pauses_are_not_told_at_pauses(work_dir: Path, node: str, status: str) -> None:
    module = load("HIL203/good_failures_that_are_no_pauses")
    jobs(module)
    run = Run(module.build(saver(), getattr(module, node))).start({"id": 1})
    assert len(run.asked) == 1
    assert module.db.execute("SELECT status FROM jobs").fetchall() == [(status,)]
    assert run.answer("yes").values["ok"] == "yes"
