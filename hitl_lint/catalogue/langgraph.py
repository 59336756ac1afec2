"""The names of LangGraph, LangChain and their neighbours that rules look for.

All are paths after `catalogue.canonical`, without the `()` of a call. TRUTH.md section 14 says what exists in which version.
"""

from __future__ import annotations



def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


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
BUBBLE_UP = frozenset({"langgraph.errors.GraphBubbleUp"})
GRAPH_ERRORS = frozenset(f"langgraph.errors.{name}" for name in (
    "GraphBubbleUp", "GraphInterrupt", "NodeInterrupt", "ParentCommand", "GraphDrained", "EmptyInputError", "EmptyChannelError", "GraphRecursionError", "InvalidUpdateError",
    "NodeError", "NodeTimeoutError", "NodeCancelledError", "TaskNotFound", "UnknownInterruptError"))
# Class -> base, for `except` clauses and isinstance tests.
ERROR_BASES = {
    "langgraph.errors.GraphBubbleUp": "Exception",
    "langgraph.errors.GraphInterrupt": "langgraph.errors.GraphBubbleUp",
    "langgraph.errors.NodeInterrupt": "langgraph.errors.GraphInterrupt",
    "langgraph.errors.ParentCommand": "langgraph.errors.GraphBubbleUp",
    "langgraph.errors.GraphDrained": "langgraph.errors.GraphBubbleUp",
    "langgraph.errors.EmptyInputError": "Exception",
}

# --- graphs
STATE_GRAPH = frozenset({"langgraph.graph.StateGraph", "langgraph.graph.MessageGraph"})
START = frozenset({"langgraph.constants.START"})
END = frozenset({"langgraph.constants.END"})
ENTRYPOINT = frozenset({"langgraph.func.entrypoint"})
TASK = frozenset({"langgraph.func.task"})
TOOL_NODE = frozenset({"langgraph.prebuilt.ToolNode"})
REACT_AGENT = frozenset({"langgraph.prebuilt.create_react_agent"})
CREATE_AGENT = frozenset({"langchain.agents.create_agent"})
DEEP_AGENT = frozenset({"deepagents.create_deep_agent", "deepagents.async_create_deep_agent"})
SUPERVISORS = frozenset({"langgraph_supervisor.create_supervisor", "langgraph_swarm.create_swarm"})
AGENT_FACTORIES = REACT_AGENT | CREATE_AGENT | DEEP_AGENT
# Remote graphs: the run is paid and repeated, its pauses do not reach us.
REMOTE_GRAPH = frozenset({"langgraph.pregel.remote.RemoteGraph"})

# Methods of a compiled graph and of any Runnable that run it.
RUN_METHODS = _set("""
    invoke ainvoke stream astream stream_events astream_events astream_log batch abatch batch_as_completed abatch_as_completed transform
    atransform stream_v2 astream_v2
    """)
STATE_METHODS = _set("""
    get_state aget_state get_state_history aget_state_history update_state aupdate_state bulk_update_state abulk_update_state
    """)
BATCH_METHODS = frozenset({"batch", "abatch", "batch_as_completed", "abatch_as_completed"})
STRICT_RESUME_KEY = "__pregel_strict_resume"

SAVERS = _set("""
    langgraph.checkpoint.memory.InMemorySaver langgraph.checkpoint.sqlite.SqliteSaver langgraph.checkpoint.sqlite.aio.AsyncSqliteSaver
    langgraph.checkpoint.postgres.PostgresSaver langgraph.checkpoint.postgres.aio.AsyncPostgresSaver
    langgraph.checkpoint.postgres.ShallowPostgresSaver langgraph.checkpoint.postgres.aio.AsyncShallowPostgresSaver
    langgraph.checkpoint.redis.RedisSaver langgraph.checkpoint.redis.aio.AsyncRedisSaver langgraph.checkpoint.mongodb.MongoDBSaver
    langgraph.checkpoint.mongodb.aio.AsyncMongoDBSaver langgraph.checkpoint.base.BaseCheckpointSaver
    """)
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
_HOOKS = ("before_agent", "before_model", "after_model", "after_agent", "wrap_model_call", "wrap_tool_call", "dynamic_prompt")
MIDDLEWARE_DECORATORS = frozenset(f"langchain.agents.middleware.{name}" for name in _HOOKS)
MIDDLEWARE_METHODS = frozenset(p + name for name in _HOOKS if name != "dynamic_prompt" for p in ("", "a"))
WRAP_METHODS = frozenset({"wrap_model_call", "awrap_model_call", "wrap_tool_call", "awrap_tool_call"})
HITL_MIDDLEWARE = frozenset({"langchain.agents.middleware.HumanInTheLoopMiddleware"})
RETRY_MIDDLEWARE = frozenset(f"langchain.agents.middleware.{name}" for name in ("ToolRetryMiddleware", "ModelRetryMiddleware", "ModelFallbackMiddleware"))
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
# Predicates of tenacity; the first set looks at the type, the second lets everything through.
TENACITY_TYPE_PREDICATES = frozenset(f"tenacity.{n}" for n in (
    "retry_if_exception_type", "retry_if_not_exception_type", "retry_unless_exception_type", "retry_if_exception", "retry_if_exception_message", "retry_if_not_exception_message",
    "retry_if_exception_cause_type"))
