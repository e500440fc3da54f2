#!/usr/bin/env bash
# Prints a checksum of the depth map of every photo, refinement method and instruction set. A change that should
# leave results alone leaves this list alone:
#   Scripts/map-digests.sh .build/release/depth PHOTO… >before.txt
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: $0 PROGRAM PHOTO…" >&2; exit 64; }
program=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for isa in baseline avx2 avx512; do
  DEPTH_ISA=$isa "$program" weights info >/dev/null 2>&1 || continue
  for method in none gaussian article joint; do
    for photo in "$@"; do
      DEPTH_ISA=$isa "$program" predict "$photo" --refine "$method" --threads 2 -o "$folder/map.npy" >/dev/null
      echo "$isa $method $(basename "$photo") $(sha256sum <"$folder/map.npy" | cut -c1-16)"
      rm "$folder/map.npy"
    done
  done
done
