"""How dear a run is, as ratios taken in one interleaved run; seconds mean nothing elsewhere.

    python -m pip install '.[bench]'
    python benchmarks/bench.py [--rounds N] [--tree DIR] [--app DIR]

CPU is user and system time of the whole process with its children, as the kernel counts it; medians of the rounds. Each round runs every
command once, in turn, so that a machine that slows down slows all of them. ruff and rg are left out, with a note, where they are missing.

`--tree` is the big tree without LangGraph; default: the standard library and the installed packages of this Python, less LangGraph's own, copied to a
temporary directory. `--app` is an application to compare on as well. Warm rows use a cache in the temporary directory, filled by the unmeasured round;
for "one file changed" a file (of an application: one that pauses) is written anew before each run, in a copy.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import Callable, NamedTuple, Sequence

ROOT = Path(__file__).resolve().parent.parent

CANDIDATE = '''\
import httpx
from langgraph.graph import StateGraph
from langgraph.types import interrupt


def review_{n}(state):
    """Asks a person before the letter goes out."""
    draft = state["draft_{n}"]
    if not draft:
        return {{"answer_{n}": None}}
    answer = interrupt({{"question": "Send it?", "draft": draft}})
    if answer == "yes":
        httpx.post("https://mail.example/send", json={{"text": draft}})
    return {{"answer_{n}": answer}}

'''


NODE = '''\
import logging

from langgraph.types import interrupt

from app.pkg_{k:02}.service_{m} import Service_{m}, load_{m}
from app.pkg_{k:02}.schema_{m} import Draft_{m}

logger = logging.getLogger(__name__)


async def review_{n}(state):
    """Asks a person before the draft goes out."""
    draft = await load_{m}(state["id"])
    logger.info(f"asking about {{draft.title}}")
    answer = interrupt({{"question": "Send it?", "draft": draft.text}})
    if answer != "yes":
        return {{"status": "rejected"}}
    await Service_{m}(state["tenant"]).send(Draft_{m}(draft.title, draft.text))
    return {{"status": "sent"}}
'''

GRAPH = '''\
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

{imports}

builder = StateGraph(dict)
{nodes}
builder.add_edge(START, "review_0")
builder.add_edge("review_{last}", END)
graph = builder.compile(checkpointer=InMemorySaver())
'''

# A module of an application that knows nothing of graphs: imports of its neighbours, a class with methods, functions, text.
PLAIN = '''\
"""{kind} {n}: what the rest of the package asks for."""

import json
import logging
from dataclasses import dataclass, field

import httpx

from app.pkg_{k:02}.{other}_{m} import {Other}_{m}

logger = logging.getLogger(__name__)
LIMIT_{n} = {n}


@dataclass
class Draft_{n}:
    title: str
    text: str = ""
    tags: list[str] = field(default_factory=list)


class {Kind}_{n}:
    """Talks to the other side."""

    def __init__(self, tenant: str, client: httpx.AsyncClient | None = None) -> None:
        self.tenant = tenant
        self.client = client or httpx.AsyncClient(base_url="https://api.example")
        self.next = {Other}_{m} if tenant else None

    async def send(self, draft: Draft_{n}) -> dict:
        payload = {{"title": draft.title, "text": draft.text, "tags": draft.tags[:LIMIT_{n}]}}
        response = await self.client.post(f"/{{self.tenant}}/items", json=payload)
        if response.status_code >= 400:
            logger.warning("refused: %s", response.text)
            raise RuntimeError(f"{{self.tenant}} refused {{draft.title!r}}")
        return response.json()

    async def find(self, ids: list[str]) -> list[Draft_{n}]:
        out = []
        for one in ids:
            try:
                found = await self.client.get(f"/{{self.tenant}}/items/{{one}}")
                out.append(Draft_{n}(**found.json()))
            except (httpx.HTTPError, ValueError) as error:
                logger.error("cannot read %s: %s", one, error)
        return sorted(out, key=lambda d: (d.title, len(d.text)))

{methods}

async def load_{n}(key: str) -> Draft_{n}:
    found = await {Kind}_{n}("default").find([key])
    return found[0] if found else Draft_{n}(title=key)


def dump_{n}(drafts: list[Draft_{n}]) -> str:
    return json.dumps([{{"title": d.title, "text": d.text}} for d in drafts if d.tags])
'''

METHOD = '''\
    def step_{j}(self, rows: list[dict], limit: int = {j}) -> dict:
        """Counts what there is by owner and kind."""
        counts: dict[str, int] = {{}}
        for row in rows[:limit]:
            owner, kind = row.get("owner", ""), row["kind"]
            if owner and kind not in ("draft", "old"):
                counts[f"{{owner}}/{{kind}}"] = counts.get(f"{{owner}}/{{kind}}", 0) + 1
        return {{key: value for key, value in counts.items() if value > limit}}
'''


def make_application(target: Path, files: int = 2_500, pausing: int = 20) -> None:
    """An application of so many files of a common size (median 3 kB), `pausing` of them with a function that pauses and calls helpers in
    other modules, which call others. The same on every run."""
    kinds = ("service", "schema", "repo", "route", "util")
    (target / "pyproject.toml").write_text("[project]\nname = 'app'\n")
    graph: list[str] = []
    written = 0
    for k in range(25):
        package = target / "app" / f"pkg_{k:02}"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("")
        written += 1
    per_package = (files - written - pausing - 1) // 25
    for k in range(25):
        package = target / "app" / f"pkg_{k:02}"
        for i in range(per_package):
            kind, other, n = kinds[i % 5], kinds[(i + 1) % 5], i // 5
            m = min(n + (1 if other == kinds[0] else 0), per_package // 5 - 1)
            methods = "\n".join(METHOD.format(j=j) for j in range((k + i) % 9))
            (package / f"{kind}_{n}.py").write_text(PLAIN.format(kind=kind, Kind=kind.title(), other=other, Other=other.title(), n=n, m=m, k=k, methods=methods))
    for n in range(pausing):
        name = f"review_{n}"
        (target / "app" / f"node_{n}.py").write_text(NODE.format(n=n, k=n, m=n % 15))
        graph.append(name)
    (target / "app" / "graph.py").write_text(GRAPH.format(
        imports="\n".join(f"from app.node_{n} import {name}" for n, name in enumerate(graph)),
        nodes="\n".join(f'builder.add_node("{name}", {name})' for name in graph), last=pausing - 1))


# flake8 without the plugin of ours that may be installed beside it.
FLAKE8 = """
import importlib.metadata, sys
found = importlib.metadata.distributions
importlib.metadata.distributions = lambda **k: [d for d in found(**k) if d.metadata["Name"] != "hitl-lint"]
from flake8.main.cli import main
sys.exit(main(sys.argv[1:]))
"""


class Cost(NamedTuple):
    """CPU seconds and peak memory in MB of one process and what it started."""

    cpu: float
    peak: float


def run(command: Sequence[str], cwd: Path, stdin: Path | None = None) -> Cost:
    """Run once with all output dropped. A status over 1 is an error."""
    pid = os.fork()
    if pid == 0:
        os.chdir(cwd)
        sink = os.open(os.devnull, os.O_RDWR)
        source = os.open(stdin, os.O_RDONLY) if stdin is not None else sink
        for target, fd in ((0, source), (1, sink), (2, sink)):
            os.dup2(fd, target)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        try:
            os.execvp(command[0], list(command))
        finally:
            os._exit(127)
    _, status, usage = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise SystemExit(f"{' '.join(command)} ended with status {os.waitstatus_to_exitcode(status)}")
    # ru_maxrss is in kB on Linux, in bytes on macOS.
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1 << 20))


def compare(rounds: int, commands: dict[str, tuple[Sequence[str], Path, Path | None]], before: dict[str, Callable[[int], object]] | None = None) -> dict[str, Cost]:
    """Medians of CPU and peak memory by name; one unmeasured round first, which compiles bytecode and fills the page cache. `before`: what is
    done before a command, given the number of the round."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, (command, cwd, stdin) in commands.items():
            if before and name in before:
                before[name](number)
            cost = run(command, cwd, stdin)
            if number:
                costs[name].append(cost)
    return {name: Cost(statistics.median(c.cpu for c in all_), statistics.median(c.peak for c in all_)) for name, all_ in costs.items()}


