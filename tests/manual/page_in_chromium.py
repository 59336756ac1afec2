"""Looks at the html page in headless Chromium, and renders the mermaid chart with the real mermaid. Not run by pytest: it needs a browser.

    apt-get install chromium; pip install playwright; npm install mermaid
    python tests/manual/page_in_chromium.py [--chromium /usr/bin/chromium] [--mermaid node_modules/mermaid/dist/mermaid.min.js] [--shots DIR]

Prints a line for each thing tried; exits with 1 if one of them fails.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = '''
import smtplib, requests
from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

model = ChatOpenAI(model="m")

def tell(text):
    with smtplib.SMTP("localhost") as s:
        s.sendmail("a@x", "b@x", text)  # </script><img src=x onerror="document.title='owned'">

def review(state):
    tell("a draft waits")
    better = model.invoke(state["draft"])
    if interrupt(better.content) == "no":
        return Command(goto="draft")
    return Command(goto="send")

def draft(state):
    return {}

def send(state):
    while True:
        a = interrupt("Was it right?")
        if a in ("yes", "no"):
            break
        requests.post("https://x.example", json={"a": a})
    return {}

g = StateGraph(dict)
g.add_node("draft", draft)
g.add_node("review", review)
g.add_node("send", send)
g.add_node('"]; click x "javascript:alert(1)" %%', lambda s: {})
g.add_edge(START, "draft")
g.add_conditional_edges("draft", lambda s: "ok", {"ok": "review", "</text><b>": '"]; click x "javascript:alert(1)" %%'})
g.add_edge("send", END)
app = g.compile()
'''

failed: list[str] = []


def told(what: str, good: bool) -> None:
    print(f"{'ok ' if good else 'BAD'} {what}")
    if not good:
        failed.append(what)


def lint(form: str, paths: list[str], folder: Path) -> Path:
    out = folder / f"report.{form}"
    subprocess.run([sys.executable, "-m", "hitl_lint", "--isolated", "--exit-zero", "-q", "--output-format", form, "-o", str(out), *paths], check=True,
                   env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}, cwd=folder)
    return out


def luminance(rgb: str) -> float:
    parts = [int(float(x)) / 255 for x in rgb[rgb.index("(") + 1:].rstrip(")").split(",")[:3]]
    r, g, b = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(page: Page, selector: str, behind: str | None = None, ink: str = "color", ground: str = "backgroundColor") -> float:
    """The contrast of an element's ink with the first opaque ground around it."""
    script = """([s, b, ink, ground]) => { const e = document.querySelector(s); let n = b ? document.querySelector(b) : e; let g = getComputedStyle(n)[ground];
      while (g === 'rgba(0, 0, 0, 0)' && n.parentElement) { n = n.parentElement; g = getComputedStyle(n)['backgroundColor']; } return [getComputedStyle(e)[ink], g]; }"""
    a, b = (luminance(x) for x in page.evaluate(script, [selector, behind, ink, ground]))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)


