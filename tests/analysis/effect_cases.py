"""Small programs for test_effects.py: name -> (codes that are looked at, source with marks)."""

from __future__ import annotations

HEAD = "from langgraph.types import Command, interrupt\n"
CASES: dict[str, tuple[tuple[str, ...], str]] = {}


def case(name: str, codes: str, source: str) -> None:
    assert name not in CASES
    CASES[name] = (tuple(codes.split()), HEAD + source)


def posts(*names: str) -> str:
    """A node that calls functions of these names, each of which sends a POST; a name that ends in `!` is an effect."""
    plain = [n.rstrip("!") for n in names]
    functions = "".join(f'def {n}(x):\n    return httpx.post("https://api.example/v1", json=x).json()\n' for n in plain)
    calls = "".join(f'    {n}(state["x"]){"  # 101" if m.endswith("!") else ""}\n' for n, m in zip(plain, names))
    return f"import httpx\n{functions}def node(state):\n{calls}    return {{'a': interrupt('q')}}\n"


# ------------------------------------------------------------------ a POST, and the names of the functions around it
case("the name of the function that posts can say that it only asks", "101", posts(
    "search_flights", "get_quote", "list_posts", "find_books", "fetch_email", "query", "load_order", "lookup_refund", "check_charge", "is_available",
    "check_in_stock", "check_out_of_stock", "get_paid_invoices", "select_seat_map", "getTransferStatus", "embed_texts"))
case("fetching a token is no effect", "101", posts(
    "get_token", "refresh_token", "login", "authenticate", "get_access_token", "exchange_token", "create_access_token", "connect", "_oauth_request",
    "request_token"))
case("a second word that acts takes the excuse away", "101", posts(
    "check_out!", "check_in_guest!", "get_paid!", "find_and_book!", "grant_token!", "login_bonus_grant!", "search_and_notify!", "getAndSubmit!",
    "send_auth_code!", "revoke_token!", "fetch_then_delete!", "load_send_queue!"))
case("names that say nothing excuse nothing", "101", posts("handle!", "process!", "step!", "resolve_all", "ask_supplier!", "_open!"))
case("the caller of a function that acts is not excused by its own name", "101", '''
import httpx
SLACK = "https://hooks.slack.example/x"
def notify_ops(o): httpx.post(SLACK, json=o)
def check_inventory(o):
    if o["n"] > 3:
        notify_ops(o)
    return o["n"]
def create_customer(i): return httpx.post("https://crm.example", json={"id": i}).json()
def load_customer(i):
    return create_customer(i)
def get_profile(i): return load_customer(i)
class Desk:
    def get_ticket(self, o): return self._open(o)
    def _open(self, o): return httpx.post("https://t.example", json=o)
def node(state):
    n = check_inventory(state["o"])  # 101
    c = get_profile(n)  # 101
    t = Desk().get_ticket(n)  # 101
    return {"a": interrupt("q")}
''')
case("a helper that only carries the request leaves the word to its caller", "101", '''
import httpx
class Api:
    def __init__(self): self.http = httpx.Client()
    def _post(self, path, body): return self.http.post(path, json=body).json()
    def _make_request(self, path, body): return self._post(path, body)
    def get_access_token(self): return self._post("/oauth/token", {})
    def search_issues(self, q): return self._make_request("/search", {"q": q})
    def create_issue(self, x): return self._make_request("/issues", x)
    def load_issue(self, x): return self.create_issue(x)
async def graphql(query): return httpx.post("https://g.example", json={"query": query}).json()
async def fetch_user(i): return await graphql("{ user }")
async def close_user(i): return await graphql("mutation { close }")
api = Api()
async def node(state):
    api.get_access_token()
    found = api.search_issues(state["q"])
    await fetch_user(found)
    api.load_issue(found)  # 101
    await close_user(found)  # 101
    api._post("/x", found)  # 101
    return {"a": interrupt("q")}
''')
case("what acts is told, wherever it stands beside a look-up", "101", '''
import httpx
def search(q): return httpx.post("https://s.example", json=q).json()
def charge(o): return httpx.post("https://pay.example", json=o)
def get_order(o):
    r = httpx.post("https://s.example", json=o)
    charge(o)
    return r
def get_offers(o): return [search(o), httpx.post("https://s.example", json=o)]
def node(state):
    get_order(state["o"])  # 101
    get_offers(state["o"])
    return {"a": interrupt("q")}
''')

