// Loads, stores and arithmetic on V that the templates share.

INLINE V NAME(splat)(float s) { return s - (V){0}; }

INLINE V NAME(load)(const float *p) { return *(const V *)p; }

INLINE void NAME(store)(float *p, V v) { *(V *)p = v; }

/// The first n lanes of a vector, the others 0; n == LANES costs nothing when it is a constant.
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

/// a·b + c, in one rounding where the instruction set has it.
INLINE V NAME(fma)(V a, V b, V c) {
#if defined(HAS_FMA)
  return __builtin_elementwise_fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// The larger of each lane; b where either is not a number.
INLINE V NAME(max)(V a, V b) {
  VI greater = a > b;
  return (V)((greater & (VI)a) | (~greater & (VI)b));
}

/// The smaller of each lane; b where either is not a number.
INLINE V NAME(min)(V a, V b) {
  VI smaller = a < b;
  return (V)((smaller & (VI)a) | (~smaller & (VI)b));
}
