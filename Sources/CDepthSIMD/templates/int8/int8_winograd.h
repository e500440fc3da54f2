// Products and results of the 8-bit Winograd convolution; see int8_winograd_input.h.

/// Number of tiles processed together in all stages, and quads of weights per chunk.
enum { INT8_GROUP = 24, INT8_CHUNK = 32 };

/// G · g for three values.
INLINE void NAME(kernel_points)(const VS g0, const VS g1, const VS g2, VS *r, const size_t to) {
  const VS outer = g0 + g2, twice = g1 + g1;
  r[0] = g0 * 15;
  r[to] = (outer + g1) * 5;
  r[2 * to] = (outer - g1) * 5;
  r[3 * to] = g0 + twice + (g2 << 2);
  r[4 * to] = (g0 << 2) - twice + g2;
  r[5 * to] = g2 * 15;
}

/// Vectors from position to position of a panel's transformed weights. With multiples of 4 KiB, positions would compete for few
/// cache sets.
INLINE size_t NAME(position_stride)(size_t quads) { return 4 * quads + 64 / sizeof(VS); }

/// Transforms the weights of one panel for quads first ..< last. For each of 36 positions and each quad, two vectors of columns
/// for the first and third quantized values come first, then two for the second and fourth.
static void NAME(int8_winograd_weights)(const ck_int8_winograd *w, size_t first, size_t last) {
  const size_t quads = w->call.quads, position = NAME(position_stride)(last - first);
  // Missing taps of the kernel are 0.
  const VS none = {0};
  const int8_t *taps[9];
  size_t strides[9];
  for (size_t i = 0; i < 9; i++) {
    const size_t row = i / 3 - w->first_row, column = i % 3 - w->first_column;
    const bool has = row < w->kernel_height && column < w->kernel_width;
    const size_t tap = row * w->kernel_width + column;
    taps[i] = has ? w->call.weights + tap * quads * 2 * sizeof(VS) : (const int8_t *)&none;
    strides[i] = has ? sizeof(VS) : 0;
  }
  VS *to = (VS *)w->weights;
  for (size_t vector = 2 * first; vector < 2 * last; vector++, to += vector % 2 ? 1 : 3) {
    VS four[9];
#pragma clang loop unroll(full)
    for (size_t i = 0; i < 9; i++) memcpy(&four[i], taps[i] + vector * strides[i], sizeof(VS));
    for (size_t half = 0; half < 2; half++) {
      VS down[INT8_POINTS][3];
#pragma clang loop unroll(full)
      for (size_t j = 0; j < 3; j++) {
        VS column[3];
#pragma clang loop unroll(full)
        for (size_t i = 0; i < 3; i++)
          column[i] = (half ? four[3 * i + j] : four[3 * i + j] << 8) >> 8;
        NAME(kernel_points)(column[0], column[1], column[2], &down[0][j], 3);
      }
      for (size_t row = 0; row < INT8_POINTS; row++)
        NAME(kernel_points)(down[row][0], down[row][1], down[row][2],
                            to + INT8_POINTS * row * position + 2 * half, position);
    }
  }
}

/// Returns whether all weights of a position are 0, because the kernel lacks a tap on one side. Two taps need only five points.
INLINE bool NAME(has_no_weights)(const ck_int8_winograd *w, size_t position) {
  const size_t row = position / INT8_POINTS, column = position % INT8_POINTS;
  const size_t last_row = w->first_row + w->kernel_height, last_column = w->first_column + w->kernel_width;
  return (row == 0 && w->first_row > 0) || (row == INT8_POINTS - 1 && last_row < 3) ||
         (column == 0 && w->first_column > 0) || (column == INT8_POINTS - 1 && last_column < 3);
}

