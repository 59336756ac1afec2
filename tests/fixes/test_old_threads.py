"""A thread that was paused before its node was split resumes rightly, or fails before it does anything, also when it is asked once more."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver
from mending import mend
from random_nodes import OPTIONS, Program, old_thread, source, unfixed

DRAFT = ["draft = llm.invoke(\"write\").content"]
POST = ['requests.post("https://d.example/hold", json=1)']
SEND = ['requests.post("https://d.example/send", json=draft)']
RETURN = ['return {"note": draft, "log": [str(answer)]}']

# name -> (statements of the node, how an old thread goes on at each of its pauses)
SHAPES: dict[str, tuple[list[Any], list[str]]] = {
    "shown and sent": ([DRAFT, ['answer = interrupt({"draft": draft})'], ('if answer == "yes":', [SEND], []), RETURN], ["failed"]),
    "nothing travels": ([POST, ['answer = interrupt("go?")'], ['return {"note": "x", "log": [answer]}']], [""]),
    "made in the payload": ([['answer = interrupt({"draft": llm.invoke("x").content})'], ['return {"log": [answer]}']], ["failed"]),
    "in a branch": ([["answer = \"none\""], ("if {s}:", [DRAFT, ['answer = interrupt({"draft": draft})'], SEND], []), ['return {"log": [answer]}']], ["failed"]),
    "returns early": ([DRAFT, ('if draft == "stop":', [['return {"note": "stopped"}']], []), ['answer = interrupt(draft)'], SEND, RETURN], ["failed"]),
    "two questions, something before the first": ([DRAFT, ['first = interrupt(draft)'], ['second = interrupt("sure?")'], ('if second == "yes":', [SEND], []),
                                                   ['return {"note": draft, "log": [first, second]}']], ["failed", "failed"]),
    "two questions, something between": ([['first = interrupt("a?")'], ["draft = llm.invoke(first).content"], ["second = interrupt(draft)"], ('if second == "yes":', [SEND], []),
                                          ['return {"note": draft, "log": [first, second]}']], ["failed", "failed"]),
    "two questions, something before both": ([['ticket = requests.post("https://d.example/t", json=1).json()["id"]'], ["first = interrupt(ticket)"],
                                              ["draft = llm.invoke(first).content"], ["second = interrupt({\"d\": draft, \"t\": ticket})"], ('if second == "yes":', [SEND], []),
                                              ['return {"note": draft, "log": [first, second]}']], ["failed", "failed"]),
    "a loop": ([["answer = []"], ("for item in {items}:", [["reply = interrupt(item)"], ('if reply == "yes":', [['requests.post("https://d.example/strike", json=item)']], []),
                                                           ["answer.append(reply)"]], []), ['return {"log": answer}']], ["failed", "failed"]),
    "a loop with something before it": ([DRAFT, ["answer = []"], ("for item in {items}:", [["reply = interrupt({\"i\": item, \"d\": draft})"],
                                                                                         ['requests.post("https://d.example/strike", json=[item, draft])'],
                                                                                         ["answer.append(reply)"]], []), ['return {"log": answer}']], ["failed", "failed"]),
}


def program(shape: str, schema: str) -> Program:
    dot = schema != "TypedDict"

    def filled(stmts: list[Any]) -> list[Any]:
        return [s if isinstance(s, list) else (s[0].replace("{s}", "state.flag" if dot else 'state["flag"]').replace("{items}", "state.items" if dot else 'state["items"]'),
                                               filled(s[1]), s[2]) for s in stmts]

    return Program({**OPTIONS, "schema": schema}, filled(SHAPES[shape][0]))


@pytest.mark.parametrize("schema", ["TypedDict", "dataclass", "pydantic"])
@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_thread_paused_before_the_split(shape: str, schema: str, tmp_path: Path) -> None:
    p = program(shape, schema)
    text = source(p)
    mended = mend(text)
    assert mended.applied, [f.no_fix for f in mended.first]
    want = unfixed(p, text)
    assert want.error is None
    outcomes = []
    for answered in range(len(want.asked)):
        connection = sqlite3.connect(tmp_path / f"{answered}.sqlite", check_same_thread=False)
        outcomes.append(old_thread(p, text, mended.text, answered, want, SqliteSaver(connection)))
        connection.close()
    assert outcomes == SHAPES[shape][1]
