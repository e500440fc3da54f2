// Floats to bfloat16.

/// The nearest values, ties to even.
INLINE VH NAME(rounded)(V x) {
#if defined(BFLOAT16_ROUND)
  return BFLOAT16_ROUND(x);
#else
  const VU bits = (VU)x, magnitude = bits & 0x7FFFFFFF;
  const VU nearest = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
  const VU is_nan = (VU)(magnitude > 0x7F800000), is_small = (VU)(magnitude < 0x00800000);
  const VU zero = bits >> 16 & 0x8000, quiet = bits >> 16 | 0x40;
  return __builtin_convertvector(
      (is_small & zero) | (is_nan & quiet) | (~(is_small | is_nan) & nearest), VH);
#endif
}

static void NAME(round_bfloat16)(size_t count, const float *x, uint16_t *y) {
  for (size_t i = 0; i < count; i += LANES) {
    const size_t n = count - i < LANES ? count - i : LANES;
    const VH result = NAME(rounded)(NAME(load_first)(x + i, n));
    if (n == LANES) memcpy(y + i, &result, 2 * LANES); else memcpy(y + i, &result, 2 * n);
  }
}
