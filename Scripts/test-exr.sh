#!/usr/bin/env bash
# Builds the package with its trait EXR and runs the tests of it; needs libopenexr-dev. TRAITS names more traits
# for the same build.
set -euo pipefail
cd "$(dirname "$0")/.."
arguments=(-c release --traits "${TRAITS:-EXR}" -Xswiftc -enable-testing)
swift build "${arguments[@]}" --build-tests
swift test "${arguments[@]}" --skip-build --filter 'OpenEXRFilesTests|DepthFileTests'
