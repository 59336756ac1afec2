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


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORD = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+")

# First word -> what the message says.
EFFECT_VERBS: dict[str, str] = {
    **{verb: verb + "s" for verb in _set("""
        send post transfer insert append grant record emit book save write create update delete remove charge provision enqueue revoke
        refund submit trigger upload deploy pay cancel
        """)},
    "publish": "publishes", "notify": "notifies", "email": "emails",
}

# Verbs that mean something outside even without an object and without a receiver: `notify(user)`, `charge(order)`. The others are as often
# a list method, a constructor (`insert(table)`) or a helper on plain data (`update(state)`).
BARE_FUNCTION = _set("""
    send post publish notify email charge pay refund transfer book deploy enqueue upload provision grant revoke save
    """)

# Verbs that lists, dicts, files, generators and executors have as methods: believed only on a receiver that sounds like something outside.
CONTAINER_VERBS = _set("append insert update remove write create submit delete cancel")

# First words that add nothing to the verb behind them.
_FILLERS = _set("""
    do safe safely try maybe async sync really actually just then and a bulk batch auto quick internal tool action api mock fake dummy
    simulate simulated
    """)

# A weak verb and a noun that together leave no doubt: `issue_refund`, `place_order`, `execute_payment`.
_MONEY = _set("refund refunds payment payments transfer transaction trade trades purchase payout withdrawal charge wire")
_ORDER = _set("order orders booking reservation")
_MAIL = _set("email emails mail sms notification notifications webhook")
_WEAK_VERBS: dict[str, tuple[str, frozenset[str]]] = {
    "issue": ("issues", _MONEY), "make": ("makes", _MONEY | _ORDER), "process": ("processes", _MONEY),
    "execute": ("executes", _MONEY | _ORDER), "perform": ("performs", _MONEY), "place": ("places", _ORDER),
    "initiate": ("initiates", _MONEY),
    "dispatch": ("dispatches", _MAIL | _ORDER), "push": ("pushes", _MAIL), "schedule": ("schedules", _set("meeting appointment interview")),
}

# Whatever is done to these stays in the process.
_STATE_NOUNS = _set("""
    state states message messages msg msgs history context ctx config configuration cfg dict list set map mapping result results output
    outputs prompt prompts plan payload metadata memory progress status variable variables vars args kwargs params scratchpad settings
    cache counter counters stats usage tokens display ui view metric metrics
    """)

# `create_x` that only makes an object in memory; also `make_x`. (RULES.md names the first line.)
_MADE_IN_MEMORY = _set("""
    agent agents llm model client chain prompt graph engine session retriever parser message messages task config llms models clients
    chains prompts graphs tasks sessionmaker subgraph workflow app router node nodes edge edges tool tools toolkit supervisor swarm team
    crew runnable middleware state schema schemas type class enum embedding embeddings vectorstore saver checkpointer store memory
    logger handler handlers context payload request response reply template instance object dict list map mapping dataframe df splitter
    loader command interrupt summary title description plan outline token jwt hash signature digest id uuid guid url uri link key slug
    name path filename callback callbacks factory service manager connection pool provider adapter wrapper decorator function func
    lambda closure generator iterator stream queue executor loop future lock event_loop fallback error exception result output view
    widget figure chart plot table tables markdown html text string query filter condition index indexes indices batch batches chunk
    chunks mock stub fake default initial copy snapshot diff patch options settings params arguments args inputs input interface server
    evaluator grader planner classifier guard policy spec definition pipeline runtime bot assistant environment env registry dispatcher
    extractor reporter bubble panel layout menu keyboard button buttons draft_text header headers body choices action actions step steps
    question questions answer tracer hook hooks subagent subagents storage backend serde search data part parts completion method
    methods
    """)

# `write_x` of a text: that is composing it, usually by a model, and nothing that leaves the process.
_TEXT_NOUNS = _set("""
    text texts response responses reply replies answer answers summary summaries email emails mail draft drafts report reports content
    post posts article articles plan plans outline essay essays story joke jokes poem code query queries sql cypher title titles
    headline description question questions itinerary letter copy blog blogpost script feedback review critique section sections chapter
    paragraph tweet tweets caption proposal message messages explanation analysis recommendation recommendations suggestions ideas
    insights completion document documents doc docs conversation dialogue dialog chat thread history transcript page pages paper papers
    findings results notes research news meeting ticket issue context slides resume brief memo translation keywords speech newsletter
    comment
    """)

