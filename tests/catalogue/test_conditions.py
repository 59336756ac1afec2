"""Calls whose kind depends on their arguments."""

from __future__ import annotations

from typing import Any, Callable

import pytest

from hitl_lint import facts
from hitl_lint.analysis import conditions
from hitl_lint.analysis.conditions import UNKNOWN, UNSTABLE, Made, decide, sql_kind
from hitl_lint.frontend import source


def parse(text: str) -> facts.Call:
    module = source.read("m.py", f"async def f():\n    {text}\n".encode())
    assert not module.problems, module.problems
    statement = module.body[0].fn.body[0]  # type: ignore[union-attr]
    expr: Any = statement.value
    if type(expr) is facts.Await:
        expr = expr.value
    assert type(expr) is facts.Call
    return expr


def values(**known: Any) -> Callable[[Any], object]:
    """A callback as the analysis gives it: names that are known, `uuid4()`, `time()` and `now()` unstable, literals as they are."""

    def value(expr: Any) -> object:
        if type(expr) is facts.Const:
            return expr.value
        name = facts.dotted(expr.func if type(expr) is facts.Call else expr)
        if type(expr) is facts.Call and name is not None and name.split(".")[-1] in ("uuid4", "time", "now"):
            return UNSTABLE
        return known.get(name, UNKNOWN) if type(expr) is not facts.Call and name is not None else UNKNOWN

    return value


def kind(condition: str, text: str, **known: Any) -> str | None:
    return decide(condition, parse(text), values(**known))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('open("x")', "read"),
        ('open("x", "r")', "read"),
        ('open("x", "rb")', "read"),
        ('open("x", "w")', "effect"),
        ('open("x", "a")', "effect"),
        ('open("x", "xb")', "effect"),
        ('open("x", "r+")', "effect"),
        ('open("x", mode="wb")', "effect"),
        ('open("x", mode)', None),
        ("open(*args)", None),
        ('open("x", encoding="utf-8")', "read"),
        ('open("x", w)', "effect"),
    ],
)
def test_the_mode_of_open_decides(text: str, expected: str | None) -> None:
    assert kind("mode", text, w="w") == expected


def test_the_mode_of_path_open_is_its_first_argument() -> None:
    assert kind("mode:0", 'p.open("w")') == "effect"
    assert kind("mode:0", "p.open()") == "read"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('r("POST", u)', "effect"),
        ('r("post", u)', "effect"),
        ('r("PATCH", u)', "effect"),
        ('r("PUT", u)', "safe"),
        ('r("DELETE", u)', "safe"),
        ('r("GET", u)', "read"),
        ('r(method="POST", url=u)', "effect"),
        ("r(method, u)", None),
        ('r("POST", u, headers={"Idempotency-Key": order_id})', "safe"),
        ('r("POST", u, headers={"Idempotency-Key": str(uuid4())})', "effect"),
        ("r(*a)", None),
    ],
)
def test_the_method_of_a_request_decides(text: str, expected: str | None) -> None:
    assert kind("http:0", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("urlopen(u)", None),
        ("urlopen(u, data)", "effect"),
        ("urlopen(u, data=None)", None),
        ("urlopen(Request(u))", None),
        ("urlopen(Request(u, data=body))", "effect"),
        ('urlopen(Request(u, method="POST"))', "effect"),
        ('urlopen(urllib.request.Request(u, data=b"x", method="PUT"))', "safe"),
        ('urlopen(Request(u, method="GET"))', "read"),
    ],
)
def test_a_body_makes_urlopen_a_post(text: str, expected: str | None) -> None:
    assert kind("urlopen", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("post(u)", None),
        ("create(amount=1, idempotency_key=order_id)", "safe"),
        ('create(idempotency_key=f"refund-{order_id}")', "safe"),
        ("create(idempotency_key=str(uuid.uuid4()))", "effect"),
        ('create(idempotency_key=f"refund-{time.time()}")', "effect"),
        ('post(u, headers={"Idempotency-Key": state["id"]})', "safe"),
        ('post(u, headers={"idempotency-key": uuid4().hex})', "effect"),
        ('post(u, headers={"Authorization": t})', None),
        ('post(u, headers={**base, "X-Idempotency-Key": key})', "safe"),
        ('create(options={"idempotency_key": key})', "safe"),
        ("send(MessageDeduplicationId=key)", "safe"),
        ("send(ClientToken=str(uuid4()))", "effect"),
        ("create(idempotency_key=None)", "effect"),
        ('create(idempotency_key="fixed")', "safe"),
        ('post(u, json={"idempotency_key": order_id, "n": 1})', "safe"),
        ("create(idempotency_key=new)", "effect"),
        ("post(u, headers=h)", "safe"),
        ("post(u, headers=h2)", None),
    ],
)
def test_a_stable_idempotency_key_makes_a_call_safe_and_a_random_one_does_not(text: str, expected: str | None) -> None:
    assert kind("idempotency", text, new=UNSTABLE, h={"Idempotency-Key": "k"}, h2={"Accept": "json"}) == expected


