"""Small programs in which a pause is caught, diverted, lost or gets through, each with a function `node` that a graph runs.

`# 201`, `# 202`, `# 204` on a line: this finding must stand there; `# 202w`: as a warning. A program without a mark pauses as it should;
one with a mark other than `202w` does not. test_signals.py checks both: what the linter says, and what LangGraph does.
"""

from __future__ import annotations

HEAD = '''
import asyncio, contextlib, contextvars, functools, inspect, logging, sys, threading, time, traceback
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any, TypedDict

from langgraph.errors import GraphBubbleUp, GraphInterrupt
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt

log = logging.getLogger(__name__)
POOL = ThreadPoolExecutor()

class State(TypedDict, total=False):
    a: Any

def ask(q="?"):
    return interrupt(q)

async def aask(q="?"):
    return interrupt(q)

async def other():
    return 1
'''

FOOT = '''

def build(checkpointer=None):
    return StateGraph(State).add_node("node", node).add_edge(START, "node").compile(checkpointer=checkpointer)
'''

CAUGHT = {
    "handler_logs_and_raises": '''
def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        log.exception("failed: %s", e)
        raise
''',
    "handler_logs_and_raises_by_name": '''
def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        log.exception("failed")
        raise e from None
''',
    "raise_in_both_branches": '''
def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        if state.get("strict"):
            log.error("strict")
            raise
        else:
            raise e
''',
    "raise_in_one_branch_of_an_unrelated_test": '''
def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception:
        if state.get("strict"):
            raise
        return {"a": None}
''',
    "module_of_the_type": '''
def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        if type(e).__module__.startswith("langgraph"):
            raise
        return {"a": None}
''',
    "module_of_the_type_the_wrong_way_round": '''
def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception as e:
        if not type(e).__module__.startswith("langgraph"):
            raise
        return {"a": None}
''',
    "name_of_the_class_kept_in_a_variable": '''
def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        kind = e.__class__.__name__
        if kind in ("GraphInterrupt", "NodeInterrupt"):
            raise
        return {"a": kind}
''',
    "other_name_of_the_class": '''
def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception as e:
        if e.__class__.__name__ == "ValidationError":
            raise
        return {"a": None}
''',
    "classes_of_the_lineage": '''
def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        if any(c.__name__ == "GraphBubbleUp" for c in type(e).__mro__):
            raise
        return {"a": None}
''',
    "text_of_the_exception": '''
def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        if "Interrupt(" in str(e):
            raise
        return {"a": None}
''',
    "text_of_another_exception": '''
def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception as e:
        if "rate limit" in str(e).lower():
            raise
        return {"a": None}
''',
    "exc_info": '''
def node(state):
    try:
        return {"a": ask()}
    except:
        kind, value, tb = sys.exc_info()
        if isinstance(value, GraphInterrupt):
            raise
        return {"a": None}
''',
    "exc_info_of_another_kind": '''
def node(state):
    try:
        return {"a": ask()}  # 201
    except:
        if sys.exc_info()[0] is KeyboardInterrupt:
            raise
        return {"a": None}
''',
    "traceback_is_printed": '''
def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception:
        traceback.print_exc()
        return {"a": traceback.format_exc()}
''',
    "helper_raises_pauses_again": '''
def reraise_control_flow(exc):
    if isinstance(exc, GraphBubbleUp):
        raise exc

def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        reraise_control_flow(e)
        return {"a": None}
''',
    "helper_raises_the_current_exception": '''
def pass_on():
    if isinstance(sys.exc_info()[1], (GraphBubbleUp, KeyboardInterrupt)):
        raise

def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        pass_on()
        log.error("%s", e)
        return {"a": None}
''',
    "helper_raises_only_others": '''
def check(exc):
    if isinstance(exc, ValueError):
        raise exc
    log.error("%s", exc)

def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception as e:
        check(e)
        return {"a": None}
''',
    "predicate": '''
CONTROL_FLOW = (GraphBubbleUp,)

def is_fatal(exc) -> bool:
    return isinstance(exc, CONTROL_FLOW) or isinstance(exc, MemoryError)

def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        if is_fatal(e):
            raise
        return {"a": None}
''',
    "predicate_about_others": '''
def is_fatal(exc) -> bool:
    if isinstance(exc, (MemoryError, RecursionError)):
        return True
    return "quota" in str(exc)

def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception as e:
        if is_fatal(e):
            raise
        return {"a": None}
''',
    "predicate_of_the_type": '''
def keeps(kind: type) -> bool:
    return issubclass(kind, GraphBubbleUp)

def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        if keeps(type(e)):
            raise
        return {"a": None}
''',
    "match_of_the_exception": '''
def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        match e:
            case ValueError() | TypeError():
                return {"a": None}
            case GraphBubbleUp():
                raise
            case _:
                return {"a": str(e)}
''',
    "match_without_the_pause": '''
def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception as e:
        match e:
            case ValueError():
                raise
            case _:
                return {"a": str(e)}
''',
    "kept_and_raised_after_the_try": '''
def node(state):
    error = None
    answer = None
    try:
        answer = ask()
    except Exception as e:
        error = e
    log.info("done")
    if error is not None:
        raise error
    return {"a": answer}
''',
    "kept_and_returned_after_the_try": '''
def node(state):
    error = answer = None
    try:
        answer = ask()  # 201
    except Exception as e:
        error = e
    if error is not None:
        return {"a": str(error)}
    return {"a": answer}
''',
    "kept_and_another_raised_after_the_try": '''
def node(state):
    failed = False
    try:
        answer = ask()  # 201
    except Exception:
        failed = True
    if failed:
        raise RuntimeError("no answer")
    return {"a": answer}
''',
    "same_class_again": '''
def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        raise type(e)(*e.args).with_traceback(e.__traceback__)
''',
    "wrapped_into_another_exception": '''
class NodeFailed(Exception):
    pass

def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception as e:
        raise NodeFailed(f"ask failed: {e}") from e
''',
    "converted_by_a_helper": '''
class NodeFailed(Exception):
    pass

def fail(e):
    raise NodeFailed(str(e)) from e

def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception as e:
        fail(e)
''',
    "cleanup_in_the_handler_may_fail": '''
def close():
    log.info("closed")

def node(state):
    try:
        return {"a": ask()}
    except Exception:
        try:
            close()
        except OSError:
            pass
        raise
''',
    "raised_inside_another_try_of_the_handler": '''
def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception:
        try:
            raise
        except Exception as again:
            log.error("%s", again)
        return {"a": None}
''',
    "tuple_in_a_constant": '''
TRANSIENT = (TimeoutError, ConnectionError)
ANY = TRANSIENT + (Exception,)

def node(state):
    try:
        first = ask()
    except TRANSIENT:
        first = None
    return {"a": first}
''',
    "tuple_with_exception_in_a_constant": '''
TRANSIENT = (TimeoutError, ConnectionError)
ANY = TRANSIENT + (Exception,)

def node(state):
    try:
        return {"a": ask()}  # 201
    except ANY:
        return {"a": None}
''',
    "name_that_may_not_be_importable": '''
try:
    from langgraph.errors import GraphInterrupt as Pause
except ImportError:
    Pause = None

def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        if Pause is not None and isinstance(e, Pause):
            raise
        return {"a": None}
''',
    "attribute_that_a_pause_does_not_have": '''
def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception as e:
        if getattr(e, "status_code", None) == 400:
            raise
        return {"a": None}
''',
    "unknown_predicate_of_a_library": '''
from somelib.errors import worth_raising

def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        if worth_raising(e):
            raise
        return {"a": None}
''',
    "loop_of_attempts_that_raises_the_last": '''
def node(state):
    for attempt in range(3):
        try:
            return {"a": ask()}  # 202w
        except Exception:
            if attempt == 2:
                raise
            time.sleep(0)
''',
    "loop_of_attempts_with_a_counter": '''
def node(state):
    attempt = 0
    while attempt < 3:
        try:
            return {"a": ask()}  # 202w
        except Exception as e:
            attempt += 1
            if attempt >= 3:
                raise e
''',
    "loop_of_attempts_that_raises_what_it_kept": '''
def node(state):
    last = None
    for attempt in range(3):
        try:
            return {"a": ask()}  # 202w
        except Exception as e:
            last = e
    raise last
''',
    "loop_of_attempts_that_gives_up": '''
def node(state):
    for attempt in range(3):
        try:
            return {"a": ask()}  # 201
        except Exception:
            log.warning("attempt %s", attempt)
    return {"a": None}
''',
    "loop_of_attempts_that_raises_another": '''
def node(state):
    for attempt in range(3):
        try:
            return {"a": ask()}  # 201
        except Exception:
            continue
    raise RuntimeError("three attempts")
''',
    "loop_that_leaves_pauses_alone": '''
def node(state):
    for attempt in range(3):
        try:
            return {"a": ask()}
        except GraphBubbleUp:
            raise
        except Exception:
            continue
    return {"a": None}
''',
    "outer_try_of_the_same_function": '''
def node(state):
    try:
        try:
            return {"a": ask()}  # 201
        except Exception:
            raise
    except BaseException:
        return {"a": None}
''',
    "except_star_raises_a_group": '''
def node(state):
    try:
        return {"a": ask()}  # 201
    except* Exception:
        raise
''',
    "except_star_takes_it_out_again": '''
def node(state):
    try:
        return {"a": ask()}
    except* GraphBubbleUp as group:
        raise group.exceptions[0]
''',
    "coroutine_made_in_the_try_awaited_outside": '''
async def node(state):
    try:
        work = aask()
    except Exception:
        return {"a": None}
    return {"a": await work}
''',
    "coroutine_made_outside_awaited_in_the_try": '''
async def node(state):
    work = aask()  # 201
    try:
        return {"a": await work}
    except Exception:
        return {"a": None}
''',
    "tasks_gathered_in_the_try": '''
async def node(state):
    tasks = []
    tasks.append(asyncio.create_task(aask()))  # 201
    tasks.append(asyncio.create_task(other()))
    try:
        first, second = await asyncio.gather(*tasks)
    except Exception:
        first = None
    return {"a": first}
''',
    "generator_iterated_outside_the_try": '''
def answers():
    yield ask()

def node(state):
    try:
        stream = answers()
    except Exception:
        return {"a": None}
    return {"a": list(stream)}
''',
    "timeout_only": '''
async def node(state):
    try:
        return {"a": await asyncio.wait_for(aask(), 5)}
    except asyncio.TimeoutError:
        return {"a": None}
''',
    "caller_of_a_caller": '''
def inner(q):
    log.info(q)
    return ask(q)

def middle(q):
    return inner(q)

def node(state):
    try:
        return {"a": middle("?")}  # 201
    except Exception as e:
        return {"a": str(e)}
''',
    "swallowed_below_nothing_to_say_above": '''
def inner():
    try:
        return ask()  # 201
    except Exception:
        return None

def node(state):
    try:
        return {"a": inner()}
    except Exception:
        return {"a": None}
''',
    "method_of_an_object": '''
class Gate:
    def __init__(self, label):
        self.label = label

    def confirm(self):
        return interrupt(self.label)

class Desk:
    def __init__(self):
        self.gate = Gate("open?")

    def run(self):
        try:
            return self.gate.confirm()  # 201
        except Exception as e:
            return str(e)

desk = Desk()

def node(state):
    return {"a": desk.run()}
''',
    "lambda_node_guard": '''
def safe(fn, default=None):
    try:
        return fn()  # 201
    except Exception:
        return default

def node(state):
    return {"a": safe(lambda: ask())}
''',
    "safe_call_helper": '''
def safe_call(fn, *args):
    try:
        return fn(*args)  # 201
    except Exception as e:
        return str(e)

def node(state):
    return {"a": safe_call(ask, "?")}
''',
    "async_safe_call_helper": '''
async def safe_call(coro):
    try:
        return await coro
    except Exception as e:
        return str(e)

async def node(state):
    return {"a": await safe_call(aask())}  # 201
''',
    "handler_continue": '''
def node(state):
    out = []
    for q in "ab":
        try:
            out.append(ask(q))  # 201
        except Exception as e:
            out.append(str(e))
            continue
    return {"a": out}
''',
    "while_true_until_valid": '''
def node(state):
    while True:
        answer = ask()
        try:
            return {"a": int(answer)}
        except Exception:
            continue
''',
    "conditional_reraise_bool": '''
RERAISE = True
def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        if RERAISE:
            raise
        return {"a": None}
''',
    "raise_if_debug": '''
import os
DEBUG = bool(os.environ.get("DEBUG_XYZ"))
def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception as e:
        if DEBUG:
            raise
        return {"a": None}
''',
    "not_isinstance_valueerror": '''
def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        if not isinstance(e, (ValueError, KeyError)):
            raise
        return {"a": None}
''',
    "handler_else": '''
def node(state):
    try:
        x = 1
    except Exception:
        x = 2
    else:
        x = ask()
    return {"a": x}
''',
    "inherit_node_base": '''
class BaseNode:
    def run(self, state):
        raise NotImplementedError
    def __call__(self, state):
        try:
            return self.run(state)  # 201
        except Exception as e:
            return {"a": str(e)}
class Approve(BaseNode):
    def run(self, state):
        return {"a": ask()}
node = Approve()
''',
    "nested_fn_swallow": '''
def node(state):
    def inner():
        try:
            return ask()  # 201
        except Exception:
            return None
    return {"a": inner()}
''',
    "map_lazy": '''
def node(state):
    try:
        answers = map(ask, ["?"])
    except Exception:
        return {"a": None}
    return {"a": list(answers)}
''',
    "log_and_raise_custom_subclass": '''
class MyPause(GraphInterrupt):
    pass
def node(state):
    try:
        return {"a": ask()}
    except GraphInterrupt as e:
        raise MyPause(e.args[0]) from e
''',
    "executor_result_swallowed": '''
def node(state):
    with ThreadPoolExecutor(max_workers=2) as ex:
        fut = ex.submit(contextvars.copy_context().run, ask, "q")  # 201
        try:
            out = fut.result()
        except Exception as e:
            out = str(e)
    return {"a": out}
''',
    "wait_for_swallow": '''
async def node(state):
    try:
        return {"a": await asyncio.wait_for(aask(), timeout=3)}  # 201
    except (asyncio.TimeoutError, Exception):
        return {"a": "timeout"}
''',
    "assert_in_handler": '''
def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        assert isinstance(e, GraphBubbleUp), e
        raise
''',
    "ifexp_reraise": '''
def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        bubble = True if isinstance(e, GraphBubbleUp) else False
        if bubble:
            raise
        return {"a": None}
''',
    "logging_ctx_helper_reraise": '''
def handle(e, *, reraise=True):
    log.error("%s", e)
    if reraise:
        raise e

def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        handle(e)
''',
    "logging_ctx_helper_no_reraise": '''
def handle(e, *, reraise=True):
    log.error("%s", e)
    if reraise:
        raise e

def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception as e:
        handle(e, reraise=False)
        return {"a": 1}
''',
    "method_handler": '''
class Node:
    def on_error(self, e):
        if isinstance(e, GraphInterrupt):
            raise e
        return {"a": str(e)}
    def __call__(self, state):
        try:
            return {"a": ask()}
        except Exception as e:
            return self.on_error(e)
node = Node()
''',
    "graph_nested_in_try": '''
inner = StateGraph(State).add_node("i", lambda s: {"a": ask()}).add_edge(START, "i").compile()
def node(state):
    try:
        return inner.invoke(state)  # 201
    except Exception as e:
        return {"a": str(e)}
''',
    "graph_nested_stream": '''
inner = StateGraph(State).add_node("i", lambda s: {"a": ask()}).add_edge(START, "i").compile()
async def node(state):
    try:
        async for chunk in inner.astream(state):  # 201
            log.info("%s", chunk)
    except Exception as e:
        return {"a": str(e)}
    return {"a": 1}
''',
    "async_one_swallows": '''
async def one(sem, q):
    async with sem:
        try:
            return await aask(q)  # 201
        except Exception as e:
            return str(e)
async def node(state):
    sem = asyncio.Semaphore(2)
    return {"a": await asyncio.gather(*[one(sem, q) for q in "a"])}
''',
    "else_pause_outer_try": '''
def node(state):
    try:
        try:
            x = 1
        except ValueError:
            x = 2
        else:
            x = ask()  # 201
    except Exception:
        x = 3
    return {"a": x}
''',
    "handler_pause_outer_try": '''
def node(state):
    try:
        try:
            raise ValueError
        except ValueError:
            x = ask()  # 201
    except Exception:
        x = 3
    return {"a": x}
''',
    "raise_system_exit": '''
def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception:
        raise SystemExit(1)
''',
    "sys_exit": '''
def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception:
        sys.exit(1)
''',
    "two_pauses_one_try": '''
def node(state):
    try:
        a = ask("1")  # 201
        b = ask("2")  # 201
        return {"a": [a, b]}
    except Exception:
        return {"a": None}
''',
    "raise_from_same": '''
def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        raise e from e.__cause__
''',
    "swallow_if_not_bubble_via_or": '''
def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        if isinstance(e, GraphBubbleUp) or isinstance(e, KeyboardInterrupt):
            raise
        return {"a": None}
''',
    "swallow_and": '''
def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception as e:
        if isinstance(e, GraphBubbleUp) and isinstance(e, ValueError):
            raise
        return {"a": None}
''',
    "and_strict": '''
def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception as e:
        if isinstance(e, GraphBubbleUp) and state.get("strict"):
            raise
        return {"a": None}
''',
    "tool_invoke_try": '''
from langchain_core.tools import tool
@tool
def confirm(q: str) -> str:
    """Ask."""
    return interrupt(q)
TOOLS = {"confirm": confirm}
def node(state):
    try:
        return {"a": TOOLS["confirm"].invoke({"q": "?"})}  # 201
    except Exception as e:
        return {"a": f"Error: {e}"}
''',
    "tool_ainvoke_loop": '''
from langchain_core.tools import tool
@tool
async def confirm(q: str) -> str:
    """Ask."""
    return interrupt(q)
async def node(state):
    out = []
    for t in [confirm]:
        try:
            out.append(await t.ainvoke({"q": "?"}))  # 201
        except Exception as e:
            out.append(str(e))
    return {"a": out}
''',
    "class_node_methods": '''
class Nodes:
    def __init__(self):
        self.log = log
    def safe(self, step, state):
        try:
            return step(state)  # 201
        except Exception as e:
            self.log.error("%s", e)
            return {"a": None}
    def approve(self, state):
        return {"a": ask()}
    def run(self, state):
        return self.safe(self.approve, state)
node = Nodes().run
''',
    "partial_node": '''
def approve(state, *, label):
    try:
        return {"a": ask(label)}  # 201
    except Exception:
        return {"a": None}
node = functools.partial(approve, label="x")
''',
    "to_thread_in_try": '''
async def node(state):
    try:
        return {"a": await asyncio.to_thread(ask, "q")}  # 201
    except Exception as e:
        return {"a": str(e)}
''',
    "tool_with_own_try": '''
from langchain_core.tools import tool
@tool
def confirm(q: str) -> str:
    """Ask."""
    try:
        return interrupt(q)  # 201
    except Exception as e:
        return f"Error: {e}"
def node(state):
    return {"a": confirm.invoke({"q": "?"})}
''',
    "import_alias": '''
import langgraph.types as lt
from langgraph.types import interrupt as pause_for_human
def node(state):
    try:
        return {"a": [lt.interrupt("1"), pause_for_human("2")]}  # 201 # 201
    except Exception as e:
        return {"a": str(e)}
''',
    "compat_interrupt": '''
try:
    from langgraph.types import interrupt as lg_interrupt
except ImportError:
    lg_interrupt = None
def node(state):
    if lg_interrupt is None:
        return {"a": None}
    try:
        return {"a": lg_interrupt("?")}  # 201
    except Exception:
        return {"a": None}
''',
    "local_import": '''
def node(state):
    try:
        from langgraph.types import interrupt as stop
        return {"a": stop("?")}  # 201
    except Exception:
        return {"a": None}
''',
    "local_import_error_only": '''
def node(state):
    try:
        from langgraph.types import interrupt as stop
    except ImportError:
        return {"a": None}
    return {"a": stop("?")}
''',
    "subgraph_attr_gather": '''
inner = StateGraph(State).add_node("i", lambda s: {"a": ask()}).add_edge(START, "i").compile()
class Team:
    def __init__(self, graph):
        self.graph = graph
    async def run(self, state):
        try:
            return await self.graph.ainvoke(state)  # 201
        except Exception as e:
            log.error("%s", e)
            return {"a": None}
team = Team(inner)
async def node(state):
    return await team.run(state)
''',
    "entry_task_result_try": '''
from langgraph.func import task
@task
def confirm(q):
    return interrupt(q)
def node(state):
    fut = confirm("?")  # 201
    try:
        return {"a": fut.result()}
    except Exception as e:
        return {"a": str(e)}
''',
    "entry_task_made_in_try": '''
from langgraph.func import task
@task
def confirm(q):
    return interrupt(q)
def node(state):
    try:
        fut = confirm("?")
    except Exception as e:
        return {"a": str(e)}
    return {"a": fut.result()}
''',
    "async_generator_consumed": '''
async def answers():
    for q in "a":
        yield await aask(q)
async def node(state):
    out = []
    try:
        async for x in answers():  # 201
            out.append(x)
    except Exception as e:
        log.error("%s", e)
    return {"a": out}
''',
    "async_comprehension": '''
async def answers():
    for q in "a":
        yield await aask(q)
async def node(state):
    return {"a": [x async for x in answers()]}
''',
    "generator_yield_from": '''
def one():
    yield ask()
def both():
    yield from one()
def node(state):
    try:
        return {"a": list(both())}  # 201
    except Exception:
        return {"a": None}
''',
    "property_pause": '''
class Desk:
    @property
    def answer(self):
        return interrupt("?")
def node(state):
    try:
        return {"a": Desk().answer}
    except ValueError:
        return {"a": None}
''',
    "result_object": '''
class Result:
    def __init__(self, value=None, error=None):
        self.value, self.error = value, error
    def unwrap(self):
        if self.error:
            raise self.error
        return self.value
def attempt(fn):
    try:
        return Result(value=fn())
    except Exception as e:
        return Result(error=e)
def node(state):
    return {"a": attempt(ask).unwrap()}
''',
    "error_state_list": '''
def node(state):
    errors = []
    answer = None
    try:
        answer = ask()
    except Exception as e:
        errors.append(e)
    if errors:
        raise errors[0]
    return {"a": answer}
''',
    "error_in_dict": '''
def node(state):
    box = {}
    try:
        box["a"] = ask()
    except Exception as e:
        box["error"] = e
    if "error" in box:
        raise box["error"]
    return {"a": box["a"]}
''',
    "another_exception_only_for_what_a_library_says": '''
from somelib.errors import is_conflict

class Conflict(Exception):
    pass

def node(state):
    try:
        return {"a": ask()}
    except Exception as e:
        if is_conflict(e):
            raise Conflict() from e
        raise
''',
    "another_exception_when_the_cleanup_conflicts": '''
def roll_back(state) -> bool:
    return bool(state.get("conflict"))

def node(state):
    try:
        return {"a": ask()}
    except BaseException as e:
        if roll_back(state):
            raise RuntimeError("not rolled back") from e
        raise
''',
    "known_errors_pass_the_rest_is_converted": '''
class NodeFailed(Exception):
    pass

def node(state):
    try:
        return {"a": ask()}  # 201
    except Exception as e:
        if isinstance(e, (NodeFailed, ValueError)):
            raise
        raise NodeFailed(str(e)) from e
''',
    "each_of_several_may_want_to_fail": '''
class Step:
    strict = False

    def run(self):
        return ask()

def node(state):
    for step in [Step()]:
        try:
            step.run()  # 201
        except Exception as e:
            log.error("%s", e)
            if step.strict:
                raise
    return {"a": None}
''',
    "agent_tool_calls_graph": '''
inner = StateGraph(State).add_node("i", lambda s: {"a": ask()}).add_edge(START, "i").compile()
from langchain_core.tools import tool
@tool
def run_inner(q: str) -> str:
    """Run."""
    try:
        return str(inner.invoke({}))  # 201
    except Exception as e:
        return f"failed {e}"
def node(state):
    return {"a": run_inner.invoke({"q": "x"})}
''',
    "graph_call_config_reraise": '''
inner = StateGraph(State).add_node("i", lambda s: {"a": ask()}).add_edge(START, "i").compile()
def node(state, config=None):
    try:
        result = inner.invoke(state, config)
    except GraphInterrupt:
        raise
    except Exception as e:
        result = {"a": str(e)}
    return result
''',
    "retry_helper_async": '''
async def with_retry(fn, attempts=3):
    for i in range(attempts):
        try:
            return await fn()  # 202w
        except Exception as e:
            if i == attempts - 1:
                raise
            await asyncio.sleep(0)
async def node(state):
    return {"a": await with_retry(lambda: aask())}
''',
    "retry_helper_passes_error_types": '''
async def with_retry(fn, attempts=3, on=(ConnectionError,)):
    for i in range(attempts):
        try:
            return await fn()
        except on as e:
            if i == attempts - 1:
                raise
            await asyncio.sleep(0)
async def node(state):
    return {"a": await with_retry(aask)}
''',
    "retry_while_true_counter": '''
def node(state):
    tries = 0
    while True:
        try:
            return {"a": ask()}  # 202w
        except Exception:
            tries += 1
            if tries > 2:
                raise
''',
    "retry_for_else_raise": '''
def node(state):
    error = None
    for _ in range(2):
        try:
            answer = ask()  # 202w
            break
        except Exception as e:
            error = e
    else:
        raise error
    return {"a": answer}
''',
    "fallback_chain_of_functions": '''
def first(state):
    return ask()
def second(state):
    return "second"
def node(state):
    for fn in (first, second):
        try:
            return {"a": fn(state)}  # 201
        except Exception:
            continue
    return {"a": None}
''',
    "errors_collected_then_raised": '''
def node(state):
    errors = []
    answers = []
    for q in ["a"]:
        try:
            answers.append(ask(q))
        except ValueError as e:
            errors.append(e)
    if errors:
        raise errors[0]
    return {"a": answers}
''',
    "go_style": '''
def attempt():
    try:
        return ask(), None  # 201
    except Exception as e:
        return None, e
def node(state):
    value, err = attempt()
    if err:
        log.error("%s", err)
        return {"a": None}
    return {"a": value}
''',
    "go_style_raises": '''
def attempt():
    try:
        return ask(), None
    except Exception as e:
        return None, e
def node(state):
    value, err = attempt()
    if err:
        raise err
    return {"a": value}
''',
    "handler_in_caller_of_generator": '''
def steps():
    yield "a"
    yield ask()
def node(state):
    out = []
    try:
        for s in steps():  # 201
            out.append(s)
    except Exception as e:
        out.append(str(e))
    return {"a": out}
''',
    "async_ctx_timeout": '''
async def node(state):
    try:
        async with asyncio.timeout(5):
            return {"a": await aask()}
    except TimeoutError:
        return {"a": None}
''',
    "gather_first_then_catch": '''
async def node(state):
    try:
        a, b = await asyncio.gather(aask(), other())  # 201
    except Exception as e:
        return {"a": str(e)}
    return {"a": a}
''',
    "as_completed_swallow": '''
async def node(state):
    out = []
    for c in asyncio.as_completed([aask(), other()]):  # 201
        try:
            out.append(await c)
        except Exception as e:
            out.append(str(e))
    return {"a": out}
''',
    "wait_results_swallow": '''
async def node(state):
    tasks = [asyncio.create_task(aask())]  # 201
    done, _ = await asyncio.wait(tasks)
    out = []
    for t in done:
        try:
            out.append(t.result())
        except Exception as e:
            out.append(str(e))
    return {"a": out}
''',
}

