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
