"""Names as evidence: what a call says it does, where its callee cannot be seen (RULES.md, "Effect names" and "Model names").

All functions take the callee as written, split at the dots: `["db", "save"]`, `["send_email"]`, `["self", "mailer", "send"]`; parts that
were called may carry `()`. A name is split into words at underscores and at humps (`sendMail`, `create_issue`). A name that starts with a
capital is a class: calling it makes an object and is never evidence of an effect.

The tables below are about false alarms as much as about finds: most of them list what a verb does *not* mean.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Sequence

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

# first word -> what the message says
EFFECT_VERBS: dict[str, str] = {
    "send": "sends", "post": "posts", "publish": "publishes", "notify": "notifies", "email": "sends mail", "charge": "charges money", "pay": "pays",
    "refund": "refunds", "transfer": "transfers", "create": "creates", "insert": "inserts", "save": "saves", "write": "writes", "append": "appends",
    "update": "updates", "delete": "deletes", "remove": "removes", "cancel": "cancels", "submit": "submits", "book": "books", "deploy": "deploys",
    "trigger": "triggers", "enqueue": "enqueues", "upload": "uploads", "provision": "provisions", "grant": "grants", "revoke": "revokes",
    "record": "records", "emit": "emits",
}

# Verbs that mean something outside even without an object and without a receiver: `notify(user)`, `charge(order)`. The others are as often
# a list method, a constructor (`insert(table)`) or a helper on plain data (`update(state)`).
BARE_FUNCTION = frozenset({
    "send", "post", "publish", "notify", "email", "charge", "pay", "refund", "transfer", "book", "deploy", "enqueue", "upload", "provision",
    "grant", "revoke", "save",
})

# Verbs that lists, dicts, files, generators and executors have as methods: believed only on a receiver that sounds like something outside.
CONTAINER_VERBS = frozenset({"append", "insert", "update", "remove", "write", "create", "submit", "delete"})

# First words that add nothing to the verb behind them.
_FILLERS = frozenset({"do", "safe", "safely", "try", "maybe", "async", "sync", "really", "actually", "just", "then", "and", "a", "bulk", "batch", "handle", "auto",
                      "quick", "internal", "tool", "action", "api", "mock", "fake", "dummy", "simulate", "simulated"})

# A weak verb and a noun that together leave no doubt: `issue_refund`, `place_order`, `execute_payment`.
_WEAK_VERBS: dict[str, str] = {"issue": "issues", "make": "makes", "process": "processes", "execute": "executes", "perform": "performs", "place": "places",
                               "dispatch": "dispatches", "initiate": "initiates", "schedule": "schedules", "push": "pushes", "add": "adds"}
_WEAK_NOUNS: dict[str, frozenset[str]] = {
    "money": frozenset({"refund", "refunds", "payment", "payments", "transfer", "transaction", "trade", "trades", "purchase", "payout", "withdrawal",
                        "charge", "wire"}),
    "order": frozenset({"order", "orders", "booking", "reservation"}),
    "message": frozenset({"email", "emails", "mail", "sms", "notification", "notifications", "webhook"}),
    "calendar": frozenset({"meeting", "appointment", "interview"}),
}
_WEAK_ALLOWED: dict[str, tuple[str, ...]] = {
    "issue": ("money",), "make": ("money", "order"), "process": ("money",), "execute": ("money", "order"), "perform": ("money",), "place": ("order",),
    "dispatch": ("message", "order"), "initiate": ("money",), "schedule": ("calendar",), "push": ("message",), "add": (),
}

# Whatever is done to these stays in the process.
_STATE_NOUNS = frozenset({
    "state", "states", "message", "messages", "msg", "msgs", "history", "context", "ctx", "config", "configuration", "cfg", "dict", "list", "set", "map",
    "mapping", "result", "results", "output", "outputs", "prompt", "prompts", "plan", "payload", "metadata", "memory", "progress", "status", "variable",
    "variables", "vars", "args", "kwargs", "params", "scratchpad", "settings", "cache", "counter", "counters", "stats", "usage", "tokens", "display", "ui", "view",
})

# `create_x` that only makes an object in memory; also `make_x`. (RULES.md names the first line.)
_MADE_IN_MEMORY = frozenset({
    "agent", "agents", "llm", "model", "client", "chain", "prompt", "graph", "engine", "session", "retriever", "parser", "message", "messages", "task", "config",
    "llms", "models", "clients", "chains", "prompts", "graphs", "tasks", "sessionmaker", "subgraph", "workflow", "app", "router", "node", "nodes", "edge", "edges",
    "tool", "tools", "toolkit", "supervisor", "swarm", "team", "crew", "runnable", "middleware", "state", "schema", "schemas", "type", "class", "enum", "embedding", "embeddings",
    "vectorstore", "saver", "checkpointer", "store", "memory", "logger", "handler", "handlers", "context", "payload", "request", "response", "reply", "template", "instance",
    "object", "dict", "list", "map", "mapping", "dataframe", "df", "splitter", "loader", "command", "interrupt", "summary", "title", "description", "plan", "outline",
    "token", "jwt", "hash", "signature", "digest", "id", "uuid", "guid", "url", "uri", "link", "key", "slug", "name", "path", "filename", "callback", "callbacks", "factory", "service", "manager",
    "connection", "pool", "provider", "adapter", "wrapper", "decorator", "function", "func", "lambda", "closure", "generator", "iterator", "stream", "queue", "executor", "loop", "future", "lock",
    "event_loop", "fallback", "error", "exception", "result", "output", "view", "widget", "figure", "chart", "plot", "table", "tables", "markdown", "html", "text", "string", "query",
    "filter", "condition", "index", "indexes", "indices", "batch", "batches", "chunk", "chunks", "mock", "stub", "fake", "default", "initial", "copy", "snapshot", "diff", "patch", "options", "settings", "params",
    "arguments", "args", "inputs", "input", "interface", "server", "evaluator", "grader", "planner", "classifier", "guard", "policy", "spec", "definition", "pipeline",
    "runtime", "bot", "assistant", "environment", "env", "registry", "dispatcher", "extractor", "reporter", "bubble", "panel", "layout", "menu", "keyboard", "button", "buttons",
    "draft_text", "header", "headers", "body", "choices", "action", "actions", "step", "steps", "question", "questions", "answer",
})

# `write_x` of a text: that is composing it, usually by a model, and nothing that leaves the process.
_TEXT_NOUNS = frozenset({
    "text", "texts", "response", "responses", "reply", "replies", "answer", "answers", "summary", "summaries", "email", "emails", "mail", "draft", "drafts", "report", "reports", "content",
    "post", "posts", "article", "articles", "plan", "plans", "outline", "essay", "essays", "story", "joke", "jokes", "poem", "code", "query", "queries", "sql", "cypher", "title", "titles", "headline",
    "description", "question", "questions", "itinerary", "letter", "copy", "blog", "blogpost", "script", "feedback", "review", "critique", "section", "sections", "chapter", "paragraph",
    "tweet", "tweets", "caption", "proposal", "message", "messages", "explanation", "analysis", "recommendation", "recommendations", "suggestions", "ideas", "insights", "completion",
    "document", "documents", "doc", "docs", "conversation", "dialogue", "dialog", "chat", "thread", "history", "transcript", "page", "pages", "paper", "papers", "findings", "results", "notes",
    "research", "news", "meeting", "ticket", "issue", "context", "slides", "resume", "brief", "memo", "translation", "keywords", "speech", "newsletter", "comment",
})

# Cleaning a text or a table is no deletion.
_CLEANED = frozenset({
    "prefix", "suffix", "prefixes", "duplicates", "duplicate", "dups", "whitespace", "whitespaces", "tag", "tags", "markdown", "html", "punctuation", "stopwords", "stopword", "none", "nulls",
    "null", "empty", "special", "chars", "char", "characters", "character", "quotes", "fences", "fence", "code", "codeblock", "think", "thinking", "thoughts", "emoji", "emojis", "accents", "outliers",
    "column", "columns", "nan", "noise", "comments", "keys", "key", "fields", "field", "ansi", "unicode", "newline", "newlines", "space", "spaces", "trailing", "leading",
    "stop", "links", "urls", "urls", "brackets", "escape", "escapes", "indent", "indentation", "lines", "line", "blank", "diacritics", "pii", "item", "element", "elements", "node", "edge",
    "reasoning", "citations", "footnotes", "headers", "footers", "handler", "handlers", "listener", "orphan", "orphans", "invalid", "unused", "interrupt", "interrupts",
    "at", "by", "from", "nones", "nans", "word", "words", "substring", "attr", "attrs", "attribute", "attributes", "messages", "message", "tool", "tools",
})

# "post" as "after": `post_process`, `post_model_hook`.
_POST_AFTER = re.compile(r"^(process\w*|model|hook|hooks|init|validat\w*|call|run|exec\w*|filter|check\w*|condition\w*|order|agent|tool|node|step|interrupt|approval|review|"
                         r"training|train|load|save|commit|fork|invoke|parse|build|handler|stop|start|init\w*|mortem|script|prompt|hoc|with|for|url|id|ids|title|body|data|text|content|type)$")
_BOOK_NOUN = frozenset({"title", "info", "list", "search", "data", "name", "id", "details", "author", "recommendation", "recommendations", "recommender", "price", "by", "to", "keeping",
                        "agent", "node", "value", "depth", "review", "summary", "graph", "writer", "shelf"})
_EMAIL_OBJECT = frozenset({"user", "users", "customer", "customers", "client", "clients", "team", "manager", "admin", "invoice", "receipt", "report", "results", "owner", "support", "approver",
                           "reviewer", "alert", "to", "person", "recipient", "recipients"})
_TRANSFER_OBJECT = frozenset({"funds", "fund", "money", "amount", "balance", "ownership", "file", "files", "asset", "assets", "tokens", "token", "domain", "points", "stock", "shares", "crypto",
                              "account", "wallet", "bank", "cash", "payment", "eth", "btc", "call", "data", "credits", "between"})

# Streams, traces and progress: safe to repeat (RULES.md). `event` only for record_ and emit_: `send_event` and `create_event` are the calendar's and the queue's.
_TELEMETRY = frozenset({"interrupt", "interrupts", "event", "events", "metric", "metrics", "span", "spans", "trace", "traces", "log", "logs", "progress"})
_STREAMED = frozenset({"metric", "metrics", "span", "spans", "trace", "traces", "log", "logs", "progress", "telemetry", "heartbeat", "ping", "typing", "keepalive", "chunk", "chunks", "token", "tokens",
                       "stream", "delta", "status", "thinking", "interrupt", "sse", "ui", "debug", "feedback_event"})
_RECORD_SAFE = frozenset({"telemetry", "stat", "stats", "statistics", "latency", "duration", "timing", "time", "counter", "count", "histogram", "gauge", "exception", "error", "errors", "feedback_metric",
                          "status", "state", "step", "message", "messages", "decision_log", "debug", "signal", "update", "updates", "chunk", "token", "tokens", "delta", "ui", "sse", "custom", "node",
                          "thinking", "start", "end", "session_start", "tool", "text", "warning", "info", "call", "calls", "attributes", "timer", "attempt", "failure", "success", "pause", "resume"})

# Idempotent by their own words, wherever they stand in the name.
_IDEMPOTENT_WORDS = frozenset({"upsert", "ensure", "idempotent", "once", "dry", "preview", "noop", "merge"})

# Receivers that are containers, locals, state, or talk to the screen, the log and the tracer.
_INNER_RECEIVERS = frozenset({
    "logger", "log", "logging", "logs", "_logger", "_log", "span", "tracer", "trace", "metrics", "metric", "statsd", "telemetry", "langfuse", "console", "progress", "pbar", "bar", "spinner", "status",
    "writer", "stream", "streamer", "callback", "callbacks", "cb", "handler", "st", "cl", "print", "state", "messages", "message", "msgs", "results", "result", "items", "item", "list", "lists",
    "dict", "data", "d", "lst", "arr", "seen", "visited", "parts", "lines", "chunks", "output", "outputs", "buffer", "buf", "stack", "history", "context", "ctx", "config", "kwargs", "args", "params",
    "values", "errors", "warnings", "options", "headers", "set", "steps", "queries", "docs", "documents", "texts", "tokens", "words", "names", "ids", "tasks", "todos", "plan", "plans",
    "sections", "tool_calls", "updates", "payload", "metadata", "prompt", "text", "string", "s", "content", "response", "sb", "h", "hasher", "digest", "hash", "counter", "counts", "env", "environ",
    "os", "sys", "re", "json", "math", "graph", "builder", "workflow", "parser", "subparsers", "cls", "generator", "gen", "coro", "future", "fut", "executor", "pool", "tg", "nursery", "loop", "timer", "scope", "thread",
    "condition", "cond", "cv", "lock", "ws", "websocket", "socket", "sock", "websockets", "sio", "checkpointer", "saver", "memory", "memo", "cache", "event", "signal", "df", "frame",
    "np", "pd", "figure", "ax", "doc", "soup", "tag", "element", "root", "tree", "node", "queue", "q", "heap", "deque", "window", "session_state", "scratchpad", "monitor", "recorder", "run_manager",
    "callback_manager", "text_area", "widget", "table_widget", "layout", "screen", "display", "ui", "view", "spec", "schema", "prompts", "mock",
})

# Words in a receiver's name that say "something outside".
_OUTER_WORDS = frozenset({
    "db", "database", "repo", "repository", "repositories", "dao", "store", "storage", "collection", "table", "sheet", "worksheet", "spreadsheet", "client", "service", "svc", "api", "crm", "erp", "gateway",
    "mongo", "mongodb", "redis", "supabase", "firestore", "sql", "orm", "objects", "backend", "server", "sdk", "mailer", "mail", "smtp", "email", "gmail", "outlook", "slack", "discord", "telegram",
    "twilio", "sms", "notifier", "notification", "notifications", "publisher", "producer", "broker", "bus", "kafka", "rabbitmq", "sns", "sqs", "s3", "bucket", "blob", "drive", "github", "gitlab", "jira",
    "linear", "notion", "asana", "trello", "zendesk", "salesforce", "hubspot", "stripe", "payment", "payments", "billing", "bank", "ledger", "wallet", "account", "accounts", "order", "orders", "booking",
    "bookings", "calendar", "ticket", "tickets", "ticketing", "invoice", "invoices", "inventory", "warehouse", "crud", "conn", "connection", "cursor", "remote", "k8s", "kubernetes", "cluster", "deployment", "registry",
    "webhook", "webhooks", "users", "user", "customers", "customer", "records", "manager", "connector", "integration", "shop", "stock", "hr", "audit", "prisma", "model",
})

_MODEL_WORDS = frozenset({"llm", "llms", "model", "chain", "chatmodel", "lm", "gpt", "chatgpt", "claude", "gemini", "openai", "anthropic", "mistral", "ollama", "deepseek", "qwen", "llama"})
_MODEL_METHODS = frozenset({
    "invoke", "ainvoke", "stream", "astream", "generate", "agenerate", "predict", "apredict", "predict_messages", "apredict_messages", "batch", "abatch", "complete", "acomplete", "chat", "achat",
    "stream_chat", "astream_chat", "call_as_llm", "generate_content", "generate_content_async", "generate_text", "generate_response", "generate_structured", "astream_events", "stream_events", "run", "arun",
    "acall", "call", "query", "ask", "completion", "acompletion", "chat_completion", "create_completion", "converse", "structured_predict", "astructured_predict", "structured_output", "__call__", "transform", "atransform",
    "batch_as_completed", "abatch_as_completed", "invoke_with_retry", "ainvoke_with_retry", "generate_json", "chat_json", "text_completion", "get_completion", "summarize", "classify",
})
_MODEL_TAILS = (("completions", "create"), ("completions", "acreate"), ("completions", "parse"), ("completions", "stream"), ("messages", "create"), ("messages", "stream"), ("messages", "parse"),
                ("responses", "create"), ("responses", "parse"), ("responses", "stream"), ("embeddings", "create"), ("images", "generate"), ("models", "generate_content"),
                ("models", "generate_content_stream"), ("models", "embed_content"), ("ChatCompletion", "create"), ("ChatCompletion", "acreate"), ("Completion", "create"), ("Completion", "acreate"))
_ASKS = frozenset({"ask", "call", "query", "prompt", "invoke", "run"})
_ASKED = frozenset({"model", "gpt", "gpt4", "chatgpt", "claude", "gemini", "openai", "anthropic", "ai", "mistral", "ollama", "deepseek", "qwen", "groq", "bedrock", "lm"})
_MAKES_TEXT = frozenset({"generate", "draft", "summarize", "summarise", "regenerate"})
# `get_llm`, `llm_config`: something about the model, not a call of it.
_ABOUT_FIRST = frozenset({
    "get", "create", "build", "make", "load", "init", "initialize", "setup", "configure", "new", "select", "choose_model", "bind", "register", "with", "has", "is", "set", "parse", "format", "count", "validate", "log",
    "extract", "clean", "normalize", "serialize", "convert", "to", "from", "render", "resolve", "mock", "fake", "patch", "should", "can", "supports", "uses", "use", "record", "track", "check", "reset",
    "close", "list", "register", "on", "wrap", "trace", "prepare", "strip", "read", "update", "test", "print", "add", "swap", "switch", "estimate", "truncate", "default", "provide", "find", "lookup", "instantiate", "construct",
    "import", "default", "env", "save", "store", "cache", "cached", "delete", "remove", "after", "before", "post", "pre",
})
_ABOUT_LAST = frozenset({"config", "client", "factory", "provider", "settings", "cache", "registry", "name", "names", "params", "kwargs", "type", "id", "cost", "costs", "tokens", "usage", "options", "enabled", "available", "key",
                         "instance", "error", "errors", "prompt", "messages", "schema", "node_name", "wrapper", "class", "spec", "info", "limit", "callback", "callbacks", "handler", "profile", "string", "manager"})
_ANSWER_WORDS = frozenset({"response", "answer", "reply", "completion", "decision", "result", "summary", "output", "feedback", "suggestion", "analysis", "classification", "verdict", "plan", "score"})

_READ_VERBS = frozenset({"fetch", "download", "scrape", "crawl", "query", "search", "lookup", "retrieve", "read", "select", "find", "browse", "poll", "refetch", "count"})
_NOW_NAMES = frozenset({"now", "utcnow", "utc_now", "now_utc", "time_ns", "get_now", "get_current_time", "current_time", "get_timestamp", "current_timestamp", "get_current_timestamp", "get_current_datetime",
                        "current_datetime", "get_utc_now", "get_time", "now_iso", "iso_now", "utcnow_iso", "utc_now_iso", "now_ms", "now_ts", "get_current_date", "get_today", "today", "today_str", "get_today_str",
                        "current_date", "generate_timestamp", "make_timestamp", "timestamp_now", "now_str", "perf_counter", "monotonic", "localnow", "local_now", "epoch_ms", "unix_now", "now_iso8601", "now_timestamp"})
_ID_MAKERS = frozenset({"generate", "new", "make", "create", "gen", "random", "next", "mint", "build_random", "fresh", "unique", "rand"})
_ID_WORDS = frozenset({"id", "ids", "uuid", "uuids", "guid", "nonce", "ulid", "nanoid", "cuid", "token", "otp", "salt"})
_ID_NAMES = frozenset({"uuid", "uuid1", "uuid4", "uuid6", "uuid7", "guid", "ulid", "nanoid", "cuid", "shortuuid", "uid", "rand", "random", "randint", "randrange", "token_hex", "token_urlsafe", "uuid4_hex", "shuffle"})
# Receivers on which `now`, `random` … are not a clock or a die.
_TIMEISH = frozenset({"time", "datetime", "dt", "date", "clock", "timezone", "pendulum", "arrow", "utils", "helpers", "self", "cls", "random", "rng", "uuid", "secrets", "faker", "fake", "np", "numpy", "timeutils",
                      "time_utils", "timestamp", "timestamps", "ids", "common", "idgen", "id_generator", "generator", "timezone_utils", "datetime_utils", "date_utils", "id_gen"})

_HARMLESS_FIRST = frozenset({
    "log", "debug", "info", "warn", "warning", "error", "trace", "track", "format", "parse", "build", "get", "is", "has", "validate", "to", "from", "print", "render", "compute", "calculate", "count", "check", "extract", "normalize",
    "convert", "filter", "sort", "merge", "split", "join", "encode", "decode", "serialize", "deserialize", "load", "dump", "ensure", "assert", "should", "can", "make", "as", "in", "needs", "requires", "was", "map", "reduce", "truncate",
    "strip", "clean", "sanitize", "redact", "mask", "display", "show", "describe", "explain", "infer", "detect", "match", "compare", "resolve", "list", "iter", "apply", "with", "without", "wrap", "unwrap", "prepare", "collect",
})
_HARMLESS_NAMES = frozenset({"print", "pprint", "logger", "log", "writer", "stream_writer", "sleep", "len", "str", "repr"})

_DISPATCH_METHODS = frozenset({"invoke", "ainvoke", "run", "arun", "call", "acall", "func", "coroutine", "execute", "aexecute"})
_DISPATCH_FIRST = frozenset({"execute", "run", "call", "invoke", "dispatch", "ainvoke", "arun", "aexecute", "perform", "acall"})
# Ways to run a thing that is named by the receiver: `send_email.delay(x)`, `send_email_tool.invoke(x)`.
_RUN_METHODS = frozenset({"invoke", "ainvoke", "run", "arun", "delay", "apply_async", "remote", "kiq", "call", "acall", "func", "coroutine", "execute", "aexecute", "send", "enqueue", "submit", "spawn", "local",
                          "starmap", "__call__"})
_CREATED_BY = ("or",)
_PREPOSITIONS = frozenset({"for", "from", "with", "to", "in", "into", "by", "of", "on", "at", "via", "as", "using", "if", "and", "after", "before"})
_STRUCTURE_VERBS = frozenset({"create", "make"})


@lru_cache(maxsize=8192)
def words(name: str) -> tuple[str, ...]:
    """The words of an identifier, in lower case: `sendMail2` -> ("send", "mail", "2")."""
    return tuple(w.lower() for w in _WORD.findall(name))


def _bare(part: str) -> str:
    return part.split("(", 1)[0].split("[", 1)[0]


def _is_class(name: str) -> bool:
    stripped = name.lstrip("_")
    return bool(stripped) and stripped[0].isupper()


def _object_phrase(verb: str, rest: Sequence[str]) -> str:
    return f"{verb} {' '.join(rest)}" if rest else verb


def _head(rest: Sequence[str]) -> str:
    """The noun that an object phrase is about: the last word before a preposition (`event in calendar` -> `event`)."""
    head = ""
    for word in rest:
        if word in _PREPOSITIONS:
            if head:
                break
            continue
        if not word.isdigit():
            head = word
    return head


def _strip_async(ws: tuple[str, ...]) -> tuple[str, ...]:
    """`asend_email` -> send email; filler words in front of a verb are dropped, too."""
    while len(ws) > 1 and ws[0] in _FILLERS and (ws[1] in EFFECT_VERBS or ws[1] in _WEAK_VERBS or ws[1] in _FILLERS):
        ws = ws[1:]
    if ws and ws[0] not in EFFECT_VERBS and ws[0].startswith("a") and ws[0][1:] in EFFECT_VERBS and ws[0] != "await":
        ws = (ws[0][1:], *ws[1:])
    return ws


def named_effect(parts: Sequence[str], *, receiver_known: bool = False) -> str | None:
    """What a callee says it does outside ("sends email", "creates ticket"), or None if its name is no evidence of an effect.

    `receiver_known` says that the receiver is an object of a known library (so that a bare verb is believed as on `db` or `client`).
    """
    names = [_bare(p) for p in parts]
    if not names or not names[-1]:
        return None
    last = names[-1]
    if last in _RUN_METHODS and len(names) > 1 and words(last)[0] not in ("send", "submit", "enqueue"):
        # The receiver is the thing that is run: a task, a tool, a remote function.
        target = _without_suffix(names[-2], ("tool", "task", "fn", "func", "job", "action", "actor", "node"))
        if len(words(target)) < 2 or _is_class(target):
            return None
        return _by_words(_strip_async(words(target)), names[:-2], receiver_known=False, run=True)
    if _is_class(last):
        return None
    return _by_words(_strip_async(words(last)), names[:-1], receiver_known=receiver_known, run=False)


def _without_suffix(name: str, suffixes: tuple[str, ...]) -> str:
    for suffix in suffixes:
        if name.endswith("_" + suffix):
            return name[: -len(suffix) - 1]
    return name


def _by_words(ws: tuple[str, ...], receivers: Sequence[str], *, receiver_known: bool, run: bool) -> str | None:
    if not ws:
        return None
    verb, rest = ws[0], ws[1:]
    if verb in _WEAK_VERBS and rest:
        head = _head(rest)
        if any(head in _WEAK_NOUNS[group] for group in _WEAK_ALLOWED[verb]) and not _IDEMPOTENT_WORDS & set(rest):
            return _object_phrase(_WEAK_VERBS[verb], rest)
        return None
    phrase = EFFECT_VERBS.get(verb)
    if phrase is None or _IDEMPOTENT_WORDS & set(rest):
        return None
    if any(w in rest for w in _CREATED_BY) or ("if" in rest and ({"not", "missing", "absent", "needed", "exists"} & set(rest))):
        # create_or_update, create_or_get, insert_if_not_exists
        return None
    if any(_inner(r) for r in receivers[-1:]):
        return None
    if not rest:
        return _bare_verb(verb, phrase, receivers, receiver_known)
    return _with_object(verb, phrase, rest, receivers) if _object_believed(verb, rest, receivers) else None


def _inner(receiver: str) -> bool:
    name = receiver.lower().lstrip("_")
    if name in _INNER_RECEIVERS:
        return True
    ws = words(receiver)
    return bool(ws) and (ws[-1] in ("logger", "log", "logs", "writer", "span", "tracer", "messages", "results", "history", "state", "queue", "executor", "pool", "lock", "buffer", "list", "dict", "set",
                                    "callback", "callbacks", "console", "cache", "lines", "ids", "names", "items", "stream", "context", "config", "prompt", "hasher", "metrics", "progress", "websocket"))


def _outer(receiver: str) -> bool:
    return any(w in _OUTER_WORDS for w in words(receiver))


def _bare_verb(verb: str, phrase: str, receivers: Sequence[str], receiver_known: bool) -> str | None:
    if verb in ("record", "emit"):
        return None
    if not receivers:
        return phrase if verb in BARE_FUNCTION else None
    receiver = receivers[-1]
    if receiver_known:
        return phrase
    if receiver in ("self", "cls") or receiver.startswith("super"):
        return phrase if verb in BARE_FUNCTION else None
    if verb == "cancel" and words(receiver)[-1:] and words(receiver)[-1] in ("task", "future", "timer", "handle", "scope", "token", "job", "coro", "t", "worker"):
        return None
    if verb == "delete" and words(receiver)[-1:] and words(receiver)[-1] in ("client", "http", "requests", "session", "httpx"):
        # HTTP DELETE and Session.delete() are safe to repeat.
        return None
    if verb in ("create", "insert", "update") and len(receivers) > 1 and receivers[-2:] and tuple(receivers[-1:]) in (("completions",), ("embeddings",), ("responses",), ("messages",), ("images",)):
        # openai- and anthropic-like clients: a model call, see named_model.
        return None
    if verb in CONTAINER_VERBS:
        if _is_class(receiver) and verb == "create":
            return None
        if not any(_outer(r) for r in receivers):
            return None
    if verb == "trigger" and words(receiver)[-1] in ("event", "events", "signal", "hook"):
        return None
    return f"{phrase} through {receiver}" if verb not in ("email", "charge") else phrase


def _object_believed(verb: str, rest: tuple[str, ...], receivers: Sequence[str]) -> bool:
    first, head, last = rest[0], _head(rest), rest[-1]
    external = any(_outer(r) for r in receivers if r not in ("self", "cls"))
    if verb in ("record", "emit"):
        return not any(w in _TELEMETRY or w in _RECORD_SAFE for w in rest)
    if verb == "post":
        return not _POST_AFTER.match(first)
    if verb == "book":
        return first not in _BOOK_NOUN
    if verb == "email":
        return first in _EMAIL_OBJECT
    if verb == "transfer":
        return any(w in _TRANSFER_OBJECT for w in rest)
    if verb in ("send", "publish", "notify"):
        return first not in _STREAMED and head not in _STREAMED and "agent" not in rest[-1:]
    if verb == "create":
        if external and head in ("task", "message", "event", "index", "session", "table", "link", "action", "question", "page", "index"):
            return True
        return head not in _MADE_IN_MEMORY and last not in _MADE_IN_MEMORY and first not in _MADE_IN_MEMORY
    if verb == "update":
        return head not in _STATE_NOUNS and last not in _STATE_NOUNS
    if verb == "write":
        return external or not ({first, head, last} & _TEXT_NOUNS)
    if verb == "append":
        return external or bool({first, head, last} & {"row", "rows", "record", "records", "audit", "ledger", "file", "sheet", "db", "database", "table", "csv", "jsonl", "disk"})
    if verb == "insert":
        return external or head not in (_CLEANED | _STATE_NOUNS | {"space", "break", "breaks", "placeholder", "text", "section"})
    if verb in ("delete", "remove"):
        return first not in _CLEANED and head not in _CLEANED and head not in _STATE_NOUNS
    if verb == "save":
        return head not in ("state", "states", "checkpoint", "checkpoints", "context", "memory")
    if verb == "trigger":
        return not {"interrupt", "interrupts", "review", "approval", "pause", "event", "events", "hook", "hooks", "error", "hitl", "human"} & set(rest)
    if verb == "cancel":
        return head not in ("task", "tasks", "future", "futures", "timer", "pending", "scope", "all", "interrupt")
    if verb == "submit":
        return head not in ("task", "tasks", "job", "future", "all", "form", "answer", "coroutine", "threadsafe") or external
    if verb == "pay":
        return first not in ("load", "loads", "attention", "out")
    if verb == "charge":
        return first not in ("type", "rate", "amount", "id", "for")
    if verb == "grant":
        return first not in ("type",)
    return True


def _with_object(verb: str, phrase: str, rest: tuple[str, ...], receivers: Sequence[str]) -> str:
    return _object_phrase(phrase, rest)


def named_model(parts: Sequence[str]) -> bool:
    """Does the callee say that it asks a model? (`llm.ainvoke`, `self.chain.invoke`, `call_llm`, `chat_completion`, `draft_email`)"""
    names = [_bare(p) for p in parts]
    if not names or not names[-1]:
        return False
    last = names[-1]
    if len(names) > 1:
        if tuple(names[-2:]) in _MODEL_TAILS:
            return True
        receiver = words(names[-2])
        if last in _MODEL_METHODS and any(w in _MODEL_WORDS for w in receiver) and not (receiver[-1] in _ABOUT_LAST or receiver[0] in ("data", "user", "db", "supply", "block")):
            return True
    if _is_class(last):
        return False
    ws = _strip_model_async(words(last))
    if not ws:
        return False
    if ws[0] in _MAKES_TEXT:
        return len(ws) > 1 and _head(ws[1:]) in _TEXT_NOUNS and not (len(ws) > 2 and ws[-1] in ("id", "prompt", "template", "path", "name", "url", "pdf", "file", "schema", "html"))
    if "llm" in ws or "llms" in ws:
        if ws[0] in _ABOUT_FIRST:
            return ws[0] in ("get", "create", "make") and ws[-1] in _ANSWER_WORDS
        return ws[-1] not in _ABOUT_LAST
    if ws[0] in _ASKS and len(ws) > 1 and ws[-1] in _ASKED and len(ws) <= 3 and ws[1] not in ("data", "user", "db"):
        return True
    if "completion" in ws or "completions" in ws:
        at = ws.index("completion" if "completion" in ws else "completions")
        return (at > 0 and ws[at - 1] == "chat" and ws[0] not in ("parse", "format", "build", "extract", "count", "validate", "is", "has", "log", "to", "from")) or (ws[0] == "get" and len(ws) == 2)
    return False


def _strip_model_async(ws: tuple[str, ...]) -> tuple[str, ...]:
    if ws and len(ws[0]) > 1 and ws[0][0] == "a" and (ws[0][1:] in _MAKES_TEXT or ws[0][1:] in _ASKS or ws[0][1:] in ("completion", "llm")):
        ws = (ws[0][1:], *ws[1:])
    while len(ws) > 1 and ws[0] in ("do", "safe", "safely", "try", "async", "sync") :
        ws = ws[1:]
    return ws


def named_read(parts: Sequence[str]) -> bool:
    """Does the callee say that it looks something up outside? (`fetch_user`, `db.find`, `search_web`)"""
    names = [_bare(p) for p in parts]
    if not names or not names[-1] or _is_class(names[-1]):
        return False
    ws = words(names[-1])
    if not ws:
        return False
    verb = ws[0][1:] if ws[0][0] == "a" and ws[0][1:] in _READ_VERBS else ws[0]
    receiver = names[-2] if len(names) > 1 else ""
    if receiver and _inner(receiver):
        return False
    if verb in _READ_VERBS:
        if len(ws) > 1:
            return ws[1] not in ("only", "by_index", "tokens", "words", "in", "index")
        return bool(receiver) and _outer(receiver)
    return verb in ("get", "list", "load") and bool(receiver) and _outer(receiver)


def named_unstable(parts: Sequence[str]) -> str | None:
    """What the callee says it makes anew every time ("reads the clock", "makes a random id"), or None."""
    names = [_bare(p) for p in parts]
    if not names or not names[-1]:
        return None
    last = names[-1].lstrip("_")
    receiver = names[-2].lstrip("_").lower() if len(names) > 1 else ""
    if receiver and receiver not in _TIMEISH and not any(w in ("clock", "time", "date", "datetime", "random", "uuid", "id", "ids") for w in words(receiver)):
        return None
    if last in _NOW_NAMES:
        if last in ("today", "current_time", "current_date", "perf_counter", "get_time") and receiver in ("self", "cls"):
            return None
        return "reads the clock"
    if last in _ID_NAMES:
        return "makes a random value"
    ws = words(last)
    if len(ws) > 1 and ws[0] in _ID_MAKERS and ws[-1] in _ID_WORDS and ws[-1] != "token":
        return "makes a new id"
    if len(ws) > 1 and ws[-1] == "token" and ws[0] in ("generate", "new", "random", "gen") and len(ws) <= 3 and "access" not in ws and "auth" not in ws:
        return "makes a new token"
    if ws[:1] == ("random",) and len(ws) > 1 and ws[1] in ("string", "str", "int", "choice", "number", "sample", "hex", "bytes", "suffix", "name", "word", "seed", "float", "delay", "key", "code"):
        return "makes a random value"
    if ws[:1] in (("generate",), ("get",), ("make",)) and "random" in ws:
        return "makes a random value"
    return None


def harmless_name(parts: Sequence[str]) -> bool:
    """Does the name say that nothing happens outside? (`logger.info`, `format_card`, `emit_event`, `record_metric`, `get_stream_writer`)"""
    names = [_bare(p) for p in parts]
    if not names or not names[-1]:
        return False
    if named_effect(parts) is not None or named_model(parts):
        return False
    if len(names) > 1 and names[-2].lower().lstrip("_") in ("logger", "log", "logging", "span", "tracer", "metrics", "console", "writer", "print", "structlog", "loguru", "telemetry", "statsd"):
        return True
    last = names[-1].lstrip("_")
    ws = words(last)
    if not ws:
        return False
    if last in _HARMLESS_NAMES or ws[-1] in ("writer", "logger") and len(ws) <= 3:
        return True
    if ws[0] in ("record", "emit", "send", "push", "publish"):
        return any(w in _TELEMETRY or w in _STREAMED for w in ws[1:])
    return ws[0] in _HARMLESS_FIRST


def named_dispatch(parts: Sequence[str]) -> bool:
    """Dynamic tool dispatch: `TOOLS_BY_NAME[name].invoke(…)` (subscripts dropped), `tool.ainvoke`, `execute_tool(call)`."""
    names = [_bare(p) for p in parts]
    if not names or not names[-1] or _is_class(names[-1]):
        return False
    last = names[-1]
    ws = words(last)
    if len(names) > 1 and last in _DISPATCH_METHODS:
        receiver = words(names[-2])
        return bool({"tool", "tools"} & set(receiver)) and not {"node", "nodes", "executor", "llm", "model", "calls", "call", "retriever", "search"} & set(receiver)
    return len(ws) > 1 and ws[0] in _DISPATCH_FIRST and bool({"tool", "tools"} & set(ws[1:])) and "node" not in ws and ws[-1] not in ("agent", "graph", "llm")