@pytest.mark.parametrize(
    ("condition", "text", "expected"),
    [
        ("flag:2:exist_ok", "p.mkdir()", None),
        ("flag:2:exist_ok", "p.mkdir(exist_ok=True)", "safe"),
        ("flag:2:exist_ok", "p.mkdir(parents=True)", None),
        ("flag:2:exist_ok", "p.mkdir(exist_ok=False)", "effect"),
        ("flag:2:exist_ok", "p.mkdir(exist_ok=flag)", None),
        ("flag:2:exist_ok", "p.mkdir(0o777, True, True)", "safe"),
        ("flag:0:missing_ok", "p.unlink(missing_ok=True)", "safe"),
        ("flag:0:missing_ok", "p.unlink(True)", "safe"),
        ("flag:0:missing_ok", "p.unlink()", None),
        ("flag:1:ignore_errors", "shutil.rmtree(d, ignore_errors=True)", "safe"),
    ],
)
def test_flags_that_make_a_second_run_harmless(condition: str, text: str, expected: str | None) -> None:
    assert kind(condition, text) == expected


@pytest.mark.parametrize(
    ("condition", "text", "expected"),
    [
        ("stable:1:key", 'store.put(ns, "profile", v)', "safe"),
        ("stable:1:key", "store.put(ns, str(uuid4()), v)", "effect"),
        ("stable:1:key", "store.put(ns, key=user_id, value=v)", "safe"),
        ("stable:1:key", 'store.put(ns, f"note-{now()}", v)', "effect"),
        ("stable:1:key", "store.put(*a)", None),
        ("stable:1:key", "store.put(ns, memory_id, v)", "effect"),
        ("seeded", "Random(state['seed'])", "safe"),
        ("seeded", "default_rng(seed=7)", "safe"),
        ("seeded", "Random(now())", None),
        ("seeded", "Random()", None),
        ("seeded", "Random(None)", None),
        ("keyed:9:id", "es.index(index=i, document=d)", "effect"),
        ("keyed:9:id", "es.index(index=i, id=order_id, document=d)", "safe"),
        ("keyed:9:id", "es.index(index=i, id=uuid4().hex, document=d)", "effect"),
        ("keyed:9:id", "es.index(index=i, id=None, document=d)", "effect"),
        ("keyed:9:id", "es.index(**kw)", None),
        ("vector-ids", "vs.add_documents(docs)", None),
        ("vector-ids", "vs.add_documents(docs, ids=ids)", "safe"),
        ("vector-ids", "vs.add_texts(t, ids=[str(uuid4()) for _ in t])", "effect"),
        ("vector-ids", "vs.add_texts(t, ids=None)", "effect"),
        ("put-item", 'table.put_item(Item={"id": order_id, "at": time.time()})', "safe"),
        ("put-item", 'table.put_item(Item={"id": str(uuid4()), "x": 1})', "effect"),
        ("put-item", "table.put_item(Item=item)", None),
        ("put-item", 'table.put_item(Item={"pk": uuid4().hex})', "effect"),
        ("document-set", 'db.collection("a").document(user_id).set(d)', "safe"),
        ("document-set", 'db.collection("a").document().set(d)', "effect"),
        ("document-set", 'db.collection("a").document(str(uuid4())).set(d)', "effect"),
        ("document-set", "ref.set(d)", None),
    ],
)
def test_a_key_makes_a_write_safe_if_it_is_stable(condition: str, text: str, expected: str | None) -> None:
    assert kind(condition, text, memory_id=UNSTABLE) == expected


