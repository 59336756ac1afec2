"""Graphs as data: every way to write a graph down is read into the same nodes, edges, branches and compiles."""

from __future__ import annotations

import textwrap
import time
from typing import Any

import pytest

from hitl_lint.analysis.project import Project
from hitl_lint.analysis.wiring import Graph
from hitl_lint.frontend.source import read

HEAD = """
from functools import partial
from typing import Literal
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import tool
from langgraph.func import entrypoint
from langgraph.graph import END, START, StateGraph
from langgraph.prebuilt import ToolNode, create_react_agent
from langchain.agents import create_agent
from langgraph.types import Command, Send, interrupt

def a(state): return {"x": interrupt("?")}
def b(state): return {}
def c(state): return {}
def route(state): return "b"
"""


def project(main: str, *, head: str = HEAD, manifests: dict[str, Any] | None = None, **others: str) -> Project:
    """A settled project of `main.py` and `others` (module name -> source), all of them candidates."""
    sources = {"main.py": head + textwrap.dedent(main), **{name.replace("__", "/") + ".py": textwrap.dedent(text) for name, text in others.items()}}
    modules = {path: read(path, text.encode()) for path, text in sources.items()}
    assert not any(m.problems for m in modules.values())
    made = Project(modules, sorted(modules), lambda path: None, manifests=manifests)
    made.settle()
    return made


def graphs(main: str, **others: str) -> list[Graph]:
    return project(main, **others).graphs.all()


def graph(main: str, **others: str) -> Graph:
    """The only graph with nodes."""
    found = [g for g in graphs(main, **others) if g.nodes]
    assert len(found) == 1, [(g.kind, [n.name for n in g.nodes]) for g in found]
    return found[0]


def nodes(g: Graph) -> dict[str | None, list[str]]:
    return {n.name: [f.name for f in n.functions] for n in g.nodes}


def edges(g: Graph) -> list[tuple[Any, ...]]:
    return [(*e.sources, e.target) for e in g.edges]


AB = {"a": ["a"], "b": ["b"]}
ROW = [("__start__", "a"), ("a", "b"), ("b", "__end__")]

