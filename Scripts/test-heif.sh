#!/usr/bin/env bash
# Builds the package with its trait HEIF and runs the tests of it; needs libheif-dev and heif-enc. TRAITS names more
# traits for the same build.
set -euo pipefail
cd "$(dirname "$0")/.."
arguments=(-c release --traits "${TRAITS:-HEIF}" -Xswiftc -enable-testing)
swift build "${arguments[@]}" --build-tests
swift test "${arguments[@]}" --skip-build --filter HEIFPhotosTests
