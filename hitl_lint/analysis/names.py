"""What a name, a dotted expression or a receiver is: one place answers that, for every rule.

`Names.resolve(expr, scope)` returns abstract values without running anything: project functions, classes, instances and
modules, literals, or an *external path* such as `httpx.Client().post` (`()` after what was called). It follows imports of
every form, assignments, attributes set on self, annotations, factory results, registries and call sites of a parameter.

Bounds: at most `MAX_VALUES` values an expression, `MAX_DEPTH` steps deep, `MAX_STEPS` steps a question; what lies beyond is unknown, and unknown is silent.
"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right

from typing import Any, Callable, Iterator, Sequence, Union

from hitl_lint import catalogue
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue import surface, verbs
from hitl_lint.facts import (
    Arg, Assign, Attr, AugAssign, Await, Bin, BoolOp, Call, Case, Class, ClassStmt, Comp, Const, Def, Dict, Expr, For, FStr, Function,
    Generator, Handler, If, IfExp, Import, ImportName, Lambda, Module, NOWHERE, Name, Param, Raise, Return, Seq, Slice, Star, Sub, Walrus, WithItem, Yield,
    dotted, statements, walk,
)
from hitl_lint.record import record, thing

MAX_VALUES = 12
ALWAYS_BINDS = (Assign, Def, ClassStmt, Import)
MAX_DEPTH = 40
MAX_STEPS = 4000
CHAINED = MAX_DEPTH // 2  # from this deep on second names are followed without going deeper
MAX_NAMES = 5000
MAX_IMPORTS = 20
STDLIB = frozenset(sys.stdlib_module_names)
RUN_METHODS = frozenset({"invoke", "ainvoke", "run", "arun", "_run", "_arun", "func", "coroutine", "batch", "abatch", "stream", "astream", "__call__"})


# --------------------------------------------------------------------------- scopes
@thing
class Binding:
    """One way in which a name gets a value in a scope. `how` is "value", "element" (of an iterable), "enter" (of a context manager),
    "unpack" (item `index` of a tuple), "aug", "import", "def", "class", "param", "except" or "capture"."""

    how: str
    node: Any
    stmt: Any = None
    index: int = 0


def is_test(path: str) -> bool:
    """Whether a file is a test by its name or folder, as pytest finds them."""
    name = path.rsplit("/", 1)[-1]
    return name.startswith(("test_", "conftest")) or name.endswith("_test.py") or any(p in ("tests", "test") for p in path.split("/")[:-1])


_ASIDE = frozenset({"examples", "example", "demo", "demos", "tutorial", "tutorials", "notebooks", "docs", "eval", "evals", "evaluation", "bench", "benchmark", "benchmarks",
                   "experiments", "scripts", "samples", "sample", "learning", "lessons"})


def is_aside(path: str) -> bool:
    """Whether a file is there to show or try something: a notebook, an example, a demo, a measurement."""
    return path.endswith(".ipynb") or any(p.lower() in _ASIDE for p in path.split("/")[:-1])


class Scope:
    """A module, class or function scope with what is bound in it. `owner` is its ModuleInfo, ClassInfo or FnInfo."""

    __slots__ = ("kind", "module", "owner", "parent", "bindings", "attrs", "stars", "calls")

    def __init__(self, kind: str, module: "ModuleInfo", owner: Any, parent: "Scope | None") -> None:
        self.kind, self.module, self.owner, self.parent = kind, module, owner, parent
        self.bindings: dict[str, list[Binding]] = {}
        self.attrs: list[tuple[str, Expr, Any]] = []  # ("self.x", value, statement)
        self.stars: list[ImportName] = []
        self.calls: list[Call] = []


@thing
class FnInfo:
    """A function of the project with where it stands. `cls` is the class whose body holds it."""

    fn: Function
    module: "ModuleInfo"
    parent: Scope
    cls: "ClassInfo | None" = None
    scope_: Scope | None = None
    lambdas: int = 0

    @property
    def name(self) -> str:
        return self.fn.name

    @property
    def dotted(self) -> str:
        """Module and qualified name, e.g. "app.nodes.review"."""
        return f"{self.module.name}.{self.fn.qualname}" if self.module.name else self.fn.qualname

    def __repr__(self) -> str:
        return f"<fn {self.module.path}:{self.fn.qualname}>"


@thing
class ClassInfo:
    cls: Class
    module: "ModuleInfo"
    parent: Scope
    scope: Scope | None = None

    def __repr__(self) -> str:
        return f"<class {self.module.path}:{self.cls.qualname}>"


class ModuleInfo:
    """A module of the project. `parts` is its path in the project as names (`src/app/nodes.py` -> ("src", "app", "nodes")); `name` is dotted,
    without "src"."""

    __slots__ = ("path", "facts", "parts", "package", "scope", "functions", "classes", "name")

    def __init__(self, path: str, facts: Module, place: str) -> None:
        self.path, self.facts = path, facts
        self.parts = module_parts(place)
        is_package = path.endswith("__init__.py")
        self.package = self.parts if is_package else self.parts[:-1]
        shown = self.parts[1:] if self.parts[:1] == ("src",) else self.parts
        self.name = ".".join(p for p in shown if p not in ("..", "."))
        self.functions: list[FnInfo] = []
        self.classes: list[ClassInfo] = []
        self.scope = Scope("module", self, self, None)


def module_parts(path: str) -> tuple[str, ...]:
    """`src/app/__init__.py` -> ("src", "app"); `a/b.py` -> ("a", "b")."""
    stem = path[: path.rfind(".")] if "." in path.rsplit("/", 1)[-1] else path
    parts = tuple(p for p in stem.split("/") if p not in ("", "."))
    return parts[:-1] if parts and parts[-1] == "__init__" else parts


# --------------------------------------------------------------------------- values
@record
class Ext:
    """Something outside the project: a dotted path. `origin` is the first call on the path (the constructor) and `scope` where it stands.
    `made`: of a compiled graph or an agent, the call that compiled it (one builder may be compiled several times)."""

    path: str
    origin: Call | None = None
    scope: Scope | None = None
    made: Call | None = None


@record
class Fn:
    """A project function; `receiver` is the instance or class it is bound to; `call`/`scope`: the partial() that made it."""

    info: FnInfo
    receiver: "Value | None" = None


@record
class Cls:
    info: ClassInfo


@record
class Inst:
    """An instance of a project class, with the constructor call where it is known."""

    info: ClassInfo
    call: Call | None = None
    scope: Scope | None = None


@record
class Mod:
    """A project module or package (`info` None: a namespace package), by its parts."""

    parts: tuple[str, ...]
    info: ModuleInfo | None


@record
class Lit:
    """A literal or display, with the scope in which its parts are to be read."""

    expr: Any
    scope: Scope


@record
class ParamOf:
    """A parameter of which nothing more is known."""

    info: FnInfo
    name: str


@record
class Wrapped:
    """A tool, runnable or entrypoint ("tool", "runnable", "graph") around functions: calling its `.invoke` calls them. Also its bound methods:
    "graph-run" for what runs an entrypoint, "with" for `with_retry` and its like, whose result is the thing in `targets` again."""

    kind: str
    targets: tuple["Value", ...]
    call: Call | None = None


Value = Union[Ext, Fn, Cls, Inst, Mod, Lit, ParamOf, Wrapped]


# --------------------------------------------------------------------------- module index
class Index:
    """Which file is the module `a.b`, seen from an importing file. Built from paths alone: `place` gives a file's path in the project."""

    def __init__(self, files: Sequence[str], place: Callable[[str], str]) -> None:
        self.exact: dict[tuple[str, ...], str] = {}
        self.by_last: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        self.dirs: set[tuple[str, ...]] = set()
        self.packages: set[tuple[str, ...]] = set()
        for path in files:
            if not path.endswith(".py"):
                continue
            parts = module_parts(place(path))
            if not parts:
                continue
            if path.endswith("__init__.py"):
                self.packages.add(parts)
            self.exact.setdefault(parts, path)
            self.by_last.setdefault(parts[-1], []).append((parts, path))
            for n in range(1, len(parts)):
                self.dirs.add(parts[:n])
        self.dir_last: dict[str, list[tuple[str, ...]]] = {}
        for d in self.dirs:
            self.dir_last.setdefault(d[-1], []).append(d)

    def find(self, names: Sequence[str], importer: ModuleInfo) -> tuple[tuple[str, ...], str | None] | None:
        """Absolute import: (parts, path), path None for a namespace package; None when it is not in the project."""
        names = tuple(names)
        if not names:
            return None
        top = names[0]
        if top in STDLIB:
            return None
        n = len(names)
        found: list[tuple[tuple[str, ...], str | None]] = [
            (parts, path) for parts, path in self.by_last.get(names[-1], ()) if parts[-n:] == names]
        found += [(d, None) for d in self.dir_last.get(names[-1], ()) if d[-n:] == names and d not in self.exact]
        if catalogue.known_library(top):
            # A file that happens to be called like a library is not what `import openai` means, unless it is that library's own tree.
            found = [f for f in found if top in importer.package]
        if not found:
            return None
        here = importer.parts[:-1] if not importer.path.endswith("__init__.py") else importer.parts

        def rank(item: tuple[tuple[str, ...], str | None]) -> tuple[int, int, int, int]:
            root = item[0][:-n]
            is_ancestor = here[: len(root)] == root
            in_package = root in self.packages  # a directory with __init__.py is rarely on sys.path
            common = 0
            for a, b in zip(root, here):
                if a != b:
                    break
                common += 1
            return (0 if item[1] else 1, 1 if in_package else 0, 0 if is_ancestor else 1, -common, )

        best = min(found, key=rank)
        return best

    def relative(self, level: int, names: Sequence[str], importer: ModuleInfo) -> tuple[tuple[str, ...], str | None] | None:
        base = importer.package
        if level > 1:
            if level - 1 > len(base):
                return None
            base = base[: len(base) - (level - 1)]
        return self.at(base + tuple(names))

    def at(self, parts: tuple[str, ...]) -> tuple[tuple[str, ...], str | None] | None:
        path = self.exact.get(parts)
        if path is not None:
            return parts, path
        if parts in self.dirs or not parts:
            return parts, None
        return None


