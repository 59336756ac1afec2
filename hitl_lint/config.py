"""`[tool.hitl-lint]` of a pyproject.toml, or a hitl-lint.toml, as a frozen Config. Standard library (and tomli before Python 3.11).

Nothing is guessed: an unknown key, a wrong type or an unknown value is a ConfigError whose text names the file, the key and the nearest
valid name.
"""

from __future__ import annotations

import os
import re
from typing import Any, Iterable, Mapping, NamedTuple, Sequence

from hitl_lint import asked
from hitl_lint.spelling import nearest

SEVERITIES = ("error", "warning", "note")
FAIL_ON = (*SEVERITIES, "never")
EFFECT_KINDS = ("effect", "model", "safe")


# Our name as it is written in a section, and what it is mistaken for.
_OURS = re.compile(rb"hitl[-_ ]?lint", re.IGNORECASE)


class ConfigError(Exception):
    """A configuration that cannot be used; its text is one line for the user."""


class Config(NamedTuple):
    """What the run obeys. Codes are prefixes ("HIL1", "HIL101", "ALL"), upper case; `select` None means all rules but opt-in ones, () none.

    `exclude` None means the default excludes; patterns are gitignore patterns relative to `root` (the directory of the configuration file), and so are
    `baseline`, the path of a baseline, and `cache_dir`, where what a run learns is kept (None: the default place).
    `effects` maps dotted names (fnmatch) of project functions to "effect", "model" or "safe". `source` is the file it came from, or "".
    """

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    min_severity: str = "warning"
    fail_on: str = "warning"
    effects: tuple[tuple[str, str], ...] = ()
    langgraph: str | None = None
    baseline: str | None = None
    cache_dir: str | None = None
    source: str = ""
    root: str = ""


KEYS = ("select", "ignore", "extend-select", "exclude", "extend-exclude", "per-file-ignores", "min-severity", "fail-on", "effects", "langgraph",
        "baseline", "cache-dir")


def find(start: str) -> Config:
    """The configuration that holds for `start` (an absolute directory): the nearest file with a section for us, up to the repository's top."""
    directory = start
    while True:
        for name in ("hitl-lint.toml", "pyproject.toml"):
            path = os.path.join(directory, name)
            if asked.wanted:
                asked.read.add(path)
            try:
                with open(path, "rb") as file:
                    data = file.read()
            except OSError:
                continue
            # Most pyproject files say nothing of us; those are not parsed, and so a broken one is not our business.
            if name == "hitl-lint.toml" or _OURS.search(data):
                config = _read(path, data, required=name == "hitl-lint.toml")
                if config is not None:
                    return config
        parent = os.path.dirname(directory)
        if parent == directory or asked.exists(os.path.join(directory, ".git")):
            return Config()
        directory = parent


