"""The page of a rule (its docstring) in parts, as Markdown, and for a terminal."""

from __future__ import annotations

import re
import textwrap
from typing import Iterator

# "Wrong:" alone on its line, or a word or two before the colon at the beginning of a paragraph.
HEADINGS = ("At run time", "Wrong", "Right", "How to fix", "Where the line is drawn", "What it does not see")
_HEADING = re.compile(r"([A-Z][\w '-]{2,40}):(?=\s|$)")


def parts(doc: str) -> Iterator[tuple[str, str]]:
    """("heading" | "text" | "code", its text) from top to bottom. Prose is one line a paragraph, code keeps its lines."""
    paragraph: list[str] = []
    code: list[str] = []

    def flush() -> Iterator[tuple[str, str]]:
        if code:
            yield "code", textwrap.dedent("\n".join(code)).strip("\n")
            code.clear()
        if paragraph:
            text = " ".join(paragraph)
            paragraph.clear()
            match = _HEADING.match(text)
            if match and (match[1] in HEADINGS or match.end() == len(text)):
                yield "heading", match[1]
                text = text[match.end() :].strip()
                text = text[:1].upper() + text[1:]
            if text:
                yield "text", text

    for line in doc.strip().split("\n"):
        if line.startswith("    ") or not line.strip() and code:
            if paragraph:
                yield from flush()
            code.append(line)
            continue
        if code or not line.strip():
            yield from flush()
        if line.strip():
            paragraph.append(line.strip())
    yield from flush()


def markdown(doc: str) -> str:
    """Headings of the third level, code in fences."""
    out = []
    for kind, text in parts(doc):
        if kind == "code":
            fence = "```"
            while fence in text:
                fence += "`"
            out.append(f"{fence}python\n{text}\n{fence}")
        else:
            out.append(f"### {text}" if kind == "heading" else text)
    return "\n\n".join(out) + "\n"


def terminal(title: str, doc: str, width: int, colour: bool) -> str:
    """`title` and the page, prose broken at `width` columns; with `colour` headings are bold and code is dimmed."""
    def paint(text: str, how: str) -> str:
        return f"\x1b[{how}m{text}\x1b[0m" if colour and text else text

    out = paint(title, "1")
    before = ""
    for kind, text in parts(doc):
        if kind == "heading":
            block = paint(f"{text}:", "1")
        elif kind == "code":
            block = "\n".join(f"    {paint(line, '2')}" if line.strip() else "" for line in text.split("\n"))
        else:
            filled = "\n".join(textwrap.wrap(text, max(width, 30), break_long_words=False, break_on_hyphens=False))
            block = re.sub(r"`[^`\n]+`", lambda m: paint(m[0], "36"), filled)
        out += ("\n" if before == "heading" and kind == "text" else "\n\n") + block
        before = kind
    return out + "\n"
