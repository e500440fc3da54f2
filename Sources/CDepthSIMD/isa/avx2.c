#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#define ISA avx2
#define LANES 8
#define GEMM_ROWS 6
#define HAS_FMA 1
#include "../instantiate.h"
#pragma clang attribute pop
#endif
