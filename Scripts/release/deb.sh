#!/usr/bin/env bash
# Makes a Debian package of an installed tree.
#   Scripts/release/deb.sh ROOT VERSION GLIBC OUTPUT_DIR      ROOT/usr/bin/depth and so on; GLIBC is the oldest that will do
set -euo pipefail
usage="usage: Scripts/release/deb.sh ROOT VERSION GLIBC OUTPUT_DIR"
root=${1:?$usage} version=${2:?$usage} glibc=${3:?$usage} output=$(realpath -m "${4:?$usage}")
cd "$(dirname "$0")/../.."
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct)}"
export SOURCE_DATE_EPOCH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$root/." "$folder/"
doc=$folder/usr/share/doc/swift-depth
{
  echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
  echo "Upstream-Name: swift-depth"
  echo
  echo "Files: *"
  echo "Copyright: the authors of swift-depth"
  echo "License: Expat"
  sed 's/^$/./; s/^/ /' LICENSE
  echo "Comment:"
  sed 's/^$/./; s/^/ /' NOTICE
  echo " ."
  echo " The licenses of the libraries inside are in /usr/share/doc/swift-depth/THIRD-PARTY.gz."
  echo
  echo "Files: Weights/*.h5"
  echo "Copyright: not claimed by the authors of swift-depth"
  echo "License: without-open-license"
  echo " These weights were trained on NYU Depth v2, a research data set without an"
  echo " open license. The authors of swift-depth claim no rights in them. Users"
  echo " must judge whether commercial use is allowed."
} >"$doc/copyright"
rm "$doc/LICENSE"
gzip -9n "$doc/NOTICE" "$doc/THIRD-PARTY"
date=$(date -u -R -d "@$SOURCE_DATE_EPOCH")
printf 'swift-depth (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md of the sources.\n\n -- The authors of swift-depth <swift-depth@example.org>  %s\n' \
  "$version" "$date" | gzip -9n >"$doc/changelog.gz"
# The completions are read by a shell that runs already.
sed -i '1{/^#!/d}' "$folder/usr/share/bash-completion/completions/depth"
# Inside, so that one package serves every release of Debian and Ubuntu whose glibc is new enough.
mkdir -p "$folder/usr/share/lintian/overrides" "$folder/DEBIAN"
for library in libjpeg libpng libwebp zlib; do
  echo "swift-depth: embedded-library $library *"
done >"$folder/usr/share/lintian/overrides/swift-depth"
cat >"$folder/DEBIAN/control" <<END
Package: swift-depth
Version: $version
Architecture: amd64
Maintainer: The authors of swift-depth <swift-depth@example.org>
Installed-Size: $(du -sk --apparent-size "$folder/usr" | cut -f 1)
Depends: libc6 (>= $glibc), libgcc-s1, libstdc++6 (>= 11)
Recommends: ffmpeg, libheif1
Section: graphics
Priority: optional
Description: depth in metres from one photo, on a CPU
 Estimates how far everything in a photo is, without Python, a GPU or a
 network connection: FCRN (Laina et al. 2016) with its weights, and an
 edge-aware filter that brings its map to the photo's resolution. Makes stereo
 pairs, lens blur, point clouds and meshes of photos, and depth of video.
END
(cd "$folder" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$folder" -type d -exec chmod 755 {} +
chmod 644 "$folder/DEBIAN/control" "$folder/DEBIAN/md5sums"
find "$folder" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
# One thread: several split the data by their number.
dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "$folder" "$output/swift-depth_${version}_amd64.deb"
