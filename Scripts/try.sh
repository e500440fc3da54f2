#!/usr/bin/env bash
# Installs what is missing, builds, and predicts the depth of a photo (an example photo by default).
#   Scripts/try.sh [PHOTO [OUTPUT_DIR]]
set -euo pipefail
photo=$(realpath "${1:-$(dirname "$0")/../Examples/living-room.jpg}")
output=$(realpath -m "${2:-depth-output}")
cd "$(dirname "$0")/.."
command -v swift >/dev/null || { echo "Swift 6.3 or later is needed: https://www.swift.org/install" >&2; exit 1; }
Scripts/install-libraries.sh
build=(-c release --product depth)
# With Swift's own libraries inside, the program starts in half the time and runs where Swift is not installed.
libraries=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1_static/p')
[ -d "$libraries" ] && build+=(--static-swift-stdlib)
# The system's libraries too, where it has archives of them: libhdf5 alone loads thirty shared libraries.
static=$PWD/.build/static-libraries
if Scripts/release/static-libraries.sh "$static" 2>/dev/null; then export PKG_CONFIG_PATH=$static/pc; fi
swift build "${build[@]}"
built=$(swift build "${build[@]}" --show-bin-path)
# A copy, because Scripts/test.sh builds the program again in the same folder, for tests.
mkdir -p .build/bin
cp -rf "$built/depth" "$built/swift-depth_DepthWeights.resources" .build/bin/
program=$PWD/.build/bin/depth
mkdir -p "$output"
name=$(basename "${photo%.*}")
"$program" predict "$photo" -o "$output/${name}_depth.png" --view "$output/${name}_view.png" \
  --color-map turbo --overwrite --json
echo "depth in millimetres, 16-bit: $output/${name}_depth.png"
echo "picture, near = red:          $output/${name}_view.png"
echo "the program:                  $program"
