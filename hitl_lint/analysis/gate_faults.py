"""What is wrong with an entry of `interrupt_on`: words that langchain does not know, and what was probably meant (run on langchain 1.5.2)."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Iterator

from hitl_lint.analysis.gates import Entry, Field, Gate
from hitl_lint.analysis.names import Ext, Lit, Scope
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.facts import Arg, At, Call, Const, Seq, text
from hitl_lint.record import record

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

NEAR = 0.8
INBOX = ("allow_accept", "allow_edit", "allow_respond", "allow_ignore")  # HumanInterruptConfig of Agent Inbox, and langchain's own alphas


@record
class Mend:
    """What to write in the place of `node`, which stands in `scope`: with `quoted` a word between the quotes that stand there, else `{}` stands for what is there."""

    node: Any
    scope: Scope
    new: str
    quoted: bool = True


@record
class Fault:
    """`what` is the consequence with its cause; `help` what to write. `mend` is None where what was meant is not clear."""

    what: str
    help: str
    mend: Mend | None = None


@record
class Faulty:
    """A faulty place: an entry, or the argument that says how the review pauses."""

    at: At
    scope: Scope
    shown: str
    faults: tuple[Fault, ...]


class GateFaults:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names
        self.gates = project.gates

    def found(self) -> Iterator[Faulty]:
        seen: set[int] = set()
        for gate in self.gates.all():
            fault = self._mode(gate)
            if fault is not None and id(gate.said) not in seen:
                seen.add(id(gate.said))
                yield Faulty(gate.said.at, gate.scope, "mode", (fault,))
            own = self._own_tools(gate)
            for entry in self.gates.entries(gate):
                faults = tuple(self._faults(entry))
                if faults and id(entry.config) not in seen:
                    seen.add(id(entry.config))
                    yield Faulty(entry.at, entry.scope, entry.tool or text(entry.value, 40), faults)
            for key, scope, fault in self._tools(gate, own):
                if id(key) not in seen:
                    seen.add(id(key))
                    yield Faulty(key.at, scope, "tool", (fault,))

    def _mode(self, gate: Gate) -> Fault | None:
        said = self.names.constant(gate.said, gate.scope) if gate.said is not None else None
        if not isinstance(said, str) or said in lg.INTERRUPT_MODES:
            return None
        meant = _near(said, lg.INTERRUPT_MODES) or {"percall": "per_call", "call": "per_call", "batch": "batched"}.get(said.replace("-", "").replace("_", "").lower())
        return Fault(f'The agent cannot be made: interrupt_mode={said!r} raises ValueError, it is "batched" or "per_call"', f'write interrupt_mode="{meant or "batched"}"',
                     Mend(gate.said, gate.scope, meant) if meant and type(gate.said) is Const else None)

    # ---- entries
    def _faults(self, entry: Entry) -> Iterator[Fault]:
        config = entry.config
        if type(config) is Const:
            if config.kind != "bool" and entry.value is config:
                truth = str(config.value).strip().capitalize()
                yield Fault(f"The agent cannot be made: the entry for {entry.shown} is {config.value!r}, which raises AttributeError; it is True, False or a dict",
                            "write True, False or {\"allowed_decisions\": [\"approve\", \"reject\"]}",
                            Mend(config, entry.where, truth, False) if truth in ("True", "False") else None)
            return
        if type(config) is Seq:
            words = [self.names.constant(e, entry.where) for e in config.elts]
            known = bool(words) and all(w in lg.DECISIONS for w in words)
            yield Fault(f"The agent cannot be made: the entry for {entry.shown} is a {config.kind}, which raises AttributeError; it is True, False or a dict",
                        '{"allowed_decisions": […]} is what takes a list', Mend(config, entry.where, '{{"allowed_decisions": {}}}', False) if known and entry.value is config else None)
            return
        keys = list(self._keys(entry))
        yield from keys
        if "allowed_decisions" in entry.fields:
            yield from self._decisions(entry, entry.fields["allowed_decisions"])
        elif keys:
            # Under the right key the words would be wrong as well.
            meant = [f for f in entry.fields.values() if any(k.mend is not None and k.mend.node is f.key and k.mend.new == "allowed_decisions" for k in keys)]
            read = self.gates.decisions(meant[0]) if meant else None
            yield from self._words(entry, read[0]) if read is not None else ()

    def _keys(self, entry: Entry) -> Iterator[Fault]:
        unknown = [name for name in entry.fields if name not in lg.GATE_KEYS]
        missing = [name for name in lg.GATE_KEYS if name not in entry.fields]
        gone = "allowed_decisions" in missing and entry.closed
        told = False
        for name in unknown:
            meant = _key(name, missing) or ("allowed_decisions" if gone and self._lists_decisions(entry.fields[name]) else None)
            if meant == "allowed_decisions" and entry.closed:
                told = True
                yield Fault(self._without(entry, f'"{name}" is not read'), f'write "{meant}"', Mend(entry.fields[name].key, entry.where, meant))
            elif meant is not None and meant != "allowed_decisions":
                lost = {"when": "Every call waits for a human", "description": "The reviewer does not see the text that is meant for them",
                        "args_schema": "The schema is not used"}[meant]
                yield Fault(f'{lost}: the key "{name}" of {entry.shown} is not read, it is called "{meant}"', f'write "{meant}"', Mend(entry.fields[name].key, entry.where, meant))
        if gone and not told:
            inbox = [name for name in unknown if name in INBOX]
            cause = f'"{inbox[0]}" is not read, and "allowed_decisions" is missing' if inbox else '"allowed_decisions" is missing'
            yield Fault(self._without(entry, cause), 'name the decisions: "allowed_decisions": ["approve", "reject"]; True allows all of them')

    def _without(self, entry: Entry, cause: str) -> str:
        return (f"{entry.shown} is not reviewed: {cause}, so that making the agent raises ValueError, or, in older versions of langchain, the tool runs without "
                "asking anybody")

    def _lists_decisions(self, given: Field) -> bool:
        values = [v for v in self.names.resolve(given.value, given.scope) if isinstance(v, Lit)]
        return len(values) == 1 and type(values[0].expr) is Seq and bool(values[0].expr.elts) and all(
            self.names.constant(e, values[0].scope) in lg.DECISIONS for e in values[0].expr.elts)

    def _decisions(self, entry: Entry, given: Field) -> Iterator[Fault]:
        value = given.value
        empty = type(value) is Const and value.kind in ("none", "bool") and not value.value or any(
            isinstance(v, Ext) and v.path in ("list()", "tuple()", "set()") and v.origin is value and not value.args for v in self.names.resolve(value, given.scope))
        if type(value) is Call and not empty:
            return
        if type(value) is Const and value.kind == "str":
            meant = _decision(value.value)
            then = f"The first call of {entry.shown} raises KeyError" if entry.gate.mode == "per_call" else f"Answers to {entry.shown} are looked for in the letters of a text"
            yield Fault(f'{then}: "allowed_decisions" is {value.value!r}, which is no list',
                        f"write [{value.value!r}]", Mend(value, given.scope, "[{}]", False) if meant == value.value else None)
            return
        if type(value) is Const and value.value is True:
            yield Fault(f'No answer to {entry.shown} can be taken: "allowed_decisions" is True, which raises TypeError when somebody answers', "True stands for the whole entry, or name the decisions")
            return
        read = self.gates.decisions(given)
        if empty or read is not None and not read[0] and type(read[1]) is Seq:
            yield Fault(self._without(entry, '"allowed_decisions" is empty'), 'name the decisions: ["approve", "reject"]; a tool that needs no review gets False')
            return
        if read is not None:
            yield from self._words(entry, read[0])

    def _words(self, entry: Entry, read: list[tuple[Any, Any, Scope]]) -> Iterator[Fault]:
        """Decisions that do not exist."""
        words = [w for _, w, _ in read]
        wrong = [(e, w, where) for e, w, where in read if isinstance(w, str) and w not in lg.DECISIONS]
        if wrong:
            first = wrong[0][1]
            meant = _decision(first)
            per_call = entry.gate.mode == "per_call"
            then = (f"raises KeyError at the first call of {entry.shown}" if per_call else f"is refused with ValueError when somebody answers {entry.shown} with it, and the thread stays stuck")
            known = ", ".join(f'"{d}"' for d in lg.DECISIONS)
            yield Fault(f'The decision "{first}" does not exist: it {then}', f'write "{meant}"' if meant else f"the decisions are {known}",
                        Mend(wrong[0][0], wrong[0][2], meant) if meant and meant not in words and type(wrong[0][0]) is Const else None)
            for e, w, where in wrong[1:]:
                meant = _decision(w)
                yield Fault("", "", Mend(e, where, meant) if meant and meant not in words and type(e) is Const else None)

    # ---- tools
    def _own_tools(self, gate: Gate) -> set[str] | None:
        """The names of all tools of the agent that the gate belongs to, where they are seen and no other middleware brings more."""
        found = self.gates.agent_of(gate) if gate.kind == "HumanInTheLoopMiddleware" else None
        if found is None:
            return None
        call, scope = found
        tools = next((a.value for a in call.args if a.name == "tools"), call.args[1].value if len(call.args) > 1 and call.args[1].name is None else None)
        return self.gates.tool_names(tools, scope) if tools is not None and not any(a.star for a in call.args) else None

    def _tools(self, gate: Gate, own: set[str] | None) -> Iterator[tuple[Any, Scope, Fault]]:
        """Entries whose tool the agent does not have, where a tool that has no entry is called almost so."""
        if not own:
            return
        rows = [(key, value, scope, self.gates.word(key, scope)) for key, value, scope in self.gates.rows(gate)]
        if any(name is None for *_, name in rows):
            return
        named = {name for *_, name in rows}
        for key, value, scope, name in rows:
            gated = type(value) is not Const or value.value is not False
            if gated and type(key) in (Const, Arg) and name is not None and name not in own:
                free = tuple(sorted(own - named))
                meant = next((tool for tool in free if _plain(tool) in (_plain(name) + "tool", "tool" + _plain(name))), None) or _near(name, free)
                if meant is not None:
                    yield key, scope, Fault(f'{meant}() runs without asking anybody: the entry is for "{name}", and the agent has no tool of that name', f'write "{meant}"', Mend(key, scope, meant))


def _near(word: str, among: tuple[str, ...]) -> str | None:
    """The one of some names that a word is a slip of."""
    plain = {_plain(x): x for x in among}
    if _plain(word) in plain:
        return plain[_plain(word)]
    found = get_close_matches(_plain(word), sorted(plain), 2, NEAR)
    return plain[found[0]] if found and (len(found) == 1 or _plain(word)[:1] == found[0][:1]) else None


def _plain(word: str) -> str:
    return word.lower().replace("_", "").replace("-", "").replace(" ", "")


def _key(name: str, missing: list[str]) -> str | None:
    if _plain(name) in ("decisions", "allowed", "allow", "alloweddecisiontypes", "alloweddecision", "allowdecisions"):
        return "allowed_decisions" if "allowed_decisions" in missing else None
    return _near(name, tuple(missing))


def _decision(word: str) -> str | None:
    plain = word.strip().lower()
    return plain if plain in lg.DECISIONS else lg.DECISION_WORDS.get(plain) or _near(plain, lg.DECISIONS)


__all__ = ["Fault", "Faulty", "GateFaults", "Mend"]