# ------------------------------------------------------------------ files that only this activation has
case("writing into memory", "101", '''
import io, sys, zipfile, tarfile, gzip
from io import BytesIO, StringIO
import numpy as np, pandas as pd, torch, pypandoc, pdfkit
import matplotlib.pyplot as plt
from PIL import Image
from openpyxl import Workbook
from docx import Document
from weasyprint import HTML
def png(img):
    out = io.BytesIO()
    img.save(out, format="PNG")
    return out.getvalue()
class Page:
    def __init__(self): self.buf = BytesIO()
    def draw(self, fig): fig.savefig(self.buf)
def node(state, img, report):
    with zipfile.ZipFile(io.BytesIO(), "w") as z: z.writestr("a", "x")
    raw = BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as t: t.add("x")
    with gzip.open(raw, "wb") as g: g.write(b"x")
    png(Image.new("RGB", (3, 3))); Image.open("a.png").save(fp=raw, format="PNG"); img.save(raw, "JPEG")
    fig, ax = plt.subplots(); fig.savefig(raw); plt.savefig(raw, dpi=90); Page().draw(fig)
    wb = Workbook(); wb.save(raw); Document().save(raw); np.save(raw, [1]); torch.save(report, raw)
    df = pd.DataFrame(state["rows"]); text = StringIO()
    df.to_csv(text); df.to_csv(path_or_buf=text, index=False); df.to_csv(); df.to_json(orient="records"); df.groupby("a").sum().to_html(); df.to_csv(sys.stdout)
    with pd.ExcelWriter(raw) as writer: df.to_excel(writer)
    HTML(string="x").write_pdf(); pypandoc.convert_text("x", "md", format="html"); pdfkit.from_string("x", False)
    with io.BytesIO() as short: wb.save(short)
    return {"a": interrupt("q")}
''')
case("writing to a file that stays", "101", '''
import io, zipfile, tarfile
import pandas as pd, torch, pypandoc
from PIL import Image
from openpyxl import Workbook
def node(state, storage, img):
    buf = io.BytesIO()
    with zipfile.ZipFile("x.zip", "w") as z: z.writestr("a", "x")  # 101w
    tarfile.open("x.tar", mode="w")  # 101
    Image.new("RGB", (3, 3)).save("x.png")  # 101w
    Workbook().save(filename="x.xlsx")  # 101w
    df = pd.DataFrame(state["rows"])
    df.to_csv("x.csv")  # 101w
    df.to_json(path_or_buf=state["path"])  # 101w
    torch.save(buf, "x.pt")  # 101w
    pypandoc.convert_text("x", "docx", format="md", outputfile="x.docx")  # 101w
    storage.save(buf)  # 101
    img.save("x.png")  # 101
    return {"a": interrupt("q")}
''')
case("a buffer that is sent away is no file", "101", '''
import io, httpx, requests
def node(state, bot):
    buf = io.BytesIO(b"x")
    httpx.post("https://x.example", buf)  # 101
    requests.post("https://x.example", data=buf)  # 101
    bot.send_document(buf)  # 101
    return {"a": interrupt("q")}
''')
case("an own temporary directory", "101", '''
import os, shutil, tempfile, zipfile
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
import pandas as pd
def dump(where, text):
    with open(os.path.join(where, "dump.txt"), "w") as f: f.write(text)
def node(state):
    with TemporaryDirectory() as d:
        p = Path(d) / "a.txt"
        p.write_text(state["text"])
        (Path(d) / "sub").mkdir()
        Path(d, "b.txt").write_bytes(b"x")
        Path(d).joinpath("c", "d.txt").open("w")
        with open(os.path.join(d, "e.txt"), "w") as f: f.write("x")
        open(f"{d}/f.txt", "a").close()
        open(d + "/g.txt", mode="w")
        os.makedirs(os.path.join(d, "h")); os.mkdir(str(p.parent / "i")); os.remove(p); p.unlink()
        pd.DataFrame().to_csv(p.with_suffix(".csv"))
        shutil.copy("real.txt", d); shutil.copytree("real", os.path.join(d, "real")); shutil.move(os.path.join(d, "a"), os.path.join(d, "b"))
        zipfile.ZipFile("in.zip").extractall(d); shutil.unpack_archive("in.zip", extract_dir=d)
        dump(d, state["text"])
    root = Path(mkdtemp())
    (root / "x").write_text("y")
    shutil.rmtree(root)
    with tempfile.NamedTemporaryFile(suffix=".txt") as t:
        Path(t.name).write_text("x")
        pd.DataFrame().to_csv(t.name)
    fd, name = tempfile.mkstemp()
    open(name, "w").close()
    return {"a": interrupt("q")}
''')
case("leaving the temporary directory", "101", '''
import os, shutil, tempfile, subprocess
from pathlib import Path
def save(where):
    open(os.path.join(where, "x"), "w").close()
def node(state):
    with tempfile.TemporaryDirectory() as d:
        shutil.copy(os.path.join(d, "a"), "out.txt")  # 101
        shutil.move(os.path.join(d, "a"), "out.txt")  # 101
        (Path(d) / "a").rename("out.txt")  # 101
        shutil.move("real.txt", d)  # 101
        open(f"out/{d}", "w")  # 101
        (Path("out") / d).write_text("x")  # 101
        subprocess.run(["deploy", d])  # 101
        save(d)  # 101
    save("out")  # 101
    open(os.path.join(tempfile.gettempdir(), "x"), "w")  # 101
    return {"a": interrupt("q")}
''')
case("keywords with which nothing is done yet", "101", '''
def node(state, form, client, repo):
    order = form.save(commit=False)
    client.create_order(state["o"], dry_run=True)
    form.save()  # 101
    form.save(commit=True)  # 101
    client.create_order(state["o"], dry_run=False)  # 101
    client.create_order(state["o"], dry_run=state["dry"])  # 101
    return {"a": interrupt("q")}
''')
case("text splitters make documents in memory", "101", '''
def node(state, splitter, drive):
    docs = splitter.create_documents([state["t"]])
    more = state["text_splitter"].create_documents([state["t"]])
    drive.create_document(state["t"])  # 101
    return {"a": interrupt("q")}
''')

