#!/usr/bin/env bash
# Judges the SARIF report of all fixtures by Microsoft's Sarif.Multitool (rules SARIF1001 to SARIF2016) and by the schema that comes with it. Needs npm, a
# network, Linux on x86-64 and `pip install jsonschema`. Run it in a clone: bash tests/manual/sarif_multitool.sh [PYTHON]
# Last line: what it found by rule and level; there must be no "error" and no "warning".
set -euo pipefail
python=$(command -v "${1:-python3}")
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm pack --silent @microsoft/sarif-multitool-linux@5.7.0 > /dev/null
tar -xzf ./*.tgz
(cd "$top" && "$python" -m hitl_lint fixtures --isolated --output-format sarif --output-file "$work/fixtures.sarif" --exit-zero)
"$python" -c 'import json, jsonschema; jsonschema.validate(json.load(open("fixtures.sarif")), json.load(open("package/sarif-2.1.0.json"))); print("valid against the schema")'
chmod +x package/Sarif.Multitool
DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 package/Sarif.Multitool validate fixtures.sarif --output judged.sarif --log ForceOverwrite --level "Error;Warning;Note" --kind Fail > log 2>&1 || { cat log; exit 1; }
"$python" -c '
import collections, json
found = collections.Counter((r["ruleId"], r.get("level", "warning")) for r in json.load(open("judged.sarif"))["runs"][0]["results"])
print(dict(found))
assert not [key for key in found if key[1] in ("error", "warning")]'
