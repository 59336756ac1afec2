"""The language server. `live.py` runs the linter over what is open, `convert.py` puts findings into the protocol's terms, `server.py` speaks it."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """`hitl-lint-server`: speaks the Language Server Protocol on stdin and stdout until the client says goodbye."""
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        from hitl_lint import __version__

        print(f"hitl-lint-server {__version__}")
        return
    if arguments not in ([], ["--stdio"]):
        if arguments not in (["--help"], ["-h"]):
            raise SystemExit(f"hitl-lint-server: unknown option {arguments[0]} (it takes none: an editor starts it and talks to it on stdin and stdout)")
        print("usage: hitl-lint-server [--stdio]\n\nThe language server of hitl-lint, which an editor starts: it talks on stdin and stdout.\nHow to set up editors: docs/editors.md.")
        return
    try:
        from hitl_lint.lsp import server
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise SystemExit(f"hitl-lint-server: {error.name} is not installed: pip install 'hitl-lint[lsp]'") from None
    ours = server.Server()
    ours.start_io()
    # A run that nobody waits for any more would be waited for at the end of Python.
    os._exit(0 if ours.ended else 1)
