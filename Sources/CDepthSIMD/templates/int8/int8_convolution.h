// A direct 8-bit convolution. INT8_ROWS pixels × 2 vectors of sums stay in registers during all products. Integer sums are
// exact, so order, blocking and instruction set do not change the bits.

/// Computes `rows` pixels of one line and the first `vectors` vectors of one panel; both are constants after inlining.
INLINE void NAME(int8_block)(const size_t rows, const size_t vectors, const ck_int8_convolution *p,
                             size_t line, size_t pixel, size_t column, const int8_t *panel,
                             NAME(next_lines) next) {
  const size_t left = p->columns - column;
  VI first[2] = {{0}, {0}};
  memcpy(first, p->initial + column, (left < vectors * LANES ? left : vectors * LANES) * 4);
  NAME(fetch_added)(p, rows, pixel, column);
  VI sum[INT8_ROWS][2];
#pragma clang loop unroll(full)
  for (size_t r = 0; r < rows; r++) sum[r][0] = first[0], sum[r][1] = first[1];
  const size_t stride = p->x_pixel_stride, quads = p->quads;
  const uint8_t *x = p->x + line * p->x_line_stride + pixel * stride;
#if defined(MATRIX_DOT)
  NAME(matrix_sums)(rows, vectors, p->segments, quads, p->offsets, x, stride, panel, next, sum);
  // The initial sums are reloaded here, so that they occupy no registers earlier.
  memcpy(first, p->initial + column, (left < vectors * LANES ? left : vectors * LANES) * 4);
#pragma clang loop unroll(full)
  for (size_t r = 0; r < rows; r++) sum[r][0] += first[0], sum[r][1] += first[1];
#else
  for (size_t s = 0; s < p->segments; s++) {
    // One pointer per three pixels suffices, because addressing modes include offsets of stride and 2 · stride.
    const uint8_t *x0 = x + p->offsets[s], *x3 = x0 + 3 * stride, *x6 = x3 + 3 * stride,
                  *x9 = x6 + 3 * stride;
#if defined(INT8_RUN)
    // One load of a pixel holds its quantized values for INT8_RUN rows of the panel. Each lane of four is one operand of the
    // products.
    size_t done = 0;
    for (; done + INT8_RUN <= quads; done += INT8_RUN, x0 += 4 * INT8_RUN, x3 += 4 * INT8_RUN) {
#pragma clang loop unroll(disable)
      for (size_t i = 0; i < INT8_RUN && next.count; i++, next.lines += 64, next.count--)
        __builtin_prefetch(next.lines, 0, 2);
      NAME(int8_run) a[INT8_ROWS];
#pragma clang loop unroll(full)
      for (size_t r = 0; r < rows; r++)
        a[r] = NAME(load_int8_run)((r < 3 ? x0 : x3) + (r % 3) * stride);
#pragma clang loop unroll(full)
      for (size_t i = 0; i < INT8_RUN; i++, panel += 8 * LANES)
#pragma clang loop unroll(full)
        for (size_t v = 0; v < vectors; v++) {
          VI b;
          memcpy(&b, panel + 4 * LANES * v, sizeof b);
#pragma clang loop unroll(full)
          for (size_t r = 0; r < rows; r++)
            sum[r][v] = INT8_SIGNED_DOT(sum[r][v], NAME(lane)(a[r], i), b);
        }
    }
#else
    enum { done = 0 };
#endif
    for (size_t k = done; k < quads; k++, panel += 8 * LANES, x0 += 4, x3 += 4, x6 += 4, x9 += 4) {
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
        int32_t four;
        memcpy(&four, from, 4);
        const VI a = four - (VI){0};
        sum[r][0] = NAME(dot)(sum[r][0], a, b0);
        if (vectors > 1) sum[r][1] = NAME(dot)(sum[r][1], a, b1);
      }
    }
  }
