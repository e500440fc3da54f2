#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx512bf16,avx512f,avx512dq,avx512bw,avx512vl,avx2"))), apply_to = function)
#define ISA avx512
#define LANES 16
#define HAS_FMA 1
#define BFLOAT16_ROWS 12
#define BFLOAT16_ROUND(x) (VH) _mm512_cvtneps_pbh((__m512)(x))
#define BFLOAT16_DOT(sum, a, b) \
  (V) _mm512_dpbf16_ps((__m512)(sum), (__m512bh)(a), (__m512bh)(b))
#include "../instantiate_bfloat16.h"
#pragma clang attribute pop
#endif
