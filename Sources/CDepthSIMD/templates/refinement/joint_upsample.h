// Upsamples a coarse map to the size of a photo (Kopf et al. 2007). Coarse rows stay unchanged. The window of a
// fine pixel begins at column cells[x]; neighbors' columns are so close that one load and one permutation fetch
// the columns of a whole vector.

// The byte indices of pixel i as one integer of four bytes, with the last index twice.
#define PIXEL(i) 3 * (i), 3 * (i) + 1, 3 * (i) + 2, 3 * (i) + 2
#define FOUR_PIXELS(i) PIXEL(i), PIXEL((i) + 1), PIXEL((i) + 2), PIXEL((i) + 3)
#if LANES == 16
#define LANES_PIXELS FOUR_PIXELS(0), FOUR_PIXELS(4), FOUR_PIXELS(8), FOUR_PIXELS(12)
#elif LANES == 8
#define LANES_PIXELS FOUR_PIXELS(0), FOUR_PIXELS(4)
#else
#define LANES_PIXELS FOUR_PIXELS(0)
#endif

/// Loads the first LANES of n pixels, planar and scaled; 0 beyond the end.
INLINE void NAME(load_colours)(size_t n, float scale, const uint8_t *rgb, V colour[3]) {
  typedef uint8_t B __attribute__((vector_size(LANES * 4)));
  B bytes = {0};
  if (3 * n >= sizeof bytes)
    memcpy(&bytes, rgb, sizeof bytes);
  else
    for (size_t i = 0; i < 3 * n && i < 3 * LANES; i++) bytes[i] = rgb[i];
  VI pixels = (VI)__builtin_shufflevector(bytes, bytes, LANES_PIXELS);
  colour[0] = __builtin_convertvector(pixels & 255, V) * scale;
  colour[1] = __builtin_convertvector(pixels >> 8 & 255, V) * scale;
  colour[2] = __builtin_convertvector(pixels >> 16 & 255, V) * scale;
}

#undef LANES_PIXELS
#undef FOUR_PIXELS
#undef PIXEL

// Sets all bits if the 2 × 2 window at column i has different weights, or values more than 1/64 apart.
static void NAME(edge_cells)(size_t n, size_t pitch, const float *top, const float *bottom,
                             float *edges) {
  for (size_t i = 0; i < n; i += LANES) {
    const float *window[4] = {top + i, top + i + 1, bottom + i, bottom + i + 1};
    V low = *(const V *)(window[0] + 3 * pitch), high = low;
    const V weight = *(const V *)(window[0] + 4 * pitch);
    VI same = weight == weight;
    for (size_t q = 1; q < 4; q++) {
      const V value = *(const V *)(window[q] + 3 * pitch);
      low = __builtin_elementwise_min(low, value);
      high = __builtin_elementwise_max(high, value);
      same &= *(const V *)(window[q] + 4 * pitch) == weight;
    }
    *(VI *)(edges + i) = ~(same & (high - low <= low * 0.015625f));
  }
}

// Sums over the rows of edge-free 2 × 2 windows, for each column of the coarse grid.
INLINE void NAME(sum_flat_columns)(ck_coarse_window w) {
  // Planes are computed one by one. Vectors may write past the end of a plane into the next plane, which is
  // overwritten later.
  for (size_t plane = 0; plane < 2; plane++) {
    for (size_t i = 0; i < w.pitch; i += LANES) {
      V sum = {0};
      for (size_t j = 0; j < 2; j++)
        sum += w.window_y[j] * *(const V *)(w.rows[j] + (3 + plane) * w.pitch + i);
      *(V *)(w.flat + plane * w.pitch + i) = sum;
    }
  }
}

INLINE void NAME(upsample_row)(size_t n, size_t taps, ck_coarse_window w, float scale,
                               const uint8_t *rgb, bool reciprocal, float *out) {
  if (taps == 2) NAME(sum_flat_columns)(w);
  for (size_t x = 0; x < n; x += LANES) {
    // Prefetches the pixels below for the next row. An edge may begin in these pixels, and a memory stall takes
    // longer than all the arithmetic.
    __builtin_prefetch(rgb + 3 * (n + x));
    const size_t first = (size_t)w.cells[x];
    const VI cells = *(const VI *)(w.cells + x) - w.cells[x];
    V sum = {0}, norm = {0}, lowest = sum - 100.0f;
    VI edge = sum == sum;
    if (taps == 2) edge = (VI)NAME(spread)(w.edges + first, cells);
    if (taps == 2 && !__builtin_reduce_or(edge)) {
      for (size_t k = 0; k < 2; k++) {
        V wx = *(const V *)(w.window_x + k * w.track + x);
        sum += wx * NAME(spread)(w.flat + first + k, cells);
        norm += wx * NAME(spread)(w.flat + w.pitch + first + k, cells);
      }
    } else {
      V colour[3];
      NAME(load_colours)(n - x, scale, rgb + 3 * x, colour);
#pragma clang loop unroll_count(2)
      for (size_t k = 0; k < taps; k++) {
        V column_sum = {0}, column_norm = {0};
        for (size_t j = 0; j < taps; j++) {
          const float *q = w.rows[j] + first + k;
          V dr = NAME(spread)(q, cells) - colour[0];
          V dg = NAME(spread)(q + w.pitch, cells) - colour[1];
          V db = NAME(spread)(q + 2 * w.pitch, cells) - colour[2];
          V t = -(dr * dr + dg * dg + db * db);
          t = (V)((VI)NAME(max)(t, t * 0.03125f - 48.0f) & edge);
          V weight = NAME(exp2)(__builtin_elementwise_max(t, lowest)) * w.window_y[j];
          column_sum += weight * NAME(spread)(q + 3 * w.pitch, cells);
          column_norm += weight * NAME(spread)(q + 4 * w.pitch, cells);
        }
        V wx = *(const V *)(w.window_x + k * w.track + x);
        sum += wx * column_sum;
        norm += wx * column_norm;
      }
    }
    if (reciprocal) {
      NAME(store_quotient)(n - x, norm, sum, out + x);
    } else {
      NAME(store_quotient)(n - x, sum, norm, out + x);
    }
  }
}

// out(p) = Σ w·value / Σ w·weight over a taps × taps window of the coarse grid.
//
// w = window_y[j]·window_x[k]·2^t with t = −|photo(p) − guide(q)|². If no color of the window is close, t is
// folded to max(t, t/32 − 48): the nearest color still dominates and nothing underflows.
//
// In a 2 × 2 window without an edge, t is 0: no texture is copied into a surface, and no exponential is
// computed. If a whole vector has no edge, the photo is not read.
static void NAME(joint_upsample)(size_t n, size_t taps, ck_coarse_window w, float scale,
                                 const uint8_t *rgb, bool reciprocal, float *out) {
  // A constant number of taps unrolls the loops over the window.
  if (taps == 2)
    NAME(upsample_row)(n, 2, w, scale, rgb, reciprocal, out);
  else
    NAME(upsample_row)(n, 4, w, scale, rgb, reciprocal, out);
}
