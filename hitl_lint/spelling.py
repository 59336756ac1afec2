"""What somebody may have meant who wrote a name that is none."""

from __future__ import annotations

import os
import re
from typing import Iterable


def closest(word: str, valid: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The valid name closest to `word`, None when none is close. `cutoff`: how alike they must be (difflib's ratio, 0 to 1); rules' codes are alike by
    their first digits."""
    import difflib

    if re.fullmatch(r"HIL\w{1,4}", word, re.IGNORECASE):
        # The first digit is the subject: a code of another group is no help.
        code = word.upper()
        alike = {name: len(os.path.commonprefix([code, name])) for name in valid if re.fullmatch(r"HIL\d{3}", name)}
        longest = max(alike.values(), default=0)
        same = [name for name in sorted(alike) if alike[name] == longest > len("HIL")]
        ratio, found = max(((difflib.SequenceMatcher(None, code, name).ratio(), name) for name in same), default=(0.0, None), key=lambda pair: pair[0])
        return found if ratio >= 0.8 else None
    # Case and underscores are the commonest slips, and difflib counts them as distance.
    by_form = {name.lower().replace("_", "-"): name for name in valid}
    close = difflib.get_close_matches(word.lower().replace("_", "-"), by_form, n=1, cutoff=cutoff)
    return by_form[close[0]] if close else None


def nearest(word: str, valid: Iterable[str]) -> str:
    """`, did you mean "x"?`, or nothing."""
    found = closest(word, valid)
    return f', did you mean "{found}"?' if found else ""
