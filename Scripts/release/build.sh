#!/usr/bin/env bash
# Makes everything that a release consists of, from the commit that is checked out:
#   Scripts/release/build.sh OUTPUT_DIR [--without-wheel]
#
#   swift-depth-VERSION.tar.gz               the sources
#   depth-VERSION-linux-x86_64.tar.gz        the program with weights, manual and completions; needs glibc and libstdc++ alone
#   swift-depth_VERSION_amd64.deb            the same for Debian and Ubuntu
#   swift_depth-VERSION-….whl                the Python package with engine and weights
#   swift-depth-VERSION.spdx.json            what is inside, with versions and licenses (SPDX 2.3)
#   SHA256SUMS
#
# The same commit, compiler and libraries give the same bytes: times are the commit's, names are sorted, owners are root.
set -euo pipefail
output=$(realpath -m "${1:?usage: Scripts/release/build.sh OUTPUT_DIR [--without-wheel]}")
wheel=1
[ "${2:-}" != --without-wheel ] || wheel=
cd "$(dirname "$0")/../.."
[ -z "$(git status --porcelain --untracked-files=no)" ] || { echo "release: there are changes that are not committed" >&2; exit 1; }
version=$(sed -n 's/.*number.* = "\(.*\)".*/\1/p' Sources/DepthBase/PackageVersion.swift)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
DEPTH_REVISION=$(git rev-parse --short=8 HEAD) # the sources are built outside of the clone
export SOURCE_DATE_EPOCH DEPTH_REVISION LC_ALL=C TZ=UTC
umask 022
mkdir -p "$output"
# Always as long: the compiler writes the length of a source file's path into the program, although not the path (see below).
folder=$(mktemp -d -p /tmp)
trap 'rm -rf "$folder"' EXIT

# A tar archive whose bytes depend on names, contents and modes alone.
archive() {
  tar --sort=name --format=ustar --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C "$2" -c "$3" | gzip -9n >"$1"
}

echo "== sources"
git archive --format=tar --prefix="swift-depth-$version/" HEAD | gzip -9n >"$output/swift-depth-$version.tar.gz"

echo "== program"
Scripts/install-libraries.sh
build=$(realpath -m "${BUILD:-.build/release-build}")
Scripts/release/static-libraries.sh "$build/static"
# Built from the archive, so that nothing else can be in it. No path of this machine may get into the program or change it: of source
# files (prefix maps; `withoutActuallyEscaping` keeps the length of its file's path), in debug information, which the linker's build ID
# is computed from, or in hashes of modules, by which the compiler skips modules that did not change.
tar -C "$folder" -xzf "$output/swift-depth-$version.tar.gz"
sources=$folder/swift-depth-$version
options=(-debug-info-format none -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen)
# The decoder of WebP, by the names that Sources/CDepthBase/codecs/webp.c looks for; libheif is loaded, with the decoders of its plugins.
webp=$(clang -print-file-name=libwebp.a)
[ -f "$webp" ] || { echo "release: libwebp.a: not found, expected with libwebp-dev" >&2; exit 1; }
options+=(-Xlinker -u -Xlinker WebPDecodeRGBInto -Xlinker -u -Xlinker WebPDecodeRGBAInto -Xlinker "$webp")
for place in "$sources=." "$build=./build"; do
  options+=(-Xswiftc -file-prefix-map -Xswiftc "$place" -Xcc "-ffile-prefix-map=$place")
done
PKG_CONFIG_PATH=$build/static/pc BUILD=$build \
  "$sources/Scripts/install.sh" --prefix /usr --destdir "$folder/root" --without-library "${options[@]}"
program=$folder/root/usr/bin/depth
if found=$(strings -a "$program" | grep -F -e "$folder/" -e "$build/"); then
  echo "release: the program contains paths of this machine: $found" >&2
  exit 1
fi
Scripts/release/third-party.sh "$build" >"$folder/root/usr/share/doc/swift-depth/THIRD-PARTY"
readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/needs \1/p'
# Nothing may be needed that a bare Debian or Ubuntu lacks.
if readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
  grep -vE '^(libc|libm|libdl|libpthread|librt|libstdc\+\+|libgcc_s|ld-linux-x86-64)\.so'; then
  echo "release: the program needs the libraries above, expected glibc, libstdc++ and libgcc alone" >&2
  exit 1
fi
glibc=$(readelf -V "$program" | grep -o 'GLIBC_2\.[0-9.]*' | sort -uV | tail -n 1)
echo "needs glibc ${glibc#GLIBC_} or later"
name=depth-$version-linux-x86_64
mkdir "$folder/$name"
cp -r "$folder/root/usr/." "$folder/$name/"
archive "$output/$name.tar.gz" "$folder" "$name"

echo "== package for Debian and Ubuntu"
Scripts/release/deb.sh "$folder/root" "$version" "${glibc#GLIBC_}" "$output"

files=("$output"/*"$version"*.{tar.gz,deb})
if [ -n "$wheel" ]; then
  echo "== wheel"
  rm -f "$output/swift_depth-$version"-*.whl
  # From the same sources and with the same options, so that nothing is compiled twice.
  PKG_CONFIG_PATH=$build/static/pc WHEEL_VENV=$build/venv-wheel \
    "$sources/Scripts/build-wheel.sh" "$output" --static-swift-stdlib --scratch-path "$build" "${options[@]}"
  files+=("$output/swift_depth-$version"-*.whl)
fi

echo "== contents"
Scripts/release/sbom.py "$version" "$program" "$build/checkouts" "${files[@]}" >"$output/swift-depth-$version.spdx.json"
(cd "$output" && sha256sum -- "${files[@]##*/}" "swift-depth-$version.spdx.json" | tee SHA256SUMS)
