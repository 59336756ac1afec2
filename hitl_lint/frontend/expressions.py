"""Expressions, in the order of their text. Left-nested chains are walked in a loop, not by recursion."""

from __future__ import annotations

from typing import Any, Callable

import libcst as cst

from hitl_lint import facts as f
from hitl_lint.frontend.cursor import DEPTH, NEWLINE, Cursor, Scope
from hitl_lint.frontend.literals import string_value, unescape

# The links of a chain that stay nested.
SPINE = 80

# Longer integers cannot be written as decimals (and so not as JSON) on every Python.
_MAX_DIGITS = 4000

_Name = cst.Name
_Comma = cst.Comma


class Expressions(Cursor):
    """`expr` is the way in: libcst expression to fact, with the cursor moved behind it."""

    __slots__ = ()

    def expr(self, node: Any) -> Any:
        kind = type(node)
        if kind is _Name:
            if node.lpar:
                return self.wrapped(node, Expressions.name)
            return self.name(node)
        depth = self.depth
        if depth >= DEPTH:
            raise self.deeper()
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

    def wrapped(self, node: Any, handler: Callable[[Expressions, Any], Any]) -> Any:
        self.open(node.lpar)
        out = handler(self, node)
        self.close(node.rpar)
        return out

    def long_spine(self, spine: list[tuple[Any, int, int]], out: Any) -> Any:
        """The inner links of a chain that is too long: all that they evaluate, in order, in one Opaque. The outer ones stay in `spine`."""
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
        kind, content = string_value(value)
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
                    value = NEWLINE.sub("\n", value)
                if "\\" in value and not raw:
                    value = unescape(value)
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
        outer, self.scope = self.scope, Scope()
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

    def tuple_display(self, node: Any) -> Any:
        line, col = self.line, self.col
        elements = self.elements(node.elements)
        return f.Seq((line, col, self.line, self.col), "tuple", elements)

    def list_display(self, node: Any) -> Any:
        line, col = self.line, self.col
        self.col += 1
        self.space(node.lbracket.whitespace_after)
        elements = self.elements(node.elements)
        self.space(node.rbracket.whitespace_before)
        self.col += 1
        return f.Seq((line, col, self.line, self.col), "list", elements)

    def set_display(self, node: Any) -> Any:
        line, col = self.line, self.col
        self.col += 1
        self.space(node.lbrace.whitespace_after)
        elements = self.elements(node.elements)
        self.space(node.rbrace.whitespace_before)
        self.col += 1
        return f.Seq((line, col, self.line, self.col), "set", elements)

    def dict_display(self, node: Any) -> Any:
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

    # -- parameters, which hold expressions
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
            if type(item.equal) is cst.AssignEqual:
                self.around(item.equal)
            self.col += len(item.star)
            self.space(item.whitespace_after_star)
            if item.default is not None:
                self.expr(item.default)
            if type(item.comma) is _Comma:
                self.around(item.comma)
        self.space(node.rbracket.whitespace_before)
        self.col += 1


def installed(*names: str) -> list[type]:
    """Those of the libcst classes that the installed version has."""
    return [getattr(cst, name) for name in names if hasattr(cst, name)]


_SINGLETONS: dict[str, tuple[str, Any]] = {"True": ("bool", True), "False": ("bool", False), "None": ("none", None)}
_FORMAT_TEXT = frozenset(installed("FormattedStringText", "TemplatedStringText"))
# Where the left side is: in `func`, `value` or `left`.
_LEFT: dict[type, int] = {
    cst.Call: 0, cst.Attribute: 1, cst.Subscript: 1, cst.BinaryOperation: 2, cst.BooleanOperation: 2, cst.Comparison: 2
}
_FINISH: dict[type, Callable[[Expressions, Any, Any, int, int], Any]] = {
    cst.Call: Expressions.finish_call,
    cst.Attribute: Expressions.finish_attribute,
    cst.Subscript: Expressions.finish_subscript,
    cst.BinaryOperation: Expressions.finish_binary,
    cst.BooleanOperation: Expressions.finish_boolean,
    cst.Comparison: Expressions.finish_comparison,
}
_EXPRESSIONS: dict[type, Callable[[Expressions, Any], Any]] = {
    cst.Name: Expressions.name,
    cst.Integer: Expressions.integer,
    cst.Float: Expressions.floating,
    cst.Imaginary: Expressions.imaginary,
    cst.Ellipsis: Expressions.ellipsis,
    cst.SimpleString: Expressions.string,
    cst.ConcatenatedString: Expressions.concatenated,
    cst.UnaryOperation: Expressions.unary,
    cst.Await: Expressions.awaited,
    cst.Yield: Expressions.yielded,
    cst.IfExp: Expressions.conditional,
    cst.NamedExpr: Expressions.walrus,
    cst.Lambda: Expressions.function_lambda,
    cst.StarredElement: Expressions.starred,
    cst.Tuple: Expressions.tuple_display,
    cst.List: Expressions.list_display,
    cst.Set: Expressions.set_display,
    cst.Dict: Expressions.dict_display,
    **dict.fromkeys(installed("FormattedString", "TemplatedString"), Expressions.formatted),
    **dict.fromkeys(installed("GeneratorExp", "ListComp", "SetComp", "DictComp", "StarredDictComp"), Expressions.comprehension),
}
_COMPREHENSIONS: dict[type, str] = {
    cst.GeneratorExp: "gen", cst.ListComp: "list", cst.SetComp: "set", **dict.fromkeys(installed("DictComp", "StarredDictComp"), "dict")
}
_BINARY: dict[type, str] = {
    cst.Add: "+", cst.Subtract: "-", cst.Multiply: "*", cst.Divide: "/", cst.FloorDivide: "//", cst.Modulo: "%", cst.Power: "**",
    cst.LeftShift: "<<", cst.RightShift: ">>", cst.BitOr: "|", cst.BitAnd: "&", cst.BitXor: "^", cst.MatrixMultiply: "@",
}
_COMPARE: dict[type, str] = {
    cst.LessThan: "<", cst.GreaterThan: ">", cst.Equal: "==", cst.LessThanEqual: "<=", cst.GreaterThanEqual: ">=",
    cst.In: "in", cst.Is: "is",
}
_TWO_WORDS: dict[type, tuple[str, str]] = {cst.NotIn: ("not", "in"), cst.IsNot: ("is", "not")}
_UNARY: dict[type, str] = {cst.Not: "not", cst.Minus: "-", cst.Plus: "+", cst.BitInvert: "~"}