# ------------------------------------------------------------------ done once by the code around it
case("a file call whose second run is let pass", "101", '''
import contextlib, os, shutil
from contextlib import suppress
from pathlib import Path
def tidy(folder):
    for old in folder.glob("*.tmp"):
        old.unlink()
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
def prepare(path):
    try:
        os.mkdir(path)
    except FileExistsError:
        pass
def node(state):
    p = Path(state["dir"])
    if not p.exists():
        p.mkdir()
    try:
        (p / "x").mkdir()
    except FileExistsError:
        print("there already")
    try:
        os.makedirs(p / "y")
        os.remove(p / "z")
    except (ValueError, OSError):
        pass
    with suppress(FileNotFoundError):
        os.remove(p / "old")
    with contextlib.suppress(OSError, ValueError):
        shutil.rmtree(p / "tree")
    lock = p / "lock"
    if lock.exists():
        lock.unlink()
    if os.path.isdir(state["tree"]):
        shutil.rmtree(state["tree"])
    if lock.is_file():
        lock.rename(p / "lock.old")
    tidy(p)
    prepare(p)
    return {"a": interrupt("q")}
''')
case("a file call whose second run is not let pass", "101", '''
import os
from contextlib import suppress
from pathlib import Path
def node(state):
    p = Path(state["dir"])
    try:
        p.mkdir()  # 101
    except FileExistsError:
        return {"error": "there already"}
    try:
        p.mkdir()  # 101
    except FileExistsError as e:
        raise RuntimeError("there already") from e
    try:
        p.mkdir()  # 101
    except FileNotFoundError:
        pass
    with suppress(KeyError):
        os.remove(p / "old")  # 101
    if p.exists():
        os.remove(p / "other")  # 101
    for name in state["names"]:
        os.remove(name)  # 101
    return {"a": interrupt("q")}
def asks_in_the_same_block(state):
    try:
        os.mkdir(state["dir"])  # 101
        answer = interrupt("q")
    except FileExistsError:
        answer = None
    return {"a": interrupt(answer)}
''')
case("the same object is asked first", "101", '''
def node(state, config, tracker, jobs):
    channel = config["configurable"]["slack"]
    ts = channel.find_message(state["id"])
    if not ts:
        ts = channel.post_message(state["id"])
    found = tracker.search_issues(state["id"])
    if len(found) == 0:
        tracker.submit_issue(state["id"])
    if channel.get_thread(state["id"]) is None:
        channel.send_thread_start(state["id"])
    hit = jobs.lookup(state["id"])
    job = hit if hit is not None else jobs.submit(state["id"])
    if not find_notification(state["id"]):
        send_notification(state["id"])
    return {"a": interrupt("q")}
''')
case("another thing or another object is asked", "101", '''
def node(state, client, mailer):
    if not client.get_user(state["id"]):
        client.send_email("admin@x")  # 101
    ts = client.find_message(state["id"])
    if ts:
        client.post_message(state["id"])  # 101
    if not client.find_email(state["id"]):
        mailer.send_email(state["id"])  # 101
    if not client.is_open:
        client.post_message(state["id"])  # 101
    if not state.get("sent"):
        client.send_mail(state["id"])  # 101
    return {"a": interrupt("q")}
''')

