#!/usr/bin/env bash
# Fuzzes the parsers with libFuzzer, the address sanitizer and, in C, the undefined-behavior sanitizer, from seeds made
# by the package. Swift itself traps where C's behavior is undefined.
#   Scripts/fuzz.sh [SECONDS] [TARGET…]     600 seconds of processor time for each of all targets unless given
# Findings are files crash-…, timeout-… and oom-… in FUZZ (default .build/fuzz-corpus), which also keeps what was learned.
# FUZZ_PROGRAM names a program that was built before.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
corpus=${FUZZ:-$PWD/.build/fuzz-corpus}
program=${FUZZ_PROGRAM:-}
if [ -z "$program" ]; then
  # swiftc has no undefined-behavior sanitizer on Linux; the runtime of the address sanitizer brings that of C.
  # shellcheck disable=SC2054  # sanitizers are one word with a comma
  build=(--package-path Fuzz --scratch-path "${FUZZ_BUILD:-.build/fuzz}" -c release -Xswiftc -sanitize=fuzzer,address
    -Xcc -fsanitize=fuzzer-no-link,address,undefined -Xcc -fno-sanitize-recover=undefined
    -Xcc "-fsanitize-ignorelist=$PWD/Fuzz/kernels.ignore" -Xcc "-fsanitize-coverage-ignorelist=$PWD/Fuzz/kernels.ignore")
  swift build "${build[@]}" --product fuzz >&2
  program=$(swift build "${build[@]}" --show-bin-path)/fuzz
fi
targets=("${@:2}")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(FUZZ_LIST=1 "$program")

mkdir -p "$corpus"
# Leaks of a process that ends are none. Reports are files, since a child process that reads HDF5 has no standard error
# and its end is a damaged file to its parent.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:log_path=$corpus/report
export UBSAN_OPTIONS=print_stacktrace=1:log_path=$corpus/report
# The handler that prints a backtrace reads memory that the sanitizer guards.
export SWIFT_BACKTRACE=enable=no
status=0
for target in "${targets[@]}"; do
  mkdir -p "$corpus/$target"
  rm -f "$corpus"/report.* "$corpus/$target.log"
  FUZZ_TARGET=$target FUZZ_SEEDS=$corpus/$target FUZZ_WEIGHTS=$PWD/Weights/fcrn-lite2-nyu-int8.h5 "$program"
  spent=0
  # On a busy machine, seconds on the wall are fewer on a processor: the rest is added.
  while [ "$spent" -lt "$seconds" ]; do
    before=$(awk '{ print $14 + $15 + $16 + $17 }' /proc/$$/stat)
    (cd "$corpus" && FUZZ_TARGET=$target "$program" -max_total_time="$((seconds - spent))" -max_len=65536 -timeout=60 \
      -rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix="$corpus/$target-" "$corpus/$target" \
      >>"$target.log" 2>&1) || { status=1; break; }
    after=$(awk '{ print $14 + $15 + $16 + $17 }' /proc/$$/stat)
    spent=$((spent + (after - before) / $(getconf CLK_TCK) + 1))
  done
  awk -v target="$target" -v spent="$spent" '
    /number_of_executed_units/ { executed += $2 }
    /cov: / { sub(/.*cov: /, ""); covered = $1 }
    /Test unit written|SUMMARY/ { print }
    END { printf "%-14s %5d s of processor time, %10d executions, %6d edges\n", target, spent, executed, covered }
  ' "$corpus/$target.log"
  # Faults of this package inside the child process; those of the HDF5 library end the child and nothing else.
  if grep -lsE "#[0-2] .* in ch5_|CDepthHDF5/.*runtime error" "$corpus"/report.*; then status=1; fi
done
exit $status