# --------------------------------------------------------------------------- the resolver
class Names:
    """Resolution over a set of modules that grows on demand. `load(path)` gives the facts of one more file or None; `place(path)` the path in
    its project, whatever directory the run was started in."""

    def __init__(self, files: Sequence[str], load: Callable[[str], Module | None], place: Callable[[str], str] = str, index: Index | None = None) -> None:
        self.place = place
        self.index = index or Index(files, place)
        self.load = load
        self.modules: dict[str, ModuleInfo] = {}
        self.info_of: dict[int, FnInfo] = {}  # id(Function) -> FnInfo; the facts are kept alive by the modules
        self.class_of: dict[int, ClassInfo] = {}
        self._memo: dict[tuple[int, int], tuple[Value, ...]] = {}
        self._busy: set[Any] = set()
        self.reading = True  # whether files that have not been read yet may be read on demand
        self._cycle = 0
        self._depth = 0
        self._steps = 0
        self._partial: dict[Any, list[Value]] = {}
        self._starts: dict[int, list[tuple[int, int]]] = {}
        self._order: dict[tuple[int, str, int], tuple[list[int], list[int], list[int]]] = {}
        self._own: dict[Any, int] = {}
        self._united: dict[Any, tuple[Value, ...]] = {}
        self._returns: dict[int, tuple[Value, ...]] = {}
        self.properties: set[str] = set()  # the names of all properties in the modules read so far
        self._dicts: dict[int, Any] = {}
        self.renamed: dict[str, set[str]] = {}  # `from x import name as other`: by the name there
        self._added: dict[str, list[tuple[Any, Any, bool, Scope]]] = {}  # `tools.append(f)`: by the last name of the list (list, item, whether it is several)
        self._kept: dict[int, tuple[int, dict[int, Any]]] = {}
        self.calls_by_name: dict[str, list[tuple[Call, Scope]]] = {}
        self._stores: dict[str, list[tuple[Any, Any, Scope]]] = {}  # `TOOLS[name] = f`: by the name before the bracket
        self._parameters: dict[int, Call] = {}  # `Runtime[Context]` as the call `Runtime(Context)`, by the annotation
        self._decorated_by: dict[str, list[FnInfo]] = {}  # functions by the last name of their decorators

    def forget(self) -> None:
        """Drop conclusions: more modules have been read."""
        self._memo.clear()
        self._returns.clear()
        self._united.clear()

    # ---- modules and scopes
    def add(self, path: str, facts: Module) -> ModuleInfo:
        info = self.modules.get(path)
        if info is not None:
            return info
        info = ModuleInfo(path, facts, self.place(path))
        self.modules[path] = info
        self._fill(info.scope, facts.body)
        return info

    def module(self, path: str) -> ModuleInfo | None:
        info = self.modules.get(path)
        if info is None:
            if not self.reading:
                return None
            facts = self.load(path)
            if facts is None:
                return None
            info = self.add(path, facts)
        return info

    def scope(self, info: FnInfo) -> Scope:
        """The scope of a function's body, filled."""
        if info.scope_ is None:
            scope = info.scope_ = Scope("function", info.module, info, info.parent)
            for p in info.fn.params:
                scope.bindings.setdefault(p.name, []).append(Binding("param", p))
            self._fill(scope, info.fn.body)
        return info.scope_

    def _fill(self, scope: Scope, body: Sequence[Any]) -> None:
        for stmt in body:
            for node in walk(stmt):
                self._note(scope, node, stmt)

    def _note(self, scope: Scope, node: Any, stmt: Any) -> None:
        t = type(node)
        if t is Call:
            scope.calls.append(node)
            f = node.func
            last = f.attr if type(f) is Attr else f.id if type(f) is Name else ""
            if last:
                self.calls_by_name.setdefault(last, []).append((node, scope))
            if last in GROWS and type(f) is Attr and node.args and (name := dotted(f.value)) is not None:
                item = node.args[-1]
                self._added.setdefault(name.rpartition(".")[2], []).append((f.value, item.value, last == "extend" or bool(item.star), scope))
            if last == "update" and type(f) is Attr and len(node.args) == 1 and type(given := node.args[0].value) is Dict and (
                    name := dotted(f.value)) is not None and given.keys and all(type(v) is Name for v in given.values):
                # `TOOLS.update({"mail": mail})` is `TOOLS["mail"] = mail`.
                stores = self._stores.setdefault(name.rpartition(".")[2], [])
                stores += ((Sub(k.at, f.value, k), v, scope) for k, v in zip(given.keys, given.values) if k is not None)
        elif t is Assign:
            if node.value is not None:
                for target in node.targets:
                    self._bind(scope, target, node.value, node, "value")
            elif node.annotation is not None and type(node.targets[0]) is Name:
                scope.bindings.setdefault(node.targets[0].id, []).append(Binding("declared", node.annotation, node))
            if node.annotation is not None and node.value is not None:
                target = node.targets[0]
                if type(target) is Name:
                    scope.bindings[target.id][-1].stmt = node
        elif t is AugAssign:
            if type(node.target) is Name:
                scope.bindings.setdefault(node.target.id, []).append(Binding("aug", node.value, node))
            if node.op == "+" and (name := dotted(node.target)) is not None:
                self._added.setdefault(name.rpartition(".")[2], []).append((node.target, node.value, True, scope))
        elif t is For:
            self._bind(scope, node.target, node.iter, node, "element")
        elif t is Generator:
            self._bind(scope, node.target, node.iter, node, "element")
        elif t is WithItem:
            if node.target is not None:
                self._bind(scope, node.target, node.value, node, "enter")
        elif t is Walrus:
            self._bind(scope, node.target, node.value, node, "value")
        elif t is Handler:
            if node.name:
                scope.bindings.setdefault(node.name, []).append(Binding("except", node.type, node))
        elif t is Case:
            for name in node.captures:
                scope.bindings.setdefault(name, []).append(Binding("capture", node.pattern, node))
        elif t is Import:
            for imp in node.names:
                if imp.name == "*":
                    scope.stars.append(imp)
                    continue
                if imp.asname and imp.name is not None:
                    self.renamed.setdefault(imp.name, set()).add(imp.asname)
                bound = imp.asname or (imp.name if imp.name is not None else imp.module.split(".")[0])
                scope.bindings.setdefault(bound, []).append(Binding("import", imp, node))
        elif t is Def:
            info = self.fn_info(node.fn, scope)
            scope.bindings.setdefault(node.fn.name, []).append(Binding("def", info, node))
            if scope.kind == "class" and any(dotted(d) == "property" for d in node.fn.decorators):
                self.properties.add(node.fn.name)
        elif t is Lambda:
            self.fn_info(node.fn, scope)
        elif t is ClassStmt:
            info = ClassInfo(node.cls, scope.module, scope)
            self.class_of[id(node.cls)] = info
            scope.module.classes.append(info)
            inner = info.scope = Scope("class", scope.module, info, scope)
            scope.bindings.setdefault(node.cls.name, []).append(Binding("class", info, node))
            self._fill(inner, node.cls.body)

    def fn_info(self, fn: Function, scope: Scope) -> FnInfo:
        info = self.info_of.get(id(fn))
        if info is None:
            cls = scope.owner if scope.kind == "class" else None
            info = FnInfo(fn, scope.module, scope, cls)
            self.info_of[id(fn)] = info
            scope.module.functions.append(info)
            for d in fn.decorators:
                last = (dotted(d.func if type(d) is Call else d) or "").rpartition(".")[2]
                if last:
                    self._decorated_by.setdefault(last, []).append(info)
            # Nested functions are registered at once, so that `module.functions` is complete and call sites are known.
            self.scope(info)
        return info

    def _bind(self, scope: Scope, target: Any, value: Any, stmt: Any, how: str, index: int = 0) -> None:
        t = type(target)
        if t is Name:
            scope.bindings.setdefault(target.id, []).append(Binding(how, value, stmt, index))
        elif t is Seq:
            for n, elt in enumerate(target.elts):
                if how == "value" and type(value) is Seq and len(value.elts) == len(target.elts) and not any(type(e) is Star for e in value.elts):
                    self._bind(scope, elt, value.elts[n], stmt, "value")
                else:
                    self._bind(scope, elt, value, stmt, "unpack" if how == "value" else how + "-unpack", n)
        elif t is Star:
            self._bind(scope, target.value, value, stmt, "opaque")
        elif t is Attr:
            name = dotted(target)
            if name is not None and how in ("value", "enter"):
                scope.attrs.append((name, value, stmt))
        elif t is Sub and how == "value" and (name := dotted(target.value)) is not None:
            self._stores.setdefault(name.rpartition(".")[2], []).append((target, value, scope))

    def functions(self) -> Iterator[FnInfo]:
        for module in list(self.modules.values()):
            yield from list(module.functions)

    # ---- lookup
    def lookup(self, name: str, scope: Scope | None) -> tuple[list[Binding], Scope] | None:
        """The bindings of a name as Python finds it: function scopes outward, class scopes only from inside the class body itself."""
        first = True
        while scope is not None:
            owner = scope.owner
            if scope.kind == "class" and not first:
                scope = scope.parent
                continue
            if scope.kind == "function" and name in owner.fn.globals:
                found = scope.module.scope.bindings.get(name)
                return (found + scope.bindings.get(name, []), scope.module.scope) if found else None
            if not (scope.kind == "function" and name in owner.fn.nonlocals):
                found = scope.bindings.get(name)
                if found:
                    return found, scope
            first = False
            scope = scope.parent
        return None

    def _unnamed(self, expr: Any, scope: Scope) -> tuple[Any, Scope]:
        """The expression behind second names and partials (`g2 = g1`, `g2 = partial(g1, …)`), followed in a loop: chains of them can be long."""
        seen: set[int] = set()
        for _ in range(MAX_NAMES):
            found = self.lookup(expr.id, scope) if type(expr) is Name else None
            if found is None or id(expr) in seen or len(found[0]) != 1 or found[0][0].how != "value" or getattr(found[0][0].stmt, "annotation", None) is not None:
                break
            inner = found[0][0].node
            if type(inner) is Call and inner.args and not inner.args[0].star:
                made = self.resolve(inner.func, found[1])
                inner = inner.args[0].value if made and all(isinstance(v, Ext) and v.path in lg.PARTIAL for v in made) else None
            if type(inner) is not Name:
                break
            seen.add(id(expr))
            expr, scope = inner, found[1]
        return expr, scope

    def resolve(self, expr: Any, scope: Scope) -> tuple[Value, ...]:
        """What the expression may be; () when nothing is known."""
        if self._depth >= CHAINED:
            expr, scope = self._unnamed(expr, scope)
        key = (id(expr), id(scope))
        found = self._memo.get(key)
        if found is not None:
            return found
        if key in self._busy or self._depth > MAX_DEPTH:
            self._cycle += 1
            return ()
        self._busy.add(key)
        self._depth += 1
        self._steps += 1
        before = self._cycle
        try:
            out = unique(self._resolve(expr, scope)) if self._steps < MAX_STEPS else ()
        finally:
            self._busy.discard(key)
            self._depth -= 1
        # Past the budget what is known so far is kept: unknown is silent, and every question ends.
        if self._cycle == before or self._depth == 0 or self._steps >= MAX_STEPS:
            self._memo[key] = out
        if self._depth == 0:
            self._cycle = self._steps = 0
        return out

    def _together(self, key: Any, parts: Iterator[Iterator[Value]]) -> Iterator[Value]:
        """The union of the ways in which one thing (a name, an attribute) gets its value. Asked for again while it is being worked out
        (`query = query.filter(…)`), it answers with what is known so far, so that each way is looked at once."""
        found = self._united.get(key)
        if found is not None:
            yield from found
            return
        partial = self._partial.get(key)
        if partial is not None:
            self._cycle += 1
            self._own[key] = self._own.get(key, 0) + 1
            yield from list(partial)
            return
        acc: list[Value] = []
        self._partial[key] = acc
        before = self._cycle
        try:
            for part in parts:
                acc[:] = unique([*acc, *part])
                if len(acc) >= MAX_VALUES:
                    break
        finally:
            del self._partial[key]
            own = self._own.pop(key, 0)
        if self._cycle - before == own:
            self._cycle = before  # only this thing itself was asked for again, and it is complete now
            self._united[key] = tuple(acc)
        yield from acc

    def _resolve(self, e: Any, scope: Scope) -> Iterator[Value]:
        t = type(e)
        if t is Name:
            yield from self._name(e.id, scope, e.at)
        elif t is Attr:
            if type(e.value) is Call and type(e.value.func) is Name and e.value.func.id == "super" and (own := self._own_class(scope)) is not None:
                yield from self._above(e.value, own, e.attr, scope)
                return
            for base in self.resolve(e.value, scope):
                yield from self.attribute(base, e.attr)
        elif t is Call:
            yield from self._call(e, scope)
        elif t is Await:
            yield from self.resolve(e.value, scope)
        elif t is Walrus:
            yield from self.resolve(e.value, scope)
        elif t is IfExp:
            yield from self.resolve(e.body, scope)
            yield from self.resolve(e.orelse, scope)
        elif t is BoolOp:
            for v in e.values:
                yield from self.resolve(v, scope)
        elif t is Bin and e.op == "|":
            # A pipe is what its model is: `prompt | llm | parser` asks the model whenever it is invoked.
            sides = [*self.resolve(e.left, scope), *self.resolve(e.right, scope)]
            models = [v for v in sides if isinstance(v, Ext) and is_model(v)]
            funcs = [v for v in sides if isinstance(v, Wrapped) or (isinstance(v, Ext) and v.origin is not None and is_graph_path(v.path))]
            if models or funcs:
                yield from models or funcs
            elif not any(self._model_name(x, scope) for x in (e.left, e.right)):
                yield from sides[:2]
        elif t is Bin and e.op == "/":
            # `BASE / "file"` is a path again.
            yield from (v for v in self.resolve(e.left, scope) if isinstance(v, Ext) and v.path.startswith("pathlib."))
        elif t is Bin and e.op == "+":
            yield Lit(e, scope)
        elif t is Lambda:
            info = self.info_of.get(id(e.fn)) or self.fn_info(e.fn, scope)
            yield Fn(info)
        elif t is Sub:
            yield from self._subscript(e, scope)
        elif t in (Const, Dict, Seq, FStr, Comp):
            yield Lit(e, scope)

    def _model_name(self, e: Any, scope: Scope) -> bool:
        """A side of a pipe that nothing is known of but its name: `prompt | self.llm`. The pipe is then judged by name."""
        name = dotted(e)
        return name is not None and verbs.named_model([*name.split("."), "invoke"]) and not any(not isinstance(v, ParamOf) for v in self.resolve(e, scope))

    def _current(self, name: str, bindings: list[Binding], scope: Scope, at: tuple[int, int, int, int]) -> list[Binding]:
        """Of several bindings of a name those that a use at `at`, in the very scope that binds it, can see: from the last statement above it that
        always binds the name anew. A notebook that builds its graph again in every cell means the graph of the cell."""
        body = scope.owner.fn.body if scope.kind == "function" else scope.owner.facts.body
        starts = self._starts.get(id(scope))
        if starts is None:
            starts = self._starts[id(scope)] = [_start(stmt) for stmt in body]
        here = bisect_right(starts, at[:2]) - 1
        if here < 0:
            return bindings
        key = (id(scope), name, len(bindings))
        table = self._order.get(key)
        if table is None:
            # By binding the number of the statement in the body that holds it (a parameter: -1); which of them always bind.
            where = [bisect_right(starts, _start(b.stmt)) - 1 if b.stmt is not None else -1 for b in bindings]
            always = [n for n, b in enumerate(bindings) if where[n] >= 0 and (
                b.stmt is body[where[n]] and b.how != "aug" and type(b.stmt) in ALWAYS_BINDS
                or type(body[where[n]]) is If and where.index(where[n]) == n and _either_way(body[where[n]], [x for x in bindings if x.how != "aug"]))]
            table = self._order[key] = (where, always, [where[n] for n in always]) if where == sorted(where) else ([], [], [])
        where, always, places = table
        if not where:
            return bindings
        end = bisect_right(where, here)
        if type(body[here]) is Assign:  # its own target is bound after its value is made
            while end and where[end - 1] == here and bindings[end - 1].stmt is body[here]:
                end -= 1
        last = bisect_left(places, here) - 1
        return bindings[always[last] if last >= 0 else 0:end] or bindings

    def _name(self, name: str, scope: Scope, at: tuple[int, int, int, int] = NOWHERE) -> Iterator[Value]:
        found = self.lookup(name, scope)
        if found is None:
            module = scope.module
            stars = [s for sc in (scope, module.scope) for s in sc.stars]
            found_star = False
            for star in stars:
                for v in self._from(star, name, module):
                    found_star = True
                    yield v
            if not found_star and name in BUILTINS:
                yield Ext(name)
            return
        bindings, where = found
        if len(bindings) > 1 and where is scope and scope.kind != "class" and at is not NOWHERE:
            current = self._current(name, bindings, scope, at)
            if len(current) < len(bindings):
                for b in current:
                    yield from self._binding(b, name, where)
                return
        if len(bindings) == 1:
            yield from self._binding(bindings[0], name, where)
        else:
            own = self._as_global(name, scope) if where.kind == "module" and where is not scope else None
            yield from self._together(("name", name, id(where)), (
                self._binding(b, name, own if own is not None and any(b is x for x in own.bindings[name]) else where) for b in bindings))

    @staticmethod
    def _as_global(name: str, scope: Scope | None) -> Scope | None:
        """The function around a scope that assigns to a name of the module: what it assigns is made of its own names."""
        while scope is not None and not (scope.kind == "function" and name in scope.owner.fn.globals):
            scope = scope.parent
        return scope if scope is not None and name in scope.bindings else None

    def _binding(self, b: Binding, name: str, scope: Scope) -> Iterator[Value]:
        how = b.how
        if how == "value":
            values = self.resolve(b.node, scope)
            yield from values
            if not values and type(b.stmt) is Assign and b.stmt.annotation is not None:
                yield from self.annotated(b.stmt.annotation, scope)
        elif how == "import":
            yield from self._import(b.node, scope.module)
        elif how == "def":
            yield from self._decorated(b.node)
        elif how == "class":
            yield Cls(b.node)
        elif how == "param":
            yield from self._param(b.node, scope)
        elif how == "element":
            yield from self.elements(b.node, scope)
        elif how == "element-unpack":
            yield from self._element_items(b.node, scope, b.index)
        elif how == "enter":
            yield from self._enter(b.node, scope)
        elif how == "unpack":
            for v in self.resolve(b.node, scope):
                if isinstance(v, Lit) and type(v.expr) is Seq and b.index < len(v.expr.elts):
                    yield from self.resolve(v.expr.elts[b.index], v.scope)
                elif isinstance(v, Ext):
                    yield v
        elif how == "declared":
            yield from self.annotated(b.node, scope)

    # ---- imports
    def imported(self, module: ModuleInfo) -> set[str]:
        """The project files that a module imports from at its top level (a submodule where that is what is imported)."""
        out: set[str] = set()
        names = [b.node for bindings in module.scope.bindings.values() for b in bindings if b.how == "import"]
        for imp in [*names, *module.scope.stars]:
            parts = imp.module.split(".") if imp.module else []
            found = self.index.relative(imp.level, parts, module) if imp.level else self.index.find(parts, module)
            if found is None:
                continue
            if found[1] is not None:
                out.add(found[1])
            sub = self.index.at((*found[0], imp.name)) if imp.name not in (None, "*") else None
            if sub is not None and sub[1] is not None:
                out.add(sub[1])
        return out

    def files_of(self, expr: Any, scope: Scope | None, depth: int = 0) -> set[str]:
        """The project files in which the name that an expression begins with is defined, read or not: re-exports are followed as far as they are read."""
        while type(expr) is Attr and type(expr.value) is not Name:
            expr = expr.value
        first, rest = (expr.value.id, expr.attr) if type(expr) is Attr else (expr.id if type(expr) is Name else "", "")
        out: set[str] = set()
        found = self.lookup(first, scope) if first else None
        for b in found[0] if found is not None and depth < 5 else ():
            if b.how != "import":
                continue
            imp, module = b.node, found[1].module
            parts = imp.module.split(".") if imp.module else []
            at = self.index.relative(imp.level, parts, module) if imp.level else self.index.find(parts, module)
            if at is None:
                continue
            name = imp.name or rest
            sub = self.index.at((*at[0], imp.name)) if imp.name is not None else None
            path, name = (sub[1], rest) if sub is not None else (at[1], name)
            if path is None:
                continue
            out.add(path)
            known = self.modules.get(path)
            if known is not None and name:
                out |= self.files_of(Name(imp.at, name), known.scope, depth + 1)
        return out

    def _import(self, imp: ImportName, importer: ModuleInfo) -> Iterator[Value]:
        if imp.name is not None:
            yield from self._from(imp, imp.name, importer)
            return
        names = imp.module.split(".")
        found = self.index.find(names, importer)
        if found is None:
            yield Ext(catalogue.canonical(imp.module if imp.asname else names[0]))
            return
        parts, path = found
        if not imp.asname and len(names) > 1:
            parts = parts[: len(parts) - len(names) + 1]
            path = self.index.exact.get(parts)
        yield Mod(parts, self.module(path) if path else None)

    def _from(self, imp: ImportName, name: str, importer: ModuleInfo) -> Iterator[Value]:
        names = imp.module.split(".") if imp.module else []
        if imp.level:
            found = self.index.relative(imp.level, names, importer)
            if found is None:
                return
        else:
            found = self.index.find(names, importer)
            if found is None:
                path = f"{imp.module}.{name}"
                if imp.name == "*" and path not in surface.EXPORTS:
                    return
                yield Ext(catalogue.canonical(path))
                return
        parts, path = found
        info = self.module(path) if path else None
        members = list(self._member(parts, info, name, importer))
        if not members and not imp.level and names[0] in surface.LIBRARIES and (imp.name != "*" or f"{imp.module}.{name}" in surface.EXPORTS) and (
                info is None or name not in info.scope.bindings):
            # A folder of the project that is called like the library: what it does not have comes from the library.
            members = [Ext(catalogue.canonical(f"{imp.module}.{name}"))]
        yield from members

    def own(self, imp: ImportName, importer: ModuleInfo) -> tuple[tuple[str, ...], str | None] | None:
        """The module of the project that an import takes something from, as (parts, path); None where it is a library's."""
        parts = imp.module.split(".") if imp.module else []
        return self.index.relative(imp.level, parts, importer) if imp.level else self.index.find(parts, importer)

    def elsewhere(self, e: Any, scope: Scope) -> tuple[Binding, Scope] | None:
        """The only binding of what a name or attribute (`limits.MAX`) imports from another module of the project, in the scope of that module; None where there is
        none or more than one."""
        for _ in range(MAX_IMPORTS):
            if type(e) is Name:
                found = self.lookup(e.id, scope)
                if found is None or len(found[0]) != 1 or found[0][0].how != "import" or found[0][0].node.name in (None, "*"):
                    return None
                at = self.own(found[0][0].node, found[1].module)
                info, name = self.module(at[1]) if at is not None and at[1] else None, found[0][0].node.name
            elif type(e) is Attr:
                infos = [v.info for v in self.resolve(e.value, scope) if isinstance(v, Mod)]
                info, name = infos[0] if len(infos) == 1 else None, e.attr
            else:
                return None
            bindings = info.scope.bindings.get(name, []) if info is not None else []
            if info is None or len(bindings) != 1:
                return None
            if bindings[0].how != "import":
                return bindings[0], info.scope
            e, scope = Name(e.at, name), info.scope
        return None

    def absent(self, name: str, scope: Scope) -> bool:
        """Whether a name is imported from a module of the project that has no such thing: the import raises, and nothing is ever called."""
        found = self.lookup(name, scope)
        if found is None or not found[0] or any(b.how != "import" or b.node.name in (None, "*") for b in found[0]):
            return False
        for b in found[0]:
            imp, importer = b.node, found[1].module
            names = imp.module.split(".") if imp.module else []
            at = self.index.relative(imp.level, names, importer) if imp.level else self.index.find(names, importer)
            info = self.module(at[1]) if at is not None and at[1] else None
            if at is None or info is None or info is importer or imp.name in info.scope.bindings or info.scope.stars or "__getattr__" in info.scope.bindings:
                return False
            if (*at[0], imp.name) in self.index.exact or (*at[0], imp.name) in self.index.dirs or any(
                    dotted(c.func) in ("globals", "vars", "setattr", "exec") for c in info.scope.calls):
                return False
        return True

    def _member(self, parts: tuple[str, ...], info: ModuleInfo | None, name: str, importer: ModuleInfo | None) -> Iterator[Value]:
        """`name` of a module: what it binds, else a submodule, else what its star imports bring."""
        if info is not None and name in info.scope.bindings and info is not importer:
            key = ("member", info.path, name)
            if key in self._busy:
                self._cycle += 1
                return
            self._busy.add(key)
            try:
                yield from self._name(name, info.scope)
            finally:
                self._busy.discard(key)
            return
        sub = self.index.at(parts + (name,))
        if sub is not None:
            yield Mod(sub[0], self.module(sub[1]) if sub[1] else None)
            return
        if info is not None and info.scope.stars:
            key = ("star", info.path, name)
            if key in self._busy:
                self._cycle += 1
                return
            self._busy.add(key)
            try:
                yield from self._name(name, info.scope)
            finally:
                self._busy.discard(key)

    # ---- parameters and annotations
    def _param(self, p: Param, scope: Scope) -> Iterator[Value]:
        info: FnInfo = scope.owner
        fn = info.fn
        if info.cls is not None and fn.params and fn.params[0] is p and p.kind in ("any", "pos"):
            decorators = {dotted(d) for d in fn.decorators}
            if "staticmethod" not in decorators:
                yield Cls(info.cls) if "classmethod" in decorators else Inst(info.cls)
                return
        out: list[Value] = []
        if p.annotation is not None and p.kind not in ("star", "star2"):
            out.extend(self.annotated(p.annotation, scope.parent or scope))
        precise = [v for v in out if not isinstance(v, Lit)]
        if p.default is not None and not precise:
            out.extend(v for v in self.resolve(p.default, info.parent) if not _is_none(v))
        if not precise or all(isinstance(v, Ext) and v.path in surface.CALLABLES for v in precise):
            out.extend(self._from_call_sites(info, p))
        elif all(isinstance(v, Ext) and v.path in surface.SOME_TOOL for v in precise):
            given = [v for v in self._from_call_sites(info, p) if isinstance(v, (Fn, Wrapped, Inst))]
            out = given or out
        if out:
            yield from out
        else:
            yield ParamOf(info, p.name)

    def param(self, info: FnInfo, name: str) -> tuple[Value, ...]:
        """What a parameter may be."""
        scope = self.scope(info)
        return tuple(v for b in scope.bindings.get(name, ()) if b.how == "param" for v in self._param(b.node, scope))

    def _from_call_sites(self, info: FnInfo, p: Param) -> Iterator[Value]:
        """What the callers in the modules read so far pass for a parameter (dependency injection)."""
        is_init = info.cls is not None and info.fn.name == "__init__"
        name = info.cls.cls.name if is_init and info.cls else info.fn.name
        sites = self.calls_by_name.get(name, ())
        if not sites or len(sites) > 40:
            return
        seen = 0
        mine = is_test(info.module.path)
        for call, scope in sites:
            if seen >= 6:
                return
            if not mine and is_test(scope.module.path):
                continue  # what a test passes says nothing about what the program runs with
            targets = self.resolve(call.func, scope)
            if is_init:
                hit = any(isinstance(v, Cls) and v.info is info.cls for v in targets)
            else:
                hit = any(isinstance(v, Fn) and v.info is info for v in targets)
            if not hit:
                continue
            seen += 1
            bound = bool(info.cls) and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
            arg = argument(call, info.fn, p, bound)
            if arg is not None:
                yield from (v for v in self._handed(arg, call, scope) if not _is_none(v) and not _made_in(info, v))
            else:
                yield from self._spread(call, p.name, scope)

    def _handed(self, arg: Any, call: Call, scope: Scope) -> Iterator[Value]:
        """What a call is handed. In `t = guard(t)` that is what `t` was before, and no wrapper around itself."""
        found = self.lookup(arg.id, scope) if type(arg) is Name else None
        if found is not None and any(b.node is call for b in found[0]):
            before = [b for b in found[0] if type(b.stmt) is not Generator and not (b.how == "value" and type(b.node) is Call and any(type(a.value) is Name and a.value.id == arg.id for a in b.node.args))]
            key = ("handed", id(call), id(arg))
            if before and key in self._busy:
                self._cycle += 1
                return
            if before:
                self._busy.add(key)
                try:
                    for b in before:
                        yield from self._binding(b, arg.id, found[1])
                finally:
                    self._busy.discard(key)
                return
        yield from self.resolve(arg, scope)

    def _spread(self, call: Call, name: str, scope: Scope) -> Iterator[Value]:
        """What `f(**params)` passes for a parameter, where the dict is a display."""
        for a in call.args:
            if a.star != 2:
                continue
            for v in self.resolve(a.value, scope):
                if isinstance(v, Lit) and type(v.expr) is Dict:
                    for k, val in zip(v.expr.keys, v.expr.values):
                        if type(k) is Const and k.value == name:
                            yield from self.resolve(val, v.scope)
                elif isinstance(v, Ext) and v.path == "dict()" and v.origin is not None and v.scope is not None:
                    yield from (x for o in v.origin.args if o.name == name for x in self.resolve(o.value, v.scope))

    def _from_decorated(self, info: FnInfo, p: Param) -> Iterator[Value]:
        """The functions that a decorator is put on, for the parameter in which it gets them; also in `@factory(…)`."""
        params = [q for q in info.fn.params if q.kind in ("any", "pos")]
        if not params or params[0] is not p or info.cls is not None:
            return
        owner = info.parent.owner if info.parent.kind == "function" else None
        for name, factory in ((info.name, False), (owner.name if owner is not None else "", True)):
            for d in self._decorated_by.get(name, ())[:12]:
                for expr in d.fn.decorators:
                    if (type(expr) is Call) is factory and d is not info and any(
                            isinstance(v, Fn) and v.info is (owner if factory else info) for v in self.resolve(expr.func if factory else expr, d.parent)):
                        yield Fn(d)

    def annotated(self, ann: Any, scope: Scope, depth: int = 0) -> Iterator[Value]:
        """The value that an annotation promises: an instance of the class it names (Optional, unions, Annotated seen through)."""
        if depth > 6:
            return
        t = type(ann)
        if t is Const and ann.kind == "str":
            parts = ann.value.replace(" ", "").split("|")
            if len(parts) == 1 and parts[0].endswith("]") and parts[0][:1].isupper() and parts[0].split("[")[0] not in _TYPING:
                parts = [parts[0].split("[")[0]]  # "Runtime[Context]"
            for text in parts:
                if text and text != "None" and all(x.isidentifier() for x in text.split(".")):
                    names = text.split(".")
                    e: Any = Name(ann.at, names[0])
                    for n in names[1:]:
                        e = Attr(ann.at, e, n)
                    yield from self.annotated(e, scope, depth + 1)
            return
        if t is Bin and ann.op == "|":
            yield from self.annotated(ann.left, scope, depth + 1)
            yield from self.annotated(ann.right, scope, depth + 1)
            return
        if t is Sub:
            base = (dotted(ann.value) or "").rsplit(".", 1)[-1]
            if base in ("Optional", "Annotated", "Union", "ClassVar", "Final", "Type", "type", "InjectedToolArg"):
                items = ann.index.elts if type(ann.index) is Seq else [ann.index]
                for item in items[:1] if base == "Annotated" else items:
                    yield from self.annotated(item, scope, depth + 1)
            elif base in ("AsyncIterator", "Iterator", "AsyncGenerator", "Generator", "Awaitable", "Coroutine"):
                items = ann.index.elts if type(ann.index) is Seq else [ann.index]
                item = items[-1] if base == "Coroutine" else items[0]
                yield from self.annotated(item, scope, depth + 1)
            elif base not in ("list", "List", "dict", "Dict", "Callable", "Literal", "tuple", "Tuple", "Sequence", "Iterable", "set", "Mapping"):
                for v in self.annotated(ann.value, scope, depth + 1):
                    if isinstance(v, Ext) and v.path in lg.RUNTIMES:
                        v = Ext(v.path, self._parameters.setdefault(id(ann), Call(ann.at, ann.value, [Arg(ann.at, None, 0, ann.index)])), scope)
                    yield v
            return
        if t in (Name, Attr):
            for v in self.resolve(ann, scope):
                if isinstance(v, Cls):
                    yield Inst(v.info)
                elif isinstance(v, Ext) and v.path not in PLAIN_TYPES:
                    yield Ext(catalogue.canonical(v.path + "()"))
                elif isinstance(v, Lit) and type(v.expr) in (Sub, Bin, Const):
                    yield from self.annotated(v.expr, v.scope, depth + 1)

    # ---- attributes
    def attribute(self, base: Value, attr: str) -> Iterator[Value]:
        if isinstance(base, Ext):
            if base.path in NAMESPACES and base.origin is not None and base.scope is not None:
                yield from (v for a in base.origin.args if a.name == attr for v in self.resolve(a.value, base.scope))
                return
            if attr == "context" and base.path in lg.RUNTIMES and base.origin is not None and base.scope is not None and base.origin.args:
                given = base.origin.args[0].value
                known = tuple(self.annotated(given.elts[0] if type(given) is Seq and given.elts else given, base.scope))
                if known:
                    yield from known
                    return
            yield Ext(catalogue.canonical(f"{base.path}.{attr}"), base.origin, base.scope, base.made)
        elif isinstance(base, Mod):
            yield from self._member(base.parts, base.info, attr, None)
        elif isinstance(base, (Inst, Cls)):
            for v in self._class_member(base, attr):
                # A method of a library's base class: the object was made where the project's own class was called.
                made_here = isinstance(v, Ext) and v.origin is None and isinstance(base, Inst) and base.call is not None and v.path.endswith(f"().{attr}")
                yield Ext(v.path, base.call, base.scope) if made_here else v
        elif isinstance(base, Wrapped) and attr in PASS_THROUGH:
            yield Wrapped("with", (base,), base.call)
        elif isinstance(base, Wrapped) and base.kind == "graph":
            if attr in lg.RUN_METHODS:
                yield Wrapped("graph-run", base.targets, base.call)
        elif isinstance(base, Wrapped):
            if attr in RUN_METHODS:
                yield from base.targets
        elif isinstance(base, Fn):
            if attr in RUN_METHODS or attr in ("fn", "__wrapped__", "partial"):
                yield base

    def mro(self, info: ClassInfo, limit: int = 64) -> Iterator[Union[ClassInfo, str]]:
        """The class and its bases depth-first: ClassInfo for project classes, a dotted path for external ones."""
        seen: set[int] = set()
        stack: list[Any] = [info]
        while stack and limit:
            top = stack.pop(0)
            if isinstance(top, str):
                yield top
                continue
            if id(top) in seen:
                continue
            seen.add(id(top))
            limit -= 1
            yield top
            bases: list[Any] = []
            for arg in top.cls.bases:
                if arg.name is not None or arg.star:
                    continue
                target = arg.value.value if type(arg.value) is Sub else arg.value  # Generic[T]
                for v in self.resolve(target, top.parent):
                    if isinstance(v, Cls):
                        bases.append(v.info)
                    elif isinstance(v, Ext):
                        bases.append(v.path)
            stack = bases + stack

    def method(self, info: ClassInfo, name: str) -> FnInfo | None:
        """The project function that `instance.name(...)` runs, by the method resolution order."""
        for c in self.mro(info):
            if isinstance(c, ClassInfo) and c.scope is not None:
                for b in reversed(c.scope.bindings.get(name, ())):
                    if b.how == "def":
                        return b.node
        return None

    def _class_member(self, base: Inst | Cls, attr: str) -> Iterator[Value]:
        key = ("attr", type(base).__name__, id(base.info), attr)
        yield from self._together(key, iter([self._members(base, attr)]))

    def _members(self, base: Inst | Cls, attr: str) -> Iterator[Value]:
        found = False
        external: list[str] = []
        for c in self.mro(base.info):
            if isinstance(c, str):
                external.append(c)
                continue
            assert c.scope is not None
            for b in c.scope.bindings.get(attr, ()):
                found = True
                if b.how == "def":
                    info: FnInfo = b.node
                    decorators = {(dotted(d) or "").rsplit(".", 1)[-1] for d in info.fn.decorators}
                    if decorators & {"property", "cached_property"} and isinstance(base, Inst):
                        yield from self.returns(info)
                    else:
                        yield from (Fn(v.info, base) if isinstance(v, Fn) else v for v in self._decorated(info))
                        if isinstance(base, Inst) and is_stub(info):
                            yield from (Fn(o, base) for o in self.overrides(base.info, attr))
                elif b.how == "declared":
                    values = tuple(self.annotated(b.node, c.scope))
                    yield from values or self._field_given(base, c, attr)
                else:
                    values = tuple(self._binding(b, attr, c.scope))
                    if type(b.stmt) is Assign and b.stmt.annotation is not None and isinstance(base, Inst) and all(isinstance(v, Lit) for v in values):
                        values = (*values, *self._field_given(base, c, attr))
                    yield from values
            if found and any(b.how == "def" for b in c.scope.bindings.get(attr, ())):
                return
            for name, value, fscope, stmt in self._self_attrs(c, attr):
                found = True
                values = self.resolve(value, fscope)
                if not values and type(stmt) is Assign and stmt.annotation is not None:
                    values = tuple(self.annotated(stmt.annotation, fscope))
                if type(stmt) is WithItem:
                    values = unique(self._enter(value, fscope))
                yield from (v for v in values if not _is_none(v))
            if found:
                # The nearest class that sets the attribute wins, except that a base may set the real thing where a subclass sets None.
                break
        if not found and attr in RUN_METHODS and any(path in lg.BASE_TOOL for path in external):
            # A tool class: `invoke` runs what its `_run` does.
            for name in ("_run", "_arun"):
                m = self.method(base.info, name)
                if m is not None:
                    found = True
                    yield Fn(m, base)
        if not found and isinstance(base, Inst) and base.call is None and all(path in PLAIN_BASES for path in external):
            # A template: the base class calls what only its subclasses have.
            for info in self.overrides(base.info, attr):
                found = True
                yield Fn(info, base)
        if not found:
            # The attribute of a dataclass field passed to the constructor, or a method of an external base class.
            for path in external:
                yield Ext(catalogue.canonical(f"{path}().{attr}"))

    def _field_given(self, base: Inst | Cls, c: ClassInfo, attr: str) -> Iterator[Value]:
        """What the constructor calls pass for a field of a dataclass, a pydantic model or a NamedTuple."""
        if self.method(base.info, "__init__") is not None or c.scope is None:
            return
        if isinstance(base, Inst) and base.call is not None and base.scope is not None:
            sites = [(base.call, base.scope)]
        else:
            sites = [(call, scope) for call, scope in self.calls_by_name.get(base.info.cls.name, ())[:12]
                     if not is_test(scope.module.path) or is_test(base.info.module.path)]
        fields = [name for name, bindings in c.scope.bindings.items() if any(
            b.how == "declared" or b.how == "value" and type(b.stmt) is Assign and b.stmt.annotation is not None for b in bindings)]
        for call, scope in sites:
            if call is not (base.call if isinstance(base, Inst) else None) and not any(
                    isinstance(v, Cls) and v.info is base.info for v in self.resolve(call.func, scope)):
                continue
            given = next((a.value for a in call.args if a.name == attr), None)
            plain = [a for a in call.args if a.name is None]
            place = fields.index(attr) if attr in fields else len(plain)
            if given is None and place < len(plain) and not any(a.star for a in plain[: place + 1]):
                given = plain[place].value
            if given is not None:
                yield from (v for v in self.resolve(given, scope) if not _is_none(v))
            else:
                yield from self._spread(call, attr, scope)

    def _own_class(self, scope: Scope) -> ClassInfo | None:
        """The class in whose method code stands, also in a function nested in it."""
        here: Scope | None = scope
        while here is not None and here.kind != "class":
            here = here.parent
        return here.owner if here is not None and here is not scope else None

    def _above(self, call: Call, own: ClassInfo, attr: str, scope: Scope) -> Iterator[Value]:
        """`super().attr`: what the bases of the class have; of a mixin that has no such base, what stands behind it in the classes that use it."""
        for v in self.resolve(call.args[0].value, scope) if call.args else ():
            own = v.info if isinstance(v, Cls) else own
        lines = [list(self.mro(own))]
        if not any(isinstance(c, ClassInfo) and c.scope is not None and attr in c.scope.bindings for c in lines[0][1:]):
            lines += [line for c in self.subclasses(own) if own in (line := list(self.mro(c)))]
        for line in lines:
            behind = line[line.index(own) + 1:]
            found = next((c for c in behind if isinstance(c, ClassInfo) and c.scope is not None and attr in c.scope.bindings), None)
            if found is not None:
                for b in found.scope.bindings[attr]:
                    yield from (Fn(v.info, Inst(own)) if isinstance(v, Fn) else v for v in self._binding(b, attr, found.scope))
                return
        for c in lines[0][1:]:
            if isinstance(c, str) and c != "object":
                yield Ext(catalogue.canonical(f"{c}().{attr}"))

    def subclasses(self, info: ClassInfo, limit: int = 6) -> Iterator[ClassInfo]:
        """The classes in the modules read so far that have a class among their bases."""
        for module in list(self.modules.values()):
            for c in module.classes:
                if limit and c is not info and c.cls.bases and any(b is info for b in self.mro(c)):
                    limit -= 1
                    yield c

    def overrides(self, info: ClassInfo, name: str) -> Iterator[FnInfo]:
        """What subclasses in the modules read so far put in the place of a method that only stands in for them."""
        count = 0
        for module in list(self.modules.values()):
            for c in module.classes:
                if c is info or c.scope is None or name not in c.scope.bindings or count >= 6:
                    continue
                if any(b is info for b in self.mro(c)):
                    for b in c.scope.bindings[name]:
                        if b.how == "def":
                            count += 1
                            yield b.node

    def _self_attrs(self, c: ClassInfo, attr: str) -> Iterator[tuple[str, Any, Scope, Any]]:
        for bindings in c.scope.bindings.values() if c.scope else ():
            for b in bindings:
                if b.how != "def":
                    continue
                info: FnInfo = b.node
                if not info.fn.params:
                    continue
                scope = self.scope(info)
                me = info.fn.params[0].name + "." + attr
                for name, value, stmt in scope.attrs:
                    if name == me:
                        yield name, value, scope, stmt

    # ---- calls
    def _decorated(self, info: FnInfo) -> Iterator[Value]:
        """What the name of a decorated function is: a tool wraps it, everything else is the function (its decorators are judged where it is called)."""
        for d in info.fn.decorators:
            target = d.func if type(d) is Call else d
            for v in self.resolve(target, info.parent):
                if isinstance(v, Ext) and v.path in lg.TOOL_DECORATORS:
                    yield Wrapped("tool", (Fn(info),), d if type(d) is Call else None)
                    return
                if isinstance(v, Ext) and v.path in lg.ENTRYPOINT:
                    yield Wrapped("graph", (Fn(info),), d if type(d) is Call else None)
                    return
        yield Fn(info)

    def _call(self, call: Call, scope: Scope) -> Iterator[Value]:
        func = call.func
        if type(func) is Name and func.id in ("next", "anext") and call.args and not call.args[0].star and self.lookup(func.id, scope) is None:
            yield from (v for v in self.elements(call.args[0].value, scope) if isinstance(v, (Fn, Wrapped, Inst, Cls)))
        if type(func) is Attr and func.attr in ("get", "pop", "setdefault") and call.args and not call.args[0].star:
            # `TOOLS_BY_NAME.get(name)` is `TOOLS_BY_NAME[name]` where it is there.
            for v in self._subscript(Sub(call.at, func.value, call.args[0].value), scope):
                if isinstance(v, (Fn, Wrapped, Inst, Cls)):
                    yield v
        if type(func) is Name and func.id == "getattr" and len(call.args) in (2, 3) and type(part := call.args[1].value) is Const and part.kind == "str" \
                and self.lookup(func.id, scope) is None:
            # `getattr(store, "aget", None)` is `store.aget` where it is there.
            yield from self.resolve(self._dicts.setdefault(id(call), Attr(call.at, call.args[0].value, part.value)), scope)
            return
        for f in self.resolve(call.func, scope):
            yield from self.result(f, call, scope)

    def result(self, f: Value, call: Call, scope: Scope) -> Iterator[Value]:
        """What calling `f` gives."""
        if isinstance(f, Ext):
            path = f.path
            if path in lg.PARTIAL and call.args:
                yield from self.resolve(call.args[0].value, scope)
                return
            if path in FIELDS:
                for a in call.args:
                    if a.name in ("default_factory", "factory"):
                        for v in self.resolve(a.value, scope):
                            yield from self.returns(v.info) if isinstance(v, Fn) else self.result(v, Call(call.at, a.value, []), scope)
                    elif a.name == "default" or a.name is None and not a.star:
                        yield from (v for v in self.resolve(a.value, scope) if not _is_none(v) and not isinstance(v, Lit))
                return
            if path.rpartition(".")[2] in ("enter_context", "enter_async_context") and path.rpartition(".")[0].removesuffix("()") in lg.EXIT_STACK and call.args:
                yield from self._enter(call.args[0].value, scope)
                return
            if path in surface.FUNCTION_WRAPPERS or path.removesuffix("()") in lg.TOOL_DECORATORS:
                targets = unique(v for a in call.args if a.name in (None, "func", "coroutine", "afunc", "fn") for v in self.resolve(a.value, scope)
                                 if isinstance(v, (Fn, Wrapped, Inst)))
                if targets:
                    yield Wrapped("runnable" if path in surface.FUNCTION_WRAPPERS else "tool", targets, call)
                    return
            if path == "dict" and len(call.args) == 1 and type(pairs := call.args[0].value) is Comp and type(pairs.elt) is Seq and len(pairs.elt.elts) == 2:
                # `dict((t.name, t) for t in TOOLS)` is a dict comprehension.
                made = self._dicts.setdefault(id(call), Comp(pairs.at, "dict", pairs.elt.elts[1], pairs.elt.elts[0], pairs.generators))
                yield Lit(made, scope)
                return
            if path in TRANSPARENT_CALLS and call.args:
                yield from self.resolve(call.args[0].value, scope)
                return
            if call.args and (path in lg.RETRY_DECORATORS or path.endswith("()") and path[:-2] in lg.RETRY_DECORATORS):
                # `retry(stop=…)(f)` and `retry(f)` are f, called again when it fails.
                functions = [v for v in self.resolve(call.args[0].value, scope) if isinstance(v, (Fn, Wrapped))]
                if functions:
                    yield from functions
                    return
            base, _, last = path.rpartition(".")
            if base in surface.BUILDER_OBJECTS and last in surface.BUILDER_METHODS:
                yield Ext(base, f.origin, f.scope)
                return
            if last in ("get", "pop", "setdefault") and path.startswith("dict()"):
                return
            suffix = "()"
            if path in catalogue.KEYED and call.args and type(call.args[0].value) is Const and call.args[0].value.kind == "str":
                suffix = f"('{call.args[0].value.value}')"
            made = catalogue.canonical(path + suffix)
            yield Ext(made, f.origin or call, f.scope or scope, call if made in surface.GRAPH_OBJECTS and made != path else f.made)
        elif isinstance(f, Fn):
            if self.is_task(f.info):
                yield Ext(TASK_FUTURE, call, scope)
                return
            yield from self.returns(f.info)
        elif isinstance(f, Cls):
            yield Inst(f.info, call, scope)
        elif isinstance(f, Inst):
            method = self.method(f.info, "__call__")
            if method is not None:
                yield from self.returns(method)
        elif isinstance(f, Wrapped) and f.kind == "with":
            yield from f.targets
        elif isinstance(f, Wrapped) and f.kind != "graph-run":
            for v in f.targets:
                if isinstance(v, Fn):
                    yield from self.returns(v.info)
        elif isinstance(f, Lit):
            return

    def is_task(self, info: FnInfo) -> bool:
        """`@task` of the Functional API: a call gives a future whose result is restored on resume."""
        for d in info.fn.decorators:
            if any(isinstance(v, Ext) and v.path in lg.TASK for v in self.resolve(d.func if type(d) is Call else d, info.parent)):
                return True
        return False

    def returns(self, info: FnInfo) -> tuple[Value, ...]:
        """What a project function returns: its returned expressions, else what its annotation promises."""
        key = id(info.fn)
        found = self._returns.get(key)
        if found is not None:
            return found
        if ("returns", key) in self._busy or self._depth > MAX_DEPTH:
            self._cycle += 1
            return ()
        self._busy.add(("returns", key))
        before = self._cycle
        self._depth += 1
        try:
            scope = self.scope(info)
            out: list[Value] = []
            if info.fn.is_generator:
                given = [node for stmt in info.fn.body for node in walk(stmt) if type(node) is Yield]
            else:
                given = [stmt for stmt in statements(info.fn.body) if type(stmt) is Return]
            for node in given:
                if node.value is not None:
                    out.extend(v for v in self.resolve(node.value, scope) if not _is_none(v))
            if not any(not isinstance(v, (Lit, ParamOf)) and not _taken_out(v) for v in out) and info.fn.returns is not None:
                promised = list(self.annotated(info.fn.returns, info.parent))
                # What comes out of a queue is known by what the function says of it.
                out = [v for v in out if not promised or not _taken_out(v)] + promised
            values = unique(out)
        finally:
            self._busy.discard(("returns", key))
            self._depth -= 1
        if self._cycle == before or self._depth == 0:
            self._returns[key] = values
        return values

    def _enter(self, expr: Any, scope: Scope) -> Iterator[Value]:
        for v in self.resolve(expr, scope):
            if isinstance(v, Inst):
                method = self.method(v.info, "__enter__") or self.method(v.info, "__aenter__")
                values = self.returns(method) if method is not None else ()
                yield from values or (v,)
            elif isinstance(v, Ext):
                yield Ext(catalogue.canonical(v.path), v.origin, v.scope, v.made)
            else:
                yield v

    # ---- containers
    def kept_as(self, v: Value) -> Any | None:
        """The name (or attribute) that a list or dict is given where it is made: `tools` of `tools = []`, by which more is put into it."""
        node = v.expr if isinstance(v, Lit) else v.origin if isinstance(v, Ext) else None
        scope = v.scope if isinstance(v, (Lit, Ext)) else None
        if node is None or scope is None or type(node) not in FILLED:
            return None
        size = len(scope.bindings) + len(scope.attrs)
        kept = self._kept.get(id(scope))
        if kept is None or kept[0] != size:
            names = {id(b.node): Name(b.node.at, name) for name, bindings in scope.bindings.items() for b in bindings if b.how == "value" and type(b.node) in FILLED}
            for name, value, _ in scope.attrs:
                base, _, attr = name.rpartition(".")
                if type(value) in FILLED and "." not in base:
                    names.setdefault(id(value), Attr(value.at, Name(value.at, base), attr))
            kept = self._kept[id(scope)] = size, names
        return kept[1].get(id(node))

    def added(self, v: Value) -> Iterator[tuple[Any, bool, Scope]]:
        """What is put into a list after it is made, anywhere in the modules read so far: the item as written, whether it stands for several, the scope to read it in."""
        base = self.kept_as(v)
        if base is None:
            return
        last = base.id if type(base) is Name else base.attr
        found = self._added.get(last, ())
        for target, item, several, where in found if len(found) <= 40 else ():
            if type(base) is Name and type(target) is Name:
                theirs = self.lookup(target.id, where)
                same = theirs is not None and theirs[1] is v.scope
            else:
                same = type(base) is Attr and dotted(target) == dotted(base) and self._class_around(where) is self._class_around(v.scope) is not None
            if same:
                yield item, several, where

    def _put_in(self, v: Value) -> Iterator[Value]:
        for item, several, where in self.added(v):
            if several:
                yield from self.elements(item, where)
                continue
            yield from self.resolve(item, where)
            # In a decorator: what it was put on.
            found = self.lookup(item.id, where) if type(item) is Name else None
            if found is not None and found[0][0].how == "param" and found[1].kind == "function":
                yield from self._from_decorated(found[1].owner, found[0][0].node)

    def items_of(self, v: Value) -> Iterator[Value]:
        """The elements that iterating over a value gives, where it is a display, a comprehension or a sum of such; with what is put in later."""
        made = isinstance(v, Ext) and v.path in LISTS and v.origin is not None and v.scope is not None
        if not isinstance(v, Lit) and not made:
            return
        e, scope = (v.expr, v.scope) if isinstance(v, Lit) else (v.origin, v.scope)
        key = ("items", id(e), id(scope))
        if key in self._busy:
            self._cycle += 1
            return
        self._busy.add(key)
        try:
            yield from self.elements(e, scope) if made and e.args else () if made else self._items(e, scope)
            yield from self._put_in(v)
        finally:
            self._busy.discard(key)

    def _items(self, e: Any, scope: Scope) -> Iterator[Value]:
        t = type(e)
        if t is Seq:
            for elt in e.elts:
                if type(elt) is Star:
                    yield from self.elements(elt.value, scope)
                else:
                    yield from self.resolve(elt, scope)
        elif t is Dict:
            for k, val in zip(e.keys, e.values):
                if k is not None:
                    yield from self.resolve(k, scope)
                else:
                    yield from self.elements(val, scope)
        elif t is Comp:
            yield from self._comp_elt(e, scope)
        elif t is Bin and e.op in ("+", "|"):
            yield from self.elements(e.left, scope)
            yield from self.elements(e.right, scope)

    def elements(self, expr: Any, scope: Scope) -> Iterator[Value]:
        if type(expr) is Call:
            f = expr.func
            if type(f) is Attr and f.attr == "values" and not expr.args:
                yield from self._stored(f.value, scope)
                for v in self.resolve(f.value, scope):
                    yield from self._dict_values(v)
                return
            if type(f) is Attr and f.attr == "copy" and not expr.args:
                yield from self.elements(f.value, scope)
                return
            if type(f) is Name and f.id in ("list", "tuple", "sorted", "reversed", "set", "iter", "filter") and expr.args:
                yield from self.elements(expr.args[-1].value if f.id == "filter" else expr.args[0].value, scope)
                return
            if type(f) is Name and f.id == "map" and len(expr.args) > 1:
                each = self._dicts.setdefault(id(expr), Call(expr.at, expr.args[0].value, []))
                yield from (x for v in self.resolve(each.func, scope) if isinstance(v, (Fn, Wrapped)) for x in self.result(v, each, scope))
                return
            functions = self.resolve(f, scope)
            if any(isinstance(v, Ext) and v.path in CHAINS for v in functions):
                for a in expr.args:
                    yield from self.elements(a.value, scope)
                return
            if any(isinstance(v, Fn) and v.info.fn.is_generator for v in functions):
                yield from (x for v in functions if isinstance(v, Fn) and v.info.fn.is_generator for x in self.returns(v.info))
                return
        if type(expr) is Sub and type(expr.index) is Slice:
            yield from self.elements(expr.value, scope)
            return
        for v in self.resolve(expr, scope):
            if isinstance(v, Lit):
                yield from self.items_of(v)
            elif isinstance(v, Ext):
                if v.origin is not expr:
                    yield from self.items_of(v)
                # Iterating over an external thing (an agent's chunks, a cursor) keeps its path.
                yield v

    def _element_items(self, expr: Any, scope: Scope, index: int) -> Iterator[Value]:
        if type(expr) is Call and type(expr.func) is Attr and expr.func.attr == "items" and not expr.args and index == 1:
            for v in self.resolve(expr.func.value, scope):
                yield from self._dict_values(v)
            return
        if type(expr) is Call and type(expr.func) is Name and expr.func.id == "enumerate" and index == 1 and expr.args:
            yield from self.elements(expr.args[0].value, scope)
            return
        for v in self.elements(expr, scope):
            if isinstance(v, Lit) and type(v.expr) is Seq and index < len(v.expr.elts):
                yield from self.resolve(v.expr.elts[index], v.scope)

    def _dict_values(self, v: Value) -> Iterator[Value]:
        key = ("values", value_key(v))
        if key in self._busy:
            self._cycle += 1
            return
        self._busy.add(key)
        try:
            yield from self._values(v)
        finally:
            self._busy.discard(key)

    def _values(self, v: Value) -> Iterator[Value]:
        if isinstance(v, Lit) and type(v.expr) is Dict:
            for k, val in zip(v.expr.keys, v.expr.values):
                if k is None:
                    for inner in self.resolve(val, v.scope):
                        yield from self._dict_values(inner)
                else:
                    yield from self.resolve(val, v.scope)
            base = self.kept_as(v)
            if base is not None:
                yield from self._stored(base, v.scope)
        elif isinstance(v, Lit) and type(v.expr) is Comp and v.expr.kind == "dict":
            yield from self._comp_elt(v.expr, v.scope)

    def _comp_elt(self, e: Comp, scope: Scope) -> Iterator[Value]:
        """The elements of a comprehension. Its variable is its own, whatever else the name stands for around it."""
        if type(e.elt) is Name:
            for g in e.generators:
                if type(g.target) is Name and g.target.id == e.elt.id:
                    yield from self.elements(g.iter, scope)
                    return
                if type(g.target) is Seq:
                    for n, one in enumerate(g.target.elts):
                        if type(one) is Name and one.id == e.elt.id:
                            yield from self._element_items(g.iter, scope, n)
                            return
        yield from self.resolve(e.elt, scope)

    def _stored(self, base: Any, scope: Scope) -> Iterator[Value]:
        """What is put into a dict by `base[…] = value`, anywhere in the modules read so far."""
        for _, value, where in self.stores(base, scope):
            yield from self.resolve(value, where)
            # In a decorator: what it was put on. (Elsewhere the call of that function speaks for itself.)
            found = self.lookup(value.id, where) if type(value) is Name else None
            if found is not None and found[0][0].how == "param" and found[1].kind == "function":
                yield from self._from_decorated(found[1].owner, found[0][0].node)

    def stores(self, base: Any, scope: Scope) -> Iterator[tuple[Any, Any, Scope]]:
        """Every `base[key] = value` in the modules read so far: key and value as written, with the scope to read them in."""
        name = dotted(base)
        if name is None:
            return
        stores = self._stores.get(name.rpartition(".")[2], ())
        if not stores or len(stores) > 40:
            return
        mine = self.lookup(base.id, scope) if type(base) is Name else None
        for stored, value, where in stores:
            target = stored.value
            if type(base) is Name and type(target) is Name:
                theirs = self.lookup(target.id, where)
                same = mine is not None and theirs is not None and mine[1] is theirs[1]
            else:
                same = dotted(target) == name and type(base) is Attr and self._class_around(where) is self._class_around(scope) is not None
            if same:
                yield stored.index, value, where

    def _class_around(self, scope: Scope | None) -> ClassInfo | None:
        while scope is not None and scope.kind != "class":
            scope = scope.parent
        return scope.owner if scope is not None else None

    def _subscript(self, e: Sub, scope: Scope) -> Iterator[Value]:
        yield from (v for v in self._stored(e.value, scope) if isinstance(v, (Fn, Wrapped, Inst, Cls)))
        for v in self.resolve(e.value, scope):
            if isinstance(v, Ext):
                yield v
            elif isinstance(v, Lit):
                t = type(v.expr)
                if t is Dict:
                    if type(e.index) is Const:
                        hit = [val for k, val in zip(v.expr.keys, v.expr.values) if type(k) is Const and k.value == e.index.value]
                        if hit:
                            yield from self.resolve(hit[-1], v.scope)
                            continue
                    yield from self._dict_values(v)
                elif t is Seq:
                    if type(e.index) is Const and isinstance(e.index.value, int) and -len(v.expr.elts) <= e.index.value < len(v.expr.elts):
                        yield from self.resolve(v.expr.elts[e.index.value], v.scope)
                    else:
                        yield from self.items_of(v)
                elif t is Comp:
                    yield from self._comp_elt(v.expr, v.scope)

    # ---- constants
    def constant(self, expr: Any, scope: Scope) -> Any:
        """The constant that an expression is, else `UNKNOWN`."""
        values = self.resolve(expr, scope)
        if len(values) == 1 and isinstance(values[0], Lit) and type(values[0].expr) is Const:
            return values[0].expr.value
        return UNKNOWN


