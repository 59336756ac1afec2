"""The report for a person at a terminal: the line, the code with the call and the pause underlined, the chain of reasons, what to do."""

from __future__ import annotations

import unicodedata
from typing import Callable, Iterable, Mapping, NamedTuple, Sequence

from hitl_lint.finding import Confidence, Finding, Severity, Span
from hitl_lint.reporters import concise, summary

# The lines of a file (or of one cell of a notebook); None when they cannot be had any more.
Source = Callable[[str, "int | None"], "Sequence[str] | None"]

_TAB = "    "
_COLOURS = {"bold": "1", "error": "1;31", "warning": "1;33", "note": "1;36", "frame": "34", "pause": "36", "help": "32"}
_CODE_COLOUR = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


class Style(NamedTuple):
    """`width` is the number of columns to stay within."""

    colour: bool = False
    width: int = 100

    def paint(self, text: str, kind: str) -> str:
        return f"\x1b[{_COLOURS[kind]}m{text}\x1b[0m" if self.colour and text else text


class _Label(NamedTuple):
    span: Span
    text: str
    mark: str
    kind: str


def render(findings: Iterable[Finding], counts: Mapping[str, int] | None, source: Source, style: Style = Style()) -> str:
    """The whole report, each line ended, with the summary line unless `counts` is None."""
    blocks = [_block(finding, source, style) for finding in findings]
    return "".join(f"{block}\n\n" for block in blocks) + (summary.sentence(counts) + "\n" if counts is not None else "")


def _block(f: Finding, source: Source, style: Style) -> str:
    kind = _CODE_COLOUR[f.severity]
    out = [f"{style.paint(concise.place(f.span), 'bold')}: {style.paint(f.code, kind)} {concise.one_line(f.message)}"]
    labels = [_Label(f.span, "", "^", kind)]
    if f.pause is not None and f.pause != f.span:
        labels.append(_Label(f.pause, "pauses here", "-", "pause"))
    labels += [_Label(step.span, concise.one_line(step.message), "-", "pause") for step in f.related]
    out += _frames(labels, f.span, source, style)
    bar = style.paint("=", "frame")
    for n, step in enumerate(f.trace):
        head = "because" if n == 0 else "   then"
        out.append(f"  {bar} {head} {concise.place(step.span)}: {concise.one_line(step.message)}")
    if f.confidence is Confidence.NAMED:
        out.append(f"  {bar} judged by its name: what it does could not be looked up, or its body only stands in for real code")
    if f.no_fix and not f.fixes:
        out.append(f"  {bar} no automatic fix: {concise.one_line(f.no_fix)}")
    help_lines = [concise.one_line(line) if not line.isprintable() else line for line in f.help.split("\n")] if f.help else []
    for n, line in enumerate(help_lines):
        out.append(f"  {bar} {style.paint('help:', 'help')} {line}" if n == 0 else f"          {line}".rstrip())
    for fix in f.fixes:
        out.append(f"  {bar} {style.paint('fix:' if fix.safety == 'safe' else 'unsafe fix:', 'help')} {concise.one_line(fix.title)}")
        if fix.note:
            out.append(f"         {concise.one_line(fix.note)}")
    return "\n".join(out)


def _frames(labels: Sequence[_Label], first: Span, source: Source, style: Style) -> list[str]:
    """Code frames of all labels, one per file or cell, the finding's own first."""
    places = list(dict.fromkeys([(first.path, first.cell), *((label.span.path, label.span.cell) for label in labels)]))
    out: list[str] = []
    for path, cell in places:
        lines = source(path, cell)
        here = [label for label in labels if (label.span.path, label.span.cell) == (path, cell)]
        if lines is None or not any(1 <= label.span.line <= len(lines) for label in here):
            out += [f"  {style.paint('-->', 'frame')} {concise.place(label.span)}: {label.text}" for label in here if label.text]
            continue
        if (path, cell) != (first.path, first.cell):
            out.append(f"  {style.paint('-->', 'frame')} {concise.place(here[0].span)}")
        out += _frame(here, lines, style)
    return out


