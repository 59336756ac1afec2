"""Mappings of which thousands of versions are kept at once: what is known at each point of a long function.

A small mapping is a dict and is copied whole. A large one is a `Layered`: what has changed, above a dict that its versions share. Whoever
copies may change the copy; what was copied is not changed any more.
"""

from __future__ import annotations

from typing import Any, Iterable, Iterator, MutableMapping, TypeVar

V = TypeVar("V")
# Up to so many keys a plain copy is cheaper; so many changes are carried along before they are merged with what is below.
SMALL = 64
CHANGES = 128


class Layered(MutableMapping[str, V]):
    """In the order of a dict: a changed key keeps its place, one that was deleted and set again comes last."""

    __slots__ = ("base", "changes", "gone")

    def __init__(self, base: dict[str, V], changes: dict[str, V], gone: set[str]) -> None:
        self.base, self.changes, self.gone = base, changes, gone

    def get(self, key: str, default: Any = None) -> Any:
        found = self.changes.get(key)
        if found is not None:
            return found
        return default if key in self.gone else self.base.get(key, default)

    def __getitem__(self, key: str) -> V:
        return self.changes[key] if key in self.changes or key in self.gone else self.base[key]

    def __contains__(self, key: object) -> bool:
        return key in self.changes or (key in self.base and key not in self.gone)

    def __setitem__(self, key: str, value: V) -> None:
        self.changes[key] = value

    def __delitem__(self, key: str) -> None:
        if key not in self:
            raise KeyError(key)
        self.changes.pop(key, None)
        if key in self.base:
            self.gone.add(key)

    def __iter__(self) -> Iterator[str]:
        for key in self.base:
            if key not in self.gone:
                yield key
        for key in self.changes:
            if key not in self.base or key in self.gone:
                yield key

    def __len__(self) -> int:
        return len(self.base) - len(self.gone) + sum(key not in self.base or key in self.gone for key in self.changes)


def copied(old: MutableMapping[str, V]) -> MutableMapping[str, V]:
    """A version of its own."""
    if isinstance(old, Layered):
        if len(old.changes) + len(old.gone) <= CHANGES:
            return Layered(old.base, dict(old.changes), set(old.gone))
        return Layered(dict(old.items()), {}, set())
    return dict(old) if len(old) <= SMALL else Layered(old, {}, set())  # type: ignore[arg-type]


def apart(a: MutableMapping[str, V], b: MutableMapping[str, V]) -> Iterable[str] | None:
    """The keys in which two versions of one mapping can differ; None when it may be any."""
    if isinstance(a, Layered) and isinstance(b, Layered) and a.base is b.base:
        return dict.fromkeys([*a.changes, *a.gone, *b.changes, *b.gone])
    if isinstance(a, Layered) and a.base is b:
        return dict.fromkeys([*a.changes, *a.gone])
    if isinstance(b, Layered) and b.base is a:
        return dict.fromkeys([*b.changes, *b.gone])
    return None


def rebased(version: MutableMapping[str, V], on: MutableMapping[str, V]) -> MutableMapping[str, V]:
    """The same as `version`, sharing what it can with `on`: the next versions come from there."""
    base = on.base if isinstance(on, Layered) else on
    if len(base) <= SMALL or not isinstance(base, dict):
        return version
    changes = {key: value for key, value in version.items() if base.get(key) is not value}
    gone = {key for key in base if key not in version}
    return Layered(base, changes, gone) if len(changes) + len(gone) <= CHANGES else version
