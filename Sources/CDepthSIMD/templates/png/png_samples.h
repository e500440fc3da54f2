// Depth as 16-bit samples, in plain loops that the compiler vectorizes.

/// The sample of one number; truncation rounds to nearest.
INLINE uint16_t NAME(png_sample)(float x, double offset, double step) {
  const double sample = ((double)x - offset) / step + 0.5;
  const double bounded = sample < 1 ? 1 : sample > 65535 ? 65535 : sample;
  return (uint16_t)(int32_t)bounded;
}

static void NAME(png_samples16)(size_t n, bool positive, double offset, double step, const float *x,
                                uint8_t *y) {
  const float least = positive ? 0x1p-149f : -FLT_MAX;
  for (size_t i = 0; i < n; i++) {
    const bool is_value = x[i] >= least && x[i] <= FLT_MAX;
    // NaN must not be converted to an integer.
    const float value = is_value ? x[i] : 1;
    const uint16_t sample = is_value ? step > 0 ? NAME(png_sample)(value, offset, step) : 1 : 0;
    const uint16_t swapped = (uint16_t)(sample << 8 | sample >> 8);
    memcpy(y + 2 * i, &swapped, 2);
  }
}
