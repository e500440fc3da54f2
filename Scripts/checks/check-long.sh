#!/usr/bin/env bash
# Checks that take longer than continuous integration may: all tests on one processor beside something else that
# computes on it, a consumer's deployed binary, thousands of requests to the server, the recipes of Ray and Spark with workers that
# are killed, ten minutes of fuzzing for each parser with the
# address and undefined-behavior sanitizers (FUZZ_SECONDS), as long for the texts that the program parses itself, the
# tests of threads with the thread sanitizer, thousands of convolutions on a model of AMX tiles, a release made twice
# and compared to the byte, batches killed at 50 moments, films at 20, the memory of ten minutes of film, then thousands
# of damaged weights files and data sets through the built program.
#   Scripts/checks/check-long.sh [SEED] [FILE…]
# Every run must end by itself, with status 0, or within 5 seconds with status 1 and one line on standard error; of
# an edited weights file of version 2, with status 1. Frames of a data set that are skipped, a line each, are no
# failure. FILEs (.h5, .mat) must be refused. DEPTH names the program (default: .build/release/depth), RUNS the
# edits of each kind (default: 2000).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export DEPTH_COMPLETE=1  # a skipped test is a failure
Scripts/checks/install-test-tools.sh
source Scripts/lib/readers.sh
# Nothing in the tests may depend on how fast or how busy the machine is.
swift build -c release -Xswiftc -enable-testing --build-tests
taskset -c 0 bash -c 'while :; do :; done' &
busy=$!
trap 'kill "$busy" 2>/dev/null || true' EXIT
taskset -c 0 swift test -c release -Xswiftc -enable-testing --skip-build 2>&1 | Scripts/checks/check-skipped.sh
kill "$busy"
DEPTH_KILL_MOMENTS=50 DEPTH_SLOW_TESTS=1 swift test -c release -Xswiftc -enable-testing --skip-build \
  --filter 'BatchKillTests|FilmOffsetTests|StoppedFilmTests|BadInputTests' 2>&1 | Scripts/checks/check-skipped.sh
Scripts/checks/check-consumer.sh
Scripts/checks/check-api.sh 500
Scripts/checks/check-small.sh -Xswiftc -enable-testing
PYTHON_PACKAGES="ray[data] pyspark[sql]" Scripts/checks/test-python.sh
Scripts/fuzz.sh "${FUZZ_SECONDS:-600}"
Scripts/checks/test-damaged.sh "${FUZZ_SECONDS:-600}" DamagedTextTests
Scripts/checks/test-threads.sh
Scripts/checks/check-tiles.sh 5000
Scripts/release/check-reproducible.sh
environment=${CONVERT_VENV:-$PWD/Scripts/convert/.venv}
source Scripts/lib/environment.sh
python_environment check-long "$environment" Scripts/convert/requirements.txt
for check in kills memory; do
  "$environment/bin/python" Scripts/checks/check-films.py "${DEPTH:-.build/release/depth}" "$check"
done
exec "$environment/bin/python" Scripts/checks/check-long.py "${DEPTH:-.build/release/depth}" "${RUNS:-2000}" "${1:-1}" "${@:2}"