/// Adds the products of n ≤ LANES pairs of quantized values of `rows` tiles, a constant after inlining.
INLINE void NAME(int8_winograd_pairs)(const size_t rows, size_t n, const int16_t *x, size_t stride,
                                      const VS *b, VU sum[][2]) {
  const int16_t *x3 = x + 3 * stride;
#pragma clang loop unroll(disable)
  for (size_t k = 0; k < n; k++, b += 4, x += 2, x3 += 2) {
    const VS b0 = b[0], b1 = b[1];
#pragma clang loop unroll(full)
    for (size_t r = 0; r < rows; r++) {
      int32_t pair;
      memcpy(&pair, (r < 3 ? x : x3) + (r % 3) * stride, sizeof pair);
      const VI a = pair - (VI){0};
      sum[r][0] += (VU)INT8_MADD(a, b0);
      sum[r][1] += (VU)INT8_MADD(a, b1);
    }
  }
}

/// Computes the products of some quads for `rows` tiles and one panel at one position, and adds the products to the sums or
/// initializes the sums. `rows` is a constant after inlining.
INLINE void NAME(int8_winograd_sums)(const size_t rows, size_t quads, const int16_t *x, size_t stride,
                                     const VS *panel, bool adds, VU *to) {
  VU sum[INT8_ROWS][2];
#pragma clang loop unroll(full)
  for (size_t r = 0; r < 2 * rows; r++) sum[r / 2][r % 2] = adds ? to[r] : (VU){0};
  size_t left = quads;
  for (; left >= LANES; left -= LANES, panel += 4 * LANES, x += 4 * LANES) {
    NAME(int8_winograd_pairs)(rows, LANES, x, stride, panel, sum);
    NAME(int8_winograd_pairs)(rows, LANES, x + 2 * LANES, stride, panel + 2, sum);
  }
  if (left) {
    NAME(int8_winograd_pairs)(rows, left, x, stride, panel, sum);
    NAME(int8_winograd_pairs)(rows, left, x + 2 * left, stride, panel + 2, sum);
  }
#pragma clang loop unroll(full)
  for (size_t r = 0; r < 2 * rows; r++) to[r] = sum[r / 2][r % 2];
}

#define WINOGRAD_SUMS(rows)                                                                \
  static __attribute__((noinline)) void NAME(int8_winograd_sums_##rows)(                   \
      size_t quads, const int16_t *x, size_t stride, const VS *panel, bool adds, VU *to) { \
    NAME(int8_winograd_sums)(rows, quads, x, stride, panel, adds, to);                     \
  }
WINOGRAD_SUMS(1) WINOGRAD_SUMS(2) WINOGRAD_SUMS(3)
WINOGRAD_SUMS(4) WINOGRAD_SUMS(5) WINOGRAD_SUMS(6)
#undef WINOGRAD_SUMS

/// The functions, indexed by rows − 1.
static void (*const NAME(int8_winograd_rows)[INT8_ROWS])(
    size_t quads, const int16_t *x, size_t stride, const VS *panel, bool adds, VU *to) = {
    NAME(int8_winograd_sums_1), NAME(int8_winograd_sums_2), NAME(int8_winograd_sums_3),
    NAME(int8_winograd_sums_4), NAME(int8_winograd_sums_5), NAME(int8_winograd_sums_6),
};

/// Aᵀ · m for six values `stride` apart.
INLINE void NAME(result_points)(const VU *m, const size_t stride, VU *y, const size_t to) {
  const VU sum = m[stride] + m[2 * stride], difference = m[stride] - m[2 * stride];
  const VU m3 = m[3 * stride], m4 = m[4 * stride];
  y[0] = m[0] + sum - m3 + (m4 << 3);
  y[to] = difference - (m3 << 1) - (m4 << 2);
  y[2 * to] = sum - (m3 << 2) + (m4 << 1);
  y[3 * to] = difference - (m3 << 3) - m4 + m[5 * stride];
}

