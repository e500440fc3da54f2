// AVX-512 VNNI, and AMX with AVX-512 functions for everything that tiles do not compute.
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx512vnni,avx512f,avx512dq,avx512bw,avx512vl,avx2"))), apply_to = function)
#define ISA avx512vnni
#define LANES 16
#define INT8_ROWS 12
#define INT8_DPBUSD(sum, a, b) \
  (VI) _mm512_dpbusd_epi32((__m512i)(sum), (__m512i)(a), (__m512i)(b))
#include "../instantiate_int8.h"
#pragma clang attribute pop

#include "../amx/amx_tiles.h"
#pragma clang attribute push(__attribute__((target("amx-tile,amx-int8,avx512vnni,avx512f,avx512dq,avx512bw,avx512vl,avx2"))), apply_to = function)
#define TILES amx
#include "../amx/instantiate_int8_tiles.h"
#pragma clang attribute pop
#endif
