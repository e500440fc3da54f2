#!/usr/bin/env bash
# Installs the program with its weights, manual and completions, and libdepth with its header.
#   Scripts/install.sh [--prefix DIR] [--destdir DIR] [--without-library] [OPTIONS OF swift build]
# The prefix is /usr/local unless given; DESTDIR goes in front of it, for packages. The Swift runtime is inside what is
# installed: Swift may be removed afterwards. The system's libraries of Scripts/install-libraries.sh stay needed.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=/usr/local destdir="" library=1 options=()
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) prefix=$(realpath -m "${2:?--prefix needs a folder}"); shift ;;
    --prefix=*) prefix=$(realpath -m "${1#*=}") ;;
    --destdir) destdir=$(realpath -m "${2:?--destdir needs a folder}"); shift ;;
    --destdir=*) destdir=$(realpath -m "${1#*=}") ;;
    --without-library) library= ;;
    -h | --help) sed -n '2,5s/^# *//p' "$0"; exit ;;
    *) options+=("$1") ;;
  esac
  shift
done
command -v swift >/dev/null || { echo "Swift 6.3 or later is needed: https://www.swift.org/install" >&2; exit 1; }
Scripts/install-libraries.sh

# Two builds would compile everything twice: the library is linked from the objects of the static one.
# See build-options.sh for the linker's options.
build=(--static-swift-stdlib --disable-local-rpath --scratch-path "${BUILD:-.build/install}" "${options[@]}")
swift build -c release "${build[@]}" --product depth
program=$(swift build -c release "${build[@]}" --show-bin-path)/depth
target=$destdir$prefix
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$program" --experimental-dump-help | Scripts/generate-manual.py "$("$program" --version)" | gzip -9n >"$folder/depth.1.gz"
install -D -s "$program" "$target/bin/depth"
for file in Weights/*.h5; do install -D -m 644 "$file" "$target/share/swift-depth/$file"; done
install -D -m 644 "$folder/depth.1.gz" "$target/share/man/man1/depth.1.gz"
complete() {
  "$program" --generate-completion-script "$1" >"$folder/completions"
  install -D -m 644 "$folder/completions" "$target/share/$2"
}
complete bash bash-completion/completions/depth
complete zsh zsh/site-functions/_depth
complete fish fish/vendor_completions.d/depth.fish
for file in LICENSE NOTICE; do install -D -m 644 "$file" "$target/share/doc/swift-depth/$file"; done

if [ -n "$library" ]; then
  Scripts/build-library.sh "$folder/library" "${build[@]}"
  install -D -m 644 "$folder/library/libdepth.so.1" "$target/lib/libdepth.so.1"
  ln -sf libdepth.so.1 "$target/lib/libdepth.so"
  install -D -m 644 "$folder/library/depth.h" "$target/include/depth.h"
  mkdir -p "$target/lib/pkgconfig"
  cat >"$target/lib/pkgconfig/depth.pc" <<END
prefix=$prefix
Name: depth
Description: Depth in metres from one photo
Version: $("$program" --version | sed 's/.* //')
Libs: -L\${prefix}/lib -ldepth
Cflags: -I\${prefix}/include
END
fi
echo "installed in $target"