def load(path: str) -> Config:
    """The configuration in the file `path`, named by `--config`; raises ConfigError when it cannot be read or holds no section for us."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read {path}: {(getattr(error, 'strerror', None) or str(error)).lower()}") from None
    config = _read(path, data, required=os.path.basename(path) != "pyproject.toml")
    if config is None:
        raise ConfigError(f"{path}: no [tool.hitl-lint] section")
    return config


def _read(path: str, data: bytes, required: bool) -> Config | None:
    """`required`: the whole file is ours, unless it has a [tool.hitl-lint] section."""
    shown = _shown(path)
    try:
        import tomllib as toml
    except ImportError:  # Python 3.10
        import tomli as toml  # type: ignore[no-redef]
    try:
        document = toml.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"{shown}: not UTF-8 (byte {error.start})") from None
    except toml.TOMLDecodeError as error:
        text = str(error)
        raise ConfigError(f"{shown}: not valid TOML: {text[:1].lower()}{text[1:]}") from None
    except RecursionError:
        raise ConfigError(f"{shown}: not valid TOML: nested too deeply") from None
    tool = document.get("tool")
    for key in tool if isinstance(tool, dict) else ():
        if key != "hitl-lint" and _OURS.fullmatch(key.encode("utf-8", "surrogatepass")):
            raise ConfigError(f'{shown}: unknown section "tool.{key}", did you mean "tool.hitl-lint"?')
    table: Any = tool.get("hitl-lint") if isinstance(tool, dict) else None
    where = "tool.hitl-lint"
    if table is None:
        if not required:
            return None
        table, where = document, ""
    if not isinstance(table, dict):
        raise ConfigError(f"{shown}: tool.hitl-lint must be a table")
    return _config(table, shown, where)._replace(source=shown, root=os.path.dirname(os.path.abspath(path)))


def _shown(path: str) -> str:
    try:
        shown = os.path.relpath(path)
    except ValueError:
        return path
    return path if shown.startswith("..") else shown


def _config(table: Mapping[str, Any], file: str, section: str) -> Config:
    def fail(key: str, what: str) -> ConfigError:
        return ConfigError(f"{file}: {section + '.' if section else ''}{key}: {what}")

    def strings(key: str, value: Any) -> tuple[str, ...]:
        if isinstance(value, list) and all(isinstance(x, str) for x in value):
            return tuple(value)
        raise fail(key, f"must be a list of strings, not {_kind(value)}")

    def codes(key: str, value: Any) -> tuple[str, ...]:
        return tuple(map(as_code, strings(key, value)))

    def choice(key: str, value: Any, valid: Sequence[str]) -> str:
        if value in valid and isinstance(value, str):
            return value
        hint = nearest(value, valid) if isinstance(value, str) else ""
        raise fail(key, f"{_quoted(value)} is not one of {', '.join(valid)}{hint}")

    out: dict[str, Any] = {}
    for key, value in table.items():
        if key not in KEYS:
            raise ConfigError(f'{file}: unknown key "{section + "." if section else ""}{key}"{nearest(key, KEYS) or "; valid keys: " + ", ".join(KEYS)}')
        name = key.replace("-", "_")
        if key in ("select", "ignore", "extend-select"):
            out[name] = codes(key, value)
        elif key in ("exclude", "extend-exclude"):
            out[name] = strings(key, value)
        elif key == "per-file-ignores":
            if not isinstance(value, dict):
                raise fail(key, f"must be a table of pattern = [codes], not {_kind(value)}")
            out[name] = tuple((pattern, codes(f'{key}."{pattern}"', listed)) for pattern, listed in value.items())
        elif key == "min-severity":
            out[name] = choice(key, value, SEVERITIES)
        elif key == "fail-on":
            out[name] = choice(key, value, FAIL_ON)
        elif key == "effects":
            if not isinstance(value, dict):
                raise fail(key, f'must be a table of "dotted.name" = "effect" | "model" | "safe", not {_kind(value)}')
            out[name] = tuple((dotted, choice(f'{key}."{dotted}"', kind, EFFECT_KINDS)) for dotted, kind in _flat(value))
        elif key == "baseline":
            if not isinstance(value, str) or not value.strip():
                raise fail(key, f'must be the path of a file such as "hitl-lint-baseline.json", not {_quoted(value)}')
            out[name] = value
        elif key == "cache-dir":
            if not isinstance(value, str) or not value.strip():
                raise fail(key, f"must be the path of a directory, not {_quoted(value)}")
            out[name] = value
        else:
            if not isinstance(value, str) or not value[:1].isdigit():
                raise fail(key, f'must be a version such as "1.2.24", not {_quoted(value)}')
            out[name] = value
    if out.get("fail_on") == "note":  # as with --fail-on: notes that are hidden cannot fail the run
        out.setdefault("min_severity", "note")
    return Config(**out)


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    """`acme.mail.send = "effect"` without quotes is a nested table in TOML: both ways of writing mean the same."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _kind(value: Any) -> str:
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list", dict: "a table"}
    if isinstance(value, list):
        return next((f"a list with {_kind(x)}" for x in value if not isinstance(x, str)), "a list")
    return names.get(type(value), "a date")


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else _kind(value)


def check_codes(config: Config, known: Sequence[str]) -> None:
    """Raises ConfigError for a code (or prefix) in the configuration that no rule has."""
    listed = [("select", config.select or ()), ("ignore", config.ignore), ("extend-select", config.extend_select)]
    listed += [(f'per-file-ignores."{pattern}"', codes) for pattern, codes in config.per_file_ignores]
    for key, codes in listed:
        for code in codes:
            if not known_code(code, known):
                where = f"{config.source}: {key}: " if config.source else f"{key}: "
                raise ConfigError(f'{where}unknown rule "{code}"{nearest(code, known) or " (--list-rules shows them all)"}')


def as_code(text: str) -> str:
    """A code in upper case; what is no code stays as it was written, so that complaints quote it."""
    word = text.strip()
    return word.upper() if word.upper() == "ALL" or word.upper().startswith("HIL") else word


def known_code(code: str, known: Iterable[str]) -> bool:
    """Is `code` ALL, a rule, or the beginning of one (at least "HIL")?"""
    return code == "ALL" or code.startswith("HIL") and any(name.startswith(code) for name in known)


def selected(config: Config, code: str, opt_in: bool) -> bool:
    """Does the rule run? The longest prefix that names it decides, `ignore` winning a tie; opt-in rules run only when named (or by ALL)."""
    chosen = config.select if config.select is not None else () if opt_in else ("ALL",)
    best = max((_weight(p, code) for p in (*chosen, *config.extend_select)), default=0)
    return best > max((_weight(p, code) for p in config.ignore), default=0)


def _weight(prefix: str, code: str) -> int:
    """How closely a prefix names a code: 0 not at all, 1 for ALL, else its length."""
    return 1 if prefix == "ALL" else len(prefix) if code.startswith(prefix) else 0
