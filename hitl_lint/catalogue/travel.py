"""What can be kept in a checkpoint and what cannot (TRUTH.md 10): a task's result is saved, its arguments are not."""

from __future__ import annotations

import re

# Paths of results (as `names.py` writes them) that LangGraph's serializer refuses ("Type is not msgpack serializable"): run on 1.2.24.
UNSAVABLE: tuple[tuple[re.Pattern[str], str], ...] = tuple((re.compile(pattern), what) for pattern, what in (
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
))

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


def unsavable(path: str) -> str | None:
    """What an external result is when it cannot be saved, in the words of a message."""
    found = next((what for pattern, what in UNSAVABLE if pattern.fullmatch(path)), None)
    if found is None and (made := _INSTANCE.fullmatch(path)) is not None and not SAVABLE.fullmatch(path):
        return f"an instance of {made.group(1)}"
    return found
