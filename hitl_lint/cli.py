"""The command line: options -> Config -> run -> report -> exit status. Nothing heavy is imported here, see the start-up budget in
benchmarks/bench.py."""

from __future__ import annotations

import os
import sys
from typing import Any, Callable, Sequence

import click

from hitl_lint import __version__, api, config as configuration
from hitl_lint.config import Config, ConfigError
from hitl_lint.spelling import nearest

# What other programs read, by the module in reporters/ that writes it.
MACHINE_FORMATS = ("github", "gitlab", "junit", "rdjson", "sarif")
# Pictures: a page and a chart.
DRAWN = ("html", "mermaid")
FORMATS = ("concise", "full", "json", *MACHINE_FORMATS, *DRAWN)
# The format that the name of an output file asks for, where none is given.
BY_NAME = {".html": "html", ".htm": "html", ".json": "json", ".mmd": "mermaid", ".mermaid": "mermaid", ".rdjson": "rdjson", ".sarif": "sarif", ".sarif.json": "sarif", ".xml": "junit"}


class Fatal(Exception):
    """The run cannot go on; its text is one line for the user."""


# What people type who come from a linter with commands -> what does it here.
_COMMANDS = {"check": "hitl-lint [PATHS]", "lint": "hitl-lint [PATHS]", "explain": "--explain CODE", "rule": "--explain CODE",
             "rules": "--list-rules", "list": "--list-rules", "version": "--version", "help": "--help", "config": "--show-config", "fix": "hitl-lint --fix [PATHS]"}


@click.command(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}, add_help_option=True)
@click.argument("paths", nargs=-1, type=click.Path(readable=False), metavar="[PATHS]...")
@click.option("--select", multiple=True, metavar="CODES", help="Run only these rules (prefixes, comma-separated; ALL for every one, opt-in rules too).")
@click.option("--ignore", multiple=True, metavar="CODES", help="Leave these rules out.")
@click.option("--extend-select", multiple=True, metavar="CODES", help="Run these besides what is selected.")
@click.option("--min-severity", type=click.Choice(configuration.SEVERITIES), help="Show findings from here on (default: warning, which shows HIL303, a note, too).")
@click.option("--fail-on", type=click.Choice(configuration.FAIL_ON), help="Exit with 1 from here on (default: warning). note shows all notes, too, unless --min-severity is given.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever was found.")
@click.option("--output-format", type=click.Choice(FORMATS), help="Default: what the name of --output-file ends in, else full on a terminal, concise in a pipe. github: annotations; gitlab: code quality; rdjson: reviewdog.")
@click.option("--output-file", "-o", type=click.Path(dir_okay=False), help="Write the report here, as its name says: .html, .sarif, .json, .xml (junit), .rdjson, .mmd (mermaid).")
@click.option("--config", "config_file", type=click.Path(readable=False), metavar="FILE", help="Use this pyproject.toml or hitl-lint.toml.")
@click.option("--isolated", is_flag=True, help="Read no configuration file.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave out files and directories (gitignore patterns), besides those left out anyway.")
@click.option("--force-exclude", is_flag=True, help="Excludes hold for files named on the command line, too.")
@click.option("--stdin-filename", type=click.Path(), metavar="PATH", help="What the code on stdin (path: -) is called.")
@click.option("--baseline", type=click.Path(dir_okay=False, readable=False), metavar="FILE", help="Findings that this file lists are neither shown nor counted ('' for none, whatever the configuration says).")
@click.option("--write-baseline", is_flag=True, help="Write what is found to the baseline, and take out of it what is gone.")
@click.option("--add-noqa", is_flag=True, help="Suppress what is found by comments in the code (# noqa: CODE). With --diff: only show them.")
@click.option("--fix", is_flag=True, help="Mend what can be mended without changing what the code does otherwise; then report what is left.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also what changes the graph or the state. Alone: count it as fixable in the report.")
@click.option("--diff", is_flag=True, help="Print what --fix would change, as a unified diff, and write nothing. Exit with 1 if that is anything.")
@click.option("--jobs", "-j", type=click.IntRange(min=0), default=0, metavar="N", help="Processes to parse in (default: one per CPU).")
@click.option("--no-cache", is_flag=True, help="Neither use nor write what earlier runs have learnt.")
@click.option("--cache-dir", type=click.Path(file_okay=False, readable=False), metavar="DIR", envvar="HITL_LINT_CACHE_DIR", help="Keep what runs learn here (default: .hitl_lint_cache at the top of the project).")
@click.option("--statistics", is_flag=True, help="Count findings by rule, and calls that could not be looked up.")
@click.option("--quiet", "-q", is_flag=True, help="Print findings only.")
@click.option("--color", "--colour", type=click.Choice(("auto", "always", "never")), default="auto", help="Colour in the full format and in pages (auto: on a terminal without NO_COLOR).")
@click.option("--explain", metavar="CODE", help="Print the page of a rule.")
@click.option("--list-rules", is_flag=True, help="Print all rules.")
@click.option("--show-config", is_flag=True, help="Print the configuration that holds here.")
@click.version_option(__version__, prog_name="hitl-lint", message="%(prog)s %(version)s")
def command(paths: tuple[str, ...], **options: Any) -> int:
    """Find misuses of LangGraph's interrupt(): effects that run twice, approvals that are lost, answers that reach the wrong question.

    PATHS are files and directories (default: the current one), or - for code on stdin.

    Exit status: 0 nothing found, 1 findings, 2 the run itself failed.
    """
    if options["explain"] is not None:
        return _explain(options["explain"], options["color"])
    if options["list_rules"]:
        return _list_rules(options["output_format"])
    try:
        os.getcwd()
    except OSError as error:  # deleted meanwhile
        raise Fatal(f"cannot read the working directory: {_reason(error)}") from None
    config = _configuration(paths, options)
    if options["show_config"]:
        return _show_config(config)
    return _run(paths, config, options)


