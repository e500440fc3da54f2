// Products of bytes in 16 bits, for processors without FEAT_DotProd.
#if defined(__aarch64__)
#include <arm_neon.h>
#pragma clang attribute push(__attribute__((target("tune=cortex-a76"))), apply_to = function)
#define ISA neon
#define LANES 8
#define INT8_ROWS 6
#define INT8_SIGNED_DOT(sum, a, b) NEON_DOT(sum, a, b, NAME(four_products))
#include "../instantiate_int8.h"
#pragma clang attribute pop
#endif
