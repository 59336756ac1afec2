"""The language server as an editor meets it: a process of its own, talked to over stdio by pygls' client."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any, Awaitable, Callable

import pytest

pytest.importorskip("pygls")

from lsprotocol import types as lsp  # noqa: E402
from pygls.lsp.client import LanguageClient  # noqa: E402

ROOT = Path(__file__).parent.parent
PAUSE = "from langgraph.types import interrupt\n"
MAIL = PAUSE + "import httpx\n\n\ndef node(state):\n    httpx.post('https://mail.example', json={})\n    return {'answer': interrupt('Send it?')}\n"
CAUGHT = PAUSE + "\n\ndef node(state):\n    try:\n        return {'answer': interrupt('?')}\n    except Exception:\n        return {}\n"
SECONDS = 30


class Editor:
    """A client that remembers what was published, and a folder that it works in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.client = LanguageClient("test", "1")
        self.published: dict[str, lsp.PublishDiagnosticsParams] = {}
        self.history: list[lsp.PublishDiagnosticsParams] = []
        self.messages: list[str] = []
        self._news = asyncio.Event()
        self._versions: dict[str, int] = {}

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.published[params.uri] = params
            self.history.append(params)
            self._news.set()

        @self.client.feature(lsp.WINDOW_SHOW_MESSAGE)
        def shown(params: lsp.ShowMessageParams) -> None:
            self.messages.append(params.message)
            self._news.set()

        @self.client.feature(lsp.WINDOW_LOG_MESSAGE)
        def logged(params: lsp.LogMessageParams) -> None:
            self.messages.append(params.message)
            self._news.set()

    async def start(self, folders: "list[Path] | None" = None, encodings: "list[Any] | None" = None) -> lsp.InitializeResult:
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        await self.client.start_io(sys.executable, "-c", "from hitl_lint.lsp import main; main()", env=env)
        capabilities = lsp.ClientCapabilities(
            workspace=lsp.WorkspaceClientCapabilities(workspace_edit=lsp.WorkspaceEditClientCapabilities(document_changes=True), workspace_folders=True),
            text_document=lsp.TextDocumentClientCapabilities(
                hover=lsp.HoverClientCapabilities(content_format=[lsp.MarkupKind.Markdown]),
                publish_diagnostics=lsp.PublishDiagnosticsClientCapabilities(related_information=True, version_support=True)),
            general=lsp.GeneralClientCapabilities(position_encodings=encodings) if encodings else None)
        result = await self.client.initialize_async(lsp.InitializeParams(
            capabilities, root_uri=self.folder.as_uri(),
            workspace_folders=[lsp.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders or [self.folder]]))
        self.client.initialized(lsp.InitializedParams())
        return result

    async def stop(self) -> None:
        await asyncio.wait_for(self.client.shutdown_async(None), SECONDS)
        self.client.exit(None)
        await asyncio.wait_for(self.client.stop(), SECONDS)

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str, version: int = 1) -> None:
        self._versions[name] = version
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(self.uri(name), "python", version, text)))

    def change(self, name: str, text: str) -> int:
        self._versions[name] += 1
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(
            lsp.VersionedTextDocumentIdentifier(version=self._versions[name], uri=self.uri(name)), [lsp.TextDocumentContentChangeWholeDocument(text)]))
        return self._versions[name]

    def close(self, name: str) -> None:
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(self.uri(name))))

    def save(self, name: str) -> None:
        self.client.text_document_did_save(lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(self.uri(name))))

    async def until(self, holds: Callable[[], Any]) -> Any:
        """Waits for news until `holds` does; what it says."""
        async def wait() -> Any:
            while not (value := holds()):
                self._news.clear()
                await self._news.wait()
            return value
        try:
            return await asyncio.wait_for(wait(), SECONDS)
        except asyncio.TimeoutError:
            raise AssertionError(f"never so: {self.published} {self.messages}") from None

    async def diagnostics(self, name: str, version: int = 1) -> list[lsp.Diagnostic]:
        """What is published for this version of the document, as soon as it is."""
        await self.until(lambda: (p := self.published.get(self.uri(name))) is not None and (p.version or 0) >= version)
        return list(self.published[self.uri(name)].diagnostics)

    def codes(self, name: str) -> list[Any]:
        found = self.published.get(self.uri(name))
        return [d.code for d in found.diagnostics] if found else []

    async def actions(self, name: str, line: int, only: "list[str] | None" = None, uri: str = "") -> list[lsp.CodeAction]:
        place = lsp.Range(lsp.Position(line, 0), lsp.Position(line, 200))
        found = await asyncio.wait_for(self.client.text_document_code_action_async(lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(uri or self.uri(name)), place, lsp.CodeActionContext([], only=only))), SECONDS)  # type: ignore[arg-type]
        return [action for action in found or [] if isinstance(action, lsp.CodeAction)]


