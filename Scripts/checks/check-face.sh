#!/usr/bin/env bash
# Compares Documentation/API.md, the list of every public symbol of the products in one line each, with the compiler's symbol
# graphs: a change of the library's face is seen in review.
#   Scripts/checks/check-face.sh [--write] [OPTIONS OF swift build, such as -Xswiftc -enable-testing]
# The package must be built with these options. --write renews the page. MODULES names the folder of its modules instead.
set -euo pipefail
cd "$(dirname "$0")/../.."
page=Documentation/API.md
write=
if [ "${1:-}" = --write ]; then
  write=1
  shift
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
Scripts/lib/symbol-graphs.sh "$folder" "$@"
Scripts/lib/list-symbols.py "$folder" >"$folder/API.md"
if [ -n "$write" ]; then cp "$folder/API.md" "$page"; fi
diff -u "$page" "$folder/API.md" || {
  echo "check-face: $page differs from the code; Scripts/checks/check-face.sh --write renews it" >&2
  exit 1
}
