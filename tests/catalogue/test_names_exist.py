"""The names in `catalogue/langgraph.py`, and the literal paths of the tables, exist in the libraries where these are installed."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import warnings
from typing import Any

import pytest

from hitl_lint import catalogue
from hitl_lint.catalogue import langgraph as lg
from hitl_lint.catalogue.patterns import compiled


def resolve(path: str) -> Any:
    """The object that a dotted path names, or None if its library is not installed. Raises AttributeError if the name does not exist."""
    parts = path.replace("()", "").split(".")
    if importlib.util.find_spec(parts[0]) is None:
        return None
    module: Any = importlib.import_module(parts[0])
    for n, part in enumerate(parts[1:], 1):
        if hasattr(module, part):
            module = getattr(module, part)
            continue
        try:
            module = importlib.import_module(".".join(parts[: n + 1]))
        except ImportError:
            raise AttributeError(path) from None
    return module


SETS = {name: value for name, value in vars(lg).items() if name.isupper() and isinstance(value, frozenset) and any("." in v for v in value)}
# Not in the newest version any more, or not a name that can be imported.
GONE = {
    "langgraph.graph.MessageGraph",
    "langgraph.errors.TaskNotFound",
    "langchain.agents.middleware.ToolErrorMiddleware",
    "langgraph_sdk.Command",
    "retry.retry",
    "deepagents.async_create_deep_agent",
    "concurrent.futures.InterpreterPoolExecutor",
    "langgraph.prebuilt.ToolExecutor",
    "langchain.indexes.index",
    "langchain.indexes.aindex",
    "langchain.hub.pull",
    "openai.Assistant.create",
    "anthropic.Anthropic().completions.create",
}


# Parts of the namespace package langgraph that are installed one by one.
SEPARATE = ("langgraph.checkpoint.postgres", "langgraph.checkpoint.redis", "langgraph.checkpoint.mongodb")


@pytest.mark.parametrize("name", sorted(SETS))
def test_the_names_that_rules_look_for_exist(name: str) -> None:
    if name == "WRONG_INTERRUPT_MODULES":
        pytest.skip("holds modules that do not export it")
    missing = []
    for path in SETS[name] - GONE:
        if "()." in path or path.startswith(SEPARATE):
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                resolve(path)
        except (AttributeError, ImportError) as error:
            missing.append(f"{path}: {error}")
    assert not missing, missing


def test_interrupt_is_exported_only_where_it_is_looked_for() -> None:
    pytest.importorskip("langgraph")
    for module in lg.WRONG_INTERRUPT_MODULES:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = importlib.import_module(module)
        except ImportError:
            continue
        from langgraph.types import interrupt

        assert getattr(found, "interrupt", None) is not interrupt, module


STDLIB = {
    "os",
    "pathlib",
    "shutil",
    "time",
    "datetime",
    "random",
    "secrets",
    "uuid",
    "subprocess",
    "smtplib",
    "sqlite3",
    "json",
    "asyncio",
    "tempfile",
    "tarfile",
    "zipfile",
    "urllib",
    "http",
    "io",
    "logging",
    "builtins",
}
INSTALLED = (
    "requests",
    "httpx",
    "openai",
    "anthropic",
    "langgraph",
    "langchain",
    "langchain_core",
    "langchain_openai",
    "langgraph_sdk",
    "langsmith",
    "tenacity",
    "aiosqlite",
    "websockets",
)


def literal_paths() -> list[tuple[str, str]]:
    """Every path that a table names in full: module and function, or module, class and method."""
    out = set()
    for topic, rows in catalogue.topics().items():
        for _, texts in rows:
            for text in texts:
                if text.startswith("{sqlite3,"):
                    continue  # one list of functions for all DB-API modules
                for one in compiled(text):
                    if any(c.deep or c.globs for c in one):
                        continue
                    stack = [""]
                    for choice in one:
                        stack = [f"{head}.{tail}".lstrip(".") for head in stack for tail in choice.exact]
                    out |= {(topic, p) for p in stack}
    return sorted(out)


# Written for other versions of Python or of the library, or made by an object at run time.
TOLERATED = {
    "time.clock_gettime",
    "uuid.uuid6",
    "uuid.uuid7",
    "uuid.uuid8",
    "os.startfile",
    "io.open",
    "os.getrandom",
    "time.thread_time_ns",
    "datetime.UTC",
    "asyncio.subprocess.create_subprocess_shell",
    "os.posix_spawnp",
    "os.setuid",
    "concurrent.futures.InterpreterPoolExecutor",
}


def test_the_literal_paths_of_installed_libraries_exist() -> None:
    wrong = []
    for topic, path in literal_paths():
        top = path.split(".")[0]
        if top not in STDLIB and top not in INSTALLED or "'" in path or path in TOLERATED or path in GONE:
            continue
        if "()" in path and (top not in ("requests", "httpx", "pathlib") or "session()" in path):
            continue  # objects: their attributes may be set when they are made
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                resolve(path)
        except (AttributeError, ImportError):
            wrong.append(f"{topic}: {path}")
    if sys.version_info >= (3, 11):
        assert not wrong, "\n".join(wrong)


def test_the_methods_of_openai_and_anthropic_exist() -> None:
    openai = pytest.importorskip("openai")
    anthropic = pytest.importorskip("anthropic")
    clients = {"openai.OpenAI()": openai.OpenAI(api_key="x"), "anthropic.Anthropic()": anthropic.Anthropic(api_key="x")}
    wrong = []
    for path in {p for _, p in literal_paths()} - GONE:
        for prefix, client in clients.items():
            if path.startswith(prefix + "."):
                tail = path[len(prefix) + 1 :].split(".")
                if all(_follow(root, tail) is None for root in (client, client.beta)):
                    wrong.append(path)
    assert not wrong, "\n".join(wrong)


def _follow(found: Any, parts: list[str]) -> Any:
    for part in parts:
        found = getattr(found, part, None)
    return found
