"""HIL409: what the SDK puts on the wire. The server cannot be run here: that it refuses a late answer is its documentation's word; that a repeated
one answers the next question is shown without a server in test_hil408."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import pytest
from langgraph_sdk import get_client, get_sync_client
from support import Http, load


def last(http: Http) -> Any:
    return [body for _, _, body in http.calls if isinstance(body, dict)][-1]


@pytest.mark.parametrize("method", ["wait", "stream", "create"])
def test_the_sdk_takes_it(method: str) -> None:
    for client in (get_client(url="http://x"), get_sync_client(url="http://x")):
        if "strict_resume" not in inspect.signature(client.runs.wait).parameters:
            pytest.skip("an SDK before 0.4.14")
        assert "strict_resume" in inspect.signature(getattr(client.runs, method)).parameters


def test_it_is_sent_only_when_said(http: Http) -> None:
    asyncio.run(load("HIL409/bad_approve_on_a_server").approve("t", "i"))
    assert last(http)["command"] == {"resume": {"i": {"type": "approve"}}} and not last(http).get("strict_resume")
    load("HIL409/bad_plain_dict_as_command").Desk("http://x").reject("t", "i", "no")
    assert last(http)["command"]["resume"]["i"]["message"] == "no" and not last(http).get("strict_resume")


def test_strict_is_sent(http: Http) -> None:
    if "strict_resume" not in inspect.signature(get_client(url="http://x").runs.wait).parameters:
        pytest.skip("an SDK before 0.4.14")
    asyncio.run(load("HIL409/good_strict").approve("t", "i"))
    assert last(http)["strict_resume"] is True
    asyncio.run(load("HIL409/good_options_are_passed_on").approve("t", "i", strict_resume=True))
    assert last(http)["strict_resume"] is True


def test_new_input_resumes_nothing(http: Http) -> None:
    module = load("HIL409/good_new_input")
    asyncio.run(module.start("t", "hello"))
    assert not last(http).get("command")
    asyncio.run(module.correct("t", "hello"))
    assert last(http)["command"] == {"update": {"text": "hello"}}