def applied(text: str, edits: Any) -> str:
    """The text with the edits, as a client makes them (UTF-16)."""
    lines = text.split("\n")

    def offset(position: lsp.Position) -> int:
        before = sum(len(line) + 1 for line in lines[: position.line])
        return before + len(lines[position.line].encode("utf-16-le")[: 2 * position.character].decode("utf-16-le"))

    for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end):]
    return text


def session(folder: Path, talk: Callable[[Editor], Awaitable[None]], **start: Any) -> None:
    async def go() -> None:
        editor = Editor(folder)
        await editor.start(**start)
        try:
            await talk(editor)
            assert not [m for m in editor.messages if "internal error" in m or "Error in server" in m], editor.messages
        finally:
            await editor.stop()

    asyncio.run(go())


# --------------------------------------------------------------------------- diagnostics
def test_a_document_on_its_way_from_open_to_closed(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        editor.open("a.py", MAIL)
        [found] = await editor.diagnostics("a.py")
        assert (found.code, found.source, found.severity) == ("HIL101", "hitl-lint", lsp.DiagnosticSeverity.Error)
        assert (found.range.start, found.range.end) == (lsp.Position(5, 4), lsp.Position(5, 47))
        assert [(i.location.uri, i.location.range.start.line) for i in found.related_information or ()][-1] == (editor.uri("a.py"), 6)
        version = editor.change("a.py", MAIL.replace("    httpx", "    print(); httpx"))
        assert [d.range.start for d in await editor.diagnostics("a.py", version)] == [lsp.Position(5, 13)]
        version = editor.change("a.py", MAIL.replace("    httpx.post", "    x = ("))  # in the middle of typing
        assert [d.code for d in await editor.diagnostics("a.py", version)] == ["HIL901"]
        version = editor.change("a.py", MAIL)
        assert [d.code for d in await editor.diagnostics("a.py", version)] == ["HIL101"]
        editor.close("a.py")
        await editor.until(lambda: not editor.codes("a.py"))
        editor.open("a.py", MAIL)
        await editor.until(lambda: editor.codes("a.py") == ["HIL101"])

    session(tmp_path, talk)


def test_positions_are_in_the_units_of_the_client(tmp_path: Path) -> None:
    text = MAIL.replace("    httpx", "    '\U0001f600é'; httpx")

    async def talk16(editor: Editor) -> None:
        editor.open("a.py", text)
        assert [d.range.start for d in await editor.diagnostics("a.py")] == [lsp.Position(5, 11)]

    async def talk8(editor: Editor) -> None:
        editor.open("a.py", text)
        assert [d.range.start for d in await editor.diagnostics("a.py")] == [lsp.Position(5, 14)]

    async def talk32(editor: Editor) -> None:
        editor.open("a.py", text)
        assert [d.range.start for d in await editor.diagnostics("a.py")] == [lsp.Position(5, 10)]

    session(tmp_path, talk16)
    session(tmp_path, talk8, encodings=[lsp.PositionEncodingKind.Utf8])
    session(tmp_path, talk32, encodings=[lsp.PositionEncodingKind.Utf32])


def test_unsaved_buffers_are_what_others_import(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (tmp_path / "mail.py").write_text("def prepare():\n    pass\n")
    node = PAUSE + "from mail import prepare\n\n\ndef node(state):\n    prepare()\n    return {'answer': interrupt('?')}\n"
    (tmp_path / "node.py").write_text(node)

    async def talk(editor: Editor) -> None:
        editor.open("node.py", node)
        assert await editor.diagnostics("node.py") == []
        editor.open("mail.py", "import httpx\n\n\ndef prepare():\n    httpx.post('https://mail.example')\n")
        await editor.until(lambda: editor.codes("node.py") == ["HIL101"])
        [found] = editor.published[editor.uri("node.py")].diagnostics
        assert editor.uri("mail.py") in [i.location.uri for i in found.related_information or ()]
        editor.close("mail.py")
        await editor.until(lambda: not editor.codes("node.py"))

    session(tmp_path, talk)


def test_who_only_calls_what_pauses_is_seen_at_once(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (tmp_path / "ask.py").write_text(PAUSE + "\n\ndef ask(question):\n    return interrupt(question)\n")
    caller = "import httpx\nfrom ask import ask\n\n\ndef node(state):\n    httpx.post('https://mail.example', json={})\n    return {'answer': ask('?')}\n"

    async def talk(editor: Editor) -> None:
        editor.open("new.py", caller)  # not on the disk yet
        assert [d.code for d in await editor.diagnostics("new.py")] == ["HIL101"]

    session(tmp_path, talk)


def test_configuration_by_folder_and_a_bad_one_is_told_once(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
        (folder / "a.py").write_text(MAIL)
    (one / "hitl-lint.toml").write_text("ignore = ['HIL101']\n")
    (two / "hitl-lint.toml").write_text("\n")

    async def talk(editor: Editor) -> None:
        editor.open("one/a.py", MAIL)
        editor.open("two/a.py", MAIL)
        assert await editor.diagnostics("one/a.py") == []
        assert [d.code for d in await editor.diagnostics("two/a.py")] == ["HIL101"]
        (two / "hitl-lint.toml").write_text("ignoer = []\n")
        editor.change("two/a.py", MAIL + "\n")
        await editor.until(lambda: editor.messages)
        editor.change("two/a.py", MAIL + "\n\n")
        (two / "hitl-lint.toml").write_text("ignore = ['HIL101']\n")
        version = editor.change("two/a.py", MAIL + "\n\n\n")
        assert await editor.diagnostics("two/a.py", version) == []
        assert len(editor.messages) == 1 and 'did you mean "ignore"' in editor.messages[0]
        (two / "hitl-lint.toml").write_text("ignoer = []\n")
        editor.save("two/a.py")
        await editor.until(lambda: len(editor.messages) == 2)

    session(tmp_path, talk, folders=[one, two])


def test_stale_work_is_dropped_and_the_last_version_wins(tmp_path: Path) -> None:
    long = MAIL + "".join(f"\n\ndef f{n}(state):\n    return {{'x': interrupt({n})}}\n" for n in range(150))

    async def talk(editor: Editor) -> None:
        editor.open("a.py", long)
        await editor.diagnostics("a.py")
        before = len(editor.history)
        for n in range(20):
            version = editor.change("a.py", long + f"\nX = {n}\n")
            await asyncio.sleep(0.01)
        [found] = await editor.diagnostics("a.py", version)
        seen = [p.version for p in editor.history[before:]]
        assert found.code == "HIL101" and seen == sorted(seen) and len(seen) < 10

    session(tmp_path, talk)


def test_documents_that_are_not_ours_and_excluded_ones_are_left_alone(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem("git:/x/a.py?HEAD", "python", 1, MAIL)))
        editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(editor.uri("a.txt"), "plaintext", 1, MAIL)))
        editor.open(".venv/lib/a.py", MAIL)
        editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem("untitled:Untitled-1", "python", 1, MAIL)))
        await editor.until(lambda: editor.published.get("untitled:Untitled-1"))
        assert [d.code for d in editor.published["untitled:Untitled-1"].diagnostics] == ["HIL101"]
        assert await editor.diagnostics(".venv/lib/a.py") == []
        assert set(editor.published) == {"untitled:Untitled-1", editor.uri(".venv/lib/a.py")}

    session(tmp_path, talk)


