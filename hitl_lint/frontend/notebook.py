"""The Python in a notebook: its code cells, with everything that only IPython understands replaced line by line.

Standard library only. The replacement keeps the number of lines, and the columns of what is Python.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

# Cell magics that run the rest of the cell as Python in the notebook's own namespace. Any other `%%…` cell is skipped whole.
PYTHON_CELL_MAGICS = frozenset(
    {"time", "timeit", "capture", "prun", "memit", "mprun", "lprun", "debug", "ipytest", "snakeviz", "scalene", "pyinstrument", "wandb"}
)

_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_END = re.compile(r"\r\n?")
_CELL_MAGIC = re.compile(r"\s*%%(\w*)")
# `%time f()` and `%timeit -n 10 f()` run a statement. "if 1:" has the width of "%time".
_TIMED = re.compile(r"([ \t]*)%time(it)?\b((?:[ \t]+-[a-zA-Z]+[ \t]*\d*(?=[ \t]))*)(?=[ \t]+\S)"
                    r"(?![ \t]+(?:for|while|with|if|def|class|try|async|match)\b)")
_MAGIC = re.compile(r"[ \t]*(?:%[A-Za-z_]|!|\?|/[A-Za-z_]|[,;][A-Za-z_])")
_ASSIGNED = re.compile(r"([ \t]*[A-Za-z_][\w.,* \t\[\]'\"]*?=[ \t]*)(?:![^=]|%[A-Za-z_])")
_HELP = re.compile(r"[\w*)\]}]\?{1,2}\s*$")
# What IPython takes for a command without a %: `pip install x`, `cd data`. An assignment, call or comparison is Python all the same.
_AUTOMAGIC = re.compile(r"[ \t]*(?:pip3?|conda|mamba|uv|cd|ls|ll|pwd|mkdir|rmdir|rm|cp|mv|cat|less|more|man|env|who|whos|clear|history|load_ext|matplotlib|autoreload)"
                        r"[ \t]+(?![=(\[,:+*/|&<>%^@)]|(?:in|is|if|or|and|not|for|as|import)\b)\S")
_MAYBE = re.compile(r"^[ \t]*(?:[%!?/,;]|[a-z_]+3?[ \t]+[\w~/.-])|=[ \t]*[!%]|\?[ \t]*(?:#.*)?$", re.MULTILINE)
_TOKEN = re.compile(
    r"#[^\n]*|(?s:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\")|'(?:\\(?s:.)|[^'\\\n])*'|\"(?:\\(?s:.)|[^\"\\\n])*\"|\\\n|[()\[\]{}\n]"
)


@dataclass
class CodeCell:
    """`index` in the notebook's list of cells; `text` is Python as far as IPython lets it be, without a final line end; `raw` the same lines as written."""

    index: int
    text: str
    raw: str