# ------------------------------------------------------------------ a flag that an earlier node has set
NODES = '''
import smtplib
from langgraph.graph import START, StateGraph
def send(to):
    with smtplib.SMTP("h") as s: s.sendmail("a", [to], "x")
'''


def flagged(name: str, expect: str, other: str, add: str = 'add_node("other", other)') -> None:
    case(f"flag: {name}", "101", f'''{NODES}
{other}
def ask(state):
    if not state.get("sent"):
        send(state["to"]){"  # 101" if expect else ""}
    return {{"a": interrupt("q")}}
def build():
    return StateGraph(dict).add_node("ask", ask).{add}.add_edge(START, "other").add_edge("other", "ask").compile()
''')


flagged("the other node returns it", "", 'def other(state):\n    return {"sent": True}')
flagged("by a Command", "", 'def other(state):\n    return Command(update={"sent": True}, goto="ask")')
flagged("in a dict that is built up", "", 'def other(state):\n    out = {}\n    out["sent"] = True\n    return out')
flagged("in a copy of the state", "", 'def other(state):\n    return {**state, "sent": True}')
flagged("in the state itself", "", 'def other(state):\n    state["sent"] = True\n    return state')
flagged("on one of two ways", "", 'def other(state):\n    return {"sent": True} if state["to"] else {}')
flagged("through a helper", "", 'def done():\n    return {"sent": True}\ndef other(state):\n    return done()')
flagged("in a sequence", "", 'def other(state):\n    return dict(sent=True)', "add_sequence([other])")
flagged("only inside a message", "101", 'def other(state):\n    return {"messages": [{"role": "user", "sent": True}]}')
flagged("only in what a helper is given", "101", 'def show(x):\n    return {"shown": 1}\ndef other(state):\n    return show({"sent": True})')
flagged("a function that is no node", "101", 'def other(state):\n    return {}\ndef report(state):\n    return {"sent": True}')
flagged("only as a payload", "101", 'def other(state):\n    return {"b": Command(resume={"sent": 1}, goto="ask")}')
flagged("another key", "101", 'def other(state):\n    return {"asked": True}')
case("flag: set by the node itself", "101", NODES + '''
def ask(state):
    if not state.get("sent"):
        send(state["to"])  # 101
    return {"a": interrupt("q"), "sent": True}
def other(state):
    return {"sent": True}
g = StateGraph(dict).add_node("ask", ask).add_node("other", other)
''')
case("flag: where no graph is seen another function of the state may be the earlier node", "101", NODES + '''
def ask(state):
    if not state.get("sent"):
        send(state["to"])
    return {"a": interrupt("q")}
def other(state):
    return {"sent": True}
''')

# ------------------------------------------------------------------ random ids as decisions


def decided(name: str, test: str, mark: str, before: str = "", above: str = "") -> None:
    body = f"    {before}\n" if before else ""
    case(f"id: {name}", "301", f'''
import secrets, uuid
from uuid import uuid4
KNOWN = ("a", "b")
{above}
def node(state, client):
{body}    if {test}:
        return {{"a": interrupt("q")}}{"  # 301" if mark else ""}
    return {{}}
''')


for number, part in enumerate(("uuid.uuid4().int % 2", 'uuid4().hex[0] == "a"', 'str(uuid4()).startswith("a")', "hash(uuid4()) & 1", "uuid4().int > 2 ** 127",
                               "int(secrets.token_hex(4), 16) % 10 == 0", 'str(uuid4())[-1] in "0123"', '"a" in uuid4().hex', "not uuid4().int % 3",
                               'uuid4().hex[:1] < "8"')):
    decided(f"a part of it {number}", part, "x")
decided("a part kept in a variable", "coin", "x", "coin = uuid4().int % 2")
decided("a part of a kept id", "run.int % 2 == 1", "x", "run = uuid4()")
decided("a part in a helper", "coin()", "x", "", "def coin():\n    return uuid4().int % 2 == 0\n")
decided("a part of what a helper makes", 'new_id()[0] == "a"', "x", "", "def new_id():\n    return uuid4().hex\n")
for number, whole in enumerate(("run", "not run", "run is None", "run is not None", "run in KNOWN", 'run == state["run"]', 'run.startswith("run-")', "len(run) > 3")):
    decided(f"the whole {number}", whole, "", 'run = state.get("run") or str(uuid4())')
