#!/usr/bin/env bash
# What a machine has, does and takes: one text to send from a processor or system that nobody has tried. It names the machine and its
# instruction sets, runs the kernels' checks, builds the program, and prints checksums of maps and times of networks. It changes nothing
# outside this folder, and takes about half an hour, most of it the build.
#   Scripts/checks/report-machine.sh [FILE]        FILE is machine-report.txt by default
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
file=${1:-machine-report.txt}
clang=${CLANG:-clang}
command -v "$clang" >/dev/null || { echo "report-machine: there is no $clang; Swift's toolchain has one" >&2; exit 69; }
title() { printf '\n== %s\n' "$1"; }
# Runs a part; its failure is a part of the report.
part() {
  title "$1"
  shift
  "$@" 2>&1 || echo "(failed with status $?)"
}
machine() {
  uname -srm
  if [ "$(uname -s)" = Darwin ]; then
    sw_vers
    sysctl -n machdep.cpu.brand_string hw.ncpu hw.memsize
    sysctl hw.optional.arm | grep -E 'DotProd|I8MM|SHA256|SME'
  else
    grep -E '^(model name|Model|CPU part|CPU implementer|Features|flags)' /proc/cpuinfo | sort | uniq -c | cut -c1-600
    grep -E '^(MemTotal)' /proc/meminfo
    grep -E '^PRETTY_NAME' /etc/os-release
  fi
  swift --version
  git log -1 --format='commit %H'
}
digests() { Scripts/map-digests.sh "$1" Examples/living-room.jpg; }
times() {
  local program=$1 set precision
  for set in baseline neon dotprod i8mm avx2 avx512; do
    DEPTH_ISA=$set "$program" weights info >/dev/null 2>&1 || continue
    for precision in float32 int8; do
      for threads in 1 ""; do
        echo "-- DEPTH_ISA=$set --precision $precision ${threads:+--threads $threads}"
        DEPTH_ISA=$set "$program" benchmark --precision $precision ${threads:+--threads $threads} --json | tail -c 4000
      done
    done
  done
}
{
  part "machine" machine
  case $(uname -m) in aarch64 | arm64) part "kernels" Scripts/checks/check-arm64.sh ;; esac
  part "build" bash -o pipefail -c 'swift build -c release --product depth | tail -5'
  program=$(swift build -c release --show-bin-path)/depth
  if [ -x "$program" ]; then
    part "checksums" digests "$program"
    part "times" times "$program"
  fi
} 2>&1 | tee "$file"
echo "Please send $file."
