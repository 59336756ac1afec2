"""The picture of a project, from source to data: which graphs are drawn, with which nodes and edges, and what is said of lines and calls."""

from __future__ import annotations

import json
import textwrap
import time
from pathlib import Path

import pytest

from hitl_lint import picture as P
from hitl_lint import run as driver

HEAD = """
from typing import Literal
import smtplib, requests
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.func import entrypoint, task
from langgraph.graph import END, START, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.types import Command, Send, interrupt

model = ChatOpenAI(model="m")

def a(state): return {"x": interrupt("?")}
def b(state): return {}
def c(state): return {}
"""


def draw(tmp_path: Path, body: str, *, head: str = HEAD, name: str = "main.py") -> P.Picture:
    (tmp_path / name).write_text(head + textwrap.dedent(body))
    result = driver.check(driver.Request([str(tmp_path)], picture=True))
    assert not result.failed and not result.complaints and result.picture is not None
    return result.picture


def ways(graph: P.Graph) -> list[tuple[str, str, str, str]]:
    names = {n.key: n.label for n in graph.nodes}
    return [(names[e.source], names[e.target], e.kind, e.label) for e in graph.edges]


def only(picture: P.Picture) -> P.Graph:
    (graph,) = picture.graphs
    return graph


def test_static_edges_and_names(tmp_path: Path) -> None:
    g = only(draw(tmp_path, """
        builder = StateGraph(dict).add_node(a).add_node("second", b).add_node(c)
        builder.add_edge(START, "a").add_edge(["a", "second"], "c")
        builder.set_finish_point("c")
        app = builder.compile()
    """))
    assert (g.name, g.made_in, g.open) == ("app", "", False)
    assert [(n.label, n.pauses) for n in g.nodes] == [("START", False), ("a", True), ("second", False), ("c", False), ("END", False)]
    assert ways(g) == [("START", "a", "edge", ""), ("a", "c", "edge", "waits for all"), ("second", "c", "edge", "waits for all"), ("c", "END", "edge", "")]


def test_conditional_edges_with_what_the_router_answers(tmp_path: Path) -> None:
    g = only(draw(tmp_path, """
        def route(state): return "ok"
        def other(state): return "b" if state else END
        def typed(state) -> Literal["a", "__end__"]: ...
        g = StateGraph(dict).add_node(a).add_node(b).add_node(c)
        g.add_conditional_edges("a", route, {"ok": "b", True: "c", "END": END})
        g.add_conditional_edges("b", other)
        g.add_conditional_edges("c", typed)
        g.add_conditional_edges(START, route, ["a"])
    """))
    assert ways(g)[1:] + ways(g)[:1] == [("a", "b", "branch", "ok"), ("a", "c", "branch", "True"), ("a", "END", "branch", "route"), ("b", "b", "branch", "other"),
                       ("b", "END", "branch", "other"), ("c", "a", "branch", "typed"), ("c", "END", "branch", "typed"), ("START", "a", "branch", "route")]


def test_goto_send_and_what_cannot_be_read(tmp_path: Path) -> None:
    g = only(draw(tmp_path, """
        def ask(state) -> Command[Literal["b", "c"]]:
            return Command(goto="b" if interrupt("?") else "c")
        def fan(state): return [Send("b", {"n": n}) for n in state["n"]]
        def lost(state): return state["next"]
        def up(state): return Command(goto="x", graph=Command.PARENT)
        g = StateGraph(dict).add_node(ask).add_node(b).add_node(c).add_node(up)
        g.add_conditional_edges("b", fan)
        g.add_conditional_edges("c", lost)
    """))
    assert sorted(ways(g)) == sorted([("b", "b", "send", "fan"), ("c", "somewhere: cannot be read", "branch", "lost"), ("ask", "b", "goto", ""), ("ask", "c", "goto", ""),
                       ("up", "the graph around it", "goto", "x")])


def test_nested_graphs_follow_the_graph_they_are_in(tmp_path: Path) -> None:
    picture = draw(tmp_path, """
        inner = StateGraph(dict).add_node(a).add_edge(START, "a").compile()
        outer = StateGraph(dict).add_node("review", inner).add_node(b).add_edge(START, "review").compile()
    """)
    assert [(g.name, g.inside) for g in picture.graphs] == [("outer", ""), ("inner", "g1")]
    node = picture.graphs[0].nodes[1]
    assert (node.label, node.kind, node.pauses, node.nested) == ("review", "graph", True, "g2")


def test_a_graph_that_runs_itself_ends(tmp_path: Path) -> None:
    picture = draw(tmp_path, """
        one = StateGraph(dict)
        two = StateGraph(dict)
        one.add_node("two", two.compile()).add_node(a)
        two.add_node("one", one.compile())
    """)
    assert len(picture.graphs) == 2


