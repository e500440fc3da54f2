#!/usr/bin/env bash
# Builds a program that predicts with the product MonocularDepth, without default traits and where the headers of all
# libraries that the package links by default are hidden; runs it, looks at what it links, and compares its depths with those
# of the same program with the libraries, to the bit.
#   Scripts/checks/check-small.sh [OPTIONS of swift build]      those of the build in .build, whose modules are shared
# WHOLE=1 also builds the package itself in that way: `--product MonocularDepth` makes SwiftPM build all of its targets.
# Needs util-linux's `unshare` and permission to make a namespace of mounts. SMALL_BUILD names the folder of the small build,
# .build/small by default.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset DEPTH_WEIGHTS
small=$(realpath -m "${SMALL_BUILD:-.build/small}")

fail() {
  echo "check-small: $1" >&2
  exit 1
}

# Runs a command in a namespace of its own where nothing can include those headers or find their libraries by pkg-config.
without_libraries() {
  local user=()
  [ "$(id -u)" = 0 ] || user=(--map-root-user)
  # shellcheck disable=SC2016  # expanded by the shell inside
  unshare "${user[@]}" --mount bash -euo pipefail -c '
    folder=$1
    shift
    echo "#error this header belongs to a library that is hidden" >"$folder/hidden.h"
    mkdir -p "$folder/empty"
    hide() {
      if [ -d "$1" ]; then mount --bind "$folder/empty" "$1"
      elif [ -f "$1" ]; then mount --bind "$folder/hidden.h" "$1"; fi
    }
    for name in hdf5 hdf5.h png.h pngconf.h pnglibconf.h libpng libpng16 turbojpeg.h jpeglib.h zlib.h zconf.h \
      libdeflate.h cblas.h openblas_config.h openblas-pthread; do
      for place in /usr/include /usr/local/include /usr/include/*-linux-*; do hide "$place/$name"; done
    done
    export PKG_CONFIG_LIBDIR=$folder/empty PKG_CONFIG_PATH=
    for header in hdf5 png turbojpeg zlib libdeflate; do
      if echo "#include <$header.h>" | clang -fsyntax-only -I /usr/include/hdf5/serial -x c - 2>/dev/null; then
        echo "check-small: $header.h is not hidden" >&2
        exit 1
      fi
    done
    exec "$@"' bash "$folder" "$@"
}

if [ -n "${WHOLE:-}" ]; then
  echo "== the package, without libraries"
  without_libraries swift build --disable-default-traits --product MonocularDepth -c release --scratch-path "$small" 2>&1 |
    tail -n 1
fi

echo "== a program that predicts, without libraries"
build=(--package-path Examples/SmallConsumer -c release)
without_libraries swift build "${build[@]}" --scratch-path "$small" 2>&1 | tail -n 1
products=$(swift build "${build[@]}" --scratch-path "$small" --show-bin-path)
linked=$(readelf -d "$products/DepthOfPixels" | grep NEEDED)
! grep -E "hdf5|jpeg|png|libz\.|deflate|blas" <<<"$linked" || fail "the program links a library that it must not need"
# Relocations: the linker also lists symbols that only discarded sections named.
! readelf -rW "$products/DepthOfPixels" | grep -wE "fork|vfork|posix_spawn|execve" ||
  fail "the program can start processes"
mkdir "$folder/away"
cp -r "$products/DepthOfPixels" "$products/swift-depth_DepthWeights.resources" "$folder/away/"
Scripts/checks/tiny-depth-anything.py "$folder/tiny.safetensors"
predict() { # PROGRAM NAME
  for precision in auto float32; do
    "$1" "$folder/$2-$precision.pfm" "$precision"
    "$1" "$folder/$2-published-$precision.pfm" "$precision" "$folder/tiny.safetensors"
  done
}
predict "$folder/away/DepthOfPixels" small
said=$("$folder/away/DepthOfPixels" "$folder/small.png") && fail "the program writes PNG without libpng"
case $said in
  *"this build has no PNG, build with the trait Codecs") ;;
  *) fail "asked for PNG, the program says: $said" ;;
esac

echo "== the same program with the libraries"
swift build "${build[@]}" --scratch-path .build --traits Libraries "$@" 2>&1 | tail -n 1
products=$(swift build "${build[@]}" --scratch-path .build --traits Libraries "$@" --show-bin-path)
readelf -d "$products/DepthOfPixels" | grep -q "NEEDED.*hdf5" || fail "the other program does not link HDF5"
predict "$products/DepthOfPixels" whole
for precision in auto float32 published-auto published-float32; do
  cmp "$folder/small-$precision.pfm" "$folder/whole-$precision.pfm" || fail "the depths of $precision differ"
done
