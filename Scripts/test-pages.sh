#!/usr/bin/env bash
# Runs the tests that open our pages in a headless Chromium, after Scripts/test.sh has built them. They take minutes
# on a slow machine, so the test command skips them.
set -euo pipefail
cd "$(dirname "$0")/.."
DEPTH_BROWSER_TESTS=1 swift test -c release -Xswiftc -enable-testing --skip-build \
  --filter 'thePageShowsWhatTheCommandLineMakes|browsersOpenThePageFromTheFileSystem'
