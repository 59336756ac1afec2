"""Versions of a mapping: whatever is shared, each reads like a dict of its own; and the data-flow of a long function keeps few of them whole."""

from __future__ import annotations

import random

import pytest

from hitl_lint.analysis import layers
from hitl_lint.analysis.project import Project
from hitl_lint.analysis.values import _join
from hitl_lint.frontend.source import read


@pytest.mark.parametrize("seed", range(30))
def test_a_version_is_what_a_dict_would_be(seed, monkeypatch):
    monkeypatch.setattr(layers, "SMALL", seed % 4)
    monkeypatch.setattr(layers, "CHANGES", seed % 7)
    rng = random.Random(seed)
    pairs = [({}, {})]
    for _ in range(120):
        plain, version = rng.choice(pairs)
        plain, version = dict(plain), layers.copied(version)
        for _ in range(rng.randrange(4)):
            key = f"k{rng.randrange(12)}"
            if rng.random() < 0.3 and key in plain:
                del plain[key]
                del version[key]
            else:
                plain[key] = version[key] = rng.randrange(100)
        pairs.append((plain, version))
    for plain, version in pairs:
        assert list(plain.items()) == list(version.items()) and len(plain) == len(version)
        assert all(version.get(f"k{n}", -1) == plain.get(f"k{n}", -1) and (f"k{n}" in version) == (f"k{n}" in plain) for n in range(12))
        with pytest.raises(KeyError):
            del version["nothing"]
        other, on = rng.choice(pairs)
        assert dict(layers.rebased(version, on)) == plain
        near = layers.apart(version, on)
        if near is not None:
            assert {k for k in {*plain, *other} if plain.get(k) != other.get(k)} <= set(near)


@pytest.mark.parametrize("seed", range(30))
def test_versions_are_joined_as_dicts_are(seed, monkeypatch):
    rng = random.Random(seed)
    keys = ["a", "b", "a.x", "a[1]", "b.y", "c", "c.z"]

    def change(env):
        for _ in range(rng.randrange(5)):
            key = rng.choice(keys)
            if rng.random() < 0.3:
                env.pop(key, None)
            else:
                env[key] = frozenset(rng.sample("pqrs", rng.randrange(3)))
        return env

    monkeypatch.setattr(layers, "SMALL", 0)
    start = change(layers.copied({k: frozenset("p") for k in keys[:4]}))
    for _ in range(40):
        left, right = change(layers.copied(start)), change(layers.copied(start))
        joined = _join(left, right)
        assert dict(joined) == dict(_join(dict(left), dict(right)))
        assert (joined is left) == (dict(joined) == dict(left))
        start = rng.choice([start, joined, left])


def flow(body: str):
    source = "def f(state):\n" + body + "    return state\n"
    project = Project({"x.py": read("x.py", source.encode())}, ["x.py"], lambda path: None)
    return project.flow(next(project.functions()))


def kept(env_by_point) -> int:
    """How many entries all versions hold together."""
    whole = {id(d): len(d) for e in env_by_point.values() for d in [e.base if isinstance(e, layers.Layered) else e]}
    changed = {id(e): len(e.changes) + len(e.gone) for e in env_by_point.values() if isinstance(e, layers.Layered)}
    return sum(whole.values()) + sum(changed.values())


def test_thousands_of_assignments_are_not_kept_once_for_each():
    n = 3000
    f = flow("".join(f"    a{k} = g{k}(state)\n" for k in range(n)))
    last = f.env[f.cfg.at(f.info.fn.body[-1])[0].id]
    assert len(last) == n + 1 and {s.kind for s in last["a17"]} == {"param"}
    assert kept(f.env) < n * 120  # a copy each would be n * n / 2


def test_nor_in_a_try():
    n = 1500
    f = flow("    try:\n" + "".join(f"        a{k} = g{k}(state)\n" for k in range(n)) + "    except ValueError:\n        pass\n")
    assert len(f.env[f.cfg.at(f.info.fn.body[-1])[0].id]) == n + 1
    assert kept(f.env) < n * 200
