"""The page and the flowchart, on pictures made by hand: well-formed, complete in themselves, and safe whatever the code they show is called."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from hitl_lint.finding import Finding, Fix, Severity, Span, Step
from hitl_lint.picture import END, START, Cost, Edge, Function, Graph, Line, Node, Pause, Picture
from hitl_lint.reporters import html, layout, mermaid

COUNTS = {"files_found": 1, "files_analysed": 1, "errors": 1, "warnings": 0, "notes": 0, "hidden_notes": 0, "suppressed": 0, "unresolved_calls_in_zones": 0}
CODE = ["def review(state):", "    send(state)", "    answer = interrupt('ok?')", "    return {'answer': answer}"]
HOSTILE = ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a\u202egnp.exe", "]]>", "x\x00\x1b[31m\x7f", "\ud800", "-->\nclick n1 href \"javascript:alert(1)\"",
           "#quot;", "</style><style>*{}", "{{7*7}}", "' onclick='x", "\u2028\u2066", "|x|", "%%{init: {}}%%", "`a`", "end", "👩\u200d🚀", "名前"]
VOID = {"meta", "br", "img", "link", "input", "hr"}


def picture(name: str = "review", source: str = "app/a.py", **more: Any) -> Picture:
    span = Span(source, 1, 1, 4, 30)
    f = Function("f1", f"app.{name}", span, (Line(2, 2, 2, with_answers=(3,)), Line(3, 2, 2, with_answers=(3,)), Line(4, 1, 1)), (Pause(3, 14, "interrupt", False),),
                 (Cost("effect", f"sends mail {name}", 2, 5, "send", True, True, (Step(Span(source, 2, 5, 2, 9), f"calls {name}"), Step(Span("b.py", 9, 1, 9, 2), "sends mail"))),))
    nodes = (Node(START, "START", "start"), Node("n1", name, "node", True, functions=("f1",), span=span), Node("n2", "other", "node", stops="before"), Node(END, "END", "end"))
    edges = (Edge(START, "n1", "edge"), Edge("n1", "n2", "branch", f"if {name}"), Edge("n2", "n1", "goto"), Edge("n1", END, "send", asks=True), Edge("n2", "n2", "branch", "again"))
    return Picture((Graph("g1", name, "state", span, "build", nodes, edges, **more),), (f,))


def finding(message: str = "The mail is sent twice", line: int = 2, path: str = "app/a.py") -> Finding:
    return Finding("HIL101", "effect-before-interrupt", Severity.ERROR, Span(path, line, 5, line, 16), message, function="app.review", pause=Span(path, 3, 14, 3, 30),
                   trace=(Step(Span("b.py", 9, 1, 9, 2), message),), help=f"do this\n{message}", fixes=(Fix(message, "unsafe", ()),))


def page(drawn: Picture | None, findings: list[Finding] | None = None, code: list[str] | None = CODE) -> str:
    return html.render(drawn, findings or [], COUNTS, lambda path, cell: code, "0.1.0")


class Reader(HTMLParser):
    """Checks that tags close in order; collects ids, references, attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.stack: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert not self.stack

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        assert len(found) == len(attrs)
        self.tags.append((tag, found))
        if found.get("id"):
            self.ids.append(str(found["id"]))
        self.links += [str(v) for k, v in attrs if k in ("href", "src", "xlink:href", "action", "data", "srcset")]
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in self.stack, "only SVG knows tags that close themselves"
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.stack and self.stack[-1] == tag, (tag, self.stack)
        self.stack.pop()

    def handle_data(self, data: str) -> None:
        self.text.append(data)


# --------------------------------------------------------------------------- the page
def test_page_is_well_formed_and_every_link_has_a_goal() -> None:
    read = Reader(page(picture(), [finding(), finding(line=9, path="c.py")]))
    assert len(set(read.ids)) == len(read.ids)
    assert all(link.startswith("#") and link[1:] in read.ids for link in read.links) and read.links
    names = [v for _, attrs in read.tags for k, v in attrs.items() if k in ("aria-labelledby",)]
    assert all(part in read.ids for v in names for part in str(v).split())


