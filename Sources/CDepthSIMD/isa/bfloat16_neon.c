#if defined(__aarch64__)
#include <arm_neon.h>
#pragma clang attribute push(__attribute__((target("bf16,tune=neoverse-v1"))), apply_to = function)
#define ISA neon
#define LANES 8
#define HAS_FMA 1
#define BFLOAT16_ROWS 6
#define MATRIX_SUM float
#define MATRIX_DOT(sums, a, b) vbfmmlaq_f32(sums, (bfloat16x8_t)(a), (bfloat16x8_t)(b))
#include "../instantiate_bfloat16.h"
#pragma clang attribute pop
#endif
