"""The sketch of a fix shows what the user's own statement becomes: nothing that makes the value is dropped."""

from __future__ import annotations

from pathlib import Path

import pytest

from hitl_lint import run
from hitl_lint.config import Config

HEAD = """\
import httpx
from langchain_openai import ChatOpenAI
from langgraph.func import entrypoint
from langgraph.types import interrupt

model = ChatOpenAI()

"""


def sketch(here: Path, statement: str, *, is_async: bool = False, pause: str = "answer = interrupt('?')", decorator: str = "") -> list[str]:
    """The sketch for a node that does `statement` and then pauses, stripped line by line."""
    code = f"{HEAD}\n{decorator}\n{'async ' if is_async else ''}def node(state):\n    {statement}\n    {pause}\n    return {{'answer': answer}}\n"
    (here / "a.py").write_text(code, encoding="utf-8")
    found = run.check(run.Request(["a.py"], Config(min_severity="note"))).findings
    sketches = [finding.help for finding in found if "\n" in finding.help]
    return [line.strip() for line in sketches[0].split("\n")]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("statement", "step", "returned"), [
    ("ticket = httpx.post('https://x', json={'o': state['o']}).json()", "ticket = httpx.post(…).json()", '{"ticket": ticket}'),
    ("draft = model.invoke(state['topic']).content", "draft = model.invoke(…).content", '{"draft": draft}'),
    ("draft: str = str(model.invoke(state['topic']).content)[:9]", "draft = str(model.invoke(…).content)[:9]", '{"draft": draft}'),
    ("text = 'Dear ' + model.invoke('x').content + state['name']", "text = 'Dear ' + model.invoke(…).content + state['name']", '{"text": text}'),
    ("a, b = httpx.post('https://x').json()['a'], len(state['x'])", "a, b = (httpx.post(…).json()['a'], len(…))", '{"a": a, "b": b}'),
    ("state['plan'] = (model.invoke('x') or model.invoke('y')).content", "plan = (model.invoke(…) or model.invoke(…)).content", '{"plan": plan}'),
    ("httpx.post('https://x', json={})", "httpx.post(…)", "{}"),
    ("httpx.post('https://x').raise_for_status()", "httpx.post(…).raise_for_status()", "{}"),
    ("print(model.invoke('x').content)", "result = model.invoke(…).content", '{"result": result}'),
    ("x = 1 if httpx.post('https://x').is_success else 2", "x = 1 if httpx.post(…).is_success else 2", '{"x": x}'),
])
def test_the_whole_right_hand_side_is_shown(here: Path, statement: str, step: str, returned: str) -> None:
    lines = sketch(here, statement)
    at = lines.index("def prepare_node(state):")
    assert lines[at + 1:at + 3] == [step, f"return {returned}"]


def test_a_value_used_in_the_question_gets_a_name(here: Path) -> None:
    lines = sketch(here, "pass", pause="answer = interrupt({'ticket': httpx.post('https://x', json={}).json()['id']})")
    assert "result = httpx.post(…).json()['id']" in lines and 'result = state["result"]' in lines


def test_awaits_keep_their_parentheses(here: Path) -> None:
    assert "r = (await model.ainvoke(…)).content.strip()" in sketch(here, "r = (await model.ainvoke('x', config={})).content.strip()", is_async=True)
    assert "r = await model.ainvoke(…)" in sketch(here, "r = await model.ainvoke('x')", is_async=True)


def test_a_block_that_opens_a_file_moves_as_a_block(here: Path) -> None:
    assert "with open(…) as out: …" in sketch(here, "with open('x', 'w') as out:\n        out.write('x')")


def test_in_a_task(here: Path) -> None:
    lines = sketch(here, "draft = model.invoke(state['topic']).content", decorator="@entrypoint()")
    assert lines[1:] == ["@task", "def do_invoke(…):", "return model.invoke(…).content", "…", "draft = do_invoke(…).result()"]
    assert sketch(here, "httpx.post('https://x')", decorator="@entrypoint()")[-1] == "do_post(…).result()"