decided("the first letters are an id, too", "short in KNOWN", "", "short = uuid4().hex[:8]")
decided("what is made with it", 'made["status"] == "ok"', "", 'made = state["client"].shape(str(uuid4()))')
decided("a text around it", 'label == "x"', "", 'label = f"run-{uuid4().hex}"')
case("id: in a ternary, a match and a loop", "301", '''
from uuid import uuid4
def a(state):
    x = interrupt("q") if uuid4().int % 2 else "auto"  # 301
    return {"a": x}
def b(state):
    match uuid4().hex[0]:
        case "a":
            return {"a": interrupt("q")}  # 301
    return {}
def c(state):
    return {"a": uuid4().int % 2 and interrupt("q")}  # 301
''')

# ------------------------------------------------------------------ guards whose other way fails, and retry loops
case("whatever a retry loop comes to, the function asks or fails", "301", '''
import httpx, time
def by_error(state):
    for attempt in range(3):
        try:
            r = httpx.get("u"); r.raise_for_status(); break
        except httpx.HTTPError:
            if attempt == 2: raise
            time.sleep(2 ** attempt)
    return {"a": interrupt("q")}  # 301n
def by_status(state):
    for attempt in range(3):
        r = httpx.get("u")
        if r.status_code == 200:
            break
        if attempt == 2:
            raise RuntimeError("down")
    return {"a": interrupt("q")}  # 301n
def gives_up(state):
    for attempt in range(3):
        try:
            r = httpx.get("u"); break
        except httpx.HTTPError:
            if attempt == 2: return {"a": "down"}
    return {"a": interrupt("q")}  # 301w
def falls_back(state):
    try:
        rate = httpx.get("u").json()
    except httpx.HTTPError:
        rate = interrupt("q")  # 301w
    return {"a": rate}
''')
case("one round of a retry loop succeeds", "304", '''
import stamina, tenacity, httpx
from tenacity import AsyncRetrying, Retrying, retry_if_exception_type, stop_after_attempt
def a(state):
    for attempt in Retrying(retry=retry_if_exception_type(OSError), stop=stop_after_attempt(2)):
        with attempt:
            a = interrupt("q")
    return {"a": a}
async def b(state):
    async for attempt in AsyncRetrying(retry=retry_if_exception_type(OSError)):
        with attempt:
            httpx.get("u")
            a = interrupt("q")
            a = a.strip()
    return {"a": a}
def c(state):
    for attempt in stamina.retry_context(on=httpx.HTTPError):
        with attempt:
            return {"a": interrupt("q")}
def d(state):
    retrying = tenacity.Retrying(retry=retry_if_exception_type(OSError))
    for attempt in retrying:
        with attempt:
            a = interrupt("q")
    return {"a": a}
def fails_after_the_answer(state):
    for attempt in Retrying(retry=retry_if_exception_type(httpx.HTTPError)):
        with attempt:
            a = interrupt("q")  # 304
            httpx.get(f"https://x.example/{a}")
    return {"a": a}
def plain(state):
    for n in range(3):
        a = interrupt("q")  # 304n
    return {"a": a}
''')

