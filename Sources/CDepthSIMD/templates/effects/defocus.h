// Circles of confusion as levels, and jumps of levels.

static void NAME(defocus_levels)(size_t n, bool reciprocal, float slope, float intercept, float limit,
                                 const float *restrict depth, int16_t *restrict y) {
  // This bound exceeds all levels, and prevents overflow in the conversion to 32-bit integers.
  const float bound = 0x1p22f;
  for (size_t i = 0; i < n; i++) {
    const float value = (reciprocal ? 1.0f / depth[i] : depth[i]) * slope + intercept;
    float held = value < bound ? value : bound;
    held = held > -bound ? held : -bound;
    const float whole = (float)(int32_t)held, rest = held - whole;
    float level = whole + (rest >= 0.5f ? 1.0f : 0.0f) - (rest <= -0.5f ? 1.0f : 0.0f);
    level = level < limit ? level : limit;
    level = level > -limit ? level : -limit;
    y[i] = (int16_t)(int32_t)level;
  }
}

static size_t NAME(beside_farther)(size_t n, int32_t edge, const int16_t *restrict above,
                                   const int16_t *restrict row, const int16_t *restrict below,
                                   int16_t *restrict lowest, int32_t *restrict columns) {
  int16_t *const middle = lowest + 1;
  for (size_t i = 0; i < n; i++) {
    const int16_t outer = above[i] < below[i] ? above[i] : below[i];
    middle[i] = row[i] < outer ? row[i] : outer;
  }
  lowest[0] = middle[0], middle[n] = middle[n - 1];
  enum { block = 64 };
  size_t count = 0;
  for (size_t start = 0; start < n; start += block) {
    const size_t end = start + block < n ? start + block : n;
    uint8_t found[block], any = 0;
    for (size_t i = start; i < end; i++) {
      int16_t low = lowest[i] < lowest[i + 1] ? lowest[i] : lowest[i + 1];
      low = low < lowest[i + 2] ? low : lowest[i + 2];
      found[i - start] = (int32_t)low < (int32_t)row[i] - edge;
    }
    for (size_t i = start; i < end; i++) any |= found[i - start];
    if (!any) continue;
    for (size_t i = start; i < end; i++)
      if (found[i - start]) columns[count++] = (int32_t)i;
  }
  return count;
}
