// Loads, stores and arithmetic on V that the templates share.

INLINE V NAME(splat)(float s) { return s - (V){0}; }

INLINE V NAME(load)(const float *p) { return *(const V *)p; }

INLINE void NAME(store)(float *p, V v) { *(V *)p = v; }

/// Loads the first n lanes of a vector; the other lanes are 0. A constant n == LANES costs nothing.
INLINE V NAME(load_first)(const float *p, size_t n) {
  if (n == LANES) return NAME(load)(p);
#if LANES == 16
  return (V)_mm512_maskz_loadu_ps((__mmask16)((1u << n) - 1), p);
#else
  V v = {0};
  memcpy(&v, p, n * sizeof(float));
  return v;
#endif
}

INLINE void NAME(store_first)(float *p, V v, size_t n) {
  if (n == LANES)
    NAME(store)(p, v);
  else
#if LANES == 16
    _mm512_mask_storeu_ps(p, (__mmask16)((1u << n) - 1), (__m512)v);
#else
    memcpy(p, &v, n * sizeof(float));
#endif
}

/// a·b + c, with a single rounding if the instruction set has FMA.
INLINE V NAME(fma)(V a, V b, V c) {
#if defined(HAS_FMA)
  return __builtin_elementwise_fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// The larger of each lane; b if either is NaN.
INLINE V NAME(max)(V a, V b) {
  VI greater = a > b;
  return (V)((greater & (VI)a) | (~greater & (VI)b));
}

/// The smaller of each lane; b if either is NaN.
INLINE V NAME(min)(V a, V b) {
  VI smaller = a < b;
  return (V)((smaller & (VI)a) | (~smaller & (VI)b));
}

/// The sum of all lanes, added in pairs.
INLINE float NAME(sum_of_lanes)(V v) {
  float lanes[LANES];
  NAME(store)(lanes, v);
  for (size_t width = LANES / 2; width; width /= 2)
    for (size_t i = 0; i < width; i++) lanes[i] += lanes[i + width];
  return lanes[0];
}

/// The largest lane of a vector without NaN, compared in pairs.
INLINE float NAME(largest_of_lanes)(V v) {
#if LANES == 16
  return _mm512_reduce_max_ps((__m512)v);
#else
  float lanes[LANES];
  NAME(store)(lanes, v);
  for (size_t width = LANES / 2; width; width /= 2)
    for (size_t i = 0; i < width; i++)
      lanes[i] = lanes[i + width] > lanes[i] ? lanes[i + width] : lanes[i];
  return lanes[0];
#endif
}

/// Lane l is table[indices[l]], 0 ≤ indices[l] < LANES.
INLINE V NAME(spread)(const float *table, VI indices) {
  // The compiler does not generate these instructions from general permutations.
#if LANES == 16
  return __builtin_ia32_permvarsf512(*(const V *)table, indices);
#elif LANES == 8 && defined(__x86_64__)
  return __builtin_ia32_permvarsf256(*(const V *)table, indices);
#elif LANES == 8 && defined(__aarch64__)
  // The bytes of two registers. Lane l has bytes 4·indices[l] … 4·indices[l] + 3.
  const uint8x16x2_t bytes = vld1q_u8_x2((const uint8_t *)table);
  const VI places = indices * 0x04040404 + 0x03020100;
  uint8x16_t halves[2];
  memcpy(halves, &places, sizeof halves);
  for (int i = 0; i < 2; i++) halves[i] = vqtbl2q_u8(bytes, halves[i]);
  V spread;
  memcpy(&spread, halves, sizeof spread);
  return spread;
#else
  V spread;
  for (size_t l = 0; l < LANES; l++) spread[l] = table[indices[l]];
  return spread;
#endif
}

#if defined(__aarch64__) && LANES == 8
// NEON: V is two registers.

/// The values of one register. Products can use any of these values for all lanes of another operand.
typedef float NAME(run) __attribute__((vector_size(16), aligned(4)));

INLINE NAME(run) NAME(load_run)(const float *p) { return *(const NAME(run) *)p; }

/// Sixteen quantized values minus 128, as signed bytes.
typedef int32_t NAME(int8_run) __attribute__((vector_size(16), aligned(1)));

INLINE NAME(int8_run) NAME(load_int8_run)(const uint8_t *p) {
  return *(const NAME(int8_run) *)p ^ (int32_t)0x80808080;
}

/// Copies lane i, a constant after inlining, to all lanes.
INLINE VI NAME(lane)(NAME(int8_run) a, const size_t i) {
  switch (i) {
    case 0: return __builtin_shufflevector(a, a, 0, 0, 0, 0, 0, 0, 0, 0);
    case 1: return __builtin_shufflevector(a, a, 1, 1, 1, 1, 1, 1, 1, 1);
    case 2: return __builtin_shufflevector(a, a, 2, 2, 2, 2, 2, 2, 2, 2);
    default: return __builtin_shufflevector(a, a, 3, 3, 3, 3, 3, 3, 3, 3);
  }
}

/// Applies dot(sum, b, a), which adds four products of bytes per lane, to both registers. An instruction uses one lane of its
/// last operand for all lanes.
#define NEON_DOT(sum, a, b, dot)                                                                     \
  (VI) __builtin_shufflevector(                                                                      \
      dot(NEON_FIRST(sum), (int8x16_t)NEON_FIRST(b), (int8x16_t)NEON_FIRST(a)),                      \
      dot(NEON_SECOND(sum), (int8x16_t)NEON_SECOND(b), (int8x16_t)NEON_SECOND(a)), 0, 1, 2, 3, 4, 5, \
      6, 7)
#define NEON_FIRST(v) (int32x4_t) __builtin_shufflevector((VI)(v), (VI)(v), 0, 1, 2, 3)
#define NEON_SECOND(v) (int32x4_t) __builtin_shufflevector((VI)(v), (VI)(v), 4, 5, 6, 7)

/// Four products of signed bytes per lane, for processors without such an instruction.
INLINE int32x4_t NAME(four_products)(int32x4_t sum, int8x16_t a, int8x16_t b) {
  const int32x4_t first = vpaddlq_s16(vmull_s8(vget_low_s8(a), vget_low_s8(b)));
  return vaddq_s32(sum, vpaddq_s32(first, vpaddlq_s16(vmull_high_s8(a, b))));
}
#endif
