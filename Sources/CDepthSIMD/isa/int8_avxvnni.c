#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avxvnni,avx2"))), apply_to = function)
#define ISA avxvnni
#define LANES 8
#define INT8_ROWS 6
#define INT8_DPBUSD(sum, a, b) \
  (VI) _mm256_dpbusd_avx_epi32((__m256i)(sum), (__m256i)(a), (__m256i)(b))
#include "../instantiate_int8.h"
#pragma clang attribute pop
#endif
