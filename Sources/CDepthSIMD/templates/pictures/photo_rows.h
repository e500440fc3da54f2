// Photo rows: interleaved bytes to planar floats, and weighted sums of byte rows.
static void NAME(planar)(size_t n, float scale, const uint8_t *rgb, float *red, float *green,
                         float *blue) {
  for (size_t i = 0; i < n; i++) {
    red[i] = (float)rgb[3 * i] * scale;
    green[i] = (float)rgb[3 * i + 1] * scale;
    blue[i] = (float)rgb[3 * i + 2] * scale;
  }
}

static void NAME(weighted_bytes)(size_t n, size_t count, const float *weights, const uint8_t *x,
                                 size_t step, float *y) {
  typedef uint8_t B __attribute__((vector_size(LANES), aligned(1)));
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    V sum = {0};
    for (size_t k = 0; k < count; k++)
      sum += weights[k] * __builtin_convertvector(*(const B *)(x + k * step + i), V);
    *(V *)(y + i) = sum;
  }
  for (; i < n; i++) {
    float sum = 0;
    for (size_t k = 0; k < count; k++) sum += weights[k] * (float)x[k * step + i];
    y[i] = sum;
  }
}
