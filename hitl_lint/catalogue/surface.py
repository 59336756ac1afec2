"""Sets of LangGraph and LangChain paths as analysis asks for them, derived from `langgraph.py`."""

from __future__ import annotations

from hitl_lint.catalogue import langgraph as lg

# What `from langgraph.types import *` and its like bring that we care about.
EXPORTS = lg.INTERRUPT | lg.COMMAND | lg.SEND | lg.INTERRUPT_OBJECT | lg.STATE_GRAPH | lg.GRAPH_ERRORS | lg.TOOL_DECORATORS | lg.ENTRYPOINT | lg.TASK

# The libraries that pauses come from, by the first name of what is imported from them.
LIBRARIES = frozenset(path.partition(".")[0] for path in EXPORTS | lg.AGENT_FACTORIES | lg.AGENT_MIDDLEWARE | lg.BASE_TOOL | lg.SUPERVISORS)

# Annotations that say "something callable": what the callers pass tells more.
CALLABLES = frozenset({"typing.Callable()", "collections.abc.Callable()", "typing.Any()", "langgraph.graph.CompiledStateGraph()"})

# Annotations that say "some tool": which one, the callers say.
SOME_TOOL = frozenset(f"{path}()" for path in lg.BASE_TOOL | {"langchain_core.tools.StructuredTool", "langchain_core.tools.Tool", "langchain_core.runnables.Runnable"})

FUNCTION_WRAPPERS = lg.RUNNABLE_LAMBDA | lg.STRUCTURED_TOOL
BUILDERS = lg.STATE_GRAPH
BUILDER_OBJECTS = frozenset(f"{p}()" for p in lg.STATE_GRAPH)
# Methods that give the builder back, so that calls can be chained.
BUILDER_METHODS = frozenset({"add_node", "add_edge", "add_conditional_edges", "add_sequence", "set_entry_point", "set_finish_point", "set_conditional_entry_point",
                             "set_node_defaults", "validate", "set_node_cache"})
COMPILED = frozenset(f"{p}.compile()" for p in BUILDER_OBJECTS) | frozenset({
    "langgraph.graph.CompiledStateGraph()", "langgraph.pregel.Pregel()", "langgraph.graph.graph.CompiledGraph()", "langgraph.graph.CompiledGraph()"})
AGENTS = frozenset(f"{p}()" for p in lg.AGENT_FACTORIES)
SUPERVISED = frozenset(f"{p}().compile()" for p in lg.SUPERVISORS)
GRAPH_OBJECTS = COMPILED | AGENTS | SUPERVISED
TOOL_NODES = frozenset(f"{p}()" for p in lg.TOOL_NODE)

# Decorators under which a graph runs the function.
GRAPH_DECORATORS = lg.ENTRYPOINT | lg.TASK | lg.TOOL_DECORATORS | lg.MIDDLEWARE_DECORATORS
# Base classes whose methods a graph runs.
HOSTS = lg.AGENT_MIDDLEWARE | lg.BASE_TOOL

CAUGHT = lg.CATCHES_PAUSE


_FUTURE = frozenset({"submit", "apply_async", "start_soon", "run_coroutine_threadsafe"})
_MAP = frozenset({"map", "imap", "imap_unordered", "starmap"})


def call_mode(path: str) -> str:
    """How a library call runs the functions handed to it: "call" (here, result given back), "thread" (off the context: executor or
    thread), or "" (it does not run them)."""
    base, _, method = path.rpartition(".")
    holder = base[:-2] if base.endswith("()") else base
    if path in lg.TRANSPARENT_RUNNERS or path in ("map", "filter", "itertools.starmap", "sorted", "min", "max", "functools.reduce", "asyncio.gather", "asyncio.as_completed", "asyncio.wait"):
        return "call"
    if holder in lg.EXECUTORS and method in _FUTURE | _MAP | {"apply"}:
        return "thread"
    if holder in lg.CONTEXT_EXECUTORS and method in _FUTURE | _MAP:
        return "call"
    if holder in lg.TASK_GROUPS and method in ("start_soon", "start"):
        return "call"
    if path in lg.RETRY_CALLS or (path.endswith("()") and path[:-2] in lg.TENACITY_LOOPS | lg.RETRY_CALLS):
        return "call"
    if path in lg.THREADS or path in lg.RUN_IN_EXECUTOR:
        return "thread"
    if method == "run_in_executor":
        return "thread"
    return ""