class NotANotebook(ValueError):
    """The bytes are no notebook; `line` and `column` are 1-based places in the JSON."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.line, self.column, self.message = line, column, message


def code_cells(data: bytes) -> list[CodeCell]:
    """The Python cells of a notebook in JSON (formats 3 and 4); none if its language is another one. Raises NotANotebook."""
    try:
        book = json.loads(data.decode("utf-8-sig"), strict=False, parse_int=float)  # no number matters, and integers have a longest length
    except json.JSONDecodeError as error:
        raise NotANotebook(error.lineno, error.colno, f"the notebook is not valid JSON: {error.msg}") from None
    except UnicodeDecodeError as error:
        raise NotANotebook(1, 1, f"the notebook is not valid utf-8: {error.reason}") from None
    except RecursionError:
        raise NotANotebook(1, 1, "the notebook is not valid: its JSON is nested too deeply") from None
    except ValueError as error:
        raise NotANotebook(1, 1, f"the notebook is not valid JSON: {error}") from None
    cells = book.get("cells") if isinstance(book, dict) else None
    if cells is None and isinstance(book, dict) and isinstance(book.get("worksheets"), list):
        cells = [cell for sheet in book["worksheets"] if isinstance(sheet, dict) for cell in _list(sheet.get("cells"))]
    if not isinstance(cells, list):
        raise NotANotebook(1, 1, "the notebook has no list of cells")
    if _language(book) not in ("python", "python3", "python2", "ipython", ""):
        return []
    out: list[CodeCell] = []
    for index, cell in enumerate(cells):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        if _language(cell) not in ("python", ""):
            continue
        source = cell.get("source", cell.get("input", ""))
        if isinstance(source, list):
            source = "".join(line for line in source if isinstance(line, str))
        if isinstance(source, str):
            raw = _SURROGATE.sub("\ufffd", _LINE_END.sub("\n", source)).removesuffix("\n")
            out.append(CodeCell(index, plain(raw), raw))
    return out


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _language(holder: dict[str, Any]) -> str:
    """The declared language of a notebook or of one cell in lower case, "" if none is."""
    metadata = holder.get("metadata")
    if not isinstance(metadata, dict):
        return ""
    for section, key in (("kernelspec", "language"), ("language_info", "name"), ("vscode", "languageId")):
        part = metadata.get(section)
        name = part.get(key) if isinstance(part, dict) else None
        if isinstance(name, str) and name:
            return name.lower()
    return ""


def plain(text: str) -> str:
    """The text of one cell with magics, shell lines and help requests replaced; as many lines as before."""
    return _plain(text[:-1] if text.endswith("\n") else text)


def _plain(text: str) -> str:
    if not _MAYBE.search(text):
        return text
    magic = _CELL_MAGIC.match(text)
    if magic:
        if magic[1] not in PYTHON_CELL_MAGICS:
            return "\n" * text.count("\n")
        end = text.find("\n", magic.end())
        return "\n" * text.count("\n") if end < 0 else "\n" * text.count("\n", 0, end) + _plain(text[end:])
    out: list[str] = []
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        line = text[at:] if end < 0 else text[at:end]
        timed = _TIMED.match(line)
        if timed:
            head = timed[1] + "if 1:"
            out.append(head + " " * (timed.end() - len(head)))
            start, at = at, at + timed.end()
            at = _logical_end(text, at)
            out.append(text[start + timed.end() : at])
            continue
        assigned = _ASSIGNED.match(line)
        magic_line = _MAGIC.match(line) or _AUTOMAGIC.match(line)
        help_end = 0 if assigned or magic_line else _help_end(text, at)
        if assigned or magic_line or help_end:
            start, at = at, help_end or _physical_end(text, at)
            lines = text[start:at].count("\n")
            indent = line[: len(line) - len(line.lstrip())]
            out.append((assigned[1] + "get_ipython()" if assigned else indent + "pass") + "\n" * lines)
            continue
        start, at = at, _logical_end(text, at)
        out.append(text[start:at])
    return "".join(out)


def _help_end(text: str, at: int) -> int:
    """Behind the logical line that starts at `at` if it is an expression followed by `?` or `??`, which IPython answers with its
    documentation (and does not run); else 0."""
    end = _logical_end(text, at)
    line = text[at:end]
    if "?" not in line:
        return 0
    tokens = [token for token in _TOKEN.findall(line) if token in "()[]{}"]
    if sum(token in "([{" for token in tokens) * 2 != len(tokens):
        return 0
    # Without strings and comments a question mark is no Python, wherever it stands.
    bare = _TOKEN.sub(lambda match: match[0] if match[0] in "()[]{}" else "" if match[0][0] in "#\\\n" else "_", line)
    return end if _HELP.search(bare) and "'" not in bare and '"' not in bare else 0


def _physical_end(text: str, at: int) -> int:
    """Behind the line that starts at `at`, with the lines that a final backslash adds to it."""
    while True:
        end = text.find("\n", at)
        if end < 0:
            return len(text)
        at = end + 1
        if text[end - 1] != "\\":
            return at


def _logical_end(text: str, at: int) -> int:
    """Behind the logical line of Python that starts at `at`: brackets and strings may go on over several lines."""
    depth = 0
    for match in _TOKEN.finditer(text, at):
        token = match[0]
        if token == "\n":
            if depth <= 0:
                return match.end()
        elif token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
    return len(text)