def test_page_loads_nothing_and_runs_nothing() -> None:
    text = page(picture(), [finding()])
    read = Reader(text)
    assert not {tag for tag, _ in read.tags} & {"script", "link", "img", "iframe", "object", "embed", "base", "form", "foreignobject", "use", "image"}
    assert not [k for _, attrs in read.tags for k in attrs if k.startswith("on") or k == "style"]
    css = re.search(r"<style>(.*?)</style>", text, re.S)
    assert css is not None and "url(" not in css[1] and "@import" not in css[1]
    policy = next(attrs["content"] for tag, attrs in read.tags if attrs.get("http-equiv") == "Content-Security-Policy")
    digest = base64.b64encode(hashlib.sha256(css[1].encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert not re.search(r"https?:", text)


def test_page_shows_what_runs_again_and_how_often() -> None:
    text = "".join(Reader(page(picture(), [finding()])).text)
    for part in ("2×", "once, and once more with the answer to line 3", "send(state)", "once more with the answer", "The mail is sent twice", "2 lines run again on resume: 1 effect once more.",
                 "interrupt('ok?')", "hitl-lint --explain HIL101", "b.py, line 9"):
        assert part in text


@pytest.mark.parametrize("word", HOSTILE, ids=range(len(HOSTILE)))
def test_nothing_in_the_code_becomes_markup(word: str) -> None:
    calm = Reader(page(picture(), [finding()]))
    text = page(picture(word, source=f"app/{word}.py"), [finding(word, path=f"app/{word}.py")], ["def f():", f"    {word}", f"    interrupt({word!r})", word])
    read = Reader(text)

    def shape(r: Reader) -> list[str]:
        return [tag for tag, attrs in r.tags if attrs.get("class") != "esc"]

    assert shape(read) == shape(calm)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2028\u2029\u2066-\u2069\ud800-\udfff]", text)
    text.encode()
    word_as_seen = "".join(f"U+{ord(c):04X}" if html.hidden(c, word[n - 1] if n else "") else c for n, c in enumerate(word))
    assert word_as_seen in "".join(read.text)


def test_hidden_characters() -> None:
    assert html.esc("a\u202eb") == 'a<span class="esc">U+202E</span>b' and html.plain("a\u202eb\t") == "a(U+202E)b "
    assert html.esc("👩\u200d🚀é名") == "👩\u200d🚀é名"
    assert html.esc("a\u200db") == 'a<span class="esc">U+200D</span>b'


@pytest.mark.parametrize(("line", "mark", "shade"), [
    (Line(1, 1, 1), "", ""), (Line(1, 2, 2), "2×", "r2"), (Line(1, 3, 3), "3×", "r3"), (Line(1, 1, 2), "1–2×", "r2"), (Line(1, 2, 4), "2–4×", "r3"),
    (Line(1, 1, None), "1 + n×", "r3"), (Line(1, 1, None, grows=True), "1, 3, 6…×", "rg"), (Line(1, 1, 1, at_pause=True), "1× +pause", "r2")])
def test_margin(line: Line, mark: str, shade: str) -> None:
    assert html.runs(line)[0] == mark and html.runs(line)[2] == shade


def losing() -> Picture:
    drawn = picture()
    f = replace(drawn.functions[0], lost=True, lines=tuple(Line(line.number, 1, 1) for line in drawn.functions[0].lines),
                pauses=(replace(drawn.functions[0].pauses[0], lost=True),), costs=(replace(drawn.functions[0].costs[0], again=False),))
    g = drawn.graphs[0]
    return replace(drawn, functions=(f,), graphs=(replace(g, nodes=tuple(replace(n, pauses=False, lost=True) if n.key == "n1" else n for n in g.nodes)),))


def test_a_pause_that_gets_lost_is_told_and_nothing_shaded() -> None:
    text = page(losing(), [finding("Nobody is asked", 3)])
    read = Reader(text)
    said = "".join(read.text)
    assert "Its pause gets lost on its way out: nobody is asked, so nothing runs again until that is mended." in said and "Nobody is asked" in said
    assert "its pause gets lost; leads to" in said and "the pause of review gets lost." in said
    assert not [attrs for tag, attrs in read.tags if tag == "tr" and set(str(attrs.get("class")).split()) & {"r2", "r3", "rg"}]
    assert 'class="node lost"' in text and 'aria-label="review, its pause gets lost: to its source"' in text
    chart = mermaid.render(losing())
    assert 'n1["review<br/>its pause gets lost"]:::lost' in chart and "classDef lost" in chart and "⏸ review" not in chart


def test_the_legend_has_every_mark_of_the_margin() -> None:
    legend = page(picture()).partition('class="legend"')[2].partition("</ul>")[0]
    shown = set(re.findall(r'<b class="(\w*)">([^<]*)</b>', legend))
    for line in (Line(1, 2, 2), Line(1, 3, 3), Line(1, 1, 2), Line(1, 1, None), Line(1, 1, None, grows=True)):
        mark, _, shade = html.runs(line)
        assert (shade, mark) in shown
    assert ("r2", "+pause") in shown and html.runs(Line(1, 1, 1, at_pause=True))[0].endswith("+pause") and "pause gets lost" in legend


def test_findings_outside_of_what_is_shown_have_their_own_place() -> None:
    text = page(picture(), [finding(), finding("No saver", line=3, path="other.py")])
    assert text.index('id="elsewhere"') < text.index("No saver", text.index('id="elsewhere"'))
    assert text.count('id="x1"') == 1 and text.count('id="x2"') == 1


def test_empty_and_unreadable() -> None:
    assert "No graph that pauses was found." in page(Picture()) and "No graph" in page(None)
    Reader(page(None, [finding()]))
    assert "Its source could not be read." in page(picture(), [finding()], None)
    Reader(page(picture(), [finding()], CODE[:2]))  # the file has changed meanwhile


def test_bounds_are_told() -> None:
    drawn = picture(left_out=(5, 7))
    assert "Left out of the picture: 5 nodes and 7 edges." in page(drawn)
    many = [finding(line=n, path="c.py") for n in range(1, html.MAX_FINDINGS + 3)]
    assert "2 more findings not shown." in page(drawn, many)
    assert "Left out: 3 more graphs and 0 more functions." in page(Picture(drawn.graphs, drawn.functions, left_out_graphs=3))
    assert "%% left out: 5 nodes and 7 edges" in mermaid.render(drawn)
    long = page(picture(), code=["def review(state):", "    x = '" + "a" * 5000 + "'", "    interrupt(1)", "    return 1"])
    assert "the line goes on" in long and len(long) < 30_000


# --------------------------------------------------------------------------- the flowchart
def test_flowchart() -> None:
    assert mermaid.render(picture()) == """flowchart TD
  begin(["START"])
  n1["⏸ review<br/>↻ again: 1 effect"]:::pause
  n2["other<br/>stops before it"]
  finish(["END"])
  begin --> n1
  n1 -.->|"if review"| n2
  n2 ==>|"goto"| n1
  n1 ==>|"⏸ Send"| finish
  n2 -.->|"again"| n2
  classDef pause fill:#ffd24d,stroke:#8a5a00,stroke-width:2px,color:#201600
"""


def test_flowchart_of_several_graphs_is_one_chart() -> None:
    one = picture()
    outer = Graph("g2", "review", "state", Span("b.py", 1, 1, 1, 1), "", (Node("n1", "inner", "graph", True, nested="g1"),), ())
    text = mermaid.render(Picture((outer, *one.graphs), one.functions))
    assert text.count("flowchart") == 1 and text.count("  subgraph ") == 2 == text.count("\n  end\n")
    assert "  g2_n1 -. runs .-> g1_begin\n" in text and 'subgraph g2["review in b.py"]' in text.replace("#47;", "/")


@pytest.mark.parametrize("word", HOSTILE, ids=range(len(HOSTILE)))
def test_nothing_in_the_code_becomes_flowchart(word: str) -> None:
    calm, wild = mermaid.render(picture()).split("\n"), mermaid.render(picture(word)).split("\n")
    assert len(calm) == len(wild)
    for a, b in zip(calm, wild):
        assert re.sub(r'"[^"]*"', '""', a) == re.sub(r'"[^"]*"', '""', b)
        for inside in re.findall(r'"([^"]*)"', b):
            assert re.fullmatch(r"(?:[\w .,:()+×…⏸↻-]|#\d+;|<br/>)*", inside, re.A), inside


def test_flowchart_of_nothing() -> None:
    assert mermaid.render(None) == 'flowchart TD\n  nothing["no graph that pauses was found"]\n'
    alone = Picture((), picture().functions, ("f1",))
    assert mermaid.render(alone) == ('flowchart TD\n  nothing["no graph was found that runs what pauses"]\n  %% also pauses: app.review app/a.py:1\n')


# --------------------------------------------------------------------------- layout
def boxes(count: int) -> list[layout.Box]:
    return [layout.Box(60 + 7 * (n % 5), 34) for n in range(count)]


def apart(placed: layout.Placed, sizes: list[layout.Box]) -> bool:
    """No two boxes overlap."""
    rects = [(x - b.width / 2, y - b.height / 2, x + b.width / 2, y + b.height / 2) for (x, y), b in zip(placed.boxes, sizes)]
    return all(a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1] for n, a in enumerate(rects) for b in rects[n + 1:])


