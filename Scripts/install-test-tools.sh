#!/usr/bin/env bash
# Installs the programs and libraries that some tests ask for a second opinion (Debian, Ubuntu). Without
# them those tests are skipped by name.
set -euo pipefail
have() { command -v "$1" >/dev/null; }
have_pillow() {
  "${DEPTH_PYTHON:-python3}" -c 'import PIL, numpy' 2>/dev/null || /usr/bin/python3 -c 'import PIL, numpy' 2>/dev/null
}
have_websockets() {
  "${DEPTH_PYTHON:-python3}" -c 'import websockets' 2>/dev/null || /usr/bin/python3 -c 'import websockets' 2>/dev/null
}
if have exiftool && have ffprobe && have heif-enc && have pkg-config && pkg-config --exists libheif OpenEXR &&
  have_pillow && have chromium && have_websockets && have parallel; then
  exit 0
fi
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
as_root apt-get update -qq
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
  python3-pil python3-numpy python3-websockets chromium libimage-exiftool-perl ffmpeg libheif-dev libheif-examples libopenexr-dev parallel pkg-config
