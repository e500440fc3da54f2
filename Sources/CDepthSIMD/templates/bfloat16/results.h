// The last step of a convolution in bfloat16, whatever instructions made the sums: everything from here on is 32-bit floats.

/// Destination and addends of one vector of a block's results, loaded once per block.
typedef struct {
  V bias, lower_bound, upper_bound;
  const float *residual;
  size_t residual_stride;
  float *y;
  size_t stride, lanes;
} NAME(finish);

INLINE NAME(finish) NAME(finish_of)(const ck_bfloat16_convolution *p, size_t line, size_t pixel,
                                    size_t column, size_t n) {
  const ck_epilogue *e = &p->epilogue;
  const float *residual = e->residual;
  if (residual) residual += line * p->residual_line_stride + pixel * e->residual_stride + column;
  return (NAME(finish)){
      .bias = e->bias ? NAME(load_first)(e->bias + column, n) : (V){0},
      .lower_bound = e->lower_bound ? NAME(load_first)(e->lower_bound + column, n)
                                    : NAME(splat)(-__builtin_inff()),
      .upper_bound = NAME(splat)(e->upper_bound > 0 ? e->upper_bound : __builtin_inff()),
      .residual = residual,
      .residual_stride = e->residual_stride,
      .y = p->y + line * p->y_line_stride + pixel * p->y_pixel_stride + column,
      .stride = p->y_pixel_stride,
      .lanes = n,
  };
}

/// Writes the result of row r of the block.
INLINE void NAME(store_result)(NAME(finish) f, size_t r, V sum) {
  V y = sum + f.bias;
  if (f.residual) y += NAME(load_first)(f.residual + r * f.residual_stride, f.lanes);
  y = NAME(min)(NAME(max)(y, f.lower_bound), f.upper_bound);
  NAME(store_first)(f.y + r * f.stride, y, f.lanes);
}

/// Cache lines of the next panel to prefetch during a block of the panel before it.
typedef struct {
  const int8_t *lines;
  size_t count;
} NAME(next_lines);

/// Writes the results of pixels first ..< rows of a tile for the n ≤ LANES columns from `column`; `sums` are its first row's.
INLINE void NAME(tile_results)(const ck_bfloat16_convolution *p, size_t line, size_t pixel,
                               size_t first, size_t rows, size_t column, const size_t n,
                               const float *sums, const float *others) {
  (void)others;
  const NAME(finish) f = NAME(finish_of)(p, line, pixel, column, n);
  for (size_t r = first; r < rows; r++) NAME(store_result)(f, r, NAME(load)(sums + 16 * r));
}
