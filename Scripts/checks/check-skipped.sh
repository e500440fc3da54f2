#!/usr/bin/env bash
# Copies the output of `swift test` or `pytest -rs`, then lists the skipped tests. Tests that are skipped for one of the reasons below are
# not listed, since installing a tool does not change these. With DEPTH_COMPLETE set, a listed test is a failure.
#   swift test … 2>&1 | Scripts/checks/check-skipped.sh
set -euo pipefail
allowed=(
  "DEPTH_BENCHMARKS is not set"         # a measurement
  "this machine has no "                # AMX, IPv6
  "not as root"
  "Scripts/fetch-nyu.sh DIR downloads the frames" # data that may not be passed on
  "Open3D is not installed"                       # 400 MB for one test
)
[ -n "${DEPTH_SLOW_TESTS:-}" ] || allowed+=("Scripts/checks/test-slow.sh runs it") # another step of check.sh
log=$(mktemp)
trap 'rm -f "$log"' EXIT
tee "$log"
if grep -E '^➜ |^SKIPPED ' "$log" | sort -u | grep -vF "$(printf '%s\n' "${allowed[@]}")" >&2; then
  echo "check-skipped: the tests above were skipped; Scripts/checks/install-test-tools.sh installs what they need" >&2
  [ -z "${DEPTH_COMPLETE:-}" ] || exit 1
fi
