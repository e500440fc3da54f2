// Map values as picture levels, and the colors of levels.

static void NAME(levels)(size_t n, bool positive, bool reciprocal, float low, float scale, float steps,
                         uint16_t missing, const float *restrict x, uint16_t *restrict y) {
  const float infinity = __builtin_inff(), floor = positive ? 0.0f : -infinity;
  for (size_t i = 0; i < n; i++) {
    const float value = reciprocal ? 1.0f / x[i] : x[i];
    float level = (value - low) * scale + 0.5f;
    level = level > steps ? steps : level;
    level = level >= 0 ? level : 0;
    const bool valid = (x[i] > floor) & (x[i] < infinity);
    y[i] = valid ? (uint16_t)(int32_t)level : missing;
  }
}

static void NAME(color_levels)(size_t n, const uint8_t *restrict colors, const uint16_t *restrict levels,
                               uint8_t *restrict out) {
  // Each step stores four bytes. The next step overwrites the fourth byte.
  size_t i = 0;
  for (; i + 1 < n; i++) memcpy(out + 3 * i, colors + 4 * levels[i], 4);
  for (; i < n; i++) memcpy(out + 3 * i, colors + 4 * levels[i], 3);
}
