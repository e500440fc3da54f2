// Pixels of a row from windows of another row, one vector of four floats per pixel.

/// Σ_t weights[t] · x[3 t + c] + sum.
INLINE V4 NAME(add_window)(V4 sum, size_t taps, const float *weights, const float *x) {
  for (size_t t = 0; t < taps; t++) sum += weights[t] * *(const V4 *)(x + 3 * t);
  return sum;
}

static void NAME(average_row)(size_t count, size_t taps, const ptrdiff_t *restrict first,
                              const float *restrict weights, const float *restrict x,
                              uint8_t *restrict out) {
  const V4 half = {0.5f, 0.5f, 0.5f, 0.5f}, white = half + 254.5f;
  for (size_t i = 0; i < count; i++) {
    // Adds ½, so that truncation rounds to nearest.
    const V4 sum = NAME(add_window)(half, taps, weights + i * taps, x + 3 * first[i]);
    const VI4 color = __builtin_convertvector(__builtin_elementwise_min(sum, white), VI4);
    for (int c = 0; c < 3; c++) out[3 * i + c] = (uint8_t)color[c];
  }
}

static void NAME(bicubic_row)(size_t count, const ptrdiff_t *restrict first, const float *restrict weights,
                              const float *restrict factors, const float *restrict offsets,
                              const float *restrict x, float *restrict y) {
  const V4 scale = *(const V4 *)factors, mean = *(const V4 *)offsets;
  for (size_t i = 0; i < count; i++) {
    const V4 sum = NAME(add_window)((V4){0}, 4, weights + 4 * i, x + 3 * first[i]);
    const V4 color = sum * scale - mean;
    memcpy(y + 3 * i, &color, 3 * sizeof(float));
  }
}
