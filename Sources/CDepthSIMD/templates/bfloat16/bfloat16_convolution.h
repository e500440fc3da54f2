// A direct convolution in bfloat16 by vectors. BFLOAT16_ROWS pixels × 2 vectors of sums stay in registers while all runs are
// multiplied. Each sum is one chain in the order of the runs: of a pair of values first the odd one, then the even one.

/// `rows` pixels of one line and the first `vectors` vectors of one panel; both are constants after inlining.
INLINE void NAME(bfloat16_block)(const size_t rows, const size_t vectors,
                                 const ck_bfloat16_convolution *p, size_t line, size_t pixel,
                                 size_t column, const int8_t *panel, NAME(next_lines) next) {
  V sum[BFLOAT16_ROWS][2];
#pragma clang loop unroll(full)
  for (size_t r = 0; r < rows; r++) sum[r][0] = sum[r][1] = (V){0};
  const size_t stride = p->x_pixel_stride, pairs = p->pairs;
  const uint8_t *x = p->x + line * p->x_line_stride + pixel * stride;
#if defined(MATRIX_DOT)
  NAME(matrix_sums)(rows, vectors, p->segments, pairs, p->offsets, x, stride, panel, next, sum);
#else
  for (size_t s = 0; s < p->segments; s++) {
    // One pointer for three pixels: the addressing modes reach stride and 2 · stride from each.
    const uint8_t *x0 = x + p->offsets[s], *x3 = x0 + 3 * stride, *x6 = x3 + 3 * stride,
                  *x9 = x6 + 3 * stride;
    for (size_t k = 0; k < pairs; k++, panel += 8 * LANES, x0 += 4, x3 += 4, x6 += 4, x9 += 4) {
      if (next.count) {
        __builtin_prefetch(next.lines, 0, 2);
        next.lines += 64, next.count--;
      }
      VI b0, b1;
      memcpy(&b0, panel, sizeof b0);
      if (vectors > 1) memcpy(&b1, panel + 4 * LANES, sizeof b1);
#pragma clang loop unroll(full)
      for (size_t r = 0; r < rows; r++) {
        const uint8_t *from = (r < 3 ? x0 : r < 6 ? x3 : r < 9 ? x6 : x9) + (r % 3) * stride;
        int32_t pair;
        memcpy(&pair, from, 4);
        const VI a = pair - (VI){0};
        sum[r][0] = NAME(dot)(sum[r][0], a, b0);
        if (vectors > 1) sum[r][1] = NAME(dot)(sum[r][1], a, b1);
      }
    }
  }
#endif
  const size_t left = p->columns - column;
#pragma clang loop unroll(full)
  for (size_t v = 0; v < vectors; v++) {
    // Only the last of the vectors may be in part beyond the columns.
    if (left >= (v + 1) * LANES) {
      const NAME(finish) f = NAME(finish_of)(p, line, pixel, column + v * LANES, LANES);
#pragma clang loop unroll(full)
      for (size_t r = 0; r < rows; r++) NAME(store_result)(f, r, sum[r][v]);
    } else {
      const NAME(finish) f =
          NAME(finish_of)(p, line, pixel, column + v * LANES, left - v * LANES);
#pragma clang loop unroll(full)
      for (size_t r = 0; r < rows; r++) NAME(store_result)(f, r, sum[r][v]);
    }
  }
}

/// All pixels of one line and one panel, of which `vectors` vectors hold columns.
INLINE void NAME(bfloat16_line)(const size_t vectors, const ck_bfloat16_convolution *p, size_t line,
                                size_t column, const int8_t *panel, bool is_last) {
  const size_t blocks = (p->pixels + BFLOAT16_ROWS - 1) / BFLOAT16_ROWS;
  const size_t panel_bytes = p->segments * p->pairs * 8 * LANES;
  for (size_t block = 0; block < blocks; block++) {
    const size_t pixel = block * p->pixels / blocks;
    // All blocks of the panel together fetch the next one.
    const size_t all = p->lines * blocks, place = line * blocks + block;
    const size_t lines = is_last ? 0 : panel_bytes / 64, first = place * lines / all;
    const NAME(next_lines) next = {panel + panel_bytes + first * 64,
                                   (place + 1) * lines / all - first};
    switch ((block + 1) * p->pixels / blocks - pixel) {
#define ROWS(n)                                                              \
  case n:                                                                    \
    NAME(bfloat16_block)(n, vectors, p, line, pixel, column, panel, next); \
    break;
      ROWS(1) ROWS(2) ROWS(3) ROWS(4) ROWS(5) ROWS(6)
#if BFLOAT16_ROWS == 12
      ROWS(7) ROWS(8) ROWS(9) ROWS(10) ROWS(11) ROWS(12)
#endif
#undef ROWS
    }
  }
}

static void NAME(bfloat16_convolution)(const ck_bfloat16_convolution *p) {
  const size_t panel_bytes = p->segments * p->pairs * 8 * LANES;
  const int8_t *panel = (const int8_t *)p->weights;
  for (size_t column = 0; column < p->columns; column += 2 * LANES, panel += panel_bytes)
    for (size_t line = 0; line < p->lines; line++)
      if (p->columns - column > LANES)
        NAME(bfloat16_line)(2, p, line, column, panel, column + 2 * LANES >= p->columns);
      else
        NAME(bfloat16_line)(1, p, line, column, panel, true);
}
