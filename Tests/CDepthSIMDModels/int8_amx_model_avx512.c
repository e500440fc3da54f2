// The AMX part of int8_avx512vnni.c, on the tile model.
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx512vnni,avx512f,avx512dq,avx512bw,avx512vl,avx2"))), apply_to = function)
#define ISA model_avx512vnni
#define LANES 16
#define INT8_ROWS 12
#define INT8_DPBUSD(sum, a, b) \
  (VI) _mm512_dpbusd_epi32((__m512i)(sum), (__m512i)(a), (__m512i)(b))
#include "../../Sources/CDepthSIMD/instantiate_int8.h"

#include "amx_model_tiles.h"
#define TILES amx_model_avx512
#include "../../Sources/CDepthSIMD/amx/instantiate_int8_tiles.h"
#pragma clang attribute pop
#endif