#endif
  const size_t n = left < vectors * LANES ? left - (vectors - 1) * LANES : LANES;
  if (p->tokens.applies) {
#pragma clang loop unroll(full)
    for (size_t v = 0; v < vectors; v++) {
      const NAME(token_finish) f = NAME(token_finish_of)(
          p, pixel, column + v * LANES, v + 1 < vectors ? LANES : n);
      if (f.lanes == LANES) {
#pragma clang loop unroll(full)
        for (size_t r = 0; r < rows; r++) NAME(store_token)(NAME(whole)(f), r, sum[r][v]);
      } else {
#pragma clang loop unroll(full)
        for (size_t r = 0; r < rows; r++) NAME(store_token)(f, r, sum[r][v]);
      }
    }
  } else {
    NAME(store_block)(rows, vectors, n, p, line, pixel, column, sum);
  }
}

// Each size is a separate function: a single function would take four times as long to compile.
#define INT8_BLOCK(rows, vectors)                                                                  \
  static __attribute__((noinline)) void NAME(int8_block_##rows##_##vectors)(                       \
      const ck_int8_convolution *p, size_t line, size_t pixel, size_t column, const int8_t *panel, \
      NAME(next_lines) next) {                                                                     \
    NAME(int8_block)(rows, vectors, p, line, pixel, column, panel, next);                          \
  }
#define INT8_BLOCK_NAME(rows, vectors) NAME(int8_block_##rows##_##vectors),
#if INT8_ROWS == 12
#define OF_EACH_SIZE(F, vectors)                                                      \
  F(1, vectors) F(2, vectors) F(3, vectors) F(4, vectors) F(5, vectors) F(6, vectors) \
  F(7, vectors) F(8, vectors) F(9, vectors) F(10, vectors) F(11, vectors) F(12, vectors)
#else
#define OF_EACH_SIZE(F, vectors) \
  F(1, vectors) F(2, vectors) F(3, vectors) F(4, vectors) F(5, vectors) F(6, vectors)
#endif
OF_EACH_SIZE(INT8_BLOCK, 1)
OF_EACH_SIZE(INT8_BLOCK, 2)

/// The functions, indexed by vectors − 1 and rows − 1.
static void (*const NAME(int8_blocks)[2][INT8_ROWS])(
    const ck_int8_convolution *p, size_t line, size_t pixel, size_t column, const int8_t *panel,
    NAME(next_lines) next) = {
    {OF_EACH_SIZE(INT8_BLOCK_NAME, 1)},
    {OF_EACH_SIZE(INT8_BLOCK_NAME, 2)},
};
#undef OF_EACH_SIZE
#undef INT8_BLOCK_NAME
#undef INT8_BLOCK

/// Computes all pixels of one line and one panel, of which `vectors` vectors hold columns.
static void NAME(int8_line)(size_t vectors, const ck_int8_convolution *p, size_t line,
                            size_t column, const int8_t *panel, bool is_last) {
  const size_t blocks = (p->pixels + INT8_ROWS - 1) / INT8_ROWS;
  for (size_t block = 0; block < blocks; block++) {
    const size_t pixel = block * p->pixels / blocks, end = (block + 1) * p->pixels / blocks;
    // All blocks of the panel together prefetch the next panel.
    const size_t all = p->lines * blocks, place = line * blocks + block;
    const size_t panel_lines = is_last ? 0 : p->segments * p->quads * LANES / 8;
    const size_t first = place * panel_lines / all;
    const NAME(next_lines) next = {panel + p->segments * p->quads * 8 * LANES + first * 64,
                                   (place + 1) * panel_lines / all - first};
    NAME(int8_blocks)[vectors - 1][end - pixel - 1](p, line, pixel, column, panel, next);
  }
}

#if defined(INT8_SIGNED_DOT)
#include "signed_values.h"
#else
static void NAME(int8_convolution)(const ck_int8_convolution *p) {
  const size_t panel_bytes = p->segments * p->quads * 8 * LANES;
  const int8_t *panel = p->weights;
  for (size_t column = 0; column < p->columns; column += 2 * LANES, panel += panel_bytes)
    for (size_t line = 0; line < p->lines; line++)
      if (p->columns - column > LANES)
        NAME(int8_line)(2, p, line, column, panel, column + 2 * LANES >= p->columns);
      else
        NAME(int8_line)(1, p, line, column, panel, true);
}
#endif
