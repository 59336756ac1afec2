# What both editors are given: a server on the path, and a project in $work whose node.py sends a mail before it asks and swallows the question.
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PYTHON=${PYTHON:-$top/.venv/bin/python}
mkdir "$work/bin" "$work/project" "$work/home"
printf '#!/bin/sh\nPYTHONPATH=%s exec %s -c "from hitl_lint.lsp import main; main()" "$@"\n' "'$top'" "'$PYTHON'" > "$work/bin/hitl-lint-server"
printf '#!/bin/sh\nPYTHONPATH=%s exec %s -m hitl_lint "$@"\n' "'$top'" "'$PYTHON'" > "$work/bin/hitl-lint"
chmod +x "$work/bin/hitl-lint-server" "$work/bin/hitl-lint"
export PATH="$work/bin:$PATH" HOME="$work/home"
cat > "$work/project/mail.py" <<'PY'
import httpx


def prepare():
    httpx.post("https://mail.example")
PY
cat > "$work/project/node.py" <<'PY'
from langgraph.types import interrupt
from mail import prepare


def node(state):
    prepare()
    try:
        return {"answer": interrupt("Send it? 😀")}
    except Exception:
        return {}
PY
printf '[project]\nname = "app"\nversion = "0"\n' > "$work/project/pyproject.toml"
# The Nth fenced block of docs/editors.md in a language.
block() { awk -v lang="$1" -v want="$2" '$0 == "```" lang { n++; on = (n == want); next } /^```/ { on = 0 } on' "$top/docs/editors.md"; }