# Cleaning a text or a table is no deletion.
_CLEANED = _set("""
    prefix suffix prefixes duplicates duplicate dups whitespace whitespaces tag tags markdown html punctuation stopwords stopword none
    nulls null empty special chars char characters character quotes fences fence code codeblock think thinking thoughts emoji emojis
    accents outliers column columns nan noise comments keys key fields field ansi unicode newline newlines space spaces trailing leading
    stop links urls brackets escape method methods call calls callback callbacks hook hooks escapes indent indentation lines line blank
    diacritics pii item element elements node edge reasoning citations footnotes headers footers handler handlers listener orphan
    orphans invalid unused interrupt interrupts at by nones nans word words substring attr attrs attribute attributes messages message
    tool tools
    """)

# "post" as "after" (a step of the work follows: `post_process`, `post_model_hook`) and as a noun (`post_title`: the title of a post).
# A thing that can be posted is none of these: `post_order`, `post_review`, `post_data`.
_POST_AFTER = _set("""
    process processes processing processed processor model hook hooks init initialize validate validation validator call run exec
    execute execution filter check checks condition agent tool node step interrupt approval training train load save commit
    fork invoke parse build handler stop start mortem script prompt hoc with for url id ids title type
    """)
_BOOK_NOUN = _set("""
    title info list search data name id details author recommendation recommendations recommender price by to keeping agent node value
    depth review summary graph writer shelf
    """)
_EMAIL_OBJECT = _set("""
    user users customer customers client clients team manager admin invoice receipt report results owner support approver reviewer alert
    to person recipient recipients
    """)
_TRANSFER_OBJECT = _set("""
    funds fund money amount balance ownership file files asset assets tokens token domain points stock shares crypto account wallet bank
    cash payment eth btc call data credits between
    """)

# Streams, traces and progress: safe to repeat (RULES.md). `event` only for record_ and emit_: `send_event` and `create_event` are the
# calendar's and the queue's.
_TELEMETRY = _set("""
    interrupt interrupts event events metric metrics span spans trace traces log logs progress
    """)
_STREAMED = _set("""
    metric metrics span spans trace traces log logs progress telemetry heartbeat ping typing keepalive chunk chunks token tokens stream
    delta status thinking interrupt sse ui debug feedback_event
    """)
_RECORD_SAFE = _set("""
    telemetry stat stats statistics latency duration timing time counter count histogram gauge exception error errors feedback_metric
    status state step message messages debug diagnostics langfuse langsmith sentry activation context middleware to from for signal
    update updates chunk token tokens delta ui sse custom node thinking start end session_start tool text warning info call calls
    attributes timer attempt failure success pause resume
    """)

# Idempotent by their own words, wherever they stand in the name.
_IDEMPOTENT_WORDS = _set("""
    upsert ensure idempotent once dry preview noop merge
    """)

_LOG_WORDS = _set("log logs logger logging logfile trace traces tracer tracing tracelog telemetry metric metrics span spans debug")
_NO_WORD = re.compile(r"\W+")

# Receivers that are containers, locals, state, or talk to the screen, the log and the tracer.
_INNER_RECEIVERS = _set("""
    logger log logging logs _logger _log span tracer trace metrics metric statsd telemetry langfuse console progress pbar bar spinner
    status writer stream streamer callback callbacks cb handler st cl print state messages message msgs results result items item list
    lists dict data d lst arr seen visited parts lines chunks output outputs buffer buf stack history context ctx config kwargs args
    params values errors warnings options headers set steps queries docs documents texts tokens words names ids tasks todos plan plans
    sections tool_calls updates payload metadata prompt text string s content response sb h hasher digest hash counter counts env
    environ os sys re json math graph builder workflow parser subparsers cls generator gen coro future fut executor pool tg nursery loop
    timer scope thread condition cond cv lock ws websocket socket sock websockets sio checkpointer saver memory memo cache event signal
    df frame np pd figure ax doc soup tag element root tree node queue q heap deque window session_state scratchpad monitor recorder
    setdefault get pop run_manager callback_manager text_area widget table_widget layout screen display ui view spec schema prompts mock
    """)

# Words in a receiver's name that say "something outside".
_OUTER_WORDS = _set("""
    db database repo repository repositories dao store storage collection table sheet worksheet spreadsheet client service svc api crm
    erp gateway mongo mongodb redis supabase firestore sql orm objects backend server sdk mailer mail smtp email gmail outlook slack
    discord telegram twilio sms notifier notification notifications publisher producer broker bus kafka rabbitmq sns sqs s3 bucket blob
    drive github gitlab jira linear notion asana trello zendesk salesforce hubspot stripe payment payments billing bank ledger wallet
    account accounts order orders booking bookings calendar ticket tickets ticketing invoice invoices inventory warehouse crud conn
    connection cursor remote k8s kubernetes cluster deployment registry webhook webhooks users user customers customer records manager
    connector integration shop stock hr audit prisma model
    """)

_MODEL_WORDS = _set("""
    llm llms model chain chatmodel lm gpt chatgpt claude gemini openai anthropic mistral ollama deepseek qwen llama
    """)
