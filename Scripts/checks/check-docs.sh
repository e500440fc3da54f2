#!/usr/bin/env bash
# Makes the documentation of everything that the umbrella exports, and fails on a warning, such as a link to nothing, or on a
# public symbol without a comment. The package must be built.
#   Scripts/checks/check-docs.sh [OPTIONS OF swift build, such as -Xswiftc -enable-testing]
# SITE names a folder for the result, a site that any web server can show.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
Scripts/lib/symbol-graphs.sh "$folder/graphs" "$@"
docc convert Sources/DepthEstimation/DepthEstimation.docc --additional-symbol-graph-dir "$folder/graphs" \
  --output-dir "${SITE:-$folder/site}" --fallback-display-name DepthEstimation --fallback-bundle-identifier DepthEstimation \
  --diagnostic-level information --ide-console-output >"$folder/said" 2>&1 || { cat "$folder/said"; exit 1; }
if grep -E 'warning:|error:' "$folder/said"; then
  echo "check-docs: $(grep -cE 'warning:|error:' "$folder/said") warnings, expected none" >&2
  exit 1
fi

# Synthesized members ("::SYNTHESIZED::") and requirements of the standard library's protocols have no comment of their own.
python3 - "$folder/graphs" <<'END'
import json, pathlib, sys

bare = []
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.symbols.json")):
    if "@" in path.stem.removesuffix(".symbols") and "@Swift" in path.stem:
        continue
    for symbol in json.loads(path.read_text())["symbols"]:
        where = symbol.get("location", {}).get("uri", "")
        if where and "docComment" not in symbol and "SYNTHESIZED" not in symbol["identifier"]["precise"]:
            bare.append(f"{where.rsplit('/Sources/')[-1]}:{symbol['location']['position']['line'] + 1}: {symbol['kind']['displayName'].lower()} {'.'.join(symbol['pathComponents'])}")
print(*bare, sep="\n", end="\n" if bare else "")
if bare:
    sys.exit(f"check-docs: {len(bare)} public symbols without a comment, expected none")
END
