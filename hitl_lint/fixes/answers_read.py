"""An answer whose truth decides is compared with the one word by which the question says yes."""

from __future__ import annotations

from hitl_lint.analysis.answers import WORDS_ASKED, Truth, strings_of
from hitl_lint.catalogue import decisions
from hitl_lint.facts import Assert, Attr, BoolOp, Call, Comp, Const, Generator, If, IfExp, Name, Seq, Sub, Un, While, walk
from hitl_lint.finding import Finding, Fix
from hitl_lint.fixes.desk import Desk, Refused
from hitl_lint.fixes.spots import parent_of

CODES = ("HIL604",)
ORDER = 10
TESTS = (If, While, IfExp, BoolOp, Assert, Comp, Generator)


def fix(desk: Desk, finding: Finding) -> Fix:
    truth = finding.subject
    if not isinstance(truth, Truth):
        raise Refused("")
    word = _word(desk, truth)
    node, scope = truth.choice.node, truth.choice.scope
    if word is None:
        raise Refused("nothing shows which one answer approves: compare with it (`is True`, `== \"yes\"`), or let a response_schema refuse the rest")
    if type(node) not in (Name, Attr, Sub, Call):
        raise Refused(f"the test is longer than the answer: compare the answer with {word!r} in it")
    above = parent_of(scope.module.facts.body, node)
    if not (type(above) in TESTS or type(above) is Un and above.op == "not"):
        raise Refused(f"the answer is not tested where it stands: compare it with {word!r}")
    sheet = desk.sheet(scope.module.path)
    line, col = node.at[2:]
    return Fix(f"compare the answer with {word!r}", "unsafe", (sheet.edit((line, col, line, col), f' == "{word}"'),),
               note=f"only {word!r}, exactly as the question shows it, approves from now on")


def _word(desk: Desk, truth: Truth) -> str | None:
    """The one word that approves, as the question or the resumes of the project write it; None when there are none or several."""
    found: dict[str, None] = {}
    answers = desk.project.answers
    if not truth.choice.path or truth.choice.scope is not truth.p.scope:
        for call, scope in answers.asking_calls(truth.p, truth.pause):
            for a in call.args:
                for shown in strings_of(a.value, scope, desk.project):
                    match = WORDS_ASKED.search(shown)
                    if match:
                        first = decisions.words(match.group(0))
                        written = match.group(0).strip(" ()[]?.:'\"")
                        if first:
                            found[written[: len(first[0])]] = None
                for n in walk(a.value):
                    if type(n) is Seq and len(n.elts) > 1 and all(type(x) is Const and x.kind == "str" for x in n.elts):
                        if any(decisions.says_no(x.value) for x in n.elts):
                            yes = [x.value for x in n.elts if decisions.says_yes(x.value)]
                            others = [x.value for x in n.elts if x.value not in yes and not decisions.says_no(x.value) and not decisions.sends_back(x.value)]
                            if others:
                                return None
                            found.update(dict.fromkeys(yes))
    for sent in answers.resumed_with(truth.p, truth.choice.path)[0]:
        if decisions.says_yes(sent):
            found[sent] = None
    words = [w for w in found if w.isprintable() and '"' not in w and "\\" not in w]
    return words[0] if len(words) == len(found) == 1 else None


