"""The words by which people approve and reject, so that the branches of a decision can be told apart.

A word here is evidence only together with what the code does on it: a branch counts as acting by its effects, its target or its result.
"""

from __future__ import annotations

import re

# Whole words. Left out on purpose: "exit", "quit", "done", "bye" and "end" leave a chat, they do not reject an action.
NO = frozenset("""
    no n nope reject rejected rejection deny denied denial decline declined cancel cancelled canceled cancellation abort aborted stop stopped refuse
    refused disapprove disapproved block blocked disallow disallowed discard discarded veto vetoed dismiss dismissed ignore ignored skip skipped
    false never halt halted revoke forbid forbidden unapproved nein ablehnen abgelehnt abbrechen non refuser annuler rechazar cancelar rejeitar
    不 否 否决 拒绝 取消 驳回 不同意 不批准 不通过 いいえ 却下 拒否 キャンセル 아니오 거절 취소 нет отклонить отмена
    """.split())
YES = frozenset("""
    yes y yep yeah approve approved approval accept accepted ok okay confirm confirmed confirmation proceed proceeding continue continued go execute
    executed allow allowed agree agreed true send sent run running publish published deploy deployed apply applied submit submitted sure grant granted
    permit permitted authorize authorized resume resumed lgtm pass passed completed succeeded success commit committed release released
    ja genehmigen bestätigen oui valider approuver si sí aprobar aprovar sim confirmar 是 好 同意 批准 确认 通过 执行 继续 はい 承認 예 네 승인 확인 да
    """.split())
# Words that neither approve nor reject, but send the thing back.
BACK = frozenset("edit edited revise revision regenerate modify modified change changes request_changes redo retry rewrite rework send_back override refine "
                 "improve adjust 修改 重新生成 重写".split())
# Words that say approved and nothing else.
APPROVALS = frozenset("approve approved accept accepted confirm confirmed authorize authorized 批准 通过 同意".split())
# What a record says of a thing that somebody has decided about.
VERDICTS = APPROVALS | frozenset("reject rejected deny denied decline declined disapproved granted refused".split())
# What an approval is called.
APPROVAL_NOUNS = frozenset("approval confirmation permission authorization authorisation consent".split())
# A switch that somebody has thrown: what is told, what going on is called, and what would make it a question of approval after all.
PAUSES = frozenset("pause paused pausing suspended halted".split())
GOES_ON = frozenset("resume resumed continue continued unpause".split())
APPROVES = APPROVALS | frozenset("approval confirmation reject rejected deny denied yes no ok allow permission review proceed".split())
# An answer that nobody expected is told so: that is no approval.
UNKNOWN = frozenset("unknown invalid unrecognized unrecognised unexpected unsupported malformed error failed fail missing unclear 未知 无效".split())
# What a field is called whose truth means yes, or no. Beginnings of words.
YES_KEYS = ("approv", "confirm", "accept", "allow", "permit", "consent", "authoriz", "authoris", "proceed", "grant", "agree", "should_execute", "should_send",
            "execute", "is_ok", "go_ahead", "can_continue", "publish", "send", "deploy")
NO_KEYS = ("reject", "cancel", "den", "declin", "abort", "block", "refus", "disapprov", "skip", "veto", "stop", "halt")
# A question that only wants to be told when something has happened: its answer says nothing.
TOLD_WHEN_DONE = re.compile(r"\b(press|hit|continue|resume|ready|done|finish\w*|complet\w*|acknowledg\w*|wait\w*|log ?in|sign ?in|auth\w*|connect\w*|enter|"
                            r"breakpoint|pause\w*|checkpoint|webhook|callback)\b", re.IGNORECASE)
ASKS_FOR_ONE = re.compile(r"\?|\b(approv\w*|reject\w*|confirm\w*|yes|no|y/n|allow|deny|choose|select|review\w*|feedback|edit|answer|provide|risky|awaiting|action|"
                          r"action_request|allow_\w+|options?|question)\b|？", re.IGNORECASE)