_OTHER_MODELS = _set("data user db supply block")  # `data_model`, `supply_chain`
_MODEL_METHODS = _set("""
    invoke ainvoke stream astream generate agenerate predict apredict predict_messages apredict_messages batch abatch complete acomplete
    chat achat stream_chat astream_chat call_as_llm generate_content generate_content_async generate_text generate_response
    generate_structured astream_events stream_events run arun acall call query ask completion acompletion chat_completion
    create_completion converse structured_predict astructured_predict structured_output __call__ transform atransform batch_as_completed
    abatch_as_completed invoke_with_retry ainvoke_with_retry generate_json chat_json text_completion get_completion summarize classify
    """)
# The last two parts of a call on a provider's client.
_MODEL_TAILS = frozenset(tuple(tail.split(".")) for tail in """
    completions.create completions.acreate completions.parse completions.stream messages.create messages.stream messages.parse
    responses.create responses.parse responses.stream embeddings.create images.generate models.generate_content
    models.generate_content_stream models.embed_content ChatCompletion.create ChatCompletion.acreate Completion.create Completion.acreate
    """.split())
# What makes new things on such a client; the same word on `db` is an effect.
_PROVIDER_PARTS = _set("completions embeddings responses messages images")
_ASKS = frozenset({"ask", "call", "query", "prompt", "invoke", "run"})
_ASKED = _set("""
    model gpt gpt4 chatgpt claude gemini openai anthropic ai mistral ollama deepseek qwen groq bedrock lm
    """)
_MAKES_TEXT = frozenset({"generate", "draft", "summarize", "summarise", "regenerate"})
# `get_llm`, `llm_config`: something about the model, not a call of it.
_ABOUT_FIRST = _set("""
    get create build make load init initialize setup configure new select choose_model bind register with has is set parse format count
    validate log extract clean normalize serialize convert to from render resolve mock fake patch should can supports uses use record
    track check reset close list on wrap trace prepare strip read update test print add swap switch estimate truncate default provide
    find lookup instantiate construct import env save store cache cached delete remove after before post pre
    """)
_ABOUT_LAST = _set("""
    config client factory provider settings cache registry name names params kwargs type id cost costs tokens usage options enabled
    available key instance error errors prompt messages schema node_name wrapper class spec info limit callback callbacks handler
    profile string manager
    """)
_ANSWER_WORDS = _set("""
    response answer reply completion decision result summary output feedback suggestion analysis classification verdict plan score
    """)

_READ_VERBS = _set("""
    fetch download scrape crawl query search lookup retrieve read select find browse poll refetch count
    """)
_NOW_NAMES = _set("""
    now utcnow utc_now now_utc time_ns get_now get_current_time current_time get_timestamp current_timestamp get_current_timestamp
    get_current_datetime current_datetime get_utc_now get_time now_iso iso_now utcnow_iso utc_now_iso now_ms now_ts get_current_date
    get_today today today_str get_today_str current_date generate_timestamp make_timestamp timestamp_now now_str perf_counter monotonic
    localnow local_now epoch_ms unix_now now_iso8601 now_timestamp
    """)
_ID_MAKERS = _set("""
    generate new make create gen random next mint build_random fresh unique rand
    """)
_ID_WORDS = _set("""
    id ids uuid uuids guid nonce ulid nanoid cuid token otp salt
    """)
_ID_NAMES = _set("""
    uuid uuid1 uuid4 uuid6 uuid7 guid ulid nanoid cuid shortuuid uid rand random randint randrange token_hex token_urlsafe uuid4_hex
    shuffle
    """)
# Receivers on which `now`, `random` … are not a clock or a die.
_TIMEISH = _set("""
    time datetime dt date clock timezone pendulum arrow utils helpers self cls random rng uuid secrets faker fake np numpy timeutils
    time_utils timestamp timestamps ids common idgen id_generator generator timezone_utils datetime_utils date_utils id_gen
    """)

_HARMLESS_FIRST = _set("""
    log debug info warn warning error trace track format parse build get is has validate to from print render compute calculate count
    check extract normalize convert filter sort merge split join encode decode serialize deserialize load dump ensure assert should can
    make as in needs requires was map reduce truncate strip clean sanitize redact mask display show describe explain infer detect match
    compare resolve list iter apply with without wrap unwrap prepare collect
    """)
_HARMLESS_NAMES = _set("""
    print pprint logger log writer stream_writer sleep len str repr
    """)

_DISPATCH_METHODS = _set("""
    invoke ainvoke run arun call acall func coroutine execute aexecute
    """)
_DISPATCH_FIRST = _set("""
    execute run call invoke dispatch ainvoke arun aexecute perform acall
    """)
