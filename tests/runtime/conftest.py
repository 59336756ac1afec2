"""Fakes for everything that leaves the process, so that fixtures run as they stand and their effects can be counted."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from unittest import mock

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from support import Http, Mail, Shell


@pytest.fixture
def http(monkeypatch: pytest.MonkeyPatch) -> Http:
    """httpx and requests with the network cut: every request is recorded, the n-th one is answered with id `obj-n`."""
    fake = Http()
    fake.install(monkeypatch)
    return fake


@pytest.fixture
def mail(monkeypatch: pytest.MonkeyPatch) -> Mail:
    """smtplib with the server cut off: `mail.sent` holds (recipient, subject or text)."""
    fake = Mail()
    fake.install(monkeypatch)
    return fake


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Shell:
    """subprocess.run and check_output that only write down what would have run."""
    fake = Shell()
    fake.install(monkeypatch)
    return fake


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch):
    """`library("slack_sdk", WebClient=…)`: a stand-in for a package that need not be installed. Missing attributes are mocks."""

    def make(name: str, **members: object) -> types.ModuleType:
        parts = name.split(".")
        for end in range(1, len(parts) + 1):
            path = ".".join(parts[:end])
            if not isinstance(sys.modules.get(path), _Stub):
                monkeypatch.setitem(sys.modules, path, _Stub(path))
            if end > 1:
                setattr(sys.modules[".".join(parts[: end - 1])], parts[end - 1], sys.modules[path])
        module = sys.modules[name]
        for key, value in members.items():
            setattr(module, key, value)
        return module

    return make


class _Stub(types.ModuleType):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__: list[str] = []

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        value = mock.MagicMock(name=f"{self.__name__}.{name}")
        setattr(self, name, value)
        return value


@pytest.fixture(autouse=True)
def work_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in an empty directory of its own: fixtures may write files. Their own folder stays as it is."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return tmp_path
