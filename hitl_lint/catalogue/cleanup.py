"""Words and paths about clean-up: what is no effect when it runs at a pause, and what cannot be used again once it is closed."""

from __future__ import annotations

# First words of calls that only give back or take away what the activation itself has made: run at every pause, they do what they should.
GIVES_BACK = frozenset("""
    remove unlink rmtree delete del close aclose cleanup clean clear release kill terminate stop shutdown rmdir rollback commit cancel disconnect logout
    quit unlock end finish flush exit pop reset detach dispose teardown tear discard unregister unsubscribe leave drop expire free join wait
    """.split())
REMOVES_FILES = frozenset({"remove", "unlink", "rmtree", "rmdir", "removedirs"})
CLOSES = frozenset({"close", "aclose", "shutdown", "terminate"})

# Closed once, they raise when they are used again. Others open themselves anew (requests sessions, SQLAlchemy sessions, redis clients).
CLOSED_FOR_GOOD = frozenset("""
    httpx.Client() httpx.AsyncClient() aiohttp.ClientSession() sqlite3.connect() aiosqlite.connect() psycopg.connect() psycopg2.connect()
    psycopg.Connection.connect() psycopg.AsyncConnection.connect() asyncpg.connect() asyncpg.create_pool() psycopg_pool.ConnectionPool()
    psycopg_pool.AsyncConnectionPool() pymysql.connect() mysql.connector.connect() duckdb.connect() concurrent.futures.ThreadPoolExecutor()
    concurrent.futures.ProcessPoolExecutor() open() websockets.connect() playwright.sync_api.sync_playwright().start()
    """.split())

# What a handler says of the run: `mark_failed`, `set_status(job, "failed")`, `job.status = JobStatus.ERROR`.
FAILED = frozenset("fail fails failed failing failure error errored aborted abort crashed crash broken dead exception".split())
MARKS = frozenset("mark set update change save record store report flag persist transition put write register note".split())
STATES = frozenset("status state phase stage outcome result".split())
FAILS = frozenset("job run task order request execution workflow step session ticket booking payment ingestion import export sync pipeline".split())
# Calls that change what is kept outside, though it does no harm to make them twice.
SETS = frozenset("""
    set aset hset hmset setex put aput put_item update aupdate update_one update_many update_item replace_one find_one_and_update update_document execute
    executemany upsert patch
    """.split())
KEEPS = frozenset("commit save asave flush".split())
