"""The names of LangGraph, LangChain and their neighbours that rules look for.

All are paths after `catalogue.canonical`, without the `()` of a call. TRUTH.md section 14 says what exists in which version.
"""

from __future__ import annotations


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _in(module: str, names: str) -> frozenset[str]:
    return frozenset(f"{module}.{name}" for name in names.split())

# --- pauses and what they raise
INTERRUPT = frozenset({"langgraph.types.interrupt"})
COMMAND = frozenset({"langgraph.types.Command"})
SDK_COMMAND = frozenset({"langgraph_sdk.schema.Command"})
SEND = frozenset({"langgraph.types.Send"})
INTERRUPT_OBJECT = frozenset({"langgraph.types.Interrupt"})

# What a handler must not keep: the pause and the classes above it. `except` on one of these catches a pause.
PAUSE_CLASSES = frozenset({"langgraph.errors.GraphInterrupt", "langgraph.errors.GraphBubbleUp"})
CATCHES_PAUSE = PAUSE_CLASSES | {"Exception", "BaseException"}
# Raised by hand they ask for ever (HIL205). Catching NodeInterrupt does not catch a pause of interrupt().
RAISED_BY_HAND = frozenset({"langgraph.errors.GraphInterrupt", "langgraph.errors.NodeInterrupt"})
PAUSES_BY_NAME = PAUSE_CLASSES | {"langgraph.errors.NodeInterrupt"}  # who catches these means the pause
GRAPH_ERRORS = _in("langgraph.errors", """
    GraphBubbleUp GraphInterrupt NodeInterrupt ParentCommand GraphDrained EmptyInputError EmptyChannelError GraphRecursionError
    InvalidUpdateError NodeError NodeTimeoutError NodeCancelledError TaskNotFound UnknownInterruptError
    """)

# --- graphs
STATE_GRAPH = frozenset({"langgraph.graph.StateGraph", "langgraph.graph.MessageGraph"})
START = frozenset({"langgraph.constants.START"})
END = frozenset({"langgraph.constants.END"})
ENTRYPOINT = frozenset({"langgraph.func.entrypoint"})
SCRATCHPAD = frozenset({"CONFIG_KEY_SCRATCHPAD"})  # langgraph._internal._constants: where a task finds the answers given so far
TASK = frozenset({"langgraph.func.task"})
TOOL_NODE = frozenset({"langgraph.prebuilt.ToolNode"})
REACT_AGENT = frozenset({"langgraph.prebuilt.create_react_agent"})
CREATE_AGENT = frozenset({"langchain.agents.create_agent"})
DEEP_AGENT = frozenset({"deepagents.create_deep_agent", "deepagents.async_create_deep_agent"})
SUPERVISORS = frozenset({"langgraph_supervisor.create_supervisor", "langgraph_swarm.create_swarm"})
AGENT_FACTORIES = REACT_AGENT | CREATE_AGENT | DEEP_AGENT

# Methods of a compiled graph and of any Runnable that run it.
RUN_METHODS = _set("""
    invoke ainvoke stream astream stream_events astream_events astream_log batch abatch batch_as_completed abatch_as_completed transform
    atransform stream_v2 astream_v2
    """)
BATCH_METHODS = frozenset({"batch", "abatch", "batch_as_completed", "abatch_as_completed"})
STRICT_RESUME_KEY = "__pregel_strict_resume"

MEMORY_SAVERS = frozenset({"langgraph.checkpoint.memory.InMemorySaver"})

# --- tools and middleware
TOOL_DECORATORS = frozenset({"langchain_core.tools.tool"})
STRUCTURED_TOOL = _set("""
    langchain_core.tools.StructuredTool langchain_core.tools.StructuredTool.from_function langchain_core.tools.Tool
    langchain_core.tools.Tool.from_function
    """)
BASE_TOOL = frozenset({"langchain_core.tools.BaseTool"})
RUNNABLE_LAMBDA = _set("""
    langchain_core.runnables.RunnableLambda langchain_core.runnables.RunnableGenerator langchain_core.runnables.chain
    """)