# Retries on a result only: an exception is not retried, but reraised as it is.
TENACITY_RESULT_PREDICATES = frozenset({"tenacity.retry_if_result", "tenacity.retry_if_not_result", "tenacity.retry_never"})
RETRY_DECORATORS = _set("""
    tenacity.retry backoff.on_exception retrying.retry retry.retry retry.api.retry stamina.retry retry2.retry retryhttp.retry
    aioretry.retry async_retrying.retry opnieuw.retry redo.retriable pyfailsafe.retry google.api_core.retry.Retry
    google.api_core.retry_async.AsyncRetry httpx_retry.retry tenacity.Retrying().wraps tenacity.AsyncRetrying().wraps
    """)
RETRY_CALLS = _set("""
    retry.api.retry_call retry.retry_call stamina.RetryingCaller stamina.AsyncRetryingCaller redo.retry
    """)
# Retry decorators that take exception types as their first argument (or under these keywords).
RETRY_TYPE_ARGUMENTS = {"backoff.on_exception": (1, "exception"), "stamina.retry": (-1, "on"), "retry.retry": (0, "exceptions"), "retry.api.retry": (0, "exceptions"), "opnieuw.retry": (-1, "retry_on_exceptions"),
                        "retrying.retry": (-1, "retry_on_exception"), "redo.retriable": (-1, "retry_exceptions")}

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
COPY_CONTEXT = frozenset({"contextvars.copy_context"})
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
PARTIAL = frozenset({"functools.partial", "functools.partialmethod"})
WRAPS = frozenset({"functools.wraps", "functools.update_wrapper"})

# --- LangGraph helpers
STREAM_WRITER = frozenset({"langgraph.config.get_stream_writer"})
GET_STORE = frozenset({"langgraph.config.get_store"})
GET_CONFIG = frozenset({"langgraph.config.get_config"})
RETRY_POLICY = frozenset({"langgraph.types.RetryPolicy"})
CACHE_POLICY = frozenset({"langgraph.types.CachePolicy"})
SDK_CLIENTS = frozenset({"langgraph_sdk.get_client", "langgraph_sdk.get_sync_client"})
SDK_RUN_METHODS = frozenset({"wait", "stream", "create", "create_batch", "join", "join_stream"})

# Modules from which `interrupt` is imported by mistake (HIL608): they do not export it.
WRONG_INTERRUPT_MODULES = _set("""
    langgraph.graph langgraph.func langgraph.pregel langgraph.pregel.types langgraph.prebuilt langgraph.prebuilt.interrupt langgraph
    langgraph.constants langgraph.errors langgraph.graph.state langgraph.interrupt langgraph.checkpoint langgraph.config
    langchain.agents.interrupt langchain_core.runnables
    """)

# Payload types that are TypedDicts: "constructing" one gives a dict (HIL602).
TYPED_DICTS = frozenset({
    *(f"langgraph.prebuilt.interrupt.{n}" for n in ("HumanInterrupt", "HumanInterruptConfig", "ActionRequest", "HumanResponse")),
    *(f"langchain.agents.middleware.human_in_the_loop.{n}" for n in ("ActionRequest", "ReviewConfig", "HITLRequest", "HITLResponse", "InterruptOnConfig", "ApproveDecision", "EditDecision", "RejectDecision", "RespondDecision", "Action")),
})