# Fields that hold a word of decision, and fields that hold a text.
DECISION_KEYS = frozenset("action decision type choice answer verdict approval response resume reply status outcome selection option kind resolution result "
                          "value input confirmation review".split())
TEXT_KEYS = frozenset("feedback comment comments reason reasons task draft name tool_call_id id content title notes note description text".split())
# Fields that explain a decision: whatever they say when nothing was said, nobody is asked by them. The others above may carry the answer itself.
EXPLAINS = frozenset("comment comments reason reasons reasoning rationale justification explanation note notes remark remarks description".split())
# A field about the question, not about its answer: `approval_required`, `pending_approval`.
ABOUT_ASKING = frozenset("required require requires requested request needed needs need pending awaiting wait by at id notes note comment count level reason type mode".split())
TELLS_OF_ERROR = re.compile(r"\b(error|errors|failed|failure|fail|missing|unavailable|exception|could not|cannot|unable|timed out|invalid)\b", re.IGNORECASE)
ASKS_TO_DECIDE = re.compile(r"\b(approv\w*|reject\w*|yes|no|y/n|allow|deny|choose|select|review\w*|feedback|edit|options?|risky|awaiting|action request)\b", re.IGNORECASE)
_SPLIT = re.compile(r"[^\w]+|_")
_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")


def words(text: str) -> list[str]:
    """Lower-case words of a text or an identifier."""
    return [w for w in _SPLIT.split(_CASE.sub(" ", text[:400]).lower()) if w]


def says_no(text: str) -> bool:
    """A word or a short text that rejects."""
    ws = words(text)
    return text.strip().lower() in NO or any(w in NO for w in ws if len(w) > 2 or len(ws) == 1) or "not" in ws or any(c in text for c in ("取消", "拒绝", "驳回", "キャンセル", "却下"))


def says_yes(text: str) -> bool:
    """A word, or a text of few words, that approves."""
    ws = words(text)
    return len(ws) <= 4 and any(w in YES for w in ws) and not says_no(text) and not says_unknown(text)


def says(text: str, of: frozenset[str]) -> bool:
    """Whether some word of a text is one of these."""
    return not of.isdisjoint(words(text))


def sends_back(text: str) -> bool:
    return text.strip().lower() in BACK or bool(BACK & set(words(text)))


def says_unknown(text: str) -> bool:
    return any(w in UNKNOWN for w in words(text))


def yes_key(name: str) -> bool:
    """A field whose truth approves: `approved`, `is_confirmed`."""
    n = _CASE.sub("_", name).lower()
    return any(part.startswith(YES_KEYS) for part in _tails(n)) and not no_key(name) and not ABOUT_ASKING & set(n.split("_"))


def approval_key(name: str) -> bool:
    """A field that is the approval itself, where a default of True approves: `approved`, not `derivatives_allowed`."""
    return yes_key(name) and any(w.startswith(("approv", "confirm", "accept", "authoriz", "authoris", "consent", "proceed")) for w in words(name))


def text_field(name: str) -> bool:
    """A field that holds an explanation: `rationale`, `reviewer_comment`."""
    return bool(EXPLAINS & set(words(name)[-1:]))


def sentence(text: str) -> bool:
    """A text that people read, no word of decision: `Human approval decision recorded.`"""
    return text.rstrip().endswith((".", "!", "。")) and len(text.split()) > 1


def no_key(name: str) -> bool:
    """A field whose truth rejects: `rejected`, `user_cancelled`."""
    n = _CASE.sub("_", name).lower()
    return any(w.startswith(NO_KEYS) and w not in ("dense", "density", "stopwords", "blocks") for w in n.split("_")) or n.startswith("not_")


def decision_key(name: str) -> bool:
    """A field that holds a word of decision: `action`, `user_decision`."""
    return bool(DECISION_KEYS & set(words(name))) or yes_key(name)


def _tails(name: str) -> list[str]:
    parts = name.split("_")
    return ["_".join(parts[i:]) for i in range(len(parts))]
