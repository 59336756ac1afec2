"""One page that shows what runs again when a human answers: each graph that pauses, and the source of what pauses with the lines that run again shaded.

The page is complete in itself: no script, nothing loaded (its content security policy says so), colours of the reader's choice, and everything that comes
from the checked code is escaped, invisible characters made visible. What opens on a click is `<details>`.
"""

from __future__ import annotations

import base64
import hashlib
import unicodedata
from typing import Callable, Iterable, Mapping, Sequence

from hitl_lint.finding import Confidence, Finding, Span, Step, fingerprint
from hitl_lint.picture import Cost, Function, Graph, Line, Node, Pause, Picture
from hitl_lint.reporters import layout, summary
from hitl_lint.reporters.mermaid import runs_again

Source = Callable[[str, "int | None"], "Sequence[str] | None"]

MAX_FINDINGS = 500
_LONGEST = 400  # code points of a line of code that are shown
_NAME = 30  # of a name in a graph
_CHAR = 7.9  # width of one in it
_KINDS = {"edge": "always", "branch": "conditional", "goto": "goto", "send": "Send"}
_STOPS = {"before": "static breakpoint before it", "after": "static breakpoint after it", "both": "static breakpoints before and after it"}

CSS = """
:root{color-scheme:light dark;--bg:#fff;--fg:#1c2128;--dim:#57606a;--line:#d0d7de;--panel:#f6f8fa;--link:#0a58ca;--two:#fff1c2;--more:#ffdf94;--grow:#ffd0bd;
--bar2:#b7791f;--bar3:#9a5b00;--barg:#c2410c;--pause:#ffd24d;--pausefg:#201600;--pauseline:#8a5a00;--error:#b42318;--warning:#8a5a00;--note:#3b5bdb;--node:#fff;--mark:#eef4ff}
@media (prefers-color-scheme:dark){:root{--bg:#0f1419;--fg:#e6edf3;--dim:#9aa6b2;--line:#343d47;--panel:#171d24;--link:#7db7ff;--two:#3a3010;--more:#54400c;--grow:#57290f;
--bar2:#d9a441;--bar3:#f0b429;--barg:#ff8a5c;--pause:#d9a520;--pausefg:#150f00;--pauseline:#ffdf87;--error:#ff8f85;--warning:#f0c05a;--note:#9db8ff;--node:#1d242c;--mark:#16233a}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main,header,footer{max-width:76rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:1.5rem}footer{padding:2rem 1.25rem;color:var(--dim);font-size:.9rem}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .4rem}h2{font-size:1.3rem;margin:2.6rem 0 .2rem;border-top:1px solid var(--line);padding-top:1.4rem}h3{font-size:1.05rem;margin:0}
h1,h2,h3,p,li{overflow-wrap:anywhere}
a{color:var(--link)}a:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:3px}
code,.code,svg text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
code{font-size:.92em}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--bg);padding:.5rem 1rem;z-index:9}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.dim{color:var(--dim)}.lead{font-size:1.05rem;margin:.2rem 0}
.place{color:var(--dim);font-size:.9rem;margin:0 0 .6rem}
nav ul,.plain{padding-left:1.2rem}nav li{margin:.15rem 0}
.legend{display:flex;flex-wrap:wrap;gap:.4rem 1.4rem;padding:0;margin:1rem 0;list-style:none;font-size:.92rem}
.legend b,td.runs b{display:inline-block;font-weight:600;white-space:nowrap}
.legend b{padding:0 .5rem;margin-right:.4rem;border-left:4px solid transparent;font-family:ui-monospace,Menlo,Consolas,monospace}
.r2{background:var(--two);border-left-color:var(--bar2)!important}.r3{background:var(--more);border-left-color:var(--bar3)!important}.rg{background:var(--grow);border-left-color:var(--barg)!important}
figure{margin:.8rem 0;padding:1rem;border:1px solid var(--line);border-radius:8px;overflow-x:auto;background:var(--panel)}
svg{display:block;margin:0 auto;max-width:none}
svg rect,svg .shape{fill:var(--node);stroke:var(--dim);stroke-width:1.2}
svg text{fill:var(--fg);font-size:13px;text-anchor:middle}svg .sub{font-size:11px;fill:var(--dim)}
svg .pause rect,svg .pause .shape{fill:var(--pause);stroke:var(--pauseline);stroke-width:2}svg .pause text{fill:var(--pausefg)}svg .pause .sub{fill:var(--pausefg)}
svg .lost rect,svg .lost .shape{stroke:var(--error);stroke-width:2;stroke-dasharray:6 3}svg .lost .sub{fill:var(--error)}
svg .end rect{fill:var(--fg);stroke:var(--fg)}svg .end text{fill:var(--bg)}svg .unknown rect{stroke-dasharray:3 3}
svg path{fill:none;stroke:var(--dim);stroke-width:1.5}svg path.branch{stroke-dasharray:6 4}svg path.goto,svg path.send{stroke-width:2.2;stroke:var(--fg)}svg path.send{stroke-dasharray:2 3}
svg path.sign{stroke:var(--pausefg);stroke-width:2.6}svg marker path{fill:var(--dim);stroke:none}svg text.label{font-size:11.5px;fill:var(--fg)}svg .labelbox{fill:var(--panel);stroke:none}
svg a:focus-visible{outline:none}svg a:focus-visible rect{stroke:var(--link);stroke-width:4}svg a:hover text{text-decoration:underline}
.fn{border:1px solid var(--line);border-radius:8px;margin:1rem 0;overflow:hidden}.fn:target,.finding:target{outline:3px solid var(--link)}
.fn>.head{padding:.7rem 1rem;background:var(--panel);border-bottom:1px solid var(--line)}.fn>.head p{margin:.15rem 0}
.sum{font-weight:600}
table.src{border-collapse:collapse;width:100%;font-size:13.5px}
table.src th,table.src td{padding:0 .6rem;vertical-align:top;text-align:left;font-weight:400}
table.src thead th{color:var(--dim);font-size:.78rem;padding:.25rem .6rem;border-bottom:1px solid var(--line)}
table.src .no{color:var(--dim);text-align:right;width:1%;user-select:none}
table.src td.runs{width:1%;white-space:nowrap;border-left:4px solid transparent;min-width:5.5rem}
table.src td.text{white-space:pre-wrap;overflow-wrap:anywhere;tab-size:4;unicode-bidi:isolate}
tr.r2 td,tr.r2 th,tr.r3 td,tr.r3 th,tr.rg td,tr.rg th{background:inherit}
tr.say td{padding:.15rem .6rem .3rem;font:14px/1.45 system-ui,-apple-system,"Segoe UI",sans-serif}
.tag{display:inline-block;border:1px solid currentColor;border-radius:4px;padding:0 .35rem;margin-right:.3rem;font-size:.8rem;font-weight:600;white-space:nowrap}
.pz{display:inline-block;width:.62em;height:.75em;border:solid currentColor;border-width:0 .22em;margin-right:.35em}
.tag.stop{background:var(--pause);color:var(--pausefg);border-color:var(--pauseline)}
.tag.gone{color:var(--error);border-style:dashed}
.error{color:var(--error)}.warning{color:var(--warning)}.note{color:var(--note)}
.finding{border-left:4px solid;padding:.25rem .7rem;margin:.2rem 0;background:var(--bg);border-radius:0 5px 5px 0}.finding>*{color:var(--fg)}.finding .tag{color:inherit}
.finding.error .tag{color:var(--error)}.finding.warning .tag{color:var(--warning)}.finding.note .tag{color:var(--note)}
details>summary{cursor:pointer;overflow-wrap:anywhere}details ol{margin:.3rem 0;padding-left:1.6rem}
.help{white-space:pre-wrap;margin:.3rem 0}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--panel);padding:.5rem .8rem;border-radius:6px;margin:.4rem 0;font-size:13.5px}
.esc{background:var(--error);color:var(--bg);border-radius:3px;padding:0 .2rem;font-size:.85em}
@media (max-width:40rem){table.src td.runs{min-width:3.6rem}table.src th,table.src td{padding:0 .35rem}}
@media print{:root{--bg:#fff;--fg:#000;--dim:#444;--line:#999;--panel:#f6f6f6;--link:#000;--two:#fff1c2;--more:#ffdf94;--grow:#ffd0bd;--bar2:#b7791f;--bar3:#9a5b00;--barg:#c2410c;
--pause:#ffd24d;--pausefg:#201600;--pauseline:#8a5a00;--error:#b42318;--warning:#8a5a00;--note:#3b5bdb;--node:#fff}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}.skip,nav{display:none}tr,figure,.finding{break-inside:avoid}h2,h3,.head{break-after:avoid}a{text-decoration:none}
.fn{overflow:visible}svg{max-width:100%;height:auto}details::details-content{content-visibility:visible;display:block;height:auto}}
"""


