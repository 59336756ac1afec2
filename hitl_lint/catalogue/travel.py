"""What can be kept in a checkpoint and what cannot (TRUTH.md 10): a task's result is saved, its arguments are not."""

from __future__ import annotations

import re

# Paths of results (as `names.py` writes them) that LangGraph's serializer refuses ("Type is not msgpack serializable"): run on 1.2.24.
UNSAVABLE = (
    (r"(httpx|requests|aiohttp|niquests|urllib3|curl_cffi\.requests)\.(\w+\(\)\.)*(get|post|put|patch|delete|request|head|options|send|urlopen)\(\)", "a response object"),
    (r"urllib\.request\.urlopen\(\)", "a response object"),
    (r"(builtins\.|io\.|gzip\.|bz2\.|codecs\.|aiofiles\.)?open\(\)|.*\.(open|makefile)\(\)|io\.\w+\(\)|tempfile\.\w+\(\)", "an open file"),
    (r"subprocess\.(run|Popen)\(\)|asyncio\.create_subprocess_\w+\(\)", "a process"),
    (r"(sqlite3|psycopg2?|asyncpg|pymysql|MySQLdb|mysql\.connector|duckdb|pyodbc|oracledb|aiosqlite)\.connect\(\)", "a connection"),
    (r"(sqlite3|psycopg2?|pymysql|duckdb|pyodbc|aiosqlite)\..*\.(cursor|execute|executemany|executescript|begin)\(\)", "a cursor"),
    (r"sqlalchemy\..*\.(execute|scalars|begin|connect|query)\(\)", "a database result"),
    (r"(httpx|requests|aiohttp)\.(Client|AsyncClient|Session|ClientSession)\(\)|boto3\.(client|resource|Session)\(\)|smtplib\.\w+\(\)|redis\.\w+\(\)", "a client"),
    (r"(threading|multiprocessing|concurrent\.futures|queue|socket|ssl|selectors)\..*", "an object of the process"),
    (r"asyncio\.(create_task|ensure_future|Lock|Event|Queue|Semaphore)\(\)", "an object of the event loop"),
    (r"(builtins\.)?(range|zip|map|filter|reversed|enumerate|iter|memoryview)\(\)|itertools\..*\(\)", "an iterator"),
    (r".*\.(stream|astream|stream_events|astream_events|astream_log)\(\)|.*\.(keys|values|items)\(\)", "an iterator"),
    (r"random\.(Random|SystemRandom)\(\)|numpy\.random\.default_rng\(\)|os\.stat\(\)|email\.message\.\w+\(\)|email\.mime\..*\(\)", "an object that cannot be saved"),
)

# Of these it is certain, by library and name: each was put in a payload and refused, with InMemorySaver and SqliteSaver alike (langgraph 1.2.24). `unsavable` says
# when in doubt that something cannot be saved, `refused` that it can.
REFUSED = (
    (r"(httpx|requests|aiohttp|niquests)\.((Client|AsyncClient|Session|ClientSession)\(\)\.)?(get|post|put|patch|delete|request|head|options)\(\)|urllib\.request\.urlopen\(\)",
     "a response object"),
    (r"(httpx|requests|aiohttp)\.(Client|AsyncClient|Session|ClientSession)\(\)|boto3\.(client|resource)\(.*\)|smtplib\.SMTP(_SSL)?\(\)", "a client"),
    (r"httpx\.(URL|Headers)\(\)", "an object of httpx"),
    (r"((io|gzip|bz2|codecs|aiofiles)\.)?open\(\)|pathlib\.(Posix|Windows)?Path\(\)\.open\(\)|io\.(StringIO|BytesIO|TextIOWrapper)\(\)|"
     r"tempfile\.(NamedTemporaryFile|TemporaryFile|SpooledTemporaryFile)\(\)|sys\.(stdin|stdout|stderr)", "a file object"),
    (r"subprocess\.(run|Popen)\(\)", "a process object"),
    (r"(sqlite3|psycopg2?|pymysql|MySQLdb|mysql\.connector|duckdb|pyodbc|oracledb)\.connect\(\)|sqlalchemy\.(ext\.asyncio\.)?create_(async_)?engine\(\)", "a connection"),
    (r"(sqlite3|psycopg2?|pymysql|duckdb|pyodbc)\.connect\(\)\.(cursor\(\)|(cursor\(\)\.)?execute(many|script)?\(\))", "a cursor"),
    (r"sqlalchemy\.orm\.(Session|sessionmaker\(\))\(\)", "a session"),
    (r"threading\.(Lock|RLock|Event|Condition|Semaphore|BoundedSemaphore|Barrier|local)\(\)|asyncio\.(Lock|Event|Condition|Semaphore|Queue|Future)\(\)|"
     r"(queue|multiprocessing)\.(Queue|LifoQueue|PriorityQueue|SimpleQueue)\(\)", "a lock or queue"),
    (r"threading\.(Thread|Timer)\(\)|concurrent\.futures\.((Thread|Process)PoolExecutor\(\)(\.submit\(\))?|Future\(\))|socket\.socket\(\)", "an object of the process"),
    (r"(range|zip|map|filter|reversed|enumerate|iter)\(\)|itertools\.\w+(\.from_iterable)?\(\)", "an iterator"),
    (r"csv\.(reader|DictReader|writer|DictWriter)\(\)|os\.scandir\(\)|glob\.iglob\(\)|pathlib\.(Posix|Windows)?Path\(\)\.(glob|rglob|iterdir)\(\)", "an iterator"),
    (r"(object|complex|slice)\(\)|logging\.getLogger\(\)|types\.(SimpleNamespace|MappingProxyType)\(\)|argparse\.(Namespace\(\)|ArgumentParser\(\)(\.parse_args\(\))?)|"
     r"fractions\.Fraction\(\)|pathlib\.Pure\w*Path\(\)|collections\.(ChainMap|UserDict|UserList)\(\)|array\.array\(\)|inspect\.signature\(\)|ast\.parse\(\)|"
     r"time\.(localtime|gmtime)\(\)|os\.(stat|uname)\(\)|email\.message\.\w+\(\)|contextvars\.ContextVar\(\)|xml\.etree\.ElementTree\.(fromstring|parse|Element)\(\)|os\.environ",
     "an object of the standard library"),
    (r"re\.(match|search|fullmatch)\(\)|re\.compile\(\)\.(match|search|fullmatch)\(\)", "a match object"),
    (r"pandas\.(DataFrame|Series|read_\w+)\(\)", "a DataFrame"),
    (r"PIL\.Image\.(open|new|fromarray)\(\)", "an image object"),
    (r"langgraph\.graph\.(StateGraph|CompiledStateGraph)\(\)(\.compile\(\))?|langgraph\.checkpoint\.\w+(\.aio)?\.\w+Saver\(\)|langgraph\.store\.\w+\.\w+Store\(\)|"
     r"langgraph\.config\.(get_store|get_stream_writer)\(\)|langgraph\.func\.task_future\(\)", "an object of LangGraph"),
    (r"langchain_core\.runnables\.RunnableConfig\(\)|langgraph\.config\.get_config\(\)", "the config of the run, which holds functions of LangGraph"),
    (r"langgraph\.runtime\.(Runtime|get_runtime)\(\)|(langgraph\.prebuilt|langchain\.tools)\.ToolRuntime\(\)", "the runtime of the run"),
)
# Base classes that do not make an object one that can be saved. TypedDict, NamedTuple, pydantic, Enum, exceptions and subclasses of built-in containers are saved.
PLAIN_BASES = frozenset({
    "object", "abc.ABC", "typing.Generic", "threading.Thread", "collections.UserDict", "collections.UserList", "collections.abc.Mapping", "collections.abc.MutableMapping",
    "collections.abc.Iterable", "collections.abc.Iterator", "sqlalchemy.orm.DeclarativeBase", "sqlalchemy.orm.declarative_base()",
    "sqlalchemy.ext.declarative.declarative_base()", "langgraph.checkpoint.base.BaseCheckpointSaver", "langgraph.store.base.BaseStore"})
