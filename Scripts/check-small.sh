#!/usr/bin/env bash
# Builds the product MonocularDepth without default traits, and a program that predicts with it, where the headers of all
# libraries that the package links by default are hidden; runs the program, looks at what it links, and compares its depths
# with those of the same program with the libraries, to the bit.
#   Scripts/check-small.sh [OPTIONS of swift build]      options of a build whose products are shared
# Needs util-linux's `unshare` and permission to make a namespace of mounts. SMALL_BUILD keeps the small build (default .build/small).
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
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
  unshare "${user[@]}" --mount bash -euo pipefail -c '
    echo "#error this header belongs to a library that is hidden" >"$1/hidden.h"
    mkdir -p "$1/empty"
    shift_folder=$1
    shift
    hide() {
      if [ -d "$1" ]; then mount --bind "$shift_folder/empty" "$1"
      elif [ -f "$1" ]; then mount --bind "$shift_folder/hidden.h" "$1"; fi
    }
    for name in hdf5 hdf5.h png.h pngconf.h pnglibconf.h libpng libpng16 turbojpeg.h jpeglib.h zlib.h zconf.h \
      libdeflate.h cblas.h openblas_config.h openblas-pthread; do
      for place in /usr/include /usr/local/include /usr/include/*-linux-*; do hide "$place/$name"; done
    done
    export PKG_CONFIG_LIBDIR=$shift_folder/empty PKG_CONFIG_PATH=
    for header in hdf5 png turbojpeg zlib libdeflate; do
      if ! echo "#include <$header.h>" | clang -fsyntax-only -I /usr/include/hdf5/serial -x c - 2>/dev/null; then continue; fi
      echo "check-small: $header.h is not hidden" >&2
      exit 1
    done
    exec "$@"' bash "$folder" "$@"
}

echo "== the product, without libraries"
without_libraries swift build --disable-default-traits --product MonocularDepth -c release --scratch-path "$small" 2>&1 | tail -n 1

echo "== a program that predicts, without libraries"
build=(--package-path Examples/SmallConsumer -c release)
without_libraries swift build "${build[@]}" --scratch-path "$small" 2>&1 | tail -n 1
products=$(swift build "${build[@]}" --scratch-path "$small" --show-bin-path)
linked=$(readelf -d "$products/DepthOfPixels" | grep NEEDED)
! grep -E "hdf5|jpeg|png|libz\.|deflate|blas" <<<"$linked" || fail "the program links a library that it must not need"
! nm -D --undefined-only "$products/DepthOfPixels" | grep -wE "fork|vfork|posix_spawn|execve" ||
  fail "the program can start processes"
mkdir "$folder/away"
cp -r "$products/DepthOfPixels" "$products/swift-depth_DepthWeights.resources" "$folder/away/"
for precision in auto float32; do
  "$folder/away/DepthOfPixels" "$folder/small-$precision.pfm" "$precision"
done

echo "== the same program with the libraries"
swift build "${build[@]}" --scratch-path .build --traits Libraries "$@" 2>&1 | tail -n 1
products=$(swift build "${build[@]}" --scratch-path .build --traits Libraries "$@" --show-bin-path)
for precision in auto float32; do
  "$products/DepthOfPixels" "$folder/whole-$precision.pfm" "$precision"
  cmp "$folder/small-$precision.pfm" "$folder/whole-$precision.pfm" || fail "the depths of $precision differ"
done