def _aliases() -> dict[str, str]:
    out: dict[str, str] = {}
    for name in ("Send", "Interrupt"):
        out[f"langgraph.constants.{name}"] = f"langgraph.types.{name}"
    for name in ("Command", "Interrupt"):
        out[f"langgraph.errors.{name}"] = f"langgraph.types.{name}"
    for name in ("interrupt", "Command", "Send", "Interrupt"):
        for module in ("langgraph.types", "langchain.agents.middleware.human_in_the_loop", "langchain.agents.factory", "langgraph.pregel.types", "langgraph.graph.state", "langgraph.pregel.main", "langgraph.prebuilt.tool_node",
                       "langgraph.prebuilt.chat_agent_executor"):
            if module != "langgraph.types" and not (name == "interrupt" and module != "langchain.agents.middleware.human_in_the_loop"):
                out[f"{module}.{name}"] = f"langgraph.types.{name}"
    out["langgraph.pregel.types.RetryPolicy"] = "langgraph.types.RetryPolicy"
    for name in ("StateGraph", "CompiledStateGraph"):
        out[f"langgraph.graph.state.{name}"] = f"langgraph.graph.{name}"
    out["langgraph.graph.message.MessageGraph"] = "langgraph.graph.MessageGraph"
    out["langgraph.graph.message.MessagesState"] = "langgraph.graph.MessagesState"
    for name in ("START", "END"):
        out[f"langgraph.graph.{name}"] = f"langgraph.constants.{name}"
    for module in ("tool_node",):
        for name in ("ToolNode", "InjectedState", "InjectedStore", "tools_condition", "ToolRuntime"):
            out[f"langgraph.prebuilt.{module}.{name}"] = f"langgraph.prebuilt.{name}"
    out["langchain.tools.tool_node.ToolNode"] = "langgraph.prebuilt.ToolNode"
    out["langchain.agents.tool_node.ToolNode"] = "langgraph.prebuilt.ToolNode"
    out["langgraph.prebuilt.chat_agent_executor.create_react_agent"] = "langgraph.prebuilt.create_react_agent"
    out["langchain.agents.factory.create_agent"] = "langchain.agents.create_agent"
    out["langchain.agents.react_agent.create_agent"] = "langchain.agents.create_agent"
    out["deepagents.graph.create_deep_agent"] = "deepagents.create_deep_agent"
    out["deepagents.graph.async_create_deep_agent"] = "deepagents.async_create_deep_agent"
    out["langgraph.checkpoint.memory.MemorySaver"] = "langgraph.checkpoint.memory.InMemorySaver"
    for name in ("get_stream_writer", "get_store", "get_config"):
        for module in ("langgraph.utils.config", "langgraph.types", "langgraph.runtime"):
            out[f"{module}.{name}"] = f"langgraph.config.{name}"
    for module in ("langchain.tools", "langchain.agents", "langchain_core.tools.convert", "langchain_core.tools.base", "langchain_core.tools.structured", "langchain_core.tools.simple", "langchain.tools.base", "langchain_community.tools"):
        for name in ("tool", "StructuredTool", "Tool", "BaseTool", "ToolException"):
            out[f"{module}.{name}"] = f"langchain_core.tools.{name}"
    for module in ("base", "passthrough", "config", "branch"):
        for name in ("RunnableLambda", "RunnableGenerator", "RunnableParallel", "RunnablePassthrough", "RunnableSequence", "Runnable", "RunnableSerializable", "chain", "RunnableConfig", "RunnableBranch"):
            out[f"langchain_core.runnables.{module}.{name}"] = f"langchain_core.runnables.{name}"
    for name in ("RunnableLambda", "RunnableParallel", "RunnablePassthrough", "RunnableSequence", "RunnableMap"):
        out[f"langchain.schema.runnable.{name}"] = f"langchain_core.runnables.{name}"
    out["langchain_core.runnables.RunnableMap"] = "langchain_core.runnables.RunnableParallel"
    for name in _HOOKS:
        out[f"langchain.agents.middleware.types.{name}"] = f"langchain.agents.middleware.{name}"
    for name in ("AgentMiddleware", "AgentState", "ModelRequest", "ModelResponse", "ToolCallRequest"):
        out[f"langchain.agents.middleware.types.{name}"] = f"langchain.agents.middleware.{name}"
    out["langchain.agents.middleware.human_in_the_loop.HumanInTheLoopMiddleware"] = "langchain.agents.middleware.HumanInTheLoopMiddleware"
    for name, module in (("ToolRetryMiddleware", "tool_retry"), ("ModelRetryMiddleware", "model_retry"), ("ModelFallbackMiddleware", "model_fallback")):
        out[f"langchain.agents.middleware.{module}.{name}"] = f"langchain.agents.middleware.{name}"
    for name in ("retry", "Retrying"):
        out[f"tenacity.asyncio.{name}"] = f"tenacity.{name}"
    out["tenacity.asyncio.AsyncRetrying"] = "tenacity.AsyncRetrying"
    out["tenacity._asyncio.AsyncRetrying"] = "tenacity.AsyncRetrying"
    for name in ("ThreadPoolExecutor", "ProcessPoolExecutor"):
        module = "thread" if name.startswith("Thread") else "process"
        out[f"concurrent.futures.{module}.{name}"] = f"concurrent.futures.{name}"
    out["langchain_core.runnables.ContextThreadPoolExecutor"] = "langchain_core.runnables.config.ContextThreadPoolExecutor"
    out["langchain_core.runnables.run_in_executor"] = "langchain_core.runnables.config.run_in_executor"
    out["fastapi.concurrency.run_in_threadpool"] = "starlette.concurrency.run_in_threadpool"
    out["langgraph_sdk.client.get_client"] = "langgraph_sdk.get_client"
    out["langgraph_sdk.client.get_sync_client"] = "langgraph_sdk.get_sync_client"
    out["langgraph_sdk.Command"] = "langgraph_sdk.schema.Command"
    return out


# Other spellings of the same thing, applied by `canonical`.
ALIASES = _aliases()
