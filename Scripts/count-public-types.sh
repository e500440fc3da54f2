#!/usr/bin/env bash
# Counts the public types that `import DepthEstimation` brings, from the compiler's symbol graphs, and fails above the limit.
#   Scripts/count-public-types.sh [LIMIT]      the limit is 60
set -euo pipefail
cd "$(dirname "$0")/.."
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
swift build -c release --target DepthEstimation --scratch-path .build/symbol-graphs \
  -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$graphs" >/dev/null
python3 - "$graphs" "${1:-60}" <<'PYTHON'
import json, pathlib, re, sys

folder, limit = pathlib.Path(sys.argv[1]), int(sys.argv[2])
exports = re.findall(
    r"@_exported public import (\w+)", pathlib.Path("Sources/DepthEstimation/Exports.swift").read_text())
kinds = {"swift.struct", "swift.enum", "swift.class", "swift.protocol", "swift.typealias", "swift.actor"}
total = 0
for module in exports:
    names = set()
    for file in sorted(folder.glob(f"{module}*.symbols.json")):
        for symbol in json.loads(file.read_text())["symbols"]:
            if symbol["kind"]["identifier"] in kinds and symbol["accessLevel"] in ("public", "open"):
                names.add(".".join(symbol["pathComponents"]))
    total += len(names)
    print(f"{len(names):3} {module}: {', '.join(sorted(names))}")
print(f"{total:3} public types, at most {limit} wanted")
sys.exit(total > limit)
PYTHON
