#if defined(__aarch64__)
#include <arm_neon.h>
#pragma clang attribute push(__attribute__((target("tune=cortex-a76"))), apply_to = function)
#define ISA neon
#define LANES 8
#define GEMM_ROWS 6
#define GEMM_RUN 4
#define HAS_FMA 1
#include "../instantiate.h"
#pragma clang attribute pop
#endif
