"""From a libcst tree to facts, with positions, in one walk.

The walk goes over the tree in the order of the text and adds up what every token and every white space takes, as libcst's own
code generator would. So positions cost next to nothing, no metadata provider and no private interface of libcst is needed, and a
mistake in the arithmetic shows at once (the tests compare with `PositionProvider`).

Left-nested chains (`a.b().c[0] + 1`) and `elif` chains are walked in loops, not by recursion. What nests deeper than facts can bear is
flattened without losing a call: a longer chain keeps its outer `SPINE` links, and what its inner ones evaluate becomes the parts of one
Opaque; behind `ELIFS` branches an `if` goes on as the match statement that means the same.
"""

from __future__ import annotations

from typing import Any, Callable

import libcst as cst

from hitl_lint import facts as f
from hitl_lint.frontend.cursor import DEPTH, Scope
from hitl_lint.frontend.expressions import installed
from hitl_lint.frontend.patterns import Patterns, irrefutable

# The branches of an `if` that stay nested.
ELIFS = 40

_Comma = cst.Comma
_Semicolon = cst.Semicolon
_AssignEqual = cst.AssignEqual


class Lowering(Patterns):
    """One walk over one module. `block` is the way in."""

    __slots__ = ()

    # ------------------------------------------------------------------ definitions
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
        outer, self.scope = self.scope, Scope()
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
        outer, self.scope = self.scope, Scope()
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
                raise self.deeper()
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
        always = guard is None and irrefutable(node.pattern)
        return f.Case((line, col, end_line, end_col), pattern, captures, guard, always, self.suite(node.body))

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


_AUGMENTED: dict[type, str] = {
    cst.AddAssign: "+", cst.SubtractAssign: "-", cst.MultiplyAssign: "*", cst.DivideAssign: "/", cst.FloorDivideAssign: "//",
    cst.ModuloAssign: "%", cst.PowerAssign: "**", cst.LeftShiftAssign: "<<", cst.RightShiftAssign: ">>", cst.BitOrAssign: "|",
    cst.BitAndAssign: "&", cst.BitXorAssign: "^", cst.MatrixMultiplyAssign: "@",
}
_COMPOUND: dict[type, Callable[[Lowering, Any, list[Any]], None]] = {
    cst.FunctionDef: Lowering.function,
    cst.ClassDef: Lowering.klass,
    cst.If: Lowering.branch,
    cst.While: Lowering.loop_while,
    cst.For: Lowering.loop_for,
    cst.Try: Lowering.attempt,
    cst.TryStar: Lowering.attempt,
    cst.With: Lowering.context,
    cst.Match: Lowering.match,
}
_SIMPLE: dict[type, Callable[[Lowering, Any, int, int], Any]] = {
    cst.Expr: Lowering.s_expr,
    cst.Assign: Lowering.s_assign,
    cst.AnnAssign: Lowering.s_annotated,
    cst.AugAssign: Lowering.s_augmented,
    cst.Return: Lowering.s_return,
    cst.Raise: Lowering.s_raise,
    cst.Del: Lowering.s_delete,
    cst.Assert: Lowering.s_assert,
    cst.Pass: Lowering.s_pass,
    cst.Break: Lowering.s_break,
    cst.Continue: Lowering.s_continue,
    cst.Global: Lowering.s_global,
    cst.Nonlocal: Lowering.s_nonlocal,
    **dict.fromkeys(installed("TypeAlias"), Lowering.s_type_alias),
    **dict.fromkeys(installed("Import", "LazyImport"), Lowering.s_import),
    **dict.fromkeys(installed("ImportFrom", "LazyImportFrom"), Lowering.s_import_from),
}


def lower(module: cst.Module, path: str, text: str, line: int = 1) -> f.Module:
    """The facts of a module that was parsed from `text` and begins in this line of its file (`cells`, `problems` and `lines` are left to the caller).

    Raises TooDeep where statements and expressions nest deeper than `DEPTH`.
    """
    walk = Lowering(module)
    walk.line = walk.end_line = line
    walk.empty(module.header)
    body = walk.block(module.body)
    walk.ending(text, line)
    return f.Module(path, body, comments=walk.comments, statements=walk.statements)
