// Floats to 8-bit codes.

/// The larger of each lane; b where they are equal.
INLINE V NAME(larger)(V a, V b) {
#if LANES == 16
  return (V)_mm512_max_ps((__m512)a, (__m512)b);
#else
  return NAME(max)(a, b);
#endif
}

/// The smaller of each lane; b where they are equal.
INLINE V NAME(smaller)(V a, V b) {
#if LANES == 16
  return (V)_mm512_min_ps((__m512)a, (__m512)b);
#else
  return NAME(min)(a, b);
#endif
}

/// The nearest integers of values that are not negative, ties to even, at most 255.
INLINE VB NAME(codes)(V y) {
#if LANES == 16
  // What is too large for 32 bits becomes 2³¹ without sign, and then 255 as all that is larger.
  return (VB)_mm512_cvtusepi32_epi8(_mm512_cvtps_epi32((__m512)y));
#else
  // Adding 2²³ leaves the integer in the lowest bits.
  const V top = NAME(splat)(255.0f), shift = NAME(splat)(8388608.0f);
  const VI smaller = y < top;
  const V bounded = (V)((smaller & (VI)y) | (~smaller & (VI)top));
  const VI bits = (VI)(bounded + shift) & 0xFF;
  return __builtin_convertvector(bits, VB);
#endif
}

static void NAME(quantize)(size_t count, const float *x, float reciprocal_step, float zero_point,
                           uint8_t *codes) {
  for (size_t i = 0; i < count; i += LANES) {
    const size_t n = count - i < LANES ? count - i : LANES;
    V y = NAME(load_first)(x + i, n) * NAME(splat)(reciprocal_step);
    y = NAME(larger)(y + NAME(splat)(zero_point), (V){0});
    const VB result = NAME(codes)(y);
    if (n == LANES) memcpy(codes + i, &result, LANES); else memcpy(codes + i, &result, n);
  }
}
