"""The way in. The command that has just been run is often run again, by a hook, a CI job or a file watcher, with nothing changed: then what it said
is said again, and nothing but the stats of the files is looked at. Everything else is the command line proper (`cli`).

What a command said is kept beside what runs have learnt (`cache`), under the command, the working directory and what else it looks at, with one
digest of the times, sizes and identities of everything that it depended on: the code, the directories that were listed, the configuration, manifests and patterns
that were read, or were not there. Kept only where all of that was older than the run.

Standard library only, and little of it: starting Python takes a quarter of the time of a run that ends here.
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

    from hitl_lint.cache import Store

# What a report depends on besides the command.
_VARIABLES = ("NO_COLOR", "TERM", "COLUMNS", "LINES", "HOME", "GITHUB_WORKSPACE", "CI_PROJECT_DIR", "HITL_LINT_CACHE_DIR", "HITL_LINT_TRACEBACK", "PYTHONUTF8", "PYTHONIOENCODING")
# Commands that write something besides the report, that read stdin or that want to be run.
_NEVER = ("-", "--fix", "--diff", "--add-noqa", "--write-baseline", "--baseline", "--output-file", "-o", "--no-cache", "--stdin-filename", "--config", "--explain", "--list-rules",
          "--show-config", "--version", "--help", "-h")
_MOST = 1 << 20  # bytes said


def main() -> None:
    """The program: `hitl-lint` and `python -m hitl_lint`. Ends the process."""
    began = time.time_ns()
    args = sys.argv[1:]
    keep = None
    if _repeatable(args):
        store = _store(args)
        if store is not None:
            said = _again(store, args)
            if said is not None:
                _end(said)
        keep = lambda out, err, status: _keep(store, args, began, out, err, status)
        from hitl_lint import asked

        asked.wanted = True
    from hitl_lint import cli

    cli.main(keep=keep)


def _repeatable(args: list[str]) -> bool:
    """Whether it can be said again what this command says. No on Windows, where a terminal is not written to as a file is."""
    if os.name == "nt" or "_HITL_LINT_COMPLETE" in os.environ:
        return False
    for arg in args:
        name = arg.partition("=")[0]
        # Short options can be written in one word.
        if name in _NEVER or arg[:1] == "-" and arg[1:2] != "-" and ("o" in arg or "h" in arg):
            return False
    return True


def _store(args: list[str]) -> "Store | None":
    """Where it would be kept what this command said; None where nothing can be. No cache is made here: what looks like its name among the arguments
    may be something else (`--exclude --cache-dir src`)."""
    directory = os.environ.get("HITL_LINT_CACHE_DIR") or ""
    for number, arg in enumerate(args):
        if arg.startswith("--cache-dir="):
            directory = arg[12:]
        elif arg == "--cache-dir":
            directory = args[number + 1] if number + 1 < len(args) else ""
    given = bool(directory)
    try:
        if not given:
            from hitl_lint.cache import DIRECTORY

            top = os.getcwd()
            while not os.path.isdir(directory := os.path.join(top, DIRECTORY)):
                above = os.path.dirname(top)
                if above == top:
                    return None
                top = above
        if not os.path.isfile(os.path.join(directory, "key")):
            return None
        from hitl_lint.cache import open_store

        return open_store(directory, given)
    except OSError:
        return None


def _name(store: "Store", args: list[str]) -> str:
    parts = [os.getcwd(), *args, ""]
    parts += [os.environ.get(name, "\0") for name in _VARIABLES]
    # Where the checkout of a CI really is, and how file names are read.
    parts += [os.path.realpath(os.environ[name]) if os.environ.get(name) else "" for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")]
    parts.append(sys.getfilesystemencoding())
    for stream in (sys.stdout, sys.stderr):
        terminal = stream is not None and stream.isatty()
        parts.append(f"{terminal} {getattr(stream, 'encoding', None)} {getattr(stream, 'errors', None)}")
        if terminal:
            try:
                parts.append(str(os.get_terminal_size(stream.fileno())))
            except (OSError, ValueError):
                pass
    return "s-" + store.digest("\0\0".join(parts).encode("utf-8", "surrogateescape"))


def _again(store: "Store", args: list[str]) -> tuple[bytes, bytes, int] | None:
    """What this command said on stdout and stderr, and its exit status, if it would say the same again."""
    try:
        body = store.get(_name(store, args))
        if body is None:
            return None
        head, _, rest = body.partition(b"\n")
        status, out, err, there, stamp = head.split()
        end = int(out) + int(err)
        paths = rest[end + 1:].split(b"\0")
        if _stamp(store, paths, int(there)) != stamp.decode():
            return None
        return rest[:int(out)], rest[int(out):end], int(status)
    except (OSError, ValueError, OverflowError):
        return None


def _keep(store: "Store | None", args: list[str], began: int, out: str, err: str, status: int) -> None:
    """Keep what was said, if it is known what it depended on, and that this is as old as the run."""
    from hitl_lint import asked
    from hitl_lint.frontend.discover import GRACE_NS

    if asked.code is None or len(out) + len(err) > _MOST:
        return
    store = store or _store(args)
    if store is None:
        return
    try:
        if any(os.path.exists(path) != answer for path, answer in asked.there.items()):
            return
        there = sorted(os.fsencode(path) for path in asked.there)
        paths = [*there, *sorted({os.fsencode(path) for path in (*asked.read, *asked.code)})]
        stamp = _stamp(store, paths, len(there), young=began - GRACE_NS)
        if stamp:
            said = [_written(text, stream) for text, stream in ((out, sys.stdout), (err, sys.stderr))]
            head = b"%d %d %d %d %s\n" % (status, len(said[0]), len(said[1]), len(there), stamp.encode())
            store.put(_name(store, args), b"".join((head, *said, b"\0", b"\0".join(paths))))
            store.tidy()
    except (OSError, ValueError, OverflowError):
        pass


def _written(text: str, stream: "TextIO | None") -> bytes:
    """The bytes that the stream has made of a text. ValueError where that depends on more than its encoding: what cannot be encoded, escapes that are
    only for terminals, and encodings that begin with a mark."""
    if not text or stream is None:
        return b""
    if "\x1b" in text and stream is sys.stderr or "".encode(stream.encoding):
        raise ValueError("not the same in every place")
    return text.encode(stream.encoding)


def _stamp(store: "Store", paths: list[bytes], there: int, young: int = 0) -> str:
    """One digest of what tells that these are as they were; of the first `there`, whether they exist. "" when one has changed since `young`."""
    from array import array

    seen = array("q")
    add = seen.extend
    stat = os.stat
    for path in paths[:there]:
        seen.append(os.path.exists(path))
    for path in paths[there:]:
        try:
            info = stat(path)
        except (OSError, ValueError):
            seen.append(-1)
            continue
        modified, changed = info.st_mtime_ns, info.st_ctime_ns
        if young and (modified >= young or changed >= young):
            return ""
        add((modified, changed, info.st_size, info.st_ino))
    return store.digest(b"\0".join(paths) + b"\0\0" + seen.tobytes())


def _end(said: tuple[bytes, bytes, int]) -> None:
    """Say it and end the process as `cli.main` does."""
    out, err, status = said
    try:
        _put(sys.stdout, out)
    except BrokenPipeError:  # the reader has gone (`| head`)
        status, err = 1, b""
    except OSError as error:
        status, err = 2, f"hitl-lint: cannot write to stdout: {(error.strerror or str(error)).lower()}\n".encode("utf-8", "backslashreplace")
    try:
        _put(sys.stderr, err)
    except OSError:  # nobody is there to read it
        pass
    os._exit(status)


def _put(stream: "TextIO | None", data: bytes) -> None:
    if data and stream is not None:
        stream.buffer.write(data)
        stream.flush()