FORMS = {
    "statements": """
        g = StateGraph(dict)
        g.add_node("a", a)
        g.add_node("b", b)
        g.add_edge(START, "a")
        g.add_edge("a", "b")
        g.add_edge("b", END)
        """,
    "chain": """
        g = StateGraph(dict).add_node("a", a).add_node("b", b).add_edge(START, "a").add_edge("a", "b").add_edge("b", END)
        """,
    "chain over lines": """
        g = (
            StateGraph(dict)
            .add_node(a)
            .add_node("b", action=b)
            .add_edge(START, "a")
            .add_edge(start_key="a", end_key="b")
            .add_edge("b", "__end__")
            .compile()
        )
        """,
    "names omitted": """
        g = StateGraph(dict)
        g.add_node(a)
        g.add_node(b)
        g.set_entry_point("a")
        g.add_edge("a", "b")
        g.set_finish_point("b")
        """,
    "rebound by each call": """
        g = StateGraph(dict)
        g = g.add_node("a", a)
        g = g.add_node("b", b)
        g = g.add_edge(START, "a").add_edge("a", "b").add_edge("b", END)
        """,
    "loop over a dict": """
        NODES = {"a": a, "b": b}
        g = StateGraph(dict)
        for name, fn in NODES.items():
            g.add_node(name, fn)
        for x, y in [(START, "a"), ("a", "b"), ("b", END)]:
            g.add_edge(x, y)
        """,
    "loop over tuples": """
        STEPS = (("a", a), ("b", b))
        g = StateGraph(dict)
        for name, fn in STEPS:
            g.add_node(name, fn)
        names = [START, "a", "b", END]
        for x, y in zip(names, names[1:]):
            g.add_edge(x, y)
        """,
    "loop over functions": """
        g = StateGraph(dict)
        for fn in [a, b]:
            g.add_node(fn.__name__, fn)
        for n, name in enumerate(["a"]):
            g.add_edge(START, name)
        [g.add_edge(x, y) for x, y in (("a", "b"), ("b", END))]
        """,
    "function that builds": """
        def build():
            g = StateGraph(dict)
            g.add_node("a", a)
            g.add_node("b", b)
            return g
        g = build()
        g.add_edge(START, "a")
        g.add_edge("a", "b")
        g.add_edge("b", END)
        """,
    "helper with an annotated parameter": """
        def nodes(builder: StateGraph) -> None:
            builder.add_node("a", a)
            builder.add_node("b", b)
        def edges(builder: StateGraph):
            builder.add_edge(START, "a")
            builder.add_edge("a", "b")
            builder.add_edge("b", END)
        def make():
            g = StateGraph(dict)
            nodes(g)
            edges(builder=g)
            return g.compile()
        """,
    "helper that adds one node": """
        def put(graph, name, fn, after=START):
            graph.add_node(name, fn)
            graph.add_edge(after, name)
        g = StateGraph(dict)
        put(g, "a", a)
        put(g, "b", b, after="a")
        g.add_edge("b", END)
        """,
    "builder attribute": """
        class Flow:
            def __init__(self):
                self.builder = StateGraph(dict)
                self._nodes()
                self._edges()
                self.graph = self.builder.compile()
            def _nodes(self):
                self.builder.add_node("a", a)
                self.builder.add_node("b", b)
            def _edges(self):
                self.builder.add_edge(START, "a")
                self.builder.add_edge("a", "b")
                self.builder.add_edge("b", END)
        """,
    "constants and enums": """
        from enum import Enum
        class N(str, Enum):
            A = "a"
            B = "b"
        FIRST = "a"
        g = StateGraph(dict)
        g.add_node(N.A, a)
        g.add_node(N.B.value, b)
        g.add_edge("__start__", FIRST)
        g.add_edge(N.A.value, N.B)
        g.add_edge(f"{N.B.value}", END)
        """,
    "sequence": """
        g = StateGraph(dict)
        g.add_edge(START, "a")
        g.add_sequence([a, ("b", b)])
        g.add_edge("b", END)
        """,
    "alias": """
        from langgraph.graph import StateGraph as SG
        import langgraph.graph as lgraph
        g = SG(dict)
        g.add_node("a", a)
        g.add_node("b", b)
        g.add_edge(lgraph.START, "a")
        g.add_edge("a", "b")
        g.add_edge("b", lgraph.END)
        """,
    "subclass": """
        class Review(StateGraph):
            def __init__(self):
                super().__init__(dict)
                self.add_node("a", a)
        g = Review()
        g.add_node("b", b)
        g.add_edge(START, "a")
        g.add_edge("a", "b")
        g.add_edge("b", END)
        app = g.compile()
        """,
    "wrapped functions": """
        class B:
            def __call__(self, state): return {}
        g = StateGraph(dict)
        g.add_node("a", RunnableLambda(a))
        g.add_node("b", partial(b, 1))
        g.add_edge(START, "a")
        g.add_edge("a", "b")
        g.add_edge("b", END)
        """,
}


@pytest.mark.parametrize("form", FORMS)
def test_form_is_read(form: str) -> None:
    g = graph(FORMS[form])
    assert nodes(g) == AB
    assert sorted(edges(g)) == sorted(ROW)
    assert not g.open


# ------------------------------------------------------------------ parts
def test_waiting_edge_and_branches() -> None:
    g = graph("""
        g = StateGraph(dict)
        g.add_node(a)
        g.add_node(b)
        g.add_node(c)
        g.add_edge(["a", "b"], "c")
        g.add_conditional_edges("a", route, {"yes": "b", "no": END})
        g.add_conditional_edges(START, route, ["a"])
        g.set_conditional_entry_point(path=route)
        """)
    assert edges(g) == [("a", "b", "c")]
    assert [(x.source, [f.name for f in x.routers], x.targets) for x in g.branches] == [
        ("a", ["route"], ("b", "__end__")), ("__start__", ["route"], ("a",)), ("__start__", ["route"], None)]


