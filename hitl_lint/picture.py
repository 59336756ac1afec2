"""What the html and mermaid reports draw: graphs that pause and, line by line, what runs again when a human answers. Frozen data; standard library only.

Places are `Span`s, so lines of notebooks count inside their cell. Everything is in the order in which it is to be shown.
"""

from __future__ import annotations

from dataclasses import dataclass

from hitl_lint.finding import Span, Step

# More than this nobody looks at; a line in the report says what was left out.
MAX_GRAPHS = 40
MAX_NODES = 80
MAX_EDGES = 240
MAX_FUNCTIONS = 150
MAX_LINES = 400

START, END = "__start__", "__end__"


@dataclass(frozen=True, slots=True)
class Cost:
    """What a call on a line costs. `kind`: "model", "effect", or "kept" (a `@task`: its result is restored, it does not run again). `again`: it is done
    once more on a resume; an effect that is set right by the code around it, or that may be repeated, is not. `chain` leads to where it happens."""

    kind: str
    what: str
    line: int
    column: int
    callee: str
    again: bool
    proved: bool
    chain: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """How often a line runs if each pause behind it is answered once: between `least` and `most` times along the ways from it to the end; 1 is
    once, `most` None has no limit. `grows`: it stands in a loop that pauses, or in a function that calls itself between pauses, and each answer runs all rounds so far once more (1, 3, 6, 10 times in
    all). `at_pause`: it also runs each time the function is left by a pause (`finally`). `with_answers`: the lines of the pauses in this function whose answers
    run it again."""

    number: int
    least: int
    most: int | None
    grows: bool = False
    at_pause: bool = False
    with_answers: tuple[int, ...] = ()

    @property
    def again(self) -> bool:
        return self.most is None or self.most > 1


@dataclass(frozen=True, slots=True)
class Pause:
    """A call that pauses; `chain` leads to the `interrupt()` where it is in another function. `nested`: it runs a graph that pauses. `lost`: the pause
    does not get out of the function, so that nobody is asked."""

    line: int
    column: int
    callee: str
    nested: bool
    chain: tuple[Step, ...] = ()
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A function that pauses (or, with `router`, one that runs again because the conditional edge behind it pauses). `span`: all of it, with its decorators.
    `lost`: no pause of it gets out, so that nothing runs again."""

    key: str
    name: str
    span: Span
    lines: tuple[Line, ...]
    pauses: tuple[Pause, ...]
    costs: tuple[Cost, ...]
    router: str = ""
    helper: bool = False
    left_out: int = 0
    lost: bool = False

    def repeated(self, kind: str) -> int:
        """How many of its calls do `kind` once more on a resume."""
        return sum(cost.again and cost.kind == kind for cost in self.costs)

    @property
    def lines_again(self) -> int:
        return sum(line.again for line in self.lines)


@dataclass(frozen=True, slots=True)
class Node:
    """`kind`: "node", "tools", "graph" (another graph is the node, `nested` its key where it is drawn), "model", "start", "end" or "unknown" (a place that
    cannot be read). `stops`: "before", "after" or "both" for static breakpoints. `functions`: keys of the functions to show. `lost`: a
    pause in it gets lost, and none gets out."""

    key: str
    label: str
    kind: str
    pauses: bool = False
    stops: str = ""
    functions: tuple[str, ...] = ()
    nested: str = ""
    span: Span | None = None
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Edge:
    """From node key to node key. `kind`: "edge", "branch" (conditional), "goto" or "send"; `asks`: the path function pauses."""

    source: str
    target: str
    kind: str
    label: str = ""
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Graph:
    """`made_in`: the function that builds it, "" at the top of a module. `open`: it may have parts that could not be read. `inside`: the key of the graph
    that it is a node of. `left_out`: nodes and edges beyond the bounds."""

    key: str
    name: str
    kind: str
    span: Span
    made_in: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    open: bool = False
    inside: str = ""
    left_out: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Picture:
    """`functions` holds all that graphs and nodes name by key; `alone` the keys of those that no drawn graph runs, as far as can be seen."""

    graphs: tuple[Graph, ...] = ()
    functions: tuple[Function, ...] = ()
    alone: tuple[str, ...] = ()
    left_out_graphs: int = 0
    left_out_functions: int = 0