@pytest.mark.parametrize("pairs", [
    [(0, 1), (1, 2), (2, 3)], [(0, 1), (0, 2), (1, 3), (2, 3), (3, 0)], [(0, 0), (1, 0)], [(0, 1), (0, 1), (1, 0)], [], [(3, 2), (2, 1), (1, 0)],
    [(a, b) for a in range(4) for b in range(4)]])
def test_layout_keeps_boxes_apart_and_starts_and_ends_lines_on_them(pairs: list[tuple[int, int]]) -> None:
    sizes = boxes(4)
    links = [layout.Link(a, b, 30, 18) for a, b in pairs]
    placed = layout.place(sizes, links)
    assert placed == layout.place(sizes, links) and apart(placed, sizes)
    for link, route in zip(links, placed.routes):
        for point, box in ((route.points[0], link.source), (route.points[-1], link.target)):
            (x, y), size = placed.boxes[box], sizes[box]
            assert abs(point[0] - x) <= size.width / 2 + 0.1 and abs(point[1] - y) <= size.height / 2 + 0.1
    labels = [(r.label[0] - 15, r.label[1] - 9, r.label[0] + 15, r.label[1] + 9) for link, r in zip(links, placed.routes) if link.source != link.target]
    assert all(a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1] for n, a in enumerate(labels) for b in labels[n + 1:])


def test_layout_reads_from_the_first_box_downwards() -> None:
    placed = layout.place(boxes(3), [layout.Link(0, 1), layout.Link(1, 2), layout.Link(2, 0)])
    assert placed.boxes[0][1] < placed.boxes[1][1] < placed.boxes[2][1]
    assert len({x for x, _ in layout.place(boxes(3), [layout.Link(0, 1), layout.Link(1, 2)]).boxes}) == 1, "a chain stands in one column"


def test_layout_of_the_largest_picture_ends() -> None:
    from hitl_lint import picture as P

    sizes = boxes(P.MAX_NODES)
    links = [layout.Link(n % P.MAX_NODES, (n * 7 + 3) % P.MAX_NODES, 40, 18) for n in range(P.MAX_EDGES)]
    assert apart(layout.place(sizes, links), sizes)
