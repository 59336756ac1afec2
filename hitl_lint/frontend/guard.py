"""How deep a source text nests, measured before the parse."""
from __future__ import annotations

import re

LIMIT = 200
_TOKEN = re.compile(r"#[^\r\n]*|(?s:'''.*?'''|\"\"\".*?\"\"\")|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"|[\(\)\[\]{}]")


def too_deep(text: str) -> tuple[int, int, str] | None:
    depth = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in ("(", "[", "{"):
            depth += 1
            if depth > LIMIT:
                return text.count("\n", 0, match.start()) + 1, 1, f"brackets nest more than {LIMIT} deep"
        elif token in (")", "]", "}"):
            depth = max(0, depth - 1)
    return None
