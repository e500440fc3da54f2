// Photo rows: interleaved bytes to planar floats, and sums of byte rows for area averages.
static void NAME(planar)(size_t n, float scale, const uint8_t *rgb, float *red, float *green,
                         float *blue) {
  for (size_t i = 0; i < n; i++) {
    red[i] = (float)rgb[3 * i] * scale;
    green[i] = (float)rgb[3 * i + 1] * scale;
    blue[i] = (float)rgb[3 * i + 2] * scale;
  }
}

static void NAME(accumulate_bytes)(size_t n, float weight, const uint8_t *x, float *y) {
  for (size_t i = 0; i < n; i++) y[i] += weight * (float)x[i];
}