def test_targets_of_a_router_from_its_annotation() -> None:
    g = graph("""
        def choose(state) -> Literal["b", "__end__"]: ...
        g = StateGraph(dict).add_node(a).add_node(b).add_conditional_edges("a", choose)
        """)
    assert g.branches[0].targets == ("b", "__end__")


def test_keywords_of_a_node() -> None:
    g = graph("""
        def failed(state): return {"y": interrupt("?")}
        g = StateGraph(dict).add_node("a", a, retry_policy=1, cache_policy=2, error_handler=failed)
        """)
    assert set(g.nodes[0].keywords) == {"retry_policy", "cache_policy", "error_handler"}
    assert len(g.nodes[0].handlers) == 1


@pytest.mark.parametrize(("given", "saver"), [
    ("", "absent"), ("checkpointer=None", "none"), ("None", "none"), ("checkpointer=False", "false"), ("checkpointer=True", "true"), ("checkpointer=InMemorySaver()", "given"),
    ("InMemorySaver()", "given"), ("checkpointer=SAVER", "given"), ("checkpointer=p", "parameter"), ("**p", "unknown"), ("checkpointer=somewhere()", "unknown"),
    ("checkpointer=p or InMemorySaver()", "given"), ("checkpointer=NOTHING", "unknown"),
])
def test_saver_of_a_compile(given: str, saver: str) -> None:
    g = graph(f"""
        from langgraph.checkpoint.memory import InMemorySaver
        SAVER = InMemorySaver()
        NOTHING = None
        def make(p):
            return StateGraph(dict).add_node(a).compile({given})
        """)
    assert [x.saver for x in g.compiles] == [saver]


@pytest.mark.parametrize(("given", "before"), [
    ("interrupt_before=['a', 'b']", ("a", "b")), ("interrupt_before='*'", ("*",)), ("interrupt_before=STOPS", ("a",)), ("interrupt_before=None", ()),
    ("interrupt_before=p", None), ("interrupt_before=[p]", (None,)), ("", ()),
])
def test_breakpoints_of_a_compile(given: str, before: Any) -> None:
    g = graph(f"""
        STOPS = ["a"]
        def make(p):
            return StateGraph(dict).add_node(a).compile({given})
        """)
    assert g.compiles[0].before == before


def test_one_builder_compiled_twice_and_across_modules() -> None:
    made = project("""
        from flow import workflow
        graph = workflow.compile()
        graph.invoke({})
        """, flow=HEAD + "workflow = StateGraph(dict)\nworkflow.add_node('a', a)\nserved = workflow.compile(checkpointer=object())\n")
    g, = (x for x in made.graphs.all() if x.nodes)
    assert {x.scope.module.path for x in g.compiles} == {"main.py", "flow.py"}
    run, = made.graphs.runs()
    assert run.graph is g and run.made is not None and run.made.args == []


def test_nested_graphs_agents_and_tool_nodes() -> None:
    g, *others = sorted(graphs("""
        @tool
        def ask(q: str): return interrupt(q)
        class Look(BaseTool):
            def _run(self): ...
            async def _arun(self): ...
        inner = StateGraph(dict).add_node("x", a).compile()
        agent = create_agent("m", [ask])
        g = StateGraph(dict)
        g.add_node("inner", inner)
        g.add_node("agent", agent)
        g.add_node(ToolNode([ask], name="work"))
        g.add_node("own", ToolNode(tools=[ask]))
        """), key=lambda x: -len(x.nodes))
    by = {n.name: n for n in g.nodes}
    assert set(by) == {"inner", "agent", "work", "own"}
    assert {id(by["inner"].nested), id(by["agent"].nested)} == {id(x.origin) for x in others}
    assert [f.name for f in by["work"].tools.functions] == ["ask"] and by["own"].tools.seen


def test_agents_and_entrypoints_are_graphs() -> None:
    found = {g.kind: g for g in graphs("""
        from langgraph.prebuilt import create_react_agent as make
        x = create_agent("m", [a], checkpointer=None)
        y = make("m", [a], version="v1", interrupt_before=["tools"])
        @entrypoint(checkpointer=object())
        def flow(q): return interrupt(q)
        """)}
    assert set(found) == {"agent", "react", "entrypoint"}
    assert (found["react"].version, found["react"].compiles[0].before, found["agent"].compiles[0].saver) == ("v1", ("tools",), "none")
    assert [f.name for f in found["entrypoint"].nodes[0].functions] == ["flow"]


