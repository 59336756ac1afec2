"""hitl-lint: finds misuses of LangGraph's interrupt() before they double-charge, skip an approval or approve the wrong thing.

    import hitl_lint

    for finding in hitl_lint.check_paths("src").findings:
        print(finding.span.path, finding.span.line, finding.code, finding.message)

`check_paths` and `check_source` run the linter; `Config` is its configuration and `ConfigError` what is wrong with one. They return a `Result`
of `Finding`s, each with a `Severity`, a `Span`, the `Step`s of its chain and its `Fix`es, which are made of `Edit`s. Other modules of the package
are not for use from outside and change without notice.
"""

__version__ = "0.1.0"

# Importing the package costs nothing; the names below are fetched when they are asked for. (Importing `typing` for its constant would cost more.)
TYPE_CHECKING = False
if TYPE_CHECKING:
    from hitl_lint.api import check_paths, check_source
    from hitl_lint.config import Config, ConfigError
    from hitl_lint.finding import Confidence, Edit, Finding, Fix, Severity, Span, Step
    from hitl_lint.run import Result

_HOMES = {"check_paths": "api", "check_source": "api", "Config": "config", "ConfigError": "config", "Result": "run",
          "Confidence": "finding", "Edit": "finding", "Finding": "finding", "Fix": "finding", "Severity": "finding", "Span": "finding", "Step": "finding"}

__all__ = ["Confidence", "Config", "ConfigError", "Edit", "Finding", "Fix", "Result", "Severity", "Span", "Step", "__version__", "check_paths", "check_source"]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
