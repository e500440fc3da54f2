// Whether the 2 × 2 window of a fine pixel holds two weights or values further than 1/64 apart.
static inline VI NAME(has_edge)(const float *const *rows, size_t pitch, size_t x) {
  const size_t values = 3 * 2 * pitch + x, weights = 4 * 2 * pitch + x;
  V low = *(const V *)(rows[0] + values), high = low;
  const V weight = *(const V *)(rows[0] + weights);
  VI same = weight == weight;
  for (size_t i = 1; i < 4; i++) {
    const float *q = rows[i / 2] + i % 2 * pitch;
    low = __builtin_elementwise_min(low, *(const V *)(q + values));
    high = __builtin_elementwise_max(high, *(const V *)(q + values));
    same &= *(const V *)(q + weights) == weight;
  }
  return ~(same & (high - low <= low * 0.015625f));
}

// out(p) = Σ w·value / Σ w·weight over a taps × taps window of a coarse grid (Kopf et al. 2007), where
// the coarse rows come stretched to the fine width: track k of a plane holds, for every fine pixel, the
// coarse pixel in column k of its window.
//
// w = window_y[j]·window_x[k]·2^t with t = −|guide(p) − guide(q)|². Where no colour of the window is
// close, t is folded to max(t, t/32 − 48): the nearest colour still wins and nothing underflows.
//
// Where a 2 × 2 window has no edge to place, t is 0: colours neither copy texture into a surface nor
// cost an exponential there.
static void NAME(joint_upsample)(size_t n, size_t taps, const float *const *rows, size_t pitch,
                                 const float *window_y, const float *window_x, const float *red,
                                 const float *green, const float *blue, bool reciprocal,
                                 float *out) {
  const size_t plane = taps * pitch;
  for (size_t x = 0; x < n; x += LANES) {
    V r = *(const V *)(red + x), g = *(const V *)(green + x), b = *(const V *)(blue + x);
    V sum = {0}, norm = {0}, lowest = sum - 100.0f;
    const VI edge = taps == 2 ? NAME(has_edge)(rows, pitch, x) : (V){0} == (V){0};
    const bool flat = !__builtin_reduce_or(edge);
    for (size_t k = 0; k < taps; k++) {
      V column_sum = {0}, column_norm = {0};
      for (size_t j = 0; j < taps; j++) {
        const float *q = rows[j] + k * pitch + x;
        if (flat) {
          column_sum += window_y[j] * *(const V *)(q + 3 * plane);
          column_norm += window_y[j] * *(const V *)(q + 4 * plane);
          continue;
        }
        V dr = *(const V *)q - r;
        V dg = *(const V *)(q + plane) - g;
        V db = *(const V *)(q + 2 * plane) - b;
        V t = -(dr * dr + dg * dg + db * db);
        t = (V)((VI)__builtin_elementwise_max(t, t * 0.03125f - 48.0f) & edge);
        V w = NAME(exp2)(__builtin_elementwise_max(t, lowest)) * window_y[j];
        column_sum += w * *(const V *)(q + 3 * plane);
        column_norm += w * *(const V *)(q + 4 * plane);
      }
      V wx = *(const V *)(window_x + k * pitch + x);
      sum += wx * column_sum;
      norm += wx * column_norm;
    }
    if (reciprocal) {
      NAME(store_quotient)(n - x, norm, sum, out + x);
    } else {
      NAME(store_quotient)(n - x, sum, norm, out + x);
    }
  }
}
