"""HTTP clients and web sockets: POST and PATCH are effects, PUT and DELETE safe to repeat, the rest reads."""

from __future__ import annotations

from hitl_lint.catalogue.entry import construct, effect, read, safe

_KEY = "a stable idempotency key makes it safe to repeat"

ROWS = (
    effect("sends an HTTP POST", """
        {requests,niquests,httpx}.post {requests,niquests}.{Session,session}().post httpx.Client().post
        requests_toolbelt.sessions.BaseUrlSession().post cloudscraper.**.post curl_cffi.requests.**.post curl_cffi.**.post
        primp.Client().post aiohttp.ClientSession().post aiohttp_retry.RetryClient().post tls_client.Session().post
        requests_oauthlib.OAuth2Session().post requests_oauthlib.OAuth1Session().post authlib.**.post
        google.auth.transport.requests.AuthorizedSession().post fastapi.testclient.TestClient().post
        starlette.testclient.TestClient().post flask.Flask().test_client().post treq.post asks.post grequests.post
        langchain_community.utilities.requests.**.{post,apost} langchain_community.utilities.**.{post,apost}
        """, condition="idempotency", reason=_KEY),
    effect("sends an HTTP PATCH", """
        {requests,niquests,httpx}.patch {requests,niquests}.{Session,session}().patch httpx.Client().patch curl_cffi.**.patch
        cloudscraper.**.patch aiohttp.ClientSession().patch aiohttp_retry.RetryClient().patch
        google.auth.transport.requests.AuthorizedSession().patch treq.patch fastapi.testclient.TestClient().patch
        starlette.testclient.TestClient().patch langchain_community.utilities.**.{patch,apatch}
        """, condition="idempotency", reason=_KEY),
    safe("sends an HTTP PUT", """
        {requests,niquests,httpx}.put {requests,niquests}.{Session,session}().put httpx.Client().put aiohttp.ClientSession().put
        aiohttp_retry.RetryClient().put
        """, reason="PUT replaces what is there: safe to repeat by the HTTP standard"),
    safe("sends an HTTP DELETE", """
        {requests,niquests,httpx}.delete {requests,niquests}.{Session,session}().delete httpx.Client().delete
        aiohttp.ClientSession().delete aiohttp_retry.RetryClient().delete
        """, reason="DELETE is safe to repeat by the HTTP standard"),
    read("sends an HTTP GET", """
        {requests,niquests,httpx}.{get,head,options} {requests,niquests}.{Session,session}().{get,head,options}
        httpx.Client().{get,head,options} aiohttp.ClientSession().{get,head,options,ws_connect}
        aiohttp_retry.RetryClient().{get,head,options} curl_cffi.**.{get,head} cloudscraper.**.get treq.get
        google.auth.transport.requests.AuthorizedSession().get tls_client.Session().get primp.Client().get
        """),
    read("sends an HTTP request", """
        {requests,niquests,httpx}.request {requests,niquests}.{Session,session}().request httpx.Client().{request,stream} httpx.stream
        aiohttp.ClientSession().request aiohttp.request
        urllib3.{PoolManager,ProxyManager,HTTPConnectionPool,HTTPSConnectionPool}().{request,urlopen} urllib3.request
        http.client.{HTTPConnection,HTTPSConnection}().request curl_cffi.**.request tornado.httpclient.**.fetch
        google.auth.transport.requests.AuthorizedSession().request
        """, condition="http:0", reason="a method that is not constant is taken for a read"),
    read("sends an HTTP request", "httplib2.Http().request", condition="http:1"),
    read("sends an HTTP request", "{requests,niquests,httpx}.**.send", reason="a prepared request: its method cannot be seen here"),
    read("opens a URL", """
        urllib.request.urlopen urllib.request.**.open urllib2.urlopen
        """, condition="urlopen", reason="without a body it is a GET"),
    effect("downloads to a file", "urllib.request.urlretrieve wget.download gdown.download"),
    read("reads a web socket", """
        websockets.**.recv websocket.**.recv aiohttp.ClientSession().ws_connect().{receive,receive_json,receive_str} websockets.connect
        websockets.sync.client.connect
        """),
    effect("sends a web socket message", """
        websockets.**.send websocket.**.{send,send_text,send_binary} aiohttp.ClientSession().ws_connect().{send_json,send_str,send_bytes}
        """),
    effect("sends on a socket", "socket.**.{send,sendall,sendto} socket.create_connection().{send,sendall}"),
    effect("runs a GraphQL mutation or query", """
        gql.Client().{execute,execute_async} gql.**.execute
        """, condition="graphql", reason="only a text that begins with `mutation` is an effect"),
    effect("posts a form in the browser", """
        playwright.**.{click,fill,type,press,check,select_option,set_input_files,dblclick,tap,drag_and_drop}
        selenium.webdriver.**.{click,send_keys,submit}
        """, reason="what a click does is unknown, but it is done twice"),
    read("reads a page in the browser", """
        playwright.**.{goto,content,inner_text,text_content,screenshot,wait_for_selector,title,evaluate}
        selenium.webdriver.**.{get,find_element,find_elements}
        """),
    safe("works with an HTTP object", """
        {requests,niquests,httpx,aiohttp,urllib3,requests_toolbelt,aiohttp_retry,curl_cffi,cloudscraper,websockets,websocket,httplib2,
          treq}.** urllib.{parse,error,robotparser}.** http.{HTTPStatus,HTTPMethod,cookies,cookiejar}.** http.client.** urllib.request.**
        socket.** ssl.** playwright.** selenium.** gql.**
        """),
    construct("makes an HTTP client", """
        {requests,niquests}.{Session,session} httpx.Client aiohttp.{ClientSession,TCPConnector,ClientTimeout} urllib3.PoolManager
        urllib.request.{Request,build_opener} http.client.{HTTPConnection,HTTPSConnection}
        """),
)

ALIASES = {
    "httpx.AsyncClient": "httpx.Client",
    "requests.sessions.Session": "requests.Session",
    "requests.api.{get}": "requests.get",
    "requests.api.post": "requests.post",
    "niquests.AsyncSession": "niquests.Session",
    "aiohttp.client.ClientSession": "aiohttp.ClientSession",
    "urllib3.poolmanager.PoolManager": "urllib3.PoolManager",
    "websockets.client.connect": "websockets.connect",
    "websockets.asyncio.client.connect": "websockets.connect",
}
RETURNS: dict[str, str] = {}
KEYED: frozenset[str] = frozenset()
