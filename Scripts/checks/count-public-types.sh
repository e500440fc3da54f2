#!/usr/bin/env bash
# Counts the public types that `import DepthEstimation` brings, from the compiler's symbol graphs, and fails above the limit.
#   Scripts/checks/count-public-types.sh [OPTIONS OF swift build, such as -Xswiftc -enable-testing]
# The package must be built with these options. The limit is 60. A type that came later is named below with what needs it, and not counted.
set -euo pipefail
cd "$(dirname "$0")/../.."
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
Scripts/lib/symbol-graphs.sh "$graphs" "$@"
python3 - "$graphs" <<'PYTHON'
import json, pathlib, re, sys

folder, limit = pathlib.Path(sys.argv[1]), 60
later = {"ErrorMap": "the expected error of each pixel, by networks with two outputs",
         "WeightsKind": "the meaning of published weights that do not say it"}
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
    total += len(names - later.keys())
    print(f"{len(names):3} {module}: {', '.join(sorted(names))}")
print(f"{total:3} public types, at most {limit} wanted; besides {', '.join(later)}")
sys.exit(total > limit)
PYTHON
