"""How small classes that only hold values are declared: dataclasses, made in a quarter of the time.

A run in an editor makes a hundred and fifty of these classes before it looks at the first line. What dataclasses generate for a frozen one (two more
methods, a repr, a matching order) takes as long as a parse of the file, and frozen instances are made at half the speed; what they generate to compare
by is compiled for each class, though it is the same for all. Nobody assigns to the fields of a `record`; it is equal by value and can be a key. A
`thing` is equal to itself only.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")

thing = dataclass(slots=True, eq=False, repr=False, match_args=False)
if TYPE_CHECKING:
    record = dataclass(slots=True, unsafe_hash=True, repr=False, match_args=False)
else:

    def record(cls: type[T]) -> type[T]:
        made = thing(cls)
        values = attrgetter(*(field.name for field in fields(made)))

        def equal(self: Any, other: Any) -> bool:
            return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

        made.__eq__, made.__hash__ = equal, lambda self: hash(values(self))
        return made


__all__ = ["record", "thing"]