case("what a round does beside asking makes the loop worth a warning", "304", '''
import httpx, uuid, logging
from typing import TypedDict
from somewhere import process
from langchain_openai import ChatOpenAI
from langgraph.types import interrupt
SEEN = []
log = logging.getLogger()
def only_asks(state):
    out = []
    for item in state["items"]:
        log.info(item)
        out.append(interrupt({"item": item, "so_far": len(out)}))  # 304n
    return {"out": out}
def until_it_is_a_number(state):
    question = "age?"
    while True:
        a = interrupt(question)  # 304n
        if str(a).isdigit():
            httpx.post("u", json={"a": a})
            return {"a": int(a)}
        question = f"{a} is no number"
def posts(state):
    for item in state["items"]:
        httpx.post("u", json=item)
        a = interrupt(item)  # 304
    return {"a": a}
def posts_behind_the_answer(state):
    for item in state["items"]:
        if interrupt(item) == "yes":  # 304
            httpx.post("u", json=item)
    return {}
def asks_a_model(state):
    for item in state["items"]:
        a = interrupt(ChatOpenAI().invoke(item).content)  # 304
    return {"a": a}
def reads(state):
    for item in state["items"]:
        a = interrupt(httpx.get(item).text)  # 304
    return {"a": a}
def a_name_of_its_own(state):
    for item in state["items"]:
        a = interrupt({"id": str(uuid.uuid4()), "item": item})  # 304n
    return {"a": a}
def nobody_knows(state):
    for item in state["items"]:
        a = interrupt(process(item))  # 304
    return {"a": a}
def grows(state):
    for item in state["items"]:
        SEEN.append(item)
        a = interrupt(item)  # 304
    return {"a": a}
def over_a_read(state):
    for item in httpx.get("u").json():
        a = interrupt(item)  # 304
    return {"a": a}
QUEUE = []
def enqueue(item):
    QUEUE.append(item)
def over_memory(state):
    for item in QUEUE:
        a = interrupt(item)  # 304
    return {"a": a}
class Labels(TypedDict):
    labels: set[str]
def over_a_set(state: Labels):
    for item in state["labels"]:
        a = interrupt(item)  # 304
    return {"a": a}
def ask(item):
    a = interrupt(item)
    httpx.post("u", json={"a": a})
    return a
def by_a_helper(state):
    return {"out": [ask(item) for item in state["items"]]}  # 304
def again(question):
    a = interrupt(question)
    return a if a else again("really?")  # 304n
def again_with_a_model(question):
    a = interrupt(ChatOpenAI().invoke(question).content)
    return a if a else again_with_a_model("really?")  # 304
def plain(item):
    return interrupt(item)
def mapped(state):
    out = list(map(plain, state["items"]))  # 304n
    return {"out": out, "more": list(map(ask, state["items"]))}  # 304
''')

# ------------------------------------------------------------------ shuffled in place
case("shuffled before the pause", "103 104 301", '''
import random
import numpy as np
from random import shuffle as mix
RNG = random.Random()
def shown(state):
    xs = list(state["xs"])
    random.shuffle(xs)  # 104
    a = interrupt({"xs": xs})
    return {"winner": xs[a]}
def kept(state):
    xs = list(state["xs"])
    mix(xs)  # 103
    return {"a": interrupt("q"), "xs": xs}
def array(state):
    a = np.array(state["xs"])
    np.random.shuffle(a)  # 103
    return {"a": interrupt("q"), "xs": a.tolist()}
def generator(state):
    deck = {"cards": list(range(52))}
    RNG.shuffle(deck["cards"])  # 104
    a = interrupt(deck["cards"][:3])
    return {"deck": deck["cards"], "a": a}
def system(state):
    order = sorted(state["names"])
    random.SystemRandom().shuffle(order)  # 103
    answers = interrupt("q")
    return {"who": order[0], "a": answers}
def decides(state):
    xs = list(state["xs"])
    random.shuffle(xs)
    if xs[0] == "me":
        return {"a": interrupt("q")}  # 301
    return {}
''')
case("shuffled harmlessly", "103 104 301", '''
import random
def shown_only(state):
    xs = list(state["xs"])
    random.shuffle(xs)
    return {"a": interrupt({"xs": xs})}
def afterwards(state):
    a = interrupt("q")
    xs = list(state["xs"])
    random.shuffle(xs)
    return {"xs": xs, "a": a}
def seeded(state):
    xs = list(state["xs"])
    random.Random(state["seed"]).shuffle(xs)
    return {"a": interrupt(xs), "xs": xs}
def made_again(state):
    xs = list(state["xs"])
    random.shuffle(xs)
    xs = sorted(xs[:0]) or list(state["xs"])
    xs = list(state["xs"])
    return {"a": interrupt(xs), "xs": xs}
def another_list(state):
    xs, ys = list(state["xs"]), list(state["ys"])
    random.shuffle(ys)
    return {"a": interrupt(ys), "xs": xs}
''')