def test_agents_tools_and_their_review(tmp_path: Path) -> None:
    picture = draw(tmp_path, """
        @tool
        def pay(n: int) -> str:
            "Pay."
            return interrupt("?")
        plain = create_agent(model, [pay])
        reviewed = create_agent(model, [b], middleware=[HumanInTheLoopMiddleware(interrupt_on={"b": True})])
        graph = StateGraph(dict).add_node("model", b).add_node("tools", ToolNode([pay]))
        graph.add_conditional_edges("model", tools_condition)
    """)
    plain, reviewed, graph = picture.graphs
    assert ways(plain) == [("START", "model", "edge", ""), ("model", "END", "branch", "no tool call"), ("model", "tools", "branch", "tool calls"), ("tools", "model", "edge", "")]
    assert ("model", "HumanInTheLoopMiddleware", "branch", "tool calls") in ways(reviewed)
    assert [n.pauses for n in reviewed.nodes if n.label == "HumanInTheLoopMiddleware"] == [True]
    assert ways(graph) == [("model", "tools", "branch", "tool calls"), ("model", "END", "branch", "none")]
    assert [n.kind for n in graph.nodes if n.label == "tools"] == ["tools"]


def test_entrypoint_with_a_task(tmp_path: Path) -> None:
    picture = draw(tmp_path, """
        @task
        def send(x):
            requests.post("https://x", json=x)
        @entrypoint()
        def flow(x):
            send(x).result()
            requests.post("https://y")
            return interrupt("?")
    """)
    assert ways(only(picture)) == [("START", "flow", "edge", ""), ("flow", "END", "edge", "")]
    f = next(f for f in picture.functions if f.name == "main.flow")
    assert [(c.kind, c.again) for c in f.costs] == [("kept", False), ("effect", True)]


def test_breakpoints_make_a_graph_worth_drawing(tmp_path: Path) -> None:
    g = only(draw(tmp_path, """
        g = StateGraph(dict).add_node(b).add_node(c).add_edge(START, "b").compile(interrupt_before=["b"], interrupt_after=["c", "b"])
        def unused(): interrupt("keeps the gate open")
    """))
    assert {n.label: n.stops for n in g.nodes if n.stops} == {"b": "both", "c": "after"}


def test_functions_that_no_graph_is_seen_to_run(tmp_path: Path) -> None:
    picture = draw(tmp_path, "def node(state):\n    model.invoke('x')\n    return interrupt('?')\n")
    assert not picture.graphs and [f.name for f in picture.functions] == ["main.a", "main.node"] and picture.alone == ("f1", "f2")
    assert [(c.kind, c.what, c.again) for c in picture.functions[1].costs] == [("model", "asks a model", True)]


def test_a_cost_comes_with_its_chain(tmp_path: Path) -> None:
    picture = draw(tmp_path, """
        def tell():
            with smtplib.SMTP("x") as s:
                s.sendmail("a", "b", "c")
        def node(state):
            tell()
            answer = interrupt("?")
            tell()
    """)
    f = next(f for f in picture.functions if f.name == "main.node")
    assert [(c.what, c.again) for c in f.costs] == [("sends mail", True), ("sends mail", False)]
    assert [s.message for s in f.costs[0].chain][0] == "calls tell()" and len(f.costs[0].chain) == 2
    assert f.repeated("effect") == 1


def test_a_router_that_asks_runs_its_node_again(tmp_path: Path) -> None:
    picture = draw(tmp_path, """
        def node(state):
            requests.post("https://x")
            return {}
        def route(state):
            return interrupt("where?")
        g = StateGraph(dict).add_node(node).add_edge(START, "node")
        g.add_conditional_edges("node", route, ["node", END])
    """)
    f = next(f for f in picture.functions if f.name == "main.node")
    assert f.router == "route" and {(line.least, line.most) for line in f.lines} == {(2, 2)} and f.repeated("effect") == 1
    assert all(e.asks for e in only(picture).edges if e.kind == "branch")


LOSING = {
    "in the node": """
        def node(state):
            requests.post("https://x")
            try: return {"x": interrupt("?")}
            except Exception: return {}
    """,
    "in a helper of a helper": """
        def inner():
            try: return interrupt("?")
            except Exception: return None
        def outer(): return inner()
        def node(state):
            requests.post("https://x")
            return {"x": outer()}
    """,
    "of a helper": """
        def ask(): return interrupt("?")
        def node(state):
            requests.post("https://x")
            try: return {"x": ask()}
            except Exception: return {}
    """,
    "under a decorator": """
        from tenacity import retry, stop_after_attempt
        @retry(stop=stop_after_attempt(3))
        def node(state):
            requests.post("https://x")
            return {"x": interrupt("?")}
    """,
    "on a thread": """
        import threading
        def ask(): interrupt("?")
        def node(state):
            requests.post("https://x")
            threading.Thread(target=ask).start()
    """,
}


