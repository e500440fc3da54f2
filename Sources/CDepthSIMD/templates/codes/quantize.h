// Floats to 8-bit codes.

/// The nearest integers of values up to 255, ties to even, bounded above: adding 2²³ leaves the integer in the lowest bits.
/// Values are not negative.
INLINE VB NAME(codes)(V y) {
  const V top = NAME(splat)(255.0f), shift = NAME(splat)(8388608.0f);
  const VI smaller = y < top;
  const V bounded = (V)((smaller & (VI)y) | (~smaller & (VI)top));
  const VI bits = (VI)(bounded + shift) & 0xFF;
  return __builtin_convertvector(bits, VB);
}

static void NAME(quantize)(size_t count, const float *x, float reciprocal_step, float zero_point,
                           uint8_t *codes) {
  for (size_t i = 0; i < count; i += LANES) {
    const size_t n = count - i < LANES ? count - i : LANES;
    V y = NAME(load_first)(x + i, n) * NAME(splat)(reciprocal_step);
    y = NAME(max)(y + NAME(splat)(zero_point), (V){0});
    const VB result = NAME(codes)(y);
    if (n == LANES) memcpy(codes + i, &result, LANES); else memcpy(codes + i, &result, n);
  }
}