def test_sync_and_async_form_are_one_tool() -> None:
    made = project("""
        from langchain_core.tools import BaseTool
        class Look(BaseTool):
            def _run(self, q): return interrupt(q)
            async def _arun(self, q): return interrupt(q)
        g = StateGraph(dict).add_node("tools", ToolNode([Look()]))
        """)
    box, = made.toolboxes.boxes()
    assert len(box.pausing) == 1


# ------------------------------------------------------------------ what nodes do by themselves
def gotos(body: str, returns: str = "") -> list[Any]:
    made = project(f"""
        def helper(state): return Command(goto="h")
        def node(state){returns}:
{textwrap.indent(textwrap.dedent(body), ' ' * 12)}
        g = StateGraph(dict).add_node(node)
        """)
    info = next(f for f in made.functions() if f.name == "node")
    return [x.targets if not x.leaves else "leaves" for x in made.graphs.gotos(info)]


@pytest.mark.parametrize(("body", "expected"), [
    ("return Command(goto='x')", [("x",)]),
    ("return Command(goto=['x', 'y'])", [("x", "y")]),
    ("return Command(goto='x' if state else END)", [("x", "__end__")]),
    ("if state:\n    goto = 'x'\nelse:\n    goto = 'y'\nreturn Command(goto=goto, update={})", [("x", "y")]),
    ("return Command(goto=Send('x', state))", [("x",)]),
    ("return Command(goto=[Send('x', s) for s in state])", [None]),
    ("return Command(goto=state['next'])", [None]),
    ("return Command(update={})", [()]),
    ("return Command(goto='x', graph=Command.PARENT)", ["leaves"]),
    ("return helper(state)", [("h",)]),
    ("return {'x': 1}", []),
])
def test_gotos(body: str, expected: list[Any]) -> None:
    assert gotos(body) == expected


def test_annotation_names_what_cannot_be_read() -> None:
    assert gotos("return Command(goto=state['next'])", " -> Command[Literal['x', '__end__']]") == [("x", "__end__")]
    assert gotos("return Command(goto=state['next'])", " -> \"Command[Literal['x']]\"") == [("x",)]


def test_sends() -> None:
    made = project("""
        def fan(state): return [Send("b", s) for s in state]
        def other(state): return [Send(state["to"], 1)]
        g = StateGraph(dict).add_node(b).add_conditional_edges(START, fan)
        h = StateGraph(dict).add_node(c).add_conditional_edges(START, other)
        """)
    assert [made.graphs.sends(g) for g in made.graphs.all()] == [{"b"}, {None}]


# ------------------------------------------------------------------ what cannot be read
@pytest.mark.parametrize("body", [
    "g.add_node(input(), a)",
    "for name in load():\n                g.add_node(name, a)",
    "for name, fn in TABLE.items():\n                g.add_node(name, fn)",
    "g.add_node(*args)",
    "g.add_edge('a', somewhere())",
    "register_all(g)",
    "g.add_sequence(steps())",
])
def test_unreadable_parts_leave_the_graph_open(body: str) -> None:
    g, *_ = graphs(f"""
        TABLE = load()
        def make(args):
            g = StateGraph(dict)
            g.add_node("b", b)
            {body}
            return g.compile()
        """)
    assert g.open
    assert nodes(g)["b"] == ["b"]


def test_table_that_grows_is_not_read() -> None:
    g, *_ = graphs("""
        TABLE = [("a", a)]
        TABLE.append(extra())
        g = StateGraph(dict)
        for name, fn in TABLE:
            g.add_node(name, fn)
        """)
    assert g.open


def test_unseen_builder_is_a_graph_of_its_own() -> None:
    g = graph("""
        def wire(builder):
            builder.add_node("a", a)
            builder.add_edge("a", "b")
            return builder.compile()
        """)
    assert (g.kind, g.origin, g.open, nodes(g), edges(g), len(g.compiles)) == ("unseen", None, True, {"a": ["a"]}, [("a", "b")], 1)


