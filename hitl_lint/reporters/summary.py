"""The last line of a report. Apart from the reporters, because a run that finds nothing needs this and no finding."""

from __future__ import annotations

from typing import Mapping


def sentence(counts: Mapping[str, int]) -> str:
    """One sentence: what was found, in how much, and what is not shown."""
    looked = plural(counts["files_found"], "file")
    read = counts["files_analysed"]
    kinds = [plural(counts[key], word) for key, word in (("errors", "error"), ("warnings", "warning"), ("notes", "note")) if counts[key]]
    head = f"Found {' and '.join([', '.join(kinds[:-1]), kinds[-1]]) if len(kinds) > 1 else kinds[0]}" if kinds else "Nothing found"
    where = f" in {looked}, of which {read} may pause or resume a graph and {'was' if read == 1 else 'were'} analysed"
    if not read:
        where = f" in {looked}; none has to do with LangGraph's interrupt()" if counts["files_found"] else ": no Python file or notebook there"
    tail = ""
    if counts["hidden_notes"]:
        tail += f"; {plural(counts['hidden_notes'], 'note')} hidden (--min-severity note shows {'it' if counts['hidden_notes'] == 1 else 'them'})"
    if counts["suppressed"]:
        tail += f"; {counts['suppressed']} suppressed by comments"
    return f"{head}{where}{tail}."


def plural(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
