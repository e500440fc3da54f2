#if defined(__aarch64__)
#include <arm_neon.h>
#pragma clang attribute push(__attribute__((target("i8mm,dotprod,tune=neoverse-v1"))), apply_to = function)
#define ISA i8mm
#define LANES 8
#define INT8_ROWS 6
#define INT8_DPBUSD(sum, a, b) NEON_DOT(sum, a, b, MIXED)
#define MIXED(sum, b, a) vusdotq_s32(sum, (uint8x16_t)(a), b)
#define MATRIX_DOT(sums, a, b) vusmmlaq_s32(sums, (uint8x16_t)(a), (int8x16_t)(b))
#include "../instantiate_int8.h"
#pragma clang attribute pop
#endif