def _frame(labels: Sequence[_Label], lines: Sequence[str], style: Style) -> list[str]:
    """The marked lines with a line around each; lines between marks that are far apart are left out."""
    marked = {label.span.line for label in labels if 1 <= label.span.line <= len(lines)}
    wanted = sorted(n for n in {n + d for n in marked for d in (-1, 0, 1)} if 1 <= n <= len(lines))
    while wanted and wanted[0] not in marked and not lines[wanted[0] - 1].strip():
        wanted.pop(0)
    while wanted and wanted[-1] not in marked and not lines[wanted[-1] - 1].strip():
        wanted.pop()
    gutter = len(str(wanted[-1]))
    bar = style.paint("|", "frame")
    room = max(style.width - gutter - 4, 40)
    out = [f"{' ' * (gutter + 1)} {bar}"]
    previous = wanted[0] - 1
    for n in wanted:
        if n - previous == 2:  # a gap of one line is shown: an ellipsis would be no shorter
            out.append(_code_line(n - 1, lines[n - 2], gutter, room, 0, style)[0])
        elif n - previous > 2:
            out.append(f"{style.paint('...', 'frame')}")
        previous = n
        here = sorted((label for label in labels if label.span.line == n), key=lambda label: label.span.column)
        text, shift = _code_line(n, lines[n - 1], gutter, room, here[0].span.column if here else 0, style)
        out.append(text)
        for label in here:
            out.append(f"{' ' * (gutter + 1)} {bar} {_underline(label, lines[n - 1], shift, room, style)}".rstrip())
    out.append(f"{' ' * (gutter + 1)} {bar}")
    return out


def _code_line(number: int, text: str, gutter: int, room: int, column: int, style: Style) -> tuple[str, int]:
    """(the numbered line, how many columns were cut at its left so that `column`, in code points, is in view)."""
    shown = _expand(text.rstrip())
    at = _width(_expand(text[: max(column - 1, 0)]))
    shift = 0
    if _width(shown) > room:
        shift = max(0, min(at - room // 3, _width(shown) - room + 1)) if at > room * 2 // 3 else 0
        shown = _cut(shown, shift, room)
    bar = style.paint("|", "frame")
    return f" {style.paint(str(number).rjust(gutter), 'frame')} {bar} {shown}".rstrip(), shift


def _underline(label: _Label, text: str, shift: int, room: int, style: Style) -> str:
    span = label.span
    start = _width(_expand(text[: span.column - 1])) - shift
    until = text[: span.end_column - 1] if span.end_line == span.line else text.split("#")[0].rstrip() if "#" in text else text.rstrip()
    end = max(_width(_expand(until)) - shift, start + 1)
    start = max(start, 0)
    end = max(min(end, room), start + 1)
    return " " * start + style.paint(label.mark * (end - start) + (f" {label.text}" if label.text else ""), label.kind)


def _expand(text: str) -> str:
    """Tabs as four blanks, other control characters as a mark: nothing in the checked source may steer the terminal."""
    text = text.replace("\t", _TAB)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or unicodedata.combining(c) else " " if c.isspace() else "\ufffd" for c in text)


def _width(text: str) -> int:
    """Terminal columns of an expanded text: two for wide characters, none for combining ones."""
    return len(text) if text.isascii() else sum(map(_char_width, text))


def _char_width(c: str) -> int:
    # Marks without a combining class (vowels of Thai and Devanagari), and the later letters of a Korean syllable written in parts.
    if unicodedata.combining(c) or unicodedata.category(c) in ("Mn", "Me") or "\u1160" <= c <= "\u11ff" or "\ud7b0" <= c <= "\ud7ff" or c in "\u200b\u200d\ufe0e\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def _cut(text: str, left: int, room: int) -> str:
    """The part of `text` that starts at terminal column `left`, at most `room` wide, with ellipses where something is missing."""
    out = []
    column = 0
    for c in text:
        width = _char_width(c)
        if column >= left + (1 if left else 0) and column + width <= left + room - 1:
            out.append(c)
        elif column < left + (1 if left else 0) < column + width:
            out.append(" " * (column + width - left - 1))  # half of a wide character
        column += width
    return ("…" if left else "") + "".join(out) + ("…" if column > left + room - 1 else "")
