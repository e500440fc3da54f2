#!/usr/bin/env bash
# Downloads the published FCRN weights, converts them and installs them under Weights/.
#
#   Scripts/fetch-weights.sh [--precision float32|float16|int8] [ARCHIVE.zip]
#
# With ARCHIVE.zip nothing is downloaded. The archive is verified by size and SHA-256 either way. A
# broken download is resumed by running the script again. Settings, for a mirror of one's own:
# FCRN_URL, FCRN_BYTES, FCRN_SHA256, WEIGHTS_FOLDER.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Open Model Zoo's mirror of the archive whose original location is gone; figures from its model.yml.
url=${FCRN_URL:-https://storage.openvinotoolkit.org/repositories/open_model_zoo/public/2022.1/fcrn-dp-nyu-depth-v2-tf/NYU_FCRN-checkpoint.zip}
bytes=${FCRN_BYTES:-472588519}
sha256=${FCRN_SHA256:-9d97ed165c4a5b3f085eb83b8814de1e883c6348da60da4b2568ddd64bb2d5c4}
folder=${WEIGHTS_FOLDER:-$root/Weights}

fail() {
  echo "fetch-weights: error: $1" >&2
  exit 1
}

digest() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

size() {
  wc -c <"$1" | tr -d ' '
}

precision=float16
archive=
while [ $# -gt 0 ]; do
  case $1 in
    --precision) precision=${2:-} && shift $(($# > 1 ? 2 : 1)) ;;
    -*) echo "usage: fetch-weights.sh [--precision float32|float16|int8] [ARCHIVE.zip]" >&2 && exit 64 ;;
    *) archive=$1 && shift ;;
  esac
done
case $precision in
  float32 | float16 | int8) ;;
  *) echo "usage: fetch-weights.sh [--precision float32|float16|int8] [ARCHIVE.zip]" >&2 && exit 64 ;;
esac
mkdir -p "$folder"
output=$folder/fcrn50-published-$precision.h5

if [ -f "$output" ]; then
  echo "$output is already there; remove it to fetch it again"
  exit 0
fi

# Downloads to $1, from where an earlier attempt ended, for as long as each attempt brings something.
download() {
  local have before=-1 status reason
  while have=$([ ! -f "$1" ] || size "$1") && have=${have:-0} && [ "$have" -lt "$bytes" ]; do
    [ "$have" -gt "$before" ] || fail "the download stopped: $reason; run this again to resume at byte $have, $by_hand"
    before=$have
    [ "$have" -eq 0 ] || echo "fetch-weights: resuming at byte $have of $bytes" >&2
    status=0
    reason=$(curl --fail --location --silent --show-error --connect-timeout 20 --speed-limit 1024 \
      --speed-time 60 --continue-at "$have" --output "$1" "$url" 2>&1 >/dev/null | tail -n 1) || status=$?
    reason=${reason#curl: }
    case $status in
      0) reason="the server's file ended early" ;;
      6 | 7 | 28) fail "no connection to $url ($reason); run this again when online, $by_hand" ;;
      22) fail "the server does not give $url ($reason); $by_hand" ;;
      33) # The server cannot resume: begin again.
        rm -f "$1"
        [ "$have" -gt 0 ] || fail "the download stopped: $reason"
        before=-1
        ;;
    esac
  done
}

by_hand="or fetch the file by other means and run: Scripts/fetch-weights.sh ARCHIVE.zip"
mine=
if [ -z "$archive" ]; then
  command -v curl >/dev/null || fail "there is no curl to download with; install it, $by_hand"
  mine=yes
  archive=$folder/.${sha256:0:12}.zip.part # never taken for whole before its digest is known
  download "$archive"
fi
[ -f "$archive" ] || fail "'$archive' does not exist"

refuse() {
  [ -z "$mine" ] || rm -f "$archive"
  fail "the archive has $1: it is another file, or damaged"
}
found=$(size "$archive")
[ "$found" -eq "$bytes" ] || refuse "$found bytes, expected $bytes"
found=$(digest "$archive")
[ "$found" = "$sha256" ] || refuse "SHA-256 $found, expected $sha256"

"$root/Scripts/convert-weights" "$archive" "$output" --precision "$precision" --quiet
[ -z "$mine" ] || rm -f "$archive"
echo "$output: $(size "$output") bytes, SHA-256 $(digest "$output")"
