#!/usr/bin/env bash
# Builds Examples/SmallConsumer's program with the whole engine for arm64, runs it in an emulator as a Cortex-A72, a Neoverse N1 and
# with all features, and compares its depths with those of the same program here: in int8 to the bit, in float32 within 2·10⁻⁵ m.
#   Scripts/arm64/build-swift.sh FOLDER        as root; FOLDER keeps two Debian roots (6 GB) between calls
# The compiler is Debian's Swift 6.2 for x86-64 with the standard library for arm64, both from unstable. What the sources lack for
# Swift 6.2, adapt-swift.py adds to a copy of the commit that is checked out. Needs mmdebstrap and qemu-user.
set -euo pipefail
folder=$(realpath -m "${1:?usage: Scripts/arm64/build-swift.sh FOLDER}")
cd "$(dirname "$0")/../.."
host=$folder/host target=$folder/target
mkdir -p "$folder"
root() {
  [ -d "$folder/$1/usr" ] || mmdebstrap --variant=extract --mode=root --architectures="$2" --include="$3" sid "$folder/$1" http://deb.debian.org/debian
}
common=swiftlang,libstdc++-15-dev,libc6-dev,libgcc-15-dev,base-files
root host amd64 "$common,git,ca-certificates,pkgconf,binutils,bash,coreutils,dash,sed,grep,libatomic1,libicu76,libsqlite3-dev"
root target arm64 "$common,libhdf5-dev,libpng-dev,libturbojpeg0-dev,zlib1g-dev,libdeflate-dev,libopenblas0-pthread,libcurl4t64,libxml2-dev"

# Links that Debian's packages make when they are installed, and the place where compilers look for the standard library.
libraries=$target/usr/lib/aarch64-linux-gnu
ln -sfn ../libexec/swift/lib/swift "$target/usr/lib/swift"
ln -sf hdf5_serial.pc "$libraries/pkgconfig/hdf5.pc"
ln -sf libhdf5_serial.so "$libraries/libhdf5.so"

swift package resolve
mkdir -p "$host"/{proc,dev,target,source,root,tmp}
rm -rf "$host/source/package" "$host/source/swift-argument-parser"
git clone --quiet . "$host/source/package"
cp -r .build/checkouts/swift-argument-parser "$host/source/"
cat >"$host/source/destination.json" <<'END'
{
  "version": 1, "sdk": "/target", "toolchain-bin-dir": "/usr/libexec/swift/bin", "target": "aarch64-unknown-linux-gnu",
  "dynamic-library-extension": "so", "extra-cc-flags": ["--sysroot=/target"], "extra-cpp-flags": ["--sysroot=/target"],
  "extra-swiftc-flags": [
    "-Xllvm", "-sil-disable-pass=deadobject-elim", "-enable-experimental-feature", "Lifetimes", "-suppress-warnings",
    "-sdk", "/target", "-resource-dir", "/target/usr/lib/swift", "-use-ld=lld", "-Xclang-linker", "--sysroot=/target"
  ]
}
END
# The namespace of mounts ends with the build.
# shellcheck disable=SC2016  # expanded by the shell inside
HOST=$host TARGET=$target unshare --mount bash -euc '
  mount --bind "$TARGET" "$HOST/target"
  mount -t proc proc "$HOST/proc"
  mount --bind /dev "$HOST/dev"
  exec python3 Scripts/arm64/adapt-swift.py "$HOST" DepthOfPixels'

swift build -c release --package-path Examples/SmallConsumer --scratch-path "$folder/native" --traits Libraries
native=$(swift build -c release --package-path Examples/SmallConsumer --scratch-path "$folder/native" --traits Libraries --show-bin-path)
program=$host/source/package/.build/aarch64-unknown-linux-gnu/release/DepthOfPixels
for precision in int8 float32; do
  "$native/DepthOfPixels" "$folder/x86-64.pfm" $precision
  for processor in cortex-a72 neoverse-n1 max; do
    qemu-aarch64 -L "$target" -E LD_LIBRARY_PATH=/usr/libexec/swift/lib/swift/linux:/usr/lib/aarch64-linux-gnu -cpu $processor \
      "$program" "$folder/arm64.pfm" $precision
    if [ $precision = int8 ]; then
      cmp "$folder/x86-64.pfm" "$folder/arm64.pfm"
    else
      python3 Scripts/arm64/adapt-swift.py --compare "$folder/x86-64.pfm" "$folder/arm64.pfm" 2e-5
    fi
    echo "build-swift: $precision on $processor: as on x86-64"
  done
done