# Ways to run a thing that is named by the receiver: `send_email.delay(x)`, `send_email_tool.invoke(x)`.
_RUN_METHODS = _set("""
    invoke ainvoke run arun remote call acall func coroutine execute aexecute spawn local starmap __call__
    """)
_QUEUES = _set("delay apply_async kiq send_with_options")  # task queues: what is queued twice runs twice
_PREPOSITIONS = _set("""
    for from with to in into by of on at via as using if and after before
    """)
# The last word of a receiver's name for a verb that containers have, too: `repo.update`, but not `records.append` or `order.remove`.
_STORES = _set("""
    db database repo repository dao collection table sheet worksheet spreadsheet client service svc api crm erp gateway backend orm
    objects supabase mongo mongodb firestore crud warehouse inventory server sdk ledger storage store prisma orders users customers
    tickets bookings accounts payments subscription subscriptions manager calendar connector integration
    """)
# For `append`, which every list has.
_LISTED_STORES = _set("""
    db database repo repository dao sheet worksheet spreadsheet client service svc api crm erp ledger backend supabase gateway connector
    server sdk
    """)
# The last word of a receiver's name that makes it an inner one: `audit_logger`, `self.tool_messages`.
_INNER_LAST = _set("""
    logger log logs writer span tracer messages results history state queue executor pool lock buffer list dict set callback callbacks
    console cache lines ids names items stream context config prompt hasher metrics progress websocket splitter chunker tokenizer
    """)
_LISTENERS = _set("each all listeners observers subscribers waiters watchers")
_SUBMITTED_IN_PROCESS = _set("task tasks job future all form answer coroutine threadsafe query loop")
_SENT_IN_PROCESS = _set("conn connection channel pipe socket sock")  # a bare `send` on these talks to the next process or the page
_CANCELLED_IN_PROCESS = _set("task future timer handle scope token job coro t worker tasks futures")
_HTTP_RECEIVERS = _set("client http requests session httpx")  # DELETE and Session.delete() are safe to repeat
_REQUESTS_MADE = _set("pull merge change support feature purchase leave time")  # create_pull_request
# What `api`, `db` or `client` makes outside although the same words are mostly made in memory. Sessions, tasks and messages are made in
# memory on such an object, too.
_OUTSIDE_THINGS = _set("event index table link action question page")
_ROWS = _set("row rows record records audit ledger file sheet db database table csv jsonl disk")
_GATES = _set("interrupt interrupts review approval pause event events hook hooks error hitl human")
_LOG_RECEIVERS = _set("logger log logging span tracer metrics console writer print structlog loguru telemetry statsd")
_TOOL_WORDS = frozenset({"tool", "tools"})
_NO_DISPATCH = _set("node nodes executor llm model calls call retriever search")
_CLOCK_WORDS = _set("clock time date datetime random uuid id ids")
_RANDOM_THINGS = _set("string str int choice number sample hex bytes suffix name word seed float delay key code")
_MADE_FROM_TEXT = _set("id prompt template path name url pdf file schema html")
_ABOUT_COMPLETION = _set("parse format build extract count validate is has log to from")


@lru_cache(maxsize=8192)
@lru_cache(maxsize=8_192)
def words(name: str) -> tuple[str, ...]:
    """The words of an identifier, in lower case: `sendMail2` -> ("send", "mail", "2")."""
    return tuple(w.lower() for w in _WORD.findall(name))


def _names(parts: Sequence[str]) -> list[str]:
    return [part.split("(", 1)[0].split("[", 1)[0] for part in parts]


def _is_class(name: str) -> bool:
    return name.lstrip("_")[:1].isupper()


def _last_word(name: str) -> str:
    ws = words(name)
    return ws[-1] if ws else ""


def _head(rest: Sequence[str]) -> str:
    """The noun that an object phrase is about: the last word before a preposition (`event in calendar` -> `event`)."""
    head = ""
    for word in rest:
        if word in _PREPOSITIONS:
            if head:
                break
        elif not word.isdigit():
            head = word
    return head


def _without_fillers(ws: tuple[str, ...]) -> tuple[str, ...]:
    """`asend_email` -> send email; `safe_send_email` -> send email."""
    while len(ws) > 1 and ws[0] in _FILLERS and (ws[1] in EFFECT_VERBS or ws[1] in _WEAK_VERBS or ws[1] in _FILLERS):
        ws = ws[1:]
    if ws and ws[0] not in EFFECT_VERBS and ws[0][:1] == "a" and ws[0][1:] in EFFECT_VERBS:
        ws = (ws[0][1:], *ws[1:])
    return ws


def _without_suffix(name: str) -> str:
    for suffix in ("tool", "task", "fn", "func", "job", "action", "actor", "node"):
        if name.endswith("_" + suffix):
            return name[: -len(suffix) - 1]
    return name


