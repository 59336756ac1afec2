"""Where the walk over a tree is in the text: what tokens, white space and comments take."""

from __future__ import annotations

import re
from typing import Any

import libcst as cst

from hitl_lint import facts as f
from hitl_lint.frontend.guard import TooDeep

# Levels of statements and expressions; facts are walked by recursion, a few Python frames a level. Hand-written code has up to 40.
DEPTH = 140

NEWLINE = re.compile(r"\r\n?|\n")
_STEERING = re.compile(r"noqa|hitl[-_ ]?lint|nosec|expect|allow:|\bzone\b|\bpause|^#[!?]", re.IGNORECASE)

_SimpleWhitespace = cst.SimpleWhitespace


class Scope:
    """What a function's own body tells about the function."""

    __slots__ = ("is_generator", "globals", "nonlocals")

    def __init__(self) -> None:
        self.is_generator = False
        self.globals: list[str] = []
        self.nonlocals: list[str] = []


class Cursor:
    """A place in the text of one module, and what is kept on the way. `line` and `col` are 1-based, `col` counts code points."""

    __slots__ = (
        "line", "col", "indent", "default_indent", "module", "comments", "statements", "scope", "prefix", "depth", "end_line", "end_col"
    )

    def __init__(self, module: cst.Module) -> None:
        self.module = module
        self.line = 1
        self.col = 1
        self.indent = 0
        self.default_indent = len(module.default_indent)
        self.comments: list[f.Comment] = []
        self.statements: list[tuple[int, int]] = []
        self.scope = Scope()
        self.prefix = ""
        self.depth = 0
        # Where the last simple statement ended: the end of every block around it.
        self.end_line = 1
        self.end_col = 1

    def deeper(self) -> TooDeep:
        """The error to raise where facts would nest deeper than `DEPTH`."""
        return TooDeep(self.line, self.col, "the code nests too deeply to be analysed")

    def text(self, value: str) -> None:
        """A token that may hold line ends."""
        if "\n" in value or "\r" in value:
            lines = NEWLINE.split(value)
            self.line += len(lines) - 1
            self.col = len(lines[-1]) + 1
        else:
            self.col += len(value)

    def space(self, node: Any) -> None:
        if type(node) is _SimpleWhitespace:
            value = node.value
            if value:
                if "\\" in value:
                    self.text(value)
                else:
                    self.col += len(value)
        else:
            self.parenthesized(node)

    def parenthesized(self, node: Any) -> None:
        if type(node) is not cst.ParenthesizedWhitespace:
            return  # a sentinel: nothing there
        self.trailing(node.first_line)
        if node.empty_lines:
            self.empty(node.empty_lines)
        if node.indent:
            self.col += self.indent
        self.space(node.last_line)

    def trailing(self, node: cst.TrailingWhitespace) -> None:
        comment = node.comment
        value = node.whitespace.value
        if "\\" in value:
            self.text(value)
        elif comment is not None:
            self.col += len(value)
        if comment is not None:
            self.comment(comment.value, False)
        self.line += 1
        self.col = 1

    def empty(self, lines: Any) -> None:
        for node in lines:
            value = node.whitespace.value
            comment = node.comment
            if comment is not None:
                if node.indent:
                    self.col += self.indent
                self.text(value)
                self.comment(comment.value, True)
            elif "\\" in value:
                self.text(value)
            self.line += 1
            self.col = 1

    def ending(self, text: str, first: int) -> None:
        """What comes behind the last statement of a text that begins in line `first`. Only there, and only before comments that are indented, libcst drops
        blank lines and sometimes the comments, too: they are read from the text, in place of what the tree has of them."""
        done = self.end_line if self.module.body else first - 1
        self.comments = [comment for comment in self.comments if comment.line <= done]
        rows = NEWLINE.split(text)
        for number in range(done - first + 1, len(rows)):
            word = rows[number].lstrip(" \t\f")
            if word.startswith("#"):
                self.line, self.col = first + number, len(rows[number]) - len(word) + 1
                self.comment(word, not (number and rows[number - 1].endswith("\\")))

    def comment(self, value: str, alone: bool) -> None:
        if _STEERING.search(value):
            self.comments.append(f.Comment(self.line, self.col, value, alone))

    def around(self, node: Any) -> None:
        """A token of one character with white space on both sides: comma, dot, colon, semicolon, equals sign."""
        before = node.whitespace_before
        if type(before) is _SimpleWhitespace and not before.value:
            self.col += 1
        else:
            self.space(before)
            self.col += 1
        after = node.whitespace_after
        if type(after) is _SimpleWhitespace:
            value = after.value
            if value:
                if "\\" in value:
                    self.text(value)
                else:
                    self.col += len(value)
        else:
            self.parenthesized(after)

    def open(self, pars: Any) -> None:
        for par in pars:
            self.col += 1
            self.space(par.whitespace_after)

    def close(self, pars: Any) -> None:
        for par in pars:
            self.space(par.whitespace_before)
            self.col += 1

    def spanned(self, first: int) -> None:
        if self.line > first:
            self.statements.append((first, self.line))
