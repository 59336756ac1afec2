"""Reads code that has nothing to do with us, gate off: nothing may crash, and nothing may be found but files that the parser refuses.

    python benchmarks/robustness.py [--files N] [--chunk N] [DIR ...]

Without directories: the standard library and the installed packages of the running Python. `--files 0` takes every file. The files of
LangGraph and LangChain themselves are left out of the second demand: they are full of pauses.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import sysconfig
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hitl_lint import run  # noqa: E402
from hitl_lint.config import Config  # noqa: E402
from hitl_lint.frontend import discover, source  # noqa: E402

OURS = ("langgraph", "langchain", "deepagents")


def refused(path: str) -> bool:
    """Does the parser (or what guards it) refuse the file, so that HIL901 is right?"""
    return bool(source.read(path, discover.read_bytes(path)).problems)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=500, help="how many, drawn by a hash of their path; 0 for all")
    parser.add_argument("--chunk", type=int, default=100, help="files that are linked into one project")
    parser.add_argument("directories", nargs="*")
    args = parser.parse_args()
    roots = args.directories or [sysconfig.get_paths()["stdlib"], sysconfig.get_paths()["purelib"]]
    files = []
    for root in roots:
        for path in discover.walk(root, discover.Excludes(defaults=False)):
            relative = os.path.relpath(path, root)
            # The standard library's directory holds the global packages; those are nobody's test environment.
            if path.endswith(".py") and not ("-packages" in relative and not args.directories):
                files.append((hashlib.sha1(relative.encode()).hexdigest(), path))
    files.sort()
    chosen = [path for _, path in files[: args.files or None]]
    started, cpu = time.perf_counter(), time.process_time()
    read = unreadable = size = 0
    wrong: list[str] = []
    for start in range(0, len(chosen), args.chunk):
        part = chosen[start:start + args.chunk]
        size += sum(os.path.getsize(path) for path in part)
        result = run.check(run.Request(part, Config(select=("ALL",), min_severity="note"), gate=False))
        read += result.files_read
        wrong += [f"complaint: {line}" for line in result.complaints]
        for finding in result.findings:
            if finding.code == "HIL901" and refused(finding.span.path):
                unreadable += 1
            elif not any(name in finding.span.path for name in OURS):
                wrong.append(f"{finding.span.path}:{finding.span.line}: {finding.code} {finding.message}")
    print(f"{len(chosen)} of {len(files)} files, {size / 1e6:.1f} MB: {read} parsed, {unreadable} refused by the parser, {len(wrong)} wrong, "
          f"{time.perf_counter() - started:.0f} s ({time.process_time() - cpu:.0f} s CPU here)")
    print("\n".join(wrong[:50]))
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    raise SystemExit(main())