# What a name that begins with send, publish or notify can end in when the function only makes or counts something.
_NOT_SENT = frozenset({"agent", "prompt", "count", "template"})


# --------------------------------------------------------------------------- effects
def named_effect(parts: Sequence[str], *, receiver_known: bool = False) -> str | None:
    """What a callee says it does outside ("sends email", "creates ticket"), or None if its name is no evidence of an effect.

    `receiver_known` says that the receiver is an object of a known library (so that a bare verb is believed as on `db` or `client`).
    """
    names = _names(parts)
    if not names or not names[-1]:
        return None
    *receivers, last = names
    if receivers and last in _QUEUES:
        return f"queues {receivers[-1]}"
    if receivers and last in _RUN_METHODS:
        # The receiver is the thing that is run: a task, a tool, a remote function.
        target = _without_suffix(receivers[-1])
        if len(words(target)) < 2 or _is_class(target):
            return None
        return _by_words(_without_fillers(words(target)), receivers[:-1], False)
    if _is_class(last):
        return None
    return _by_words(_without_fillers(words(last)), receivers, receiver_known)


def _by_words(ws: tuple[str, ...], receivers: Sequence[str], receiver_known: bool) -> str | None:
    if not ws:
        return None
    verb, rest = ws[0], ws[1:]
    if _IDEMPOTENT_WORDS & set(rest) or _looks_first(rest):
        return None
    if verb in _WEAK_VERBS:
        says, nouns = _WEAK_VERBS[verb]
        return " ".join((says, *rest)) if _head(rest) in nouns else None
    says = EFFECT_VERBS.get(verb, "")
    if not says or (receivers and verb != "enqueue" and _inner(receivers[-1])):
        return None
    if not rest:
        return _bare_verb(verb, says, receivers, receiver_known)
    return " ".join((says, *rest)) if _object_believed(verb, rest, receivers) else None


def _looks_first(rest: Sequence[str]) -> bool:
    """`create_or_update`, `create_or_get`, `insert_if_not_exists`"""
    return "or" in rest or ("if" in rest and bool({"not", "missing", "absent", "needed", "exists"} & set(rest)))


def _inner(receiver: str) -> bool:
    return receiver.lower().lstrip("_") in _INNER_RECEIVERS or _last_word(receiver) in _INNER_LAST


def _outer(receiver: str) -> bool:
    return any(w in _OUTER_WORDS for w in words(receiver))


def outside(receiver: str) -> bool:
    """Whether a receiver's name says that it is something outside: `repo`, `bucket`, `mail_client`."""
    return _outer(receiver)


def _bare_verb(verb: str, says: str, receivers: Sequence[str], receiver_known: bool) -> str | None:
    """A verb without an object: `notify(user)`, `db.save(x)`."""
    if verb in ("record", "emit"):
        return None
    if not receivers:
        return says if verb in BARE_FUNCTION else None
    receiver = receivers[-1]
    if receiver_known:
        return says
    if receiver in ("self", "cls", "super"):
        return says if verb in BARE_FUNCTION else None
    noun = _last_word(receiver)
    if (verb == "cancel" and noun in _CANCELLED_IN_PROCESS) or (verb == "send" and noun in _SENT_IN_PROCESS) or (
            verb == "delete" and noun in _HTTP_RECEIVERS) or (verb == "trigger" and noun in _GATES):
        return None
    if verb in ("create", "insert", "update") and noun in _PROVIDER_PARTS and len(receivers) > 1:
        return None
    if verb == "create":
        if _is_class(receiver) or not any(_outer(r) for r in receivers):
            return None
    elif verb in CONTAINER_VERBS and noun not in (_LISTED_STORES if verb == "append" else _STORES):
        return None
    return f"{says} through {receiver}"


