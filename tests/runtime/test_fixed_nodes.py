"""What is split runs on the real LangGraph: each effect happens once, what was shown is what is used, the final state is the one of a run without replay."""

from __future__ import annotations

import asyncio
import importlib.util
import itertools
import sqlite3
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from langchain_core.messages import BaseMessage
from langgraph.types import Command
from support import FIXTURES, Http, Mail, Shell

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fixes"))

from fixed_cases import ALIKE, CASES, Case, Kit
from mending import check, mend, splits, without_expectations

_serial = itertools.count()
_texts: dict[str, tuple[str, str]] = {}
FIXABLE = sorted(f"{p.parent.name}/{p.stem}" for code in ("HIL101", "HIL102", "HIL103", "HIL104", "HIL105") for p in FIXTURES.glob(f"{code}/bad_*.py")
                 if not p.stem.endswith(".fixed"))


def texts(name: str) -> tuple[str, str]:
    """The fixture and the fixed fixture."""
    if name not in _texts:
        text = without_expectations((FIXTURES / f"{name}.py").read_text(encoding="utf-8"))
        _texts[name] = (text, mend(text, name=f"{name.split('/')[1]}.py").text)
    return _texts[name]


def module_of(text: str, folder: Path) -> ModuleType:
    n = next(_serial)
    path = folder.parent / f"program_{n}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(f"program_{n}_{folder.name}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class Outcome:
    """`asked` payloads in their order; `values` the final state; `seen` what happened outside; `error` what was raised."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.values: dict[str, Any] = {}
        self.seen: dict[str, Any] = {}
        self.error: BaseException | None = None


def run(case: Case, kit: Kit, text: str, monkeypatch: pytest.MonkeyPatch, *, at_once: bool = False, later: str | None = None, switch: int = 0,
        keep_going: bool = False) -> Outcome:
    """One thread from start to end. Each activation is like a new process: the module is loaded anew, the graph is built anew, and all it has is a sqlite
    file. `at_once`: the unfixed program without any pause. `later`: the program that goes on after `switch` answers."""
    kit.begin()
    case.before(kit)
    out = Outcome()
    answers = iter(case.answers)
    config: Any = {"configurable": {"thread_id": "t"}, "recursion_limit": 40}
    if at_once:
        monkeypatch.setattr("langgraph.types.interrupt", lambda value: (out.asked.append(value), next(answers))[1])
    value: Any = case.start
    store = kit.folder.parent / f"threads_{next(_serial)}.sqlite"
    given = 0
    try:
        while True:
            module = module_of(later if later is not None and given > switch else text, kit.folder)
            state = asyncio.run(_aio(case, module, kit, store, value, config)) if case.aio else _sync(case, module, kit, store, value, config, at_once)
            if not state.next:
                out.values = dict(state.values)
                break
            waiting = [i.value for t in state.tasks for i in t.interrupts]
            out.asked += waiting
            value = Command(resume=next(answers))
            given += 1
    except Exception as e:
        if not keep_going:
            raise
        out.error = e
    finally:
        if at_once:
            monkeypatch.undo()
            kit.http.install(monkeypatch)
            kit.mail.install(monkeypatch)
            kit.shell.install(monkeypatch)
            monkeypatch.chdir(kit.folder)
    out.seen = {**kit.seen(), **{k: read(kit) for k, read in case.more.items()}}
    return out


def _sync(case: Case, module: ModuleType, kit: Kit, store: Path, value: Any, config: Any, at_once: bool) -> Any:
    from langgraph.checkpoint.sqlite import SqliteSaver

    connection = sqlite3.connect(store, check_same_thread=False)
    try:
        graph = case.graph(module, kit, SqliteSaver(connection))
        context = {"context": case.context(module)} if case.context else {}
        graph.invoke(value, config, **context)
        return graph.get_state(config)
    finally:
        connection.close()


async def _aio(case: Case, module: ModuleType, kit: Kit, store: Path, value: Any, config: Any) -> Any:
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    async with AsyncSqliteSaver.from_conn_string(str(store)) as saver:
        graph = case.graph(module, kit, saver)
        await graph.ainvoke(value, config)
        return await graph.aget_state(config)


@pytest.fixture
def kit(library: Any, http: Http, mail: Mail, shell: Shell, work_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Kit:
    inside = work_dir / "work"
    inside.mkdir()
    monkeypatch.chdir(inside)
    return Kit(library, http, mail, shell, inside)


def bare(value: Any) -> Any:
    """Without the ids that messages get by themselves."""
    if isinstance(value, BaseMessage):
        return (value.type, value.content)
    if isinstance(value, dict):
        return {k: bare(v) for k, v in value.items()}
    return [bare(v) for v in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", FIXABLE)
def test_fixable_fixture_is_in_the_table(name: str) -> None:
    text = without_expectations((FIXTURES / f"{name}.py").read_text(encoding="utf-8"))
    if any(splits(f) for f in check(text, name="program.py").findings):
        assert name in CASES, "how is it run? say it in fixed_cases.py"


@pytest.mark.parametrize("name", sorted(CASES))
def test_fixed_program_is_clean_and_changes_no_more(name: str) -> None:
    text, fixed = texts(name)
    if fixed == text:
        pytest.skip("no fix for this one")
    compile(fixed, name, "exec")
    again = mend(fixed)
    assert again.text == fixed
    assert [f.message for f in again.left] == []
    assert not again.complaints


@pytest.mark.parametrize("name", sorted(CASES))
def test_fixed_program_does_what_the_unfixed_one_does_without_replay(name: str, kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[name]
    text, fixed = texts(name)
    if fixed == text:
        pytest.skip("no fix for this one")
    want = run(case, kit, text, monkeypatch, at_once=True)
    got = run(case, kit, fixed, monkeypatch)
    assert got.asked == want.asked
    assert got.seen == want.seen
    assert bare({k: v for k, v in got.values.items() if k in want.values}) == bare(want.values)
    if name not in ALIKE:
        bad = run(case, kit, text, monkeypatch, keep_going=True)
        assert bad.error or (bad.seen, bare(bad.values), bad.asked) != (want.seen, bare(want.values), want.asked), "this case would not tell a fixed program from an unfixed one"


@pytest.mark.parametrize(("name", "switch"), [(n, k) for n in sorted(CASES) for k in range(len(CASES[n].answers))])
def test_thread_that_waits_since_before_the_fix_goes_on_rightly_or_fails_before_it_acts(name: str, switch: int, kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[name]
    text, fixed = texts(name)
    if fixed == text:
        pytest.skip("no fix for this one")
    kept = old_thread(case, kit, text, fixed, switch)
    assert kept == "" or kept == "right", kept


def old_thread(case: Case, kit: Kit, text: str, fixed: str, switch: int) -> str:
    """Pauses with `text`, after so many answers; goes on with `fixed`. "" where it fails before it does anything, also when asked once more."""
    kit.begin()
    case.before(kit)
    answers = list(case.answers)
    config: Any = {"configurable": {"thread_id": "t"}, "recursion_limit": 40}
    store = kit.folder.parent / f"threads_{next(_serial)}.sqlite"

    def send(program: str, value: Any) -> Any:
        module = module_of(program, kit.folder)
        return asyncio.run(_aio(case, module, kit, store, value, config)) if case.aio else _sync(case, module, kit, store, value, config, False)

    def seen() -> Any:
        return {**kit.seen(), **{k: read(kit) for k, read in case.more.items()}}

    try:
        state = send(text, case.start)
        for answer in answers[:switch]:
            state = send(text, Command(resume=answer))
    except Exception as e:
        pytest.skip(f"the unfixed program fails by itself: {e!r}")
    shown = [i.value for t in state.tasks for i in t.interrupts]
    before = seen()
    rest = answers[switch:]
    try:
        state = send(fixed, Command(resume=rest[0]))
    except Exception as first:
        if seen() != before:
            return f"it did {seen()} after {before} and then failed: {first!r}"
        for value in (Command(resume=rest[0]), None, Command(resume=rest[0])):
            try:
                send(fixed, value)
            except Exception:
                pass
            else:
                return f"it failed at first ({first!r}) and went on when it was asked again with {value!r}"
            if seen() != before:
                return f"it did {seen()} after {before} when it was asked again"
        return ""
    asked = []
    for answer in rest[1:]:
        asked += [i.value for t in state.tasks for i in t.interrupts]
        state = send(fixed, Command(resume=answer))
    assert not state.next
    # What comes out is made of what was shown: the same as if the unfixed program had never been run twice.
    return _right(case, shown, asked, before, seen(), dict(state.values))


def _right(case: Case, shown: list[Any], asked: list[Any], before: Any, after: Any, values: dict[str, Any]) -> str:
    for kind, done in after.items():
        had = before.get(kind)
        if isinstance(done, list) and isinstance(had, list) and done[: len(had)] != had:
            return f"{kind} is {done}, was {had}"
        if isinstance(done, list) and isinstance(had, list) and any(x in had for x in done[len(had):]):
            return f"{kind}: done again: {done[len(had):]}"
        if isinstance(done, int) and done != had:
            return f"{kind} was called again"
    return "right"