def look(page: Page, url: str, requests: list[str], shots: Path | None) -> None:
    errors: list[str] = []
    page.on("console", lambda m: errors.append(m.text))
    page.on("pageerror", lambda e: errors.append(str(e)))
    page.goto(url)
    told("nothing is loaded but the page itself", requests == [url])
    told("no complaint of the content security policy, styles apply", not errors and page.evaluate("getComputedStyle(document.querySelector('tr.r2')).backgroundColor") != "rgba(0, 0, 0, 0)")
    told("nothing of the source became markup", page.title().startswith("What runs again") and page.locator("img, script, b:has(> text)").count() == 0)

    page.keyboard.press("Tab")
    told("the first Tab stop is the skip link, and it is seen then", page.evaluate("document.activeElement.className") == "skip" and page.locator(".skip").bounding_box()["x"] >= 0)  # type: ignore[index]
    page.keyboard.press("Enter")
    told("it leads to the graphs", page.evaluate("document.activeElement.id") == "main")
    order = []
    for _ in range(60):
        page.keyboard.press("Tab")
        order.append(page.evaluate("(() => { const e = document.activeElement; return e.tagName + ' ' + (e.getAttribute('href') || e.textContent.trim().slice(0, 30)); })()"))
        if order[-1].startswith("BODY"):
            break
    told("Tab reaches contents, graph, nodes and findings in the order of the page", [w.split()[0] for w in order[:2]] == ["A", "A"] and any(w.startswith("FIGURE") for w in order)
         and any(w.startswith("a #f") for w in order) and any(w.startswith("SUMMARY") and "HIL101" in w for w in order))
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        ratios = {"text": contrast(page, "p.lead"), "dim": contrast(page, "p.place"), "link": contrast(page, "nav a"), "code in shade 2": contrast(page, "tr.code.r2 td.text"),
                  "number in shade 2": contrast(page, "tr.code.r2 th.no"), "code in a loop": contrast(page, "tr.code.rg td.text"), "number in a loop": contrast(page, "tr.code.rg th.no"),
                  "error": contrast(page, ".finding.error .tag"), "pause": contrast(page, ".tag.stop"), "node": contrast(page, "svg g.node:not(.pause) text", "svg g.node:not(.pause) rect", "fill", "fill"),
                  "pausing node": contrast(page, "svg g.pause text", "svg g.pause rect", "fill", "fill"), "label": contrast(page, "svg text.label", "svg rect.labelbox", "fill", "fill")}
        told(f"{scheme}: contrast of at least 4.5 ({', '.join(f'{k} {v:.1f}' for k, v in ratios.items())})", min(ratios.values()) >= 4.5)
        told(f"{scheme}: the ground is {scheme}", (luminance(page.evaluate("getComputedStyle(document.body).backgroundColor")) < 0.2) == (scheme == "dark"))
        if shots:
            page.screenshot(path=str(shots / f"{scheme}.png"), full_page=True)
    page.emulate_media(color_scheme="light")

    first = page.locator(".finding details").first
    first.locator("summary").click()
    told("a click opens the chain of a finding", first.locator("ol li").first.is_visible() and "sendmail" in first.inner_text())
    page.locator(".finding details summary").nth(1).focus()
    page.keyboard.press("Enter")
    told("Enter opens it, too", page.locator(".finding details").nth(1).get_attribute("open") is not None)
    page.locator("svg a").first.focus()
    page.keyboard.press("Enter")
    told("Enter on a node leads to its source", page.evaluate("location.hash.startsWith('#f') && document.querySelector(location.hash).getBoundingClientRect().top < innerHeight"))

    page.reload()
    page.emulate_media(media="print")
    told("print: closed chains are written out, the contents are not", page.locator(".finding details ol li").first.bounding_box() is not None and
         (page.locator(".finding details ol li").first.bounding_box() or {"height": 0})["height"] > 0 and not page.locator("nav").is_visible())
    if shots:
        page.pdf(path=str(shots / "print.pdf"))
        page.screenshot(path=str(shots / "print.png"), full_page=True)
    page.emulate_media(media="screen")
    for width in (320, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        told(f"{width} pixels wide: the page itself does not scroll sideways", page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
        if shots and width == 320:
            page.screenshot(path=str(shots / "narrow.png"), full_page=True)


def chart(page: Page, text: str, script: str) -> None:
    page.set_content("<pre id=out></pre>")
    page.add_script_tag(path=script)
    result = page.evaluate("""async (t) => { mermaid.initialize({startOnLoad: false, securityLevel: 'strict'});
      try { const r = await mermaid.render('x', t); document.body.innerHTML = r.svg; return document.body.innerText; } catch (e) { return 'ERROR ' + e; } }""", text)
    told(f"mermaid draws the chart ({' '.join(result.split())[:100]})", not result.startswith("ERROR") and "review" in result and "Syntax error" not in result)
    told("hostile names are its text", "click x" in result)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--chromium")
    options.add_argument("--mermaid")
    options.add_argument("--shots", type=Path)
    args = options.parse_args()
    with tempfile.TemporaryDirectory() as made, sync_playwright() as play:
        folder = Path(made)
        (folder / "app.py").write_text(PROGRAM)
        browser = play.chromium.launch(executable_path=args.chromium)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        requests: list[str] = []
        page.on("request", lambda r: requests.append(r.url))
        if args.shots:
            args.shots.mkdir(parents=True, exist_ok=True)
        look(page, lint("html", ["app.py"], folder).as_uri(), requests, args.shots)
        if args.mermaid:
            other = browser.new_page()
            chart(other, lint("mermaid", ["app.py"], folder).read_text(), args.mermaid)
            (folder / "more.py").write_text(PROGRAM.replace("app =", "bpp ="))
            chart(other, lint("mermaid", ["."], folder).read_text(), args.mermaid)
        browser.close()
    print(f"{len(failed)} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