def _object_believed(verb: str, rest: tuple[str, ...], receivers: Sequence[str]) -> bool:
    """Is verb + object believed? `send email` yes, `create prompt`, `post process`, `remove whitespace` no."""
    first, head, last = rest[0], _head(rest), rest[-1]
    outer = any(_outer(r) for r in receivers if r not in ("self", "cls"))
    if verb in ("record", "emit"):
        return not any(w in _TELEMETRY or w in _RECORD_SAFE for w in rest)
    if verb == "post":
        return first not in _POST_AFTER
    if verb == "book":
        return first not in _BOOK_NOUN
    if verb == "email":
        return first in _EMAIL_OBJECT
    if verb == "transfer":
        return any(w in _TRANSFER_OBJECT for w in rest)
    if verb in ("send", "publish", "notify"):
        return not ({first, head} & _STREAMED or last in _NOT_SENT or (verb == "notify" and first in _LISTENERS))
    if verb == "create":
        if (outer and head in _OUTSIDE_THINGS) or (head == "request" and bool(_REQUESTS_MADE & set(rest))):
            return True
        return not {first, head, last} & _MADE_IN_MEMORY
    if verb == "update":
        return head not in _STATE_NOUNS and last not in _STATE_NOUNS
    if verb == "write":
        return outer or not ({first, head, last} & _TEXT_NOUNS or (last in ("log", "logs") and "audit" not in rest))
    if verb == "append":
        return outer or bool({first, head, last} & _ROWS)
    if verb == "insert":
        return outer or head not in _CLEANED | _STATE_NOUNS | {"space", "break", "breaks", "placeholder", "text", "section"}
    if verb in ("delete", "remove"):
        return not {first, head, last} & _CLEANED and head not in _STATE_NOUNS
    if verb == "save":
        return head not in ("state", "states", "checkpoint", "checkpoints", "context", "memory")
    if verb == "trigger":
        return not _GATES & set(rest)
    if verb == "cancel":
        return head not in _CANCELLED_IN_PROCESS | {"pending", "all", "interrupt"}
    if verb == "submit":
        return outer or head not in _SUBMITTED_IN_PROCESS and "loop" not in rest
    if verb in ("pay", "charge", "grant"):
        return first not in ("load", "loads", "attention", "type", "rate", "amount", "id", "for")
    return True


# --------------------------------------------------------------------------- a POST that only asks
_ASKING = _set("""
    get list fetch search find query load read check is has lookup count retrieve resolve validate verify describe status ping authenticate
    login connect refresh embed select
    """)
_SEARCHING = _set("search lookup")
_SIGNING_IN = _set("authenticate login connect refresh")  # what stands behind these is no thing to look up
_AUTH = _set("token tokens auth oauth login credentials jwt authenticate")
_NOT_ASKED = _set("""
    send publish notify pay enqueue provision revoke submit create delete remove save append insert cancel
    """)
# Effect verbs that are as often the thing that is looked up: `get_email`, `list_refund`, `check_order_transfer`.
_ALSO_NOUNS = _set("post email charge refund transfer book deploy upload grant trigger record update write order")
_DONE = _set("paid booked refunded charged notified")
# The shop's, the hotel's and the library's: but "in" a list or the stock, and "out of" something, are look-ups again.
_CHECKED_IN_SOMETHING = _set("""
    stock db database cache list index progress range use inventory system network memory store set table of for scope time
    """)
_CARRYING = _set("""
    post request requests req call api http https rest json rpc jsonrpc graphql gql execute exec do send raw with retry retries make run
    invoke perform http2 async sync client session url endpoint fetch data body payload form safe safely try remote tool tools mcp
    query soap xml helper method action and one by name
    """)
_CARRIED = _set("tool tools request api call rpc query graphql endpoint http mcp post")


@lru_cache(maxsize=4096)
def names_log(shown: str) -> bool:
    """Whether the name of a function, a class or a file speaks of a log: `log_trace`, `TraceWriter`, `self.log_file`, `runs/trace.jsonl`; not
    `login`, `log_in`, `catalog`."""
    ws = [w for part in _NO_WORD.split(shown) for w in words(part)]
    return any(w in _LOG_WORDS and ws[n + 1:n + 2] not in (["in"], ["out"]) for n, w in enumerate(ws))


_PROGRESS = _set("progress heartbeat telemetry metric metrics span spans trace traces")
_TELLS = _set("report record track push log publish")


@lru_cache(maxsize=4096)
def tells_progress(name: str) -> bool:
    """Whether a function tells those who look on how far the run has come: `emit`, `emit_event`, `report_progress`; not `send_event`,
    `record_event` or `record_status`, which may be business."""
    ws = words(name)
    if ws[:1] in (("emit",), ("stream",)):
        return ws == ("emit",) or not {*_PROGRESS, "status", "event", "events"}.isdisjoint(ws)
    return ws[:1] != () and ws[0] in _TELLS and not _PROGRESS.isdisjoint(ws[1:])


_BOOKS = _set("usage usages tokens cost costs spend billing metering metric metrics telemetry stats statistics analytics")
_KEEPS = _set("record track log count report save write persist add store update insert collect bump increment")


@lru_cache(maxsize=4096)
def keeps_books(name: str) -> bool:
    """Whether a function writes down what a run has used up: `record_usage`, `track_cost`, `save_token_usage`."""
    ws = words(name.removeprefix("calls "))
    return ws[:1] != () and ws[0] in _KEEPS and not _BOOKS.isdisjoint(ws[1:])