# --------------------------------------------------------------------------- hover, actions
def test_hover_tells_the_finding_and_the_rule(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        editor.open("a.py", MAIL)
        await editor.diagnostics("a.py")
        ask = lambda line, character: editor.client.text_document_hover_async(  # noqa: E731
            lsp.HoverParams(lsp.TextDocumentIdentifier(editor.uri("a.py")), lsp.Position(line, character)))
        found = await ask(5, 10)
        assert found is not None and isinstance(found.contents, lsp.MarkupContent) and found.contents.kind == lsp.MarkupKind.Markdown
        text = found.contents.value
        for part in ("**HIL101 effect-before-interrupt** (error, proved)", "**At run time:**", "```python\nimport httpx\n", "**How to fix:**"):
            assert part in text
        assert text.count("```") % 2 == 0
        assert await ask(0, 3) is None

    session(tmp_path, talk)


def test_safe_fixes_come_first_then_unsafe_ones_then_noqa(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CAUGHT)

    async def talk(editor: Editor) -> None:
        editor.open("a.py", CAUGHT)
        [found] = await editor.diagnostics("a.py")
        actions = await editor.actions("a.py", found.range.start.line)
        assert actions[0].is_preferred and "HIL201" in actions[0].title and "unsafe" not in actions[0].title
        assert actions[-1].title == "Suppress with # noqa: HIL201" and not actions[-1].is_preferred
        assert all(a.kind == lsp.CodeActionKind.QuickFix and [d.code for d in a.diagnostics or ()] == ["HIL201"] for a in actions)
        for action in (actions[0], actions[-1]):
            [change] = action.edit.document_changes
            assert (change.text_document.uri, change.text_document.version) == (editor.uri("a.py"), 1)
            version = editor.change("a.py", applied(CAUGHT, change.edits))
            assert await editor.diagnostics("a.py", version) == [], action.title
            await editor.diagnostics("a.py", editor.change("a.py", CAUGHT))
        assert await editor.actions("a.py", 0) == []
        [everything] = await editor.actions("a.py", 0, ["source.fixAll"])
        [change] = everything.edit.document_changes
        assert "GraphBubbleUp" in applied(CAUGHT, change.edits)

    session(tmp_path, talk)


def test_unsafe_fixes_say_so_and_noqa_does(tmp_path: Path) -> None:
    text = MAIL.replace("Send it", "\U0001f600 Send it").replace("json={})", "json={\n        'a': '''\n  b'''})")

    async def talk(editor: Editor) -> None:
        editor.open("a.py", text)
        [found] = await editor.diagnostics("a.py")
        actions = await editor.actions("a.py", found.range.start.line)
        unsafe = [a for a in actions if "unsafe: read the diff" in a.title]
        assert unsafe and not any(a.is_preferred for a in actions)
        for action in (unsafe[0], actions[-1]):
            [change] = action.edit.document_changes
            version = editor.change("a.py", applied(text, change.edits))
            assert await editor.diagnostics("a.py", version) == [], applied(text, change.edits)
            await editor.diagnostics("a.py", editor.change("a.py", text))

    session(tmp_path, talk)


def test_a_fix_of_another_file_is_an_edit_of_that_file(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    guard = "import functools\n\n\ndef guarded(f):\n    @functools.wraps(f)\n    def inner(state):\n        try:\n            return f(state)\n" \
            "        except Exception:\n            return {}\n    return inner\n"
    node = PAUSE + "from guard import guarded\n\n\n@guarded\ndef node(state):\n    return {'answer': interrupt('?')}\n"
    (tmp_path / "guard.py").write_text("# on the disk another line\n" + guard)
    (tmp_path / "node.py").write_text(node)

    async def talk(editor: Editor) -> None:
        editor.open("node.py", node)
        [found] = await editor.diagnostics("node.py")
        for version in (None, 7):
            if version:
                editor.open("guard.py", guard, version)
                await editor.diagnostics("guard.py", version)
                await editor.until(lambda: editor.codes("node.py"))
            actions = await editor.actions("node.py", found.range.start.line)
            [change] = next(a for a in actions if a.is_preferred).edit.document_changes
            assert (change.text_document.uri, change.text_document.version) == (editor.uri("guard.py"), version)
            text = guard if version else "# on the disk another line\n" + guard
            assert "except GraphBubbleUp:\n            raise\n" in applied(text, change.edits)

    session(tmp_path, talk)


def test_what_only_the_whole_project_shows_follows_what_is_saved(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    node = PAUSE + "\n\ndef node(state):\n    return {'answer': interrupt('?')}\n"
    caller = "from node import node\n\n\ndef outer(state):\n    try:\n        return node(state)\n    except Exception:\n        return {}\n"
    (tmp_path / "caller.py").write_text(caller)
    (tmp_path / "node.py").write_text(node)

    async def talk(editor: Editor) -> None:
        editor.open("caller.py", caller)
        assert [d.code for d in await editor.diagnostics("caller.py")] == ["HIL201"]
        (tmp_path / "node.py").write_text(node.replace("interrupt('?')", "1"))
        editor.save("caller.py")
        await editor.until(lambda: not editor.codes("caller.py"))

    session(tmp_path, talk)


def test_a_server_that_is_left_alone_ends(tmp_path: Path) -> None:
    import subprocess

    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", "from hitl_lint.lsp import main; main()"]
    assert subprocess.run(command, env=env, input=b"", capture_output=True, timeout=SECONDS).returncode == 1
    done = subprocess.run([*command, "--version"], env=env, capture_output=True, text=True, timeout=SECONDS)
    assert done.stdout.startswith("hitl-lint-server ")
    assert subprocess.run([*command, "--port"], env=env, capture_output=True, timeout=SECONDS).returncode == 1


# --------------------------------------------------------------------------- notebooks
def test_a_notebook_cell_by_cell(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        book = editor.uri("n.ipynb")
        uris = [f"vscode-notebook-cell:/n.ipynb#{n}" for n in range(3)]
        texts = ["# Title", "%pip install httpx\n" + PAUSE + "import httpx", "def node(state):\n    httpx.post('https://mail.example', json={})\n    return {'answer': interrupt('?')}"]
        kinds = [lsp.NotebookCellKind.Markup, lsp.NotebookCellKind.Code, lsp.NotebookCellKind.Code]
        items = [lsp.TextDocumentItem(uri, "markdown" if kind == lsp.NotebookCellKind.Markup else "python", 1, text) for uri, text, kind in zip(uris, texts, kinds)]
        editor.client.notebook_document_did_open(lsp.DidOpenNotebookDocumentParams(
            lsp.NotebookDocument(book, "jupyter-notebook", 1, [lsp.NotebookCell(kind, uri) for uri, kind in zip(uris, kinds)]), items))
        found = await editor.until(lambda: (p := editor.published.get(uris[2])) and p.diagnostics)
        assert [(d.code, d.range.start) for d in found] == [("HIL101", lsp.Position(1, 4))]
        assert not editor.published[uris[1]].diagnostics
        actions = await editor.actions("", 1, uri=uris[2])
        edited = {change.text_document.uri for action in actions for change in action.edit.document_changes}
        assert actions and edited <= set(uris[1:])
        editor.client.notebook_document_did_change(lsp.DidChangeNotebookDocumentParams(
            lsp.VersionedNotebookDocumentIdentifier(version=2, uri=book), lsp.NotebookDocumentChangeEvent(cells=lsp.NotebookDocumentCellChanges(text_content=[
                lsp.NotebookDocumentCellContentChanges(lsp.VersionedTextDocumentIdentifier(version=2, uri=uris[2]), [
                    lsp.TextDocumentContentChangeWholeDocument(texts[2].replace("httpx.post", "print"))])]))))
        await editor.until(lambda: not editor.published[uris[2]].diagnostics)
        editor.client.notebook_document_did_close(lsp.DidCloseNotebookDocumentParams(
            lsp.NotebookDocumentIdentifier(book), [lsp.TextDocumentIdentifier(uri) for uri in uris]))

    session(tmp_path, talk)
