"""From bytes to facts: decoding, notebook cells, the parse. libcst is imported only when something is to be parsed."""

from __future__ import annotations

import codecs
import gc
import re
from typing import Any, Callable

from hitl_lint.facts import Cell, Module, Problem, walk
from hitl_lint.frontend import guard

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#[^\r\n]*)?$")
_STACK = 64 << 20
# The longest code that is parsed, in bytes. The parser takes up to a kilobyte of memory and eight microseconds for each byte, so that more
# would cost gigabytes and minutes of a whole run. The largest module met that people wrote has 1.7 MB; what is larger is data or generated.
MAX_BYTES = 2_000_000
_LINE_END = re.compile(r"\r\n?|\n")


class Unreadable(Exception):
    """The bytes are no module; `line` and `column` are 1-based."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.problem = Problem(line, column, message, None)


def read(path: str, data: bytes) -> Module:
    """The facts of one file; `path` is relative with forward slashes and tells a notebook by its suffix.

    Never raises: what cannot be read is a Problem.
    """
    try:
        if path.lower().endswith(".ipynb"):
            return _notebook(path, data)
        _bounded(len(data), "it is")
        return _module(path, decode(data))
    except Unreadable as error:
        return Module(path, [], problems=[error.problem])


def _bounded(size: int, what: str) -> None:
    """Raises Unreadable when there is too much of it."""
    if size > MAX_BYTES:
        raise Unreadable(1, 1, f"{what} {-(-size // 100_000) / 10} MB long, more than the {MAX_BYTES / 1e6:.0f} MB that are read: exclude it, or move what "
                               "pauses to a file of its own")


def decode(data: bytes) -> str:
    """The text of a Python file by byte order mark and PEP 263. Raises Unreadable."""
    marked = data.startswith(codecs.BOM_UTF8)
    if marked:
        data = data[3:]
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)):
        raise Unreadable(1, 1, "the file is UTF-16 or UTF-32 text, which Python does not read")
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


def lines_of(path: str, data: bytes) -> list[str] | None:
    """The lines that `at` in the facts of this file counts, without their ends and as they are written; None when it cannot be read."""
    try:
        if path.lower().endswith(".ipynb"):
            from hitl_lint.frontend.notebook import code_cells

            return [line for cell in code_cells(data) for line in cell.raw.split("\n")]
        return _LINE_END.split(decode(data))
    except (Unreadable, ValueError):
        return None


def encoding_of(data: bytes) -> str:
    """The encoding that `decode` reads these bytes in, as one that can be written without a mark of its own."""
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8"
    encoding = _declared(data)
    return "utf-8" if encoding.lower().replace("_", "-") == "utf-8-sig" else encoding


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


def _first_line(error: object) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _tree(text: str) -> Any:
    """The libcst module. Raises Unreadable and guard.TooDeep."""
    if guard.stack_wanted(text) > guard.DIRECT:
        return _on_a_thread(_parse, text)
    return _parse(text)


def _on_a_thread(call: Callable[[str], Any], text: str) -> Any:
    """What `call(text)` returns or raises, with a stack of `_STACK` bytes."""
    import threading

    done: list[tuple[Any, BaseException | None]] = []

    def work() -> None:
        try:
            done.append((call(text), None))
        except BaseException as error:
            done.append((None, error))

    before = threading.stack_size(_STACK)
    try:
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    value, error = done[0]
    if error is not None:
        raise error
    return value


def _parse(text: str) -> Any:
    """Raises Unreadable."""
    import libcst

    try:
        return libcst.parse_module(text)
    except libcst.ParserSyntaxError as error:
        from hitl_lint.frontend.refused import reworded

        other = reworded(text)
        if other is not None:
            try:
                return libcst.parse_module(other)
            except Exception:  # what was put differently was not the trouble, or not the only one
                pass
        raise _syntax_error(text, error) from None
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of the native parser is no Exception
        raise Unreadable(1, 1, f"the parser failed: {_first_line(error)}") from None


def _syntax_error(text: str, error: Any) -> Unreadable:
    """In the words of this Python, which are better than those of libcst, if Python cannot read the text either."""
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<source>", "exec", flags=0x400, dont_inherit=True)  # ast.PyCF_ONLY_AST, without importing ast
    except SyntaxError as known:
        line = min(max(known.lineno or 1, 1), max(line_count(text), 1))
        return Unreadable(line, max(known.offset or 1, 1), f"syntax error: {known.msg}")
    except (ValueError, OverflowError, RecursionError, MemoryError):
        pass
    place = re.search(r"error at (\d+):(\d+)", error.message)
    line, column = (int(place[1]), int(place[2])) if place else (error.raw_line, error.raw_column)
    return Unreadable(max(line, 1), column + 1, "the parser (libcst) does not know this syntax")


def _module(path: str, text: str) -> Module:
    """Raises Unreadable."""
    moved: dict[int, int] = {}
    if "\f" in text:
        text, moved = _without_form_feeds(text)
    module = lowered(path, text)
    module.lines = line_count(text)
    if moved:
        _move(module, moved)
    return module


def lowered(path: str, text: str, line: int = 1) -> Module:
    """The facts of a text without form feeds that begins in this line of the file (`lines` is left to the caller). Raises Unreadable."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        tree = _tree(text)
        from hitl_lint.frontend.lower import lower

        return lower(tree, path, text, line)
    except guard.TooDeep as error:
        raise Unreadable(error.line, error.column, str(error)) from None
    except (RecursionError, MemoryError):
        raise Unreadable(1, 1, "the code nests too deeply to be analysed") from None
    finally:
        if collecting:
            gc.enable()