def _either_way(stmt: Any, bindings: list[Binding]) -> bool:
    """Whether each branch of an `if` binds a name anew, or leaves."""
    return all(any(type(s) in (Return, Raise) or type(s) in ALWAYS_BINDS and any(b.stmt is s for b in bindings) or type(s) is If and _either_way(s, bindings)
                   for s in branch) for branch in (stmt.body, stmt.orelse))


def _start(stmt: Any) -> tuple[int, int]:
    """Where a statement begins, decorators included."""
    t = type(stmt)
    return (stmt.fn.whole if t is Def else stmt.cls.whole if t is ClassStmt else stmt.iter.at if t is Generator else
            stmt.pattern.at if t is Case else stmt.at)[:2]


def _taken_out(v: Value) -> bool:
    """Something that was put into a container of the standard library, which says nothing about it: `queue.get()`, `current.get()`."""
    return isinstance(v, Ext) and v.path.startswith(HOLDERS)


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = _Unknown()
HOLDERS = tuple(f"{made}()." for made in (
    "asyncio.Queue", "asyncio.LifoQueue", "asyncio.PriorityQueue", "queue.Queue", "queue.LifoQueue", "queue.SimpleQueue", "queue.PriorityQueue",
    "multiprocessing.Queue", "contextvars.ContextVar", "collections.deque", "collections.OrderedDict", "collections.defaultdict", "threading.local",
    "weakref.WeakValueDictionary", "dict", "list"))
