// The arithmetic of VDPBF16PS and TDPBF16PS in plain C: every operation is rounded to the nearest even float by itself,
// denormal operands are read as zeros, and denormal results are written as zeros of their sign.
//
// Sums are made in 64-bit floats, where products of two bfloat16 values are exact. A sum is exact too, or one of its terms is so
// small that the other is the result: rounding it to 32 bits afterwards gives the bits of one fused operation.
#include <stdint.h>
#include <string.h>

/// A bfloat16 value as a float.
static inline float ck_from_bfloat16(uint16_t value) {
  const uint32_t bits = (uint32_t)((value & 0x7F80) == 0 ? value & 0x8000 : value) << 16;
  float result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

/// A float operand: zero where it is denormal.
static inline float ck_normal(float value) {
  return __builtin_fabsf(value) < 0x1p-126f ? __builtin_copysignf(0, value) : value;
}

/// A result in 32 bits. What rounds to 2⁻¹²⁶ with 24 bits is not too small.
static inline float ck_rounded(double value) {
  return __builtin_fabs(value) < 0x1p-126 - 0x1p-151 ? (float)__builtin_copysign(0, value)
                                                     : (float)value;
}

/// a · b + c.
static inline float ck_bfloat16_fma(uint16_t a, uint16_t b, float c) {
  return ck_rounded((double)ck_normal(c) +
                    (double)ck_from_bfloat16(a) * (double)ck_from_bfloat16(b));
}

/// a + b.
static inline float ck_bfloat16_sum(float a, float b) {
  return ck_rounded((double)ck_normal(a) + (double)ck_normal(b));
}