@pytest.mark.parametrize(
    ("condition", "text", "expected"),
    [
        ("mongo-update", 'c.update_one({"_id": i}, {"$set": {"s": 1}})', "safe"),
        ("mongo-update", 'c.update_one(q, {"$inc": {"n": 1}})', "effect"),
        ("mongo-update", 'c.update_one(q, {"$push": {"l": x}}, upsert=True)', "effect"),
        ("mongo-update", 'c.update_one(q, {"$set": d, "$inc": {"n": 1}})', "effect"),
        ("mongo-update", 'c.update_one(q, {"$addToSet": {"l": x}})', "safe"),
        ("mongo-update", "c.update_one(q, u)", None),
        ("mongo-update", "c.update_one(q, known)", "effect"),
        ("mongo-update", 'c.update_one(filter=q, update={"$mul": {"n": 2}})', "effect"),
        ("mongo-update", "c.update_one(q, {key: v})", None),
        ("dynamo-update", 't.update_item(Key=k, UpdateExpression="SET a = :v")', "safe"),
        ("dynamo-update", 't.update_item(Key=k, UpdateExpression="ADD n :one")', "effect"),
        ("dynamo-update", 't.update_item(Key=k, UpdateExpression="SET n = n + :one")', "effect"),
        ("dynamo-update", 't.update_item(Key=k, UpdateExpression="SET l = list_append(l, :x)")', "effect"),
        ("dynamo-update", "t.update_item(Key=k, UpdateExpression=e)", None),
        ("dynamo-update", "t.update_item(Key=k)", None),
        ("django-update", 'q.update(status="x")', "safe"),
        ("django-update", 'q.update(n=F("n") + 1)', "effect"),
        ("django-update", 'q.update(n=models.F("n") - 1)', "effect"),
        ("peewee-update", "User.update(name=x)", "safe"),
        ("peewee-update", "User.update(n=User.n + 1)", "effect"),
        ("peewee-update", "User.update({User.n: User.n + 1})", "effect"),
        ("firestore-update", 'ref.update({"s": 1})', "safe"),
        ("firestore-update", 'ref.update({"n": firestore.Increment(1)})', "effect"),
        ("orm-add", "session.add(Order(id=1))", None),
        ("orm-add", "session.add(user)", "safe"),
        ("orm-add", "session.add(other)", None),
        ("orm-add", "session.add(row)", "safe"),
    ],
)
def test_updates_that_count_and_updates_that_set(condition: str, text: str, expected: str | None) -> None:
    known = {
        "known": {"$inc": {"n": 1}},
        "user": Made("sqlalchemy.orm.Session().get()"),
        "other": Made("app.Order()"),
        "row": Made("sqlalchemy.orm.Session().execute().scalar_one_or_none()"),
    }
    assert kind(condition, text, **known) == expected


