#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define ISA avx2
#define LANES 8
#define CODE_ROWS 6
#define CODE_WINOGRAD
#define CODES_AVX2
#define CODES_MADD(a, b) (VI) _mm256_madd_epi16((__m256i)(a), (__m256i)(b))
#include "../instantiate_codes.h"
#pragma clang attribute pop
#endif
