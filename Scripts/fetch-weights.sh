#!/usr/bin/env bash
# Downloads published weights, converts them and installs them under Weights/.
#
#   Scripts/fetch-weights.sh [--precision float32|float16|int8] [ARCHIVE.zip]
#   Scripts/fetch-weights.sh [--precision float32|float16|int8] NAME
#
# Without NAME it is FCRN-50 on NYU Depth v2. With ARCHIVE.zip nothing is downloaded. The archive is verified
# by size and SHA-256 either way.
#
# NAME is a network of the family Depth Anything V2, from huggingface.co/depth-anything:
#
#   depth-anything-v2-small                  disparity up to scale and shift, no metres; see Documentation/Networks.md
#   depth-anything-v2-metric-indoor-small    metres, up to 20 m
#   depth-anything-v2-metric-outdoor-small   metres, up to 80 m
#
# and the same with -base or -large for -small, whose weights are not for commercial use (CC-BY-NC-4.0). The
# size, and the SHA-256 where the server tells it, are checked; the SHA-256 of the download is printed.
#
# A broken download is resumed by running the script again. Settings, for a mirror of one's own: FCRN_URL,
# FCRN_BYTES, FCRN_SHA256, DEPTH_ANYTHING_URL, WEIGHTS_FOLDER.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Open Model Zoo's mirror of the archive whose original location is gone; figures from its model.yml.
fcrn_url=${FCRN_URL:-https://storage.openvinotoolkit.org/repositories/open_model_zoo/public/2022.1/fcrn-dp-nyu-depth-v2-tf/NYU_FCRN-checkpoint.zip}
fcrn_bytes=${FCRN_BYTES:-472588519}
fcrn_sha256=${FCRN_SHA256:-9d97ed165c4a5b3f085eb83b8814de1e883c6348da60da4b2568ddd64bb2d5c4}
depth_anything_url=${DEPTH_ANYTHING_URL:-https://huggingface.co/depth-anything}
folder=${WEIGHTS_FOLDER:-$root/Weights}

fail() {
  echo "fetch-weights: error: $1" >&2
  exit 1
}

usage() {
  echo "usage: fetch-weights.sh [--precision float32|float16|int8] [ARCHIVE.zip | NAME]; --help names the networks" >&2
  exit 64
}

digest() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

size() {
  wc -c <"$1" | tr -d ' '
}

# Ends the script where curl's status is that of a server out of reach, or without the file $2.
require_reachable() { # STATUS URL REASON
  case $1 in
    5 | 6 | 7 | 28 | 35) fail "no connection to $2 ($3); run this again when online, $by_hand" ;;
    22) fail "the server does not give $2 ($3); $by_hand" ;;
  esac
}