RUNNABLE_PARALLEL = frozenset({"langchain_core.runnables.RunnableParallel"})
AGENT_MIDDLEWARE = frozenset({"langchain.agents.middleware.AgentMiddleware"})
# Where middlewares come from that are ones of create_agent, whatever their names.
MIDDLEWARE_PACKAGES = ("langchain.agents.", "deepagents.middleware.")
_HOOKS = ("before_agent", "before_model", "after_model", "after_agent", "wrap_model_call", "wrap_tool_call", "dynamic_prompt")
MIDDLEWARE_DECORATORS = frozenset(f"langchain.agents.middleware.{name}" for name in _HOOKS)
MIDDLEWARE_METHODS = frozenset(p + name for name in _HOOKS if name != "dynamic_prompt" for p in ("", "a"))
WRAP_METHODS = frozenset({"wrap_model_call", "awrap_model_call", "wrap_tool_call", "awrap_tool_call"})
HITL_MIDDLEWARE = frozenset({"langchain.agents.middleware.HumanInTheLoopMiddleware"})
# The configuration of one tool of a review middleware, its fields, the decisions that it can allow, and how it can pause.
GATE_CONFIG = frozenset(f"{module}.InterruptOnConfig()" for module in ("langchain.agents.middleware", "langchain.agents.middleware.human_in_the_loop"))
GATE_KEYS = ("allowed_decisions", "description", "args_schema", "when")
DECISIONS = ("approve", "edit", "reject", "respond")
INTERRUPT_MODES = ("batched", "per_call")
# What other words for a decision mean: the vocabulary of Agent Inbox (`allow_accept`, …), and what people write.
DECISION_WORDS = {
    "accept": "approve", "accepted": "approve", "approved": "approve", "approval": "approve", "edited": "edit", "modify": "edit", "rejected": "reject",
    "rejection": "reject", "deny": "reject", "denied": "reject", "decline": "reject", "response": "respond", "responded": "respond",
}
RETRY_MIDDLEWARE = _in("langchain.agents.middleware", "ToolRetryMiddleware ModelRetryMiddleware ModelFallbackMiddleware")
TOOL_ERROR_MIDDLEWARE = _set("""
    langchain.agents.middleware.ToolRetryMiddleware langchain.agents.middleware.ToolErrorMiddleware
    """)

# --- what diverts an exception
SUPPRESS = frozenset({"contextlib.suppress"})
CONTEXT_MANAGER_DECORATORS = frozenset({"contextlib.contextmanager", "contextlib.asynccontextmanager"})
EXIT_STACK = frozenset({"contextlib.ExitStack", "contextlib.AsyncExitStack"})
# Decorators and helpers that run the function again. TRUTH.md section 3: without a predicate on the type they swallow or multiply a pause.
TENACITY = frozenset({"tenacity.retry"})
TENACITY_LOOPS = frozenset({"tenacity.Retrying", "tenacity.AsyncRetrying"})
RETRY_DECORATORS = _set("""
    tenacity.retry backoff.on_exception retrying.retry retry.retry retry.api.retry stamina.retry aioretry.retry opnieuw.retry
    opnieuw.retry_async redo.retriable google.api_core.retry.Retry google.api_core.retry_async.AsyncRetry tenacity.Retrying().wraps
    tenacity.AsyncRetrying().wraps
    """)
RETRY_CALLS = _set("""
    retry.api.retry_call retry.retry_call stamina.RetryingCaller stamina.AsyncRetryingCaller redo.retry
    """)

# --- where a pause gets lost
GATHER = frozenset({"asyncio.gather"})
TASK_GROUPS = frozenset({"asyncio.TaskGroup", "anyio.create_task_group", "trio.open_nursery"})
CREATE_TASK = _set("""
    asyncio.create_task asyncio.ensure_future asyncio.get_running_loop().create_task asyncio.get_event_loop().create_task
    asyncio.new_event_loop().create_task
    """)