GROWS = frozenset({"append", "extend", "insert", "add"})
FILLED = (Seq, Comp, Dict, Bin, Call)  # what a list or dict is made by
LISTS = frozenset({"list()", "set()", "collections.deque()"})
CHAINS = frozenset({"itertools.chain", "more_itertools.collapse"})
TASK_FUTURE = "langgraph.func.task_future()"
NAMESPACES = frozenset({"types.SimpleNamespace()", "argparse.Namespace()"})
FIELDS = frozenset({"dataclasses.field", "pydantic.Field", "pydantic.fields.Field", "pydantic.PrivateAttr", "attr.ib", "attrs.field", "attr.field"})
PLAIN_BASES = frozenset({"object", "abc.ABC", "typing.Generic", "typing.Protocol", "typing_extensions.Protocol"})
PLAIN_TYPES = frozenset({"str", "int", "float", "bool", "bytes", "dict", "list", "tuple", "set", "object", "typing.Any", "frozenset",
                         "typing.Dict", "typing.List", "typing.Callable", "collections.abc.Callable"})
_TYPING = frozenset({"Optional", "Annotated", "Union", "ClassVar", "Final", "Type", "List", "Dict", "Callable", "Literal", "Tuple", "Sequence", "Iterable", "Mapping",
                     "Set", "Iterator", "AsyncIterator", "Generator", "AsyncGenerator", "Awaitable", "Coroutine"})
