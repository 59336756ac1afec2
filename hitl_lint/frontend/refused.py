"""Python that libcst refuses, said in other words of the same length, so that all places stay what they are.

Only looked at after a parse has failed, and only where Python itself accepts the text. What is known: an annotated target in brackets,
`(total): int = 0` or `(row.total): int`. Its annotation is left out (Python keeps none for such a target, either); without a value an
expression remains that does nothing.
"""

from __future__ import annotations

import re
import warnings

_LINE_END = re.compile(r"\r\n?|\n")


def reworded(text: str) -> str | None:
    """The text with what libcst refuses put differently; None when nothing of the kind is there or Python does not accept it, either."""
    import ast

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        return None
    starts = [0, *(m.end() for m in _LINE_END.finditer(text))]

    def offset(line: int, column: int) -> int:
        """Columns of ast count bytes."""
        start = starts[line - 1]
        if text.isascii():
            return start + column
        return start + len(text[start:start + column].encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore"))

    out = list(text)
    found = False
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        stack.extend(child for child in ast.iter_child_nodes(node) if isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)))
        if not isinstance(node, ast.AnnAssign) or text[offset(node.lineno, node.col_offset)] != "(":
            continue
        target, annotation = node.target, node.annotation
        colon = text.find(":", offset(target.end_lineno or 0, target.end_col_offset or 0))
        if node.value is not None:
            end = text.find("=", offset(annotation.end_lineno or 0, annotation.end_col_offset or 0))
        else:
            end = offset(node.end_lineno or 0, node.end_col_offset or 0)
        # Comments may hold anything; a line without a character has no room for the backslash that joins it to the next.
        if not 0 <= colon < end or "#" in text[colon:end] or re.search(r"[\r\n][\r\n]+(?<!\r\n)", text[colon:end]):
            return None
        for i in range(colon, end):
            if text[i] not in "\r\n":
                out[i] = "\\" if i + 1 < end and text[i + 1] in "\r\n" else " "
        found = True
    return "".join(out) if found else None