STREAM = "model.astream(state['topic'])"


@pytest.mark.parametrize(("statement", "is_async", "lines", "names"), [
    (f"parts = []\n    async for chunk in {STREAM}:\n        parts.append(chunk.content)", True, ["async for chunk in model.astream(…): …"], ["parts"]),
    ("text = ''\n    for chunk in model.stream('x'):\n        if chunk.content:\n            text += chunk.content", False, ["for chunk in model.stream(…): …"], ["text"]),
    ("for chunk in model.stream('x'):\n        print(chunk)", False, ["for chunk in model.stream(…): …"], []),
    ("for chunk in model.stream('x'):\n        state['text'] += chunk.content\n        chunk.seen = True", False, ["for chunk in model.stream(…): …"], ["text"]),
    (f"stream, text = {STREAM}, ''", True, ["stream, text = (model.astream(…), '')"], ["stream", "text"]),
    (f"stream = {STREAM}\n    async for chunk in stream:\n        last = chunk", True, ["stream = model.astream(…)", "async for chunk in stream: …"], ["last"]),
    (f"text = ''.join([c.content async for c in {STREAM}])", True, ["text = … model.astream(…) …"], ["text"]),
    (f"stream = {STREAM}\n    text = await collect(stream)", True, ["stream = [chunk async for chunk in model.astream(…)]"], ["stream"]),
    ("text = show(model.stream('x'))", False, ["text = show(model.stream(…))"], ["text"]),
    ("show(model.stream('x'))", False, ["result = list(model.stream(…))"], ["result"]),
    ("rows = model.batch(['x'])", False, ["rows = model.batch(…)"], ["rows"]),
])
def test_a_stream_is_read_in_the_step_that_makes_it(here: Path, statement: str, is_async: bool, lines: list[str], names: list[str]) -> None:
    found = sketch(here, statement, is_async=is_async)
    at = next(n for n, line in enumerate(found) if "def prepare_node" in line)
    keys = ", ".join(f'"{name}": {name}' for name in names)
    assert found[at + 1:at + 2 + len(lines)] == [*lines, f"return {{{keys}}}"]
    assert [line for line in found if line.endswith('"]')] == [f'{name} = state["{name}"]' for name in names]


def test_a_stream_whose_loop_asks_is_a_list_in_the_step_before(here: Path) -> None:
    lines = sketch(here, "answer = None\n    for chunk in model.stream('x'):", pause="    answer = interrupt(chunk.content)")
    assert "result = list(model.stream(…))" in lines and 'result = state["result"]' in lines


def test_a_stream_in_a_task(here: Path) -> None:
    lines = sketch(here, f"parts = []\n    async for chunk in {STREAM}:\n        parts.append(chunk)", is_async=True, decorator="@entrypoint()")
    assert lines[1:] == ["@task", "async def do_astream(…):", "async for chunk in model.astream(…): …", "return parts", "…", "parts = await do_astream(…)"]
    lines = sketch(here, "for chunk in model.stream('x'):\n        print(chunk)", decorator="@entrypoint()")
    assert lines[1:] == ["@task", "def do_stream(…):", "for chunk in model.stream(…): …", "…", "do_stream(…).result()"]


def test_what_is_too_long_for_a_sketch_says_that_something_is_missing(here: Path) -> None:
    long = " + ".join(f"state['a_rather_long_key_{n}']" for n in range(20))
    assert "x = … model.invoke(…).content …" in sketch(here, f"x = model.invoke('x').content + {long}")
    assert sketch(here, f"x = model.invoke('x'){'.strip()' * 25}")


BACK = 'builder.add_conditional_edges("node", …)  # while there is another round, back to "prepare_node"'


