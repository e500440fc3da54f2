#!/usr/bin/env bash
# Runs the tests that take minutes on a slow machine, after Scripts/test.sh has built them: pages in a headless
# Chromium, the memory of a thousand predictions and of photos of 12 megapixels, the accuracy on frames of NYU Depth v2 in the
# folder DEPTH_NYU, and requests that follow from the server's description. The test command skips them.
set -euo pipefail
cd "$(dirname "$0")/../.."
export DEPTH_SLOW_TESTS=1
swift test -c release -Xswiftc -enable-testing --skip-build \
  --filter 'thePageShowsTheCommandsResults|browsersOpenThePageFromTheFileSystem|memoryIsFlatOverAThousandPredictions|forecastsAreNearThePeak|NYUAccuracy' 2>&1 |
  Scripts/checks/check-skipped.sh
Scripts/checks/check-api.sh 20 1
