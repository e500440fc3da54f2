#!/usr/bin/env bash
# Downloads published weights, converts them and installs them under Weights/.
#
#   Scripts/fetch-weights.sh [--precision float32|float16|int8] [ARCHIVE.zip]
#   Scripts/fetch-weights.sh [--precision float32|float16|int8] NAME
#
# Without NAME it is FCRN-50 on NYU Depth v2: 473 MB, metres in rooms, BSD 2-Clause as its mirror says. With ARCHIVE.zip
# nothing is downloaded. The archive is verified by size and SHA-256 either way.
#
# NAME is a network of the family Depth Anything V2, from huggingface.co/depth-anything:
#
#   depth-anything-v2-small                  disparity up to scale and shift, no metres; see Documentation/Networks.md
#   depth-anything-v2-metric-indoor-small    metres, up to 20 m
#   depth-anything-v2-metric-outdoor-small   metres, up to 80 m
#
# Each is a download of about 100 MB under Apache-2.0. The same with -base (390 MB) or -large (1.3 GB) for -small is not for
# commercial use (CC-BY-NC-4.0). The script prints size, license and unit before it downloads.
# The size, and the SHA-256 where the server tells it, are checked; the SHA-256 of the download is printed.
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

program="fetch-weights"
# shellcheck source=Scripts/lib/download.sh
source "$root/Scripts/lib/download.sh"

usage() {
  echo "usage: fetch-weights.sh [--precision float32|float16|int8] [ARCHIVE.zip | NAME]; --help names the networks" >&2
  exit 64
}

finish() {
  echo "$output: $(size "$output") bytes, SHA-256 $(digest "$output")"
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
  local size="about 100 MB" license=Apache-2.0 unit="disparity up to scale and shift, no metres"
  case $network in
    metric-indoor-*) kind=indoor repository+=Metric-Indoor- unit="metres up to 20" ;;
    metric-outdoor-*) kind=outdoor repository+=Metric-Outdoor- unit="metres up to 80" ;;
  esac
  case $network in
    *small) repository+=Small-hf ;;
    *base) repository+=Base-hf size="about 390 MB" license=CC-BY-NC-4.0 ;;
    *large) repository+=Large-hf size="about 1.3 GB" license=CC-BY-NC-4.0 ;;
  esac
  echo "$1: $size, $license, $unit"
  [ $license = Apache-2.0 ] ||
    echo "fetch-weights: the license of $1 is $license: not for commercial use (the small networks are Apache-2.0)" >&2
  by_hand="or fetch model.safetensors and config.json by other means and run: Scripts/convert-weights model.safetensors OUT.h5"
  require_curl
  [ ! -L "$folder/.$1.part" ] || fail "$folder/.$1.part is a link, expected a folder"
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
