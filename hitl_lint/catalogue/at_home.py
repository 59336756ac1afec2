"""Effects that stay on the machine or in an index: done a second time after a crash they cost time, and nobody outside notices."""

from __future__ import annotations

import re

# In the words of the catalogue's entries (`Witness.what`).
AT_HOME = frozenset({
    "copies a file", "deletes a directory tree", "deletes a file", "extracts an archive", "makes a directory", "makes an archive", "moves a file", "writes a file", "opens a file for writing",
    "sets a file's content through a temporary file", "downloads to a file", "saves a file", "runs a subprocess", "runs code", "signals a process", "changes the environment",
    "moves the mouse or types", "posts a form in the browser", "runs a container", "changes a git repository", "adds documents to a vector store", "adds vectors", "fills a vector store", "indexes a document", "indexes documents",
    "creates a collection", "writes the index to disk", "counts in the cache", "counts or grows a value",
})
# What a function that says "debug" leaves for whoever looks for a fault.
DUMPS = frozenset({"writes a file", "opens a file for writing", "saves a file"})
# Words in the names of functions that keep books of what is done.
BOOKS = frozenset("log logs event events audit trace record records history metric metrics".split())
# Where a name is all the evidence, it must say that something goes out.
GOES_OUT = frozenset({"sends", "charges", "pays", "refunds", "transfers", "books", "posts", "publishes", "emails", "notifies", "submits", "places", "orders", "deploys", "provisions"})


# What is named is a statement, of which only some add something.
SQL = "runs SQL"
ADDS = re.compile(r"\bINSERT\b", re.IGNORECASE)


def counts(what: str, proved: bool) -> bool:
    """Whether an effect costs something, or somebody outside notices it, when it is done twice."""
    return what not in AT_HOME and (proved or what.split(" ")[0] in GOES_OUT and " through " not in what)


__all__ = ["ADDS", "AT_HOME", "BOOKS", "DUMPS", "SQL", "counts"]