def render(picture: Picture | None, findings: Iterable[Finding], counts: Mapping[str, int], source: Source, version: str) -> str:
    """The page, ended by a line break. `source` gives the lines of a file or of a notebook's cell."""
    return _Page(picture or Picture(), list(findings), counts, source, version).render()


# --------------------------------------------------------------------------- text
def esc(text: str) -> str:
    """A text of foreign origin for the body of the page: what would be invisible, or turn the line round, is shown as its number."""
    if text.isascii() and text.isprintable():
        return _html(text)
    out: list[str] = []
    for n, c in enumerate(text):
        if c in "\t\n":
            out.append(c)
        elif hidden(c, text[n - 1] if n else ""):
            out.append(f'<span class="esc">U+{ord(c):04X}</span>')
        else:
            out.append(_html(c))
    return "".join(out)


def plain(text: str) -> str:
    """The same for attributes and SVG, without markup."""
    return _html("".join(f"(U+{ord(c):04X})" if hidden(c, text[n - 1] if n else "") else " " if c in "\t\n" else c for n, c in enumerate(text)))


def hidden(c: str, before: str) -> bool:
    """Control, format (bidi), private and unassigned characters and half surrogates. A joiner in an emoji is not."""
    if c in "\t\n" or (c in "\u200d\ufe0f" and before and not before.isascii()):
        return False
    return unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;").replace("'", "&#39;")


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[:room - 1] + "…"


