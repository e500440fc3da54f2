#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,avx2,fma"))), apply_to = function)
#define ISA avx512
#define LANES 16
#define GEMM_ROWS 12
#define HAS_FMA 1
#include "../instantiate.h"
#pragma clang attribute pop
#endif
