// The results of a tile of 32-bit sums.

/// Writes the results of pixels first ..< rows of a tile for the n ≤ LANES columns from `column`. `sums` has the tile's first
/// row. `others` is the tile with every other product, or NULL.
INLINE void NAME(tile_results)(const ck_int8_convolution *p, size_t line, size_t pixel, size_t first,
                               size_t rows, size_t column, const size_t n, const int32_t *sums,
                               const int32_t *others) {
  VI initial = {0};
  memcpy(&initial, p->initial + column, n * sizeof(int32_t));
  const NAME(finish) f = NAME(finish_of)(p, line, pixel, column, n);
  const NAME(token_finish) token = NAME(token_finish_of)(p, pixel, column, n);
  for (size_t r = first; r < rows; r++) {
    VI sum, other = {0};
    memcpy(&sum, sums + 16 * r, sizeof sum);
    if (others) memcpy(&other, others + 16 * r, sizeof other);
    sum += other + initial;
    if (p->tokens.applies)
      NAME(store_token)(token, r, sum);
    else
      NAME(store_result)(f.quantization_factor > 0, f, r, sum);
  }
}