DIVERTED = {
    "exit_stack_enters_suppress": '''
def node(state):
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.suppress(Exception))
        return {"a": ask()}  # 202
    return {"a": None}
''',
    "exit_stack_with_a_narrow_suppress": '''
def node(state):
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.suppress(FileNotFoundError))
        stack.callback(log.info, "bye")
        return {"a": ask()}
''',
    "exit_stack_pushed_callback": '''
def swallow(kind, value, tb):
    return True

def node(state):
    with contextlib.ExitStack() as stack:
        stack.push(swallow)
        return {"a": ask()}  # 202
    return {"a": None}
''',
    "exit_stack_filled_after_the_pause": '''
def node(state):
    with contextlib.ExitStack() as stack:
        answer = ask()
        stack.enter_context(contextlib.suppress(Exception))
        return {"a": answer}
''',
    "suppress_kept_in_a_name": '''
quiet = contextlib.suppress(Exception)

def node(state):
    with quiet:
        return {"a": ask()}  # 202
    return {"a": None}
''',
    "suppress_of_a_factory": '''
def quietly():
    return contextlib.suppress(Exception)

def node(state):
    with quietly():
        return {"a": ask()}  # 202
    return {"a": None}
''',
    "exit_returns_whether_there_was_an_error": '''
class Quiet:
    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc, tb):
        return exc_type is not None

def node(state):
    with Quiet():
        return {"a": ask()}  # 202
    return {"a": None}
''',
    "exit_swallows_every_exception_by_type": '''
class Quiet:
    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc, tb):
        if exc_type and issubclass(exc_type, Exception):
            log.error("%s", exc)
            return True
        return False

def node(state):
    with Quiet():
        return {"a": ask()}  # 202
    return {"a": None}
''',
    "exit_swallows_one_type": '''
class Missing:
    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc, tb):
        if exc_type is None:
            return True
        if isinstance(exc, FileNotFoundError):
            return True
        return False

def node(state):
    with Missing():
        return {"a": ask()}
''',
    "exit_lets_control_flow_through": '''
class Reporter:
    def __enter__(self):
        return self

    def __exit__(self, *exc):
        if exc[0] is None or issubclass(exc[0], GraphBubbleUp):
            return False
        log.error("%s", exc[1])
        return True

def node(state):
    with Reporter():
        return {"a": ask()}
''',
    "async_exit_swallows": '''
class Quiet:
    async def __aenter__(self):
        return self

    async def __aexit__(self, kind, value, tb):
        return True

async def node(state):
    async with Quiet():
        return {"a": await aask()}  # 202
    return {"a": None}
''',
    "manager_that_raises_pauses_again": '''
@contextlib.contextmanager
def guarded():
    try:
        yield
    except Exception as e:
        if isinstance(e, GraphBubbleUp):
            raise
        log.error("%s", e)

def node(state):
    with guarded():
        return {"a": ask()}
''',
    "manager_around_another": '''
@contextlib.contextmanager
def guarded():
    with contextlib.suppress(Exception):
        yield

def node(state):
    with guarded():
        return {"a": ask()}  # 202
    return {"a": None}
''',
    "async_manager_swallows": '''
@contextlib.asynccontextmanager
async def guarded():
    try:
        yield
    except Exception as e:
        log.error("%s", e)

async def node(state):
    async with guarded():
        return {"a": await aask()}  # 202
    return {"a": None}
''',
    "manager_as_a_decorator": '''
@contextlib.contextmanager
def guarded():
    try:
        yield
    except Exception as e:
        log.error("%s", e)

@guarded()
def node(state):
    return {"a": ask()}  # 202
''',
    "class_as_a_decorator_and_manager": '''
class Guard(contextlib.ContextDecorator):
    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return True

@Guard()
def node(state):
    return {"a": ask()}  # 202
''',
    "finally_with_loops_of_its_own": '''
def node(state):
    try:
        return {"a": ask()}
    finally:
        for x in range(3):
            if x == 1:
                break
        else:
            log.info("none")
        while True:
            break
''',
    "finally_break_of_an_outer_loop": '''
def node(state):
    for x in range(3):
        try:
            return {"a": ask()}  # 202
        finally:
            break
    return {"a": None}
''',
    "finally_break_in_the_else_of_its_loop": '''
def node(state):
    for x in range(3):
        try:
            return {"a": ask()}  # 202
        finally:
            for y in range(2):
                log.info("%s", y)
            else:
                break
    return {"a": None}
''',
    "finally_raises_only_when_the_cleanup_fails": '''
def node(state):
    try:
        return {"a": ask()}
    finally:
        try:
            log.info("close")
        except OSError as e:
            raise RuntimeError("not closed") from e
''',
    "decorator_with_arguments": '''
def guarded(default=None):
    def decorate(fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            try:
                return fn(*args, **kwargs)
            except Exception:
                return default
        return wrapper
    return decorate

@guarded(default={})
def node(state):
    return {"a": ask()}  # 202
''',
    "decorator_told_which_types": '''
def catching(*types, default=None):
    def decorate(fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            try:
                return fn(*args, **kwargs)
            except types:
                return default
        return wrapper
    return decorate

@catching(ValueError, KeyError, default={})
def node(state):
    return {"a": ask()}
''',
    "decorator_told_exception": '''
def catching(types=(ValueError,), default=None):
    def decorate(fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            try:
                return fn(*args, **kwargs)
            except types:
                return default
        return wrapper
    return decorate

@catching(types=(ValueError,), default={})
def first(state):
    return {"a": ask()}

@catching(types=(Exception,), default={})
def node(state):
    return {"a": ask()}  # 202
''',
    "async_decorator": '''
def guarded(fn):
    @functools.wraps(fn)
    async def wrapper(*args, **kwargs):
        try:
            return await fn(*args, **kwargs)
        except Exception as e:
            return {"a": str(e)}
    return wrapper

@guarded
async def node(state):
    return {"a": await aask()}  # 202
''',
    "decorator_for_both_kinds": '''
def guarded(fn):
    if inspect.iscoroutinefunction(fn):
        @functools.wraps(fn)
        async def awrapper(*args, **kwargs):
            try:
                return await fn(*args, **kwargs)
            except GraphBubbleUp:
                raise
            except Exception as e:
                return {"a": str(e)}
        return awrapper

    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        try:
            return fn(*args, **kwargs)
        except Exception as e:
            return {"a": str(e)}
    return wrapper

@guarded
async def node(state):
    return {"a": await aask()}
''',
    "optional_arguments": '''
def guarded(fn=None, *, default=None):
    def decorate(f):
        @functools.wraps(f)
        def wrapper(state):
            try:
                return f(state)
            except Exception:
                return default
        return wrapper
    return decorate if fn is None else decorate(fn)

@guarded
def node(state):
    return {"a": ask()}  # 202
''',
    "class_as_a_decorator": '''
class Guard:
    def __init__(self, fn):
        functools.update_wrapper(self, fn)
        self.fn = fn

    def __call__(self, state):
        try:
            return self.fn(state)
        except Exception as e:
            return {"a": str(e)}

@Guard
def node(state):
    return {"a": ask()}  # 202
''',
    "object_as_a_decorator": '''
class Guard:
    def __init__(self, default):
        self.default = default

    def __call__(self, fn):
        @functools.wraps(fn)
        def wrapper(state):
            try:
                return fn(state)
            except Exception:
                return self.default
        return wrapper

guard = Guard({})

@guard
def node(state):
    return {"a": ask()}  # 202
''',
    "method_as_a_decorator": '''
class Monitor:
    def watched(self, fn):
        def wrapper(state):
            try:
                return fn(state)
            except Exception as e:
                log.error("%s", e)
                return {}
        return wrapper

monitor = Monitor()

@monitor.watched
def node(state):
    return {"a": ask()}  # 202
''',
    "decorator_that_leaves_it_to_a_helper": '''
def run_safely(fn, *args):
    try:
        return fn(*args)
    except Exception as e:
        return {"a": str(e)}

def guarded(fn):
    def wrapper(state):
        return run_safely(fn, state)
    return wrapper

@guarded
def node(state):
    return {"a": ask()}  # 202
''',
    "decorator_that_uses_suppress": '''
def guarded(fn):
    def wrapper(state):
        with contextlib.suppress(Exception):
            return fn(state)
        return {}
    return wrapper

@guarded
def node(state):
    return {"a": ask()}  # 202
''',
    "decorator_that_returns_in_finally": '''
def guarded(fn):
    def wrapper(state):
        out = {}
        try:
            out = fn(state)
        finally:
            return out
    return wrapper

@guarded
def node(state):
    return {"a": ask()}  # 202
''',
    "applied_by_assignment": '''
def guarded(fn):
    def wrapper(state):
        try:
            return fn(state)
        except Exception:
            return {}
    return wrapper

def approve(state):
    return {"a": ask()}  # 202

node = guarded(approve)
''',
    "applied_at_registration": '''
def guarded(fn):
    def wrapper(state):
        try:
            return fn(state)
        except Exception:
            return {}
    return wrapper

def approve(state):
    return {"a": ask()}  # 202

builder = StateGraph(State)
builder.add_node("approve", guarded(approve))
node = guarded(approve)
''',
    "applied_in_a_loop": '''
def guarded(fn):
    def wrapper(state):
        try:
            return fn(state)
        except Exception:
            return {}
    return wrapper

def approve(state):
    return {"a": ask()}  # 202

def finish(state):
    return {}

nodes = {f.__name__: guarded(f) for f in (approve, finish)}
node = nodes["approve"]
''',
    "applied_by_assignment_and_honest": '''
def timed(fn):
    def wrapper(state):
        begun = time.perf_counter()
        try:
            return fn(state)
        except Exception as e:
            log.error("%s after %s", e, time.perf_counter() - begun)
            raise
    return wrapper

def approve(state):
    return {"a": ask()}

node = timed(approve)
''',
    "decorator_that_retries_by_hand": '''
def retried(times):
    def decorate(fn):
        @functools.wraps(fn)
        def wrapper(*args):
            for attempt in range(times):
                try:
                    return fn(*args)
                except Exception:
                    if attempt == times - 1:
                        raise
                    time.sleep(0)
        return wrapper
    return decorate

@retried(3)
def node(state):
    return {"a": ask()}  # 202w
''',
    "gather_results_looked_through": '''
async def node(state):
    results = await asyncio.gather(aask(), other(), return_exceptions=True)
    for r in results:
        if isinstance(r, BaseException):
            raise r
    return {"a": results[0]}
''',
    "gather_pauses_looked_through": '''
async def node(state):
    tasks = [asyncio.create_task(aask()), asyncio.create_task(other())]
    results = await asyncio.gather(*tasks, return_exceptions=True)
    paused = next((r for r in results if isinstance(r, GraphInterrupt)), None)
    if paused:
        raise paused
    return {"a": [str(r) for r in results]}
''',
    "gather_results_sorted_out": '''
async def node(state):
    results = await asyncio.gather(aask(), other(), return_exceptions=True)  # 202
    good = [r for r in results if not isinstance(r, Exception)]
    return {"a": good}
''',
    "gather_of_appended_tasks": '''
async def node(state):
    tasks = []
    for q in ("a", "b"):
        tasks.append(asyncio.create_task(aask(q)))  # 202
    results = await asyncio.gather(*tasks, return_exceptions=True)
    return {"a": [r for r in results if isinstance(r, str)]}
''',
    "gather_of_a_comprehension": '''
async def node(state):
    results = await asyncio.gather(*(aask(q) for q in "ab"), return_exceptions=True)  # 202
    errors = [r for r in results if isinstance(r, Exception)]
    if errors:
        log.error("%s", errors)
    return {"a": None}
''',
    "gather_whose_first_error_is_raised": '''
async def node(state):
    results = await asyncio.gather(*(aask(q) for q in "ab"), return_exceptions=True)
    errors = [r for r in results if isinstance(r, Exception)]
    if errors:
        raise errors[0]
    return {"a": None}
''',
    "gather_handed_to_the_caller_who_raises": '''
async def all_of(jobs):
    return await asyncio.gather(aask(), *jobs, return_exceptions=True)

async def node(state):
    results = await all_of([other()])
    for r in results:
        if isinstance(r, Exception):
            raise r
    return {"a": None}
''',
    "gather_handed_to_the_caller_who_ignores": '''
async def all_of(jobs):
    return await asyncio.gather(aask(), *jobs, return_exceptions=True)  # 202

async def node(state):
    results = await all_of([other()])
    return {"a": [r for r in results if r == 1]}
''',
    "gather_raised_by_a_helper": '''
def first_error(results):
    for r in results:
        if isinstance(r, BaseException):
            raise r

async def node(state):
    results = await asyncio.gather(aask(), other(), return_exceptions=True)
    first_error(results)
    return {"a": results}
''',
    "gather_with_the_flag_off": '''
KEEP = False

async def node(state):
    first, _ = await asyncio.gather(aask(), other(), return_exceptions=KEEP)
    return {"a": first}
''',
    "gather_with_the_flag_in_a_constant": '''
KEEP = True

async def node(state):
    first, _ = await asyncio.gather(aask(), other(), return_exceptions=KEEP)  # 202
    return {"a": str(first)}
''',
    "group_body_pauses": '''
async def node(state):
    async with asyncio.TaskGroup() as group:
        group.create_task(other())
        answer = await aask()  # 202
    return {"a": answer}
''',
    "group_unpacked_by_a_plain_handler": '''
async def node(state):
    try:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(aask())
    except ExceptionGroup as group:
        for e in group.exceptions:
            if isinstance(e, GraphInterrupt):
                raise e
        raise
    return {"a": task.result()}
''',
    "group_logged_and_raised_as_it_is": '''
async def node(state):
    try:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(aask())  # 202
    except ExceptionGroup as group:
        log.error("%s", group)
        raise
    return {"a": task.result()}
''',
    "tenacity_predicate_in_a_name": '''
from tenacity import retry, retry_if_exception_type, stop_after_attempt

TRANSIENT = retry_if_exception_type((TimeoutError, ConnectionError))

@retry(stop=stop_after_attempt(3), retry=TRANSIENT)
def node(state):
    return {"a": ask()}
''',
    "tenacity_predicate_function": '''
from tenacity import retry, retry_if_exception, stop_after_attempt

@retry(stop=stop_after_attempt(3), retry=retry_if_exception(lambda e: not isinstance(e, GraphBubbleUp)))
def node(state):
    return {"a": ask()}
''',
    "tenacity_predicate_function_about_others": '''
from tenacity import retry, retry_if_exception, stop_after_attempt

@retry(stop=stop_after_attempt(3), retry=retry_if_exception(lambda e: not isinstance(e, ValueError)))
def node(state):
    return {"a": ask()}  # 202
''',
    "tenacity_kept_in_a_name": '''
from tenacity import retry, stop_after_attempt

three_times = retry(stop=stop_after_attempt(3))

@three_times
def node(state):
    return {"a": ask()}  # 202
''',
    "tenacity_applied_by_hand": '''
from tenacity import retry, stop_after_attempt

def approve(state):
    return {"a": ask()}  # 202

node = retry(stop=stop_after_attempt(3))(approve)
''',
    "tenacity_called": '''
from tenacity import Retrying, stop_after_attempt

def node(state):
    return {"a": Retrying(stop=stop_after_attempt(3))(ask, "?")}  # 202
''',
    "tenacity_of_a_partial": '''
from tenacity import retry, retry_if_exception_type, stop_after_attempt

on_timeout = functools.partial(retry, stop=stop_after_attempt(3), retry=retry_if_exception_type(TimeoutError))

@on_timeout()
def node(state):
    return {"a": ask()}
''',
    "tenacity_in_a_decorator_of_ours": '''
from tenacity import retry, stop_after_attempt

def resilient(fn):
    return retry(stop=stop_after_attempt(3))(fn)

@resilient
def node(state):
    return {"a": ask()}  # 202
''',
    "tenacity_inside_a_wrapper": '''
from tenacity import AsyncRetrying, stop_after_attempt

def resilient(fn):
    async def wrapper(*args):
        async for attempt in AsyncRetrying(stop=stop_after_attempt(2)):
            with attempt:
                return await fn(*args)
    return wrapper

@resilient
async def node(state):
    return {"a": await aask()}  # 202
''',
    "fallbacks_at_registration": '''
from langchain_core.runnables import RunnableLambda

def approve(state):
    return {"a": ask()}  # 202

def give_up(state):
    return {}

node = RunnableLambda(approve).with_fallbacks([RunnableLambda(give_up)])
''',
    "fallbacks_for_one_type": '''
from langchain_core.runnables import RunnableLambda

def approve(state):
    return {"a": ask()}

def give_up(state):
    return {}

node = RunnableLambda(approve).with_fallbacks([RunnableLambda(give_up)], exceptions_to_handle=(ValueError,))
''',
    "batch_results_raised": '''
from langchain_core.runnables import RunnableLambda

def node(state):
    results = RunnableLambda(ask).batch(["a"], return_exceptions=True)
    for r in results:
        if isinstance(r, Exception):
            raise r
    return {"a": results}
''',
    "contextmanager_on_method": '''
class Tracer:
    @contextlib.contextmanager
    def span(self, name):
        try:
            yield
        except Exception as e:
            log.error("%s", e)
            raise

tracer = Tracer()

def node(state):
    with tracer.span("x"):
        return {"a": ask()}
''',
    "contextmanager_on_method_swallow": '''
class Tracer:
    @contextlib.contextmanager
    def span(self, name):
        try:
            yield
        except Exception as e:
            log.error("%s", e)

tracer = Tracer()

def node(state):
    with tracer.span("x"):
        return {"a": ask()}  # 202
''',
    "exit_self_flag": '''
class Quiet:
    def __init__(self, swallow=True):
        self.swallow = swallow
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        return self.swallow

def node(state):
    with Quiet():
        return {"a": ask()}  # 202
''',
    "exit_self_flag_off": '''
class Quiet:
    def __init__(self, swallow=True):
        self.swallow = swallow
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        return self.swallow

def node(state):
    with Quiet(swallow=False):
        return {"a": ask()}
''',
    "exit_inherited": '''
class Base:
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        return True
class Quiet(Base):
    pass
def node(state):
    with Quiet():
        return {"a": ask()}  # 202
''',
    "dict_of_tasks_gather": '''
async def node(state):
    tasks = {q: aask(q) for q in "ab"}  # 202
    results = await asyncio.gather(*tasks.values(), return_exceptions=True)
    return {"a": {q: (None if isinstance(r, Exception) else r) for q, r in zip(tasks, results)}}
''',
    "dict_results_raise": '''
async def node(state):
    tasks = {q: aask(q) for q in "ab"}
    results = await asyncio.gather(*tasks.values(), return_exceptions=True)
    out = {}
    for q, r in zip(tasks, results):
        if isinstance(r, GraphBubbleUp):
            raise r
        out[q] = r
    return {"a": out}
''',
    "gather_index_check": '''
async def node(state):
    answer, extra = await asyncio.gather(aask(), other(), return_exceptions=True)
    if isinstance(answer, Exception):
        raise answer
    return {"a": answer}
''',
    "gather_index_check_other": '''
async def node(state):
    answer, extra = await asyncio.gather(aask(), other(), return_exceptions=True)  # 202
    if isinstance(extra, Exception):
        raise extra
    return {"a": str(answer)}
''',
    "gather_tuple_list": '''
async def node(state):
    coros = [aask(), other()]  # 202
    res = await asyncio.gather(*coros, return_exceptions=True)
    for i, r in enumerate(res):
        if isinstance(r, Exception):
            log.error("%s", r)
            res[i] = None
    return {"a": res}
''',
    "exc_group_helper": '''
async def node(state):
    try:
        async with asyncio.TaskGroup() as tg:
            t = tg.create_task(aask())
    except BaseExceptionGroup as eg:
        pauses = eg.subgroup(GraphBubbleUp)
        if pauses is not None:
            raise pauses.exceptions[0]
        raise
    return {"a": t.result()}
''',
    "exc_group_split": '''
async def node(state):
    try:
        async with asyncio.TaskGroup() as tg:
            t = tg.create_task(aask())
    except* GraphBubbleUp as eg:
        for e in eg.exceptions:
            raise e
    return {"a": t.result()}
''',
    "stamina_ctx": '''
import stamina
def node(state):
    for attempt in stamina.retry_context(on=Exception, attempts=2, wait_initial=0, wait_max=0, wait_jitter=0):
        with attempt:
            return {"a": ask()}  # 202w
''',
    "deco_stack": '''
def guarded(fn):
    @functools.wraps(fn)
    def wrapper(state):
        try:
            return fn(state)
        except Exception:
            return {}
    return wrapper
def logged(fn):
    @functools.wraps(fn)
    def wrapper(state):
        log.info("in")
        return fn(state)
    return wrapper
@logged
@guarded
def node(state):
    return {"a": ask()}  # 202
''',
    "graph_nested_gather": '''
inner = StateGraph(State).add_node("i", lambda s: {"a": ask()}).add_edge(START, "i").compile()
async def node(state):
    rs = await asyncio.gather(*[inner.ainvoke(state) for _ in range(2)], return_exceptions=True)  # 202
    return {"a": [str(r) for r in rs]}
''',
    "suppress_baseexception": '''
def node(state):
    answer = None
    with contextlib.suppress(BaseException):
        answer = ask()  # 202
    return {"a": answer}
''',
    "suppress_bubble": '''
def node(state):
    answer = None
    with contextlib.suppress(GraphBubbleUp):
        answer = ask()  # 202
    return {"a": answer}
''',
    "suppress_star": '''
IGNORED = (ValueError, Exception)
def node(state):
    answer = None
    with contextlib.suppress(*IGNORED):
        answer = ask()  # 202
    return {"a": answer}
''',
    "with_two_items": '''
@contextlib.contextmanager
def span():
    yield
def node(state):
    answer = None
    with span(), contextlib.suppress(Exception):
        answer = ask()  # 202
    return {"a": answer}
''',
    "with_two_items_other_order": '''
@contextlib.contextmanager
def span():
    try:
        yield
    except Exception:
        log.info("x")
        raise
def node(state):
    answer = None
    with contextlib.suppress(KeyError), span():
        answer = ask()
    return {"a": answer}
''',
    "nullcontext_or_suppress": '''
def node(state):
    answer = None
    with (contextlib.suppress(ValueError) if state.get("x") else contextlib.nullcontext()):
        answer = ask()
    return {"a": answer}
''',
    "closing": '''
class Conn:
    def close(self):
        log.info("closed")
def node(state):
    with contextlib.closing(Conn()) as c:
        return {"a": ask()}
''',
    "tracer_span_library": '''
from opentelemetry import trace
tracer = trace.get_tracer(__name__)
def node(state):
    with tracer.start_as_current_span("x") as span:
        try:
            return {"a": ask()}
        except Exception as e:
            span.record_exception(e)
            raise
''',
    "lock_and_exec": '''
LOCK = threading.Lock()
def node(state):
    with LOCK:
        return {"a": ask()}
''',
    "async_lock_gather": '''
async def one(sem, q):
    async with sem:
        return await aask(q)
async def node(state):
    sem = asyncio.Semaphore(2)
    answers = await asyncio.gather(*[one(sem, q) for q in "a"])
    return {"a": answers}
''',
    "finally_return_conditional": '''
def node(state):
    try:
        return {"a": ask()}  # 202
    finally:
        if not state.get("keep"):
            return {"a": None}
''',
    "finally_nested_function_return": '''
def node(state):
    try:
        return {"a": ask()}
    finally:
        list(map(lambda x: x, [1]))
''',
    "finally_raise_in_try_caught": '''
def node(state):
    try:
        return {"a": ask()}
    finally:
        try:
            raise ValueError("x")
        except ValueError:
            pass
''',
    "finally_while_return": '''
def node(state):
    try:
        return {"a": ask()}  # 202
    finally:
        while True:
            return {"a": None}
''',
    "tool_gather": '''
from langchain_core.tools import tool
@tool
async def confirm(q: str) -> str:
    """Ask."""
    return interrupt(q)
async def node(state):
    rs = await asyncio.gather(*[t.ainvoke({"q": "?"}) for t in [confirm]], return_exceptions=True)  # 202
    return {"a": [str(r) for r in rs]}
''',
    "conditional_wrapper_deco": '''
def maybe(flag):
    def deco(fn):
        if not flag:
            return fn
        @functools.wraps(fn)
        def wrapper(*a):
            try:
                return fn(*a)
            except Exception:
                return {}
        return wrapper
    return deco
@maybe(True)
def node(state):
    return {"a": ask()}  # 202
''',
    "deco_sync_on_async": '''
def guarded(fn):
    @functools.wraps(fn)
    def wrapper(*a):
        try:
            return fn(*a)
        except Exception:
            return {}
    return wrapper
@guarded
async def inner(state):
    return {"a": await aask()}
async def node(state):
    return await inner(state)
''',
    "deco_logs_only": '''
def logged(fn):
    @functools.wraps(fn)
    def wrapper(*a, **k):
        try:
            result = fn(*a, **k)
        except Exception as e:
            log.exception("failed")
            raise
        else:
            log.info("ok")
            return result
        finally:
            log.info("end")
    return wrapper
@logged
def node(state):
    return {"a": ask()}
''',
    "deco_reraise_domain_error": '''
class NodeError(RuntimeError):
    pass
def guarded(fn):
    @functools.wraps(fn)
    def wrapper(*a, **k):
        try:
            return fn(*a, **k)
        except (ValueError, KeyError):
            raise
        except Exception as e:
            raise NodeError(fn.__name__) from e
    return wrapper
@guarded
def node(state):
    return {"a": ask()}  # 202
''',
    "create_task_named_group": '''
async def node(state):
    async with asyncio.TaskGroup() as tg:
        tasks = [tg.create_task(aask(q)) for q in "ab"]  # 202
    return {"a": [t.result() for t in tasks]}
''',
    "inner_class_exit_raise_other": '''
class Convert:
    def __enter__(self):
        return self
    def __exit__(self, t, e, tb):
        if e is not None:
            raise RuntimeError("failed") from e
def node(state):
    with Convert():
        return {"a": ask()}  # 202
''',
    "manager_raises_other": '''
@contextlib.contextmanager
def convert():
    try:
        yield
    except Exception as e:
        raise RuntimeError("failed") from e
def node(state):
    with convert():
        return {"a": ask()}  # 202
''',
    "manager_finally_return": '''
@contextlib.contextmanager
def quiet():
    try:
        yield
    finally:
        return
def node(state):
    with quiet():
        return {"a": ask()}  # 202
''',
    "finally_that_checks_a_result": '''
def node(state):
    status = 200
    try:
        return {"a": ask()}
    finally:
        if not 200 <= status <= 299:
            raise RuntimeError(status)
''',
    "wrapper_made_with_several_functions": '''
def make(get, act):
    def run(state):
        answer = get()
        try:
            act(answer)
        except Exception as e:
            log.error("%s", e)
        return {"a": answer}
    return run

def question():
    return ask()

node = make(question, log.info)
''',
    "wrapper_that_awaits_a_thread": '''
def in_thread(fn):
    async def run(state):
        try:
            return await asyncio.to_thread(fn, state)
        except Exception as e:
            return {"a": str(e)}
    return run

def approve(state):
    return {"a": ask()}  # 202

node = in_thread(approve)
''',
    "finally_with_a_bare_raise": '''
def node(state):
    try:
        raise KeyError
    except KeyError:
        try:
            return {"a": ask()}
        finally:
            raise
''',
    "exit_that_is_overridden": '''
class Scope:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, tb):
        raise NotImplementedError

class RealScope(Scope):
    def __exit__(self, kind, value, tb):
        log.info("left")

def enter() -> Scope:
    return RealScope()

def node(state):
    with enter():
        return {"a": ask()}
''',
    "manager_that_yields_again": '''
@contextlib.contextmanager
def span():
    try:
        yield 1
    except Exception:
        yield 2

def node(state):
    with span():
        return {"a": ask()}  # 202
''',
    "nested_deco_method": '''
class Base:
    @staticmethod
    def safe(fn):
        @functools.wraps(fn)
        def wrapper(self, state):
            try:
                return fn(self, state)
            except Exception as e:
                return {"a": str(e)}
        return wrapper
class Node(Base):
    @Base.safe
    def run(self, state):
        return {"a": ask()}  # 202
node = Node().run
''',
}

