#!/usr/bin/env bash
# Runs every parser on damaged inputs, without sanitizers, in the tests that were built: FuzzTargetTests and DamagedTextTests.
#   Scripts/checks/test-damaged.sh [SECONDS] [FILTER]     until 60 seconds of processor time are spent, unless given
# Each round has inputs of its own, from the numbers FUZZ_SEED (default 1), FUZZ_SEED + 1 and so on: one that ends the process
# comes again with FUZZ_SEED set to the number printed last, and FUZZ_ROUNDS to the one printed with it.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
filter=${2:-'FuzzTargetTests|DamagedTextTests'}
export FUZZ_SEED=${FUZZ_SEED:-1} FUZZ_ROUNDS=${FUZZ_ROUNDS:-6}
spent() { awk -v ticks="$(getconf CLK_TCK)" '{ printf "%d", ($14 + $15 + $16 + $17) / ticks }' "/proc/$$/stat"; }
while [ "$(spent)" -lt "$seconds" ]; do
  echo "== FUZZ_SEED=$FUZZ_SEED FUZZ_ROUNDS=$FUZZ_ROUNDS, after $(spent) s"
  swift test -c release -Xswiftc -enable-testing --skip-build --quiet --filter "$filter"
  FUZZ_SEED=$((FUZZ_SEED + 1))
done
