"""What a run has asked the disk, besides the content of the code: which configuration, manifests and patterns it read or missed, and which
directories it listed. Whoever wants to know whether the run would find the same again looks there (`start`).

Off unless the command line turns it on: a server would collect for ever.
"""

from __future__ import annotations

import os

# Set by `start.main`.
wanted = False
# Paths whose content or listing was asked for, there or not; and those of which only the existence was, with the answer.
read: set[str] = set()
there: dict[str, bool] = {}
# The code that the result depends on, once a run has said so.
code: list[str] | None = None


def settled(files: list[str], others: "list[str] | None" = None) -> None:
    """The run's result depends on these files; `others` were read by an earlier run whose result this is."""
    global code
    if wanted:
        code = files
        read.update(others or ())


def exists(path: str) -> bool:
    """os.path.exists, remembered."""
    answer = os.path.exists(path)
    if wanted:
        there.setdefault(path, answer)
    return answer
