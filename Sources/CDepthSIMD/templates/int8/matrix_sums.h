// Sums of a direct convolution by matrix products. One instruction multiplies two pixels × eight bytes by eight bytes × two
// columns and adds the 2 × 2 products to one register.
//
// Define MATRIX_DOT(sums, pixels, columns) on registers of 16 bytes.

/// Sums of two pixels by two columns: the first pixel's sums, then the second pixel's.
typedef int32_t NAME(square) __attribute__((vector_size(16)));
typedef int32_t NAME(dwords) __attribute__((vector_size(16), aligned(4)));

/// Loads the next eight bytes of two pixels; with `half`, four bytes and four zeros each.
INLINE NAME(dwords) NAME(two_pixels)(const uint8_t *first, const uint8_t *second, const bool half) {
  int64_t pair[2] = {0};
  memcpy(pair, first, half ? 4 : 8);
  memcpy(pair + 1, second, half ? 4 : 8);
  const int64_t bytes __attribute__((vector_size(16))) = {pair[0], pair[1]};
  return (NAME(dwords))bytes;
}

/// Adds the products of two rows of the panel; with `half`, the products of one row and zeros.
INLINE void NAME(matrix_products)(const size_t pairs, const size_t vectors, const bool half,
                              const NAME(dwords) *pixels, const int8_t *panel,
                              NAME(square) sums[][8]) {
#pragma clang loop unroll(full)
  for (size_t j = 0; j < vectors * LANES / 4; j++) {
    NAME(dwords) first, second = {0};
    memcpy(&first, panel + 16 * j, 16);
    if (!half) memcpy(&second, panel + 8 * LANES + 16 * j, 16);
    const NAME(dwords) left = __builtin_shufflevector(first, second, 0, 4, 1, 5);
    const NAME(dwords) right = __builtin_shufflevector(first, second, 2, 6, 3, 7);
#pragma clang loop unroll(full)
    for (size_t i = 0; i < pairs; i++) {
      sums[i][2 * j] = MATRIX_DOT(sums[i][2 * j], pixels[i], left);
      sums[i][2 * j + 1] = MATRIX_DOT(sums[i][2 * j + 1], pixels[i], right);
    }
  }
}

/// Computes `rows` ≤ 6 pixels and the first `vectors` vectors of one panel; both are constants after inlining. For an odd
/// number of pixels, the last pixel is computed twice.
INLINE void NAME(matrix_sums)(const size_t rows, const size_t vectors, size_t segments, size_t quads,
                              const ptrdiff_t *offsets, const uint8_t *x, size_t stride,
                              const int8_t *panel, NAME(next_lines) next, VI results[][2]) {
  const size_t pairs = (rows + 1) / 2;
  NAME(square) sums[3][8] = {0};
  for (size_t s = 0; s < segments; s++) {
    // One pointer per three pixels suffices, because addressing modes include offsets of stride and 2 · stride.
    const uint8_t *x0 = x + offsets[s], *x3 = x0 + 3 * stride;
    NAME(dwords) pixels[3];
#define PIXEL(r) ((r < 3 ? x0 : x3) + (r % 3) * stride)
#define LOAD_PIXELS(half)                                                                     \
  _Pragma("clang loop unroll(full)") for (size_t i = 0; i < pairs; i++) {                     \
    const size_t r = 2 * i, other = r + 1 < rows ? r + 1 : r;                                 \
    pixels[i] = NAME(two_pixels)(PIXEL(r), PIXEL(other), half);                               \
  }
    size_t k = 0;
    for (; k + 2 <= quads; k += 2, panel += 16 * LANES, x0 += 8, x3 += 8) {
#pragma clang loop unroll(disable)
      for (size_t i = 0; i < 2 && next.count; i++, next.lines += 64, next.count--)
        __builtin_prefetch(next.lines, 0, 2);
      LOAD_PIXELS(false)
      NAME(matrix_products)(pairs, vectors, false, pixels, panel, sums);
    }
    if (k < quads) {
      LOAD_PIXELS(true)
      NAME(matrix_products)(pairs, vectors, true, pixels, panel, sums);
      panel += 8 * LANES;
    }
#undef LOAD_PIXELS
#undef PIXEL
  }
#pragma clang loop unroll(full)
  for (size_t r = 0; r < rows; r++)
#pragma clang loop unroll(full)
    for (size_t v = 0; v < vectors; v++) {
      NAME(square) row[LANES / 4];
#pragma clang loop unroll(full)
      for (size_t j = 0; j < LANES / 4; j++) {
        const NAME(square) *pair = sums[r / 2] + v * LANES / 2 + 2 * j;
        row[j] = r % 2 ? __builtin_shufflevector(pair[0], pair[1], 2, 3, 6, 7)
                       : __builtin_shufflevector(pair[0], pair[1], 0, 1, 4, 5);
      }
      memcpy(&results[r][v], row, sizeof row);
    }
}
