"""Graphs that pause as one mermaid flowchart, for a README: nodes, edges, where it pauses, and what runs again there."""

from __future__ import annotations

from hitl_lint.picture import END, START, Function, Graph, Node, Picture

_ARROWS = {"edge": "-->", "branch": "-.->", "goto": "==>", "send": "==>"}
_WORDS = {"goto": "goto", "send": "Send"}
_SHAPES = {"start": ("([", "])"), "end": ("([", "])"), "graph": ("[[", "]]"), "tools": ("[/", "/]"), "unknown": ("(", ")")}
# What needs no escape inside of quotes. Everything else is written as a number: no name of a node can end the string or make markup.
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.,:()+×…⏸↻")
_LOST = "  classDef lost stroke:#b42318,stroke-width:2px,stroke-dasharray:6 3"
_PAUSE = "  classDef pause fill:#ffd24d,stroke:#8a5a00,stroke-width:2px,color:#201600"


def render(picture: Picture | None) -> str:
    """The flowchart, ended by a line break. Several graphs become boxes of one chart."""
    picture = picture or Picture()
    out = ["flowchart TD"]
    functions = {f.key: f for f in picture.functions}
    several = len(picture.graphs) > 1
    names = [g.name for g in picture.graphs]
    for graph in picture.graphs:
        prefix = f"{graph.key}_" if several else ""
        body = [f"  {line}" for line in _graph(graph, functions, prefix)]
        if several:
            title = graph.name if names.count(graph.name) == 1 else f"{graph.name} in {graph.span.path}"
            body = [f'  subgraph {graph.key}["{escape(title)}"]', *(f"  {line}" for line in body), "  end"]
        out += body
    starts = {g.key: _id(f"{g.key}_", g.nodes[0].key) for g in picture.graphs}
    for graph in picture.graphs:
        for node in graph.nodes:
            if node.nested in starts and node.nested:
                out.append(f"  {graph.key}_{node.key} -. runs .-> {starts[node.nested]}")
    if not picture.graphs:
        out.append(f'  nothing["{"no graph that pauses was found" if not picture.alone else "no graph was found that runs what pauses"}"]')
    for key in picture.alone:
        out.append(f"  %% also pauses: {_comment(functions[key])}")
    if picture.left_out_graphs:
        out.append(f"  %% {picture.left_out_graphs} more graphs are not drawn")
    if any(node.pauses for graph in picture.graphs for node in graph.nodes):
        out.append(_PAUSE)
    if any(node.lost for graph in picture.graphs for node in graph.nodes):
        out.append(_LOST)
    return "\n".join(out) + "\n"


def _graph(graph: Graph, functions: dict[str, Function], prefix: str) -> list[str]:
    out = []
    for node in graph.nodes:
        left, right = _SHAPES.get(node.kind, ("[", "]"))
        out.append(f'{_id(prefix, node.key)}{left}"{_label(node, functions)}"{right}{":::pause" if node.pauses else ":::lost" if node.lost else ""}')
    for edge in graph.edges:
        word = " ".join(w for w in ("⏸" if edge.asks else "", _WORDS.get(edge.kind, ""), edge.label) if w)
        label = f'|"{escape(word)}"|' if word else ""
        out.append(f"{_id(prefix, edge.source)} {_ARROWS[edge.kind]}{label} {_id(prefix, edge.target)}")
    if any(graph.left_out):
        out.append(f"%% left out: {graph.left_out[0]} nodes and {graph.left_out[1]} edges")
    return out


def _id(prefix: str, key: str) -> str:
    return prefix + {START: "begin", END: "finish"}.get(key, key)  # "end" is a word of mermaid's own


def _label(node: Node, functions: dict[str, Function]) -> str:
    text = ("⏸ " if node.pauses else "") + escape(node.label)
    again = runs_again([functions[key] for key in node.functions if key in functions])
    if again:
        text += f"<br/>↻ again: {escape(again)}"
    if node.lost:
        text += "<br/>its pause gets lost"
    if node.stops:
        words = {"before": "stops before it", "after": "stops after it", "both": "stops before and after it"}[node.stops]
        text += f"<br/>{words}"
    return text


def runs_again(functions: list[Function]) -> str:
    """"2 model calls, 1 effect": what a resume does once more; "" when that is nothing."""
    parts = []
    for kind, word in (("model", "model call"), ("effect", "effect")):
        count = sum(f.repeated(kind) for f in functions)
        if count:
            parts.append(f"{count} {word}{'' if count == 1 else 's'}")
    return ", ".join(parts)


def escape(text: str) -> str:
    """A text for inside of quotes, on one line."""
    if len(text) > 60:
        text = text[:59] + "…"
    return "".join(c if c in _PLAIN else " " if c in "\n\r\t" else f"#{ord(c)};" if c.isprintable() else f"(U+{ord(c):04X})" for c in text)


def _comment(f: Function) -> str:
    """A place for a comment: nothing in it can start a directive or a new line."""
    return "".join(c if c.isalnum() and c.isascii() or c in "._-/: " else "_" for c in f"{f.name} {f.span.path}:{f.span.line}")
