"""A resume on a server says strict_resume=True, after the command."""

from __future__ import annotations

from hitl_lint.analysis.servers import ServerRun
from hitl_lint.finding import Finding, Fix
from hitl_lint.fixes.desk import Desk, Refused

CODES = ("HIL409",)
ORDER = 10


def fix(desk: Desk, finding: Finding) -> Fix:
    run = finding.subject
    if not isinstance(run, ServerRun):
        raise Refused("")
    sheet = desk.sheet(run.scope.module.path)
    line, col = run.command.value.at[2:]
    later = [a.at[:2] for a in run.call.args if a.at[:2] > (line, col)]
    end = min(later, default=run.call.at[2:])
    between = sheet.slice((line, col, *end))
    if between.replace("\n", "").strip() not in ((",",) if later else (")", ",)")) and between.replace("\n", "").replace(" ", "") not in (",", ")", ",)"):
        raise Refused("the call is written in a way that nothing can be added to: pass strict_resume=True by hand")
    own_line = sheet.line(run.command.at[0])[: run.command.at[1] - 1].strip() == ""
    text = f",\n{sheet.indent(run.command.at[0])}strict_resume=True" if own_line else ", strict_resume=True"
    return Fix("say strict_resume=True", "safe", (sheet.edit((line, col, line, col), text),))