def test_other_libraries_are_no_graphs() -> None:
    assert graphs("""
        import networkx as nx
        import re
        g = nx.DiGraph()
        g.add_node("a", a)
        g.add_edge("a", "b")
        p = re.compile("x")
        """) == []


# ------------------------------------------------------------------ which graph is meant
def test_a_variable_called_graph_means_the_only_one() -> None:
    made = project("""
        def run(graph, x):
            graph.invoke(x)
        """, flow=HEAD + "app = StateGraph(dict).add_node('a', a).compile()\n")
    call, scope = made.names.calls_by_name["invoke"][0]
    assert made.graphs.meant(call.func.value, scope) is made.graphs.all()[0]


def test_one_of_two_is_not_meant() -> None:
    made = project("""
        def run(graph, x):
            graph.invoke(x)
        """, flow=HEAD + "app = StateGraph(dict).add_node('a', a).compile()\nbpp = StateGraph(dict).add_node('a', a).compile()\n")
    call, scope = made.names.calls_by_name["invoke"][0]
    assert made.graphs.meant(call.func.value, scope) is None


def test_a_name_means_its_last_binding_above() -> None:
    made = project("""
        g = StateGraph(dict).add_node("first", a)
        app = g.compile()
        app.invoke({})
        g = StateGraph(dict).add_node("second", b)
        app = g.compile()
        app.invoke({})
        """)
    assert [[n.name for n in r.graph.nodes] for r in made.graphs.runs()] == [["first"], ["second"]]


def test_branches_and_loops_keep_what_may_be() -> None:
    made = project("""
        g = StateGraph(dict).add_node("first", a)
        if input():
            g = StateGraph(dict).add_node("second", b)
        app = g.compile()
        app.invoke({})
        """)
    assert sorted(r.graph.nodes[0].name for r in made.graphs.runs()) == ["first", "second"]


# ------------------------------------------------------------------ who saves
SIGN = "g = StateGraph(dict).add_node('a', a).add_edge(START, 'a')\ngraph = g.compile()\n"


def missing(main: str, **options: Any) -> int:
    return len(list(project(main, **options).savers.missing()))


RUN = "graph.invoke(Command(resume=1), {'configurable': {'thread_id': '1'}})\n"


def test_graph_that_is_run_and_not_saved() -> None:
    assert missing(SIGN + RUN) == 1
    assert missing(SIGN) == 0, "a library"
    assert missing("from flow import graph\n" + RUN, flow=HEAD + SIGN) == 1


@pytest.mark.parametrize("spec", ["./main.py:graph", "main.py:graph", {"path": "./main.py:graph", "description": "x"}, "./main.py:unknown", "main:graph"])
def test_graph_of_a_manifest_is_saved_by_the_server(spec: Any) -> None:
    assert missing(SIGN + RUN, manifests={"langgraph.json": {"graphs": {"x": spec}}}) == 0


def test_factory_of_a_manifest() -> None:
    main = "def make(config):\n    graph = StateGraph(dict).add_node('a', a).compile()\n    return graph\ngraph = make({})\n" + RUN
    assert missing(main) == 1
    assert missing(main, manifests={"langgraph.json": {"graphs": {"x": "./main.py:make"}}}) == 0


@pytest.mark.parametrize("manifest", [None, [], {"graphs": None}, {"graphs": ["x"]}, {"graphs": {"x": 1, "y": "nothing", "z": "./gone.py:x", "w": {"path": None}}}])
def test_odd_manifests_say_nothing(manifest: Any) -> None:
    assert missing(SIGN + RUN, manifests={"langgraph.json": manifest}) == 1


def test_manifest_below_the_root() -> None:
    source = {"app__flow": HEAD + SIGN + RUN}
    assert missing("", manifests={"app/langgraph.json": {"graphs": {"x": "./flow.py:graph"}}}, **source) == 0