THREADS = frozenset({"threading.Thread", "threading.Timer", "multiprocessing.Process", "_thread.start_new_thread"})
EXECUTORS = _set("""
    concurrent.futures.ThreadPoolExecutor concurrent.futures.ProcessPoolExecutor multiprocessing.Pool multiprocessing.pool.ThreadPool
    multiprocessing.dummy.Pool concurrent.futures.Executor concurrent.futures.InterpreterPoolExecutor
    """)
# Copies the context: a pause in it works (TRUTH.md section 3).
CONTEXT_EXECUTORS = _set("""
    langchain_core.runnables.config.ContextThreadPoolExecutor langchain_core.runnables.config.get_executor_for_config
    """)
RUN_IN_EXECUTOR = _set("""
    asyncio.get_running_loop().run_in_executor asyncio.get_event_loop().run_in_executor asyncio.new_event_loop().run_in_executor
    """)
# Run a function or coroutine in the right context and give back its result.
TRANSPARENT_RUNNERS = _set("""
    asyncio.to_thread asyncio.wait_for asyncio.shield asyncio.run asyncio.timeout anyio.to_thread.run_sync anyio.run
    asgiref.sync.sync_to_async asgiref.sync.async_to_sync starlette.concurrency.run_in_threadpool
    langchain_core.runnables.config.run_in_executor contextvars.copy_context().run nest_asyncio.apply functools.partial
    """)

# --- caches (HIL206) and other wrappers
CACHE_DECORATORS = _set("""
    functools.lru_cache functools.cache functools.cached_property cachetools.cached cachetools.func.lru_cache cachetools.func.ttl_cache
    cachetools.func.lfu_cache async_lru.alru_cache joblib.Memory().cache diskcache.Cache().memoize aiocache.cached streamlit.cache_data
    streamlit.cache_resource cashews.cache asyncache.cached beartype.cache
    """)
# Give the function back, to be called later.
PARTIAL = frozenset({"functools.partial", "functools.partialmethod", "asgiref.sync.sync_to_async", "asgiref.sync.async_to_sync"})

# Modules from which `interrupt` is imported by mistake (HIL608): they do not export it.
WRONG_INTERRUPT_MODULES = _set("""
    langgraph.graph langgraph.func langgraph.pregel langgraph.pregel.types langgraph.prebuilt langgraph.prebuilt.interrupt langgraph
    langgraph.constants langgraph.errors langgraph.graph.state langgraph.interrupt langgraph.checkpoint langgraph.config
    langchain.agents.interrupt langchain_core.runnables
    """)

# Payload types that are TypedDicts: "constructing" one gives a dict (HIL602).
TYPED_DICTS = _in("langgraph.prebuilt.interrupt", "HumanInterrupt HumanInterruptConfig ActionRequest HumanResponse") | _in(
    "langchain.agents.middleware.human_in_the_loop", """
    Action ActionRequest ReviewConfig HITLRequest HITLResponse InterruptOnConfig ApproveDecision EditDecision RejectDecision RespondDecision
    """)

# Where the same names are defined or exported again: names | modules that have them, too | the module we call them by.
# What holds the context of a run; typed as `Runtime[Context]`, `ToolRuntime[Context, State]` or made by `get_runtime(Context)`.
RUNTIMES = frozenset({"langgraph.runtime.Runtime()", "langgraph.runtime.get_runtime()", "langgraph.prebuilt.ToolRuntime()",
                      "langchain.tools.ToolRuntime()"})

