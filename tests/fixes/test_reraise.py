"""HIL201 and HIL202: where the handler, the predicate and the import go, however the code is written."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from hitl_lint import mend
from hitl_lint.config import Config
from hitl_lint.run import Request

HEAD = "from langgraph.errors import GraphBubbleUp\nfrom langgraph.types import interrupt\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("")
    return tmp_path


def fixed(*codes: str) -> mend.Outcome:
    request = Request(["."], Config(select=codes or ("HIL201", "HIL202"), min_severity="note"), jobs=1)
    outcome = mend.write(mend.mend(request), request)
    assert not outcome.complaints and not outcome.result.complaints
    assert mend.mend(request).changes == ()
    return outcome


def becomes(here: Path, before: str, after: str) -> None:
    """`after`, byte by byte, is what --fix makes of `before`, and nothing is found in it."""
    (here / "x.py").write_bytes(before.encode())
    outcome = fixed()
    assert (here / "x.py").read_bytes().decode() == after
    assert outcome.result.findings == []


# ``|`` begins a line that the fix brings.
BODIES = {
    "plain": """\
def f(state):
    try:
        return interrupt("?")
|    except GraphBubbleUp:
|        raise
    except Exception:
        return None
""",
    "comments stay with the handler": """\
def f(state):
    try:
        return interrupt("?")
        # belongs to the body
|    except GraphBubbleUp:
|        raise
    # whatever happens,
    # go on
    except Exception:  # broad
        return None
""",
    "no comment but the end of a string": '''\
def f(state):
    try:
        interrupt("?")
        x = """
    # not a comment"""
|    except GraphBubbleUp:
|        raise
    except Exception:
        x = ""
    return x