# Methods that the serializer looks for: an object that has one is saved.
SAVES_ITSELF = frozenset({"model_dump", "dict", "get_secret_value", "_asdict", "__getattr__", "__getattribute__", "__new__"})
# Class decorators that make an object savable, and those that leave it as it is. Of others nothing is known.
DATA_DECORATORS = frozenset({"dataclasses.dataclass", "pydantic.dataclasses.dataclass"})
PLAIN_DECORATORS = frozenset({"attr.s", "attr.define", "attr.attrs", "attr.frozen", "attr.mutable", "attrs.define", "attrs.frozen", "attrs.mutable", "functools.total_ordering", "typing.final",
                              "typing_extensions.final"})
# Libraries whose `.keys()` and `.items()` give lists.
LISTS_KEYS = frozenset({"redis", "email", "xml", "lxml", "http", "mailbox", "openpyxl"})

# What comes back as something else: a plain dict has no default and no counts.
COMES_BACK = {"collections.Counter()": "a Counter, which comes back as a plain dict", "collections.defaultdict()": "a defaultdict, which comes back as a plain dict",
              "collections.OrderedDict()": "an OrderedDict, which comes back as a plain dict", "re.match()": "a match object", "re.search()": "a match object",
              "re.fullmatch()": "a match object"}

# A variable of this name, or an attribute, holds what belongs to one thread or one block.
BOUND_NAMES = re.compile(r"(.*_)?(conn|connection|cnx|cur|cursor|session|sess|tx|txn|transaction|lock|mutex|file|fp|fh|f|sock|socket)$")

# What code does with a response: an unknown value that is used so is one.
RESPONSE_USES = frozenset({"raise_for_status", "status_code", "iter_lines", "iter_content", "aiter_lines", "aread", "fetchone", "fetchall", "rowcount", "lastrowid",
                           "returncode", "stdout"})


# Library classes whose instances are saved: messages and documents, and what LangGraph's serializer knows by type. Of other classes nothing is known
# but that most are clients, models and handles.
SAVABLE = re.compile(r"langchain(_core|_community|_classic)?\.(messages|documents|prompt_values|outputs|agents|schema)\b.*|langgraph\.types\..*|(datetime|uuid|decimal|pathlib|fractions|"
                     r"collections|ipaddress|zoneinfo|re|enum)\..*")
_INSTANCE = re.compile(r"(?:.*\.)?_*([A-Z]\w*)\(\)")
# A reading of these only means something beside another one of the same process.
OWN_CLOCKS = frozenset({"time.monotonic", "time.monotonic_ns", "time.perf_counter", "time.perf_counter_ns", "time.process_time", "time.process_time_ns", "time.thread_time"})


def _said(table: tuple[tuple[str, str], ...], path: str) -> str | None:
    # Most runs ask nothing here: a pattern is compiled when it is asked for.
    return next((what for pattern, what in table if re.fullmatch(pattern, path)), None)


def refused(path: str) -> str | None:
    """What an external result is when it is certain that it cannot be saved, in the words of a message."""
    return _said(REFUSED, path)


def unsavable(path: str) -> str | None:
    """What an external result is when it cannot, or may not, be saved, in the words of a message."""
    found = refused(path) or _said(UNSAVABLE, path)
    if found is None and (made := _INSTANCE.fullmatch(path)) is not None and not SAVABLE.fullmatch(path):
        return f"an instance of {made.group(1)}"
    return found