_SAME = """
    Send Interrupt | langgraph.constants | langgraph.types ;
    Command Interrupt | langgraph.errors | langgraph.types ;
    interrupt | langchain.agents.middleware.human_in_the_loop | langgraph.types ;
    Command Send | langchain.agents.factory langchain.agents.middleware.types langgraph.graph.state langgraph.prebuilt.tool_node |
        langgraph.types ;
    Command Send Interrupt RetryPolicy CachePolicy | langgraph.pregel.types | langgraph.types ;
    StateGraph CompiledStateGraph | langgraph.graph.state | langgraph.graph ;
    MessageGraph MessagesState | langgraph.graph.message | langgraph.graph ;
    START END | langgraph.graph langgraph.graph.graph | langgraph.constants ;
    ToolNode InjectedState InjectedStore tools_condition ToolRuntime | langgraph.prebuilt.tool_node langchain.tools.tool_node
        langchain.agents.tool_node | langgraph.prebuilt ;
    create_react_agent | langgraph.prebuilt.chat_agent_executor | langgraph.prebuilt ;
    create_agent | langchain.agents.factory langchain.agents.react_agent | langchain.agents ;
    create_deep_agent async_create_deep_agent | deepagents.graph | deepagents ;
    get_stream_writer get_store get_config | langgraph.utils.config langgraph.types langgraph.runtime | langgraph.config ;
    tool StructuredTool Tool BaseTool ToolException | langchain.tools langchain.agents langchain.tools.base langchain_community.tools
        langchain_core.tools.convert langchain_core.tools.base langchain_core.tools.structured langchain_core.tools.simple |
        langchain_core.tools ;
    RunnableLambda RunnableGenerator RunnableParallel RunnableSequence Runnable RunnableSerializable chain |
        langchain_core.runnables.base langchain.schema.runnable | langchain_core.runnables ;
    RunnablePassthrough | langchain_core.runnables.passthrough langchain.schema.runnable | langchain_core.runnables ;
    RunnableConfig | langchain_core.runnables.config langchain.schema.runnable | langchain_core.runnables ;
    RunnableBranch | langchain_core.runnables.branch langchain.schema.runnable | langchain_core.runnables ;
    before_agent before_model after_model after_agent wrap_model_call wrap_tool_call dynamic_prompt |
        langchain.agents.middleware.types | langchain.agents.middleware ;
    AgentMiddleware AgentState ModelRequest ModelResponse ToolCallRequest | langchain.agents.middleware.types |
        langchain.agents.middleware ;
    HumanInTheLoopMiddleware | langchain.agents.middleware.human_in_the_loop | langchain.agents.middleware ;
    ToolRetryMiddleware | langchain.agents.middleware.tool_retry | langchain.agents.middleware ;
    ModelRetryMiddleware | langchain.agents.middleware.model_retry | langchain.agents.middleware ;
    ModelFallbackMiddleware | langchain.agents.middleware.model_fallback | langchain.agents.middleware ;
    retry Retrying AsyncRetrying | tenacity.asyncio tenacity._asyncio | tenacity ;
    ThreadPoolExecutor | concurrent.futures.thread | concurrent.futures ;
    ProcessPoolExecutor | concurrent.futures.process | concurrent.futures ;
    ContextThreadPoolExecutor run_in_executor | langchain_core.runnables | langchain_core.runnables.config ;
    run_in_threadpool | fastapi.concurrency | starlette.concurrency ;
    get_client get_sync_client | langgraph_sdk.client | langgraph_sdk ;
    Command | langgraph_sdk | langgraph_sdk.schema ;
    """


def _aliases() -> dict[str, str]:
    out = {
        "langgraph.checkpoint.memory.MemorySaver": "langgraph.checkpoint.memory.InMemorySaver",
        "langchain_core.runnables.RunnableMap": "langchain_core.runnables.RunnableParallel",
        "langchain.schema.runnable.RunnableMap": "langchain_core.runnables.RunnableParallel",
    }
    for entry in _SAME.strip().rstrip(";").split(";"):
        names, modules, ours = entry.split("|")
        out |= {f"{module}.{name}": f"{ours.strip()}.{name}" for name in names.split() for module in modules.split()}
    return out

# Other spellings of the same thing, applied by `canonical`.
ALIASES = _aliases()

# Messages that say what somebody said. A ToolMessage says what was done.
QUOTING_MESSAGES = frozenset({"AIMessage", "HumanMessage", "SystemMessage", "ChatMessage"})
# Words in the keys of a state in which it is written down who said what.
TRANSCRIPTS = frozenset({"messages", "message", "history", "transcript", "conversation", "dialogue", "dialog", "chat", "log", "logs", "trail", "turns", "exchanges"})
