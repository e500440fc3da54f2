#!/usr/bin/env bash
# Builds libdepth, compiles Examples/depth.c against it as Documentation/Programs.md says, and runs it from another folder.
#   Scripts/test-c.sh [OPTIONS OF swift build, such as -Xswiftc -enable-testing]
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
Scripts/build-library.sh "$folder/libdepth" "$@"
flags=$(PKG_CONFIG_PATH=$folder/libdepth pkg-config --cflags --libs depth)
# shellcheck disable=SC2086  # flags are words
${CC:-cc} -std=c99 -Wall -Wextra -Werror Examples/depth.c $flags -o "$folder/middle"
cd /
unset DEPTH_WEIGHTS LD_LIBRARY_PATH
said=$(env -i PATH=/usr/bin:/bin "$folder/middle" "$root/Examples/living-room.jpg")
echo "$said"
[[ $said =~ ^640\ x\ 480,\ middle\ [0-9.]+\ m$ ]] || { echo "test-c: expected the size and the depth of the middle" >&2; exit 1; }
if "$folder/middle" "$root/README.md" 2>"$folder/error"; then
  echo "test-c: a text was taken for a photo" >&2
  exit 1
fi
cat "$folder/error"