def beside(name: str) -> str | None:
    """A tool installed beside this Python, or anywhere on the path."""
    local = Path(sys.executable).parent / name
    return str(local) if local.exists() else shutil.which(name)


def make_tree(target: Path) -> None:
    """The standard library and the installed packages, hard-linked or copied, without what knows LangGraph."""
    stdlib, packages = sysconfig.get_paths()["stdlib"], sysconfig.get_paths()["purelib"]

    def leave_out(directory: str, names: list[str]) -> list[str]:
        known = ("langgraph", "langchain", "deepagents", "hitl_lint")
        return [n for n in names if n in ("__pycache__", "site-packages", "dist-packages") or n.lower().startswith(known)
                or not n.endswith(".py") and not os.path.isdir(os.path.join(directory, n))]

    shutil.copytree(stdlib, target / "stdlib", ignore=leave_out, symlinks=True)
    shutil.copytree(packages, target / "packages", ignore=leave_out, symlinks=True)


def live(folder: Path, text: str, rounds: int) -> tuple[float, float]:
    """Medians of the CPU seconds of one change in a running server, in a function in the middle of the text, and of parsing the same text once
    more, in turn."""
    import gc
    import time

    import libcst

    from hitl_lint.lsp.live import Document, Live

    session, path = Live(), str(folder / "candidate.py")
    changes, parses = [], []
    for number in range(rounds + 1):
        half = text.index("Send it?", len(text) // 2)
        typed = f"{text[:half]}Send {number}?{text[half + 8:]}"
        start = time.process_time()
        session.quick(Document(str(folder), path, typed.encode()), (), lambda: False)
        middle = time.process_time()
        gc.disable()
        libcst.parse_module(typed)
        gc.enable()
        end = time.process_time()
        if number:
            changes.append(middle - start)
            parses.append(end - middle)
    return statistics.median(changes), statistics.median(parses)


def pausing(where: Path) -> Path:
    """A file that pauses, or else any."""
    files = sorted(where.rglob("*.py"), key=lambda path: (len(path.parts), path))
    return next((path for path in files if b"import interrupt" in path.read_bytes()), files[0])


def line(what: str, ours: float, other: float, unit: str, must: float | None) -> None:
    verdict = "" if must is None else f"   must be <= {must:g}: {'yes' if ours / other <= must else 'NO'}"
    print(f"{what:<62} {ours / other:>6.2f}   ({ours:.3f} / {other:.3f} {unit}){verdict}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tree", type=Path)
    parser.add_argument("--app", type=Path)
    args = parser.parse_args()
    python = sys.executable
    lint = [python, "-m", "hitl_lint"]
    if subprocess.run([*lint, "--version"], capture_output=True, cwd=tempfile.gettempdir()).returncode:
        raise SystemExit("hitl-lint is not installed for this Python: python -m pip install '.[bench]'")
    ruff, rg, flake8 = beside("ruff"), beside("rg"), beside("flake8")
    for name, found in (("ruff", ruff), ("rg", rg)):
        if found is None:
            print(f"note: {name} is not installed, its rows are left out (python -m pip install '.[bench]')")
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        tree = args.tree
        if tree is None:
            tree = work / "tree"
            tree.mkdir()
            make_tree(tree)
        alone, apart = work / "alone", work / "apart"
        for folder in (alone, apart):
            folder.mkdir()
            (folder / "pyproject.toml").touch()
        candidate = alone / "candidate.py"
        text = ""
        while len(text) < 11_000:
            text += CANDIDATE.format(n=len(text))
        candidate.write_text(text)
        five = [work / f"plain{n}.py" for n in range(5)]
        small = [apart / f"small{n}.py" for n in range(5)]
        for path in five:
            path.write_text("import os\n\n\ndef f(x):\n    return os.path.join(x, 'y')\n" * 40)
        for n, path in enumerate(small):
            path.write_text(CANDIDATE.format(n=n))
        short: dict[str, tuple[Sequence[str], Path, Path | None]] = {
            "python": ([python, "-c", "pass"], work, None),
            "click": ([python, "-c", "import click"], work, None),
            "libcst": ([python, "-c", "import libcst"], work, None),
            "five": ([*lint, *map(str, five)], work, None),
            "candidate": ([*lint, "--isolated", "--no-cache", "--stdin-filename", "candidate.py", "-"], alone, candidate),
            "small": ([*lint, "--no-cache", *map(str, small)], apart, None),
            "named": ([*lint, "--isolated", "candidate.py"], alone, None),
        }
        if flake8:
            short["flake8"] = ([python, "-c", FLAKE8, *map(str, small)], apart, None)
        cost = compare(args.rounds * 3, short)
        print(f"Python {sys.version.split()[0]}, ratios of CPU (user + sys), medians of {args.rounds} interleaved rounds ({args.rounds * 3} for short commands)\n")
        line("five files without a needle / import click", cost["five"].cpu, cost["click"].cpu, "s", 1.3)
        line("five files without a needle / python -c pass", cost["five"].cpu, cost["python"].cpu, "s", None)
        line("one 11 kB candidate on stdin / import libcst", cost["candidate"].cpu, cost["libcst"].cpu, "s", 2.0)
        line("one 11 kB candidate, warm / import libcst", cost["named"].cpu, cost["libcst"].cpu, "s", 2.0)
        line("five small candidates / import libcst", cost["small"].cpu, cost["libcst"].cpu, "s", 2.0)
        here = os.getcwd()
        line("one 11 kB candidate changed in a live server / parse_module", *live(alone, text, args.rounds * 3), "s", 2.0)
        os.chdir(here)
        if flake8:
            line("five small candidates / flake8", cost["small"].cpu, cost["flake8"].cpu, "s", 1.0)
        application = work / "application"
        application.mkdir()
        make_application(application)
        for what, where in (("tree without LangGraph", tree), ("application made up, 20 pausing functions", application), ("application", args.app)):
            if where is None:
                continue
            where = where.resolve()
            count = sum(1 for _ in where.rglob("*.py"))
            long: dict[str, tuple[Sequence[str], Path, Path | None]] = {"lint": ([*lint, "--isolated", "--no-cache", "."], where, None)}
            copy = work / f"copy{len(what)}"
            shutil.copytree(where, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", "node_modules", ".venv"))
            time.sleep(2.5)  # what has just been written is not believed to stay so
            long["warm"] = ([*lint, "--isolated", "--cache-dir", str(work / "cache"), "."], where, None)
            long["changed"] = ([*lint, "--isolated", "--cache-dir", str(work / "cache2"), "."], copy, None)
            target = pausing(copy)
            text = target.read_bytes()
            before: dict[str, Callable[[int], object]] = {"changed": lambda number, target=target, text=text: target.write_bytes(text + b"\n# %d\n" % number)}
            if ruff:
                long["ruff"] = ([ruff, "check", "--no-cache", "--isolated", "--select", "BLE,B", "--exit-zero", "-q", "."], where, None)
            if rg:
                long["rg"] = ([rg, "-l", "interrupt", "-tpy", "."], where, None)
            cost = compare(args.rounds, long, before)
            print(f"\n{what}: {count:,} files")
            if "ruff" in cost:
                line("cold / ruff --select BLE,B --no-cache", cost["lint"].cpu, cost["ruff"].cpu, "s", 1.0 if what.startswith("tree") else 5.0)
                line("peak memory / ruff's", cost["lint"].peak, cost["ruff"].peak, "MB", 1.0 if what.startswith("tree") else None)
                if not what.startswith("tree"):
                    line("peak memory / ruff's on the corpus of 11,114 files", cost["lint"].peak, 121.0, "MB", 1.0)
            if "rg" in cost:
                line("cold / rg -l interrupt", cost["lint"].cpu, cost["rg"].cpu, "s", None)
                line("warm, nothing changed / rg -l interrupt", cost["warm"].cpu, cost["rg"].cpu, "s", 1.0 if what.startswith("tree") else None)
            line("warm, nothing changed / cold", cost["warm"].cpu, cost["lint"].cpu, "s", None)
            line("warm, one file changed / cold", cost["changed"].cpu, cost["lint"].cpu, "s", None)
            print(f"{'peak memory':<62} {cost['lint'].peak:>6.0f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