_ending = False  # the process is ours, and ends with the run
# What was said on stdout and on stderr, and whether the same command would say it again if nothing changed.
_said: tuple[list[str], list[str]] = ([], [])
_repeatable = False


def main(args: Sequence[str] | None = None, keep: Callable[[str, str, int], None] | None = None) -> None:
    """Run and exit. Errors of the user are one line on stderr and status 2, never a traceback. `keep` gets what was said on stdout and on stderr and the
    exit status, when the same command would say it again as long as nothing changes."""
    global _ending
    _ending = True
    code = status(args)
    if keep is not None and _repeatable:
        keep("".join(_said[0]), "".join(_said[1]), code)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):  # said, or nobody is there to read it
            pass
    # Taking a million nodes apart before the process ends takes as long as a twentieth of the run.
    os._exit(code)


def status(args: Sequence[str] | None = None) -> int:
    """Run; the exit status."""
    try:
        try:
            code = command.main(args=args, prog_name="hitl-lint", standalone_mode=False)
            if sys.stdout is not None:
                sys.stdout.flush()
            return code if isinstance(code, int) else 0
        except click.ClickException as error:
            raise Fatal(_usage(error)) from None
        except ConfigError as error:
            raise Fatal(str(error)) from None
        except BrokenPipeError:
            raise
        except OSError as error:  # of click, which prints --help and --version itself, or of the last flush
            raise _unwritable(error) from None
    except Fatal as error:
        _complain(str(error))
        return 2
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        _drop_stdout()  # the reader has gone (`| head`)
        return 1


def _usage(error: click.ClickException) -> str:
    """What is wrong with the command line, on one line, with the nearest valid name."""
    if isinstance(error, click.NoSuchOption):
        names = [name for param in command.params for name in param.opts if name.startswith("--")]
        return f"no such option {error.option_name}{nearest(error.option_name, names) or ' (--help lists them)'}"
    text = " ".join(error.format_message().split())
    return text[:1].lower() + text[1:].rstrip(".")


def _unwritable(error: OSError) -> Fatal:
    _drop_stdout()
    return Fatal(f"cannot write to stdout: {_reason(error)}")