# ------------------------------------------------------------------ what is grown was made in this activation
case("set to something new first", "106", '''
import copy, collections, json
COUNTS = {}
ROUND = 0
class N:
    def __init__(self): self.buf = []; self.n = 0; self.seen = {}
    def a(self, state):
        self.buf = []
        self.buf.append(1)
        self.n = 0
        for x in state["xs"]: self.n += 1
        self.seen["k"] = collections.deque()
        self.seen["k"].append(2)
        self.collect(state)
        return {"a": interrupt("q")}
    def collect(self, state):
        self.names = [x for x in state["xs"]]
        if state["more"]:
            self.names.append("more")
        return self.names
def counted(state):
    global ROUND
    ROUND = 0
    ROUND += 1
    COUNTS["x"] = 0
    COUNTS["x"] += 1
    return {"a": interrupt("q")}
def copied(state):
    state = copy.deepcopy(state)
    state["messages"].append(1)
    state["meta"]["n"] += 1
    return {"a": interrupt("q")}
def parsed(state):
    state = json.loads(json.dumps(state))
    state["messages"].append(1)
    return {"a": interrupt("q")}
def model(state):
    state = state.model_copy(deep=True)
    state.messages.append(1)
    return {"a": interrupt("q")}
def key(state):
    state = {**state, "messages": list(state["messages"])}
    state["messages"].append(1)
    return {"a": interrupt("q")}
''')
case("not set to something new on every way", "106", '''
import copy
COUNTS = {}
class N:
    def __init__(self): self.buf = []; self.n = 0
    def a(self, state):
        if state["fresh"]:
            self.buf = []
        self.buf.append(1)  # 106
        self.n += 1  # 106
        self.n = 0
        self.items = state["items"]
        self.items.append(1)  # 106
        self.grow()  # 106
        self.buf = []
        return {"a": interrupt("q")}
    def grow(self):
        self.buf.append(2)
def other_key(state):
    COUNTS["y"] = 0
    COUNTS["x"] += 1  # 106
    return {"a": interrupt("q")}
def shallow(state):
    state = dict(state)
    state["messages"].append(1)  # 106
    return {"a": interrupt("q")}
def shallow_copy(state):
    state = copy.copy(state)
    state["messages"].append(1)  # 106
    return {"a": interrupt("q")}
def shallow_display(state):
    state = {**state, "other": []}
    state["messages"].append(1)  # 106
    return {"a": interrupt("q")}
def shallow_model(state):
    state = state.model_copy()
    state.messages.append(1)  # 106
    return {"a": interrupt("q")}
def sometimes(state):
    if state["x"]:
        state = copy.deepcopy(state)
    state["messages"].append(1)  # 106
    return {"a": interrupt("q")}
''')

# ------------------------------------------------------------------ None as an answer
case("checked by the loop that reads it", "401", '''
def a(graph, cfg, x: str | None = None):
    while x is None:
        x = input() or None
    return graph.invoke(Command(resume=x), cfg)
def b(graph, cfg, x=None):
    while not x:
        x = input()
    return graph.invoke(Command(resume=x), cfg)
def c(graph, cfg, x=None):
    while (x := x or read()) is None:
        pass
    return graph.invoke(Command(resume=x), cfg)
def d(graph, cfg, x=None):
    while True:
        if x is not None:
            break
        x = read()
    return graph.invoke(Command(resume=x), cfg)
def e(graph, cfg):
    x = None
    while x is None or x == "":
        x = read()
    return graph.invoke(Command(resume=x), cfg)
def f(graph, cfg, x=None):
    while not isinstance(x, str):
        x = read()
    return graph.invoke(Command(resume=x), cfg)
def read():
    return input()
''')
case("not checked on every way out of the loop", "401", '''
def a(graph, cfg, x=None):
    tries = 0
    while x is None and tries < 3:
        x = read()
        tries += 1
    return graph.invoke(Command(resume=x), cfg)  # 401
def b(graph, cfg, x=None, y=None):
    while y is None:
        y = read()
    return graph.invoke(Command(resume=x), cfg)  # 401
def c(graph, cfg, x=None):
    while x is not None:
        print(x)
        break
    return graph.invoke(Command(resume=x), cfg)  # 401
def d(graph, cfg, x=None):
    for _ in range(3):
        if x is not None:
            break
    return graph.invoke(Command(resume=x), cfg)  # 401
def read():
    return input()
''')

