#if defined(__aarch64__)
#include <arm_neon.h>
#pragma clang attribute push(__attribute__((target("dotprod,tune=cortex-a76"))), apply_to = function)
#define ISA dotprod
#define LANES 8
#define INT8_ROWS 6
#define INT8_RUN 4
#define INT8_SIGNED_DOT(sum, a, b) NEON_DOT(sum, a, b, vdotq_s32)
#include "../instantiate_int8.h"
#pragma clang attribute pop
#endif
