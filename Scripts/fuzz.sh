#!/usr/bin/env bash
# Fuzzes the parsers with libFuzzer and the address sanitizer, from seeds made by the package.
#   Scripts/fuzz.sh [SECONDS] [TARGET…]     600 seconds for each of all targets unless given
# Findings are files crash-…, timeout-… and oom-… in FUZZ (default .build/fuzz-corpus), which also keeps what was learned.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
corpus=${FUZZ:-$PWD/.build/fuzz-corpus}
build=(--package-path Fuzz --scratch-path "${FUZZ_BUILD:-.build/fuzz}" -c release -Xswiftc -sanitize=fuzzer,address
  -Xcc -fsanitize=fuzzer-no-link,address)
swift build "${build[@]}" --product fuzz >&2
program=$(swift build "${build[@]}" --show-bin-path)/fuzz
targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || targets=(jpeg png depth-file depth-photo frames weights request-line)
# A parser never needs so much for an input of 64 KiB; leaks of a process that ends are none.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
status=0
for target in "${targets[@]}"; do
  mkdir -p "$corpus/$target"
  FUZZ_TARGET=$target FUZZ_SEEDS=$corpus/$target FUZZ_WEIGHTS=$PWD/Weights/fcrn18-nyu-int8.h5 "$program"
  echo "== $target" >&2
  (cd "$corpus" && FUZZ_TARGET=$target "$program" -max_total_time="$seconds" -max_len=65536 -timeout=20 -rss_limit_mb=4096 \
    -print_final_stats=1 -artifact_prefix="$corpus/$target-" "$corpus/$target" >"$target.log" 2>&1) || status=1
  grep -E "stat::|SUMMARY|Test unit written" "$corpus/$target.log" || tail -n 20 "$corpus/$target.log"
done
exit $status
