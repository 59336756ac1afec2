"""The server itself: what is open, when to look at it, and what to tell the client.

Everything is decided on the event loop and nothing is computed there: runs, and whatever reads files, happen on one worker thread, one at a time. A
change waits until the keys have been still for a moment (`DEBOUNCE`), then the document is looked at by itself, later (`IDLE`) together with its
project. A newer change ends a run that it makes pointless, and nothing is published for a text that is not there any more.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Mapping, NamedTuple, Sequence, TypeVar
from urllib.parse import urlsplit

from lsprotocol import types as lsp
from pygls import uris
from pygls.lsp.server import LanguageServer

from hitl_lint import __version__
from hitl_lint.config import ConfigError
from hitl_lint.finding import Finding
from hitl_lint.frontend import discover
from hitl_lint.frontend.source import Unreadable, decode
from hitl_lint.lsp import convert
from hitl_lint.lsp.live import Document, Gap, Live, carried, gap
from hitl_lint.run import Stopped

# Seconds.
DEBOUNCE = 0.1
IDLE = 0.8
# A project that takes long is looked at after a pause of that many times as long, and at most the second number.
PATIENCE, LONGEST = 3, 10.0
# How long a code action waits for the document's run.
WAIT = 5.0

FIX_ALL = "source.fixAll.hitl-lint"
SUFFIXES = (".py", ".pyi", ".ipynb")
WATCHED = ("**/*.py", "**/*.ipynb", "**/pyproject.toml", "**/hitl-lint.toml", "**/langgraph.json")

T = TypeVar("T")
Pairs = dict[str, list[tuple[Finding, lsp.Diagnostic]]]


@dataclass(eq=False)
class Open:
    """A document of the client: `uri` as it says it; of a notebook `cells` are the URIs of its cells. `version` counts our own way: the client may
    open the same document again with the same number. `shown` is what was published for `shown_version`."""

    uri: str
    path: str
    folder: str
    notebook: bool
    version: int = 0
    shown: Pairs = field(default_factory=dict)
    shown_version: int = -1
    quick: list[Finding] = field(default_factory=list)
    quick_version: int = -1
    gap: Gap = Gap()
    fixes: dict[Any, Any] = field(default_factory=dict)


class Snapshot(NamedTuple):
    """An open document at one moment, for the worker: by cell (None: no notebook) its URI, the client's version and its lines."""

    open: Open
    version: int
    document: Document
    parts: Mapping["int | None", tuple[str, "int | None", Sequence[str]]]

    @property
    def lines(self) -> dict["int | None", Sequence[str]]:
        return {cell: lines for cell, (_, _, lines) in self.parts.items()}