def _place(span: Span) -> str:
    cell = f"cell {span.cell}, " if span.cell is not None else ""
    return f"{span.path}, {cell}line {span.line}"


def runs(line: Line) -> tuple[str, str, str]:
    """(in the margin, in words, the shade) for how often a line runs in all if each question is answered once."""
    answers = ", ".join(map(str, line.with_answers))
    of = f" to line{'s' if len(line.with_answers) > 1 else ''} {answers}" if answers else ""
    if line.grows:
        found = "1, 3, 6…×", f"in rounds that ask: each answer{of} runs all rounds so far once more, 1, 3, 6, 10 times in all", "rg"
    elif line.most is None:
        found = "1 + n×", f"once, and once more with each answer{of}", "r3"
    elif line.most == 1:
        found = "", "once", ""
    elif line.least == line.most:
        more = line.most - 1
        words = f"once, and once more with the answer{of}" if more == 1 else f"once, and once more with each of the {more} answers{of}"
        found = f"{line.most}×", words, "r2" if more == 1 else "r3"
    else:
        found = f"{line.least}–{line.most}×", f"once, and once more with each answer{of}, of which some runs ask for fewer ({line.least - 1} to {line.most - 1})", "r2" if line.most == 2 else "r3"
    if line.at_pause:
        return (found[0] or "1×") + " +pause", f"{found[1]}; it also runs each time the function pauses", found[2] or "r2"
    return found


