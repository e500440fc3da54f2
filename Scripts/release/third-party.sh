#!/usr/bin/env bash
# Prints the licenses of everything inside a release's program that was not made here: the libraries that were linked from Debian's
# archives, Swift's runtime and the packages that SwiftPM fetched.
#   Scripts/release/third-party.sh SCRATCH_PATH      the folder of the build, whose checkouts hold the packages
set -euo pipefail
scratch=$(realpath "${1:?usage: Scripts/release/third-party.sh SCRATCH_PATH}")
swift=$(dirname "$(dirname "$(realpath "$(command -v swiftc)")")")
section() {
  [ -f "$2" ] || { echo "third-party: $1: there is no $2" >&2; exit 1; }
  printf '%s\n%s\n\n' "$1" "${1//?/=}"
  cat "$2"
  printf '\n\n'
}
echo "The program contains the following. Their licenses follow in this order:"
echo
echo "HDF5, libaec, libjpeg-turbo, libpng, zlib, libdeflate, libwebp, Swift's runtime, swift-argument-parser."
echo
section HDF5 /usr/share/doc/libhdf5-dev/copyright
section libaec /usr/share/doc/libaec-dev/copyright
section libjpeg-turbo /usr/share/doc/libturbojpeg0-dev/copyright
section libpng /usr/share/doc/libpng-dev/copyright
section zlib /usr/share/doc/zlib1g-dev/copyright
section libdeflate /usr/share/doc/libdeflate-dev/copyright
section libwebp /usr/share/doc/libwebp-dev/copyright
section "Swift's runtime" "$swift/share/swift/LICENSE.txt"
section swift-argument-parser "$scratch/checkouts/swift-argument-parser/LICENSE.txt"