''',
    "one line": """\
def f(state):
    try: return interrupt("?")
|    except GraphBubbleUp: raise
    except Exception: return None
""",
    "statements joined by semicolons": """\
def f(state):
    x = 1; y = 2
    try: x = interrupt("?"); y = 3
|    except GraphBubbleUp: raise
    except Exception: x = 2; y = 4
    return x
""",
    "tabs": """\
def f(state):
\ttry:
\t\treturn interrupt("?")
|\texcept GraphBubbleUp:
|\t\traise
\texcept:
\t\treturn None
""",
    "form feed": """\
def f(state):
    try:
        return interrupt("?")
|    except GraphBubbleUp:
|        raise
\f    except Exception:
        return None
""",
    "after a narrow handler, before the broad one, over several lines": """\
def f(state):
    try:
        return interrupt("?")
    except ValueError:
        return 1
        # the end of it
|    except GraphBubbleUp:
|          raise
    except (
        KeyError,
        Exception,
    ) as error:
          return error
    else:
        return 2
    finally:
        print("done")
""",
    "handlers around handlers": """\
def f(state):
    while True:
        try:
            try:
                return interrupt("?")
|            except GraphBubbleUp:
|                raise
            except Exception:
                pass
            finally:
                print("x")
|        except GraphBubbleUp:
|            raise
        except BaseException:
            return 1
""",
    "two pauses in one try": """\
def f(state):
    try:
        a = interrupt("a")
        b = interrupt("b")
|    except GraphBubbleUp:
|        raise
    except Exception:
        return None
    return a, b
""",
    "the helper's own handler and the caller's": """\
def ask():
    try:
        return interrupt("?")
|    except GraphBubbleUp:
|        raise
    except Exception:
        return None


def f(state):
    try:
        return ask()
|    except GraphBubbleUp:
|        raise
    except Exception:
        return None
""",
    "in a class": """\
class Node:
    def __call__(self, state):
        try:
            return interrupt("?")
|        except GraphBubbleUp:
|            raise
        except Exception as e:
            raise RuntimeError("failed") from e
""",
    "a decorator's handler": """\
def safe(fn):
    def inner(state):
        try:
            return fn(state)
|        except GraphBubbleUp:
|            raise
        except Exception:
            return {}
    return inner


@safe
def f(state):
    return interrupt("?")
""",
    "a context manager's handler": """\
from contextlib import contextmanager


@contextmanager
def logged():
    try:
        yield
|    except GraphBubbleUp:
|        raise
    except Exception as error:
        print(error)


def f(state):
    with logged():
        return interrupt("?")
""",
    "a loop of attempts": """\
def f(state):
    for attempt in range(3):
        try:
            return interrupt("?")
|        except GraphBubbleUp:
|            raise
        except Exception:
            if attempt == 2:
                raise
""",
}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_the_handler_goes_in_front(here: Path, body: str, end: str) -> None:
    before = HEAD + "\n\n" + "".join(line for line in body.splitlines(keepends=True) if not line.startswith("|"))
    after = HEAD + "\n\n" + body.replace("\n|", "\n")
    becomes(here, before.replace("\n", end), after.replace("\n", end))


@pytest.mark.skipif(sys.version_info < (3, 11), reason="except* is Python 3.11 syntax")
def test_groups(here: Path) -> None:
    body = "def f(state, paused=1):\n    x = 1\n    try:\n        x = interrupt('?')\n"
    rest = "    except* Exception:\n        pass\n    return x\n"
    becomes(here, HEAD + body + rest, HEAD + body + "    except* GraphBubbleUp as paused_2:\n        raise paused_2.exceptions[0]\n" + rest)


BODY = "def f(state):\n    try:\n        return interrupt('?')\n    except Exception:\n        return None\n"


def with_handler(name: str = "GraphBubbleUp") -> str:
    return BODY.replace("    except", f"    except {name}:\n        raise\n    except")


@pytest.mark.parametrize(("before", "after"), [
    ("from langgraph.types import interrupt\n", "from langgraph.types import interrupt\nfrom langgraph.errors import GraphBubbleUp\n"),
    ('"""Doc."""\nfrom __future__ import annotations\nfrom langgraph.types import interrupt\n',
     '"""Doc."""\nfrom __future__ import annotations\nfrom langgraph.types import interrupt\nfrom langgraph.errors import GraphBubbleUp\n'),
    ("from langgraph.errors import GraphInterrupt\nfrom langgraph.types import interrupt\n",
     "from langgraph.errors import GraphBubbleUp, GraphInterrupt\nfrom langgraph.types import interrupt\n"),
])
def test_the_import_is_added_once(here: Path, before: str, after: str) -> None:
    becomes(here, before + BODY + BODY.replace("f(", "g("), after + with_handler() + with_handler().replace("f(", "g("))


@pytest.mark.parametrize(("before", "name"), [
    ("from langgraph.errors import GraphBubbleUp as Pause\nfrom langgraph.types import interrupt\n", "Pause"),
])
def test_the_name_that_is_there_is_used(here: Path, before: str, name: str) -> None:
    becomes(here, before + BODY, before + with_handler(name))


def test_a_name_of_the_function_that_means_something_else_is_no_place_for_it(here: Path) -> None:
    (here / "x.py").write_text("from langgraph.types import interrupt\n" + BODY.replace("(state)", "(state, GraphBubbleUp=None)"))
    assert [f.no_fix for f in fixed().result.findings] == ["`GraphBubbleUp` is a name of its own in f()"]


def test_an_import_of_the_function_above_the_try_is_used(here: Path) -> None:
    head = "from langgraph.types import interrupt\n"
    local = "def f(state):\n    from langgraph.errors import GraphBubbleUp\n"
    becomes(here, head + BODY.replace("def f(state):\n", local), head + with_handler().replace("def f(state):\n", local))


def test_an_import_of_the_function_is_added_beside_its_others(here: Path) -> None:
    lazy = "def f(state):\n    from langgraph.types import interrupt\n"
    becomes(here, "import os\n" + BODY.replace("def f(state):\n", lazy),
            "import os\n" + with_handler().replace("def f(state):\n", lazy + "    from langgraph.errors import GraphBubbleUp\n"))


def test_two_handlers_of_one_function_need_one_import(here: Path) -> None:
    lazy = "def f(state):\n    from langgraph.types import interrupt\n"
    two = "".join(f"    try:\n        {x} = interrupt('{x}')\n|    except GraphBubbleUp:\n|        raise\n    except Exception:\n        {x} = 1\n" for x in "ab")
    before = "".join(line for line in two.splitlines(keepends=True) if line[0] != "|")
    becomes(here, lazy + before + "    return a, b\n", lazy + "    from langgraph.errors import GraphBubbleUp\n" + two.replace("\n|", "\n") + "    return a, b\n")


def test_where_the_framework_is_optional_no_import_is_put_on_top(here: Path) -> None:
    (here / "x.py").write_text("import os\ntry:\n    from langgraph.types import interrupt\nexcept ImportError:\n    interrupt = None\n" + BODY)
    assert [f.no_fix for f in fixed().result.findings] == [
        "langgraph is optional in x.py, which imports it in a `try`: bring GraphBubbleUp in there by hand"]


def test_the_handler_of_another_file_is_mended_there(here: Path) -> None:
    (here / "ask.py").write_text("from langgraph.types import interrupt\n\n\ndef ask():\n    return interrupt('?')\n")
    caller = "from ask import ask\n\n\ndef node(state):\n    try:\n        return ask()\n    except Exception:\n        return {}\n"
    (here / "node.py").write_text(caller)
    assert fixed().result.findings == []
    assert (here / "node.py").read_text() == caller.replace("import ask\n", "import ask\nfrom langgraph.errors import GraphBubbleUp\n").replace(
        "    except E", "    except GraphBubbleUp:\n        raise\n    except E")


def test_a_decorator_of_another_file_is_mended_there_even_if_it_is_not_linted(here: Path) -> None:
    (here / "guard.py").write_text("def guard(fn):\n    def inner(s):\n        try:\n            return fn(s)\n        except Exception:\n            return {}\n    return inner\n")
    (here / "node.py").write_text("from guard import guard\nfrom langgraph.types import interrupt\n\n\n@guard\ndef node(s):\n    return interrupt('?')\n")
    request = Request(["node.py"], Config(select=("HIL2",)), jobs=1)
    outcome = mend.mend(request)
    assert [c.path for c in outcome.changes] == ["guard.py"] and outcome.result.findings == []
    assert mend.mend(request._replace(exclude=("guard.py",))).result.findings[0].no_fix == "it would change another file, and guard.py is excluded"


def test_what_would_cause_another_finding_is_not_done(here: Path) -> None:
    """Once the pause gets out, the mail of the caller is sent again with each answer: it must be moved first."""
    (here / "x.py").write_text(HEAD + BODY + "\n\ndef g(state):\n    import httpx\n    httpx.post('https://x', json=state)\n    return f(state)\n")
    assert [f.no_fix for f in fixed("HIL1", "HIL2").result.findings] == ["it would cause HIL101 (effect-before-interrupt) in g() of x.py"]


def test_notebooks(here: Path) -> None:
    book = {"cells": [{"cell_type": "code", "metadata": {}, "outputs": [1.5], "source": ["from langgraph.types import interrupt"]},
                      {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["%time\n", *BODY.splitlines(keepends=True)]}], "nbformat": 4}
    (here / "x.ipynb").write_text(json.dumps(book, indent=1) + "\n")
    assert fixed().result.findings == []
    book["cells"][0]["source"] = ["from langgraph.types import interrupt\n", "from langgraph.errors import GraphBubbleUp"]
    book["cells"][1]["source"] = ["%time\n", *with_handler().splitlines(keepends=True)]
    assert (here / "x.ipynb").read_text() == json.dumps(book, indent=1) + "\n"


# --------------------------------------------------------------------------- HIL202
RETRY = "retry_if_exception_type() & retry_if_not_exception_type(GraphBubbleUp)"
NAMES = "from tenacity import retry, retry_if_exception_type, retry_if_not_exception_type, stop_after_attempt, Retrying\n"


@pytest.mark.parametrize(("before", "after"), [
    ("@retry\n", f"@retry(retry={RETRY})\n"),
    ("@retry()\n", f"@retry(retry={RETRY})\n"),
    ("@retry(stop=stop_after_attempt(3))\n", f"@retry(stop=stop_after_attempt(3), retry={RETRY})\n"),
    ("@retry(\n    stop=stop_after_attempt(3),  # three times\n)\n", f"@retry(\n    stop=stop_after_attempt(3),  # three times\n    retry={RETRY},\n)\n"),
    ("@retry(\n    stop=stop_after_attempt(3)  # three times\n)\n", f"@retry(\n    stop=stop_after_attempt(3),  # three times\n    retry={RETRY}\n)\n"),
    ("@retry(\n    stop=stop_after_attempt(3))\n", f"@retry(\n    stop=stop_after_attempt(3), retry={RETRY})\n"),
    ("@retry(retry=retry_if_exception_type(Exception))\n", "@retry(retry=retry_if_exception_type(Exception) & retry_if_not_exception_type(GraphBubbleUp))\n"),
    ("@retry(retry=retry_if_exception_type(OSError) | retry_if_exception_type(Exception))\n",
     "@retry(retry=(retry_if_exception_type(OSError) | retry_if_exception_type(Exception)) & retry_if_not_exception_type(GraphBubbleUp))\n"),
    ("kept = retry(stop=stop_after_attempt(3))\n\n\n@kept\n", f"kept = retry(stop=stop_after_attempt(3), retry={RETRY})\n\n\n@kept\n"),
])
def test_tenacity_retries_what_it_did_but_pauses(here: Path, before: str, after: str) -> None:
    rest = "def f(state):\n    return interrupt('?')\n"
    becomes(here, HEAD + NAMES + "\n\n" + before + rest, HEAD + NAMES + "\n\n" + after + rest)


def test_tenacity_by_its_module(here: Path) -> None:
    head = HEAD + "import tenacity\n\n\n"
    rest = "def f(state):\n    return interrupt('?')\n"
    becomes(here, head + "@tenacity.retry(stop=tenacity.stop_after_attempt(3))\n" + rest,
            head + "@tenacity.retry(stop=tenacity.stop_after_attempt(3), retry=tenacity.retry_if_exception_type() & tenacity.retry_if_not_exception_type(GraphBubbleUp))\n" + rest)


@pytest.mark.parametrize(("code", "why"), [
    ("import contextlib\ndef f(state):\n    with contextlib.suppress(Exception):\n        return interrupt('?')\n", "suppress() takes only the types to swallow"),
    ("import backoff\n@backoff.on_exception(backoff.expo, Exception, max_tries=3, giveup=lambda e: False)\ndef f(state):\n    return interrupt('?')\n", "it has a giveup= of its own"),
    ("import stamina\n@stamina.retry(on=Exception, attempts=3)\ndef f(state):\n    return interrupt('?')\n", "stamina.retry() is told by types what to retry"),
    ("def f(state):\n    try:\n        return interrupt('?')\n    finally:\n        return 1\n", "leaving a finally block early"),
])
def test_what_has_no_predicate_is_refused_with_a_reason(here: Path, code: str, why: str) -> None:
    (here / "x.py").write_text(HEAD + code)
    outcome = fixed()
    assert len(outcome.result.findings) == 1 and outcome.result.findings[0].no_fix.startswith(why)
