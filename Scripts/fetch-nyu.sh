#!/usr/bin/env bash
# Downloads the labelled frames of NYU Depth v2 (2.8 GB, for research) to DIR/nyu_depth_v2_labeled.mat.
#
#   Scripts/fetch-nyu.sh [--from FILE] [DIR]
#
# DIR is nyu in the clone by default. With --from FILE nothing is downloaded, and FILE is copied. The file is verified by size
# and SHA-256 either way. A broken download is resumed by running the script again. Then
#
#   depth evaluate DIR/nyu_depth_v2_labeled.mat --every 4
#
# measures every fourth test frame. Settings, for a mirror of one's own: NYU_URL, NYU_BYTES, NYU_SHA256.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program="fetch-nyu"
# shellcheck source=Scripts/lib/download.sh
source "$root/Scripts/lib/download.sh"

# The authors publish no digest. Several projects record this size and this SHA-256 of their copies.
url=${NYU_URL:-https://horatio.cs.nyu.edu/mit/silberman/nyu_depth_v2/nyu_depth_v2_labeled.mat}
bytes=${NYU_BYTES:-2972037809}
sha256=${NYU_SHA256:-2d724b0c0ab358aa1ce5df855e5bd14a2279ab7202efe22f32a30d612dcb86aa}

usage() {
  echo "usage: fetch-nyu.sh [--from FILE] [DIR]" >&2
  exit 64
}

folder=
from=
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "${BASH_SOURCE[0]}" && exit 0 ;;
    --from) [ -n "${2:-}" ] || usage && from=$2 && shift 2 ;;
    -*) usage ;;
    *) [ -z "$folder" ] || usage && folder=$1 && shift ;;
  esac
done
folder=${folder:-$root/nyu}
output=$folder/nyu_depth_v2_labeled.mat
part=$folder/.nyu_depth_v2_labeled.mat.part # never taken for whole before its digest is known
if [ -f "$output" ]; then
  echo "$output is already there; remove it to fetch it again"
  exit 0
fi

if [ -n "$from" ]; then
  [ -f "$from" ] || fail "'$from' does not exist"
  found=$(mismatch "$from" "$bytes" "$sha256")
  [ -z "$found" ] || fail "'$from' has $found: it is another file, or damaged"
  mkdir -p "$folder"
  cp "$from" "$part"
else
  by_hand="or fetch the file by other means and run: Scripts/fetch-nyu.sh --from FILE"
  require_curl
  mkdir -p "$folder"
  download "$part" "$url" "$bytes"
  found=$(mismatch "$part" "$bytes" "$sha256")
  if [ -n "$found" ]; then
    rm -f "$part"
    fail "the download has $found: it is another file, or damaged; run this again to download it, $by_hand"
  fi
fi
mv "$part" "$output"
echo "$output: $bytes bytes, SHA-256 $sha256"