class Server(LanguageServer):
    def __init__(self) -> None:
        # Whole texts: the protocol's lines are not what Python's `splitlines` makes of a text, by which pygls would place changes.
        super().__init__("hitl-lint", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full,
                         notebook_document_sync=lsp.NotebookDocumentSyncOptions([lsp.NotebookDocumentFilterWithCells(
                             cells=[lsp.NotebookCellLanguage("python")], notebook="*")]))
        self._live = Live()
        self._open: dict[str, Open] = {}
        self._cells: dict[str, str] = {}
        self._due: dict[str, float] = {}  # a document's URI, or "" for the projects of all -> when
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._generation = 0  # a run over projects that was begun in another one is pointless
        self._edition = 0  # counts what may have changed somewhere: fixes can concern several files
        self._cost = 0.0
        self.ended = False
        self._said: dict[str, str] = {}  # folder -> what is wrong with its configuration
        self._worker = _worker()
        for kind, handler in ((lsp.INITIALIZED, self._initialized), (lsp.SHUTDOWN, self._shutdown),
                              (lsp.TEXT_DOCUMENT_DID_OPEN, self._text_opened), (lsp.TEXT_DOCUMENT_DID_CHANGE, self._text_changed),
                              (lsp.TEXT_DOCUMENT_DID_SAVE, self._saved), (lsp.TEXT_DOCUMENT_DID_CLOSE, self._text_closed),
                              (lsp.NOTEBOOK_DOCUMENT_DID_OPEN, self._notebook_opened), (lsp.NOTEBOOK_DOCUMENT_DID_CHANGE, self._notebook_changed),
                              (lsp.NOTEBOOK_DOCUMENT_DID_SAVE, self._saved), (lsp.NOTEBOOK_DOCUMENT_DID_CLOSE, self._notebook_closed),
                              (lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, self._files_changed), (lsp.TEXT_DOCUMENT_HOVER, self._hover)):
            self.feature(kind)(_function(handler))

        async def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
            return await self._actions(params)

        self.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, FIX_ALL]))(actions)

    # ---- what the client says
    def _initialized(self, params: lsp.InitializedParams) -> None:
        watching = self.client_capabilities.workspace and self.client_capabilities.workspace.did_change_watched_files
        if watching and watching.dynamic_registration:
            options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(pattern) for pattern in WATCHED])
            self.client_register_capability(lsp.RegistrationParams([lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)]))

    def _shutdown(self, params: None) -> None:
        self.ended = True
        if self._task is not None:
            self._task.cancel()

    def _text_opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        path = self._path_of(document.uri, document.language_id)
        if path is not None:
            self._begin(Open(document.uri, path, self._folder_of(path), False))

    def _notebook_opened(self, params: lsp.DidOpenNotebookDocumentParams) -> None:
        uri = params.notebook_document.uri
        path = self._path_of(uri, "notebook")
        if path is not None:
            self._begin(Open(uri, path if path.endswith(".ipynb") else path + ".ipynb", self._folder_of(path), True))
            self._cells.update({cell.document: uri for cell in params.notebook_document.cells})

    def _begin(self, document: Open) -> None:
        self._worker.submit(self._live.forget)
        before = self._open.get(document.uri)
        document.version = before.version + 1 if before else 0
        self._open[document.uri] = document
        self._touch(document, 0.0, 0.0)

    def _text_changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        if (document := self._open.get(params.text_document.uri)) is not None:
            self._touch(document, DEBOUNCE, self._patience())

    def _notebook_changed(self, params: lsp.DidChangeNotebookDocumentParams) -> None:
        document = self._open.get(params.notebook_document.uri)
        if document is None:
            return
        structure = params.change.cells.structure if params.change.cells else None
        if structure:
            for closed in structure.did_close or ():
                self._cells.pop(closed.uri, None)
                self._publish(closed.uri, None, [])
                document.shown.pop(closed.uri, None)
            self._cells.update({opened.uri: document.uri for opened in structure.did_open or ()})
        self._touch(document, DEBOUNCE, self._patience())

    def _saved(self, params: "lsp.DidSaveTextDocumentParams | lsp.DidSaveNotebookDocumentParams") -> None:
        self._worker.submit(self._live.forget)
        self._generation += 1
        self._edition += 1
        self._plan("", 0.0)

    def _text_closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        self._end(params.text_document.uri)

    def _notebook_closed(self, params: lsp.DidCloseNotebookDocumentParams) -> None:
        self._end(params.notebook_document.uri)

    def _end(self, uri: str) -> None:
        self._worker.submit(self._live.forget)
        document = self._open.pop(uri, None)
        self._due.pop(uri, None)
        if document is None:
            return
        document.version += 1
        for own in [uri, *(cell for cell, home in self._cells.items() if home == uri)]:
            if not document.notebook or own != uri:
                self._publish(own, None, [])
        self._cells = {cell: home for cell, home in self._cells.items() if home != uri}
        self._generation += 1
        self._edition += 1
        if self._open:  # what is on the disk counts again
            self._plan("", DEBOUNCE)

    def _files_changed(self, params: lsp.DidChangeWatchedFilesParams) -> None:
        self._worker.submit(self._live.forget)
        self._generation += 1
        self._edition += 1
        self._plan("", IDLE)

    # ---- when to look
    def _touch(self, document: Open, quick: float, full: float) -> None:
        document.version += 1
        self._generation += 1
        self._edition += 1
        self._plan(document.uri, quick)
        self._plan("", full)

    def _patience(self) -> float:
        return max(IDLE, min(PATIENCE * self._cost, LONGEST))

    def _plan(self, what: str, delay: float) -> None:
        loop = asyncio.get_running_loop()
        self._due[what] = loop.time() + delay
        self._wake.set()
        if self._task is None:
            self._task = loop.create_task(self._work())

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while not self.ended:
            self._wake.clear()
            ready = [what for what, when in self._due.items() if when <= loop.time()]
            if not ready:
                rest = min(self._due.values()) - loop.time() if self._due else None
                try:
                    await asyncio.wait_for(self._wake.wait(), rest)
                except asyncio.TimeoutError:
                    pass
                continue
            what = next((uri for uri in ready if uri), "")
            del self._due[what]
            try:
                await (self._look(what) if what else self._look_around())
            except Stopped:
                if not what and "" not in self._due:
                    self._plan("", IDLE)
            except Exception as error:  # a fault of ours must not end the server
                self._log(f"internal error: {type(error).__name__}: {error}; please report")
            for complaint in self._live.complaints:
                self._log(complaint)
            self._live.complaints.clear()

    async def _look(self, uri: str) -> None:
        """The document by itself."""
        document = self._open.get(uri)
        if document is None:
            return
        here, *others = self._snapshots(document)

        def work() -> tuple[list[Finding], Pairs]:
            found = self._live.quick(here.document, [other.document for other in others], lambda: self._stale(here))
            known = carried(found, document.gap, here.lines)
            return found, self._diagnostics(known, [here, *others])

        try:
            found, pairs = await self._in_worker(work)
        except ConfigError as error:
            self._tell(document.folder, str(error))
            return
        self._said.pop(document.folder, None)
        if not self._stale(here):
            document.quick, document.quick_version = found, here.version
            self._show(here, pairs)

    async def _look_around(self) -> None:
        """All documents with their projects."""
        snapshots = self._snapshots()
        generation = self._generation

        def stop() -> bool:
            return self.ended or self._generation != generation

        def groups() -> "dict[tuple[str, str], list[Snapshot]]":
            out: dict[tuple[str, str], list[Snapshot]] = {}
            for snapshot in snapshots:
                os.chdir(snapshot.document.folder)
                root = self._live.root(snapshot.document)
                out.setdefault((snapshot.document.folder, root) if root else ("", snapshot.open.uri), []).append(snapshot)
            return out

        for (folder, root), group in (await self._in_worker(groups)).items():
            if not folder:
                # Nobody knows what belongs to it; what it imports may be open.
                if len(snapshots) > 1:
                    self._due.setdefault(root, 0.0)
                continue
            start = time.perf_counter()

            def work() -> list[tuple[Snapshot, list[Finding], Pairs]]:
                found = self._live.full(root, [snapshot.document for snapshot in group], stop)
                return [(snapshot, findings, self._diagnostics(findings, [snapshot, *(s for s in snapshots if s is not snapshot)]))
                        for snapshot, findings in zip(group, found) if findings is not None]

            try:
                results = await self._in_worker(work)
            except ConfigError as error:
                self._tell(folder, str(error))
                continue
            self._cost = time.perf_counter() - start
            if len(results) < len(group) and len(snapshots) > 1:
                told = {snapshot.open.uri for snapshot, _, _ in results}
                self._due.update({s.open.uri: 0.0 for s in group if s.open.uri not in told})
            for snapshot, findings, pairs in results:
                document = snapshot.open
                if self._stale(snapshot):
                    continue
                if document.quick_version == snapshot.version:
                    document.gap = gap(document.quick, findings, snapshot.lines)
                self._show(snapshot, pairs)

    def _stale(self, snapshot: Snapshot) -> bool:
        return self.ended or snapshot.open.version != snapshot.version

    async def _in_worker(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)

    # ---- what is open, as it is now
    def _snapshots(self, first: Open | None = None) -> list[Snapshot]:
        """Of all open documents, `first` in front."""
        order = sorted(self._open.values(), key=lambda document: document is not first)
        return [self._snapshot(document) for document in order]

    def _snapshot(self, document: Open) -> Snapshot:
        from hitl_lint.api import encoded

        if not document.notebook:
            text = self.workspace.get_text_document(document.uri)
            data = encoded(text.source)
            parts: dict[int | None, tuple[str, int | None, Sequence[str]]] = {None: (document.uri, text.version, convert.lines_of(text.source))}
            return Snapshot(document, document.version, Document(document.folder, document.path, data), parts)
        parts = {}
        cells: list[dict[str, Any]] = []
        notebook = self.workspace.get_notebook_document(notebook_uri=document.uri)
        for number, cell in enumerate(notebook.cells if notebook else ()):
            text = self.workspace.text_documents.get(cell.document) or self.workspace.get_text_document(cell.document)
            code = cell.kind == lsp.NotebookCellKind.Code and (text.language_id or "python") == "python"
            if code:
                parts[number] = (cell.document, text.version, convert.lines_of(text.source))
            source = text.source.replace("\r\n", "\n").replace("\r", "\n")
            cells.append({"cell_type": "code" if code else "markdown", "metadata": {}, "source": source if code else "", **({"outputs": [], "execution_count": None} if code else {})})
        data = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()
        return Snapshot(document, document.version, Document(document.folder, document.path, data), parts)

    def _path_of(self, uri: str, language: str | None) -> str | None:
        """The absolute path of a document that is ours to look at."""
        scheme = urlsplit(uri).scheme
        if scheme == "file":
            path = uris.to_fs_path(uri)
            return os.path.abspath(path) if path and (language in ("python", "notebook") or path.lower().endswith(SUFFIXES)) else None
        if scheme == "untitled" and language in ("python", "notebook"):
            name = re.sub(r"\W+", "-", urlsplit(uri).path).strip("-") or "untitled"
            return os.path.join(self._folders()[0], f"{name}.{'ipynb' if language == 'notebook' else 'py'}")
        return None

    def _folders(self) -> list[str]:
        found = [uris.to_fs_path(uri) for uri in self.workspace.folders] or [self.workspace.root_path]
        return [os.path.abspath(path) for path in found if path and os.path.isdir(path)] or [_home()]

    def _folder_of(self, path: str) -> str:
        """The innermost workspace folder around it; else its own directory, or what is there of it."""
        around = [folder for folder in self._folders() if path.startswith(folder.rstrip(os.sep) + os.sep)]
        if around:
            return max(around, key=len)
        folder = os.path.dirname(path)
        while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
            folder = os.path.dirname(folder)
        return folder

    # ---- what is told
    def _units(self) -> convert.Units:
        return convert.Units(str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding) or "utf-16"))

    def _places(self, snapshots: Iterable[Snapshot]) -> convert.Places:
        """In the worker, in the working directory of the run. What is not open is read from the disk."""
        parts = {(discover.display(s.document.path), cell): (uri, lines) for s in snapshots for cell, (uri, _, lines) in s.parts.items()}

        def places(path: str, cell: int | None) -> tuple[str, Sequence[str]] | None:
            found = parts.get((path, cell))
            if found is None and cell is None:
                text = _text_on_disk(path)
                found = parts[path, cell] = (uris.from_fs_path(os.path.abspath(path)) or "", convert.lines_of(text)) if text is not None else None  # type: ignore[assignment]
            elif found is None:
                # Problems with a notebook as a whole, and cells of one that is not open.
                found = next((part for (other, _), part in parts.items() if other == path and part), None)
            return found

        return places

    def _diagnostics(self, findings: Sequence[Finding], snapshots: Sequence[Snapshot]) -> Pairs:
        """For the first of the snapshots: by URI, one without any diagnostics, too."""
        os.chdir(snapshots[0].document.folder)
        out: Pairs = {uri: [] for uri, _, _ in snapshots[0].parts.values()}
        places, units = self._places(snapshots), self._units()
        for finding in findings:
            made = convert.diagnostic(finding, places, units)
            if made is not None and made[0] in out:
                out[made[0]].append((finding, made[1]))
        return out

    def _show(self, snapshot: Snapshot, pairs: Pairs) -> None:
        document = snapshot.open
        versions = {uri: version for uri, version, _ in snapshot.parts.values()}
        for uri, found in pairs.items():
            # A diagnostic that is published again unchanged makes some clients redraw; a new version must be confirmed.
            if document.shown_version != snapshot.version or document.shown.get(uri) != found:
                self._publish(uri, versions.get(uri), [diagnostic for _, diagnostic in found])
        if document.shown_version != snapshot.version or document.shown != pairs:
            document.fixes.clear()
        document.shown, document.shown_version = pairs, snapshot.version
        self._changed.set()
        self._changed = asyncio.Event()

    def _publish(self, uri: str, version: int | None, diagnostics: list[lsp.Diagnostic]) -> None:
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics, version))

    def _tell(self, folder: str, text: str) -> None:
        """To the person, once as long as it is so."""
        if self._said.get(folder) != text:
            self._said[folder] = text
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, f"hitl-lint: {text}"))

    def _log(self, text: str) -> None:
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, f"hitl-lint: {text}"))

    # ---- what is asked
    def _home_of(self, uri: str) -> Open | None:
        return self._open.get(self._cells.get(uri, uri))

    async def _settled(self, document: Open) -> bool:
        """Waits until what is published belongs to the text as it is; False when that takes too long."""
        until = time.monotonic() + WAIT
        while document.shown_version != document.version:
            rest = until - time.monotonic()
            if rest <= 0 or self._open.get(document.uri) is not document:
                return False
            if self._due.get(document.uri, 0.0) and document.uri in self._due:
                self._plan(document.uri, 0.0)
            try:
                await asyncio.wait_for(self._changed.wait(), min(rest, 0.5))
            except asyncio.TimeoutError:
                pass
        return True

    def _hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        document = self._home_of(params.text_document.uri)
        if document is None or document.shown_version != document.version:
            return None
        here = lsp.Range(params.position, params.position)
        pairs = [pair for pair in document.shown.get(params.text_document.uri, ()) if convert.overlaps(pair[1].range, here)]
        if not pairs:
            return None
        hovers = self.client_capabilities.text_document and self.client_capabilities.text_document.hover
        formats = (hovers.content_format if hovers else None) or [lsp.MarkupKind.Markdown]
        markdown = lsp.MarkupKind.Markdown in formats
        text = convert.hover([finding for finding, _ in pairs], markdown)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown if markdown else lsp.MarkupKind.PlainText, text), pairs[0][1].range)

    async def _actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        uri = params.text_document.uri
        document = self._home_of(uri)
        if document is None or not await self._settled(document):
            return []
        only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]

        def wanted(kind: str) -> bool:
            return any(kind == asked or kind.startswith(asked + ".") for asked in only)

        out: list[lsp.CodeAction] = []
        try:
            if not only or wanted("quickfix"):
                pairs = [pair for pair in document.shown.get(uri, ()) if convert.overlaps(pair[1].range, params.range)]
                if pairs:
                    out += await self._quick_fixes(document, uri, pairs)
            if wanted(FIX_ALL):  # never without being asked for: it is what runs on save
                out += await self._fix_all(document)
        except (Stopped, ConfigError):
            return []
        return out

    async def _quick_fixes(self, document: Open, uri: str, pairs: "list[tuple[Finding, lsp.Diagnostic]]") -> list[lsp.CodeAction]:
        wanted = {(finding.code, finding.span) for finding, _ in pairs}
        key = (self._edition, *((finding.code, finding.span) for finding, _ in pairs))
        if key not in document.fixes:
            self._generation += 1  # a person waits: the project can be looked at later
            here, *others = self._snapshots(document)

            def work() -> list[lsp.CodeAction]:
                proven = self._live.fixes(here.document, [s.document for s in others], lambda f: (f.code, f.span) in wanted, lambda: self._stale(here))
                diagnostics = {(finding.code, finding.span): diagnostic for finding, diagnostic in pairs}
                out = []
                for made in sorted(proven, key=lambda made: made.fix.safety != "safe"):
                    changes = {change.path: (change.old, change.new) for change in made.changes}
                    edit = self._edit(changes, [here, *others])
                    safe = made.fix.safety == "safe"
                    if edit is not None:
                        out.append(lsp.CodeAction(convert.titles(made.finding.code, made.fix.title, safe), lsp.CodeActionKind.QuickFix,
                                                  [diagnostics[made.finding.code, made.finding.span]], safe or None, edit=edit))
                units = self._units()
                for finding, diagnostic in pairs:
                    part = next((part for part in here.parts.values() if part[0] == uri), None)
                    if finding.code.startswith("HIL9") or part is None:
                        continue
                    noqa = convert.suppression(finding, part[2], units)
                    if noqa is not None:
                        out.append(lsp.CodeAction(f"Suppress with # noqa: {finding.code}", lsp.CodeActionKind.QuickFix, [diagnostic],
                                                  edit=self._workspace_edit([(uri, part[1], [noqa])])))
                return out

            actions = await self._in_worker(work)
            if self._stale(here):
                return []
            document.fixes.clear()
            document.fixes[key] = actions
            return list(actions)
        return list(document.fixes[key])

    async def _fix_all(self, document: Open) -> list[lsp.CodeAction]:
        self._generation += 1
        here, *others = self._snapshots(document)

        def work() -> lsp.WorkspaceEdit | None:
            new = self._live.mended(here.document, [s.document for s in others], lambda: self._stale(here))
            return self._edit({discover.display(here.document.path): (here.document.data, new)}, [here]) if new != here.document.data else None

        edit = await self._in_worker(work)
        if edit is None or self._stale(here):
            return []
        return [lsp.CodeAction("Fix everything that hitl-lint can fix safely", FIX_ALL, edit=edit)]  # type: ignore[arg-type]

    def _edit(self, changes: Mapping[str, tuple[bytes, bytes]], snapshots: Sequence[Snapshot]) -> lsp.WorkspaceEdit | None:
        """In the worker. The changes of files by path (old and new content); None where one cannot be told as edits of text."""
        known = {discover.display(s.document.path): s for s in snapshots}
        units = self._units()
        out: list[tuple[str, int | None, list[lsp.TextEdit]]] = []
        for path, (old, new) in changes.items():
            snapshot = known.get(path)
            if snapshot is not None and snapshot.open.notebook:
                before, after = (json.loads(data)["cells"] for data in (old, new))
                if len(before) != len(after):
                    return None
                for number, (uri, version, _) in snapshot.parts.items():
                    a, b = (_joined(cells[number]["source"]) for cells in (before, after))  # type: ignore[index]
                    if a != b:
                        out.append((uri, version, convert.edits(a, b, units)))
                continue
            try:
                a, b = decode(old), decode(new)
            except Unreadable:
                return None
            uri, version, _ = snapshot.parts[None] if snapshot is not None else (uris.from_fs_path(os.path.abspath(path)) or "", None, ())
            out.append((uri, version, convert.edits(a, b, units)))
        return self._workspace_edit(out)

    def _workspace_edit(self, parts: "list[tuple[str, int | None, list[lsp.TextEdit]]]") -> lsp.WorkspaceEdit:
        edits = self.client_capabilities.workspace and self.client_capabilities.workspace.workspace_edit
        if edits and edits.document_changes:
            return lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(lsp.OptionalVersionedTextDocumentIdentifier(uri, version), list(made)) for uri, version, made in parts])
        return lsp.WorkspaceEdit(changes={uri: made for uri, _, made in parts})


def _function(method: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """pygls marks its handlers with attributes, which methods do not take."""
    return lambda params: method(params)


def _worker() -> ThreadPoolExecutor:
    """One thread, with the stack that deep code needs: macOS gives threads half a megabyte."""
    before = threading.stack_size(64 << 20)
    try:
        pool = ThreadPoolExecutor(1, "hitl-lint")
        pool.submit(int).result()  # the thread is made now
        return pool
    finally:
        threading.stack_size(before)


def _text_on_disk(path: str) -> str | None:
    try:
        return decode(discover.read_bytes(path))
    except (OSError, ValueError, Unreadable, MemoryError):
        return None


def _joined(source: "str | list[str]") -> str:
    return source if isinstance(source, str) else "".join(source)


def _home() -> str:
    try:
        return os.getcwd()
    except OSError:
        return os.path.expanduser("~")


__all__ = ["Server"]
