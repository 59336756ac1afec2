"""The flake8 plugin: `flake8 --select HIL PATHS` reports what `hitl-lint PATHS` reports, at the same places.

flake8 hands over one file at a time, in several processes; whether a line misuses a pause can be decided by another file. So the first file that a
process is asked about starts one run over the paths that flake8 was given, and the other files are looked up in its result. A process therefore
costs one run at most, and none when HIL is not selected. Code on stdin is looked at together with the project that its `--stdin-display-name`
belongs to.

`# noqa` is left to flake8, so that `--disable-noqa` works; our own comments (`# hitl-lint: ignore[…]`) hold. flake8 runs no plugin on a file that
Python cannot parse: its E999 stands in the place of HIL901.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Iterator, Sequence

from hitl_lint import __version__

if TYPE_CHECKING:
    import ast

    from hitl_lint.finding import Finding
    from hitl_lint.run import Result

# What comes from flake8's own command line and configuration; it is set before the first file, in each process.
_paths: tuple[str, ...] = (".",)
_stdin_name: str | None = None
_wanted = True
# The one run of this process, its findings by path.
_found: "dict[str, list[Finding]] | None" = None


class Plugin:
    """One file, as flake8 makes it: `lines` is its text, `filename` as flake8 names it."""

    name = "hitl-lint"
    version = __version__

    def __init__(self, tree: "ast.AST", filename: str, lines: Sequence[str]) -> None:
        self._filename = filename
        self._lines = lines

    @classmethod
    def parse_options(cls, manager: object, options: Any, args: object) -> None:
        """Called once in each process that does not inherit what its parent has parsed."""
        global _paths, _stdin_name, _wanted, _found
        _paths = tuple(options.filenames or ["."])
        _stdin_name = options.stdin_display_name if "-" in _paths else None
        chosen = [*(getattr(options, "select", None) or ()), *(getattr(options, "extend_select", None) or ())]
        _wanted = not getattr(options, "select", None) or any(code.startswith("HIL") or "HIL".startswith(code) for code in chosen)
        _found = None

    def run(self) -> Iterator[tuple[int, int, str, type]]:
        """(line from 1, column from 0, "CODE message", this class) of each finding. Raises flake8's ExecutionError for a configuration of ours
        that cannot be used."""
        if not _wanted:
            return
        from hitl_lint.config import ConfigError

        try:
            found = self._findings()
        except ConfigError as error:
            from flake8.exceptions import ExecutionError

            raise ExecutionError(f"hitl-lint: {error}") from None
        for finding in found:
            note = " (note)" if finding.severity.label == "note" else ""
            yield finding.span.line, finding.span.column - 1, f"{finding.code} {' '.join(finding.message.split())}{note}", type(self)

    def _findings(self) -> "Sequence[Finding]":
        from hitl_lint.frontend.discover import display

        global _found
        path = display(self._filename)
        if self._filename == _stdin_name:
            return [f for f in _run([], self._filename, "".join(self._lines)).findings if f.span.path == path]
        if _found is None:
            found: dict[str, list[Finding]] = {}
            for finding in _run([path for path in _paths if path != "-"]).findings:
                found.setdefault(finding.span.path, []).append(finding)
            _found = found
        return _found.get(path, ())


def _run(paths: Sequence[str], stdin_name: str = "", stdin: str | None = None) -> "Result":
    from hitl_lint import api, run

    config = api.settled(None, [stdin_name] if stdin is not None else paths)
    request = run.Request(paths, config, jobs=_jobs(), stdin=None if stdin is None else api.encoded(stdin), stdin_path=stdin_name, keep_noqa=True,
                          baseline=api.known(config))
    result = run.check(request)
    for line in result.complaints:
        if "internal error" in line:  # a path that cannot be read is flake8's own E902
            print(f"hitl-lint: {line}", file=sys.stderr)
    return result


def _jobs() -> int:
    """One where flake8 has started several processes itself."""
    import multiprocessing

    return 0 if multiprocessing.parent_process() is None else 1
