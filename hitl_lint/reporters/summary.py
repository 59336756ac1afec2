"""The last line of a report. Apart from the reporters, because a run that finds nothing needs this and no finding."""

from __future__ import annotations

from typing import Mapping


def sentence(counts: Mapping[str, int]) -> str:
    """What was found, in how much, and what is not shown; `counts` is the summary object of the JSON report."""
    found, read = counts["files_found"], counts["files_analysed"]
    kinds = [plural(counts[key], word) for key, word in (("errors", "error"), ("warnings", "warning"), ("notes", "note")) if counts[key]]
    head = "Nothing found"
    if kinds:
        head = "Found " + (f"{', '.join(kinds[:-1])} and {kinds[-1]}" if len(kinds) > 1 else kinds[0])
    if not found:
        return f"{head}: no Python file or notebook there."
    if not read:
        return f"{head}: {plural(found, 'file')} looked at, {'it does not use' if found == 1 else 'none uses'} LangGraph's interrupt()."
    parts = [f"{plural(found, 'file')} looked at, {read} analysed{_with(counts)}"]
    if counts.get("baselined"):
        parts.append(f"{counts['baselined']} in the baseline")
    if counts["hidden_notes"]:
        parts.append(f"{plural(counts['hidden_notes'], 'note')} hidden (--min-severity note shows {'it' if counts['hidden_notes'] == 1 else 'them'})")
    if counts["suppressed"]:
        parts.append(f"{counts['suppressed']} suppressed by comments")
    return f"{head}: {'; '.join(parts)}."


def plural(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _with(counts: Mapping[str, int]) -> str:
    """What was in the files that were analysed, as far as it was counted."""
    pausing, graphs = counts.get("pausing_functions", 0), counts.get("graphs", 0)
    told = [f"{plural(pausing, 'function')} that pause{'s' if pausing == 1 else ''}"] if pausing else []
    told += [plural(graphs, "graph")] if graphs else []
    return f" with {' and '.join(told)}" if told else ""