LOST = {
    "bare_coroutine": '''
async def node(state):
    aask()  # 204
    return {"a": None}
''',
    "task_dropped": '''
async def node(state):
    task = asyncio.create_task(aask())  # 204
    task.add_done_callback(lambda t: log.info("done"))
    await asyncio.sleep(0)
    return {"a": None}
''',
    "task_made_by_the_loop": '''
async def node(state):
    loop = asyncio.get_running_loop()
    loop.create_task(aask())  # 204
    await asyncio.sleep(0)
    return {"a": None}
''',
    "tasks_kept_in_a_set_for_ever": '''
BACKGROUND = set()

async def node(state):
    task = asyncio.create_task(aask())  # 204
    BACKGROUND.add(task)
    task.add_done_callback(BACKGROUND.discard)
    await asyncio.sleep(0)
    return {"a": None}
''',
    "tasks_kept_in_a_set_and_awaited_elsewhere": '''
PENDING = set()

async def start(state):
    PENDING.add(asyncio.create_task(aask()))

async def node(state):
    await start(state)
    return {"a": await asyncio.gather(*PENDING)}
''',
    "task_awaited_later": '''
async def node(state):
    task = asyncio.create_task(aask())
    await asyncio.sleep(0)
    if task.done():
        log.info("already")
    return {"a": await task}
''',
    "task_read_after_wait": '''
async def node(state):
    done, pending = await asyncio.wait({asyncio.create_task(aask())})
    return {"a": [t.result() for t in done]}
''',
    "task_never_read_after_wait": '''
async def node(state):
    task = asyncio.create_task(aask())  # 204
    await asyncio.wait([task])
    return {"a": task.done()}
''',
    "task_exception_logged": '''
async def node(state):
    tasks = [asyncio.create_task(aask())]  # 204
    done, pending = await asyncio.wait(tasks)
    for t in done:
        if t.exception():
            log.error("failed")
    return {"a": None}
''',
    "tasks_as_completed": '''
async def node(state):
    out = []
    for next_one in asyncio.as_completed([aask(), other()]):
        out.append(await next_one)
    return {"a": out}
''',
    "task_returned": '''
def start():
    return asyncio.create_task(aask())

async def node(state):
    return {"a": await start()}
''',
    "task_on_an_object": '''
class Desk:
    def open(self):
        self.task = asyncio.create_task(aask())

    async def close(self):
        return await self.task

async def node(state):
    desk = Desk()
    desk.open()
    return {"a": await desk.close()}
''',
    "shielded_and_awaited": '''
async def node(state):
    return {"a": await asyncio.shield(asyncio.ensure_future(aask()))}
''',
    "run_in_a_loop_of_its_own": '''
def node(state):
    return {"a": asyncio.run(aask())}
''',
    "submit_with_result": '''
def node(state):
    return {"a": POOL.submit(ask).result()}  # 204
''',
    "submit_of_a_lambda": '''
def node(state):
    future = POOL.submit(lambda: ask("really?"))  # 204
    return {"a": future.result()}
''',
    "submit_of_a_method": '''
class Gate:
    def confirm(self):
        return interrupt("?")

def node(state):
    gate = Gate()
    with ThreadPoolExecutor() as pool:
        futures = [pool.submit(gate.confirm)]  # 204
        return {"a": [f.result() for f in as_completed(futures)]}
''',
    "submit_of_a_copied_context": '''
def node(state):
    ctx = contextvars.copy_context()
    return {"a": POOL.submit(ctx.run, ask, "?").result()}
''',
    "submit_of_a_copied_context_without_result": '''
def node(state):
    ctx = contextvars.copy_context()
    POOL.submit(ctx.run, ask, "?")  # 204
    return {"a": None}
''',
    "worker_that_enters_the_context": '''
def node(state):
    ctx = contextvars.copy_context()

    def worker():
        return ctx.run(ask, "?")

    return {"a": POOL.submit(worker).result()}
''',
    "context_executor": '''
from langchain_core.runnables.config import ContextThreadPoolExecutor

def node(state):
    with ContextThreadPoolExecutor() as pool:
        return {"a": list(pool.map(ask, ["?"]))}
''',
    "context_executor_dropped": '''
from langchain_core.runnables.config import ContextThreadPoolExecutor

def node(state):
    with ContextThreadPoolExecutor() as pool:
        pool.submit(ask)  # 204
    return {"a": None}
''',
    "run_in_executor_with_a_context": '''
async def node(state):
    loop = asyncio.get_running_loop()
    return {"a": await loop.run_in_executor(None, contextvars.copy_context().run, ask)}
''',
    "run_in_executor": '''
async def node(state):
    loop = asyncio.get_running_loop()
    return {"a": await loop.run_in_executor(POOL, ask, "?")}  # 204
''',
    "tool_with_config_in_a_pool": '''
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import tool

@tool
def confirm(q: str) -> str:
    """Ask."""
    return interrupt(q)

def node(state, config: RunnableConfig):
    return {"a": POOL.submit(confirm.invoke, {"q": "?"}, config).result()}
''',
    "tool_without_config_in_a_pool": '''
from langchain_core.tools import tool

@tool
def confirm(q: str) -> str:
    """Ask."""
    return interrupt(q)

def node(state):
    return {"a": POOL.submit(confirm.invoke, {"q": "?"}).result()}  # 204
''',
    "thread_with_a_copied_context": '''
def node(state):
    ctx = contextvars.copy_context()
    thread = threading.Thread(target=ctx.run, args=(ask, "?"))  # 204
    thread.start()
    thread.join()
    return {"a": None}
''',
    "decorator_that_runs_in_a_pool": '''
def in_pool(fn):
    @functools.wraps(fn)
    def wrapper(*args):
        return POOL.submit(fn, *args).result()
    return wrapper

@in_pool
def node(state):
    return {"a": ask()}  # 204
''',
    "to_thread_gathered": '''
async def node(state):
    first, _ = await asyncio.gather(asyncio.to_thread(ask, "?"), other())
    return {"a": first}
''',
    "async_with_timeout_helper": '''
async def with_timeout(coro, s):
    try:
        return await asyncio.wait_for(coro, s)
    except asyncio.TimeoutError:
        return None

async def node(state):
    return {"a": await with_timeout(aask(), 3)}
''',
    "run_async_helper": '''
def run_sync(coro):
    return asyncio.run(coro)

def node(state):
    return {"a": run_sync(aask())}
''',
    "run_async_in_pool_helper": '''
def run_sync(coro):
    with ThreadPoolExecutor() as pool:
        return pool.submit(asyncio.run, coro).result()

def node(state):
    return {"a": run_sync(aask())}  # 204
''',
    "pool_asyncio_run": '''
def node(state):
    with ThreadPoolExecutor() as pool:
        return {"a": pool.submit(asyncio.run, aask()).result()}  # 204
''',
    "dict_of_tasks": '''
async def node(state):
    tasks = {}
    for q in "ab":
        tasks[q] = asyncio.create_task(aask(q))
    out = {}
    for q, t in tasks.items():
        out[q] = await t
    return {"a": out}
''',
    "thread_subclass": '''
class Worker(threading.Thread):
    def run(self):
        self.answer = ask()

def node(state):
    w = Worker()
    w.start()  # 204
    w.join()
    return {"a": getattr(w, "answer", None)}
''',
    "executor_initializer": '''
def node(state):
    with ThreadPoolExecutor(max_workers=2) as ex:
        futs = {ex.submit(contextvars.copy_context().run, ask, q): q for q in "a"}
        out = {}
        for f in as_completed(futs):
            out[futs[f]] = f.result()
    return {"a": out}
''',
    "graph_nested_task": '''
inner = StateGraph(State).add_node("i", lambda s: {"a": ask()}).add_edge(START, "i").compile()
async def node(state):
    t = asyncio.create_task(inner.ainvoke(state))  # 204
    await asyncio.sleep(0.05)
    return {"a": 1}
''',
    "wait_first_completed": '''
async def node(state):
    a = asyncio.create_task(aask())
    b = asyncio.create_task(asyncio.sleep(5))
    done, pending = await asyncio.wait({a, b}, return_when=asyncio.FIRST_COMPLETED)
    for p in pending:
        p.cancel()
    if a in done:
        return {"a": a.result()}
    return {"a": None}
''',
    "loop_param": '''
def spawn(loop, coro):
    return loop.create_task(coro)
async def node(state):
    t = spawn(asyncio.get_running_loop(), aask())
    return {"a": await t}
''',
    "spawn_forget": '''
def spawn(coro):
    asyncio.get_running_loop().create_task(coro)
async def node(state):
    spawn(aask())  # 204
    await asyncio.sleep(0)
    return {"a": None}
''',
    "run_coroutine_threadsafe_wrapped": '''
async def node(state):
    loop = asyncio.get_running_loop()
    return {"a": await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(aask(), loop))}
''',
    "map_reduce_with_submit_dict": '''
def node(state):
    with ThreadPoolExecutor() as ex:
        futures = {ex.submit(ask, q): q for q in "ab"}  # 204
        return {"a": [f.result() for f in as_completed(futures)]}
''',
    "timer": '''
def node(state):
    t = threading.Timer(0, ask)  # 204
    t.start(); t.join()
    return {"a": None}
''',
    "to_thread_partial": '''
async def node(state):
    return {"a": await asyncio.to_thread(functools.partial(ask, "q"))}
''',
    "to_thread_not_awaited": '''
async def node(state):
    asyncio.to_thread(ask, "q")  # 204
    return {"a": None}
''',
    "stream_in_thread_queue": '''
import queue
inner = StateGraph(State).add_node("i", lambda s: {"a": ask()}).add_edge(START, "i").compile()
def node(state):
    q = queue.Queue()
    def work():
        for c in inner.stream(state):
            q.put(c)
    t = threading.Thread(target=work)  # 204
    t.start(); t.join()
    return {"a": q.qsize()}
''',
}