def _drop_stdout() -> None:
    """What stdout still holds goes nowhere. Python would complain once more when it flushes that at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):  # no real file
        pass


def _reason(error: OSError | ValueError) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()


def _complain(text: str) -> None:
    _tell(f"hitl-lint: {text}")


def _tell(line: str) -> None:
    _said[1].append(line + "\n")
    try:
        click.echo(line, err=True)
    except OSError:  # nobody is there to read it
        pass


# --------------------------------------------------------------------------- configuration
def _configuration(paths: Sequence[str], options: dict[str, Any]) -> Config:
    if options["config_file"] is not None:
        config = configuration.load(options["config_file"])
    elif options["isolated"]:
        config = Config()
    else:
        config = configuration.find(_common_directory(paths, options["stdin_filename"]))
    _check_patterns(config, options["exclude"])
    given = {key: _codes(key, options[key]) for key in ("select", "ignore", "extend_select")}
    if any(given.values()) or config.select or config.ignore or config.extend_select or config.per_file_ignores:
        known = _known_codes()
        configuration.check_codes(config, known)
        for key, codes in given.items():
            for code in codes:
                if not configuration.known_code(code, known):
                    raise Fatal(f'--{key.replace("_", "-")}: unknown rule "{code}"{_meant(code, known)}')
    if given["select"]:
        config = config._replace(select=given["select"], extend_select=())
    config = config._replace(ignore=config.ignore + given["ignore"], extend_select=config.extend_select + given["extend_select"])
    if options["fail_on"] is not None:
        config = config._replace(fail_on=options["fail_on"])
        if options["fail_on"] == "note":  # a run must fail for notes, and not for what it does not show
            config = config._replace(min_severity="note")
    if options["min_severity"] is not None:
        config = config._replace(min_severity=options["min_severity"])
    return config


def _check_patterns(config: Config, exclude: Sequence[str]) -> None:
    """Raises Fatal for a pattern that nothing can match."""
    if not (exclude or config.exclude or config.extend_exclude or config.per_file_ignores):
        return
    from hitl_lint.frontend.ignore import useless

    source = f"{config.source}: " if config.source else ""
    patterns = [("--exclude", pattern) for pattern in exclude]
    patterns += [(f"{source}{key}", pattern) for key, listed in (("exclude", config.exclude or ()), ("extend-exclude", config.extend_exclude)) for pattern in listed]
    patterns += [(f"{source}per-file-ignores", pattern) for pattern, _ in config.per_file_ignores]
    for where, pattern in patterns:
        if why := useless(pattern):
            raise Fatal(f'{where}: the pattern "{pattern}" matches nothing: {why}')


def _codes(key: str, values: Sequence[str]) -> tuple[str, ...]:
    codes = tuple(configuration.as_code(code) for value in values for code in value.split(",") if code.strip())
    if values and not codes:  # an empty variable of a script must not turn into "all rules"
        raise Fatal(f"--{key.replace('_', '-')}: no rule is named (--list-rules shows them all)")
    return codes


def _idle(config: Config) -> bool:
    """Whether the configuration and the command line together leave no rule to run."""
    if config.select is None and not config.ignore:
        return False
    from hitl_lint.rules import all_rules

    return not any(configuration.selected(config, rule.meta.code, rule.meta.opt_in) for rule in all_rules())


def _meant(code: str, known: Sequence[str]) -> str:
    """The nearest valid code; a rule's name leads to its code."""
    from hitl_lint.rules import all_rules

    named = next((rule.meta.code for rule in all_rules() if rule.meta.name == code.lower()), None)
    return f': say its code, "{named}"' if named else nearest(code, known) or " (--list-rules shows them all)"


def _known_codes() -> list[str]:
    from hitl_lint.rules import all_rules

    return [rule.meta.code for rule in all_rules()]


def _common_directory(paths: Sequence[str], stdin_filename: str | None) -> str:
    """The absolute directory from which a configuration file is looked for: where all given paths meet."""
    return api.common_directory([stdin_filename or "." if path == "-" else path for path in paths] or ["."])