@pytest.mark.parametrize("how", LOSING)
def test_a_graph_whose_only_pause_gets_lost_is_drawn(tmp_path: Path, how: str) -> None:
    picture = draw(tmp_path, textwrap.dedent(LOSING[how]) + "g = StateGraph(dict).add_node('n', node).add_edge(START, 'n').compile()\n")
    (node,) = [n for n in only(picture).nodes if n.label == "n"]
    assert node.lost and not node.pauses and node.functions
    shown = [f for f in picture.functions if f.key in node.functions]
    losing = next(f for f in shown if f.lost)
    assert [x.lost for x in losing.pauses] == [True]
    assert not losing.lines_again and not any(line.at_pause for line in losing.lines) and not losing.repeated("effect")
    assert not {f.key for f in shown} & set(picture.alone)


def test_a_node_that_asks_once_and_loses_another_question_pauses(tmp_path: Path) -> None:
    picture = draw(tmp_path, """
        def helper():
            try: return interrupt("never shown")
            except Exception: return None
        def node(state):
            try: first = interrupt("lost")
            except Exception: first = None
            helper()
            return {"x": interrupt("?")}
        g = StateGraph(dict).add_node(node).add_edge(START, "node").compile()
    """)
    (node,) = [n for n in only(picture).nodes if n.label == "node"]
    assert node.pauses and not node.lost
    own, helper = (next(f for f in picture.functions if f.name == name) for name in ("main.node", "main.helper"))
    assert [x.lost for x in own.pauses] == [True, False] and not own.lost and own.lines_again
    assert helper.lost and helper.key in node.functions


def test_a_router_and_a_tool_that_lose_their_pause(tmp_path: Path) -> None:
    picture = draw(tmp_path, """
        def route(state):
            try: return interrupt("where?")
            except Exception: return END
        @tool
        def pay(n: int) -> str:
            "Pay."
            try: return interrupt("?")
            except Exception: return "paid"
        g = StateGraph(dict).add_node(b).add_edge(START, "b")
        g.add_conditional_edges("b", route, ["b", END])
        agent = create_agent(model, [pay])
    """)
    assert len(picture.graphs) == 2
    assert [n.label for g in picture.graphs for n in g.nodes if n.lost] == ["tools"]
    assert {f.name for f in picture.functions if f.lost} == {"main.route", "main.pay"} and picture.alone == (next(f.key for f in picture.functions if f.name == "main.a"),)


def test_what_handles_its_own_errors_loses_nothing(tmp_path: Path) -> None:
    g = only(draw(tmp_path, """
        from langgraph.errors import GraphBubbleUp
        def node(state):
            try: return {"x": interrupt("?")}
            except GraphBubbleUp: raise
            except Exception: return {}
        def calm(state):
            try: return requests.get("https://x").json()
            except Exception: return {}
        g = StateGraph(dict).add_node(node).add_node(calm).add_edge(START, "node").compile()
        other = StateGraph(dict).add_node(calm).add_edge(START, "calm").compile()
    """))
    assert {n.label: (n.pauses, n.lost) for n in g.nodes if n.kind == "node"} == {"node": (True, False), "calm": (False, False)}


