"""What a finding is about, as the rules know it: fixers start from here instead of looking for it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hitl_lint.record import thing

if TYPE_CHECKING:
    from hitl_lint.analysis.cfg import Point
    from hitl_lint.analysis.names import FnInfo
    from hitl_lint.analysis.project import Pausing


@thing
class Subject:
    """`info`: the function; `pausing`: the same as one that pauses; `pause`: the pause that the finding is about; `node`: the expression or statement
    (facts) that is at fault: the call that runs again, the handler that swallows. `more`: what one rule alone knows."""

    info: "FnInfo"
    pausing: "Pausing | None" = None
    pause: "Point | None" = None
    node: Any = None
    more: Any = None