# --------------------------------------------------------------------------- the main job
def _run(paths: Sequence[str], config: Config, options: dict[str, Any]) -> int:
    from hitl_lint import run

    stdin = None
    stdin_path = options["stdin_filename"] or "-"
    named = [path for path in paths if path != "-"]
    if "-" in paths:
        stdin = _read_stdin()
    elif options["stdin_filename"] is not None:
        raise Fatal("--stdin-filename is for code on stdin: add the path -")
    elif not named:
        named = ["."]
    for path in named:
        if path in _COMMANDS and not os.path.exists(path):
            raise Fatal(f"there is no command {path}: use {_COMMANDS[path]}")
    if options["diff"] and options["output_format"] in ("json", *MACHINE_FORMATS, *DRAWN):
        raise Fatal(f"--diff prints a patch and no {options['output_format']}: leave out one of --diff and --output-format")
    request = run.Request(named, config, options["exclude"], options["force_exclude"], options["jobs"], stdin, stdin_path,
                          cache=_cache(config, options), picture=_form(options)[1] in DRAWN and not options["diff"])
    options = {**options, "fail_on": config.fail_on}
    if _idle(config):
        _complain("no rule is selected, so nothing is looked for (--show-config says what holds here)")
        options["quiet"] = True  # that nothing was found says nothing
    baseline = _baseline(config, options)
    if baseline is not None:
        request = request._replace(baseline=baseline)
    if options["write_baseline"] or options["add_noqa"]:
        flag = "--write-baseline" if options["write_baseline"] else "--add-noqa"
        if options["fix"] or options["write_baseline"] and (options["diff"] or options["add_noqa"]):
            raise Fatal(f"{flag} goes without {'--fix' if options['fix'] else '--add-noqa' if options['add_noqa'] else '--diff'}: do one after the other")
        if stdin is not None:
            raise Fatal(f"{flag} with code on stdin: name the files")
    if options["write_baseline"]:
        return _write_baseline(request, options)
    if options["add_noqa"]:
        return _add_noqa(request, config, options)
    if options["fix"] or options["diff"]:
        if stdin is not None and named:
            raise Fatal(f"{'--diff' if options['diff'] else '--fix'} with code on stdin: name no other paths")
        return _mend(request, config, options)
    terminal, form = _form(options)
    # Lines for an editor have no place for fixes, and where nothing is said of them they need not be known.
    fixes = form not in ("github", "gitlab", "junit", "mermaid") and not (form == "concise" and options["quiet"])
    with _Progress(options) as progress:
        result = run.check(request._replace(last=_ending, fixes=fixes, progress=progress))
    for complaint in result.complaints:
        _complain(complaint)
    if baseline is not None and not options["quiet"]:
        _tell_stale(baseline, result, config)
    _report(result, options, {stdin_path: stdin} if stdin is not None else {}, form, terminal, _fixable(result.findings, options["unsafe_fixes"]))
    if result.failed:
        return 2
    global _repeatable
    _repeatable = baseline is None and stdin is None and not result.complaints and options["output_file"] is None
    return 0 if options["exit_zero"] else _verdict(result.findings, config.fail_on)


def _cache(config: Config, options: dict[str, Any]) -> str | None:
    """As in run.Request: the command line, then HITL_LINT_CACHE_DIR, then the configuration, then the default."""
    if options["no_cache"]:
        return None
    if options["cache_dir"]:
        return str(options["cache_dir"])
    return os.path.join(config.root, os.path.expanduser(config.cache_dir)) if config.cache_dir else ""


# --------------------------------------------------------------------------- what is known already
def _baseline(config: Config, options: dict[str, Any]) -> Any:
    """The Baseline of the command line or the configuration, or None."""
    named = options["baseline"]
    if named is None:
        named = api.baseline_file(config)
    if not named:
        if options["write_baseline"]:
            raise Fatal('--write-baseline: where to? Add --baseline FILE, or baseline = "FILE" to the configuration')
        return None
    from hitl_lint import baseline

    if options["write_baseline"] and not os.path.exists(named):
        return baseline.Baseline(named)
    try:
        return baseline.load(named)
    except baseline.BaselineError as error:
        raise Fatal(str(error)) from None


def _write_baseline(request: Any, options: dict[str, Any]) -> int:
    from hitl_lint import baseline, run
    from hitl_lint.reporters.summary import plural

    old = request.baseline
    with _Progress(options) as progress:
        result = run.check(request._replace(progress=progress))
    for complaint in result.complaints:
        _complain(complaint)
    if result.failed:
        return 2
    sought = _sought(old, result, request.config)
    found = sorted([*result.findings, *result.known], key=lambda finding: finding.sort_key)
    new = old.renewed(found, sought)
    try:
        baseline.save(new)
    except baseline.BaselineError as error:
        raise Fatal(str(error)) from None
    if not options["quiet"]:
        gone = len(old.stale(found, sought))
        _tell(f"{plural(len(new.entries), 'finding')} in {old.source}: {len(result.findings)} new, {gone} gone.")
    return 0


def _sought(known: Any, result: Any, config: Config) -> Any:
    """entry -> whether this run would have found what it stands for, if it were there."""
    from hitl_lint.rules import all_rules

    severities = [*reversed(configuration.SEVERITIES)]
    least = severities.index(config.min_severity)
    rules = {rule.meta.code: rule.meta for rule in all_rules()}
    # What could not be parsed was not looked at, though it is told of.
    unread = {finding.span.path for finding in (*result.findings, *result.known) if finding.code == "HIL901"}
    linted = {known.relative(path) for path in result.linted if path not in unread}
    home = os.path.dirname(os.path.abspath(known.source))

    def sought(entry: Any) -> bool:
        meta = rules.get(entry.code)
        if meta is not None and not configuration.selected(config, entry.code, meta.opt_in):
            return False
        at = severities.index(entry.severity) if entry.severity in severities else least
        if at < least and not (meta is not None and meta.shown and config.min_severity == "warning"):
            return False
        return entry.path in linted or not os.path.exists(os.path.join(home, entry.path))

    return sought


