// C = A · B on packed panels of B. GEMM_ROWS × 2 vectors of C stay in registers while the whole depth is summed. Each
// element of C is a single chain of additions in the order of the depth, so neither blocking nor threads change the bits.

/// Cache lines to prefetch during a block, one or more per row of the panel.
typedef struct {
  const char *b, *a;
  /// Lines of b per row of the panel, and total lines of a.
  size_t b_lines, a_lines;
} NAME(ahead);

/// Computes `rows` rows of one panel with first column `column`, of which `vectors` vectors hold columns; both are constants
/// after inlining.
INLINE void NAME(gemm_block)(const size_t rows, const size_t vectors, const ck_gemm *p, size_t row,
                             size_t column, const float *panel, NAME(ahead) ahead) {
  V c[GEMM_ROWS][2];
#pragma clang loop unroll(full)
  for (size_t r = 0; r < rows; r++) c[r][0] = c[r][1] = (V){0};

  if (p->epilogue.residual) {
    // The residual is often in the third-level cache, so it is prefetched during the sums.
    const float *added = p->epilogue.residual + row * p->epilogue.residual_stride + column;
#pragma clang loop unroll(disable)
    for (size_t r = 0; r < rows; r++, added += p->epilogue.residual_stride)
      __builtin_prefetch(added, 0, 3), __builtin_prefetch(added + LANES, 0, 3);
  }

  // One pointer per three rows suffices, because addressing modes include offsets of stride and 2 · stride.
  const size_t stride = p->a_stride;
  const float *a0 = p->a + row * stride, *a3 = a0 + 3 * stride, *a6 = a3 + 3 * stride,
              *a9 = a6 + 3 * stride;
#if defined(GEMM_RUN)
  // One load of a row holds its values for GEMM_RUN rows of the panel. Each lane is one operand of the products.
  size_t done = 0;
  for (; done + GEMM_RUN <= p->depth; done += GEMM_RUN, a0 += GEMM_RUN, a3 += GEMM_RUN) {
#pragma clang loop unroll(disable)
    for (size_t line = 0; line < GEMM_RUN * ahead.b_lines; line++, ahead.b += 64)
      __builtin_prefetch(ahead.b, 0, 2);
    if (done < ahead.a_lines)
      for (size_t i = 0; i < GEMM_RUN; i++) __builtin_prefetch(ahead.a + 64 * (done + i), 0, 2);
    NAME(run) a[GEMM_ROWS];
#pragma clang loop unroll(full)
    for (size_t r = 0; r < rows; r++) a[r] = NAME(load_run)((r < 3 ? a0 : a3) + (r % 3) * stride);
#pragma clang loop unroll(full)
    for (size_t i = 0; i < GEMM_RUN; i++, panel += 2 * LANES)
#pragma clang loop unroll(full)
      for (size_t v = 0; v < vectors; v++) {
        const V b = NAME(load)(panel + v * LANES);
#pragma clang loop unroll(full)
        for (size_t r = 0; r < rows; r++) c[r][v] = NAME(fma)(NAME(splat)(a[r][i]), b, c[r][v]);
      }
  }
#else
  enum { done = 0 };
#endif
  for (size_t k = done; k < p->depth; k++, panel += 2 * LANES, a0++, a3++, a6++, a9++) {
    const V b0 = NAME(load)(panel), b1 = vectors > 1 ? NAME(load)(panel + LANES) : b0;
    for (size_t line = 0; line < ahead.b_lines; line++, ahead.b += 64)
      __builtin_prefetch(ahead.b, 0, 2);
    if (k < ahead.a_lines) __builtin_prefetch(ahead.a + 64 * k, 0, 2);
#pragma clang loop unroll(full)
    for (size_t r = 0; r < rows; r++) {
      const float *a = r < 3 ? a0 : r < 6 ? a3 : r < 9 ? a6 : a9;
      const V s = NAME(splat)(a[(r % 3) * stride]);
      c[r][0] = NAME(fma)(s, b0, c[r][0]);
      if (vectors > 1) c[r][1] = NAME(fma)(s, b1, c[r][1]);
    }
  }

  const size_t left = p->columns - column;
  const size_t n0 = left < LANES ? left : LANES, n1 = left < 2 * LANES ? left - n0 : LANES;
  float *y = p->c + row * p->c_stride + column;
  const ck_epilogue *e = &p->epilogue;
  if (vectors > 1 && n1 == LANES && !e->bias && !e->residual && !e->lower_bound && e->upper_bound <= 0) {
#pragma clang loop unroll(full)
    for (size_t r = 0; r < rows; r++, y += p->c_stride) {
      NAME(store)(y, c[r][0]);
      NAME(store)(y + LANES, c[r][1]);
    }
  } else if (vectors > 1 && n1 == LANES) {
#pragma clang loop unroll(full)
    for (size_t r = 0; r < rows; r++, y += p->c_stride) {
      NAME(store)(y, NAME(finished)(c[r][0], e, row + r, column, LANES));
      NAME(store)(y + LANES, NAME(finished)(c[r][1], e, row + r, column + LANES, LANES));
    }
  } else {
#pragma clang loop unroll(full)
    for (size_t r = 0; r < rows; r++, y += p->c_stride) {
      NAME(store_first)(y, NAME(finished)(c[r][0], e, row + r, column, n0), n0);
      if (vectors > 1 && n1)
        NAME(store_first)(y + LANES, NAME(finished)(c[r][1], e, row + r, column + LANES, n1), n1);
    }
  }
}