@lru_cache(maxsize=4096)
def only_asks(name: str) -> bool:
    """Whether a function that POSTs only looks something up or signs in, by its name: `search_flights`, `get_access_token`; not
    `find_and_book`, `check_out`, `grant_token`."""
    ws = words(name)
    if _SEARCHING & set(ws) and ws[0] not in _ASKING and ws[0] not in EFFECT_VERBS and not (_NOT_ASKED | {"and", "then"}) & set(ws):
        return True  # `web_search`, `_web_search_api`
    if not ws or not (ws[0] in _ASKING or _AUTH & set(ws)):
        return False
    first, rest = ws[0], ws[1:]
    if first == "check" and rest[:1] in (("in",), ("out",)) and not (len(rest) > 1 and rest[1] in _CHECKED_IN_SOMETHING):
        return False
    if first == "get" and len(rest) == 1 and rest[0] in _DONE:
        return False
    if _looks_first(rest):
        return True
    signs_in = first in _SIGNING_IN or first not in _ASKING
    for before, word in zip(ws, rest):
        if word in _NOT_ASKED or (word in _ALSO_NOUNS and (signs_in or before in ("and", "then", "or"))):
            return False
    return first in _ASKING or not (first in _NOT_ASKED - {"create"} or first in _ALSO_NOUNS)


# Ends of addresses that only look something up, and what stands beside such a word: `/v1/web-search`, `/points/query`; not `/search-and-book`.
_LOOKED_UP_AT = _set("search msearch websearch query lookup similarity embeddings retrieve retrieval rerank translate tokenize detokenize")
_BESIDE_LOOK_UP = _set("web news image images text full semantic vector vectors hybrid similarity nearest knn multi document documents docs doc batch advanced fulltext code")


@lru_cache(maxsize=4096)
def looks_up_at(tail: str) -> bool:
    """Whether the last part of an address says that what is POSTed there is a question."""
    ws = words(tail)
    return bool(ws) and bool(_LOOKED_UP_AT & set(ws)) and set(ws) <= _LOOKED_UP_AT | _BESIDE_LOOK_UP


@lru_cache(maxsize=4096)
def only_transports(name: str) -> bool:
    """Whether a name says no more than that something is sent, and perhaps to whom: `_post`, `_make_request`, `call_jira_api`,
    `execute_gmail_tool`. What for, its callers say."""
    ws = words(name)
    if not ws or all(w in _CARRYING or (w[0] == "a" and w[1:] in _CARRYING) for w in ws):
        return bool(ws)
    return (ws[-1] in _CARRIED or ws[0] in ("call", "acall", "invoke", "query")) and not (_NOT_ASKED | _ALSO_NOUNS - {"post"}) & set(ws)


_TOOL_ASKS = _set("get list fetch search find query read lookup retrieve describe check")
_TOOL_ACTS = frozenset(EFFECT_VERBS) | _NOT_ASKED | _set("""
    update modify set mark add put patch move reply forward trash archive insert replace write upload edit rename approve reject run execute import
    """)


@lru_cache(maxsize=4096)
def tool_asks(tool: str) -> bool:
    """Whether the name of a tool says that it only looks something up, wherever its verb stands: `list_issues`, `GMAIL_FETCH_EMAILS`,
    `CALENDAR_EVENTS_GET`; not `find_and_book`, `MARK_AS_READ`, `CREATE_LIST`."""
    ws = words(tool)
    at = next((n for n, w in enumerate(ws) if w in _TOOL_ASKS), None)
    return at is not None and not _TOOL_ACTS & set(ws[:at]) and only_asks("_".join(ws[at:]))


@lru_cache(maxsize=4096)
def tool_acts(tool: str) -> bool:
    """Whether the name of a tool says that it does something: `GMAIL_SEND_EMAIL`, `create_issue`."""
    ws = words(tool)
    return len(ws) > 1 and not tool_asks(tool) and not _TOOL_ACTS.isdisjoint(ws)


# --------------------------------------------------------------------------- models
def named_model(parts: Sequence[str]) -> bool:
    """Does the callee say that it asks a model? (`llm.ainvoke`, `self.chain.invoke`, `call_llm`, `chat_completion`, `draft_email`)"""
    names = _names(parts)
    if not names or not names[-1]:
        return False
    last = names[-1]
    if len(names) > 1:
        if tuple(names[-2:]) in _MODEL_TAILS:
            return True
        receiver = words(names[-2])
        if last in _MODEL_METHODS and _MODEL_WORDS & set(receiver) and receiver[-1] not in _ABOUT_LAST and receiver[0] not in _OTHER_MODELS:
            return True
    if _is_class(last):
        return False
    ws = words(last)
    if ws and ws[0][:1] == "a" and (ws[0][1:] in _MAKES_TEXT or ws[0][1:] in _ASKS or ws[0][1:] in ("completion", "llm")):
        ws = (ws[0][1:], *ws[1:])
    while len(ws) > 1 and ws[0] in ("do", "safe", "safely", "try", "async", "sync"):
        ws = ws[1:]
    return bool(ws) and _asks_model(ws)