def _tell_stale(known: Any, result: Any, config: Config) -> None:
    if len(result.known) == len(known.entries):
        return
    stale = known.stale(result.known, _sought(known, result, config))
    for entry in stale[:10]:
        _complain(f"{known.source}: {entry.code} in {entry.path} is gone: {entry.message or entry.fingerprint}")
    if stale:
        more = f"and {len(stale) - 10} more; " if len(stale) > 10 else ""
        _complain(f"{more}--write-baseline takes {'it' if len(stale) == 1 else 'them'} out of {known.source}")


def _add_noqa(request: Any, config: Config, options: dict[str, Any]) -> int:
    from hitl_lint import mend, noqa

    with _Progress(options) as progress:
        outcome = noqa.add(request._replace(progress=progress))
    if not options["diff"]:
        written = mend.write(outcome, request)
        outcome = written._replace(complaints=(*outcome.complaints, *written.complaints))
    for complaint in (*outcome.result.complaints, *outcome.complaints):
        _complain(complaint)
    said = noqa.sentence(outcome, options["diff"])
    if options["diff"]:
        _write_bytes(mend.diff(outcome.changes), options["output_file"])
        if not options["quiet"]:
            _tell(said)
        return 2 if outcome.result.failed else int(bool(outcome.changes) and not options["exit_zero"])
    terminal, form = _form(options)
    _report(outcome.result, options, {}, form, terminal, said)
    if outcome.result.failed or outcome.complaints:
        return 2
    return 0 if options["exit_zero"] else _verdict(outcome.result.findings, config.fail_on)


class _Progress:
    """A line on stderr that says what a long run is doing: on a terminal only, and not before a second has gone by. None as a context where
    nobody can see it."""

    AFTER, EVERY = 1.0, 0.1

    def __init__(self, options: dict[str, Any]) -> None:
        self.on = not options["quiet"] and sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self.shown = ""
        self.next = 0.0

    def __enter__(self) -> Any:
        if not self.on:
            return None
        import time

        self.clock = time.monotonic
        self.next = self.clock() + self.AFTER
        return self

    def __call__(self, what: str, done: int, total: int) -> None:
        now = self.clock()
        if now < self.next:
            return
        self.next = now + self.EVERY
        full = 20 * done // max(total, 1)
        self._put(f"{what} [{'#' * full}{'.' * (20 - full)}] {done}/{total}")

    def __exit__(self, *_: object) -> None:
        if self.shown:
            self._put("")

    def _put(self, text: str) -> None:
        try:
            sys.stderr.write("\r" + text.ljust(len(self.shown)) + ("\r" if not text else ""))
            sys.stderr.flush()
        except (OSError, ValueError):  # nobody is there to see it
            pass
        self.shown = text


def _mend(request: Any, config: Config, options: dict[str, Any]) -> int:
    """--fix and --diff."""
    from hitl_lint import mend

    with _Progress(options) as progress:
        outcome = mend.mend(request._replace(progress=progress), unsafe=options["unsafe_fixes"])
    piped = request.stdin is not None
    if not options["diff"] and not piped:
        outcome = mend.write(outcome, request)
    result = outcome.result
    for complaint in (*result.complaints, *outcome.complaints):
        _complain(complaint)
    terminal, form = _form(options)
    if options["diff"]:
        _write_bytes(mend.diff(outcome.changes), options["output_file"])
        form = "concise"
    elif piped:
        terminal, form = False, options["output_format"] or _by_name(options["output_file"]) or "concise"
        _write_bytes(outcome.changes[0].new if outcome.changes else request.stdin, None)
    if not options["quiet"] and form == "concise":
        from hitl_lint.reporters import concise

        # Who reads a diff looks at the files as they are.
        for finding in mend.as_it_is(outcome) if options["diff"] else result.findings:
            if finding.no_fix:
                _complain(f"not fixed: {concise.place(finding.span)}: {finding.code}: {finding.no_fix}")
    for note in outcome.notes if not options["quiet"] else ():
        _complain(f"before this is deployed: {note}")
    said = _fixed(outcome, options)
    if options["diff"]:
        if not options["quiet"]:
            _tell(said)
        return 2 if result.failed else int(bool(outcome.changes) and not options["exit_zero"])
    stdin = {request.stdin_path: outcome.changes[0].new if outcome.changes else request.stdin} if piped else {}
    _report(result, options, stdin, form, terminal, said, to_stderr=piped)
    if result.failed or outcome.complaints:
        return 2
    return 0 if options["exit_zero"] else _verdict(result.findings, config.fail_on)