/// Writes the results of one tile and all columns of the panel. `sums` points to the first position, `stride` is in vectors.
INLINE void NAME(int8_winograd_tile)(const ck_int8_convolution *p, size_t line, size_t pixel,
                                     const VU *sums, const size_t stride) {
  const size_t vectors = p->columns > LANES ? 2 : 1;
  const size_t n = p->columns - (vectors - 1) * LANES;
  VI initial[2] = {{0}, {0}};
  memcpy(initial, p->initial, 4 * p->columns);
  VU down[2][INT8_TILE][INT8_POINTS];
  for (size_t v = 0; v < vectors; v++)
#pragma clang loop unroll(full)
    for (size_t j = 0; j < INT8_POINTS; j++)
      NAME(result_points)(sums + j * stride + v, INT8_POINTS * stride, &down[v][0][j], INT8_POINTS);
  const size_t lines = p->lines - line < INT8_TILE ? p->lines - line : INT8_TILE;
  const size_t pixels = p->pixels - pixel < INT8_TILE ? p->pixels - pixel : INT8_TILE;
  for (size_t i = 0; i < lines; i++) {
    VI sum[INT8_TILE][2];
    for (size_t v = 0; v < vectors; v++) {
      VU scaled[INT8_TILE];
      NAME(result_points)(down[v][i], 1, scaled, 1);
#pragma clang loop unroll(full)
      for (size_t j = 0; j < INT8_TILE; j++)
        // 225 · 2 271 560 481 is 1 modulo 2³².
        sum[j][v] = ((VI)(scaled[j] * 2271560481u) >> 2) + initial[v];
    }
    if (pixels == INT8_TILE && vectors == 2 && n == LANES) {
      NAME(store_block)(INT8_TILE, 2, LANES, p, line + i, pixel, 0, sum);
    } else {
      for (size_t j = 0; j < pixels; j++)
        if (vectors == 2)
          NAME(store_block)(1, 2, n, p, line + i, pixel + j, 0, &sum[j]);
        else
          NAME(store_block)(1, 1, n, p, line + i, pixel + j, 0, &sum[j]);
    }
  }
}

/// Computes tiles first ..< last of one panel of columns.
static void NAME(int8_winograd)(const ck_int8_winograd *w) {
  const ck_int8_convolution *p = &w->call;
  const size_t across = (p->pixels + INT8_TILE - 1) / INT8_TILE;
  const size_t quads = p->quads, positions = INT8_POINTS * INT8_POINTS;
  // Weights transformed for a single group of tiles are kept only in part, within the second-level cache.
  const size_t chunk = w->last - w->first <= INT8_GROUP && quads > INT8_CHUNK ? INT8_CHUNK : quads;
  VU sums[36][2 * INT8_GROUP];
  for (size_t first = w->first; first < w->last; first += INT8_GROUP) {
    const size_t tiles = w->last - first < INT8_GROUP ? w->last - first : INT8_GROUP;
    const size_t blocks = (tiles + INT8_ROWS - 1) / INT8_ROWS;
    for (size_t quad = 0; quad < quads; quad += chunk) {
      const size_t end = quad + chunk < quads ? quad + chunk : quads;
      if (first == w->first) NAME(int8_winograd_weights)(w, quad, end);
      for (size_t position = 0; position < positions; position++) {
        if (NAME(has_no_weights)(w, position)) {
          memset(sums[position], 0, sizeof sums[position]);
          continue;
        }
        const int16_t *x = w->transformed + position * w->position_stride + 4 * (first * quads + quad);
        const VS *panel = (const VS *)w->weights + position * NAME(position_stride)(end - quad);
        for (size_t block = 0; block < blocks; block++) {
          const size_t tile = block * tiles / blocks, next = (block + 1) * tiles / blocks;
          NAME(int8_winograd_rows)[next - tile - 1](end - quad, x + tile * 4 * quads, 4 * quads, panel,
                                                    quad > 0, &sums[position][2 * tile]);
        }
      }
    }
    for (size_t tile = 0; tile < tiles; tile++) {
      const size_t line = (first + tile) / across * INT8_TILE;
      const size_t pixel = (first + tile) % across * INT8_TILE;
      NAME(int8_winograd_tile)(p, line, pixel, &sums[0][2 * tile], 2 * INT8_GROUP);
    }
  }
}
