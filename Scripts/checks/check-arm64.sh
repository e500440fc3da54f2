#!/usr/bin/env bash
# Checks what is written for arm64 on any machine: cross-compiled by clang and run by qemu-aarch64 as four kinds of processors, with the
# address and undefined-behavior sanitizers and memory that ends at guard pages; results against those of plain C and, from x86-64,
# against the kernels of AVX2 to the bit. On arm64 it runs without the emulator. CI's arm64 machine runs the Swift tests of all kernels.
# Debian: apt-get install qemu-user libc6-dev-arm64-cross libgcc-12-dev-arm64-cross
#   Scripts/checks/check-arm64.sh [CALLS]
set -euo pipefail
cd "$(dirname "$0")/../.."
calls=${1:-12}
clang=${CLANG:-clang}
machine=$(uname -m)
if [ "$machine" = aarch64 ] || [ "$machine" = arm64 ]; then
  target=() libraries=() sanitizer=(-fsanitize=address)
  as() { shift; "$@"; }
  processors=("this machine|")
else
  headers=/usr/aarch64-linux-gnu/include
  command -v qemu-aarch64 >/dev/null || { echo "check-arm64: there is no qemu-aarch64: apt-get install qemu-user" >&2; exit 69; }
  [ -d "$headers" ] || { echo "check-arm64: there is no $headers: apt-get install libc6-dev-arm64-cross libgcc-12-dev-arm64-cross" >&2; exit 69; }
  target=(--target=aarch64-linux-gnu -isystem "$headers")
  libraries=(-fuse-ld=lld --gcc-toolchain=/usr -L/usr/aarch64-linux-gnu/lib -B/usr/aarch64-linux-gnu/lib)
  # clang here has no runtime of the address sanitizer for arm64, but understands that of Debian's cross compiler.
  sanitizer=(/usr/lib/gcc-cross/aarch64-linux-gnu/12/libasan_preinit.o /usr/aarch64-linux-gnu/lib/libasan.so.8)
  as() { local cpu=$1; shift; qemu-aarch64 -L /usr/aarch64-linux-gnu -cpu "$cpu" "$@"; }
  # qemu's processors: none of the features, products of bytes, all of them; and all but SHA-256.
  processors=("cortex-a72|" "neoverse-n1|" "max|" "max|sha256")
fi
# Leaks cannot be looked for in an emulator.
export ASAN_OPTIONS=detect_leaks=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
kernels=Sources/CDepthSIMD

# compile NAME FLAGS…: every C file of the kernels, two at a time, to objects in folder/NAME.
compile() {
  local name=$1
  shift
  mkdir "$folder/$name"
  local file
  for file in "$kernels"/*.c "$kernels"/{amx,isa}/*.c Tests/CDepthSIMDModels/*.c; do
    local extra=
    [ "$(basename "$file")" = arm_features.c ] && extra=-Dck_arm_features=ck_found_arm_features
    printf '%s\0' "$clang $* $extra -std=gnu17 -I$kernels/include -ITests/CDepthSIMDModels/include -c $file -o $folder/$name/$(basename "$(dirname "$file")")-$(basename "$file" .c).o"
  done | xargs -0 -P 2 -n 1 bash -c
}

compile sanitized ${target[@]+"${target[@]}"} -O1 -fsanitize=address,undefined -fsanitize-trap=undefined
compile fast ${target[@]+"${target[@]}"} -O2
for kind in sanitized fast; do
  runtime=()
  [ $kind = fast ] || runtime=("${sanitizer[@]}")
  flags=(${target[@]+"${target[@]}"} -O1 -std=gnu17 -I"$kernels/include" -ITests/CDepthSIMDModels/include)
  "$clang" "${flags[@]}" Scripts/checks/arm64/*.c "$folder/$kind"/*.o ${runtime[@]+"${runtime[@]}"} ${libraries[@]+"${libraries[@]}"} -lm -lpthread -o "$folder/$kind-kernels"
  "$clang" "${flags[@]}" Scripts/checks/tiles/{check-tiles,trapped-tiles}.c Scripts/checks/arm64/override.c "$folder/$kind"/*.o \
    ${runtime[@]+"${runtime[@]}"} ${libraries[@]+"${libraries[@]}"} -lm -lpthread -o "$folder/$kind-int8"
done

for processor in "${processors[@]}"; do
  cpu=${processor%|*}
  export MISSING_FEATURES=${processor#*|}
  echo "== $cpu${MISSING_FEATURES:+ without $MISSING_FEATURES}"
  for kind in sanitized fast; do
    as "$cpu" "$folder/$kind-kernels" "$calls" >"$folder/$kind.txt" || { grep -E 'DIFFERS|differ' "$folder/$kind.txt"; exit 1; }
    as "$cpu" "$folder/$kind-int8" "$calls" >"$folder/int8.txt" || { cat "$folder/int8.txt"; exit 1; }
    sets=$(sed -n -E 's/^([a-z0-9-]*): tested$/\1/p' "$folder/int8.txt" | sort -u | tr '\n' ' ')
    echo "$kind: $(tail -1 "$folder/$kind.txt"); $(tail -1 "$folder/int8.txt" | cut -d, -f1-2) of int8; sets $sets"
  done
  cmp "$folder/sanitized.txt" "$folder/fast.txt"
  # An emulator that loses a feature must not make the check pass.
  expected="neon"
  case $cpu$MISSING_FEATURES in neoverse-n1) expected="neon dotprod" ;; max*) expected="neon dotprod i8mm" ;; esac
  for set in neon dotprod i8mm; do
    case " $expected " in *" $set "*) want=1 ;; *) want=0 ;; esac
    case " $sets " in *" $set "*) got=1 ;; *) got=0 ;; esac
    [ "$cpu" = "this machine" ] || [ $want = $got ] || { echo "check-arm64: on $cpu the sets were $sets, expected $expected" >&2; exit 1; }
  done
done

if [ "$machine" = x86_64 ]; then
  echo "== the same calls on x86-64"
  compile native -O2
  "$clang" -O1 -std=gnu17 -I"$kernels/include" Scripts/checks/arm64/*.c "$folder/native"/*.o -lm -lpthread -o "$folder/native-kernels"
  "$folder/native-kernels" "$calls" >"$folder/native.txt"
  # Without fused multiply-add only what is exact has the same bits.
  kinds='^(exact|fused|sums) '
  grep -q '^set avx2' "$folder/native.txt" || kinds='^exact '
  diff <(grep -E "$kinds" "$folder/native.txt") <(grep -E "$kinds" "$folder/fast.txt")
  echo "$(grep -cE "$kinds" "$folder/fast.txt") results have the bits of $(sed -n 's/^set \([a-z0-9]*\):.*/\1/p' "$folder/native.txt")"
fi

echo "arm64: all kernels agree"
