#!/usr/bin/env bash
# Installs what is missing, builds, and predicts the depth of a photo (an example photo by default).
#   Scripts/try.sh [PHOTO [OUTPUT_DIR]]
set -euo pipefail
photo=$(realpath "${1:-$(dirname "$0")/../Examples/living-room.jpg}")
output=$(realpath -m "${2:-depth-output}")
cd "$(dirname "$0")/.."
command -v swift >/dev/null || { echo "Swift 6.3 or later is needed: https://www.swift.org/install" >&2; exit 1; }
Scripts/install-libraries.sh
source Scripts/lib/build-options.sh
swift build "${options[@]}" --product depth
built=$(swift build "${options[@]}" --show-bin-path)
# A copy, because Scripts/test.sh builds the program again in the same folder, for tests.
mkdir -p .build/bin
cp -rf "$built/depth" "$built/swift-depth_DepthWeights.resources" .build/bin/
program=$PWD/.build/bin/depth
source Scripts/lib/revision.sh
write_revision "$program"
mkdir -p "$output"
name=$(basename "${photo%.*}")
"$program" predict "$photo" -o "$output/${name}_depth.png" --view "$output/${name}_view.png" \
  --color-map turbo --overwrite --json
echo "depth in millimetres, 16-bit: $output/${name}_depth.png"
echo "picture, near = red:          $output/${name}_view.png"
echo "the program:                  $program"