SQL = [
    ("SELECT * FROM t", "read"),
    ("select 1", "read"),
    ("  \n  SELECT 1", "read"),
    ("WITH a AS (SELECT 1) SELECT * FROM a", "read"),
    ("PRAGMA journal_mode=WAL", "read"),
    ("EXPLAIN ANALYZE DELETE FROM t", "read"),
    ("SHOW TABLES", "read"),
    ("DESCRIBE t", "read"),
    ("INSERT INTO t VALUES (1)", "effect"),
    ("insert into t (a) values (?)", "effect"),
    ("INSERT INTO t (a) VALUES (%s) ON CONFLICT DO NOTHING", "safe"),
    ("INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET a = excluded.a", "safe"),
    ("INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET n = t.n + 1", "effect"),
    ("INSERT OR IGNORE INTO t VALUES (1)", "safe"),
    ("INSERT OR REPLACE INTO t VALUES (1)", "safe"),
    ("INSERT IGNORE INTO t VALUES (1)", "safe"),
    ("INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = VALUES(a)", "safe"),
    ("INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE n = n + 1", "effect"),
    ("REPLACE INTO t VALUES (1)", "safe"),
    ("MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET a = 1", "safe"),
    ("INSERT INTO t SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM t)", "safe"),
    ("WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x", "effect"),
    ("WITH x AS (INSERT INTO t VALUES (1) RETURNING id) SELECT * FROM x", "effect"),
    ("UPDATE t SET a = 1", "safe"),
    ("UPDATE t SET a = ? WHERE id = ?", "safe"),
    ("UPDATE t SET n = n + 1", "effect"),
    ("UPDATE t SET n = t.n - 1 WHERE id = 1", "effect"),
    ("update accounts set balance = balance - :amount where id = :id", "effect"),
    ("UPDATE t SET status = :status, updated_at = now() WHERE id = :id", "safe"),
    ("UPDATE t SET a = :a", "safe"),
    ("UPDATE t SET name = %(name)s", "safe"),
    ("UPDATE t SET a = 1 WHERE n = n", "safe"),
    ("UPDATE t SET a = COALESCE(a, ?)", "safe"),
    ("UPDATE t SET log = log || ? WHERE id = 1", "effect"),
    ("UPDATE t SET tags = array_append(tags, 'x')", "effect"),
    ("UPDATE t SET a = $1, b = $2", "safe"),
    ("DELETE FROM t WHERE id = 1", "safe"),
    ("TRUNCATE t", "safe"),
    ("CREATE TABLE IF NOT EXISTS t (a int)", "safe"),
    ("CREATE TABLE t (a int)", "effect"),
    ("CREATE INDEX i ON t (a)", "effect"),
    ("CREATE INDEX IF NOT EXISTS i ON t (a)", "safe"),
    ("CREATE OR REPLACE VIEW v AS SELECT 1", "safe"),
    ("CREATE TEMP TABLE t (a int)", "safe"),
    ("DROP TABLE t", "effect"),
    ("DROP TABLE IF EXISTS t", "safe"),
    ("ALTER TABLE t ADD COLUMN a int", "effect"),
    ("ALTER TABLE t ADD COLUMN IF NOT EXISTS a int", "safe"),
    ("BEGIN", "safe"),
    ("COMMIT", "safe"),
    ("ROLLBACK", "safe"),
    ("SET search_path TO x", "safe"),
    ("SELECT nextval('seq')", "effect"),
    ("SELECT pg_notify('c', 'x')", "effect"),
    ("NOTIFY c, 'x'", "effect"),
    ("COPY t FROM STDIN", "effect"),
    ("COPY t TO STDOUT", "read"),
    ("CALL do_it()", None),
    ("EXEC do_it", None),
    ("", None),
    ("???", None),
    ("-- first\nINSERT INTO t VALUES (1)", "effect"),
    ("/* a */ SELECT 1", "read"),
    ("SELECT 'insert into t'", "read"),
    ("INSERT INTO t VALUES ('on conflict do nothing')", "effect"),
    ("CREATE TABLE IF NOT EXISTS t (a int); INSERT INTO t VALUES (1);", "effect"),
    ("(SELECT 1)", "read"),
    ("VALUES (1)", "read"),
]


