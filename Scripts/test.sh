#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests in release. With DEPTH_COMPLETE=1, a skipped test is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v swift >/dev/null || { echo "Swift 6.3 or later is needed: https://www.swift.org/install" >&2; exit 1; }
Scripts/install-libraries.sh
swift build -c release -Xswiftc -enable-testing --build-tests
swift test -c release -Xswiftc -enable-testing --skip-build 2>&1 | Scripts/checks/check-skipped.sh