def _fixed(outcome: Any, options: dict[str, Any]) -> str:
    """"2 fixed in 1 file, 3 remain; 1 can be fixed with --unsafe-fixes."."""
    from hitl_lint.reporters.summary import plural

    left = outcome.result.findings
    files = plural(len(outcome.changes), "file")
    head = f"{'Would fix ' if options['diff'] else ''}{outcome.fixed}{'' if options['diff'] else ' fixed'} in {files}"
    if not outcome.changes:
        head = "Nothing would be fixed" if options["diff"] else "Nothing fixed"
    unsafe = 0 if options["unsafe_fixes"] else sum(bool(finding.fixes) and all(fix.safety != "safe" for fix in finding.fixes) for finding in left)
    more = f"; {unsafe} can be fixed with --unsafe-fixes" if unsafe else ""
    return f"{head}, {len(left)} remain{'s' if len(left) == 1 else ''}{more}."


def _fixable(findings: Sequence[Any], unsafe: bool) -> str:
    """"2 can be fixed with --fix, 1 more with --unsafe-fixes."; "" when nothing can."""
    safe = sum(any(fix.safety == "safe" for fix in finding.fixes) for finding in findings)
    rest = sum(bool(finding.fixes) for finding in findings) - safe
    if unsafe and rest:
        return f"{safe + rest} can be fixed with --fix --unsafe-fixes."
    told = [f"{safe} can be fixed with --fix"] if safe else []
    if rest:
        told.append(f"{rest} more with --unsafe-fixes" if safe else f"{rest} can be fixed with --fix --unsafe-fixes")
    return ", ".join(told) + "." if told else ""


def _read_stdin() -> bytes:
    if sys.stdin is None:
        raise Fatal("cannot read stdin: it is closed")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise Fatal(f"cannot read stdin: {_reason(error)}") from None


def _verdict(findings: Sequence[Any], fail_on: str) -> int:
    if not findings or fail_on == "never":
        return 0
    from hitl_lint.finding import Severity

    return int(any(finding.severity >= Severity[fail_on.upper()] for finding in findings))


def _form(options: dict[str, Any]) -> tuple[bool, str]:
    """(whether a person reads the report at a terminal, its format)."""
    terminal = options["output_file"] is None and sys.stdout is not None and sys.stdout.isatty()
    return terminal, options["output_format"] or _by_name(options["output_file"]) or ("full" if terminal else "concise")


def _by_name(output_file: str | None) -> str | None:
    """The format that the name of the output file asks for."""
    name = os.path.basename(output_file or "").lower()
    return next((form for end, form in sorted(BY_NAME.items(), key=lambda item: -len(item[0])) if name.endswith(end)), None)


def _report(result: Any, options: dict[str, Any], stdin: dict[str, bytes], form: str, terminal: bool, fixes: str, *, to_stderr: bool = False) -> None:
    """`fixes`: what the last line says about them."""
    counts = result.summary()
    # When nothing named could be read, that has been said.
    nothing = result.failed and not result.files_found
    notes = [] if options["quiet"] or nothing else _closing_lines(result, counts, options["statistics"], form)
    if fixes and not options["quiet"] and not nothing and (form not in ("json", *MACHINE_FORMATS) or options["fix"] or options["add_noqa"]):
        notes.append(fixes)
    if form == "json":
        from hitl_lint.reporters import json

        text = json.render(result.findings, counts, __version__)
    elif form in MACHINE_FORMATS:
        text = _for_machines(form, result, options, stdin)
    elif form in DRAWN:
        text = _drawn(result, counts, stdin, form)
    elif form == "full":
        text = _full(result, counts, options, stdin, terminal)
        text += "".join(line + "\n" for line in notes)
        notes = []
        if to_stderr and not options["output_file"]:
            _tell(text.removesuffix("\n"))
            return
    else:
        text = ""
        if result.findings:
            from hitl_lint.reporters import concise

            text = concise.render(result.findings)
    if to_stderr and not options["output_file"]:
        notes = [*([text.removesuffix("\n")] if text else []), *notes]
    else:
        _write(text, options["output_file"])
    for line in notes:
        _tell(line)


