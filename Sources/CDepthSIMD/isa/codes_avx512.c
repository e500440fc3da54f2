#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,avx2"))), apply_to = function)
#define ISA avx512
#define LANES 16
#define CODE_ROWS 12
#define CODES_MADD(a, b) (VI) _mm512_madd_epi16((__m512i)(a), (__m512i)(b))
#include "../instantiate_codes.h"
#pragma clang attribute pop
#endif
