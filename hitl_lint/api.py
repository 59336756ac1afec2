"""hitl-lint from Python: `check_paths` and `check_source`. Each makes a `run.Request`; the command line, the flake8 plugin and the language
server go the same way, so that all of them find the same.

Nothing is printed, written or run. Both may be called from any thread, but not from two at once: a run sets the recursion limit and works
relative to the working directory.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Iterable, Mapping, Sequence

from hitl_lint import config as configuration
from hitl_lint.config import Config, ConfigError

if TYPE_CHECKING:
    from hitl_lint.baseline import Baseline
    from hitl_lint.facts import Module
    from hitl_lint.run import Request, Result

    Path = str | os.PathLike[str]
    Source = str | bytes


def check_paths(paths: "Path | Iterable[Path]", *, config: "Config | Path | None" = None, exclude: Sequence[str] = (), force_exclude: bool = False,
                overrides: "Mapping[Path, Source] | None" = None, fixes: bool = False, jobs: int = 0,
                parsed: "dict[tuple[str, bytes], Module] | None" = None) -> "Result":
    """What `hitl-lint PATHS` finds.

    Args:
        paths: files and directories, relative to the working directory or absolute; one, or several.
        config: None looks for a configuration file as the command line does, from where the paths meet upwards; a path names the file; a
            `Config` is taken as it is, and `Config()` (the defaults) is what `--isolated` means.
        exclude: gitignore patterns, relative to the working directory, besides the configured ones.
        force_exclude: excludes hold for files that are named, too.
        overrides: contents that stand for what is on the disk, by path, such as an editor's unsaved buffers.
        fixes: work out the fixes of the findings, too. They are proposals: `hitl-lint --fix` tries each before it writes.
        jobs: processes to parse in, 0 for one per CPU.
        parsed: an empty dict that is handed to one call after the other keeps what was parsed, so that the next call parses what has changed.

    Returns:
        A `Result`. `result.findings` are sorted by path, line and column; lines and columns count from 1, columns in code points. A file that
        cannot be parsed is a finding (HIL901). `result.failed` is the command line's exit status 2: a path that does not exist or cannot be
        read, or a fault in a rule; `result.complaints` say which, a line each.

    Raises:
        ConfigError: a configuration file, or the baseline that it names, cannot be read or is not valid, or it names a rule that does not exist. Its text is one
            line for a person.
    """
    named = [os.fspath(paths)] if isinstance(paths, (str, os.PathLike)) else [os.fspath(path) for path in paths]
    return _check(_request(named, settled(config, named or ["."]), exclude, force_exclude, overrides, fixes, jobs, parsed))


def check_source(source: "Source", path: "Path" = "<source>", *, config: "Config | Path | None" = None, overrides: "Mapping[Path, Source] | None" = None,
                 fixes: bool = False, parsed: "dict[tuple[str, bytes], Module] | None" = None) -> "Result":
    """What `hitl-lint --stdin-filename PATH -` finds in this code.

    Args:
        source: the code; bytes are decoded as Python does (byte order mark, coding comment), a notebook is its JSON.
        path: what the code is called. It need not exist. A path within a project lets the code import the rest of it; with the default
            it stands alone in the working directory. ".ipynb" makes it a notebook.
        config, overrides, fixes, parsed: as for `check_paths`; a configuration file is looked for from the path's directory upwards.

    Returns, raises: as `check_paths`.
    """
    name = os.fspath(path)
    if isinstance(source, str):
        source = encoded(source)
    request = _request([], settled(config, [name]), (), False, overrides, fixes, 1, parsed)
    return _check(request._replace(stdin=source, stdin_path=name))


def settled(config: "Config | Path | None", paths: Sequence[str]) -> Config:
    """The configuration that holds for a run over `paths` (see `check_paths`), checked. Raises ConfigError."""
    if config is None:
        config = configuration.find(common_directory(paths))
    elif not isinstance(config, Config):
        config = configuration.load(os.fspath(config))
    if config.select or config.ignore or config.extend_select or config.per_file_ignores:
        from hitl_lint.rules import all_rules

        configuration.check_codes(config, [rule.meta.code for rule in all_rules()])
    return config


def baseline_file(config: Config) -> str | None:
    """Where the configured baseline is, as it is named in messages."""
    if not config.baseline:
        return None
    named = os.path.join(config.root, config.baseline)
    try:
        shown = os.path.relpath(named)
        return named if shown.startswith("..") else shown
    except ValueError:  # another drive
        return named


def known(config: Config) -> "Baseline | None":
    """What the configured baseline holds. Raises ConfigError."""
    named = baseline_file(config)
    if named is None:
        return None
    from hitl_lint import baseline

    try:
        return baseline.load(named)
    except baseline.BaselineError as error:
        raise ConfigError(str(error)) from None


def common_directory(paths: Sequence[str]) -> str:
    """The absolute directory from which a configuration file is looked for: where all the paths meet."""
    directories = []
    for path in paths:
        full = os.path.abspath(path)
        directories.append(full if os.path.isdir(full) else os.path.dirname(full))
    try:
        return os.path.commonpath(directories)
    except ValueError:  # different drives
        return os.getcwd()


def encoded(source: str) -> bytes:
    """The bytes of a file with this text: in the encoding that the text itself declares, so that reading it gives the text again."""
    from hitl_lint.frontend.source import encoding_of

    # Half a surrogate pair, as an editor may send in the middle of typing, is no character; a question mark keeps the columns.
    plain = source.encode("utf-8", "replace")
    try:
        encoding = encoding_of(plain)
        data = source.encode(encoding)
        return data if data.decode(encoding) == source else plain
    except (UnicodeError, LookupError, ValueError):
        return plain


def _request(paths: Sequence[str], config: Config, exclude: Sequence[str], force_exclude: bool, overrides: "Mapping[Path, Source] | None",
             fixes: bool, jobs: int, parsed: "dict[tuple[str, bytes], Module] | None") -> "Request":
    from hitl_lint.frontend.discover import display
    from hitl_lint.run import Request

    contents = {display(os.fspath(path)): encoded(source) if isinstance(source, str) else source for path, source in (overrides or {}).items()}
    return Request(paths, config, exclude, force_exclude, jobs, overrides=contents, fixes=fixes, parsed=parsed, baseline=known(config))


def _check(request: "Request") -> "Result":
    from hitl_lint import run

    return run.check(request)


__all__ = ["Config", "ConfigError", "check_paths", "check_source"]