def _closing_lines(result: Any, counts: dict[str, int], statistics: bool, form: str) -> list[str]:
    """The summary (unless the format has it) and, if asked for, the statistics."""
    if form == "json" and not statistics:
        return []
    lines = []
    if statistics:
        from collections import Counter

        tally = Counter((finding.code, finding.name) for finding in result.findings)
        lines += [f"{count:>5}  {code}  {name}" for (code, name), count in sorted(tally.items(), key=lambda item: (-item[1], item[0]))]
        lines.append(f"{len(result.unresolved):>5}  calls in replay zones that could not be looked up")
        lines += [f"{count:>10}  {callee}" for callee, count in Counter(result.unresolved).most_common(10)]
        helpers = result.files_read - result.files_analysed
        one = result.files_analysed == 1
        lines.append(f"{result.files_analysed:>5}  of {result.files_found} file{'' if result.files_found == 1 else 's'} looked at {'was' if one else 'were'} parsed"
                     + (f", and {helpers} that {'it imports' if one else 'they import'}" if helpers > 0 else ""))
    if form == "concise" or form in MACHINE_FORMATS or form in DRAWN:
        from hitl_lint.reporters import summary

        lines.append(summary.sentence(counts))
    return lines


def _drawn(result: Any, counts: dict[str, int], stdin: dict[str, bytes], form: str) -> str:
    """The page or the flowchart."""
    if form == "mermaid":
        from hitl_lint.reporters import mermaid

        return mermaid.render(result.picture)
    from hitl_lint import run
    from hitl_lint.reporters import html

    return html.render(result.picture, result.findings, counts, run.source_lines(stdin), __version__)


def _for_machines(form: str, result: Any, options: dict[str, Any], stdin: dict[str, bytes]) -> str:
    """The report in one of the MACHINE_FORMATS."""
    from importlib import import_module

    from hitl_lint import run
    from hitl_lint.reporters.files import Files

    module = import_module(f"hitl_lint.reporters.{form}")
    files = Files(run.source_lines(stdin), run.notebook_lines(stdin), _below_checkout(), run.notebook_edits(stdin))
    more: list[Any] = []
    if form == "sarif":
        from hitl_lint.rules import all_rules

        rules = [module.Rule(rule.meta.code, rule.meta.name, rule.meta.severity, rule.meta.summary, rule.doc, not rule.meta.opt_in) for rule in all_rules()]
        more = [rules, __version__, result.complaints, result.failed]
    elif form == "junit":
        more = [lambda finding: bool(_verdict([finding], options["fail_on"]))]
    return str(module.render(result.findings, files, *more))


def _below_checkout() -> str:
    """Where in the checkout of a CI the working directory is, "" at its top or anywhere else: a step may run in a folder of the repository."""
    top = os.environ.get("GITHUB_WORKSPACE") or os.environ.get("CI_PROJECT_DIR")
    if not top or not os.path.isabs(top):
        return ""
    try:
        below = os.path.relpath(os.path.realpath("."), os.path.realpath(top)).replace(os.sep, "/")
    except ValueError:  # another drive
        return ""
    return "" if below == "." or below.split("/")[0] == ".." else below


def _full(result: Any, counts: dict[str, int], options: dict[str, Any], stdin: dict[str, bytes], terminal: bool) -> str:
    if not result.findings:
        from hitl_lint.reporters import summary

        return "" if options["quiet"] or result.failed and not result.files_found else summary.sentence(counts) + "\n"
    import shutil

    from hitl_lint import run
    from hitl_lint.reporters import full

    colour = _coloured(options["color"], terminal)
    width = shutil.get_terminal_size((100, 24)).columns if terminal else 100
    return full.render(result.findings, None if options["quiet"] else counts, run.source_lines(stdin), full.Style(colour, min(width, 140)))


def _coloured(asked: str, terminal: bool) -> bool:
    return asked == "always" or asked == "auto" and terminal and not os.environ.get("NO_COLOR")


