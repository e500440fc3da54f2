#!/usr/bin/env bash
# Downloads FCRN-50 on NYU Depth v2, converts it and installs it under Weights/: 473 MB, metres in rooms, BSD 2-Clause as its mirror
# says. `depth weights fetch` downloads Depth Anything V2 and ZipDepth.
#
#   Scripts/fetch-weights.sh [--precision float32|float16|int8] [ARCHIVE.zip]
#
# With ARCHIVE.zip nothing is downloaded. The archive is verified by size and SHA-256 either way.
#
# A broken download is resumed by running the script again. Settings, for a mirror of one's own: FCRN_URL,
# FCRN_BYTES, FCRN_SHA256, WEIGHTS_FOLDER.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Open Model Zoo's mirror of the archive whose original location is gone; figures from its model.yml.
fcrn_url=${FCRN_URL:-https://storage.openvinotoolkit.org/repositories/open_model_zoo/public/2022.1/fcrn-dp-nyu-depth-v2-tf/NYU_FCRN-checkpoint.zip}
fcrn_bytes=${FCRN_BYTES:-472588519}
fcrn_sha256=${FCRN_SHA256:-9d97ed165c4a5b3f085eb83b8814de1e883c6348da60da4b2568ddd64bb2d5c4}
folder=${WEIGHTS_FOLDER:-$root/Weights}

program="fetch-weights"
# shellcheck source=Scripts/lib/download.sh
source "$root/Scripts/lib/download.sh"

usage() {
  echo "usage: fetch-weights.sh [--precision float32|float16|int8] [ARCHIVE.zip]" >&2
  exit 64
}

fetch_fcrn() { # [ARCHIVE.zip]
  local archive=${1:-} mine="" found
  by_hand="or fetch the file by other means and run: Scripts/fetch-weights.sh ARCHIVE.zip"
  if [ -z "$archive" ]; then
    require_curl
    echo "FCRN-50: $(((fcrn_bytes + 500000) / 1000000)) MB, BSD 2-Clause as its mirror says, metres in rooms"
    mine=yes
    archive=$folder/.${fcrn_sha256:0:12}.zip.part # never taken for whole before its digest is known
    download "$archive" "$fcrn_url" "$fcrn_bytes"
  fi
  [ -f "$archive" ] || fail "'$archive' does not exist"

  found=$(mismatch "$archive" "$fcrn_bytes" "$fcrn_sha256")
  if [ -n "$found" ]; then
    [ -z "$mine" ] || rm -f "$archive"
    fail "the archive has $found: it is another file, or damaged"
  fi

  "$root/Scripts/convert-weights" "$archive" "$output" --precision "$precision" --quiet
  [ -z "$mine" ] || rm -f "$archive"
  echo "$output: $(size "$output") bytes, SHA-256 $(digest "$output")"
}

precision=float16
what=
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "${BASH_SOURCE[0]}" && exit 0 ;;
    --precision) precision=${2:-} && shift $(($# > 1 ? 2 : 1)) ;;
    -*) usage ;;
    *) [ -z "$what" ] || usage && what=$1 && shift ;;
  esac
done
case $precision in
  float32 | float16 | int8) ;;
  *) usage ;;
esac

case $what in depth-anything* | zipdepth*) fail "'depth weights fetch $what' downloads it" ;; esac

mkdir -p "$folder"
output=$folder/fcrn50-published-$precision.h5
if [ -f "$output" ]; then
  echo "$output is already there; remove it to fetch it again"
  exit 0
fi
fetch_fcrn "$what"
