#!/usr/bin/env bash
# Installs the linters, and the programs and libraries that some tests compare with (Debian, Ubuntu). Without
# them those tests are skipped by name, which Scripts/check.sh --complete takes for a failure.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
have() { command -v "$1" >/dev/null; }
# What Scripts/checks/check-arm64.sh needs: an emulator and the C library for arm64.
have_arm64() {
  [ "$(uname -m)" != x86_64 ] ||
    { have qemu-aarch64 && [ -d /usr/aarch64-linux-gnu/include ] && [ -d /usr/lib/gcc-cross/aarch64-linux-gnu ]; }
}
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
if ! { have exiftool && have ffprobe && have heif-enc && have cwebp && have pkg-config && have python3 &&
  have chromium && have chromedriver && have groff && have curl && have parallel && have shellcheck && have flake8 && have_arm64; }; then
  arm64=()
  [ "$(uname -m)" != x86_64 ] || arm64=(qemu-user libc6-dev-arm64-cross libgcc-12-dev-arm64-cross)
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    groff-base chromium chromium-driver libimage-exiftool-perl ffmpeg libheif-examples webp curl parallel shellcheck flake8 \
    python3-venv python3-pip python3-pil python3-numpy python3-selenium pkg-config "${arm64[@]}"
fi
# What Scripts/checks/check-api.sh needs, and the tests' readers of pictures, meshes and pages, from Python's package index where that
# can be reached.
source Scripts/lib/environment.sh
(python_environment install-test-tools "${API_VENV:-Scripts/checks/api/.venv}" Scripts/checks/api/requirements.txt) || true
(python_environment install-test-tools Scripts/checks/readers/.venv Scripts/checks/readers/requirements.txt) || true