PASS_THROUGH = frozenset({"with_config", "with_retry", "with_fallbacks", "bind", "with_types", "with_listeners", "pipe"})
TRANSPARENT_CALLS = frozenset({"typing.cast", "asyncio.shield", "asyncio.ensure_future", "asyncio.create_task", "asyncio.wait_for",
                               "functools.lru_cache()", "functools.wraps()", "copy.copy", "copy.deepcopy", "asyncio.run"})
BUILTINS = frozenset(__builtins__ if isinstance(__builtins__, dict) else dir(__builtins__))


def is_stub(info: FnInfo) -> bool:
    """A method that is there to be overridden: abstract, `...`, `pass` or `raise NotImplementedError`."""
    if any((dotted(d) or "").rsplit(".", 1)[-1] == "abstractmethod" for d in info.fn.decorators):
        return True
    body = [s for s in info.fn.body if not (type(s).__name__ == "ExprStmt" and type(s.value) is Const)]
    if not body:
        return True
    last = body[-1]
    exc = getattr(last, "exc", None)
    return len(body) == 1 and (type(last).__name__ == "Pass" or dotted(exc.func if type(exc) is Call else exc) == "NotImplementedError")


def unique(values: Any) -> tuple[Value, ...]:
    out: list[Value] = []
    seen: set[Any] = set()
    for v in values:
        key = value_key(v)
        if key not in seen:
            seen.add(key)
            out.append(v)
            if len(out) >= MAX_VALUES:
                break
    return tuple(out)


