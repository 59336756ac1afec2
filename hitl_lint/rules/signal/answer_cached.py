"""A cache around a function that pauses keeps the answer and gives it to the next run, which is never asked.

At run time: the pause itself is an exception and is not cached, so the first run asks. Its answer is: `lru_cache` keeps it for the whole
process, `cache_policy=` of a node or task (with a cache in `compile(cache=…)`) for every thread with the same input. The next user with the
same arguments is not asked; the first one's approval counts for him. Around an async function a plain `lru_cache` keeps the coroutine, and the
resume fails with "cannot reuse already awaited coroutine".

Wrong:

    from functools import lru_cache
    from langgraph.types import interrupt

    @lru_cache
    def approved(action):
        return interrupt({"action": action})

    def node(state):
        return {"ok": approved(state["action"])}

Right:

    from langgraph.types import interrupt

    def approved(action):
        return interrupt({"action": action})

    def node(state):
        return {"ok": approved(state["action"])}

How to fix: ask outside of the cached function; cache the work behind it, not the question. To remember an answer within a thread, keep it in
the state.

What it does not see: caches written by hand (a dict in the module: HIL301), `cached_property`, policies with a `key_func` of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.caches import Caches
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import asks, chain, finding

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL206", name="answer-cached", severity=Severity.ERROR, also=(Severity.NOTE,),
            summary="a cache keeps a person's answer, and the next run is not asked", family="signal", rank=20)
SAYS = {
    "function": "Only the first run asks: {what} keeps the answer of {asks}, and every later run of this process with the same arguments gets it without being asked",
    "coroutine": "The resume fails: {what} keeps the coroutine of {name}(), which cannot be awaited again when {asks} is answered",
    "node": "Only the first thread asks: {what} keeps what {name}() returns, and with it the answer of {asks}; another thread with the same input is not asked",
}


def check(project: "Project") -> Iterator[Finding]:
    for kept in Caches(project).kept():
        p = project.pausing_of(kept.info)
        assert p is not None
        message = SAYS[kept.kind].format(what=kept.what, asks=asks(p, kept.pause), name=kept.info.name) + chain(p.witness(kept.pause))
        if not kept.live:
            message = message.replace("Only the first thread asks", "Only the first thread will ask once the graph gets a cache", 1)
        yield finding(project, META, p, kept.pause.node.at, message, pause=kept.pause, witness=p.witness(kept.pause), context=kept.what,
                      severity=None if kept.live else Severity.NOTE, related=(project.step_at(kept.path, kept.at, f"{kept.what} stands here"),),
                      help="ask outside of what is cached; cache the work, not the question")
