#!/usr/bin/env bash
# Installs the system libraries that the package links, where they are missing (Debian, Ubuntu).
set -euo pipefail
packages=(libopenblas-dev libhdf5-dev libturbojpeg0-dev libpng-dev zlib1g-dev libdeflate-dev pkg-config)
if command -v pkg-config >/dev/null && pkg-config --exists openblas hdf5 libturbojpeg libpng zlib libdeflate; then
  exit 0
fi
if ! command -v apt-get >/dev/null; then
  echo "install OpenBLAS, HDF5, libjpeg-turbo (TurboJPEG), libpng, zlib and libdeflate with their headers, then try again" >&2
  exit 1
fi
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
as_root apt-get update -qq
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"
