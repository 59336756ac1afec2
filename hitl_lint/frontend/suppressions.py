"""Which findings the comments of a file take back.

Understood are `# noqa`, `# noqa: HIL101, HIL2` (a prefix stands for all its codes; codes of other tools are left to them), the file-level
`# flake8: noqa` and `# ruff: noqa`, and our own `# hitl-lint: ignore[HIL101] reason`, `# hitl-lint: ignore` and `# hitl-lint: skip-file`.
A comment counts for the whole statement (or compound-statement header) that it stands in or behind; one of our own that stands alone
counts for the next line with code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Collection, Iterable

from hitl_lint import facts as f
from hitl_lint.spelling import closest

_CODE = r"HIL[0-9]\w*|[A-Za-z]+[0-9]+|HIL\b"
NOQA = re.compile(rf"#\s*noqa\b(?P<colon>\s*:\s*(?P<codes>(?:{_CODE})(?:[,\s]+(?:{_CODE})\b)*)?)?", re.IGNORECASE)
_FILE_NOQA = re.compile(
    rf"#\s*(?:flake8|ruff)\s*[:=]\s*noqa(?P<colon>\s*:\s*(?P<codes>(?:{_CODE})(?:[,\s]+(?:{_CODE})\b)*)?)?\s*$", re.IGNORECASE
)
_OWN = re.compile(r"#\s*hitl(?P<joint>[-_ ]?)lint\s*(?P<sign>[:=]?)\s*(?P<verb>[A-Za-z][\w-]*)?(?P<rest>[^#]*)", re.IGNORECASE)
_BRACKETS = re.compile(r"\s*\[(?P<codes>[^\[\]]*)\]")
_SEPARATOR = re.compile(r"[,\s]+")
_LOOKS_LIKE_CODES = re.compile(r"\s*[\[({:=<]|\s*HIL\w*\b", re.IGNORECASE)
_VERBS = ("ignore", "skip-file")


@dataclass(eq=False)
class _Directive:
    """One comment that suppresses, as written. `codes` are exact codes or prefixes in upper case; None means all."""

    line: int
    column: int
    text: str
    codes: list[str] | None
    own: bool
    used: set[str] = field(default_factory=set)

    def take(self, code: str) -> bool:
        """Whether the comment covers a finding of this code; remembers that it did."""
        if self.codes is None:
            self.used.add(code)
            return True
        hits = [c for c in self.codes if code.startswith(c)]
        self.used.update(hits)
        return bool(hits)


class Suppressions:
    """What the comments of one module suppress.

    Lines are those of the module (in a notebook: of all code cells together). `skip_file`: nothing at all is to be reported.
    `malformed`: `(line, column, message)` of each comment that means to steer us and does not (HIL903). `unknown`: `(line, column, comment,
    code)` of each code in a noqa that looks like ours and is none (HIL902).
    """

    def __init__(self) -> None:
        self.skip_file = False
        self.malformed: list[tuple[int, int, str]] = []
        self.unknown: list[tuple[int, int, str, str]] = []
        self._file: list[_Directive] = []
        self._lines: dict[int, list[_Directive]] = {}

    def __bool__(self) -> bool:
        return bool(self._file or self._lines)

    def covers(self, code: str, line: int, end_line: int | None = None) -> bool:
        """Whether a comment suppresses a finding of `code` that starts on `line` and ends on `end_line`. Records that it was needed."""
        found = [*self._file, *self._lines.get(line, ())]
        if end_line is not None and end_line != line:
            found.extend(d for d in self._lines.get(end_line, ()) if d not in found)
        return any([directive.take(code) for directive in found])

    def leaves(self, code: str, line: int, end_line: int | None = None) -> bool:
        """Whether no comment covers the finding but such as flake8 obeys itself (`# noqa`, `# flake8: noqa`)."""
        directives = {id(d): d for number in {line, end_line or line} for d in (*self._file, *self._lines.get(number, ()))}
        return not any(d.take(code) for d in directives.values() if d.own or d.text.lower().lstrip("# ").startswith("ruff"))

    def unused(self, ran: Collection[str], all_ran: bool = True) -> list[tuple[int, int, str, list[str]]]:
        """`(line, column, comment, codes)` of what suppressed nothing (HIL902); `ran` are the codes of the rules that ran,
        `all_ran` whether these are all that anybody expects to run.

        To be asked after all findings have been through `covers`. Reported are comments of our own (without codes if they name none), and
        in a noqa the codes of rules that ran. A bare noqa is not: it may be meant for another tool.
        """
        every = {id(d): d for d in (*self._file, *(d for ds in self._lines.values() for d in ds))}
        out: list[tuple[int, int, str, list[str]]] = []
        for directive in every.values():
            if directive.codes is None:
                if directive.own and not directive.used and all_ran:
                    out.append((directive.line, directive.column, directive.text, []))
                continue
            idle = [c for c in directive.codes if c not in directive.used and any(r.startswith(c) for r in ran)]
            if idle:
                out.append((directive.line, directive.column, directive.text, idle))
        return sorted(out)


def table(module: f.Module, known_codes: Iterable[str] = ()) -> Suppressions:
    """What the comments of `module` suppress; `known_codes` are the codes of all rules (without them any `HIL` number passes for one)."""
    out = Suppressions()
    if not module.comments:
        return out
    known = sorted(known_codes)
    spans = Spans(module)
    for comment in module.comments:
        for match in NOQA.finditer(comment.text):
            if match["colon"] and not match["codes"]:
                continue  # words behind the colon: not a list of codes, so nothing that could be taken for one
            text = match[0].strip()
            codes = _known(out, _ours(match["codes"]), known, comment.line, comment.column + match.start(), text)
            if codes is None or codes:
                directive = _Directive(comment.line, comment.column + match.start(), text, codes, False)
                _attach(out, directive, spans.around(comment.line))
        file_level = _FILE_NOQA.match(comment.text) if comment.alone else None
        if file_level and not (file_level["colon"] and not file_level["codes"]):
            text = file_level[0].strip()
            codes = _known(out, _ours(file_level["codes"]), known, comment.line, comment.column, text)
            if codes is None or codes:
                out._file.append(_Directive(comment.line, comment.column, text, codes, False))
        for match in _OWN.finditer(comment.text):
            _own(out, comment, match, known, spans)
    return out


def _ours(codes: str | None) -> list[str] | None:
    """Our codes in the list of a noqa; None for a bare one."""
    if codes is None:
        return None
    return [c for c in _SEPARATOR.split(codes.upper()) if c.startswith("HIL")]


def _known(out: Suppressions, codes: list[str] | None, known: list[str], line: int, column: int, text: str) -> list[str] | None:
    """`codes` without those that no rule has, which go to `out.unknown`."""
    if codes is None or not known:
        return codes
    out.unknown += [(line, column, text, code) for code in codes if not any(k.startswith(code) for k in known)]
    return [code for code in codes if any(k.startswith(code) for k in known)]


def _attach(out: Suppressions, directive: _Directive, lines: Iterable[int]) -> None:
    for line in lines:
        out._lines.setdefault(line, []).append(directive)


def _own(out: Suppressions, comment: f.Comment, match: re.Match[str], known: list[str], spans: Spans) -> None:
    """One `# hitl-lint: …`."""
    column = comment.column + match.start()
    verb = match["verb"] or ""
    rest = match["rest"]

    def malformed(message: str) -> None:
        out.malformed.append((comment.line, column, message))

    nearest = closest(verb, _VERBS)
    if match["sign"] != ":" or match["joint"] != "-":
        # Prose may speak of the linter; only what looks like a directive is taken for one.
        if verb and nearest and (match["sign"] or verb.lower() in _VERBS):
            malformed(f"malformed hitl-lint comment: write `# hitl-lint: {nearest}{_shown(rest, known) if nearest == 'ignore' else ''}`")
        return
    if verb.lower() == "skip-file":
        if not comment.alone or comment.line > spans.top:
            malformed("`# hitl-lint: skip-file` counts only on a line of its own above the code")
        else:
            out.skip_file = True
        return
    if verb.lower() != "ignore":
        said = f"unknown directive {verb!r}" if verb else "no directive"
        hint = f"write `# hitl-lint: {nearest}{_shown(rest, known) if nearest == 'ignore' else ''}`" if nearest else \
            "known are `# hitl-lint: ignore[CODE] reason`, `# hitl-lint: ignore` and `# hitl-lint: skip-file`"
        malformed(f"{said} in a hitl-lint comment: {hint}")
        return
    brackets = _BRACKETS.match(rest)
    codes: list[str] | None = None
    text = match[0][: match.start("rest") - match.start()]
    if brackets:
        named = [c for c in _SEPARATOR.split(brackets["codes"].strip()) if c]
        if not named:
            malformed("the suppression names no code: write `# hitl-lint: ignore[HIL101]`, or `# hitl-lint: ignore` for all codes")
            return
        codes = []
        for name in named:
            code = name.upper()
            if re.fullmatch(r"HIL\d{0,3}", code) and (not known or any(k.startswith(code) for k in known)):
                codes.append(code)
            else:
                near = closest(code, known)
                hint = f", did you mean {near}?" if near else "; `--list-rules` shows the known ones"
                malformed(f"unknown code {name!r} in a suppression{hint}")
        if not codes:
            return
        text += brackets[0]
    elif _LOOKS_LIKE_CODES.match(rest):
        malformed(f"the codes of a suppression stand in square brackets: write `# hitl-lint: ignore{_shown(rest, known)}`")
        return
    directive = _Directive(comment.line, column, text, codes, True)
    lines = set(spans.around(comment.line))
    if comment.alone:
        lines.update(spans.after(comment.line))
    _attach(out, directive, sorted(lines))


def _shown(rest: str, known: list[str]) -> str:
    """The codes that seem to be meant in `rest`, in brackets, or nothing."""
    words = re.findall(r"HIL\w*", rest, re.IGNORECASE)
    codes = [w.upper() if w.upper() in known else closest(w, known) or w.upper() for w in words]
    return f"[{', '.join(dict.fromkeys(codes))}]" if codes else ""


def _first_line(statement: Any) -> int:
    """Of a definition the line of its first decorator."""
    if type(statement) is f.Def:
        return statement.fn.whole[0]
    return statement.cls.whole[0] if type(statement) is f.ClassStmt else statement.at[0]


class Spans:
    """Which lines belong together."""

    def __init__(self, module: f.Module) -> None:
        self._module = module
        self._statements = sorted(module.statements)
        self._code: list[int] | None = None
        self._heads: dict[int, int] = {}
        self.top = self._top()

    def _top(self) -> int:
        """The last line above the code: docstring and imports do not count as code."""
        for n, statement in enumerate(self._module.body):
            if type(statement) is f.Import:
                continue
            if n == 0 and type(statement) is f.ExprStmt and type(statement.value) is f.Const:
                continue
            return _first_line(statement) - 1
        return max(self._module.lines, 1)

    def around(self, line: int) -> Iterable[int]:
        """The lines of the statement that has this line."""
        for first, last in self._statements:
            if first <= line <= last:
                return range(first, last + 1)
        return (line,)

    def after(self, line: int) -> Iterable[int]:
        """The lines of the next statement below; for a decorated definition down to its head."""
        if self._code is None:
            code: set[int] = set()
            for node in f.walk(self._module, into_functions=True):
                if type(node) in (f.Def, f.ClassStmt):
                    self._heads[_first_line(node)] = node.at[0]
                    code.add(_first_line(node))
                at = getattr(node, "at", None)
                if at is not None and type(node) not in (f.Module, f.Comment, f.Cell, f.Problem):
                    code.add(at[0])
            self._code = sorted(code)
        below = next((c for c in self._code if c > line), None)
        if below is None:
            return ()
        head = self._heads.get(below)
        if head is None:
            return self.around(below)
        return range(below, max(self.around(head)) + 1)
