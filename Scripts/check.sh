#!/usr/bin/env bash
# All of CI: format, layering, build with warnings as errors, tests in release.
set -euo pipefail
cd "$(dirname "$0")/.."
swift format lint --strict --recursive Package.swift Sources Tests
Scripts/check-layers.sh
swift build --build-tests -c release -Xswiftc -enable-testing
swift test -c release -Xswiftc -enable-testing
echo "longest files:"
git ls-files 'Sources/*.swift' 'Sources/*.[ch]' 'Tests/*.swift' | xargs wc -l | grep -v ' total$' | sort -rn | head -3
