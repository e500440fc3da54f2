#!/usr/bin/env bash
# Builds libdepth.so, the library behind depth.h, for programs in other languages.
#   Scripts/build-library.sh OUTPUT_DIR [OPTIONS OF swift build, such as -Xswiftc -enable-testing]
# Without options it continues the build of Scripts/try.sh: less than a minute after it, minutes otherwise.
# OUTPUT_DIR gets libdepth.so.1, libdepth.so, depth.h, depth.pc for pkg-config and the folder Weights, which the library looks for
# beside itself.
# It contains the Swift runtime, HDF5, libpng, zlib and libdeflate, and exports the calls of depth.h and nothing else.
# libturbojpeg stays a library of the system: the archive of Debian is not made for shared libraries. OpenBLAS is loaded
# where it is installed and no kernel of the package fits the processor. Linux; what the library needs is printed.
set -euo pipefail
output=$(realpath -m "${1:?usage: Scripts/build-library.sh OUTPUT_DIR [OPTIONS]}")
cd "$(dirname "$0")/.."
if [ $# -gt 1 ]; then
  options=(-c release "${@:2}")
else
  # shellcheck source=Scripts/lib/build-options.sh
  source Scripts/lib/build-options.sh
fi
products=$(swift build "${options[@]}" --show-bin-path)
# An archive that is already there would keep the objects of source files that are gone.
rm -f "$products/libDepthLibrary.a"
swift build "${options[@]}" --product DepthLibrary >&2
mkdir -p "$output"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

swift=$(dirname "$(dirname "$(realpath "$(command -v swiftc)")")")
static=$(swiftc -print-target-info -static-stdlib |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["paths"]["runtimeResourcePath"])')
# The generated Bundle.module, which nothing uses, would bring all of Foundation and ICU.
cp "$products/libDepthLibrary.a" "$folder/depth.a"
"$swift/bin/llvm-ar" d "$folder/depth.a" resource_bundle_accessor.swift.o
sed -n 's/^[a-z].* \**\(depth_[a-z_]*\)($/\1/p; s/^[a-z].* \**\(depth_[a-z_]*\)(.*/\1/p' Sources/CDepthLibrary/include/depth.h |
  sort -u >"$folder/names"
{ echo "{ global:"; sed 's/$/;/' "$folder/names"; echo "local: *; };"; } >"$folder/exports"

hdf5=$(pkg-config --libs-only-L hdf5 | sed 's/-L\([^ ]*\).*/\1/')/libhdf5.a
# Debian compiles archives for programs, which may read variables of the C library directly; a shared library may not.
for archive in "$hdf5" "$("$swift/bin/clang" -print-file-name=libpng16.a)"; do
  "$swift/bin/llvm-objcopy" --redefine-sym stderr=depth_stderr --redefine-sym stdout=depth_stdout \
    "$archive" "$folder/$(basename "$archive")"
done
cat >"$folder/streams.c" <<'END'
#include <stdio.h>
FILE *depth_stderr, *depth_stdout;
__attribute__((constructor)) static void set_streams(void) { depth_stderr = stderr, depth_stdout = stdout; }
END
"$swift/bin/clang" -O2 -fPIC -c "$folder/streams.c" -o "$folder/streams.o"
# Its helper threads go on where a program has unloaded it, so its code stays (nodelete).
"$swift/bin/clang" -shared -fuse-ld=lld -o "$folder/libdepth.so" \
  -Wl,-soname,libdepth.so.1 -Wl,--version-script="$folder/exports" -Wl,--gc-sections -Wl,--strip-all -Wl,-z,now -Wl,-z,nodelete -Wl,--no-undefined \
  -L "$folder" "$folder/streams.o" -L "$static/linux" "$static/linux/x86_64/swiftrt.o" -Wl,--whole-archive "$folder/depth.a" -Wl,--no-whole-archive \
  -Wl,-Bstatic -lhdf5 -lsz -laec -lpng16 -lz -ldeflate \
  -lFoundationEssentials -l_FoundationCollections -l_FoundationCShims -lswiftSynchronization \
  -lswift_StringProcessing -lswift_RegexParser -lswift_Builtin_float -lswiftGlibc -lswift_Concurrency -lswiftCore \
  -ldispatch -lBlocksRuntime -Wl,-Bdynamic -lturbojpeg -lstdc++ -lpthread -ldl -lm
mv "$folder/libdepth.so" "$output/libdepth.so.1"
ln -sf libdepth.so.1 "$output/libdepth.so"
cp Sources/CDepthLibrary/include/depth.h "$output/"
mkdir -p "$output/Weights"
cp Weights/*.h5 "$output/Weights/"
# A program linked by this file finds the library where it is now; installed ones are described by Scripts/install.sh.
cat >"$output/depth.pc" <<'END'
Name: depth
Description: Depth in metres from one photo
END
cat >>"$output/depth.pc" <<END
Version: $(sed -n 's/.*number.* = "\(.*\)".*/\1/p' Sources/DepthBase/PackageVersion.swift)
Libs: -L\${pcfiledir} -Wl,-rpath,\${pcfiledir} -ldepth
Cflags: -I\${pcfiledir}
END
echo "$output/libdepth.so.1, $(du -h "$output/libdepth.so.1" | cut -f 1), needs:"
readelf -d "$output/libdepth.so.1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/  \1/p'