/// The lines to prefetch during block `block` of `blocks`: an equal part of the next panel and of the next rows.
INLINE NAME(ahead) NAME(ahead_of)(const ck_gemm *p, size_t block, size_t blocks,
                                  const float *next_panel, const float *next_rows) {
  NAME(ahead) ahead = {0};
  const size_t panel_lines = 2 * LANES / 16;  // per row of the panel
  const size_t fetching = blocks < panel_lines ? blocks : panel_lines;
  if (next_panel && block < fetching) {
    ahead.b_lines = panel_lines / fetching;
    ahead.b = (const char *)next_panel + block * ahead.b_lines * p->depth * 64;
  }
  if (next_rows) {
    const size_t lines = p->rows * p->depth / 16;
    ahead.a_lines = (block + 1) * lines / blocks - block * lines / blocks;
    ahead.a = (const char *)next_rows + block * lines / blocks * 64;
  }
  return ahead;
}

/// Computes all rows of one panel, of which `vectors` vectors hold columns.
INLINE void NAME(gemm_panel)(const size_t vectors, const ck_gemm *p, size_t column,
                             const float *panel) {
  const size_t blocks = (p->rows + GEMM_ROWS - 1) / GEMM_ROWS;
  const bool is_last = column + 2 * LANES >= p->columns;
  for (size_t block = 0; block < blocks; block++) {
    const size_t row = block * p->rows / blocks;
    const NAME(ahead) ahead =
        NAME(ahead_of)(p, block, blocks, is_last ? p->next_b : panel + p->depth * 2 * LANES,
                       is_last ? p->next_a : NULL);
    switch ((block + 1) * p->rows / blocks - row) {
#define ROWS(n)                                                  \
  case n:                                                        \
    NAME(gemm_block)(n, vectors, p, row, column, panel, ahead);  \
    break;
      ROWS(1) ROWS(2) ROWS(3) ROWS(4) ROWS(5) ROWS(6)
#if GEMM_ROWS == 12
      ROWS(7) ROWS(8) ROWS(9) ROWS(10) ROWS(11) ROWS(12)
#endif
#undef ROWS
    }
  }
}

static void NAME(gemm)(const ck_gemm *p) {
  const float *panel = p->b;
  for (size_t column = 0; column < p->columns; column += 2 * LANES, panel += p->depth * 2 * LANES)
    if (p->columns - column > LANES)
      NAME(gemm_panel)(2, p, column, panel);
    else
      NAME(gemm_panel)(1, p, column, panel);
}
