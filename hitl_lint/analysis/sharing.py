"""Thread ids of a server that all its requests share.

An id is shared when it is a constant, or is kept where all requests reach it: in a module, in an object that is made once. What comes from the
request, from a session or from an object that is made for the request is not; what cannot be followed is unknown, and unknown is silent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.configs import NEW_IDS
from hitl_lint.analysis.memory import Memory
from hitl_lint.analysis.names import Cls, Ext, Fn, FnInfo, Inst, Lit, Scope, argument
from hitl_lint.analysis.requests import PAGES, Requests
from hitl_lint.analysis.turns import Turn, nodes_in
from hitl_lint.facts import Assign, Attr, AugAssign, Bin, Call, Const, Dict, FStr, If, Name, Return, Sub, dotted, walk
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.names import ClassInfo
    from hitl_lint.analysis.project import Project

MAX_DEPTH = 8
MAX_CALLERS = 12
GLOBAL = "the global"
# What a page calls once for all its visitors; what a server calls once for the process.
PAGE_CACHES = frozenset({"cache_resource", "cache_data", "experimental_singleton", "experimental_memo"})
CACHES = PAGE_CACHES | {"cache", "lru_cache"}
BUTTONS = frozenset({"button", "form_submit_button"})
# What keeps a value for one visitor.
SESSIONS = frozenset({"session_state", "user_session"})


@record
class Shared:
    """`node`: where the id is written; `holder`: what keeps it for all requests ("" for a constant in the code that uses it); `first`: later conversations of
    a visitor can have others."""

    node: Any
    scope: Scope
    holder: str
    first: bool = False

    @property
    def constant(self) -> str | None:
        return self.node.value if type(self.node) is Const else None


class Sharing:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names
        self.requests = Requests(project)
        self.memory = Memory(project)
        self._params: dict[tuple[int, str], Shared | None] = {}

    def threads(self) -> Iterator[tuple[Turn, Shared]]:
        """Every shared id once, with the first run for a request that uses it, of graphs that wait for people."""
        turns, told = self.project.turns, set()
        for turn in turns.all():
            path = turn.scope.module.path
            if turn.config is None or self.project.is_test(path) or self.project.is_aside(path) or not (turn.commands or turns.pauses(turn) is not None):
                continue
            if not turns.outside(turn) or not self.requests.served(turn.scope) or self._own_memory(turn):
                continue
            found = list(self._of_config(turn.config, turn.scope, 0))
            shared = [s for s in found if s is not None]
            if shared and len(shared) == len(found) and id(shared[0].node) not in told:
                told.add(id(shared[0].node))
                yield turn, shared[0]

    def _own_memory(self, turn: Turn) -> bool:
        """A page whose script makes the graph and its memory for each visitor: a thread's name is nobody else's there."""
        if not self.requests.imports(turn.scope.module) & PAGES:
            return False
        graph = self.project.turns.graph(turn)
        return graph is None or any(not self._for_all(scope) for c in graph.compiles for _, scope in self.memory.made_by(graph.kind, c))

    def _for_all(self, scope: Scope, depth: int = 0) -> bool:
        """Whether code of a page's program runs once for all visitors: at the top of a module that the page imports, in a function that is cached, or in one
        that only such code calls."""
        if scope.kind == "module":
            return not self.requests.imports(scope.module) & PAGES
        if not isinstance(scope.owner, FnInfo) or self._cached(scope.owner, PAGE_CACHES):
            return isinstance(scope.owner, FnInfo)
        callers = self.project.resumes.callers(scope.owner) if depth < MAX_DEPTH else []
        return bool(callers) and all(self._for_all(where, depth + 1) for _, where in callers)

    @staticmethod
    def _cached(info: FnInfo, caches: frozenset[str]) -> bool:
        return not info.fn.params and any((dotted(d.func if type(d) is Call else d) or "").rsplit(".", 1)[-1] in caches for d in info.fn.decorators)

    # ---- from the config to the id
    def _of_config(self, config: Any, scope: Scope, depth: int) -> Iterator[Shared | None]:
        """One for each way in which the config is made: the shared id in it, or None."""
        displays = list(self._displays(config, scope, "configurable"))
        if not displays:
            yield None
        holder = self._holder(config, scope)
        for inner, where in displays:
            ids = [x for x in self._displays(inner, where, "thread_id")]
            for e, w in ids:
                found = self._shared(e, w, depth, holder)
                # A constant is one wherever it stands; kept on an object it looks as if it were somebody's own.
                yield Shared(found.node, found.scope, "") if found is not None and found.constant is not None and holder.startswith(GLOBAL) else found
            if not ids:
                yield None

    def _holder(self, config: Any, scope: Scope) -> str:
        """What keeps the whole config for all requests."""
        if type(config) is Attr:
            v = next((v for v in self.names.resolve(config.value, scope) if isinstance(v, Inst) and self._made_once(v.info)), None)
            return f"`{v.info.cls.name}.{config.attr}`" if v is not None else ""
        if type(config) is Name:
            found = self.names.lookup(config.id, scope)
            if found is not None and found[1].kind == "module" and not self.requests.imports(found[1].module) & PAGES:
                return f"{GLOBAL} `{config.id}`"
        return ""

    def _displays(self, e: Any, scope: Scope, key: str) -> Iterator[tuple[Any, Scope]]:
        """What stands under a key in the dict, or the config, that an expression is."""
        values = [Lit(e, scope)] if type(e) is Dict else self.names.resolve(e, scope)
        for v in values:
            if isinstance(v, Lit) and type(v.expr) is Dict:
                yield from ((val, v.scope) for k, val in zip(v.expr.keys, v.expr.values) if type(k) is Const and k.value == key)
            elif isinstance(v, Ext) and v.origin is not None and v.scope is not None and v.path.rsplit(".", 1)[-1] in ("RunnableConfig()", "dict()"):
                yield from ((a.value, v.scope) for a in v.origin.args if a.name == key)

    # ---- from the id to where it is kept
    def _shared(self, e: Any, scope: Scope, depth: int, holder: str = "") -> Shared | None:
        t = type(e)
        if depth > MAX_DEPTH:
            return None
        if t is Const:
            return Shared(e, scope, holder) if e.kind == "str" and e.value or e.kind == "int" else None
        if t is FStr:
            parts = [self._shared(p, scope, depth + 1, holder) for p in e.parts if type(p) is not Const]
            return Shared(e, scope, holder or next(p.holder for p in parts if p)) if parts and all(parts) else None
        if t is Name:
            return self._name(e, scope, depth, holder)
        if t in (Attr, Sub, Call) and (key := _of_session(e)) is not None:
            return self._in_session(key, scope)
        if t is Call and (cached := self._from_cache(e, scope, depth)) is not None:
            return cached
        if t in (Attr, Call) and _new_id(e):
            return Shared(e, scope, holder) if holder else None
        if t is Attr:
            return self._attribute(e, scope, depth)
        if t is Call and dotted(e.func) == "str" and len(e.args) == 1:
            return self._shared(e.args[0].value, scope, depth + 1, holder)
        return None

    def _from_cache(self, e: Call, scope: Scope, depth: int) -> Shared | None:
        """What a function gives that runs once for all: the id that it makes is everybody's."""
        made = [v.info for v in self.names.resolve(e.func, scope) if isinstance(v, Fn)]
        if e.args or len(made) != 1:
            return None
        page = bool(self.requests.imports(made[0].module) & PAGES)
        if not self._cached(made[0], PAGE_CACHES if page else CACHES):
            return None
        inner = self.names.scope(made[0])
        given = [n.value for n in nodes_in(inner) if type(n) is Return and n.value is not None]
        found = [self._shared(x, inner, depth + 1, f"`{made[0].name}()`") for x in given]
        one = found[0] if found and all(found) else None
        return Shared(one.node, one.scope, "") if one is not None and one.constant is not None else one

    def _in_session(self, key: str, scope: Scope) -> Shared | None:
        """The constant that every visitor's session begins with under a key, unless something else is put there before the graph runs."""
        consts, others = self._session_values(key, scope)
        if len({e.value for e, _ in consts}) != 1 or any(not self._by_button(e, s) and not self._of_sessions(e, s, (key,)) for e, s in others):
            return None
        return Shared(consts[0][0], consts[0][1], "", bool(others))

    def _session_values(self, key: str, scope: Scope) -> tuple[list[tuple[Any, Scope]], list[tuple[Any, Scope]]]:
        """What the module puts into a visitor's session under a key, with where it does: texts, and all else. A None or an empty text is no value yet."""
        written: list[tuple[Any, Scope]] = []
        for s in (scope.module.scope, *(self.names.scope(f) for f in list(scope.module.functions))):
            for n in nodes_in(s):
                if type(n) is Assign:
                    written += [(n.value, s) for t in n.targets if type(t) in (Attr, Sub) and _of_session(t) == key]
                elif type(n) is AugAssign and type(n.target) in (Attr, Sub) and _of_session(n.target) == key:
                    written.append((n.value, s))
                elif type(n) is Call and type(n.func) is Attr and n.func.attr in ("set", "setdefault") and len(n.args) == 2 and (
                        (dotted(n.func.value) or "").rsplit(".", 1)[-1] in SESSIONS and type(n.args[0].value) is Const and n.args[0].value.value == key):
                    written.append((n.args[1].value, s))
        consts = [(e, s) for e, s in written if type(e) is Const and e.kind == "str" and e.value]
        return consts, [(e, s) for e, s in written if not (type(e) is Const and (not e.value or e.kind == "str"))]

    def _of_sessions(self, e: Any, scope: Scope, keys: tuple[str, ...]) -> bool:
        """Whether a value is made of constants and of what each visitor's session begins with: `f"thread_{st.session_state.count}"` is the same for all."""
        t = type(e)
        if t is Const:
            return True
        if t in (Attr, Sub, Call) and (key := _of_session(e)) is not None:
            if key in keys or len(keys) > 3:
                return key in keys
            consts, others = self._session_values(key, scope)
            return all(self._of_sessions(x, s, (*keys, key)) for x, s in others) and bool(consts or others)
        if t is FStr:
            return all(self._of_sessions(p, scope, keys) for p in e.parts)
        if t is Bin:
            return self._of_sessions(e.left, scope, keys) and self._of_sessions(e.right, scope, keys)
        if t is Sub:
            return self._of_sessions(e.value, scope, keys) and type(e.index) is Const
        if t is Call and (dotted(e.func) in ("len", "str", "int") or type(e.func) is Attr and e.func.attr in ("split", "replace", "strip", "lower", "upper")
                          and self._of_sessions(e.func.value, scope, keys)):
            return all(self._of_sessions(a.value, scope, keys) for a in e.args)
        return False

    def _by_button(self, e: Any, scope: Scope) -> bool:
        """Whether a value is only put there when a button is pressed: the conversation before is on what was there first."""
        return any(type(n) is If and any(type(c) is Call and (dotted(c.func) or "").rsplit(".", 1)[-1] in BUTTONS for c in walk(n.test))
                   and any(x is e for s in n.body for x in walk(s)) for n in nodes_in(scope))

    def _name(self, e: Name, scope: Scope, depth: int, holder: str) -> Shared | None:
        found = self.names.lookup(e.id, scope)
        if found is None or not found[0]:
            return None
        bindings, where = found
        if where.kind == "module":
            if where.module is not scope.module or any(b.how == "import" for b in bindings):
                return self._imported(e, scope, depth)
            return self._global(e.id, where, depth)
        if len(bindings) != 1:
            return None
        b = bindings[0]
        if b.how == "value":
            return self._shared(b.node, where, depth + 1, holder)
        if b.how == "param" and where.kind == "function":
            return self._param(where.owner, b.node, depth)
        return None

    def _imported(self, e: Name, scope: Scope, depth: int) -> Shared | None:
        values = self.names.resolve(e, scope)
        v = values[0] if len(values) == 1 else None
        return self._shared(v.expr, v.scope, depth + 1) if isinstance(v, Lit) and type(v.expr) is Const else None

    def _global(self, name: str, module: Scope, depth: int) -> Shared | None:
        """A variable of a module: a constant, an id made when the module is imported, or one that a function sets for everybody."""
        if self.requests.imports(module.module) & PAGES:
            # The script runs for every visitor: only a constant is everybody's, and what it gets from a cache.
            bindings = module.bindings.get(name, [])
            kept = bindings[0].node if len(bindings) == 1 and bindings[0].how == "value" and type(bindings[0].node) is Call else None
            return self._only_constant(name, module) or (self._from_cache(kept, module, depth + 1) if kept is not None else None)
        for info in module.module.functions:
            if name in info.fn.globals and (set_here := self.names.scope(info).bindings.get(name)):
                b = next((b for b in set_here if b.how == "value" and not (type(b.node) is Const and b.node.kind == "none")), None)
                if b is not None:
                    return Shared(b.node, self.names.scope(info), f"{GLOBAL} `{name}`")
        bindings = module.bindings.get(name, [])
        if len(bindings) != 1 or bindings[0].how != "value":
            return None
        node = bindings[0].node
        return self._only_constant(name, module) or self._shared(node, module, depth + 1, f"{GLOBAL} `{name}`")

    def _only_constant(self, name: str, module: Scope) -> Shared | None:
        bindings = module.bindings.get(name, [])
        if len(bindings) == 1 and bindings[0].how == "value" and type(bindings[0].node) is Const and bindings[0].node.value:
            return Shared(bindings[0].node, module, "")
        return None

    def _param(self, info: FnInfo, param: Any, depth: int) -> Shared | None:
        """What every caller passes, or leaves out; what an endpoint takes is the client's."""
        key = (id(info.fn), param.name)
        if key not in self._params:
            self._params[key] = None  # functions that call one another in a circle
            self._params[key] = self._passed(info, param, depth)
        return self._params[key]

    def _passed(self, info: FnInfo, param: Any, depth: int) -> Shared | None:
        if self.requests.handles(info):
            return None
        callers = self.project.resumes.callers(info)
        bound = info.cls is not None and "staticmethod" not in {dotted(d) for d in info.fn.decorators}
        found: list[Shared | None] = []
        for call, scope in callers[:MAX_CALLERS]:
            if any(a.star for a in call.args):
                return None
            given = argument(call, info.fn, param, bound)
            if given is not None:
                found.append(self._shared(given, scope, depth + 1))
            elif param.default is not None:
                found.append(self._shared(param.default, info.parent, depth + 1))
            else:
                return None
        return found[0] if found and all(found) and len(callers) <= MAX_CALLERS else None

    # ---- objects
    def _attribute(self, e: Attr, scope: Scope, depth: int) -> Shared | None:
        for v in self.names.resolve(e.value, scope):
            if isinstance(v, Inst):
                return self._field(v.info, e.attr, depth) if self._made_once(v.info) else self._handed(v.info, e.attr, depth)
        shown = dotted(e) or ""
        if ".state." in f".{shown}" and shown.split(".")[-2] == "state":
            # `app.state.thread_id = …` in an endpoint or at start-up.
            for module in list(self.names.modules.values()):
                for s in (module.scope, *(self.names.scope(f) for f in module.functions)):
                    for name, value, _ in s.attrs:
                        if name.endswith(f".state.{e.attr}") and module is scope.module and not (type(value) is Const and value.kind == "none"):
                            return Shared(value, s, f"`{shown}`")
        return None

    def _field(self, cls: "ClassInfo", attr: str, depth: int) -> Shared | None:
        holder = f"`{cls.cls.name}.{attr}`"
        found: list[Shared | None] = []
        for c in self.names.mro(cls):
            if isinstance(c, str) or c.scope is None:
                continue
            for b in c.scope.bindings.get(attr, ()):
                if b.how == "value" and not (type(b.node) is Const and not b.node.value):
                    found.append(self._shared(b.node, c.scope, depth + 1, holder))
            for bindings in list(c.scope.bindings.values()):
                for method in (b.node for b in bindings if b.how == "def"):
                    inner = self.names.scope(method)
                    for name, value, _ in inner.attrs:
                        if name != f"self.{attr}" or type(value) is Const and not value.value:
                            continue
                        if method.name == "__init__":
                            found.append(self._initial(method, value, inner, depth, holder))
                        else:
                            found.append(Shared(value, inner, holder))  # set for everybody by whoever came last
        return next((s for s in found if s is not None), None) if found and all(found) else None

    def _handed(self, cls: "ClassInfo", attr: str, depth: int) -> Shared | None:
        """The same where each request makes an object of its own and hands the id in."""
        init = self.names.method(cls, "__init__")
        if init is None:
            return None
        scope = self.names.scope(init)
        values = [value for name, value, _ in scope.attrs if name == f"self.{attr}"]
        written = [name for bs in (cls.scope.bindings.values() if cls.scope is not None else ()) for b in bs if b.how == "def"
                   for name, _, _ in self.names.scope(b.node).attrs if name == f"self.{attr}"]
        if len(values) != 1 or len(written) != 1 or type(values[0]) is not Name:
            return None
        param = next((p for p in init.fn.params if p.name == values[0].id), None)
        makers = self._makers(cls)
        if param is None or not makers or len(makers) > MAX_CALLERS:
            return None
        given = [(argument(c, init.fn, param, True), s) for c, s in makers]
        found = [self._shared(e, s, depth + 1) if e is not None else None for e, s in given]
        return found[0] if all(found) else None

    def _initial(self, init: FnInfo, value: Any, scope: Scope, depth: int, holder: str) -> Shared | None:
        if type(value) is Name and (found := self.names.lookup(value.id, scope)) is not None and found[0] and found[0][0].how == "param":
            param = found[0][0].node
            makers = [argument(c, init.fn, param, True) or param.default for c, s in self._makers(init.cls)] if init.cls is not None else []
            if makers and all(type(m) is Const and m.value for m in makers):
                return Shared(makers[0], scope, holder)
            return None
        return self._shared(value, scope, depth + 1, holder)

    def _makers(self, cls: "ClassInfo | None") -> list[tuple[Call, Scope]]:
        if cls is None:
            return []
        sites = self.names.calls_by_name.get(cls.cls.name, ())
        return [(c, s) for c, s in list(sites) if not self.project.is_test(s.module.path) and any(isinstance(v, Cls) and v.info is cls for v in self.names.resolve(c.func, s))]

    def _made_once(self, cls: "ClassInfo") -> bool:
        """Whether every object of a class is made at the top of a module of a server: then there is one for everybody."""
        makers = self._makers(cls)
        return bool(makers) and all(s.kind == "module" and not self.requests.imports(s.module) & PAGES for _, s in makers)


def _of_session(e: Any) -> str | None:
    """The key of what is read from a visitor's session: `st.session_state.thread_id`, `st.session_state["thread_id"]`, `cl.user_session.get("thread_id")`."""
    if type(e) is Call:
        return e.args[0].value.value if type(e.func) is Attr and e.func.attr == "get" and len(e.args) == 1 and type(e.args[0].value) is Const and (
            (dotted(e.func.value) or "").rsplit(".", 1)[-1] in SESSIONS) else None
    if (dotted(e.value) or "").rsplit(".", 1)[-1] not in SESSIONS:
        return None
    return e.attr if type(e) is Attr else e.index.value if type(e.index) is Const else None


def _new_id(e: Any) -> bool:
    return any(type(n) is Call and (dotted(n.func) or "").rsplit(".", 1)[-1] in NEW_IDS for n in _calls(e))


def _calls(e: Any) -> Iterator[Any]:
    while type(e) in (Call, Attr):
        yield e
        e = e.args[0].value if type(e) is Call and e.args else e.func if type(e) is Call else e.value


__all__ = ["Shared", "Sharing"]
