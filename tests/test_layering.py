"""Who may import whom (CONTRIBUTING.md, Layout): read from the import statements, so that no lazy import escapes."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "hitl_lint"

# room -> the rooms it may import; a room may always import itself. "" is hitl_lint/__init__.py (the version, and where the names of
# the Python API are; it imports them when they are asked for).
ALLOWED = {
    "": {"api", "config", "finding", "run"},
    "facts": set(),
    "finding": set(),
    "picture": {"finding"},
    "asked": set(),
    "record": set(),
    "spelling": set(),
    "config": {"asked", "spelling"},
    "versions": {"asked"},
    "catalogue": {"record"},
    "frontend": {"asked", "facts", "record", "spelling"},
    "analysis": {"catalogue", "facts", "finding", "picture", "record"},
    "rules": {"analysis", "facts", "finding", "record"},
    "reporters": {"finding", "picture"},
    "fixes": {"analysis", "catalogue", "facts", "finding", "frontend"},
    "baseline": {"finding"},
    "run": {"", "analysis", "asked", "spelling", "baseline", "cache", "config", "facts", "finding", "fixes", "frontend", "picture", "rules", "reporters", "versions"},
    "cache": {"", "facts", "finding", "frontend"},
    "mend": {"facts", "finding", "fixes", "frontend", "run"},
    "api": {"baseline", "config", "facts", "frontend", "rules", "run"},
    "flake8_plugin": {"", "api", "config", "finding", "frontend", "run"},
    "lsp": {"", "api", "config", "facts", "finding", "frontend", "mend", "reporters", "rules", "run"},
    "noqa": {"facts", "finding", "fixes", "frontend", "mend", "run"},
    "cli": {"", "api", "spelling", "baseline", "config", "mend", "noqa", "run", "reporters", "rules", "finding", "frontend"},
    "start": {"asked", "cache", "cli", "frontend"},
    "__main__": {"start"},
}
# Which third-party packages may be imported where; everywhere else only the standard library.
THIRD_PARTY = {"frontend": {"libcst"}, "fixes": {"libcst"}, "cli": {"click"}, "config": {"tomli"}, "versions": {"tomli"}, "run": {"libcst"},
               "lsp": {"lsprotocol", "pygls"}, "flake8_plugin": {"flake8"}}

FILES = sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return "" if first == "__init__.py" else first.removesuffix(".py")


def imports(path: Path) -> list[tuple[int, str]]:
    """(line, absolute dotted name) of everything imported anywhere in the file, `if TYPE_CHECKING` included."""
    package = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    found: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parent = package.split(".")[: -node.level]
                base = ".".join([*parent, base] if base else parent)
            found += [(node.lineno, f"{base}.{alias.name}") for alias in node.names]
    return found


def test_every_room_is_listed() -> None:
    assert {room_of(path) for path in FILES} <= set(ALLOWED)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    room = room_of(path)
    wrong = []
    for line, name in imports(path):
        top = name.split(".")[0]
        if top == "hitl_lint":
            parts = name.split(".")
            target = parts[1] if len(parts) > 1 and (PACKAGE / parts[1]).is_dir() or len(parts) > 1 and (PACKAGE / f"{parts[1]}.py").exists() else ""
            # No rule imports another: what two of them need belongs in analysis.
            own = room == "rules" and target == "rules" and len(parts) > 3 and (PACKAGE / "rules" / parts[2]).is_dir()
            if own or target != room and target not in ALLOWED[room]:
                wrong.append(f"line {line}: {name}")
        elif top not in sys.stdlib_module_names and top not in THIRD_PARTY.get(room, set()):
            wrong.append(f"line {line}: {name}")
    assert not wrong


def test_the_dear_parts_of_libcst_are_never_imported() -> None:
    """Metadata, matchers, visitors and codemod cost two to eight parses each."""
    dear = ("libcst.matchers", "libcst.codemod", "libcst.metadata")
    wrong = [f"{path.name}:{line}: {name}" for path in FILES for line, name in imports(path)
             if name.startswith(dear) or name.split(".")[0] == "libcst" and name.endswith(("MetadataWrapper", "CSTVisitor", "CSTTransformer"))]
    assert not wrong


def test_libcst_is_never_imported_at_the_top_of_a_module_outside_the_parse() -> None:
    """Only what runs after the gate may load it: discovery, the driver and the command line import it inside functions or not at all."""
    for name in ("frontend/discover.py", "frontend/ignore.py", "frontend/source.py", "run.py", "cli.py", "config.py"):
        tree = ast.parse((PACKAGE / name).read_text(encoding="utf-8"))
        tops = [alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names]
        tops += [node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)]
        assert not [top for top in tops if top.split(".")[0] == "libcst"], name