def _write(text: str, output_file: str | None) -> None:
    if output_file is not None:
        try:
            with open(output_file, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
                file.write(text)
        except (OSError, ValueError) as error:
            raise Fatal(f"cannot write {output_file}: {_reason(error)}") from None
        return
    if not text:
        return
    if sys.stdout is None:
        raise Fatal("cannot write to stdout: it is closed")
    _said[0].append(text)
    try:
        try:
            sys.stdout.write(text)
        except UnicodeEncodeError:  # a terminal or pipe of a poorer encoding
            encoding = sys.stdout.encoding or "ascii"
            sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _unwritable(error) from None


def _write_bytes(data: bytes, output_file: str | None) -> None:
    """Code or a diff: byte by byte, whatever the terminal's encoding is."""
    buffer = getattr(sys.stdout, "buffer", None)
    try:
        if output_file is not None:
            with open(output_file, "wb") as file:
                file.write(data)
        elif buffer is None:
            _write(data.decode("utf-8", "backslashreplace"), None)
        else:
            sys.stdout.flush()
            buffer.write(data)
            buffer.flush()
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        if output_file is not None:
            raise Fatal(f"cannot write {output_file}: {_reason(error)}") from None
        raise _unwritable(error) from None  # type: ignore[arg-type]


# --------------------------------------------------------------------------- pages about the tool
def _explain(asked: str, colour: str) -> int:
    import shutil

    from hitl_lint.reporters import page
    from hitl_lint.rules import all_rules

    rules = all_rules()
    found = next((rule for rule in rules if asked.strip().lower() in (rule.meta.code.lower(), rule.meta.name)), None)
    if found is None:
        group = [rule.meta.code for rule in rules if rule.meta.code.startswith(asked.strip().upper())]
        if group and asked.strip().upper().startswith("HIL"):
            raise Fatal(f'--explain: "{asked}" stands for several rules: {", ".join(group)}')
        names = [name for rule in rules for name in (rule.meta.code, rule.meta.name)]
        raise Fatal(f'--explain: unknown rule "{asked}"{nearest(asked, names) or " (--list-rules shows them all)"}')
    meta = found.meta
    extra = (", opt-in" if meta.opt_in else "") + (", shown by default" if meta.shown else "")
    terminal = sys.stdout is not None and sys.stdout.isatty()
    width = min(shutil.get_terminal_size((100, 24)).columns, 100) if terminal else 100
    _write(page.terminal(f"{meta.code} {meta.name} ({meta.severities}{extra})", found.doc, width, _coloured(colour, terminal)), None)
    return 0


def _list_rules(form: str | None) -> int:
    from hitl_lint.rules import all_rules

    rows = [rule.meta for rule in all_rules()]
    if form == "json":
        import json

        _write(json.dumps([{"code": m.code, "name": m.name, "severity": m.severity.label, "also": [s.label for s in m.also], "summary": m.summary, "opt_in": m.opt_in}
                           for m in rows], indent=1) + "\n", None)
        return 0
    width = max((len(m.name) for m in rows), default=0)
    wide = max((len(m.severities) for m in rows), default=0)
    _write("".join(f"{m.code}  {m.name:<{width}}  {m.severities:<{wide}}  {m.summary}{' (opt-in)' if m.opt_in else ' (shown by default)' if m.shown else ''}\n" for m in rows), None)
    return 0


def _show_config(config: Config) -> int:
    from hitl_lint.frontend.discover import DEFAULT_EXCLUDES

    exclude = config.exclude if config.exclude is not None else (*sorted(DEFAULT_EXCLUDES), "*.egg-info")
    lines = [f"# from {config.source}" if config.source else "# no configuration file: these are the defaults, with what the command line changed"]
    if config.select is None:
        lines.append("# select: all rules but opt-in ones")
    for key, value in (*((("select", config.select),) if config.select is not None else ()), ("ignore", config.ignore), ("extend-select", config.extend_select),
                       ("exclude", exclude), ("extend-exclude", config.extend_exclude)):
        lines.append(f"{key} = [{', '.join(_toml(item) for item in value)}]")
    lines += [f"min-severity = {_toml(config.min_severity)}", f"fail-on = {_toml(config.fail_on)}"]
    if config.langgraph:
        lines.append(f"langgraph = {_toml(config.langgraph)}")
    if config.baseline:
        lines.append(f"baseline = {_toml(config.baseline)}")
    if config.cache_dir:
        lines.append(f"cache-dir = {_toml(config.cache_dir)}")
    if config.per_file_ignores:
        lines += ["", "[per-file-ignores]"]
        lines += [f"{_toml(pattern)} = [{', '.join(_toml(code) for code in codes)}]" for pattern, codes in config.per_file_ignores]
    if config.effects:
        lines += ["", "[effects]"]
        lines += [f"{_toml(name)} = {_toml(kind)}" for name, kind in config.effects]
    _write("\n".join(lines) + "\n", None)
    return 0


def _toml(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False)
