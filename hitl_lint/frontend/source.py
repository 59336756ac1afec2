"""From bytes to facts: decoding, notebook cells, the parse. libcst is imported only when something is to be parsed."""

from __future__ import annotations

import codecs
import gc
import re
from typing import Any

from hitl_lint.facts import Module, Problem
from hitl_lint.frontend import guard

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#[^\r\n]*)?$")
_LINE_END = re.compile(r"\r\n?|\n")


class Unreadable(Exception):
    """The bytes are no module; `line` and `column` are 1-based."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.problem = Problem(line, column, message, None)


def read(path: str, data: bytes) -> Module:
    """The facts of one file; `path` is relative with forward slashes, a notebook by its suffix. Never raises: what cannot be read is a Problem."""
    try:
        return _parse(path, decode(data))
    except Unreadable as error:
        return Module(path, [], problems=[error.problem])


def decode(data: bytes) -> str:
    """The text of a Python file by byte order mark and PEP 263. Raises Unreadable."""
    marked = data.startswith(codecs.BOM_UTF8)
    if marked:
        data = data[3:]
    nul = data.find(b"\0")
    if nul >= 0:
        raise Unreadable(*_place(data, nul), "the file holds a NUL byte, so it is not Python source")
    encoding = "utf-8" if marked else _declared(data)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise Unreadable(*_place(data, error.start), f"the file is not valid {encoding}: {error.reason}") from None
    except LookupError:
        raise Unreadable(1, 1, f"the file declares the unknown encoding {encoding!r}") from None
    except Exception as error:  # codecs of all kinds can be declared; some raise what they like
        raise Unreadable(1, 1, f"the file cannot be decoded as {encoding}: {_first_line(error)}") from None


def _declared(data: bytes) -> str:
    for line in re.split(rb"\r\n?|\n", data[:2000], maxsplit=2)[:2]:
        match = _COOKIE.match(line)
        if match:
            return match[1].decode("ascii", "replace")
        if not _BLANK.match(line):
            break
    return "utf-8"


def _place(data: bytes, offset: int) -> tuple[int, int]:
    before = re.split(rb"\r\n?|\n", data[:offset])
    return len(before), len(before[-1].decode("utf-8", "replace")) + 1


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _tree(text: str) -> Any:
    """The libcst module. Raises Unreadable."""
    deep = guard.too_deep(text)
    if deep is not None:
        raise Unreadable(*deep)
    import libcst

    try:
        return libcst.parse_module(text)
    except libcst.ParserSyntaxError as error:
        raise Unreadable(error.raw_line, error.raw_column + 1, f"syntax error: {_first_line_of(error.message)}") from None
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of the native parser is no Exception
        raise Unreadable(1, 1, f"the parser failed: {_first_line(error)}") from None


def _first_line_of(message: str) -> str:
    return message.strip().splitlines()[0] if message.strip() else "not Python"


def _parse(path: str, text: str) -> Module:
    collecting = gc.isenabled()
    gc.disable()
    try:
        tree = _tree(text)
        from hitl_lint.frontend.lower import lower

        try:
            module = lower(tree, path)
        except RecursionError:
            raise Unreadable(1, 1, "the code is nested too deeply to be analysed") from None
    finally:
        if collecting:
            gc.enable()
    module.lines = line_count(text)
    return module


def line_count(text: str) -> int:
    ends = len(_LINE_END.findall(text))
    return ends if not text or text[-1] in "\r\n" else ends + 1
