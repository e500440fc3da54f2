#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define ISA avx2
#define LANES 8
#define INT8_ROWS 6
#define INT8_WINOGRAD
#define INT8_AVX2
#define INT8_MADD(a, b) (VI) _mm256_madd_epi16((__m256i)(a), (__m256i)(b))
#include "../instantiate_int8.h"
#pragma clang attribute pop
#endif
