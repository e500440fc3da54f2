#!/usr/bin/env bash
# Builds the package with the trait HEIF beside its default ones, and runs its tests. Needs libheif-dev and heif-enc. TRAITS names
# others.
set -euo pipefail
cd "$(dirname "$0")/.."
arguments=(-c release --traits "default,${TRAITS:-HEIF}" -Xswiftc -enable-testing)
swift build "${arguments[@]}" --build-tests
swift test "${arguments[@]}" --skip-build --filter 'HEIFPhotoTests|DepthFileTests'