@pytest.mark.parametrize(("text", "expected"), SQL)
def test_the_first_words_of_sql_decide(text: str, expected: str | None) -> None:
    assert sql_kind(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('c.execute("INSERT INTO t VALUES (1)")', "effect"),
        ('c.execute(f"SELECT * FROM {t}")', "read"),
        ('c.execute(f"INSERT INTO {t} VALUES (?)", (1,))', "effect"),
        ('c.execute(f"UPDATE {t} SET n = n + {k}")', "effect"),
        ('c.execute("INSERT INTO t " + rest)', "effect"),
        ('c.execute("SELECT 1" + x)', "read"),
        ('c.execute("INSERT INTO %s VALUES (1)" % t)', "effect"),
        ('c.execute("INSERT INTO {} VALUES (1)".format(t))', "effect"),
        ("c.execute(query)", None),
        ("c.execute(known)", "effect"),
        ("c.execute()", None),
        ("c.execute(*a)", None),
        ('s.execute(text("INSERT INTO t VALUES (:a)"), {"a": 1})', "effect"),
        ('s.execute(sa.text("SELECT 1"))', "read"),
        ('s.execute(text("UPDATE t SET a=:a").bindparams(a=1))', "safe"),
        ("s.execute(insert(T).values(a=1))", "effect"),
        ("s.execute(sa.insert(T).values(a=1).returning(T.id))", "effect"),
        ("s.execute(pg_insert(T).values(a=1))", "effect"),
        ("s.execute(pg_insert(T).values(a=1).on_conflict_do_nothing())", "safe"),
        ("s.execute(sa_text('SELECT 1'))", "read"),
        ("s.execute(make_insert(T))", None),
        ("s.execute(insert(T).values(a=1).on_conflict_do_nothing())", "safe"),
        ("s.execute(insert(T).values(a=1).on_conflict_do_update(index_elements=[T.id], set_=d))", "safe"),
        ("s.execute(select(T).where(T.a == 1))", "read"),
        ("s.execute(select(exists().where(T.a == 1)))", "read"),
        ("s.execute(update(T).where(T.id == 1).values(a=1))", "safe"),
        ("s.execute(update(T).values(n=T.n + 1))", "effect"),
        ("s.execute(update(T).values({T.n: T.n + 1}))", "effect"),
        ('s.execute(update(T).values({"n": T.n + 1}))', "effect"),
        ("s.execute(update(T).values(a=other))", "safe"),
        ("s.execute(delete(T))", "safe"),
        ("s.execute(users.insert().values(a=1))", "effect"),
        ("s.execute(users.update().values(n=users.c.n + 1))", "effect"),
        ("s.execute(users.select())", "read"),
        ("s.execute(stmt)", "effect"),
        ("s.execute(stmt2)", "safe"),
        ("s.execute(statement=text('SELECT 1'))", "read"),
        ("s.scalars(insert(T).returning(T))", "effect"),
        ('c.execute("""\n        INSERT INTO t\n        VALUES (1)\n    """)', "effect"),
        ('c.execute(dedent("""INSERT INTO t VALUES (1)"""))', "effect"),
        ('c.execute(SQL("INSERT INTO {} VALUES (1)").format(Identifier(t)))', "effect"),
        ('c.execute("SELECT " + ", ".join(cols) + " FROM t")', "read"),
    ],
)
def test_statements_are_followed_to_their_text_or_constructor(text: str, expected: str | None) -> None:
    known = {
        "known": "INSERT INTO t VALUES (1)",
        "stmt": Made("sqlalchemy.insert().values()"),
        "stmt2": Made("sqlalchemy.dialects.postgresql.insert().values().on_conflict_do_nothing()"),
    }
    assert kind("sql", text, **known) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('s.run("MATCH (n) RETURN n")', "read"),
        ('s.run("CREATE (n:Person {name: $n})")', "effect"),
        ('s.run("MERGE (n:Person {id: $id}) SET n.name = $name")', "safe"),
        ('s.run("MATCH (a), (b) CREATE (a)-[:KNOWS]->(b)")', "effect"),
        ('s.run("MATCH (n) SET n.hits = n.hits + 1")', "effect"),
        ('s.run("MATCH (n) DETACH DELETE n")', "safe"),
        ('s.run("CREATE INDEX x IF NOT EXISTS FOR (n:P) ON (n.id)")', "read"),
        ("s.run(q)", None),
        ('s.run(f"MATCH (n:{label}) RETURN n")', "read"),
    ],
)
def test_cypher(text: str, expected: str | None) -> None:
    assert kind("cypher", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('run(["ls", "-l"])', "read"),
        ('run(["git", "status"])', "read"),
        ('run(["git", "push"])', None),
        ('run("git log -1", shell=True)', "read"),
        ('run("ls > out.txt", shell=True)', None),
        ('run(["rm", "-rf", d])', None),
        ("run(cmd)", None),
        ('run(["/usr/bin/cat", f])', "read"),
        ('run(["python", "--version"])', "read"),
        ('run(["docker", "ps"])', "read"),
        ('run(["docker", "run", "x"])', None),
        ('run(["kubectl", "apply", "-f", f])', None),
        ('run(f"cat {path}", shell=True)', "read"),
        ('run(["git", "-C", d, "status"])', None),
        ("run()", None),
    ],
)
def test_command_lines_that_only_look(text: str, expected: str | None) -> None:
    assert kind("command", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('run("git", "status")', "read"),
        ('run("git", "push")', None),
        ('run("ls", "-l")', "read"),
        ("run(*cmd)", None),
    ],
)
def test_command_lines_given_word_by_word(text: str, expected: str | None) -> None:
    assert kind("command:exec", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('client.execute(gql("mutation { a }"))', "effect"),
        ('client.execute(gql("query { a }"))', "read"),
        ('client.execute(gql("{ a }"))', "read"),
        ("client.execute(q)", "read"),
        ("client.execute(m)", "effect"),
    ],
)
def test_graphql_mutations_are_effects(text: str, expected: str | None) -> None:
    assert kind("graphql", text, m="mutation M { a }") == expected


