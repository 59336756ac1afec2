"""What a string literal stands for."""

from __future__ import annotations

import re

_NEWLINE = re.compile(r"\r\n?|\n")
_ESCAPE = re.compile(r"\\(\r\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|.)", re.DOTALL)
_SIMPLE_ESCAPES = {"\n": "", "\r": "", "\r\n": "", "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r",
                   "t": "\t", "v": "\v"}


def unescape(text: str) -> str:
    """The value of the inside of a string literal that is not raw; unknown escapes stay as they are, as in Python."""

    def one(match: re.Match[str]) -> str:
        body = match[1]
        known = _SIMPLE_ESCAPES.get(body)
        if known is not None:
            return known
        head = body[0]
        try:
            if head in "xuU" and len(body) > 1:
                code = int(body[1:], 16)
                return "\ufffd" if 0xD800 <= code <= 0xDFFF else chr(code)  # half a pair could be neither printed nor written
            if head in "01234567":
                return chr(int(body, 8))
            if head == "N" and len(body) > 1:
                import unicodedata

                return unicodedata.lookup(body[2:-1])
        except (ValueError, KeyError, OverflowError):
            pass
        return match[0]

    return _ESCAPE.sub(one, text)


def string_value(value: str) -> tuple[str, str]:
    """Kind ("str" or "bytes") and value of one string literal as written; bytes stay as written."""
    quote = value.find('"') if value[-1] == '"' else value.find("'")
    prefix = value[:quote].lower()
    if "b" in prefix:
        return "bytes", value
    width = 3 if len(value) - quote >= 6 and value[quote : quote + 3] == value[quote] * 3 else 1
    inside = value[quote + width : -width]
    if "\r" in inside:
        inside = _NEWLINE.sub("\n", inside)
    if "\\" in inside and "r" not in prefix:
        inside = unescape(inside)
    return "str", inside
