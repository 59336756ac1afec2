"""A run is resumed from an old checkpoint.

At run time: a config with a checkpoint_id that is not the latest replays that checkpoint. A question that was answered there before gets the
old answer again, whatever is sent now, and the node and everything behind it run a second time.

Wrong:

    from langgraph.types import Command

    def change_answer(graph, config, answer):
        history = list(graph.get_state_history(config))
        return graph.invoke(Command(resume=answer), history[2].config)

Right:

    from langgraph.types import Command

    def answer_now(graph, thread_id, answer):
        return graph.invoke(Command(resume=answer), {"configurable": {"thread_id": thread_id}})

How to fix: resume with the thread_id alone. To go back, fork with `graph.update_state(old.config, values)`, run the fork with
`graph.invoke(None, fork)` until it asks again, and answer that.

A checkpoint that a request must name counts as an old one, also where a function puts it into the config.

What it does not see: configs that were stored and read back in other functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.checkpoints import Checkpoints
from hitl_lint.analysis.configs import Configs
from hitl_lint.finding import Finding, Severity
from hitl_lint.rules import Meta
from hitl_lint.rules.telling import method_at, plain

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

META = Meta(code="HIL414", name="resume-old-checkpoint", severity=Severity.ERROR, summary="an old checkpoint replays the old answer and everything behind it",
            needles=(b"resume", b"Command("), family="thread", rank=10)


def check(project: "Project") -> Iterator[Finding]:
    configs = Configs(project)
    checkpoints = Checkpoints(project, configs)
    seen: set[int] = set()
    for turn in project.turns.all():
        if turn.config is None or project.is_test(turn.scope.module.path):
            continue
        old = configs.old_checkpoint(turn) if turn.resumes else None
        found = [(turn.call, turn.scope, old)] if old is not None else list(checkpoints.named(turn))
        for call, scope, place in found:
            if id(call) in seen:
                continue
            seen.add(id(call))
            message = (f"The old answer is used instead of the new one, and what it led to happens again: the config comes with a checkpoint that need not be the latest "
                       f"(`{place.shown}`)")
            yield plain(project, META, scope, method_at(call), message, context="checkpoint",
                        related=(project.step_at(place.scope.module.path, place.node.at, "the checkpoint is chosen here"),),
                        help="resume with the thread_id alone; to go back, fork with graph.update_state(old.config, values) and answer the question of the fork")