# --------------------------------------------------------------------------- the page
class _Page:
    def __init__(self, picture: Picture, findings: list[Finding], counts: Mapping[str, int], source: Source, version: str) -> None:
        self.picture, self.counts, self.source, self.version = picture, counts, source, version
        self.left_out = max(len(findings) - MAX_FINDINGS, 0)
        self.findings = findings[:MAX_FINDINGS]
        self.functions = {f.key: f for f in picture.functions}
        self.home: dict[int, str] = {}  # index of a finding -> key of the function that shows it
        for n, finding in enumerate(self.findings):
            around = [f for f in picture.functions if (f.span.path, f.span.cell) == (finding.span.path, finding.span.cell) and f.span.line <= finding.span.line <= f.span.end_line]
            if around:
                self.home[n] = min(around, key=lambda f: f.span.end_line - f.span.line).key
        self.graphs = {g.key: g for g in picture.graphs}
        self.drawn: set[str] = set()

    def render(self) -> str:
        digest = base64.b64encode(hashlib.sha256(CSS.encode()).digest()).decode()
        body = [*self.contents(), *(part for g in self.picture.graphs for part in self.graph(g)), *self.rest()]
        title = "What runs again when a human answers"
        return "\n".join([
            "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
            f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'\">",
            '<meta name="viewport" content="width=device-width, initial-scale=1">', '<meta name="referrer" content="no-referrer">',
            '<meta name="color-scheme" content="light dark">', f"<title>{title} – hitl-lint</title>", f"<style>{CSS}</style>", "</head>", "<body>",
            '<a class="skip" href="#main">Skip to the graphs</a>', "<header>", f"<h1>{title}</h1>", f'<p class="lead">{esc(summary.sentence(self.counts))}</p>',
            "<p>LangGraph pauses a function by an exception and, when the answer comes, runs it again from its first line. Shaded lines run again.</p>",
            self.legend(), "</header>", '<main id="main" tabindex="-1">', *body, "</main>",
            f"<footer>hitl-lint {esc(self.version)}. This page loads nothing and runs no script.</footer>", "</body>", "</html>"]) + "\n"

    @staticmethod
    def legend() -> str:
        rows = (("", "1×", "once"), ("r2", "2×", "once, and once more with the answer (1 + 1 per answer)"), ("r3", "3×", "once, and once more with each of two answers"),
                ("r2", "1–2×", "once or twice: not every way asks"), ("r3", "1 + n×", "once, and once more with each of any number of answers"),
                ("rg", "1, 3, 6…×", "in rounds that ask (a loop, a function that calls itself): each answer runs all rounds so far once more"),
                ("r2", "+pause", "besides, each time the function pauses (<code>finally</code>, a handler)"))
        items = "".join(f'<li><b class="{shade}">{mark}</b>{words}</li>' for shade, mark, words in rows)
        items += '<li><span class="tag stop"><i class="pz" aria-hidden="true"></i>pauses</span>a question to a human</li>'
        return f'<ul class="legend" aria-label="How to read the margin">{items}<li><span class="tag gone">pause gets lost</span>a question that nobody sees</li></ul>'

    # ---- contents
    def contents(self) -> list[str]:
        if not self.picture.graphs and not self.picture.functions:
            what = "No graph that pauses was found." if self.counts.get("files_analysed") else "Nothing here uses LangGraph's interrupt()."
            return [f"<p>{what}</p>"]
        out = ['<nav aria-label="Contents">', "<ul>"]
        for g in self.picture.graphs:
            inner = []
            for key in self.of(g):
                inner.append(f'<li><a href="#{key}"><code>{esc(_cut(self.functions[key].name, 100))}</code></a> {self.brief(self.functions[key])}</li>')
            out.append(f'<li><a href="#{g.key}">{esc(g.name)}</a> <span class="dim">{esc(g.span.path)}</span>{"<ul>" + "".join(inner) + "</ul>" if inner else ""}</li>')
        if self.picture.alone:
            out.append('<li><a href="#alone">Outside of a graph in sight</a><ul>')
            out += [f'<li><a href="#{key}"><code>{esc(_cut(self.functions[key].name, 100))}</code></a> {self.brief(self.functions[key])}</li>' for key in self.picture.alone]
            out.append("</ul></li>")
        if len(self.home) < len(self.findings):
            out.append(f'<li><a href="#elsewhere">Other findings</a> <span class="dim">{len(self.findings) - len(self.home)}</span></li>')
        return [*out, "</ul>", "</nav>"]

    def of(self, g: Graph) -> list[str]:
        """The functions of a graph, each once."""
        return [k for k in dict.fromkeys(key for node in g.nodes for key in node.functions) if k in self.functions]

    def brief(self, f: Function) -> str:
        count = sum(key == f.key for key in self.home.values())
        words = [w for w in ("its pause gets lost" if f.lost else "", f"again: {runs_again([f])}" if runs_again([f]) else "", summary.plural(count, "finding") if count else "") if w]
        return f'<span class="dim">{"; ".join(words)}</span>' if words else ""

    # ---- graphs
    def graph(self, g: Graph) -> list[str]:
        kind = {"agent": "An agent", "react": "An agent", "supervisor": "A supervisor", "entrypoint": "An entrypoint"}.get(g.kind, "A graph")
        made = f", made in <code>{esc(g.made_in)}()</code>" if g.made_in else ""
        inside = f', a node of <a href="#{g.inside}">{esc(self.graphs[g.inside].name)}</a>' if g.inside in self.graphs else ""
        out = [f'<section id="{g.key}" aria-labelledby="{g.key}-h">', f'<h2 id="{g.key}-h">{esc(g.name)}</h2>', f'<p class="place">{kind} at {esc(_place(g.span))}{made}{inside}</p>']
        out += [f'<figure tabindex="0" aria-label="The graph {plain(_cut(g.name, 60))}; the same in words below">', self.svg(g), "</figure>"]
        if g.open:
            out.append('<p class="dim">This graph may have parts that could not be read from the code.</p>')
        if any(g.left_out):
            out.append(f'<p>Left out of the picture: {summary.plural(g.left_out[0], "node")} and {summary.plural(g.left_out[1], "edge")}.</p>')
        out += self.in_words(g)
        for key in self.of(g):
            if key in self.drawn:
                out.append(f'<p><a href="#{key}"><code>{esc(self.functions[key].name)}</code></a> is shown above.</p>')
            else:
                out += self.function(self.functions[key], [n.label for n in g.nodes if key in n.functions])
        return [*out, "</section>"]

    def in_words(self, g: Graph) -> list[str]:
        names = {n.key: n.label for n in g.nodes}
        out = ["<details>", "<summary>The graph in words</summary>", '<ul class="plain">']
        for n in (n for n in g.nodes if n.kind != "end"):
            ways = [(names[e.target], e) for e in g.edges if e.source == n.key]
            told = "; ".join(f"{esc(_cut(name, 80))} ({_KINDS[e.kind]}{', ' + esc(_cut(e.label, 80)) if e.label else ''})" for name, e in ways)
            marks = " pauses;" if n.pauses else " its pause gets lost;" if n.lost else ""
            out.append(f"<li><code>{esc(_cut(n.label, 80))}</code>{marks}{' ' + _STOPS[n.stops] + ';' if n.stops else ''} {'leads to ' + told if told else 'leads nowhere that can be read'}</li>")
        return [*out, "</ul>", "</details>"]

    def svg(self, g: Graph) -> str:
        subs = {n.key: self.under(n) for n in g.nodes}
        boxes = []
        for n in g.nodes:
            wide = max(_width(_cut(n.label, _NAME)) * _CHAR + (18 if n.pauses else 0), *(_width(s) * 6.8 for s in subs[n.key]), 40) + 26
            boxes.append(layout.Box(round(wide, 1), (34 if n.kind not in ("start", "end") else 28) + 15 * len(subs[n.key])))
        index = {n.key: k for k, n in enumerate(g.nodes)}
        labels = [_cut(" ".join(w for w in ("asks:" if e.asks else "", "goto" if e.kind == "goto" else "Send" if e.kind == "send" else "", e.label) if w), _NAME) for e in g.edges]
        links = [layout.Link(index[e.source], index[e.target], round(_width(text) * 7.0 + 10, 1) if text else 0, 18 if text else 0) for e, text in zip(g.edges, labels)]
        placed = layout.place(boxes, links)
        w, h = placed.width + 24, placed.height + 24
        pausing = [n.label for n in g.nodes if n.pauses]
        losing = [n.label for n in g.nodes if n.lost]
        said = f"Graph {g.name}: {summary.plural(sum(n.kind not in ('start', 'end', 'unknown') for n in g.nodes), 'node')}; pauses in {', '.join(pausing[:10]) or 'no node of its own'}"
        said += f"; the pause of {', '.join(losing[:10])} gets lost." if losing else "."
        out = [f'<svg role="group" aria-labelledby="{g.key}-t" viewBox="-12 -12 {w:g} {h:g}" width="{w:g}" height="{h:g}">', f'<title id="{g.key}-t">{plain(said)}</title>',
               f'<defs><marker id="{g.key}-a" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M0 0L10 5L0 10z"/></marker></defs>',
               '<g aria-hidden="true">']
        for e, route in zip(g.edges, placed.routes):
            out.append(f'<path class="{e.kind}" d="{_curve(route.points)}" marker-end="url(#{g.key}-a)"/>')
        for text, link, route in zip(labels, links, placed.routes):
            if text:
                x, y = route.label
                out.append(f'<rect class="labelbox" x="{x - link.width / 2:g}" y="{y - 9:g}" width="{link.width:g}" height="18"/><text class="label" x="{x:g}" y="{y + 4:g}">{plain(text)}</text>')
        out.append("</g>")
        for n, box, (x, y) in zip(g.nodes, boxes, placed.boxes):
            out.append(self.box(n, box, x, y, subs[n.key]))
        return "\n".join([*out, "</svg>"])

    def under(self, n: Node) -> list[str]:
        words = {"tools": ["tools"], "graph": ["a graph of its own"], "model": ["model"] if n.label != "model" else []}.get(n.kind, [])
        again = runs_again([self.functions[key] for key in n.functions if key in self.functions])
        return [*words, *([f"↻ {again}"] if again else []), *(["its pause gets lost"] if n.lost else []), *({"before": ["stops before"], "after": ["stops after"], "both": ["stops before and after"]}.get(n.stops, []))]

    def box(self, n: Node, box: layout.Box, x: float, y: float, subs: list[str]) -> str:
        css = " ".join([n.kind if n.kind not in ("start",) else "end", *(["pause"] if n.pauses else ["lost"] if n.lost else [])])
        round_ = box.height / 2 if n.kind in ("start", "end") else 6
        left, top = x - box.width / 2, y - box.height / 2
        shape = f'<rect x="{left:g}" y="{top:g}" width="{box.width:g}" height="{box.height:g}" rx="{round_:g}"/>'
        if n.kind == "graph":
            shape += f'<rect x="{left + 4:g}" y="{top + 4:g}" width="{box.width - 8:g}" height="{box.height - 8:g}" rx="4"/>'
        first = y - 7.5 * len(subs) + 4.5
        text = f'<text x="{x + (7 if n.pauses else 0):g}" y="{first:g}">{plain(_cut(n.label, _NAME))}</text>'
        if n.pauses:
            at = x + 7 - _width(_cut(n.label, _NAME)) * _CHAR / 2 - 13
            text += f'<path class="sign" d="M{at:g} {first - 9:g}v9M{at + 5:g} {first - 9:g}v9"/>'
        text += "".join(f'<text class="sub" x="{x:g}" y="{first + 15 * (k + 1):g}">{plain(s)}</text>' for k, s in enumerate(subs))
        to = n.nested if n.nested in self.graphs else next((key for key in n.functions if key in self.functions), "")
        group = f'<g class="{css}"><title>{plain(_cut(n.label, 200))}</title>{shape}{text}</g>'
        if not to:
            return group
        told = f"{_cut(n.label, 60)}{', pauses' if n.pauses else ', its pause gets lost' if n.lost else ''}{', again: ' + ', '.join(s[2:] for s in subs if s.startswith('↻')) if any(s.startswith('↻') for s in subs) else ''}"
        return f'<a href="#{to}" aria-label="{plain(told)}: to its {"graph" if n.nested in self.graphs else "source"}">{group}</a>'

    # ---- source
    def function(self, f: Function, nodes: Sequence[str]) -> list[str]:
        self.drawn.add(f.key)
        cell = f"cell {f.span.cell}, " if f.span.cell is not None else ""
        of = f"node {', '.join(f'<code>{esc(_cut(n, 60))}</code>' for n in nodes)} · " if nodes else ""
        what = "asked through by " if f.helper and nodes else ""
        out = [f'<article class="fn" id="{f.key}" aria-labelledby="{f.key}-h">', '<div class="head">', f'<h3 id="{f.key}-h"><code>{esc(f.name)}</code></h3>',
               f'<p class="place">{what}{of}{esc(f.span.path)}, {cell}lines {f.span.line}–{f.span.end_line}</p>', f'<p class="sum">{self.sum(f)}</p>']
        if f.router:
            out.append(f"<p>The conditional edge behind it asks (<code>{esc(f.router)}</code>), so all of it runs again with that answer.</p>")
        if f.helper and not f.lost:
            out.append("<p>Counted for one call of it. If its caller asks again later, the whole call runs again.</p>")
        lines = self.source(f.span.path, f.span.cell)
        if not lines:
            return [*out, "<p>Its source could not be read.</p>", "</div>", *self.findings_of(f, None), "</article>"]
        out += ["</div>", '<table class="src">', f'<caption class="sr">Source of {esc(f.name)} with how often each line runs</caption>',
                '<thead><tr><th scope="col" class="no">line</th><th scope="col">runs</th><th scope="col">code</th></tr></thead>', "<tbody>"]
        known = self.filled(f, lines)
        last = min(f.span.end_line, len(lines))
        shown = last if not f.left_out or not f.lines else min(last, f.lines[-1].number)
        for number in range(f.span.line, shown + 1):
            line = known.get(number)
            mark, words, shade = runs(line) if line is not None else ("", "", "")
            own = line is not None and line.number == number
            margin = f'<b title="{plain(words)}">{mark}</b><span class="sr"> {words}</span>' if own and mark else ""
            code = lines[number - 1]
            text = esc(code if len(code) <= _LONGEST else code[:_LONGEST]) + ('<span class="dim">… the line goes on</span>' if len(code) > _LONGEST else "")
            out.append(f'<tr class="code{" " + shade if shade else ""}"><th scope="row" class="no">{number}</th><td class="runs{" " + shade if shade else ""}">{margin}</td><td class="code text" dir="ltr">{text or " "}</td></tr>')
            said = [*(self.pause(x) for x in f.pauses if x.line == number), *(self.cost(c, line) for c in f.costs if c.line == number), *self.findings_of(f, number)]
            if said:
                out.append(f'<tr class="say{" " + shade if shade else ""}"><td></td><td class="runs{" " + shade if shade else ""}"></td><td>{"".join(said)}</td></tr>')
        out += ["</tbody>", "</table>"]
        if shown < last:
            out.append(f'<p class="place">Lines {shown + 1} to {last} are left out.</p>')
            for number in range(shown + 1, last + 1):
                out += self.findings_of(f, number)
        return [*out, "</article>"]

    @staticmethod
    def filled(f: Function, lines: Sequence[str]) -> dict[int, Line]:
        """The lines by number; blank lines, comments and `else:` between two lines of one shade take it on."""
        known = {line.number: line for line in f.lines}
        for a, b in zip(f.lines, f.lines[1:]):
            if b.number - a.number > 1 and runs(a)[2] == runs(b)[2] and all(
                    not t or t.startswith("#") or t in ("else:", "try:", "finally:") for t in (lines[n - 1].strip() for n in range(a.number + 1, min(b.number, len(lines) + 1)))):
                known.update({n: a for n in range(a.number + 1, b.number)})
        return known

    @staticmethod
    def sum(f: Function) -> str:
        if f.lost:
            return "Its pause gets lost on its way out: nobody is asked, so nothing runs again until that is mended."
        if not f.lines_again:
            return "No line of it runs again: it asks before anything else." if f.pauses else "Nothing of it runs again."
        again = [line for line in f.lines if line.again]
        if len(f.pauses) == 1 and not f.router and again[0].number == f.pauses[0].line and not any(line.grows for line in again) and not runs_again([f]):
            return "Nothing runs again but the question itself, which then has its answer."
        head = f"{summary.plural(f.lines_again, 'line')} run{'s' if f.lines_again == 1 else ''} again on resume"
        work = runs_again([f])
        return f"{head}: {work} once more." if work else f"{head}; no model call and no effect among them."

    def pause(self, x: Pause) -> str:
        if x.lost:
            words = "runs a graph whose pause gets lost" if x.nested else "pause gets lost"
            return self.chain(f'<span class="tag gone">{words}</span><code>{esc(_cut(x.callee, 80))}</code>', x.chain)
        words = "runs a graph that pauses" if x.nested else "pauses"
        return self.chain(f'<span class="tag stop"><i class="pz" aria-hidden="true"></i>{words}</span><code>{esc(_cut(x.callee, 80))}</code>', x.chain)

    def cost(self, c: Cost, line: Line | None) -> str:
        kind = {"model": "model call", "effect": "effect", "kept": "kept"}[c.kind]
        if c.kind == "kept":
            tail = ""
        elif c.again:
            tail = ": again with each answer" if line is None or line.most is None or line.most > 2 else ": once more with the answer"
        elif line is not None and line.again:
            tail = ": repeated, and that is no double" if c.kind == "effect" else ""
        else:
            tail = ": once"
        named = "" if c.proved else ' <span class="dim">(judged by its name)</span>'
        words = f'<span class="tag">{"↻ " if c.again else ""}{kind}</span><code>{esc(_cut(c.callee, 80))}</code> {esc(c.what)}{tail}{named}'
        return self.chain(words, c.chain if len(c.chain) > 1 else ())

    @staticmethod
    def chain(words: str, steps: Sequence[Step]) -> str:
        if not steps:
            return f"<div>{words}</div>"
        rows = "".join(f"<li><code>{esc(_place(s.span))}</code>: {esc(s.message)}</li>" for s in steps)
        return f"<details><summary>{words}</summary><ol>{rows}</ol></details>"

    # ---- findings
    def findings_of(self, f: Function, number: int | None) -> list[str]:
        return [self.finding(n) for n, key in self.home.items() if key == f.key and (number is None or self.findings[n].span.line == number)]

    def finding(self, n: int) -> str:
        x = self.findings[n]
        rows = "".join(f"<li><code>{esc(_place(s.span))}</code>: {esc(s.message)}</li>" for s in (*x.trace, *x.related))
        if x.pause is not None and x.pause != x.span:
            rows += f"<li><code>{esc(_place(x.pause))}</code>: pauses here</li>"
        inner = f"<p>Why:</p><ol>{rows}</ol>" if rows else ""
        if x.confidence is Confidence.NAMED:
            inner += "<p>Judged by its name: what it does could not be looked up, or its body only stands in for real code.</p>"
        inner += f'<p>What to do:</p><pre class="help" dir="ltr">{esc(x.help)}</pre>' if x.help else ""
        inner += "".join(f"<p>Fix ({esc(fix.safety)}): {esc(fix.title)}{'. ' + esc(fix.note[:1].upper() + fix.note[1:]) if fix.note else ''}</p>" for fix in x.fixes)
        inner += f"<p>No automatic fix: {esc(x.no_fix)}</p>" if x.no_fix and not x.fixes else ""
        inner += f'<p class="dim">The rule\'s page: <code>hitl-lint --explain {esc(x.code)}</code></p>'
        head = f'<span class="tag">{esc(x.severity.label)} {esc(x.code)}</span>{esc(x.message)}'
        return f'<div class="finding {x.severity.label}" id="x{n + 1}" data-fingerprint="{plain(fingerprint(x))}"><details><summary>{head}</summary>{inner}</details></div>'

    def rest(self) -> list[str]:
        out = []
        if self.picture.alone:
            out += ['<section id="alone" aria-labelledby="alone-h">', '<h2 id="alone-h">Outside of a graph in sight</h2>',
                    '<p class="place">These pause, but no graph that runs them was found in the files that were read.</p>']
            out += [part for key in self.picture.alone if key not in self.drawn for part in self.function(self.functions[key], ())]
            out.append("</section>")
        others = [n for n in range(len(self.findings)) if n not in self.home]
        others += [n for n, key in self.home.items() if key not in self.drawn]
        if others or self.left_out:
            out += ['<section id="elsewhere" aria-labelledby="elsewhere-h">', '<h2 id="elsewhere-h">Other findings</h2>']
            for n in sorted(others):
                span = self.findings[n].span
                lines = self.source(span.path, span.cell)
                code = lines[span.line - 1] if lines and 1 <= span.line <= len(lines) else ""
                out += [f'<p class="place">{esc(_place(span))}</p>', f'<pre dir="ltr"><code>{esc(_cut(code, _LONGEST))}</code></pre>' if code else "", self.finding(n)]
            if self.left_out:
                out.append(f"<p>{summary.plural(self.left_out, 'more finding')} not shown.</p>")
            out.append("</section>")
        if self.picture.left_out_graphs or self.picture.left_out_functions:
            out.append(f"<p>Left out: {summary.plural(self.picture.left_out_graphs, 'more graph')} and {summary.plural(self.picture.left_out_functions, 'more function')}.</p>")
        return out


def _width(text: str) -> int:
    """In characters of a fixed width: two for wide ones."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 8 if hidden(c, "") else 1 for c in text)


def _curve(points: Sequence[tuple[float, float]]) -> str:
    """A path through the points that leaves and arrives upright; straight where two are above each other."""
    x, y = points[0]
    out = [f"M{x:g} {y:g}"]
    for nx, ny in points[1:]:
        if nx == x:
            out.append(f"V{ny:g}")
        elif ny == y:
            out.append(f"H{nx:g}")
        else:
            half = (y + ny) / 2
            out.append(f"C{x:g} {half:g} {nx:g} {half:g} {nx:g} {ny:g}")
        x, y = nx, ny
    return "".join(out)
