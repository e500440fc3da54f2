#!/usr/bin/env bash
# Installs the program with its weights, manual and completions, and libdepth with its header.
#   Scripts/install.sh [--prefix DIR] [--destdir DIR] [--without-library] [OPTIONS OF swift build]
#   Scripts/install.sh --uninstall [--prefix DIR]       removes what was installed there
# The prefix is /usr/local unless given; DESTDIR goes in front of it, for packages. Without options of `swift build`, the build of
# Scripts/try.sh is continued: about a minute after it, 3 to 8 minutes otherwise on two cores. The Swift runtime is inside what is
# installed: Swift may be removed afterwards. The system's libraries of Scripts/install-libraries.sh stay needed.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=/usr/local destdir="" library=1 uninstall="" given=()
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) prefix=$(realpath -m "${2:?--prefix needs a folder}"); shift ;;
    --prefix=*) prefix=$(realpath -m "${1#*=}") ;;
    --destdir) destdir=$(realpath -m "${2:?--destdir needs a folder}"); shift ;;
    --destdir=*) destdir=$(realpath -m "${1#*=}") ;;
    --without-library) library= ;;
    --uninstall) uninstall=1 ;;
    -h | --help) sed -n '2,7s/^# *//p' "$0"; exit ;;
    *) given+=("$1") ;;
  esac
  shift
done
target=$destdir$prefix
list=$target/share/swift-depth/installed-files

if [ -n "$uninstall" ]; then
  [ -f "$list" ] || { echo "install: $list: not found, so nothing was installed in $target by this script" >&2; exit 1; }
  # The list last, whose folder would not be empty otherwise. Of the folders, only the program's own go.
  while IFS= read -r file; do
    rm -f "${target:?}/$file"
  done < <(cat "$list" && echo share/swift-depth/installed-files)
  rmdir "$target"/share/swift-depth{/Weights,} "$target/share/doc/swift-depth" 2>/dev/null || true
  echo "removed from $target"
  exit
fi

command -v swift >/dev/null || { echo "Swift 6.3 or later is needed: https://www.swift.org/install" >&2; exit 1; }
Scripts/install-libraries.sh
library_options=()
search_path=${PKG_CONFIG_PATH-} # build-options.sh puts the static libraries in its place
if [ ${#given[@]} -eq 0 ] && [ -z "${BUILD:-}" ]; then
  # shellcheck source=Scripts/lib/build-options.sh
  source Scripts/lib/build-options.sh
else
  # Two builds would compile everything twice: the library is linked from the objects of the static one.
  # See build-options.sh for the linker's options.
  library_options=(--static-swift-stdlib --disable-local-rpath --scratch-path "${BUILD:-.build/install}" "${given[@]}")
  options=(-c release "${library_options[@]}")
fi
swift build "${options[@]}" --product depth
program=$(swift build "${options[@]}" --show-bin-path)/depth
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Lists a file that is installed; a package manager removes by its own list.
noted() { [ -n "$destdir" ] || grep -qxF "$1" "$list" || echo "$1" >>"$list"; }
# put MODE FILE NAME: installs a file under a name in the prefix.
put() {
  install -D -m "$1" "$2" "$target/$3"
  noted "$3"
}
[ -n "$destdir" ] || { mkdir -p "$(dirname "$list")" && touch "$list"; }
cp "$program" "$folder/depth"
source Scripts/lib/revision.sh
write_revision "$folder/depth"
strip "$folder/depth"
put 755 "$folder/depth" bin/depth
for file in Weights/*.h5; do put 644 "$file" "share/swift-depth/$file"; done
"$program" --experimental-dump-help | Scripts/release/generate-manual.py "$("$program" --version)" | gzip -9n >"$folder/depth.1.gz"
put 644 "$folder/depth.1.gz" share/man/man1/depth.1.gz
complete() {
  "$program" --generate-completion-script "$1" >"$folder/completions"
  put 644 "$folder/completions" "share/$2"
}
complete bash bash-completion/completions/depth
complete zsh zsh/site-functions/_depth
complete fish fish/vendor_completions.d/depth.fish
for file in LICENSE NOTICE; do put 644 "$file" "share/doc/swift-depth/$file"; done

if [ -n "$library" ]; then
  PKG_CONFIG_PATH=$search_path Scripts/build-library.sh "$folder/library" "${library_options[@]}"
  put 644 "$folder/library/libdepth.so.1" lib/libdepth.so.1
  ln -sf libdepth.so.1 "$target/lib/libdepth.so"
  noted lib/libdepth.so
  put 644 "$folder/library/depth.h" include/depth.h
  # Programs find the library in a folder that the loader does not search by a run path.
  run_path=
  case $prefix/lib in
    /lib | /usr/lib) ;;
    *) PATH=$PATH:/usr/sbin:/sbin ldconfig -vNX 2>/dev/null | grep -q "^$prefix/lib:" || run_path=" -Wl,-rpath,\${libdir}" ;;
  esac
  cat >"$folder/depth.pc" <<END
prefix=$prefix
libdir=\${prefix}/lib
Name: depth
Description: Depth in metres from one photo
Version: $("$program" --version | sed 's/.* //')
Libs: -L\${libdir}$run_path -ldepth
Cflags: -I\${prefix}/include
END
  put 644 "$folder/depth.pc" lib/pkgconfig/depth.pc
  if [ -z "$destdir" ] && [ -z "$run_path" ] && [ "$(id -u)" = 0 ]; then PATH=$PATH:/usr/sbin:/sbin ldconfig; fi
fi
echo "installed in $target"
