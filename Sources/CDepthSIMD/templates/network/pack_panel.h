// Packs columns of a matrix side by side in a panel, by transposition if the matrix is stored column by column.

/// Interleaves the lanes of two vectors: the first halves, and the second halves.
#if LANES == 4
#define ZIP_FIRST(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define ZIP_SECOND(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#elif LANES == 8
#define ZIP_FIRST(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define ZIP_SECOND(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#else
#define ZIP_FIRST(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define ZIP_SECOND(a, b) \
  __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#endif

/// Transposes LANES × LANES floats. Each round exchanges the highest bit of the row index with the lowest bit of the
/// lane index. After log2(LANES) rounds, rows and lanes are exchanged.
INLINE void NAME(transpose)(const float *source, size_t source_stride, float *y, size_t stride) {
  V rows[LANES], zipped[LANES];
#pragma clang loop unroll(full)
  for (size_t r = 0; r < LANES; r++) rows[r] = NAME(load)(source + r * source_stride);
#pragma clang loop unroll(full)
  for (size_t round = 1; round < LANES; round *= 2) {
#pragma clang loop unroll(full)
    for (size_t r = 0; r < LANES / 2; r++) {
      zipped[2 * r] = ZIP_FIRST(rows[r], rows[r + LANES / 2]);
      zipped[2 * r + 1] = ZIP_SECOND(rows[r], rows[r + LANES / 2]);
    }
#pragma clang loop unroll(full)
    for (size_t r = 0; r < LANES; r++) rows[r] = zipped[r];
  }
#pragma clang loop unroll(full)
  for (size_t r = 0; r < LANES; r++) NAME(store)(y + r * stride, rows[r]);
}
#undef ZIP_FIRST
#undef ZIP_SECOND

static void NAME(pack_panel)(size_t depth, size_t columns, const float *source,
                             size_t column_stride, size_t depth_stride, float *panel,
                             size_t panel_stride) {
  size_t k = 0;
  if (depth_stride == 1 && columns == 2 * LANES)
    for (; k + LANES <= depth; k += LANES)
      for (size_t j = 0; j < 2 * LANES; j += LANES)
        NAME(transpose)(source + j * column_stride + k, column_stride, panel + k * panel_stride + j, panel_stride);
  for (; k < depth; k++) {
    const float *s = source + k * depth_stride;
    float *row = panel + k * panel_stride;
    for (size_t j = 0; j < columns; j++) row[j] = s[j * column_stride];
    for (size_t j = columns; j < 2 * LANES; j++) row[j] = 0;
  }
}