# ------------------------------------------------------------------ the store of a run
case("the store by whatever name", "101", '''
import uuid
from typing import Any
from langgraph.runtime import Runtime, get_runtime
from langgraph.config import get_store
from langgraph.store.base import BaseStore
from langchain.tools import ToolRuntime, tool
def a(state, runtime: Runtime):
    runtime.store.put(("a",), str(uuid.uuid4()), {})  # 101
    return {"a": interrupt("q")}
async def b(state, runtime: "Runtime[dict]"):
    await runtime.store.aput(("a",), str(uuid.uuid4()), {})  # 101
    return {"a": interrupt("q")}
def c(state):
    get_runtime().store.put(("a",), str(uuid.uuid4()), {})  # 101
    store = get_runtime(dict).store
    store.put(("a",), uuid.uuid4().hex, {})  # 101
    return {"a": interrupt("q")}
@tool
def d(x: str, runtime: ToolRuntime) -> str:
    "d"
    runtime.store.put(("a",), str(uuid.uuid4()), {})  # 101
    return interrupt("q")
def e(state, store: BaseStore):
    store.put(("a",), str(uuid.uuid4()), {})  # 101
    return {"a": interrupt("q")}
def f(state, runtime: Runtime):
    runtime.store.put(("a",), state["id"], {}); get_runtime().store.put(("a",), "k", {}); get_store().put(("a",), "k", {})
    runtime.store.get(("a",), "x"); runtime.stream_writer({"a": 1}); runtime.context.x
    return {"a": interrupt("q")}
def g(state, runtime: Runtime[dict]):
    get_store().put(("a",), str(uuid.uuid4()), {})  # 101
    runtime.store.put(namespace=("a",), key=f"m-{uuid.uuid4()}", value={})  # 101
    return {"a": interrupt("q")}
''')

case("a request that is wrong is wrong again", "301", '''
import httpx, openai
from langchain_core.exceptions import ContextOverflowError
from langchain_openai import ChatOpenAI
from langgraph.types import interrupt
llm = ChatOpenAI()
def too_long(state):
    try:
        a = llm.invoke(state["q"]).content
    except ContextOverflowError:
        a = interrupt("Too long. Shorten it?")
    return {"a": a}
def refused(state):
    try:
        a = llm.invoke(state["q"]).content
    except (openai.BadRequestError, ContextOverflowError):
        a = interrupt("Refused. What now?")
    return {"a": a}
def no_address(state):
    try:
        a = httpx.get(state["url"]).text
    except httpx.InvalidURL:
        a = interrupt("Which address?")
    return {"a": a}
def told_by_a_flag(state):
    err = None
    try:
        a = llm.invoke(state["q"]).content
    except openai.BadRequestError as e:
        a, err = "", str(e)
    if err:
        a = interrupt(err)
    return {"a": a}
def another_request(state):
    try:
        a = llm.invoke(httpx.get("u").text).content
    except openai.BadRequestError as e:
        a = interrupt(str(e))  # 301w
    return {"a": a}
def busy(state):
    try:
        a = llm.invoke(state["q"]).content
    except openai.RateLimitError:
        a = interrupt("Busy. Go on?")  # 301w
    return {"a": a}
def either(state):
    try:
        a = llm.invoke(state["q"]).content
    except (ContextOverflowError, TimeoutError):
        a = interrupt("What now?")  # 301w
    return {"a": a}
def behind(state):
    a, failed = "", False
    try:
        a = llm.invoke(state["q"]).content
    except (ContextOverflowError, TimeoutError):
        failed = True
    if failed:
        a = interrupt("What now?")  # 301w
    return {"a": a}
''')

case("a helper's condition is told once, where it is gravest", "303", '''
import httpx
from langchain_openai import ChatOpenAI
from langgraph.types import interrupt
def by_a_model(risky, item):
    if risky:
        return interrupt(item)
    return None
def first(state):
    r = ChatOpenAI().invoke(state["q"]).content
    return {"a": by_a_model(r == "risky", state["q"])}
def in_a_loop(risky, item):
    if risky:
        return interrupt(item)
    return None
def second(state):
    for x in state["q"]:
        httpx.post("u", json=x)
        a = in_a_loop(x["risky"], x)
    return {"a": a}
def also_without(risky, item):
    if risky:
        return interrupt(item)  # 303n
    return None
def third(state):
    r = ChatOpenAI().invoke(state["q"]).content
    return {"a": also_without(r == "risky", state["q"])}
def fourth(state):
    return {"a": also_without(state["risky"], state["q"])}
''')

case("of several conditions the one that can skip the question is named", "303", '''
import httpx
from langchain_openai import ChatOpenAI
from langgraph.types import interrupt
def checked(state):
    if state["mode"] == "auto":
        return {"a": "none"}
    if not state["id"]:
        raise ValueError("no id")
    return {"a": interrupt(state["id"])}  # 303n
def only_checked(state):
    if not state["id"]:
        raise ValueError("no id")
    return {"a": interrupt(state["id"])}
def graver(state):
    if ChatOpenAI().invoke(state["q"]).content == "ask":
        return interrupt(state["q"])
    return None
def outer(state):
    if not state["ready"]:
        return {"a": None}
    return {"a": graver(state)}
''')