@pytest.mark.parametrize("more", [
    "parent = StateGraph(dict).add_node('sub', graph)\n",
    "def node(state):\n    return graph.invoke(state)\nparent = StateGraph(dict).add_node(node)\n",
    "serve(graph)\n",
    "REGISTRY.register('x', {'graph': graph})\n",
    "graph.checkpointer = open_saver()\n",
    "asks = graph.as_tool(name='x')\n",
    "def called_by_somebody(state, config):\n    return graph.invoke(state, config)\n",
])
def test_what_else_becomes_of_a_graph(more: str) -> None:
    assert missing(SIGN + RUN + more) == 0


@pytest.mark.parametrize("more", [
    "print(graph)\n",
    "def show(graph):\n    return graph.get_graph()\nshow(graph)\n",
    "class Service:\n    def __init__(self, graph):\n        self.graph = graph\n    def go(self):\n        return self.graph.invoke(Command(resume=1))\nService(graph)\n",
])
def test_what_does_not_excuse_it(more: str) -> None:
    assert missing(SIGN + RUN + more) == 1


def test_tests_may_look_at_a_pause() -> None:
    assert missing("", tests__test_flow=HEAD + SIGN + "def test_asks():\n    assert graph.invoke({})['__interrupt__']\n") == 0
    assert missing("", tests__test_flow=HEAD + SIGN + "def test_asks():\n    with pytest.raises(RuntimeError):\n        " + RUN) == 0
    assert missing("", tests__test_flow=HEAD + SIGN + "def test_asks():\n    " + RUN) == 1


# ------------------------------------------------------------------ bounds
def timed(main: str, **others: str) -> tuple[list[Graph], float]:
    made = project(main, **others)
    before = time.perf_counter()
    found = made.graphs.all()
    for g in found:
        made.graphs.pause_in(g)
        made.graphs.sends(g)
    list(made.graphs.edges_beside_gotos())
    return found, time.perf_counter() - before


def test_thousands_of_nodes() -> None:
    calls = "\n".join(f"g.add_node('n{n}', b)\ng.add_edge('n{n}', 'n{n + 1}')" for n in range(3000))
    (g, *_), seconds = timed(f"g = StateGraph(dict)\n{calls}\n")
    assert (len(g.nodes), len(g.edges), g.open) == (3000, 3000, False)
    assert seconds < 5


def test_thousands_of_nodes_in_tables_and_rebindings() -> None:
    table = ", ".join(f"('n{n}', b)" for n in range(3000))
    (g, *_), seconds = timed(f"g = StateGraph(dict)\nfor name, fn in [{table}]:\n    g.add_node(name, fn)\n")
    assert 100 <= len(g.nodes) <= 3000 and seconds < 5
    calls = "\n".join(f"g = g.add_node('n{n}', b)" for n in range(1500))
    found, seconds = timed(f"g = StateGraph(dict)\n{calls}\n")
    assert len(found[0].nodes) > 1000 and seconds < 8


def test_graphs_that_hold_each_other() -> None:
    found, _ = timed("""
        def x(state): return B.invoke(state)
        def y(state): return A.invoke(state)
        A = StateGraph(dict).add_node(x).compile()
        B = StateGraph(dict).add_node(y).add_node("a", a).add_node("A", A).compile()
        C = StateGraph(dict)
        C.add_node("self", C.compile())
        """)
    assert len(found) == 3


def test_pause_in_a_cycle_of_graphs_is_found() -> None:
    made = project("""
        A = StateGraph(dict)
        B = StateGraph(dict)
        A.add_node("b", B.compile())
        B.add_node("a", A.compile())
        B.add_node("ask", a)
        """)
    assert all(made.graphs.pause_in(g) is not None for g in made.graphs.all())


def test_modules_that_import_each_other() -> None:
    found, _ = timed("from two import *\nfrom two import g\ng.add_node('a', a)\n", two="from main import *\nfrom main import g\ng.add_node('b', b)\n")
    assert isinstance(found, list)


def test_helper_that_calls_itself() -> None:
    found, _ = timed("""
        def grow(g, n):
            g.add_node(n, a)
            return grow(g, n)
        grow(StateGraph(dict), "x")
        """)
    assert found