def value_key(v: Value) -> Any:
    if isinstance(v, Ext):
        return ("ext", v.path, id(v.origin), id(v.made))
    if isinstance(v, Lit):
        return ("lit", id(v.expr))
    if isinstance(v, (Fn, Cls, Inst)):
        return (type(v).__name__, id(v.info), value_key(v.receiver) if isinstance(v, Fn) and v.receiver is not None else None)
    if isinstance(v, Mod):
        return ("mod", v.parts)
    if isinstance(v, ParamOf):
        return ("param", id(v.info), v.name)
    return ("wrapped", v.kind, tuple(value_key(t) for t in v.targets))


def _made_in(info: FnInfo, v: Value) -> bool:
    """Whether a value is what a function makes itself: nobody puts a wrapper around its own result."""
    if isinstance(v, Wrapped):
        return bool(v.targets) and all(_made_in(info, t) for t in v.targets)
    return isinstance(v, Fn) and v.info.parent.owner is info


def _is_none(v: Value) -> bool:
    return isinstance(v, Lit) and type(v.expr) is Const and v.expr.kind == "none"


def is_model(v: Ext) -> bool:
    """Whether invoking this external object asks a model."""
    entry = catalogue.lookup(v.path + ".invoke")
    return entry is not None and entry.kind == "model"


def is_graph_path(path: str) -> bool:
    """Whether the path is a compiled LangGraph graph or an agent built on one."""
    return path in surface.GRAPH_OBJECTS


def argument(call: Call, fn: Function, param: Param, bound: bool) -> Any | None:
    """The expression that a call passes for a parameter; None when it passes none or hides it behind a star."""
    for a in call.args:
        if a.name == param.name:
            return a.value
    if param.kind == "kw":
        return None
    positional = [p for p in fn.params if p.kind in ("pos", "any")]
    if bound and positional:
        positional = positional[1:]
    if param not in positional:
        return None
    n = positional.index(param)
    plain = [a for a in call.args if a.name is None]
    if n < len(plain) and not any(a.star for a in plain[: n + 1]):
        return plain[n].value
    return None


__all__ = ["Arg", "Binding", "ClassInfo", "Cls", "Ext", "Fn", "FnInfo", "Index", "Inst", "Lit", "Mod", "ModuleInfo", "Names", "ParamOf",
           "Scope", "UNKNOWN", "Value", "Wrapped", "argument", "is_graph_path", "is_model", "unique"]
