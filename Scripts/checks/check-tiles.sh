#!/usr/bin/env bash
# Checks the convolutions of 8-bit quantized values by every instruction set that this machine has, and by the model of AMX tiles,
# on random shapes. The model, which runs the source of the kernels, is compiled with the address and undefined-behavior sanitizers.
# Where the processor has no AMX but AVX-512 VNNI, the compiled code for AMX runs as well: its instructions are trapped and run on the
# model.
#   Scripts/checks/check-tiles.sh [CASES]
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
compile() { "${CLANG:-clang}" -std=gnu17 -ISources/CDepthSIMD/include -ITests/CDepthSIMDModels/include "$@"; }
for set in baseline avx2 avxvnni avx512vnni; do
  compile -O2 -c "Sources/CDepthSIMD/isa/int8_$set.c" -o "$folder/$set.o"
done
models=(amx_model.c int8_amx_model.c)
# The model beside AVX-512 VNNI runs where the processor has that, and takes most of two minutes to compile with the sanitizers.
if grep -qw avx512_vnni /proc/cpuinfo; then models+=(int8_amx_model_avx512.c); fi
compile -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
  -fuse-ld=lld Sources/CDepthSIMD/{amx/amx_permission,supported,dispatch_int8}.c \
  "${models[@]/#/Tests/CDepthSIMDModels/}" Scripts/checks/tiles/*.c "$folder"/*.o -lpthread \
  -o "$folder/check-tiles"
"$folder/check-tiles" "${1:-500}"
