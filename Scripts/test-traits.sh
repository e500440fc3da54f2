#!/usr/bin/env bash
# Builds the package with the traits HEIF and EXR beside its default ones, once, and runs their tests. Needs libheif-dev,
# heif-enc and libopenexr-dev. TRAITS names others, for example one alone.
set -euo pipefail
cd "$(dirname "$0")/.."
arguments=(-c release --traits "default,${TRAITS:-HEIF,EXR}" -Xswiftc -enable-testing)
swift build "${arguments[@]}" --build-tests
swift test "${arguments[@]}" --skip-build --filter 'HEIFPhotosTests|OpenEXRFilesTests|DepthFileTests'