TOOLS = '''
from langchain_core.tools import tool
from langchain_core.messages import ToolMessage, AIMessage
@tool
def confirm(q: str) -> str:
    """Ask."""
    return interrupt(q)
@tool
def look(q: str) -> str:
    """Look."""
    return q
TOOLS = [look, confirm]
BY_NAME = {t.name: t for t in TOOLS}
CALLS = [{"name": "confirm", "args": {"q": "?"}, "id": "1"}]
'''

MODEL = '''
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
@tool
def confirm(q: str) -> str:
    """Ask."""
    return interrupt(q)
@tool
def look(q: str) -> str:
    """Look."""
    return q
class M(GenericFakeChatModel):
    def bind_tools(self, *a, **k):
        return self
def model(name="confirm"):
    return M(messages=iter([AIMessage("", tool_calls=[{"name": name, "args": {"q": "?"}, "id": "1"}]), AIMessage("done"), AIMessage("x")]))
'''

AGENTS = {
    "own_tool_node": TOOLS + '''
def node(state):
    out = []
    for call in CALLS:
        try:
            out.append(BY_NAME[call["name"]].invoke(call["args"]))  # 201
        except Exception as e:
            out.append(f"Error: {e}")
    return {"a": out}
''',
    "own_tool_node_class": TOOLS + '''
class Tools:
    def __init__(self, tools):
        self.by_name = {t.name: t for t in tools}
    async def one(self, call):
        tool = self.by_name.get(call["name"])
        if tool is None:
            return "unknown"
        try:
            return await tool.ainvoke(call["args"])  # 201
        except Exception as e:
            return f"Error: {e}"
    async def __call__(self, state):
        return {"a": await asyncio.gather(*[self.one(c) for c in CALLS])}
run = Tools(TOOLS)
async def node(state):
    return await run(state)
''',
    "own_tool_node_class_gather": TOOLS + '''
class Tools:
    def __init__(self, tools):
        self.by_name = {t.name: t for t in tools}
    async def one(self, call):
        return await self.by_name[call["name"]].ainvoke(call["args"])
    async def __call__(self, state):
        results = await asyncio.gather(*[self.one(c) for c in CALLS], return_exceptions=True)  # 202
        return {"a": [str(r) for r in results]}
run = Tools(TOOLS)
async def node(state):
    return await run(state)
''',
    "react_agent_in_try": MODEL + '''
from langgraph.prebuilt import create_react_agent
def node(state):
    agent = create_react_agent(model(), tools=[confirm])
    try:
        r = agent.invoke({"messages": [("user", "x")]})  # 201
        return {"a": r["messages"][-1].content}
    except Exception as e:
        return {"a": str(e)}
''',
    "agent_of_factory_in_try": MODEL + '''
from langchain.agents import create_agent
def make():
    return create_agent(model(), tools=[look, confirm])
class Desk:
    def __init__(self):
        self.agent = make()
    def run(self, state):
        try:
            r = self.agent.invoke({"messages": [("user", "x")]})  # 201
            return {"a": r["messages"][-1].content}
        except Exception as e:
            return {"a": str(e)}
node = Desk().run
''',
    "hitl_middleware_in_try": MODEL + '''
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
def node(state):
    agent = create_agent(model("look"), tools=[look], middleware=[HumanInTheLoopMiddleware(interrupt_on={"look": True})])
    try:
        r = agent.invoke({"messages": [("user", "x")]})  # 201
        return {"a": r["messages"][-1].content}
    except Exception as e:
        return {"a": str(e)}
''',
    "hitl_middleware_fine": MODEL + '''
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
def node(state):
    agent = create_agent(model("look"), tools=[look], middleware=[HumanInTheLoopMiddleware(interrupt_on={"look": True})])
    r = agent.invoke({"messages": [("user", "x")]})
    return {"a": r["messages"][-1].content}
''',
    "agent_without_pause_in_try": MODEL + '''
from langchain.agents import create_agent
def node(state):
    agent = create_agent(model("look"), tools=[look])
    try:
        r = agent.invoke({"messages": [("user", "x")]})
    except Exception as e:
        return {"a": str(e)}
    return {"a": interrupt("?")}
''',
}
