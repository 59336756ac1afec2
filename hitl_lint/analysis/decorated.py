"""What a project's own decorators put around functions: the wrapper's body runs again with every answer to a pause in the function.

`@d` hands the function to `d` (or to what `d("x")` or `d.__call__` makes); the wrapper calls it through the parameter or attribute that
keeps it. Pauses are followed back this way, and for a wrapper that itself pauses what else its functions do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.effects import Witness
from hitl_lint.analysis.names import Cls, Ext, Fn, FnInfo, Inst, Scope, is_test
from hitl_lint.catalogue import surface
from hitl_lint.facts import Attr, Call, Name, dotted
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project


@record
class Applied:
    """One wrapper around one function: `kept` are the names by which the wrapper knows the function ("fn", "self.fn"), `nth` the place of
    the decorator `d` among those of the function, outermost first."""

    info: FnInfo
    wrapper: FnInfo
    kept: frozenset[str]
    nth: int
    d: Any


class Decorated:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self._by_wrapper: dict[int, list[Applied]] | None = None

    # ---- what is put around a function
    def around(self, info: FnInfo) -> list[Applied]:
        """The wrappers around a function, outermost first; of those of one decorator the async ones for a coroutine function."""
        out: list[Applied] = []
        for nth, d in enumerate(info.fn.decorators):
            found = [Applied(info, w, kept, nth, d) for w, kept in self._wrappers(d, info) if w.fn is not info.fn]
            out += [a for a in found if a.wrapper.fn.is_async == info.fn.is_async] or found
        return out

    def _wrappers(self, d: Any, info: FnInfo) -> Iterator[tuple[FnInfo, frozenset[str]]]:
        names = self.project.names
        for v in names.resolve(d, info.parent):
            if isinstance(v, Fn):
                yield from self._made_by(v.info)
            elif isinstance(v, Inst):
                maker = names.method(v.info, "__call__")
                if maker is not None:
                    yield from self._made_by(maker)
            elif isinstance(v, Cls):
                call, init = names.method(v.info, "__call__"), names.method(v.info, "__init__")
                if call is not None and init is not None and len(init.fn.params) > 1:
                    first = init.fn.params[1].name
                    kept = frozenset(name for name, value, _ in names.scope(init).attrs if type(value) is Name and value.id == first)
                    yield call, kept

    def _made_by(self, maker: FnInfo) -> Iterator[tuple[FnInfo, frozenset[str]]]:
        """The functions nested in a decorator that it gives back, with the parameter that the function comes in by."""
        bound = maker.cls is not None and "staticmethod" not in {dotted(d) for d in maker.fn.decorators}
        params = [p.name for p in maker.fn.params if p.kind in ("pos", "any")][1 if bound else 0:]
        for v in self.project.names.returns(maker) if params else ():
            if isinstance(v, Fn) and v.info.parent.owner is maker:
                yield v.info, frozenset({params[0]}) - {p.name for p in v.info.fn.params}

    # ---- what a wrapper runs
    def pause(self, call: Call, scope: Scope) -> tuple[Witness, FnInfo] | None:
        """The pause that a call in a wrapper reaches because it runs a decorated function, and which; None where it does not."""
        if scope.kind != "function":
            return None
        for a in self.applied().get(id(scope.owner.fn), ()):
            if self._runs(call, scope, a.kept):
                w = self._pause_under(a)
                if w is not None:
                    link = self.project.effects.link(call, scope, f"runs {a.info.name}(), which is decorated with it")
                    return w.through(link), a.info
        return None

    def work(self, call: Call, scope: Scope) -> Iterator[tuple[str, Witness, FnInfo]]:
        """(kind, the first witness, whose it is) of the effects and model calls that a call in a wrapper reaches because it runs a decorated function.
        What its name alone says is nothing: the wrapper serves many functions."""
        if scope.kind != "function":
            return
        runs = [a for a in self.applied().get(id(scope.owner.fn), ()) if self._runs(call, scope, a.kept)]
        for kind in ("effect", "model") if runs else ():
            for a in runs:
                w: Witness | None = None if self.project.is_restored(a.info) else getattr(self.project.summaries.of(a.info), kind)
                if w is not None and w.proved:
                    link = self.project.effects.link(call, scope, f"runs {a.info.name}(), which is decorated with it")
                    yield kind, w.through(link), a.info
                    break

    def pauses(self, info: FnInfo) -> bool:
        """Whether a function is a wrapper that runs a function that pauses."""
        return id(info.fn) in self.applied() and any(self.pause(c, self.project.names.scope(info)) is not None for c in self.project.names.scope(info).calls)

    def applied(self) -> dict[int, list[Applied]]:
        """By wrapper, what it is put around; what a test decorates says nothing about the program."""
        if self._by_wrapper is None:
            self._by_wrapper = out = {}
            for info in self.project.functions():
                for a in self.around(info) if info.fn.decorators else ():
                    if not is_test(info.module.path) or is_test(a.wrapper.module.path):
                        out.setdefault(id(a.wrapper.fn), []).append(a)
        return self._by_wrapper

    def _pause_under(self, a: Applied) -> Witness | None:
        """The pause of the function itself, or of a wrapper between it and this one."""
        inner = [a.info, *(b.wrapper for b in self.around(a.info) if b.nth > a.nth)]
        return next((w for f in inner if self.project.may_pause(f) and (w := self.project.summaries.of(f).own_pause) is not None), None)

    def _runs(self, call: Call, scope: Scope, kept: frozenset[str]) -> bool:
        """`fn(…)`, `self.fn(…)`, `fn.ainvoke(…)`, `asyncio.to_thread(fn, …)`, `run_safely(fn, …)`."""
        f = call.func
        if type(f) is Attr and f.attr in ("invoke", "ainvoke", "__call__"):
            f = f.value
        if dotted(f) in kept:
            return True
        handed = [(n, a.name) for n, a in enumerate(call.args) if not a.star and dotted(a.value) in kept]
        if not handed:
            return False
        if any(isinstance(v, Ext) and surface.call_mode(v.path) == "call" for v in self.project.names.resolve(call.func, scope)):
            return True
        j = self.project.effects.judge(call, scope)
        return any(self.project.effects.calls_parameter(j, call, n, name) for n, name in handed)

    # ---- wrappers in files that are not looked at
    def elsewhere(self) -> Iterator[Applied]:
        """The wrappers around pausing functions whose own files are not checked, once each: what they do is told where they are used."""
        checked = {id(m) for m in self.project.candidates}
        for found in self.applied().values():
            for a in found:
                if id(a.wrapper.module) not in checked and self._pause_under(a) is not None:
                    yield a
                    break

    def files(self) -> set[str]:
        """The files of decorators on functions that pause."""
        out: set[str] = set()
        for info in self.project.functions():
            if info.fn.decorators and self.project.summaries.of(info).own_pause is not None:
                for d in info.fn.decorators:
                    out |= self.project.names.files_of(d.func if type(d) is Call else d, info.parent)
        return out


__all__ = ["Applied", "Decorated"]