def _asks_model(ws: tuple[str, ...]) -> bool:
    first, last = ws[0], ws[-1]
    if first in _MAKES_TEXT:
        return len(ws) > 1 and _head(ws[1:]) in _TEXT_NOUNS and not (len(ws) > 2 and last in _MADE_FROM_TEXT)
    if "llm" in ws or "llms" in ws:
        if first in _ABOUT_FIRST:
            return first in ("get", "create", "make") and last in _ANSWER_WORDS
        return last not in _ABOUT_LAST
    if first in _ASKS and last in _ASKED and 1 < len(ws) <= 3 and ws[1] not in _OTHER_MODELS:
        return True
    for noun in ("completion", "completions"):
        if noun in ws:
            at = ws.index(noun)
            return (at > 0 and ws[at - 1] == "chat" and first not in _ABOUT_COMPLETION) or (first == "get" and len(ws) == 2)
    return False


# --------------------------------------------------------------------------- reads, new values, the rest
def named_read(parts: Sequence[str]) -> bool:
    """Does the callee say that it looks something up outside? (`fetch_user`, `db.find`, `search_web`)"""
    names = _names(parts)
    if not names or not names[-1] or _is_class(names[-1]):
        return False
    *receivers, last = names
    ws = words(last)
    if not ws or (receivers and _inner(receivers[-1])):
        return False
    verb = ws[0][1:] if ws[0][0] == "a" and ws[0][1:] in _READ_VERBS else ws[0]
    outer = bool(receivers) and _outer(receivers[-1])
    if verb in _READ_VERBS:
        return ws[1] not in ("only", "tokens", "words", "in", "index") if len(ws) > 1 else outer
    return verb in ("get", "list", "load") and outer


def named_unstable(parts: Sequence[str]) -> str | None:
    """What the callee says it makes anew every time ("reads the clock", "makes a new id"), or None."""
    names = _names(parts)
    if not names or not names[-1]:
        return None
    last = names[-1].lstrip("_")
    receiver = names[-2].lstrip("_").lower() if len(names) > 1 else ""
    if receiver and receiver not in _TIMEISH and not _CLOCK_WORDS & set(words(receiver)):
        return None
    if last in _NOW_NAMES:
        return None if receiver in ("self", "cls") and last in ("today", "current_time", "current_date", "get_time") else "reads the clock"
    if last in _ID_NAMES:
        return "makes a random value"
    ws = words(last)
    if len(ws) < 2:
        return None
    first, noun = ws[0], ws[-1]
    if noun == "token":
        return "makes a new token" if first in ("generate", "new", "random", "gen") and not {"access", "auth"} & set(ws) else None
    if first in _ID_MAKERS and noun in _ID_WORDS:
        return "makes a new id"
    if (first == "random" and ws[1] in _RANDOM_THINGS) or (first in ("generate", "get", "make") and "random" in ws):
        return "makes a random value"
    return None


def harmless_name(parts: Sequence[str]) -> bool:
    """Does the name say that nothing happens outside? (`logger.info`, `format_card`, `emit_event`, `record_metric`, `get_stream_writer`)"""
    names = _names(parts)
    if not names or not names[-1]:
        return False
    if len(names) > 1 and names[-2].lower().lstrip("_") in _LOG_RECEIVERS:
        return True
    if named_effect(parts) or named_model(parts) or named_unstable(parts) or named_read(parts):
        return False
    last = names[-1].lstrip("_")
    ws = words(last)
    if not ws:
        return False
    if last in _HARMLESS_NAMES or (ws[-1] in ("writer", "logger") and len(ws) <= 3):
        return True
    if ws[0] in ("record", "emit", "send", "push", "publish"):
        return any(w in _TELEMETRY or w in _STREAMED for w in ws[1:])
    return ws[0] in _HARMLESS_FIRST


def named_dispatch(parts: Sequence[str]) -> bool:
    """Dynamic tool dispatch: `TOOLS_BY_NAME[name].invoke(…)` (subscripts dropped), `tool.ainvoke`, `execute_tool(call)`."""
    names = _names(parts)
    if not names or not names[-1] or _is_class(names[-1]):
        return False
    last = names[-1]
    if len(names) > 1 and last in _DISPATCH_METHODS:
        receiver = set(words(names[-2]))
        return bool(_TOOL_WORDS & receiver) and not _NO_DISPATCH & receiver
    ws = words(last)
    return (len(ws) > 1 and ws[0] in _DISPATCH_FIRST and bool(_TOOL_WORDS & set(ws[1:])) and "node" not in ws
            and ws[-1] not in ("agent", "graph", "llm"))
