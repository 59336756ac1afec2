"""From a libcst tree to facts, with positions, in one walk.

The walk goes over the tree in the order of the text and adds up what every token and every white space takes, as libcst's own
code generator would. So positions cost next to nothing, no metadata provider and no private interface of libcst is needed, and a
mistake in the arithmetic shows at once (the tests compare with `PositionProvider`).

Left-nested chains (`a.b().c[0] + 1`) and `elif` chains are walked in loops, not by recursion. What nests deeper than facts can bear is
flattened without losing a call: a longer chain keeps its outer `SPINE` links, and what its inner ones evaluate becomes the parts of one
Opaque; behind `ELIFS` branches an `if` goes on as the match statement that means the same.
"""

from __future__ import annotations

import re
from typing import Any, Callable

import libcst as cst

from hitl_lint import facts as f

SPINE = 80
ELIFS = 40
# Levels of statements and expressions; facts are walked by recursion, a few Python frames a level. Hand-written code has up to 40.
DEPTH = 140

_NEWLINE = re.compile(r"\r\n?|\n")
_STEERING = re.compile(r"noqa|hitl[-_ ]?lint|nosec|expect|allow:|\bzone\b|\bpause|^#[!?]", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(\r\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|.)", re.DOTALL)
_SIMPLE_ESCAPES = {"\n": "", "\r": "", "\r\n": "", "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r",
                   "t": "\t", "v": "\v"}
# Longer integers cannot be written as decimals (and so not as JSON) on every Python.
_MAX_DIGITS = 4000

_Name = cst.Name
_SimpleWhitespace = cst.SimpleWhitespace
_Comma = cst.Comma
_Semicolon = cst.Semicolon
_AssignEqual = cst.AssignEqual


class TooDeep(Exception):
    """The code nests deeper than facts may; `line` and `column` are 1-based."""

    def __init__(self, line: int, column: int) -> None:
        super().__init__("the code nests too deeply to be analysed")
        self.line, self.column = line, column


class _Scope:
    """What a function's own body tells about the function."""

    __slots__ = ("is_generator", "globals", "nonlocals")

    def __init__(self) -> None:
        self.is_generator = False
        self.globals: list[str] = []
        self.nonlocals: list[str] = []


def _unescape(text: str) -> str:
    """The value of the inside of a string literal that is not raw; unknown escapes stay as they are, as in Python."""

    def one(match: re.Match[str]) -> str:
        body = match[1]
        known = _SIMPLE_ESCAPES.get(body)
        if known is not None:
            return known
        head = body[0]
        try:
            if head in "xuU" and len(body) > 1:
                code = int(body[1:], 16)
                return "\ufffd" if 0xD800 <= code <= 0xDFFF else chr(code)  # half a pair could be neither printed nor written
            if head in "01234567":
                return chr(int(body, 8))
            if head == "N" and len(body) > 1:
                import unicodedata

                return unicodedata.lookup(body[2:-1])
        except (ValueError, KeyError, OverflowError):
            pass
        return match[0]

    return _ESCAPE.sub(one, text)


def _literal(value: str) -> tuple[str, str]:
    """Kind ("str" or "bytes") and value of one string literal as written; bytes stay as written."""
    quote = value.find('"') if value[-1] == '"' else value.find("'")
    prefix = value[:quote].lower()
    if "b" in prefix:
        return "bytes", value
    width = 3 if len(value) - quote >= 6 and value[quote : quote + 3] == value[quote] * 3 else 1
    inside = value[quote + width : -width]
    if "\r" in inside:
        inside = _NEWLINE.sub("\n", inside)
    if "\\" in inside and "r" not in prefix:
        inside = _unescape(inside)
    return "str", inside


class _Lowering:
    """One walk over one module. `line` and `col` say where the walk is in the text."""

    __slots__ = ("line", "col", "indent", "default_indent", "module", "comments", "statements", "scope", "prefix", "end_line", "end_col", "depth")

    def __init__(self, module: cst.Module) -> None:
        self.module = module
        self.line = 1
        self.col = 1
        self.indent = 0
        self.default_indent = len(module.default_indent)
        self.comments: list[f.Comment] = []
        self.statements: list[tuple[int, int]] = []
        self.scope = _Scope()
        self.prefix = ""
        self.depth = 0
        # Where the last simple statement ended: the end of every block around it.
        self.end_line = 1
        self.end_col = 1

    # ------------------------------------------------------------------ text
    def text(self, value: str) -> None:
        """A token that may hold line ends."""
        if "\n" in value or "\r" in value:
            lines = _NEWLINE.split(value)
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

    # ------------------------------------------------------------------ expressions
    def expr(self, node: Any) -> Any:
        kind = type(node)
        if kind is _Name:
            if node.lpar:
                return self.wrapped(node, _Lowering.name)
            return self.name(node)
        depth = self.depth
        if depth >= DEPTH:
            raise TooDeep(self.line, self.col)
        handler = _EXPRESSIONS.get(kind)
        if handler is not None:
            self.depth = depth + 1
            out = self.wrapped(node, handler) if node.lpar else handler(self, node)
            self.depth = depth
            return out
        if kind not in _LEFT:
            return self.unknown(node)
        spine: list[tuple[Any, int, int]] = []
        while True:
            if node.lpar:
                self.open(node.lpar)
            spine.append((node, self.line, self.col))
            field = _LEFT[kind]
            node = node.func if field == 0 else node.value if field == 1 else node.left
            kind = type(node)
            if kind not in _LEFT:
                break
        out = self.expr(node)
        if len(spine) > SPINE:
            out = self.long_spine(spine, out)
        while spine:
            self.depth = depth + len(spine)
            node, line, col = spine.pop()
            out = _FINISH[type(node)](self, node, out, line, col)
            if node.rpar:
                self.close(node.rpar)
        self.depth = depth
        return out

    def wrapped(self, node: Any, handler: Callable[[_Lowering, Any], Any]) -> Any:
        self.open(node.lpar)
        out = handler(self, node)
        self.close(node.rpar)
        return out

    def long_spine(self, spine: list[tuple[Any, int, int]], out: Any) -> Any:
        """The inner links of a chain that is too long: all that they evaluate, in order, in one Opaque. Leaves the outer links in `spine`."""
        depth = self.depth
        parts = [out]
        while len(spine) > SPINE:
            self.depth = depth + SPINE
            node, line, col = spine.pop()
            nothing = f.Opaque((line, col, self.line, self.col), [])
            link = _FINISH[type(node)](self, node, nothing, line, col)
            for part in link.values if type(link) is f.BoolOp else f.children(link):
                if part is not nothing:
                    parts.append(part.value if type(part) is f.Arg else part)
            if node.rpar:
                self.close(node.rpar)
            out = f.Opaque((line, col, self.line, self.col), parts)
        self.depth = depth
        return out

    def unknown(self, node: Any) -> Any:
        """An expression newer than this walk: its width from libcst's generator, its parts with rough positions."""
        line, col = self.line, self.col
        parts: list[Any] = []
        for child in getattr(node, "children", ()):
            if isinstance(child, cst.BaseExpression):
                parts.append(self.expr(child))
        self.line, self.col = line, col
        self.text(self.module.code_for_node(node))
        return f.Opaque((line, col, self.line, self.col), parts)

    def name(self, node: Any) -> Any:
        line, col, value = self.line, self.col, node.value
        end = self.col = col + len(value)
        if value in _SINGLETONS:
            kind, constant = _SINGLETONS[value]
            return f.Const((line, col, line, end), kind, constant)
        return f.Name((line, col, line, end), value)

    def integer(self, node: Any) -> Any:
        line, col, value = self.line, self.col, node.value
        end = self.col = col + len(value)
        at = (line, col, line, end)
        try:
            return f.Const(at, "int", int(value, 0)) if len(value) <= _MAX_DIGITS else f.Opaque(at, [])
        except ValueError:
            return f.Opaque(at, [])

    def floating(self, node: Any) -> Any:
        line, col, value = self.line, self.col, node.value
        end = self.col = col + len(value)
        return f.Const((line, col, line, end), "float", float(value))

    def imaginary(self, node: Any) -> Any:
        line, col, value = self.line, self.col, node.value
        end = self.col = col + len(value)
        return f.Const((line, col, line, end), "complex", value)

    def ellipsis(self, node: Any) -> Any:
        line, col = self.line, self.col
        self.col = col + 3
        return f.Const((line, col, line, col + 3), "ellipsis", "...")

    def string(self, node: Any) -> Any:
        line, col, value = self.line, self.col, node.value
        self.text(value)
        kind, content = _literal(value)
        return f.Const((line, col, self.line, self.col), kind, content)

    def formatted(self, node: Any) -> Any:
        line, col = self.line, self.col
        start = node.start
        self.col = col + len(start)
        parts: list[Any] = []
        self.format_parts(node.parts, "r" in start or "R" in start, parts)
        self.col += len(node.end)
        return f.FStr((line, col, self.line, self.col), parts)

    def format_parts(self, nodes: Any, raw: bool, parts: list[Any]) -> None:
        for part in nodes:
            if type(part) in _FORMAT_TEXT:
                line, col, value = self.line, self.col, part.value
                self.text(value)
                if "\r" in value:
                    value = _NEWLINE.sub("\n", value)
                if "\\" in value and not raw:
                    value = _unescape(value)
                if "{{" in value or "}}" in value:
                    value = value.replace("{{", "{").replace("}}", "}")
                parts.append(f.Const((line, col, self.line, self.col), "str", value))
                continue
            self.col += 1
            self.space(part.whitespace_before_expression)
            parts.append(self.expr(part.expression))
            if part.equal is not None:
                self.around(part.equal)
            self.space(part.whitespace_after_expression)
            if part.conversion is not None:
                self.col += 1 + len(part.conversion)
            if part.format_spec is not None:
                self.col += 1
                self.format_parts(part.format_spec, raw, parts)
            self.col += 1

    def concatenated(self, node: Any) -> Any:
        line, col = self.line, self.col
        pieces: list[Any] = []
        closing: list[Any] = []
        while True:
            pieces.append(self.expr(node.left))
            self.space(node.whitespace_between)
            node = node.right
            if type(node) is not cst.ConcatenatedString:
                break
            if node.lpar:
                self.open(node.lpar)
                closing.append(node)
        pieces.append(self.expr(node))
        for node in reversed(closing):
            self.close(node.rpar)
        at = (line, col, self.line, self.col)
        if all(type(p) is f.Const for p in pieces):
            kind = pieces[0].kind
            return f.Const(at, kind, ("" if kind == "str" else " ").join(p.value for p in pieces))
        parts: list[Any] = []
        for piece in pieces:
            parts.extend(piece.parts if type(piece) is f.FStr else [piece])
        return f.FStr(at, parts)

    # -- left-nested ones: the left side is done, `line` and `col` are where the whole began
    def finish_call(self, node: Any, func: Any, line: int, col: int) -> Any:
        self.space(node.whitespace_after_func)
        self.col += 1
        self.space(node.whitespace_before_args)
        args = [self.arg(a) for a in node.args] if node.args else []
        self.col += 1
        return f.Call((line, col, self.line, self.col), func, args)

    def arg(self, node: Any) -> Any:
        line, col = self.line, self.col
        star = len(node.star)
        name = None
        if star:
            self.col = col + star
            self.space(node.whitespace_after_star)
        elif node.keyword is not None:
            name = node.keyword.value
            self.col = col + len(name)
            self.around(node.equal)
        value = self.expr(node.value)
        at = (line, col, self.line, self.col)
        if type(node.comma) is _Comma:
            self.around(node.comma)
        self.space(node.whitespace_after_arg)
        return f.Arg(at, name, star, value)

    def finish_attribute(self, node: Any, value: Any, line: int, col: int) -> Any:
        self.around(node.dot)
        attr = node.attr
        if attr.lpar:
            self.open(attr.lpar)
        self.col += len(attr.value)
        return f.Attr((line, col, self.line, self.col), value, attr.value)

    def finish_subscript(self, node: Any, value: Any, line: int, col: int) -> Any:
        self.space(node.whitespace_after_value)
        self.col += 1
        self.space(node.lbracket.whitespace_after)
        start_line, start_col = self.line, self.col
        indices: list[Any] = []
        comma = False
        for element in node.slice:
            index = element.slice
            if type(index) is cst.Index:
                if index.star is not None:
                    star_line, star_col = self.line, self.col
                    self.col += 1
                    if index.whitespace_after_star is not None:
                        self.space(index.whitespace_after_star)
                    starred = self.expr(index.value)
                    indices.append(f.Star((star_line, star_col, self.line, self.col), starred))
                    comma = True
                else:
                    indices.append(self.expr(index.value))
            else:
                indices.append(self.slice(index))
            end_line, end_col = self.line, self.col
            if type(element.comma) is _Comma:
                self.around(element.comma)
                comma = True
        self.space(node.rbracket.whitespace_before)
        self.col += 1
        whole = indices[0] if not comma else f.Seq((start_line, start_col, end_line, end_col), "tuple", indices)
        return f.Sub((line, col, self.line, self.col), value, whole)

    def slice(self, node: Any) -> Any:
        line, col = self.line, self.col
        lower = self.expr(node.lower) if node.lower is not None else None
        self.around(node.first_colon)
        upper = self.expr(node.upper) if node.upper is not None else None
        if type(node.second_colon) is cst.Colon:
            self.around(node.second_colon)
        step = self.expr(node.step) if node.step is not None else None
        return f.Slice((line, col, self.line, self.col), lower, upper, step)

    def finish_binary(self, node: Any, left: Any, line: int, col: int) -> Any:
        operator = node.operator
        op = _BINARY[type(operator)]
        self.space(operator.whitespace_before)
        self.col += len(op)
        self.space(operator.whitespace_after)
        right = self.expr(node.right)
        return f.Bin((line, col, self.line, self.col), op, left, right)

    def finish_boolean(self, node: Any, left: Any, line: int, col: int) -> Any:
        operator = node.operator
        op = "and" if type(operator) is cst.And else "or"
        self.space(operator.whitespace_before)
        self.col += len(op)
        self.space(operator.whitespace_after)
        right = self.expr(node.right)
        at = (line, col, self.line, self.col)
        if type(left) is f.BoolOp and left.op == op:
            left.values.append(right)
            left.at = at
            return left
        return f.BoolOp(at, op, [left, right])

    def finish_comparison(self, node: Any, left: Any, line: int, col: int) -> Any:
        ops: list[str] = []
        rights: list[Any] = []
        for target in node.comparisons:
            operator = target.operator
            kind = type(operator)
            self.space(operator.whitespace_before)
            if kind in _TWO_WORDS:
                first, second = _TWO_WORDS[kind]
                self.col += len(first)
                self.space(operator.whitespace_between)
                self.col += len(second)
                ops.append(f"{first} {second}")
            else:
                op = _COMPARE.get(kind) or operator.value
                self.col += len(op)
                ops.append("!=" if op == "<>" else op)
            self.space(operator.whitespace_after)
            rights.append(self.expr(target.comparator))
        return f.Cmp((line, col, self.line, self.col), left, ops, rights)

    # -- the others
    def unary(self, node: Any) -> Any:
        line, col = self.line, self.col
        op = _UNARY[type(node.operator)]
        self.col += len(op)
        self.space(node.operator.whitespace_after)
        value = self.expr(node.expression)
        return f.Un((line, col, self.line, self.col), op, value)

    def awaited(self, node: Any) -> Any:
        line, col = self.line, self.col
        self.col += 5
        self.space(node.whitespace_after_await)
        value = self.expr(node.expression)
        return f.Await((line, col, self.line, self.col), value)

    def yielded(self, node: Any) -> Any:
        self.scope.is_generator = True
        line, col = self.line, self.col
        self.col += 5
        self.space(node.whitespace_after_yield)
        value = node.value
        is_from = type(value) is cst.From
        if is_from:
            self.space(value.whitespace_before_from)
            self.col += 4
            self.space(value.whitespace_after_from)
            value = value.item
        out = self.expr(value) if value is not None else None
        return f.Yield((line, col, self.line, self.col), out, is_from)

    def conditional(self, node: Any) -> Any:
        line, col = self.line, self.col
        body = self.expr(node.body)
        self.space(node.whitespace_before_if)
        self.col += 2
        self.space(node.whitespace_after_if)
        test = self.expr(node.test)
        self.space(node.whitespace_before_else)
        self.col += 4
        self.space(node.whitespace_after_else)
        orelse = self.expr(node.orelse)
        return f.IfExp((line, col, self.line, self.col), test, body, orelse)

    def walrus(self, node: Any) -> Any:
        line, col = self.line, self.col
        target = self.expr(node.target)
        self.space(node.whitespace_before_walrus)
        self.col += 2
        self.space(node.whitespace_after_walrus)
        value = self.expr(node.value)
        return f.Walrus((line, col, self.line, self.col), target, value)

    def function_lambda(self, node: Any) -> Any:
        line, col = self.line, self.col
        self.col += 6
        self.space(node.whitespace_after_lambda)
        params = self.parameters(node.params)
        self.around(node.colon)
        outer, self.scope = self.scope, _Scope()
        prefix, self.prefix = self.prefix, f"{self.prefix}<lambda>."
        self.depth += 2  # Lambda, Function, Return
        body = self.expr(node.body)
        inner, self.scope, self.prefix = self.scope, outer, prefix
        at = (line, col, self.line, self.col)
        return f.Lambda(at, f.Function(at, at, "<lambda>", f"{prefix}<lambda>", params, None, [], [f.Return(body.at, body)], False,
                                       inner.is_generator, [], []))


    def elements(self, nodes: Any) -> list[Any]:
        out: list[Any] = []
        for node in nodes:
            out.append(self.expr(node.value if type(node) is cst.Element else node))
            if type(node.comma) is _Comma:
                self.around(node.comma)
        return out

    def starred(self, node: Any) -> Any:
        line, col = self.line, self.col
        self.col += 1
        self.space(node.whitespace_before_value)
        value = self.expr(node.value)
        return f.Star((line, col, self.line, self.col), value)

    def tuple(self, node: Any) -> Any:
        line, col = self.line, self.col
        elements = self.elements(node.elements)
        return f.Seq((line, col, self.line, self.col), "tuple", elements)

    def list(self, node: Any) -> Any:
        line, col = self.line, self.col
        self.col += 1
        self.space(node.lbracket.whitespace_after)
        elements = self.elements(node.elements)
        self.space(node.rbracket.whitespace_before)
        self.col += 1
        return f.Seq((line, col, self.line, self.col), "list", elements)

    def set(self, node: Any) -> Any:
        line, col = self.line, self.col
        self.col += 1
        self.space(node.lbrace.whitespace_after)
        elements = self.elements(node.elements)
        self.space(node.rbrace.whitespace_before)
        self.col += 1
        return f.Seq((line, col, self.line, self.col), "set", elements)

    def dict(self, node: Any) -> Any:
        line, col = self.line, self.col
        self.col += 1
        self.space(node.lbrace.whitespace_after)
        keys: list[Any] = []
        values: list[Any] = []
        for element in node.elements:
            if type(element) is cst.DictElement:
                keys.append(self.expr(element.key))
                self.space(element.whitespace_before_colon)
                self.col += 1
                self.space(element.whitespace_after_colon)
            else:
                keys.append(None)
                self.col += 2
                self.space(element.whitespace_before_value)
            values.append(self.expr(element.value))
            if type(element.comma) is _Comma:
                self.around(element.comma)
        self.space(node.rbrace.whitespace_before)
        self.col += 1
        return f.Dict((line, col, self.line, self.col), keys, values)

    def comprehension(self, node: Any) -> Any:
        line, col = self.line, self.col
        kind = _COMPREHENSIONS[type(node)]
        bracket = node.lbracket if kind == "list" else node.lbrace if kind != "gen" else None
        if bracket is not None:
            self.col += 1
            self.space(bracket.whitespace_after)
        key = None
        if type(node) is cst.DictComp:
            key = self.expr(node.key)
            self.space(node.whitespace_before_colon)
            self.col += 1
            self.space(node.whitespace_after_colon)
            elt = self.expr(node.value)
        elif kind == "dict":
            star_line, star_col = self.line, self.col
            self.col += 2
            self.space(node.whitespace_before_value)
            value = self.expr(node.value)
            elt = f.Star((star_line, star_col, self.line, self.col), value)
        else:
            elt = self.expr(node.elt)
        generators: list[f.Generator] = []
        clause = node.for_in
        while clause is not None:
            self.space(clause.whitespace_before)
            if clause.asynchronous is not None:
                self.col += 5
                self.space(clause.asynchronous.whitespace_after)
            self.col += 3
            self.space(clause.whitespace_after_for)
            target = self.expr(clause.target)
            self.space(clause.whitespace_before_in)
            self.col += 2
            self.space(clause.whitespace_after_in)
            source = self.expr(clause.iter)
            ifs: list[Any] = []
            for condition in clause.ifs:
                self.space(condition.whitespace_before)
                self.col += 2
                self.space(condition.whitespace_before_test)
                ifs.append(self.expr(condition.test))
            generators.append(f.Generator(target, source, ifs, clause.asynchronous is not None))
            clause = clause.inner_for_in
        bracket = node.rbracket if kind == "list" else node.rbrace if kind != "gen" else None
        if bracket is not None:
            self.space(bracket.whitespace_before)
            self.col += 1
        return f.Comp((line, col, self.line, self.col), kind, elt, key, generators)

    # ------------------------------------------------------------------ definitions
    def parameters(self, node: Any) -> list[Any]:
        out: list[Any] = []
        for param in node.posonly_params:
            out.append(self.param(param, "pos"))
        if type(node.posonly_ind) is cst.ParamSlash:
            self.col += 1
            self.space(node.posonly_ind.whitespace_after)
            if type(node.posonly_ind.comma) is _Comma:
                self.around(node.posonly_ind.comma)
        for param in node.params:
            out.append(self.param(param, "any"))
        star = node.star_arg
        if type(star) is cst.Param:
            out.append(self.param(star, "star"))
        elif type(star) is cst.ParamStar:
            self.col += 1
            self.around(star.comma)
        for param in node.kwonly_params:
            out.append(self.param(param, "kw"))
        if node.star_kwarg is not None:
            out.append(self.param(node.star_kwarg, "star2"))
        return out

    def param(self, node: Any, kind: str) -> Any:
        line, col = self.line, self.col
        if kind == "star":
            self.col += 1
        elif kind == "star2":
            self.col += 2
        self.space(node.whitespace_after_star)
        name = node.name.value
        self.col += len(name)
        at = (line, col, self.line, self.col)
        annotation = self.annotation(node.annotation, 1) if node.annotation is not None else None
        default = None
        if node.default is not None:
            self.around(node.equal)
            default = self.expr(node.default)
        if type(node.comma) is _Comma:
            self.around(node.comma)
        self.space(node.whitespace_after_param)
        return f.Param(at, name, kind, annotation, default)

    def annotation(self, node: Any, indicator: int) -> Any:
        """`indicator` is the width of `:` or `->`."""
        self.space(node.whitespace_before_indicator)
        self.col += indicator
        self.space(node.whitespace_after_indicator)
        return self.expr(node.annotation)

    def type_parameters(self, node: Any) -> None:
        """Type parameters are evaluated lazily, if ever: only their width counts."""
        self.col += 1
        self.space(node.lbracket.whitespace_after)
        for item in node.params:
            param = item.param
            kind = type(param)
            if kind is not cst.TypeVar:
                self.col += 1 if kind is cst.TypeVarTuple else 2
                self.space(param.whitespace_after_star)
            self.col += len(param.name.value)
            if kind is cst.TypeVar and param.bound is not None:
                self.around(param.colon)
                self.expr(param.bound)
            if type(item.equal) is _AssignEqual:
                self.around(item.equal)
            self.col += len(item.star)
            self.space(item.whitespace_after_star)
            if item.default is not None:
                self.expr(item.default)
            if type(item.comma) is _Comma:
                self.around(item.comma)
        self.space(node.rbracket.whitespace_before)
        self.col += 1

    def decorators(self, nodes: Any) -> list[Any]:
        out: list[Any] = []
        for node in nodes:
            self.empty(node.leading_lines)
            self.col += self.indent
            first = self.line
            self.col += 1
            self.space(node.whitespace_after_at)
            out.append(self.expr(node.decorator))
            self.spanned(first)
            self.trailing(node.trailing_whitespace)
        return out

    def function(self, node: Any, out: list[Any]) -> None:
        self.empty(node.leading_lines)
        if node.decorators:
            whole_line, whole_col = self.first_decorator(node.decorators[0])
            decorators = self.decorators(node.decorators)
            self.empty(node.lines_after_decorators)
            self.col += self.indent
            line, col = self.line, self.col
        else:
            decorators = []
            self.empty(node.lines_after_decorators)
            self.col += self.indent
            whole_line, whole_col = line, col = self.line, self.col
        if node.asynchronous is not None:
            self.col += 5
            self.space(node.asynchronous.whitespace_after)
        self.col += 3
        self.space(node.whitespace_after_def)
        name = node.name.value
        name_line, name_col = self.line, self.col
        self.col += len(name)
        at = (name_line, name_col, self.line, self.col)
        self.space(node.whitespace_after_name)
        if node.type_parameters is not None:
            self.type_parameters(node.type_parameters)
        self.space(node.whitespace_after_type_parameters)
        self.col += 1
        self.space(node.whitespace_before_params)
        params = self.parameters(node.params)
        self.col += 1
        returns = self.annotation(node.returns, 2) if node.returns is not None else None
        head = (line, col, self.line, self.col)
        self.space(node.whitespace_before_colon)
        self.col += 1
        self.spanned(line)
        outer, self.scope = self.scope, _Scope()
        prefix, self.prefix = self.prefix, f"{self.prefix}{name}."
        body = self.suite(node.body)
        inner, self.scope, self.prefix = self.scope, outer, prefix
        whole = (whole_line, whole_col, self.end_line, self.end_col)
        out.append(f.Def(head, f.Function(at, whole, name, prefix + name, params, returns, decorators, body, node.asynchronous is not None,
                                          inner.is_generator, inner.globals, inner.nonlocals)))

    def first_decorator(self, node: Any) -> tuple[int, int]:
        """Where the `@` of a first decorator will stand (only its leading lines come before)."""
        return self.line + len(node.leading_lines), self.indent + 1

    def klass(self, node: Any, out: list[Any]) -> None:
        self.empty(node.leading_lines)
        if node.decorators:
            whole_line, whole_col = self.first_decorator(node.decorators[0])
            decorators = self.decorators(node.decorators)
            self.empty(node.lines_after_decorators)
            self.col += self.indent
            line, col = self.line, self.col
        else:
            decorators = []
            self.empty(node.lines_after_decorators)
            self.col += self.indent
            whole_line, whole_col = line, col = self.line, self.col
        self.col += 5
        self.space(node.whitespace_after_class)
        name = node.name.value
        name_line, name_col = self.line, self.col
        self.col += len(name)
        at = (name_line, name_col, self.line, self.col)
        self.space(node.whitespace_after_name)
        if node.type_parameters is not None:
            self.type_parameters(node.type_parameters)
        self.space(node.whitespace_after_type_parameters)
        if type(node.lpar) is cst.LeftParen:
            self.col += 1
            self.space(node.lpar.whitespace_after)
        bases = [self.arg(a) for a in (*node.bases, *node.keywords)]
        if type(node.rpar) is cst.RightParen:
            self.space(node.rpar.whitespace_before)
            self.col += 1
        head = (line, col, self.line, self.col)
        self.space(node.whitespace_before_colon)
        self.col += 1
        self.spanned(line)
        outer, self.scope = self.scope, _Scope()
        prefix, self.prefix = self.prefix, f"{self.prefix}{name}."
        body = self.suite(node.body)
        self.scope, self.prefix = outer, prefix
        whole = (whole_line, whole_col, self.end_line, self.end_col)
        out.append(f.ClassStmt(head, f.Class(at, whole, name, prefix + name, bases, decorators, body)))

    # ------------------------------------------------------------------ statements
    def block(self, nodes: Any) -> list[Any]:
        out: list[Any] = []
        for node in nodes:
            if type(node) is cst.SimpleStatementLine:
                if node.leading_lines:
                    self.empty(node.leading_lines)
                self.col += self.indent
                self.small(node, out)
            else:
                _COMPOUND[type(node)](self, node, out)
        return out

    def small(self, node: Any, out: list[Any]) -> None:
        """The simple statements of one line."""
        for statement in node.body:
            line, col = self.line, self.col
            out.append(_SIMPLE[type(statement)](self, statement, line, col))
            self.end_line, self.end_col = self.line, self.col
            if self.line > line:
                self.statements.append((line, self.line))
            if type(statement.semicolon) is _Semicolon:
                self.around(statement.semicolon)
        self.trailing(node.trailing_whitespace)

    def suite(self, node: Any) -> list[Any]:
        if type(node) is cst.IndentedBlock:
            if self.depth >= DEPTH:
                raise TooDeep(self.line, self.col)
            self.depth += 2  # a definition is two levels of facts
            self.trailing(node.header)
            width = self.default_indent if node.indent is None else len(node.indent)
            self.indent += width
            out = self.block(node.body)
            if node.footer:
                self.empty(node.footer)
            self.indent -= width
            self.depth -= 2
            return out
        out = []
        self.space(node.leading_whitespace)
        self.small(node, out)
        return out

    def otherwise(self, node: Any) -> list[Any]:
        """The body of an `else` or `finally`, or nothing."""
        if node is None:
            return []
        self.empty(node.leading_lines)
        self.col += self.indent + (4 if type(node) is cst.Else else 7)
        self.space(node.whitespace_before_colon)
        self.col += 1
        return self.suite(node.body)

    def branch(self, node: Any, out: list[Any]) -> None:
        links = 0
        target: list[Any] = out
        cases: list[f.Case] | None = None
        while True:
            self.empty(node.leading_lines)
            self.col += self.indent
            line, col = self.line, self.col
            self.col += 4 if links else 2
            self.space(node.whitespace_before_test)
            test = self.expr(node.test)
            at = (line, col, self.line, self.col)
            self.space(node.whitespace_after_test)
            self.col += 1
            self.spanned(line)
            body = self.suite(node.body)
            if cases is None:
                statement = f.If(at, test, body, [])
                target.append(statement)
                target = statement.orelse
            else:
                cases.append(f.Case(at, f.Name(at, "_"), [], test, False, body))
            links += 1
            node = node.orelse
            if type(node) is not cst.If:
                break
            if links == ELIFS:
                cases = []
                target.append(f.Match(at, f.Const(at, "none", None), cases))
        rest = self.otherwise(node)
        if cases is None:
            target.extend(rest)
        elif rest:
            cases.append(f.Case(rest[0].at, f.Name(rest[0].at, "_"), [], None, True, rest))

    def loop_while(self, node: Any, out: list[Any]) -> None:
        self.empty(node.leading_lines)
        self.col += self.indent
        line, col = self.line, self.col
        self.col += 5
        self.space(node.whitespace_after_while)
        test = self.expr(node.test)
        at = (line, col, self.line, self.col)
        self.space(node.whitespace_before_colon)
        self.col += 1
        self.spanned(line)
        body = self.suite(node.body)
        out.append(f.While(at, test, body, self.otherwise(node.orelse)))

    def loop_for(self, node: Any, out: list[Any]) -> None:
        self.empty(node.leading_lines)
        self.col += self.indent
        line, col = self.line, self.col
        if node.asynchronous is not None:
            self.col += 5
            self.space(node.asynchronous.whitespace_after)
        self.col += 3
        self.space(node.whitespace_after_for)
        target = self.expr(node.target)
        self.space(node.whitespace_before_in)
        self.col += 2
        self.space(node.whitespace_after_in)
        source = self.expr(node.iter)
        at = (line, col, self.line, self.col)
        self.space(node.whitespace_before_colon)
        self.col += 1
        self.spanned(line)
        body = self.suite(node.body)
        out.append(f.For(at, target, source, body, self.otherwise(node.orelse), node.asynchronous is not None))

    def attempt(self, node: Any, out: list[Any]) -> None:
        self.empty(node.leading_lines)
        self.col += self.indent
        at = (self.line, self.col, self.line, self.col + 3)
        self.col += 3
        self.space(node.whitespace_before_colon)
        self.col += 1
        body = self.suite(node.body)
        handlers = [self.handler(h) for h in node.handlers]
        orelse = self.otherwise(node.orelse)
        final = self.otherwise(node.finalbody)
        out.append(f.Try(at, body, handlers, orelse, final, type(node) is cst.TryStar))

    def handler(self, node: Any) -> Any:
        self.empty(node.leading_lines)
        self.col += self.indent
        line, col = self.line, self.col
        self.col += 6
        end_line, end_col = self.line, self.col
        self.space(node.whitespace_after_except)
        if type(node) is cst.ExceptStarHandler:
            self.col += 1
            self.space(node.whitespace_after_star)
        kind = name = None
        if node.type is not None:
            kind = self.expr(node.type)
            end_line, end_col = self.line, self.col
        if node.name is not None:
            target = self.as_name(node.name)
            name = target.id if type(target) is f.Name else None
            end_line, end_col = self.line, self.col
        self.space(node.whitespace_before_colon)
        self.col += 1
        self.spanned(line)
        return f.Handler((line, col, end_line, end_col), kind, name, self.suite(node.body))

    def as_name(self, node: Any) -> Any:
        self.space(node.whitespace_before_as)
        self.col += 2
        self.space(node.whitespace_after_as)
        return self.expr(node.name)

    def context(self, node: Any, out: list[Any]) -> None:
        self.empty(node.leading_lines)
        self.col += self.indent
        line, col = self.line, self.col
        if node.asynchronous is not None:
            self.col += 5
            self.space(node.asynchronous.whitespace_after)
        self.col += 4
        self.space(node.whitespace_after_with)
        if type(node.lpar) is cst.LeftParen:
            self.col += 1
            self.space(node.lpar.whitespace_after)
        items: list[f.WithItem] = []
        for item in node.items:
            item_line, item_col = self.line, self.col
            value = self.expr(item.item)
            target = self.as_name(item.asname) if item.asname is not None else None
            items.append(f.WithItem((item_line, item_col, self.line, self.col), value, target))
            if type(item.comma) is _Comma:
                self.around(item.comma)
        if type(node.rpar) is cst.RightParen:
            self.space(node.rpar.whitespace_before)
            self.col += 1
        at = (line, col, self.line, self.col)
        self.space(node.whitespace_before_colon)
        self.col += 1
        self.spanned(line)
        out.append(f.With(at, items, self.suite(node.body), node.asynchronous is not None))

    # ------------------------------------------------------------------ match
    def match(self, node: Any, out: list[Any]) -> None:
        self.empty(node.leading_lines)
        self.col += self.indent
        line, col = self.line, self.col
        self.col += 5
        self.space(node.whitespace_after_match)
        subject = self.expr(node.subject)
        at = (line, col, self.line, self.col)
        self.space(node.whitespace_before_colon)
        self.col += 1
        self.spanned(line)
        self.trailing(node.whitespace_after_colon)
        width = self.default_indent if node.indent is None else len(node.indent)
        self.indent += width
        cases = [self.case(c) for c in node.cases]
        self.empty(node.footer)
        self.indent -= width
        out.append(f.Match(at, subject, cases))

    def case(self, node: Any) -> Any:
        self.empty(node.leading_lines)
        self.col += self.indent
        line, col = self.line, self.col
        self.col += 4
        self.space(node.whitespace_after_case)
        captures: list[str] = []
        pattern = self.pattern(node.pattern, captures)
        end_line, end_col = self.line, self.col
        self.space(node.whitespace_before_if)
        guard = None
        if node.guard is not None:
            self.col += 2
            self.space(node.whitespace_after_if)
            guard = self.expr(node.guard)
            end_line, end_col = self.line, self.col
        else:
            self.space(node.whitespace_after_if)
        self.space(node.whitespace_before_colon)
        self.col += 1
        self.spanned(line)
        irrefutable = guard is None and _irrefutable(node.pattern)
        return f.Case((line, col, end_line, end_col), pattern, captures, guard, irrefutable, self.suite(node.body))

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

    # ------------------------------------------------------------------ simple statements
    def s_expr(self, node: Any, line: int, col: int) -> Any:
        value = self.expr(node.value)
        return f.ExprStmt((line, col, self.line, self.col), value)

    def s_assign(self, node: Any, line: int, col: int) -> Any:
        targets: list[Any] = []
        for target in node.targets:
            targets.append(self.expr(target.target))
            self.space(target.whitespace_before_equal)
            self.col += 1
            self.space(target.whitespace_after_equal)
        value = self.expr(node.value)
        return f.Assign((line, col, self.line, self.col), targets, value, None)

    def s_annotated(self, node: Any, line: int, col: int) -> Any:
        target = self.expr(node.target)
        annotation = self.annotation(node.annotation, 1)
        if type(node.equal) is _AssignEqual:
            self.around(node.equal)
        value = self.expr(node.value) if node.value is not None else None
        return f.Assign((line, col, self.line, self.col), [target], value, annotation)

    def s_augmented(self, node: Any, line: int, col: int) -> Any:
        target = self.expr(node.target)
        operator = node.operator
        op = _AUGMENTED[type(operator)]
        self.space(operator.whitespace_before)
        self.col += len(op) + 1
        self.space(operator.whitespace_after)
        value = self.expr(node.value)
        return f.AugAssign((line, col, self.line, self.col), target, op, value)

    def s_return(self, node: Any, line: int, col: int) -> Any:
        self.col += 6
        value = None
        if node.value is not None:
            self.space(node.whitespace_after_return)
            value = self.expr(node.value)
        end = (self.line, self.col)
        if node.value is None:
            self.space(node.whitespace_after_return)
        return f.Return((line, col, *end), value)

    def s_raise(self, node: Any, line: int, col: int) -> Any:
        self.col += 5
        exc = cause = None
        self.space(node.whitespace_after_raise)
        if node.exc is not None:
            exc = self.expr(node.exc)
        if node.cause is not None:
            self.space(node.cause.whitespace_before_from)
            self.col += 4
            self.space(node.cause.whitespace_after_from)
            cause = self.expr(node.cause.item)
        return f.Raise((line, col, self.line, self.col), exc, cause)

    def s_delete(self, node: Any, line: int, col: int) -> Any:
        self.col += 3
        self.space(node.whitespace_after_del)
        target = self.expr(node.target)
        targets = target.elts if type(target) is f.Seq and target.kind == "tuple" else [target]
        return f.Delete((line, col, self.line, self.col), targets)

    def s_assert(self, node: Any, line: int, col: int) -> Any:
        self.col += 6
        self.space(node.whitespace_after_assert)
        test = self.expr(node.test)
        if type(node.comma) is _Comma:
            self.around(node.comma)
        msg = self.expr(node.msg) if node.msg is not None else None
        return f.Assert((line, col, self.line, self.col), test, msg)

    def s_pass(self, node: Any, line: int, col: int) -> Any:
        self.col += 4
        return f.Pass((line, col, self.line, self.col))

    def s_break(self, node: Any, line: int, col: int) -> Any:
        self.col += 5
        return f.Break((line, col, self.line, self.col))

    def s_continue(self, node: Any, line: int, col: int) -> Any:
        self.col += 8
        return f.Continue((line, col, self.line, self.col))

    def s_global(self, node: Any, line: int, col: int) -> Any:
        self.col += 6
        self.space(node.whitespace_after_global)
        self.names(node.names, self.scope.globals)
        return f.Pass((line, col, self.line, self.col))

    def s_nonlocal(self, node: Any, line: int, col: int) -> Any:
        self.col += 8
        self.space(node.whitespace_after_nonlocal)
        self.names(node.names, self.scope.nonlocals)
        return f.Pass((line, col, self.line, self.col))

    def names(self, nodes: Any, into: list[str]) -> None:
        for item in nodes:
            self.col += len(item.name.value)
            into.append(item.name.value)
            if type(item.comma) is _Comma:
                self.around(item.comma)

    def s_type_alias(self, node: Any, line: int, col: int) -> Any:
        self.col += 4
        self.space(node.whitespace_after_type)
        self.col += len(node.name.value)
        self.space(node.whitespace_after_name)
        if node.type_parameters is not None:
            self.type_parameters(node.type_parameters)
            self.space(node.whitespace_after_type_parameters)
        self.col += 1
        self.space(node.whitespace_after_equals)
        self.expr(node.value)
        return f.Pass((line, col, self.line, self.col))

    def s_import(self, node: Any, line: int, col: int) -> Any:
        if type(node) is not cst.Import:
            self.col += 4  # `lazy`
            self.space(node.whitespace_after_lazy)
        self.col += 6
        self.space(node.whitespace_after_import)
        names = []
        for alias in node.names:
            at, name, asname = self.alias(alias)
            names.append(f.ImportName(at, name, 0, None, asname))
        return f.Import((line, col, self.line, self.col), names)

    def s_import_from(self, node: Any, line: int, col: int) -> Any:
        if type(node) is not cst.ImportFrom:
            self.col += 4
            self.space(node.whitespace_after_lazy)
        self.col += 4
        self.space(node.whitespace_after_from)
        for dot in node.relative:
            self.around(dot)
        level = len(node.relative)
        module = (f.dotted(self.expr(node.module)) or "") if node.module is not None else ""
        self.space(node.whitespace_before_import)
        self.col += 6
        self.space(node.whitespace_after_import)
        if node.lpar is not None:
            self.col += 1
            self.space(node.lpar.whitespace_after)
        names = []
        if type(node.names) is cst.ImportStar:
            names.append(f.ImportName((self.line, self.col, self.line, self.col + 1), module, level, "*", None))
            self.col += 1
        else:
            for alias in node.names:
                at, name, asname = self.alias(alias)
                names.append(f.ImportName(at, module, level, name, asname))
        if node.rpar is not None:
            self.space(node.rpar.whitespace_before)
            self.col += 1
        return f.Import((line, col, self.line, self.col), names)

    def alias(self, node: Any) -> tuple[f.At, str, str | None]:
        line, col = self.line, self.col
        name = f.dotted(self.expr(node.name)) or ""
        asname = None
        if node.asname is not None:
            target = self.as_name(node.asname)
            asname = target.id if type(target) is f.Name else None
        at = (line, col, self.line, self.col)
        if type(node.comma) is _Comma:
            self.around(node.comma)
        return at, name, asname


def _irrefutable(pattern: Any) -> bool:
    """Whether the pattern matches anything: `_`, a capture, either with `as`, or an alternative of that kind."""
    while type(pattern) is cst.MatchAs:
        if pattern.pattern is None:
            return True
        pattern = pattern.pattern
    return type(pattern) is cst.MatchOr and any(_irrefutable(e.pattern) for e in pattern.patterns)


def _classes(*names: str) -> list[type]:
    """Those of the libcst classes that the installed version has."""
    return [getattr(cst, name) for name in names if hasattr(cst, name)]


_SINGLETONS: dict[str, tuple[str, Any]] = {"True": ("bool", True), "False": ("bool", False), "None": ("none", None)}
_FORMAT_TEXT = frozenset(_classes("FormattedStringText", "TemplatedStringText"))
_LEFT: dict[type, int] = {cst.Call: 0, cst.Attribute: 1, cst.Subscript: 1, cst.BinaryOperation: 2, cst.BooleanOperation: 2, cst.Comparison: 2}
_FINISH: dict[type, Callable[[_Lowering, Any, Any, int, int], Any]] = {
    cst.Call: _Lowering.finish_call,
    cst.Attribute: _Lowering.finish_attribute,
    cst.Subscript: _Lowering.finish_subscript,
    cst.BinaryOperation: _Lowering.finish_binary,
    cst.BooleanOperation: _Lowering.finish_boolean,
    cst.Comparison: _Lowering.finish_comparison,
}
_EXPRESSIONS: dict[type, Callable[[_Lowering, Any], Any]] = {
    cst.Name: _Lowering.name,
    cst.Integer: _Lowering.integer,
    cst.Float: _Lowering.floating,
    cst.Imaginary: _Lowering.imaginary,
    cst.Ellipsis: _Lowering.ellipsis,
    cst.SimpleString: _Lowering.string,
    cst.ConcatenatedString: _Lowering.concatenated,
    cst.UnaryOperation: _Lowering.unary,
    cst.Await: _Lowering.awaited,
    cst.Yield: _Lowering.yielded,
    cst.IfExp: _Lowering.conditional,
    cst.NamedExpr: _Lowering.walrus,
    cst.Lambda: _Lowering.function_lambda,
    cst.StarredElement: _Lowering.starred,
    cst.Tuple: _Lowering.tuple,
    cst.List: _Lowering.list,
    cst.Set: _Lowering.set,
    cst.Dict: _Lowering.dict,
    **dict.fromkeys(_classes("FormattedString", "TemplatedString"), _Lowering.formatted),
    **dict.fromkeys(_classes("GeneratorExp", "ListComp", "SetComp", "DictComp", "StarredDictComp"), _Lowering.comprehension),
}
_COMPREHENSIONS: dict[type, str] = {
    cst.GeneratorExp: "gen", cst.ListComp: "list", cst.SetComp: "set", **dict.fromkeys(_classes("DictComp", "StarredDictComp"), "dict")
}
_BINARY: dict[type, str] = {
    cst.Add: "+", cst.Subtract: "-", cst.Multiply: "*", cst.Divide: "/", cst.FloorDivide: "//", cst.Modulo: "%", cst.Power: "**",
    cst.LeftShift: "<<", cst.RightShift: ">>", cst.BitOr: "|", cst.BitAnd: "&", cst.BitXor: "^", cst.MatrixMultiply: "@",
}
_AUGMENTED: dict[type, str] = {
    cst.AddAssign: "+", cst.SubtractAssign: "-", cst.MultiplyAssign: "*", cst.DivideAssign: "/", cst.FloorDivideAssign: "//",
    cst.ModuloAssign: "%", cst.PowerAssign: "**", cst.LeftShiftAssign: "<<", cst.RightShiftAssign: ">>", cst.BitOrAssign: "|",
    cst.BitAndAssign: "&", cst.BitXorAssign: "^", cst.MatrixMultiplyAssign: "@",
}
_COMPARE: dict[type, str] = {
    cst.LessThan: "<", cst.GreaterThan: ">", cst.Equal: "==", cst.LessThanEqual: "<=", cst.GreaterThanEqual: ">=", cst.In: "in", cst.Is: "is",
}
_TWO_WORDS: dict[type, tuple[str, str]] = {cst.NotIn: ("not", "in"), cst.IsNot: ("is", "not")}
_UNARY: dict[type, str] = {cst.Not: "not", cst.Minus: "-", cst.Plus: "+", cst.BitInvert: "~"}
_PATTERNS: dict[type, Callable[[_Lowering, Any, list[str]], Any]] = {
    cst.MatchAs: _Lowering.pattern_as,
    cst.MatchOr: _Lowering.pattern_or,
    cst.MatchList: _Lowering.pattern_list,
    cst.MatchTuple: _Lowering.pattern_tuple,
    cst.MatchMapping: _Lowering.pattern_mapping,
    cst.MatchClass: _Lowering.pattern_class,
}
_COMPOUND: dict[type, Callable[[_Lowering, Any, list[Any]], None]] = {
    cst.FunctionDef: _Lowering.function,
    cst.ClassDef: _Lowering.klass,
    cst.If: _Lowering.branch,
    cst.While: _Lowering.loop_while,
    cst.For: _Lowering.loop_for,
    cst.Try: _Lowering.attempt,
    cst.TryStar: _Lowering.attempt,
    cst.With: _Lowering.context,
    cst.Match: _Lowering.match,
}
_SIMPLE: dict[type, Callable[[_Lowering, Any, int, int], Any]] = {
    cst.Expr: _Lowering.s_expr,
    cst.Assign: _Lowering.s_assign,
    cst.AnnAssign: _Lowering.s_annotated,
    cst.AugAssign: _Lowering.s_augmented,
    cst.Return: _Lowering.s_return,
    cst.Raise: _Lowering.s_raise,
    cst.Del: _Lowering.s_delete,
    cst.Assert: _Lowering.s_assert,
    cst.Pass: _Lowering.s_pass,
    cst.Break: _Lowering.s_break,
    cst.Continue: _Lowering.s_continue,
    cst.Global: _Lowering.s_global,
    cst.Nonlocal: _Lowering.s_nonlocal,
    **dict.fromkeys(_classes("TypeAlias"), _Lowering.s_type_alias),
    **dict.fromkeys(_classes("Import", "LazyImport"), _Lowering.s_import),
    **dict.fromkeys(_classes("ImportFrom", "LazyImportFrom"), _Lowering.s_import_from),
}


def lower(module: cst.Module, path: str) -> f.Module:
    """The facts of a parsed module (`cells`, `problems` and `lines` are left to the caller).

    Raises TooDeep where statements and expressions nest deeper than `DEPTH`.
    """
    walk = _Lowering(module)
    walk.empty(module.header)
    body = walk.block(module.body)
    walk.empty(module.footer)
    return f.Module(path, body, comments=walk.comments, statements=walk.statements)
