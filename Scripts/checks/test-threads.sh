#!/usr/bin/env bash
# Runs the tests of everything that has threads with the thread sanitizer: teams and queues, the engine, frames, the server,
# batches, and the calls of the C library. Every race that it reports fails.
#   Scripts/checks/test-threads.sh [FILTER]     a regular expression of tests in place of those
# THREADS_BUILD names the build folder (default .build/threads).
set -euo pipefail
cd "$(dirname "$0")/../.."
filter=${1:-'^(SystemTests|EngineTests|FrameTests)\.|LibraryCall|LibraryRefusal|LibraryPrecision|LibraryRelative|AsynchronousCall|BatchTests|ServeTests|StreamTests|InterruptionTests'}
build=$(realpath -m "${THREADS_BUILD:-.build/threads}")
mkdir -p "$build"
clang -O1 -c Scripts/checks/threads/mutex.c -o "$build/mutex.o"
arguments=(--scratch-path "$build" -c release --sanitize=thread -Xswiftc -enable-testing -Xlinker "$build/mutex.o")
swift build "${arguments[@]}" --build-tests
# Programs that tests start report to files as well, since their standard error is compared.
reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
export TSAN_OPTIONS="exitcode=66 log_path=$reports/report"
status=0
swift test "${arguments[@]}" --skip-build --filter "$filter" || status=$?
for report in "$reports"/*; do
  [ -e "$report" ] || break
  cat "$report" >&2
  status=1
done
exit $status
