"""Code that runs on behalf of many people: endpoints of web servers, handlers of chat bots, pages of web apps, and what these call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from hitl_lint.analysis.names import Fn, FnInfo, ModuleInfo, Scope
from hitl_lint.facts import Attr, Call, Name, dotted

if TYPE_CHECKING:
    from hitl_lint.analysis.project import Project

SERVERS = frozenset({"fastapi", "flask", "starlette", "aiohttp", "quart", "sanic", "litestar", "django", "rest_framework", "ninja", "bottle", "falcon", "tornado", "chainlit",
                     "telegram", "aiogram", "telebot", "slack_bolt", "discord", "botbuilder", "nicegui", "robyn", "gradio"})
# Their scripts run from the top for every visitor.
PAGES = frozenset({"streamlit"})
# `@app.post(…)`, `@cl.on_message`, `@bot.command()`: by the last word of the decorator.
HANDLES = frozenset({"get", "post", "put", "patch", "delete", "head", "route", "api_route", "websocket", "websocket_route", "on_message", "on_chat_start", "on_chat_resume",
                     "action_callback", "message", "event", "command", "message_handler", "callback_query_handler", "callback_query", "view", "shortcut", "app_mention",
                     "action", "page", "listen", "hybrid_command", "api_view", "errorhandler"})
# `Route("/x", endpoint)`, `CommandHandler("start", start)`: what is given a function to run for a request.
REGISTERS = frozenset({"Route", "WebSocketRoute", "add_api_route", "add_route", "add_url_rule", "add_get", "add_post", "add_put", "CommandHandler", "MessageHandler",
                       "CallbackQueryHandler", "ConversationHandler", "path", "re_path", "add_api_websocket_route", "add_websocket_route"})
# In a module that imports gradio: `gr.ChatInterface(respond)`, `button.click(respond, …)`.
GRADIO = frozenset({"ChatInterface", "Interface", "click", "submit", "change", "load"})
VIEWS = frozenset({"View", "APIView", "MethodView", "Resource", "HTTPEndpoint", "RequestHandler", "WebSocketEndpoint", "ViewSet", "ModelViewSet", "ActivityHandler"})
MAX_DEPTH = 5
IMPORTS = rb"(?m)^[ \t]*(?:from|import)[ \t]+(?:" + "|".join(sorted(SERVERS | PAGES)).encode() + rb")\b"


class Requests:
    def __init__(self, project: "Project") -> None:
        self.project = project
        self.names = project.names
        self._memo: dict[int, bool] = {}
        self._imports: dict[int, set[str]] = {}
        self._registered: set[int] | None = None
        self._servers: list[str] | None = None

    def imports(self, module: ModuleInfo) -> set[str]:
        """The libraries that a module imports, wherever in it."""
        out = self._imports.get(id(module))
        if out is None:
            out = self._imports[id(module)] = set()
            for scope in (module.scope, *(self.names.scope(f) for f in module.functions)):
                out |= {b.node.module.split(".")[0] for bs in scope.bindings.values() for b in bs if b.how == "import" and not b.node.level}
        return out

    def served(self, scope: Scope) -> bool:
        """Whether code runs for a request, a message or a visitor, and not once for the program: what an endpoint calls counts."""
        around = list(self._around(scope))
        return any(self._runs(at) for at in around) or any(self._called_by_one(at.owner) for at in around if isinstance(at.owner, FnInfo))

    def _around(self, scope: Scope) -> Iterator[Scope]:
        at: Scope | None = scope
        while at is not None:
            yield at
            at = at.parent

    def _runs(self, at: Scope) -> bool:
        """Whether a server runs the code of a scope itself."""
        return self.handles(at.owner) if isinstance(at.owner, FnInfo) else at.kind == "module" and bool(self.imports(at.module) & PAGES)

    def _called_by_one(self, info: FnInfo) -> bool:
        """Whether a server runs what calls a function, or calls that, some calls far: from near to far, each caller once."""
        found = self._memo.get(id(info.fn))
        if found is None:
            seen, level, found = {id(info.fn)}, [info], False
            for _ in range(MAX_DEPTH):
                around = [at for f in level for _, where in self.project.resumes.callers(f) if where.kind == "function" for at in self._around(where)]
                found = any(self._runs(at) for at in around)
                if found:
                    break
                level = []
                for at in around:
                    if isinstance(at.owner, FnInfo) and id(at.owner.fn) not in seen:
                        seen.add(id(at.owner.fn))
                        level.append(at.owner)
            self._memo[id(info.fn)] = found
        return found

    def handles(self, info: FnInfo) -> bool:
        """Whether a server, bot or web app runs this function itself."""
        if not self.imports(info.module) & SERVERS:
            return False
        for d in info.fn.decorators:
            target = d.func if type(d) is Call else d
            if (type(target) is Attr and target.attr in HANDLES) or (type(target) is Name and target.id in ("api_view", "csrf_exempt", "require_POST")):
                return True
        if info.cls is not None and any((base if isinstance(base, str) else base.cls.name).rsplit(".", 1)[-1] in VIEWS for base in self.names.mro(info.cls)):
            return info.name in HANDLES or info.name.startswith(("on_", "list", "create"))
        return id(info.fn) in self._given()

    def _given(self) -> set[int]:
        """The functions that are handed to what registers handlers."""
        if self._registered is None:
            self._registered = set()
            for word in sorted(REGISTERS | GRADIO):
                for call, scope in list(self.names.calls_by_name.get(word, ())):
                    if word in GRADIO and "gradio" not in self.imports(scope.module):
                        continue
                    for a in call.args:
                        if type(a.value) in (Name, Attr):
                            self._registered |= {id(v.info.fn) for v in self.names.resolve(a.value, scope) if isinstance(v, Fn)}
        return self._registered

    def near_server(self, module: ModuleInfo) -> bool:
        """Whether a module imports what serves requests, or a file that does seems to import the module. Files count whether they have been read or
        not, tests and examples do not."""
        if self.imports(module) & (SERVERS | PAGES):
            return True
        if self._servers is None:
            self._servers = [p for p in self.project.holding(IMPORTS) if not self.project.is_test(p) and not self.project.is_aside(p)]
        word = module.parts[-1].encode() if module.parts else b""
        near = [p for p in self._servers if _near(p, module.path)]
        if not word or self.project.holding(rb"import[^\n]*\b" + word + rb"\b|\b" + word + rb"\b[^\n]*\bimport\b", near):
            return bool(word)
        # From elsewhere in the project a module is imported with its package.
        package = module.parts[-2].encode() if len(module.parts) > 1 else b""
        return bool(package) and bool(self.project.holding(rb"\b" + package + rb"(?:\.|[ \t]+import[ \t][^\n]*\b)" + word + rb"\b", self._servers))

    def program(self, scope: Scope) -> bool:
        """Whether code belongs to a program that one person runs at a terminal: it stands at the top of a script, or its module reads from the keyboard."""
        if scope.kind == "module":
            return True
        return any(dotted(c.func) == "input" for s in (scope.module.scope, *(self.names.scope(f) for f in scope.module.functions)) for c in s.calls)


def _near(path: str, other: str) -> bool:
    """Whether two files can belong to one program: they are below the same folder of the project, or one of them is at its top."""
    here, there = path.split("/")[:-1], other.split("/")[:-1]
    return not here or not there or here[0] == there[0]


__all__ = ["Requests"]