def test_lines_of_a_notebook_count_in_their_cell(tmp_path: Path) -> None:
    cells = [{"cell_type": "markdown", "metadata": {}, "source": "# x"},
             {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": HEAD},
             {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None,
              "source": "def node(state):\n    requests.post('https://x')\n    return interrupt('?')\n\ng = StateGraph(dict).add_node(node).add_edge(START, 'node').compile()"}]
    (tmp_path / "n.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    result = driver.check(driver.Request([str(tmp_path)], picture=True))
    assert result.picture is not None
    f = next(f for f in result.picture.functions if f.name.endswith("node"))
    assert (f.span.line, f.span.end_line, f.span.cell) == (1, 3, 2) and [line.number for line in f.lines] == [2, 3]
    assert only(result.picture).span.cell == 2
    assert f.costs[0].line == 2


def test_nothing_to_draw(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text("print(1)\n")
    assert driver.check(driver.Request([str(tmp_path)], picture=True)).picture is None
    picture = draw(tmp_path, "", head="from langgraph.types import interrupt\n")
    assert picture == P.Picture()


def test_only_when_asked_for(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text(HEAD)
    assert driver.check(driver.Request([str(tmp_path)])).picture is None


def test_large_programs_are_cut_and_end_soon(tmp_path: Path) -> None:
    nodes = P.MAX_NODES + 20
    body = "g = StateGraph(dict)\n" + "".join(f"g.add_node('n{n}', a)\n" for n in range(nodes)) + "".join(
        f"g.add_edge('n{n}', 'n{(n * k) % nodes}')\n" for n in range(nodes) for k in (1, 3, 7, 11))
    body += "def long(state):\n" + "    x = interrupt(1)\n" * (P.MAX_LINES + 50)
    body += "".join(f"def f{n}(state): return interrupt({n})\n" for n in range(P.MAX_FUNCTIONS + 30))
    body += "".join(f"h{n} = StateGraph(dict).add_node('a', a)\n" for n in range(P.MAX_GRAPHS + 5))
    started = time.monotonic()
    picture = draw(tmp_path, body)
    from hitl_lint.reporters import html

    text = html.render(picture, [], {"files_found": 1, "files_analysed": 1, "errors": 0, "warnings": 0, "notes": 0, "hidden_notes": 0, "suppressed": 0}, lambda p, c: None, "0")
    assert time.monotonic() - started < 30
    assert picture.left_out_graphs == 6 and picture.left_out_functions and len(picture.functions) == P.MAX_FUNCTIONS
    big = picture.graphs[0]
    assert big.left_out[0] == 20 and big.left_out[1] and len(big.edges) == P.MAX_EDGES
    assert next(f for f in picture.functions if f.name == "main.long").left_out == 50
    assert len(text) < 3_000_000



def test_an_effect_that_may_be_repeated_is_no_double(tmp_path: Path) -> None:
    picture = draw(tmp_path, """
        import os
        def node(state):
            os.makedirs("x", exist_ok=True)
            return interrupt("?")
    """)
    f = next(f for f in picture.functions if f.name == "main.node")
    assert not f.repeated("effect")


def margin(picture: P.Picture, name: str, source: str) -> dict[str, tuple[int, int | None, bool]]:
    """Of the lines of a function (by their text) how often they run."""
    (function,) = [f for f in picture.functions if f.name.endswith(f".{name}")]
    texts = source.split("\n")
    return {texts[line.number - 1].strip(): (line.least, line.most, line.grows) for line in function.lines}


@pytest.mark.parametrize("calls", [
    ["def ask(state):", "    print('asks')", "    answer = interrupt('?')", "    if not answer:", "        return ask(state)", "    return answer"],
    ["def ask(state):", "    print('asks')", "    answer = interrupt('?')", "    return answer if answer else ask(state)"],
    ["def ask(state):", "    print('asks')", "    answer = interrupt('?')", "    if not answer:", "        answer = again(state)", "    return answer", "def again(state):", "    return ask(state)"],
    ["def ask(state):", "    print('asks')", "    while not (answer := interrupt('?')):", "        pass", "    return answer"],
    ["def ask(state):", "    print('asks')", "    for item in state['items']:", "        interrupt(item)", "    return state"]])
def test_a_function_that_asks_until_it_is_content_has_no_most(tmp_path: Path, calls: list[str]) -> None:
    body = "\n".join([*calls, "def once(state):", "    print('before')", "    answer = ask(state)", "    print('after')", "    return {'x': answer}", "",
                      "graph = StateGraph(dict)", "graph.add_node('once', once)", "graph.add_edge(START, 'once')", "app = graph.compile()", ""])
    picture = draw(tmp_path, body)
    inside, outside = (margin(picture, name, HEAD + body) for name in ("ask", "once"))
    rounds = "for item" not in body
    assert inside["print('asks')"][1] is None and (inside["print('asks')"][2] or "while" in body or not rounds)
    assert inside.get("return answer", inside.get("return state", (1, 1, False))) == (1, 1, False)
    assert outside["print('before')"] == (1 + int(rounds), None, False) and outside["print('after')"] == (1, 1, False)


def test_a_helper_counts_as_many_questions_as_it_asks(tmp_path: Path) -> None:
    body = ("def two(state):\n    return interrupt('1'), interrupt('2')\n"
            "def some(state):\n    if state['x']:\n        return interrupt('3')\n    return None\n"
            "def node(state):\n    print('first')\n    two(state)\n    print('second')\n    some(state)\n    print('third')\n    two(state)\n    return {}\n")
    found = margin(draw(tmp_path, body), "node", HEAD + body)
    assert found["print('first')"] == (5, 6, False) and found["print('second')"] == (3, 4, False) and found["print('third')"] == (3, 3, False)