def test_temporary_files_are_not_missed() -> None:
    tmp = Made("tempfile.mkstemp()")
    assert kind("temporary:0:path", "os.remove(tmp)", tmp=tmp) == "safe"
    assert kind("temporary:0:path", "os.remove(path)") is None
    assert kind("flag:1:ignore_errors|temporary:0:path", "shutil.rmtree(tmp)", tmp=tmp) == "safe"
    assert kind("flag:1:ignore_errors|temporary:0:path", "shutil.rmtree(d, ignore_errors=True)") == "safe"


def test_an_unknown_condition_is_an_error() -> None:
    with pytest.raises(ValueError, match="unknown condition"):
        decide("nonsense", parse("f()"), values())


def test_unknown_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError):
        bool(UNKNOWN)


ODD = [
    "f()",
    "f(*a)",
    "f(**k)",
    "f(x)",
    "f(x=1)",
    "f(*a, **k)",
    "f(None)",
    "f(1)",
    "f([])",
    "f({})",
    "f(lambda: 1)",
    "f(f(f()))",
    "f(x for x in y)",
    'f(b"x")',
    "f({**a})",
    "f([*a])",
    'f(f"{x}")',
    "f(a[b])",
    "f(x := 1)",
    "f(...)",
    "(await g())()",
    "f(a.b.c, d=e.f)",
    "f(a, b, c, d, e)",
]
CONDITIONS = [
    "mode",
    "mode:0",
    "http:0",
    "urlopen",
    "idempotency",
    "flag:1:x",
    "keyed:0:x",
    "temporary:0:path",
    "flag:1:x|temporary:0:path",
    "stable:0:x",
    "seeded",
    "sql",
    "sql:1",
    "cypher",
    "mongo-update",
    "dynamo-update",
    "django-update",
    "peewee-update",
    "orm-add",
    "document-set",
    "vector-ids",
    "command",
    "command:exec",
    "graphql",
    "put-item",
    "firestore-update",
]


@pytest.mark.parametrize("text", ODD)
def test_no_argument_is_too_odd(text: str) -> None:
    call = parse(text)
    for condition in CONDITIONS:
        for result in (UNKNOWN, UNSTABLE, None, 1, "x", {}, [], Made(""), Made("a.b()")):
            assert decide(condition, call, lambda expr, result=result: result) in ("effect", "read", "safe", "unstable", "model", None)


def test_every_condition_of_the_catalogue_is_covered_here() -> None:
    assert set(conditions._TESTS) == {name for c in CONDITIONS for name in conditions.names(c)}