@pytest.mark.parametrize(("statement", "pause", "begins"), [
    ("for item in state['items']:", "    draft = model.invoke(item).content\n        answer = interrupt(draft)", "item = …  # the next of state['items']"),
    ("while True:", "    draft = model.invoke('x').content\n        answer = interrupt(draft)\n        if answer:\n            break", ""),
    ("while not (answer := model.invoke('x').content):", "    answer = interrupt('?')", ""),
    ("pass", "answer = [interrupt(model.invoke(item).content) for item in state['items']]", "item = …  # the next of state['items']"),
    ("draft = model.invoke(state['x']).content", "answer = interrupt(draft)\n    if not answer:\n        return node(state)", ""),
])
def test_what_is_done_in_each_round_goes_in_front_of_one_round(here: Path, statement: str, pause: str, begins: str) -> None:
    lines = sketch(here, statement, pause=pause)
    at = lines.index("def prepare_node(state):")
    assert lines[0].startswith("split the node and let each run do one round") and lines[-1] == BACK and "… interrupt(…) and what follows in this round" in lines
    assert (lines[at + 1] == begins) if begins else "…  #" not in lines[at + 1]


@pytest.mark.parametrize("pause", [
    "while True:\n        answer = interrupt('?')\n        httpx.post('https://x', json=answer)\n        if answer:\n            break",
    "for item in state['items']:\n        answer = interrupt(item)\n        httpx.post('https://x', json=answer)",
    "answer = interrupt('?')\n    httpx.post('https://x', json=answer)\n    if not answer:\n        return node(state)",
])
def test_what_is_done_with_each_answer_stays_behind_it(here: Path, pause: str) -> None:
    assert sketch(here, "pass", pause=pause) == [
        "let each run of the node do one round, so that what is finished is not run again (how far it is goes into the state):",
        "def node(state):", "… interrupt(…) and what follows in this round", BACK.replace("prepare_node", "node")]


@pytest.mark.parametrize(("statement", "pause"), [
    ("draft = model.invoke('x').content", "while not (answer := interrupt(draft)):\n        pass"),
    ("answer = None\n    for item in model.invoke('x').content:", "    answer = interrupt(item)"),
    ("draft = model.invoke('x').content", "answer = [interrupt(draft) for _ in range(3)]"),
])
def test_what_is_done_once_before_the_rounds_goes_in_front_of_all_of_them(here: Path, statement: str, pause: str) -> None:
    assert sketch(here, statement, pause=pause)[0].startswith("split the node, so that a finished step")


def test_a_loop_in_an_entrypoint_keeps_its_rounds_by_tasks(here: Path) -> None:
    assert sketch(here, "while True:", pause="    draft = model.invoke('x').content\n        answer = interrupt(draft)\n        if answer:\n            break",
                  decorator="@entrypoint()")[1:3] == ["@task", "def do_invoke(…):"]


@pytest.mark.parametrize(("code", "name", "way"), [
    ("def node(state):\n    {work}\n    answer = interrupt('?')\n    return {{'x': answer}} if answer else node(state)\n", "node", ""),
    ("def ask(question):\n    {work}\n    answer = interrupt(question)\n    if not answer:\n        return again(question)\n    return answer\n\ndef again(question):\n"
     "    return ask(question)\n", "ask", ", by way of again()"),
])
@pytest.mark.parametrize(("work", "begins", "ends"), [
    ("httpx.post('https://x')", "Each answer runs all earlier rounds again", "from its first line"),
    ("pass", "What is added to these rounds will be done again for each answer", "; now they only ask, which costs nothing")])
def test_a_function_that_calls_itself_to_ask_again_is_told_what_to_do_by_hand(here: Path, code: str, name: str, way: str, work: str, begins: str, ends: str) -> None:
    (here / "a.py").write_text(HEAD + code.format(work=work), encoding="utf-8")
    found = run.check(run.Request(["a.py"], Config(min_severity="note"), fixes=True)).findings
    told = [f for f in found if f.code == "HIL304" and f.message.startswith(f"{begins}: {name}() calls itself on line ")]
    assert len(told) == 1 and f"to ask once more{way}, and" in told[0].message and told[0].message.endswith(ends)
    lines = told[0].help.split("\n")
    assert lines[0].startswith("ask once and return") and lines[-1].endswith(f'.add_conditional_edges("{name}", lambda state: "{name}" if state["again"] else END)')
