"""Patterns of a match statement, as the expressions they look like."""

from __future__ import annotations

from typing import Any, Callable

import libcst as cst

from hitl_lint import facts as f
from hitl_lint.frontend.expressions import SPINE, Expressions

_Comma = cst.Comma


class Patterns(Expressions):
    """`pattern` is the way in: the pattern as an expression; the names it binds are added to `captures`."""

    __slots__ = ()

    def pattern(self, node: Any, captures: list[str]) -> Any:
        kind = type(node)
        if kind is cst.MatchValue or kind is cst.MatchSingleton:
            return self.expr(node.value)
        if kind not in _PATTERNS:
            return self.unknown(node)
        if node.lpar:
            self.open(node.lpar)
        out = _PATTERNS[kind](self, node, captures)
        if node.rpar:
            self.close(node.rpar)
        return out

    def pattern_as(self, node: Any, captures: list[str]) -> Any:
        name = node.name.value if node.name is not None else "_"
        if node.pattern is not None:
            inner = self.pattern(node.pattern, captures)
            self.space(node.whitespace_before_as)
            self.col += 2
            self.space(node.whitespace_after_as)
            self.col += len(name)
            captures.append(name)
            return inner
        self.space(node.whitespace_before_as)
        self.space(node.whitespace_after_as)
        line, col = self.line, self.col
        self.col += len(name)
        if name != "_":
            captures.append(name)
        return f.Name((line, col, line, self.col), name)

    def pattern_or(self, node: Any, captures: list[str]) -> Any:
        line, col = self.line, self.col
        sides: list[Any] = []
        ends: list[tuple[int, int]] = []
        names: list[str] = []
        for element in node.patterns:
            sides.append(self.pattern(element.pattern, names))
            ends.append((self.line, self.col))
            if type(element.separator) is cst.BitOr:
                self.around(element.separator)
        # All alternatives bind the same names.
        captures.extend(dict.fromkeys(names))
        if len(sides) > SPINE:
            return f.Opaque((line, col, self.line, self.col), sides)
        out = sides[0]
        for side, end in zip(sides[1:], ends[1:]):
            out = f.Bin((line, col, *end), "|", out, side)
        return out

    def pattern_elements(self, nodes: Any, captures: list[str]) -> list[Any]:
        out: list[Any] = []
        for node in nodes:
            if type(node) is cst.MatchStar:
                line, col = self.line, self.col
                self.col += 1
                self.space(node.whitespace_before_name)
                name = node.name.value if node.name is not None else "_"
                start = self.col
                self.col += len(name)
                if name != "_":
                    captures.append(name)
                out.append(f.Star((line, col, self.line, self.col), f.Name((self.line, start, self.line, self.col), name)))
            else:
                out.append(self.pattern(node.value, captures))
            if type(node.comma) is _Comma:
                self.around(node.comma)
        return out

    def pattern_list(self, node: Any, captures: list[str]) -> Any:
        line, col = self.line, self.col
        if node.lbracket is not None:
            self.col += 1
            self.space(node.lbracket.whitespace_after)
        elements = self.pattern_elements(node.patterns, captures)
        if node.rbracket is not None:
            self.space(node.rbracket.whitespace_before)
            self.col += 1
        return f.Seq((line, col, self.line, self.col), "list" if node.lbracket is not None else "tuple", elements)

    def pattern_tuple(self, node: Any, captures: list[str]) -> Any:
        line, col = self.line, self.col
        elements = self.pattern_elements(node.patterns, captures)
        return f.Seq((line, col, self.line, self.col), "tuple", elements)

    def pattern_mapping(self, node: Any, captures: list[str]) -> Any:
        line, col = self.line, self.col
        self.col += 1
        self.space(node.lbrace.whitespace_after)
        keys: list[Any] = []
        values: list[Any] = []
        for element in node.elements:
            keys.append(self.expr(element.key))
            self.space(element.whitespace_before_colon)
            self.col += 1
            self.space(element.whitespace_after_colon)
            values.append(self.pattern(element.pattern, captures))
            if type(element.comma) is _Comma:
                self.around(element.comma)
        if node.rest is not None:
            self.col += 2
            self.space(node.whitespace_before_rest)
            keys.append(None)
            values.append(self.name(node.rest))
            captures.append(node.rest.value)
            if node.trailing_comma is not None:
                self.around(node.trailing_comma)
        self.space(node.rbrace.whitespace_before)
        self.col += 1
        return f.Dict((line, col, self.line, self.col), keys, values)

    def pattern_class(self, node: Any, captures: list[str]) -> Any:
        line, col = self.line, self.col
        func = self.expr(node.cls)
        self.space(node.whitespace_after_cls)
        self.col += 1
        self.space(node.whitespace_before_patterns)
        args: list[Any] = [f.Arg(p.at, None, 0, p) for p in self.pattern_elements(node.patterns, captures)]
        for element in node.kwds:
            start_line, start_col = self.line, self.col
            self.col += len(element.key.value)
            self.space(element.whitespace_before_equal)
            self.col += 1
            self.space(element.whitespace_after_equal)
            value = self.pattern(element.pattern, captures)
            args.append(f.Arg((start_line, start_col, self.line, self.col), element.key.value, 0, value))
            if type(element.comma) is _Comma:
                self.around(element.comma)
        self.space(node.whitespace_after_kwds)
        self.col += 1
        return f.Call((line, col, self.line, self.col), func, args)


def irrefutable(pattern: Any) -> bool:
    """Whether the pattern matches anything: `_`, a capture, either with `as`, or an alternative of that kind."""
    while type(pattern) is cst.MatchAs:
        if pattern.pattern is None:
            return True
        pattern = pattern.pattern
    return type(pattern) is cst.MatchOr and any(irrefutable(e.pattern) for e in pattern.patterns)


_PATTERNS: dict[type, Callable[[Patterns, Any, list[str]], Any]] = {
    cst.MatchAs: Patterns.pattern_as,
    cst.MatchOr: Patterns.pattern_or,
    cst.MatchList: Patterns.pattern_list,
    cst.MatchTuple: Patterns.pattern_tuple,
    cst.MatchMapping: Patterns.pattern_mapping,
    cst.MatchClass: Patterns.pattern_class,
}
