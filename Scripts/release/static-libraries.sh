#!/usr/bin/env bash
# Makes a folder by which `swift build` links the system's libraries into the program.
#   Scripts/release/static-libraries.sh FOLDER; PKG_CONFIG_PATH=FOLDER/pc swift build --static-swift-stdlib …
# FOLDER/lib holds the archives alone, so that the linker finds no shared library there; FOLDER/pc says where they are.
set -euo pipefail
folder=$(realpath -m "${1:?usage: Scripts/release/static-libraries.sh FOLDER}")
mkdir -p "$folder/lib" "$folder/pc"
hdf5=$(pkg-config --libs-only-L hdf5 | sed 's/-L\([^ ]*\).*/\1/')
archive() {
  local file=$1
  [ -f "$file" ] || file=$(clang -print-file-name="$1")
  [ -f "$file" ] || { echo "static-libraries: $1: not found, expected with the -dev package" >&2; exit 1; }
  ln -sf "$file" "$folder/lib/$(basename "$file")"
}
archive "$hdf5/libhdf5.a"
# The module of libpng asks for it by its name without a version.
for name in sz aec turbojpeg png png16 z deflate; do archive "lib$name.a"; done
describe() {
  local name=$1 libraries=$2
  printf 'Name: %s\nDescription: %s, to be linked into a program\nVersion: %s\nLibs: -L%s %s\nCflags: %s\n' \
    "$name" "$name" "$(pkg-config --modversion "$name")" "$folder/lib" "$libraries" "$(pkg-config --cflags "$name")" \
    >"$folder/pc/$name.pc"
}
unset PKG_CONFIG_PATH
describe hdf5 "-lhdf5 -lsz -laec -lz -ldl -lm"
describe libturbojpeg "-lturbojpeg"
describe libpng "-lpng16 -lz -lm"
describe zlib "-lz"
describe libdeflate "-ldeflate"
# Archives of another system may need libraries that are not named above.
echo 'int H5open(void); int main(void) { return H5open(); }' >"$folder/hdf5.c"
# shellcheck disable=SC2046
clang "$folder/hdf5.c" -o "$folder/hdf5" $(PKG_CONFIG_PATH=$folder/pc pkg-config --libs hdf5) || {
  echo "static-libraries: libhdf5.a cannot be linked alone, expected it to need libsz, libaec and libz" >&2
  exit 1
}
