"""How small classes that only hold values are declared: dataclasses, made in a third of the time.

A run in an editor makes a hundred and fifty of these classes before it looks at the first line. What dataclasses generate for a frozen one (two more
methods, a repr, a matching order) takes as long as a parse of the file, and frozen instances are made at half the speed. Nobody assigns to the
fields of a `record`; it is equal by value and can be a key. A `thing` is equal to itself only.
"""

from __future__ import annotations

from dataclasses import dataclass

record = dataclass(slots=True, unsafe_hash=True, repr=False, match_args=False)
thing = dataclass(slots=True, eq=False, repr=False, match_args=False)

__all__ = ["record", "thing"]
