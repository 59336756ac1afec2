"""How rules speak: one place that builds a finding about a pausing function, so that all messages read alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable

from hitl_lint.analysis.cfg import Point
from hitl_lint.analysis.effects import Witness
from hitl_lint.analysis.subject import Subject
from hitl_lint.facts import At, Attr, Call, dotted, text
from hitl_lint.finding import Confidence, Finding, Severity, Step
from hitl_lint.rules import Meta

if TYPE_CHECKING:
    from hitl_lint.analysis.names import FnInfo
    from hitl_lint.analysis.decorated import Applied
    from hitl_lint.analysis.payloads import Piece
    from hitl_lint.analysis.project import Pausing, Project
    from hitl_lint.analysis.replay import Again


def finding(project: "Project", meta: Meta, p: "Pausing", at: At, message: str, *, pause: Point | None = None, witness: Witness | None = None,
            severity: Severity | None = None, help: str = "", context: str = "", related: Iterable[Step] = (), node: Any = None,
            more: Any = None) -> Finding:
    """A finding in a pausing function. `witness` gives the chain and the confidence; `pause` what it is about; `node` the expression that fixers
    are to deal with, `more` what else they need."""
    return Finding(
        code=meta.code, name=meta.name, severity=meta.severity if severity is None else severity, span=project.span(p.info.module, at),
        message=message, function=p.info.dotted, confidence=Confidence.NAMED if witness is not None and not witness.proved else Confidence.PROVED,
        pause=project.span(p.info.module, pause.node.at) if pause is not None else None, trace=project.steps(witness), help=help,
        context=f"{p.info.fn.qualname}:{context}", related=tuple(related), family=meta.family, subject=Subject(p.info, p, pause, node, more))


def plain(project: "Project", meta: Meta, scope: Any, at: At, message: str, *, witness: Witness | None = None, severity: Severity | None = None,
          help: str = "", context: str = "", related: Iterable[Step] = (), subject: Any = None) -> Finding:
    """A finding that is not about one pausing function: a graph, an edge, a tool. `scope`: where `at` stands; `subject`: what fixers are to know."""
    function = getattr(scope.owner, "dotted", "") or scope.module.name
    return Finding(
        code=meta.code, name=meta.name, severity=meta.severity if severity is None else severity, span=project.span(scope.module, at), message=message,
        function=function, confidence=Confidence.NAMED if witness is not None and not witness.proved else Confidence.PROVED,
        trace=project.steps(witness), help=help, context=f"{function}:{context}", related=tuple(related), family=meta.family, subject=subject)


def method_at(call: Call) -> At:
    """From the last word of the callee to the end of the call: `compile(…)` at the end of a chain over many lines."""
    line, col = call.func.at[2:]
    return (line, col - len(call.func.attr), *call.at[2:]) if type(call.func) is Attr else call.at


def done_again(w: Witness) -> str:
    """What comes of an effect that runs again: it is done twice, or a file that somebody has changed meanwhile is overwritten."""
    if w.lasts and not w.overwrites:
        return f"After a restart the resume {w.what} again"
    return f"Whatever is changed in {the_file(w)} while the question waits is overwritten on resume" if w.overwrites else f"Every resume {w.what} again"


def the_file(w: Witness) -> str:
    return "the copy" if w.what.startswith("copies") else "the archive" if "archive" in w.what else "the file"


def how_grave(w: Witness) -> Severity:
    """The severity of an effect that runs again."""
    return Severity.WARNING if w.overwrites or w.lasts else Severity.ERROR


def router_finding(project: "Project", meta: Meta, source: "FnInfo", call: Call, w: Witness, router: "FnInfo", consequence: str,
                   severity: Severity | None = None) -> Finding:
    """A finding in a node whose conditional edge pauses."""
    message = (f"{consequence}: {callee(call)} stands in {source.name}(), and the router {router.name}() behind it pauses, "
               f"which runs the whole node again with the answer{chain(w)}")
    return Finding(code=meta.code, name=meta.name, severity=meta.severity if severity is None else severity, span=project.span(source.module, call.at),
                   message=message, function=source.dotted, confidence=Confidence.PROVED if w.proved else Confidence.NAMED,
                   pause=project.span(router.module, router.fn.at), trace=project.steps(w), context=f"{source.fn.qualname}:{callee(call)}",
                   help="ask in a node of its own and let the router read the answer from the state", family=meta.family)


def wrapper_finding(project: "Project", meta: Meta, a: "Applied", again: "Again", consequence: str, severity: Severity | None = None) -> Finding:
    """A finding about a decorator of an unchecked file, told at the function that pauses."""
    w, shown = again.witness, text(a.d.func if type(a.d) is Call else a.d, 40)
    message = (f"{consequence}: the decorator `@{shown}` runs {callee(again.call)} before {a.info.name}(), which pauses{chain(w)}, "
               f"and the answer restarts {a.wrapper.name}() from its first line")
    where = project.step_at(a.wrapper.module.path, again.call.at, f"{text(again.call.func, 44)}() runs here")
    return Finding(code=meta.code, name=meta.name, severity=meta.severity if severity is None else severity, span=project.span(a.info.module, a.info.fn.at),
                   message=message, function=a.info.dotted, confidence=Confidence.PROVED if w.proved else Confidence.NAMED,
                   trace=project.steps(w), context=f"{a.info.fn.qualname}:{shown}", related=(where,), family=meta.family,
                   help="do it in the decorator after the function has returned, or in a node of its own")


def callee(call: Any) -> str:
    """The callee as written, short: "`httpx.post()`"; a global or attribute that is read, its length, a property that is read and a block that is
    entered stand as they are written."""
    if type(call) is not Call or dotted(call.func) == "len":
        return f"`{text(call, 44)}`"
    return f"`{called(call, 44)}`"


def called(call: Call, limit: int = 40) -> str:
    if call.at != call.func.at:
        return text(call.func, limit) + "()"
    return f"with {text(call.func.value, limit)}" if call.func.attr in ("__enter__", "__aenter__") else text(call.func, limit)


def chain(witness: Witness | None) -> str:
    """" (notify → smtplib.SMTP.sendmail)" for an effect behind helpers, "" where the call itself does it."""
    if witness is None or len(witness.links) < 2:
        return ""
    names = []
    for link in witness.links[:-1]:
        word = link.text.removeprefix("calls ").removesuffix("()")
        names.append(word if " " not in word else link.text)
    names.append(witness.callee)
    shown = names if len(names) <= 5 else [*names[:2], "…", *names[-2:]]
    return " (" + " → ".join(shown) + ")"


def line_of(project: "Project", p: "Pausing", pause: Point) -> str:
    """"line 30", in a notebook the line of its cell."""
    return project.line(p.info.module, pause.node.at)


def where(project: "Project", scope: Any, at: At, seen_from: str) -> str:
    """"line 30", in a notebook the line of its cell, with the file where that is another one than `seen_from`."""
    span = project.span(scope.module, at)
    line = f"line {span.line}" if span.cell is None else f"line {span.line} of cell {span.cell}"
    return line if scope.module.path == seen_from else f"{line} of {scope.module.path}"


def asks(p: "Pausing", pause: Point) -> str:
    """What pauses: "interrupt()" or "ask_human(), which pauses"."""
    w = p.witness(pause)
    return "interrupt()" if len(w.links) == 1 else called(pause.node)


def which(what: str, pause: Point) -> str:
    """For the context of a finding about a pause and `what` stands around it: the question, too, as it is written, since the same thing may stand
    around several in one function."""
    return f"{what}:{text(pause.node, 80)}"


def piece_finding(project: "Project", meta: Meta, p: "Pausing", pause: Point, piece: "Piece", message: str, *, sure: bool = True, severity: Severity | None = None,
                  help: str = "", subject: Any = None) -> Finding:
    """A finding about a piece of what a pause shows: it stands where the piece is written, which may be in a helper that makes the payload."""
    owner = piece.where.owner
    function = getattr(owner, "dotted", "") or piece.where.module.name
    related = () if piece.where.owner is p.info else (project.step_at(p.path, pause.node.at, f"{asks(p, pause)} shows it"),)
    return Finding(code=meta.code, name=meta.name, severity=meta.severity if severity is None else severity, span=project.span(piece.where.module, piece.shown.at), message=message,
                   function=function, confidence=Confidence.PROVED if sure else Confidence.NAMED, pause=project.span(p.info.module, pause.node.at), help=help,
                   context=f"{function}:{'.'.join(piece.keys)}:{text(piece.shown, 60)}", related=related, family=meta.family, subject=subject)
def sent(project: "Project", meta: Meta, command: Any, at: At, message: str, *, help: str = "", context: str = "", subject: Any = None) -> Finding:
    """A finding about a `Command(...)` (an `analysis.resumes.Sent`)."""
    return Finding(code=meta.code, name=meta.name, severity=meta.severity, span=project.span(command.scope.module, at), message=message,
                   function=command.function, help=help, context=f"{command.function}:{context}", family=meta.family, subject=subject)
