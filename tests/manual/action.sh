#!/usr/bin/env bash
# Runs the steps of action.yml as GitHub does, with a real installation, on the fixtures of HIL101. Needs a network and `pip install pyyaml`.
# Run it in a clone: bash tests/manual/action.sh [PYTHON]. Last line: what was found, in annotations and in the SARIF file.
set -euo pipefail
python=$(command -v "${1:-python3}")
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
RUNNER_TEMP=$(mktemp -d)
trap 'rm -rf "$RUNNER_TEMP"' EXIT
export RUNNER_TEMP GITHUB_WORKSPACE="$top" HITL_LINT_PYTHON="$python" HITL_LINT_VERSION="" HITL_LINT_SOURCE="$top" HITL_LINT_PATHS=HIL101 \
  HITL_LINT_ARGS="--isolated --fail-on never" HITL_LINT_SARIF="$RUNNER_TEMP/report.sarif"
unset PYTHONPATH
for step in 0 1; do
  "$python" -c 'import sys, yaml; print(yaml.safe_load(open(sys.argv[1]))["runs"]["steps"][int(sys.argv[2])]["run"])' "$top/action.yml" $step > "$RUNNER_TEMP/$step.sh"
  (cd "$top/fixtures" && bash --noprofile --norc -eo pipefail "$RUNNER_TEMP/$step.sh") > "$RUNNER_TEMP/$step.out"
done
cat "$RUNNER_TEMP/0.out"
grep -c '^::error .*file=fixtures/HIL101/' "$RUNNER_TEMP/1.out"
"$python" -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["runs"][0]["results"]), "results in the SARIF file")' "$HITL_LINT_SARIF"
