// Quantizes floats to 8 bits.

/// The larger of each lane; b where they are equal.
INLINE V NAME(larger)(V a, V b) {
#if LANES == 16
  return (V)_mm512_max_ps((__m512)a, (__m512)b);
#elif defined(INT8_AVX2)
  return (V)_mm256_max_ps((__m256)a, (__m256)b);
#else
  return NAME(max)(a, b);
#endif
}

/// The smaller of each lane; b where they are equal.
INLINE V NAME(smaller)(V a, V b) {
#if LANES == 16
  return (V)_mm512_min_ps((__m512)a, (__m512)b);
#elif defined(INT8_AVX2)
  return (V)_mm256_min_ps((__m256)a, (__m256)b);
#else
  return NAME(min)(a, b);
#endif
}

/// The nearest integers of nonnegative values, ties to even, at most 255.
INLINE VB NAME(quantized)(V y) {
#if LANES == 16
  // Values beyond 32 bits become the largest unsigned integer and then 255, like all larger values.
  return (VB)_mm512_cvtusepi32_epi8(_mm512_cvtps_epi32((__m512)y));
#elif defined(INT8_AVX2)
  const __m256i integers = _mm256_cvtps_epi32((__m256)NAME(smaller)(y, NAME(splat)(255.0f)));
  const __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(integers), _mm256_extracti128_si256(integers, 1));
  return (VB)_mm_cvtsi128_si64(_mm_packus_epi16(words, words));
#else
  // Adding 2²³ leaves the integer in the lowest bits.
  const V top = NAME(splat)(255.0f), shift = NAME(splat)(8388608.0f);
  const VI smaller = y < top;
  const V bounded = (V)((smaller & (VI)y) | (~smaller & (VI)top));
  const VI bits = (VI)(bounded + shift) & 0xFF;
  return __builtin_convertvector(bits, VB);
#endif
}

static void NAME(quantize)(size_t count, const float *x, float reciprocal_scale, float zero_point,
                           uint8_t *quantized) {
  for (size_t i = 0; i < count; i += LANES) {
    const size_t n = count - i < LANES ? count - i : LANES;
    V y = NAME(load_first)(x + i, n) * NAME(splat)(reciprocal_scale);
    y = NAME(larger)(y + NAME(splat)(zero_point), (V){0});
    const VB result = NAME(quantized)(y);
    if (n == LANES) memcpy(quantized + i, &result, LANES); else memcpy(quantized + i, &result, n);
  }
}
