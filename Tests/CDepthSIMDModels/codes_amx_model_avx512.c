// As the part for AMX of codes_avx512vnni.c, on the model of the tiles.
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx512vnni,avx512f,avx512dq,avx512bw,avx512vl,avx2"))), apply_to = function)
#define ISA model_avx512vnni
#define LANES 16
#define CODE_ROWS 12
#define CODES_DPBUSD(sum, a, b) \
  (VI) _mm512_dpbusd_epi32((__m512i)(sum), (__m512i)(a), (__m512i)(b))
#include "../../Sources/CDepthSIMD/instantiate_codes.h"

#include "amx_model_tiles.h"
#define TILES amx_model_avx512
#include "../../Sources/CDepthSIMD/instantiate_code_tiles.h"
#pragma clang attribute pop
#endif