# Downloads $3 bytes from $2 to $1, from where an earlier attempt ended, for as long as each attempt brings
# something.
download() { # FILE URL BYTES
  local have before=-1 status reason
  while have=$([ ! -f "$1" ] || size "$1") && have=${have:-0} && [ "$have" -lt "$3" ]; do
    [ "$have" -gt "$before" ] || fail "the download stopped: $reason; run this again to resume at byte $have, $by_hand"
    before=$have
    [ "$have" -eq 0 ] || echo "fetch-weights: resuming at byte $have of $3" >&2
    status=0
    reason=$(curl --fail --location --silent --show-error --connect-timeout 20 --speed-limit 1024 \
      --speed-time 60 --continue-at "$have" --output "$1" "$2" 2>&1 >/dev/null | tail -n 1) || status=$?
    reason=${reason#curl: }
    [ $status -ne 0 ] || reason="the server's file ended early"
    require_reachable $status "$2" "$reason"
    if [ $status -eq 33 ]; then # The server cannot resume: begin again.
      rm -f "$1"
      [ "$have" -gt 0 ] || fail "the download stopped: $reason"
      before=-1
    fi
  done
}

require_curl() {
  command -v curl >/dev/null || fail "there is no curl to download with; install it, $by_hand"
}

finish() {
  echo "$output: $(size "$output") bytes, SHA-256 $(digest "$output")"
}

fetch_fcrn() { # [ARCHIVE.zip]
  local archive=${1:-} mine="" found
  by_hand="or fetch the file by other means and run: Scripts/fetch-weights.sh ARCHIVE.zip"
  if [ -z "$archive" ]; then
    require_curl
    mine=yes
    archive=$folder/.${fcrn_sha256:0:12}.zip.part # never taken for whole before its digest is known
    download "$archive" "$fcrn_url" "$fcrn_bytes"
  fi
  [ -f "$archive" ] || fail "'$archive' does not exist"

  refuse() {
    [ -z "$mine" ] || rm -f "$archive"
    fail "the archive has $1: it is another file, or damaged"
  }
  found=$(size "$archive")
  [ "$found" -eq "$fcrn_bytes" ] || refuse "$found bytes, expected $fcrn_bytes"
  found=$(digest "$archive")
  [ "$found" = "$fcrn_sha256" ] || refuse "SHA-256 $found, expected $fcrn_sha256"

  "$root/Scripts/convert-weights" "$archive" "$output" --precision "$precision" --quiet
  [ -z "$mine" ] || rm -f "$archive"
  finish
}

# Size and, where the server tells it, SHA-256 of a file, separated by a space. The hub tells the digest of a
# large file as the entity tag of what its address leads to.
facts() { # URL
  local headers status=0
  headers=$(curl --fail --head --location --silent --show-error --connect-timeout 20 "$1" 2>&1) || status=$?
  require_reachable $status "$1" "$(sed -n 's/^curl: //p' <<<"$headers" | tr -d '\r' | tail -n 1)"
  [ $status -eq 0 ] || fail "the server does not say how large $1 is; $by_hand"
  awk -F ': *' '{ sub(/\r$/, ""); name = tolower($1) }
    name ~ /^http\// { bytes = "" } # of a redirect
    name == "content-length" && $2 ~ /^[0-9]+$/ { bytes = $2 }
    name == "x-linked-size" && $2 ~ /^[0-9]+$/ { linked = $2 }
    name == "x-linked-etag" { gsub(/"/, "", $2); if ($2 ~ /^[0-9a-f]+$/ && length($2) == 64) sha256 = $2 }
    END { print (linked ? linked : bytes) " " sha256 }' <<<"$headers"
}

fetch_depth_anything() { # NAME
  local network=${1#depth-anything-v2-} kind=relative repository=Depth-Anything-V2- url weights bytes sha256 found status=0
  case $network in
    metric-indoor-*) kind=indoor repository+=Metric-Indoor- ;;
    metric-outdoor-*) kind=outdoor repository+=Metric-Outdoor- ;;
  esac
  case $network in
    *small) repository+=Small-hf ;;
    *base) repository+=Base-hf ;;
    *large) repository+=Large-hf ;;
  esac
  case $network in
    *base | *large)
      echo "fetch-weights: the licence of $1 is CC-BY-NC-4.0: not for commercial use (the small networks are Apache-2.0)" >&2
      ;;
  esac
  by_hand="or fetch model.safetensors and config.json by other means and run: Scripts/convert-weights model.safetensors OUT.h5"
  require_curl
  mkdir -p "$folder/.$1.part"
  weights=$folder/.$1.part/$repository.safetensors # the name that the converted file gives as its source
  url=$depth_anything_url/$repository/resolve/main
  found=$(curl --fail --location --silent --show-error --connect-timeout 20 --max-time 120 --max-filesize 1000000 \
    --output "$folder/.$1.part/config.json" "$url/config.json" 2>&1 >/dev/null | tail -n 1) || status=$?
  require_reachable $status "$url/config.json" "${found#curl: }"
  [ $status -eq 0 ] || fail "the download of $url/config.json stopped: ${found#curl: }; run this again, $by_hand"
  found=$(facts "$url/model.safetensors")
  bytes=${found% *} sha256=${found#* }
  [ -n "$bytes" ] || fail "the server does not say how large $url/model.safetensors is; $by_hand"
  download "$weights" "$url/model.safetensors" "$bytes"

  refuse() {
    rm -f "$weights"
    fail "the download has $1: another file, or damaged; run this again to download it"
  }
  found=$(size "$weights")
  [ "$found" -eq "$bytes" ] || refuse "$found bytes, expected $bytes"
  found=$(digest "$weights")
  [ -z "$sha256" ] || [ "$found" = "$sha256" ] || refuse "SHA-256 $found, expected $sha256"
  echo "$repository/model.safetensors: $bytes bytes, SHA-256 $found" \
    "($([ -n "$sha256" ] && echo "as the server says" || echo "not compared: the server does not say it"))"

  if ! "$root/Scripts/convert-weights" "$weights" "$output" --precision "$precision" --kind "$kind" --quiet; then
    [ -n "$sha256" ] || rm -f "$weights" # Without a checksum nothing shows that it is whole, so the next run downloads it again.
    exit 1
  fi
  rm -rf "$folder/.$1.part"
  finish
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

case $what in
  depth-anything-v2-small | depth-anything-v2-base | depth-anything-v2-large | \
    depth-anything-v2-metric-indoor-small | depth-anything-v2-metric-indoor-base | depth-anything-v2-metric-indoor-large | \
    depth-anything-v2-metric-outdoor-small | depth-anything-v2-metric-outdoor-base | depth-anything-v2-metric-outdoor-large)
    network=$what fetch=fetch_depth_anything
    ;;
  depth-anything*) fail "there is no '$what'; --help names the networks" ;;
  *) network=fcrn50-published fetch=fetch_fcrn ;;
esac

mkdir -p "$folder"
output=$folder/$network-$precision.h5
if [ -f "$output" ]; then
  echo "$output is already there; remove it to fetch it again"
  exit 0
fi
$fetch "$what"