def _without_form_feeds(text: str) -> tuple[str, dict[int, int]]:
    """The text without the form feeds before code, and how many characters were taken out, by line.

    A form feed takes back the indentation so far; libcst drops it, or counts it as a block's indentation.
    """
    moved: dict[int, int] = {}
    out: list[str] = []
    done = 0
    for start, end in guard.indentations(text):
        last = text.rfind("\f", start, end)
        if last >= 0:
            moved[line_count(text[:start] + "x")] = last + 1 - start
            out.append(text[done:start])
            done = last + 1
    return "".join(out) + text[done:], moved


def _move(module: Module, moved: dict[int, int]) -> None:
    """Put the nodes of some lines to the right."""
    for node in walk(module, into_functions=True):
        for name in ("at", "whole"):
            at = getattr(node, name, None)
            if at is not None and (at[0] in moved or at[2] in moved):
                setattr(node, name, (at[0], at[1] + moved.get(at[0], 0), at[2], at[3] + moved.get(at[2], 0)))
    for comment in module.comments:
        comment.column += moved.get(comment.line, 0)


def _notebook(path: str, data: bytes) -> Module:
    """All code cells as one module; a cell that is not Python is left out and reported. Raises Unreadable."""
    from hitl_lint.frontend.notebook import NotANotebook, code_cells

    try:
        found = code_cells(data)
    except NotANotebook as error:
        raise Unreadable(error.line, error.column, error.message) from None
    texts = [cell.text for cell in found]
    _bounded(sum(map(len, texts)), "the code of the notebook is")
    table: list[Cell] = []
    first = 1
    for cell in found:
        lines = cell.text.count("\n") + 1
        table.append(Cell(cell.index, first, lines))
        first += lines
    problems: list[Problem] = []
    try:
        module = _module(path, "\n".join(texts))
    except Unreadable as whole:
        for number, text in enumerate(texts):
            try:
                _module(path, text)
            except Unreadable as error:
                problem = error.problem
                problems.append(Problem(problem.line, problem.column, problem.message, found[number].index))
                texts[number] = "\n" * text.count("\n")
        try:
            module = _module(path, "\n".join(texts))
        except Unreadable:  # each cell is fine alone, but they do not go together
            module = Module(path, [])
            problems.append(_in_cell(whole.problem, table))
    module.cells = table
    module.problems = problems
    module.lines = first - 1
    return module


def _in_cell(problem: Problem, table: list[Cell]) -> Problem:
    for cell in reversed(table):
        if problem.line >= cell.first:
            return Problem(problem.line - cell.first + 1, problem.column, problem.message, cell.index)
    return problem


def line_count(text: str) -> int:
    ends = len(_LINE_END.findall(text))
    return ends if not text or text[-1] in "\r\n" else ends + 1
