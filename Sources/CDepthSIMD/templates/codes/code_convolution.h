// A direct convolution of 8-bit codes. CODE_ROWS pixels × 2 vectors of sums stay in registers while all runs of
// codes are multiplied; integer sums are exact, so no order, blocking or instruction set changes a bit.

/// Adds to each lane the four products of its bytes: unsigned codes of `a`, signed weights of `b`.
INLINE VI NAME(dot)(VI sum, VI a, VI b) {
#if defined(CODES_DPBUSD)
  return CODES_DPBUSD(sum, a, b);
#else
  // Bytes 0 and 2, then 1 and 3, widened to 16 bits: two exact products and their sum per lane.
  const VI even = a & 0x00FF00FF, odd = (VI)((VU)a >> 8) & 0x00FF00FF;
  const VI b_even = (VI)((VS)((VS)b << 8) >> 8), b_odd = (VI)((VS)b >> 8);
  return sum + CODES_MADD(even, b_even) + CODES_MADD(odd, b_odd);
#endif
}

/// The first n lanes of y as codes or floats.
INLINE void NAME(store_result)(const ck_code_convolution *p, VI sum, size_t line, size_t pixel,
                               size_t column, size_t n) {
  const ck_code_epilogue *e = &p->epilogue;
  V y = __builtin_convertvector(sum, V) * NAME(load_first)(e->multiplier + column, n);
  y += NAME(load_first)(e->offset + column, n);
  if (e->residual) {
    VB codes = {0};
    const uint8_t *r = e->residual + line * e->residual_line_stride +
                       pixel * e->residual_pixel_stride + column;
    if (n == LANES) memcpy(&codes, r, LANES); else memcpy(&codes, r, n);
    y += __builtin_convertvector(codes, V) * NAME(splat)(e->residual_step);
  }
  y = NAME(max)(y, NAME(load_first)(e->lower_bound + column, n));
  const size_t place = line * p->y_line_stride + pixel * p->y_pixel_stride + column;
  if (p->writes_floats) {
    NAME(store_first)((float *)p->y + place, y, n);
  } else {
    const VB codes = NAME(codes)(y);
    uint8_t *to = (uint8_t *)p->y + place;
    if (n == LANES) memcpy(to, &codes, LANES); else memcpy(to, &codes, n);
  }
}

/// `rows` pixels of one line and the first `vectors` vectors of one panel; both are constants after inlining.
INLINE void NAME(code_block)(const size_t rows, const size_t vectors, const ck_code_convolution *p,
                             size_t line, size_t pixel, size_t column, const int8_t *panel) {
  const size_t left = p->columns - column;
  VI first[2] = {{0}, {0}};
  memcpy(first, p->initial + column, (left < vectors * LANES ? left : vectors * LANES) * 4);
  VI sum[CODE_ROWS][2];
#pragma clang loop unroll(full)
  for (size_t r = 0; r < rows; r++) sum[r][0] = first[0], sum[r][1] = first[1];
  const size_t stride = p->x_pixel_stride, quads = p->quads;
  const uint8_t *x = p->x + line * p->x_line_stride + pixel * stride;
  for (size_t s = 0; s < p->segments; s++) {
    // One pointer for three pixels: the addressing modes reach stride and 2 · stride from each.
    const uint8_t *x0 = x + p->offsets[s], *x3 = x0 + 3 * stride, *x6 = x3 + 3 * stride,
                  *x9 = x6 + 3 * stride;
    for (size_t k = 0; k < quads; k++, panel += 8 * LANES, x0 += 4, x3 += 4, x6 += 4, x9 += 4) {
      VI b0, b1;
      memcpy(&b0, panel, sizeof b0);
      if (vectors > 1) memcpy(&b1, panel + 4 * LANES, sizeof b1);
#pragma clang loop unroll(full)
      for (size_t r = 0; r < rows; r++) {
        const uint8_t *from = (r < 3 ? x0 : r < 6 ? x3 : r < 9 ? x6 : x9) + (r % 3) * stride;
        int32_t four;
        memcpy(&four, from, 4);
        const VI a = four - (VI){0};
        sum[r][0] = NAME(dot)(sum[r][0], a, b0);
        if (vectors > 1) sum[r][1] = NAME(dot)(sum[r][1], a, b1);
      }
    }
  }
  if (left >= vectors * LANES) {
#pragma clang loop unroll(full)
    for (size_t r = 0; r < rows; r++)
#pragma clang loop unroll(full)
      for (size_t v = 0; v < vectors; v++)
        NAME(store_result)(p, sum[r][v], line, pixel + r, column + v * LANES, LANES);
  } else {
    // Only the last of the vectors is in part beyond the columns.
    const size_t last = vectors - 1, n = left - last * LANES;
#pragma clang loop unroll(full)
    for (size_t r = 0; r < rows; r++) {
      if (last) NAME(store_result)(p, sum[r][0], line, pixel + r, column, LANES);
      NAME(store_result)(p, sum[r][last], line, pixel + r, column + last * LANES, n);
    }
  }
}

/// All pixels of one line and one panel, of which `vectors` vectors hold columns.
INLINE void NAME(code_line)(const size_t vectors, const ck_code_convolution *p, size_t line,
                            size_t column, const int8_t *panel) {
  const size_t blocks = (p->pixels + CODE_ROWS - 1) / CODE_ROWS;
  for (size_t block = 0; block < blocks; block++) {
    const size_t pixel = block * p->pixels / blocks;
    switch ((block + 1) * p->pixels / blocks - pixel) {
#define ROWS(n)                                                  \
  case n:                                                        \
    NAME(code_block)(n, vectors, p, line, pixel, column, panel); \
    break;
      ROWS(1) ROWS(2) ROWS(3) ROWS(4) ROWS(5) ROWS(6)
#if CODE_ROWS == 12
      ROWS(7) ROWS(8) ROWS(9) ROWS(10) ROWS(11) ROWS(12)
#endif
#undef ROWS
    }
  }
}

static void NAME(code_convolution)(const ck_code_convolution *p) {
  const size_t panel_bytes = p->segments * p->quads * 8 * LANES;
  const int8_t *panel = p->weights;
  for (size_t column = 0; column < p->columns; column += 2 * LANES, panel += panel_bytes)
    for (size_t line = 0; line < p->lines; line++)
      if (p->columns - column > LANES)
        NAME(code_line)(2, p, line, column, panel);
      else
        NAME(code_line)(1, p, line, column, panel);
}
